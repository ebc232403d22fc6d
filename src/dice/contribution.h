/* What the two players of a unit add to its dice (dice.md, "Order of messages for a unit"):
 * with it nobody can choose them alone. Player 0 of these arrays is player 1 of the unit. */
#ifndef HAKEM_DICE_CONTRIBUTION_H
#define HAKEM_DICE_CONTRIBUTION_H

#include "dice/scheme.h"

enum { PLAYERS = 2 };

/* What a player says it does. */
enum contribute {
    CONTRIBUTE_NONE,
    CONTRIBUTE_OPEN,   /* its 32 bytes once the commitments are known */
    CONTRIBUTE_COMMIT, /* the hash of them first */
    CONTRIBUTE_WAYS
};

/* What it has done: a value; all zero is nothing. */
struct contribution {
    bool committed;        /* to this: */
    struct hash commitment;
    bool given;            /* these: */
    uint8_t bytes[DICE_CONTRIBUTION];
    bool withheld;         /* what it had declared never came, or was something else */
};

/* The word of a way ("commit"), and back: CONTRIBUTE_NONE for any other word. */
const char *contribute_name(enum contribute way);
enum contribute contribute_find(const char *name);

/* Whether the bytes open the commitment of player 0 or 1. */
bool contribution_opens(const struct unit_dice *dice, int player, const struct hash *commitment,
                        const uint8_t bytes[DICE_CONTRIBUTION]);

/* K with what was given mixed in. */
void contribution_mix(struct unit_dice *dice, const struct contribution of[PLAYERS]);

/* SHA-256(LP("hakem/v1/receipt",event,unit,C_S,C_a,a,C_b,b)): what a receipt signs. */
struct hash contribution_digest(const struct unit_dice *dice,
                                const struct contribution of[PLAYERS]);

#endif
