/* An act: one event on the bill of a daemon (bill.h), with the folder that keeps it.
 * For bill.c only. */
#ifndef HAKEM_CLI_ACT_H
#define HAKEM_CLI_ACT_H

#include "cli/bill.h"
#include "cli/company.h"

/* What becomes of an event; the first four are kept in its folder. */
enum act_state {
    ACT_RUNS,
    ACT_PAUSED,
    ACT_STOPPED,
    ACT_FINISHED,
    ACT_FAILED, /* until the daemon is started again, or the operator resumes it */
    ACT_STATES
};

struct act {
    struct act *next;
    const struct bill_setup *setup; /* the bill's */
    char name[NAME_MAX_BYTES + 1];
    char *folder;
    enum act_state state;
    struct event event;
    struct company *company; /* while it is on, stopping included */
    bool stopping;           /* as soon as its matches have ended */
    struct fail fail;        /* of ACT_FAILED */
};

/* An event of that name; nothing is touched yet. */
struct act *act_new(const struct bill_setup *setup, const char *name);
void act_free(struct act *act);

/* Takes up what is in its folder; when that cannot be, it is failed. */
void act_load(struct act *act);

/* Reads and seals an event text; the caller clears the event in any case. */
int act_parse(struct event *event, const char *path, const char *text, size_t length,
              struct fail *fail) __attribute__((warn_unused_result));

/* Takes over the event: its text is on disk when this returns, and it is on. */
int act_put_on(struct act *act, const struct event *event, const char *text, size_t length,
               struct fail *fail) __attribute__((warn_unused_result));

/* Takes away what act_put_on wrote of an event that then could not be put on. */
void act_forget(const struct act *act);

/* Whether the operator's wish makes sense now; grants it. */
bool act_may(const struct act *act, enum bill_wish wish);
int act_grant(struct act *act, enum bill_wish wish, struct fail *fail)
    __attribute__((warn_unused_result));

/* Its part of a turn; `next` becomes earlier when it wants one earlier. */
void act_turn(struct act *act, bool closing, int64_t now, int64_t *next);

/* The word of its state, as programs read it. */
const char *act_state_name(const struct act *act);

/* Adds it as a JSON object. */
void act_write(const struct act *act, struct bytes *out);

#endif
