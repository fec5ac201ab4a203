/* cmocka compares floats in single precision; this compares doubles. */
#pragma once

#include <math.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))
