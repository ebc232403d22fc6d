#include "cli/moves_request.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const side_keys[SIDE_COUNT] = {"W", "B"};

/* A member that is there and is not null, or NULL. */
static const struct cJSON *given(const struct cJSON *object, const char *key) {
    const struct cJSON *json = json_member(object, key);
    return json_is_null(json) ? NULL : json;
}

static int refuse(struct fail *fail, const char *sentence) {
    return fail_set(fail, EXIT_CODE_USAGE, "%s", sentence);
}

static int read_variant(const struct cJSON *json, struct rules *rules, struct fail *fail) {
    const char *name = json_text(given(json, "variant"));
    const struct variant *variant = name != NULL ? variant_find(name, strlen(name)) : NULL;
    if (variant == NULL) {
        char names[VARIANT_NAMES_MAX];
        variant_write_names(names);
        return fail_set(fail, EXIT_CODE_USAGE, "variant must be one of %s", names);
    }
    rules_init(rules, variant);
    return 0;
}

/* Sets one option, whose value may be a word, a number or true/false. */
static int read_option(const struct cJSON *json, struct rules *rules, struct fail *fail) {
    char number[24], why[160];
    const char *value = json_text(json);
    int64_t whole;
    bool truth;
    if (json_boolean(json, &truth)) {
        value = truth ? "true" : "false";
    } else if (json_integer(json, INT32_MIN, INT32_MAX, &whole)) {
        snprintf(number, sizeof number, "%d", (int)whole);
        value = number;
    }
    if (value == NULL) {
        char key[64];
        text_escape(json_key(json), strlen(json_key(json)), key, sizeof key);
        return fail_set(fail, EXIT_CODE_USAGE,
                        "options: %s must be a word, a whole number, true or false", key);
    }
    return rules_set(rules, json_key(json), value, why) == 0 ? 0 : refuse(fail, why);
}

static int read_options(const struct cJSON *json, struct rules *rules, struct fail *fail) {
    const struct cJSON *options = given(json, "options");
    if (options == NULL) {
        return 0;
    }
    if (!json_is_object(options)) {
        return refuse(fail, "options must be an object");
    }
    for (const struct cJSON *at = json_first(options); at != NULL; at = json_next(at)) {
        if (read_option(at, rules, fail) != 0) {
            return -1;
        }
    }
    return 0;
}

static int read_point(const struct cJSON *json, const char *side, uint8_t men[POINT_COUNT],
                      struct fail *fail) {
    const char *key = json_key(json);
    int64_t point, count;
    if (!text_i64(key, strlen(key), 1, 24, &point)) {
        char shown[64];
        text_escape(key, strlen(key), shown, sizeof shown);
        return fail_set(fail, EXIT_CODE_USAGE, "board: %s: \"%s\" is no point from 1 to 24", side,
                        shown);
    }
    if (!json_integer(json, 0, CHECKERS_MAX, &count)) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        "board: %s: point %s must hold 0 to %d checkers, a whole number", side, key,
                        CHECKERS_MAX);
    }
    men[point] = (uint8_t)count;
    return 0;
}

/* Reads bar or off of one side; `*count` stays as it is where nothing is given. */
static int read_apart(const struct cJSON *json, const char *place, const char *side, int *count,
                      struct fail *fail) {
    const struct cJSON *object = given(json, place);
    const struct cJSON *number = object != NULL ? given(object, side) : NULL;
    int64_t read;
    if (object != NULL && !json_is_object(object)) {
        return fail_set(fail, EXIT_CODE_USAGE, "%s must be an object with W and B", place);
    }
    if (number == NULL) {
        return 0;
    }
    if (!json_integer(number, 0, CHECKERS_MAX, &read)) {
        return fail_set(fail, EXIT_CODE_USAGE, "%s: %s must be a whole number from 0 to %d", place,
                        side, CHECKERS_MAX);
    }
    *count = (int)read;
    return 0;
}

