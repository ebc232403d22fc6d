#include "cli/launch_bot.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "net/socket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCRIPT_MAX = 2048, GNUBG_WORDS = 4 /* more than the command has, NULL included */ };

static int launch_plainly(struct loop *loop, const struct entrant *entrant, struct child **out,
                          struct fail *fail) {
    bool speaks = entrant->dialect.protocol != PROTOCOL_HAKEM;
    const struct child_speech speech = {.rule = speaks ? &entrant->dialect : NULL,
                                        .name = entrant->name};
    char **argv = text_split_command(entrant->command);
    if (argv == NULL) {
        fail_fatal("cli: the command of bot %s cannot be split", entrant->name);
    }
    int status = child_start(loop, argv, &speech, out, fail);
    free(argv);
    return status;
}

/* Where packages put it, which is not always on the PATH. */
static const char *find_gnubg(const char *word) {
    static const char *const places[] = {"/usr/games/gnubg", "/usr/local/games/gnubg",
                                         "/usr/bin/gnubg", "/usr/local/bin/gnubg"};
    if (strcmp(word, "gnubg") != 0) {
        return word;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (access(places[i], X_OK) == 0) {
            return places[i];
        }
    }
    return word;
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

static int launch_gnubg(struct loop *loop, const struct event *event,
                        const struct entrant *entrant, struct child **out, struct fail *fail) {
    char script[SCRIPT_MAX];
    char **words = text_split_command(entrant->command);
    int count = 0;
    while (words[count] != NULL) {
        count++;
    }
    char **argv = alloc_zeroed((size_t)count + GNUBG_WORDS, sizeof *argv);
    memcpy(argv, words, (size_t)count * sizeof *argv);
    char *program = alloc_text(find_gnubg(words[0]), strlen(find_gnubg(words[0])));
    char tty[] = "-t", quiet[] = "-q", bare[] = "-r";
    argv[0] = program;
    argv[count] = tty;
    argv[count + 1] = quiet;
    argv[count + 2] = bare;
    struct child_speech speech = {.rule = &entrant->dialect, .name = entrant->name,
                                  .script = script};
    uint16_t port = socket_free_port();
    char address[32];
    snprintf(address, sizeof address, "127.0.0.1:%u", (unsigned)port);
    int status = -1;
    if (port == 0 || !address_read(address, &speech.address)) {
        fail_set(fail, EXIT_CODE_IO, _("this machine has no free port for GNU Backgammon"));
    } else {
        write_script(event, entrant, port, script);
        status = child_start(loop, argv, &speech, out, fail);
    }
    free(program);
    free(argv);
    free(words);
    return status;
}

int launch_bot(struct loop *loop, const struct event *event, const struct entrant *entrant,
               struct child **out, struct fail *fail) {
    return entrant->dialect.protocol == PROTOCOL_GNUBG
               ? launch_gnubg(loop, event, entrant, out, fail)
               : launch_plainly(loop, entrant, out, fail);
}
