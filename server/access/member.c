#include "server/access/member.h"

#include "proto/limits.h"

tr_status tr_member_spend(tr_member *member, size_t size, uint64_t now_ms, tr_error *error) {
    const tr_role_limits *limits = &member->limits;
    if (!tr_bucket_take(&member->requests, limits->requests_per_s, limits->requests_per_s, 1,
                        now_ms))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "requests_per_s: the role %s has %d requests a second",
                       tr_role_name(member->role), limits->requests_per_s);
    if (!tr_bucket_take(&member->bytes, limits->bytes_per_s, limits->bytes_per_s, (double)size,
                        now_ms))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "bytes_per_s: the role %s has %d bytes of requests a second",
                       tr_role_name(member->role), limits->bytes_per_s);
    return TR_OK;
}

size_t tr_member_frame_max(const tr_member *member) {
    int bytes_per_s = member->limits.bytes_per_s;
    if (bytes_per_s == 0 || bytes_per_s > TR_FRAME_CLIENT_MAX)
        return TR_FRAME_CLIENT_MAX;
    return bytes_per_s < TR_FRAME_BEFORE_HELLO_MAX ? TR_FRAME_BEFORE_HELLO_MAX
                                                   : (size_t)bytes_per_s;
}

void tr_member_send(tr_member *member, size_t size, uint64_t now_ms) {
    tr_bucket_owe(&member->sent, member->limits.sent_bytes_per_s, member->limits.sent_bytes_per_s,
                  (double)size, now_ms);
}

uint64_t tr_member_owes_ms(tr_member *member, uint64_t now_ms) {
    return tr_bucket_wait_ms(&member->sent, member->limits.sent_bytes_per_s,
                             member->limits.sent_bytes_per_s, now_ms);
}

tr_status tr_member_may_have(const tr_member *member, int count, int limit, const char *what,
                             tr_error *error) {
    if (limit == 0 || count < limit)
        return TR_OK;
    return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%s: the role %s may have %d", what,
                   tr_role_name(member->role), limit);
}
