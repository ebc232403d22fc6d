#include "rules/board.h"

#include <string.h>

const char *side_name(int side) {
    return side < 0 ? "none" : side == SIDE_X ? "X" : "Y";
}

bool board_equal(const struct board *a, const struct board *b) {
    return memcmp(a->men, b->men, sizeof a->men) == 0;
}

int board_pips(const struct board *board, enum side side) {
    int pips = 0;
    for (int point = 1; point <= POINT_BAR; point++) {
        pips += point * board->men[side][point];
    }
    return pips;
}
