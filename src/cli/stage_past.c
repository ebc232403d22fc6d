#include "cli/stage_inside.h"

void stage_take_past(void *owner, uint32_t show, const char *text, size_t length) {
    struct stage *stage = owner;
    stage->asked--;
    referee_show_past(stage->host->referee, show, text, length, loop_now(stage->host->loop));
}

static void ask_past(struct stage *stage, const struct book *book, uint32_t show, const char *at) {
    for (int leg = 1; leg <= book->unit.legs; leg++) {
        if (referee_is_show(at, &book->dice, leg)) {
            stage->asked++;
            store_ask_record(stage->store, book->unit.number, leg, show);
        }
    }
}

void stage_past(struct stage *stages, uint32_t show, const char *at) {
    for (struct stage *stage = stages; stage != NULL; stage = stage->next) {
        for (const struct book *book = stage->books; book != NULL; book = book->next) {
            ask_past(stage, book, show, at);
        }
        for (size_t i = 0; i < stage->pending_count; i++) {
            const struct pending *pending = &stage->pending[stage->pending_first + i];
            if (pending->kind == PENDING_SEAL) {
                ask_past(stage, pending->of.book, show, at);
            }
        }
    }
}
