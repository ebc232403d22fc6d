/* hakem_bot.h: everything a bot for the referee hakem needs, in one C header.
 * MIT licence (LICENSE at the top of the sources). Needs a POSIX system and libc.
 *
 *     #include "hakem_bot.h"
 *
 *     static int choose(struct hakem_bot *bot, const struct hakem_turn *turn) {
 *         return (int)hakem_random(turn->table, (uint32_t)turn->count);
 *     }
 *
 *     int main(int argc, char **argv) {
 *         struct hakem_bot bot = {.name = "mine", .version = "1", .choose = choose};
 *         return hakem_run(&bot, argc, argv);
 *     }
 *
 * hakem_run talks over stdin and stdout, or with `--connect HOST:PORT` over TCP;
 * `--name NAME` and `--token TOKEN` go into the hello. It returns the exit status:
 * 0 after the referee's bye or the end of its lines, 1 when the referee refused or
 * could not be reached, 2 for a wrong argument. The protocol is described in
 * protocol/README.md; this file speaks its text spelling.
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
    HAKEM_OWN_PLAY = -1,       /* choose() wrote its play into bot->answer */
    HAKEM_TABLES_MAX = 32,     /* tables at once on one connection */
    HAKEM_LINE_MAX = 4096,     /* bytes of a line to the referee */
    HAKEM_INPUT_MAX = 8 << 20, /* bytes of a line from the referee */
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

/* One seat at one table. */
struct hakem_table {
    bool live;
    long long id;
    enum hakem_variant variant;
    int length;               /* points to win the match, 0: a money session */
    char seat;                /* 'X' or 'Y' */
    char opponent[64];        /* name */
    double score[2];          /* own, the opponent's, at the start of the game */
    int cube;                 /* its value, 1 where there is none */
    int owner;                /* 1 it is ours, -1 the opponent's, 0 in the middle */
    int offer;                /* while a double is out: its value if it is taken, else 0 */
    bool offered;             /* the first double of this exchange was offered to us */
    bool crawford;            /* this game is played without the cube */
    struct hakem_board board; /* now, before the throw of the turn is played */
    uint64_t random;          /* state of hakem_random */
    struct hakem_play *plays; /* list that the referee sent, owned by the table */
    int count, room;
    long long plays_serial; /* the request it belongs to */
};

/* What choose() is asked. */
struct hakem_turn {
    struct hakem_table *table;
    long long serial;
    int dice[2];                    /* in thrown order */
    bool first;                     /* own first turn of this game */
    long long ms;                   /* time for this answer in milliseconds, -1 without a clock */
    const struct hakem_play *plays; /* the legal plays, one for each final position */
    int count;                      /* 0 when the bot did not ask for them */
};

struct hakem_bot {
    /* Set by the author before hakem_run; name and choose are needed. */
    const char *name, *version, *author;
    /* Returns an index into turn->plays, or HAKEM_OWN_PLAY with the play as text
     * ("8/5 6/5", "bar/20 24/20") in bot->answer. */
    int (*choose)(struct hakem_bot *bot, const struct hakem_turn *turn);
    /* With the cube; each may be NULL. doubles(): whether to double before the throw (NULL:
     * never). takes(): whether to take what is offered, table->offer (NULL: always). accepts():
     * whether a resignation of that kind ("single"...) is enough (NULL: always). */
    bool (*doubles)(struct hakem_bot *bot, const struct hakem_table *table);
    bool (*takes)(struct hakem_bot *bot, const struct hakem_table *table);
    bool (*accepts)(struct hakem_bot *bot, const struct hakem_table *table, const char *kind);
    /* Called after every line that was taken in; may be NULL. */
    void (*heard)(struct hakem_bot *bot, const char *line);
    int tables;     /* tables that may run at once, 1 when 0 */
    bool own_plays; /* the bot knows the rules: no list of plays is sent */
    void *own;      /* the author's, never touched */

    /* Written by choose(). */
    char answer[256];

    /* Kept by this header. */
    struct hakem_table table[HAKEM_TABLES_MAX];
    int in, out; /* descriptors */
    char *input; /* bytes not yet cut into lines */
    size_t input_used, input_room;
    char output[2 * HAKEM_LINE_MAX];
    size_t output_used;
    bool closed;
    int status; /* exit status */
};

/* ---- boards and plays: helpers for choose() */

