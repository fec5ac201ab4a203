/* Clients that act at random, by the schema of the protocol, and compare every answer with what the
 * daemon has promised them. */
#pragma once

#include "line.h"
#include "model.h"
#include "proto/frame.h"
#include "proto/scram.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PLAYERS = 5, /* clients that act at random, of which the last two have keys */
    PROBES = 8,  /* that try the limits in an audit; the first five come from another address */
    PROBES_REMOTE = 5,
    CLIENTS = PLAYERS + PROBES + 1, /* the last one audits */
    AUDITOR = CLIENTS - 1,
    STORM = 24, /* connections that come at once, more than the daemon accepts in a turn */
    ASKED_MAX = 256,
    WATCHED_MAX = 64,
    OWED_MAX = 16,
    ROWS_MAX = 128
};

/* Limits of the configuration (sim.c). */
enum {
    CONNECTIONS_MAX = 7,
    REMOTE_MAX = 4,
    DIRECTOR_WORLDS = 2,
    PLAYER_CHARACTERS = 2,
    PLAYER_SUBSCRIPTIONS = 3
};
#define SIM_DIRECTOR_KEY "the director's key"
#define SIM_PLAYER_KEY "the player's key"

typedef struct asked {
    uint64_t id;
    int64_t sent_ns;
    unsigned request, command;
    int item; /* number of the match or recording; -1: none */
    presence was;
    uint32_t world;
    uint64_t hash;       /* of the snapshot that a restore sends whole; 0: another request */
    int step;            /* of an audit; 0: none */
    bool applied;        /* the event has come */
    bool events, inputs; /* of a subscription */
} asked;

/* A subscription. */
typedef struct watched {
    uint32_t world, every_ticks, epoch, event_epoch;
    uint64_t since, dropped; /* since: its request */
    uint64_t owed[OWED_MAX]; /* requests whose events have not come */
    int owed_count;
    bool events, inputs, lost, seen;
    int64_t tick, event_tick;
} watched;

typedef struct client {
    line *line;
    tr_frame_decoder decoder;
    const char *key;
    bool admitted, refused;
    uint64_t session, last_id;
    int64_t next_ns;
    tr_scram_client scram;
    asked asked[ASKED_MAX];
    int asked_count;
    watched watched[WATCHED_MAX];
    int watched_count;
} client;

/* Sends a request with this body. */
void client_ask(client *c, Troupe__ClientMessage__RequestCase request, void *body, int step);

void clients_begin(void); /* forgets all promises */
void clients_act(void);   /* what is due now; connects those that have no line */
void clients_leave(void); /* closes every line */
int64_t clients_next_ns(void);
void clients_rest(bool rest); /* they send nothing */
/* The field of a request, no command, that has no answer yet; 0: none. */
unsigned clients_owed(void);
/* Every subscriber has been told of every command, unless it was told that events are lost. */
void clients_check_events(void);

/* The faults are over: many connect and say nothing, and one client looks whether every promise was
 * kept, and whether every world moves on; true once it has looked. Ends the program on a broken
 * promise. */
void clients_begin_audit(void);
bool clients_have_audited(void);
void clients_end_audit(void); /* the others act again */

/* Requests sent and answered with OK so far, by the number of their field. */
typedef struct client_count {
    long sent, ok;
} client_count;
extern client_count client_counts[ROWS_MAX];
extern long clients_restored; /* worlds that then had the hash of the snapshot */
