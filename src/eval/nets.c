#include "base/fail.h"
#include "eval/net.h"

/* The nets that come with the program, as contrib/train/ wrote them. */
static const char tavla[] =
#include "eval/tavla.inc"
    ;
static const char uzun[] =
#include "eval/uzun.inc"
    ;
static const char western[] =
#include "eval/western.inc"
    ;

static const struct {
    enum variant_id variant;
    const char *text;
    size_t length;
} nets[] = {
    {VARIANT_TAVLA, tavla, sizeof tavla - 1},
    {VARIANT_UZUN, uzun, sizeof uzun - 1},
    {VARIANT_WESTERN, western, sizeof western - 1},
};

struct net *net_new_built_in(const struct variant *variant) {
    char why[NET_WHY_MAX];
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
        if (nets[i].variant == variant->id) {
            struct net *net = net_new(variant, nets[i].text, nets[i].length, why);
            if (net == NULL) {
                fail_fatal("the net of %s that is compiled in: %s", variant->name, why);
            }
            return net;
        }
    }
    return NULL;
}
