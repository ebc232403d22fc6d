#include "cli/audit_copies.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/copies.h"
#include "cli/formats.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct audit_copies audit_copies_of(struct records *records, struct audit_event *event,
                                    const char *folder, bool at_rest) {
    bool wanted = (copies_wanted(&records->event, records->matches) & FILES_HKM) != 0;
    return (struct audit_copies){
        .records = records, .event = event, .folder = folder, .at_rest = at_rest, .due = wanted};
}

/* The number of the first line in which two texts differ; 0: they are the same. */
static size_t differs_at(const struct bytes *a, const struct bytes *b) {
    size_t line = 1;
    size_t both = a->length < b->length ? a->length : b->length;
    for (size_t at = 0; at < both; at++) {
        if (a->data[at] != b->data[at]) {
            return line;
        }
        line += a->data[at] == '\n';
    }
    return a->length == b->length ? 0 : line;
}

static void compare(const struct audit_copies *copies, const char *path,
                    const struct bytes *record) {
    struct bytes text;
    struct fail fail;
    bytes_init(&text, RECORDS_FILE_MAX);
    if (file_read(path, &text, &fail) != 0) {
        printf("%s\n", fail.text);
        audit_event_refuse(copies->event);
    } else if (differs_at(&text, record) > 0) {
        printf(_("%s: not the record that the store has, from line %zu on"), path,
               differs_at(&text, record));
        printf("\n");
        audit_event_refuse(copies->event);
    }
    bytes_clear(&text);
}

void audit_copies_record(struct audit_copies *copies, const struct audit_record *record) {
    char *path = alloc_print("%s/records/%s.hkm", copies->folder, record->name);
    bool is_signed = record->outcome == VERIFY_PROVEN;
    if (access(path, F_OK) == 0) {
        compare(copies, path, &record->text);
    } else if (is_signed && copies->due && copies->at_rest) {
        printf(_("%s: it is missing, and the store has its record"), path);
        printf("\n");
        audit_event_refuse(copies->event);
    }
    free(path);
}

/* What a process that was killed leaves of a file that it was writing. */
static bool is_unfinished(const char *name) {
    static const char ending[] = ".tmp";
    size_t length = strlen(name);
    return length >= sizeof ending && strcmp(name + length - (sizeof ending - 1), ending) == 0;
}

/* Whether a file has the name of a match that has ended, and an ending that is known. */
static bool belongs(const struct audit_copies *copies, const char *name) {
    char unit[UNIT_NAME_MAX];
    int leg;
    const struct format_row *format = formats_find(name);
    if (format == NULL || sscanf(name, "%15[U0-9]-%1d", unit, &leg) != 2) {
        return !copies->at_rest && is_unfinished(name);
    }
    const struct match_row *row = audit_event_match(copies->event, unit, leg);
    if (row == NULL) {
        return false;
    }
    char *whole = alloc_print("%s-%d.%s", schedule_unit(&copies->records->event, row->unit).name,
                              leg, format->ending);
    bool same = strcmp(whole, name) == 0;
    free(whole);
    return same;
}

static int is_entry(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

void audit_copies_strays(const struct audit_copies *copies) {
    char *path = alloc_print("%s/records", copies->folder);
    struct dirent **entries;
    int count = scandir(path, &entries, is_entry, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (!belongs(copies, name)) {
            char shown[256];
            printf(_("%s/%s: no match that has ended has a file of this name"), path,
                   text_escape(name, strlen(name), shown, sizeof shown));
            printf("\n");
            audit_event_refuse(copies->event);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    free(path);
}
