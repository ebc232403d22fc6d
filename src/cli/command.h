/* Commands: one const row each; a command is one file of this folder. */
#ifndef HAKEM_CLI_COMMAND_H
#define HAKEM_CLI_COMMAND_H

struct command {
    const char *name;    /* "duel" */
    const char *usage;   /* "A B [options]" */
    const char *summary; /* one line for `hakem --help`, marked N_("...") */
    const char *help;    /* what `hakem NAME --help` prints below usage and summary: options, an
                            example; ends with LF; marked N_("...") */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an exit code */
};

/* All of them (commands.c), in the order of `hakem --help`; NULL ends. */
extern const struct command *const command_table[];

extern const struct command command_moves;
extern const struct command command_perft;
extern const struct command command_rules;
extern const struct command command_duel;
extern const struct command command_run;
extern const struct command command_serve;
extern const struct command command_ctl;
extern const struct command command_bridge;
extern const struct command command_token;
extern const struct command command_check;
extern const struct command command_selftest;
extern const struct command command_show;
extern const struct command command_luck;
extern const struct command command_replay;
extern const struct command command_verify;
extern const struct command command_convert;

#endif
