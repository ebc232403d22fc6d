/* Bad lines and what becomes of them; hostile bytes at every cut. */
#include "wire_kit.h"

#include "wire/frame.h"

enum { ROOM = 70000 };

struct line_case {
    enum spelling spelling;
    const char *line;
    enum decoded decoded;
    const char *why; /* stands in the refusal; NULL: not looked at */
};

/* Short names for the tables. */
#define T SPELLING_TEXT
#define J SPELLING_JSON
#define GOOD DECODED_MESSAGE
#define BLANK DECODED_BLANK
#define UNKNOWN DECODED_UNKNOWN
#define BAD DECODED_MALFORMED

static const struct line_case text_cases[] = {
    {T, "", BLANK, NULL},
    {T, " \t ", BLANK, NULL},
    {T, "\r", BLANK, NULL},
    {T, "\xEF\xBB\xBF", BLANK, NULL},
    {T, "\xEF\xBB\xBFhello hakem=1 name=a\r", GOOD, NULL},
    {T, "  play \t 1  57   8/5  6/5  ", GOOD, NULL},
    {T, "play 1 57", GOOD, NULL},
    {T, "play 1 57 #0", GOOD, NULL},
    {T, "play 1 57 x=1 8/5 mood=good 6/5", GOOD, NULL},
    {T, "play 1 57 play=8/5%206/5", GOOD, NULL},
    {T, "play 1 57 8/5 play=6/5", BAD, "play: stands twice"},
    {T, "play 1 57 play=8/5 play=6/5", BAD, "play: stands twice"},
    {T, "play 1 57 8/\xE2\x80\x93""5", BAD, "play: a play such as 8/5 6/5 is wanted"},
    {T, "play 1 57 8\x01/5", BAD, "column 12: a control byte, or not UTF-8"},
    {T, "play 1 57 8\xFF/5", BAD, "column 12"},
    {T, "play 1 57 x=\xC0\x80", BAD, "column 13"},
    {T, "play 1 57 \x7F", BAD, "column 11"},
    {T, "play 1 57 8/5\r6/5", BAD, "column 14"},
    {T, "play", BAD, "play: table is missing"},
    {T, "play 1", BAD, "play: serial is missing"},
    {T, "play x 57 8/5", BAD,
     "table: a whole number from 0 to 9007199254740991 is wanted, not 'x'"},
    {T, "play 01 57", BAD, "table: a whole number"},
    {T, "play +1 57", BAD, "table: a whole number"},
    {T, "play -1 57", BAD, "table: a whole number"},
    {T, "play 1.0 57", BAD, "table: a whole number"},
    {T, "play 9007199254740991 0", GOOD, NULL},
    {T, "play 9007199254740992 0", BAD, "table: a whole number"},
    {T, "play 99999999999999999999999999 0", BAD, "table: a whole number"},
    {T, "play 1 57 serial=58", BAD, "serial: stands twice"},
    {T, "play table=1 serial=57", BAD, "table: a whole number"},
    {T, "Play 1 57", UNKNOWN, "Play"},
    {T, "jump 1 57", UNKNOWN, "jump"},
    {T, "{\"type\":\"play\"}", UNKNOWN, "{\"type\":\"play\"}"},
    {T, "j\x01mp", UNKNOWN, NULL},
    {T, "hello name=a", BAD, "hello: hakem is missing"},
    {T, "hello hakem=1", BAD, "hello: name is missing"},
    {T, "hello Hakem=1 name=a", BAD, "hello: hakem is missing"},
    {T, "hello hakem=1 name=", BAD, "name: a word is wanted, not ''"},
    {T, "hello hakem=1 name=a%20b", BAD, "name: a word is wanted, not 'a b'"},
    {T, "hello hakem=1 name=a author=a%20b", GOOD, NULL},
    {T, "hello hakem=1 name=a author=%C3%BC%0A", GOOD, NULL},
    {T, "hello hakem=1 name=a author=100%", BAD, "author: a % is followed by two hex digits"},
    {T, "hello hakem=1 name=a author=%2", BAD, "author: a % is followed"},
    {T, "hello hakem=1 name=a author=%zz", BAD, "author: a % is followed"},
    {T, "hello hakem=1 name=a author=a%00b", BAD, "author: a % is followed"},
    {T, "hello hakem=1 name=a author=%FF", BAD, "author: a text in UTF-8 is wanted"},
    {T, "hello hakem=1 name=a author=%ED%A0%80", BAD, "author: a text in UTF-8"},
    {T, "hello hakem=1 name=a hakem=1", BAD, "hakem: stands twice"},
    {T, "hello hakem=1 name=a unheard=%zz unheard=2", GOOD, NULL},
    {T, "hello hakem=1 name=a =x", GOOD, NULL},
    {T, "hello hakem=1 name=a friend", BAD, "'friend' is no key=value"},
    {T, "hello hakem=1 name=a want=", GOOD, NULL},
    {T, "hello hakem=1 name=a want=position,plays", GOOD, NULL},
    {T, "hello hakem=1 name=a want=position,,plays", BAD, "want: words joined by commas"},
    {T, "hello hakem=1 name=a want=,", BAD, "want: words joined by commas"},
    {T, "hello hakem=1 name=a want=a%20b", BAD, "want: words joined by commas"},
    {T, "turn 1 57 31 first=yes", GOOD, NULL},
    {T, "turn 1 57 31 first=true", BAD, "first: yes or no is wanted, not 'true'"},
    {T, "turn 1 57 37", BAD, "dice: two dice such as 31 is wanted, not '37'"},
    {T, "turn 1 57 3", BAD, "dice: two dice"},
    {T, "turn 1 57 311", BAD, "dice: two dice"},
    {T, "turn 1 57 31 score=1,2.5", GOOD, NULL},
    {T, "turn 1 57 31 score=1,2.50", BAD, "score: numbers joined by commas"},
    {T, "turn 1 57 31 score=1,.5", BAD, "score: numbers"},
    {T, "turn 1 57 31 score=-0,1", BAD, "score: numbers"},
    {T, "turn 1 57 31 score=-0.5,1", GOOD, NULL},
    {T, "turn 1 57 31 score=1e3,1", BAD, "score: numbers"},
    {T, "turn 1 57 31 score=1,", BAD, "score: numbers"},
    {T, "turn 1 57 31 score=", BAD, "score: numbers"},
    {T, "turn 1 57 31 score=1000000000001", BAD, "score: numbers"},
    {T, "game 1 1 attempt=0 score=0,0 starter=X seed=18446744073709551615", GOOD, NULL},
    {T, "game 1 1 attempt=0 score=0,0 starter=X seed=18446744073709551616", BAD, "seed: a 64-bit"},
    {T, "game 1 1 attempt=0 score=0,0 starter=X seed=-1", BAD, "seed: a 64-bit number"},
    {T, "match 1 U1 1 variant=tavla seat=X match=5", GOOD, NULL},
    {T, "match 1 U1 1 variant=tavla seat=X match=five", BAD, "match: the rule has no value five"},
    {T, "match 1 U1 1 variant=tavla seat=X match=5 match=5", BAD, "match: stands twice"},
    {T, "match 1 U1 1 variant=tavla seat=X no_such_rule=5", GOOD, NULL},
    {T, "ping", GOOD, NULL},
    {T, "ping id=7", GOOD, NULL},
};

