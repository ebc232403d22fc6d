#include "cli/progress.h"

#include "arena/standings.h"
#include "base/json.h"
#include "base/lang.h"
#include "cli/copies.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    PROGRESS_LIVE = 250,   /* ms between two drawings */
    PROGRESS_FIRST = 1000, /* ms to the first plain line */
    PROGRESS_PLAIN = 5000, /* ms between two plain lines */
    PROGRESS_TEXT_MAX = 4 << 20,
    PROGRESS_WIDTH = 80,
    PROGRESS_HEIGHT = 24,
};

int progress_format_find(const char *name) {
    if (strcmp(name, "text") == 0) {
        return PROGRESS_TEXT;
    }
    return strcmp(name, "jsonl") == 0 ? PROGRESS_JSONL : -1;
}

static struct report_view view_of(const struct progress *progress, enum report_state state) {
    return (struct report_view){.event = stage_event(progress->stage),
                                .tournament = stage_shown(progress->stage),
                                .state = state,
                                .format = progress->format == PROGRESS_JSONL ? REPORT_JSONL
                                                                             : REPORT_TEXT,
                                .turkish = lang_is_turkish()};
}

static void put_text(const struct bytes *text) {
    fwrite(text->data, 1, text->length, stdout);
    fflush(stdout);
}

static void add_member(struct bytes *out, const char *key, const char *text) {
    bytes_print(out, ",\"%s\":", key);
    json_add_string(out, text, strlen(text));
}

static void add_counts(struct bytes *out, const struct tournament *shown) {
    bytes_print(out, ",\"finished\":%" PRIu64 ",\"matches\":%" PRIu64, tournament_finished(shown),
                tournament_matches(shown));
}

static void begin_jsonl(const struct progress *progress) {
    struct bytes out;
    bytes_init(&out, PROGRESS_TEXT_MAX);
    bytes_add_text(&out, "{\"type\":\"start\",\"format\":\"hakem-events/1\"");
    add_member(&out, "event", stage_event(progress->stage)->id);
    add_member(&out, "store", stage_folder(progress->stage));
    add_counts(&out, stage_shown(progress->stage));
    bytes_add_text(&out, "}\n");
    put_text(&out);
    bytes_clear(&out);
}

static void begin_text(const struct progress *progress) {
    const struct event *event = stage_event(progress->stage);
    const struct tournament *shown = stage_shown(progress->stage);
    bool money = event->rules.value[OPTION_MATCH] == 0;
    printf(money ? _("%s: %s, money sessions of %d games, %d bots, %lld sessions; kept in %s\n")
                 : _("%s: %s, match to %d, %d bots, %lld matches; kept in %s\n"),
           event->name, event->rules.variant->name,
           event->rules.value[money ? OPTION_GAMES : OPTION_MATCH], event->entrant_count,
           (long long)tournament_matches(shown), stage_folder(progress->stage));
    if (tournament_finished(shown) > 0 && !tournament_over(shown)) {
        printf(_("goes on after %lld finished matches\n"),
               (long long)tournament_finished(shown));
    }
    fflush(stdout);
}

void progress_begin(struct progress *progress, const struct stage *stage,
                    enum progress_format format) {
    const char *terminal = getenv("TERM");
    *progress = (struct progress){
        .stage = stage,
        .format = format,
        .live = format == PROGRESS_TEXT && isatty(STDOUT_FILENO) && terminal != NULL &&
                strcmp(terminal, "dumb") != 0,
        .began = loop_clock(),
        .finished_then = tournament_finished(stage_shown(stage)),
    };
    progress->next = progress->began + (progress->live ? PROGRESS_LIVE : PROGRESS_FIRST);
    if (format == PROGRESS_JSONL) {
        begin_jsonl(progress);
    } else {
        begin_text(progress);
    }
}

/* How far it is, how fast, and how long it will take. */
static void add_status(const struct progress *progress, struct bytes *out) {
    const struct tournament *shown = stage_shown(progress->stage);
    uint64_t finished = tournament_finished(shown);
    uint64_t matches = tournament_matches(shown);
    int64_t elapsed = loop_clock() - progress->began;
    double rate = elapsed > 0 ? 1000.0 * (double)(finished - progress->finished_then) /
                                    (double)elapsed
                              : 0;
    bytes_print(out, _("%lld of %lld matches"), (long long)finished, (long long)matches);
    if (rate > 0) {
        long long left = (long long)((double)(matches - finished) / rate);
        bytes_print(out, _(", %.1f a second, %lld:%02lld:%02lld left"), rate, left / 3600,
                    left / 60 % 60, left % 60);
    }
    bytes_add_text(out, "\n");
}

