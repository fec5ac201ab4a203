/* Keys: how a client shows who it is, without showing its key.
 *
 * A key is NAME.SECRET, where SECRET is 48 random bytes in base64url: a salt s of 16 and k of 32. It
 * is told once, when it is made, and kept by the client alone. With H = SHA-256 and M(key, text) =
 * HMAC-SHA-256, as in SCRAM (RFC 5802, without its iterations):
 *
 *     client key     C = M(k, "troupe client key" | s | NAME)
 *     stored         S = H(C)                              all that the daemon's configuration has
 *     challenge      n = 32 random bytes, new for each connection: the daemon's first message
 *     proof          P = C xor M(S, "troupe login" | n | NAME)                 sent in the Hello
 *     the check      H(P xor M(S, "troupe login" | n | NAME)) = S, in constant time
 *
 * Who listens on the wire learns nothing that another connection would take, for n never returns.
 * Who reads the configuration learns S, from which C cannot be found, and cannot log in; only both
 * together can. A key of another daemon has another S: here it is unknown.
 *
 * Plain SHA-256 is right for S, and once: slow hashes make up for passwords that can be guessed, and
 * k has 256 random bits. The salt keeps daemons that were given one k from showing one S.
 *
 * Any thread. */
#ifndef TROUPE_PROTO_KEY_H
#define TROUPE_PROTO_KEY_H

#include "proto/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TR_KEY_NAME_MAX = 48, /* bytes of a name with its terminator */
    TR_KEY_SALT_SIZE = 16,
    TR_KEY_HASH_SIZE = 32, /* bytes of k, S, P and n */
    TR_KEY_TEXT_MAX = 113  /* bytes of NAME.SECRET with the terminator */
};

/* 1 to 47 of a-z, 0-9 and '-'. */
bool tr_key_name_is_valid(const char *name);

/* A new key of this name: its text for the client, and S. TR_INVALID_ARGUMENT: the name;
 * TR_INTERNAL: no random bytes. */
tr_status tr_key_make(const char *name, char out_text[TR_KEY_TEXT_MAX],
                      uint8_t out_stored[TR_KEY_HASH_SIZE]) TR_NODISCARD;

/* Random bytes for a challenge. TR_INTERNAL: there are none. */
tr_status tr_key_challenge(uint8_t out[TR_KEY_HASH_SIZE]) TR_NODISCARD;

/* The client's part: the name in a key's text, and P. TR_INVALID_ARGUMENT: not a key. */
tr_status tr_key_prove(const char *text, const uint8_t challenge[TR_KEY_HASH_SIZE],
                       char out_name[TR_KEY_NAME_MAX],
                       uint8_t out_proof[TR_KEY_HASH_SIZE]) TR_NODISCARD;

/* The daemon's part. Takes as long for a wrong proof as for a right one. */
bool tr_key_check(const char *name, const uint8_t stored[TR_KEY_HASH_SIZE],
                  const uint8_t challenge[TR_KEY_HASH_SIZE], const uint8_t proof[TR_KEY_HASH_SIZE]);

#endif
