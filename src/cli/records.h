/* Records to be looked at: a file, or the matches of a store. */
#ifndef HAKEM_CLI_RECORDS_H
#define HAKEM_CLI_RECORDS_H

#include "arena/schedule.h"
#include "base/bytes.h"
#include "base/fail.h"

enum { RECORDS_FILE_MAX = 256 << 20, RECORDS_NAME_MAX = 32 };

struct store;
struct tournament;
struct fortune;

/* A store that is open for reading, and the event it holds. */
struct records {
    struct store *store;
    struct event event;
    uint64_t matches; /* that are to be played, or were */
};

/* Reads the event of a store, and of a room's the matches that were drawn; the caller clears
 * it in any case. */
int records_read_event(struct store *store, struct event *event, struct fail *fail)
    __attribute__((warn_unused_result));

/* Refuses the folder of a daemon, which holds a store for each of its rooms and events. */
int records_check_served(const char *folder, struct fail *fail)
    __attribute__((warn_unused_result));

/* The rows of a store that is open: what was played. */
int records_load(struct store *store, struct tournament *tournament, struct fail *fail)
    __attribute__((warn_unused_result));

/* Of an event that stopped when it was decided, what was begun is all there is. */
void records_cut(const struct event *event, const struct fortune *fortune,
                 struct tournament *tournament);

/* Reads a file, or standard input for "-". */
int records_read_file(const char *path, struct bytes *out, struct fail *fail)
    __attribute__((warn_unused_result));

int records_open(const char *folder, struct records *records, struct fail *fail)
    __attribute__((warn_unused_result));
void records_close(struct records *records);

/* The record of match `number` (from 1) so far, and the name of its file without
 * the ending ("U000001-1"). 1 it is there, 0 it has not begun, -1 failed. */
int records_read(struct records *records, uint64_t number, struct bytes *out,
                 char name[RECORDS_NAME_MAX], struct fail *fail)
    __attribute__((warn_unused_result));

/* The same from the store's folder; a match that does not exist or has no record fails. */
int records_read_match(const char *folder, const char *number, struct bytes *out,
                       struct fail *fail) __attribute__((warn_unused_result));

#endif
