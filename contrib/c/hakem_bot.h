/* hakem_bot.h: everything a bot for the referee hakem needs, in one C header.
 * MIT licence (LICENSE at the top of the sources). C99 or C++11, POSIX, libc.
 *
 *     #include "hakem_bot.h"
 *
 *     static int choose(struct hakem_bot *bot, struct hakem_turn *turn) {
 *         (void)bot;
 *         return (int)hakem_random(turn->table, (uint32_t)turn->count);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         struct hakem_bot bot = {.name = "mine", .choose = choose};
 *         return hakem_run(&bot, argc, argv);
 *     }
 *
 * hakem_run talks over stdin and stdout, or with `--connect HOST:PORT` over TCP, in the
 * text spelling of protocol/README.md. It returns the exit status: 0 after the referee's
 * bye or the end of its lines, 1 when the referee refused or could not be reached, 2 for
 * a wrong argument. A TCP connection that breaks is dialled anew and the session resumed.
 * The options and callbacks are those of the clients in Python and JavaScript beside this
 * one; contrib/README.md has them in one table.
 *
 * Points are always in one's own numbering: 24 is farthest, 6..1 are home, 25 is
 * the bar, 0 is off. A reproducible bot draws all its chance from hakem_random,
 * which every game seeds anew with the `seed=` of the referee.
 */
#ifndef HAKEM_BOT_H
#define HAKEM_BOT_H

#if !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    HAKEM_OWN_PLAY = -1,       /* choose() wrote its answer into turn->answer */
    HAKEM_UNANSWERED = -2,     /* choose_many() leaves this request to the other callbacks */
    HAKEM_TABLES_MAX = 4096,   /* tables at once on one connection */
    HAKEM_LINE_MAX = 4096,     /* bytes of a line to the referee */
    HAKEM_INPUT_MAX = 8 << 20, /* bytes of a line from the referee */
    HAKEM_READ = 1 << 16,      /* bytes asked for at once */
    HAKEM_DRAIN_MAX = 256,     /* reads before answers are given all the same */
    HAKEM_SENT_MAX = 192,      /* bytes of an answer */
    HAKEM_TRIES = 9,           /* how often a lost referee is dialled without a request from it */
    HAKEM_WAIT_FIRST = 100,    /* ms before the first of them, doubled up to */
    HAKEM_WAIT_MAX = 5000
};

enum hakem_variant {
    HAKEM_TAVLA,
    HAKEM_UZUN,
    HAKEM_WESTERN,
    HAKEM_NACKGAMMON,
    HAKEM_HYPERGAMMON,
    HAKEM_FEVGA,
    HAKEM_VARIANTS
};

/* Their names on the wire, in this order. */
#define HAKEM_VARIANT_NAMES "tavla,uzun,western,nackgammon,hypergammon,fevga"

/* The options that decide which plays are legal: what a bot that asks for no list of
 * plays declines unless it has a supports(). */
#define HAKEM_PLAY_OPTIONS                                                                         \
    "must_max,larger_die,win_ends_turn,bearoff,hit_and_run,wall,wall_path,wall_front,"             \
    "head_exception,head_exception_who,runner,start_wall,unblock"

/* The board as its owner sees it. point[1..24]: own checkers positive, the
 * opponent's negative; point[25]: own checkers on the bar (0 or more); point[0]:
 * the opponent's on the bar (0 or less). The same 26 numbers as `position=`. */
struct hakem_board {
    int8_t point[26];
    int8_t off[2]; /* borne off: own, the opponent's */
};

/* One checker moved by one die. */
struct hakem_step {
    int8_t from; /* 25 (bar) .. 1 */
    int8_t to;   /* 24 .. 0 (off) */
};

struct hakem_play {
    int count; /* 0..4; 0: nothing can be played */
    struct hakem_step step[4];
};

/* One seat at one table, as the lines of the referee have told it. */
struct hakem_table {
    bool live;
    long long id;
    enum hakem_variant variant;
    char seat;                /* 'X' or 'Y' */
    char opponent[64];        /* name */
    int match;                /* points to win the match, 0: a money session */
    double score[2];          /* own, the opponent's, at the start of the game */
    bool crawford;            /* this game is played without the cube */
    int cube;                 /* its value, 1 where there is none */
    int owner;                /* 1 it is ours, -1 the opponent's, 0 in the middle */
    int offer;                /* while a double is out: its value if it is taken, else 0 */
    bool offered;             /* the first double of this exchange was offered to us */
    struct hakem_board board; /* now, before the throw of the turn is played */
    uint64_t random;          /* state of hakem_random */
    struct hakem_play *plays; /* list that the referee sent, owned by the table */
    int count, room;
    long long plays_serial; /* the request it belongs to */
    bool asked;             /* one of those due is its */
    long long answered;     /* serial of the request answered last */
    const char *fallback;   /* what is always allowed there */
    char sent[HAKEM_SENT_MAX]; /* that answer */
    long long game, attempt;   /* -1: none yet */
    int next;               /* in its chain, or among the free */
};

/* What a request may be answered with, in turn->may. */
enum {
    HAKEM_MAY_PLAY = 1,
    HAKEM_MAY_ROLL = 2,
    HAKEM_MAY_DOUBLE = 4,
    HAKEM_MAY_TAKE = 8,
    HAKEM_MAY_DROP = 16,
    HAKEM_MAY_BEAVER = 32,
    HAKEM_MAY_RESIGN = 64,
    HAKEM_MAY_ACCEPT = 128,
    HAKEM_MAY_REJECT = 256
};

enum hakem_kind {
    HAKEM_KIND_TURN,  /* a throw to play */
    HAKEM_KIND_CUBE,  /* before the throw: roll or double? */
    HAKEM_KIND_OFFER, /* a double, beaver or resignation of the opponent to answer */
    HAKEM_KINDS
};

/* One request: what choose() is asked. Board, score, cube and owner are those of the
 * request where it has them (want=position), else those of the table. */
struct hakem_turn {
    struct hakem_table *table;
    long long serial;
    enum hakem_kind kind;
    unsigned may;         /* HAKEM_MAY_... */
    int dice[2];          /* in thrown order; 0, 0 before the throw */
    bool first, last;     /* own first turn of this game; the last throw (draw=last_roll) */
    long long ms;         /* time for this answer in milliseconds, -1 without a clock */
    double reserve[2];    /* milliseconds left in reserve, own and the opponent's; -1 without */
    int value;            /* offer: what the cube is worth if it is taken */
    char act[16];         /* offer: "double", "beaver" or "resign" */
    char resignation[16]; /* offer of act resign: the kind of defeat, "single"... */
    struct hakem_board board;
    double score[2];
    int cube, owner;
    const struct hakem_play *plays; /* the legal plays, one for each final position */
    int count;                      /* 0 when the bot did not ask for them */

    /* Written by the bot. choose_many() sets choice: an index into plays, or HAKEM_OWN_PLAY.
     * answer: the play as text ("8/5 6/5", "bar/20 24/20"), or what else `may` allows
     * ("double", "resign mars"). */
    int choice;
    char answer[128];
};

