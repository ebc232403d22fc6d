#include "record/import.h"

#include "base/alloc.h"
#include "record/import_header.h"
#include "record/replay.h"
#include "record/writer.h"
#include "wire/phrase.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIND_MAX = 3 };

struct import {
    struct sheet *sheet;
    struct bytes *out;
    struct record_writer writer;
    struct replay replay;
    struct play_room *room;
    struct message message;
    const struct sheet_row *row, *end; /* of the game at hand */
    unsigned line;                     /* of the file, for findings */
    bool stopped;                      /* the sheet can be followed no further */
};

__attribute__((format(printf, 3, 4))) static void find(struct import *import,
                                                       enum finding_kind kind,
                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    sheet_vfind(import->sheet, import->line, kind, format, args);
    va_end(args);
}

__attribute__((format(printf, 3, 4))) static void stop(struct import *import,
                                                       enum finding_kind kind,
                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    sheet_vfind(import->sheet, import->line, kind, format, args);
    va_end(args);
    import->stopped = true;
}

/* Writes the message's line and has it judged; a line that is refused is taken back. */
static bool emit(struct import *import) {
    struct record_writer *writer = &import->writer;
    struct replay before = import->replay;
    struct hash head = writer->head;
    char why[RECORD_WHY_MAX];
    record_add(writer, &import->message);
    bool good = replay_line(&import->replay, writer->text.data, writer->text.length - 1,
                            &import->message, why) == 0;
    if (good) {
        bytes_add(import->out, writer->text.data, writer->text.length);
    } else {
        import->replay = before;
        writer->head = head;
        writer->lines--;
        stop(import, FINDING_INCONSISTENT, "%.180s", why);
    }
    bytes_drop(&writer->text, writer->text.length);
    return good;
}

static bool write_header(struct import *import, const struct hash *hash) {
    import_header(import->sheet, hash, &import->message);
    return emit(import);
}

static void begin_did(struct import *import, enum side side) {
    struct message *message = &import->message;
    message_init(message, MESSAGE_DID);
    message_set_int(message, FIELD_TABLE, 1);
    message_set_int(message, FIELD_PLY, import->replay.plies + 1);
    message_set(message, FIELD_SEAT, side_name((int)side));
}

static bool emit_act(struct import *import, enum side side, enum act act) {
    begin_did(import, side);
    message_set(&import->message, FIELD_DEED, act_name(act));
    return emit(import);
}

/* The game is given up: with `dice` where the loser had thrown. */
static void emit_resignation(struct import *import, enum side loser, int kind,
                             const uint8_t dice[2]) {
    begin_did(import, loser);
    message_set(&import->message, FIELD_DEED, act_name(ACT_RESIGN));
    message_set(&import->message, FIELD_KIND, kind_name(&import->replay.header.rules, kind));
    if (dice != NULL) {
        phrase_dice(&import->message, FIELD_THROW, dice);
    }
    if (emit(import)) {
        emit_act(import, side_other(loser), ACT_ACCEPT);
    }
}

static void emit_play(struct import *import, const struct sheet_row *row,
                      const struct play *play) {
    char text[PLAY_TEXT_MAX];
    play_write(play, ' ', true, text);
    begin_did(import, row->side);
    phrase_dice(&import->message, FIELD_DEED, row->dice);
    message_set(&import->message, FIELD_PLAY, text);
    emit(import);
}

/* The row is the last thing that was done in its game: who gave it up is yet to be said. */
static bool is_last_throw(const struct import *import) {
    const struct sheet_row *next = import->row + 1;
    return next == import->end || next->deed == SHEET_WINS;
}

/* Some programs write no more points than the match still had room for, or than its length: more
 * may be meant. */
static bool may_be_cut(const struct import *import, enum side winner, int points) {
    int away = match_away(&import->replay.match, winner);
    return away == points * POINT_HALVES || (away > 0 && away < points * POINT_HALVES &&
                                             points == import->sheet->length);
}

