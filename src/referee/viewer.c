#include "base/alloc.h"
#include "referee/gallery.h"
#include "referee/inside.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(GALLERY_WATCHES == 32 && GALLERY_DELAY_MAX == 200, "as the sentences say");

bool gallery_join(struct referee *referee, struct session *session) {
    struct gallery *gallery = &referee->gallery;
    if (gallery->viewers >= (size_t)referee->limits.spectators) {
        return false;
    }
    gallery->viewer = alloc_more(gallery->viewer, gallery->viewers, &gallery->room,
                                 sizeof *gallery->viewer);
    gallery->viewer[gallery->viewers++] = session->id;
    session->viewer = alloc_zeroed(1, sizeof *session->viewer);
    return true;
}

void gallery_leave(struct referee *referee, struct session *session) {
    struct gallery *gallery = &referee->gallery;
    if (session->viewer == NULL) {
        return;
    }
    free(session->viewer->behind);
    free(session->viewer);
    session->viewer = NULL;
    for (size_t i = 0; i < gallery->viewers; i++) {
        if (gallery->viewer[i] == session->id) {
            gallery->viewer[i] = gallery->viewer[--gallery->viewers];
        }
    }
    for (size_t slot = 0; slot < gallery->shows.slots; slot++) {
        if (gallery->shows.thing[slot] != NULL) {
            show_unseat(referee, gallery->shows.thing[slot], session);
        }
    }
}

void viewer_dismiss(struct referee *referee, struct session *session, const char *why) {
    gallery_leave(referee, session);
    referee_doom(referee, session, REASON_STALL, why);
}

/* Whether a path is `what` or lies under it. */
static bool is_under(const char *at, const char *what) {
    size_t length = strlen(what);
    return length == 0 ||
           (strncmp(at, what, length) == 0 && (at[length] == '/' || at[length] == '\0'));
}

int viewer_wants(const struct viewer *viewer, const char *at) {
    int delay = -1;
    for (int i = 0; i < viewer->watches; i++) {
        const struct watch_of *watch = &viewer->watch[i];
        if (is_under(at, watch->what) && (delay < 0 || watch->delay < delay)) {
            delay = watch->delay;
        }
    }
    return delay;
}

static bool may_read(const struct referee *referee, const struct session *session) {
    return session->viewer->behind_count > 0 && session->out.length < referee->limits.queue / 2;
}

/* Has the gallery go on soon. */
static void wake(struct referee *referee, int64_t at) {
    if (referee->gallery.timer.place == 0) {
        heap_set(&referee->timers, &referee->gallery.timer, at);
    }
}

void viewer_falls_behind(struct referee *referee, struct session *session, struct place *place,
                         uint32_t show) {
    struct viewer *viewer = session->viewer;
    viewer->behind = alloc_more(viewer->behind, viewer->behind_count, &viewer->behind_room,
                                sizeof *viewer->behind);
    viewer->behind[viewer->behind_count++] = show;
    place->behind = true;
    if (may_read(referee, session)) {
        wake(referee, referee->now);
    }
}

void gallery_sent(struct referee *referee, struct session *session) {
    if (session->viewer != NULL && may_read(referee, session)) {
        wake(referee, referee->now);
    }
}

/* The path that was asked for, "" for all; false when no match can have it. */
static bool read_what(const char *what, char path[GALLERY_AT_MAX]) {
    size_t length = strlen(what);
    if (length == 0 || length >= GALLERY_AT_MAX) {
        return false;
    }
    snprintf(path, GALLERY_AT_MAX, "%s", strcmp(what, "*") == 0 ? "" : what);
    return true;
}

static struct watch_of *find_watch(struct viewer *viewer, const char *path) {
    for (int i = 0; i < viewer->watches; i++) {
        if (strcmp(viewer->watch[i].what, path) == 0) {
            return &viewer->watch[i];
        }
    }
    return NULL;
}

