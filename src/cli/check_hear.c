#include "cli/check_talk.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "base/text.h"
#include "cli/check_seat.h"
#include "net/loop.h"
#include "wire/frame.h"

#include <stdio.h>
#include <string.h>

enum { MAY_TEXT_MAX = 96 };

/* Which answer says which act. */
static const struct {
    enum message_kind kind;
    enum act act;
} answers[ACT_COUNT] = {
    {MESSAGE_ROLL, ACT_ROLL},     {MESSAGE_DOUBLE, ACT_DOUBLE}, {MESSAGE_PLAY, ACT_PLAY},
    {MESSAGE_TAKE, ACT_TAKE},     {MESSAGE_DROP, ACT_DROP},     {MESSAGE_BEAVER, ACT_BEAVER},
    {MESSAGE_RESIGN, ACT_RESIGN}, {MESSAGE_ACCEPT, ACT_ACCEPT}, {MESSAGE_REJECT, ACT_REJECT},
};

/* The act of an answer; 0 when it is none. */
static unsigned act_of(enum message_kind kind) {
    for (int i = 0; i < ACT_COUNT; i++) {
        if (answers[i].kind == kind) {
            return answers[i].act;
        }
    }
    return 0;
}

static void write_may(unsigned may, char out[MAY_TEXT_MAX]) {
    int length = 0;
    for (int i = 0; i < ACT_COUNT; i++) {
        if ((may & answers[i].act) != 0) {
            length += snprintf(out + length, (size_t)(MAY_TEXT_MAX - length), "%s%s",
                               length > 0 ? ", " : "", message_row(answers[i].kind)->name);
        }
    }
}

/* ---- lines that are no message */

/* Whether the line would be a message in the other spelling. */
static bool is_other_spelling(const struct talk *talk, const char *line, size_t length) {
    struct message message;
    char why[160];
    bool json = frame_first_byte(line, length) == '{';
    if (json == (talk->hello.spelling == SPELLING_JSON)) {
        return false;
    }
    spelling_decode(json ? SPELLING_JSON : SPELLING_TEXT, line, length, SENT_BY_BOT, &message,
                    why);
    return message.kind != MESSAGE_COUNT;
}

static bool refuse_line(struct talk *talk, const char *line, size_t length, enum decoded decoded,
                        const struct message *message, const char *why) {
    if (is_other_spelling(talk, line, length)) {
        return talk_fault(talk, BLAME_SPELLING, N_("a line in the other spelling: the first byte "
                                                   "of the hello chooses for the connection"));
    }
    if (decoded == DECODED_UNKNOWN) {
        return talk_fault(talk, BLAME_STDOUT, N_("`%s` is no message that a bot sends"), why);
    }
    if (message->kind == MESSAGE_COUNT) {
        return talk_fault(talk, BLAME_STDOUT, N_("a line that is no message: %s"), why);
    }
    return talk_fault(talk, BLAME_ITEM, N_("a malformed `%s`: %s"),
                      message_row(message->kind)->name, why);
}

/* ---- answers */

static struct ask *find_ask(struct talk *talk, const struct message *message) {
    bool match = message->kind == MESSAGE_READY || message->kind == MESSAGE_DECLINE;
    uint64_t table = (uint64_t)message_int(message, FIELD_TABLE, 0);
    uint64_t serial = (uint64_t)message_int(message, FIELD_SERIAL, 0);
    for (int i = talk->asks - 1; i >= 0; i--) {
        struct ask *ask = &talk->ask[i];
        if (ask->table == table && (match ? ask->question == MESSAGE_MATCH
                                          : ask->question != MESSAGE_MATCH &&
                                                ask->serial == serial)) {
            return ask;
        }
    }
    return NULL;
}

/* What is open, for a sentence; NULL when nothing is. */
static const struct ask *find_open(const struct talk *talk) {
    for (int i = 0; i < talk->asks; i++) {
        if (!talk->ask[i].answered) {
            return &talk->ask[i];
        }
    }
    return NULL;
}

static bool refuse_address(struct talk *talk, const struct message *message) {
    const struct ask *open = find_open(talk);
    const char *name = message_row(message->kind)->name;
    if (open == NULL) {
        return talk_fault(talk, BLAME_SILENCE, N_("`%s` when nothing was asked"), name);
    }
    if (open->question == MESSAGE_MATCH) {
        return talk_fault(talk, BLAME_ADDRESS, N_("`%s` of table %lld; asked was table %llu"), name,
                          (long long)message_int(message, FIELD_TABLE, 0),
                          (unsigned long long)open->table);
    }
    return talk_fault(talk, BLAME_ADDRESS,
                      N_("`%s` of table %lld, serial %lld; asked was table %llu, serial %llu"),
                      name, (long long)message_int(message, FIELD_TABLE, 0),
                      (long long)message_int(message, FIELD_SERIAL, 0),
                      (unsigned long long)open->table, (unsigned long long)open->serial);
}

/* `#k`: number k of the list. */
static bool take_number(struct talk *talk, struct ask *ask, const char *text, size_t length) {
    uint64_t number;
    size_t count = plays_list(ask->rules, &ask->at, talk->room.list, PLAYS_MAX);
    if (!text_u64(text + 1, length - 1, &number) || number >= count) {
        return talk_fault(talk, BLAME_ITEM, N_("no play of that number: there are %zu, from #0"),
                          count);
    }
    ask->play = talk->room.list[number].play;
    ask->final = talk->room.list[number].final;
    return true;
}

