/* GNU Backgammon's external player: we ask with a FIBS board line, it answers with one line. It
 * reads one request at a time and throws away what stands behind it, so that nothing is sent
 * while an answer is awaited. */
#include "wire/dialect_inside.h"

#include "rules/fibs.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE_MOST = 250, /* bytes: 1.07 dies of more than 255 */
    NAME_MOST = 16   /* so that a line is never too long */
};

/* Post-Crawford at 7 points: who trails has to double, who leads must not. The first name has 5
 * points in the first question and 6 in the second. Version 1.05 and later take the second number
 * for the mover's score. */
static const char *const probes[] = {"board:me:opp:7:5:6", "board:me:opp:7:6:5"};
static const char probe_rest[] = ":0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:"
                                 "0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1";

static void gnubg_open(struct dialect *d) {
    d->gnubg = (struct gnubg){.step = GNUBG_GREETED};
    dialect_say(d, "version");
}

static void gnubg_match(struct dialect *d) {
    dialect_ready(d);
}

static void gnubg_game(struct dialect *d) {
    (void)d;
}

static void send_probe(struct dialect *d) {
    d->gnubg.step = GNUBG_PROBED;
    dialect_say(d, "%s%s", probes[d->gnubg.probe], probe_rest);
}

/* Names that it reads: a letter, then letters, digits and `_`. */
static void map_name(const char *name, char out[NAME_MOST + 1]) {
    size_t length = 0;
    if (!isalpha((unsigned char)name[0])) {
        out[length++] = 'p';
    }
    for (; *name != '\0' && length < NAME_MOST; name++) {
        out[length++] = (char)(isalnum((unsigned char)*name) ? *name : '_');
    }
    out[length] = '\0';
}

/* The request's keywords: what the board line does not say. */
static void add_rules(const struct dialect *d, char *line, size_t room) {
    const struct question *question = &d->question;
    size_t length = strlen(line);
    if (question->position.length == 0) {
        snprintf(line + length, room - length, " jacobyrule %s beavers %s",
                 question->position.jacoby ? "yes" : "no",
                 question->position.beavers ? "yes" : "no");
    } else if (!d->rules.value[OPTION_CRAWFORD]) {
        snprintf(line + length, room - length, " crawfordrule no");
    }
    if (question->asked == ASKED_RESIGN) {
        length = strlen(line);
        snprintf(line + length, room - length, " resignation %d", question->kind);
    }
}

/* The position as it wants it: the doubler and the resigner are on roll, and stand first. */
static bool write_board(const struct dialect *d, char *line, size_t room) {
    const struct question *question = &d->question;
    struct match_position position = question->position;
    char own[NAME_MOST + 1], other[NAME_MOST + 1], why[160];
    map_name(d->name, own);
    map_name(d->opponent, other);
    struct fibs_view view = {.first = position.mover, .name = {own, other}};
    if (question->asked == ASKED_RESIGN) {
        view.first = position.mover = position.decider = SIDE_Y;
    }
    if (question->asked != ASKED_DOUBLE && !d->gnubg.fibs_order) {
        position.score[SIDE_X] = question->position.score[SIDE_Y];
        position.score[SIDE_Y] = question->position.score[SIDE_X];
    }
    if (fibs_write(&d->rules, &position, &view, line, why) != 0) {
        return false;
    }
    add_rules(d, line, room);
    return true;
}

static void gnubg_ask(struct dialect *d) {
    char line[FIBS_TEXT_MAX + 64];
    struct gnubg *g = &d->gnubg;
    if (d->wrong[0] != '\0') {
        return;
    }
    g->waits = g->owed > 0;
    if (g->waits) {
        return;
    }
    /* Its own double that comes back cannot be said in a board line. */
    bool cube = d->question.asked == ASKED_THROW || d->question.asked == ASKED_DOUBLE;
    if ((cube && d->rule->no_double) || d->question.beaver ||
        !write_board(d, line, sizeof line)) {
        dialect_policy(d, -1);
        return;
    }
    if (strlen(line) > LINE_MOST) {
        dialect_fail(d, "a board line of %zu bytes is too long for it", strlen(line));
        return;
    }
    g->step = GNUBG_THINKS;
    dialect_say(d, "%s", line);
}

static bool is_word(const char *line, size_t length, const char *word) {
    return text_same_fold(line, length, word, strlen(word));
}

