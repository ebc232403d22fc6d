/* The referee: the only door to sessions, seats and tables.
 *
 * A pure machine: it is told bytes and times, and answers with bytes and a
 * deadline. It owns every session and table; the outside holds ids. Nothing
 * here reads a clock, a socket or a disk. Times are milliseconds of one
 * monotonic clock, `now` never goes back.
 *
 * Facts go up through `struct referee_hooks`; a hook may call referee_seat,
 * referee_reseat, referee_send_unit, referee_seal_show and referee_close, `welcomed`
 * also referee_forget, nothing else.
 */
#ifndef HAKEM_REFEREE_REFEREE_H
#define HAKEM_REFEREE_REFEREE_H

#include "base/text.h"
#include "dice/contribution.h"
#include "dice/sign.h"
#include "dice/throws.h"
#include "record/reason.h"
#include "referee/clock.h"
#include "rules/result.h"

#include <stddef.h>

enum {
    VERSION_MAX_BYTES = 64,
    SETTINGS_MAX_BYTES = 256,
    REFEREE_SESSIONS_MAX = 4096,
    REFEREE_TABLES_MAX = 16384
};

/* Deadlines and ceilings, all in one place; referee_limits_init gives the documented values. */
struct referee_limits {
    int64_t hello;   /* ms from opening to `hello` */
    int64_t ready;   /* ms from `match` to `ready` */
    int64_t answer;  /* ms ceiling of any answer where no clock is set */
    int64_t vacant;  /* ms that a lost session or seat waits for its player to come back */
    int64_t stall;   /* ms that queued output may stay unread */
    int64_t grace;   /* ms after which an unread request's clock starts all the same */
    size_t queue;    /* bytes queued for one bot with one table */
    int strays;      /* malformed lines of no table before a session is closed */
    int sessions;    /* open sessions */
    int greeting;    /* sessions that have not said hello */
    int turned_away; /* sessions beyond these that are still heard, to be told `full` */
    int plies;       /* plies of a game before it ends as `cap` */
    int returns;     /* lost connections of one match after which the next costs the game; and
                        times a seat is left between games after which the next costs the match */
    int ghosts;      /* closed sessions whose last lines are kept for a while */
    int burst, rate; /* unasked lines: burst, and lines a second */
    int spectators;  /* at once; 0: nobody may watch */
};

/* What a session said of itself. */
struct session_facts {
    char name[NAME_MAX_BYTES + 1];
    char version[VERSION_MAX_BYTES];
    char settings[SETTINGS_MAX_BYTES]; /* what it is set to: words with commas between */
    int tables;        /* tables it plays at once; 0: a spectator, whom no hook tells of */
    unsigned variants; /* bit v: plays variant v */
    int64_t round_trip; /* ms of its last ping; -1: not measured */
    const char *who;   /* the peer's address, or its process; for the log */
    bool has_token;
    struct hash token; /* SHA-256 of the token it showed; the token itself is kept nowhere */
};

/* A match to be played. Everything pointed to must live until referee_seat returns. */
struct match_spec {
    struct unit_dice dice; /* event, unit, keys */
    enum dice_source source;
    int leg;             /* 1, 2 */
    const char *pairing; /* "mirrored", "lockstep", "independent" */
    struct rules rules;
    struct clock_rule clock;
    struct hash master_commitment; /* C_M */
    const char *server;            /* "hakem/0.1.0" */
    const uint8_t *public_key;     /* SIGN_PUBLIC_BYTES */
    const char *date;              /* UTC, for the record's header */
    const char *name[SIDE_COUNT];  /* entrants' names as the record has them */
    const char *command[SIDE_COUNT]; /* of those that are started here, else NULL; */
    const char *files[SIDE_COUNT];   /* their files, as the record has them, or NULL */
    uint32_t session[SIDE_COUNT];  /* 0: the seat is vacant from the start */
    const char *record;            /* record so far of a match that goes on, or NULL */
    size_t record_length;
    const struct roll *throws; /* of recorded or manual dice: the unit's; copied */
    uint32_t throw_count;
    const struct hash *throws_hash; /* of the whole file */
    uint32_t mate;      /* table of the unit's other leg that is seated, 0: none */
    bool reserve;       /* the seats are taken and nothing is told, until referee_begin */
    bool contributions; /* the players are asked what they add to the dice, unless it is known */
    const struct contribution *mixed; /* from the other leg (PLAYERS of them), or NULL */
    bool void_running; /* the interrupted game is void: next attempt; told by the game hook
                          (REASON_VOID) before referee_seat returns */
};

/* A finished game. Pointers live until the hook returns. */
struct game_facts {
    uint32_t table;
    unsigned game, attempt;
    int winner; /* side, or -1 */
    int kind;   /* 1..3; 0 for a cap without winner */
    int half_points;
    enum reason reason;
    int offender; /* side that forfeited, or -1 */
    enum side starter;
    int plies;
    bool contended;         /* the referee was late to hear some of its answers */
    int turns[SIDE_COUNT];  /* answers asked of a seat */
    int64_t ms[SIDE_COUNT]; /* time charged */
    const char *record;     /* the record's lines since the last piece */
    size_t record_length;
};

