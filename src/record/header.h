/* The header of a record: who plays what under which rules, on which dice. */
#ifndef HAKEM_RECORD_HEADER_H
#define HAKEM_RECORD_HEADER_H

#include "base/text.h"
#include "dice/scheme.h"
#include "dice/sign.h"
#include "rules/variant.h"
#include "wire/message.h"

enum {
    HEADER_TEXT_MAX = 128,
    HEADER_COMMAND_MAX = 256, /* bytes of a bot's command, NUL included; so the next two */
    HEADER_FILES_MAX = 2048,
    HEADER_SETTINGS_MAX = 256,
    RECORD_WHY_MAX = 256,
    RECORD_PLIES_MAX = 4096, /* of a game: with the last one it ends as `cap` */
    RECORD_DISPUTES_MAX = 3, /* of a side, from one game's beginning to the next one's */
    RECORD_MARGIN_DEFAULT = 50,
    RECORD_MARGIN_MAX = 60000,
    RECORD_LAG_CONTENDED = 20 /* ms: a game with a longer lag at some ply is `contended` */
};

/* The longest time that a record can state, ms: so that no sum of them overflows. */
#define RECORD_TIME_MAX INT64_C(1000000000000)

struct record_header {
    struct rules rules;
    int leg;                           /* 1, 2 */
    char unit[UNIT_NAME_MAX];
    char event[EVENT_NAME_MAX];
    enum dice_source source;
    char pairing[16];                  /* "mirrored", "lockstep", "independent" */
    char name[SIDE_COUNT][NAME_MAX_BYTES + 1];
    char version[SIDE_COUNT][HEADER_TEXT_MAX]; /* "" where the bot gave none */
    char title[SIDE_COUNT][HEADER_TEXT_MAX];   /* the name for people, "" where it is `name` */
    char server[HEADER_TEXT_MAX];
    char date[HEADER_TEXT_MAX];        /* UTC, "2026-11-30T18:49:49Z" */
    struct hash commitment;            /* C_S */
    struct hash master;                /* C_M */
    struct hash throws;                /* of recorded dice: the hash of their file */
    uint8_t key[SIGN_PUBLIC_BYTES];    /* signs the record */
    int64_t move_time;                 /* ms, 0: no such limit; so the next two */
    int64_t reserve;
    int64_t increment;
    int64_t delay;
    bool wall;                         /* clock=wall: open requests did not share their time */
    int64_t margin;                    /* ms an answer may be late; not written when it is
                                          RECORD_MARGIN_DEFAULT, nor in older records: then
                                          RECORD_MARGIN_MAX, which they may have had */
};

/* Reads a `record` message; 0, or -1 with a sentence. Every rule option of the
 * variant has to be there: a record must not depend on anybody's defaults. */
int header_read(const struct message *message, struct record_header *header,
                char why[RECORD_WHY_MAX]) __attribute__((warn_unused_result));

/* Whether a throw may have to wait for that of the other leg. */
bool header_is_lockstep(const struct record_header *header);

#endif
