#include "arena/bot_file.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/lang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one bot's object says. */
struct bot {
    const char *name, *command, *address;
    bool dials_in, has_token;
    struct hash token;
    int processes; /* 0: not said */
    int ways;      /* how many of command, address and token it has */
    enum protocol protocol;
    const struct cJSON *options; /* NULL: none */
    bool lenient, no_double;
    int take_point; /* -1: not said */
    const struct cJSON *weights; /* NULL: none */
};

struct bot_field {
    const char *name;
    int (*read)(const struct doc *doc, const struct cJSON *field, struct bot *bot);
};

static int read_name(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    bot->name = doc_text(doc, field);
    return bot->name != NULL ? 0 : -1;
}

static int read_command(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    bot->command = doc_text(doc, field);
    bot->ways++;
    return bot->command != NULL ? 0 : -1;
}

static int read_address(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    bot->address = doc_text(doc, field);
    bot->ways++;
    return bot->address != NULL ? 0 : -1;
}

static int read_token(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    const char *text = json_text(field);
    bot->ways++;
    bot->has_token = text != NULL && hash_read(text, &bot->token);
    if (!bot->has_token && (!json_boolean(field, &bot->dials_in) || !bot->dials_in)) {
        return doc_refuse(doc, "token",
                          _("\"token\" must be the \"sha256:...\" that hakem token "
                            "prints (never the token itself), or true where a "
                            "daemon knows it"));
    }
    bot->dials_in = true;
    return 0;
}

static int read_processes(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    return doc_int(doc, field, 1, EVENT_PROCESSES_MAX, &bot->processes);
}

static int read_protocol(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    const char *word = json_text(field);
    int protocol = word != NULL ? protocol_find(word) : -1;
    if (protocol < 0) {
        return doc_refuse(doc, "protocol", _("\"%s\" must be one of %s"), "protocol",
                          "hakem, ubgi, gnubg");
    }
    bot->protocol = (enum protocol)protocol;
    return 0;
}

static int read_options(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    bot->options = field;
    return json_is_object(field)
               ? 0
               : doc_refuse(doc, "options", _("\"options\" is an object such as {\"plies\": 2}"));
}

static int read_lenient(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    return doc_bool(doc, field, &bot->lenient);
}

static int read_cube(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    bot->no_double = doc_is(field, "never");
    return bot->no_double || doc_is(field, "ask")
               ? 0
               : doc_refuse(doc, "cube", _("\"%s\" must be \"%s\" or \"%s\""), "cube", "ask",
                            "never");
}

static int read_take_point(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    return doc_int(doc, field, 0, 100, &bot->take_point);
}

static int read_weights(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    int count = 0;
    bool good = json_is_array(field);
    for (const struct cJSON *file = good ? json_first(field) : NULL; file != NULL;
         file = json_next(file)) {
        good = good && json_text(file) != NULL && ++count <= ENTRANT_WEIGHTS_MAX;
    }
    bot->weights = field;
    return good ? 0
                : doc_refuse(doc, "weights", _("\"weights\" is a list of at most %d files"),
                             ENTRANT_WEIGHTS_MAX);
}

static const struct bot_field fields[] = {
    {"name", read_name},         {"command", read_command},     {"address", read_address},
    {"token", read_token},       {"processes", read_processes}, {"protocol", read_protocol},
    {"options", read_options},   {"lenient", read_lenient},     {"cube", read_cube},
    {"take_point", read_take_point}, {"weights", read_weights}};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static int read_field(const struct doc *doc, const struct cJSON *field, struct bot *bot) {
    const char *known[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
        if (strcmp(json_key(field), fields[i].name) == 0) {
            return fields[i].read(doc, field, bot);
        }
        known[i] = fields[i].name;
    }
    return doc_refuse_unknown(doc, json_key(field), known, FIELDS, "run");
}

/* Whether what was said goes together. */
static int check(const struct doc *doc, const struct bot *bot) {
    bool dialect = bot->protocol != PROTOCOL_HAKEM;
    if (bot->ways != 1) {
        return doc_refuse(doc, NULL,
                          _("a bot needs a \"command\" (it is started here), an \"address\" (it is "
                            "dialled) or a \"token\" (it dials in), one of them"));
    }
    if (bot->command == NULL && bot->processes > 0) {
        return doc_refuse(doc, "processes", _("\"processes\" goes with a \"command\""));
    }
    if (bot->command == NULL && bot->name == NULL) {
        return doc_refuse(doc, NULL, _("a bot without a \"command\" needs a \"name\""));
    }
    if (dialect && (bot->has_token || bot->dials_in)) {
        return doc_refuse(doc, "token", _("a bot with a \"protocol\" has no token: it is started "
                                          "here, or dialled"));
    }
    if (!dialect && (bot->options != NULL || bot->lenient || bot->no_double ||
                     bot->take_point >= 0)) {
        return doc_refuse(doc, NULL, _("\"options\", \"lenient\", \"cube\" and \"take_point\" go "
                                       "with a \"protocol\""));
    }
    if (bot->protocol == PROTOCOL_GNUBG && bot->options != NULL && bot->address != NULL) {
        return doc_refuse(doc, "options",
                          _("a GNU Backgammon that listens is set where it was started: "
                            "\"options\" need one that is started here"));
    }
    return 0;
}

