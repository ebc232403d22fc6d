/* How fast legal plays are listed, and a claimed play judged. Counted are sets: all
 * legal finals of one position and one throw, each with a play, in the caller's room.
 * The positions are those of positions.txt, 1,000, with all 21 throws; for the games
 * whose sides run the same way, as many from random play of their own.
 *
 * Beside each rate stands its ratio to a floor of the same round: as many finals
 * copied from one, the least that any listing does. Times are CPU times of this
 * process; rates are medians, with the least and the most of all rounds. */
#include "rules/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POSITIONS = 1000, THROWS = 21, SETS = POSITIONS * THROWS, ROUNDS = 15, PASSES = 4 };

/* What is measured in each round, as rates a second. */
enum measure { LISTED, COPIED, JUDGED, MEASURE_COUNT };

struct claim_text {
    char text[PLAY_TEXT_MAX];
    size_t length;
};

static struct situation sets[SETS];
static size_t counts[SETS];
static struct claim_text claims[SETS];
static struct play_room room;
static struct option_play copies[PLAYS_MAX];
static struct verdict verdict;
static uint64_t seed = 20261202;

static int pick(int count) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int)((seed >> 20) % (uint64_t)count);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* All throws on a position. */
static void add_sets(int position, struct situation situation) {
    int n = position * THROWS;
    for (uint8_t a = 1; a <= 6; a++) {
        for (uint8_t b = 1; b <= a; b++) {
            situation.dice[0] = a;
            situation.dice[1] = b;
            sets[n++] = situation;
        }
    }
}

static void read_line(const char *line, struct board *board) {
    memset(board, 0, sizeof *board);
    for (int place = 0; place <= POINT_BAR; place++) {
        char letter = line[place];
        if (letter >= 'A' && letter <= 'O') {
            board->men[SIDE_X][place] = (uint8_t)(letter - 'A' + 1);
        } else if (letter >= 'a' && letter <= 'o') {
            board->men[SIDE_Y][25 - place] = (uint8_t)(letter - 'a' + 1);
        }
    }
}

/* The positions of the file; false when it is not there or not whole. */
static bool read_sets(const char *path) {
    char line[128];
    int position = 0;
    FILE *file = fopen(path, "r");
    while (file != NULL && position < POSITIONS && fgets(line, sizeof line, file) != NULL) {
        struct situation situation = {.mover = SIDE_X};
        if (line[0] != '#' && strlen(line) == POINT_COUNT + 1) {
            read_line(line, &situation.board);
            add_sets(position++, situation);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return position == POSITIONS;
}

/* Positions of random games, from the eighth turn on while nobody has borne off. */
static void play_sets(const struct rules *rules) {
    struct situation now_played = {.mover = SIDE_X};
    int turn = 0;
    board_init(&now_played.board, rules);
    for (int position = 0; position < POSITIONS;) {
        const struct board *board = &now_played.board;
        bool bears_off = board->men[SIDE_X][POINT_OFF] + board->men[SIDE_Y][POINT_OFF] > 0;
        if (bears_off) {
            board_init(&now_played.board, rules);
            turn = 0;
        }
        now_played.first_turn = turn < 2;
        now_played.dice[0] = (uint8_t)(1 + pick(6));
        now_played.dice[1] = (uint8_t)(1 + pick(6));
        if (turn++ >= 8 && pick(4) == 0) {
            add_sets(position++, now_played);
        }
        size_t count = plays_list(rules, &now_played, room.list, PLAYS_MAX);
        now_played.board = room.list[pick((int)count)].final;
        now_played.mover = side_other(now_played.mover);
    }
}

/* Counts the plays of every set, passes apart, and picks one of each to claim. */
static size_t count_plays(const struct rules *rules, size_t *passes) {
    size_t plays = 0;
    *passes = 0;
    for (int n = 0; n < SETS; n++) {
        counts[n] = plays_list(rules, &sets[n], room.list, PLAYS_MAX);
        const struct play *claimed = &room.list[pick((int)counts[n])].play;
        claims[n].length = play_write(claimed, ' ', true, claims[n].text);
        *passes += room.list[0].play.count == 0;
        plays += room.list[0].play.count == 0 ? 0 : counts[n];
    }
    return plays;
}

/* Keeps the compiler from leaving out what nobody reads. */
static void use(const void *memory) {
    __asm__ volatile("" : : "r"(memory) : "memory");
}

static void do_set(const struct rules *rules, enum measure measure, int n) {
    switch (measure) {
    case LISTED:
        plays_list(rules, &sets[n], room.list, PLAYS_MAX);
        use(room.list);
        break;
    case COPIED:
        for (size_t i = 0; i < counts[n]; i++) {
            copies[i] = copies[PLAYS_MAX - 1];
            use(copies);
        }
        break;
    case JUDGED:
        play_judge(rules, &sets[n], claims[n].text, claims[n].length, &room, &verdict);
        use(&verdict);
        break;
    case MEASURE_COUNT:
        break;
    }
}

static double rate_of(const struct rules *rules, enum measure measure) {
    double begun = now();
    for (int n = 0; n < PASSES * SETS; n++) {
        do_set(rules, measure, n % SETS);
    }
    return PASSES * SETS / (now() - begun);
}

static int by_size(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void print_rate(const char *name, double *rates) {
    qsort(rates, ROUNDS, sizeof rates[0], by_size);
    printf("%s=%.0f (%.0f-%.0f)", name, rates[ROUNDS / 2], rates[0], rates[ROUNDS - 1]);
}

static void print_ratio(const char *name, double *ratios) {
    qsort(ratios, ROUNDS, sizeof ratios[0], by_size);
    printf(" %s=%.3f", name, ratios[ROUNDS / 2]);
}

static void measure_variant(enum variant_id id, const char *positions) {
    struct rules rules;
    size_t passes;
    double rates[MEASURE_COUNT][ROUNDS], to_floor[ROUNDS], to_list[ROUNDS];
    rules_init(&rules, variant_row(id));
    size_t plays = count_plays(&rules, &passes);
    printf("%s: %s, %d positions x %d throws, plays_in_one_pass=%zu passes=%zu\n",
           rules.variant->name, positions, POSITIONS, THROWS, plays, passes);
    for (int round = 0; round < ROUNDS; round++) {
        for (int measure = 0; measure < MEASURE_COUNT; measure++) {
            rates[measure][round] = rate_of(&rules, (enum measure)measure);
        }
        to_floor[round] = rates[LISTED][round] / rates[COPIED][round];
        to_list[round] = rates[JUDGED][round] / rates[LISTED][round];
    }
    print_rate("  list: sets_per_s", rates[LISTED]);
    printf(" plays_per_s=%.0f", rates[LISTED][ROUNDS / 2] * (double)plays / SETS);
    print_ratio("of_copying", to_floor);
    print_rate("\n  judge: claims_per_s", rates[JUDGED]);
    print_ratio("of_listing", to_list);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc != 2 || !read_sets(argv[1])) {
        fprintf(stderr, "usage: plays FILE, with the %d positions of tests/bench/positions.txt\n",
                POSITIONS);
        return 2;
    }
    measure_variant(VARIANT_WESTERN, "the standard set");
    measure_variant(VARIANT_TAVLA, "the standard set");
    for (int id = 0; id < VARIANT_COUNT; id++) {
        struct rules rules;
        rules_init(&rules, variant_row((enum variant_id)id));
        if (rules.variant->path == PATH_PARALLEL) {
            play_sets(&rules);
            measure_variant((enum variant_id)id, "random play");
        }
    }
    return 0;
}
