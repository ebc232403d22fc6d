/* A stage: one event being played, with its store. It seats the matches the
 * tournament gives out, writes down what the referee reports, seals and signs
 * what has ended, and shows nothing that is not on disk.
 *
 * Two tournaments are kept: `plan` knows what has happened and says what comes
 * next; `shown` has only what is durable, and is what anybody sees. */
#ifndef HAKEM_CLI_STAGE_H
#define HAKEM_CLI_STAGE_H

#include "arena/stream.h"
#include "arena/tournament.h"
#include "cli/host.h"
#include "store/store.h"

struct stage;
struct fortune;

/* Who plays: entrants are indexes into the event's list, `unit` is what they play. */
struct stage_players {
    void *owner;
    /* Whether a session of the entrant has room now, or never will (then it forfeits). */
    bool (*may_play)(void *owner, int entrant);
    /* A session with room; 0 when there is none at the moment (a room's seat is then empty). */
    uint32_t (*session)(void *owner, int entrant, uint32_t unit);
    /* Whether the entrant will never play this: then it forfeits for that reason. */
    bool (*lost)(void *owner, int entrant, uint32_t unit, enum reason *reason);
};

struct stage_hooks {
    void *owner;
    /* A match is on disk: it may be shown. */
    void (*match)(void *owner, struct stage *stage, const struct match_row *row);
    /* Its unit is over, and everybody who played it has been told so; NULL: not wanted. */
    void (*unit)(void *owner, uint32_t unit);
    /* So is something that a bot did wrong; NULL: nobody wants to know. */
    void (*fault)(void *owner, struct stage *stage, const struct fault_row *row);
};

struct stage_setup {
    struct host *host;
    struct event *event;       /* sealed; outlives the stage; so does the folder */
    const char *folder;
    struct stage_players players;
    struct stage_hooks hooks;
};

/* Nothing is touched yet. */
struct stage *stage_new(const struct stage_setup *setup);

/* Opens the store that is in the folder and takes over what was played. Refuses
 * another event's store (usage) and one that is held (busy). */
int stage_resume(struct stage *stage, struct fail *fail) __attribute__((warn_unused_result));

/* Makes a new store with a fresh key and fresh or seeded dice. */
int stage_create(struct stage *stage, struct fail *fail) __attribute__((warn_unused_result));

/* Joins the host: from now on its turns count, its socket answers. */
int stage_begin(struct stage *stage, struct fail *fail) __attribute__((warn_unused_result));

/* Seats what can be seated (unless `closing`), shows what is on disk; called each
 * turn of the loop. Returns when it wants to be called again at the latest, or -1
 * when the disk has failed. */
int64_t stage_turn(struct stage *stage, bool closing, int64_t now, struct fail *fail);

/* A room's next match, between two bots by name: its unit, or 0 with a sentence. It is
 * seated in the next turn. */
uint32_t stage_draw(struct stage *stage, const char *x, const char *y, struct fail *fail);

/* Play stands still, or goes on: nothing is seated and no clock runs. */
void stage_pause(struct stage *stage, bool pause, int64_t now);

/* Writes the event stream of one that is not played on: what it is and how it stands. */
void stage_tell(struct stage *stage);

/* Everything is played, on disk and shown. */
bool stage_over(const struct stage *stage);

/* A throw of manual dice that a match waits for, and that match. */
struct stage_throw {
    uint32_t table, unit;
    int leg;
    const char *name[SIDE_COUNT];
    struct throw_facts facts;
};

/* Whether one is awaited, and which; it, or a flaw for which it is thrown again. */
bool stage_awaits_throw(const struct stage *stage, struct stage_throw *out);
void stage_throw(const struct stage *stage, const struct stage_throw *of,
                 const struct roll *roll, int64_t now);
void stage_rethrow(const struct stage *stage, const struct stage_throw *of,
                   enum throw_flaw flaw, int64_t now);

/* Matches that are being played. */
int stage_running(const struct stage *stage);

/* Nothing runs, and what ended is on disk and shown. */
bool stage_quiet(const struct stage *stage);

/* Calls off what runs: its players are told so, and nothing more of it is written down, so
 * that it goes on when the stage is resumed. To be followed by stage_close. */
void stage_abandon(struct stage *stage, int64_t now);

/* Waits for the disk, shows what is on it, leaves the host and lets the store go;
 * what is shown stays. -1 when the disk failed. */
int stage_close(struct stage *stage, struct fail *fail) __attribute__((warn_unused_result));
void stage_free(struct stage *stage);

const struct event *stage_event(const struct stage *stage);
const struct tournament *stage_shown(const struct stage *stage);
/* The luck of its games, as far as it is known; NULL where the event goes without. */
const struct fortune *stage_fortune(const struct stage *stage);
const char *stage_folder(const struct stage *stage);

/* Records whose copies could not be written; the same command writes them again. */
uint64_t stage_missing_copies(const struct stage *stage);

/* Whether a game of that running unit has begun (both players were ready), now or in an
 * earlier process. */
bool stage_has_begun(const struct stage *stage, uint32_t unit);

/* For host.c: the players of these stages have changed. */
void stage_stir(struct stage *stages);

/* For host.c: a fact of a table of one of these stages. */
void stage_mixed(struct stage *stages, const struct mix_facts *facts);
void stage_game(struct stage *stages, const struct game_facts *facts);
void stage_match(struct stage *stages, const struct match_facts *facts);
void stage_vacant(struct stage *stages, uint32_t table, enum side side);
void stage_past(struct stage *stages, uint32_t show, const char *at);

#endif
