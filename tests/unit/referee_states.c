/* protocol/README.md against the referee: the two tables of states (names, what may be sent, what
 * anything else is answered with, deadlines), the codes, the reasons, and every limit it names. */
#include "check.h"

#include "base/file.h"
#include "base/json.h"
#include "dice/scheme.h"
#include "referee/inside.h"
#include "sim/transcript.h"

#include <stdlib.h>

enum { PAGE_MAX = 1 << 22, ROW_ROOM = 1200, CELLS = 6 };

static struct bytes page;

/* The lines below a line of the page that begin with `|`, without the two of the head. */
static const char *rows_below(const char *line) {
    const char *at = strstr(bytes_text(&page), line);
    if (!CHECK(at != NULL, "the page has \"%.*s\"", (int)strcspn(line + 1, "\n"), line + 1)) {
        return "";
    }
    for (int lines = 0; *at != '\0' && lines < 2; at += at[0] == '\n') {
        at = strchr(at, '\n');
        lines += at[1] == '|';
    }
    return strchr(at, '\n') + 1;
}

/* Cuts the next row into its cells; false behind the last one. */
static bool next_row(const char **rows, char row[ROW_ROOM], char *cell[CELLS]) {
    size_t length = strcspn(*rows, "\n");
    if (**rows != '|' || length >= ROW_ROOM) {
        return false;
    }
    snprintf(row, ROW_ROOM, "%.*s", (int)length, *rows);
    *rows += length + ((*rows)[length] == '\n');
    char *at = row + 1;
    for (int i = 0; i < CELLS; i++) {
        at += strspn(at, " ");
        char *end = at + strcspn(at, "|");
        cell[i] = at;
        at = end + (*end == '|');
        while (end > cell[i] && end[-1] == ' ') {
            end--;
        }
        *end = '\0';
    }
    return true;
}

/* Whether a cell has the word between backticks. */
static bool has_word(const char *cell, const char *word) {
    char ticked[40];
    snprintf(ticked, sizeof ticked, "`%s`", word);
    return strstr(cell, ticked) != NULL;
}

/* A deadline such as "10 s: ..." in ms. */
static int64_t deadline_of(const char *cell) {
    return strtol(cell, NULL, 10) * (strstr(cell, " min") != NULL ? 60000 : 1000);
}

static void check_connection(const struct referee_limits *limits) {
    const int64_t deadlines[SESSION_STATES] = {
        [SESSION_GREETING] = limits->hello,
        [SESSION_LOST] = limits->vacant,
        [SESSION_CLOSING] = limits->stall};
    const char *rows = rows_below("\nA connection:\n");
    char row[ROW_ROOM], *cell[CELLS];
    int state = SESSION_GREETING;
    for (; next_row(&rows, row, cell); state++) {
        if (state >= SESSION_GONE) {
            break;
        }
        CHECK_TEXT(cell[0], session_state_name((enum session_state)state), "a state's name");
        for (int kind = 0; kind < MESSAGE_COUNT; kind++) {
            const char *name = message_row((enum message_kind)kind)->name;
            if (has_word(cell[3], name) !=
                lines_know((enum session_state)state, (enum message_kind)kind)) {
                CHECK(false, "%s: what it may send differs in `%s`", cell[0], name);
            }
        }
        if (deadlines[state] > 0) {
            CHECK_INT(deadline_of(cell[2]), deadlines[state], cell[0]);
        }
    }
    CHECK_INT(state, SESSION_GONE, "every state of a connection is in the page");
}

/* How a seat gets into a state: `a` is asked, S is the serial of its request. */
static const struct setting {
    const char *state, *steps;
    int serial;
} settings[] = {
    {"mixing", "! seat a b variant=western match=5 contributions=asked seed=s1\n", 0},
    {"asked", "! seat a b variant=western match=5 resign=on seed=s1\n", 0},
    {"waiting", "! seat a b variant=western match=5 resign=on seed=s1\na > ready 1\n", 0},
    {"waiting", "! seat a b variant=western match=5 seed=s1\na > ready 1\nb > ready 1\n", 0},
    {"waiting", "! seat b a variant=western match=5 seed=s1\na > ready 1\nb > ready 1\n"
                "a ? play #0\n", 1},
    {"on turn", "! seat b a variant=western match=5 vido=on resign=on seed=s1\na > ready 1\n"
                "b > ready 1\n", 1},
    {"asked to double", "! seat a b variant=western match=5 vido=on resign=on seed=s1\na > ready 1\n"
                        "b > ready 1\nb ? play #0\n", 1},
    {"offered", "! seat b a variant=western match=0 vido=on beavers=2 seed=s1\na > ready 1\n"
                "b > ready 1\na ? play #0\nb ? double\n", 2},
    {"offered", "! seat a b variant=western match=5 resign=on seed=s1\na > ready 1\nb > ready 1\n"
                "b ? resign single\n", 1},
    {"away", "! seat a b variant=western match=5 move_time=5000 seed=s1\na > ready 1\n"
             "b > ready 1\nb ? play #0\na ? play #0\nb -\n@ 8000\n", 1},
    {"over", "! seat a b variant=western match=1 seed=s1\na > decline 1\n", 0},
};