#define PLAY "{\"type\":\"play\",\"table\":1,\"serial\":57,"
#define TURN "{\"type\":\"turn\",\"table\":1,\"serial\":57,\"dice\":[3,1],"
#define HELLO "{\"type\":\"hello\",\"hakem\":1,\"name\":\"a\","
#define MATCH                                                                             \
    "{\"type\":\"match\",\"table\":1,\"unit\":\"U1\",\"leg\":1,\"variant\":\"tavla\"," \
    "\"seat\":\"X\","

static const struct line_case json_cases[] = {
    {J, "", BLANK, NULL},
    {J, " \t\r", BLANK, NULL},
    {J, "\xEF\xBB\xBF{\"type\":\"ping\"}\r", GOOD, NULL},
    {J, " { \"type\" : \"ping\" } ", GOOD, NULL},
    {J, "hello hakem=1 name=a", BAD, "column 1"},
    {J, "{", BAD, "column 2"},
    {J, "[1]", BAD, "an object {...} is wanted"},
    {J, "\"ping\"", BAD, "an object {...} is wanted"},
    {J, "null", BAD, "an object {...} is wanted"},
    {J, "{}", BAD, "type is missing"},
    {J, "{\"Type\":\"ping\"}", BAD, "type is missing"},
    {J, "{\"type\":1}", BAD, "type: a string is wanted"},
    {J, "{\"type\":null}", BAD, "type: a string is wanted"},
    {J, "{\"type\":\"Ping\"}", UNKNOWN, "Ping"},
    {J, "{\"type\":\"\\u001b[31m\"}", UNKNOWN, "\\x1b[31m"},
    {J, "{\"type\":\"\"}", UNKNOWN, ""},
    /* the traps of the parser underneath */
    {J, "{\"type\":\"ping\"} x", BAD, "column 17"},
    {J, "{\"type\":\"ping\"}{\"type\":\"ping\"}", BAD, "column 16"},
    {J, "{\"type\":\"ping\",\"id\":\"a\\u0000b\"}", BAD, "\\u0000"},
    {J, "{\"type\":\"ping\",\"id\":\"a\x01""b\"}", BAD, "control byte"},
    {J, "{\"type\":\"ping\",\"id\":\"\xC0\xAF\"}", BAD, "UTF-8"},
    {J, "{\"type\":\"ping\",\"id\":\"\xED\xA0\x80\"}", BAD, "UTF-8"},
    {J, "{\"type\":\"ping\",\"id\":\"\xFF\"}", BAD, "UTF-8"},
    {J, "{\"type\":\"ping\",\"id\":\"\\ud800\"}", BAD, NULL},
    {J, "{\"type\":\"ping\",\"id\":\"\\ud83c\\udfb2\"}", GOOD, NULL},
    {J, "{\"type\":\"ping\",\"type\":\"pong\"}", BAD, "twice"},
    {J, "{\"type\":\"ping\",\"x\":1,\"x\":2}", BAD, "twice"},
    {J, "{\"type\":\"ping\",\"\\u0074ype\":\"pong\"}", BAD, "twice"},
    {J, "{\"type\":\"ping\",\"x\":1e400}", BAD, NULL},
    {J, "{\"type\":\"ping\",\"x\":01}", BAD, NULL},
    {J, "{\"type\":\"ping\",\"x\":1.}", BAD, NULL},
    {J, "{\"type\":\"ping\",\"x\":NaN}", BAD, NULL},
    {J, "{\"type\":\"ping\",}", BAD, NULL},
    {J, "{\"type\":\"ping\",\"x\":[[[[[[[1]]]]]]]}", GOOD, NULL},
    {J, "{\"type\":\"ping\",\"x\":[[[[[[[[1]]]]]]]]}", BAD, "deep"},
    {J, "{\"type\":\"ping\",\"x\":\"\\q\"}", BAD, NULL},
    {J, "{\"type\":\"ping\",\"x\":\"open}", BAD, NULL},
    {J, "{\"type\":\"ping\",\"x\":\"\\\"}", BAD, NULL},
    {J, "{'type':'ping'}", BAD, NULL},
    {J, "{\"type\":\"ping\"} // no comments here", BAD, NULL},
    {J, "{\"1\":1,", BAD, NULL},
    /* fields */
    {J, PLAY "\"play\":\"8/5 6/5\"}", GOOD, NULL},
    {J, PLAY "\"play\":[\"8/5\",\"6/5\"]}", GOOD, NULL},
    {J, "{\"type\":\"play\",\"table\":1.0,\"serial\":5.7e1,\"play\":\"#0\"}", GOOD, NULL},
    {J, PLAY "\"play\":\"\"}", GOOD, NULL},
    {J, PLAY "\"play\":[]}", GOOD, NULL},
    {J, "{\"type\":\"play\",\"table\":1,\"serial\":57}", GOOD, NULL},
    {J, PLAY "\"play\":null}", GOOD, NULL},
    {J, PLAY "\"play\":0}", BAD, "play: a string such as"},
    {J, PLAY "\"play\":[8,5]}", BAD, "play: a string"},
    {J, PLAY "\"play\":[[\"8/5\"]]}", BAD, "play: a string"},
    {J, PLAY "\"play\":\"a=b\"}", BAD, "play: a play such"},
    {J, PLAY "\"play\":\"8/5\\n6/5\"}", BAD, "play: a play"},
    {J, "{\"type\":\"play\",\"table\":\"1\",\"serial\":57}", BAD, "table: a whole number"},
    {J, "{\"type\":\"play\",\"table\":true,\"serial\":57}", BAD, "table: a whole number"},
    {J, "{\"type\":\"play\",\"table\":[1],\"serial\":57}", BAD, "table: a whole number"},
    {J, "{\"type\":\"play\",\"table\":1.5,\"serial\":57}", BAD, "table: a whole number"},
    {J, "{\"type\":\"play\",\"table\":-1,\"serial\":57}", BAD, "table: a whole number"},
    {J, "{\"type\":\"play\",\"table\":9007199254740991,\"serial\":0}", GOOD, NULL},
    {J, "{\"type\":\"play\",\"table\":9007199254740993,\"serial\":0}", BAD, "table: a whole"},
    {J, "{\"type\":\"play\",\"table\":1e300,\"serial\":0}", BAD, "table: a whole number"},
    {J, "{\"type\":\"play\",\"Table\":1,\"serial\":0}", BAD, "play: table is missing"},
    {J, "{\"type\":\"play\",\"table\":null,\"serial\":0}", BAD, "play: table is missing"},
    {J, "{\"type\":\"hello\",\"hakem\":1,\"name\":\"a\"}", GOOD, NULL},
    {J, "{\"type\":\"hello\",\"hakem\":1,\"name\":\"a b\"}", BAD,
     "name: a word is wanted, not 'a b'"},
    {J, "{\"type\":\"hello\",\"hakem\":1,\"name\":\"\"}", BAD, "name: a word is wanted, not ''"},
    {J, "{\"type\":\"hello\",\"hakem\":1,\"name\":7}", BAD, "name: a string is wanted"},
    {J, "{\"type\":\"hello\",\"hakem\":\"1\",\"name\":\"a\"}", BAD, "hakem: a whole number"},
    {J, HELLO "\"want\":[\"position\",\"plays\"]}", GOOD, NULL},
    {J, HELLO "\"want\":\"position,plays\"}", GOOD, NULL},
    {J, HELLO "\"want\":[]}", GOOD, NULL},
    {J, HELLO "\"want\":[\"a,b\"]}", BAD, "want: an array"},
    {J, HELLO "\"want\":[\"\"]}", BAD, "want: an array"},
    {J, HELLO "\"want\":[1]}", BAD, "want: an array"},
    {J, HELLO "\"want\":{}}", BAD, "want: an array"},
    {J, "{\"type\":\"turn\",\"table\":1,\"serial\":57,\"dice\":[3,1]}", GOOD, NULL},
    {J, "{\"type\":\"turn\",\"table\":1,\"serial\":57,\"dice\":\"31\"}", GOOD, NULL},
    {J, "{\"type\":\"turn\",\"table\":1,\"serial\":57,\"dice\":[3]}", BAD, "dice: two dice"},
    {J, "{\"type\":\"turn\",\"table\":1,\"serial\":57,\"dice\":[31]}", BAD, "dice: an array"},
    {J, "{\"type\":\"turn\",\"table\":1,\"serial\":57,\"dice\":[3,7]}", BAD, "dice: an array"},
    {J, "{\"type\":\"turn\",\"table\":1,\"serial\":57,\"dice\":31}", BAD, "dice: an array"},
    {J, TURN "\"first\":true}", GOOD, NULL},
    {J, TURN "\"first\":\"yes\"}", BAD,
     "first: true or false"},
    {J, TURN "\"score\":[1,2.5]}", GOOD, NULL},
    {J, TURN "\"score\":[1,2.25]}", BAD, "score"},
    {J, TURN "\"score\":[]}", BAD, "score"},
    {J, TURN "\"score\":[1e13]}", BAD, "score"},
    {J, "{\"type\":\"unit\",\"unit\":\"U1\",\"seed\":\"18446744073709551615\"}", GOOD, NULL},
    {J, "{\"type\":\"unit\",\"unit\":\"U1\",\"seed\":9007199254740991}", GOOD, NULL},
    {J, "{\"type\":\"unit\",\"unit\":\"U1\",\"seed\":18446744073709551615}", BAD, "seed: a 64-bit"},
    {J, "{\"type\":\"unit\",\"unit\":\"U1\",\"seed\":\"x\"}", BAD, "seed: a 64-bit number"},
    {J, MATCH
        "\"match\":5,\"must_max\":false,\"bearoff\":\"exact\",\"new_rule\":[]}", GOOD, NULL},
    {J, MATCH
        "\"match\":-5}", BAD, "match: the rule has no value -5"},
};

