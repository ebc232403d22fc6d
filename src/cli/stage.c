#include "cli/stage.h"

#include "arena/report.h"
#include "base/alloc.h"
#include "base/log.h"
#include "cli/copies.h"
#include "cli/stage_inside.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { STAGE_DISK_PATIENCE = 10000 /* ms for one commit at the end */, STAGE_REQUEST_MAX = 1024 };

/* Places for the start marks of so many units; new ones have none. */
static void make_starts(struct stage *stage, uint32_t units) {
    stage->start = alloc_resize(stage->start, (size_t)units + 1, sizeof *stage->start);
    uint32_t from = stage->start_space == 0 ? 0 : stage->start_space + 1;
    for (uint32_t unit = from; unit <= units; unit++) {
        stage->start[unit] = UINT64_MAX;
    }
    stage->start_space = units;
}

struct stage *stage_new(const struct stage_setup *setup) {
    struct stage *stage = alloc_zeroed(1, sizeof *stage);
    uint32_t units = schedule_units(setup->event);
    stage->setup = *setup;
    stage->host = setup->host;
    stage->event = setup->event;
    stage->log.descriptor = -1;
    stage->luck.descriptor = -1;
    stopping_init(&stage->stopping);
    stage->plan = tournament_new(setup->event);
    stage->shown = tournament_new(setup->event);
    stage->files = copies_wanted(setup->event, tournament_matches(stage->plan));
    make_starts(stage, units);
    return stage;
}

void stage_grow(struct stage *stage) {
    uint32_t units = schedule_units(stage->event);
    tournament_grow(stage->plan);
    tournament_grow(stage->shown);
    if (units > stage->start_space) {
        make_starts(stage, units > 2 * stage->start_space ? units : 2 * stage->start_space);
    }
    stage->settled = false;
}

uint32_t stage_draw(struct stage *stage, const char *x, const char *y, struct fail *fail) {
    struct event *event = stage->event;
    if (event_draw(event, x, y, fail) != 0) {
        return 0;
    }
    const struct drawn *drawn = &event->drawn[event->drawn_count - 1];
    stage_grow(stage);
    store_put_drawn(stage->store, event->drawn_count, event->entrants[drawn->player[SIDE_X]].name,
                    event->entrants[drawn->player[SIDE_Y]].name);
    return event->drawn_count;
}

void stage_pause(struct stage *stage, bool pause, int64_t now) {
    stage->paused = pause;
    stage->settled = false;
    for (const struct bout *bout = stage->bouts; bout != NULL; bout = bout->next) {
        if (bout->table != 0 && bout->state != BOUT_OVER && pause) {
            referee_pause(stage->host->referee, bout->table, "the organiser has paused the event",
                          now);
        } else if (bout->table != 0 && bout->state != BOUT_OVER) {
            referee_resume(stage->host->referee, bout->table, now);
        }
    }
}

static void on_wakeup(void *owner) {
    struct stage *stage = owner;
    stage->settled = false;
    if (store_acknowledge(stage->store, &stage->fail) != 0) {
        stage->failed = true;
    }
    store_take_answers(stage->store, stage_take_past, stage);
}

static void on_request(void *owner, const char *line, struct bytes *reply) {
    struct stage *stage = owner;
    struct report_view view = {.event = stage->event,
                               .tournament = stage->shown,
                               .fortune = stage_fortune(stage),
                               .state = REPORT_RUNNING};
    if (tournament_over(stage->shown) && stage->event->format != FORMAT_ROOM) {
        view.state = REPORT_FINISHED;
    }
    tournament_set_running(stage->shown, tournament_running(stage->plan));
    if (report_read_request(line, strlen(line), &view)) {
        report_render(&view, reply);
    } else {
        bytes_add_text(reply, "error unknown request\n");
    }
}

