/* Results, ends and units are no part of a state, and whether the bytes that the kernel took were
 * ever read nobody knows. So they are kept, in the text spelling, until an answer to a later
 * request shows that they were, and told again when the session is resumed. */
#include "referee/inside.h"

#include <string.h>

/* What stands before each line that is kept. */
struct kept_head {
    uint64_t end; /* output of the session up to the line, in bytes */
    size_t length;
};

static struct kept_head first_kept(const struct bytes *kept) {
    struct kept_head head;
    memcpy(&head, kept->data, sizeof head);
    return head;
}

static void drop_first(struct bytes *kept) {
    bytes_drop(kept, sizeof(struct kept_head) + first_kept(kept).length);
}

void kept_add(struct session *session, const struct message *message) {
    bool matters = message->kind == MESSAGE_RESULT || message->kind == MESSAGE_END ||
                   message->kind == MESSAGE_UNIT;
    if (session->number == 0 || !matters) {
        return;
    }
    struct bytes line;
    bytes_init(&line, KEPT_MAX / 2);
    spelling_encode_bare(SPELLING_TEXT, message, &line);
    struct kept_head head = {.end = session->queued, .length = line.length};
    while (session->kept.length + sizeof head + line.length > KEPT_MAX) {
        drop_first(&session->kept);
    }
    bytes_add(&session->kept, &head, sizeof head);
    bytes_add(&session->kept, line.data, line.length);
    bytes_clear(&line);
}

void kept_confirm(struct session *session, uint64_t end) {
    while (session->kept.length > 0 && first_kept(&session->kept).end <= end) {
        drop_first(&session->kept);
    }
}

/* Telling it keeps it again. */
void kept_tell(struct referee *referee, struct session *session) {
    struct bytes kept = session->kept;
    bytes_init(&session->kept, KEPT_MAX);
    while (kept.length > 0) {
        struct message message;
        char why[160];
        const char *line = kept.data + sizeof(struct kept_head);
        if (spelling_decode(SPELLING_TEXT, line, first_kept(&kept).length, SENT_BY_REFEREE,
                            &message, why) == DECODED_MESSAGE) {
            referee_tell(referee, session, &message);
        }
        drop_first(&kept);
    }
    bytes_clear(&kept);
}
