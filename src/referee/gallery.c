#include "referee/gallery.h"

#include "base/alloc.h"
#include "referee/table.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWS_MAX = 60000, LINE_MAX_BYTES = 256 * 1024 };

void gallery_init(struct gallery *gallery) {
    for (int spelling = SPELLING_TEXT; spelling <= SPELLING_JSON; spelling++) {
        bytes_init(&gallery->spelled[spelling].line, LINE_MAX_BYTES);
    }
    bytes_init(&gallery->out, LINE_MAX_BYTES);
    gallery->timer = (struct timer){.owner = TIMER_OF_GALLERY};
}

static void show_free(struct gallery *gallery, struct show *show) {
    if (show->kept) {
        gallery->kept -= show->text.length;
    }
    for (int spelling = SPELLING_TEXT; spelling <= SPELLING_JSON; spelling++) {
        if (gallery->spelled[spelling].show == show->id) {
            gallery->spelled[spelling].show = 0; /* the id comes again some day */
        }
    }
    shelf_remove(&gallery->shows, show->id);
    bytes_clear(&show->text);
    free(show->place);
    free(show);
}

void gallery_clear(struct gallery *gallery) {
    for (size_t slot = 0; slot < gallery->shows.slots; slot++) {
        if (gallery->shows.thing[slot] != NULL) {
            show_free(gallery, gallery->shows.thing[slot]);
        }
    }
    shelf_clear(&gallery->shows);
    for (int spelling = SPELLING_TEXT; spelling <= SPELLING_JSON; spelling++) {
        bytes_clear(&gallery->spelled[spelling].line);
    }
    bytes_clear(&gallery->out);
    free(gallery->viewer);
}

/* The path of a match, EVENT/UNIT/LEG: the event's name is its id without the hash. */
static void write_path(char at[GALLERY_AT_MAX], const char *event, const char *unit, int leg) {
    const char *hash = strrchr(event, '#');
    int length = hash != NULL ? (int)(hash - event) : (int)strlen(event);
    snprintf(at, GALLERY_AT_MAX, "%.*s/%s/%d", length, event, unit, leg);
}

/* The one gate of what a spectator sees: whether a line with so many plies up to it may be
 * shown now to somebody who wants to be `delay` plies behind. */
static bool may_show(const struct show *show, uint64_t plies, int delay) {
    return show->over || plies + (uint64_t)delay <= show->plies + show->running;
}

struct place *show_place(const struct show *show, uint32_t session) {
    for (size_t i = 0; i < show->places; i++) {
        if (show->place[i].session == session) {
            return &show->place[i];
        }
    }
    return NULL;
}

/* Whether what is handed out is kept here all the same. */
static bool keeps(const struct show *show) {
    return show->places > 0 || show->referee->hooks.past == NULL;
}

/* What the match's table has written and not handed out yet; NULL: it is over. */
static struct record_writer *writing(const struct show *show) {
    struct table *table = referee_find_table(show->referee, show->table);
    return table != NULL ? &table->record : NULL;
}

/* Bytes of the record so far. */
static size_t show_length(const struct show *show) {
    const struct record_writer *record = writing(show);
    return show->before + show->text.length + (record != NULL ? record->text.length : 0);
}

/* The lines from `offset` on, as far as they lie in a row; 0: there are none, or none here. */
static size_t show_lines(const struct show *show, size_t offset, const char **lines) {
    const struct record_writer *record = writing(show);
    const struct bytes *text = &show->text;
    if (offset < show->before) {
        return 0;
    }
    offset -= show->before;
    if (offset >= text->length && record != NULL) {
        offset -= text->length;
        text = &record->text;
    }
    *lines = text->data + offset;
    return offset < text->length ? text->length - offset : 0;
}

static bool is_ply(const char *line) {
    return strncmp(line, "did ", 4) == 0;
}

/* `did` lines of whole lines. */
static uint64_t count_plies(const char *text, size_t length) {
    uint64_t plies = 0;
    for (const char *end = text + length; text < end;) {
        plies += is_ply(text);
        text = (const char *)memchr(text, '\n', (size_t)(end - text)) + 1;
    }
    return plies;
}

static void show_line(void *owner, const char *line, size_t length);

/* Somebody watches: lines are told as they are written, and what was handed out is asked for. */
static void show_wake(struct referee *referee, struct show *show) {
    struct record_writer *record = writing(show);
    if (record != NULL) {
        show->running = count_plies(record->text.data, record->text.length);
        record_watch(record, show_line, show);
    }
    if (show->before > 0) {
        show->asked++;
        referee->hooks.past(referee->hooks.owner, show->id, show->at);
    }
}

/* Nobody does. */
static void show_doze(struct show *show) {
    struct record_writer *record = writing(show);
    if (record != NULL) {
        record_watch(record, NULL, NULL);
    }
    if (!keeps(show)) {
        show->referee->gallery.kept -= show->kept ? show->text.length : 0;
        show->before += show->text.length;
        bytes_clear(&show->text);
    }
}

