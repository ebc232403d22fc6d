#include "cli/progress.h"

#include "arena/estimate_report.h"
#include "arena/fortune.h"
#include "arena/grid.h"
#include "base/lang.h"
#include "cli/copies.h"

#include <stdio.h>
#include <string.h>

enum {
    PROGRESS_LIVE = 250,    /* ms between two drawings */
    PROGRESS_FIRST = 1000,  /* ms to the first line in a pipe */
    PROGRESS_LEAST = 5000,  /* ms between two of them, which grows with the event */
    PROGRESS_MOST = 60000,
    PROGRESS_SHARE = 20,    /* one line for each such part of the time so far */
    PROGRESS_TEXT_MAX = 4 << 20,
    PROGRESS_PAGE_LEAST = 40, /* characters of the last page, if the terminal has them */
    PROGRESS_PAGE_MOST = 120,
    PROGRESS_BAR = 20,      /* characters of the bar, where there is room for it */
};

static struct report_view view_of(const struct progress *progress, enum report_state state) {
    return (struct report_view){.event = stage_event(progress->stage),
                                .tournament = stage_shown(progress->stage),
                                .fortune = stage_fortune(progress->stage),
                                .state = state,
                                .turkish = lang_is_turkish()};
}

static void put_text(struct bytes *text) {
    fwrite(text->data, 1, text->length, stdout);
    fflush(stdout);
    bytes_clear(text);
}

static int64_t games_of(const struct progress *progress) {
    return standings_games(tournament_standings(stage_shown(progress->stage)));
}

static struct tempo tempo_of(const struct progress *progress) {
    const struct tournament *shown = stage_shown(progress->stage);
    return (struct tempo){
        .ms = loop_clock() - progress->began,
        .last = progress->last - progress->began,
        .matches = tournament_finished(shown) - progress->matches_then,
        .games = (uint64_t)(games_of(progress) - progress->games_then),
    };
}

static void begin_text(const struct progress *progress) {
    const struct event *event = stage_event(progress->stage);
    const struct tournament *shown = stage_shown(progress->stage);
    bool money = event->rules.value[OPTION_MATCH] == 0;
    printf(money ? _("%s: %s, money sessions of %d games, %d bots, %lld sessions\nkept in %s\n")
                 : _("%s: %s, match to %d, %d bots, %lld matches\nkept in %s\n"),
           event->name, event->rules.variant->name,
           event->rules.value[money ? OPTION_GAMES : OPTION_MATCH], event->entrant_count,
           (long long)tournament_matches(shown), stage_folder(progress->stage));
    if (tournament_finished(shown) > 0 && !tournament_over(shown)) {
        printf(_("goes on after %lld finished matches\n"),
               (long long)tournament_finished(shown));
    }
    fflush(stdout);
}

void progress_begin(struct progress *progress, const struct stage *stage) {
    *progress = (struct progress){
        .stage = stage,
        .began = loop_clock(),
        .matches_then = tournament_finished(stage_shown(stage)),
    };
    progress->matches_seen = progress->matches_then;
    progress->last = progress->began;
    progress->games_then = games_of(progress);
    live_init(&progress->live);
    begin_text(progress);
    progress->next = progress->began + (progress->live.can ? PROGRESS_LIVE : PROGRESS_FIRST);
}

/* Written anew when a fiftieth more is known: it is a pass over all that was played. */
static void update_luck(struct progress *progress) {
    struct report_view view = view_of(progress, REPORT_RUNNING);
    if (view.fortune == NULL ||
        view.fortune->games <= progress->luck_games + progress->luck_games / 50) {
        return;
    }
    struct bytes brief;
    bytes_init(&brief, PROGRESS_LUCK_MAX);
    estimate_write_brief(&view, &brief);
    text_copy(progress->luck, sizeof progress->luck, bytes_text(&brief), brief.length);
    progress->luck_games = view.fortune->games;
    bytes_clear(&brief);
}

/* How far it is, how fast, and how long it will take. */
static void add_status(const struct progress *progress, struct bytes *out) {
    const struct tournament *shown = stage_shown(progress->stage);
    struct tempo tempo = tempo_of(progress);
    int64_t left = tempo_left(&tempo, shown);
    long long seconds = (long long)left / 1000;
    bytes_print(out, _("%lld of %lld matches"), (long long)tournament_finished(shown),
                (long long)tournament_matches(shown));
    if (tempo.games > 0 && tempo.ms > 0) {
        bytes_print(out, _(", %lld games, %.1f a second"), (long long)games_of(progress),
                    1000 * (double)tempo.games / (double)tempo.ms);
    }
    if (left >= 0) {
        bytes_print(out, _(", %lld:%02lld:%02lld left"), seconds / 3600, seconds / 60 % 60,
                    seconds % 60);
    } else if (tempo.matches > 0) {
        bytes_print(out, _(", no match has ended for %lld s"),
                    (long long)(tempo.ms - tempo.last) / 1000);
    }
}

/* The bar stands before the status if both fit. */
static void add_head(const struct progress *progress, int width, struct bytes *out) {
    const struct tournament *shown = stage_shown(progress->stage);
    uint64_t matches = tournament_matches(shown);
    uint64_t done = matches > 0 ? tournament_finished(shown) * PROGRESS_BAR / matches : 0;
    struct bytes status;
    bytes_init(&status, PROGRESS_TEXT_MAX);
    add_status(progress, &status);
    if (grid_width(bytes_text(&status)) + PROGRESS_BAR + sizeof "[] " <= (size_t)width) {
        bytes_add_text(out, "[");
        for (uint64_t i = 0; i < PROGRESS_BAR; i++) {
            bytes_add_text(out, i < done ? "=" : " ");
        }
        bytes_add_text(out, "] ");
    }
    bytes_add(out, status.data, status.length);
    bytes_add_text(out, "\n");
    bytes_clear(&status);
}

