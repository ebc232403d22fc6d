/* Mutated lines: whatever still decodes is written and read back as the same
 * message, in both spellings, and the written line is a fixed point. */
#include "wire_kit.h"

enum { LINES = 200000, LINE_CEILING = 1 << 20, EDITS_MAX = 4, LENGTH_MAX = 8192 };

/* Bytes that mean something to one of the decoders, and some that must not. */
static const char spice[] = " \t\r=%,.#/-+*()0123456789\"\\{}[]:utfalse\x01\x7f\xc3\xff\xe2\x00X";

static void mutate(char *line, size_t *length, uint64_t *state) {
    int edits = 1 + kit_below(state, EDITS_MAX);
    for (int i = 0; i < edits && *length > 1; i++) {
        size_t at = (size_t)kit_below(state, (int)*length);
        size_t size = 1 + (size_t)kit_below(state, 8);
        size = size < *length - at ? size : *length - at;
        switch (kit_below(state, 5)) {
        case 0:
            line[at] = spice[kit_below(state, (int)sizeof spice)];
            break;
        case 1:
            line[at] = (char)kit_below(state, 256);
            break;
        case 2: /* a piece is lost */
            memmove(line + at, line + at + size, *length - at - size);
            *length -= size;
            break;
        case 3: /* a piece stands twice */
            if (*length + size < LENGTH_MAX) {
                memmove(line + at + size, line + at, *length - at);
                *length += size;
            }
            break;
        case 4: /* the line is cut, rarely */
            *length = kit_below(state, 8) == 0 ? at + 1 : *length;
            break;
        }
    }
}

/* Writes the message in a spelling and reads it back; false when it changed. */
static bool holds(enum spelling spelling, const struct message *message) {
    static struct message back;
    struct bytes first;
    struct bytes second;
    char why[160];
    bytes_init(&first, LINE_CEILING);
    bytes_init(&second, LINE_CEILING);
    bool good = spelling_encode_bare(spelling, message, &first) &&
                kit_decode(spelling, first.data, first.length, &back, why) == DECODED_MESSAGE &&
                kit_same(message, &back) && spelling_encode_bare(spelling, &back, &second) &&
                first.length == second.length &&
                memcmp(first.data, second.data, first.length) == 0;
    if (!good) {
        printf("# %s\n# %s\n", why, bytes_text(&first));
    }
    bytes_clear(&first);
    bytes_clear(&second);
    return good;
}

int main(void) {
    static struct message message;
    static char line[LENGTH_MAX];
    uint64_t state = 20261130;
    int outcomes[DECODED_MALFORMED + 1] = {0};
    int wrong = 0;
    for (int round = 0; round < LINES; round++) {
        enum spelling spelling = round % 2 == 0 ? SPELLING_TEXT : SPELLING_JSON;
        struct bytes out;
        char why[160];
        bytes_init(&out, LENGTH_MAX / 2);
        kit_message(&message, (enum message_kind)kit_below(&state, MESSAGE_COUNT),
                    kit_below(&state, 9), &state);
        (void)spelling_encode_bare(spelling, &message, &out);
        size_t length = out.length;
        memcpy(line, out.data, length);
        bytes_clear(&out);
        mutate(line, &length, &state);
        enum decoded decoded = kit_decode(spelling, line, length, &message, why);
        outcomes[decoded]++;
        if (decoded == DECODED_MESSAGE &&
            !(holds(SPELLING_TEXT, &message) && holds(SPELLING_JSON, &message))) {
            printf("# mutated: %.*s\n", (int)length, line);
            wrong++;
        }
    }
    CHECK_INT(wrong, 0, "whatever decodes is written and read back as the same");
    printf("# %d messages, %d blank, %d unknown, %d malformed\n", outcomes[DECODED_MESSAGE],
           outcomes[DECODED_BLANK], outcomes[DECODED_UNKNOWN], outcomes[DECODED_MALFORMED]);
    CHECK(outcomes[DECODED_MESSAGE] > LINES / 20, "many mutations are still messages");
    CHECK(outcomes[DECODED_MALFORMED] > LINES / 20, "many mutations are refused");
    return check_done();
}
