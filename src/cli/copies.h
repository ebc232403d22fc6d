/* Copies: the files a store's records are written out to, `U000001-1.hkm` and
 * `.mat` in its folder records/. The store is the truth; a copy that is lost or
 * torn is made again from it. */
#ifndef HAKEM_CLI_COPIES_H
#define HAKEM_CLI_COPIES_H

#include "arena/schedule.h"
#include "base/bytes.h"
#include "base/fail.h"
#include "store/store.h"

/* The files that an event's preset means: hkm and mat up to 1,000 matches, none above. */
unsigned copies_wanted(const struct event *event, uint64_t matches);

/* Writes the files of one finished leg. Not synced: play must not wait for the disk. */
int copies_write(const char *folder, const struct unit *unit, int leg, unsigned files,
                 const struct bytes *record, struct fail *fail) __attribute__((warn_unused_result));

/* Makes again what is missing or differs of a finished leg. */
int copies_mend(const char *folder, const struct unit *unit, int leg, unsigned files,
                const struct bytes *record, struct fail *fail) __attribute__((warn_unused_result));

#endif
