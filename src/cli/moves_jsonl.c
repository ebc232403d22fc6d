#include "cli/moves_jsonl.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "cli/moves_request.h"
#include "rules/position.h"
#include "rules/result.h"

#include <stdlib.h>
#include <string.h>

/* The longest answer: every final of the widest throw and a refusal for each of
 * the claims that fit into a line. */
enum { ANSWER_MAX = 256 << 20 };

static const struct json_limits limits = {
    .depth = 16, .keys = 256, .items = 1 << 18, .comments = false, .people = false};

/* Adds `{"id":` and the request's id, null where there is none. */
static void add_id(struct bytes *out, const struct cJSON *json) {
    const struct cJSON *id = json_member(json, "id");
    int64_t whole;
    double number;
    bool truth;
    bytes_add_text(out, "{\"id\":");
    if (json_text(id) != NULL) {
        json_add_string(out, json_text(id), strlen(json_text(id)));
    } else if (json_integer(id, INT64_MIN, INT64_MAX, &whole)) {
        bytes_print(out, "%lld", (long long)whole);
    } else if (json_number(id, &number)) {
        bytes_print(out, "%.17g", number);
    } else if (json_boolean(id, &truth)) {
        bytes_add_text(out, truth ? "true" : "false");
    } else {
        bytes_add_text(out, "null");
    }
}

static void add_error(struct bytes *out, const char *sentence) {
    bytes_add_text(out, ",\"error\":");
    json_add_string(out, sentence, strlen(sentence));
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(a, b);
}

/* Adds the finals as texts, sorted bytewise. */
static void add_finals(struct bytes *out, const struct option_play *list, size_t count) {
    char(*texts)[POSITION_TEXT_MAX] = alloc_zeroed(count, sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        position_write(&list[i].final, texts[i]);
    }
    qsort(texts, count, sizeof *texts, compare_texts);
    bytes_print(out, ",\"n_finals\":%zu,\"finals\":[", count);
    for (size_t i = 0; i < count; i++) {
        bytes_add_text(out, i == 0 ? "" : ",");
        json_add_string(out, texts[i], strlen(texts[i]));
    }
    bytes_add_text(out, "]");
    free(texts);
}

/* Adds true or the reason for each claim. */
static void add_verdicts(struct bytes *out, const struct moves_request *request,
                         struct play_room *room) {
    struct verdict verdict;
    bytes_add_text(out, ",\"try\":[");
    for (const struct cJSON *at = json_first(request->claims); at != NULL; at = json_next(at)) {
        const char *claim = json_text(at);
        bytes_add_text(out, at == json_first(request->claims) ? "" : ",");
        play_judge(&request->rules, &request->situation, claim, strlen(claim), room, &verdict);
        if (verdict.judgement == JUDGED_LEGAL) {
            bytes_add_text(out, "true");
        } else {
            json_add_string(out, verdict.reason, strlen(verdict.reason));
        }
    }
    bytes_add_text(out, "]");
}

static void add_plays(struct bytes *out, const struct moves_request *request,
                      struct play_room *room) {
    size_t count = plays_list(&request->rules, &request->situation, room->list, PLAYS_MAX);
    bytes_print(out, ",\"dice_used\":%d", plays_dice_used(room->list, count));
    add_finals(out, room->list, count);
    if (request->claims != NULL) {
        add_verdicts(out, request, room);
    }
}

static void add_result(struct bytes *out, const struct moves_request *request) {
    struct outcome outcome = board_outcome(&request->rules, &request->situation.board);
    if (!outcome.over) {
        bytes_add_text(out, ",\"result\":null");
        return;
    }
    bytes_print(out, ",\"result\":[\"%s\",\"%s\",%d]", outcome.winner == SIDE_X ? "W" : "B",
                kind_name(&request->rules, outcome.kind), outcome.points);
}

/* Adds the whole answer to one line, without its LF. */
static void answer_line(struct bytes *out, const char *line, size_t length,
                        struct play_room *room) {
    struct moves_request request;
    struct fail fail;
    struct cJSON *json = json_parse(line, length, &limits, &fail);
    add_id(out, json);
    if (json == NULL || moves_request_read(json, &request, &fail) != 0) {
        add_error(out, fail.text);
    } else if (request.has_dice) {
        add_plays(out, &request, room);
    } else {
        add_result(out, &request);
    }
    bytes_add_text(out, "}");
    json_free(json);
}

/* Reads a line without its LF; false at the end of the input. What does not fit
 * is skipped, and the buffer says that it was full. */
static bool read_line(FILE *in, struct bytes *line) {
    int byte = getc_unlocked(in);
    bytes_clear(line);
    line->full = false;
    if (byte == EOF) {
        return false;
    }
    for (; byte != EOF && byte != '\n'; byte = getc_unlocked(in)) {
        char c = (char)byte;
        if (!line->full) {
            bytes_add(line, &c, 1);
        }
    }
    return true;
}

bool moves_jsonl_serve(FILE *in, FILE *out, struct play_room *room) {
    struct bytes line, answer;
    bool written = true;
    bytes_init(&line, MOVES_LINE_MAX);
    bytes_init(&answer, ANSWER_MAX);
    while (written && read_line(in, &line)) {
        if (line.full) {
            add_id(&answer, NULL);
            add_error(&answer, "the line is longer than 1 MiB");
            bytes_add_text(&answer, "}");
        } else {
            answer_line(&answer, bytes_text(&line), line.length, room);
        }
        bytes_add_text(&answer, "\n");
        written = fwrite(answer.data, 1, answer.length, out) == answer.length && fflush(out) == 0;
        bytes_clear(&answer);
    }
    bytes_clear(&line);
    return written;
}
