/* The inside of the referee: what its files share. Nobody else includes this. */
#ifndef HAKEM_REFEREE_INSIDE_H
#define HAKEM_REFEREE_INSIDE_H

#include "referee/gallery.h"
#include "referee/heap.h"
#include "referee/referee.h"
#include "referee/session.h"
#include "referee/shelf.h"
#include "rules/play.h"

struct table;

enum { PAUSE_WORD_MAX = 64 };

/* What a sweep frees. */
struct corpse {
    uint32_t id;
    enum timer_owner kind;
};

struct referee {
    struct referee_limits limits;
    struct referee_hooks hooks;
    int64_t now; /* of the call that is running */
    size_t running;         /* requests whose clocks run */
    uint64_t turn;          /* of the caller, */
    struct referee_lag lag; /* and how late it is */
    int64_t retry; /* ms that `bye` says, 0 none */
    struct shelf sessions;
    struct shelf tables;
    struct heap timers;
    struct gallery gallery;
    int greeting;    /* sessions that have not said hello */
    int turned_away; /* those of them that find no room, and those that wait to be refused */
    struct hash_key key; /* of the secrets */
    bool has_key;
    uint64_t secrets;    /* given out so far */
    int ghosts;
    uint32_t *dirty; /* sessions to be written */
    size_t dirty_count, dirty_room, dirty_next;
    struct corpse *dead; /* for the next sweep */
    size_t dead_count, dead_room;
    bool paused;              /* every table is, those to come too, for this reason: */
    char paused_for[PAUSE_WORD_MAX];
    struct play_room room; /* for judging */
    uint32_t listed;       /* table whose throw has its plays in `room`, 0: none */
    size_t listed_count;
    struct verdict verdict;
};

/* The session or table of that id, NULL when it is over. */
struct session *referee_find_session(const struct referee *referee, uint32_t id);
struct table *referee_find_table(const struct referee *referee, uint32_t id);

/* Queues a message for a session (NULL: nobody is there); a full queue dooms it (stall). */
void referee_tell(struct referee *referee, struct session *session, const struct message *message);

/* Queues whole lines for a session and empties `lines`; a full queue dooms it. */
void referee_tell_bytes(struct referee *referee, struct session *session, struct bytes *lines);

/* Ends a session: its seats are lost with `reason`. `said` is told as `bye` and
 * its output is still written when the peer can hear it. */
void referee_drop(struct referee *referee, struct session *session, enum reason reason,
                  const char *said);

/* The same at the next tick, for callers in the middle of a table's work. */
void referee_doom(struct referee *referee, struct session *session, enum reason reason,
                  const char *said);

/* The session's id and seats were taken by another: what is left of it goes, after a `bye`
 * where a connection still hears it. */
void referee_replace(struct referee *referee, struct session *session, bool heard);

/* Notes that the session has something to write or is to be closed. */
void referee_touch(struct referee *referee, struct session *session);

/* The session is counted no more among those that come in. */
void referee_leave_greeting(struct referee *referee, const struct session *session);

/* Notes something dead for the next sweep. */
void referee_bury(struct referee *referee, uint32_t id, enum timer_owner kind);

/* hello.c: a session hears why it is refused, and goes. */
void hello_refuse(struct referee *referee, struct session *session, const char *code,
                  const char *why);

/* hello.c: what a session says first. */
void hello_handle(struct referee *referee, struct session *session, const struct message *message);

/* reason.c: the codes of `error` and of `refused`, one by one; NULL behind the last. */
const char *error_code(size_t index);
const char *refusal_code(size_t index);

/* reason.c: whether the word is in that list. */
bool code_is_among(const char *code, const char *(*list)(size_t index));

/* lines.c: whether a session in that state may send that message. */
bool lines_know(enum session_state state, enum message_kind kind);

/* hello.c: a session is in: it hears `welcome`. */
void hello_welcome(struct referee *referee, struct session *session);

/* comeback.c: the secret with which a session is resumed. */
enum { SECRET_TEXT = 16 + HASH_HEX };
void comeback_secret(const struct referee *referee, const struct session *session,
                     char out[SECRET_TEXT]);

/* kept.c: keeps a message that must not be lost, if it is one; to be called once it is queued. */
void kept_add(struct session *session, const struct message *message);

/* kept.c: the session has heard everything up to this byte of its output. */
void kept_confirm(struct session *session, uint64_t end);

/* kept.c: says what is kept once more. */
void kept_tell(struct referee *referee, struct session *session);

/* comeback.c: the connection broke; false when the session is over by that. */
bool comeback_lose(struct referee *referee, struct session *session);

/* comeback.c: a session that the host has closed stays for its last lines; false: it does not. */
bool comeback_linger(struct referee *referee, struct session *session);

/* comeback.c: the host closes a session that is lost; false: what is closed is not, or plays. */
bool comeback_close(struct referee *referee, struct session *session, const char *reason);

/* comeback.c: a lost session's time is over. */
void comeback_expire(struct referee *referee, struct session *session);

/* comeback.c: a new connection shows a secret. */
void comeback_take_over(struct referee *referee, struct session *session,
                        const struct message *hello);

/* mix.c: a session brings what it adds to the dice; NULL, or why nothing of it is awaited. */
const char *mix_hear(struct referee *referee, struct session *session,
                     const struct message *message);

/* lines.c: handles what a session has sent. */
void lines_input(struct referee *referee, struct session *session, const char *data, size_t length);

/* lines.c: the answer that came while the table was paused is given now. */
void lines_take_held(struct referee *referee, struct table *table);

/* ping.c: nothing waits to be written to a session that plays: its timer is for pings, or off. */
void ping_rest(struct referee *referee, struct session *session);

/* ping.c: the timer of a session that plays rang; false when it is because it does not read. */
bool ping_expire(struct referee *referee, struct session *session);

/* ping.c: a line that answers nothing: maybe the last ping. */
void ping_hear(struct referee *referee, struct session *session, const struct message *message);

#endif
