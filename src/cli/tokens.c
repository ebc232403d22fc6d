#include "cli/tokens.h"

#include "arena/doc.h"
#include "base/alloc.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lang.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOKENS_FILE_MAX = 1 << 20 };

struct row {
    char name[NAME_MAX_BYTES + 1];
    struct hash kept;
};

struct tokens {
    char *path;
    struct row *row;
    int count;
};

struct tokens *tokens_new(const char *path) {
    struct tokens *tokens = alloc_zeroed(1, sizeof *tokens);
    tokens->path = alloc_text(path, strlen(path));
    return tokens;
}

void tokens_free(struct tokens *tokens) {
    if (tokens != NULL) {
        free(tokens->row);
        free(tokens->path);
        free(tokens);
    }
}

static struct row *find_row(const struct tokens *tokens, const char *name) {
    for (int i = 0; i < tokens->count; i++) {
        struct row *row = &tokens->row[i];
        if (text_same_name(row->name, name)) {
            return row;
        }
    }
    return NULL;
}

const struct hash *tokens_find(const struct tokens *tokens, const char *name) {
    const struct row *row = find_row(tokens, name);
    return row != NULL ? &row->kept : NULL;
}

int tokens_count(const struct tokens *tokens) {
    return tokens->count;
}

static void set_row(struct tokens *tokens, const char *name, const struct hash *kept) {
    struct row *row = find_row(tokens, name);
    if (row == NULL) {
        tokens->row = alloc_resize(tokens->row, (size_t)tokens->count + 1, sizeof *tokens->row);
        row = &tokens->row[tokens->count++];
        memset(row, 0, sizeof *row);
        memcpy(row->name, name, strlen(name));
    }
    row->kept = *kept;
}

/* One {"name": .., "token": "sha256:.."}, as hakem token prints it. */
static int read_row(struct tokens *tokens, const struct doc *doc, const struct cJSON *item) {
    static const char *const known[] = {"name", "token"};
    const char *text[2] = {NULL, NULL};
    struct hash kept;
    if (!json_is_object(item)) {
        return doc_refuse(doc, NULL,
                          _("a bot is an object such as {\"name\": \"a\", \"token\": "
                            "\"sha256:...\"}"));
    }
    for (const struct cJSON *field = json_first(item); field != NULL; field = json_next(field)) {
        const char *key = json_key(field);
        int which = strcmp(key, known[0]) == 0 ? 0 : strcmp(key, known[1]) == 0 ? 1 : -1;
        if (which < 0) {
            return doc_refuse_unknown(doc, key, known, 2, "token");
        }
        text[which] = doc_text(doc, field);
        if (text[which] == NULL) {
            return -1;
        }
    }
    if (text[0] == NULL || !text_is_name(text[0], strlen(text[0]))) {
        return doc_refuse(doc, NULL, _("a bot here needs a \"name\" of letters, digits, . _ -"));
    }
    if (text[1] == NULL || !hash_read(text[1], &kept)) {
        return doc_refuse(doc, NULL,
                          _("bot \"%s\" needs the \"token\": \"sha256:...\" that hakem "
                            "token prints"),
                          text[0]);
    }
    if (find_row(tokens, text[0]) != NULL) {
        return doc_refuse(doc, NULL, _("bot \"%s\" stands there twice"), text[0]);
    }
    set_row(tokens, text[0], &kept);
    return 0;
}

static int read_rows(struct tokens *tokens, struct doc *doc, const struct cJSON *root) {
    static const char *const known[] = {"bots"};
    if (!json_is_object(root) || !json_is_array(json_member(root, "bots"))) {
        return doc_refuse(doc, NULL, _("a token file is {\"bots\": [..]}"));
    }
    for (const struct cJSON *field = json_first(root); field != NULL; field = json_next(field)) {
        if (strcmp(json_key(field), known[0]) != 0) {
            return doc_refuse_unknown(doc, json_key(field), known, 1, "token");
        }
    }
    int status = 0;
    doc->at = (struct place){.key = known[0], .item = 0};
    for (const struct cJSON *item = json_first(json_member(root, "bots"));
         item != NULL && status == 0; item = json_next(item)) {
        status = tokens->count < TOKENS_MAX
                     ? read_row(tokens, doc, item)
                     : doc_refuse(doc, NULL, _("more than %d bots"), TOKENS_MAX);
        doc->at.item++;
    }
    return status;
}

int tokens_read(struct tokens *tokens, struct fail *fail) {
    struct tokens fresh = {.path = tokens->path};
    struct bytes text;
    if (access(tokens->path, F_OK) != 0) {
        return 0;
    }
    bytes_init(&text, TOKENS_FILE_MAX);
    int status = file_read(tokens->path, &text, fail);
    if (status == 0) {
        struct doc doc = {
            .path = tokens->path, .text = bytes_text(&text), .length = text.length, .fail = fail};
        struct cJSON *root = json_parse(doc.text, doc.length, &json_limits_file, fail);
        status = root != NULL ? read_rows(&fresh, &doc, root) : fail_wrap(fail, "%s", tokens->path);
        json_free(root);
    }
    bytes_clear(&text);
    if (status == 0) {
        free(tokens->row);
        *tokens = fresh;
    } else {
        free(fresh.row);
    }
    return status;
}

static int write_rows(const struct tokens *tokens, struct fail *fail) {
    struct bytes text;
    bytes_init(&text, TOKENS_FILE_MAX);
    bytes_add_text(&text, "{\"bots\": [");
    for (int i = 0; i < tokens->count; i++) {
        char kept[HASH_TEXT];
        hash_write(&tokens->row[i].kept, kept);
        bytes_print(&text, "%s\n    {\"name\": \"%s\", \"token\": \"%s\"}", i == 0 ? "" : ",",
                    tokens->row[i].name, kept);
    }
    bytes_add_text(&text, "\n]}\n");
    int status = file_write(tokens->path, text.data, text.length, fail);
    bytes_clear(&text);
    return status;
}

int tokens_put(struct tokens *tokens, const char *name, const struct hash *kept,
               struct fail *fail) {
    if (tokens->count >= TOKENS_MAX && find_row(tokens, name) == NULL) {
        fail_set(fail, EXIT_CODE_USAGE, _("more than %d bots"), TOKENS_MAX);
        return fail_wrap(fail, "%s", tokens->path);
    }
    set_row(tokens, name, kept);
    return write_rows(tokens, fail);
}
