#include "server/daemon.h"

#include "db/bundle.h"
#include "physics/world.h"
#include "server/listener.h"
#include "server/session.h"
#include "server/worlds.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RESERVED_DESCRIPTORS = 64, CLIENTS_MAX = 65536, WORLD_CLOSE_TIMEOUT_MS = 5000 };

typedef struct daemon_state {
    const tr_options *options;
    uv_loop_t loop;
    bool loop_open, ending;
    tr_server server;
    tr_listener listener;
    uv_signal_t term, interrupt;
    uv_timer_t patience; /* with worlds that do not close */
    bool handles_open, port_file_written;
} daemon_state;

/* --- the catalogue --- */

static tr_status make_state_dir(const char *path, tr_error *error) {
    struct stat info;
    if (mkdir(path, 0750) == 0)
        return TR_OK;
    if (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return TR_OK;
    return tr_fail(error, TR_PERMISSION_DENIED, "--state-dir %s: %s", path, strerror(errno));
}

static const char *shipped_bundle(const tr_options *options) {
    if (options->shipped[0] != '\0')
        return options->shipped;
    return access(TR_SHIPPED_INSTALLED, R_OK) == 0 ? TR_SHIPPED_INSTALLED : TR_SHIPPED_BUILT;
}

/* What ships with the daemon, at the first start only. That it is missing is no failure: there is
 * just nothing to play. */
static tr_status install_shipped(const tr_options *options, tr_catalogue *catalogue,
                                 tr_error *error) {
    const char *path = shipped_bundle(options);
    bool installed = false;
    tr_error why = {0};
    if (strcmp(path, "none") == 0)
        return TR_OK;
    tr_status status = tr_catalogue_install_shipped(catalogue, path, &installed, &why);
    if (status == TR_NOT_FOUND && options->shipped[0] == '\0') {
        tr_log_line(TR_LOG_WARN, "catalogue.no_shipped_bundle", "path=\"%s\"", path);
        return TR_OK;
    }
    if (installed)
        tr_log_line(TR_LOG_INFO, "catalogue.shipped_bundle", "path=\"%s\"", path);
    return status == TR_OK ? TR_OK : tr_fail(error, status, "%s", why.message);
}

static tr_status import_bundles(const tr_options *options, tr_catalogue *catalogue,
                                tr_error *error) {
    for (int i = 0; i < options->bundle_count; i++) {
        tr_bundle_report report;
        tr_status status =
            tr_bundle_import(catalogue, options->bundle[i], TR_BUNDLE_REFUSE, &report, error);
        if (status != TR_OK)
            return status;
        tr_log_line(TR_LOG_INFO, "catalogue.bundle",
                    "path=\"%s\" controllers_added=%d controllers_present=%d", options->bundle[i],
                    report.controllers.added, report.controllers.present);
    }
    return TR_OK;
}

static tr_status open_catalogue(const tr_options *options, tr_catalogue **out, tr_error *error) {
    char path[2 * TR_OPTION_TEXT_MAX];
    tr_status status = make_state_dir(options->state_dir, error);
    if (status != TR_OK)
        return status;
    if (options->catalogue[0] != '\0')
        snprintf(path, sizeof path, "%s", options->catalogue);
    else
        snprintf(path, sizeof path, "%s/catalogue.sqlite", options->state_dir);
    tr_catalogue *catalogue = NULL;
    status = tr_catalogue_open(path, TR_CATALOGUE_CREATE, &catalogue, error);
    if (status != TR_OK)
        return status;
    status = install_shipped(options, catalogue, error);
    if (status == TR_OK)
        status = import_bundles(options, catalogue, error);
    if (status != TR_OK) {
        tr_catalogue_close(catalogue);
        return status;
    }
    *out = catalogue;
    return TR_OK;
}

/* --- limits --- */

/* Descriptors decide: at their limit anything that opens a file would fail. */
static int client_limit(const tr_options *options) {
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    int most = CLIENTS_MAX;
    if (limit.rlim_cur < (rlim_t)CLIENTS_MAX + RESERVED_DESCRIPTORS)
        most = (int)limit.rlim_cur - RESERVED_DESCRIPTORS;
    if (most < 1)
        most = 1;
    return options->max_clients > 0 && options->max_clients < most ? options->max_clients : most;
}

static int thread_count(const tr_options *options) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (options->threads > 0)
        return options->threads;
    return processors < 1 ? 1 : processors > 64 ? 64 : (int)processors;
}

/* The whole file or none: a reader that waits for it never sees half a number. */
static tr_status write_port_file(const tr_options *options, int port, tr_error *error) {
    char temporary[TR_OPTION_TEXT_MAX + 8];
    if (options->port_file[0] == '\0')
        return TR_OK;
    snprintf(temporary, sizeof temporary, "%s.new", options->port_file);
    FILE *file = fopen(temporary, "w");
    bool written = file != NULL && fprintf(file, "%d\n", port) > 0;
    if (file != NULL && fclose(file) != 0)
        written = false;
    if (!written || rename(temporary, options->port_file) != 0)
        return tr_fail(error, TR_PERMISSION_DENIED, "--port-file %s: %s", options->port_file,
                       strerror(errno));
    return TR_OK;
}

/* --- the end --- */

static void stop_loop(daemon_state *daemon) {
    uv_stop(&daemon->loop);
}

static void on_worlds_closed(void *context) {
    stop_loop(context);
}

/* A world's thread that does not come back cannot be joined. What the catalogue has acknowledged is
 * on disk. */
