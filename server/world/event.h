/* Events of a world, as plain structs, and the bounded list in which a world loop collects them. */
#pragma once

#include "control/stage/stage.h"

#include <stdint.h>

/* Recordings keep these numbers, so a new kind comes last. */
typedef enum tr_event_kind {
    TR_EVENT_FELL,
    TR_EVENT_ROSE,
    TR_EVENT_CONTROLLER_ENDED, /* text: controller */
    TR_EVENT_CONTROLLER_BEGAN, /* text: controller */
    TR_EVENT_TOUCHED,          /* magnitude: impulse, N s */
    TR_EVENT_FAULT,
    TR_EVENT_APPLIED, /* text: command; session, request, status, entity; magnitude: order number */
    TR_EVENT_RESET,
    TR_EVENT_RESTORED,
    TR_EVENT_PAUSED,
    TR_EVENT_RESUMED,
    TR_EVENT_LATE,    /* magnitude: ticks of real time given up */
    TR_EVENT_DROPPED, /* magnitude: events lost on the way */
    TR_EVENT_DESTROYED,
    TR_EVENT_RECORDING_ENDED, /* ended early: status, text: of which world */
    TR_EVENT_DIVERGED,        /* replay: entity, body, text: what differs */
    TR_EVENT_SOUGHT,          /* replay: it has moved to another position of its recording */
    TR_EVENT_STEPPER_REMOVED, /* session, magnitude: its order number, text: why */
    TR_EVENT_ARRIVED,
    TR_EVENT_BLOCKED,
    TR_EVENT_SCORED,      /* a team of a match; text: its name, magnitude: its score */
    TR_EVENT_HOLD_BROKEN, /* magnitude: force, N */
    TR_EVENT_KIND_COUNT
} tr_event_kind;

typedef struct tr_event {
    tr_event_kind kind;
    int64_t tick;
    uint32_t epoch;
    tr_entity_id entity, other;
    int body, other_body;
    double magnitude;
    char text[TR_NAME_MAX];
    uint64_t session, request;
    uint8_t *command; /* [command_size]: applied: its message; NULL: not wanted; of a list: owned */
    size_t command_size;
    tr_status status;
} tr_event;

enum { TR_EVENT_LIST_MAX = 4096 };

/* Events in the order in which they happened. Events beyond TR_EVENT_LIST_MAX (or memory) are
 * counted in `dropped`. */
typedef struct tr_event_list {
    int count, capacity;
    int64_t dropped;
    tr_event *event; /* [capacity], owned */
} tr_event_list;

/* Takes the event's command. */
void tr_event_list_add(tr_event_list *list, const tr_event *event);
void tr_event_list_cut(tr_event_list *list, int count); /* keeps the first `count` */
void tr_event_list_clear(tr_event_list *list);
void tr_event_list_deinit(tr_event_list *list);
