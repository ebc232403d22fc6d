#include "cli/check_opponent.h"

#include "dice/scheme.h"
#include "wire/frame.h"
#include "wire/spelling.h"

#include <string.h>

enum {
    OPPONENT_BYTES_MAX = 64 << 20,
    OPPONENT_LINE_MAX = 65536,
    DOUBLE_IN = 6, /* it doubles once in so many times, */
    RESIGN_IN = 60 /* and resigns */
};

void opponent_init(struct opponent *opponent, enum temper temper, const struct hash *key) {
    *opponent = (struct opponent){.temper = temper, .key = hash_key_of(key)};
    bytes_init(&opponent->in, OPPONENT_BYTES_MAX);
    bytes_init(&opponent->out, OPPONENT_BYTES_MAX);
    bytes_add_text(&opponent->out, "hello hakem=1 name=checker tables=4096 want=plays\n");
}

void opponent_clear(struct opponent *opponent) {
    bytes_clear(&opponent->in);
    bytes_clear(&opponent->out);
}

/* Number `first` of so many where there is no chance. */
static uint64_t pick(struct opponent *opponent, uint64_t below, uint64_t first) {
    if (opponent->temper == TEMPER_FIRST) {
        return first;
    }
    return game_pick(&opponent->key, opponent->picks++) % below;
}

static void answer(struct opponent *opponent, const char *word, const struct message *message) {
    bytes_print(&opponent->out, "%s %s %s", word, message_text(message, FIELD_TABLE),
                message_text(message, FIELD_SERIAL));
}

/* A resignation is not always of a kind that it may offer: then it has to play after all. */
static void answer_turn(struct opponent *opponent, const struct message *message) {
    if (message_list_has(message, FIELD_MAY, "resign") && pick(opponent, RESIGN_IN, 1) == 0) {
        answer(opponent, "resign", message);
        bytes_add_text(&opponent->out, " single\n");
    } else {
        answer(opponent, "play", message);
        bytes_print(&opponent->out, " #%llu\n",
                    (unsigned long long)pick(opponent, opponent->plays, 0));
    }
    opponent->plays = 0;
}

/* One of what it may do; now and then it doubles, and refuses or doubles back. */
static void answer_cube(struct opponent *opponent, const struct message *message) {
    enum { SELDOM = 4 }; /* the first so many words */
    static const char *const words[] = {"double", "beaver", "drop", "reject",
                                        "roll",   "take",   "accept"};
    for (size_t i = pick(opponent, DOUBLE_IN, 1) == 0 ? 0 : SELDOM;
         i < sizeof words / sizeof *words; i++) {
        if (message_list_has(message, FIELD_MAY, words[i])) {
            answer(opponent, words[i], message);
            bytes_add_text(&opponent->out, "\n");
            return;
        }
    }
}

static uint64_t count_words(const char *text) {
    uint64_t count = 1;
    for (const char *at = text; (at = strchr(at, ' ')) != NULL; at++) {
        count++;
    }
    return count;
}

static void hear_line(struct opponent *opponent, const char *line, size_t length) {
    struct message message;
    char why[160];
    if (spelling_decode(SPELLING_TEXT, line, length, SENT_BY_REFEREE, &message, why) !=
        DECODED_MESSAGE) {
        return;
    }
    switch ((int)message.kind) {
    case MESSAGE_MATCH:
        bytes_print(&opponent->out, "ready %s\n", message_text(&message, FIELD_TABLE));
        break;
    case MESSAGE_GAME:
        if (opponent->temper == TEMPER_SEEDED) {
            struct hash key = dice_open_master(message_text(&message, FIELD_SEED));
            opponent->key = hash_key_of(&key);
            opponent->picks = 0;
        }
        break;
    case MESSAGE_PLAYS:
        opponent->plays += count_words(message_text(&message, FIELD_PLAYLIST));
        break;
    case MESSAGE_TURN:
        answer_turn(opponent, &message);
        break;
    case MESSAGE_CUBE:
    case MESSAGE_OFFER:
        answer_cube(opponent, &message);
        break;
    case MESSAGE_ERROR:
        answer(opponent, "play", &message);
        bytes_add_text(&opponent->out, " #0\n");
        break;
    case MESSAGE_PING:
        bytes_print(&opponent->out, "pong id=%s\n", message_text(&message, FIELD_ID));
        break;
    }
}

void opponent_hear(struct opponent *opponent, const char *data, size_t length) {
    struct frame frame;
    size_t done = 0;
    bytes_add(&opponent->in, data, length);
    while (done < opponent->in.length &&
           frame_cut(opponent->in.data + done, opponent->in.length - done, OPPONENT_LINE_MAX,
                     &frame) == FRAME_LINE) {
        hear_line(opponent, frame.line, frame.length);
        done += frame.consumed;
    }
    bytes_drop(&opponent->in, done);
}
