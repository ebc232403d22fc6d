#include "rules/variant.h"

#include "rules/words.h"

#include <string.h>

enum { WHY_MAX = 160 };

static const struct variant variants[VARIANT_COUNT] = {
    [VARIANT_TAVLA] =
        {
            .id = VARIANT_TAVLA,
            .school = SCHOOL_TAVLA,
            .title = "tavla",
            .name = "tavla",
            .path = PATH_OPPOSED,
            .hits = true,
            .start = {[24] = 2, [13] = 5, [8] = 3, [6] = 5}, /* B13 */
            .checkers = 15,
            .kind = {"single", "mars", "katmerli"},
        },
    [VARIANT_UZUN] =
        {
            .id = VARIANT_UZUN,
            .school = SCHOOL_UZUN,
            .title = "uzun",
            .name = "uzun",
            .path = PATH_PARALLEL,
            .hits = false,
            .start = {[24] = 15}, /* R3.5 */
            .checkers = 15,
            .head = 24,
            .kind = {"oin", "mars", "koks"},
        },
    [VARIANT_WESTERN] =
        {
            .id = VARIANT_WESTERN,
            .school = SCHOOL_WESTERN,
            .title = "Backgammon",
            .name = "western",
            .path = PATH_OPPOSED,
            .hits = true,
            .start = {[24] = 2, [13] = 5, [8] = 3, [6] = 5},
            .checkers = 15,
            .kind = {"single", "gammon", "backgammon"},
        },
    /* Backgammon from another start (http://www.dailygammon.com/help/nack.html). */
    [VARIANT_NACKGAMMON] =
        {
            .id = VARIANT_NACKGAMMON,
            .school = SCHOOL_WESTERN,
            .title = "NackGammon",
            .name = "nackgammon",
            .path = PATH_OPPOSED,
            .hits = true,
            .start = {[24] = 2, [23] = 2, [13] = 4, [8] = 3, [6] = 4},
            .checkers = 15,
            .kind = {"single", "gammon", "backgammon"},
        },
    /* Backgammon with three checkers (https://vogclub.com/en/s/backgammon/rules/5). */
    [VARIANT_HYPERGAMMON] =
        {
            .id = VARIANT_HYPERGAMMON,
            .school = SCHOOL_WESTERN,
            .title = "HyperGammon (3)",
            .name = "hypergammon",
            .path = PATH_OPPOSED,
            .hits = true,
            .start = {[24] = 1, [23] = 1, [22] = 1},
            .checkers = 3,
            .kind = {"single", "gammon", "backgammon"},
        },
    /* Fevga, moultezim (protocol/rules.md F1-F9 and the pages named there). The head
     * rule of uzun is none of its own. */
    [VARIANT_FEVGA] =
        {
            .id = VARIANT_FEVGA,
            .school = SCHOOL_FEVGA,
            .title = "fevga",
            .name = "fevga",
            .path = PATH_PARALLEL,
            .hits = false,
            .start = {[24] = 15}, /* F1 */
            .checkers = 15,
            .kind = {"single", "gammon"}, /* F9 */
        },
};

static const char *const side_names[SIDE_COUNT] = {"W", "B"};

const struct variant *variant_row(enum variant_id id) {
    return &variants[id];
}

const struct variant *variant_find(const char *name, size_t length) {
    for (int id = 0; id < VARIANT_COUNT; id++) {
        if (strlen(variants[id].name) == length && memcmp(variants[id].name, name, length) == 0) {
            return &variants[id];
        }
    }
    return NULL;
}

void variant_write_names(char out[VARIANT_NAMES_MAX]) {
    struct words words = words_begin(out, VARIANT_NAMES_MAX);
    for (int id = 0; id < VARIANT_COUNT; id++) {
        words_add(&words, id == 0 ? "" : ", ");
        words_add(&words, variants[id].name);
    }
}

bool variant_has_option(const struct variant *variant, enum option option) {
    return (option_row(option)->schools & 1u << variant->school) != 0;
}

void rules_init(struct rules *rules, const struct variant *variant) {
    rules->variant = variant;
    for (int option = 0; option < OPTION_COUNT; option++) {
        rules->value[option] = option_row((enum option)option)->preset[variant->school];
    }
}

/* Adds what an option takes: "step, turn_end, off" or "1 to 99". */
static void add_choices(struct words *words, const struct option_row *row) {
    if (row->words[0] == NULL) {
        words_add_number(words, row->min);
        words_add(words, " to ");
        words_add_number(words, row->max);
        words_add(words, row->powers ? ", powers of two" : "");
        return;
    }
    for (int word = 0; word < OPTION_WORDS_MAX && row->words[word] != NULL; word++) {
        words_add(words, word == 0 ? "" : ", ");
        words_add(words, row->words[word]);
    }
}

