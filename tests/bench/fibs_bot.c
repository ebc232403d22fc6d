/* tests/bench/bot as a player that GNU Backgammon can ask (`set player 0 external`): the
 * same search, behind FIBS `board:` lines. Serves one connection, then says how many
 * requests it answered.
 *
 *   fibs_bot PORT */
#include "bench/kit.h"

#include "bench/board.h"

enum { ROOM = 4096, NUMBERS = 40, BOARD_AT = 3, TURN_AT = 29, DICE_AT = 30 };

/* The numbers behind "board:NAME:NAME:"; false when there are too few. */
static bool read_numbers(const char *line, int number[NUMBERS]) {
    const char *at = strstr(line, "board:");
    int count = 0;
    for (int colons = 0; at != NULL && colons < 3; colons++) {
        at = strchr(at, ':');
        at = at != NULL ? at + 1 : NULL;
    }
    for (char *end; at != NULL && count < NUMBERS; at = *end == ':' ? end + 1 : NULL) {
        number[count++] = (int)strtol(at, &end, 10);
    }
    return count > DICE_AT + 3;
}

/* The board as the mover sees it: he has the negative men when the turn is -1. */
static struct counts counts_of(const int number[NUMBERS]) {
    struct counts board;
    for (int point = 0; point < BOARD_POINTS; point++) {
        board.point[point] =
            (int8_t)(number[TURN_AT] < 0 ? -number[BOARD_AT + BOARD_BAR - point]
                                         : number[BOARD_AT + point]);
    }
    return board;
}

static size_t answer(const char *line, char out[ROOM]) {
    static uint32_t chance = 1;
    int number[NUMBERS];
    if (!read_numbers(line, number)) {
        return 0;
    }
    const int *dice = number[DICE_AT] != 0 ? &number[DICE_AT] : &number[DICE_AT + 2];
    if (dice[0] == 0) {
        memcpy(out, "roll\n", 5);
        return 5;
    }
    struct counts board = counts_of(number);
    chance = chance * 1664525 + 1013904223;
    struct steps play =
        board_choose(&board, dice[0], dice[1], (int)(chance >> 16) % (BOARD_BAR - 1));
    char *to = put_play(out, &play, false);
    memmove(out, out + (play.count > 0), (size_t)(to - out)); /* without the first blank */
    to -= play.count > 0;
    *to++ = '\n';
    return (size_t)(to - out);
}

int main(int argc, char **argv) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    char in[ROOM], out[ROOM];
    size_t have = 0;
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    long answered = 0;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)(argc > 1 ? kit_number(argv[1]) : 0));
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 1) != 0) {
        kit_fail("listen");
    }
    int link = accept(listener, NULL, NULL);
    setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    for (ssize_t size; (size = read(link, in + have, sizeof in - 1 - have)) > 0;) {
        char *end;
        have += (size_t)size;
        in[have] = '\0';
        while ((end = memchr(in, '\n', have)) != NULL) {
            *end = '\0';
            const char *line = in[0] == '\0' ? in + 1 : in; /* a NUL follows each line end */
            size_t length = answer(line, out);
            if (length > 0 && write(link, out, length) < 0) {
                kit_fail("write");
            }
            answered += length > 0;
            have -= (size_t)(end + 1 - in);
            memmove(in, end + 1, have);
        }
    }
    printf("answered=%ld\n", answered);
    return 0;
}
