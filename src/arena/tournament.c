#include "arena/tournament.h"

#include "arena/pairings.h"
#include "arena/standings.h"
#include "base/alloc.h"
#include "base/log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_UNITS = 256, LEGS_MAX = 2 };

enum match_state { MATCH_PENDING, MATCH_RUNNING, MATCH_DONE };

/* One match. Faults are bits: reason and side, so that a match lost by the fault
 * that already lost its last game is not counted twice. */
struct slot {
    struct match_row row; /* valid when done */
    uint32_t game_faults;
    uint32_t match_faults;
    uint8_t state;
    bool begun;  /* game rows exist */
    bool voided; /* one of its games was void */
};

struct chunk {
    struct slot slot[CHUNK_UNITS][LEGS_MAX];
    bool started[CHUNK_UNITS]; /* start mark of an earlier run */
};

struct tournament {
    const struct event *event;
    uint32_t units;              /* that are to be played */
    uint32_t scheduled;          /* the same before a cut */
    int legs;
    struct chunk **chunk;        /* made when first touched */
    struct pairings pairings;    /* none of a room */
    uint32_t first; /* of a room: no unit before it is pending */
    uint64_t finished;
    int running;
    struct standings standings;
    uint8_t *asked; /* [entrants] answers of may_play within one call */
};

static struct slot *slot_of(struct tournament *tournament, uint32_t unit, int leg) {
    uint32_t at = (unit - 1) / CHUNK_UNITS;
    if (tournament->chunk[at] == NULL) {
        tournament->chunk[at] = alloc_zeroed(1, sizeof **tournament->chunk);
    }
    return &tournament->chunk[at]->slot[(unit - 1) % CHUNK_UNITS][leg - 1];
}

/* The slot when anything is known of that match, else NULL. */
static const struct slot *slot_seen(const struct tournament *tournament, uint32_t unit, int leg) {
    const struct chunk *chunk = tournament->chunk[(unit - 1) / CHUNK_UNITS];
    return chunk != NULL ? &chunk->slot[(unit - 1) % CHUNK_UNITS][leg - 1] : NULL;
}

struct tournament *tournament_new(const struct event *event) {
    struct tournament *tournament = alloc_zeroed(1, sizeof *tournament);
    uint32_t entrants = (uint32_t)event->entrant_count;
    bool room = event->format == FORMAT_ROOM;
    tournament->event = event;
    tournament->units = tournament->scheduled = schedule_units(event);
    pairings_init(&tournament->pairings, room ? 0 : entrants * (entrants - 1) / 2);
    tournament->legs = event->pairing != PAIRING_INDEPENDENT ? LEGS_MAX : 1;
    tournament->first = 1;
    tournament->chunk =
        alloc_zeroed(tournament->units / CHUNK_UNITS + 1, sizeof *tournament->chunk);
    tournament->asked = alloc_zeroed(entrants, 1);
    standings_init(&tournament->standings, event->entrant_count);
    for (uint32_t index = 0; index < tournament->pairings.count; index++) {
        struct pairing_queue *pairing = &tournament->pairings.pairing[index];
        struct unit unit = schedule_unit(event, index + 1);
        pairing->next = schedule_match_number(event, unit.number, 1);
        pairing->player[0] = unit.player[0];
        pairing->player[1] = unit.player[1];
        pairings_link(&tournament->pairings, index);
    }
    return tournament;
}

void tournament_grow(struct tournament *tournament) {
    uint32_t units = schedule_units(tournament->event);
    uint32_t had = tournament->units / CHUNK_UNITS + 1;
    uint32_t need = units / CHUNK_UNITS + 1;
    int entrants = tournament->event->entrant_count;
    if (need > had) {
        tournament->chunk =
            alloc_resize(tournament->chunk, need, sizeof(struct chunk *));
        memset(tournament->chunk + had, 0, (need - had) * sizeof(struct chunk *));
    }
    tournament->units = tournament->scheduled = units;
    if (entrants > tournament->standings.count) {
        standings_grow(&tournament->standings, entrants);
        tournament->asked = alloc_resize(tournament->asked, (size_t)entrants, 1);
    }
}

