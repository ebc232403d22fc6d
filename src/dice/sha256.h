/* SHA-256 in pieces, and the compression it stands on: the processor's own instructions
 * where it has them (five times as fast), libsodium's code elsewhere. A state is a value;
 * a copy of one goes on from the same place. Inside dice/ only. */
#ifndef HAKEM_DICE_SHA256_H
#define HAKEM_DICE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK = 64, SHA256_WORDS = 8 };

struct sha256 {
    uint32_t word[SHA256_WORDS];
    uint64_t length;            /* bytes so far */
    uint8_t tail[SHA256_BLOCK]; /* those of them that fill no block yet */
};

/* The state of nothing. */
void sha256_init(struct sha256 *state);

/* Goes on from `words`, which `length` bytes, a whole number of blocks, have led to. */
void sha256_resume(struct sha256 *state, const uint32_t words[SHA256_WORDS], uint64_t length);

/* Adds bytes; NULL only with length 0. */
void sha256_add(struct sha256 *state, const void *data, size_t length);

/* The hash of all that was added; the state is spent. */
void sha256_end(struct sha256 *state, uint8_t out[SHA256_BYTES]);

/* Compresses whole blocks into `words`. */
void sha256_blocks(uint32_t words[SHA256_WORDS], const uint8_t *data, size_t blocks);

/* The two ways to do that, for sha256.c and the test that holds them equal. */
void sha256_blocks_sodium(uint32_t words[SHA256_WORDS], const uint8_t *data, size_t blocks);
bool sha256_blocks_x86(uint32_t words[SHA256_WORDS], const uint8_t *data,
                       size_t blocks); /* false, with nothing done: it cannot here */

#endif
