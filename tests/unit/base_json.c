#include "base/json.h"

#include "base/bytes.h"
#include "check.h"

#include <stdlib.h>
#include <time.h>

/* Parses from a heap copy of exact size, so that a sanitizer sees any read beyond it. */
static struct cJSON *parse(const char *text, size_t length, const struct json_limits *limits,
                           struct fail *fail) {
    char *copy = malloc(length > 0 ? length : 1);
    memcpy(copy, text, length);
    struct cJSON *json = json_parse(copy, length, limits, fail);
    free(copy);
    return json;
}

struct refusal {
    const char *text;
    const char *why; /* "" : it is good */
};

/* One row per trap of cJSON, and per rule of the grammar (wire limits). */
static const struct refusal refusals[] = {
    {"{}", ""},
    {" [ ] \r\n\t", ""},
    {"\"\"", ""},
    {"-0", ""},
    {"-12.5e+3", ""},
    {"0.5E-2", ""},
    {"[true,false,null]", ""},
    {"{\"a\":{\"a\":1},\"b\":{\"a\":2}}", ""},
    {"\"\\u015f \\ud83c\\udfb2 \\\"\\\\\\/\\b\\f\\n\\r\\t\"", ""},
    {"{} {}", "line 1, column 4: something stands behind the end of the value"},
    {"{}x", "line 1, column 3: something stands behind the end of the value"},
    {"1 2", "line 1, column 3: something stands behind the end of the value"},
    {"", "line 1, column 1: the text ends where a value should stand"},
    {"\n ", "line 2, column 2: the text ends where a value should stand"},
    {"\"a\\u0000b\"", "line 1, column 3: \\u0000 is not allowed"},
    {"\"a\tb\"", "line 1, column 3: a line end or tab within a string: write \\n or \\t"},
    {"\"a\nb\"", "line 1, column 3: a line end or tab within a string: write \\n or \\t"},
    {"\"a\x01\"", "line 1, column 3: a control byte"},
    {"{\x0b}", "line 1, column 2: a control byte"},
    {"\"\xc0\xaf\"", "line 1, column 2: a byte that is not UTF-8"},
    {"\"\xed\xa0\x80\"", "line 1, column 2: a byte that is not UTF-8"},
    {"\"\xc5\"", "line 1, column 2: a byte that is not UTF-8"},
    {"\"\xff\"", "line 1, column 2: a byte that is not UTF-8"},
    {"\xef\xbb\xbf{}", "line 1, column 1: a byte order mark: save the text without one"},
    {"\"\\ud83c\"", "line 1, column 2: half of a surrogate pair"},
    {"\"\\udfb2\"", "line 1, column 2: half of a surrogate pair"},
    {"\"\\ud83c\\u0041\"", "line 1, column 2: half of a surrogate pair"},
    {"\"\\ud83c\\ud83c\"", "line 1, column 2: half of a surrogate pair"},
    {"\"\\u12\"", "line 1, column 2: \\u needs four hex digits"},
    {"\"\\u12g4\"", "line 1, column 2: \\u needs four hex digits"},
    {"\"\\x41\"", "line 1, column 2: an escape that JSON does not have"},
    {"\"\\", "line 1, column 2: an escape that JSON does not have"},
    {"\"abc", "line 1, column 5: the text ends within a string"},
    {"{\"a\":1,\"b\":2,\"a\":3}", "line 1, column 14: a key that stands twice in this object"},
    {"{\"a\":1,\"\\u0061\":3}", "line 1, column 8: a key that stands twice in this object"},
    {"{\"\xc5\x9f\":1,\n\"\\u015f\":3}",
     "line 2, column 1: a key that stands twice in this object"},
    {"{\"\xf0\x9f\x8e\xb2\":1,\"\\ud83c\\udfb2\":3}",
     "line 1, column 8: a key that stands twice in this object"},
    {"{\"\\\"\":1,\"\":2,\"A\":3,\"a\":4}", ""},
    {"1e400", "line 1, column 1: a number that is too large"},
    {"[1,-1e999]", "line 1, column 4: a number that is too large"},
    {"1111111111222222222233333333334444444444555555555566666666667777",
     "line 1, column 1: a number of more than 63 characters"},
    {"111111111122222222223333333333444444444455555555556666666666777", ""},
    {"01", "line 1, column 1: a number with a leading zero"},
    {"-01", "line 1, column 1: a number with a leading zero"},
    {"[00]", "line 1, column 2: a number with a leading zero"},
    {"1.", "line 1, column 1: a number that JSON does not have"},
    {"1.e5", "line 1, column 1: a number that JSON does not have"},
    {"1e", "line 1, column 1: a number that JSON does not have"},
    {"1e+", "line 1, column 1: a number that JSON does not have"},
    {"-", "line 1, column 1: a number that JSON does not have"},
    {"-x", "line 1, column 1: a number that JSON does not have"},
    {"+1", "line 1, column 1: no value of JSON begins like this"},
    {".5", "line 1, column 1: no value of JSON begins like this"},
    {"0x10", "line 1, column 2: something stands behind the end of the value"},
    {"NaN", "line 1, column 1: no value of JSON begins like this"},
    {"True", "line 1, column 1: no value of JSON begins like this"},
    {"tru", "line 1, column 1: no value of JSON begins like this"},
    {"'a'", "line 1, column 1: no value of JSON begins like this"},
    {"{\"a\" 1}", "line 1, column 6: a colon should stand behind the key"},
    {"{\"a\":}", "line 1, column 6: no value of JSON begins like this"},
    {"{\"a\":1,}", "line 1, column 8: a key in double quotes should stand here"},
    {"{\"1\":1,", "line 1, column 8: a key in double quotes should stand here"},
    {"{a:1}", "line 1, column 2: a key in double quotes should stand here"},
    {"{\"a\":1", "line 1, column 7: a comma or } should stand here"},
    {"{\"a\":1]", "line 1, column 7: a comma or } should stand here"},
    {"[1", "line 1, column 3: a comma or ] should stand here"},
    {"[1 2]", "line 1, column 4: a comma or ] should stand here"},
    {"[1,]", "line 1, column 4: no value of JSON begins like this"},
    {"[", "line 1, column 2: the text ends where a value should stand"},
    {"[[[[[[[[]]]]]]]]", ""},
    {"[[[[[[[[[]]]]]]]]]", "line 1, column 9: brackets nested too deep"},
    {"{} // note", "line 1, column 4: something stands behind the end of the value"},
    {"/* a */ {}", "line 1, column 1: no value of JSON begins like this"},
};

