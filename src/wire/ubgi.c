/* UBGI, the Universal Backgammon Interface, in the three forms that engines speak: the first
 * draft (a position is a bare line), 0.1 (`setoption`, `go role chequer`) and 0.2 (`set`, `get`,
 * `go chequer`). Which spelling of a request an engine knows is tried once, not presumed. */
#include "wire/dialect_inside.h"

#include "rules/fibs.h"
#include "rules/gnu_id.h"
#include "rules/xgid.h"
#include "wire/ubgi_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Spellings of a request, in the order in which they are tried. */
enum { FORMS = 4 };
static const char *const chequer_forms[2][FORMS] = {
    {"go role chequer", "go chequer", "go"}, {"go chequer", "go role chequer", "go"}};
static const char *const cube_forms[2][FORMS] = {
    {"go role cube", "go cube", "go role turn", "go turn"},
    {"go cube", "go role cube", "go turn", "go role turn"}};

static void ubgi_match(struct dialect *d) {
    struct ubgi *u = &d->ubgi;
    const char *word = ubgi_variant_word(d->rules.variant->id);
    if (word == NULL || (u->draft && strcmp(word, "backgammon") != 0)) {
        dialect_decline(d, "this engine does not play it");
    } else if (strcmp(word, u->variant) == 0) {
        dialect_ready(d);
    } else {
        u->variant = word;
        ubgi_set_variant(d, word);
        ubgi_send_barrier(d, UBGI_VARIED);
    }
}

static void ubgi_game(struct dialect *d) {
    d->ubgi.greeted_game = true;
    d->ubgi.chance = -1;
}

static const char *owner_word(const struct match_position *position) {
    return position->cube_owner == CUBE_CENTRED ? "center"
           : position->cube_owner == SIDE_X     ? "p0"
                                                : "p1";
}

/* Score and cube; an engine that does not know these lines says so before the barrier. */
static void say_context(struct dialect *d, const struct match_position *position) {
    if (d->ubgi.greeted_game) {
        dialect_say(d, "newgame");
        d->ubgi.greeted_game = false;
    }
    if (position->length > 0) {
        dialect_say(d, "newsession type match length %d crawford %s", position->length,
                    d->rules.value[OPTION_CRAWFORD] ? "on" : "off");
    } else {
        dialect_say(d, "newsession type money jacoby %s", position->jacoby ? "on" : "off");
    }
    dialect_say(d, "setscore %d %d", position->score[SIDE_X] / POINT_HALVES,
                position->score[SIDE_Y] / POINT_HALVES);
    dialect_say(d, "setcube value %d owner %s", 1 << position->cube_log, owner_word(position));
    dialect_say(d, "setturn %s", position->mover == SIDE_X ? "p0" : "p1");
}

/* The position as a GNU id, or as an XGID where a double is on offer. */
static bool say_position(struct dialect *d, const struct match_position *position) {
    char id[GNU_POSITION_LENGTH + 1], xgid[XGID_TEXT_MAX], why[160];
    if (d->question.asked == ASKED_DOUBLE) {
        if (xgid_write(&d->rules, position, xgid, why) != 0) {
            return false;
        }
        dialect_say(d, "position xgid %s", xgid);
        return true;
    }
    if (gnu_position_write(&d->rules, position, id, why) != 0) {
        return false;
    }
    dialect_say(d, "position gnubgid %s", id);
    if (d->question.asked == ASKED_PLAY) {
        dialect_say(d, "dice %d %d", position->dice[0], position->dice[1]);
    }
    return true;
}

/* The first draft knows two notations; which of them this engine reads, it shows. */
static void ask_draft(struct dialect *d) {
    const struct match_position *position = &d->question.position;
    const struct fibs_view view = {.first = position->mover, .name = {"me", "opponent"}};
    char text[FIBS_TEXT_MAX], why[160];
    bool fibs = d->ubgi.chequer.form % 2 == 1;
    int status = fibs ? fibs_write(&d->rules, position, &view, text, why)
                      : xgid_write(&d->rules, position, text, why);
    if (status != 0) {
        dialect_policy(d, d->ubgi.chance);
        return;
    }
    d->ubgi.step = UBGI_THINKS;
    dialect_say(d, "%s", text);
}

