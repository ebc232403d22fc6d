#include "cli/operator.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 4096, THROWS_MAX_BYTES = 64 << 20, SHOWN = 40 };

struct operator {
    struct event *event;
    char *path;          /* of the throws that were typed */
    struct bytes typed;  /* not used yet */
    struct watch *watch; /* while something is awaited */
    bool asked;          /* the prompt stands */
    bool ended;          /* nothing more can be typed */
    struct stage_throw last; /* what was told last */
    int told;            /* plies of that game that were told */
};

/* What an operator types where a throw does not count (R3.11). */
static const struct flaw_row {
    const char *word[3]; /* English, Turkish, and that without its dots */
    const char *meaning;
} flaws[FLAW_COUNT] = {
    [FLAW_OFF_BOARD] = {{"off", "dışarı", "disari"}, N_("a die left the board")},
    [FLAW_HALVES] = {{"halves", "yarı", "yari"}, N_("the dice lie in different halves")},
    [FLAW_ON_CHECKER] = {{"checker", "pul", "pul"}, N_("a die lies on a checker")},
    [FLAW_NOT_FLAT] = {{"cocked", "kırık", "kirik"}, N_("a die is not flat")},
};

struct operator *operator_new(struct event *event, const char *folder) {
    struct operator *operator = alloc_zeroed(1, sizeof *operator);
    operator->event = event;
    operator->path = alloc_print("%s/throws.txt", folder);
    bytes_init(&operator->typed, LINE_MAX_BYTES);
    return operator;
}

void operator_free(struct operator *operator) {
    if (operator != NULL) {
        watch_free(operator->watch);
        bytes_clear(&operator->typed);
        free(operator->path);
        free(operator);
    }
}

int operator_recall(struct operator *operator, struct fail *fail) {
    struct bytes text;
    char why[THROWS_WHY_MAX];
    if (operator->event->source != DICE_MANUAL || access(operator->path, F_OK) != 0) {
        return 0;
    }
    bytes_init(&text, THROWS_MAX_BYTES);
    int status = file_read(operator->path, &text, fail);
    throws_clear(&operator->event->throws);
    if (status == 0 &&
        throws_read(&operator->event->throws, bytes_text(&text), text.length, why) != 0) {
        status = fail_set(fail, EXIT_CODE_IO, "%s: %s", operator->path, why);
    }
    bytes_clear(&text);
    return status;
}

/* What has been typed so far, on disk. */
static int keep(const struct operator *operator, struct fail *fail) {
    struct bytes text;
    bytes_init(&text, THROWS_MAX_BYTES);
    throws_write(&operator->event->throws, &text);
    int status = file_write(operator->path, text.data, text.length, fail);
    bytes_clear(&text);
    return status;
}

/* Whether standard input says when there is something to read: a file never does. */
static bool can_be_watched(void) {
    struct stat facts;
    return fstat(STDIN_FILENO, &facts) == 0 &&
           (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode) || isatty(STDIN_FILENO));
}

static void on_ready(void *owner) {
    struct operator *operator = owner;
    struct bytes *typed = &operator->typed;
    if (typed->length == typed->ceiling) { /* no end of line in all that */
        bytes_drop(typed, typed->length);
    }
    size_t room = typed->ceiling - typed->length;
    ssize_t got = read(STDIN_FILENO, bytes_reserve(typed, room), room);
    if (got > 0) {
        bytes_took(typed, (size_t)got);
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        operator->ended = true;
        watch_free(operator->watch);
        operator->watch = NULL;
    }
}

/* A line that was typed, or the rest of one before the end; false when there is none yet. */
static bool take_line(struct operator *operator, char line[LINE_MAX_BYTES + 1]) {
    struct bytes *typed = &operator->typed;
    const char *end;
    while ((end = memchr(typed->data, '\n', typed->length)) == NULL && !operator->ended &&
           !can_be_watched()) {
        on_ready(operator);
    }
    size_t length = end != NULL ? (size_t)(end - typed->data) : typed->length;
    if (end == NULL && (!operator->ended || length == 0)) {
        return false;
    }
    memcpy(line, typed->data, length);
    line[length] = '\0';
    bytes_drop(typed, length + (end != NULL ? 1 : 0));
    return true;
}

/* "did 1 3 X 52 13/8 13/11 ms=3", as a line of its own for people. */
static void tell_ply(const struct stage_throw *wanted, const char *line, size_t length, int *told) {
    char text[256], side, deed[16];
    int ply, at = 0;
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    if (sscanf(text, "did %*d %d %c %15s%n", &ply, &side, deed, &at) != 3 || ply <= *told) {
        return;
    }
    *told = ply;
    const char *play = text + at;
    size_t play_length = 0;
    while (play[play_length] == ' ') { /* words up to the first field */
        size_t word = strcspn(play + play_length + 1, " ");
        if (memchr(play + play_length + 1, '=', word) != NULL || word == 16) {
            break; /* 16 digits: the chain */
        }
        play_length += word + 1;
    }
    fprintf(stderr, "%3d. %s (%c) %s%s%.*s\n", ply, wanted->name[side == 'Y'], side, deed,
            play_length > 0 ? ":" : "", (int)play_length, play);
}

