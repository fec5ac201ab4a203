#include "cmocka_test.h"

#include "proto/option.h"

#include <string.h>

enum { WORD_MAX = 10 };

/* What is taken is noted by its first letter. */
typedef struct note {
    char taken[WORD_MAX + 1];
    int count;
} note;

static tr_status take_note(void *context, const tr_option_value *value, tr_error *error) {
    note *n = context;
    (void)error;
    n->taken[n->count++] = value->option[0] == 'p' && value->option[4] ? 'f' : value->option[0];
    return TR_OK;
}

/* words: up to a NULL. The rest, joined by spaces, in out_rest. */
static tr_status take(const char *const *given, note *out, char *out_rest, tr_error *error) {
    tr_option_call call = {take_note, out, NULL};
    bool list = false;
    const tr_option options[] = {{"port", TR_OPTION_CALL, &call, 0, 0},
                                 {"port-file", TR_OPTION_CALL, &call, 0, 0},
                                 {"catalogue", TR_OPTION_CALL, &call, 0, 0},
                                 {"out", TR_OPTION_CALL, &call, 0, 0},
                                 {"list", TR_OPTION_FLAG, &list, 0, 0}};
    const tr_option_table table = {options, sizeof options / sizeof *options, false};
    char *words[WORD_MAX];
    int count = 0, first = 0;
    for (; given[count]; count++)
        words[count] = (char *)given[count];
    tr_status status = tr_option_take(&table, count, words, &first, error);
    *out_rest = '\0';
    for (int i = first; i < count; i++) {
        strcat(out_rest, i > first ? " " : "");
        strcat(out_rest, words[i]);
    }
    return status;
}

