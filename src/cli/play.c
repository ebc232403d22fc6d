#include "cli/play.h"

#include "arena/standings.h"
#include "base/lang.h"
#include "cli/pool.h"

#include <stdio.h>
#include <string.h>

enum { PLAY_HELLO = 15 * 1000 /* ms for a program to start and say hello */ };

struct play {
    const struct play_setup *setup;
    struct host host;
    struct pool *pool;
    struct stage *stage;
    struct progress progress;
    bool resumed;          /* the store was there before */
    bool begun;            /* the trial is passed, the store is made */
    int stops;             /* signals to stop so far */
    bool failed;
    struct fail fail;
};

static void give_up(struct play *play) {
    play->failed = true;
    loop_quit(play->host.loop);
}

/* Every bot has said hello: only now is anything written. */
static void begin(struct play *play) {
    if ((!play->resumed && stage_create(play->stage, &play->fail) != 0) ||
        stage_begin(play->stage, &play->fail) != 0) {
        give_up(play);
        return;
    }
    play->begun = true;
    progress_begin(&play->progress, play->stage, play->setup->format);
}

static int64_t on_turn(void *owner, int64_t now) {
    struct play *play = owner;
    int64_t next = INT64_MAX;
    if (play->begun) {
        next = stage_turn(play->stage, play->stops > 0, now, &play->fail);
        if (next < 0) {
            give_up(play);
            return INT64_MAX;
        }
        int64_t pause = progress_turn(&play->progress);
        next = pause != INT64_MAX && now + pause < next ? now + pause : next;
    }
    if (pool_turn(play->pool, &play->fail) != 0) {
        give_up(play);
        return INT64_MAX;
    }
    if (!play->begun && pool_is_ready(play->pool)) {
        begin(play);
        return now;
    }
    int64_t retry = pool_next(play->pool);
    next = retry < next ? retry : next;
    bool stopped = play->stops > 1 ||
                   (play->stops == 1 && (!play->begun || stage_quiet(play->stage)));
    if (stopped || (play->begun && stage_over(play->stage))) {
        loop_quit(play->host.loop);
    }
    return next;
}

static void on_stop(void *owner, int count) {
    struct play *play = owner;
    play->stops = count;
    if (count == 1 && play->begun) {
        progress_make_room(&play->progress);
        fprintf(stderr, "hakem %s: %s\n", play->setup->command,
                _("stopping when the running matches have ended; once more to stop now"));
    }
}

static void on_match(void *owner, struct stage *stage, const struct match_row *row) {
    struct play *play = owner;
    (void)stage;
    progress_match(&play->progress, row);
}

static bool may_play(void *owner, int entrant) {
    const struct play *play = owner;
    return pool_may_play(play->pool, entrant);
}

static uint32_t find_session(void *owner, int entrant) {
    const struct play *play = owner;
    return pool_session(play->pool, entrant);
}

static bool is_lost(void *owner, int entrant) {
    const struct play *play = owner;
    return pool_lost(play->pool, entrant);
}

static bool any_faults(const struct stage *stage) {
    const struct standings *standings = tournament_standings(stage_shown(stage));
    for (int i = 0; i < standings->count; i++) {
        if (standing_faults(&standings->standing[i]) > 0) {
            return true;
        }
    }
    return false;
}

/* The last word and the exit code of an event that began, or was over already. */
static int conclude(struct play *play) {
    bool over = tournament_over(stage_shown(play->stage));
    progress_end(&play->progress, over ? REPORT_FINISHED : REPORT_INTERRUPTED);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "hakem %s: %s\n", play->setup->command,
                _("cannot write to standard output"));
        return EXIT_CODE_IO;
    }
    if (!over) {
        if (!play->setup->by_name) {
            fprintf(stderr, _("hakem %s: to go on, give the same command with --store %s\n"),
                    play->setup->command, play->setup->folder);
        }
        return EXIT_CODE_INTERRUPTED;
    }
    if (stage_missing_copies(play->stage) > 0) {
        fprintf(stderr, _("hakem %s: the copies of %llu records could not be written to "
                          "%s/records; the results are safe in the store, the same command with "
                          "--store %s writes the copies again\n"),
                play->setup->command, (unsigned long long)stage_missing_copies(play->stage),
                play->setup->folder, play->setup->folder);
        return EXIT_CODE_IO;
    }
    return play->setup->strict && any_faults(play->stage) ? EXIT_CODE_FAULTS : EXIT_CODE_DONE;
}

static bool on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                     struct hello_refusal *refusal) {
    const struct play *play = owner;
    return pool_hello(play->pool, session, facts, refusal);
}

static void on_welcomed(void *owner, uint32_t session) {
    const struct play *play = owner;
    pool_welcomed(play->pool, session);
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    const struct play *play = owner;
    pool_gone(play->pool, session, why);
}

/* A bot fell over: said once, beside whatever is drawn. */
static void on_ended(void *owner, const char *sentence) {
    struct play *play = owner;
    if (play->begun) {
        progress_make_room(&play->progress);
    }
    fprintf(stderr, "hakem %s: %s\n", play->setup->command, sentence);
}

static void on_exited(void *owner, struct child *child) {
    const struct play *play = owner;
    pool_exited(play->pool, child);
}

/* From the trial to the end. */
static void play_with_bots(struct play *play) {
    const struct host_hooks hooks = {.owner = play,
                                     .hello = on_hello,
                                     .welcomed = on_welcomed,
                                     .gone = on_gone,
                                     .exited = on_exited,
                                     .turn = on_turn,
                                     .stop = on_stop};
    struct referee_limits limits;
    referee_limits_init(&limits);
    limits.hello = PLAY_HELLO;
    if (host_open(&play->host, &hooks, &limits, &play->fail) != 0) {
        play->failed = true;
        return;
    }
    const struct pool_hooks told = {.owner = play, .ended = on_ended};
    play->pool = pool_new(&play->host, &play->setup->event, &told);
    char line[POOL_LINE];
    if (pool_fit(play->pool, line, &play->fail) == 0) {
        if (line[0] != '\0') {
            fprintf(stderr, "hakem %s: %s\n", play->setup->command, line);
        }
        loop_run(play->host.loop);
    } else {
        play->failed = true;
    }
    if (stage_close(play->stage, &play->fail) != 0) {
        play->failed = true;
    }
    host_close(&play->host, "the event is over");
    pool_free(play->pool);
}

static int play_stage(struct play *play) {
    const struct play_setup *setup = play->setup;
    if (store_exists(setup->folder)) {
        play->resumed = true;
        if (stage_resume(play->stage, &play->fail) != 0) {
            return args_refuse(setup->command, &play->fail);
        }
    }
    if (play->resumed && stage_over(play->stage)) {
        progress_begin(&play->progress, play->stage, setup->format);
        return conclude(play);
    }
    play_with_bots(play);
    if (play->failed) {
        return args_refuse(setup->command, &play->fail);
    }
    return play->begun ? conclude(play) : EXIT_CODE_INTERRUPTED;
}

int play_event(struct play_setup *setup) {
    struct play play = {.setup = setup};
    if (event_seal(&setup->event, &play.fail) != 0) {
        return args_refuse(setup->command, &play.fail);
    }
    const struct stage_setup stage = {
        .host = &play.host,
        .event = &setup->event,
        .folder = setup->folder,
        .players = {&play, may_play, find_session, is_lost},
        .hooks = {&play, on_match},
    };
    play.stage = stage_new(&stage);
    int code = play_stage(&play);
    stage_free(play.stage);
    return code;
}
