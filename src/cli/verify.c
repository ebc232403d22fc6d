#include "record/verify.h"

#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/records.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

/* What was asked, and what came of it so far. */
struct audit {
    struct verify_known known;
    bool prefix;      /* an unfinished record is good enough */
    const char *name; /* of the record at hand */
    bool several;     /* a last line sums them up */
    unsigned records, proven;
    uint8_t key[SIGN_PUBLIC_BYTES]; /* of the first one that was proven */
    enum exit_code code;
};

static void print_finding(void *owner, const struct verify_finding *finding) {
    const struct audit *audit = owner;
    if (finding->line > 0) {
        printf(_("%s: line %llu: %s"), audit->name, (unsigned long long)finding->line,
               finding->text);
    } else {
        printf("%s: %s", audit->name, finding->text);
    }
    printf("\n");
}

/* Who signed, and how far the dice can be trusted (dice.md, "What it proves"). */
static void print_proven(struct audit *audit, const struct verify_report *report) {
    char key[2 * SIGN_PUBLIC_BYTES + 1];
    text_hex(report->header.key, sizeof report->header.key, key);
    if (audit->proven++ == 0) {
        memcpy(audit->key, report->header.key, sizeof audit->key);
    }
    printf(_("%s: proven: %llu lines, %u games, %u plies; %u throws are the committed ones; "),
           audit->name, (unsigned long long)report->lines, report->games, report->plies,
           report->throws);
    if (audit->several && memcmp(audit->key, report->header.key, sizeof audit->key) == 0) {
        printf("%s; ", _("signed"));
    } else {
        printf(_("signed by %s; "), key);
    }
    if (report->seed_open) {
        printf("%s\n", _("the dice follow from the open seed"));
    } else if (report->header.source == DICE_SEEDED) {
        printf("%s\n", _("assurance none: the dice come from a seed that the operator chose"));
    } else {
        printf("%s\n", _("assurance none: the operator could choose the dice"));
    }
}

/* The last line of several: the key stands here once, and with a record only where it is
 * another one. */
static void print_sum(const struct audit *audit) {
    char key[2 * SIGN_PUBLIC_BYTES + 1];
    text_hex(audit->key, sizeof audit->key, key);
    printf(_("%u of %u proven"), audit->proven, audit->records);
    if (audit->proven > 0) {
        printf(_("; signed by %s"), key);
    }
    printf("\n");
}

static void print_prefix(const struct audit *audit, const struct verify_report *report) {
    printf(_("%s: unfinished: only a prefix is sound: %llu lines, %u games, %u plies"), audit->name,
           (unsigned long long)report->lines, report->games, report->plies);
    printf("; %s\n", report->seed_known
                         ? _("no signature")
                         : _("no seed yet and no signature: the throws are not checked"));
}

/* What does not hold is worse than what is not there yet. */
static void note_code(struct audit *audit, enum exit_code code) {
    if (audit->code == EXIT_CODE_DONE || audit->code == EXIT_CODE_UNFINISHED) {
        audit->code = code;
    }
}

static void audit_record(struct audit *audit, const char *name, const struct bytes *record) {
    struct verify_report report;
    audit->name = name;
    audit->records++;
    switch (
        verify_record(record->data, record->length, &audit->known, print_finding, audit, &report)) {
    case VERIFY_PROVEN:
        print_proven(audit, &report);
        return;
    case VERIFY_PREFIX:
        print_prefix(audit, &report);
        if (!audit->prefix) {
            note_code(audit, EXIT_CODE_UNFINISHED);
        }
        return;
    case VERIFY_REFUSED:
        note_code(audit, EXIT_CODE_VERIFY);
        return;
    }
}

/* Every record of a store, in the order of its matches. */
static int audit_store(struct audit *audit, const char *folder, struct fail *fail) {
    struct records records;
    if (records_open(folder, &records, fail) != 0) {
        return -1;
    }
    int status = 0;
    for (uint64_t match = 1; status >= 0 && match <= records.matches; match++) {
        struct bytes record;
        char name[RECORDS_NAME_MAX];
        bytes_init(&record, RECORDS_FILE_MAX);
        status = records_read(&records, match, &record, name, fail);
        if (status == 1) {
            audit_record(audit, name, &record);
        }
        bytes_clear(&record);
    }
    records_close(&records);
    return status < 0 ? -1 : 0;
}

static int audit_file(struct audit *audit, const char *path, struct fail *fail) {
    if (strcmp(path, "-") != 0 && store_exists(path)) {
        audit->several = true;
        return audit_store(audit, path, fail);
    }
    struct bytes record;
    bytes_init(&record, RECORDS_FILE_MAX);
    int status = records_read_file(path, &record, fail);
    if (status == 0) {
        audit_record(audit, path, &record);
    }
    bytes_clear(&record);
    return status;
}

static int run(int argc, char **argv) {
    struct audit audit = {.code = EXIT_CODE_DONE};
    const char *key = NULL;
    uint8_t key_bytes[SIGN_PUBLIC_BYTES];
    const struct arg_row rows[] = {
        {.name = "seed", .kind = ARG_TEXT, .value = &audit.known.seed},
        {.name = "key", .kind = ARG_TEXT, .value = &key},
        {.name = "prefix", .kind = ARG_FLAG, .value = &audit.prefix},
    };
    struct args args = {.rows = rows, .row_count = sizeof rows / sizeof rows[0]};
    struct fail fail = {.code = EXIT_CODE_DONE};
    if (args_read(&args, argc, argv, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    if (args.positional_count == 0) {
        fail_set(&fail, EXIT_CODE_USAGE, _("which record? Name a file, or a store"));
        return args_refuse(argv[0], &fail);
    }
    if (key != NULL) {
        if (!text_unhex(key, strlen(key), key_bytes, sizeof key_bytes)) {
            fail_set(&fail, EXIT_CODE_USAGE, _("--key takes the 64 hex digits of a public key"));
            return args_refuse(argv[0], &fail);
        }
        audit.known.key = key_bytes;
    }
    audit.several = args.positional_count > 1;
    for (int i = 0; i < args.positional_count; i++) {
        if (audit_file(&audit, args.positional[i], &fail) != 0) {
            enum exit_code code = (enum exit_code)args_refuse(argv[0], &fail);
            audit.code = audit.code == EXIT_CODE_DONE ? code : audit.code;
            audit.records += audit.several;
        }
    }
    if (audit.several) {
        print_sum(&audit);
    }
    return records_finish(argv[0], (int)audit.code);
}

const struct command command_verify = {
    .name = "verify",
    .usage = "FILE... | STORE [--seed TEXT] [--key HEX] [--prefix]",
    .summary = N_("proves records: chain, throws, plays, results, signature"),
    .help = N_("Each record gets a line that says what was proven, or one for each thing that does "
               "not hold.\n"
               "FILE is a .hkm record (\"-\" is standard input); of a STORE every record is read.\n"
               "Of several, a last line counts the proven ones and names the key.\n"
               "  --seed TEXT   the open seed of seeded dice: the seeds have to follow from it\n"
               "  --key HEX     the public key that has to have signed\n"
               "  --prefix      an unfinished record is no failure\n"
               "Exit code 6 when something does not hold, 9 when a record is only unfinished.\n"
               "Example: hakem verify night/records/U000001-1.hkm\n"),
    .run = run,
};