struct hakem_bot {
    /* ---- set by the author before hakem_run; name and choose or choose_many are needed */
    const char *name, *version, *author;
    const char *variants; /* of HAKEM_VARIANT_NAMES, all when NULL; others are declined */
    const char *want;     /* "plays" when NULL; "position,plays", "position" or "" */
    int tables;           /* tables that may run at once, 1 when 0 */
    bool forced;          /* auto=forced: the referee plays what is no choice */
    bool trace;           /* every line of the conversation goes to stderr too */
    const char *connect;  /* HOST:PORT to dial; NULL: stdin and stdout */
    const char *token;    /* what the organiser gave out, or NULL */
    void *own;            /* the author's, never touched */

    /* Returns an index into turn->plays, or HAKEM_OWN_PLAY with its text in turn->answer. */
    int (*choose)(struct hakem_bot *bot, struct hakem_turn *turn);
    /* All requests that are due at once, of every kind: sets turns[i].choice and answer.
     * Those it leaves HAKEM_UNANSWERED go to the other callbacks one by one. */
    void (*choose_many)(struct hakem_bot *bot, struct hakem_turn *turns, int count);
    /* With the cube; each may be NULL: it rolls, takes, never beavers or resigns, and accepts a
     * resignation where no more can be won. resigns() returns a kind ("single"...) or NULL. */
    bool (*doubles)(struct hakem_bot *bot, const struct hakem_turn *turn);
    bool (*takes)(struct hakem_bot *bot, const struct hakem_turn *turn);
    bool (*beavers)(struct hakem_bot *bot, const struct hakem_turn *turn);
    bool (*accepts)(struct hakem_bot *bot, const struct hakem_turn *turn);
    const char *(*resigns)(struct hakem_bot *bot, const struct hakem_turn *turn);
    /* Asked for each `option=value` of a match; false declines it. NULL: as HAKEM_PLAY_OPTIONS
     * says. */
    bool (*supports)(struct hakem_bot *bot, const char *option, const char *value);
    /* Called after every line that was taken in; may be NULL. */
    void (*heard)(struct hakem_bot *bot, const char *line);

    /* ---- kept by this header */
    struct hakem_table *table; /* room for `tables` */
    int *chain;                /* heads of the chains by id */
    int chains, free;          /* a power of two; first free table or -1 */
    struct hakem_turn *due;    /* requests to answer, room for `tables` */
    int due_count;
    int in, out; /* descriptors */
    char *input; /* bytes not yet cut into lines */
    size_t input_used, input_room;
    char *output; /* lines not yet written */
    size_t output_used, output_room;
    char secret[80]; /* what a lost session is resumed with, or "" */
    bool returns;    /* a connection that breaks is dialled anew */
    int tries;       /* how often it was since the last request */
    bool closed;
    int status; /* exit status */
};

/* ---- boards and plays: helpers for choose() */

/* A number from 0 to limit - 1 (limit 1 at least): splitmix64, seeded by `game`; the
 * upper half of its output times the limit, shifted down by 32. */
static inline uint32_t hakem_random(struct hakem_table *table, uint32_t limit) {
    uint64_t z = table->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (uint32_t)((z >> 32) * limit >> 32);
}

/* Whether both sides run the same way, where one man closes a point and none is hit. */
static inline bool hakem_is_parallel(enum hakem_variant variant) {
    return variant == HAKEM_UZUN || variant == HAKEM_FEVGA;
}

/* The opponent's number of one's own point 1..24. */
static inline int hakem_mirror(enum hakem_variant variant, int point) {
    if (!hakem_is_parallel(variant)) {
        return 25 - point;
    }
    return point <= 12 ? point + 12 : point - 12;
}

/* The opening arrangement. */
static inline void hakem_board_start(struct hakem_board *board, enum hakem_variant variant) {
    static const int8_t start[HAKEM_VARIANTS][5][2] = {
        {{24, 2}, {13, 5}, {8, 3}, {6, 5}, {0, 0}},  /* tavla */
        {{24, 15}, {0, 0}, {0, 0}, {0, 0}, {0, 0}},  /* uzun */
        {{24, 2}, {13, 5}, {8, 3}, {6, 5}, {0, 0}},  /* western */
        {{24, 2}, {23, 2}, {13, 4}, {8, 3}, {6, 4}}, /* nackgammon */
        {{24, 1}, {23, 1}, {22, 1}, {0, 0}, {0, 0}}, /* hypergammon */
        {{24, 15}, {0, 0}, {0, 0}, {0, 0}, {0, 0}},  /* fevga */
    };
    memset(board, 0, sizeof *board);
    for (int i = 0; i < 5 && start[variant][i][1] > 0; i++) {
        int p = start[variant][i][0], men = start[variant][i][1];
        board->point[p] = (int8_t)men;
        board->point[hakem_mirror(variant, p)] = (int8_t)-men;
    }
}

/* Plays one's own play on the board. */
static inline void hakem_board_play(struct hakem_board *board, const struct hakem_play *play) {
    for (int i = 0; i < play->count; i++) {
        const struct hakem_step *step = &play->step[i];
        board->point[step->from]--;
        if (step->to == 0) {
            board->off[0]++;
        } else if (board->point[step->to] == -1) { /* a hit: it goes to its bar */
            board->point[step->to] = 1;
            board->point[0]--;
        } else {
            board->point[step->to]++;
        }
    }
}

/* Plays the opponent's play, which is written in our numbering too: he enters
 * from 25 (his bar is our point[0]) and bears off to 0. */
static inline void hakem_board_suffer(struct hakem_board *board, const struct hakem_play *play) {
    for (int i = 0; i < play->count; i++) {
        const struct hakem_step *step = &play->step[i];
        board->point[step->from == 25 ? 0 : step->from]++;
        if (step->to == 0) {
            board->off[1]++;
        } else if (board->point[step->to] == 1) {
            board->point[step->to] = -1;
            board->point[25]++;
        } else {
            board->point[step->to]--;
        }
    }
}

/* The board after a play of the turn. */
static inline struct hakem_board hakem_after(const struct hakem_turn *turn, int index) {
    struct hakem_board board = turn->board;
    hakem_board_play(&board, &turn->plays[index]);
    return board;
}

/* Pips that the owner needs to bear off everything. */
static inline int hakem_pips(const struct hakem_board *board) {
    int pips = 0;
    for (int p = 1; p <= 25; p++) {
        pips += board->point[p] > 0 ? p * board->point[p] : 0;
    }
    return pips;
}

/* Pips that the opponent needs. */
static inline int hakem_their_pips(const struct hakem_board *board, enum hakem_variant variant) {
    int pips = -25 * board->point[0];
    for (int p = 1; p <= 24; p++) {
        pips += board->point[p] < 0 ? -board->point[p] * hakem_mirror(variant, p) : 0;
    }
    return pips;
}

/* ---- lines: words, key=value fields, percent-encoding */

/* Copies one word without its percent-encoding; what does not fit is cut off. */
static inline void hakem_decode(const char *word, char *out, size_t room) {
    size_t used = 0;
    for (; *word != '\0' && *word != ' ' && used + 1 < room; word++) {
        char hex[3] = {0, 0, 0};
        char *end = hex;
        long byte = 0;
        if (word[0] == '%' && word[1] != '\0') {
            memcpy(hex, word + 1, 2);
            byte = strtol(hex, &end, 16);
        }
        out[used++] = end == hex + 2 ? (char)byte : *word;
        word += end == hex + 2 ? 2 : 0;
    }
    out[used] = '\0';
}

