/* A daemon in a fleet: how Agones learns what it does, by the REST interface of the sidecar in its
 * pod (https://agones.dev/site/docs/guides/client-sdks/rest/).
 *
 * The event loop reports how the daemon is; that copies a struct and never waits. A thread sends
 * what differs from what the sidecar has acknowledged, and tries again, at first after 0.2 s and
 * later every 5 s, so that a sidecar may start later than the daemon, or restart:
 *
 *   phase       POST /ready, POST /allocate, POST /shutdown
 *   labels      PUT /metadata/label        version, room ("yes", "no")
 *   counters    PATCH /v1beta1/counters/   worlds, players: capacity, then count
 *
 * and POST /health every two seconds while reports come that say `healthy`. A counter that the
 * GameServer does not define is refused by the sidecar; this is logged once and holds nothing
 * else up. */
#pragma once

#include "proto/status.h"

#include <stdbool.h>

enum { TR_AGONES_DEFAULT_PORT = 9358 };

typedef struct tr_agones tr_agones;

typedef enum tr_agones_phase {
    TR_AGONES_STARTING,  /* clients cannot connect yet */
    TR_AGONES_READY,     /* no world: Agones may remove or allocate it */
    TR_AGONES_ALLOCATED, /* it has worlds, so Agones leaves it alone */
    TR_AGONES_SHUTDOWN
} tr_agones_phase;

typedef struct tr_agones_report {
    tr_agones_phase phase;
    bool healthy;             /* the real-time worlds tick */
    bool has_room;            /* for more worlds: it neither drains nor lacks time */
    int worlds;               /* that exist */
    int worlds_max;           /* that it is to have; without room `worlds` is reported instead */
    int players, players_max; /* sessions */
} tr_agones_report;

/* The sidecar's port: AGONES_SDK_HTTP_PORT, or the default that Agones documents.
 * TR_INVALID_ARGUMENT: the variable is not a port. */
tr_status tr_agones_port(int *out, tr_error *error) TR_NODISCARD;

/* Starts the thread; `version` must live as long. TR_RESOURCE_EXHAUSTED. */
tr_status tr_agones_start(int port, const char *version, tr_agones **out) TR_NODISCARD;

/* Replaces the last report, at least every two seconds. */
void tr_agones_tell(tr_agones *agones, const tr_agones_report *report);

/* Sends the last report's phase if it has not been sent, and ends the thread. Waits for at most 6 s:
 * call it when the loop has ended. NULL is allowed. */
void tr_agones_end(tr_agones *agones);
