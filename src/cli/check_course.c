/* The items of a match's course: scenes of the games, what comes between games
 * and matches, and what a referee may say besides. */
#include "cli/check.h"

#include "base/lang.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum {
    COURSE_GAME = 2,      /* the scene that is played where any will do */
    QUIET = 30000,        /* us */
    SECOND = 150000,      /* us: for an answer that may come or not */
    RETRIES = 3,
};

bool check_sit(struct check *check, struct seat *seat) {
    if (!seat_open(seat)) {
        return false;
    }
    if (seat->declined) {
        check_skip(check, N_("it declines a match by these rules"));
    }
    return !seat->declined;
}

/* ---- scenes */

/* One find: told as a game up to there, and asked. */
static bool ask_scene(struct check *check, const struct rules *rules, unsigned number, int ply) {
    struct talk *talk = &check->talk;
    struct scene_game game;
    struct seat seat;
    scene_begin(&game, rules, number, &talk->room);
    while (game.ply < ply && scene_play(&game, *scene_choice(&game))) {
    }
    seat_init(&seat, talk, rules, game.now.mover);
    if (!check_sit(check, &seat)) {
        return false;
    }
    seat_begin(&seat, number);
    seat_skip(&seat, ply);
    if (!seat_asks(&seat)) { /* it wants the referee to play what is forced */
        seat_leave(&seat);
        return true;
    }
    const struct ask *ask = seat_turn(&seat);
    if (!talk_hear(talk)) {
        return false;
    }
    if (seat_go(&seat, ask->play)) {
        seat_leave(&seat);
    } else {
        seat_end(&seat, (int)seat.side, "normal");
    }
    return true;
}

void check_scene(struct check *check, const struct rules *rules, int scene) {
    struct scene_finds *finds = &check->finds[rules->variant->id];
    if ((scene_table[scene].schools & 1U << rules->variant->school) == 0) {
        check_skip(check, N_("this cannot occur in the game"));
        return;
    }
    if (!finds->looked) {
        scene_find(finds, rules);
    }
    if (finds->of[scene].count == 0) {
        check_skip(check, N_("no such situation was found"));
        return;
    }
    for (int i = 0; i < finds->of[scene].count; i++) {
        if (!ask_scene(check, rules, finds->of[scene].number[i], finds->of[scene].ply[i])) {
            return;
        }
    }
}

/* ---- a match at hand */

/* A match is open, a game told so far that the bot is to play. */
static bool begin_game(struct seat *seat) {
    seat_begin(seat, COURSE_GAME + seat->game);
    seat_skip(seat, seat->side == seat->at.starter ? 1 : 2);
    while (!seat_asks(seat)) {
        seat_skip(seat, seat->at.ply + 1);
    }
    return true;
}

/* Opens a match; false: a fault, or it does not want it. */
static bool open_match(struct check *check, struct seat *seat, const struct rules *rules,
                       enum side side) {
    seat_init(seat, &check->talk, rules, side);
    return check_sit(check, seat);
}

/* A turn is asked, answered and played; false: a fault, or the game is over. */
static bool play_turn(struct seat *seat) {
    const struct ask *ask = seat_turn(seat);
    return talk_hear(seat->talk) && seat_go(seat, ask->play);
}

static void set_option(struct rules *rules, enum option option, int value) {
    rules->value[option] = value;
}

/* ---- games and matches follow each other */

/* The other side is gone in the middle of a game; the next one follows without a `ready`. */
static void run_next_game(struct check *check, const struct rules *rules, int detail) {
    struct rules longer = *rules;
    struct seat seat;
    (void)detail;
    set_option(&longer, OPTION_MATCH, 25);
    if (!open_match(check, &seat, &longer, SIDE_X)) {
        return;
    }
    for (int game = 0; game < 4; game++) {
        if (!begin_game(&seat) || !play_turn(&seat) || !play_turn(&seat)) {
            return;
        }
        seat_result(&seat, game % 2, 2 + 2 * (game % 3), "timeout");
    }
    if (begin_game(&seat) && play_turn(&seat)) {
        seat_leave(&seat);
        talk_quiet(&check->talk, QUIET);
    }
}

