#include "record/mat_read.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum {
    RIGHT_FROM = 20, /* a lone cell that begins here or later is the right one */
    TAB_WIDTH = 8,
    CELLS_MAX = 4, /* of a row: one each, and the words on who won beside them */
    POINTS_MAX = 100000,
    ESCAPED_MAX = 80,
    ROW_MAX = 65536 /* bytes of a line */
};

struct mat_reader {
    struct sheet *sheet;
    unsigned line;     /* number of the line at hand */
    bool awaits_names; /* the line before said "Game 3" */
    bool has_game;     /* names were read: rows may follow */
};

/* A piece of a line. */
struct slice {
    const char *at, *end;
};

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\f' || byte == '\v';
}

static struct slice trim(struct slice slice) {
    while (slice.at < slice.end && is_blank(*slice.at)) {
        slice.at++;
    }
    while (slice.at < slice.end && is_blank(slice.end[-1])) {
        slice.end--;
    }
    return slice;
}

static size_t slice_length(struct slice slice) {
    return (size_t)(slice.end - slice.at);
}

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* Takes a number of at most POINTS_MAX; -1 when none stands there. A longer one is clamped. */
static int take_number(struct slice *slice) {
    int number = -1;
    while (slice->at < slice->end && is_digit(*slice->at)) {
        number = (number < 0 ? 0 : number) * 10 + (*slice->at++ - '0');
        number = number > POINTS_MAX ? POINTS_MAX : number;
    }
    return number;
}

/* Takes a word in any case, if it stands there. */
static bool take_word(struct slice *slice, const char *word) {
    size_t length = strlen(word);
    if (slice_length(*slice) < length || !text_same_fold(slice->at, length, word, length)) {
        return false;
    }
    slice->at += length;
    return true;
}

static void skip_blanks(struct slice *slice) {
    while (slice->at < slice->end && is_blank(*slice->at)) {
        slice->at++;
    }
}

static void find_unread(struct mat_reader *reader, struct slice slice) {
    char escaped[ESCAPED_MAX];
    sheet_find(reader->sheet, reader->line, FINDING_UNREAD, "\"%s\" says nothing to us",
               text_escape(slice.at, slice_length(slice), escaped, sizeof escaped));
}

static int read_switch(struct slice value) {
    return take_word(&value, "on") ? 1 : take_word(&value, "off") ? 0 : -1;
}

/* "2024.06.30" as the day of a record's date; "12.57" as its time. */
static void read_date(struct sheet *sheet, struct slice value) {
    int year = take_number(&value);
    value.at += value.at < value.end;
    int month = take_number(&value);
    value.at += value.at < value.end;
    int day = take_number(&value);
    if (year >= 1000 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31) {
        snprintf(sheet->date, sizeof sheet->date, "%04d-%02d-%02dT00:00:00Z", year, month, day);
    }
}

static void read_time(struct sheet *sheet, struct slice value) {
    int hour = take_number(&value);
    value.at += value.at < value.end;
    int minute = take_number(&value);
    if (sheet->date[0] != '\0' && hour >= 0 && hour < 24 && minute >= 0 && minute < 60) {
        snprintf(sheet->date + strlen("2024-06-30T"), 10, "%02d:%02d:00Z", hour, minute);
    }
}

static void read_variation(struct mat_reader *reader, struct slice value) {
    for (int id = 0; id < VARIANT_COUNT; id++) {
        const struct variant *row = variant_row((enum variant_id)id);
        if (text_same_fold(value.at, slice_length(value), row->title, strlen(row->title)) ||
            text_same_fold(value.at, slice_length(value), row->name, strlen(row->name))) {
            reader->sheet->variant = row;
            return;
        }
    }
    char escaped[ESCAPED_MAX];
    sheet_find(reader->sheet, reader->line, FINDING_UNREAD,
               "the variation \"%s\" is not known: read as backgammon",
               text_escape(value.at, slice_length(value), escaped, sizeof escaped));
}

