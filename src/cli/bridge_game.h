/* A game as GNU Backgammon's board lines show it, told to a bot of ours: what happened between two
 * of its requests is found by what could have happened. The bot is always on seat X. */
#ifndef HAKEM_CLI_BRIDGE_GAME_H
#define HAKEM_CLI_BRIDGE_GAME_H

#include "base/bytes.h"
#include "rules/match_position.h"
#include "rules/play.h"
#include "wire/spelling.h"

/* What the bot is asked. */
enum bridge_asked { BRIDGE_PLAY, BRIDGE_CUBE, BRIDGE_OFFER };

struct bridge_game {
    struct rules rules;
    enum spelling spelling;
    bool want_position, want_plays;
    struct bytes out;                 /* lines for the bot */
    uint64_t table, serial;
    int game, ply;
    bool runs;                        /* a game is followed */
    bool doubled;                     /* the bot has doubled and has not heard the answer */
    struct match_position position;   /* the last that was seen; the bot is SIDE_X */
    enum bridge_asked asked;
    struct play_room room;
};

void bridge_game_init(struct bridge_game *game);
void bridge_game_clear(struct bridge_game *game);

/* Reads a board line: the position as the bot sees it. 0, or -1 with a sentence. */
int bridge_game_read(const struct bridge_game *game, const char *line, struct match_position *out,
                     char why[160]);

/* Tells the bot what happened until that position, and asks what is to be done. False when it
 * need not be asked: nothing can be played. `*odd`: the position does not follow from the last. */
bool bridge_game_ask(struct bridge_game *game, const struct match_position *position, bool *odd);

/* The bot's answer: writes GNU Backgammon's line for it, without its end. False with a sentence
 * when it is none. */
bool bridge_game_answer(struct bridge_game *game, const struct message *message, char line[160]);

#endif
