#include "arena/fortune.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 512, COLUMNS = 7 };

/* luck.csv: a line that begins with `#` and says whose luck it is, a head, a line a game. */
static const char columns[] = "unit,leg,game,throws,half_points,luck,luck_of_wins\n";

void fortune_write_head(const struct fortune *fortune, struct bytes *out) {
    bytes_print(out, "# hakem-luck=1 declared=%s since=%" PRIu64 " evaluator=%s headline=%s\n",
                fortune->declared, fortune->since, fortune->evaluator,
                estimate_reading_name(ESTIMATE_FITTED));
    bytes_add_text(out, columns);
}

void fortune_write_game(const struct fortune_game *game, struct bytes *out) {
    bytes_print(out, "%" PRIu32 ",%d,%u,%d,%d,%" PRId64 ",%" PRId64 "\n", game->unit, game->leg,
                game->luck.game, game->luck.throws, game->luck.net, game->luck.points,
                game->luck.wins);
}

/* Reads the first two lines; how long they are, 0 for none. */
static size_t read_head(struct fortune *fortune, const char *text, size_t length) {
    char line[LINE_MAX_BYTES], declared[NET_NAME_MAX], evaluator[NET_NAME_MAX];
    const char *end = length > 0 ? memchr(text, '\n', length) : NULL;
    size_t head = end != NULL ? (size_t)(end - text) + 1 : 0;
    int read = 0;
    if (head == 0 || head >= sizeof line || length - head < sizeof columns - 1 ||
        memcmp(text + head, columns, sizeof columns - 1) != 0) {
        return 0;
    }
    memcpy(line, text, head - 1);
    line[head - 1] = '\0';
    _Static_assert(NET_NAME_MAX == 40, "39 below");
    if (sscanf(line, "# hakem-luck=1 declared=%39s since=%" SCNu64 " evaluator=%39s headline=%n",
               declared, &fortune->since, evaluator, &read) != 3 ||
        read == 0 || strcmp(line + read, estimate_reading_name(ESTIMATE_FITTED)) != 0) {
        return 0;
    }
    memcpy(fortune->declared, declared, sizeof declared);
    memcpy(fortune->evaluator, evaluator, sizeof evaluator);
    return head + sizeof columns - 1;
}

/* Reads the line of a game; false where it is none. */
static bool read_game(const struct fortune *fortune, const char *line, size_t length,
                      struct fortune_game *game) {
    int64_t number[COLUMNS];
    const char *end = line + length;
    for (int i = 0; i < COLUMNS; i++) {
        const char *comma = i + 1 < COLUMNS ? memchr(line, ',', (size_t)(end - line)) : end;
        if (comma == NULL ||
            !text_i64(line, (size_t)(comma - line), INT64_MIN, INT64_MAX, &number[i])) {
            return false;
        }
        line = comma + (i + 1 < COLUMNS);
    }
    int legs = fortune->event->pairing == PAIRING_INDEPENDENT ? 1 : 2;
    if (number[0] < 1 || number[0] > (int64_t)schedule_units(fortune->event) || number[1] < 1 ||
        number[1] > legs || number[2] < 1 || number[2] > INT32_MAX || number[3] < 0 ||
        number[3] > INT32_MAX || number[4] < INT32_MIN || number[4] > INT32_MAX) {
        return false;
    }
    *game = (struct fortune_game){.unit = (uint32_t)number[0],
                                  .leg = (int)number[1],
                                  .luck = {.game = (unsigned)number[2],
                                           .throws = (int)number[3],
                                           .net = (int)number[4],
                                           .points = number[5],
                                           .wins = number[6]}};
    return true;
}

size_t fortune_read(struct fortune *fortune, const char *text, size_t length) {
    size_t at = read_head(fortune, text, length);
    const char *end;
    struct fortune_game game;
    while (at > 0 && at < length && (end = memchr(text + at, '\n', length - at)) != NULL &&
           read_game(fortune, text + at, (size_t)(end - text) - at, &game) &&
           fortune_add(fortune, &game)) {
        at = (size_t)(end - text) + 1;
    }
    return at;
}
