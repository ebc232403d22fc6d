/* Starting a bot of an event: its command, and what a dialect needs beside it. */
#ifndef HAKEM_CLI_LAUNCH_BOT_H
#define HAKEM_CLI_LAUNCH_BOT_H

#include "arena/event.h"
#include "net/child.h"

/* Starts a process of that entrant, which is a child. */
int launch_bot(struct loop *loop, const struct event *event, const struct entrant *entrant,
               struct child **out, struct fail *fail) __attribute__((warn_unused_result));

#endif
