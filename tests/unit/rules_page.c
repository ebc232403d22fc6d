/* protocol/rules.md, its Turkish twin and the table of protocol/README.md against
 * the rules: every option with its values and defaults, every sentence, and every
 * example, whose board is drawn and whose plays are judged anew. */
#include "check.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/lang.h"
#include "rules/play.h"
#include "rules/position.h"

#include <stdlib.h>

enum { PAGE_MAX = 1 << 20, LINE_ROOM = 1024, DRAWN_LINES = 4 };

static struct play_room room;

/* ---- the tables and the sentences */

/* "| `opening` | `reroll` `deciding` | reroll | deciding | deciding | reroll |", a dash
 * where the school has no such option. */
static void write_row(enum option option, char out[LINE_ROOM]) {
    const struct option_row *row = option_row(option);
    char text[16];
    int length = snprintf(out, LINE_ROOM, "| `%s` |", row->name);
    for (int word = 0; word < OPTION_WORDS_MAX && row->words[word] != NULL; word++) {
        length += snprintf(out + length, LINE_ROOM - (size_t)length, " `%s`", row->words[word]);
    }
    if (row->words[0] == NULL) {
        length += snprintf(out + length, LINE_ROOM - (size_t)length, " %d-%d", row->min, row->max);
    }
    for (int school = 0; school < SCHOOL_COUNT; school++) {
        option_write(option, row->preset[school], text);
        bool offered = (row->schools & 1u << school) != 0;
        length += snprintf(out + length, LINE_ROOM - (size_t)length, " | %s", offered ? text : "-");
    }
    snprintf(out + length, LINE_ROOM - (size_t)length, " |");
}

/* "- `opening=reroll`: The starter ..."; N stands for a number. */
static void write_sentence(enum option option, int value, bool turkish, char out[LINE_ROOM]) {
    const struct option_row *row = option_row(option);
    const char *meaning = lang_text_in(turkish, option_meaning(option, value));
    const char *hole = strstr(meaning, "{}");
    char word[16] = "N";
    if (row->words[0] != NULL) {
        option_write(option, value, word);
    }
    if (hole == NULL) {
        snprintf(out, LINE_ROOM, "- `%s=%s`: %s", row->name, word, meaning);
    } else {
        snprintf(out, LINE_ROOM, "- `%s=%s`: %.*sN%s", row->name, word, (int)(hole - meaning),
                 meaning, hole + 2);
    }
}

static void check_rows(const char *name, const char *page) {
    for (int option = 0; option < OPTION_COUNT; option++) {
        char row[LINE_ROOM];
        write_row((enum option)option, row);
        CHECK(strstr(page, row) != NULL, "%s has %s", name, row);
    }
}

static void check_sentences(const char *name, const char *page, bool turkish) {
    for (int option = 0; option < OPTION_COUNT; option++) {
        const struct option_row *row = option_row((enum option)option);
        for (int value = 0; value == 0 || (value < OPTION_WORDS_MAX && row->words[value] != NULL);
             value++) {
            char sentence[LINE_ROOM];
            write_sentence((enum option)option, value, turkish, sentence);
            CHECK(strstr(page, sentence) != NULL, "%s has %s", name, sentence);
        }
    }
}

/* ---- the examples */

/* One example under way. */
struct example {
    struct rules rules;
    struct situation situation;
    int line; /* of the block, 0 outside */
};

/* "uzun 31 first wall=off". */
static bool read_head(struct example *example, char *line) {
    char why[160], *rest = NULL;
    const char *word = strtok_r(line, " ", &rest);
    const struct variant *variant = word != NULL ? variant_find(word, strlen(word)) : NULL;
    const char *dice = strtok_r(NULL, " ", &rest);
    if (variant == NULL || dice == NULL || strlen(dice) != 2) {
        return false;
    }
    rules_init(&example->rules, variant);
    example->situation = (struct situation){.mover = SIDE_X};
    example->situation.dice[0] = (uint8_t)(dice[0] - '0');
    example->situation.dice[1] = (uint8_t)(dice[1] - '0');
    bool good = true;
    while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
        char name[32];
        const char *equals = strchr(word, '=');
        if (equals == NULL) {
            example->situation.first_turn = strcmp(word, "first") == 0;
            good = good && example->situation.first_turn;
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
        good = rules_set(&example->rules, name, equals + 1, why) == 0 && good;
    }
    return good;
}

