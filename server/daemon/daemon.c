#include "server/daemon/daemon.h"

#include "physics/world/world.h"
#include "server/config/log.h"
#include "server/config/version.h"
#include "server/daemon/capacity.h"
#include "server/daemon/notify.h"
#include "server/daemon/opening.h"
#include "server/daemon/port_file.h"
#include "server/daemon/pressure.h"
#include "server/daemon/pulse.h"
#include "server/daemon/state_lock.h"
#include "server/fleet/agones.h"
#include "server/match/bout_exchange.h"
#include "server/net/listener.h"
#include "server/requests/commands/commands.h"
#include "server/requests/commands/stop_recording.h"
#include "server/requests/dispatch.h"
#include "server/web/metrics.h"
#include "server/web/web.h"

#include <assert.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    HEAP_SLACK = 2 << 20, /* release memory when sessions hold this much less than before */
    WORLD_CLOSE_TIMEOUT_MS = 5000,
    RELAY_CLOSE_TIMEOUT_MS = 2000,
    END_TIMEOUT_S = 25, /* for the whole shutdown */
    TICK_MS = 1000      /* interval of the daemon's housekeeping */
};

/* Larger blocks are mapped separately, so that they are returned when they are freed. By default the bound
 * grows up to 32 MiB: buffers that grow by doubling, beside each other in the heap, leave holes into which
 * none of them fits; the heap then grows to one and a half times what they hold. */
enum { MAPPED_MIN = 64 << 10 };

typedef struct daemon_state {
    const tr_options *options;
    uv_loop_t loop;
    bool loop_open, handles_open;
    int state_lock; /* -1: none */
    tr_server server;
    tr_match_services services;
    tr_listener listener;
    tr_web *web; /* NULL: none */
    uv_signal_t term, interrupt, hangup;
    uv_timer_t patience; /* limits the time for worlds to close */
    uv_timer_t tick;
    uv_check_t turn; /* at the end of each turn of the loop */
    uint64_t turns;
    tr_invariant broken;  /* of the daemon's own tables */
    uint64_t watchdog_ms; /* 0: no watchdog */
    tr_pulse pulse[TR_WORLDS_MAX];
    bool draining;
    uint64_t drain_ends_ms;
    tr_agones *agones; /* NULL: no fleet */
    tr_agones_phase phase;
    tr_pressure pressure;
    tr_port_file port_file, web_port_file;
    char clips[TR_CONFIG_TEXT_MAX + 16]; /* the folder of clips, unless it is configured */

    uv_work_t opening; /* opens the catalogue outside the loop */
    tr_catalogue *catalogue;
    bool is_opening, ready;
    tr_status status; /* of the start; its message is in `error` */
    tr_error error;
    int ending; /* shutdown steps begun; 0: serving */
} daemon_state;

static void remove_port_files(const daemon_state *daemon) {
    tr_port_file_remove(&daemon->port_file);
    tr_port_file_remove(&daemon->web_port_file);
}

/* --- the web port --- */

static const char *web_root(void *context) {
    const tr_options *options = ((const daemon_state *)context)->options;
    if (strcmp(options->config.web_root, "none") == 0)
        return "";
    if (options->config.web_root[0] != '\0')
        return options->config.web_root;
    return access(TR_WEB_INSTALLED, R_OK) == 0 ? TR_WEB_INSTALLED
           : access(TR_WEB_BUILT, R_OK) == 0   ? TR_WEB_BUILT
                                               : "";
}

static void adopt_socket(void *context, tr_channel *channel) {
    const daemon_state *daemon = context;
    tr_session_open(daemon->server.sessions, channel);
}

static tr_status render_metrics(void *context, tr_packet **out) {
    const daemon_state *daemon = context;
    const tr_server *server = &daemon->server;
    return tr_metrics_render(&(tr_metrics_sources){.started_ns = server->started_ns,
                                                   .tally = &server->tally,
                                                   .gate = server->gate,
                                                   .catalogue = server->catalogue,
                                                   .worlds = server->worlds,
                                                   .matches = server->matches,
                                                   .trainings = server->trainings,
                                                   .sessions = server->sessions,
                                                   .relay = server->relay},
                             out);
}

