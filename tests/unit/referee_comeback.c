/* Coming back, line by line: what a state says, whose clocks run, what is lost when, and
 * whom a secret does not help. Cuts at every byte are in tests/sim/comeback_sim. */
#include "unit/referee_kit.h"

static const struct kit_match plain = {
    .variant = "tavla", .clock = {.move_time = 60000, .margin = 50}, .seed = "pause"};

static char hello[SIDE_COUNT][320]; /* with the secret, once it is known */

/* Dials in as one of the two, and keeps the secret. */
static void arrive(struct kit *kit, enum side side, const char *extra) {
    char line[200], secret[100] = "";
    snprintf(line, sizeof line, "hello hakem=1 name=%s%s", side == SIDE_X ? "ayse" : "bora", extra);
    const char *at = strstr(kit_dial(kit, side, line), " resume=");
    if (at != NULL) {
        snprintf(secret, sizeof secret, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
    }
    snprintf(hello[side], sizeof hello[side], "%s %s", line, secret);
}

/* Two peers at a table, both ready; the side on turn. */
static enum side begin(struct kit *kit, const struct kit_match *match) {
    kit_open(kit);
    arrive(kit, SIDE_X, "");
    arrive(kit, SIDE_Y, "");
    kit_seat(kit, match);
    kit_say(kit, SIDE_X, "ready 1");
    bytes_drop(&kit->heard[SIDE_X], kit->heard[SIDE_X].length);
    kit_say(kit, SIDE_Y, "ready 1");
    bool x = *kit_last(kit, SIDE_X, "turn 1 1") != '\0' || *kit_last(kit, SIDE_X, "cube 1 1") != 0;
    return x ? SIDE_X : SIDE_Y;
}

static void lose(struct kit *kit, enum side side) {
    referee_closed(kit->referee, kit->session[side], kit->now);
    kit_flush(kit);
}

/* Comes back with the secret; returns what is heard. */
static const char *come_back(struct kit *kit, enum side side) {
    return kit_dial(kit, side, hello[side]);
}

/* The words of a line without `welcome`, all of them in this order. */
static bool in_order(const char *text, const char *const *words) {
    for (; *words != NULL; words++) {
        const char *at = strstr(text, *words);
        if (at == NULL) {
            printf("# no %s in %s\n", *words, text);
            return false;
        }
        text = at + strlen(*words);
    }
    return true;
}

static void test_state(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    char request[200], first[2000];
    snprintf(request, sizeof request, "%s", kit_last(&kit, side, "turn"));
    lose(&kit, side);
    CHECK(referee_is_lost(kit.referee, kit.session[side]), "a session is lost");
    CHECK_INT(kit.gone, 0, "and not gone");
    CHECK(referee_session(kit.referee, kit.session[side]) != NULL, "its facts are known");
    CHECK_INT(referee_free_tables(kit.referee, kit.session[side]), 0, "nobody seats it");
    come_back(&kit, side);
    CHECK(!referee_is_lost(kit.referee, kit.session[side]), "then it is there again");
    snprintf(first, sizeof first, "%s", bytes_text(&kit.heard[side]));
    static const char *const words[] = {"welcome hakem=1 session=", " resume=",
                                        "\nstate 1 U000001 1 variant=tavla seat=",
                                        " opponent=", " serial=1 score=0,0 ", " source=seeded ",
                                        " commit=", " move_time=60000 ", "game=1 attempt=0 starter=",
                                        " seed=", " ply=0 position=", " off=0,0", " match=5",
                                        "\nturn 1 1 ", NULL};
    CHECK(in_order(first, words), "welcome, state and the request, in this order");
    CHECK_TEXT(kit_last(&kit, side, "turn"), request, "the request is the same");
    CHECK(strstr(first, "did ") == NULL && strstr(first, "\ngame ") == NULL, "nothing else is said");
    kit_say(&kit, side, "play 1 1 #0");
    CHECK(strncmp(kit_say(&kit, side, "play 1 1 #0"), "error late ", 11) == 0,
          "an answer that is given twice is late");
    kit_say(&kit, side, "sync 1");
    CHECK(strstr(bytes_text(&kit.heard[side]), " serial=1 ") != NULL &&
              strstr(bytes_text(&kit.heard[side]), " ply=0 ") != NULL,
          "a play that was not told yet is not in the state");
    CHECK(strstr(bytes_text(&kit.heard[side]), "turn") == NULL, "and nothing is asked");
    kit_close(&kit);
}

/* `sync` while something is asked, at no table, too often. */
static void test_sync(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    kit_pass(&kit, 1500);
    kit_say(&kit, side, "sync 1");
    CHECK(strncmp(bytes_text(&kit.heard[side]), "state 1 U000001 ", 16) == 0, "a state is told");
    CHECK(strstr(kit_last(&kit, side, "turn 1 1"), " ms=58500") != NULL,
          "and the request with the time that is left");
    kit_pass(&kit, 58550);
    CHECK_INT(kit.games, 0, "which does not begin again");
    kit_pass(&kit, 1);
    CHECK(kit.games == 1 && kit.last == REASON_TIMEOUT, "but goes on");
    CHECK(strncmp(kit_say(&kit, side, "sync 7"), "error unexpected ", 17) == 0, "no such table");
    int said = 0;
    while (!referee_closing(kit.referee, kit.session[side]) && said < 1000) {
        kit_say(&kit, side, "sync 1");
        said++;
    }
    CHECK(said > 100 && said <= 200, "it is a line that nobody asked for (%d)", said);
    kit_close(&kit);

    kit_open(&kit);
    arrive(&kit, SIDE_X, "");
    arrive(&kit, SIDE_Y, "");
    kit_seat(&kit, &plain);
    CHECK(strncmp(kit_say(&kit, SIDE_X, "sync 1"), "match 1 ", 8) == 0,
          "who is not ready is told the match again");
    kit_say(&kit, SIDE_X, "ready 1");
    kit_say(&kit, SIDE_X, "sync 1");
    CHECK(strstr(kit_last(&kit, SIDE_X, "state"), " ply=") == NULL &&
              strstr(kit_last(&kit, SIDE_X, "state"), " score=0,0") != NULL,
          "between games there is a score and no position");
    kit_close(&kit);
}

/* The clock of who is away runs, that of a new request at once. */
static void test_clocks(void) {
    static const struct kit_match quick = {
        .variant = "tavla", .clock = {.move_time = 5000, .margin = 50}, .seed = "pause"};
    struct kit kit;
    enum side side = begin(&kit, &quick);
    kit_pass(&kit, 2000);
    lose(&kit, side);
    kit_pass(&kit, 3050);
    CHECK_INT(kit.games, 0, "until the time is over");
    kit_pass(&kit, 1);
    CHECK(kit.games == 1 && kit.last == REASON_TIMEOUT && kit.offender == (int)side,
          "it stops for nobody");
    kit_pass(&kit, 20000);
    CHECK_INT(kit.games, 1, "but no new game begins");
    const char *heard = come_back(&kit, side);
    static const char *const words[] = {"welcome ", "\nresult 1 1 winner=", "reason=timeout",
                                        "\nstate 1 ", "\ngame 1 2 ", NULL};
    CHECK(in_order(heard, words), "who comes back hears the result, and the next game begins");
    kit_close(&kit);

    side = begin(&kit, &quick);
    lose(&kit, side_other(side));
    kit_say(&kit, side, "play 1 1 #0");
    kit_pass(&kit, 1000);
    come_back(&kit, side_other(side));
    CHECK(strstr(kit_last(&kit, side_other(side), "turn"), " ms=4000") != NULL,
          "who returns has what is left: what is asked of somebody who is away counts at once");
    kit_close(&kit);
}

/* 30 seconds, for the game and then the match. */
static void test_too_late(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    lose(&kit, side);
    kit_pass(&kit, 29999);
    CHECK_INT(kit.games, 0, "the game goes on for 30 seconds");
    kit_pass(&kit, 1);
    CHECK(kit.games == 1 && kit.last == REASON_DISCONNECT && kit.matches == 0 &&
              kit.vacancies == 1,
          "then it is lost, and the host may seat another session");
    kit_pass(&kit, 1000);
    CHECK(kit.matches == 1 && kit.match.reason == REASON_DISCONNECT &&
              kit.match.winner == (int)side_other(side),
          "within a second, or the match is lost");
    CHECK(kit.gone == 1 && !referee_is_lost(kit.referee, kit.session[side]), "and it is gone");
    CHECK(strncmp(come_back(&kit, side), "refused token ", 14) == 0, "its secret is worth nothing");
    kit_close(&kit);

    side = begin(&kit, &plain);
    lose(&kit, side);
    kit_pass(&kit, 1000);
    lose(&kit, side_other(side));
    kit_pass(&kit, 31000);
    CHECK(kit.matches == 1 && kit.match.winner == -1, "when both are away nobody wins");
    kit_close(&kit);

    kit_open(&kit);
    arrive(&kit, SIDE_X, "");
    arrive(&kit, SIDE_Y, "");
    kit_seat(&kit, &plain);
    lose(&kit, SIDE_X);
    kit_say(&kit, SIDE_Y, "ready 1");
    kit_pass(&kit, 20000);
    CHECK_INT(kit.matches, 0, "who is lost before its `ready` has 30 seconds too");
    CHECK(strstr(come_back(&kit, SIDE_X), "\nmatch 1 ") != NULL, "and hears `match` again");
    kit_say(&kit, SIDE_X, "ready 1");
    CHECK(*kit_last(&kit, SIDE_X, "game 1 1") != '\0', "then the game begins");
    kit_close(&kit);

    kit_open(&kit);
    arrive(&kit, SIDE_X, "");
    arrive(&kit, SIDE_Y, "");
    kit_seat(&kit, &plain);
    lose(&kit, SIDE_X);
    kit_pass(&kit, 30000);
    CHECK(kit.matches == 0 && kit.vacancies == 1 && kit.gone == 1,
          "a match that has not begun is left to the host");
    kit_close(&kit);
}

/* A program that was started anew: the host gives the old session up. */
static void test_forget(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    lose(&kit, side);
    uint32_t lost = kit.session[side];
    arrive(&kit, side, "");
    CHECK(kit.session[side] != lost && kit.games == 0, "a hello without a secret is another session");
    referee_forget(kit.referee, lost, kit.now);
    CHECK(kit.games == 1 && kit.last == REASON_DISCONNECT && kit.matches == 0 && kit.gone == 1 &&
              kit.vacancies == 1,
          "the running game is lost and the seat vacant");
    referee_forget(kit.referee, kit.session[side], kit.now);
    CHECK(!referee_closing(kit.referee, kit.session[side]), "who is there is not forgotten");
    CHECK(referee_reseat(kit.referee, kit.table, side, kit.session[side], kit.now) == 0,
          "the new session takes the seat");
    kit_flush(&kit);
    CHECK(*kit_last(&kit, side, "match 1 ") != '\0', "with a new match");
    kit_close(&kit);
}

/* A connection that is still open is replaced at once. */
static void test_replaced(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    uint32_t session = kit.session[side];
    come_back(&kit, side);
    const char *data = NULL;
    size_t length = referee_output(kit.referee, kit.former[side], &data);
    CHECK(length == 20 && memcmp(data, "bye reason=replaced\n", 20) == 0, "the old one hears why");
    CHECK(referee_closing(kit.referee, kit.former[side]), "and is closed");
    CHECK(kit.session[side] == session && kit.gone == 0, "the session keeps its name");
    referee_input(kit.referee, kit.former[side], "play 1 1 #0\n", 12, kit.now);
    CHECK(*kit_last(&kit, side_other(side), "turn") == '\0', "and says nothing more");
    referee_closed(kit.referee, kit.former[side], kit.now);
    CHECK(!referee_is_lost(kit.referee, kit.session[side]), "its end is nobody's loss");
    kit_say(&kit, side, "play 1 1 #0");
    CHECK(*kit_last(&kit, side_other(side), "turn") != '\0', "the new one plays");
    kit_close(&kit);

    side = begin(&kit, &plain);
    char lines[400];
    snprintf(lines, sizeof lines, "%s\nplay 1 1 #0", hello[side]);
    kit_dial(&kit, side, lines);
    CHECK(*kit_last(&kit, side_other(side), "turn") != '\0',
          "an answer in the same breath as the secret counts");
    kit_close(&kit);
}

/* Whom a secret does not help. */
static void test_secrets(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    char line[400], good[256];
    static const char *const wrong[] = {
        "resume=", "resume=x", "resume=65536", "resume=65536-", "resume=-1-00",
        "resume=65536-0000000000000000000000000000000000000000000000000000000000000000",
        "resume=99999999999999999999-0000000000000000000000000000000000000000000000000000000000000000",
        "resume=4294967295-0000000000000000000000000000000000000000000000000000000000000000"};
    lose(&kit, side);
    uint32_t lost = kit.session[side];
    static const char refusal[] = "refused token reason=nothing%20to%20resume:%20say%20hello%20"
                                  "without%20`resume` have=1\n";
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(line, sizeof line, "hello hakem=1 name=ayse %s", wrong[i]);
        CHECK_TEXT(kit_dial(&kit, side, line), refusal, wrong[i]);
    }
    snprintf(good, sizeof good, "%s", hello[side]);
    snprintf(line, sizeof line, "hello hakem=1 name=%s%s", side == SIDE_X ? "bora" : "ayse",
             strstr(good, " resume="));
    CHECK_TEXT(kit_dial(&kit, side, line), refusal, "the secret of another name");
    good[strlen(good) - 1] = good[strlen(good) - 1] == '0' ? '1' : '0';
    CHECK_TEXT(kit_dial(&kit, side, good), refusal, "one digit is wrong");
    for (int i = 0; i < 3000; i++) {
        kit_dial(&kit, side, good);
        referee_closed(kit.referee, kit.session[side], kit.now);
        kit_flush(&kit);
    }
    CHECK(referee_is_lost(kit.referee, lost) && kit.games == 0, "a flood of them harms nobody");
    CHECK(strstr(come_back(&kit, side), "\nstate 1 ") != NULL, "the right one still does");
    kit_close(&kit);

    /* two referees, two keys */
    struct kit other;
    side = begin(&kit, &plain);
    kit_open(&other);
    static const struct hash key = {{8}};
    referee_set_key(other.referee, &key);
    char first[384];
    snprintf(first, sizeof first, "%s", hello[SIDE_X]);
    arrive(&other, SIDE_X, "");
    CHECK(strcmp(first, hello[SIDE_X]) != 0, "another key, other secrets");
    CHECK_TEXT(kit_dial(&other, SIDE_X, first), refusal, "a secret of another run is none");
    kit_close(&other);
    kit_close(&kit);
}

