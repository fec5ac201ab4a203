/* A member: the owner of a session, and its use of the limits. All sessions of one key share one
 * member; a client without a key gets a separate one. Its sessions count references; the gate keeps
 * and frees it. For the loop's thread only. */
#pragma once

#include "proto/status.h"
#include "server/config/account.h"
#include "server/config/role.h"
#include "server/net/bucket.h"

#include <stddef.h>

typedef struct tr_member {
    uint64_t account; /* tr_account_id; without a key: a unique one for a player, else 0 */
    char name[TR_KEY_NAME_MAX]; /* of the key; "" */
    tr_role role;
    tr_role_limits limits;
    int64_t expires_s; /* 0: never */
    bool revoked;      /* its key was removed from the configuration */
    int sessions;
    int subscriptions;
    int spawning; /* characters requested and not answered yet */
    tr_bucket requests, bytes, sent;
    struct tr_member *next;
} tr_member;

/* Counts one request of `size` bytes. TR_RESOURCE_EXHAUSTED: `error` names the limit; TR_OK. */
tr_status tr_member_spend(tr_member *member, size_t size, uint64_t now_ms,
                          tr_error *error) TR_NODISCARD;

/* The largest frame that it may send, bytes: at most one second's bytes of requests, because a
 * larger frame would take memory and then wait for its allowance. */
size_t tr_member_frame_max(const tr_member *member);

/* Counts bytes sent to it, which may leave a debt. */
void tr_member_send(tr_member *member, size_t size, uint64_t now_ms);

/* Time until more should be sent to it, ms; 0: now. */
uint64_t tr_member_owes_ms(tr_member *member, uint64_t now_ms);

/* May it have one more than `count`? Statuses as above. `limit` 0: no limit. */
tr_status tr_member_may_have(const tr_member *member, int count, int limit, const char *what,
                             tr_error *error) TR_NODISCARD;
