#include "record/mix.h"

#include "record/chain.h"
#include "record/fact.h"
#include "record/replay.h"
#include "wire/spelling.h"

#include <stdio.h>
#include <string.h>

static const enum field commitments[PLAYERS] = {FIELD_COMMIT_A, FIELD_COMMIT_B};
static const enum field values[PLAYERS] = {FIELD_A, FIELD_B};
static const char *const letters[PLAYERS] = {"a", "b"};

void mix_write(struct message *message, const char *unit, const struct contribution of[PLAYERS]) {
    char hex[HASH_HEX];
    char who[4] = "";
    message_init(message, MESSAGE_MIX);
    message_set(message, FIELD_UNIT, unit);
    for (int player = 0; player < PLAYERS; player++) {
        if (of[player].committed) {
            hash_hex(&of[player].commitment, hex);
            message_set(message, commitments[player], hex);
        }
        if (of[player].given) {
            text_hex(of[player].bytes, DICE_CONTRIBUTION, hex);
            message_set(message, values[player], hex);
        }
        if (of[player].withheld) {
            size_t used = strlen(who);
            snprintf(who + used, sizeof who - used, "%s%s", used > 0 ? "," : "", letters[player]);
        }
    }
    if (who[0] != '\0') {
        message_set(message, FIELD_WITHHELD, who);
    }
}

static int read_hex(const struct message *message, enum field field, void *out, char *why) {
    const char *text = message_text(message, field);
    if (!text_unhex(text, strlen(text), out, HASH_BYTES) || !fact_is_lower(text)) {
        return fact_refuse(why, "%s= has to be %d hex digits", field_row(field)->name,
                           2 * (int)HASH_BYTES);
    }
    return 0;
}

static int read_one(const struct message *message, int player, struct contribution *one,
                    char *why) {
    *one = (struct contribution){.committed = message_has(message, commitments[player]),
                                 .given = message_has(message, values[player]),
                                 .withheld = message_list_has(message, FIELD_WITHHELD,
                                                              letters[player])};
    if ((one->committed &&
         read_hex(message, commitments[player], one->commitment.byte, why) != 0) ||
        (one->given && read_hex(message, values[player], one->bytes, why) != 0)) {
        return -1;
    }
    return 0;
}

int mix_read(const struct message *message, struct contribution of[PLAYERS], char *why) {
    static const char *const lists[] = {"", "a", "b", "a,b"};
    if (read_one(message, 0, &of[0], why) != 0 || read_one(message, 1, &of[1], why) != 0 ||
        fact_require_text(message, FIELD_WITHHELD, lists[of[0].withheld + 2 * of[1].withheld],
                          why) != 0) {
        return -1;
    }
    bool broken = of[0].withheld || of[1].withheld;
    for (int player = 0; player < PLAYERS; player++) {
        if (of[player].committed && !of[player].given && !broken) {
            return fact_refuse(why, "%s= is missing: what was committed to is not there",
                               letters[player]);
        }
        if (of[player].withheld && of[player].committed && of[player].given) {
            return fact_refuse(why, "%s= is there, and is said to be withheld", letters[player]);
        }
    }
    return 0;
}

int mix_player(int leg, enum side side) {
    return leg == 1 ? (int)side : 1 - (int)side;
}

bool mix_find(const char *text, size_t length, struct contribution of[PLAYERS]) {
    static const char name[] = "mix ";
    const char *line;
    size_t line_length;
    size_t at = 0;
    struct message message;
    char why[RECORD_WHY_MAX];
    for (int number = 0; number < 3 && replay_cut(text, length, &at, &line, &line_length) > 0;) {
        size_t bare;
        if (line_length >= sizeof name && memcmp(line, name, sizeof name - 1) == 0) {
            return chain_cut(line, line_length, &bare) &&
                   spelling_decode(SPELLING_TEXT, line, bare, KEPT_IN_RECORD, &message, why) ==
                       DECODED_MESSAGE &&
                   mix_read(&message, of, why) == 0;
        }
        number += memcmp(line, "game", line_length < 4 ? line_length : 4) == 0;
    }
    return false;
}