static void test_refusals(void) {
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct fail fail = {0};
        struct cJSON *json =
            parse(refusals[i].text, strlen(refusals[i].text), &json_limits_wire, &fail);
        CHECK_TEXT(fail.text, refusals[i].why, refusals[i].why[0] ? refusals[i].why : "good JSON");
        CHECK((json == NULL) == (refusals[i].why[0] != '\0'), "and the tree agrees (row %zu)", i);
        json_free(json);
    }
    struct fail fail = {0};
    CHECK(parse("\"a\0b\"", 5, &json_limits_wire, &fail) == NULL, "a raw NUL is refused");
    CHECK_TEXT(fail.text, "line 1, column 3: a control byte", "as a control byte");
    CHECK(parse("{}\0", 3, &json_limits_wire, &fail) == NULL, "a NUL behind the value as well");
}

/* Every beginning of a good text is either refused or, at the end, good. */
static void test_truncations(void) {
    static const char text[] =
        "{\"k\\u0061\":[1.5e2,-0,true,null,\"\\ud83c\\udfb2\xc5\x9f\\n\"],\"b\":{}}";
    bool refused = true;
    for (size_t length = 0; length < sizeof text - 1; length++) {
        struct fail fail = {0};
        struct cJSON *json = parse(text, length, &json_limits_wire, &fail);
        refused = refused && json == NULL && fail.code == EXIT_CODE_USAGE;
        json_free(json);
    }
    CHECK(refused, "each of %zu truncations is refused", sizeof text - 1);
    struct fail fail;
    struct cJSON *json = parse(text, sizeof text - 1, &json_limits_wire, &fail);
    CHECK(json != NULL, "the whole is good");
    json_free(json);
}

