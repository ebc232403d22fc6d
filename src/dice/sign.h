/* Ed25519 signatures of records (dice.md, "Record, chain, signature"). */
#ifndef HAKEM_DICE_SIGN_H
#define HAKEM_DICE_SIGN_H

#include "dice/hash.h"

#include <stdbool.h>

enum { SIGN_PUBLIC_BYTES = 32, SIGN_SECRET_BYTES = 64, SIGN_BYTES = 64 };

struct sign_key {
    uint8_t public_key[SIGN_PUBLIC_BYTES];
    uint8_t secret_key[SIGN_SECRET_BYTES];
};

/* A fresh key pair. */
void sign_key_fresh(struct sign_key *key);

/* Signs "hakem/v1/record", NUL, head, u64 big-endian line count. */
void sign_record(const struct sign_key *key, const struct hash *head, uint64_t lines,
                 uint8_t out[SIGN_BYTES]);

/* Signs "hakem/v1/receipt", NUL, digest: what the players have added to a unit's dice. */
void sign_receipt(const struct sign_key *key, const struct hash *digest, uint8_t out[SIGN_BYTES]);
bool sign_check_receipt(const uint8_t public_key[SIGN_PUBLIC_BYTES], const struct hash *digest,
                        const uint8_t signature[SIGN_BYTES]);

/* Signs where an event's log stands: "hakem/v1/checkpoint", NUL, head, u64 big-endian line count,
 * u64 big-endian time (seconds since 1970, UTC). */
void sign_checkpoint(const struct sign_key *key, const struct hash *head, uint64_t lines,
                     uint64_t time, uint8_t out[SIGN_BYTES]);
bool sign_check_checkpoint(const uint8_t public_key[SIGN_PUBLIC_BYTES], const struct hash *head,
                           uint64_t lines, uint64_t time, const uint8_t signature[SIGN_BYTES]);

/* Whether that signature is the key's. */
bool sign_check_record(const uint8_t public_key[SIGN_PUBLIC_BYTES], const struct hash *head,
                       uint64_t lines, const uint8_t signature[SIGN_BYTES]);

#endif
