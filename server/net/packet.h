/* A packet: bytes that several owners share, as one encoded state goes to many sessions.
 *
 * Reference counted, from any thread; the bytes are written before the packet is shared and never
 * after. */
#ifndef TROUPE_SERVER_PACKET_H
#define TROUPE_SERVER_PACKET_H

#include "proto/status.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_packet {
    atomic_int references;
    size_t size;
    uint8_t bytes[];
} tr_packet;

/* A packet of `size` bytes, unwritten, with one reference; NULL without memory. */
tr_packet *tr_packet_create(size_t size);

tr_packet *tr_packet_share(tr_packet *packet); /* one more reference; returns its argument */
void tr_packet_release(tr_packet *packet);     /* one less; NULL is fine */

#endif
