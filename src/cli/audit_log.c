#include "cli/audit_log.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "record/event_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_MAX = 1 << 30 };

/* The log while it is read. */
struct reading {
    struct audit_event *event;
    const char *path;
    size_t matches;
    uint64_t checkpoints, time; /* and of the last one */
};

static void find(const struct reading *reading, const char *sentence) {
    printf("%s: %s\n", reading->path, sentence);
    audit_event_refuse(reading->event);
}

static void take_match(struct reading *reading, const struct event_log_entry *entry) {
    const struct match_row *row = audit_event_match(reading->event, entry->unit, entry->leg);
    if (row != NULL && memcmp(&row->head, &entry->head, sizeof row->head) == 0) {
        reading->matches++;
        return;
    }
    printf(row == NULL ? _("%s-%d: the log has its end, the store no result")
                       : _("%s-%d: the log has another record than the store"),
           entry->unit, entry->leg);
    printf("\n");
    audit_event_refuse(reading->event);
}

static void take_entry(void *owner, const struct event_log_entry *entry) {
    struct reading *reading = owner;
    switch (entry->kind) {
    case EVENT_LOG_MATCH:
        take_match(reading, entry);
        break;
    case EVENT_LOG_VOID:
        if (!audit_event_is_void(reading->event, entry->unit, entry->leg, entry->game,
                                 entry->attempt)) {
            printf(_("%s-%d: the log has game %u void, the store has not"), entry->unit,
                   entry->leg, entry->game);
            printf("\n");
            audit_event_refuse(reading->event);
        }
        break;
    case EVENT_LOG_CHECKPOINT:
        reading->checkpoints++;
        reading->time = entry->time;
        break;
    }
}

/* A copy that was kept is how the log begins, its whole lines at least. */
static void check_kept(const struct reading *reading, const struct bytes *log,
                       const struct bytes *kept, const char *path) {
    size_t length = kept->length;
    while (length > 0 && kept->data[length - 1] != '\n') {
        length--;
    }
    size_t same = 0;
    size_t line = 1;
    while (same < length && same < log->length && kept->data[same] == log->data[same]) {
        line += kept->data[same++] == '\n';
    }
    if (same < length) {
        printf(_("%s: the log differs from %s, from line %zu on"), reading->path, path, line);
        printf("\n");
        audit_event_refuse(reading->event);
    }
}

static void print_log(const struct reading *reading, const struct event_log *at) {
    char date[32];
    text_utc((int64_t)reading->time, date);
    printf(_("%s: %llu lines hold, %llu checkpoints are signed"), reading->path,
           (unsigned long long)at->lines, (unsigned long long)reading->checkpoints);
    printf(reading->checkpoints > 0 ? _(", the last one of %s") : "%.0s", date);
    printf("\n");
}

static void read_log(struct reading *reading, const struct store_event *of,
                     const struct bytes *text) {
    struct event_log at;
    size_t whole;
    char why[EVENT_LOG_WHY_MAX];
    if (event_log_read(text->data, text->length, of->id, of->key.public_key, take_entry, reading,
                       &at, &whole, why) != 0) {
        find(reading, why);
    } else {
        print_log(reading, &at);
    }
}

int64_t audit_log(struct audit_event *event, const struct store_event *of, const char *folder,
                  const char *kept, struct fail *fail) {
    struct bytes text;
    struct bytes other;
    char *path = alloc_print("%s/log.hkl", folder);
    struct reading reading = {.event = event, .path = path};
    struct fail ignored;
    bytes_init(&text, LOG_MAX);
    bytes_init(&other, LOG_MAX);
    int status = kept != NULL ? file_read(kept, &other, fail) : 0;
    bool there = access(path, F_OK) == 0;
    if (there && file_read(path, &text, &ignored) != 0) {
        find(&reading, ignored.text);
    } else if (there) {
        read_log(&reading, of, &text);
    }
    if (kept != NULL && status == 0) {
        check_kept(&reading, &text, &other, kept);
    }
    bytes_clear(&text);
    bytes_clear(&other);
    free(path);
    if (status != 0) {
        return -1;
    }
    return there ? (int64_t)(audit_event_matches(event) - reading.matches) : 0;
}
