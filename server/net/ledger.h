/* A ledger: records how much each session holds of the memory that all clients share, and decides
 * which one must free memory when it is full.
 *
 * A holder is a session. It belongs to a party: its key, or its address until it has shown a key.
 * When the sum of all holders, or of one party, exceeds its limit, the largest holder of the
 * largest party must free what it holds. So neither one client with many sessions nor many clients
 * at one address can push others out, and a client that uses its fair share is the last to lose it.
 *
 *     for (tr_holder *largest; (largest = tr_ledger_hold(ledger, holder, bytes)) != NULL;) {
 *         free what `largest` holds;
 *         tr_ledger_release(ledger, largest);
 *     }
 *
 * For the loop's thread only. */
#pragma once

#include "proto/invariant.h"
#include "proto/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_party tr_party; /* exists while it has holders */

enum { TR_LEDGER_ROW_BITS = 12 };

/* Set the limits, bytes; the rest starts zeroed and belongs to the ledger. */
typedef struct tr_ledger {
    size_t total_max, party_max; /* of all holders, of one party */
    size_t total, highest;
    tr_party *row[1 << TR_LEDGER_ROW_BITS]; /* by the key's hash */
} tr_ledger;

/* Embedded in the struct that holds memory. Its owner sets `owner`; the rest belongs to the
 * ledger. */
typedef struct tr_holder {
    void *owner;
    size_t bytes;
    tr_party *party; /* NULL: not in a ledger */
    struct tr_holder *next, **link;
} tr_holder;

/* Enters a holder with 0 bytes, or moves one with its bytes to another party. `party`: a
 * tr_account_id or a tr_peer_key. TR_RESOURCE_EXHAUSTED: no memory; nothing changes. */
tr_status tr_ledger_join(tr_ledger *ledger, tr_holder *holder, uint64_t party) TR_NODISCARD;
void tr_ledger_leave(tr_ledger *ledger, tr_holder *holder); /* no effect outside a ledger */

/* Sets how much a holder holds now. Returns the holder that must free its memory, perhaps `holder`
 * itself; NULL: the limits are kept. */
tr_holder *tr_ledger_hold(tr_ledger *ledger, tr_holder *holder, size_t bytes);

/* What a holder that has joined, and its party, are in the sums. */
void tr_ledger_must_hold(const tr_ledger *ledger, const tr_holder *holder, tr_invariant *broken);

/* Sets that the holder holds nothing. */
void tr_ledger_release(tr_ledger *ledger, tr_holder *holder);

/* Has the total fallen by `bytes` from its maximum? If so, the maximum restarts at the current
 * total. */
bool tr_ledger_fell(tr_ledger *ledger, size_t bytes);
