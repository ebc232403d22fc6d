#include "cli/check_scene.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "rules/result.h"

#include <stdlib.h>
#include <string.h>

enum {
    SCENE_GAMES = 800,
    SCENE_PLIES = 600,
    SCENE_MANY = 128,  /* plays of one line */
    SCENE_FIRSTS = 52, /* single steps: two dice, 26 points */
};

/* ---- a game */

static void throw_dice(struct scene_game *game) {
    enum side mover = game->now.mover;
    uint32_t n = game->throws[mover]++;
    struct roll roll = game_roll(&game->key, mover == SIDE_X ? STREAM_X : STREAM_Y, n);
    memcpy(game->now.dice, roll.die, sizeof game->now.dice);
    game->now.first_turn = n == 0;
}

void scene_list(struct scene_game *game) {
    game->count = plays_list(&game->rules, &game->now, game->list, PLAYS_MAX);
}

void scene_begin(struct scene_game *game, const struct rules *rules, unsigned number,
                 struct play_room *room) {
    struct unit_dice dice;
    struct hash master = dice_open_master("hakem check");
    unit_dice_init(&dice, &master, "check", "U000001", 0);
    *game = (struct scene_game){.rules = *rules, .ply = 1, .list = room->list};
    struct hash key = game_key(&dice, number, 0);
    game->key = hash_key_of(&key);
    board_init(&game->now.board, rules);
    uint32_t n = 0;
    do {
        game->opening = game_roll(&game->key, STREAM_OPENING, n++);
    } while (game->opening.die[0] == game->opening.die[1]);
    game->starter = game->opening.die[0] > game->opening.die[1] ? SIDE_X : SIDE_Y;
    game->now.mover = game->starter;
    throw_dice(game);
    if (rules->value[OPTION_OPENING] == OPENING_DECIDING) {
        memcpy(game->now.dice, game->opening.die, sizeof game->now.dice);
    }
    scene_list(game);
}

const struct play *scene_choice(const struct scene_game *game) {
    return &game->list[game_pick(&game->key, (uint32_t)game->ply) % game->count].play;
}

bool scene_play(struct scene_game *game, struct play play) {
    enum side mover = game->now.mover;
    play_apply(&game->rules, mover, &play, &game->now.board);
    game->passed[mover] = play.count == 0;
    game->over = game_outcome(&game->rules, &game->now.board, game->starter, mover).over;
    game->ply++;
    game->now.mover = side_other(mover);
    if (!game->over) {
        throw_dice(game);
        scene_list(game);
    }
    return !game->over && game->ply < SCENE_PLIES;
}

/* ---- what is looked for */

static bool is_double(const struct scene_game *game) {
    return game->now.dice[0] == game->now.dice[1];
}

static int used(const struct scene_game *game) {
    return plays_dice_used(game->list, game->count);
}

static int on_bar(const struct scene_game *game) {
    return game->now.board.men[game->now.mover][POINT_BAR];
}

static bool is_opening(const struct scene_row *row, const struct scene_game *game,
                       struct play_room *room) {
    (void)row, (void)room;
    return game->ply == 1;
}

static bool is_reply(const struct scene_row *row, const struct scene_game *game,
                     struct play_room *room) {
    (void)row, (void)room;
    return game->ply == 2;
}

static bool is_full_double(const struct scene_row *row, const struct scene_game *game,
                           struct play_room *room) {
    (void)row, (void)room;
    return is_double(game) && used(game) == PLAY_STEPS_MAX;
}

static bool is_part_double(const struct scene_row *row, const struct scene_game *game,
                           struct play_room *room) {
    (void)row, (void)room;
    return is_double(game) && used(game) < PLAY_STEPS_MAX;
}

static bool is_one_die(const struct scene_row *row, const struct scene_game *game,
                       struct play_room *room) {
    (void)row, (void)room;
    return !is_double(game) && used(game) == 1;
}

/* With the option at the row's value other positions could be reached: so a bot that does not
 * know the rule may go wrong here. */
static bool matters(const struct scene_row *row, const struct scene_game *game,
                    struct play_room *room) {
    struct rules other = game->rules;
    other.value[row->option] = row->value;
    return plays_list(&other, &game->now, room->list, PLAYS_MAX) != game->count;
}

/* Whether nothing can be played with the other die once this step was played. */
static bool leaves_none(const struct scene_game *game, const struct option_play *first,
                        struct play_room *room) {
    int die = first->play.step[0].from - first->play.step[0].to;
    struct situation after = game->now;
    after.board = first->final;
    after.dice[0] = after.dice[1] = game->now.dice[game->now.dice[0] == die ? 1 : 0];
    size_t count = plays_list(&game->rules, &after, room->list, PLAYS_MAX);
    return plays_dice_used(room->list, count) == 0;
}

