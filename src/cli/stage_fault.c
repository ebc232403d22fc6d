#include "base/text.h"
#include "cli/stage_inside.h"
#include "record/chain.h"
#include "wire/spelling.h"

#include <stdlib.h>
#include <string.h>

enum { FAULTS_MAX = 1 << 20 };

void faults_find(const char *piece, size_t length, struct bytes *out) {
    static const char word[] = "fault ";
    bytes_init(out, FAULTS_MAX);
    for (size_t at = 0; at < length;) {
        const char *line = piece + at;
        size_t size = (size_t)((const char *)memchr(line, '\n', length - at) - line) + 1;
        if (size > sizeof word && memcmp(line, word, sizeof word - 1) == 0) {
            bytes_add(out, line, size);
        }
        at += size;
    }
}

/* One line of a record, without its digits; false when it is no fault. */
static bool read_fault(const char *line, size_t length, struct message *message,
                       struct fault_row *row) {
    char why[160];
    size_t bare;
    if (!chain_cut(line, length, &bare) ||
        spelling_decode(SPELLING_TEXT, line, bare, KEPT_IN_RECORD, message, why) !=
            DECODED_MESSAGE) {
        return false;
    }
    row->ply = (int)message_int(message, FIELD_PLY, 0);
    row->side = message_text(message, FIELD_SEAT)[0] == 'Y' ? SIDE_Y : SIDE_X;
    row->code = message_text(message, FIELD_CODE);
    row->dice = message_text(message, FIELD_DICE);
    row->got = message_text(message, FIELD_GOT);
    row->why = message_text(message, FIELD_REASON);
    row->ms = message_int(message, FIELD_MS, -1);
    return true;
}

void faults_show(struct stage *stage, const struct pending *pending) {
    const struct stage_hooks *hooks = &stage->setup.hooks;
    bool in_game = pending->kind == PENDING_GAME;
    struct fault_row row = {.unit = in_game ? pending->of.game.unit : pending->of.match.unit,
                            .leg = in_game ? pending->of.game.leg : pending->of.match.leg,
                            .game = in_game ? pending->of.game.game : 0};
    for (size_t at = 0; at < pending->faults.length;) {
        const char *line = pending->faults.data + at;
        size_t size =
            (size_t)((const char *)memchr(line, '\n', pending->faults.length - at) - line);
        struct message message;
        if (read_fault(line, size, &message, &row)) {
            announce_fault(stage, &row);
            if (hooks->fault != NULL) {
                hooks->fault(hooks->owner, stage, &row);
            }
        }
        at += size + 1;
    }
}
