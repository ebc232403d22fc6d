#include "record/import_header.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH_MAX = 99, GAMES_MAX = 999, CUBE_LIMIT = 1024, BEAVERS_MAX = 3 };

/* A bot's name of a person's: what a name may not have becomes `_`. */
static void write_name(const struct sheet *sheet, enum side side, char out[NAME_MAX_BYTES + 1]) {
    const char *title = sheet->name[side];
    size_t length = 0;
    for (const char *at = title; *at != '\0' && length < NAME_MAX_BYTES - 2; at++) {
        bool inside = ((unsigned char)*at & 0xC0) == 0x80; /* one `_` for a character */
        bool fits = text_is_name(at, 1) || (strchr("._-", *at) != NULL && length > 0);
        if (!inside) {
            out[length] = fits ? *at : '_';
            length++;
        }
    }
    out[length] = '\0';
    if (!text_is_name(out, length)) {
        char plain[NAME_MAX_BYTES + 1];
        memcpy(plain, out, length + 1);
        snprintf(out, NAME_MAX_BYTES + 1, "%c%.*s", side == SIDE_X ? 'X' : 'Y',
                 (int)NAME_MAX_BYTES - 1, plain);
    }
}

static void set_names(const struct sheet *sheet, struct message *message) {
    static const enum field fields[SIDE_COUNT] = {FIELD_X, FIELD_Y};
    static const enum field titles[SIDE_COUNT] = {FIELD_X_TITLE, FIELD_Y_TITLE};
    char name[SIDE_COUNT][NAME_MAX_BYTES + 1];
    write_name(sheet, SIDE_X, name[SIDE_X]);
    write_name(sheet, SIDE_Y, name[SIDE_Y]);
    if (strcmp(name[SIDE_X], name[SIDE_Y]) == 0) {
        name[SIDE_Y][strlen(name[SIDE_Y]) - 1] = name[SIDE_X][0] == '2' ? '3' : '2';
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        message_set(message, fields[side], name[side]);
        if (sheet->name[side][0] != '\0' && strcmp(name[side], sheet->name[side]) != 0) {
            message_set(message, titles[side], sheet->name[side]);
        }
    }
}

/* What the rows tell of the rules: the highest cube, and how often it was doubled back. */
static void scan_cube(const struct sheet *sheet, int *highest, int *beavers) {
    int in_a_row = 0;
    *highest = 0;
    *beavers = 0;
    for (size_t i = 0; i < sheet->rows; i++) {
        const struct sheet_row *row = &sheet->row[i];
        bool back = row->deed == SHEET_BEAVER ||
                    (row->deed == SHEET_DOUBLE && i > 0 && row[-1].deed == SHEET_DOUBLE &&
                     row[-1].side != row->side);
        in_a_row = back ? in_a_row + 1 : 0;
        *beavers = in_a_row > *beavers ? in_a_row : *beavers;
        if ((row->deed == SHEET_DOUBLE || row->deed == SHEET_BEAVER) && *highest == 0) {
            *highest = 2;
        }
        if (row->deed != SHEET_WINS && row->value > *highest) {
            *highest = row->value;
        }
    }
}

static void set_rule(struct rules *rules, enum option option, int value) {
    if (variant_has_option(rules->variant, option)) {
        rules->value[option] = value;
    }
}

/* Whether a game was won by more than a point while nobody had doubled: not by Jacoby's rule. */
static bool scan_gammon(const struct sheet *sheet) {
    bool doubled = false;
    for (size_t i = 0; i < sheet->rows; i++) {
        const struct sheet_row *row = &sheet->row[i];
        if (row->deed == SHEET_WINS && row->value > 1 && !doubled) {
            return true;
        }
        doubled = row->deed == SHEET_WINS ? false : doubled || row->deed == SHEET_DOUBLE;
    }
    return false;
}

/* Whether the cube of a game does not begin at 1. */
static bool scan_auto_doubles(const struct sheet *sheet) {
    for (size_t i = 0; i < sheet->games; i++) {
        const struct sheet_game *game = &sheet->game[i];
        const struct sheet_row *row = sheet->row + game->first, *end = row + game->count;
        while (row < end && row->deed != SHEET_DOUBLE) {
            row++;
        }
        if (game->cube > 1 || (row < end && row->value > 2)) {
            return true;
        }
    }
    return false;
}

