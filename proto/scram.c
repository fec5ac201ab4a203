#include "proto/scram.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>

enum {
    NONCE_BYTES = 24,
    BASE64_HASH = 44, /* characters of 32 bytes */
    BASE64_SALT = 24, /* of 16 bytes */
    BINDING_INPUT_MAX = 20 + TR_SCRAM_BINDING_SIZE,
    BASE64_BINDING_MAX = (BINDING_INPUT_MAX + 2) / 3 * 4 + 1
};

static const char *const headers[] = {[TR_SCRAM_UNBOUND] = "n,,",
                                      [TR_SCRAM_UNOFFERED] = "y,,",
                                      [TR_SCRAM_BOUND] = "p=tls-exporter,,"};
enum { HEADER_COUNT = sizeof headers / sizeof *headers };

/* --- base64 (RFC 4648, section 4, with padding) --- */

static void encode(const uint8_t *bytes, size_t size, char *out) {
    EVP_EncodeBlock((unsigned char *)out, bytes, (int)size);
}

/* Decodes `size` bytes, a salt or a hash, at *at and moves it behind them. */
static bool take(const char **at, uint8_t *out, size_t size) {
    uint8_t bytes[BASE64_HASH];
    char again[BASE64_HASH + 1];
    size_t length = (size + 2) / 3 * 4;
    if (strnlen(*at, length) != length ||
        EVP_DecodeBlock(bytes, (const unsigned char *)*at, (int)length) < (int)size)
        return false;
    encode(bytes, size, again); /* only the canonical text: no spaces, no stray bits */
    if (memcmp(*at, again, length) != 0)
        return false;
    memcpy(out, bytes, size);
    *at += length;
    return true;
}

/* --- the equations --- */

static void mac(const uint8_t key[TR_SCRAM_HASH_SIZE], const char *text,
                uint8_t out[TR_SCRAM_HASH_SIZE]) {
    HMAC(EVP_sha256(), key, TR_SCRAM_HASH_SIZE, (const uint8_t *)text, strlen(text), out, NULL);
}

static void hash(const uint8_t in[TR_SCRAM_HASH_SIZE], uint8_t out[TR_SCRAM_HASH_SIZE]) {
    EVP_Digest(in, TR_SCRAM_HASH_SIZE, out, NULL, EVP_sha256(), NULL);
}

static void combine(const uint8_t a[TR_SCRAM_HASH_SIZE], const uint8_t b[TR_SCRAM_HASH_SIZE],
                    uint8_t out[TR_SCRAM_HASH_SIZE]) {
    for (int i = 0; i < TR_SCRAM_HASH_SIZE; i++)
        out[i] = a[i] ^ b[i];
}

typedef struct key_set {
    uint8_t client_key[TR_SCRAM_HASH_SIZE], stored_key[TR_SCRAM_HASH_SIZE];
    uint8_t server_key[TR_SCRAM_HASH_SIZE];
} key_set;

static bool derive(const char *password, const uint8_t salt[TR_KEY_SALT_SIZE], int iterations,
                   key_set *out) {
    uint8_t salted[TR_SCRAM_HASH_SIZE];
    if (PKCS5_PBKDF2_HMAC(password, (int)strlen(password), salt, TR_KEY_SALT_SIZE, iterations,
                          EVP_sha256(), sizeof salted, salted) != 1)
        return false;
    mac(salted, "Client Key", out->client_key);
    mac(salted, "Server Key", out->server_key);
    hash(out->client_key, out->stored_key);
    OPENSSL_cleanse(salted, sizeof salted);
    return true;
}

/* --- verifiers --- */

