#include "arena/event.h"

#include "base/address.h"
#include "base/alloc.h"
#include "base/lang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANONICAL_MAX = 16 << 20 };

void event_init(struct event *event) {
    memset(event, 0, sizeof *event);
    strncpy(event->name, "event", sizeof event->name - 1);
    rules_init(&event->rules, variant_row(VARIANT_TAVLA));
    event->pairs = 100;
    event->pairing = PAIRING_MIRRORED;
    event->source = DICE_AUDITABLE;
    clock_wish_init(&event->wish);
    event->concurrency = 2;
    event->files = FILES_PRESET;
    event->restarts = 3;
    event->wait = 60000;
}

void event_init_room(struct event *event) {
    event_init(event);
    event->format = FORMAT_ROOM;
    event->wish.remote = true;
    event->pairing = PAIRING_INDEPENDENT;
    event->pairs = 1;
    event->concurrency = EVENT_CONCURRENCY_MAX;
}

void event_clear(struct event *event) {
    for (int i = 0; i < event->entrant_count; i++) {
        free(event->entrants[i].command);
        free(event->entrants[i].address);
        free(event->entrants[i].shown);
        free(event->entrants[i].files);
        for (int option = 0; option < event->entrants[i].dialect.options; option++) {
            free(event->entrants[i].dialect.option[option].name);
            free(event->entrants[i].dialect.option[option].value);
        }
        for (int file = 0; file < ENTRANT_WEIGHTS_MAX; free(event->entrants[i].weight[file++])) {
        }
    }
    free(event->entrants);
    free(event->drawn);
    throws_clear(&event->throws);
    event->entrants = NULL;
    event->entrant_count = 0;
    event->drawn = NULL;
    event->drawn_count = 0;
    event->drawn_space = 0;
}

/* Programs that run a bot's program rather than being it; a version may follow. */
static const char *const interpreters[] = {"python", "pypy",   "node",   "nodejs", "deno",  "bun",
                                           "ruby",   "perl",   "java",   "sh",     "bash",  "dash",
                                           "zsh",    "ksh",    "lua",    "php",    "tclsh", "julia",
                                           "guile",  "luajit", "Rscript"};

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool is_interpreter(const char *program) {
    for (size_t i = 0; i < sizeof interpreters / sizeof interpreters[0]; i++) {
        size_t length = strlen(interpreters[i]);
        if (strncmp(program, interpreters[i], length) == 0 &&
            program[length + strspn(program + length, "0123456789.-")] == '\0') {
            return true;
        }
    }
    return false;
}

/* What of a command names its bot: the program, or what an interpreter is given to run, up
 * to the last dot. Not NUL-ended: its length is given. */
static const char *default_name(char *const *words, size_t *length) {
    const char *program = base_of(words[0]);
    for (int i = 1; is_interpreter(program) && words[i] != NULL; i++) {
        const char *name = base_of(words[i]);
        const char *dot = strrchr(name, '.');
        *length = dot != NULL ? (size_t)(dot - name) : strlen(name);
        if (words[i][0] != '-' && strcmp(name, "run") != 0 && text_is_name(name, *length)) {
            return name;
        }
    }
    *length = strlen(program);
    return program;
}

int event_find_entrant(const struct event *event, const char *name) {
    for (int i = 0; i < event->entrant_count; i++) {
        const char *other = event->entrants[i].name;
        if (text_same_name(other, name)) {
            return i;
        }
    }
    return -1;
}

/* The default name of a command; NAME-2, NAME-3.. when others have it. Owned by the caller. */
static char *free_name(const struct event *event, char *const *words) {
    size_t length;
    const char *name = default_name(words, &length);
    char *out = alloc_text(name, length);
    for (int number = 2; event_find_entrant(event, out) >= 0; number++) {
        int room = NAME_MAX_BYTES - snprintf(NULL, 0, "-%d", number);
        free(out);
        out = alloc_print("%.*s-%d", (int)length < room ? (int)length : room, name, number);
    }
    return out;
}

static int check_name(const struct event *event, const char *name, struct fail *fail) {
    if (!text_is_name(name, strlen(name))) {
        char shown[80];
        text_escape(name, strlen(name), shown, sizeof shown);
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("\"%s\" cannot be a bot's name: letters, digits, . _ - (at most %d, not "
                          "a reserved word), as in NAME=COMMAND"),
                        shown, NAME_MAX_BYTES);
    }
    if (event_find_entrant(event, name) >= 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("two bots are called \"%s\": name one of them, as in NAME=COMMAND"),
                        name);
    }
    return 0;
}