/* The points of the sheet as a kind: what the cube does not explain is clamped. */
static int read_kind(struct import *import, enum side winner, int points) {
    const int *rule = import->replay.header.rules.value;
    int value = import->replay.now.cube.value;
    int most = rule[OPTION_KATMERLI] == KIND_MAX || rule[OPTION_KOKS] == KIND_MAX ? KIND_MAX : 2;
    int kind = (may_be_cut(import, winner, points) ? points + value - 1 : points) / value;
    int clamped = kind < 1 ? 1 : kind > most ? most : kind;
    if (points > 0 && clamped * value != points && !may_be_cut(import, winner, points)) {
        find(import, FINDING_INCONSISTENT,
             "%d points cannot be won with the cube at %d: read as %d", points, value,
             clamped * value);
    }
    return clamped;
}

/* A throw behind which no play stands: no play, the only one, or the game was given up. */
static void take_bare_throw(struct import *import, const struct situation *situation) {
    const struct sheet_row *row = import->row;
    struct option_play *list = import->room->list;
    size_t count = plays_list(&import->replay.header.rules, situation, list, PLAYS_MAX);
    bool wins = is_last_throw(import) && import->row + 1 < import->end &&
                row[1].side == row->side;
    if (row->how == SHEET_LOST && wins) {
        return; /* the other side gave up before it was played */
    }
    bool only = count == 1 && (list[0].play.count == 0 || row->how == SHEET_BARE);
    if (only && !(row->how == SHEET_LOST && is_last_throw(import))) {
        emit_play(import, row, &list[0].play);
    } else if (is_last_throw(import) && import->row + 1 < import->end &&
               row[1].side != row->side) {
        int kind = read_kind(import, row[1].side, row[1].value);
        emit_resignation(import, row->side, kind, row->dice);
    } else {
        stop(import, FINDING_ILLEGAL, "%d%d: nothing was played, and %zu plays were legal",
             row->dice[0], row->dice[1], count);
    }
}

static void take_throw(struct import *import) {
    const struct sheet_row *row = import->row;
    struct replay *replay = &import->replay;
    struct situation situation = {.board = replay->board,
                                  .mover = row->side,
                                  .dice = {row->dice[0], row->dice[1]},
                                  .first_turn = replay->turns[row->side] == 0};
    struct verdict verdict;
    if (replay->now.phase == PHASE_DOUBLED && replay->now.cube.beavers > 0 &&
        !emit_act(import, replay->now.side, ACT_TAKE)) { /* going on takes a beaver */
        return;
    }
    if (replay->now.side != row->side || replay->state != REPLAY_PLAY) {
        stop(import, FINDING_INCONSISTENT, "it is not the turn of %s",
             row->side == SIDE_X ? "the left player" : "the right player");
        return;
    }
    if (row->how != SHEET_PLAYED) {
        take_bare_throw(import, &situation);
        return;
    }
    play_judge(&replay->header.rules, &situation, import->sheet->text.data + row->play,
               row->length, import->room, &verdict);
    if (verdict.judgement == JUDGED_LEGAL) {
        emit_play(import, row, &verdict.play);
        return;
    }
    char escaped[64];
    stop(import, FINDING_ILLEGAL, "%d%d: %s: %.100s", row->dice[0], row->dice[1],
         text_escape(import->sheet->text.data + row->play, row->length, escaped, sizeof escaped),
         verdict.reason);
}

static void take_double(struct import *import) {
    const struct sheet_row *row = import->row;
    struct replay *replay = &import->replay;
    bool back = replay->now.phase == PHASE_DOUBLED && replay->now.side == row->side;
    if (replay->now.side != row->side) {
        stop(import, FINDING_INCONSISTENT, "it is not the turn of who doubles");
        return;
    }
    if (emit_act(import, row->side, back ? ACT_BEAVER : ACT_DOUBLE) && row->value > 0 &&
        row->value != replay->now.cube.offer) {
        find(import, FINDING_INCONSISTENT, "the cube is offered at %d, not at %d",
             replay->now.cube.offer, row->value);
    }
}

