#include "cli/identity.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/launch_bot.h"
#include "dice/sha256.h"
#include "record/header.h"
#include "store/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    IDENTITY_MAX = 1 << 20,
    PIECE = 65536,
    PATH_SHOWN = 128 /* bytes of a path in a record; of a longer one its end */
};
static const char CUT[] = "...";

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

/* The hash of a file; false where the path is none of a plain file, or it cannot be read. */
static bool hash_file(const char *path, struct hash *out) {
    struct stat status;
    struct sha256 state;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false;
    }
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    char *piece = alloc_zeroed(1, PIECE);
    sha256_init(&state);
    for (size_t got; (got = fread(piece, 1, PIECE, file)) > 0;) {
        sha256_add(&state, piece, got);
    }
    bool whole = ferror(file) == 0;
    sha256_end(&state, out->byte);
    fclose(file);
    free(piece);
    return whole;
}

/* Where the name of a file begins in so many bytes, if they are an absolute path: a record says
 * nothing of the folders of a machine. */
static size_t name_begins(const char *path, size_t length) {
    size_t at = 0;
    for (size_t i = 0; i + 1 < length && path[0] == '/'; i++) {
        at = path[i] == '/' ? i + 1 : at;
    }
    return at;
}

/* Adds "HASH:PATH" to the list; what does not fit into a word becomes `_`. */
static void add_file(struct bytes *list, const char *path, const struct hash *hash) {
    char digits[HASH_HEX], shown[PATH_SHOWN + 1];
    path += name_begins(path, strlen(path));
    size_t length = strlen(path), over = length > PATH_SHOWN ? length - PATH_SHOWN : 0;
    snprintf(shown, sizeof shown, "%s", path + over);
    for (char *at = shown; *at != '\0'; at++) {
        *at = *at > ' ' && *at < 127 && *at != ',' ? *at : '_';
    }
    hash_hex(hash, digits);
    bytes_print(list, "%s%s:%s", list->length > 0 ? "," : "", digits, shown);
}

/* The files that a command names, its program first, under the names that it has for them. */
static void read_command(const struct entrant *entrant, struct bytes *list) {
    char **words = text_split_command(entrant->command);
    struct hash hash;
    for (int i = 0; words != NULL && words[i] != NULL; i++) {
        char *word = i == 0 ? launch_program(entrant, words[0]) : NULL;
        char *program = word != NULL ? find_program(word) : NULL;
        if (hash_file(program != NULL ? program : words[i], &hash)) {
            add_file(list, words[i], &hash);
        }
        free(program);
        free(word);
    }
    free(words);
}

static int read_weights(const struct entrant *entrant, struct bytes *list, struct fail *fail) {
    struct hash hash;
    for (int i = 0; i < entrant->weights; i++) {
        if (!hash_file(entrant->weight[i], &hash)) {
            return fail_set(fail, EXIT_CODE_USAGE,
                            _("bot \"%s\": the file %s of its \"weights\" cannot be read"),
                            entrant->name, entrant->weight[i]);
        }
        add_file(list, entrant->weight[i], &hash);
    }
    return 0;
}

/* A command as a record has it: absolute paths by their names, cut where it is too long; empty
 * with bytes that no field can have. */
static char *write_command(const char *command) {
    static const char apart[] = " \"'=:,";
    struct bytes out;
    char shown[HEADER_COMMAND_MAX];
    bytes_init(&out, IDENTITY_MAX);
    while (*command != '\0') {
        size_t length = strcspn(command, apart), skip = name_begins(command, length);
        bytes_add(&out, command + skip, length - skip);
        command += length;
        bytes_add(&out, command, *command != '\0');
        command += *command != '\0';
    }
    bool cut = out.length >= sizeof shown;
    text_copy(shown, cut ? sizeof shown - sizeof CUT + 1 : sizeof shown, bytes_text(&out),
              out.length);
    bytes_clear(&out);
    return alloc_print("%s%s", text_is_utf8(shown, strlen(shown)) ? shown : "", cut ? CUT : "");
}

/* What records say of one entrant. */
static int read_entrant(struct entrant *entrant, struct fail *fail) {
    struct bytes list;
    bytes_init(&list, IDENTITY_MAX);
    read_command(entrant, &list);
    int status = read_weights(entrant, &list, fail);
    free(entrant->shown);
    free(entrant->files);
    entrant->shown = write_command(entrant->command);
    entrant->files = list.length > 0 ? alloc_text(list.data, list.length) : NULL;
    bytes_clear(&list);
    return status;
}

/* One hash of its command, its files, and what it is set to. */
static void write_hash(const struct entrant *entrant, char text[HASH_TEXT]) {
    struct sha256 state;
    struct hash hash;
    sha256_init(&state);
    sha256_add(&state, entrant->command, strlen(entrant->command) + 1);
    if (entrant->files != NULL) {
        sha256_add(&state, entrant->files, strlen(entrant->files) + 1);
    }
    for (int i = 0; i < entrant->dialect.options; i++) {
        const struct dialect_option *option = &entrant->dialect.option[i];
        sha256_add(&state, option->name, strlen(option->name) + 1);
        sha256_add(&state, option->value, strlen(option->value) + 1);
    }
    sha256_end(&state, hash.byte);
    hash_write(&hash, text);
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

/* Whether it is the bot that the folder's event began with. */
static int check(const struct entrant *entrant, const char *folder, struct bytes *kept,
                 struct fail *fail) {
    char then[HASH_TEXT], now[HASH_TEXT];
    if (!find_kept(kept, entrant->name, then)) {
        return 0;
    }
    write_hash(entrant, now);
    return strcmp(then, now) == 0
               ? 0
               : fail_set(fail, EXIT_CODE_USAGE,
                          _("the program of bot \"%s\" has changed since %s began: it is another "
                            "bot; take another --store, or mix them with --same"),
                          entrant->name, folder);
}

int identity_read(struct event *event, const char *folder, struct fail *fail) {
    struct bytes kept;
    int status = 0;
    read_kept(folder, &kept);
    for (int i = 0; i < event->entrant_count && status == 0; i++) {
        struct entrant *entrant = &event->entrants[i];
        if (entrant->kind == ENTRANT_CHILD) {
            status = read_entrant(entrant, fail);
        }
        if (entrant->kind == ENTRANT_CHILD && status == 0 && !event->same) {
            status = check(entrant, folder, &kept, fail);
        }
    }
    bytes_clear(&kept);
    return status;
}

int identity_keep(const struct event *event, const char *folder, struct fail *fail) {
    struct bytes kept, out;
    char text[HASH_TEXT];
    read_kept(folder, &kept);
    bytes_init(&out, IDENTITY_MAX);
    for (int i = 0; i < event->entrant_count; i++) {
        const struct entrant *entrant = &event->entrants[i];
        if (entrant->kind != ENTRANT_CHILD) {
            continue;
        }
        if (event->same || !find_kept(&kept, entrant->name, text)) {
            write_hash(entrant, text);
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
