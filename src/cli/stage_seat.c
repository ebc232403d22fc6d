#include "cli/stage_inside.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SEAT_PER_TURN = 64, /* matches that are seated in one turn */
    SEAT_AHEAD = 2,     /* units whose start is on disk before they are needed, and one more */
    SEAT_AHEAD_OF = 8,  /* for so many matches at once: a commit takes longer than they do */
};

enum seated { SEATED, SEAT_LATER, SEAT_NEVER };

/* With auditable dice it must be on disk that a unit is begun, and that the store rests no
 * more, before a throw of it is seen, or a crash could hide the throw. The next units are
 * marked with it, and the disk is asked while half of those are left. */
static bool start_is_marked(struct stage *stage, const struct unit *unit) {
    bool auditable = stage->event->source == DICE_AUDITABLE;
    uint64_t durable = store_durable(stage->store);
    uint32_t last = schedule_units(stage->event);
    uint32_t ahead = SEAT_AHEAD + (uint32_t)stage->event->concurrency / SEAT_AHEAD_OF;
    uint32_t upto = unit->number + (auditable ? ahead : 0);
    upto = upto < last ? upto : last;
    for (uint32_t number = unit->number; number <= upto; number++) {
        if (stage->start[number] == UINT64_MAX) {
            stage->start[number] = store_put_start(stage->store, number);
        }
    }
    uint32_t soon = unit->number + ahead / 2;
    uint64_t wanted = stage->start[soon < upto ? soon : upto];
    if (auditable && wanted > durable && wanted > stage->hurried) {
        stage->hurried = stage->start[upto];
        store_hurry(stage->store);
    }
    return !auditable || (stage->start[unit->number] <= durable && stage->awake <= durable);
}

static struct bout *bout_new(struct stage *stage, const struct assignment *what) {
    struct bout *bout = alloc_zeroed(1, sizeof *bout);
    bout->what = *what;
    bout->state = BOUT_PLAYS;
    bout->book = book_open(stage, &what->unit);
    bout->next = stage->bouts;
    stage->bouts = bout;
    return bout;
}

static void bouts_sweep(struct stage *stage) {
    struct bout **at = &stage->bouts;
    while (*at != NULL) {
        struct bout *bout = *at;
        if (bout->state == BOUT_OVER) {
            *at = bout->next;
            free(bout);
        } else {
            at = &bout->next;
        }
    }
}

/* The table of the unit's other leg, 0 when it is not at one. */
static uint32_t mate_of(const struct stage *stage, const struct bout *of) {
    for (const struct bout *bout = stage->bouts; bout != NULL; bout = bout->next) {
        if (bout != of && bout->book == of->book && bout->state != BOUT_OVER) {
            return bout->table;
        }
    }
    return 0;
}

void stage_show_mix(struct stage *stage, uint32_t unit) {
    for (const struct bout *bout = stage->bouts; bout != NULL; bout = bout->next) {
        if (bout->what.unit.number == unit && bout->state == BOUT_PLAYS && bout->table != 0) {
            uint8_t receipt[SIGN_BYTES];
            sign_receipt(&store_event(stage->store)->key, &bout->book->digest, receipt);
            referee_mixed(stage->host->referee, bout->table, receipt, loop_now(stage->host->loop));
        }
    }
}

static struct match_spec spec_of(const struct stage *stage, const struct bout *bout) {
    const struct store_event *kept = store_event(stage->store);
    const struct leg *leg = &bout->book->leg[bout->what.leg - 1];
    const struct entrant *entrants = stage->event->entrants;
    bool goes_on = leg->resumed && leg->text.length > 0;
    const struct throws *throws = &stage->event->throws;
    uint32_t throw_count;
    const struct roll *thrown = throws_of_unit(throws, bout->what.unit.number, &throw_count);
    return (struct match_spec){
        .dice = bout->book->dice,
        .source = stage->event->source,
        .leg = bout->what.leg,
        .pairing = pairing_name(stage->event->pairing),
        .rules = stage->event->rules,
        .clock = stage->event->clock,
        .throws = thrown,
        .throw_count = throw_count,
        .throws_hash = &throws->hash,
        .master_commitment = stage->master_commitment,
        .server = "hakem/" HAKEM_VERSION,
        .public_key = kept->key.public_key,
        .date = kept->date,
        .name = {entrants[bout->what.entrant[SIDE_X]].name,
                 entrants[bout->what.entrant[SIDE_Y]].name},
        .command = {entrants[bout->what.entrant[SIDE_X]].shown,
                    entrants[bout->what.entrant[SIDE_Y]].shown},
        .files = {entrants[bout->what.entrant[SIDE_X]].files,
                  entrants[bout->what.entrant[SIDE_Y]].files},
        .record = goes_on ? leg->text.data : NULL,
        .record_length = goes_on ? leg->text.length : 0,
        .mate = mate_of(stage, bout),
        .contributions = stage->event->contributions,
        .mixed = bout->book->mixed ? bout->book->of : NULL,
        .void_running = leg->resumed && stage->event->source == DICE_AUDITABLE &&
                        !store_rests(stage->store),
    };
}

