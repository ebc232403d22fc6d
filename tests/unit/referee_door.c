/* The referee's door: what a single peer may say, and what it is told, byte for
 * byte. Tables and matches are in tests/sim. */
#include "check.h"

#include "base/alloc.h"
#include "referee/referee.h"

#include <stdlib.h>

struct door {
    struct referee *referee;
    uint32_t session;
    int64_t now;
    int helloes, gone;
    char why[200];
    char heard[1 << 16];
};

static bool on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                     struct hello_refusal *refusal) {
    struct door *door = owner;
    (void)session;
    door->helloes++;
    refusal->code = "full";
    if (strcmp(facts->name, "guesser") == 0) {
        struct hash right = hash_bytes("sesame", 6);
        *refusal = (struct hello_refusal){"token", "unknown name or token", 1000};
        return facts->has_token && hash_same(&facts->token, &right);
    }
    return strcmp(facts->name, "unwanted") != 0;
}

static void on_game(void *owner, const struct game_facts *facts) {
    (void)owner, (void)facts;
}

static void on_match(void *owner, const struct match_facts *facts) {
    (void)owner, (void)facts;
}

static void on_vacant(void *owner, uint32_t table, enum side side) {
    (void)owner, (void)table, (void)side;
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    struct door *door = owner;
    (void)session;
    door->gone++;
    snprintf(door->why, sizeof door->why, "%s", why);
}

static void door_open(struct door *door) {
    struct referee_limits limits;
    referee_limits_init(&limits);
    limits.greeting = 64;
    memset(door, 0, sizeof *door);
    const struct referee_hooks hooks = {.owner = door,
                                        .hello = on_hello,
                                        .game = on_game,
                                        .match = on_match,
                                        .vacant = on_vacant,
                                        .gone = on_gone};
    door->referee = referee_new(&limits, &hooks);
    door->now = 5000;
    door->session = referee_open(door->referee, "test", door->now);
}

static void door_close(struct door *door) {
    referee_free(door->referee);
}

/* Says bytes and keeps what is answered. */
static const char *say_bytes(struct door *door, const char *data, size_t length) {
    const char *out = NULL;
    referee_input(door->referee, door->session, data, length, door->now);
    size_t heard = referee_output(door->referee, door->session, &out);
    snprintf(door->heard, sizeof door->heard, "%.*s", (int)heard, heard > 0 ? out : "");
    referee_sent(door->referee, door->session, heard, door->now);
    while (referee_next_dirty(door->referee) != 0) {
    }
    return door->heard;
}