/* The default port may belong to another daemon: then this one has no web port, unless it was
 * configured. */
static tr_status open_web(daemon_state *daemon, tr_error *error) {
    const tr_options *options = daemon->options;
    if (options->config.web_host[0] == '\0')
        return TR_OK;
    const tr_web_def def = {.loop = &daemon->loop,
                            .gate = daemon->server.gate,
                            .adopt = adopt_socket,
                            .metrics = render_metrics,
                            .context = daemon,
                            .host = options->config.web_host,
                            .port = options->config.web_port,
                            .connections_max = tr_capacity_web(options),
                            .root = web_root,
                            .origins = options->config.web_origins};
    tr_error why = {0};
    tr_status status = tr_web_open(&def, &daemon->web, &why);
    if (status == TR_UNAVAILABLE && !options->config.web_asked) {
        tr_log_line(TR_LOG_WARN, "web.unavailable", "error=\"%s\"", why.message);
        return TR_OK;
    }
    if (status)
        return tr_fail(error, status, "%s", why.message);
    tr_log_line(TR_LOG_INFO, "web.listen", "listen=%s:%d", options->config.web_host,
                tr_web_port(daemon->web));
    return tr_port_file_write(&daemon->web_port_file, "web-port-file", options->web_port_file,
                              tr_web_port(daemon->web), error);
}

static void set_web_state(const daemon_state *daemon, const char *why_not, bool sockets) {
    if (daemon->web)
        tr_web_set_state(daemon->web, why_not, sockets);
}

/* A relay without its daemon is not ready: new spectators belong to another one. */
static void show_ready(const daemon_state *daemon) {
    const tr_relay *relay = daemon->server.relay;
    set_web_state(daemon, relay && !tr_relay_is_linked(relay) ? "unlinked" : NULL, true);
}

/* --- the fleet --- */

/* While the daemon ends, the phase stays: Agones has begun the end, or learns of it at the last. */
static tr_agones_phase fleet_phase(const daemon_state *daemon, int worlds) {
    if (!daemon->ready || daemon->ending > 0)
        return daemon->phase;
    return worlds > 0 || daemon->draining ? TR_AGONES_ALLOCATED : TR_AGONES_READY;
}

static void report_to_fleet(daemon_state *daemon, bool healthy) {
    tr_agones_report report = {.healthy = healthy};
    if (!daemon->agones)
        return;
    if (daemon->ready) {
        tr_lateness lateness = tr_worlds_lateness(daemon->server.worlds);
        report.worlds = tr_worlds_count(daemon->server.worlds);
        report.worlds_max = daemon->options->config.worlds;
        report.players = tr_sessions_count(daemon->server.sessions);
        report.players_max = tr_capacity_clients(daemon->options);
        report.has_room = !daemon->draining && daemon->ending == 0 &&
                          !tr_pressure_is_late(&daemon->pressure, &lateness);
    }
    report.phase = daemon->phase = fleet_phase(daemon, report.worlds);
    tr_agones_tell(daemon->agones, &report);
}

static tr_status join_fleet(daemon_state *daemon, tr_error *error) {
    int port = 0;
    if (!daemon->options->config.agones)
        return TR_OK;
    tr_status status = tr_agones_port(&port, error);
    if (status)
        return status;
    if (tr_agones_start(port, TR_SERVER_VERSION, &daemon->agones))
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "--agones: cannot start its thread");
    report_to_fleet(daemon, true);
    return TR_OK;
}

/* The last step, because Agones may end the daemon's process when it learns of it. */
static void leave_fleet(daemon_state *daemon) {
    if (daemon->agones && daemon->ready)
        tr_agones_tell(daemon->agones, &(tr_agones_report){.phase = TR_AGONES_SHUTDOWN});
    tr_agones_end(daemon->agones);
}

/* --- shutdown --- */

