/* A login with a key: SCRAM (proto/scram.h), from the daemon's Challenge to its welcome.
 *
 *     Challenge --> tr_key_login_first --> Hello --> tr_key_login_final --> Authenticate
 *                                                          welcome --> tr_key_login_is_proved */
#pragma once

#include "client/c/connection.h"
#include "proto/scram.h"
#include "troupe/session.pb-c.h"

typedef struct tr_key_login {
    bool wanted; /* there is a key */
    bool shown;  /* client-final was sent, and the key erased */
    tr_key key;
    tr_scram_client scram;
} tr_key_login;

/* Makes client-first; call once. TR_FAILED_PRECONDITION: the daemon does not offer SCRAM;
 * TR_INTERNAL: no random bytes. */
tr_status tr_key_login_first(tr_key_login *login, const tr_connection *connection,
                             const Troupe__Challenge *challenge, char out[TR_SCRAM_MESSAGE_MAX],
                             tr_error *error) TR_NODISCARD;

/* Makes client-final. TR_DATA_LOSS: the daemon's server-first is malformed. */
tr_status tr_key_login_final(tr_key_login *login, const char *server_first,
                             char out[TR_SCRAM_MESSAGE_MAX]) TR_NODISCARD;

/* Has the daemon proved that it knows the key? True without a key. */
bool tr_key_login_is_proved(const tr_key_login *login, const char *server_final);
