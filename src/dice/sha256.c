#include "dice/sha256.h"

#include <sodium.h>
#include <string.h>

enum { LENGTH_AT = SHA256_BLOCK - 8 }; /* where the last block ends in the length */

void sha256_blocks_sodium(uint32_t words[SHA256_WORDS], const uint8_t *data, size_t blocks) {
    crypto_hash_sha256_state state = {.count = 0}; /* whole blocks leave nothing in its buffer */
    memcpy(state.state, words, sizeof state.state);
    crypto_hash_sha256_update(&state, data, blocks * SHA256_BLOCK);
    memcpy(words, state.state, sizeof state.state);
}

void sha256_blocks(uint32_t words[SHA256_WORDS], const uint8_t *data, size_t blocks) {
    if (!sha256_blocks_x86(words, data, blocks)) {
        sha256_blocks_sodium(words, data, blocks);
    }
}

void sha256_init(struct sha256 *state) {
    static const uint32_t start[SHA256_WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    sha256_resume(state, start, 0);
}

void sha256_resume(struct sha256 *state, const uint32_t words[SHA256_WORDS], uint64_t length) {
    memcpy(state->word, words, sizeof state->word);
    state->length = length;
}

void sha256_add(struct sha256 *state, const void *data, size_t length) {
    const uint8_t *from = data;
    size_t have = (size_t)(state->length % SHA256_BLOCK);
    state->length += length;
    if (have > 0 && have + length >= SHA256_BLOCK) {
        size_t piece = SHA256_BLOCK - have;
        memcpy(state->tail + have, from, piece);
        sha256_blocks(state->word, state->tail, 1);
        from += piece;
        length -= piece;
        have = 0;
    }
    if (length >= SHA256_BLOCK) {
        sha256_blocks(state->word, from, length / SHA256_BLOCK);
        from += length / SHA256_BLOCK * SHA256_BLOCK;
        length %= SHA256_BLOCK;
    }
    if (length > 0) {
        memcpy(state->tail + have, from, length);
    }
}

/* Written out, so that the compiler makes one store of it. */
static void put_big_endian(uint32_t number, uint8_t *out) {
    out[0] = (uint8_t)(number >> 24);
    out[1] = (uint8_t)(number >> 16);
    out[2] = (uint8_t)(number >> 8);
    out[3] = (uint8_t)number;
}

void sha256_end(struct sha256 *state, uint8_t out[SHA256_BYTES]) {
    size_t have = (size_t)(state->length % SHA256_BLOCK);
    state->tail[have++] = 0x80;
    if (have > LENGTH_AT) {
        memset(state->tail + have, 0, SHA256_BLOCK - have);
        sha256_blocks(state->word, state->tail, 1);
        have = 0;
    }
    memset(state->tail + have, 0, LENGTH_AT - have);
    put_big_endian((uint32_t)(state->length >> 29), state->tail + LENGTH_AT);
    put_big_endian((uint32_t)(state->length << 3), state->tail + LENGTH_AT + 4);
    sha256_blocks(state->word, state->tail, 1);
    for (int i = 0; i < SHA256_WORDS; i++) {
        put_big_endian(state->word[i], out + 4 * i);
    }
}
