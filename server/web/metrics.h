/* Figures of the daemon as text for Prometheus (exposition format 0.0.4).
 *
 * Rendered when asked; bounded, since nothing in it is by name of a world or client. The loop's
 * thread. */
#ifndef TROUPE_SERVER_METRICS_H
#define TROUPE_SERVER_METRICS_H

#include "server/daemon/server.h"
#include "server/net/packet.h"

#define TR_METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

/* TR_RESOURCE_EXHAUSTED: no memory. */
tr_status tr_metrics_render(const tr_server *server, tr_packet **out) TR_NODISCARD;

#endif
