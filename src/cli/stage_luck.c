#include "cli/stage_inside.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/evaluator.h"
#include "cli/luck_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The luck of the event's games. A thread reads it off the records; what it found goes into
 * STORE/luck.csv once the game itself is on disk. The records are the truth: what a crash has
 * kept out of the file is read again when the store is opened. */

enum { LAG_PIECES = 4 /* a match at once, of those that wait to be read */ };

int stage_luck_ready(struct stage *stage, struct fail *fail) {
    struct stage_luck *luck = &stage->luck;
    fortune_init(&luck->fortune, stage->event);
    if (!stage->event->luck) {
        return 0;
    }
    luck->net = evaluator_new(&stage->event->rules, NULL, fail);
    luck->worker = luck->net != NULL ? luck_worker_new(luck->net, fail) : NULL;
    return luck->worker != NULL ? 0 : -1;
}

/* A file that cannot be written is said once; the estimates live on in memory. */
static void append(struct stage *stage, struct bytes *lines) {
    struct stage_luck *luck = &stage->luck;
    if (luck->descriptor >= 0 && !file_put(luck->descriptor, lines->data, lines->length)) {
        log_line(LOG_LEVEL_WARN, "luck %s cannot be written error=%s", stage->setup.folder,
                 strerror(errno));
        close(luck->descriptor);
        luck->descriptor = -1;
    }
    bytes_clear(lines);
}

/* The file starts anew: it is new, or another evaluator's. */
static void begin_file(struct stage *stage) {
    struct fortune *fortune = &stage->luck.fortune;
    struct bytes head;
    bytes_init(&head, STREAM_LINE_MAX);
    fortune_forget(fortune);
    if (fortune->declared[0] == '\0') {
        memcpy(fortune->declared, net_name(stage->luck.net), strlen(net_name(stage->luck.net)) + 1);
        fortune->since = tournament_finished(stage->plan);
    } else if (strcmp(fortune->evaluator, net_name(stage->luck.net)) != 0) {
        log_line(LOG_LEVEL_WARN, "luck %s was read by evaluator=%s, is read anew by evaluator=%s",
                 stage->setup.folder, fortune->evaluator, net_name(stage->luck.net));
    }
    memcpy(fortune->evaluator, net_name(stage->luck.net), strlen(net_name(stage->luck.net)) + 1);
    fortune_write_head(fortune, &head);
    append(stage, &head);
}

void stage_luck_open(struct stage *stage) {
    struct stage_luck *luck = &stage->luck;
    if (luck->worker == NULL) {
        return;
    }
    char *path = luck_store_path(stage->setup.folder);
    size_t whole = luck_store_load(stage->setup.folder, &luck->fortune);
    if (strcmp(luck->fortune.evaluator, net_name(luck->net)) != 0) {
        whole = 0;
    }
    luck->descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (luck->descriptor < 0 || ftruncate(luck->descriptor, (off_t)whole) != 0) {
        log_line(LOG_LEVEL_WARN, "luck %s cannot be written error=%s", path, strerror(errno));
    }
    if (whole == 0) {
        begin_file(stage);
    }
    stage_log_luck(stage, net_name(luck->net));
    free(path);
}

void stage_luck_piece(struct stage *stage, const struct luck_piece *piece) {
    if (stage->luck.worker != NULL && piece->length > 0) {
        luck_worker_put(stage->luck.worker, piece);
    }
}

/* Takes over what was found and is on disk, in order. */
static void take_found(struct stage *stage, uint64_t durable) {
    struct stage_luck *luck = &stage->luck;
    struct bytes lines;
    bytes_init(&lines, REPORT_MAX);
    while (luck->holding || luck_worker_take(luck->worker, &luck->held)) {
        struct luck_found *found = &luck->held;
        luck->holding = found->ticket > durable;
        if (luck->holding) {
            break;
        }
        if (found->why != NULL) {
            log_line(LOG_LEVEL_WARN, "luck of %s-%d is not known: %s",
                     schedule_unit(stage->event, found->game.unit).name, found->game.leg,
                     found->why);
            free(found->why);
        } else if (fortune_add(&luck->fortune, &found->game)) {
            fortune_write_game(&found->game, &lines);
            announce_luck(stage, &found->game);
        }
    }
    append(stage, &lines);
}

void stage_luck_turn(struct stage *stage) {
    if (stage->luck.worker != NULL) {
        take_found(stage, store_durable(stage->store));
    }
}

/* An event that stops when it is decided does not run far ahead of what is known. */
bool stage_luck_is_full(const struct stage *stage) {
    uint64_t most = stage->event->stops ? LAG_PIECES * (uint64_t)stage->event->concurrency
                                        : UINT64_MAX;
    return stage->luck.worker != NULL && luck_worker_is_full(stage->luck.worker, most);
}

bool stage_luck_is_settled(const struct stage *stage) {
    return stage->luck.worker == NULL ||
           (luck_worker_is_idle(stage->luck.worker) && !stage->luck.holding);
}

int stage_luck_resume(struct stage *stage, uint32_t unit, int leg, const struct bytes *text,
                      struct fail *fail) {
    struct luck_worker *worker = stage->luck.worker;
    const struct match_row *row = tournament_match(stage->plan, unit, leg);
    if (worker == NULL ||
        (row != NULL && fortune_known(&stage->luck.fortune, unit, leg) >= row->games)) {
        return 0;
    }
    struct bytes own;
    int status = 0;
    bytes_init(&own, RECORD_TEXT_MAX);
    if (text == NULL) {
        status = store_record(stage->store, unit, leg, &own, fail) < 0 ? -1 : 0;
        text = &own;
    }
    const struct luck_piece piece = {
        .unit = unit, .leg = leg, .text = text->data, .length = text->length};
    if (status == 0) {
        stage_luck_piece(stage, &piece);
    }
    bytes_clear(&own);
    while (luck_worker_is_full(worker, UINT64_MAX)) {
        luck_worker_wait(worker);
        take_found(stage, 0);
    }
    return status;
}

void stage_luck_finish(struct stage *stage) {
    while (!stage_luck_is_settled(stage)) {
        luck_worker_wait(stage->luck.worker);
        stage_luck_turn(stage);
    }
}

static void on_found(void *owner) {
    stage_luck_turn(owner);
}

void stage_luck_begin(struct stage *stage) {
    if (stage->luck.worker != NULL) {
        stage->luck.watch =
            loop_watch(stage->host->loop, luck_worker_fd(stage->luck.worker), on_found, stage);
    }
}

void stage_luck_close(struct stage *stage) {
    struct stage_luck *luck = &stage->luck;
    if (stage->store != NULL) {
        stage_luck_turn(stage);
    }
    watch_free(luck->watch);
    luck->watch = NULL;
    luck_worker_free(luck->worker);
    luck->worker = NULL;
    net_free(luck->net);
    luck->net = NULL;
    if (luck->holding) {
        free(luck->held.why);
        luck->holding = false;
    }
    if (luck->descriptor >= 0) {
        close(luck->descriptor);
        luck->descriptor = -1;
    }
}

void stage_stop_look(struct stage *stage) {
    if (!stage->event->stops || stage->stopping.decided ||
        !stopping_look(&stage->stopping, stage_fortune(stage), stage->event, stage->shown)) {
        return;
    }
    tournament_cut(stage->plan, 0);
    tournament_cut(stage->shown, tournament_units(stage->plan));
    log_line(LOG_LEVEL_INFO, "event %s decided samples=%u ahead=%s", stage->event->name,
             (unsigned)stage->stopping.units, stage->event->entrants[stage->stopping.ahead].name);
    stage->settled = false;
}
