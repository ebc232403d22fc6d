#include "arena/luck.h"
#include "arena/stream.h"
#include "base/alloc.h"
#include "base/json.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/evaluator.h"
#include "cli/luck_files.h"
#include "cli/luck_store.h"
#include "cli/records.h"
#include "store/store.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct luck_ask {
    const char *net; /* a file, NULL: compiled in */
    enum report_format format;
    bool games; /* a line for each game */
    struct luck_files *files; /* all that are read */
};

/* The record at hand, for those who print its games. */
struct luck_print {
    const struct luck_ask *ask;
    const char *path;
    const struct luck_match *match;
};

/* As the event stream has it. */
static void print_json(const struct record_header *header, const struct luck_game *game) {
    struct bytes line;
    bytes_init(&line, STREAM_LINE_MAX);
    bytes_add_text(&line, "{\"type\":\"luck\"");
    json_add_member(&line, "event", header->event);
    json_add_member(&line, "unit", header->unit);
    bytes_print(&line, ",\"leg\":%d", header->leg);
    json_add_member(&line, "x", header->name[SIDE_X]);
    json_add_member(&line, "y", header->name[SIDE_Y]);
    stream_luck_figures(game, &line);
    fwrite(line.data, 1, line.length, stdout);
    bytes_clear(&line);
}

static void print_game(void *owner, const struct luck_game *game) {
    const struct luck_print *print = owner;
    double points = (double)game->net / POINT_HALVES;
    double luck = (double)game->points / LUCK_ONE;
    if (print->ask->format == REPORT_JSONL) {
        print_json(&print->match->header, game);
    } else if (print->ask->games) {
        printf(_("%s: game %u: X %+.1f, luck %+.4f, without it %+.4f (%d throws)\n"), print->path,
               game->game, points, luck, points - luck, game->throws);
    }
}

/* The net for a record: its own head says which game it is. */
static struct net *find_net(const struct luck_ask *ask, const struct bytes *record,
                            struct play_room *room, struct fail *fail) {
    struct replay replay;
    struct message message;
    const char *line;
    size_t at = 0, length;
    char why[RECORD_WHY_MAX] = "it holds no whole line";
    replay_init(&replay, room);
    if (replay_cut(record->data, record->length, &at, &line, &length) <= 0 ||
        replay_line(&replay, line, length, &message, why) != 0) {
        fail_set(fail, EXIT_CODE_VERIFY, "%s", why);
        return NULL;
    }
    return evaluator_new(&replay.header.rules, ask->net, fail);
}

static int print_record(const struct luck_ask *ask, const char *path, const struct bytes *record,
                        struct play_room *room, struct fail *fail) {
    struct luck_print print = {ask, path, NULL};
    struct net *net = find_net(ask, record, room, fail);
    if (net == NULL) {
        return fail_wrap(fail, "%s", path);
    }
    char why[RECORD_WHY_MAX];
    struct luck_reader *reader = luck_reader_new(net, room, print_game, &print);
    print.match = luck_reader_match(reader);
    int status = luck_reader_feed(reader, record->data, record->length, why);
    if (status != 0) {
        fail_set(fail, EXIT_CODE_VERIFY, "%s: %s", path, why);
    } else if (ask->format == REPORT_TEXT) {
        double points = (double)print.match->net / POINT_HALVES;
        double luck = (double)print.match->points / LUCK_ONE;
        printf(_("%s: %d games, %d throws: X %+.1f points, luck %+.4f, without it %+.4f; "
                 "evaluator %s\n"),
               path, print.match->games, print.match->throws, points, luck, points - luck,
               net_name(net));
    }
    if (status == 0) {
        luck_files_add(ask->files, print.match, net_name(net));
    }
    luck_reader_free(reader);
    net_free(net);
    return status;
}

static int answer_file(const struct luck_ask *ask, const char *path, struct play_room *room,
                       struct fail *fail) {
    struct bytes bytes;
    bytes_init(&bytes, RECORDS_FILE_MAX);
    int status = records_read_file(path, &bytes, fail);
    if (status == 0) {
        status = print_record(ask, path, &bytes, room, fail);
    }
    bytes_clear(&bytes);
    return status;
}