/* Sixteen times in a match. */
static void test_budget(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    for (int i = 0; i < 16; i++) {
        lose(&kit, side);
        come_back(&kit, side);
    }
    CHECK_INT(kit.games, 0, "a seat may be lost sixteen times");
    referee_pause(kit.referee, kit.table, "net", kit.now);
    kit_flush(&kit);
    referee_resume(kit.referee, kit.table, kit.now);
    lose(&kit, side);
    CHECK(kit.games == 1 && kit.last == REASON_DISCONNECT && kit.vacancies == 1,
          "the seventeenth time costs the game at once");
    kit_close(&kit);

    side = begin(&kit, &plain);
    for (int i = 0; i < 40; i++) {
        referee_pause(kit.referee, kit.table, "net", kit.now);
        lose(&kit, side);
        CHECK(strstr(come_back(&kit, side), "\npause 1 reason=net\nturn 1 1 ") != NULL || i > 0,
              "a pause is told between state and request");
        referee_resume(kit.referee, kit.table, kit.now);
        kit_flush(&kit);
    }
    CHECK_INT(kit.games, 0, "returns during a pause are not counted");
    kit_close(&kit);
}

/* The 30 seconds stand still as well. */
static void test_pause(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    lose(&kit, side);
    kit_pass(&kit, 10000);
    referee_pause(kit.referee, kit.table, "net", kit.now);
    kit_pass(&kit, 100000);
    CHECK_INT(kit.games, 0, "nobody's time is over in a pause");
    referee_resume(kit.referee, kit.table, kit.now);
    kit_pass(&kit, 19999);
    CHECK_INT(kit.games, 0, "after it there is what was left");
    kit_pass(&kit, 1);
    CHECK_INT(kit.games, 1, "and not more");
    kit_close(&kit);
}

