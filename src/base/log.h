/* The log: one line per fact on stderr, `level subject verb key=value...`.
 * The sink is the one mutable global of the house. Peer bytes go through
 * text_escape first. */
#ifndef HAKEM_BASE_LOG_H
#define HAKEM_BASE_LOG_H

#include <stdint.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* The level of that word ("warn"), -1 for no such word. */
int log_level_find(const char *word);

/* Lines above this level are dropped; the start value is LOG_LEVEL_WARN. */
void log_set_level(enum log_level level);

/* Whether a line of that level would be written. */
int log_wants(enum log_level level);

/* Lines go to a service manager's journal when JOURNAL_STREAM (`text`, or NULL) names the very
 * thing that stderr is: then each begins with its priority, as "<4>". */
void log_open_journal(const char *text);

/* From now on no more than 50 lines a second are written after a burst of 500, errors and the
 * level debug apart; what was left out is told. Called with the time now and then, ms. */
void log_turn(int64_t now);

/* Writes one line; the format holds subject, verb and key=value words. */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
