#include "server/config/config.h"

#include "proto/limits.h"
#include "server/config/address.h"

#include <stdlib.h>
#include <string.h>

void tr_config_default(tr_config *out) {
    *out = (tr_config){.host = "127.0.0.1",
                       .port = TR_DEFAULT_PORT,
                       .web_host = "127.0.0.1",
                       .web_port = TR_DEFAULT_WEB_PORT,
                       .state_dir = "troupe-state",
                       .connections_per_address = TR_DEFAULT_CONNECTIONS_PER_ADDRESS,
                       .step_ms = TR_DEFAULT_STEP_MS,
                       .world_percent = TR_DEFAULT_WORLD_PERCENT,
                       .worlds = TR_DEFAULT_FLEET_WORLDS,
                       .relay_subscriptions = TR_SUBSCRIPTIONS_MAX,
                       .training_limit = 1,
                       .training_threads = 1,
                       .log_level = TR_LOG_INFO};
    for (int i = 0; i < TR_ROLE_COUNT; i++)
        out->limits[i] = tr_role_limits_default((tr_role)i);
}

static tr_status check_listen_tls(const tr_config *config, tr_error *error) {
    bool files = config->certificate[0] != '\0' && config->private_key[0] != '\0';
    bool any = config->certificate[0] != '\0' || config->private_key[0] != '\0';
    if (config->tls && !files)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "listen.tls: expected listen.certificate and listen.private_key with it");
    if (!config->tls && any)
        return tr_fail(
            error, TR_INVALID_ARGUMENT,
            "listen.certificate, listen.private_key: expected listen.tls = true as well");
    return TR_OK;
}

static tr_status check_web_tls(const tr_config *config, tr_error *error) {
    bool files = config->web_certificate[0] != '\0' && config->web_private_key[0] != '\0';
    bool any = config->web_certificate[0] != '\0' || config->web_private_key[0] != '\0';
    if (config->web_tls && !files && (any || !config->tls))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "web.tls: expected web.certificate and web.private_key with it, or "
                       "listen.tls, whose certificate is then used for both");
    if (!config->web_tls && any)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "web.certificate, web.private_key: expected web.tls = true as well");
    return TR_OK;
}

static tr_status check_tls(const tr_config *config, tr_error *error) {
    tr_status status = check_listen_tls(config, error);
    return !status ? check_web_tls(config, error) : status;
}

const char *tr_config_web_certificate(const tr_config *config) {
    return config->web_certificate[0] != '\0' ? config->web_certificate : config->certificate;
}

const char *tr_config_web_private_key(const tr_config *config) {
    return config->web_private_key[0] != '\0' ? config->web_private_key : config->private_key;
}

static tr_status check_address(const char *name, const char *host, tr_error *error) {
    if (tr_address_is_numeric(host))
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s %s: expected a numeric address, as in 127.0.0.1",
                   name, host);
}

static tr_status check_addresses(const tr_config *config, tr_error *error) {
    tr_status status = check_address("listen.address", config->host, error);
    if (!status && config->web_host[0] != '\0')
        status = check_address("web.address", config->web_host, error);
    return status;
}

bool tr_config_is_local(const tr_config *config) {
    return tr_address_is_loopback(config->host) &&
           (config->web_host[0] == '\0' || tr_address_is_loopback(config->web_host));
}

/* A forgotten setting must neither admit other machines' clients nor let them listen. */
static tr_status check_reach(const tr_config *config, tr_error *error) {
    bool local = tr_address_is_loopback(config->host);
    bool web_local = config->web_host[0] == '\0' || tr_address_is_loopback(config->web_host);
    if (!local && !config->tls && !config->plain_anywhere)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "listen.address %s: beyond this machine expected listen.tls = true, or "
                       "listen.plain_anywhere = true",
                       config->host);
    if (!web_local && !config->web_tls && !config->web_plain_anywhere)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "web.address %s: beyond this machine expected web.tls = true, or "
                       "web.plain_anywhere = true",
                       config->web_host);
    if (!tr_config_is_local(config) && config->account_count == 0 && !config->anonymous_is_set)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "beyond this machine expected keys, or anonymous = \"ROLE\"");
    return TR_OK;
}

