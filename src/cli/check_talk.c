#include "cli/check_talk.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/check_dress.h"
#include "net/loop.h"
#include "wire/frame.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum {
    TALK_TELL_MAX = 32768,     /* bytes of one line told */
    TALK_OUT_MAX = 64 << 20,
    TALK_FLUSH = 500000,       /* us: whether a missing line comes once the input has ended */
    TALK_EXIT = 300000,        /* us: whether one whose output ended has exited */
    TALK_BANNERS = 20,         /* lines before the hello that are read over */
    TALK_PIECE = 700000,       /* ns between two pieces of a line */
};

void talk_init(struct talk *talk, int64_t patience) {
    memset(talk, 0, sizeof *talk);
    talk->patience = patience;
    talk->pong = TALK_PONG_NONE;
    bytes_init(&talk->out, TALK_OUT_MAX);
}

void talk_clear(struct talk *talk) {
    bytes_clear(&talk->out);
    free(talk->sample);
}

void talk_note(struct talk *talk, char sign, const char *line, size_t length) {
    char *kept = talk->said.line[talk->said.count++ % TALK_LINES];
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) {
        length--;
    }
    kept[0] = sign;
    kept[1] = ' ';
    text_escape(line, length, kept + 2, TALK_LINE_MAX - 2);
}

void transcript_write(const struct transcript *said, const char *indent, struct bytes *out) {
    unsigned first = said->count > TALK_LINES ? said->count - TALK_LINES : 0;
    for (unsigned i = first; i < said->count; i++) {
        bytes_print(out, "%s%s\n", indent, said->line[i % TALK_LINES]);
    }
}

bool talk_fault(struct talk *talk, enum blame blame, const char *format, ...) {
    struct fault *fault = &talk->fault;
    if (fault->there) {
        return false;
    }
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    vsnprintf(fault->english, sizeof fault->english, format, args);
    vsnprintf(fault->local, sizeof fault->local, lang_text(format), again);
    va_end(again);
    va_end(args);
    fault->there = true;
    fault->blame = blame;
    fault->said = talk->said;
    return false;
}

void talk_forget(struct talk *talk) {
    talk->fault = (struct fault){.there = false};
    talk_close_asks(talk);
    talk->said.count = 0;
    talk->chatter = 0;
    talk->seats = NULL;
    talk->manner = (struct manner){false};
}

void talk_close_asks(struct talk *talk) {
    for (int i = 0; i < talk->asks; i++) {
        talk->ask[i].answered = true;
    }
    talk->open = 0;
    int most = TALK_ASKS_MAX / 2;
    if (talk->asks > most) {
        memmove(talk->ask, talk->ask + talk->asks - most, (size_t)most * sizeof *talk->ask);
        talk->asks = most;
    }
}

/* ---- telling */

void talk_raw(struct talk *talk, const char *line) {
    size_t length = strlen(line);
    talk_note(talk, '<', line, length);
    bytes_add(&talk->out, line, length);
    bytes_add_text(&talk->out, talk->manner.crlf ? "\r\n" : "\n");
}

void talk_message(struct talk *talk, const struct message *message) {
    struct bytes line;
    bytes_init(&line, TALK_TELL_MAX);
    spelling_encode_bare(talk->hello.spelling, message, &line);
    assert(!line.full);
    if (talk->manner.strange || talk->manner.turned || talk->manner.blanks) {
        dress_line(talk->hello.spelling, &talk->manner, &line);
    }
    talk_raw(talk, bytes_text(&line));
    bytes_clear(&line);
}

void talk_tell(struct talk *talk, const char *format, ...) {
    char text[TALK_TELL_MAX], why[160];
    struct message message;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert(length > 0 && (size_t)length < sizeof text);
    enum decoded decoded = spelling_decode(SPELLING_TEXT, text, (size_t)length, SENT_BY_REFEREE,
                                           &message, why);
    if (decoded != DECODED_MESSAGE) {
        fail_fatal("check: %s: %s", why, text); /* our own script is wrong */
    }
    talk_message(talk, &message);
}