/* The match is over; another one follows on the same connection. */
static void run_rematch(struct check *check, const struct rules *rules, int detail) {
    struct rules now = *rules;
    struct seat seat;
    (void)detail;
    for (int match = 0; match < 3; match++) {
        if (!open_match(check, &seat, &now, match % 2 == 0 ? SIDE_X : SIDE_Y) ||
            !begin_game(&seat) || !play_turn(&seat)) {
            return;
        }
        seat_leave(&seat);
        unsigned others = check->talk.hello.variants & check->variants & ~(1U << now.variant->id);
        if (others != 0) { /* a game of another kind, where it plays one */
            rules_init(&now, variant_row((enum variant_id)__builtin_ctz(others)));
        }
    }
    talk_quiet(&check->talk, QUIET);
}

static void run_draw(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    (void)detail;
    if (!open_match(check, &seat, rules, SIDE_Y) || !begin_game(&seat) || !play_turn(&seat)) {
        return;
    }
    seat_result(&seat, -1, 1, "normal");
    if (begin_game(&seat) && play_turn(&seat)) {
        seat_leave(&seat);
        talk_quiet(&check->talk, QUIET);
    }
}

/* The match is given up before a game began; the connection stays. */
static void run_aborted(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    (void)detail;
    if (!open_match(check, &seat, rules, SIDE_X)) {
        return;
    }
    seat_end(&seat, (int)SIDE_X, "aborted");
    if (talk_quiet(&check->talk, QUIET) && open_match(check, &seat, rules, SIDE_X) &&
        begin_game(&seat) && play_turn(&seat)) {
        seat_leave(&seat);
    }
}

/* A new connection, the same match: it goes on with a later game, played again. */
static void run_back(struct check *check, const struct rules *rules, int detail) {
    struct rules longer = *rules;
    struct seat seat;
    (void)detail;
    set_option(&longer, OPTION_MATCH, 7);
    check_welcome(check);
    if (!open_match(check, &seat, &longer, SIDE_Y)) {
        return;
    }
    seat.game = 3;
    seat.attempt = 1;
    seat.score[SIDE_X] = 4;
    seat.score[SIDE_Y] = 2;
    if (begin_game(&seat) && play_turn(&seat) && play_turn(&seat)) {
        seat_leave(&seat);
        talk_quiet(&check->talk, QUIET);
    }
}

/* The table stands still, first between turns, then while an answer is due: that one may come at
 * once or behind the pause. */
static void run_pause(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    struct seat seat;
    (void)detail;
    if (!open_match(check, &seat, rules, SIDE_X) || !begin_game(&seat)) {
        return;
    }
    talk_tell(talk, "pause %llu reason=disk%%20full", (unsigned long long)seat.table);
    if (!talk_quiet(talk, QUIET)) {
        return;
    }
    talk_tell(talk, "resume %llu", (unsigned long long)seat.table);
    const struct ask *ask = seat_turn(&seat);
    talk_tell(talk, "pause %llu reason=once%%20more", (unsigned long long)seat.table);
    if (!talk_quiet(talk, QUIET)) {
        return;
    }
    talk_tell(talk, "resume %llu", (unsigned long long)seat.table);
    if (talk_hear(talk) && seat_go(&seat, ask->play) && play_turn(&seat)) {
        seat_leave(&seat);
    }
}

/* ---- a lost connection */

/* The bot has dialled in anew: whether it takes up the session, or begins anew. */
static bool comes_back(struct check *check, const char *name) {
    const struct greeting *hello = &check->talk.hello;
    if (hello->resume[0] == '\0') {
        check_skip(check, N_("it begins anew, which is allowed"));
        return false;
    }
    return (strcmp(hello->resume, CHECK_SECRET) == 0 && strcmp(hello->name, name) == 0) ||
           talk_fault(&check->talk, BLAME_ITEM, N_("it comes back with another name, or a secret "
                                                   "that is not that of the welcome"));
}

