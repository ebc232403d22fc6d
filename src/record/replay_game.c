#include "record/replay_inside.h"

#include "record/fact.h"

#include <stdio.h>

static int require_score(const struct replay *replay, const struct message *message, char *why) {
    char side[SIDE_COUNT][SCORE_TEXT_MAX];
    char both[2 * SCORE_TEXT_MAX];
    for (int i = 0; i < SIDE_COUNT; i++) {
        score_write(replay->match.score[i], side[i]);
    }
    snprintf(both, sizeof both, "%s,%s", side[SIDE_X], side[SIDE_Y]);
    return fact_require_text(message, FIELD_SCORE, both, why);
}

/* Reads the opening throws: any number of ties, then one that decides. */
static int read_opening(struct replay *replay, const struct message *message, char *why) {
    struct value value = message_value(message, FIELD_OPENING);
    replay->throws = 0;
    for (size_t at = 0; at < value.length; at += 3) {
        struct roll *roll = &replay->opening[replay->throws];
        size_t left = value.length - at;
        if (replay->throws == REPLAY_THROWS_MAX) {
            return fact_refuse(why, "opening= has more than %d throws", (int)REPLAY_THROWS_MAX);
        }
        if (!fact_read_dice(value.text + at, left < 2 ? left : 2, roll->die) ||
            (left > 2 && (left < 5 || value.text[at + 2] != ','))) {
            return fact_refuse(why, "opening= has to be throws such as 33,52");
        }
        replay->throws++;
        bool tie = roll->die[0] == roll->die[1];
        if (tie != (left > 2)) {
            return fact_refuse(why,
                               tie ? "the opening throw %.2s decides nothing"
                                   : "the opening throw %.2s decides, and yet another follows",
                               value.text + at);
        }
    }
    return 0;
}

/* A file of another program does not have the throws for the start: who it says starts does,
 * and a cube that is turned already tells of equal ones. */
static int read_stated_starter(struct replay *replay, const struct message *message, char *why) {
    int starter;
    int ties = 0;
    if (!fact_read_side(message, FIELD_STARTER, &starter) || starter < 0) {
        return fact_refuse(why, "starter= has to be X or Y");
    }
    for (int64_t value = message_int(message, FIELD_CUBE, 1); value > 1; value /= 2) {
        ties++;
    }
    replay->starter = (enum side)starter;
    decision_init(&replay->now, &replay->header.rules, replay->starter, ties);
    return 0;
}

/* Who starts, from the rules and the throws (rules.md B1, B2). */
static int read_starter(struct replay *replay, const struct message *message, char *why) {
    if (read_opening(replay, message, why) != 0) {
        return -1;
    }
    int starter = match_starter(&replay->match, &replay->header.rules);
    if (replay->header.source == DICE_IMPORTED && replay->throws == 0) {
        return read_stated_starter(replay, message, why);
    }
    if (starter >= 0 && replay->throws > 0) {
        return fact_refuse(why, "%s starts this game without a throw, and yet opening= is there",
                           side_name(starter));
    }
    if (starter < 0) {
        if (replay->throws == 0) {
            return fact_refuse(why, "the opening throw is missing: opening= has to say who starts");
        }
        const uint8_t *die = replay->opening[replay->throws - 1].die;
        starter = die[0] > die[1] ? SIDE_X : SIDE_Y;
    }
    replay->starter = (enum side)starter;
    decision_init(&replay->now, &replay->header.rules, replay->starter,
                  replay->throws > 0 ? replay->throws - 1 : 0);
    return fact_require_text(message, FIELD_STARTER, side_name(starter), why);
}

/* What of the cube is special in this game: stated where it is, and only there. */
static int read_cube(const struct replay *replay, const struct message *message, char *why) {
    bool crawford = replay->match.crawford == CRAWFORD_NOW;
    int value = replay->now.cube.value;
    if (fact_require_text(message, FIELD_CRAWFORD, crawford ? "yes" : "", why) != 0) {
        return -1;
    }
    return value > 1 ? fact_require_number(message, FIELD_CUBE, (uint64_t)value, why)
                     : fact_require_text(message, FIELD_CUBE, "", why);
}

bool replay_is_withheld(const struct replay *replay, enum side side) {
    return replay->of[mix_player(replay->header.leg, side)].withheld;
}

