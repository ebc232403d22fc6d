#include "cli/foreign.h"

#include "base/lang.h"
#include "cli/records.h"
#include "record/import.h"
#include "record/mat_read.h"
#include "record/sgf_read.h"

#include <stdio.h>
#include <string.h>

/* A record begins with its header's name; bytes of no known kind are left as they are, so that
 * whoever reads them says what is wrong. */
static bool is_record(const struct bytes *text) {
    static const char name[] = "record ";
    return text->length < sizeof name || memcmp(text->data, name, sizeof name - 1) == 0;
}

static bool is_sgf(const struct bytes *text) {
    size_t at = text->length >= 3 && memcmp(text->data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < text->length && strchr(" \t\r\n", text->data[at]) != NULL) {
        at++;
    }
    return at < text->length && text->data[at] == '(';
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

int foreign_take(const char *path, bool lenient, struct bytes *text, struct fail *fail) {
    struct sheet sheet;
    struct bytes record;
    int status = 0;
    if (is_record(text)) {
        return 0;
    }
    bytes_init(&record, RECORDS_FILE_MAX);
    sheet_init(&sheet);
    if (is_sgf(text)) {
        sgf_read(text->data, text->length, &sheet);
    } else {
        mat_read(text->data, text->length, &sheet);
    }
    struct hash hash = hash_bytes(text->data, text->length);
    enum import_outcome outcome = import_match(&sheet, &hash, &record);
    print_findings(path, &sheet.findings);
    if (sheet.games == 0) {
        status = fail_set(fail, EXIT_CODE_VERIFY, _("%s is neither a record nor a .mat or .sgf"),
                          path);
    } else if (outcome == IMPORT_PARTIAL && !lenient) {
        status = fail_set(fail, EXIT_CODE_VERIFY,
                          _("%s cannot be followed to its end; --lenient keeps what comes before"),
                          path);
    }
    sheet_clear(&sheet);
    bytes_clear(text);
    *text = record;
    return status;
}
