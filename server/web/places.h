/* Places: how many connections the web port has at once, and who makes room for whom.
 *
 *     PAGE    four fifths of the places: any request. One address has at most three quarters of
 *             them, on loopback too
 *     PROBE   the rest, for whoever finds no other: answered /healthz and /readyz alone, so that
 *             monitors are answered whatever others do
 *
 * When no place is free a connection makes room that leaves, else one whose request is not whole, the
 * one that was heard of longest ago; else one that has read nothing of its answer for a while, less
 * long if its address has more connections than the newcomer's. Time is an argument; the loop's
 * thread alone. */
#ifndef TROUPE_SERVER_WEB_PLACES_H
#define TROUPE_SERVER_WEB_PLACES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TR_WEB_UNREAD_MS = 500,       /* nothing read of an answer: it may have to make room */
    TR_WEB_UNFAIR_UNREAD_MS = 100 /* the same, of an address that has more than the newcomer's */
};

typedef enum tr_web_place_kind { TR_WEB_PLACE_PAGE, TR_WEB_PLACE_PROBE } tr_web_place_kind;

typedef enum tr_web_phase {
    TR_WEB_ASKING,   /* its request is not whole; it may be silent */
    TR_WEB_ANSWERED, /* an answer is being sent to it */
    TR_WEB_LEAVING   /* it has been answered for the last time */
} tr_web_phase;

/* Embedded in a connection. Its owner sets the first fields. */
typedef struct tr_web_place {
    void *owner;
    uint64_t address; /* tr_peer_key */
    tr_web_phase phase;
    uint64_t read_ms; /* ANSWERED: when the peer last took some of it, or the answer began */
    tr_web_place_kind kind;
    struct tr_web_place *next, **link;
} tr_web_place;

/* The places that are taken, the one that was heard of longest ago first. */
typedef struct tr_web_places {
    int max[2], count[2]; /* by kind */
    tr_web_place *first, **end;
} tr_web_places;

/* `max`: of both kinds; in place, not moved afterwards. */
void tr_web_places_init(tr_web_places *places, int max);

/* Finds a place for a newcomer from `address`: of which kind, and in *out_leaves who has to be
 * closed for it, or NULL. False: there is none. */
bool tr_web_places_find(const tr_web_places *places, uint64_t address, uint64_t now_ms,
                        tr_web_place_kind *out_kind, tr_web_place **out_leaves);

/* Takes a place that was found; once more to be the one that was heard of last. */
void tr_web_places_join(tr_web_places *places, tr_web_place *place);
void tr_web_places_leave(tr_web_places *places, tr_web_place *place);

#endif
