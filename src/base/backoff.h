/* Back-off: how long to wait after failures in a row; twice as long each time. */
#ifndef HAKEM_BASE_BACKOFF_H
#define HAKEM_BASE_BACKOFF_H

#include <stdint.h>

/* ms after that many failures: 0 after none, `first` after one, never above `most`. */
int64_t backoff_delay(int failures, int64_t first, int64_t most);

#endif
