/* Events of worlds, as clients receive them (client.h). Members that an event's kind does not use
 * are zero or empty. Its text is valid during the callback, or as long as its reply. */
#ifndef TROUPE_EVENT_H
#define TROUPE_EVENT_H

#include "troupe/request.h"
#include "troupe/status.h"

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum tr_client_event_kind {
    TR_CLIENT_EVENT_UNKNOWN, /* from a newer daemon */
    TR_CLIENT_FELL,
    TR_CLIENT_ROSE,
    TR_CLIENT_CONTROLLER_ENDED, /* text: its name */
    TR_CLIENT_CONTROLLER_BEGAN, /* text: its name */
    TR_CLIENT_TOUCHED,          /* entity and other; magnitude: impulse, N s */
    TR_CLIENT_FAULT,   /* entity became non-finite; text: what was done; 0: the world fails */
    TR_CLIENT_APPLIED, /* a command of session, request_id; text: its name; status: its result */
    TR_CLIENT_RESET,
    TR_CLIENT_RESTORED,
    TR_CLIENT_PAUSED,
    TR_CLIENT_RESUMED,
    TR_CLIENT_LATE,                 /* magnitude: dropped ticks of real time */
    TR_CLIENT_DROPPED,              /* magnitude: events lost because this client read too slowly */
    TR_CLIENT_DESTROYED,            /* the world was destroyed; text: where it continues, or "" */
    TR_CLIENT_STEPPER_REMOVED,      /* session, magnitude: its order number, text: why */
    TR_CLIENT_ARRIVED,              /* entity is at the place to which it was steered */
    TR_CLIENT_BLOCKED,              /* entity stops before a wall or an edge; look_ahead */
    TR_CLIENT_SCORED,               /* a team of a match; text: its name, magnitude: its score */
    TR_CLIENT_HOLD_BROKEN,          /* entity no longer holds other; magnitude: force, N */
    TR_CLIENT_RECORDING_ENDED = 60, /* ended before it was stopped: status, text: why */
    TR_CLIENT_DIVERGED, /* a replay differs from its recording: entity, text: what differs */
    TR_CLIENT_SOUGHT    /* a replay has moved to another position */
} tr_client_event_kind;

typedef struct tr_client_event {
    tr_client_event_kind kind;
    uint32_t world, epoch;
    int64_t tick;
    uint32_t entity, other;
    int body, other_body;
    double magnitude;
    const char *text;
    uint64_t session, request_id;
    tr_status status;
} tr_client_event;

/* The name of a kind of event, e.g. "fell"; "unknown" for a kind that this library does not know.
 * Static text. */
TR_API const char *tr_client_event_name(tr_client_event_kind kind);

#if defined(__cplusplus)
}
#endif

#endif
