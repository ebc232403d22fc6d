/* The tables of a store: what an event's rows and records are as rows of a
 * database. Every function gives 0, or -1 with one line. */
#ifndef HAKEM_STORE_TABLES_H
#define HAKEM_STORE_TABLES_H

#include "store/sqlite.h"
#include "store/store.h"

/* Makes a whole new database file that holds this event, and closes it. */
int tables_create(const char *path, const struct store_event *event, struct fail *fail)
    __attribute__((warn_unused_result));

/* The event; its json is the caller's to free. */
int tables_read_event(struct db *db, struct store_event *event, struct fail *fail)
    __attribute__((warn_unused_result));

int tables_visit(struct db *db, const struct store_visitor *visitor, struct fail *fail)
    __attribute__((warn_unused_result));

/* Calls back for each drawn match in unit order; a callback that gives -1 is a bad row. */
int tables_drawn(struct db *db, int (*take)(void *owner, const char *x, const char *y),
                 void *owner, struct fail *fail) __attribute__((warn_unused_result));

/* 1 found, 0 none, -1 failed. */
int tables_record(struct db *db, uint32_t unit, int leg, struct bytes *out, struct fail *fail)
    __attribute__((warn_unused_result));

/* A transaction about the puts below; what was put without a commit is not there. */
int tables_begin(struct db *db, struct fail *fail) __attribute__((warn_unused_result));
int tables_commit(struct db *db, struct fail *fail) __attribute__((warn_unused_result));

/* Which part of a match's record a piece is; record order. */
enum piece_part { PIECE_GAME, PIECE_END, PIECE_SEAL };

struct piece {
    uint32_t unit;
    int leg;
    enum piece_part part;
    int game, attempt;           /* of PIECE_GAME, else 0 */
    const char *text;
    size_t length;
};

/* The mark of a clean rest: whether it is there; sets it or takes it away. */
int tables_read_rest(struct db *db, bool *rests, struct fail *fail)
    __attribute__((warn_unused_result));
int tables_put_rest(struct db *db, bool rests, struct fail *fail)
    __attribute__((warn_unused_result));

int tables_put_drawn(struct db *db, uint32_t unit, const char *x, const char *y,
                     struct fail *fail) __attribute__((warn_unused_result));
int tables_put_start(struct db *db, uint32_t unit, struct fail *fail)
    __attribute__((warn_unused_result));
int tables_put_game(struct db *db, const struct game_row *row, struct fail *fail)
    __attribute__((warn_unused_result));
int tables_put_match(struct db *db, const struct match_row *row, struct fail *fail)
    __attribute__((warn_unused_result));
int tables_put_piece(struct db *db, const struct piece *piece, struct fail *fail)
    __attribute__((warn_unused_result));
/* The same, behind what is there already under its numbers. */
int tables_add_piece(struct db *db, const struct piece *piece, struct fail *fail)
    __attribute__((warn_unused_result));

#endif
