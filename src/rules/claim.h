/* Claim: the text of a play as somebody wrote it, cut into legs. Inside rules/
 * only. A leg moves one checker by one die or, collapsed, by several. */
#ifndef HAKEM_RULES_CLAIM_H
#define HAKEM_RULES_CLAIM_H

#include "rules/play.h"

/* One leg more than any throw has dice, so that a surplus shows. */
enum { CLAIM_LEGS_MAX = PLAY_STEPS_MAX + 1 };

struct leg {
    uint8_t from, to; /* 0..25 each, as written */
    uint8_t word;     /* 1-based word of the claim */
};

struct claim {
    struct leg leg[CLAIM_LEGS_MAX];
    int count;       /* 0 is the pass; reading stops at CLAIM_LEGS_MAX */
    int bad_word;    /* 1-based word that is no leg, 0 when all were read */
    const char *bad; /* that word */
    size_t bad_length;
};

/* Reads a claim; false when a word of it is no leg. */
bool claim_read(const char *text, size_t length, struct claim *claim);

#endif
