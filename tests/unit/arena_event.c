#include "arena/event.h"
#include "arena/place.h"
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static int parse(struct event *event, const char *text, struct fail *fail) {
    fail->code = EXIT_CODE_DONE;
    event_init(event);
    return event_parse(event, "EVENT.json", text, strlen(text), fail);
}

static void refuse(const char *text, const char *want) {
    struct event event;
    struct fail fail;
    int status = parse(&event, text, &fail);
    CHECK(status == -1 && fail.code == EXIT_CODE_USAGE, "refused as bad usage: %s", want);
    if (!CHECK(strstr(fail.text, want) != NULL, "and says: %s", want)) {
        printf("#   got: %s\n", fail.text);
    }
    event_clear(&event);
}

#define BOTS "\"bots\": [{\"command\": \"./a\"}, {\"name\": \"b\", \"command\": \"python3 b.py\"}]"

/* A bot is started here, dials in or is dialled; a token makes no other event. */
static void test_ways(void) {
    static const char text[] =
        "{\"wait\": \"2m\", \"bots\": [{\"name\": \"in\", \"token\": \"sha256:"
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"},\n"
        "{\"name\": \"out\", \"address\": \"[::1]:7001\"}, {\"command\": \"./a\"},\n"
        "{\"name\": \"known\", \"token\": true}]}";
    struct event event, again;
    struct fail fail;
    CHECK(parse(&event, text, &fail) == 0, "bots of all kinds are read");
    const struct entrant *bot = event.entrants;
    struct hash abc = hash_bytes("abc", 3);
    CHECK(bot[0].kind == ENTRANT_DIALS_IN && bot[0].has_token && hash_same(&bot[0].token, &abc),
          "one dials in with its token");
    CHECK(bot[1].kind == ENTRANT_DIALLED && strcmp(bot[1].address, "[::1]:7001") == 0,
          "one is dialled");
    CHECK(bot[2].kind == ENTRANT_CHILD && strcmp(bot[2].command, "./a") == 0, "one is started");
    CHECK(bot[3].kind == ENTRANT_DIALS_IN && !bot[3].has_token, "one's token is known elsewhere");
    CHECK_INT(event.wait, 120000, "wait");
    struct bytes json;
    bytes_init(&json, 1 << 16);
    CHECK(event_seal(&event, &fail) == 0, "it is sealed");
    event_canonical(&event, &json);
    CHECK(strstr(bytes_text(&json), "{\"name\":\"in\",\"token\":true}") != NULL &&
              strstr(bytes_text(&json), "{\"name\":\"out\",\"address\":\"[::1]:7001\"}") != NULL,
          "its canonical text holds no token");
    CHECK(parse(&again, bytes_text(&json), &fail) == 0 && event_seal(&again, &fail) == 0,
          "and is an event");
    CHECK_TEXT(again.id, event.id, "the same one");
    bytes_clear(&json);
    event_clear(&again);
    event_clear(&event);
    refuse("{\"bots\": [{\"command\": \"a\"},\n{\"name\": \"x\", \"token\": \"hakem_12\"}]}",
           "line 2: \"token\" must be the \"sha256:...\"");
    refuse("{\"bots\": [{\"name\": \"x\", \"token\": false}]}", "\"token\" must be");
    refuse("{\"bots\": [{\"name\": \"x\", \"token\": 7}]}", "\"token\" must be");
    refuse("{\"bots\": [{\"name\": \"x\", \"token\": true, \"command\": \"./a\"}]}", "one of them");
    refuse("{\"bots\": [{\"token\": true}]}", "needs a \"name\"");
    refuse("{\"bots\": [{\"name\": \"x\", \"address\": \"host:80\"}]}", "is no address to dial");
    refuse("{\"bots\": [{\"name\": \"x\", \"address\": \"127.0.0.1:0\"}]}",
           "is no address to dial");
    refuse("{\"bots\": [{\"name\": \"x\", \"adress\": \"127.0.0.1:1\"}]}",
           "did you mean \"address\"?");
    refuse("{\"wait\": \"soon\", " BOTS "}", "\"wait\" must be a time");
}

