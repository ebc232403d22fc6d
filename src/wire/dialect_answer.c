/* What a dialect says to the referee in its peer's name. */
#include "wire/dialect_inside.h"

#include "base/alloc.h"
#include "rules/gnu_id.h"
#include "wire/spelling.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CHANCE_WHOLE = 1000 };

void dialect_tell_referee(struct dialect *d, const struct message *message) {
    spelling_encode(SPELLING_TEXT, message, &d->inward);
}

void dialect_was_set(struct dialect *d, const char *name, const char *value) {
    char word[DIALECT_WORD_MAX + 1];
    size_t used = strlen(d->options);
    snprintf(word, sizeof word, "%.40s=%.40s", name, value);
    for (char *at = word; *at != '\0'; at++) {
        *at = *at > ' ' && *at < 127 && *at != ',' ? *at : '_';
    }
    if (used + strlen(word) + 2 <= sizeof d->options) {
        snprintf(d->options + used, sizeof d->options - used, "%s%s", used > 0 ? "," : "", word);
    }
}

void dialect_greet(struct dialect *d, unsigned variants, const char *version) {
    struct message message;
    char names[VARIANT_NAMES_MAX] = "";
    size_t length = 0;
    for (int id = 0; id < VARIANT_COUNT; id++) {
        if ((variants & 1U << id) != 0) {
            const char *name = variant_row((enum variant_id)id)->name;
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length > 0 ? "," : "", name);
        }
    }
    message_init(&message, MESSAGE_HELLO);
    message_set_int(&message, FIELD_HAKEM, 1);
    message_set(&message, FIELD_NAME, d->name);
    if (version[0] != '\0' && text_is_utf8(version, strlen(version))) {
        message_set(&message, FIELD_VERSION, version);
    }
    if (d->options[0] != '\0') {
        message_set(&message, FIELD_SETTINGS, d->options);
    }
    message_set(&message, FIELD_VARIANTS, names);
    message_set(&message, FIELD_WANT, "position");
    message_set(&message, FIELD_AUTO, "forced");
    dialect_tell_referee(d, &message);
}

void dialect_ready(struct dialect *d) {
    struct message message;
    message_init(&message, MESSAGE_READY);
    message_set_u64(&message, FIELD_TABLE, d->table);
    dialect_tell_referee(d, &message);
}

void dialect_decline(struct dialect *d, const char *reason) {
    struct message message;
    char shown[DIALECT_WRONG_MAX];
    message_init(&message, MESSAGE_DECLINE);
    message_set_u64(&message, FIELD_TABLE, d->table);
    message_set(&message, FIELD_REASON, text_escape(reason, strlen(reason), shown, sizeof shown));
    dialect_tell_referee(d, &message);
}

/* The answer is kept: the referee may want it again. */
static void answer(struct dialect *d, const char *line) {
    snprintf(d->answer, sizeof d->answer, "%s", line);
    bytes_add_text(&d->inward, d->answer);
    bytes_add(&d->inward, "\n", 1);
    d->question.asked = ASKED_NOTHING;
    d->idle = 0;
}

void dialect_act(struct dialect *d, enum act act) {
    char line[64];
    snprintf(line, sizeof line, "%s %" PRIu64 " %" PRIu64, act_name(act), d->table,
             d->question.serial);
    answer(d, line);
}

/* What it said, without what would be read otherwise in a line of ours. */
static void make_plain(const char *text, size_t length, char *out, size_t room) {
    text_escape(text, length, out, room);
    for (char *at = out; *at != '\0'; at++) {
        *at = *at == '=' || *at == '%' || *at == '#' ? '?' : *at;
    }
}

void dialect_spoil(struct dialect *d, const char *text, size_t length) {
    char line[400], plain[300];
    make_plain(text, length, plain, sizeof plain);
    /* No line may have a %00: so it is malformed, whatever is due. */
    snprintf(line, sizeof line, "play %" PRIu64 " %" PRIu64 " %s %%00", d->table,
             d->question.serial, plain);
    answer(d, line);
}

