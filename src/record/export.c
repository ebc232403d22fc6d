#include "record/export.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "record/sheet.h"
#include "wire/spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_lines(const char *text, size_t length, struct replay *replay,
                      void (*line)(void *owner, const struct message *message), void *owner,
                      struct fail *fail) {
    struct message message;
    const char *at_line;
    size_t line_length;
    size_t at = 0;
    while (replay_cut(text, length, &at, &at_line, &line_length) > 0) {
        char why[RECORD_WHY_MAX];
        if (replay_line(replay, at_line, line_length, &message, why) != 0) {
            return fail_set(fail, EXIT_CODE_VERIFY, _("line %lu of the record: %s"),
                            (unsigned long)replay->lines, why);
        }
        line(owner, &message);
    }
    return replay->lines > 0 ? 0
                             : fail_set(fail, EXIT_CODE_VERIFY,
                                        _("this is no record: it holds no whole line"));
}

int export_lines(const char *text, size_t length, struct replay *replay,
                 void (*line)(void *owner, const struct message *message), void *owner,
                 struct fail *fail) {
    struct play_room *room = alloc_zeroed(1, sizeof *room);
    replay_init(replay, room);
    int status = read_lines(text, length, replay, line, owner, fail);
    free(room);
    replay->room = NULL;
    return status;
}

void export_dice(const uint8_t dice[2], char out[3]) {
    int high = dice[0] > dice[1] ? 0 : 1;
    out[0] = (char)('0' + dice[high]);
    out[1] = (char)('0' + dice[1 - high]);
    out[2] = '\0';
}

void export_rules(const struct rules *rules, char between, char out[HEADER_TEXT_MAX]) {
    size_t used = 0;
    out[0] = '\0';
    for (int option = 0; option < OPTION_COUNT; option++) {
        char value[16];
        if (!sheet_needs_rule((enum option)option) ||
            !variant_has_option(rules->variant, (enum option)option) ||
            !rules_differs(rules, (enum option)option)) {
            continue;
        }
        option_write((enum option)option, rules->value[option], value);
        int length = snprintf(out + used, HEADER_TEXT_MAX - used, "%.*s%s=%s", used > 0 ? 1 : 0,
                              &between, option_row((enum option)option)->name, value);
        used += (size_t)length < HEADER_TEXT_MAX - used ? (size_t)length : 0;
    }
}

const char *export_name(const struct record_header *header, enum side side) {
    return header->title[side][0] != '\0' ? header->title[side] : header->name[side];
}
