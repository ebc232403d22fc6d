/* A table: one match between two seats. Inside the referee only.
 *
 * table.c has its life (seats, readiness, vacancy, the end of the match),
 * game.c a game (throw, request, answer, result), tell.c every message that a
 * table sends or writes into its record.
 */
#ifndef HAKEM_REFEREE_TABLE_H
#define HAKEM_REFEREE_TABLE_H

#include "dice/contribution.h"
#include "record/writer.h"
#include "referee/inside.h"
#include "rules/cube.h"
#include "rules/play.h"

enum table_state {
    TABLE_VACANT, /* awaits a session for a seat, until limits.vacant */
    TABLE_AWAY,   /* awaits that a lost session is resumed or gone; it has the deadline */
    TABLE_MIX,    /* awaits what the players add to the dice (mix.c), until limits.ready a step */
    TABLE_READY,  /* awaits `ready` of each seat, until limits.ready */
    TABLE_PLAY,   /* awaits the answer of the seat on turn, until its clock ends */
    TABLE_OVER,   /* freed by the next sweep */
    TABLE_STATES
};

/* What a leg in lockstep waits to show until the other leg has got as far (pair.c). */
enum table_wait {
    WAITS_NOT,
    WAITS_START,  /* the next game */
    WAITS_THROW,  /* the next throw */
    WAITS_FORCED, /* a turn that is no choice */
    WAITS_ANSWER, /* the answer in `held`, whose clock has stopped */
    WAITS_DICE    /* not for the other leg: for a throw that an operator types (throw.c) */
};

/* The steps of a turn, as many as are completed. */
enum pair_step { PAIR_CUBE = 1, PAIR_OFFER = 2, PAIR_THROW = 3, PAIR_PLAY = 4, PAIR_STEPS = 4 };

/* How far the players of a unit are with what they add to its dice. */
enum mix_step {
    MIX_DUE,    /* not begun */
    MIX_COMMIT, /* C_S is told: who commits does so */
    MIX_OPEN,   /* both commitments are told: who is open says its bytes */
    MIX_REVEAL, /* open bytes are told: who committed shows its own */
    MIX_DISK,   /* all is there, and has to be on disk first */
    MIX_DONE    /* it is, or nobody was asked */
};

struct mix {
    enum mix_step step;
    enum contribute way[PLAYERS]; /* what the players said that they do */
    struct contribution of[PLAYERS];
    bool signed_for; /* there is a receipt: */
    uint8_t receipt[SIGN_BYTES];
};

/* How far a seat has been told of the game that runs: what comes after it are its news. */
struct hearing {
    struct board board;
    struct cube cube;
    int ply;
};

/* One side of a table. */
struct seat {
    char name[NAME_MAX_BYTES + 1];
    uint32_t session; /* 0: vacant */
    uint64_t handle;  /* T on that session's wire */
    bool ready;
    uint64_t serial;   /* S of its last request; grows over the match */
    struct bytes news; /* `did` lines that wait for its next request or result */
    int turns;         /* requests of this game */
    int disputes;      /* since this game began */
    int64_t ms;        /* time charged in this game */
    int rest;          /* µs that no charge has counted yet */
    uint32_t throws;   /* its own turns of this game so far: n of its stream */
    int returns;       /* how often it was resumed in this match */
    int departures;    /* how often it was left between games */
    enum mix_step mix_told; /* the last step that its session was told */
    struct timer flag; /* where its request's time is over, on its session's shared scale */
    struct hearing heard;
};

/* What an answer has cost, ms. */
struct cost {
    int64_t ms;   /* charged; -1: nobody was asked */
    int64_t passed; /* by the wall: what differs from `ms` was spent on other requests */
    int64_t open; /* requests of the session that were open at the end */
    int64_t lag;  /* that the referee was late, and did not charge */
    int rest;     /* µs of the charge that do not make a ms */
};

/* The request that is out. */
struct request {
    int64_t queued_at;  /* when it was queued, ms */
    int64_t started_at; /* when its clock started, -1: the kernel has not taken it all */
    uint64_t turn;      /* of the referee's caller, when that was */
    uint64_t end;       /* session byte count at its last byte */
    int bounced;        /* answers to it that were ambiguous or not allowed */
    bool running;       /* its clock runs: it is one of its session's open requests, */
    int64_t since;      /* from this place of the shared time on */
    int64_t charged;    /* µs before that */
    bool settled;       /* its clock has stopped for good, */
    struct cost cost;   /* and this was charged */
};

