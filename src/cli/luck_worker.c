#include "cli/luck_worker.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/system.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUEUE_BYTES = 32 << 20 /* of records that may wait: some 15,000 games */ };

struct job {
    struct job *next;
    struct luck_piece piece; /* its text is `text` */
    char text[];
};

struct finding {
    struct finding *next;
    struct luck_found found;
};

/* A match whose record is being read. */
struct open_match {
    struct open_match *next;
    uint32_t unit;
    int leg;
    struct luck_reader *reader; /* NULL: it could not be read on */
    struct luck_worker *worker;
};

struct luck_worker {
    const struct net *net;
    pthread_t thread;
    int wakeup[2];
    /* the thread's own */
    struct play_room *room;
    struct open_match *open;
    uint64_t ticket;      /* of the piece that is read */
    pthread_mutex_t mutex; /* guards what follows */
    pthread_cond_t work;  /* there is some, or the end has come */
    pthread_cond_t read;  /* a piece was read */
    struct job *first, *last;
    size_t bytes;
    uint64_t pending;
    struct finding *found_first, *found_last;
    bool closing;
};

/* To be called with the mutex held. */
static void add_found(struct luck_worker *worker, const struct luck_found *found) {
    struct finding *finding = alloc_zeroed(1, sizeof *finding);
    finding->found = *found;
    if (worker->found_last != NULL) {
        worker->found_last->next = finding;
    } else {
        worker->found_first = finding;
    }
    worker->found_last = finding;
}

static void take_game(void *owner, const struct luck_game *game) {
    const struct open_match *match = owner;
    struct luck_worker *worker = match->worker;
    const struct luck_found found = {
        .ticket = worker->ticket,
        .game = {.unit = match->unit, .leg = match->leg, .luck = *game}};
    pthread_mutex_lock(&worker->mutex);
    add_found(worker, &found);
    pthread_mutex_unlock(&worker->mutex);
}

/* The match of a piece, and where it hangs. */
static struct open_match **find_match(struct luck_worker *worker, const struct luck_piece *piece) {
    struct open_match **at = &worker->open;
    while (*at != NULL && ((*at)->unit != piece->unit || (*at)->leg != piece->leg)) {
        at = &(*at)->next;
    }
    if (*at == NULL) {
        *at = alloc_zeroed(1, sizeof **at);
        **at = (struct open_match){.unit = piece->unit, .leg = piece->leg, .worker = worker};
        (*at)->reader = luck_reader_new(worker->net, worker->room, take_game, *at);
    }
    return at;
}

static void close_match(struct open_match **at) {
    struct open_match *match = *at;
    *at = match->next;
    luck_reader_free(match->reader);
    free(match);
}

static void read_piece(struct luck_worker *worker, const struct luck_piece *piece) {
    struct open_match **at = find_match(worker, piece);
    struct open_match *match = *at;
    char why[RECORD_WHY_MAX];
    worker->ticket = piece->ticket;
    if (match->reader != NULL &&
        luck_reader_feed(match->reader, piece->text, piece->length, why) != 0) {
        const struct luck_found found = {.ticket = piece->ticket,
                                         .game = {.unit = match->unit, .leg = match->leg},
                                         .why = alloc_text(why, strlen(why))};
        luck_reader_free(match->reader);
        match->reader = NULL;
        pthread_mutex_lock(&worker->mutex);
        add_found(worker, &found);
        pthread_mutex_unlock(&worker->mutex);
    }
    if (match->reader != NULL && luck_reader_match(match->reader)->over) {
        close_match(at);
    }
}

/* The next piece, waited for; NULL at the end. */
static struct job *next_job(struct luck_worker *worker) {
    pthread_mutex_lock(&worker->mutex);
    while (worker->first == NULL && !worker->closing) {
        pthread_cond_wait(&worker->work, &worker->mutex);
    }
    struct job *job = worker->closing ? NULL : worker->first;
    if (job != NULL) {
        worker->first = job->next;
        worker->last = worker->first != NULL ? worker->last : NULL;
        worker->bytes -= job->piece.length;
    }
    pthread_mutex_unlock(&worker->mutex);
    return job;
}

static void ring(const struct luck_worker *worker) {
    while (write(worker->wakeup[1], "", 1) < 0 && errno == EINTR) {
    }
}