/* What is answered to one message of `a` in a setting: a code, or "" when it is taken. */
static void answer_to(const struct setting *setting, enum message_kind kind, int serial,
                      char code[24]) {
    const struct message_row *row = message_row(kind);
    struct bytes script, out;
    char why[200] = "", numbers[16];
    bytes_init(&script, 1 << 16);
    bytes_init(&out, 1 << 20);
    snprintf(numbers, sizeof numbers, row->positional > 1 ? "1 %d" : "1", serial);
    bytes_print(&script, "a +\na > hello hakem=1 name=ayse\nb =\nb > hello hakem=1 name=bora\n%s",
                setting->steps);
    bytes_print(&script, "# now\na > %s %s%s\n", row->name, numbers,
                kind == MESSAGE_PLAY     ? " #0"
                : kind == MESSAGE_RESIGN ? " single"
                : kind == MESSAGE_DISPUTE ? " a-word"
                                          : "");
    bool played = transcript_play(bytes_text(&script), PACE_WHOLE, &out, why);
    const char *after = strstr(bytes_text(&out), "# now\n");
    if (!played || after == NULL) {
        CHECK(false, "%s: %s", setting->state, why);
        after = "";
    }
    const char *error = strstr(after, "a < error ");
    size_t length = error == NULL ? 0 : strcspn(error + 10, " \n");
    snprintf(code, 24, "%.*s", (int)length, error == NULL ? "" : error + 10);
    bytes_clear(&script);
    bytes_clear(&out);
}

/* What a seat in a state may send, and what is said to anything else. */
struct seen {
    bool taken[MESSAGE_COUNT];
    char codes[200]; /* each between backticks */
};

static void note_answer(struct seen *seen, enum message_kind kind, const char *code, bool fits) {
    if (code[0] == '\0') {
        seen->taken[kind] = seen->taken[kind] || fits;
    } else if (!has_word(seen->codes, code)) {
        size_t length = strlen(seen->codes);
        snprintf(seen->codes + length, sizeof seen->codes - length, "`%s`", code);
    }
}

/* Tries every message about a table, with the serial that is awaited and with others. */
static void try_state(const char *state, struct seen *seen) {
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const struct setting *setting = &settings[i];
        for (int kind = 0; strcmp(setting->state, state) == 0 && kind < MESSAGE_COUNT; kind++) {
            const struct message_row *row = message_row((enum message_kind)kind);
            bool of_table = (row->senders & SENT_BY_BOT) != 0 && row->positional > 0 &&
                            row->fields[0] == FIELD_TABLE;
            for (int off = row->positional > 1 ? -1 : 0; of_table && off <= 1; off++) {
                char code[24];
                if (setting->serial + off >= 0 && (off == 0 || row->positional > 1)) {
                    answer_to(setting, (enum message_kind)kind, setting->serial + off, code);
                    note_answer(seen, (enum message_kind)kind, code, off == 0);
                    bool earlier = kind == MESSAGE_DISPUTE && off < 0; /* is disputed as well */
                    CHECK(off == 0 || earlier || code[0] != '\0', "%s: %s with another S is not taken", state,
                          row->name);
                }
            }
        }
    }
}

static void check_seat_row(char *const cell[CELLS]) {
    static struct seen seen;
    memset(&seen, 0, sizeof seen);
    try_state(cell[0], &seen);
    for (int kind = 0; kind < MESSAGE_COUNT; kind++) {
        const char *name = message_row((enum message_kind)kind)->name;
        bool of_unit = kind == MESSAGE_COMMIT || kind == MESSAGE_OPEN || kind == MESSAGE_REVEAL;
        if (has_word(cell[3], name) !=
            (of_unit ? strcmp(cell[0], "mixing") == 0 : seen.taken[kind])) {
            CHECK(false, "%s: what it may send differs in `%s`", cell[0], name);
        }
    }
    for (size_t i = 0; error_code(i) != NULL; i++) {
        if (has_word(cell[4], error_code(i)) != has_word(seen.codes, error_code(i))) {
            CHECK(false, "%s: `%s` is an answer here, or is not", cell[0], error_code(i));
        }
    }
    CHECK(seen.codes[0] != '\0', "%s: tried", cell[0]);
}

static void check_seat(const struct referee_limits *limits) {
    static const char *const names[] = {"mixing",  "asked", "waiting", "on turn", "asked to double",
                                        "offered", "away",  "vacant",  "over"};
    const char *rows = rows_below("\nA seat (one T):\n");
    char row[ROW_ROOM], *cell[CELLS];
    size_t state = 0;
    for (; next_row(&rows, row, cell); state++) {
        if (state >= sizeof names / sizeof *names) {
            break;
        }
        CHECK_TEXT(cell[0], names[state], "a seat's state");
        int64_t deadline = state <= 1   ? limits->ready
                           : state == 7 ? limits->vacant
                                        : 0;
        if (deadline > 0) {
            CHECK_INT(deadline_of(cell[2]), deadline, cell[0]);
        }
        if (state >= 3 && state <= 5) {
            CHECK(strstr(cell[2], "10 min") != NULL && limits->answer == 600000, "%s: 10 minutes",
                  cell[0]);
        }
        if (state != 7) { /* nobody is there to try it */
            check_seat_row(cell);
        }
    }
    CHECK_INT(state, sizeof names / sizeof *names, "every state of a seat is in the page");
}

