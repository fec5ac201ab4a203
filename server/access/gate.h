/* The gate: who comes in, and as what. It holds the running configuration with its keys and
 * certificates, puts TLS under the channels of both ports, and checks logins.
 *
 *     listener --> tr_gate_open --> (TLS) --> session: Hello --> tr_gate_admit, without a key ---+
 *                                                |                                               |
 *                                                +--> tr_gate_challenge --> tr_gate_login --+    |
 *                                                                                           v    v
 *     SIGHUP --> tr_gate_reload: all of the new configuration, or none of it      member, with a role
 *
 * The loop's thread alone. */
#ifndef TROUPE_SERVER_GATE_H
#define TROUPE_SERVER_GATE_H

#include "proto/scram.h"
#include "server/access/member.h"
#include "server/config/options.h"
#include "server/net/channel.h"
#include "server/net/peers.h"

typedef struct tr_gate tr_gate;

typedef enum tr_gate_port { TR_GATE_GAME, TR_GATE_WEB } tr_gate_port;

/* Loads the certificates where there is to be TLS; copies the options. */
tr_status tr_gate_create(const tr_options *options, uv_loop_t *loop, tr_gate **out,
                         tr_error *error) TR_NODISCARD;
void tr_gate_destroy(tr_gate *gate); /* after the last connection; NULL is fine */

/* As it stands now; the next reload changes it in place. */
const tr_config *tr_gate_config(const tr_gate *gate);

/* Can TLS be served as configured? TR_INVALID_ARGUMENT: which file is no good, and why. */
tr_status tr_gate_check_certificates(const tr_config *config, tr_error *error) TR_NODISCARD;

/* Who is connected from where; as long as the gate. */
tr_peers *tr_gate_peers(const tr_gate *gate);

/* Takes a connection of a port: puts TLS on it where that is configured. NULL: it is gone. */
tr_channel *tr_gate_open(tr_gate *gate, tr_gate_port port, tr_channel *take_channel);

/* Reads options and configuration again, and the certificates. On failure all stays as it was. On
 * success members have the roles and limits of the new one, and those whose keys are gone are
 * `revoked`: end their sessions. */
tr_status tr_gate_reload(tr_gate *gate, tr_error *error) TR_NODISCARD;

/* --- logins --- */

/* Whom a client without a key is let in as; release it when its session ends. TR_UNAUTHENTICATED: a key
 * is needed; TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_gate_admit(tr_gate *gate, tr_member **out, tr_error *error) TR_NODISCARD;

/* Answers SCRAM's client-first: with the verifier of the account of this name or, where there is none,
 * with one that no key has. `channel`: whether a login can be bound to it. TR_UNAUTHENTICATED: it is no
 * client-first, or does not fit what was offered. */
tr_status tr_gate_challenge(const tr_gate *gate, const tr_channel *channel,
                            const char *client_first, tr_scram_server *out_scram,
                            char out_server_first[TR_SCRAM_MESSAGE_MAX],
                            tr_error *error) TR_NODISCARD;

typedef struct tr_login {
    const tr_scram_server *scram; /* as tr_gate_challenge left it */
    const tr_channel *channel;
    const char *client_final;
    uint64_t now_ms; /* of the loop */
    int64_t now_s;   /* of the calendar: seconds since 1970 */
} tr_login;

/* Whom a client that shows a key is let in as, and SCRAM's server-final. TR_UNAUTHENTICATED: as nobody,
 * and why; TR_RESOURCE_EXHAUSTED: it guesses too often, or no memory. */
tr_status tr_gate_login(tr_gate *gate, const tr_login *login,
                        char out_server_final[TR_SCRAM_MESSAGE_MAX], tr_member **out,
                        tr_error *error) TR_NODISCARD;
void tr_gate_release(tr_gate *gate, tr_member *member);

/* A character that a member's session asked for (tr_member.spawning) is there, or was refused. */
void tr_gate_spawned(tr_gate *gate, uint64_t account);

/* Whether a member may go on. TR_UNAUTHENTICATED: its key was withdrawn or has expired. */
tr_status tr_member_check(const tr_member *member, int64_t now_s, tr_error *error) TR_NODISCARD;

#endif
