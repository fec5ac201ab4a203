/* The gate: who comes in, and as what. It holds the running configuration with its keys and
 * certificates, puts TLS under the channels of both ports, and checks logins.
 *
 *     listener --> tr_gate_open --> (TLS) --> session: Challenge ... Hello --> tr_gate_login
 *                                                                                  |
 *     SIGHUP --> tr_gate_reload: all of the new configuration, or none of it    member, with a role
 *
 * The loop's thread alone. */
#ifndef TROUPE_SERVER_GATE_H
#define TROUPE_SERVER_GATE_H

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

typedef struct tr_login {
    const char *key_name; /* "": none */
    const uint8_t *proof; /* [proof_size] */
    size_t proof_size;
    const uint8_t *challenge; /* [TR_KEY_HASH_SIZE]: what the session was challenged with */
    const char *address;      /* the peer's */
    uint64_t now_ms;          /* of the loop */
    int64_t now_s;            /* of the calendar: seconds since 1970 */
} tr_login;

/* Whom a client is let in as; release it when its session ends. TR_UNAUTHENTICATED: as nobody, and
 * why; TR_RESOURCE_EXHAUSTED: it guesses too often, or no memory. */
tr_status tr_gate_login(tr_gate *gate, const tr_login *login, tr_member **out,
                        tr_error *error) TR_NODISCARD;
void tr_gate_release(tr_gate *gate, tr_member *member);

/* A character that a member's session asked for (tr_member.spawning) is there, or was refused. */
void tr_gate_spawned(tr_gate *gate, uint64_t account);

/* Whether a member may go on. TR_UNAUTHENTICATED: its key was withdrawn or has expired. */
tr_status tr_member_check(const tr_member *member, int64_t now_s, tr_error *error) TR_NODISCARD;

#endif
