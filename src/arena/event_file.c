#include "arena/event.h"

#include "arena/bot_file.h"
#include "arena/doc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lang.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { EVENT_FILE_MAX = 8 << 20 };

struct reader {
    struct doc doc;
    struct event *event;
    int where;      /* what is read: IN_EVENT or IN_ROOM */
    bool recorded;  /* "dice": "recorded" was said */
    bool manual;    /* "dice": "manual" was said */
    bool auditable; /* "dice": "auditable" was said */
    bool members;   /* of a room: "token": true was said */
};

static int read_name(struct reader *reader, const struct cJSON *value) {
    const char *text = json_text(value);
    size_t length = text != NULL ? strlen(text) : 0;
    if (length == 0 || length > EVENT_TITLE_BYTES || !text_is_utf8(text, length)) {
        return doc_refuse(&reader->doc, "name", _("\"%s\" must be a text of 1 to %d bytes"), "name",
                          EVENT_TITLE_BYTES);
    }
    memset(reader->event->name, 0, sizeof reader->event->name);
    memcpy(reader->event->name, text, length);
    return 0;
}

static int read_format(struct reader *reader, const struct cJSON *value) {
    if (doc_is(value, "room")) {
        reader->event->format = FORMAT_ROOM;
    } else if (!doc_is(value, "round-robin")) {
        return doc_refuse(&reader->doc, "format", _("\"%s\" must be \"%s\""), "format",
                          "round-robin");
    }
    return 0;
}

static int read_pairing(struct reader *reader, const struct cJSON *value) {
    const char *word = json_text(value);
    int pairing = word != NULL ? pairing_find(word) : -1;
    if (pairing < 0) {
        return doc_refuse(&reader->doc, "pairing", _("\"%s\" must be one of %s"), "pairing",
                          "mirrored, lockstep, independent");
    }
    reader->event->pairing = (enum pairing)pairing;
    return 0;
}

static int read_dice(struct reader *reader, const struct cJSON *value) {
    if (doc_is(value, "seeded")) {
        reader->event->source = DICE_SEEDED;
    } else if (doc_is(value, "auditable")) {
        reader->auditable = true;
    } else if (doc_is(value, "recorded")) {
        reader->recorded = true;
    } else if (doc_is(value, "manual")) {
        reader->manual = true;
    } else {
        return doc_refuse(&reader->doc, "dice", _("\"%s\" must be one of %s"), "dice",
                          "auditable, seeded, recorded, manual");
    }
    return 0;
}

bool event_read_contributions(const char *word, bool *asked) {
    *asked = strcmp(word, "asked") == 0;
    return *asked || strcmp(word, "none") == 0;
}

static int read_contributions(struct reader *reader, const struct cJSON *value) {
    const char *word = json_text(value);
    if (word == NULL || !event_read_contributions(word, &reader->event->contributions)) {
        return doc_refuse(&reader->doc, "contributions", _("\"%s\" must be \"%s\" or \"%s\""),
                          "contributions", "none", "asked");
    }
    return 0;
}

bool event_read_luck(const char *word, bool *luck) {
    *luck = strcmp(word, "on") == 0;
    return *luck || strcmp(word, "off") == 0;
}

static int read_luck(struct reader *reader, const struct cJSON *value) {
    const char *word = json_text(value);
    if (word == NULL || !event_read_luck(word, &reader->event->luck)) {
        return doc_refuse(&reader->doc, "luck", _("\"%s\" must be \"%s\" or \"%s\""), "luck", "on",
                          "off");
    }
    return 0;
}

bool event_read_stop(const char *word, bool *stops) {
    *stops = strcmp(word, "decided") == 0;
    return *stops || strcmp(word, "never") == 0;
}

static int read_stop(struct reader *reader, const struct cJSON *value) {
    const char *word = json_text(value);
    if (word == NULL || !event_read_stop(word, &reader->event->stops)) {
        return doc_refuse(&reader->doc, "stop", _("\"%s\" must be \"%s\" or \"%s\""), "stop",
                          "decided", "never");
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
        return doc_refuse(&reader->doc, "seed",
                          _("\"%s\" must be a text of 1 to %d bytes or a whole number"), "seed",
                          (int)sizeof event->seed - 1);
    }
    event->source = DICE_SEEDED;
    return 0;
}

