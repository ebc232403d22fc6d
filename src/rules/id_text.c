#include "rules/id_text.h"

#include "rules/result.h"

enum { WHY_MAX = 160, DIGITS_MAX = 5 };

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static struct reader trimmed(struct reader reader) {
    while (reader.at < reader.end && is_blank(*reader.at)) {
        reader.at++;
    }
    while (reader.at < reader.end && is_blank(reader.end[-1])) {
        reader.end--;
    }
    return reader;
}

void id_text_cut(struct id_text *id, const char *text, size_t length, const char *prefix) {
    struct reader rest = trimmed((struct reader){text, text + length});
    reader_take(&rest, prefix);
    for (id->count = 0; id->count < ID_FIELDS_MAX; rest.at++) {
        struct reader field = {rest.at, rest.at};
        while (rest.at < rest.end && *rest.at != ':') {
            rest.at++;
        }
        field.end = rest.at;
        id->field[id->count++] = trimmed(field);
        if (rest.at == rest.end) {
            return;
        }
    }
}

int id_text_refuse(const struct id_text *id, int at, const char *wanted) {
    struct words words = words_begin(id->why, WHY_MAX);
    struct reader field = id->field[at];
    words_add(&words, id->field_name(at));
    words_add(&words, " of ");
    words_add(&words, id->name);
    words_add(&words, " is ");
    words_add(&words, wanted);
    words_add(&words, ", not ");
    words_add_quoted(&words, field.at, (size_t)(field.end - field.at));
    return -1;
}

/* Reads decimal digits, a minus before them allowed; false when it is no such number. */
static bool read_number(struct reader field, int *out) {
    bool minus = reader_take(&field, "-");
    int number = 0;
    if (field.at == field.end || field.end - field.at > DIGITS_MAX) {
        return false;
    }
    for (; field.at < field.end; field.at++) {
        if (*field.at < '0' || *field.at > '9') {
            return false;
        }
        number = number * 10 + (*field.at - '0');
    }
    *out = minus ? -number : number;
    return true;
}

int id_text_number(const struct id_text *id, int at, const int range[2], int *out) {
    char wanted[40];
    if (read_number(id->field[at], out) && *out >= range[0] && *out <= range[1]) {
        return 0;
    }
    struct words words = words_begin(wanted, sizeof wanted);
    words_add(&words, "a number from ");
    id_text_add_number(&words, range[0]);
    words_add(&words, " to ");
    id_text_add_number(&words, range[1]);
    return id_text_refuse(id, at, wanted);
}

int id_text_no_room(const char *name, const char *thing, char why[160]) {
    struct words words = words_begin(why, WHY_MAX);
    words_add(&words, name);
    words_add(&words, " cannot hold ");
    words_add(&words, thing);
    return -1;
}

int id_text_needs_opposed(const struct rules *rules, const char *name, char why[160]) {
    if (rules->variant->path == PATH_OPPOSED) {
        return 0;
    }
    struct words words = words_begin(why, WHY_MAX);
    words_add(&words, name);
    words_add(&words, " cannot hold a game in which both sides run the same way, such as ");
    words_add(&words, rules->variant->name);
    return -1;
}

int id_text_needs_plain(const struct match_position *position, const char *name, char why[160]) {
    if (position->phase != GAME_PLAYING) {
        return id_text_no_room(name, "a game that is not being played", why);
    }
    if (position->resigning > 0) {
        return id_text_no_room(name, "a resignation", why);
    }
    if (position->score[SIDE_X] % POINT_HALVES != 0 ||
        position->score[SIDE_Y] % POINT_HALVES != 0) {
        return id_text_no_room(name, "half points", why);
    }
    return 0;
}

int id_text_points(const struct match_position *position, enum side side) {
    return position->score[side] / POINT_HALVES;
}

void id_text_add_number(struct words *words, int number) {
    if (number < 0) {
        words_add_char(words, '-');
    }
    words_add_number(words, number < 0 ? -number : number);
}

void id_text_add_field(struct words *words, int number) {
    words_add_char(words, ':');
    id_text_add_number(words, number);
}

void id_text_rest_off(uint8_t men[POINT_COUNT], int checkers) {
    for (int place = 1; place <= POINT_BAR; place++) {
        checkers -= men[place];
    }
    men[POINT_OFF] = checkers > 0 ? (uint8_t)checkers : 0;
}
