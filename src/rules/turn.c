#include "rules/turn.h"

enum { RING = 24, ROW = 6 };

static int men_between(const uint8_t men[POINT_COUNT], int first, int last) {
    int sum = 0;
    for (int point = first; point <= last; point++) {
        sum += men[point];
    }
    return sum;
}

uint32_t turn_standing(const struct turn *turn, const struct board *board) {
    const uint8_t *men = board->men[turn->mover];
    uint32_t points = 0;
    for (int point = 1; point <= POINT_BAR; point++) {
        points |= (uint32_t)(men[point] != 0) << point;
    }
    return points;
}

/* R0.10-11, R2.12, R3.22: own points, empty points, and a lone checker where
 * the variant hits. A hit only ever leaves an open point behind, so this holds
 * for the whole turn. */
static void find_open(struct turn *turn) {
    const uint8_t *opposing = turn->start->board.men[turn->other];
    for (int point = 1; point < POINT_BAR; point++) {
        int men = opposing[point_mirror(turn->path, point)];
        turn->open |= (uint32_t)(men == 0) << point;
        turn->blots |= (uint32_t)(men == 1) << point;
    }
    turn->blots = turn->rules->variant->hits ? turn->blots : 0;
    turn->open |= turn->blots;
}

/* B34. `low` and `high` are the ends of a row in the opponent's numbering; he
 * passes a row downwards, and what he has borne off (point 0) has passed. */
static bool row_is_allowed(const struct turn *turn, int low, int high) {
    const uint8_t *opposing = turn->start->board.men[turn->other];
    switch ((enum wall_front)turn->rules->value[OPTION_WALL_FRONT]) {
    case WALL_FRONT_FRONT:
        return men_between(opposing, POINT_OFF, low - 1) > 0;
    case WALL_FRONT_HOME:
        return men_between(opposing, POINT_OFF, HOME_POINTS) > 0;
    case WALL_FRONT_BEHIND:
        return men_between(opposing, high + 1, RING) > 0;
    }
    return false;
}

/* Notes the row of six whose first point is `first`, counted on the opponent's
 * path or on the mover's own, unless it is allowed or out of reach: each step
 * fills one point at most. */
static void add_wall(struct turn *turn, int first, bool own_path) {
    uint32_t row = 0;
    int low = RING, high = 1;
    for (int i = 0; i < ROW; i++) {
        int counted = (first - 1 + i) % RING + 1;
        int own = own_path ? counted : point_mirror(turn->path, counted);
        int opposing = point_mirror(turn->path, own);
        row |= point_bit(own);
        low = opposing < low ? opposing : low;
        high = opposing > high ? opposing : high;
    }
    uint32_t missing = row & ~turn->standing;
    if (__builtin_popcount(missing) <= turn->dice_count && !row_is_allowed(turn, low, high)) {
        turn->walls[turn->wall_count++] = row;
    }
}

/* B33: which rows of six may be walls. */
static void find_walls(struct turn *turn) {
    enum wall_path path = (enum wall_path)turn->rules->value[OPTION_WALL_PATH];
    int rows = path == WALL_PATH_RING ? RING : RING - ROW + 1;
    for (int first = 1; first <= rows; first++) {
        add_wall(turn, first, path == WALL_PATH_OWN);
    }
}

static bool wall_stands(const struct turn *turn, const struct board *board) {
    uint32_t standing = turn->wall_count > 0 ? turn_standing(turn, board) : 0;
    for (int i = 0; i < turn->wall_count; i++) {
        if ((turn->walls[i] & ~standing) == 0) {
            return true;
        }
    }
    return false;
}

bool turn_goes_on(const struct turn *turn, const struct board *board) {
    return turn->wall_count == 0 || turn->walls_at_end || !wall_stands(turn, board);
}

bool turn_ends(const struct turn *turn, const struct board *board) {
    return turn->wall_count == 0 || !wall_stands(turn, board);
}

bool turn_won(const struct turn *turn, const struct board *board) {
    return board->men[turn->mover][POINT_OFF] == turn->rules->variant->checkers;
}

bool turn_head_spent(const struct turn *turn, const struct board *board) {
    int head = turn->rules->variant->head;
    int left = board->men[turn->mover][head];
    return turn->head != 0 && turn->start->board.men[turn->mover][head] - left >= turn->head_limit;
}

uint32_t turn_held(const struct turn *turn, const struct board *board) {
    uint32_t held = 0;
    for (int point = 1; point <= HOME_POINTS && turn->hitter_stays; point++) {
        int other = point_mirror(turn->path, point);
        bool hit_here = turn->start->board.men[turn->other][other] > board->men[turn->other][other];
        if (hit_here && board->men[turn->mover][point] == 1) {
            held |= point_bit(point);
        }
    }
    return held;
}