/* Exits without cleaning up. Everything that the catalogue has acknowledged is on disk. */
static _Noreturn void abandon(const daemon_state *daemon, const char *why, int status) {
    tr_log_line(status ? TR_LOG_ERROR : TR_LOG_WARN, "daemon.abandoned",
                "why=\"%s\" step=%d worlds=%d", why, daemon->ending,
                daemon->server.worlds ? tr_worlds_count(daemon->server.worlds) : 0);
    remove_port_files(daemon);
    _exit(status);
}

/* A step that takes long is no failure of the daemon. */
static void on_patience(uv_timer_t *timer) {
    const daemon_state *daemon = timer->data;
    if (tr_worlds_are_in_turns(daemon->server.worlds))
        abandon(daemon, "a step of a world takes long", 0);
    abandon(daemon, "a world does not close", 1);
}

static void on_relay_patience(uv_timer_t *timer) {
    abandon(timer->data, "the relay's connection does not close", 1);
}

/* Runs even if the loop no longer turns. */
static void on_alarm(int number) {
    static const char text[] = "trouped: the shutdown takes too long; exits now\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

static void end_next(void *context);

/* The shutdown steps, in order. Each calls end_next when it is done. Steps that save work for the
 * next start are before the worlds are closed. */
static void end_matches(daemon_state *daemon) {
    tr_trainings_stop(daemon->server.trainings);
    tr_matches_stop(daemon->server.matches);
    tr_bout_recordings_stop(daemon->server.bout_recordings);
    end_next(daemon);
}

static void end_sessions(daemon_state *daemon) {
    tr_sessions_close(daemon->server.sessions, end_next, daemon);
}

/* The resolution of a name cannot be cut short. */
static void end_relay(daemon_state *daemon) {
    if (!daemon->server.relay) {
        end_next(daemon);
        return;
    }
    uv_timer_start(&daemon->patience, on_relay_patience, RELAY_CLOSE_TIMEOUT_MS, 0);
    tr_relay_close(daemon->server.relay, end_next, daemon);
}

/* A world thread that does not return cannot be joined. */
static void end_worlds(daemon_state *daemon) {
    uv_timer_start(&daemon->patience, on_patience, WORLD_CLOSE_TIMEOUT_MS, 0);
    tr_worlds_close(daemon->server.worlds, end_next, daemon);
}

static void end_loop(daemon_state *daemon) {
    uv_stop(&daemon->loop);
}

static void (*const end_steps[])(daemon_state *) = {end_matches, end_sessions, end_relay,
                                                    end_worlds, end_loop};

static void end_next(void *context) {
    daemon_state *daemon = context;
    end_steps[daemon->ending++](daemon);
}

static void begin_end(daemon_state *daemon) {
    tr_notify("STOPPING=1\nSTATUS=ending");
    set_web_state(daemon, "ending", false);
    alarm(END_TIMEOUT_S);
    if (!daemon->ready) { /* on_opened or on_matches_resumed continues the shutdown */
        daemon->status = TR_CANCELLED;
        return;
    }
    tr_log_line(TR_LOG_INFO, "daemon.ending", "sessions=%d worlds=%d",
                tr_sessions_count(daemon->server.sessions), tr_worlds_count(daemon->server.worlds));
    tr_listener_close(&daemon->listener);
    end_next(daemon);
}

/* The drain before a shutdown: no new worlds, and the existing ones have some time to end. Clients may
 * still connect to these. Returns false if there is nothing to wait for: no time, or no world. */
static bool begin_drain(daemon_state *daemon) {
    int seconds = daemon->options->config.drain_s;
    if (!daemon->ready || daemon->draining || seconds == 0 ||
        tr_worlds_count(daemon->server.worlds) == 0)
        return false;
    daemon->draining = true;
    daemon->drain_ends_ms = uv_now(&daemon->loop) + 1000 * (uint64_t)seconds;
    tr_worlds_drain(daemon->server.worlds);
    tr_notify("STOPPING=1\nSTATUS=draining\nEXTEND_TIMEOUT_USEC=%llu",
              (unsigned long long)(seconds + END_TIMEOUT_S) * 1000000);
    set_web_state(daemon, "draining", true);
    tr_log_line(TR_LOG_INFO, "daemon.draining", "seconds=%d worlds=%d", seconds,
                tr_worlds_count(daemon->server.worlds));
    return true;
}

static void on_signal(uv_signal_t *signal, int number) {
    daemon_state *daemon = signal->data;
    if (daemon->ending > 0 || (daemon->is_opening && daemon->status == TR_CANCELLED))
        abandon(daemon, "a second signal", 1);
    tr_log_line(TR_LOG_INFO, "daemon.signal", "signal=%d", number);
    if (!begin_drain(daemon))
        begin_end(daemon);
}

/* --- a new configuration --- */

/* A refused configuration changes nothing, including the viewer. */
static void reload(daemon_state *daemon) {
    tr_error error = {0};
    if (tr_gate_reload(daemon->server.gate, &error)) {
        tr_log_line(TR_LOG_ERROR, "config.refused", "error=\"%s\"", error.message);
        return;
    }
    tr_log_line(TR_LOG_INFO, "config.reloaded", "keys=%d",
                tr_gate_config(daemon->server.gate)->account_count);
    tr_sessions_review(daemon->server.sessions);
    if (!daemon->web)
        return;
    tr_web_set_origins(daemon->web, &tr_gate_config(daemon->server.gate)->web_origins);
    if (tr_web_reload(daemon->web, &error))
        tr_log_line(TR_LOG_ERROR, "web.root_refused", "error=\"%s\"", error.message);
}

static void on_hangup(uv_signal_t *signal, int number) {
    daemon_state *daemon = signal->data;
    (void)number;
    if (!daemon->ready || daemon->ending > 0)
        return;
    tr_notify("RELOADING=1\nMONOTONIC_USEC=%llu", (unsigned long long)(uv_hrtime() / 1000));
    reload(daemon);
    tr_notify("READY=1");
}

/* --- housekeeping --- */

static void tell_status(const daemon_state *daemon) {
    if (!daemon->ready)
        tr_notify("STATUS=opening the catalogue\nEXTEND_TIMEOUT_USEC=30000000");
    else if (daemon->ending == 0 && !daemon->draining)
        tr_notify("STATUS=%d worlds, %d sessions", tr_worlds_count(daemon->server.worlds),
                  tr_sessions_count(daemon->server.sessions));
}

/* glibc keeps freed blocks for later allocations; after one flood it would keep hundreds of megabytes.
 * This walks over the heap, a few ms. */
static void give_memory_back(tr_sessions *sessions) {
    bool input = tr_ledger_fell(tr_sessions_input(sessions), HEAP_SLACK);
    bool unread = tr_ledger_fell(tr_sessions_unread(sessions), HEAP_SLACK);
    if (input || unread)
        malloc_trim(0);
}

static void on_tick(uv_timer_t *timer) {
    daemon_state *daemon = timer->data;
    tr_log_flush();
    tell_status(daemon);
    if (daemon->ready && daemon->ending == 0) {
        if (!daemon->draining)
            show_ready(daemon);
        tr_sessions_review(daemon->server.sessions); /* keys expire */
        give_memory_back(daemon->server.sessions);
        tr_worlds_charge(daemon->server.worlds);
    }
    if (daemon->ready)
        tr_pulses_observe(daemon->pulse, daemon->server.worlds, uv_now(timer->loop));
    bool beats = tr_pulses_beat(daemon->pulse, TR_WORLDS_MAX);
    report_to_fleet(daemon, beats);
    if (daemon->ending == 0 && daemon->draining &&
        (tr_worlds_count(daemon->server.worlds) == 0 ||
         uv_now(timer->loop) >= daemon->drain_ends_ms))
        begin_end(daemon);
    if (daemon->watchdog_ms == 0)
        return;
    if (beats)
        tr_notify("WATCHDOG=1");
    else
        tr_log_line(TR_LOG_ERROR, "daemon.stalled", "%s",
                    "why=\"no thread runs a real-time world\"");
}

/* A session or world that contradicts itself ends; a table is only reported, once for each condition. */
static void on_turn(uv_check_t *handle) {
    daemon_state *daemon = handle->data;
    tr_server *server = &daemon->server;
    tr_invariant broken = {0};
    char why[160];
    if (!daemon->ready || daemon->ending > 0)
        return;
    uint64_t turn = daemon->turns++;
    tr_sessions_must_hold(server->sessions, turn, &broken);
    tr_peers_must_hold(tr_gate_peers(server->gate), turn, &broken);
    tr_worlds_must_hold(server->worlds, turn, &broken);
    tr_task_pool_must_hold(server->pool, turn, &broken);
    tr_recordings_must_hold(server->recordings, turn, &broken);
    tr_library_must_hold(server->library, &broken);
    tr_catalogue_thread_must_hold(server->catalogue, &broken);
    tr_trainings_must_hold(server->trainings, &broken);
    if (server->relay)
        tr_relay_must_hold(server->relay, turn, &broken);
    if (!broken.what || broken.what == daemon->broken.what)
        return;
    daemon->broken = broken;
    tr_invariant_print(&broken, why, sizeof why);
    tr_log_line(TR_LOG_ERROR, "daemon.failed", "why=\"%s\"", why);
}

/* --- start --- */

static void on_recording_failed(void *context, uint32_t world, tr_status status, const char *why) {
    const daemon_state *daemon = context;
    tr_stop_failed_recording(daemon->server.worlds, world, status, why);
}

static tr_status open_recordings(daemon_state *daemon, tr_error *error) {
    char folder[TR_CONFIG_TEXT_MAX + 16];
    snprintf(folder, sizeof folder, "%s/recordings", daemon->options->config.state_dir);
    tr_recordings_def def = {
        .loop = &daemon->loop, .folder = folder, .context = daemon, .failed = on_recording_failed};
    tr_status status = tr_recordings_open(&def, &daemon->server.recordings, error);
    daemon->server.replays.recordings = daemon->server.recordings;
    return status;
}

static double key_share(void *context, uint64_t account) {
    const tr_server *server = context;
    return 0.01 * tr_config_limits(tr_gate_config(server->gate), account).processor_percent;
}

static void world_replied(void *context, const tr_reply *reply) {
    tr_server *server = context;
    if (reply->kind->answered)
        reply->kind->answered(server, reply);
    tr_session *session = tr_sessions_find(server->sessions, reply->session);
    if (session)
        tr_session_answer(session, reply);
}

static void world_closed(void *context, uint32_t world) {
    tr_server *server = context;
    tr_recordings_leave(server->recordings, world);
    tr_replays_remove(&server->replays, world);
}

static tr_status open_worlds(daemon_state *daemon) {
    tr_server *server = &daemon->server;
    const tr_config *config = &daemon->options->config;
    return tr_worlds_create(&(tr_worlds_def){.loop = server->loop,
                                             .pool = server->pool,
                                             .library = server->library,
                                             .tally = &server->tally,
                                             .commands = &tr_commands,
                                             .state_dir = config->state_dir,
                                             .step_limit_s = 1e-3 * config->step_ms,
                                             .world_share = 0.01 * config->world_percent,
                                             .key_share = key_share,
                                             .replied = world_replied,
                                             .closed = world_closed,
                                             .context = server},
                            &server->worlds);
}

static tr_status open_sessions(daemon_state *daemon) {
    tr_server *server = &daemon->server;
    return tr_sessions_create(&(tr_sessions_def){.loop = server->loop,
                                                 .gate = server->gate,
                                                 .tally = &server->tally,
                                                 .max = tr_capacity_clients(daemon->options),
                                                 .frame = tr_dispatch,
                                                 .daemon = server},
                              &server->sessions);
}

static void on_relay_refused(void *context, const tr_error *error) {
    daemon_state *daemon = context;
    if (daemon->ending > 0)
        return;
    daemon->error = *error;
    daemon->status = error->status;
    begin_end(daemon);
}

static tr_status open_relay(daemon_state *daemon, tr_error *error) {
    const tr_config *config = &daemon->options->config;
    tr_server *server = &daemon->server;
    if (config->relay_host[0] == '\0')
        return TR_OK;
    return tr_relay_create(&(tr_relay_def){.loop = server->loop,
                                           .host = config->relay_host,
                                           .port = config->relay_port,
                                           .tls = config->relay_tls,
                                           .ca = config->relay_ca,
                                           .key_file = config->relay_key_file,
                                           .subscriptions = config->relay_subscriptions,
                                           .sessions = server->sessions,
                                           .tally = &server->tally,
                                           .refused = on_relay_refused,
                                           .context = daemon},
                           &server->relay, error);
}

static tr_status open_matches(daemon_state *daemon) {
    tr_server *server = &daemon->server;
    daemon->services = (tr_match_services){.loop = server->loop,
                                           .pool = server->pool,
                                           .catalogue = server->catalogue,
                                           .library = server->library,
                                           .recordings = server->recordings,
                                           .worlds = server->worlds,
                                           .clients = tr_sessions_clients(server->sessions),
                                           .commands = &tr_commands};
    tr_status status = tr_matches_create(&daemon->services, tr_capacity_background(daemon->options),
                                         &server->matches);
    return status ? status : tr_bout_recordings_create(&daemon->services, &server->bout_recordings);
}

static const char *training_program(const tr_options *options) {
    if (options->config.training_program[0] != '\0')
        return options->config.training_program;
    return access(TR_TRAIN_INSTALLED, X_OK) == 0 ? TR_TRAIN_INSTALLED : TR_TRAIN_BUILT;
}

/* The folder of clips, which need not exist. A daemon for this machine alone has one without a setting. */
static const char *training_clips(daemon_state *daemon) {
    const tr_config *config = &daemon->options->config;
    if (config->training_clips[0] != '\0' || !tr_config_is_local(config))
        return config->training_clips;
    snprintf(daemon->clips, sizeof daemon->clips, "%s/clips", config->state_dir);
    return daemon->clips;
}

static tr_status open_trainings(daemon_state *daemon) {
    const tr_config *config = &daemon->options->config;
    tr_server *server = &daemon->server;
    char folder[TR_CONFIG_TEXT_MAX + 16];
    snprintf(folder, sizeof folder, "%s/trainings", config->state_dir);
    return tr_trainings_create(&(tr_trainings_def){.loop = server->loop,
                                                   .catalogue = server->catalogue,
                                                   .library = server->library,
                                                   .clients = tr_sessions_clients(server->sessions),
                                                   .clips = training_clips(daemon),
                                                   .program = training_program(daemon->options),
                                                   .folder = folder,
                                                   .limit = config->training_limit,
                                                   .threads = config->training_threads},
                               &server->trainings);
}

/* Starts the server. The catalogue is open, and belongs to its thread from here on. */
static tr_status start_server(daemon_state *daemon, tr_error *error) {
    tr_server *server = &daemon->server;
    tr_status status =
        tr_catalogue_thread_start(server->loop, daemon->catalogue, &server->catalogue);
    if (status)
        return tr_fail(error, status, "cannot start the catalogue's thread");
    daemon->catalogue = NULL;
    status = tr_library_create(server->catalogue, &server->library);
    if (!status)
        status = tr_task_pool_create(
            tr_capacity_threads(daemon->options), tr_capacity_background(daemon->options),
            TR_WORLD_PLACES + TR_BOUT_RUNNERS_MAX + TR_BOUT_RECORDINGS_MAX, &server->pool);
    if (!status)
        status = open_recordings(daemon, error);
    if (!status)
        status = open_worlds(daemon);
    if (!status)
        status = open_relay(daemon, error);
    if (!status)
        status = open_matches(daemon);
    if (!status)
        status = open_trainings(daemon);
    if (status && !error->status) /* otherwise the message is more specific */
        return tr_fail(error, status, "cannot start: %s", tr_status_text(status));
    return status;
}

static tr_status open_handles(daemon_state *daemon, tr_error *error) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, on_alarm);
    uv_timer_init(&daemon->loop, &daemon->patience);
    uv_timer_init(&daemon->loop, &daemon->tick);
    uv_check_init(&daemon->loop, &daemon->turn);
    uv_signal_init(&daemon->loop, &daemon->term);
    uv_signal_init(&daemon->loop, &daemon->interrupt);
    uv_signal_init(&daemon->loop, &daemon->hangup);
    daemon->handles_open = true;
    daemon->patience.data = daemon->tick.data = daemon->turn.data = daemon;
    daemon->term.data = daemon->interrupt.data = daemon->hangup.data = daemon;
    daemon->watchdog_ms = tr_notify_watchdog_ms();
    uint64_t tick_ms =
        daemon->watchdog_ms > 0 && daemon->watchdog_ms < TICK_MS ? daemon->watchdog_ms : TICK_MS;
    if (uv_timer_start(&daemon->tick, on_tick, tick_ms, tick_ms) != 0 ||
        uv_check_start(&daemon->turn, on_turn) != 0 ||
        uv_signal_start(&daemon->term, on_signal, SIGTERM) != 0 ||
        uv_signal_start(&daemon->interrupt, on_signal, SIGINT) != 0 ||
        uv_signal_start(&daemon->hangup, on_hangup, SIGHUP) != 0)
        return tr_fail(error, TR_INTERNAL, "cannot watch for signals");
    return TR_OK;
}

