#include "server/net/ledger.h"

#include <stdlib.h>

struct tr_party {
    uint64_t key;
    size_t bytes; /* sum of its holders */
    tr_holder *holders;
    tr_party *next; /* next in its row */
};

/* --- parties --- */

/* The link that points to the party, or would point to it. */
static tr_party **place_of(tr_ledger *ledger, uint64_t key) {
    tr_party **at = &ledger->row[(key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - TR_LEDGER_ROW_BITS)];
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    return at;
}

static tr_party *find_or_make(tr_ledger *ledger, uint64_t key) {
    tr_party **at = place_of(ledger, key);
    if (!*at && (*at = calloc(1, sizeof **at)))
        (*at)->key = key;
    return *at;
}

static void link_holder(tr_party *party, tr_holder *holder) {
    holder->party = party;
    holder->next = party->holders;
    holder->link = &party->holders;
    if (holder->next)
        holder->next->link = &holder->next;
    party->holders = holder;
    party->bytes += holder->bytes;
}

static void unlink_holder(tr_ledger *ledger, tr_holder *holder) {
    tr_party *party = holder->party;
    *holder->link = holder->next;
    if (holder->next)
        holder->next->link = holder->link;
    holder->party = NULL;
    party->bytes -= holder->bytes;
    if (party->holders)
        return;
    *place_of(ledger, party->key) = party->next;
    free(party);
}

tr_status tr_ledger_join(tr_ledger *ledger, tr_holder *holder, uint64_t party) {
    if (holder->party && holder->party->key == party)
        return TR_OK;
    tr_party *joined = find_or_make(ledger, party);
    if (!joined)
        return TR_RESOURCE_EXHAUSTED;
    if (holder->party)
        unlink_holder(ledger, holder);
    else
        holder->bytes = 0;
    link_holder(joined, holder);
    return TR_OK;
}

void tr_ledger_leave(tr_ledger *ledger, tr_holder *holder) {
    if (!holder->party)
        return;
    tr_ledger_release(ledger, holder);
    unlink_holder(ledger, holder);
}

/* --- bytes --- */

static void set_bytes(tr_ledger *ledger, tr_holder *holder, size_t bytes) {
    holder->party->bytes += bytes - holder->bytes; /* modulo 2^64, so that it may decrease */
    ledger->total += bytes - holder->bytes;
    holder->bytes = bytes;
    if (ledger->total > ledger->highest)
        ledger->highest = ledger->total;
}

static tr_party *largest_party(const tr_ledger *ledger) {
    tr_party *largest = NULL;
    for (int i = 0; i < 1 << TR_LEDGER_ROW_BITS; i++)
        for (tr_party *party = ledger->row[i]; party; party = party->next)
            if (!largest || party->bytes > largest->bytes)
                largest = party;
    return largest;
}

static tr_holder *largest_holder(const tr_party *party) {
    tr_holder *largest = party->holders;
    for (tr_holder *holder = largest; holder; holder = holder->next)
        if (holder->bytes > largest->bytes)
            largest = holder;
    return largest;
}

tr_holder *tr_ledger_hold(tr_ledger *ledger, tr_holder *holder, size_t bytes) {
    set_bytes(ledger, holder, bytes);
    if (holder->party->bytes > ledger->party_max)
        return largest_holder(holder->party);
    return ledger->total > ledger->total_max ? largest_holder(largest_party(ledger)) : NULL;
}

void tr_ledger_release(tr_ledger *ledger, tr_holder *holder) {
    set_bytes(ledger, holder, 0);
}

bool tr_ledger_fell(tr_ledger *ledger, size_t bytes) {
    bool fell = ledger->highest - ledger->total >= bytes;
    if (fell)
        ledger->highest = ledger->total;
    return fell;
}

void tr_ledger_must_hold(const tr_ledger *ledger, const tr_holder *holder, tr_invariant *broken) {
    size_t bytes = 0;
    for (const tr_holder *h = holder->party->holders; h; h = h->next)
        bytes += h->bytes;
    TR_MUST_BE(broken, bytes, ==, holder->party->bytes);
    TR_MUST_BE(broken, bytes, <=, ledger->total);
    TR_MUST_BE(broken, ledger->total, <=, ledger->highest);
    TR_MUST(broken, *holder->link == holder);
}
