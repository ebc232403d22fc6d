/* contrib/c/hakem_bot.h: two bots sit at one table, the rules library is the
 * referee. After each line the bots' boards must be the referee's. */
#include "hakem_bot.h"

#include "check.h"
#include "rules/play.h"
#include "rules/position.h"
#include "rules/result.h"

/* A game as this little referee runs it. */
struct play_room_here {
    struct option_play list[PLAYS_MAX];
};
static struct play_room_here room;

struct judge {
    struct rules rules;
    struct board board;
    size_t count; /* plays on offer */
    enum side mover;
    uint64_t random;
    int boards_wrong, afters_wrong, turns;
};

/* The referee's own chance; the bots have theirs. */
static unsigned judge_random(struct judge *judge, unsigned limit) {
    judge->random = judge->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((judge->random >> 33) % limit);
}

static bool board_same(const struct judge *judge, const struct board *board, enum side side,
                       const struct hakem_board *seen) {
    int8_t counts[POINT_COUNT];
    position_counts(&judge->rules, board, side, counts);
    return memcmp(counts, seen->point, sizeof counts) == 0 &&
           seen->off[0] == board->men[side][POINT_OFF] &&
           seen->off[1] == board->men[side_other(side)][POINT_OFF];
}

/* The bot under test: checks what it is shown, then plays at random. */
static int choose(struct hakem_bot *bot, const struct hakem_turn *turn) {
    struct judge *judge = bot->own;
    judge->turns++;
    judge->boards_wrong += !board_same(judge, &judge->board, judge->mover, &turn->table->board) ||
                           turn->count != (int)judge->count;
    for (int i = 0; i < turn->count; i++) {
        struct hakem_board after = hakem_after(turn, i);
        judge->afters_wrong += !board_same(judge, &room.list[i].final, judge->mover, &after);
    }
    return (int)hakem_random(turn->table, (uint32_t)turn->count);
}

/* Tells a bot something, in pieces of seven bytes. */
__attribute__((format(printf, 2, 3))) static void tell(struct hakem_bot *bot, const char *format,
                                                       ...) {
    char line[2048];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    for (int at = 0; at < length; at += 7) {
        hakem_input(bot, line + at, (size_t)(length - at < 7 ? length - at : 7));
    }
}

/* What the bot has said since the last call, without the last line end. */
static const char *said(struct hakem_bot *bot) {
    static char text[sizeof bot->output];
    size_t used = bot->output_used;
    memcpy(text, bot->output, used);
    text[used > 0 ? used - 1 : 0] = '\0';
    bot->output_used = 0;
    return text;
}

/* Sends the list, ten plays a line, and the turn; returns the play it answers. */
static size_t ask(struct judge *judge, struct hakem_bot *bot, int serial, const uint8_t dice[2]) {
    char text[PLAY_TEXT_MAX];
    int chosen = -1;
    for (size_t i = 0; i < judge->count; i++) {
        play_write(&room.list[i].play, ',', true, text);
        if (i % 10 == 0) {
            tell(bot, "\nplays 7 %d %zu", serial, i);
        }
        tell(bot, " %s", text);
    }
    tell(bot, "\nturn 7 %d %d%d ms=100 later=new\n", serial, dice[0], dice[1]);
    const char *hash = strchr(said(bot), '#');
    if (hash != NULL) {
        chosen = (int)strtol(hash + 1, NULL, 10);
    }
    return chosen >= 0 && chosen < (int)judge->count ? (size_t)chosen : 0;
}

/* One game between the bots; returns whether it came to an end. */
static bool play_game(struct judge *judge, struct hakem_bot bots[2], int game) {
    bool first[SIDE_COUNT] = {true, true};
    board_init(&judge->board, &judge->rules);
    for (int i = 0; i < 2; i++) {
        tell(&bots[i], "game 7 %d attempt=0 score=0,0 seed=%d\n", game, 100 * game + i);
    }
    for (int ply = 1; ply < 2000; ply++) {
        enum side mover = judge->mover, other = side_other(mover);
        struct situation situation = {.board = judge->board, .mover = mover};
        char text[PLAY_TEXT_MAX];
        situation.dice[0] = (uint8_t)(1 + judge_random(judge, 6));
        situation.dice[1] = (uint8_t)(1 + judge_random(judge, 6));
        situation.first_turn = first[mover];
        first[mover] = false;
        judge->count = plays_list(&judge->rules, &situation, room.list, PLAYS_MAX);
        size_t chosen = 0;
        if (room.list[0].play.count > 0) {
            chosen = ask(judge, &bots[mover], 2000 * game + ply, situation.dice);
        }
        judge->board = room.list[chosen].final;
        play_write(&room.list[chosen].play, ' ', true, text);
        tell(&bots[mover], "did 7 %d %c %d%d %s\r\n", ply, mover == SIDE_X ? 'X' : 'Y',
             situation.dice[0], situation.dice[1], text);
        play_write_mirrored(&judge->rules, &room.list[chosen].play, ' ', text);
        tell(&bots[other], "did 7 %d %c %d%d %s ms=3\n", ply, mover == SIDE_X ? 'X' : 'Y',
             situation.dice[0], situation.dice[1], text);
        if (board_outcome(&judge->rules, &judge->board).over) {
            return true;
        }
        judge->mover = other;
    }
    return false;
}

