/* Why a game or a match ended: the closed list of protocol/README.md, "Reasons and forfeits".
 * One table says what follows from each; whoever counts results asks it. */
#ifndef HAKEM_RECORD_REASON_H
#define HAKEM_RECORD_REASON_H

enum reason {
    REASON_NORMAL,
    REASON_DROP,    /* of a double */
    REASON_RESIGN,  /* that was accepted */
    REASON_ILLEGAL, /* from here on somebody's or the referee's fault */
    REASON_MALFORMED,
    REASON_TIMEOUT,
    REASON_DISCONNECT,
    REASON_STALL,
    REASON_WITHHELD, /* what it had declared for the dice */
    REASON_CAP,
    REASON_VOID,
    REASON_ABORTED,
    REASON_COUNT
};

/* What follows from a reason. Whoever is at fault loses: there is always a winner then. */
enum {
    REASON_BY_FAULT = 1, /* somebody's: a `fault` line may name it */
    REASON_ON_TURN = 2,  /* in a game only the seat on turn can have it */
    REASON_LEAVES = 4,   /* a match can be given up by it, also between games */
    REASON_BOTH = 8,     /* both sides may have it at once, between games: nobody wins */
    REASON_NOTHING = 16  /* where nobody wins by it, no player has brought that about: it is no
                            result, and the whole unit counts for nothing; else it is a draw */
};

unsigned reason_flags(enum reason reason);

/* The word of a reason ("timeout"), and back: -1 for no such word. */
const char *reason_name(enum reason reason);
int reason_find(const char *name);

#endif
