/* The tournament: what is played, what runs, what comes next. It holds every
 * finished match and is rebuilt from the store's rows after a restart. */
#ifndef HAKEM_ARENA_TOURNAMENT_H
#define HAKEM_ARENA_TOURNAMENT_H

#include "arena/schedule.h"

struct tournament;

/* A match that may be started. */
struct assignment {
    struct unit unit;
    int leg;
    int entrant[SIDE_COUNT];  /* on X and Y */
    bool begun;               /* rows or a start mark exist: it goes on */
};

struct tournament *tournament_new(const struct event *event); /* the event must outlive it */
void tournament_free(struct tournament *tournament);

/* The event is a room and has grown: its new units and entrants are taken over. */
void tournament_grow(struct tournament *tournament);

/* Rows of an earlier run, in any order, before the first tournament_next. */
void tournament_load_start(struct tournament *tournament, uint32_t unit);
void tournament_load_game(struct tournament *tournament, const struct game_row *row);
void tournament_load_match(struct tournament *tournament, const struct match_row *row);

/* The next match whose players `may_play` both have room (asked with the entrant's
 * index and the owner); false when nothing can start now. It counts as running. */
bool tournament_next(struct tournament *tournament, bool (*may_play)(void *owner, int entrant),
                     void *owner, struct assignment *out);

/* A game, a match finished. */
void tournament_add_game(struct tournament *tournament, const struct game_row *row);
void tournament_add_match(struct tournament *tournament, const struct match_row *row);

/* A running match goes back to be played later (it could not start). */
void tournament_put_back(struct tournament *tournament, uint32_t unit, int leg);

/* No unit behind the first `least` is begun any more: what is begun is played to its end, and
 * then all is over. */
void tournament_cut(struct tournament *tournament, uint32_t least);

/* Units that are to be played. */
uint32_t tournament_units(const struct tournament *tournament);

/* Whether every leg of the unit has ended; heads of its records in leg order. */
bool tournament_unit_over(const struct tournament *tournament, uint32_t unit,
                          struct hash heads[SIDE_COUNT]);

/* Progress. */
uint64_t tournament_matches(const struct tournament *tournament);
uint64_t tournament_finished(const struct tournament *tournament);
int tournament_running(const struct tournament *tournament);

/* For a tournament that is only looked at: how many run elsewhere. */
void tournament_set_running(struct tournament *tournament, int running);
/* The other leg of what was given out, if it is to be played: given out too. */
bool tournament_next_leg(struct tournament *tournament, const struct assignment *first,
                         struct assignment *out);

bool tournament_over(const struct tournament *tournament);

/* The finished match of that unit and leg, or NULL. */
const struct match_row *tournament_match(const struct tournament *tournament, uint32_t unit,
                                         int leg);

/* Totals over games, per entrant and for faults: see standings.h. */
struct standings;
const struct standings *tournament_standings(const struct tournament *tournament);

#endif
