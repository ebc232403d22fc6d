#include "cli/formats.h"

#include "arena/event.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/story.h"
#include "record/export.h"

#include <string.h>

static void ignore_line(void *owner, const struct message *message) {
    (void)owner;
    (void)message;
}

/* As it is, if it is one. */
static int write_record(const char *record, size_t length, struct bytes *out, struct fail *fail) {
    struct replay replay;
    if (export_lines(record, length, &replay, ignore_line, NULL, fail) != 0) {
        return -1;
    }
    bytes_add(out, record, length);
    return 0;
}

/* What happened, a line for each ply. */
static int write_transcript(const char *record, size_t length, struct bytes *out,
                            struct fail *fail) {
    struct story story;
    int status = 0;
    story_read(&story, record, length);
    if (story.bad_line > 0) {
        status = fail_set(fail, EXIT_CODE_VERIFY, _("line %lu of the record: %s"),
                          (unsigned long)story.bad_line, story.why);
    } else {
        story_print_title(&story, out);
        for (size_t step = 0; step < story.count; step++) {
            bytes_add_text(out, story.steps[step].kind == MESSAGE_GAME ? "\n" : "");
            story_print_caption(&story, step, out);
        }
    }
    story_clear(&story);
    return status;
}

static const struct format_row rows[FORMATS_COUNT] = {
    {FILES_HKM, "hkm", write_record}, {FILES_MAT, "mat", mat_write},
    {FILES_SGF, "sgf", sgf_write},    {FILES_JSON, "json", json_write},
    {FILES_TXT, "txt", write_transcript},
};

const struct format_row *formats_rows(void) {
    return rows;
}

const struct format_row *formats_find(const char *path) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; i < FORMATS_COUNT && dot != NULL; i++) {
        if (text_same_fold(dot + 1, strlen(dot + 1), rows[i].ending, strlen(rows[i].ending))) {
            return &rows[i];
        }
    }
    return NULL;
}
