#include "arena/luck.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct luck_reader {
    const struct net *net;
    struct play_room *room; /* the sweep's; the replay has its own use of it between lines */
    struct replay replay;
    struct luck_game game;
    struct luck_match match;
    bool thrown; /* the throw in force was counted already */
    void (*take)(void *owner, const struct luck_game *game);
    void *owner;
};

/* Every position's luck sums up to nothing: a promise that all estimates rest on. */
static void check_mean(const struct sweep *sweep) {
    int64_t points = 0, wins = 0;
    for (int i = 0; i < SWEEP_THROWS; i++) {
        points += sweep_weight(i) * (SWEEP_WEIGHT * (int64_t)sweep->best[i].points - sweep->points);
        wins += sweep_weight(i) * (SWEEP_WEIGHT * (int64_t)sweep->best[i].wins - sweep->wins);
    }
    assert(points == 0 && wins == 0);
    (void)points;
    (void)wins;
}

static void add(struct luck_reader *in, enum side side, int cube, int64_t points, int64_t wins) {
    int sign = side == SIDE_X ? 1 : -1;
    in->game.points += sign * cube * points;
    in->game.wins += sign * wins;
}

/* The throw for the start. Where the starter plays it, each of the 15 pairs comes to either
 * side with the same chance; the mean over both sides is an even game. Else the start is
 * worth what the first throw is on average. A start that is not thrown for is no luck. */
static void count_start(struct luck_reader *in) {
    const struct replay *replay = &in->replay;
    const struct rules *rules = &replay->header.rules;
    struct situation at = {.board = replay->board, .mover = replay->starter, .first_turn = true};
    int cube = replay->now.cube.value;
    if (replay->throws == 0) {
        return;
    }
    if (rules->value[OPTION_OPENING] == OPENING_DECIDING) {
        memcpy(at.dice, replay->opening[replay->throws - 1].die, sizeof at.dice);
        struct net_value value = sweep_throw(in->net, rules, &at, in->room);
        add(in, at.mover, cube, SWEEP_WEIGHT * (int64_t)value.points,
            SWEEP_WEIGHT * (int64_t)(value.wins - NET_ONE / 2));
        in->thrown = true;
        in->game.throws++;
        return;
    }
    struct sweep sweep;
    sweep_all(in->net, rules, &at, in->room, &sweep);
    add(in, at.mover, cube, sweep.points, sweep.wins - SWEEP_WEIGHT * (int64_t)NET_ONE / 2);
}

/* A throw on the position before the line, if it was not counted yet. */
static void count_throw(struct luck_reader *in, const struct replay *before, enum side mover,
                        const uint8_t dice[2]) {
    struct situation at = {.board = before->board,
                           .mover = mover,
                           .dice = {dice[0], dice[1]},
                           .first_turn = before->turns[mover] == 0};
    struct sweep sweep;
    if (in->thrown) {
        return;
    }
    sweep_all(in->net, &before->header.rules, &at, in->room, &sweep);
    check_mean(&sweep);
    const struct net_value *best = &sweep.best[sweep_index(dice)];
    add(in, mover, before->now.cube.value, SWEEP_WEIGHT * (int64_t)best->points - sweep.points,
        SWEEP_WEIGHT * (int64_t)best->wins - sweep.wins);
    in->game.throws++;
    in->thrown = true;
}

static void begin_game(struct luck_reader *in) {
    in->game = (struct luck_game){.game = in->replay.game, .winner = -1};
    in->thrown = false;
    count_start(in);
}

static void take_did(struct luck_reader *in, const struct replay *before) {
    const struct replay_ply *ply = &in->replay.ply;
    if (ply->thrown) {
        count_throw(in, before, ply->seat, ply->dice);
    }
    if (ply->act == ACT_PLAY) {
        in->thrown = false;
    }
}

/* A fault on a throw: the throw counts, for whatever it did to who gave up. */
static void take_fault(struct luck_reader *in, const struct replay *before,
                       const struct message *message) {
    struct value dice = message_value(message, FIELD_DICE);
    if (before->state == REPLAY_PLAY && dice.text != NULL && dice.length == 2) {
        const uint8_t pair[] = {(uint8_t)(dice.text[0] - '0'), (uint8_t)(dice.text[1] - '0')};
        count_throw(in, before, before->turn, pair);
    }
}

static void end_game(struct luck_reader *in) {
    const struct replay_result *result = &in->replay.result;
    struct luck_match *match = &in->match;
    in->game.winner = result->winner;
    in->game.net = result->winner < 0         ? 0
                   : result->winner == SIDE_X ? result->half_points
                                              : -result->half_points;
    match->games++;
    match->throws += in->game.throws;
    match->net += in->game.net;
    match->points += in->game.points;
    match->wins += in->game.wins;
    if (in->take != NULL) {
        in->take(in->owner, &in->game);
    }
}

static void take_end(const struct replay *replay, struct match_row *end) {
    *end = (struct match_row){.winner = replay->winner,
                              .score = {replay->match.score[SIDE_X], replay->match.score[SIDE_Y]},
                              .games = replay->match.games,
                              .reason = replay->end_reason,
                              .offender = replay_gave_up(replay)};
}

static void take_line(struct luck_reader *in, const struct replay *before,
                      const struct message *message) {
    if (message->kind == MESSAGE_GAME) {
        begin_game(in);
    } else if (message->kind == MESSAGE_DID) {
        take_did(in, before);
    } else if (message->kind == MESSAGE_FAULT) {
        take_fault(in, before, message);
    } else if (message->kind == MESSAGE_RESULT) {
        end_game(in);
    } else if (message->kind == MESSAGE_END) {
        in->match.over = true;
        take_end(&in->replay, &in->match.end);
    }
}

struct luck_reader *luck_reader_new(const struct net *net, struct play_room *room,
                                    void (*take)(void *owner, const struct luck_game *game),
                                    void *owner) {
    struct luck_reader *in = alloc_zeroed(1, sizeof *in);
    *in = (struct luck_reader){.net = net, .room = room, .take = take, .owner = owner};
    replay_init(&in->replay, room);
    return in;
}

int luck_reader_feed(struct luck_reader *in, const char *text, size_t length,
                     char why[RECORD_WHY_MAX]) {
    struct message message;
    const char *line, *option;
    size_t line_length, at = 0;
    while (replay_cut(text, length, &at, &line, &line_length) > 0) {
        struct replay before = in->replay;
        char said[RECORD_WHY_MAX];
        if (replay_line(&in->replay, line, line_length, &message, said) != 0) {
            snprintf(why, RECORD_WHY_MAX, "line %llu: %.150s",
                     (unsigned long long)in->replay.lines, said);
            return -1;
        }
        in->match.header = in->replay.header;
        if (in->replay.lines == 1 && !net_knows(in->net, &in->match.header.rules, &option)) {
            snprintf(why, RECORD_WHY_MAX, "the evaluator does not know games with this %s", option);
            return -1;
        }
        take_line(in, &before, &message);
    }
    return 0;
}

const struct luck_match *luck_reader_match(const struct luck_reader *in) {
    return &in->match;
}

void luck_reader_free(struct luck_reader *in) {
    free(in);
}
