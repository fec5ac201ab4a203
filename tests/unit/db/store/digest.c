#include "cmocka_test.h"

#include "db/store/digest.h"

/* SHA-256 of bytes in memory. */
static tr_status digest_bytes(const void *data, size_t size, tr_digest *out) {
    tr_digest_writer writer = tr_digest_begin(NULL);
    tr_digest_add_bytes(&writer, data, size);
    return tr_digest_end(&writer, out);
}

TEST(bytes_have_the_digests_of_fips_180) {
    tr_digest digest;
    char text[TR_DIGEST_TEXT_MAX];
    assert_int_equal(TR_OK, digest_bytes("abc", 3, &digest));
    tr_digest_format(&digest, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(TR_OK, digest_bytes("", 0, &digest));
    tr_digest_format(&digest, text);
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(what_is_formatted_is_parsed) {
    tr_digest digest, again = {{0}};
    char text[TR_DIGEST_TEXT_MAX];
    assert_int_equal(TR_OK, digest_bytes("abc", 3, &digest));
    tr_digest_format(&digest, text);
    assert_true(tr_digest_parse(text, &again));
    assert_true(tr_digest_equal(&digest, &again));
    text[63] = 'D';
    assert_false(tr_digest_parse(text, &again));
    text[63] = '\0';
    assert_false(tr_digest_parse(text, &again));
    assert_false(tr_digest_parse("", &again));
    assert_true(tr_digest_equal(&digest, &again));
}

static tr_digest of_texts(const char *a, const char *b) {
    tr_digest digest;
    tr_digest_writer writer = tr_digest_begin("test 1");
    tr_digest_add_text(&writer, a);
    tr_digest_add_text(&writer, b);
    assert_int_equal(TR_OK, tr_digest_end(&writer, &digest));
    return digest;
}

TEST(fields_do_not_run_into_each_other) {
    tr_digest a = of_texts("ab", "c"), b = of_texts("a", "bc"), c = of_texts("ab", "c");
    assert_false(tr_digest_equal(&a, &b));
    assert_true(tr_digest_equal(&a, &c));
}

TEST(numbers_are_eight_bytes_little_endian) {
    tr_digest fields, bytes;
    tr_digest_writer writer = tr_digest_begin(NULL);
    tr_digest_add_int(&writer, 0x0102030405060708);
    tr_digest_add_double(&writer, 1.0);
    assert_int_equal(TR_OK, tr_digest_end(&writer, &fields));
    assert_int_equal(
        TR_OK, digest_bytes("\x08\x07\x06\x05\x04\x03\x02\x01\0\0\0\0\0\0\xf0\x3f", 16, &bytes));
    assert_true(tr_digest_equal(&fields, &bytes));
}