tr_status tr_scram_verifier_make(const char *password, const uint8_t salt[TR_KEY_SALT_SIZE],
                                 int iterations, tr_scram_verifier *out) {
    key_set keys;
    if (!derive(password, salt, iterations, &keys))
        return TR_INTERNAL;
    out->iterations = iterations;
    memcpy(out->salt, salt, sizeof out->salt);
    memcpy(out->stored_key, keys.stored_key, sizeof out->stored_key);
    memcpy(out->server_key, keys.server_key, sizeof out->server_key);
    OPENSSL_cleanse(&keys, sizeof keys);
    return TR_OK;
}

/* A whole number from 1 to TR_SCRAM_ITERATIONS_MAX before `end`, without leading zeros; else 0. */
static int read_iterations(const char *text, const char **end) {
    int value = 0;
    if (*text == '0')
        return 0;
    for (; *text >= '0' && *text <= '9' && value <= TR_SCRAM_ITERATIONS_MAX; text++)
        value = 10 * value + (*text - '0');
    *end = text;
    return value <= TR_SCRAM_ITERATIONS_MAX ? value : 0;
}

/* Skips `what` at *at. False: something else is there. */
static bool skip(const char **at, const char *what) {
    size_t size = strlen(what);
    if (strncmp(*at, what, size) != 0)
        return false;
    *at += size;
    return true;
}

/* At the end of the text, or before an extension. */
static bool ends(const char *at) {
    return *at == '\0' || *at == ',';
}

bool tr_scram_verifier_parse(const char *text, tr_scram_verifier *out) {
    tr_scram_verifier found;
    const char *at = text;
    if (!skip(&at, TR_SCRAM_MECHANISM "$"))
        return false;
    found.iterations = read_iterations(at, &at);
    if (found.iterations < TR_SCRAM_ITERATIONS || !skip(&at, ":") ||
        !take(&at, found.salt, sizeof found.salt) || !skip(&at, "$") ||
        !take(&at, found.stored_key, sizeof found.stored_key) || !skip(&at, ":") ||
        !take(&at, found.server_key, sizeof found.server_key) || *at != '\0')
        return false;
    *out = found;
    return true;
}

void tr_scram_verifier_format(const tr_scram_verifier *verifier,
                              char out[TR_SCRAM_VERIFIER_TEXT_MAX]) {
    char salt[BASE64_SALT + 1], stored[BASE64_HASH + 1], server[BASE64_HASH + 1];
    encode(verifier->salt, sizeof verifier->salt, salt);
    encode(verifier->stored_key, sizeof verifier->stored_key, stored);
    encode(verifier->server_key, sizeof verifier->server_key, server);
    snprintf(out, TR_SCRAM_VERIFIER_TEXT_MAX, TR_SCRAM_MECHANISM "$%d:%s$%s:%s",
             verifier->iterations, salt, stored, server);
}

tr_status tr_scram_nonce(char out[TR_SCRAM_NONCE_MAX]) {
    uint8_t bytes[NONCE_BYTES];
    tr_status status = tr_key_random(bytes, sizeof bytes);
    if (!status)
        encode(bytes, sizeof bytes, out);
    return status;
}

/* base64 of the header and the TLS connection's exported bytes: the "c=" of client-final. */
static void encode_binding(tr_scram_header header, const uint8_t data[TR_SCRAM_BINDING_SIZE],
                           char out[BASE64_BINDING_MAX]) {
    uint8_t input[BINDING_INPUT_MAX];
    size_t size = strlen(headers[header]);
    memcpy(input, headers[header], size);
    if (header == TR_SCRAM_BOUND) {
        memcpy(input + size, data, TR_SCRAM_BINDING_SIZE);
        size += TR_SCRAM_BINDING_SIZE;
    }
    encode(input, size, out);
}

/* --- the client's side --- */