/* `; [Key "value"]`. Other keys than these say nothing that a record has. */
static void read_header(struct mat_reader *reader, struct slice line) {
    struct sheet *sheet = reader->sheet;
    line.at++;
    skip_blanks(&line);
    if (take_word(&line, "set pos")) {
        sheet_find(sheet, reader->line, FINDING_UNREAD,
                   "a position that was set up: the game is read from the usual start");
        return;
    }
    const char *quote = memchr(line.at, '"', slice_length(line));
    if (!take_word(&line, "[") || quote == NULL) {
        return;
    }
    struct slice key = trim((struct slice){line.at, quote});
    struct slice value = {quote + 1, line.end};
    while (value.end > value.at && *--value.end != '"') {
    }
    if (take_word(&key, "eventdate")) {
        read_date(sheet, value);
    } else if (take_word(&key, "eventtime")) {
        read_time(sheet, value);
    } else if (take_word(&key, "event")) {
        text_copy(sheet->event, sizeof sheet->event, value.at, slice_length(value));
    } else if (take_word(&key, "variation")) {
        read_variation(reader, value);
    } else if (take_word(&key, "rules")) {
        text_copy(sheet->rules, sizeof sheet->rules, value.at, slice_length(value));
    } else if (take_word(&key, "crawford")) {
        sheet->crawford = read_switch(value);
    } else if (take_word(&key, "jacoby")) {
        sheet->jacoby = read_switch(value);
    } else if (take_word(&key, "beaver")) {
        sheet->beavers = read_switch(value);
    } else if (take_word(&key, "cubelimit")) {
        sheet->cube_limit = take_number(&value);
    }
}

/* " 7 point match". */
static bool read_length(struct mat_reader *reader, struct slice line) {
    int length = take_number(&line);
    skip_blanks(&line);
    if (length < 0 || !take_word(&line, "point")) {
        return false;
    }
    skip_blanks(&line);
    if (!take_word(&line, "match")) {
        return false;
    }
    reader->sheet->length = length;
    reader->sheet->known = true;
    return true;
}

/* " Game 3"; a star or more may follow. */
static bool read_game(struct mat_reader *reader, struct slice line) {
    if (!take_word(&line, "game")) {
        return false;
    }
    skip_blanks(&line);
    reader->awaits_names = take_number(&line) >= 0;
    return reader->awaits_names;
}

/* Cuts "name : 3" at its score; GridGammon puts a rating behind the name ("name,1837"). */
static int cut_score(struct slice *name) {
    const char *colon = name->end;
    while (colon > name->at && *--colon != ':') {
    }
    if (colon == name->at) {
        return -1;
    }
    struct slice number = trim((struct slice){colon + 1, name->end});
    int score = take_number(&number);
    *name = trim((struct slice){name->at, colon});
    const char *comma = name->end;
    while (comma > name->at && is_digit(comma[-1])) {
        comma--;
    }
    if (comma < name->end && comma - 1 > name->at && comma[-1] == ',') {
        name->end = comma - 1;
    }
    return score;
}

/* Where the left name with its score ends: behind the first ": digits", or at a wide gap. */
static const char *find_middle(struct slice line) {
    for (const char *at = line.at; at < line.end; at++) {
        struct slice rest = {at + 1, line.end};
        skip_blanks(&rest);
        if (*at == ':' && rest.at < line.end && is_digit(*rest.at)) {
            take_number(&rest);
            return rest.at;
        }
    }
    for (const char *at = line.at; at + 1 < line.end; at++) {
        if (is_blank(at[0]) && is_blank(at[1])) {
            return at;
        }
    }
    return NULL;
}