/* Bearing off when everything stands at home: the exact point, else the highest
 * checker if it stands lower (R2.18-20, R3.30). */
static uint32_t bearing_off(uint32_t standing, int die) {
    if (standing & point_bit(die)) {
        return point_bit(die);
    }
    return standing != 0 && highest_of(standing) < die ? point_bit(highest_of(standing)) : 0;
}

uint32_t turn_sources(const struct turn *turn, const struct board *board, uint32_t standing,
                      int die) {
    bool all_home = standing < point_bit(HOME_POINTS + 1);
    uint32_t kept = turn->hitter_stays ? turn_held(turn, board) : 0;
    if (turn->head != 0 && turn_head_spent(turn, board)) {
        kept |= turn->head;
    }
    if (standing & point_bit(POINT_BAR)) {
        standing = point_bit(POINT_BAR); /* R0.24, R2.15 */
    }
    uint32_t sources = standing & turn->open << die;
    if (all_home) {
        sources |= bearing_off(standing, die);
    }
    sources &= ~kept;
    /* R0.28 to the letter: nothing on the die's point, nothing to shake down */
    if (turn->shakes_down && sources == 0 && all_home && (standing >> die & ~(uint32_t)1) != 0 &&
        !(standing & point_bit(die))) {
        sources = point_bit(highest_of(standing)) & ~kept;
    }
    return sources;
}

/* Whether dice[0..count) can be played in this order. */
static bool can_play(const struct turn *turn, const struct board *board, const uint8_t *dice,
                     int count) {
    if (count == 0) {
        return turn_ends(turn, board);
    }
    uint32_t sources = turn_sources(turn, board, turn_standing(turn, board), dice[0]);
    for (; sources != 0; sources &= ~point_bit(highest_of(sources))) {
        struct board next = *board;
        turn_step(turn, &next, highest_of(sources), dice[0]);
        if (turn_goes_on(turn, &next) && can_play(turn, &next, dice + 1, count - 1)) {
            return true;
        }
    }
    return false;
}

/* Whether all dice can be played with the limits set so far. */
static bool can_play_all(const struct turn *turn) {
    const uint8_t swapped[] = {turn->dice[1], turn->dice[0]};
    return can_play(turn, &turn->start->board, turn->dice, turn->dice_count) ||
           (turn->dice_count == 2 && can_play(turn, &turn->start->board, swapped, 2));
}

/* R3.20-21, B29-B30: the first turn may take two checkers from the head, not more. */
static bool head_gives_two(const struct turn *turn) {
    const struct variant *variant = turn->rules->variant;
    bool is_double = turn->dice_count == PLAY_STEPS_MAX;
    int die = turn->dice[0];
    int other_head = turn->start->board.men[turn->other][variant->head];
    if (!turn->start->first_turn ||
        (turn->rules->value[OPTION_HEAD_EXCEPTION_WHO] == HEAD_WHO_GAME &&
         other_head < variant->checkers)) {
        return false;
    }
    switch ((enum head_exception)turn->rules->value[OPTION_HEAD_EXCEPTION]) {
    case HEAD_LISTED:
        return is_double && (die == 3 || die == 4 || die == 6);
    case HEAD_BLOCKED:
        return !can_play_all(turn);
    case HEAD_ANY_DOUBLE:
        return is_double;
    case HEAD_ANY:
        return true;
    case HEAD_OFF:
        return false;
    }
    return false;
}

void turn_init(struct turn *turn, const struct rules *rules, const struct situation *start) {
    bool is_double = start->dice[0] == start->dice[1];
    const struct variant *variant = rules->variant;
    *turn = (struct turn){.rules = rules, .start = start, .mover = start->mover};
    turn->other = side_other(start->mover);
    turn->path = variant->path;
    turn->dice_count = is_double ? PLAY_STEPS_MAX : 2;
    for (int i = 0; i < turn->dice_count; i++) {
        turn->dice[i] = start->dice[is_double ? 0 : i];
    }
    turn->standing = turn_standing(turn, &start->board);
    find_open(turn);
    turn->hitter_stays = rules->value[OPTION_HIT_AND_RUN] == HIT_AND_RUN_HOME_FORBIDDEN;
    turn->shakes_down = rules->value[OPTION_BEAROFF] == BEAROFF_LITERAL000;
    if (rules->value[OPTION_WALL] != WALL_OFF) {
        turn->walls_at_end = rules->value[OPTION_WALL] == WALL_TURN_END;
        find_walls(turn);
    }
    if (variant->head != 0) {
        turn->head = point_bit(variant->head);
        turn->head_limit = 1;
        turn->head_limit = head_gives_two(turn) ? 2 : 1;
    }
    turn->order_matters = turn->shakes_down || (turn->wall_count > 0 && !turn->walls_at_end);
}
