/* cmocka, with what has to be included before it. */
#ifndef TROUPE_TESTS_CMOCKA_TEST_H
#define TROUPE_TESTS_CMOCKA_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* here alone */

#endif