/* The connection breaks with a turn to answer; it hears where it stands, and the turn again. */
static void run_resume(struct check *check, const struct rules *rules, int detail) {
    struct talk *talk = &check->talk;
    char name[NAME_MAX_BYTES + 1];
    struct seat seat;
    (void)detail;
    if (check->bot != NULL) {
        check_skip(check, N_("a process that was started here does not lose its connection"));
        return;
    }
    snprintf(name, sizeof name, "%s", talk->hello.name);
    if (!open_match(check, &seat, rules, SIDE_X) || !begin_game(&seat) || !play_turn(&seat)) {
        return;
    }
    seat_turn(&seat);
    check_break(check);
    talk_close_asks(talk);
    if (!check_meet(check, true) || !comes_back(check, name)) {
        return;
    }
    check->untouched = false;
    check_welcome(check);
    talk->tables = seat.table;
    seat_tell_state(&seat);
    const struct ask *ask = seat_ask_again(&seat, MESSAGE_TURN, ACT_PLAY);
    if (talk_hear(talk) && seat_go(&seat, ask->play) && play_turn(&seat)) {
        seat_leave(&seat);
    }
}

/* ---- a rule of its own */

/* draw=last_roll: the other side is done, the bot has the last throw. */
static void run_last_throw(struct check *check, const struct rules *rules, int detail) {
    enum { GAMES = 600 };
    struct rules drawn = *rules;
    struct scene_game game;
    int asked = 0;
    (void)detail;
    set_option(&drawn, OPTION_DRAW, DRAW_LAST_ROLL);
    for (unsigned number = 1; number <= GAMES && asked < SCENE_TAKES; number++) {
        scene_begin(&game, &drawn, number, &check->talk.room);
        while (scene_play(&game, *scene_choice(&game))) {
        }
        /* the ply before the last was the other side's last one */
        bool last = game.over && game.now.mover == game.starter &&
                    game.now.board.men[game.starter][POINT_OFF] == drawn.variant->checkers;
        if (last) {
            asked++;
            if (!ask_scene(check, &drawn, number, game.ply - 1)) {
                return;
            }
        }
    }
    if (asked == 0) {
        check_skip(check, N_("no such situation was found"));
    }
}

/* ---- errors */

static void tell_error(struct seat *seat, const char *code, const char *reason) {
    talk_tell(seat->talk, "error %s table=%llu serial=%llu reason=%s", code,
              (unsigned long long)seat->table, (unsigned long long)seat->serial, reason);
}

/* illegal=retry: the same throw is asked anew, under a fresh serial. */
static void run_retry(struct check *check, const struct rules *rules, int detail) {
    struct rules retry = *rules;
    struct seat seat;
    (void)detail;
    set_option(&retry, OPTION_ILLEGAL, ILLEGAL_RETRY);
    if (!open_match(check, &seat, &retry, SIDE_X) || !begin_game(&seat)) {
        return;
    }
    for (int i = 0; i < RETRIES; i++) {
        seat_turn(&seat);
        if (!talk_hear(&check->talk)) {
            return;
        }
        tell_error(&seat, "illegal", "1/9:%20backwards;%20legal%20plays:%205");
    }
    if (play_turn(&seat) && play_turn(&seat)) {
        seat_leave(&seat);
    }
}

/* illegal=replace_random: a play that the bot did not choose is told as its own. */
static void run_replaced(struct check *check, const struct rules *rules, int detail) {
    struct rules replace = *rules;
    struct seat seat;
    (void)detail;
    set_option(&replace, OPTION_ILLEGAL, ILLEGAL_REPLACE_RANDOM);
    if (!open_match(check, &seat, &replace, SIDE_X) || !begin_game(&seat)) {
        return;
    }
    for (int i = 0; i < RETRIES; i++) {
        const struct ask *ask = seat_turn(&seat);
        if (!talk_hear(&check->talk)) {
            return;
        }
        tell_error(&seat, "illegal", "1/9:%20backwards");
        scene_list(&seat.at);
        const struct option_play *other = &seat.at.list[seat.at.count - 1];
        if (board_equal(&other->final, &ask->final)) {
            other = &seat.at.list[0];
        }
        if (!seat_go(&seat, other->play)) {
            return;
        }
    }
    if (play_turn(&seat)) {
        seat_leave(&seat);
    }
}

