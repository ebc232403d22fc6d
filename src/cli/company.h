/* A company: one event with its players and its stage; what `duel` and `run` play,
 * and `serve` several of at once. It gathers its bots (children are started, others
 * dial in or are dialled), then goes on stage, and is over with the last match.
 *
 * Only when every child has said hello, and every other bot has or has been waited
 * for, is anything written. A bot that is not started here and is away for longer
 * than the event's `wait` is out: it loses the matches that are left. */
#ifndef HAKEM_CLI_COMPANY_H
#define HAKEM_CLI_COMPANY_H

#include "cli/door.h"
#include "cli/pool.h"
#include "cli/stage.h"

struct company;
struct tokens;

struct company_hooks {
    void *owner;
    /* A sentence about a bot that ended, hung up or stays away. */
    void (*said)(void *owner, const char *sentence);
    /* The first match can be seated: there is a store. */
    void (*begun)(void *owner);
    /* A match is on disk: it may be shown; NULL: nobody wants to know. */
    void (*match)(void *owner, const struct match_row *row);
    /* So is something that a bot did wrong; NULL: nobody wants to know. */
    void (*fault)(void *owner, const struct fault_row *row);
};

struct company_setup {
    struct host *host;
    struct door *door;           /* NULL: nobody dials in; outlives the company */
    const struct tokens *tokens; /* of bots whose token the event does not have; may be NULL */
    struct event *event;         /* sealed; outlives the company, and so does the folder */
    const char *folder;
    bool plaintext; /* bots on other machines may be dialled */
    struct company_hooks hooks;
};

/* Nothing is touched yet. */
struct company *company_new(const struct company_setup *setup);
void company_free(struct company *company);

/* Takes over the store that is in the folder, if any; the host need not be open yet. */
int company_open(struct company *company, struct fail *fail) __attribute__((warn_unused_result));

/* Gathers the bots: from here on the host is needed. Fails when a bot cannot come at all;
 * `line` is a warning, or "". */
int company_gather(struct company *company, char line[POOL_LINE], struct fail *fail)
    __attribute__((warn_unused_result));

/* Its part of a turn; no new match is seated when `closing`. Returns when it wants the next
 * turn at the latest, or -1 with a sentence when it cannot go on. */
int64_t company_turn(struct company *company, bool closing, int64_t now, struct fail *fail);

/* Play stands still, or goes on. */
void company_pause(struct company *company, bool pause, int64_t now);

/* The bot of that name plays no more: it loses the matches that are left. False when there is
 * none, or it is out already. */
bool company_kick(struct company *company, const char *name);

/* Calls off what runs, to be played when the event goes on; then company_close. */
void company_abandon(struct company *company, int64_t now);

/* Its bots are told good-bye, but for those that another event expects. */
void company_dismiss(struct company *company, const char *reason);

/* Leaves the stage; what is on disk stays. */
int company_close(struct company *company, struct fail *fail) __attribute__((warn_unused_result));

/* Whether there is a store that it plays into; nothing runs; everything is played and shown. */
bool company_has_begun(const struct company *company);
bool company_is_quiet(const struct company *company);
bool company_is_over(const struct company *company);

/* Writes the event stream of one that is not played on. */
void company_tell(struct company *company);

/* Its stage; what is shown of it is good before company_gather too. */
const struct stage *company_stage(const struct company *company);

/* The names of the bots it waits for, as "a, b"; "" for none. */
void company_write_absent(const struct company *company, char *out, size_t room);

/* The hooks of host.h: whether a session is its own, and what becomes of those that are;
 * of others it hears with company_stir that somebody came or went. */
bool company_knows(const struct company *company, uint32_t session);
bool company_hello(struct company *company, uint32_t session, const struct session_facts *facts,
                   struct hello_refusal *refusal);
void company_welcomed(struct company *company, uint32_t session);
void company_gone(struct company *company, uint32_t session, const char *why);
void company_exited(struct company *company, struct child *child);
void company_stir(struct company *company);

#endif
