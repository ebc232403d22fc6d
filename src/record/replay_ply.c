#include "record/replay_inside.h"

#include "record/fact.h"

#include <string.h>

/* A record quotes less than 512 bytes of a claim. Three dots end a quote that was cut, and
 * only where they and one more byte as an escape (`\xNN`) would not have fitted. */
enum {
    QUOTE_ROOM = 512,
    QUOTE_CUT_MIN = QUOTE_ROOM - 4
};

bool replay_plays_deciding(const struct replay *replay) {
    return replay->now.first && replay->throws > 0 &&
           replay->header.rules.value[OPTION_OPENING] == OPENING_DECIDING;
}

int replay_read_throw(const struct replay *replay, const struct message *message, enum field field,
                      uint8_t dice[2], char *why) {
    struct value value = message_value(message, field);
    if (!fact_read_dice(value.text, value.length, dice)) {
        return fact_refuse(why, "%s= has to be two dice such as 31", field_row(field)->name);
    }
    if (replay->shown && (dice[0] != replay->dice[0] || dice[1] != replay->dice[1])) {
        return fact_refuse(why, "the throw in force is %d%d, not %d%d", replay->dice[0],
                           replay->dice[1], dice[0], dice[1]);
    }
    if (replay->refusals > 0 && memcmp(dice, replay->refused_dice, 2) != 0) {
        return fact_refuse(why, "the throw is still %d%d: an answer to it was refused",
                           replay->refused_dice[0], replay->refused_dice[1]);
    }
    if (replay_plays_deciding(replay)) {
        const uint8_t *die = replay->opening[replay->throws - 1].die;
        if (dice[0] != die[0] || dice[1] != die[1]) {
            return fact_refuse(why,
                               "the first turn is played with the deciding throw %d%d, not %d%d",
                               die[0], die[1], dice[0], dice[1]);
        }
    }
    return 0;
}

static struct situation situation_now(const struct replay *replay, const uint8_t dice[2]) {
    return (struct situation){.board = replay->board,
                              .mover = replay->turn,
                              .dice = {dice[0], dice[1]},
                              .first_turn = replay->turns[replay->turn] == 0};
}

/* Judges the play of a `did`; it has to be spelled as records spell plays. */
static int judge_play(struct replay *replay, const struct message *message, const uint8_t dice[2],
                      struct verdict *verdict, char *why) {
    struct situation situation = situation_now(replay, dice);
    struct value claim = message_value(message, FIELD_PLAY);
    const char *text = message_text(message, FIELD_PLAY);
    play_judge(&replay->header.rules, &situation, text, claim.length, replay->room, verdict);
    if (verdict->judgement != JUDGED_LEGAL) {
        return fact_refuse(why,
                           claim.length > 0 ? "the play is not legal: %s" : "no pass here: %s",
                           verdict->reason);
    }
    char spelled[PLAY_TEXT_MAX];
    play_write(&verdict->play, ' ', true, spelled);
    if (strcmp(spelled, text) != 0) {
        return fact_refuse(why, "a record spells this play \"%s\", not \"%.60s\"", spelled, text);
    }
    return 0;
}

/* Charges a time that was stated; the sums stay as small as each of them. */
static int charge(struct replay *replay, enum side side, int64_t ms, char *why) {
    if (ms > RECORD_TIME_MAX - replay->charged[side]) {
        return fact_refuse(why, "ms= brings the time of %s beyond %lld ms",
                           side_name((int)side), (long long)RECORD_TIME_MAX);
    }
    replay->charged[side] += ms;
    replay->paid[side] += ms > replay->header.delay ? ms - replay->header.delay : 0;
    return 0;
}

/* A move time that was passed would have been a fault. A play may have cost two answers. */
static int check_move_time(const struct replay *replay, const struct replay_ply *ply, char *why) {
    int64_t move_time = replay->header.move_time;
    int64_t answers = ply->act == ACT_PLAY && replay->asked ? 2 : 1;
    if (move_time > 0 && ply->ms > answers * (move_time + replay->header.margin)) {
        return fact_refuse(why, "ms= is far beyond the move time of %lld ms", (long long)move_time);
    }
    return 0;
}

/* What passed beside what was charged: stated where it was shared, and only there; and how
 * late the referee itself was. */
