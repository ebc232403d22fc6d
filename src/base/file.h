/* Whole files: read with a ceiling, write so that a reader sees the old or the new. */
#ifndef HAKEM_BASE_FILE_H
#define HAKEM_BASE_FILE_H

#include "base/bytes.h"
#include "base/fail.h"

/* Reads a whole file ("-" is standard input) into `out`; its ceiling is the limit. */
int file_read(const char *path, struct bytes *out, struct fail *fail)
    __attribute__((warn_unused_result));

/* Writes a temporary file beside `path`, fsyncs, renames over it. */
int file_write(const char *path, const void *data, size_t length, struct fail *fail)
    __attribute__((warn_unused_result));

/* Writes all of it to a descriptor; false leaves the reason in errno. */
bool file_put(int fd, const void *data, size_t length);

/* Makes a directory and its parents, mode 0700 where new. */
int file_make_folder(const char *path, struct fail *fail) __attribute__((warn_unused_result));

#endif