/* Who says double where nobody is behind has read the scores the other way round. */
static void hear_probe(struct dialect *d, const char *line, size_t length) {
    struct gnubg *g = &d->gnubg;
    bool doubles = is_word(line, length, "double");
    if (!doubles && !is_word(line, length, "roll")) {
        dialect_fail(d, "GNU Backgammon was expected there, and it answered \"%.60s\"", line);
        return;
    }
    if (g->probe == 0) {
        g->first_doubles = doubles;
        g->probe++;
        send_probe(d);
        return;
    }
    if (doubles == g->first_doubles) {
        dialect_fail(d, "it doubles at 5-6 and at 6-5 alike, so that nobody knows how it reads "
                        "the score: is its cube set to be played?");
        return;
    }
    g->fibs_order = g->first_doubles;
    g->step = GNUBG_RESTS;
    for (int i = 0; i < d->rule->options; i++) {
        dialect_was_set(d, d->rule->option[i].name, d->rule->option[i].value);
    }
    dialect_greet(d, 1U << VARIANT_TAVLA | 1U << VARIANT_WESTERN | 1U << VARIANT_NACKGAMMON,
                  g->version);
}

static void hear_version(struct dialect *d, const char *line, size_t length) {
    static const char label[] = "Software: ";
    struct gnubg *g = &d->gnubg;
    if (strncmp(line, label, sizeof label - 1) == 0) {
        snprintf(g->version, sizeof g->version, "gnubg %.20s", line + sizeof label - 1);
        send_probe(d);
    } else if (strncmp(line, "Error", 5) == 0) {
        snprintf(g->version, sizeof g->version, "gnubg");
        send_probe(d);
    } else if (length > 0 && strchr(line, ':') == NULL) {
        dialect_fail(d, "GNU Backgammon was expected there, and it said \"%.60s\"", line);
    }
}

/* What it says to a question about the cube; ACT_PLAY: something else. */
static enum act act_of(const struct question *question, const char *line, size_t length) {
    static const struct {
        enum asked asked;
        const char *word;
        enum act act;
    } rows[] = {{ASKED_THROW, "roll", ACT_ROLL},     {ASKED_THROW, "double", ACT_DOUBLE},
                {ASKED_DOUBLE, "take", ACT_TAKE},    {ASKED_DOUBLE, "drop", ACT_DROP},
                {ASKED_DOUBLE, "beaver", ACT_BEAVER}, {ASKED_RESIGN, "accept", ACT_ACCEPT},
                {ASKED_RESIGN, "reject", ACT_REJECT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].asked == question->asked && is_word(line, length, rows[i].word)) {
            return rows[i].act;
        }
    }
    return ACT_PLAY;
}

static void hear_answer(struct dialect *d, const char *line, size_t length) {
    d->gnubg.step = GNUBG_RESTS;
    if (d->question.asked == ASKED_PLAY) {
        if (strncmp(line, "Error", 5) == 0) {
            dialect_spoil(d, line, length);
        } else {
            dialect_play(d, line, length);
        }
        return;
    }
    enum act act = act_of(&d->question, line, length);
    if (act == ACT_PLAY) {
        dialect_spoil(d, line, length);
    } else {
        /* It beavers where that is not allowed, too. */
        bool takes = act == ACT_BEAVER && (d->question.may & ACT_BEAVER) == 0;
        dialect_act(d, takes ? ACT_TAKE : act);
    }
}

static void gnubg_hear(struct dialect *d, const char *line, size_t length) {
    struct gnubg *g = &d->gnubg;
    if (strncmp(line, "DBG:", 4) == 0) {
        return;
    }
    switch (g->step) {
    case GNUBG_GREETED:
        hear_version(d, line, length);
        break;
    case GNUBG_PROBED:
        hear_probe(d, line, length);
        break;
    case GNUBG_RESTS:
        if (g->owed > 0 && --g->owed == 0 && g->waits) {
            gnubg_ask(d);
        }
        break;
    case GNUBG_THINKS:
        hear_answer(d, line, length);
        break;
    }
}

static void gnubg_drop(struct dialect *d) {
    struct gnubg *g = &d->gnubg;
    g->owed += g->step == GNUBG_THINKS;
    g->step = GNUBG_RESTS;
    g->waits = false;
}

static void gnubg_close(struct dialect *d) {
    if (d->gnubg.step != GNUBG_THINKS && d->gnubg.owed == 0) {
        dialect_say(d, "exit");
    }
}

const struct tongue gnubg_tongue = {.open = gnubg_open,
                                    .match = gnubg_match,
                                    .game = gnubg_game,
                                    .ask = gnubg_ask,
                                    .drop = gnubg_drop,
                                    .hear = gnubg_hear,
                                    .close = gnubg_close};