/* Copies a text as one word of a line. */
static inline void hakem_encode(const char *text, char *out, size_t room) {
    size_t used = 0;
    for (; *text != '\0' && used + 4 < room; text++) {
        unsigned char byte = (unsigned char)*text;
        bool plain = byte > 0x20 && byte != '%' && byte != 0x7f;
        used += (size_t)snprintf(out + used, room - used, plain ? "%c" : "%%%02X", byte);
    }
    out[used] = '\0';
}

/* Where the value of a field (`key=value`) begins, still encoded; NULL when it is absent. */
static inline const char *hakem_field_at(const char *line, const char *key) {
    size_t length = strlen(key);
    for (const char *at = strchr(line, ' '); at != NULL; at = strchr(at + 1, ' ')) {
        if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=') {
            return at + length + 2;
        }
    }
    return NULL;
}

/* The value of a field in `out`; false when it is not there. */
static inline bool hakem_field(const char *line, const char *key, char *out, size_t room) {
    const char *at = hakem_field_at(line, key);
    hakem_decode(at != NULL ? at : "", out, room);
    return at != NULL;
}

/* The digits at `*at` as a number, and behind them; -1 when there are none or too many. */
static inline long long hakem_digits(const char **at) {
    long long number = 0;
    int digits = 0;
    for (; **at >= '0' && **at <= '9' && digits < 18; digits++, ++*at) {
        number = 10 * number + (**at - '0');
    }
    return digits > 0 && digits < 18 ? number : -1;
}

/* The number of a field, or `absent`. */
static inline long long hakem_field_number(const char *line, const char *key, long long absent) {
    const char *at = hakem_field_at(line, key);
    long long number = at != NULL ? hakem_digits(&at) : -1;
    return number >= 0 ? number : absent;
}

/* Whether a field says yes. */
static inline bool hakem_field_yes(const char *line, const char *key) {
    const char *at = hakem_field_at(line, key);
    return at != NULL && *at == 'y';
}

/* The numbers of a field, half points too, in `out`; false when there are not `count`. */
static inline bool hakem_field_numbers(const char *line, const char *key, double *out, int count) {
    const char *at = hakem_field_at(line, key);
    for (int i = 0; i < count && at != NULL; i++) {
        char *end;
        double number = strtod(at, &end);
        if (end == at || (i + 1 < count && *end != ',')) {
            return false;
        }
        out[i] = number;
        at = end + 1;
    }
    return at != NULL;
}

/* The next word of a line, not ended by a NUL; moves `*line` behind it. NULL at the end. */
static inline const char *hakem_word(const char **line, size_t *length) {
    const char *word = *line;
    while (*word == ' ') {
        word++;
    }
    const char *end = word;
    while (*end != '\0' && *end != ' ') {
        end++;
    }
    *length = (size_t)(end - word);
    *line = end;
    return end > word ? word : NULL;
}

/* The next word as a number; -1 when it is none. */
static inline long long hakem_word_number(const char **line) {
    size_t length;
    const char *at = hakem_word(line, &length);
    long long number = at != NULL ? hakem_digits(&at) : -1;
    return at == *line ? number : -1;
}

/* Whether the word is this one. */
static inline bool hakem_is(const char *word, size_t length, const char *name) {
    return strncmp(word, name, length) == 0 && name[length] == '\0';
}

/* The place of a word in a list ("a,b,c"), -1 when it is not there. */
static inline int hakem_list_find(const char *list, const char *word, size_t length) {
    for (int place = 0; *list != '\0'; place++) {
        size_t here = strcspn(list, ",");
        if (here == length && memcmp(list, word, length) == 0) {
            return place;
        }
        list += here + (list[here] == ',');
    }
    return -1;
}

/* One end of a leg: "bar", "off" or a number; -1 when it is none of these. */
static inline int hakem_read_point(const char **at) {
    const char *c = *at;
    if (c[0] >= '0' && c[0] <= '9') {
        bool two = c[1] >= '0' && c[1] <= '9';
        int point = two ? 10 * (c[0] - '0') + c[1] - '0' : c[0] - '0';
        *at += two ? 2 : 1;
        return point <= 25 ? point : -1;
    }
    if (strncmp(c, "bar", 3) == 0 || strncmp(c, "off", 3) == 0) {
        *at += 3;
        return *c == 'b' ? 25 : 0;
    }
    return -1;
}

/* Adds the legs of one word ("8/5*" or "8/5,6/5") to a play; false: not legs. */
static inline bool hakem_read_legs(const char *word, size_t length, struct hakem_play *play) {
    const char *at = word;
    while (at < word + length) {
        int from = hakem_read_point(&at);
        if (from < 1 || *at++ != '/') {
            return false;
        }
        int to = hakem_read_point(&at);
        if (to < 0 || to > 24 || play->count == 4) {
            return false;
        }
        play->step[play->count].from = (int8_t)from;
        play->step[play->count].to = (int8_t)to;
        play->count++;
        at += *at == '*'; /* the board tells hits by itself */
        if (at < word + length && *at++ != ',') {
            return false;
        }
    }
    return true;
}

/* ---- output */

