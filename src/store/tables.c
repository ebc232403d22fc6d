#include "store/tables.h"

#include "base/alloc.h"
#include "base/lang.h"

#include <limits.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What the columns mean is said in arena/row.h; sides are 0 (X), 1 (Y), -1 (none). The
 * primary keys are why nothing can be recorded twice. */
static const char schema[] =
    "CREATE TABLE event(one INTEGER PRIMARY KEY CHECK(one = 1), id TEXT NOT NULL,"
    " json TEXT NOT NULL, date TEXT NOT NULL, master BLOB NOT NULL,"
    " public_key BLOB NOT NULL, secret_key BLOB NOT NULL) STRICT;"
    "CREATE TABLE drawn(unit INTEGER PRIMARY KEY CHECK(unit > 0), x TEXT NOT NULL,"
    " y TEXT NOT NULL) STRICT;"
    "CREATE TABLE unit(unit INTEGER PRIMARY KEY CHECK(unit > 0)) STRICT;"
    "CREATE TABLE game(unit INTEGER NOT NULL REFERENCES unit, leg INTEGER NOT NULL,"
    " game INTEGER NOT NULL, attempt INTEGER NOT NULL, winner INTEGER NOT NULL,"
    " kind INTEGER NOT NULL, half_points INTEGER NOT NULL, offender INTEGER NOT NULL,"
    " starter INTEGER NOT NULL, plies INTEGER NOT NULL, x_turns INTEGER NOT NULL,"
    " y_turns INTEGER NOT NULL, x_ms INTEGER NOT NULL, y_ms INTEGER NOT NULL,"
    " reason TEXT NOT NULL, PRIMARY KEY(unit, leg, game, attempt)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE match(unit INTEGER NOT NULL REFERENCES unit, leg INTEGER NOT NULL,"
    " x_entrant INTEGER NOT NULL, y_entrant INTEGER NOT NULL, winner INTEGER NOT NULL,"
    " x_score INTEGER NOT NULL, y_score INTEGER NOT NULL, games INTEGER NOT NULL,"
    " offender INTEGER NOT NULL, reason TEXT NOT NULL, head BLOB NOT NULL,"
    " PRIMARY KEY(unit, leg)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE piece(unit INTEGER NOT NULL REFERENCES unit, leg INTEGER NOT NULL,"
    " part INTEGER NOT NULL, game INTEGER NOT NULL, attempt INTEGER NOT NULL,"
    " text BLOB NOT NULL, PRIMARY KEY(unit, leg, part, game, attempt)) STRICT;"
    "CREATE TABLE rest(one INTEGER PRIMARY KEY CHECK(one = 1)) STRICT;";

static const char sql_begin[] = "BEGIN IMMEDIATE";
static const char sql_commit[] = "COMMIT";
static const char sql_put_event[] = "INSERT INTO event VALUES(1,?,?,?,?,?,?)";
static const char sql_put_drawn[] = "INSERT INTO drawn VALUES(?,?,?)";
static const char sql_drawn[] = "SELECT unit, x, y FROM drawn ORDER BY unit";
static const char sql_put_start[] = "INSERT INTO unit VALUES(?) ON CONFLICT DO NOTHING";
static const char sql_put_game[] = "INSERT INTO game VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
static const char sql_put_match[] = "INSERT INTO match VALUES(?,?,?,?,?,?,?,?,?,?,?)";
static const char sql_put_piece[] = "INSERT INTO piece VALUES(?,?,?,?,?,?)";
static const char sql_add_piece[] =
    "INSERT INTO piece VALUES(?,?,?,?,?,?) ON CONFLICT DO UPDATE"
    " SET text = CAST(text || excluded.text AS BLOB)";