static void check_cases(const struct line_case *cases, size_t count) {
    static struct message message;
    for (size_t i = 0; i < count; i++) {
        char why[160];
        enum decoded decoded = kit_decode(cases[i].spelling, cases[i].line,
                                          strlen(cases[i].line), &message, why);
        bool said = cases[i].why == NULL || strstr(why, cases[i].why) != NULL;
        if (!CHECK(decoded == cases[i].decoded && said, "%s case %zu",
                   cases[i].spelling == SPELLING_TEXT ? "text" : "json", i)) {
            printf("#  line: %s\n#   got: %d %s\n#  want: %d %s\n", cases[i].line, (int)decoded,
                   why, (int)cases[i].decoded, cases[i].why != NULL ? cases[i].why : "");
        }
    }
}

/* A refused line still says which table and serial it named. */
static void check_what_is_kept(void) {
    static const struct {
        enum spelling spelling;
        const char *line;
    } cases[] = {
        {T, "play 4 57 8\x01/5"},
        {T, "play 4 57 \xFF"},
        {T, "play 4 57 8/5 play=%zz"},
        {T, "play 4 57 table=5"},
        {J, "{\"type\":\"play\",\"table\":4,\"play\":[1],\"serial\":57}"},
        {J, "{\"type\":\"play\",\"play\":7,\"serial\":57,\"table\":4}"},
    };
    static struct message message;
    char why[160];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(kit_decode(cases[i].spelling, cases[i].line, strlen(cases[i].line), &message,
                         why) == DECODED_MALFORMED &&
                  message.kind == MESSAGE_PLAY && message_int(&message, FIELD_TABLE, 0) == 4 &&
                  message_int(&message, FIELD_SERIAL, 0) == 57,
              "refused, and table and serial are known, case %zu", i);
    }
    CHECK(kit_decode(J, "{\"type\":", 8, &message, why) == DECODED_MALFORMED &&
              message.kind == MESSAGE_COUNT && !message_has(&message, FIELD_TABLE),
          "a line that is no JSON names no message");
    CHECK(kit_decode(T, "play 1 2 a\0b", 12, &message, why) == DECODED_MALFORMED, "a NUL in text");
    CHECK(kit_decode(J, "{\"type\":\"ping\"\0}", 16, &message, why) == DECODED_MALFORMED,
          "a NUL in JSON");
}

