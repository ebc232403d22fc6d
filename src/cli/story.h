/* A record as a story to leaf through: one step for each line that changes
 * something, each judged anew as the record is read. */
#ifndef HAKEM_CLI_STORY_H
#define HAKEM_CLI_STORY_H

#include "base/bytes.h"
#include "cli/svg_view.h"
#include "record/replay.h"

enum { STORY_NOTE_MAX = 200 };

struct story_step {
    enum message_kind kind;   /* game, did, fault, result, void, end */
    struct replay at;         /* how things stand after it */
    char note[STORY_NOTE_MAX]; /* a fault's reason and what the bot sent */
};

struct story {
    struct play_room *room;
    struct story_step *steps;
    size_t count, allotted;
    struct record_header header; /* where lines > 0 */
    uint64_t lines;              /* lines that were read and hold */
    uint64_t bad_line;           /* the line that was refused, 0 none */
    char why[RECORD_WHY_MAX];    /* and why */
    bool unfinished;             /* it stops before its signature */
};

/* Reads a record as far as it holds; one with its seed and signature is verified too. */
void story_read(struct story *story, const char *text, size_t length);
void story_clear(struct story *story);

/* The step at which that ply of that game was played (ply 0: its start), or -1. */
long story_find(const struct story *story, unsigned game, unsigned ply);

/* How the view of a step is drawn. */
struct story_look {
    bool ascii;
    bool flipped; /* seen by Y */
};

/* Adds who plays what, one line. */
void story_print_title(const struct story *story, struct bytes *out);

/* Adds what happened in a step, one line. */
void story_print_caption(const struct story *story, size_t step, struct bytes *out);

/* Adds the board after a step, with names, score, clocks and dice beside it. */
void story_print_board(const struct story *story, size_t step, const struct story_look *look,
                       struct bytes *out);

/* Adds the board after a step as a part of an SVG picture; of `place` only where it stands. */
void story_print_svg(const struct story *story, size_t step, const struct story_look *look,
                     struct svg_place place, struct bytes *out);

#endif