static int read_beside(struct replay *replay, const struct message *message, struct replay_ply *ply,
                       char *why) {
    if (fact_read_time(message, FIELD_PASSED, ply->ms, &ply->passed, why) != 0 ||
        fact_read_time(message, FIELD_OPEN, 0, &ply->open, why) != 0 ||
        fact_read_time(message, FIELD_LAG, 0, &ply->lag, why) != 0) {
        return -1;
    }
    bool passed = message_has(message, FIELD_PASSED);
    bool open = message_has(message, FIELD_OPEN);
    bool lag = message_has(message, FIELD_LAG);
    if (ply->ms < 0 && (passed || open || lag)) {
        return fact_refuse(why, "passed=, open= and lag= go with ms=");
    }
    if (passed && (ply->passed <= ply->ms || replay->header.wall)) {
        return fact_refuse(why, "passed= has to be more than ms=, of a time that was shared");
    }
    if (open && ply->open < 2) {
        return fact_refuse(why, "open= is stated where two or more requests were open");
    }
    if (lag && ply->lag == 0) {
        return fact_refuse(why, "lag= is stated where there was one");
    }
    replay->contended = replay->contended || ply->lag > RECORD_LAG_CONTENDED;
    return 0;
}

/* Time charged for an answer: a limit that was passed would have been a fault. */
static int read_time(struct replay *replay, const struct message *message, struct replay_ply *ply,
                     char *why) {
    if (fact_read_time(message, FIELD_MS, -1, &ply->ms, why) != 0 ||
        read_beside(replay, message, ply, why) != 0) {
        return -1;
    }
    if (ply->ms < 0) {
        return 0;
    }
    if (ply->replaced) {
        return fact_refuse(why, "ms= charges time for a play that the referee chose");
    }
    /* a pass may have cost the answer `roll` */
    if (ply->act == ACT_PLAY && ply->play.count == 0 && !replay->asked) {
        return fact_refuse(why, "ms= charges time for a turn in which nothing could be played");
    }
    replay->answers[ply->seat]++;
    return check_move_time(replay, ply, why) != 0 ? -1 : charge(replay, ply->seat, ply->ms, why);
}

/* Whether the side to throw is asked before it does. */
static bool asks_to_double(const struct replay *replay) {
    const struct rules *rules = &replay->header.rules;
    return replay->now.phase == PHASE_THROW &&
           (cube_may(rules, &replay->match, &replay->now) & ACT_DOUBLE) != 0;
}

/* A throw and what was played with it. */
static int read_play(struct replay *replay, const struct message *message, struct replay_ply *ply,
                     char *why) {
    struct verdict verdict;
    if (replay->now.phase != PHASE_THROW && replay->now.phase != PHASE_THROWN) {
        return fact_refuse(why, "an answer is awaited, not a throw");
    }
    ply->act = ACT_PLAY;
    ply->thrown = true;
    ply->known = replay->shown;
    ply->replaced = replay->refusals > 0 &&
                    replay->header.rules.value[OPTION_ILLEGAL] == ILLEGAL_REPLACE_RANDOM;
    if (replay_read_throw(replay, message, FIELD_DEED, ply->dice, why) != 0 ||
        fact_require_text(message, FIELD_KIND, "", why) != 0 ||
        fact_require_text(message, FIELD_THROW, "", why) != 0 ||
        judge_play(replay, message, ply->dice, &verdict, why) != 0) {
        return -1;
    }
    ply->play = verdict.play;
    replay->board = verdict.final;
    replay->shown = false;
    replay->asked = asks_to_double(replay);
    replay->turns[ply->seat]++;
    replay->refusals = 0;
    cube_do(&replay->now, ACT_ROLL, 0);
    cube_do(&replay->now, ACT_PLAY, 0);
    if (game_outcome(&replay->header.rules, &replay->board, replay->starter, ply->seat).over) {
        replay->state = REPLAY_BORNE_OFF;
    }
    return 0;
}

/* Other programs let a side resign at any time: in their files it may be the one not on turn. */
static void take_resigner(struct replay *replay, const struct message *message) {
    int seat;
    bool open = replay->now.phase == PHASE_THROW || replay->now.phase == PHASE_THROWN;
    if (replay->header.source == DICE_IMPORTED && open && !replay->shown &&
        act_find(message_text(message, FIELD_DEED), message->value[FIELD_DEED].length) ==
            ACT_RESIGN &&
        fact_read_side(message, FIELD_SEAT, &seat) && seat == (int)side_other(replay->now.side)) {
        replay->now.side = (enum side)seat;
        replay->now.phase = PHASE_THROW;
    }
}

