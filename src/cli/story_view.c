#include "cli/board_view.h"
#include "cli/story.h"

#include "base/lang.h"

#include <stdio.h>
#include <string.h>

enum { PANEL_ROOM = 96 };

static const char *name_of(const struct story *story, int side) {
    return side < 0 ? _("nobody") : story->header.name[side];
}

/* "1:02.3" of milliseconds. */
static void write_time(int64_t ms, char out[32]) {
    int64_t tenths = ms < 0 ? 0 : ms / 100;
    snprintf(out, 32, "%lld:%02lld.%lld", (long long)(tenths / 600), (long long)(tenths / 10 % 60),
             (long long)(tenths % 10));
}

static void write_scores(const struct replay *at, char out[2][SCORE_TEXT_MAX]) {
    score_write(at->match.score[SIDE_X], out[SIDE_X]);
    score_write(at->match.score[SIDE_Y], out[SIDE_Y]);
}

void story_print_title(const struct story *story, struct bytes *out) {
    const struct record_header *header = &story->header;
    if (header->rules.value[OPTION_MATCH] == 1) {
        bytes_print(out, _("%s, single game: %s (X) - %s (Y); unit %s, leg %d"),
                    header->rules.variant->name, header->name[SIDE_X], header->name[SIDE_Y],
                    header->unit, header->leg);
    } else if (header->rules.value[OPTION_MATCH] == 0) {
        bytes_print(out, _("%s, money session: %s (X) - %s (Y); unit %s, leg %d"),
                    header->rules.variant->name, header->name[SIDE_X], header->name[SIDE_Y],
                    header->unit, header->leg);
    } else {
        bytes_print(out, _("%s, match to %d: %s (X) - %s (Y); unit %s, leg %d"),
                    header->rules.variant->name, header->rules.value[OPTION_MATCH],
                    header->name[SIDE_X], header->name[SIDE_Y], header->unit, header->leg);
    }
    bytes_add_text(out, "\n");
}

static void caption_game(const struct story *story, const struct replay *at, struct bytes *out) {
    char score[SIDE_COUNT][SCORE_TEXT_MAX];
    write_scores(at, score);
    bytes_print(out, _("game %u, score %s-%s"), at->game, score[SIDE_X], score[SIDE_Y]);
    if (at->attempt > 0) {
        bytes_print(out, _(", attempt %u"), at->attempt);
    }
    for (int i = 0; i < at->throws; i++) {
        bytes_print(out, "%s%d%d", i == 0 ? _(", opening throw ") : ", ", at->opening[i].die[0],
                    at->opening[i].die[1]);
    }
    bytes_print(out, _(": %s starts"), name_of(story, (int)at->starter));
}

/* What a side did without a play. */
static void caption_act(const struct replay_ply *ply, const struct rules *rules,
                        struct bytes *out) {
    switch (ply->act) {
    case ACT_DOUBLE:
        bytes_print(out, _("doubles to %d"), ply->value);
        break;
    case ACT_BEAVER:
        bytes_print(out, _("beavers to %d"), ply->value);
        break;
    case ACT_RESIGN:
        bytes_print(out, _("offers to resign: %s"), kind_name(rules, ply->kind));
        break;
    case ACT_TAKE:
        bytes_add_text(out, _("takes"));
        break;
    case ACT_DROP:
        bytes_add_text(out, _("drops"));
        break;
    case ACT_ACCEPT:
        bytes_add_text(out, _("accepts"));
        break;
    case ACT_REJECT:
        bytes_add_text(out, _("rejects"));
        break;
    case ACT_ROLL:
    case ACT_PLAY:
        break;
    }
}

static void caption_ply(const struct story *story, const struct replay *at, struct bytes *out) {
    const struct replay_ply *ply = &at->ply;
    char play[PLAY_TEXT_MAX];
    bytes_print(out, "%3u %s %s ", at->plies, side_name((int)ply->seat),
                name_of(story, (int)ply->seat));
    if (ply->thrown) {
        bytes_print(out, "%d%d: ", ply->dice[0], ply->dice[1]);
    }
    if (ply->act == ACT_PLAY) {
        play_write(&ply->play, ' ', true, play);
        bytes_add_text(out, play[0] != '\0' ? play : _("nothing can be played"));
    } else {
        caption_act(ply, &at->header.rules, out);
    }
    if (ply->ms >= 0) {
        bytes_print(out, _(" (%lld ms)"), (long long)ply->ms);
    }
}

