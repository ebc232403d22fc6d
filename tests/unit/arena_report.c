#include "arena/grid.h"
#include "arena/report.h"
#include "arena_kit.h"
#include "base/json.h"

/* A tournament in which a lower number is stronger; bot 1 forfeits now and then. */
static struct tournament *play(const struct event *event, uint64_t stop) {
    struct kit_chance chance = {17};
    struct tournament *tournament = tournament_new(event);
    for (uint64_t number = 1; number <= stop; number++) {
        uint32_t unit_number;
        int leg;
        schedule_match_at(event, number, &unit_number, &leg);
        struct unit unit = schedule_unit(event, unit_number);
        int x = schedule_entrant(&unit, leg, SIDE_X);
        int y = schedule_entrant(&unit, leg, SIDE_Y);
        int winner = kit_uniform(&chance) < 0.5 + 0.04 * (y - x) ? SIDE_X : SIDE_Y;
        int kind = kit_uniform(&chance) < 0.25 ? 2 : 1;
        struct game_row game = kit_game(unit_number, leg, winner, kind);
        struct match_row match = kit_match(unit_number, leg, x, y, winner, kind);
        if ((winner == SIDE_X ? y : x) == 1 && kit_uniform(&chance) < 0.1) {
            game.reason = match.reason = REASON_ILLEGAL;
            game.offender = match.offender = 1 - winner;
        }
        tournament_load_game(tournament, &game);
        tournament_load_match(tournament, &match);
    }
    return tournament;
}

static const char *render(struct report_view *view, struct bytes *out) {
    bytes_clear(out);
    report_render(view, out);
    return bytes_text(out);
}

/* The widest line in characters. */
static size_t widest(const char *text) {
    size_t most = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        size_t width = grid_width(line);
        most = width > most ? width : most;
        text += length + (text[length] != '\0');
    }
    return most;
}

/* The number of that field in a line, 0 based, split on commas. */
static int commas(const char *line) {
    int count = 0;
    for (; *line != '\n' && *line != '\0'; line++) {
        count += *line == ',';
    }
    return count;
}

static void test_text(void) {
    struct event event;
    struct bytes out;
    bytes_init(&out, REPORT_MAX);
    kit_event(&event, 12, 50, PAIRING_MIRRORED);
    snprintf(event.entrants[5].name, sizeof event.entrants[5].name, "%s",
             "a-name-of-32-bytes-is-the-most-1");
    struct tournament *tournament = play(&event, 6600);
    struct report_view view = {&event, tournament, REPORT_FINISHED, REPORT_TEXT, NULL, false, 0};
    const char *text = render(&view, &out);
    CHECK(widest(text) <= 80, "twelve bots fit 80 columns (%zu)", widest(text));
    CHECK(strncmp(text,
                  "event: tavla, match to 5, 12 bots, mirrored pairs of each two: 50\n"
                  "finished: 6600 of 6600 matches\n\n",
                  98) == 0,
          "it says what and how far");
    const char *first = strstr(text, "\n 1  b0 ");
    const char *last = strstr(text, "\n12  b11 ");
    CHECK(first != NULL && last != NULL && first < last, "the strongest comes first");
    CHECK(strstr(text, "+-") != NULL && strstr(text, "pts/game") != NULL, "with its columns");
    CHECK(strstr(text, " a-name") != NULL && strstr(text, "…") != NULL && strstr(text, "ost-1 ") != NULL,
          "a long name is cut in its middle");
    CHECK(strstr(text, "·") != NULL, "the crosstable has its diagonal");
    CHECK(strstr(text, "illegal") != NULL && strstr(text, "timeout") == NULL,
          "faults: the reasons that occurred");
    CHECK(strstr(text, "  mars") != NULL && strstr(text, "katmerli") == NULL,
          "kinds: those that occurred");
    /* Every row of the first table is as wide as its head. */
    const char *head = strstr(text, " #  bot");
    size_t length = strcspn(head, "\n");
    bool straight = true;
    const char *row = head + length + 1;
    for (int i = 0; i < 12; i++) {
        char line[256] = "";
        strncat(line, row, strcspn(row, "\n") < sizeof line ? strcspn(row, "\n") : sizeof line - 1);
        straight = straight && grid_width(line) == length;
        row += strcspn(row, "\n") + 1;
    }
    CHECK(straight, "the columns are aligned, also behind a cut name");
    view.turkish = true;
    text = render(&view, &out);
    CHECK(strstr(text, "puan/oyun") != NULL && strstr(text, "pts") == NULL, "and in Turkish");
    CHECK(widest(text) <= 80, "which fits too (%zu)", widest(text));
    bytes_clear(&out);
    report_elo_table(&view, &out);
    CHECK(strncmp(bytes_text(&out), " # bot", 6) == 0, "the Elo table can stand alone");
    for (int width = 36; width <= 132; width += 12) {
        bytes_clear(&out);
        view.width = width;
        report_elo_table(&view, &out);
        CHECK(widest(bytes_text(&out)) <= (size_t)width, "it fits %d columns (%zu)", width,
              widest(bytes_text(&out)));
        CHECK(strstr(bytes_text(&out), "Elo") != NULL &&
                  (strstr(bytes_text(&out), "puan/oyun") != NULL) == (width >= 80),
              "with the columns that have room");
    }
    tournament_free(tournament);
    event_clear(&event);
    bytes_clear(&out);
}

