/* Phrases: what the rules say, as fields of a message. Whoever tells a game, the referee or the
 * conformance kit, tells it in these. */
#ifndef HAKEM_WIRE_PHRASE_H
#define HAKEM_WIRE_PHRASE_H

#include "rules/cube.h"
#include "rules/play.h"
#include "wire/message.h"

/* Two dice in thrown order. */
void phrase_dice(struct message *message, enum field field, const uint8_t dice[2]);

/* `score`: half points of both sides, `first`'s in front. */
void phrase_score(struct message *message, const int score[SIDE_COUNT], enum side first);

/* `position` and `off` as a side sees them. */
void phrase_board(struct message *message, const struct rules *rules, const struct board *board,
                  enum side side);

/* Whose cube it is to a side: me, opp or none. */
const char *phrase_owner(const struct cube *cube, enum side side);

/* `crawford`, `cube` and `owner` as a side sees them. */
void phrase_cube(struct message *message, const struct cube *cube, bool crawford, enum side side);

/* `may`: the words of these acts. */
void phrase_may(struct message *message, unsigned acts);

/* Makes the `plays` line that begins with number `from` of a list, its table and serial apart;
 * returns the number that the next line begins with, `count` at the end. */
size_t phrase_plays(struct message *message, const struct option_play *list, size_t count,
                    size_t from);

#endif
