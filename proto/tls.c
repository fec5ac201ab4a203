#include "proto/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_MAX = 16 << 10, WIRE_MAX = 1 << 20, REASON_MAX = 160 };

struct tr_tls {
    SSL_CTX *context;
};

struct tr_tls_stream {
    SSL *ssl;
    const uint8_t *in; /* [in_size]: the piece being received, or `kept` */
    size_t in_size;
    size_t opening; /* bytes that OpenSSL holds of an incomplete handshake or record */
    uint8_t *kept;  /* owned: received and not yet read */
    uint8_t *out;   /* [out_size] of out_capacity: for the wire; owned */
    size_t out_size, out_capacity;
    char reason[REASON_MAX];
};

/* --- the wire, as a BIO --- */

static int wire_read(BIO *bio, char *to, int room) {
    tr_tls_stream *stream = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (stream->in_size == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    size_t size = stream->in_size < (size_t)room ? stream->in_size : (size_t)room;
    memcpy(to, stream->in, size);
    stream->in += size;
    stream->in_size -= size;
    stream->opening += size;
    return (int)size;
}

static int wire_write(BIO *bio, const char *from, int count) {
    tr_tls_stream *stream = BIO_get_data(bio);
    size_t size = stream->out_size + (size_t)count, capacity = stream->out_capacity;
    BIO_clear_retry_flags(bio);
    if (size > WIRE_MAX)
        return -1;
    while (capacity < size)
        capacity = capacity == 0 ? 512 : 2 * capacity;
    if (capacity > stream->out_capacity) {
        uint8_t *out = realloc(stream->out, capacity);
        if (!out)
            return -1;
        stream->out = out;
        stream->out_capacity = capacity;
    }
    memcpy(stream->out + stream->out_size, from, (size_t)count);
    stream->out_size = size;
    return count;
}

static long wire_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

/* One for the whole process, never freed. */
static const BIO_METHOD *wire_method(void) {
    static BIO_METHOD *method;
    if (method)
        return method;
    method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "wire");
    if (!method)
        return NULL;
    BIO_meth_set_read(method, wire_read);
    BIO_meth_set_write(method, wire_write);
    BIO_meth_set_ctrl(method, wire_control);
    return method;
}

/* --- contexts --- */

/* The cause of OpenSSL's last failure, which is first in its queue. The later entries say where it
 * was noticed, and are dropped. */
static const char *last_reason(void) {
    unsigned long cause = ERR_peek_error();
    const char *text =
        ERR_SYSTEM_ERROR(cause) ? strerror(ERR_GET_REASON(cause)) : ERR_reason_error_string(cause);
    ERR_clear_error();
    return text ? text : "unknown reason";
}

/* Buffers are released while a connection is silent. */
static SSL_CTX *make_context(const SSL_METHOD *method) {
    SSL_CTX *context = SSL_CTX_new(method);
    if (!context)
        return NULL;
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    if (SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1)
        return context;
    SSL_CTX_free(context);
    return NULL;
}

/* Takes the context. */
static tr_status finish_context(SSL_CTX *context, tr_status status, tr_tls **out) {
    tr_tls *tls = !status ? malloc(sizeof *tls) : NULL;
    if (!tls) {
        SSL_CTX_free(context);
        return status ? status : TR_RESOURCE_EXHAUSTED;
    }
    tls->context = context;
    *out = tls;
    return TR_OK;
}

static tr_status load_identity(SSL_CTX *context, const char *certificate, const char *private_key,
                               tr_error *error) {
    if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "certificate %s: expected certificates in PEM: %s", certificate,
                       last_reason());
    if (SSL_CTX_use_PrivateKey_file(context, private_key, SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context) != 1)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "private key %s: expected the key of certificate %s in PEM: %s", private_key,
                       certificate, last_reason());
    return TR_OK;
}

/* No resumption, no tickets, no early data: each connection makes a full handshake. */
tr_status tr_tls_serve(const char *certificate, const char *private_key, tr_tls **out,
                       tr_error *error) {
    SSL_CTX *context = make_context(TLS_server_method());
    if (!context || SSL_CTX_set_num_tickets(context, 0) != 1) {
        SSL_CTX_free(context);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for TLS");
    }
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return finish_context(context, load_identity(context, certificate, private_key, error), out);
}

tr_status tr_tls_connect(const char *ca, tr_tls **out, tr_error *error) {
    SSL_CTX *context = make_context(TLS_client_method());
    if (!context)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for TLS");
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    int loaded = ca ? SSL_CTX_load_verify_locations(context, ca, NULL)
                    : SSL_CTX_set_default_verify_paths(context);
    tr_status status = TR_OK;
    if (loaded != 1)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected certificates in PEM: %s",
                         ca ? ca : "the system's certificates", last_reason());
    return finish_context(context, status, out);
}

void tr_tls_destroy(tr_tls *tls) {
    if (!tls)
        return;
    SSL_CTX_free(tls->context);
    free(tls);
}

/* --- streams --- */

/* The certificate must be for this host. */
static bool expect_host(SSL *ssl, const char *host) {
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1)
        return true;
    ERR_clear_error();
    return SSL_set1_host(ssl, host) == 1 && SSL_set_tlsext_host_name(ssl, host) == 1;
}

tr_status tr_tls_stream_create(tr_tls *tls, const char *host, tr_tls_stream **out) {
    const BIO_METHOD *method = wire_method();
    tr_tls_stream *stream = calloc(1, sizeof *stream);
    SSL *ssl = SSL_new(tls->context);
    BIO *bio = !method ? NULL : BIO_new(method);
    if (!stream || !ssl || !bio || (host && !expect_host(ssl, host))) {
        BIO_free(bio);
        SSL_free(ssl);
        free(stream);
        ERR_clear_error();
        return TR_RESOURCE_EXHAUSTED;
    }
    stream->ssl = ssl;
    BIO_set_data(bio, stream);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    if (host)
        SSL_set_connect_state(ssl);
    else
        SSL_set_accept_state(ssl);
    *out = stream;
    return TR_OK;
}

