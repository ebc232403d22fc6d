#include "cli/programs.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "cli/records.h"
#include "record/writer.h"
#include "wire/spelling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROGRAMS_MATCHES = 4000, /* looked at, at most */
    PROGRAMS_RECORD = 16 << 20,
    DIGITS_SHOWN = 12
};

/* What a record's header says of its bots. */
static const struct {
    enum field name, version, settings, command, files;
} sides[SIDE_COUNT] = {
    {FIELD_X, FIELD_X_VERSION, FIELD_X_SETTINGS, FIELD_X_COMMAND, FIELD_X_FILES},
    {FIELD_Y, FIELD_Y_VERSION, FIELD_Y_SETTINGS, FIELD_Y_COMMAND, FIELD_Y_FILES}};

static void show_settings(const struct entrant *entrant, const char *list) {
    const char *apart = "  ";
    while (*list != '\0') {
        char said[DIALECT_PLIES_MAX];
        size_t length = strcspn(list, ",");
        dialect_write_option(entrant->dialect.protocol, list, length, said);
        printf("%s%s", apart, said);
        list += length + (list[length] == ',');
        apart = ", ";
    }
}

static void show_files(const char *list) {
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        const char *path = strchr(list, ':');
        if (path != NULL) {
            int name = (int)(list + length - path) - 1;
            printf("    %.*s  %.*s\n", DIGITS_SHOWN, list, name, path + 1);
        }
        list += length + (list[length] == ',');
    }
}

/* One bot; false where the header says nothing of it. */
static bool show_one(const struct entrant *entrant, const struct message *header, int side) {
    const char *version = message_text(header, sides[side].version);
    const char *command = message_text(header, sides[side].command);
    const char *settings = message_text(header, sides[side].settings);
    if (version[0] == '\0' && command[0] == '\0' && settings[0] == '\0') {
        return false;
    }
    printf("  %s%s%s", entrant->name, version[0] != '\0' ? "  " : "", version);
    show_settings(entrant, settings);
    printf("%s%s\n", command[0] != '\0' ? ": " : "", command);
    show_files(message_text(header, sides[side].files));
    return true;
}

/* The header of a match that has begun. */
static bool read_header(struct records *records, uint64_t number, struct message *header) {
    struct bytes record;
    struct fail fail;
    char name[RECORDS_NAME_MAX], why[160];
    bytes_init(&record, PROGRAMS_RECORD);
    bool good = records_read(records, number, &record, name, &fail) == 1;
    if (good) {
        const char *line = bytes_text(&record);
        size_t length = strcspn(line, "\n"), chain = 1 + RECORD_CHAIN_DIGITS;
        good = length > chain && spelling_decode(SPELLING_TEXT, line, length - chain,
                                                 KEPT_IN_RECORD, header, why) == DECODED_MESSAGE;
    }
    bytes_clear(&record);
    return good;
}

/* Shows who is in that match and was not shown yet; whether anybody was. */
static bool show_match(const struct event *event, const struct message *header, bool *done,
                       bool any) {
    for (int side = 0; side < SIDE_COUNT; side++) {
        int entrant = event_find_entrant(event, message_text(header, sides[side].name));
        if (entrant >= 0 && !done[entrant]) {
            if (!any) {
                printf("%s", _("\nPrograms, and the SHA-256 of their files:\n"));
            }
            done[entrant] = show_one(&event->entrants[entrant], header, side);
            any = true;
        }
    }
    return any;
}

void programs_show(const struct event *event, const char *folder) {
    struct records records;
    struct fail fail;
    bool any = false;
    if (records_open(folder, &records, &fail) != 0) {
        return;
    }
    bool *done = alloc_zeroed((size_t)event->entrant_count, sizeof *done);
    int left = event->entrant_count;
    for (uint64_t number = 1; number <= records.matches && number <= PROGRAMS_MATCHES && left > 0;
         number++) {
        struct message header;
        if (read_header(&records, number, &header)) {
            any = show_match(event, &header, done, any);
        }
        left = 0;
        for (int i = 0; i < event->entrant_count; i++) {
            left += !done[i];
        }
    }
    free(done);
    records_close(&records);
}