static void adopt_client(void *context, tr_channel *channel) {
    const daemon_state *daemon = context;
    tr_channel *open = tr_gate_open(daemon->server.gate, TR_GATE_GAME, channel);
    if (open)
        tr_session_open(daemon->server.sessions, open);
}

static tr_status listen_to_clients(daemon_state *daemon, tr_error *error) {
    const tr_listener_def def = {.loop = &daemon->loop,
                                 .option = "listen",
                                 .host = daemon->options->config.host,
                                 .port = daemon->options->config.port,
                                 .peers = tr_gate_peers(daemon->server.gate),
                                 .accept = adopt_client,
                                 .context = daemon};
    return tr_listener_open(&daemon->listener, &def, error);
}

/* From here on clients are served. */
static void announce(daemon_state *daemon) {
    tr_log_line(TR_LOG_INFO, "daemon.ready", "version=%s listen=%s:%d threads=%d max_clients=%d",
                TR_SERVER_VERSION, daemon->options->config.host, daemon->listener.port,
                tr_capacity_threads(daemon->options), tr_capacity_clients(daemon->options));
    tr_sessions_admit(daemon->server.sessions, daemon->server.worlds, daemon->server.recordings);
    show_ready(daemon);
    report_to_fleet(daemon, true);
    tr_notify("READY=1\nSTATUS=ready");
}