/* The table's head and so many rows of it that `lines` suffice; says how many are left out. */
static void add_table(const struct progress *progress, int width, int lines, struct bytes *out) {
    struct report_view view = view_of(progress, REPORT_RUNNING);
    struct bytes table;
    view.width = width;
    bytes_init(&table, PROGRESS_TEXT_MAX);
    report_elo_table(&view, &table);
    int rows = 0;
    size_t at = 0, cut = 0;
    while (at < table.length) {
        at += (size_t)((const char *)memchr(table.data + at, '\n', table.length - at) -
                       (table.data + at)) + 1;
        cut = ++rows < lines ? at : cut;
    }
    if (rows <= lines) {
        bytes_add(out, table.data, table.length);
    } else if (lines > 1) {
        bytes_add(out, table.data, cut);
        bytes_print(out, _("and %d more\n"), rows - lines + 1);
    }
    bytes_clear(&table);
}

static void draw(struct progress *progress) {
    struct bytes text;
    int width, height;
    int faults = 0;
    live_size(&width, &height);
    while (faults < PROGRESS_FAULTS && progress->fault[faults][0] != '\0') {
        faults++;
    }
    faults = height > 2 * faults + 2 ? faults : 0;
    bytes_init(&text, PROGRESS_TEXT_MAX);
    add_head(progress, width, &text);
    bool luck = progress->luck[0] != '\0' && grid_width(progress->luck) <= (size_t)width &&
                height > faults + 6;
    if (luck) {
        bytes_print(&text, "%s\n", progress->luck);
    }
    add_table(progress, width, height - 2 - faults - luck, &text);
    for (int i = faults - 1; i >= 0; i--) {
        bytes_print(&text, LIVE_ALARM "%s\n", progress->fault[i]);
    }
    live_draw(&progress->live, &text);
    bytes_clear(&text);
}

static void show_plain(const struct progress *progress) {
    struct bytes out;
    bytes_init(&out, PROGRESS_TEXT_MAX);
    add_status(progress, &out);
    bytes_print(&out, progress->luck[0] != '\0' ? "\n%s\n" : "\n", progress->luck);
    put_text(&out);
}

/* A pipe gets fewer lines the longer the event goes on. */
static int64_t pause_of(const struct progress *progress, int64_t now) {
    int64_t pause = (now - progress->began) / PROGRESS_SHARE;
    return progress->live.can      ? PROGRESS_LIVE
           : pause < PROGRESS_LEAST ? PROGRESS_LEAST
           : pause > PROGRESS_MOST  ? PROGRESS_MOST
                                    : pause;
}

int64_t progress_turn(struct progress *progress) {
    int64_t now = loop_clock();
    uint64_t finished = tournament_finished(stage_shown(progress->stage));
    if (finished != progress->matches_seen) {
        progress->matches_seen = finished;
        progress->last = now;
    }
    if (now >= progress->next) {
        update_luck(progress);
        if (progress->live.can) {
            draw(progress);
        } else {
            show_plain(progress);
        }
        progress->next = now + pause_of(progress, now);
    }
    return progress->next - now;
}

void progress_make_room(struct progress *progress) {
    live_take_away(&progress->live);
}

void progress_fault(struct progress *progress, const struct fault_row *row) {
    const struct event *event = stage_event(progress->stage);
    struct unit unit = schedule_unit(event, row->unit);
    const char *name = event->entrants[schedule_entrant(&unit, row->leg, row->side)].name;
    char why[PROGRESS_FAULT_MAX / 2];
    text_escape(row->why, strlen(row->why), why, sizeof why);
    memmove(progress->fault[1], progress->fault[0],
            (PROGRESS_FAULTS - 1) * sizeof progress->fault[0]);
    snprintf(progress->fault[0], PROGRESS_FAULT_MAX, "%s-%d/%d %s: %s%s%s", unit.name, row->leg,
             row->game, name, row->code, strcmp(why, row->code) != 0 ? ": " : "",
             strcmp(why, row->code) != 0 ? why : "");
}

static void say_next(const struct progress *progress) {
    const char *folder = stage_folder(progress->stage);
    const struct tournament *shown = stage_shown(progress->stage);
    unsigned files = copies_wanted(stage_event(progress->stage), tournament_matches(shown));
    printf("\n");
    if (files != 0) {
        printf(_("records: %s/records/ (%lld matches)\n"), folder,
               (long long)tournament_finished(shown));
    } else {
        printf(_("records: in the store; hakem convert %s DIR writes them out\n"), folder);
    }
    if (tournament_finished(shown) > 0) {
        printf(_("try next: hakem replay %s 1\n"), folder);
        if ((files & FILES_HKM) != 0) {
            printf(_("          hakem verify %s/records/*.hkm\n"), folder);
        }
        printf(_("          hakem show %s\n"), folder);
    }
}

void progress_end(struct progress *progress, enum report_state state) {
    struct report_view view = view_of(progress, state);
    struct bytes out;
    if (progress->live.can) {
        int height;
        live_size(&view.width, &height);
        view.width = view.width < PROGRESS_PAGE_LEAST  ? PROGRESS_PAGE_LEAST
                     : view.width > PROGRESS_PAGE_MOST ? PROGRESS_PAGE_MOST
                                                       : view.width;
    }
    bytes_init(&out, REPORT_MAX);
    live_take_away(&progress->live);
    bytes_add_text(&out, "\n");
    report_render(&view, &out);
    put_text(&out);
    say_next(progress);
    fflush(stdout);
}