/* The cube as the header has it, or else as the rows show it. */
static void set_cube_rules(const struct sheet *sheet, struct rules *rules) {
    int highest, beavers;
    bool money = rules->value[OPTION_MATCH] == 0;
    scan_cube(sheet, &highest, &beavers);
    bool western = rules->variant->school == SCHOOL_WESTERN;
    if (highest == 0 && (sheet->cube_limit == 1 || (sheet->cube_limit <= 0 && !western))) {
        return;
    }
    set_rule(rules, OPTION_VIDO, 1);
    set_rule(rules, OPTION_VIDO_MAX, CUBE_LIMIT);
    set_rule(rules, OPTION_CRAWFORD, money || sheet->crawford != 0);
    if (money) {
        set_rule(rules, OPTION_JACOBY,
                 sheet->jacoby < 0 ? !scan_gammon(sheet) : sheet->jacoby != 0);
        set_rule(rules, OPTION_BEAVERS, beavers < BEAVERS_MAX ? beavers : BEAVERS_MAX);
    }
    if (money && scan_auto_doubles(sheet)) {
        set_rule(rules, OPTION_AUTO_DOUBLES, BEAVERS_MAX);
    }
}

/* Options that the sheet states by name. */
static void set_own_rules(struct sheet *sheet, struct rules *rules) {
    const char *at = sheet->rules + strspn(sheet->rules, " ");
    while (*at != '\0') {
        char word[40], why[160] = "it is too long";
        size_t length = strcspn(at, " ");
        text_copy(word, sizeof word, at, length);
        size_t name = strcspn(word, "=");
        int option = option_find(word, name);
        bool good = option >= 0 && sheet_needs_rule((enum option)option) && word[name] == '=';
        word[name] = '\0';
        if (!good || rules_set(rules, word, word + name + 1, why) != 0) {
            sheet_find(sheet, 0, FINDING_UNREAD, "the rule \"%.40s\" is not known", word);
        }
        at += length;
        at += strspn(at, " ");
    }
}

/* The rules the sheet was played by. Legs may stand in any order, as these programs write them,
 * and a side may resign. */
static void make_rules(struct sheet *sheet, struct rules *rules) {
    int length = sheet->length < 0 ? 0 : sheet->length;
    rules_init(rules, sheet->variant);
    set_own_rules(sheet, rules);
    if (length > LENGTH_MAX) {
        sheet_find(sheet, 0, FINDING_INCONSISTENT, "a match to %d points: read as one to %d",
                   length, (int)LENGTH_MAX);
        length = LENGTH_MAX;
    }
    if (length == 0 && sheet->variant->school != SCHOOL_WESTERN) {
        length = 1;
    }
    set_rule(rules, OPTION_MATCH, length);
    if (length == 0) {
        size_t games = sheet->games < 1 ? 1 : sheet->games;
        set_rule(rules, OPTION_GAMES, games > GAMES_MAX ? GAMES_MAX : (int)games);
    }
    set_rule(rules, OPTION_PLAY_CHECK, PLAY_CHECK_FINAL);
    set_rule(rules, OPTION_RESIGN, 1);
    set_cube_rules(sheet, rules);
}

void import_header(struct sheet *sheet, const struct hash *hash, struct message *message) {
    struct rules rules;
    char hex[2 * HASH_BYTES + 1];
    make_rules(sheet, &rules);
    text_hex(hash->byte, HASH_BYTES, hex);
    message_init(message, MESSAGE_RECORD);
    message_set_int(message, FIELD_TABLE, 1);
    message_set_int(message, FIELD_HAKEM, 1);
    message_set(message, FIELD_UNIT, "U000001");
    message_set_print(message, FIELD_EVENT, "%.40s#%s",
                      sheet->event[0] != '\0' ? sheet->event : "import", hex);
    message_set(message, FIELD_VARIANT, rules.variant->name);
    message_set(message, FIELD_SOURCE, dice_source_name(DICE_IMPORTED));
    message_set(message, FIELD_COMMIT, hex);
    message_set(message, FIELD_PAIRING, "independent");
    set_names(sheet, message);
    if (sheet->date[0] != '\0') {
        message_set(message, FIELD_DATE, sheet->date);
    }
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (rules_states(&rules, (enum option)option)) {
            message_set_option(message, (enum option)option, rules.value[option]);
        }
    }
}
