#include "server/web/metrics.h"

#include "server/config/version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the format --- */

static void put_head(FILE *out, const char *name, const char *type, const char *help) {
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Counters are written as whole numbers, however large. */
static void put_counter(FILE *out, const char *name, const char *help, uint64_t value) {
    put_head(out, name, "counter", help);
    fprintf(out, "%s %llu\n", name, (unsigned long long)value);
}

static void put_gauge(FILE *out, const char *name, const char *help, double value) {
    put_head(out, name, "gauge", help);
    fprintf(out, "%s %.10g\n", name, value);
}

/* --- the process --- */

static double resident_bytes(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static double processor_s(void) {
    uv_rusage_t usage;
    if (uv_getrusage(&usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void put_process(FILE *out, const tr_metrics_sources *from) {
    put_head(out, "troupe_build_info", "gauge", "The daemon's version, as a label.");
    fprintf(out, "troupe_build_info{version=\"" TR_SERVER_VERSION "\"} 1\n");
    put_gauge(out, "troupe_uptime_seconds", "Time since the daemon started.",
              (double)(uv_hrtime() - from->started_ns) * 1e-9);
    put_gauge(out, "process_resident_memory_bytes", "Resident memory of the daemon.",
              resident_bytes());
    put_head(out, "process_cpu_seconds_total", "counter", "Processor time the daemon has used.");
    fprintf(out, "process_cpu_seconds_total %.6f\n", processor_s());
}

/* --- worlds --- */

static const char *const mode_name[] = {
    [TR_MODE_REAL_TIME] = "real_time", [TR_MODE_STEPPED] = "stepped", [TR_MODE_FAST] = "fast"};
enum { MODE_COUNT = sizeof mode_name / sizeof *mode_name };

/* Sums over all existing and ended worlds. */
typedef struct world_sums {
    int worlds[MODE_COUNT], paused, recorded, replays, arriving, over_budget;
    int characters, objects;
    uint64_t steps, contacts_dropped, searches_cut;
    int64_t dropped_ticks;
    double processor_s, longest_turn_s;
    tr_lateness lateness;
} world_sums;

static world_sums sum_worlds(const tr_metrics_sources *from) {
    world_sums sums = {.steps = from->tally->steps,
                       .dropped_ticks = from->tally->dropped_ticks,
                       .contacts_dropped = from->tally->contacts_dropped,
                       .searches_cut = from->tally->searches_cut,
                       .processor_s = from->tally->processor_s,
                       .lateness = from->tally->lateness};
    for (int i = 0; from->worlds && i < TR_WORLDS_MAX; i++) {
        tr_hosted *hosted = tr_worlds_at(from->worlds, i);
        if (!hosted)
            continue;
        tr_world_info info = tr_hosted_describe(hosted);
        sums.worlds[tr_hosted_mode(hosted)]++;
        sums.paused += info.paused;
        sums.recorded += info.recording != 0;
        sums.replays += info.replays;
        sums.arriving += tr_hosted_move(hosted)->arriving;
        sums.characters += info.character_count;
        sums.objects += info.object_count;
        sums.steps += info.steps_made;
        sums.dropped_ticks += info.dropped_ticks;
        sums.contacts_dropped += info.contacts_dropped;
        sums.searches_cut += info.searches_cut;
        sums.processor_s += info.processor_s;
        sums.over_budget += info.over_budget;
        sums.longest_turn_s = fmax(sums.longest_turn_s, info.turn_s);
        tr_tally_add_lateness(&sums.lateness, &info.lateness);
    }
    return sums;
}

static void put_lateness(FILE *out, const tr_lateness *lateness) {
    static const char name[] = "troupe_tick_lateness_seconds";
    uint64_t below = 0;
    put_head(out, name, "histogram",
             "How far behind their deadlines the ticks of real-time worlds were computed.");
    for (int i = 0; i < TR_LATENESS_BOUND_COUNT; i++) {
        below += lateness->count[i];
        fprintf(out, "%s_bucket{le=\"%g\"} %llu\n", name, tr_lateness_bound_s[i],
                (unsigned long long)below);
    }
    fprintf(out, "%s_bucket{le=\"+Inf\"} %llu\n%s_sum %.9g\n%s_count %llu\n", name,
            (unsigned long long)lateness->tick_count, name, lateness->sum_s, name,
            (unsigned long long)lateness->tick_count);
}

static void put_worlds(FILE *out, const tr_metrics_sources *from) {
    const world_sums sums = sum_worlds(from);
    put_head(out, "troupe_worlds", "gauge", "Worlds, by mode.");
    for (int i = 0; i < MODE_COUNT; i++)
        fprintf(out, "troupe_worlds{mode=\"%s\"} %d\n", mode_name[i], sums.worlds[i]);
    put_gauge(out, "troupe_worlds_paused", "Worlds that are paused.", sums.paused);
    put_gauge(out, "troupe_worlds_recorded", "Worlds that are being recorded.", sums.recorded);
    put_gauge(out, "troupe_worlds_replaying", "Worlds that show a recording.", sums.replays);
    put_gauge(out, "troupe_worlds_arriving",
              "Worlds whose move from another daemon is not finished.", sums.arriving);
    put_counter(out, "troupe_worlds_closed_total", "Worlds that have ended.",
                from->tally->worlds_closed);
    put_gauge(out, "troupe_characters", "Characters in all worlds.", sums.characters);
    put_gauge(out, "troupe_objects", "Free objects in all worlds.", sums.objects);
    put_counter(out, "troupe_ticks_total", "Ticks computed, of all worlds.", sums.steps);
    put_counter(out, "troupe_ticks_dropped_total",
                "Ticks of real-time worlds that were dropped for lack of time.",
                (uint64_t)sums.dropped_ticks);
    put_gauge(out, "troupe_worlds_over_budget",
              "Real-time worlds that come after all others, because they or those of their key use "
              "too much processor time.",
              sums.over_budget);
    put_counter(out, "troupe_worlds_failed_total",
                "Worlds that have ended because a step took too much processor time.",
                from->tally->worlds_failed);
    put_head(out, "troupe_worlds_cpu_seconds_total", "counter",
             "Processor time that worlds have used.");
    fprintf(out, "troupe_worlds_cpu_seconds_total %.6f\n", sums.processor_s);
    put_gauge(out, "troupe_longest_turn_seconds",
              "How long the longest turn in progress has lasted.", sums.longest_turn_s);
    put_counter(out, "troupe_contacts_dropped_total",
                "Contacts that were left out because there were too many.", sums.contacts_dropped);
    put_counter(out, "troupe_searches_cut_total",
                "Searches for contacts that were cut short because they took too long.",
                sums.searches_cut);
    put_lateness(out, &sums.lateness);
}

/* --- sessions --- */

/* Writes the shared input and output memory that sessions hold. */
static void put_shares(FILE *out, const tr_metrics_sources *from) {
    tr_sessions *sessions = from->sessions;
    put_gauge(out, "troupe_input_bytes", "Bytes received of incomplete frames.",
              sessions ? (double)tr_sessions_input(sessions)->total : 0);
    put_gauge(out, "troupe_unread_bytes", "Bytes that wait for clients to read them.",
              sessions ? (double)tr_sessions_unread(sessions)->total : 0);
    put_head(out, "troupe_sessions_cut_total", "counter",
             "Sessions ended because they held most of too much shared memory.");
    fprintf(out, "troupe_sessions_cut_total{what=\"input\"} %llu\n",
            (unsigned long long)from->tally->input_cut);
    fprintf(out, "troupe_sessions_cut_total{what=\"unread\"} %llu\n",
            (unsigned long long)from->tally->unread_cut);
}

static void put_sessions(FILE *out, const tr_metrics_sources *from) {
    static const char *const kinds[] = {"tcp", "tls", "websocket", "websocket-tls"};
    put_head(out, "troupe_sessions", "gauge", "Sessions connected, by transport.");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        fprintf(out, "troupe_sessions{transport=\"%s\"} %d\n", kinds[i],
                from->sessions ? tr_sessions_count_kind(from->sessions, kinds[i]) : 0);
    put_counter(out, "troupe_sessions_opened_total", "Sessions opened since the start.",
                from->tally->sessions);
    put_counter(out, "troupe_connections_refused_total",
                "Connections closed because their address had connections_per_address.",
                tr_gate_peers(from->gate)->refused);
}

static void put_traffic(FILE *out, const tr_tally *tally) {
    put_counter(out, "troupe_frames_received_total", "Frames received from clients.",
                tally->frames_in);
    put_counter(out, "troupe_bytes_received_total", "Bytes of messages received from clients.",
                tally->bytes_in);
    put_counter(out, "troupe_frames_sent_total", "Frames for clients.", tally->frames_out);
    put_counter(out, "troupe_bytes_sent_total", "Bytes of frames for clients.", tally->bytes_out);
    put_counter(out, "troupe_states_sent_total", "States sent to subscribers.", tally->states_sent);
    put_counter(out, "troupe_sends_held_total",
                "Times a session waited for its role's sent_bytes_per_s.", tally->held);
    put_counter(out, "troupe_states_dropped_total",
                "States that a newer one replaced before their subscriber could take them.",
                tally->states_dropped);
    put_counter(out, "troupe_events_sent_total", "Events queued for subscribers.",
                tally->events_sent);
    put_counter(out, "troupe_events_dropped_total",
                "Events dropped because their subscribers were too slow.", tally->events_dropped);
}

/* --- requests --- */

static void put_requests_of(FILE *out, const char *request, const uint64_t *counts) {
    for (int code = 0; code < TR_TALLY_CODE_COUNT; code++)
        if (counts[code] > 0)
            fprintf(out, "troupe_requests_total{request=\"%s\",code=\"%s\"} %llu\n", request,
                    tr_status_name((tr_status)-code), (unsigned long long)counts[code]);
}

/* Names come from the schema, never from a client. */
static void put_requests(FILE *out, const tr_tally *tally) {
    const ProtobufCMessageDescriptor *schema = &troupe__client_message__descriptor;
    put_head(out, "troupe_requests_total", "counter",
             "Requests answered, by kind and status code; a command that reached its world by the "
             "command's "
             "name.");
    for (unsigned number = 0; number < TR_TALLY_REQUEST_MAX; number++) {
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(schema, number);
        put_requests_of(out, field ? field->name : "none", tally->requests[number]);
    }
    schema = &troupe__command__descriptor;
    for (unsigned number = 0; number < TR_TALLY_COMMAND_MAX; number++) {
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(schema, number);
        put_requests_of(out, field ? field->name : "none", tally->commands[number]);
    }
}

/* --- the catalogue --- */

static void put_catalogue(FILE *out, const tr_metrics_sources *from) {
    tr_catalogue_figures figures = {0};
    if (from->catalogue)
        figures = tr_catalogue_thread_figures(from->catalogue);
    put_gauge(out, "troupe_catalogue_queue", "Queries that wait for the catalogue.",
              figures.queued);
    put_counter(out, "troupe_catalogue_queries_total", "Queries the catalogue has worked on.",
                figures.jobs);
    put_head(out, "troupe_catalogue_busy_seconds_total", "counter",
             "Time the catalogue has spent on queries.");
    fprintf(out, "troupe_catalogue_busy_seconds_total %.6f\n", figures.busy_s);
}

/* --- matches --- */

static void put_matches(FILE *out, const tr_metrics_sources *from) {
    const tr_matches *matches = from->matches;
    put_gauge(out, "troupe_matches", "Matches that have not ended.",
              matches ? tr_matches_count(matches) : 0);
    put_counter(out, "troupe_bouts_total", "Bouts whose results have been stored.",
                matches ? (uint64_t)tr_matches_bouts_stored(matches) : 0);
}

/* --- trainings --- */

static void put_trainings(FILE *out, const tr_trainings *trainings) {
    put_head(out, "troupe_trainings", "gauge", "Trainings that are listed, by state.");
    for (tr_training_state state = 0; state < TR_TRAINING_STATE_COUNT; state++)
        fprintf(out, "troupe_trainings{state=\"%s\"} %d\n", tr_training_state_name(state),
                trainings ? tr_trainings_count(trainings, state) : 0);
}

/* --- a relay --- */

static void put_relay(FILE *out, const tr_relay *relay) {
    put_gauge(out, "troupe_relay_links", "Open sessions of a relay with its daemon.",
              relay ? tr_relay_link_count(relay) : 0);
    put_gauge(out, "troupe_relay_silent_seconds", "Time since a relay last heard of its daemon.",
              relay ? tr_relay_silent_s(relay) : 0);
}

tr_status tr_metrics_render(const tr_metrics_sources *sources, tr_packet **out) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return TR_RESOURCE_EXHAUSTED;
    put_process(file, sources);
    put_worlds(file, sources);
    put_sessions(file, sources);
    put_shares(file, sources);
    put_traffic(file, sources->tally);
    put_requests(file, sources->tally);
    put_catalogue(file, sources);
    put_matches(file, sources);
    put_trainings(file, sources->trainings);
    put_relay(file, sources->relay);
    bool written = ferror(file) == 0;
    written = fclose(file) == 0 && written;
    tr_packet *packet = written ? tr_packet_create(size) : NULL;
    if (packet)
        memcpy(packet->bytes, text, size);
    free(text);
    if (!packet)
        return TR_RESOURCE_EXHAUSTED;
    *out = packet;
    return TR_OK;
}