/* " alpha : 0                      beta : 2", or the two names alone in a .gam. */
static bool read_names(struct mat_reader *reader, struct slice line) {
    struct sheet *sheet = reader->sheet;
    const char *middle = find_middle(line);
    if (middle == NULL) {
        return false;
    }
    struct slice name[SIDE_COUNT] = {trim((struct slice){line.at, middle}),
                                     trim((struct slice){middle, line.end})};
    struct sheet_game *game = sheet_add_game(sheet, reader->line);
    for (int side = 0; side < SIDE_COUNT && game != NULL; side++) {
        game->score[side] = cut_score(&name[side]);
        if (sheet->name[side][0] == '\0') {
            text_copy(sheet->name[side], sizeof sheet->name[side], name[side].at,
                       slice_length(name[side]));
        }
    }
    reader->awaits_names = false;
    reader->has_game = game != NULL;
    return true;
}

/* The words with which a cell begins, dice apart. */
static const struct {
    const char *word;
    enum sheet_deed deed;
} words[] = {{"doubles", SHEET_DOUBLE},   {"redoubles", SHEET_DOUBLE}, {"beavers", SHEET_BEAVER},
             {"raccoons", SHEET_BEAVER},  {"takes", SHEET_TAKE},       {"accepts", SHEET_TAKE},
             {"drops", SHEET_DROP},       {"passes", SHEET_DROP},      {"rejects", SHEET_DROP},
             {"wins", SHEET_WINS}};

static bool begins_throw(struct slice rest) {
    return slice_length(rest) >= 3 && rest.at[0] >= '1' && rest.at[0] <= '6' &&
           rest.at[1] >= '1' && rest.at[1] <= '6' && rest.at[2] == ':';
}

static int find_word(struct slice *rest) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (take_word(rest, words[i].word)) {
            return (int)i;
        }
    }
    return -1;
}

static bool begins_cell(struct slice rest) {
    return begins_throw(rest) || find_word(&rest) >= 0 || take_word(&rest, "losses");
}

struct cell {
    struct slice text;
    size_t column; /* from 0, of its first byte, tabs spread */
};

/* Cuts a row into its cells; returns how many. */
static int cut_cells(struct slice line, size_t column, struct cell cell[CELLS_MAX]) {
    int count = 0;
    bool fresh = true; /* a blank, or the row's number, stands before */
    for (; line.at < line.end; line.at++) {
        if (fresh && count < CELLS_MAX && begins_cell(line)) {
            if (count > 0) {
                cell[count - 1].text.end = line.at;
            }
            cell[count++] = (struct cell){line, column};
        }
        fresh = is_blank(*line.at);
        column += *line.at == '\t' ? TAB_WIDTH - column % TAB_WIDTH : 1;
    }
    return count;
}

/* What stands behind the dice. */
static void read_play(struct mat_reader *reader, struct sheet_row *row, struct slice play) {
    play = trim(play);
    struct slice words_of = play;
    if (slice_length(play) == 0) {
        row->how = SHEET_BARE;
    } else if (take_word(&words_of, "cannot move") || take_word(&words_of, "can't move") ||
               take_word(&words_of, "dance") || take_word(&words_of, "0/0")) {
        row->how = SHEET_DANCED;
    } else if (take_word(&words_of, "??") || take_word(&words_of, "illegal")) {
        row->how = SHEET_LOST;
    } else {
        row->how = SHEET_PLAYED;
        row->play = (size_t)(play.at - reader->sheet->text.data);
        row->length = slice_length(play);
    }
}

static void read_cell(struct mat_reader *reader, struct slice cell, enum side side) {
    struct slice rest = cell;
    if (begins_throw(cell)) {
        struct sheet_row *row = sheet_add_row(reader->sheet, SHEET_THROW, side, reader->line);
        if (row != NULL) {
            row->dice[0] = (uint8_t)(cell.at[0] - '0');
            row->dice[1] = (uint8_t)(cell.at[1] - '0');
            rest.at += strlen("31:");
            read_play(reader, row, rest);
        }
        return;
    }
    int word = find_word(&rest);
    if (word < 0) {
        return; /* "Losses 3 point" says what the winner's cell says */
    }
    struct sheet_row *row = sheet_add_row(reader->sheet, words[word].deed, side, reader->line);
    while (rest.at < rest.end && (is_blank(*rest.at) || *rest.at == '=' || *rest.at == '>')) {
        rest.at++;
    }
    int value = take_number(&rest);
    if (row != NULL) {
        row->value = value < 0 ? 0 : value;
    }
}

