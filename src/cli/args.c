#include "cli/args.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A rule option that was given, kept until --variant is known. */
struct given {
    const char *name; /* the row's own */
    const char *value;
};

struct reader {
    struct args *args;
    int argc;
    char **argv;
    int at;
    struct given *given;
    int given_count;
    const char *variant; /* NULL when it was not given */
    struct fail *fail;
};

/* One option as it stands: the name without dashes and the value behind '=', or NULL. */
struct word {
    const char *name;
    size_t length;
    const char *value;
};

/* Names with dashes and names with underscores are the same. */
static bool same_name(const struct word *word, const char *name) {
    if (strlen(name) != word->length) {
        return false;
    }
    for (size_t i = 0; i < word->length; i++) {
        char a = word->name[i] == '_' ? '-' : word->name[i];
        char b = name[i] == '_' ? '-' : name[i];
        if (a != b) {
            return false;
        }
    }
    return true;
}

static const struct arg_row *find_row(const struct args *args, const struct word *word) {
    for (size_t i = 0; i < args->row_count; i++) {
        if (same_name(word, args->rows[i].name)) {
            return &args->rows[i];
        }
    }
    return NULL;
}

/* The rule option of that name as the rules spell it, or NULL. */
static const char *find_rule(const struct word *word) {
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        if (same_name(word, option_row(option)->name)) {
            return option_row(option)->name;
        }
    }
    return NULL;
}

static int refuse_unknown(struct reader *reader, const struct word *word, const char *dashes) {
    const struct args *args = reader->args;
    const char **names = alloc_zeroed(args->row_count + OPTION_COUNT + 2, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; i < args->row_count; i++) {
        names[count++] = args->rows[i].name;
    }
    names[count++] = "help";
    if (args->rules != NULL) {
        names[count++] = "variant";
        for (enum option option = 0; option < OPTION_COUNT; option++) {
            names[count++] = option_row(option)->name;
        }
    }
    char *plain = alloc_text(word->name, word->length);
    const char *nearest = text_nearest(plain, names, count);
    char shown[64];
    text_escape(word->name, word->length, shown, sizeof shown);
    if (nearest != NULL) {
        fail_set(reader->fail, EXIT_CODE_USAGE, _("unknown option %s%s: did you mean --%s?"),
                 dashes, shown, nearest);
    } else {
        fail_set(reader->fail, EXIT_CODE_USAGE, _("unknown option %s%s: --help lists the options"),
                 dashes, shown);
    }
    free(plain);
    free(names);
    return -1;
}

/* The value of an option: behind its '=' or the next word, which is then used up. */
static int take_value(struct reader *reader, const struct word *word, const char *name,
                      const char **value) {
    if (word->value != NULL) {
        *value = word->value;
        return 0;
    }
    const char *next = reader->at < reader->argc ? reader->argv[reader->at] : NULL;
    if (next == NULL || (next[0] == '-' && next[1] == '-')) {
        return fail_set(reader->fail, EXIT_CODE_USAGE, _("--%s needs a value"), name);
    }
    *value = next;
    reader->at++;
    return 0;
}

static int store_number(struct reader *reader, const struct arg_row *row, const char *value) {
    int64_t number;
    if (!text_i64(value, strlen(value), row->min, row->max, &number)) {
        return fail_set(reader->fail, EXIT_CODE_USAGE,
                        _("--%s takes a whole number from %ld to %ld, not \"%s\""), row->name,
                        row->min, row->max, value);
    }
    *(long *)row->value = (long)number;
    return 0;
}

static int store_time(struct reader *reader, const struct arg_row *row, const char *value) {
    int64_t millis;
    if (!text_millis(value, strlen(value), &millis)) {
        return fail_set(reader->fail, EXIT_CODE_USAGE,
                        _("--%s takes a time such as 250ms, 5s or 2m, not \"%s\""), row->name,
                        value);
    }
    if (millis < row->min || millis > row->max) {
        return fail_set(reader->fail, EXIT_CODE_USAGE,
                        _("--%s takes a time from %ldms to %ldms, not \"%s\""), row->name, row->min,
                        row->max, value);
    }
    *(long *)row->value = (long)millis;
    return 0;
}

