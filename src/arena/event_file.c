#include "arena/event.h"

#include "arena/place.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lang.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { EVENT_FILE_MAX = 8 << 20, MARGIN_MAX = 60 * 1000, TIME_MAX = 86400000 };

struct reader {
    struct event *event;
    const char *path;
    const char *text;
    size_t length;
    bool auditable; /* "dice": "auditable" was said */
    struct fail *fail;
};

/* Puts file and line before the sentence that is already in `fail`. */
static int refuse_here(struct reader *reader, const struct place *place) {
    int line = place != NULL ? place_line(reader->text, reader->length, place) : 0;
    if (line > 0) {
        fail_wrap(reader->fail, _("line %d"), line);
    }
    return fail_wrap(reader->fail, "%s", reader->path);
}

__attribute__((format(printf, 3, 4))) static int refuse(struct reader *reader, const char *key,
                                                        const char *format, ...) {
    char text[sizeof reader->fail->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fail_set(reader->fail, EXIT_CODE_USAGE, "%s", text);
    struct place place = {.key = key, .item = -1};
    return refuse_here(reader, key != NULL ? &place : NULL);
}

static int read_name(struct reader *reader, const struct cJSON *value) {
    const char *text = json_text(value);
    size_t length = text != NULL ? strlen(text) : 0;
    if (length == 0 || length > EVENT_TITLE_BYTES || !text_is_utf8(text, length)) {
        return refuse(reader, "name", _("\"%s\" must be a text of 1 to %d bytes"), "name",
                      EVENT_TITLE_BYTES);
    }
    memset(reader->event->name, 0, sizeof reader->event->name);
    memcpy(reader->event->name, text, length);
    return 0;
}

static bool is_word(const struct cJSON *value, const char *word) {
    const char *text = json_text(value);
    return text != NULL && strcmp(text, word) == 0;
}

static int read_format(struct reader *reader, const struct cJSON *value) {
    if (!is_word(value, "round-robin")) {
        return refuse(reader, "format", _("\"%s\" must be \"%s\""), "format", "round-robin");
    }
    return 0;
}

static int read_pairing(struct reader *reader, const struct cJSON *value) {
    if (is_word(value, "mirrored")) {
        reader->event->pairing = PAIRING_MIRRORED;
    } else if (is_word(value, "independent")) {
        reader->event->pairing = PAIRING_INDEPENDENT;
    } else {
        return refuse(reader, "pairing", _("\"%s\" must be \"%s\" or \"%s\""), "pairing",
                      "mirrored", "independent");
    }
    return 0;
}

static int read_dice(struct reader *reader, const struct cJSON *value) {
    if (is_word(value, "seeded")) {
        reader->event->source = DICE_SEEDED;
    } else if (is_word(value, "auditable")) {
        reader->auditable = true;
    } else {
        return refuse(reader, "dice", _("\"%s\" must be \"%s\" or \"%s\""), "dice", "auditable",
                      "seeded");
    }
    return 0;
}

static int read_seed(struct reader *reader, const struct cJSON *value) {
    struct event *event = reader->event;
    const char *text = json_text(value);
    int64_t number;
    if (text != NULL && text[0] != '\0' && strlen(text) < sizeof event->seed &&
        text_is_utf8(text, strlen(text))) {
        memset(event->seed, 0, sizeof event->seed);
        memcpy(event->seed, text, strlen(text));
    } else if (json_integer(value, 0, (int64_t)1 << 53, &number)) {
        snprintf(event->seed, sizeof event->seed, "%" PRId64, number);
    } else {
        return refuse(reader, "seed", _("\"%s\" must be a text of 1 to %d bytes or a whole number"),
                      "seed", (int)sizeof event->seed - 1);
    }
    event->source = DICE_SEEDED;
    return 0;
}

static int read_files(struct reader *reader, const struct cJSON *value) {
    const char *word = json_text(value);
    if (word != NULL && event_read_files(word, &reader->event->files)) {
        return 0;
    }
    return refuse(reader, "files", _("\"%s\" must be \"hkm,mat\", \"hkm\", \"mat\" or \"none\""),
                  "files");
}

static int read_int(struct reader *reader, const struct cJSON *value, int min, int max) {
    int64_t number;
    const char *key = json_key(value);
    if (!json_integer(value, min, max, &number)) {
        refuse(reader, key, _("\"%s\" must be a whole number from %d to %d"), key, min, max);
        return -1;
    }
    return (int)number;
}

static int read_pairs(struct reader *reader, const struct cJSON *value) {
    reader->event->pairs = read_int(reader, value, 1, EVENT_PAIRS_MAX);
    return reader->event->pairs < 0 ? -1 : 0;
}

static int read_concurrency(struct reader *reader, const struct cJSON *value) {
    reader->event->concurrency = read_int(reader, value, 1, EVENT_CONCURRENCY_MAX);
    return reader->event->concurrency < 0 ? -1 : 0;
}

static int read_restarts(struct reader *reader, const struct cJSON *value) {
    reader->event->restarts = read_int(reader, value, 0, EVENT_RESTARTS_MAX);
    return reader->event->restarts < 0 ? -1 : 0;
}

static int read_time(struct reader *reader, const struct cJSON *value, int64_t *millis) {
    const char *text = json_text(value);
    const char *key = json_key(value);
    bool good = text != NULL ? text_millis(text, strlen(text), millis)
                             : json_integer(value, 0, TIME_MAX, millis);
    if (!good || *millis > TIME_MAX) {
        return refuse(reader, key,
                      _("\"%s\" must be a time such as \"5s\" or \"250ms\" (a number is "
                        "milliseconds), at most a day"),
                      key);
    }
    return 0;
}

static int read_move_time(struct reader *reader, const struct cJSON *value) {
    return read_time(reader, value, &reader->event->clock.move_time);
}

static int read_reserve(struct reader *reader, const struct cJSON *value) {
    return read_time(reader, value, &reader->event->clock.reserve);
}

static int read_increment(struct reader *reader, const struct cJSON *value) {
    return read_time(reader, value, &reader->event->clock.increment);
}

/* No more than a verifier grants an answer beyond its time (protocol/record.md). */
static int read_margin(struct reader *reader, const struct cJSON *value) {
    struct clock_rule *clock = &reader->event->clock;
    if (read_time(reader, value, &clock->margin) != 0) {
        return -1;
    }
    return clock->margin <= MARGIN_MAX
               ? 0
               : refuse(reader, json_key(value), _("\"margin\" must be at most a minute"));
}

/* The refusal of a word that is no field, with the nearest one that is. */
static int refuse_unknown(struct reader *reader, const struct place *place, const char *word,
                          const char *nearest) {
    char shown[64];
    text_escape(word, strlen(word), shown, sizeof shown);
    if (nearest != NULL) {
        fail_set(reader->fail, EXIT_CODE_USAGE, _("unknown field \"%s\": did you mean \"%s\"?"),
                 shown, nearest);
    } else {
        fail_set(reader->fail, EXIT_CODE_USAGE,
                 _("unknown field \"%s\": hakem run --help lists the fields"), shown);
    }
    return refuse_here(reader, place);
}

static int read_bot(struct reader *reader, const struct cJSON *bot, int item) {
    static const char *const known[] = {"name", "command"};
    struct place place = {.key = "bots", .item = item};
    if (!json_is_object(bot)) {
        fail_set(reader->fail, EXIT_CODE_USAGE,
                 _("a bot is an object such as {\"name\": \"a\", \"command\": \"./a\"}"));
        return refuse_here(reader, &place);
    }
    for (const struct cJSON *field = json_first(bot); field != NULL; field = json_next(field)) {
        const char *key = json_key(field);
        place.member = key;
        if (strcmp(key, known[0]) != 0 && strcmp(key, known[1]) != 0) {
            return refuse_unknown(reader, &place, key, text_nearest(key, known, 2));
        }
        if (json_text(field) == NULL) {
            fail_set(reader->fail, EXIT_CODE_USAGE, _("\"%s\" must be a text"), key);
            return refuse_here(reader, &place);
        }
    }
    place.member = NULL;
    const char *command = json_text(json_member(bot, "command"));
    if (command == NULL) {
        fail_set(reader->fail, EXIT_CODE_USAGE, _("a bot needs a \"command\""));
        return refuse_here(reader, &place);
    }
    const char *name = json_text(json_member(bot, "name"));
    if (event_add_entrant(reader->event, name, command, reader->fail) != 0) {
        return refuse_here(reader, &place);
    }
    return 0;
}

static int read_bots(struct reader *reader, const struct cJSON *value) {
    if (!json_is_array(value)) {
        return refuse(reader, "bots", _("\"%s\" must be a list of bots in [ ]"), "bots");
    }
    event_clear(reader->event);
    int item = 0;
    for (const struct cJSON *bot = json_first(value); bot != NULL; bot = json_next(bot)) {
        if (read_bot(reader, bot, item++) != 0) {
            return -1;
        }
    }
    return 0;
}

/* "variant" is read before everything else, because the options depend on it. */
static int read_variant(struct reader *reader, const struct cJSON *value) {
    const char *text = json_text(value);
    const struct variant *variant = text != NULL ? variant_find(text, strlen(text)) : NULL;
    if (variant == NULL) {
        char names[VARIANT_NAMES_MAX];
        variant_write_names(names);
        return refuse(reader, "variant", _("\"%s\" must be one of %s"), "variant", names);
    }
    rules_init(&reader->event->rules, variant);
    return 0;
}

static int read_option(struct reader *reader, const struct cJSON *value) {
    const char *key = json_key(value);
    const char *text = json_text(value);
    char number[24];
    int64_t whole;
    bool truth;
    if (json_integer(value, INT_MIN, INT_MAX, &whole)) {
        snprintf(number, sizeof number, "%" PRId64, whole);
        text = number;
    } else if (json_boolean(value, &truth)) {
        text = truth ? "true" : "false";
    }
    char why[160];
    if (text == NULL) {
        return refuse(reader, key, _("\"%s\" must be a word, a whole number, true or false"), key);
    }
    if (rules_set(&reader->event->rules, key, text, why) != 0) {
        return refuse(reader, key, "%s", why);
    }
    return 0;
}

static const struct field_reader {
    const char *name;
    int (*read)(struct reader *reader, const struct cJSON *value);
} fields[] = {
    {"name", read_name},
    {"format", read_format},
    {"pairs", read_pairs},
    {"pairing", read_pairing},
    {"dice", read_dice},
    {"seed", read_seed},
    {"move_time", read_move_time},
    {"reserve", read_reserve},
    {"increment", read_increment},
    {"margin", read_margin},
    {"concurrency", read_concurrency},
    {"files", read_files},
    {"restarts", read_restarts},
    {"bots", read_bots},
};
enum { FIELD_READERS = sizeof fields / sizeof fields[0] };

static int read_field(struct reader *reader, const struct cJSON *value) {
    const char *key = json_key(value);
    const char *known[FIELD_READERS + OPTION_COUNT + 1] = {"variant"};
    size_t count = 1;
    if (strcmp(key, "variant") == 0) {
        return 0;
    }
    for (size_t i = 0; i < FIELD_READERS; i++) {
        if (strcmp(key, fields[i].name) == 0) {
            return fields[i].read(reader, value);
        }
        known[count++] = fields[i].name;
    }
    if (option_find(key, strlen(key)) >= 0) {
        return read_option(reader, value);
    }
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        known[count++] = option_row(option)->name;
    }
    struct place place = {.key = key, .item = -1};
    return refuse_unknown(reader, &place, key, text_nearest(key, known, count));
}

