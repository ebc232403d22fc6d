#include "arena/place.h"

#include <stdbool.h>
#include <string.h>

struct walk {
    const char *text;
    size_t length;
    size_t at;
    int line;
};

/* Over blanks and comments to the next byte that counts; false at the end. */
static bool skip_blanks(struct walk *walk) {
    while (walk->at < walk->length) {
        char c = walk->text[walk->at];
        if (c == '/') {
            while (walk->at < walk->length && walk->text[walk->at] != '\n') {
                walk->at++;
            }
        } else if (c == '\n') {
            walk->line++;
            walk->at++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            walk->at++;
        } else {
            return true;
        }
    }
    return false;
}

/* Over the string whose quote is next; its inside in `*inside`. */
static size_t take_string(struct walk *walk, const char **inside) {
    *inside = walk->text + ++walk->at;
    size_t start = walk->at;
    while (walk->at < walk->length && walk->text[walk->at] != '"') {
        walk->at += walk->text[walk->at] == '\\' ? 2 : 1;
    }
    size_t size = walk->at - start;
    walk->at++;
    return size;
}

static bool is_word(const char *inside, size_t size, const char *word) {
    return word != NULL && strlen(word) == size && memcmp(inside, word, size) == 0;
}

struct finder {
    const struct place *place;
    int depth;  /* brackets open */
    bool under; /* the key of the top object was the wanted one */
    int item;   /* number of the item at depth 2 */
};

/* A string followed by a colon; whether it is what was looked for. */
static bool meet_key(struct finder *finder, const char *inside, size_t size) {
    const struct place *place = finder->place;
    if (finder->depth == 1) {
        finder->under = is_word(inside, size, place->key);
        finder->item = 0;
        return finder->under && place->item < 0;
    }
    return finder->depth == 3 && finder->under && finder->item == place->item &&
           is_word(inside, size, place->member);
}

/* Whether the byte that comes next begins the wanted item itself. */
static bool meet_item(const struct finder *finder, char c) {
    const struct place *place = finder->place;
    return finder->depth == 2 && finder->under && place->item >= 0 && place->member == NULL &&
           finder->item == place->item && c != ',' && c != ']';
}

int place_line(const char *text, size_t length, const struct place *place) {
    struct walk walk = {.text = text, .length = length, .line = 1};
    struct finder finder = {.place = place};
    while (skip_blanks(&walk)) {
        char c = walk.text[walk.at];
        if (meet_item(&finder, c)) {
            return walk.line;
        }
        if (c == '"') {
            int line = walk.line;
            const char *inside;
            size_t size = take_string(&walk, &inside);
            bool key = skip_blanks(&walk) && walk.text[walk.at] == ':';
            if (key && meet_key(&finder, inside, size)) {
                return line;
            }
            continue;
        }
        if (c == '{' || c == '[') {
            finder.depth++;
        } else if (c == '}' || c == ']') {
            finder.depth--;
        } else if (c == ',' && finder.depth == 2) {
            finder.item++;
        }
        walk.at++;
    }
    return 0;
}
