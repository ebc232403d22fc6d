/* Peer: a bot that is driven by hand, step by step and with a deadline at each
 * of them, without loop and referee: what `hakem check` talks through. It is a
 * process started here, or somebody who dialled in. Times are microseconds of
 * loop_micros. One peer lives at a time; who made it frees it. */
#ifndef HAKEM_NET_PEER_H
#define HAKEM_NET_PEER_H

#include "base/bytes.h"
#include "base/fail.h"
#include "net/spawn.h"

#include <stdbool.h>
#include <stdint.h>

enum { PEER_INBOX_MAX = 1 << 20, PEER_OUTBOX_MAX = 64 << 20 };

struct peer;

/* Starts a program; one that listens is waited for. Where it speaks a dialect what is sent and what
 * is in the inbox are our words all the same. */
int peer_start(char *const *argv, const struct speech *speech, struct peer **out,
               struct fail *fail) __attribute__((warn_unused_result));

/* Why its dialect cannot go on with it; "" while it can. */
const char *peer_wrong(const struct peer *peer);

/* Waits until somebody dials in at a socket of listen_socket; NULL when nobody did in time. */
struct peer *peer_accept(int listening, int64_t until);

/* Whether it is a process that was started here and is spoken to over its pipes. */
bool peer_is_child(const struct peer *peer);

/* Queues bytes for it; peer_wait writes them. */
void peer_send(struct peer *peer, const void *data, size_t length);

/* Bytes that it has not taken yet. */
size_t peer_unsent(const struct peer *peer);

/* Waits until something happened: bytes went out, came in, or its output ended. False when
 * the time is over before that, or nothing can happen any more. */
bool peer_wait(struct peer *peer, int64_t until);

/* What it said and nobody has taken yet; take lines off with bytes_drop. */
struct bytes *peer_inbox(struct peer *peer);

/* Its output has ended, and all of it is in the inbox. */
bool peer_ended(const struct peer *peer);

/* Ends its input: what is queued and unsent is lost. */
void peer_hang_up(struct peer *peer);

/* Sends a signal to its process group. */
void peer_signal(const struct peer *peer, int number);

/* Waits until the process has exited by itself; its status of waitpid. False when it has
 * not, or is none of ours. */
bool peer_exits(struct peer *peer, int64_t until, int *status);

/* How many bytes it wrote on its error output so far. */
uint64_t peer_errors(const struct peer *peer);

/* Why its dialect gave up, else the last line of them, made printable; "" when there is none. */
void peer_last_words(const struct peer *peer, char out[SPAWN_WORDS_MAX]);

/* Memory it holds, in KiB; 0 where the system does not say. */
long peer_memory(const struct peer *peer);

/* Closes the connection; a process that still runs is killed, its group too. */
void peer_free(struct peer *peer);

#endif