/* A step that can be played would leave the other die unplayable, but both can be played. */
static bool is_trap(const struct scene_row *row, const struct scene_game *game,
                    struct play_room *room) {
    struct rules loose = game->rules;
    struct option_play first[SCENE_FIRSTS];
    int firsts = 0;
    (void)row;
    loose.value[OPTION_MUST_MAX] = 0;
    if (is_double(game) || used(game) != 2) {
        return false;
    }
    size_t count = plays_list(&loose, &game->now, room->list, PLAYS_MAX);
    for (size_t i = 0; i < count && firsts < SCENE_FIRSTS; i++) {
        const struct play *play = &room->list[i].play;
        if (play->count == 1 && play->step[0].to != POINT_OFF) {
            first[firsts++] = room->list[i];
        }
    }
    for (int i = 0; i < firsts; i++) {
        if (leaves_none(game, &first[i], room)) {
            return true;
        }
    }
    return false;
}

static bool is_bar(const struct scene_row *row, const struct scene_game *game,
                   struct play_room *room) {
    (void)row, (void)room;
    return on_bar(game) == 1;
}

static bool is_bar_many(const struct scene_row *row, const struct scene_game *game,
                        struct play_room *room) {
    (void)row, (void)room;
    return on_bar(game) > 1;
}

static bool is_after_dance(const struct scene_row *row, const struct scene_game *game,
                           struct play_room *room) {
    (void)row, (void)room;
    return game->passed[game->now.mover];
}

static bool is_again(const struct scene_row *row, const struct scene_game *game,
                     struct play_room *room) {
    (void)row, (void)room;
    return game->passed[side_other(game->now.mover)];
}

/* Whether one of the plays has such a step. */
static bool any_step(const struct scene_game *game, bool (*is)(const struct scene_game *game,
                                                              const struct step *step)) {
    for (size_t i = 0; i < game->count; i++) {
        for (int k = 0; k < game->list[i].play.count; k++) {
            if (is(game, &game->list[i].play.step[k])) {
                return true;
            }
        }
    }
    return false;
}

static bool step_hits(const struct scene_game *game, const struct step *step) {
    (void)game;
    return step->hit;
}

static bool step_off(const struct scene_game *game, const struct step *step) {
    return step->to == POINT_OFF &&
           (step->from == game->now.dice[0] || step->from == game->now.dice[1]);
}

static bool step_off_high(const struct scene_game *game, const struct step *step) {
    return step->to == POINT_OFF && step->from != game->now.dice[0] &&
           step->from != game->now.dice[1];
}

static bool is_hit(const struct scene_row *row, const struct scene_game *game,
                   struct play_room *room) {
    (void)row, (void)room;
    return any_step(game, step_hits);
}

static bool is_off(const struct scene_row *row, const struct scene_game *game,
                   struct play_room *room) {
    (void)row, (void)room;
    return any_step(game, step_off);
}

static bool is_off_high(const struct scene_row *row, const struct scene_game *game,
                        struct play_room *room) {
    (void)row, (void)room;
    return any_step(game, step_off_high);
}

/* All at home, no checker where a die points to, one below and one behind: that one has to
 * move. */
static bool is_behind(const struct scene_row *row, const struct scene_game *game,
                      struct play_room *room) {
    const uint8_t *men = game->now.board.men[game->now.mover];
    int highest = 0, lowest = POINT_BAR;
    (void)row, (void)room;
    for (int point = 1; point <= POINT_BAR; point++) {
        highest = men[point] > 0 ? point : highest;
        lowest = men[point] > 0 && point < lowest ? point : lowest;
    }
    for (int i = 0; i < 2 && highest <= HOME_POINTS; i++) {
        int die = game->now.dice[i];
        if (men[die] == 0 && lowest < die && die < highest) {
            return true;
        }
    }
    return false;
}

static bool is_last(const struct scene_row *row, const struct scene_game *game,
                    struct play_room *room) {
    (void)row, (void)room;
    enum side mover = game->now.mover;
    return game->list[0].final.men[mover][POINT_OFF] == game->rules.variant->checkers;
}

/* The head would give more than it may. */
static bool is_head(const struct scene_row *row, const struct scene_game *game,
                    struct play_room *room) {
    struct variant loose = *game->rules.variant;
    struct rules other = game->rules;
    (void)row;
    loose.head = 0;
    other.variant = &loose;
    return plays_list(&other, &game->now, room->list, PLAYS_MAX) != game->count;
}

static bool is_many(const struct scene_row *row, const struct scene_game *game,
                    struct play_room *room) {
    (void)row, (void)room;
    return game->count > SCENE_MANY;
}

static bool is_forced(const struct scene_row *row, const struct scene_game *game,
                      struct play_room *room) {
    (void)row, (void)room;
    return game->count == 1;
}