struct ask *talk_ask(struct talk *talk, enum message_kind question, uint64_t table,
                     uint64_t serial) {
    assert(talk->asks < TALK_ASKS_MAX);
    struct ask *ask = &talk->ask[talk->asks++];
    *ask = (struct ask){.table = table, .serial = serial, .question = question};
    talk->open++;
    return ask;
}

/* Writes what was told; the clock of the open requests starts. */
static void flush(struct talk *talk) {
    static const size_t sizes[] = {1, 3, 2, 7, 5, 13};
    size_t done = 0;
    for (int i = 0; done < talk->out.length && talk->peer != NULL; i++) {
        size_t size = talk->out.length - done;
        size_t piece = sizes[(size_t)i % (sizeof sizes / sizeof *sizes)];
        if (talk->manner.pieces && piece < size) {
            size = piece;
        }
        peer_send(talk->peer, talk->out.data + done, size);
        done += size;
        if (talk->manner.pieces) {
            peer_wait(talk->peer, loop_micros());
            nanosleep(&(struct timespec){.tv_nsec = TALK_PIECE}, NULL);
        }
    }
    bytes_drop(&talk->out, talk->out.length);
    int64_t now = loop_micros();
    for (int i = 0; i < talk->asks; i++) {
        if (talk->ask[i].since == 0) {
            talk->ask[i].since = now;
        }
    }
}

/* ---- hearing */

/* The last words, with a colon before them, or nothing. */
static const char *last_words(const struct talk *talk, char out[SPAWN_WORDS_MAX + 4]) {
    char words[SPAWN_WORDS_MAX];
    peer_last_words(talk->peer, words);
    snprintf(out, SPAWN_WORDS_MAX + 4, "%s%.200s", words[0] != '\0' ? ": " : "", words);
    return out;
}

bool talk_ended(struct talk *talk) {
    char words[SPAWN_WORDS_MAX + 4];
    int status;
    bool exited = peer_exits(talk->peer, loop_micros() + TALK_EXIT, &status);
    size_t half = peer_inbox(talk->peer)->length;
    last_words(talk, words);
    talk->fault.ended = true;
    if (half > 0) {
        talk_note(talk, '>', peer_inbox(talk->peer)->data, half);
        return talk_fault(talk, BLAME_ITEM, N_("the bot ended in the middle of a line, which does "
                                               "not count without its line end%s"), words);
    }
    if (!exited) {
        return talk_fault(talk, BLAME_ITEM, N_("the bot closed its output%s"), words);
    }
    if (WIFSIGNALED(status)) {
        return talk_fault(talk, BLAME_ITEM, N_("the bot was killed by signal %d%s"),
                          WTERMSIG(status), words);
    }
    return talk_fault(talk, BLAME_ITEM, N_("the bot ended, with status %d%s"), WEXITSTATUS(status),
                      words);
}

/* Whether a line that did not come comes when the bot's input has ended: then it only was
 * not flushed. */
static bool came_too_late(struct talk *talk) {
    int64_t until = loop_micros() + TALK_FLUSH;
    peer_hang_up(talk->peer);
    while (peer_wait(talk->peer, until)) {
    }
    return peer_inbox(talk->peer)->length > 0;
}

bool talk_mute(struct talk *talk, int64_t waited) {
    size_t half = peer_inbox(talk->peer)->length;
    size_t unread = peer_unsent(talk->peer);
    talk->fault.mute = true;
    if (half > 0) {
        talk_note(talk, '>', peer_inbox(talk->peer)->data, half);
        return talk_fault(talk, BLAME_ITEM, N_("no whole line within %lld ms: a line ends with LF "
                                               "(a CR alone is no line end)"),
                          (long long)waited / 1000);
    }
    if (unread > 0) {
        return talk_fault(talk, BLAME_ITEM, N_("no answer within %lld ms, and the bot does not "
                                               "read: %zu bytes wait"),
                          (long long)waited / 1000, unread);
    }
    if (came_too_late(talk)) {
        return talk_fault(talk, BLAME_ITEM, N_("nothing within %lld ms; it came when the input was "
                                               "closed: flush the output after each line"),
                          (long long)waited / 1000);
    }
    return talk_fault(talk, BLAME_ITEM, N_("no answer within %lld ms"), (long long)waited / 1000);
}

