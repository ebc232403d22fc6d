#include "dice/hash.h"

#include "base/text.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

static_assert(HASH_BYTES == crypto_hash_sha256_BYTES, "a hash is a SHA-256");
static_assert(HASH_BYTES == crypto_auth_hmacsha256_BYTES, "and so is a keyed one");

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

static void plain_add(crypto_hash_sha256_state *state, struct hash_field field) {
    if (field.length > 0) {
        crypto_hash_sha256_update(state, field.data, field.length);
    }
}

static void plain_add_lp(crypto_hash_sha256_state *state, struct hash_field field) {
    uint8_t prefix[4];
    length_prefix(field.length, prefix);
    crypto_hash_sha256_update(state, prefix, sizeof prefix);
    plain_add(state, field);
}

static void keyed_add(crypto_auth_hmacsha256_state *state, struct hash_field field) {
    if (field.length > 0) {
        crypto_auth_hmacsha256_update(state, field.data, field.length);
    }
}

static void keyed_add_lp(crypto_auth_hmacsha256_state *state, struct hash_field field) {
    uint8_t prefix[4];
    length_prefix(field.length, prefix);
    crypto_auth_hmacsha256_update(state, prefix, sizeof prefix);
    keyed_add(state, field);
}

struct hash hash_fields(const struct hash_field *fields, size_t count) {
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < count; i++) {
        plain_add_lp(&state, fields[i]);
    }
    struct hash hash;
    crypto_hash_sha256_final(&state, hash.byte);
    return hash;
}

struct hash hash_link(const struct hash *previous, struct hash_field line) {
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    plain_add(&state, field_hash(previous));
    plain_add_lp(&state, line);
    struct hash hash;
    crypto_hash_sha256_final(&state, hash.byte);
    return hash;
}

struct hash hash_bytes(const void *data, size_t length) {
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    plain_add(&state, (struct hash_field){.data = data, .length = length});
    struct hash hash;
    crypto_hash_sha256_final(&state, hash.byte);
    return hash;
}

struct hash hash_keyed(const struct hash *key, const struct hash_field *fields, size_t count,
                       struct hash_field tail) {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key->byte, HASH_BYTES);
    for (size_t i = 0; i < count; i++) {
        keyed_add_lp(&state, fields[i]);
    }
    keyed_add(&state, tail);
    struct hash hash;
    crypto_auth_hmacsha256_final(&state, hash.byte);
    return hash;
}

bool hash_same(const struct hash *a, const struct hash *b) {
    return sodium_memcmp(a->byte, b->byte, HASH_BYTES) == 0;
}

void hash_hex(const struct hash *hash, char out[HASH_HEX]) {
    text_hex(hash->byte, HASH_BYTES, out);
}
