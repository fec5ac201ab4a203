/* main of a program of tests. Its first argument is the path of a suite, as ctest names it: test_unit_db
 * unit/db/store/text. Without arguments it lists its suites, one a line. TROUPE_TEST in the environment chooses tests
 * by a pattern with '*' and '?', for tools under which a whole suite takes too long (valgrind). What matches nothing
 * runs nothing, and passes. */
#include "cmocka_test.h"

#include "stride.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUITE_MAX = 96, TEST_MAX = 48 };

struct suite {
    const char *file;
    void (*first)(void);
    CMFixtureFunction before_all, after_all, before_each, after_each;
    struct CMUnitTest tests[TEST_MAX];
    size_t count;
};

static struct suite suites[SUITE_MAX];
static size_t suite_count;
static const char *argument;

/* A file adds all that it has before the next file does, so its suite is the last one. */
static struct suite *suite_of(const char *file) {
    if (!suite_count || strcmp(suites[suite_count - 1].file, file) != 0) {
        assert(suite_count < SUITE_MAX);
        suites[suite_count++].file = file;
    }
    return &suites[suite_count - 1];
}

void suite_add(const char *file, struct CMUnitTest test) {
    struct suite *suite = suite_of(file);
    assert(suite->count < TEST_MAX);
    suite->tests[suite->count++] = test;
}

void suite_each(const char *file, CMFixtureFunction before, CMFixtureFunction after) {
    suite_of(file)->before_each = before;
    suite_of(file)->after_each = after;
}

void suite_all(const char *file, CMFixtureFunction before, CMFixtureFunction after) {
    suite_of(file)->before_all = before;
    suite_of(file)->after_all = after;
}

void suite_first(const char *file, void (*function)(void)) {
    suite_of(file)->first = function;
}

long suite_argument(long otherwise) {
    return argument ? atol(argument) : otherwise;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SUITE_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SUITE_SANITIZED
#endif

int suite_stride(int sanitized) {
    const char *told = getenv("TROUPE_TEST_STRIDE");
#ifdef SUITE_SANITIZED
    const int usual = sanitized;
#else
    const int usual = 1;
#endif
    const int stride = told ? atoi(told) : usual;
    return stride < 1 ? usual : stride < sanitized ? stride : sanitized;
}

/* The path from tests/ on, without ".c". */
static int path_of(const struct suite *suite, const char **out_path) {
    const char *path = suite->file;
    for (const char *next; (next = strstr(path, "tests/"));)
        path = next + strlen("tests/");
    *out_path = path;
    return (int)(strlen(path) - strlen(".c"));
}

static int run(struct suite *suite) {
    const char *path;
    path_of(suite, &path);
    for (size_t i = 0; i < suite->count; i++)
        if (!suite->tests[i].setup_func && !suite->tests[i].teardown_func) {
            suite->tests[i].setup_func = suite->before_each;
            suite->tests[i].teardown_func = suite->after_each;
        }
    if (suite->first)
        suite->first();
    return _cmocka_run_group_tests(path, suite->tests, suite->count, suite->before_all,
                                   suite->after_all);
}

int main(int count, char **words) {
    argument = count > 2 ? words[2] : NULL;
    if (getenv("TROUPE_TEST"))
        cmocka_set_test_filter(getenv("TROUPE_TEST"));
    for (size_t i = 0; i < suite_count; i++) {
        const char *path;
        int length = path_of(&suites[i], &path);
        if (count == 1)
            printf("%.*s\n", length, path);
        else if (strlen(words[1]) == (size_t)length && !strncmp(path, words[1], (size_t)length))
            return run(&suites[i]);
    }
    if (count > 1)
        fprintf(stderr, "%s: no suite \"%s\"; without arguments all are listed\n", words[0],
                words[1]);
    return count > 1;
}
