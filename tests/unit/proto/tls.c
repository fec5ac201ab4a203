/* TLS in memory: both ends hear each other, and whoever should not be trusted is refused. */
#include "cmocka_test.h"
#include "tls_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/troupe-tls-XXXXXX";
static char certificate[64], key[64], other[64], other_key[64], address[64], address_key[64];

FIXTURE(make_files) {
    char *const names[] = {certificate, key, other, other_key, address, address_key};
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 6; i++)
        snprintf(names[i], 64, "%s/%d", folder, i);
    tls_write_identity(certificate, key, "arena");
    tls_write_identity(other, other_key, "arena");
    tls_write_identity(address, address_key, "127.0.0.1");
}

FIXTURE(remove_files) {
    char *const names[] = {certificate, key, other, other_key, address, address_key};
    for (int i = 0; i < 6; i++)
        (void)unlink(names[i]);
    assert_int_equal(rmdir(folder), 0);
}

/* A pair of a server with that identity, and a client that trusts `ca` and expects `host`. */
static tr_status connect_to(const char *host, const char *ca, size_t piece, tls_pair *out) {
    OWN(tr_tls) *serving = NULL, *connecting = NULL;
    tr_error error = {0};
    assert_int_equal(tr_tls_serve(certificate, key, &serving, &error), TR_OK);
    assert_int_equal(tr_tls_connect(ca, &connecting, &error), TR_OK);
    assert_int_equal(tls_pair_create(serving, connecting, host, out), TR_OK);
    return tls_pair_pump(out, piece);
}

TEST(both_ends_know_each_other_whatever_the_pieces) {
    static const size_t pieces[] = {1, 7, 1 << 20};
    for (int i = 0; i < 3; i++) {
        tls_pair pair;
        uint8_t ours[TR_TLS_BINDING_SIZE], theirs[TR_TLS_BINDING_SIZE];
        assert_int_equal(connect_to("arena", certificate, pieces[i], &pair), TR_OK);
        assert_true(tr_tls_stream_is_ready(pair.client) && tr_tls_stream_is_ready(pair.server));
        assert_true(tr_tls_stream_binding(pair.client, ours));
        assert_true(tr_tls_stream_binding(pair.server, theirs));
        assert_memory_equal(ours, theirs, sizeof ours);
        assert_int_equal(tr_tls_stream_send(pair.client, (const uint8_t *)"go.", 3), TR_OK);
        assert_int_equal(tr_tls_stream_send(pair.client, (const uint8_t *)"on", 2), TR_OK);
        assert_int_equal(tls_pair_pump(&pair, pieces[i]), TR_OK);
        assert_int_equal(tls_pair_pump(&pair, pieces[i]), TR_OK);
        assert_memory_equal(pair.heard, pieces[i] < 100 ? "go.on" : "go.", 3);
        tr_tls_stream_finish(pair.client);
        assert_int_equal(tls_pair_pump(&pair, pieces[i]), TR_CANCELLED);
        assert_memory_equal(pair.heard, "go.on", 5); /* what was left comes before the end */
        tls_pair_destroy(&pair);
    }
}

TEST(what_is_not_trusted_is_refused) {
    const struct {
        const char *host, *ca, *reason;
    } cases[] = {{"arena", other, "self-signed"},
                 {"elsewhere", certificate, "hostname mismatch"},
                 {"127.0.0.1", certificate, "IP address mismatch"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tls_pair pair;
        uint8_t binding[TR_TLS_BINDING_SIZE];
        assert_int_equal(connect_to(cases[i].host, cases[i].ca, 1 << 20, &pair), TR_DATA_LOSS);
        const char *reason = tr_tls_stream_reason(pair.client);
        if (strncmp(reason, "the server's certificate: ", 26) != 0 ||
            !strstr(reason, cases[i].reason))
            fail_msg("%s: %s", cases[i].reason, reason);
        assert_false(tr_tls_stream_binding(pair.client, binding));
        assert_int_not_equal(tr_tls_stream_send(pair.client, (const uint8_t *)"x", 1), TR_OK);
        tls_pair_destroy(&pair);
    }
}

static bool refuse(void *context, const uint8_t *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    return false;
}

TEST(bytes_that_are_not_tls_break_the_stream) {
    tls_pair pair;
    tr_tls *serving = NULL;
    assert_int_equal(tr_tls_serve(certificate, key, &serving, NULL), TR_OK);
    pair = (tls_pair){0};
    assert_int_equal(tr_tls_stream_create(serving, NULL, &pair.server), TR_OK);
    assert_int_equal(tr_tls_stream_receive(pair.server, (const uint8_t *)"GET /", 3, refuse, NULL),
                     TR_OK);
    assert_int_equal(tr_tls_stream_held(pair.server), 3);
    assert_int_equal(tr_tls_stream_receive(pair.server, (const uint8_t *)" / HTTP/1.1\r\n\r\n", 15,
                                           refuse, NULL),
                     TR_DATA_LOSS);
    assert_memory_equal(tr_tls_stream_reason(pair.server), "TLS: ", 5);
    tls_pair_destroy(&pair);
    tr_tls_destroy(serving);
    tr_tls_destroy(NULL);
}

/* What the receiver leaves is there when it asks again, with more bytes or without; too much is refused. */
TEST(a_stream_keeps_what_is_not_read_and_limits_what_is_not_sent) {
    static uint8_t much[2 << 20];
    static const char text[] = "go.on.end";
    tls_pair pair;
    assert_int_equal(connect_to("arena", certificate, 1 << 20, &pair), TR_OK);
    for (size_t i = 0; i < 9; i += 3)
        assert_int_equal(tr_tls_stream_send(pair.client, (const uint8_t *)text + i, 3), TR_OK);
    assert_int_equal(tls_pair_pump(&pair, 30), TR_OK);
    for (size_t before = 0; pair.size > before;) {
        before = pair.size;
        assert_int_equal(tls_pair_ask(&pair), TR_OK);
    }
    assert_memory_equal(pair.heard, text, 9);
    assert_int_equal(tr_tls_stream_held(pair.server), 0);
    assert_int_equal(tr_tls_stream_send(pair.client, much, sizeof much), TR_DATA_LOSS);
    tls_pair_destroy(&pair);
}

TEST(files_that_are_not_an_identity_are_named) {
    OWN(tr_tls) *tls = NULL;
    tr_error error = {0};
    const struct {
        const char *certificate, *key, *message;
    } cases[] = {
        {"/no/such", key,
         "certificate /no/such: expected certificates in PEM: No such file or directory"},
        {key, key, "expected certificates in PEM: "},
        {certificate, "/no/such", "private key /no/such: expected the key of certificate "},
        {certificate, other_key, "private key "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(tr_tls_serve(cases[i].certificate, cases[i].key, &tls, &error),
                         TR_INVALID_ARGUMENT);
        if (!strstr(error.message, cases[i].message))
            fail_msg("%s", error.message);
    }
    assert_int_equal(tr_tls_connect("/no/such", &tls, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "/no/such: expected certificates in PEM"));
    assert_int_equal(tr_tls_connect(NULL, &tls, &error), TR_OK);
}

SUITE_FIXTURE(make_files, remove_files);
