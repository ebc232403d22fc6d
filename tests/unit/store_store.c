#include "store/store.h"
#include "store_kit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char folder[] = "store_store.XXXXXX";

static const char *inside(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* What a visit told. */
struct told {
    int starts, games, matches, unsealed, wrong;
    uint32_t last;
};

static void on_start(void *owner, uint32_t unit) {
    struct told *told = owner;
    told->wrong += unit != (uint32_t)++told->starts;
}

static void on_game(void *owner, const struct game_row *row) {
    struct told *told = owner;
    uint32_t place = row->unit * 100 + (uint32_t)row->leg * 10 + (uint32_t)row->game;
    struct game_row want = kit_game_row(row->unit, row->leg, row->game);
    told->wrong += place <= told->last || row->attempt != want.attempt ||
                   row->winner != want.winner || row->kind != want.kind ||
                   row->half_points != want.half_points || row->reason != want.reason ||
                   row->offender != want.offender || row->starter != want.starter ||
                   row->plies != want.plies || row->turns[SIDE_X] != want.turns[SIDE_X] ||
                   row->turns[SIDE_Y] != want.turns[SIDE_Y] || row->ms[SIDE_X] != want.ms[SIDE_X] ||
                   row->ms[SIDE_Y] != want.ms[SIDE_Y];
    told->last = place;
    told->games++;
}

static void on_match(void *owner, const struct match_row *row) {
    struct told *told = owner;
    struct match_row want = kit_match_row(row->unit, row->leg);
    told->wrong += row->entrant[SIDE_X] != want.entrant[SIDE_X] ||
                   row->entrant[SIDE_Y] != want.entrant[SIDE_Y] || row->winner != want.winner ||
                   row->score[SIDE_X] != want.score[SIDE_X] ||
                   row->score[SIDE_Y] != want.score[SIDE_Y] || row->games != want.games ||
                   row->reason != want.reason || row->offender != want.offender ||
                   memcmp(&row->head, &want.head, sizeof want.head) != 0;
    told->matches++;
}

/* Drawn matches of a room, one after the other. */
static int on_drawn(void *owner, const char *x, const char *y) {
    char *list = owner;
    if (list != NULL) {
        size_t length = strlen(list);
        snprintf(list + length, 200 - length, "%s-%s ", x, y);
    }
    return strcmp(x, "refused") == 0 ? -1 : 0;
}

static void on_unsealed(void *owner, uint32_t unit, int leg) {
    struct told *told = owner;
    told->unsealed++;
    told->wrong += unit != 3 || leg != 2;
}

static struct told visit(struct store *store) {
    struct told told = {0};
    struct fail fail;
    const struct store_visitor visitor = {&told, on_start, on_game, on_match, on_unsealed};
    if (store_visit(store, &visitor, &fail) != 0) {
        printf("# %s\n", fail.text);
        told.wrong++;
    }
    return told;
}

static void put_all(struct store *store) {
    char text[160];
    for (uint32_t unit = 1; unit <= 3; unit++) {
        store_put_start(store, unit);
        for (int leg = 1; leg <= 2; leg++) {
            for (int game = 1; game <= 3; game++) {
                struct game_row row = kit_game_row(unit, leg, game);
                store_put_game(store, &row, text, (size_t)kit_piece(text, unit, leg, 0, game));
            }
            struct match_row row = kit_match_row(unit, leg);
            store_put_match(store, &row, text, (size_t)kit_piece(text, unit, leg, 1, 0));
        }
        for (int leg = 1; leg <= 2; leg++) {
            if (unit < 3 || leg == 1) {
                store_put_seal(store, unit, leg, text, (size_t)kit_piece(text, unit, leg, 2, 0));
            }
        }
    }
}

static void check_record(struct store *store, uint32_t unit, int leg) {
    struct bytes want;
    struct bytes got;
    struct fail fail;
    char text[160];
    bytes_init(&want, 1 << 20);
    bytes_init(&got, 1 << 20);
    for (int game = 1; game <= 3; game++) {
        bytes_add(&want, text, (size_t)kit_piece(text, unit, leg, 0, game));
    }
    bytes_add(&want, text, (size_t)kit_piece(text, unit, leg, 1, 0));
    bytes_add(&want, text, (size_t)kit_piece(text, unit, leg, 2, 0));
    CHECK_INT(store_record(store, unit, leg, &got, &fail), 1, "a record is found");
    CHECK_TEXT(bytes_text(&got), bytes_text(&want), "its pieces are joined in order");
    bytes_clear(&want);
    bytes_clear(&got);
}

static void test_round_trip(void) {
    struct store_event event = kit_store_event();
    struct store *store;
    struct fail fail = {.code = EXIT_CODE_DONE};
    struct stat status;
    CHECK(!store_exists(folder), "no store yet");
    CHECK(store_create(folder, &event, &store, &fail) == 0, "created: %s", fail.text);
    CHECK(store_exists(folder), "it is there");
    CHECK(stat(inside("hakem.db"), &status) == 0 && (status.st_mode & 0777) == 0600,
          "the database is its owner's alone");
    put_all(store);
    store_put_start(store, 1);
    struct stat log;
    CHECK(store_close(store, &fail) == 0, "closed: %s", fail.text);
    CHECK(stat(inside("hakem.db-wal"), &log) != 0, "a good end leaves no log behind");
    CHECK(store_open(folder, true, &store, &fail) == 0, "opened again: %s", fail.text);
    const struct store_event *kept = store_event(store);
    CHECK(strcmp(kept->id, event.id) == 0 && strcmp(kept->json, event.json) == 0 &&
              strcmp(kept->date, event.date) == 0 &&
              memcmp(&kept->master, &event.master, sizeof event.master) == 0 &&
              memcmp(&kept->key, &event.key, sizeof event.key) == 0,
          "the event is what it was");
    struct told told = visit(store);
    CHECK(told.starts == 3 && told.games == 18 && told.matches == 6 && told.wrong == 0,
          "every row came back in order: %d %d %d (%d wrong)", told.starts, told.games,
          told.matches, told.wrong);
    CHECK_INT(told.unsealed, 1, "the match without a seal is named");
    check_record(store, 2, 2);
    struct bytes out;
    bytes_init(&out, 1 << 20);
    CHECK_INT(store_record(store, 9, 1, &out, &fail), 0, "no record of a match that was not");
    struct bytes small;
    bytes_init(&small, 10);
    CHECK_INT(store_record(store, 1, 1, &small, &fail), -1, "too large for its ceiling");
    bytes_clear(&small);
    bytes_clear(&out);
    CHECK(store_close(store, &fail) == 0, "closed");
}

/* What a room draws is kept in order, before the unit it belongs to. */
static void test_drawn(void) {
    struct store *store;
    struct fail fail = {.code = EXIT_CODE_DONE};
    char list[200] = "";
    CHECK(store_open(folder, false, &store, &fail) == 0, "opened: %s", fail.text);
    CHECK(store_drawn(store, on_drawn, list, &fail) == 0 && list[0] == '\0', "nothing drawn yet");
    store_put_drawn(store, 1, "ayse", "bora");
    store_put_start(store, 1);
    store_put_drawn(store, 2, "bora", "can");
    CHECK(store_close(store, &fail) == 0, "closed: %s", fail.text);
    CHECK(store_open(folder, false, &store, &fail) == 0, "opened again");
    CHECK(store_drawn(store, on_drawn, list, &fail) == 0, "read: %s", fail.text);
    CHECK_TEXT(list, "ayse-bora bora-can ", "in the order of the units");
    store_put_drawn(store, 4, "refused", "can");
    CHECK(store_close(store, &fail) == 0, "closed");
    CHECK(store_open(folder, true, &store, &fail) == 0, "opened to look");
    CHECK(store_drawn(store, on_drawn, NULL, &fail) != 0 && strchr(fail.text, '\n') == NULL,
          "a gap is noticed: %s", fail.text);
    CHECK(store_close(store, &fail) == 0, "closed");
}

static void test_tickets(void) {
    struct store *store;
    struct fail fail;
    CHECK(store_open(folder, false, &store, &fail) == 0, "opened to write: %s", fail.text);
    struct game_row row = kit_game_row(1, 1, 50);
    uint64_t first = store_put_game(store, &row, "x", 1);
    row = kit_game_row(1, 1, 51);
    uint64_t second = store_put_game(store, &row, NULL, 0);
    CHECK(first == 1 && second == 2 && store_durable(store) < second, "tickets grow, at once");
    CHECK(kit_wait(store, second, &fail) == 0 && store_durable(store) == second,
          "both are on disk soon after, without a hurry");
    struct pollfd ready = {.fd = store_wakeup_fd(store), .events = POLLIN};
    CHECK(poll(&ready, 1, 0) == 0, "an acknowledged descriptor is quiet");
    row = kit_game_row(1, 1, 52);
    uint64_t third = store_put_game(store, &row, NULL, 0);
    store_hurry(store);
    CHECK(poll(&ready, 1, 5000) == 1 && store_durable(store) == third, "a hurry wakes the owner");
    CHECK(store_close(store, &fail) == 0, "closed");
}

/* A row that is there already: the transaction is refused and nothing of it is kept. */
static void test_twice(void) {
    struct store *store;
    struct fail fail;
    CHECK(store_open(folder, false, &store, &fail) == 0, "opened: %s", fail.text);
    struct game_row fresh = kit_game_row(1, 2, 60);
    struct game_row old = kit_game_row(1, 1, 50);
    store_put_game(store, &fresh, "x", 1);
    uint64_t ticket = store_put_game(store, &old, "x", 1);
    CHECK(kit_wait(store, ticket, &fail) == -1 && fail.code == EXIT_CODE_IO &&
              strstr(fail.text, "hakem.db") != NULL,
          "the same game twice fails: %s", fail.text);
    CHECK_INT(store_durable(store), 0, "nothing of that turn is told to be durable");
    fresh.game = 61;
    ticket = store_put_game(store, &fresh, "x", 1);
    CHECK(ticket == 3 && kit_wait(store, ticket, &fail) == -1,
          "a failed store takes nothing more and says so");
    CHECK(store_close(store, &fail) == -1, "also when it is closed");
    CHECK(store_open(folder, true, &store, &fail) == 0, "what was there before is still there");
    struct bytes out;
    bytes_init(&out, 1 << 20);
    int found = store_record(store, 1, 2, &out, &fail);
    CHECK(found == 1 && strchr(bytes_text(&out), 'x') == NULL, "and no piece of the failed turn");
    bytes_clear(&out);
    CHECK(store_close(store, &fail) == 0, "closed");
    CHECK(store_open(folder, false, &store, &fail) == 0, "opened: %s", fail.text);
    struct game_row orphan = kit_game_row(77, 1, 1);
    CHECK(kit_wait(store, store_put_game(store, &orphan, "x", 1), &fail) == -1,
          "a game of a unit that never started fails: %s", fail.text);
    (void)!store_close(store, &fail);
}

/* Another process holds it. */
/* The mark of a clean rest stays until it is taken away. */
static void test_rest(void) {
    static const struct {
        bool put, before, after;
    } rows[] = {{true, false, true}, {true, true, true}, {false, true, false},
                {false, false, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct store *store;
        struct fail fail;
        CHECK(store_open(folder, false, &store, &fail) == 0, "opened");
        CHECK(store_rests(store) == rows[i].before, "rests: %d", rows[i].before);
        CHECK(kit_wait(store, store_put_rest(store, rows[i].put), &fail) == 0, "put");
        CHECK(store_close(store, &fail) == 0, "closed");
        CHECK(store_open(folder, true, &store, &fail) == 0, "looked at");
        CHECK(store_rests(store) == rows[i].after, "then: %d", rows[i].after);
        CHECK(store_close(store, &fail) == 0, "closed");
    }
}

static void test_busy(void) {
    int go[2];
    int end[2];
    char byte = 'x';
    struct store *store;
    struct fail fail;
    CHECK(pipe(go) == 0 && pipe(end) == 0, "pipes");
    pid_t child = fork();
    if (child == 0) {
        bool good = store_open(folder, false, &store, &fail) == 0;
        good = write(go[1], good ? "y" : "n", 1) == 1 && good;
        close(end[1]);
        (void)!read(end[0], &byte, 1);
        _exit(good ? 0 : 1);
    }
    close(end[0]);
    CHECK(read(go[0], &byte, 1) == 1 && byte == 'y', "a process holds the store");
    CHECK(store_open(folder, false, &store, &fail) == -1, "a second one is refused");
    CHECK(fail.code == EXIT_CODE_BUSY && strstr(fail.text, "hakem show") != NULL,
          "as busy, with the remedy: %s", fail.text);
    CHECK(store_open(folder, true, &store, &fail) == -1 && fail.code == EXIT_CODE_BUSY,
          "also to read");
    struct store_event event = kit_store_event();
    CHECK(store_create(folder, &event, &store, &fail) == -1 && fail.code == EXIT_CODE_BUSY,
          "and to create");
    close(end[1]);
    int status;
    waitpid(child, &status, 0);
    CHECK(store_open(folder, true, &store, &fail) == 0, "free again when it is gone, unclosed");
    CHECK(store_close(store, &fail) == 0, "closed");
    close(go[0]);
    close(go[1]);
}

static void write_file(const char *path, const char *text, size_t length) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, text, length) != (ssize_t)length) {
        printf("# cannot write %s\n", path);
    }
    close(file);
}