static int answer_store(const struct luck_ask *ask, const char *path, struct fail *fail) {
    struct bytes bytes;
    bytes_init(&bytes, REPORT_MAX);
    int status = luck_store_write(path, ask->net, ask->format, &bytes, fail);
    if (status == 0 && bytes.length > 0) {
        fwrite(bytes.data, 1, bytes.length, stdout);
    }
    bytes_clear(&bytes);
    return status;
}

static int choose(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* A folder without a store: the stores and the records that are in it, by name. */
static int answer_folder(const struct luck_ask *ask, const char *path, struct play_room *room,
                         struct fail *fail) {
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, choose, alphasort), status = 0, told = 0;
    for (int i = 0; i < count; i++) {
        char *inner = alloc_print("%s/%s", path, entries[i]->d_name);
        size_t length = strlen(inner);
        if (status == 0 && store_exists(inner)) {
            status = answer_store(ask, inner, fail);
            told++;
        } else if (status == 0 && length > 4 && strcmp(inner + length - 4, ".hkm") == 0) {
            status = answer_file(ask, inner, room, fail);
            told++;
        }
        free(inner);
        free(entries[i]);
    }
    free(entries);
    if (status == 0 && told == 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("%s holds no store and no record (.hkm)"), path);
    }
    return status;
}

static int answer_path(const struct luck_ask *ask, const char *path, struct play_room *room,
                       struct fail *fail) {
    struct stat status;
    if (strcmp(path, "-") != 0 && store_exists(path)) {
        return answer_store(ask, path, fail);
    }
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode)
               ? answer_folder(ask, path, room, fail)
               : answer_file(ask, path, room, fail);
}

/* What the files say together. */
static void tell_files(const struct luck_ask *ask) {
    struct bytes out;
    bytes_init(&out, REPORT_MAX);
    luck_files_write(ask->files, ask->format, &out);
    if (out.length > 0) {
        fwrite(out.data, 1, out.length, stdout);
    }
    bytes_clear(&out);
}

static int run(int argc, char **argv) {
    struct luck_files files;
    struct luck_ask ask = {.files = &files};
    const char *format = "text";
    const struct arg_row rows[] = {
        {"net", ARG_TEXT, 0, 0, &ask.net},
        {"format", ARG_TEXT, 0, 0, &format},
        {"games", ARG_FLAG, 0, 0, &ask.games},
    };
    struct args args = {.rows = rows, .row_count = sizeof rows / sizeof rows[0]};
    struct fail fail = {.code = EXIT_CODE_DONE};
    if (args_read(&args, argc, argv, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    int found = report_format_find(format);
    if (args.positional_count == 0 || found < 0) {
        fail_set(&fail, EXIT_CODE_USAGE, "%s",
                 args.positional_count == 0 ? _("which record? Name a file, a folder or a store")
                                            : _("--format takes text, jsonl or csv"));
        return args_refuse(argv[0], &fail);
    }
    ask.format = (enum report_format)found;
    luck_files_init(&files);
    struct play_room *room = alloc_zeroed(1, sizeof *room);
    int code = EXIT_CODE_DONE;
    for (int i = 0; i < args.positional_count; i++) {
        if (answer_path(&ask, args.positional[i], room, &fail) != 0) {
            int refused = args_refuse(argv[0], &fail);
            code = code == EXIT_CODE_DONE ? refused : code;
        }
    }
    tell_files(&ask);
    luck_files_clear(&files);
    free(room);
    return code;
}

const struct command command_luck = {
    .name = "luck",
    .usage = N_("FILE... | FOLDER | STORE [options]"),
    .summary = N_("results with the luck of the dice taken off"),
    .help = N_(
        "Of a STORE, every two bots that met get points a game, score and Elo three times:\n"
        "as played; with the luck of the dice taken off; and with as much of it taken off\n"
        "as the other half of the samples asks for. The last is the one to go by. A FILE\n"
        "(a record) gets its own sum of luck, to the player on X; records that go together\n"
        "are told as one too. Of a FOLDER: every store and every record (.hkm) in it.\n"
        "  --games          of files, a line for each game\n"
        "  --net FILE       an evaluator of your own (contrib/train)\n"
        "  --format FORMAT  text, jsonl or csv\n"
        "Records are read as they are; nothing is changed. Games by rules that the\n"
        "evaluator does not know are refused.\n"
        "Example: hakem luck night\n"),
    .run = run,
};