/* `count` times an item between brackets. */
static struct cJSON *parse_many(int count, bool object, const struct json_limits *limits,
                                struct fail *fail) {
    struct bytes bytes;
    bytes_init(&bytes, 1 << 20);
    bytes_add_text(&bytes, object ? "{" : "[");
    for (int i = 0; i < count; i++) {
        bytes_print(&bytes, object ? "%s\"k%d\":0" : "%s%d", i > 0 ? "," : "", i);
    }
    bytes_add_text(&bytes, object ? "}" : "]");
    struct cJSON *json = parse(bytes.data, bytes.length, limits, fail);
    bytes_clear(&bytes);
    return json;
}

static void test_limits(void) {
    static const struct {
        int count;
        bool object;
        const struct json_limits *limits;
        bool good;
    } rows[] = {
        {96, true, &json_limits_wire, true},     {97, true, &json_limits_wire, false},
        {512, false, &json_limits_wire, true},   {513, false, &json_limits_wire, false},
        {256, true, &json_limits_file, true},    {257, true, &json_limits_file, false},
        {65536, false, &json_limits_file, true}, {65537, false, &json_limits_file, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fail fail = {0};
        struct cJSON *json = parse_many(rows[i].count, rows[i].object, rows[i].limits, &fail);
        CHECK((json != NULL) == rows[i].good, "%d %s (%s)", rows[i].count,
              rows[i].object ? "keys" : "items", rows[i].good ? "good" : fail.text);
        json_free(json);
    }
    /* The quadratic walk over items took 1.4 s at this size; ours is linear. */
    struct fail fail = {0};
    clock_t start = clock();
    struct cJSON *json = parse_many(32768, false, &json_limits_file, &fail);
    int64_t sum = 0;
    for (const struct cJSON *item = json_first(json); item != NULL; item = json_next(item)) {
        int64_t value = 0;
        json_integer(item, 0, 65536, &value);
        sum += value;
    }
    CHECK(sum == 32768LL * 32767 / 2, "a walk over 32768 items sees each once");
    CHECK(clock() - start < CLOCKS_PER_SEC, "in less than a second");
    json_free(json);
}

static void test_comments(void) {
    static const char text[] = "// an event\n"
                               "{ // opening \"brace\n"
                               "  \"url\": \"http://x//y\", // a \"quote\n"
                               "  \"n\": 7//end\n"
                               "}\n"
                               "//";
    struct fail fail = {0};
    struct cJSON *json = parse(text, sizeof text - 1, &json_limits_file, &fail);
    CHECK(json != NULL, "comments of a file are blanked %s", fail.text);
    CHECK_TEXT(json_text(json_member(json, "url")), "http://x//y", "not within a string");
    int64_t value = 0;
    CHECK(json_integer(json_member(json, "n"), 0, 9, &value) && value == 7, "the rest is read");
    json_free(json);
    static const char bad[] = "{ // \xc5\x9f\n  \"\xc5\x9f\": x }";
    CHECK(parse(bad, sizeof bad - 1, &json_limits_file, &fail) == NULL, "a fault behind one");
    CHECK_TEXT(fail.text, "line 2, column 8: no value of JSON begins like this",
               "keeps its place, in characters");
    CHECK(parse("{} // \xff", 7, &json_limits_file, &fail) == NULL, "a comment too must be UTF-8");
    CHECK_INT(json_line_of(text, sizeof text - 1, "n"), 4, "the line of a key");
    CHECK_INT(json_line_of(text, sizeof text - 1, "brace"), 0, "a word is no key");
}

static void test_language(void) {
    struct fail fail = {0};
    setenv("LC_ALL", "tr_TR.UTF-8", 1);
    parse("[1,]", 4, &json_limits_wire, &fail);
    CHECK_TEXT(fail.text, "line 1, column 4: no value of JSON begins like this",
               "the wire is always English");
    parse("[1,]", 4, &json_limits_file, &fail);
    CHECK_TEXT(fail.text, "satır 1, sütun 4: hiçbir JSON değeri böyle başlamaz",
               "a file's reader reads Turkish");
    setenv("LC_ALL", "C", 1);
}

static void test_reading(void) {
    static const char text[] =
        "{\"i\":9007199254740991,\"big\":9007199254740993,\"f\":1.5,\"t\":true,\"n\":null,"
        "\"s\":\"\\u015f\",\"a\":[1,2],\"A\":3,\"e\":1e3,\"neg\":-4}";
    struct fail fail = {0};
    struct cJSON *json = parse(text, sizeof text - 1, &json_limits_wire, &fail);
    int64_t value = 0;
    double number = 0;
    bool truth = false;
    CHECK(json_integer(json_member(json, "i"), 0, INT64_MAX, &value) && value == 9007199254740991,
          "2^53 - 1 is a whole number");
    CHECK(!json_integer(json_member(json, "big"), 0, INT64_MAX, &value),
          "2^53 + 1 lost its digits");
    CHECK(!json_integer(json_member(json, "f"), 0, 9, &value), "1.5 is not whole");
    CHECK(json_integer(json_member(json, "e"), 0, 1000, &value) && value == 1000, "1e3 is whole");
    CHECK(json_integer(json_member(json, "neg"), -4, 0, &value) && value == -4, "the bound is in");
    CHECK(!json_integer(json_member(json, "neg"), -3, 0, &value), "beyond it is out");
    CHECK(!json_integer(json_member(json, "s"), 0, 9, &value), "a string is no number");
    CHECK(!json_integer(json_member(json, "none"), 0, 9, &value), "nothing is no number");
    CHECK(json_number(json_member(json, "f"), &number) && number == 1.5, "a number as it is");
    CHECK(!json_number(json_member(json, "t"), &number), "true is no number");
    CHECK(json_boolean(json_member(json, "t"), &truth) && truth, "true is true");
    CHECK(!json_boolean(json_member(json, "i"), &truth), "a number is no boolean");
    CHECK(!json_boolean(json_member(json, "n"), &truth), "null is no boolean");
    CHECK_TEXT(json_text(json_member(json, "s")), "ş", "a string is decoded");
    CHECK(json_text(json_member(json, "i")) == NULL, "a number is no text");
    CHECK(json_is_array(json_member(json, "a")), "keys are told apart by case");
    CHECK(json_member(json, "S") == NULL, "and never found in another");
    CHECK(json_is_object(json) && !json_is_object(json_member(json, "a")), "objects and arrays");
    CHECK_TEXT(json_key(json_first(json)), "i", "the first key");
    CHECK_TEXT(json_key(json_next(json_first(json))), "big", "the next one");
    CHECK(json_key(json_first(json_member(json, "a"))) == NULL, "items have no keys");
    CHECK(json_first(json_member(json, "s")) == NULL, "a string has no children");
    json_free(json);
}

static void test_writing(void) {
    struct bytes out;
    bytes_init(&out, 1000);
    json_add_string(&out,
                    "a\"b\\c\n\t\x01\x7f"
                    "ş\0\xff<",
                    14);
    CHECK_TEXT(bytes_text(&out), "\"a\\\"b\\\\c\\n\\u0009\\u0001\\u007fş\\u0000\\ufffd<\"",
               "a string is written with escapes");
    bytes_clear(&out);
    json_add_string(&out, "tavla <b> \xf0\x9f\x8e\xb2 /", 16);
    struct fail fail = {0};
    struct cJSON *json = parse(out.data, out.length, &json_limits_wire, &fail);
    CHECK_TEXT(json_text(json), "tavla <b> \xf0\x9f\x8e\xb2 /", "and read back the same");
    json_free(json);
    bytes_clear(&out);
}

int main(void) {
    setenv("LC_ALL", "C", 1);
    test_refusals();
    test_truncations();
    test_limits();
    test_comments();
    test_language();
    test_reading();
    test_writing();
    return check_done();
}
