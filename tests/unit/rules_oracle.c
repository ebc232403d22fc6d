/* A second, dumb generator, written from rules.md alone: it tries every step of
 * every order of the dice, remembers head and hits as it goes, tests the whole
 * board for walls, and sorts out afterwards. It shares nothing with src/rules
 * but the names of the options. Random positions of all kinds, under random
 * options, must give the same finals, the same dice count and the same verdicts.
 * It is built once for each variant, ORACLE_VARIANT. */
#include "check.h"

#include "rules/play.h"
#include "rules/position.h"

#ifdef __SANITIZE_ADDRESS__
enum { POSITIONS = 20000 };
#else
enum { POSITIONS = 200000 };
#endif
#ifndef ORACLE_VARIANT
#define ORACLE_VARIANT VARIANT_WESTERN
#endif
enum { ENDS_MAX = 40000, SEEN_MAX = 1 << 17 };

/* ---- chance, the same on every machine */

static uint64_t seed = 20261130;

static int pick(int count) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int)((seed >> 20) % (uint64_t)count);
}

/* ---- the dumb rules */

struct state {
    uint8_t me[26], you[26];
    uint8_t from_head;
    uint8_t hitter[7]; /* home points where a hit of this turn happened */
};

struct end {
    struct state state;
    uint8_t dice, single; /* dice used; the die if one of two different ones */
};

static const struct rules *rules;
static const struct situation *start;
static int head_limit;
static struct end ends[ENDS_MAX];
static int end_count;
static uint32_t seen[SEEN_MAX];      /* index + 1 of an end by hash, 0 free */
static uint32_t end_slots[ENDS_MAX]; /* where each end is noted */

static int value(enum option option) {
    return rules->value[option];
}

static bool is_uzun(void) {
    return rules->variant->id == VARIANT_UZUN;
}

static bool is_fevga(void) {
    return rules->variant->id == VARIANT_FEVGA;
}

static int checkers(void) {
    return rules->variant->id == VARIANT_HYPERGAMMON ? 3 : 15;
}

static int facing(int point) {
    if (is_uzun() || is_fevga()) {
        return (point + 11) % 24 + 1;
    }
    return 25 - point;
}

static bool is_closed(const struct state *state, int point) {
    return state->you[facing(point)] >= (is_uzun() || is_fevga() ? 1 : 2);
}

static bool all_home(const struct state *state) {
    for (int point = 7; point <= 25; point++) {
        if (state->me[point] > 0) {
            return false;
        }
    }
    return true;
}

static bool is_highest(const struct state *state, int point) {
    for (int other = point + 1; other <= 25; other++) {
        if (state->me[other] > 0) {
            return false;
        }
    }
    return true;
}

/* Fevga: one checker has come past point 12, where the opponent starts. */
static bool has_passed(const struct state *state) {
    for (int point = 0; point < 12; point++) {
        if (state->me[point] > 0) {
            return true;
        }
    }
    return false;
}

static bool is_foremost(const struct state *state, int point) {
    for (int other = 0; other < point; other++) {
        if (state->me[other] > 0) {
            return false;
        }
    }
    return true;
}

static bool may_leave(const struct state *state, int from) {
    if (state->me[from] == 0 || (from != 25 && state->me[25] > 0)) {
        return false;
    }
    if (is_fevga() && value(OPTION_RUNNER) && !has_passed(state) && !is_foremost(state, from)) {
        return false;
    }
    if (is_uzun() && from == 24 && state->from_head >= head_limit) {
        return false;
    }
    return from > 6 || !state->hitter[from] || state->me[from] > 1 ||
           value(OPTION_HIT_AND_RUN) == HIT_AND_RUN_ALLOWED;
}

/* Where `die` takes a checker from `from`: a point, 0 for off, -1 for nowhere. */
static int target(const struct state *state, int from, int die) {
    if (!may_leave(state, from)) {
        return -1;
    }
    if (from - die >= 1) {
        if (!is_closed(state, from - die)) {
            return from - die;
        }
        if (value(OPTION_BEAROFF) != BEAROFF_LITERAL000 || !all_home(state) || state->me[die] > 0 ||
            !is_highest(state, from)) {
            return -1;
        }
        for (int other = die + 1; other <= 6; other++) {
            if (may_leave(state, other) && !is_closed(state, other - die)) {
                return -1;
            }
        }
        return 0;
    }
    return all_home(state) && (from == die || is_highest(state, from)) ? 0 : -1;
}