/* Cuts a line so that the terminal does not fold it; `width` counts characters. */
static size_t fit_line(const char *line, size_t length, int width) {
    size_t at = 0;
    while (at < length && width > 0) {
        size_t size = text_utf8_next(line + at, length - at);
        at += size > 0 ? size : 1;
        width--;
    }
    return at;
}

void progress_make_room(struct progress *progress) {
    if (progress->lines > 0) {
        printf("\033[%dA\033[J", progress->lines);
        progress->lines = 0;
        fflush(stdout);
    }
}

/* The drawing replaces the last one: up, clear, then as many lines as fit. */
static void draw(struct progress *progress, const struct bytes *text) {
    struct winsize size = {.ws_row = 0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 1;
    int height = known ? size.ws_row : PROGRESS_HEIGHT;
    int width = known ? size.ws_col : PROGRESS_WIDTH;
    progress_make_room(progress);
    for (size_t at = 0; at < text->length && progress->lines < height - 1;) {
        const char *line = text->data + at;
        const char *end = memchr(line, '\n', text->length - at);
        size_t length = end != NULL ? (size_t)(end - line) : text->length - at;
        fwrite(line, 1, fit_line(line, length, width), stdout);
        putchar('\n');
        progress->lines++;
        at += length + 1;
    }
    fflush(stdout);
}

int64_t progress_turn(struct progress *progress) {
    if (progress->format == PROGRESS_JSONL) {
        return INT64_MAX;
    }
    int64_t now = loop_clock();
    if (now >= progress->next) {
        struct bytes text;
        bytes_init(&text, PROGRESS_TEXT_MAX);
        add_status(progress, &text);
        if (progress->live) {
            struct report_view view = view_of(progress, REPORT_RUNNING);
            report_elo_table(&view, PROGRESS_WIDTH, &text);
            draw(progress, &text);
        } else {
            put_text(&text);
        }
        bytes_clear(&text);
        progress->next = now + (progress->live ? PROGRESS_LIVE : PROGRESS_PLAIN);
    }
    return progress->next - now;
}

static void add_side(struct bytes *out, const char *key, int side) {
    static const char *const letters[SIDE_COUNT] = {"\"X\"", "\"Y\""};
    bytes_print(out, ",\"%s\":%s", key, side < 0 ? "null" : letters[side]);
}

void progress_match(struct progress *progress, const struct match_row *row) {
    if (progress->format != PROGRESS_JSONL) {
        return;
    }
    const struct event *event = stage_event(progress->stage);
    char score[SIDE_COUNT][SCORE_TEXT_MAX];
    struct bytes out;
    bytes_init(&out, PROGRESS_TEXT_MAX);
    bytes_add_text(&out, "{\"type\":\"match\"");
    add_member(&out, "unit", schedule_unit(event, row->unit).name);
    bytes_print(&out, ",\"leg\":%d", row->leg);
    add_member(&out, "x", event->entrants[row->entrant[SIDE_X]].name);
    add_member(&out, "y", event->entrants[row->entrant[SIDE_Y]].name);
    add_side(&out, "winner", row->winner);
    for (int side = 0; side < SIDE_COUNT; side++) {
        score_write(row->score[side], score[side]);
    }
    bytes_print(&out, ",\"score\":[%s,%s],\"games\":%d", score[SIDE_X], score[SIDE_Y], row->games);
    add_member(&out, "reason", reason_name(row->reason));
    add_side(&out, "offender", row->offender);
    add_counts(&out, stage_shown(progress->stage));
    bytes_add_text(&out, "}\n");
    put_text(&out);
    bytes_clear(&out);
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
    bytes_init(&out, REPORT_MAX);
    if (progress->format == PROGRESS_JSONL) {
        bytes_print(&out, "{\"type\":\"table\",\"state\":\"%s\"", report_state_name(state));
        add_counts(&out, view.tournament);
        bytes_add_text(&out, "}\n");
        report_render(&view, &out);
        put_text(&out);
    } else {
        progress_make_room(progress);
        bytes_add_text(&out, "\n");
        report_render(&view, &out);
        put_text(&out);
        say_next(progress);
        fflush(stdout);
    }
    bytes_clear(&out);
}
