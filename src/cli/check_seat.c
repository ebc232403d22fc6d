#include "cli/check_seat.h"

#include "wire/phrase.h"

#include <stdio.h>
#include <string.h>

/* Any hashes: what they are of nobody has seen. */
#define SOME_HASH "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

/* Takes it out of the talk's list, where it is there. */
static void unlink_seat(struct seat *seat) {
    struct seat **at = &seat->talk->seats;
    while (*at != NULL && *at != seat) {
        at = &(*at)->next;
    }
    if (*at == seat) {
        *at = seat->next;
    }
}

void seat_init(struct seat *seat, struct talk *talk, const struct rules *rules, enum side side) {
    seat->talk = talk;
    unlink_seat(seat); /* of a match before */
    *seat = (struct seat){.talk = talk, .rules = *rules, .side = side, .next = talk->seats};
    talk->seats = seat;
    seat->table = ++talk->tables;
}

/* What `match` and `state` both have. */
static void set_match(const struct seat *seat, struct message *message) {
    message_set_u64(message, FIELD_TABLE, seat->table);
    message_set(message, FIELD_UNIT, "U000001");
    message_set_int(message, FIELD_LEG, 1);
    message_set(message, FIELD_VARIANT, seat->rules.variant->name);
    message_set(message, FIELD_SEAT, side_name((int)seat->side));
    message_set(message, FIELD_OPPONENT, "checker");
    message_set(message, FIELD_PAIRING, "independent");
    message_set(message, FIELD_SOURCE, "seeded");
    message_set(message, FIELD_EVENT, "check#5c1f");
    message_set(message, FIELD_COMMIT, SOME_HASH);
    message_set_int(message, FIELD_MOVE_TIME, seat->talk->patience / 1000);
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (option == OPTION_MATCH || rules_differs(&seat->rules, (enum option)option)) {
            message_set_option(message, (enum option)option, seat->rules.value[option]);
        }
    }
}

