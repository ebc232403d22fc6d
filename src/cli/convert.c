#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/foreign.h"
#include "cli/formats.h"
#include "cli/records.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is written where, and how much it was. */
struct conversion {
    const char *folder;
    unsigned files;   /* FILES_HKM and so on */
    uint64_t matches; /* records that were found */
};

/* `name`: of the match, for what is wrong with it. */
static int write_as(const struct format_row *format, const char *path, const char *name,
                    const struct bytes *record, struct fail *fail) {
    struct bytes data;
    bytes_init(&data, RECORDS_FILE_MAX);
    int status = format->write(record->data, record->length, &data, fail);
    if (status != 0) {
        fail_wrap(fail, "%s", name);
    } else {
        status = file_write(path, data.data, data.length, fail);
    }
    bytes_clear(&data);
    return status;
}

static int convert_record(struct conversion *conversion, const char *name,
                          const struct bytes *record, struct fail *fail) {
    const struct format_row *rows = formats_rows();
    int status = 0;
    conversion->matches++;
    for (int i = 0; i < FORMATS_COUNT && status == 0; i++) {
        if ((conversion->files & rows[i].bit) != 0) {
            char *path = alloc_print("%s/%s.%s", conversion->folder, name, rows[i].ending);
            status = write_as(&rows[i], path, name, record, fail);
            free(path);
        }
    }
    return status;
}

static int convert_all(struct conversion *conversion, struct records *records, struct fail *fail) {
    if (file_make_folder(conversion->folder, fail) != 0) {
        return -1;
    }
    int status = 0;
    for (uint64_t match = 1; status == 0 && match <= records->matches; match++) {
        struct bytes record;
        char name[RECORDS_NAME_MAX];
        bytes_init(&record, RECORDS_FILE_MAX);
        status = records_read(records, match, &record, name, fail);
        if (status == 1) {
            status = convert_record(conversion, name, &record, fail);
        }
        bytes_clear(&record);
    }
    return status;
}

/* A store's records into a folder. A file can become a file only, and that says its kind. */
static int convert_store(struct conversion *conversion, const char *store, const char *list,
                         struct fail *fail) {
    struct records records;
    if (!event_read_files(list, &conversion->files) || conversion->files == 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("--files takes a list of hkm, mat, sgf, json, txt, not \"%s\""), list);
    }
    if (!store_exists(store) && formats_find(store) != NULL) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("%s: what is it to be? A file ends in .hkm, .mat, .sgf, .json or .txt"),
                        conversion->folder);
    }
    if (records_open(store, &records, fail) != 0) {
        return -1;
    }
    int status = convert_all(conversion, &records, fail);
    records_close(&records);
    if (status == 0) {
        printf(_("%llu of %llu matches written to %s"), (unsigned long long)conversion->matches,
               (unsigned long long)records.matches, conversion->folder);
        printf("\n");
    }
    return status;
}

/* One file into another, by the ending of its name. */
static int convert_file(const char *from, const char *to, bool lenient, struct fail *fail) {
    const struct format_row *format = formats_find(to);
    struct bytes record;
    bytes_init(&record, RECORDS_FILE_MAX);
    int status = records_read_file(from, &record, fail);
    if (status == 0) {
        status = foreign_take(from, lenient, &record, fail);
    }
    if (status == 0) {
        status = write_as(format, to, from, &record, fail);
    }
    bytes_clear(&record);
    return status;
}

static int run(int argc, char **argv) {
    struct conversion conversion = {.files = 0};
    const char *list = "hkm,mat";
    bool lenient = false;
    const struct arg_row rows[] = {{.name = "files", .kind = ARG_TEXT, .value = &list},
                                   {.name = "lenient", .kind = ARG_FLAG, .value = &lenient}};
    struct args args = {.rows = rows, .row_count = sizeof rows / sizeof rows[0]};
    struct fail fail = {.code = EXIT_CODE_DONE};
    if (args_read(&args, argc, argv, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    if (args.positional_count != 2) {
        fail_set(&fail, EXIT_CODE_USAGE, _("from what, into what? A store and a folder, or two "
                                           "files"));
        return args_refuse(argv[0], &fail);
    }
    const char *from = args.positional[0];
    const char *to = args.positional[1];
    conversion.folder = to;
    int status = formats_find(to) != NULL ? convert_file(from, to, lenient, &fail)
                                          : convert_store(&conversion, from, list, &fail);
    return status != 0 ? args_refuse(argv[0], &fail) : EXIT_CODE_DONE;
}

const struct command command_convert = {
    .name = "convert",
    .usage = N_("STORE FOLDER [--files LIST] | IN OUT [--lenient]"),
    .summary = N_("writes matches as files of other kinds"),
    .help = N_(
        "STORE FOLDER: each match that has begun becomes U000001-1.hkm (the record) and\n"
        "U000001-1.mat (for other programs) in FOLDER, which is made where it does not exist.\n"
        "  --files LIST   any of hkm, mat, sgf, json, txt with commas (default hkm,mat)\n"
        "IN OUT: one file. IN is a record, a .mat of any program or a .sgf (\"-\" is standard\n"
        "input); OUT is what its name ends in: .hkm .mat .sgf .json (for programs) .txt (for\n"
        "people).\n"
        "Matches of other programs are judged play by play, and what is illegal, missing or does\n"
        "not fit is said with its line; they become records that prove no dice.\n"
        "  --lenient      keep what comes before a line that cannot be followed\n"
        "Examples: hakem convert night night/all --files mat,sgf\n"
        "          hakem convert match.mat match.hkm; hakem replay match.hkm\n"),
    .run = run,
};
