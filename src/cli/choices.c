#include "cli/choices.h"

#include "base/lang.h"
#include "cli/records.h"

#include <stdio.h>
#include <string.h>

enum {
    CHOICES_MATCHES = 4000, /* looked at, at most */
    CHOICES_FEW = 50,       /* situations that say nothing yet */
    CHOICES_RECORD = 16 << 20
};

struct choices {
    uint64_t met, differed;
};

/* A ply of a record: its side, its throw or deed, and the board it leads to. */
struct ply {
    char head[16]; /* "X 31", "Y double" */
    bool played;   /* checkers were moved */
};

/* A record that is read from line to line. */
struct reading {
    const char *at;
    struct board board;
    const struct rules *rules;
};

/* Moves the legs of a play in `side`'s own numbering: `8/5*`. */
static bool move_legs(struct reading *reading, enum side side, const char *words,
                      const char *end) {
    struct board *board = &reading->board;
    bool moved = false;
    while (words < end && *words == ' ' && memchr(words, '/', (size_t)(end - words)) != NULL) {
        int from, to;
        char star = ' ';
        if (strncmp(words, " bar/", 5) == 0) {
            from = POINT_BAR;
            words += 5;
        } else if (sscanf(words, " %d/", &from) == 1) {
            words = strchr(words, '/') + 1;
        } else {
            break;
        }
        if (strncmp(words, "off", 3) == 0) {
            to = POINT_OFF;
        } else if (sscanf(words, "%d%c", &to, &star) < 1) {
            break;
        }
        words += strcspn(words, " \n");
        if (from < 1 || from > POINT_BAR || to < 0 || to > 24 || board->men[side][from] == 0) {
            break;
        }
        board->men[side][from]--;
        board->men[side][to]++;
        if (star == '*') {
            enum side other = side_other(side);
            int place = point_mirror(reading->rules->variant->path, to);
            board->men[other][place] = 0;
            board->men[other][POINT_BAR]++;
        }
        moved = true;
    }
    return moved;
}

/* The next ply of the running game; false at its end. */
static bool next_ply(struct reading *reading, struct ply *out) {
    while (*reading->at != '\0' && strncmp(reading->at, "game ", 5) != 0) {
        const char *line = reading->at, *end = line + strcspn(line, "\n");
        char seat, deed[8];
        int used = 0;
        reading->at = *end == '\n' ? end + 1 : end;
        if (sscanf(line, "did %*d %*d %c %7s%n", &seat, deed, &used) == 2 && used > 0) {
            snprintf(out->head, sizeof out->head, "%c %s", seat, deed);
            out->played = move_legs(reading, seat == 'X' ? SIDE_X : SIDE_Y, line + used, end);
            return true;
        }
    }
    return false;
}

/* The next game; its `game` line without the digits of the chain. False when there is none. */
static bool next_game(struct reading *reading, char head[64]) {
    const char *line = reading->at;
    while (*line != '\0' && strncmp(line, "game ", 5) != 0) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    const char *score = strstr(line, "score=");
    if (*line == '\0' || score == NULL) {
        return false;
    }
    snprintf(head, 64, "%.*s", (int)strcspn(score, " \n"), score);
    reading->at = line + strcspn(line, "\n");
    reading->at += *reading->at == '\n';
    board_init(&reading->board, reading->rules);
    return true;
}

/* One game of both legs, ply by ply until they part. */
static void compare_game(struct reading legs[2], struct choices *choices) {
    struct ply ply[2];
    while (next_ply(&legs[0], &ply[0]) && next_ply(&legs[1], &ply[1])) {
        bool same = strcmp(ply[0].head, ply[1].head) == 0 &&
                    board_equal(&legs[0].board, &legs[1].board);
        choices->met += ply[0].played || ply[1].played || !same;
        choices->differed += !same;
        if (!same) {
            return;
        }
    }
}

static void compare(const struct rules *rules, const char *one, const char *two,
                    struct choices *choices) {
    struct reading legs[2] = {{.at = one, .rules = rules}, {.at = two, .rules = rules}};
    char head[2][64];
    while (next_game(&legs[0], head[0]) && next_game(&legs[1], head[1])) {
        if (strcmp(head[0], head[1]) == 0) { /* the score decides about plays too */
            compare_game(legs, choices);
        }
    }
}

static void say(const struct event *event, const struct choices *choices) {
    printf(_("\n%s and %s chose differently in %llu of %llu situations that both met (%.1f %%).\n"),
           event->entrants[0].name, event->entrants[1].name,
           (unsigned long long)choices->differed, (unsigned long long)choices->met,
           100.0 * (double)choices->differed / (double)choices->met);
    if (choices->differed == 0 && choices->met >= CHOICES_FEW) {
        printf("%s\n",
               _("Warning: the two are the same player. Has a setting never taken effect?"));
    }
}

void choices_show(const struct event *event, const char *folder) {
    struct records records;
    struct choices choices = {.met = 0};
    struct fail fail;
    if (event->entrant_count != 2 || event->pairing != PAIRING_MIRRORED ||
        event->format != FORMAT_ROUND_ROBIN || records_open(folder, &records, &fail) != 0) {
        return;
    }
    uint64_t most = records.matches < CHOICES_MATCHES ? records.matches : CHOICES_MATCHES;
    for (uint64_t number = 1; number + 1 <= most; number += 2) {
        struct bytes leg[2];
        char name[RECORDS_NAME_MAX];
        bool there = true;
        for (int i = 0; i < 2; i++) {
            bytes_init(&leg[i], CHOICES_RECORD);
            there = records_read(&records, number + (uint64_t)i, &leg[i], name, &fail) == 1 &&
                    there;
        }
        if (there) {
            compare(&event->rules, bytes_text(&leg[0]), bytes_text(&leg[1]), &choices);
        }
        bytes_clear(&leg[0]);
        bytes_clear(&leg[1]);
    }
    records_close(&records);
    if (choices.met > 0) {
        say(event, &choices);
    }
}
