/* What a login with a name without an account is answered with: a verifier that looks like a real
 * one and fits no key. It is the same for a name after a restart too, so that names with an account
 * cannot be told apart by asking twice. */
#pragma once

#include "proto/scram.h"
#include "server/config/config.h"

typedef struct tr_decoy {
    uint8_t secret[TR_SCRAM_HASH_SIZE]; /* makes the salts */
} tr_decoy;

/* Reads the secret from the file `decoy` in the state directory, or makes it there.
 * TR_PERMISSION_DENIED: the file cannot be read or written; TR_INTERNAL: no random bytes. */
tr_status tr_decoy_open(const char *state_dir, tr_decoy *out, tr_error *error) TR_NODISCARD;

/* With as many iterations as one of the accounts, drawn by the name. */
tr_scram_verifier tr_decoy_verifier(const tr_decoy *decoy, const tr_config *config,
                                    const char *name);