int replay_read_did(struct replay *replay, const struct message *message, char *why) {
    take_resigner(replay, message);
    enum side seat = replay->now.side;
    struct replay_ply ply = {.seat = seat,
                             .turn = replay->turns[seat],
                             .deciding = replay_plays_deciding(replay)};
    char first = message_text(message, FIELD_DEED)[0];
    if (replay->plies >= RECORD_PLIES_MAX) {
        return fact_refuse(why, "a game is cut off after %d plies", (int)RECORD_PLIES_MAX);
    }
    if (fact_require_number(message, FIELD_PLY, replay->plies + 1, why) != 0 ||
        fact_require_text(message, FIELD_SEAT, side_name((int)seat), why) != 0) {
        return -1;
    }
    int status = first <= '6' ? read_play(replay, message, &ply, why)
                              : replay_read_act(replay, message, &ply, why);
    if (status != 0 || read_time(replay, message, &ply, why) != 0) {
        return -1;
    }
    replay->ply = ply;
    replay->plies++;
    replay->turn = decision_mover(&replay->now);
    return 0;
}

/* The bytes that were sent, of their quote; false when no writer quotes them so. */
static bool unquote(const struct value *got, char out[QUOTE_ROOM], size_t *length) {
    char again[QUOTE_ROOM];
    *length = 0;
    if (got->length >= QUOTE_ROOM) {
        return false;
    }
    for (size_t at = 0; at < got->length; at++) {
        out[*length] = got->text[at];
        if (got->text[at] == '\\' && got->text[at + 1] == 'x' && at + 3 < got->length &&
            text_unhex(got->text + at + 2, 2, &out[*length], 1)) {
            at += 3;
        } else if (got->text[at] == '\\') {
            at++;
        }
        ++*length;
    }
    return strcmp(text_escape(out, *length, again, sizeof again), got->text) == 0;
}

static bool quoted_whole(const struct value *got) {
    return got->length < QUOTE_CUT_MIN || strcmp(got->text + got->length - 3, "...") != 0;
}

/* An index into the legal plays, as `play T S #k` has it. */
static enum judgement judge_index(struct replay *replay, const struct situation *situation,
                                  const char *got, size_t length) {
    size_t count = plays_list(&replay->header.rules, situation, replay->room->list, PLAYS_MAX);
    uint64_t index;
    return text_u64(got + 1, length - 1, &index) && index < count ? JUDGED_LEGAL
                                                                             : JUDGED_MALFORMED;
}

/* Judges again what a bot is said to have sent: was it what the fault says? */
static int judge_quoted(struct replay *replay, const struct message *message, const uint8_t dice[2],
                        enum reason reason, char *why) {
    struct value got = message_value(message, FIELD_GOT);
    if (got.text == NULL) {
        return fact_refuse(why, "got= is missing: what was %s?", reason_name(reason));
    }
    char sent[QUOTE_ROOM];
    size_t length;
    if (!unquote(&got, sent, &length)) {
        return fact_refuse(why, "got= is not spelled as a record quotes what was sent");
    }
    if (!quoted_whole(&got)) {
        return 0;
    }
    struct situation situation = situation_now(replay, dice);
    struct verdict verdict;
    if (length > 0 && sent[0] == '#') {
        verdict.judgement = judge_index(replay, &situation, sent, length);
    } else {
        play_judge(&replay->header.rules, &situation, sent, length, replay->room, &verdict);
    }
    bool illegal = verdict.judgement == JUDGED_ILLEGAL;
    if (verdict.judgement == JUDGED_LEGAL || illegal != (reason == REASON_ILLEGAL)) {
        return fact_refuse(why, "the play that got= quotes is not %s", reason_name(reason));
    }
    return 0;
}

/* Whether a throw was in force: before a throw only who may double is asked. */
static int check_thrown(const struct replay *replay, bool thrown, char *why) {
    bool before = replay->now.phase == PHASE_THROW;
    bool late = header_is_lockstep(&replay->header) || replay->header.source == DICE_MANUAL;
    bool at_once = before && !asks_to_double(replay) && !late;
    if (!thrown && (decision_thrown(&replay->now) || at_once)) {
        return fact_refuse(why, "dice= is missing: which throw was in force?");
    }
    if (thrown && !before && !decision_thrown(&replay->now)) {
        return fact_refuse(why, "dice= names a throw, and nobody has thrown");
    }
    return 0;
}

