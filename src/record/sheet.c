#include "record/sheet.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sheet_init(struct sheet *sheet) {
    *sheet = (struct sheet){.variant = variant_row(VARIANT_WESTERN),
                            .length = -1,
                            .crawford = -1,
                            .jacoby = -1,
                            .beavers = -1};
    bytes_init(&sheet->text, SHEET_TEXT_MAX);
}

void sheet_clear(struct sheet *sheet) {
    bytes_clear(&sheet->text);
    free(sheet->row);
    free(sheet->game);
    free(sheet->findings.row);
}

static bool is_utf8(const char *text, size_t length) {
    size_t next;
    for (size_t at = 0; at < length; at += next) {
        next = text_utf8_next(text + at, length - at);
        if (next == 0) {
            return false;
        }
    }
    return true;
}

/* ISO 8859-9 has six letters that Latin-1 has not, where that has Icelandic ones. */
static unsigned latin5(unsigned char byte) {
    static const struct {
        unsigned char byte;
        unsigned code;
    } turkish[] = {{0xD0, 0x11E}, {0xDD, 0x130}, {0xDE, 0x15E},
                   {0xF0, 0x11F}, {0xFD, 0x131}, {0xFE, 0x15F}};
    for (size_t i = 0; i < sizeof turkish / sizeof turkish[0]; i++) {
        if (turkish[i].byte == byte) {
            return turkish[i].code;
        }
    }
    return byte;
}

void sheet_decode(struct bytes *out, const char *text, size_t length) {
    static const char mark[] = "\xEF\xBB\xBF";
    if (length >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (is_utf8(text, length)) {
        bytes_add(out, text, length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned code = latin5((unsigned char)text[i]);
        char two[2] = {(char)(0xC0 | code >> 6), (char)(0x80 | (code & 0x3F))};
        bytes_add(out, code < 0x80 ? text + i : two, code < 0x80 ? 1 : 2);
    }
}

bool sheet_needs_rule(enum option option) {
    return (option >= OPTION_MUST_MAX && option <= OPTION_WIN_ENDS_TURN) ||
           (option >= OPTION_BEAROFF && option <= OPTION_UNBLOCK);
}

/* Room for one more of `size` bytes; false past the ceiling. */
static bool make_room(void **array, size_t count, size_t *allotted, size_t most, size_t size) {
    if (count == most) {
        return false;
    }
    *array = alloc_more(*array, count, allotted, size);
    return true;
}

struct sheet_game *sheet_add_game(struct sheet *sheet, unsigned line) {
    void *array = sheet->game;
    bool room = make_room(&array, sheet->games, &sheet->games_allotted, SHEET_GAMES_MAX,
                          sizeof *sheet->game);
    sheet->game = array;
    if (!room) {
        sheet_find(sheet, line, FINDING_UNREAD, "more than %d games", (int)SHEET_GAMES_MAX);
        return NULL;
    }
    struct sheet_game *game = &sheet->game[sheet->games++];
    *game = (struct sheet_game){
        .line = line, .score = {-1, -1}, .cube = 1, .first = sheet->rows};
    return game;
}

struct sheet_row *sheet_add_row(struct sheet *sheet, enum sheet_deed deed, enum side side,
                                unsigned line) {
    void *array = sheet->row;
    bool room =
        make_room(&array, sheet->rows, &sheet->rows_allotted, SHEET_ROWS_MAX, sizeof *sheet->row);
    sheet->row = array;
    if (!room || sheet->games == 0) {
        sheet_find(sheet, line, FINDING_UNREAD, room ? "stands before the first game"
                                                     : "more rows than any match has");
        return NULL;
    }
    struct sheet_row *row = &sheet->row[sheet->rows++];
    *row = (struct sheet_row){.deed = deed, .side = side, .line = line};
    sheet->game[sheet->games - 1].count++;
    return row;
}

void sheet_vfind(struct sheet *sheet, unsigned line, enum finding_kind kind, const char *format,
                 va_list args) {
    struct findings *findings = &sheet->findings;
    void *array = findings->row;
    bool room = make_room(&array, findings->count, &findings->allotted, SHEET_FINDINGS_MAX,
                          sizeof *findings->row);
    findings->row = array;
    if (!room) {
        findings->beyond++;
        return;
    }
    struct finding *finding = &findings->row[findings->count++];
    *finding = (struct finding){.line = line, .kind = kind};
    vsnprintf(finding->text, sizeof finding->text, format, args);
}

void sheet_find(struct sheet *sheet, unsigned line, enum finding_kind kind, const char *format,
                ...) {
    va_list args;
    va_start(args, format);
    sheet_vfind(sheet, line, kind, format, args);
    va_end(args);
}

void sheet_refuse(struct sheet *sheet, const char *why) {
    sheet->games = 0;
    sheet->rows = 0;
    sheet->findings.count = 0;
    sheet->findings.beyond = 0;
    sheet_find(sheet, 0, FINDING_MISSING, "%s", why);
}

const char *finding_kind_name(enum finding_kind kind) {
    static const char *const names[] = {
        [FINDING_UNREAD] = "unread",
        [FINDING_ILLEGAL] = "illegal",
        [FINDING_MISSING] = "missing",
        [FINDING_INCONSISTENT] = "inconsistent",
    };
    return names[kind];
}
