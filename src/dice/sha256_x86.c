#include "dice/sha256.h"

/* Not with clang 14, which does not know the feature by its name. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#include <immintrin.h>

#define SHA_CODE __attribute__((target("sha,sse4.1")))

/* The round constants of FIPS 180-4, 4.2.2. */
static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* The words a..h as the instructions want them, from high to low: ABEF and CDGH. */
struct halves {
    __m128i abef, cdgh;
};

SHA_CODE static struct halves halves_of(const uint32_t words[SHA256_WORDS]) {
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)words), 0xB1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(words + 4)), 0x1B);
    return (struct halves){_mm_alignr_epi8(badc, efgh, 8), _mm_blend_epi16(efgh, badc, 0xF0)};
}

SHA_CODE static void words_of(struct halves halves, uint32_t words[SHA256_WORDS]) {
    __m128i feba = _mm_shuffle_epi32(halves.abef, 0x1B);
    __m128i dchg = _mm_shuffle_epi32(halves.cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)words, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/* The next four words of the message schedule from the last sixteen, oldest first. */
SHA_CODE static inline __m128i schedule(__m128i a, __m128i b, __m128i c, __m128i d) {
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4));
    return _mm_sha256msg2_epu32(sum, d);
}

SHA_CODE static struct halves compress(struct halves halves, const uint8_t block[SHA256_BLOCK]) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    struct halves start = halves;
    __m128i message[4];
    for (int i = 0; i < 4; i++) {
        message[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + i), big_endian);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) { /* four rounds each */
        __m128i *now = &message[i % 4];
        __m128i sum = _mm_add_epi32(*now, _mm_load_si128((const __m128i *)constants + i));
        halves.cdgh = _mm_sha256rnds2_epu32(halves.cdgh, halves.abef, sum);
        sum = _mm_shuffle_epi32(sum, 0x0E);
        halves.abef = _mm_sha256rnds2_epu32(halves.abef, halves.cdgh, sum);
        if (i < 12) { /* the last sixteen words are followed by none */
            *now = schedule(*now, message[(i + 1) % 4], message[(i + 2) % 4], message[(i + 3) % 4]);
        }
    }
    halves.abef = _mm_add_epi32(halves.abef, start.abef);
    halves.cdgh = _mm_add_epi32(halves.cdgh, start.cdgh);
    return halves;
}

SHA_CODE static void compress_all(uint32_t words[SHA256_WORDS], const uint8_t *data,
                                  size_t blocks) {
    struct halves halves = halves_of(words);
    for (size_t i = 0; i < blocks; i++) {
        halves = compress(halves, data + i * SHA256_BLOCK);
    }
    words_of(halves, words);
}

bool sha256_blocks_x86(uint32_t words[SHA256_WORDS], const uint8_t *data, size_t blocks) {
    if (!__builtin_cpu_supports("sha") || !__builtin_cpu_supports("sse4.1")) {
        return false;
    }
    compress_all(words, data, blocks);
    return true;
}

#else

bool sha256_blocks_x86(uint32_t words[SHA256_WORDS], const uint8_t *data, size_t blocks) {
    (void)words, (void)data, (void)blocks;
    return false;
}

#endif
