/* Bad input for the referee, made from the message table: every field of every message a bot may
 * send gets values that it cannot have, in both spellings, and lines that are no messages at all.
 * The offender is told, and the game of two others goes on as if it had not been there. */
#include "referee/inside.h"
#include "unit/referee_world.h"

#include "base/text.h"

enum { LINE_ROOM = 40000, MATCHES_KEPT = 400 };

/* What a field of a type cannot be. In text a word with "=" would be another field. */
static const char *const bad_text[][10] = {
    [TYPE_INT] = {"-1", "+1", "x", "1.5", "01", "1e3", "0x1", "9007199254740992",
                  "18446744073709551616", NULL},
    [TYPE_SEED] = {"x", NULL},
    [TYPE_WORD] = {"%20", "%01", "%ff", "%c2%85", "a%00", "%", "%zz", "\xff", NULL},
    [TYPE_STRING] = {"%zz", "%00", "%ff", "%", "\xff", "\x01", "\xed\xa0\x80", NULL},
    [TYPE_FLAG] = {"true", NULL},
    [TYPE_DICE] = {"71", NULL},
    [TYPE_DEED] = {"71", NULL},
    [TYPE_LIST] = {"a,,b", ",", "a,%20", "%00", "\xff", NULL},
    [TYPE_NUMBERS] = {"0.25", NULL},
    [TYPE_PLAY] = {"\xff", "\xc3\xbc", "\x01", "8/5 \x7f", NULL},
    [TYPE_PLAYS] = {"\xff", NULL},
};
static const char *const bad_json[][12] = {
    [TYPE_INT] = {"-1", "1.5", "\"1\"", "true", "[]", "{}", "1e400", "9007199254740992", "1e300",
                  "[1]", "\"\"", NULL},
    [TYPE_SEED] = {"1.5", NULL},
    [TYPE_WORD] = {"1", "true", "[]", "{}", "\"\"", "\"a b\"", "\"\\u0001\"", "\"a\\u0000\"",
                   "\"\\u0085\"", "\"\xff\"", NULL},
    [TYPE_STRING] = {"1", "true", "[]", "{}", "\"\\u0000\"", "\"\\ud800\"", "\"\\x\"", "\"\n\"",
                     "\"\x1b\"", NULL},
    [TYPE_FLAG] = {"1", NULL},
    [TYPE_DICE] = {"[7,1]", NULL},
    [TYPE_DEED] = {"[7,1]", NULL},
    [TYPE_LIST] = {"1", "true", "{}", "[1]", "[\"\"]", "[\"a,b\"]", "[[\"a\"]]", "\"a b\"", NULL},
    [TYPE_NUMBERS] = {"\"x\"", NULL},
    [TYPE_PLAY] = {"1", "true", "{}", "[1]", "[[]]", "\"8=5\"", "\"\\u00fc\"", "[\"8/5\",null]",
                   NULL},
    [TYPE_PLAYS] = {"1", NULL},
};

/* Lines that are no messages, whatever they are about. */
static const char *const no_lines[] = {
    "{\"type\":\"ready\",\"table\":1}x",
    "{\"type\":\"ready\",\"table\":1}{}",
    "{\"type\":\"ready\",\"table\":1,\"table\":1}",
    "{\"type\":\"ready\",\"type\":\"ready\",\"table\":1}",
    "{\"type\":\"ready\",\"x\":[[[[[[[[[]]]]]]]]],\"table\":1}",
    "{\"type\":\"ready\",\"x\":01,\"table\":1}",
    "{\"type\":\"ready\",\"x\":nul,\"table\":1}",
    "{\"type\":\"ready\",\"x\":\"\\ud800\",\"table\":1}",
    "{\"type\":\"ready\",\"table\":1",
    "{\"type\":\"ready\",\"table\":1,}",
    "{\"type\":7,\"table\":1}",
    "{\"type\":null}",
    "{\"table\":1}",
    "{}",
    "{",
    "[]",
    "{\"type\":\"ready\"\x01,\"table\":1}",
    "play 1 1 \xff\xfe",
    "play 1 1 8/5\x7f",
    "play",
    "ready 1 table=1",
    "ready 1\x0b",
};

static long cases;  /* lines that were tried */
static long seated; /* matches of the good pair */

