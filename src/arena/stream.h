/* The event stream: what becomes of an event as JSON lines for programs, one fact a line
 * (protocol/events/). `hakem duel` and `run` write it as they go, `hakem show` writes what
 * there is: the same lines without those of single games and matches. */
#ifndef HAKEM_ARENA_STREAM_H
#define HAKEM_ARENA_STREAM_H

#include "arena/report.h"

enum {
    STREAM_VERSION = 1,
    STREAM_LINE_MAX = 1 << 16,
    STREAM_PATIENCE = 10000,   /* ms without an end of a match, beside the time of so many, */
    STREAM_PATIENT_MATCHES = 5 /* after which nobody knows when it goes on */
};

struct fortune_game;
struct luck_game;

/* What a side did wrong, as its record has it. */
struct fault_row {
    uint32_t unit;
    int leg;
    int game; /* 0: between two games */
    int ply;
    enum side side;
    const char *code, *dice, *got, *why; /* words of the record's line; "" where it has none */
    int64_t ms;                          /* -1: none */
};

/* How fast it goes, from when this process began. */
struct tempo {
    int64_t ms;
    int64_t last;            /* of them to when the last match ended */
    uint64_t matches, games; /* finished in that time */
};

/* Ms until the rest is played, as it has gone so far; -1 when that cannot be said: nothing has
 * ended yet, or nothing ends any more, as when a bot is waited for. */
int64_t tempo_left(const struct tempo *tempo, const struct tournament *tournament);

/* The first line: which stream this is. */
void stream_begin(const char *command, struct bytes *out);

/* What is played; `folder` is that of its store, NULL where that is not told. */
void stream_event(const struct report_view *view, const char *folder, struct bytes *out);

/* Where a daemon listens (NULL: nowhere), and the folder of its stores. */
void stream_listen(const char *where, const char *folder, struct bytes *out);

/* A match begins: its players sit down. */
void stream_start(const struct event *event, uint32_t unit, int leg, struct bytes *out);

/* A game, a fault, a match, each once it is on disk. */
void stream_game(const struct event *event, const struct game_row *row, struct bytes *out);
void stream_fault(const struct event *event, const struct fault_row *row, struct bytes *out);
void stream_match(const struct event *event, const struct tournament *shown,
                  const struct match_row *row, struct bytes *out);

/* What the luck of the dice is taken off by: before anything is played. */
void stream_evaluator(const struct report_view *view, struct bytes *out);

/* The luck of a game, once it is known; its figures and the end of the line alone. */
void stream_luck(const struct event *event, const struct fortune_game *game, struct bytes *out);
void stream_luck_figures(const struct luck_game *game, struct bytes *out);

/* How far it is; with a tempo how fast. */
void stream_progress(const struct report_view *view, const struct tempo *tempo,
                     struct bytes *out);

/* The tables, a line for each bot and for each two of them. */
void stream_tables(const struct report_view *view, const struct ranking *ranking,
                   struct bytes *out);

/* The last line. */
void stream_end(const struct report_view *view, struct bytes *out);

#endif
