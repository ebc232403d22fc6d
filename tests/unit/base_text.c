#include "base/text.h"

#include "check.h"

#include <stdlib.h>

static void test_numbers(void) {
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } rows[] = {
        {"0", true, 0},
        {"7", true, 7},
        {"18446744073709551615", true, UINT64_MAX},
        {"18446744073709551616", false, 0},
        {"99999999999999999999", false, 0},
        {"", false, 0},
        {"01", false, 0},
        {"00", false, 0},
        {"-1", false, 0},
        {"+1", false, 0},
        {"1 ", false, 0},
        {" 1", false, 0},
        {"1x", false, 0},
        {"0x1", false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t value = 0;
        bool good = text_u64(rows[i].text, strlen(rows[i].text), &value);
        CHECK(good == rows[i].good && value == rows[i].value, "u64 \"%s\"", rows[i].text);
    }
    int64_t value;
    CHECK(text_i64("-9223372036854775808", 20, INT64_MIN, INT64_MAX, &value) && value == INT64_MIN,
          "the smallest i64");
    CHECK(!text_i64("-9223372036854775809", 20, INT64_MIN, INT64_MAX, &value), "one below it");
    CHECK(text_i64("9223372036854775807", 19, 0, INT64_MAX, &value) && value == INT64_MAX,
          "the largest i64");
    CHECK(!text_i64("9223372036854775808", 19, 0, INT64_MAX, &value), "one above it");
    CHECK(text_i64("-5", 2, -5, 5, &value) && value == -5, "the lower bound is in");
    CHECK(!text_i64("-6", 2, -5, 5, &value) && !text_i64("6", 1, -5, 5, &value), "beyond is out");
    CHECK(!text_i64("-", 1, -5, 5, &value) && !text_i64("--1", 3, -5, 5, &value), "lone signs");
    CHECK(text_u64("123456", 3, &(uint64_t){0}), "only the given length is read");
}