struct table {
    uint32_t id;
    enum table_state state;
    /* the match */
    struct unit_dice dice;
    enum dice_source source;
    int leg;
    char pairing[16];
    struct rules rules;
    struct clock clock;
    struct roll *listed; /* throws of recorded or manual dice, owned, */
    uint32_t listed_count;
    uint32_t used;       /* of them, by the games before this one */
    uint32_t opened;     /* and by its opening */
    struct hash master_commitment;
    struct match match;
    struct record_writer record;
    uint32_t show; /* in the gallery, 0: nobody can watch */
    struct seat seat[SIDE_COUNT];
    struct mix mix;
    uint32_t mate; /* table of the other leg, 0: it is not seated, or over */
    bool lockstep; /* with that one */
    enum table_wait waits;
    unsigned awaits_step; /* that the other leg has to complete, */
    bool awaits_any;      /* or only to answer somehow */
    unsigned step;        /* completed in this game */
    bool forced;          /* the throw in force leaves no choice, and waits to be played */
    struct timer wake;
    /* the game that runs */
    bool in_game;
    unsigned game, attempt;
    struct hash_key game_key; /* G, ready for throws */
    enum side starter;
    struct situation now; /* board, side that throws, its dice */
    struct decision decision; /* who is asked what, and the cube */
    bool contended;           /* the referee was late at some charged ply */
    bool thrown;              /* the dice are those of this turn */
    struct cost rolled;       /* of the answer `roll` of this turn */
    int ply;
    struct request request;
    int refusals; /* answers to the throw in force that were refused (B8) */
    struct timer timer;
    bool due; /* a deadline is set, in the table's own time */
    /* a pause */
    unsigned holds;           /* bits of pause.c: who has frozen it, 0: it runs */
    int64_t frozen_at;        /* where its time stands still while it is frozen */
    char frozen_for[PAUSE_WORD_MAX];
    struct bytes held;        /* the answer that came meanwhile, a line without its LF */
    enum spelling held_spelling;
};

/* What a side did wrong, for the record. */
struct fault {
    enum side side;
    enum reason reason;
    const char *got; /* the bytes it sent, NULL: it sent nothing */
    size_t got_length;
    const char *why; /* in words */
    struct cost cost; /* of its answer */
};

struct table *table_new(uint32_t id, const struct match_spec *spec);
void table_free(struct table *table);

/* The one place where a table's state changes. */
void table_set_state(struct table *table, enum table_state state);

/* Writes the record's header, or takes over a record that goes on; 0, or -1 with a sentence. */
int table_open_record(const struct referee *referee, struct table *table,
                      const struct match_spec *spec, char why[160]);

/* Whether the spec's void applies: not to a match that is won and only not closed. */
bool table_is_void(const struct table *table, const struct match_spec *spec);

/* Tells the outside of the void that opened the record (REASON_VOID, no winner): it has
 * to be on disk before a throw of the next attempt is seen. */
void table_report_void(struct referee *referee, struct table *table);

/* Gives a seat to a session and tells it the match; false when the session has no room. */
bool table_attach(struct referee *referee, struct table *table, enum side side, uint32_t session);

/* The seat is free again, on both ends. */
void table_detach(struct referee *referee, struct table *table, enum side side);

/* Moves on between games: to vacancy, readiness or the next game. */
void table_go_on(struct referee *referee, struct table *table);

/* A seat's session said `ready`. */
void table_ready(struct referee *referee, struct table *table, enum side side);

/* A seat's session is gone: a running game is lost, the seat is vacant; the match is lost where
 * that has happened between games too often. */
void table_lose_session(struct referee *referee, struct table *table, enum side side,
                        enum reason reason);

/* A seat's session is lost: what goes on goes on, but nothing begins. */
void table_lose_sight(struct referee *referee, struct table *table, enum side side);

/* A lost session's time is over: the running game is lost, and the match if it had begun and
 * nobody takes the seat at once. */
void table_miss(struct referee *referee, struct table *table, enum side side);

/* A lost session is there again, and knows the state. */
void table_regain(struct referee *referee, struct table *table, enum side side);

