/* hakem bridge: a bot of ours, or one that speaks UBGI, as an external player of GNU Backgammon,
 * which is the referee then. Each of its connections has a process of this program and one of the
 * bot; what it asks is answered one request after the other. */
#include "cli/bridge_game.h"

#include "arena/event.h"
#include "base/lang.h"
#include "cli/args.h"
#include "cli/command.h"
#include "cli/launch_bot.h"
#include "net/listen.h"
#include "net/loop.h"
#include "net/peer.h"
#include "wire/frame.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BRIDGE_HELLO = 15,   /* s for the bot to start */
    BRIDGE_ANSWER = 600, /* s for an answer */
    BRIDGE_LOOK = 1,     /* s between two looks at whether the listening process is there */
    BRIDGE_LINE = 4096
};

/* Both ends of a connection. */
struct bridge {
    struct peer *client; /* GNU Backgammon */
    struct peer *bot;
    struct bridge_game game;
    pid_t parent;
    char why[160];
};

static const int64_t second = 1000000; /* us */

/* Sends the bot what waits for it. */
static void flush(struct bridge *bridge) {
    struct bytes *out = &bridge->game.out;
    peer_send(bridge->bot, out->data, out->length);
    bytes_drop(out, out->length);
}

/* The bot's next message that is none of those which nobody has to answer; false with a sentence
 * when it does not come. */
static bool next_message(struct bridge *bridge, int64_t seconds, struct message *message) {
    int64_t until = loop_micros() + seconds * second;
    struct bytes *said = peer_inbox(bridge->bot);
    struct frame frame;
    char why[160];
    for (;;) {
        while (frame_cut(said->data, said->length, JSON_LINE_MAX, &frame) == FRAME_LINE) {
            int first = frame_first_byte(frame.line, frame.length);
            bridge->game.spelling = first == '{' ? SPELLING_JSON : SPELLING_TEXT;
            enum decoded decoded = spelling_decode(bridge->game.spelling, frame.line, frame.length,
                                                   SENT_BY_BOT, message, why);
            if (decoded == DECODED_MALFORMED) {
                text_escape(frame.line, frame.length, bridge->why, sizeof bridge->why);
            }
            bytes_drop(said, frame.consumed);
            if (decoded == DECODED_MESSAGE && message->kind != MESSAGE_NOTE &&
                message->kind != MESSAGE_PING && message->kind != MESSAGE_PONG) {
                return true;
            }
        }
        if (peer_wrong(bridge->bot)[0] != '\0') {
            snprintf(bridge->why, sizeof bridge->why, "%s", peer_wrong(bridge->bot));
            return false;
        }
        size_t before = said->length;
        if (!peer_wait(bridge->bot, until) && said->length == before) {
            snprintf(bridge->why, sizeof bridge->why, "%s",
                     peer_ended(bridge->bot) ? _("it ended") : _("it does not answer"));
            return false;
        }
    }
}

/* The bot says hello. */
static bool greet(struct bridge *bridge) {
    struct message message;
    if (!next_message(bridge, BRIDGE_HELLO, &message)) {
        return false;
    }
    if (message.kind != MESSAGE_HELLO) {
        snprintf(bridge->why, sizeof bridge->why, "%s", _("it does not say hello first"));
        return false;
    }
    bridge->game.want_position = message_list_has(&message, FIELD_WANT, "position");
    bridge->game.want_plays = message_list_has(&message, FIELD_WANT, "plays");
    message_init(&message, MESSAGE_WELCOME);
    message_set_int(&message, FIELD_HAKEM, 1);
    spelling_encode(bridge->game.spelling, &message, &bridge->game.out);
    flush(bridge);
    return true;
}

/* What GNU Backgammon is told of a request that cannot be answered: it stops the game there. */
static void answer_error(struct bridge *bridge, const char *why) {
    char line[200];
    fprintf(stderr, "hakem bridge: %s\n", why);
    int length = snprintf(line, sizeof line, "Error: %.180s\n", why);
    peer_send(bridge->client, line, (size_t)length);
}

/* One board line: asks the bot and answers. False when the bot is of no more use. */
static bool serve_board(struct bridge *bridge, const char *request) {
    struct match_position position;
    struct message message;
    char line[160];
    bool odd;
    if (bridge_game_read(&bridge->game, request, &position, line) != 0) {
        answer_error(bridge, line);
        return true;
    }
    bool asked = bridge_game_ask(&bridge->game, &position, &odd);
    if (odd) {
        fprintf(stderr, "hakem bridge: %s\n",
                _("this position does not follow from the last one: a bot that does not ask for "
                  "want=position may be lost"));
    }
    flush(bridge);
    if (!asked) {
        peer_send(bridge->client, "\n", 1);
        return true;
    }
    do {
        if (!next_message(bridge, BRIDGE_ANSWER, &message)) {
            answer_error(bridge, bridge->why);
            return false;
        }
    } while (message.kind == MESSAGE_READY);
    if (!bridge_game_answer(&bridge->game, &message, line)) {
        answer_error(bridge, line);
        return true;
    }
    peer_send(bridge->client, line, strlen(line));
    peer_send(bridge->client, "\n", 1);
    return true;
}