/* What is drawn on a point of White's: "W2", "B15" or a dot. */
static void write_cell(const struct example *example, int point, char out[8]) {
    const struct board *board = &example->situation.board;
    int white = board->men[SIDE_X][point];
    int black = board->men[SIDE_Y][point_mirror(example->rules.variant->path, point)];
    if (white + black == 0) {
        snprintf(out, 8, ".");
    } else {
        snprintf(out, 8, "%c%d", white > 0 ? 'W' : 'B', white + black);
    }
}

/* Line 0..3 of the drawing: numbers, upper half, lower half, numbers. */
static void draw_line(const struct example *example, int line, char out[LINE_ROOM]) {
    int length = 0;
    for (int i = 0; i < 12; i++) {
        int point = line < 2 ? 13 + i : 12 - i;
        char cell[8];
        if (line == 0 || line == 3) {
            snprintf(cell, sizeof cell, "%d", point);
        } else {
            write_cell(example, point, cell);
        }
        length += snprintf(out + length, LINE_ROOM - (size_t)length, "%s%*s", i == 6 ? " |" : "",
                           i == 0 ? 3 : 4, cell);
    }
}

/* "yes 8/5 6/5", "no 8/3"; Turkish "evet", "hayır". */
static void check_claim(const char *name, const struct example *example, const char *line) {
    static struct verdict verdict;
    size_t length = strcspn(line, " ");
    bool yes = strncmp(line, "yes", length) == 0 || strncmp(line, "evet", length) == 0;
    bool no = strncmp(line, "no", length) == 0 || strncmp(line, "hayır", length) == 0;
    const char *claim = line + length + (line[length] == ' ');
    play_judge(&example->rules, &example->situation, claim, strlen(claim), &room, &verdict);
    CHECK(yes != no && verdict.judgement == (yes ? JUDGED_LEGAL : JUDGED_ILLEGAL), "%s: %s (%s)",
          name, line, verdict.reason);
}

/* The next line of an example. */
static void take_line(const char *name, struct example *example, char *line) {
    char expected[LINE_ROOM], why[160] = "";
    int drawn = example->line - 3;
    if (example->line == 1) {
        snprintf(expected, sizeof expected, "%s", line);
        CHECK(read_head(example, line), "%s: example %s", name, expected);
    } else if (example->line == 2) {
        CHECK(position_read(&example->rules, line, strlen(line), &example->situation.board, why) ==
                  0,
              "%s: %s %s", name, line, why);
    } else if (drawn < DRAWN_LINES) {
        draw_line(example, drawn, expected);
        CHECK_TEXT(line, expected, "the drawing");
    } else {
        check_claim(name, example, line);
    }
}

static int check_examples(const char *name, const char *page) {
    struct example example = {.line = 0};
    int blocks = 0;
    while (*page != '\0') {
        char line[LINE_ROOM];
        size_t length = strcspn(page, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, page);
        page += length + (page[length] == '\n');
        if (strcmp(line, "```case") == 0) {
            example.line = 1;
            blocks++;
        } else if (strcmp(line, "```") == 0) {
            example.line = 0;
        } else if (example.line > 0) {
            take_line(name, &example, line);
            example.line++;
        }
    }
    return blocks;
}

static void read_page(const char *name, struct bytes *page) {
    char path[4096];
    struct fail fail;
    snprintf(path, sizeof path, "%s/protocol/%s", getenv("HAKEM_SOURCE"), name);
    bytes_init(page, PAGE_MAX);
    CHECK(file_read(path, page, &fail) == 0, "%s is there", name);
}

int main(void) {
    struct bytes wire, english, turkish;
    read_page("README.md", &wire);
    read_page("rules.md", &english);
    read_page("rules.tr.md", &turkish);
    check_rows("README.md", bytes_text(&wire));
    check_rows("rules.md", bytes_text(&english));
    check_rows("rules.tr.md", bytes_text(&turkish));
    check_sentences("rules.md", bytes_text(&english), false);
    check_sentences("rules.tr.md", bytes_text(&turkish), true);
    int blocks = check_examples("rules.md", bytes_text(&english));
    CHECK(blocks >= 15, "%d examples", blocks);
    CHECK_INT(check_examples("rules.tr.md", bytes_text(&turkish)), blocks, "as many in Turkish");
    bytes_clear(&wire);
    bytes_clear(&english);
    bytes_clear(&turkish);
    return check_done();
}
