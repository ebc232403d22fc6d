/* The message table is sound, and what is written in either spelling is read back. */
#include "wire_kit.h"

enum { ROUNDS = 200, LINE_CEILING = 1 << 20 };

static const char *const spelling_names[] = {"text", "json"};

/* Names within one row, its options among them, must differ. */
static bool row_names_differ(const struct message_row *row) {
    const char *names[MESSAGE_FIELDS_MAX + OPTION_COUNT];
    int count = 0;
    for (int i = 0; row->fields[i] != FIELD_COUNT; i++) {
        names[count++] = field_row(row->fields[i])->name;
    }
    for (int option = 0; row->options && option < OPTION_COUNT; option++) {
        names[count++] = option_row((enum option)option)->name;
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            if (strcmp(names[i], names[j]) == 0) {
                return false;
            }
        }
    }
    return true;
}

static int count_fields(const struct message_row *row, bool plays_only) {
    int count = 0;
    for (int i = 0; row->fields[i] != FIELD_COUNT; i++) {
        enum field_type type = field_row(row->fields[i])->type;
        count += !plays_only || type == TYPE_PLAY || type == TYPE_PLAYS;
    }
    return count;
}

static void check_table(void) {
    bool used[FIELD_COUNT] = {false};
    for (int kind = 0; kind < MESSAGE_COUNT; kind++) {
        const struct message_row *row = message_row((enum message_kind)kind);
        CHECK_INT(message_find(row->name, strlen(row->name)), kind, row->name);
        CHECK(row->senders != 0, "%s has a sender", row->name);
        CHECK(row->positional <= row->required && row->required <= count_fields(row, false),
              "%s: positional <= required <= fields", row->name);
        CHECK(row_names_differ(row), "%s: names differ", row->name);
        CHECK(count_fields(row, true) <= 1, "%s: one play at most", row->name);
        for (int i = 0; row->fields[i] != FIELD_COUNT; i++) {
            used[row->fields[i]] = true;
        }
    }
    for (int field = 0; field < FIELD_COUNT; field++) {
        CHECK(used[field], "field %s belongs to a message", field_row((enum field)field)->name);
    }
    CHECK_INT(message_find("Turn", 4), -1, "message names are looked up exactly");
    CHECK_INT(message_find("tur", 3), -1, "a prefix is no name");
    CHECK_INT(message_find("", 0), -1, "nothing is no name");
}

/* Whether a message survives one spelling; prints the line when not. */
static bool survives(enum spelling spelling, const struct message *message) {
    static struct message back;
    char why[160];
    struct bytes line;
    bytes_init(&line, LINE_CEILING);
    bool good = spelling_encode_bare(spelling, message, &line) &&
                kit_decode(spelling, line.data, line.length, &back, why) == DECODED_MESSAGE &&
                kit_same(message, &back);
    if (!good) {
        printf("# %s: %s\n# line: %s\n", spelling_names[spelling], why, bytes_text(&line));
    }
    bytes_clear(&line);
    return good;
}

static void check_round_trips(void) {
    static struct message message;
    uint64_t state = 1;
    for (int kind = 0; kind < MESSAGE_COUNT; kind++) {
        const char *name = message_row((enum message_kind)kind)->name;
        int good[2] = {0, 0};
        for (int round = 0; round < ROUNDS; round++) {
            kit_message(&message, (enum message_kind)kind, round % 9, &state);
            good[SPELLING_TEXT] += survives(SPELLING_TEXT, &message);
            good[SPELLING_JSON] += survives(SPELLING_JSON, &message);
        }
        CHECK_INT(good[SPELLING_TEXT], ROUNDS, name);
        CHECK_INT(good[SPELLING_JSON], ROUNDS, name);
    }
}

/* Leaves one required field out of a written line: the refusal has to name it. */
static void check_required(void) {
    static struct message message;
    uint64_t state = 2;
    char why[160];
    for (int kind = 0; kind < MESSAGE_COUNT; kind++) {
        const struct message_row *row = message_row((enum message_kind)kind);
        for (int i = 0; i < row->required; i++) {
            struct bytes line;
            bytes_init(&line, LINE_CEILING);
            kit_message(&message, (enum message_kind)kind, 0, &state);
            message.fields[row->fields[i] / 64] &= ~(UINT64_C(1) << row->fields[i] % 64);
            (void)spelling_encode_bare(SPELLING_JSON, &message, &line);
            enum decoded decoded =
                kit_decode(SPELLING_JSON, line.data, line.length, &message, why);
            char want[80];
            snprintf(want, sizeof want, "%s: %s is missing", row->name,
                     field_row(row->fields[i])->name);
            CHECK(decoded == DECODED_MALFORMED && strcmp(why, want) == 0, "%s (%s)", want, why);
            bytes_clear(&line);
        }
    }
}