/* Writes what is queued, all answers of a batch in one write; false when nobody takes it. */
static inline bool hakem_flush(struct hakem_bot *bot) {
    size_t done = 0;
    while (done < bot->output_used && !bot->closed) {
        ssize_t wrote = write(bot->out, bot->output + done, bot->output_used - done);
        if (wrote < 0 && errno != EINTR) {
            break;
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    bool all = done == bot->output_used;
    bot->output_used = 0;
    return all;
}

/* Grows a buffer until `more` bytes fit behind those used; false when memory is out. */
static inline bool hakem_grow(char **bytes, size_t *room, size_t used, size_t more) {
    if (used + more > *room) {
        size_t wanted = 2 * (used + more);
        char *grown = (char *)realloc(*bytes, wanted);
        if (grown == NULL) {
            return false;
        }
        *bytes = grown;
        *room = wanted;
    }
    return true;
}

/* Ends the bot after a fault of its surroundings. */
static inline void hakem_give_up(struct hakem_bot *bot, const char *why) {
    fprintf(stderr, "%s: %s\n", bot->name, why);
    bot->closed = true;
    bot->status = 1;
}

/* Queues one line for the referee. */
__attribute__((format(printf, 2, 3))) static inline void hakem_say(struct hakem_bot *bot,
                                                                   const char *format, ...) {
    if (!hakem_grow(&bot->output, &bot->output_room, bot->output_used, HAKEM_LINE_MAX)) {
        hakem_give_up(bot, "out of memory");
        return;
    }
    char *line = bot->output + bot->output_used;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, HAKEM_LINE_MAX - 1, format, args);
    va_end(args);
    if (length < 0 || length >= HAKEM_LINE_MAX - 1) {
        fprintf(stderr, "%s: a line that is too long was not sent\n", bot->name);
        return;
    }
    if (bot->trace) {
        fprintf(stderr, "> %s\n", line);
    }
    line[length] = '\n';
    bot->output_used += (size_t)length + 1;
}

/* What is in force where the author said nothing. */
static inline const char *hakem_variants(const struct hakem_bot *bot) {
    return bot->variants != NULL ? bot->variants : HAKEM_VARIANT_NAMES;
}
static inline const char *hakem_want(const struct hakem_bot *bot) {
    return bot->want != NULL ? bot->want : "plays";
}

/* Adds ` key=value` to a line, if there is a value. */
static inline void hakem_add_field(char *line, size_t room, const char *key, const char *value) {
    size_t used = strlen(line);
    if (value != NULL && *value != '\0' && used + strlen(key) + 3 < room) {
        used += (size_t)snprintf(line + used, room - used, " %s=", key);
        hakem_encode(value, line + used, room - used);
    }
}

/* Makes room for the tables; false when memory is out. */
static inline bool hakem_sit_down(struct hakem_bot *bot) {
    bot->tables = bot->tables < 1                  ? 1
                  : bot->tables > HAKEM_TABLES_MAX ? HAKEM_TABLES_MAX
                                                   : bot->tables;
    for (bot->chains = 1; bot->chains < bot->tables;) {
        bot->chains *= 2;
    }
    size_t tables = (size_t)bot->tables;
    bot->table = (struct hakem_table *)calloc(tables, sizeof *bot->table);
    bot->due = (struct hakem_turn *)calloc(tables, sizeof *bot->due);
    bot->chain = (int *)malloc((size_t)bot->chains * sizeof *bot->chain);
    if (bot->table == NULL || bot->due == NULL || bot->chain == NULL) {
        hakem_give_up(bot, "out of memory");
        return false;
    }
    for (int i = 0; i < bot->chains; i++) {
        bot->chain[i] = -1;
    }
    for (int i = 0; i < bot->tables; i++) {
        bot->table[i].next = i + 1 < bot->tables ? i + 1 : -1;
    }
    bot->free = 0;
    bot->due_count = 0;
    return true;
}

/* Says who we are; the first line of a connection. */
static inline void hakem_hello(struct hakem_bot *bot) {
    char more[HAKEM_LINE_MAX / 2] = "", tables[16];
    if (bot->table == NULL && !hakem_sit_down(bot)) {
        return;
    }
    snprintf(tables, sizeof tables, "%d", bot->tables);
    hakem_add_field(more, sizeof more, "name", bot->name);
    hakem_add_field(more, sizeof more, "version", bot->version);
    hakem_add_field(more, sizeof more, "author", bot->author);
    hakem_add_field(more, sizeof more, "tables", tables);
    hakem_add_field(more, sizeof more, "variants", hakem_variants(bot));
    hakem_add_field(more, sizeof more, "want", hakem_want(bot));
    hakem_add_field(more, sizeof more, "auto", bot->forced ? "forced" : NULL);
    hakem_add_field(more, sizeof more, "token", bot->token);
    hakem_add_field(more, sizeof more, "resume", bot->secret);
    hakem_say(bot, "hello hakem=1%s", more);
}

/* ---- tables */

/* The chain that the id belongs to. */
static inline int *hakem_chain(struct hakem_bot *bot, long long id) {
    return &bot->chain[id & (bot->chains - 1)];
}

/* The table of that id, or NULL. */
static inline struct hakem_table *hakem_table_find(struct hakem_bot *bot, long long id) {
    int i = id >= 0 ? *hakem_chain(bot, id) : -1;
    while (i >= 0 && bot->table[i].id != id) {
        i = bot->table[i].next;
    }
    return i >= 0 ? &bot->table[i] : NULL;
}

/* A free table for that id, or NULL when all are taken. */
static inline struct hakem_table *hakem_table_take(struct hakem_bot *bot, long long id) {
    if (bot->free < 0) {
        return NULL;
    }
    struct hakem_table *table = &bot->table[bot->free];
    int *chain = hakem_chain(bot, id);
    int place = bot->free;
    bot->free = table->next;
    table->next = *chain;
    *chain = place;
    table->live = true;
    table->id = id;
    table->asked = false;
    table->answered = table->game = table->attempt = -1;
    return table;
}

/* The match is over: the table is free again. */
static inline void hakem_table_leave(struct hakem_bot *bot, struct hakem_table *table) {
    int place = (int)(table - bot->table);
    int *at = hakem_chain(bot, table->id);
    while (*at != place) {
        at = &bot->table[*at].next;
    }
    *at = table->next;
    table->next = bot->free;
    bot->free = place;
    table->live = false;
    table->count = 0;
}

/* Why the match of these fields is declined ("variant", "bearoff=literal000"), in `why`;
 * false when it is one that the bot plays. */
static inline bool hakem_declines(struct hakem_bot *bot, const char *fields, char *why,
                                  size_t room) {
    size_t length;
    hakem_field(fields, "variant", why, room);
    if (hakem_list_find(hakem_variants(bot), why, strlen(why)) < 0) {
        snprintf(why, room, "variant");
        return true;
    }
    bool knows_plays = strstr(hakem_want(bot), "plays") != NULL;
    for (const char *word; (word = hakem_word(&fields, &length)) != NULL;) {
        const char *equals = (const char *)memchr(word, '=', length);
        if (equals == NULL || length >= room) {
            continue;
        }
        bool fine;
        if (bot->supports == NULL) {
            size_t name = (size_t)(equals - word);
            fine = knows_plays || hakem_list_find(HAKEM_PLAY_OPTIONS, word, name) < 0;
        } else {
            char option[64], value[256];
            snprintf(option, sizeof option, "%.*s", (int)(equals - word), word);
            hakem_decode(equals + 1, value, sizeof value);
            fine = bot->supports(bot, option, value);
        }
        if (!fine) {
            snprintf(why, room, "%.*s", (int)length, word);
            return true;
        }
    }
    return false;
}

/* The fields that `match` and `state` both have. */
static inline void hakem_read_match(struct hakem_table *table, const char *fields) {
    char word[512];
    hakem_field(fields, "variant", word, sizeof word);
    int variant = hakem_list_find(HAKEM_VARIANT_NAMES, word, strlen(word));
    table->variant = variant >= 0 ? (enum hakem_variant)variant : HAKEM_TAVLA;
    table->match = (int)hakem_field_number(fields, "match", 1);
    hakem_field(fields, "seat", word, sizeof word);
    table->seat = word[0] == 'Y' ? 'Y' : 'X';
    hakem_field(fields, "opponent", table->opponent, sizeof table->opponent);
    table->score[0] = table->score[1] = 0;
    table->cube = 1;
    table->owner = table->offer = table->count = 0;
    hakem_board_start(&table->board, table->variant);
}

/* match T unit leg variant= seat= ...: takes the seat, or declines. */
static inline void hakem_on_match(struct hakem_bot *bot, const char *rest) {
    char word[512];
    const char *fields = rest;
    long long id = hakem_word_number(&rest);
    if (id < 0) {
        return;
    }
    struct hakem_table *table = hakem_table_find(bot, id);
    if (hakem_declines(bot, fields, word, sizeof word)) {
        hakem_say(bot, "decline %lld reason=%s", id, word);
        return;
    }
    table = table != NULL ? table : hakem_table_take(bot, id);
    if (table == NULL) {
        hakem_say(bot, "decline %lld reason=full", id);
        return;
    }
    hakem_read_match(table, fields);
    hakem_say(bot, "ready %lld", id);
}

/* game T n seed= score= ...: a fresh board and fresh chance. */
static inline void hakem_on_game(struct hakem_table *table, const char *rest) {
    table->game = hakem_word_number(&rest);
    table->attempt = hakem_field_number(rest, "attempt", 0);
    const char *seed = hakem_field_at(rest, "seed");
    table->random = seed != NULL ? strtoull(seed, NULL, 10) : 0;
    hakem_field_numbers(rest, "score", table->score, 2);
    table->cube = (int)hakem_field_number(rest, "cube", 1);
    table->owner = 0;
    table->offer = 0;
    table->crawford = hakem_field_yes(rest, "crawford");
    table->count = 0;
    hakem_board_start(&table->board, table->variant);
}

/* The position of a request that brings one. */
static inline void hakem_read_position(struct hakem_board *board, const char *rest) {
    double number[26], off[2];
    if (hakem_field_numbers(rest, "position", number, 26)) {
        for (int p = 0; p < 26; p++) {
            board->point[p] = (int8_t)(number[p] >= -15 && number[p] <= 15 ? number[p] : 0);
        }
        if (hakem_field_numbers(rest, "off", off, 2)) {
            board->off[0] = (int8_t)(off[0] >= 0 && off[0] <= 15 ? off[0] : 0);
            board->off[1] = (int8_t)(off[1] >= 0 && off[1] <= 15 ? off[1] : 0);
        }
    }
}

/* The owner of the cube that a line names: 1 us, -1 the opponent, 0 nobody. */
static inline int hakem_read_owner(const char *rest, int absent) {
    const char *owner = hakem_field_at(rest, "owner");
    if (owner == NULL) {
        return absent;
    }
    return *owner == 'm' ? 1 : *owner == 'o' && owner[1] == 'p' ? -1 : 0;
}

/* A double of that value waits for us, or for the opponent: to whom the first of this exchange
 * was offered. Each beaver turns it back to the other side. */
static inline void hakem_waits(struct hakem_table *table, bool us, int value) {
    bool back = false;
    for (int doubled = 2 * table->cube; doubled > 0 && doubled < value; doubled *= 2) {
        back = !back;
    }
    table->offered = us != back;
}

/* state T ...: where the match stands after the connection was lost; we may have forgotten the
 * seat. Of a game that was known already the chance goes on as it was. */
static inline void hakem_on_state(struct hakem_bot *bot, const char *rest) {
    const char *seed = hakem_field_at(rest, "seed");
    long long id = hakem_word_number(&rest);
    struct hakem_table *table = hakem_table_find(bot, id);
    if (table == NULL && id >= 0) {
        table = hakem_table_take(bot, id);
    }
    if (table == NULL) {
        return;
    }
    long long game = hakem_field_number(rest, "game", -1);
    long long attempt = hakem_field_number(rest, "attempt", -1);
    hakem_read_match(table, rest);
    if (game != table->game || attempt != table->attempt) {
        table->random = seed != NULL ? strtoull(seed, NULL, 10) : 0;
    }
    table->game = game;
    table->attempt = attempt;
    hakem_field_numbers(rest, "score", table->score, 2);
    table->crawford = hakem_field_yes(rest, "crawford_game");
    table->cube = (int)hakem_field_number(rest, "cube", 1);
    table->owner = hakem_read_owner(rest, 0);
    table->offer = (int)hakem_field_number(rest, "value", 0);
    hakem_waits(table, false, table->offer);
    hakem_read_position(&table->board, rest);
}

/* A word in the place of the dice: the cube goes its way. */
static inline void hakem_on_act(struct hakem_table *table, bool own, const char *word,
                                size_t length) {
    if (hakem_is(word, length, "double")) {
        table->offer = 2 * table->cube;
        table->offered = !own;
    } else if (hakem_is(word, length, "beaver")) {
        table->offer *= 2;
    } else if (hakem_is(word, length, "take")) {
        table->cube = table->offer;
        table->owner = table->offered ? 1 : -1;
        table->offer = 0;
    }
}

/* did T ply seat dice legs...: what was played, by us or by the opponent. */
static inline void hakem_on_did(struct hakem_table *table, const char *rest) {
    struct hakem_play play;
    size_t length = 0;
    play.count = 0;
    hakem_word_number(&rest); /* ply */
    const char *seat = hakem_word(&rest, &length);
    const char *word = hakem_word(&rest, &length); /* dice */
    if (seat != NULL && word != NULL && *word > '6') {
        hakem_on_act(table, *seat == table->seat, word, length);
        return;
    }
    while (word != NULL && (word = hakem_word(&rest, &length)) != NULL) {
        if (memchr(word, '=', length) == NULL) {
            hakem_read_legs(word, length, &play);
        }
    }
    if (seat != NULL && *seat == table->seat) {
        hakem_board_play(&table->board, &play);
    } else {
        hakem_board_suffer(&table->board, &play);
    }
}

/* Room for one more play in the list of the table. */
static inline bool hakem_plays_grow(struct hakem_table *table) {
    if (table->count == table->room) {
        int room = table->room > 0 ? 2 * table->room : 64;
        struct hakem_play *plays =
            (struct hakem_play *)realloc(table->plays, (size_t)room * sizeof *plays);
        if (plays == NULL) {
            return false;
        }
        table->plays = plays;
        table->room = room;
    }
    return true;
}

/* plays T serial from 8/5,6/5 24/20,...: a part of the list of legal plays. */
static inline void hakem_on_plays(struct hakem_table *table, const char *rest) {
    size_t length;
    table->plays_serial = hakem_word_number(&rest);
    if (hakem_word_number(&rest) <= 0) {
        table->count = 0;
    }
    for (const char *word; (word = hakem_word(&rest, &length)) != NULL;) {
        if (*word >= 'c' && memchr(word, '=', length) != NULL) {
            continue; /* a field of a later version */
        }
        if (!hakem_plays_grow(table)) {
            return; /* the plays that fit can still be chosen */
        }
        struct hakem_play *play = &table->plays[table->count++];
        play->count = 0;
        hakem_read_legs(word, length, play);
    }
}

/* ---- requests */

/* The words of `may=`, as HAKEM_MAY_... */
static inline unsigned hakem_read_may(const char *rest) {
    static const char words[] = "play,roll,double,take,drop,beaver,resign,accept,reject";
    const char *at = hakem_field_at(rest, "may");
    unsigned may = 0;
    while (at != NULL && *at != '\0' && *at != ' ') {
        size_t length = strcspn(at, ", ");
        int place = hakem_list_find(words, at, length);
        may |= place >= 0 ? 1u << place : 0;
        at += length + (at[length] == ',');
    }
    return may;
}

/* The request's own word on board, score and cube, where it has one. */
static inline void hakem_read_extras(struct hakem_turn *turn, const char *rest) {
    hakem_read_position(&turn->board, rest);
    hakem_field_numbers(rest, "score", turn->score, 2);
    turn->cube = (int)hakem_field_number(rest, "cube", turn->cube);
    turn->owner = hakem_read_owner(rest, turn->owner);
}

/* Sets a request among those that are due, one a table at most; NULL when it cannot be read. */
static inline struct hakem_turn *hakem_due(struct hakem_bot *bot, struct hakem_table *table,
                                           enum hakem_kind kind, const char **rest) {
    long long serial = hakem_word_number(rest);
    bot->tries = 0;
    if (serial >= 0 && serial == table->answered) {
        hakem_say(bot, "%s", table->sent); /* it was lost with the connection */
        return NULL;
    }
    if (serial < 0) {
        return NULL;
    }
    struct hakem_turn *turn = &bot->due[bot->due_count++];
    table->asked = true;
    turn->table = table;
    turn->serial = serial;
    turn->kind = kind;
    turn->dice[0] = turn->dice[1] = 0;
    turn->first = turn->last = false;
    turn->value = 0;
    turn->act[0] = turn->resignation[0] = turn->answer[0] = '\0';
    turn->board = table->board;
    turn->score[0] = table->score[0];
    turn->score[1] = table->score[1];
    turn->cube = table->cube;
    turn->owner = table->owner;
    turn->plays = table->plays;
    turn->count = 0;
    turn->choice = HAKEM_UNANSWERED;
    turn->may = hakem_read_may(*rest);
    if (kind == HAKEM_KIND_TURN) {
        turn->may |= HAKEM_MAY_PLAY;
    }
    turn->ms = hakem_field_number(*rest, "ms", -1);
    turn->reserve[0] = turn->reserve[1] = -1;
    hakem_field_numbers(*rest, "reserve", turn->reserve, 2);
    if (strstr(hakem_want(bot), "position") != NULL) {
        hakem_read_extras(turn, *rest);
    }
    return turn;
}

/* turn T serial dice ... */
static inline void hakem_on_turn(struct hakem_bot *bot, struct hakem_table *table,
                                 const char *rest) {
    const char *ahead = rest;
    hakem_word_number(&ahead); /* serial */
    long long dice = hakem_word_number(&ahead);
    struct hakem_turn *turn =
        dice >= 11 && dice <= 66 ? hakem_due(bot, table, HAKEM_KIND_TURN, &rest) : NULL;
    if (turn != NULL) {
        turn->dice[0] = (int)(dice / 10);
        turn->dice[1] = (int)(dice % 10);
        turn->first = hakem_field_yes(rest, "first");
        turn->last = hakem_field_yes(rest, "last");
        turn->count = table->plays_serial == turn->serial ? table->count : 0;
        if (turn->count == 0 && strstr(hakem_want(bot), "plays") != NULL) {
            fprintf(stderr, "%s: turn %lld came without its plays\n", bot->name, turn->serial);
            hakem_say(bot, "play %lld %lld #0", table->id,
                      turn->serial); /* it has them all the same */
            bot->due_count--;
            table->asked = false;
        }
    }
}

/* offer T serial act ...: a double, a beaver or a resignation of the opponent. */
static inline void hakem_on_offer(struct hakem_bot *bot, struct hakem_table *table,
                                  const char *rest) {
    const char *ahead = rest;
    size_t length;
    hakem_word_number(&ahead); /* serial */
    const char *act = hakem_word(&ahead, &length);
    struct hakem_turn *turn = act != NULL ? hakem_due(bot, table, HAKEM_KIND_OFFER, &rest) : NULL;
    if (turn != NULL) {
        hakem_decode(act, turn->act, sizeof turn->act);
        hakem_field(rest, "kind", turn->resignation, sizeof turn->resignation);
        turn->value = (int)hakem_field_number(rest, "value", table->offer);
        if (strcmp(turn->act, "resign") != 0) {
            hakem_waits(table, true, turn->value);
        }
    }
}

/* Whether a resignation leaves nothing to be won beyond it, or is a gift all the same. */
static inline bool hakem_accepts(const struct hakem_turn *turn) {
    const char *kind = turn->resignation;
    bool least = strcmp(kind, "single") == 0 || strcmp(kind, "oin") == 0;
    return !least || turn->board.off[1] > 0 ||
           hakem_pips(&turn->board) >= hakem_their_pips(&turn->board, turn->table->variant);
}

/* What a bot answers to a request about the cube. */
static inline const char *hakem_ask_cube(struct hakem_bot *bot, const struct hakem_turn *turn) {
    if (turn->kind == HAKEM_KIND_CUBE) {
        bool doubles =
            (turn->may & HAKEM_MAY_DOUBLE) != 0 && bot->doubles != NULL && bot->doubles(bot, turn);
        return doubles ? "double" : "roll";
    }
    if (strcmp(turn->act, "resign") == 0) {
        bool accepts = bot->accepts != NULL ? bot->accepts(bot, turn) : hakem_accepts(turn);
        return accepts ? "accept" : "reject";
    }
    if ((turn->may & HAKEM_MAY_BEAVER) != 0 && bot->beavers != NULL && bot->beavers(bot, turn)) {
        return "beaver";
    }
    return bot->takes == NULL || bot->takes(bot, turn) ? "take" : "drop";
}

/* Answers one request by the callbacks for single ones. */
static inline void hakem_ask(struct hakem_bot *bot, struct hakem_turn *turn) {
    const char *kind = NULL;
    if ((turn->may & HAKEM_MAY_RESIGN) != 0 && bot->resigns != NULL) {
        kind = bot->resigns(bot, turn);
    }
    turn->choice = HAKEM_OWN_PLAY;
    if (kind != NULL) {
        snprintf(turn->answer, sizeof turn->answer, "resign %s", kind);
    } else if (turn->kind != HAKEM_KIND_TURN) {
        snprintf(turn->answer, sizeof turn->answer, "%s", hakem_ask_cube(bot, turn));
    } else {
        turn->choice = bot->choose != NULL ? bot->choose(bot, turn) : 0;
    }
}

/* Queues the answer of a request: the play, or another word with its own arguments. */
static inline void hakem_send_answer(struct hakem_bot *bot, const struct hakem_turn *turn) {
    struct hakem_table *table = turn->table;
    const char *rest = turn->answer;
    size_t length, room = sizeof table->sent;
    const char *word = hakem_word(&rest, &length);
    if (turn->choice >= 0) {
        snprintf(table->sent, room, "play %lld %lld #%d", table->id, turn->serial, turn->choice);
    } else if (word == NULL ||
               hakem_list_find("roll,double,take,drop,beaver,resign,accept,reject", word,
                               length) < 0) {
        snprintf(table->sent, room, "play %lld %lld %s", table->id, turn->serial, turn->answer);
    } else {
        snprintf(table->sent, room, "%.*s %lld %lld%s", (int)length, word, table->id,
                 turn->serial, rest);
    }
    hakem_say(bot, "%s", table->sent);
}

/* What may always be said to a request. */
static inline const char *hakem_fallback(const struct hakem_turn *turn) {
    if (turn->kind == HAKEM_KIND_OFFER) {
        return strcmp(turn->act, "resign") == 0 ? "accept" : "take";
    }
    return turn->kind == HAKEM_KIND_CUBE ? "roll" : "play";
}

/* error code table= serial= ...: after these codes the request stands and wants another answer. */
static inline void hakem_on_error(struct hakem_bot *bot, const char *rest) {
    size_t length;
    const char *code = hakem_word(&rest, &length);
    struct hakem_table *table = hakem_table_find(bot, hakem_field_number(rest, "table", -1));
    if (table != NULL && table->answered >= 0 &&
        table->answered == hakem_field_number(rest, "serial", -1) &&
        (hakem_is(code, length, "not-allowed") || hakem_is(code, length, "ambiguous"))) {
        snprintf(table->sent, sizeof table->sent, "%s %lld %lld%s", table->fallback, table->id,
                 table->answered, *table->fallback == 'p' ? " #0" : "");
        hakem_say(bot, "%s", table->sent);
    }
}

/* Answers all requests that are due. */
static inline void hakem_answer(struct hakem_bot *bot) {
    int count = bot->due_count;
    bot->due_count = 0;
    if (count > 0 && bot->choose_many != NULL) {
        bot->choose_many(bot, bot->due, count);
    }
    for (int i = 0; i < count; i++) {
        struct hakem_turn *turn = &bot->due[i];
        if (turn->choice == HAKEM_UNANSWERED) {
            hakem_ask(bot, turn);
        }
        hakem_send_answer(bot, turn);
        turn->table->asked = false;
        turn->table->answered = turn->serial;
        turn->table->fallback = hakem_fallback(turn);
    }
}

/* ---- the conversation */

/* Answers what is asked at a table before it is told more: so no split of the referee's bytes
 * into reads makes a difference. */
static inline void hakem_settle(struct hakem_bot *bot, const char *rest) {
    struct hakem_table *table = hakem_table_find(bot, hakem_word_number(&rest));
    if (table != NULL && table->asked) {
        hakem_answer(bot);
    }
}

/* Messages that belong to a table we sit at. */
static inline void hakem_table_line(struct hakem_bot *bot, const char *kind, size_t length,
                                    const char *rest) {
    struct hakem_table *table = hakem_table_find(bot, hakem_word_number(&rest));
    if (table == NULL) {
        return;
    }
    if (hakem_is(kind, length, "did")) {
        hakem_on_did(table, rest);
    } else if (hakem_is(kind, length, "plays")) {
        hakem_on_plays(table, rest);
    } else if (hakem_is(kind, length, "turn")) {
        hakem_on_turn(bot, table, rest);
    } else if (hakem_is(kind, length, "cube")) {
        hakem_due(bot, table, HAKEM_KIND_CUBE, &rest);
    } else if (hakem_is(kind, length, "offer")) {
        hakem_on_offer(bot, table, rest);
    } else if (hakem_is(kind, length, "game")) {
        hakem_on_game(table, rest);
    } else if (hakem_is(kind, length, "end")) {
        hakem_table_leave(bot, table);
    }
}

/* refused code ...: the end, but where nothing is left to resume the next hello begins anew. */
static inline void hakem_on_refused(struct hakem_bot *bot, const char *rest) {
    size_t length;
    const char *code = hakem_word(&rest, &length);
    if (bot->secret[0] == '\0' || code == NULL || !hakem_is(code, length, "token")) {
        bot->closed = true;
        bot->status = 1;
    }
    bot->secret[0] = '\0';
    for (int i = 0; i < bot->tables && bot->table != NULL; i++) {
        if (bot->table[i].live) {
            hakem_table_leave(bot, &bot->table[i]);
        }
    }
}

/* Takes in one line of the referee. Unknown messages and fields are ignored. */
static inline void hakem_line(struct hakem_bot *bot, const char *line) {
    size_t length;
    const char *rest = line;
    const char *kind = hakem_word(&rest, &length);
    if (bot->trace) {
        fprintf(stderr, "< %s\n", line);
    }
    if (kind == NULL) {
        return;
    }
    if (bot->due_count > 0) {
        hakem_settle(bot, rest);
    }
    if (hakem_is(kind, length, "match")) {
        hakem_on_match(bot, rest);
    } else if (hakem_is(kind, length, "ping")) {
        rest += strspn(rest, " ");
        hakem_say(bot, "pong%s%s", *rest != '\0' ? " " : "", rest); /* with its id= */
    } else if (hakem_is(kind, length, "error")) {
        fprintf(stderr, "%s: the referee says: %s\n", bot->name, line);
        hakem_on_error(bot, rest);
    } else if (hakem_is(kind, length, "refused")) {
        fprintf(stderr, "%s: the referee says: %s\n", bot->name, line);
        hakem_on_refused(bot, rest);
    } else if (hakem_is(kind, length, "welcome")) {
        bot->returns = hakem_field(rest, "resume", bot->secret, sizeof bot->secret);
    } else if (hakem_is(kind, length, "state")) {
        hakem_on_state(bot, rest);
    } else if (hakem_is(kind, length, "bye")) {
        bot->closed = true;
    } else {
        hakem_table_line(bot, kind, length, rest);
    }
    if (bot->heard != NULL) {
        bot->heard(bot, line);
    }
}

/* Cuts the input into lines and takes them in; the bytes before `from` have no line end. */
static inline void hakem_cut(struct hakem_bot *bot, size_t from) {
    size_t start = 0;
    char *end;
    while (!bot->closed && from < bot->input_used &&
           (end = (char *)memchr(bot->input + from, '\n', bot->input_used - from)) != NULL) {
        from = (size_t)(end - bot->input) + 1;
        *end = '\0';
        if (end > bot->input + start && end[-1] == '\r') {
            end[-1] = '\0';
        }
        for (char *tab = bot->input + start; (tab = strchr(tab, '\t')) != NULL; tab++) {
            *tab = ' '; /* either of them separates words */
        }
        hakem_line(bot, bot->input + start);
        start = from;
    }
    bot->input_used -= start;
    memmove(bot->input, bot->input + start, bot->input_used);
}

/* Room for the next read; false, and the end, when a line grows beyond all measure. */
static inline bool hakem_input_room(struct hakem_bot *bot, size_t more) {
    if (bot->input_used + more > HAKEM_INPUT_MAX) {
        hakem_give_up(bot, "a line of the referee is too long");
        return false;
    }
    if (!hakem_grow(&bot->input, &bot->input_room, bot->input_used, more)) {
        hakem_give_up(bot, "out of memory");
        return false;
    }
    return true;
}

/* Takes in bytes of the referee, in pieces of any size, and queues the answers. */
static inline void hakem_input(struct hakem_bot *bot, const char *bytes, size_t length) {
    if (length > 0 && !bot->closed && hakem_input_room(bot, length)) {
        size_t from = bot->input_used;
        memcpy(bot->input + from, bytes, length);
        bot->input_used += length;
        hakem_cut(bot, from);
        if (!bot->closed) {
            hakem_answer(bot);
        }
    }
}

/* Whether something can be read at once. */
static inline bool hakem_readable(int fd) {
    struct pollfd wait;
    wait.fd = fd;
    wait.events = POLLIN;
    wait.revents = 0;
    return poll(&wait, 1, 0) > 0 && (wait.revents & POLLIN) != 0;
}

/* Reads once, waiting if need be, and then all that is there already, so that every request
 * due now is answered in one batch. False at the end of the referee's lines. */
static inline bool hakem_read(struct hakem_bot *bot) {
    for (int reads = 0; reads < HAKEM_DRAIN_MAX && !bot->closed; reads++) {
        size_t from = bot->input_used;
        if (!hakem_input_room(bot, HAKEM_READ)) {
            return false;
        }
        ssize_t got = read(bot->in, bot->input + from, HAKEM_READ);
        if (got > 0) {
            bot->input_used += (size_t)got;
            hakem_cut(bot, from);
            if (got < HAKEM_READ || !hakem_readable(bot->in)) {
                break;
            }
        } else if (got == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Reads until the referee is done, answering each batch with one write. */
static inline void hakem_loop(struct hakem_bot *bot) {
    while (hakem_flush(bot) && !bot->closed && hakem_read(bot)) {
        if (!bot->closed) {
            hakem_answer(bot);
        }
    }
}

/* Connects to HOST:PORT, [ADDRESS]:PORT too; a descriptor, or -1 after a line on stderr (without
 * a name: silently). */
static inline int hakem_connect(const char *name, const char *address) {
    char host[256];
    const char *colon = strrchr(address, ':');
    bool bracketed = colon != NULL && colon > address + 1 && *address == '[' && colon[-1] == ']';
    size_t length = colon != NULL ? (size_t)(colon - address) - (bracketed ? 2 : 0) : sizeof host;
    struct addrinfo hints, *list = NULL;
    int fd = -1, one = 1;
    if (length >= sizeof host) {
        fprintf(stderr, "%s: --connect needs HOST:PORT, not '%s'\n", name, address);
        return -1;
    }
    memcpy(host, address + (bracketed ? 1 : 0), length);
    host[length] = '\0';
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    int wrong = getaddrinfo(host, colon + 1, &hints, &list);
    for (struct addrinfo *at = list; at != NULL && fd < 0; at = at->ai_next) {
        fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
        if (fd >= 0 && connect(fd, at->ai_addr, at->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    if (fd < 0 && name != NULL) {
        fprintf(stderr, "%s: cannot connect to %s: %s\n", name, address,
                wrong != 0 ? gai_strerror(wrong) : strerror(errno));
    } else if (fd >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    if (list != NULL) {
        freeaddrinfo(list);
    }
    return fd;
}

/* Another connection in place of one that broke; false after too many tries. */
static inline bool hakem_connect_again(struct hakem_bot *bot) {
    close(bot->in);
    bot->in = bot->out = -1;
    while (bot->in < 0 && bot->tries < HAKEM_TRIES) {
        int wait = HAKEM_WAIT_FIRST << bot->tries++;
        poll(NULL, 0, wait < HAKEM_WAIT_MAX ? wait : HAKEM_WAIT_MAX);
        bot->in = bot->out = hakem_connect(NULL, bot->connect);
    }
    if (bot->in < 0) {
        fprintf(stderr, "%s: the connection to %s is lost\n", bot->name, bot->connect);
        bot->status = 1;
        return false;
    }
    bot->input_used = bot->output_used = 0;
    bot->due_count = 0;
    for (int i = 0; i < bot->tables; i++) {
        bot->table[i].asked = false;
    }
    return true;
}

/* Frees what the header keeps. */
static inline void hakem_clear(struct hakem_bot *bot) {
    for (int i = 0; i < bot->tables && bot->table != NULL; i++) {
        free(bot->table[i].plays);
    }
    free(bot->table);
    free(bot->due);
    free(bot->chain);
    free(bot->input);
    free(bot->output);
    bot->table = NULL;
    bot->due = NULL;
    bot->chain = NULL;
    bot->input = bot->output = NULL;
    bot->due_count = 0;
    bot->input_used = bot->input_room = bot->output_used = bot->output_room = 0;
}

/* Sets one option by its name without the dashes; `value` is NULL where it has none. Returns
 * 2 when it took the value, 1 when it needs none, 0 when there is no such option. */
static inline int hakem_option_set(struct hakem_bot *bot, const char *option, const char *value) {
    const char **text = strcmp(option, "connect") == 0 ? &bot->connect
                        : strcmp(option, "name") == 0  ? &bot->name
                        : strcmp(option, "token") == 0 ? &bot->token
                                                       : NULL;
    bool *flag = strcmp(option, "forced") == 0  ? &bot->forced
                 : strcmp(option, "trace") == 0 ? &bot->trace
                                                : NULL;
    if (flag != NULL) {
        *flag = true;
        return 1;
    }
    if (text != NULL && value != NULL) {
        *text = value;
        return 2;
    }
    if (strcmp(option, "tables") == 0 && value != NULL) {
        long long tables = hakem_digits(&value);
        bot->tables = (int)tables;
        return *value == '\0' && tables >= 1 && tables <= HAKEM_TABLES_MAX ? 2 : 0;
    }
    return 0;
}

/* Options from the environment (HAKEM_CONNECT, ...), then from the arguments; false after a
 * line on stderr. */
static inline bool hakem_options(struct hakem_bot *bot, int argc, char **argv) {
    static const char *const names[][2] = {{"HAKEM_CONNECT", "connect"}, {"HAKEM_NAME", "name"},
                                           {"HAKEM_TOKEN", "token"},     {"HAKEM_TABLES", "tables"},
                                           {"HAKEM_FORCED", "forced"},   {"HAKEM_TRACE", "trace"}};
    for (int i = 0; i < 6; i++) {
        const char *value = getenv(names[i][0]);
        if (value != NULL && *value != '\0' && hakem_option_set(bot, names[i][1], value) == 0) {
            fprintf(stderr, "%s: %s is not '%s'\n", bot->name, names[i][0], value);
            return false;
        }
    }
    for (int i = 1; i < argc;) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        int taken = strncmp(argv[i], "--", 2) == 0 ? hakem_option_set(bot, argv[i] + 2, value) : 0;
        if (taken == 0) {
            fprintf(stderr,
                    "usage: %s [--connect HOST:PORT] [--name NAME] [--token TOKEN] "
                    "[--tables 1..%d] [--forced] [--trace]\n",
                    argv[0], HAKEM_TABLES_MAX);
            return false;
        }
        i += taken;
    }
    return true;
}

/* The whole life of a bot; returns the exit status. */
static inline int hakem_run(struct hakem_bot *bot, int argc, char **argv) {
    if (!hakem_options(bot, argc, argv)) {
        return 2;
    }
    bot->in = STDIN_FILENO;
    bot->out = STDOUT_FILENO;
    if (bot->connect != NULL && (bot->in = bot->out = hakem_connect(bot->name, bot->connect)) < 0) {
        return 1;
    }
    signal(SIGPIPE, SIG_IGN); /* a referee that has gone is noticed by write() */
    do {
        hakem_hello(bot);
        hakem_loop(bot);
    } while (!bot->closed && bot->connect != NULL && bot->returns && hakem_connect_again(bot));
    if (bot->connect != NULL && bot->in >= 0) {
        close(bot->in);
    }
    hakem_clear(bot);
    return bot->status;
}

#endif
