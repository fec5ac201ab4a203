#include "cmocka_test.h"

#include "db/store/text.h"

#include <string.h>

TEST(names_are_short_and_plain) {
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

TEST(texts_may_have_lines) {
    assert_int_equal(TR_OK, tr_text_check("text", "", 8, NULL));
    assert_int_equal(TR_OK, tr_text_check("text", "a\tb\nc", 8, NULL));
    assert_int_equal(TR_INVALID_ARGUMENT, tr_text_check("text", "a\rb", 8, NULL));
    assert_int_equal(TR_INVALID_ARGUMENT, tr_text_check("text", "12345678", 8, NULL));
}