void tr_tls_stream_destroy(tr_tls_stream *stream) {
    if (!stream)
        return;
    SSL_free(stream->ssl);
    free(stream->kept);
    free(stream->out);
    free(stream);
}

/* The meaning of a call's unsuccessful result; TR_OK: more bytes are needed. */
static tr_status judge(tr_tls_stream *stream, int result) {
    int kind = SSL_get_error(stream->ssl, result);
    if (kind == SSL_ERROR_WANT_READ)
        return TR_OK;
    if (kind == SSL_ERROR_ZERO_RETURN)
        return TR_CANCELLED;
    long verified = SSL_get_verify_result(stream->ssl);
    if (verified != X509_V_OK)
        snprintf(stream->reason, sizeof stream->reason, "the server's certificate: %s",
                 X509_verify_cert_error_string(verified));
    else
        snprintf(stream->reason, sizeof stream->reason, "TLS: %s", last_reason());
    ERR_clear_error();
    return TR_DATA_LOSS;
}

tr_status tr_tls_stream_start(tr_tls_stream *stream) {
    if (SSL_is_init_finished(stream->ssl))
        return TR_OK;
    ERR_clear_error();
    int result = SSL_do_handshake(stream->ssl);
    return result == 1 ? TR_OK : judge(stream, result);
}

static tr_status read_plain(tr_tls_stream *stream,
                            bool (*plain)(void *context, const uint8_t *bytes, size_t size),
                            void *context) {
    uint8_t bytes[RECORD_MAX];
    for (;;) {
        ERR_clear_error();
        int size = SSL_read(stream->ssl, bytes, sizeof bytes);
        if (size <= 0)
            return judge(stream, size);
        stream->opening = 0;
        if (!plain(context, bytes, (size_t)size))
            return TR_OK;
    }
}

/* Joins the kept and the new bytes into one piece. */
static tr_status join_pieces(tr_tls_stream *stream, const uint8_t *bytes, size_t size) {
    if (stream->in_size == 0) {
        stream->in = bytes;
        stream->in_size = size;
        return TR_OK;
    }
    if (size == 0)
        return TR_OK;
    uint8_t *joined = malloc(stream->in_size + size);
    if (!joined)
        return TR_RESOURCE_EXHAUSTED;
    memcpy(joined, stream->in, stream->in_size);
    memcpy(joined + stream->in_size, bytes, size);
    free(stream->kept);
    stream->kept = joined;
    stream->in = joined;
    stream->in_size += size;
    return TR_OK;
}

/* Keeps the unread bytes of the piece. */
static tr_status keep_rest(tr_tls_stream *stream) {
    uint8_t *kept = NULL;
    if (stream->in_size > 0) {
        kept = malloc(stream->in_size);
        if (!kept)
            return TR_RESOURCE_EXHAUSTED;
        memcpy(kept, stream->in, stream->in_size);
    }
    free(stream->kept);
    stream->in = stream->kept = kept;
    return TR_OK;
}

tr_status tr_tls_stream_receive(tr_tls_stream *stream, const uint8_t *bytes, size_t size,
                                bool (*plain)(void *context, const uint8_t *bytes, size_t size),
                                void *context) {
    tr_status status = join_pieces(stream, bytes, size);
    if (status)
        return status;
    status = tr_tls_stream_start(stream);
    if (!status && SSL_is_init_finished(stream->ssl))
        status = read_plain(stream, plain, context);
    tr_status kept = keep_rest(stream);
    return status ? status : kept;
}

size_t tr_tls_stream_held(const tr_tls_stream *stream) {
    return stream->in_size + stream->opening;
}

bool tr_tls_stream_is_ready(const tr_tls_stream *stream) {
    return SSL_is_init_finished(stream->ssl);
}

bool tr_tls_stream_binding(const tr_tls_stream *stream, uint8_t out[TR_TLS_BINDING_SIZE]) {
    static const char label[] = "EXPORTER-Channel-Binding";
    return SSL_is_init_finished(stream->ssl) &&
           SSL_export_keying_material(stream->ssl, out, TR_TLS_BINDING_SIZE, label,
                                      sizeof label - 1, NULL, 0, 0) == 1;
}

tr_status tr_tls_stream_send(tr_tls_stream *stream, const uint8_t *bytes, size_t size) {
    size_t written = 0;
    ERR_clear_error();
    int result = SSL_write_ex(stream->ssl, bytes, size, &written);
    if (result == 1) /* without SSL_MODE_ENABLE_PARTIAL_WRITE: all of it */
        return TR_OK;
    tr_status status = judge(stream, result);
    return !status ? TR_DATA_LOSS : status;
}

void tr_tls_stream_finish(tr_tls_stream *stream) {
    (void)!SSL_shutdown(stream->ssl);
    ERR_clear_error();
}

size_t tr_tls_stream_waiting(const tr_tls_stream *stream) {
    return stream->out_size;
}

uint8_t *tr_tls_stream_take(tr_tls_stream *stream, size_t *out_size) {
    if (stream->out_size == 0)
        return NULL;
    uint8_t *out = stream->out;
    *out_size = stream->out_size;
    stream->out = NULL;
    stream->out_size = stream->out_capacity = 0;
    return out;
}

const char *tr_tls_stream_reason(const tr_tls_stream *stream) {
    return stream->reason;
}
