#include "dice/hash.h"

#include "check.h"

/* Published vectors of SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 4231), and LP by hand. */
int main(void) {
    char hex[HASH_HEX];
    struct hash hash = hash_bytes("abc", 3);
    hash_hex(&hash, hex);
    CHECK_TEXT(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
               "SHA-256 of abc");
    hash = hash_bytes(NULL, 0);
    hash_hex(&hash, hex);
    CHECK_TEXT(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
               "SHA-256 of nothing");

    /* RFC 4231, case 1: the key is twenty bytes; zeroes behind it change nothing. */
    struct hash key = {{0}};
    memset(key.byte, 0x0b, 20);
    struct hash_key ready = hash_key_of(&key);
    hash = hash_keyed(&ready, NULL, 0, field_text("Hi There"));
    hash_hex(&hash, hex);
    CHECK_TEXT(hex, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
               "HMAC-SHA-256, RFC 4231 case 1");

    const struct hash_field fields[] = {field_text("ab"), {NULL, 0}, field_text("c")};
    static const char lp[] = "\0\0\0\2ab\0\0\0\0\0\0\0\1c";
    struct hash want = hash_bytes(lp, sizeof lp - 1);
    hash = hash_fields(fields, 3);
    CHECK(memcmp(hash.byte, want.byte, HASH_BYTES) == 0, "fields stand behind their lengths");
    hash = hash_keyed(&ready, fields, 3, (struct hash_field){"\1\2", 2});
    want = hash_keyed(&ready, NULL, 0, (struct hash_field){"\0\0\0\2ab\0\0\0\0\0\0\0\1c\1\2", 17});
    CHECK(memcmp(hash.byte, want.byte, HASH_BYTES) == 0, "a tail has no length before it");

    char chained[HASH_BYTES + 4 + 4];
    memcpy(chained, key.byte, HASH_BYTES);
    memcpy(chained + HASH_BYTES, "\0\0\0\4line", 8);
    want = hash_bytes(chained, sizeof chained);
    hash = hash_link(&key, field_text("line"));
    CHECK(memcmp(hash.byte, want.byte, HASH_BYTES) == 0, "a link covers the one before it");

    struct hash other = want;
    CHECK(hash_same(&hash, &other), "two hashes are the same");
    other.byte[HASH_BYTES - 1] ^= 1;
    CHECK(!hash_same(&hash, &other), "or differ in one bit");
    return check_done();
}
