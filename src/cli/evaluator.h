/* The evaluator that a command works with: the one compiled in, or that of a file. */
#ifndef HAKEM_CLI_EVALUATOR_H
#define HAKEM_CLI_EVALUATOR_H

#include "base/fail.h"
#include "eval/net.h"

/* The net for games by these rules, from the file `path` or, with NULL, the one compiled in. NULL
 * with one line: no such file, a damaged net, one of another game or version, no net for the
 * game, or a rule option that the net does not know. The caller frees it. */
struct net *evaluator_new(const struct rules *rules, const char *path, struct fail *fail);

/* Whether there is one compiled in; else with that line. */
bool evaluator_is_there(const struct rules *rules, struct fail *fail);

#endif
