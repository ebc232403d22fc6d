#include "arena/quantile.h"

#include <math.h>

/* Two degrees have a closed form, from three on the expansion in 1/freedom about
 * the normal quantile (Abramowitz and Stegun 26.7.5) is good to 1 in 500. */
double quantile_95(int64_t freedom) {
    const double z = 1.959963984540054;
    if (freedom <= 2) {
        const double p = 0.975;
        return (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)));
    }
    double n = (double)freedom;
    double z2 = z * z;
    double g1 = z * (z2 + 1) / 4;
    double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
    double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z + g1 / n + g2 / (n * n) + g3 / (n * n * n) + g4 / (n * n * n * n);
}