/* Takes what a session has been told. */
static void heard(struct world *world, uint32_t session, char out[LINE_ROOM]) {
    const char *data = NULL;
    size_t length = referee_output(world->referee, session, &data);
    snprintf(out, LINE_ROOM, "%.*s", (int)length, length > 0 ? data : "");
    referee_sent(world->referee, session, length, world->now);
}

/* The good pair: matches on seeds of their own, one after the other, a turn at a time. */
static void good_turn(struct world *world, const struct rules *rules) {
    static const struct clock_rule clock = {.move_time = 10000, .margin = 50};
    if (world->ended == seated && world->ended < MATCHES_KEPT) {
        char seed[24];
        snprintf(seed, sizeof seed, "good %ld", seated++);
        world_seat(world, 0, 1, rules, &clock, seed);
    }
    world_turn(world);
}

static void good_begin(struct world *world) {
    world_open(world, NULL);
    seated = 0;
    world->keep = true;
    for (int i = 0; i < 2; i++) {
        world_join(world, i == 0 ? "name=ayse" : "name=bora");
        world->bot[i].think = 7;
    }
    world_flush(world);
}

/* A line of somebody who has just dialled in; whether the answer is what it has to be. */
static void offend(struct world *world, const struct rules *rules, const char *hello,
                   const char *line, bool malformed) {
    static char answer[LINE_ROOM];
    uint32_t session = referee_open(world->referee, "offender", world->now);
    referee_input(world->referee, session, hello, strlen(hello), world->now);
    heard(world, session, answer);
    referee_input(world->referee, session, line, strlen(line), world->now);
    referee_input(world->referee, session, "\n", 1, world->now);
    heard(world, session, answer);
    bool said = strncmp(answer, "error malformed ", 16) == 0 ||
                strstr(answer, "{\"type\":\"error\",\"code\":\"malformed\"") == answer;
    cases++;
    if (malformed ? !said : said) {
        CHECK(false, "\"%.100s\" is answered with \"%.150s\"", line, answer);
    }
    referee_closed(world->referee, session, world->now);
    good_turn(world, rules);
}

/* Something that a field of that name may be. */
static const char *good_value(enum field field, enum spelling spelling) {
    bool json = spelling == SPELLING_JSON;
    enum field_type type = field_row(field)->type;
    return type == TYPE_INT    ? "1"
           : type == TYPE_PLAY ? (json ? "\"8/5 6/5\"" : "8/5 6/5")
           : type == TYPE_LIST ? (json ? "[\"tavla\"]" : "tavla")
                               : (json ? "\"single\"" : "single");
}

/* The message with required fields and the one under test, which has that value. */
static void build(enum message_kind kind, enum spelling spelling, int tested, const char *value,
                  char line[LINE_ROOM]) {
    const struct message_row *row = message_row(kind);
    size_t at = (size_t)snprintf(line, LINE_ROOM, spelling == SPELLING_JSON ? "{\"type\":\"%s\""
                                                                            : "%s",
                                 row->name);
    for (int i = 0; row->fields[i] != FIELD_COUNT; i++) {
        const struct field_row *field = field_row(row->fields[i]);
        const char *text = i == tested ? value : good_value(row->fields[i], spelling);
        bool bare = i < row->positional || field->type == TYPE_PLAY;
        if (i < row->required || i == tested) {
            at += (size_t)snprintf(line + at, LINE_ROOM - at,
                                   spelling == SPELLING_JSON ? ",\"%s\":%s"
                                   : bare                    ? " %.0s%s"
                                                             : " %s=%s",
                                   field->name, text);
        }
    }
    snprintf(line + at, LINE_ROOM - at, spelling == SPELLING_JSON ? "}" : "");
}

static const char *const hellos[] = {
    [SPELLING_TEXT] = "hello hakem=1 name=offender\n",
    [SPELLING_JSON] = "{\"type\":\"hello\",\"hakem\":1,\"name\":\"offender\"}\n"};

