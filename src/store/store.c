#include "store/store.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "base/system.h"
#include "store/folder.h"
#include "store/queue.h"
#include "store/tables.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    COMMIT_MS = 50,             /* a transaction is open to more puts for that long */
    QUEUE_BYTES_MAX = 64 << 20, /* above this a put waits for the disk */
};

struct store {
    struct store_event event;
    char *folder;
    dev_t device;  /* with `file`: which hakem.db it is */
    ino_t file;
    bool rests;    /* the mark of a clean rest was there */
    int lock;      /* descriptor of the folder, flock'ed */
    struct db *db; /* the opener's until the writer starts, then the writer's */
    bool writing;  /* the writer runs */
    pthread_t writer;
    int bell[2];           /* read by the writer */
    int wakeup[2];         /* read by the owner */
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t room;   /* the queue has shrunk */
    struct put_queue queue;
    struct put_queue answers;
    uint64_t put;     /* last ticket given */
    uint64_t durable; /* last ticket on disk */
    bool closing;
    bool failed;
    struct fail fail; /* why */
};

static struct store *store_new(const char *folder) {
    struct store *store = alloc_zeroed(1, sizeof *store);
    store->folder = alloc_text(folder, strlen(folder));
    store->lock = -1;
    store->bell[0] = store->bell[1] = -1;
    store->wakeup[0] = store->wakeup[1] = -1;
    pthread_mutex_init(&store->mutex, NULL);
    pthread_cond_init(&store->room, NULL);
    return store;
}

static void close_all(const int *descriptors, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (descriptors[i] >= 0) {
            close(descriptors[i]);
        }
    }
}

static void store_free(struct store *store) {
    close_all(store->bell, 2);
    close_all(store->wakeup, 2);
    close_all(&store->lock, 1);
    put_free_all(store->queue.first);
    put_free_all(store->answers.first);
    pthread_mutex_destroy(&store->mutex);
    pthread_cond_destroy(&store->room);
    free(store->event.json);
    free(store->folder);
    system_wipe(&store->event, sizeof store->event);
    free(store);
}

static int open_locked(struct store *store, bool reading, struct fail *fail) {
    char *path = folder_path(store->folder, "hakem.db");
    int status = 0;
    /* Even to look, what an earlier run left in its log has to be taken over. */
    if (access(path, W_OK) != 0 || access(store->folder, W_OK) != 0) {
        status = fail_set(fail, EXIT_CODE_IO, _("%s cannot be written (%s): copy the store first"),
                          path, strerror(errno));
    }
    if (status == 0) {
        status = db_open(path, &store->db, fail);
    }
    struct stat there;
    if (status == 0 && stat(path, &there) == 0) {
        store->device = there.st_dev;
        store->file = there.st_ino;
    }
    if (status == 0) {
        status = tables_read_event(store->db, &store->event, fail);
    }
    if (status == 0) {
        status = tables_read_rest(store->db, &store->rests, fail);
    }
    if (status == 0 && !reading &&
        (bell_make(store->bell, fail) != 0 || bell_make(store->wakeup, fail) != 0)) {
        status = -1;
    }
    free(path);
    return status;
}

/* Frees a store that could not be opened; the first failure is the one to tell. */
static int give_up(struct store *store) {
    struct fail ignored;
    if (store->db != NULL) {
        (void)!db_close(store->db, &ignored);
    }
    store_free(store);
    return -1;
}

int store_open(const char *folder, bool reading, struct store **out, struct fail *fail) {
    if (folder_check(folder, fail) != 0) {
        return -1;
    }
    struct store *store = store_new(folder);
    if (folder_lock(folder, &store->lock, fail) != 0 ||
        open_locked(store, reading, fail) != 0) {
        return give_up(store);
    }
    *out = store;
    return 0;
}

/* A database that is made under another name: what is called hakem.db is whole. */
static int make_database(struct store *store, const struct store_event *event, const char *made,
                         struct fail *fail) {
    char *journal = alloc_print("%s-journal", made);
    unlink(made);
    unlink(journal);
    free(journal);
    int file = open(made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return fail_set(fail, EXIT_CODE_IO, _("cannot write %s: %s"), made, strerror(errno));
    }
    close(file);
    if (tables_create(made, event, fail) != 0) {
        unlink(made);
        return -1;
    }
    char *path = folder_path(store->folder, "hakem.db");
    int status = rename(made, path);
    free(path);
    if (status != 0 || fsync(store->lock) != 0) {
        return fail_set(fail, EXIT_CODE_IO, _("cannot write %s: %s"), made, strerror(errno));
    }
    return 0;
}