static size_t line_limit(const struct talk *talk) {
    return talk->hello.spelling == SPELLING_JSON ? JSON_LINE_MAX : TEXT_LINE_MAX;
}

/* Looks for a whole line in the inbox; -1 when it is too long. */
static int cut_line(struct talk *talk, struct frame *frame) {
    struct bytes *inbox = peer_inbox(talk->peer);
    switch (frame_cut(inbox->data, inbox->length, line_limit(talk), frame)) {
    case FRAME_LINE:
        return 1;
    case FRAME_PARTIAL:
        return 0;
    case FRAME_TOO_LONG:
        break;
    }
    talk_note(talk, '>', inbox->data, TALK_LINE_MAX);
    talk_fault(talk, BLAME_STDOUT, N_("a line of more than %zu bytes"), line_limit(talk));
    return -1;
}

bool talk_line(struct talk *talk, int64_t until, const char **line, size_t *length) {
    int64_t began = loop_micros();
    struct frame frame;
    int found;
    while ((found = cut_line(talk, &frame)) == 0) {
        if (!peer_wait(talk->peer, until)) {
            return peer_ended(talk->peer) ? talk_ended(talk) : talk_mute(talk, until - began);
        }
    }
    if (found < 0) {
        return false;
    }
    talk->before = talk->last;
    talk->last = loop_micros();
    talk->lines++;
    talk_note(talk, '>', frame.line, frame.length);
    memcpy(talk->line, frame.line, frame.length);
    *line = talk->line;
    *length = frame.length;
    bytes_drop(peer_inbox(talk->peer), frame.consumed);
    return true;
}

/* ---- the hello */

static unsigned variants_of(const struct message *message, unsigned *strangers) {
    const char *list = message_text(message, FIELD_VARIANTS);
    unsigned known = 0;
    *strangers = 0;
    if (!message_has(message, FIELD_VARIANTS)) {
        return (1U << VARIANT_COUNT) - 1;
    }
    for (;;) {
        size_t length = strcspn(list, ",");
        const struct variant *variant = variant_find(list, length);
        if (variant != NULL) {
            known |= 1U << variant->id;
        } else {
            ++*strangers;
        }
        if (list[length] == '\0') {
            return known;
        }
        list += length + 1;
    }
}

static void keep_hello(struct greeting *hello, const struct message *message) {
    bool position = message_list_has(message, FIELD_WANT, "position");
    bool plays = message_list_has(message, FIELD_WANT, "plays");
    size_t wanted = strlen(message_text(message, FIELD_WANT));
    snprintf(hello->name, sizeof hello->name, "%s", message_text(message, FIELD_NAME));
    hello->version = message_int(message, FIELD_HAKEM, 0);
    hello->tables = message_int(message, FIELD_TABLES, 1);
    hello->variants = variants_of(message, &hello->strangers);
    hello->position = position;
    hello->plays = plays;
    snprintf(hello->resume, sizeof hello->resume, "%s", message_text(message, FIELD_RESUME));
    hello->forced = message_list_has(message, FIELD_AUTO, "forced");
    hello->nothing_else = wanted == (position ? strlen("position") : 0) +
                                        (plays ? strlen("plays") : 0) + (position && plays);
}

