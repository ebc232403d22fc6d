/* A bot as the command line names it. */
#include "arena/bot_file.h"

#include "base/alloc.h"
#include "base/lang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES_USUAL = 2, PLIES_MOST = 4 };

/* "gnubg", "gnubg:0ply": the plies, -1 when it is neither. */
static int read_plies(const char *spec) {
    static const char word[] = "gnubg", unit[] = "ply";
    size_t length = sizeof word - 1;
    if (strncmp(spec, word, length) != 0) {
        return -1;
    }
    if (spec[length] == '\0') {
        return PLIES_USUAL;
    }
    int plies = spec[length + 1] - '0';
    bool good = spec[length] == ':' && plies >= 0 && plies <= PLIES_MOST &&
                strcmp(spec + length + 2, unit) == 0;
    return good ? plies : -1;
}

/* The name, or the usual one with a number where another bot has it; the caller frees. */
static char *choose_name(const struct event *event, const char *name, const char *usual) {
    char *out = alloc_text(name != NULL ? name : usual, strlen(name != NULL ? name : usual));
    for (int number = 2; name == NULL && event_find_entrant(event, out) >= 0; number++) {
        free(out);
        out = alloc_print("%s-%d", usual, number);
    }
    return out;
}

/* Levels of the bundled bots that have some, and what each is started as. */
static const struct level {
    const char *word, *command, *name;
} levels[] = {{"usta:0ply", "usta", "usta"}, {"usta:2ply", "usta --two-ply", "usta-2ply"}};

int bot_add_command(struct event *event, const char *name, const char *command,
                    struct fail *fail) {
    if (strncmp(command, "usta:", 5) != 0) {
        return event_add_entrant(event, name, command, fail);
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(command, levels[i].word) == 0) {
            char *own = choose_name(event, name, levels[i].name);
            int status = event_add_entrant(event, own, levels[i].command, fail);
            free(own);
            return status;
        }
    }
    return fail_set(fail, EXIT_CODE_USAGE, _("\"%.40s\": the bundled usta is usta, or usta:2ply"),
                    command);
}

static int add_gnubg(struct event *event, const char *name, int plies, struct fail *fail) {
    char usual[NAME_MAX_BYTES], number[8];
    snprintf(usual, sizeof usual, "gnubg-%dply", plies);
    snprintf(number, sizeof number, "%d", plies);
    char *own = choose_name(event, name, usual);
    int status = event_add_entrant(event, own, "gnubg", fail);
    free(own);
    if (status != 0) {
        return -1;
    }
    struct entrant *entrant = &event->entrants[event->entrant_count - 1];
    entrant->dialect.protocol = PROTOCOL_GNUBG;
    return entrant_add_option(entrant, "plies", number, fail);
}

static int add_spec(struct event *event, const char *name, const char *spec, struct fail *fail) {
    static const char ubgi[] = "ubgi:";
    int plies = read_plies(spec);
    if (plies >= 0) {
        return add_gnubg(event, name, plies, fail);
    }
    if (strncmp(spec, "gnubg:", 6) == 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("\"%.40s\": GNU Backgammon is gnubg, or "
                                                 "gnubg:0ply to gnubg:4ply"), spec);
    }
    bool speaks = strncmp(spec, ubgi, sizeof ubgi - 1) == 0;
    if (!speaks) {
        return bot_add_command(event, name, spec, fail);
    }
    if (event_add_entrant(event, name, spec + sizeof ubgi - 1, fail) != 0) {
        return -1;
    }
    event->entrants[event->entrant_count - 1].dialect.protocol = PROTOCOL_UBGI;
    return 0;
}

int event_add_bot(struct event *event, const char *spec, struct fail *fail) {
    const char *equals = strchr(spec, '=');
    /* A blank, a slash, a quote or a colon before the '=' belongs to a command. */
    if (equals == NULL || strcspn(spec, " \t/\"'\\:") < (size_t)(equals - spec)) {
        return add_spec(event, NULL, spec, fail);
    }
    char *name = alloc_text(spec, (size_t)(equals - spec));
    int status = add_spec(event, name, equals + 1, fail);
    free(name);
    return status;
}
