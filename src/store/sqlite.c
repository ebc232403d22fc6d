#include "store/sqlite.h"

#include "base/alloc.h"
#include "base/lang.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    APPLICATION_ID = 0x484B454D, /* "HKEM" */
    STATEMENTS_MAX = 16
};

struct statement {
    const char *sql;
    sqlite3_stmt *prepared;
};

struct db {
    sqlite3 *handle;
    char *path;
    struct statement statement[STATEMENTS_MAX]; /* as they were first used */
};

struct row {
    sqlite3_stmt *statement;
};

struct value value_number(int64_t number) {
    return (struct value){.type = VALUE_NUMBER, .number = number};
}

struct value value_text(const char *text) {
    return (struct value){.type = VALUE_TEXT, .data = text, .size = strlen(text)};
}

struct value value_blob(const void *data, size_t size) {
    return (struct value){.type = VALUE_BLOB, .data = data, .size = size};
}

/* One line for what SQLite said last, with the exit code it deserves. */
static int refuse(const struct db *db, struct fail *fail) {
    int code = sqlite3_errcode(db->handle) & 0xFF;
    const char *said = sqlite3_errmsg(db->handle);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
        return fail_set(fail, EXIT_CODE_BUSY, _("%s is open in another program: close that first"),
                        db->path);
    }
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) {
        return fail_set(fail, EXIT_CODE_IO,
                        _("%s is damaged (%s): restore a copy, or start a new store"), db->path,
                        said);
    }
    if (code == SQLITE_FULL) {
        return fail_set(fail, EXIT_CODE_IO,
                        _("the disk of %s is full: make room, then give the same command again"),
                        db->path);
    }
    return fail_set(fail, EXIT_CODE_IO, _("%s: the disk or the database failed: %s"), db->path,
                    said);
}

static int execute(struct db *db, const char *sql, struct fail *fail) {
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : refuse(db, fail);
}

static sqlite3_stmt *prepare(struct db *db, const char *sql, struct fail *fail) {
    struct statement *statement = db->statement;
    while (statement->sql != NULL && statement->sql != sql) {
        statement++;
        if (statement == db->statement + STATEMENTS_MAX) {
            fail_fatal("more than %d statements", STATEMENTS_MAX);
        }
    }
    if (statement->sql == NULL) {
        if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement->prepared,
                               NULL) != SQLITE_OK) {
            refuse(db, fail);
            return NULL;
        }
        statement->sql = sql;
    }
    return statement->prepared;
}

static int bind_value(sqlite3_stmt *statement, int column, const struct value *value) {
    switch (value->type) {
    case VALUE_NUMBER:
        return sqlite3_bind_int64(statement, column, value->number);
    case VALUE_TEXT:
        return sqlite3_bind_text64(statement, column, value->data, value->size, SQLITE_STATIC,
                                   SQLITE_UTF8);
    case VALUE_BLOB:
        return sqlite3_bind_blob64(statement, column, value->data, value->size, SQLITE_STATIC);
    }
    return SQLITE_MISUSE;
}

/* A statement with its values, ready to step; NULL when that failed. */
static sqlite3_stmt *ready(struct db *db, const char *sql, const struct value *values, size_t count,
                           struct fail *fail) {
    sqlite3_stmt *statement = prepare(db, sql, fail);
    for (size_t i = 0; i < count && statement != NULL; i++) {
        if (bind_value(statement, (int)i + 1, &values[i]) != SQLITE_OK) {
            refuse(db, fail);
            return NULL;
        }
    }
    return statement;
}

static void finish(sqlite3_stmt *statement) {
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
}

int db_run(struct db *db, const char *sql, const struct value *values, size_t count,
           struct fail *fail) {
    sqlite3_stmt *statement = ready(db, sql, values, count, fail);
    if (statement == NULL) {
        return -1;
    }
    int status = sqlite3_step(statement) == SQLITE_DONE ? 0 : refuse(db, fail);
    finish(statement);
    return status;
}

int64_t db_each(struct db *db, const char *sql, const struct value *values, size_t count,
                int (*take)(void *owner, const struct row *row), void *owner, struct fail *fail) {
    struct row row = {.statement = ready(db, sql, values, count, fail)};
    if (row.statement == NULL) {
        return -1;
    }
    int64_t rows = 0;
    int code = sqlite3_step(row.statement);
    while (code == SQLITE_ROW && rows >= 0) {
        rows++;
        if (take(owner, &row) != 0) {
            rows = fail_set(fail, EXIT_CODE_IO,
                            _("%s is damaged (%s): restore a copy, or start a new store"), db->path,
                            sql);
        } else {
            code = sqlite3_step(row.statement);
        }
    }
    if (rows >= 0 && code != SQLITE_DONE) {
        rows = refuse(db, fail);
    }
    finish(row.statement);
    return rows;
}