static int read_event(struct reader *reader, const struct cJSON *root) {
    if (!json_is_object(root)) {
        return refuse(reader, NULL, _("an event is one JSON object in { }"));
    }
    const struct cJSON *variant = json_member(root, "variant");
    if (variant != NULL && read_variant(reader, variant) != 0) {
        return -1;
    }
    for (const struct cJSON *value = json_first(root); value != NULL; value = json_next(value)) {
        if (read_field(reader, value) != 0) {
            return -1;
        }
    }
    if (reader->event->entrant_count < 2) {
        return refuse(reader, "bots", _("an event needs at least two bots"));
    }
    if (reader->auditable && reader->event->source == DICE_SEEDED) {
        return refuse(reader, "seed", _("a seed goes with seeded dice, not with auditable ones"));
    }
    if (reader->event->source == DICE_SEEDED && reader->event->seed[0] == '\0') {
        return refuse(reader, "dice", _("seeded dice need a seed"));
    }
    return 0;
}

int event_parse(struct event *event, const char *path, const char *text, size_t length,
                struct fail *fail) {
    struct reader reader = {
        .event = event, .path = path, .text = text, .length = length, .fail = fail};
    struct cJSON *root = json_parse(text, length, &json_limits_file, fail);
    if (root == NULL) {
        return fail_wrap(fail, "%s", path);
    }
    int status = read_event(&reader, root);
    json_free(root);
    return status;
}

int event_read(struct event *event, const char *path, struct fail *fail) {
    struct bytes text;
    bytes_init(&text, EVENT_FILE_MAX);
    int status = file_read(path, &text, fail);
    if (status == 0) {
        status = event_parse(event, path, bytes_text(&text), text.length, fail);
    }
    bytes_clear(&text);
    return status;
}
