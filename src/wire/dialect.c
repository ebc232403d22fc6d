#include "wire/dialect.h"

#include "base/alloc.h"
#include "rules/position.h"
#include "wire/dialect_inside.h"
#include "wire/frame.h"
#include "wire/spelling.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OUTWARD_MAX = 64 * 1024,
    INWARD_MAX = 256 * 1024,
    TOLD_MAX = 1024 * 1024, /* of the referee's lines, which are cut here */
    IDLE_MAX = 100000,      /* lines without an answer among them */
};

static const char *const protocol_names[] = {
    [PROTOCOL_HAKEM] = "hakem", [PROTOCOL_UBGI] = "ubgi", [PROTOCOL_GNUBG] = "gnubg"};
enum { PROTOCOLS = sizeof protocol_names / sizeof protocol_names[0] };

const char *protocol_name(enum protocol protocol) {
    return protocol_names[protocol];
}

int protocol_find(const char *word) {
    for (int i = 0; i < PROTOCOLS; i++) {
        if (strcmp(word, protocol_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

void dialect_write_option(enum protocol protocol, const char *word, size_t length,
                          char out[DIALECT_PLIES_MAX]) {
    const char *label = protocol == PROTOCOL_GNUBG  ? "plies="
                        : protocol == PROTOCOL_UBGI ? "engine.ply="
                                                    : "";
    size_t name = strlen(label);
    bool counts = name > 0 && length > name && strncmp(word, label, name) == 0;
    bool ubgi = protocol == PROTOCOL_UBGI;
    int64_t plies = 0;
    int shown = length < DIALECT_WORD_MAX ? (int)length : DIALECT_WORD_MAX;
    if (counts && text_i64(word + name, length - name, ubgi, 99, &plies)) {
        snprintf(out, DIALECT_PLIES_MAX, "%.*s (%s %d-ply)", shown, word, ubgi ? "gnubg" : "UBGI",
                 (int)plies + (ubgi ? -1 : 1));
    } else {
        snprintf(out, DIALECT_PLIES_MAX, "%.*s", shown, word);
    }
}

struct dialect *dialect_new(const struct dialect_rule *rule, const char *name) {
    if (rule->protocol == PROTOCOL_HAKEM) {
        return NULL;
    }
    struct dialect *d = alloc_zeroed(1, sizeof *d);
    d->tongue = rule->protocol == PROTOCOL_UBGI ? &ubgi_tongue : &gnubg_tongue;
    d->rule = rule;
    snprintf(d->name, sizeof d->name, "%s", name);
    bytes_init(&d->heard, DIALECT_PEER_LINE - 1);
    bytes_init(&d->told, TOLD_MAX);
    bytes_init(&d->outward, OUTWARD_MAX);
    bytes_init(&d->inward, INWARD_MAX);
    bytes_init(&d->list, DIALECT_LIST_MAX);
    return d;
}

void dialect_free(struct dialect *d) {
    if (d == NULL) {
        return;
    }
    bytes_clear(&d->heard);
    bytes_clear(&d->told);
    bytes_clear(&d->outward);
    bytes_clear(&d->inward);
    bytes_clear(&d->list);
    free(d->room);
    free(d);
}

struct bytes *dialect_outward(struct dialect *d) {
    return &d->outward;
}

struct bytes *dialect_inward(struct dialect *d) {
    return &d->inward;
}

const char *dialect_wrong(const struct dialect *d) {
    return d->wrong;
}

void dialect_say(struct dialect *d, const char *format, ...) {
    char line[TEXT_LINE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    bytes_add_text(&d->outward, line);
    if (!bytes_add(&d->outward, "\n", 1)) {
        dialect_fail(d, "it does not read its lines");
    }
}

void dialect_fail(struct dialect *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (d->wrong[0] == '\0') {
        vsnprintf(d->wrong, sizeof d->wrong, format, args);
    }
    va_end(args);
}

/* Reads numbers with commas between, in halves where `halves`; how many there were. */
static int read_numbers(const char *text, bool halves, int out[], int most) {
    int count = 0;
    while (*text != '\0' && count < most) {
        char *end;
        long whole = strtol(text, &end, 10);
        bool half = halves && strncmp(end, ".5", 2) == 0;
        out[count++] = (int)(halves ? whole * 2 + half : whole);
        end += half ? 2 : 0;
        text = *end == ',' ? end + 1 : end + strlen(end);
    }
    return count;
}

static uint8_t log2_of(int64_t value) {
    uint8_t log = 0;
    while (value > 1) {
        value /= 2;
        log++;
    }
    return log;
}

static void read_cube(const struct dialect *d, const struct message *message,
                      struct match_position *position) {
    const char *owner = message_text(message, FIELD_OWNER);
    bool vido = d->rules.value[OPTION_VIDO] != 0;
    position->cube_log = log2_of(message_int(message, FIELD_CUBE, 1));
    position->cube_owner = (int8_t)(strcmp(owner, "me") == 0    ? (int)SIDE_X
                                    : strcmp(owner, "opp") == 0 ? (int)SIDE_Y
                                                                : CUBE_CENTRED);
    position->cube_limit = vido ? log2_of(d->rules.value[OPTION_VIDO_MAX]) : 0;
    position->crawford = strcmp(message_text(message, FIELD_CRAWFORD), "yes") == 0;
}

/* The board, score and cube of a request, as the peer has them. */
static void read_position(struct dialect *d, const struct message *message,
                          struct match_position *position) {
    int numbers[POINT_COUNT] = {0}, score[SIDE_COUNT] = {0};
    int8_t counts[POINT_COUNT];
    char why[160];
    bool opposing = strcmp(message_text(message, FIELD_ROLL), "opp") == 0;
    match_position_init(position, &d->rules);
    read_numbers(message_text(message, FIELD_POSITION), false, numbers, POINT_COUNT);
    for (int i = 0; i < POINT_COUNT; i++) {
        counts[i] = (int8_t)numbers[i];
    }
    if (position_from_counts(&d->rules, counts, SIDE_X, &position->board, why) != 0) {
        dialect_fail(d, "the referee's position cannot be read: %.100s", why);
    }
    read_numbers(message_text(message, FIELD_SCORE), true, score, SIDE_COUNT);
    for (int side = 0; side < SIDE_COUNT; side++) { /* nobody else knows half points */
        position->score[side] = score[side] - score[side] % POINT_HALVES;
    }
    position->length = d->rules.value[OPTION_MATCH];
    position->jacoby = position->length == 0 && d->rules.value[OPTION_JACOBY] != 0;
    position->beavers = position->length == 0 && d->rules.value[OPTION_BEAVERS] != 0;
    position->mover = position->decider = opposing ? SIDE_Y : SIDE_X;
    read_cube(d, message, position);
}

static unsigned read_acts(const struct message *message) {
    const char *text = message_text(message, FIELD_MAY);
    unsigned acts = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        acts |= act_find(text, length);
        text += length + (text[length] == ',');
    }
    return acts;
}

static void read_offer(struct dialect *d, const struct message *message,
                       struct question *question) {
    const char *act = message_text(message, FIELD_ACT);
    if (strcmp(act, "resign") == 0) {
        question->asked = ASKED_RESIGN;
        question->kind = kind_find(&d->rules, message_text(message, FIELD_KIND));
        return;
    }
    question->asked = ASKED_DOUBLE;
    question->beaver = strcmp(act, "beaver") == 0;
    question->position.pending = question->beaver ? PENDING_BEAVER : PENDING_DOUBLE;
    question->position.decider = SIDE_X;
}

static void take_request(struct dialect *d, const struct message *message) {
    struct question *question = &d->question;
    *question = (struct question){.serial = (uint64_t)message_int(message, FIELD_SERIAL, 0),
                                  .may = read_acts(message),
                                  .first_turn = message_has(message, FIELD_FIRST)};
    read_position(d, message, &question->position);
    if (message->kind == MESSAGE_TURN) {
        const char *dice = message_text(message, FIELD_DICE);
        question->asked = ASKED_PLAY;
        question->position.dice[0] = (uint8_t)(dice[0] - '0');
        question->position.dice[1] = (uint8_t)(dice[1] - '0');
    } else if (message->kind == MESSAGE_CUBE) {
        question->asked = ASKED_THROW;
    } else {
        read_offer(d, message, question);
    }
    d->idle = 0;
    d->tongue->ask(d);
}

static void take_match(struct dialect *d, const struct message *message) {
    struct value name = message_value(message, FIELD_VARIANT);
    const struct variant *variant = variant_find(name.text, name.length);
    const char *opponent = message_text(message, FIELD_OPPONENT);
    char why[160];
    d->table = (uint64_t)message_int(message, FIELD_TABLE, 0);
    if (variant == NULL) {
        dialect_decline(d, "an unknown variant");
        return;
    }
    rules_init(&d->rules, variant);
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        struct value value = message_option(message, option);
        if (value.text != NULL) {
            rules_set(&d->rules, option_row(option)->name, value.text, why);
        }
    }
    d->rules.value[OPTION_PLAY_CHECK] = PLAY_CHECK_FINAL;
    text_copy(d->opponent, sizeof d->opponent, opponent, strlen(opponent));
    d->tongue->match(d);
}

static void drop_question(struct dialect *d) {
    if (d->question.asked != ASKED_NOTHING) {
        d->tongue->drop(d);
        d->question.asked = ASKED_NOTHING;
    }
}

/* A refused answer that leaves the request open is given again, until it counts. */
static void take_error(struct dialect *d, const struct message *message) {
    const char *code = message_text(message, FIELD_CODE);
    bool stands = strcmp(code, "ambiguous") == 0 || strcmp(code, "not-allowed") == 0;
    if (stands && (uint64_t)message_int(message, FIELD_SERIAL, 0) == d->question.serial) {
        bytes_add_text(&d->inward, d->answer);
        bytes_add(&d->inward, "\n", 1);
    }
}

static void take_ping(struct dialect *d, const struct message *message) {
    struct message pong;
    message_init(&pong, MESSAGE_PONG);
    if (message_has(message, FIELD_ID)) {
        message_set(&pong, FIELD_ID, message_text(message, FIELD_ID));
    }
    dialect_tell_referee(d, &pong);
}

static void take_bye(struct dialect *d) {
    if (!d->closed) {
        d->closed = true;
        d->tongue->close(d);
    }
}

static void take_message(struct dialect *d, const struct message *message) {
    switch ((int)message->kind) {
    case MESSAGE_MATCH:
        take_match(d, message);
        break;
    case MESSAGE_GAME:
        d->tongue->game(d);
        break;
    case MESSAGE_TURN:
    case MESSAGE_CUBE:
    case MESSAGE_OFFER:
        take_request(d, message);
        break;
    case MESSAGE_RESULT:
    case MESSAGE_END:
        drop_question(d);
        break;
    case MESSAGE_ERROR:
        take_error(d, message);
        break;
    case MESSAGE_PING:
        take_ping(d, message);
        break;
    case MESSAGE_BYE:
    case MESSAGE_REFUSED:
        take_bye(d);
        break;
    }
}

void dialect_open(struct dialect *d) {
    d->options[0] = '\0';
    d->tongue->open(d);
}

void dialect_tell(struct dialect *d, const char *data, size_t length) {
    struct frame frame;
    bytes_add(&d->told, data, length);
    while (frame_cut(d->told.data, d->told.length, TOLD_MAX, &frame) == FRAME_LINE) {
        struct message message;
        char why[160];
        if (spelling_decode(SPELLING_TEXT, frame.line, frame.length, SENT_BY_REFEREE, &message,
                            why) == DECODED_MESSAGE) {
            take_message(d, &message);
        }
        bytes_drop(&d->told, frame.consumed);
    }
}

/* One line of the peer's: some end with a NUL, or begin with one. */
static void hear_line(struct dialect *d, const char *line, size_t length) {
    char text[DIALECT_PEER_LINE];
    size_t to = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] != '\0') {
            text[to++] = line[i] == '\t' ? ' ' : line[i];
        }
    }
    while (to > 0 && (text[to - 1] == ' ' || text[to - 1] == '\r')) {
        to--;
    }
    text[to] = '\0';
    size_t from = strspn(text, " ");
    if (++d->idle > IDLE_MAX) {
        dialect_fail(d, "it says line upon line and answers nothing");
        return;
    }
    d->tongue->hear(d, text + from, to - from);
}

void dialect_hear(struct dialect *d, const char *data, size_t length) {
    while (length > 0 && d->wrong[0] == '\0' && !d->closed) {
        const char *end = memchr(data, '\n', length);
        size_t part = end != NULL ? (size_t)(end - data) : length;
        if (!bytes_add(&d->heard, data, part)) {
            dialect_fail(d, "it says a line of more than %d bytes", DIALECT_PEER_LINE - 1);
            return;
        }
        if (end == NULL) {
            return;
        }
        struct bytes line = d->heard;
        bytes_init(&d->heard, DIALECT_PEER_LINE - 1);
        hear_line(d, line.length > 0 ? line.data : "", line.length);
        bytes_clear(&line);
        data = end + 1;
        length -= part + 1;
    }
}