static struct ubgi_way *way_of(struct dialect *d) {
    switch (d->question.asked) {
    case ASKED_THROW:
        return &d->ubgi.cube;
    case ASKED_DOUBLE:
        return &d->ubgi.take;
    case ASKED_PLAY:
    case ASKED_RESIGN:
    case ASKED_NOTHING:
        break;
    }
    return &d->ubgi.chequer;
}

/* Whether it is asked at all; else our policy answers. */
static bool is_asked(struct dialect *d) {
    const struct question *question = &d->question;
    bool cube = question->asked == ASKED_THROW || question->asked == ASKED_DOUBLE;
    return question->asked == ASKED_PLAY ||
           (cube && !question->beaver && !d->rule->no_double && !way_of(d)->unable &&
            (question->asked == ASKED_THROW || d->ubgi.cube.proven || d->ubgi.draft));
}

static void ubgi_ask(struct dialect *d) {
    if (d->wrong[0] != '\0') {
        return;
    }
    if (!is_asked(d)) {
        dialect_policy(d, d->ubgi.chance);
    } else if (d->ubgi.draft) {
        ask_draft(d);
    } else {
        say_context(d, &d->question.position);
        if (say_position(d, &d->question.position)) {
            ubgi_send_barrier(d, UBGI_PREPARED);
        } else {
            dialect_policy(d, d->ubgi.chance);
        }
    }
}

static void go(struct dialect *d) {
    struct ubgi *u = &d->ubgi;
    const char *const(*forms)[FORMS] =
        d->question.asked == ASKED_PLAY ? chequer_forms : cube_forms;
    /* Who answered about a throw is asked about a double in the same way. */
    int form = d->question.asked == ASKED_DOUBLE ? u->cube.form : way_of(d)->form;
    u->step = UBGI_THINKS;
    dialect_say(d, "%s", forms[u->second][form]);
}

/* It was told where the game stands. */
static void prepared(struct dialect *d) {
    if (d->question.asked == ASKED_DOUBLE && d->ubgi.refused) {
        d->ubgi.take.unable = true; /* it reads no XGID, and only that says it */
        d->ubgi.step = UBGI_RESTS;
        dialect_policy(d, d->ubgi.chance);
        return;
    }
    go(d);
}

static void ubgi_ready(struct dialect *d) {
    struct ubgi *u = &d->ubgi;
    u->barriers -= u->barriers > 0;
    if (u->barriers > 0) {
        return;
    }
    switch (u->step) {
    case UBGI_SET:
        ubgi_was_set(d);
        break;
    case UBGI_READ:
        ubgi_read_back(d);
        break;
    case UBGI_VARIED:
        u->step = UBGI_RESTS;
        if (u->refused) {
            u->variant = "";
            dialect_decline(d, u->said);
        } else {
            dialect_ready(d);
        }
        break;
    case UBGI_PREPARED:
        prepared(d);
        break;
    case UBGI_GREETED:
    case UBGI_RESTS:
    case UBGI_THINKS:
        break;
    }
}

/* An answer was understood: this is how it wants to be asked. */
static void settle(struct dialect *d) {
    way_of(d)->proven = true;
    d->ubgi.step = UBGI_RESTS;
}

