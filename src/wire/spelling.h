/* The two spellings of a message: text lines and JSON lines. Decoders take one
 * line without its end, allocate nothing that outlives them, and say what is
 * wrong in words. */
#ifndef HAKEM_WIRE_SPELLING_H
#define HAKEM_WIRE_SPELLING_H

#include "base/bytes.h"
#include "wire/message.h"

enum spelling { SPELLING_TEXT, SPELLING_JSON };

/* What became of a line. */
enum decoded {
    DECODED_MESSAGE,   /* it is in `message` */
    DECODED_BLANK,     /* nothing but blanks: ignored */
    DECODED_UNKNOWN,   /* well-formed, but no message of that name; the name is in `why` */
    DECODED_MALFORMED, /* not a message; `why` says where */
};

/* Decodes one line (no LF; a BOM before it and a CR after it are dropped). On
 * DECODED_MALFORMED the fields that were read stay set, so that the caller can
 * see which table and serial the line named; `kind` is MESSAGE_COUNT when not
 * even the message's name was read. Unknown fields are skipped. `senders` is the set of
 * senders whose messages are known here. */
enum decoded spelling_decode(enum spelling spelling, const char *line, size_t length,
                             unsigned senders, struct message *message, char why[160]);

/* Adds the message's line with its LF; false when `out` is at its ceiling. */
bool spelling_encode(enum spelling spelling, const struct message *message, struct bytes *out);

/* The same without the LF (record lines are hashed without it). */
bool spelling_encode_bare(enum spelling spelling, const struct message *message,
                          struct bytes *out);

#endif