int64_t row_number(const struct row *row, int column) {
    return sqlite3_column_int64(row->statement, column);
}

const char *row_text(const struct row *row, int column) {
    return (const char *)sqlite3_column_text(row->statement, column);
}

const void *row_blob(const struct row *row, int column, size_t *size) {
    const void *blob = sqlite3_column_blob(row->statement, column);
    *size = (size_t)sqlite3_column_bytes(row->statement, column);
    return blob;
}

int db_close(struct db *db, struct fail *fail) {
    for (int i = 0; i < STATEMENTS_MAX; i++) {
        sqlite3_finalize(db->statement[i].prepared);
    }
    int status = sqlite3_close(db->handle) == SQLITE_OK ? 0 : refuse(db, fail);
    free(db->path);
    free(db);
    return status;
}

/* Closes after a failure that is already told. */
static int give_up(struct db *db) {
    struct fail ignored;
    (void)!db_close(db, &ignored);
    return -1;
}

/* A connection with nothing settled yet; NULL when it failed. */
static struct db *connect_file(const char *path, struct fail *fail) {
    struct db *db = alloc_zeroed(1, sizeof *db);
    db->path = alloc_text(path, strlen(path));
    if (sqlite3_open_v2(path, &db->handle, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        refuse(db, fail);
        give_up(db);
        return NULL;
    }
    return db;
}

int db_make(const char *path, const char *schema, struct db **out, struct fail *fail) {
    struct db *db = connect_file(path, fail);
    if (db == NULL) {
        return -1;
    }
    char marks[128];
    snprintf(marks, sizeof marks, "PRAGMA application_id=%d; PRAGMA user_version=%d",
             APPLICATION_ID, DB_FORMAT);
    static const char begin[] = "PRAGMA page_size=16384; PRAGMA synchronous=FULL; BEGIN";
    if (execute(db, begin, fail) != 0 || execute(db, marks, fail) != 0 ||
        execute(db, schema, fail) != 0 || execute(db, "COMMIT", fail) != 0) {
        return give_up(db);
    }
    *out = db;
    return 0;
}

/* Whether writes of an earlier process wait in the log beside the database: it did
 * not come to its end. */
static bool was_cut_short(const char *path) {
    char *log = alloc_print("%s-wal", path);
    struct stat status;
    bool cut = stat(log, &status) == 0 && status.st_size > 0;
    free(log);
    return cut;
}

/* The first column of the first row of a query, as a number or `absent`. */
static int64_t ask(struct db *db, const char *sql, int64_t absent) {
    sqlite3_stmt *statement = NULL;
    int64_t answer = absent;
    if (sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        answer = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return answer;
}

/* Ours, of this version, and after a crash without damage. */
static int inspect(struct db *db, bool crashed, struct fail *fail) {
    int64_t application = ask(db, "PRAGMA application_id", -1);
    int code = sqlite3_errcode(db->handle) & 0xFF;
    if (application < 0 && code != SQLITE_NOTADB) {
        return refuse(db, fail);
    }
    if (application != APPLICATION_ID) {
        return fail_set(fail, EXIT_CODE_USAGE, _("%s is not a store of hakem"), db->path);
    }
    int64_t version = ask(db, "PRAGMA user_version", -1);
    if (version != DB_FORMAT) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("%s is a store of format %d, this hakem reads format %d: use the "
                          "version that made it"),
                        db->path, (int)version, DB_FORMAT);
    }
    if (crashed && ask(db, "SELECT quick_check = 'ok' FROM pragma_quick_check", 0) != 1) {
        return fail_set(fail, EXIT_CODE_IO,
                        _("%s was damaged when hakem was cut short: restore a copy, or start a "
                          "new store"),
                        db->path);
    }
    return 0;
}

int db_open(const char *path, struct db **out, struct fail *fail) {
    static const char settings[] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                                   " PRAGMA wal_autocheckpoint=250; PRAGMA foreign_keys=ON;"
                                   " PRAGMA trusted_schema=OFF; PRAGMA mmap_size=0;"
                                   " BEGIN IMMEDIATE; COMMIT";
    bool crashed = was_cut_short(path);
    struct db *db = connect_file(path, fail);
    if (db == NULL) {
        return -1;
    }
    /* The lock must be exclusive before the log is first touched: then nothing is shared. */
    if (execute(db, "PRAGMA locking_mode=EXCLUSIVE", fail) != 0 ||
        inspect(db, crashed, fail) != 0 || execute(db, settings, fail) != 0) {
        return give_up(db);
    }
    *out = db;
    return 0;
}
