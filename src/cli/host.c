#include "cli/host.h"

#include "base/lang.h"
#include "cli/stage.h"
#include "dice/scheme.h"
#include "net/conn.h"

enum { HOST_FAREWELL = 3000 /* ms for everybody to go */ };

static bool on_hello(void *owner, uint32_t session, const struct session_facts *facts,
                     struct hello_refusal *refusal) {
    const struct host *host = owner;
    return host->hooks.hello(host->hooks.owner, session, facts, refusal);
}

static void on_welcomed(void *owner, uint32_t session) {
    const struct host *host = owner;
    stage_stir(host->stages);
    host->hooks.welcomed(host->hooks.owner, session);
}

static void on_gone(void *owner, uint32_t session, const char *why) {
    const struct host *host = owner;
    stage_stir(host->stages);
    host->hooks.gone(host->hooks.owner, session, why);
}

static void on_mixed(void *owner, const struct mix_facts *facts) {
    const struct host *host = owner;
    stage_mixed(host->stages, facts);
}

static void on_game(void *owner, const struct game_facts *facts) {
    const struct host *host = owner;
    stage_game(host->stages, facts);
}

static void on_match(void *owner, const struct match_facts *facts) {
    const struct host *host = owner;
    stage_match(host->stages, facts);
}

static void on_vacant(void *owner, uint32_t table, enum side side) {
    const struct host *host = owner;
    stage_vacant(host->stages, table, side);
}

static void on_swapped(void *owner, uint32_t session, uint32_t other) {
    const struct host *host = owner;
    conn_swap(host->loop, session, other);
}

static void on_past(void *owner, uint32_t show, const char *at) {
    const struct host *host = owner;
    stage_past(host->stages, show, at);
}

static int64_t on_turn(void *owner, int64_t now) {
    const struct host *host = owner;
    return host->closing ? INT64_MAX : host->hooks.turn(host->hooks.owner, now);
}

static void on_stop(void *owner, int count) {
    const struct host *host = owner;
    host->hooks.stop(host->hooks.owner, count);
}

static void on_hangup(void *owner) {
    const struct host *host = owner;
    host->hooks.hangup(host->hooks.owner);
}

static void on_exited(void *owner, struct child *child) {
    const struct host *host = owner;
    host->hooks.exited(host->hooks.owner, child);
}

int host_open(struct host *host, const struct host_hooks *hooks,
              const struct referee_limits *limits, struct fail *fail) {
    *host = (struct host){.hooks = *hooks};
    if (dice_init() != 0) {
        return fail_set(fail, EXIT_CODE_BUG, _("this machine gives no random numbers"));
    }
    const struct loop_hooks loop = {
        .owner = host, .turn = on_turn, .stop = on_stop, .exited = on_exited,
        .hangup = hooks->hangup != NULL ? on_hangup : NULL};
    if (loop_new(&loop, &host->loop, fail) != 0) {
        return -1;
    }
    const struct referee_hooks referee = {.owner = host,
                                          .hello = on_hello,
                                          .welcomed = on_welcomed,
                                          .mixed = on_mixed,
                                          .game = on_game,
                                          .match = on_match,
                                          .vacant = on_vacant,
                                          .swapped = on_swapped,
                                          .past = on_past,
                                          .gone = on_gone};
    struct hash key = dice_fresh_master();
    host->referee = referee_new(limits, &referee);
    referee_set_key(host->referee, &key);
    loop_set_referee(host->loop, host->referee);
    return 0;
}

void host_close(struct host *host, const char *reason) {
    if (host->loop == NULL) {
        return;
    }
    host->closing = true;
    loop_end(host->loop, reason, HOST_FAREWELL);
    loop_free(host->loop);
    referee_free(host->referee);
    host->loop = NULL;
}