/* Number and attempt of the game that comes next. */
void replay_next_game(const struct replay *replay, unsigned *game, unsigned *attempt) {
    bool again = replay->game == (unsigned)replay->match.games + 1;
    *game = (unsigned)replay->match.games + 1;
    *attempt = again ? replay->attempt + 1 : 0;
}

bool replay_is_capped(const struct replay *replay) {
    return replay->match.games > 0 && replay->result.reason == REASON_CAP;
}

int replay_read_game(struct replay *replay, const struct message *message, char *why) {
    int winner;
    if (replay_is_capped(replay) || match_over(&replay->match, &winner)) {
        return fact_refuse(why, "the match is over, and yet another game begins");
    }
    if (replay_is_withheld(replay, SIDE_X) || replay_is_withheld(replay, SIDE_Y)) {
        return fact_refuse(why, "what a side had declared for the dice never came, and yet a game "
                                "begins");
    }
    unsigned game;
    unsigned attempt;
    replay_next_game(replay, &game, &attempt);
    if (fact_require_number(message, FIELD_GAME, game, why) != 0 ||
        fact_require_number(message, FIELD_ATTEMPT, attempt, why) != 0 ||
        require_score(replay, message, why) != 0 || read_starter(replay, message, why) != 0 ||
        read_cube(replay, message, why) != 0) {
        return -1;
    }
    replay->begun = true;
    replay->game = game;
    replay->attempt = attempt;
    replay->turn = replay->starter;
    replay->plies = 0;
    replay->disputes[SIDE_X] = 0;
    replay->disputes[SIDE_Y] = 0;
    replay->turns[SIDE_X] = 0;
    replay->turns[SIDE_Y] = 0;
    replay->offender = -1;
    replay->in_force = false;
    replay->refusals = 0;
    replay->shown = false;
    replay->contended = false;
    board_init(&replay->board, &replay->header.rules);
    replay->state = REPLAY_PLAY;
    return 0;
}

uint32_t replay_used(const struct replay *replay) {
    bool decides = replay->throws > 0 &&
                   replay->header.rules.value[OPTION_OPENING] == OPENING_DECIDING;
    return replay->used + (uint32_t)replay->throws - (decides ? 1 : 0) +
           replay->turns[SIDE_X] + replay->turns[SIDE_Y];
}

struct replay_result replay_expect(const struct replay *replay) {
    const struct rules *rules = &replay->header.rules;
    struct outcome outcome;
    enum reason reason;
    if (replay->state == REPLAY_BORNE_OFF) {
        outcome =
            cube_outcome(rules, &replay->now,
                         game_outcome(rules, &replay->board, replay->starter, replay->ply.seat));
        reason = REASON_NORMAL;
    } else if (replay->state == REPLAY_YIELDED) {
        outcome = cube_surrender(rules, &replay->now, replay->ply.act);
        reason = replay->ply.act == ACT_DROP ? REASON_DROP : REASON_RESIGN;
    } else if (replay->state == REPLAY_FORFEITED) {
        outcome = cube_forfeit(rules, &replay->now, &replay->board, (enum side)replay->offender);
        reason = replay->fault;
    } else {
        return (struct replay_result){.winner = -1, .reason = REASON_CAP};
    }
    return (struct replay_result){.winner = outcome.drawn ? -1 : (int)outcome.winner,
                                  .kind = outcome.kind,
                                  .half_points = outcome_half_points(rules, &outcome),
                                  .reason = reason};
}

int replay_read_result(struct replay *replay, const struct message *message, char *why) {
    if (replay->state == REPLAY_PLAY && replay->plies != RECORD_PLIES_MAX) {
        return fact_refuse(why, "the game is not over: it would be cut off after %d plies",
                           (int)RECORD_PLIES_MAX);
    }
    struct replay_result want = replay_expect(replay);
    char points[SCORE_TEXT_MAX];
    score_write(want.half_points, points);
    if (fact_require_number(message, FIELD_GAME, replay->game, why) != 0 ||
        fact_require_text(message, FIELD_REASON, reason_name(want.reason), why) != 0 ||
        fact_require_text(message, FIELD_WINNER, side_name(want.winner), why) != 0 ||
        fact_require_text(message, FIELD_KIND, kind_name(&replay->header.rules, want.kind), why) !=
            0 ||
        fact_require_text(message, FIELD_POINTS, points, why) != 0 ||
        fact_require_text(message, FIELD_CONTENDED, replay->contended ? "yes" : "", why) != 0) {
        return -1;
    }
    match_add(&replay->match, want.winner, want.half_points, replay->starter);
    if (require_score(replay, message, why) != 0) {
        return -1;
    }
    replay->result = want;
    replay->used = replay_used(replay) + (replay->shown || replay->in_force ? 1 : 0);
    replay->state = REPLAY_BETWEEN;
    return 0;
}