/* A number from 0 to limit - 1 (limit 1 at least): splitmix64, seeded by `game`. */
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
    static const int8_t start[HAKEM_VARIANTS][26] = {
        [HAKEM_TAVLA] = {[24] = 2, [13] = 5, [8] = 3, [6] = 5},
        [HAKEM_UZUN] = {[24] = 15},
        [HAKEM_WESTERN] = {[24] = 2, [13] = 5, [8] = 3, [6] = 5},
        [HAKEM_NACKGAMMON] = {[24] = 2, [23] = 2, [13] = 4, [8] = 3, [6] = 4},
        [HAKEM_HYPERGAMMON] = {[24] = 1, [23] = 1, [22] = 1},
        [HAKEM_FEVGA] = {[24] = 15},
    };
    memset(board, 0, sizeof *board);
    for (int p = 1; p <= 24; p++) {
        int men = start[variant][p];
        if (men > 0) {
            board->point[p] = (int8_t)men;
            board->point[hakem_mirror(variant, p)] = (int8_t)-men;
        }
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
    struct hakem_board board = turn->table->board;
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
        char hex[3] = {0};
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

/* The value of a field (`key=value`) in `out`; false when it is not there. */
static inline bool hakem_field(const char *line, const char *key, char *out, size_t room) {
    size_t length = strlen(key);
    for (const char *at = strchr(line, ' '); at != NULL; at = strchr(at + 1, ' ')) {
        if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=') {
            hakem_decode(at + length + 2, out, room);
            return true;
        }
    }
    out[0] = '\0';
    return false;
}

/* The number of a field, or `absent`. */
static inline long long hakem_field_number(const char *line, const char *key, long long absent) {
    char text[32];
    return hakem_field(line, key, text, sizeof text) ? strtoll(text, NULL, 10) : absent;
}

/* The next word of a line, not ended by a NUL; moves `*line` behind it. NULL at the end. */
static inline const char *hakem_word(const char **line, size_t *length) {
    const char *word = *line + strspn(*line, " ");
    *length = strcspn(word, " ");
    *line = word + *length;
    return *length > 0 ? word : NULL;
}

/* The next word as a number; 0 when there is none. */
static inline long long hakem_word_number(const char **line) {
    size_t length;
    const char *word = hakem_word(line, &length);
    return word != NULL ? strtoll(word, NULL, 10) : 0;
}

/* One end of a leg: "bar", "off" or a number; -1 when it is none of these. */
static inline int hakem_read_point(const char **at) {
    char *end;
    long point;
    if (strncmp(*at, "bar", 3) == 0 || strncmp(*at, "off", 3) == 0) {
        point = **at == 'b' ? 25 : 0;
        *at += 3;
        return (int)point;
    }
    point = strtol(*at, &end, 10);
    if (end == *at || point < 0 || point > 25) {
        return -1;
    }
    *at = end;
    return (int)point;
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
        at += *at == ',';
    }
    return true;
}

/* ---- the conversation */

/* Writes what is queued; one write for all answers of a batch. */
static inline void hakem_flush(struct hakem_bot *bot) {
    size_t done = 0;
    while (done < bot->output_used && !bot->closed) {
        ssize_t wrote = write(bot->out, bot->output + done, bot->output_used - done);
        if (wrote >= 0) {
            done += (size_t)wrote;
        } else if (errno != EINTR) {
            bot->closed = true;
        }
    }
    bot->output_used = 0;
}

/* Queues one line for the referee. */
__attribute__((format(printf, 2, 3))) static inline void hakem_say(struct hakem_bot *bot,
                                                                   const char *format, ...) {
    if (bot->output_used + HAKEM_LINE_MAX > sizeof bot->output) {
        hakem_flush(bot);
    }
    char *line = bot->output + bot->output_used;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, HAKEM_LINE_MAX - 1, format, args);
    va_end(args);
    if (length >= 0 && length < HAKEM_LINE_MAX - 1) {
        line[length] = '\n';
        bot->output_used += (size_t)length + 1;
    }
}

