/* Texts of recorded dice: what is read, and how the rest is refused. */
#include "check.h"

#include "dice/throws.h"

#include <string.h>

static void test_read(void) {
    static const char text[] = "# table 4, camera 2\r\nunit 52 33\t61\n\n11#tie\n unit\n66";
    struct throws throws;
    char why[THROWS_WHY_MAX] = "";
    uint32_t count;
    CHECK(throws_read(&throws, text, strlen(text), why) == 0, "it is read: %s", why);
    CHECK_INT(throws.units, 2, "two units");
    const struct roll *roll = throws_of_unit(&throws, 1, &count);
    CHECK_INT(count, 4, "the first has four throws");
    CHECK(roll[0].die[0] == 5 && roll[0].die[1] == 2, "in thrown order");
    CHECK(roll[3].die[0] == 1 && roll[3].die[1] == 1, "a comment ends a word");
    roll = throws_of_unit(&throws, 2, &count);
    CHECK(count == 1 && roll[0].die[0] == 6, "the second has one");
    CHECK(throws_of_unit(&throws, 3, &count) == NULL && count == 0, "there is no third");
    CHECK(throws_of_unit(&throws, 0, &count) == NULL, "nor one before the first");
    struct hash hash = hash_bytes(text, strlen(text));
    CHECK(hash_same(&hash, &throws.hash), "the hash is that of the bytes");
    throws_clear(&throws);
}

static void test_refused(void) {
    static const char *const rows[][2] = {
        {"52 70", "line 1, column 4: \"70\" is no throw: two digits from 1 to 6, such as 52"},
        {"52\n  5", "line 2, column 3: \"5\" is no throw: two digits from 1 to 6, such as 52"},
        {"523", "line 1, column 1: \"523\" is no throw: two digits from 1 to 6, such as 52"},
        {"Unit 52", "line 1, column 1: \"Unit\" is no throw: two digits from 1 to 6, such as 52"},
        {"5\0012", "line 1, column 1: \"5\" is no throw: two digits from 1 to 6, such as 52"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct throws throws;
        char why[THROWS_WHY_MAX] = "";
        int status = throws_read(&throws, rows[i][0], strlen(rows[i][0]), why);
        CHECK(status != 0, "row %d is refused", (int)i);
        CHECK_TEXT(why, rows[i][1], "with a sentence");
    }
}

/* As many units as a text can hold. */
static void test_dense(void) {
    char text[7 * 1000 + 1];
    struct throws throws;
    char why[THROWS_WHY_MAX] = "";
    for (int i = 0; i < 1000; i++) {
        memcpy(text + (size_t)i * 7, "unit 12", 7);
    }
    CHECK(throws_read(&throws, text, 7, why) == 0, "one: %s", why);
    throws_clear(&throws);
    CHECK(throws_read(&throws, text, 7000, why) != 0, "12unit is no word");
    for (int i = 1; i < 1000; i++) {
        memcpy(text + (size_t)i * 7, "\nunit 2", 7);
    }
    CHECK(throws_read(&throws, text, 14, why) != 0, "2 is no throw");
}

/* What is added comes back, in any order of units, some of them without throws. */
static void test_added(void) {
    static const struct roll rolls[] = {{{5, 2}}, {{3, 3}}, {{6, 1}}, {{4, 4}}};
    static const uint32_t units[] = {2, 4, 2, 1};
    struct throws throws = {.count = 0}, again;
    struct bytes text;
    char why[THROWS_WHY_MAX] = "";
    uint32_t count;
    bytes_init(&text, 1000);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        throws_add(&throws, units[i], rolls[i]);
    }
    throws_write(&throws, &text);
    CHECK(throws_read(&again, text.data, text.length, why) == 0 && again.units == 4 &&
              again.count == 4,
          "what was written is read: %s", why);
    const struct roll *second = throws_of_unit(&again, 2, &count);
    CHECK(count == 2 && second[0].die[0] == 5 && second[1].die[0] == 6, "unit 2 has two throws");
    throws_of_unit(&again, 3, &count);
    CHECK(count == 0, "unit 3 has none");
    throws_clear(&throws);
    throws_clear(&again);
    bytes_clear(&text);
    for (int flaw = 0; flaw < FLAW_COUNT; flaw++) {
        CHECK_INT(throw_flaw_find(throw_flaw_name((enum throw_flaw)flaw)), flaw, "a flaw's word");
    }
    CHECK(throw_flaw_find("cocked") < 0, "another word is none");
}

int main(void) {
    CHECK(dice_init() == 0, "the library is ready");
    test_read();
    test_refused();
    test_dense();
    test_added();
    return check_done();
}