static void test_refusals(void) {
    struct store *store;
    struct fail fail;
    struct store_event event = kit_store_event();
    CHECK(store_create(folder, &event, &store, &fail) == -1 && fail.code == EXIT_CODE_USAGE,
          "a folder holds one store: %s", fail.text);
    CHECK(store_open("no/such/folder", true, &store, &fail) == -1 && fail.code == EXIT_CODE_USAGE,
          "a missing folder: %s", fail.text);
    CHECK(store_open("/", true, &store, &fail) == -1 && fail.code == EXIT_CODE_USAGE,
          "a folder that is no store: %s", fail.text);
    CHECK(store_create("/proc/self/fdinfo", &event, &store, &fail) == -1 &&
              fail.code == EXIT_CODE_IO,
          "a folder that cannot be written: %s", fail.text);
    CHECK(store_create("/dev/null", &event, &store, &fail) == -1, "a file in the way: %s",
          fail.text);
    char path[256];
    snprintf(path, sizeof path, "%s/other", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/other/hakem.db", folder);
    write_file(path, "not a database, but long enough to look like one..............", 60);
    CHECK(store_open(inside("other"), false, &store, &fail) == -1 && fail.code == EXIT_CODE_USAGE,
          "a file that is no database: %s", fail.text);
    write_file(path, "", 0);
    CHECK(store_open(inside("other"), false, &store, &fail) == -1 && fail.code == EXIT_CODE_USAGE,
          "an empty file: %s", fail.text);
}

/* Bytes of the database file changed from outside. */
static void patch(long offset, const char *bytes, size_t length) {
    int file = open(inside("hakem.db"), O_WRONLY);
    if (file < 0 || pwrite(file, bytes, length, offset) != (ssize_t)length) {
        printf("# cannot patch\n");
    }
    close(file);
}

enum { PAGE_BYTES = 16384 /* of the database */ };

static void test_damage(void) {
    struct store *store;
    struct fail fail;
    /* The user version stands at byte 60 of the header. */
    patch(60, "\0\0\0\x09", 4);
    CHECK(store_open(folder, false, &store, &fail) == -1 && fail.code == EXIT_CODE_USAGE &&
              strstr(fail.text, "format 9") != NULL,
          "a store of another version: %s", fail.text);
    patch(60, "\0\0\0\x02", 4);
    CHECK(store_open(folder, true, &store, &fail) == 0, "put right again");
    CHECK(store_close(store, &fail) == 0, "closed");
    struct stat status;
    stat(inside("hakem.db"), &status);
    char noise[PAGE_BYTES];
    memset(noise, 0x5A, sizeof noise);
    int refused = 0;
    int lines = 0;
    long pages = (long)status.st_size / PAGE_BYTES;
    for (long page = 1; page < pages; page++) {
        char saved[PAGE_BYTES];
        int file = open(inside("hakem.db"), O_RDONLY);
        bool read_back =
            pread(file, saved, sizeof saved, page * PAGE_BYTES) == (ssize_t)sizeof saved;
        close(file);
        if (!read_back) {
            continue;
        }
        patch(page * PAGE_BYTES, noise, sizeof noise);
        bool bad = store_open(folder, true, &store, &fail) != 0;
        if (!bad) {
            struct told told = {0};
            struct bytes out;
            bytes_init(&out, 1 << 20);
            const struct store_visitor visitor = {&told, on_start, on_game, on_match, on_unsealed};
            bad = store_visit(store, &visitor, &fail) != 0;
            bad = store_drawn(store, on_drawn, NULL, &fail) != 0 || bad;
            for (uint32_t unit = 1; unit <= 3; unit++) {
                bad = store_record(store, unit, 1, &out, &fail) != 1 || bad;
            }
            bytes_clear(&out);
            struct fail later;
            (void)!store_close(store, &later);
        }
        refused += bad;
        lines += bad && strchr(fail.text, '\n') == NULL && strlen(fail.text) > 10;
        patch(page * PAGE_BYTES, saved, sizeof saved);
    }
    CHECK(pages > 5 && refused == pages - 1 && lines == refused,
          "each of %ld overwritten pages is noticed (%d), in one line", pages - 1, refused);
}

/* The disk is full: a file size limit makes SQLite's next write fail. */
static void test_full_disk(void) {
    pid_t child = fork();
    if (child == 0) {
        struct store *store;
        struct fail fail = {.code = EXIT_CODE_DONE};
        signal(SIGXFSZ, SIG_IGN);
        if (store_open(folder, false, &store, &fail) != 0) {
            _exit(2);
        }
        struct rlimit limit = {100000, 100000};
        setrlimit(RLIMIT_FSIZE, &limit);
        static char large[300000];
        struct game_row row = kit_game_row(2, 1, 70);
        uint64_t ticket = store_put_game(store, &row, large, sizeof large);
        int status = kit_wait(store, ticket, &fail);
        bool told = status == -1 && fail.code == EXIT_CODE_IO && store_durable(store) == 0;
        if (!told) {
            fprintf(stderr, "# status %d: %s\n", status, fail.text);
        }
        (void)!store_close(store, &fail);
        _exit(told ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a disk that takes no more is a failure");
    struct store *store;
    struct fail fail;
    CHECK(store_open(folder, true, &store, &fail) == 0, "and what was there stays readable");
    struct bytes out;
    bytes_init(&out, 1 << 20);
    CHECK(store_record(store, 2, 1, &out, &fail) == 1 && out.length < 1000, "without the rest");
    bytes_clear(&out);
    CHECK(store_close(store, &fail) == 0, "closed");
}

int main(void) {
    setenv("LC_ALL", "C", 1);
    if (mkdtemp(folder) == NULL) {
        printf("Bail out! no folder\n");
        return 99;
    }
    test_round_trip();
    test_tickets();
    test_twice();
    test_rest();
    test_busy();
    test_refusals();
    test_full_disk();
    test_damage();
    test_drawn();
    kit_remove(folder);
    return check_done();
}
