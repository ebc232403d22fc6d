#include "cli/evaluator.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/lang.h"
#include "cli/records.h"

static struct net *read_net(const struct variant *variant, const char *path, struct fail *fail) {
    struct bytes text;
    struct net *net = NULL;
    char why[NET_WHY_MAX];
    bytes_init(&text, NET_TEXT_MAX);
    if (records_read_file(path, &text, fail) == 0) {
        net = net_new(variant, bytes_text(&text), text.length, why);
        if (net == NULL) {
            fail_set(fail, EXIT_CODE_USAGE, _("%s is no net for %s: %s"), path, variant->name, why);
        }
    }
    bytes_clear(&text);
    return net;
}

struct net *evaluator_new(const struct rules *rules, const char *path, struct fail *fail) {
    const char *option;
    struct net *net =
        path != NULL ? read_net(rules->variant, path, fail) : net_new_built_in(rules->variant);
    if (net == NULL) {
        if (path == NULL) {
            fail_set(fail, EXIT_CODE_USAGE, _("there is no evaluator for %s"),
                     rules->variant->name);
        }
        return NULL;
    }
    if (!net_knows(net, rules, &option)) {
        fail_set(fail, EXIT_CODE_USAGE,
                 _("the evaluator does not know games with this value of %s"), option);
        net_free(net);
        return NULL;
    }
    return net;
}

bool evaluator_is_there(const struct rules *rules, struct fail *fail) {
    struct net *net = evaluator_new(rules, NULL, fail);
    net_free(net);
    return net != NULL;
}
