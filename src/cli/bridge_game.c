#include "cli/bridge_game.h"

#include "base/text.h"
#include "rules/cube.h"
#include "rules/fibs.h"
#include "rules/result.h"
#include "wire/phrase.h"

#include <stdio.h>
#include <string.h>

enum { OUT_MAX = 1 << 20 };

void bridge_game_init(struct bridge_game *game) {
    memset(game, 0, sizeof *game);
    bytes_init(&game->out, OUT_MAX);
    rules_init(&game->rules, variant_row(VARIANT_WESTERN));
    game->rules.value[OPTION_VIDO] = 1;
    game->rules.value[OPTION_VIDO_MAX] = 1024;
    game->rules.value[OPTION_JACOBY] = 1;
}

void bridge_game_clear(struct bridge_game *game) {
    bytes_clear(&game->out);
}

static void swap_sides(struct match_position *position) {
    struct board board = position->board;
    int score = position->score[SIDE_X];
    memcpy(position->board.men[SIDE_X], board.men[SIDE_Y], sizeof board.men[SIDE_X]);
    memcpy(position->board.men[SIDE_Y], board.men[SIDE_X], sizeof board.men[SIDE_Y]);
    position->score[SIDE_X] = position->score[SIDE_Y];
    position->score[SIDE_Y] = score;
    position->mover = side_other(position->mover);
    position->decider = side_other(position->decider);
    if (position->cube_owner != CUBE_CENTRED) {
        position->cube_owner = (int8_t)side_other((enum side)position->cube_owner);
    }
}

int bridge_game_read(const struct bridge_game *game, const char *line, struct match_position *out,
                     char why[160]) {
    if (fibs_read(&game->rules, line, strcspn(line, " \r\n"), out, why) != 0) {
        return -1;
    }
    if (out->pending == PENDING_NONE) { /* it writes the score of the second name first */
        int first = out->score[SIDE_X];
        out->score[SIDE_X] = out->score[SIDE_Y];
        out->score[SIDE_Y] = first;
    }
    if (out->decider == SIDE_Y) {
        swap_sides(out);
    }
    return 0;
}

static void say(struct bridge_game *game, const struct message *message) {
    spelling_encode(game->spelling, message, &game->out);
}

static void begin(const struct bridge_game *game, struct message *message,
                  enum message_kind kind) {
    message_init(message, kind);
    message_set_u64(message, FIELD_TABLE, game->table);
}

static void tell_match(struct bridge_game *game, const struct match_position *position) {
    struct message message;
    game->table++;
    game->serial = 0;
    game->game = 0;
    game->rules.value[OPTION_MATCH] = position->length;
    begin(game, &message, MESSAGE_MATCH);
    message_set(&message, FIELD_UNIT, "bridge");
    message_set_int(&message, FIELD_LEG, 1);
    message_set(&message, FIELD_VARIANT, game->rules.variant->name);
    message_set(&message, FIELD_SEAT, side_name(SIDE_X));
    message_set(&message, FIELD_OPPONENT, "gnubg");
    message_set(&message, FIELD_PAIRING, "independent");
    static const enum option told[] = {OPTION_MATCH, OPTION_VIDO, OPTION_VIDO_MAX};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        message_set_option(&message, told[i], game->rules.value[told[i]]);
    }
    if (position->length == 0) {
        message_set_option(&message, OPTION_JACOBY, 1);
    }
    say(game, &message);
}

static void tell_result(struct bridge_game *game, const struct match_position *position) {
    const struct match_position *last = &game->position;
    struct message message;
    int won = position->score[SIDE_X] - last->score[SIDE_X];
    int lost = position->score[SIDE_Y] - last->score[SIDE_Y];
    begin(game, &message, MESSAGE_RESULT);
    message_set_int(&message, FIELD_GAME, game->game);
    message_set(&message, FIELD_WINNER, won > 0 ? "X" : lost > 0 ? "Y" : "none");
    message_set(&message, FIELD_REASON, won > 0 || lost > 0 ? "normal" : "void");
    say(game, &message);
}

static void tell_game(struct bridge_game *game, const struct match_position *position,
                      enum side starter) {
    struct message message;
    begin(game, &message, MESSAGE_GAME);
    game->game++;
    game->ply = 0;
    message_set_int(&message, FIELD_GAME, game->game);
    message_set_int(&message, FIELD_ATTEMPT, 0);
    phrase_score(&message, position->score, SIDE_X);
    message_set(&message, FIELD_STARTER, side_name((int)starter));
    if (position->crawford) {
        message_set(&message, FIELD_CRAWFORD, "yes");
    }
    message_set_u64(&message, FIELD_SEED, 0);
    say(game, &message);
}