/* Reads one side; where off is not given, the checkers seen nowhere are off. */
static int read_side(const struct cJSON *json, enum side side, int checkers,
                     uint8_t men[POINT_COUNT], struct fail *fail) {
    const char *key = side_keys[side];
    const struct cJSON *points = given(given(json, "board"), key);
    int bar = 0, off = -1, sum = 0;
    if (points == NULL || !json_is_object(points)) {
        return fail_set(fail, EXIT_CODE_USAGE, "board: %s must be an object of points", key);
    }
    for (const struct cJSON *at = json_first(points); at != NULL; at = json_next(at)) {
        if (read_point(at, key, men, fail) != 0) {
            return -1;
        }
        sum += men[strtol(json_key(at), NULL, 10)];
    }
    if (read_apart(json, "bar", key, &bar, fail) != 0 ||
        read_apart(json, "off", key, &off, fail) != 0) {
        return -1;
    }
    int missing = checkers - sum - bar;
    if (off >= 0 && off != missing) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        "%s has %d checkers, bar and off included; there must be %d "
                        "(leave off out, and those that are missing are off)",
                        key, sum + bar + off, checkers);
    }
    men[POINT_BAR] = (uint8_t)bar;
    men[POINT_OFF] = (uint8_t)(missing > 0 ? missing : 0);
    return 0;
}

static int read_board(const struct cJSON *json, const struct rules *rules, struct board *board,
                      struct fail *fail) {
    int checkers = rules->variant->checkers;
    char why[160];
    memset(board, 0, sizeof *board);
    if (!json_is_object(given(json, "board"))) {
        return refuse(fail, "board must be an object with W and B");
    }
    if (read_side(json, SIDE_X, checkers, board->men[SIDE_X], fail) != 0 ||
        read_side(json, SIDE_Y, checkers, board->men[SIDE_Y], fail) != 0) {
        return -1;
    }
    return board_check(board, rules, why) == 0 ? 0 : refuse(fail, why);
}

static int read_dice(const struct cJSON *dice, uint8_t out[2], struct fail *fail) {
    const struct cJSON *at = json_is_array(dice) ? json_first(dice) : NULL;
    int64_t die;
    int count = 0;
    for (; at != NULL && count < 2 && json_integer(at, 1, 6, &die); at = json_next(at)) {
        out[count++] = (uint8_t)die;
    }
    return count == 2 && at == NULL
               ? 0
               : refuse(fail, "dice must be a list of two whole numbers from 1 to 6");
}

static int read_mover(const struct cJSON *json, enum side *mover, struct fail *fail) {
    const char *text = json_text(given(json, "to_move"));
    for (int side = 0; side < SIDE_COUNT && text != NULL; side++) {
        if (strcmp(text, side_keys[side]) == 0) {
            *mover = (enum side)side;
            return 0;
        }
    }
    return refuse(fail, "to_move must be \"W\" or \"B\"");
}

static int read_claims(const struct cJSON *json, const struct cJSON **claims, struct fail *fail) {
    *claims = given(json, "try");
    bool good = *claims == NULL || json_is_array(*claims);
    for (const struct cJSON *at = good ? json_first(*claims) : NULL; at != NULL;
         at = json_next(at)) {
        good = good && json_text(at) != NULL;
    }
    return good ? 0 : refuse(fail, "try must be a list of plays, each a string");
}

int moves_request_read(const struct cJSON *json, struct moves_request *request, struct fail *fail) {
    struct situation *situation = &request->situation;
    *request = (struct moves_request){.has_dice = false};
    if (!json_is_object(json)) {
        return refuse(fail, "a request must be an object");
    }
    if (read_variant(json, &request->rules, fail) != 0 ||
        read_options(json, &request->rules, fail) != 0 ||
        read_board(json, &request->rules, &situation->board, fail) != 0) {
        return -1;
    }
    const struct cJSON *dice = given(json, "dice");
    const struct cJSON *first = given(json, "first_turn");
    if (dice == NULL) {
        return 0;
    }
    request->has_dice = true;
    if (first != NULL && !json_boolean(first, &situation->first_turn)) {
        return refuse(fail, "first_turn must be true or false");
    }
    if (read_dice(dice, situation->dice, fail) != 0 ||
        read_mover(json, &situation->mover, fail) != 0) {
        return -1;
    }
    return read_claims(json, &request->claims, fail);
}
