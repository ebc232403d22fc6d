#include "sim/transcript.h"

#include "base/alloc.h"
#include "sim/transcript_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_ROOM = 20000, DRAFT_ANSWERS = 4000, SPECTATORS = 2 };

static bool on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                     struct hello_refusal *refusal) {
    struct player *player = owner;
    for (int i = 0; i < player->peers; i++) {
        struct peer *peer = &player->peer[i];
        if (peer->session == session) {
            snprintf(peer->name, sizeof peer->name, "%s", facts->name);
            *refusal = peer->refusal;
            return peer->refusal.code == NULL;
        }
    }
    return false;
}

static void on_game(void *owner, const struct game_facts *facts) {
    (void)owner, (void)facts;
}

static void on_match(void *owner, const struct match_facts *facts) {
    struct player *player = owner;
    for (int i = 0; i < player->tables; i++) {
        if (player->seated[i].table == facts->table) {
            player->seated[i].head = facts->head;
        }
    }
}

static void on_mixed(void *owner, const struct mix_facts *facts) {
    (void)owner, (void)facts; /* `! disk` says when it is there */
}

static void on_vacant(void *owner, uint32_t table, enum side side) {
    (void)owner, (void)table, (void)side;
}

/* The seats are those of a session, whatever its connection. */
static void on_swapped(void *owner, uint32_t session, uint32_t other) {
    struct player *player = owner;
    for (int i = 0; i < player->peers; i++) {
        uint32_t *held = &player->peer[i].session;
        *held = *held == session ? other : *held == other ? session : *held;
    }
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    (void)owner, (void)session, (void)why;
}

bool player_fail(struct player *player, const char *why, const char *about) {
    snprintf(player->why, 200, "%s: %.120s", why, about);
    return false;
}

struct peer *player_peer(struct player *player, char letter) {
    for (int i = player->peers - 1; i >= 0; i--) {
        if (player->peer[i].letter == letter) {
            return &player->peer[i];
        }
    }
    return NULL;
}

char *player_word(char **at) {
    char *word = *at + strspn(*at, " ");
    *at = word + strcspn(word, " ");
    if (**at != '\0') {
        *(*at)++ = '\0';
    }
    return word;
}

static void hear_line(struct player *player, struct peer *peer, const char *line) {
    static const char *const requests[] = {"turn ", "cube ", "offer "};
    bytes_print(player->out, "%c < %s\n", peer->letter, line);
    for (int i = 0; i < 3; i++) {
        if (strncmp(line, requests[i], strlen(requests[i])) == 0) {
            snprintf(peer->asked, sizeof peer->asked, "%.79s", line);
        }
    }
    if (player->until != NULL && strstr(line, player->until) != NULL) {
        player->until = NULL;
    }
}

/* Takes what the referee has for one peer; whether there was anything. */
static bool hear(struct player *player, struct peer *peer) {
    const char *data = NULL;
    size_t length = referee_output(player->referee, peer->session, &data);
    if (length == 0 || peer->deaf) {
        referee_sent(player->referee, peer->session, 0, player->now);
        return false;
    }
    bytes_add(&peer->heard, data, length);
    referee_sent(player->referee, peer->session, length, player->now);
    for (const char *end; (end = memchr(peer->heard.data, '\n', peer->heard.length)) != NULL;) {
        char line[LINE_ROOM];
        size_t size = (size_t)(end - peer->heard.data);
        snprintf(line, sizeof line, "%.*s", (int)size, peer->heard.data);
        bytes_drop(&peer->heard, size + 1);
        hear_line(player, peer, line);
    }
    return true;
}

/* Everything that the last step has led to. */
static void settle(struct player *player) {
    bool any = true;
    while (any) {
        any = false;
        for (int i = 0; i < player->peers; i++) {
            struct peer *peer = &player->peer[i];
            if (peer->session == 0) {
                continue;
            }
            any = hear(player, peer) || any;
            if (!peer->deaf && referee_closing(player->referee, peer->session)) {
                bytes_print(player->out, "%c |\n", peer->letter);
                referee_closed(player->referee, peer->session, player->now);
                peer->session = 0;
                any = true;
            }
        }
        if (referee_next_deadline(player->referee) <= player->now) { /* as a loop's turn ends */
            referee_tick(player->referee, player->now);
            any = true;
        }
    }
    while (referee_next_dirty(player->referee) != 0) {
    }
    referee_sweep(player->referee);
}

