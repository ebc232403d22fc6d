/* What the store's tests share: a folder of their own, an event, rows by number. */
#ifndef HAKEM_TESTS_STORE_KIT_H
#define HAKEM_TESTS_STORE_KIT_H

#include "base/alloc.h"
#include "check.h"
#include "store/store.h"

#include <ftw.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int kit_remove_one(const char *path, const struct stat *status, int type,
                          struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

__attribute__((unused)) static void kit_remove(const char *folder) {
    nftw(folder, kit_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

__attribute__((unused)) static struct store_event kit_store_event(void) {
    struct store_event event = {.json = (char *)(uintptr_t) "{\"name\":\"night\"}"};
    snprintf(event.id, sizeof event.id, "night#0123");
    snprintf(event.date, sizeof event.date, "2026-11-30T18:49:49Z");
    for (size_t i = 0; i < sizeof event.master.byte; i++) {
        event.master.byte[i] = (uint8_t)(i * 7);
    }
    memset(event.key.public_key, 3, sizeof event.key.public_key);
    memset(event.key.secret_key, 5, sizeof event.key.secret_key);
    return event;
}

/* Row number n of a sequence in which every value is known from n. */
__attribute__((unused)) static struct game_row kit_game_row(uint32_t unit, int leg, int game) {
    return (struct game_row){.unit = unit,
                             .leg = leg,
                             .game = game,
                             .attempt = game % 2,
                             .winner = game % 3 - 1,
                             .kind = 1 + game % 3,
                             .half_points = 2 + game,
                             .reason = (enum reason)(game % REASON_COUNT),
                             .offender = (game + 1) % 3 - 1,
                             .starter = game % 2,
                             .plies = 40 + game,
                             .turns = {20 + game, 21 + game},
                             .ms = {(int64_t)unit << 33, game}};
}

__attribute__((unused)) static struct match_row kit_match_row(uint32_t unit, int leg) {
    struct match_row row = {.unit = unit,
                            .leg = leg,
                            .entrant = {leg, 7 - leg},
                            .winner = leg - 2,
                            .score = {3, (int)unit},
                            .games = 2,
                            .reason = (enum reason)(unit % REASON_COUNT),
                            .offender = leg % 3 - 1};
    memset(row.head.byte, (int)(unit * 2 + (uint32_t)leg), sizeof row.head.byte);
    return row;
}

/* The text of a piece: part 0 a game's, 1 the end's, 2 the seal's. */
__attribute__((unused)) static int kit_piece(char out[160], uint32_t unit, int leg, int part,
                                             int game) {
    return snprintf(out, 160, "piece %u-%d part %d game %d ................................\n",
                    (unsigned)unit, leg, part, game);
}

/* Waits until that ticket is on disk; 0, or -1 when the disk failed or nothing came. */
__attribute__((unused)) static int kit_wait(struct store *store, uint64_t ticket,
                                            struct fail *fail) {
    for (int i = 0; i < 200; i++) {
        if (store_durable(store) >= ticket) {
            return 0;
        }
        struct pollfd ready = {.fd = store_wakeup_fd(store), .events = POLLIN};
        poll(&ready, 1, 100);
        if (store_acknowledge(store, fail) != 0) {
            return -1;
        }
    }
    return fail_set(fail, EXIT_CODE_BUG, "nothing became durable");
}

#endif
