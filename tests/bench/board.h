/* Western backgammon as cheaply as can be, for the bot and the floor of this folder:
 * a board of signed counts as one side sees it, and a search for one full play. Not for
 * judging anybody: hakem's own rules live in src/rules/. */
#ifndef HAKEM_BENCH_BOARD_H
#define HAKEM_BENCH_BOARD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BOARD_POINTS = 26, BOARD_BAR = 25 };

struct counts {
    int8_t point[BOARD_POINTS]; /* own men positive; 25 is the own bar, 0 the opponent's */
};

struct steps {
    int count;
    int from[4], to[4]; /* to 0: borne off */
};

/* A search for a play: the dice in their order, the play so far and the longest met. */
struct search {
    const int *dice;
    int count; /* of the dice */
    int start; /* the point where the search begins, so that games differ */
    struct steps now, best;
};

static inline void board_start(struct counts *board) {
    static const int8_t start[BOARD_POINTS] = {[24] = 2, [13] = 5,  [8] = 3,   [6] = 5,
                                               [1] = -2, [12] = -5, [17] = -3, [19] = -5};
    memcpy(board->point, start, sizeof start);
}

/* An own step. */
static inline void board_move(struct counts *board, int from, int to) {
    board->point[from]--;
    if (to == 0) {
        return;
    }
    if (board->point[to] == -1) {
        board->point[to] = 0;
        board->point[0]--;
    }
    board->point[to]++;
}

/* A step of the opponent, in our numbering. */
static inline void board_suffer(struct counts *board, int from, int to) {
    board->point[from == BOARD_BAR ? 0 : from]++;
    if (to == 0) {
        return;
    }
    if (board->point[to] == 1) {
        board->point[to] = 0;
        board->point[BOARD_BAR]++;
    }
    board->point[to]--;
}

static inline bool board_may_move(const struct counts *board, int from, int die) {
    int to = from - die;
    if (board->point[from] <= 0 || (board->point[BOARD_BAR] > 0 && from != BOARD_BAR)) {
        return false;
    }
    if (to > 0) {
        return board->point[to] >= -1;
    }
    for (int point = 7; point <= BOARD_BAR; point++) {
        if (board->point[point] > 0) {
            return false;
        }
    }
    for (int point = from + 1; point <= 6 && to < 0; point++) {
        if (board->point[point] > 0) {
            return false;
        }
    }
    return true;
}

static inline void search_note(struct search *search) {
    const struct steps *now = &search->now;
    struct steps *best = &search->best;
    bool larger = now->count == 1 && best->count == 1 &&
                  now->from[0] - now->to[0] > best->from[0] - best->to[0];
    if (now->count > best->count || larger) {
        *best = *now;
    }
}

/* Looks for a play of all dice; keeps the longest that it meets, and of two with one die
 * that of the larger. True when it uses all. */
static inline bool search_from(struct search *search, const struct counts *board) {
    struct steps *now = &search->now;
    int step = now->count;
    search_note(search);
    if (step == search->count) {
        return true;
    }
    for (int i = 0; i < BOARD_BAR; i++) {
        bool entering = board->point[BOARD_BAR] > 0;
        int from = entering ? BOARD_BAR : 1 + (search->start + i) % (BOARD_BAR - 1);
        if (board_may_move(board, from, search->dice[step])) {
            struct counts next = *board;
            now->from[step] = from;
            now->to[step] = from > search->dice[step] ? from - search->dice[step] : 0;
            board_move(&next, from, now->to[step]);
            now->count = step + 1;
            if (search_from(search, &next)) {
                return true;
            }
            now->count = step;
        }
        if (entering) {
            break;
        }
    }
    return false;
}

/* A legal play of the throw, `start` chooses among them; no step where there is none. */
static inline struct steps board_choose(const struct counts *board, int a, int b, int start) {
    int one[4] = {a, b, a, a}, two[4] = {b, a};
    struct search search = {.dice = one, .count = a == b ? 4 : 2, .start = start};
    if (!search_from(&search, board) && a != b) {
        search.now.count = 0;
        search.dice = two;
        search_from(&search, board);
    }
    return search.best;
}

/* ---- numbers and points as text, without printf */

static inline char *put_number(char *to, unsigned long long number) {
    char digits[20];
    int at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    memcpy(to, digits + at, sizeof digits - (size_t)at);
    return to + sizeof digits - at;
}

/* " 8/5 bar/20": the points of the other side where `mirrored`. */
static inline char *put_play(char *to, const struct steps *play, bool mirrored) {
    for (int i = 0; i < 2 * play->count; i++) {
        int point = i % 2 == 0 ? play->from[i / 2] : play->to[i / 2];
        *to++ = i % 2 == 0 ? ' ' : '/';
        if (point == 0 || point == BOARD_BAR) {
            memcpy(to, point == 0 ? "off" : "bar", 3);
            to += 3;
        } else {
            to = put_number(to, (unsigned)(mirrored ? BOARD_BAR - point : point));
        }
    }
    return to;
}

/* A number behind at most one blank. */
static inline const char *get_number(const char *at, unsigned long long *number) {
    *number = 0;
    at += *at == ' ';
    for (; *at >= '0' && *at <= '9'; at++) {
        *number = *number * 10 + (unsigned)(*at - '0');
    }
    return at;
}

static inline const char *get_point(const char *at, int *point) {
    unsigned long long number;
    if (*at == 'b' || *at == 'o') {
        *point = *at == 'b' ? BOARD_BAR : 0;
        return at + 3;
    }
    at = get_number(at, &number);
    *point = (int)number;
    return at;
}

/* " 8/5* 6/5": stops before what is no step. */
static inline const char *get_play(const char *at, struct steps *play) {
    play->count = 0;
    while (at[0] == ' ' && (at[1] == 'b' || (at[1] >= '0' && at[1] <= '9')) && play->count < 4) {
        at = get_point(at + 1, &play->from[play->count]);
        at = get_point(at + (*at == '/'), &play->to[play->count]);
        at += *at == '*';
        play->count++;
    }
    return at;
}

#endif