static void say(struct player *player, const struct peer *peer, const char *data, size_t length) {
    size_t step = player->pace == PACE_WHOLE ? length : 1;
    for (size_t at = 0; at < length; at += step) {
        referee_input(player->referee, peer->session, data + at, step, player->now);
    }
}

/* Undoes \n \r \t \\ \xNN in place; the length, or SIZE_MAX. */
static size_t unescape(char *text) {
    static const char letters[] = "nrt\\", bytes[] = "\n\r\t\\";
    size_t to = 0;
    for (size_t at = 0; text[at] != '\0'; at++) {
        const char *letter = text[at] == '\\' ? strchr(letters, text[at + 1]) : NULL;
        if (text[at] != '\\') {
            text[to++] = text[at];
        } else if (text[at + 1] == 'x' && text_unhex(text + at + 2, 2, &text[to], 1)) {
            to++;
            at += 3;
        } else if (letter != NULL && *letter != '\0') {
            text[to++] = bytes[letter - letters];
            at++;
        } else {
            return SIZE_MAX;
        }
    }
    return to;
}

static bool say_bytes(struct player *player, const struct peer *peer, char *text, long times) {
    size_t length = unescape(text);
    if (length == SIZE_MAX || times < 1 || times > 100000) {
        return player_fail(player, "a bad escape, or a bad number", text);
    }
    struct bytes data;
    bytes_init(&data, 1 << 24);
    for (long i = 0; i < times; i++) {
        bytes_add(&data, text, length);
    }
    say(player, peer, data.data, data.length);
    bytes_clear(&data);
    return true;
}

/* A draft's `X ? WORD REST`: an answer to what it was asked last, with its table and serial. */
static bool answer(struct player *player, struct peer *peer, char *rest) {
    char line[LINE_ROOM], asked[sizeof peer->asked];
    snprintf(asked, sizeof asked, "%s", peer->asked);
    if (asked[0] == '\0') {
        return player_fail(player, "it was not asked", rest);
    }
    peer->asked[0] = '\0';
    char *at = asked, *word = player_word(&rest);
    player_word(&at);
    const char *table = player_word(&at), *serial = player_word(&at);
    int length = snprintf(line, sizeof line, "%s %s %s%s%s", word, table, serial,
                          rest[0] != '\0' ? " " : "", rest);
    bytes_print(player->out, "%c > %s\n", peer->letter, line);
    line[length] = '\n';
    say(player, peer, line, (size_t)length + 1);
    return true;
}

/* `X SIGN REST`: what a peer does. */
static bool act(struct player *player, char letter, char sign, char *rest) {
    struct peer *peer = player_peer(player, letter);
    if (sign == '+' || sign == '=') {
        if (player->peers == PEERS_MAX) {
            return player_fail(player, "too many connections", rest);
        }
        peer = &player->peer[player->peers++];
        *peer = (struct peer){.letter = letter};
        bytes_init(&peer->heard, 1 << 24);
        peer->session = peer->last =
            referee_open(player->referee, "transcript", player->now);
        if (sign == '=') {
            referee_allow_return(player->referee, peer->session);
        }
        return peer->session != 0 || player_fail(player, "no room", rest);
    }
    if (peer == NULL) {
        return player_fail(player, "who is that?", (char[]){letter, '\0'});
    }
    switch (sign) {
    case '?':
        return answer(player, peer, rest);
    case '>':
        say(player, peer, rest, strlen(rest));
        say(player, peer, "\n", 1);
        return true;
    case '~':
        return say_bytes(player, peer, rest, 1);
    case '*': {
        char *times = player_word(&rest);
        return say_bytes(player, peer, rest, strtol(times, NULL, 10));
    }
    case '-':
        referee_closed(player->referee, peer->session, player->now);
        peer->session = 0;
        return true;
    case '(':
    case ')':
        peer->deaf = sign == '(';
        return true;
    }
    return player_fail(player, "no such sign", (char[]){sign, '\0'});
}

