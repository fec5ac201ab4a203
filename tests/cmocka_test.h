/* cmocka, with what has to be included before it, and the way to write a test:
 *     TEST(what_holds) { assert_int_equal(1 + 1, 2); }
 * A file of tests is a suite. A program holds the suites of a room; ctest runs it once for each suite (tests/suite.c). */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* here alone */

#include "own.h"

/* A test, and one with functions before and after it; `*given` is what the one before it stored. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, before, after)                                                             \
    static void name(void **given);                                                                \
    __attribute__((constructor)) static void add_##name(void) {                                    \
        suite_add(__FILE__, (struct CMUnitTest){#name, name, before, after, NULL});                \
    }                                                                                              \
    static void name(__attribute__((unused)) void **given)

/* Functions before and after each test of the file that has none of its own, and before and after all of them. */
#define TEST_FIXTURE(before, after)                                                                \
    __attribute__((constructor)) static void add_test_fixture(void) {                              \
        suite_each(__FILE__, before, after);                                                       \
    }                                                                                              \
    struct CMUnitTest
#define SUITE_FIXTURE(before, after)                                                               \
    __attribute__((constructor)) static void add_suite_fixture(void) {                             \
        suite_all(__FILE__, before, after);                                                        \
    }                                                                                              \
    struct CMUnitTest

/* FIXTURE(open_file) { *given = fopen(path, "r"); } defines such a function, which fails by asserting. */
#define FIXTURE(name)                                                                              \
    static void in_##name(void **given);                                                           \
    static int name(void **given) {                                                                \
        in_##name(given);                                                                          \
        return 0;                                                                                  \
    }                                                                                              \
    static void in_##name(__attribute__((unused)) void **given)

/* BEFORE_ALL() { tr_physics_init(); } runs before the tests of its file and their fixtures. */
#define BEFORE_ALL()                                                                               \
    static void before_all(void);                                                                  \
    __attribute__((constructor)) static void add_before_all(void) {                                \
        suite_first(__FILE__, before_all);                                                         \
    }                                                                                              \
    static void before_all(void)

void suite_add(const char *file, struct CMUnitTest test);
void suite_each(const char *file, CMFixtureFunction before, CMFixtureFunction after);
void suite_all(const char *file, CMFixtureFunction before, CMFixtureFunction after);
void suite_first(const char *file, void (*function)(void));

/* The second argument of the program as a number, such as a count of faults to try; without one, `otherwise`. */
long suite_argument(long otherwise);
