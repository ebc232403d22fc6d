#include "cli/check_walk.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "cli/launch_bot.h"
#include "net/loop.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHECK_HELLO = 10000000, /* us to say hello */
    CHECK_DIAL = 30000000,  /* us to dial in for the first time, */
    CHECK_AGAIN = 10000000, /* and again */
    CHECK_GOODBYE = 150000, /* us to go by itself before it is killed */
    CHECK_MUTES = 3,        /* items in a row without an answer, after which it is left; */
    CHECK_BREAKS = 8,       /* the same where it ended, or said what nobody asked for */
};

/* ---- what items say */

__attribute__((format(printf, 2, 0)))
static void set_words(struct check_words *words, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    vsnprintf(words->english, sizeof words->english, format, args);
    vsnprintf(words->local, sizeof words->local, lang_text(format), again);
    va_end(again);
}

void check_skip(struct check *check, const char *format, ...) {
    va_list args;
    va_start(args, format);
    set_words(&check->why, format, args);
    va_end(args);
    check->skipped = true;
}

void check_fact(struct check *check, const char *format, ...) {
    va_list args;
    va_start(args, format);
    set_words(&check->fact, format, args);
    va_end(args);
}

/* Keeps the first fault of its kind for the item that watches all the time. */
static void watch(struct check *check) {
    const struct fault *fault = &check->talk.fault;
    if (!check->watched[fault->blame].there) {
        check->watched[fault->blame] = *fault;
    }
}

/* ---- meeting the bot */

void check_leave(struct check *check) {
    struct talk *talk = &check->talk;
    int status;
    if (talk->peer == NULL) {
        return;
    }
    if (!peer_is_child(talk->peer)) {
        talk_tell(talk, "bye reason=dial%%20in%%20again");
        talk_quiet(talk, 0);
    }
    peer_hang_up(talk->peer);
    peer_exits(talk->peer, loop_micros() + CHECK_GOODBYE, &status);
    check->errors += peer_errors(talk->peer);
    peer_free(talk->peer);
    talk_part(talk);
    stray_kill_all(&check->innate);
}

void check_break(struct check *check) {
    peer_free(check->talk.peer);
    talk_part(&check->talk);
}

/* Somebody who dials in, or NULL. */
static struct peer *await_dial(struct check *check) {
    bool first = !check->met;
    fprintf(stderr, "hakem check: ");
    fprintf(stderr, first ? _("waiting for the bot at %s\n")
                          : _("waiting for the bot to dial in again at %s\n"), check->where);
    return peer_accept(check->listening, loop_micros() + (first ? CHECK_DIAL : CHECK_AGAIN));
}

bool check_meet(struct check *check, bool own) {
    struct talk *talk = &check->talk;
    struct peer *peer = NULL;
    struct fail fail;
    if (talk->peer != NULL && (!own || check->untouched)) {
        return true;
    }
    check_leave(check);
    if (check->bot != NULL) {
        struct launch launch;
        int status = launch_prepare(&check->event, check->bot, &launch, &fail) != 0
                         ? -1
                         : peer_start(launch.argv, &launch.speech, &peer, &fail);
        launch_clear(&launch);
        if (status != 0) {
            check->fail = check->met ? check->fail : fail;
            return talk_fault(talk, BLAME_ITEM, N_("it does not start again: %s"), fail.text);
        }
    } else {
        peer = check->gone ? NULL : await_dial(check);
        if (peer == NULL) {
            check->gone = true;
            check_skip(check, N_("the bot did not dial in"));
            if (!check->met) {
                fail_set(&check->fail, EXIT_CODE_BOT, _("no bot dialled in at %s"), check->where);
            }
            return false;
        }
    }
    check->untouched = true;
    check->welcomed = false;
    bool greeted = talk_greet(talk, peer, CHECK_HELLO);
    check->met = check->met || greeted;
    if (greeted && talk->fault.there) { /* something beside the hello */
        watch(check);
        talk->fault.there = false;
    }
    return greeted;
}

void check_welcome(struct check *check) {
    struct talk *talk = &check->talk;
    if (!check->welcomed) {
        talk_tell(talk, "welcome hakem=1 session=s65536 server=hakem/%s line=%d%s", HAKEM_VERSION,
                  talk->hello.spelling == SPELLING_JSON ? JSON_LINE_MAX : TEXT_LINE_MAX,
                  check->bot == NULL ? " resume=" CHECK_SECRET : "");
        check->welcomed = true;
    }
}