enum {
    ALL = 1 << SCHOOL_TAVLA | 1 << SCHOOL_UZUN | 1 << SCHOOL_WESTERN | 1 << SCHOOL_FEVGA,
    HITTING = 1 << SCHOOL_TAVLA | 1 << SCHOOL_WESTERN,
    UZUN = 1 << SCHOOL_UZUN,
    FEVGA = 1 << SCHOOL_FEVGA,
};

/* Columns: id, sentence, schools, test; the option that matters and the value that it must
 * not be taken for. */
const struct scene_row scene_table[SCENE_COUNT] = {
    {"opening", N_("the first turn of a game, the bot starts"), ALL, is_opening, 0, 0},
    {"reply", N_("the first turn of the bot, the other side has started"), ALL, is_reply, 0, 0},
    {"double", N_("a double, played four times"), ALL, is_full_double, 0, 0},
    {"part-double", N_("a double that cannot be played four times"), ALL, is_part_double, 0, 0},
    {"one-die", N_("only one of the dice can be played"), ALL, is_one_die, 0, 0},
    {"larger-die", N_("either die can be played, but not both: the larger one is due"), ALL,
     matters, OPTION_LARGER_DIE, 0},
    {"both-dice", N_("a step that would leave the other die unplayed, where both can be played"),
     ALL, is_trap, 0, 0},
    {"forced", N_("there is only one play"), ALL, is_forced, 0, 0},
    {"long-list", N_("more legal plays than one line holds"), ALL, is_many, 0, 0},
    {"hit", N_("a play that hits"), HITTING, is_hit, 0, 0},
    {"bar", N_("a checker on the bar"), HITTING, is_bar, 0, 0},
    {"bar-many", N_("several checkers on the bar"), HITTING, is_bar_many, 0, 0},
    {"after-dance", N_("the turn after one in which the bot could not play"), ALL, is_after_dance,
     0, 0},
    {"again", N_("the other side could not play: two turns in a row"), ALL, is_again, 0, 0},
    {"off", N_("bearing off"), ALL, is_off, 0, 0},
    {"off-high", N_("bearing off with a die that is larger than the highest point"), ALL,
     is_off_high, 0, 0},
    {"off-behind", N_("a die from whose point nothing can leave: a checker stands behind it"), ALL,
     is_behind, 0, 0},
    {"last", N_("the play that wins"), ALL, is_last, 0, 0},
    {"head", N_("the head may give one checker only"), UZUN, is_head, 0, 0},
    {"head-two", N_("a first throw for which the head gives two"), UZUN, matters,
     OPTION_HEAD_EXCEPTION, HEAD_OFF},
    {"wall", N_("a wall of six that is not allowed"), UZUN, matters, OPTION_WALL, WALL_OFF},
    {"runner", N_("only the first checker may move, until it has passed the start"), FEVGA, matters,
     OPTION_RUNNER, 0},
    {"start-wall", N_("the starting quarter must not be filled"), FEVGA, matters,
     OPTION_START_WALL, START_WALL_OFF},
};

/* ---- finding */

static bool applies(const struct scene_row *row, const struct rules *rules) {
    return (row->schools & 1U << rules->variant->school) != 0;
}

/* Looks at one turn; `*seen` has a bit for each scene this game gave already. */
static void look(struct scene_finds *finds, const struct scene_game *game, unsigned number,
                 unsigned *seen, struct play_room *room) {
    for (int i = 0; i < SCENE_COUNT; i++) {
        const struct scene_row *row = &scene_table[i];
        int count = finds->of[i].count;
        if (count < SCENE_TAKES && (*seen & 1U << i) == 0 && applies(row, &game->rules) &&
            game->list[0].play.count > 0 && row->is(row, game, room)) {
            finds->of[i].number[count] = number;
            finds->of[i].ply[count] = game->ply;
            finds->of[i].count++;
            *seen |= 1U << i;
        }
    }
}

static bool found_all(const struct scene_finds *finds, const struct rules *rules) {
    for (int i = 0; i < SCENE_COUNT; i++) {
        if (applies(&scene_table[i], rules) && finds->of[i].count < SCENE_TAKES) {
            return false;
        }
    }
    return true;
}

void scene_find(struct scene_finds *finds, const struct rules *rules) {
    struct play_room *own = alloc_zeroed(1, sizeof *own);
    struct play_room *other = alloc_zeroed(1, sizeof *other);
    memset(finds, 0, sizeof *finds);
    finds->looked = true;
    for (unsigned number = 1; number <= SCENE_GAMES && !found_all(finds, rules); number++) {
        struct scene_game game;
        unsigned seen = 0;
        scene_begin(&game, rules, number, own);
        do {
            look(finds, &game, number, &seen, other);
        } while (scene_play(&game, *scene_choice(&game)));
    }
    free(own);
    free(other);
}