static void test_variant(enum variant_id id) {
    static struct hakem_bot bots[2];
    struct judge judge = {.random = 99};
    const char *name = variant_row(id)->name;
    int ended = 0;
    rules_init(&judge.rules, variant_row(id));
    for (int i = 0; i < 2; i++) {
        memset(&bots[i], 0, sizeof bots[i]);
        bots[i].name = "test";
        bots[i].choose = choose;
        bots[i].own = &judge;
        hakem_hello(&bots[i], NULL);
        said(&bots[i]);
        tell(&bots[i], "match 7 U000001 1 variant=%s seat=%c opponent=a%%20b match=1\n", name,
             i == 0 ? 'X' : 'Y');
        CHECK_TEXT(said(&bots[i]), "ready 7", "the seat is taken");
        CHECK_TEXT(bots[i].table[0].opponent, "a b", "names lose their encoding");
    }
    for (int game = 1; game <= 10; game++) {
        judge.mover = game % 2 == 0 ? SIDE_X : SIDE_Y;
        ended += play_game(&judge, bots, game);
    }
    CHECK_INT(ended, 10, "all games end");
    CHECK(judge.turns > 20 * judge.rules.variant->checkers, "%s: %d turns were asked", name,
          judge.turns);
    CHECK_INT(judge.boards_wrong, 0, "the board follows the did lines");
    CHECK_INT(judge.afters_wrong, 0, "the board after each listed play is the referee's");
    hakem_clear(&bots[0]);
    hakem_clear(&bots[1]);
}

static int choose_first(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)turn;
    snprintf(bot->answer, sizeof bot->answer, "8/5 6/5");
    return HAKEM_OWN_PLAY;
}

static void test_conversation(void) {
    static struct hakem_bot bot = {
        .name = "a b%", .author = "me", .choose = choose_first, .tables = 2};
    hakem_hello(&bot, "t");
    CHECK_TEXT(said(&bot),
               "hello hakem=1 name=a%20b%25 version=0 tables=2 "
               "variants=tavla,uzun,western,nackgammon,hypergammon,fevga "
               "want=plays author=me token=t",
               "hello is well-formed");
    tell(&bot, "welcome hakem=1 session=4\n\nnews of=tomorrow\nnote text=x\ndid 9 1 X 31 8/5\n");
    CHECK_TEXT(said(&bot), "", "what it does not know is ignored");
    tell(&bot, "ping id=17\n");
    CHECK_TEXT(said(&bot), "pong id=17", "a ping is answered with its id");
    tell(&bot, "match 1 U1 1 variant=fevg seat=X\n");
    CHECK_TEXT(said(&bot), "decline 1 reason=variant", "an unknown variant is declined");
    tell(&bot, "match 1 U1 1 seat=X variant=tavla\nmatch 2 U1 1 variant=uzun seat=Y match=5\n"
               "match 3 U1 1 variant=tavla seat=X\n");
    CHECK_TEXT(said(&bot), "ready 1\nready 2\ndecline 3 reason=full", "only two tables");
    CHECK_INT(bot.table[1].length, 5, "the length of the match");
    tell(&bot, "game 2 1 attempt=0 score=2,2.5 starter=X seed=18446744073709551615\n");
    CHECK(bot.table[1].score[0] == 2 && bot.table[1].score[1] == 2.5, "the score");
    CHECK(bot.table[1].random == UINT64_MAX, "the seed has 64 bits");
    tell(&bot, "plays 2 3 0 24/23,24/22\nturn 2 3 12 first=yes\n");
    CHECK_TEXT(said(&bot), "play 2 3 8/5 6/5", "a play of its own");
    tell(&bot, "end 1 winner=X score=1,0\nmatch 3 U1 1 variant=tavla seat=X\n");
    CHECK_TEXT(said(&bot), "ready 3", "a table that has ended makes room");
    tell(&bot, "bye reason=over\nping id=1\n");
    CHECK(bot.closed && bot.status == 0 && bot.output_used == 0, "bye ends it, status 0");
    hakem_clear(&bot);
    bot.closed = false;
    tell(&bot, "refused version have=2\n");
    CHECK(bot.closed && bot.status == 1, "a refusal ends it, status 1");
    hakem_clear(&bot);
}

static bool doubles_now;

static bool doubles(struct hakem_bot *bot, const struct hakem_table *table) {
    (void)bot;
    return doubles_now && table->owner >= 0;
}

static bool takes_cheap(struct hakem_bot *bot, const struct hakem_table *table) {
    (void)bot;
    return table->offer <= 4;
}

