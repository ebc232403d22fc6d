/* A process that writes a store is killed at any moment, many times over, also while
 * it creates the store or takes it over. What is there afterwards must be a prefix of
 * what was put, in order and without holes, and hold all that was told to be durable. */
#include "store/store.h"
#include "store_kit.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { OPERATIONS_PER_UNIT = 9, OPERATIONS_MAX = 400000, CREATE_ROUNDS = 60, WRITE_ROUNDS = 80 };

static char folder[] = "store_kill.XXXXXX";

/* Operation number n of the sequence every child goes on with: a unit's start, two
 * games and the match of each leg, both seals. */
static uint64_t put(struct store *store, int n) {
    uint32_t unit = (uint32_t)(n / OPERATIONS_PER_UNIT) + 1;
    int step = n % OPERATIONS_PER_UNIT;
    int leg = step <= 3 ? 1 : 2;
    char text[160];
    struct game_row game;
    struct match_row match;
    switch (step) {
    case 0:
        return store_put_start(store, unit);
    case 1:
    case 2:
    case 4:
    case 5:
        game = kit_game_row(unit, leg, leg == 1 ? step : step - 3);
        return store_put_game(store, &game, text, (size_t)kit_piece(text, unit, leg, 0, game.game));
    case 3:
    case 6:
        match = kit_match_row(unit, leg);
        return store_put_match(store, &match, text, (size_t)kit_piece(text, unit, leg, 1, 0));
    default:
        return store_put_seal(store, unit, step - 6, text,
                              (size_t)kit_piece(text, unit, step - 6, 2, 0));
    }
}

/* Which operations a store holds. */
struct held {
    bool there[OPERATIONS_MAX];
    int count;
    bool wrong;
};

static void note(struct held *held, uint32_t unit, int step) {
    int n = (int)(unit - 1) * OPERATIONS_PER_UNIT + step;
    if (n < 0 || n >= OPERATIONS_MAX || held->there[n]) {
        held->wrong = true;
        return;
    }
    held->there[n] = true;
    held->count++;
}

static void on_start(void *owner, uint32_t unit) {
    note(owner, unit, 0);
}

static void on_game(void *owner, const struct game_row *row) {
    note(owner, row->unit, row->leg == 1 ? row->game : row->game + 3);
}

static void on_match(void *owner, const struct match_row *row) {
    note(owner, row->unit, row->leg * 3);
    note(owner, row->unit, row->leg + 6); /* its seal, taken back below where it is missing */
}

static void on_unsealed(void *owner, uint32_t unit, int leg) {
    struct held *held = owner;
    held->there[(int)(unit - 1) * OPERATIONS_PER_UNIT + leg + 6] = false;
    held->count--;
}

/* The record of the last unit is made of just the pieces that are there. */
static bool record_fits(struct store *store, const struct held *held, uint32_t unit, int leg) {
    struct bytes want;
    struct bytes got;
    struct fail fail;
    char text[160];
    bytes_init(&want, 1 << 20);
    bytes_init(&got, 1 << 20);
    const bool *there = &held->there[(int)(unit - 1) * OPERATIONS_PER_UNIT];
    int first = leg == 1 ? 1 : 4;
    for (int game = 1; game <= 2; game++) {
        if (there[first + game - 1]) {
            bytes_add(&want, text, (size_t)kit_piece(text, unit, leg, 0, game));
        }
    }
    for (int part = 1; part <= 2; part++) {
        if (there[part == 1 ? leg * 3 : leg + 6]) {
            bytes_add(&want, text, (size_t)kit_piece(text, unit, leg, part, 0));
        }
    }
    int found = store_record(store, unit, leg, &got, &fail);
    bool good = found == (want.length > 0) && got.length == want.length &&
                strcmp(bytes_text(&got), bytes_text(&want)) == 0;
    bytes_clear(&want);
    bytes_clear(&got);
    return good;
}

/* Reads a store that is open; its operations are a prefix, or -1. */
static int read_prefix(struct store *store, struct held *held) {
    struct fail fail;
    const struct store_visitor visitor = {held, on_start, on_game, on_match, on_unsealed};
    memset(held, 0, sizeof *held);
    if (store_visit(store, &visitor, &fail) != 0) {
        printf("# %s\n", fail.text);
        return -1;
    }
    bool good = !held->wrong;
    for (int n = 0; n < held->count; n++) {
        good = good && held->there[n];
    }
    uint32_t last = (uint32_t)(held->count / OPERATIONS_PER_UNIT) + 1;
    for (uint32_t unit = last > 1 ? last - 1 : 1; unit <= last && good; unit++) {
        good = record_fits(store, held, unit, 1) && record_fits(store, held, unit, 2);
    }
    return good ? held->count : -1;
}

/* Goes on with the sequence until it is killed; tells each time more is durable. */
static _Noreturn void write_on(int tell) {
    struct store *store;
    struct fail fail;
    struct held *held = alloc_zeroed(1, sizeof *held);
    if (store_open(folder, false, &store, &fail) != 0) {
        _exit(1);
    }
    int from = read_prefix(store, held);
    uint64_t told = 0;
    for (int n = from; n >= 0 && n < OPERATIONS_MAX; n++) {
        put(store, n);
        if (n % 40 == 0) {
            store_hurry(store);
        }
        if (n % 25 == 0) {
            nanosleep(&(struct timespec){0, 300000}, NULL);
        }
        uint64_t durable = store_durable(store);
        if (durable > told) {
            int32_t safe = from + (int32_t)durable;
            told = durable;
            if (write(tell, &safe, sizeof safe) != (ssize_t)sizeof safe) {
                _exit(1);
            }
        }
    }
    _exit(1);
}

