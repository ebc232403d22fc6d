#include "check.h"

#include "base/text.h"
#include "dice/scheme.h"
#include "record/chain.h"
#include "record/writer.h"
#include "wire/spelling.h"

/* Three lines whose digits were made with another program (Python's hashlib). */
static const char stored[] = "record 1 hakem=1 unit=U000001 79c6e45569867ca6\n"
                             "void 1 1 attempt=0 b5110322f03e01ca\n"
                             "end 1 winner=none score=0,0 e183d4607650dd40\n";

static void add_lines(struct record_writer *writer) {
    struct message message;
    message_init(&message, MESSAGE_RECORD);
    message_set_int(&message, FIELD_TABLE, 1);
    message_set_int(&message, FIELD_HAKEM, 1);
    message_set(&message, FIELD_UNIT, "U000001");
    record_add(writer, &message);
    message_init(&message, MESSAGE_VOID);
    message_set_int(&message, FIELD_TABLE, 1);
    message_set_int(&message, FIELD_GAME, 1);
    message_set_int(&message, FIELD_ATTEMPT, 0);
    record_add(writer, &message);
    message_init(&message, MESSAGE_END);
    message_set_int(&message, FIELD_TABLE, 1);
    message_set(&message, FIELD_WINNER, "none");
    message_set(&message, FIELD_SCORE, "0,0");
    record_add(writer, &message);
}

/* Lines come out with the digits of the chain, in pieces or whole. */
static void test_chain(void) {
    struct record_writer writer;
    struct record_writer other;
    record_init(&writer);
    add_lines(&writer);
    CHECK_TEXT(bytes_text(&writer.text), stored, "three lines and their digits");
    CHECK_INT(writer.lines, 3, "three lines are counted");
    record_init(&other);
    CHECK(record_resume(&other, stored, strlen(stored)) == 0, "the text is taken up again");
    CHECK(memcmp(&other.head, &writer.head, sizeof other.head) == 0 && other.lines == 3,
          "with the same head and count");
    CHECK_INT(other.text.length, 0, "and nothing to be written again");
    bytes_drop(&writer.text, writer.text.length);
    struct message message;
    message_init(&message, MESSAGE_VOID);
    message_set_int(&message, FIELD_TABLE, 1);
    message_set_int(&message, FIELD_GAME, 2);
    record_add(&writer, &message);
    record_add(&other, &message);
    CHECK_TEXT(bytes_text(&other.text), bytes_text(&writer.text),
               "the next line is the same whether the writer went on or began anew");
    record_clear(&writer);
    record_clear(&other);
}

/* Whatever is altered, cut or left out is not taken up again. */
static void test_resume(void) {
    struct record_writer writer;
    record_init(&writer);
    int refused = 0;
    int tried = 0;
    for (size_t at = 0; at < strlen(stored); at++) {
        char text[sizeof stored];
        memcpy(text, stored, sizeof stored);
        text[at] = text[at] == '1' ? '2' : '1';
        tried++;
        refused += record_resume(&writer, text, strlen(text)) != 0;
    }
    CHECK_INT(refused, tried, "a text with one other byte is refused");
    const char *second = strchr(stored, '\n') + 1;
    CHECK(record_resume(&writer, second, strlen(second)) != 0, "so is one without its header");
    CHECK(record_resume(&writer, stored, strlen(stored) - 1) != 0, "and one without its last LF");
    CHECK(record_resume(&writer, "", 0) != 0, "and none at all");
    CHECK(record_resume(&writer, "\n", 1) != 0, "and an empty line");
    CHECK_INT(writer.lines, 0, "the writer is as it was");
    record_clear(&writer);
}

/* The last line signs head and count of what stands before it. */
static void test_sign(void) {
    struct record_writer writer;
    struct sign_key key;
    sign_key_fresh(&key);
    record_init(&writer);
    add_lines(&writer);
    struct hash head = writer.head;
    bytes_drop(&writer.text, writer.text.length);
    record_sign(&writer, &key);
    struct message message;
    char why[160];
    size_t bare = 0;
    const char *line = bytes_text(&writer.text);
    CHECK(chain_cut(line, strlen(line) - 1, &bare), "the signature has its digits too");
    CHECK(spelling_decode(SPELLING_TEXT, line, bare, KEPT_IN_RECORD, &message, why) ==
                  DECODED_MESSAGE &&
              message.kind == MESSAGE_SIGN,
          "it is a `sign` line");
    CHECK_INT(message_int(&message, FIELD_LINES, 0), 3, "over three lines");
    const char *hex = message_text(&message, FIELD_SIGNATURE);
    uint8_t signature[SIGN_BYTES];
    CHECK(text_unhex(hex, strlen(hex), signature, sizeof signature) &&
              sign_check_record(key.public_key, &head, 3, signature),
          "and the signature holds");
    CHECK(!sign_check_record(key.public_key, &head, 4, signature), "for that many lines only");
    record_clear(&writer);
}

int main(void) {
    CHECK(dice_init() == 0, "the dice are ready");
    test_chain();
    test_resume();
    test_sign();
    return check_done();
}
