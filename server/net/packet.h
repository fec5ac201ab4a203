/* A packet: bytes that several owners share, such as one encoded state for many sessions.
 *
 * Reference counted, from any thread. The bytes are written before the packet is shared, never
 * afterwards. */
#pragma once

#include "proto/status.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tr_packet {
    atomic_int references;
    size_t size;
    uint8_t bytes[];
} tr_packet;

/* A packet of `size` uninitialised bytes with one reference; NULL: no memory. */
tr_packet *tr_packet_create(size_t size);

tr_packet *tr_packet_share(tr_packet *packet); /* adds a reference; returns its argument */
void tr_packet_release(tr_packet *packet);     /* drops a reference; NULL is allowed */