static void *work(void *owner) {
    struct luck_worker *worker = owner;
    struct job *job;
    system_yield_thread();
    while ((job = next_job(worker)) != NULL) {
        read_piece(worker, &job->piece);
        free(job);
        pthread_mutex_lock(&worker->mutex);
        worker->pending--;
        pthread_cond_signal(&worker->read);
        pthread_mutex_unlock(&worker->mutex);
        ring(worker);
    }
    return NULL;
}

/* Signals stay with the other threads. */
static int start(struct luck_worker *worker) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&worker->thread, NULL, work, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

struct luck_worker *luck_worker_new(const struct net *net, struct fail *fail) {
    struct luck_worker *worker = alloc_zeroed(1, sizeof *worker);
    worker->net = net;
    if (system_pipe(worker->wakeup, false) != 0) {
        fail_set(fail, EXIT_CODE_IO, _("no pipe for the luck of the dice: %s"), strerror(errno));
        free(worker);
        return NULL;
    }
    worker->room = alloc_zeroed(1, sizeof *worker->room);
    pthread_mutex_init(&worker->mutex, NULL);
    pthread_cond_init(&worker->work, NULL);
    pthread_cond_init(&worker->read, NULL);
    int code = start(worker);
    if (code != 0) {
        fail_fatal("no thread for the luck of the dice: %s", strerror(code));
    }
    return worker;
}

static void free_rest(struct luck_worker *worker) {
    while (worker->first != NULL) {
        struct job *job = worker->first;
        worker->first = job->next;
        free(job);
    }
    while (worker->found_first != NULL) {
        struct finding *finding = worker->found_first;
        worker->found_first = finding->next;
        free(finding->found.why);
        free(finding);
    }
    while (worker->open != NULL) {
        close_match(&worker->open);
    }
}

void luck_worker_free(struct luck_worker *worker) {
    if (worker == NULL) {
        return;
    }
    pthread_mutex_lock(&worker->mutex);
    worker->closing = true;
    pthread_cond_signal(&worker->work);
    pthread_mutex_unlock(&worker->mutex);
    pthread_join(worker->thread, NULL);
    free_rest(worker);
    pthread_cond_destroy(&worker->work);
    pthread_cond_destroy(&worker->read);
    pthread_mutex_destroy(&worker->mutex);
    close(worker->wakeup[0]);
    close(worker->wakeup[1]);
    free(worker->room);
    free(worker);
}

void luck_worker_put(struct luck_worker *worker, const struct luck_piece *piece) {
    struct job *job = alloc_zeroed(1, sizeof *job + piece->length);
    job->piece = *piece;
    job->piece.text = job->text;
    memcpy(job->text, piece->text, piece->length);
    pthread_mutex_lock(&worker->mutex);
    if (worker->last != NULL) {
        worker->last->next = job;
    } else {
        worker->first = job;
    }
    worker->last = job;
    worker->bytes += piece->length;
    worker->pending++;
    pthread_cond_signal(&worker->work);
    pthread_mutex_unlock(&worker->mutex);
}

bool luck_worker_is_full(struct luck_worker *worker, uint64_t pieces) {
    pthread_mutex_lock(&worker->mutex);
    bool full = worker->bytes > QUEUE_BYTES || worker->pending > pieces;
    pthread_mutex_unlock(&worker->mutex);
    return full;
}

int luck_worker_fd(const struct luck_worker *worker) {
    return worker->wakeup[0];
}

bool luck_worker_take(struct luck_worker *worker, struct luck_found *out) {
    char rung[64];
    pthread_mutex_lock(&worker->mutex);
    struct finding *finding = worker->found_first;
    if (finding != NULL) {
        worker->found_first = finding->next;
        worker->found_last = worker->found_first != NULL ? worker->found_last : NULL;
    }
    pthread_mutex_unlock(&worker->mutex);
    while (read(worker->wakeup[0], rung, sizeof rung) > 0) {
    }
    if (finding == NULL) {
        return false;
    }
    *out = finding->found;
    free(finding);
    return true;
}

bool luck_worker_is_idle(struct luck_worker *worker) {
    pthread_mutex_lock(&worker->mutex);
    bool idle = worker->pending == 0 && worker->found_first == NULL;
    pthread_mutex_unlock(&worker->mutex);
    return idle;
}

void luck_worker_wait(struct luck_worker *worker) {
    pthread_mutex_lock(&worker->mutex);
    uint64_t before = worker->pending;
    while (worker->pending > 0 && worker->pending == before) {
        pthread_cond_wait(&worker->read, &worker->mutex);
    }
    pthread_mutex_unlock(&worker->mutex);
}
