#include "base/log.h"

#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stderr received since the last call. */
static const char *said(int end, char text[4096]) {
    ssize_t got = read(end, text, 4095);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

/* Priorities stand there only for the journal that really reads this. */
static void test_journal(int end) {
    char text[4096], stream[64];
    struct stat status;
    log_set_level(LOG_LEVEL_DEBUG);
    log_open_journal(NULL);
    log_open_journal("1:2");
    log_line(LOG_LEVEL_WARN, "a");
    CHECK_TEXT(said(end, text), "warn a\n", "no journal, or another stream: no priority");
    fstat(STDERR_FILENO, &status);
    snprintf(stream, sizeof stream, "%ju:%ju", (uintmax_t)status.st_dev,
             (uintmax_t)status.st_ino);
    log_open_journal(stream);
    log_line(LOG_LEVEL_ERROR, "a");
    log_line(LOG_LEVEL_WARN, "b");
    log_line(LOG_LEVEL_INFO, "c");
    log_line(LOG_LEVEL_DEBUG, "d");
    CHECK_TEXT(said(end, text), "<3>error a\n<4>warn b\n<6>info c\n<7>debug d\n",
               "the journal gets priorities");
    log_open_journal("1:2");
}

/* Lines that come and those that do not. */
static int count_lines(int end, enum log_level level, int lines) {
    char text[4096];
    int count = 0;
    for (int i = 0; i < lines; i++) {
        log_line(level, "a");
        count += said(end, text)[0] != '\0';
    }
    return count;
}

static void test_rate(int end) {
    char text[4096];
    log_set_level(LOG_LEVEL_INFO);
    CHECK_INT(count_lines(end, LOG_LEVEL_INFO, 1000), 1000, "who tells no time is not counted");
    log_turn(10000);
    CHECK_INT(count_lines(end, LOG_LEVEL_INFO, 1000), 500, "a burst of 500 lines");
    CHECK_INT(count_lines(end, LOG_LEVEL_ERROR, 100), 100, "errors are always told");
    log_turn(10010);
    CHECK_TEXT(said(end, text), "", "too little time");
    log_turn(11000);
    CHECK_TEXT(said(end, text), "warn log short lines=500\n", "what was left out is told");
    CHECK_INT(count_lines(end, LOG_LEVEL_INFO, 100), 49, "and 50 lines a second go on");
    log_turn(11000000000);
    said(end, text);
    CHECK_INT(count_lines(end, LOG_LEVEL_INFO, 1000), 499, "never more than the burst, that word "
                                                         "included");
    log_set_level(LOG_LEVEL_DEBUG);
    CHECK_INT(count_lines(end, LOG_LEVEL_INFO, 1000), 1000, "who wants it all gets it all");
}

int main(void) {
    int ends[2];
    char text[4096];
    if (pipe2(ends, O_NONBLOCK) != 0) {
        return 1;
    }
    dup2(ends[1], STDERR_FILENO);
    log_line(LOG_LEVEL_WARN, "session closed id=%d", 7);
    CHECK_TEXT(said(ends[0], text), "warn session closed id=7\n", "a line has level and words");
    log_line(LOG_LEVEL_INFO, "session opened id=8");
    CHECK_TEXT(said(ends[0], text), "", "info is not written at first");
    CHECK(log_wants(LOG_LEVEL_ERROR) && !log_wants(LOG_LEVEL_INFO), "log_wants agrees");
    log_set_level(LOG_LEVEL_DEBUG);
    log_line(LOG_LEVEL_DEBUG, "a b=%s", "c");
    CHECK_TEXT(said(ends[0], text), "debug a b=c\n", "debug is written once asked for");
    log_set_level(LOG_LEVEL_ERROR);
    log_line(LOG_LEVEL_WARN, "a");
    CHECK_TEXT(said(ends[0], text), "", "a lower level silences the rest");
    log_line(LOG_LEVEL_ERROR, "a x=%s", "1\nerror forged\r\x1b[2J");
    CHECK_TEXT(said(ends[0], text), "error a x=1 error forged  [2J\n",
               "no value can begin a second line");
    char lengthy[5000];
    memset(lengthy, 'y', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    log_line(LOG_LEVEL_ERROR, "%s", lengthy);
    said(ends[0], text);
    CHECK(strlen(text) < 2049 && text[strlen(text) - 1] == '\n', "a long line is cut and ended");
    test_journal(ends[0]);
    test_rate(ends[0]);
    return check_done();
}