/* A finished match. */
struct match_facts {
    uint32_t table;
    int winner;
    int score[SIDE_COUNT]; /* half points */
    int games;
    enum reason reason;
    int offender;
    const char *record; /* the lines since the last piece (`end` among them) */
    size_t record_length;
    struct hash head; /* chain after the `end` line */
    uint64_t lines;
};

/* The players of a unit have added to its dice all that they add. Pointers live until the hook
 * returns. Unless somebody withheld something, the table waits for referee_mixed. */
struct mix_facts {
    uint32_t table;
    unsigned attempt;              /* of the first game */
    const struct contribution *of; /* PLAYERS of them; it counts for both legs */
    struct hash digest;            /* what the receipt signs */
    const char *record;            /* the record's lines since the last piece */
    size_t record_length;
};

/* Why a hello is refused; before it is asked for: `name`, not expected here. */
struct hello_refusal {
    const char *code; /* a word, constant */
    char reason[96];  /* a sentence, English */
    int64_t delay;    /* ms until it is told; nothing more is read meanwhile */
};

/* How late the caller listens, ms. */
struct referee_lag {
    int64_t old;   /* what it tells now may have been said so much earlier, if it answers what was
                      asked before the last turn wrote; */
    int64_t fresh; /* and if it was asked then */
    int64_t held;  /* it stood still: so much has been taken out of `now` since the last turn */
};

struct referee_hooks {
    void *owner;
    /* A session said a good hello; false refuses it for the reason that is filled in. NULL:
     * everybody is let in. */
    bool (*hello)(void *owner, uint32_t session, const struct session_facts *facts,
                  struct hello_refusal *refusal);
    /* Its `welcome` is queued: from now on it can be seated. NULL: nobody wants to know. */
    void (*welcomed)(void *owner, uint32_t session);
    /* NULL: nobody seats matches with contributions. */
    void (*mixed)(void *owner, const struct mix_facts *facts);
    void (*game)(void *owner, const struct game_facts *facts);
    void (*match)(void *owner, const struct match_facts *facts);
    /* A seat lost its session in the middle of a match; it waits `vacant` ms for referee_reseat.
     * NULL: nobody will come. */
    void (*vacant)(void *owner, uint32_t table, enum side side);
    /* Two connections have changed places: what was told of one id is told of the other from
     * now on. One of them may be over already. NULL: there are none that can come back. */
    void (*swapped)(void *owner, uint32_t session, uint32_t other);
    /* Somebody watches the match of that path, which referee_is_show tells: what its record handed
     * out so far (by mixed, game and match) is to be said with referee_show_past, from its first
     * line. NULL: it is kept for that. */
    void (*past)(void *owner, uint32_t show, const char *at);
    /* A session is over; its id is dead. */
    void (*gone)(void *owner, uint32_t session, const char *why);
};

struct referee;

void referee_limits_init(struct referee_limits *limits);
struct referee *referee_new(const struct referee_limits *limits, const struct referee_hooks *hooks);
void referee_free(struct referee *referee);

/* Whether referee_open would find room: for a bot, or for one that is only told `full`. */
bool referee_has_room(const struct referee *referee);

/* A peer connected; its session id (never 0), or 0 when there is no room. `who` is for the log. */
uint32_t referee_open(struct referee *referee, const char *who, int64_t now);

/* The session's line may be cut without a word: it is pinged now and then while it is silent. */
void referee_allow_pings(struct referee *referee, uint32_t session);

/* The open session after that one (0: the first) in some order; 0 at the end. */
uint32_t referee_next_session(const struct referee *referee, uint32_t after);

/* A turn of the caller begins. Its lag is charged to nobody, and is stated in the record. */
void referee_heard(struct referee *referee, const struct referee_lag *lag);

/* The key of the secrets with which sessions are resumed; without one none can be. */
void referee_set_key(struct referee *referee, const struct hash *key);

/* The peer of a session that has just been opened could dial in again: when its connection breaks
 * it is lost for a while and can be resumed, and only then gone. */
void referee_allow_return(struct referee *referee, uint32_t session);

/* Whether a session is lost: its seats go on, it cannot be spoken to, and it may be resumed. */
bool referee_is_lost(const struct referee *referee, uint32_t session);

/* A lost session will not be resumed: it is gone now, its seats are vacant. */
void referee_forget(struct referee *referee, uint32_t session, int64_t now);

/* Bytes arrived from a session at `now`. */
void referee_input(struct referee *referee, uint32_t session, const void *data, size_t length,
                   int64_t now);

/* The peer closed its sending side, or the connection broke. */
void referee_closed(struct referee *referee, uint32_t session, int64_t now);

/* What hooks.past asked for: the record handed out so far, whole lines. */
void referee_show_past(struct referee *referee, uint32_t show, const char *text, size_t length,
                       int64_t now);

/* Whether that is the path of a match with these dice. */
bool referee_is_show(const char *at, const struct unit_dice *dice, int leg);

/* Deadlines that have passed by `now` take effect. */
void referee_tick(struct referee *referee, int64_t now);

