/* A bot that costs next to nothing: it follows the `did` lines of many tables, takes the
 * first full play that a search from a random point finds, reads all that has come and
 * answers it with one write. It plays western backgammon without a cube.
 *
 *   bot [--name N] [--tables T] [--echo] [--ways W]
 *   bot --connect PORT [--many M] --name N --token T [--rival N --rival-token T] [--think MS]
 *
 * It talks over stdin and stdout; with --ways over W pairs of descriptors from
 * KIT_BOT_FIRST_FD on; with --connect over M connections to that port, of which every
 * second one is its rival's. --echo answers every `turn` with the same
 * words. With --think every answer comes so much later, and at the end it is told how long
 * requests were on their way: from the answer before, the opponent's or this seat's own, to
 * the request. What this process itself is late counts with it. */
#include "bench/kit.h"

#include "bench/board.h"

#include <sys/epoll.h>

enum { IN_ROOM = 1 << 17, OUT_ROOM = 1 << 18, EVENTS = 256, LATE_MAX = 4000000, LATE_UNIT = 10,
       UNITS = 1 << 16 };

struct seat {
    struct counts board;
    char letter;
    uint32_t chance;
    double *answered; /* when the last answer of either seat of this match was given */
};

struct link {
    struct way way;
    struct seat *seat; /* by place: (T - 1) % tables */
    char *in;
    size_t have, room;
};

/* A request that waits for its time. */
struct request {
    double due;
    int link;
    unsigned long long table, serial;
    int dice[2];
};

static unsigned long long tables = 1;
/* Of this bot, and of the one that every second connection is: NULL, the same. */
static const char *names[2] = {"cheap", NULL}, *tokens[2];
static bool echo;
static double think;
static struct link *links;
static int link_count = 1;
static char out[OUT_ROOM];
static size_t out_used;
static struct request *waiting; /* a ring in the order of their time */
static size_t waiting_room, waiting_first, waiting_count;
static uint32_t *late; /* LATE_UNIT microseconds each */
static size_t late_count;
static double answered[UNITS][2]; /* by unit and leg */

static struct seat *seat_of(struct link *link, unsigned long long table) {
    return &link->seat[(table - 1) % tables];
}

static void flush(const struct link *link) {
    for (size_t put = 0; put < out_used;) {
        ssize_t size = write(link->way.out, out + put, out_used - put);
        if (size < 0) {
            break; /* its end shows when it is read */
        }
        put += (size_t)size;
    }
    out_used = 0;
}

static void answer(struct link *link, const struct request *request) {
    static const struct steps same = {.count = 2, .from = {8, 6}, .to = {5, 5}};
    struct seat *seat = seat_of(link, request->table);
    seat->chance = seat->chance * 1664525 + 1013904223;
    struct steps play = echo ? same
                            : board_choose(&seat->board, request->dice[0], request->dice[1],
                                           (int)(seat->chance >> 16) % (BOARD_BAR - 1));
    if (out_used > OUT_ROOM - 128) {
        flush(link);
    }
    char *to = out + out_used;
    memcpy(to, "play ", 5);
    to = put_number(to + 5, request->table);
    *to++ = ' ';
    to = put_number(to, request->serial);
    to = put_play(to, &play, false);
    *to++ = '\n';
    out_used = (size_t)(to - out);
}

/* How long the request was on its way, from the answer before it. */
static void note_late(const struct seat *seat, double now) {
    if (*seat->answered > 0 && late_count < LATE_MAX) {
        late[late_count++] = (uint32_t)((now - *seat->answered) * 1e6 / LATE_UNIT);
    }
}

static void wait_with(const struct request *request) {
    if (waiting_count == waiting_room) {
        kit_fail("more requests than tables");
    }
    waiting[(waiting_first + waiting_count++) % waiting_room] = *request;
}