void seat_offer(struct seat *seat) {
    struct message message;
    message_init(&message, MESSAGE_MATCH);
    set_match(seat, &message);
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
    seat->in_game = true;
    seat->seed = UINT64_MAX - number;
    seat->game++;
    decision_init(&seat->cube, &seat->rules, seat->at.starter, 0);
    message_init(&message, MESSAGE_GAME);
    message_set_u64(&message, FIELD_TABLE, seat->table);
    message_set_int(&message, FIELD_GAME, seat->game);
    message_set_int(&message, FIELD_ATTEMPT, seat->attempt);
    phrase_score(&message, seat->score, seat->side);
    message_set(&message, FIELD_STARTER, side_name((int)seat->at.starter));
    phrase_dice(&message, FIELD_OPENING, seat->at.opening.die);
    if (seat->crawford) {
        message_set(&message, FIELD_CRAWFORD, "yes");
    }
    message_set_u64(&message, FIELD_SEED, seat->seed);
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
    seat_result(seat, outcome.over && !outcome.drawn ? (int)outcome.winner : -1,
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

/* The message of a turn: its throw, and what a bot that keeps nothing has to know. */
static void set_turn(const struct seat *seat, struct message *message) {
    const struct situation *now = &seat->at.now;
    message_init(message, MESSAGE_TURN);
    phrase_dice(message, FIELD_DICE, now->dice);
    if (now->first_turn) {
        message_set(message, FIELD_FIRST, "yes");
    }
    if (now->board.men[side_other(now->mover)][POINT_OFF] == seat->rules.variant->checkers) {
        message_set(message, FIELD_LAST, "yes");
    }
}

/* The message of an offer, from the words behind its serial. */
static void set_offer(const struct seat *seat, struct message *message) {
    char line[160], why[160];
    snprintf(line, sizeof line, "offer 1 1 %s may=roll", seat->offer);
    if (spelling_decode(SPELLING_TEXT, line, strlen(line), SENT_BY_REFEREE, message, why) !=
        DECODED_MESSAGE) {
        fail_fatal("check: %s: %s", why, line);
    }
}

/* Tells a request that is kept already. */
static void tell_request(struct seat *seat, const struct ask *ask) {
    struct message message;
    if (ask->question == MESSAGE_TURN) {
        scene_list(&seat->at);
        if (seat->talk->hello.plays) {
            tell_plays(seat);
        }
        set_turn(seat, &message);
    } else if (ask->question == MESSAGE_OFFER) {
        set_offer(seat, &message);
    } else {
        message_init(&message, MESSAGE_CUBE);
    }
    message_set_u64(&message, FIELD_TABLE, seat->table);
    message_set_u64(&message, FIELD_SERIAL, seat->serial);
    message_set_int(&message, FIELD_MS, seat->talk->patience / 1000);
    if (seat->talk->hello.position) {
        set_position(seat, &message);
    }
    if (ask->may != ACT_PLAY) {
        phrase_may(&message, ask->may);
    }
    talk_message(seat->talk, &message);
}

struct ask *seat_ask_again(struct seat *seat, enum message_kind question, unsigned may) {
    struct ask *ask = talk_ask(seat->talk, question, seat->table, seat->serial);
    ask->may = may;
    ask->rules = &seat->rules;
    ask->at = seat->at.now;
    tell_request(seat, ask);
    return ask;
}

struct ask *seat_turn(struct seat *seat) {
    bool resign = seat->rules.value[OPTION_RESIGN] != 0;
    seat->serial++;
    return seat_ask_again(seat, MESSAGE_TURN, ACT_PLAY | (resign ? ACT_RESIGN : 0U));
}

struct ask *seat_cube(struct seat *seat, unsigned may) {
    seat->serial++;
    return seat_ask_again(seat, MESSAGE_CUBE, may);
}

struct ask *seat_offered(struct seat *seat, unsigned may, const char *words) {
    seat->serial++;
    snprintf(seat->offer, sizeof seat->offer, "%s", words);
    return seat_ask_again(seat, MESSAGE_OFFER, may);
}

/* ---- where it stands */

static void set_game(const struct seat *seat, struct message *message) {
    message_set_int(message, FIELD_GAME, seat->game);
    message_set_int(message, FIELD_ATTEMPT, seat->attempt);
    message_set(message, FIELD_STARTER, side_name((int)seat->at.starter));
    phrase_dice(message, FIELD_OPENING_THROWS, seat->at.opening.die);
    if (seat->crawford) {
        message_set(message, FIELD_CRAWFORD_GAME, "yes");
    }
    message_set_u64(message, FIELD_SEED, seat->seed);
    message_set_int(message, FIELD_PLY, seat->at.ply - 1);
    phrase_board(message, &seat->rules, &seat->at.now.board, seat->side);
    if (seat->rules.value[OPTION_VIDO]) {
        message_set_int(message, FIELD_CUBE, seat->cube.cube.value);
        message_set(message, FIELD_OWNER, phrase_owner(&seat->cube.cube, seat->side));
    }
}

/* What the bot was asked at that table and has not answered, or NULL. */
static const struct ask *open_ask(const struct seat *seat) {
    for (int i = 0; i < seat->talk->asks; i++) {
        const struct ask *ask = &seat->talk->ask[i];
        if (!ask->answered && ask->table == seat->table) {
            return ask;
        }
    }
    return NULL;
}

void seat_tell_state(struct seat *seat) {
    const struct ask *ask = open_ask(seat);
    bool ready = ask == NULL || ask->question != MESSAGE_MATCH;
    struct message message;
    message_init(&message, ready ? MESSAGE_STATE : MESSAGE_MATCH);
    set_match(seat, &message);
    if (ready) {
        message_set_u64(&message, FIELD_SERIAL, seat->serial);
        phrase_score(&message, seat->score, seat->side);
        if (seat->in_game) {
            set_game(seat, &message);
        }
    }
    if (ask != NULL && ask->question == MESSAGE_OFFER && strncmp(seat->offer, "double", 6) == 0) {
        message_set_int(&message, FIELD_VALUE, 2 * seat->cube.cube.value);
    }
    talk_message(seat->talk, &message);
    if (ready && ask != NULL) {
        tell_request(seat, ask);
    }
}

bool seat_sync(struct talk *talk, uint64_t table) {
    for (struct seat *seat = talk->seats; seat != NULL; seat = seat->next) {
        if (seat->table == table) {
            seat_tell_state(seat);
            return true;
        }
    }
    return false;
}

/* ---- ends */

void seat_result(struct seat *seat, int winner, int half_points, const char *reason) {
    char points[SCORE_TEXT_MAX], own[SCORE_TEXT_MAX], other[SCORE_TEXT_MAX];
    seat->in_game = false;
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
              (unsigned long long)seat->table, side_name(winner), own, other, reason);
    talk_tell(seat->talk, "unit U000001 seed=%s heads=%s", SOME_HASH, SOME_HASH);
    unlink_seat(seat);
}

void seat_leave(struct seat *seat) {
    seat_result(seat, (int)seat->side, 4, "disconnect");
    seat_end(seat, (int)seat->side, "disconnect");
}
