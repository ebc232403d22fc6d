/* The cases of tests/cases: rules.jsonl holds disputes from public bug reports and
 * worked examples, variants.jsonl what published rules say of the other variants,
 * each with what is expected of it. */
#include "check.h"

#include "base/json.h"
#include "rules/play.h"
#include "rules/position.h"
#include "rules/result.h"

#include <stdlib.h>

static struct play_room room;

static bool json_truth(const struct cJSON *json) {
    bool truth = false;
    return json_boolean(json, &truth) && truth;
}

static int json_int(const struct cJSON *json) {
    int64_t number = -1;
    json_integer(json, 0, 1000000, &number);
    return (int)number;
}

static const struct cJSON *of_side(const struct cJSON *object, int side) {
    return object == NULL ? NULL : json_member(object, side == SIDE_X ? "W" : "B");
}

static void read_board(const struct cJSON *request, int checkers, struct board *board) {
    memset(board, 0, sizeof *board);
    for (int side = 0; side < SIDE_COUNT; side++) {
        const struct cJSON *points = of_side(json_member(request, "board"), side);
        const struct cJSON *bar = of_side(json_member(request, "bar"), side);
        const struct cJSON *off = of_side(json_member(request, "off"), side);
        int left = checkers;
        for (const struct cJSON *at = json_first(points); at != NULL; at = json_next(at)) {
            board->men[side][strtol(json_key(at), NULL, 10)] = (uint8_t)json_int(at);
            left -= json_int(at);
        }
        if (bar != NULL) {
            board->men[side][POINT_BAR] = (uint8_t)json_int(bar);
            left -= json_int(bar);
        }
        board->men[side][POINT_OFF] = (uint8_t)(off != NULL ? json_int(off) : left);
    }
}

static bool read_rules(const struct cJSON *request, struct rules *rules) {
    const char *name = json_text(json_member(request, "variant"));
    const struct cJSON *options = json_member(request, "options");
    bool good = true;
    rules_init(rules, variant_find(name, strlen(name)));
    if (options == NULL) {
        return true;
    }
    for (const struct cJSON *at = json_first(options); at != NULL; at = json_next(at)) {
        char number[16], why[160];
        bool truth;
        snprintf(number, sizeof number, "%d", json_int(at));
        const char *text = json_text(at) != NULL ? json_text(at) : number;
        text = json_boolean(at, &truth) ? (truth ? "true" : "false") : text;
        good = rules_set(rules, json_key(at), text, why) == 0 && good;
    }
    return good;
}

static void check_finals(const char *id, const struct cJSON *finals, size_t count) {
    size_t expected = 0, found = 0;
    for (const struct cJSON *at = json_first(finals); at != NULL; at = json_next(at)) {
        expected++;
        for (size_t i = 0; i < count; i++) {
            char text[POSITION_TEXT_MAX];
            position_write(&room.list[i].final, text);
            found += strcmp(text, json_text(at)) == 0;
        }
    }
    CHECK(found == expected && count == expected, "%s: the finals are the %zu expected", id,
          expected);
}

static void check_claims(const char *id, const struct rules *rules,
                         const struct situation *situation, const struct cJSON *claims,
                         enum judgement expected) {
    static struct verdict verdict;
    for (const struct cJSON *at = json_first(claims); at != NULL; at = json_next(at)) {
        const char *claim = json_text(at);
        play_judge(rules, situation, claim, strlen(claim), &room, &verdict);
        CHECK(verdict.judgement == expected, "%s: %s is %s (%s)", id, claim,
              expected == JUDGED_LEGAL ? "legal" : "illegal", verdict.reason);
        CHECK((verdict.reason[0] == '\0') == (expected == JUDGED_LEGAL),
              "%s: a reason stands where %s is refused", id, claim);
    }
}

static void check_plays(const char *id, const struct cJSON *request, const struct rules *rules,
                        const struct board *board) {
    const struct cJSON *expect = json_member(request, "expect");
    const struct cJSON *dice = json_member(request, "dice");
    struct situation situation = {.board = *board};
    situation.mover = json_text(json_member(request, "to_move"))[0] == 'W' ? SIDE_X : SIDE_Y;
    situation.dice[0] = (uint8_t)json_int(json_first(dice));
    situation.dice[1] = (uint8_t)json_int(json_next(json_first(dice)));
    situation.first_turn = json_truth(json_member(request, "first_turn"));
    check_claims(id, rules, &situation, json_member(expect, "legal"), JUDGED_LEGAL);
    check_claims(id, rules, &situation, json_member(expect, "illegal"), JUDGED_ILLEGAL);
    size_t count = plays_list(rules, &situation, room.list, PLAYS_MAX);
    if (json_member(expect, "dice_used") != NULL) {
        CHECK(plays_dice_used(room.list, count) == json_int(json_member(expect, "dice_used")),
              "%s: dice used", id);
    }
    if (json_member(expect, "n_finals") != NULL) {
        CHECK(count == (size_t)json_int(json_member(expect, "n_finals")), "%s: %zu finals", id,
              count);
    }
    if (json_member(expect, "finals") != NULL) {
        check_finals(id, json_member(expect, "finals"), count);
    }
}

static void check_result(const char *id, const struct cJSON *result, const struct rules *rules,
                         const struct board *board) {
    struct outcome outcome = board_outcome(rules, board);
    const struct cJSON *kind = json_next(json_first(result));
    CHECK(outcome.over && outcome.winner == (json_text(json_first(result))[0] == 'W' ? 0 : 1) &&
              strcmp(kind_name(rules, outcome.kind), json_text(kind)) == 0 &&
              outcome.points == json_int(json_next(kind)),
          "%s: %s, %d", id, kind_name(rules, outcome.kind), outcome.points);
}

static void check_case(const struct cJSON *request) {
    const char *id = json_text(json_member(request, "id"));
    const struct cJSON *result = json_member(json_member(request, "expect"), "result");
    struct rules rules;
    struct board board;
    char why[160];
    if (!CHECK(read_rules(request, &rules), "%s: options", id)) {
        return;
    }
    read_board(request, rules.variant->checkers, &board);
    CHECK(board_check(&board, &rules, why) == 0, "%s: the position can occur %s", id, why);
    if (result != NULL) {
        check_result(id, result, &rules, &board);
    } else {
        check_plays(id, request, &rules, &board);
    }
}

static void check_file(const char *name, int expected) {
    char path[4096];
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    int cases = 0;
    snprintf(path, sizeof path, "%s/tests/cases/%s", getenv("HAKEM_SOURCE"), name);
    FILE *file = fopen(path, "r");
    if (!CHECK(file != NULL, "%s is there", name)) {
        return;
    }
    while ((length = getline(&line, &size, file)) > 0) {
        struct fail fail;
        struct cJSON *request = json_parse(line, (size_t)length, &json_limits_file, &fail);
        if (CHECK(request != NULL, "line %d is JSON", ++cases)) {
            check_case(request);
        }
        json_free(request);
    }
    CHECK_INT(cases, expected, name);
    free(line);
    fclose(file);
}

int main(void) {
    check_file("rules.jsonl", 61);
    check_file("variants.jsonl", 36);
    return check_done();
}
