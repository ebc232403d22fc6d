#include "cli/copies.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COPIES_PRESET_MAX = 1000 /* matches */, COPIES_FILE_MAX = 256 << 20 };

unsigned copies_wanted(const struct event *event, uint64_t matches) {
    if ((event->files & FILES_PRESET) != 0) {
        return matches <= COPIES_PRESET_MAX ? FILES_HKM | FILES_MAT : 0;
    }
    return event->files & FILES_ALL;
}

/* A reader sees no file or the whole one. */
static int write_copy(const char *path, const struct bytes *data, struct fail *fail) {
    char *beside = alloc_print("%s.tmp", path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    int status = fd >= 0 && file_put(fd, data->data, data->length) ? 0 : -1;
    int error = errno;
    if (fd >= 0 && close(fd) != 0 && status == 0) {
        status = -1;
        error = errno;
    }
    if (status == 0 && rename(beside, path) != 0) {
        status = -1;
        error = errno;
    }
    if (status != 0) {
        unlink(beside);
        fail_set(fail, EXIT_CODE_IO, _("cannot write %s: %s"), path, strerror(error));
    }
    free(beside);
    return status;
}

static bool is_copy(const char *path, const struct bytes *data) {
    struct bytes there;
    struct fail fail;
    bytes_init(&there, COPIES_FILE_MAX);
    bool same = access(path, R_OK) == 0 && file_read(path, &there, &fail) == 0 &&
                there.length == data->length &&
                (data->length == 0 || memcmp(there.data, data->data, data->length) == 0);
    bytes_clear(&there);
    return same;
}

/* One file; with `mend` only when it is missing or differs. */
static int put_copy(const char *path, const struct bytes *data, bool mend, struct fail *fail) {
    return mend && is_copy(path, data) ? 0 : write_copy(path, data, fail);
}

static int put_files(const char *stem, unsigned files, const struct bytes *record, bool mend,
                     struct fail *fail) {
    const struct format_row *rows = formats_rows();
    int status = 0;
    for (int i = 0; i < FORMATS_COUNT && status == 0; i++) {
        if ((files & rows[i].bit) != 0) {
            struct bytes data;
            char *path = alloc_print("%s.%s", stem, rows[i].ending);
            bytes_init(&data, COPIES_FILE_MAX);
            status = rows[i].write(record->data, record->length, &data, fail);
            if (status == 0) {
                status = put_copy(path, &data, mend, fail);
            }
            bytes_clear(&data);
            free(path);
        }
    }
    return status;
}

static int put_leg(const char *folder, const struct unit *unit, int leg, unsigned files,
                   const struct bytes *record, bool mend, struct fail *fail) {
    char *records = alloc_print("%s/records", folder);
    char *stem = alloc_print("%s/%s-%d", records, unit->name, leg);
    int status = file_make_folder(records, fail);
    if (status == 0) {
        status = put_files(stem, files, record, mend, fail);
    }
    free(stem);
    free(records);
    return status;
}

int copies_write(const char *folder, const struct unit *unit, int leg, unsigned files,
                 const struct bytes *record, struct fail *fail) {
    return put_leg(folder, unit, leg, files, record, false, fail);
}

int copies_mend(const char *folder, const struct unit *unit, int leg, unsigned files,
                const struct bytes *record, struct fail *fail) {
    return put_leg(folder, unit, leg, files, record, true, fail);
}