/* Every value that this field of this message cannot have, and the ends of what it can. */
static void try_field(struct world *world, const struct rules *rules, enum message_kind kind,
                      int tested) {
    static char line[LINE_ROOM];
    enum field_type type = field_row(message_row(kind)->fields[tested])->type;
    static const char *const ends[] = {"0", "1", "2147483648", "4294967297", "9007199254740991"};
    for (int spelling = SPELLING_TEXT; spelling <= SPELLING_JSON; spelling++) {
        const char *hello = kind == MESSAGE_HELLO ? "" : hellos[spelling];
        const char *const *values = spelling == SPELLING_JSON ? bad_json[type] : bad_text[type];
        for (; *values != NULL; values++) {
            build(kind, (enum spelling)spelling, tested, *values, line);
            offend(world, rules, hello, line, true);
        }
        for (size_t i = 0; type == TYPE_INT && i < sizeof ends / sizeof *ends; i++) {
            build(kind, (enum spelling)spelling, tested, ends[i], line);
            offend(world, rules, hello, line, false);
        }
    }
}

static void try_every_field(struct world *world, const struct rules *rules) {
    for (int kind = 0; kind < MESSAGE_COUNT; kind++) {
        const struct message_row *row = message_row((enum message_kind)kind);
        for (int i = 0; (row->senders & SENT_BY_BOT) != 0 && row->fields[i] != FIELD_COUNT; i++) {
            try_field(world, rules, (enum message_kind)kind, i);
        }
    }
}

static void try_lines(struct world *world, const struct rules *rules) {
    for (size_t i = 0; i < sizeof no_lines / sizeof *no_lines; i++) {
        bool json = strchr("{[", no_lines[i][0]) != NULL;
        offend(world, rules, hellos[json ? SPELLING_JSON : SPELLING_TEXT], no_lines[i], true);
    }
}

/* Objects with too many keys, arrays with too many items, numbers and texts without end. */
static void try_large(struct world *world, const struct rules *rules) {
    static const struct {
        const char *head, *unit, *tail; /* @ in the unit is how often it came before */
        int times;
    } rows[] = {
        {"{\"type\":\"ping\"", ",\"k@\":1", "}", 96},
        {"{\"type\":\"ping\",\"x\":[0", ",@", "]}", 512},
        {"{\"type\":\"ping\",\"x\":", "[", "", 5000},
        {"{\"type\":\"ready\",\"table\":", "9", "}", 10000},
        {"{\"type\":\"play\",\"table\":1,\"serial\":1,\"play\":[\"8/5\"", ",\"8/5\"", "]}", 600},
        {"ready ", "9", "", 4000},
        {"hello hakem=1 name=", "n", "%", 4000},
        {"resign 1 1 ", "%", "", 4000},
    };
    static char line[LINE_ROOM];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t at = (size_t)snprintf(line, sizeof line, "%s", rows[i].head);
        for (int n = 0; n < rows[i].times; n++) {
            for (const char *c = rows[i].unit; *c != '\0'; c++) {
                at += (size_t)(*c == '@' ? snprintf(line + at, sizeof line - at, "%d", n)
                                         : snprintf(line + at, sizeof line - at, "%c", *c));
            }
        }
        snprintf(line + at, sizeof line - at, "%s", rows[i].tail);
        offend(world, rules, hellos[line[0] == '{' ? SPELLING_JSON : SPELLING_TEXT], line, true);
    }
}

/* The same pair without anybody else. */
static void check_undisturbed(const struct world *disturbed, const struct rules *rules) {
    struct world world;
    good_begin(&world);
    while (world.ended < disturbed->ended) {
        good_turn(&world, rules);
    }
    size_t length = world.record.length < disturbed->record.length ? world.record.length
                                                                   : disturbed->record.length;
    CHECK(length > 10000 && memcmp(world.record.data, disturbed->record.data, length) == 0,
          "the others' %ld matches are the same, and took the same time", disturbed->ended);
    CHECK_INT(disturbed->reasons[REASON_TIMEOUT] + disturbed->reasons[REASON_DISCONNECT], 0,
              "and nobody lost by time or connection");
    world_close(&world);
}

int main(void) {
    struct world world;
    struct rules rules;
    char why[160];
    if (dice_init() != 0) {
        return 1;
    }
    rules_init(&rules, variant_find("tavla", 5));
    CHECK(rules_set(&rules, "match", "1", why) == 0, "a match of one game");
    good_begin(&world);
    try_every_field(&world, &rules);
    try_lines(&world, &rules);
    try_large(&world, &rules);
    CHECK(cases > 400, "%ld bad lines were answered as they have to be", cases);
    check_undisturbed(&world, &rules);
    world_close(&world);
    return check_done();
}
