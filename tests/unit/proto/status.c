/* clang-format off */
#include "cmocka_test.h"
/* clang-format on */

#include "proto/status.h"

#include <string.h>

TEST(codes_are_those_of_google_rpc) {
    assert_int_equal(TR_OK, 0);
    assert_int_equal(TR_INVALID_ARGUMENT, -3);
    assert_int_equal(TR_NOT_FOUND, -5);
    assert_int_equal(TR_UNAUTHENTICATED, -16);
}

TEST(every_code_has_a_text_and_a_name) {
    for (int code = TR_UNAUTHENTICATED; code <= TR_OK; code++) {
        const char *text = tr_status_text((tr_status)code);
        assert_true(text[0] != '\0');
        if (code == TR_UNKNOWN)
            continue;
        assert_string_not_equal(text, tr_status_text((tr_status)-1000));
        assert_string_not_equal(tr_status_name((tr_status)code), "UNKNOWN");
    }
    assert_string_equal(tr_status_name(TR_DATA_LOSS), "DATA_LOSS");
    assert_string_equal(tr_status_name((tr_status)1), "UNKNOWN");
}

TEST(failing_fills_the_error_and_returns_the_status) {
    tr_error error = {0};
    assert_int_equal(tr_fail(&error, TR_NOT_FOUND, "%s:%d: missing", "a.bvh", 7), TR_NOT_FOUND);
    assert_int_equal(error.status, TR_NOT_FOUND);
    assert_string_equal(error.message, "a.bvh:7: missing");
    assert_int_equal(tr_fail(NULL, TR_ABORTED, "no listener"), TR_ABORTED);
}

TEST(a_long_message_is_cut_and_terminated) {
    char text[2 * TR_ERROR_MESSAGE_MAX];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    tr_error error;
    assert_int_equal(tr_fail(&error, TR_INTERNAL, "%s", text), TR_INTERNAL);
    assert_int_equal(strlen(error.message), TR_ERROR_MESSAGE_MAX - 1);
}

/* Characters of each length, beginning at each distance from the end of the message. */
TEST(a_cut_falls_between_characters) {
    static const char *const characters[] = {"x", "\u00f6", "\u20ac", "\U0001f600"};
    for (size_t c = 0; c < 4; c++)
        for (size_t shift = 0; shift < 4; shift++) {
            char text[2 * TR_ERROR_MESSAGE_MAX] = "";
            size_t size = strlen(characters[c]);
            memset(text, 'x', shift);
            while (strlen(text) < TR_ERROR_MESSAGE_MAX)
                strcat(text, characters[c]);
            tr_error error;
            (void)tr_fail(&error, TR_INTERNAL, "%s", text);
            size_t kept = strlen(error.message);
            assert_int_equal((kept - shift) % size, 0);
            assert_true(kept + size > TR_ERROR_MESSAGE_MAX - 1);
            assert_memory_equal(error.message, text, kept);
        }
}

TEST(a_cut_within_bytes_of_no_character_ends_somewhere) {
    char text[2 * TR_ERROR_MESSAGE_MAX];
    tr_error error;
    memset(text, 0x80, sizeof text);
    text[sizeof text - 1] = '\0';
    (void)tr_fail(&error, TR_INTERNAL, "%s", text);
    assert_true(strlen(error.message) >= TR_ERROR_MESSAGE_MAX - 5);
}

/* Names in messages come from files and peers. */
TEST(a_message_has_no_control_characters) {
    tr_error error;
    (void)tr_fail(&error, TR_INTERNAL, "table '%s'",
                  "a\x1b[31m\nb\x7f\xc2\x85\xc3\xb6\xc2z\xc2\xa0");
    assert_string_equal(error.message, "table 'a?[31m?b???\xc3\xb6\xc2z\xc2\xa0'");
}
