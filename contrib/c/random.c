/* random: any legal play, each with the same chance. The smallest bot there is,
 * and the floor of every rating. */
#include "hakem_bot.h"

static int choose(struct hakem_bot *bot, struct hakem_turn *turn) {
    (void)bot;
    return (int)hakem_random(turn->table, (uint32_t)turn->count);
}

int main(int argc, char **argv) {
    static struct hakem_bot bot = {
        .name = "random", .version = "1", .tables = HAKEM_TABLES_MAX, .choose = choose};
    return hakem_run(&bot, argc, argv);
}
