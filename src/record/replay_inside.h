/* The inside of the replay: what its files share. Nobody else includes this.
 *
 * Each reader is called with a message that may stand where it stands, checks it
 * against the replay, takes it in, and sets the state that follows: 0, or -1 with
 * a sentence. */
#ifndef HAKEM_RECORD_REPLAY_INSIDE_H
#define HAKEM_RECORD_REPLAY_INSIDE_H

#include "record/replay.h"

/* replay_game.c: games and the match. */
int replay_read_game(struct replay *replay, const struct message *message, char *why);
int replay_read_result(struct replay *replay, const struct message *message, char *why);
int replay_read_void(struct replay *replay, const struct message *message, char *why);
int replay_read_end(struct replay *replay, const struct message *message, char *why);

/* Whether that side withheld what it had declared for the dice. */
bool replay_is_withheld(const struct replay *replay, enum side side);

/* Whether the match ends because its last game went nowhere. */
bool replay_is_capped(const struct replay *replay);

/* Number and attempt of the game that comes next. */
void replay_next_game(const struct replay *replay, unsigned *game, unsigned *attempt);

/* replay_ply.c: what happens in a game. */
int replay_read_did(struct replay *replay, const struct message *message, char *why);
int replay_read_fault(struct replay *replay, const struct message *message, char *why);

/* The throw of a message's field: well-formed, the deciding one where that is due, and
 * the one that was shown before where it was. 0, or -1 with a sentence. */
int replay_read_throw(const struct replay *replay, const struct message *message, enum field field,
                      uint8_t dice[2], char *why);

/* replay_cube.c: a ply without a play: a double, an answer, a resignation. */
int replay_read_act(struct replay *replay, const struct message *message, struct replay_ply *ply,
                    char *why);

#endif