static void take_answer(struct import *import) {
    const struct sheet_row *row = import->row;
    if (import->replay.now.phase != PHASE_DOUBLED) {
        stop(import, FINDING_INCONSISTENT, "no double awaits an answer");
        return;
    }
    emit_act(import, import->replay.now.side, row->deed == SHEET_TAKE ? ACT_TAKE : ACT_DROP);
}

/* The result's line, as the rules have it. */
static bool emit_result(struct import *import) {
    struct replay *replay = &import->replay;
    struct replay_result result = replay_expect(replay);
    struct match match = replay->match;
    struct message *message = &import->message;
    char points[SCORE_TEXT_MAX];
    score_write(result.half_points, points);
    message_init(message, MESSAGE_RESULT);
    message_set_int(message, FIELD_TABLE, 1);
    message_set_int(message, FIELD_GAME, replay->game);
    message_set(message, FIELD_WINNER, side_name(result.winner));
    message_set(message, FIELD_REASON, reason_name(result.reason));
    message_set(message, FIELD_KIND, kind_name(&replay->header.rules, result.kind));
    message_set(message, FIELD_POINTS, points);
    match_add(&replay->match, result.winner, result.half_points, replay->starter);
    phrase_score(&import->message, import->replay.match.score, SIDE_X);
    replay->match = match;
    return emit(import);
}

/* The sheet says who won: the game has ended, a double is dropped without a word, or the
 * loser gives up. */
static void take_wins(struct import *import) {
    const struct sheet_row *row = import->row;
    struct replay *replay = &import->replay;
    enum side loser = side_other(row->side);
    if (replay->state == REPLAY_PLAY && replay->now.phase == PHASE_DOUBLED) {
        bool drops = replay->now.side == loser && row->value <= replay->now.cube.offer / 2;
        if (!emit_act(import, replay->now.side, drops ? ACT_DROP : ACT_TAKE)) {
            return;
        }
    }
    bool resigned = replay->state == REPLAY_PLAY || replay->ply.act == ACT_ACCEPT;
    if (replay->state == REPLAY_PLAY) {
        emit_resignation(import, loser, read_kind(import, row->side, row->value), NULL);
    }
    if (import->stopped) {
        return;
    }
    struct replay_result result = replay_expect(replay);
    if (result.winner != (int)row->side) {
        stop(import, FINDING_INCONSISTENT, "the other side has won this game");
    } else if (row->value > 0 && result.half_points != row->value * POINT_HALVES &&
               !resigned && !may_be_cut(import, row->side, row->value)) {
        find(import, FINDING_INCONSISTENT, "the game is worth %d, not %d",
             result.half_points / POINT_HALVES, row->value);
    }
    if (!import->stopped) {
        emit_result(import);
    }
}

static void take_row(struct import *import) {
    import->line = import->row->line;
    switch (import->row->deed) {
    case SHEET_THROW:
        take_throw(import);
        break;
    case SHEET_DOUBLE:
    case SHEET_BEAVER:
        take_double(import);
        break;
    case SHEET_TAKE:
    case SHEET_DROP:
        take_answer(import);
        break;
    case SHEET_WINS:
        take_wins(import);
        break;
    }
}

/* Who throws first; the right side where nobody does. */
static enum side find_starter(const struct import *import) {
    for (const struct sheet_row *row = import->row; row < import->end; row++) {
        if (row->deed == SHEET_THROW) {
            return row->side;
        }
    }
    return SIDE_Y;
}

/* The cube at the start: in a .mat automatic doubles show in the first double of a money game. */
static int find_cube(const struct import *import, const struct sheet_game *game) {
    const struct sheet_row *row = import->row;
    while (row < import->end && row->deed != SHEET_DOUBLE) {
        row++;
    }
    bool money = import->replay.match.length == 0;
    return money && game->cube == 1 && row < import->end && row->value > 2 ? row->value / 2
                                                                             : game->cube;
}

