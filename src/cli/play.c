#include "cli/play.h"

#include "arena/standings.h"
#include "base/lang.h"
#include "base/log.h"
#include "cli/choices.h"
#include "cli/company.h"
#include "cli/evaluator.h"
#include "cli/operator.h"
#include "cli/programs.h"
#include "net/listen.h"

#include <stdio.h>
#include <string.h>

enum { PLAY_HELLO = 15 * 1000 /* ms for a program to start and say hello */ };

struct play {
    const struct play_setup *setup;
    struct event *event; /* of the setup */
    struct host host;
    struct door *door;
    struct listener *listener;
    struct company *company;
    struct progress progress;
    struct operator *operator; /* of manual dice; else it has nothing to do */
    int stops; /* signals to stop so far */
    bool failed;
    struct fail fail;
};

static void give_up(struct play *play) {
    play->failed = true;
    loop_quit(play->host.loop);
}

static void on_begun(void *owner) {
    struct play *play = owner;
    if (!play->setup->jsonl) {
        progress_begin(&play->progress, company_stage(play->company));
    }
}

/* Who throws real dice has the terminal for it, and no table is drawn there. */
static void turn_operator(struct play *play, int64_t now) {
    int ended = operator_turn(play->operator, company_stage(play->company), play->host.loop, now,
                              &play->fail);
    if (ended < 0) {
        give_up(play);
    } else if (ended > 0) {
        play->stops = 2;
    }
}

static int64_t on_turn(void *owner, int64_t now) {
    struct play *play = owner;
    int64_t next = company_turn(play->company, play->stops > 0, now, &play->fail);
    if (next < 0) {
        give_up(play);
        return INT64_MAX;
    }
    bool begun = company_has_begun(play->company);
    if (begun && play->setup->event.source == DICE_MANUAL) {
        turn_operator(play, now);
    } else if (begun && !play->setup->jsonl) {
        int64_t pause = progress_turn(&play->progress);
        next = pause != INT64_MAX && now + pause < next ? now + pause : next;
    }
    bool stopped =
        play->stops > 1 || (play->stops == 1 && (!begun || company_is_quiet(play->company)));
    if (stopped || (begun && company_is_over(play->company))) {
        loop_quit(play->host.loop);
    }
    return next;
}

static void on_stop(void *owner, int count) {
    struct play *play = owner;
    play->stops = count;
    if (count == 1 && company_has_begun(play->company)) {
        progress_make_room(&play->progress);
        fprintf(stderr, "hakem %s: %s\n", play->setup->command,
                _("stopping when the running matches have ended; once more to stop now"));
    }
}

static void on_fault(void *owner, const struct fault_row *row) {
    struct play *play = owner;
    if (!play->setup->jsonl) {
        progress_fault(&play->progress, row);
    }
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
    const struct stage *stage = company_stage(play->company);
    bool over = tournament_over(stage_shown(stage));
    if (over && !play->setup->jsonl) {
        progress_make_room(&play->progress);
        choices_show(&play->setup->event, play->setup->folder);
        programs_show(&play->setup->event, play->setup->folder);
    }
    if (!play->setup->jsonl) {
        progress_end(&play->progress, over ? REPORT_FINISHED : REPORT_INTERRUPTED);
    }
    if (!over) {
        if (!play->setup->by_name) {
            fprintf(stderr, _("hakem %s: to go on, give the same command with --store %s\n"),
                    play->setup->command, play->setup->folder);
        }
        return EXIT_CODE_INTERRUPTED;
    }
    if (stage_missing_copies(stage) > 0) {
        fprintf(stderr,
                _("hakem %s: the copies of %llu records could not be written to "
                  "%s/records; the results are safe in the store, the same command with "
                  "--store %s writes the copies again\n"),
                play->setup->command, (unsigned long long)stage_missing_copies(stage),
                play->setup->folder, play->setup->folder);
        return EXIT_CODE_IO;
    }
    return play->setup->strict && any_faults(stage) ? EXIT_CODE_FAULTS : EXIT_CODE_DONE;
}

static bool on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                     struct hello_refusal *refusal) {
    const struct play *play = owner;
    if (company_knows(play->company, session)) {
        return company_hello(play->company, session, facts, refusal);
    }
    enum door_verdict verdict = door_judge(play->door, facts, refusal);
    if (verdict != DOOR_EXPECTED && verdict != DOOR_VARIANT) {
        door_refuse(play->door, facts, refusal);
    }
    return verdict == DOOR_EXPECTED;
}

