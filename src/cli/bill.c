#include "cli/bill.h"

#include "base/alloc.h"
#include "base/lang.h"
#include "cli/act.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bill {
    struct bill_setup setup;
    struct act *acts; /* in the order of their names */
};

struct bill *bill_new(const struct bill_setup *setup) {
    struct bill *bill = alloc_zeroed(1, sizeof *bill);
    bill->setup = *setup;
    return bill;
}

void bill_free(struct bill *bill) {
    if (bill == NULL) {
        return;
    }
    while (bill->acts != NULL) {
        struct act *act = bill->acts;
        bill->acts = act->next;
        act_free(act);
    }
    free(bill);
}

static struct act *find_act(const struct bill *bill, const char *name) {
    struct act *act = bill->acts;
    while (act != NULL && !text_same_name(act->name, name)) {
        act = act->next;
    }
    return act;
}

static struct act *add_act(struct bill *bill, const char *name) {
    struct act *act = act_new(&bill->setup, name);
    struct act **at = &bill->acts;
    while (*at != NULL && strcmp((*at)->name, name) < 0) {
        at = &(*at)->next;
    }
    act->next = *at;
    *at = act;
    return act;
}

static void remove_act(struct bill *bill, struct act *act) {
    struct act **at = &bill->acts;
    while (*at != act) {
        at = &(*at)->next;
    }
    *at = act->next;
    act_free(act);
}

static bool holds_event(const struct bill *bill, const char *name) {
    char *path = alloc_print("%s/%s/event.json", bill->setup.folder, name);
    struct stat status;
    bool found = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    free(path);
    return found;
}

void bill_load(struct bill *bill) {
    DIR *folder = opendir(bill->setup.folder);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (text_is_name(entry->d_name, strlen(entry->d_name)) &&
            holds_event(bill, entry->d_name)) {
            act_load(add_act(bill, entry->d_name));
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

int bill_running(const struct bill *bill) {
    int count = 0;
    for (const struct act *act = bill->acts; act != NULL; act = act->next) {
        count += act->company != NULL;
    }
    return count;
}

/* Whether a folder of that name may be made: an event's own, or none yet. */
static int check_name(const struct bill *bill, const struct event *event, const char *path,
                      const char **code, struct fail *fail) {
    const char *name = event->name;
    *code = "bad";
    if (!text_is_name(name, strlen(name)) || strncmp(name, "hakem.", 6) == 0) {
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("%s: a submitted event needs a \"name\" of at most %d letters, digits, "
                          ". _ -, for it is called by it"),
                        path, NAME_MAX_BYTES);
    }
    char *folder = alloc_print("%s/%s", bill->setup.folder, name);
    bool taken = find_act(bill, name) == NULL && access(folder, F_OK) == 0;
    free(folder);
    if (taken) {
        *code = "taken";
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("%s: \"%s\" is taken: give the event another name"), path, name);
    }
    return 0;
}

/* The same event may be submitted again when it is not on. */
static int check_again(const struct act *act, const struct event *event, const char *path,
                       const char **code, struct fail *fail) {
    if (act->event.id[0] != '\0' && strcmp(act->event.id, event->id) != 0) {
        *code = "taken";
        return fail_set(fail, EXIT_CODE_USAGE,
                        _("%s: \"%s\" is another event (or has other bots, "
                          "rules or dice): give this one another name"),
                        path, act->name);
    }
    if (act->company != NULL || act->state == ACT_FINISHED) {
        *code = act->state == ACT_FINISHED ? "over" : "runs";
        return fail_set(fail, EXIT_CODE_USAGE,
                        act->state == ACT_FINISHED ? _("event \"%s\" is over")
                                                   : _("event \"%s\" is on already"),
                        act->name);
    }
    return 0;
}

