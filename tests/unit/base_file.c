#include "base/file.h"

#include "base/alloc.h"
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder of this test's own; everything below is made in it and removed at the end. */
static char folder[] = "/tmp/hakem-base-file-XXXXXX";

static void test_write_and_read(void) {
    struct fail fail = {0};
    char *path = alloc_print("%s/a", folder);
    struct bytes bytes;
    bytes_init(&bytes, 8);
    CHECK_INT(file_write(path, "one\0two", 7, &fail), 0, "a new file is written");
    CHECK_INT(file_read(path, &bytes, &fail), 0, "and read");
    CHECK(bytes.length == 7 && memcmp(bytes.data, "one\0two", 7) == 0, "byte by byte");
    bytes_clear(&bytes);
    CHECK_INT(file_write(path, "12345678", 8, &fail), 0, "an old file is replaced");
    CHECK_INT(file_read(path, &bytes, &fail), 0, "a file as long as the ceiling is good");
    CHECK_TEXT(bytes_text(&bytes), "12345678", "and is all there");
    bytes_clear(&bytes);
    CHECK_INT(file_write(path, "123456789", 9, &fail), 0, "one byte more is written");
    CHECK_INT(file_read(path, &bytes, &fail), -1, "and is refused on reading");
    char *want = alloc_print("%s is larger than 8 bytes", path);
    CHECK_TEXT(fail.text, want, "naming the file and the limit");
    CHECK(fail.code == EXIT_CODE_IO, "with the code of files");
    bytes_clear(&bytes);
    CHECK_INT(file_write(path, "", 0, &fail), 0, "an empty file is written");
    CHECK(file_read(path, &bytes, &fail) == 0 && bytes.length == 0, "and read");
    bytes_clear(&bytes);
    CHECK_INT(unlink(path), 0, "it is there under its name alone");
    free(want);
    free(path);
}

static void test_refusals(void) {
    struct fail fail = {0};
    struct bytes bytes;
    bytes_init(&bytes, 100);
    char *path = alloc_print("%s/none", folder);
    char *want = alloc_print("cannot read %s: No such file or directory", path);
    CHECK_INT(file_read(path, &bytes, &fail), -1, "a missing file is refused");
    CHECK_TEXT(fail.text, want, "by name and reason");
    free(want);
    CHECK_INT(file_read(folder, &bytes, &fail), -1, "a folder is no file");
    want = alloc_print("%s is a folder, not a file", folder);
    CHECK_TEXT(fail.text, want, "and is called one");
    free(want);
    free(path);
    path = alloc_print("%s/none/b", folder);
    want = alloc_print("cannot write %s: No such file or directory", path);
    CHECK_INT(file_write(path, "x", 1, &fail), -1, "writing into a missing folder is refused");
    CHECK_TEXT(fail.text, want, "by name and reason");
    free(want);
    free(path);
    /* /dev/full answers every write with "no space left". */
    CHECK_INT(file_write("/dev/full/x", "x", 1, &fail), -1, "a device is no folder");
    bytes_clear(&bytes);
}

static void test_nothing_left_behind(void) {
    struct fail fail = {0};
    char *path = alloc_print("%s/dir", folder);
    CHECK_INT(mkdir(path, 0700), 0, "a folder stands where a file should go");
    CHECK_INT(file_write(path, "x", 1, &fail), -1, "it is not replaced");
    CHECK_INT(rmdir(path), 0, "it is still there, and empty");
    free(path);
    CHECK_INT(rmdir(folder), 0, "no temporary file stays beside it");
    CHECK_INT(mkdir(folder, 0700), 0, "the test's folder is back");
}

static void test_folders(void) {
    struct fail fail = {0};
    struct stat status;
    char *path = alloc_print("%s/x//y/z/", folder);
    CHECK_INT(file_make_folder(path, &fail), 0, "a folder with its parents is made");
    CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0700, "for the owner alone");
    CHECK_INT(file_make_folder(path, &fail), 0, "a folder that is there is good");
    char *file = alloc_print("%s/x/f", folder);
    CHECK_INT(file_write(file, "x", 1, &fail), 0, "a file stands in the way");
    char *below = alloc_print("%s/below", file);
    CHECK_INT(file_make_folder(below, &fail), -1, "and is not passed");
    char *want = alloc_print("%s is in the way: it is not a folder", file);
    CHECK_TEXT(fail.text, want, "the file in the way is named");
    free(want);
    free(below);
    unlink(file);
    free(file);
    rmdir(path);
    free(path);
    static const char *const parts[] = {"x/y", "x"};
    for (size_t i = 0; i < 2; i++) {
        path = alloc_print("%s/%s", folder, parts[i]);
        CHECK_INT(rmdir(path), 0, "the parents hold nothing else");
        free(path);
    }
}

static void test_standard_input(void) {
    struct fail fail = {0};
    struct bytes bytes;
    bytes_init(&bytes, 100);
    int ends[2];
    CHECK(pipe(ends) == 0 && write(ends[1], "piped", 5) == 5, "a pipe holds a text");
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    CHECK_INT(file_read("-", &bytes, &fail), 0, "\"-\" is standard input");
    CHECK_TEXT(bytes_text(&bytes), "piped", "to its end");
    bytes_clear(&bytes);
}

int main(void) {
    setenv("LC_ALL", "C", 1);
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    test_write_and_read();
    test_refusals();
    test_nothing_left_behind();
    test_folders();
    test_standard_input();
    rmdir(folder);
    return check_done();
}
