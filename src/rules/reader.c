#include "rules/reader.h"

static char lowered(char byte) {
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

bool reader_take(struct reader *reader, const char *word) {
    const char *at = reader->at;
    for (; *word != '\0'; word++, at++) {
        if (at == reader->end || lowered(*at) != *word) {
            return false;
        }
    }
    reader->at = at;
    return true;
}

int reader_take_number(struct reader *reader, int max) {
    int number = 0;
    const char *at = reader->at;
    while (at < reader->end && *at >= '0' && *at <= '9' && at - reader->at < 2) {
        number = number * 10 + (*at++ - '0');
    }
    if (at == reader->at || number > max) {
        return -1;
    }
    reader->at = at;
    return number;
}
