#include "arena/event.h"

#include "base/file.h"
#include "base/lang.h"

enum { THROWS_TEXT_MAX = 256 << 20 };

int event_set_throws(struct event *event, const char *path, struct fail *fail) {
    struct bytes text;
    char why[THROWS_WHY_MAX];
    bytes_init(&text, THROWS_TEXT_MAX);
    int status = file_read(path, &text, fail);
    throws_clear(&event->throws);
    if (status == 0 && throws_read(&event->throws, bytes_text(&text), text.length, why) != 0) {
        status = fail_set(fail, EXIT_CODE_USAGE, "%s: %s", path, why);
    } else if (status == 0 && event->throws.count == 0) {
        status = fail_set(fail, EXIT_CODE_USAGE, _("%s holds no throws"), path);
    } else if (status == 0) {
        throws_seed(&event->throws, event->seed);
        event->source = DICE_RECORDED;
    }
    bytes_clear(&text);
    return status;
}

/* Each unit needs its own throws, and some. */
static int check_units(const struct event *event, int64_t units, struct fail *fail) {
    const struct throws *throws = &event->throws;
    uint32_t count = 1;
    if (units > (int64_t)throws->units) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("the file has throws for %u units, and the event has %lld: the word unit "
                          "begins the next one's"),
                        throws->units, (long long)units);
    }
    for (uint32_t unit = 1; unit <= units; unit++) {
        throws_of_unit(throws, unit, &count);
        if (count == 0) {
            return fail_set(fail, EXIT_CODE_USAGE, _("unit %u of the file has no throws"), unit);
        }
    }
    return 0;
}

/* An operator follows one match at a time. */
static int check_manual(struct event *event, struct fail *fail) {
    if (event->format == FORMAT_ROOM || event->pairing == PAIRING_LOCKSTEP) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("manual dice go with mirrored or independent matches of an event"));
    }
    event->concurrency = 1;
    return 0;
}

int event_settle_throws(struct event *event, struct fail *fail) {
    int64_t entrants = event->entrant_count;
    int64_t units = entrants * (entrants - 1) / 2 * event->pairs;
    if (event->source != DICE_RECORDED) {
        return event->source == DICE_MANUAL ? check_manual(event, fail) : 0;
    }
    if (event->seed[0] == '\0') {
        return fail_set(fail, EXIT_CODE_USAGE, _("recorded dice need a file of throws"));
    }
    if (event->format == FORMAT_ROOM) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("recorded dice go with an event, not with a room"));
    }
    return event->throws.count > 0 ? check_units(event, units, fail) : 0;
}
