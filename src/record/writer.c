#include "record/writer.h"

#include "base/fail.h"
#include "base/text.h"
#include "record/chain.h"
#include "wire/spelling.h"

#include <assert.h>
#include <string.h>

enum { FIRST_ROOM = 2047 /* bytes: half a game, and the byte that `bytes` adds */ };

static_assert((int)RECORD_CHAIN_DIGITS == (int)CHAIN_DIGITS, "one number of digits");

void record_init(struct record_writer *writer) {
    *writer = (struct record_writer){.lines = 0};
    bytes_init(&writer->text, RECORD_PIECE_MAX);
}

void record_clear(struct record_writer *writer) {
    bytes_clear(&writer->text);
    writer->lines = 0;
}

void record_empty(struct record_writer *writer) {
    bytes_clear(&writer->text);
    bytes_reserve(&writer->text, FIRST_ROOM);
}

/* The owner takes pieces away game by game and a game's plies are capped, so
 * that a full piece is a mistake of ours: a record with a hole must not go on. */
static void require(bool added) {
    if (!added) {
        fail_fatal("a piece of a match record is longer than %d bytes", (int)RECORD_PIECE_MAX);
    }
}

/* Chains the line from `start` on, and ends it with its digits. */
static void end_line(struct record_writer *writer, size_t start) {
    writer->head = chain_link(writer->lines == 0 ? NULL : &writer->head, writer->text.data + start,
                              writer->text.length - start);
    char end[1 + CHAIN_DIGITS + 1] = " ";
    chain_digits(&writer->head, end + 1);
    end[1 + CHAIN_DIGITS] = '\n'; /* in the place of the NUL */
    require(bytes_add(&writer->text, end, sizeof end));
    writer->lines++;
    if (writer->watch != NULL) {
        writer->watch(writer->owner, writer->text.data + start, writer->text.length - start);
    }
}

void record_watch(struct record_writer *writer,
                  void (*watch)(void *owner, const char *line, size_t length), void *owner) {
    writer->watch = watch;
    writer->owner = owner;
}

void record_add(struct record_writer *writer, const struct message *message) {
    assert((message->kind == MESSAGE_RECORD) == (writer->lines == 0));
    size_t start = writer->text.length;
    require(spelling_encode_bare(SPELLING_TEXT, message, &writer->text));
    end_line(writer, start);
}

void record_add_line(struct record_writer *writer, const char *line, size_t length) {
    assert(writer->lines > 0);
    size_t start = writer->text.length;
    require(bytes_add(&writer->text, line, length));
    end_line(writer, start);
}

int record_resume(struct record_writer *writer, const char *text, size_t length) {
    struct hash head = writer->head;
    uint64_t lines = 0;
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        size_t bare;
        if (end == NULL || !chain_cut(text, (size_t)(end - text), &bare)) {
            return -1;
        }
        head = chain_link(lines == 0 ? NULL : &head, text, bare);
        if (!chain_agrees(&head, text, (size_t)(end - text))) {
            return -1;
        }
        lines++;
        length -= (size_t)(end - text) + 1;
        text = end + 1;
    }
    if (lines == 0) {
        return -1;
    }
    writer->head = head;
    writer->lines = lines;
    return 0;
}

void record_sign(struct record_writer *writer, const struct sign_key *key) {
    uint8_t signature[SIGN_BYTES];
    sign_record(key, &writer->head, writer->lines, signature);
    char hex[2 * SIGN_BYTES + 1];
    text_hex(signature, sizeof signature, hex);
    struct message message;
    message_init(&message, MESSAGE_SIGN);
    message_set_u64(&message, FIELD_LINES, writer->lines);
    message_set(&message, FIELD_SIGNATURE, hex);
    record_add(writer, &message);
}
