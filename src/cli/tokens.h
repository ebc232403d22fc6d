/* The daemon's token table: names of bots and what is kept of their tokens, in a file
 * {"bots": [{"name": .., "token": "sha256:.."}]} that the daemon rewrites as a whole. */
#ifndef HAKEM_CLI_TOKENS_H
#define HAKEM_CLI_TOKENS_H

#include "base/fail.h"
#include "dice/hash.h"

enum { TOKENS_MAX = 4096 };

struct tokens;

/* An empty table, kept in that file. */
struct tokens *tokens_new(const char *path);
void tokens_free(struct tokens *tokens);

/* Reads the file anew; that it is not there is an empty table. What was there stays when it
 * cannot be read. */
int tokens_read(struct tokens *tokens, struct fail *fail) __attribute__((warn_unused_result));

/* What is kept for that name (case aside), or NULL. */
const struct hash *tokens_find(const struct tokens *tokens, const char *name);

/* Keeps it, in place of what was there; on disk when it returns. */
int tokens_put(struct tokens *tokens, const char *name, const struct hash *kept, struct fail *fail)
    __attribute__((warn_unused_result));

int tokens_count(const struct tokens *tokens);

#endif
