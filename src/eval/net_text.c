#include "base/text.h"
#include "eval/net_inside.h"

#include <stdio.h>
#include <string.h>

/* The text of a net, line by line: its version and variant, its name, any number of lines
 * "recipe ...", the weights as hex (16 bits each, two's complement), and the checksum of all
 * that. A line may stand as a C literal, so that the same file can be compiled in. */
enum { LINE_DIGITS = 256, HEX_DIGITS = 4 };

struct reading {
    const char *text;
    size_t length, at;
    unsigned line;
    uint64_t sum; /* of the lines before the one at hand */
    const struct variant *variant;
    char name[NET_NAME_MAX];
    size_t numbers;
    bool ended;
};

uint64_t net_checksum(uint64_t sum, const char *line, size_t length) {
    for (size_t i = 0; i <= length; i++) {
        sum = (sum ^ (uint8_t)(i < length ? line[i] : '\n')) * 0x100000001b3u;
    }
    return sum;
}

/* The next line without its end and without the marks of a literal; false at the end. */
static bool next_line(struct reading *in, const char **line, size_t *length) {
    const char *start = in->text + in->at;
    const char *end = in->at < in->length ? memchr(start, '\n', in->length - in->at) : NULL;
    if (end == NULL) {
        return false;
    }
    *line = start;
    *length = (size_t)(end - start);
    in->at += *length + 1;
    in->line++;
    if (*length >= 4 && start[0] == '"' && memcmp(end - 3, "\\n\"", 3) == 0) {
        *line += 1;
        *length -= 4;
    }
    return true;
}

/* What stands behind a word at the start of the line, or NULL. */
static const char *behind(const char *line, size_t length, const char *word) {
    size_t size = strlen(word);
    return length >= size && memcmp(line, word, size) == 0 ? line + size : NULL;
}

static int read_weights(struct reading *in, const char *line, size_t length, int16_t *numbers) {
    uint8_t bytes[LINE_DIGITS / 2];
    if (length == 0 || length > LINE_DIGITS || length % HEX_DIGITS != 0 ||
        in->numbers + length / HEX_DIGITS > NET_NUMBERS ||
        !text_unhex(line, length, bytes, length / 2)) {
        return -1;
    }
    for (size_t i = 0; i < length / HEX_DIGITS; i++) {
        numbers[in->numbers++] = (int16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    }
    return 0;
}

static int check_end(struct reading *in, const char *sum, char why[NET_WHY_MAX]) {
    char want[20];
    snprintf(want, sizeof want, "%016llx", (unsigned long long)in->sum);
    if (in->numbers != NET_NUMBERS) {
        snprintf(why, NET_WHY_MAX, "it has %zu weights, not %d", in->numbers, (int)NET_NUMBERS);
        return -1;
    }
    if (memcmp(sum, want, 16) != 0) {
        snprintf(why, NET_WHY_MAX, "it is damaged: the checksum does not fit");
        return -1;
    }
    in->ended = true;
    return 0;
}

/* One of the lines before the weights or the one after them; -1 with a sentence. */
static int read_line(struct reading *in, const char *line, size_t length, int16_t *numbers,
                     char why[NET_WHY_MAX]) {
    const char *rest;
    if (in->line == 1) {
        char head[32];
        int size = snprintf(head, sizeof head, "hakem-net %d", NET_VERSION);
        if (length == (size_t)size && memcmp(line, head, length) == 0) {
            return 0;
        }
        snprintf(why, NET_WHY_MAX, "line 1 is not \"%s\": no net, or one of another version", head);
        return -1;
    }
    if (in->line == 2) {
        rest = behind(line, length, "variant ");
        const struct variant *variant =
            rest == NULL ? NULL : variant_find(rest, (size_t)(line + length - rest));
        if (variant == in->variant) {
            return 0;
        }
        snprintf(why, NET_WHY_MAX, "line 2 is not \"variant %s\": it is another game's",
                 in->variant->name);
        return -1;
    }
    if ((rest = behind(line, length, "name ")) != NULL) {
        text_copy(in->name, NET_NAME_MAX - 17, rest, (size_t)(line + length - rest));
        return 0;
    }
    if (behind(line, length, "recipe ") != NULL) {
        return 0;
    }
    if ((rest = behind(line, length, "sum ")) != NULL && length == 20) {
        return check_end(in, rest, why);
    }
    if (read_weights(in, line, length, numbers) != 0) {
        snprintf(why, NET_WHY_MAX, "it is damaged: line %u is no line of a net", in->line);
        return -1;
    }
    return 0;
}

/* The whole text; -1 with a sentence. */
static int read_text(struct reading *in, int16_t *numbers, char why[NET_WHY_MAX]) {
    const char *line;
    size_t length;
    in->sum = 0xcbf29ce484222325u;
    text_copy(in->name, sizeof in->name, "unnamed", 7);
    while (!in->ended && next_line(in, &line, &length)) {
        if (read_line(in, line, length, numbers, why) != 0) {
            return -1;
        }
        if (!in->ended) {
            in->sum = net_checksum(in->sum, line, length);
        }
    }
    if (!in->ended) {
        snprintf(why, NET_WHY_MAX, "it is damaged: it ends before its checksum");
        return -1;
    }
    return 0;
}

int net_read_weights(const struct variant *variant, const char *text, size_t length,
                     struct net_weights *out, char why[NET_WHY_MAX]) {
    struct reading in = {.text = text, .length = length, .variant = variant};
    return read_text(&in, (int16_t *)out, why);
}

struct net *net_new(const struct variant *variant, const char *text, size_t length,
                    char why[NET_WHY_MAX]) {
    struct reading in = {.text = text, .length = length, .variant = variant};
    struct net_weights weights;
    char name[NET_NAME_MAX];
    if (read_text(&in, (int16_t *)&weights, why) != 0) {
        return NULL;
    }
    snprintf(name, sizeof name, "%.22s#%016llx", in.name, (unsigned long long)in.sum);
    struct net *net = net_begin(variant, name);
    net_prepare(net, &weights);
    return net;
}