/* Runs on another thread, so that the loop answers probes meanwhile. */
static void open_beside(uv_work_t *work) {
    daemon_state *daemon = work->data;
    tr_error error = {0};
    if (tr_open_catalogue(daemon->options, &daemon->catalogue, &error))
        daemon->error = error;
}

static void end_start(void *context) {
    uv_stop(&((daemon_state *)context)->loop);
}

/* The last part of the start; a signal may have come meanwhile. */
static void on_matches_resumed(void *context) {
    daemon_state *daemon = context;
    daemon->is_opening = false;
    daemon->ready = true;
    if (!daemon->status)
        daemon->status =
            tr_port_file_write(&daemon->port_file, "port-file", daemon->options->port_file,
                               daemon->listener.port, &daemon->error);
    if (daemon->status)
        begin_end(daemon);
    else
        announce(daemon);
}

static void on_opened(uv_work_t *work, int cancelled) {
    daemon_state *daemon = work->data;
    (void)cancelled;
    if (!daemon->status && !daemon->catalogue)
        daemon->status = daemon->error.status;
    if (!daemon->status)
        daemon->status = start_server(daemon, &daemon->error);
    if (!daemon->status) {
        tr_matches_resume(daemon->server.matches, on_matches_resumed, daemon);
        return;
    }
    daemon->is_opening = false;
    tr_listener_close(&daemon->listener);
    tr_sessions_close(daemon->server.sessions, end_start, daemon);
}