static bool accepts_mars(struct hakem_bot *bot, const struct hakem_table *table, const char *kind) {
    (void)bot, (void)table;
    return strcmp(kind, "mars") == 0;
}

static void test_cube(void) {
    static struct hakem_bot bot = {.name = "test", .choose = choose_first, .own_plays = true};
    hakem_hello(&bot, NULL);
    said(&bot);
    tell(&bot, "match 1 U1 1 variant=tavla seat=Y match=5 vido=on\n"
               "game 1 1 attempt=0 score=0,0 starter=X cube=2 crawford=yes seed=1\n");
    said(&bot);
    const struct hakem_table *table = &bot.table[0];
    CHECK(table->cube == 2 && table->owner == 0 && table->crawford, "the cube of a new game");
    tell(&bot, "game 1 2 attempt=0 score=0,0 starter=X seed=1\ncube 1 1 may=roll,double ms=5\n");
    CHECK_TEXT(said(&bot), "roll 1 1", "it rolls unless told otherwise");
    tell(&bot, "offer 1 2 double may=take,drop value=2\noffer 1 3 resign may=accept,reject "
               "kind=single\n");
    CHECK_TEXT(said(&bot), "take 1 2\naccept 1 3", "and takes and accepts");
    bot.doubles = doubles;
    bot.takes = takes_cheap;
    bot.accepts = accepts_mars;
    doubles_now = true;
    tell(&bot, "cube 1 4 may=roll,double\ndid 1 5 Y double\n");
    CHECK_TEXT(said(&bot), "double 1 4", "a double");
    CHECK(table->offer == 2 && table->cube == 1, "is on offer");
    tell(&bot, "did 1 6 X take\n");
    CHECK(table->offer == 0 && table->cube == 2 && table->owner == -1, "and taken");
    tell(&bot, "did 1 7 X double\noffer 1 8 double may=take,drop value=4\ndid 1 8 Y take\n");
    CHECK_TEXT(said(&bot), "take 1 8", "a redouble that is cheap enough");
    CHECK(table->cube == 4 && table->owner == 1, "is ours");
    tell(&bot, "did 1 9 Y double\ndid 1 10 X beaver\noffer 1 11 beaver may=take,drop value=16\n");
    CHECK_TEXT(said(&bot), "drop 1 11", "a beaver is dear");
    CHECK_INT(table->offer, 16, "twice the double");
    tell(&bot, "did 1 11 Y take\n");
    CHECK(table->cube == 16 && table->owner == -1, "the cube is with whom was doubled first");
    tell(&bot, "offer 1 12 resign may=accept,reject kind=single\n"
               "offer 1 13 resign may=accept,reject kind=mars throw=61\n");
    CHECK_TEXT(said(&bot), "reject 1 12\naccept 1 13", "a resignation by its kind");
    hakem_clear(&bot);
}

static void test_random(void) {
    struct hakem_table table = {.random = 1234567};
    uint32_t half = 0x80000000u;
    CHECK_INT(hakem_random(&table, half), 6457827717110365317u >> 33, "splitmix64, first");
    CHECK_INT(hakem_random(&table, half), 3203168211198807973u >> 33, "splitmix64, second");
}

/* The helpers for authors, where the games above do not pass. */
static void test_helpers(void) {
    struct hakem_board board;
    char names[VARIANT_NAMES_MAX * 2];
    int wrong = 0;
    for (int v = 0; v < HAKEM_VARIANTS; v++) {
        enum path path = variant_row((enum variant_id)v)->path;
        for (int p = 1; p <= 24; p++) {
            wrong += hakem_mirror((enum hakem_variant)v, p) != point_mirror(path, p);
        }
    }
    CHECK_INT(HAKEM_VARIANTS, VARIANT_COUNT, "every variant");
    variant_write_names(names);
    for (char *blank = names; (blank = strchr(blank, ' ')) != NULL;) {
        memmove(blank, blank + 1, strlen(blank));
    }
    CHECK_TEXT(HAKEM_VARIANT_NAMES, names, "their names, in the rules' order");
    CHECK_INT(wrong, 0, "the opponent's numbers");
    hakem_board_start(&board, HAKEM_TAVLA);
    CHECK_INT(hakem_pips(&board), 167, "own pips at the start of tavla");
    board.point[6]++;
    board.point[0]--; /* one of his stands on the bar instead of his 6 (our 19) */
    board.point[19]++;
    CHECK_INT(hakem_pips(&board), 173, "own pips");
    CHECK_INT(hakem_their_pips(&board, HAKEM_TAVLA), 167 - 6 + 25, "the opponent's pips");
    hakem_board_start(&board, HAKEM_UZUN);
    CHECK_INT(hakem_their_pips(&board, HAKEM_UZUN), 360, "the opponent's pips in uzun");
}

int main(void) {
    test_random();
    test_helpers();
    test_conversation();
    test_cube();
    for (int id = 0; id < VARIANT_COUNT; id++) {
        test_variant((enum variant_id)id);
    }
    return check_done();
}
