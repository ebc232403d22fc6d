#include "held_out.h"

#include "eval/sweep.h"
#include "float_net.h"
#include "rules/result.h"

void held_out_throw(const struct rules *rules, uint64_t *random, int ply, uint8_t dice[2]) {
    bool deciding = ply == 0 && rules->value[OPTION_OPENING] == OPENING_DECIDING;
    do {
        uint64_t number = train_random(random);
        dice[0] = (uint8_t)(number % 6 + 1);
        dice[1] = (uint8_t)(number / 6 % 6 + 1);
    } while (deciding && dice[0] == dice[1]);
}

/* What one net says of all games. */
struct tally {
    double n, raw, raw2, adjusted, adjusted2;
};

struct session {
    const struct rules *rules;
    struct play_room *room;
    const struct held_out *nets;
    int count;
    uint64_t random;
    struct tally tally[HELD_OUT_NETS];
};

static void add_result(struct tally *tally, double result, double luck) {
    double adjusted = result - luck;
    tally->n++;
    tally->raw += result;
    tally->raw2 += result * result;
    tally->adjusted += adjusted;
    tally->adjusted2 += adjusted * adjusted;
}

/* About the means: X starts always, and the edge of starting is no luck. */
static double ratio_of(const struct tally *tally) {
    double raw = tally->raw2 - tally->raw * tally->raw / tally->n;
    double adjusted = tally->adjusted2 - tally->adjusted * tally->adjusted / tally->n;
    return raw / adjusted;
}

/* The luck of a throw, in points of X. */
static double luck_of(const struct session *session, const struct net *net,
                      const struct situation *now, int ply) {
    double sign = now->mover == SIDE_X ? 1.0 / NET_ONE : -1.0 / NET_ONE;
    struct sweep sweep;
    sweep_all(net, session->rules, now, session->room, &sweep);
    double best = sweep.best[sweep_index(now->dice)].points;
    double mean = ply == 0 ? 0 : (double)sweep.points / SWEEP_WEIGHT;
    return sign * (best - mean);
}

/* A game in which X plays by the first net and Y by the last; `swapped` (0, 1) the other way. */
static void play_game(struct session *session, int swapped) {
    const struct held_out *nets = session->nets;
    struct option_play *list = session->room->list;
    struct situation now = {.mover = SIDE_X, .first_turn = true};
    double luck[HELD_OUT_NETS] = {0};
    board_init(&now.board, session->rules);
    for (int ply = 0; ply < HELD_OUT_PLIES; ply++) {
        const struct net *player = nets[((int)now.mover + swapped) % session->count].net;
        size_t place = 0;
        held_out_throw(session->rules, &session->random, ply, now.dice);
        for (int i = 0; i < session->count; i++) {
            luck[i] += luck_of(session, nets[i].net, &now, ply);
        }
        size_t plays = plays_list(session->rules, &now, list, PLAYS_MAX);
        sweep_pick(player, &now, list, plays, &place);
        now.board = list[place].final;
        struct outcome outcome = board_outcome(session->rules, &now.board);
        if (outcome.over) {
            double result = outcome.winner == SIDE_X ? outcome.points : -outcome.points;
            for (int i = 0; i < session->count; i++) {
                add_result(&session->tally[i], result, luck[i]);
            }
            return;
        }
        now.mover = side_other(now.mover);
        now.first_turn = ply < 1;
    }
}

void held_out_judge(const struct rules *rules, struct play_room *room, long games,
                    struct held_out *nets, int count) {
    struct session session = {
        .rules = rules, .room = room, .nets = nets, .count = count, .random = 0x9e3779b97f4a7c15u};
    for (long game = 0; game < games; game++) {
        play_game(&session, (int)(game % 2));
    }
    for (int i = 0; i < count; i++) {
        nets[i].ratio = ratio_of(&session.tally[i]);
    }
}
