/* The `mix` line: what the players of a unit have added to its dice, in the record of each
 * leg before its first game. */
#ifndef HAKEM_RECORD_MIX_H
#define HAKEM_RECORD_MIX_H

#include "dice/contribution.h"
#include "rules/board.h"
#include "wire/message.h"

/* Makes the message; the same goes to the players. */
void mix_write(struct message *message, const char *unit, const struct contribution of[PLAYERS]);

/* Reads it; 0, or -1 with a sentence (RECORD_WHY_MAX) when it cannot have come about. Whether
 * values open their commitments is not asked here. */
int mix_read(const struct message *message, struct contribution of[PLAYERS], char *why)
    __attribute__((warn_unused_result));

/* The player (0 or 1) on a seat of a leg: they change seats in leg 2. */
int mix_player(int leg, enum side side);

/* Finds the line in the text of a record whose chain holds; false when it has none yet. */
bool mix_find(const char *text, size_t length, struct contribution of[PLAYERS]);

#endif