static const char *say(struct door *door, const char *text) {
    return say_bytes(door, text, strlen(text));
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static void test_hello(void) {
    struct door door;
    door_open(&door);
    CHECK(begins(say(&door, "hello hakem=1 name=ayse\n"), "welcome hakem=1 session="),
          "a text hello is welcomed in text: %s", door.heard);
    CHECK(begins(say(&door, "hello hakem=1 name=ayse\n"), "error unexpected"),
          "a second hello is unexpected: %s", door.heard);
    CHECK_TEXT(say(&door, "ping id=7\n"), "pong id=7\n", "a ping is answered");
    CHECK(begins(say(&door, "play 1 1 8/5\n"), "error unexpected"), "no table: %s", door.heard);
    CHECK(begins(say(&door, "ready 1\n"), "error unexpected"), "no match: %s", door.heard);
    CHECK_TEXT(say(&door, "\n \r\n"), "", "blank lines are ignored");
    CHECK(begins(say(&door, "dance\n"), "error unknown"), "an unknown word: %s", door.heard);
    CHECK(!referee_closing(door.referee, door.session), "and all that is forgiven");
    door_close(&door);

    door_open(&door);
    CHECK(begins(say(&door, "\xEF\xBB\xBF {\"type\":\"hello\",\"hakem\":1,\"name\":\"bora\"}\n"),
                 "{\"type\":\"welcome\""),
          "the first byte decides for JSON, BOM and blanks aside: %s", door.heard);
    door_close(&door);
}

static void test_refusals(void) {
    static const struct {
        const char *said, *code;
    } rows[] = {
        {"hello hakem=0 name=ayse\n", "refused version"},
        {"hello hakem=2 name=ayse\n", "refused version"},
        {"{\"type\":\"hello\",\"hakem\":2,\"name\":\"ayse\"}\n",
         "{\"type\":\"refused\",\"code\":\"version\""},
        {"hello hakem=1 name=-x\n", "refused name"},
        {"hello hakem=1 name=referee\n", "refused name"},
        {"hello hakem=1 name=unwanted\n", "refused full"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct door door;
        door_open(&door);
        CHECK(begins(say(&door, rows[i].said), rows[i].code), "%.24s: %s", rows[i].said,
              door.heard);
        CHECK(referee_closing(door.referee, door.session), "and the session closes");
        CHECK_INT(door.gone, 1, "and is said to be gone once");
        door_close(&door);
    }
}

static void test_hello_timeout(void) {
    struct door door;
    door_open(&door);
    CHECK_INT(referee_next_deadline(door.referee), 15000, "a peer has ten seconds for its hello");
    referee_tick(door.referee, 14999);
    CHECK(!referee_closing(door.referee, door.session), "not less");
    say(&door, "hel"); /* half a line does not move the deadline */
    referee_tick(door.referee, 15000);
    CHECK(referee_closing(door.referee, door.session), "not more");
    door_close(&door);
}

/* Somebody is told to go before his hello has come: the hello does not keep him. */
static void test_dismissed(void) {
    struct door door;
    door_open(&door);
    referee_close(door.referee, door.session, "the event is over", door.now);
    say(&door, "hello hakem=1 name=ayse\n");
    referee_tick(door.referee, door.now);
    CHECK(referee_closing(door.referee, door.session), "who was dismissed goes");
    CHECK_INT(door.helloes, 0, "and is not let in before that");
    door_close(&door);
}

static void test_strays(void) {
    struct door door;
    door_open(&door);
    say(&door, "hello hakem=1 name=ayse\n");
    say(&door, "play\n");
    say(&door, "play %zz\n");
    CHECK(!referee_closing(door.referee, door.session), "two malformed lines are forgiven");
    say(&door, "play \x01\n");
    CHECK(referee_closing(door.referee, door.session), "the third closes: %s", door.heard);
    CHECK(strstr(door.heard, "bye") != NULL, "with a bye");
    CHECK_TEXT(say(&door, "ping\n"), "", "nothing is heard afterwards");
    door_close(&door);
}

static void test_long_lines(void) {
    struct door door;
    char *line = alloc_zeroed(1, 70000);
    memset(line, 'x', 70000);
    door_open(&door);
    say(&door, "hello hakem=1 name=ayse\n");
    say_bytes(&door, line, 4095);
    CHECK(!referee_closing(door.referee, door.session), "4,095 bytes may still become a line");
    say_bytes(&door, line, 1);
    CHECK(referee_closing(door.referee, door.session), "4,096 bytes without an end close");
    CHECK(begins(door.heard, "error too-long"), "and the reason is said: %s", door.heard);
    door_close(&door);
    door_open(&door);
    say_bytes(&door, line, 70000);
    CHECK(referee_closing(door.referee, door.session), "so does a flood before hello");
    door_close(&door);
    free(line);
}

static void test_rate(void) {
    struct door door;
    door_open(&door);
    say(&door, "hello hakem=1 name=ayse\n");
    int pings = 0;
    while (!referee_closing(door.referee, door.session) && pings < 1000) {
        say(&door, "ping\n");
        pings++;
    }
    CHECK_INT(pings, 201, "a burst of 200 unasked lines is allowed");
    door_close(&door);
    door_open(&door);
    say(&door, "hello hakem=1 name=ayse\n");
    for (pings = 0; pings < 1000 && !referee_closing(door.referee, door.session); pings++) {
        door.now += 20;
        say(&door, "ping\n");
    }
    CHECK_INT(pings, 1000, "50 a second are allowed for ever");
    door_close(&door);
}

static void test_unread(void) {
    struct door door;
    door_open(&door);
    say(&door, "hello hakem=1 name=ayse\n");
    for (int i = 0; i < 100; i++) {
        referee_input(door.referee, door.session, "ping\n", 5, door.now);
    }
    referee_sent(door.referee, door.session, 0, door.now);
    CHECK_INT(referee_next_deadline(door.referee), door.now + 10000,
              "output that nobody reads has a deadline");
    referee_tick(door.referee, door.now + 10000);
    CHECK(referee_closing(door.referee, door.session), "after which the session is closed");
    door_close(&door);
}

static void test_room(void) {
    struct door door;
    door_open(&door);
    int more = 0;
    while (referee_open(door.referee, "more", door.now) != 0) {
        more++;
    }
    CHECK_INT(more, 63 + 64, "64 peers may be without a hello, 64 more wait to be told `full`");
    CHECK(!referee_has_room(door.referee), "then there is no room");
    referee_tick(door.referee, door.now + 10000);
    referee_tick(door.referee, door.now + 20000);
    referee_sweep(door.referee);
    CHECK(referee_open(door.referee, "again", door.now + 20000) != 0,
          "and their places are free again after their deadline");
    door_close(&door);
}

/* Who finds no room is told so in its own spelling. */
static void test_full(void) {
    struct door door;
    door_open(&door);
    uint32_t first = door.session;
    for (int i = 0; i < 64; i++) {
        door.session = referee_open(door.referee, "late", door.now);
    }
    CHECK_TEXT(say(&door, "{\"type\":\"hello\",\"hakem\":1,\"name\":\"ayse\"}\n"),
               "{\"type\":\"refused\",\"code\":\"full\",\"reason\":\"no more bots are let in now: try "
               "again later\",\"have\":1}\n",
               "the 65th hears that it is full");
    CHECK_INT(door.helloes, 0, "nobody is asked about it");
    referee_sweep(door.referee);
    door.session = first;
    CHECK(begins(say(&door, "hello hakem=1 name=ayse\n"), "welcome"), "the first one is let in");
    CHECK(referee_open(door.referee, "again", door.now) != 0, "which leaves a place");
    door_close(&door);
}

/* Who shows a wrong token waits for its answer, and is not heard meanwhile. */
static void test_token(void) {
    struct door door;
    door_open(&door);
    CHECK_TEXT(say(&door, "hello hakem=1 name=guesser token=simsim\n"), "", "no answer at once");
    CHECK_INT(referee_next_deadline(door.referee), door.now + 1000, "but after its delay");
    CHECK_TEXT(say(&door, "hello hakem=1 name=guesser token=sesame\n"), "", "nothing more is heard");
    CHECK(!referee_closing(door.referee, door.session), "until then it stays");
    door.now += 1000;
    referee_tick(door.referee, door.now);
    CHECK_TEXT(say(&door, ""), "refused token reason=unknown%20name%20or%20token have=1\n",
               "then it hears why");
    CHECK(referee_closing(door.referee, door.session), "and goes");
    CHECK_TEXT(door.why, "unknown name or token", "which is told outside");
    referee_sweep(door.referee);
    for (int i = 0; i < 64; i++) {
        door.session = referee_open(door.referee, "more", door.now);
        say(&door, "hello hakem=1 name=guesser\n");
    }
    door.session = referee_open(door.referee, "more", door.now);
    CHECK(begins(say(&door, "hello hakem=1 name=guesser\n"), "refused token"),
          "64 of them may wait, one more is told at once");
    door.session = referee_open(door.referee, "good", door.now);
    CHECK(begins(say(&door, "hello hakem=1 name=guesser token=sesame\n"), "welcome"),
          "meanwhile the right one is let in");
    door_close(&door);
}

/* Every cut of a conversation in two gives the same answers. */
static void test_splits(void) {
    static const char talk[] = "hello hakem=1 name=ayse want=plays\r\nping id=1\n\nping id=2\n";
    char whole[4096], parts[4096];
    struct door door;
    door_open(&door);
    snprintf(whole, sizeof whole, "%s", say(&door, talk));
    door_close(&door);
    bool same = true;
    for (size_t cut = 1; cut < sizeof talk - 1; cut++) {
        door_open(&door);
        snprintf(parts, sizeof parts, "%s", say_bytes(&door, talk, cut));
        size_t length = strlen(parts);
        snprintf(parts + length, sizeof parts - length, "%s", say(&door, talk + cut));
        same = same && strcmp(whole, parts) == 0;
        door_close(&door);
    }
    CHECK(same, "a conversation cut anywhere in two is the same conversation");
}

int main(void) {
    test_hello();
    test_refusals();
    test_hello_timeout();
    test_dismissed();
    test_strays();
    test_long_lines();
    test_rate();
    test_unread();
    test_room();
    test_full();
    test_token();
    test_splits();
    return check_done();
}
