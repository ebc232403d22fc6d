/* What the arena's tests share: events without files, rows, chance of their own. */
#ifndef HAKEM_TESTS_ARENA_KIT_H
#define HAKEM_TESTS_ARENA_KIT_H

#include "arena/event.h"
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* An event of `count` bots "b0", "b1", ... */
__attribute__((unused)) static void kit_event(struct event *event, int count, int pairs,
                                              enum pairing pairing) {
    struct fail fail;
    event_init(event);
    event->pairs = pairs;
    event->pairing = pairing;
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        if (event_add_entrant(event, name, "./bot", &fail) != 0) {
            printf("Bail out! %s\n", fail.text);
            exit(99);
        }
    }
    if (event_seal(event, &fail) != 0) {
        printf("Bail out! %s\n", fail.text);
        exit(99);
    }
}

/* A fixed-seed generator (Knuth's MMIX constants); the upper bits are used. */
struct kit_chance {
    uint64_t state;
};

__attribute__((unused)) static double kit_uniform(struct kit_chance *chance) {
    chance->state = chance->state * 6364136223846793005u + 1442695040888963407u;
    return (double)(chance->state >> 11) / 9007199254740992.0;
}

/* A normal number: twelve uniform ones are near enough. */
__attribute__((unused)) static double kit_normal(struct kit_chance *chance) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += kit_uniform(chance);
    }
    return sum;
}

/* A match of one game, won by `winner` (-1 drawn) with `points`. */
__attribute__((unused)) static struct match_row kit_match(uint32_t unit, int leg, int x, int y,
                                                          int winner, int points) {
    struct match_row row = {.unit = unit,
                            .leg = leg,
                            .entrant = {x, y},
                            .winner = winner,
                            .games = 1,
                            .reason = REASON_NORMAL,
                            .offender = -1};
    if (winner >= 0) {
        row.score[winner] = points * POINT_HALVES;
    }
    row.head.byte[0] = (uint8_t)unit;
    row.head.byte[1] = (uint8_t)leg;
    return row;
}

/* The only game of such a match. */
__attribute__((unused)) static struct game_row kit_game(uint32_t unit, int leg, int winner,
                                                        int kind) {
    struct game_row row = {.unit = unit,
                           .leg = leg,
                           .game = 1,
                           .winner = winner,
                           .kind = kind,
                           .half_points = kind * POINT_HALVES,
                           .reason = REASON_NORMAL,
                           .offender = -1,
                           .plies = 50,
                           .turns = {25, 25},
                           .ms = {50, 100}};
    return row;
}

#endif
