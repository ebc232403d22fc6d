/* Judges a score sheet: what another program wrote down becomes a record.
 *
 * The record has source=imported: every line of it was judged by the rules, but
 * nothing proves the dice, and it has no seed and no signature. `commit` and the
 * event's hash are the SHA-256 of the file. Names that are none for a bot stand
 * as x_title and y_title. */
#ifndef HAKEM_RECORD_IMPORT_H
#define HAKEM_RECORD_IMPORT_H

#include "record/sheet.h"

enum import_outcome {
    IMPORT_WHOLE,  /* every game of the sheet is in the record */
    IMPORT_PARTIAL /* the record stops where the sheet could not be followed: see its findings */
};

/* Adds the record of a sheet. `hash` is that of the file. What is wrong is noted in the sheet's
 * findings; a whole record may have some too (points that do not fit, for one). */
enum import_outcome import_match(struct sheet *sheet, const struct hash *hash, struct bytes *out);

#endif