/* What happened at the end, for somebody who was not there; and a host that has closed. */
static void test_end(void) {
    static const struct kit_match single = {.variant = "tavla",
                                            .options = {{"match", "1"}},
                                            .clock = {.move_time = 60000, .margin = 50},
                                            .seed = "pause"};
    const struct hash seed = {{1}};
    struct kit kit;
    static const char *const words[] = {"welcome ", "\nresult 1 1 ", "\nend 1 ", "\nunit U000001 ",
                                        NULL};
    for (int closed = 0; closed < 3; closed++) {
        enum side side = begin(&kit, &single);
        enum side away = side_other(side);
        lose(&kit, away);
        kit_say(&kit, side, "play 1 1 24/1");
        CHECK_INT(kit.matches, 1, "a match ends while somebody is away");
        referee_send_unit(kit.referee, kit.session[away], "U000001", &seed, &seed, 1);
        if (closed > 0) {
            referee_close(kit.referee, kit.session[away], "the match is over", kit.now);
        }
        kit_pass(&kit, closed == 2 ? 30000 : 20000);
        CHECK_INT(kit.gone, closed > 0, "it is gone for the host once it has closed it");
        const char *heard = come_back(&kit, away);
        if (closed == 2) {
            CHECK(strncmp(heard, "refused token ", 14) == 0, "what is over is over");
            kit_close(&kit);
            continue;
        }
        CHECK(in_order(heard, words), "it hears all about it when it returns");
        CHECK(strstr(heard, "\nstate ") == NULL, "and of no table");
        referee_tick(kit.referee, kit.now);
        kit_flush(&kit);
        const char *bye = kit_last(&kit, away, "bye");
        CHECK_TEXT(bye, closed ? "bye reason=the%20match%20is%20over" : "", "and the host's word");
        lose(&kit, away);
        CHECK(in_order(come_back(&kit, away), words), "again, if that was not heard either");
        CHECK_INT(kit.gone, closed > 0, "the host hears of the end once");
        kit_close(&kit);
    }
}

