/* The gate: decides which clients are admitted, and with which role. It holds the running
 * configuration with its keys and certificates, adds TLS to the channels of both ports, and checks
 * logins.
 *
 *     listener --> tr_gate_open --> (TLS) --> session: Hello --> tr_gate_admit, without a key ---+
 *                                                |                                               |
 *                                                +--> tr_gate_challenge --> tr_gate_login --+    |
 *                                                                                           v    v
 *     SIGHUP --> tr_gate_reload: all of the new configuration, or none of it      member, with a role
 *
 * For the loop's thread only. */
#pragma once

#include "proto/scram.h"
#include "server/access/member.h"
#include "server/config/options.h"
#include "server/net/channel.h"
#include "server/net/peers.h"

typedef struct tr_gate tr_gate;

typedef enum tr_gate_port { TR_GATE_GAME, TR_GATE_WEB } tr_gate_port;

/* Loads the certificates of ports with TLS; copies the options. The state directory exists: decoy.h
 * keeps a file there. */
tr_status tr_gate_create(const tr_options *options, uv_loop_t *loop, tr_gate **out,
                         tr_error *error) TR_NODISCARD;
void tr_gate_destroy(tr_gate *gate); /* call after the last connection; NULL is allowed */

/* The running configuration; the next reload changes it in place. */
const tr_config *tr_gate_config(const tr_gate *gate);

/* Can TLS be served as configured? TR_INVALID_ARGUMENT: the error names the bad file and the
 * reason. */
tr_status tr_gate_check_certificates(const tr_config *config, tr_error *error) TR_NODISCARD;

/* The connections per address; valid as long as the gate. */
tr_peers *tr_gate_peers(tr_gate *gate);

/* Takes a connection of a port and adds TLS if configured. NULL: the connection was closed. */
tr_channel *tr_gate_open(tr_gate *gate, tr_gate_port port, tr_channel *take_channel);

/* Reads options and configuration again, and the certificates. On failure nothing changes. On
 * success members have the new roles and limits, and those whose keys were removed are `revoked`:
 * end their sessions. */
tr_status tr_gate_reload(tr_gate *gate, tr_error *error) TR_NODISCARD;

/* --- logins --- */

/* The member for a client without a key; release it when its session ends. TR_UNAUTHENTICATED: a
 * key is needed; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_gate_admit(tr_gate *gate, tr_member **out, tr_error *error) TR_NODISCARD;

/* Answers SCRAM's client-first with the verifier of the account with this name or, if there is
 * none, with one that fits no key. `channel`: tells whether a login can be bound to it.
 * TR_UNAUTHENTICATED: not a client-first message, or it does not fit the offered mechanisms. */
tr_status tr_gate_challenge(const tr_gate *gate, const tr_channel *channel,
                            const char *client_first, tr_scram_server *out_scram,
                            char out_server_first[TR_SCRAM_MESSAGE_MAX],
                            tr_error *error) TR_NODISCARD;

typedef struct tr_login {
    const tr_scram_server *scram; /* filled by tr_gate_challenge */
    const tr_channel *channel;
    const char *client_final;
    uint64_t now_ms; /* of the loop */
    int64_t now_s;   /* of the calendar: seconds since 1970 */
} tr_login;

/* The member for a client that proves a key, and SCRAM's server-final. TR_UNAUTHENTICATED: refused,
 * with the reason; TR_RESOURCE_EXHAUSTED: too many wrong keys, or no memory. */
tr_status tr_gate_login(tr_gate *gate, const tr_login *login,
                        char out_server_final[TR_SCRAM_MESSAGE_MAX], tr_member **out,
                        tr_error *error) TR_NODISCARD;
void tr_gate_release(tr_gate *gate, tr_member *member);

/* A character requested by a member's session (tr_member.spawning) was spawned or refused. */
void tr_gate_spawned(tr_gate *gate, uint64_t account);

/* Checks that a member may continue. TR_UNAUTHENTICATED: its key was withdrawn or has expired. */
tr_status tr_member_check(const tr_member *member, int64_t now_s, tr_error *error) TR_NODISCARD;
