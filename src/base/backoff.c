#include "base/backoff.h"

int64_t backoff_delay(int failures, int64_t first, int64_t most) {
    int64_t delay = failures > 0 ? first : 0;
    for (int i = 1; i < failures && delay < most; i++) {
        delay *= 2;
    }
    return delay < most ? delay : most;
}
