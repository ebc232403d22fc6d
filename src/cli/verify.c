#include "record/verify.h"

#include "arena/event.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/audit_copies.h"
#include "cli/audit_log.h"
#include "cli/command.h"
#include "cli/records.h"
#include "store/store.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was asked, and what came of it so far. */
struct inquiry {
    struct verify_known known;
    bool prefix;      /* an unfinished record is good enough */
    struct audit_kept log;     /* a copy of the event's log */
    bool several;     /* a last line sums them up */
    struct audit_event *event; /* of the store whose records are read; NULL: files */
    struct audit_copies *copies; /* and the files that it has written out */
    unsigned records, proven;
    uint8_t key[SIGN_PUBLIC_BYTES]; /* of the first one that was proven */
    enum exit_code code;
};

/* What a player has done for the dice, and what that proves. */
static const char *say_contribution(const struct contribution *of) {
    if (of->withheld) {
        return _("withheld what it had declared");
    }
    if (of->committed) {
        return _("committed and kept it");
    }
    return of->given ? _("added in the open") : _("added nothing");
}

static void print_assurance(const struct verify_report *report) {
    if (report->header.source == DICE_SEEDED) {
        printf("%s\n", _("assurance none: the dice come from a seed that the operator chose"));
        return;
    }
    if (report->header.source == DICE_MANUAL) {
        printf("%s\n", _("assurance none: an operator typed what real dice showed"));
        return;
    }
    if (report->header.source == DICE_RECORDED) {
        printf("%s\n", report->throws_known
                           ? _("recorded dice: the hash binds the file; how it was thrown is not "
                               "proven")
                           : _("recorded dice: no throw is checked without their file (--throws)"));
        return;
    }
    const struct contribution *of = report->of;
    if (!report->mixed) {
        printf("%s\n", _("assurance none: the operator could choose the dice"));
        return;
    }
    if ((of[0].committed && of[0].given) || (of[1].committed && of[1].given)) {
        printf("%s", _("assurance full: nobody could choose the dice"));
    } else if (of[0].given || of[1].given) {
        printf("%s", _("assurance partial: the operator could choose the dice only in league with "
                       "a player"));
    } else {
        printf("%s", _("assurance none: the operator could choose the dice"));
    }
    printf(_(" (player 1 %s, player 2 %s)"), say_contribution(&of[0]), say_contribution(&of[1]));
    printf("\n");
}

/* Who signed, and how far the dice can be trusted (dice.md, "What it proves"). */
static void print_proven(struct inquiry *inquiry, const char *name,
                         const struct verify_report *report) {
    char key[2 * SIGN_PUBLIC_BYTES + 1];
    text_hex(report->header.key, sizeof report->header.key, key);
    if (inquiry->proven++ == 0) {
        memcpy(inquiry->key, report->header.key, sizeof inquiry->key);
    }
    printf(_("%s: proven: %llu lines, %u games, %u plies; "), name,
           (unsigned long long)report->lines, report->games, report->plies);
    bool listed = dice_are_listed(report->header.source);
    if (!listed || report->throws_known) {
        printf(listed ? _("%u throws are those of the file; ")
                      : _("%u throws are the committed ones; "),
               report->throws);
    }
    if (inquiry->several && memcmp(inquiry->key, report->header.key, sizeof inquiry->key) == 0) {
        printf("%s; ", _("signed"));
    } else {
        printf(_("signed by %s; "), key);
    }
    if (report->seed_open && report->header.source == DICE_SEEDED) {
        printf("%s\n", _("the dice follow from the open seed"));
    } else {
        print_assurance(report);
    }
}

/* The last line of several: the key stands here once, and with a record only where it is
 * another one. */
static void print_sum(const struct inquiry *inquiry) {
    char key[2 * SIGN_PUBLIC_BYTES + 1];
    text_hex(inquiry->key, sizeof inquiry->key, key);
    printf(_("%u of %u proven"), inquiry->proven, inquiry->records);
    if (inquiry->proven > 0) {
        printf(_("; signed by %s"), key);
    }
    printf("\n");
}

static void print_prefix(const char *name, const struct verify_report *report) {
    printf(_("%s: unfinished: only a prefix is sound: %llu lines, %u games, %u plies"), name,
           (unsigned long long)report->lines, report->games, report->plies);
    printf("; %s\n", report->seed_known
                         ? _("no signature")
                         : _("no seed yet and no signature: the throws are not checked"));
}