static void test_full(void) {
    static const char text[] =
        "{ // an event\n"
        "  \"pairs\": 7, \"match\": 3, \"next_starter\": \"winner\", \"must_max\": false,\n"
        "  \"variant\": \"tavla\", \"name\": \"gece maçı\", \"format\": \"round-robin\",\n"
        "  \"pairing\": \"independent\", \"seed\": 42, \"move_time\": \"2s\", \"reserve\": "
        "\"5m\",\n"
        "  \"increment\": 250, \"margin\": 0, \"concurrency\": 3, \"files\": \"hkm\",\n"
        "  \"restarts\": 0, " BOTS "\n}\n";
    struct event event;
    struct fail fail;
    CHECK(parse(&event, text, &fail) == 0, "a full event is read");
    CHECK_TEXT(event.name, "gece maçı", "name");
    CHECK_INT(event.pairs, 7, "pairs");
    CHECK_INT(event.rules.value[OPTION_MATCH], 3, "a number option");
    CHECK_INT(event.rules.value[OPTION_NEXT_STARTER], STARTER_WINNER, "a word option");
    char value[16];
    option_write(OPTION_MUST_MAX, event.rules.value[OPTION_MUST_MAX], value);
    CHECK_TEXT(value, "false", "a truth option");
    CHECK_INT(event.pairing, PAIRING_INDEPENDENT, "pairing");
    CHECK_INT(event.source, DICE_SEEDED, "a seed means seeded dice");
    CHECK_TEXT(event.seed, "42", "a seed may be a number");
    CHECK_INT(event.clock.move_time, 2000, "move_time");
    CHECK_INT(event.clock.reserve, 300000, "reserve");
    CHECK_INT(event.clock.increment, 250, "increment in milliseconds");
    CHECK_INT(event.clock.margin, 0, "margin");
    CHECK_INT(event.concurrency, 3, "concurrency");
    CHECK_INT(event.files, FILES_HKM, "files");
    CHECK_INT(event.restarts, 0, "restarts");
    CHECK_INT(event.entrant_count, 2, "bots");
    CHECK_TEXT(event.entrants[0].name, "a", "a name is the program's basename");
    CHECK_TEXT(event.entrants[1].name, "b", "or the given one");
    CHECK_TEXT(event.entrants[1].command, "python3 b.py", "command");
    event_clear(&event);
    CHECK(parse(&event, "{\"match\": 1, \"variant\": \"uzun\", " BOTS "}", &fail) == 0,
          "options may stand before the variant");
    CHECK_TEXT(event.rules.variant->name, "uzun", "which is taken first");
    CHECK_INT(event.rules.value[OPTION_MATCH], 1, "and keeps them");
    event_clear(&event);
}

static void test_refusals(void) {
    refuse("[]", "EVENT.json: an event is one JSON object");
    refuse("{\n \"pairs\": 3,\n}", "EVENT.json: line 3, column 1: ");
    refuse("{\n\n \"pair\": 3, " BOTS "}",
           "EVENT.json: line 3: unknown field \"pair\": did you mean \"pairs\"?");
    refuse("{" BOTS ",\n \"zzzzzzzzzz\": 3}", "EVENT.json: line 2: unknown field \"zzzzzzzzzz\"");
    refuse("{" BOTS ",\n \"pairs\": \"3\"}",
           "line 2: \"pairs\" must be a whole number from 1 to 1000000");
    refuse("{" BOTS ",\n \"pairs\": 1.5}", "line 2: \"pairs\" must be");
    refuse("{" BOTS ", \"pairs\": 0}", "\"pairs\" must be");
    refuse("{" BOTS ", \"variant\": \"chess\"}", "must be one of tavla, uzun, western, ");
    refuse("{" BOTS ", \"match\": \"long\"}", "line 1: option match");
    refuse("{" BOTS ",\n\"opening\": {}}", "line 2: \"opening\" must be a word");
    refuse("{" BOTS ", \"wall\": \"step\"}", "wall");
    refuse("{" BOTS ", \"dice\": \"fair\"}", "\"dice\" must be one of auditable, seeded, recorded, "
           "manual");
    refuse("{" BOTS ",\n\"dice\": \"seeded\"}", "line 2: seeded dice need a seed");
    refuse("{" BOTS ", \"dice\": \"auditable\",\n\"seed\": 1}", "line 2: a seed goes with seeded");
    refuse("{" BOTS ", \"seed\": -1}", "\"seed\" must be");
    refuse("{" BOTS ", \"seed\": \"\"}", "\"seed\" must be");
    refuse("{" BOTS ", \"move_time\": \"fast\"}", "\"move_time\" must be a time such as");
    refuse("{" BOTS ", \"move_time\": \"25h\"}", "at most a day");
    refuse("{" BOTS ", \"files\": \"pgn\"}", "\"files\" must be");
    refuse("{" BOTS ", \"format\": \"swiss\"}", "\"format\" must be \"round-robin\"");
    refuse("{" BOTS ", \"name\": \"\"}", "\"name\" must be a text");
    refuse("{" BOTS ", \"concurrency\": 0}", "\"concurrency\" must be");
    refuse("{}", "an event needs at least two bots");
    refuse("{\"bots\": 3}", "\"bots\" must be a list");
    refuse("{\"bots\": [\n{\"command\": \"./a\"},\n3]}", "line 3: a bot is an object");
    refuse("{\"bots\": [\n{\"command\": \"./a\"},\n{\"comand\": \"./b\"}]}",
           "line 3: unknown field \"comand\": did you mean \"command\"?");
    refuse("{\"bots\": [{\"command\": \"a\"},\n{\"name\": \"x\"}]}",
           "line 2: a bot needs a \"command\"");
    refuse("{\"bots\": [{\"name\": \"x\", \"command\": \"a\"},\n{\"name\": \"X\", \"command\": "
           "\"b\"}]}",
           "line 2: two bots are called \"X\"");
    refuse("{\"bots\": [{\"name\": \"a b\", \"command\": \"a\"}]}",
           "\"a b\" cannot be a bot's name");
    refuse("{\"bots\": [{\"name\": \"hakem\", \"command\": \"a\"}]}", "cannot be a bot's name");
    refuse("{\"bots\": [{\"command\": \"'a\"}]}", "is no command");
    refuse("{\"bots\": [{\"command\": \"\"}]}", "is no command");
    refuse("{\"bots\": [{\"command\": 5}]}", "\"command\" must be a text");
}

