#include "cli/args.h"

#include "check.h"

#include <stdlib.h>

/* What a command would declare. */
struct wanted {
    bool strict;
    const char *store;
    long pairs;
    long stall;
};

/* Reads a command line given as one text, split on blanks; argv lives until the next call. */
static int read_line(const char *line, struct wanted *wanted, struct args *args,
                     struct fail *fail) {
    static char text[1024];
    static char *argv[64];
    const struct arg_row rows[] = {
        {"strict", ARG_FLAG, 0, 0, &wanted->strict},
        {"store", ARG_TEXT, 0, 0, &wanted->store},
        {"pairs", ARG_NUMBER, 1, 1000, &wanted->pairs},
        {"stall-time", ARG_TIME, 100, 60000, &wanted->stall},
    };
    snprintf(text, sizeof text, "duel %s", line);
    int argc = 0;
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    args->rows = rows;
    args->row_count = sizeof rows / sizeof rows[0];
    *fail = (struct fail){0};
    int status = args_read(args, argc, argv, fail);
    args->rows = NULL;
    return status;
}

static void test_reading(void) {
    struct wanted wanted = {0};
    struct rules rules = {0};
    struct args args = {.rules = &rules};
    struct fail fail;
    int status = read_line("a --pairs 50 --strict - --store=x=y --stall_time 5s -- --b", &wanted,
                           &args, &fail);
    CHECK_INT(status, 0, "a good line is read");
    CHECK_INT(wanted.pairs, 50, "a number");
    CHECK(wanted.strict, "a flag");
    CHECK_TEXT(wanted.store, "x=y", "a text behind '='");
    CHECK_INT(wanted.stall, 5000, "a time, its name with an underscore");
    CHECK_INT(args.positional_count, 3, "what is left over");
    CHECK_TEXT(args.positional[0], "a", "the first word");
    CHECK_TEXT(args.positional[1], "-", "a lone dash is a word");
    CHECK_TEXT(args.positional[2], "--b", "everything behind -- is");
    CHECK(rules.variant == variant_row(VARIANT_TAVLA), "tavla where no variant is named");
    CHECK_INT(read_line("", &wanted, &args, &fail), 0, "nothing is good");
    CHECK_INT(args.positional_count, 0, "and leaves nothing");
    CHECK_INT(read_line("--pairs 5 --pairs 6", &wanted, &args, &fail), 0, "given twice");
    CHECK_INT(wanted.pairs, 6, "the later one holds");
}

static void test_rules(void) {
    struct wanted wanted = {0};
    struct rules rules = {0};
    struct args args = {.rules = &rules};
    struct fail fail;
    CHECK_INT(read_line("--match 5 --next-starter=loser --variant western", &wanted, &args, &fail),
              0, "rule options before --variant");
    CHECK(rules.variant == variant_row(VARIANT_WESTERN), "the variant is chosen");
    CHECK_INT(rules.value[OPTION_MATCH], 5, "a rule option is applied behind it");
    CHECK_INT(rules.value[OPTION_NEXT_STARTER], option_read(OPTION_NEXT_STARTER, "loser", 5),
              "a dash is as good as an underscore");
    rules_init(&rules, variant_row(VARIANT_UZUN));
    CHECK_INT(read_line("--match=3", &wanted, &args, &fail), 0, "without --variant");
    CHECK(rules.variant == variant_row(VARIANT_UZUN) && rules.value[OPTION_MATCH] == 3,
          "the caller's rules stay and take the option");
    char why[160];
    CHECK_INT(rules_set(&rules, "match", "none", why), -1, "the rules refuse a value");
    CHECK_INT(read_line("--variant uzun --match none", &wanted, &args, &fail), -1, "so does args");
    CHECK_TEXT(fail.text, why, "in the same words");
    CHECK(fail.code == EXIT_CODE_USAGE, "as bad usage");
}

static void test_refusals(void) {
    static const struct {
        const char *line;
        const char *why;
    } rows[] = {
        {"--pairz 5", "unknown option --pairz: did you mean --pairs?"},
        {"--pairz=5", "unknown option --pairz: did you mean --pairs?"},
        {"--nextstarter roll", "unknown option --nextstarter: did you mean --next_starter?"},
        {"--varient uzun", "unknown option --varient: did you mean --variant?"},
        {"--concurrency 4", "unknown option --concurrency: --help lists the options"},
        {"-p 5", "unknown option -p: --help lists the options"},
        {"-pairs 5", "unknown option -pairs: did you mean --pairs?"},
        {"--=5", "unknown option --: --help lists the options"},
        {"--\x1b[31m", "unknown option --\\x1b[31m: --help lists the options"},
        {"--pairs", "--pairs needs a value"},
        {"--pairs --strict", "--pairs needs a value"},
        {"--match", "--match needs a value"},
        {"--variant", "--variant needs a value"},
        {"--pairs 0", "--pairs takes a whole number from 1 to 1000, not \"0\""},
        {"--pairs 1001", "--pairs takes a whole number from 1 to 1000, not \"1001\""},
        {"--pairs 5x", "--pairs takes a whole number from 1 to 1000, not \"5x\""},
        {"--pairs=", "--pairs takes a whole number from 1 to 1000, not \"\""},
        {"--strict=yes", "--strict takes no value"},
        {"--stall-time soon", "--stall-time takes a time such as 250ms, 5s or 2m, not \"soon\""},
        {"--stall-time 2m", "--stall-time takes a time from 100ms to 60000ms, not \"2m\""},
        {"--variant chess", "unknown variant chess: hakem knows tavla, uzun, western, "
                            "nackgammon, hypergammon, fevga"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct wanted wanted = {0};
        struct rules rules = {0};
        struct args args = {.rules = &rules};
        struct fail fail;
        int status = read_line(rows[i].line, &wanted, &args, &fail);
        CHECK(status == -1 && fail.code == EXIT_CODE_USAGE, "row %zu is refused", i);
        CHECK_TEXT(fail.text, rows[i].why, rows[i].why);
    }
    struct wanted wanted = {0};
    struct args args = {.rules = NULL};
    struct fail fail;
    CHECK_INT(read_line("--match 5", &wanted, &args, &fail), -1,
              "a command without rules takes no rule options");
}

/* `hakem verify records/x.hkm` of a large event: as many words as the shell can give. */
static void test_many(void) {
    enum { WORDS = 5000 };
    static char *argv[WORDS + 2];
    struct args args = {.rules = NULL};
    struct fail fail;
    static char words[2][2] = {"b", "a"};
    argv[0] = words[0];
    for (int i = 1; i <= WORDS; i++) {
        argv[i] = words[i % 2];
    }
    CHECK_INT(args_read(&args, WORDS + 1, argv, &fail), 0, "five thousand words are read");
    CHECK_INT(args.positional_count, WORDS, "and are all there");
    CHECK_TEXT(args.positional[WORDS - 1], "b", "in order");
}

int main(void) {
    setenv("LC_ALL", "C", 1);
    test_reading();
    test_rules();
    test_refusals();
    test_many();
    return check_done();
}
