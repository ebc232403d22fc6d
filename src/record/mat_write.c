#include "record/export.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns: "  1) ", the left cell, a blank, the right cell. */
enum { LEFT_WIDTH = 27, RIGHT_COLUMN = 33, CELL_ROOM = PLAY_TEXT_MAX + 8, MAT_MAX = 8 << 20 };

struct mat {
    struct bytes *out;
    struct replay replay;
    struct bytes game;    /* rows of the running game, kept back: it may turn out void */
    char left[CELL_ROOM]; /* the left cell of the row that is open */
    bool open;            /* a row has its left cell and awaits the right one */
    size_t last_cell;     /* where the last right cell begins in `game` */
    bool beavered;        /* the double that is out was doubled back */
    char lost[3];         /* the throw that was not played, where the game was given up on one */
    unsigned row;
};

/* A value of a header line; quotes would end it. */
static void add_header(struct bytes *out, const char *key, const char *value, size_t length) {
    bytes_print(out, "; [%s \"", key);
    for (size_t i = 0; i < length; i++) {
        bytes_add(out, value[i] == '"' ? "'" : value + i, 1);
    }
    bytes_add_text(out, "\"]\n");
}

/* "2026-11-30T18:49:49Z" as the 2026.11.30 and 18.49 of .mat files. */
static void add_date(struct bytes *out, const char *date) {
    int year, month, day, hour, minute;
    if (sscanf(date, "%4d-%2d-%2dT%2d:%2d", &year, &month, &day, &hour, &minute) == 5) {
        bytes_print(out, "; [EventDate \"%04d.%02d.%02d\"]\n", year, month, day);
        bytes_print(out, "; [EventTime \"%02d.%02d\"]\n", hour, minute);
    }
}

static void add_switch(struct bytes *out, const char *key, bool on) {
    add_header(out, key, on ? "On" : "Off", on ? 2 : 3);
}

/* CubeLimit 1 is the way to say that there is no cube. */
static void add_cube(struct bytes *out, const struct rules *rules) {
    const int *value = rules->value;
    bool money = value[OPTION_MATCH] == 0;
    char limit[16] = "1";
    if (value[OPTION_VIDO]) {
        option_write(OPTION_VIDO_MAX, value[OPTION_VIDO_MAX], limit);
        add_switch(out, money ? "Jacoby" : "Crawford",
                   value[money ? OPTION_JACOBY : OPTION_CRAWFORD] != 0);
    }
    if (value[OPTION_VIDO] && money) {
        add_switch(out, "Beaver", value[OPTION_BEAVERS] > 0);
    }
    add_header(out, "CubeLimit", limit, strlen(limit));
}

/* The options that no other program knows; none as a rule. */
static void add_rules(struct bytes *out, const struct rules *rules) {
    char text[HEADER_TEXT_MAX];
    export_rules(rules, ' ', text);
    if (text[0] != '\0') {
        add_header(out, "Rules", text, strlen(text));
    }
}

static void write_header(struct mat *mat) {
    const struct record_header *header = &mat->replay.header;
    struct bytes *out = mat->out;
    const char *title = header->rules.variant->title;
    char id[UNIT_NAME_MAX + 16];
    snprintf(id, sizeof id, "%s.%d", header->unit, header->leg);
    add_header(out, "Site", "hakem", strlen("hakem"));
    add_header(out, "Match ID", id, strlen(id));
    add_header(out, "Event", header->event, strcspn(header->event, "#"));
    for (int side = 0; side < SIDE_COUNT; side++) {
        const char *name = export_name(header, (enum side)side);
        add_header(out, side == SIDE_X ? "Player 1" : "Player 2", name, strlen(name));
    }
    add_date(out, header->date);
    add_header(out, "Variation", title, strlen(title));
    add_cube(out, &header->rules);
    add_rules(out, &header->rules);
    bytes_print(out, "\n %d point match\n", mat->replay.match.length);
}

static void start_game(struct mat *mat) {
    const struct replay *replay = &mat->replay;
    char score[SIDE_COUNT][SCORE_TEXT_MAX];
    char left[HEADER_TEXT_MAX + SCORE_TEXT_MAX + 4];
    score_write(replay->match.score[SIDE_X], score[SIDE_X]);
    score_write(replay->match.score[SIDE_Y], score[SIDE_Y]);
    snprintf(left, sizeof left, "%s : %s", export_name(&replay->header, SIDE_X), score[SIDE_X]);
    bytes_drop(&mat->game, mat->game.length);
    bytes_print(&mat->game, "\n Game %u\n %-*s  %s : %s\n", replay->game, RIGHT_COLUMN - 3, left,
                export_name(&replay->header, SIDE_Y), score[SIDE_Y]);
    mat->row = 0;
    mat->lost[0] = '\0';
    mat->beavered = false;
    mat->open = false;
}

/* Ends a row that has no right cell. */
static void close_row(struct mat *mat) {
    if (mat->open) {
        bytes_print(&mat->game, "%s\n", mat->left);
        mat->open = false;
    }
}

/* Puts a cell into its column; a left cell is held back, so that no blank trails. */
static void put_cell(struct mat *mat, enum side side, const char *cell) {
    if (side == SIDE_X) {
        close_row(mat);
        snprintf(mat->left, sizeof mat->left, "%s", cell);
        bytes_print(&mat->game, "%3u) ", ++mat->row);
        mat->open = true;
        return;
    }
    if (!mat->open) {
        mat->left[0] = '\0';
        bytes_print(&mat->game, "%3u) ", ++mat->row);
    }
    /* two blanks at least: some readers cut the row there */
    int width = (int)strlen(mat->left) < LEFT_WIDTH ? LEFT_WIDTH + 1 : (int)strlen(mat->left) + 2;
    bytes_print(&mat->game, "%-*s", width, mat->left);
    mat->last_cell = mat->game.length;
    bytes_print(&mat->game, "%s\n", cell);
    mat->open = false;
}

