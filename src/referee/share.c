#include "referee/share.h"

void share_init(struct share *share, uint32_t session) {
    *share = (struct share){.timer = {.owner = TIMER_OF_SHARE, .id = session}};
}

void share_clear(struct share *share) {
    heap_clear(&share->order);
}

void share_move(struct share *share, struct share *from) {
    uint32_t session = share->timer.id, other = from->timer.id;
    share_clear(share);
    *share = *from;
    share->timer = (struct timer){.owner = TIMER_OF_SHARE, .id = other};
    share_init(from, session);
}

void share_pass(struct share *share, int64_t now) {
    if (share->open > 0 && now > share->at) {
        int64_t passed = (now - share->at) * SHARE_MS + share->rest;
        share->spent += passed / share->open;
        share->rest = passed % share->open;
    }
    share->at = now;
}

void share_join(struct share *share, struct timer *flag, int64_t at) {
    share->rest = share->open == 0 ? 0 : share->rest * (share->open + 1) / share->open;
    share->open++;
    if (at != INT64_MAX) {
        heap_set(&share->order, flag, at);
    }
}

void share_leave(struct share *share, struct timer *flag) {
    share->rest = share->rest * (share->open - 1) / share->open;
    share->open--;
    heap_rest(flag);
}

int64_t share_due(const struct share *share) {
    int64_t next = heap_next(&share->order);
    if (next == INT64_MAX || share->open == 0) {
        return INT64_MAX;
    }
    int64_t left = (next - share->spent) * share->open - share->rest;
    return left <= 0 ? share->at : share->at + (left + SHARE_MS - 1) / SHARE_MS;
}

struct timer *share_flag(struct share *share) {
    return heap_ring(&share->order, share->spent);
}
