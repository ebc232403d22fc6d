#include "wire/phrase.h"

#include "rules/position.h"
#include "rules/result.h"

#include <stdio.h>

enum { PLAYS_PER_LINE = 128 };

void phrase_dice(struct message *message, enum field field, const uint8_t dice[2]) {
    char text[3] = {(char)('0' + dice[0]), (char)('0' + dice[1]), 0};
    message_set(message, field, text);
}

void phrase_score(struct message *message, const int score[SIDE_COUNT], enum side first) {
    char mine[SCORE_TEXT_MAX], theirs[SCORE_TEXT_MAX];
    score_write(score[first], mine);
    score_write(score[side_other(first)], theirs);
    message_set_print(message, FIELD_SCORE, "%s,%s", mine, theirs);
}

void phrase_board(struct message *message, const struct rules *rules, const struct board *board,
                  enum side side) {
    int8_t counts[POINT_COUNT];
    char text[POINT_COUNT * 4];
    int length = 0;
    position_counts(rules, board, side, counts);
    for (int point = 0; point < POINT_COUNT; point++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%d",
                           point > 0 ? "," : "", counts[point]);
    }
    message_set(message, FIELD_POSITION, text);
    message_set_print(message, FIELD_OFF, "%d,%d", board->men[side][POINT_OFF],
                      board->men[side_other(side)][POINT_OFF]);
}

const char *phrase_owner(const struct cube *cube, enum side side) {
    return cube->owner == CUBE_MIDDLE ? "none" : cube->owner == (int)side ? "me" : "opp";
}

void phrase_cube(struct message *message, const struct cube *cube, bool crawford, enum side side) {
    message_set(message, FIELD_CRAWFORD, crawford ? "yes" : "no");
    message_set_int(message, FIELD_CUBE, cube->value);
    message_set(message, FIELD_OWNER, phrase_owner(cube, side));
}

void phrase_may(struct message *message, unsigned acts) {
    char text[96];
    int length = 0;
    for (int bit = 0; bit < ACT_COUNT; bit++) {
        if ((acts & 1U << bit) != 0) {
            length += snprintf(text + length, sizeof text - (size_t)length, "%s%s",
                               length > 0 ? "," : "", act_name((enum act)(1U << bit)));
        }
    }
    message_set(message, FIELD_MAY, text);
}

size_t phrase_plays(struct message *message, const struct option_play *list, size_t count,
                    size_t from) {
    char words[PLAYS_PER_LINE * PLAY_TEXT_MAX];
    size_t length = 0;
    size_t next = from;
    while (next < count && next < from + PLAYS_PER_LINE) {
        if (next > from) {
            words[length++] = ' ';
        }
        length += play_write(&list[next++].play, ',', true, words + length);
    }
    message_init(message, MESSAGE_PLAYS);
    message_set_u64(message, FIELD_FROM, from);
    message_set_bytes(message, FIELD_PLAYLIST, words, length);
    return next;
}
