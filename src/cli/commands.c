#include "cli/command.h"

#include <stddef.h>

/* Every command hakem has, in the order of `hakem --help`. A new command is one
 * file src/cli/NAME.c that defines `command_NAME`, one line in command.h, one
 * line here and one in Makefile.am (libcli_la_SOURCES). */
const struct command *const command_table[] = {
    &command_duel,
    &command_run,
    &command_serve,
    &command_ctl,
    &command_bridge,
    &command_token,
    &command_check,
    &command_selftest,
    &command_moves,
    &command_perft,
    &command_rules,
    &command_show,
    &command_luck,
    &command_replay,
    &command_verify,
    &command_convert,
    NULL,
};