tr_status tr_scram_client_first(tr_scram_client *client, const char *name, const char *password,
                                const char *nonce, const tr_scram_binding *binding,
                                char out[TR_SCRAM_MESSAGE_MAX]) {
    *client = (tr_scram_client){.binding = *binding};
    if (strlen(name) >= TR_KEY_NAME_MAX || strlen(password) >= sizeof client->password ||
        strlen(nonce) >= sizeof client->nonce)
        return TR_INVALID_ARGUMENT;
    memcpy(client->password, password, strlen(password) + 1);
    memcpy(client->nonce, nonce, strlen(nonce) + 1);
    snprintf(client->first_bare, sizeof client->first_bare, "n=%s,r=%s", name, nonce);
    snprintf(out, TR_SCRAM_MESSAGE_MAX, "%s%s", headers[binding->header], client->first_bare);
    return TR_OK;
}

typedef struct server_first {
    char nonce[2 * TR_SCRAM_NONCE_MAX];
    uint8_t salt[TR_KEY_SALT_SIZE];
    int iterations;
} server_first;

/* "r=" and a nonce, up to the next comma or the end. */
static bool read_nonce(const char **at, char *out, size_t capacity) {
    if (!skip(at, "r="))
        return false;
    size_t size = strcspn(*at, ",");
    if (size == 0 || size >= capacity)
        return false;
    for (size_t i = 0; i < size; i++)
        if ((*at)[i] < 0x21 || (*at)[i] > 0x7e)
            return false;
    memcpy(out, *at, size);
    out[size] = '\0';
    *at += size;
    return true;
}

static bool read_server_first(const char *at, server_first *out) {
    if (!read_nonce(&at, out->nonce, sizeof out->nonce) || !skip(&at, ",s=") ||
        !take(&at, out->salt, sizeof out->salt) || !skip(&at, ",i="))
        return false;
    out->iterations = read_iterations(at, &at);
    return out->iterations >= TR_SCRAM_ITERATIONS && ends(at);
}

tr_status tr_scram_client_final(tr_scram_client *client, const char *server_first_text,
                                char out[TR_SCRAM_MESSAGE_MAX]) {
    server_first first;
    key_set keys;
    size_t own = strlen(client->nonce);
    if (strlen(server_first_text) >= TR_SCRAM_MESSAGE_MAX ||
        !read_server_first(server_first_text, &first) ||
        strncmp(first.nonce, client->nonce, own) != 0 || first.nonce[own] == '\0')
        return TR_DATA_LOSS;
    if (!derive(client->password, first.salt, first.iterations, &keys))
        return TR_INTERNAL;
    OPENSSL_cleanse(client->password, sizeof client->password);

    char binding[BASE64_BINDING_MAX], bare[TR_SCRAM_MESSAGE_MAX / 2], proof[BASE64_HASH + 1];
    char exchange[3 * TR_SCRAM_MESSAGE_MAX];
    uint8_t signature[TR_SCRAM_HASH_SIZE], proved[TR_SCRAM_HASH_SIZE];
    encode_binding(client->binding.header, client->binding.data, binding);
    snprintf(bare, sizeof bare, "c=%s,r=%s", binding, first.nonce);
    snprintf(exchange, sizeof exchange, "%s,%s,%s", client->first_bare, server_first_text, bare);
    mac(keys.stored_key, exchange, signature);
    combine(keys.client_key, signature, proved);
    mac(keys.server_key, exchange, client->server_signature);
    encode(proved, sizeof proved, proof);
    snprintf(out, TR_SCRAM_MESSAGE_MAX, "%s,p=%s", bare, proof);
    OPENSSL_cleanse(&keys, sizeof keys);
    return TR_OK;
}

bool tr_scram_client_trusts(const tr_scram_client *client, const char *server_final) {
    uint8_t signature[TR_SCRAM_HASH_SIZE];
    const char *at = server_final;
    return skip(&at, "v=") && take(&at, signature, sizeof signature) && ends(at) &&
           CRYPTO_memcmp(signature, client->server_signature, sizeof signature) == 0;
}

/* --- the server's side --- */

static bool read_header(const char **at, tr_scram_header *out) {
    for (int i = 0; i < HEADER_COUNT; i++)
        if (skip(at, headers[i])) {
            *out = (tr_scram_header)i;
            return true;
        }
    return false;
}

