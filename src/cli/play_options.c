#include "cli/play.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/log.h"
#include "net/loop.h"

#include <string.h>

void play_option_rows(struct play_options *options, struct arg_row rows[PLAY_ROWS]) {
    const struct arg_row all[PLAY_ROWS] = {
        {"store", ARG_TEXT, 0, 0, &options->store},
        {"files", ARG_TEXT, 0, 0, &options->files},
        {"format", ARG_TEXT, 0, 0, &options->format},
        {"log", ARG_TEXT, 0, 0, &options->log},
        {"concurrency", ARG_NUMBER, 1, EVENT_CONCURRENCY_MAX, &options->concurrency},
        {"strict", ARG_FLAG, 0, 0, &options->strict},
        {"luck", ARG_TEXT, 0, 0, &options->luck},
        {"stop", ARG_TEXT, 0, 0, &options->stop},
    };
    memcpy(rows, all, sizeof all);
}

static int read_files(const char *text, unsigned *files, struct fail *fail) {
    if (event_read_files(text, files)) {
        return 0;
    }
    return fail_set(fail, EXIT_CODE_USAGE,
                    _("--files takes none or a list of hkm, mat, sgf, json, txt, not \"%s\""),
                    text);
}

int play_set_log(const char *text, struct fail *fail) {
    int level = log_level_find(text);
    if (level >= 0) {
        log_set_level((enum log_level)level);
        return 0;
    }
    return fail_set(fail, EXIT_CODE_USAGE, _("--log takes error, warn, info or debug, not \"%s\""),
                    text);
}

int play_read_format(const char *text, bool *jsonl, struct fail *fail) {
    *jsonl = strcmp(text, "jsonl") == 0;
    if (!*jsonl && strcmp(text, "text") != 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("--format takes text or jsonl, not \"%s\""), text);
    }
    return 0;
}

int play_apply_options(const struct play_options *options, struct play_setup *setup,
                       struct fail *fail) {
    if (options->files != NULL && read_files(options->files, &setup->event.files, fail) != 0) {
        return -1;
    }
    if (options->log != NULL && play_set_log(options->log, fail) != 0) {
        return -1;
    }
    if (options->format != NULL && play_read_format(options->format, &setup->jsonl, fail) != 0) {
        return -1;
    }
    if (options->concurrency > 0) {
        setup->event.concurrency = (int)options->concurrency;
    }
    setup->strict = options->strict;
    if (options->luck != NULL && !event_read_luck(options->luck, &setup->event.luck)) {
        return fail_set(fail, EXIT_CODE_USAGE, _("--luck takes on or off, not \"%s\""),
                        options->luck);
    }
    if (options->stop != NULL && !event_read_stop(options->stop, &setup->event.stops)) {
        return fail_set(fail, EXIT_CODE_USAGE, _("--stop takes decided or never, not \"%s\""),
                        options->stop);
    }
    return 0;
}

void clock_option_rows(struct clock_options *options, struct arg_row rows[CLOCK_ROWS]) {
    for (int which = 0; which < CLOCK_TIMES; which++) {
        options->time[which] = -1;
        rows[which] = (struct arg_row){clock_time_name((enum clock_time)which), ARG_TIME, 0,
                                       (long)clock_time_max((enum clock_time)which),
                                       &options->time[which]};
    }
    options->kind = NULL;
    rows[CLOCK_TIMES] = (struct arg_row){"clock", ARG_TEXT, 0, 0, &options->kind};
}

int clock_apply_options(const struct clock_options *options, struct clock_wish *wish,
                        struct fail *fail) {
    for (int which = 0; which < CLOCK_TIMES; which++) {
        if (options->time[which] >= 0) {
            wish->time[which] = options->time[which];
        }
    }
    if (options->kind != NULL && !clock_read_kind(options->kind, &wish->wall)) {
        return fail_set(fail, EXIT_CODE_USAGE, _("--clock takes shared or wall, not \"%s\""),
                        options->kind);
    }
    return 0;
}

int play_set_seed(struct event *event, const char *seed, struct fail *fail) {
    size_t length = strlen(seed);
    if (length == 0 || length >= sizeof event->seed || !text_is_utf8(seed, length)) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("--seed takes a number or a text of 1 to %d bytes"),
                        (int)sizeof event->seed - 1);
    }
    memcpy(event->seed, seed, length + 1);
    event->source = DICE_SEEDED;
    return 0;
}

char *play_name_folder(const char *command) {
    char date[32];
    text_utc(loop_date(), date);
    return alloc_print("hakem-%s-%.4s%.2s%.2s-%.2s%.2s%.2s", command, date, date + 5, date + 8,
                       date + 11, date + 14, date + 17);
}
