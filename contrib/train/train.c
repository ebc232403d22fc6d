/* Trains the nets of hakem's evaluator by self-play: one thread, one seed, the rules of
 * src/rules/. What is written is a net as src/eval/ reads it, recipe in its head.
 *
 *     contrib/train/train --variant tavla --games 600000 --seed 1 --name tavla-1 --out FILE
 *
 * The recipe counts games, so that the same seed gives the same weights; --minutes stops by
 * the clock instead, and writes the number of games it came to. */
#include "base/file.h"
#include "float_net.h"
#include "held_out.h"
#include "rules/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS_EVERY = 8, LINE_NUMBERS = 64, REPORTS = 20, HELD_OUT = 400 };

/* Exit codes, besides 0: the net is written. */
enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_NO_BETTER = 3 };

struct options {
    const char *variant, *name, *out, *better_than;
    long games, seed, minutes, held_out;
};

struct trainer {
    struct rules rules;
    struct net *present; /* only a better one is taken, or NULL */
    struct float_net net;
    struct float_rows rows;
    struct play_room room;
    uint64_t random;
    struct board board[HELD_OUT_PLIES + 1]; /* of the game at hand, before each throw */
    enum side to_throw[HELD_OUT_PLIES + 1];
    int plies;
    double loss; /* sum of |chance - target| of the winner, */
    long steps;  /* over so many positions */
};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The place of the play that the net likes best. */
static size_t choose(struct trainer *trainer, const struct situation *situation, size_t count) {
    const struct variant *variant = trainer->rules.variant;
    enum side other = side_other(situation->mover);
    float sum[NET_HIDDEN], best = 1e30f;
    size_t place = 0;
    if (count == 1) {
        return 0;
    }
    float_rows_base(&trainer->net, &trainer->rows, &situation->board, other, sum);
    for (size_t i = 0; i < count; i++) {
        const struct board *final = &trainer->room.list[i].final;
        if (final->men[situation->mover][POINT_OFF] == variant->checkers) {
            return i;
        }
        float points = float_rows_points(&trainer->net, &trainer->rows, variant, &situation->board,
                                         sum, final, other);
        if (points < best) {
            best = points;
            place = i;
        }
    }
    return place;
}

/* Plays a game; its positions are kept, the last one is the finished board. */
static void play_game(struct trainer *trainer) {
    struct situation now = {.mover = SIDE_X, .first_turn = true};
    board_init(&now.board, &trainer->rules);
    held_out_throw(&trainer->rules, &trainer->random, 0, now.dice);
    trainer->plies = 0;
    while (trainer->plies < HELD_OUT_PLIES) {
        trainer->board[trainer->plies] = now.board;
        trainer->to_throw[trainer->plies++] = now.mover;
        size_t count = plays_list(&trainer->rules, &now, trainer->room.list, PLAYS_MAX);
        now.board = trainer->room.list[choose(trainer, &now, count)].final;
        if (now.board.men[now.mover][POINT_OFF] == trainer->rules.variant->checkers) {
            break;
        }
        now.mover = side_other(now.mover);
        now.first_turn = trainer->plies < 2;
        held_out_throw(&trainer->rules, &trainer->random, trainer->plies, now.dice);
    }
    trainer->board[trainer->plies] = now.board;
}

static void turn_round(float target[NET_RESULTS]) {
    for (int k = 0; k < NET_RESULTS / 2; k++) {
        float kept = target[k];
        target[k] = target[k + NET_RESULTS / 2];
        target[k + NET_RESULTS / 2] = kept;
    }
}

/* One pass over the game from its end: TD(lambda). */
static void learn_game(struct trainer *trainer, float step, float lambda) {
    struct float_view view;
    float target[NET_RESULTS] = {0};
    struct outcome outcome = board_outcome(&trainer->rules, &trainer->board[trainer->plies]);
    if (!outcome.over) {
        return;
    }
    target[outcome.points - 1] = 1; /* the last mover won, and was the one to throw */
    for (int i = trainer->plies - 1; i >= 0; i--) {
        unsigned possible =
            net_possible(trainer->rules.variant, &trainer->board[i], trainer->to_throw[i]);
        float_view_read(trainer->rules.variant, &trainer->board[i], trainer->to_throw[i], &view);
        float_net_forward(&trainer->net, possible, &view);
        float won = view.chance[0] + view.chance[1] + view.chance[2];
        float wanted = target[0] + target[1] + target[2];
        trainer->loss += won > wanted ? won - wanted : wanted - won;
        trainer->steps++;
        float_net_learn(&trainer->net, &view, possible, target, step);
        for (int k = 0; k < NET_RESULTS; k++) {
            target[k] = lambda * target[k] + (1 - lambda) * view.chance[k];
        }
        turn_round(target);
    }
}

