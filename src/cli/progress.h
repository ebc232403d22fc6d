/* What an event that runs shows people of itself: on a terminal a table that is redrawn,
 * in a pipe a plain line now and then. Only what is on disk is shown. Programs have the
 * event stream instead (stage_stream.c). */
#ifndef HAKEM_CLI_PROGRESS_H
#define HAKEM_CLI_PROGRESS_H

#include "arena/stream.h"
#include "cli/live.h"
#include "cli/stage.h"

enum { PROGRESS_FAULTS = 3, PROGRESS_FAULT_MAX = 256, PROGRESS_LUCK_MAX = 256 };

struct progress {
    const struct stage *stage;
    struct live live;
    int64_t began;         /* ms of loop_clock */
    int64_t next;          /* when something is shown again, ms of loop_clock */
    uint64_t matches_then; /* finished when it began */
    uint64_t matches_seen; /* and when it was last looked at, */
    int64_t last;          /* with ms of loop_clock of when that grew */
    int64_t games_then;
    uint64_t luck_games;   /* games whose luck was known when `luck` was written */
    char luck[PROGRESS_LUCK_MAX]; /* the difference of two bots without it; "" */
    char fault[PROGRESS_FAULTS][PROGRESS_FAULT_MAX]; /* the last ones, the newest first */
};

/* Begins: says what is played, where it is kept and what is done already. */
void progress_begin(struct progress *progress, const struct stage *stage);

/* Shows what is due; returns in how many ms it wants to be called again. */
int64_t progress_turn(struct progress *progress);

/* Takes a drawing away, so that a line on standard error stands whole and stays; it is
 * drawn anew below. */
void progress_make_room(struct progress *progress);

/* A fault is on disk. */
void progress_fault(struct progress *progress, const struct fault_row *row);

/* The last word: the tables, where the records are, what to try next. */
void progress_end(struct progress *progress, enum report_state state);

#endif
