/* Hashes of scheme hakem/v1 (dice.md, "Notation"): SHA-256 and HMAC-SHA-256 over
 * LP(x1..xn), where each field stands behind its u32 big-endian byte length. */
#ifndef HAKEM_DICE_HASH_H
#define HAKEM_DICE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HASH_BYTES = 32, HASH_HEX = 65, HASH_TEXT = 72 };

struct hash {
    uint8_t byte[HASH_BYTES];
};

/* A key made ready: the two states of HMAC behind the key's own blocks. Kept for as long
 * as the key is used, it saves half of each HMAC's work. */
struct hash_key {
    uint32_t inner[8], outer[8];
};

/* One field of an LP list; length 0 is the absent field. */
struct hash_field {
    const void *data;
    size_t length;
};

/* A field of a NUL-terminated text. */
struct hash_field field_text(const char *text);

/* A field of a hash. */
struct hash_field field_hash(const struct hash *hash);

/* SHA-256(LP(fields)). */
struct hash hash_fields(const struct hash_field *fields, size_t count);

/* SHA-256(prefix || LP(field)): one link of a record chain. */
struct hash hash_link(const struct hash *previous, struct hash_field line);

/* SHA-256 of plain bytes. */
struct hash hash_bytes(const void *data, size_t length);

/* A key ready for hash_keyed. */
struct hash_key hash_key_of(const struct hash *key);

/* HMAC-SHA-256(key, LP(fields) || tail). */
struct hash hash_keyed(const struct hash_key *key, const struct hash_field *fields, size_t count,
                       struct hash_field tail);

/* Whether they are the same, found out in a time that does not tell where they differ. */
bool hash_same(const struct hash *a, const struct hash *b);

/* Lower-case hex with NUL. */
void hash_hex(const struct hash *hash, char out[HASH_HEX]);

/* "sha256:" and the hex, as files of users have it; and back, false on anything else. */
void hash_write(const struct hash *hash, char out[HASH_TEXT]);
bool hash_read(const char *text, struct hash *hash);

#endif
