#include "arena/schedule.h"
#include "arena_kit.h"

/* Everything that holds of any schedule, for one number of bots. */
static bool is_sound(int count, int pairs, enum pairing pairing) {
    struct event event;
    kit_event(&event, count, pairs, pairing);
    int met[24][24] = {{0}};
    int on_x[24] = {0};
    int on_y[24] = {0};
    int cycle_size = count * (count - 1) / 2;
    int round_size = count / 2;
    bool good = schedule_units(&event) == (uint32_t)(cycle_size * pairs);
    for (uint32_t number = 1; number <= schedule_units(&event); number++) {
        struct unit unit = schedule_unit(&event, number);
        int a = unit.player[0];
        int b = unit.player[1];
        good = good && a >= 0 && b >= 0 && a < count && b < count && a != b;
        met[a][b]++;
        met[b][a]++;
        on_x[a]++;
        on_y[b]++;
        /* Nobody twice within a round. */
        for (uint32_t other = number - (number - 1) % (uint32_t)round_size; other < number;
             other++) {
            struct unit before = schedule_unit(&event, other);
            good = good && before.player[0] != a && before.player[0] != b &&
                   before.player[1] != a && before.player[1] != b;
        }
        /* Every pairing exactly once by the end of each round-robin. */
        if (number % (uint32_t)cycle_size == 0) {
            for (int i = 0; i < count * count; i++) {
                int want = (int)(number / (uint32_t)cycle_size);
                good = good && (i / count == i % count || met[i / count][i % count] == want);
            }
        }
        good = good && schedule_entrant(&unit, 1, SIDE_X) == a &&
               schedule_entrant(&unit, 1, SIDE_Y) == b;
        good = good && (unit.legs == 1 || (schedule_entrant(&unit, 2, SIDE_X) == b &&
                                           schedule_entrant(&unit, 2, SIDE_Y) == a));
    }
    for (int i = 0; i < count; i++) {
        int difference = abs(on_x[i] - on_y[i]);
        good = good && difference <= (count % 2 == 0 && pairs % 2 == 1 ? 1 : 0);
    }
    event_clear(&event);
    return good;
}

static bool numbers_agree(enum pairing pairing) {
    struct event event;
    kit_event(&event, 5, 3, pairing);
    uint64_t number = 1;
    bool good = true;
    for (uint32_t unit = 1; unit <= schedule_units(&event); unit++) {
        for (int leg = 1; leg <= schedule_unit(&event, unit).legs; leg++, number++) {
            uint32_t back_unit;
            int back_leg;
            schedule_match_at(&event, number, &back_unit, &back_leg);
            good = good && schedule_match_number(&event, unit, leg) == number &&
                   back_unit == unit && back_leg == leg;
        }
    }
    event_clear(&event);
    return good;
}

int main(void) {
    for (int count = 2; count <= 21; count++) {
        CHECK(is_sound(count, 1, PAIRING_MIRRORED) && is_sound(count, 3, PAIRING_INDEPENDENT) &&
                  is_sound(count, 4, PAIRING_INDEPENDENT),
              "%d bots: all meet once a round-robin, nobody twice a round, seats even", count);
    }
    CHECK(numbers_agree(PAIRING_MIRRORED), "match numbers and legs agree, mirrored");
    CHECK(numbers_agree(PAIRING_INDEPENDENT), "and independent");
    struct event event;
    kit_event(&event, 3, 2, PAIRING_MIRRORED);
    struct unit unit = schedule_unit(&event, 6);
    CHECK_TEXT(unit.name, "U000006", "a unit's name");
    CHECK_INT(unit.legs, 2, "mirrored units have two legs");
    event_clear(&event);
    return check_done();
}
