/* The gallery: matches as spectators see them. Inside the referee only.
 *
 * A show is the record of one match so far, from its first line until it is sealed and everybody
 * who watches has it, and only where spectators are let in at all. The piece that is being written
 * is read where it is written; what was handed out is asked for again when somebody comes to
 * watch (hooks.past), and kept only while somebody does. A viewer is a
 * session that plays nowhere; it has a place at each show that it watches: how far it has
 * read. What does not fit into its queue waits in the show, not for the viewer alone, so that
 * a slow one costs no memory of its own; who is still behind when too much has been kept for
 * the slow is sent away. gallery.c has the shows, viewer.c who sits before them.
 */
#ifndef HAKEM_REFEREE_GALLERY_H
#define HAKEM_REFEREE_GALLERY_H

#include "base/bytes.h"
#include "dice/scheme.h"
#include "referee/heap.h"
#include "referee/shelf.h"
#include "wire/spelling.h"

enum {
    GALLERY_AT_MAX = EVENT_NAME_MAX + UNIT_NAME_MAX + 4, /* bytes of EVENT/UNIT/LEG */
    GALLERY_WATCHES = 32,       /* of one viewer */
    GALLERY_DELAY_MAX = 200,    /* plies */
    GALLERY_SHOW_MAX = 16 << 20, /* bytes of one record */
    GALLERY_KEPT_MAX = 4 << 20, /* bytes of finished records that only the slow still need */
    GALLERY_TURN = 256,         /* lines caught up in one turn, by all viewers together */
    GALLERY_COST = 10,          /* unasked lines that a `watch` counts for: it looks around */
};

struct match_spec;
struct referee;
struct session;
struct table;

/* How far a viewer has read a show. */
struct place {
    uint32_t session;
    int delay;      /* plies */
    size_t offset;  /* of the next line */
    uint64_t plies; /* before it */
    bool behind;    /* is in the viewer's list: its lines come turn by turn */
};

/* A match as it is watched. */
struct show {
    uint32_t id;
    struct referee *referee;
    char at[GALLERY_AT_MAX]; /* EVENT/UNIT/LEG */
    uint32_t table;          /* whose record has the lines behind `text`; 0: none has */
    size_t before;           /* bytes of the record before `text`: handed out, and not here */
    struct bytes text;       /* whole lines */
    unsigned asked;          /* how often for what is before, without an answer yet */
    uint64_t plies;          /* `did` lines before those of the table's record, */
    uint64_t running;        /* and of those, while somebody watches */
    bool over;               /* the match has ended: nothing is delayed any more */
    bool closed;             /* no line will follow */
    bool kept;               /* counted in the gallery's `kept` */
    struct place *place;
    size_t places, room;
};

/* What a viewer asked to see: whatever stands under a path. */
struct watch_of {
    char what[GALLERY_AT_MAX]; /* "" everything */
    int delay;
};

struct viewer {
    struct watch_of watch[GALLERY_WATCHES];
    int watches;
    uint32_t *behind; /* shows of which it has to catch up */
    size_t behind_count, behind_room;
};

struct gallery {
    struct shelf shows;
    uint32_t *viewer; /* sessions */
    size_t viewers, room;
    size_t turn;        /* which viewer is first to catch up */
    size_t kept;        /* bytes of closed shows that somebody still reads */
    struct timer timer; /* when somebody is to catch up */
    struct spelled {    /* the last line told in each spelling: many want the same */
        uint32_t show;
        size_t offset;
        struct bytes line;
    } spelled[2];
    struct bytes out; /* a line on its way into a queue */
};

void gallery_init(struct gallery *gallery);
void gallery_clear(struct gallery *gallery);

/* A match begins or goes on: from now on each line of its record is shown. */
void gallery_begin(struct referee *referee, struct table *table, const struct match_spec *spec);

/* What the table's record has is handed out, and goes from there. */
void gallery_turn_page(struct referee *referee, const struct table *table);

/* The match has ended; its last lines come when its unit is sealed. */
void gallery_end(struct referee *referee, struct table *table);

/* Lets a spectator in; false when there is no room, or nobody may watch. */
bool gallery_join(struct referee *referee, struct session *session);

/* A viewer is gone. */
void gallery_leave(struct referee *referee, struct session *session);

/* Does as its `watch` or `unwatch` asks; NULL, or what is wrong with that. */
const char *gallery_obey(struct referee *referee, struct session *session,
                         const struct message *message);

/* The kernel has taken some of a viewer's output: there may be room for more. */
void gallery_sent(struct referee *referee, struct session *session);

/* Those who are behind catch up, a turn's worth. */
void gallery_catch_up(struct referee *referee);

/* gallery.c, for viewer.c: gives a viewer a place, takes it away, and finds it. */
void show_seat(struct referee *referee, struct show *show, struct session *session, int delay);
void show_unseat(struct referee *referee, struct show *show, const struct session *session);
struct place *show_place(const struct show *show, uint32_t session);

/* How telling a place its next lines ended. */
enum told { TOLD_ALL, TOLD_FULL, TOLD_ENOUGH };

/* gallery.c: tells the lines that may be shown now, `lines` at most (counted down). */
enum told show_tell(struct referee *referee, struct show *show, struct place *place,
                    struct session *session, int *lines);

/* gallery.c: frees the show when it is over and nobody needs it. */
void show_settle(struct referee *referee, struct show *show);

/* viewer.c: what it wants of a show: plies of delay, -1: nothing. */
int viewer_wants(const struct viewer *viewer, const char *at);

/* viewer.c: a show has lines that do not fit into the queue, or that are many. */
void viewer_falls_behind(struct referee *referee, struct session *session, struct place *place,
                         uint32_t show);

/* viewer.c: a viewer is sent away. */
void viewer_dismiss(struct referee *referee, struct session *session, const char *why);

#endif
