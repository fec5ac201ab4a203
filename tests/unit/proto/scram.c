/* SCRAM-SHA-256: the RFC's example, both sides against each other, and refusals of everything that
 * differs from it. */
#include "cmocka_test.h"

#include "proto/scram.h"

#include <stdio.h>
#include <string.h>

static const char secret[] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v";
static const uint8_t salt[TR_KEY_SALT_SIZE] = {1, 2, 3};
static const tr_scram_binding unbound = {.header = TR_SCRAM_UNBOUND};

/* RFC 7677, section 3. */
#define RFC_CLIENT_NONCE "rOprNGfwEbeRWgbNEkqO"
#define RFC_SERVER_NONCE "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
#define RFC_FIRST "n,,n=user,r=" RFC_CLIENT_NONCE
#define RFC_SERVER_FIRST "r=" RFC_CLIENT_NONCE RFC_SERVER_NONCE ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
#define RFC_FINAL                                                                                  \
    "c=biws,r=" RFC_CLIENT_NONCE RFC_SERVER_NONCE ",p=dHzbZapWIk4jUhN+"                            \
    "Ute9ytag9zjfMHgsqmmiz7AndVQ="
#define RFC_SERVER_FINAL "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
static const uint8_t rfc_salt[TR_KEY_SALT_SIZE] = {0x5b, 0x6d, 0x99, 0x68, 0x9d, 0x12, 0x35, 0x8e,
                                                   0xec, 0xa0, 0x4b, 0x14, 0x12, 0x36, 0xfa, 0x81};

TEST(the_client_is_that_of_the_rfc) {
    tr_scram_client client;
    char text[TR_SCRAM_MESSAGE_MAX];
    assert_int_equal(
        tr_scram_client_first(&client, "user", "pencil", RFC_CLIENT_NONCE, &unbound, text), TR_OK);
    assert_string_equal(text, RFC_FIRST);
    assert_int_equal(tr_scram_client_final(&client, RFC_SERVER_FIRST, text), TR_OK);
    assert_string_equal(text, RFC_FINAL);
    assert_true(tr_scram_client_trusts(&client, RFC_SERVER_FINAL));
}

TEST(the_server_is_that_of_the_rfc) {
    tr_scram_server server;
    tr_scram_verifier verifier;
    char text[TR_SCRAM_MESSAGE_MAX];
    assert_int_equal(tr_scram_verifier_make("pencil", rfc_salt, 4096, &verifier), TR_OK);
    assert_int_equal(tr_scram_server_begin(&server, RFC_FIRST), TR_OK);
    assert_string_equal(server.name, "user");
    tr_scram_server_first(&server, &verifier, RFC_SERVER_NONCE, text);
    assert_string_equal(text, RFC_SERVER_FIRST);
    assert_int_equal(tr_scram_server_final(&server, NULL, RFC_FINAL, text), TR_OK);
    assert_string_equal(text, RFC_SERVER_FINAL);
}

/* An exchange between both sides, up to its end or the first refusal. */
typedef struct exchange {
    tr_scram_verifier verifier;
    tr_scram_client client;
    tr_scram_server server;
    char client_first[TR_SCRAM_MESSAGE_MAX], server_first[TR_SCRAM_MESSAGE_MAX];
    char client_final[TR_SCRAM_MESSAGE_MAX], server_final[TR_SCRAM_MESSAGE_MAX];
} exchange;

static exchange begin(const tr_scram_binding *binding) {
    exchange e;
    char nonce[TR_SCRAM_NONCE_MAX];
    assert_int_equal(tr_scram_verifier_make(secret, salt, TR_SCRAM_ITERATIONS, &e.verifier), TR_OK);
    assert_int_equal(tr_scram_nonce(nonce), TR_OK);
    assert_int_equal(
        tr_scram_client_first(&e.client, "arena-7", secret, nonce, binding, e.client_first), TR_OK);
    assert_int_equal(tr_scram_server_begin(&e.server, e.client_first), TR_OK);
    assert_string_equal(e.server.name, "arena-7");
    assert_int_equal(e.server.header, binding->header);
    assert_int_equal(tr_scram_nonce(nonce), TR_OK);
    tr_scram_server_first(&e.server, &e.verifier, nonce, e.server_first);
    assert_int_equal(tr_scram_client_final(&e.client, e.server_first, e.client_final), TR_OK);
    return e;
}

static tr_status finish(exchange *e, const uint8_t *binding) {
    return tr_scram_server_final(&e->server, binding, e->client_final, e->server_final);
}

TEST(each_side_convinces_the_other) {
    for (int header = TR_SCRAM_UNBOUND; header <= TR_SCRAM_BOUND; header++) {
        tr_scram_binding binding = {.header = (tr_scram_header)header, .data = {9, 8, 7}};
        exchange e = begin(&binding);
        assert_int_equal(finish(&e, binding.data), TR_OK);
        assert_true(tr_scram_client_trusts(&e.client, e.server_final));
        assert_int_equal(e.client.password[0], 0);
    }
}

