#include "cli/hosts.h"

#include "cli/failure.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- SRV records (RFC 2782) of a service name such as _troupe._tcp.example.org --- */

enum { ANSWER_MAX = 65535, FIXED_SIZE = 6 /* priority, weight, port */ };

typedef struct srv_record {
    unsigned priority, weight;
    tr_cli_host target;
} srv_record;

static int compare(const void *a, const void *b) {
    const srv_record *first = a, *second = b;
    if (first->priority != second->priority)
        return first->priority < second->priority ? -1 : 1;
    if (first->weight != second->weight)
        return first->weight > second->weight ? -1 : 1;
    int by_name = strcmp(first->target.host, second->target.host);
    return by_name != 0 ? by_name : first->target.port - second->target.port;
}

static bool read_record(const ns_msg *message, const ns_rr *rr, srv_record *out) {
    const unsigned char *data = ns_rr_rdata(*rr);
    if (ns_rr_type(*rr) != ns_t_srv || ns_rr_rdlen(*rr) <= FIXED_SIZE)
        return false;
    out->priority = ns_get16(data);
    out->weight = ns_get16(data + 2);
    out->target.port = (int)ns_get16(data + 4);
    return dn_expand(ns_msg_base(*message), ns_msg_end(*message), data + FIXED_SIZE,
                     out->target.host, sizeof out->target.host) >= 0 &&
           out->target.host[0] != '\0'; /* "." means that the service does not exist */
}

/* The name server of TROUPE_DNS; false: it is not an address. */
static bool use_server(struct __res_state *state) {
    const char *text = getenv("TROUPE_DNS");
    char host[64];
    unsigned port = 0;
    struct sockaddr_in *server = &state->nsaddr_list[0];
    if (!text)
        return true;
    if (sscanf(text, "%63[^:]:%u", host, &port) != 2 || port > 65535)
        return false;
    *server = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    state->nscount = 1;
    return inet_pton(AF_INET, host, &server->sin_addr) == 1;
}

/* Returns the size of the answer; 0: a failure, in `error`. */
static int query(const char *name, unsigned char *answer, tr_error *error) {
    struct __res_state state = {0};
    const bool ready = res_ninit(&state) == 0;
    if (!ready || !use_server(&state)) {
        if (ready)
            res_nclose(&state);
        (void)tr_fail(error, TR_INVALID_ARGUMENT,
                      "TROUPE_DNS: expected the address of a name server, as in 127.0.0.1:53");
        return 0;
    }
    const int size = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, ANSWER_MAX);
    bool none = state.res_h_errno == HOST_NOT_FOUND || state.res_h_errno == NO_DATA;
    res_nclose(&state);
    if (size > 0)
        return size;
    (void)tr_fail(error, none ? TR_NOT_FOUND : TR_UNAVAILABLE, "--hosts %s: %s", name,
                  none ? "no SRV records" : "no name server answers");
    return 0;
}

static tr_status append(const char *name, srv_record *records, int count, tr_cli_hosts *out,
                        tr_error *error) {
    if (count == 0)
        return tr_fail(error, TR_NOT_FOUND, "--hosts %s: no SRV records", name);
    if (count > TR_CLI_HOSTS_MAX - out->count)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "--hosts: expected at most %d daemons",
                       TR_CLI_HOSTS_MAX);
    qsort(records, (size_t)count, sizeof *records, compare);
    for (int i = 0; i < count; i++)
        out->host[out->count++] = records[i].target;
    return TR_OK;
}

/* Appends the targets of a name to *out, by rising priority, then falling weight, then name.
 * TR_NOT_FOUND: it has none; TR_UNAVAILABLE: no name server answers; TR_RESOURCE_EXHAUSTED: more
 * than TR_CLI_HOSTS_MAX in all. */
static tr_status append_named(const char *name, tr_cli_hosts *out, tr_error *error) {
    static unsigned char answer[ANSWER_MAX];
    srv_record records[TR_CLI_HOSTS_MAX + 1];
    ns_msg message;
    ns_rr rr;
    int count = 0, size = query(name, answer, error);
    if (size == 0)
        return error->status;
    if (ns_initparse(answer, size, &message) != 0)
        return tr_fail(error, TR_UNAVAILABLE, "--hosts %s: the name server's answer is damaged",
                       name);
    for (int i = 0; i < ns_msg_count(message, ns_s_an) && count <= TR_CLI_HOSTS_MAX; i++)
        if (ns_parserr(&message, ns_s_an, i, &rr) == 0 &&
            read_record(&message, &rr, &records[count]))
            count++;
    return append(name, records, count, out, error);
}

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
        if (word[0] == '_' && append_named(word, out, &error))
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
