/* Matches of `hakem check` at the real referee: a referee of its own is told
 * what the bot says and tells it what it has to, with a built-in opponent on the
 * other side. Whatever it complains about is the bot's fault. */
#ifndef HAKEM_CLI_CHECK_MATCH_H
#define HAKEM_CLI_CHECK_MATCH_H

#include "cli/check_talk.h"

struct check_games {
    /* what is to be played */
    const struct rules *rules;
    int matches;
    int tables;     /* matches at once, the bot's tables at most */
    int64_t budget; /* us: no new match after that, and no further play after three times that */
    const char *seed;
    struct bytes *said; /* NULL, or what the bot says is added to it */
    /* what was */
    int games, finished; /* games; matches */
    bool declined;       /* one of them, by the bot */
    long memory[2];      /* KiB after the first game and after the last */
};

/* Plays with a bot that has said hello and has not been told anything. False: a fault. */
bool check_play(struct talk *talk, struct check_games *games);

#endif