/* Its places follow its watches; those at `path` are counted. */
static size_t look_round(struct referee *referee, struct session *session, const char *path) {
    const struct shelf *shows = &referee->gallery.shows;
    size_t matches = 0;
    for (size_t slot = 0; slot < shows->slots; slot++) {
        struct show *show = shows->thing[slot];
        if (show == NULL || !is_under(show->at, path)) {
            continue;
        }
        int delay = viewer_wants(session->viewer, show->at);
        if (delay < 0) {
            show_unseat(referee, show, session);
            continue;
        }
        matches++;
        if (!show->text.full) {
            show_seat(referee, show, session, delay);
            struct place *place = show_place(show, session->id);
            if (!place->behind) {
                viewer_falls_behind(referee, session, place, show->id);
            }
        }
    }
    return matches;
}

static const char *watch(struct referee *referee, struct session *session, const char *path,
                         int64_t delay) {
    struct viewer *viewer = session->viewer;
    struct watch_of *watch = find_watch(viewer, path);
    if (delay > GALLERY_DELAY_MAX) {
        return "delay: at most 200 plies";
    }
    if (watch == NULL && viewer->watches == GALLERY_WATCHES) {
        return "at most 32 watches; unwatch one";
    }
    watch = watch != NULL ? watch : &viewer->watch[viewer->watches++];
    snprintf(watch->what, sizeof watch->what, "%s", path);
    watch->delay = (int)delay;
    if (look_round(referee, session, path) == 0) {
        struct message note;
        message_init(&note, MESSAGE_NOTE);
        message_set(&note, FIELD_TEXT, "nothing of that name is played now; it is shown when "
                                       "it begins");
        referee_tell(referee, session, &note);
    }
    return NULL;
}

/* Takes out of its list what it has no place at any more, so that the list cannot grow. */
static void forget_unseated(const struct referee *referee, struct session *session) {
    struct viewer *viewer = session->viewer;
    size_t kept = 0;
    for (size_t i = 0; i < viewer->behind_count; i++) {
        const struct show *show = shelf_find(&referee->gallery.shows, viewer->behind[i]);
        if (show != NULL && show_place(show, session->id) != NULL) {
            viewer->behind[kept++] = viewer->behind[i];
        }
    }
    viewer->behind_count = kept;
}

static const char *unwatch(struct referee *referee, struct session *session, const char *path) {
    struct watch_of *watch = find_watch(session->viewer, path);
    if (watch == NULL) {
        return "that is not watched";
    }
    *watch = session->viewer->watch[--session->viewer->watches];
    look_round(referee, session, path);
    forget_unseated(referee, session);
    return NULL;
}

const char *gallery_obey(struct referee *referee, struct session *session,
                         const struct message *message) {
    char path[GALLERY_AT_MAX];
    for (int i = 0; i < GALLERY_COST; i++) { /* looking at every match costs more than a line */
        if (!session_may_talk(session, &referee->limits, referee->now)) {
            return "too many wishes";
        }
    }
    if (session->viewer == NULL || !read_what(message_text(message, FIELD_WHAT), path)) {
        return "no match can have such a name"; /* nor is it watching who has been sent away */
    }
    return message->kind == MESSAGE_UNWATCH
               ? unwatch(referee, session, path)
               : watch(referee, session, path, message_int(message, FIELD_DELAY, 0));
}

/* One viewer goes on with one show after the other while there are room and lines. */
static void catch_up(struct referee *referee, struct session *session, int *lines) {
    struct viewer *viewer = session->viewer;
    while (viewer->behind_count > 0 && *lines > 0) {
        struct show *show =
            shelf_find(&referee->gallery.shows, viewer->behind[viewer->behind_count - 1]);
        struct place *place = show != NULL ? show_place(show, session->id) : NULL;
        if (place != NULL &&
            show_tell(referee, show, place, session, lines) != TOLD_ALL) {
            return;
        }
        viewer->behind_count--;
        if (place != NULL) {
            place->behind = false;
            show_settle(referee, show);
        }
    }
}

void gallery_catch_up(struct referee *referee) {
    struct gallery *gallery = &referee->gallery;
    int lines = GALLERY_TURN;
    bool more = false;
    for (size_t i = 0; i < gallery->viewers; i++) {
        size_t turn = (gallery->turn + i) % gallery->viewers;
        struct session *session = referee_find_session(referee, gallery->viewer[turn]);
        if (lines > 0) {
            catch_up(referee, session, &lines);
            gallery->turn = turn;
        }
        more = more || may_read(referee, session);
    }
    gallery->turn++;
    if (more) {
        wake(referee, referee->now + 1);
    }
}