/* It says that it cannot: another spelling, our policy, or its fault. */
static void take_refusal(struct dialect *d, const char *line, size_t length) {
    struct ubgi_way *way = way_of(d);
    bool play = d->question.asked == ASKED_PLAY;
    const char *const(*forms)[FORMS] = play ? chequer_forms : cube_forms;
    int next = way->form + 1;
    bool more = d->question.asked != ASKED_DOUBLE && next < FORMS &&
                (d->ubgi.draft ? next < 2 : forms[d->ubgi.second][next] != NULL);
    if (!way->proven && more) {
        way->form = next;
        if (d->ubgi.draft) {
            ask_draft(d);
        } else {
            go(d);
        }
        return;
    }
    d->ubgi.step = UBGI_RESTS;
    if (way->proven || play) {
        dialect_spoil(d, line, length);
        return;
    }
    way->unable = true;
    dialect_policy(d, d->ubgi.chance);
}

/* A play in the words of UBGI: blanks may stand where others have a slash. */
static void take_play(struct dialect *d, const char *text, size_t length) {
    char joined[DIALECT_PEER_LINE];
    const char *rest;
    settle(d);
    if (length == 0 || ubgi_begins(text, "pass", &rest) || ubgi_begins(text, "none", &rest) ||
        ubgi_begins(text, "(none)", &rest)) {
        dialect_play(d, "", 0);
        return;
    }
    snprintf(joined, sizeof joined, "%.*s", (int)length, text);
    if (strpbrk(joined, "/-") == NULL) {
        bool first = true;
        for (char *at = joined; *at != '\0'; at++) {
            if (*at == ' ' && at[1] != ' ') {
                *at = first ? '/' : ' ';
                first = !first;
            }
        }
    }
    dialect_play(d, joined, strlen(joined));
}

/* A word about the cube; false when it is none that answers the question. */
static bool take_cube_word(struct dialect *d, const char *text) {
    static const struct {
        const char *word;
        enum asked asked;
        enum act act;
    } rows[] = {{"double", ASKED_THROW, ACT_DOUBLE}, {"redouble", ASKED_THROW, ACT_DOUBLE},
                {"nodouble", ASKED_THROW, ACT_ROLL}, {"no", ASKED_THROW, ACT_ROLL},
                {"roll", ASKED_THROW, ACT_ROLL},     {"take", ASKED_DOUBLE, ACT_TAKE},
                {"accept", ASKED_DOUBLE, ACT_TAKE},  {"beaver", ASKED_DOUBLE, ACT_BEAVER},
                {"drop", ASKED_DOUBLE, ACT_DROP},    {"pass", ASKED_DOUBLE, ACT_DROP},
                {"reject", ASKED_DOUBLE, ACT_DROP}};
    const char *rest;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].asked == d->question.asked && ubgi_begins(text, rows[i].word, &rest)) {
            enum act act = rows[i].act;
            bool beaver = act == ACT_BEAVER && (d->question.may & ACT_BEAVER) == 0;
            settle(d);
            dialect_act(d, beaver ? ACT_TAKE : act);
            return true;
        }
    }
    return false;
}

/* `bestcube take`, or `bestturn cube=double move=..`. */
static void take_cube(struct dialect *d, const char *text, const char *line, size_t length) {
    static const char label[] = "cube=";
    const char *at = strstr(text, label);
    if (take_cube_word(d, at != NULL ? at + sizeof label - 1 : text)) {
        return;
    }
    if (d->question.asked == ASKED_DOUBLE && !d->ubgi.take.proven) {
        take_refusal(d, line, length); /* it only knows about doubles of its own */
        return;
    }
    settle(d);
    dialect_spoil(d, line, length);
}

/* `... pwin 0.53 ...` */
static void take_chance(struct ubgi *u, const char *line) {
    static const char label[] = " pwin ";
    const char *at = strstr(line, label);
    if (at != NULL) {
        double chance = strtod(at + sizeof label - 1, NULL);
        chance = chance > 1 ? chance / 100 : chance;
        u->chance = chance >= 0 && chance <= 1 ? (int)(chance * 1000) : u->chance;
    }
}

