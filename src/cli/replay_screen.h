/* A story on a terminal, stepped through with keys. */
#ifndef HAKEM_CLI_REPLAY_SCREEN_H
#define HAKEM_CLI_REPLAY_SCREEN_H

#include "cli/story.h"

/* Shows the story from `step` on until the user quits or a signal ends it; the
 * terminal is then as it was. 0, or the number of the signal. */
int replay_screen(const struct story *story, size_t step, struct story_look *look);

#endif
