#include "server/daemon/capacity.h"

#include "server/web/web.h"

#include <sys/resource.h>
#include <unistd.h>

enum {
    RESERVED_DESCRIPTORS = 64, /* for files, the loop, and for refusing connections */
    SPARE_MIN = 2,             /* a client, and a connection of the web port */
    CLIENTS_MAX = 65536
};

/* File descriptors left for connections. */
static int spare_descriptors(void) {
    const rlim_t most = CLIENTS_MAX + TR_WEB_CONNECTIONS_MAX;
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= most + RESERVED_DESCRIPTORS)
        return (int)most;
    return limit.rlim_cur > RESERVED_DESCRIPTORS ? (int)limit.rlim_cur - RESERVED_DESCRIPTORS : 0;
}

tr_status tr_capacity_check(tr_error *error) {
    int spare = spare_descriptors();
    return spare >= SPARE_MIN
               ? TR_OK
               : tr_fail(
                     error, TR_RESOURCE_EXHAUSTED,
                     "the limit of open files leaves %d for connections; expected a limit of %d "
                     "or more (ulimit -n, LimitNOFILE=)",
                     spare, RESERVED_DESCRIPTORS + SPARE_MIN);
}

int tr_capacity_web(const tr_options *options) {
    int share = spare_descriptors() / 4;
    if (options->config.web_host[0] == '\0')
        return 0;
    return share > TR_WEB_CONNECTIONS_MAX ? TR_WEB_CONNECTIONS_MAX : share < 1 ? 1 : share;
}

int tr_capacity_clients(const tr_options *options) {
    int most = spare_descriptors() - tr_capacity_web(options);
    if (most > CLIENTS_MAX)
        most = CLIENTS_MAX;
    if (most < 1)
        most = 1;
    return options->config.max_clients > 0 && options->config.max_clients < most
               ? options->config.max_clients
               : most;
}

int tr_capacity_background(const tr_options *options) {
    long spare = sysconf(_SC_NPROCESSORS_ONLN) - 1;
    if (options->config.threads > 0)
        return options->config.threads;
    return spare < 1 ? 1 : spare > 64 ? 64 : (int)spare;
}

int tr_capacity_threads(const tr_options *options) {
    bool both = options->config.threads == 0 && sysconf(_SC_NPROCESSORS_ONLN) == 2;
    return both ? 2 : tr_capacity_background(options);
}
