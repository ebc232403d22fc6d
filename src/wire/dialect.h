/* Dialects: a bot that speaks another protocol than ours. A dialect stands between the bytes of
 * such a peer and the referee's: it is told what the referee queued for the session and turns it
 * into the peer's lines, and it hears the peer and turns that into our messages. So referee,
 * clocks, faults and records know nothing of it.
 *
 * It is pure: no descriptor, no clock. What the peer says wrongly goes on as an answer that is
 * wrong in our protocol too; what it does not say is silence there too. It plays one table.
 */
#ifndef HAKEM_WIRE_DIALECT_H
#define HAKEM_WIRE_DIALECT_H

#include "base/bytes.h"
#include "base/text.h"

enum protocol {
    PROTOCOL_HAKEM, /* ours: nothing stands between */
    PROTOCOL_UBGI,  /* Universal Backgammon Interface */
    PROTOCOL_GNUBG  /* the external player of GNU Backgammon */
};

enum { DIALECT_OPTIONS_MAX = 32, DIALECT_WRONG_MAX = 160, TAKE_POINT_USUAL = 25,
       DIALECT_WORD_MAX = 81,  /* bytes of "name=value" */
       DIALECT_PLIES_MAX = 112 };

/* What the peer is told to be set to. */
struct dialect_option {
    char *name, *value;
};

/* What is said of a peer that speaks a dialect; its texts belong to whoever made it. */
struct dialect_rule {
    enum protocol protocol;
    struct dialect_option option[DIALECT_OPTIONS_MAX];
    int options;
    bool lenient;   /* an option that it refuses or does not know is let pass */
    bool no_double; /* it is never asked about the cube: it never doubles, and takes as follows */
    int take_point; /* percent: where it is not asked, it takes from this winning chance on */
};

struct dialect;

/* The word of a protocol, and back: -1 for no such word. */
const char *protocol_name(enum protocol protocol);
int protocol_find(const char *word);

/* Writes an option "plies=2" for people, "plies=2 (UBGI 3-ply)": programs count plies from 0 or
 * from 1. */
void dialect_write_option(enum protocol protocol, const char *word, size_t length,
                          char out[DIALECT_PLIES_MAX]);

/* A dialect for a peer that is to say hello under that name; NULL for our own protocol. The rule
 * has to live as long. */
struct dialect *dialect_new(const struct dialect_rule *rule, const char *name);

/* Frees it; NULL is nothing. */
void dialect_free(struct dialect *dialect);

/* The peer is connected. */
void dialect_open(struct dialect *dialect);

/* The referee has queued these bytes for the session. */
void dialect_tell(struct dialect *dialect, const char *data, size_t length);

/* The peer has said these bytes. */
void dialect_hear(struct dialect *dialect, const char *data, size_t length);

/* What waits for the peer, and for the referee; taken off with bytes_drop. */
struct bytes *dialect_outward(struct dialect *dialect);
struct bytes *dialect_inward(struct dialect *dialect);

/* Why it cannot go on with this peer, a sentence; "" while it can. */
const char *dialect_wrong(const struct dialect *dialect);

#endif
