/* The transcripts of protocol/transcripts/, replayed: the referee says what stands
 * there, byte for byte, however its input is cut; and both spellings tell the same.
 *
 *     referee_transcripts --record FILE...    writes the referee's lines of a file anew
 */
#include "wire_kit.h"

#include "base/file.h"
#include "dice/scheme.h"
#include "sim/transcript.h"

#include <dirent.h>

enum { PAGE_MAX = 1 << 22, PATH_ROOM = 4096, FILES_MAX = 200 };

static void read_text(const char *path, struct bytes *text) {
    struct fail fail;
    bytes_init(text, PAGE_MAX);
    CHECK(file_read(path, text, &fail) == 0, "%s can be read", path);
}

static int record(const char *path) {
    struct bytes script, now;
    struct fail fail;
    char why[200];
    bytes_init(&script, PAGE_MAX);
    bytes_init(&now, PAGE_MAX);
    bool good = file_read(path, &script, &fail) == 0 &&
                transcript_play(bytes_text(&script), PACE_WHOLE, &now, why);
    if (!good) {
        fprintf(stderr, "%s: %s\n", path, why);
    } else {
        good = file_write(path, now.data, now.length, &fail) == 0;
    }
    bytes_clear(&script);
    bytes_clear(&now);
    return good ? 0 : 1;
}

/* Says where two texts part. */
static void show_difference(const char *got, const char *want) {
    int line = 1;
    while (*got != '\0' && *got == *want) {
        size_t same = 0;
        while (got[same] == want[same] && got[same] != '\n' && got[same] != '\0') {
            same++;
        }
        if (got[same] != want[same]) {
            break;
        }
        got += same + (got[same] == '\n');
        want += same + (want[same] == '\n');
        line++;
    }
    printf("# line %d\n#   got: %.*s\n#  want: %.*s\n", line, (int)strcspn(got, "\n"), got,
           (int)strcspn(want, "\n"), want);
}

static void replay(const char *path, const char *script, enum transcript_pace pace) {
    struct bytes now;
    char why[200];
    bytes_init(&now, PAGE_MAX);
    bool good = transcript_play(script, pace, &now, why);
    bool same = good && strcmp(bytes_text(&now), script) == 0;
    const char *name = strstr(path, "transcripts/");
    CHECK(same, "%s%s%s", name != NULL ? name : path, pace == PACE_BYTES ? ", byte for byte" : "",
          why);
    if (good && !same) {
        show_difference(bytes_text(&now), script);
    }
    bytes_clear(&now);
}

/* The next line that somebody says or is told; its message when it is one. */
static const char *next_said(const char **at, char line[PAGE_MAX / 64], struct message *message) {
    while (**at != '\0') {
        size_t length = strcspn(*at, "\n");
        snprintf(line, PAGE_MAX / 64, "%.*s", (int)length, *at);
        *at += length + ((*at)[length] == '\n');
        char why[160];
        if (line[0] == '#' || line[0] == '\0') {
            continue;
        }
        bool told = line[0] != '@' && line[0] != '!' && (line[2] == '<' || line[2] == '>');
        enum spelling spelling = told && line[4] == '{' ? SPELLING_JSON : SPELLING_TEXT;
        message_init(message, MESSAGE_COUNT);
        if (told && spelling_decode(spelling, line + 4, strlen(line + 4), EVERY_SENDER, message,
                                    why) != DECODED_MESSAGE) {
            message_init(message, MESSAGE_COUNT);
        }
        return line;
    }
    return NULL;
}

/* Whether two messages tell the same, what differs by the spelling aside. */
static bool tell_same(struct message *a, struct message *b) {
    if (a->kind == MESSAGE_ERROR && strcmp(message_text(a, FIELD_CODE), "malformed") == 0) {
        a->value[FIELD_REASON] = b->value[FIELD_REASON]; /* the words of the decoder */
    }
    a->value[FIELD_LINE] = b->value[FIELD_LINE]; /* the limit of a line */
    a->value[FIELD_HEAD] = b->value[FIELD_HEAD]; /* over the bytes of a fault, too */
    return kit_same(a, b);
}

static void compare(const char *name, const char *text, const char *json) {
    static struct message a, b;
    static char text_line[PAGE_MAX / 64], json_line[PAGE_MAX / 64];
    const char *one, *two;
    int steps = 0;
    do {
        one = next_said(&text, text_line, &a);
        two = next_said(&json, json_line, &b);
        steps++;
    } while (one != NULL && two != NULL && strncmp(one, two, 3) == 0 && a.kind == b.kind &&
             (a.kind == MESSAGE_COUNT || tell_same(&a, &b)));
    if (!CHECK(one == NULL && two == NULL, "%s tells the same in both spellings", name)) {
        printf("# step %d\n# text: %s\n# json: %s\n", steps, one == NULL ? "" : one,
               two == NULL ? "" : two);
    }
}

static void check(const char *folder, const char *name) {
    char path[PATH_ROOM];
    struct bytes script[2];
    static const char *const spellings[] = {"text", "json"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", folder, spellings[i], name);
        read_text(path, &script[i]);
        replay(path, bytes_text(&script[i]), PACE_WHOLE);
        replay(path, bytes_text(&script[i]), PACE_BYTES);
    }
    compare(name, bytes_text(&script[0]), bytes_text(&script[1]));
    bytes_clear(&script[0]);
    bytes_clear(&script[1]);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_transcript(const struct dirent *entry) {
    return strstr(entry->d_name, ".txt") != NULL;
}

int main(int argc, char **argv) {
    int bad = 0;
    if (dice_init() != 0) {
        return 1;
    }
    if (argc > 2 && strcmp(argv[1], "--record") == 0) {
        for (int i = 2; i < argc; i++) {
            bad += record(argv[i]);
        }
        return bad;
    }
    char folder[PATH_ROOM - 400], text[PATH_ROOM];
    const char *source = getenv("HAKEM_SOURCE");
    snprintf(folder, sizeof folder, "%s/protocol/transcripts", source != NULL ? source : ".");
    snprintf(text, sizeof text, "%s/text", folder);
    struct dirent **entries;
    struct bytes page;
    int count = scandir(text, &entries, is_transcript, by_name);
    CHECK(count >= 20, "%d transcripts are there", count);
    snprintf(text, sizeof text, "%s/README.md", folder);
    read_text(text, &page);
    for (int i = 0; i < count; i++) {
        char listed[300];
        check(folder, entries[i]->d_name);
        snprintf(listed, sizeof listed, "| `%.*s` |", (int)strcspn(entries[i]->d_name, "."),
                 entries[i]->d_name);
        CHECK(strstr(bytes_text(&page), listed) != NULL, "%s is in the list", entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    bytes_clear(&page);
    return check_done();
}