/* turn T S DICE ... */
static void hear_turn(struct link *link, unsigned long long table, const char *at) {
    struct request request = {.link = (int)(link - links), .table = table};
    at = get_number(at, &request.serial);
    request.dice[0] = at[1] - '0';
    request.dice[1] = at[2] - '0';
    if (think > 0) {
        double now = kit_usage().wall;
        note_late(seat_of(link, table), now);
        request.due = now + think;
        wait_with(&request);
    } else {
        answer(link, &request);
    }
}

/* did T PLY SEAT DICE PLAY */
static void hear_did(struct seat *seat, const char *at) {
    unsigned long long ply;
    struct steps play;
    at = get_number(at, &ply);
    get_play(at + 5, &play);
    for (int i = 0; i < play.count; i++) {
        if (at[1] == seat->letter) {
            board_move(&seat->board, play.from[i], play.to[i]);
        } else {
            board_suffer(&seat->board, play.from[i], play.to[i]);
        }
    }
}

/* match T U000012 LEG ... seat=X ... */
static void hear_match(struct seat *seat, const char *at, unsigned long long table) {
    const char *letter = strstr(at, " seat=");
    unsigned long long unit, leg;
    at = get_number(get_number(at + 2, &unit), &leg);
    seat->letter = letter != NULL ? letter[6] : 'X';
    seat->answered = &answered[unit % UNITS][leg % 2];
    out_used += (size_t)snprintf(out + out_used, OUT_ROOM - out_used, "ready %llu\n", table);
}

static void hear(struct link *link, const char *line) {
    unsigned long long table;
    const char *blank = strchr(line, ' ');
    if (blank == NULL || blank[1] < '1' || blank[1] > '9') {
        if (line[0] == 'e' || strncmp(line, "refused", 7) == 0) { /* error */
            fprintf(stderr, "%s: %s\n", names[0], line);
        } else if (strncmp(line, "ping", 4) == 0) {
            out_used += (size_t)snprintf(out + out_used, OUT_ROOM - out_used, "pong%s\n", line + 4);
        }
        return;
    }
    const char *at = get_number(blank, &table);
    if (line[0] == 't') {
        hear_turn(link, table, at);
    } else if (line[0] == 'd') {
        hear_did(seat_of(link, table), at);
    } else if (line[0] == 'g') {
        struct seat *seat = seat_of(link, table);
        board_start(&seat->board);
        seat->chance = (uint32_t)table * 2654435761U + seat->chance * 7 + (uint32_t)seat->letter;
    } else if (line[0] == 'm') {
        hear_match(seat_of(link, table), at, table);
    }
}

/* Reads once and answers; false at the end. */
static bool serve(struct link *link) {
    if (link->have + 1 >= link->room) {
        link->room = link->room == 0 ? (tables > 8 ? IN_ROOM : 4096) : 2 * link->room;
        link->in = realloc(link->in, link->room);
    }
    ssize_t size = read(link->way.in, link->in + link->have, link->room - link->have - 1);
    if (size <= 0) {
        return false;
    }
    link->have += (size_t)size;
    char *line = link->in, *stop = link->in + link->have, *end;
    while ((end = memchr(line, '\n', (size_t)(stop - line))) != NULL) {
        *end = '\0';
        hear(link, line);
        line = end + 1;
    }
    link->have = (size_t)(stop - line);
    memmove(link->in, line, link->have);
    flush(link);
    return true;
}

/* Answers what has waited long enough; ms until the next. */
static int serve_waiting(void) {
    double now = kit_usage().wall;
    while (waiting_count > 0) {
        const struct request *request = &waiting[waiting_first];
        if (request->due > now) {
            return (int)((request->due - now) * 1000) + 1;
        }
        struct link *link = &links[request->link];
        answer(link, request);
        flush(link);
        *seat_of(link, request->table)->answered = kit_usage().wall;
        waiting_first = (waiting_first + 1) % waiting_room;
        waiting_count--;
    }
    return -1;
}

