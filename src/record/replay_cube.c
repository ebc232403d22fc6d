#include "record/fact.h"
#include "record/replay_inside.h"

#include <string.h>

/* A resignation says its kind, and the throw where there is one: without it the side was
 * asked before the throw, and that is only who may double. */
static int read_resignation(struct replay *replay, const struct message *message,
                            struct replay_ply *ply, char *why) {
    const struct rules *rules = &replay->header.rules;
    ply->kind = kind_find(rules, message_text(message, FIELD_KIND));
    ply->thrown = message_has(message, FIELD_THROW);
    ply->known = replay->shown;
    if (!resign_may(rules, &replay->now, ply->kind)) {
        return fact_refuse(why, "%s cannot resign here with kind=%.20s",
                           side_name((int)ply->seat), message_text(message, FIELD_KIND));
    }
    if (!ply->thrown) {
        bool asked = (cube_may(rules, &replay->match, &replay->now) & ACT_DOUBLE) != 0;
        return asked || replay->header.source == DICE_IMPORTED
                   ? 0
                   : fact_refuse(why, "throw= is missing: which throw was in force?");
    }
    if (replay_read_throw(replay, message, FIELD_THROW, ply->dice, why) != 0) {
        return -1;
    }
    cube_do(&replay->now, ACT_ROLL, 0);
    memcpy(replay->dice, ply->dice, sizeof replay->dice);
    replay->shown = true;
    return 0;
}

int replay_read_act(struct replay *replay, const struct message *message, struct replay_ply *ply,
                    char *why) {
    const char *word = message_text(message, FIELD_DEED);
    unsigned may = cube_may(&replay->header.rules, &replay->match, &replay->now);
    ply->act = (enum act)act_find(word, strlen(word));
    if ((may & (unsigned)ply->act) == 0) {
        return fact_refuse(why, "%s may not %s here", side_name((int)ply->seat), word);
    }
    if (fact_require_text(message, FIELD_PLAY, "", why) != 0) {
        return -1;
    }
    if (ply->act == ACT_RESIGN) {
        if (read_resignation(replay, message, ply, why) != 0) {
            return -1;
        }
    } else if (fact_require_text(message, FIELD_KIND, "", why) != 0 ||
               fact_require_text(message, FIELD_THROW, "", why) != 0) {
        return -1;
    }
    cube_do(&replay->now, ply->act, ply->kind);
    ply->value = replay->now.cube.offer;
    if (ply->act == ACT_DROP || ply->act == ACT_ACCEPT) {
        replay->state = REPLAY_YIELDED;
    }
    return 0;
}