TEST(a_login_is_valid_only_on_its_tls_connection) {
    tr_scram_binding binding = {.header = TR_SCRAM_BOUND, .data = {9, 8, 7}};
    exchange e = begin(&binding);
    for (int bit = 0; bit < 8 * TR_SCRAM_BINDING_SIZE; bit++) {
        binding.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(finish(&e, binding.data), TR_UNAUTHENTICATED);
        binding.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_int_equal(finish(&e, binding.data), TR_OK);
}

TEST(any_changed_byte_of_client_final_is_refused) {
    exchange e = begin(&unbound);
    for (size_t i = 0; e.client_final[i] != '\0'; i++)
        for (int bit = 0; bit < 8; bit++) {
            e.client_final[i] ^= (char)(1 << bit);
            assert_int_equal(finish(&e, NULL), TR_UNAUTHENTICATED);
            e.client_final[i] ^= (char)(1 << bit);
        }
    size_t size = strlen(e.client_final);
    for (size_t cut = 0; cut < size; cut++) {
        exchange part = e;
        part.client_final[cut] = '\0';
        assert_int_equal(finish(&part, NULL), TR_UNAUTHENTICATED);
    }
    strcat(e.client_final, ",");
    assert_int_equal(finish(&e, NULL), TR_UNAUTHENTICATED);
    e.client_final[size] = '\0';
    assert_int_equal(finish(&e, NULL), TR_OK);
}

TEST(a_changed_byte_of_the_server_is_not_trusted) {
    exchange e = begin(&unbound);
    char first[TR_SCRAM_MESSAGE_MAX];
    assert_int_equal(finish(&e, NULL), TR_OK);
    for (size_t i = 0; i < strlen(e.server_final); i++) {
        char *at = &e.server_final[i], kept = *at;
        for (const char *other = ",*"; *other != '\0'; other++) {
            *at = *other;
            assert_false(tr_scram_client_trusts(&e.client, e.server_final));
        }
        *at = '\0';
        assert_false(tr_scram_client_trusts(&e.client, e.server_final));
        *at = kept;
    }
    for (size_t cut = strlen(e.server_first) - 4; cut > 0; cut--) { /* the iterations are less */
        tr_scram_client client = e.client;
        snprintf(first, sizeof first, "%.*s", (int)cut, e.server_first);
        assert_int_equal(tr_scram_client_final(&client, first, e.client_final), TR_DATA_LOSS);
    }
    memset(first, 'x', sizeof first - 1);
    first[sizeof first - 1] = '\0';
    assert_int_equal(tr_scram_client_first(&e.client, first, secret, "n", &unbound, first),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_scram_client_first(&e.client, "a", first, "n", &unbound, first),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_scram_client_first(&e.client, "a", secret, first, &unbound, first),
                     TR_INVALID_ARGUMENT);
}

TEST(a_recorded_login_is_refused) {
    exchange recorded = begin(&unbound), e = begin(&unbound);
    memcpy(e.client_final, recorded.client_final, sizeof e.client_final);
    assert_int_equal(finish(&e, NULL), TR_UNAUTHENTICATED);
    assert_int_equal(finish(&recorded, NULL), TR_OK);
    assert_false(tr_scram_client_trusts(&e.client, recorded.server_final));
}

TEST(another_verifier_belongs_to_another_key) {
    exchange e = begin(&unbound);
    for (size_t i = 0; i < sizeof e.server.verifier.stored_key; i++) {
        e.server.verifier.stored_key[i] ^= 1;
        assert_int_equal(finish(&e, NULL), TR_UNAUTHENTICATED);
        e.server.verifier.stored_key[i] ^= 1;
    }
    e.server.verifier.server_key[0] ^= 1; /* a server that does not know the key */
    assert_int_equal(finish(&e, NULL), TR_OK);
    assert_false(tr_scram_client_trusts(&e.client, e.server_final));
}

TEST(a_client_takes_no_other_server_first) {
    static const char *const wrong[] = {"",
                                        "r=",
                                        "r=theirs,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
                                        "r=mine,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
                                        "r=mine+,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4095",
                                        "r=mine+,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=04096",
                                        "r=mine+,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1000001",
                                        "r=mine+,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096x",
                                        "r=mine+,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=99999999",
                                        "r=mine+,s=W22ZaJ0SNY7soEsUEjb6gR==,i=4096",
                                        "r=mine+,s=W22ZaJ0SNY7soEsUEjb6gQ=,i=4096",
                                        "r=mine+,s= 22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
                                        "r=mi ne+,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
                                        "m=1,r=mine+,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"};
    char text[TR_SCRAM_MESSAGE_MAX];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tr_scram_client client;
        assert_int_equal(tr_scram_client_first(&client, "a", secret, "mine", &unbound, text),
                         TR_OK);
        assert_int_equal(tr_scram_client_final(&client, wrong[i], text), TR_DATA_LOSS);
        char padded[TR_SCRAM_MESSAGE_MAX + 8];
        snprintf(padded, sizeof padded, "%0*d", TR_SCRAM_MESSAGE_MAX + 1, 1);
        assert_int_equal(tr_scram_client_final(&client, padded, text), TR_DATA_LOSS);
    }
}

