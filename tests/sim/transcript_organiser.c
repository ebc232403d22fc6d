#include "sim/transcript_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `key=value` of a match; false when it is no such word. */
static bool set_up(struct match_spec *spec, const char **seed, const char **unit, char *word,
                   char why[160]) {
    static const char *const names[] = {"move_time", "reserve", "increment", "delay", "margin"};
    int64_t *const clock[] = {&spec->clock.move_time, &spec->clock.reserve, &spec->clock.increment,
                              &spec->clock.delay, &spec->clock.margin};
    char *value = strchr(word, '=');
    if (value == NULL) {
        return false;
    }
    *value++ = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(word, names[i]) == 0) {
            *clock[i] = strtol(value, NULL, 10);
            return true;
        }
    }
    if (strcmp(word, "seed") == 0) {
        *seed = value;
    } else if (strcmp(word, "unit") == 0) {
        *unit = value;
    } else if (strcmp(word, "leg") == 0) {
        spec->leg = (int)strtol(value, NULL, 10);
        spec->pairing = "mirrored";
    } else if (strcmp(word, "contributions") == 0) {
        spec->contributions = true;
        spec->source = DICE_AUDITABLE;
    } else if (strcmp(word, "variant") == 0) {
        rules_init(&spec->rules, variant_find(value, strlen(value)));
    } else {
        return rules_set(&spec->rules, word, value, why) == 0;
    }
    return true;
}

/* `! seat X Y variant=... key=value...` */
static bool seat(struct player *player, char *rest) {
    static const char event[] = "demo#1f0e";
    static const uint8_t key[SIGN_PUBLIC_BYTES];
    char why[160] = "";
    const char *seed = "one", *unit = "U000001";
    struct seated *seated = &player->seated[player->tables];
    struct match_spec spec = {.source = DICE_SEEDED,
                              .leg = 1,
                              .pairing = "independent",
                              .clock = {.margin = 50},
                              .server = "hakem",
                              .public_key = key,
                              .date = "2026-11-30T00:00:00Z"};
    for (int side = 0; side < SIDE_COUNT; side++) {
        struct peer *peer = player_peer(player, player_word(&rest)[0]);
        if (peer == NULL || player->tables == TABLES_MAX) {
            return player_fail(player, "seat whom?", rest);
        }
        seated->session[side] = peer->session;
        spec.name[side] = peer->name;
        spec.session[side] = peer->session;
    }
    for (char *word; *(word = player_word(&rest)) != '\0';) {
        if (!set_up(&spec, &seed, &unit, word, why)) {
            return player_fail(player, why, word);
        }
    }
    if (rules_check(&spec.rules, why) != 0) {
        return player_fail(player, why, "rules");
    }
    struct hash master = dice_open_master(seed);
    spec.master_commitment = dice_master_commitment(&master, event);
    unit_dice_init(&spec.dice, &master, event, unit, 0);
    seated->dice = spec.dice;
    seated->table = referee_seat(player->referee, &spec, player->now, why);
    player->tables++;
    return seated->table != 0 || player_fail(player, "no seat", why);
}

/* `! unit N`: the unit of table N is told to both of its players. */
static void tell_unit(struct player *player, const struct seated *told) {
    struct hash heads[TABLES_MAX];
    size_t count = 0;
    for (int i = 0; i < player->tables; i++) {
        if (strcmp(player->seated[i].dice.unit, told->dice.unit) == 0) {
            heads[count++] = player->seated[i].head;
        }
    }
    for (int side = 0; side < SIDE_COUNT; side++) {
        referee_send_unit(player->referee, told->session[side], told->dice.unit, &told->dice.seed,
                          heads, count);
    }
}

/* `! refuse a CODE REASON`: the next hello of a connection. */
static bool refuse(struct player *player, struct peer *peer, char *rest) {
    static const char *const codes[] = {"token", "full", "late", "name", "variant"};
    char *code = player_word(&rest);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        peer->refusal.code = strcmp(code, codes[i]) == 0 ? codes[i] : peer->refusal.code;
    }
    peer->refusal.delay = strcmp(code, "token") == 0 ? 1000 : 0;
    snprintf(peer->refusal.reason, sizeof peer->refusal.reason, "%.90s", rest);
    return peer->refusal.code != NULL || player_fail(player, "no such code", code);
}

bool player_organise(struct player *player, char *rest) {
    char *verb = player_word(&rest);
    if (strcmp(verb, "seat") == 0) {
        return seat(player, rest);
    }
    char *who = player_word(&rest);
    struct peer *peer = player_peer(player, who[0]);
    if (strcmp(verb, "refuse") == 0 && peer != NULL) {
        return refuse(player, peer, rest);
    }
    if (strcmp(verb, "close") == 0 && peer != NULL) {
        referee_close(player->referee, peer->last, rest, player->now);
        return true;
    }
    long number = strtol(who, NULL, 10);
    struct seated *seated = &player->seated[number > 0 ? number - 1 : 0];
    if (number < 1 || number > player->tables) {
        return player_fail(player, "which table?", who);
    }
    if (strcmp(verb, "unit") == 0) {
        tell_unit(player, seated);
        return true;
    }
    if (strcmp(verb, "disk") == 0) {
        static const uint8_t receipt[SIGN_BYTES];
        referee_mixed(player->referee, seated->table, receipt, player->now);
        return true;
    }
    if (strcmp(verb, "pause") == 0) {
        return referee_pause(player->referee, seated->table, rest, player->now);
    }
    if (strcmp(verb, "resume") == 0) {
        return referee_resume(player->referee, seated->table, player->now);
    }
    enum side side = player_word(&rest)[0] == 'X' ? SIDE_X : SIDE_Y;
    if (strcmp(verb, "forfeit") == 0) {
        referee_forfeit(player->referee, seated->table, side, REASON_ABORTED, player->now);
        return true;
    }
    struct peer *new = player_peer(player, player_word(&rest)[0]);
    if (strcmp(verb, "reseat") == 0 && new != NULL) {
        seated->session[side] = new->session;
        return referee_reseat(player->referee, seated->table, side, new->session, player->now) == 0;
    }
    return player_fail(player, "what is that?", verb);
}
