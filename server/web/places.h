/* Places: limits the connections of the web port, and decides which one is closed for a newcomer.
 *
 *     PAGE    four fifths of the places: any request. One address has at most three quarters of
 *             them, on loopback too
 *     PROBE   the rest, for connections that find no other: answered /healthz and /readyz alone, so that
 *             monitors are answered whatever others do
 *
 * When no place is free, a connection that is leaving is closed first; else the one with an
 * incomplete request that has been silent longest; else one that has read nothing of its answer for
 * some time, a shorter time if its address has more connections than the newcomer's. Time is an
 * argument; for the loop's thread only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    TR_WEB_UNREAD_MS = 500, /* after reading nothing of an answer for this time, it may be closed */
    TR_WEB_UNFAIR_UNREAD_MS =
        100 /* the same, if its address has more connections than the newcomer's */
};

typedef enum tr_web_place_kind { TR_WEB_PLACE_PAGE, TR_WEB_PLACE_PROBE } tr_web_place_kind;

typedef enum tr_web_phase {
    TR_WEB_ASKING,   /* its request is incomplete; it may be silent */
    TR_WEB_ANSWERED, /* an answer is being sent to it */
    TR_WEB_LEAVING   /* its last answer has been sent */
} tr_web_phase;

/* Embedded in a connection. Its owner sets the first fields. */
typedef struct tr_web_place {
    void *owner;
    uint64_t address; /* tr_peer_key */
    tr_web_phase phase;
    uint64_t read_ms; /* ANSWERED: when the peer last read some of it, or the answer began */
    tr_web_place_kind kind;
    struct tr_web_place *next, **link;
} tr_web_place;

/* The taken places, the one that has been silent longest first. */
typedef struct tr_web_places {
    int max[2], count[2]; /* by kind */
    tr_web_place *first, **end;
} tr_web_places;

/* Initialises places that must not be moved afterwards. `max`: of both kinds. */
void tr_web_places_init(tr_web_places *places, int max);

/* Finds a place for a newcomer from `address`: its kind, and in *out_leaves the connection that
 * must be closed for it, or NULL. False: no place. */
bool tr_web_places_find(const tr_web_places *places, uint64_t address, uint64_t now_ms,
                        tr_web_place_kind *out_kind, tr_web_place **out_leaves);

/* Takes a place that was found; a further call moves it to the end of the list, as just heard
 * of. */
void tr_web_places_join(tr_web_places *places, tr_web_place *place);
void tr_web_places_leave(tr_web_places *places, tr_web_place *place);
