#include "server/access/gate.h"

#include "server/access/decoy.h"
#include "server/access/lockout.h"
#include "server/net/channel_tls.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PORT_COUNT = 2 };

/* The TLS context of each port: [tr_gate_port]; NULL: plain. */
typedef struct identities {
    tr_tls *of[PORT_COUNT];
} identities;

struct tr_gate {
    uv_loop_t *loop;
    tr_options options;
    identities tls;
    tr_lockout *lockout;
    tr_peers peers;
    tr_member *members;
    uint64_t nameless; /* number of accounts given to players without a key */
    tr_decoy decoy;
};

/* --- certificates --- */

static void warn_of_readable_key(const char *path) {
    struct stat info;
    if (path[0] != '\0' && stat(path, &info) == 0 && (info.st_mode & S_IRWXO) != 0)
        tr_log_line(TR_LOG_WARN, "tls.key_readable", "path=\"%s\" do=\"chmod o-rwx\"", path);
}

static void warn_of_readable_keys(const tr_config *config) {
    if (config->tls)
        warn_of_readable_key(config->private_key);
    if (config->web_tls)
        warn_of_readable_key(tr_config_web_private_key(config));
}

/* --- life --- */

static void forget_tls(identities *tls) {
    for (int i = 0; i < PORT_COUNT; i++)
        tr_tls_destroy(tls->of[i]);
    *tls = (identities){0};
}

/* Loads both ports' TLS, or neither. */
static tr_status load_tls(const tr_config *config, identities *out, tr_error *error) {
    tr_status status = TR_OK;
    *out = (identities){0};
    if (config->tls)
        status =
            tr_tls_serve(config->certificate, config->private_key, &out->of[TR_GATE_GAME], error);
    if (!status && config->web_tls)
        status = tr_tls_serve(tr_config_web_certificate(config), tr_config_web_private_key(config),
                              &out->of[TR_GATE_WEB], error);
    if (status)
        forget_tls(out);
    return status;
}

tr_status tr_gate_check_certificates(const tr_config *config, tr_error *error) {
    identities tls;
    tr_status status = load_tls(config, &tls, error);
    forget_tls(&tls);
    return status;
}

tr_status tr_gate_create(const tr_options *options, uv_loop_t *loop, tr_gate **out,
                         tr_error *error) {
    tr_gate *gate = calloc(1, sizeof *gate);
    if (!gate || tr_lockout_create(&gate->lockout)) {
        tr_gate_destroy(gate);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    }
    gate->loop = loop;
    gate->options = *options;
    gate->peers.limit = options->config.connections_per_address;
    tr_status status = tr_decoy_open(options->config.state_dir, &gate->decoy, error);
    if (!status)
        status = load_tls(&options->config, &gate->tls, error);
    if (status) {
        tr_gate_destroy(gate);
        return status;
    }
    warn_of_readable_keys(&options->config);
    *out = gate;
    return TR_OK;
}

void tr_gate_destroy(tr_gate *gate) {
    if (!gate)
        return;
    forget_tls(&gate->tls);
    tr_lockout_destroy(gate->lockout);
    free(gate);
}

const tr_config *tr_gate_config(const tr_gate *gate) {
    return &gate->options.config;
}

tr_peers *tr_gate_peers(tr_gate *gate) {
    return &gate->peers;
}

tr_channel *tr_gate_open(tr_gate *gate, tr_gate_port port, tr_channel *take_channel) {
    tr_tls *tls = gate->tls.of[port];
    tr_channel *channel = NULL;
    if (!tls)
        return take_channel;
    return !tr_channel_tls_start(gate->loop, tls, take_channel, &channel) ? channel : NULL;
}

/* --- members --- */

static void dress(tr_member *member, tr_role role, const tr_config *config) {
    member->role = role;
    member->limits = config->limits[role];
}

static bool is_same(const tr_scram_verifier *a, const tr_scram_verifier *b) {
    return a->iterations == b->iterations && memcmp(a->salt, b->salt, sizeof a->salt) == 0 &&
           memcmp(a->stored_key, b->stored_key, sizeof a->stored_key) == 0 &&
           memcmp(a->server_key, b->server_key, sizeof a->server_key) == 0;
}

static void review(tr_member *member, const tr_config *from, const tr_config *to) {
    if (member->name[0] == '\0') {
        tr_role role = tr_config_anonymous(to);
        member->revoked |= role == TR_ROLE_NONE;
        dress(member, role, to);
        return;
    }
    const tr_account *before = tr_config_account(from, member->name);
    const tr_account *account = tr_config_account(to, member->name);
    bool same = before && account && is_same(&before->verifier, &account->verifier);
    member->revoked |= !same || account->role == TR_ROLE_NONE;
    if (account) {
        dress(member, account->role, to);
        member->expires_s = account->expires_s;
    }
}

tr_status tr_gate_reload(tr_gate *gate, tr_error *error) {
    identities tls;
    tr_options *options = malloc(sizeof *options);
    if (!options)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = tr_options_parse(gate->options.argc, gate->options.argv, options, error);
    if (!status)
        status = tr_config_may_become(&gate->options.config, &options->config, error);
    if (!status)
        status = load_tls(&options->config, &tls, error);
    if (!status) {
        for (tr_member *m = gate->members; m; m = m->next)
            review(m, &gate->options.config, &options->config);
        forget_tls(&gate->tls);
        gate->tls = tls;
        gate->options = *options;
        gate->peers.limit = options->config.connections_per_address;
        tr_log_set_level(options->config.log_level);
        warn_of_readable_keys(&options->config);
    }
    free(options);
    return status;
}