/* Whether you[] has a checker where it makes a row legal; low and high are its ends. */
static bool row_is_free(const struct state *state, int low, int high) {
    int front = state->you[0], home = state->you[0], behind = 0;
    for (int point = 1; point <= 24; point++) {
        front += point < low ? state->you[point] : 0;
        home += point <= 6 ? state->you[point] : 0;
        behind += point > high ? state->you[point] : 0;
    }
    int wanted = value(OPTION_WALL_FRONT);
    return (wanted == WALL_FRONT_FRONT ? front : wanted == WALL_FRONT_HOME ? home : behind) > 0;
}

static bool has_wall(const struct state *state) {
    int path = value(OPTION_WALL_PATH);
    for (int first = 1; value(OPTION_WALL) != WALL_OFF && first <= 24; first++) {
        int low = 25, high = 0, filled = 0;
        if (path != WALL_PATH_RING && first > 19) {
            break;
        }
        for (int i = 0; i < 6; i++) {
            int point = (first + i - 1) % 24 + 1; /* on the path the rows are counted on */
            int mine = path == WALL_PATH_OWN ? point : facing(point);
            int yours = path == WALL_PATH_OWN ? facing(point) : point;
            filled += state->me[mine] > 0;
            low = yours < low ? yours : low;
            high = yours > high ? yours : high;
        }
        if (filled == 6 && !row_is_free(state, low, high)) {
            return true;
        }
    }
    return false;
}

/* Fevga: the starting quarter full. */
static bool is_start_full(const struct state *state) {
    for (int point = 19; point <= 24; point++) {
        if (state->me[point] == 0) {
            return false;
        }
    }
    return true;
}

/* Fevga: all of the opponent's checkers on one point, the six before it held. */
static bool is_locked(const struct state *state) {
    for (int point = 7; point <= 24; point++) {
        int held = 0;
        for (int i = 1; i <= 6; i++) {
            held += state->me[facing(point - i)] > 0;
        }
        if (state->you[point] == 15 && held == 6) {
            return true;
        }
    }
    return false;
}

/* One step; false when it is against the rules. */
static bool step(struct state *state, int from, int die) {
    int to = target(state, from, die);
    if (to < 0) {
        return false;
    }
    state->me[from]--;
    state->me[to]++;
    state->from_head = (uint8_t)(state->from_head + (from == 24));
    if (to > 0 && state->you[facing(to)] > 0) {
        state->you[facing(to)]--;
        state->you[25]++;
        if (to <= 6) {
            state->hitter[to] = 1;
        }
    }
    if (is_fevga()) {
        return value(OPTION_START_WALL) != START_WALL_STEP || !is_start_full(state);
    }
    return value(OPTION_WALL) != WALL_STEP || !has_wall(state);
}

