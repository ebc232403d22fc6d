/* The bill: the events that were submitted to a daemon. Each is a company of its own,
 * in a folder of its own under the daemon's, called as the event is:
 *
 *   FOLDER/NAME/event.json   what was submitted, word for word
 *   FOLDER/NAME/state        one word: what the operator wants of it
 *   FOLDER/NAME/hakem.db     its store
 *
 * What ran or was paused when the daemon ended, however it ended, goes on when the
 * daemon is started again. */
#ifndef HAKEM_CLI_BILL_H
#define HAKEM_CLI_BILL_H

#include "base/bytes.h"
#include "cli/door.h"

enum { BILL_EVENT_MAX = 8 << 20 /* bytes of an event file */ };

struct bill;
struct tokens;

/* What is told of an event, in a sentence. */
struct bill_hooks {
    void *owner;
    void (*said)(void *owner, const char *name, const char *sentence);
};

struct bill_setup {
    struct host *host;
    struct door *door;
    const struct tokens *tokens; /* all four outlive the bill */
    const char *folder;
    bool plaintext; /* bots on other machines may be dialled */
    int most;       /* events that run at once */
    struct bill_hooks hooks;
};

struct bill *bill_new(const struct bill_setup *setup);
void bill_free(struct bill *bill);

/* Takes up what is in the folder. An event that cannot go on is told of and is failed. */
void bill_load(struct bill *bill);

/* Takes an event: new, or the same one again after a stop. `path` is for messages, `code` a
 * word for programs when it fails; `name` is what it is called from now on. */
int bill_submit(struct bill *bill, const char *path, const char *text, size_t length,
                const char **name, const char **code, struct fail *fail)
    __attribute__((warn_unused_result));

/* What the operator wants of an event (`name`), or of all that it can be said of (NULL). */
enum bill_wish { BILL_PAUSE, BILL_RESUME, BILL_STOP, BILL_STOP_HARD };
int bill_wish(struct bill *bill, enum bill_wish wish, const char *name, const char **code,
              struct fail *fail) __attribute__((warn_unused_result));

/* Takes the bot out of every event that runs: it loses the matches that are left; in how
 * many. */
int bill_kick(struct bill *bill, const char *name);

/* The limits of a new configuration. */
void bill_set_most(struct bill *bill, int most);

/* Its part of a turn; nothing new is seated when `closing`. When it wants the next one. */
int64_t bill_turn(struct bill *bill, bool closing, int64_t now);

/* Nothing runs. */
bool bill_is_quiet(const struct bill *bill);

/* Events that are on. */
int bill_running(const struct bill *bill);

/* Adds a JSON array of the events, one object each. */
void bill_write(const struct bill *bill, struct bytes *out);

/* The hooks of host.h: whether a session is of one of its companies, and what becomes of it. */
bool bill_knows(const struct bill *bill, uint32_t session);
bool bill_hello(struct bill *bill, uint32_t session, const struct session_facts *facts,
                struct hello_refusal *refusal);
void bill_welcomed(struct bill *bill, uint32_t session);
void bill_gone(struct bill *bill, uint32_t session, const char *why);
void bill_exited(struct bill *bill, struct child *child);
void bill_stir(struct bill *bill);

#endif