int stage_begin(struct stage *stage, struct fail *fail) {
    struct host *host = stage->host;
    const struct store_event *kept = store_event(stage->store);
    stage->master_commitment = dice_master_commitment(&kept->master, kept->id);
    if (stage->failed) {
        *fail = stage->fail;
        return -1;
    }
    char *path = alloc_print("%s/hakem.sock", stage->setup.folder);
    stage->control = control_open(host->loop, path, STAGE_REQUEST_MAX, on_request, stage);
    free(path);
    if (store_rests(stage->store)) {
        stage->awake = store_put_rest(stage->store, false);
        store_hurry(stage->store);
    }
    stage_luck_begin(stage);
    stage->wakeup = loop_watch(host->loop, store_wakeup_fd(stage->store), on_wakeup, stage);
    stage->next = host->stages;
    host->stages = stage;
    if (host->streams) {
        announce_event(stage, loop_now(host->loop));
    }
    return 0;
}

int64_t stage_turn(struct stage *stage, bool closing, int64_t now, struct fail *fail) {
    if (!stage->failed) {
        pending_show(stage);
        stage_luck_turn(stage);
        stage_stop_look(stage);
    }
    bool again = !stage->failed && stage_seat_all(stage, closing, now);
    if (stage->failed) {
        *fail = stage->fail;
        return -1;
    }
    if (stage->bouts == NULL && (stage->pending_count > 0 || stage->luck.holding)) {
        store_hurry(stage->store);
    }
    int64_t next = announce_turn(stage, now);
    if (stage->cramped_since > 0 && !closing && !stage->paused &&
        stage->cramped_since + stage->event->wait < next) {
        next = stage->cramped_since + stage->event->wait;
    }
    return again ? now : next;
}

int stage_running(const struct stage *stage) {
    return tournament_running(stage->plan);
}

bool stage_quiet(const struct stage *stage) {
    return stage->bouts == NULL && stage->pending_count == 0;
}

bool stage_over(const struct stage *stage) {
    return tournament_over(stage->plan) && stage_quiet(stage) && stage_luck_is_settled(stage);
}

void stage_drain(struct stage *stage) {
    store_hurry(stage->store);
    while (!stage->failed && stage->pending_count + stage->asked > 0) {
        struct pollfd ready = {.fd = store_wakeup_fd(stage->store), .events = POLLIN};
        if (poll(&ready, 1, STAGE_DISK_PATIENCE) == 0) {
            break;
        }
        on_wakeup(stage);
        if (!stage->failed) {
            pending_show(stage);
        }
    }
}

/* Whether every throw that was seen is of a game that is in the store: nothing runs, and
 * nothing waits that a crash of an earlier process cut off. */
static bool is_at_rest(const struct stage *stage) {
    bool begun = stage->wakeup != NULL;
    bool rest = begun && !stage->failed && stage_quiet(stage);
    for (const struct book *book = stage->books; book != NULL; book = book->next) {
        for (int i = 0; i < book->unit.legs; i++) {
            rest = rest && (!book->leg[i].resumed || store_rests(stage->store));
        }
    }
    return rest;
}

/* Facts of its tables reach it no more. */
static void stage_unlink(struct stage *stage) {
    struct stage **at = &stage->host->stages;
    while (*at != NULL && *at != stage) {
        at = &(*at)->next;
    }
    if (*at == stage) {
        *at = stage->next;
    }
}

void stage_abandon(struct stage *stage, int64_t now) {
    stage_unlink(stage);
    for (const struct bout *bout = stage->bouts; bout != NULL; bout = bout->next) {
        if (bout->table != 0 && bout->state != BOUT_OVER) {
            referee_abandon(stage->host->referee, bout->table, REASON_ABORTED, now);
        }
    }
}