static bool same(const struct state *a, const struct state *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* Notes a position with the dice it took; false when it is known. */
static bool note(const struct state *state, int dice, int single) {
    uint32_t hash = (uint32_t)(dice * 7 + single);
    for (size_t i = 0; i < sizeof *state; i++) {
        hash = hash * 16777619u ^ ((const uint8_t *)state)[i];
    }
    for (;; hash++) {
        uint32_t *slot = &seen[hash % SEEN_MAX];
        if (*slot == 0) {
            ends[end_count] = (struct end){*state, (uint8_t)dice, (uint8_t)single};
            end_slots[end_count] = hash % SEEN_MAX;
            *slot = (uint32_t)++end_count;
            return true;
        }
        const struct end *known = &ends[*slot - 1];
        if (known->dice == dice && known->single == single && same(&known->state, state)) {
            return false;
        }
    }
}

static void explore(const struct state *state, const int *dice, int left, int used) {
    for (int from = 1; left > 0 && from <= 25; from++) {
        struct state next = *state;
        if (step(&next, from, dice[0])) {
            int single = left == 2 && used == 0 ? dice[0] : 0;
            if (note(&next, used + 1, single)) {
                explore(&next, dice + 1, left - 1, used + 1);
            }
        }
    }
}

static struct state start_state(void) {
    struct state state = {.from_head = 0};
    memcpy(state.me, start->board.men[start->mover], 26);
    memcpy(state.you, start->board.men[1 - start->mover], 26);
    return state;
}

static void explore_all(void) {
    int a = start->dice[0], b = start->dice[1];
    struct state state = start_state();
    while (end_count > 0) {
        seen[end_slots[--end_count]] = 0;
    }
    if (a == b) {
        explore(&state, (int[]){a, a, a, a}, 4, 0);
    } else {
        explore(&state, (int[]){a, b}, 2, 0);
        explore(&state, (int[]){b, a}, 2, 0);
    }
}

static bool may_end(const struct end *end) {
    if (is_fevga()) {
        return (value(OPTION_START_WALL) == START_WALL_OFF || !is_start_full(&end->state)) &&
               (!value(OPTION_UNBLOCK) || !is_locked(&end->state));
    }
    return !has_wall(&end->state);
}

static int most_dice(void) {
    int most = 0;
    for (int i = 0; i < end_count; i++) {
        if (may_end(&ends[i]) && ends[i].dice > most) {
            most = ends[i].dice;
        }
    }
    return most;
}

static void set_head_limit(void) {
    bool twins = start->dice[0] == start->dice[1];
    int die = start->dice[0];
    head_limit = 1;
    if (!is_uzun() || !start->first_turn ||
        (value(OPTION_HEAD_EXCEPTION_WHO) == HEAD_WHO_GAME &&
         start->board.men[1 - start->mover][24] != 15)) {
        return;
    }
    int rule = value(OPTION_HEAD_EXCEPTION);
    bool two = rule == HEAD_ANY || (rule == HEAD_ANY_DOUBLE && twins) ||
               (rule == HEAD_LISTED && twins && (die == 3 || die == 4 || die == 6));
    if (rule == HEAD_BLOCKED) {
        explore_all();
        two = most_dice() < (twins ? 4 : 2);
    }
    head_limit = two ? 2 : 1;
}

static struct board end_board(const struct state *state) {
    struct board board;
    memcpy(board.men[start->mover], state->me, 26);
    memcpy(board.men[1 - start->mover], state->you, 26);
    return board;
}

static struct board finals[ENDS_MAX];
static uint64_t sums[ENDS_MAX]; /* of each final, so that most others are told apart fast */

static uint64_t sum_of(const struct board *board) {
    uint64_t sum = 0;
    for (int side = 0; side < 2; side++) {
        for (int place = 0; place < 26; place++) {
            sum = sum * 31 + board->men[side][place];
        }
    }
    return sum;
}

static bool is_final(const struct board *board, int count) {
    uint64_t sum = sum_of(board);
    for (int i = 0; i < count; i++) {
        if (sums[i] == sum && board_equal(&finals[i], board)) {
            return true;
        }
    }
    return false;
}

/* Sorts out the legal finals; returns their number. */
static int dumb_finals(int *dice_used) {
    int count = 0, larger = 0;
    *dice_used = 0;
    set_head_limit();
    explore_all();
    int most = most_dice();
    for (int i = 0; i < end_count; i++) {
        if (may_end(&ends[i]) && ends[i].single > larger) {
            larger = ends[i].single;
        }
    }
    for (int i = 0; i < end_count; i++) {
        bool won = value(OPTION_WIN_ENDS_TURN) && ends[i].state.me[0] == checkers();
        bool enough = !value(OPTION_MUST_MAX) || ends[i].dice == most;
        bool due = !value(OPTION_LARGER_DIE) || most != 1 || ends[i].single == 0 ||
                   ends[i].single == larger;
        if (!may_end(&ends[i]) || !((enough && due) || won)) {
            continue;
        }
        struct board board = end_board(&ends[i].state);
        if (!is_final(&board, count)) {
            sums[count] = sum_of(&board);
            finals[count++] = board;
        }
        *dice_used = ends[i].dice > *dice_used ? ends[i].dice : *dice_used;
    }
    if (count == 0) {
        sums[count] = sum_of(&start->board);
        finals[count++] = start->board;
    }
    return count;
}

/* ---- positions */

static void put(struct board *board, int side, int point) {
    int other = facing(point);
    if (point >= 1 && point <= 24 && board->men[1 - side][other] > 0) {
        point = 0;
    }
    board->men[side][point]++;
}

/* A row of six or seven points of uzun with gaps, the other side mostly behind it. */
static void build_row(struct board *board) {
    int side = pick(2), first = pick(24);
    memset(board, 0, sizeof *board);
    for (int i = 0; i < 15; i++) {
        int point = (first + (i < 7 ? i : pick(14))) % 24 + 1;
        if (i >= 7 || pick(6) > 0) {
            board->men[side][point]++;
        } else {
            board->men[side][0]++;
        }
    }
    for (int i = 0; i < 15; i++) {
        put(board, 1 - side, pick(30) == 0 ? 1 + pick(24) : 19 + pick(6));
    }
}

/* The beginning of a game of fevga: one checker or none away from the start. */
static void run_out(struct board *board) {
    memset(board, 0, sizeof *board);
    for (int side = 0; side < 2; side++) {
        board->men[side][24] = 14;
        put(board, side, 24 - pick(18));
    }
    for (int side = 0; side < 2; side++) {
        int sum = 0;
        for (int place = 0; place <= 25; place++) {
            sum += board->men[side][place];
        }
        board->men[side][24] = (uint8_t)(board->men[side][24] + 15 - sum);
        board->men[side][24] = (uint8_t)(board->men[side][24] + board->men[side][0]);
        board->men[side][0] = 0;
    }
}

/* What fevga forbids, nearly: the starting quarter, or six points before fifteen. */
static void build_fevga(struct board *board) {
    int side = pick(2), point = 7 + pick(18);
    bool start_row = pick(2) == 0;
    memset(board, 0, sizeof *board);
    board->men[1 - side][point] = 15;
    for (int i = 0; i < 15; i++) {
        int own = start_row ? 19 + i % 6 : facing(point - 1 - i % 6);
        own = i >= 6 && pick(2) == 0 ? 1 + pick(24) : own;
        put(board, side, pick(8) == 0 ? own % 24 + 1 : own);
    }
}

/* All kinds: spread, home only, few checkers, bars, full heads and rows. */
static void scatter(struct board *board) {
    int all = checkers();
    if (is_uzun() && pick(2) == 0) {
        build_row(board);
        return;
    }
    if (is_fevga() && pick(3) > 0) {
        (pick(2) == 0 ? run_out : build_fevga)(board);
        return;
    }
    memset(board, 0, sizeof *board);
    for (int side = 0; side < 2; side++) {
        int kind = pick(5);
        int width = kind == 0 ? 6 : kind == 1 ? 12 : 24;
        int count = kind == 2 ? 1 + pick(5) : kind < 2 ? 5 + pick(11) : 15;
        bool bar = rules->variant->hits && pick(3) == 0;
        count = count < all ? count : all;
        bool head = is_uzun() && kind == 4;
        for (int i = 0; i < count; i++) {
            put(board, side, bar && pick(6) == 0 ? 25 : head && i < 11 ? 24 : 1 + pick(width));
        }
        board->men[side][0] = (uint8_t)(board->men[side][0] + all - count);
    }
}

static void shuffle_options(struct rules *chosen) {
    rules_init(chosen, chosen->variant);
    for (int option = 0; option < OPTION_COUNT; option++) {
        const struct option_row *row = option_row((enum option)option);
        int words = 0;
        while (words < OPTION_WORDS_MAX && row->words[words] != NULL) {
            words++;
        }
        if (words > 0 && variant_has_option(chosen->variant, (enum option)option) && pick(3) == 0) {
            chosen->value[option] = pick(words);
        }
    }
}

/* ---- comparisons */

static struct play_room room, spare;

static void print_situation(void) {
    char text[POSITION_TEXT_MAX];
    position_write(&start->board, text);
    printf("# %s mover %d dice %d%d first %d options", text, (int)start->mover, start->dice[0],
           start->dice[1], start->first_turn);
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (rules_differs(rules, (enum option)option)) {
            char word[16];
            option_write((enum option)option, rules->value[option], word);
            printf(" %s=%s", option_row((enum option)option)->name, word);
        }
    }
    printf("\n");
}

