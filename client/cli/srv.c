#include "cli/srv.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    int size = 0;
    if (res_ninit(&state) != 0 || !use_server(&state)) {
        (void)tr_fail(error, TR_INVALID_ARGUMENT,
                      "TROUPE_DNS: expected the address of a name server, as in 127.0.0.1:53");
        return 0;
    }
    size = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, ANSWER_MAX);
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

tr_status tr_cli_srv_append(const char *name, tr_cli_hosts *out, tr_error *error) {
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
