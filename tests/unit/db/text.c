#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "db/text.h"

#include <string.h>

static void utf8_is_told_from_what_only_looks_like_it(void **state) {
    (void)state;
    static const char *const good[] = {
        "", "a", "Körper", "\xe2\x82\xac", "\xf0\x90\x8d\x88", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {
        "\x80",             /* continuation alone */
        "\xc3",             /* cut short */
        "\xe2\x82",         /* cut short */
        "\xc0\xaf",         /* overlong */
        "\xe0\x9f\xbf",     /* overlong */
        "\xf0\x8f\xbf\xbf", /* overlong */
        "\xed\xa0\x80",     /* surrogate */
        "\xf4\x90\x80\x80", /* past U+10FFFF */
        "\xff",
        "a\xc3(",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(tr_text_bytes_are_utf8(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(tr_text_bytes_are_utf8(bad[i], strlen(bad[i])));
    assert_false(tr_text_bytes_are_utf8("a\0b", 3));
}

static void names_are_short_and_plain(void **state) {
    (void)state;
    tr_error error = {0};
    assert_int_equal(TR_OK, tr_text_check_name("name", "run slow 2", 16, &error));
    static const char *const bad[] = {
        "", " run", "run ", "a\nb", "a\tb", "\x7f", "0123456789abcdef"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.message[0] = 0;
        assert_int_equal(TR_INVALID_ARGUMENT, tr_text_check_name("clip name", bad[i], 16, &error));
        assert_non_null(strstr(error.message, "clip name"));
    }
    char unterminated[4] = {'a', 'b', 'c', 'd'};
    assert_int_equal(TR_INVALID_ARGUMENT,
                     tr_text_check_name("name", unterminated, sizeof unterminated, NULL));
}

static void texts_may_have_lines(void **state) {
    (void)state;
    assert_int_equal(TR_OK, tr_text_check("text", "", 8, NULL));
    assert_int_equal(TR_OK, tr_text_check("text", "a\tb\nc", 8, NULL));
    assert_int_equal(TR_INVALID_ARGUMENT, tr_text_check("text", "a\rb", 8, NULL));
    assert_int_equal(TR_INVALID_ARGUMENT, tr_text_check("text", "12345678", 8, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_told_from_what_only_looks_like_it),
        cmocka_unit_test(names_are_short_and_plain),
        cmocka_unit_test(texts_may_have_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