void tournament_free(struct tournament *tournament) {
    if (tournament == NULL) {
        return;
    }
    for (uint32_t at = 0; at <= tournament->scheduled / CHUNK_UNITS; at++) {
        free(tournament->chunk[at]);
    }
    standings_clear(&tournament->standings);
    free(tournament->chunk);
    pairings_clear(&tournament->pairings);
    free(tournament->asked);
    free(tournament);
}

/* Whether such a match is in the schedule; a row of another one is passed over. */
static bool is_scheduled(const struct tournament *tournament, uint32_t unit, int leg) {
    bool known = unit >= 1 && unit <= tournament->units && leg >= 1 && leg <= tournament->legs;
    if (!known) {
        log_line(LOG_LEVEL_WARN, "tournament passes-over unit=%u leg=%d reason=not-scheduled",
                 (unsigned)unit, leg);
    }
    return known;
}

void tournament_load_start(struct tournament *tournament, uint32_t unit) {
    if (is_scheduled(tournament, unit, 1)) {
        slot_of(tournament, unit, 1);
        tournament->chunk[(unit - 1) / CHUNK_UNITS]->started[(unit - 1) % CHUNK_UNITS] = true;
    }
}

static uint32_t fault_bit(enum reason reason, int side) {
    return 1U << ((unsigned)reason * SIDE_COUNT + (unsigned)side);
}

void tournament_add_game(struct tournament *tournament, const struct game_row *row) {
    if (!is_scheduled(tournament, row->unit, row->leg)) {
        return;
    }
    struct slot *slot = slot_of(tournament, row->unit, row->leg);
    struct unit unit = schedule_unit(tournament->event, row->unit);
    int entrant[SIDE_COUNT] = {schedule_entrant(&unit, row->leg, SIDE_X),
                               schedule_entrant(&unit, row->leg, SIDE_Y)};
    slot->begun = true;
    slot->voided = slot->voided || row->reason == REASON_VOID;
    standings_add_game(&tournament->standings, entrant, row);
    if (row->offender < 0) {
        return;
    }
    uint32_t bit = fault_bit(row->reason, row->offender);
    if ((slot->match_faults & bit) != 0) {
        /* The match's row came first and counted this very fault. */
        slot->match_faults &= ~bit;
    } else {
        standings_add_fault(&tournament->standings, entrant[row->offender], row->reason);
    }
    slot->game_faults |= bit;
}

void tournament_load_game(struct tournament *tournament, const struct game_row *row) {
    tournament_add_game(tournament, row);
}

static void add_match_fault(struct tournament *tournament, struct slot *slot) {
    const struct match_row *row = &slot->row;
    if (row->offender < 0) {
        return;
    }
    uint32_t bit = fault_bit(row->reason, row->offender);
    if ((slot->game_faults & bit) == 0) {
        slot->match_faults |= bit;
        standings_add_fault(&tournament->standings, row->entrant[row->offender], row->reason);
    }
}

/* The unit counts when its last match has ended. */
static void add_unit(struct tournament *tournament, uint32_t unit) {
    const struct match_row *leg[LEGS_MAX];
    bool mirrored = true;
    for (int i = 0; i < tournament->legs; i++) {
        const struct slot *slot = slot_of(tournament, unit, i + 1);
        if (slot->state != MATCH_DONE) {
            return;
        }
        leg[i] = &slot->row;
        mirrored = mirrored && !slot->voided;
    }
    standings_add_unit(&tournament->standings, &tournament->event->rules, leg, tournament->legs,
                       mirrored);
}

static void finish_match(struct tournament *tournament, struct slot *slot,
                         const struct match_row *row) {
    slot->state = MATCH_DONE;
    slot->row = *row;
    tournament->finished++;
    add_unit(tournament, row->unit);
    add_match_fault(tournament, slot);
}

