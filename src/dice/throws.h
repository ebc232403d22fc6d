/* Recorded dice: a text of throws in thrown order, which the games of a match use up one
 * after the other. `52 33 61`, apart by blanks or line ends; # and the rest of its line are
 * a comment; the word `unit` begins the throws of the next unit, so that each has its own. */
#ifndef HAKEM_DICE_THROWS_H
#define HAKEM_DICE_THROWS_H

#include "base/bytes.h"
#include "dice/scheme.h"

#include <stddef.h>

enum { THROWS_WHY_MAX = 160 };

/* Why a throw of real dice does not count, and is thrown again (R3.11). */
enum throw_flaw {
    FLAW_OFF_BOARD,  /* a die left the board */
    FLAW_HALVES,     /* the dice lie in different halves */
    FLAW_ON_CHECKER, /* a die lies on a checker */
    FLAW_NOT_FLAT,   /* a die is not flat */
    FLAW_COUNT
};

struct throws {
    struct hash hash;  /* SHA-256 of the text */
    struct roll *roll; /* all of them, owned */
    uint32_t count;
    uint32_t *first;   /* where each unit's begin; one more: the end. Owned */
    uint32_t units;
};

/* Reads a text; 0, or -1 with a sentence that names line and column, and nothing is owned. */
int throws_read(struct throws *throws, const char *text, size_t length, char why[THROWS_WHY_MAX])
    __attribute__((warn_unused_result));
void throws_clear(struct throws *throws);

/* The throws of unit 1, 2.. and how many; NULL for a unit that the text does not have. */
const struct roll *throws_of_unit(const struct throws *throws, uint32_t unit, uint32_t *count);

/* Adds a throw to a unit, 1, 2.. */
void throws_add(struct throws *throws, uint32_t unit, struct roll roll);

/* Adds them as a text that throws_read reads, a unit without throws too. */
void throws_write(const struct throws *throws, struct bytes *out);

/* The word of a flaw ("on_checker"), and back: -1 for no such word. */
const char *throw_flaw_name(enum throw_flaw flaw);
int throw_flaw_find(const char *name);

/* The open seed that stands behind all else that dice make (picks, seeds of bots): the hex
 * digits of the hash. */
void throws_seed(const struct throws *throws, char out[HASH_HEX]);

#endif