static void caption_result(const struct story *story, const struct replay *at, struct bytes *out) {
    const struct replay_result *result = &at->result;
    char points[SCORE_TEXT_MAX];
    char score[SIDE_COUNT][SCORE_TEXT_MAX];
    write_scores(at, score);
    score_write(result->half_points, points);
    if (result->winner < 0 && result->half_points > 0) {
        bytes_print(out, _("game %u is drawn, points for each: %s, score %s-%s"), at->game, points,
                    score[SIDE_X], score[SIDE_Y]);
        return;
    }
    if (result->winner < 0) {
        bytes_print(out, _("game %u ends without a winner (%s), score %s-%s"), at->game,
                    reason_name(result->reason), score[SIDE_X], score[SIDE_Y]);
        return;
    }
    bytes_print(out, _("game %u goes to %s: %s, points: %s (%s), score %s-%s"), at->game,
                name_of(story, result->winner), kind_name(&at->header.rules, result->kind), points,
                reason_name(result->reason), score[SIDE_X], score[SIDE_Y]);
}

void story_print_caption(const struct story *story, size_t number, struct bytes *out) {
    const struct story_step *step = &story->steps[number];
    const struct replay *at = &step->at;
    char score[SIDE_COUNT][SCORE_TEXT_MAX];
    if (step->kind == MESSAGE_GAME) {
        caption_game(story, at, out);
    } else if (step->kind == MESSAGE_DID) {
        caption_ply(story, at, out);
    } else if (step->kind == MESSAGE_RESULT) {
        caption_result(story, at, out);
        bytes_add_text(out, at->contended ? _(" (contended: the referee heard late)") : "");
    } else if (step->kind == MESSAGE_FAULT) {
        bytes_print(out, _("fault of %s, %s: %s"), name_of(story, at->offender),
                    reason_name(at->fault), step->note);
    } else if (step->kind == MESSAGE_VOID) {
        bytes_print(out, _("game %u is void and played again"), at->game);
    } else {
        write_scores(at, score);
        bytes_print(out, _("the match goes to %s: %s-%s (%s)"), name_of(story, at->winner),
                    score[SIDE_X], score[SIDE_Y], reason_name(at->end_reason));
    }
    bytes_add_text(out, "\n");
}

/* The cube where there is one: its value, and whose it is. */
static void fill_cube(const struct story *story, const struct replay *at, char out[PANEL_ROOM]) {
    const struct cube *cube = &at->now.cube;
    if (at->header.rules.value[OPTION_VIDO] == 0 || at->state < REPLAY_PLAY) {
        return;
    }
    if (cube->owner == CUBE_MIDDLE) {
        snprintf(out, PANEL_ROOM, _("cube %d in the middle"), cube->value);
    } else {
        snprintf(out, PANEL_ROOM, _("cube %d with %s"), cube->value, name_of(story, cube->owner));
    }
}

/* A step that is drawn, and the texts beside its board: four lines for each
 * side and one below them for throw and turn; in the middle, when no side is on turn. */
struct drawing {
    const struct story *story;
    const struct replay *at;
    const struct story_look *look;
    char line[BOARD_VIEW_LINES][PANEL_ROOM];
};

/* What the reserve of a side has come to; it stops growing before it overflows. */
static int64_t reserve_of(const struct replay *at, enum side side) {
    const struct record_header *header = &at->header;
    int64_t earned;
    if (__builtin_mul_overflow(header->increment, (int64_t)at->answers[side], &earned) ||
        earned > INT64_MAX - header->reserve) {
        return INT64_MAX;
    }
    return header->reserve + earned;
}

static void fill_clock(const struct replay *at, enum side side, char out[PANEL_ROOM]) {
    const struct record_header *header = &at->header;
    char time[32];
    if (header->reserve > 0) {
        write_time(reserve_of(at, side) - at->paid[side], time);
        snprintf(out, PANEL_ROOM, _("time left %s"), time);
    } else {
        write_time(at->charged[side], time);
        snprintf(out, PANEL_ROOM, _("time used %s"), time);
    }
}

static void fill_side(struct drawing *drawing, enum side side, int first) {
    const struct replay *at = drawing->at;
    char score[SCORE_TEXT_MAX];
    score_write(at->match.score[side], score);
    snprintf(drawing->line[first], PANEL_ROOM, "%s %s %s",
             board_view_man(side, drawing->look->ascii), side_name((int)side),
             name_of(drawing->story, (int)side));
    if (at->match.length > 0) {
        snprintf(drawing->line[first + 1], PANEL_ROOM, _("score %s of %d"), score,
                 at->match.length);
    } else {
        snprintf(drawing->line[first + 1], PANEL_ROOM, _("score %s"), score);
    }
    snprintf(drawing->line[first + 2], PANEL_ROOM, _("off %d, pips %d"),
             at->board.men[side][POINT_OFF], board_pips(&at->board, side));
    fill_clock(at, side, drawing->line[first + 3]);
}

/* Below the lines of a side stands whether it has thrown or is on turn, so that the dice in
 * the middle are nobody else's. */
