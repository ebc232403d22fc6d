/* Facts of a record's lines, inside src/record/: words, dice, reasons, and the
 * refusal of what does not follow from the lines before. */
#ifndef HAKEM_RECORD_FACT_H
#define HAKEM_RECORD_FACT_H

#include "record/header.h"
#include "record/reason.h"

/* Puts the sentence into `why`; -1, so that `return fact_refuse(...)` reads well. */
int fact_refuse(char why[RECORD_WHY_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads X, Y or none (-1); false on anything else. */
bool fact_read_side(const struct message *message, enum field field, int *side);

/* Reads "31" into two dice; false on anything else. */
bool fact_read_dice(const char *text, size_t length, uint8_t dice[2]);

/* Reads a time, at most RECORD_TIME_MAX; 0, or -1 with a sentence. */
int fact_read_time(const struct message *message, enum field field, int64_t absent, int64_t *ms,
                   char *why);

/* Whether hex digits are spelled as a writer spells them. */
bool fact_is_lower(const char *hex);

/* The field has to be exactly that; 0, or -1 with a sentence. */
int fact_require_text(const struct message *message, enum field field, const char *want,
                      char *why);
int fact_require_number(const struct message *message, enum field field, uint64_t want,
                        char *why);

#endif
