#include "cli/hosts.h"

#include "cli/failure.h"
#include "cli/srv.h"

#include <stdio.h>
#include <string.h>

/* --- the list --- */

static bool add(const tr_cli *cli, const char *text, tr_cli_hosts *out) {
    tr_cli parsed = {.port = cli->port};
    if (out->count == TR_CLI_HOSTS_MAX || !tr_cli_parse_address(text, &parsed))
        return false;
    tr_cli_host *host = &out->host[out->count++];
    memcpy(host->host, parsed.host, sizeof host->host);
    host->port = parsed.port;
    return true;
}

int tr_cli_hosts_read(const tr_cli *cli, const char *text, tr_cli_hosts *out) {
    char copy[4096], *rest = copy;
    tr_error error = {0};
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return tr_cli_usage_error("--hosts: too long");
    for (char *word; (word = strsep(&rest, ","));) {
        if (word[0] == '_' && tr_cli_srv_append(word, out, &error))
            return tr_cli_fail(error.status, error.message, NULL);
        if (word[0] != '_' && !add(cli, word, out))
            return tr_cli_usage_error(
                "--hosts %s: expected at most %d of HOST, HOST:PORT or _SERVICE._tcp.DOMAIN, with "
                "commas between them",
                text, TR_CLI_HOSTS_MAX);
    }
    return TR_EXIT_OK;
}

/* --- connections --- */

/* Makes this the daemon of `cli`, and connects. Nothing is printed if that fails. */
static tr_status try_host(tr_cli *cli, const tr_cli_host *host, tr_error *error) {
    memcpy(cli->host, host->host, sizeof cli->host);
    cli->port = host->port;
    return tr_cli_try_to_connect(cli, error);
}

static void report_away(const tr_cli_host *host, const char *message) {
    if (!tr_cli_fails_in_json())
        fprintf(stderr, "troupe: %s:%d: %s\n", host->host, host->port, message);
}

int tr_cli_hosts_each(tr_cli *cli, int (*show)(tr_cli *cli, void *context), void *context) {
    tr_error error = {0};
    int answered = 0, code = TR_EXIT_OK;
    for (int i = 0; i < cli->hosts->count; i++) {
        if (try_host(cli, &cli->hosts->host[i], &error)) {
            report_away(&cli->hosts->host[i], error.message);
            continue;
        }
        answered++;
        int one = show(cli, context);
        code = code == TR_EXIT_OK ? one : code;
        tr_client_close(cli->client);
        cli->client = NULL;
    }
    return answered > 0 ? code : tr_cli_fail(TR_UNAVAILABLE, "none of the daemons answers", NULL);
}

/* --- the daemon that has a world --- */

typedef struct search {
    const char *world;
    int found;
    tr_cli_host host[2]; /* the first two that have it */
} search;

static bool is_called(const tr_client_world *world, const char *text) {
    uint32_t id = 0;
    return tr_option_id(text, &id) ? id == world->id : strcmp(world->name, text) == 0;
}

static int look_for(tr_cli *cli, void *context) {
    search *s = context;
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_list_worlds(cli->client), &reply);
    for (int i = 0; code == TR_EXIT_OK && i < reply->count; i++) {
        if (!is_called(&reply->worlds[i], s->world))
            continue;
        if (s->found < 2) {
            memcpy(s->host[s->found].host, cli->host, sizeof cli->host);
            s->host[s->found].port = cli->port;
        }
        s->found++;
        break;
    }
    return code;
}

static int connect_to_world(tr_cli *cli, const char *world) {
    search s = {.world = world};
    tr_error error = {0};
    int code = tr_cli_hosts_each(cli, look_for, &s);
    if (code)
        return code;
    if (s.found == 0) {
        (void)tr_fail(&error, TR_NOT_FOUND, "no daemon that answers has a world '%s'", world);
        return tr_cli_fail(TR_NOT_FOUND, error.message, "'troupe worlds' lists them.");
    }
    if (s.found > 1) {
        (void)tr_fail(&error, TR_ALREADY_EXISTS, "several daemons have a world '%s': %s:%d, %s:%d",
                      world, s.host[0].host, s.host[0].port, s.host[1].host, s.host[1].port);
        return tr_cli_fail(TR_ALREADY_EXISTS, error.message,
                           "Choose one with --host and --port instead of --hosts.");
    }
    tr_status status = try_host(cli, &s.host[0], &error);
    return status ? tr_cli_fail_to_connect(cli, status, error.message) : TR_EXIT_OK;
}

int tr_cli_hosts_connect(tr_cli *cli, const char *world) {
    tr_error error = {0};
    if (world)
        return connect_to_world(cli, world);
    for (int i = 0; i < cli->hosts->count; i++) {
        if (!try_host(cli, &cli->hosts->host[i], &error))
            return TR_EXIT_OK;
        report_away(&cli->hosts->host[i], error.message);
    }
    return tr_cli_fail(TR_UNAVAILABLE, "none of the daemons answers", NULL);
}
