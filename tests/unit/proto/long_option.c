#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "proto/long_option.h"

enum { WORD_MAX = 8 };

static const struct option options[] = {{"port", required_argument, NULL, 'p'},
                                        {"port-file", required_argument, NULL, 'f'},
                                        {"catalogue", required_argument, NULL, 'c'},
                                        {"list", no_argument, NULL, 'l'},
                                        {NULL, 0, NULL, 0}};

/* What is taken of the words after the first, until the end, '?' or ':'; *out_word: the last one
 * looked at. words: up to a NULL. */
static void take(const char *const *words, char *out_taken, const char **out_word) {
    char *argv[WORD_MAX + 1] = {(char *)"test"};
    int argc = 1, taken = 0;
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)words[argc - 1];
    optind = 0;
    opterr = 0;
    do
        *out_taken++ = (char)(taken = tr_long_option_next(argc, argv, ":o:", options, NULL));
    while (taken != -1 && taken != '?' && taken != ':');
    out_taken[-1] = taken == -1 ? '.' : (char)taken;
    *out_taken = '\0';
    *out_word = argv[optind - 1];
}

static void names_are_taken_whole_alone(void **state) {
    (void)state;
    static const struct {
        const char *words[WORD_MAX];
        const char *taken;
        const char *refused; /* the word, where it ends with one */
    } cases[] = {
        {{NULL}, ".", NULL},
        {{"--port", "1", "--list", "--port-file=x", "-o", "y", "-oz"}, "plfoo.", NULL},
        {{"--catalogue", "--cat", "stray", "--list"}, "cl.", NULL},
        {{"--list", "--", "--cat"}, "l.", NULL},
        {{"--catalogue="}, "c.", NULL},
        {{"--list", "--cat", "x"}, "l?", "--cat"},
        {{"stray", "--cat=x"}, "?", "--cat=x"},
        {{"--catalogue", "x", "--lis"}, "c?", "--lis"},
        {{"--port-f", "--list"}, "?", "--port-f"},
        {{"--catalogues"}, "?", "--catalogues"},
        {{"--po"}, "?", "--po"}, /* of two */
        {{"--cat"}, "?", "--cat"},
        {{"--catalogue"}, ":", "--catalogue"},
        {{"-o"}, ":", "-o"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char taken[WORD_MAX + 1];
        const char *word = NULL;
        take(cases[i].words, taken, &word);
        assert_string_equal(taken, cases[i].taken);
        if (cases[i].refused)
            assert_string_equal(word, cases[i].refused);
    }
}

static void the_index_is_told(void **state) {
    (void)state;
    char *argv[] = {(char *)"test", (char *)"--list", (char *)"--lis", NULL};
    int index = 9;
    optind = 0;
    opterr = 0;
    assert_int_equal(tr_long_option_next(3, argv, "", options, &index), 'l');
    assert_int_equal(index, 3);
    index = 9;
    assert_int_equal(tr_long_option_next(3, argv, "", options, &index), '?');
    assert_int_equal(index, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_whole_alone),
        cmocka_unit_test(the_index_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