TEST(a_server_takes_no_other_client_first) {
    static const char *const wrong[] = {"",
                                        "n",
                                        "n,,",
                                        "n,,n=user",
                                        "n,,n=user,r=",
                                        "n,a=other,n=user,r=x",
                                        "p=tls-unique,,n=user,r=x",
                                        "n,,m=1,n=user,r=x",
                                        "n,,n=user,r=a b",
                                        "n,,n=user,r=a\x7f"
                                        "b",
                                        "x,,n=user,r=x"};
    tr_scram_server server;
    char text[2 * TR_SCRAM_MESSAGE_MAX];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(tr_scram_server_begin(&server, wrong[i]), TR_INVALID_ARGUMENT);
    for (int length = 1; length < TR_SCRAM_MESSAGE_MAX + 100; length += 7) {
        snprintf(text, sizeof text, "n,,n=%0*d,r=x", length, 1);
        assert_int_equal(tr_scram_server_begin(&server, text),
                         length < TR_KEY_NAME_MAX ? TR_OK : TR_INVALID_ARGUMENT);
        snprintf(text, sizeof text, "n,,n=a,r=%0*d", length, 1);
        assert_int_equal(tr_scram_server_begin(&server, text),
                         length < TR_SCRAM_NONCE_MAX ? TR_OK : TR_INVALID_ARGUMENT);
    }
}

TEST(verifiers_are_read_as_they_are_written) {
    tr_scram_verifier verifier, again;
    char text[TR_SCRAM_VERIFIER_TEXT_MAX], other[TR_SCRAM_VERIFIER_TEXT_MAX + 8];
    assert_int_equal(tr_scram_verifier_make(secret, salt, TR_SCRAM_ITERATIONS, &verifier), TR_OK);
    tr_scram_verifier_format(&verifier, text);
    assert_true(tr_scram_verifier_parse(text, &again));
    assert_memory_equal(&verifier, &again, sizeof verifier);
    for (size_t cut = 0; cut < strlen(text); cut++) {
        snprintf(other, sizeof other, "%.*s", (int)cut, text);
        assert_false(tr_scram_verifier_parse(other, &again));
    }
    snprintf(other, sizeof other, "%s=", text);
    assert_false(tr_scram_verifier_parse(other, &again));
    snprintf(other, sizeof other, "%.14s100%s", text, strchr(text, ':'));
    assert_false(tr_scram_verifier_parse(other, &again)); /* too few iterations */
}

/* Extensions follow behind a comma; nothing else may stand there, and nothing is longer than a message. */
TEST(extensions_are_passed_over) {
    exchange e = begin(&unbound);
    char text[TR_SCRAM_MESSAGE_MAX], padded[TR_SCRAM_MESSAGE_MAX + 8];
    tr_scram_server server;
    tr_scram_client client;
    assert_int_equal(tr_scram_server_begin(&server, "n,,n=user,r=x,later=1"), TR_OK);
    assert_int_equal(tr_scram_client_first(&client, "a", secret, "mine", &unbound, text), TR_OK);
    assert_int_equal(
        tr_scram_client_final(&client, "r=mine+,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,later=1", text),
        TR_OK);
    assert_int_equal(finish(&e, NULL), TR_OK);
    snprintf(padded, sizeof padded, "%s,later=1", e.server_final);
    assert_true(tr_scram_client_trusts(&e.client, padded));
    padded[strlen(e.server_final)] = 'x';
    assert_false(tr_scram_client_trusts(&e.client, padded));
    /* an extension of client-final is covered by the proof, which is then another */
    const char *proof = strstr(e.client_final, ",p=");
    const int before = (int)(proof - e.client_final);
    snprintf(text, sizeof text, "%.*s,later=1%s", before, e.client_final, proof);
    assert_int_equal(tr_scram_server_final(&e.server, NULL, text, padded), TR_UNAUTHENTICATED);
    snprintf(text, sizeof text, "%.*slater=1%s", before, e.client_final, proof);
    assert_int_equal(tr_scram_server_final(&e.server, NULL, text, padded), TR_UNAUTHENTICATED);
    snprintf(text, sizeof text, "%.*s", before, e.client_final);
    assert_int_equal(tr_scram_server_final(&e.server, NULL, text, padded), TR_UNAUTHENTICATED);
    snprintf(padded, sizeof padded, "%0*d", TR_SCRAM_MESSAGE_MAX + 1, 1);
    assert_int_equal(tr_scram_server_final(&e.server, NULL, padded, text), TR_UNAUTHENTICATED);
}
