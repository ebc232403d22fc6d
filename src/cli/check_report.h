/* The report of `hakem check`: lines for people as the items are done, or an
 * object a line for programs (protocol/events/check.json). */
#ifndef HAKEM_CLI_CHECK_REPORT_H
#define HAKEM_CLI_CHECK_REPORT_H

#include "cli/check.h"

enum verdict_word { VERDICT_GOOD, VERDICT_BAD, VERDICT_NONE, VERDICT_COUNT };

/* What became of an item, in one variant or at all. */
struct finding {
    const struct check_item *item;
    const struct variant *variant; /* NULL: the item knows none */
    enum verdict_word verdict;
    bool left_out; /* it was not tried, as the ones before it went */
    const struct check_words *words; /* why, or what there is to say */
    const struct transcript *said;   /* of a bad one */
    int64_t took;                    /* us */
};

struct check_report {
    bool json;
    const char *bot; /* its command, or where it dials in */
    int count[VERDICT_COUNT];
    int left_out;
    struct check_words why_left; /* out, the last of them */
    /* of the row so far, for people */
    int row[VERDICT_COUNT];
    struct bytes names[VERDICT_COUNT];         /* its variants */
    struct check_words words[VERDICT_COUNT];   /* what was said of all of them */
};

void check_report_begin(struct check_report *report, bool json, const char *command);

/* A row's findings, one or one for each variant, and the row's end. */
void check_report_add(struct check_report *report, const struct finding *finding);
void check_report_row(struct check_report *report, const struct check_item *item);

void check_report_clear(struct check_report *report);

/* The summary; `name` is the bot's, "" when it did not say one. */
void check_report_end(struct check_report *report, const char *name, bool complete);

#endif
