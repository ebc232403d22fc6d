#include "record/chain.h"

#include "base/text.h"

#include <string.h>

struct hash chain_link(const struct hash *previous, const char *line, size_t length) {
    const struct hash_field field = {.data = line, .length = length};
    if (previous == NULL) {
        const struct hash_field fields[] = {field_text("hakem/v1/log"), field};
        return hash_fields(fields, sizeof fields / sizeof fields[0]);
    }
    return hash_link(previous, field);
}

void chain_digits(const struct hash *hash, char out[CHAIN_DIGITS + 1]) {
    text_hex(hash->byte, CHAIN_DIGITS / 2, out);
}

bool chain_cut(const char *line, size_t length, size_t *bare) {
    if (length < CHAIN_DIGITS + 2 || line[length - CHAIN_DIGITS - 1] != ' ') {
        return false;
    }
    for (size_t i = length - CHAIN_DIGITS; i < length; i++) {
        bool hex = (line[i] >= '0' && line[i] <= '9') || (line[i] >= 'a' && line[i] <= 'f');
        if (!hex) {
            return false;
        }
    }
    *bare = length - CHAIN_DIGITS - 1;
    return true;
}

bool chain_agrees(const struct hash *hash, const char *line, size_t length) {
    char digits[CHAIN_DIGITS + 1];
    chain_digits(hash, digits);
    return length >= CHAIN_DIGITS &&
           memcmp(line + length - CHAIN_DIGITS, digits, CHAIN_DIGITS) == 0;
}