static bool begin_game(struct import *import, const struct sheet_game *game) {
    struct replay *replay = &import->replay;
    struct message *message = &import->message;
    bool crawford = replay->match.crawford == CRAWFORD_NOW;
    for (int side = 0; side < SIDE_COUNT; side++) {
        if (game->score[side] >= 0 &&
            game->score[side] * POINT_HALVES != replay->match.score[side]) {
            find(import, FINDING_INCONSISTENT, "the game begins at %d points for the %s, not at %d",
                 replay->match.score[side] / POINT_HALVES, side == SIDE_X ? "left" : "right",
                 game->score[side]);
        }
    }
    message_init(message, MESSAGE_GAME);
    message_set_int(message, FIELD_TABLE, 1);
    message_set_int(message, FIELD_GAME, replay->match.games + 1);
    message_set_int(message, FIELD_ATTEMPT, 0);
    phrase_score(&import->message, import->replay.match.score, SIDE_X);
    message_set(message, FIELD_STARTER, side_name((int)find_starter(import)));
    if (crawford) {
        message_set(message, FIELD_CRAWFORD, "yes");
    }
    if (find_cube(import, game) > 1) {
        message_set_int(message, FIELD_CUBE, find_cube(import, game));
    }
    return emit(import);
}

/* A game behind whose last row nobody is said to have won. */
static void end_game(struct import *import, const struct sheet_game *game) {
    bool last = game == &import->sheet->game[import->sheet->games - 1];
    if (import->replay.state == REPLAY_BETWEEN) {
        return;
    }
    if (import->replay.state == REPLAY_PLAY) {
        import->stopped = true;
        sheet_find(import->sheet, import->line, last ? FINDING_MISSING : FINDING_INCONSISTENT,
                   last ? "the last game has no end" : "the game has no end, and others follow");
        return;
    }
    find(import, FINDING_MISSING, "nobody is said to have won this game");
    emit_result(import);
}

static void take_game(struct import *import, const struct sheet_game *game) {
    int winner;
    import->line = game->line;
    import->row = import->sheet->row + game->first;
    import->end = import->row + game->count;
    if (match_over(&import->replay.match, &winner)) {
        stop(import, FINDING_INCONSISTENT, "the match is over, and yet another game follows");
        return;
    }
    if (!begin_game(import, game)) {
        return;
    }
    for (; import->row < import->end && !import->stopped; import->row++) {
        if (import->replay.state == REPLAY_BETWEEN) {
            import->line = import->row->line;
            stop(import, FINDING_INCONSISTENT, "the game is over, and yet more follows");
        } else {
            take_row(import);
        }
    }
    if (!import->stopped) {
        end_game(import, game);
    }
}

/* The end of a match that was played out. */
static void end_match(struct import *import) {
    int winner;
    if (import->replay.state != REPLAY_BETWEEN || !match_over(&import->replay.match, &winner)) {
        return;
    }
    message_init(&import->message, MESSAGE_END);
    message_set_int(&import->message, FIELD_TABLE, 1);
    message_set(&import->message, FIELD_WINNER, side_name(winner));
    phrase_score(&import->message, import->replay.match.score, SIDE_X);
    message_set(&import->message, FIELD_REASON, "normal");
    emit(import);
}

enum import_outcome import_match(struct sheet *sheet, const struct hash *hash, struct bytes *out) {
    struct import *import = alloc_zeroed(1, sizeof *import);
    import->sheet = sheet;
    import->out = out;
    import->room = alloc_zeroed(1, sizeof *import->room);
    record_init(&import->writer);
    replay_init(&import->replay, import->room);
    if (write_header(import, hash)) {
        for (size_t i = 0; i < sheet->games && !import->stopped; i++) {
            take_game(import, &sheet->game[i]);
        }
        end_match(import);
    }
    bool stopped = import->stopped || sheet->games == 0;
    record_clear(&import->writer);
    free(import->room);
    free(import);
    return stopped ? IMPORT_PARTIAL : IMPORT_WHOLE;
}
