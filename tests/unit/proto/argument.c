/* The arguments of a command: what its rows take, refuse, and print. */
#include "cmocka_test.h"
#include <stdlib.h>
#include <string.h>

#include "proto/argument.h"

typedef struct values {
    const char *name, *from;
    tr_words others;
    int trials, threads, called;
    double duration;
    bool all;
} values;

static tr_status take(void *target, const tr_option_value *value, tr_error *error) {
    (void)error;
    *(int *)target += (int)strlen(value->text);
    return TR_OK;
}

static void preset(void *target) {
    *(int *)target = 7;
}

#define AT(field) offsetof(values, field)
static const tr_argument rows[] = {
    {"NAME", TR_OPTION_TEXT, AT(name), "of 1 to 4 bytes", 1, 4, false, NULL, NULL, NULL},
    {"[OTHER ...]", TR_OPTION_TEXT, AT(others), "at most two", 1, 2, false, NULL, NULL, NULL},
    {"--from F", TR_OPTION_TEXT, AT(from), "must be given", 0, 0, true, NULL, NULL, NULL},
    {"--trials N", TR_OPTION_COUNT, AT(trials), "of each (20)", 1, 100, false, NULL, NULL, NULL},
    {"--threads N", TR_OPTION_COUNT, AT(threads), "all cores", 1, 64, false, NULL, preset, NULL},
    {"--call X", TR_OPTION_CALL, AT(called), "adds its length", 0, 0, false, take, NULL, NULL},
    {"--duration S", TR_OPTION_NUMBER, AT(duration), "seconds", 0, 9, false, NULL, NULL, NULL},
    {"--all", TR_OPTION_FLAG, AT(all), NULL, 0, 0, false, NULL, NULL, NULL},
    {0}};

static tr_status read_line(const char *line, values *out, tr_error *error) {
    static char text[256];
    char *words[16], *rest = text, *word;
    int count = 0;
    snprintf(text, sizeof text, "%s", line);
    while ((word = strtok_r(rest, " ", &rest)))
        words[count++] = word;
    *out = (values){.trials = 20};
    static char *kept[16];
    memcpy(kept, words, sizeof kept);
    return tr_argument_take(rows, count, kept, out, error);
}

TEST(values_land_where_their_rows_say) {
    values v;
    tr_error error = {0};
    assert_int_equal(read_line("one --from a two --call abc --all three --call d", &v, &error),
                     TR_OK);
    assert_string_equal(v.name, "one");
    assert_string_equal(v.from, "a");
    assert_int_equal(v.others.count, 2);
    assert_string_equal(v.others.word[1], "three");
    assert_int_equal(v.called, 4);
    assert_int_equal(v.trials, 20);
    assert_int_equal(v.threads, 7);
    assert_true(v.all);
}

TEST(what_is_wrong_is_named) {
    static const char *const cases[][2] = {
        {"--from a", "missing argument: NAME"},
        {"one", "missing argument: --from F"},
        {"one --from a --trials 0", "--trials 0: expected a whole number from 1 to 100"},
        {"larger --from a", "NAME: expected 1 to 4 bytes, got 'larger'"},
        {"one two three four --from a", "[OTHER ...]: expected 1 to 2 of them, got 3"},
        {"one --form a", "--form: no such option; did you mean '--from'?"},
        {"one --from a --for 2", "--for: no such option; did you mean '--duration'?"},
        {"one --from a --speed 2", "--speed: no such option"},
        {"one --from a --wrong 2", "--wrong: no such option"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        values v;
        tr_error error = {0};
        assert_true(read_line(cases[i][0], &v, &error) != TR_OK);
        assert_string_equal(error.message, cases[i][1]);
    }
}

TEST(usage_and_help_are_made_from_the_rows) {
    OWN_MEMORY char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    tr_argument_print_usage(rows, "tool try", out);
    tr_argument_print_help(rows, out);
    fclose(out);
    assert_non_null(strstr(text, "usage: tool try NAME [OTHER ...] --from F [--trials N]"));
    assert_non_null(strstr(text, "\n  --trials N         of each (20)\n"));
    assert_null(strstr(text, "--all")); /* a row without help is not shown */
}

/* Rows without a limit or the rest, with more options than a usage names, long names and long texts. */
TEST(long_lists_are_cut_and_long_texts_are_wrapped) {
    static char many[400];
    static tr_argument wide[20] = {
        {"NAME", TR_OPTION_TEXT, AT(name), "a name", 0, 0, false, NULL, NULL, NULL},
        {"MORE ...", TR_OPTION_TEXT, AT(others), many, 0, 0, false, NULL, NULL, NULL}};
    char *const words[] = {"one", "two", "three", "four"}, *text = NULL;
    char *taken[4];
    values v = {0};
    tr_error error = {0};
    size_t size = 0;
    memset(many, 'x', 350);
    memcpy(many + 150, " and\nmore ", 10);
    for (int i = 2; i < 19; i++)
        wide[i] = (tr_argument){i == 2   ? "--twenty-four-byte-name N"
                                : i == 3 ? "--twenty-byte-name N"
                                         : "--flag",
                                TR_OPTION_FLAG,
                                AT(all),
                                "a flag with ... dots",
                                0,
                                0,
                                false,
                                NULL,
                                NULL,
                                NULL};
    memcpy(taken, words, sizeof taken);
    assert_int_equal(tr_argument_take(wide, 4, taken, &v, &error), TR_OK);
    assert_int_equal(v.others.count, 3);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    tr_argument_print_usage(wide, "tool wide", out);
    tr_argument_print_help(wide, out);
    fclose(out);
    assert_non_null(strstr(text, "usage: tool wide NAME MORE ... [options]\n"));
    assert_non_null(strstr(text, "\n  --twenty-byte-name N a flag"));
    assert_non_null(strstr(text, " and\n"));
    free(text);
    wide[1] = wide[19];
    assert_int_equal(tr_argument_take(wide, 2, taken, &v, &error), TR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "one argument too many: two");
}