tr_status tr_member_check(const tr_member *member, int64_t now_s, tr_error *error) {
    if (member->revoked)
        return tr_fail(error, TR_UNAUTHENTICATED, "the key was withdrawn");
    if (member->expires_s != 0 && now_s >= member->expires_s)
        return tr_fail(error, TR_UNAUTHENTICATED, "the key has expired");
    return TR_OK;
}

/* --- logins --- */

static tr_member *find_member(tr_gate *gate, uint64_t account) {
    for (tr_member *m = gate->members; m; m = m->next)
        if (m->account == account && !m->revoked)
            return m;
    return NULL;
}

static tr_status join(tr_gate *gate, const tr_account *account, tr_member **out, tr_error *error) {
    const tr_config *config = &gate->options.config;
    uint64_t id = !account ? 0 : tr_account_id(account->name);
    tr_member *member = id == 0 ? NULL : find_member(gate, id);
    if (!member) {
        member = calloc(1, sizeof *member);
        if (!member)
            return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
        member->account = id;
        if (account) {
            memcpy(member->name, account->name, sizeof member->name);
            member->expires_s = account->expires_s;
        }
        dress(member, account ? account->role : tr_config_anonymous(config), config);
        if (!account && member->role == TR_ROLE_PLAYER)
            member->account = ++gate->nameless; /* small: no hash of a name is */
        member->next = gate->members;
        gate->members = member;
    }
    member->sessions++;
    *out = member;
    return TR_OK;
}

tr_status tr_gate_admit(tr_gate *gate, tr_member **out, tr_error *error) {
    if (tr_config_anonymous(&gate->options.config) == TR_ROLE_NONE)
        return tr_fail(error, TR_UNAUTHENTICATED, "a key is needed here");
    return join(gate, NULL, out, error);
}

tr_status tr_gate_challenge(const tr_gate *gate, const tr_channel *channel,
                            const char *client_first, tr_scram_server *out_scram,
                            char out_server_first[TR_SCRAM_MESSAGE_MAX], tr_error *error) {
    tr_scram_server scram;
    char nonce[TR_SCRAM_NONCE_MAX];
    bool tls = channel->kind->binding != NULL;
    if (tr_scram_server_begin(&scram, client_first))
        return tr_fail(error, TR_UNAUTHENTICATED, "scram_first: expected SCRAM's client-first");
    if (tls && scram.header == TR_SCRAM_UNOFFERED)
        return tr_fail(error, TR_UNAUTHENTICATED,
                       "the client was not offered " TR_SCRAM_PLUS_MECHANISM
                       ", but this daemon offers it: the connection was tampered with");
    if (!tls && scram.header == TR_SCRAM_BOUND)
        return tr_fail(error, TR_UNAUTHENTICATED,
                       "the client bound its login to TLS, which this daemon does not serve here");
    if (tr_scram_nonce(nonce))
        return tr_fail(error, TR_INTERNAL, "no random bytes");
    const tr_account *account = tr_config_account(&gate->options.config, scram.name);
    tr_scram_verifier decoy = tr_decoy_verifier(&gate->decoy, &gate->options.config, scram.name);
    tr_scram_server_first(&scram, account ? &account->verifier : &decoy, nonce, out_server_first);
    *out_scram = scram;
    return TR_OK;
}

static bool shows_key(const tr_login *login, char out_server_final[TR_SCRAM_MESSAGE_MAX]) {
    uint8_t binding[TR_SCRAM_BINDING_SIZE] = {0};
    if (login->scram->header == TR_SCRAM_BOUND &&
        !login->channel->kind->binding(login->channel, binding))
        return false;
    return tr_scram_server_final(login->scram, binding, login->client_final, out_server_final) ==
           TR_OK;
}

static tr_status refuse_guess(tr_gate *gate, const tr_account *account, const tr_login *login,
                              tr_error *error) {
    uint64_t id = !account ? 0 : tr_account_id(account->name);
    if (tr_lockout_count(gate->lockout, id, login->channel->peer, login->now_ms))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "locked out: more than %d wrong keys a minute for one account, or %d from "
                       "one address",
                       TR_GUESSES_PER_ACCOUNT, TR_GUESSES_PER_ADDRESS);
    return tr_fail(error, TR_UNAUTHENTICATED, "this daemon knows no such key");
}

tr_status tr_gate_login(tr_gate *gate, const tr_login *login,
                        char out_server_final[TR_SCRAM_MESSAGE_MAX], tr_member **out,
                        tr_error *error) {
    const tr_account *account = tr_config_account(&gate->options.config, login->scram->name);
    if (!shows_key(login, out_server_final))
        return refuse_guess(gate, account, login, error);
    if (!account ||
        !is_same(&account->verifier, &login->scram->verifier)) /* a reload has removed it */
        return tr_fail(error, TR_UNAUTHENTICATED, "the key was withdrawn");
    if (account->role == TR_ROLE_NONE)
        return tr_fail(error, TR_UNAUTHENTICATED, "the key has no role");
    if (account->expires_s != 0 && login->now_s >= account->expires_s)
        return tr_fail(error, TR_UNAUTHENTICATED, "the key has expired");
    return join(gate, account, out, error);
}

void tr_gate_spawned(tr_gate *gate, uint64_t account) {
    for (tr_member *m = gate->members; account != 0 && m; m = m->next)
        if (m->account == account && m->spawning > 0) {
            m->spawning--;
            return;
        }
}

void tr_gate_release(tr_gate *gate, tr_member *member) {
    if (--member->sessions > 0)
        return;
    tr_member **at = &gate->members;
    while (*at != member)
        at = &(*at)->next;
    *at = member->next;
    free(member);
}
