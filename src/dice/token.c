#include "dice/token.h"

#include "dice/scheme.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

void token_fresh(char out[TOKEN_TEXT_MAX], struct hash *kept) {
    struct hash bits = dice_fresh_master();
    char hex[HASH_HEX];
    hash_hex(&bits, hex);
    /* The beginning makes one known where it should not stand. */
    snprintf(out, TOKEN_TEXT_MAX, "hakem_%s", hex);
    *kept = hash_bytes(out, strlen(out));
    sodium_memzero(hex, sizeof hex);
    sodium_memzero(&bits, sizeof bits);
}