/* ---- items */

/* Whether a referee would welcome it. */
static bool is_welcome(const struct greeting *hello) {
    return hello->version >= 1 && text_is_name(hello->name, strlen(hello->name));
}

/* Whether the item can be tried at all; says why not. */
static bool applies(struct check *check, const struct check_item *item) {
    bool listens = check->bot == NULL || check->bot->dialect.protocol == PROTOCOL_GNUBG;
    if ((item->needs & NEEDS_CHILD) != 0 && listens) {
        check_skip(check, N_("it was not started here"));
    } else if ((item->needs & NEEDS_TABLES) != 0 && check->talk.hello.tables < 2) {
        check_skip(check, N_("it plays one table at a time"));
    }
    if ((item->needs & AT_REFEREE) != 0 && !is_welcome(&check->talk.hello)) {
        check_skip(check, N_("the referee refuses its hello: see `name` and `version`"));
    }
    return !check->skipped;
}

/* Somebody has to be there, in the state that the item needs. */
static bool prepare(struct check *check, const struct check_item *item) {
    bool own = (item->needs & NEEDS_OWN) != 0;
    if ((item->needs & NEEDS_NOBODY) != 0) {
        return true;
    }
    if (!check_meet(check, own)) {
        return false;
    }
    if (!own) {
        check_welcome(check);
    }
    check->untouched = false;
    return true;
}

/* What is wrong may be the affair of an item that watches all the time. */
static void settle(struct check *check, struct finding *finding) {
    const struct fault *fault = &check->talk.fault;
    finding->verdict = check->skipped ? VERDICT_NONE : VERDICT_GOOD;
    finding->words = check->skipped ? &check->why : &check->fact;
    if (fault->there && fault->blame != BLAME_ITEM && (finding->item->needs & LOOKS_BACK) == 0) {
        watch(check);
        check_skip(check, N_("broken off: see `%s`"), check_watch_id(fault->blame));
        finding->verdict = VERDICT_NONE;
        finding->words = &check->why;
    } else if (fault->there) {
        memcpy(check->why.english, fault->english, sizeof fault->english);
        memcpy(check->why.local, fault->local, sizeof fault->local);
        finding->verdict = VERDICT_BAD;
        finding->words = &check->why;
        finding->said = &fault->said;
    }
}

/* A bot that gives no answer, or breaks off each time, is not asked for ever. */
static void count_mutes(struct walk *walk, const struct finding *finding) {
    const struct fault *fault = &walk->check->talk.fault;
    walk->row_mute = walk->row_mute || (fault->there && fault->mute);
    walk->mutes += fault->there && fault->mute;
    walk->breaks += fault->there && (fault->ended || fault->blame != BLAME_ITEM);
    if (finding->verdict == VERDICT_GOOD) {
        walk->mutes = 0;
        walk->breaks = 0;
    }
    if (walk->mutes >= CHECK_MUTES || walk->breaks >= CHECK_BREAKS ||
        walk->check->talk.hello.length == 0) {
        walk->stopped = true;
    }
}

/* Whether `--only` names the item, in that variant. */
static bool is_named(const struct walk *walk, const struct check_item *item,
                      const struct variant *variant) {
    size_t length = strlen(item->id);
    const char *only = walk->only;
    if (only == NULL) {
        return true;
    }
    return strncmp(only, item->id, length) == 0 &&
           (only[length] == '\0' ||
            (only[length] == '/' && item->variants != 0 &&
             strcmp(only + length + 1, variant->name) == 0));
}

