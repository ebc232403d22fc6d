/* Lines come out the same however the stream was cut into segments. */
#include "wire/frame.h"

#include "check.h"

#include <stdlib.h>

enum { LINES_MAX = 64, LINE_ROOM = 64 };

/* What a reader saw. */
struct seen {
    int count;
    bool too_long;
    char line[LINES_MAX][LINE_ROOM];
};

/* A reader as a session is one: it keeps what is not yet a line. */
struct reader {
    char kept[1024];
    size_t length;
    size_t limit;
    struct seen seen;
};

static void reader_take(struct reader *reader, const char *data, size_t length) {
    memcpy(reader->kept + reader->length, data, length);
    reader->length += length;
    while (!reader->seen.too_long) {
        /* An exact copy lets a sanitizer see a step beyond the end. */
        char *exact = malloc(reader->length + 1);
        struct frame frame;
        if (exact == NULL) {
            abort();
        }
        memcpy(exact, reader->kept, reader->length);
        char *tight = realloc(exact, reader->length > 0 ? reader->length : 1);
        enum frame_state state = frame_cut(tight, reader->length, reader->limit, &frame);
        if (state == FRAME_LINE) {
            char *line = reader->seen.line[reader->seen.count++];
            memcpy(line, frame.line, frame.length);
            line[frame.length] = '\0';
            reader->length -= frame.consumed;
            memmove(reader->kept, reader->kept + frame.consumed, reader->length);
        }
        reader->seen.too_long = state == FRAME_TOO_LONG;
        free(tight);
        if (state == FRAME_PARTIAL) {
            return;
        }
    }
}

static bool same_seen(const struct seen *a, const struct seen *b) {
    bool same = a->count == b->count && a->too_long == b->too_long;
    for (int i = 0; same && i < a->count; i++) {
        same = strcmp(a->line[i], b->line[i]) == 0;
    }
    return same;
}

static const char stream[] = "hello hakem=1 name=a\r\n\nready 1\n\r\nplay 1 2 8/5 6/5\n"
                             "\r\r\nplay 1 3 #0\r\npart";

static void check_splits(void) {
    static struct reader whole, split;
    size_t length = strlen(stream);
    whole.limit = LINE_ROOM;
    reader_take(&whole, stream, length);
    CHECK_INT(whole.seen.count, 7, "lines of the whole stream");
    CHECK_TEXT(whole.seen.line[0], "hello hakem=1 name=a", "CR LF ends a line");
    CHECK_TEXT(whole.seen.line[1], "", "an empty line");
    CHECK_TEXT(whole.seen.line[3], "", "an empty line with CR");
    CHECK_TEXT(whole.seen.line[5], "\r", "one CR is dropped, not two");
    CHECK_TEXT(whole.seen.line[6], "play 1 3 #0", "the last whole line");
    CHECK_INT(whole.length, 4, "what has no end stays");
    bool good = true;
    for (size_t cut = 0; cut <= length; cut++) {
        memset(&split, 0, sizeof split);
        split.limit = LINE_ROOM;
        reader_take(&split, stream, cut);
        reader_take(&split, stream + cut, length - cut);
        good = good && same_seen(&whole.seen, &split.seen);
    }
    CHECK(good, "every split into two gives the same lines");
    memset(&split, 0, sizeof split);
    split.limit = LINE_ROOM;
    for (size_t i = 0; i < length; i++) {
        reader_take(&split, stream + i, 1);
    }
    CHECK(same_seen(&whole.seen, &split.seen), "single bytes give the same lines");
}

static void check_limit(void) {
    char line[300];
    memset(line, 'x', sizeof line);
    struct frame frame;
    for (size_t limit = 1; limit < 260; limit += limit < 20 ? 1 : 40) {
        bool good = true;
        for (size_t size = 0; size < limit + 4; size++) {
            line[size] = '\n';
            bool fits = size + 1 <= limit; /* the line end counts */
            good = good && frame_cut(line, size + 1, limit, &frame) ==
                               (fits ? FRAME_LINE : FRAME_TOO_LONG);
            good = good && (!fits || (frame.length == size && frame.consumed == size + 1));
            line[size] = 'x';
            good = good && frame_cut(line, size, limit, &frame) ==
                               (size < limit ? FRAME_PARTIAL : FRAME_TOO_LONG);
        }
        CHECK(good, "limit %zu counts the line end", limit);
    }
    CHECK_INT(frame_cut(NULL, 0, 4096, &frame), FRAME_PARTIAL, "no byte at all");
}

static void check_first_byte(void) {
    static const struct {
        const char *bytes;
        int first;
    } cases[] = {
        {"", -1},
        {" \t\r\n", -1},
        {"{", '{'},
        {"hello", 'h'},
        {" \r\n\t{", '{'},
        {"\xEF", -1},
        {"\xEF\xBB", -1},
        {"\xEF\xBB\xBF", -1},
        {"\xEF\xBB\xBF{", '{'},
        {"\xEF\xBB\xBF \n h", 'h'},
        {"\n\xEF\xBB\xBFh", 'h'},
        {"\xEF\xBBx", 0xEF},
        {"\xEFx", 0xEF},
        {"\xFF", 0xFF},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[40];
        snprintf(name, sizeof name, "first byte, case %zu", i);
        CHECK_INT(frame_first_byte(cases[i].bytes, strlen(cases[i].bytes)), cases[i].first, name);
    }
    CHECK_INT(frame_first_byte("\0", 1), 0, "a NUL counts");
}

int main(void) {
    check_splits();
    check_limit();
    check_first_byte();
    return check_done();
}
