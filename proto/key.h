/* Keys: the credentials of a client's login by SCRAM (scram.h).
 *
 * A key is NAME.SECRET, where SECRET is 48 random bytes in base64url. It is shown once, when it is
 * made, and kept only by the client; the daemon's configuration has a verifier made from it. NAME
 * is the user of the login, and SECRET as text its password.
 *
 * Any thread. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    TR_KEY_NAME_MAX = 48, /* bytes of a name with its terminator */
    TR_KEY_SALT_SIZE = 16,
    TR_KEY_SECRET_SIZE = 48,
    TR_KEY_SECRET_TEXT = 64, /* characters of SECRET */
    TR_KEY_TEXT_MAX = 113    /* bytes of NAME.SECRET with the terminator */
};

/* The two parts of a key's text. */
typedef struct tr_key {
    char name[TR_KEY_NAME_MAX];
    char secret[TR_KEY_SECRET_TEXT + 1];
} tr_key;

/* 1 to 47 of a-z, 0-9 and '-'. */
bool tr_key_name_is_valid(const char *name);

/* TR_INVALID_ARGUMENT: not a key. */
tr_status tr_key_parse(const char *text, tr_key *out) TR_NODISCARD;

/* Reads the key that a file holds alone, but for white space around it. TR_INVALID_ARGUMENT: not a
 * key; TR_RESOURCE_EXHAUSTED: too large a file; TR_UNAVAILABLE: it cannot be read. The message is
 * "NAME: what". */
tr_status tr_key_read(FILE *file, const char *name, tr_key *out, tr_error *error) TR_NODISCARD;

/* Makes a new key with this name. TR_INVALID_ARGUMENT: the name; TR_INTERNAL: no random bytes. */
tr_status tr_key_make(const char *name, tr_key *out) TR_NODISCARD;

/* Makes random bytes that need not be secret: a verifier's salt, a nonce. TR_INTERNAL: no random
 * bytes. */
tr_status tr_key_random(uint8_t *out, size_t size) TR_NODISCARD;

/* Overwrites the key in memory. */
void tr_key_forget(tr_key *key);