/* A ply of either side: a throw with its play, or (`word`) what was done without one. */
static void tell_did(struct bridge_game *game, enum side side, const uint8_t dice[2],
                     const struct play *play, const char *word) {
    struct message message;
    char text[PLAY_TEXT_MAX] = "";
    begin(game, &message, MESSAGE_DID);
    message_set_int(&message, FIELD_PLY, ++game->ply);
    message_set(&message, FIELD_SEAT, side_name((int)side));
    if (word != NULL) {
        message_set(&message, FIELD_DEED, word);
    } else {
        phrase_dice(&message, FIELD_DEED, dice);
        if (side == SIDE_X) {
            play_write(play, ' ', true, text);
        } else {
            play_write_mirrored(&game->rules, play, ' ', text);
        }
        message_set(&message, FIELD_PLAY, text);
    }
    say(game, &message);
}

/* A throw and a play with which the other side comes from one board to the other. */
static bool find_ply(struct bridge_game *game, const struct board *from, const struct board *to,
                     uint8_t dice[2], struct play *play) {
    struct situation situation = {.board = *from, .mover = SIDE_Y};
    for (int throw = 0; throw < 36; throw++) {
        situation.dice[0] = dice[0] = (uint8_t)(throw / 6 + 1);
        situation.dice[1] = dice[1] = (uint8_t)(throw % 6 + 1);
        size_t count = plays_list(&game->rules, &situation, game->room.list, PLAYS_MAX);
        for (size_t i = 0; i < count; i++) {
            if (board_equal(&game->room.list[i].final, to)) {
                *play = game->room.list[i].play;
                return true;
            }
        }
    }
    return false;
}

/* Whether the position is the last one, or one ply of the other side later; that is told. */
static bool follow(struct bridge_game *game, const struct board *from,
                   const struct match_position *position, bool moved) {
    struct play play;
    uint8_t dice[2];
    if (!moved && board_equal(from, &position->board)) {
        return true;
    }
    if (!find_ply(game, from, &position->board, dice, &play)) {
        return false;
    }
    tell_did(game, SIDE_Y, dice, &play, NULL);
    return true;
}

/* The same game goes on: what became of a double of the bot's, then the other side's ply. */
static bool go_on(struct bridge_game *game, const struct match_position *position) {
    const struct match_position *last = &game->position;
    bool same = game->runs && position->length == last->length &&
                memcmp(position->score, last->score, sizeof last->score) == 0;
    if (!same) {
        return false;
    }
    if (game->doubled && position->cube_log > last->cube_log) {
        tell_did(game, SIDE_X, NULL, NULL, act_name(ACT_DOUBLE));
        tell_did(game, SIDE_Y, NULL, NULL, act_name(ACT_TAKE));
    }
    game->doubled = false;
    return follow(game, &last->board, position,
                  last->mover == SIDE_Y && position->pending == PENDING_NONE);
}

/* A new game, and where the score begins anew a new match. */
static bool start(struct bridge_game *game, const struct match_position *position) {
    struct board opening;
    bool fresh = game->table == 0 || position->length != game->position.length ||
                 position->score[SIDE_X] < game->position.score[SIDE_X] ||
                 position->score[SIDE_Y] < game->position.score[SIDE_Y];
    if (game->runs) {
        tell_result(game, position);
    }
    if (fresh && game->table > 0) {
        struct message message;
        begin(game, &message, MESSAGE_END);
        message_set(&message, FIELD_REASON, "normal");
        say(game, &message);
    }
    if (fresh) {
        tell_match(game, position);
    }
    board_init(&opening, &game->rules);
    bool first = board_equal(&opening, &position->board) && position->dice[0] != 0;
    tell_game(game, position, first ? SIDE_X : SIDE_Y);
    game->runs = true;
    game->doubled = false;
    return follow(game, &opening, position, !first);
}

static void ask(struct bridge_game *game, const struct match_position *position,
                enum message_kind kind) {
    struct message message;
    begin(game, &message, kind);
    message_set_u64(&message, FIELD_SERIAL, ++game->serial);
    if (kind == MESSAGE_TURN) {
        phrase_dice(&message, FIELD_DICE, position->dice);
    } else if (kind == MESSAGE_CUBE) {
        phrase_may(&message, ACT_ROLL | ACT_DOUBLE);
    } else {
        message_set(&message, FIELD_ACT, act_name(ACT_DOUBLE));
        phrase_may(&message, ACT_TAKE | ACT_DROP);
        message_set_int(&message, FIELD_VALUE, 2 << position->cube_log);
    }
    if (game->want_position) {
        struct cube cube = {.value = 1 << position->cube_log,
                            .owner = position->cube_owner == CUBE_CENTRED ? CUBE_MIDDLE
                                                                          : position->cube_owner};
        phrase_board(&message, &game->rules, &position->board, SIDE_X);
        phrase_score(&message, position->score, SIDE_X);
        message_set(&message, FIELD_ROLL, position->mover == SIDE_X ? "me" : "opp");
        message_set(&message, FIELD_VARIANT, game->rules.variant->name);
        message_set_int(&message, FIELD_LENGTH, position->length);
        phrase_cube(&message, &cube, position->crawford, SIDE_X);
    }
    say(game, &message);
}

