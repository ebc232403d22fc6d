/* hakem: dispatch only. What a command does is in its file of cli/. */
#include "base/fail.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

enum { COMMANDS_MAX = 32 };

static const struct command *find_command(const char *name) {
    for (const struct command *const *row = command_table; *row != NULL; row++) {
        if (strcmp((*row)->name, name) == 0) {
            return *row;
        }
    }
    return NULL;
}

/* Ends whatever may have printed: a full disk or a closed pipe is a failure, not silence. `command`
 * is "" for hakem itself. */
static int finish(const char *command, int code) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "hakem%s%s: %s\n", command[0] != '\0' ? " " : "", command,
                _("cannot write to standard output"));
        return EXIT_CODE_IO;
    }
    return code;
}

static int print_overview(void) {
    printf("%s\n\n", _("hakem: a referee for backgammon bots"));
    printf("%s\n", _("usage: hakem COMMAND [arguments]"));
    for (const struct command *const *row = command_table; *row != NULL; row++) {
        printf("  %-9s %s\n", (*row)->name, _((*row)->summary));
    }
    printf("\n%s\n", _("hakem COMMAND --help shows a command's options and an example."));
    return finish("", EXIT_CODE_DONE);
}

static int print_help(const struct command *command) {
    printf(_("usage: hakem %s %s"), command->name, _(command->usage));
    printf("\n%s\n\n%s", _(command->summary), _(command->help));
    return finish("", EXIT_CODE_DONE);
}

static int refuse_command(const char *name) {
    const char *names[COMMANDS_MAX];
    size_t count = 0;
    for (const struct command *const *row = command_table; *row != NULL; row++) {
        if (count < COMMANDS_MAX) {
            names[count++] = (*row)->name;
        }
    }
    char shown[64];
    text_escape(name, strlen(name), shown, sizeof shown);
    const char *nearest = text_nearest(name, names, count);
    fputs("hakem: ", stderr);
    if (nearest != NULL) {
        fprintf(stderr, _("unknown command %s: did you mean %s?"), shown, nearest);
    } else {
        fprintf(stderr, _("unknown command %s: hakem --help lists the commands"), shown);
    }
    fputc('\n', stderr);
    return EXIT_CODE_USAGE;
}

static int print_help_of(const char *name) {
    const struct command *command = find_command(name);
    return command != NULL ? print_help(command) : refuse_command(name);
}

/* Whether --help stands among the options of a command. */
static int asks_help(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "hakem: %s\n", _("which command? hakem --help lists them"));
        return EXIT_CODE_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        printf("hakem %s\n", HAKEM_VERSION);
        return finish("", EXIT_CODE_DONE);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        return argc > 2 ? print_help_of(argv[2]) : print_overview();
    }
    const struct command *command = find_command(name);
    if (command == NULL) {
        return refuse_command(name);
    }
    if (asks_help(argc - 1, argv + 1)) {
        return print_help(command);
    }
    return finish(name, command->run(argc - 1, argv + 1));
}
