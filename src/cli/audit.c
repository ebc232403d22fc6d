#include "cli/audit.h"

#include "base/alloc.h"
#include "base/lang.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH_BYTES = 64 << 20, THREADS_MAX = 64, FINDINGS_MAX = 1 << 20 };

/* The records of a batch are handed out one after the other. */
struct crew {
    const struct audit *audit;
    pthread_mutex_t mutex; /* guards what follows */
    size_t next;
};

void audit_init(struct audit *audit, const struct verify_known *known,
                void (*done)(void *owner, const struct audit_record *record), void *owner) {
    *audit = (struct audit){.known = *known, .done = done, .owner = owner};
    audit->records = alloc_zeroed(AUDIT_BATCH, sizeof *audit->records);
}

static void take_finding(void *owner, const struct verify_finding *finding) {
    struct audit_record *record = owner;
    if (finding->line > 0) {
        bytes_print(&record->findings, _("%s: line %llu: %s"), record->name,
                    (unsigned long long)finding->line, finding->text);
    } else {
        bytes_print(&record->findings, "%s: %s", record->name, finding->text);
    }
    bytes_add_text(&record->findings, "\n");
}

static void take_game(void *owner, const struct verify_game *game) {
    struct audit_record *record = owner;
    record->games = alloc_more(record->games, record->game_count, &record->game_room,
                               sizeof *record->games);
    record->games[record->game_count++] = *game;
}

static void verify_one(const struct audit *audit, struct audit_record *record) {
    struct verify_known known = audit->known;
    known.game = take_game;
    record->outcome = verify_record(record->text.data, record->text.length, &known, take_finding,
                                    record, &record->report);
}

/* What each thread does. */
static void *work(void *owner) {
    struct crew *crew = owner;
    for (;;) {
        pthread_mutex_lock(&crew->mutex);
        size_t at = crew->next++;
        pthread_mutex_unlock(&crew->mutex);
        if (at >= crew->audit->count) {
            return NULL;
        }
        verify_one(crew->audit, &crew->audit->records[at]);
    }
}

/* A thread for each processor but the one that works here; fewer where none can be had. */
static void verify_all(const struct audit *audit) {
    struct crew crew = {.audit = audit, .mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[THREADS_MAX];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = 0;
    while (count < THREADS_MAX && (long)count + 1 < processors && count + 1 < audit->count &&
           pthread_create(&threads[count], NULL, work, &crew) == 0) {
        count++;
    }
    work(&crew);
    for (size_t i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
}

void audit_finish(struct audit *audit) {
    verify_all(audit);
    for (size_t i = 0; i < audit->count; i++) {
        struct audit_record *record = &audit->records[i];
        audit->done(audit->owner, record);
        free(record->name);
        free(record->games);
        bytes_clear(&record->text);
        bytes_clear(&record->findings);
    }
    audit->count = 0;
    audit->bytes = 0;
}

void audit_add(struct audit *audit, const char *name, uint64_t number, struct bytes *text) {
    struct audit_record *record = &audit->records[audit->count++];
    *record = (struct audit_record){
        .name = alloc_text(name, strlen(name)), .number = number, .text = *text};
    bytes_init(&record->findings, FINDINGS_MAX);
    audit->bytes += text->length;
    if (audit->count == AUDIT_BATCH || audit->bytes > BATCH_BYTES) {
        audit_finish(audit);
    }
}

void audit_clear(struct audit *audit) {
    audit_finish(audit);
    free(audit->records);
}