/* A side gives up the match: a running game is lost first. */
void table_forfeit(struct referee *referee, struct table *table, enum side side,
                   enum reason reason);

/* The match is over. `winner` and `offender` are sides or -1. */
void table_end(struct referee *referee, struct table *table, int winner, enum reason reason,
               int offender);

/* The table's deadline has passed. */
void table_expire(struct referee *referee, struct table *table);

/* mix.c: goes on with what the players add to the dice; each seat hears what it has not. */
void mix_go_on(struct referee *referee, struct table *table);

/* mix.c: whether that is going on at this table. */
bool mix_runs(const struct table *table);

/* mix.c: tells a seat the step again, whatever it has heard. */
void mix_tell(struct referee *referee, struct table *table, enum side side);

/* mix.c: what was added is known from elsewhere. */
void mix_take_over(struct table *table, const struct contribution of[PLAYERS]);
void mix_join(struct table *table, const struct table *mate); /* by that table, if it is */
void record_mix(struct table *table);

/* mix.c: whether that side withheld what it had declared; the match ends by it. */
bool mix_is_withheld(const struct table *table, enum side side);
void mix_end(struct referee *referee, struct table *table);

/* mix.c: sides leave: whoever of them has committed or is open, and has not delivered, loses the
 * unit by it. False when nobody has. */
bool mix_forfeit(struct referee *referee, struct table *table, bool x, bool y);

/* mix.c: the time of the step is over. */
void mix_expire(struct referee *referee, struct table *table);

/* pair.c: whether the table has to wait before it shows the step, which counts as completed
 * unless `any` answer of the other leg is enough; pair_wake then goes on with it. */
bool pair_waits(struct referee *referee, struct table *table, enum table_wait wait, unsigned step,
                bool any);

/* pair.c: a step of the turn that runs, counted through the game. */
unsigned pair_step(const struct table *table, enum pair_step step);

/* pair.c: a table has moved on: the other leg looks again whether it has to wait. */
void pair_stir(struct referee *referee, const struct table *table);
void pair_wake(struct referee *referee, struct table *table);

/* pause.c: the table's own time: it stands still while the table is paused. */
int64_t table_time(const struct referee *referee, const struct table *table);

/* pause.c: sets or drops the deadline of what is awaited, in the table's own time. */
void table_set_deadline(struct referee *referee, struct table *table, int64_t at);
void table_clear_deadline(struct table *table);

/* pause.c: freezes a new table when all are. */
void table_inherit_pause(const struct referee *referee, struct table *table);

/* game.c: starts the next game. */
void game_start(struct referee *referee, struct table *table);

/* game.c: from a decision to the next request: throws, and passes over what cannot be played. */
void game_proceed(struct referee *referee, struct table *table);

/* game.c: the legal plays of the throw in force are in the referee's room; how many. */
size_t game_plays(struct referee *referee, const struct table *table);

/* game.c: the throw is played as the verdict says, at this cost to the bot (NULL: it was not
 * asked); false when that has ended the game. */
bool game_take(struct referee *referee, struct table *table, const struct cost *cost);

/* game.c: puts the open decision to its side, as a fresh request. */
void game_ask(struct referee *referee, struct table *table);

/* game.c: the game has come to an end without a fault. */
void game_finish(struct referee *referee, struct table *table, struct outcome outcome,
                 enum reason reason);

/* game.c: the running game is lost by the fault. */
void game_lose(struct referee *referee, struct table *table, const struct fault *fault);

/* What an earlier answer of the open request's ply has taken: the `roll` before a play, ms. */
int64_t table_spent(const struct table *table);

/* The cost of a ply whose last answer had this one: that of a `roll` before it goes with it. */
struct cost table_ply_cost(const struct table *table, struct cost last);

/* wait.c: the kernel has taken the open request, or was given time enough: its clock starts. */
void wait_start(struct referee *referee, struct table *table);

/* wait.c: the clock of a request that has started goes on, or stands still. */
void wait_run(struct referee *referee, struct table *table);
void wait_stop(struct referee *referee, struct table *table);

/* wait.c: what is left for the open request, margin aside, ms; only with a clock that is set. */
int64_t wait_left(struct referee *referee, struct table *table);