/* Whether an entrant of a match will not play it. */
static bool is_lost(const struct stage *stage, const struct bout *bout, int side,
                    enum reason *why) {
    const struct stage_players *players = &stage->setup.players;
    *why = REASON_ABORTED;
    return bout->cramped[side] || players->lost(players->owner, bout->what.entrant[side],
                                                bout->what.unit.number, why);
}

/* Nobody is there, so that the match is over as soon as it is written down. */
static void give_up(struct stage *stage, struct bout *bout, int64_t now) {
    enum reason why[SIDE_COUNT];
    bool lost[SIDE_COUNT];
    for (int side = 0; side < SIDE_COUNT; side++) {
        lost[side] = is_lost(stage, bout, side, &why[side]);
    }
    if (lost[SIDE_X] && lost[SIDE_Y]) { /* the organiser is at fault only where no bot is */
        enum reason both = why[SIDE_X] == REASON_ABORTED ? why[SIDE_Y] : why[SIDE_X];
        referee_abandon(stage->host->referee, bout->table, both, now);
    } else {
        enum side side = lost[SIDE_X] ? SIDE_X : SIDE_Y;
        referee_forfeit(stage->host->referee, bout->table, side, why[side], now);
    }
}

/* It is at its table: what its leg had kept for that is done with. */
static void bout_settle(struct stage *stage, struct bout *bout) {
    struct leg *leg = &bout->book->leg[bout->what.leg - 1];
    leg->resumed = false;
    if (stage->files == 0) {
        bytes_clear(&leg->text);
    }
}

static enum seated bout_start(struct stage *stage, struct bout *bout, bool reserve, int64_t now) {
    const struct stage_players *players = &stage->setup.players;
    struct leg *leg = &bout->book->leg[bout->what.leg - 1];
    struct match_spec spec = spec_of(stage, bout);
    uint32_t unit = bout->what.unit.number;
    enum reason why_lost;
    bool lost = false;
    for (int side = 0; side < SIDE_COUNT; side++) {
        lost = lost || is_lost(stage, bout, side, &why_lost);
    }
    if (bout->book->ticket > store_durable(stage->store)) {
        return SEAT_LATER; /* what was added to the dice comes first */
    }
    bool empty = lost || spec.void_running;
    for (int side = 0; side < SIDE_COUNT && !empty; side++) {
        spec.session[side] = players->session(players->owner, bout->what.entrant[side], unit);
        leg->session[side] = spec.session[side];
        bout->vacant[side] = spec.session[side] == 0;
        if (bout->vacant[side] && stage->event->format != FORMAT_ROOM) {
            return SEAT_LATER;
        }
    }
    bout->begun = leg->resumed && leg->text.length > 0;
    spec.reserve = reserve && !empty;
    char why[160];
    uint32_t table = referee_seat(stage->host->referee, &spec, now, why);
    if (table == 0) {
        fail_set(&stage->fail, EXIT_CODE_IO, _("the store's record of %s-%d cannot go on: %s"),
                 bout->book->unit.name, bout->what.leg, why);
        return SEAT_NEVER;
    }
    bout->table = table;
    bout->reserved = spec.reserve;
    bout->spec = spec;
    if (bout->reserved) {
        return SEATED;
    }
    bout_settle(stage, bout);
    announce_start(stage, &bout->what);
    if (lost && bout->state == BOUT_PLAYS) {
        give_up(stage, bout, now);
    }
    return SEATED;
}

static void bout_begin(struct stage *stage, struct bout *bout, uint32_t mate, int64_t now) {
    if (bout->reserved) {
        bout->reserved = false;
        bout->spec.mate = mate;
        referee_begin(stage->host->referee, bout->table, &bout->spec, now);
        bout_settle(stage, bout);
    }
}

/* A bot that has one table alone, and nothing runs that could be over: after as long as bots are
 * waited for its pair is lost. True when that is so. */
static bool is_cramped(struct stage *stage, struct bout *first, struct bout *second, int64_t now) {
    const struct stage_players *players = &stage->setup.players;
    bool alone = second->next == first && first->next == NULL;
    if (!first->reserved || !alone) {
        stage->cramped_since = 0;
        return false;
    }
    stage->cramped_since = stage->cramped_since > 0 ? stage->cramped_since : now;
    if (now < stage->cramped_since + stage->event->wait) {
        return false;
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        first->cramped[side] = players->session(players->owner, first->what.entrant[side],
                                                first->what.unit.number) == 0;
        second->cramped[SIDE_Y - side] = first->cramped[side];
    }
    stage->cramped_since = now;
    return first->cramped[SIDE_X] || first->cramped[SIDE_Y];
}

