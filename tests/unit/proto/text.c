#include "cmocka_test.h"

#include "proto/text.h"

#include <string.h>

TEST(malformed_utf8_is_recognised) {
    static const char *const good[] = {"",
                                       "a",
                                       "Körper",
                                       "\xe2\x82\xac",
                                       "\xf0\x90\x8d\x88",
                                       "\xf0\x9f\x8c\x8d",
                                       "\xed\x9f\xbf",
                                       "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {
        "\x80",             /* continuation alone */
        "\xc3",             /* cut short */
        "a\xe2\x82",        /* cut short */
        "\xc0\x80",         /* overlong */
        "\xc0\xaf",         /* overlong */
        "\xe0\x80\x80",     /* overlong */
        "\xe0\x9f\xbf",     /* overlong */
        "\xf0\x8f\xbf\xbf", /* overlong */
        "\xed\xa0\x80",     /* surrogate */
        "\xf4\x90\x80\x80", /* past U+10FFFF */
        "\xff",
        "a\xc3(",
        "\xe2\x82(",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(tr_text_is_utf8(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(tr_text_is_utf8(bad[i]));
    assert_true(tr_text_bytes_are_utf8("a\xc3", 1));
    assert_false(tr_text_bytes_are_utf8("a\0b", 3));
}

TEST(control_characters_are_those_of_ascii_and_of_c1) {
    for (int c = 1; c < 256; c++) {
        const char one[] = {'a', (char)c, '\0'}, two[] = {'\xc2', (char)c, '\0'};
        assert_int_equal(tr_text_has_control(one), c < 0x20 || c == 0x7f);
        assert_int_equal(tr_text_has_control(two), c < 0x20 || (c >= 0x7f && c <= 0x9f));
    }
}

TEST(bytes_of_no_character_become_question_marks) {
    static const struct {
        const char *broken, *mended;
    } cases[] = {{"", ""},
                 {"whole \xe2\x82\xac", "whole \xe2\x82\xac"},
                 {"cut \xe2\x82", "cut ??"},
                 {"'\xc3' and more", "'?' and more"},
                 {"\xff\xc3\xa4\x80", "?\xc3\xa4?"},
                 {"\xed\xa0\x80", "???"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        strcpy(text, cases[i].broken);
        tr_text_mend(text);
        assert_string_equal(text, cases[i].mended);
        assert_true(tr_text_is_utf8(text));
    }
}

TEST(numbers_are_decimal) {
    static const char *const wrong[] = {"", " 1", "0x10", "inf", "-nan", "1e400", "e1", "+", "#1"};
    double value = 7;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *end = tr_text_number(wrong[i], &value);
        assert_true(!end || *end); /* "0" begins "0x" */
    }
    assert_string_equal(tr_text_number("-1.5e1,2", &value), ",2");
    assert_true(value == -15);
}

TEST(a_word_is_in_a_list_whole) {
    assert_true(tr_text_lists("one two ", "two", 3));
    assert_true(tr_text_lists("one two", "two three", 3));
    assert_false(tr_text_lists("one two", "tw", 2));
    assert_false(tr_text_lists("", "", 0));
}
