#include "cli/records.h"

#include "arena/stopping.h"
#include "arena/tournament.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/luck_store.h"
#include "store/store.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int records_check_served(const char *folder, struct fail *fail) {
    DIR *all = store_exists(folder) ? NULL : opendir(folder);
    const struct dirent *entry;
    int status = 0;
    while (all != NULL && status == 0 && (entry = readdir(all)) != NULL) {
        char *inner = alloc_print("%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && store_exists(inner)) {
            status = fail_set(fail, EXIT_CODE_USAGE,
                              _("%s is not a store but holds some: name one, such as %s"),
                              folder, inner);
        }
        free(inner);
    }
    if (all != NULL) {
        closedir(all);
    }
    return status;
}

static int take_drawn(void *owner, const char *x, const char *y) {
    struct fail ignored;
    return event_draw(owner, x, y, &ignored);
}

int records_read_event(struct store *store, struct event *event, struct fail *fail) {
    const char *json = store_event(store)->json;
    event_init(event);
    if (event_parse(event, "hakem.db", json, strlen(json), fail) != 0 ||
        event_seal(event, fail) != 0) {
        return -1;
    }
    return event->format == FORMAT_ROOM ? store_drawn(store, take_drawn, event, fail) : 0;
}

static void load_start(void *owner, uint32_t unit) {
    tournament_load_start(owner, unit);
}

static void load_game(void *owner, const struct game_row *row) {
    tournament_load_game(owner, row);
}

static void load_match(void *owner, const struct match_row *row) {
    tournament_load_match(owner, row);
}

int records_load(struct store *store, struct tournament *tournament, struct fail *fail) {
    const struct store_visitor visitor = {
        .owner = tournament, .start = load_start, .game = load_game, .match = load_match};
    return store_visit(store, &visitor, fail);
}

void records_cut(const struct event *event, const struct fortune *fortune,
                 struct tournament *tournament) {
    struct stopping stopping;
    stopping_init(&stopping);
    if (event->stops && stopping_look(&stopping, fortune, event, tournament)) {
        tournament_cut(tournament, 0);
    }
}

/* Matches that were to be played before it was decided. */
static int count_decided(const char *folder, struct records *records, struct fail *fail) {
    struct tournament *tournament = tournament_new(&records->event);
    struct fortune fortune;
    fortune_init(&fortune, &records->event);
    int status = records_load(records->store, tournament, fail);
    bool luck = luck_store_load(folder, &fortune) > 0;
    records_cut(&records->event, luck ? &fortune : NULL, tournament);
    records->matches = tournament_matches(tournament);
    fortune_clear(&fortune);
    tournament_free(tournament);
    return status;
}

int records_read_file(const char *path, struct bytes *out, struct fail *fail) {
    if (strcmp(path, "-") != 0 && store_exists(path)) {
        return fail_set(fail, EXIT_CODE_USAGE, _("%s is a store: say which match, such as %s 1"),
                        path, path);
    }
    return records_check_served(path, fail) == 0 ? file_read(path, out, fail) : -1;
}

int records_open(const char *folder, struct records *records, struct fail *fail) {
    if (records_check_served(folder, fail) != 0) {
        return -1;
    }
    if (!store_exists(folder)) {
        return fail_set(fail, EXIT_CODE_IO, _("%s is not a store: it holds no hakem.db"), folder);
    }
    if (store_open(folder, true, &records->store, fail) != 0) {
        return -1;
    }
    if (records_read_event(records->store, &records->event, fail) != 0) {
        records_close(records);
        return -1;
    }
    uint32_t units = schedule_units(&records->event);
    records->matches =
        units == 0 ? 0 : schedule_match_number(&records->event, units + 1, 1) - 1;
    if (records->event.stops && count_decided(folder, records, fail) != 0) {
        records_close(records);
        return -1;
    }
    return 0;
}

void records_close(struct records *records) {
    struct fail ignored; /* nothing was put */
    event_clear(&records->event);
    if (store_close(records->store, &ignored) != 0) {
        records->store = NULL;
    }
}

int records_read(struct records *records, uint64_t number, struct bytes *out,
                 char name[RECORDS_NAME_MAX], struct fail *fail) {
    uint32_t unit;
    int leg;
    schedule_match_at(&records->event, number, &unit, &leg);
    struct unit row = schedule_unit(&records->event, unit);
    snprintf(name, RECORDS_NAME_MAX, "%s-%d", row.name, leg);
    return store_record(records->store, unit, leg, out, fail);
}

int records_read_match(const char *folder, const char *number, struct bytes *out,
                       struct fail *fail) {
    struct records records;
    if (records_open(folder, &records, fail) != 0) {
        return -1;
    }
    uint64_t match;
    char name[RECORDS_NAME_MAX];
    int found = -1;
    if (!text_u64(number, strlen(number), &match) || match < 1 || match > records.matches) {
        fail_set(fail, EXIT_CODE_USAGE, _("%s has the matches 1 to %llu, not \"%s\""), folder,
                 (unsigned long long)records.matches, number);
    } else {
        found = records_read(&records, match, out, name, fail);
        if (found == 0) {
            fail_set(fail, EXIT_CODE_USAGE, _("match %s of %s has not begun"), number, folder);
        }
    }
    records_close(&records);
    return found == 1 ? 0 : -1;
}
