/* Encodes the parts of a control fragment as blobs (blob.h). Inside db/ only.
 *
 * Payloads, version 1; u32 is an unsigned integer of 32 bits, all else doubles:
 *
 *     targets  u32 steps, u32 bodies; m_hat: [steps][bodies] (w, x, y, z)
 *     policy   u32 joints, u32 size, u32 features; u32 body: [joints];
 *              M: [size][features], a_hat: [size], sigma: [size]   (liu2015-guided, eq. 7 and 18);
 *              where K is not zero (fragment.h) also u32 grounds, K: [size][grounds]
 *     state    u32 bodies; root_pos 3, root_rot 4, root_vel 3, root_omega 3;
 *              joint: [bodies] (w, x, y, z); joint_rate: [bodies] 3
 *
 * Decoding sets the members that the payload holds and leaves the others unchanged. */
#pragma once

#include "control/fragments/fragment.h"
#include "db/store/blob.h"

tr_status tr_encoding_put_targets(const tr_quat *targets, int steps, int body_count, tr_blob *out,
                                  tr_error *error) TR_NODISCARD;
tr_status tr_encoding_put_policy(const tr_policy *policy, const tr_action_map *map, tr_blob *out,
                                 tr_error *error) TR_NODISCARD;
tr_status tr_encoding_put_state(const tr_state *state, int body_count, tr_blob *out,
                                tr_error *error) TR_NODISCARD;

/* The counts must be equal to the arguments. out: [steps][body_count]. */
tr_status tr_encoding_get_targets(tr_blob_view blob, int steps, int body_count, tr_quat *out,
                                  tr_error *error) TR_NODISCARD;
tr_status tr_encoding_get_policy(tr_blob_view blob, tr_policy *out, tr_action_map *out_map,
                                 tr_error *error) TR_NODISCARD;
tr_status tr_encoding_get_state(tr_blob_view blob, int body_count, tr_state *out,
                                tr_error *error) TR_NODISCARD;
