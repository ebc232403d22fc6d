#include "store/queue.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORD_MAX = 256 << 20 /* bytes of one that is asked for */ };

struct put *put_new(enum put_kind kind, uint32_t unit, int leg, const char *text, size_t length) {
    struct put *put = alloc_zeroed(1, sizeof *put + length);
    put->kind = kind;
    put->unit = unit;
    put->leg = leg;
    put->length = length;
    if (length > 0) {
        memcpy(put->text, text, length);
    }
    return put;
}

void put_queue_add(struct put_queue *queue, struct put *put) {
    if (queue->last == NULL) {
        queue->first = put;
    } else {
        queue->last->next = put;
    }
    queue->last = put;
    queue->bytes += sizeof *put + put->length;
}

void put_queue_join(struct put_queue *queue, struct put_queue *from) {
    while (from->first != NULL) {
        struct put *put = from->first;
        from->first = put->next;
        put->next = NULL;
        put_queue_add(queue, put);
    }
    *from = (struct put_queue){.first = NULL};
}

void put_free_all(struct put *put) {
    while (put != NULL) {
        struct put *next = put->next;
        free(put);
        put = next;
    }
}

static int write_piece(const struct put *put, enum piece_part part, struct db *db,
                       struct fail *fail) {
    if (put->length == 0) {
        return 0;
    }
    struct piece piece = {
        .unit = put->unit, .leg = put->leg, .part = part, .text = put->text, .length = put->length};
    if (part == PIECE_GAME) {
        piece.game = put->row.game.game;
        piece.attempt = put->row.game.attempt;
    }
    return tables_put_piece(db, &piece, fail);
}

/* It stands before the first game: behind the voids that stand there too. */
static int write_mix(const struct put *put, struct db *db, struct fail *fail) {
    int attempt = put->row.game.attempt;
    struct piece piece = {.unit = put->unit,
                          .leg = put->leg,
                          .part = PIECE_GAME,
                          .game = attempt > 0 ? 1 : 0,
                          .attempt = attempt > 0 ? attempt - 1 : 0,
                          .text = put->text,
                          .length = put->length};
    return tables_add_piece(db, &piece, fail);
}

static int answer(const struct put *put, struct db *db, struct put_queue *answers,
                  struct fail *fail) {
    struct bytes text;
    bytes_init(&text, RECORD_MAX);
    int status = tables_record(db, put->unit, put->leg, &text, fail);
    if (status >= 0) {
        struct put *said = put_new(PUT_ASK, put->unit, put->leg, text.data, text.length);
        said->row.tag = put->row.tag;
        put_queue_add(answers, said);
    }
    bytes_clear(&text);
    return status < 0 ? -1 : 0;
}

int put_write(const struct put *put, struct db *db, struct put_queue *answers, struct fail *fail) {
    switch (put->kind) {
    case PUT_DRAWN: /* two texts, each with its NUL */
        return tables_put_drawn(db, put->unit, put->text, put->text + strlen(put->text) + 1, fail);
    case PUT_START:
        return tables_put_start(db, put->unit, fail);
    case PUT_MIX:
        return write_mix(put, db, fail);
    case PUT_GAME:
        if (tables_put_game(db, &put->row.game, fail) != 0) {
            return -1;
        }
        return write_piece(put, PIECE_GAME, db, fail);
    case PUT_MATCH:
        if (tables_put_match(db, &put->row.match, fail) != 0) {
            return -1;
        }
        return write_piece(put, PIECE_END, db, fail);
    case PUT_SEAL:
        return write_piece(put, PIECE_SEAL, db, fail);
    case PUT_REST:
        return tables_put_rest(db, true, fail);
    case PUT_WAKE:
        return tables_put_rest(db, false, fail);
    case PUT_ASK:
        return answer(put, db, answers, fail);
    }
    return 0;
}

int bell_make(int pair[2], struct fail *fail) {
    if (system_pipe(pair, false) != 0) {
        return fail_set(fail, EXIT_CODE_IO, _("no pipe for the store: %s"), strerror(errno));
    }
    return 0;
}

void bell_ring(const int pipe_ends[2], char byte) {
    while (write(pipe_ends[1], &byte, 1) < 0 && errno == EINTR) {
    }
}

bool bell_await(const int pipe_ends[2], int ms) {
    struct pollfd bell = {.fd = pipe_ends[0], .events = POLLIN};
    bool hurry = false;
    if (poll(&bell, 1, ms) > 0) {
        char rung[64];
        ssize_t size;
        while ((size = read(pipe_ends[0], rung, sizeof rung)) > 0) {
            hurry = hurry || memchr(rung, BELL_HURRY, (size_t)size) != NULL;
        }
    }
    return hurry;
}