/* The bot is said to have lost the game by its answer; the next one follows. */
static void run_forfeit(struct check *check, const struct rules *rules, int detail) {
    struct rules longer = *rules;
    struct seat seat;
    (void)detail;
    set_option(&longer, OPTION_MATCH, 25);
    if (!open_match(check, &seat, &longer, SIDE_Y) || !begin_game(&seat)) {
        return;
    }
    seat_turn(&seat);
    if (!talk_hear(&check->talk)) {
        return;
    }
    tell_error(&seat, "illegal", "1/9:%20backwards");
    seat_result(&seat, (int)SIDE_X, 4, "illegal");
    if (begin_game(&seat) && play_turn(&seat)) {
        seat_leave(&seat);
        talk_quiet(&check->talk, QUIET);
    }
}

/* An error about what is over and done: nothing is to be answered. */
static void run_late(struct check *check, const struct rules *rules, int detail) {
    struct seat seat;
    (void)detail;
    if (!open_match(check, &seat, rules, SIDE_X) || !begin_game(&seat) || !play_turn(&seat)) {
        return;
    }
    tell_error(&seat, "late", "that%20request%20is%20over");
    talk_tell(&check->talk, "error unexpected reason=no%%20such%%20table");
    talk_tell(&check->talk, "error unknown reason=tomorrow");
    if (talk_quiet(&check->talk, QUIET) && play_turn(&seat)) {
        seat_leave(&seat);
    }
}

/* The request stands after this error: the bot may answer it again, or lose the game. */
static void run_stands(struct check *check, const struct rules *rules, int detail) {
    static const char *const codes[] = {"ambiguous", "not-allowed"};
    struct rules longer = *rules;
    struct talk *talk = &check->talk;
    struct seat seat;
    (void)detail;
    set_option(&longer, OPTION_MATCH, 25);
    if (!open_match(check, &seat, &longer, SIDE_X)) {
        return;
    }
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        begin_game(&seat);
        struct ask *ask = seat_turn(&seat);
        if (!talk_hear(talk)) {
            return;
        }
        tell_error(&seat, codes[i], "say%20it%20leg%20by%20leg");
        ask->answered = false;
        talk->open++;
        if (!talk_quiet(talk, SECOND)) {
            return;
        }
        talk->open -= !ask->answered;
        ask->answered = true;
        tell_error(&seat, "timeout", "no%20answer");
        seat_result(&seat, (int)SIDE_Y, 4, "timeout");
    }
    if (begin_game(&seat) && play_turn(&seat)) {
        seat_leave(&seat);
        talk_quiet(talk, QUIET);
    }
}

const struct check_item check_items_course[] = {
    {"next-game", N_("a game after the other in one match"), 0, 0, run_next_game, 0},
    {"rematch", N_("another match on the same connection"), 0, 0, run_rematch, 0},
    {"draw", N_("a drawn game, half points"), 0, 0, run_draw, 0},
    {"aborted", N_("a match that ends before its first game"), 0, 0, run_aborted, 0},
    {"back", N_("a new connection in the middle of a match"), NEEDS_OWN, 0, run_back, 0},
    {"pause", N_("`pause` and `resume`, also while an answer is due"), 0, 0, run_pause, 0},
    {"resume", N_("a lost connection: it comes back, and hears where it stands"), 0, 0,
     run_resume, 0},
    {"last-throw", N_("draw=last_roll: a last throw when the other side is done"), 0,
     1 << VARIANT_UZUN, run_last_throw, 0},
    {"retry", N_("`error illegal`: the same throw under a fresh serial"), 0, 0, run_retry, 0},
    {"replaced", N_("`error illegal`: the referee plays in its place"), 0, 0, run_replaced, 0},
    {"forfeit", N_("`error illegal`: the game is lost, the next one follows"), 0, 0, run_forfeit,
     0},
    {"late", N_("errors that leave nothing to answer"), 0, 0, run_late, 0},
    {"stands", N_("errors after which the request stands"), 0, 0, run_stands, 0},
    {0},
};
