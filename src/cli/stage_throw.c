/* Manual dice: the throw that a stage's match waits for. */
#include "cli/stage_inside.h"

bool stage_awaits_throw(const struct stage *stage, struct stage_throw *out) {
    const struct entrant *entrants = stage->event->entrants;
    for (const struct bout *bout = stage->bouts; bout != NULL; bout = bout->next) {
        if (bout->table != 0 && bout->state == BOUT_PLAYS &&
            referee_awaits_throw(stage->host->referee, bout->table, &out->facts)) {
            out->table = bout->table;
            out->unit = bout->what.unit.number;
            out->leg = bout->what.leg;
            for (int side = 0; side < SIDE_COUNT; side++) {
                out->name[side] = entrants[bout->what.entrant[side]].name;
            }
            return true;
        }
    }
    return false;
}

void stage_throw(const struct stage *stage, const struct stage_throw *of,
                 const struct roll *roll, int64_t now) {
    referee_throw(stage->host->referee, of->table, roll, now);
}

void stage_rethrow(const struct stage *stage, const struct stage_throw *of,
                   enum throw_flaw flaw, int64_t now) {
    referee_rethrow(stage->host->referee, of->table, flaw, now);
}
