#include "server/net/packet.h"

#include <stdlib.h>

tr_packet *tr_packet_create(size_t size) {
    tr_packet *packet = malloc(sizeof *packet + size);
    if (packet) {
        atomic_init(&packet->references, 1);
        packet->size = size;
    }
    return packet;
}

tr_packet *tr_packet_share(tr_packet *packet) {
    atomic_fetch_add_explicit(&packet->references, 1, memory_order_relaxed);
    return packet;
}

void tr_packet_release(tr_packet *packet) {
    if (packet && atomic_fetch_sub_explicit(&packet->references, 1, memory_order_acq_rel) == 1)
        free(packet);
}
