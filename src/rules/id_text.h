/* Id text: what the readers and writers of ids share: fields between colons,
 * their numbers, and the sentences that refuse one. Inside rules/ only. */
#ifndef HAKEM_RULES_ID_TEXT_H
#define HAKEM_RULES_ID_TEXT_H

#include "rules/match_position.h"
#include "rules/reader.h"
#include "rules/words.h"

/* A FIBS board string has 53 fields, the word `board` included; one more shows a surplus. */
enum { ID_FIELDS_MAX = 54 };

struct id_text {
    const char *name;                   /* of the notation, "an XGID" */
    const char *(*field_name)(int at);  /* what a field is called */
    struct reader field[ID_FIELDS_MAX]; /* without the blanks around it */
    int count;                          /* cutting stops at ID_FIELDS_MAX */
    char *why;                          /* 160 bytes for a sentence */
};

/* Cuts a text at its colons, blanks around it and `prefix` (lower case; the text
 * in any case) left out. */
void id_text_cut(struct id_text *id, const char *text, size_t length, const char *prefix);

/* Reads a field as a whole number within min..max; else -1 with a sentence. */
int id_text_number(const struct id_text *id, int at, const int range[2], int *out);

/* Says that a field is not what it should be ("1 or 0"); returns -1. */
int id_text_refuse(const struct id_text *id, int at, const char *wanted);

/* Says that the notation cannot hold something; returns -1. */
int id_text_no_room(const char *name, const char *thing, char why[160]);

/* 0 when both sides run head on, else -1 with a sentence: no foreign notation
 * knows a board on which both run the same way. */
int id_text_needs_opposed(const struct rules *rules, const char *name, char why[160]);

/* 0 when the game is being played, no resignation is pending and the score is in
 * whole points, else -1 with a sentence. */
int id_text_needs_plain(const struct match_position *position, const char *name, char why[160]);

/* Whole points of a side, which id_text_needs_plain has tested. */
int id_text_points(const struct match_position *position, enum side side);

/* Adds a number that may be negative. */
void id_text_add_number(struct words *words, int number);

/* Adds a colon and a number that may be negative. */
void id_text_add_field(struct words *words, int number);

/* What a side lacks of its number on points and bar is borne off. */
void id_text_rest_off(uint8_t men[POINT_COUNT], int checkers);

#endif
