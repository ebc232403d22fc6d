#include "rules/position.h"

#include "rules/reader.h"
#include "rules/words.h"

#include <string.h>

/* Order in which a side's places are written: 24..1, bar, off. */
static int place_at(int index) {
    static const int after_points[] = {POINT_BAR, POINT_OFF};
    return index < 24 ? 24 - index : after_points[index - 24];
}

static void write_side(struct words *words, const uint8_t men[POINT_COUNT]) {
    for (int index = 0; index < POINT_COUNT; index++) {
        int place = place_at(index);
        if (men[place] == 0) {
            continue;
        }
        words_add_char(words, ' ');
        if (place == POINT_BAR) {
            words_add(words, "bar");
        } else if (place == POINT_OFF) {
            words_add(words, "off");
        } else {
            words_add_number(words, place);
        }
        words_add_char(words, ':');
        words_add_number(words, men[place]);
    }
}

size_t position_write(const struct board *board, char out[POSITION_TEXT_MAX]) {
    struct words words = words_begin(out, POSITION_TEXT_MAX);
    words_add(&words, "W");
    write_side(&words, board->men[SIDE_X]);
    words_add(&words, " | B");
    write_side(&words, board->men[SIDE_Y]);
    return words.length;
}

static void skip_blanks(struct reader *reader) {
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t')) {
        reader->at++;
    }
}

/* Takes a word, blanks before it included. */
static bool take(struct reader *reader, const char *word) {
    skip_blanks(reader);
    return reader_take(reader, word);
}

/* Takes `8:3`, `bar:1` or `off:2` into `men`. */
static bool take_place(struct reader *reader, uint8_t men[POINT_COUNT], bool *off_given) {
    int place;
    if (take(reader, "bar")) {
        place = POINT_BAR;
    } else if (take(reader, "off")) {
        place = POINT_OFF;
        *off_given = true;
    } else {
        place = reader_take_number(reader, 24);
        if (place < 1) {
            return false;
        }
    }
    if (reader->at == reader->end || *reader->at++ != ':') {
        return false;
    }
    int count = reader_take_number(reader, CHECKERS_MAX);
    bool ends = reader->at == reader->end || *reader->at == ' ' || *reader->at == '|';
    if (count < 0 || men[place] != 0 || !ends) {
        return false;
    }
    men[place] = (uint8_t)count;
    return true;
}

/* Reads one side up to `|` or the end. */
static bool take_side(struct reader *reader, int checkers, uint8_t men[POINT_COUNT]) {
    bool off_given = false;
    int sum = 0;
    for (skip_blanks(reader); reader->at < reader->end && *reader->at != '|'; skip_blanks(reader)) {
        if (!take_place(reader, men, &off_given)) {
            return false;
        }
    }
    for (int place = POINT_OFF; place <= POINT_BAR; place++) {
        sum += men[place];
    }
    if (!off_given && sum < checkers) {
        men[POINT_OFF] = (uint8_t)(checkers - sum);
    }
    return true;
}

int position_read(const struct rules *rules, const char *text, size_t length, struct board *board,
                  char why[160]) {
    struct reader reader = {text, text + length};
    int checkers = rules->variant->checkers;
    memset(board, 0, sizeof *board);
    bool read = take(&reader, "w") && take_side(&reader, checkers, board->men[SIDE_X]) &&
                take(&reader, "|") && take(&reader, "b") &&
                take_side(&reader, checkers, board->men[SIDE_Y]) && reader.at == reader.end;
    if (!read) {
        struct words words = words_begin(why, 160);
        words_add(&words, "a position reads like \"W 13:2 6:13 | B 24:2 8:12 bar:1\"; this ");
        words_add(&words, reader.at == reader.end ? "ends too early" : "goes wrong at ");
        if (reader.at != reader.end) {
            words_add_quoted(&words, reader.at, (size_t)(reader.end - reader.at));
        }
        return -1;
    }
    return board_check(board, rules, why);
}

void position_counts(const struct rules *rules, const struct board *board, enum side frame,
                     int8_t out[POINT_COUNT]) {
    const uint8_t *own = board->men[frame];
    const uint8_t *other = board->men[side_other(frame)];
    out[0] = (int8_t)-other[POINT_BAR];
    out[POINT_BAR] = (int8_t)own[POINT_BAR];
    for (int point = 1; point < POINT_BAR; point++) {
        out[point] = (int8_t)(own[point] - other[point_mirror(rules->variant->path, point)]);
    }
}

/* What a side lacks on the board is off; more than its number is left for board_check. */
static void put_rest_off(uint8_t men[POINT_COUNT], int checkers) {
    for (int place = 1; place <= POINT_BAR; place++) {
        checkers -= men[place];
    }
    men[POINT_OFF] = checkers > 0 ? (uint8_t)checkers : 0;
}

int position_from_counts(const struct rules *rules, const int8_t counts[POINT_COUNT],
                         enum side frame, struct board *board, char why[160]) {
    uint8_t *own = board->men[frame];
    uint8_t *other = board->men[side_other(frame)];
    memset(board, 0, sizeof *board);
    for (int place = 0; place <= POINT_BAR; place++) {
        int count = counts[place];
        bool mine = count > 0;
        if (count < -CHECKERS_MAX || count > CHECKERS_MAX || (place == 0 && mine) ||
            (place == POINT_BAR && count < 0)) {
            struct words words = words_begin(why, 160);
            words_add(&words, "count ");
            words_add_number(&words, place);
            words_add(&words, " cannot be ");
            words_add(&words, mine ? "" : "-");
            words_add_number(&words, mine ? count : -count);
            return -1;
        }
        if (place == 0) {
            other[POINT_BAR] = (uint8_t)-count;
        } else if (mine) {
            own[place] = (uint8_t)count;
        } else if (count < 0) {
            other[point_mirror(rules->variant->path, place)] = (uint8_t)-count;
        }
    }
    put_rest_off(own, rules->variant->checkers);
    put_rest_off(other, rules->variant->checkers);
    return board_check(board, rules, why);
}