/* Every listed play, applied and judged, gives its final. */
static bool plays_hold(size_t count) {
    static struct verdict verdict;
    for (size_t n = 0; n < 3; n++) {
        const struct option_play *entry = &room.list[pick((int)count)];
        struct board board = start->board;
        char text[PLAY_TEXT_MAX];
        size_t length = play_write(&entry->play, ' ', pick(2) != 0, text);
        play_apply(rules, start->mover, &entry->play, &board);
        play_judge(rules, start, text, length, &spare, &verdict);
        if (!board_equal(&board, &entry->final) || verdict.judgement != JUDGED_LEGAL ||
            !board_equal(&verdict.final, &entry->final)) {
            printf("# play %s: %s\n", text, verdict.reason);
            return false;
        }
    }
    return true;
}

/* Whether the steps, whose dice are to be found, are legal in order and end on a final. */
static bool dumb_judge(const struct state *state, const int (*steps)[2], int left, const int *dice,
                       int dice_left, int count) {
    if (left == 0) {
        struct board board = end_board(state);
        return is_final(&board, count);
    }
    for (int i = 0; i < dice_left; i++) {
        struct state next = *state;
        int rest[4] = {0}, n = 0;
        for (int k = 0; k < dice_left; k++) {
            if (k != i) {
                rest[n++] = dice[k];
            }
        }
        if (target(state, steps[0][0], dice[i]) == steps[0][1] &&
            step(&next, steps[0][0], dice[i]) &&
            dumb_judge(&next, steps + 1, left - 1, rest, n, count)) {
            return true;
        }
    }
    return false;
}

