#include "base/fail.h"

#include "base/alloc.h"
#include "base/text.h"
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_texts(void) {
    struct fail fail = {0};
    CHECK_INT(fail_set(&fail, EXIT_CODE_USAGE, "row %d", 4), -1, "fail_set returns -1");
    CHECK(fail.code == EXIT_CODE_USAGE, "the code is kept");
    CHECK_TEXT(fail.text, "row 4", "the text is printed");
    CHECK_INT(fail_wrap(&fail, "event %s", "x.json"), -1, "fail_wrap returns -1");
    CHECK_TEXT(fail.text, "event x.json: row 4", "the context stands before the text");
    CHECK(fail.code == EXIT_CODE_USAGE, "wrapping keeps the code");
    fail_set(&fail, EXIT_CODE_IO, "two\nlines\r");
    CHECK_TEXT(fail.text, "two lines ", "a failure is one line");
}

static void test_cut(void) {
    struct fail fail;
    char text[600];
    bool whole = true;
    /* "ş" has two bytes and "₺" three: the cut meets them at every place. */
    for (size_t pad = 0; pad < 6; pad++) {
        memset(text, 'a', pad);
        for (size_t at = pad; at + 5 < sizeof text; at += 5) {
            memcpy(text + at, "ş₺", 6);
        }
        fail_set(&fail, EXIT_CODE_IO, "%s", text);
        whole = whole && strlen(fail.text) < sizeof fail.text && strlen(fail.text) > 500 &&
                text_is_utf8(fail.text, strlen(fail.text));
        fail_wrap(&fail, "ç%s", text);
        whole = whole && text_is_utf8(fail.text, strlen(fail.text));
    }
    CHECK(whole, "a text that is too long is cut between characters");
}

/* Runs `action` in a child that may die of it: its exit code and what it wrote to stderr. */
static int run_fatal(void (*action)(void), char said[256]) {
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        action();
        _exit(99);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got = 0;
    while (length < 255 && (got = read(ends[0], said + length, 255 - length)) > 0) {
        length += (size_t)got;
    }
    said[length] = '\0';
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void say_fatal(void) {
    fail_fatal("the %s is %d", "table", 4);
}

static void ask_too_much(void) {
    volatile size_t most = SIZE_MAX / 4;
    free(alloc_resize(NULL, most, 8));
}

static void test_fatal(void) {
    char said[256];
    CHECK_INT(run_fatal(say_fatal, said), EXIT_CODE_BUG, "fail_fatal ends with exit code 1");
    CHECK_TEXT(said, "hakem: the table is 4\n", "and says one line on stderr");
    CHECK_INT(run_fatal(ask_too_much, said), EXIT_CODE_BUG,
              "room whose size overflows ends the program");
    CHECK(strncmp(said, "hakem: out of memory", 20) == 0, "and says why");
}

static void test_alloc(void) {
    char *zeroed = alloc_zeroed(16, 4);
    bool clean = true;
    for (int i = 0; i < 64; i++) {
        clean = clean && zeroed[i] == 0;
    }
    CHECK(clean, "fresh room is zeroed");
    zeroed = alloc_resize(zeroed, 128, 1);
    free(zeroed);
    free(alloc_zeroed(0, 0));
    free(alloc_resize(NULL, 0, 8));
    size_t room = 0;
    int *grown = NULL;
    for (size_t count = 0; count < 100; count++) {
        grown = alloc_more(grown, count, &room, sizeof *grown);
        grown[count] = (int)count;
    }
    CHECK(room >= 100 && room < 200 && grown[0] == 0 && grown[99] == 99,
          "alloc_more grows by doubling, and keeps what is there");
    free(grown);
    char *copy = alloc_text("abcdef", 3);
    CHECK_TEXT(copy, "abc", "alloc_text copies a part and ends it");
    free(copy);
    char *printed = alloc_print("%s=%d", "n", 12);
    CHECK_TEXT(printed, "n=12", "alloc_print prints");
    free(printed);
}

int main(void) {
    test_texts();
    test_cut();
    test_fatal();
    test_alloc();
    return check_done();
}
