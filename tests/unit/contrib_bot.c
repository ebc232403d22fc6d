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
static int choose(struct hakem_bot *bot, struct hakem_turn *turn) {
    struct judge *judge = bot->own;
    judge->turns++;
    judge->boards_wrong += !board_same(judge, &judge->board, judge->mover, &turn->board) ||
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
    static char text[8192];
    size_t used = bot->output_used < sizeof text ? bot->output_used : sizeof text;
    if (used > 0) {
        memcpy(text, bot->output, used);
    }
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
        hakem_hello(&bots[i]);
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

static int choose_first(struct hakem_bot *bot, struct hakem_turn *turn) {
    (void)bot;
    snprintf(turn->answer, sizeof turn->answer, "8/5 6/5");
    return HAKEM_OWN_PLAY;
}

static void test_conversation(void) {
    static struct hakem_bot bot = {.name = "a b%",
                                   .author = "me",
                                   .choose = choose_first,
                                   .tables = 2,
                                   .forced = true,
                                   .token = "t u"};
    hakem_hello(&bot);
    CHECK_TEXT(said(&bot),
               "hello hakem=1 name=a%20b%25 author=me tables=2 "
               "variants=tavla,uzun,western,nackgammon,hypergammon,fevga "
               "want=plays auto=forced token=t%20u",
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
    const struct hakem_table *table = hakem_table_find(&bot, 2);
    CHECK_INT(table->match, 5, "the length of the match");
    tell(&bot, "game 2 1 attempt=0 score=2,2.5 starter=X seed=18446744073709551615\n");
    CHECK(table->score[0] == 2 && table->score[1] == 2.5, "the score");
    CHECK(table->random == UINT64_MAX, "the seed has 64 bits");
    tell(&bot, "plays 2 3 0 24/23,24/22\nturn 2 3 12 first=yes\n");
    CHECK_TEXT(said(&bot), "play 2 3 8/5 6/5", "a play of its own");
    tell(&bot, "end 1 winner=X score=1,0\nmatch 3 U1 1 variant=tavla seat=X\n");
    CHECK_TEXT(said(&bot), "ready 3", "a table that has ended makes room");
    tell(&bot, "plays 2 4 0 24/23,24/22\nturn 2 4 12\nbye reason=over\nping id=1\n");
    CHECK(bot.closed && bot.status == 0 && bot.output_used == 17, "bye ends it, status 0");
    hakem_clear(&bot);
    bot.closed = false;
    tell(&bot, "refused version have=2\n");
    CHECK(bot.closed && bot.status == 1, "a refusal ends it, status 1");
    hakem_clear(&bot);
}

static bool supports_small(struct hakem_bot *bot, const char *option, const char *value) {
    (void)bot;
    return strcmp(option, "katmerli") != 0 || strcmp(value, "2") == 0;
}

static void test_declines(void) {
    static struct hakem_bot bot = {
        .name = "test", .choose = choose_first, .tables = 9, .variants = "western,tavla"};
    hakem_hello(&bot);
    CHECK_TEXT(said(&bot), "hello hakem=1 name=test tables=9 variants=western,tavla want=plays",
               "the variants it plays");
    tell(&bot, "match 1 U1 1 variant=uzun seat=X\n");
    CHECK_TEXT(said(&bot), "decline 1 reason=variant", "one that it does not play");
    tell(&bot, "match 1 U1 1 variant=tavla seat=X bearoff=literal000 katmerli=3\n");
    CHECK_TEXT(said(&bot), "ready 1", "with a list of plays every option can be played");
    bot.supports = supports_small;
    tell(&bot, "match 2 U1 1 variant=tavla seat=X katmerli=3\n");
    CHECK_TEXT(said(&bot), "decline 2 reason=katmerli=3", "unless the author says otherwise");
    bot.supports = NULL;
    bot.want = "";
    tell(&bot, "match 2 U1 1 variant=tavla seat=X bearoff=literal000\n"
               "match 2 U1 1 variant=tavla seat=X katmerli=3 vido=on move_time=5\n");
    CHECK_TEXT(said(&bot), "decline 2 reason=bearoff=literal000\nready 2",
               "without one, none that changes what is legal");
    for (const char *at = HAKEM_PLAY_OPTIONS; *at != '\0'; at += strspn(at, ",")) {
        size_t length = strcspn(at, ",");
        CHECK(option_find(at, length) >= 0, "%.*s is an option", (int)length, at);
        at += length;
    }
    hakem_clear(&bot);
}

/* What the batch callback was shown. */
static struct {
    int calls, count;
    long long table[8];
    enum hakem_kind kind[8];
} batch;

/* Plays the last play everywhere and doubles; leaves offers to the others. */
static void choose_many(struct hakem_bot *bot, struct hakem_turn *turns, int count) {
    (void)bot;
    batch.calls++;
    batch.count = count;
    for (int i = 0; i < count && i < 8; i++) {
        batch.table[i] = turns[i].table->id;
        batch.kind[i] = turns[i].kind;
        if (turns[i].kind == HAKEM_KIND_TURN) {
            turns[i].choice = turns[i].count - 1;
        } else if (turns[i].kind == HAKEM_KIND_CUBE) {
            turns[i].choice = HAKEM_OWN_PLAY;
            snprintf(turns[i].answer, sizeof turns[i].answer, "%s",
                     (turns[i].may & HAKEM_MAY_RESIGN) != 0 ? "resign mars" : "double");
        }
    }
}

static void test_batch(void) {
    static struct hakem_bot bot = {.name = "test", .choose_many = choose_many, .tables = 8};
    char text[1024] = "";
    hakem_hello(&bot);
    for (int i = 1; i <= 5; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "match %d U1 1 variant=western seat=X\ngame %d 1 seed=1\n", i, i);
    }
    hakem_input(&bot, text, strlen(text));
    said(&bot);
    static const char due[] = "plays 4 7 0 8/5,6/5\nturn 4 7 31\nplays 1 2 0 8/5,6/5 6/5,24/21\n"
                              "turn 1 2 31\ncube 2 3 may=roll,double\n"
                              "offer 3 1 double may=take,drop value=2\n"
                              "cube 5 3 may=roll,double,resign\n";
    hakem_input(&bot, due, strlen(due));
    CHECK_INT(batch.calls, 1, "one call for all that is due");
    CHECK_INT(batch.count, 5, "with five requests");
    CHECK(batch.table[0] == 4 && batch.table[1] == 1 && batch.table[4] == 5 &&
              batch.kind[0] == HAKEM_KIND_TURN && batch.kind[2] == HAKEM_KIND_CUBE &&
              batch.kind[3] == HAKEM_KIND_OFFER,
          "in the order in which they came");
    CHECK_TEXT(said(&bot), "play 4 7 #0\nplay 1 2 #1\ndouble 2 3\ntake 3 1\nresign 5 3 mars",
               "each is answered, the offer by the default");
    static const char odd[] =
        "plays 1 3 0 8/5,6/5\nturn 1 3 31\ndid 1 3 X 31 8/5 6/5\nturn 4 8 31\n";
    hakem_input(&bot, odd, strlen(odd));
    CHECK_INT(batch.calls, 2, "a turn without its plays is not shown");
    CHECK_INT(batch.count, 1, "a table that is told more has been answered before");
    CHECK_TEXT(said(&bot), "play 1 3 #0\nplay 4 8 #0",
               "and a turn that came without its plays is answered all the same");
    hakem_clear(&bot);
}

/* Lines that no referee sends: nothing breaks, and the bot goes on. */
static void test_hostile(void) {
    static struct hakem_bot bot = {.name = "test", .choose = choose_first, .want = "position"};
    static const char *const lines[] = {"match",
                                        "match x",
                                        "match -1 U1 1",
                                        "match 99999999999999999999 U1 1 variant=tavla",
                                        "turn 1",
                                        "turn 1 x 31",
                                        "turn 1 5 99 position=1,2,3",
                                        "turn x 1 31",
                                        "did 1",
                                        "did 1 1 X",
                                        "did 1 1 X 31 8/5 bar/99 26/3 8/ /5 8//5 8/5/3 8/5* *",
                                        "did 1 2 Y 77 24/23 24/23 1/2 3/4 5/6",
                                        "did 1 2 Y 31 0/3 25/25",
                                        "plays 1 1 0 ,,, 8/5,6/5,4/3,2/1,9/8 %",
                                        "plays 1 x y",
                                        "plays",
                                        "offer 1 2",
                                        "offer 1",
                                        "cube 1 1 may=",
                                        "game 1 1 seed=99999999999999999999999 score=,",
                                        "end",
                                        "end 77",
                                        "ping",
                                        "ping id=%",
                                        "=",
                                        "= = =",
                                        "did 1 1 X double take",
                                        "\r",
                                        " ",
                                        "error",
                                        "note",
                                        "match 1 U1 1 variant=tavla,uzun seat=X",
                                        "did 1 1 X xx 6/5"};
    hakem_hello(&bot);
    tell(&bot, "match 1 U1 1 variant=tavla seat=X\ngame 1 1 seed=3\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        tell(&bot, "%s\n", lines[i]);
    }
    for (int i = 0; i < 300; i++) {
        tell(&bot, "did 1 1 X 11 24/23 24/23 24/23 24/23\n");
    }
    char zeros[64] = {0};
    zeros[63] = '\n';
    hakem_input(&bot, zeros, sizeof zeros);
    said(&bot);
    tell(&bot, "game 1 2 seed=3\nturn 1 9 31\r\n");
    CHECK_TEXT(said(&bot), "play 1 9 8/5 6/5", "it goes on after lines that make no sense");
    bot.trace = false;
    static char big[1 << 20];
    memset(big, 'x', sizeof big);
    for (int i = 0; i < 16; i++) {
        hakem_input(&bot, big, sizeof big);
    }
    CHECK(bot.closed && bot.status == 1, "a line without an end ends it");
    hakem_clear(&bot);
}

static int choose_random(struct hakem_bot *bot, struct hakem_turn *turn) {
    (void)bot;
    return (int)hakem_random(turn->table, (uint32_t)turn->count);
}

/* Whether both texts have the same lines; tables may come in another order. */
static bool lines_same(const char *one, const char *two) {
    char line[64];
    if (strlen(one) != strlen(two)) {
        return false;
    }
    for (size_t length; *one != '\0'; one += length + (one[length] == '\n')) {
        length = strcspn(one, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, one);
        if (strstr(two, line) == NULL) {
            return false;
        }
    }
    return true;
}

/* The same bytes in pieces of each size: the same answers. */
static void test_splits(void) {
    static const char lines[] =
        "welcome hakem=1 session=s\r\nmatch 1 U1 1 variant=tavla seat=X opponent=%C3%A7\r\n"
        "match 2 U1 1 variant=uzun seat=Y\ngame 1 1 seed=5\ngame 2 1 seed=7\n"
        "plays 1 1 0 24/23,13/10 24/23,8/5 24/23,6/3\nplays 1 1 3 8/7,6/3\nturn 1 1 31\n"
        "plays 2 1 0 24/23 24/21\nturn 2 1 31\ndid 1 1 X 31 24/23 8/5\n"
        "plays 1 2 0 24/23,13/10 24/23,8/5 24/23,6/3 8/7,6/3\nturn 1 2 31\nping id=3\n";
    static char whole[8192];
    int wrong = 0;
    for (size_t piece = sizeof lines - 1; piece > 0; piece--) {
        static struct hakem_bot bot;
        memset(&bot, 0, sizeof bot);
        bot.name = "test";
        bot.choose = choose_random;
        bot.tables = 2;
        hakem_hello(&bot);
        said(&bot);
        for (size_t at = 0; at + 1 < sizeof lines; at += piece) {
            size_t left = sizeof lines - 1 - at;
            hakem_input(&bot, lines + at, left < piece ? left : piece);
        }
        const char *answers = said(&bot);
        if (whole[0] == '\0') {
            snprintf(whole, sizeof whole, "%s", answers);
            CHECK(strstr(whole, "play 1 2 #") != NULL, "every request is answered: %s", whole);
        }
        wrong += !lines_same(whole, answers);
        hakem_clear(&bot);
    }
    CHECK_INT(wrong, 0, "in pieces of any size");
}

static bool doubles_now;

static bool doubles(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)bot;
    return doubles_now && turn->owner >= 0;
}