/* Says who we are; the first line of the connection. */
static inline void hakem_hello(struct hakem_bot *bot, const char *token) {
    char name[256], version[128], more[1024] = "", word[512];
    hakem_encode(bot->name, name, sizeof name);
    hakem_encode(bot->version != NULL ? bot->version : "0", version, sizeof version);
    if (bot->author != NULL) {
        hakem_encode(bot->author, word, sizeof word);
        snprintf(more, sizeof more, " author=%s", word);
    }
    if (token != NULL) {
        size_t used = strlen(more);
        hakem_encode(token, word, sizeof word);
        snprintf(more + used, sizeof more - used, " token=%s", word);
    }
    if (bot->tables < 1 || bot->tables > HAKEM_TABLES_MAX) {
        bot->tables = bot->tables < 1 ? 1 : HAKEM_TABLES_MAX;
    }
    hakem_say(bot,
              "hello hakem=1 name=%s version=%s tables=%d variants=" HAKEM_VARIANT_NAMES "%s%s",
              name, version, bot->tables, bot->own_plays ? "" : " want=plays", more);
}

/* The table of that id, or NULL. */
static inline struct hakem_table *hakem_table_find(struct hakem_bot *bot, long long id) {
    for (int i = 0; i < HAKEM_TABLES_MAX; i++) {
        if (bot->table[i].live && bot->table[i].id == id) {
            return &bot->table[i];
        }
    }
    return NULL;
}

/* The variant of that name, HAKEM_VARIANTS when there is none. */
static inline enum hakem_variant hakem_variant_find(const char *name) {
    const char *at = HAKEM_VARIANT_NAMES;
    int variant = 0;
    while (variant < HAKEM_VARIANTS) {
        size_t length = strcspn(at, ",");
        if (strlen(name) == length && memcmp(at, name, length) == 0) {
            break;
        }
        at += length + (at[length] == ',');
        variant++;
    }
    return (enum hakem_variant)variant;
}

/* match T unit leg variant= seat= ...: takes the seat, or declines. */
static inline void hakem_on_match(struct hakem_bot *bot, const char *rest) {
    char word[32];
    const char *fields = rest;
    long long id = hakem_word_number(&rest);
    struct hakem_table *table = hakem_table_find(bot, id);
    for (int i = 0; table == NULL && i < bot->tables; i++) {
        table = bot->table[i].live ? NULL : &bot->table[i];
    }
    hakem_field(fields, "variant", word, sizeof word);
    enum hakem_variant variant = hakem_variant_find(word);
    if (table == NULL || variant == HAKEM_VARIANTS) {
        hakem_say(bot, "decline %lld reason=%s", id, table == NULL ? "full" : "variant");
        return;
    }
    table->live = true;
    table->id = id;
    table->variant = variant;
    table->length = (int)hakem_field_number(fields, "match", 1);
    hakem_field(fields, "seat", word, sizeof word);
    table->seat = word[0] == 'Y' ? 'Y' : 'X';
    hakem_field(fields, "opponent", table->opponent, sizeof table->opponent);
    table->count = 0;
    hakem_board_start(&table->board, table->variant);
    hakem_say(bot, "ready %lld", id);
}

/* game T n seed= score= ...: a fresh board and fresh chance. */
static inline void hakem_on_game(struct hakem_table *table, const char *rest) {
    char word[64];
    char *end = word;
    hakem_field(rest, "seed", word, sizeof word);
    table->random = strtoull(word, NULL, 10);
    hakem_field(rest, "score", word, sizeof word);
    table->score[0] = strtod(word, &end);
    table->score[1] = *end == ',' ? strtod(end + 1, NULL) : 0;
    table->cube = (int)hakem_field_number(rest, "cube", 1);
    table->owner = 0;
    table->offer = 0;
    hakem_field(rest, "crawford", word, sizeof word);
    table->crawford = word[0] == 'y';
    table->count = 0;
    hakem_board_start(&table->board, table->variant);
}

