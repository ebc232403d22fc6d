/* Plays: what a side may do with a throw, and the judgement of what it did.
 *
 * A step moves one checker by one die; a play is up to four steps in order; a
 * final is the position after a play. Two plays with the same final are the
 * same play (rules.md B7). The lists go into the caller's buffer.
 */
#ifndef HAKEM_RULES_PLAY_H
#define HAKEM_RULES_PLAY_H

#include "rules/variant.h"

#include <stddef.h>

enum { PLAY_STEPS_MAX = 4, PLAY_TEXT_MAX = 64, PLAYS_MAX = 8192 };

struct step {
    uint8_t from; /* mover's numbering, POINT_BAR..1 */
    uint8_t to;   /* 24..1 or POINT_OFF */
    bool hit;     /* whether a checker was hit on `to` */
};

struct play {
    struct step step[PLAY_STEPS_MAX];
    uint8_t count; /* 0 is the pass */
};

/* What a throw is played on. */
struct situation {
    struct board board;
    enum side mover;
    uint8_t dice[2]; /* 1..6 each, in thrown order */
    bool first_turn; /* the mover's first turn of the game (uzun: head rule) */
};

/* One legal final position and one legal play that leads to it. */
struct option_play {
    struct board final;
    struct play play;
};

/* Lists every legal final once, each with a play (one leg per die, steps in a
 * legal order; the longer one where plays of two lengths lead there). `room` is
 * PLAYS_MAX at least: the listing works in it, the finals are 3,060 at most. When
 * nothing can be played the list is the one unchanged position with an empty
 * play. Returns the number of finals, 1 at least (0 only for less room); the order
 * is fixed for a situation. */
size_t plays_list(const struct rules *rules, const struct situation *situation,
                  struct option_play *out, size_t room);

/* Whether anything can be played: the first listed play would not be the pass. Mostly told
 * by the two dice alone, so that a turn begins without a list; `room` is used otherwise. */
bool plays_any(const struct rules *rules, const struct situation *situation,
               struct option_play *out, size_t room);

/* Most dice that any listed play uses, 0..4. */
int plays_dice_used(const struct option_play *list, size_t count);

/* How a claimed play was judged. */
enum judgement {
    JUDGED_LEGAL,
    JUDGED_ILLEGAL,   /* read, but against the rules */
    JUDGED_MALFORMED, /* not a play at all */
    JUDGED_AMBIGUOUS, /* a collapsed leg that could mean several finals */
};

struct verdict {
    enum judgement judgement;
    struct play play;   /* the play as understood, one leg per die (legal only) */
    struct board final; /* the position after it (legal only) */
    int bad_step;       /* 1-based word of the claim that was refused, 0 none */
    size_t legal;       /* how many legal finals there were; 0 where a legal play told itself */
    char reason[160];   /* words for the refusal, "" when legal */
};

/* A verdict of nothing: malformed, without a reason; play and final are not touched. */
void verdict_init(struct verdict *verdict);

/* Room that judging needs, kept by the caller so that rules/ never allocates. */
struct play_room {
    struct option_play list[PLAYS_MAX];
};

/* Judges a claim such as "8/5 6/5", "24/13", "8/5(2)", "bar/20", "6/off", in the
 * mover's numbering. Tolerant reader: `/` or `-`, bar or 25, off or 0, optional
 * `*`, any case, blanks or commas between legs, repeats, collapsed legs; "" and
 * "pass" are the pass. Legs are judged in order under play_check=sequence, in
 * any order under play_check=final. A collapsed leg prefers the path without a
 * hit. The reason names the first bad step ("5/off: a checker stands behind on
 * 6"). */
void play_judge(const struct rules *rules, const struct situation *situation, const char *claim,
                size_t length, struct play_room *room, struct verdict *verdict);

/* Applies a play that is known to be legal. */
void play_apply(const struct rules *rules, enum side mover, const struct play *play,
                struct board *board);

/* Writes a play, legs joined by `separator`, bar and off as words when `words`,
 * else 25 and 0; a star on a hit. "" for the pass. At most PLAY_TEXT_MAX bytes. */
size_t play_write(const struct play *play, char separator, bool words, char out[PLAY_TEXT_MAX]);

/* Writes a play in the other side's numbering (an opposing checker enters from
 * `bar`, leaves to `off`). */
size_t play_write_mirrored(const struct rules *rules, const struct play *play, char separator,
                           char out[PLAY_TEXT_MAX]);

#endif