static void stage_free_parts(struct stage *stage) {
    while (stage->bouts != NULL) {
        struct bout *bout = stage->bouts;
        stage->bouts = bout->next;
        free(bout);
    }
    while (stage->books != NULL) {
        struct book *book = stage->books;
        stage->books = book->next;
        book_free(book);
    }
    for (size_t i = 0; i < stage->pending_count; i++) {
        struct pending *pending = &stage->pending[stage->pending_first + i];
        if (pending->kind == PENDING_SEAL) {
            book_free(pending->of.book);
        }
        bytes_clear(&pending->faults);
    }
    stage_luck_close(stage);
    fortune_clear(&stage->luck.fortune);
    free(stage->pending);
    free(stage->start);
    tournament_free(stage->plan);
    tournament_free(stage->shown);
}

int stage_close(struct stage *stage, struct fail *fail) {
    if (stage->store == NULL) {
        return 0;
    }
    stage_drain(stage);
    stage_luck_close(stage);
    stage_log_close(stage);
    if (is_at_rest(stage)) {
        store_put_rest(stage->store, true);
    }
    stage_unlink(stage);
    if (stage->host->referee != NULL) {
        referee_close_shows(stage->host->referee, stage->event->id);
    }
    if (stage->announced.on) {
        announce_end(stage, loop_now(stage->host->loop));
    }
    watch_free(stage->wakeup);
    control_close(stage->control);
    int status = 0;
    if (stage->failed) {
        *fail = stage->fail;
        status = -1;
    }
    if (status == 0 && store_check(stage->store, fail) != 0) {
        status = -1;
    }
    struct fail last;
    if (store_close(stage->store, &last) != 0 && status == 0) {
        *fail = last;
        status = -1;
    }
    stage->store = NULL;
    return status;
}

void stage_free(struct stage *stage) {
    if (stage != NULL) {
        struct fail fail;
        if (stage_close(stage, &fail) != 0) {
            log_line(LOG_LEVEL_WARN, "stage %s closed error=%s", stage->setup.folder, fail.text);
        }
        stage_free_parts(stage);
        free(stage);
    }
}

uint64_t stage_missing_copies(const struct stage *stage) {
    return stage->missing;
}

bool stage_has_begun(const struct stage *stage, uint32_t unit) {
    const struct bout *bout = stage->bouts;
    while (bout != NULL && bout->what.unit.number != unit) {
        bout = bout->next;
    }
    return bout != NULL && (bout->begun || (bout->table != 0 &&
                                            referee_has_begun(stage->host->referee, bout->table)));
}

const struct event *stage_event(const struct stage *stage) {
    return stage->event;
}

const struct tournament *stage_shown(const struct stage *stage) {
    return stage->shown;
}

const struct fortune *stage_fortune(const struct stage *stage) {
    return stage->luck.fortune.evaluator[0] != '\0' ? &stage->luck.fortune : NULL;
}

const char *stage_folder(const struct stage *stage) {
    return stage->setup.folder;
}

void stage_stir(struct stage *stages) {
    for (struct stage *stage = stages; stage != NULL; stage = stage->next) {
        stage->settled = false;
    }
}

/* The running match of that table. While referee_seat has not returned, its match
 * does not know its table yet, and there is only that one. */
static struct bout *find_bout(struct stage *stages, uint32_t table, struct stage **at) {
    struct bout *unnamed = NULL;
    struct stage *unnamed_at = NULL;
    for (struct stage *stage = stages; stage != NULL; stage = stage->next) {
        for (struct bout *bout = stage->bouts; bout != NULL; bout = bout->next) {
            if (bout->table == table && bout->state != BOUT_OVER) {
                *at = stage;
                return bout;
            }
            if (bout->table == 0 && bout->state != BOUT_OVER) {
                unnamed = bout;
                unnamed_at = stage;
            }
        }
    }
    if (unnamed != NULL) {
        unnamed->table = table;
        *at = unnamed_at;
    }
    return unnamed;
}

/* A piece of its record that was put: for the copies, and for the luck in it. */
static void take_piece(struct stage *stage, const struct bout *bout, uint64_t ticket,
                       const char *text, size_t length) {
    const struct luck_piece piece = {.ticket = ticket,
                                     .unit = bout->what.unit.number,
                                     .leg = bout->what.leg,
                                     .text = text,
                                     .length = length};
    book_add(stage, bout->book, bout->what.leg, text, length);
    stage_luck_piece(stage, &piece);
}

