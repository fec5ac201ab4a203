/* Every operation, once for each call of the library or the system that may fail in it; the linker wraps
 * these calls. The operation then fails or does without, leaks nothing, and succeeds when the call does. */
#include "cmocka_test.h"
#include "tls_pair.h"

#include "proto/frame.h"
#include "proto/json_text.h"
#include "proto/key.h"
#include "proto/mapping.h"
#include "proto/message.h"
#include "proto/scram.h"
#include "proto/sink.h"
#include "proto/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <troupe/envelope.pb-c.h>
#include <unistd.h>

/* --- what fails --- */

static long countdown; /* to the call that fails; 0: none does */

static bool is_refused(int reason) {
    const bool refused = countdown > 0 && --countdown == 0;
    if (refused)
        errno = reason;
    return refused;
}

#define WRAP(result, name, parameters, arguments, failure, reason)                                 \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters {                                                              \
        return is_refused(reason) ? (failure) : __real_##name arguments;                           \
    }

WRAP(void *, malloc, (size_t size), (size), NULL, ENOMEM)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NULL, ENOMEM)
WRAP(void *, realloc, (void *data, size_t size), (data, size), NULL, ENOMEM)
WRAP(int, open, (const char *path, int flags, int mode), (path, flags, mode), -1, EACCES)
WRAP(FILE *, fdopen, (int file, const char *mode), (file, mode), NULL, ENOMEM)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EACCES)
WRAP(int, ferror, (FILE * file), (file), 1, 0)
WRAP(int, fflush, (FILE * file), (file), EOF, ENOSPC)
WRAP(int, fsync, (int file), (file), -1, EIO)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1, EPERM)
WRAP(int, fcntl, (int file, int command, int argument), (file, command, argument), -1, EMFILE)
WRAP(int, RAND_bytes, (unsigned char *out, int size), (out, size), 0, 0)
WRAP(int, RAND_priv_bytes, (unsigned char *out, int size), (out, size), 0, 0)
WRAP(int, PKCS5_PBKDF2_HMAC,
     (const char *password, int length, const unsigned char *salt, int salt_length, int iterations,
      const EVP_MD *hash, int size, unsigned char *out),
     (password, length, salt, salt_length, iterations, hash, size, out), 0, 0)
WRAP(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *method), (method), NULL, 0)
long __real_SSL_CTX_ctrl(SSL_CTX *context, int command, long number, void *data);
long __wrap_SSL_CTX_ctrl(SSL_CTX *context, int command, long number, void *data);
long __wrap_SSL_CTX_ctrl(SSL_CTX *context, int command, long number, void *data) {
    return command == SSL_CTRL_SET_MIN_PROTO_VERSION && is_refused(0)
               ? 0
               : __real_SSL_CTX_ctrl(context, command, number, data);
}
WRAP(int, SSL_CTX_set_num_tickets, (SSL_CTX * context, size_t count), (context, count), 0, 0)
WRAP(SSL *, SSL_new, (SSL_CTX * context), (context), NULL, 0)
WRAP(BIO *, BIO_new, (const BIO_METHOD *method), (method), NULL, 0)
WRAP(BIO_METHOD *, BIO_meth_new, (int type, const char *name), (type, name), NULL, 0)
WRAP(int, SSL_set1_host, (SSL * ssl, const char *host), (ssl, host), 0, 0)
WRAP(int, SSL_export_keying_material,
     (SSL * ssl, unsigned char *out, size_t size, const char *label, size_t length,
      const unsigned char *context, size_t context_size, int has_context),
     (ssl, out, size, label, length, context, context_size, has_context), 0, 0)

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file) {
    const int result = __real_fclose(file);
    return is_refused(EIO) ? EOF : result;
}

/* --- operations --- */

static char folder[] = "/tmp/troupe-refused-XXXXXX";
static char text_path[64], out_path[64], certificate[64], private_key[64];

static tr_status do_replace_file(tr_error *error) {
    return tr_sink_write(out_path, "new", 3, error);
}

/* A number of an open file. */
static tr_status do_write_through(tr_error *error) {
    char path[32];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    tr_status status = tr_sink_write(path, "new", 3, error);
    close(ends[0]);
    close(ends[1]);
    return status;
}

static tr_status do_flush_output(tr_error *error) {
    return tr_standard_output_flush(error);
}

static tr_status do_read_text(tr_error *error) {
    OWN_MEMORY char *text = NULL;
    size_t size = 0;
    tr_status status = tr_text_file_read(text_path, 1 << 20, &text, &size, error);
    return status;
}

static tr_status do_parse_json(tr_error *error) {
    json_t *value = NULL;
    tr_status status = tr_json_parse("{}", 2, "given", &value, error);
    json_decref(value);
    return status;
}

static tr_status do_make_keys(tr_error *error) {
    tr_key key;
    char nonce[TR_SCRAM_NONCE_MAX];
    (void)error;
    tr_status status = tr_key_make("arena", &key);
    return status ? status : tr_scram_nonce(nonce);
}

static tr_status do_log_in(tr_error *error) {
    static const uint8_t salt[TR_KEY_SALT_SIZE] = {1};
    static const tr_scram_binding unbound = {.header = TR_SCRAM_UNBOUND};
    tr_scram_verifier verifier;
    tr_scram_client client;
    tr_scram_server server;
    char text[TR_SCRAM_MESSAGE_MAX];
    (void)error;
    tr_status status = tr_scram_verifier_make("secret", salt, TR_SCRAM_ITERATIONS, &verifier);
    if (status)
        return status;
    assert_int_equal(tr_scram_client_first(&client, "arena", "secret", "abc", &unbound, text), 0);
    assert_int_equal(tr_scram_server_begin(&server, text), 0);
    tr_scram_server_first(&server, &verifier, "def", text);
    return tr_scram_client_final(&client, text, text);
}