/* A file of throws: recorded dice, whatever else is said. */
static int read_throws(struct reader *reader, const struct cJSON *value) {
    const char *path = json_text(value);
    if (path == NULL || path[0] == '\0') {
        return doc_refuse(&reader->doc, "throws", _("\"%s\" must be the name of a file"),
                          "throws");
    }
    reader->recorded = true;
    return event_set_throws(reader->event, path, reader->doc.fail) == 0
               ? 0
               : doc_wrap(&reader->doc, "throws");
}

static int read_files(struct reader *reader, const struct cJSON *value) {
    const char *word = json_text(value);
    if (word != NULL && event_read_files(word, &reader->event->files)) {
        return 0;
    }
    return doc_refuse(&reader->doc, "files",
                      _("\"%s\" must be \"none\" or a list of hkm, mat, sgf, json, txt"), "files");
}

static int read_pairs(struct reader *reader, const struct cJSON *value) {
    return doc_int(&reader->doc, value, 1, EVENT_PAIRS_MAX, &reader->event->pairs);
}

static int read_concurrency(struct reader *reader, const struct cJSON *value) {
    return doc_int(&reader->doc, value, 1, EVENT_CONCURRENCY_MAX, &reader->event->concurrency);
}

static int read_restarts(struct reader *reader, const struct cJSON *value) {
    return doc_int(&reader->doc, value, 0, EVENT_RESTARTS_MAX, &reader->event->restarts);
}

static int read_wait(struct reader *reader, const struct cJSON *value) {
    return doc_time(&reader->doc, value, &reader->event->wait);
}

static int read_members(struct reader *reader, const struct cJSON *value) {
    return doc_bool(&reader->doc, value, &reader->members);
}

/* A time of the clock; which one, its key says. */
static int read_time(struct reader *reader, const struct cJSON *value) {
    enum clock_time which = (enum clock_time)clock_time_find(json_key(value));
    int64_t *time = &reader->event->wish.time[which];
    if (doc_time(&reader->doc, value, time) != 0) {
        return -1;
    }
    return *time <= clock_time_max(which)
               ? 0
               : doc_refuse(&reader->doc, json_key(value), _("\"%s\" must be at most a minute"),
                            json_key(value));
}

static int read_clock(struct reader *reader, const struct cJSON *value) {
    const char *word = json_text(value);
    if (word == NULL || !clock_read_kind(word, &reader->event->wish.wall)) {
        return doc_refuse(&reader->doc, "clock", _("\"%s\" must be \"%s\" or \"%s\""), "clock",
                          "shared", "wall");
    }
    return 0;
}

static int read_bots(struct reader *reader, const struct cJSON *value) {
    if (!json_is_array(value)) {
        return doc_refuse(&reader->doc, "bots", _("\"%s\" must be a list of bots in [ ]"), "bots");
    }
    event_clear(reader->event);
    struct place top = reader->doc.at;
    int status = 0;
    reader->doc.at = (struct place){.key = "bots", .item = 0};
    for (const struct cJSON *bot = json_first(value); bot != NULL && status == 0;
         bot = json_next(bot)) {
        status = bot_read(&reader->doc, reader->event, bot);
        reader->doc.at.item++;
    }
    reader->doc.at = top;
    return status;
}

/* "variant" is read before everything else, because the options depend on it. */
static int read_variant(struct reader *reader, const struct cJSON *value) {
    const char *text = json_text(value);
    const struct variant *variant = text != NULL ? variant_find(text, strlen(text)) : NULL;
    if (variant == NULL) {
        char names[VARIANT_NAMES_MAX];
        variant_write_names(names);
        return doc_refuse(&reader->doc, "variant", _("\"%s\" must be one of %s"), "variant", names);
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
        return doc_refuse(&reader->doc, key,
                          _("\"%s\" must be a word, a whole number, true or false"), key);
    }
    if (rules_set(&reader->event->rules, key, text, why) != 0) {
        return doc_refuse(&reader->doc, key, "%s", why);
    }
    return 0;
}

/* Where a field may stand. */
enum { IN_EVENT = 1, IN_ROOM = 2, IN_BOTH = IN_EVENT | IN_ROOM };

