/* What a daemon is told: its configuration and its token table. What each field refuses is
 * in tests/end/daemon.py, with the program's own words. */
#include "check.h"

#include "base/file.h"
#include "cli/serve_config.h"
#include "cli/tokens.h"

#include <stdlib.h>
#include <unistd.h>

static int parse(struct serve_config *config, const char *text, struct fail *fail) {
    serve_config_init(config);
    return serve_config_parse(config, "c.json", text, strlen(text), fail);
}

static void test_full(void) {
    static const char text[] =
        "{\"store\": \"s\", \"listen\": \"[::1]:0\", // here\n"
        "\"tokens\": \"t\", \"log\": \"debug\", \"sessions\": 9, \"events\": 0,\n"
        "\"stop_time\": \"2m\", \"plaintext\": true, \"rooms\": [\n"
        "{\"name\": \"a\", \"variant\": \"uzun\", \"match\": 3, \"move_time\": \"2s\"},\n"
        "{\"name\": \"b\", \"seed\": 7, \"concurrency\": 3, \"token\": true, \"files\": \"none\"}]}";
    struct serve_config config;
    struct fail fail;
    CHECK(parse(&config, text, &fail) == 0, "a full configuration is read");
    CHECK_TEXT(config.listen, "[::1]:0", "listen");
    CHECK_TEXT(config.store, "s", "store");
    CHECK_TEXT(config.tokens, "t", "tokens");
    CHECK_TEXT(config.path, "c.json", "its own path");
    CHECK(config.plaintext && config.log == LOG_LEVEL_DEBUG && config.sessions == 9 &&
              config.events == 0 && config.stop_time == 120000 && config.room_count == 2,
          "numbers, times, words");
    const struct event *a = &config.rooms[0].event, *b = &config.rooms[1].event;
    CHECK(a->format == FORMAT_ROOM && a->pairing == PAIRING_INDEPENDENT &&
              a->rules.variant == variant_row(VARIANT_UZUN) && a->rules.value[OPTION_MATCH] == 3 &&
              a->clock.move_time == 2000 && !config.rooms[0].members && a->id[0] != '\0',
          "a room has its game and its clock, and is sealed");
    CHECK(b->source == DICE_SEEDED && b->concurrency == 3 && b->files == 0 &&
              config.rooms[1].members,
          "another one its dice and its members");
    serve_config_clear(&config);

    CHECK(parse(&config, "{\"store\": \"s\"}", &fail) == 0, "the folder alone will do");
    CHECK(config.listen == NULL && config.room_count == 0 && config.events == 16 &&
              config.log == LOG_LEVEL_WARN && config.stop_time == 60000,
          "with the documented rest");
    CHECK_TEXT(config.tokens, "s/hakem.tokens", "and the tokens in it");
    serve_config_clear(&config);
}

/* Every prefix of a configuration is refused or read, and nothing is lost. */
static void test_cuts(void) {
    static const char text[] = "{\"store\": \"s\", \"listen\": \":1\", \"rooms\": [{\"name\": \"a\"}]}";
    int read = 0;
    for (size_t length = 0; length < sizeof text; length++) {
        struct serve_config config;
        struct fail fail;
        serve_config_init(&config);
        read += serve_config_parse(&config, "c", text, length, &fail) == 0;
        serve_config_clear(&config);
    }
    CHECK_INT(read, 1, "only the whole is good");
}

static void test_tokens(void) {
    char folder[] = "cli_config.XXXXXX";
    char path[64];
    struct fail fail = {.code = EXIT_CODE_DONE};
    struct hash one = hash_bytes("one", 3), two = hash_bytes("two", 3);
    CHECK(mkdtemp(folder) != NULL, "a folder");
    snprintf(path, sizeof path, "%s/tokens", folder);
    struct tokens *tokens = tokens_new(path);
    CHECK(tokens_read(tokens, &fail) == 0 && tokens_count(tokens) == 0, "no file: nobody is known");
    CHECK(tokens_find(tokens, "ayse") == NULL, "nobody");
    CHECK(tokens_put(tokens, "Ayse", &one, &fail) == 0 &&
              tokens_put(tokens, "bora", &one, &fail) == 0 &&
              tokens_put(tokens, "ayse", &two, &fail) == 0,
          "kept: %s", fail.text);
    tokens_free(tokens);
    tokens = tokens_new(path);
    CHECK(tokens_read(tokens, &fail) == 0 && tokens_count(tokens) == 2, "read back: %s", fail.text);
    CHECK(tokens_find(tokens, "AYSE") != NULL && hash_same(tokens_find(tokens, "AYSE"), &two),
          "the last one of a name counts, case aside");
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"[]", "a token file is"},
        {"{\"bots\": 3}", "a token file is"},
        {"{\"bots\": [], \"bosts\": 1}", "did you mean \"bots\"?"},
        {"{\"bots\": [\n3]}", "line 2: a bot is an object"},
        {"{\"bots\": [{\"name\": \"a b\"}]}", "needs a \"name\""},
        {"{\"bots\": [{\"name\": \"a\", \"token\": \"hakem_1\"}]}", "\"sha256:...\""},
        {"{\"bots\": [{\"name\": \"a\"}]}", "\"sha256:...\""},
        {"{\"bots\": [{\"nam\": \"a\"}]}", "did you mean \"name\"?"},
        {"{\"bots\": [{\"name\": 7}]}", "\"name\" must be a text"},
        {"{", "line 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(file_write(path, bad[i].text, strlen(bad[i].text), &fail) == 0, "written");
        CHECK(tokens_read(tokens, &fail) != 0 && strstr(fail.text, bad[i].why) != NULL,
              "refused: %s (%s)", bad[i].text, fail.text);
    }
    CHECK_INT(tokens_count(tokens), 2, "and what was known is kept");
    tokens_free(tokens);
    unlink(path);
    rmdir(folder);
}

int main(void) {
    setenv("LC_ALL", "C", 1);
    test_full();
    test_cuts();
    test_tokens();
    return check_done();
}
