/* Reports: a tournament as text for people, as JSON lines or as CSV for
 * programs. The running program answers with them over STORE/hakem.sock, and
 * `hakem show` writes them itself from a store that nobody holds. */
#ifndef HAKEM_ARENA_REPORT_H
#define HAKEM_ARENA_REPORT_H

#include "arena/ranking.h"
#include "arena/tournament.h"
#include "base/bytes.h"

enum {
    REPORT_MAX = 64 << 20,
    REPORT_REQUEST_MAX = 64,
    REPORT_WIDTH = 80
};

enum report_format { REPORT_TEXT, REPORT_JSONL, REPORT_CSV };

enum report_state { REPORT_RUNNING, REPORT_FINISHED, REPORT_INTERRUPTED };

struct fortune;

/* What is to be shown, and to whom. */
struct report_view {
    const struct event *event;
    const struct tournament *tournament;
    enum report_state state;
    enum report_format format;
    const struct fortune *fortune; /* the luck of its games; NULL: it goes without */
    bool turkish;                /* language of REPORT_TEXT */
    int width;                   /* its characters a line, 0: REPORT_WIDTH */
};

/* Renders the whole report. */
void report_render(const struct report_view *view, struct bytes *out);

/* Renders the Elo table alone, as text: the narrower, the fewer columns. */
void report_elo_table(const struct report_view *view, struct bytes *out);

/* The format of that name, -1 for no such name. */
int report_format_find(const char *name);

/* The request line `show FORMAT LANGUAGE` without its LF, as the socket has it. */
void report_write_request(enum report_format format, bool turkish, char out[REPORT_REQUEST_MAX]);

/* Reads such a line into format and language of the view; false when it is none. */
bool report_read_request(const char *line, size_t length, struct report_view *view);

/* The word of a state: "running", "finished", "interrupted". */
const char *report_state_name(enum report_state state);

/* The part of report_render in report_data.c. */
void report_csv(const struct report_view *view, const struct ranking *ranking, struct bytes *out);

#endif