static struct situation situation_of(const struct question *question) {
    return (struct situation){.board = question->position.board,
                              .mover = SIDE_X,
                              .dice = {question->position.dice[0], question->position.dice[1]},
                              .first_turn = question->first_turn};
}

static struct play_room *room_of(struct dialect *d) {
    if (d->room == NULL) {
        d->room = alloc_zeroed(1, sizeof *d->room);
    }
    return d->room;
}

static void answer_play(struct dialect *d, const char *text) {
    char line[400];
    snprintf(line, sizeof line, "play %" PRIu64 " %" PRIu64 "%s%s", d->table, d->question.serial,
             text[0] != '\0' ? " " : "", text);
    answer(d, line);
}

void dialect_play(struct dialect *d, const char *text, size_t length) {
    struct situation situation = situation_of(&d->question);
    struct verdict verdict;
    char words[PLAY_TEXT_MAX], plain[300];
    play_judge(&d->rules, &situation, text, length, room_of(d), &verdict);
    if (verdict.judgement == JUDGED_LEGAL) {
        play_write(&verdict.play, ' ', true, words);
        answer_play(d, words);
        return;
    }
    make_plain(text, length, plain, sizeof plain);
    answer_play(d, plain);
}

/* Whether the id is that of the position, seen from either side. */
static bool has_id(const struct dialect *d, const struct board *board, const char *id) {
    struct match_position position = d->question.position;
    char text[GNU_POSITION_LENGTH + 1], why[160];
    position.board = *board;
    position.dice[0] = position.dice[1] = 0;
    for (int side = 0; side < SIDE_COUNT; side++) {
        position.mover = position.decider = (enum side)side;
        if (gnu_position_write(&d->rules, &position, text, why) == 0 && strcmp(text, id) == 0) {
            return true;
        }
    }
    return false;
}

void dialect_play_id(struct dialect *d, const char *id, size_t length) {
    struct situation situation = situation_of(&d->question);
    struct play_room *room = room_of(d);
    char text[PLAY_TEXT_MAX] = "";
    size_t count = length == GNU_POSITION_LENGTH
                       ? plays_list(&d->rules, &situation, room->list, PLAYS_MAX)
                       : 0;
    for (size_t i = 0; i < count; i++) {
        char wanted[GNU_POSITION_LENGTH + 1] = "";
        memcpy(wanted, id, GNU_POSITION_LENGTH);
        if (has_id(d, &room->list[i].final, wanted)) {
            play_write(&room->list[i].play, ' ', true, text);
            answer_play(d, text);
            return;
        }
    }
    dialect_spoil(d, id, length);
}

/* A rough winning chance by the pips alone, the other side on roll. */
static int chance_by_pips(const struct board *board) {
    int own = board_pips(board, SIDE_X), other = board_pips(board, SIDE_Y);
    int least = own < other ? own : other;
    /* Who is 12 percent behind has a last take, at a chance of about 22 percent. */
    int lead = (other - own - 4) * 1600 / (least > 20 ? least : 20);
    int chance = CHANCE_WHOLE / 2 + lead;
    return chance < 0 ? 0 : chance > CHANCE_WHOLE ? CHANCE_WHOLE : chance;
}

void dialect_policy(struct dialect *d, int chance) {
    const struct question *question = &d->question;
    const struct board *board = &question->position.board;
    switch (question->asked) {
    case ASKED_NOTHING:
    case ASKED_PLAY:
        break;
    case ASKED_THROW:
        dialect_act(d, ACT_ROLL);
        break;
    case ASKED_DOUBLE:
        chance = chance < 0 ? chance_by_pips(board) : chance;
        dialect_act(d, question->beaver || chance >= d->rule->take_point * 10 ? ACT_TAKE
                                                                              : ACT_DROP);
        break;
    case ASKED_RESIGN:
        dialect_act(d, question->kind >= board_worst(&d->rules, board, SIDE_Y).kind ? ACT_ACCEPT
                                                                                    : ACT_REJECT);
        break;
    }
}