/* Every line of the tables, cut at every byte, must come back as something. */
static void check_cuts(const struct line_case *cases, size_t count) {
    static struct message message;
    char why[160];
    size_t cuts = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t cut = 0; cut <= strlen(cases[i].line); cut++) {
            for (int spelling = 0; spelling < 2; spelling++) {
                enum decoded decoded =
                    kit_decode((enum spelling)spelling, cases[i].line, cut, &message, why);
                cuts += decoded <= DECODED_MALFORMED && strlen(why) < sizeof why;
            }
        }
    }
    CHECK(cuts > 2 * count, "%zu cut lines came back as something", cuts);
}

/* Fills a buffer with `head`, then `unit` again and again up to `size`, then `tail`. */
static size_t long_line(char *out, size_t size, const char *head, const char *unit,
                        const char *tail) {
    size_t length = strlen(head);
    memcpy(out, head, length);
    while (length + strlen(unit) + strlen(tail) <= size) {
        memcpy(out + length, unit, strlen(unit));
        length += strlen(unit);
    }
    memcpy(out + length, tail, strlen(tail));
    return length + strlen(tail);
}

static void check_long(void) {
    static const struct {
        enum spelling spelling;
        const char *head, *unit, *tail;
    } shapes[] = {
        {T, "play 1 2 ", "8/5 ", ""},
        {T, "play 1 2 ", "x", ""},
        {T, "hello hakem=1 name=a author=", "%20", ""},
        {T, "hello hakem=1 name=a author=", "%", ""},
        {T, "hello hakem=1 name=a ", "k=v ", ""},
        {T, "turn 1 2 31 position=", "-1,", "0"},
        {T, "", " ", ""},
        {T, "", "9", ""},
        {J, "{\"type\":\"play\",\"table\":1,\"serial\":2,\"play\":[\"8/5\"", ",\"8/5\"", "]}"},
        {J, "{\"type\":\"turn\",\"table\":1,\"serial\":2,\"dice\":[1,1],\"position\":[1", ",1e12",
         "]}"},
        {J, "{\"type\":\"ping\",\"id\":\"", "\\u00e9", "\"}"},
        {J, "{\"type\":\"ping\",\"id\":\"", "\\", "\"}"},
        {J, "{\"type\":\"ping\",\"x\":", "9", "}"},
        {J, "{\"type\":\"ping\",\"x\":", "[", "}"},
        {J, "{\"type\":\"ping\",\"x\":[1", ",1", "]}"},
        {J, "", " ", ""},
        {J, "{\"type\":\"ping\"", ",\"x\":1", "}"},
    };
    static struct message message;
    static char line[ROOM];
    char why[160];
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        int came = 0;
        for (size_t size = 1024; size <= 65536; size *= 2) {
            size_t length = long_line(line, size, shapes[i].head, shapes[i].unit, shapes[i].tail);
            came += kit_decode(shapes[i].spelling, line, length, &message, why) <=
                    DECODED_MALFORMED;
        }
        CHECK_INT(came, 7, "lines of 1 to 64 KiB came back");
    }
    size_t length = long_line(line, 65536, "hello hakem=1 name=a author=", "x", "");
    CHECK(kit_decode(T, line, length, &message, why) == DECODED_MALFORMED &&
              strcmp(why, "the line holds too much") == 0,
          "a value beyond the message's room");
}

