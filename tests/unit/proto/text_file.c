#include "cmocka_test.h"

#include "proto/text_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct sample {
    const char *bytes;
    size_t size;
    const char *text; /* what is read; NULL: refused, with a message that has `word` */
    const char *word;
} sample;

#define BYTES(text) (text), sizeof(text) - 1

static const sample samples[] = {
    {BYTES("plain\n"), "plain\n", NULL},
    {BYTES(""), "", NULL},
    {BYTES("\xEF\xBB\xBFmarked"), "marked", NULL},
    {BYTES("\xEF\xBB\xBF"), "", NULL},
    {BYTES("one\r\ntwo\r\n"), "one\r\ntwo\r\n", NULL},
    {BYTES("one\rtwo\r"), "one\ntwo\n", NULL},
    {BYTES("end\n\x1A"), "end\n", NULL},
    {BYTES("end\n\0\0\x1A\0"), "end\n", NULL},
    {BYTES("\xFF\xFEo\0n\0"), NULL, "UTF-16"},
    {BYTES("\xFE\xFF\0o\0n"), NULL, "UTF-16"},
    {BYTES("\xFF\xFE\0\0o\0\0\0"), NULL, "UTF-32"},
    {BYTES("\0\0\xFE\xFF\0\0\0o"), NULL, "UTF-32"},
    {BYTES("o\0n\0e\0"), NULL, "file.txt:1: a zero byte"},
    {BYTES("one\ntw\0o"), NULL, "file.txt:2: a zero byte"},
};

TEST(texts_of_any_system_are_read) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const sample *s = &samples[i];
        OWN_MEMORY char *text = malloc(s->size + 1);
        size_t size = s->size;
        tr_error error = {0};
        assert_non_null(text);
        memcpy(text, s->bytes, s->size);
        tr_status status = tr_text_clean(text, &size, "file.txt", &error);
        if (s->text) {
            assert_int_equal(status, TR_OK);
            assert_int_equal(size, strlen(s->text));
            assert_string_equal(text, s->text);
        } else {
            assert_int_equal(status, TR_INVALID_ARGUMENT);
            assert_non_null(strstr(error.message, "file.txt"));
            assert_non_null(strstr(error.message, s->word));
        }
    }
}

TEST(a_stream_is_read_to_its_limit) {
    static char bytes[100000];
    char *text = NULL;
    size_t size = 0;
    tr_error error = {0};
    memset(bytes, 'a', sizeof bytes);
    FILE *file = fmemopen(bytes, sizeof bytes, "r");
    assert_int_equal(tr_text_stream_read(file, "big", sizeof bytes, &text, &size, &error), TR_OK);
    assert_int_equal(size, sizeof bytes);
    assert_int_equal(strlen(text), sizeof bytes);
    free(text);
    rewind(file);
    assert_int_equal(tr_text_stream_read(file, "big", sizeof bytes - 1, &text, &size, &error),
                     TR_RESOURCE_EXHAUSTED);
    assert_string_equal(error.message, "big: larger than 99999 bytes");
    rewind(file);
    assert_int_equal(tr_text_stream_read(file, "big", 10, &text, &size, &error),
                     TR_RESOURCE_EXHAUSTED);
    fclose(file);
    bytes[7] = '\0';
    file = fmemopen(bytes, sizeof bytes, "r");
    assert_int_equal(tr_text_stream_read(file, "big", sizeof bytes, &text, &size, &error),
                     TR_INVALID_ARGUMENT);
    fclose(file);
}

TEST(what_cannot_be_read_is_named) {
    char *text = NULL;
    size_t size = 0;
    tr_error error = {0};
    assert_int_equal(tr_text_file_read("/no/such", 10, &text, &size, &error), TR_NOT_FOUND);
    assert_string_equal(error.message, "/no/such: No such file or directory");
    assert_int_equal(tr_text_file_read("/", 10, &text, &size, &error), TR_UNAVAILABLE);
    assert_string_equal(error.message, "/: a folder; expected a file");
}

TEST(a_setting_that_stands_twice_is_named_with_both_lines) {
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"a = 1;\nb = 2;\na = 3;\n", "x:3: 'a' stands in line 1 already; expected it once"},
        {"a: { b = 1; };\nb = 2;\nc: { b = \"a = {\"; # b = 3\n b : 4; };",
         "x:4: 'b' stands in line 3"},
        {"a = 1; /* a = 2;\n*/ b: ({ a = 1; }, { a = 2; });", "x:7: what"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_error error = {0};
        assert_int_equal(tr_text_refuse_settings("x", cases[i].text, 7, "what", &error),
                         TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, cases[i].expected));
    }
}
