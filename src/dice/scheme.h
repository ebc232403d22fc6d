/* Scheme hakem/v1: throws from a committed seed (dice.md is normative). This
 * storey alone makes chance: dice_init must have run once before it is used. */
#ifndef HAKEM_DICE_SCHEME_H
#define HAKEM_DICE_SCHEME_H

#include "dice/hash.h"

#include <stdbool.h>
#include <stdint.h>

enum { UNIT_NAME_MAX = 16, EVENT_NAME_MAX = 128, DICE_CONTRIBUTION = 32 };

/* Where throws come from. */
enum dice_source {
    DICE_AUDITABLE, /* a secret seed, committed to and revealed */
    DICE_SEEDED,    /* an open seed: tests, reproducible research */
    DICE_RECORDED,  /* a file of throws, see dice/throws.h; an open seed is its hash */
    DICE_MANUAL,    /* an operator types what real ones show; all else as with auditable ones */
    DICE_IMPORTED,  /* another program's file says so: nothing is proven */
    DICE_SOURCES
};

/* The streams of a game: opening throws and the two seats' turns. */
enum dice_stream { STREAM_OPENING = 'O', STREAM_X = 'X', STREAM_Y = 'Y' };

/* What a unit's dice are made of: a value. */
struct unit_dice {
    char event[EVENT_NAME_MAX]; /* name # hash of the canonical event */
    char unit[UNIT_NAME_MAX];   /* "U000001" */
    struct hash seed;           /* S_u: secret until every leg has ended */
    struct hash commitment;     /* C_S */
    struct hash key;            /* K */
};

/* A throw, in thrown order. */
struct roll {
    uint8_t die[2]; /* 1..6 */
};

/* The word of a source ("seeded"), and back: -1 for no such word. */
/* Whether the throws come from a list (recorded, manual), and only all else from the seed. */
bool dice_are_listed(enum dice_source source);

const char *dice_source_name(enum dice_source source);
int dice_source_find(const char *name);

/* Makes the library ready; 0, or -1 when the machine has no chance to give. */
int dice_init(void);

/* 32 fresh random bytes. */
struct hash dice_fresh_master(void);

/* M of an open seed text (seeded dice). */
struct hash dice_open_master(const char *seed);

/* C_M: what the event publishes before anything is thrown. */
struct hash dice_master_commitment(const struct hash *master, const char *event);

/* S_u, C_S and K of a unit without contributions or beacon; `attempt` counts voided units. */
void unit_dice_init(struct unit_dice *dice, const struct hash *master, const char *event,
                    const char *unit, unsigned attempt);

/* The same from a published S_u (a verifier has no M). */
void unit_dice_from_seed(struct unit_dice *dice, const struct hash *seed, const char *event,
                         const char *unit);

/* K with the players' contributions mixed in; NULL is absent. */
void unit_dice_mix(struct unit_dice *dice, const uint8_t *a, const uint8_t *b);

/* C_a or C_b: commitment of player 1 or 2 to its 32 bytes. */
struct hash unit_dice_contribution(const struct unit_dice *dice, int player,
                                   const uint8_t bytes[DICE_CONTRIBUTION]);

/* G: the key of one game; hash_key_of makes it ready for throws. */
struct hash game_key(const struct unit_dice *dice, unsigned game, unsigned attempt);

/* Throw number n (from 0) of a stream. */
struct roll game_roll(const struct hash_key *game, enum dice_stream stream, uint32_t n);

/* A number for ply n of a game, where the referee has to choose a play (rules.md B8). */
uint64_t game_pick(const struct hash_key *game, uint32_t n);

/* The `seed=` of a bot for one game. leg 1..2, seat 'X' or 'Y'. */
uint64_t game_bot_seed(const struct unit_dice *dice, int leg, char seat, unsigned game,
                       unsigned attempt);

#endif
