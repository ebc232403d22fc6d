/* Tokens: what a bot shows when it dials in. 256 random bits, told once; kept is
 * only their SHA-256 (hash_write), which needs no salt: nobody can guess them. */
#ifndef HAKEM_DICE_TOKEN_H
#define HAKEM_DICE_TOKEN_H

#include "dice/hash.h"

enum { TOKEN_TEXT_MAX = 80 };

/* A fresh token, for its bot only, and what is kept of it. After dice_init. */
void token_fresh(char out[TOKEN_TEXT_MAX], struct hash *kept);

#endif