/* The clock that comes of an event's text; a move time of -1 when it is refused. */
static struct clock_rule clock_of(const char *fields, const char *why) {
    char text[512];
    struct event event;
    struct fail fail = {.text = ""};
    snprintf(text, sizeof text, "{%s, " BOTS "}", fields);
    if (parse(&event, text, &fail) != 0) {
        CHECK(why != NULL && strstr(fail.text, why) != NULL && fail.code == EXIT_CODE_USAGE,
              "%s: %s", fields, fail.text);
        event.clock = (struct clock_rule){.move_time = -1};
    } else {
        CHECK(why == NULL, "%s is taken", fields);
    }
    event_clear(&event);
    return event.clock;
}

static void test_clocks(void) {
    struct clock_rule rule = clock_of("\"pairs\": 1", NULL);
    CHECK(rule.move_time == 10000 && rule.reserve == 0 && rule.margin == 50,
          "ten seconds an answer where nothing is said");
    rule = clock_of("\"reserve_per_point\": \"2m\", \"delay\": \"12s\", \"match\": 7", NULL);
    CHECK(rule.reserve == 14 * 60000 && rule.delay == 12000,
          "the habit of backgammon: two minutes a point, 12 seconds a turn");
    CHECK_INT(rule.move_time, 0, "with a reserve the move has no limit of its own");
    rule = clock_of("\"reserve\": \"5m\", \"increment\": \"2s\", \"move_time\": \"30s\"", NULL);
    CHECK(rule.move_time == 30000 && rule.increment == 2000, "unless it is said");
    CHECK_INT(clock_of("\"move_time\": 0", NULL).move_time, 0, "no clock at all");
    static const char far[] = "{\"bots\": [{\"command\": \"./a\"}, {\"name\": \"b\", \"address\": "
                              "\"127.0.0.1:9\"}]}";
    struct event event;
    struct fail fail;
    CHECK(parse(&event, far, &fail) == 0 && event.clock.margin == 250,
          "a margin of 250 ms for all where one comes over a network");
    event_clear(&event);
    clock_of("\"increment\": 100", "give reserve too");
    clock_of("\"delay\": 100", "give reserve or reserve_per_point too");
    clock_of("\"reserve\": 9000, \"delay\": 100, \"increment\": 100", "give one of them");
    clock_of("\"reserve\": 9000, \"reserve_per_point\": 100", "give one of them");
    clock_of("\"reserve\": 9000, \"delay\": 100, \"move_time\": 100", "never be used");
    clock_of("\"variant\": \"western\", \"match\": 0, \"reserve_per_point\": 100", "money session");
    clock_of("\"margin\": \"61s\"", "\"margin\" must be at most a minute");
}