int store_create(const char *folder, const struct store_event *event, struct store **out,
                 struct fail *fail) {
    if (file_make_folder(folder, fail) != 0) {
        return -1;
    }
    struct store *store = store_new(folder);
    if (folder_lock(store->folder, &store->lock, fail) != 0) {
        return give_up(store);
    }
    if (store_exists(folder)) {
        fail_set(fail, EXIT_CODE_USAGE, _("%s already holds a store: name another folder"), folder);
        return give_up(store);
    }
    char *made = folder_path(folder, "hakem.db.new");
    int status = make_database(store, event, made, fail);
    free(made);
    if (status != 0 || open_locked(store, false, fail) != 0) {
        return give_up(store);
    }
    *out = store;
    return 0;
}

int store_check(const struct store *store, struct fail *fail) {
    char *path = folder_path(store->folder, "hakem.db");
    struct stat there;
    int status = 0;
    if (stat(path, &there) != 0 || there.st_dev != store->device || there.st_ino != store->file) {
        status = fail_set(fail, EXIT_CODE_IO,
                          _("the store %s was removed or replaced while it was in use: what was "
                            "played is lost, start again"), store->folder);
    }
    free(path);
    return status;
}

const struct store_event *store_event(const struct store *store) {
    return &store->event;
}

int store_visit(struct store *store, const struct store_visitor *visitor, struct fail *fail) {
    assert(!store->writing);
    return tables_visit(store->db, visitor, fail);
}

int store_drawn(struct store *store, int (*take)(void *owner, const char *x, const char *y),
                void *owner, struct fail *fail) {
    assert(!store->writing);
    return tables_drawn(store->db, take, owner, fail);
}

int store_record(struct store *store, uint32_t unit, int leg, struct bytes *out,
                 struct fail *fail) {
    assert(!store->writing);
    return tables_record(store->db, unit, leg, out, fail);
}

static int write_all(struct store *store, const struct put *put, struct put_queue *answers,
                     struct fail *fail) {
    if (tables_begin(store->db, fail) != 0) {
        return -1;
    }
    for (; put != NULL; put = put->next) {
        if (put_write(put, store->db, answers, fail) != 0) {
            return -1;
        }
    }
    return tables_commit(store->db, fail);
}

/* Takes what is queued to the disk in one transaction and tells; false when there is
 * nothing more to come, or the disk has failed. After a failure nothing is tried again:
 * what the disk holds then is not known before it is read anew. */
static bool commit_queue(struct store *store) {
    pthread_mutex_lock(&store->mutex);
    struct put_queue taken = store->queue;
    store->queue = (struct put_queue){.first = NULL};
    bool closing = store->closing;
    pthread_cond_broadcast(&store->room);
    pthread_mutex_unlock(&store->mutex);
    if (taken.first == NULL) {
        return !closing;
    }
    struct fail fail = {.code = EXIT_CODE_DONE};
    struct put_queue answers = {.first = NULL};
    int status = write_all(store, taken.first, &answers, &fail);
    pthread_mutex_lock(&store->mutex);
    put_queue_join(&store->answers, &answers);
    if (status == 0) {
        store->durable = taken.last->ticket;
    } else {
        store->failed = true;
        store->fail = fail;
        pthread_cond_broadcast(&store->room);
    }
    pthread_mutex_unlock(&store->mutex);
    put_free_all(taken.first);
    bell_ring(store->wakeup, BELL_WORK);
    return status == 0 && !closing;
}

static void *write_on(void *owner) {
    struct store *store = owner;
    do {
        if (!bell_await(store->bell, -1)) {
            bell_await(store->bell, COMMIT_MS);
        }
    } while (commit_queue(store));
    return NULL;
}

/* The writer starts with the first put and owns the database from then on. Signals
 * stay with the other threads. */
static void start_writer(struct store *store) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&store->writer, NULL, write_on, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0) {
        fail_fatal("no thread for the store: %s", strerror(code));
    }
    store->writing = true;
}

