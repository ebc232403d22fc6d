#include "base/log.h"

#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* What stderr received since the last call. */
static const char *said(int end, char text[4096]) {
    ssize_t got = read(end, text, 4095);
    text[got > 0 ? got : 0] = '\0';
    return text;
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
    return check_done();
}
