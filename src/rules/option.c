#include "rules/option.h"

#include "rules/variant.h"
#include "rules/words.h"

#include <string.h>

enum {
    IN_TAVLA = 1 << VARIANT_TAVLA,
    IN_UZUN = 1 << VARIANT_UZUN,
    IN_WESTERN = 1 << VARIANT_WESTERN,
    IN_ALL = IN_TAVLA | IN_UZUN | IN_WESTERN
};

/* clang-format off */
/* The option table of rules.md B. Presets stand in the order of enum variant_id;
 * where an option is not offered the preset is the value that variant lives by. */
static const struct option_row rows[OPTION_COUNT] = {
    [OPTION_MATCH] = {"match", {NULL}, 0, 99, IN_ALL, {5, 5, 5}, "B22",
                      "points that win the match; 1 is a single game, 0 a money session (western)"},
    [OPTION_OPENING] = {"opening", {"reroll", "deciding"}, 0, 0, IN_ALL,
                        {OPENING_REROLL, OPENING_DECIDING, OPENING_DECIDING}, "B1",
                        "which dice the starter plays: a new throw or the deciding pair"},
    [OPTION_NEXT_STARTER] = {"next_starter", {"roll", "winner", "loser", "alternate"}, 0, 0, IN_ALL,
                             {STARTER_ROLL, STARTER_ROLL, STARTER_ROLL}, "B2",
                             "who starts the games after the first"},
    [OPTION_MUST_MAX] = {"must_max", {"false", "true"}, 0, 0, IN_ALL, {1, 1, 1}, "B5",
                         "whether as many dice as possible must be played"},
    [OPTION_LARGER_DIE] = {"larger_die", {"false", "true"}, 0, 0, IN_ALL, {1, 1, 1}, "B4",
                           "whether the larger die is due when only one of two can be played"},
    [OPTION_WIN_ENDS_TURN] = {"win_ends_turn", {"false", "true"}, 0, 0, IN_ALL, {1, 1, 0}, "B6",
                              "whether a winning play may leave dice unplayed"},
    [OPTION_PLAY_CHECK] = {"play_check", {"sequence", "final"}, 0, 0, IN_ALL,
                           {PLAY_CHECK_SEQUENCE, PLAY_CHECK_SEQUENCE, PLAY_CHECK_SEQUENCE}, "B7",
                           "whether the steps are judged in order or by where they end"},
    [OPTION_ILLEGAL] = {"illegal", {"forfeit_game"}, 0, 0, IN_ALL, {0, 0, 0}, "B8",
                        "what an illegal play costs"},
    [OPTION_FORFEIT_POINTS] = {"forfeit_points", {NULL}, 1, 3, IN_ALL, {2, 2, 2}, "B12",
                               "points a forfeited game costs at least"},
    [OPTION_BEAROFF] = {"bearoff", {"exact", "literal000"}, 0, 0, IN_TAVLA,
                        {BEAROFF_EXACT, BEAROFF_EXACT, BEAROFF_EXACT}, "B17",
                        "whether an unplayable small die collects the highest checker"},
    [OPTION_HIT_AND_RUN] = {"hit_and_run", {"allowed", "home_forbidden"}, 0, 0, IN_TAVLA,
                            {HIT_AND_RUN_ALLOWED, HIT_AND_RUN_ALLOWED, HIT_AND_RUN_ALLOWED}, "B19",
                            "whether a checker that hit at home may go on in the same turn"},
    [OPTION_KATMERLI] = {"katmerli", {NULL}, 2, 3, IN_TAVLA, {2, 2, 3}, "B20",
                         "points of a mars with a checker on the bar or in the winner's home"},
    [OPTION_WALL] = {"wall", {"step", "turn_end", "off"}, 0, 0, IN_UZUN,
                     {WALL_OFF, WALL_STEP, WALL_OFF}, "B32",
                     "when the ban on the wall of six is tested"},
    [OPTION_WALL_PATH] = {"wall_path", {"opponent", "ring", "own"}, 0, 0, IN_UZUN,
                          {WALL_PATH_OPPONENT, WALL_PATH_OPPONENT, WALL_PATH_OPPONENT}, "B33",
                          "on whose path six points in a row are a wall"},
    [OPTION_WALL_FRONT] = {"wall_front", {"front", "home", "behind"}, 0, 0, IN_UZUN,
                           {WALL_FRONT_FRONT, WALL_FRONT_FRONT, WALL_FRONT_FRONT}, "B34",
                           "where an opposing checker makes the wall legal"},
    [OPTION_HEAD_EXCEPTION] = {"head_exception",
                               {"listed", "blocked", "any_double", "any", "off"}, 0, 0, IN_UZUN,
                               {HEAD_OFF, HEAD_LISTED, HEAD_OFF}, "B30",
                               "with which first throws two checkers may leave the head"},
    [OPTION_HEAD_EXCEPTION_WHO] = {"head_exception_who", {"each", "game"}, 0, 0, IN_UZUN,
                                   {HEAD_WHO_EACH, HEAD_WHO_EACH, HEAD_WHO_EACH}, "B29",
                                   "whose first turn has the exception"},
    [OPTION_KOKS] = {"koks", {NULL}, 2, 3, IN_UZUN, {2, 3, 2}, "B37", "points of a koks"},
    [OPTION_KOKS_TEST] = {"koks_test", {"all", "any"}, 0, 0, IN_UZUN,
                          {KOKS_ALL, KOKS_ALL, KOKS_ALL}, "B37",
                          "how many checkers left in the starting quarter make a koks"},
    [OPTION_HOME_MARS] = {"home_mars", {NULL}, 2, 10, IN_UZUN, {2, 2, 2}, "B38",
                          "points of a mars with every checker of the loser at home"},
    [OPTION_GAMES] = {"games", {NULL}, 1, 999, IN_WESTERN | ROW_LATE, {1, 1, 1}, "B22",
                      "games of a money session (match=0)"},
    /* Off everywhere: whether a cube is played for has to stand in the event. */
    [OPTION_VIDO] = {"vido", {"off", "on"}, 0, 0, IN_ALL | ROW_LATE, {0, 0, 0}, "B23",
                     "whether the game may be doubled"},
    [OPTION_VIDO_MAX] = {"vido_max", {NULL}, 2, 1024, IN_ALL | ROW_LATE | ROW_POWERS,
                         {64, 64, 64}, "B25",
                         "the highest value of the cube; 2 is a single vido"},
    [OPTION_CRAWFORD] = {"crawford", {"false", "true"}, 0, 0, IN_ALL | ROW_LATE, {1, 1, 1}, "B27",
                         "whether the first game with a side 1 point away has no cube"},
    [OPTION_JACOBY] = {"jacoby", {"false", "true"}, 0, 0, IN_WESTERN | ROW_LATE, {0, 0, 1}, "B26",
                       "whether in money play a gammon counts only once the cube was turned"},
    [OPTION_BEAVERS] = {"beavers", {NULL}, 0, 3, IN_WESTERN | ROW_LATE, {0, 0, 0}, "B25",
                        "how often a double may at once be doubled back (money)"},
    [OPTION_AUTO_DOUBLES] = {"auto_doubles", {NULL}, 0, 3, IN_WESTERN | ROW_LATE, {0, 0, 0}, "B25",
                             "how many equal opening throws double the cube (money)"},
    [OPTION_RESIGN] = {"resign", {"off", "on"}, 0, 0, IN_ALL | ROW_LATE, {0, 0, 0}, "B12",
                       "whether a game may be resigned"},
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
        return fits && (power || (row->variants & ROW_POWERS) == 0) ? number : -1;
    }
    for (int word = 0; word < OPTION_WORDS_MAX && row->words[word] != NULL; word++) {
        if (is_word(row->words[word], text, length)) {
            return word;
        }
    }
    return -1;
}

void option_write(enum option option, int value, char out[16]) {
    struct words words = words_begin(out, 16);
    if (rows[option].words[0] == NULL) {
        words_add_number(&words, value);
    } else {
        words_add(&words, rows[option].words[value]);
    }
}
