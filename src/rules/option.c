#include "rules/option.h"

#include "rules/variant.h"
#include "rules/words.h"

#include <stdbool.h>
#include <string.h>

/* Marks a sentence for the Turkish rows, like its twin in base/lang.h. */
#define N_(english) english

enum {
    IN_TAVLA = 1 << SCHOOL_TAVLA,
    IN_UZUN = 1 << SCHOOL_UZUN,
    IN_WESTERN = 1 << SCHOOL_WESTERN,
    IN_FEVGA = 1 << SCHOOL_FEVGA,
    IN_ALL = IN_TAVLA | IN_UZUN | IN_WESTERN | IN_FEVGA
};

/* clang-format off */
/* The option table of rules.md B, and F for fevga (protocol/rules.md). Presets stand
 * in the order of enum school; where an option is not offered the preset is the
 * value that school lives by. {} in a meaning is the number. */
static const struct option_row rows[OPTION_COUNT] = {
    [OPTION_MATCH] = {
        .name = "match", .min = 0, .max = 99, .rule = "B22", .schools = IN_ALL,
        .preset = {5, 5, 5, 5},
        .sentence = "points that win the match; 1 is a single game, 0 a money session (western)",
        .meaning = {N_("The match is won with {} points (0: a money session).")},
    },
    [OPTION_OPENING] = {
        .name = "opening", .words = {"reroll", "deciding"}, .rule = "B1", .schools = IN_ALL,
        .preset = {OPENING_REROLL, OPENING_DECIDING, OPENING_DECIDING, OPENING_REROLL},
        .sentence = "which dice the starter plays: a new throw or the deciding pair",
        .meaning = {N_("The starter throws two new dice for the first turn."),
                    N_("The starter plays the two dice that decided who starts.")},
    },
    [OPTION_NEXT_STARTER] = {
        .name = "next_starter", .words = {"roll", "winner", "loser", "alternate"},
        .rule = "B2", .schools = IN_ALL,
        .preset = {STARTER_ROLL, STARTER_ROLL, STARTER_ROLL, STARTER_WINNER},
        .sentence = "who starts the games after the first",
        .meaning = {N_("A throw of one die each decides who starts a game."),
                    N_("The winner of a game starts the next one."),
                    N_("The loser of a game starts the next one."),
                    N_("The sides start the games by turns.")},
    },
    [OPTION_MUST_MAX] = {
        .name = "must_max", .words = {"false", "true"}, .rule = "B5", .schools = IN_ALL,
        .preset = {1, 1, 1, 1},
        .sentence = "whether as many dice as possible must be played",
        .meaning = {N_("One die at least must be played if any can be."),
                    N_("As many dice as possible must be played.")},
    },
    [OPTION_LARGER_DIE] = {
        .name = "larger_die", .words = {"false", "true"}, .rule = "B4", .schools = IN_ALL,
        .preset = {1, 1, 1, 1},
        .sentence = "whether the larger die is due when only one of two can be played",
        .meaning = {N_("When only one of two dice can be played, either will do."),
                    N_("When only one of two dice can be played, the larger is due if it can "
                       "be.")},
    },
    [OPTION_WIN_ENDS_TURN] = {
        .name = "win_ends_turn", .words = {"false", "true"}, .rule = "B6", .schools = IN_ALL,
        .preset = {1, 1, 0, 1},
        .sentence = "whether a winning play may leave dice unplayed",
        .meaning = {N_("A winning play, too, uses as many dice as possible."),
                    N_("A play that bears off the last checker may leave dice unplayed.")},
    },
    [OPTION_PLAY_CHECK] = {
        .name = "play_check", .words = {"sequence", "final"}, .rule = "B7", .schools = IN_ALL,
        .preset = {PLAY_CHECK_SEQUENCE, PLAY_CHECK_SEQUENCE,
                   PLAY_CHECK_SEQUENCE, PLAY_CHECK_SEQUENCE},
        .sentence = "whether the steps are judged in order or by where they end",
        .meaning = {N_("The steps of a play are judged in the order given."),
                    N_("The steps of a play may stand in any order; the position they end in "
                       "is judged.")},
    },
    [OPTION_ILLEGAL] = {
        .name = "illegal", .words = {"forfeit_game", "retry", "replace_random"},
        .rule = "B8", .schools = IN_ALL,
        .preset = {ILLEGAL_FORFEIT_GAME, ILLEGAL_FORFEIT_GAME,
                   ILLEGAL_FORFEIT_GAME, ILLEGAL_FORFEIT_GAME},
        .sentence = "what an illegal play costs",
        .meaning = {N_("An illegal play loses the game."),
                    N_("An illegal play is refused and asked for anew; the fourth on one "
                       "throw loses the game."),
                    N_("In place of an illegal play a legal one is played, chosen by the "
                       "game's dice.")},
    },
    [OPTION_FORFEIT_POINTS] = {
        .name = "forfeit_points", .min = 1, .max = 3, .rule = "B12", .schools = IN_ALL,
        .preset = {2, 2, 2, 2},
        .sentence = "points a forfeited game costs at least",
        .meaning = {N_("A forfeited game costs {} points at least.")},
    },
    [OPTION_BEAROFF] = {
        .name = "bearoff", .words = {"exact", "literal000"}, .rule = "B17", .schools = IN_TAVLA,
        .preset = {BEAROFF_EXACT, BEAROFF_EXACT, BEAROFF_EXACT, BEAROFF_EXACT},
        .sentence = "whether an unplayable small die collects the highest checker",
        .meaning = {N_("A die too small to bear off that cannot be played inside is lost."),
                    N_("A die too small to bear off that cannot be played inside takes the "
                       "highest checker.")},
    },
    [OPTION_HIT_AND_RUN] = {
        .name = "hit_and_run", .words = {"allowed", "home_forbidden"},
        .rule = "B19", .schools = IN_TAVLA,
        .preset = {HIT_AND_RUN_ALLOWED, HIT_AND_RUN_ALLOWED,
                   HIT_AND_RUN_ALLOWED, HIT_AND_RUN_ALLOWED},
        .sentence = "whether a checker that hit at home may go on in the same turn",
        .meaning = {N_("A checker that hit in its home may go on in the same turn."),
                    N_("A checker that hit in its home stays there until the next turn.")},
    },
    [OPTION_KATMERLI] = {
        .name = "katmerli", .min = 2, .max = 3, .rule = "B20", .schools = IN_TAVLA,
        .preset = {2, 2, 3, 2},
        .sentence = "points of a mars with a checker on the bar or in the winner's home",
        .meaning = {N_("A mars whose loser has a checker on the bar or in the winner's home "
                       "counts {}.")},
    },
    [OPTION_WALL] = {
        .name = "wall", .words = {"step", "turn_end", "off"}, .rule = "B32", .schools = IN_UZUN,
        .preset = {WALL_OFF, WALL_STEP, WALL_OFF, WALL_OFF},
        .sentence = "when the ban on the wall of six is tested",
        .meaning = {N_("A wall of six that is not allowed may not stand after any step."),
                    N_("A wall of six that is not allowed may not stand at the end of a turn."),
                    N_("Walls of six are free.")},
    },
    [OPTION_WALL_PATH] = {
        .name = "wall_path", .words = {"opponent", "ring", "own"},
        .rule = "B33", .schools = IN_UZUN,
        .preset = {WALL_PATH_OPPONENT, WALL_PATH_OPPONENT, WALL_PATH_OPPONENT, WALL_PATH_OPPONENT},
        .sentence = "on whose path six points in a row are a wall",
        .meaning = {N_("A wall is six points in a row on the opponent's path."),
                    N_("A wall is six points in a row anywhere on the board."),
                    N_("A wall is six points in a row on one's own path.")},
    },
    [OPTION_WALL_FRONT] = {
        .name = "wall_front", .words = {"front", "home", "behind"},
        .rule = "B34", .schools = IN_UZUN,
        .preset = {WALL_FRONT_FRONT, WALL_FRONT_FRONT, WALL_FRONT_FRONT, WALL_FRONT_FRONT},
        .sentence = "where an opposing checker makes the wall legal",
        .meaning = {N_("A wall is allowed when an opposing checker is past it."),
                    N_("A wall is allowed when an opposing checker is at home."),
                    N_("A wall is allowed when an opposing checker is behind it.")},
    },
    [OPTION_HEAD_EXCEPTION] = {
        .name = "head_exception", .words = {"listed", "blocked", "any_double", "any", "off"},
        .rule = "B30", .schools = IN_UZUN,
        .preset = {HEAD_OFF, HEAD_LISTED, HEAD_OFF, HEAD_OFF},
        .sentence = "with which first throws two checkers may leave the head",
        .meaning = {N_("One checker a turn leaves the head, two with a first throw of 3-3, "
                       "4-4 or 6-6."),
                    N_("One checker a turn leaves the head, two where one could not use the "
                       "whole first throw."),
                    N_("One checker a turn leaves the head, two with a first throw of any "
                       "double."),
                    N_("One checker a turn leaves the head, two with any first throw."),
                    N_("One checker a turn leaves the head, without exception.")},
    },
    [OPTION_HEAD_EXCEPTION_WHO] = {
        .name = "head_exception_who", .words = {"each", "game"}, .rule = "B29", .schools = IN_UZUN,
        .preset = {HEAD_WHO_EACH, HEAD_WHO_EACH, HEAD_WHO_EACH, HEAD_WHO_EACH},
        .sentence = "whose first turn has the exception",
        .meaning = {N_("The first throw is that of each side's first turn."),
                    N_("The first throw is that of the turn which opens the game.")},
    },
    [OPTION_KOKS] = {
        .name = "koks", .min = 2, .max = 3, .rule = "B37", .schools = IN_UZUN,
        .preset = {2, 3, 2, 2},
        .sentence = "points of a koks",
        .meaning = {N_("A koks counts {}.")},
    },
    [OPTION_KOKS_TEST] = {
        .name = "koks_test", .words = {"all", "any"}, .rule = "B37", .schools = IN_UZUN,
        .preset = {KOKS_ALL, KOKS_ALL, KOKS_ALL, KOKS_ALL},
        .sentence = "how many checkers left in the starting quarter make a koks",
        .meaning = {N_("It is a koks when all the loser's checkers are still in the starting "
                       "quarter."),
                    N_("It is a koks when any checker of the loser's is still in the starting "
                       "quarter.")},
    },
    [OPTION_HOME_MARS] = {
        .name = "home_mars", .min = 2, .max = 10, .rule = "B38", .schools = IN_UZUN,
        .preset = {2, 2, 2, 2},
        .sentence = "points of a mars with every checker of the loser at home",
        .meaning = {N_("A mars whose loser has every checker at home counts {}.")},
    },
    [OPTION_DRAW] = {
        .name = "draw", .words = {"none", "last_roll"}, .rule = "B39", .schools = IN_UZUN,
        .preset = {DRAW_NONE, DRAW_NONE, DRAW_NONE, DRAW_NONE},
        .sentence = "whether the second player has a last throw when the starter is done",
        .meaning = {N_("The first side with every checker off wins; there is no draw."),
                    N_("If the starter is done, the other side, with at most four checkers "
                       "left, has one more turn; done too, it is a draw.")},
        .later = true,
    },
    [OPTION_DRAW_POINTS] = {
        .name = "draw_points", .words = {"0.5", "1"}, .rule = "B39", .schools = IN_UZUN,
        .preset = {DRAW_POINTS_HALF, DRAW_POINTS_HALF, DRAW_POINTS_HALF, DRAW_POINTS_HALF},
        .sentence = "points of a draw for each side",
        .meaning = {N_("A draw gives each side half a point."),
                    N_("A draw gives each side one point.")},
        .later = true,
    },
    [OPTION_RUNNER] = {
        .name = "runner", .words = {"false", "true"}, .rule = "F4", .schools = IN_FEVGA,
        .preset = {0, 0, 0, 1},
        .sentence = "whether one checker must pass the opponent's start before others move",
        .meaning = {N_("Any checker may move from the first turn on."),
                    N_("Until one checker is past the opponent's starting point only the "
                       "foremost may move.")},
    },
    [OPTION_START_WALL] = {
        .name = "start_wall", .words = {"step", "turn_end", "off"},
        .rule = "F6", .schools = IN_FEVGA,
        .preset = {START_WALL_OFF, START_WALL_OFF, START_WALL_OFF, START_WALL_TURN_END},
        .sentence = "when the ban on filling one's own starting quarter is tested",
        .meaning = {N_("One's own starting quarter may not be full after any step."),
                    N_("One's own starting quarter may not be full at the end of a turn."),
                    N_("One's own starting quarter may be filled.")},
    },
    [OPTION_UNBLOCK] = {
        .name = "unblock", .words = {"false", "true"}, .rule = "F7", .schools = IN_FEVGA,
        .preset = {0, 0, 0, 1},
        .sentence = "whether a prime right before all the opponent's checkers must be opened",
        .meaning = {N_("An opponent may stay locked in behind six points in a row."),
                    N_("No turn may end with six points in a row right before an opponent who "
                       "has all checkers on one point.")},
    },
    [OPTION_GAMES] = {
        .name = "games", .min = 1, .max = 999, .rule = "B22", .schools = IN_WESTERN,
        .preset = {1, 1, 1, 1}, .later = true,
        .sentence = "games of a money session (match=0)",
        .meaning = {N_("A money session has so many games: {}.")},
    },
    /* Off everywhere: whether a cube is played for has to stand in the event. */
    [OPTION_VIDO] = {
        .name = "vido", .words = {"off", "on"}, .rule = "B23", .schools = IN_ALL,
        .preset = {0, 0, 0, 0}, .later = true,
        .sentence = "whether the game may be doubled",
        .meaning = {N_("There is no doubling."),
                    N_("Before a throw, the first one apart, the game may be doubled (vido); "
                       "who refuses loses the value before the offer.")},
    },
    [OPTION_VIDO_MAX] = {
        .name = "vido_max", .min = 2, .max = 1024, .powers = true, .rule = "B25",
        .schools = IN_ALL, .preset = {64, 64, 64, 64}, .later = true,
        .sentence = "the highest value of the cube; 2 is a single vido",
        .meaning = {N_("The cube goes up to {}.")},
    },
    [OPTION_CRAWFORD] = {
        .name = "crawford", .words = {"false", "true"}, .rule = "B27", .schools = IN_ALL,
        .preset = {1, 1, 1, 1}, .later = true,
        .sentence = "whether the first game with a side 1 point away has no cube",
        .meaning = {N_("Every game of a match may be doubled."),
                    N_("In the first game with a side 1 point away nobody may double.")},
    },
    [OPTION_JACOBY] = {
        .name = "jacoby", .words = {"false", "true"}, .rule = "B26", .schools = IN_WESTERN,
        .preset = {0, 0, 1, 0}, .later = true,
        .sentence = "whether in money play a gammon counts only once the cube was turned",
        .meaning = {N_("In money play a gammon always counts."),
                    N_("In money play a gammon counts only once the cube was turned.")},
    },
    [OPTION_BEAVERS] = {
        .name = "beavers", .min = 0, .max = 3, .rule = "B25", .schools = IN_WESTERN,
        .preset = {0, 0, 0, 0}, .later = true,
        .sentence = "how often a double may at once be doubled back (money)",
        .meaning = {N_("In money play a double may at once be doubled back so often: {}.")},
    },
    [OPTION_AUTO_DOUBLES] = {
        .name = "auto_doubles", .min = 0, .max = 3, .rule = "B25", .schools = IN_WESTERN,
        .preset = {0, 0, 0, 0}, .later = true,
        .sentence = "how many equal opening throws double the cube (money)",
        .meaning = {N_("In money play so many equal opening throws double the cube: {}.")},
    },
    [OPTION_RESIGN] = {
        .name = "resign", .words = {"off", "on"}, .rule = "B12", .schools = IN_ALL,
        .preset = {0, 0, 0, 0}, .later = true,
        .sentence = "whether a game may be resigned",
        .meaning = {N_("No game may be resigned."),
                    N_("On one's own turn a game may be resigned; the other side may refuse.")},
    },
};
/* clang-format on */