/* What does not hold is worse than what is not there yet. */
static void note_code(struct inquiry *inquiry, enum exit_code code) {
    if (inquiry->code == EXIT_CODE_DONE || inquiry->code == EXIT_CODE_UNFINISHED) {
        inquiry->code = code;
    }
}

static void take_record(void *owner, const struct audit_record *record) {
    struct inquiry *inquiry = owner;
    inquiry->records++;
    if (record->findings.length > 0) {
        fwrite(record->findings.data, 1, record->findings.length, stdout);
    }
    switch (record->outcome) {
    case VERIFY_PROVEN:
        print_proven(inquiry, record->name, &record->report);
        break;
    case VERIFY_PREFIX:
        print_prefix(record->name, &record->report);
        if (!inquiry->prefix) {
            note_code(inquiry, EXIT_CODE_UNFINISHED);
        }
        break;
    case VERIFY_REFUSED:
        note_code(inquiry, EXIT_CODE_VERIFY);
        break;
    }
    if (inquiry->event != NULL) {
        audit_event_record(inquiry->event, record);
        audit_copies_record(inquiry->copies, record);
    }
}

/* Every record of an open store, in the order of its matches. */
static int inquire_matches(struct inquiry *inquiry, struct records *records, struct fail *fail) {
    struct audit audit;
    int status = 0;
    audit_init(&audit, &inquiry->known, take_record, inquiry);
    for (uint64_t match = 1; status >= 0 && match <= records->matches; match++) {
        struct bytes text;
        char name[RECORDS_NAME_MAX];
        bytes_init(&text, RECORDS_FILE_MAX);
        status = records_read(records, match, &text, name, fail);
        if (status == 1) {
            audit_add(&audit, name, match, &text);
            continue;
        }
        bytes_clear(&text);
        audit_finish(&audit);
        if (status == 0) {
            audit_event_absent(inquiry->event, match);
        }
    }
    audit_clear(&audit);
    return status < 0 ? -1 : 0;
}

/* A whole event: its records, and what the store makes of them. */
static int inquire_store(struct inquiry *inquiry, const char *folder, struct fail *fail) {
    struct records records;
    if (records_open(folder, &records, fail) != 0) {
        return -1;
    }
    inquiry->event = audit_event_new(&records, fail);
    struct audit_copies copies =
        audit_copies_of(&records, inquiry->event, folder, store_rests(records.store));
    inquiry->copies = &copies;
    int status = inquiry->event != NULL ? inquire_matches(inquiry, &records, fail) : -1;
    if (status == 0) {
        audit_copies_strays(&copies);
        audit_log(inquiry->event, records.store, folder, &inquiry->log);
    }
    if (status == 0) {
        audit_event_sum(inquiry->event);
        if (audit_event_refused(inquiry->event)) {
            note_code(inquiry, EXIT_CODE_VERIFY);
        } else if (audit_event_missing(inquiry->event) > 0 && !inquiry->prefix) {
            note_code(inquiry, EXIT_CODE_UNFINISHED);
        }
    }
    audit_event_free(inquiry->event);
    inquiry->event = NULL;
    inquiry->copies = NULL;
    records_close(&records);
    return status;
}

static int inquire_file(struct audit *audit, const char *path, struct fail *fail) {
    struct bytes text;
    bytes_init(&text, RECORDS_FILE_MAX);
    if (records_read_file(path, &text, fail) != 0) {
        bytes_clear(&text);
        return -1;
    }
    audit_add(audit, path, 0, &text);
    return 0;
}

static int is_record(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".hkm") == 0;
}

