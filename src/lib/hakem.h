/* libhakem: the rules of tavla, uzun tavla, backgammon, nackgammon, hypergammon and
 * fevga, and the notations of their positions, to be built into other programs.
 *
 * Everything is a plain value that you own and may copy with `=`. Nothing here
 * allocates, prints, asks the time, makes chance or keeps anything between calls:
 * every function may be called from any thread at any time. Pointers must not be
 * NULL. Texts are bytes and a length; what is written ends with a NUL.
 *
 * Each side counts its own points: 24 is farthest from home, 6 to 1 are home, 25 is
 * the bar, 0 holds the checkers borne off. Side 0 is White (X, first in every
 * notation), side 1 Black. What is your point p is 25 - p to the other side; in uzun
 * and fevga, where both run the same way, it is p + 12 or p - 12.
 *
 * Functions that can refuse return 0 when they did what they say, and -1 when not;
 * those with `why` then leave one English sentence there. Within one soname
 * (HAKEM_ABI) structs keep their sizes; functions and values are only added.
 */
#ifndef HAKEM_LIB_HAKEM_H
#define HAKEM_LIB_HAKEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HAKEM_API __attribute__((visibility("default")))
#else
#define HAKEM_API
#endif

enum {
    HAKEM_ABI = 0,          /* the number in libhakem.so.0 */
    HAKEM_BAR = 25,         /* places of the board that are no points */
    HAKEM_OFF = 0,          /* likewise */
    HAKEM_OPTIONS_MAX = 63, /* room for options in this ABI */
    HAKEM_ROOM = 8192,      /* finals that a list must have room for, 532,480 bytes: listing works
                               in it; the list itself is 3,060 long at most */
    HAKEM_WHY_MAX = 160,    /* bytes of a sentence, its NUL included */
    HAKEM_WORD_MAX = 16,    /* bytes of an option's value, likewise */
    HAKEM_PLAY_MAX = 64,    /* bytes of a play as text, likewise */
    HAKEM_TEXT_MAX = 512    /* bytes of a position as text, likewise */
};

/* ---- rules */

/* A variant and the value of each of its options. Fill it with hakem_rules_init. */
struct hakem_rules {
    int32_t variant;                  /* 0.., as hakem_variant counts */
    int32_t value[HAKEM_OPTIONS_MAX]; /* as hakem_option counts; read and set them by name */
};

/* HAKEM_ABI as the library was built. */
HAKEM_API int hakem_abi(void);

/* The version of the library, such as "1.0.0". */
HAKEM_API const char *hakem_version(void);

/* The name of a variant, "tavla" being number 0; NULL for a number there is none of. */
HAKEM_API const char *hakem_variant(int number);

/* The name of an option, counted from 0; NULL for a number there is none of. */
HAKEM_API const char *hakem_option(int number);

/* What that option decides, in one English sentence; NULL as above. */
HAKEM_API const char *hakem_option_sentence(int number);

/* The usual rules of a variant. -1 when there is no variant of that name. */
HAKEM_API int hakem_rules_init(struct hakem_rules *rules, const char *variant);

/* Sets an option, such as "must_max" to "false". -1 with a sentence when the variant
 * has no such option, or the option no such value. */
HAKEM_API int hakem_rules_set(struct hakem_rules *rules, const char *option, const char *value,
                              char why[HAKEM_WHY_MAX]);

/* Writes the value of an option. -1 when the variant has no option of that name. */
HAKEM_API int hakem_rules_get(const struct hakem_rules *rules, const char *option,
                              char value[HAKEM_WORD_MAX]);

/* ---- positions */

/* A position and the state of its match. For plays, only the first four matter. */
struct hakem_position {
    uint8_t men[2][26]; /* checkers of each side on its own places, 0..15 */
    uint8_t mover;      /* 0 or 1: who is on roll, has thrown, or has doubled */
    uint8_t dice[2];    /* 1..6 each in thrown order; 0 and 0 before the throw */
    uint8_t first_turn; /* 1 in the mover's first turn of a game, else 0 (the head rule of uzun) */

    uint8_t decider;    /* 0 or 1: who is to act; the mover unless something is on offer */
    uint8_t cube_log;   /* 0..15: the cube shows 2 to this power, an offered double not counted */
    uint8_t cube_limit; /* 0..15: it ends at 2 to this power; 0 is no cube */
    int8_t cube_owner;  /* a side, or -1 while the cube is centred */
    uint8_t pending;    /* 0 nothing, 1 a double, 2 a beaver, 3 a raccoon waits for an answer */
    uint8_t resigning;  /* 1..3: the kind of loss that is offered; 0 none */
    uint8_t phase;      /* 0 no game, 1 playing, 2 borne off, 3 resigned, 4 dropped */
    uint8_t crawford;   /* 1 in the Crawford game of a match, else 0 */
    uint8_t jacoby;     /* 1 or 0, money play only */
    uint8_t beavers;    /* 1 or 0, money play only */
    uint8_t reserved[2];
    int32_t length;   /* points that win the match, 0..32767; 0 is money play */
    int32_t score[2]; /* half points, 0 or more */
};

/* The notations of positions. */
enum hakem_notation {
    HAKEM_NOTATION_TEXT,         /* W 24:2 13:5 8:3 6:5 | B 24:2 13:5 8:3 6:5 */
    HAKEM_NOTATION_COUNTS,       /* 26 counts as the mover sees them: 0,-2,0,0,0,0,5,... */
    HAKEM_NOTATION_GNU_POSITION, /* 4HPwATDgc/ABMA */
    HAKEM_NOTATION_GNU_ID,       /* 4HPwATDgc/ABMA:cInlADAAEAAE */
    HAKEM_NOTATION_XGID,
    HAKEM_NOTATION_OGID,
    HAKEM_NOTATION_FIBS
};

