/* Options: every rule that can be chosen, one const row each.
 *
 * A row states the name that is used on the command line, in event files, on
 * the wire and in records, the words or the range it takes, the default of
 * each school and the sentence of rules.md it comes from. Values are ints:
 * the index of the word, the number itself, or half points where the row says
 * so. A value that is not offered in the row does not exist.
 */
#ifndef HAKEM_RULES_OPTION_H
#define HAKEM_RULES_OPTION_H

#include <stdbool.h>
#include <stddef.h>

enum option {
    OPTION_MATCH,
    OPTION_OPENING,
    OPTION_NEXT_STARTER,
    OPTION_MUST_MAX,
    OPTION_LARGER_DIE,
    OPTION_WIN_ENDS_TURN,
    OPTION_PLAY_CHECK,
    OPTION_ILLEGAL,
    OPTION_FORFEIT_POINTS,
    OPTION_BEAROFF,
    OPTION_HIT_AND_RUN,
    OPTION_KATMERLI,
    OPTION_WALL,
    OPTION_WALL_PATH,
    OPTION_WALL_FRONT,
    OPTION_HEAD_EXCEPTION,
    OPTION_HEAD_EXCEPTION_WHO,
    OPTION_KOKS,
    OPTION_KOKS_TEST,
    OPTION_HOME_MARS,
    OPTION_DRAW,
    OPTION_DRAW_POINTS,
    OPTION_RUNNER,
    OPTION_START_WALL,
    OPTION_UNBLOCK,
    OPTION_GAMES,
    OPTION_VIDO,
    OPTION_VIDO_MAX,
    OPTION_CRAWFORD,
    OPTION_JACOBY,
    OPTION_BEAVERS,
    OPTION_AUTO_DOUBLES,
    OPTION_RESIGN,
    OPTION_COUNT
};

/* Families of rules: the variants of one school have the same options and the
 * same presets, and differ in their opening arrangement alone. */
enum school { SCHOOL_TAVLA, SCHOOL_UZUN, SCHOOL_WESTERN, SCHOOL_FEVGA, SCHOOL_COUNT };

enum { OPTION_WORDS_MAX = 6, ILLEGAL_RETRIES = 3 /* refused answers to one throw */ };

/* Words of the options that code switches over; the order is the row's. */
enum opening { OPENING_REROLL, OPENING_DECIDING };
enum next_starter { STARTER_ROLL, STARTER_WINNER, STARTER_LOSER, STARTER_ALTERNATE };
enum play_check { PLAY_CHECK_SEQUENCE, PLAY_CHECK_FINAL };
enum illegal { ILLEGAL_FORFEIT_GAME, ILLEGAL_RETRY, ILLEGAL_REPLACE_RANDOM };
enum bearoff { BEAROFF_EXACT, BEAROFF_LITERAL000 };
enum hit_and_run { HIT_AND_RUN_ALLOWED, HIT_AND_RUN_HOME_FORBIDDEN };
enum wall { WALL_STEP, WALL_TURN_END, WALL_OFF };
enum wall_path { WALL_PATH_OPPONENT, WALL_PATH_RING, WALL_PATH_OWN };
enum wall_front { WALL_FRONT_FRONT, WALL_FRONT_HOME, WALL_FRONT_BEHIND };
enum head_exception { HEAD_LISTED, HEAD_BLOCKED, HEAD_ANY_DOUBLE, HEAD_ANY, HEAD_OFF };
enum head_who { HEAD_WHO_EACH, HEAD_WHO_GAME };
enum koks_test { KOKS_ALL, KOKS_ANY };
enum draw { DRAW_NONE, DRAW_LAST_ROLL };
enum draw_points { DRAW_POINTS_HALF, DRAW_POINTS_ONE };
enum start_wall { START_WALL_STEP, START_WALL_TURN_END, START_WALL_OFF };

struct option_row {
    const char *name;                      /* e.g. "next_starter" */
    const char *words[OPTION_WORDS_MAX];   /* the words, or all NULL for a number */
    int min, max;                          /* range of a number (inclusive) */
    bool powers;                           /* of that range the powers of two only */
    unsigned schools;                      /* bit s set: the option exists in school s */
    int preset[SCHOOL_COUNT];              /* per school: the default, or where the option does
                                            not exist the value the school lives by */
    const char *rule;                      /* e.g. "B1" */
    const char *sentence;                  /* what it decides, one English sentence */
    const char *meaning[OPTION_WORDS_MAX]; /* what each word says of the game, a sentence people
                                              read; one with {} for the number in it where there
                                              are no words */
    bool later; /* left out of records where it has its preset: they stay what they were
                   before the option existed */
};

/* The row of an option; never NULL for a value below OPTION_COUNT. */
const struct option_row *option_row(enum option option);

/* The option of that name, or -1. */
int option_find(const char *name, size_t length);

/* The value that `text` names in that row, or -1 when the row has no such value. */
int option_read(enum option option, const char *text, size_t length);

/* What the option says with this value, in English; {} stands for a number. */
const char *option_meaning(enum option option, int value);

/* Writes the value as text (at most 15 bytes and a NUL) into `out`. */
void option_write(enum option option, int value, char out[16]);

#endif