/* Every .hkm file of a folder, by name. */
static int inquire_folder(struct audit *audit, const char *path, struct fail *fail) {
    struct dirent **entries;
    int count = scandir(path, &entries, is_record, alphasort);
    int status = 0;
    if (count <= 0) {
        status = fail_set(fail, EXIT_CODE_IO, _("%s holds no .hkm file and is no store"), path);
    }
    for (int i = 0; i < count; i++) {
        char *file = alloc_print("%s/%s", path, entries[i]->d_name);
        status = status == 0 ? inquire_file(audit, file, fail) : status;
        free(file);
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return status;
}

static int inquire(struct inquiry *inquiry, struct audit *audit, const char *path,
                   struct fail *fail) {
    bool is_file = strcmp(path, "-") == 0;
    DIR *folder = is_file ? NULL : opendir(path);
    if (folder == NULL) {
        return inquire_file(audit, path, fail);
    }
    closedir(folder);
    inquiry->several = true;
    if (!store_exists(path)) {
        return records_check_served(path, fail) != 0 ? -1 : inquire_folder(audit, path, fail);
    }
    audit_finish(audit);
    return inquire_store(inquiry, path, fail);
}

/* All that was named; what cannot be read is said, and the rest is verified all the same. */
static void inquire_all(struct inquiry *inquiry, const char *command, const struct args *args) {
    struct audit audit;
    audit_init(&audit, &inquiry->known, take_record, inquiry);
    for (int i = 0; i < args->positional_count; i++) {
        struct fail fail = {.code = EXIT_CODE_DONE};
        if (inquire(inquiry, &audit, args->positional[i], &fail) != 0) {
            note_code(inquiry, (enum exit_code)args_refuse(command, &fail));
            inquiry->records += inquiry->several;
        }
    }
    audit_clear(&audit);
}

/* The copy of a log is that of one event: with files alone there is nothing to hold it against. */
static int read_log(struct inquiry *inquiry, const struct args *args, struct fail *fail) {
    bytes_init(&inquiry->log.text, RECORDS_FILE_MAX);
    if (inquiry->log.path == NULL) {
        return 0;
    }
    const char *path = args->positional[0];
    if (args->positional_count > 1 || !store_exists(path)) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("--log goes with the store of one event: %s is none, or one of "
                          "several"),
                        path);
    }
    return file_read(inquiry->log.path, &inquiry->log.text, fail);
}

static int run(int argc, char **argv) {
    struct inquiry inquiry = {.code = EXIT_CODE_DONE};
    const char *key = NULL, *throws = NULL;
    struct event recorded; /* for its throws */
    uint8_t key_bytes[SIGN_PUBLIC_BYTES];
    const struct arg_row rows[] = {
        {.name = "seed", .kind = ARG_TEXT, .value = &inquiry.known.seed},
        {.name = "throws", .kind = ARG_TEXT, .value = &throws},
        {.name = "key", .kind = ARG_TEXT, .value = &key},
        {.name = "log", .kind = ARG_TEXT, .value = &inquiry.log.path},
        {.name = "prefix", .kind = ARG_FLAG, .value = &inquiry.prefix},
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
        inquiry.known.key = key_bytes;
    }
    event_init(&recorded);
    if (throws != NULL && event_set_throws(&recorded, throws, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    inquiry.known.throws = throws != NULL ? &recorded.throws : NULL;
    inquiry.several = args.positional_count > 1;
    if (read_log(&inquiry, &args, &fail) != 0) {
        bytes_clear(&inquiry.log.text);
        return args_refuse(argv[0], &fail);
    }
    inquire_all(&inquiry, argv[0], &args);
    bytes_clear(&inquiry.log.text);
    event_clear(&recorded);
    if (inquiry.several) {
        print_sum(&inquiry);
    }
    return (int)inquiry.code;
}

const struct command command_verify = {
    .name = "verify",
    .usage = N_("FILE... | FOLDER | STORE [options]"),
    .summary = N_("proves records: chain, throws, plays, results, signature"),
    .help = N_(
        "Each record gets a line that says what was proven, or one for each thing that does not\n"
        "hold.\n"
        "FILE is a .hkm record (\"-\" is standard input); of a FOLDER every .hkm file is read.\n"
        "Of a STORE every record is, and has to fit the schedule, the master seed and the\n"
        "results that its standings are made of; the files in STORE/records and the log\n"
        "have to be what the store has; missing matches and void games are told.\n"
        "Of several, a last line counts the proven ones and names the key.\n"
        "  --seed TEXT   the open seed of seeded dice: the seeds have to follow from it\n"
        "  --throws FILE the file of recorded dice: the throws have to be its\n"
        "  --key HEX     the public key that has to have signed\n"
        "  --log FILE    a copy of the event's log that was kept: STORE/log.hkl has to begin so\n"
        "  --prefix      an unfinished record is no failure\n"
        "Exit code 6 when something does not hold (a line for each), 9 when nothing is wrong but\n"
        "a record is unfinished or a match is missing, 5 when a file cannot be read.\n"
        "Example: hakem verify night/records/U000001-1.hkm\n"),
    .run = run,
};
