#include "rules/play.h"

#include <string.h>

void play_apply(const struct rules *rules, enum side mover, const struct play *play,
                struct board *board) {
    uint8_t *own = board->men[mover];
    uint8_t *opposing = board->men[side_other(mover)];
    for (int i = 0; i < play->count; i++) {
        const struct step *step = &play->step[i];
        own[step->from]--;
        own[step->to]++;
        if (step->hit) {
            opposing[point_mirror(rules->variant->path, step->to)]--;
            opposing[POINT_BAR]++;
        }
    }
}

/* Four legs of "bar/24*" with blanks between are half of PLAY_TEXT_MAX: nothing is counted. */
static char *put_point(char *to, int point, bool as_word) {
    if (as_word && (point == POINT_BAR || point == POINT_OFF)) {
        memcpy(to, point == POINT_BAR ? "bar" : "off", 3);
        return to + 3;
    }
    if (point >= 10) {
        *to++ = (char)('0' + point / 10);
    }
    *to++ = (char)('0' + point % 10);
    return to;
}

/* Adds `from/to` and its star, after the separator unless it is the first. */
static char *put_step(char *to, const struct step *step, char separator, bool as_word) {
    if (separator != '\0') {
        *to++ = separator;
    }
    to = put_point(to, step->from, as_word);
    *to++ = '/';
    to = put_point(to, step->to, as_word);
    if (step->hit) {
        *to++ = '*';
    }
    return to;
}

size_t play_write(const struct play *play, char separator, bool words, char out[PLAY_TEXT_MAX]) {
    char *to = out;
    for (int i = 0; i < play->count; i++) {
        to = put_step(to, &play->step[i], i > 0 ? separator : '\0', words);
    }
    *to = '\0';
    return (size_t)(to - out);
}

/* The other side's number of a point; bar and off keep theirs. */
static uint8_t mirrored(const struct rules *rules, int point) {
    bool on_board = point != POINT_BAR && point != POINT_OFF;
    return (uint8_t)(on_board ? point_mirror(rules->variant->path, point) : point);
}

size_t play_write_mirrored(const struct rules *rules, const struct play *play, char separator,
                           char out[PLAY_TEXT_MAX]) {
    char *to = out;
    for (int i = 0; i < play->count; i++) {
        struct step step = play->step[i];
        step.from = mirrored(rules, step.from);
        step.to = mirrored(rules, step.to);
        to = put_step(to, &step, i > 0 ? separator : '\0', true);
    }
    *to = '\0';
    return (size_t)(to - out);
}