int gnubg_check_option(const char *name, const char *value, struct fail *fail) {
    char *end;
    if (strcmp(name, "plies") == 0) {
        int64_t plies;
        return text_i64(value, strlen(value), 0, 4, &plies)
                   ? 0
                   : fail_set(fail, EXIT_CODE_USAGE, _("\"%s\" must be a whole number from %d to "
                                                       "%d"), name, 0, 4);
    }
    if (strcmp(name, "noise") == 0) {
        double noise = strtod(value, &end);
        return *end == '\0' && value[0] != '\0' && noise >= 0 && noise <= 1
                   ? 0
                   : fail_set(fail, EXIT_CODE_USAGE, _("\"%s\" must be a number from 0 to 1"),
                              name);
    }
    if (strcmp(name, "cubeful") == 0) {
        return strcmp(value, "true") == 0 || strcmp(value, "false") == 0
                   ? 0
                   : fail_set(fail, EXIT_CODE_USAGE, _("\"%s\" must be true or false"), name);
    }
    return fail_set(fail, EXIT_CODE_USAGE, _("GNU Backgammon has the options %s, not \"%.40s\""),
                    "plies, noise, cubeful", name);
}

/* One option: a text, a number or a truth value. */
static int add_option(const struct doc *doc, struct entrant *entrant, const struct cJSON *field) {
    const char *name = json_key(field);
    const char *text = json_text(field);
    char number[32];
    bool truth;
    double value;
    if (text == NULL && json_boolean(field, &truth)) {
        text = truth ? "true" : "false";
    } else if (text == NULL && json_number(field, &value)) {
        snprintf(number, sizeof number, "%.10g", value);
        text = number;
    }
    if (text == NULL) {
        return doc_refuse(doc, "options", _("an option is a text, a number, true or false"));
    }
    if (entrant->dialect.protocol == PROTOCOL_GNUBG &&
        gnubg_check_option(name, text, doc->fail) != 0) {
        return doc_wrap(doc, "options");
    }
    return entrant_add_option(entrant, name, text, doc->fail) == 0 ? 0 : doc_wrap(doc, "options");
}

/* What it speaks, and how it is set. */
static int set_dialect(const struct doc *doc, struct entrant *entrant, const struct bot *bot) {
    struct dialect_rule *rule = &entrant->dialect;
    rule->protocol = bot->protocol;
    rule->lenient = bot->lenient;
    rule->no_double = bot->no_double;
    rule->take_point = bot->take_point >= 0 ? bot->take_point : TAKE_POINT_USUAL;
    const struct cJSON *field = bot->options != NULL ? json_first(bot->options) : NULL;
    for (; field != NULL; field = json_next(field)) {
        if (add_option(doc, entrant, field) != 0) {
            return -1;
        }
    }
    return 0;
}

int bot_read(const struct doc *doc, struct event *event, const struct cJSON *value) {
    struct bot bot = {.take_point = -1};
    if (!json_is_object(value)) {
        return doc_refuse(doc, NULL,
                          _("a bot is an object such as {\"name\": \"a\", \"command\": \"./a\"}"));
    }
    for (const struct cJSON *field = json_first(value); field != NULL; field = json_next(field)) {
        if (read_field(doc, field, &bot) != 0) {
            return -1;
        }
    }
    if (bot.protocol == PROTOCOL_GNUBG && bot.ways == 0) {
        bot.command = "gnubg";
        bot.ways++;
    }
    if (check(doc, &bot) != 0) {
        return -1;
    }
    int status = bot.command != NULL
                     ? bot_add_command(event, bot.name, bot.command, doc->fail)
                     : event_add_remote(event, bot.name, bot.address,
                                        bot.has_token ? &bot.token : NULL, doc->fail);
    if (status != 0) {
        return doc_wrap(doc, NULL);
    }
    struct entrant *entrant = &event->entrants[event->entrant_count - 1];
    entrant->processes = bot.processes;
    const struct cJSON *file = bot.weights != NULL ? json_first(bot.weights) : NULL;
    for (; file != NULL; file = json_next(file)) {
        entrant->weight[entrant->weights++] =
            alloc_text(json_text(file), strlen(json_text(file)));
    }
    return set_dialect(doc, entrant, &bot);
}
