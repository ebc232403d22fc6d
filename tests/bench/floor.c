/* The floor: what a referee cannot do without, so that hakem's own work shows.
 *
 *   floor BOT [--way pipe|socketpair|tcp] [--pairs C] [--tables N] [--echo] [--time S]
 *
 * C pairs of connections to two processes of tests/bench/bot, N tables on each pair. With
 * --echo nothing but line ends and table numbers is read, and every request is the same.
 * Without it games are played as in `hakem duel`: each step of a play checked by itself,
 * throws by HMAC, a chained record line for each ply, `did` and `turn` lines, one write per
 * connection and turn of the loop. What it leaves out is everything a peer may do wrong,
 * and every rule but western backgammon's.
 *
 * Prints key=value: microseconds of processor time for a play, this process's and the bots',
 * system calls of a play, plays of a read. */
#include "bench/kit.h"

#include "bench/board.h"
#include "dice/roll.h"
#include "dice/scheme.h"

#include <sys/epoll.h>

enum { IN_ROOM = 1 << 17, OUT_ROOM = 1 << 20, RECORD_ROOM = 1 << 16, EVENTS = 256, TURNS = 16,
       NEWS_ROOM = 4096, MARGIN = 1 << 14 };

struct link {
    struct way way;
    char *in, *out;
    size_t have, out_used;
    bool ready; /* has said hello */
};

struct table {
    struct counts board; /* as the seat on turn sees it */
    unsigned long long serial[2];
    unsigned ply, game, throws[2], off[2];
    size_t told[2]; /* bytes of news */
    char *news;     /* NEWS_ROOM for each seat: `did` lines that wait for its next request */
    int seat;
    uint8_t dice[2];
    struct hash_key game_dice;
    struct hash head;
    char *record;
    size_t recorded;
};

static const char *kind = "tcp";
static int pairs = 1, tables = 1;
static bool echo;
static struct link *links;   /* two for each pair */
static struct table *table;  /* pairs * tables */
static int heard_ready;
static unsigned long long plays, reads, calls, games, refused;
static struct unit_dice unit;

static void say(struct link *link, const char *text, size_t length) {
    memcpy(link->out + link->out_used, text, length);
    link->out_used += length;
}

static void flush(struct link *link) {
    for (size_t put = 0; put < link->out_used; calls++) {
        ssize_t size = write(link->way.out, link->out + put, link->out_used - put);
        if (size < 0) {
            kit_fail("write");
        }
        put += (size_t)size;
    }
    link->out_used = 0;
}

static char *put_dice(char *to, const uint8_t dice[2]) {
    *to++ = ' ';
    *to++ = (char)('0' + dice[0]);
    *to++ = (char)('0' + dice[1]);
    return to;
}

/* did HANDLE PLY SEAT DICE PLAY */
static char *put_did(char *to, unsigned handle, const struct table *at, const struct steps *play,
                     bool mirrored) {
    memcpy(to, "did ", 4);
    to = put_number(to + 4, handle);
    *to++ = ' ';
    to = put_number(to, at->ply);
    *to++ = ' ';
    *to++ = at->seat == 0 ? 'X' : 'Y';
    return put_play(put_dice(to, at->dice), play, mirrored);
}

static void record(struct table *at, const struct steps *play) {
    char *line = at->record + at->recorded, hex[HASH_HEX];
    char *to = put_did(line, 1, at, play, false);
    memcpy(to, " ms=0", 5);
    to += 5;
    at->head = hash_link(&at->head, (struct hash_field){line, (size_t)(to - line)});
    hash_hex(&at->head, hex);
    *to++ = ' ';
    memcpy(to, hex, 16);
    to[16] = '\n';
    at->recorded += (size_t)(to + 17 - line);
}

static void tell_news(int number, struct table *at, int seat) {
    say(&links[number / tables * 2 + seat], at->news + seat * NEWS_ROOM, at->told[seat]);
    at->told[seat] = 0;
}

/* The ply just made, to the record and to both sides; the other side is on turn. */
static void tell_ply(int number, struct table *at, const struct steps *play) {
    at->ply++;
    record(at, play);
    for (int seat = 0; seat < 2; seat++) {
        char *news = at->news + seat * NEWS_ROOM, *to = news + at->told[seat];
        to = put_did(to, (unsigned)(number % tables) + 1, at, play, seat != at->seat);
        *to++ = '\n';
        at->told[seat] = (size_t)(to - news);
        if (at->told[seat] > NEWS_ROOM - 64) {
            tell_news(number, at, seat);
        }
    }
    struct counts other;
    for (int point = 0; point < BOARD_POINTS; point++) {
        other.point[point] = (int8_t)-at->board.point[BOARD_BAR - point];
    }
    at->board = other;
    at->seat ^= 1;
}

static bool can_move(const struct table *at) {
    for (int point = BOARD_BAR; point >= 1; point--) {
        if (board_may_move(&at->board, point, at->dice[0]) ||
            board_may_move(&at->board, point, at->dice[1])) {
            return true;
        }
    }
    return false;
}

