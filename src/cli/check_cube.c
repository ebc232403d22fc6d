/* The items of the cube: where the bot declines vido=on, they do not apply. */
#include "cli/check.h"

#include "base/lang.h"

#include <stdio.h>

enum { CUBE_GAME = 11, CUBE_PLY = 5, QUIET = 30000 /* us */ };

enum { MATCH_TO = 7 };

/* A match with the cube, and a game so far that the bot is on throw. */
static bool open_cube(struct check *check, struct seat *seat, const struct rules *rules,
                      bool crawford) {
    struct rules cube = *rules;
    cube.value[OPTION_VIDO] = 1;
    cube.value[OPTION_RESIGN] = 1;
    if (cube.value[OPTION_MATCH] != 0) {
        cube.value[OPTION_MATCH] = MATCH_TO;
    }
    struct scene_game game;
    scene_begin(&game, &cube, CUBE_GAME, &check->talk.room);
    while (game.ply < CUBE_PLY || game.list[0].play.count == 0) {
        scene_play(&game, *scene_choice(&game));
    }
    seat_init(seat, &check->talk, &cube, game.now.mover);
    if (!seat_open(seat)) {
        return false;
    }
    if (seat->declined) {
        check_skip(check, N_("it declines matches with the cube"));
        return false;
    }
    seat->crawford = crawford;
    seat->score[seat->side] = crawford ? 2 * (MATCH_TO - 1) : 0;
    seat_begin(seat, CUBE_GAME);
    seat_skip(seat, game.ply);
    return true;
}

/* It may have resigned in place of a play: then the other side accepts. False: over. */
static bool go_on(struct seat *seat, const struct ask *ask) {
    if (ask->answer == MESSAGE_RESIGN) {
        char words[64];
        snprintf(words, sizeof words, "resign kind=%s", kind_name(&seat->rules, ask->kind));
        seat_did(seat, seat->side, words);
        seat_did(seat, side_other(seat->side), "accept");
        seat_result(seat, (int)side_other(seat->side), 2 * ask->kind, "resign");
        seat_end(seat, (int)side_other(seat->side), "normal");
        return false;
    }
    return seat_go(seat, ask->play);
}

/* A turn, and then it is over by the other side's leaving. */
static void turn_and_leave(struct seat *seat) {
    const struct ask *ask = seat_turn(seat);
    if (talk_hear(seat->talk) && go_on(seat, ask)) {
        seat_leave(seat);
        talk_quiet(seat->talk, QUIET);
    }
}

static void take(struct seat *seat, enum side taker) {
    seat->cube.cube.value *= 2;
    seat->cube.cube.owner = (int)taker;
}

/* `cube`: roll or double; a double is taken. */
static void run_cube(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    struct seat seat;
    (void)detail;
    if (!open_cube(check, &seat, rules, false)) {
        return;
    }
    const struct ask *ask = seat_cube(&seat, ACT_ROLL | ACT_DOUBLE | ACT_RESIGN);
    if (!talk_hear(talk)) {
        return;
    }
    if (ask->answer == MESSAGE_DOUBLE) {
        seat_did(&seat, seat.side, "double");
        seat_did(&seat, side_other(seat.side), "take");
        take(&seat, side_other(seat.side));
        check_fact(check, N_("it doubles"));
    }
    if (ask->answer == MESSAGE_RESIGN) {
        go_on(&seat, ask);
        return;
    }
    turn_and_leave(&seat);
}

/* A seat whose other side is on throw: the bot has just played. */
static bool open_offer(struct check *check, struct seat *seat, const struct rules *rules) {
    if (!open_cube(check, seat, rules, false)) {
        return false;
    }
    const struct ask *ask = seat_turn(seat);
    if (!talk_hear(seat->talk)) {
        return false;
    }
    if (ask->answer == MESSAGE_RESIGN) {
        check_skip(check, N_("it resigned before"));
        go_on(seat, ask);
        return false;
    }
    return seat_play(seat, ask->play);
}

/* The other side goes on from its throw. */
static void other_and_leave(struct seat *seat) {
    scene_list(&seat->at);
    if (seat_go(seat, *scene_choice(&seat->at))) {
        turn_and_leave(seat);
    }
}

/* A double is offered: taken, dropped, or doubled back where that is allowed. */
static void answer_double(struct check *check, struct seat *seat, unsigned may) {
    enum side other = side_other(seat->side);
    seat_did(seat, other, "double");
    const struct ask *ask = seat_offered(seat, may, "double value=2");
    if (!talk_hear(seat->talk)) {
        return;
    }
    seat_did(seat, seat->side, message_row(ask->answer)->name);
    if (ask->answer == MESSAGE_DROP) {
        check_fact(check, N_("it drops"));
        seat_result(seat, (int)other, 2, "drop");
        seat_end(seat, (int)other, "normal");
        talk_quiet(seat->talk, QUIET);
        return;
    }
    take(seat, seat->side);
    if (ask->answer == MESSAGE_BEAVER) {
        check_fact(check, N_("it beavers"));
        seat_did(seat, other, "take");
        take(seat, seat->side);
    }
    other_and_leave(seat);
}

static void run_double(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    (void)detail;
    if (open_offer(check, &seat, rules)) {
        answer_double(check, &seat, ACT_TAKE | ACT_DROP);
    }
}

/* A money session with beavers. */
static void run_beaver(struct check *check, const struct rules *rules, int detail) {
    struct rules money = *rules;
    struct seat seat;
    (void)detail;
    money.value[OPTION_MATCH] = 0;
    money.value[OPTION_BEAVERS] = 2;
    if (open_offer(check, &seat, &money)) {
        answer_double(check, &seat, ACT_TAKE | ACT_DROP | ACT_BEAVER);
    }
}

static void run_resigned(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    char words[64];
    (void)detail;
    if (!open_offer(check, &seat, rules)) {
        return;
    }
    snprintf(words, sizeof words, "resign kind=%s", kind_name(rules, 1));
    seat_did(&seat, side_other(seat.side), words);
    const struct ask *ask = seat_offered(&seat, ACT_ACCEPT | ACT_REJECT, words);
    if (!talk_hear(seat.talk)) {
        return;
    }
    seat_did(&seat, seat.side, message_row(ask->answer)->name);
    if (ask->answer == MESSAGE_REJECT) {
        check_fact(check, N_("it rejects"));
        other_and_leave(&seat);
        return;
    }
    seat_result(&seat, (int)seat.side, 2, "resign");
    seat_leave(&seat);
    talk_quiet(seat.talk, QUIET);
}

/* In the Crawford game nobody is asked for the cube. */
static void run_crawford(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    (void)detail;
    if (open_cube(check, &seat, rules, true)) {
        turn_and_leave(&seat);
    }
}

enum { WESTERN = 1 << VARIANT_WESTERN | 1 << VARIANT_NACKGAMMON | 1 << VARIANT_HYPERGAMMON };

const struct check_item check_items_cube[] = {
    {"cube", N_("`cube`: to roll or to double"), 0, EVERY_VARIANT, run_cube, 0},
    {"offered", N_("`offer double`: to take or to drop"), 0, EVERY_VARIANT, run_double, 0},
    {"crawford", N_("the Crawford game: no cube"), 0, 0, run_crawford, 0},
    {"beaver", N_("`offer double` that may be doubled back"), 0, WESTERN, run_beaver, 0},
    {"resigned", N_("`offer resign`: to accept or to reject"), 0, 0, run_resigned, 0},
    {0},
};
