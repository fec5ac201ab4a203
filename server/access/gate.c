#include "server/access/gate.h"

#include "server/access/lockout.h"
#include "server/net/channel_tls.h"

#include <stdlib.h>
#include <string.h>

enum { PORT_COUNT = 2 };

/* What each port is served with: [tr_gate_port]; NULL: plain. */
typedef struct identities {
    tr_tls *of[PORT_COUNT];
} identities;

struct tr_gate {
    uv_loop_t *loop;
    tr_options options;
    identities tls;
    tr_lockout *lockout;
    tr_peers *peers;
    tr_member *members;
    uint64_t nameless; /* accounts given to players without a key */
};

/* --- life --- */

static void forget_tls(identities *tls) {
    for (int i = 0; i < PORT_COUNT; i++)
        tr_tls_destroy(tls->of[i]);
    *tls = (identities){0};
}

/* Both or none. */
static tr_status load_tls(const tr_config *config, identities *out, tr_error *error) {
    tr_status status = TR_OK;
    *out = (identities){0};
    if (config->tls)
        status =
            tr_tls_serve(config->certificate, config->private_key, &out->of[TR_GATE_GAME], error);
    if (status == TR_OK && config->web_tls)
        status = tr_tls_serve(tr_config_web_certificate(config), tr_config_web_private_key(config),
                              &out->of[TR_GATE_WEB], error);
    if (status != TR_OK)
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
    if (gate == NULL || tr_lockout_create(&gate->lockout) != TR_OK ||
        tr_peers_create(options->config.connections_per_address, &gate->peers) != TR_OK) {
        tr_gate_destroy(gate);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    }
    gate->loop = loop;
    gate->options = *options;
    tr_status status = load_tls(&options->config, &gate->tls, error);
    if (status != TR_OK) {
        tr_gate_destroy(gate);
        return status;
    }
    *out = gate;
    return TR_OK;
}

void tr_gate_destroy(tr_gate *gate) {
    if (gate == NULL)
        return;
    forget_tls(&gate->tls);
    tr_lockout_destroy(gate->lockout);
    tr_peers_destroy(gate->peers);
    free(gate);
}

const tr_config *tr_gate_config(const tr_gate *gate) {
    return &gate->options.config;
}

tr_peers *tr_gate_peers(const tr_gate *gate) {
    return gate->peers;
}

tr_channel *tr_gate_open(tr_gate *gate, tr_gate_port port, tr_channel *take_channel) {
    tr_tls *tls = gate->tls.of[port];
    tr_channel *channel = NULL;
    if (tls == NULL)
        return take_channel;
    return tr_channel_tls_start(gate->loop, tls, take_channel, &channel) == TR_OK ? channel : NULL;
}

/* --- what a member may --- */

static void dress(tr_member *member, tr_role role, const tr_config *config) {
    member->role = role;
    member->limits = config->limits[role];
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
    bool same = before != NULL && account != NULL &&
                memcmp(before->stored, account->stored, sizeof account->stored) == 0;
    member->revoked |= !same || account->role == TR_ROLE_NONE;
    if (account != NULL) {
        dress(member, account->role, to);
        member->expires_s = account->expires_s;
    }
}

tr_status tr_gate_reload(tr_gate *gate, tr_error *error) {
    identities tls;
    tr_options *options = malloc(sizeof *options);
    if (options == NULL)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = tr_options_parse(gate->options.argc, gate->options.argv, options, error);
    if (status == TR_OK)
        status = tr_config_may_become(&gate->options.config, &options->config, error);
    if (status == TR_OK)
        status = load_tls(&options->config, &tls, error);
    if (status == TR_OK) {
        for (tr_member *m = gate->members; m != NULL; m = m->next)
            review(m, &gate->options.config, &options->config);
        forget_tls(&gate->tls);
        gate->tls = tls;
        gate->options = *options;
        tr_peers_set_limit(gate->peers, options->config.connections_per_address);
        tr_log_set_level(options->config.log_level);
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
    for (tr_member *m = gate->members; m != NULL; m = m->next)
        if (m->account == account && !m->revoked)
            return m;
    return NULL;
}

static tr_status join(tr_gate *gate, const tr_account *account, tr_member **out, tr_error *error) {
    const tr_config *config = &gate->options.config;
    uint64_t id = account == NULL ? 0 : tr_account_id(account->name);
    tr_member *member = id == 0 ? NULL : find_member(gate, id);
    if (member == NULL) {
        member = calloc(1, sizeof *member);
        if (member == NULL)
            return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
        member->account = id;
        if (account != NULL) {
            memcpy(member->name, account->name, sizeof member->name);
            member->expires_s = account->expires_s;
        }
        dress(member, account != NULL ? account->role : tr_config_anonymous(config), config);
        if (account == NULL && member->role == TR_ROLE_PLAYER)
            member->account = ++gate->nameless; /* small: no hash of a name is */
        member->next = gate->members;
        gate->members = member;
    }
    member->sessions++;
    *out = member;
    return TR_OK;
}

/* Whether there is such an account or not, as much is computed. */
static bool shows_key(const tr_account *account, const tr_login *login) {
    static const uint8_t none[TR_KEY_HASH_SIZE];
    if (login->proof_size != TR_KEY_HASH_SIZE)
        return false;
    bool right =
        tr_key_check(account != NULL ? account->name : "nobody",
                     account != NULL ? account->stored : none, login->challenge, login->proof);
    return right && account != NULL;
}

static tr_status refuse_guess(tr_gate *gate, const tr_account *account, const tr_login *login,
                              tr_error *error) {
    uint64_t id = account == NULL ? 0 : tr_account_id(account->name);
    if (tr_lockout_count(gate->lockout, id, login->address, login->now_ms))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "locked out: more than %d wrong keys a minute for one account, or %d from "
                       "one address",
                       TR_GUESSES_PER_ACCOUNT, TR_GUESSES_PER_ADDRESS);
    return tr_fail(error, TR_UNAUTHENTICATED, "this daemon knows no such key");
}

tr_status tr_gate_login(tr_gate *gate, const tr_login *login, tr_member **out, tr_error *error) {
    const tr_config *config = &gate->options.config;
    if (login->key_name[0] == '\0') {
        if (tr_config_anonymous(config) == TR_ROLE_NONE)
            return tr_fail(error, TR_UNAUTHENTICATED, "a key is needed here");
        return join(gate, NULL, out, error);
    }
    const tr_account *account = tr_config_account(config, login->key_name);
    if (!shows_key(account, login))
        return refuse_guess(gate, account, login, error);
    if (account->role == TR_ROLE_NONE)
        return tr_fail(error, TR_UNAUTHENTICATED, "the key has no role");
    if (account->expires_s != 0 && login->now_s >= account->expires_s)
        return tr_fail(error, TR_UNAUTHENTICATED, "the key has expired");
    return join(gate, account, out, error);
}

void tr_gate_spawned(tr_gate *gate, uint64_t account) {
    for (tr_member *m = gate->members; account != 0 && m != NULL; m = m->next)
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