/* The last lines of a session that was closed in good order. */
static void test_ghosts(void) {
    static const struct kit_match single = {.variant = "tavla",
                                            .options = {{"match", "1"}},
                                            .clock = {.move_time = 60000, .margin = 50},
                                            .seed = "pause"};
    struct kit kit;
    enum side side = begin(&kit, &single);
    kit_say(&kit, side, "play 1 1 24/1");
    referee_close(kit.referee, kit.session[side], "the match is over", kit.now);
    referee_tick(kit.referee, kit.now);
    kit_flush(&kit);
    CHECK(referee_closing(kit.referee, kit.session[side]), "a session is closed");
    lose(&kit, side);
    CHECK_INT(kit.gone, 1, "and gone");
    const char *heard = come_back(&kit, side);
    static const char *const words[] = {"welcome ", "\nresult 1 1 ", "\nend 1 ", NULL};
    CHECK(in_order(heard, words), "who has not heard the end may ask for it");
    CHECK(referee_session(kit.referee, kit.session[side]) == NULL, "and can do nothing else");
    referee_tick(kit.referee, kit.now);
    kit_flush(&kit);
    CHECK_TEXT(kit_last(&kit, side, "bye"), "bye reason=the%20match%20is%20over", "then it goes");
    CHECK_INT(kit.gone, 1, "nobody else hears of it");
    kit_close(&kit);
}