static void test_duel(void) {
    struct event event;
    struct bytes out;
    bytes_init(&out, REPORT_MAX);
    kit_event(&event, 2, 10, PAIRING_MIRRORED);
    struct tournament *tournament = play(&event, 14);
    tournament_set_running(tournament, 2);
    struct report_view view = {&event, tournament, REPORT_RUNNING, REPORT_TEXT, NULL, false, 0};
    const char *text = render(&view, &out);
    CHECK(strstr(text, "running: 14 of 20 matches finished, 2 being played\n") != NULL,
          "a running event");
    const int64_t *pair = standings_pair(tournament_standings(tournament), 0, 1)->pair;
    int64_t ends = 0;
    const char *line = strstr(text, "Of ");
    int won = -1;
    int level = -1;
    int lost = -1;
    if (line != NULL) {
        sscanf(line, "Of %*d pairs on the same dice %*s won both matches in %d, one in %d, none in "
               "%d.", &won, &level, &lost);
    }
    ends = pair[0] + pair[4];
    CHECK(won + lost == ends && level == pair[2] && won >= lost, "its pairs: %d %d %d", won, level,
          lost);
    tournament_free(tournament);
    tournament = play(&event, 0);
    view.tournament = tournament;
    view.state = REPORT_INTERRUPTED;

    text = render(&view, &out);
    CHECK(strstr(text, "interrupted: 0 of 20") != NULL && strstr(text, "nan") == NULL &&
              strstr(text, "No faults.") != NULL,
          "nothing played yet: no nonsense");
    view.format = REPORT_JSONL;
    CHECK(strstr(render(&view, &out), "\"elo\":null") != NULL, "and null for programs");
    tournament_free(tournament);
    event_clear(&event);
    bytes_clear(&out);
}

static void test_data(void) {
    struct event event;
    struct bytes out;
    struct fail fail;
    bytes_init(&out, REPORT_MAX);
    kit_event(&event, 4, 20, PAIRING_MIRRORED);
    snprintf(event.name, sizeof event.name, "a \"quoted\" name");
    struct tournament *tournament = play(&event, 240);
    struct report_view view = {&event, tournament, REPORT_FINISHED, REPORT_JSONL, NULL, true, 0};
    const char *text = render(&view, &out);
    int lines = 0;
    int good = 0;
    bool sum_fits = false;
    double elo = 0;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1, lines++) {
        struct cJSON *json = json_parse(at, strcspn(at, "\n"), &json_limits_wire, &fail);
        good += json != NULL;
        const char *type = json_text(json_member(json, "type"));
        double number;
        if (type != NULL && strcmp(type, "standing") == 0 &&
            json_number(json_member(json, "elo"), &number)) {
            elo += number;
            sum_fits = true;
        }
        json_free(json);
    }
    CHECK(lines == 4 + 4 + 6 && good == lines, "jsonl: %d lines, each one JSON object", lines);
    CHECK(sum_fits && fabs(elo) < 0.01, "the ratings are there, mean 0");
    CHECK(strstr(text, "\"event\":\"a \\\"quoted\\\" name\"") != NULL, "names are escaped");
    CHECK(strstr(text, "Faults") == NULL && strstr(text, "\"illegal\":") != NULL,
          "words of programs are not translated");
    view.format = REPORT_CSV;
    text = render(&view, &out);
    int columns = commas(text);
    lines = 0;
    good = 0;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1, lines++) {
        good += commas(at) == columns;
    }
    CHECK(lines == 5 && good == 5, "csv: a head and a row a bot, %d columns", columns + 1);
    CHECK(strncmp(text, "rank,name,elo,elo_margin,", 25) == 0 &&
              strstr(text, ",games_won_single,games_lost_single,") != NULL,
          "with names");
    tournament_free(tournament);
    event_clear(&event);
    bytes_clear(&out);
}

static void test_requests(void) {
    struct report_view view = {.format = REPORT_TEXT};
    char line[REPORT_REQUEST_MAX];
    report_write_request(REPORT_CSV, true, line);
    CHECK_TEXT(line, "show csv tr", "a request");
    CHECK(report_read_request(line, strlen(line), &view) && view.format == REPORT_CSV &&
              view.turkish,
          "is read again");
    CHECK(!report_read_request("show", 4, &view) && !report_read_request("show html en", 12, &view),
          "others are not");
    CHECK(report_format_find("jsonl") == REPORT_JSONL && report_format_find("xml") == -1,
          "formats by name");
}

static void test_grid(void) {
    struct grid grid;
    struct bytes out;
    bytes_init(&out, 4096);
    grid_init(&grid);
    grid_column(&grid, true, "ad");
    grid_column(&grid, false, "sayı");
    grid_cell(&grid, "çığ");
    grid_cell(&grid, "%d", 7);
    grid_cell(&grid, "x");
    grid_cell(&grid, "%d", 12345);
    grid_write(&grid, 80, &out);
    CHECK_TEXT(bytes_text(&out), "ad    sayı\nçığ      7\nx    12345\n",
               "columns count characters, not bytes");
    bytes_clear(&out);
    grid_column(&grid, true, "n");
    char wide[GRID_CELL_MAX * 2];
    memset(wide, 'a', sizeof wide);
    memcpy(wide + GRID_CELL_MAX - 2, "ğ", 2);
    wide[sizeof wide - 1] = '\0';
    grid_cell(&grid, "%s", wide);
    grid_write(&grid, 80, &out);
    CHECK(text_is_utf8(bytes_text(&out) + 2, out.length - 3), "a cell is cut between characters");
    bytes_clear(&out);
}

int main(void) {
    setenv("LC_ALL", "C", 1);
    test_text();
    test_duel();
    test_data();
    test_requests();
    test_grid();
    return check_done();
}
