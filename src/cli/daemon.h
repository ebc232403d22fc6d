/* The daemon: rooms and submitted events, all in one process, with a listener for bots
 * and a local socket for the operator (protocol/admin.md). It runs until a signal, or
 * until the rooms have played as many matches as the configuration says. */
#ifndef HAKEM_CLI_DAEMON_H
#define HAKEM_CLI_DAEMON_H

#include "cli/serve_config.h"

/* Serves; `command` is for messages. The exit code; the configuration is cleared by the
 * caller, and may be another one by then. */
int daemon_run(struct serve_config *config, const char *command);

#endif
