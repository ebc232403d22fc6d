/* The store: a folder with one event, what must survive of it, in SQLite.
 *
 * One process holds it (a second is refused). A writer of its own takes what is
 * put, many puts in one transaction, and tells when they are on disk; play never
 * waits for it, showing does. An error of the disk is fatal for the run: the
 * `failed` hook says so and nothing more is shown.
 *
 * Folder: hakem.db (the truth), hakem.sock (a running program), records/ (copies).
 */
#ifndef HAKEM_STORE_STORE_H
#define HAKEM_STORE_STORE_H

#include "arena/row.h"
#include "base/bytes.h"
#include "base/fail.h"

struct store;

/* What a store holds of its event as a whole. */
struct store_event {
    char id[EVENT_NAME_MAX];   /* event name # hash */
    char *json;                /* canonical event text (owned by the store) */
    struct hash master;        /* M */
    struct sign_key key;       /* signs its records */
    char date[32];             /* when it was made, UTC */
};

/* Whether the folder holds a store. */
bool store_exists(const char *folder);

/* Makes a new store with this event; on disk when it returns. */
int store_create(const char *folder, const struct store_event *event, struct store **out,
                 struct fail *fail) __attribute__((warn_unused_result));

/* Opens an existing one, to write or (`reading`) only to look. Fails with
 * EXIT_CODE_BUSY when another process holds it. */
int store_open(const char *folder, bool reading, struct store **out, struct fail *fail)
    __attribute__((warn_unused_result));

/* Whether what was opened is still what lies in the folder; -1 when somebody has removed
 * or replaced it. */
int store_check(const struct store *store, struct fail *fail) __attribute__((warn_unused_result));

/* Waits for everything that was put, then closes and frees, in any case; -1 when
 * not all of it is on disk. NULL is nothing. */
int store_close(struct store *store, struct fail *fail) __attribute__((warn_unused_result));

const struct store_event *store_event(const struct store *store);

/* Calls back for every row: the starts, then the games, then the matches, each in
 * unit, leg, game, attempt order; before anything is put. */
struct store_visitor {
    void *owner;
    void (*start)(void *owner, uint32_t unit);
    void (*game)(void *owner, const struct game_row *row);
    void (*match)(void *owner, const struct match_row *row);
    /* A match that ended and whose record has no seal yet; after all the matches. */
    void (*unsealed)(void *owner, uint32_t unit, int leg);
};
int store_visit(struct store *store, const struct store_visitor *visitor, struct fail *fail)
    __attribute__((warn_unused_result));

/* Of a room's store: calls back for each drawn match in unit order, before anything is put;
 * a callback gives 0, or -1 for what cannot be. */
int store_drawn(struct store *store, int (*take)(void *owner, const char *x, const char *y),
                void *owner, struct fail *fail) __attribute__((warn_unused_result));

/* The text of a match's record so far (all pieces joined); 1 found, 0 none, -1 failed.
 * Only before anything is put, or on a store opened for reading. */
int store_record(struct store *store, uint32_t unit, int leg, struct bytes *out,
                 struct fail *fail) __attribute__((warn_unused_result));

/* Puts: queued for the writer, in order, returned at once (only with 64 MiB waiting
 * do they wait for the disk). Each gives a ticket that grows; store_durable tells
 * the highest one on disk. A unit's start comes before its games (again after a
 * restart is fine); a game, a match, a seal is put once. All from one thread. */
uint64_t store_put_start(struct store *store, uint32_t unit);
/* A room's match is drawn: the names of its bots; before the unit's start. */
uint64_t store_put_drawn(struct store *store, uint32_t unit, const char *x, const char *y);
/* A row of game 0 is no game: its piece stands before the first one, whose attempt it has. */
uint64_t store_put_game(struct store *store, const struct game_row *row, const char *record,
                        size_t length);
uint64_t store_put_match(struct store *store, const struct match_row *row, const char *record,
                         size_t length);
/* The last piece of a finished unit's record (reveal and signature). */
uint64_t store_put_seal(struct store *store, uint32_t unit, int leg, const char *record,
                        size_t length);

/* Asks for the text of a match's record, as far as it has been put. The answer is there when the
 * wakeup descriptor has become readable: store_take_answers calls back for each. */
void store_ask_record(struct store *store, uint32_t unit, int leg, uint32_t tag);
void store_take_answers(struct store *store,
                        void (*take)(void *owner, uint32_t tag, const char *text, size_t length),
                        void *owner);

/* A clean rest: nothing ran when the last process stopped, so that no throw was seen whose
 * game is not in the store. Kept as a mark, which the next process takes away, and waits
 * until that is on disk, before it lets a throw be seen. */
bool store_rests(const struct store *store); /* when it was opened */
uint64_t store_put_rest(struct store *store, bool rests);

/* Asks that everything put so far be committed now, not at the next 50 ms mark. */
void store_hurry(struct store *store);

/* Highest ticket on disk. */
uint64_t store_durable(struct store *store);

/* A descriptor that becomes readable when store_durable has grown or the disk
 * failed; drain it with store_acknowledge. */
int store_wakeup_fd(const struct store *store);

/* Drains the descriptor; -1 when the disk has failed (then the text says how). */
int store_acknowledge(struct store *store, struct fail *fail) __attribute__((warn_unused_result));

#endif
