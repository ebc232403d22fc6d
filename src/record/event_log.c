#include "record/event_log.h"

#include "base/text.h"
#include "record/chain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 512, KEY_HEX = 2 * SIGN_PUBLIC_BYTES + 1,
       SIGNATURE_HEX = 2 * SIGN_BYTES + 1 };

/* Chains a bare line, and adds it with its digits. */
static void add_line(struct event_log *log, const char *line, struct bytes *out) {
    char digits[CHAIN_DIGITS + 1];
    log->head = chain_link(log->lines == 0 ? NULL : &log->head, line, strlen(line));
    log->lines++;
    chain_digits(&log->head, digits);
    bytes_print(out, "%s %s\n", line, digits);
}

static void write_header(const char *event, const uint8_t *public_key, char line[LINE_MAX_BYTES]) {
    char key[KEY_HEX];
    text_hex(public_key, SIGN_PUBLIC_BYTES, key);
    snprintf(line, LINE_MAX_BYTES, "log hakem=1 event=%s key=%s", event, key);
}

void event_log_begin(struct event_log *log, const char *event, const uint8_t *public_key,
                     struct bytes *out) {
    char line[LINE_MAX_BYTES];
    *log = (struct event_log){.lines = 0};
    write_header(event, public_key, line);
    add_line(log, line, out);
}

static void write_entry(const struct event_log_entry *entry, char line[LINE_MAX_BYTES]) {
    char head[HASH_HEX];
    hash_hex(&entry->head, head);
    if (entry->kind == EVENT_LOG_LUCK) {
        snprintf(line, LINE_MAX_BYTES, "luck evaluator=%s headline=fitted", entry->evaluator);
    } else if (entry->kind == EVENT_LOG_MATCH) {
        snprintf(line, LINE_MAX_BYTES, "match %s %d head=%s", entry->unit, entry->leg, head);
    } else {
        snprintf(line, LINE_MAX_BYTES, "void %s %d game=%u attempt=%u", entry->unit, entry->leg,
                 entry->game, entry->attempt);
    }
}

void event_log_add(struct event_log *log, const struct event_log_entry *entry, struct bytes *out) {
    char line[LINE_MAX_BYTES];
    write_entry(entry, line);
    add_line(log, line, out);
}

static void write_checkpoint(uint64_t lines, uint64_t time, const uint8_t signature[SIGN_BYTES],
                             char line[LINE_MAX_BYTES]) {
    char hex[SIGNATURE_HEX];
    text_hex(signature, SIGN_BYTES, hex);
    snprintf(line, LINE_MAX_BYTES, "checkpoint %" PRIu64 " time=%" PRIu64 " signature=%s", lines,
             time, hex);
}

void event_log_check(struct event_log *log, const struct sign_key *key, uint64_t time,
                     struct bytes *out) {
    if (log->lines == log->checked) {
        return;
    }
    char line[LINE_MAX_BYTES];
    uint8_t signature[SIGN_BYTES];
    sign_checkpoint(key, &log->head, log->lines, time, signature);
    write_checkpoint(log->lines, time, signature, line);
    add_line(log, line, out);
    log->checked = log->lines;
}

/* Reads a match, void or luck: what it says, written again, has to be the line. */
static bool read_entry(const char *line, struct event_log_entry *entry) {
    char again[LINE_MAX_BYTES];
    char head[HASH_HEX] = "";
    *entry = (struct event_log_entry){.kind = EVENT_LOG_MATCH};
    if (sscanf(line, "match %15s %d head=%64s", entry->unit, &entry->leg, head) == 3) {
        if (!text_unhex(head, strlen(head), entry->head.byte, HASH_BYTES)) {
            return false;
        }
    } else if (sscanf(line, "void %15s %d game=%u attempt=%u", entry->unit, &entry->leg,
                      &entry->game, &entry->attempt) == 4) {
        entry->kind = EVENT_LOG_VOID;
    } else if (sscanf(line, "luck evaluator=%47s", entry->evaluator) == 1) {
        entry->kind = EVENT_LOG_LUCK;
    } else {
        return false;
    }
    write_entry(entry, again);
    return strcmp(again, line) == 0;
}

