/* The play that stands in for an illegal one under illegal=replace_random: chosen
 * by the dice of the game, so that the revealed seed proves the choice.
 *
 * The legal finals are ranked by their counts, the mover's from off to bar and then
 * the opponent's; number game_pick(G, ply) modulo their number is taken. The rank
 * does not depend on the order in which plays are listed. */
#ifndef HAKEM_RECORD_REPLACEMENT_H
#define HAKEM_RECORD_REPLACEMENT_H

#include "dice/scheme.h"
#include "rules/play.h"

/* The listed play that ply number `ply` (from 1) gets; `count` is 1 at least. */
const struct option_play *replacement_choose(const struct hash_key *game, unsigned ply,
                                             enum side mover, const struct option_play *list,
                                             size_t count);

#endif
