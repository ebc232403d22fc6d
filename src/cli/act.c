#include "cli/act.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lang.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATE_WORD_MAX = 16 };

static const char *const state_words[ACT_STATES] = {
    [ACT_RUNS] = "runs",         [ACT_PAUSED] = "paused", [ACT_STOPPED] = "stopped",
    [ACT_FINISHED] = "finished", [ACT_FAILED] = "failed",
};

struct act *act_new(const struct bill_setup *setup, const char *name) {
    struct act *act = alloc_zeroed(1, sizeof *act);
    act->setup = setup;
    snprintf(act->name, sizeof act->name, "%s", name);
    act->folder = alloc_print("%s/%s", setup->folder, name);
    event_init(&act->event);
    return act;
}

/* Leaves the stage; the daemon goes on without it. */
static void act_leave(struct act *act, const char *reason) {
    struct fail fail;
    if (act->company == NULL) {
        return;
    }
    if (company_close(act->company, &fail) != 0) {
        log_line(LOG_LEVEL_WARN, "event %s closed error=%s", act->name, fail.text);
        if (act->state != ACT_FAILED) {
            act->state = ACT_FAILED;
            act->fail = fail;
        }
    }
    company_dismiss(act->company, reason);
    company_free(act->company);
    act->company = NULL;
    act->stopping = false;
}

void act_free(struct act *act) {
    if (act->company != NULL) {
        struct fail fail;
        if (company_close(act->company, &fail) != 0) {
            log_line(LOG_LEVEL_WARN, "event %s closed error=%s", act->name, fail.text);
        }
        company_free(act->company);
    }
    event_clear(&act->event);
    free(act->folder);
    free(act);
}

static int write_file(const struct act *act, const char *name, const char *text, size_t length,
                      struct fail *fail) {
    char *path = alloc_print("%s/%s", act->folder, name);
    int status = file_write(path, text, length, fail);
    free(path);
    return status;
}

/* What is wanted of it, on disk before it is answered. */
static int act_keep(struct act *act, enum act_state state, struct fail *fail) {
    char line[STATE_WORD_MAX];
    int length = snprintf(line, sizeof line, "%s\n", state_words[state]);
    if (write_file(act, "state", line, (size_t)length, fail) != 0) {
        return -1;
    }
    log_line(LOG_LEVEL_INFO, "event %s state was=%s is=%s", act->name, state_words[act->state],
             state_words[state]);
    act->state = state;
    return 0;
}

static void act_fail(struct act *act, const struct fail *fail) {
    struct fail told = *fail;
    log_line(LOG_LEVEL_ERROR, "event %s failed error=%s", act->name, told.text);
    act->state = ACT_FAILED;
    act->fail = told;
    act_leave(act, "the event has failed");
    act->setup->hooks.said(act->setup->hooks.owner, act->name, told.text);
}

static void on_said(void *owner, const char *sentence) {
    const struct act *act = owner;
    act->setup->hooks.said(act->setup->hooks.owner, act->name, sentence);
}

static void on_begun(void *owner) {
    const struct act *act = owner;
    log_line(LOG_LEVEL_INFO, "event %s begun folder=%s", act->name, act->folder);
}

static void on_match(void *owner, const struct match_row *row) {
    const struct act *act = owner;
    log_line(LOG_LEVEL_DEBUG, "event %s match unit=%u leg=%d reason=%s", act->name,
             (unsigned)row->unit, row->leg, reason_name(row->reason));
}

/* Goes on stage: from here on its bots are awaited. */
static int act_enter(struct act *act, struct fail *fail) {
    const struct bill_setup *setup = act->setup;
    const struct company_setup company = {
        .host = setup->host,
        .door = setup->door,
        .tokens = setup->tokens,
        .event = &act->event,
        .folder = act->folder,
        .plaintext = setup->plaintext,
        .hooks = {.owner = act, .said = on_said, .begun = on_begun, .match = on_match},
    };
    char line[POOL_LINE];
    act->company = company_new(&company);
    if (company_open(act->company, fail) != 0 || company_gather(act->company, line, fail) != 0) {
        company_free(act->company);
        act->company = NULL;
        return -1;
    }
    if (line[0] != '\0') {
        on_said(act, line);
    }
    if (act->state == ACT_PAUSED) {
        company_pause(act->company, true, loop_now(setup->host->loop));
    }
    return 0;
}

static int read_text(const struct act *act, const char *name, struct bytes *out,
                     struct fail *fail) {
    char *path = alloc_print("%s/%s", act->folder, name);
    int status = file_read(path, out, fail);
    free(path);
    return status;
}

/* What an earlier process wanted of it; a word that was never written is "runs". */
static enum act_state read_state(const struct act *act) {
    struct bytes text;
    struct fail ignored;
    enum act_state state = ACT_RUNS;
    bytes_init(&text, STATE_WORD_MAX);
    if (read_text(act, "state", &text, &ignored) == 0) {
        const char *word = bytes_text(&text);
        for (int i = 0; i < ACT_FAILED; i++) {
            size_t length = strlen(state_words[i]);
            if (strncmp(word, state_words[i], length) == 0 && word[length] == '\n') {
                state = (enum act_state)i;
            }
        }
    }
    bytes_clear(&text);
    return state;
}

