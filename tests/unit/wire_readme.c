/* protocol/README.md and protocol/record.md against the message table: every
 * message has a heading with exactly its fields, and every example line is one. */
#include "wire_kit.h"

#include "base/bytes.h"
#include "base/file.h"

enum { PAGE_MAX = 1 << 20, PATH_ROOM = 4096, LINE_ROOM = 32768 };

/* A page of protocol/, as one text. */
static void read_page(const char *name, struct bytes *page) {
    char path[PATH_ROOM];
    const char *source = getenv("HAKEM_SOURCE");
    struct fail fail;
    snprintf(path, sizeof path, "%s/protocol/%s", source != NULL ? source : ".", name);
    bytes_init(page, PAGE_MAX);
    CHECK(file_read(path, page, &fail) == 0, "%s is there", name);
}

/* The next line of a text; false at its end. */
static bool next_line(const char **at, char line[LINE_ROOM]) {
    size_t length = strcspn(*at, "\n");
    if (**at == '\0' || length >= LINE_ROOM) {
        return false;
    }
    memcpy(line, *at, length);
    line[length] = '\0';
    *at += length + ((*at)[length] == '\n');
    return true;
}

/* A word of a heading: `serial\*` is required, `play...` trails. */
struct heading_word {
    char name[32];
    bool required;
};

static bool read_word(char *text, struct heading_word *word) {
    size_t length = strcspn(text, "\\.");
    word->required = strcmp(text + length, "\\*") == 0;
    if (length == 0 || length >= sizeof word->name) {
        return false;
    }
    memcpy(word->name, text, length);
    word->name[length] = '\0';
    return true;
}

