/* The engine: one connection to one database file, used by one thread at a time.
 * Only sqlite.c knows that it is SQLite. What can fail gives 0, or -1 with one line. */
#ifndef HAKEM_STORE_SQLITE_H
#define HAKEM_STORE_SQLITE_H

#include "base/fail.h"

#include <stddef.h>
#include <stdint.h>

enum { DB_FORMAT = 2 }; /* version of the tables that this program reads and writes */

struct db;
struct row; /* the row a query stands at */

/* A value to be bound; what it points to is not copied. */
struct value {
    enum { VALUE_NUMBER, VALUE_TEXT, VALUE_BLOB } type;
    int64_t number;
    const void *data;
    size_t size;
};

struct value value_number(int64_t number);
struct value value_text(const char *text);
struct value value_blob(const void *data, size_t size);

/* Makes the tables in an empty file. */
int db_make(const char *path, const char *schema, struct db **out, struct fail *fail)
    __attribute__((warn_unused_result));

/* Opens a file for this process alone. After a crash it is checked first. */
int db_open(const char *path, struct db **out, struct fail *fail)
    __attribute__((warn_unused_result));

/* Closes and frees. */
int db_close(struct db *db, struct fail *fail) __attribute__((warn_unused_result));

/* Runs a statement that gives no rows. Its text, a constant, is prepared once. */
int db_run(struct db *db, const char *sql, const struct value *values, size_t count,
           struct fail *fail) __attribute__((warn_unused_result));

/* Calls `take` with each row of a query; with -1 it says that the row cannot be, and
 * the file is refused as damaged. Returns the number of rows, or -1. */
int64_t db_each(struct db *db, const char *sql, const struct value *values, size_t count,
                int (*take)(void *owner, const struct row *row), void *owner, struct fail *fail)
    __attribute__((warn_unused_result));

/* Columns of a row; pointers live until `take` returns. */
int64_t row_number(const struct row *row, int column);
const char *row_text(const struct row *row, int column); /* NULL: no text */
const void *row_blob(const struct row *row, int column, size_t *size);

#endif
