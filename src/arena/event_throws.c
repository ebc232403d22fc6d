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
    } else if (status == 0) {
        throws_seed(&event->throws, event->seed);
        event->source = DICE_RECORDED;
    }
    bytes_clear(&text);
    return status;
}

int event_check_throws(const struct event *event, struct fail *fail) {
    int64_t entrants = event->entrant_count;
    int64_t units = entrants * (entrants - 1) / 2 * event->pairs;
    if (event->source != DICE_RECORDED) {
        return 0;
    }
    if (event->seed[0] == '\0') {
        return fail_set(fail, EXIT_CODE_USAGE, _("recorded dice need a file of throws"));
    }
    if (event->format == FORMAT_ROOM) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("recorded dice go with an event, not with a room"));
    }
    if (event->throws.count > 0 && units > (int64_t)event->throws.units) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("the file has throws for %u units, and the event has %lld: the word unit "
                          "begins the next one's"),
                        event->throws.units, (long long)units);
    }
    return 0;
}
