/* usta: plays what hakem's evaluator likes best (src/eval/), in tavla, western and uzun.
 * With --two-ply it looks at every throw that may follow its five best plays.
 * Compiled with USTA_CILA it is cila, the apprentice, who has trained less (cila/). */
#include "hakem_bot.h"

#include "eval/sweep.h"

#ifdef USTA_CILA
#define USTA_NAME "cila"
static const char tavla[] =
#include "cila/tavla.inc"
    ;
static const char uzun[] =
#include "cila/uzun.inc"
    ;
static const char western[] =
#include "cila/western.inc"
    ;
#else
#define USTA_NAME "usta"
static const char *const tavla = NULL, *const uzun = NULL, *const western = NULL;
#endif

/* Millionths of a point, without a cube: from where on to double, and to take. */
enum { DOUBLE_POINTS = 500000, TAKE_POINTS = -550000, TWO_PLY_PLAYS = 5 };

struct usta {
    struct net *net[HAKEM_VARIANTS];
    struct rules rules[HAKEM_VARIANTS];
    struct play_room room;
    bool two_ply;
};

/* A board as the evaluator has it; X is ours. */
static void read_board(const struct hakem_board *from, enum hakem_variant variant,
                       struct board *board) {
    memset(board, 0, sizeof *board);
    for (int p = 1; p <= 24; p++) {
        int men = from->point[p];
        if (men > 0) {
            board->men[SIDE_X][p] = (uint8_t)men;
        } else {
            board->men[SIDE_Y][hakem_mirror(variant, p)] = (uint8_t)-men;
        }
    }
    board->men[SIDE_X][POINT_BAR] = (uint8_t)from->point[25];
    board->men[SIDE_Y][POINT_BAR] = (uint8_t)-from->point[0];
    board->men[SIDE_X][POINT_OFF] = (uint8_t)from->off[0];
    board->men[SIDE_Y][POINT_OFF] = (uint8_t)from->off[1];
}

/* What a position is worth to us when the opponent is to throw. */
static int32_t worth(const struct net *net, const struct board *board) {
    return -net_value(net, board, SIDE_Y).points;
}

/* The same with the opponent's next throw and his best play in it. */
static int32_t worth_ahead(struct usta *usta, enum hakem_variant variant,
                           const struct board *board) {
    struct situation situation = {.board = *board, .mover = SIDE_Y};
    struct sweep sweep;
    if (board->men[SIDE_X][POINT_OFF] == CHECKERS_MAX) {
        return worth(usta->net[variant], board);
    }
    situation.first_turn = board->men[SIDE_Y][24] == CHECKERS_MAX; /* uzun: he has the head */
    sweep_all(usta->net[variant], &usta->rules[variant], &situation, &usta->room, &sweep);
    return (int32_t)(-sweep.points / SWEEP_WEIGHT);
}

/* The best of the plays that stand out, looked at again with a throw more. */
static int choose_ahead(struct usta *usta, const struct hakem_turn *turn, const int32_t *first) {
    int best = 0;
    int32_t most = INT32_MIN;
    for (int i = 0; i < turn->count; i++) {
        int better = 0;
        for (int other = 0; other < turn->count; other++) {
            better += first[other] > first[i] || (first[other] == first[i] && other < i);
        }
        if (better < TWO_PLY_PLAYS) {
            struct hakem_board after = hakem_after(turn, i);
            struct board board;
            read_board(&after, turn->table->variant, &board);
            int32_t points = worth_ahead(usta, turn->table->variant, &board);
            best = points > most ? i : best;
            most = points > most ? points : most;
        }
    }
    return best;
}

static int choose(struct hakem_bot *bot, struct hakem_turn *turn) {
    struct usta *usta = bot->own;
    enum hakem_variant variant = turn->table->variant;
    int32_t *first = calloc((size_t)turn->count + 1, sizeof *first);
    int best = 0;
    if (first == NULL) {
        return 0;
    }
    for (int i = 0; i < turn->count; i++) {
        struct hakem_board after = hakem_after(turn, i);
        struct board board;
        read_board(&after, variant, &board);
        first[i] = worth(usta->net[variant], &board);
        best = first[i] > first[best] ? i : best;
    }
    if (usta->two_ply && turn->count > 1) {
        best = choose_ahead(usta, turn, first);
    }
    free(first);
    return best;
}

/* What the position is worth to us, who are to throw, without a cube. */
static int32_t worth_now(const struct usta *usta, const struct hakem_turn *turn,
                         enum side to_throw) {
    struct board board;
    read_board(&turn->board, turn->table->variant, &board);
    int32_t points = net_value(usta->net[turn->table->variant], &board, to_throw).points;
    return to_throw == SIDE_X ? points : -points;
}

static bool doubles(struct hakem_bot *bot, const struct hakem_turn *turn) {
    return worth_now(bot->own, turn, SIDE_X) > DOUBLE_POINTS;
}

static bool takes(struct hakem_bot *bot, const struct hakem_turn *turn) {
    return worth_now(bot->own, turn, SIDE_Y) > TAKE_POINTS;
}

/* The net of a game: from its text, or without one that of the evaluator. */
static struct net *open_net(const struct variant *variant, const char *text) {
    char why[NET_WHY_MAX] = "there is none";
    struct net *net =
        text == NULL ? net_new_built_in(variant) : net_new(variant, text, strlen(text), why);
    if (net == NULL) {
        fprintf(stderr, "%s: the net of %s: %s\n", USTA_NAME, variant->name, why);
        exit(1);
    }
    return net;
}

/* Takes --two-ply out of the arguments. */
static int take_two_ply(int argc, char **argv, bool *two_ply) {
    int kept = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--two-ply") == 0) {
            *two_ply = true;
        } else {
            argv[kept++] = argv[i];
        }
    }
    argv[kept] = NULL;
    return kept;
}

int main(int argc, char **argv) {
    static const enum hakem_variant played[] = {HAKEM_TAVLA, HAKEM_UZUN, HAKEM_WESTERN};
    static const enum variant_id ids[] = {VARIANT_TAVLA, VARIANT_UZUN, VARIANT_WESTERN};
    const char *const texts[] = {tavla, uzun, western};
    static struct usta usta;
    static struct hakem_bot bot = {.name = USTA_NAME,
                                   .version = "1",
                                   .variants = "tavla,uzun,western",
                                   .tables = 256,
                                   .choose = choose,
                                   .doubles = doubles,
                                   .takes = takes,
                                   .own = &usta};
    for (int i = 0; i < 3; i++) {
        rules_init(&usta.rules[played[i]], variant_row(ids[i]));
        usta.net[played[i]] = open_net(variant_row(ids[i]), texts[i]);
    }
    argc = take_two_ply(argc, argv, &usta.two_ply);
    int status = hakem_run(&bot, argc, argv);
    for (int i = 0; i < 3; i++) {
        net_free(usta.net[played[i]]);
    }
    return status;
}
