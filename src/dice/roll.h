/* How a throw is read out of blocks; for scheme.c and the tests, which cut the
 * blocks short so that the rare second block becomes common. */
#ifndef HAKEM_DICE_ROLL_H
#define HAKEM_DICE_ROLL_H

#include "dice/scheme.h"

/* Block j of throw n of a stream: HMAC(G, LP("hakem/v1/roll", stream) || n || j). */
struct hash roll_block(const struct hash_key *game, enum dice_stream stream, uint32_t n,
                       uint32_t j);

/* Throw n, with only the first `block_bytes` (1..32) bytes of each block used. */
struct roll roll_walk(const struct hash_key *game, enum dice_stream stream, uint32_t n,
                      size_t block_bytes);

#endif