/* The recipe of design/luck.md: step .2 -> .003 (geometric, in 1000 stairs, the last tenth
 * held), lambda .7, .3, 0. */
static float step_of(double progress) {
    float step = 0.2f;
    int stairs = (int)(progress / 0.9 * 1000);
    for (int i = 0; i < stairs && i < 1000; i++) {
        step *= 0.99580899f;
    }
    return step;
}

static float lambda_of(double progress) {
    return progress < 0.15 ? 0.7f : progress < 0.4 ? 0.3f : 0.0f;
}

/* ---- the file */

static void put_line(struct bytes *text, uint64_t *sum, const char *line) {
    bytes_print(text, "\"%s\\n\"\n", line);
    *sum = net_checksum(*sum, line, strlen(line));
}

static void put_weights(struct bytes *text, uint64_t *sum, const struct net_weights *weights) {
    const int16_t *numbers = (const int16_t *)weights;
    char line[LINE_NUMBERS * 4 + 1];
    for (size_t i = 0; i < NET_NUMBERS; i++) {
        size_t column = i % LINE_NUMBERS;
        snprintf(line + 4 * column, 5, "%04x", (unsigned)(uint16_t)numbers[i]);
        if (column == LINE_NUMBERS - 1 || i == NET_NUMBERS - 1) {
            put_line(text, sum, line);
        }
    }
}

/* Writes the net as a whole or not at all: the file may hold the present one. */
static int write_net(const struct options *options, long games, const struct net_weights *weights) {
    uint64_t sum = 0xcbf29ce484222325u;
    char line[128];
    struct bytes text;
    struct fail fail;
    bytes_init(&text, NET_TEXT_MAX);
    snprintf(line, sizeof line, "hakem-net %d", NET_VERSION);
    put_line(&text, &sum, line);
    snprintf(line, sizeof line, "variant %s", options->variant);
    put_line(&text, &sum, line);
    snprintf(line, sizeof line, "name %.22s", options->name);
    put_line(&text, &sum, line);
    snprintf(line, sizeof line, "recipe train --variant %s --games %ld --seed %ld --name %.22s",
             options->variant, games, options->seed, options->name);
    put_line(&text, &sum, line);
    put_weights(&text, &sum, weights);
    bytes_print(&text, "\"sum %016llx\\n\"\n", (unsigned long long)sum);
    int status = file_write(options->out, text.data, text.length, &fail);
    if (status != 0) {
        fprintf(stderr, "train: %s\n", fail.text);
    }
    bytes_clear(&text);
    return status;
}

/* The net that is to be beaten; NULL with a sentence where it is none. */
static struct net *read_present(const struct variant *variant, const char *path) {
    char why[NET_WHY_MAX];
    struct bytes text;
    struct fail fail;
    struct net *net = NULL;
    bytes_init(&text, NET_TEXT_MAX);
    if (file_read(path, &text, &fail) != 0) {
        fprintf(stderr, "train: %s\n", fail.text);
    } else if ((net = net_new(variant, text.data, text.length, why)) == NULL) {
        fprintf(stderr, "train: %s: %s\n", path, why);
    }
    bytes_clear(&text);
    return net;
}

/* Whether the net may take the place of the present one; says how good both are. */
static bool is_accepted(struct trainer *trainer, const struct options *options,
                        const struct net *net) {
    struct held_out nets[HELD_OUT_NETS] = {{.net = net}, {.net = trainer->present}};
    if (trainer->present == NULL) {
        return true;
    }
    held_out_judge(&trainer->rules, &trainer->room, options->held_out, nets, 2);
    bool better = nets[0].ratio > nets[1].ratio;
    printf("against %s: variance ratio %.2f, that of the present net %.2f on the same %ld games: "
           "%s\n",
           net_name(trainer->present), nets[0].ratio, nets[1].ratio, options->held_out,
           better ? "better, taken" : "no better, not written");
    return better;
}

