#include "cli/foreign.h"

#include "base/lang.h"
#include "cli/records.h"
#include "record/import.h"
#include "record/mat_read.h"
#include "record/sgf_read.h"

#include <stdio.h>
#include <string.h>

enum { FOREIGN_MAX = 64 << 20 /* bytes: some ten thousand games */ };

static bool begins(const struct bytes *text, size_t at, const char *word) {
    size_t length = strlen(word);
    return text->length - at >= length && memcmp(text->data + at, word, length) == 0;
}

static size_t skip_blanks(const struct bytes *text, size_t at) {
    while (at < text->length && strchr(" \t\r\n", text->data[at]) != NULL &&
           text->data[at] != '\0') {
        at++;
    }
    return at;
}

/* A record begins with its header's name; a few bytes are left as they are, so that whoever reads
 * them says what is wrong. */
static bool is_record(const struct bytes *text) {
    static const char name[] = "record ";
    return text->length < sizeof name || begins(text, 0, name);
}

/* Where the first byte that is no blank stands, behind a byte order mark. */
static size_t find_start(const struct bytes *text) {
    return skip_blanks(text, begins(text, 0, "\xEF\xBB\xBF") ? 3 : 0);
}

static bool is_sgf(const struct bytes *text) {
    size_t at = find_start(text);
    return at < text->length && text->data[at] == '(' &&
           begins(text, skip_blanks(text, at + 1), ";");
}

/* Why bytes cannot be a match, as far as their first look tells; NULL: they could be one. */
static const char *find_alien(const struct bytes *text) {
    size_t at = find_start(text);
    if (text->length > FOREIGN_MAX) {
        return "it is larger than 64 MB";
    }
    if (begins(text, 0, "\xFF\xFE") || begins(text, 0, "\xFE\xFF")) {
        return "it is UTF-16, and UTF-8 is read";
    }
    if (memchr(text->data, '\0', text->length) != NULL) {
        return "it is no text";
    }
    return at < text->length && strchr("{[<", text->data[at]) != NULL
               ? "it is JSON or a page, which hakem does not read"
               : NULL;
}

static void print_findings(const char *path, const struct findings *findings) {
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->row[i];
        if (finding->line > 0) {
            fprintf(stderr, _("%s: line %u: %s: %s\n"), path, finding->line,
                    finding_kind_name(finding->kind), finding->text);
        } else {
            fprintf(stderr, _("%s: %s: %s\n"), path, finding_kind_name(finding->kind),
                    finding->text);
        }
    }
    if (findings->beyond > 0) {
        fprintf(stderr, _("%s: %zu more findings\n"), path, findings->beyond);
    }
}

static int refuse(const char *path, const char *why, struct fail *fail) {
    return fail_set(fail, EXIT_CODE_VERIFY, _("%s is neither a record nor a .mat or .sgf: %s"),
                    path, why);
}

/* Reads a sheet and has it judged. */
static int take_sheet(const char *path, bool lenient, const struct bytes *text,
                      struct sheet *sheet, struct bytes *record, struct fail *fail) {
    if (is_sgf(text)) {
        sgf_read(text->data, text->length, sheet);
    } else {
        mat_read(text->data, text->length, sheet);
    }
    if (sheet->games == 0) {
        return refuse(path, sheet->findings.row[0].text, fail);
    }
    struct hash hash = hash_bytes(text->data, text->length);
    enum import_outcome outcome = import_match(sheet, &hash, record);
    print_findings(path, &sheet->findings);
    return outcome == IMPORT_PARTIAL && !lenient
               ? fail_set(fail, EXIT_CODE_VERIFY,
                          _("%s cannot be followed to its end; --lenient keeps what comes before"),
                          path)
               : 0;
}

int foreign_take(const char *path, bool lenient, struct bytes *text, struct fail *fail) {
    struct sheet sheet;
    struct bytes record;
    if (is_record(text)) {
        return 0;
    }
    const char *alien = find_alien(text);
    if (alien != NULL) {
        return refuse(path, alien, fail);
    }
    bytes_init(&record, RECORDS_FILE_MAX);
    sheet_init(&sheet);
    int status = take_sheet(path, lenient, text, &sheet, &record, fail);
    sheet_clear(&sheet);
    bytes_clear(text);
    *text = record;
    return status;
}
