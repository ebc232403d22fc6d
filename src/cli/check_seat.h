/* Seat: the bot at a table where `hakem check` itself says what a referee would
 * say. The game is a scene's; the other side plays as the scene does, the bot as
 * it answers, and its answers are judged when they are heard. */
#ifndef HAKEM_CLI_CHECK_SEAT_H
#define HAKEM_CLI_CHECK_SEAT_H

#include "cli/check_scene.h"
#include "cli/check_talk.h"

struct seat {
    struct talk *talk;
    struct seat *next; /* of the talk's */
    struct rules rules;
    uint64_t table, serial;
    enum side side;  /* the bot's */
    bool declined;   /* it does not play this match */
    unsigned game;   /* that runs, from 1 */
    unsigned attempt;
    int score[SIDE_COUNT]; /* half points, before it */
    bool crawford;
    struct decision cube; /* value and owner */
    bool in_game;
    uint64_t seed; /* of the game */
    char offer[64]; /* the words of the last one */
    struct scene_game at;
};

/* Prepares a seat, which has to live until its `end` or the end of the item: nothing is told
 * yet. */
void seat_init(struct seat *seat, struct talk *talk, const struct rules *rules, enum side side);

/* Tells `match`, and that it wants a `ready`. */
void seat_offer(struct seat *seat);

/* The same, and hears it: ready, or declined. */
bool seat_open(struct seat *seat);

/* Tells that game `number` of the scenes begins. */
void seat_begin(struct seat *seat, unsigned number);

/* Tells the plies of the scene up to that one, the bot's too: its turns were not asked for. */
void seat_skip(struct seat *seat, int ply);

/* Tells what a side did without a throw. */
void seat_did(struct seat *seat, enum side side, const char *words);

/* Whether the bot is on throw and is to be asked: there is something to play, and a choice
 * where it wants to be asked only then. Lists the plays. */
bool seat_asks(struct seat *seat);

/* Asks for the play of `at.now`. */
struct ask *seat_turn(struct seat *seat);

/* Tells a request with the serial that the seat has already. */
struct ask *seat_ask_again(struct seat *seat, enum message_kind question, unsigned may);

/* Asks for `roll` or `double`, or what else it may. */
struct ask *seat_cube(struct seat *seat, unsigned may);

/* Offers it a double, beaver or resignation: `words` are those of `offer` behind the serial. */
struct ask *seat_offered(struct seat *seat, unsigned may, const char *words);

/* A ply of whoever is on throw is played and told; false when that wins. */
bool seat_play(struct seat *seat, struct play play);

/* What was answered is played and told; then the other side, until the bot has something to
 * play. False when the game is over with that (its result is told). */
bool seat_go(struct seat *seat, struct play play);

/* Tells where the table stands, and a request that is open once more. */
void seat_tell_state(struct seat *seat);

/* The bot wants to know where that table stands; false when it has none of that number. */
bool seat_sync(struct talk *talk, uint64_t table);

/* Tells the `result` of a game that ends now, for that reason. */
void seat_result(struct seat *seat, int winner, int half_points, const char *reason);

/* The other side has gone: result, end, unit; nothing is left open. */
void seat_leave(struct seat *seat);

/* Tells `end` and `unit`. */
void seat_end(struct seat *seat, int winner, const char *reason);

#endif
