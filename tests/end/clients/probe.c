/* The bot by which tests/end/clients.py looks into hakem_bot.h; probe.py and probe.mjs are
 * the same in their languages. It draws every decision from the chance of the game, compares
 * what a request says with what the lines before it said, and tells on stderr what was due. */
#include "hakem_bot.h"

static long compared, differing;

static void compare(const struct hakem_turn *turn) {
    const struct hakem_table *table = turn->table;
    compared++;
    if (memcmp(&turn->board, &table->board, sizeof turn->board) != 0 || turn->cube != table->cube ||
        turn->owner != table->owner || turn->score[0] != table->score[0] ||
        turn->score[1] != table->score[1]) {
        differing++;
    }
}

static int choose(struct hakem_bot *bot, struct hakem_turn *turn) {
    (void)bot;
    compare(turn);
    if (turn->count > 0) {
        return (int)hakem_random(turn->table, (uint32_t)turn->count);
    }
    snprintf(turn->answer, sizeof turn->answer, "8/5 6/5");
    return HAKEM_OWN_PLAY;
}

static void choose_many(struct hakem_bot *bot, struct hakem_turn *turns, int count) {
    static const char *const kinds[HAKEM_KINDS] = {"turn", "cube", "offer"};
    (void)bot;
    if (getenv("PROBE_BATCH") == NULL) {
        return;
    }
    fprintf(stderr, "batch");
    for (int i = 0; i < count; i++) {
        fprintf(stderr, " %s:%lld:%lld", kinds[turns[i].kind], turns[i].table->id, turns[i].serial);
        if (turns[i].kind == HAKEM_KIND_TURN && turns[i].table->id % 2 == 1) {
            turns[i].choice = turns[i].count - 1;
        }
    }
    fprintf(stderr, "\n");
}

static bool doubles(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)bot;
    compare(turn);
    return hakem_random(turn->table, 3) == 0;
}

static bool takes(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)bot;
    compare(turn);
    return hakem_random(turn->table, 4) > 0;
}

static bool beavers(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)bot;
    return hakem_random(turn->table, 2) == 0;
}

static const char *resigns(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)bot;
    if (hakem_random(turn->table, 12) > 0) {
        return NULL;
    }
    return turn->table->variant == HAKEM_UZUN ? "oin" : "single";
}

static bool supports(struct hakem_bot *bot, const char *option, const char *value) {
    (void)bot;
    return strcmp(option, "katmerli") != 0 || strcmp(value, "3") != 0;
}

int main(int argc, char **argv) {
    const char *log = getenv("PROBE_LOG");
    struct hakem_bot bot = {.name = "probe",
                            .version = "1",
                            .author = "A. Yaz\xc4\xb1\x63\xc4\xb1, %",
                            .tables = 8,
                            .want = getenv("PROBE_WANT"),
                            .choose = choose,
                            .choose_many = choose_many,
                            .doubles = doubles,
                            .takes = takes,
                            .beavers = beavers,
                            .resigns = resigns};
    bot.supports = getenv("PROBE_SUPPORTS") != NULL ? supports : NULL;
    int status = hakem_run(&bot, argc, argv);
    FILE *file = log != NULL ? fopen(log, "a") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld %ld\n", compared, differing);
        fclose(file);
    }
    return status;
}