tr_status tr_scram_server_begin(tr_scram_server *server, const char *client_first) {
    *server = (tr_scram_server){0};
    const char *at = client_first;
    if (strlen(client_first) >= TR_SCRAM_MESSAGE_MAX || !read_header(&at, &server->header))
        return TR_INVALID_ARGUMENT;
    snprintf(server->exchange, sizeof server->exchange, "%s", at);
    if (!skip(&at, "n="))
        return TR_INVALID_ARGUMENT;
    size_t size = strcspn(at, ",");
    if (size >= sizeof server->name)
        return TR_INVALID_ARGUMENT;
    memcpy(server->name, at, size);
    at += size;
    bool whole = skip(&at, ",") && read_nonce(&at, server->nonce, TR_SCRAM_NONCE_MAX) && ends(at);
    return whole ? TR_OK : TR_INVALID_ARGUMENT;
}

void tr_scram_server_first(tr_scram_server *server, const tr_scram_verifier *verifier,
                           const char *nonce, char out[TR_SCRAM_MESSAGE_MAX]) {
    char salt[BASE64_SALT + 1];
    server->verifier = *verifier;
    size_t theirs = strlen(server->nonce), before = strlen(server->exchange);
    snprintf(server->nonce + theirs, sizeof server->nonce - theirs, "%s", nonce);
    encode(verifier->salt, sizeof verifier->salt, salt);
    snprintf(out, TR_SCRAM_MESSAGE_MAX, "r=%s,s=%s,i=%d", server->nonce, salt,
             verifier->iterations);
    snprintf(server->exchange + before, sizeof server->exchange - before, ",%s", out);
}

/* Checks that channel binding and nonce belong to this exchange. Moves *at past the nonce. */
static bool continues_exchange(const tr_scram_server *server,
                               const uint8_t binding[TR_SCRAM_BINDING_SIZE], const char **at) {
    char expected[BASE64_BINDING_MAX];
    encode_binding(server->header, binding, expected);
    return skip(at, "c=") && skip(at, expected) && skip(at, ",r=") && skip(at, server->nonce);
}

tr_status tr_scram_server_final(const tr_scram_server *server,
                                const uint8_t binding[TR_SCRAM_BINDING_SIZE],
                                const char *client_final, char out[TR_SCRAM_MESSAGE_MAX]) {
    uint8_t proof[TR_SCRAM_HASH_SIZE], signature[TR_SCRAM_HASH_SIZE], found[TR_SCRAM_HASH_SIZE];
    char exchange[3 * TR_SCRAM_MESSAGE_MAX], text[BASE64_HASH + 1];
    const char *at = client_final;
    if (strlen(client_final) >= TR_SCRAM_MESSAGE_MAX || !continues_exchange(server, binding, &at))
        return TR_UNAUTHENTICATED;
    const char *last =
        strstr(at, ",p="); /* text before it is an extension: covered by the proof, not used */
    if (!last || (last != at && *at != ','))
        return TR_UNAUTHENTICATED;
    snprintf(exchange, sizeof exchange, "%s,%.*s", server->exchange, (int)(last - client_final),
             client_final);
    at = last;
    if (!skip(&at, ",p=") || !take(&at, proof, sizeof proof) || *at != '\0')
        return TR_UNAUTHENTICATED;
    mac(server->verifier.stored_key, exchange, signature);
    combine(proof, signature, found); /* the client's key, if the proof is right */
    hash(found, found);
    if (CRYPTO_memcmp(found, server->verifier.stored_key, sizeof found) != 0)
        return TR_UNAUTHENTICATED;
    mac(server->verifier.server_key, exchange, signature);
    encode(signature, sizeof signature, text);
    snprintf(out, TR_SCRAM_MESSAGE_MAX, "v=%s", text);
    return TR_OK;
}
