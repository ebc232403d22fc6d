/* Refusal: why a claimed play was refused, in plain words. Inside rules/ only. */
#ifndef HAKEM_RULES_REFUSAL_H
#define HAKEM_RULES_REFUSAL_H

#include "rules/claim.h"
#include "rules/turn.h"

/* A claim followed so far: where the board is after the steps read. */
struct reading {
    struct board board;
    struct play play;             /* the steps so far */
    uint8_t dice[PLAY_STEPS_MAX]; /* the dice not yet used */
    int dice_left;
    int at; /* where the checker stands that is to move next */
};

/* Writes why no die takes the checker of a reading further along `leg`. */
void refusal_of_step(const struct turn *turn, const struct reading *reading, const struct leg *leg,
                     char reason[160]);

/* Writes why a play of legal steps is no legal turn; `most` dice can be played. */
void refusal_of_turn(const struct turn *turn, const struct reading *reading, int most,
                     char reason[160]);

/* Writes which word of the claim is no play. */
void refusal_of_word(const struct claim *claim, char reason[160]);

/* Writes that a collapsed leg leaves open where it hits. */
void refusal_of_ambiguity(const struct claim *claim, char reason[160]);

#endif
