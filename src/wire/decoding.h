/* Decoding: what both spellings do alike with a line, and the four functions
 * that spelling.c chooses from. Internal to wire/. A slot is the place of one
 * field or rule option in a message. */
#ifndef HAKEM_WIRE_DECODING_H
#define HAKEM_WIRE_DECODING_H

#include "wire/spelling.h"

/* A line being decoded into a message. */
struct decoding {
    struct message *message;
    const struct message_row *row;
    char *why;               /* 160 bytes; the first refusal */
    bool bad;                /* something was refused */
};

struct slot {
    const char *name;
    enum field_type type;    /* of a field */
    int field, option;       /* the one or the other, the rest is -1 */
};

/* The slot of that name in the message; false for an unknown field. */
bool slot_find(const struct decoding *decoding, const char *name, size_t length,
               struct slot *slot);

/* The slot of a field. */
struct slot slot_of(enum field field);

/* Whether it holds a value already. */
bool slot_taken(const struct decoding *decoding, const struct slot *slot);

/* Refuses the line with a sentence; only the first is kept. */
void decoding_refuse(struct decoding *decoding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Room for a value of up to `length` bytes and its NUL, or NULL with a refusal. */
char *value_room(struct decoding *decoding, size_t length);

/* Checks a value whose `length` bytes stand at the start of the free room, puts it
 * into its normal form and keeps it; refuses it otherwise. */
void value_keep(struct decoding *decoding, const struct slot *slot, size_t length);

/* What a value of that type has to be, in words ("a whole number"). */
const char *type_wanted(enum field_type type);

/* Begins: which message is it? DECODED_MESSAGE when the row is set. */
enum decoded decoding_begin(struct decoding *decoding, const char *name, size_t length,
                            unsigned senders);

/* Ends: every required field must be there. */
enum decoded decoding_end(struct decoding *decoding);

/* Decode a trimmed line that is not blank. */
enum decoded text_decode(const char *line, size_t length, unsigned senders,
                         struct decoding *decoding);
enum decoded json_decode(const char *line, size_t length, unsigned senders,
                         struct decoding *decoding);

/* Add the line without its LF; a refused add shows in `out->full`. */
void text_encode(const struct message *message, struct bytes *out);
void json_encode(const struct message *message, struct bytes *out);

#endif