static tr_status do_frame_and_decode(tr_error *error) {
    Troupe__Clip clip = TROUPE__CLIP__INIT;
    ProtobufCMessage *again = NULL;
    OWN_MEMORY uint8_t *frame = NULL;
    size_t size = 0;
    (void)error;
    clip.name = (char *)"a name of some length";
    tr_status status = tr_message_frame(&clip.base, 1 << 10, &frame, &size);
    if (!status)
        status = tr_message_decode(&troupe__clip__descriptor, frame + 1, size - 1, &again);
    tr_message_destroy(again);
    return status;
}

static tr_status do_gather_frame(tr_error *error) {
    static const uint8_t stream[] = {4, 1, 2, 3, 4};
    tr_frame_decoder decoder;
    tr_frame_view frame;
    tr_status status = TR_OK;
    (void)error;
    tr_frame_decoder_init(&decoder, 100);
    for (size_t i = 0; !status && i < sizeof stream; i++) {
        const uint8_t *at = &stream[i];
        size_t one = 1;
        status = tr_frame_decoder_take(&decoder, &at, &one, &frame);
    }
    tr_frame_decoder_deinit(&decoder);
    return status;
}

typedef struct row {
    double pos[3], rot[4];
    uint8_t digest[2];
} row;

typedef struct table {
    int row_count;
    const row *rows;
    double pos[3];
} table;

static const tr_mapping row_mapping = TR_MAPPING(row, Geom, geom, TR_COPY(pos, rot));
static const tr_mapping table_mapping =
    TR_MAPPING(table, SpawnObject, spawn_object, TR_COPY(pos),
               TR_COPY_LIST_AS(row_count, rows, geoms, row_mapping));
static const tr_mapping digest_mapping =
    TR_MAPPING(row, Clip, clip, TR_COPY_HEX_AS(digest, file_digest));

static tr_status do_map(tr_error *error) {
    const row rows[2] = {{{0}, {0}, {1}}};
    const table from = {.row_count = 2, .rows = rows};
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    table again;
    (void)error;
    (void)tr_mapping_write(&digest_mapping, rows, &memory);
    const void *message = tr_mapping_write(&table_mapping, &from, &memory);
    tr_mapping_read(&table_mapping, message, &again, &memory);
    assert_true(memory.failed || again.row_count == 2);
    const tr_status status = memory.failed ? TR_RESOURCE_EXHAUSTED : TR_OK;
    return status;
}

static tr_status do_speak_tls(tr_error *error) {
    OWN(tr_tls) *serving = NULL, *connecting = NULL;
    OWN_BY(tls_pair_destroy) tls_pair pair = {0};
    uint8_t binding[TR_TLS_BINDING_SIZE];
    tr_status status = tr_tls_serve(certificate, private_key, &serving, error);
    if (!status)
        status = tr_tls_connect(certificate, &connecting, error);
    if (!status)
        status = tls_pair_create(serving, connecting, "arena", &pair);
    if (!status)
        status = tls_pair_pump(&pair, 1000);
    if (!status)
        status = tr_tls_stream_send(pair.client, (const uint8_t *)"go.", 3);
    if (!status)
        status = tr_tls_stream_send(pair.client, (const uint8_t *)"on.", 3);
    if (!status)
        status = tls_pair_pump(&pair, 30);
    if (!status)
        status = tls_pair_ask(&pair);
    if (!status && !tr_tls_stream_binding(pair.client, binding))
        status = TR_INTERNAL;
    return status;
}

static const struct {
    const char *name;
    tr_status (*run)(tr_error *error);
    int least; /* calls that can fail in it */
} operations[] = {{"replace a file", do_replace_file, 6},
                  {"write through", do_write_through, 3},
                  {"flush the output", do_flush_output, 1},
                  {"read a text", do_read_text, 3},
                  {"parse JSON", do_parse_json, 1},
                  {"make keys", do_make_keys, 2},
                  {"log in", do_log_in, 2},
                  {"frame and decode", do_frame_and_decode, 3},
                  {"gather a frame", do_gather_frame, 1},
                  {"map", do_map, 6},
                  {"speak TLS", do_speak_tls, 15}};

TEST(a_call_that_fails_costs_its_operation_alone) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        int failures = 0;
        bool ended = false;
        for (long n = 1; !ended; n++) {
            tr_error error = {0};
            countdown = n;
            tr_status status = operations[i].run(&error);
            ended = countdown > 0;
            countdown = 0;
            failures += status != TR_OK;
            if (ended && status)
                fail_msg("%s fails though no call does: %s %s", operations[i].name,
                         tr_status_name(status), error.message);
        }
        if (failures < operations[i].least)
            fail_msg("%s: %d failures, expected %d", operations[i].name, failures,
                     operations[i].least);
    }
}

FIXTURE(make_files) {
    assert_non_null(mkdtemp(folder));
    snprintf(text_path, sizeof text_path, "%s/text", folder);
    snprintf(out_path, sizeof out_path, "%s/out", folder);
    snprintf(certificate, sizeof certificate, "%s/certificate", folder);
    snprintf(private_key, sizeof private_key, "%s/key", folder);
    tls_write_identity(certificate, private_key, "arena");
    FILE *file = fopen(text_path, "w");
    for (int i = 0; file && i < 100000; i++)
        fputs("words ", file);
    assert_int_equal(file ? fclose(file) : -1, 0);
}

static int remove_files(void **state) {
    (void)state;
    (void)unlink(text_path);
    (void)unlink(out_path);
    (void)unlink(certificate);
    (void)unlink(private_key);
    return rmdir(folder); /* fails where a temporary file was left */
}

SUITE_FIXTURE(make_files, remove_files);