/* One line of GNU Backgammon's; its lines end with LF and NUL, so the next begins with that. */
static bool serve_line(struct bridge *bridge, const char *line, size_t length) {
    char text[BRIDGE_LINE];
    while (length > 0 && *line == '\0') {
        line++;
        length--;
    }
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    if (strncmp(text, "board:", 6) == 0) {
        return serve_board(bridge, text);
    }
    if (strcmp(text, "exit") == 0 || strcmp(text, "quit") == 0) {
        return false;
    }
    if (text[0] != '\0') {
        answer_error(bridge, "only board: lines are answered here");
    }
    return true;
}

/* Until GNU Backgammon leaves, the bot fails, or nobody listens any more. */
static void serve(struct bridge *bridge) {
    struct bytes *inbox = peer_inbox(bridge->client);
    struct frame frame;
    for (;;) {
        enum frame_state state = frame_cut(inbox->data, inbox->length, BRIDGE_LINE, &frame);
        if (state == FRAME_LINE) {
            bool good = serve_line(bridge, frame.line, frame.length);
            bytes_drop(inbox, frame.consumed);
            while (peer_unsent(bridge->client) > 0 &&
                   peer_wait(bridge->client, loop_micros() + second)) {
            }
            if (!good) {
                return;
            }
        } else if (state == FRAME_TOO_LONG || peer_ended(bridge->client) ||
                   getppid() != bridge->parent) {
            return;
        } else {
            peer_wait(bridge->client, loop_micros() + BRIDGE_LOOK * second);
        }
    }
}

/* One connection, in a process of its own. */
static void serve_client(struct peer *client, const struct event *event, pid_t parent) {
    struct bridge bridge = {.client = client, .parent = parent};
    struct launch launch;
    struct fail fail;
    bridge_game_init(&bridge.game);
    if (launch_prepare(event, &event->entrants[0], &launch, &fail) != 0 ||
        peer_start(launch.argv, &launch.speech, &bridge.bot, &fail) != 0) {
        answer_error(&bridge, fail.text);
    } else {
        if (greet(&bridge)) {
            serve(&bridge);
        } else {
            answer_error(&bridge, bridge.why);
        }
        peer_hang_up(bridge.bot);
        int status;
        peer_exits(bridge.bot, loop_micros() + second, &status);
        peer_free(bridge.bot);
    }
    peer_wait(client, loop_micros() + second / 10);
    bridge_game_clear(&bridge.game);
    launch_clear(&launch);
    peer_free(client);
}

/* Accepts for ever. */
static void listen_on(int listening, const struct event *event) {
    pid_t parent = getpid();
    for (;;) {
        struct peer *client = peer_accept(listening, loop_micros() + BRIDGE_LOOK * second);
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
        if (client == NULL) {
            continue;
        }
        pid_t pid = fork();
        if (pid == 0) {
            close(listening);
            serve_client(client, event, parent);
            _exit(0);
        }
        peer_free(client);
    }
}

static int start(const struct args *args, const char *where, bool plaintext, struct event *event,
                 struct fail *fail) {
    char name[ADDRESS_TEXT_MAX];
    if (args->positional_count != 1 || where == NULL) {
        return fail_set(fail, EXIT_CODE_USAGE, _("bridge takes one bot and an address: hakem "
                                                 "bridge --listen HOST:PORT BOT"));
    }
    if (event_add_bot(event, args->positional[0], fail) != 0) {
        return -1;
    }
    if (event->entrants[0].dialect.protocol == PROTOCOL_GNUBG) {
        return fail_set(fail, EXIT_CODE_USAGE, _("GNU Backgammon needs no bridge to itself"));
    }
    int listening = listen_socket(where, plaintext, name, fail);
    if (listening < 0) {
        return -1;
    }
    fprintf(stderr, _("hakem bridge: listening on %s; in GNU Backgammon: set player 0 external "
                      "%s\n"), name, name);
    listen_on(listening, event);
    return 0;
}

static int run(int argc, char **argv) {
    const char *where = NULL;
    bool plaintext = false;
    const struct arg_row rows[] = {{"listen", ARG_TEXT, 0, 0, &where},
                                   {"plaintext", ARG_FLAG, 0, 0, &plaintext}};
    struct args args = {.rows = rows, .row_count = sizeof rows / sizeof rows[0]};
    struct event event;
    struct fail fail;
    event_init(&event);
    int code = args_read(&args, argc, argv, &fail) != 0 ||
                       start(&args, where, plaintext, &event, &fail) != 0
                   ? args_refuse(argv[0], &fail)
                   : EXIT_CODE_DONE;
    event_clear(&event);
    return code;
}

const struct command command_bridge = {
    .name = "bridge",
    .usage = N_("--listen HOST:PORT BOT"),
    .summary = N_("a bot as an external player inside GNU Backgammon"),
    .help = N_(
        "Listens for GNU Backgammon, which is the referee, and lets BOT play there: a COMMAND\n"
        "that speaks the protocol of hakem, or ubgi:COMMAND. Each connection has a process of\n"
        "the bot. In GNU Backgammon: set player 0 external HOST:PORT, then new match 5.\n"
        "\n"
        "  --listen HOST:PORT where GNU Backgammon finds the bot; port 0 takes a free one\n"
        "  --plaintext        allows addresses beyond this machine: lines are not encrypted\n"
        "\n"
        "example: hakem bridge --listen 127.0.0.1:7100 ./mybot\n"),
    .run = run,
};