static const char sql_put_rest[] = "INSERT INTO rest VALUES(1) ON CONFLICT DO NOTHING";
static const char sql_put_wake[] = "DELETE FROM rest";
static const char sql_rest[] = "SELECT one FROM rest";
static const char sql_event[] = "SELECT id, json, date, master, public_key, secret_key FROM event";
static const char sql_starts[] = "SELECT unit FROM unit ORDER BY unit";
static const char sql_games[] = "SELECT * FROM game ORDER BY unit, leg, game, attempt";
static const char sql_matches[] = "SELECT * FROM match ORDER BY unit, leg";
static const char sql_unsealed[] =
    "SELECT unit, leg FROM match AS m WHERE NOT EXISTS (SELECT 1 FROM piece AS p"
    " WHERE p.unit = m.unit AND p.leg = m.leg AND p.part = ?) ORDER BY unit, leg";
static const char sql_pieces[] =
    "SELECT text FROM piece WHERE unit = ? AND leg = ? ORDER BY part, game, attempt";

int tables_begin(struct db *db, struct fail *fail) {
    return db_run(db, sql_begin, NULL, 0, fail);
}

int tables_commit(struct db *db, struct fail *fail) {
    return db_run(db, sql_commit, NULL, 0, fail);
}

int tables_put_start(struct db *db, uint32_t unit, struct fail *fail) {
    const struct value value = value_number(unit);
    return db_run(db, sql_put_start, &value, 1, fail);
}

int tables_put_drawn(struct db *db, uint32_t unit, const char *x, const char *y,
                     struct fail *fail) {
    const struct value values[] = {value_number(unit), value_text(x), value_text(y)};
    return db_run(db, sql_put_drawn, values, COUNT(values), fail);
}

int tables_put_rest(struct db *db, bool rests, struct fail *fail) {
    return db_run(db, rests ? sql_put_rest : sql_put_wake, NULL, 0, fail);
}

int tables_put_game(struct db *db, const struct game_row *row, struct fail *fail) {
    const struct value values[] = {
        value_number(row->unit),
        value_number(row->leg),
        value_number(row->game),
        value_number(row->attempt),
        value_number(row->winner),
        value_number(row->kind),
        value_number(row->half_points),
        value_number(row->offender),
        value_number(row->starter),
        value_number(row->plies),
        value_number(row->turns[SIDE_X]),
        value_number(row->turns[SIDE_Y]),
        value_number(row->ms[SIDE_X]),
        value_number(row->ms[SIDE_Y]),
        value_text(reason_name(row->reason)),
    };
    return db_run(db, sql_put_game, values, COUNT(values), fail);
}

int tables_put_match(struct db *db, const struct match_row *row, struct fail *fail) {
    const struct value values[] = {
        value_number(row->unit),
        value_number(row->leg),
        value_number(row->entrant[SIDE_X]),
        value_number(row->entrant[SIDE_Y]),
        value_number(row->winner),
        value_number(row->score[SIDE_X]),
        value_number(row->score[SIDE_Y]),
        value_number(row->games),
        value_number(row->offender),
        value_text(reason_name(row->reason)),
        value_blob(row->head.byte, sizeof row->head.byte),
    };
    return db_run(db, sql_put_match, values, COUNT(values), fail);
}

static int run_piece(struct db *db, const char *sql, const struct piece *piece,
                     struct fail *fail) {
    const struct value values[] = {
        value_number(piece->unit),    value_number(piece->leg),
        value_number(piece->part),    value_number(piece->game),
        value_number(piece->attempt), value_blob(piece->text, piece->length),
    };
    return db_run(db, sql, values, COUNT(values), fail);
}

int tables_put_piece(struct db *db, const struct piece *piece, struct fail *fail) {
    return run_piece(db, sql_put_piece, piece, fail);
}

int tables_add_piece(struct db *db, const struct piece *piece, struct fail *fail) {
    return run_piece(db, sql_add_piece, piece, fail);
}

int tables_create(const char *path, const struct store_event *event, struct fail *fail) {
    const struct value values[] = {
        value_text(event->id),
        value_text(event->json),
        value_text(event->date),
        value_blob(event->master.byte, sizeof event->master.byte),
        value_blob(event->key.public_key, sizeof event->key.public_key),
        value_blob(event->key.secret_key, sizeof event->key.secret_key),
    };
    struct db *db;
    if (db_make(path, schema, &db, fail) != 0) {
        return -1;
    }
    int status = db_run(db, sql_put_event, values, COUNT(values), fail);
    struct fail later;
    if (db_close(db, &later) != 0 && status == 0) {
        *fail = later;
        status = -1;
    }
    return status;
}

