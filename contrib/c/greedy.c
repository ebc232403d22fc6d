/* greedy: races, and hits whenever it can. It wants, in this order: many own
 * checkers borne off, a lead in the race (a hit sends an opposing man all the way
 * back), and few lone men, or in uzun and fevga many, where each closes a point. Among
 * equals chance decides. It never looks at what the opponent may do next. */
#include "hakem_bot.h"

/* How much a position pleases; the steps are far enough apart never to mix. */
static long worth(const struct hakem_board *board, enum hakem_variant variant) {
    long lead = hakem_their_pips(board, variant) - hakem_pips(board);
    long lone = 0;
    for (int p = 1; p <= 24; p++) {
        lone += board->point[p] == 1;
    }
    return (board->off[0] * 1000L + lead) * 32 + (hakem_is_parallel(variant) ? lone : -lone);
}

static int choose(struct hakem_bot *bot, struct hakem_turn *turn) {
    int equals[1024], count = 0;
    long best = 0;
    (void)bot;
    for (int i = 0; i < turn->count; i++) {
        struct hakem_board after = hakem_after(turn, i);
        long value = worth(&after, turn->table->variant);
        if (i == 0 || value > best) {
            best = value;
            count = 0;
        }
        if (value == best && count < 1024) {
            equals[count++] = i;
        }
    }
    return equals[hakem_random(turn->table, (uint32_t)count)];
}

int main(int argc, char **argv) {
    static struct hakem_bot bot = {
        .name = "greedy", .version = "1", .tables = 32, .choose = choose};
    return hakem_run(&bot, argc, argv);
}
