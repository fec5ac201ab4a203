#include "client/c/key_login.h"

#include <string.h>

static bool offers(const Troupe__Challenge *challenge, const char *mechanism) {
    for (size_t i = 0; i < challenge->n_mechanisms; i++)
        if (strcmp(challenge->mechanisms[i], mechanism) == 0)
            return true;
    return false;
}

tr_status tr_key_login_first(tr_key_login *login, const tr_connection *connection,
                             const Troupe__Challenge *challenge, char out[TR_SCRAM_MESSAGE_MAX],
                             tr_error *error) {
    char nonce[TR_SCRAM_NONCE_MAX];
    if (!offers(challenge, TR_SCRAM_MECHANISM))
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "the server does not offer " TR_SCRAM_MECHANISM
                       ", the login of this client: it is older");
    /* Binds the login to the TLS connection where both ends can. */
    tr_scram_binding binding = {.header = TR_SCRAM_UNBOUND};
    _Static_assert((int)TR_SCRAM_BINDING_SIZE == (int)TR_TLS_BINDING_SIZE,
                   "the binding is what TLS exports");
    if (tr_connection_binding(connection, binding.data))
        binding.header =
            offers(challenge, TR_SCRAM_PLUS_MECHANISM) ? TR_SCRAM_BOUND : TR_SCRAM_UNOFFERED;
    tr_status status = tr_scram_nonce(nonce);
    if (!status)
        status = tr_scram_client_first(&login->scram, login->key.name, login->key.secret, nonce,
                                       &binding, out);
    tr_key_forget(&login->key);
    return tr_fail_if(error, status, "cannot begin the login");
}

tr_status tr_key_login_final(tr_key_login *login, const char *server_first,
                             char out[TR_SCRAM_MESSAGE_MAX]) {
    tr_status status = tr_scram_client_final(&login->scram, server_first, out);
    login->shown = !status;
    return status;
}

bool tr_key_login_is_proved(const tr_key_login *login, const char *server_final) {
    return !login->wanted || (login->shown && tr_scram_client_trusts(&login->scram, server_final));
}
