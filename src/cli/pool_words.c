#include "cli/pool_inside.h"

#include "base/lang.h"
#include "base/log.h"

#include <stdio.h>
#include <string.h>

const struct entrant *pool_entrant(const struct pool *pool, int entrant) {
    return &pool->event->entrants[entrant];
}

/* What becomes of a bot after that many crashes. */
static void describe_rest(const struct pool *pool, int crash, char *out, size_t room) {
    if (crash <= pool->event->restarts) {
        snprintf(out, room, _("restart %d of %d"), crash, pool->event->restarts);
    } else {
        snprintf(out, room, "%s", _("no restart is left: it loses its matches"));
    }
}

void pool_tell_end(const struct pool *pool, const struct process *process) {
    const char *name = pool_entrant(pool, process->entrant)->name;
    char how[CHILD_WORDS_MAX];
    char words[CHILD_WORDS_MAX];
    char rest[96];
    char sentence[1024];
    if (process->why[0] != '\0') {
        snprintf(how, sizeof how, "%s", process->why);
    } else {
        child_describe_end(process->child, how);
    }
    child_last_words(process->child, words);
    describe_rest(pool, process->crash, rest, sizeof rest);
    log_line(LOG_LEVEL_INFO, "bot %s ended session=%u crashes=%d allowed=%d words=%s", name,
             child_session(process->child), process->crash, pool->event->restarts, words);
    if (words[0] != '\0') {
        snprintf(sentence, sizeof sentence,
                 _("bot \"%s\" ended: %.200s (its last error line: %.200s); %s"), name, how, words,
                 rest);
    } else {
        snprintf(sentence, sizeof sentence, _("bot \"%s\" ended: %.200s; %s"), name, how, rest);
    }
    pool->hooks.ended(pool->hooks.owner, sentence);
}

void pool_describe_trial(const struct pool *pool, const struct process *process,
                         struct fail *fail) {
    const struct entrant *entrant = pool_entrant(pool, process->entrant);
    char end[CHILD_WORDS_MAX];
    char words[CHILD_WORDS_MAX];
    child_describe_end(process->child, end);
    child_last_words(process->child, words);
    if (process->why[0] != '\0') {
        fail_set(fail, EXIT_CODE_BOT, _("bot \"%s\" did not start: %s"), entrant->name,
                 process->why);
    } else {
        fail_set(fail, EXIT_CODE_BOT, _("bot \"%s\" did not start: it %s before it said hello"),
                 entrant->name, end);
    }
    size_t used = strlen(fail->text);
    char *rest = fail->text + used;
    size_t room = sizeof fail->text - used;
    if (words[0] != '\0') {
        snprintf(rest, room, _(" (its last error line: %.200s); run it by hand: %.150s"), words,
                 entrant->command);
    } else {
        snprintf(rest, room, _("; run it by hand: %.150s"), entrant->command);
    }
}
