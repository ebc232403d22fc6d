/* Reads .sgf of backgammon (GM[6]) as GNU Backgammon writes it (ecosystem.md 4.2): a game
 * tree for each game, of which the main line is followed; analysis and properties that
 * say nothing about what was played are passed over. White is seat X. */
#ifndef HAKEM_RECORD_SGF_READ_H
#define HAKEM_RECORD_SGF_READ_H

#include "record/sheet.h"

/* Fills an empty sheet from a file's bytes; what it cannot read stands in the findings. */
void sgf_read(const char *text, size_t length, struct sheet *sheet);

#endif
