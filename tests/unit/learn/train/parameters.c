#include "cmocka_test.h"

#include "learn/methods.h"
#include "learn/train/parameters.h"
#include "unit/defaults.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 4096 };

/* Printed parameters can be set again, line by line, and print the same. */
TEST(print_and_set_are_inverse) {
    char text[TEXT_MAX], again[TEXT_MAX], line[256];
    tr_learn_parameters from = DEFAULTS(tr_learn_parameters, tr_learn_parameter_table), to = from;
    from.blend = 1.0 / 3;
    from.seed = UINT64_MAX;
    from.visits = 17;
    snprintf(from.gain_set, sizeof from.gain_set, "b");
    assert_int_equal(tr_parameter_print(&tr_learn_parameter_table, &from, text, sizeof text),
                     TR_OK);
    int lines = 0;
    for (const char *at = text; *at; lines++) {
        size_t length = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        char *equals = strstr(line, " = ");
        assert_non_null(equals);
        *equals = '\0';
        tr_error error = {0};
        assert_int_equal(tr_parameter_set(&tr_learn_parameter_table, &to, line, equals + 3, &error),
                         TR_OK);
        at += length + 1;
    }
    assert_true(lines > 30);
    assert_int_equal(tr_parameter_print(&tr_learn_parameter_table, &to, again, sizeof again),
                     TR_OK);
    assert_string_equal(text, again);
    assert_true(to.blend == from.blend);
    assert_true(to.seed == from.seed);
}

TEST(bad_values_are_named_and_change_nothing) {
    static const char *const bad[][2] = {
        {"visits", "1"},        {"visits", "2.5"}, {"visits", "many"}, {"visits", ""},
        {"blend", "-1"},        {"blend", "nan"},  {"seed", "-3"},     {"seed", "1x"},
        {"push_n", "1e9"},      {"gains", ""},     {"step_s", "inf"},  {"ankles", "2"},
        {"elite_share", "0.2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_learn_parameters p = DEFAULTS(tr_learn_parameters, tr_learn_parameter_table);
        char before[TEXT_MAX], after[TEXT_MAX];
        tr_error error = {0};
        assert_int_equal(tr_parameter_print(&tr_learn_parameter_table, &p, before, sizeof before),
                         TR_OK);
        assert_int_equal(
            tr_parameter_set(&tr_learn_parameter_table, &p, bad[i][0], bad[i][1], &error),
            TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, bad[i][0]));
        assert_int_equal(tr_parameter_print(&tr_learn_parameter_table, &p, after, sizeof after),
                         TR_OK);
        assert_string_equal(before, after);
    }
    tr_learn_parameters p = DEFAULTS(tr_learn_parameters, tr_learn_parameter_table);
    assert_int_equal(tr_parameter_set(&tr_learn_parameter_table, &p, "wisits", "3", NULL),
                     TR_NOT_FOUND);
    char twice[] = "seed = 3\n# seed = 4\nseed = 5\n";
    tr_error error = {0};
    assert_int_equal(tr_parameter_read(&tr_learn_parameter_table, &p, "x.task", twice, &error),
                     TR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "x.task:3: 'seed' stands twice: expected it once");
    assert_true(p.seed == 1);
}

/* What an old record does not list is what that training did. */
TEST(a_record_without_short_losses_has_them) {
    char lines[TEXT_MAX];
    tr_learn_parameters old = DEFAULTS(tr_learn_parameters, tr_learn_parameter_table), new = old;
    snprintf(lines, sizeof lines, "%s", tr_chain_method.unrecorded);
    assert_int_equal(tr_parameter_read(&tr_learn_parameter_table, &old, "old", lines, NULL), TR_OK);
    assert_true(old.harden_short_loss == 1 && old.paired == 0);
    assert_true(new.harden_short_loss == 0 && new.paired == 1);
    old.harden_short_loss = 0;
    old.paired = 1;
    assert_memory_equal(&old, &new, sizeof old);
}

TEST(text_that_does_not_fit_is_refused) {
    char small[64];
    tr_learn_parameters p = DEFAULTS(tr_learn_parameters, tr_learn_parameter_table);
    assert_int_equal(tr_parameter_print(&tr_learn_parameter_table, &p, small, sizeof small),
                     TR_OUT_OF_RANGE);
    assert_int_equal(tr_parameter_explain(&tr_learn_parameter_table, &p, small, sizeof small),
                     TR_OUT_OF_RANGE);
}