/* A point as a play names it. */
static void name_point(int point, char out[4]) {
    if (point == POINT_BAR || point == POINT_OFF) {
        snprintf(out, 4, "%s", point == POINT_BAR ? "bar" : "off");
    } else {
        snprintf(out, 4, "%d", point);
    }
}

/* A blank behind a claim, which keeps it from being judged as it is read, changes nothing. */
static bool blank_is_nothing(const char *claim, const struct verdict *verdict) {
    static struct verdict bare;
    size_t length = strlen(claim);
    if (length == 0) {
        return true;
    }
    play_judge(rules, start, claim, length - 1, &spare, &bare);
    bool same = bare.judgement == verdict->judgement &&
                strcmp(bare.reason, verdict->reason) == 0 &&
                (bare.judgement != JUDGED_LEGAL ||
                 (board_equal(&bare.final, &verdict->final) &&
                  bare.play.count == verdict->play.count &&
                  memcmp(bare.play.step, verdict->play.step,
                         (size_t)bare.play.count * sizeof bare.play.step[0]) == 0));
    if (!same) {
        printf("# claim %s: %d without its blank, %s\n", claim, bare.judgement, bare.reason);
    }
    return same;
}

/* A legal play with its order changed and perhaps one leg or the last. */
static int spoil_play(int (*steps)[2], size_t count) {
    const struct play *play = &room.list[pick((int)count)].play;
    int length = play->count;
    for (int i = 0; i < length; i++) {
        int from = pick(i + 1);
        steps[i][0] = steps[from][0];
        steps[i][1] = steps[from][1];
        steps[from][0] = play->step[i].from;
        steps[from][1] = play->step[i].to;
    }
    if (length > 0 && pick(2) == 0) {
        int die = start->dice[pick(2)], from = 1 + pick(25), i = pick(length);
        steps[i][0] = from;
        steps[i][1] = from > die ? from - die : 0;
    }
    return length > 1 && pick(4) == 0 ? length - 1 : length;
}

/* Steps that are possible one by one, whatever the turn as a whole demands. */
static int walk(int (*steps)[2], const int *dice, int count) {
    struct state state = start_state();
    int length = 0;
    for (int i = 0; i < count; i++) {
        int from[26], found = 0;
        for (int point = 1; point <= 25; point++) {
            if (target(&state, point, dice[i]) >= 0) {
                from[found++] = point;
            }
        }
        if (found > 0) {
            steps[length][0] = from[pick(found)];
            steps[length][1] = target(&state, steps[length][0], dice[i]);
            step(&state, steps[length++][0], dice[i]);
        }
    }
    return length;
}