/* wait.c: the clock stops for good with an answer, and the side asked is charged. */
enum clock_flag wait_settle(struct referee *referee, struct table *table);

/* wait.c: the clock stops for good without one; whether the match is lost by it. */
bool wait_lapse(struct referee *referee, struct table *table);

/* wait.c: sets the timer of a session's shared time. */
void wait_arm(struct referee *referee, struct session *session);

/* wait.c: the shared time of a session has come to where requests of its are over. */
void wait_expire(struct referee *referee, struct session *session);

/* answer.c: a play has arrived as the answer to the open request. */
void game_answer(struct referee *referee, struct table *table, const char *claim, size_t length);

/* answer.c: another answer than a play: `act`, and the kind of a resignation. */
void game_act(struct referee *referee, struct table *table, enum act act, int kind);

/* answer.c: a line that answers the open request, but cannot be read: `why` says where. */
void game_spoilt(struct referee *referee, struct table *table, struct hash_field line,
                 const char *why);

/* game.c: whether a side has a request that is not answered. */
bool game_is_asking(const struct table *table, enum side side);

/* game.c: the clock of the open request starts, whether or not it can be read. */
void game_start_clock(struct referee *referee, struct table *table);

/* throw.c: the next throw of the side that throws; false: its list has no more. */
bool throw_dice(struct table *table);

/* throw.c: the opening throws of the next game, or of the one that runs; how many there were, 0
 * none, -1 when the list has no more. */
enum { OPENING_THROWS_MAX = 128 };
int throw_opening(const struct table *table, struct roll opening[OPENING_THROWS_MAX]);

/* throw.c: what comes of a list that has no more: the match ends, or waits for the operator. */
void throw_is_missing(struct referee *referee, struct table *table);

/* game.c: the kernel has taken the open request whole. */
void game_request_sent(struct referee *referee, struct table *table);

/* game.c: no answer came in time. */
void game_overrun(struct referee *referee, struct table *table);

/* game.c: the running game is lost by `side`; what follows is left to the caller. */
void game_forfeit(struct referee *referee, struct table *table, enum side side, enum reason reason);

/* tell.c: messages to a seat (held back as news where said) and lines of the record. */
void tell_match(struct referee *referee, struct table *table, enum side side);
void tell_game(struct referee *referee, struct table *table, const struct roll *opening,
               int throws);
void tell_error(struct referee *referee, const struct table *table, enum side side,
                const char *code, const char *why);
void tell_result(struct referee *referee, struct table *table, const struct game_facts *facts);
void tell_end(struct referee *referee, struct table *table, int winner, enum reason reason);
void tell_pause(struct referee *referee, const struct table *table, enum side side);
void tell_resume(struct referee *referee, const struct table *table, enum side side);
void tell_news(struct referee *referee, struct table *table, enum side side);

/* ply.c: a ply, to both seats (held back until their next request or result) and into the
 * record; `cost` NULL: nobody was asked. */
void tell_did(struct referee *referee, struct table *table, const struct play *play,
              const struct cost *cost);
void tell_act(struct referee *referee, struct table *table, enum act act, int kind,
              const struct cost *cost);

/* ply.c: what an answer has cost; of what was shared, how. */
void tell_set_cost(struct table *table, struct message *message, const struct cost *cost);

/* state.c: the seat has been told everything that has happened so far. */
void tell_heard(struct table *table, enum side side);

/* state.c: where the match stands, as far as the seat was told; what it is asked comes with it. */
void tell_state(struct referee *referee, struct table *table, enum side side);

/* What several messages carry: the match; opening throws. */
void tell_set_match(struct message *message, const struct table *table, enum side side);
void tell_set_throws(struct message *message, enum field field, const struct roll *opening,
                     int throws);

/* request.c: asks the side asked: `turn`, `cube` or `offer`. */
void tell_request(struct referee *referee, struct table *table);

/* request.c: says the open request once more, with its serial and the time that is left. */
void tell_open_request(struct referee *referee, struct table *table);

void record_header(const struct referee *referee, struct table *table,
                   const struct match_spec *spec);
void record_void(struct table *table);
void record_fault(struct table *table, const struct fault *fault);
void record_rethrow(struct table *table, enum throw_flaw flaw);
void record_dispute(struct table *table, enum side side, uint64_t serial, const char *code);

#endif
