/* The wire for tests in other languages: the message table as JSON, messages with
 * values of all kinds in both spellings, and the decoder as a filter over lines.
 *
 *     wire table              the table
 *     wire lines COUNT SEED   pairs of lines: a message in text, the same in JSON
 *     wire decode SENDER      for each line of stdin what it is: "message" and both of its
 *                             spellings, "blank", "unknown" or "malformed" with the reason
 *     wire json SENDER        each text line of stdin in JSON, what cannot be read as it is
 */
#include "unit/wire_kit.h"

#include "base/bytes.h"
#include "base/json.h"

enum { LINE_CEILING = 1 << 20 };

static const char *const type_names[] = {
    [TYPE_INT] = "int",   [TYPE_SEED] = "seed", [TYPE_WORD] = "word",       [TYPE_STRING] = "string",
    [TYPE_FLAG] = "flag", [TYPE_DICE] = "dice", [TYPE_DEED] = "deed",       [TYPE_LIST] = "list",
    [TYPE_PLAY] = "play", [TYPE_PLAYS] = "plays", [TYPE_NUMBERS] = "numbers"};

static void print_message(const struct message_row *row) {
    printf("{\"name\":\"%s\",\"bot\":%d,\"referee\":%d,\"record\":%d,\"positional\":%d,"
           "\"required\":%d,\"options\":%d,\"fields\":[",
           row->name, (row->senders & SENT_BY_BOT) != 0, (row->senders & SENT_BY_REFEREE) != 0,
           (row->senders & KEPT_IN_RECORD) != 0, row->positional, row->required, row->options);
    for (int i = 0; row->fields[i] != FIELD_COUNT; i++) {
        const struct field_row *field = field_row(row->fields[i]);
        printf("%s[\"%s\",\"%s\"]", i > 0 ? "," : "", field->name, type_names[field->type]);
    }
    printf("]}");
}

static void print_option(const struct option_row *row) {
    printf("{\"name\":\"%s\",\"min\":%d,\"max\":%d,\"powers\":%d,"
           "\"sentence\":\"%s\",\"words\":[",
           row->name, row->min, row->max, row->powers, row->sentence);
    for (int i = 0; i < OPTION_WORDS_MAX && row->words[i] != NULL; i++) {
        printf("%s\"%s\"", i > 0 ? "," : "", row->words[i]);
    }
    printf("]}");
}

static void print_table(void) {
    printf("{\"text_line\":%d,\"json_line\":%d,\"messages\":[", TEXT_LINE_MAX, JSON_LINE_MAX);
    for (int kind = 0; kind < MESSAGE_COUNT; kind++) {
        printf("%s", kind > 0 ? ",\n" : "\n");
        print_message(message_row((enum message_kind)kind));
    }
    printf("],\n\"options\":[");
    for (int option = 0; option < OPTION_COUNT; option++) {
        printf("%s", option > 0 ? ",\n" : "\n");
        print_option(option_row((enum option)option));
    }
    printf("]}\n");
}

static void print_spelled(enum spelling spelling, const struct message *message) {
    struct bytes out;
    bytes_init(&out, LINE_CEILING);
    if (!spelling_encode(spelling, message, &out)) {
        abort();
    }
    fwrite(out.data, 1, out.length, stdout);
    bytes_clear(&out);
}

static void print_lines(int count, uint64_t state) {
    static struct message message;
    for (int i = 0; i < count; i++) {
        kit_message(&message, (enum message_kind)(i % MESSAGE_COUNT), kit_below(&state, 9), &state);
        print_spelled(SPELLING_TEXT, &message);
        print_spelled(SPELLING_JSON, &message);
    }
}

static unsigned sender_of(const char *name) {
    return strcmp(name, "bot") == 0       ? SENT_BY_BOT
           : strcmp(name, "referee") == 0 ? SENT_BY_REFEREE
           : strcmp(name, "record") == 0  ? KEPT_IN_RECORD
                                          : EVERY_SENDER;
}

static enum spelling spelling_of(const char *line) {
    return line[strspn(line, " \t")] == '{' ? SPELLING_JSON : SPELLING_TEXT;
}

static void print_decoded(const char *line, size_t length, unsigned senders) {
    static struct message message;
    char why[160] = "";
    switch (spelling_decode(spelling_of(line), line, length, senders, &message, why)) {
    case DECODED_MESSAGE:
        printf("message ");
        print_spelled(SPELLING_TEXT, &message);
        print_spelled(SPELLING_JSON, &message);
        break;
    case DECODED_BLANK:
        printf("blank\n");
        break;
    case DECODED_UNKNOWN:
        printf("unknown %s\n", why);
        break;
    case DECODED_MALFORMED:
        printf("malformed %s\n", why);
        break;
    }
}

static void print_json(const char *line, size_t length, unsigned senders) {
    static struct message message;
    char why[160];
    if (spelling_decode(SPELLING_TEXT, line, length, senders, &message, why) == DECODED_MESSAGE) {
        print_spelled(SPELLING_JSON, &message);
    } else {
        printf("%s\n", line);
    }
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "table") == 0) {
        print_table();
        return 0;
    }
    if (strcmp(mode, "lines") == 0 && argc == 4) {
        print_lines((int)strtol(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
        return 0;
    }
    bool decode = strcmp(mode, "decode") == 0;
    if (argc != 3 || (!decode && strcmp(mode, "json") != 0)) {
        fprintf(stderr, "usage: wire table | lines COUNT SEED | decode SENDER | json SENDER\n");
        return 2;
    }
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        length -= line[length - 1] == '\n';
        line[length] = '\0';
        (decode ? print_decoded : print_json)(line, (size_t)length, sender_of(argv[2]));
        fflush(stdout);
    }
    free(line);
    return 0;
}