/* Whether a step is longer than either die, as bearoff=literal000 has it: 6/off by a 4.
 * It reads as several steps as well, which may be legal where the one is not. */
static bool is_long(const int (*steps)[2], int length) {
    int a = start->dice[0], b = start->dice[1];
    for (int i = 0; i < length; i++) {
        if (steps[i][0] - steps[i][1] > (a > b ? a : b)) {
            return true;
        }
    }
    return false;
}

/* A claim of single steps gets the verdict that the dumb rules give it. */
static bool verdicts_agree(size_t count) {
    static struct play_room other_room;
    static struct verdict verdict;
    int a = start->dice[0], b = start->dice[1];
    for (int n = 0; n < 4; n++) {
        int steps[4][2];
        char text[64] = "";
        int length = n % 2 == 0 ? spoil_play(steps, count)
                                : walk(steps, n == 1 ? (int[]){a, b, b, b} : (int[]){b, a, a, a},
                                       a == b ? 4 : 2);
        for (int i = 0; i < length; i++) {
            size_t at = strlen(text);
            char from[4], to[4];
            name_point(steps[i][0], from);
            name_point(steps[i][1], to);
            snprintf(text + at, sizeof text - at, "%s/%s ", from, to);
        }
        struct state state = start_state();
        bool legal =
            dumb_judge(&state, steps, length, (int[]){a, b, b, b}, a == b ? 4 : 2, (int)count);
        play_judge(rules, start, text, strlen(text), &other_room, &verdict);
        if (!blank_is_nothing(text, &verdict)) {
            return false;
        }
        if (!legal && is_long(steps, length)) {
            continue;
        }
        if ((verdict.judgement == JUDGED_LEGAL) != legal || (verdict.reason[0] == '\0') != legal) {
            printf("# claim %s: %d, %s\n", text, legal, verdict.reason);
            return false;
        }
    }
    return true;
}

static bool agrees(void) {
    int dice_used;
    size_t count = plays_list(rules, start, room.list, PLAYS_MAX);
    int expected = dumb_finals(&dice_used);
    bool good = (int)count == expected && plays_dice_used(room.list, count) == dice_used &&
                plays_any(rules, start, spare.list, PLAYS_MAX) == (dice_used > 0);
    for (size_t i = 0; i < count && good; i++) {
        good = is_final(&room.list[i].final, expected);
    }
    struct rules sequence = *rules;
    sequence.value[OPTION_PLAY_CHECK] = PLAY_CHECK_SEQUENCE;
    rules = &sequence;
    good = good && plays_hold(count) && verdicts_agree(count);
    if (!good) {
        printf("# listed %zu, dumb %d, dice %d\n", count, expected, dice_used);
        print_situation();
    }
    return good;
}

/* The next position: play on at random, or begin a new one. */
static void advance(struct situation *situation, size_t count) {
    situation->board = room.list[pick((int)count)].final;
    situation->mover = side_other(situation->mover);
    situation->first_turn = pick(10) == 0;
    if (pick(60) == 0) {
        board_init(&situation->board, rules);
        situation->first_turn = true;
    } else if (pick(2) == 0) {
        scatter(&situation->board);
    }
    situation->dice[0] = (uint8_t)(1 + pick(6));
    situation->dice[1] = (uint8_t)(1 + pick(6));
}

static void compare(enum variant_id id, bool all_options) {
    struct rules chosen;
    struct situation situation = {.mover = SIDE_X, .dice = {3, 1}, .first_turn = true};
    int good = 0, positions = POSITIONS / 2;
    chosen.variant = variant_row(id);
    rules_init(&chosen, chosen.variant);
    board_init(&situation.board, &chosen);
    for (int n = 0; n < positions; n++) {
        if (all_options) {
            shuffle_options(&chosen);
        }
        rules = &chosen;
        start = &situation;
        good += agrees();
        rules = &chosen;
        advance(&situation, plays_list(&chosen, &situation, room.list, PLAYS_MAX));
    }
    CHECK(good == positions, "%s, %s: %d of %d positions agree", chosen.variant->name,
          all_options ? "random options" : "default options", good, positions);
}

int main(void) {
    compare(ORACLE_VARIANT, false);
    compare(ORACLE_VARIANT, true);
    return check_done();
}
