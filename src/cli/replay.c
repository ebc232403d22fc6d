#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/foreign.h"
#include "cli/records.h"
#include "cli/replay_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE_MAX = 1 << 20, SVG_MAX = 8 << 20 };

/* What was asked. */
struct request {
    bool print;    /* no keys: everything, to a pipe */
    bool no_board; /* only what happened */
    bool svg;      /* a picture: one position, or a strip of a game's */
    struct story_look look;
    const char *at; /* GAME or GAME.PLY, NULL: from the start */
};

static void flush_page(struct bytes *page) {
    fwrite(page->data, 1, page->length, stdout);
    bytes_drop(page, page->length);
}

static void print_step(const struct story *story, size_t step, const struct request *request,
                       struct bytes *page) {
    enum message_kind kind = story->steps[step].kind;
    bool board =
        !request->no_board && (kind == MESSAGE_GAME || kind == MESSAGE_DID || request->at != NULL);
    if (kind == MESSAGE_GAME || board) {
        bytes_add_text(page, "\n");
    }
    story_print_caption(story, step, page);
    if (board) {
        story_print_board(story, step, &request->look, page);
    }
    flush_page(page);
}

/* All steps, or with --at the one that was asked for. */
static void print_story(const struct story *story, size_t first, const struct request *request) {
    struct bytes page;
    bytes_init(&page, PAGE_MAX);
    if (story->lines > 0) {
        story_print_title(story, &page);
        flush_page(&page);
    }
    for (size_t step = first; step < story->count; step++) {
        print_step(story, step, request, &page);
        if (request->at != NULL) {
            break;
        }
    }
    if (story->unfinished && request->at == NULL) {
        printf("\n%s\n", _("the record stops here: it is not finished"));
    }
    bytes_clear(&page);
}

/* Reads "2" or "2.17" and finds the step. */
static int find_start(const struct story *story, const char *at, size_t *step, struct fail *fail) {
    size_t game_length = strcspn(at, ".");
    const char *ply_text = at[game_length] == '.' ? at + game_length + 1 : "0";
    uint64_t game;
    uint64_t ply;
    if (!text_u64(at, game_length, &game) || !text_u64(ply_text, strlen(ply_text), &ply) ||
        game > UINT32_MAX || ply > UINT32_MAX) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("--at takes GAME or GAME.PLY, such as 2.17, not \"%s\""), at);
    }
    long found = story_find(story, (unsigned)game, (unsigned)ply);
    if (found < 0) {
        return fail_set(fail, EXIT_CODE_USAGE, _("the record has no ply %llu in a game %llu"),
                        (unsigned long long)ply, (unsigned long long)game);
    }
    *step = (size_t)found;
    return 0;
}

/* The position of a ply, or of a game each of its plies, one below the other. */
static void print_svg(const struct story *story, size_t first, const struct request *request) {
    struct bytes page, title;
    size_t last = first + 1;
    bool strip = request->at == NULL || strchr(request->at, '.') == NULL;
    int count = 1;
    while (strip && last < story->count && story->steps[last].kind == MESSAGE_DID) {
        last++;
        count++;
    }
    bytes_init(&page, SVG_MAX);
    bytes_init(&title, PAGE_MAX);
    story_print_title(story, &title);
    svg_view_begin(SVG_BOARD_WIDTH, count * SVG_BOARD_HEIGHT, bytes_text(&title), &page);
    for (size_t step = first; step < last; step++) {
        struct svg_place place = {.y = (int)(step - first) * SVG_BOARD_HEIGHT};
        story_print_svg(story, step, &request->look, place, &page);
        flush_page(&page);
    }
    svg_view_end(&page);
    flush_page(&page);
    bytes_clear(&title);
    bytes_clear(&page);
}

