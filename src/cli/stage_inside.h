/* The inside of a stage: what its files share. Nobody else includes this. */
#ifndef HAKEM_CLI_STAGE_INSIDE_H
#define HAKEM_CLI_STAGE_INSIDE_H

#include "arena/stopping.h"
#include "cli/luck_worker.h"
#include "cli/stage.h"
#include "net/control.h"
#include "record/event_log.h"

enum { LEGS_MAX = 2, RECORD_TEXT_MAX = 256 << 20 };

/* One leg of a unit that has not ended, or has ended while its mate has not. */
struct leg {
    bool ended;
    bool resumed;               /* begun by an earlier process */
    bool sealed;                /* its seal is in the store already */
    struct bytes text;          /* the record so far, where it is needed */
    struct hash head;           /* of the record, once ended */
    uint64_t lines;
    struct bytes seal;          /* the last lines of the record, once the unit has ended */
    uint32_t session[SIDE_COUNT]; /* who played it, to be told the seed */
};

/* A unit in work: its dice, and what is known of its legs. Waits for the disk
 * once more when it is sealed, then becomes files and is freed. */
struct book {
    struct book *next;
    struct unit unit;
    struct unit_dice dice;
    bool mixed;                 /* what the players have added to the dice is known: */
    struct contribution of[PLAYERS];
    struct hash digest;         /* what its receipt signs, */
    uint64_t ticket;            /* and when it is on disk */
    struct leg leg[LEGS_MAX];
};

/* How far a running match is. */
enum bout_state {
    BOUT_VOIDING, /* the void of the interrupted game awaits the disk; seats are vacant */
    BOUT_PLAYS,   /* at a table of the referee */
    BOUT_OVER     /* freed at the end of the turn */
};

struct bout {
    struct bout *next;
    enum bout_state state;
    struct assignment what;
    struct book *book;
    uint32_t table;             /* 0 while referee_seat has not returned */
    uint64_t ticket;            /* of the void */
    bool begun;                 /* by an earlier process */
    bool reserved;              /* its seats are, and nobody knows yet */
    struct match_spec spec;     /* of it, while reserved */
    bool vacant[SIDE_COUNT];
    bool cramped[SIDE_COUNT];   /* it never has the two tables that lockstep needs */
};

/* Something that is put, and shown once it is on disk. */
enum pending_kind { PENDING_MIX, PENDING_GAME, PENDING_MATCH, PENDING_SEAL };

struct pending {
    uint64_t ticket;
    struct bytes faults;        /* lines of the record about faults */
    enum pending_kind kind;
    union {
        struct game_row game;
        struct match_row match;
        struct book *book; /* of a seal, which owns it */
        uint32_t unit;     /* of a mix */
    } of;
};

/* What the event stream has said of an event, where there is one. */
struct announced {
    bool on;
    bool news;        /* something since the last line about how far it is */
    int64_t began;    /* ms of the referee's clock */
    int64_t last;     /* when a match ended, or it began */
    int64_t next;     /* when the next one may come */
    uint64_t matches; /* finished when it began */
    int64_t games;
};

/* The event's log, STORE/log.hkl: appended to as things come to be on disk. */
struct stage_log {
    int descriptor;                /* -1: there is none, or it failed */
    struct event_log at;
    struct bytes out;              /* not yet written */
    struct event_log_entry *known; /* what an earlier process has logged, sorted */
    size_t known_count, known_room;
    char evaluator[EVENT_LOG_EVALUATOR_MAX]; /* the last one it names; "" */
};

/* The luck of its games: where the event has it. */
struct stage_luck {
    struct net *net;
    struct luck_worker *worker;    /* NULL: the event goes without */
    struct watch *watch;
    struct fortune fortune;
    int descriptor;                /* of STORE/luck.csv; -1: there is none, or it failed */
    bool holding;                  /* this was found, and its game is not on disk yet: */
    struct luck_found held;
};

struct stage {
    struct stage *next;         /* of the host's */
    struct stage_setup setup;
    struct host *host;
    struct event *event;
    struct store *store;
    struct tournament *plan, *shown;
    struct hash master_commitment;
    unsigned files;             /* FILES_HKM, FILES_MAT: what is written */
    struct control *control;
    struct watch *wakeup;
    struct announced announced;
    bool settled;               /* nothing could be seated, and nothing has changed since */
    bool failed;                /* the disk: `fail` says how */
    bool paused;
    int64_t cramped_since;      /* nothing runs, and no pair finds two tables; 0: it does */
    uint64_t missing;           /* copies that could not be written */
    size_t asked;               /* records the store was asked for and has not given yet */
    struct stage_log log;
    struct stage_luck luck;
    struct stopping stopping;   /* of an event that stops when its bots are told apart */
    struct fail fail;
    uint64_t awake;             /* ticket: the mark of a clean rest is gone; 0 there was none */
    uint64_t hurried;           /* ticket of the last start mark that the disk was asked for */
    uint64_t *start;            /* [unit] ticket of its start mark; UINT64_MAX: none */
    uint32_t start_space;       /* units it has places for */
    struct bout *bouts;
    struct book *books;
    struct pending *pending;    /* a queue: from `pending_first`, `pending_count` of them */
    size_t pending_first, pending_count, pending_room;
};

