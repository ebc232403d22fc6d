#include "dice/sign.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

static_assert(SIGN_PUBLIC_BYTES == crypto_sign_PUBLICKEYBYTES, "Ed25519 public key");
static_assert(SIGN_SECRET_BYTES == crypto_sign_SECRETKEYBYTES, "Ed25519 secret key");
static_assert(SIGN_BYTES == crypto_sign_BYTES, "Ed25519 signature");

/* The label with its NUL, which is signed too. */
static const char sign_label[] = "hakem/v1/record";

enum { SIGN_MESSAGE_BYTES = sizeof sign_label + HASH_BYTES + 8 };

static void put_u64(uint64_t value, uint8_t out[8]) {
    for (int i = 0; i < 8; i++) {
        out[i] = (uint8_t)(value >> (56 - 8 * i));
    }
}

static void build_message(const struct hash *head, uint64_t lines,
                          uint8_t out[SIGN_MESSAGE_BYTES]) {
    memcpy(out, sign_label, sizeof sign_label);
    memcpy(out + sizeof sign_label, head->byte, HASH_BYTES);
    put_u64(lines, out + sizeof sign_label + HASH_BYTES);
}

static const char checkpoint_label[] = "hakem/v1/checkpoint"; /* with its NUL */

enum { CHECKPOINT_BYTES = sizeof checkpoint_label + HASH_BYTES + 8 + 8 };

static void build_checkpoint(const struct hash *head, uint64_t lines, uint64_t time,
                             uint8_t out[CHECKPOINT_BYTES]) {
    memcpy(out, checkpoint_label, sizeof checkpoint_label);
    memcpy(out + sizeof checkpoint_label, head->byte, HASH_BYTES);
    put_u64(lines, out + sizeof checkpoint_label + HASH_BYTES);
    put_u64(time, out + sizeof checkpoint_label + HASH_BYTES + 8);
}

void sign_checkpoint(const struct sign_key *key, const struct hash *head, uint64_t lines,
                     uint64_t time, uint8_t out[SIGN_BYTES]) {
    uint8_t message[CHECKPOINT_BYTES];
    build_checkpoint(head, lines, time, message);
    crypto_sign_detached(out, NULL, message, sizeof message, key->secret_key);
}

bool sign_check_checkpoint(const uint8_t public_key[SIGN_PUBLIC_BYTES], const struct hash *head,
                           uint64_t lines, uint64_t time, const uint8_t signature[SIGN_BYTES]) {
    uint8_t message[CHECKPOINT_BYTES];
    build_checkpoint(head, lines, time, message);
    return crypto_sign_verify_detached(signature, message, sizeof message, public_key) == 0;
}

void sign_key_fresh(struct sign_key *key) {
    crypto_sign_keypair(key->public_key, key->secret_key);
}

void sign_record(const struct sign_key *key, const struct hash *head, uint64_t lines,
                 uint8_t out[SIGN_BYTES]) {
    uint8_t message[SIGN_MESSAGE_BYTES];
    build_message(head, lines, message);
    crypto_sign_detached(out, NULL, message, sizeof message, key->secret_key);
}

bool sign_check_record(const uint8_t public_key[SIGN_PUBLIC_BYTES], const struct hash *head,
                       uint64_t lines, const uint8_t signature[SIGN_BYTES]) {
    uint8_t message[SIGN_MESSAGE_BYTES];
    build_message(head, lines, message);
    return crypto_sign_verify_detached(signature, message, sizeof message, public_key) == 0;
}

static const char receipt_label[] = "hakem/v1/receipt"; /* with its NUL */

enum { RECEIPT_MESSAGE_BYTES = sizeof receipt_label + HASH_BYTES };

static void build_receipt(const struct hash *digest, uint8_t out[RECEIPT_MESSAGE_BYTES]) {
    memcpy(out, receipt_label, sizeof receipt_label);
    memcpy(out + sizeof receipt_label, digest->byte, HASH_BYTES);
}

void sign_receipt(const struct sign_key *key, const struct hash *digest, uint8_t out[SIGN_BYTES]) {
    uint8_t message[RECEIPT_MESSAGE_BYTES];
    build_receipt(digest, message);
    crypto_sign_detached(out, NULL, message, sizeof message, key->secret_key);
}

bool sign_check_receipt(const uint8_t public_key[SIGN_PUBLIC_BYTES], const struct hash *digest,
                        const uint8_t signature[SIGN_BYTES]) {
    uint8_t message[RECEIPT_MESSAGE_BYTES];
    build_receipt(digest, message);
    return crypto_sign_verify_detached(signature, message, sizeof message, public_key) == 0;
}
