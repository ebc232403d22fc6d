#include "cli/check_report.h"

#include "base/json.h"
#include "base/lang.h"

#include <stdio.h>
#include <string.h>

enum { REPORT_MAX = 1 << 20, ID_WIDTH = 15 };

static const char *const verdict_names[VERDICT_COUNT] = {"good", "bad", "none"};

static void print_bytes(struct bytes *bytes) {
    fwrite(bytes->data, 1, bytes->length, stdout);
    fflush(stdout);
    bytes_drop(bytes, bytes->length);
}

void check_report_begin(struct check_report *report, bool json, const char *command) {
    *report = (struct check_report){.json = json, .bot = command};
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        bytes_init(&report->names[verdict], REPORT_MAX);
    }
    if (json) {
        struct bytes out;
        bytes_init(&out, REPORT_MAX);
        bytes_add_text(&out, "{\"type\":\"start\",\"format\":\"hakem-check/1\"");
        json_add_member(&out, "hakem", HAKEM_VERSION);
        json_add_member(&out, "bot", command);
        bytes_add_text(&out, "}\n");
        print_bytes(&out);
        bytes_clear(&out);
    }
}

/* ---- JSON */

static void add_lines(struct bytes *out, const struct transcript *said) {
    unsigned first = said->count > TALK_LINES ? said->count - TALK_LINES : 0;
    bytes_add_text(out, ",\"lines\":[");
    for (unsigned i = first; i < said->count; i++) {
        const char *line = said->line[i % TALK_LINES];
        bytes_add_text(out, i > first ? "," : "");
        json_add_string(out, line, strlen(line));
    }
    bytes_add_text(out, "]");
}

static void add_json(struct bytes *out, const struct finding *finding) {
    const struct variant *variant = finding->variant;
    bytes_print(out, "{\"type\":\"item\",\"id\":\"%s%s%s\"", finding->item->id,
                variant != NULL ? "/" : "", variant != NULL ? variant->name : "");
    json_add_member(out, "item", finding->item->id);
    if (variant != NULL) {
        json_add_member(out, "variant", variant->name);
    }
    json_add_member(out, "what", finding->item->what);
    json_add_member(out, "verdict", verdict_names[finding->verdict]);
    if (finding->words->english[0] != '\0') {
        json_add_member(out, "words", finding->words->english);
    }
    if (finding->verdict == VERDICT_BAD) {
        add_lines(out, finding->said);
    }
    bytes_print(out, ",\"ms\":%lld}\n", (long long)finding->took / 1000);
}

static void print_json(const struct finding *finding) {
    struct bytes out;
    bytes_init(&out, REPORT_MAX);
    add_json(&out, finding);
    print_bytes(&out);
    bytes_clear(&out);
}

/* ---- text */

static void print_bad(const struct finding *finding) {
    const struct variant *variant = finding->variant;
    struct bytes out;
    char id[CHECK_ID_MAX];
    snprintf(id, sizeof id, "%s%s%s", finding->item->id, variant != NULL ? "/" : "",
             variant != NULL ? variant->name : "");
    bytes_init(&out, REPORT_MAX);
    bytes_print(&out, "%s  %-*s %s\n        %s\n", _("BAD "), ID_WIDTH, id, _(finding->item->what),
                finding->words->local);
    transcript_write(finding->said, "          ", &out);
    print_bytes(&out);
    bytes_clear(&out);
}

/* Keeps it until the row is done: variants of which the same is to be said share a line. */
static void keep(struct check_report *report, const struct finding *finding) {
    struct bytes *names = &report->names[finding->verdict];
    struct check_words *words = &report->words[finding->verdict];
    if (report->row[finding->verdict]++ == 0) {
        *words = *finding->words;
    } else if (strcmp(words->english, finding->words->english) != 0) {
        words->local[0] = '\0';
    }
    if (finding->variant != NULL) {
        bytes_add_text(names, names->length > 0 ? ", " : "");
        bytes_add_text(names, finding->variant->name);
    }
}

void check_report_add(struct check_report *report, const struct finding *finding) {
    report->count[finding->verdict]++;
    if (report->json) {
        print_json(finding);
    } else if (finding->left_out) {
        report->left_out++;
        report->why_left = *finding->words;
    } else if (finding->verdict == VERDICT_BAD) {
        print_bad(finding);
    } else {
        keep(report, finding);
    }
}

static void print_row(const struct check_report *report, enum verdict_word verdict,
                      const struct check_item *item) {
    struct bytes names = report->names[verdict];
    const char *words = report->words[verdict].local;
    printf("%s  %-*s %s", verdict == VERDICT_GOOD ? _("good") : "-   ", ID_WIDTH, item->id,
           _(item->what));
    if (names.length > 0) {
        printf(" [%.*s]", (int)names.length, names.data);
    }
    printf("%s%s\n", words[0] != '\0' ? ": " : "", words);
    fflush(stdout);
}

/* That a row does not apply to some variants is no news where it does to others. */
void check_report_row(struct check_report *report, const struct check_item *item) {
    if (report->row[VERDICT_GOOD] > 0) {
        print_row(report, VERDICT_GOOD, item);
    } else if (report->row[VERDICT_NONE] > 0) {
        print_row(report, VERDICT_NONE, item);
    }
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        report->row[verdict] = 0;
        bytes_drop(&report->names[verdict], report->names[verdict].length);
    }
}

void check_report_end(struct check_report *report, const char *name, bool complete) {
    const int *count = report->count;
    struct bytes out;
    bytes_init(&out, REPORT_MAX);
    if (report->json) {
        bytes_add_text(&out, "{\"type\":\"summary\"");
        json_add_member(&out, "name", name);
        bytes_print(&out, ",\"good\":%d,\"bad\":%d,\"none\":%d,\"complete\":%s}\n",
                    count[VERDICT_GOOD], count[VERDICT_BAD], count[VERDICT_NONE],
                    complete ? "true" : "false");
    } else {
        if (report->left_out > 0) {
            bytes_print(&out, _("-     %d more: %s\n"), report->left_out, report->why_left.local);
        }
        bytes_print(&out, _("%s: %d good, %d bad, %d do not apply\n"),
                    name[0] != '\0' ? name : report->bot, count[VERDICT_GOOD],
                    count[VERDICT_BAD], count[VERDICT_NONE]);
    }
    print_bytes(&out);
    bytes_clear(&out);
}

void check_report_clear(struct check_report *report) {
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        bytes_clear(&report->names[verdict]);
    }
}
