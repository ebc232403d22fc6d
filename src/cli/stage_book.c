#include "cli/stage_inside.h"

#include "base/alloc.h"
#include "base/log.h"
#include "cli/copies.h"
#include "record/mix.h"
#include "record/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct book *book_find(struct stage *stage, uint32_t unit) {
    struct book *book = stage->books;
    while (book != NULL && book->unit.number != unit) {
        book = book->next;
    }
    return book;
}

struct book *book_open(struct stage *stage, const struct unit *unit) {
    struct book *book = book_find(stage, unit->number);
    if (book != NULL) {
        return book;
    }
    book = alloc_zeroed(1, sizeof *book);
    book->unit = *unit;
    const struct store_event *kept = store_event(stage->store);
    unit_dice_init(&book->dice, &kept->master, kept->id, unit->name, 0);
    for (int i = 0; i < LEGS_MAX; i++) {
        bytes_init(&book->leg[i].text, RECORD_TEXT_MAX);
        bytes_init(&book->leg[i].seal, RECORD_PIECE_MAX);
    }
    book->next = stage->books;
    stage->books = book;
    return book;
}

void book_free(struct book *book) {
    for (int i = 0; i < LEGS_MAX; i++) {
        bytes_clear(&book->leg[i].text);
        bytes_clear(&book->leg[i].seal);
    }
    free(book);
}

void book_add(struct stage *stage, struct book *book, int leg, const char *text, size_t length) {
    if (stage->files != 0) {
        bytes_add(&book->leg[leg - 1].text, text, length);
    }
}

void book_take_mix(struct book *book, const struct leg *leg) {
    book->mixed = book->mixed || mix_find(leg->text.data, leg->text.length, book->of);
}

void book_end_leg(struct stage *stage, struct book *book, int leg,
                  const struct match_facts *facts) {
    struct leg *ended = &book->leg[leg - 1];
    ended->ended = true;
    ended->head = facts->head;
    ended->lines = facts->lines;
    bool all = true;
    for (int i = 0; i < book->unit.legs; i++) {
        all = all && book->leg[i].ended;
    }
    if (all) {
        book_seal(stage, book);
    }
}

/* The seed and the signature under one record; the ticket of that piece. */
static uint64_t seal_leg(struct stage *stage, struct book *book, int leg) {
    struct leg *sealed = &book->leg[leg - 1];
    struct record_writer writer;
    struct message message;
    char seed[HASH_HEX];
    record_init(&writer);
    writer.head = sealed->head;
    writer.lines = sealed->lines;
    message_init(&message, MESSAGE_REVEAL);
    message_set(&message, FIELD_UNIT, book->unit.name);
    hash_hex(&book->dice.seed, seed);
    message_set(&message, FIELD_SEED, seed);
    record_add(&writer, &message);
    record_sign(&writer, &store_event(stage->store)->key);
    uint64_t ticket =
        store_put_seal(stage->store, book->unit.number, leg, writer.text.data, writer.text.length);
    book_add(stage, book, leg, writer.text.data, writer.text.length);
    bytes_add(&sealed->seal, writer.text.data, writer.text.length);
    record_clear(&writer);
    return ticket;
}

/* Everybody who played the unit is told its seed, once, and not before the unit's end is
 * on disk: after a crash a game might have to be thrown again from the same seed. */
static void tell_unit(struct stage *stage, const struct book *book) {
    struct hash heads[LEGS_MAX];
    uint32_t told[LEGS_MAX * SIDE_COUNT];
    size_t count = 0;
    for (int i = 0; i < book->unit.legs; i++) {
        heads[i] = book->leg[i].head;
    }
    for (int i = 0; i < book->unit.legs * SIDE_COUNT; i++) {
        uint32_t session = book->leg[i / SIDE_COUNT].session[i % SIDE_COUNT];
        bool again = session == 0;
        for (size_t j = 0; j < count; j++) {
            again = again || told[j] == session;
        }
        if (!again) {
            told[count++] = session;
            referee_send_unit(stage->host->referee, session, book->unit.name, &book->dice.seed,
                              heads, (size_t)book->unit.legs);
        }
    }
}