/* Whether the clock of any request runs. */
bool referee_waits(const struct referee *referee);

/* When referee_tick has to be called next; INT64_MAX: no deadline. */
int64_t referee_next_deadline(const struct referee *referee);

/* Bytes to be written to a session; 0 when there are none. */
size_t referee_output(struct referee *referee, uint32_t session, const char **data);

/* The kernel took the first `length` bytes of the output at `now`; 0 is said too, when
 * it takes nothing: only so an unread queue is noticed. */
void referee_sent(struct referee *referee, uint32_t session, size_t length, int64_t now);

/* Whether the session is to be closed once its output is written. */
bool referee_closing(const struct referee *referee, uint32_t session);

/* Somebody between has something to write to that session: it is among the next dirty ones. */
void referee_wake(struct referee *referee, uint32_t session);

/* The next session that has output or is to be closed since the last call; 0 at the end. */
uint32_t referee_next_dirty(struct referee *referee);

/* Frees what died in this turn; to be called between turns. */
void referee_sweep(struct referee *referee);

/* Starts a match; its table id, or 0 with a sentence in `why` (no room, or a record that it cannot
 * go on from). */
uint32_t referee_seat(struct referee *referee, const struct match_spec *spec, int64_t now,
                      char why[160]);

/* A reserved match begins: with the same spec. Or nothing comes of it: nobody ever hears of it. */
void referee_begin(struct referee *referee, uint32_t table, const struct match_spec *spec,
                   int64_t now);
void referee_unseat(struct referee *referee, uint32_t table);

/* Puts a session on a vacant seat. 0, or -1 when the seat is not vacant or the session is full. */
int referee_reseat(struct referee *referee, uint32_t table, enum side side, uint32_t session,
                   int64_t now);

/* What the players of a table have added to its dice is on disk: they are told so, with the
 * receipt, and play. */
void referee_mixed(struct referee *referee, uint32_t table, const uint8_t receipt[SIGN_BYTES],
                   int64_t now);

/* Whether a game of that table has begun, so that both players have been ready. */
bool referee_has_begun(struct referee *referee, uint32_t table);

/* A vacant seat's player will not come back: the match is forfeited now. */
void referee_forfeit(struct referee *referee, uint32_t table, enum side side, enum reason reason,
                     int64_t now);

/* A throw of manual dice that a table waits for. */
struct throw_facts {
    unsigned game;
    int ply;            /* plies of the game so far */
    int side;           /* that throws, or -1: the opening throw, first the die of X */
    const char *record; /* the record's lines since the last piece, */
    size_t record_length;
};

/* Whether a table waits for a throw. Pointers live until the table is told anything. */
bool referee_awaits_throw(const struct referee *referee, uint32_t table,
                          struct throw_facts *facts);

/* That throw, or a flaw for which it is thrown again; false when the table does not wait. */
bool referee_throw(struct referee *referee, uint32_t table, const struct roll *roll, int64_t now);
bool referee_rethrow(struct referee *referee, uint32_t table, enum throw_flaw flaw, int64_t now);

/* A match is called off, whatever is going on: nobody wins. */
void referee_abandon(struct referee *referee, uint32_t table, enum reason reason, int64_t now);

/* Freezes the clocks and deadlines of a table, or (0) of every table that is and will be: nothing
 * is asked, and an answer that arrives is judged afterwards. `reason` is told to the bots. False
 * when there is nothing to freeze. */
bool referee_pause(struct referee *referee, uint32_t table, const char *reason, int64_t now);

/* Undoes the same call of referee_pause: what was frozen goes on with the time it had left. */
bool referee_resume(struct referee *referee, uint32_t table, int64_t now);

/* Tells a session that a unit has ended: S_u and the record heads. */
void referee_send_unit(struct referee *referee, uint32_t session, const char *unit,
                       const struct hash *seed, const struct hash *heads, size_t count);

/* The last lines of a match's record (`reveal`, `sign`), once its unit has ended and that is
 * on disk: spectators see them. Nothing happens when nobody can watch it. */
void referee_seal_show(struct referee *referee, const struct unit_dice *dice, int leg,
                       const char *text, size_t length);

/* Matches of this event will not be sealed any more: spectators have seen all of them. */
void referee_close_shows(struct referee *referee, const char *event);

/* Says `bye` with a reason and closes after the output. */
void referee_close(struct referee *referee, uint32_t session, const char *reason, int64_t now);

/* From now on every `bye` says after how many ms to come back. */
void referee_set_retry(struct referee *referee, int64_t ms);

/* What is there now. */
int referee_count_sessions(const struct referee *referee);
int referee_count_tables(const struct referee *referee);

/* Facts of a session that has said hello and is not closing, a lost one too; NULL otherwise. */
const struct session_facts *referee_session(const struct referee *referee, uint32_t session);

/* Tables this session could still take; none while it is lost. */
int referee_free_tables(const struct referee *referee, uint32_t session);

/* Tables that this session sits at, a lost one too. */
int referee_held_tables(const struct referee *referee, uint32_t session);

#endif