/* Where a row ends: BackgammonGalaxy now and then forgets the line end before the next number. */
static const char *find_row_end(struct slice line) {
    bool begun = false; /* something but the row's own number has been seen */
    for (const char *at = line.at; at < line.end; at++) {
        struct slice rest = {at, line.end};
        if (begun && is_blank(at[-1]) && take_number(&rest) >= 0 && rest.at < line.end &&
            *rest.at == ')') {
            return at;
        }
        begun = begun || !is_blank(*at);
    }
    return line.end;
}

/* "  3) 31: 8/5 6/5               42: 8/4 6/4", or a line on who won. */
static bool read_row(struct mat_reader *reader, struct slice line) {
    struct slice rest = line;
    struct cell cell[CELLS_MAX];
    size_t column = 0;
    skip_blanks(&rest);
    const char *number = rest.at;
    if (take_number(&rest) >= 0 && rest.at < rest.end && *rest.at == ')') {
        rest.at++;
    } else {
        rest.at = number;
    }
    for (const char *at = line.at; at < rest.at; at++) {
        column += *at == '\t' ? TAB_WIDTH - column % TAB_WIDTH : 1;
    }
    bool numbered = rest.at > number;
    int count = cut_cells(rest, column, cell);
    if (count == 0) {
        return numbered && slice_length(trim(rest)) == 0;
    }
    reader->sheet->known = reader->sheet->known || numbered;
    for (int i = 0; i < count; i++) {
        bool right = count == 1 ? cell[0].column >= RIGHT_FROM : i > 0;
        read_cell(reader, cell[i].text, right ? SIDE_Y : SIDE_X);
    }
    return true;
}

/* The rows of a line: one, as a rule. */
static bool read_rows(struct mat_reader *reader, struct slice line) {
    bool good = true;
    while (good && line.at < line.end) {
        struct slice row = {line.at, find_row_end(line)};
        good = read_row(reader, row);
        line.at = row.end;
    }
    return good;
}

static void read_line(struct mat_reader *reader, struct slice whole) {
    struct slice line = trim(whole);
    if (slice_length(line) == 0) {
        return;
    }
    if (slice_length(line) > ROW_MAX) {
        sheet_find(reader->sheet, reader->line, FINDING_UNREAD, "a line of %zu bytes: %d are most",
                   slice_length(line), (int)ROW_MAX);
        return;
    }
    if (*line.at == ';' || *line.at == '#') {
        read_header(reader, line);
        return;
    }
    if (reader->awaits_names && read_names(reader, line)) {
        return;
    }
    if (read_length(reader, line) || read_game(reader, line) ||
        (reader->has_game && read_rows(reader, whole)) ||
        (!reader->has_game && read_names(reader, line))) {
        return;
    }
    find_unread(reader, line);
}

void mat_read(const char *text, size_t length, struct sheet *sheet) {
    struct mat_reader reader = {.sheet = sheet};
    sheet_decode(&sheet->text, text, length);
    struct slice all = {sheet->text.data, sheet->text.data + sheet->text.length};
    while (all.at < all.end) {
        struct slice line = {all.at, all.at};
        while (line.end < all.end && *line.end != '\n' && *line.end != '\r') {
            line.end++;
        }
        all.at = line.end;
        if (all.at + 1 < all.end && all.at[0] == '\r' && all.at[1] == '\n') {
            all.at++;
        }
        all.at += all.at < all.end;
        reader.line++;
        read_line(&reader, line);
    }
    if (sheet->games == 0 || !sheet->known) {
        sheet_refuse(sheet, "no game was found");
    }
}
