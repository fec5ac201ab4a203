#include "tls_pair.h"

#include "cmocka_test.h"

#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

void tls_write_identity(const char *certificate, const char *key, const char *host) {
    EVP_PKEY *pair = EVP_EC_gen("P-256");
    X509 *x = X509_new();
    FILE *file = fopen(certificate, "w");
    assert_true(pair && x && file);
    X509_set_version(x, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
    X509_gmtime_adj(X509_getm_notBefore(x), -60);
    X509_gmtime_adj(X509_getm_notAfter(x), 3600);
    X509_set_pubkey(x, pair);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                               (const unsigned char *)host, -1, -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(x));
    assert_true(X509_sign(x, pair, EVP_sha256()) > 0);
    assert_int_equal(PEM_write_X509(file, x), 1);
    fclose(file);
    file = fopen(key, "w");
    assert_true(file && PEM_write_PrivateKey(file, pair, NULL, NULL, 0, NULL, NULL) == 1);
    fclose(file);
    X509_free(x);
    EVP_PKEY_free(pair);
}

tr_status tls_pair_create(tr_tls *serving, tr_tls *connecting, const char *host, tls_pair *out) {
    *out = (tls_pair){0};
    tr_status status = tr_tls_stream_create(serving, NULL, &out->server);
    return status ? status : tr_tls_stream_create(connecting, host, &out->client);
}

void tls_pair_destroy(tls_pair *pair) {
    tr_tls_stream_destroy(pair->server);
    tr_tls_stream_destroy(pair->client);
    *pair = (tls_pair){0};
}

/* Stops at a full stop: the rest is asked for later. */
static bool hear(void *context, const uint8_t *bytes, size_t size) {
    tls_pair *pair = context;
    assert_true(pair->size + size < sizeof pair->heard);
    memcpy(pair->heard + pair->size, bytes, size);
    pair->size += size;
    return bytes[size - 1] != '.';
}

static tr_status move(tls_pair *pair, tr_tls_stream *from, tr_tls_stream *to, size_t piece) {
    size_t size = 0;
    OWN_MEMORY uint8_t *bytes = tr_tls_stream_take(from, &size);
    tr_status status = TR_OK;
    for (size_t at = 0; !status && at < size; at += piece)
        status = tr_tls_stream_receive(to, bytes + at, size - at < piece ? size - at : piece, hear,
                                       pair);
    return status;
}

tr_status tls_pair_ask(tls_pair *pair) {
    return tr_tls_stream_receive(pair->server, NULL, 0, hear, pair);
}

tr_status tls_pair_pump(tls_pair *pair, size_t piece) {
    tr_status status = tr_tls_stream_start(pair->client);
    while (!status &&
           (tr_tls_stream_waiting(pair->client) || tr_tls_stream_waiting(pair->server))) {
        status = move(pair, pair->client, pair->server, piece);
        if (!status)
            status = move(pair, pair->server, pair->client, piece);
    }
    return status;
}
