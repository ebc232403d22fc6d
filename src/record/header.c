#include "record/header.h"

#include "record/fact.h"

#include <stdio.h>
#include <string.h>

enum { RECORD_VERSION = 1 };

/* Copies a field that may be absent. */
static int copy_text(const struct message *message, enum field field, char *out, size_t room,
                     char *why) {
    const char *text = message_text(message, field);
    if (strlen(text) >= room) {
        return fact_refuse(why, "%s= is longer than %zu bytes", field_row(field)->name, room - 1);
    }
    snprintf(out, room, "%s", text);
    return 0;
}

static int read_hex(const struct message *message, enum field field, void *out, size_t size,
                    char *why) {
    const char *text = message_text(message, field);
    if (!text_unhex(text, strlen(text), out, size) || !fact_is_lower(text)) {
        return fact_refuse(why, "%s= has to be %zu hex digits", field_row(field)->name, 2 * size);
    }
    return 0;
}

static int read_rules(const struct message *message, struct rules *rules, char *why) {
    const char *name = message_text(message, FIELD_VARIANT);
    const struct variant *variant = variant_find(name, strlen(name));
    if (variant == NULL) {
        return fact_refuse(why, "there is no variant \"%.32s\"", name);
    }
    rules_init(rules, variant);
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        const struct option_row *row = option_row(option);
        const char *value = message_option(message, option).text;
        bool exists = variant_has_option(variant, option);
        if (exists && value == NULL && row->later) {
            continue; /* as it was before there was the option */
        }
        if (exists && value == NULL) {
            return fact_refuse(why, "the option %s= is missing", row->name);
        }
        if (!exists && value != NULL) {
            return fact_refuse(why, "%s= is no option of %s", row->name, variant->name);
        }
        char sentence[160];
        if (exists && value != NULL && rules_set(rules, row->name, value, sentence) != 0) {
            return fact_refuse(why, "%s", sentence);
        }
        if (value != NULL && !rules_states(rules, option)) {
            return fact_refuse(why, "%s= has its default and is not written", row->name);
        }
    }
    char sentence[160];
    return rules_check(rules, sentence) == 0 ? 0 : fact_refuse(why, "%s", sentence);
}

static int read_source(const struct message *message, enum dice_source *source, char *why) {
    const char *text = message_text(message, FIELD_SOURCE);
    int found = dice_source_find(text);
    if (found < 0) {
        return fact_refuse(why,
                           "source= has to be auditable, seeded, recorded, manual or imported, not "
                           "\"%.32s\"",
                           text);
    }
    *source = (enum dice_source)found;
    return 0;
}

static int read_names(const struct message *message, struct record_header *header, char *why) {
    static const enum field names[SIDE_COUNT] = {FIELD_X, FIELD_Y};
    static const enum field versions[SIDE_COUNT] = {FIELD_X_VERSION, FIELD_Y_VERSION};
    static const enum field titles[SIDE_COUNT] = {FIELD_X_TITLE, FIELD_Y_TITLE};
    for (int side = 0; side < SIDE_COUNT; side++) {
        const char *name = message_text(message, names[side]);
        if (!text_is_name(name, strlen(name))) {
            return fact_refuse(why, "%s= is not a bot's name", field_row(names[side])->name);
        }
        snprintf(header->name[side], sizeof header->name[side], "%s", name);
        if (copy_text(message, versions[side], header->version[side], sizeof header->version[side],
                      why) != 0 ||
            copy_text(message, titles[side], header->title[side], sizeof header->title[side],
                      why) != 0) {
            return -1;
        }
    }
    return 0;
}

bool header_is_lockstep(const struct record_header *header) {
    return strcmp(header->pairing, "lockstep") == 0;
}

static int read_dice(const struct message *message, struct record_header *header, char *why) {
    if (copy_text(message, FIELD_UNIT, header->unit, sizeof header->unit, why) != 0 ||
        copy_text(message, FIELD_EVENT, header->event, sizeof header->event, why) != 0 ||
        copy_text(message, FIELD_PAIRING, header->pairing, sizeof header->pairing, why) != 0 ||
        read_source(message, &header->source, why) != 0) {
        return -1;
    }
    bool paired = strcmp(header->pairing, "mirrored") == 0 || header_is_lockstep(header);
    if (!paired && strcmp(header->pairing, "independent") != 0) {
        return fact_refuse(why,
                           "pairing= has to be mirrored, lockstep or independent, not \"%s\"",
                           header->pairing);
    }
    if (header->leg < 1 || header->leg > (paired ? 2 : 1)) {
        return fact_refuse(why, "there is no leg %d of a unit that is %s", header->leg,
                           header->pairing);
    }
    int named = header->source == DICE_RECORDED
                    ? read_hex(message, FIELD_THROWS, header->throws.byte, HASH_BYTES, why)
                    : fact_require_text(message, FIELD_THROWS, "", why);
    if (named != 0) {
        return -1;
    }
    if (header->source == DICE_IMPORTED) { /* commit= is the hash of the file, nobody signs */
        return fact_require_text(message, FIELD_MASTER, "", why) != 0 ||
                       fact_require_text(message, FIELD_KEY, "", why) != 0
                   ? -1
                   : read_hex(message, FIELD_COMMIT, header->commitment.byte, HASH_BYTES, why);
    }
    if (read_hex(message, FIELD_COMMIT, header->commitment.byte, HASH_BYTES, why) != 0 ||
        read_hex(message, FIELD_MASTER, header->master.byte, HASH_BYTES, why) != 0 ||
        read_hex(message, FIELD_KEY, header->key, sizeof header->key, why) != 0) {
        return -1;
    }
    return 0;
}