/* The first part of the start, before the loop runs. From here on clients are answered that the
 * daemon is starting. */
static tr_status start(daemon_state *daemon, tr_error *error) {
    if (uv_loop_init(&daemon->loop) != 0)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "cannot make an event loop");
    daemon->loop_open = true;
    daemon->server.loop = &daemon->loop;
    daemon->server.started_ns = uv_hrtime();
    tr_status status = tr_capacity_check(error);
    if (!status)
        status = open_handles(daemon, error);
    if (!status)
        status = tr_make_state_dir(daemon->options, error);
    if (!status)
        status = tr_state_lock_take(daemon->options->config.state_dir, &daemon->state_lock, error);
    if (!status)
        status = tr_gate_create(daemon->options, &daemon->loop, &daemon->server.gate, error);
    if (!status)
        status = open_web(daemon, error);
    if (!status)
        status = open_sessions(daemon);
    if (!status)
        status = listen_to_clients(daemon, error);
    if (!status)
        status = join_fleet(daemon, error);
    if (status)
        return status;
    daemon->opening.data = daemon;
    daemon->is_opening =
        uv_queue_work(&daemon->loop, &daemon->opening, open_beside, on_opened) == 0;
    return daemon->is_opening
               ? TR_OK
               : tr_fail(error, TR_RESOURCE_EXHAUSTED, "cannot start to open the catalogue");
}

