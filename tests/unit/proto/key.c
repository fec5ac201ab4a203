#include "cmocka_test.h"

#include "proto/key.h"

#include <stdio.h>
#include <string.h>

static const char secret[] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v";

TEST(a_key_is_a_name_and_a_secret) {
    tr_key key;
    char text[TR_KEY_TEXT_MAX];
    snprintf(text, sizeof text, "demo.%s", secret);
    assert_int_equal(tr_key_parse(text, &key), TR_OK);
    assert_string_equal(key.name, "demo");
    assert_string_equal(key.secret, secret);
}

TEST(new_keys_differ) {
    tr_key key, other, again;
    char text[TR_KEY_TEXT_MAX];
    assert_int_equal(tr_key_make("arena-7", &key), TR_OK);
    assert_int_equal(tr_key_make("arena-7", &other), TR_OK);
    assert_string_equal(key.name, "arena-7");
    assert_string_not_equal(key.secret, other.secret);
    snprintf(text, sizeof text, "%s.%s", key.name, key.secret);
    assert_int_equal(tr_key_parse(text, &again), TR_OK);
    assert_string_equal(again.secret, key.secret);
}

TEST(text_that_is_not_a_key_is_refused) {
    static const char *const names[] = {"", "Demo", "a b", "a.b", "a_b", "\xc3\xa4"};
    char text[256];
    tr_key key;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(text, sizeof text, "%s.%s", names[i], secret);
        assert_int_equal(tr_key_parse(text, &key), TR_INVALID_ARGUMENT);
        assert_int_equal(tr_key_make(names[i], &key), TR_INVALID_ARGUMENT);
    }
    snprintf(text, sizeof text, "%048d.%s", 1, secret);
    assert_int_equal(tr_key_parse(text, &key), TR_INVALID_ARGUMENT);
    for (size_t cut = 0; cut < sizeof secret - 1; cut++) {
        snprintf(text, sizeof text, "demo.%.*s", (int)cut, secret);
        assert_int_equal(tr_key_parse(text, &key), TR_INVALID_ARGUMENT);
    }
    snprintf(text, sizeof text, "demo.%s=", secret);
    assert_int_equal(tr_key_parse(text, &key), TR_INVALID_ARGUMENT);
    snprintf(text, sizeof text, "demo.%s", secret);
    text[20] = '+';
    assert_int_equal(tr_key_parse(text, &key), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_key_parse("demo", &key), TR_INVALID_ARGUMENT);
}

TEST(a_key_is_read_alone_in_its_file) {
    static const struct {
        const char *before, *after;
        tr_status status;
    } cases[] = {{"", "", TR_OK},
                 {" \n", "\r\n\t", TR_OK},
                 {"x.y ", "", TR_INVALID_ARGUMENT},
                 {"", " more", TR_INVALID_ARGUMENT},
                 {"\xFF\xFE", "", TR_INVALID_ARGUMENT},
                 {".", "", TR_INVALID_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        tr_key key;
        tr_error error = {0};
        snprintf(text, sizeof text, "%sdemo.%s%s", cases[i].before, secret, cases[i].after);
        FILE *file = fmemopen(text, strlen(text), "r");
        assert_int_equal(tr_key_read(file, "key.txt", &key, &error), cases[i].status);
        assert_true(cases[i].status ? strstr(error.message, "key.txt") != NULL
                                    : strcmp(key.name, "demo") == 0);
        fclose(file);
    }
    assert_false(tr_key_name_is_valid(
        "a-name-that-is-much-longer-than-the-longest-one-which-a-daemon-keeps"));
}
