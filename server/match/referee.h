/* A referee: the bout of a match in a hosted world, between the world's play and the rules.
 *
 * The play calls it around each step, on the world's thread; the bout is the same code as a
 * headless one (bout.h) and gives the same bits. The referee keeps the world to itself: clients
 * watch, pause, record and take snapshots, and command the characters of the external team whose order
 * number they joined with, and nothing else. When the bout has ended the result is told once and a
 * world in real time stands still. */
#ifndef TROUPE_SERVER_REFEREE_H
#define TROUPE_SERVER_REFEREE_H

#include "server/match/bout.h"

typedef struct tr_referee tr_referee;

typedef struct tr_referee_def {
    const tr_match_def *match; /* copied; what it points to outlives the world */
    uint64_t seed;
    /* On the world's thread; must not block or call back. */
    void (*ended)(void *context, int64_t ticket, const tr_bout_result *result);
    void *context;
    int64_t ticket;
} tr_referee_def;

/* TR_RESOURCE_EXHAUSTED. */
tr_status tr_referee_create(const tr_referee_def *def, tr_referee **out) TR_NODISCARD;
void tr_referee_destroy(tr_referee *referee); /* NULL is fine */

/* Puts the teams on the play's stage, labelled "team 1", "team 2", ... of each team. A bout that
 * cannot begin has ended: void. */
void tr_referee_begin(tr_referee *referee, tr_play *play);

void tr_referee_before_step(tr_referee *referee);
void tr_referee_after_step(tr_referee *referee);
bool tr_referee_has_ended(const tr_referee *referee);

/* Is it a character of the external team that this order number commands? */
bool tr_referee_commands(const tr_referee *referee, uint64_t order, tr_entity_id entity);

/* May this command apply? TR_FAILED_PRECONDITION tells why not. */
tr_status tr_referee_check(const tr_referee *referee, const tr_command *command,
                           tr_error *error) TR_NODISCARD;

#endif