/* The opening position of a variant: White on roll in his first turn, no dice yet,
 * money play. -1 when `rules` were never initialised. */
HAKEM_API int hakem_position_init(const struct hakem_rules *rules, struct hakem_position *position);

/* Whether every field is in its range, the board can occur and the fields agree. */
HAKEM_API int hakem_position_check(const struct hakem_rules *rules,
                                   const struct hakem_position *position, char why[HAKEM_WHY_MAX]);

/* Reads a position in the notation that it looks like. What the notation does not
 * say stays as it was, so begin with hakem_position_init; a board that is told as
 * the mover sees it is read for `position->mover`. Returns the notation (enum
 * hakem_notation), or -1 with a sentence and the position unchanged. */
HAKEM_API int hakem_position_read(const struct hakem_rules *rules, const char *text, size_t length,
                                  struct hakem_position *position, char why[HAKEM_WHY_MAX]);

/* Writes a position. -1 with a sentence when it can not occur, or holds what the
 * notation can not say. */
HAKEM_API int hakem_position_write(const struct hakem_rules *rules,
                                   const struct hakem_position *position, int notation,
                                   char text[HAKEM_TEXT_MAX], char why[HAKEM_WHY_MAX]);

/* Pips that `side` still needs: 0..375; -1 when `side` is not 0 or 1. */
HAKEM_API int hakem_pips_left(const struct hakem_position *position, int side);

/* ---- plays */

/* One checker moved by one die. */
struct hakem_leg {
    uint8_t from; /* 1..24 or HAKEM_BAR, the mover's numbering */
    uint8_t to;   /* 24..1 or HAKEM_OFF */
    uint8_t hit;  /* 1 when a checker was hit there, else 0 */
};

/* The position after a play, and the play: one leg for each die it uses, in an order
 * that is legal. */
struct hakem_final {
    uint8_t men[2][26];
    struct hakem_leg leg[4];
    uint8_t legs; /* 0..4; 0 is the pass */
};

/* Lists the finals of every legal play of the throw, each once, in an order that is
 * the same every time; where there is nothing to play, the pass alone. `room` is
 * HAKEM_ROOM at least. Returns their number, 1..3060; 0 when there is less room, a
 * die is not 1..6 or the position can not occur. */
HAKEM_API size_t hakem_list(const struct hakem_rules *rules, const struct hakem_position *position,
                            struct hakem_final *list, size_t room);

/* Writes a play as "24/18 13/11*" with bar and off as words, "" for the pass.
 * Returns its length. More than 4 legs count as 4. */
HAKEM_API size_t hakem_play_write(const struct hakem_final *play, char text[HAKEM_PLAY_MAX]);

enum hakem_judgement {
    HAKEM_LEGAL,
    HAKEM_ILLEGAL,   /* read, but against the rules */
    HAKEM_MALFORMED, /* not a play at all */
    HAKEM_AMBIGUOUS  /* a collapsed leg that could mean several finals */
};

struct hakem_verdict {
    int32_t judgement;          /* enum hakem_judgement */
    int32_t bad_word;           /* the first word that is refused, counted from 1; 0 none */
    struct hakem_final final;   /* what was played and where it led, when it is legal */
    char reason[HAKEM_WHY_MAX]; /* why it is refused, "" when it is legal */
};

/* Judges a play such as "8/5 6/5", "24/13", "8/5(2)", "bar/20*", "6/off" or "" for
 * the pass, in the mover's numbering; `-` for `/`, 25 and 0, commas and any case are
 * understood. `list` is room to work in, as for hakem_list; a legal play that uses
 * every die leaves it alone. -1 on what hakem_list answers with 0. */
HAKEM_API int hakem_judge(const struct hakem_rules *rules, const struct hakem_position *position,
                          const char *play, size_t length, struct hakem_final *list, size_t room,
                          struct hakem_verdict *verdict);

/* ---- the cube */

/* What a side may do (bits). */
enum {
    HAKEM_ROLL = 1,
    HAKEM_DOUBLE = 2,
    HAKEM_PLAY = 4,
    HAKEM_TAKE = 8,
    HAKEM_DROP = 16,
    HAKEM_BEAVER = 32, /* and raccoon */
    HAKEM_RESIGN = 64,
    HAKEM_ACCEPT = 128,
    HAKEM_REJECT = 256
};

/* What the decider of a position may do now, under the options vido, vido_max, beavers and
 * resign of the rules; length, score, Crawford and cube are the position's. Bits from above,
 * or -1 when the position can not occur or no game is going on. */
HAKEM_API int hakem_may(const struct hakem_rules *rules, const struct hakem_position *position);

/* ---- results */

struct hakem_result {
    int32_t winner; /* a side, or -1 while nobody has borne off everything */
    int32_t kind;   /* 1..3 */
    int32_t points; /* what it is worth, cube apart */
};

/* The result that a position is, were it the end. -1 when it can not occur. */
HAKEM_API int hakem_position_result(const struct hakem_rules *rules,
                                    const struct hakem_position *position,
                                    struct hakem_result *result);

/* What a variant calls a kind of result ("mars"); NULL when it has none such. */
HAKEM_API const char *hakem_kind(const struct hakem_rules *rules, int kind);

#ifdef __cplusplus
}
#endif

#endif
