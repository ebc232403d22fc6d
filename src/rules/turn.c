#include "rules/turn.h"

enum { RING = 24, ROW = 6, ON_BOARD = POINTS_ON_BOARD };

uint32_t turn_standing(const struct turn *turn, const struct board *board) {
    return points_with(board->men[turn->mover], 1) & ~point_bit(POINT_OFF);
}

/* R0.10-11, R2.12, R3.22: own points, empty points, and a lone checker where
 * the variant hits. A hit only ever leaves an open point behind, so this holds
 * for the whole turn. */
static void find_open(struct turn *turn) {
    const uint8_t *opposing = turn->start->board.men[turn->other];
    uint32_t taken = points_mirror(turn->path, points_with(opposing, 1));
    uint32_t closed = points_mirror(turn->path, points_with(opposing, 2));
    turn->blots = turn->rules->variant->hits ? taken & ~closed : 0;
    turn->open = (ON_BOARD & ~taken) | turn->blots;
}

/* The six points from `first` on, round the ring. */
static uint32_t row_from(int first) {
    uint32_t row = (point_bit(ROW) - 1) << first;
    return (row | row >> RING) & ON_BOARD;
}

/* B34. Whether a row is legal, as the opponent counts it, who stands on `taken`; he
 * passes a row downwards, and what he has borne off (point 0) has passed. */
static bool row_is_allowed(const struct turn *turn, uint32_t row, uint32_t taken) {
    switch ((enum wall_front)turn->rules->value[OPTION_WALL_FRONT]) {
    case WALL_FRONT_FRONT:
        return (taken & ((row & (~row + 1)) - 1)) != 0;
    case WALL_FRONT_HOME:
        return (taken & (point_bit(HOME_POINTS + 1) - 1)) != 0;
    case WALL_FRONT_BEHIND:
        return (taken & ON_BOARD) >> highest_of(row) > 1;
    }
    return false;
}

/* Notes a row of six unless it is out of reach: each step fills one point at most. */
static void note_wall(struct turn *turn, uint32_t row) {
    uint32_t missing = row & ~turn->standing;
    for (int die = 0; die < turn->dice_count; die++) {
        missing &= missing - 1;
    }
    if (missing == 0) {
        turn->walls[turn->wall_count++] = row;
    }
}

/* B33: which rows of six may be walls. They are counted on the opponent's path, or
 * on the mover's own. */
static void find_walls(struct turn *turn) {
    enum wall_path path = (enum wall_path)turn->rules->value[OPTION_WALL_PATH];
    uint32_t taken = points_with(turn->start->board.men[turn->other], 1);
    int rows = path == WALL_PATH_RING ? RING : RING - ROW + 1;
    for (int first = 1; first <= rows; first++) {
        uint32_t row = row_from(first);
        uint32_t mirrored = points_mirror(turn->path, row);
        bool own_path = path == WALL_PATH_OWN;
        if (!row_is_allowed(turn, own_path ? mirrored : row, taken)) {
            note_wall(turn, own_path ? row : mirrored);
        }
    }
    turn->step_walls = turn->rules->value[OPTION_WALL] == WALL_STEP ? turn->wall_count : 0;
}

/* What fevga has of its own: the runner (F4), the starting quarter that may not be
 * filled (F6), and the row right before an opponent who has every checker on one
 * point, which must not stay (F7). */
static void find_fevga(struct turn *turn) {
    const int *value = turn->rules->value;
    const uint8_t *opposing = turn->start->board.men[turn->other];
    uint32_t past = point_bit(point_mirror(turn->path, RING)) - point_bit(1);
    bool passed =
        (turn->standing & past) != 0 || turn->start->board.men[turn->mover][POINT_OFF] > 0;
    turn->runner = value[OPTION_RUNNER] && !passed ? past : 0;
    if (value[OPTION_START_WALL] != START_WALL_OFF) {
        note_wall(turn, point_bit(RING + 1) - point_bit(RING + 1 - ROW));
    }
    turn->step_walls = value[OPTION_START_WALL] == START_WALL_STEP ? turn->wall_count : 0;
    for (int point = ROW + 1; point <= RING && value[OPTION_UNBLOCK]; point++) {
        if (opposing[point] == turn->rules->variant->checkers) {
            uint32_t row = 0;
            for (int before = point - ROW; before < point; before++) {
                row |= point_bit(point_mirror(turn->path, before));
            }
            note_wall(turn, row);
        }
    }
}

bool turn_walled(const struct turn *turn, const struct board *board, int count) {
    uint32_t standing = turn_standing(turn, board);
    for (int i = 0; i < count; i++) {
        if ((turn->walls[i] & ~standing) == 0) {
            return true;
        }
    }
    return false;
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
    if (turn->runner != 0 && (standing & turn->runner) == 0) {
        standing &= ~standing + 1; /* the foremost: the lowest bit */
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
        struct board next;
        turn_step(turn, board, highest_of(sources), dice[0], &next);
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
        find_walls(turn);
    } else if (variant->school == SCHOOL_FEVGA) {
        find_fevga(turn);
    }
    if (variant->head != 0) {
        turn->head = point_bit(variant->head);
        turn->head_limit = 1;
        turn->head_limit = head_gives_two(turn) ? 2 : 1;
    }
    turn->order_matters = turn->shakes_down || turn->step_walls > 0 || turn->runner != 0;
}