static void test_times(void) {
    static const struct {
        const char *text;
        int64_t millis; /* -1: refused */
    } rows[] = {
        {"250", 250},
        {"250ms", 250},
        {"5s", 5000},
        {"2m", 120000},
        {"1h", 3600000},
        {"0", 0},
        {"", -1},
        {"s", -1},
        {"5 s", -1},
        {"5d", -1},
        {"-5s", -1},
        {"5.5s", -1},
        {"5S", -1},
        {"9223372036854775807", INT64_MAX},
        {"9223372036854775807s", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t millis = -1;
        text_millis(rows[i].text, strlen(rows[i].text), &millis);
        CHECK(millis == rows[i].millis, "time \"%s\"", rows[i].text);
    }
}

static void test_hex(void) {
    static const unsigned char bytes[] = {0x00, 0x7F, 0x80, 0xFF, 0x0A};
    char hex[11];
    unsigned char back[5] = {0};
    text_hex(bytes, sizeof bytes, hex);
    CHECK_TEXT(hex, "007f80ff0a", "bytes as hex");
    CHECK(text_unhex("007F80fF0a", 10, back, 5) && memcmp(back, bytes, 5) == 0, "hex of any case");
    CHECK(!text_unhex("007f80ff0", 9, back, 5), "a digit is missing");
    CHECK(!text_unhex("007f80ff0a00", 12, back, 5), "two digits are too many");
    CHECK(!text_unhex("007f80ff0g", 10, back, 5), "g is no digit");
    CHECK(text_unhex("", 0, back, 0), "no bytes of no text");
}

static void test_escape(void) {
    char out[64];
    CHECK_TEXT(text_escape("plain <b>", 9, out, sizeof out), "plain <b>", "printable stays");
    CHECK_TEXT(text_escape("a\n\x1b\\\xc5\x9f", 6, out, sizeof out), "a\\x0a\\x1b\\\\\\xc5\\x9f",
               "everything else is escaped");
    CHECK_TEXT(text_escape("12345678", 8, out, 9), "12345678", "a text that just fits");
    CHECK_TEXT(text_escape("123456789", 9, out, 9), "12345...", "one that does not is cut");
    CHECK_TEXT(text_escape("1234\n6789", 9, out, 9), "1234...", "never within an escape");
    CHECK_TEXT(text_escape("a\0b", 3, out, sizeof out), "a\\x00b", "NUL is a byte like others");
    bool inside = true;
    for (size_t room = 1; room < 20; room++) {
        memset(out, '#', sizeof out);
        text_escape("\x01\x02xyz\x03\x04", 7, out, room);
        inside = inside && strlen(out) < room && out[room] == '#';
    }
    CHECK(inside, "nothing is written past any room");
}

static void test_utf8(void) {
    static const struct {
        const char *text;
        size_t length;
        bool good;
        const char *name;
    } rows[] = {
        {"tavla", 5, true, "ASCII"},
        {"\xc5\x9f\xe2\x82\xba\xf0\x9f\x8e\xb2", 9, true, "two, three and four bytes"},
        {"\xf4\x8f\xbf\xbf", 4, true, "the last code point"},
        {"\xf4\x90\x80\x80", 4, false, "one beyond it"},
        {"\xc0\xaf", 2, false, "overlong two"},
        {"\xc1\xbf", 2, false, "overlong two, last"},
        {"\xe0\x9f\xbf", 3, false, "overlong three"},
        {"\xf0\x8f\xbf\xbf", 4, false, "overlong four"},
        {"\xed\x9f\xbf", 3, true, "before the surrogates"},
        {"\xed\xa0\x80", 3, false, "a surrogate"},
        {"\xee\x80\x80", 3, true, "behind the surrogates"},
        {"\xf5\x80\x80\x80", 4, false, "a lead byte that does not exist"},
        {"\x80", 1, false, "a lone continuation"},
        {"\xc5", 1, false, "cut after one of two"},
        {"\xe2\x82", 2, false, "cut after two of three"},
        {"\xf0\x9f\x8e", 3, false, "cut after three of four"},
        {"\xc5\xc5", 2, false, "a lead byte for a continuation"},
        {"a\nb", 3, false, "LF"},
        {"a\x7f", 2, false, "DEL"},
        {"\xc2\x9b", 2, false, "a C1 control"},
        {"\xc2\xa0", 2, true, "the first behind C1"},
        {"a\0", 2, false, "NUL"},
        {"", 0, true, "nothing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        /* An exact heap copy lets the sanitizer see a read beyond the end. */
        char *copy = malloc(rows[i].length + 1);
        memcpy(copy, rows[i].text, rows[i].length);
        copy = realloc(copy, rows[i].length > 0 ? rows[i].length : 1);
        CHECK(text_is_utf8(copy, rows[i].length) == rows[i].good, "utf-8: %s", rows[i].name);
        free(copy);
    }
}

static void test_names(void) {
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"solid", true},
        {"Solid-2.1_b", true},
        {"9", true},
        {"a1234567890123456789012345678901", true},
        {"a12345678901234567890123456789012", false},
        {"", false},
        {"-a", false},
        {".a", false},
        {"_a", false},
        {"a b", false},
        {"a/b", false},
        {"a'b", false},
        {"<img", false},
        {"\xc5\x9f", false},
        {"all", false},
        {"Any", false},
        {"NONE", false},
        {"hakem", false},
        {"Referee", false},
        {"referee2", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(text_is_name(rows[i].text, strlen(rows[i].text)) == rows[i].good, "name \"%s\"",
              rows[i].text);
    }
    CHECK(text_same_fold("Tavla", 5, "tAVLA", 5), "case is nothing");
    CHECK(!text_same_fold("Tavla", 5, "Tavl", 4), "length is something");
    CHECK(!text_same_fold("[", 1, "{", 1), "only letters fold");
}

static void test_nearest(void) {
    static const char *const words[] = {"pairs", "games", "store", "seed", "variant"};
    CHECK_TEXT(text_nearest("pairz", words, 5), "pairs", "one letter changed");
    CHECK_TEXT(text_nearest("stroe", words, 5), "store", "two letters swapped");
    CHECK_TEXT(text_nearest("varient", words, 5), "variant", "near in the middle");
    CHECK_TEXT(text_nearest("SEED", words, 5), "seed", "case is no distance");
    CHECK(text_nearest("concurrency", words, 5) == NULL, "nothing is near");
    static const char *const commands[] = {"run", "duel", "show", "log"};
    CHECK_TEXT(text_nearest("dual", commands, 4), "duel", "one letter of four");
    CHECK_TEXT(text_nearest("shwo", commands, 4), "show", "two places of four");
    CHECK(text_nearest("frob", commands, 4) == NULL, "one letter of three in common is not near");
    CHECK(text_nearest("bogus", commands, 4) == NULL, "nor two of five");
    CHECK(text_nearest("x", words, 5) == NULL, "a short word is not near to all");
    CHECK(text_nearest("", words, 5) == NULL, "an empty word is near to none");
    char lengthy[201];
    memset(lengthy, 'p', 200);
    lengthy[200] = '\0';
    CHECK(text_nearest(lengthy, words, 5) == NULL, "an endless word is near to none");
}

static void test_split(void) {
    static const struct {
        const char *command;
        const char *words; /* joined by '|', NULL: refused */
    } rows[] = {
        {"./bot", "./bot"},
        {"  python3   b.py\t-x ", "python3|b.py|-x"},
        {"'a b' \"c d\"", "a b|c d"},
        {"a'b 'c\" d\"", "ab c d"},
        {"a\\ b \\'", "a b|'"},
        {"\"a\\\"b\\\\c\\d\"", "a\"b\\c\\d"},
        {"'a\\b'", "a\\b"},
        {"x '' y", "x||y"},
        {"$HOME *.c ;|", "$HOME|*.c|;|"},
        {"a b c d e f", "a|b|c|d|e|f"},
        {"", NULL},
        {"  \t ", NULL},
        {"a 'b", NULL},
        {"a \"b", NULL},
        {"a \\", NULL},
        {"\"a\\", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char **words = text_split_command(rows[i].command);
        char joined[256] = "";
        size_t at = 0;
        for (size_t w = 0; words != NULL && words[w] != NULL; w++) {
            at += (size_t)snprintf(joined + at, sizeof joined - at, "%s%s", w > 0 ? "|" : "",
                                   words[w]);
        }
        bool good = words == NULL ? rows[i].words == NULL
                                  : rows[i].words != NULL && strcmp(joined, rows[i].words) == 0;
        CHECK(good, "split <%s> gives <%s>", rows[i].command, words != NULL ? joined : "nothing");
        free(words);
    }
}

static void test_utc(void) {
    char out[32];
    text_utc(0, out);
    CHECK_TEXT(out, "1970-01-01T00:00:00Z", "the first second");
    text_utc(1796064589, out);
    CHECK_TEXT(out, "2026-11-30T18:49:49Z", "a second of 2026");
    text_utc(INT64_MAX, out);
    CHECK_TEXT(out, "", "a time that no calendar has");
}

static void test_copy(void) {
    char out[6];
    text_copy(out, sizeof out, "yarin", 5);
    CHECK_TEXT(out, "yarin", "a text that fits is copied whole");
    text_copy(out, sizeof out, "abc\xC4\xB1x", 6);
    CHECK_TEXT(out, "abc\xC4\xB1", "what does not fit is left out");
    text_copy(out, 5, "abc\xC4\xB1x", 6);
    CHECK_TEXT(out, "abc", "no character is cut in two");
    text_copy(out, sizeof out, "ab\xFFz", 4);
    CHECK_TEXT(out, "ab", "it ends before what is no UTF-8");
    CHECK(text_same_name("Anka", "aNKA") && !text_same_name("anka", "ankara"),
          "names are the same whatever their case");
}

static void test_copy_words(void) {
    static const struct {
        const char *list, *want;
        size_t room;
    } rows[] = {{"", "", 1},          {"", "", 6},          {"a,bc", "a,bc", 6},
                {"ab,cd", "ab,cd", 6}, {"ab,cde", "ab", 6}, {"a,b,cde", "a,b", 6},
                {"abcdef", "", 6},     {"abcdef,g", "", 6}, {"a,b", "", 1}};
    char out[6];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text_copy_words(out, rows[i].room, rows[i].list);
        CHECK_TEXT(out, rows[i].want, rows[i].list);
    }
}

int main(void) {
    test_copy();
    test_copy_words();
    test_numbers();
    test_times();
    test_hex();
    test_escape();
    test_utf8();
    test_names();
    test_nearest();
    test_split();
    test_utc();
    return check_done();
}
