/* cmocka compares floats in single precision; this compares doubles. */
#ifndef TROUPE_TESTS_LEARN_NEAR_H
#define TROUPE_TESTS_LEARN_NEAR_H

#include <math.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

#endif
