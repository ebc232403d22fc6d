/* Variants: the games hakem knows, one const row each, and the rules in force
 * at a table, which are a variant and the value of each option.
 *
 * `struct rules` is a value. Nothing here allocates, prints or asks the time.
 */
#ifndef HAKEM_RULES_VARIANT_H
#define HAKEM_RULES_VARIANT_H

#include "rules/board.h"
#include "rules/option.h"

enum variant_id {
    VARIANT_TAVLA,
    VARIANT_UZUN,
    VARIANT_WESTERN,
    VARIANT_NACKGAMMON,
    VARIANT_HYPERGAMMON,
    VARIANT_FEVGA
};

enum { VARIANT_COUNT = 6, VARIANT_NAMES_MAX = 80 };

struct variant {
    enum variant_id id;
    enum school school; /* whose options and presets it has */
    const char *name;   /* "tavla" */
    const char *title;  /* what a .mat calls it */
    enum path path;
    bool hits;                  /* a lone opposing checker may be hit */
    uint8_t start[POINT_COUNT]; /* each side's opening arrangement */
    uint8_t checkers;           /* per side */
    uint8_t head;               /* the head point, 0 where there is none */
    const char *kind[4];        /* names of its results, simplest first, NULL ends */
};

struct rules {
    const struct variant *variant;
    int value[OPTION_COUNT];
};

/* The row of a variant. */
const struct variant *variant_row(enum variant_id id);

/* The variant of that name, or NULL. */
const struct variant *variant_find(const char *name, size_t length);

/* Writes the names of all variants, commas between them. */
void variant_write_names(char out[VARIANT_NAMES_MAX]);

/* Whether the variant has the option. */
bool variant_has_option(const struct variant *variant, enum option option);

/* The default rules of a variant (rules.md B, option table). */
void rules_init(struct rules *rules, const struct variant *variant);

/* Sets one option by name. 0, or -1 with a sentence in `why` (names the option,
 * the value and what is allowed instead). */
int rules_set(struct rules *rules, const char *name, const char *value, char why[160]);

/* Whether a record has to state the option (see `later` of its row). */
bool rules_states(const struct rules *rules, enum option option);

/* Whether the options go together. 0, or -1 with a sentence in `why`. */
int rules_check(const struct rules *rules, char why[160]);

/* Whether the option differs from the variant's default. */
bool rules_differs(const struct rules *rules, enum option option);

/* The opening arrangement of the variant. */
void board_init(struct board *board, const struct rules *rules);

/* 0 when the board can occur (each side has its checkers, no point holds both
 * sides, no bar where nothing is hit), else -1 with a sentence in `why`. */
int board_check(const struct board *board, const struct rules *rules, char why[160]);

#endif