static void run_item(struct walk *walk, const struct check_item *item,
                     const struct variant *variant, const char *why_not) {
    struct check *check = walk->check;
    struct finding finding = {.item = item,
                              .variant = item->variants != 0 ? variant : NULL,
                              .left_out = walk->stopped && why_not != NULL};
    int64_t began = loop_micros();
    check->skipped = false;
    check->fact = (struct check_words){"", ""};
    talk_forget(&check->talk);
    if (why_not != NULL) {
        check->skipped = true;
        snprintf(check->why.english, sizeof check->why.english, "%s", why_not);
        snprintf(check->why.local, sizeof check->why.local, "%s", lang_text(why_not));
    } else if (applies(check, item) && prepare(check, item)) {
        struct rules rules;
        rules_init(&rules, variant);
        item->run(check, &rules, item->detail);
    }
    if (check->fail.code != EXIT_CODE_DONE) {
        return; /* there is no bot at all */
    }
    settle(check, &finding);
    finding.took = loop_micros() - began;
    bool named = is_named(walk, item, variant);
    if (named || finding.verdict == VERDICT_BAD) { /* of the hello that goes before it */
        check_report_add(&walk->report, &finding);
    }
    if (why_not == NULL && (item->needs & LOOKS_BACK) == 0) {
        count_mutes(walk, &finding);
    }
    if (check->talk.fault.there || (item->needs & LEAVES) != 0 ||
        (check->talk.peer != NULL && peer_ended(check->talk.peer))) {
        check_leave(check);
    }
}

/* Why the item is left out, or NULL. */
static const char *why_left_out(const struct walk *walk, const struct check_item *item,
                                unsigned played, const struct variant *variant) {
    bool looks = (item->needs & LOOKS_BACK) != 0;
    bool saw = walk->check->met || walk->check->watched[item->detail].there;
    if (walk->stopped && (!looks || !saw)) {
        return walk->check->talk.hello.length == 0  ? N_("left out: there was no hello")
               : walk->mutes >= CHECK_MUTES ? N_("left out: it gives no answer")
                                            : N_("left out: it breaks off each time");
    }
    if ((played & 1U << variant->id) == 0 && (item->needs & ANY_GAME) == 0) {
        return N_("it does not say that it plays it");
    }
    if (walk->row_mute) {
        return N_("left out: it gave no answer in another game");
    }
    return NULL;
}

static void walk_row(struct walk *walk, const struct check_item *item) {
    struct check *check = walk->check;
    unsigned greeted = check->talk.hello.length > 0 ? check->talk.hello.variants : EVERY_VARIANT;
    unsigned once = check->variants & greeted;
    once = once != 0 ? once : check->variants;
    walk->row_mute = false;
    for (int id = 0; id < VARIANT_COUNT; id++) {
        const struct variant *variant = variant_row((enum variant_id)id);
        unsigned wanted = item->variants != 0 ? item->variants & check->variants
                                              : 1U << __builtin_ctz(once);
        bool named = is_named(walk, item, variant);
        if ((wanted & 1U << id) != 0 && (named || item == check_items_greeting)) {
            walk->found = walk->found || named;
            run_item(walk, item, variant, why_left_out(walk, item, greeted, variant));
        }
    }
    check_report_row(&walk->report, item);
}

static void list_row(const struct check_item *item) {
    printf("%-15s %s\n", item->id, _(item->what));
}

/* The row of a scene, in the variants where it can occur. */
static struct check_item scene_item(int scene) {
    struct check_item item = {.id = scene_table[scene].id,
                              .what = scene_table[scene].sentence,
                              .run = check_scene,
                              .detail = scene};
    for (int id = 0; id < VARIANT_COUNT; id++) {
        if ((scene_table[scene].schools & 1U << variant_row((enum variant_id)id)->school) != 0) {
            item.variants |= 1U << id;
        }
    }
    return item;
}

static void visit(struct walk *walk, const struct check_item *item) {
    if (walk->list) {
        list_row(item);
    } else if (walk->check->fail.code == EXIT_CODE_DONE) {
        walk_row(walk, item);
    }
}

void walk_all(struct walk *walk) {
    static const struct check_item *const chapters[] = {
        check_items_greeting, check_items_lines, NULL /* the scenes */, check_items_course,
        check_items_cube,     check_items_games, check_items_life,      check_items_watch};
    for (size_t i = 0; i < sizeof chapters / sizeof *chapters; i++) {
        for (const struct check_item *item = chapters[i]; item != NULL && item->id != NULL;
             item++) {
            visit(walk, item);
        }
        for (int scene = 0; chapters[i] == NULL && scene < SCENE_COUNT; scene++) {
            struct check_item item = scene_item(scene);
            visit(walk, &item);
        }
    }
}
