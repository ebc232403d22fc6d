/* The legal plays of a position and a throw, by libhakem.
 *
 *     legal_plays VARIANT POSITION DICE [OPTION=VALUE]...
 *     legal_plays western 4HPwATDgc/ABMA 31
 *     legal_plays tavla "W 24:2 13:5 8:3 6:5 | B 24:2 13:5 8:3 6:5" 66 must_max=false
 *
 * Build it with: cc legal_plays.c $(pkg-config --cflags --libs hakem)
 */
#include <hakem.h>

#include <stdio.h>
#include <string.h>

/* Half a megabyte, so not on the stack. */
static struct hakem_final list[HAKEM_ROOM];

static int refuse(const char *what, const char *why) {
    fprintf(stderr, "legal_plays: %s: %s\n", what, why);
    return 2;
}

/* Sets an option that is written as NAME=VALUE. */
static int set_option(struct hakem_rules *rules, const char *text, char why[HAKEM_WHY_MAX]) {
    char name[64] = "";
    const char *equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : 0;
    if (length == 0 || length >= sizeof name) {
        snprintf(why, HAKEM_WHY_MAX, "an option is written NAME=VALUE");
        return -1;
    }
    memcpy(name, text, length);
    return hakem_rules_set(rules, name, equals + 1, why);
}

int main(int argc, char **argv) {
    struct hakem_rules rules;
    struct hakem_position position;
    char text[HAKEM_PLAY_MAX], why[HAKEM_WHY_MAX];
    if (argc < 4) {
        return refuse("usage", "legal_plays VARIANT POSITION DICE [OPTION=VALUE]...");
    }
    if (hakem_rules_init(&rules, argv[1]) != 0) {
        return refuse(argv[1], "no such variant");
    }
    for (int i = 4; i < argc; i++) {
        if (set_option(&rules, argv[i], why) != 0) {
            return refuse(argv[i], why);
        }
    }
    hakem_position_init(&rules, &position);
    if (hakem_position_read(&rules, argv[2], strlen(argv[2]), &position, why) < 0) {
        return refuse(argv[2], why);
    }
    if (strlen(argv[3]) == 2) {
        position.dice[0] = (uint8_t)(argv[3][0] - '0');
        position.dice[1] = (uint8_t)(argv[3][1] - '0');
    }
    size_t count = hakem_list(&rules, &position, list, HAKEM_ROOM);
    if (count == 0) {
        return refuse(argv[3], "dice are two digits from 1 to 6");
    }
    for (size_t i = 0; i < count; i++) {
        puts(hakem_play_write(&list[i], text) > 0 ? text : "pass");
    }
    return 0;
}
