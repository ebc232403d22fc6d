/* A whole match of random legal plays, written as the referee writes it: what
 * the tests of records, .mat files and the replay are fed with. */
#ifndef HAKEM_TESTS_SIM_MAKE_RECORD_H
#define HAKEM_TESTS_SIM_MAKE_RECORD_H

#include "base/bytes.h"
#include "dice/scheme.h"
#include "dice/sign.h"
#include "rules/variant.h"

struct make_record {
    struct rules rules;
    const char *seed;    /* open seed: of the dice, and of what is chosen */
    int leg;
    bool faults;         /* about every third game is lost by a fault */
    bool voids;          /* some games are void and played again */
    bool opens;          /* ends after the first game, in the middle of the match */
    int left;            /* games after which side X gives up between games, 0 never */
    struct sign_key key;
};

/* Writes the record into `out`; dice_init must have run. */
void make_record(const struct make_record *spec, struct bytes *out);

/* The stored lines again with a chain that fits them, after an alteration. */
void make_record_chain(const char *text, size_t length, struct bytes *out);

#endif
