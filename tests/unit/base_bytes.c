#include "base/bytes.h"

#include "check.h"

static void test_growth(void) {
    struct bytes bytes;
    bytes_init(&bytes, 1000);
    CHECK_TEXT(bytes_text(&bytes), "", "an empty buffer reads as an empty text");
    bool good = true;
    for (int i = 0; i < 100; i++) {
        good = good && bytes_add(&bytes, "0123456789", 10);
    }
    CHECK(good && bytes.length == 1000, "a buffer grows to its ceiling exactly");
    CHECK(!bytes.full, "and is not yet full");
    CHECK(!bytes_add(&bytes, "x", 1) && bytes.length == 1000 && bytes.full,
          "one byte more adds nothing and marks it full");
    CHECK(bytes_add(&bytes, "", 0), "nothing still fits");
    CHECK_INT(strlen(bytes_text(&bytes)), 1000, "the text view ends behind the last byte");
    CHECK(bytes.data[0] == '0' && bytes.data[999] == '9', "the bytes are in order");
    bytes_drop(&bytes, 995);
    CHECK_TEXT(bytes_text(&bytes), "56789", "dropping takes from the front");
    bytes_drop(&bytes, 5);
    CHECK_TEXT(bytes_text(&bytes), "", "dropping everything leaves nothing");
    bytes_clear(&bytes);
    CHECK(bytes.data == NULL && bytes.ceiling == 1000 && !bytes.full,
          "a cleared buffer is as new, with its ceiling");
}

static void test_print(void) {
    struct bytes bytes;
    bytes_init(&bytes, 100);
    CHECK(bytes_print(&bytes, "%d-%s", 7, "seven"), "printing into a new buffer");
    CHECK(bytes_add_text(&bytes, "; "), "adding a text");
    CHECK(bytes_print(&bytes, "%070d", 1), "printing past the room that is there");
    CHECK_INT(bytes.length, 79, "counts all of it");
    CHECK(!bytes_print(&bytes, "%022d", 1) && bytes.length == 79 && bytes.full,
          "printing past the ceiling adds nothing");
    CHECK(bytes_print(&bytes, "%021d", 1) && bytes.length == 100, "printing up to the ceiling");
    bytes_clear(&bytes);
}

static void test_ceiling_in_room(void) {
    struct bytes bytes;
    bytes_init(&bytes, 3); /* the first room is larger than this ceiling */
    CHECK(bytes_add_text(&bytes, "ab"), "two of three bytes");
    CHECK(!bytes_print(&bytes, "cd") && bytes.length == 2,
          "printing minds a ceiling below the room");
    CHECK(bytes_print(&bytes, "c"), "the third byte fits");
    CHECK_TEXT(bytes_text(&bytes), "abc", "and is there");
    bytes_clear(&bytes);
}

static void test_reserve(void) {
    struct bytes bytes;
    bytes_init(&bytes, 10);
    char *room = bytes_reserve(&bytes, 10);
    CHECK(room != NULL, "room for all there may be");
    memcpy(room, "abcdefghij", 10);
    bytes_took(&bytes, 4);
    CHECK_TEXT(bytes_text(&bytes), "abcd", "only what was taken counts");
    CHECK(bytes_reserve(&bytes, 7) == NULL && bytes.full, "no room past the ceiling");
    bytes_clear(&bytes);
}

int main(void) {
    test_growth();
    test_print();
    test_ceiling_in_room();
    test_reserve();
    return check_done();
}
