/* Metrics of the daemon as text for Prometheus (exposition format 0.0.4).
 *
 * Rendered on request. Its size is bounded, because no metric is labelled with a world or client.
 * For the loop's thread. */
#pragma once

#include "server/match/matches.h"
#include "server/relay/relay.h"
#include "server/session/sessions.h"
#include "server/training/trainings.h"

#define TR_METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* The sources of the metrics. While the daemon starts, the pointers in the second group are
 * NULL. */
typedef struct tr_metrics_sources {
    uint64_t started_ns; /* uv_hrtime */
    const tr_tally *tally;
    tr_gate *gate;

    tr_catalogue_thread *catalogue;
    tr_worlds *worlds;
    tr_matches *matches;
    tr_trainings *trainings;
    tr_sessions *sessions;
    tr_relay *relay; /* also NULL in a daemon with worlds of its own */
} tr_metrics_sources;

/* TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_metrics_render(const tr_metrics_sources *sources, tr_packet **out) TR_NODISCARD;