int replay_read_void(struct replay *replay, const struct message *message, char *why) {
    int winner;
    if (match_over(&replay->match, &winner)) {
        return fact_refuse(why, "the match is over, no game can be void any more");
    }
    unsigned game = replay->game;
    unsigned attempt = replay->attempt;
    if (replay->state == REPLAY_BETWEEN) {
        replay_next_game(replay, &game, &attempt);
    }
    if (fact_require_number(message, FIELD_GAME, game, why) != 0 ||
        (message_has(message, FIELD_ATTEMPT) &&
         fact_require_number(message, FIELD_ATTEMPT, attempt, why) != 0)) {
        return -1;
    }
    replay->game = game;
    replay->attempt = attempt;
    replay->state = REPLAY_BETWEEN;
    return 0;
}

/* Whether the line before was the result of a game that was lost by a fault which ends
 * the match as well: an empty reserve, a bot that goes and is not waited for. */
static bool just_lost(const struct replay *replay) {
    return replay->match.games > 0 && replay->game == (unsigned)replay->match.games &&
           replay->offender >= 0 && replay->result.reason == replay->fault &&
           (reason_flags(replay->fault) & REASON_LEAVES) != 0;
}

/* The end of a match in which nobody has reached the length: a game went nowhere,
 * a side gave up (a `fault` says so), or neither came: no winner. */
static int read_early_end(struct replay *replay, const struct message *message, int winner,
                          enum reason reason, char *why) {
    if (replay_is_capped(replay)) {
        if (fact_require_text(message, FIELD_WINNER, side_name(-1), why) != 0) {
            return -1;
        }
        return fact_require_text(message, FIELD_REASON, reason_name(REASON_CAP), why);
    }
    bool x = replay_is_withheld(replay, SIDE_X);
    bool y = replay_is_withheld(replay, SIDE_Y);
    if ((x || y) != (reason == REASON_WITHHELD) || (x && y) != (winner < 0 && (x || y))) {
        return fact_refuse(why, "who withheld what it had declared is not who loses by it");
    }
    if (replay->state == REPLAY_BETWEEN && winner < 0) {
        return (reason_flags(reason) & REASON_BOTH) != 0
                   ? 0
                   : fact_refuse(why, "the match is not over: without a winner it cannot end by %s",
                                 reason_name(reason));
    }
    if (replay->state != REPLAY_LEFT && !just_lost(replay)) {
        return fact_refuse(why, "the match is not over, and no fault says that a side gave up");
    }
    if (reason != replay->fault || winner != (int)side_other((enum side)replay->offender)) {
        return fact_refuse(why, "%s gave up by %s, and the end says otherwise",
                           side_name(replay->offender), reason_name(replay->fault));
    }
    return 0;
}

int replay_read_end(struct replay *replay, const struct message *message, char *why) {
    int winner;
    int said;
    int found = reason_find(message_text(message, FIELD_REASON));
    if (!fact_read_side(message, FIELD_WINNER, &said) || found < 0) {
        return fact_refuse(why,
                           "winner= has to be X, Y or none, and reason= one of the known ones");
    }
    if (require_score(replay, message, why) != 0) {
        return -1;
    }
    if (!match_over(&replay->match, &winner)) {
        winner = said;
        if (read_early_end(replay, message, said, (enum reason)found, why) != 0) {
            return -1;
        }
    } else if (fact_require_text(message, FIELD_WINNER, side_name(winner), why) != 0 ||
               fact_require_text(message, FIELD_REASON, reason_name(REASON_NORMAL), why) != 0) {
        return -1;
    }
    replay->winner = winner;
    replay->end_reason = (enum reason)found;
    replay->state = REPLAY_ENDED;
    return 0;
}

int replay_gave_up(const struct replay *replay) {
    bool fault = (reason_flags(replay->end_reason) & REASON_BY_FAULT) != 0;
    return fault && replay->winner >= 0 ? replay->offender : -1;
}
