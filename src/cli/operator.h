/* Manual dice: an operator throws real ones and types what they show, on standard input.
 *
 * A match that needs a throw waits, and is asked for with a line on standard error; what was played
 * since is told there too, so that a board can follow. What is typed is kept in the store's
 * throws.txt before it is used, in the form of recorded dice: a match that is taken up again uses
 * it anew. A throw that does not count is entered by a word, and stands in the record. */
#ifndef HAKEM_CLI_OPERATOR_H
#define HAKEM_CLI_OPERATOR_H

#include "cli/stage.h"

struct operator;

/* Both outlive it. With another source of dice it has nothing to do. */
struct operator *operator_new(struct event *event, const char *folder);
void operator_free(struct operator *operator);

/* Takes over what was typed into that store before. */
int operator_recall(struct operator *operator, struct fail *fail)
    __attribute__((warn_unused_result));

/* Its part of a turn: asks for throws as long as they are awaited, and hands them on. 1 when
 * nothing more can be typed, so that the event has to stop; -1 when it cannot be kept. */
int operator_turn(struct operator *operator, const struct stage *stage, struct loop *loop,
                  int64_t now, struct fail *fail) __attribute__((warn_unused_result));

#endif