/* Every field of a right event, spoilt in turn by a value of no sense. */
static void test_each_field(void) {
    static const char *const keys[] = {
        "name",  "format",    "variant",       "pairs",       "pairing",
        "dice",  "seed",      "move_time",     "reserve",     "margin",
        "files", "increment", "restarts",      "concurrency", "match",
        "bots",  "opening",   "win_ends_turn", "delay",       "reserve_per_point",
    };
    int good = 0;
    int count = (int)(sizeof keys / sizeof keys[0]);
    for (int i = 0; i < count; i++) {
        char text[256];
        char quoted[64];
        struct event event;
        struct fail fail;
        snprintf(text, sizeof text, "{\n%s%s\n\"%s\": [null]}",
                 strcmp(keys[i], "bots") == 0 ? "" : BOTS, strcmp(keys[i], "bots") == 0 ? "" : ",",
                 keys[i]);
        int status = parse(&event, text, &fail);
        snprintf(quoted, sizeof quoted, "%s", "EVENT.json: line 3: ");
        bool named = strncmp(fail.text, quoted, strlen(quoted)) == 0;
        if (status == -1 && named) {
            good++;
        } else {
            printf("# %s: %s\n", keys[i], fail.text);
        }
        event_clear(&event);
    }
    CHECK_INT(good, count, "each field refuses nonsense at its line");
}

static void test_bots(void) {
    struct event event;
    struct fail fail;
    event_init(&event);
    CHECK(event_add_bot(&event, "./dir/solid --level 3", &fail) == 0, "a command");
    CHECK_TEXT(event.entrants[0].name, "solid", "is named by its program");
    CHECK(event_add_bot(&event, "new=./dir/solid", &fail) == 0, "NAME=COMMAND");
    CHECK_TEXT(event.entrants[1].name, "new", "is named as it says");
    CHECK_TEXT(event.entrants[1].command, "./dir/solid", "and the command follows");
    CHECK(event_add_bot(&event, "./x --level=3", &fail) == 0, "an '=' in an argument");
    CHECK_TEXT(event.entrants[2].name, "x", "is no name");
    CHECK(event_add_bot(&event, "SOLID=./y", &fail) == -1 && fail.code == EXIT_CODE_USAGE,
          "a name that differs in case alone is taken");
    CHECK(event_add_bot(&event, "_=./y", &fail) == -1 &&
              strstr(fail.text, "\"_\" cannot be a bot's name") != NULL,
          "a bad name is refused");
    CHECK(event_add_bot(&event, "", &fail) == -1, "an empty command is refused");
    event_clear(&event);
}

/* What a bot is called whose command has no NAME=. */
static void test_default_names(void) {
    static const struct {
        const char *command, *name;
    } rows[] = {
        {"python3 bots/alpha.py", "alpha"},
        {"/usr/bin/python3.11 -u ./beta.v2.py x.py", "beta.v2"},
        {"node --title=x gamma", "gamma"},
        {"java -cp . Delta", "Delta"},
        {"deno run -A epsilon.ts", "epsilon"},
        {"python3", "python3"},
        {"perl -e", "perl"},
        {"sharp zeta.py", "sharp"},
        {"./pythonic eta.py", "pythonic"},
        {"python3 other/alpha.py", "alpha-2"},
        {"ALPHA", "ALPHA-3"},
        {"./a-name-of-thirty-two-characters", "a-name-of-thirty-two-characters"},
        {"/x/a-name-of-thirty-two-characters", "a-name-of-thirty-two-character-2"},
    };
    struct event event;
    struct fail fail;
    event_init(&event);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK(event_add_bot(&event, rows[i].command, &fail) == 0, "%s", rows[i].command);
        CHECK_TEXT(event.entrants[i].name, rows[i].name, rows[i].command);
    }
    CHECK(event_add_bot(&event, "alpha=./b", &fail) == -1 && strstr(fail.text, "alpha") != NULL,
          "a name that is given is not changed: %s", fail.text);
    event_clear(&event);
}