/* A peer that cannot dial in again, and one that says good-bye. */
static void test_no_return(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    kit_say(&kit, side, "bye");
    lose(&kit, side);
    CHECK(kit.games == 1 && kit.last == REASON_DISCONNECT && kit.gone == 1,
          "who says `bye` is not waited for");
    CHECK(strncmp(come_back(&kit, side), "refused token ", 14) == 0, "and has no way back");
    kit_close(&kit);
    kit_open(&kit);
    kit.session[SIDE_X] = referee_open(kit.referee, "a process", kit.now);
    CHECK(strstr(kit_say(&kit, SIDE_X, "hello hakem=1 name=ayse"), "resume=") == NULL,
          "a process gets no secret");
    arrive(&kit, SIDE_Y, "");
    kit_seat(&kit, &plain);
    kit_say(&kit, SIDE_X, "ready 1");
    kit_say(&kit, SIDE_Y, "ready 1");
    lose(&kit, SIDE_X);
    CHECK(kit.games == 1 && kit.vacancies == 1 && kit.gone == 1, "its end is what it was");
    kit_close(&kit);
}

/* The cube as it was told: a double that waits for an answer. */
static void test_cube(void) {
    static const struct kit_match doubling = {.variant = "western",
                                              .options = {{"vido", "on"}, {"match", "7"}},
                                              .clock = {.move_time = 60000, .margin = 50},
                                              .seed = "cube"};
    struct kit kit;
    enum side side = begin(&kit, &doubling);
    enum side other = side_other(side);
    kit_say(&kit, side, "play 1 1 #0");
    CHECK(*kit_last(&kit, other, "cube 1 1 may=roll,double") != '\0', "the other side may double");
    CHECK(strstr(come_back(&kit, other), "\ncube 1 1 may=roll,double") != NULL,
          "it is asked again when it comes back");
    CHECK(strstr(kit_last(&kit, other, "state"), " ply=1 ") != NULL &&
              strstr(kit_last(&kit, other, "state"), " cube=1 owner=none") != NULL,
          "knowing the cube");
    kit_say(&kit, other, "double 1 1");
    CHECK(strstr(kit_last(&kit, side, "did"), " double") != NULL, "a double is told");
    come_back(&kit, side);
    CHECK(strstr(kit_last(&kit, side, "state"), " ply=2 ") != NULL &&
              strstr(kit_last(&kit, side, "state"), " cube=1 owner=none value=2") != NULL,
          "the state has the double");
    CHECK(*kit_last(&kit, side, "offer 1 2 double") != '\0', "and it is offered again");
    come_back(&kit, other);
    CHECK(strstr(kit_last(&kit, other, "state"), " ply=1 ") != NULL &&
              strstr(kit_last(&kit, other, "state"), "value=") == NULL &&
              strstr(bytes_text(&kit.heard[other]), "\ncube") == NULL,
          "who has doubled was not told of it and is asked nothing");
    kit_say(&kit, side, "take 1 2");
    CHECK(strstr(bytes_text(&kit.heard[other]), "double\ndid 1 3 ") != NULL,
          "until both come in their order");
    kit_close(&kit);
}