/* Waits for a word of the child: a slow machine must not make the test an empty one. */
static void await_word(int from) {
    struct pollfd ready = {.fd = from, .events = POLLIN};
    poll(&ready, 1, 10000);
}

static void kill_after(pid_t child, long microseconds) {
    nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static uint64_t chance = 42;

static long below(long limit) {
    chance = chance * 6364136223846793005u + 1442695040888963407u;
    return (long)((chance >> 33) % (uint64_t)limit);
}

static void test_create(void) {
    struct store_event event = kit_store_event();
    int made = 0;
    int bad = 0;
    for (int round = 0; round < CREATE_ROUNDS; round++) {
        struct store *store;
        struct fail fail = {.code = EXIT_CODE_DONE};
        int ends[2];
        if (pipe(ends) != 0) {
            break;
        }
        pid_t child = fork();
        if (child == 0) {
            (void)!store_create(folder, &event, &store, &fail);
            (void)!write(ends[1], "x", 1);
            pause();
            _exit(1);
        }
        if (round % 6 == 0) {
            await_word(ends[0]);
        }
        kill_after(child, below(3000) * (round % 12));
        close(ends[0]);
        close(ends[1]);
        bool there = store_exists(folder);
        made += there;
        int status = there ? store_open(folder, false, &store, &fail)
                           : store_create(folder, &event, &store, &fail);
        if (status != 0 || strcmp(store_event(store)->id, event.id) != 0) {
            printf("# %s\n", fail.text);
            bad++;
        } else {
            (void)!store_close(store, &fail);
        }
        kit_remove(folder);
    }
    printf("# %d of %d had come to their end\n", made, CREATE_ROUNDS);
    CHECK(bad == 0, "killed while creating: no store, or a whole one");
    CHECK(made > 0 && made < CREATE_ROUNDS, "both happened");
}

/* The last number a child told, or `before`. */
static int last_told(int from, int before) {
    int32_t safe;
    while (read(from, &safe, sizeof safe) == (ssize_t)sizeof safe) {
        before = safe;
    }
    return before;
}

static void test_write(void) {
    struct store_event event = kit_store_event();
    struct store *store;
    struct fail fail = {.code = EXIT_CODE_DONE};
    struct held *held = alloc_zeroed(1, sizeof *held);
    CHECK(store_create(folder, &event, &store, &fail) == 0 && store_close(store, &fail) == 0,
          "a store: %s", fail.text);
    int before = 0;
    int bad = 0;
    int lost = 0;
    int grown = 0;
    for (int round = 0; round < WRITE_ROUNDS && bad == 0; round++) {
        int ends[2];
        if (pipe(ends) != 0) {
            break;
        }
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            write_on(ends[1]);
        }
        close(ends[1]);
        if (round % 4 != 0) {
            await_word(ends[0]);
        }
        kill_after(child, below(20000));
        int told = last_told(ends[0], before);
        close(ends[0]);
        if (store_open(folder, true, &store, &fail) != 0) {
            printf("# round %d: %s\n", round, fail.text);
            bad++;
            break;
        }
        int count = read_prefix(store, held);
        bad += count < 0;
        lost += count < told;
        grown += count > before;
        before = count;
        bad += store_close(store, &fail) != 0;
    }
    printf("# %d operations in the end, %d rounds brought some\n", before, grown);
    CHECK(bad == 0, "killed while writing, %d times: what is there is a prefix", WRITE_ROUNDS);
    CHECK(lost == 0, "and holds everything that was durable");
    CHECK(grown > WRITE_ROUNDS / 2 && before > 1000, "much was written");
    free(held);
}

/* Two kills on end: the second process dies over the first one's log. */
static void test_double(void) {
    struct store *store;
    struct fail fail;
    struct held *held = alloc_zeroed(1, sizeof *held);
    int before = 0;
    int bad = 0;
    for (int round = 0; round < WRITE_ROUNDS / 4 && bad == 0; round++) {
        for (int again = 0; again < 3; again++) {
            pid_t child = fork();
            if (child == 0) {
                int quiet[2];
                write_on(pipe(quiet) == 0 ? quiet[1] : -1);
            }
            kill_after(child, again == 0 ? 20000 + below(20000) : below(5000));
        }
        if (store_open(folder, false, &store, &fail) != 0) {
            printf("# round %d: %s\n", round, fail.text);
            bad++;
            break;
        }
        int count = read_prefix(store, held);
        bad += count < before;
        before = count;
        bad += store_close(store, &fail) != 0;
    }
    CHECK(bad == 0, "killed again while taking over: still a prefix, nothing lost");
    free(held);
}

int main(void) {
    setenv("LC_ALL", "C", 1);
    if (mkdtemp(folder) == NULL) {
        printf("Bail out! no folder\n");
        return 99;
    }
    kit_remove(folder);
    test_create();
    test_write();
    test_double();
    kit_remove(folder);
    return check_done();
}
