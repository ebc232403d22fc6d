#include "arena/event.h"

#include "base/json.h"

#include <string.h>

/* Numbers and truth values stand bare, as the event file has them. */
static void add_options(const struct rules *rules, struct bytes *out) {
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        const struct option_row *row = option_row(option);
        if (!rules_states(rules, option)) {
            continue;
        }
        char value[16];
        option_write(option, rules->value[option], value);
        bool bare =
            row->words[0] == NULL || strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
        if (bare) {
            bytes_print(out, ",\"%s\":%s", row->name, value);
        } else {
            json_add_member(out, row->name, value);
        }
    }
}

/* What a bot speaks, as the event file has it. */
static void add_dialect(const struct dialect_rule *rule, struct bytes *out) {
    if (rule->protocol == PROTOCOL_HAKEM) {
        return;
    }
    json_add_member(out, "protocol", protocol_name(rule->protocol));
    for (int i = 0; i < rule->options; i++) {
        bytes_add_text(out, i == 0 ? ",\"options\":{" : ",");
        json_add_string(out, rule->option[i].name, strlen(rule->option[i].name));
        bytes_add_text(out, ":");
        json_add_string(out, rule->option[i].value, strlen(rule->option[i].value));
        bytes_add_text(out, i + 1 == rule->options ? "}" : "");
    }
    if (rule->lenient) {
        bytes_add_text(out, ",\"lenient\":true");
    }
    if (rule->no_double) {
        json_add_member(out, "cube", "never");
    }
    if (rule->take_point != TAKE_POINT_USUAL) {
        bytes_print(out, ",\"take_point\":%d", rule->take_point);
    }
}

void event_canonical(const struct event *event, struct bytes *out) {
    bytes_add_text(out, "{\"name\":");
    json_add_string(out, event->name, strlen(event->name));
    bool room = event->format == FORMAT_ROOM;
    json_add_member(out, "format", room ? "room" : "round-robin");
    json_add_member(out, "variant", event->rules.variant->name);
    add_options(&event->rules, out);
    bytes_print(out, ",\"pairs\":%d", event->pairs);
    json_add_member(out, "pairing", pairing_name(event->pairing));
    json_add_member(out, "dice", dice_source_name(event->source));
    if (event->seed[0] != '\0') {
        json_add_member(out, "seed", event->seed);
    }
    if (event->contributions) {
        json_add_member(out, "contributions", "asked");
    }
    if (event->stops) {
        json_add_member(out, "stop", "decided");
    }
    bytes_add_text(out, ",\"bots\":[");
    for (int i = 0; !room && i < event->entrant_count; i++) {
        const struct entrant *entrant = &event->entrants[i];
        bytes_print(out, "%s{\"name\":\"%s\"", i == 0 ? "" : ",", entrant->name);
        switch (entrant->kind) {
        case ENTRANT_CHILD:
            json_add_member(out, "command", entrant->command);
            break;
        case ENTRANT_DIALS_IN:
            bytes_add_text(out, ",\"token\":true"); /* a new token makes no other event */
            break;
        case ENTRANT_DIALLED:
            json_add_member(out, "address", entrant->address);
            break;
        }
        add_dialect(&entrant->dialect, out);
        bytes_add_text(out, "}");
    }
    bytes_add_text(out, "]}");
}

enum { FILE_KINDS = 5 };

static const struct {
    const char *word;
    unsigned bit;
} file_rows[FILE_KINDS] = {{"hkm", FILES_HKM},
                           {"mat", FILES_MAT},
                           {"sgf", FILES_SGF},
                           {"json", FILES_JSON},
                           {"txt", FILES_TXT}};

void event_kept(const struct event *event, struct bytes *out) {
    event_canonical(event, out);
    if (out->full || (event->files & FILES_PRESET) != 0) {
        return;
    }
    out->length--; /* the object goes on; a longer one is sealed to the same id */
    bytes_add_text(out, ",\"files\":\"");
    const char *comma = "";
    for (size_t i = 0; i < FILE_KINDS; i++) {
        if ((event->files & file_rows[i].bit) != 0) {
            bytes_print(out, "%s%s", comma, file_rows[i].word);
            comma = ",";
        }
    }
    bytes_add_text(out, *comma == '\0' ? "none\"}" : "\"}");
}

/* The bit of a kind of file, 0 for no such word. */
static unsigned find_file(const char *word, size_t length) {
    for (size_t i = 0; i < FILE_KINDS; i++) {
        if (strlen(file_rows[i].word) == length && memcmp(word, file_rows[i].word, length) == 0) {
            return file_rows[i].bit;
        }
    }
    return 0;
}

bool event_read_files(const char *list, unsigned *files) {
    *files = 0;
    if (strcmp(list, "none") == 0) {
        return true;
    }
    for (size_t length; (length = strcspn(list, ",")) > 0; list += length + 1) {
        unsigned bit = find_file(list, length);
        *files |= bit;
        if (bit == 0 || list[length] == '\0') {
            return bit != 0;
        }
    }
    return false;
}
