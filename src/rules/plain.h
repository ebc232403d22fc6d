/* Plain: a play spelled as it would be written, one leg for every die, as most of all plays
 * are. Inside rules/ only. Judged while it is read, it costs a fraction of what any other
 * claim does; a test holds the two ways equal. */
#ifndef HAKEM_RULES_PLAIN_H
#define HAKEM_RULES_PLAIN_H

#include "rules/turn.h"

/* Whether the claim is such a play and a legal turn; its steps and the board behind them. False
 * says nothing: the claim is then to be judged as any other. */
bool plain_judge(const struct turn *turn, const char *claim, size_t length, struct play *play,
                 struct board *final);

#endif