void book_seal(struct stage *stage, struct book *book) {
    struct pending pending = {.kind = PENDING_SEAL, .of.book = book};
    struct book **at = &stage->books;
    while (*at != book) {
        at = &(*at)->next;
    }
    *at = book->next;
    for (int leg = 1; leg <= book->unit.legs; leg++) {
        /* A process that was killed may have sealed one leg of a pair and not the other. */
        if (!book->leg[leg - 1].sealed) {
            pending.ticket = seal_leg(stage, book, leg);
        }
    }
    pending_add(stage, &pending);
}

void pending_add(struct stage *stage, const struct pending *pending) {
    if (stage->pending_first > 0 &&
        stage->pending_first + stage->pending_count == stage->pending_room) {
        memmove(stage->pending, stage->pending + stage->pending_first,
                stage->pending_count * sizeof *stage->pending);
        stage->pending_first = 0;
    }
    stage->pending = alloc_more(stage->pending, stage->pending_count, &stage->pending_room,
                                sizeof *stage->pending);
    stage->pending[stage->pending_first + stage->pending_count++] = *pending;
}

static void show_seal(struct stage *stage, struct book *book) {
    for (int leg = 1; leg <= book->unit.legs && stage->files != 0; leg++) {
        struct fail fail = {.text = "too long"};
        if (book->leg[leg - 1].text.full ||
            copies_write(stage->setup.folder, &book->unit, leg, stage->files,
                         &book->leg[leg - 1].text, &fail) != 0) {
            /* The record is in the store; only its copy is missing, and is mended next time. */
            stage->missing++;
            log_line(LOG_LEVEL_WARN, "copy %s-%d missing error=%s", book->unit.name, leg,
                     fail.text);
        }
    }
    stage_log_check(stage);
    tell_unit(stage, book);
    struct referee *referee = stage->host->referee; /* none yet when a store is taken over */
    for (int leg = 1; leg <= book->unit.legs && referee != NULL; leg++) {
        const struct bytes *seal = &book->leg[leg - 1].seal;
        referee_seal_show(referee, &book->dice, leg, seal->data, seal->length);
    }
    if (stage->setup.hooks.unit != NULL) {
        stage->setup.hooks.unit(stage->setup.hooks.owner, book->unit.number);
    }
    book_free(book);
}

static void pending_take(struct stage *stage, struct pending *out) {
    *out = stage->pending[stage->pending_first];
    stage->pending_first++;
    stage->pending_count--;
    if (stage->pending_count == 0) {
        stage->pending_first = 0;
    }
}

void pending_show(struct stage *stage) {
    uint64_t durable = store_durable(stage->store);
    while (stage->pending_count > 0 && stage->pending[stage->pending_first].ticket <= durable) {
        struct pending pending;
        pending_take(stage, &pending);
        switch (pending.kind) {
        case PENDING_MIX:
            stage_show_mix(stage, pending.of.unit);
            break;
        case PENDING_GAME:
            tournament_load_game(stage->shown, &pending.of.game);
            stage_log_game(stage, &pending.of.game);
            faults_show(stage, &pending);
            announce_game(stage, &pending.of.game);
            break;
        case PENDING_MATCH:
            tournament_load_match(stage->shown, &pending.of.match);
            stage_log_match(stage, &pending.of.match);
            faults_show(stage, &pending);
            announce_match(stage, &pending.of.match);
            stage->setup.hooks.match(stage->setup.hooks.owner, stage, &pending.of.match);
            break;
        case PENDING_SEAL:
            show_seal(stage, pending.of.book);
            break;
        }
        bytes_clear(&pending.faults);
    }
}
