#include "server/net/outlet.h"

#include <stdlib.h>

struct tr_outlet_node {
    tr_packet *packet;
    uint32_t world; /* of events; 0: a response */
    int event_count;
    tr_outlet_node *next;
};

void tr_outlet_init(tr_outlet *outlet, const tr_outlet_def *def) {
    *outlet = (tr_outlet){.def = *def};
    outlet->end = &outlet->first;
}

bool tr_outlet_is_idle(const tr_outlet *outlet) {
    return !outlet->writing && !outlet->first;
}

/* --- the queue --- */

static void unlink_node(tr_outlet *outlet, tr_outlet_node **at) {
    tr_outlet_node *node = *at;
    *at = node->next;
    if (outlet->end == &node->next)
        outlet->end = at;
    outlet->bytes -= node->packet->size;
    if (node->event_count > 0)
        outlet->event_bytes -= node->packet->size;
}

static tr_packet *take_first(tr_outlet *outlet) {
    tr_outlet_node *node = outlet->first;
    tr_packet *packet = node->packet;
    unlink_node(outlet, &outlet->first);
    free(node);
    return packet;
}

static void drop_oldest_events(tr_outlet *outlet) {
    tr_outlet_node **at = &outlet->first;
    while (*at && (*at)->event_count == 0)
        at = &(*at)->next;
    tr_outlet_node *node = *at;
    if (!node)
        return;
    unlink_node(outlet, at);
    outlet->def.dropped(outlet->def.context, node->world, node->event_count);
    tr_packet_release(node->packet);
    free(node);
}

static void tell_held(tr_outlet *outlet) {
    outlet->def.holds(outlet->def.context, outlet->bytes + outlet->batch_bytes);
}

static tr_status append(tr_outlet *outlet, tr_packet *packet, uint32_t world, int event_count) {
    tr_outlet_node *node = malloc(sizeof *node);
    if (!node)
        return TR_RESOURCE_EXHAUSTED;
    *node = (tr_outlet_node){packet, world, event_count, NULL};
    *outlet->end = node;
    outlet->end = &node->next;
    outlet->bytes += packet->size;
    if (event_count > 0)
        outlet->event_bytes += packet->size;
    return TR_OK;
}

/* --- writing --- */

static void release_batch(tr_outlet *outlet) {
    for (int i = 0; i < outlet->batch_count; i++)
        tr_packet_release(outlet->batch[i]);
    outlet->batch_count = 0;
    outlet->batch_bytes = 0;
    outlet->writing = false;
}

void tr_outlet_written(tr_outlet *outlet) {
    release_batch(outlet);
    if (outlet->closed)
        return;
    tell_held(outlet);
    tr_outlet_pump(outlet);
    if (!outlet->closed && tr_outlet_is_idle(outlet))
        outlet->def.drained(outlet->def.context);
}

static uv_buf_t buffer_of(const void *bytes, size_t size) {
    return uv_buf_init((char *)bytes, (unsigned)size);
}

static int gather_queue(tr_outlet *outlet, uv_buf_t *buffers) {
    while (outlet->first && outlet->batch_count < TR_OUTLET_BATCH_MAX) {
        tr_packet *packet = take_first(outlet);
        buffers[outlet->batch_count] = buffer_of(packet->bytes, packet->size);
        outlet->batch[outlet->batch_count++] = packet;
        outlet->batch_bytes += packet->size;
    }
    return outlet->batch_count;
}

/* A state is written as its head, its shared packet and its tail. */
void tr_outlet_pump(void *context) {
    tr_outlet *outlet = context;
    if (outlet->writing || outlet->closed)
        return;
    uv_buf_t buffers[TR_OUTLET_BATCH_MAX];
    tr_channel *channel = outlet->def.channel;
    tr_outlet_state state;
    int count = gather_queue(outlet, buffers);
    if (count == 0 && outlet->def.next_state(outlet->def.context, &state)) {
        outlet->frame = state.frame;
        outlet->batch[outlet->batch_count++] = state.packet;
        buffers[count++] = buffer_of(outlet->frame.head, outlet->frame.head_size);
        buffers[count++] = buffer_of(state.packet->bytes, state.packet->size);
        if (outlet->frame.tail_size > 0)
            buffers[count++] = buffer_of(outlet->frame.tail, outlet->frame.tail_size);
    }
    if (count == 0)
        return;
    outlet->writing = true;
    if (!channel->kind->write(channel, buffers, count))
        return;
    release_batch(outlet);
    outlet->def.failed(outlet->def.context);
}

tr_status tr_outlet_send(tr_outlet *outlet, tr_packet *packet) {
    bool fits = outlet->bytes + packet->size <= TR_UNREAD_MAX;
    if (outlet->closed || !fits || append(outlet, packet, 0, 0)) {
        tr_packet_release(packet);
        return outlet->closed ? TR_OK : TR_RESOURCE_EXHAUSTED;
    }
    tell_held(outlet);
    tr_outlet_pump(outlet);
    return TR_OK;
}

void tr_outlet_send_events(tr_outlet *outlet, tr_packet *packet, uint32_t world, int count) {
    if (outlet->closed)
        return;
    while (outlet->event_bytes > 0 &&
           outlet->event_bytes + packet->size > TR_OUTLET_EVENT_BYTES_MAX)
        drop_oldest_events(outlet);
    if (append(outlet, tr_packet_share(packet), world, count)) {
        tr_packet_release(packet);
        outlet->def.dropped(outlet->def.context, world, count);
    }
    tell_held(outlet);
    tr_outlet_pump(outlet);
}

void tr_outlet_close(tr_outlet *outlet) {
    outlet->closed = true;
    while (outlet->first)
        tr_packet_release(take_first(outlet));
}

void tr_outlet_deinit(tr_outlet *outlet) {
    tr_outlet_close(outlet);
    release_batch(outlet);
}

void tr_outlet_must_hold(const tr_outlet *outlet, tr_invariant *broken) {
    TR_MUST(broken, !*outlet->end && (outlet->first || outlet->bytes == 0));
    TR_MUST_BE(broken, outlet->event_bytes, <=, outlet->bytes);
    TR_MUST_BE(broken, outlet->writing, ==, outlet->batch_count > 0);
    TR_MUST(broken, !outlet->closed || !outlet->first);
}