static void test_canonical(void) {
    static const char text[] =
        "{\"name\": \"n\", \"seed\": \"s\\\"x\", \"pairs\": 2, \"match\": 1, "
        "\"concurrency\": 9, \"move_time\": 5, " BOTS "}";
    struct event event;
    struct event again;
    struct event third;
    struct fail fail;
    struct bytes canonical;
    bytes_init(&canonical, 1 << 20);
    CHECK(parse(&event, text, &fail) == 0 && event_seal(&event, &fail) == 0, "sealed");
    event_canonical(&event, &canonical);
    CHECK(parse(&again, bytes_text(&canonical), &fail) == 0 && event_seal(&again, &fail) == 0,
          "the canonical text is an event");
    CHECK_TEXT(again.id, event.id, "with the same id");
    struct hash hash = hash_bytes(canonical.data, canonical.length);
    char hex[HASH_HEX];
    hash_hex(&hash, hex);
    CHECK(strncmp(event.id, "n#", 2) == 0 && strcmp(event.id + 2, hex) == 0,
          "the id is the name, # and the hash of it");
    bytes_clear(&canonical);
    event.files = FILES_MAT | FILES_TXT;
    event_kept(&event, &canonical);
    event_clear(&again);
    CHECK(parse(&again, bytes_text(&canonical), &fail) == 0 && event_seal(&again, &fail) == 0 &&
              strcmp(again.id, event.id) == 0 && again.files == event.files,
          "what a store keeps is the same event, and tells which files are written");
    event.files = FILES_PRESET;
    bytes_clear(&canonical);
    event_canonical(&event, &canonical);
    CHECK(strstr(bytes_text(&canonical), "\"move_time\"") == NULL &&
              strstr(bytes_text(&canonical), "concurrency") == NULL,
          "clocks and output are not in it");
    CHECK(parse(&third,
                "{\"name\": \"n\", \"seed\": \"s\\\"x\", \"pairs\": 2, \"match\": 1, "
                "\"files\": \"none\", " BOTS "}",
                &fail) == 0 &&
              event_seal(&third, &fail) == 0 && strcmp(third.id, event.id) == 0,
          "nor do they change the id");
    third.pairs = 3;
    CHECK(event_seal(&third, &fail) == 0 && strcmp(third.id, event.id) != 0, "pairs do");
    third.pairs = 2;
    third.rules.value[OPTION_MUST_MAX] ^= 1;
    CHECK(event_seal(&third, &fail) == 0 && strcmp(third.id, event.id) != 0, "an option does");
    memset(third.name, 'x', sizeof third.name - 1);
    CHECK(event_seal(&third, &fail) == -1, "a name that is too long is refused");
    third.name[EVENT_TITLE_BYTES] = '\0';
    CHECK(event_seal(&third, &fail) == 0 && strlen(third.id) == EVENT_NAME_MAX - 1,
          "the longest name fills the id");
    third.pairs = EVENT_PAIRS_MAX;
    CHECK(event_seal(&third, &fail) == 0, "a million pairs of two bots are allowed");
    CHECK(event_add_bot(&third, "./c", &fail) == 0 && event_seal(&third, &fail) == -1 &&
              strstr(fail.text, "with 3 bots it can be 1 to 666666") != NULL,
          "of three they are too many, and it says how many can be");
    event_clear(&event);
    event_clear(&again);
    event_clear(&third);
    bytes_clear(&canonical);
}

static void test_file(void) {
    struct event event;
    struct fail fail;
    char path[] = "arena_event.XXXXXX";
    int file = mkstemp(path);
    static const char text[] = "{\n \"pairs\": 2,\n \"bots\": [{\"command\": \"a\"}]\n}";
    CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text), "a file");
    close(file);
    event_init(&event);
    char want[64];
    snprintf(want, sizeof want, "%s: line 3: an event needs at least two bots", path);
    CHECK(event_read(&event, path, &fail) == -1, "read from a file");
    CHECK_TEXT(fail.text, want, "the refusal names the file and the line");
    event_clear(&event);
    unlink(path);
    event_init(&event);
    CHECK(event_read(&event, "no/such.json", &fail) == -1 &&
              strstr(fail.text, "no/such.json") != NULL,
          "a missing file is named");
    event_clear(&event);
}

static void test_places(void) {
    static const char text[] = "{ // \"b\": comment\n"
                               "\"a\": \"b\", \"x\": {\"b\": 1},\n"
                               "\"b\": [{\"k\": [1,\n2]},\n{\"q\": \"\\\",\", \"k\": 1},\n"
                               "5]}";
    struct place place = {.key = "b", .item = -1};
    CHECK_INT(place_line(text, strlen(text), &place), 3, "a key of the top object");
    place = (struct place){.key = "b", .item = 1, .member = "k"};
    CHECK_INT(place_line(text, strlen(text), &place), 5, "a member of an item");
    place = (struct place){.key = "b", .item = 2};
    CHECK_INT(place_line(text, strlen(text), &place), 6, "an item");
    place = (struct place){.key = "k", .item = -1};
    CHECK_INT(place_line(text, strlen(text), &place), 0, "a key elsewhere is not found");
    int answered = 0;
    for (size_t length = 0; length <= strlen(text); length++) {
        char *cut = malloc(length + 1);
        memcpy(cut, text, length);
        place = (struct place){.key = "b", .item = 2};
        answered += place_line(cut, length, &place) >= 0;
        free(cut);
    }
    CHECK_INT(answered, strlen(text) + 1, "a cut text is no trouble");
}

int main(void) {
    unsetenv("LC_ALL");
    setenv("LC_ALL", "C", 1);
    test_full();
    test_refusals();
    test_clocks();
    test_each_field();
    test_bots();
    test_ways();
    test_default_names();
    test_canonical();
    test_file();
    test_places();
    return check_done();
}
