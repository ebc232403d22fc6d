#include "cli/check_seat.h"

#include "wire/phrase.h"

#include <stdio.h>
#include <string.h>

/* Any hashes: what they are of nobody has seen. */
#define SOME_HASH "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

void seat_init(struct seat *seat, struct talk *talk, const struct rules *rules, enum side side) {
    *seat = (struct seat){.talk = talk, .rules = *rules, .side = side};
    seat->table = ++talk->tables;
}

void seat_offer(struct seat *seat) {
    struct message message;
    message_init(&message, MESSAGE_MATCH);
    message_set_u64(&message, FIELD_TABLE, seat->table);
    message_set(&message, FIELD_UNIT, "U000001");
    message_set_int(&message, FIELD_LEG, 1);
    message_set(&message, FIELD_VARIANT, seat->rules.variant->name);
    message_set(&message, FIELD_SEAT, side_name((int)seat->side));
    message_set(&message, FIELD_OPPONENT, "checker");
    message_set(&message, FIELD_PAIRING, "independent");
    message_set(&message, FIELD_SOURCE, "seeded");
    message_set(&message, FIELD_EVENT, "check#5c1f");
    message_set(&message, FIELD_COMMIT, SOME_HASH);
    message_set_int(&message, FIELD_MOVE_TIME, seat->talk->patience / 1000);
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (option == OPTION_MATCH || rules_differs(&seat->rules, (enum option)option)) {
            message_set_option(&message, (enum option)option, seat->rules.value[option]);
        }
    }
    talk_message(seat->talk, &message);
    talk_ask(seat->talk, MESSAGE_MATCH, seat->table, 0);
}

bool seat_open(struct seat *seat) {
    seat_offer(seat);
    if (!talk_hear(seat->talk)) {
        return false;
    }
    seat->declined = seat->talk->ask[seat->talk->asks - 1].answer == MESSAGE_DECLINE;
    return true;
}

/* ---- what is told in the course of a game */

void seat_begin(struct seat *seat, unsigned number) {
    struct message message;
    scene_begin(&seat->at, &seat->rules, number, &seat->talk->room);
    seat->game++;
    decision_init(&seat->cube, &seat->rules, seat->at.starter, 0);
    message_init(&message, MESSAGE_GAME);
    message_set_u64(&message, FIELD_TABLE, seat->table);
    message_set_int(&message, FIELD_GAME, seat->game);
    message_set_int(&message, FIELD_ATTEMPT, seat->attempt);
    phrase_score(&message, seat->score, seat->side);
    message_set(&message, FIELD_STARTER, side_name((int)seat->at.starter));
    message_set_print(&message, FIELD_OPENING, "%d%d", seat->at.opening.die[0],
                      seat->at.opening.die[1]);
    if (seat->crawford) {
        message_set(&message, FIELD_CRAWFORD, "yes");
    }
    message_set_u64(&message, FIELD_SEED, UINT64_MAX - number);
    talk_message(seat->talk, &message);
}

static void tell_ply(struct seat *seat, const struct play *play) {
    const struct scene_game *at = &seat->at;
    struct message message;
    char text[PLAY_TEXT_MAX];
    if (at->now.mover == seat->side) {
        play_write(play, ' ', true, text);
    } else {
        play_write_mirrored(&seat->rules, play, ' ', text);
    }
    message_init(&message, MESSAGE_DID);
    message_set_u64(&message, FIELD_TABLE, seat->table);
    message_set_int(&message, FIELD_PLY, at->ply);
    message_set(&message, FIELD_SEAT, side_name((int)at->now.mover));
    phrase_dice(&message, FIELD_DEED, at->now.dice);
    message_set(&message, FIELD_PLAY, text);
    talk_message(seat->talk, &message);
}

bool seat_play(struct seat *seat, struct play play) {
    tell_ply(seat, &play);
    return scene_play(&seat->at, play);
}

void seat_skip(struct seat *seat, int ply) {
    while (seat->at.ply < ply && seat_play(seat, *scene_choice(&seat->at))) {
    }
}

void seat_did(struct seat *seat, enum side side, const char *words) {
    talk_tell(seat->talk, "did %llu %d %s %s", (unsigned long long)seat->table, seat->at.ply++,
              side_name((int)side), words);
}

bool seat_asks(struct seat *seat) {
    scene_list(&seat->at);
    return seat->at.now.mover == seat->side && seat->at.list[0].play.count > 0 &&
           (seat->at.count > 1 || !seat->talk->hello.forced);
}

bool seat_go(struct seat *seat, struct play play) {
    bool goes_on = seat_play(seat, play);
    while (goes_on) {
        if (seat_asks(seat)) {
            return true;
        }
        goes_on = seat_play(seat, *scene_choice(&seat->at));
    }
    struct outcome outcome = game_outcome(&seat->rules, &seat->at.now.board, seat->at.starter,
                                          side_other(seat->at.now.mover));
    seat_result(seat, outcome.over ? (int)outcome.winner : -1,
                outcome.over ? outcome_half_points(&seat->rules, &outcome) : 0, "normal");
    return false;
}