/* Reads a checkpoint of what came before it. */
static bool read_checkpoint(const char *line, const uint8_t *public_key, struct event_log *log,
                            struct event_log_entry *entry, char *why) {
    char again[LINE_MAX_BYTES];
    char hex[SIGNATURE_HEX] = "";
    uint8_t signature[SIGN_BYTES];
    uint64_t lines;
    *entry = (struct event_log_entry){.kind = EVENT_LOG_CHECKPOINT};
    if (sscanf(line, "checkpoint %" SCNu64 " time=%" SCNu64 " signature=%128s", &lines,
               &entry->time, hex) != 3 ||
        !text_unhex(hex, strlen(hex), signature, sizeof signature)) {
        return false;
    }
    write_checkpoint(lines, entry->time, signature, again);
    if (strcmp(again, line) != 0) {
        return false;
    }
    if (lines != log->lines ||
        !sign_check_checkpoint(public_key, &log->head, lines, entry->time, signature)) {
        snprintf(why, EVENT_LOG_WHY_MAX, "line %" PRIu64 " of the log: the checkpoint is not "
                 "signed by the event's key over the lines before it", log->lines + 1);
    }
    return true;
}

/* One whole line without its LF; `why` is filled in where it does not hold. */
static void read_line(const char *line, const char *header, const uint8_t *public_key,
                      struct event_log *log, struct event_log_entry *entry, char *why) {
    uint64_t number = log->lines + 1;
    bool is_header = log->lines == 0;
    if (is_header ? strcmp(line, header) != 0
                  : !read_entry(line, entry) &&
                        !read_checkpoint(line, public_key, log, entry, why)) {
        snprintf(why, EVENT_LOG_WHY_MAX, "line %" PRIu64 " of the log is %s", number,
                 is_header ? "not the header of this event's" : "no line of a log");
    }
}

int event_log_read(const char *text, size_t length, const char *event, const uint8_t *public_key,
                   void (*take)(void *owner, const struct event_log_entry *entry), void *owner,
                   struct event_log *log, size_t *whole, char why[EVENT_LOG_WHY_MAX]) {
    char header[LINE_MAX_BYTES];
    *log = (struct event_log){.lines = 0};
    *whole = 0;
    why[0] = '\0';
    write_header(event, public_key, header);
    const char *end;
    while ((end = memchr(text + *whole, '\n', length - *whole)) != NULL) {
        char line[LINE_MAX_BYTES];
        size_t bare;
        size_t size = (size_t)(end - (text + *whole));
        struct event_log_entry entry = {.kind = EVENT_LOG_CHECKPOINT};
        if (size >= sizeof line || !chain_cut(text + *whole, size, &bare)) {
            snprintf(why, EVENT_LOG_WHY_MAX, "line %" PRIu64 " of the log is no line of a log",
                     log->lines + 1);
            return -1;
        }
        memcpy(line, text + *whole, bare);
        line[bare] = '\0';
        struct hash next = chain_link(log->lines == 0 ? NULL : &log->head, line, bare);
        if (!chain_agrees(&next, text + *whole, size)) {
            snprintf(why, EVENT_LOG_WHY_MAX, "line %" PRIu64 " of the log: the digits of the chain "
                     "do not fit", log->lines + 1);
            return -1;
        }
        read_line(line, header, public_key, log, &entry, why);
        if (why[0] != '\0') {
            return -1;
        }
        if (log->lines++ > 0) {
            take(owner, &entry);
            log->checked = entry.kind == EVENT_LOG_CHECKPOINT ? log->lines : log->checked;
        }
        log->head = next;
        *whole += size + 1;
    }
    return 0;
}