void show_seat(struct referee *referee, struct show *show, struct session *session, int delay) {
    struct place *place = show_place(show, session->id);
    if (place != NULL) {
        place->delay = delay;
        return;
    }
    show->place = alloc_more(show->place, show->places, &show->room, sizeof *show->place);
    show->place[show->places++] = (struct place){.session = session->id, .delay = delay};
    if (show->places == 1) {
        show_wake(referee, show);
    }
}

void show_unseat(struct referee *referee, struct show *show, const struct session *session) {
    struct place *place = show_place(show, session->id);
    if (place != NULL) {
        *place = show->place[--show->places];
        if (show->places == 0) {
            show_doze(show);
        }
        show_settle(referee, show);
    }
}

/* The line at `offset` as a viewer reads it: with the name of its match, and the digits of
 * its chain as a field. */
static const struct bytes *spell(struct gallery *gallery, const struct show *show, size_t offset,
                                 struct hash_field line, enum spelling spelling) {
    struct spelled *spelled = &gallery->spelled[spelling];
    if (spelled->show != show->id || spelled->offset != offset) {
        struct message message;
        char why[160];
        size_t bare = line.length - 1 - RECORD_CHAIN_DIGITS;
        enum decoded decoded =
            spelling_decode(SPELLING_TEXT, line.data, bare, KEPT_IN_RECORD, &message, why);
        assert(decoded == DECODED_MESSAGE);
        (void)decoded;
        message_set(&message, FIELD_AT, show->at);
        message_set_bytes(&message, FIELD_DIGITS, (const char *)line.data + bare + 1,
                          RECORD_CHAIN_DIGITS);
        bytes_drop(&spelled->line, spelled->line.length);
        spelling_encode(spelling, &message, &spelled->line);
        spelled->show = show->id;
        spelled->offset = offset;
    }
    return &spelled->line;
}

enum told show_tell(struct referee *referee, struct show *show, struct place *place,
                    struct session *session, int *lines) {
    struct gallery *gallery = &referee->gallery;
    size_t room = referee->limits.queue / 2;
    const char *line;
    for (size_t left; (left = show_lines(show, place->offset, &line)) > 0;) {
        size_t length = (size_t)((const char *)memchr(line, '\n', left) - line);
        uint64_t plies = place->plies + is_ply(line);
        if (!may_show(show, plies, place->delay)) {
            return TOLD_ALL;
        }
        if (session->out.length >= room) {
            return TOLD_FULL;
        }
        if (*lines <= 0) {
            return TOLD_ENOUGH;
        }
        const struct bytes *spelled =
            spell(gallery, show, place->offset, (struct hash_field){line, length},
                  session->spelling);
        bytes_add(&gallery->out, spelled->data, spelled->length);
        referee_tell_bytes(referee, session, &gallery->out);
        place->offset += length + 1;
        place->plies = plies;
        --*lines;
    }
    return TOLD_ALL;
}

/* Tells a place what is new, or leaves it to the viewer's catching up. */
static void tell_place(struct referee *referee, struct show *show, struct place *place) {
    struct session *session = referee_find_session(referee, place->session);
    int lines = GALLERY_DELAY_MAX;
    if (!place->behind && show_tell(referee, show, place, session, &lines) != TOLD_ALL) {
        viewer_falls_behind(referee, session, place, show->id);
    }
}

static void tell_places(struct referee *referee, struct show *show) {
    for (size_t i = 0; i < show->places; i++) {
        tell_place(referee, show, &show->place[i]);
    }
}

/* A line has been written into the record. */
static void show_line(void *owner, const char *line, size_t length) {
    struct show *show = owner;
    (void)length;
    show->running += is_ply(line);
    tell_places(show->referee, show);
}

static void dismiss_all(struct referee *referee, struct show *show, const char *why) {
    while (show->places > 0) {
        viewer_dismiss(referee, referee_find_session(referee, show->place[0].session), why);
    }
}

/* Lines that the table's record does not have, or not for long. */
static void show_add(struct referee *referee, struct show *show, const char *text, size_t length) {
    show->plies += count_plies(text, length);
    if (!keeps(show)) {
        show->before += length;
    } else if (show->text.full || !bytes_add(&show->text, text, length)) {
        dismiss_all(referee, show, "a match has become too long to be watched");
    }
}

void gallery_begin(struct referee *referee, struct table *table, const struct match_spec *spec) {
    struct gallery *gallery = &referee->gallery;
    uint32_t id = referee->limits.spectators == 0 ? 0 : shelf_next_id(&gallery->shows, SHOWS_MAX);
    if (id == 0) {
        return;
    }
    struct show *show = alloc_zeroed(1, sizeof *show);
    show->id = id;
    show->referee = referee;
    write_path(show->at, table->dice.event, table->dice.unit, table->leg);
    bytes_init(&show->text, GALLERY_SHOW_MAX);
    shelf_add(&gallery->shows, id, show);
    if (spec->record != NULL) { /* what an earlier process wrote */
        show_add(referee, show, spec->record, spec->record_length);
    }
    table->show = id;
    show->table = table->id;
    for (size_t i = 0; i < gallery->viewers; i++) {
        struct session *session = referee_find_session(referee, gallery->viewer[i]);
        int delay = viewer_wants(session->viewer, show->at);
        if (delay >= 0) {
            show_seat(referee, show, session, delay);
        }
    }
    tell_places(referee, show);
}