/* ---- what is asked */

static void set_position(const struct seat *seat, struct message *message) {
    phrase_board(message, &seat->rules, &seat->at.now.board, seat->side);
    phrase_score(message, seat->score, seat->side);
    message_set(message, FIELD_ROLL, seat->at.now.mover == seat->side ? "me" : "opp");
    message_set(message, FIELD_VARIANT, seat->rules.variant->name);
    message_set_int(message, FIELD_LENGTH, seat->rules.value[OPTION_MATCH]);
    if (seat->rules.value[OPTION_VIDO]) {
        phrase_cube(message, &seat->cube.cube, seat->crawford, seat->side);
    }
}

static void tell_plays(struct seat *seat) {
    for (size_t next = 0; next < seat->at.count;) {
        struct message message;
        next = phrase_plays(&message, seat->at.list, seat->at.count, next);
        message_set_u64(&message, FIELD_TABLE, seat->table);
        message_set_u64(&message, FIELD_SERIAL, seat->serial);
        talk_message(seat->talk, &message);
    }
}

/* Tells the request and keeps what it may be answered. */
static struct ask *tell_question(struct seat *seat, struct message *message, unsigned may) {
    message_set_int(message, FIELD_MS, seat->talk->patience / 1000);
    if (seat->talk->hello.position) {
        set_position(seat, message);
    }
    if (may != ACT_PLAY) {
        phrase_may(message, may);
    }
    talk_message(seat->talk, message);
    struct ask *ask = talk_ask(seat->talk, message->kind, seat->table, seat->serial);
    ask->may = may;
    ask->rules = &seat->rules;
    ask->at = seat->at.now;
    return ask;
}

struct ask *seat_turn(struct seat *seat) {
    bool resign = seat->rules.value[OPTION_RESIGN] != 0;
    struct message message;
    seat->serial++;
    scene_list(&seat->at);
    if (seat->talk->hello.plays) {
        tell_plays(seat);
    }
    message_init(&message, MESSAGE_TURN);
    message_set_u64(&message, FIELD_TABLE, seat->table);
    message_set_u64(&message, FIELD_SERIAL, seat->serial);
    phrase_dice(&message, FIELD_DICE, seat->at.now.dice);
    if (seat->at.now.first_turn) {
        message_set(&message, FIELD_FIRST, "yes");
    }
    return tell_question(seat, &message, ACT_PLAY | (resign ? ACT_RESIGN : 0U));
}

struct ask *seat_cube(struct seat *seat, unsigned may) {
    struct message message;
    seat->serial++;
    message_init(&message, MESSAGE_CUBE);
    message_set_u64(&message, FIELD_TABLE, seat->table);
    message_set_u64(&message, FIELD_SERIAL, seat->serial);
    return tell_question(seat, &message, may);
}

struct ask *seat_offered(struct seat *seat, unsigned may, const char *words) {
    struct message message;
    char line[160], why[160];
    seat->serial++;
    snprintf(line, sizeof line, "offer %llu %llu %s may=roll", (unsigned long long)seat->table,
             (unsigned long long)seat->serial, words);
    if (spelling_decode(SPELLING_TEXT, line, strlen(line), SENT_BY_REFEREE, &message, why) !=
        DECODED_MESSAGE) {
        fail_fatal("check: %s: %s", why, line);
    }
    return tell_question(seat, &message, may);
}

/* ---- ends */

void seat_result(struct seat *seat, int winner, int half_points, const char *reason) {
    char points[SCORE_TEXT_MAX], own[SCORE_TEXT_MAX], other[SCORE_TEXT_MAX];
    for (int side = SIDE_X; side <= SIDE_Y; side++) {
        seat->score[side] += winner < 0 || winner == side ? half_points : 0;
    }
    score_write(half_points, points);
    score_write(seat->score[seat->side], own);
    score_write(seat->score[side_other(seat->side)], other);
    talk_tell(seat->talk,
              "result %llu %u winner=%s reason=%s kind=%s points=%s score=%s,%s lines=%d head=%s",
              (unsigned long long)seat->table, seat->game, side_name(winner),
              reason, winner < 0 ? "none" : kind_name(&seat->rules, 1), points, own, other,
              seat->at.ply + 4, SOME_HASH);
}

void seat_end(struct seat *seat, int winner, const char *reason) {
    char own[SCORE_TEXT_MAX], other[SCORE_TEXT_MAX];
    score_write(seat->score[seat->side], own);
    score_write(seat->score[side_other(seat->side)], other);
    talk_tell(seat->talk, "end %llu winner=%s score=%s,%s reason=%s",
              (unsigned long long)seat->table, side_name(winner), own, other,
              reason);
    talk_tell(seat->talk, "unit U000001 seed=%s heads=%s", SOME_HASH, SOME_HASH);
}

void seat_leave(struct seat *seat) {
    seat_result(seat, (int)seat->side, 4, "disconnect");
    seat_end(seat, (int)seat->side, "disconnect");
}
