#include "record/export.h"

#include "base/alloc.h"
#include "record/fact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAME_MAX = 8 << 20, NODE_MAX = 32, NODES_IN_A_LINE = 8 };

struct sgf {
    struct bytes *out;
    struct replay replay;
    struct bytes nodes; /* of the running game, kept back: its result stands before them */
    unsigned count;
    int score[SIDE_COUNT]; /* half points before the game */
    bool crawford;         /* the game is played without the cube */
    int cube;              /* its value at the start */
    unsigned games;        /* trees written */
};

static const char letter_of[SIDE_COUNT] = {'W', 'B'};

/* A value; what would end it is escaped. */
static void add_value(struct bytes *out, const char *ident, const char *text) {
    bytes_print(out, "%s[", ident);
    for (; *text != '\0'; text++) {
        bytes_print(out, *text == ']' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    bytes_add_text(out, "]");
}

/* White's points count up from `a`, Black's down from `x`: one board for both. */
static char point_letter(enum side side, uint8_t point) {
    if (point == POINT_BAR) {
        return 'y';
    }
    if (point == POINT_OFF) {
        return 'z';
    }
    return (char)(side == SIDE_X ? 'a' + point - 1 : 'x' - point + 1);
}

static void add_node(struct sgf *sgf, enum side side, const char *value) {
    bytes_print(&sgf->nodes, "%s;%c[%s]", sgf->count % NODES_IN_A_LINE == 0 ? "\n" : "",
                letter_of[side], value);
    sgf->count++;
}

static void write_play(struct sgf *sgf, const struct replay_ply *ply) {
    char value[NODE_MAX];
    size_t length = 2;
    export_dice(ply->dice, value);
    for (int i = 0; i < ply->play.count; i++) {
        value[length++] = point_letter(ply->seat, ply->play.step[i].from);
        value[length++] = point_letter(ply->seat, ply->play.step[i].to);
    }
    value[length] = '\0';
    add_node(sgf, ply->seat, value);
}

/* A beaver is the other side's double; resignations have no node. */
static void write_ply(struct sgf *sgf) {
    const struct replay_ply *ply = &sgf->replay.ply;
    if (ply->act == ACT_PLAY) {
        write_play(sgf, ply);
    } else if (ply->act == ACT_DOUBLE || ply->act == ACT_BEAVER) {
        add_node(sgf, ply->seat, "double");
    } else if (ply->act == ACT_TAKE || ply->act == ACT_DROP) {
        add_node(sgf, ply->seat, act_name(ply->act));
    }
}

static void add_rules(struct sgf *sgf) {
    const struct rules *rules = &sgf->replay.header.rules;
    const int *value = rules->value;
    bool money = value[OPTION_MATCH] == 0;
    char own[HEADER_TEXT_MAX];
    const char *words[6];
    int count = 0;
    if (value[OPTION_VIDO] && !money && value[OPTION_CRAWFORD]) {
        words[count++] = "Crawford";
    }
    if (sgf->crawford) {
        words[count++] = "CrawfordGame";
    }
    if (value[OPTION_VIDO] && money && value[OPTION_JACOBY]) {
        words[count++] = "Jacoby";
    }
    switch (rules->variant->id) {
    case VARIANT_NACKGAMMON:
        words[count++] = "Nackgammon";
        break;
    case VARIANT_HYPERGAMMON:
        words[count++] = "Hypergammon3";
        break;
    case VARIANT_WESTERN:
        break;
    case VARIANT_TAVLA:
    case VARIANT_UZUN:
    case VARIANT_FEVGA:
        words[count++] = rules->variant->name;
        break;
    }
    if (!value[OPTION_VIDO]) {
        words[count++] = "NoCube";
    }
    export_rules(rules, ':', own);
    if (own[0] != '\0') {
        words[count++] = own;
    }
    for (int i = 0; i < count; i++) {
        bytes_print(sgf->out, "%s%s", i == 0 ? "RU[" : ":", words[i]);
    }
    bytes_add_text(sgf->out, count > 0 ? "]" : "");
}

/* The tree of a game, whose end may be missing. */
static void write_tree(struct sgf *sgf, bool ended) {
    const struct replay *replay = &sgf->replay;
    const struct record_header *header = &replay->header;
    const struct replay_result *result = &replay->result;
    struct bytes *out = sgf->out;
    char date[sizeof "2026-11-30"];
    bytes_print(out, "(;FF[4]GM[6]CA[UTF-8]AP[hakem]MI[length:%d][game:%u][ws:%d][bs:%d]",
                replay->match.length, sgf->games++, sgf->score[SIDE_X] / POINT_HALVES,
                sgf->score[SIDE_Y] / POINT_HALVES);
    add_value(out, "PW", export_name(header, SIDE_X));
    add_value(out, "PB", export_name(header, SIDE_Y));
    snprintf(date, sizeof date, "%.10s", header->date);
    if (date[0] != '\0') {
        add_value(out, "DT", date);
    }
    add_rules(sgf);
    if (sgf->cube > 1) {
        bytes_print(out, "CV[%d]", sgf->cube);
    }
    if (ended && result->winner >= 0) {
        char points[SCORE_TEXT_MAX];
        bool played = result->reason == REASON_NORMAL || result->reason == REASON_DROP;
        score_write(result->half_points, points);
        bytes_print(out, "RE[%c+%s%s]", letter_of[result->winner], points, played ? "" : "R");
    }
    bytes_add(out, sgf->nodes.data, sgf->nodes.length);
    bytes_add_text(out, ")\n");
    bytes_drop(&sgf->nodes, sgf->nodes.length);
}

static void begin_game(struct sgf *sgf) {
    const struct replay *replay = &sgf->replay;
    bytes_drop(&sgf->nodes, sgf->nodes.length);
    sgf->count = 0;
    sgf->score[SIDE_X] = replay->match.score[SIDE_X];
    sgf->score[SIDE_Y] = replay->match.score[SIDE_Y];
    sgf->crawford = replay->match.crawford == CRAWFORD_NOW;
    sgf->cube = replay->now.cube.value;
}

static void write_line(void *owner, const struct message *message) {
    struct sgf *sgf = owner;
    if (message->kind == MESSAGE_GAME) {
        begin_game(sgf);
    } else if (message->kind == MESSAGE_DID) {
        write_ply(sgf);
    } else if (message->kind == MESSAGE_RESULT) {
        write_tree(sgf, true);
    } else if (message->kind == MESSAGE_VOID) {
        bytes_drop(&sgf->nodes, sgf->nodes.length);
    }
}

int sgf_write(const char *text, size_t length, struct bytes *out, struct fail *fail) {
    struct sgf *sgf = alloc_zeroed(1, sizeof *sgf);
    sgf->out = out;
    bytes_init(&sgf->nodes, GAME_MAX);
    int status = export_lines(text, length, &sgf->replay, write_line, sgf, fail);
    if (status == 0 && sgf->nodes.length > 0) {
        write_tree(sgf, false);
    }
    bytes_clear(&sgf->nodes);
    free(sgf);
    return status;
}
