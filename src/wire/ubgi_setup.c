/* The beginning with a UBGI engine: who it is, and how it is to be set. */
#include "wire/ubgi_inside.h"

#include <stdio.h>
#include <string.h>

bool ubgi_begins(const char *line, const char *word, const char **rest) {
    size_t length = strlen(word);
    if (!text_same_fold(line, strnlen(line, length), word, length) ||
        (line[length] != ' ' && line[length] != '\0')) {
        return false;
    }
    *rest = line + length + strspn(line + length, " ");
    return true;
}

void ubgi_send_barrier(struct dialect *d, enum ubgi_step step) {
    struct ubgi *u = &d->ubgi;
    u->said[0] = '\0';
    u->refused = false;
    u->barriers++;
    u->step = step;
    dialect_say(d, "isready");
}

void ubgi_open(struct dialect *d) {
    d->ubgi = (struct ubgi){.step = UBGI_GREETED, .variant = "backgammon", .chance = -1};
    dialect_say(d, "ubgi");
}

const char *ubgi_variant_word(enum variant_id id) {
    switch (id) {
    case VARIANT_TAVLA:
    case VARIANT_WESTERN:
        return "backgammon";
    case VARIANT_NACKGAMMON:
        return "nackgammon";
    case VARIANT_HYPERGAMMON:
        return "hypergammon";
    case VARIANT_UZUN:
    case VARIANT_FEVGA:
        return NULL;
    }
    return NULL;
}

/* The engine is set up: it says hello. */
static void greet(struct dialect *d) {
    const struct ubgi *u = &d->ubgi;
    char version[64 + sizeof u->name + sizeof u->version];
    unsigned variants = 0;
    for (int id = 0; id < VARIANT_COUNT; id++) {
        const char *word = ubgi_variant_word((enum variant_id)id);
        if (word != NULL && (strcmp(word, "backgammon") == 0 || ubgi_lists_variant(d, word))) {
            variants |= 1U << id;
        }
    }
    snprintf(version, sizeof version, "%s%s%s", u->name,
             u->name[0] != '\0' && u->version[0] != '\0' ? " " : "", u->version);
    d->ubgi.step = UBGI_RESTS;
    dialect_greet(d, variants, version);
}

/* Sets the next option, or is done with them. */
static void set_next(struct dialect *d) {
    struct ubgi *u = &d->ubgi;
    while (u->option < d->rule->options) {
        if (ubgi_set_option(d, &d->rule->option[u->option])) {
            ubgi_send_barrier(d, UBGI_SET);
            return;
        }
        if (d->wrong[0] != '\0') {
            return;
        }
        u->option++;
    }
    greet(d);
}

/* It is said to be ready after an option was set. */
void ubgi_was_set(struct dialect *d) {
    struct ubgi *u = &d->ubgi;
    const struct dialect_option *option = &d->rule->option[u->option];
    if (u->refused && !d->rule->lenient) {
        dialect_fail(d, "it refuses the option %.40s=%.30s: %.60s", option->name, option->value,
                     u->said);
        return;
    }
    if (!u->refused && ubgi_may_read(d, option->name)) {
        dialect_say(d, "get %s", option->name);
        ubgi_send_barrier(d, UBGI_READ);
        return;
    }
    if (!u->refused) {
        dialect_was_set(d, option->name, option->value);
    }
    u->option++;
    set_next(d);
}

void ubgi_read_back(struct dialect *d) {
    struct ubgi *u = &d->ubgi;
    const struct dialect_option *option = &d->rule->option[u->option];
    if (!u->refused && u->said[0] != '\0' && !ubgi_same_value(u->said, option->value) &&
        !d->rule->lenient) {
        dialect_fail(d, "the option %.40s was set to %.30s, and read back it is %.30s",
                     option->name, option->value, u->said);
        return;
    }
    bool read = !u->refused && u->said[0] != '\0';
    dialect_was_set(d, option->name, read ? u->said : option->value);
    u->option++;
    set_next(d);
}

/* `ubgiok`, or `readyok` in the first draft. */
static void greeted(struct dialect *d, bool draft) {
    struct ubgi *u = &d->ubgi;
    u->draft = draft;
    if (ubgi_is_other(d)) {
        dialect_fail(d, "it speaks the other UBGI, the Universal Board Game Interface, which has "
                        "no backgammon");
        return;
    }
    if (draft && d->rule->options > 0) {
        dialect_fail(d, "it speaks the first draft of UBGI, which has no options: %.40s cannot be "
                        "set", d->rule->option[0].name);
        return;
    }
    set_next(d);
}

static void take_id(struct ubgi *u, const char *rest) {
    const char *value;
    if (ubgi_begins(rest, "name", &value)) {
        text_copy(u->name, sizeof u->name, value, strlen(value));
    } else if (ubgi_begins(rest, "version", &value)) {
        text_copy(u->version, sizeof u->version, value, strlen(value));
    }
}

void ubgi_hear_greeting(struct dialect *d, const char *line, size_t length) {
    const char *rest;
    if (ubgi_begins(line, "id", &rest)) {
        take_id(&d->ubgi, rest);
    } else if (ubgi_begins(line, "proto", &rest)) {
        d->ubgi.second = strcmp(rest, "0.1") != 0;
    } else if (ubgi_begins(line, "key", &rest) || ubgi_begins(line, "option", &rest)) {
        bytes_add(&d->list, line, length);
        bytes_add(&d->list, "\n", 1);
    } else if (ubgi_begins(line, "ubgiok", &rest)) {
        greeted(d, false);
    } else if (ubgi_begins(line, "readyok", &rest)) {
        greeted(d, true);
    } else if (ubgi_begins(line, "uciok", &rest)) {
        dialect_fail(d, "it speaks UCI, not UBGI");
    } else if (ubgi_begins(line, "sorry", &rest) || ubgi_begins(line, "error", &rest)) {
        dialect_fail(d, "it does not start: %.100s", line);
    }
}
