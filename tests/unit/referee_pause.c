/* A pause: clocks and deadlines stand still and go on with exactly what was left; an
 * answer that comes meanwhile is judged afterwards. */
#include "unit/referee_kit.h"

static const struct kit_match plain = {
    .variant = "tavla", .clock = {.move_time = 5000, .margin = 50}, .seed = "pause"};

/* Two peers at a table, both ready; the side on turn. */
static enum side begin(struct kit *kit) {
    kit_open(kit);
    kit_dial(kit, SIDE_X, "hello hakem=1 name=ayse");
    kit_dial(kit, SIDE_Y, "hello hakem=1 name=bora");
    kit_seat(kit, &plain);
    kit_say(kit, SIDE_X, "ready 1");
    bytes_drop(&kit->heard[SIDE_X], kit->heard[SIDE_X].length);
    kit_say(kit, SIDE_Y, "ready 1");
    return *kit_last(kit, SIDE_X, "turn 1 1") != '\0' ? SIDE_X : SIDE_Y;
}

/* The clock of an open request, flag and charge. */
static void test_clock(void) {
    struct kit kit;
    enum side side = begin(&kit);
    kit_pass(&kit, 3000);
    CHECK(referee_pause(kit.referee, kit.table, "a walk", kit.now), "a table is paused");
    CHECK(!referee_pause(kit.referee, kit.table, "a walk", kit.now), "once");
    kit_flush(&kit);
    CHECK_TEXT(kit_last(&kit, side, "pause"), "pause 1 reason=a%20walk", "both are told");
    CHECK(*kit_last(&kit, side_other(side), "pause") != 0, "both");
    kit_pass(&kit, 3600 * 1000);
    CHECK_INT(kit.games, 0, "an hour costs nobody anything");
    CHECK(referee_resume(kit.referee, kit.table, kit.now), "it goes on");
    CHECK(!referee_resume(kit.referee, kit.table, kit.now), "once");
    kit_flush(&kit);
    CHECK_TEXT(kit_last(&kit, side, "resume"), "resume 1", "and both are told");
    CHECK_INT(referee_next_deadline(kit.referee), kit.now + 2051,
              "with the two seconds and the margin that were left");
    kit_pass(&kit, 2000);
    kit_say(&kit, side, "play 1 1 #0");
    CHECK_INT(kit.games, 0, "an answer within them is in time");
    kit_close(&kit);
    side = begin(&kit);
    kit_pass(&kit, 3000);
    referee_pause(kit.referee, kit.table, "", kit.now);
    kit_pass(&kit, 77);
    referee_resume(kit.referee, kit.table, kit.now);
    kit_pass(&kit, 2051);
    CHECK(kit.games == 1 && kit.last == REASON_TIMEOUT && kit.offender == (int)side,
          "and one ms more is too late");
    kit_close(&kit);
}

/* Answers that come during the pause. */
static void test_answer(const char *line, int games, enum reason reason, const char *heard) {
    struct kit kit;
    enum side side = begin(&kit);
    kit_pass(&kit, 1000);
    referee_pause(kit.referee, kit.table, "a walk", kit.now);
    kit_flush(&kit);
    kit_pass(&kit, 60000);
    CHECK_TEXT(kit_say(&kit, side, line), "", "nothing comes of an answer yet");
    CHECK(strncmp(kit_say(&kit, side, "play 1 1 #1"), "error late ", 11) == 0,
          "the request is answered");
    CHECK_INT(kit.games, 0, "and nothing has happened");
    kit_pass(&kit, 60000);
    referee_resume(kit.referee, kit.table, kit.now);
    kit_flush(&kit);
    CHECK_INT(kit.games, games, "after the pause it is judged");
    CHECK(games == 0 || (kit.last == reason && kit.offender == (int)side), "%s", line);
    CHECK(*kit_last(&kit, side, heard) != 0, "and \"%s\" follows", heard);
    kit_close(&kit);
}