/* A fault in a game: whose it can be, and what it quotes. */
static int judge_fault(struct replay *replay, const struct message *message, int seat,
                       enum reason reason, char *why) {
    uint8_t dice[2] = {0, 0};
    bool thrown = message_has(message, FIELD_DICE);
    if (fact_require_number(message, FIELD_PLY, replay->plies + 1, why) != 0 ||
        check_thrown(replay, thrown, why) != 0 ||
        (thrown && replay_read_throw(replay, message, FIELD_DICE, dice, why) != 0)) {
        return -1;
    }
    if (reason == REASON_WITHHELD) {
        return fact_refuse(why, "nothing can be withheld from the dice once a game runs");
    }
    if ((reason_flags(reason) & REASON_ON_TURN) != 0 && seat != (int)replay->now.side) {
        return fact_refuse(why, "%s is not asked and cannot be at fault by %s",
                           side_name(seat), reason_name(reason));
    }
    bool plays = thrown && replay->now.phase != PHASE_RESIGNED;
    if (!plays && reason == REASON_ILLEGAL) {
        return fact_refuse(why, "no play was asked for, and none can be illegal");
    }
    bool quotes = reason == REASON_ILLEGAL || reason == REASON_MALFORMED;
    return plays && quotes ? judge_quoted(replay, message, dice, reason, why) : 0;
}

/* Between two games a side can only stop to take part. */
static int judge_leave(const struct replay *replay, const struct message *message, enum side seat,
                       enum reason reason, char *why) {
    int winner;
    if (replay_is_capped(replay) || match_over(&replay->match, &winner)) {
        return fact_refuse(why, "the match is over, nobody can give it up any more");
    }
    bool withheld = replay_is_withheld(replay, seat);
    bool both = withheld && replay_is_withheld(replay, side_other(seat));
    if (withheld != (reason == REASON_WITHHELD) || both) {
        return fact_refuse(why, "who withheld what it had declared is not who loses by it");
    }
    if ((reason_flags(reason) & REASON_LEAVES) == 0) {
        return fact_refuse(why, "code=%s needs a game, and none runs", reason_name(reason));
    }
    if (message_has(message, FIELD_DICE) || message_has(message, FIELD_GOT) ||
        message_has(message, FIELD_MS)) {
        return fact_refuse(why, "between two games there are no dice=, got= and ms=");
    }
    return fact_require_number(message, FIELD_PLY, 0, why);
}

/* How many answers to one throw may be refused without losing the game (B8). */
static unsigned refusals_allowed(const struct rules *rules) {
    switch ((enum illegal)rules->value[OPTION_ILLEGAL]) {
    case ILLEGAL_FORFEIT_GAME:
        return 0;
    case ILLEGAL_RETRY:
        return ILLEGAL_RETRIES;
    case ILLEGAL_REPLACE_RANDOM:
        return 1;
    }
    return 0;
}

/* A fault in a game: the answer is refused and the game goes on, or it is lost. */
static void take_fault(struct replay *replay, const struct message *message,
                       enum reason reason) {
    struct value dice = message_value(message, FIELD_DICE);
    bool answered = reason == REASON_ILLEGAL || reason == REASON_MALFORMED;
    bool play_due = dice.text != NULL; /* only with a throw in force */
    if (answered && play_due && replay->refusals < refusals_allowed(&replay->header.rules)) {
        replay->refusals++;
        fact_read_dice(dice.text, dice.length, replay->refused_dice);
    } else {
        replay->in_force = dice.text != NULL;
        replay->state = REPLAY_FORFEITED;
    }
}

int replay_read_fault(struct replay *replay, const struct message *message, char *why) {
    int seat;
    if (!fact_read_side(message, FIELD_SEAT, &seat) || seat < 0) {
        return fact_refuse(why, "seat= has to be X or Y");
    }
    int found = reason_find(message_text(message, FIELD_CODE));
    enum reason reason = (enum reason)found;
    if (found < 0 || (reason_flags(reason) & REASON_BY_FAULT) == 0) {
        return fact_refuse(why, "\"%.32s\" is no fault", message_text(message, FIELD_CODE));
    }
    struct replay_ply ply;
    int status = replay->state == REPLAY_PLAY
                     ? judge_fault(replay, message, seat, reason, why)
                     : judge_leave(replay, message, (enum side)seat, reason, why);
    if (status != 0 || fact_read_time(message, FIELD_MS, -1, &ply.ms, why) != 0 ||
        read_beside(replay, message, &ply, why) != 0 ||
        charge(replay, (enum side)seat, ply.ms < 0 ? 0 : ply.ms, why) != 0) {
        return -1;
    }
    replay->offender = seat;
    replay->fault = reason;
    if (replay->state == REPLAY_PLAY) {
        take_fault(replay, message, reason);
    } else {
        replay->state = REPLAY_LEFT;
    }
    return 0;
}