static void hear_draft(struct dialect *d, const char *line, size_t length) {
    const char *rest;
    if (ubgi_begins(line, "readyok", &rest) || ubgi_begins(line, "id", &rest)) {
        return;
    }
    if (ubgi_begins(line, "sorry", &rest) || ubgi_begins(line, "error", &rest)) {
        take_refusal(d, line, length);
    } else if (d->question.asked == ASKED_PLAY) {
        take_play(d, line, length);
    } else if (!take_cube_word(d, line)) {
        settle(d);
        dialect_spoil(d, line, length);
    }
}

/* It was told to go, and says something. */
static void hear_answer(struct dialect *d, const char *line, size_t length) {
    bool play = d->question.asked == ASKED_PLAY;
    const char *rest;
    if (d->ubgi.draft) {
        hear_draft(d, line, length);
    } else if (ubgi_begins(line, "error", &rest)) {
        take_refusal(d, line, length);
    } else if (play && ubgi_begins(line, "bestmove", &rest)) {
        take_play(d, rest, length - (size_t)(rest - line));
    } else if (play && ubgi_begins(line, "bestmoveid", &rest)) {
        settle(d);
        dialect_play_id(d, rest, length - (size_t)(rest - line));
    } else if (!play && (ubgi_begins(line, "bestcube", &rest) ||
                         ubgi_begins(line, "bestturn", &rest))) {
        take_cube(d, rest, line, length);
    } else if (text_same_fold(line, strnlen(line, 4), "best", 4) && !play &&
               !way_of(d)->proven) {
        take_refusal(d, line, length); /* whatever it is asked, it names a play */
    } else if (text_same_fold(line, strnlen(line, 4), "best", 4)) {
        settle(d);
        dialect_spoil(d, line, length);
    }
}

/* An answer to a question that is over. In the first draft that is any line but a notice. */
static bool is_stale(const struct ubgi *u, const char *line) {
    const char *rest;
    return ubgi_begins(line, "error", &rest) || text_same_fold(line, strnlen(line, 4), "best", 4) ||
           (u->draft && !ubgi_begins(line, "info", &rest) && !ubgi_begins(line, "readyok", &rest));
}

static void ubgi_hear(struct dialect *d, const char *line, size_t length) {
    static const char ready[] = "readyok";
    struct ubgi *u = &d->ubgi;
    const char *rest;
    if (u->step == UBGI_GREETED) {
        ubgi_hear_greeting(d, line, length);
        return;
    }
    if (ubgi_begins(line, "info", &rest) || ubgi_begins(line, "eval", &rest)) {
        take_chance(u, line);
        return;
    }
    if (u->owed > 0 && is_stale(u, line)) {
        u->owed--;
        /* What had no line end stands before the `readyok` that came later. */
        size_t tail = sizeof ready - 1;
        if (length > tail && strcmp(line + length - tail, ready) == 0) {
            ubgi_ready(d);
        }
        return;
    }
    if (u->step == UBGI_THINKS) {
        hear_answer(d, line, length);
    } else if (ubgi_begins(line, ready, &rest)) {
        ubgi_ready(d);
    } else if (ubgi_begins(line, "error", &rest) ||
               (u->step == UBGI_READ && ubgi_begins(line, "value", &rest))) {
        u->refused = u->refused || line[0] == 'e' || line[0] == 'E';
        if (!u->refused) { /* value NAME VALUE */
            rest += strcspn(rest, " ");
            rest += strspn(rest, " ");
        }
        text_copy(u->said, sizeof u->said, rest, strlen(rest));
    }
}

static void ubgi_drop(struct dialect *d) {
    struct ubgi *u = &d->ubgi;
    if (u->step == UBGI_THINKS) {
        u->owed++;
        dialect_say(d, "stop");
    }
    u->step = UBGI_RESTS;
}

static void ubgi_close(struct dialect *d) {
    dialect_say(d, "quit");
}

const struct tongue ubgi_tongue = {.open = ubgi_open,
                                   .match = ubgi_match,
                                   .game = ubgi_game,
                                   .ask = ubgi_ask,
                                   .drop = ubgi_drop,
                                   .hear = ubgi_hear,
                                   .close = ubgi_close};