static bool is_word(const char *word, const char *text, size_t length) {
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

enum { NUMBER_DIGITS_MAX = 4 };

/* A decimal of a few digits without a leading zero, or -1. */
static int read_number(const char *text, size_t length) {
    int number = 0;
    if (length < 1 || length > NUMBER_DIGITS_MAX || (text[0] == '0' && length > 1)) {
        return -1;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return -1;
        }
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

const struct option_row *option_row(enum option option) {
    return &rows[option];
}

int option_find(const char *name, size_t length) {
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (is_word(rows[option].name, name, length)) {
            return option;
        }
    }
    return -1;
}

int option_read(enum option option, const char *text, size_t length) {
    const struct option_row *row = &rows[option];
    if (row->words[0] == NULL) {
        int number = read_number(text, length);
        bool fits = number >= row->min && number <= row->max;
        bool power = (number & (number - 1)) == 0;
        return fits && (power || !row->powers) ? number : -1;
    }
    for (int word = 0; word < OPTION_WORDS_MAX && row->words[word] != NULL; word++) {
        if (is_word(row->words[word], text, length)) {
            return word;
        }
    }
    return -1;
}

const char *option_meaning(enum option option, int value) {
    return rows[option].meaning[rows[option].words[0] == NULL ? 0 : value];
}

void option_write(enum option option, int value, char out[16]) {
    struct words words = words_begin(out, 16);
    if (rows[option].words[0] == NULL) {
        words_add_number(&words, value);
    } else {
        words_add(&words, rows[option].words[value]);
    }
}