/* Whether the message has that name. */
static inline bool hakem_is(const char *kind, size_t length, const char *name) {
    return strlen(name) == length && memcmp(kind, name, length) == 0;
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
    struct hakem_play play = {0};
    size_t length = 0;
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

/* plays T serial from 8/5,6/5 24/20,...: a part of the list of legal plays. */
static inline void hakem_on_plays(struct hakem_table *table, const char *rest) {
    size_t length;
    table->plays_serial = hakem_word_number(&rest);
    if (hakem_word_number(&rest) == 0) {
        table->count = 0;
    }
    for (const char *word; (word = hakem_word(&rest, &length)) != NULL;) {
        if (memchr(word, '=', length) != NULL) {
            continue;
        }
        if (table->count == table->room) {
            int room = table->room > 0 ? 2 * table->room : 64;
            struct hakem_play *plays =
                (struct hakem_play *)realloc(table->plays, (size_t)room * sizeof *plays);
            if (plays == NULL) {
                return; /* the plays that fit can still be chosen */
            }
            table->plays = plays;
            table->room = room;
        }
        memset(&table->plays[table->count], 0, sizeof *table->plays);
        hakem_read_legs(word, length, &table->plays[table->count++]);
    }
}

/* turn T serial dice ...: asks choose() and sends its answer. */
static inline void hakem_on_turn(struct hakem_bot *bot, struct hakem_table *table,
                                 const char *rest) {
    char word[8];
    struct hakem_turn turn = {.table = table, .plays = table->plays};
    turn.serial = hakem_word_number(&rest);
    long long dice = hakem_word_number(&rest);
    turn.dice[0] = (int)(dice / 10);
    turn.dice[1] = (int)(dice % 10);
    hakem_field(rest, "first", word, sizeof word);
    turn.first = word[0] == 'y';
    turn.ms = hakem_field_number(rest, "ms", -1);
    turn.count = table->plays_serial == turn.serial ? table->count : 0;
    if (turn.count == 0 && !bot->own_plays) {
        fprintf(stderr, "%s: turn %lld came without its plays\n", bot->name, turn.serial);
        return;
    }
    int choice = bot->choose(bot, &turn);
    if (choice == HAKEM_OWN_PLAY) {
        hakem_say(bot, "play %lld %lld %s", table->id, turn.serial, bot->answer);
    } else {
        hakem_say(bot, "play %lld %lld #%d", table->id, turn.serial, choice);
    }
}

/* cube T serial ...: to double or to throw. */
static inline void hakem_on_cube(struct hakem_bot *bot, struct hakem_table *table,
                                 const char *rest) {
    bool doubles = bot->doubles != NULL && bot->doubles(bot, table);
    hakem_say(bot, "%s %lld %lld", doubles ? "double" : "roll", table->id,
              hakem_word_number(&rest));
}

/* offer T serial act ...: a double, a beaver or a resignation of the opponent. */
static inline void hakem_on_offer(struct hakem_bot *bot, struct hakem_table *table,
                                  const char *rest) {
    char kind[32];
    size_t length;
    long long serial = hakem_word_number(&rest);
    const char *act = hakem_word(&rest, &length);
    const char *answer;
    if (act != NULL && hakem_is(act, length, "resign")) {
        hakem_field(rest, "kind", kind, sizeof kind);
        answer = bot->accepts == NULL || bot->accepts(bot, table, kind) ? "accept" : "reject";
    } else {
        answer = bot->takes == NULL || bot->takes(bot, table) ? "take" : "drop";
    }
    hakem_say(bot, "%s %lld %lld", answer, table->id, serial);
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
        hakem_on_cube(bot, table, rest);
    } else if (hakem_is(kind, length, "offer")) {
        hakem_on_offer(bot, table, rest);
    } else if (hakem_is(kind, length, "game")) {
        hakem_on_game(table, rest);
    } else if (hakem_is(kind, length, "end")) {
        table->live = false;
    }
}

/* Takes in one line of the referee. Unknown messages and fields are ignored. */
static inline void hakem_line(struct hakem_bot *bot, const char *line) {
    size_t length;
    const char *rest = line;
    const char *kind = hakem_word(&rest, &length);
    if (kind == NULL) {
        return;
    }
    if (hakem_is(kind, length, "match")) {
        hakem_on_match(bot, rest);
    } else if (hakem_is(kind, length, "ping")) {
        hakem_say(bot, "pong%s", rest); /* with its id= */
    } else if (hakem_is(kind, length, "error")) {
        fprintf(stderr, "%s: the referee says: %s\n", bot->name, line);
    } else if (hakem_is(kind, length, "refused")) {
        fprintf(stderr, "%s: the referee says: %s\n", bot->name, line);
        bot->closed = true;
        bot->status = 1;
    } else if (hakem_is(kind, length, "bye")) {
        bot->closed = true;
    } else {
        hakem_table_line(bot, kind, length, rest);
    }
    if (bot->heard != NULL) {
        bot->heard(bot, line);
    }
}