/* A disagreement, on the record. */
static void test_dispute(void) {
    struct kit kit;
    enum side side = begin(&kit, &plain);
    static const struct {
        const char *said, *heard;
    } rows[] = {
        {"dispute 1 1 other-plays", ""},
        {"dispute 1 2 other-plays", "error unexpected "},
        {"dispute 1 0 other-plays", "error unexpected "},
        {"dispute 7 1 other-plays", "error unexpected "},
        {"dispute 1 1 a/b", "error not-allowed "},
        {"dispute 1 1 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "error not-allowed "},
        {"dispute 1 1", "error malformed "},
        {"dispute 1 1 clock seat=Y ply=99", ""},
        {"play 1 1 #0", ""},
        {"dispute 1 1 dice", ""},
        {"dispute 1 1 dice", "error not-allowed "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *heard = kit_say(&kit, side, rows[i].said);
        CHECK(strncmp(heard, rows[i].heard, strlen(rows[i].heard)) == 0 &&
                  (rows[i].heard[0] != '\0') == (heard[0] != '\0'),
              "%s", rows[i].said);
    }
    kit_say(&kit, side_other(side), "bye");
    CHECK_INT(kit.games, 1, "the game ends as it would");
    char lines[4][80];
    static const char *const codes[] = {"other-plays", "clock", "dice"};
    const char *record = bytes_text(&kit.record);
    for (int i = 0; i < 3; i++) {
        snprintf(lines[i], sizeof lines[i], "\ndispute 1 1 %s seat=%s ply=%d ", codes[i],
                 side == SIDE_X ? "X" : "Y", i == 2);
        CHECK(strstr(record, lines[i]) != NULL, "it stands in the record: %s", codes[i]);
    }
    kit_close(&kit);
}

int main(void) {
    if (dice_init() != 0) {
        return 1;
    }
    test_state();
    test_sync();
    test_clocks();
    test_too_late();
    test_forget();
    test_replaced();
    test_secrets();
    test_budget();
    test_pause();
    test_end();
    test_ghosts();
    test_no_return();
    test_cube();
    test_dispute();
    return check_done();
}
