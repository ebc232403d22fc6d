/* Fortune: the luck of an event's games as it becomes known, and what the event says without
 * it (estimate.h). Luck is whole numbers and is added up in the schedule's order, so that it
 * does not matter in which order games were played or read.
 *
 * STORE/luck.csv keeps it (protocol/record.md, "The luck of an event"): the head declares,
 * before anything is played, by which evaluator and which reading is the headline. */
#ifndef HAKEM_ARENA_FORTUNE_H
#define HAKEM_ARENA_FORTUNE_H

#include "arena/estimate.h"
#include "arena/luck.h"
#include "arena/rating.h"
#include "arena/tally.h"
#include "arena/tournament.h"

/* The luck of a finished game, to who sat on X. */
struct fortune_game {
    uint32_t unit;
    int leg;
    struct luck_game luck;
};

/* What is known of a match: its first games. */
struct fortune_leg {
    int games;
    int64_t points, wins;        /* luck */
    struct estimate_games each;  /* the games as samples */
};

struct fortune {
    const struct event *event;   /* must outlive it */
    char evaluator[NET_NAME_MAX]; /* whose luck it is; "": none is known */
    char declared[NET_NAME_MAX]; /* the first that was declared */
    uint64_t since;              /* matches that had ended when it was */
    struct fortune_leg *leg;     /* [match number - 1], owned */
    uint64_t legs, games;
};

void fortune_init(struct fortune *fortune, const struct event *event);
void fortune_clear(struct fortune *fortune);

/* Forgets the luck of all games. */
void fortune_forget(struct fortune *fortune);

/* Takes a game, if it is the next one of its match; else false. */
bool fortune_add(struct fortune *fortune, const struct fortune_game *game);

/* Games of a match whose luck is known. */
int fortune_known(const struct fortune *fortune, uint32_t unit, int leg);

/* Adds a match that counts to the sample of its unit, seen by who sat on that side. */
void fortune_add_match(const struct tally *tally, const struct fortune_leg *leg, enum side side,
                       struct estimate_unit *sample);

/* A unit as a sample of its two bots, seen by the lower-numbered one. */
enum fortune_state {
    FORTUNE_MISSING, /* it is not over, or its luck is not known yet */
    FORTUNE_NONE,    /* it is over without a result */
    FORTUNE_KNOWN
};
enum fortune_state fortune_sample(const struct fortune *fortune, const struct event *event,
                                  const struct tournament *tournament, uint32_t unit,
                                  struct estimate_unit *out);

/* The samples of every two bots: units that are over and whose luck is known. Without a
 * fortune (NULL) all that are over, as if there was no luck: good for the raw reading alone. */
struct fortune_survey {
    int entrants;
    struct estimate_units *pair; /* see fortune_pair, owned */
    uint64_t known, missing;     /* matches with a result: luck known, or not (yet) */
};
void fortune_survey(const struct fortune *fortune, const struct event *event,
                    const struct tournament *tournament, struct fortune_survey *out);
void fortune_survey_init(struct fortune_survey *survey, const struct event *event); /* empty */
void fortune_survey_clear(struct fortune_survey *survey);

/* Of two bots, a < b, seen by a. */
struct estimate_units *fortune_pair(const struct fortune_survey *survey, int a, int b);

/* A bot against all it met, the luck taken off as fitted. */
struct fortune_bot {
    struct rating rating;        /* from the scores, as rating.h has it */
    struct estimate_figure points; /* a game */
};

/* Every bot of the survey. A pair of bots has its own betas where it has units enough, else
 * those that all such pairs have in common; each unit that of the other half. */
void fortune_rate(const struct fortune_survey *survey, struct fortune_bot *out);

/* The same of an event in one call; NULL without a fortune. The caller frees. */
struct fortune_bot *fortune_bots(const struct fortune *fortune, const struct event *event,
                                 const struct tournament *tournament);

/* The luck of the whole event: the squares of the luck t of every two bots, what they should
 * come to (Student's t squared), and of how many two that is. */
struct fortune_luck {
    double squares, expected;
    int pairs;
};
struct fortune_luck fortune_luck(const struct fortune_survey *survey);

/* The head of luck.csv, and the line of a game. */
void fortune_write_head(const struct fortune *fortune, struct bytes *out);
void fortune_write_game(const struct fortune_game *game, struct bytes *out);

/* Reads a luck.csv as far as it is whole; how many bytes that are. 0 where its head is none. */
size_t fortune_read(struct fortune *fortune, const char *text, size_t length);

#endif