static void close_handles(daemon_state *daemon) {
    if (!daemon->handles_open)
        return;
    uv_close((uv_handle_t *)&daemon->patience, NULL);
    uv_close((uv_handle_t *)&daemon->tick, NULL);
    uv_close((uv_handle_t *)&daemon->turn, NULL);
    uv_close((uv_handle_t *)&daemon->term, NULL);
    uv_close((uv_handle_t *)&daemon->interrupt, NULL);
    uv_close((uv_handle_t *)&daemon->hangup, NULL);
}

/* Undoes the start, however far it got. */
static void stop(daemon_state *daemon) {
    if (!daemon->loop_open)
        return;
    tr_server *server = &daemon->server;
    tr_listener_close(&daemon->listener);
    tr_web_close(daemon->web);
    if (server->relay)
        tr_relay_close(server->relay, NULL, NULL);
    tr_trainings_stop(server->trainings);
    tr_matches_stop(server->matches);
    tr_bout_recordings_stop(server->bout_recordings);
    tr_task_pool_destroy(server->pool);
    tr_worlds_destroy(server->worlds);
    tr_matches_flush(server->matches);
    tr_catalogue_thread_stop(server->catalogue);
    tr_matches_destroy(server->matches);
    tr_bout_recordings_destroy(server->bout_recordings);
    tr_library_destroy(server->library);
    tr_catalogue_close(daemon->catalogue);
    close_handles(daemon);
    uv_run(&daemon->loop, UV_RUN_DEFAULT);
    int left = uv_loop_close(&daemon->loop);
    assert(left == 0); /* every handle has an owner, and every owner has closed it */
    (void)left;
    tr_trainings_destroy(server->trainings);
    tr_relay_destroy(server->relay);
    tr_sessions_destroy(server->sessions);
    tr_recordings_close(server->recordings);
    tr_gate_destroy(server->gate);
    tr_web_destroy(daemon->web);
    remove_port_files(daemon);
    tr_state_lock_release(daemon->state_lock);
    leave_fleet(daemon);
}

tr_status tr_daemon_run(const tr_options *options, tr_error *error) {
    daemon_state daemon = {.options = options, .state_lock = -1};
    /* Initialise OpenSSL on this thread, because it cleans up at its exit; other threads may leave
     * by _exit. */
    OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, NULL);
    tr_log_set_level(options->config.log_level);
    (void)!mallopt(M_MMAP_THRESHOLD, MAPPED_MIN);
    tr_physics_init();
    daemon.status = start(&daemon, &daemon.error);
    if (!daemon.status)
        uv_run(&daemon.loop, UV_RUN_DEFAULT);
    stop(&daemon);
    if (daemon.status && daemon.status != TR_CANCELLED) {
        *error = daemon.error;
        return daemon.status;
    }
    tr_log_line(TR_LOG_INFO, "daemon.ended", "%s", "clean=yes");
    return TR_OK;
}
