#include "cli/identity.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/launch_bot.h"
#include "dice/sha256.h"
#include "store/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IDENTITY_MAX = 1 << 20, PIECE = 65536, SHOWN = 12 /* digits */ };

/* The program that a word of a command starts: itself, or found on the PATH; the caller frees. */
static char *find_program(const char *word) {
    const char *path = getenv("PATH");
    if (strchr(word, '/') != NULL || path == NULL) {
        return alloc_text(word, strlen(word));
    }
    while (*path != '\0') {
        size_t length = strcspn(path, ":");
        char *place = alloc_print("%.*s/%s", (int)length, path, word);
        if (access(place, X_OK) == 0) {
            return place;
        }
        free(place);
        path += length + (path[length] == ':');
    }
    return alloc_text(word, strlen(word));
}

/* Adds a file's bytes, with its length before; a word that names no plain file adds nothing. */
static void add_file(struct sha256 *state, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return;
    }
    FILE *file = fopen(path, "re");
    char *piece = alloc_zeroed(1, PIECE);
    uint64_t length = (uint64_t)status.st_size;
    sha256_add(state, &length, sizeof length);
    for (size_t got; file != NULL && (got = fread(piece, 1, PIECE, file)) > 0;) {
        sha256_add(state, piece, got);
    }
    free(piece);
    if (file != NULL) {
        fclose(file);
    }
}

/* One program: its file, those that its command names, its weights, arguments and options. */
static struct hash identify(const struct entrant *entrant) {
    struct sha256 state;
    struct hash out;
    char **words = text_split_command(entrant->command);
    sha256_init(&state);
    for (int i = 0; words != NULL && words[i] != NULL; i++) {
        char *word = i == 0 ? launch_program(entrant, words[0]) : NULL;
        char *program = word != NULL ? find_program(word) : NULL;
        add_file(&state, program != NULL ? program : words[i]);
        if (i > 0) {
            sha256_add(&state, words[i], strlen(words[i]) + 1);
        }
        free(program);
        free(word);
    }
    for (int i = 0; i < entrant->weights; i++) {
        add_file(&state, entrant->weight[i]);
    }
    for (int i = 0; i < entrant->dialect.options; i++) {
        const struct dialect_option *option = &entrant->dialect.option[i];
        sha256_add(&state, option->name, strlen(option->name) + 1);
        sha256_add(&state, option->value, strlen(option->value) + 1);
    }
    sha256_end(&state, out.byte);
    free(words);
    return out;
}

/* What the folder has kept, empty when there is nothing. */
static void read_kept(const char *folder, struct bytes *out) {
    struct fail fail;
    char *path = folder_path(folder, "identity");
    bytes_init(out, IDENTITY_MAX);
    if (access(path, R_OK) != 0 || file_read(path, out, &fail) != 0) {
        bytes_drop(out, out->length);
    }
    free(path);
}

/* The hash that is kept of that name; false when none is. */
static bool find_kept(struct bytes *kept, const char *name, char text[HASH_TEXT]) {
    const char *line = bytes_text(kept);
    size_t length = strlen(name);
    while (*line != '\0') {
        size_t end = strcspn(line, "\n");
        if (end == length + HASH_TEXT && strncmp(line, name, length) == 0 && line[length] == ' ') {
            memcpy(text, line + length + 1, HASH_TEXT - 1);
            text[HASH_TEXT - 1] = '\0';
            return true;
        }
        line += end + (line[end] == '\n');
    }
    return false;
}

int identity_check(const struct event *event, const char *folder, struct fail *fail) {
    struct bytes kept;
    int status = 0;
    read_kept(folder, &kept);
    for (int i = 0; i < event->entrant_count && kept.length > 0 && status == 0; i++) {
        const struct entrant *entrant = &event->entrants[i];
        char then[HASH_TEXT], now[HASH_TEXT];
        if (entrant->kind != ENTRANT_CHILD || !find_kept(&kept, entrant->name, then)) {
            continue;
        }
        struct hash hash = identify(entrant);
        hash_write(&hash, now);
        if (strcmp(then, now) != 0) {
            status = fail_set(fail, EXIT_CODE_USAGE,
                              _("the program of bot \"%s\" has changed since %s began: it is "
                                "another bot; take another --store, or mix them with --same"),
                              entrant->name, folder);
        }
    }
    bytes_clear(&kept);
    return status;
}

int identity_keep(const struct event *event, const char *folder, bool anew, struct fail *fail) {
    struct bytes kept, out;
    char text[HASH_TEXT];
    read_kept(folder, &kept);
    bytes_init(&out, IDENTITY_MAX);
    for (int i = 0; i < event->entrant_count; i++) {
        const struct entrant *entrant = &event->entrants[i];
        if (entrant->kind != ENTRANT_CHILD) {
            continue;
        }
        if (anew || !find_kept(&kept, entrant->name, text)) {
            struct hash hash = identify(entrant);
            hash_write(&hash, text);
        }
        bytes_print(&out, "%s %s\n", entrant->name, text);
    }
    char *path = folder_path(folder, "identity");
    int status = out.length > 0 ? file_write(path, out.data, out.length, fail) : 0;
    free(path);
    bytes_clear(&out);
    bytes_clear(&kept);
    return status;
}

void identity_show(const struct event *event, const char *folder) {
    static const char prefix[] = "sha256:";
    struct bytes kept;
    char text[HASH_TEXT];
    bool any = false;
    read_kept(folder, &kept);
    for (int i = 0; i < event->entrant_count; i++) {
        const struct entrant *entrant = &event->entrants[i];
        const struct dialect_rule *rule = &entrant->dialect;
        if (!find_kept(&kept, entrant->name, text)) {
            continue;
        }
        printf("%s  %s  %s%.*s",
               any ? "" : _("\nPrograms (SHA-256 with their files and options):\n"),
               entrant->name, prefix, SHOWN, text + sizeof prefix - 1);
        for (int option = 0; option < rule->options; option++) {
            char said[DIALECT_PLIES_MAX];
            dialect_write_option(rule, option, said);
            printf("%s %s", option == 0 ? " " : ",", said);
        }
        printf("\n");
        any = true;
    }
    bytes_clear(&kept);
}