static uint64_t put_on(struct store *store, struct put *put) {
    assert(store->bell[1] >= 0);
    if (!store->writing) {
        start_writer(store);
    }
    pthread_mutex_lock(&store->mutex);
    while (store->queue.bytes > QUEUE_BYTES_MAX && !store->failed) {
        pthread_cond_wait(&store->room, &store->mutex);
    }
    uint64_t ticket = ++store->put;
    bool first = store->queue.first == NULL;
    bool failed = store->failed;
    if (!failed) {
        put->ticket = ticket;
        put_queue_add(&store->queue, put);
    }
    pthread_mutex_unlock(&store->mutex);
    if (failed) {
        put_free_all(put);
    } else if (first) {
        bell_ring(store->bell, BELL_WORK);
    }
    return ticket;
}

uint64_t store_put_start(struct store *store, uint32_t unit) {
    return put_on(store, put_new(PUT_START, unit, 0, NULL, 0));
}

uint64_t store_put_drawn(struct store *store, uint32_t unit, const char *x, const char *y) {
    char *names = alloc_print("%s%c%s", x, '\0', y);
    uint64_t ticket = put_on(
        store, put_new(PUT_DRAWN, unit, 0, names, strlen(x) + strlen(y) + 2));
    free(names);
    return ticket;
}

uint64_t store_put_game(struct store *store, const struct game_row *row, const char *record,
                        size_t length) {
    struct put *put =
        put_new(row->game > 0 ? PUT_GAME : PUT_MIX, row->unit, row->leg, record, length);
    put->row.game = *row;
    return put_on(store, put);
}

uint64_t store_put_match(struct store *store, const struct match_row *row, const char *record,
                         size_t length) {
    struct put *put = put_new(PUT_MATCH, row->unit, row->leg, record, length);
    put->row.match = *row;
    return put_on(store, put);
}

uint64_t store_put_seal(struct store *store, uint32_t unit, int leg, const char *record,
                        size_t length) {
    return put_on(store, put_new(PUT_SEAL, unit, leg, record, length));
}

void store_ask_record(struct store *store, uint32_t unit, int leg, uint32_t tag) {
    struct put *put = put_new(PUT_ASK, unit, leg, NULL, 0);
    put->row.tag = tag;
    put_on(store, put);
    store_hurry(store);
}

void store_take_answers(struct store *store,
                        void (*take)(void *owner, uint32_t tag, const char *text, size_t length),
                        void *owner) {
    pthread_mutex_lock(&store->mutex);
    struct put_queue answers = store->answers;
    store->answers = (struct put_queue){.first = NULL};
    pthread_mutex_unlock(&store->mutex);
    for (const struct put *put = answers.first; put != NULL; put = put->next) {
        take(owner, put->row.tag, put->text, put->length);
    }
    put_free_all(answers.first);
}

bool store_rests(const struct store *store) {
    return store->rests;
}

uint64_t store_put_rest(struct store *store, bool rests) {
    return put_on(store, put_new(rests ? PUT_REST : PUT_WAKE, 0, 0, NULL, 0));
}

void store_hurry(struct store *store) {
    if (store->writing) {
        bell_ring(store->bell, BELL_HURRY);
    }
}

uint64_t store_durable(struct store *store) {
    pthread_mutex_lock(&store->mutex);
    uint64_t durable = store->durable;
    pthread_mutex_unlock(&store->mutex);
    return durable;
}

int store_wakeup_fd(const struct store *store) {
    return store->wakeup[0];
}

/* Copies the failure out; -1 when there is one. */
static int tell_failure(struct store *store, struct fail *fail) {
    pthread_mutex_lock(&store->mutex);
    bool failed = store->failed;
    if (failed) {
        *fail = store->fail;
    }
    pthread_mutex_unlock(&store->mutex);
    return failed ? -1 : 0;
}

int store_acknowledge(struct store *store, struct fail *fail) {
    char rung[64];
    while (read(store->wakeup[0], rung, sizeof rung) > 0) {
    }
    return tell_failure(store, fail);
}

int store_close(struct store *store, struct fail *fail) {
    if (store == NULL) {
        return 0;
    }
    if (store->writing) {
        pthread_mutex_lock(&store->mutex);
        store->closing = true;
        pthread_mutex_unlock(&store->mutex);
        bell_ring(store->bell, BELL_HURRY);
        pthread_join(store->writer, NULL);
    }
    int status = tell_failure(store, fail);
    struct fail later;
    if (db_close(store->db, &later) != 0 && status == 0) {
        *fail = later;
        status = -1;
    }
    store_free(store);
    return status;
}