static bool copy_blob(const struct row *row, int column, void *to, size_t size) {
    size_t length;
    const void *blob = row_blob(row, column, &length);
    if (blob == NULL || length != size) {
        return false;
    }
    memcpy(to, blob, size);
    return true;
}

static bool copy_text(const struct row *row, int column, char *to, size_t room) {
    const char *text = row_text(row, column);
    if (text == NULL || strlen(text) >= room) {
        return false;
    }
    memcpy(to, text, strlen(text) + 1);
    return true;
}

static int take_event(void *owner, const struct row *row) {
    struct store_event *event = owner;
    struct sign_key *key = &event->key;
    const char *json = row_text(row, 1);
    bool good = copy_text(row, 0, event->id, sizeof event->id) && json != NULL &&
                copy_text(row, 2, event->date, sizeof event->date) &&
                copy_blob(row, 3, event->master.byte, sizeof event->master.byte) &&
                copy_blob(row, 4, key->public_key, sizeof key->public_key) &&
                copy_blob(row, 5, key->secret_key, sizeof key->secret_key);
    if (good) {
        event->json = alloc_text(json, strlen(json));
    }
    return good ? 0 : -1;
}

int tables_read_event(struct db *db, struct store_event *event, struct fail *fail) {
    int64_t rows = db_each(db, sql_event, NULL, 0, take_event, event, fail);
    if (rows == 0) {
        return fail_set(fail, EXIT_CODE_IO, _("the store holds no event: start a new one"));
    }
    return rows > 0 ? 0 : -1;
}

static int take_rest(void *owner, const struct row *row) {
    bool *rests = owner;
    *rests = row_number(row, 0) == 1;
    return 0;
}

int tables_read_rest(struct db *db, bool *rests, struct fail *fail) {
    *rests = false;
    return db_each(db, sql_rest, NULL, 0, take_rest, rests, fail) < 0 ? -1 : 0;
}

/* What a number of a row may be. */
enum range { RANGE_COUNT, RANGE_SIDE };

/* The first columns of a row as numbers; false when one cannot be. */
static bool take_numbers(const struct row *row, const enum range *ranges, int count, int *numbers) {
    for (int column = 0; column < count; column++) {
        int64_t number = row_number(row, column);
        bool side = ranges[column] == RANGE_SIDE;
        if (number < (side ? -1 : 0) || number > (side ? SIDE_Y : INT_MAX)) {
            return false;
        }
        numbers[column] = (int)number;
    }
    return true;
}

static bool take_reason(const struct row *row, int column, enum reason *reason) {
    const char *word = row_text(row, column);
    int found = word != NULL ? reason_find(word) : -1;
    *reason = found >= 0 ? (enum reason)found : REASON_ABORTED;
    return found >= 0;
}

static int take_start(void *owner, const struct row *row) {
    const struct store_visitor *visitor = owner;
    static const enum range ranges[] = {RANGE_COUNT};
    int unit;
    if (!take_numbers(row, ranges, 1, &unit)) {
        return -1;
    }
    if (visitor->start != NULL) {
        visitor->start(visitor->owner, (uint32_t)unit);
    }
    return 0;
}

static int take_game(void *owner, const struct row *row) {
    const struct store_visitor *visitor = owner;
    static const enum range ranges[12] = {[4] = RANGE_SIDE, [7] = RANGE_SIDE, [8] = RANGE_SIDE};
    int n[COUNT(ranges)];
    struct game_row game;
    if (!take_numbers(row, ranges, COUNT(ranges), n) || !take_reason(row, 14, &game.reason)) {
        return -1;
    }
    game.unit = (uint32_t)n[0];
    game.leg = n[1];
    game.game = n[2];
    game.attempt = n[3];
    game.winner = n[4];
    game.kind = n[5];
    game.half_points = n[6];
    game.offender = n[7];
    game.starter = n[8];
    game.plies = n[9];
    game.turns[SIDE_X] = n[10];
    game.turns[SIDE_Y] = n[11];
    game.ms[SIDE_X] = row_number(row, 12);
    game.ms[SIDE_Y] = row_number(row, 13);
    if (visitor->game != NULL) {
        visitor->game(visitor->owner, &game);
    }
    return 0;
}

