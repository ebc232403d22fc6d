/* Reader: a cursor over foreign bytes, for the texts that rules/ reads. It never
 * looks beyond `end`. Inside rules/ only. */
#ifndef HAKEM_RULES_READER_H
#define HAKEM_RULES_READER_H

#include <stdbool.h>
#include <stddef.h>

struct reader {
    const char *at, *end;
};

/* Takes `word` (lower case; the text in any case) if it stands at the cursor. */
bool reader_take(struct reader *reader, const char *word);

/* Takes a number of one or two digits, at most `max`; -1 when none stands there. */
int reader_take_number(struct reader *reader, int max);

#endif