static bool takes_cheap(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)bot;
    return turn->value <= 4;
}

static bool accepts_mars(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)bot;
    return strcmp(turn->resignation, "mars") == 0;
}

static bool beavers_always(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)bot, (void)turn;
    return true;
}

static const char *resigns_mars(struct hakem_bot *bot, const struct hakem_turn *turn) {
    (void)bot;
    return turn->kind == HAKEM_KIND_TURN ? "mars" : NULL;
}

static void test_cube(void) {
    static struct hakem_bot bot = {.name = "test", .choose = choose_first, .want = ""};
    hakem_hello(&bot);
    CHECK(strstr(said(&bot), "want=") == NULL, "no extras are asked for");
    tell(&bot, "match 1 U1 1 variant=tavla seat=Y match=5 vido=on\n"
               "game 1 1 attempt=0 score=0,0 starter=X cube=2 crawford=yes seed=1\n");
    said(&bot);
    const struct hakem_table *table = &bot.table[0];
    CHECK(table->cube == 2 && table->owner == 0 && table->crawford, "the cube of a new game");
    tell(&bot, "game 1 2 attempt=0 score=0,0 starter=X seed=1\ncube 1 1 may=roll,double ms=5\n");
    CHECK_TEXT(said(&bot), "roll 1 1", "it rolls unless told otherwise");
    tell(&bot, "offer 1 2 double may=take,drop,beaver value=2\noffer 1 3 resign may=accept,reject "
               "kind=single\n");
    CHECK_TEXT(said(&bot), "take 1 2\naccept 1 3", "takes, and accepts what it does not lead");
    tell(&bot, "did 1 1 Y 66 24/18 24/18 13/7 13/7\noffer 1 4 resign may=accept,reject kind=single"
               "\noffer 1 5 resign may=accept,reject kind=mars\n");
    CHECK_TEXT(said(&bot), "reject 1 4\naccept 1 5", "but not the least kind when it leads");
    tell(&bot, "offer 1 5 resign may=accept,reject kind=single\n");
    CHECK_TEXT(said(&bot), "accept 1 5", "what comes again gets the same answer");
    tell(&bot, "did 1 2 X 61 1/off\noffer 1 3 resign may=accept,reject kind=single\n");
    CHECK_TEXT(said(&bot), "accept 1 3", "unless the other side has borne off");
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
    bot.beavers = beavers_always;
    bot.resigns = resigns_mars;
    tell(&bot, "offer 1 14 double may=take,drop value=4\noffer 1 15 double may=take,drop,beaver "
               "value=4\nturn 1 16 31\nturn 1 17 31 may=play,resign\n");
    CHECK_TEXT(said(&bot), "take 1 14\nbeaver 1 15\nplay 1 16 8/5 6/5\nresign 1 17 mars",
               "beavers and resigns where it may");
    hakem_clear(&bot);
}

