#include "rules/play.h"

#include "rules/words.h"

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

static void add_place(struct words *words, int point, bool as_word) {
    if (as_word && (point == POINT_BAR || point == POINT_OFF)) {
        words_add(words, point == POINT_BAR ? "bar" : "off");
    } else {
        words_add_number(words, point);
    }
}

/* Adds `from/to` and its star, after the separator unless it is the first. */
static void add_step(struct words *words, const struct step *step, char separator, bool as_word) {
    if (words->length > 0) {
        words_add_char(words, separator);
    }
    add_place(words, step->from, as_word);
    words_add_char(words, '/');
    add_place(words, step->to, as_word);
    if (step->hit) {
        words_add_char(words, '*');
    }
}

size_t play_write(const struct play *play, char separator, bool words, char out[PLAY_TEXT_MAX]) {
    struct words text = words_begin(out, PLAY_TEXT_MAX);
    for (int i = 0; i < play->count; i++) {
        add_step(&text, &play->step[i], separator, words);
    }
    return text.length;
}

/* The other side's number of a point; bar and off keep theirs. */
static uint8_t mirrored(const struct rules *rules, int point) {
    bool on_board = point != POINT_BAR && point != POINT_OFF;
    return (uint8_t)(on_board ? point_mirror(rules->variant->path, point) : point);
}

size_t play_write_mirrored(const struct rules *rules, const struct play *play, char separator,
                           char out[PLAY_TEXT_MAX]) {
    struct words text = words_begin(out, PLAY_TEXT_MAX);
    for (int i = 0; i < play->count; i++) {
        struct step step = play->step[i];
        step.from = mirrored(rules, step.from);
        step.to = mirrored(rules, step.to);
        add_step(&text, &step, separator, true);
    }
    return text.length;
}
