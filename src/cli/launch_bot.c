#include "cli/launch_bot.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "net/socket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SCRIPT_MAX = LAUNCH_SCRIPT_MAX,
    GNUBG_WORDS = 4 /* more than the command has, NULL included */
};

/* The bots that come with hakem, where a build has them. */
static const char *const bundled[] = {"contrib/c/random", "contrib/c/greedy", "contrib/c/solid",
                                      "contrib/c/cila", "contrib/c/usta"};

static char *find_bundled(const char *word) {
    for (size_t i = 0; i < sizeof bundled / sizeof bundled[0]; i++) {
        if (strcmp(strrchr(bundled[i], '/') + 1, word) == 0) {
            char *program = spawn_own_program(bundled[i]);
            if (access(program, X_OK) == 0) {
                return program;
            }
            free(program);
        }
    }
    return alloc_text(word, strlen(word));
}

/* Where packages put GNU Backgammon, which is not always on the PATH. */
static const char *find_gnubg(void) {
    static const char *const places[] = {"/usr/games/gnubg", "/usr/local/games/gnubg",
                                         "/usr/bin/gnubg", "/usr/local/bin/gnubg"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (access(places[i], X_OK) == 0) {
            return places[i];
        }
    }
    return "gnubg";
}

char *launch_program(const struct entrant *entrant, const char *word) {
    if (entrant->dialect.protocol == PROTOCOL_HAKEM) {
        return find_bundled(word);
    }
    bool finds = entrant->dialect.protocol == PROTOCOL_GNUBG && strcmp(word, "gnubg") == 0;
    const char *place = finds ? find_gnubg() : word;
    return alloc_text(place, strlen(place));
}

/* One line of its script, for plays or for the cube. */
static void add_line(char *script, const char *what, const char *name, const char *value) {
    size_t length = strlen(script);
    snprintf(script + length, SCRIPT_MAX - length, "set evaluation %s evaluation %s %s\n", what,
             name, value);
}

/* What it is told on its input before it listens. */
static void write_script(const struct event *event, const struct entrant *entrant, uint16_t port,
                         char script[SCRIPT_MAX]) {
    const struct dialect_rule *rule = &entrant->dialect;
    snprintf(script, SCRIPT_MAX, "set threads 1\n");
    if (event->rules.value[OPTION_VIDO] == 0) { /* a cube that nobody will turn */
        add_line(script, "chequerplay", "cubeful", "off");
    }
    for (int i = 0; i < rule->options; i++) {
        const char *name = rule->option[i].name;
        const char *value = rule->option[i].value;
        bool switches = strcmp(name, "cubeful") == 0;
        value = !switches ? value : strcmp(value, "true") == 0 ? "on" : "off";
        add_line(script, "chequerplay", name, value);
        if (!switches) {
            add_line(script, "cubedecision", name, value);
        }
    }
    size_t length = strlen(script);
    snprintf(script + length, SCRIPT_MAX - length, "external 127.0.0.1:%u\nquit\n",
             (unsigned)port);
}

/* GNU Backgammon needs a terminal's manner, no settings of the user, and a place to listen at. */
static int prepare_gnubg(const struct event *event, const struct entrant *entrant,
                         struct launch *launch, struct fail *fail) {
    static const char *const flags[LAUNCH_FLAGS] = {"-t", "-q", "-r"};
    char address[32];
    int count = 0;
    uint16_t port = socket_free_port();
    while (launch->words[count] != NULL) {
        count++;
    }
    launch->argv = alloc_zeroed((size_t)count + GNUBG_WORDS, sizeof *launch->argv);
    memcpy(launch->argv, launch->words, (size_t)count * sizeof *launch->argv);
    for (int i = 0; i < LAUNCH_FLAGS; i++) {
        snprintf(launch->flag[i], sizeof launch->flag[i], "%s", flags[i]);
        launch->argv[count + i] = launch->flag[i];
    }
    snprintf(address, sizeof address, "127.0.0.1:%u", (unsigned)port);
    if (port == 0 || !address_read(address, &launch->speech.address)) {
        return fail_set(fail, EXIT_CODE_IO, _("this machine has no free port for GNU Backgammon"));
    }
    write_script(event, entrant, port, launch->script);
    launch->speech.script = launch->script;
    return 0;
}

int launch_prepare(const struct event *event, const struct entrant *entrant, struct launch *launch,
                   struct fail *fail) {
    bool speaks = entrant->dialect.protocol != PROTOCOL_HAKEM;
    *launch = (struct launch){.words = text_split_command(entrant->command),
                              .speech = {.rule = speaks ? &entrant->dialect : NULL,
                                         .name = entrant->name}};
    if (launch->words == NULL) {
        fail_fatal("cli: the command of bot %s cannot be split", entrant->name);
    }
    launch->program = launch_program(entrant, launch->words[0]);
    launch->words[0] = launch->program;
    launch->argv = launch->words;
    return entrant->dialect.protocol == PROTOCOL_GNUBG
               ? prepare_gnubg(event, entrant, launch, fail)
               : 0;
}

void launch_clear(struct launch *launch) {
    if (launch->argv != launch->words) {
        free(launch->argv);
    }
    free(launch->program);
    free(launch->words);
}

int launch_bot(struct loop *loop, const struct event *event, const struct entrant *entrant,
               struct child **out, struct fail *fail) {
    struct launch launch;
    int status = launch_prepare(event, entrant, &launch, fail) != 0
                     ? -1
                     : child_start(loop, launch.argv, &launch.speech, out, fail);
    launch_clear(&launch);
    return status;
}
