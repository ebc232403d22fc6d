/* The three lines that a play consists of, in the text spelling and without a message
 * between: a bot's `play`, the `did` of a throw, and a plain `turn`. They are most of all
 * lines, and their message would cost more than they do. Each is to the byte what
 * spelling.h makes of the same message; a test holds them equal. */
#ifndef HAKEM_WIRE_PLY_LINE_H
#define HAKEM_WIRE_PLY_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLY_LINE_MAX = 256, PLY_TIMES = 4, PLY_THROW_MAX = 32 };

/* A `did` with a throw. */
struct ply_line {
    uint64_t table;
    char throw[PLY_THROW_MAX]; /* what is the same for all who are told, see ply_line_begin */
    size_t throw_length;
    const char *play; /* legs joined by blanks, at most PLAY_TEXT_MAX bytes */
    size_t play_length;
    int64_t time[PLY_TIMES]; /* ms, passed, open, lag; below 0: not there */
};

/* Begins one: which ply it was, whose, and the throw. */
void ply_line_begin(struct ply_line *ply, uint64_t number, char seat, const uint8_t dice[2]);

/* Writes it without its LF; returns its length. */
size_t ply_line_did(const struct ply_line *ply, char out[PLY_LINE_MAX]);

/* Writes a `turn` with no field but `ms` (below 0: without it), without its LF. */
size_t ply_line_turn(uint64_t table, uint64_t serial, const uint8_t dice[2], int64_t ms,
                     char out[PLY_LINE_MAX]);

/* A `play` that was read: its words point into the line. */
struct ply_answer {
    uint64_t table, serial;
    const char *play;
    size_t play_length;
};

/* Reads a `play` that is spelled as its writer would; false for everything else, be it
 * good or bad: then it is spelling_decode's to say. */
bool ply_line_play(const char *line, size_t length, struct ply_answer *answer);

#endif
