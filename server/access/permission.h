/* Permission to send a command. Each kind of command has a right, which names the lowest role for
 * acting on anything, and perhaps a lower role for acting within a scope. Pure functions. */
#pragma once

#include "server/access/member.h"

/* What a command of the lower role may act on. */
typedef enum tr_scope {
    TR_SCOPE_ALL,    /* anything */
    TR_SCOPE_OWN,    /* a character that a session of the same key spawned */
    TR_SCOPE_STEPPED /* the world's time, in a stepped world */
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

/* May this member send a command with this right to a world? `stepped`: the world is stepped. On
 * success *out_own_only says whether it may act only on the member's own characters.
 * TR_PERMISSION_DENIED: no; `error` names the lowest role. */
tr_status tr_command_right_check(const tr_command_right *right, const tr_member *member,
                                 bool stepped, bool *out_own_only, tr_error *error) TR_NODISCARD;
