#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "proto/key.h"

#include <stdio.h>
#include <string.h>

static void from_hex(const char *text, uint8_t out[TR_KEY_HASH_SIZE]) {
    for (int i = 0; i < TR_KEY_HASH_SIZE; i++) {
        unsigned value = 0;
        assert_int_equal(sscanf(text + 2 * i, "%2x", &value), 1);
        out[i] = (uint8_t)value;
    }
}

/* The example of PROTOCOL.md, which another implementation computed. */
static void the_example_of_the_protocol(void **state) {
    (void)state;
    static const char key[] =
        "demo.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v";
    uint8_t nonce[TR_KEY_HASH_SIZE], proof[TR_KEY_HASH_SIZE];
    uint8_t stored[TR_KEY_HASH_SIZE], expected[TR_KEY_HASH_SIZE];
    char name[TR_KEY_NAME_MAX];
    for (int i = 0; i < TR_KEY_HASH_SIZE; i++)
        nonce[i] = (uint8_t)i;
    from_hex("963f265b6954d7ce6f5cac54ce3cd0dccd33526fea9b6ffabf20a6fed7dcd25b", stored);
    from_hex("7a04a0d2787950241dd39b1dbd8e89afb12bd4eede1832585220fbbc991d569a", expected);
    assert_int_equal(tr_key_prove(key, nonce, name, proof), TR_OK);
    assert_string_equal(name, "demo");
    assert_memory_equal(proof, expected, sizeof proof);
    assert_true(tr_key_check("demo", stored, nonce, proof));
}

static void a_new_key_proves_itself_and_nothing_else_does(void **state) {
    (void)state;
    char text[TR_KEY_TEXT_MAX], other[TR_KEY_TEXT_MAX], name[TR_KEY_NAME_MAX];
    uint8_t stored[TR_KEY_HASH_SIZE], other_stored[TR_KEY_HASH_SIZE], nonce[TR_KEY_HASH_SIZE];
    uint8_t proof[TR_KEY_HASH_SIZE], other_proof[TR_KEY_HASH_SIZE];
    assert_int_equal(tr_key_make("arena-7", text, stored), TR_OK);
    assert_int_equal(tr_key_make("arena-7", other, other_stored), TR_OK);
    assert_string_not_equal(text, other);
    assert_int_equal(tr_key_challenge(nonce), TR_OK);
    assert_int_equal(tr_key_prove(text, nonce, name, proof), TR_OK);
    assert_int_equal(tr_key_prove(other, nonce, name, other_proof), TR_OK);
    assert_true(tr_key_check("arena-7", stored, nonce, proof));
    assert_false(tr_key_check("arena-7", stored, nonce, other_proof));
    assert_false(tr_key_check("arena-7", other_stored, nonce, proof));
    assert_false(tr_key_check("arena-8", stored, nonce, proof));
    for (int bit = 0; bit < 8 * TR_KEY_HASH_SIZE; bit++) {
        proof[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(tr_key_check("arena-7", stored, nonce, proof));
        proof[bit / 8] ^= (uint8_t)(1 << bit % 8);
        nonce[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_false(tr_key_check("arena-7", stored, nonce, proof));
        nonce[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(tr_key_check("arena-7", stored, nonce, proof));
}

static void what_is_no_key_is_refused(void **state) {
    (void)state;
    static const char secret[] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v";
    static const uint8_t nonce[TR_KEY_HASH_SIZE];
    static const char *const names[] = {"", "Demo", "a b", "a.b", "a_b", "\xc3\xa4"};
    char text[256], name[TR_KEY_NAME_MAX];
    uint8_t proof[TR_KEY_HASH_SIZE], stored[TR_KEY_HASH_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(text, sizeof text, "%s.%s", names[i], secret);
        assert_int_equal(tr_key_prove(text, nonce, name, proof), TR_INVALID_ARGUMENT);
        assert_int_equal(tr_key_make(names[i], text, stored), TR_INVALID_ARGUMENT);
    }
    snprintf(text, sizeof text, "%048d.%s", 1, secret);
    assert_int_equal(tr_key_prove(text, nonce, name, proof), TR_INVALID_ARGUMENT);
    for (size_t cut = 0; cut < sizeof secret - 1; cut++) {
        snprintf(text, sizeof text, "demo.%.*s", (int)cut, secret);
        assert_int_equal(tr_key_prove(text, nonce, name, proof), TR_INVALID_ARGUMENT);
    }
    snprintf(text, sizeof text, "demo.%s=", secret);
    assert_int_equal(tr_key_prove(text, nonce, name, proof), TR_INVALID_ARGUMENT);
    snprintf(text, sizeof text, "demo.%s", secret);
    text[20] = '+';
    assert_int_equal(tr_key_prove(text, nonce, name, proof), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_key_prove("demo", nonce, name, proof), TR_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_protocol),
        cmocka_unit_test(a_new_key_proves_itself_and_nothing_else_does),
        cmocka_unit_test(what_is_no_key_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