/* An empty entrant of that name, NULL when the name cannot be taken. */
static struct entrant *append(struct event *event, const char *name, enum entrant_kind kind,
                              struct fail *fail) {
    if (event->entrant_count >= EVENT_ENTRANTS_MAX) {
        fail_set(fail, EXIT_CODE_USAGE, _("more than %d bots"), EVENT_ENTRANTS_MAX);
        return NULL;
    }
    if (check_name(event, name, fail) != 0) {
        return NULL;
    }
    size_t count = (size_t)event->entrant_count + 1;
    event->entrants = alloc_resize(event->entrants, count, sizeof *event->entrants);
    struct entrant *entrant = &event->entrants[event->entrant_count++];
    memset(entrant, 0, sizeof *entrant);
    memcpy(entrant->name, name, strlen(name));
    entrant->kind = kind;
    entrant->dialect.take_point = TAKE_POINT_USUAL;
    return entrant;
}

int entrant_add_option(struct entrant *entrant, const char *name, const char *value,
                       struct fail *fail) {
    struct dialect_rule *rule = &entrant->dialect;
    bool plain = name[0] != '\0' && value[0] != '\0' && strpbrk(name, " \t") == NULL &&
                 text_is_utf8(name, strlen(name)) && text_is_utf8(value, strlen(value));
    if (!plain) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("an option has a name without blanks and a value of one line"));
    }
    if (rule->options == DIALECT_OPTIONS_MAX) {
        return fail_set(fail, EXIT_CODE_USAGE, _("more than %d options"), DIALECT_OPTIONS_MAX);
    }
    struct dialect_option *option = &rule->option[rule->options++];
    option->name = alloc_text(name, strlen(name));
    option->value = alloc_text(value, strlen(value));
    return 0;
}

int event_add_remote(struct event *event, const char *name, const char *address,
                     const struct hash *token, struct fail *fail) {
    struct address checked;
    if (address != NULL && (!address_read(address, &checked) || checked.port == 0)) {
        char shown[80];
        text_escape(address, strlen(address), shown, sizeof shown);
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("\"%s\" is no address to dial: HOST:PORT, HOST being an IP address or "
                          "localhost"),
                        shown);
    }
    struct entrant *entrant =
        append(event, name, address != NULL ? ENTRANT_DIALLED : ENTRANT_DIALS_IN, fail);
    if (entrant == NULL) {
        return -1;
    }
    event->wish.remote = true;
    entrant->address = address != NULL ? alloc_text(address, strlen(address)) : NULL;
    entrant->has_token = token != NULL;
    if (token != NULL) {
        entrant->token = *token;
    }
    return 0;
}

int event_draw(struct event *event, const char *x, const char *y, struct fail *fail) {
    const char *const name[SIDE_COUNT] = {x, y};
    struct drawn drawn;
    if (event->drawn_count >= EVENT_UNITS_MAX) {
        return fail_set(fail, EXIT_CODE_USAGE, _("more than %d matches"), EVENT_UNITS_MAX);
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        drawn.player[side] = event_find_entrant(event, name[side]);
        if (drawn.player[side] < 0) {
            if (event_add_remote(event, name[side], NULL, NULL, fail) != 0) {
                return -1;
            }
            drawn.player[side] = event->entrant_count - 1;
        }
    }
    event->drawn = alloc_more(event->drawn, event->drawn_count, &event->drawn_space,
                              sizeof *event->drawn);
    event->drawn[event->drawn_count++] = drawn;
    return 0;
}

int event_add_entrant(struct event *event, const char *name, const char *command,
                      struct fail *fail) {
    char **words = text_is_utf8(command, strlen(command)) ? text_split_command(command) : NULL;
    if (words == NULL) {
        char shown[80];
        text_escape(command, strlen(command), shown, sizeof shown);
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("\"%s\" is no command: a program and its arguments, quotes closed"),
                        shown);
    }
    char *own = name == NULL ? free_name(event, words) : NULL;
    struct entrant *entrant = append(event, own != NULL ? own : name, ENTRANT_CHILD, fail);
    if (entrant != NULL) {
        entrant->command = alloc_text(command, strlen(command));
    }
    free(own);
    free(words);
    return entrant != NULL ? 0 : -1;
}

