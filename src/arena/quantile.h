/* The factor between a standard error and the half width of a 95 % interval. */
#ifndef HAKEM_ARENA_QUANTILE_H
#define HAKEM_ARENA_QUANTILE_H

#include <stdint.h>

/* With fewer clusters than this an error estimate says nothing and is not shown. */
enum { QUANTILE_CLUSTERS_MIN = 4 };

/* Student's t at 97.5 % with that many degrees of freedom (at least 2). */
double quantile_95(int64_t freedom);

#endif
