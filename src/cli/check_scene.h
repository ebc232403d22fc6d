/* Scenes: the situations of a game that `hakem check` puts a bot into. They are
 * not made up: games are played out by the rules, their throws from an open
 * seed, and looked through for what is wanted; the bot is told such a game up to
 * there, as news, and is then asked. So it meets them by following the game,
 * and the same ones each time.
 */
#ifndef HAKEM_CLI_CHECK_SCENE_H
#define HAKEM_CLI_CHECK_SCENE_H

#include "dice/scheme.h"
#include "rules/play.h"

/* A game that is being played out: a value, but for the room it lists in. */
struct scene_game {
    struct rules rules;
    struct hash_key key;
    struct roll opening; /* the pair that decided who starts */
    enum side starter;
    struct situation now; /* what the mover has to play */
    int ply;              /* of it, from 1 */
    uint32_t throws[SIDE_COUNT];
    bool passed[SIDE_COUNT]; /* its last turn was none */
    bool over;
    struct option_play *list; /* legal plays of `now`; PLAYS_MAX */
    size_t count;
};

/* Begins game `number` (from 1) under these rules. */
void scene_begin(struct scene_game *game, const struct rules *rules, unsigned number,
                 struct play_room *room);

/* The play that this game goes on with by itself. */
const struct play *scene_choice(const struct scene_game *game);

/* Goes on by that play (a copy of it, or one from elsewhere); false when the game is over with
 * it. */
bool scene_play(struct scene_game *game, struct play play);

/* Lists the plays of `now` again, in a room that was used otherwise. */
void scene_list(struct scene_game *game);

struct scene_row {
    const char *id;
    const char *sentence;   /* what the situation is, marked N_ */
    unsigned schools;       /* bit s: it can occur there */
    bool (*is)(const struct scene_row *row, const struct scene_game *game,
               struct play_room *room);
    enum option option; /* `is` scene_matters: the option that decides here */
    int value;          /* and the value under which it would not */
};

enum { SCENE_COUNT = 23, SCENE_TAKES = 6 /* of each, to be asked one after the other */ };

extern const struct scene_row scene_table[SCENE_COUNT];

/* Where the scenes of a variant are. */
struct scene_finds {
    bool looked;
    struct {
        unsigned number[SCENE_TAKES];
        int ply[SCENE_TAKES];
        int count;
    } of[SCENE_COUNT];
};

/* Looks through games until every scene was found often enough, or long enough. */
void scene_find(struct scene_finds *finds, const struct rules *rules);

#endif