/* Whether each word is a SHA-256 in 64 small hex digits, a colon and a path. */
static bool are_files(const char *list) {
    while (*list != '\0') {
        size_t digits = strspn(list, "0123456789abcdef"), length = strcspn(list, ",");
        if (digits != HASH_HEX - 1 || list[digits] != ':' || length <= digits + 1) {
            return false;
        }
        list += length + (list[length] == ',');
    }
    return true;
}

/* Who plays, by its programs: shown, and proving nothing. */
static int read_programs(const struct message *message, char *why) {
    static const struct {
        enum field field;
        size_t room;
    } rows[] = {{FIELD_X_COMMAND, HEADER_COMMAND_MAX}, {FIELD_Y_COMMAND, HEADER_COMMAND_MAX},
                {FIELD_X_FILES, HEADER_FILES_MAX},     {FIELD_Y_FILES, HEADER_FILES_MAX},
                {FIELD_X_SETTINGS, HEADER_SETTINGS_MAX}, {FIELD_Y_SETTINGS, HEADER_SETTINGS_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = message_text(message, rows[i].field);
        if (strlen(text) >= rows[i].room) {
            return fact_refuse(why, "%s= is longer than %zu bytes",
                               field_row(rows[i].field)->name, rows[i].room - 1);
        }
        bool files = rows[i].field == FIELD_X_FILES || rows[i].field == FIELD_Y_FILES;
        if (files && !are_files(text)) {
            return fact_refuse(why, "%s= has to be words of 64 hex digits, a colon and a path",
                               field_row(rows[i].field)->name);
        }
    }
    return 0;
}

/* `reserve=600000,600000`: both sides get the same. */
static int read_reserve(const struct message *message, int64_t *reserve, char *why) {
    const char *text = message_text(message, FIELD_RESERVE);
    size_t length = strcspn(text, ",");
    *reserve = 0;
    if (!message_has(message, FIELD_RESERVE)) {
        return 0;
    }
    if (!text_i64(text, length, 0, RECORD_TIME_MAX, reserve) || text[length] != ',' ||
        strlen(text) != 2 * length + 1 || memcmp(text, text + length + 1, length) != 0) {
        return fact_refuse(why, "reserve= has to be a time twice, such as 600000,600000, of at "
                                "most %lld ms",
                           (long long)RECORD_TIME_MAX);
    }
    return 0;
}

static int read_clock(const struct message *message, struct record_header *header, char *why) {
    if (fact_read_time(message, FIELD_MOVE_TIME, 0, &header->move_time, why) != 0 ||
        fact_read_time(message, FIELD_INCREMENT, 0, &header->increment, why) != 0 ||
        fact_read_time(message, FIELD_DELAY, 0, &header->delay, why) != 0 ||
        fact_read_time(message, FIELD_MARGIN, RECORD_MARGIN_MAX, &header->margin, why) != 0) {
        return -1;
    }
    header->wall = message_has(message, FIELD_CLOCK);
    if (header->wall && fact_require_text(message, FIELD_CLOCK, "wall", why) != 0) {
        return -1;
    }
    if (header->margin > RECORD_MARGIN_MAX) {
        return fact_refuse(why, "margin= is more than a minute");
    }
    return read_reserve(message, &header->reserve, why);
}

int header_read(const struct message *message, struct record_header *header,
                char why[RECORD_WHY_MAX]) {
    int64_t version = message_int(message, FIELD_HAKEM, 0);
    if (version != RECORD_VERSION) {
        return fact_refuse(why, "this is version %lld of the record, and only version %d is known",
                           (long long)version, (int)RECORD_VERSION);
    }
    int64_t leg = message_int(message, FIELD_TABLE, 0);
    *header = (struct record_header){
        .leg = leg >= 1 && leg <= 2 ? (int)leg : 0,
    };
    if (read_clock(message, header, why) != 0 || read_rules(message, &header->rules, why) != 0 || 
        read_names(message, header, why) != 0 || read_programs(message, why) != 0 ||
        read_dice(message, header, why) != 0) {
        return -1;
    }
    if (copy_text(message, FIELD_SERVER, header->server, sizeof header->server, why) != 0 ||
        copy_text(message, FIELD_DATE, header->date, sizeof header->date, why) != 0) {
        return -1;
    }
    return 0;
}
