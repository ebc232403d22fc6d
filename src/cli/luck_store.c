#include "cli/luck_store.h"

#include "arena/estimate_report.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/evaluator.h"
#include "cli/records.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

enum { LUCK_FILE_MAX = 1 << 30 };

char *luck_store_path(const char *folder) {
    return alloc_print("%s/luck.csv", folder);
}

size_t luck_store_load(const char *folder, struct fortune *fortune) {
    char *path = luck_store_path(folder);
    struct bytes text;
    struct fail absent;
    size_t whole = 0;
    bytes_init(&text, LUCK_FILE_MAX);
    if (file_read(path, &text, &absent) == 0) {
        whole = fortune_read(fortune, text.data, text.length);
    }
    bytes_clear(&text);
    free(path);
    return whole;
}

/* Reading one match. */
struct reading {
    struct fortune *fortune;
    struct fortune_game game;
};

static void take_game(void *owner, const struct luck_game *game) {
    struct reading *reading = owner;
    reading->game.luck = *game;
    fortune_add(reading->fortune, &reading->game);
}

static int read_match(struct records *records, uint64_t number, const struct net *net,
                      struct reading *reading, struct fail *fail) {
    struct bytes record;
    char name[RECORDS_NAME_MAX], why[RECORD_WHY_MAX];
    struct play_room *room = alloc_zeroed(1, sizeof *room);
    struct luck_reader *reader = luck_reader_new(net, room, take_game, reading);
    bytes_init(&record, RECORDS_FILE_MAX);
    schedule_match_at(&records->event, number, &reading->game.unit, &reading->game.leg);
    int status = records_read(records, number, &record, name, fail);
    if (status == 1 && luck_reader_feed(reader, record.data, record.length, why) != 0) {
        status = fail_set(fail, EXIT_CODE_VERIFY, "%s: %s", name, why);
    }
    luck_reader_free(reader);
    free(room);
    bytes_clear(&record);
    return status < 0 ? -1 : 0;
}

/* The luck of every match, and a tournament to read it beside. */
static int survey_all(struct records *records, const char *folder, const struct net *net,
                      struct report_view *view, struct bytes *out, struct fail *fail) {
    struct fortune fortune, declared;
    struct reading reading = {.fortune = &fortune};
    struct tournament *tournament = tournament_new(&records->event);
    int status = records_load(records->store, tournament, fail);
    fortune_init(&fortune, &records->event);
    fortune_init(&declared, &records->event);
    for (uint64_t number = 1; number <= records->matches && status == 0; number++) {
        status = read_match(records, number, net, &reading, fail);
    }
    if (status == 0) {
        luck_store_load(folder, &declared);
        memcpy(fortune.declared, declared.declared, sizeof fortune.declared);
        fortune.since = declared.since;
        memcpy(fortune.evaluator, net_name(net), strlen(net_name(net)) + 1);
        view->event = &records->event;
        view->tournament = tournament;
        view->fortune = &fortune;
        estimate_write(view, out);
    }
    fortune_clear(&fortune);
    fortune_clear(&declared);
    tournament_free(tournament);
    return status;
}

int luck_store_write(const char *folder, const char *path, enum report_format format,
                     struct bytes *out, struct fail *fail) {
    struct records records;
    struct report_view view = {.format = format, .turkish = lang_is_turkish()};
    if (records_open(folder, &records, fail) != 0) {
        return -1;
    }
    struct net *net = evaluator_new(&records.event.rules, path, fail);
    int status = net != NULL ? survey_all(&records, folder, net, &view, out, fail) : -1;
    net_free(net);
    records_close(&records);
    return status;
}
