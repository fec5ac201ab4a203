/* Accounts of the configuration: the keys and their roles. Plain data. */
#pragma once

#include "proto/scram.h"
#include "server/config/role.h"

enum { TR_ACCOUNTS_MAX = 1024 };

typedef struct tr_account {
    char name[TR_KEY_NAME_MAX];
    uint64_t id; /* tr_account_id of the name */
    tr_role role;
    int64_t expires_s; /* refused from this time on, seconds since 1970; 0: never */
    tr_scram_verifier verifier;
} tr_account;

/* Makes the verifier of a key, with a new salt. TR_INTERNAL: no random bytes. */
tr_status tr_account_verifier(const tr_key *key, char out[TR_SCRAM_VERIFIER_TEXT_MAX]) TR_NODISCARD;

/* "2027-01-31" (its first second) or "2027-01-31T12:00:00Z", UTC. */
bool tr_expiry_parse(const char *text, int64_t *out_s);

/* The id of an account in worlds and snapshots: a function of the name, above 2^63. */
uint64_t tr_account_id(const char *name);
