/* A score sheet: a match as another program wrote it down, not judged yet.
 *
 * mat_read and sgf_read fill it, import_match judges it. What a reader cannot
 * make sense of, and what the judge finds wrong, stands in the findings, each
 * with the line of the file. A sheet owns its text; rows point into it by offset.
 */
#ifndef HAKEM_RECORD_SHEET_H
#define HAKEM_RECORD_SHEET_H

#include "base/bytes.h"
#include "record/header.h"

#include <stdarg.h>

enum {
    SHEET_TEXT_MAX = 512 << 20,
    SHEET_ROWS_MAX = 4 << 20,
    SHEET_GAMES_MAX = 10000,
    SHEET_FINDINGS_MAX = 1000, /* of one sheet: what follows is only counted */
    FINDING_TEXT_MAX = 200
};

/* What is wrong with a sheet, or with what it says. */
enum finding_kind {
    FINDING_UNREAD,      /* a line or word that says nothing to us: passed over */
    FINDING_ILLEGAL,     /* against the rules of the game */
    FINDING_MISSING,     /* something that has to be there is not */
    FINDING_INCONSISTENT /* two things that cannot both be so */
};

struct finding {
    unsigned line; /* of the file, from 1; 0: the file as a whole */
    enum finding_kind kind;
    char text[FINDING_TEXT_MAX];
};

struct findings {
    struct finding *row;
    size_t count, allotted;
    size_t beyond; /* those for which there was no room */
};

/* One thing that a side did. */
enum sheet_deed {
    SHEET_THROW, /* a throw, and what was played with it */
    SHEET_DOUBLE,
    SHEET_BEAVER, /* or raccoon */
    SHEET_TAKE,
    SHEET_DROP,
    SHEET_WINS /* the game, by whatever came before or because the other side gave up */
};

/* What stands behind a throw. */
enum sheet_play {
    SHEET_PLAYED, /* a play */
    SHEET_BARE,   /* nothing: no play, the only one, or the game was given up */
    SHEET_DANCED, /* words for "no play" */
    SHEET_LOST    /* "????", "Illegal play": the game was given up, or lost */
};

struct sheet_row {
    enum sheet_deed deed;
    enum side side;
    unsigned line;
    uint8_t dice[2];       /* SHEET_THROW: as written */
    enum sheet_play how;   /* SHEET_THROW */
    int value;             /* SHEET_DOUBLE, SHEET_BEAVER: the cube it offers, 0 not said;
                              SHEET_WINS: the points, 0 not said */
    size_t play, length;   /* SHEET_PLAYED: where in the text */
};

struct sheet_game {
    unsigned line;
    int score[SIDE_COUNT]; /* points before it, -1: not said */
    int cube;              /* its value at the start, 1 as a rule */
    size_t first, count;   /* its rows */
};

struct sheet {
    struct bytes text; /* UTF-8 */
    const struct variant *variant;
    int length;            /* points of the match, 0 money, -1 not said */
    char name[SIDE_COUNT][HEADER_TEXT_MAX];
    char event[HEADER_TEXT_MAX];
    char date[32];         /* "2024-06-30T12:57:00Z", "" not said */
    int crawford, jacoby, beavers; /* 1 on, 0 off, -1 not said */
    int cube_limit;        /* 1: no cube; 0 not said */
    char rules[HEADER_TEXT_MAX]; /* other options than the usual ones, "koks=2 wall=off" */
    struct sheet_row *row;
    size_t rows, rows_allotted;
    struct sheet_game *game;
    size_t games, games_allotted;
    bool known;            /* something in it says that it is a match */
    struct findings findings;
};

void sheet_init(struct sheet *sheet);
void sheet_clear(struct sheet *sheet);

/* Adds a file's bytes as UTF-8: without BOM, read as Latin-5 (Latin-1 with the Turkish letters)
 * where it is no UTF-8. */
void sheet_decode(struct bytes *out, const char *text, size_t length);

/* Whether an option tells how plays and points are judged, and has no header of its own: where it
 * is not the variant's default, we write it, and nobody else does. */
bool sheet_needs_rule(enum option option);

/* A new game, or a new row of the last game; NULL past the ceiling (a finding says so). */
struct sheet_game *sheet_add_game(struct sheet *sheet, unsigned line);
struct sheet_row *sheet_add_row(struct sheet *sheet, enum sheet_deed deed, enum side side,
                                unsigned line);

/* Notes something wrong. */
void sheet_find(struct sheet *sheet, unsigned line, enum finding_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same, with the arguments of somebody who has `...` too. */
void sheet_vfind(struct sheet *sheet, unsigned line, enum finding_kind kind, const char *format,
                 va_list args) __attribute__((format(printf, 4, 0)));

/* It is no match: the reason is the only thing that is left of it. */
void sheet_refuse(struct sheet *sheet, const char *why);

/* The word of a kind ("illegal"). */
const char *finding_kind_name(enum finding_kind kind);

#endif