/* Three lists that grow on their way from JSON to text must not overrun the room. */
static void check_growth(void) {
    static const char *const keys[] = {"position", "score", "off", "reserve"};
    static struct message message;
    static char line[ROOM];
    size_t length = (size_t)snprintf(line, sizeof line,
                                     "{\"type\":\"turn\",\"table\":1,\"serial\":2,\"dice\":[1,1]");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        length += (size_t)snprintf(line + length, sizeof line - length, ",\"%s\":[1e12", keys[i]);
        for (int item = 1; item < 512; item++) {
            length += (size_t)snprintf(line + length, sizeof line - length, ",1e12");
        }
        length += (size_t)snprintf(line + length, sizeof line - length, "]");
    }
    line[length++] = '}';
    char why[160];
    CHECK(length < JSON_LINE_MAX, "the line is within the limit");
    CHECK(kit_decode(J, line, length, &message, why) == DECODED_MALFORMED &&
              strcmp(why, "the line holds too much") == 0,
          "what grows beyond the room is refused (%s)", why);
}

/* A line without '=' is read in a plain way; with an unknown key behind it, word by word. */
static void check_plain(void) {
    enum { LINES = 200000, WORDS = 6 };
    static const char *const words[] = {"play", "did", "plays", "ready", "turn", "ping", "1", "57",
                                        "0", "X", "31", "double", "8/5", "6/5*", "bar/20", "#0",
                                        "24/20(2)", "pass", "%20", "\xC3\xBC", "x\x01", "\xFF"};
    static const char *const gaps[] = {" ", " ", " ", "  ", "\t", " \t "};
    static struct message plain, keyed;
    uint64_t state = 12;
    int same = 0, good = 0;
    for (int i = 0; i < LINES; i++) {
        char line[256], why[160];
        size_t length = 0;
        for (int n = 4 + kit_below(&state, WORDS); n >= 0; n--) { /* all positional ones */
            length += (size_t)snprintf(line + length, sizeof line - length, "%s%s",
                                       KIT_PICK(&state, words), KIT_PICK(&state, gaps));
        }
        enum decoded one = kit_decode(T, line, length, &plain, why);
        length += (size_t)snprintf(line + length, sizeof line - length, " mood=good");
        enum decoded two = kit_decode(T, line, length, &keyed, why);
        bool alike = one == two && (one == UNKNOWN || kit_same(&plain, &keyed));
        same += alike;
        good += one == GOOD;
        if (!alike) {
            printf("# %s\n", line);
        }
    }
    CHECK_INT(same, LINES, "a plain line is read as one with a key is");
    CHECK(good > 100, "%d of them are messages", good);
}

int main(void) {
    size_t text_count = sizeof text_cases / sizeof text_cases[0];
    size_t json_count = sizeof json_cases / sizeof json_cases[0];
    check_cases(text_cases, text_count);
    check_cases(json_cases, json_count);
    check_what_is_kept();
    check_cuts(text_cases, text_count);
    check_cuts(json_cases, json_count);
    check_plain();
    check_long();
    check_growth();
    return check_done();
}
