/* SCRAM-SHA-256 and SCRAM-SHA-256-PLUS (RFC 5802, RFC 7677): a client proves that it has a key, and
 * the daemon that it knows the key, without sending it. Uses OpenSSL's PBKDF2, HMAC and SHA-256.
 *
 *     client                                              server
 *     client-first  n,,n=NAME,r=C                   -->
 *                                                   <--   server-first  r=CS,s=SALT,i=ITERATIONS
 *     client-final  c=BINDING,r=CS,p=ClientProof    -->
 *                                                   <--   server-final  v=ServerSignature
 *
 *     SaltedPassword = PBKDF2(password, SALT, ITERATIONS)
 *     ClientKey = HMAC(SaltedPassword, "Client Key")      StoredKey = SHA-256(ClientKey)
 *     ServerKey = HMAC(SaltedPassword, "Server Key")
 *     AuthMessage = client-first without its header + "," + server-first + "," + client-final without p
 *     ClientProof = ClientKey xor HMAC(StoredKey, AuthMessage)
 *     ServerSignature = HMAC(ServerKey, AuthMessage)
 *
 * The server keeps a verifier: SALT, ITERATIONS, StoredKey and ServerKey. It is not enough to log
 * in, nor are the bytes of an earlier login, because both nonces are new each time. The proof
 * covers the header (n, y or p=...) and the channel binding (RFC 9266, "tls-exporter"), so that an
 * attacker between the two ends of a TLS connection, or one that removes the binding from the
 * offer, is detected.
 *
 * Names here are names of keys (key.h), passwords are ASCII: SASLprep and the escapes of names do
 * not change them. Texts are terminated; nonces are arguments, printable ASCII without a comma. Any
 * thread. */
#pragma once

#include "proto/key.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stdint.h>

#define TR_SCRAM_MECHANISM "SCRAM-SHA-256"
#define TR_SCRAM_PLUS_MECHANISM "SCRAM-SHA-256-PLUS"

enum {
    TR_SCRAM_MESSAGE_MAX = 512, /* bytes of a message with its terminator */
    TR_SCRAM_NONCE_MAX = 65,    /* bytes of one side's nonce with its terminator */
    TR_SCRAM_HASH_SIZE = 32,
    TR_SCRAM_BINDING_SIZE = 32,
    TR_SCRAM_ITERATIONS = 4096, /* the minimum of RFC 7677; enough, because keys are random */
    TR_SCRAM_ITERATIONS_MAX = 1000000,
    TR_SCRAM_VERIFIER_TEXT_MAX = 160
};

typedef struct tr_scram_verifier {
    int iterations;
    uint8_t salt[TR_KEY_SALT_SIZE];
    uint8_t stored_key[TR_SCRAM_HASH_SIZE], server_key[TR_SCRAM_HASH_SIZE];
} tr_scram_verifier;

/* TR_INTERNAL: OpenSSL has no memory. */
tr_status tr_scram_verifier_make(const char *password, const uint8_t salt[TR_KEY_SALT_SIZE],
                                 int iterations, tr_scram_verifier *out) TR_NODISCARD;

/* "SCRAM-SHA-256$ITERATIONS:SALT$StoredKey:ServerKey", base64, in PostgreSQL's format. */
bool tr_scram_verifier_parse(const char *text, tr_scram_verifier *out);
void tr_scram_verifier_format(const tr_scram_verifier *verifier,
                              char out[TR_SCRAM_VERIFIER_TEXT_MAX]);

/* 24 random bytes as text. TR_INTERNAL: no random bytes. */
tr_status tr_scram_nonce(char out[TR_SCRAM_NONCE_MAX]) TR_NODISCARD;

/* The header of client-first: the client's statement about channel binding. */
typedef enum tr_scram_header {
    TR_SCRAM_UNBOUND, /* "n": it cannot bind */
    TR_SCRAM_UNOFFERED /* "y": it could, but the server did not offer it */,
    TR_SCRAM_BOUND /* "p=tls-exporter" */
} tr_scram_header;

typedef struct tr_scram_binding {
    tr_scram_header header;
    uint8_t data[TR_SCRAM_BINDING_SIZE]; /* TR_SCRAM_BOUND: exported by the TLS connection */
} tr_scram_binding;

/* --- the client's side --- */

typedef struct tr_scram_client {
    char password[TR_KEY_SECRET_TEXT + 1];
    char nonce[TR_SCRAM_NONCE_MAX];
    char first_bare[TR_SCRAM_MESSAGE_MAX];
    tr_scram_binding binding;
    uint8_t server_signature[TR_SCRAM_HASH_SIZE];
} tr_scram_client;

/* TR_INVALID_ARGUMENT: password or nonce is too long. */
tr_status tr_scram_client_first(tr_scram_client *client, const char *name, const char *password,
                                const char *nonce, const tr_scram_binding *binding,
                                char out[TR_SCRAM_MESSAGE_MAX]) TR_NODISCARD;

/* Erases the password. TR_DATA_LOSS: not a server-first message, or not for this nonce. */
tr_status tr_scram_client_final(tr_scram_client *client, const char *server_first,
                                char out[TR_SCRAM_MESSAGE_MAX]) TR_NODISCARD;

/* Whether the server has proved that it knows the key. */
bool tr_scram_client_trusts(const tr_scram_client *client, const char *server_final);

/* --- the server's side --- */

typedef struct tr_scram_server {
    char name[TR_KEY_NAME_MAX];              /* of client-first */
    tr_scram_header header;                  /* likewise */
    char exchange[2 * TR_SCRAM_MESSAGE_MAX]; /* the known part of AuthMessage */
    char nonce[2 * TR_SCRAM_NONCE_MAX];      /* of both sides */
    tr_scram_verifier verifier;
} tr_scram_server;

/* Reads client-first and fills the name and the nonce. TR_INVALID_ARGUMENT: not a client-first
 * message. */
tr_status tr_scram_server_begin(tr_scram_server *server, const char *client_first) TR_NODISCARD;

/* Writes server-first for this verifier. */
void tr_scram_server_first(tr_scram_server *server, const tr_scram_verifier *verifier,
                           const char *nonce, char out[TR_SCRAM_MESSAGE_MAX]);

/* Checks the proof, in the same time whether it is right or wrong. `binding`: exported by this
 * side's TLS connection, used if the client has bound. TR_UNAUTHENTICATED: not proved. */
tr_status tr_scram_server_final(const tr_scram_server *server,
                                const uint8_t binding[TR_SCRAM_BINDING_SIZE],
                                const char *client_final,
                                char out[TR_SCRAM_MESSAGE_MAX]) TR_NODISCARD;