/* One line that may be the hello; 1 it is, 0 it is a banner, -1 it is a fault. */
static int take_hello(struct talk *talk, const char *line, size_t length) {
    struct message message;
    char why[160];
    int first = frame_first_byte(line, length);
    enum spelling spelling = first == '{' ? SPELLING_JSON : SPELLING_TEXT;
    enum decoded decoded = spelling_decode(spelling, line, length, SENT_BY_BOT, &message, why);
    if (decoded == DECODED_BLANK) {
        return 0;
    }
    if (message.kind != MESSAGE_HELLO && decoded != DECODED_MESSAGE) {
        talk_fault(talk, BLAME_STDOUT, N_("a line before the hello that is no message"));
        return 0;
    }
    if (message.kind != MESSAGE_HELLO) {
        talk_fault(talk, BLAME_ITEM, N_("the first message is `%s`, not `hello`"),
                   message_row(message.kind)->name);
        return -1;
    }
    if (decoded != DECODED_MESSAGE) {
        talk_fault(talk, BLAME_ITEM, N_("the hello is malformed: %s"), why);
        return -1;
    }
    talk->hello.spelling = spelling;
    talk->hello.length = length + 1;
    memcpy(talk->hello.line, line, length);
    talk->hello.line[length] = '\n';
    keep_hello(&talk->hello, &message);
    return 1;
}

bool talk_greet(struct talk *talk, struct peer *peer, int64_t limit) {
    int64_t began = loop_micros();
    talk->peer = peer;
    talk->hello = (struct greeting){.spelling = SPELLING_JSON}; /* until it is known */
    talk->asks = 0;
    talk->open = 0;
    talk->tables = 0;
    talk->manner = (struct manner){false};
    bytes_drop(&talk->out, talk->out.length);
    for (int i = 0; i < TALK_BANNERS; i++) {
        const char *line;
        size_t length;
        if (!talk_line(talk, began + limit, &line, &length)) {
            return false;
        }
        int taken = take_hello(talk, line, length);
        if (taken != 0) {
            talk->hello.took = loop_micros() - began;
            return taken > 0;
        }
    }
    return talk_fault(talk, BLAME_ITEM, N_("no hello among the first %d lines"), TALK_BANNERS);
}

void talk_part(struct talk *talk) {
    talk->peer = NULL;
    bytes_drop(&talk->out, talk->out.length);
}

/* ---- exchanges */

/* The time in which everything that is open has to be answered: several share a clock. */
static int64_t allowance(const struct talk *talk) {
    int64_t open = talk->open < 1 ? 1 : talk->open > 8 ? 8 : talk->open;
    return open * talk->patience;
}

/* A late answer is waited for a while, to tell it from none. */
bool talk_hear(struct talk *talk) {
    flush(talk);
    int64_t began = loop_micros();
    int64_t allowed = allowance(talk);
    while (talk->open > 0) {
        const char *line;
        size_t length;
        if (!talk_line(talk, began + allowed + talk->patience / 2, &line, &length) ||
            !talk_take(talk, line, length)) {
            return false;
        }
        flush(talk);
        if (talk->last > began + allowed) {
            talk->fault.mute = true;
            return talk_fault(talk, BLAME_TIME, N_("an answer after %lld ms; %lld ms are allowed"),
                              (long long)(talk->last - began) / 1000, (long long)allowed / 1000);
        }
    }
    return !talk->fault.there;
}

bool talk_quiet(struct talk *talk, int64_t micros) {
    flush(talk);
    int64_t until = loop_micros() + micros;
    struct frame frame;
    for (;;) {
        int found = cut_line(talk, &frame);
        if (found < 0) {
            return false;
        }
        if (found == 0) {
            if (peer_wait(talk->peer, until)) {
                continue;
            }
            return peer_ended(talk->peer) ? talk_ended(talk) : !talk->fault.there;
        }
        const char *line;
        size_t length;
        if (!talk_line(talk, until, &line, &length) || !talk_take(talk, line, length)) {
            return false;
        }
        flush(talk);
    }
}

bool talk_ping(struct talk *talk, int64_t id) {
    talk->pong = TALK_PONG_AWAITED;
    talk_tell(talk, "ping id=%lld", (long long)id);
    flush(talk);
    int64_t until = loop_micros() + talk->patience;
    while (talk->pong == TALK_PONG_AWAITED) {
        const char *line;
        size_t length;
        if (!talk_line(talk, until, &line, &length) || !talk_take(talk, line, length)) {
            return false;
        }
    }
    return talk->pong == id ||
           talk_fault(talk, BLAME_ITEM, N_("the id of its pong is not that of the ping"));
}
