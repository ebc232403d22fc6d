/* Child processes: bots that are started here. Each is a session of its own
 * process group, speaks over two pipes, and has its error output read at all
 * times (a full pipe would stop the bot). The loop owns the children; a pointer
 * is good until the `exited` hook has returned.
 *
 * Ending one: it is told `bye`, its standard input is closed; after the grace SIGTERM to the
 * group; half a second later SIGKILL to the group, before the leader is reaped
 * so that no number is reused. Strays that left the group become our children
 * (Linux) and are killed once no bot is left. A result never waits for any of it.
 */
#ifndef HAKEM_NET_CHILD_H
#define HAKEM_NET_CHILD_H

#include "net/loop.h"
#include "net/spawn.h"

enum { CHILD_WORDS_MAX = SPAWN_WORDS_MAX, CHILD_GRACE = 2000 /* ms */ };

/* Starts a program through the launcher and opens its session. Fails with a
 * sentence that names the program when it cannot be executed. */
int child_start(struct loop *loop, char *const *argv, const struct speech *speech,
                struct child **out, struct fail *fail) __attribute__((warn_unused_result));

/* The referee's session it speaks in; 0: none yet, or there was no room. */
uint32_t child_session(const struct child *child);

/* Whether it has no session, and none is awaited. */
bool child_is_mute(const struct child *child);

/* Asks it to go: it is told `bye` with the reason, its input is closed, and after
 * `grace` ms it is made to. To be called between the referee's calls only. */
void child_stop(struct child *child, const char *reason, int64_t grace);

/* How it ended, for a sentence: "exited with status 3", "was killed by signal 9". */
void child_describe_end(const struct child *child, char out[CHILD_WORDS_MAX]);

/* The last line it wrote on its error output, made printable; "" when none. */
void child_last_words(const struct child *child, char out[CHILD_WORDS_MAX]);

/* Within net/ only. */
struct child_set *child_set_new(struct loop *loop);
void child_set_free(struct child_set *set);
bool child_set_empty(const struct child_set *set);
int64_t child_set_next(const struct child_set *set);       /* next deadline, or INT64_MAX */
void child_set_tick(struct child_set *set, int64_t now);
void child_set_reap(struct child_set *set);
void child_set_stop(struct child_set *set, const char *reason, int64_t grace); /* every one */
void child_set_kill(struct child_set *set);                /* SIGKILL, reap, strays too */

#endif
