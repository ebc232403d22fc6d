/* Starting a bot of an event: its command, and what a dialect needs beside it. */
#ifndef HAKEM_CLI_LAUNCH_BOT_H
#define HAKEM_CLI_LAUNCH_BOT_H

#include "arena/event.h"
#include "net/child.h"
#include "net/spawn.h"

enum { LAUNCH_SCRIPT_MAX = 2048, LAUNCH_FLAGS = 3 };

/* The program that the first word of its command stands for: a bundled bot, GNU Backgammon
 * wherever it is, or what the word says. The caller frees. */
char *launch_program(const struct entrant *entrant, const char *word);

/* A command made ready. */
struct launch {
    char **words;         /* of the command, in one allocation */
    char **argv;          /* what is started */
    char *program;        /* its first word, found */
    char flag[LAUNCH_FLAGS][4];
    struct speech speech; /* how it is spoken to */
    char script[LAUNCH_SCRIPT_MAX];
};

/* Makes the command of an entrant ready to be started once, under the event's rules; to be
 * cleared in any case. */
int launch_prepare(const struct event *event, const struct entrant *entrant, struct launch *launch,
                   struct fail *fail) __attribute__((warn_unused_result));
void launch_clear(struct launch *launch);

/* Starts a process of that entrant, which is a child. */
int launch_bot(struct loop *loop, const struct event *event, const struct entrant *entrant,
               struct child **out, struct fail *fail) __attribute__((warn_unused_result));

#endif
