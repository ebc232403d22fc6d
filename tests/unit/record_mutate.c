/* A record altered in one place is refused: by the chain, which names the line;
 * and where the forger has made the chain anew, by the rules, the throws or, for
 * what nobody can judge (times, names), by the signature. */
#include "check.h"
#include "sim/make_record.h"

#include "base/alloc.h"
#include "record/chain.h"
#include "record/verify.h"

#include <stdlib.h>

enum { RECORD_ROOM = 4 << 20, WORD_ROOM = 256, SUFFIX = CHAIN_DIGITS + 1, EVERY_DID = 6 };

/* How an alteration that fits the chain has to be found. */
enum found {
    FOUND_HERE,      /* at the line that was altered */
    FOUND_SOMEWHERE, /* what it promises or says comes out wrong, there or later */
    FOUND_SIGNED,    /* only by the signature, or by nothing that comes before it */
};

/* One record and what was found in an altered copy. */
struct sweep {
    struct bytes record;
    uint64_t lines;
    uint64_t want; /* a finding at this line is looked for */
    bool found_here;
    bool found_chain; /* and it is the chain that is broken there */
    int findings;
    char text[400]; /* of the first finding */
    int altered, missed;
};

static void note(void *owner, const struct verify_finding *finding) {
    struct sweep *sweep = owner;
    bool here = finding->line == sweep->want;
    sweep->found_here |= here;
    sweep->found_chain |= here && strstr(finding->text, "the digits of the chain") != NULL;
    if (sweep->findings++ == 0) {
        snprintf(sweep->text, sizeof sweep->text, "line %" PRIu64 ": %s", finding->line,
                 finding->text);
    }
}

static enum verify_outcome verify(struct sweep *sweep, const struct bytes *text, uint64_t line) {
    static const struct verify_known nothing = {.seed = NULL};
    struct verify_report report;
    sweep->want = line;
    sweep->found_here = false;
    sweep->found_chain = false;
    sweep->findings = 0;
    return verify_record(text->data, text->length, &nothing, note, sweep, &report);
}

static void miss(struct sweep *sweep, const char *what, uint64_t line, const char *altered) {
    if (sweep->missed++ < 10) {
        printf("# %s, line %" PRIu64 ", \"%s\": %s\n", what, line, altered,
               sweep->findings > 0 ? sweep->text : "not refused");
    }
}

/* Puts `length` bytes of the record at `at` aside for `altered`, and verifies. */
static void try(struct sweep *sweep, uint64_t line, size_t at, size_t length, const char *altered,
                enum found found) {
    struct bytes text;
    struct bytes chained;
    bytes_init(&text, RECORD_ROOM);
    bytes_init(&chained, RECORD_ROOM);
    bytes_add(&text, sweep->record.data, at);
    bytes_add_text(&text, altered);
    bytes_add(&text, sweep->record.data + at + length, sweep->record.length - at - length);
    sweep->altered++;
    bool broken = verify(sweep, &text, line) == VERIFY_REFUSED && sweep->found_chain;
    if (!broken) {
        miss(sweep, "chain", line, altered);
    }
    make_record_chain(text.data, text.length, &chained);
    uint64_t where = found == FOUND_SIGNED ? sweep->lines : line;
    bool refused = verify(sweep, &chained, where) == VERIFY_REFUSED;
    if (!refused || (found != FOUND_SOMEWHERE && !sweep->found_here)) {
        miss(sweep, "rules", line, altered);
    }
    bytes_clear(&text);
    bytes_clear(&chained);
}

