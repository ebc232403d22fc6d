/* The parts of hakem check that need no bot: the scenes are there, are what they say, and are
 * told as legal games; a dressed line says what the plain one says. */
#include "check.h"

#include "base/alloc.h"
#include "cli/check_dress.h"
#include "cli/check_scene.h"
#include "wire/spelling.h"

#include <stdlib.h>

static int scene_of(const char *id) {
    for (int i = 0; i < SCENE_COUNT; i++) {
        if (strcmp(scene_table[i].id, id) == 0) {
            return i;
        }
    }
    return -1;
}

/* Plays a find's game up to it; every play on the way is judged. */
static bool replay(const struct rules *rules, unsigned number, int ply, struct play_room *room,
                   struct scene_game *game) {
    struct play_room *judging = alloc_zeroed(1, sizeof *judging);
    bool legal = true;
    scene_begin(game, rules, number, room);
    while (game->ply < ply && !game->over && legal) {
        struct verdict verdict;
        char text[PLAY_TEXT_MAX];
        const struct play play = *scene_choice(game);
        size_t length = play_write(&play, ' ', true, text);
        play_judge(rules, &game->now, text, length, judging, &verdict);
        legal = verdict.judgement == JUDGED_LEGAL;
        scene_play(game, play);
    }
    free(judging);
    return legal && game->ply == ply && !game->over;
}

static void test_scenes(enum variant_id id) {
    struct scene_finds *finds = alloc_zeroed(1, sizeof *finds);
    struct play_room *room = alloc_zeroed(1, sizeof *room);
    struct play_room *other = alloc_zeroed(1, sizeof *other);
    struct rules rules;
    int found = 0, legal = 0, true_ones = 0;
    rules_init(&rules, variant_row(id));
    scene_find(finds, &rules);
    for (int i = 0; i < SCENE_COUNT; i++) {
        for (int k = 0; k < finds->of[i].count; k++) {
            struct scene_game game;
            found++;
            legal += replay(&rules, finds->of[i].number[k], finds->of[i].ply[k], room, &game);
            true_ones += scene_table[i].is(&scene_table[i], &game, other);
        }
    }
    CHECK(found >= 80 && legal == found && true_ones == found,
          "%s: %d situations, %d after legal games, %d as they say", rules.variant->name, found,
          legal, true_ones);
    free(other);
    free(room);
    free(finds);
}

/* The rare ones are there where a rule depends on them. */
static void test_rare(void) {
    static const struct {
        enum variant_id variant;
        const char *scene;
    } rows[] = {
        {VARIANT_TAVLA, "larger-die"}, {VARIANT_TAVLA, "both-dice"},  {VARIANT_TAVLA, "off-behind"},
        {VARIANT_WESTERN, "bar-many"}, {VARIANT_UZUN, "wall"},        {VARIANT_UZUN, "head"},
        {VARIANT_UZUN, "head-two"},    {VARIANT_FEVGA, "start-wall"}, {VARIANT_FEVGA, "runner"},
        {VARIANT_WESTERN, "long-list"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scene_finds *finds = alloc_zeroed(1, sizeof *finds);
        struct rules rules;
        rules_init(&rules, variant_row(rows[i].variant));
        scene_find(finds, &rules);
        CHECK(finds->of[scene_of(rows[i].scene)].count >= 3, "%s in %s", rows[i].scene,
              rules.variant->name);
        free(finds);
    }
}

static bool same_message(const struct message *a, const struct message *b) {
    bool same = a->kind == b->kind;
    for (int field = 0; field < FIELD_COUNT && same; field++) {
        same = message_has(a, (enum field)field) == message_has(b, (enum field)field) &&
               strcmp(message_text(a, (enum field)field), message_text(b, (enum field)field)) == 0;
    }
    for (int option = 0; option < OPTION_COUNT && same; option++) {
        same = (message_option(a, (enum option)option).text == NULL) ==
               (message_option(b, (enum option)option).text == NULL);
    }
    return same;
}

static void test_dress(void) {
    static const char *const lines[] = {
        "welcome hakem=1 session=s1 server=hakem/0.1.0 line=4096",
        "match 1 U000001 1 variant=uzun seat=X opponent=a event=a%20b commit=00 match=7 wall=off",
        "did 1 6 Y 24 9/11* 11/15",
        "did 1 9 X resign kind=mars throw=61",
        "plays 1 2 0 21/15,15/14 21/15,6/5 8/2,21/20",
        "turn 1 2 61 ms=10000 first=yes off=0,0 score=0,0.5 roll=me variant=tavla match=1",
        "offer 1 4 double may=take,drop value=2 ms=10000",
        "error illegal table=1 serial=2 reason=7/2:%20%22no%22,%20{it}%20is%20not:%20[1]",
        "ping id=%20%22%2C%7D",
        "end 1 winner=none"};
    static const struct manner manners[] = {
        {.strange = true}, {.turned = true}, {.blanks = true},
        {.strange = true, .turned = true, .blanks = true}};
    int good = 0, all = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        for (size_t k = 0; k < 2 * sizeof manners / sizeof *manners; k++) {
            enum spelling spelling = k % 2 == 0 ? SPELLING_TEXT : SPELLING_JSON;
            struct message plain, dressed;
            struct bytes line;
            char why[160];
            bytes_init(&line, 65536);
            spelling_decode(SPELLING_TEXT, lines[i], strlen(lines[i]), SENT_BY_REFEREE, &plain,
                            why);
            spelling_encode_bare(spelling, &plain, &line);
            size_t before = line.length;
            dress_line(spelling, &manners[k / 2], &line);
            bool other = line.length > before || manners[k / 2].turned;
            good += other &&
                    spelling_decode(spelling, line.data, line.length, SENT_BY_REFEREE, &dressed,
                                    why) == DECODED_MESSAGE &&
                    same_message(&plain, &dressed);
            all++;
            bytes_clear(&line);
        }
    }
    CHECK(all == 80 && good == all, "%d of %d dressed lines say the same", good, all);
}

int main(void) {
    for (int id = 0; id < VARIANT_COUNT; id++) {
        test_scenes((enum variant_id)id);
    }
    test_rare();
    test_dress();
    return check_done();
}