/* stage_book.c: the book of a unit, made when first asked for. */
struct book *book_open(struct stage *stage, const struct unit *unit);
void book_free(struct book *book);

/* stage_book.c: a leg's record goes on, ends; the last one seals the unit. */
void book_add(struct stage *stage, struct book *book, int leg, const char *text, size_t length);
void book_end_leg(struct stage *stage, struct book *book, int leg,
                  const struct match_facts *facts);
void book_seal(struct stage *stage, struct book *book);

/* stage_book.c: a leg has no record so far that says what was added to the dice, or it has. */
void book_take_mix(struct book *book, const struct leg *leg);

/* stage_seat.c: what the players have added to the dice of a unit is on disk. */
void stage_show_mix(struct stage *stage, uint32_t unit);

/* stage_fault.c: takes the lines about faults out of a piece of a record, and tells them. */
void faults_find(const char *piece, size_t length, struct bytes *out);
void faults_show(struct stage *stage, const struct pending *pending);

/* stage_stream.c: lines of the event stream, where the host has one: what is played, what
 * begins, what went wrong and what is over, how far it is (returned is when that is due
 * again), and the last tables. */
void announce_event(struct stage *stage, int64_t now);
void announce_start(const struct stage *stage, const struct assignment *what);
void announce_fault(const struct stage *stage, const struct fault_row *row);
void announce_game(struct stage *stage, const struct game_row *row);
void announce_match(struct stage *stage, const struct match_row *row);
void announce_luck(struct stage *stage, const struct fortune_game *game);
int64_t announce_turn(struct stage *stage, int64_t now);
void announce_end(struct stage *stage, int64_t now);

/* stage_book.c: queues what is to be shown with that ticket, and shows what is on disk. */
void pending_add(struct stage *stage, const struct pending *pending);
void pending_show(struct stage *stage);

/* stage_log.c: the log of a store that was opened; what is on disk goes into it once, and so
 * does by which evaluator luck is taken off from here on; a checkpoint. */
void stage_log_open(struct stage *stage);
void stage_log_match(struct stage *stage, const struct match_row *row);
void stage_log_game(struct stage *stage, const struct game_row *row);
void stage_log_luck(struct stage *stage, const char *evaluator);
void stage_log_check(struct stage *stage);
void stage_log_close(struct stage *stage);

/* stage_luck.c: the evaluator is there, or there is none to be had; a store was opened; its loop
 * turns. */
int stage_luck_ready(struct stage *stage, struct fail *fail) __attribute__((warn_unused_result));
void stage_luck_open(struct stage *stage);
void stage_luck_begin(struct stage *stage);
void stage_luck_close(struct stage *stage);

/* stage_luck.c: a piece of a record that was put; what an earlier process has left of a match,
 * if its luck is not known (`text` NULL: it is in the store). */
void stage_luck_piece(struct stage *stage, const struct luck_piece *piece);
int stage_luck_resume(struct stage *stage, uint32_t unit, int leg, const struct bytes *text,
                      struct fail *fail) __attribute__((warn_unused_result));

/* stage_luck.c: what was found is taken over; whether so much waits that no match should begin,
 * and whether nothing does; waits for that. */
void stage_luck_turn(struct stage *stage);
bool stage_luck_is_full(const struct stage *stage);
bool stage_luck_is_settled(const struct stage *stage);
void stage_luck_finish(struct stage *stage);

/* stage_luck.c: whether the event has been decided, and no unit is begun any more. */
void stage_stop_look(struct stage *stage);

/* stage.c: the event has grown: so do its tournaments. */
void stage_grow(struct stage *stage);

/* stage.c: what was put is waited for and shown, also when the run ends early. */
void stage_drain(struct stage *stage);

/* stage_seat.c: seats and reseats; true when it wants another turn soon. */
bool stage_seat_all(struct stage *stage, bool closing, int64_t now);

/* stage_past.c: the record of a match that somebody watches, as far as it was written down;
 * owner: the stage. */
void stage_take_past(void *owner, uint32_t show, const char *text, size_t length);

#endif
