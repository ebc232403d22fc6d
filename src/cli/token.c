#include "dice/token.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/command.h"
#include "dice/scheme.h"

#include <stdio.h>
#include <string.h>

static int read_arguments(const struct args *args, const char *format, bool *json,
                          struct fail *fail) {
    if (args->positional_count != 1) {
        return fail_set(fail, EXIT_CODE_USAGE, _("give the name of one bot: hakem token NAME"));
    }
    const char *name = args->positional[0];
    if (!text_is_name(name, strlen(name))) {
        char shown[80];
        text_escape(name, strlen(name), shown, sizeof shown);
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("\"%s\" cannot be a bot's name: letters, digits, . _ - (at most %d, not "
                          "a reserved word)"),
                        shown, NAME_MAX_BYTES);
    }
    *json = strcmp(format, "json") == 0;
    if (!*json && strcmp(format, "text") != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("--format takes text or json, not \"%s\""),
                        format);
    }
    if (dice_init() != 0) {
        return fail_set(fail, EXIT_CODE_BUG, _("this machine gives no random numbers"));
    }
    return 0;
}

static int run(int argc, char **argv) {
    const char *format = "text";
    const struct arg_row rows[] = {{"format", ARG_TEXT, 0, 0, &format}};
    struct args args = {.rows = rows, .row_count = 1};
    struct fail fail;
    bool json = false;
    if (args_read(&args, argc, argv, &fail) != 0 ||
        read_arguments(&args, format, &json, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    const char *name = args.positional[0];
    char token[TOKEN_TEXT_MAX];
    char kept[HASH_TEXT];
    struct hash hash;
    token_fresh(token, &hash);
    hash_write(&hash, kept);
    if (json) {
        printf("{\"name\":\"%s\",\"token\":\"%s\",\"kept\":\"%s\"}\n", name, token, kept);
    } else {
        printf(_("for the bot, shown only now:  %s\n"), token);
        printf(_("for the event file:           {\"name\": \"%s\", \"token\": \"%s\"}\n"), name,
               kept);
    }
    return EXIT_CODE_DONE;
}

const struct command command_token = {
    .name = "token",
    .usage = N_("NAME [--format text|json]"),
    .summary = N_("a fresh token for a bot that dials in, and what is kept of it"),
    .help = N_(
        "A bot that dials in shows its token (256 random bits) in its hello, with token=.\n"
        "The event file keeps only the token's SHA-256, so it may be read by others. Whoever\n"
        "has the token plays under that name: give it to the bot's author alone.\n"
        "\n"
        "  --format FORMAT    text, or json: one object with name, token and kept\n"
        "\n"
        "example: hakem token anatolia\n"),
    .run = run,
};