static void on_welcomed(void *owner, uint32_t session) {
    const struct play *play = owner;
    if (company_knows(play->company, session)) {
        company_welcomed(play->company, session);
    } else if (play->door != NULL) {
        door_welcomed(play->door, session);
        company_stir(play->company);
    }
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    const struct play *play = owner;
    if (company_knows(play->company, session)) {
        company_gone(play->company, session, why);
    } else if (play->door != NULL) {
        door_gone(play->door, session);
        company_stir(play->company);
    }
}

/* Something about a bot: said once, beside whatever is drawn. */
static void on_said(void *owner, const char *sentence) {
    struct play *play = owner;
    if (company_has_begun(play->company)) {
        progress_make_room(&play->progress);
    }
    fprintf(stderr, "hakem %s: %s\n", play->setup->command, sentence);
}

static void on_exited(void *owner, struct child *child) {
    const struct play *play = owner;
    company_exited(play->company, child);
}

/* Where bots dial in, and which ones are waited for. */
static int open_door(struct play *play) {
    const struct play_setup *setup = play->setup;
    if (listener_open(play->host.loop, setup->listen, setup->plaintext, &play->listener,
                      &play->fail) != 0) {
        return -1;
    }
    char names[256];
    company_write_absent(play->company, names, sizeof names);
    fprintf(stderr, _("hakem %s: listening on %s; waiting for %s\n"), setup->command,
            listener_name(play->listener), names[0] != '\0' ? names : _("nobody"));
    return 0;
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
    limits.spectators = play->setup->listen != NULL ? HOST_SPECTATORS : 0;
    if (host_open(&play->host, &hooks, &limits, &play->fail) != 0) {
        play->failed = true;
        return;
    }
    play->host.streams = play->setup->jsonl;
    play->operator = operator_new(play->event, play->setup->folder);
    char line[POOL_LINE];
    if (operator_recall(play->operator, &play->fail) != 0 ||
        company_gather(play->company, line, &play->fail) != 0 ||
        (play->setup->listen != NULL && open_door(play) != 0)) {
        play->failed = true;
    } else {
        if (line[0] != '\0') {
            fprintf(stderr, "hakem %s: %s\n", play->setup->command, line);
        }
        loop_run(play->host.loop);
    }
    listener_close(play->listener);
    struct fail later;
    if (company_close(play->company, &later) != 0) {
        play->fail = play->failed ? play->fail : later;
        play->failed = true;
    }
    operator_free(play->operator);
    host_close(&play->host, "the event is over");
}

/* The event stream's first line. */
static void begin_stream(const struct play_setup *setup) {
    struct bytes out;
    bytes_init(&out, STREAM_LINE_MAX);
    stream_begin(setup->command, &out);
    fwrite(out.data, 1, out.length, stdout);
    fflush(stdout);
    bytes_clear(&out);
}

static int play_company(struct play *play) {
    const struct play_setup *setup = play->setup;
    if (company_open(play->company, &play->fail) != 0) {
        return args_refuse(setup->command, &play->fail);
    }
    if (setup->jsonl) {
        begin_stream(setup);
    }
    if (company_is_over(play->company)) {
        if (setup->jsonl) {
            company_tell(play->company);
        } else {
            progress_begin(&play->progress, company_stage(play->company));
        }
        return company_close(play->company, &play->fail) == 0
                   ? conclude(play)
                   : args_refuse(setup->command, &play->fail);
    }
    play_with_bots(play);
    if (play->failed) {
        return args_refuse(setup->command, &play->fail);
    }
    return company_has_begun(play->company) ? conclude(play) : EXIT_CODE_INTERRUPTED;
}

int play_event(struct play_setup *setup) {
    struct play play = {.setup = setup, .event = &setup->event};
    if (event_seal(&setup->event, &play.fail) != 0) {
        return args_refuse(setup->command, &play.fail);
    }
    if (setup->event.luck && !evaluator_is_there(&setup->event.rules, &play.fail)) {
        return args_refuse(setup->command, &play.fail);
    }
    play.door = setup->listen != NULL ? door_new(&play.host, NULL) : NULL;
    const struct company_setup company = {
        .host = &play.host,
        .door = play.door,
        .event = &setup->event,
        .folder = setup->folder,
        .plaintext = setup->plaintext,
        .hooks = {.owner = &play, .said = on_said, .begun = on_begun, .fault = on_fault},
    };
    play.company = company_new(&company);
    int code = play_company(&play);
    company_free(play.company);
    door_free(play.door);
    return code;
}