static void check_senders(void) {
    static struct message message;
    char why[160];
    static const struct {
        const char *line;
        unsigned senders;
        enum decoded decoded;
    } cases[] = {
        {"ready 1", SENT_BY_BOT, DECODED_MESSAGE},
        {"ready 1", SENT_BY_REFEREE, DECODED_UNKNOWN},
        {"turn 1 2 31", SENT_BY_BOT, DECODED_UNKNOWN},
        {"sign 3 signature=ab", SENT_BY_BOT, DECODED_UNKNOWN},
        {"watch *", SENT_BY_REFEREE | KEPT_IN_RECORD, DECODED_UNKNOWN},
        {"sign 3 signature=ab", KEPT_IN_RECORD, DECODED_MESSAGE},
        {"end 1 winner=X", KEPT_IN_RECORD, DECODED_MESSAGE},
        {"ping", SENT_BY_BOT, DECODED_MESSAGE},
        {"ping", SENT_BY_REFEREE, DECODED_MESSAGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_INT(spelling_decode(SPELLING_TEXT, cases[i].line, strlen(cases[i].line),
                                  cases[i].senders, &message, why),
                  cases[i].decoded, cases[i].line);
    }
}

static void check_setters(void) {
    static struct message message;
    message_init(&message, MESSAGE_HELLO);
    CHECK_TEXT(message_text(&message, FIELD_NAME), "", "an absent field is an empty text");
    CHECK_INT(message_int(&message, FIELD_TABLES, -7), -7, "an absent number is the caller's");
    message_set_int(&message, FIELD_TABLES, 0);
    CHECK_INT(message_int(&message, FIELD_TABLES, -7), 0, "zero");
    message_set_int(&message, FIELD_TABLES, INT64_MAX);
    CHECK_TEXT(message_text(&message, FIELD_TABLES), "9223372036854775807", "the largest");
    message_set_u64(&message, FIELD_SEED, UINT64_MAX);
    CHECK_TEXT(message_text(&message, FIELD_SEED), "18446744073709551615", "64 bits");
    message_set_print(&message, FIELD_VERSION, "%d.%d", 1, 2);
    CHECK_TEXT(message_text(&message, FIELD_VERSION), "1.2", "printed");
    message_set(&message, FIELD_WANT, "position,plays");
    CHECK(message_list_has(&message, FIELD_WANT, "plays"), "the last word of a list");
    CHECK(message_list_has(&message, FIELD_WANT, "position"), "the first word of a list");
    CHECK(!message_list_has(&message, FIELD_WANT, "play"), "no prefix");
    CHECK(!message_list_has(&message, FIELD_WANT, ""), "no empty word");
    CHECK(!message_list_has(&message, FIELD_VARIANTS, "tavla"), "nothing in an absent list");
    message_init(&message, MESSAGE_PLAY);
    message_set(&message, FIELD_PLAY, "");
    CHECK(!message_has(&message, FIELD_PLAY), "an empty play is absent");
}

/* A line that does not fit leaves the bytes as they were, at every ceiling. */
static void check_ceiling(void) {
    static struct message message;
    static const char text[] = "play 1 57 8/5 6/5\n";
    static const char json[] =
        "{\"type\":\"play\",\"table\":1,\"serial\":57,\"play\":\"8/5 6/5\"}\n";
    const char *const lines[] = {text, json};
    message_init(&message, MESSAGE_PLAY);
    message_set_int(&message, FIELD_TABLE, 1);
    message_set_int(&message, FIELD_SERIAL, 57);
    message_set(&message, FIELD_PLAY, "8/5 6/5");
    for (int spelling = 0; spelling < 2; spelling++) {
        bool good = true;
        for (size_t ceiling = 3; ceiling < strlen(lines[spelling]) + 6; ceiling++) {
            struct bytes out;
            bytes_init(&out, ceiling);
            bytes_add_text(&out, "abc");
            bool fits = strlen(lines[spelling]) + 3 <= ceiling;
            good = good && spelling_encode((enum spelling)spelling, &message, &out) == fits;
            good = good && out.full == !fits;
            good = good && strncmp(bytes_text(&out), "abc", 3) == 0;
            good = good && strcmp(bytes_text(&out) + 3, fits ? lines[spelling] : "") == 0;
            bytes_clear(&out);
        }
        CHECK(good, "%s: a line is added whole or not at all", spelling_names[spelling]);
    }
}

int main(void) {
    check_table();
    check_round_trips();
    check_required();
    check_senders();
    check_setters();
    check_ceiling();
    return check_done();
}