static void serve_all(void) {
    struct epoll_event event[EVENTS];
    int poll = epoll_create1(0), open = link_count;
    for (int i = 0; i < link_count; i++) {
        event[0] = (struct epoll_event){.events = EPOLLIN, .data.u32 = (uint32_t)i};
        epoll_ctl(poll, EPOLL_CTL_ADD, links[i].way.in, &event[0]);
    }
    while (open > 0) {
        int count = epoll_wait(poll, event, EVENTS, think > 0 ? serve_waiting() : -1);
        for (int i = 0; i < count; i++) {
            struct link *link = &links[event[i].data.u32];
            if (!serve(link)) {
                epoll_ctl(poll, EPOLL_CTL_DEL, link->way.in, NULL);
                open--;
            }
        }
    }
}

static int by_size(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static void tell_late(void) {
    if (late_count > 0) {
        qsort(late, late_count, sizeof *late, by_size);
        printf("requests=%zu p50_ms=%.3f p99_ms=%.3f max_ms=%.3f\n", late_count,
               late[late_count / 2] * LATE_UNIT / 1000.0,
               late[late_count * 99 / 100] * LATE_UNIT / 1000.0,
               late[late_count - 1] * LATE_UNIT / 1000.0);
    }
}

static void greet(struct link *link, int number) {
    int who = number % 2 == 1 && names[1] != NULL ? 1 : 0;
    link->seat = calloc(tables, sizeof *link->seat);
    out_used = (size_t)snprintf(out, OUT_ROOM, "hello hakem=1 name=%s tables=%llu", names[who],
                                tables);
    if (tokens[who] != NULL) {
        out_used +=
            (size_t)snprintf(out + out_used, OUT_ROOM - out_used, " token=%s", tokens[who]);
    }
    out[out_used++] = '\n';
    for (unsigned long long i = 0; i < tables; i++) {
        link->seat[i].chance = (uint32_t)(i + 1) * 40503 + (uint32_t)(number + 1);
        link->seat[i].answered = &answered[0][0];
    }
    flush(link);
}

static struct way dial(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int one = 1, end = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(end, (struct sockaddr *)&address, sizeof address) != 0) {
        kit_fail("connect");
    }
    setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return (struct way){end, end};
}

int main(int argc, char **argv) {
    int port = 0, ways = 0, many = 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        echo = echo || strcmp(word, "--echo") == 0;
        names[0] = strcmp(word, "--name") == 0 ? value : names[0];
        names[1] = strcmp(word, "--rival") == 0 ? value : names[1];
        tokens[0] = strcmp(word, "--token") == 0 ? value : tokens[0];
        tokens[1] = strcmp(word, "--rival-token") == 0 ? value : tokens[1];
        tables = strcmp(word, "--tables") == 0 ? strtoull(value, NULL, 10) : tables;
        think = strcmp(word, "--think") == 0 ? atof(value) / 1000 : think;
        ways = strcmp(word, "--ways") == 0 ? kit_number(value) : ways;
        port = strcmp(word, "--connect") == 0 ? kit_number(value) : port;
        many = strcmp(word, "--many") == 0 ? kit_number(value) : many;
    }
    signal(SIGPIPE, SIG_IGN);
    kit_more_files();
    link_count = ways > 0 ? ways : many > 0 ? many : 1;
    links = calloc((size_t)link_count, sizeof *links);
    waiting_room = (size_t)link_count * (size_t)tables;
    waiting = calloc(waiting_room, sizeof *waiting);
    late = think > 0 ? calloc(LATE_MAX, sizeof *late) : NULL;
    for (int i = 0; i < link_count; i++) {
        int first = KIT_BOT_FIRST_FD + 2 * i;
        links[i].way = port > 0   ? dial(port)
                       : ways > 0 ? (struct way){first, first + 1}
                                  : (struct way){0, 1};
        greet(&links[i], i);
    }
    if (link_count > 1 || think > 0) {
        serve_all();
    } else {
        while (serve(&links[0])) {
        }
    }
    tell_late();
    return 0;
}