/* Between `match` and `ready`, and after both. */
static void test_ready(void) {
    struct kit kit;
    kit_open(&kit);
    kit_dial(&kit, SIDE_X, "hello hakem=1 name=ayse");
    kit_dial(&kit, SIDE_Y, "hello hakem=1 name=bora");
    CHECK(referee_pause(kit.referee, 0, "storage", kit.now), "everything is paused");
    CHECK(!referee_pause(kit.referee, 0, "storage", kit.now), "once");
    kit_seat(&kit, &plain);
    CHECK(strstr(bytes_text(&kit.heard[SIDE_X]), "\npause 1 reason=storage\n") >
              strstr(bytes_text(&kit.heard[SIDE_X]), "match 1 "),
          "a match is told, and that it waits");
    kit_pass(&kit, 60000);
    CHECK_INT(kit.matches, 0, "nobody is late with `ready`");
    kit_say(&kit, SIDE_X, "ready 1");
    kit_say(&kit, SIDE_Y, "ready 1");
    kit_pass(&kit, 60000);
    CHECK(strstr(bytes_text(&kit.heard[SIDE_Y]), "game") == NULL, "no game begins");
    referee_pause(kit.referee, kit.table, "by hand", kit.now);
    CHECK(referee_resume(kit.referee, 0, kit.now), "everything goes on");
    kit_flush(&kit);
    CHECK(*kit_last(&kit, SIDE_Y, "game") == 0, "but not a table that is paused by itself");
    CHECK_INT(kit.matches, 0, "and it waits as long as that takes");
    CHECK(referee_resume(kit.referee, kit.table, kit.now), "until it goes on");
    kit_flush(&kit);
    CHECK(*kit_last(&kit, SIDE_Y, "game 1 1") != 0, "then the game begins");
    kit_close(&kit);

    kit_open(&kit);
    kit_dial(&kit, SIDE_X, "hello hakem=1 name=ayse");
    kit_dial(&kit, SIDE_Y, "hello hakem=1 name=bora");
    kit_seat(&kit, &plain);
    kit_pass(&kit, 4000);
    referee_pause(kit.referee, 0, "storage", kit.now);
    kit_pass(&kit, 60000);
    referee_resume(kit.referee, 0, kit.now);
    CHECK_INT(referee_next_deadline(kit.referee), kit.now + 6000, "six of the ten seconds are left");
    kit_close(&kit);
}

/* A player that leaves during the pause. */
static void test_leave(void) {
    struct kit kit;
    enum side side = begin(&kit);
    referee_pause(kit.referee, kit.table, "a walk", kit.now);
    kit_pass(&kit, 1000);
    kit_say(&kit, side, "play 1 1 #0");
    referee_closed(kit.referee, kit.session[side_other(side)], kit.now);
    kit_flush(&kit);
    kit_pass(&kit, 3600 * 1000);
    CHECK_INT(kit.matches, 0, "who left is waited for as long as it lasts");
    referee_resume(kit.referee, kit.table, kit.now);
    kit_pass(&kit, 29999);
    CHECK_INT(kit.matches, 0, "and then for the 30 seconds");
    kit_pass(&kit, 1);
    CHECK_INT(kit.games, 1, "not longer");
    kit_pass(&kit, 1000);
    CHECK(kit.match.reason == REASON_DISCONNECT && kit.match.winner == (int)side, "who waits wins");
    kit_close(&kit);
}

/* The request was not yet read when the pause began. */
static void test_unread(void) {
    struct kit kit;
    kit_open(&kit);
    kit_dial(&kit, SIDE_X, "hello hakem=1 name=ayse");
    kit_dial(&kit, SIDE_Y, "hello hakem=1 name=bora");
    kit_seat(&kit, &plain);
    kit_say(&kit, SIDE_X, "ready 1");
    referee_input(kit.referee, kit.session[SIDE_Y], "ready 1\n", 8, kit.now);
    kit.now += 300;
    referee_pause(kit.referee, kit.table, "", kit.now);
    kit.now += 9000;
    kit_flush(&kit);
    kit.now += 9000;
    referee_resume(kit.referee, kit.table, kit.now);
    CHECK_INT(referee_next_deadline(kit.referee), kit.now + 5051,
              "a request that is read during the pause has all its time after it");
    kit_close(&kit);
}

int main(void) {
    if (dice_init() != 0) {
        return 1;
    }
    test_clock();
    test_answer("play 1 1 #0", 0, REASON_NORMAL, "resume");
    test_answer("play 1 1 24/1 24/2", 1, REASON_ILLEGAL, "error illegal");
    test_answer("play 1 1 \x01", 1, REASON_MALFORMED, "error malformed");
    test_answer("drop 1 1", 0, REASON_NORMAL, "error not-allowed");
    test_ready();
    test_leave();
    test_unread();
    return check_done();
}
