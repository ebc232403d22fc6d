#include "cli/stage_inside.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The event's log, STORE/log.hkl. The store is the truth: what a crash has kept out of the log is
 * added when the store is opened again, and a log that cannot be written stops nothing. */

enum { LOG_MAX = 1 << 30, ADDED_MAX = 64 << 20 };

/* Appends what was added; a log that fails is said once and written no more. */
static void write_out(struct stage *stage) {
    struct stage_log *log = &stage->log;
    size_t at = 0;
    while (log->descriptor >= 0 && at < log->out.length) {
        ssize_t wrote = write(log->descriptor, log->out.data + at, log->out.length - at);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            log_line(LOG_LEVEL_WARN, "log %s cannot be written error=%s", stage->setup.folder,
                     strerror(errno));
            close(log->descriptor);
            log->descriptor = -1;
            break;
        }
        at += (size_t)wrote;
    }
    bytes_drop(&log->out, log->out.length);
}

/* What a log of an earlier process has. */
static void take_entry(void *owner, const struct event_log_entry *entry) {
    struct stage_log *log = owner;
    if (entry->kind == EVENT_LOG_LUCK) {
        memcpy(log->evaluator, entry->evaluator, sizeof log->evaluator);
    }
    if (entry->kind == EVENT_LOG_CHECKPOINT || entry->kind == EVENT_LOG_LUCK) {
        return;
    }
    log->known = alloc_more(log->known, log->known_count, &log->known_room, sizeof *log->known);
    log->known[log->known_count++] = *entry;
}

static int compare(const void *a, const void *b) {
    const struct event_log_entry *one = a;
    const struct event_log_entry *other = b;
    int order = strcmp(one->unit, other->unit);
    order = order != 0 ? order : one->leg - other->leg;
    order = order != 0 ? order : (int)one->kind - (int)other->kind;
    order = order != 0 ? order : (one->game > other->game) - (one->game < other->game);
    return order != 0 ? order : (one->attempt > other->attempt) - (one->attempt < other->attempt);
}

/* Goes on with the log that is there, or begins one. */
void stage_log_open(struct stage *stage) {
    struct stage_log *log = &stage->log;
    const struct store_event *kept = store_event(stage->store);
    char *path = alloc_print("%s/log.hkl", stage->setup.folder);
    struct bytes text;
    struct fail fail;
    char why[EVENT_LOG_WHY_MAX];
    size_t whole = 0;
    bytes_init(&text, LOG_MAX);
    bytes_init(&log->out, ADDED_MAX);
    bool there = access(path, F_OK) == 0;
    log->descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (there && (file_read(path, &text, &fail) != 0 ||
                  event_log_read(text.data, text.length, kept->id, kept->key.public_key,
                                 take_entry, log, &log->at, &whole, why) != 0)) {
        log_line(LOG_LEVEL_WARN, "log %s does not hold and is left as it is", path);
        if (log->descriptor >= 0) {
            close(log->descriptor);
        }
        log->descriptor = -1;
    }
    if (log->known_count > 0) {
        qsort(log->known, log->known_count, sizeof *log->known, compare);
    }
    if (log->descriptor >= 0 && ftruncate(log->descriptor, (off_t)whole) == 0 && whole == 0) {
        event_log_begin(&log->at, kept->id, kept->key.public_key, &log->out);
    }
    write_out(stage);
    bytes_clear(&text);
    free(path);
}

static void add(struct stage *stage, struct event_log_entry *entry, uint32_t unit) {
    struct stage_log *log = &stage->log;
    memcpy(entry->unit, schedule_unit(stage->event, unit).name, sizeof entry->unit);
    if (log->descriptor >= 0 &&
        (log->known_count == 0 ||
         bsearch(entry, log->known, log->known_count, sizeof *log->known, compare) == NULL)) {
        event_log_add(&log->at, entry, &log->out);
        write_out(stage);
    }
}

void stage_log_match(struct stage *stage, const struct match_row *row) {
    struct event_log_entry entry = {.kind = EVENT_LOG_MATCH, .leg = row->leg, .head = row->head};
    add(stage, &entry, row->unit);
}

void stage_log_game(struct stage *stage, const struct game_row *row) {
    struct event_log_entry entry = {.kind = EVENT_LOG_VOID,
                                    .leg = row->leg,
                                    .game = (unsigned)row->game,
                                    .attempt = (unsigned)row->attempt};
    if (row->reason == REASON_VOID) {
        add(stage, &entry, row->unit);
    }
}

void stage_log_luck(struct stage *stage, const char *evaluator) {
    struct stage_log *log = &stage->log;
    struct event_log_entry entry = {.kind = EVENT_LOG_LUCK};
    if (log->descriptor >= 0 && strcmp(log->evaluator, evaluator) != 0) {
        text_copy(entry.evaluator, sizeof entry.evaluator, evaluator, strlen(evaluator));
        event_log_add(&log->at, &entry, &log->out);
        write_out(stage);
    }
}

void stage_log_check(struct stage *stage) {
    if (stage->log.descriptor >= 0) {
        event_log_check(&stage->log.at, &store_event(stage->store)->key,
                        (uint64_t)loop_date(), &stage->log.out);
        write_out(stage);
    }
}

void stage_log_close(struct stage *stage) {
    struct stage_log *log = &stage->log;
    stage_log_check(stage);
    if (log->descriptor >= 0) {
        close(log->descriptor);
        log->descriptor = -1;
    }
    bytes_clear(&log->out);
    free(log->known);
    log->known = NULL;
    log->known_count = 0;
}