/* What nobody but the signer knows: times, and words about a fault. */
static bool is_free(const char *word) {
    static const char *const free_fields[] = {"ms=", "lag=", "got="};
    for (size_t i = 0; i < sizeof free_fields / sizeof free_fields[0]; i++) {
        if (strncmp(word, free_fields[i], strlen(free_fields[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* A number one higher, a letter or a word that is another one. */
static void alter(const char *word, char out[WORD_ROOM]) {
    snprintf(out, WORD_ROOM, "%s", word);
    char *last = out + strlen(out) - 1;
    if (*last >= '0' && *last <= '9') {
        *last = *last == '9' ? '1' : (char)(*last + 1);
    } else if (*last == 'X' || *last == 'Y') {
        *last = *last == 'X' ? 'Y' : 'X';
    } else {
        *last = *last == 'a' ? 'b' : 'a';
    }
}

/* Alters one word of a line; `number` counts the words from 0. */
static void sweep_word(struct sweep *sweep, uint64_t line, const char *name, int number, size_t at,
                       size_t length) {
    char word[WORD_ROOM];
    char altered[WORD_ROOM];
    snprintf(word, sizeof word, "%.*s", (int)length, sweep->record.data + at);
    enum found found = FOUND_HERE;
    bool words = strncmp(word, "reason=", 7) == 0 &&
                 (strcmp(name, "fault") == 0 || strcmp(name, "void") == 0);
    if (strcmp(name, "record") == 0) {
        found = number == 0 ? FOUND_HERE : FOUND_SOMEWHERE;
    } else if (is_free(word) || words) {
        found = FOUND_SIGNED;
    } else if (strchr(word, '/') != NULL) {
        /* another from or to may be legal by chance; a star too many or missing is not */
        snprintf(altered, sizeof altered, "%s", word);
        char *star = strchr(altered, '*');
        if (star != NULL) {
            memmove(star, star + 1, strlen(star));
        } else {
            altered[length] = '*';
            altered[length + 1] = '\0';
        }
        try(sweep, line, at, length, altered, FOUND_HERE);
        try(sweep, line, at, length, "", FOUND_HERE);
        return;
    }
    alter(word, altered);
    try(sweep, line, at, length, altered, found);
    if (found == FOUND_HERE && number > 0 && strncmp(word, "attempt=", 8) != 0) {
        try(sweep, line, at, length, "", FOUND_HERE);
    }
}

static void sweep_words(struct sweep *sweep, uint64_t line, size_t start, size_t length) {
    const char *text = sweep->record.data + start;
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
    int number = 0;
    for (size_t at = 0; at < length;) {
        size_t size = strcspn(text + at, " ");
        size = size > length - at ? length - at : size;
        sweep_word(sweep, line, name, number++, start + at, size);
        at += size + 1;
    }
}

/* Leaves a line out, doubles it, and changes places with the next one. */
static void sweep_line(struct sweep *sweep, uint64_t line, size_t start, size_t length) {
    char *copy = alloc_text(sweep->record.data + start, length + 1);
    char *twice = alloc_print("%s%s", copy, copy);
    if (line < sweep->lines) {
        const char *next = sweep->record.data + start + length + 1;
        /* the last plies of a void game prove nothing but their number, nor does its beginning
         * where there were no plies: the lines of such a game may be missing */
        bool loose = (strncmp(copy, "did", 3) == 0 || strncmp(copy, "game", 4) == 0) &&
                     strncmp(next, "void", 4) == 0;
        try(sweep, line, start, length + 1, "", loose ? FOUND_SOMEWHERE : FOUND_HERE);
        size_t next_length = strcspn(next, "\n") + 1;
        char *changed = alloc_print("%.*s%s", (int)next_length, next, copy);
        try(sweep, line, start, length + 1 + next_length, changed,
            loose ? FOUND_SOMEWHERE : FOUND_HERE);
        free(changed);
    }
    struct bytes text;
    bytes_init(&text, RECORD_ROOM);
    bytes_add(&text, sweep->record.data, start);
    bytes_add_text(&text, twice);
    bytes_add(&text, sweep->record.data + start + length + 1,
              sweep->record.length - start - length - 1);
    struct bytes chained;
    bytes_init(&chained, RECORD_ROOM);
    make_record_chain(text.data, text.length, &chained);
    sweep->altered++;
    if (verify(sweep, &chained, line + 1) != VERIFY_REFUSED || !sweep->found_here) {
        miss(sweep, "twice", line, copy);
    }
    bytes_clear(&text);
    bytes_clear(&chained);
    free(copy);
    free(twice);
}

static void sweep_record(enum variant_id variant, int length, const char *seed, bool cube) {
    struct make_record spec = {.seed = seed, .leg = 1, .faults = true, .voids = true};
    struct sweep sweep = {.lines = 0};
    rules_init(&spec.rules, variant_row(variant));
    spec.rules.value[OPTION_MATCH] = length;
    spec.rules.value[OPTION_VIDO] = cube;
    spec.rules.value[OPTION_RESIGN] = cube;
    sign_key_fresh(&spec.key);
    bytes_init(&sweep.record, RECORD_ROOM);
    make_record(&spec, &sweep.record);
    const char *text = bytes_text(&sweep.record);
    for (const char *at = text; *at != '\0'; at++) {
        sweep.lines += *at == '\n';
    }
    CHECK(verify(&sweep, &sweep.record, 0) == VERIFY_PROVEN, "%s, seed %s: proven as it is",
          variant_row(variant)->name, seed);
    size_t at = 0;
    for (uint64_t line = 1; line <= sweep.lines; line++) {
        size_t size = strcspn(text + at, "\n");
        bool did = strncmp(text + at, "did", 3) == 0;
        bool next_did = strncmp(text + at + size + 1, "did", 3) == 0;
        if (!did || !next_did || line % EVERY_DID == 0) {
            sweep_words(&sweep, line, at, size - SUFFIX);
            sweep_line(&sweep, line, at, size);
        }
        at += size + 1;
    }
    CHECK(sweep.altered > 200, "%d alterations were made", sweep.altered);
    CHECK_INT(sweep.missed, 0, "each was refused, and where it should be");
    bytes_clear(&sweep.record);
}

int main(void) {
    CHECK(dice_init() == 0, "the dice are ready");
    sweep_record(VARIANT_TAVLA, 3, "m1", false);
    sweep_record(VARIANT_UZUN, 3, "m2", false);
    sweep_record(VARIANT_WESTERN, 3, "m3", false);
    sweep_record(VARIANT_FEVGA, 1, "m4", false);
    sweep_record(VARIANT_WESTERN, 5, "m5", true);
    sweep_record(VARIANT_TAVLA, 3, "m6", true);
    return check_done();
}
