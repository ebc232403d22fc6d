#include "dice/sign.h"

#include "check.h"
#include "dice/scheme.h"

#include <sodium.h>

int main(void) {
    CHECK_INT(dice_init(), 0, "the library is ready");
    struct sign_key key;
    struct sign_key other;
    uint8_t signature[SIGN_BYTES];
    sign_key_fresh(&key);
    sign_key_fresh(&other);
    CHECK(memcmp(key.public_key, other.public_key, SIGN_PUBLIC_BYTES) != 0, "keys are fresh");
    struct hash head = hash_bytes("record", 6);
    sign_record(&key, &head, 0x0102030405060708, signature);
    CHECK(sign_check_record(key.public_key, &head, 0x0102030405060708, signature),
          "a signature is its key's");
    CHECK(!sign_check_record(other.public_key, &head, 0x0102030405060708, signature),
          "and no other's");
    CHECK(!sign_check_record(key.public_key, &head, 0x0102030405060709, signature),
          "it covers the line count");
    bool covered = true;
    for (int i = 0; i < HASH_BYTES; i++) {
        struct hash changed = head;
        changed.byte[i] ^= 1;
        covered =
            covered && !sign_check_record(key.public_key, &changed, 0x0102030405060708, signature);
    }
    CHECK(covered, "and each byte of the head");
    bool whole = true;
    for (int i = 0; i < SIGN_BYTES; i++) {
        signature[i] ^= 4;
        whole = whole && !sign_check_record(key.public_key, &head, 0x0102030405060708, signature);
        signature[i] ^= 4;
    }
    CHECK(whole, "a changed signature is none");

    /* The bytes as dice.md writes them, built by hand. */
    uint8_t message[15 + 1 + HASH_BYTES + 8];
    memcpy(message, "hakem/v1/record", 16);
    memcpy(message + 16, head.byte, HASH_BYTES);
    memcpy(message + 16 + HASH_BYTES, "\1\2\3\4\5\6\7\10", 8);
    CHECK_INT(crypto_sign_verify_detached(signature, message, sizeof message, key.public_key), 0,
              "label, NUL, head, u64 big-endian");
    return check_done();
}