/* Takes in bytes of the referee, in pieces of any size. */
static inline void hakem_input(struct hakem_bot *bot, const char *bytes, size_t length) {
    if (bot->input_used + length > bot->input_room) {
        size_t room = 2 * (bot->input_used + length);
        char *input = room <= HAKEM_INPUT_MAX ? (char *)realloc(bot->input, room) : NULL;
        if (input == NULL) {
            fprintf(stderr, "%s: a line of the referee is too long\n", bot->name);
            bot->closed = true;
            bot->status = 1;
            return;
        }
        bot->input = input;
        bot->input_room = room;
    }
    memcpy(bot->input + bot->input_used, bytes, length);
    size_t old = bot->input_used, start = 0;
    bot->input_used += length;
    for (size_t i = old; i < bot->input_used && !bot->closed; i++) {
        if (bot->input[i] == '\n') {
            bot->input[i > start && bot->input[i - 1] == '\r' ? i - 1 : i] = '\0';
            hakem_line(bot, bot->input + start);
            start = i + 1;
        }
    }
    bot->input_used -= start;
    memmove(bot->input, bot->input + start, bot->input_used);
}

/* Connects to HOST:PORT; a descriptor, or -1 after a line on stderr. */
static inline int hakem_connect(const char *name, const char *address) {
    char host[256];
    const char *colon = strrchr(address, ':');
    size_t length = colon != NULL ? (size_t)(colon - address) : sizeof host;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    int fd = -1, one = 1;
    if (length >= sizeof host) {
        fprintf(stderr, "%s: --connect needs HOST:PORT, not '%s'\n", name, address);
        return -1;
    }
    memcpy(host, address, length);
    host[length] = '\0';
    int wrong = getaddrinfo(host, colon + 1, &hints, &list);
    for (struct addrinfo *at = list; at != NULL && fd < 0; at = at->ai_next) {
        fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
        if (fd >= 0 && connect(fd, at->ai_addr, at->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    if (fd < 0) {
        fprintf(stderr, "%s: cannot connect to %s: %s\n", name, address,
                wrong != 0 ? gai_strerror(wrong) : strerror(errno));
    } else {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    if (list != NULL) {
        freeaddrinfo(list);
    }
    return fd;
}

/* Reads until the referee is done, answering one batch of lines with one write. */
static inline void hakem_loop(struct hakem_bot *bot) {
    static char bytes[65536];
    while (!bot->closed) {
        hakem_flush(bot);
        ssize_t got = read(bot->in, bytes, sizeof bytes);
        if (got > 0) {
            hakem_input(bot, bytes, (size_t)got);
        } else if (got == 0 || errno != EINTR) {
            bot->closed = true;
        }
    }
}

/* Frees what the header keeps. */
static inline void hakem_clear(struct hakem_bot *bot) {
    for (int i = 0; i < HAKEM_TABLES_MAX; i++) {
        free(bot->table[i].plays);
    }
    memset(bot->table, 0, sizeof bot->table);
    free(bot->input);
    bot->input = NULL;
    bot->input_used = bot->input_room = 0;
}

/* The whole life of a bot; returns the exit status. */
static inline int hakem_run(struct hakem_bot *bot, int argc, char **argv) {
    const char *address = NULL, *token = NULL;
    for (int i = 1; i < argc; i++) {
        const char **value = strcmp(argv[i], "--connect") == 0 ? &address
                             : strcmp(argv[i], "--name") == 0  ? &bot->name
                             : strcmp(argv[i], "--token") == 0 ? &token
                                                               : NULL;
        if (value == NULL || i + 1 == argc) {
            fprintf(stderr, "usage: %s [--connect HOST:PORT] [--name NAME] [--token TOKEN]\n",
                    argv[0]);
            return 2;
        }
        *value = argv[++i];
    }
    bot->in = STDIN_FILENO;
    bot->out = STDOUT_FILENO;
    if (address != NULL && (bot->in = bot->out = hakem_connect(bot->name, address)) < 0) {
        return 1;
    }
    signal(SIGPIPE, SIG_IGN); /* a referee that has gone is noticed by write() */
    hakem_hello(bot, token);
    hakem_loop(bot);
    if (address != NULL) {
        close(bot->in);
    }
    hakem_clear(bot);
    return bot->status;
}

#endif
