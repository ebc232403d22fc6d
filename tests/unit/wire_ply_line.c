/* The lines that have no message are to the byte what their messages would be. */
#include "wire_kit.h"

#include "wire/ply_line.h"

enum { TRIES = 200000 };

static const char *const plays[] = {"", "8/5", "8/5* 6/5", "bar/24 13/11", "6/off 5/off 4/off 3/off"};

static bool spells(const struct message *message, const char *line, size_t length) {
    struct bytes bytes;
    bytes_init(&bytes, 1 << 16);
    bool same = spelling_encode_bare(SPELLING_TEXT, message, &bytes) && bytes.length == length &&
                memcmp(bytes.data, line, length) == 0;
    bytes_clear(&bytes);
    return same;
}

/* A number of any length. */
static uint64_t some_number(uint64_t *state) {
    return kit_next(state) >> (1 + kit_below(state, 63));
}

static void check_did(void) {
    static const enum field fields[PLY_TIMES] = {FIELD_MS, FIELD_PASSED, FIELD_OPEN, FIELD_LAG};
    static struct message message;
    uint64_t state = 1;
    int same = 0;
    for (int i = 0; i < TRIES; i++) {
        char line[PLY_LINE_MAX], dice[3] = {0};
        const char *play = KIT_PICK(&state, plays);
        struct ply_line ply = {
            .table = some_number(&state), .play = play, .play_length = strlen(play)};
        uint64_t number = some_number(&state);
        char seat = "XY"[kit_below(&state, 2)];
        uint8_t thrown[2];
        message_init(&message, MESSAGE_DID);
        message_set_u64(&message, FIELD_TABLE, ply.table);
        message_set_u64(&message, FIELD_PLY, number);
        message_set_bytes(&message, FIELD_SEAT, &seat, 1);
        for (int die = 0; die < 2; die++) {
            thrown[die] = (uint8_t)(1 + kit_below(&state, 6));
            dice[die] = (char)('0' + thrown[die]);
        }
        ply_line_begin(&ply, number, seat, thrown);
        message_set(&message, FIELD_DEED, dice);
        message_set(&message, FIELD_PLAY, play);
        for (int n = 0; n < PLY_TIMES; n++) {
            ply.time[n] = kit_below(&state, 2) ? -1 : (int64_t)some_number(&state);
            if (ply.time[n] >= 0) {
                message_set_int(&message, fields[n], ply.time[n]);
            }
        }
        same += spells(&message, line, ply_line_did(&ply, line));
    }
    CHECK_INT(same, TRIES, "did lines are those of their messages");
}

static void check_turn(void) {
    static struct message message;
    uint64_t state = 2;
    int same = 0;
    for (int i = 0; i < TRIES; i++) {
        char line[PLY_LINE_MAX];
        uint64_t table = some_number(&state), serial = some_number(&state);
        uint8_t dice[2] = {(uint8_t)(1 + kit_below(&state, 6)), (uint8_t)(1 + kit_below(&state, 6))};
        int64_t ms = kit_below(&state, 2) ? -1 : (int64_t)some_number(&state);
        message_init(&message, MESSAGE_TURN);
        message_set_u64(&message, FIELD_TABLE, table);
        message_set_u64(&message, FIELD_SERIAL, serial);
        message_set_print(&message, FIELD_DICE, "%d%d", dice[0], dice[1]);
        if (ms >= 0) {
            message_set_int(&message, FIELD_MS, ms);
        }
        same += spells(&message, line, ply_line_turn(table, serial, dice, ms, line));
    }
    CHECK_INT(same, TRIES, "turn lines are those of their messages");
}

/* A line that is taken is the message that the decoder makes of it. */
static bool is_taken_rightly(const char *line, size_t length, bool *taken) {
    static struct message message;
    struct ply_answer answer;
    char why[160];
    *taken = ply_line_play(line, length, &answer);
    if (!*taken) {
        return true;
    }
    struct value play = {NULL, 0};
    bool same = kit_decode(SPELLING_TEXT, line, length, &message, why) == DECODED_MESSAGE &&
                message.kind == MESSAGE_PLAY &&
                (uint64_t)message_int(&message, FIELD_TABLE, -1) == answer.table &&
                (uint64_t)message_int(&message, FIELD_SERIAL, -1) == answer.serial;
    play = same ? message_value(&message, FIELD_PLAY) : play;
    return same && play.length == answer.play_length &&
           (play.length == 0 || memcmp(play.text, answer.play, play.length) == 0);
}

static void check_play(void) {
    static const char *const spoilers[] = {" ", "\t", "=", "%", "0", "x", "\r", "\xC3\xBC", "\x01"};
    uint64_t state = 3;
    int right = 0, whole = 0, spoilt = 0;
    for (int i = 0; i < TRIES; i++) {
        char line[128], bad[160];
        const char *play = KIT_PICK(&state, plays);
        bool taken;
        int length = snprintf(line, sizeof line, "play %u %u%s%s",
                              1 + (unsigned)kit_next(&state) % 5000,
                              1 + (unsigned)kit_next(&state) % 100000, *play ? " " : "", play);
        right += is_taken_rightly(line, (size_t)length, &taken);
        whole += taken;
        int at = kit_below(&state, length + 1), cut = kit_below(&state, 2);
        cut = at + cut > length ? 0 : cut;
        length = snprintf(bad, sizeof bad, "%.*s%s%s", at, line, KIT_PICK(&state, spoilers),
                          line + at + cut);
        right += is_taken_rightly(bad, (size_t)length, &taken);
        spoilt += !taken;
    }
    CHECK_INT(right, 2 * TRIES, "play lines are read as their messages");
    CHECK_INT(whole, TRIES, "every line as a bot writes it is taken");
    CHECK(spoilt > TRIES / 2, "%d spoilt ones are left to the decoder", spoilt);
}

/* What is not plain is not taken. */
static void check_left(void) {
    static const char *const lines[] = {
        "",           "play",          "play 1",         "play 1 ",       "play 1 2 ",
        "play 0 2 a", "play 01 2 a",   "play 1 02 a",    "play  1 2 a",   "play 1 2  a",
        "play 1 2\ta", "play 1 2 a ",  "play 1 2 a=1",   "Play 1 2 a",    " play 1 2 a",
        "play 1 -2 a", "play 1 2a",    "player 1 2 a",   "ready 1",       "play 1234567890123456 2 a",
    };
    struct ply_answer answer;
    int taken = 0;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        taken += ply_line_play(lines[i], strlen(lines[i]), &answer);
    }
    CHECK_INT(taken, 0, "what is not plain is left to the decoder");
}

int main(void) {
    check_did();
    check_turn();
    check_play();
    check_left();
    return check_done();
}
