#include "arena/tally.h"

struct tally tally_match(const struct rules *rules, const struct match_row *row) {
    struct tally tally = {
        .counts = row->winner >= 0 || (reason_flags(row->reason) & REASON_NOTHING) == 0,
        .halves = {1, 1}};
    struct match match;
    match_init(&match, rules);
    match.games = row->games;
    for (int side = 0; side < SIDE_COUNT; side++) {
        match.score[side] = row->score[side];
        if (row->winner >= 0) {
            tally.halves[side] = row->winner == side ? 2 : 0;
        }
    }
    if (row->offender >= 0) {
        match_give_up(&match, rules, (enum side)row->offender);
    }
    tally.net = match.score[SIDE_X] - match.score[SIDE_Y];
    tally.games = match.games;
    return tally;
}