static int field_of(const struct message_row *row, const char *name) {
    for (int i = 0; row->fields[i] != FIELD_COUNT; i++) {
        if (strcmp(field_row(row->fields[i])->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Compares the words behind a message's name with its row. */
static void check_heading(const struct message_row *row, char *rest) {
    int seen = 0;
    int positional = 0;
    bool good = true;
    bool behind_bar = false;
    while (*(rest += strspn(rest, " ")) != '\0') {
        struct heading_word word;
        char *text = rest;
        rest += strcspn(rest, " ");
        if (*rest != '\0') {
            *rest++ = '\0';
        }
        if (strcmp(text, "`|`") == 0) {
            behind_bar = true;
            continue;
        }
        bool named = read_word(text, &word) && strcmp(word.name, "+") != 0 &&
                     strcmp(word.name, "options") != 0;
        bool option = named && row->options && option_find(word.name, strlen(word.name)) >= 0;
        if (!named || option) {
            continue;
        }
        int i = field_of(row, word.name);
        good = good && i >= 0 && word.required == (i < row->required);
        positional += !behind_bar && word.required;
        seen++;
    }
    int fields = 0; /* those that every line has for a spectator are told once, under "Watching" */
    for (int i = 0; row->fields[i] != FIELD_COUNT; i++) {
        fields += row->fields[i] != FIELD_AT && row->fields[i] != FIELD_DIGITS;
    }
    CHECK(good && seen == fields, "%s: the heading has its %d fields", row->name, fields);
    /* The record page says in words what is positional in `record`. */
    CHECK(behind_bar ? positional == row->positional : row->positional <= positional,
          "%s: %d positional", row->name, row->positional);
}

/* Reads every heading `### name fields... · name fields...` of a page. */
static void check_headings(const char *page, bool described[MESSAGE_COUNT]) {
    static const char dot[] = " \xC2\xB7 ";
    static char line[LINE_ROOM];
    while (next_line(&page, line)) {
        bool fields = strchr(line, '*') != NULL || strstr(line, "`|`") != NULL;
        if (strncmp(line, "### ", 4) != 0 || !fields) {
            continue;
        }
        char *part = line + 4;
        while (part != NULL) {
            char *end = strstr(part, dot);
            if (end != NULL) {
                *end = '\0';
                end += strlen(dot);
            }
            size_t length = strcspn(part, " ");
            int kind = message_find(part, length);
            if (CHECK(kind >= 0, "\"%.*s\" is a message", (int)length, part)) {
                described[kind] = true;
                check_heading(message_row((enum message_kind)kind), part + length);
            }
            part = end;
        }
    }
}

/* What the example lines showed. */
struct shown {
    int lines, pairs;
    bool in[2][MESSAGE_COUNT];
};

/* One line such as "< turn 1 57 31"; `previous` is the text line before it. */
static void check_example(const char *line, unsigned senders, struct message *message,
                          struct message *previous, struct shown *shown) {
    enum spelling spelling = line[0] == '{' ? SPELLING_JSON : SPELLING_TEXT;
    char why[160];
    shown->lines++;
    if (!CHECK(spelling_decode(spelling, line, strlen(line), senders, message, why) ==
                   DECODED_MESSAGE,
               "example: %.60s (%s)", line, why)) {
        return;
    }
    shown->in[spelling][message->kind] = true;
    if (spelling == SPELLING_JSON && previous->kind == message->kind) {
        shown->pairs += CHECK(kit_same(message, previous), "the same in both spellings: %s",
                              message_row(message->kind)->name);
    }
}

static void check_examples(const char *page, struct shown *shown) {
    static char line[LINE_ROOM];
    static struct message messages[2];
    int turn = 0;
    bool inside = false;
    message_init(&messages[0], MESSAGE_COUNT);
    message_init(&messages[1], MESSAGE_COUNT);
    while (next_line(&page, line)) {
        if (strncmp(line, "```", 3) == 0) {
            inside = strcmp(line, "```lines") == 0;
            message_init(&messages[turn], MESSAGE_COUNT);
        } else if (inside) {
            struct message *previous = &messages[turn];
            turn = 1 - turn;
            check_example(line + 2, line[0] == '>' ? SENT_BY_BOT : SENT_BY_REFEREE,
                          &messages[turn], previous, shown);
            if (line[2] == '{') {
                message_init(&messages[turn], MESSAGE_COUNT); /* pairs are text, then JSON */
            }
        }
    }
}

/* The record that the record page quotes, without the digits of its chain. */
static void check_record(const char *page) {
    static char line[LINE_ROOM];
    static struct message message;
    bool inside = false;
    int lines = 0;
    char why[160];
    while (next_line(&page, line)) {
        if (strncmp(line, "```", 3) == 0) {
            inside = strcmp(line, "```record") == 0;
        } else if (inside) {
            lines++;
            CHECK(strlen(line) > 17 &&
                      spelling_decode(SPELLING_TEXT, line, strlen(line) - 17, KEPT_IN_RECORD,
                                      &message, why) == DECODED_MESSAGE,
                  "record line: %.40s", line);
        }
    }
    CHECK(lines > 5, "the record page has a whole record");
}

int main(void) {
    struct bytes wire;
    struct bytes record;
    bool described[MESSAGE_COUNT] = {false};
    static struct shown shown;
    read_page("README.md", &wire);
    read_page("record.md", &record);
    check_headings(bytes_text(&wire), described);
    check_headings(bytes_text(&record), described);
    check_examples(bytes_text(&wire), &shown);
    check_record(bytes_text(&record));
    for (int kind = 0; kind < MESSAGE_COUNT; kind++) {
        const struct message_row *row = message_row((enum message_kind)kind);
        CHECK(described[kind], "%s is described", row->name);
        bool spoken = (row->senders & (SENT_BY_BOT | SENT_BY_REFEREE)) != 0;
        bool small = kind == MESSAGE_PONG || kind == MESSAGE_NOTE; /* told with ping and bye */
        CHECK(!spoken || small || (shown.in[0][kind] && shown.in[1][kind]),
              "%s has an example in both spellings", row->name);
    }
    for (int option = 0; option < OPTION_COUNT; option++) {
        char name[40];
        snprintf(name, sizeof name, "`%s`", option_row((enum option)option)->name);
        CHECK(strstr(bytes_text(&wire), name) != NULL, "option %s is described", name);
    }
    CHECK(shown.pairs >= 20, "%d lines in both spellings", shown.pairs);
    bytes_clear(&wire);
    bytes_clear(&record);
    return check_done();
}