/* A request that brings a position needs no other line. */
static void test_stateless(void) {
    static struct hakem_bot bot = {
        .name = "test", .choose_many = choose_many, .want = "position,plays"};
    hakem_hello(&bot);
    tell(&bot, "match 1 U1 1 variant=western seat=X\n");
    said(&bot);
    static const char lines[] =
        "plays 1 4 0 6/off,2/off\n"
        "turn 1 4 62 ms=90 reserve=5000,2000 first=yes position=-1,0,3,0,0,0,2,0,0,0,0,0,0,0,0,0,0,"
        "0,0,0,0,0,0,0,-4,0 off=10,9 score=2,2.5 roll=me match=7 cube=4 owner=opp\n";
    hakem_input(&bot, lines, strlen(lines));
    const struct hakem_turn *turn = &bot.due[0];
    CHECK(turn->board.point[0] == -1 && turn->board.point[2] == 3 && turn->board.point[24] == -4 &&
              turn->board.off[0] == 10 && turn->board.off[1] == 9,
          "the board of the request");
    CHECK(turn->score[1] == 2.5 && turn->cube == 4 && turn->owner == -1 && turn->first &&
              turn->ms == 90 && turn->reserve[1] == 2000,
          "score, cube and clock");
    struct hakem_board after = hakem_after(turn, 0);
    CHECK(after.point[6] == 1 && after.point[2] == 2 && after.off[0] == 12,
          "and where a play leads");
    CHECK(turn->table->board.point[13] == 5, "the kept board is another");
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
    test_declines();
    test_cube();
    test_batch();
    test_stateless();
    test_hostile();
    test_splits();
    for (int id = 0; id < VARIANT_COUNT; id++) {
        test_variant((enum variant_id)id);
    }
    return check_done();
}