static const struct field_reader {
    const char *name;
    int where;
    int (*read)(struct reader *reader, const struct cJSON *value);
} fields[] = {
    {"name", IN_BOTH, read_name},
    {"format", IN_EVENT, read_format},
    {"pairs", IN_EVENT, read_pairs},
    {"pairing", IN_EVENT, read_pairing},
    {"dice", IN_BOTH, read_dice},
    {"contributions", IN_BOTH, read_contributions},
    {"seed", IN_BOTH, read_seed},
    {"throws", IN_EVENT, read_throws},
    {"clock", IN_BOTH, read_clock},
    {"move_time", IN_BOTH, read_time},
    {"reserve", IN_BOTH, read_time},
    {"reserve_per_point", IN_BOTH, read_time},
    {"increment", IN_BOTH, read_time},
    {"delay", IN_BOTH, read_time},
    {"margin", IN_BOTH, read_time},
    {"concurrency", IN_BOTH, read_concurrency},
    {"files", IN_BOTH, read_files},
    {"luck", IN_BOTH, read_luck},
    {"stop", IN_EVENT, read_stop},
    {"restarts", IN_EVENT, read_restarts},
    {"wait", IN_EVENT, read_wait},
    {"bots", IN_EVENT, read_bots},
    {"token", IN_ROOM, read_members},
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
        if ((fields[i].where & reader->where) == 0) {
            continue;
        }
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
    return doc_refuse_unknown(&reader->doc, key, known, count,
                              reader->where == IN_ROOM ? "serve" : "run");
}

/* The fields of an event or a room, and what they say together. */
static int read_fields(struct reader *reader, const struct cJSON *root) {
    const struct cJSON *variant = json_member(root, "variant");
    if (variant != NULL && read_variant(reader, variant) != 0) {
        return -1;
    }
    for (const struct cJSON *value = json_first(root); value != NULL; value = json_next(value)) {
        if (read_field(reader, value) != 0) {
            return -1;
        }
    }
    if (reader->event->entrant_count < 2 && reader->event->format != FORMAT_ROOM) {
        return doc_refuse(&reader->doc, "bots", _("an event needs at least two bots"));
    }
    if (reader->recorded) {
        reader->event->source = DICE_RECORDED;
    }
    if (reader->manual && reader->event->source != DICE_AUDITABLE) {
        return doc_refuse(&reader->doc, "dice", _("manual dice have no seed"));
    }
    if (reader->manual) {
        reader->event->source = DICE_MANUAL;
    }
    if (reader->auditable && reader->event->source != DICE_AUDITABLE) {
        return doc_refuse(&reader->doc, "seed",
                          _("a seed goes with seeded dice, not with auditable ones"));
    }
    if (reader->event->source == DICE_SEEDED && reader->event->seed[0] == '\0') {
        return doc_refuse(&reader->doc, "dice", _("seeded dice need a seed"));
    }
    struct event *event = reader->event;
    if (event->throws.count > 0) { /* a seed beside it says nothing */
        throws_seed(&event->throws, event->seed);
    }
    return clock_wish_settle(&event->wish, event->rules.value[OPTION_MATCH], &event->clock,
                             reader->doc.fail) == 0
               ? 0
               : doc_wrap(&reader->doc, NULL);
}

int event_parse(struct event *event, const char *path, const char *text, size_t length,
                struct fail *fail) {
    struct reader reader = {.event = event,
                            .where = IN_EVENT,
                            .doc = {.path = path, .text = text, .length = length, .fail = fail}};
    struct cJSON *root = json_parse(text, length, &json_limits_file, fail);
    if (root == NULL) {
        return fail_wrap(fail, "%s", path);
    }
    int status = json_is_object(root)
                     ? read_fields(&reader, root)
                     : doc_refuse(&reader.doc, NULL, _("an event is one JSON object in { }"));
    json_free(root);
    return status;
}

int event_read_room(struct event *event, const struct doc *doc, const struct cJSON *room,
                    bool *members) {
    struct reader reader = {.event = event, .where = IN_ROOM, .doc = *doc};
    event_init_room(event);
    event->name[0] = '\0';
    if (!json_is_object(room)) {
        return doc_refuse(doc, NULL,
                          _("a room is an object such as {\"name\": \"a\", \"variant\": "
                            "\"tavla\"}"));
    }
    if (read_fields(&reader, room) != 0) {
        return -1;
    }
    *members = reader.members;
    if (!text_is_name(event->name, strlen(event->name))) {
        return doc_refuse(doc, NULL,
                          _("a room needs a \"name\" of at most %d letters, digits, "
                            ". _ -"),
                          NAME_MAX_BYTES);
    }
    return event_seal(event, doc->fail) == 0 ? 0 : doc_wrap(doc, NULL);
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
