/* A record proven: every line chained and judged anew, every throw made again
 * from the seed that the record reveals, the seed against what was promised, the
 * signature over the whole. */
#ifndef HAKEM_RECORD_VERIFY_H
#define HAKEM_RECORD_VERIFY_H

#include "dice/throws.h"
#include "record/replay.h"

enum verify_outcome {
    VERIFY_PROVEN,  /* all of it */
    VERIFY_PREFIX,  /* sound as far as it goes, but without its end, seed or signature */
    VERIFY_REFUSED  /* something does not hold */
};

/* A game of a record that has ended, or become void. */
struct verify_game {
    unsigned game, attempt;
    bool is_void;                 /* then the rest is nothing */
    struct replay_result result;
    int offender;                 /* side that forfeited, -1 none */
    enum side starter;
    unsigned plies;
};

/* What is known from elsewhere; NULL where nothing is. */
struct verify_known {
    const char *seed;   /* the open seed of seeded dice */
    const struct throws *throws; /* the file of recorded dice */
    const uint8_t *key; /* SIGN_PUBLIC_BYTES: whose signature it has to be */
    /* Is told of each game; with the owner of the findings. NULL: nobody asks. */
    void (*game)(void *owner, const struct verify_game *game);
};

/* One thing that does not hold. The sentence is English, as refusals of the rules are. */
struct verify_finding {
    uint64_t line; /* 0: the record as a whole */
    const char *text;
};

/* What was found, whatever the outcome. */
struct verify_report {
    struct record_header header; /* where lines > 0 */
    uint64_t lines;              /* that hold */
    unsigned games, plies;
    unsigned throws;             /* made again from the seed and found equal */
    bool ended;                  /* an `end` was read, and says: */
    int winner;                  /* side, -1 none */
    enum reason end_reason;
    int offender;                /* who gave the match up, -1 nobody */
    struct match match;          /* score and games */
    struct hash head;            /* of its line */
    bool seed_known;             /* the seed was revealed and is the one that was promised */
    bool seed_open;              /* and it follows from the open seed that is known */
    bool throws_known;           /* recorded dice: their file was given, and is the one */
    bool signature_holds;
    bool mixed;                  /* the players were asked to add to the dice, and did this: */
    struct contribution of[PLAYERS];
};

/* Verifies a whole record text; each thing that does not hold is told to `finding`. */
enum verify_outcome verify_record(const char *text, size_t length,
                                  const struct verify_known *known,
                                  void (*finding)(void *owner,
                                                  const struct verify_finding *finding),
                                  void *owner, struct verify_report *report);

#endif