static int read_row(struct reader *reader, const struct word *word, const struct arg_row *row) {
    if (row->kind == ARG_FLAG) {
        if (word->value != NULL) {
            return fail_set(reader->fail, EXIT_CODE_USAGE, _("--%s takes no value"), row->name);
        }
        *(bool *)row->value = true;
        return 0;
    }
    const char *value;
    if (take_value(reader, word, row->name, &value) != 0) {
        return -1;
    }
    switch (row->kind) {
    case ARG_NUMBER:
        return store_number(reader, row, value);
    case ARG_TIME:
        return store_time(reader, row, value);
    case ARG_FLAG:
    case ARG_TEXT:
        break;
    }
    *(const char **)row->value = value;
    return 0;
}

/* One `--name`, with its value if it takes one. */
static int read_option(struct reader *reader, const char *text) {
    const char *equals = strchr(text + 2, '=');
    struct word word = {
        .name = text + 2,
        .length = equals != NULL ? (size_t)(equals - text - 2) : strlen(text + 2),
        .value = equals != NULL ? equals + 1 : NULL,
    };
    const struct arg_row *row = find_row(reader->args, &word);
    if (row != NULL) {
        return read_row(reader, &word, row);
    }
    bool rules = reader->args->rules != NULL;
    if (rules && same_name(&word, "variant")) {
        return take_value(reader, &word, "variant", &reader->variant);
    }
    const char *rule = rules ? find_rule(&word) : NULL;
    if (rule == NULL) {
        return refuse_unknown(reader, &word, "--");
    }
    struct given *given = &reader->given[reader->given_count++];
    given->name = rule;
    return take_value(reader, &word, rule, &given->value);
}

/* Walks over the words; the rule options are only collected. */
static int read_words(struct reader *reader) {
    bool options = true;
    while (reader->at < reader->argc) {
        char *text = reader->argv[reader->at++];
        int status = 0;
        if (options && strcmp(text, "--") == 0) {
            options = false;
            continue;
        }
        if (!options || text[0] != '-' || text[1] == '\0') {
            reader->args->positional[reader->args->positional_count++] = text;
        } else if (text[1] == '-') {
            status = read_option(reader, text);
        } else {
            struct word word = {.name = text + 1, .length = strlen(text + 1)};
            status = refuse_unknown(reader, &word, "-");
        }
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

/* The rules of --variant, or those the caller had put there, or tavla's. */
static int choose_variant(struct reader *reader) {
    struct rules *rules = reader->args->rules;
    if (reader->variant != NULL) {
        const struct variant *variant = variant_find(reader->variant, strlen(reader->variant));
        if (variant == NULL) {
            char shown[64], names[VARIANT_NAMES_MAX];
            text_escape(reader->variant, strlen(reader->variant), shown, sizeof shown);
            variant_write_names(names);
            return fail_set(reader->fail, EXIT_CODE_USAGE, _("unknown variant %s: hakem knows %s"),
                            shown, names);
        }
        rules_init(rules, variant);
    } else if (rules->variant == NULL) {
        rules_init(rules, variant_row(VARIANT_TAVLA));
    }
    return 0;
}

static int apply_rules(struct reader *reader) {
    if (choose_variant(reader) != 0) {
        return -1;
    }
    for (int i = 0; i < reader->given_count; i++) {
        char why[160];
        if (rules_set(reader->args->rules, reader->given[i].name, reader->given[i].value, why) !=
            0) {
            return fail_set(reader->fail, EXIT_CODE_USAGE, "%s", why);
        }
    }
    char why[160];
    return rules_check(reader->args->rules, why) == 0
               ? 0
               : fail_set(reader->fail, EXIT_CODE_USAGE, "%s", why);
}

int args_read(struct args *args, int argc, char **argv, struct fail *fail) {
    struct reader reader = {.args = args, .argc = argc, .argv = argv, .at = 1, .fail = fail};
    reader.given = alloc_zeroed((size_t)argc + 1, sizeof *reader.given);
    args->positional = argv + 1; /* never ahead of what is read */
    args->positional_count = 0;
    int status = read_words(&reader);
    if (status == 0 && args->rules != NULL) {
        status = apply_rules(&reader);
    }
    free(reader.given);
    return status;
}

int args_refuse(const char *command, const struct fail *fail) {
    fprintf(stderr, "hakem %s: %s\n", command, fail->text);
    return (int)fail->code;
}