void gallery_turn_page(struct referee *referee, const struct table *table) {
    struct show *show = shelf_find(&referee->gallery.shows, table->show);
    if (table->show != 0 && show != NULL && show->table != 0) {
        show->running = 0;
        show_add(referee, show, table->record.text.data, table->record.text.length);
    }
}

/* What was held back may be seen now: turn by turn, it may be much. */
static void show_open(struct referee *referee, struct show *show) {
    for (size_t i = 0; i < show->places; i++) {
        struct place *place = &show->place[i];
        if (!place->behind && place->offset < show_length(show)) {
            viewer_falls_behind(referee, referee_find_session(referee, place->session), place,
                                show->id);
        }
    }
}

void gallery_end(struct referee *referee, struct table *table) {
    struct show *show = shelf_find(&referee->gallery.shows, table->show);
    if (table->show == 0 || show == NULL) {
        return;
    }
    gallery_turn_page(referee, table);
    record_watch(&table->record, NULL, NULL);
    show->table = 0;
    show->over = true;
    show_open(referee, show);
    show_settle(referee, show);
}

/* Somebody who still reads this show. */
static struct session *laggard(const struct referee *referee, const struct show *show) {
    for (size_t i = 0; i < show->places; i++) {
        if (show->place[i].behind || show->place[i].offset < show->before) {
            return referee_find_session(referee, show->place[i].session);
        }
    }
    return NULL;
}

/* Sends away who still reads what is over, until little enough is kept for them. */
static void shed(struct referee *referee) {
    struct gallery *gallery = &referee->gallery;
    for (size_t slot = 0; slot < gallery->shows.slots; slot++) {
        struct show *show;
        while (gallery->kept > GALLERY_KEPT_MAX && (show = gallery->shows.thing[slot]) != NULL &&
               show->kept) {
            viewer_dismiss(referee, laggard(referee, show), "too slow for what it watches");
        }
    }
}

void show_settle(struct referee *referee, struct show *show) {
    if (!show->over || !show->closed) {
        return;
    }
    if (laggard(referee, show) == NULL) {
        show_free(&referee->gallery, show);
    } else if (!show->kept) {
        show->kept = true;
        referee->gallery.kept += show->text.length;
        shed(referee);
    }
}

void referee_seal_show(struct referee *referee, const struct unit_dice *dice, int leg,
                       const char *text, size_t length) {
    char at[GALLERY_AT_MAX];
    const struct shelf *shows = &referee->gallery.shows;
    write_path(at, dice->event, dice->unit, leg);
    for (size_t slot = 0; slot < shows->slots; slot++) {
        struct show *show = shows->thing[slot];
        if (show != NULL && show->over && !show->closed && strcmp(show->at, at) == 0) {
            show_add(referee, show, text, length);
            tell_places(referee, show);
            show->closed = true;
            show_settle(referee, show);
        }
    }
}

void referee_close_shows(struct referee *referee, const char *event) {
    char at[GALLERY_AT_MAX];
    const struct shelf *shows = &referee->gallery.shows;
    write_path(at, event, "", 0);
    size_t length = strlen(at) - strlen("/0");
    for (size_t slot = 0; slot < shows->slots; slot++) {
        struct show *show = shows->thing[slot];
        if (show != NULL && !show->closed && strncmp(show->at, at, length) == 0) {
            show->closed = true;
            show_settle(referee, show);
        }
    }
}

bool referee_is_show(const char *at, const struct unit_dice *dice, int leg) {
    char path[GALLERY_AT_MAX];
    write_path(path, dice->event, dice->unit, leg);
    return strcmp(at, path) == 0;
}

void referee_show_past(struct referee *referee, uint32_t id, const char *text, size_t length,
                       int64_t now) {
    struct show *show = shelf_find(&referee->gallery.shows, id);
    referee->now = now;
    if (show == NULL || show->asked == 0) {
        return;
    }
    show->asked--;
    if (show->places == 0 || show->before == 0 || (length != show->before && show->asked > 0)) {
        return; /* nobody waits any more, or for another answer */
    }
    struct bytes later = show->text;
    bytes_init(&show->text, later.ceiling);
    bool whole = length == show->before && bytes_add(&show->text, text, length) &&
                 bytes_add(&show->text, later.data, later.length);
    if (show->kept) {
        referee->gallery.kept += show->text.length - later.length;
    }
    show->before = 0;
    show->text.full = !whole;
    bytes_clear(&later);
    if (whole) {
        show_open(referee, show);
    } else {
        dismiss_all(referee, show, "the record so far cannot be read, or is too long");
    }
}
