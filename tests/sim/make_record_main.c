/* make_record variant=V seed=TEXT [leg=N] [faults=yes] [voids=yes] [opens=yes]
 * [left=N] [OPTION=VALUE...]: a record of random legal plays on standard output,
 * and with mat=FILE or sgf=FILE its .mat or .sgf in that file. */
#include "sim/make_record.h"

#include "base/file.h"
#include "record/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of `name=` among the arguments, or `absent`. */
static const char *argument(int argc, char **argv, const char *name, const char *absent) {
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') {
            return argv[i] + length + 1;
        }
    }
    return absent;
}

static bool flag(int argc, char **argv, const char *name) {
    return strcmp(argument(argc, argv, name, "no"), "yes") == 0;
}

typedef int writer(const char *text, size_t length, struct bytes *out, struct fail *fail);

static int write_as(writer *write, const char *path, const struct bytes *record) {
    struct bytes data;
    struct fail fail = {.code = EXIT_CODE_DONE};
    if (path == NULL) {
        return 0;
    }
    bytes_init(&data, 64U << 20);
    if (write(record->data, record->length, &data, &fail) != 0) {
        fprintf(stderr, "%s\n", fail.text);
        return 1;
    }
    int status = file_write(path, data.data, data.length, &fail);
    bytes_clear(&data);
    return status == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    const char *name = argument(argc, argv, "variant", "tavla");
    const struct variant *variant = variant_find(name, strlen(name));
    struct make_record spec = {
        .seed = argument(argc, argv, "seed", "1"),
        .leg = strcmp(argument(argc, argv, "leg", "1"), "2") == 0 ? 2 : 1,
        .faults = flag(argc, argv, "faults"),
        .voids = flag(argc, argv, "voids"),
        .opens = flag(argc, argv, "opens"),
        .left = (int)strtol(argument(argc, argv, "left", "0"), NULL, 10),
    };
    if (variant == NULL || dice_init() != 0) {
        return 2;
    }
    rules_init(&spec.rules, variant);
    for (enum option option = 0; option < OPTION_COUNT; option++) {
        const char *value = argument(argc, argv, option_row(option)->name, NULL);
        char why[160];
        if (value != NULL && rules_set(&spec.rules, option_row(option)->name, value, why) != 0) {
            fprintf(stderr, "%s\n", why);
            return 2;
        }
    }
    sign_key_fresh(&spec.key);
    struct bytes out;
    bytes_init(&out, 64U << 20);
    make_record(&spec, &out);
    fwrite(out.data, 1, out.length, stdout);
    int status = write_as(mat_write, argument(argc, argv, "mat", NULL), &out) |
                 write_as(sgf_write, argument(argc, argv, "sgf", NULL), &out);
    bytes_clear(&out);
    return status;
}
