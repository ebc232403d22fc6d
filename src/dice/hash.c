#include "dice/hash.h"

#include "base/text.h"
#include "dice/sha256.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

static_assert((int)HASH_BYTES == (int)SHA256_BYTES, "a hash is a SHA-256, and so is a keyed one");

enum { INNER_PAD = 0x36, OUTER_PAD = 0x5c }; /* RFC 2104 */

struct hash_field field_text(const char *text) {
    return (struct hash_field){.data = text, .length = strlen(text)};
}

struct hash_field field_hash(const struct hash *hash) {
    return (struct hash_field){.data = hash->byte, .length = HASH_BYTES};
}

/* The u32 big-endian length that stands before each field of an LP list. */
static void length_prefix(size_t length, uint8_t out[4]) {
    assert(length <= UINT32_MAX);
    out[0] = (uint8_t)(length >> 24);
    out[1] = (uint8_t)(length >> 16);
    out[2] = (uint8_t)(length >> 8);
    out[3] = (uint8_t)length;
}

static void add(struct sha256 *state, struct hash_field field) {
    sha256_add(state, field.data, field.length);
}

static void add_lp(struct sha256 *state, struct hash_field field) {
    uint8_t prefix[4];
    length_prefix(field.length, prefix);
    sha256_add(state, prefix, sizeof prefix);
    add(state, field);
}

static struct hash end(struct sha256 *state) {
    struct hash hash;
    sha256_end(state, hash.byte);
    return hash;
}

struct hash hash_fields(const struct hash_field *fields, size_t count) {
    struct sha256 state;
    sha256_init(&state);
    for (size_t i = 0; i < count; i++) {
        add_lp(&state, fields[i]);
    }
    return end(&state);
}

struct hash hash_link(const struct hash *previous, struct hash_field line) {
    struct sha256 state;
    sha256_init(&state);
    add(&state, field_hash(previous));
    add_lp(&state, line);
    return end(&state);
}

struct hash hash_bytes(const void *data, size_t length) {
    struct sha256 state;
    sha256_init(&state);
    sha256_add(&state, data, length);
    return end(&state);
}

/* The state behind the block that a key and a pad make. */
static void pad_key(const struct hash *key, uint8_t pad, uint32_t words[SHA256_WORDS]) {
    uint8_t block[SHA256_BLOCK];
    struct sha256 state;
    memset(block, pad, sizeof block);
    for (int i = 0; i < HASH_BYTES; i++) {
        block[i] ^= key->byte[i];
    }
    sha256_init(&state);
    sha256_add(&state, block, sizeof block);
    memcpy(words, state.word, sizeof state.word);
    sodium_memzero(block, sizeof block);
}

struct hash_key hash_key_of(const struct hash *key) {
    struct hash_key ready;
    pad_key(key, INNER_PAD, ready.inner);
    pad_key(key, OUTER_PAD, ready.outer);
    return ready;
}

struct hash hash_keyed(const struct hash_key *key, const struct hash_field *fields, size_t count,
                       struct hash_field tail) {
    struct sha256 state;
    sha256_resume(&state, key->inner, SHA256_BLOCK);
    for (size_t i = 0; i < count; i++) {
        add_lp(&state, fields[i]);
    }
    add(&state, tail);
    struct hash inner = end(&state);
    sha256_resume(&state, key->outer, SHA256_BLOCK);
    add(&state, field_hash(&inner));
    return end(&state);
}

bool hash_same(const struct hash *a, const struct hash *b) {
    return sodium_memcmp(a->byte, b->byte, HASH_BYTES) == 0;
}

void hash_hex(const struct hash *hash, char out[HASH_HEX]) {
    text_hex(hash->byte, HASH_BYTES, out);
}

static const char hash_mark[] = "sha256:";

void hash_write(const struct hash *hash, char out[HASH_TEXT]) {
    memcpy(out, hash_mark, sizeof hash_mark);
    hash_hex(hash, out + sizeof hash_mark - 1);
}

bool hash_read(const char *text, struct hash *hash) {
    size_t mark = sizeof hash_mark - 1;
    return strncmp(text, hash_mark, mark) == 0 &&
           text_unhex(text + mark, strlen(text + mark), hash->byte, HASH_BYTES);
}
