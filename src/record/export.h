/* A record as other programs read it. Each writer adds to `out`; 0, or -1 (EXIT_CODE_VERIFY)
 * with the line and the reason when the record does not read. */
#ifndef HAKEM_RECORD_EXPORT_H
#define HAKEM_RECORD_EXPORT_H

#include "base/bytes.h"
#include "base/fail.h"
#include "record/replay.h"

/* Reads a record (finished or not) line by line into `replay`, which it begins; `line` is called
 * with each that holds. Afterwards `replay` says where the record stops, and judges no more. */
int export_lines(const char *text, size_t length, struct replay *replay,
                 void (*line)(void *owner, const struct message *message), void *owner,
                 struct fail *fail) __attribute__((warn_unused_result));

/* Two dice as other programs write them: the high one first. */
void export_dice(const uint8_t dice[2], char out[3]);

/* The name of a side for people: its title, or else its name. */
const char *export_name(const struct record_header *header, enum side side);

/* The options that a sheet needs and that are not the variant's default ("koks=2 wall=off"), with
 * that byte between. */
void export_rules(const struct rules *rules, char between, char out[HEADER_TEXT_MAX]);

/* As .mat, the Jellyfish text form (ecosystem.md 4.1). Left column: seat X. Tavla, western,
 * nackgammon and hypergammon are written so that GNU Backgammon imports them; uzun and fevga have
 * their own names in `[Variation "uzun"]`, which only hakem reads. Void games are left out; a
 * forfeited game has its `Wins` row like one that was resigned.
 *
 * GNU Backgammon scores western backgammon: a mars whose loser still has a checker on the bar or
 * in the winner's home is worth 3 to it, and when that third point reaches the length it takes the
 * match for over and reads no further. Nothing in a .mat can tell it otherwise. It does not know a
 * raccoon in a .mat either (in a .sgf it does). */
int mat_write(const char *text, size_t length, struct bytes *out, struct fail *fail)
    __attribute__((warn_unused_result));

/* As .sgf (GM[6]): a game tree for each game, White is seat X, points include the cube; as GNU
 * Backgammon writes it (ecosystem.md 4.2). A game that was given up or forfeited has the `R` of a
 * resignation in RE and no node for it. Void games are left out. The variants that other programs
 * do not know have their name in RU, which only hakem reads. */
int sgf_write(const char *text, size_t length, struct bytes *out, struct fail *fail)
    __attribute__((warn_unused_result));

/* As .json: one object with the record's lines, each the message in its JSON spelling
 * (protocol/schema/record.json). */
int json_write(const char *text, size_t length, struct bytes *out, struct fail *fail)
    __attribute__((warn_unused_result));

#endif