int bill_submit(struct bill *bill, const char *path, const char *text, size_t length,
                const char **name, const char **code, struct fail *fail) {
    struct event event;
    *code = "bad";
    if (act_parse(&event, path, text, length, fail) != 0 ||
        check_name(bill, &event, path, code, fail) != 0) {
        event_clear(&event);
        return -1;
    }
    struct act *act = find_act(bill, event.name);
    bool new_one = act == NULL;
    int status = new_one ? 0 : check_again(act, &event, path, code, fail);
    if (status == 0 && bill_running(bill) >= bill->setup.most) {
        *code = "full";
        status = fail_set(fail, EXIT_CODE_USAGE, _("%d events are on, and no more may be"),
                          bill_running(bill));
    }
    if (status != 0) {
        event_clear(&event);
        return -1;
    }
    act = new_one ? add_act(bill, event.name) : act;
    *name = act->name;
    if (act_put_on(act, &event, text, length, fail) == 0) {
        return 0;
    }
    if (new_one) {
        act_forget(act);
        remove_act(bill, act);
    }
    return -1;
}

int bill_wish(struct bill *bill, enum bill_wish wish, const char *name, const char **code,
              struct fail *fail) {
    if (name != NULL) {
        struct act *act = find_act(bill, name);
        if (act == NULL) {
            *code = "unknown";
            return fail_set(fail, EXIT_CODE_USAGE, _("there is no event \"%s\""), name);
        }
        if (!act_may(act, wish)) {
            *code = "state";
            return fail_set(fail, EXIT_CODE_USAGE, _("event \"%s\": not while it is %s"), act->name,
                            act_state_name(act));
        }
        *code = "bad";
        return act_grant(act, wish, fail);
    }
    *code = "bad";
    for (struct act *act = bill->acts; act != NULL; act = act->next) {
        bool meant = wish != BILL_RESUME || act->state == ACT_PAUSED;
        if (meant && act_may(act, wish) && act_grant(act, wish, fail) != 0) {
            return -1;
        }
    }
    return 0;
}

int bill_kick(struct bill *bill, const char *name) {
    int count = 0;
    for (struct act *act = bill->acts; act != NULL; act = act->next) {
        count += act->company != NULL && company_kick(act->company, name);
    }
    return count;
}

void bill_set_most(struct bill *bill, int most) {
    bill->setup.most = most;
}

int64_t bill_turn(struct bill *bill, bool closing, int64_t now) {
    int64_t next = INT64_MAX;
    for (struct act *act = bill->acts; act != NULL; act = act->next) {
        if (act->company != NULL) {
            act_turn(act, closing, now, &next);
        }
    }
    return next;
}

bool bill_is_quiet(const struct bill *bill) {
    bool quiet = true;
    for (const struct act *act = bill->acts; act != NULL; act = act->next) {
        quiet = quiet && (act->company == NULL || company_is_quiet(act->company));
    }
    return quiet;
}

void bill_write(const struct bill *bill, struct bytes *out) {
    bytes_add_text(out, "[");
    for (const struct act *act = bill->acts; act != NULL; act = act->next) {
        bytes_add_text(out, act == bill->acts ? "" : ",");
        act_write(act, out);
    }
    bytes_add_text(out, "]");
}

static struct company *company_of(const struct bill *bill, uint32_t session) {
    for (const struct act *act = bill->acts; act != NULL; act = act->next) {
        if (act->company != NULL && company_knows(act->company, session)) {
            return act->company;
        }
    }
    return NULL;
}

bool bill_knows(const struct bill *bill, uint32_t session) {
    return company_of(bill, session) != NULL;
}

bool bill_hello(struct bill *bill, uint32_t session, const struct session_facts *facts,
                struct hello_refusal *refusal) {
    return company_hello(company_of(bill, session), session, facts, refusal);
}

void bill_welcomed(struct bill *bill, uint32_t session) {
    company_welcomed(company_of(bill, session), session);
}

void bill_gone(struct bill *bill, uint32_t session, const char *why) {
    company_gone(company_of(bill, session), session, why);
}

void bill_exited(struct bill *bill, struct child *child) {
    for (struct act *act = bill->acts; act != NULL; act = act->next) {
        if (act->company != NULL) {
            company_exited(act->company, child);
        }
    }
}

void bill_stir(struct bill *bill) {
    for (struct act *act = bill->acts; act != NULL; act = act->next) {
        if (act->company != NULL) {
            company_stir(act->company);
        }
    }
}