int act_parse(struct event *event, const char *path, const char *text, size_t length,
              struct fail *fail) {
    event_init(event);
    if (event_parse(event, path, text, length, fail) != 0) {
        return -1;
    }
    if (event->format == FORMAT_ROOM) {
        return fail_set(fail, EXIT_CODE_USAGE, _("%s: a room stands in the configuration"), path);
    }
    if (event->source == DICE_MANUAL) {
        return fail_set(fail, EXIT_CODE_USAGE, _("%s: manual dice are typed at hakem run"), path);
    }
    return event_seal(event, fail) == 0 ? 0 : fail_wrap(fail, "%s", path);
}

void act_load(struct act *act) {
    struct bytes text;
    struct fail fail;
    bytes_init(&text, BILL_EVENT_MAX);
    act->state = read_state(act);
    int status = read_text(act, "event.json", &text, &fail);
    if (status == 0) {
        status = act_parse(&act->event, act->name, bytes_text(&text), text.length, &fail);
    }
    bytes_clear(&text);
    if (status == 0 && act->state <= ACT_PAUSED) {
        status = act_enter(act, &fail);
    }
    if (status != 0) {
        act_fail(act, &fail);
    }
}

int act_put_on(struct act *act, const struct event *event, const char *text, size_t length,
               struct fail *fail) {
    event_clear(&act->event);
    act->event = *event;
    if (file_make_folder(act->folder, fail) == 0 &&
        write_file(act, "event.json", text, length, fail) == 0 &&
        act_keep(act, ACT_RUNS, fail) == 0 && act_enter(act, fail) == 0) {
        return 0;
    }
    act->state = ACT_FAILED;
    act->fail = *fail;
    return -1;
}

void act_forget(const struct act *act) {
    static const char *const names[] = {"event.json", "state"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = alloc_print("%s/%s", act->folder, names[i]);
        unlink(path);
        free(path);
    }
    rmdir(act->folder); /* unless a store is in it already */
}

bool act_may(const struct act *act, enum bill_wish wish) {
    switch (wish) {
    case BILL_PAUSE:
        return act->company != NULL && act->state == ACT_RUNS;
    case BILL_RESUME:
        return (act->company != NULL && act->state == ACT_PAUSED) || act->state == ACT_STOPPED ||
               act->state == ACT_FAILED;
    case BILL_STOP:
        return act->company != NULL && !act->stopping;
    case BILL_STOP_HARD:
        return act->company != NULL;
    }
    return false;
}

int act_grant(struct act *act, enum bill_wish wish, struct fail *fail) {
    int64_t now = loop_now(act->setup->host->loop);
    switch (wish) {
    case BILL_PAUSE:
        if (act_keep(act, ACT_PAUSED, fail) != 0) {
            return -1;
        }
        company_pause(act->company, true, now);
        return 0;
    case BILL_RESUME:
        if (act_keep(act, ACT_RUNS, fail) != 0) {
            return -1;
        }
        act->stopping = false;
        if (act->company == NULL) {
            return act_enter(act, fail);
        }
        company_pause(act->company, false, now);
        return 0;
    case BILL_STOP:
    case BILL_STOP_HARD:
        break;
    }
    if (act_keep(act, ACT_STOPPED, fail) != 0) {
        return -1;
    }
    company_pause(act->company, false, now);
    act->stopping = true;
    if (wish == BILL_STOP_HARD) {
        company_abandon(act->company, now);
        act_leave(act, "the event is stopped");
    }
    return 0;
}

void act_turn(struct act *act, bool closing, int64_t now, int64_t *next) {
    struct fail fail;
    int64_t wants = company_turn(act->company, closing || act->stopping, now, &fail);
    if (wants < 0) {
        company_abandon(act->company, now);
        act_fail(act, &fail);
        return;
    }
    *next = wants < *next ? wants : *next;
    if (company_has_begun(act->company) && company_is_over(act->company)) {
        if (act_keep(act, ACT_FINISHED, &fail) != 0) {
            act_fail(act, &fail);
            return;
        }
        act_leave(act, "the event is over");
        on_said(act, _("the event is over"));
    } else if (act->stopping && company_is_quiet(act->company)) {
        act_leave(act, "the event is stopped");
    }
}

const char *act_state_name(const struct act *act) {
    if (act->stopping) {
        return "stopping";
    }
    bool gathers =
        act->state == ACT_RUNS && act->company != NULL && !company_has_begun(act->company);
    return gathers ? "gathers" : state_words[act->state];
}

void act_write(const struct act *act, struct bytes *out) {
    bytes_print(out, "{\"name\":\"%s\",\"state\":\"%s\"", act->name, act_state_name(act));
    if (act->company != NULL) {
        const struct tournament *shown = stage_shown(company_stage(act->company));
        char absent[512];
        company_write_absent(act->company, absent, sizeof absent);
        bytes_print(out, ",\"finished\":%llu,\"matches\":%llu,\"running\":%d,\"absent\":",
                    (unsigned long long)tournament_finished(shown),
                    (unsigned long long)tournament_matches(shown),
                    stage_running(company_stage(act->company)));
        json_add_string(out, absent, strlen(absent));
    }
    if (act->state == ACT_FAILED) {
        bytes_add_text(out, ",\"error\":");
        json_add_string(out, act->fail.text, strlen(act->fail.text));
    }
    bytes_add_text(out, "}");
}
