#include "cli/records.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/args.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int records_check_served(const char *folder, struct fail *fail) {
    char *match = alloc_print("%s/M000001", folder);
    int status = 0;
    if (!store_exists(folder) && store_exists(match)) {
        status = fail_set(fail, EXIT_CODE_USAGE,
                          _("%s holds a store for each match that was served: name one of them, "
                            "such as %s"),
                          folder, match);
    }
    free(match);
    return status;
}

int records_read_file(const char *path, struct bytes *out, struct fail *fail) {
    if (strcmp(path, "-") != 0 && store_exists(path)) {
        return fail_set(fail, EXIT_CODE_USAGE, _("%s is a store: say which match, such as %s 1"),
                        path, path);
    }
    if (records_check_served(path, fail) != 0) {
        return -1;
    }
    return file_read(path, out, fail);
}

int records_open(const char *folder, struct records *records, struct fail *fail) {
    if (records_check_served(folder, fail) != 0) {
        return -1;
    }
    if (!store_exists(folder)) {
        return fail_set(fail, EXIT_CODE_IO, _("%s is not a store: it holds no hakem.db"), folder);
    }
    if (store_open(folder, true, &records->store, fail) != 0) {
        return -1;
    }
    const char *json = store_event(records->store)->json;
    event_init(&records->event);
    if (event_parse(&records->event, "hakem.db", json, strlen(json), fail) != 0 ||
        event_seal(&records->event, fail) != 0) {
        records_close(records);
        return -1;
    }
    uint32_t units = schedule_units(&records->event);
    struct unit last = schedule_unit(&records->event, units);
    records->matches = schedule_match_number(&records->event, units, last.legs);
    return 0;
}

void records_close(struct records *records) {
    struct fail ignored; /* nothing was put */
    event_clear(&records->event);
    if (store_close(records->store, &ignored) != 0) {
        records->store = NULL;
    }
}

int records_read(struct records *records, uint64_t number, struct bytes *out,
                 char name[RECORDS_NAME_MAX], struct fail *fail) {
    uint32_t unit;
    int leg;
    schedule_match_at(&records->event, number, &unit, &leg);
    struct unit row = schedule_unit(&records->event, unit);
    snprintf(name, RECORDS_NAME_MAX, "%s-%d", row.name, leg);
    return store_record(records->store, unit, leg, out, fail);
}

int records_read_match(const char *folder, const char *number, struct bytes *out,
                       struct fail *fail) {
    struct records records;
    if (records_open(folder, &records, fail) != 0) {
        return -1;
    }
    uint64_t match;
    char name[RECORDS_NAME_MAX];
    int found = -1;
    if (!text_u64(number, strlen(number), &match) || match < 1 || match > records.matches) {
        fail_set(fail, EXIT_CODE_USAGE, _("%s has the matches 1 to %llu, not \"%s\""), folder,
                 (unsigned long long)records.matches, number);
    } else {
        found = records_read(&records, match, out, name, fail);
        if (found == 0) {
            fail_set(fail, EXIT_CODE_USAGE, _("match %s of %s has not begun"), number, folder);
        }
    }
    records_close(&records);
    return found == 1 ? 0 : -1;
}

int records_finish(const char *command, int code) {
    struct fail fail;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return code;
    }
    fail_set(&fail, EXIT_CODE_IO, "%s", _("cannot write to standard output"));
    return args_refuse(command, &fail);
}