/* A draft: the peers answer what they are asked with the first that is allowed. */
static bool draft(struct player *player, const char *until) {
    player->until = until;
    for (int answers = 0; player->until != NULL; answers++) {
        struct peer *peer = player->peer;
        while (peer < player->peer + player->peers && peer->asked[0] == '\0') {
            peer++;
        }
        if (peer == player->peer + player->peers || answers == DRAFT_ANSWERS) {
            return player_fail(player, "never told", until);
        }
        const char *may = strstr(peer->asked, " may=");
        char line[40] = "play #0";
        if (may != NULL && strncmp(peer->asked, "turn", 4) != 0) {
            snprintf(line, sizeof line, "%.*s", (int)strcspn(may + 5, ", "), may + 5);
        }
        answer(player, peer, line);
        settle(player);
    }
    return true;
}

/* `@ MS`: time passes, and what is due happens. */
static bool wait_until(struct player *player, const char *when) {
    int64_t end = strtol(when, NULL, 10);
    if (end < player->now) {
        return player_fail(player, "time goes back", when);
    }
    for (int64_t next; (next = referee_next_deadline(player->referee)) <= end;) {
        player->now = next > player->now ? next : player->now;
        settle(player);
    }
    player->now = end;
    return true;
}

/* One line of the script; the referee's are dropped: they are made anew. */
static bool play_line(struct player *player, char *line) {
    char *first = line;
    if (line[0] == '\0' || line[0] == '#') {
        bytes_print(player->out, "%s\n", line);
        return true;
    }
    if (line[0] == '@' || line[0] == '!') {
        if (strncmp(line, "! draft ", 8) != 0) {
            bytes_print(player->out, "%s\n", line);
        }
        bool good = line[0] == '@'                    ? wait_until(player, line + 1)
                    : strncmp(line, "! draft ", 8) == 0 ? draft(player, line + 8)
                                                        : player_organise(player, line + 1);
        settle(player);
        return good || player->why[0] != '\0' || player_fail(player, "it does not go", first);
    }
    if (line[1] != ' ' || line[2] == '\0' || (line[3] != ' ' && line[3] != '\0')) {
        return player_fail(player, "no such line", line);
    }
    if (line[2] == '<' || line[2] == '|') {
        return true;
    }
    if (line[2] != '?') {
        bytes_print(player->out, "%s\n", line);
    }
    bool good = act(player, line[0], line[2], line[3] == ' ' ? line + 4 : line + 3);
    settle(player);
    return good;
}

bool transcript_play(const char *script, enum transcript_pace pace, struct bytes *out,
                     char why[200]) {
    static const struct hash key = {{1}};
    struct referee_limits limits;
    struct player *player = alloc_zeroed(1, sizeof *player);
    const struct referee_hooks hooks = {.owner = player,
                                        .hello = on_hello,
                                        .mixed = on_mixed,
                                        .game = on_game,
                                        .match = on_match,
                                        .vacant = on_vacant,
                                        .swapped = on_swapped,
                                        .gone = on_gone};
    referee_limits_init(&limits);
    limits.spectators = SPECTATORS;
    player->referee = referee_new(&limits, &hooks);
    referee_set_key(player->referee, &key);
    player->out = out;
    player->pace = pace;
    player->why = why;
    why[0] = '\0';
    bool good = true;
    while (good && *script != '\0') {
        char line[LINE_ROOM];
        size_t length = strcspn(script, "\n");
        good = length < sizeof line || player_fail(player, "a line is too long", "");
        snprintf(line, sizeof line, "%.*s", (int)(good ? length : 0), script);
        good = good && play_line(player, line) && why[0] == '\0';
        script += length + (script[length] == '\n');
    }
    for (int i = 0; i < player->peers; i++) {
        bytes_clear(&player->peer[i].heard);
    }
    referee_free(player->referee);
    free(player);
    return good;
}
