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
    case EVENT_LOG_LUCK:
        break;
    case EVENT_LOG_CHECKPOINT:
        reading->checkpoints++;
        reading->time = entry->time;
        break;
    }
}

/* A copy that was kept is how the log begins, its whole lines at least. */
static void check_kept(const struct reading *reading, const struct bytes *log,
                       const struct audit_kept *kept) {
    const char *data = kept->text.data;
    size_t length = kept->text.length;
    while (length > 0 && data[length - 1] != '\n') {
        length--;
    }
    size_t same = 0;
    size_t line = 1;
    while (same < length && same < log->length && data[same] == log->data[same]) {
        line += data[same++] == '\n';
    }
    if (same < length) {
        printf(_("%s: the log differs from %s, from line %zu on"), reading->path, kept->path,
               line);
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

static bool read_log(struct reading *reading, const struct store_event *of,
                     const struct bytes *text) {
    struct event_log at;
    size_t whole;
    char why[EVENT_LOG_WHY_MAX];
    if (event_log_read(text->data, text->length, of->id, of->key.public_key, take_entry, reading,
                       &at, &whole, why) != 0) {
        find(reading, why);
        return false;
    }
    print_log(reading, &at);
    return true;
}

/* What the store has and the log has not. */
static void check_complete(const struct reading *reading, bool there, bool at_rest) {
    size_t behind = audit_event_matches(reading->event) - reading->matches;
    if (behind == 0) {
        return;
    }
    if (!at_rest) {
        printf(_("the log lacks %zu results: it is completed when the event goes on"), behind);
    } else if (there) {
        printf(_("%s: the log lacks %zu results"), reading->path, behind);
    } else {
        printf(_("%s: it is missing, and the store has %zu results"), reading->path, behind);
    }
    printf("\n");
    if (at_rest) {
        audit_event_refuse(reading->event);
    }
}

void audit_log(struct audit_event *event, const struct store *store, const char *folder,
               const struct audit_kept *kept) {
    struct bytes text;
    struct fail fail;
    char *path = alloc_print("%s/log.hkl", folder);
    struct reading reading = {.event = event, .path = path};
    bool there = access(path, F_OK) == 0;
    bool holds = true;
    bytes_init(&text, LOG_MAX);
    if (there && file_read(path, &text, &fail) != 0) {
        find(&reading, fail.text);
        holds = false;
    } else if (there) {
        holds = read_log(&reading, store_event(store), &text);
    }
    if (holds) {
        check_complete(&reading, there, store_rests(store));
    }
    if (kept->path != NULL) {
        check_kept(&reading, &text, kept);
    }
    bytes_clear(&text);
    free(path);
}