void stage_mixed(struct stage *stages, const struct mix_facts *facts) {
    struct stage *stage;
    struct bout *bout = find_bout(stages, facts->table, &stage);
    if (bout == NULL) {
        return;
    }
    struct book *book = bout->book;
    book->mixed = true;
    memcpy(book->of, facts->of, sizeof book->of);
    book->digest = facts->digest;
    struct pending pending = {.kind = PENDING_MIX, .of.unit = bout->what.unit.number};
    const struct game_row before = {.unit = bout->what.unit.number,
                                    .leg = bout->what.leg,
                                    .attempt = (int)facts->attempt};
    pending.ticket = store_put_game(stage->store, &before, facts->record, facts->record_length);
    book->ticket = pending.ticket;
    take_piece(stage, bout, pending.ticket, facts->record, facts->record_length);
    store_hurry(stage->store);
    pending_add(stage, &pending);
}

void stage_game(struct stage *stages, const struct game_facts *facts) {
    struct stage *stage;
    struct bout *bout = find_bout(stages, facts->table, &stage);
    if (bout == NULL) {
        return;
    }
    struct pending pending = {.kind = PENDING_GAME,
                              .of.game = {.unit = bout->what.unit.number,
                                          .leg = bout->what.leg,
                                          .game = (int)facts->game,
                                          .attempt = (int)facts->attempt,
                                          .winner = facts->winner,
                                          .kind = facts->kind,
                                          .half_points = facts->half_points,
                                          .reason = facts->reason,
                                          .offender = facts->offender,
                                          .starter = (int)facts->starter,
                                          .plies = facts->plies}};
    for (int side = 0; side < SIDE_COUNT; side++) {
        pending.of.game.turns[side] = facts->turns[side];
        pending.of.game.ms[side] = facts->ms[side];
    }
    faults_find(facts->record, facts->record_length, &pending.faults);
    pending.ticket = store_put_game(stage->store, &pending.of.game, facts->record,
                                    facts->record_length);
    take_piece(stage, bout, pending.ticket, facts->record, facts->record_length);
    tournament_add_game(stage->plan, &pending.of.game);
    if (facts->reason == REASON_VOID) {
        bout->state = BOUT_VOIDING;
        bout->ticket = pending.ticket;
        store_hurry(stage->store);
    }
    pending_add(stage, &pending);
}

void stage_match(struct stage *stages, const struct match_facts *facts) {
    struct stage *stage;
    struct bout *bout = find_bout(stages, facts->table, &stage);
    if (bout == NULL) {
        return;
    }
    struct pending pending = {.kind = PENDING_MATCH,
                              .of.match = {.unit = bout->what.unit.number,
                                           .leg = bout->what.leg,
                                           .winner = facts->winner,
                                           .games = facts->games,
                                           .reason = facts->reason,
                                           .offender = facts->offender,
                                           .head = facts->head}};
    for (int side = 0; side < SIDE_COUNT; side++) {
        pending.of.match.entrant[side] = bout->what.entrant[side];
        pending.of.match.score[side] = facts->score[side];
    }
    faults_find(facts->record, facts->record_length, &pending.faults);
    pending.ticket = store_put_match(stage->store, &pending.of.match, facts->record,
                                     facts->record_length);
    take_piece(stage, bout, pending.ticket, facts->record, facts->record_length);
    tournament_add_match(stage->plan, &pending.of.match);
    bout->state = BOUT_OVER;
    stage->settled = false;
    pending_add(stage, &pending);
    book_end_leg(stage, bout->book, bout->what.leg, facts);
}

void stage_vacant(struct stage *stages, uint32_t table, enum side side) {
    struct stage *stage;
    struct bout *bout = find_bout(stages, table, &stage);
    if (bout != NULL) {
        bout->vacant[side] = true;
    }
}
