#include "cli/serve_config.h"

#include "arena/doc.h"
#include "base/address.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lang.h"

#include <stdlib.h>
#include <string.h>

enum { CONFIG_FILE_MAX = 1 << 20, CONFIG_STOP_TIME = 60000 /* ms */ };

void serve_config_init(struct serve_config *config) {
    *config = (struct serve_config){.log = LOG_LEVEL_WARN,
                                    .sessions = REFEREE_SESSIONS_MAX,
                                    .events = 16,
                                    .stop_time = CONFIG_STOP_TIME};
}

void serve_config_clear(struct serve_config *config) {
    for (int i = 0; i < config->room_count; i++) {
        event_clear(&config->rooms[i].event);
    }
    free(config->rooms);
    free(config->path);
    free(config->listen);
    free(config->store);
    free(config->tokens);
    serve_config_init(config);
}

struct reader {
    struct doc doc;
    struct serve_config *config;
};

static int keep_text(struct reader *reader, const struct cJSON *value, char **out) {
    const char *text = doc_text(&reader->doc, value);
    if (text == NULL) {
        return -1;
    }
    if (text[0] == '\0') {
        return doc_refuse(&reader->doc, json_key(value), _("\"%s\" must not be empty"),
                          json_key(value));
    }
    free(*out);
    *out = alloc_text(text, strlen(text));
    return 0;
}

static int read_listen(struct reader *reader, const struct cJSON *value) {
    struct address address;
    if (keep_text(reader, value, &reader->config->listen) != 0) {
        return -1;
    }
    if (!address_read(reader->config->listen, &address)) {
        return doc_refuse(&reader->doc, "listen",
                          _("\"listen\" must be HOST:PORT, HOST being an IP address or localhost"));
    }
    return 0;
}

static int read_plaintext(struct reader *reader, const struct cJSON *value) {
    return doc_bool(&reader->doc, value, &reader->config->plaintext);
}

static int read_store(struct reader *reader, const struct cJSON *value) {
    return keep_text(reader, value, &reader->config->store);
}

static int read_tokens(struct reader *reader, const struct cJSON *value) {
    return keep_text(reader, value, &reader->config->tokens);
}

static int read_log(struct reader *reader, const struct cJSON *value) {
    const char *word = json_text(value);
    int level = word != NULL ? log_level_find(word) : -1;
    if (level < 0) {
        return doc_refuse(&reader->doc, "log", _("\"%s\" must be one of %s"), "log",
                          "error, warn, info, debug");
    }
    reader->config->log = (enum log_level)level;
    return 0;
}

static int read_sessions(struct reader *reader, const struct cJSON *value) {
    return doc_int(&reader->doc, value, CONFIG_SESSIONS_MIN, REFEREE_SESSIONS_MAX,
                   &reader->config->sessions);
}

static int read_events(struct reader *reader, const struct cJSON *value) {
    return doc_int(&reader->doc, value, 0, CONFIG_EVENTS_MAX, &reader->config->events);
}

static int read_stop_time(struct reader *reader, const struct cJSON *value) {
    return doc_time(&reader->doc, value, &reader->config->stop_time);
}

static bool name_is_taken(const struct serve_config *config, const char *name) {
    for (int i = 0; i < config->room_count; i++) {
        const char *other = config->rooms[i].event.name;
        if (text_same_name(other, name)) {
            return true;
        }
    }
    return false;
}

void serve_config_add_room(struct serve_config *config, const struct event *event, bool members) {
    config->rooms =
        alloc_resize(config->rooms, (size_t)config->room_count + 1, sizeof *config->rooms);
    config->rooms[config->room_count++] = (struct room_config){*event, members};
}

static int read_room(struct reader *reader, const struct cJSON *value) {
    const struct doc *doc = &reader->doc;
    struct event event;
    bool members = false;
    int status = event_read_room(&event, doc, value, &members);
    if (status == 0 && strncmp(event.name, "hakem.", 6) == 0) {
        status = doc_refuse(doc, "name", _("a room's name cannot begin with \"hakem.\""));
    }
    if (status == 0 && name_is_taken(reader->config, event.name)) {
        status = doc_refuse(doc, "name", _("two rooms are called \"%s\""), event.name);
    }
    if (status == 0 && reader->config->room_count >= CONFIG_ROOMS_MAX) {
        status = doc_refuse(doc, NULL, _("more than %d rooms"), CONFIG_ROOMS_MAX);
    }
    if (status != 0) {
        event_clear(&event);
        return -1;
    }
    serve_config_add_room(reader->config, &event, members);
    return 0;
}

