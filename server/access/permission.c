#include "server/access/permission.h"

tr_status tr_command_right_check(const tr_command_right *right, const tr_member *member,
                                 bool stepped, bool *out_own_only, tr_error *error) {
    *out_own_only = false;
    if (member->role >= right->role)
        return TR_OK;
    if (member->role < right->own_role)
        return tr_fail(error, TR_PERMISSION_DENIED,
                       "this command is not for the role %s: expected %s or more",
                       tr_role_name(member->role), tr_role_name(right->own_role));
    if (right->own_scope == TR_SCOPE_STEPPED && !stepped)
        return tr_fail(error, TR_PERMISSION_DENIED,
                       "only in stepped worlds may the role %s control the time",
                       tr_role_name(member->role));
    *out_own_only = right->own_scope == TR_SCOPE_OWN;
    return TR_OK;
}
