/* A room: bots that dial in and wait are paired, two at a time, for as long as the
 * room is open. One stage whose schedule grows with each match that is drawn, so
 * that a room has one store, one table of standings and one Elo list.
 *
 * A bot sits at one match of a room per connection and is told good-bye after it.
 * One that loses its connection takes its seat again by dialling in under its name.
 * Who leaves before both were ready calls the match off: nobody wins, the other
 * one waits again, before those that came later. */
#ifndef HAKEM_CLI_ROOM_H
#define HAKEM_CLI_ROOM_H

#include "cli/stage.h"

struct room;

struct room_hooks {
    void *owner;
    /* Two bots sit down: the unit's name and who they are. */
    void (*drawn)(void *owner, const struct room *room, const char *unit, const char *x,
                  const char *y);
    /* A match is on disk. */
    void (*match)(void *owner, const struct room *room, const struct match_row *row);
    /* Whether an event expects that bot: then the room lets it go. */
    bool (*wanted)(void *owner, const struct session_facts *facts);
};

/* Nothing is touched yet; event (format room, sealed) and folder outlive it. With `members`
 * only bots with a token are let in. */
struct room *room_new(struct host *host, struct event *event, const char *folder, bool members,
                      const struct room_hooks *hooks);
void room_free(struct room *room);

/* Opens its store, or makes it; matches that were interrupted go on. The host is open. */
int room_open(struct room *room, struct fail *fail) __attribute__((warn_unused_result));

/* Whether it would take that bot; the refusal says why not. */
bool room_takes(const struct room *room, const struct session_facts *facts, bool member,
                struct hello_refusal *refusal);

/* A bot waits for an opponent, or for its seat. */
void room_join(struct room *room, uint32_t session);

/* It is gone. */
void room_gone(struct room *room, uint32_t session);

/* Those that only wait and are wanted elsewhere wait there. */
void room_yield(struct room *room);

/* Everybody is told good-bye. */
void room_dismiss(struct room *room, const char *reason);

/* Pairs who waits (at most `most` matches, none when `closing`) and plays. When it wants the
 * next turn, or -1 when the disk has failed. */
int64_t room_turn(struct room *room, bool closing, long most, int64_t now, struct fail *fail);

/* Nobody of that name plays on in the matches that run; how many seats there were. */
int room_kick(struct room *room, const char *name);

void room_pause(struct room *room, bool pause, int64_t now);
bool room_is_paused(const struct room *room);
bool room_is_quiet(const struct room *room);
int room_waiting(const struct room *room);

/* Matches that began in this process, those that were called off apart. */
long room_played(const struct room *room);
const struct stage *room_stage(const struct room *room);

int room_close(struct room *room, struct fail *fail) __attribute__((warn_unused_result));

#endif
