/* Clients that act at random, by the schema of the protocol, and a model of what they were
 * promised. */
#ifndef TROUPE_TESTS_SIM_CLIENT_H
#define TROUPE_TESTS_SIM_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

enum { CLIENTS = 4, ROWS_MAX = 128 };

void clients_begin(void); /* forgets all promises */
void clients_act(void);   /* what is due now; connects those that have no line */
void clients_leave(void); /* closes every line */
int64_t clients_next_ns(void);
void clients_rest(bool rest); /* they send nothing */
unsigned
clients_owed(void); /* the field of a request, no command, that has no answer yet; 0: none */

/* The faults are over: one client looks whether every promise was kept, and whether every world
 * moves on; true once it has looked. Ends the program on a broken promise. */
void clients_begin_audit(void);
bool clients_have_audited(void);

/* Requests sent and answered with OK so far, by the number of their field. */
typedef struct client_count {
    long sent, ok;
} client_count;
extern client_count client_counts[ROWS_MAX];
extern long clients_verified; /* recordings, by audits */
extern long clients_restored; /* worlds that then had the hash of the snapshot */
/* A request of the daemon's table that no client has sent so far; 0: none. */
unsigned client_unsent(void);

#endif