static int take_match(void *owner, const struct row *row) {
    const struct store_visitor *visitor = owner;
    static const enum range ranges[9] = {[4] = RANGE_SIDE, [8] = RANGE_SIDE};
    int n[COUNT(ranges)];
    struct match_row match;
    if (!take_numbers(row, ranges, COUNT(ranges), n) || !take_reason(row, 9, &match.reason) ||
        !copy_blob(row, 10, match.head.byte, sizeof match.head.byte)) {
        return -1;
    }
    match.unit = (uint32_t)n[0];
    match.leg = n[1];
    match.entrant[SIDE_X] = n[2];
    match.entrant[SIDE_Y] = n[3];
    match.winner = n[4];
    match.score[SIDE_X] = n[5];
    match.score[SIDE_Y] = n[6];
    match.games = n[7];
    match.offender = n[8];
    if (visitor->match != NULL) {
        visitor->match(visitor->owner, &match);
    }
    return 0;
}

static int take_unsealed(void *owner, const struct row *row) {
    const struct store_visitor *visitor = owner;
    static const enum range ranges[] = {RANGE_COUNT, RANGE_COUNT};
    int n[COUNT(ranges)];
    if (!take_numbers(row, ranges, COUNT(ranges), n)) {
        return -1;
    }
    visitor->unsealed(visitor->owner, (uint32_t)n[0], n[1]);
    return 0;
}

int tables_visit(struct db *db, const struct store_visitor *visitor, struct fail *fail) {
    struct store_visitor copy = *visitor;
    if (db_each(db, sql_starts, NULL, 0, take_start, &copy, fail) < 0 ||
        db_each(db, sql_games, NULL, 0, take_game, &copy, fail) < 0 ||
        db_each(db, sql_matches, NULL, 0, take_match, &copy, fail) < 0) {
        return -1;
    }
    const struct value seal = value_number(PIECE_SEAL);
    if (visitor->unsealed != NULL &&
        db_each(db, sql_unsealed, &seal, 1, take_unsealed, &copy, fail) < 0) {
        return -1;
    }
    return 0;
}

/* What a visit of the drawn matches finds. */
struct drawing {
    void *owner;
    int (*take)(void *owner, const char *x, const char *y);
    int64_t last; /* unit: each is one more than that before */
};

static int take_drawn(void *owner, const struct row *row) {
    struct drawing *drawing = owner;
    const char *x = row_text(row, 1);
    const char *y = row_text(row, 2);
    bool good = row_number(row, 0) == ++drawing->last && x != NULL && y != NULL;
    return good ? drawing->take(drawing->owner, x, y) : -1;
}

int tables_drawn(struct db *db, int (*take)(void *owner, const char *x, const char *y),
                 void *owner, struct fail *fail) {
    struct drawing drawing = {owner, take, 0};
    return db_each(db, sql_drawn, NULL, 0, take_drawn, &drawing, fail) < 0 ? -1 : 0;
}

static int take_piece(void *owner, const struct row *row) {
    struct bytes *out = owner;
    size_t size;
    const void *text = row_blob(row, 0, &size);
    if (text != NULL) {
        bytes_add(out, text, size);
    }
    return 0;
}

int tables_record(struct db *db, uint32_t unit, int leg, struct bytes *out, struct fail *fail) {
    const struct value values[] = {value_number(unit), value_number(leg)};
    int64_t rows = db_each(db, sql_pieces, values, COUNT(values), take_piece, out, fail);
    if (rows >= 0 && out->full) {
        return fail_set(fail, EXIT_CODE_IO, _("the record of unit %u, leg %d is too large"),
                        (unsigned)unit, leg);
    }
    return rows > 0 ? 1 : (int)rows;
}