static int show(const char *name, const struct story *story, struct request *request) {
    struct fail fail = {.code = EXIT_CODE_DONE};
    size_t step = 0;
    if (request->at != NULL && find_start(story, request->at, &step, &fail) != 0) {
        if (story->bad_line == 0) {
            return args_refuse("replay", &fail);
        }
        step = story->count; /* it would have come after the line that is refused */
    }
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    int signal = 0;
    if (request->svg && step < story->count) {
        print_svg(story, step, request);
        fflush(stdout);
    } else if (request->print || !terminal || step >= story->count) {
        print_story(story, step, request);
        fflush(stdout);
    } else {
        signal = replay_screen(story, step, &request->look);
    }
    if (story->bad_line > 0) {
        fail_set(&fail, EXIT_CODE_VERIFY, _("%s: line %llu: %s"), name,
                 (unsigned long long)story->bad_line, story->why);
        return args_refuse("replay", &fail);
    }
    return signal != 0 ? EXIT_CODE_INTERRUPTED : EXIT_CODE_DONE;
}

/* FILE, or STORE and the number of a match. */
static int read_record(const struct args *args, struct bytes *record, struct fail *fail) {
    if (args->positional_count == 1) {
        return records_read_file(args->positional[0], record, fail) != 0
                   ? -1
                   : foreign_take(args->positional[0], true, record, fail);
    }
    if (args->positional_count == 2) {
        return records_read_match(args->positional[0], args->positional[1], record, fail);
    }
    return fail_set(fail, EXIT_CODE_USAGE, _("which record? Name a file, or a store and a match"));
}

static int run(int argc, char **argv) {
    struct request request = {.look.ascii = !lang_is_utf8()};
    const struct arg_row rows[] = {
        {.name = "print", .kind = ARG_FLAG, .value = &request.print},
        {.name = "no-board", .kind = ARG_FLAG, .value = &request.no_board},
        {.name = "ascii", .kind = ARG_FLAG, .value = &request.look.ascii},
        {.name = "svg", .kind = ARG_FLAG, .value = &request.svg},
        {.name = "flip", .kind = ARG_FLAG, .value = &request.look.flipped},
        {.name = "at", .kind = ARG_TEXT, .value = &request.at},
    };
    struct args args = {.rows = rows, .row_count = sizeof rows / sizeof rows[0]};
    struct fail fail = {.code = EXIT_CODE_DONE};
    struct bytes record;
    if (args_read(&args, argc, argv, &fail) != 0) {
        return args_refuse(argv[0], &fail);
    }
    bytes_init(&record, RECORDS_FILE_MAX);
    int code;
    if (read_record(&args, &record, &fail) != 0) {
        code = args_refuse(argv[0], &fail);
    } else {
        struct story story;
        story_read(&story, record.data, record.length);
        code = show(args.positional[0], &story, &request);
        story_clear(&story);
    }
    bytes_clear(&record);
    return code;
}

const struct command command_replay = {
    .name = "replay",
    .usage = N_("FILE | STORE MATCH [--print] [--ascii] [--at GAME.PLY]"),
    .summary = N_("steps through a record, judging every line anew"),
    .help = N_(
        "FILE is a .hkm record, a .mat or a .sgf (\"-\" is standard input); STORE is the\n"
        "folder of an event and MATCH a number in its schedule, from 1. On a terminal:\n"
        "  n, space, right   next ply          ], g   next game\n"
        "  p, left           previous ply      [, G   previous game\n"
        "  <, >              start, end        f      the other side's view\n"
        "  !                 next fault        17j    jump to ply 17 of this game\n"
        "  q                 quit\n"
        "  --print           no keys: every ply and its board (always so in a pipe)\n"
        "  --no-board        only what happened, a line each (with --print)\n"
        "  --at GAME.PLY     begin there; with --print only that position\n"
        "  --svg             a picture: with --at GAME.PLY one position, else a strip of the game\n"
        "  --flip            seen by Y\n"
        "  --ascii           no box lines and figures (always so without a UTF-8 locale)\n"
        "A record in which a line does not hold is refused with its number and the reason\n"
        "(exit code 6).\n"
        "Example: hakem replay night 4711 --at 1.20\n"),
    .run = run,
};