TEST(names_are_taken_whole_alone) {
    static const struct {
        const char *words[WORD_MAX];
        const char *taken, *rest;
        const char *refused; /* what the message says, where it is refused */
    } cases[] = {
        {{NULL}, "", "", NULL},
        {{"--port", "1", "--list", "--port-file=x", "-o", "y", "-oz"}, "pfoo", "", NULL},
        {{"--catalogue", "--cat", "stray", "--list", "other"}, "c", "stray other", NULL},
        {{"--list", "--", "--cat"}, "", "--cat", NULL},
        {{"--catalogue="}, "c", "", NULL},
        {{"-5", "-.5", "-"}, "", "-5 -.5 -", NULL},
        {{"--list", "--cat", "x"}, "", "--cat x", "--cat: no such option"},
        {{"stray", "--cat=x"}, "", "--cat=x", "--cat=x: no such option"},
        {{"--catalogue", "x", "--lis"},
         "c",
         "--lis",
         "--lis: no such option; did you mean '--list'?"},
        {{"--port-f", "--list"}, "", "--port-f --list", "--port-f: no such option"},
        {{"--catalogues"}, "", "--catalogues", "did you mean '--catalogue'?"},
        {{"--po"}, "", "--po", "--po: no such option"},
        {{"-x"}, "", "-x", "-x: no such option"},
        {{"--catalogue"}, "", "--catalogue", "--catalogue: needs a value"},
        {{"-o"}, "", "-o", "-o: needs a value"},
        {{"--list=1"}, "", "--list=1", "--list=1: takes no value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rest[128];
        note n = {.count = 0};
        tr_error error = {0};
        tr_status status = take(cases[i].words, &n, rest, &error);
        assert_int_equal(status != TR_OK, cases[i].refused != NULL);
        assert_string_equal(n.taken, cases[i].taken);
        assert_string_equal(rest, cases[i].rest);
        if (cases[i].refused)
            assert_non_null(strstr(error.message, cases[i].refused));
    }
}

TEST(a_table_may_stop_at_the_first_other_word) {
    bool flag = false;
    const tr_option option = {"list", TR_OPTION_FLAG, &flag, 0, 0};
    char *words[] = {(char *)"spawn", (char *)"--list"};
    int first = 9;
    assert_int_equal(tr_option_take(&(tr_option_table){&option, 1, true}, 2, words, &first, NULL),
                     TR_OK);
    assert_int_equal(first, 0);
    assert_false(flag);
}

TEST(values_are_checked_against_their_bounds) {
    char chars[5] = "";
    int count = -1;
    double number = -1, vector[3] = {0};
    uint64_t seed = 0;
    int64_t integer = -1;
    const char *text = NULL;
    const tr_option options[] = {
        {"text", TR_OPTION_TEXT, &text, 0, 0},     {"short", TR_OPTION_TEXT, &text, 1, 4},
        {"real", TR_OPTION_REAL, &number, 0, 0},   {"chars", TR_OPTION_CHARS, chars, 0, 4},
        {"count", TR_OPTION_COUNT, &count, 1, 9},  {"number", TR_OPTION_NUMBER, &number, 0, 1},
        {"seed", TR_OPTION_SEED, &seed, 0, 0},     {"integer", TR_OPTION_INTEGER, &integer, 0, 0},
        {"wide", TR_OPTION_WIDE, &seed, 0, 0},     {"tick", TR_OPTION_INTEGER, &integer, 1, 0},
        {"vector", TR_OPTION_VECTOR, vector, 0, 0}};
    static const struct {
        const char *name, *text, *expected; /* NULL: it is taken */
    } cases[] = {
        {"chars", "four", NULL},
        {"chars", "", "1 to 4 bytes"},
        {"chars", "fives", "1 to 4"},
        {"count", "9", NULL},
        {"count", "10", "--count 10: expected a whole number from 1 to 9"},
        {"count", "1.5", "whole"},
        {"count", "1x", "whole"},
        {"number", "0.5", NULL},
        {"number", "nan", "a number from 0 to 1"},
        {"number", "0x1", "--number 0x1: expected a number from 0 to 1"},
        {"count", " 9", "whole"},
        {"integer", "+7", "0 or more"},
        {"vector", "1,0x2,3", "three numbers"},
        {"number", "", "a number"},
        {"seed", "1e15", NULL},
        {"seed", "-1", "from 0"},
        {"integer", "7x", "0 or more"},
        {"integer", "", "0 or more"},
        {"integer", "9223372036854775808", "0 or more"},
        {"integer", "7", NULL},
        {"text", "", NULL},
        {"short", "", "1 to 4 bytes"},
        {"short", "fives", "1 to 4 bytes"},
        {"short", "four", NULL},
        {"real", "x", "--real x: expected a number"},
        {"real", "0.5", NULL},
        {"wide", "7x", "from 0"},
        {"integer", "-7", "0 or more"},
        {"tick", "0", "--tick 0: expected a whole number, 1 or more"},
        {"wide", "18446744073709551615", NULL},
        {"wide", "18446744073709551616", "to 18446744073709551615"},
        {"wide", "-1", "from 0"},
        {"wide", "", "from 0"},
        {"vector", "1,-2,3", NULL},
        {"vector", "1,2", "three numbers"},
        {"vector", "1,x,2", "three numbers"},
        {"vector", "1,2,inf", "three numbers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_error error = {0};
        const tr_option *option = tr_option_find(options, 11, cases[i].name);
        tr_status status = tr_option_store(option, cases[i].text, &error);
        assert_int_equal(status, cases[i].expected ? TR_INVALID_ARGUMENT : TR_OK);
        if (cases[i].expected)
            assert_non_null(strstr(error.message, cases[i].expected));
    }
    assert_string_equal(chars, "four");
    assert_int_equal(count, 9);
    assert_true(number == 0.5 && vector[1] == -2);
    assert_true(seed == UINT64_MAX && integer == 7);
}

TEST(ids_are_marked) {
    static const char *const others[] = {"257",         "#",   "#0",  "#-1",
                                         "#4294967296", "#2x", " #2", "# 2"};
    uint32_t id = 7;
    assert_true(tr_option_id("#257", &id) && id == 257);
    assert_true(tr_option_id("#4294967295", &id) && id == UINT32_MAX);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(tr_option_id(others[i], &id));
}