static void on_patience(uv_timer_t *timer) {
    const daemon_state *daemon = timer->data;
    tr_log_line(TR_LOG_ERROR, "daemon.world_hangs", "worlds=%d",
                tr_worlds_count(daemon->server.worlds));
    _exit(1);
}

static void on_sessions_closed(void *context) {
    daemon_state *daemon = context;
    tr_worlds_close(daemon->server.worlds, on_worlds_closed, daemon);
    uv_timer_start(&daemon->patience, on_patience, WORLD_CLOSE_TIMEOUT_MS, 0);
}

static void on_signal(uv_signal_t *signal, int number) {
    daemon_state *daemon = signal->data;
    if (daemon->ending)
        return;
    daemon->ending = true;
    tr_log_line(TR_LOG_INFO, "daemon.ending", "signal=%d sessions=%d worlds=%d", number,
                tr_sessions_count(daemon->server.sessions), tr_worlds_count(daemon->server.worlds));
    tr_listener_close(&daemon->listener);
    tr_sessions_close(daemon->server.sessions, on_sessions_closed, daemon);
}

/* --- the beginning --- */

static tr_status start_server(daemon_state *daemon, tr_error *error) {
    tr_server *server = &daemon->server;
    tr_catalogue *catalogue = NULL;
    tr_status status = open_catalogue(daemon->options, &catalogue, error);
    if (status != TR_OK)
        return status;
    server->started_ns = uv_hrtime();
    server->loop = &daemon->loop;
    status = tr_catalogue_thread_start(server->loop, catalogue, &server->catalogue);
    if (status != TR_OK) {
        tr_catalogue_close(catalogue);
        return tr_fail(error, status, "cannot start the catalogue's thread");
    }
    status = tr_library_create(server->catalogue, &server->library);
    if (status == TR_OK)
        status = tr_pool_create(thread_count(daemon->options), TR_WORLDS_MAX, &server->pool);
    if (status == TR_OK)
        status = tr_worlds_create(server, &server->worlds);
    if (status == TR_OK)
        status = tr_sessions_create(server, client_limit(daemon->options), &server->sessions);
    return status == TR_OK ? TR_OK : tr_fail(error, status, "cannot start the world threads");
}

static tr_status watch_signals(daemon_state *daemon, tr_error *error) {
    signal(SIGPIPE, SIG_IGN);
    uv_timer_init(&daemon->loop, &daemon->patience);
    uv_signal_init(&daemon->loop, &daemon->term);
    uv_signal_init(&daemon->loop, &daemon->interrupt);
    daemon->handles_open = true;
    daemon->patience.data = daemon->term.data = daemon->interrupt.data = daemon;
    if (uv_signal_start(&daemon->term, on_signal, SIGTERM) != 0 ||
        uv_signal_start(&daemon->interrupt, on_signal, SIGINT) != 0)
        return tr_fail(error, TR_INTERNAL, "cannot watch for signals");
    return TR_OK;
}

static tr_status start(daemon_state *daemon, tr_error *error) {
    if (uv_loop_init(&daemon->loop) != 0)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "cannot make an event loop");
    daemon->loop_open = true;
    tr_status status = watch_signals(daemon, error);
    if (status == TR_OK)
        status = start_server(daemon, error);
    if (status == TR_OK)
        status = tr_listener_open(&daemon->listener, daemon->server.sessions, daemon->options->host,
                                  daemon->options->port, error);
    if (status == TR_OK)
        status = write_port_file(daemon->options, daemon->listener.port, error);
    daemon->port_file_written = status == TR_OK && daemon->options->port_file[0] != '\0';
    if (status == TR_OK)
        tr_log_line(TR_LOG_INFO, "daemon.ready",
                    "version=%s listen=%s:%d threads=%d max_clients=%d", TR_SERVER_VERSION,
                    daemon->options->host, daemon->listener.port, thread_count(daemon->options),
                    client_limit(daemon->options));
    return status;
}

/* Undoes start, however far it came. */
static void stop(daemon_state *daemon) {
    if (!daemon->loop_open)
        return;
    tr_server *server = &daemon->server;
    tr_listener_close(&daemon->listener);
    tr_pool_destroy(server->pool);
    tr_worlds_destroy(server->worlds);
    tr_catalogue_thread_stop(server->catalogue);
    tr_library_destroy(server->library);
    if (daemon->handles_open) {
        uv_close((uv_handle_t *)&daemon->patience, NULL);
        uv_close((uv_handle_t *)&daemon->term, NULL);
        uv_close((uv_handle_t *)&daemon->interrupt, NULL);
    }
    uv_run(&daemon->loop, UV_RUN_DEFAULT);
    int left = uv_loop_close(&daemon->loop);
    assert(left == 0); /* every handle has an owner, and every owner has closed it */
    (void)left;
    tr_sessions_destroy(server->sessions);
    if (daemon->port_file_written)
        unlink(daemon->options->port_file);
}

tr_status tr_daemon_run(const tr_options *options, tr_error *error) {
    daemon_state daemon = {.options = options};
    tr_log_set_level(options->log_level);
    tr_physics_init();
    tr_status status = start(&daemon, error);
    if (status == TR_OK)
        uv_run(&daemon.loop, UV_RUN_DEFAULT);
    stop(&daemon);
    if (status == TR_OK)
        tr_log_line(TR_LOG_INFO, "daemon.ended", "%s", "clean=yes");
    return status;
}
