/* Reads .mat, the Jellyfish text form, in every dialect that we met (ecosystem.md 4.1):
 * GNU Backgammon, BackgammonGalaxy, Backgammon Studio, eXtreme Gammon, XG Mobile,
 * GridGammon, Snowie text and single games (.gam). Cells are found by what stands in
 * them, not by their column; only which side a lone cell belongs to is told by it. */
#ifndef HAKEM_RECORD_MAT_READ_H
#define HAKEM_RECORD_MAT_READ_H

#include "record/sheet.h"

/* Fills an empty sheet from a file's bytes; what it cannot read stands in the findings. */
void mat_read(const char *text, size_t length, struct sheet *sheet);

#endif
