#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/records.h"
#include "record/mat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is written where, and how much it was. */
struct conversion {
    const char *folder;
    unsigned files;   /* FILES_HKM, FILES_MAT */
    uint64_t matches; /* records that were found */
};

/* Reads "hkm,mat" into bits. */
static int read_files(const char *list, unsigned *files, struct fail *fail) {
    static const struct {
        const char *name;
        unsigned bit;
    } kinds[] = {{"hkm", FILES_HKM}, {"mat", FILES_MAT}};
    *files = 0;
    for (const char *word = list; word != NULL;) {
        size_t length = strcspn(word, ",");
        unsigned bit = 0;
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, word, length) == 0) {
                bit = kinds[i].bit;
            }
        }
        if (bit == 0) {
            return fail_set(fail, EXIT_CODE_USAGE,
                            _("--files takes hkm, mat or hkm,mat, not \"%s\""), list);
        }
        *files |= bit;
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
    return 0;
}

static int write_file(const struct conversion *conversion, const char *name, const char *ending,
                      const struct bytes *data, struct fail *fail) {
    char *path = alloc_print("%s/%s.%s", conversion->folder, name, ending);
    int status = file_write(path, data->data, data->length, fail);
    free(path);
    return status;
}

static int convert_record(struct conversion *conversion, const char *name,
                          const struct bytes *record, struct fail *fail) {
    int status = 0;
    conversion->matches++;
    if ((conversion->files & FILES_HKM) != 0) {
        status = write_file(conversion, name, "hkm", record, fail);
    }
    if (status == 0 && (conversion->files & FILES_MAT) != 0) {
        struct bytes mat;
        bytes_init(&mat, RECORDS_FILE_MAX);
        status = mat_write(record->data, record->length, &mat, fail);
        if (status != 0) {
            fail_wrap(fail, "%s", name);
        } else {
            status = write_file(conversion, name, "mat", &mat, fail);
        }
        bytes_clear(&mat);
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

static int run(int argc, char **argv) {
    struct conversion conversion = {.files = FILES_HKM | FILES_MAT};
    const char *list = "hkm,mat";
    const struct arg_row rows[] = {{.name = "files", .kind = ARG_TEXT, .value = &list}};
    struct args args = {.rows = rows, .row_count = sizeof rows / sizeof rows[0]};
    struct fail fail = {.code = EXIT_CODE_DONE};
    struct records records;
    if (args_read(&args, argc, argv, &fail) != 0 ||
        read_files(list, &conversion.files, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    if (args.positional_count != 2) {
        fail_set(&fail, EXIT_CODE_USAGE, _("from which store, into which folder?"));
        return args_refuse(argv[0], &fail);
    }
    conversion.folder = args.positional[1];
    if (records_open(args.positional[0], &records, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    int status = convert_all(&conversion, &records, &fail);
    records_close(&records);
    if (status != 0) {
        return args_refuse(argv[0], &fail);
    }
    printf(_("%llu of %llu matches written to %s"), (unsigned long long)conversion.matches,
           (unsigned long long)records.matches, conversion.folder);
    printf("\n");
    return records_finish(argv[0], EXIT_CODE_DONE);
}

const struct command command_convert = {
    .name = "convert",
    .usage = "STORE FOLDER [--files hkm,mat]",
    .summary = N_("writes the records of a store out as files"),
    .help = N_("Each match that has begun becomes U000001-1.hkm (the record) and U000001-1.mat "
               "(for other\n"
               "programs) in FOLDER, which is made where it does not exist.\n"
               "  --files LIST   hkm, mat or both (default hkm,mat)\n"
               "Example: hakem convert night night/all --files mat\n"),
    .run = run,
};
