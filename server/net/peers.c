#include "server/net/peers.h"

#include <arpa/inet.h>
#include <stdlib.h>

struct tr_peer {
    tr_peer *next; /* in its row */
    uint64_t key;
    int welcome, crowded; /* connections */
};

uint64_t tr_peer_key(const char *address) {
    uint8_t bytes[16] = {0};
    uint64_t key = 0;
    if (inet_pton(AF_INET, address, bytes) == 1)
        key = UINT64_C(1) << 32; /* no IPv6 peer has an address in ::/64 with this key */
    else if (inet_pton(AF_INET6, address, bytes) != 1)
        return 1;
    int size = key != 0 ? 4 : 8;
    for (int i = 0; i < size; i++)
        key |= (uint64_t)bytes[i] << (8 * (size - 1 - i));
    return key == 0 ? 1 : key;
}

/* The link that points to the address, or would point to it. */
static tr_peer **place_of(tr_peers *peers, uint64_t key) {
    tr_peer **at = &peers->row[(key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - TR_PEERS_ROW_BITS)];
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    return at;
}

static tr_peer *find_or_make(tr_peers *peers, uint64_t key) {
    tr_peer **at = place_of(peers, key);
    if (!*at && (*at = calloc(1, sizeof **at)))
        (*at)->key = key;
    return *at;
}

tr_status tr_peers_join(tr_peers *peers, tr_channel *channel, tr_peer **out) {
    *out = NULL;
    if (channel->local)
        return TR_OK;
    tr_peer *peer = find_or_make(peers, tr_peer_key(channel->peer));
    if (!peer)
        return TR_RESOURCE_EXHAUSTED;
    channel->crowded = peers->limit > 0 && peer->welcome >= peers->limit;
    peers->refused += channel->crowded;
    if (channel->crowded && peer->crowded == TR_PEERS_CROWDED_MAX)
        return TR_RESOURCE_EXHAUSTED;
    *(channel->crowded ? &peer->crowded : &peer->welcome) += 1;
    *out = peer;
    return TR_OK;
}

void tr_peers_leave(tr_peers *peers, tr_peer *peer, const tr_channel *channel) {
    if (!peer)
        return;
    *(channel->crowded ? &peer->crowded : &peer->welcome) -= 1;
    if (peer->welcome > 0 || peer->crowded > 0)
        return;
    *place_of(peers, peer->key) = peer->next;
    free(peer);
}

void tr_peers_must_hold(const tr_peers *peers, uint64_t turn, tr_invariant *broken) {
    for (const tr_peer *peer = peers->row[turn % (1 << TR_PEERS_ROW_BITS)]; peer;
         peer = peer->next) {
        TR_MUST_BE(broken, peer->welcome + peer->crowded, >, 0);
        TR_MUST(broken, peer->crowded >= 0 && peer->crowded <= TR_PEERS_CROWDED_MAX);
    }
}
