/* Dressing up: the same line, written as the document also allows it. */
#ifndef HAKEM_CLI_CHECK_DRESS_H
#define HAKEM_CLI_CHECK_DRESS_H

#include "cli/check_talk.h"

/* Rewrites a line without its end: strange fields, turned keys, more blanks. */
void dress_line(enum spelling spelling, const struct manner *manner, struct bytes *line);

#endif