static struct situation situation_of(const struct match_position *position) {
    return (struct situation){.board = position->board,
                              .mover = SIDE_X,
                              .dice = {position->dice[0], position->dice[1]}};
}

static void tell_plays(struct bridge_game *game, size_t count) {
    for (size_t next = 0; next < count;) {
        struct message message;
        next = phrase_plays(&message, game->room.list, count, next);
        message_set_u64(&message, FIELD_TABLE, game->table);
        message_set_u64(&message, FIELD_SERIAL, game->serial + 1);
        say(game, &message);
    }
}

/* What the bot has done or could not do: the other side is on turn. */
static void played(struct bridge_game *game, const struct play *play) {
    struct match_position *last = &game->position;
    tell_did(game, SIDE_X, last->dice, play, NULL);
    play_apply(&game->rules, SIDE_X, play, &last->board);
    last->mover = SIDE_Y;
}

bool bridge_game_ask(struct bridge_game *game, const struct match_position *position, bool *odd) {
    bool asked = true;
    *odd = !go_on(game, position) && !start(game, position);
    game->position = *position;
    if (position->pending != PENDING_NONE) {
        game->asked = BRIDGE_OFFER;
        tell_did(game, SIDE_Y, NULL, NULL, act_name(ACT_DOUBLE));
        ask(game, position, MESSAGE_OFFER);
    } else if (position->dice[0] == 0) {
        game->asked = BRIDGE_CUBE;
        ask(game, position, MESSAGE_CUBE);
    } else {
        struct situation situation = situation_of(position);
        size_t count = plays_list(&game->rules, &situation, game->room.list, PLAYS_MAX);
        game->asked = BRIDGE_PLAY;
        asked = plays_dice_used(game->room.list, count) > 0;
        if (!asked) {
            static const struct play none;
            played(game, &none);
        } else {
            if (game->want_plays) {
                tell_plays(game, count);
            }
            ask(game, position, MESSAGE_TURN);
        }
    }
    return asked;
}

/* "#k" or a play in words. */
static bool answer_play(struct bridge_game *game, const char *claim, char line[160]) {
    struct situation situation = situation_of(&game->position);
    struct verdict verdict;
    uint64_t index;
    if (claim[0] == '#') {
        size_t count = plays_list(&game->rules, &situation, game->room.list, PLAYS_MAX);
        if (!text_u64(claim + 1, strlen(claim + 1), &index) || index >= count) {
            snprintf(line, 160, "%.20s: there are %zu plays", claim, count);
            return false;
        }
        verdict.play = game->room.list[index].play;
    } else {
        play_judge(&game->rules, &situation, claim, strlen(claim), &game->room, &verdict);
        if (verdict.judgement != JUDGED_LEGAL) {
            snprintf(line, 160, "%.40s is no play here: %.100s", claim, verdict.reason);
            return false;
        }
    }
    play_write(&verdict.play, ' ', false, line);
    played(game, &verdict.play);
    return true;
}

bool bridge_game_answer(struct bridge_game *game, const struct message *message, char line[160]) {
    bool cube = game->asked == BRIDGE_CUBE, offer = game->asked == BRIDGE_OFFER;
    switch ((int)message->kind) {
    case MESSAGE_PLAY:
        if (game->asked == BRIDGE_PLAY) {
            return answer_play(game, message_text(message, FIELD_PLAY), line);
        }
        break;
    case MESSAGE_ROLL:
    case MESSAGE_DOUBLE:
        if (cube) {
            game->doubled = message->kind == MESSAGE_DOUBLE;
            snprintf(line, 160, "%s", message_row(message->kind)->name);
            return true;
        }
        break;
    case MESSAGE_TAKE:
    case MESSAGE_DROP:
        if (offer) {
            tell_did(game, SIDE_X, NULL, NULL, message_row(message->kind)->name);
            game->position.mover = SIDE_Y;
            snprintf(line, 160, "%s", message_row(message->kind)->name);
            return true;
        }
        break;
    }
    snprintf(line, 160, "%s is not allowed here", message_row(message->kind)->name);
    return false;
}