void tournament_load_match(struct tournament *tournament, const struct match_row *row) {
    if (!is_scheduled(tournament, row->unit, row->leg)) {
        return;
    }
    struct slot *slot = slot_of(tournament, row->unit, row->leg);
    assert(slot->state == MATCH_PENDING);
    finish_match(tournament, slot, row);
}

void tournament_add_match(struct tournament *tournament, const struct match_row *row) {
    struct slot *slot = slot_of(tournament, row->unit, row->leg);
    assert(slot->state == MATCH_RUNNING);
    tournament->running--;
    finish_match(tournament, slot, row);
}

/* Moves a pairing on to its next pending match; false when none is left. */
static bool advance(const struct tournament *tournament, struct pairing_queue *pairing) {
    for (;;) {
        uint32_t unit;
        int leg;
        schedule_match_at(tournament->event, pairing->next, &unit, &leg);
        if (unit > tournament->units) {
            return false;
        }
        const struct slot *slot = slot_seen(tournament, unit, leg);
        if (slot == NULL || slot->state == MATCH_PENDING) {
            return true;
        }
        if (leg < tournament->legs) {
            pairing->next++;
        } else {
            unit += tournament->pairings.count;
            pairing->next = schedule_match_number(tournament->event, unit, 1);
        }
    }
}

/* The answers of one call of tournament_next. */
struct asking {
    bool (*may_play)(void *owner, int entrant);
    void *owner;
    uint8_t *asked; /* 0 not yet, 1 no, 2 yes */
};

static bool has_room(const struct asking *asking, int entrant) {
    uint8_t *answer = &asking->asked[entrant];
    if (*answer == 0) {
        *answer = asking->may_play(asking->owner, entrant) ? 2 : 1;
    }
    return *answer == 2;
}

static void assign(struct tournament *tournament, uint64_t match, struct assignment *out) {
    uint32_t number;
    schedule_match_at(tournament->event, match, &number, &out->leg);
    struct slot *slot = slot_of(tournament, number, out->leg);
    const struct chunk *chunk = tournament->chunk[(number - 1) / CHUNK_UNITS];
    slot->state = MATCH_RUNNING;
    tournament->running++;
    out->unit = schedule_unit(tournament->event, number);
    out->entrant[SIDE_X] = schedule_entrant(&out->unit, out->leg, SIDE_X);
    out->entrant[SIDE_Y] = schedule_entrant(&out->unit, out->leg, SIDE_Y);
    out->begun = slot->begun || chunk->started[(number - 1) % CHUNK_UNITS];
}

bool tournament_next_leg(struct tournament *tournament, const struct assignment *first,
                         struct assignment *out) {
    int leg = first->leg == 1 ? 2 : 1;
    if (leg > tournament->legs ||
        slot_of(tournament, first->unit.number, leg)->state != MATCH_PENDING) {
        return false;
    }
    assign(tournament, schedule_match_number(tournament->event, first->unit.number, leg), out);
    return true;
}

/* A room's units are played as they were drawn. */
static bool next_drawn(struct tournament *tournament, const struct asking *asking,
                       struct assignment *out) {
    bool all = true; /* before this one, none is pending */
    for (uint32_t unit = tournament->first; unit <= tournament->units; unit++) {
        const struct slot *slot = slot_seen(tournament, unit, 1);
        bool pending = slot == NULL || slot->state == MATCH_PENDING;
        all = all && !pending;
        tournament->first = all ? unit + 1 : tournament->first;
        const int *player = tournament->event->drawn[unit - 1].player;
        if (pending && has_room(asking, player[SIDE_X]) && has_room(asking, player[SIDE_Y])) {
            assign(tournament, unit, out);
            return true;
        }
    }
    return false;
}