static void fill_turn(struct drawing *drawing, enum side upper, const uint8_t dice[2],
                      enum side thrower) {
    const struct replay *at = drawing->at;
    char *below[SIDE_COUNT];
    below[upper] = drawing->line[BOARD_VIEW_LINES / 2 - 1];
    below[side_other(upper)] = drawing->line[BOARD_VIEW_LINES - 1];
    char *out = drawing->line[BOARD_VIEW_LINES / 2];
    if (dice[0] != 0) {
        snprintf(below[thrower], PANEL_ROOM, _("%s has thrown %d%d"),
                 name_of(drawing->story, (int)thrower), dice[0], dice[1]);
    }
    if (at->state == REPLAY_PLAY && at->now.phase >= PHASE_DOUBLED) {
        snprintf(below[at->now.side], PANEL_ROOM, _("%s %s has to answer"),
                 drawing->look->ascii ? ">" : "▶", name_of(drawing->story, (int)at->now.side));
    } else if (at->state == REPLAY_PLAY) {
        snprintf(below[at->turn], PANEL_ROOM, _("%s %s is on turn"),
                 drawing->look->ascii ? ">" : "▶", name_of(drawing->story, (int)at->turn));
    } else if (at->state == REPLAY_BORNE_OFF || at->state == REPLAY_YIELDED ||
               at->state == REPLAY_FORFEITED) {
        snprintf(out, PANEL_ROOM, "%s", _("the game is over"));
    } else if (at->state >= REPLAY_LEFT) {
        snprintf(out, PANEL_ROOM, "%s", _("the match is over"));
    } else {
        snprintf(out, PANEL_ROOM, "%s", _("between two games"));
    }
}

/* Whose view it is, the board, and the throw that lies on it. */
static struct board_view view_of(const struct story_step *step, const struct story_look *look) {
    const struct replay *at = &step->at;
    struct board_view view = {.rules = &at->header.rules,
                              .board = &at->board,
                              .frame = look->flipped ? SIDE_Y : SIDE_X,
                              .ascii = look->ascii};
    if (step->kind == MESSAGE_DID && at->ply.thrown) {
        memcpy(view.dice, at->ply.dice, sizeof view.dice);
        view.thrower = at->ply.seat;
    }
    return view;
}

void story_print_board(const struct story *story, size_t number, const struct story_look *look,
                       struct bytes *out) {
    const struct story_step *step = &story->steps[number];
    const struct replay *at = &step->at;
    struct drawing drawing = {.story = story, .at = at, .look = look};
    struct board_view view = view_of(step, look);
    fill_side(&drawing, side_other(view.frame), 1);
    fill_cube(story, at, drawing.line[BOARD_VIEW_LINES / 2 + 1]);
    fill_side(&drawing, view.frame, BOARD_VIEW_LINES - 5);
    fill_turn(&drawing, side_other(view.frame), view.dice, view.thrower);
    for (int i = 0; i < BOARD_VIEW_LINES; i++) {
        view.beside[i] = drawing.line[i];
    }
    board_view_draw(&view, out);
}

/* "name: 3 of 5". */
static void write_side(const struct story *story, const struct replay *at, enum side side,
                       char out[PANEL_ROOM]) {
    char score[SCORE_TEXT_MAX];
    score_write(at->match.score[side], score);
    if (at->match.length > 0) {
        snprintf(out, PANEL_ROOM, _("%s: score %s of %d"), name_of(story, (int)side), score,
                 at->match.length);
    } else {
        snprintf(out, PANEL_ROOM, _("%s: score %s"), name_of(story, (int)side), score);
    }
}

void story_print_svg(const struct story *story, size_t number, const struct story_look *look,
                     struct svg_place place, struct bytes *out) {
    const struct story_step *step = &story->steps[number];
    struct board_view view = view_of(step, look);
    char upper[PANEL_ROOM], lower[PANEL_ROOM], cube[PANEL_ROOM] = "", play[PLAY_TEXT_MAX] = "";
    char caption[PANEL_ROOM];
    write_side(story, &step->at, side_other(view.frame), upper);
    write_side(story, &step->at, view.frame, lower);
    fill_cube(story, &step->at, cube);
    if (step->kind == MESSAGE_DID && step->at.ply.act == ACT_PLAY) {
        play_write(&step->at.ply.play, ' ', true, play);
        snprintf(caption, sizeof caption, "%u.%u  %d%d: %s", step->at.game, step->at.plies,
                 view.dice[0], view.dice[1], play);
    } else {
        snprintf(caption, sizeof caption, "%u.%u  %s", step->at.game, step->at.plies,
                 step->kind == MESSAGE_DID ? act_name(step->at.ply.act)
                                           : message_row(step->kind)->name);
    }
    place.upper = upper;
    place.lower = lower;
    place.cube = cube;
    place.caption = caption;
    svg_view_draw(&view, &place, out);
}