/* Both bouts at once: their seats are reserved before anybody hears of a match. */
static enum seated start_both(struct stage *stage, struct bout *first, struct bout *second,
                              int64_t now) {
    enum seated seated = bout_start(stage, first, true, now);
    if (seated == SEATED && second != NULL) {
        seated = bout_start(stage, second, true, now);
    }
    bool again = seated == SEAT_LATER && second != NULL && is_cramped(stage, first, second, now);
    if (seated != SEATED && first->reserved) {
        referee_unseat(stage->host->referee, first->table);
        first->reserved = false;
        first->table = 0;
    }
    return again ? start_both(stage, first, second, now) : seated;
}

/* Both legs or none: whoever holds one table and waits for another could wait for ever. */
static enum seated seat_both(struct stage *stage, const struct assignment *what, int64_t now) {
    struct assignment other;
    bool two = tournament_next_leg(stage->plan, what, &other);
    struct bout *first = bout_new(stage, what);
    struct bout *second = two ? bout_new(stage, &other) : NULL;
    enum seated seated = start_both(stage, first, second, now);
    if (seated != SEATED) {
        first->state = BOUT_OVER;
        if (two) {
            second->state = BOUT_OVER;
            tournament_put_back(stage->plan, other.unit.number, other.leg);
        }
        return seated;
    }
    stage->cramped_since = 0;
    bout_begin(stage, first, 0, now);
    if (two) {
        bout_begin(stage, second, first->table, now);
    }
    return SEATED;
}

static enum seated seat_one(struct stage *stage, const struct assignment *what, int64_t now) {
    if (!start_is_marked(stage, &what->unit)) {
        return SEAT_LATER;
    }
    if (stage->event->pairing == PAIRING_LOCKSTEP) {
        return seat_both(stage, what, now);
    }
    struct bout *bout = bout_new(stage, what);
    enum seated seated = bout_start(stage, bout, false, now);
    if (seated != SEATED) {
        bout->state = BOUT_OVER;
    }
    return seated;
}

/* Puts players on the empty seats of a running match, or ends it. */
static void bout_fill(struct stage *stage, struct bout *bout, int64_t now) {
    const struct stage_players *players = &stage->setup.players;
    for (int side = 0; side < SIDE_COUNT && bout->state == BOUT_PLAYS; side++) {
        int entrant = bout->what.entrant[side];
        if (!bout->vacant[side]) {
            continue;
        }
        enum reason why;
        if (is_lost(stage, bout, side, &why)) {
            give_up(stage, bout, now);
            return;
        }
        uint32_t session = players->session(players->owner, entrant, bout->what.unit.number);
        if (session != 0 && referee_reseat(stage->host->referee, bout->table, (enum side)side,
                                           session, now) == 0) {
            bout->vacant[side] = false;
            bout->book->leg[bout->what.leg - 1].session[side] = session;
        }
    }
}

/* Goes over the running matches; false while a void is not on disk: its players
 * hold no seat yet, and nobody else may take them. */
static bool bouts_tend(struct stage *stage, int64_t now) {
    bool free_hands = true;
    for (struct bout *bout = stage->bouts; bout != NULL; bout = bout->next) {
        if (bout->state == BOUT_VOIDING && bout->ticket <= store_durable(stage->store)) {
            bout->state = BOUT_PLAYS;
            bout->vacant[SIDE_X] = true;
            bout->vacant[SIDE_Y] = true;
        }
        free_hands = free_hands && bout->state != BOUT_VOIDING;
        if (bout->state == BOUT_PLAYS && (bout->vacant[SIDE_X] || bout->vacant[SIDE_Y])) {
            bout_fill(stage, bout, now);
        }
    }
    bouts_sweep(stage);
    return free_hands;
}

bool stage_seat_all(struct stage *stage, bool closing, int64_t now) {
    const struct stage_players *players = &stage->setup.players;
    bool free_hands = bouts_tend(stage, now);
    int seated = 0;
    closing = closing || stage->paused || stage_luck_is_full(stage);
    while (free_hands && !closing && !stage->failed && !stage->settled && seated < SEAT_PER_TURN &&
           tournament_running(stage->plan) < stage->event->concurrency) {
        struct assignment what;
        if (!tournament_next(stage->plan, players->may_play, players->owner, &what)) {
            stage->settled = true;
            break;
        }
        enum seated how = seat_one(stage, &what, now);
        if (how != SEATED) {
            tournament_put_back(stage->plan, what.unit.number, what.leg);
            stage->failed = how == SEAT_NEVER;
            break;
        }
        seated++;
        free_hands = stage->bouts == NULL || stage->bouts->state != BOUT_VOIDING;
    }
    bouts_sweep(stage);
    return seated == SEAT_PER_TURN;
}