bool tournament_next(struct tournament *tournament, bool (*may_play)(void *owner, int entrant),
                     void *owner, struct assignment *out) {
    struct asking asking = {may_play, owner, tournament->asked};
    memset(tournament->asked, 0, (size_t)tournament->event->entrant_count);
    if (tournament->event->format == FORMAT_ROOM) {
        return next_drawn(tournament, &asking, out);
    }
    struct pairings *pairings = &tournament->pairings;
    for (int64_t at = pairings->head, after; at != PAIRINGS_END; at = after) {
        struct pairing_queue *pairing = &pairings->pairing[at];
        uint64_t was = pairing->next;
        after = pairing->after;
        if (!advance(tournament, pairing)) {
            pairings_unlink(pairings, (uint32_t)at);
        } else if (pairing->next != was && after != PAIRINGS_END &&
                   pairings->pairing[after].next < pairing->next) {
            pairings_unlink(pairings, (uint32_t)at);
            pairings_link(pairings, (uint32_t)at);
        } else if (has_room(&asking, pairing->player[0]) && has_room(&asking, pairing->player[1])) {
            assign(tournament, pairing->next, out);
            return true;
        }
    }
    return false;
}

void tournament_put_back(struct tournament *tournament, uint32_t unit, int leg) {
    struct slot *slot = slot_of(tournament, unit, leg);
    assert(slot->state == MATCH_RUNNING);
    slot->state = MATCH_PENDING;
    tournament->running--;
    if (tournament->event->format == FORMAT_ROOM) {
        tournament->first = unit < tournament->first ? unit : tournament->first;
        return;
    }
    uint32_t index = (unit - 1) % tournament->pairings.count;
    struct pairing_queue *pairing = &tournament->pairings.pairing[index];
    uint64_t number = schedule_match_number(tournament->event, unit, leg);
    if (pairing->listed && pairing->next <= number) {
        return;
    }
    if (pairing->listed) {
        pairings_unlink(&tournament->pairings, index);
    }
    pairing->next = number;
    pairings_link(&tournament->pairings, index);
}

static bool is_begun(const struct tournament *tournament, uint32_t unit) {
    const struct chunk *chunk = tournament->chunk[(unit - 1) / CHUNK_UNITS];
    uint32_t at = (unit - 1) % CHUNK_UNITS;
    bool begun = chunk != NULL && chunk->started[at];
    for (int leg = 0; leg < tournament->legs && chunk != NULL; leg++) {
        const struct slot *slot = &chunk->slot[at][leg];
        begun = begun || slot->begun || slot->state != MATCH_PENDING;
    }
    return begun;
}

void tournament_cut(struct tournament *tournament, uint32_t least) {
    while (tournament->units > least && !is_begun(tournament, tournament->units)) {
        tournament->units--;
    }
}

bool tournament_unit_over(const struct tournament *tournament, uint32_t unit,
                          struct hash heads[SIDE_COUNT]) {
    for (int leg = 1; leg <= tournament->legs; leg++) {
        const struct match_row *row = tournament_match(tournament, unit, leg);
        if (row == NULL) {
            return false;
        }
        heads[leg - 1] = row->head;
    }
    return true;
}

uint32_t tournament_units(const struct tournament *tournament) {
    return tournament->units;
}

uint64_t tournament_matches(const struct tournament *tournament) {
    return (uint64_t)tournament->units * (uint64_t)tournament->legs;
}

uint64_t tournament_finished(const struct tournament *tournament) {
    return tournament->finished;
}

int tournament_running(const struct tournament *tournament) {
    return tournament->running;
}

void tournament_set_running(struct tournament *tournament, int running) {
    tournament->running = running;
}

bool tournament_over(const struct tournament *tournament) {
    return tournament->finished == tournament_matches(tournament);
}

const struct match_row *tournament_match(const struct tournament *tournament, uint32_t unit,
                                         int leg) {
    const struct slot *slot = slot_seen(tournament, unit, leg);
    return slot != NULL && slot->state == MATCH_DONE ? &slot->row : NULL;
}

const struct standings *tournament_standings(const struct tournament *tournament) {
    return &tournament->standings;
}