static void throw_dice(struct table *at) {
    struct roll roll =
        game_roll(&at->game_dice, at->seat == 0 ? STREAM_X : STREAM_Y, at->throws[at->seat]++);
    memcpy(at->dice, roll.die, sizeof at->dice);
}

static void ask(int number, struct table *at) {
    static const struct steps pass = {.count = 0};
    for (throw_dice(at); !can_move(at); throw_dice(at)) {
        tell_ply(number, at, &pass);
    }
    tell_news(number, at, at->seat);
    struct link *link = &links[number / tables * 2 + at->seat];
    char *to = link->out + link->out_used;
    memcpy(to, "turn ", 5);
    to = put_number(to + 5, (unsigned)(number % tables) + 1);
    *to++ = ' ';
    to = put_dice(put_number(to, ++at->serial[at->seat]), at->dice);
    memcpy(to, " ms=10000\n", 10);
    link->out_used = (size_t)(to + 10 - link->out);
}

static void start_game(int number, struct table *at) {
    char line[64];
    struct roll opening;
    board_start(&at->board);
    at->ply = at->throws[0] = at->throws[1] = at->off[0] = at->off[1] = 0;
    at->recorded = 0;
    struct hash key = game_key(&unit, ++at->game, (unsigned)number);
    at->game_dice = hash_key_of(&key);
    unsigned n = 0;
    do {
        opening = game_roll(&at->game_dice, STREAM_OPENING, n++);
    } while (opening.die[0] == opening.die[1]);
    at->seat = opening.die[0] > opening.die[1] ? 0 : 1;
    int length = snprintf(line, sizeof line, "game %d %u\n", number % tables + 1, at->game);
    for (int seat = 0; seat < 2; seat++) {
        tell_news(number, at, seat);
        say(&links[number / tables * 2 + seat], line, (size_t)length);
    }
    ask(number, at);
}

static void ask_echo(struct link *link, unsigned number) {
    char line[96], *to = line;
    memcpy(to, "did ", 4);
    to = put_number(to + 4, number);
    memcpy(to, " 18 Y 31 17/14 8/7\nturn ", 24);
    to = put_number(to + 24, number);
    memcpy(to, " 123 31 ms=10000\n", 17);
    say(link, line, (size_t)(to + 17 - line));
}

/* A play that uses every die, step by step; true when it is legal. */
static bool check_steps(struct counts *board, const struct steps *play, int a, int b) {
    int dice[4] = {a, b, a, a};
    struct counts start = *board;
    for (int i = 0; i < play->count; i++) {
        int to = play->from[i] > dice[i] ? play->from[i] - dice[i] : 0;
        if (!board_may_move(board, play->from[i], dice[i]) || to != play->to[i]) {
            *board = start;
            return false;
        }
        board_move(board, play->from[i], to);
    }
    return true;
}

/* The same of one that does not: no longer one may be there, and of two dice that can be
 * played alone the larger is due. */
static bool check_short(struct counts *board, const struct steps *play, int a, int b) {
    struct steps best = board_choose(board, a, b, 0);
    bool due = play->count == best.count &&
               (best.count != 1 || play->from[0] - play->to[0] == best.from[0] - best.to[0]);
    return due && (check_steps(board, play, a, b) || check_steps(board, play, b, a));
}

/* play T S PLAY */
static void take_play(int number, struct table *at, const char *line) {
    struct steps play;
    unsigned long long serial;
    int a = at->dice[0], b = at->dice[1];
    line = get_number(line, &serial);
    get_play(line, &play);
    bool all = play.count == (a == b ? 4 : 2);
    bool good = all ? check_steps(&at->board, &play, a, b) || check_steps(&at->board, &play, b, a)
                    : check_short(&at->board, &play, a, b);
    if (serial != at->serial[at->seat] || !good) {
        refused++;
        return;
    }
    for (int i = 0; i < play.count; i++) {
        at->off[at->seat] += play.to[i] == 0;
    }
    int mover = at->seat;
    tell_ply(number, at, &play);
    if (at->off[mover] == 15) {
        games++;
        start_game(number, at);
    } else {
        ask(number, at);
    }
}

static void greet(int pair, int seat) {
    char line[160];
    for (int i = 0; i < tables; i++) {
        int length = snprintf(line, sizeof line, "match %d U000001 1 variant=western seat=%c\n",
                              i + 1, seat == 0 ? 'X' : 'Y');
        say(&links[2 * pair + seat], line, (size_t)length);
        if (i % 64 == 63) {
            flush(&links[2 * pair + seat]);
        }
    }
}

static void hear(int number, const char *line) {
    unsigned long long handle;
    struct link *link = &links[number];
    if (line[0] == 'h') {
        greet(number / 2, number % 2);
        return;
    }
    if (line[0] == 'r') { /* ready: the games begin when everybody is */
        heard_ready++;
        return;
    }
    line = get_number(line + 4, &handle);
    plays++;
    if (echo) {
        ask_echo(&links[number ^ 1], (unsigned)handle);
    } else {
        int at = number / 2 * tables + (int)handle - 1;
        take_play(at, &table[at], line);
    }
    if (link->out_used > OUT_ROOM - MARGIN * 4) {
        kit_fail("too many tables");
    }
}

