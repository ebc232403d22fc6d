#include "cli/story.h"

#include "base/alloc.h"
#include "record/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a line of that kind is a step of the story. */
static bool is_step(enum message_kind kind) {
    return kind == MESSAGE_GAME || kind == MESSAGE_DID || kind == MESSAGE_FAULT ||
           kind == MESSAGE_RESULT || kind == MESSAGE_VOID || kind == MESSAGE_END;
}

static void note_fault(struct story_step *step, const struct message *message) {
    const char *reason = message_text(message, FIELD_REASON);
    char shown[STORY_NOTE_MAX];
    text_escape(reason, strlen(reason), shown, sizeof shown);
    if (message_has(message, FIELD_GOT)) {
        snprintf(step->note, sizeof step->note, "\"%.60s\": %.120s",
                 message_text(message, FIELD_GOT), shown);
    } else {
        snprintf(step->note, sizeof step->note, "%.190s", shown);
    }
}

static void add_step(struct story *story, const struct replay *replay,
                     const struct message *message) {
    story->steps = alloc_more(story->steps, story->count, &story->allotted, sizeof *story->steps);
    struct story_step *step = &story->steps[story->count++];
    *step = (struct story_step){.kind = message->kind, .at = *replay};
    if (message->kind == MESSAGE_FAULT) {
        note_fault(step, message);
    }
}

/* Keeps the first line that does not hold. */
static void take_finding(void *owner, const struct verify_finding *finding) {
    struct story *story = owner;
    uint64_t line = finding->line > 0 ? finding->line : story->lines;
    if (story->bad_line == 0 || line < story->bad_line) {
        story->bad_line = line;
        snprintf(story->why, sizeof story->why, "%s", finding->text);
    }
}

/* Chain and rules bear it out; its throws, seed and signature have to hold too. */
static void verify_story(struct story *story, const char *text, size_t length) {
    static const struct verify_known nothing = {.seed = NULL};
    struct verify_report report;
    verify_record(text, length, &nothing, take_finding, story, &report);
    while (story->bad_line > 0 && story->count > 0 &&
           story->steps[story->count - 1].at.lines >= story->bad_line) {
        story->count--;
    }
}

void story_read(struct story *story, const char *text, size_t length) {
    *story = (struct story){.room = alloc_zeroed(1, sizeof *story->room)};
    struct replay replay;
    struct message message;
    const char *line;
    size_t line_length;
    size_t at = 0;
    replay_init(&replay, story->room);
    while (replay_cut(text, length, &at, &line, &line_length) > 0) {
        if (replay_line(&replay, line, line_length, &message, story->why) != 0) {
            story->bad_line = replay.lines;
            return;
        }
        story->lines = replay.lines;
        story->header = replay.header;
        if (is_step(message.kind)) {
            add_step(story, &replay, &message);
        }
    }
    story->unfinished = replay.state != REPLAY_SIGNED;
    if (!story->unfinished) {
        verify_story(story, text, length);
    }
    if (story->lines == 0) {
        story->bad_line = 1;
        snprintf(story->why, sizeof story->why, "this is no record: it holds no whole line");
    }
}

void story_clear(struct story *story) {
    free(story->steps);
    free(story->room);
    *story = (struct story){.room = NULL};
}

long story_find(const struct story *story, unsigned game, unsigned ply) {
    for (size_t i = 0; i < story->count; i++) {
        const struct story_step *step = &story->steps[i];
        bool here = step->at.game == game && step->at.plies == ply;
        if (here && step->kind == (ply == 0 ? MESSAGE_GAME : MESSAGE_DID)) {
            return (long)i;
        }
    }
    return -1;
}
