/* The header of an imported match. Inside src/record/ only. */
#ifndef HAKEM_RECORD_IMPORT_HEADER_H
#define HAKEM_RECORD_IMPORT_HEADER_H

#include "dice/hash.h"
#include "record/sheet.h"

/* Makes the `record` message of a sheet: its rules are those that its header and its rows tell of
 * (cube, Jacoby, beavers), `hash` is that of the file. */
void import_header(struct sheet *sheet, const struct hash *hash, struct message *message);

#endif