static int check_seed(const struct event *event, struct fail *fail) {
    bool seed = event->seed[0] != '\0';
    if (event->source == DICE_SEEDED && !seed) {
        return fail_set(fail, EXIT_CODE_USAGE, _("seeded dice need a seed"));
    }
    if (event->source == DICE_MANUAL && seed) {
        return fail_set(fail, EXIT_CODE_USAGE, _("manual dice have no seed"));
    }
    if (event->source == DICE_AUDITABLE && seed) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("a seed goes with seeded dice, not with auditable ones"));
    }
    if (event->contributions && event->source != DICE_AUDITABLE) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("contributions go with auditable dice, not with seeded ones"));
    }
    return 0;
}

static int check_size(const struct event *event, struct fail *fail) {
    if (event->format == FORMAT_ROOM) {
        return event->pairing == PAIRING_INDEPENDENT
                   ? 0
                   : fail_set(fail, EXIT_CODE_USAGE, _("the matches of a room are independent"));
    }
    bool lockstep = event->pairing == PAIRING_LOCKSTEP;
    int starter = event->rules.value[OPTION_NEXT_STARTER];
    bool parts = starter == STARTER_WINNER || starter == STARTER_LOSER;
    if (lockstep && parts && event->rules.value[OPTION_MATCH] != 1) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("lockstep needs next_starter=roll or alternate, or single games: else "
                          "the legs part"));
    }
    if (lockstep && event->concurrency < 2) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("lockstep plays both legs at once: concurrency has to be 2 or more"));
    }
    if (event->stops && event->entrant_count != 2) {
        return fail_set(fail, EXIT_CODE_USAGE, _("stop=decided goes with two bots"));
    }
    int64_t entrants = event->entrant_count;
    int64_t pairings = entrants * (entrants - 1) / 2;
    if (entrants < 2) {
        return fail_set(fail, EXIT_CODE_USAGE, _("an event needs at least two bots"));
    }
    if (event->pairs < 1 || event->pairs > EVENT_PAIRS_MAX ||
        pairings * event->pairs > EVENT_UNITS_MAX) {
        int64_t most = EVENT_UNITS_MAX / pairings;
        most = most < EVENT_PAIRS_MAX ? most : EVENT_PAIRS_MAX;
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("%d pairs of each pairing: with %d bots it can be 1 to %d"), event->pairs,
                        event->entrant_count, (int)most);
    }
    return 0;
}

int event_seal(struct event *event, struct fail *fail) {
    size_t length = strlen(event->name);
    if (length == 0 || length > EVENT_TITLE_BYTES || !text_is_utf8(event->name, length)) {
        return fail_set(fail, EXIT_CODE_USAGE, _("an event's name has 1 to %d bytes of plain text"),
                        EVENT_TITLE_BYTES);
    }
    char why[160];
    if (rules_check(&event->rules, why) != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, "%s", why);
    }
    if (check_size(event, fail) != 0 || check_seed(event, fail) != 0 ||
        event_settle_throws(event, fail) != 0 ||
        clock_wish_settle(&event->wish, event->rules.value[OPTION_MATCH], &event->clock, fail) !=
            0) {
        return -1;
    }
    struct bytes text;
    bytes_init(&text, CANONICAL_MAX);
    event_canonical(event, &text);
    if (text.full) {
        bytes_clear(&text);
        return fail_set(fail, EXIT_CODE_USAGE, _("the bots' commands are too long"));
    }
    struct hash hash = hash_bytes(text.data, text.length);
    bytes_clear(&text);
    memcpy(event->id, event->name, length);
    event->id[length] = '#';
    hash_hex(&hash, event->id + length + 1);
    return 0;
}

static const char *const pairing_names[PAIRINGS] = {
    [PAIRING_MIRRORED] = "mirrored",
    [PAIRING_LOCKSTEP] = "lockstep",
    [PAIRING_INDEPENDENT] = "independent",
};

const char *pairing_name(enum pairing pairing) {
    return pairing_names[pairing];
}

int pairing_find(const char *word) {
    int pairing = PAIRINGS;
    while (--pairing >= 0 && strcmp(pairing_names[pairing], word) != 0) {
    }
    return pairing;
}