static bool take_play(struct talk *talk, struct ask *ask, const struct message *message) {
    const char *text = message_text(message, FIELD_PLAY);
    size_t length = strlen(text);
    if (text[0] == '#') {
        return take_number(talk, ask, text, length);
    }
    struct verdict verdict;
    play_judge(ask->rules, &ask->at, text, length, &talk->room, &verdict);
    switch (verdict.judgement) {
    case JUDGED_LEGAL:
        ask->play = verdict.play;
        ask->final = verdict.final;
        return true;
    case JUDGED_ILLEGAL:
        return talk_fault(talk, BLAME_ITEM, N_("an illegal play: %s"), verdict.reason);
    case JUDGED_MALFORMED:
        return talk_fault(talk, BLAME_ITEM, N_("an answer that is no play: %s"), verdict.reason);
    case JUDGED_AMBIGUOUS:
        break;
    }
    return talk_fault(talk, BLAME_ITEM, N_("an ambiguous play: %s"), verdict.reason);
}

static bool take_act(struct talk *talk, struct ask *ask, const struct message *message) {
    unsigned act = act_of(message->kind);
    if ((ask->may & act) == 0) {
        char may[MAY_TEXT_MAX] = "";
        write_may(ask->may, may);
        return talk_fault(talk, BLAME_ITEM, N_("`%s` where it may answer: %s"),
                          message_row(message->kind)->name, may);
    }
    if (act == ACT_RESIGN) {
        const char *kind = message_text(message, FIELD_KIND);
        ask->kind = kind_find(ask->rules, kind);
        if (ask->kind == 0) {
            return talk_fault(talk, BLAME_ITEM, N_("a resignation of a kind that the game does not "
                                                   "have"));
        }
    }
    return act != ACT_PLAY || take_play(talk, ask, message);
}

void talk_sample(struct talk *talk, int64_t took) {
    if (talk->sample == NULL) {
        talk->sample = alloc_zeroed(TALK_SAMPLES_MAX, sizeof *talk->sample);
    }
    if (talk->samples < TALK_SAMPLES_MAX) {
        talk->sample[talk->samples++] = (uint32_t)(took < UINT32_MAX ? took : UINT32_MAX);
    }
}

static bool take_answer(struct talk *talk, const struct message *message) {
    struct ask *ask = find_ask(talk, message);
    if (ask == NULL) {
        return refuse_address(talk, message);
    }
    if (ask->answered) {
        return talk_fault(talk, BLAME_SILENCE, N_("a second answer to what is answered"));
    }
    ask->answered = true;
    ask->answer = message->kind;
    talk->open--;
    ask->took = talk->last - (talk->before > ask->since ? talk->before : ask->since);
    talk_sample(talk, ask->took);
    return ask->question == MESSAGE_MATCH || take_act(talk, ask, message);
}

static bool take_pong(struct talk *talk, const struct message *message) {
    int64_t id;
    const char *text = message_text(message, FIELD_ID);
    if (talk->pong != TALK_PONG_AWAITED) {
        return talk_fault(talk, BLAME_SILENCE, N_("`%s` when nothing was asked"), "pong");
    }
    talk->pong = text_i64(text, strlen(text), 0, INT64_MAX, &id) ? id : TALK_PONG_NONE;
    return true;
}

/* Reads a line; what is no message, and a hello that is none, is a fault. */
static bool read_line(struct talk *talk, const char *line, size_t length,
                      struct message *message) {
    char why[160] = "";
    enum decoded decoded = spelling_decode(talk->hello.spelling, line, length, SENT_BY_BOT,
                                           message, why);
    if (decoded == DECODED_BLANK) {
        return talk_fault(talk, BLAME_STDOUT, N_("an empty line"));
    }
    if (decoded != DECODED_MESSAGE) {
        return refuse_line(talk, line, length, decoded, message, why);
    }
    return message->kind != MESSAGE_HELLO ||
           talk_fault(talk, BLAME_SILENCE, N_("a second hello"));
}

bool talk_look(struct talk *talk, const char *line, size_t length) {
    struct message message;
    return read_line(talk, line, length, &message);
}

bool talk_take(struct talk *talk, const char *line, size_t length) {
    struct message message;
    if (!read_line(talk, line, length, &message)) {
        return false;
    }
    bool chatter = message.kind == MESSAGE_NOTE || message.kind == MESSAGE_PING ||
                   message.kind == MESSAGE_SYNC;
    talk->chatter += chatter;
    if (talk->chatter > TALK_CHATTER_MAX) {
        return talk_fault(talk, BLAME_SILENCE, N_("more than %d notes, pings and syncs"),
                          TALK_CHATTER_MAX);
    }
    switch ((int)message.kind) {
    case MESSAGE_NOTE:
        return true;
    case MESSAGE_PING:
        message.kind = MESSAGE_PONG;
        talk_message(talk, &message);
        return true;
    case MESSAGE_SYNC:
        return seat_sync(talk, (uint64_t)message_int(&message, FIELD_TABLE, 0)) ||
               talk_fault(talk, BLAME_ADDRESS, N_("`%s` of table %lld, where it has no seat"),
                          "sync", (long long)message_int(&message, FIELD_TABLE, 0));
    case MESSAGE_PONG:
        return take_pong(talk, &message);
    case MESSAGE_BYE:
        return talk_fault(talk, BLAME_ITEM, N_("the bot said bye"));
    }
    bool answer = act_of(message.kind) != 0 || message.kind == MESSAGE_READY ||
                  message.kind == MESSAGE_DECLINE;
    return answer ? take_answer(talk, &message)
                  : talk_fault(talk, BLAME_SILENCE, N_("`%s` when nothing was asked"),
                               message_row(message.kind)->name);
}