int rules_set(struct rules *rules, const char *name, const char *value, char why[160]) {
    struct words words = words_begin(why, WHY_MAX);
    int option = option_find(name, strlen(name));
    if (option < 0) {
        words_add(&words, "there is no option ");
        words_add_quoted(&words, name, strlen(name));
        return -1;
    }
    const struct option_row *row = option_row((enum option)option);
    words_add(&words, "option ");
    words_add(&words, row->name);
    if (!variant_has_option(rules->variant, (enum option)option)) {
        words_add(&words, " does not exist in ");
        words_add(&words, rules->variant->name);
        return -1;
    }
    int read = option_read((enum option)option, value, strlen(value));
    if (read < 0) {
        words_add(&words, " takes ");
        add_choices(&words, row);
        words_add(&words, ", not ");
        words_add_quoted(&words, value, strlen(value));
        return -1;
    }
    rules->value[option] = read;
    why[0] = '\0';
    return 0;
}

bool rules_differs(const struct rules *rules, enum option option) {
    return rules->value[option] != option_row(option)->preset[rules->variant->school];
}

bool rules_states(const struct rules *rules, enum option option) {
    return variant_has_option(rules->variant, option) &&
           (!option_row(option)->later || rules_differs(rules, option));
}

/* Says that an option decides nothing beside another one. */
static int refuse_option(const struct rules *rules, enum option option, const char *because,
                         char *why) {
    struct words words = words_begin(why, WHY_MAX);
    char value[16];
    option_write(option, rules->value[option], value);
    words_add(&words, option_row(option)->name);
    words_add(&words, "=");
    words_add(&words, value);
    words_add(&words, " ");
    words_add(&words, because);
    return -1;
}

/* Options that say something only under a condition must not be set without it: who sets
 * them expects more than he would get. */
int rules_check(const struct rules *rules, char why[160]) {
    static const enum option of_cube[] = {OPTION_VIDO_MAX, OPTION_CRAWFORD, OPTION_JACOBY,
                                          OPTION_BEAVERS, OPTION_AUTO_DOUBLES};
    static const enum option of_money[] = {OPTION_GAMES, OPTION_JACOBY, OPTION_BEAVERS,
                                           OPTION_AUTO_DOUBLES};
    const int *value = rules->value;
    bool money = value[OPTION_MATCH] == 0;
    why[0] = '\0';
    if (money && rules->variant->school != SCHOOL_WESTERN) {
        return refuse_option(rules, OPTION_MATCH, "is a money session, played in western only",
                             why);
    }
    for (size_t i = 0; i < sizeof of_cube / sizeof of_cube[0]; i++) {
        if (value[OPTION_VIDO] == 0 && rules_differs(rules, of_cube[i])) {
            return refuse_option(rules, of_cube[i], "says nothing without vido=on", why);
        }
    }
    for (size_t i = 0; i < sizeof of_money / sizeof of_money[0]; i++) {
        if (!money && rules_differs(rules, of_money[i])) {
            return refuse_option(rules, of_money[i], "is for a money session: match=0", why);
        }
    }
    if (money && rules_differs(rules, OPTION_CRAWFORD)) {
        return refuse_option(rules, OPTION_CRAWFORD, "is for a match, not for a money session",
                             why);
    }
    if (value[OPTION_BEAVERS] > 0 && value[OPTION_VIDO_MAX] < 4) {
        return refuse_option(rules, OPTION_BEAVERS, "needs a cube that goes to 4: vido_max", why);
    }
    return 0;
}

void board_init(struct board *board, const struct rules *rules) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        memcpy(board->men[side], rules->variant->start, sizeof board->men[side]);
    }
}

static int check_side(const struct board *board, const struct variant *variant, enum side side,
                      struct words *words) {
    int sum = 0;
    for (int point = POINT_OFF; point <= POINT_BAR; point++) {
        sum += board->men[side][point];
    }
    if (sum != variant->checkers) {
        words_add(words, side_names[side]);
        words_add(words, " has ");
        words_add_number(words, sum);
        words_add(words, " checkers, bar and off included; there must be ");
        words_add_number(words, variant->checkers);
        return -1;
    }
    if (!variant->hits && board->men[side][POINT_BAR] > 0) {
        words_add(words, side_names[side]);
        words_add(words, " has a checker on the bar, but nothing is hit in ");
        words_add(words, variant->name);
        return -1;
    }
    return 0;
}

int board_check(const struct board *board, const struct rules *rules, char why[160]) {
    const struct variant *variant = rules->variant;
    struct words words = words_begin(why, WHY_MAX);
    if (check_side(board, variant, SIDE_X, &words) != 0 ||
        check_side(board, variant, SIDE_Y, &words) != 0) {
        return -1;
    }
    for (int point = 1; point < POINT_BAR; point++) {
        int other = point_mirror(variant->path, point);
        if (board->men[SIDE_X][point] > 0 && board->men[SIDE_Y][other] > 0) {
            words_add(&words, "both sides stand on one point: W ");
            words_add_number(&words, point);
            words_add(&words, " is B ");
            words_add_number(&words, other);
            return -1;
        }
    }
    return 0;
}
