#include "cli/stage_inside.h"

#include "arena/estimate_report.h"

#include <stdio.h>

enum {
    STREAM_FIRST = 1000, /* ms to the first line about how far it is */
    STREAM_LEAST = 5000, /* ms between two of them, which grows with the event */
    STREAM_MOST = 60000,
    STREAM_SHARE = 20,   /* one line for each such part of the time so far */
};

/* Lines go out at the end of a turn. */
static void put(struct bytes *lines) {
    fwrite(lines->data, 1, lines->length, stdout);
    bytes_clear(lines);
}

static struct report_view view_of(const struct stage *stage, enum report_state state) {
    return (struct report_view){.event = stage->event,
                                .tournament = stage->shown,
                                .fortune = stage_fortune(stage),
                                .state = state};
}

static int64_t games_of(const struct stage *stage) {
    return standings_games(tournament_standings(stage->shown));
}

static void add_progress(struct stage *stage, enum report_state state, int64_t now,
                         struct bytes *out) {
    const struct announced *told = &stage->announced;
    struct report_view view = view_of(stage, state);
    struct tempo tempo = {
        .ms = now - told->began,
        .last = told->last - told->began,
        .matches = tournament_finished(stage->shown) - told->matches,
        .games = (uint64_t)(games_of(stage) - told->games),
    };
    tournament_set_running(stage->shown, tournament_running(stage->plan));
    stream_progress(&view, &tempo, out);
}

/* Of two bots how it stands without luck; of more the end tells. */
static void add_estimate(const struct stage *stage, struct bytes *out) {
    struct report_view view = view_of(stage, REPORT_RUNNING);
    view.format = REPORT_JSONL;
    if (view.fortune != NULL && view.event->entrant_count == 2) {
        estimate_write(&view, out);
    }
}

static void add_tables(struct stage *stage, enum report_state state, struct bytes *out) {
    struct report_view view = view_of(stage, state);
    struct ranking ranking;
    ranking_init(&ranking, tournament_standings(stage->shown));
    stream_tables(&view, &ranking, out);
    stream_end(&view, out);
    ranking_clear(&ranking);
}

/* A room is never over. */
static enum report_state final_state(const struct stage *stage) {
    bool over = tournament_over(stage->shown) && stage->event->format != FORMAT_ROOM;
    return over ? REPORT_FINISHED : REPORT_INTERRUPTED;
}

void announce_event(struct stage *stage, int64_t now) {
    struct report_view view = view_of(stage, REPORT_RUNNING);
    struct bytes out;
    bytes_init(&out, REPORT_MAX);
    stage->announced = (struct announced){
        .on = true,
        .began = now,
        .last = now,
        .next = now + STREAM_FIRST,
        .matches = tournament_finished(stage->shown),
        .games = games_of(stage),
    };
    stream_event(&view, stage->setup.folder, &out);
    stream_evaluator(&view, &out);
    stream_progress(&view, NULL, &out);
    put(&out);
}

void announce_start(const struct stage *stage, const struct assignment *what) {
    if (stage->announced.on) {
        struct bytes out;
        bytes_init(&out, REPORT_MAX);
        stream_start(stage->event, what->unit.number, what->leg, &out);
        put(&out);
    }
}

void announce_fault(const struct stage *stage, const struct fault_row *row) {
    if (stage->announced.on) {
        struct bytes out;
        bytes_init(&out, REPORT_MAX);
        stream_fault(stage->event, row, &out);
        put(&out);
    }
}

void announce_game(struct stage *stage, const struct game_row *row) {
    if (stage->announced.on) {
        struct bytes out;
        bytes_init(&out, REPORT_MAX);
        stream_game(stage->event, row, &out);
        put(&out);
        stage->announced.news = true;
    }
}

void announce_match(struct stage *stage, const struct match_row *row) {
    if (stage->announced.on) {
        struct bytes out;
        bytes_init(&out, REPORT_MAX);
        stream_match(stage->event, stage->shown, row, &out);
        put(&out);
        stage->announced.last = loop_now(stage->host->loop);
        stage->announced.news = true;
    }
}

void announce_luck(struct stage *stage, const struct fortune_game *game) {
    if (stage->announced.on) {
        struct bytes out;
        bytes_init(&out, REPORT_MAX);
        stream_luck(stage->event, game, &out);
        put(&out);
    }
}

int64_t announce_turn(struct stage *stage, int64_t now) {
    struct announced *told = &stage->announced;
    if (!told->on) {
        return INT64_MAX;
    }
    if (told->news && now >= told->next) {
        struct bytes out;
        int64_t pause = (now - told->began) / STREAM_SHARE;
        bytes_init(&out, REPORT_MAX);
        add_progress(stage, REPORT_RUNNING, now, &out);
        add_estimate(stage, &out);
        put(&out);
        pause = pause < STREAM_LEAST ? STREAM_LEAST : pause > STREAM_MOST ? STREAM_MOST : pause;
        told->next = now + pause;
        told->news = false;
    }
    fflush(stdout);
    return told->news ? told->next : INT64_MAX;
}

void announce_end(struct stage *stage, int64_t now) {
    if (stage->announced.on) {
        struct bytes out;
        bytes_init(&out, REPORT_MAX);
        add_progress(stage, final_state(stage), now, &out);
        add_tables(stage, final_state(stage), &out);
        put(&out);
        fflush(stdout);
        stage->announced.on = false;
    }
}

void stage_tell(struct stage *stage) {
    struct report_view view = view_of(stage, final_state(stage));
    struct bytes out;
    bytes_init(&out, REPORT_MAX);
    stream_event(&view, stage->setup.folder, &out);
    stream_evaluator(&view, &out);
    stream_progress(&view, NULL, &out);
    add_tables(stage, final_state(stage), &out);
    put(&out);
    fflush(stdout);
}
