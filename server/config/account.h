/* Accounts as the configuration has them: which keys there are, and what each may. Plain data. */
#ifndef TROUPE_SERVER_ACCOUNT_H
#define TROUPE_SERVER_ACCOUNT_H

#include "proto/key.h"
#include "server/config/role.h"

enum { TR_ACCOUNTS_MAX = 1024 };

typedef struct tr_account {
    char name[TR_KEY_NAME_MAX];
    tr_role role;
    int64_t expires_s;                /* seconds since 1970 from when on it is refused; 0: never */
    uint8_t stored[TR_KEY_HASH_SIZE]; /* key.h's S */
} tr_account;

/* S as text: "sha256:" and 64 hexadecimal digits. */
enum { TR_STORED_TEXT_MAX = 72 };
bool tr_stored_parse(const char *text, uint8_t out[TR_KEY_HASH_SIZE]);
void tr_stored_format(const uint8_t stored[TR_KEY_HASH_SIZE], char out[TR_STORED_TEXT_MAX]);

/* "2027-01-31" (its first second) or "2027-01-31T12:00:00Z", UTC. */
bool tr_expiry_parse(const char *text, int64_t *out_s);

/* Stands for an account in worlds and snapshots: the same for the same name, and above 2^63. */
uint64_t tr_account_id(const char *name);

#endif