/* The words between backticks in the first cells of a table: exactly those of the list. */
static void check_words(const char *head, const char *(*list)(size_t index)) {
    const char *rows = rows_below(head);
    char row[ROW_ROOM], *cell[CELLS];
    bool found[64] = {false};
    while (next_row(&rows, row, cell)) {
        bool known = cell[0][0] == '\0'; /* the row above goes on */
        for (size_t i = 0; list(i) != NULL; i++) {
            bool here = has_word(cell[0], list(i)) && cell[0][0] == '`';
            found[i] = found[i] || here;
            known = known || here;
        }
        CHECK(known, "%s exists", cell[0]);
    }
    for (size_t i = 0; list(i) != NULL; i++) {
        CHECK(found[i], "`%s` is there", list(i));
    }
}

static const char *reason_at(size_t index) {
    return index < REASON_COUNT ? reason_name((enum reason)index) : NULL;
}

/* 4096 as "4,096". */
static const char *grouped(int64_t number, char out[32]) {
    if (number < 1000) {
        snprintf(out, 32, "%d", (int)number);
    } else {
        snprintf(out, 32, "%d,%03d", (int)(number / 1000), (int)(number % 1000));
    }
    return out;
}

static void check_figures(const struct referee_limits *limits) {
    const struct {
        const char *before, *behind;
        int64_t number;
    } figures[] = {
        {"a line of yours has ", " bytes in text", TEXT_LINE_MAX},
        {"bytes in text, ", " in JSON", JSON_LINE_MAX},
        {"", " at once and ", limits->burst},
        {" at once and ", " a second", limits->rate},
        {"first, within ", " seconds", limits->hello / 1000},
        {"`ready` or `decline` within ", " seconds", limits->ready / 1000},
        {"the seat waits ", " seconds", limits->vacant / 1000},
        {"answer may take longer than ", " minutes", limits->answer / 60000},
        {"an answer may take ", " minutes", limits->answer / 60000},
        {"(or a second after the referee had it", "", limits->grace == 1000 ? -1 : 0},
        {"output waits for ", " s, or ", limits->stall / 1000},
        {" s, or ", " KiB of it", (int64_t)limits->queue / 1024},
        {"", " plies without an end", limits->plies},
        {"Back within **", " seconds**", limits->vacant / 1000},
        {"- **", " times** in a match", limits->returns},
        {"At most ", " KiB of such lines", KEPT_MAX / 1024},
        {"and at most ", " closed sessions", limits->ghosts},
        {"the third closes the session", "", limits->strays == 3 ? -1 : 0},
        {"a letter or digit, then up to ", " of", NAME_MAX_BYTES - 1},
        {"`version` (", " bytes are kept)", VERSION_MAX_BYTES - 1},
        {"a depth above ", "", json_limits_wire.depth},
        {"more than ", " keys or ", json_limits_wire.keys},
        {" keys or ", " items", json_limits_wire.items},
    };
    const char *text = bytes_text(&page);
    for (char *at = page.data; (at = strchr(at, '\n')) != NULL;) {
        *at = ' '; /* a phrase may go over the end of a line */
    }
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        char number[32], phrase[120];
        snprintf(phrase, sizeof phrase, "%s%s%s", figures[i].before,
                 figures[i].number < 0 ? "" : grouped(figures[i].number, number),
                 figures[i].behind);
        CHECK(strstr(text, phrase) != NULL, "the page says \"%s\"", phrase);
    }
}

int main(void) {
    char path[4096];
    const char *source = getenv("HAKEM_SOURCE");
    struct referee_limits limits;
    struct fail fail;
    if (dice_init() != 0) {
        return 1;
    }
    referee_limits_init(&limits);
    snprintf(path, sizeof path, "%s/protocol/README.md", source != NULL ? source : ".");
    bytes_init(&page, PAGE_MAX);
    CHECK(file_read(path, &page, &fail) == 0, "the page is there");
    check_connection(&limits);
    check_seat(&limits);
    check_words("\n## Errors\n", error_code);
    check_words("\nEvery game and match ends for one of these reasons:\n", reason_at);
    for (size_t i = 0; refusal_code(i) != NULL; i++) {
        const char *refused = strstr(bytes_text(&page), "### refused code");
        char text[1200];
        snprintf(text, sizeof text, "%.*s", (int)(strstr(refused, "```") - refused), refused);
        CHECK(has_word(text, refusal_code(i)), "`%s` of refused is there", refusal_code(i));
    }
    check_figures(&limits);
    bytes_clear(&page);
    return check_done();
}
