#include "base/lang.h"
#include "base/text.h"
#include "cli/args.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

enum { START_TEXT_MAX = 64 };

/* The opening arrangement as "24:2 13:5". */
static void write_start(const struct variant *variant, char out[START_TEXT_MAX]) {
    int length = 0;
    out[0] = '\0';
    for (int point = POINT_BAR; point > POINT_OFF; point--) {
        if (variant->start[point] > 0) {
            length += snprintf(out + length, (size_t)(START_TEXT_MAX - length), "%s%d:%d",
                               length > 0 ? " " : "", point, variant->start[point]);
        }
    }
}

static void print_variants(void) {
    for (int id = 0; id < VARIANT_COUNT; id++) {
        const struct variant *variant = variant_row((enum variant_id)id);
        char start[START_TEXT_MAX];
        write_start(variant, start);
        printf("%-12s %s\n", variant->name, start);
    }
    printf("%s\n", _("hakem rules NAME prints the rules of one of them."));
}

/* How checkers stand and move, from the variant's row. */
static void print_board(const struct variant *variant) {
    char start[START_TEXT_MAX];
    write_start(variant, start);
    printf(_("  Each side has %d checkers and counts its own points: 24 is farthest, 6 to 1 are "
             "home.\n"),
           variant->checkers);
    printf(_("  Each side starts with %s.\n"), start);
    printf("%s",
           variant->path == PATH_OPPOSED
               ? _("  The sides run against each other: your point p is the opponent's 25 - p.\n")
               : _("  Both sides run the same way round: your point p is the opponent's p + 12, "
                   "or p - 12 above 12.\n"));
    printf("%s",
           variant->hits
               ? _("  Two opposing checkers close a point; a lone one is hit and goes to the bar.\n"
                   "  A checker on the bar enters before any other of its side moves.\n")
               : _("  A single checker closes its point to the opponent; nothing is hit.\n"));
    printf("%s",
           _("  The two numbers thrown are two steps, a double is four; a step takes one checker "
             "forward.\n"
             "  With every checker at home a die bears one off from its own point, or from the\n"
             "  highest point if that is lower.\n"));
}

static void print_results(const struct rules *rules) {
    const char *const *kind = rules->variant->kind;
    printf(_("  Who has borne off every checker first wins: %s, 1 point, if the loser has borne "
             "one off,\n"
             "  else %s, 2 points.\n"),
           kind[0], kind[1]);
    if (rules->value[OPTION_KATMERLI] == 3 &&
        !variant_has_option(rules->variant, OPTION_KATMERLI)) {
        printf(_("  It is %s, 3 points, if the loser, with none off, also has a checker on the bar "
                 "or in\n"
                 "  the winner's home.\n"),
               kind[2]);
    }
}

/* The sentence of an option, its number put in. */
static void print_meaning(enum option option, const char *value, const char *sentence) {
    const char *hole = option_row(option)->words[0] == NULL ? strstr(sentence, "{}") : NULL;
    if (hole == NULL) {
        printf("%s", sentence);
    } else {
        printf("%.*s%s%s", (int)(hole - sentence), sentence, value, hole + strlen("{}"));
    }
}

static void print_option(const struct rules *rules, enum option option) {
    const struct option_row *row = option_row(option);
    bool differs = rules_differs(rules, option);
    char value[16], preset[16];
    option_write(option, rules->value[option], value);
    option_write(option, row->preset[rules->variant->school], preset);
    printf("%s ", differs ? "*" : " ");
    print_meaning(option, value, _(option_meaning(option, rules->value[option])));
    printf("  (%s %s, %s", row->name, value, row->rule);
    if (differs) {
        printf(_("; default %s"), preset);
    }
    printf(")\n");
}

static void print_rules(const struct rules *rules) {
    int differing = 0;
    printf("%s\n", rules->variant->name);
    print_board(rules->variant);
    print_results(rules);
    printf("%s\n", _("options"));
    for (int option = 0; option < OPTION_COUNT; option++) {
        if (variant_has_option(rules->variant, (enum option)option)) {
            print_option(rules, (enum option)option);
            differing += rules_differs(rules, (enum option)option);
        }
    }
    if (differing > 0) {
        printf("%s\n", _("* differs from the default"));
    }
}

static int read_variant(const char *name, struct rules *rules, struct fail *fail) {
    const struct variant *variant = variant_find(name, strlen(name));
    if (variant == NULL) {
        char shown[64], names[VARIANT_NAMES_MAX];
        text_escape(name, strlen(name), shown, sizeof shown);
        variant_write_names(names);
        return fail_set(fail, EXIT_CODE_USAGE, _("unknown variant %s: hakem knows %s"), shown,
                        names);
    }
    rules_init(rules, variant);
    return 0;
}

/* Reads the game, which stands first, and its options. */
static int read(int argc, char **argv, struct rules *rules, struct fail *fail) {
    struct args args = {.rules = rules};
    int named = argv[1][0] != '-';
    if ((named && read_variant(argv[1], rules, fail) != 0) ||
        args_read(&args, argc, argv, fail) != 0) {
        return -1;
    }
    if (args.positional_count > named) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("\"%s\" is too much: the game stands first, then --OPTION VALUE"),
                        args.positional[named]);
    }
    return 0;
}

static int run(int argc, char **argv) {
    struct rules rules = {.variant = NULL};
    struct fail fail;
    if (argc == 1) {
        print_variants();
    } else if (read(argc, argv, &rules, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    } else {
        print_rules(&rules);
    }
    return EXIT_CODE_DONE;
}

const struct command command_rules = {
    .name = "rules",
    .usage = N_("[VARIANT [--OPTION VALUE]...]"),
    .summary = N_("the games and the rules in force, as text"),
    .help = N_(
        "Without a game it lists the games. With one it prints its rules and options, each with\n"
        "its value and the number of its rule; options that differ from the default are marked.\n"
        "  --OPTION VALUE   any rule option of the game\n"
        "Example: hakem rules uzun --wall turn_end\n"),
    .run = run,
};