/* Says how good the net is as it is now, and writes it if it is to be had; an exit code. */
static int finish(struct trainer *trainer, const struct options *options, long games) {
    struct net_weights weights;
    int cut = float_net_round(&trainer->net, &weights);
    struct net *net = net_begin(trainer->rules.variant, "trained");
    net_prepare(net, &weights);
    struct held_out alone = {.net = net};
    held_out_judge(&trainer->rules, &trainer->room, options->held_out, &alone, 1);
    printf("%ld games: variance ratio of self-play %.2f (%ld held-out games), weights cut %d\n",
           games, alone.ratio, options->held_out, cut);
    bool accepted = is_accepted(trainer, options, net);
    net_free(net);
    if (!accepted) {
        return EXIT_NO_BETTER;
    }
    return write_net(options, games, &weights) == 0 ? 0 : EXIT_FAILED;
}

static void report(struct trainer *trainer, long games, double began) {
    double spent = seconds() - began;
    printf("%ld games, %.0f games/s, %.0f s, %.1f plies/game, residual %.4f\n", games,
           (double)games / spent, spent, (double)trainer->plies,
           trainer->loss / (double)trainer->steps);
    trainer->loss = 0;
    trainer->steps = 0;
    fflush(stdout);
}

static int train(struct trainer *trainer, const struct options *options) {
    double began = seconds();
    long next = 1;
    for (long game = 0; game < options->games; game++) {
        double progress = options->minutes > 0
                              ? (seconds() - began) / (60.0 * (double)options->minutes)
                              : (double)game / (double)options->games;
        if (progress >= 1) {
            return finish(trainer, options, game);
        }
        if (game % ROWS_EVERY == 0) {
            float_rows_fill(&trainer->net, trainer->rules.variant->hits, &trainer->rows);
        }
        play_game(trainer);
        learn_game(trainer, step_of(progress), lambda_of(progress));
        if (progress * REPORTS >= (double)next) {
            report(trainer, game + 1, began);
            next++;
        }
    }
    return finish(trainer, options, options->games);
}

static bool read_number(const char *text, long *out) {
    char *end;
    *out = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && *out >= 0;
}

static bool read_options(int argc, char **argv, struct options *options) {
    for (int i = 1; i + 1 < argc; i += 2) {
        const char **text = strcmp(argv[i], "--variant") == 0       ? &options->variant
                            : strcmp(argv[i], "--name") == 0        ? &options->name
                            : strcmp(argv[i], "--out") == 0         ? &options->out
                            : strcmp(argv[i], "--better-than") == 0 ? &options->better_than
                                                                    : NULL;
        long *number = strcmp(argv[i], "--games") == 0      ? &options->games
                       : strcmp(argv[i], "--seed") == 0     ? &options->seed
                       : strcmp(argv[i], "--minutes") == 0  ? &options->minutes
                       : strcmp(argv[i], "--held-out") == 0 ? &options->held_out
                                                            : NULL;
        if (text != NULL) {
            *text = argv[i + 1];
        } else if (number == NULL || !read_number(argv[i + 1], number)) {
            return false;
        }
    }
    return argc % 2 == 1 && options->out != NULL && options->seed > 0;
}

int main(int argc, char **argv) {
    struct options options = {
        .variant = "tavla", .name = "own", .games = 400000, .seed = 1, .held_out = HELD_OUT};
    const struct variant *variant = NULL;
    if (read_options(argc, argv, &options)) {
        variant = variant_find(options.variant, strlen(options.variant));
    }
    if (variant == NULL || variant->checkers != CHECKERS_MAX) {
        fprintf(stderr, "usage: train --variant tavla|western|uzun --out FILE [--name NAME] "
                        "[--games N | --minutes N] [--seed N] [--held-out GAMES] "
                        "[--better-than FILE]\n");
        return EXIT_USAGE;
    }
    if (options.minutes > 0) {
        options.games = 1000000000;
    }
    struct trainer *trainer = calloc(1, sizeof *trainer);
    if (trainer == NULL) {
        return EXIT_FAILED;
    }
    rules_init(&trainer->rules, variant);
    if (options.better_than != NULL) {
        trainer->present = read_present(variant, options.better_than);
        if (trainer->present == NULL) {
            free(trainer);
            return EXIT_FAILED;
        }
    }
    trainer->random = (uint64_t)options.seed * 0x9e3779b97f4a7c15u + 1;
    float_net_init(&trainer->net, &trainer->random);
    int status = train(trainer, &options);
    net_free(trainer->present);
    free(trainer);
    return status;
}