static int read_rooms(struct reader *reader, const struct cJSON *value) {
    if (!json_is_array(value)) {
        return doc_refuse(&reader->doc, "rooms", _("\"rooms\" must be a list of rooms in [ ]"));
    }
    struct place top = reader->doc.at;
    int status = 0;
    reader->doc.at = (struct place){.key = "rooms", .item = 0};
    for (const struct cJSON *room = json_first(value); room != NULL && status == 0;
         room = json_next(room)) {
        status = read_room(reader, room);
        reader->doc.at.item++;
    }
    reader->doc.at = top;
    return status;
}

static const struct field_reader {
    const char *name;
    int (*read)(struct reader *reader, const struct cJSON *value);
} fields[] = {
    {"listen", read_listen}, {"plaintext", read_plaintext},
    {"store", read_store},   {"tokens", read_tokens},
    {"log", read_log},       {"sessions", read_sessions},
    {"events", read_events}, {"stop_time", read_stop_time},
    {"rooms", read_rooms},
};
enum { FIELD_READERS = sizeof fields / sizeof fields[0] };

static int read_field(struct reader *reader, const struct cJSON *value) {
    const char *known[FIELD_READERS];
    const char *key = json_key(value);
    for (size_t i = 0; i < FIELD_READERS; i++) {
        known[i] = fields[i].name;
        if (strcmp(key, known[i]) == 0) {
            return fields[i].read(reader, value);
        }
    }
    return doc_refuse_unknown(&reader->doc, key, known, FIELD_READERS, "serve");
}

/* Who is let in from other machines has to prove who it is. */
static int check_reach(struct reader *reader) {
    const struct serve_config *config = reader->config;
    struct address address;
    if (config->listen == NULL || !address_read(config->listen, &address) || address.loopback) {
        return 0;
    }
    if (!config->plaintext) {
        return doc_refuse(&reader->doc, "listen",
                          _("%s is not a loopback address, and the lines are not encrypted: "
                            "\"plaintext\": true allows it all the same"),
                          config->listen);
    }
    for (int i = 0; i < config->room_count; i++) {
        if (!config->rooms[i].members) {
            reader->doc.at = (struct place){.key = "rooms", .item = i};
            return doc_refuse(&reader->doc, NULL,
                              _("room \"%s\" needs \"token\": true where bots come from other "
                                "machines"),
                              config->rooms[i].event.name);
        }
    }
    return 0;
}

static int read_all(struct reader *reader, const struct cJSON *root) {
    if (!json_is_object(root)) {
        return doc_refuse(&reader->doc, NULL, _("a configuration is one JSON object in { }"));
    }
    for (const struct cJSON *value = json_first(root); value != NULL; value = json_next(value)) {
        if (read_field(reader, value) != 0) {
            return -1;
        }
    }
    if (reader->config->store == NULL) {
        return doc_refuse(&reader->doc, NULL,
                          _("\"store\" has to say the folder in which everything is kept"));
    }
    if (reader->config->listen == NULL && reader->config->room_count > 0) {
        return doc_refuse(&reader->doc, "rooms", _("a room needs a \"listen\" address"));
    }
    return check_reach(reader);
}

void serve_config_settle(struct serve_config *config) {
    if (config->tokens == NULL) {
        config->tokens = alloc_print("%s/hakem.tokens", config->store);
    }
}

int serve_config_parse(struct serve_config *config, const char *path, const char *text,
                       size_t length, struct fail *fail) {
    struct reader reader = {.doc = {.path = path, .text = text, .length = length, .fail = fail},
                            .config = config};
    struct cJSON *root = json_parse(text, length, &json_limits_file, fail);
    if (root == NULL) {
        return fail_wrap(fail, "%s", path);
    }
    int status = read_all(&reader, root);
    json_free(root);
    if (status == 0) {
        config->path = alloc_text(path, strlen(path));
        serve_config_settle(config);
    }
    return status;
}

int serve_config_read(struct serve_config *config, const char *path, struct fail *fail) {
    struct bytes text;
    bytes_init(&text, CONFIG_FILE_MAX);
    int status = file_read(path, &text, fail);
    if (status == 0) {
        status = serve_config_parse(config, path, bytes_text(&text), text.length, fail);
    }
    bytes_clear(&text);
    return status;
}