/* A beaver that is dropped: GNU Backgammon goes astray in the game behind it, and reads the same
 * points where the double is taken and the game given up. */
static void drop_beaver(struct mat *mat) {
    static const char taken[] = " Takes";
    if (mat->open) {
        snprintf(mat->left, sizeof mat->left, "%s", taken);
    } else {
        mat->game.length = mat->last_cell;
        bytes_print(&mat->game, "%s\n", taken);
    }
}

/* A double and its answer. A beaver is taken by going on, as readers expect it; offers to
 * resign have no cell: one that was accepted shows as points without an end. */
static void write_act(struct mat *mat, const struct replay_ply *ply) {
    char cell[CELL_ROOM];
    if (ply->act == ACT_DOUBLE || ply->act == ACT_BEAVER) {
        bool raccoon = ply->act == ACT_BEAVER && mat->beavered;
        snprintf(cell, sizeof cell, " %s => %d",
                 ply->act == ACT_DOUBLE ? "Doubles"
                 : raccoon              ? "Raccoons"
                                        : "Beavers",
                 ply->value);
        mat->beavered = ply->act == ACT_BEAVER;
        put_cell(mat, ply->seat, cell);
    } else if (ply->act == ACT_RESIGN && ply->thrown) {
        export_dice(ply->dice, mat->lost);
    } else if (ply->act == ACT_DROP && mat->beavered) {
        drop_beaver(mat);
    } else if (ply->act == ACT_DROP || (ply->act == ACT_TAKE && !mat->beavered)) {
        put_cell(mat, ply->seat, ply->act == ACT_DROP ? " Drops" : " Takes");
    }
}

/* Dice with the high one first, legs as they were played; "65:" for a dance. */
static void write_ply(struct mat *mat) {
    const struct replay_ply *ply = &mat->replay.ply;
    if (ply->act != ACT_PLAY) {
        write_act(mat, ply);
        return;
    }
    char play[PLAY_TEXT_MAX];
    char cell[CELL_ROOM];
    char dice[3];
    export_dice(ply->dice, dice);
    play_write(&ply->play, ' ', false, play);
    snprintf(cell, sizeof cell, "%s:%s%s", dice, play[0] != '\0' ? " " : "", play);
    put_cell(mat, ply->seat, cell);
}

/* A game given up before anything was played, or after a take beside which nothing stands
 * yet: readers want to see the throw, or they take the win for a second double. */
static void write_lost_throw(struct mat *mat) {
    char cell[CELL_ROOM];
    bool taken = mat->open && strcmp(mat->left, " Takes") == 0;
    if ((taken || mat->row == 0) && mat->lost[0] != '\0') {
        snprintf(cell, sizeof cell, "%s: ????", mat->lost);
        put_cell(mat, mat->replay.turn, cell);
    }
}

/* The game's rows go out; without a winner there is no `Wins` row. */
static void end_game(struct mat *mat) {
    const struct replay_result *result = &mat->replay.result;
    bool dropped = mat->open && mat->replay.ply.act == ACT_DROP && !mat->beavered;
    if (!dropped) {
        write_lost_throw(mat);
        close_row(mat);
    }
    if (result->winner >= 0) {
        char points[SCORE_TEXT_MAX];
        int winner;
        bool over = match_over(&mat->replay.match, &winner) && mat->replay.match.length > 0;
        score_write(result->half_points, points);
        char cell[CELL_ROOM];
        snprintf(cell, sizeof cell, " Wins %s point%s%s", points,
                 result->half_points == POINT_HALVES ? "" : "s", over ? " and the match" : "");
        if (dropped) { /* beside the drop, or readers take the win for a second resignation */
            put_cell(mat, SIDE_Y, cell);
        } else {
            bytes_print(&mat->game, "%*s%s\n", result->winner == SIDE_X ? 5 : RIGHT_COLUMN, "",
                        cell);
        }
    }
    bytes_add(mat->out, mat->game.data, mat->game.length);
    bytes_drop(&mat->game, mat->game.length);
}

static void write_line(void *owner, const struct message *message) {
    struct mat *mat = owner;
    enum message_kind kind = message->kind;
    if (kind == MESSAGE_RECORD) {
        write_header(mat);
    } else if (kind == MESSAGE_GAME) {
        start_game(mat);
    } else if (kind == MESSAGE_DID) {
        write_ply(mat);
    } else if (kind == MESSAGE_FAULT && message_has(message, FIELD_DICE)) {
        const char *dice = message_text(message, FIELD_DICE);
        const uint8_t thrown[2] = {(uint8_t)(dice[0] - '0'), (uint8_t)(dice[1] - '0')};
        export_dice(thrown, mat->lost);
    } else if (kind == MESSAGE_RESULT) {
        end_game(mat);
    } else if (kind == MESSAGE_VOID) {
        bytes_drop(&mat->game, mat->game.length);
    }
}

int mat_write(const char *text, size_t length, struct bytes *out, struct fail *fail) {
    struct mat *mat = alloc_zeroed(1, sizeof *mat);
    mat->out = out;
    bytes_init(&mat->game, MAT_MAX);
    int status = export_lines(text, length, &mat->replay, write_line, mat, fail);
    if (status == 0 && mat->game.length > 0) { /* the game that ran when the record stopped */
        close_row(mat);
        bytes_add(mat->out, mat->game.data, mat->game.length);
    }
    bytes_clear(&mat->game);
    free(mat);
    return status;
}
