#include "dice/contribution.h"

#include <assert.h>
#include <string.h>

static const char *const way_names[CONTRIBUTE_WAYS] = {
    [CONTRIBUTE_NONE] = "none",
    [CONTRIBUTE_OPEN] = "open",
    [CONTRIBUTE_COMMIT] = "commit",
};

const char *contribute_name(enum contribute way) {
    return way_names[way];
}

enum contribute contribute_find(const char *name) {
    for (int way = 0; way < CONTRIBUTE_WAYS; way++) {
        if (strcmp(way_names[way], name) == 0) {
            return (enum contribute)way;
        }
    }
    return CONTRIBUTE_NONE;
}

bool contribution_opens(const struct unit_dice *dice, int player, const struct hash *commitment,
                        const uint8_t bytes[DICE_CONTRIBUTION]) {
    assert(player >= 0 && player < PLAYERS);
    struct hash hash = unit_dice_contribution(dice, player + 1, bytes);
    return hash_same(&hash, commitment);
}

void contribution_mix(struct unit_dice *dice, const struct contribution of[PLAYERS]) {
    unit_dice_mix(dice, of[0].given ? of[0].bytes : NULL, of[1].given ? of[1].bytes : NULL);
}

static struct hash_field commitment_of(const struct contribution *one) {
    return one->committed ? field_hash(&one->commitment) : (struct hash_field){NULL, 0};
}

static struct hash_field bytes_of(const struct contribution *one) {
    return one->given ? (struct hash_field){one->bytes, sizeof one->bytes}
                      : (struct hash_field){NULL, 0};
}

struct hash contribution_digest(const struct unit_dice *dice,
                                const struct contribution of[PLAYERS]) {
    const struct hash_field fields[] = {
        field_text("hakem/v1/receipt"), field_text(dice->event), field_text(dice->unit),
        field_hash(&dice->commitment),  commitment_of(&of[0]),   bytes_of(&of[0]),
        commitment_of(&of[1]),          bytes_of(&of[1])};
    return hash_fields(fields, sizeof fields / sizeof fields[0]);
}
