#include "dice/sha256.h"

#include "base/text.h"
#include "check.h"

#include <sodium.h>
#include <stdlib.h>

/* The hash held against published vectors and against libsodium's, and both ways to
 * compress a block against each other. */
enum { LENGTH_MAX = 300, TRIES = 20000 };

static uint64_t seed = 20261203;

static uint64_t chance(void) { /* xorshift64 */
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static void check_vector(const char *piece, int times, const char *want) {
    struct sha256 state;
    uint8_t hash[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    sha256_init(&state);
    for (int i = 0; i < times; i++) {
        sha256_add(&state, piece, strlen(piece));
    }
    sha256_end(&state, hash);
    text_hex(hash, sizeof hash, hex);
    CHECK_TEXT(hex, want, "an example of FIPS 180-4");
}

/* The examples that NIST publishes with FIPS 180-4. */
static void test_vectors(void) {
    check_vector("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_vector("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_vector("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check_vector("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
                 "klmnopqrlmnopqrsmnopqrstnopqrstu",
                 1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    check_vector("aaaaaaaaaa", 100000,
                 "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Random bytes of every length, added in random pieces. */
static void test_pieces(void) {
    uint8_t data[LENGTH_MAX], got[SHA256_BYTES], want[SHA256_BYTES];
    int same = 0;
    for (int i = 0; i < TRIES; i++) {
        size_t length = (size_t)(i % LENGTH_MAX);
        struct sha256 state;
        sha256_init(&state);
        for (size_t at = 0; at < length; at++) {
            data[at] = (uint8_t)chance();
        }
        for (size_t at = 0; at < length;) {
            size_t piece = 1 + (size_t)(chance() % (length - at));
            sha256_add(&state, data + at, piece);
            at += piece;
        }
        sha256_end(&state, got);
        crypto_hash_sha256(want, data, length);
        same += memcmp(got, want, sizeof got) == 0;
    }
    CHECK_INT(same, TRIES, "every hash is libsodium's");
}

static void test_blocks(void) {
    enum { BLOCKS = 5 };
    uint8_t data[BLOCKS * SHA256_BLOCK];
    int same = 0, tries = 0;
    for (int i = 0; i < TRIES; i++) {
        uint32_t a[SHA256_WORDS], b[SHA256_WORDS], before[SHA256_WORDS];
        for (size_t at = 0; at < sizeof data; at++) {
            data[at] = (uint8_t)chance();
        }
        for (int word = 0; word < SHA256_WORDS; word++) {
            a[word] = b[word] = before[word] = (uint32_t)chance();
        }
        size_t blocks = (size_t)(chance() % (BLOCKS + 1));
        sha256_blocks_sodium(a, data, blocks);
        if (!sha256_blocks_x86(b, data, blocks)) {
            tries += memcmp(b, before, sizeof b) == 0;
            same = tries;
            continue;
        }
        tries++;
        same += memcmp(a, b, sizeof a) == 0;
    }
    CHECK(same == TRIES && tries == TRIES, "both ways compress alike, or there is but one");
}

int main(void) {
    if (sodium_init() < 0) {
        return 1;
    }
    test_vectors();
    test_pieces();
    test_blocks();
    return check_done();
}