/* What was played in the game since the last time. */
static void tell_plies(struct operator *operator, const struct stage_throw *wanted) {
    const struct stage_throw *last = &operator->last;
    const char *line = wanted->facts.record, *end = line + wanted->facts.record_length;
    if (last->unit != wanted->unit || last->leg != wanted->leg ||
        last->facts.game != wanted->facts.game) {
        operator->told = 0;
    }
    operator->last = *wanted;
    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop != NULL ? stop : end;
        tell_ply(wanted, line, (size_t)(stop - line), &operator->told);
        line = stop + 1;
    }
}

static void ask(struct operator *operator, const struct stage_throw *wanted) {
    tell_plies(operator, wanted);
    if (wanted->facts.side < 0) {
        fprintf(stderr, _("match %u-%d, game %u: the opening throw, the die of %s first: "),
                wanted->unit, wanted->leg, wanted->facts.game, wanted->name[SIDE_X]);
    } else {
        fprintf(stderr, _("%s (%s) throws: "), wanted->name[wanted->facts.side],
                wanted->facts.side == (int)SIDE_X ? "X" : "Y");
    }
    fputs(isatty(STDIN_FILENO) ? "" : "\n", stderr);
    fflush(stderr);
    operator->asked = true;
}

/* "52", "5 2", "5-2": two dice and nothing else. */
static bool read_throw(const char *line, struct roll *roll) {
    int dice = 0;
    for (; *line != '\0'; line++) {
        if (*line >= '1' && *line <= '6' && dice < 2) {
            roll->die[dice++] = (uint8_t)(*line - '0');
        } else if (strchr(" \t\r,-/", *line) == NULL) {
            return false;
        }
    }
    return dice == 2;
}

/* The flaw of that word, -1: there is none. */
static int find_flaw(const char *line) {
    for (int flaw = 0; flaw < FLAW_COUNT; flaw++) {
        for (int i = 0; i < 3; i++) {
            const char *word = flaws[flaw].word[i];
            if (text_same_fold(line, strcspn(line, " \t\r"), word, strlen(word))) {
                return flaw;
            }
        }
    }
    return -1;
}

/* What can be typed. */
static void help(const char *line) {
    char shown[SHOWN];
    if (strcmp(line, "?") != 0) {
        fprintf(stderr, _("\"%s\" is no throw. "),
                text_escape(line, strlen(line), shown, sizeof shown));
    }
    fprintf(stderr, "%s\n", _("Two dice, such as 52; and for a throw that does not count:"));
    bool turkish = lang_is_turkish();
    for (int flaw = 0; flaw < FLAW_COUNT; flaw++) {
        fprintf(stderr, "  %-8s %s\n", flaws[flaw].word[turkish ? 1 : 0], _(flaws[flaw].meaning));
    }
}

/* What was typed in answer to the prompt. */
static int hear(struct operator *operator, const struct stage *stage,
                const struct stage_throw *wanted, const char *line, int64_t now,
                struct fail *fail) {
    struct roll roll;
    line += strspn(line, " \t\r");
    int flaw = find_flaw(line);
    if (read_throw(line, &roll)) {
        throws_add(&operator->event->throws, wanted->unit, roll);
        if (keep(operator, fail) != 0) {
            return -1;
        }
        stage_throw(stage, wanted, &roll, now);
    } else if (flaw >= 0) {
        stage_rethrow(stage, wanted, (enum throw_flaw)flaw, now);
        fprintf(stderr, _("%s: it is thrown again"), _(flaws[flaw].meaning));
        fprintf(stderr, "\n");
    } else if (*line != '\0') {
        help(line);
    }
    return 0;
}

int operator_turn(struct operator *operator, const struct stage *stage, struct loop *loop,
                  int64_t now, struct fail *fail) {
    struct stage_throw wanted;
    char line[LINE_MAX_BYTES + 1];
    if (operator->event->source != DICE_MANUAL) {
        return 0;
    }
    while (stage_awaits_throw(stage, &wanted)) {
        if (!operator->asked) {
            ask(operator, &wanted);
        }
        if (!take_line(operator, line)) {
            break;
        }
        operator->asked = false;
        if (hear(operator, stage, &wanted, line, now, fail) != 0) {
            return -1;
        }
    }
    if (operator->asked && operator->ended) {
        fprintf(stderr, "\n");
        return 1;
    }
    if (operator->asked && operator->watch == NULL) {
        operator->watch = loop_watch(loop, STDIN_FILENO, on_ready, operator);
    } else if (!operator->asked) {
        watch_free(operator->watch);
        operator->watch = NULL;
    }
    return 0;
}