static void serve(int number) {
    struct link *link = &links[number];
    ssize_t size = read(link->way.in, link->in + link->have, IN_ROOM - link->have);
    calls++;
    reads++;
    if (size <= 0) {
        kit_fail("a bot has ended");
    }
    link->have += (size_t)size;
    char *line = link->in, *stop = link->in + link->have, *end;
    while ((end = memchr(line, '\n', (size_t)(stop - line))) != NULL) {
        hear(number, line);
        line = end + 1;
    }
    link->have = (size_t)(stop - line);
    memmove(link->in, line, link->have);
}

static void begin(void) {
    for (int i = 0; i < pairs * tables; i++) {
        if (echo) {
            ask_echo(&links[i / tables * 2 + i % 2], (unsigned)(i % tables) + 1);
        } else {
            start_game(i, &table[i]);
        }
    }
    for (int i = 0; i < 2 * pairs; i++) {
        flush(&links[i]);
    }
}

/* Serves for that many seconds once the games have begun; the first tenth is not counted. */
static void run(double time) {
    struct epoll_event event[EVENTS];
    struct usage from = {0}, now = {0};
    int poll = epoll_create1(0);
    bool begun = false, counting = false;
    unsigned long long first = 0, turns = 0;
    double start = 0;
    for (int i = 0; i < 2 * pairs; i++) {
        event[0] = (struct epoll_event){.events = EPOLLIN, .data.u32 = (uint32_t)i};
        epoll_ctl(poll, EPOLL_CTL_ADD, links[i].way.in, &event[0]);
    }
    do {
        int count = epoll_wait(poll, event, EVENTS, 10000);
        calls++;
        if (count <= 0) {
            kit_fail("nobody answers");
        }
        for (int i = 0; i < count; i++) {
            serve((int)event[i].data.u32);
        }
        for (int i = 0; i < count; i++) {
            flush(&links[event[i].data.u32 ^ 1]);
            flush(&links[event[i].data.u32]);
        }
        if (!begun && heard_ready == 2 * pairs * tables) {
            begin();
            begun = true;
            start = kit_usage().wall;
        }
        if (begun && ++turns % TURNS == 0) {
            now = kit_usage();
        }
        if (begun && !counting && now.wall > start + time / 10) {
            counting = true;
            from = now;
            first = plays;
            reads = calls = games = 0;
        }
    } while (!counting || now.wall < from.wall + time);
    now = kit_usage();
    double done = (double)(plays - first);
    for (int i = 0; i < 2 * pairs; i++) {
        close(links[i].way.in);
        if (links[i].way.out != links[i].way.in) {
            close(links[i].way.out);
        }
    }
    printf("us_per_play=%.4f bots_us_per_play=%.4f calls_per_play=%.4f plays_per_read=%.2f "
           "games=%llu refused=%llu\n",
           (now.cpu - from.cpu) * 1e6 / done, kit_wait() * 1e6 / (double)plays,
           (double)calls / done, done / (double)reads, games, refused);
}

int main(int argc, char **argv) {
    double time = 1;
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        echo = echo || strcmp(word, "--echo") == 0;
        kind = strcmp(word, "--way") == 0 ? value : kind;
        pairs = strcmp(word, "--pairs") == 0 ? kit_number(value) : pairs;
        tables = strcmp(word, "--tables") == 0 ? kit_number(value) : tables;
        time = strcmp(word, "--time") == 0 ? atof(value) : time;
    }
    struct hash seed = {{1}};
    if (argc < 2 || pairs < 1 || tables < 1 || dice_init() != 0) {
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    kit_more_files();
    unit_dice_from_seed(&unit, &seed, "floor", "U000001");
    links = calloc((size_t)pairs * 2, sizeof *links);
    table = calloc((size_t)pairs * (size_t)tables, sizeof *table);
    struct way *theirs[2] = {calloc((size_t)pairs, sizeof **theirs),
                             calloc((size_t)pairs, sizeof **theirs)};
    for (int i = 0; i < 2 * pairs; i++) {
        kit_connect(kind, &links[i].way, &theirs[i % 2][i / 2]);
        links[i].in = malloc(tables > 8 ? IN_ROOM : 1 << 12);
        links[i].out = malloc(tables > 8 ? OUT_ROOM : 1 << 12);
    }
    for (int i = 0; i < pairs * tables; i++) {
        table[i].record = malloc(RECORD_ROOM);
        table[i].news = malloc(2 * NEWS_ROOM);
    }
    char number[16];
    snprintf(number, sizeof number, "%d", tables);
    kit_start_bot(argv[1], "a", theirs[0], pairs, number, echo);
    kit_start_bot(argv[1], "b", theirs[1], pairs, number, echo);
    run(time);
    return 0;
}
