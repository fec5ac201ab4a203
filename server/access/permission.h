/* Who may send a command. Each kind of command carries a right, which names a role for acting on
 * anything, and perhaps a lower one for acting within a scope. Pure functions. */
#ifndef TROUPE_SERVER_PERMISSION_H
#define TROUPE_SERVER_PERMISSION_H

#include "server/access/member.h"

/* On what a command of a lower role may act. */
typedef enum tr_scope {
    TR_SCOPE_ALL,    /* anything */
    TR_SCOPE_OWN,    /* a character that a session of the same key spawned */
    TR_SCOPE_STEPPED /* the world's time, if it is a stepped world */
} tr_scope;

typedef struct tr_command_right {
    tr_role role;     /* from this one on, on anything */
    tr_role own_role; /* from this one on, within `own_scope` */
    tr_scope own_scope;
} tr_command_right;

#define TR_ANY_FROM(role)                                                                          \
    { role, role, TR_SCOPE_ALL }
#define TR_OWN_FROM_PLAYER                                                                         \
    { TR_ROLE_DIRECTOR, TR_ROLE_PLAYER, TR_SCOPE_OWN }
#define TR_STEPPED_FROM_PLAYER                                                                     \
    { TR_ROLE_DIRECTOR, TR_ROLE_PLAYER, TR_SCOPE_STEPPED }

/* May this member send a command of this right to a world? `stepped`: of that mode. On success
 * *out_own_only tells whether it may act on the member's own characters alone.
 * TR_PERMISSION_DENIED: no; `error` says from which role on. */
tr_status tr_command_right_check(const tr_command_right *right, const tr_member *member,
                                 bool stepped, bool *out_own_only, tr_error *error) TR_NODISCARD;

#endif
