/* Held-out games: how much of a game's result the luck of its dice explains, by this net's
 * view or by that one's. That is what a net is taken for. */
#ifndef HAKEM_TRAIN_HELD_OUT_H
#define HAKEM_TRAIN_HELD_OUT_H

#include "eval/net.h"
#include "rules/play.h"

enum { HELD_OUT_PLIES = 2000, HELD_OUT_NETS = 2 };

/* Dice of the ply'th ply of a game, from 0: where the first pair decides, it is no double. */
void held_out_throw(const struct rules *rules, uint64_t *random, int ply, uint8_t dice[2]);

/* A net judged by such games, and how many times fewer of them say the same with it. */
struct held_out {
    const struct net *net;
    double ratio;
};

/* Plays the games that are kept for this, the same at every call with the same nets: one net
 * against itself, or two against each other, with seats changed after each game. Every net
 * sees every game. */
void held_out_judge(const struct rules *rules, struct play_room *room, long games,
                    struct held_out *nets, int count);

#endif
