/* The parts of the door that need no socket: back-off, strikes, addresses, tokens. */
#include "check.h"

#include "base/address.h"
#include "base/backoff.h"
#include "cli/strikes.h"
#include "dice/scheme.h"
#include "dice/token.h"

static void test_backoff(void) {
    static const int64_t want[] = {0, 500, 1000, 2000, 4000, 8000, 9000, 9000};
    for (int i = 0; i < 8; i++) {
        CHECK(backoff_delay(i, 500, 9000) == want[i], "after %d failures", i);
    }
    CHECK_INT(backoff_delay(1000000, 500, 9000), 9000, "never more than the most");
    CHECK_INT(backoff_delay(-1, 500, 9000), 0, "nothing before a failure");
}

static void test_strikes(void) {
    static struct strikes strikes;
    int64_t now = 1000;
    CHECK_INT(strikes_add(&strikes, "10.0.0.1:5000", now), 1000, "a first strike waits a second");
    CHECK_INT(strikes_add(&strikes, "10.0.0.1:5001", now), 2000, "another port is no other address");
    CHECK_INT(strikes_add(&strikes, "10.0.0.2:5000", now), 1000, "another address is");
    CHECK_INT(strikes_add(&strikes, "[::1]:5000", now), 1000, "also in IPv6");
    CHECK_INT(strikes_add(&strikes, "[::1]:5001", now), 2000, "whose colons are no ports");
    for (int i = 0; i < 40; i++) {
        strikes_add(&strikes, "10.0.0.1:1", now);
    }
    CHECK_INT(strikes_add(&strikes, "10.0.0.1:1", now), 8000, "it grows to eight seconds");
    CHECK_INT(strikes_add(&strikes, "10.0.0.1:1", now + 600000), 1000, "and is forgotten in time");
    for (int i = 0; i < 10000; i++) {
        char who[32];
        snprintf(who, sizeof who, "10.1.%d.%d:7", i / 256, i % 256);
        strikes_add(&strikes, who, now + 600001 + i);
    }
    CHECK_INT(strikes.count, STRIKES_MAX, "the table does not grow");
    CHECK_INT(strikes_add(&strikes, "10.1.39.15:8", now + 620000), 2000, "the newest are kept");
    CHECK_INT(strikes_add(&strikes, "10.0.0.2:8", now + 620000), 1000, "the oldest are not");
    CHECK_INT(strikes_add(&strikes, "", now), 1000, "a peer without an address is one of its own");
}

static void test_address(void) {
    static const struct {
        const char *text, *host;
        int port;
        bool v6, loopback;
    } good[] = {
        {"127.0.0.1:7000", "127.0.0.1", 7000, false, true},
        {":0", "127.0.0.1", 0, false, true},
        {"localhost:65535", "127.0.0.1", 65535, false, true},
        {"127.9.9.9:1", "127.9.9.9", 1, false, true},
        {"0.0.0.0:1", "0.0.0.0", 1, false, false},
        {"192.0.2.7:1444", "192.0.2.7", 1444, false, false},
        {"[::1]:80", "::1", 80, true, true},
        {"[2001:db8::7]:80", "2001:db8::7", 80, true, false},
        {"[::]:80", "::", 80, true, false},
    };
    static const char *const bad[] = {
        "",           "127.0.0.1",     "127.0.0.1:",     "127.0.0.1:65536", "127.0.0.1:-1",
        "1.2.3:5",    "127.0.0.1:07",  "example.org:80", "::1:80",          "[127.0.0.1]:80",
        "[::1:80",    "127.0.0.1 :80", "127.0.0.1:80 ",  "[]:80",           "127.0.0.256:1",
        "[::1%lo]:1", "a:b:80",
    };
    struct address address;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        bool read = address_read(good[i].text, &address);
        CHECK(read && strcmp(address.host, good[i].host) == 0 && address.port == good[i].port &&
                  address.v6 == good[i].v6 && address.loopback == good[i].loopback,
              "an address: %s", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!address_read(bad[i], &address), "no address: \"%s\"", bad[i]);
    }
    char longest[300];
    memset(longest, '1', sizeof longest - 4);
    memcpy(longest + sizeof longest - 4, ":80", 4);
    CHECK(!address_read(longest, &address), "no address: a long one");
}

static void test_token(void) {
    char token[TOKEN_TEXT_MAX], other[TOKEN_TEXT_MAX], text[HASH_TEXT];
    struct hash kept, again;
    CHECK_INT(dice_init(), 0, "there is chance");
    token_fresh(other, &again);
    token_fresh(token, &kept);
    CHECK(strncmp(token, "hakem_", 6) == 0 && strlen(token) == 6 + 64, "a token: 256 bits");
    CHECK(strcmp(token, other) != 0, "no two are the same");
    again = hash_bytes(token, strlen(token));
    CHECK(hash_same(&kept, &again), "what is kept is its SHA-256");
    hash_write(&kept, text);
    CHECK(strncmp(text, "sha256:", 7) == 0 && strlen(text) == HASH_TEXT - 1, "written: %s", text);
    memset(&again, 0, sizeof again);
    CHECK(hash_read(text, &again) && hash_same(&kept, &again), "and read back");
    text[HASH_TEXT - 2] = 'g';
    CHECK(!hash_read(text, &again) && !hash_read("sha256:", &again) && !hash_read("", &again) &&
              !hash_read(token, &again),
          "nothing else is read");
}

int main(void) {
    test_backoff();
    test_strikes();
    test_address();
    test_token();
    return check_done();
}