/* It is started in another folder. */
static tr_status check_training(const tr_config *config, tr_error *error) {
    if (config->training_program[0] == '\0' || config->training_program[0] == '/')
        return TR_OK;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "training.program %s: expected a path that begins with /",
                   config->training_program);
}

tr_status tr_config_check(const tr_config *config, tr_error *error) {
    tr_status status = check_addresses(config, error);
    if (!status)
        status = check_training(config, error);
    if (!status)
        status = check_tls(config, error);
    return !status ? check_reach(config, error) : status;
}

/* A file that was emptied, or cut short while it was written, must not admit every client as
 * admin. */
static tr_status check_still_guarded(const tr_config *from, const tr_config *to, tr_error *error) {
    bool was_guarded = from->account_count > 0 || from->anonymous_is_set;
    bool is_open = to->account_count == 0 && !to->anonymous_is_set;
    if (!was_guarded || !is_open)
        return TR_OK;
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "keys: no keys are left, so every client would be admin; expected keys, or "
                   "anonymous = \"ROLE\"");
}

tr_status tr_config_may_become(const tr_config *from, const tr_config *to, tr_error *error) {
    const struct {
        const char *name;
        bool same;
    } fixed[] = {
        {"listen.address", strcmp(from->host, to->host) == 0},
        {"listen.port", from->port == to->port},
        {"listen.tls", from->tls == to->tls},
        {"web.address", strcmp(from->web_host, to->web_host) == 0},
        {"web.port", from->web_port == to->web_port},
        {"web.tls", from->web_tls == to->web_tls},
        {"web.root", strcmp(from->web_root, to->web_root) == 0},
        {"state_dir", strcmp(from->state_dir, to->state_dir) == 0},
        {"catalogue", strcmp(from->catalogue, to->catalogue) == 0},
        {"shipped", strcmp(from->shipped, to->shipped) == 0},
        {"threads", from->threads == to->threads},
        {"processor.step_ms", from->step_ms == to->step_ms},
        {"processor.world_percent", from->world_percent == to->world_percent},
        {"max_clients", from->max_clients == to->max_clients},
        {"relay.upstream", strcmp(from->relay_host, to->relay_host) == 0 &&
                               from->relay_port == to->relay_port &&
                               from->relay_tls == to->relay_tls},
        {"relay.subscriptions", from->relay_subscriptions == to->relay_subscriptions},
        {"fleet.agones", from->agones == to->agones},
        {"training.clips", strcmp(from->training_clips, to->training_clips) == 0},
        {"training.program", strcmp(from->training_program, to->training_program) == 0},
        {"training.limit", from->training_limit == to->training_limit},
        {"training.threads", from->training_threads == to->training_threads},
    };
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (!fixed[i].same)
            return tr_fail(error, TR_FAILED_PRECONDITION, "%s: changing it requires a restart",
                           fixed[i].name);
    return check_still_guarded(from, to, error);
}

static int compare_name(const void *name, const void *account) {
    return strcmp(name, ((const tr_account *)account)->name);
}

const tr_account *tr_config_account(const tr_config *config, const char *name) {
    return bsearch(name, config->account, (size_t)config->account_count, sizeof(tr_account),
                   compare_name);
}

tr_role_limits tr_config_limits(const tr_config *config, uint64_t account) {
    tr_role role = tr_config_anonymous(config);
    for (int i = 0; i < config->account_count; i++)
        if (config->account[i].id == account)
            role = config->account[i].role;
    return config->limits[role];
}

tr_role tr_config_anonymous(const tr_config *config) {
    if (config->anonymous_is_set)
        return config->anonymous;
    return config->account_count == 0 ? TR_ROLE_ADMIN : TR_ROLE_NONE;
}
