#include "server/relay/relayed_world.h"

#include "proto/frame.h"
#include "proto/message.h"
#include "server/config/log.h"
#include "server/world/encode.h"

#include <stdlib.h>
#include <string.h>

enum { PAUSE_LAST_S = 60 };

/* --- subscriptions upstream --- */

static bool is_wanted(const tr_relayed_world *world, int index, int carrier) {
    return index < TR_STATE_CLASS_MAX ? world->class[index].generation != 0 : index == carrier;
}

/* Does it bring the events now, with states that are still wanted? */
static bool is_carrier(const tr_relayed_world *world, int index) {
    const tr_relayed_slot *slot = &world->slot[index];
    return slot->link && slot->brings_events && !slot->failed &&
           slot->generation == world->class[index].generation;
}

static bool has_inputs(const tr_relayed_world *world, int index) {
    return (world->class[index].fields & TROUPE__STATE_FIELD__STATE_FIELD_INPUTS) != 0;
}

/* The slot whose subscription brings the events: one that is wanted for its states, the same as
 * long as it is, because events are lost between two. With inputs at best, which come before the state that
 * follows from them on the same connection alone. */
static int events_carrier(const tr_relayed_world *world) {
    int first = -1;
    for (int i = TR_STATE_CLASS_MAX - 1; i >= 0; i--) {
        if (world->class[i].generation != 0 && is_carrier(world, i))
            return i;
        if (world->class[i].generation != 0 && (first < 0 || has_inputs(world, i)))
            first = i;
    }
    return first < 0 && world->events_wanted ? TR_RELAYED_EVENTS : first;
}

static void send_subscribe(tr_relayed_world *world, int index) {
    tr_relayed_slot *slot = &world->slot[index];
    Troupe__Subscribe subscribe = {TR_MESSAGE_BASE(subscribe), .world = world->id,
                                   .events = slot->brings_events};
    if (index < TR_STATE_CLASS_MAX) {
        subscribe.rate_hz = 1 / (world->class[index].every_ticks * world->step_s);
        subscribe.fields = world->class[index].fields;
    }
    slot->request = tr_upstream_request(slot->link->upstream, &subscribe.base);
    slot->failed = false;
    slot->dropped = 0;
}

static void leave(tr_relayed_world *world, tr_relayed_slot *slot) {
    Troupe__Unsubscribe unsubscribe = {TR_MESSAGE_BASE(unsubscribe), .world = world->id};
    if (slot->link && !world->gone)
        (void)tr_upstream_request(slot->link->upstream, &unsubscribe.base);
    if (slot->link)
        tr_link_give_back(slot->link, world->id);
    tr_packet_release(slot->newest);
    *slot = (tr_relayed_slot){0};
}

static uint32_t generation_of(const tr_relayed_world *world, int index) {
    return index < TR_STATE_CLASS_MAX ? world->class[index].generation : 1;
}

/* A Subscribe replaces that of the same link, so that no events are lost between the two: a new
 * carrier gets the link of the previous one, if that is wanted no more. The link that it had before
 * is left by the previous one. */
static void hand_events_over(tr_relayed_world *world, int carrier) {
    if (carrier < 0 || world->slot[carrier].brings_events)
        return;
    for (int i = 0; i < TR_RELAYED_SLOTS; i++) {
        tr_relayed_slot *from = &world->slot[i], *to = &world->slot[carrier];
        if (!from->link || !from->brings_events || is_wanted(world, i, carrier))
            continue;
        tr_link *spare = to->link;
        to->link = from->link;
        to->generation = generation_of(world, carrier);
        tr_packet_release(from->newest);
        *from = (tr_relayed_slot){.link = spare};
        return;
    }
}

static void join(tr_relayed_world *world, int index, bool brings_events) {
    tr_relayed_slot *slot = &world->slot[index];
    if (!slot->link)
        slot->link = tr_links_take(world->links, world->id);
    slot->generation = generation_of(world, index);
    slot->brings_events = brings_events;
    slot->failed = !slot->link;
    if (slot->link)
        send_subscribe(world, index); /* nothing is sent while it is closed */
}

/* Subscribes upstream to what the readers want, and to nothing else: first it gives places on links
 * back. */
static void reconcile(tr_relayed_world *world) {
    int carrier = events_carrier(world);
    if (!world->gone)
        hand_events_over(world, carrier);
    for (int i = 0; i < TR_RELAYED_SLOTS && !world->gone; i++)
        if (world->slot[i].link &&
            (!is_wanted(world, i, carrier) || world->slot[i].generation != generation_of(world, i)))
            leave(world, &world->slot[i]);
    for (int i = 0; i < TR_RELAYED_SLOTS && !world->gone; i++) {
        const tr_relayed_slot *slot = &world->slot[i];
        if (is_wanted(world, i, carrier) && (!slot->link || slot->brings_events != (i == carrier)))
            join(world, i, i == carrier);
    }
}

/* --- the source of its subscriptions --- */

static void set_classes(void *context, const tr_state_class *classes) {
    tr_relayed_world *world = context;
    memcpy(world->class, classes, sizeof world->class);
    reconcile(world);
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        if (world->slot[i].refresh != classes[i].refresh) {
            world->slot[i].refresh = classes[i].refresh;
            world->slot[i].awaited = world->slot[i].newest != NULL;
        }
}

static void set_events(void *context, bool wanted) {
    tr_relayed_world *world = context;
    world->events_wanted = wanted;
    reconcile(world);
}

static void describe(void *context, int64_t *out_tick, uint32_t *out_epoch) {
    const tr_relayed_world *world = context;
    *out_tick = world->tick;
    *out_epoch = world->epoch;
}

static const tr_state_source source = {
    .set_classes = set_classes, .set_events = set_events, .describe = describe};

/* --- life --- */

tr_relayed_world *tr_relayed_world_create(tr_links *links, tr_tally *tally,
                                          const Troupe__WorldInfo *info) {
    tr_relayed_world *world = calloc(1, sizeof *world);
    if (!world)
        return NULL;
    *world =
        (tr_relayed_world){.id = info->id,
                           .step_s = info->step_s,
                           .tick = info->tick,
                           .epoch = info->epoch,
                           .links = links,
                           .tally = tally,
                           .subscriptions = {.id = info->id, .source = &source, .world = world}};
    return world;
}

void tr_relayed_world_destroy(tr_relayed_world *world) {
    for (int i = 0; i < TR_RELAYED_SLOTS; i++)
        leave(world, &world->slot[i]);
    free(world);
}

bool tr_relayed_world_is_watched(const tr_relayed_world *world) {
    return !world->gone && events_carrier(world) >= 0;
}

void tr_relayed_world_link_opened(tr_relayed_world *world, tr_link *link) {
    for (int i = 0; i < TR_RELAYED_SLOTS; i++)
        if (world->slot[i].link == link)
            send_subscribe(world, i);
}

void tr_relayed_world_retry(tr_relayed_world *world) {
    for (int i = 0; i < TR_RELAYED_SLOTS && !world->gone; i++)
        if (world->slot[i].failed && --world->slot[i].wait_s <= 0)
            join(world, i, world->slot[i].brings_events);
}

/* The event that a daemon sends when it destroys a world. */
static void announce_end(tr_relayed_world *world) {
    const tr_event event = {.kind = TR_EVENT_DESTROYED, .tick = world->tick, .epoch = world->epoch};
    tr_event_post post[TR_EVENT_STREAMS] = {{.count = {1}}};
    if (tr_encode_events(world->id, &event, 1, &post[TR_EVENTS_ALL].packet[0]))
        return;
    post[TR_EVENTS_INPUTS] = post[TR_EVENTS_ALL];
    tr_subscriptions_offer_events(&world->subscriptions, post, world->tally);
    tr_packet_release(post[TR_EVENTS_ALL].packet[0]);
}

void tr_relayed_world_end(tr_relayed_world *world) {
    announce_end(world);
    world->gone = true;
    tr_subscriptions_end(&world->subscriptions);
}

/* --- messages --- */

static void offer(tr_relayed_world *world, int index) {
    tr_relayed_slot *slot = &world->slot[index];
    tr_state_post post[TR_STATE_CLASS_MAX] = {0};
    post[index] = (tr_state_post){slot->newest, slot->generation, ++slot->sequence};
    slot->awaited = false;
    tr_subscriptions_offer_states(&world->subscriptions, post, world->tally);
}

static tr_relayed_slot *slot_of(tr_relayed_world *world, const tr_link *link) {
    for (int i = 0; i < TR_RELAYED_SLOTS; i++)
        if (world->slot[i].link == link)
            return &world->slot[i];
    return NULL;
}

bool tr_relayed_world_state(tr_relayed_world *world, const tr_link *link,
                            const tr_relayed_state *state) {
    tr_relayed_slot *slot = slot_of(world, link);
    if (slot && slot->request != 0) {
        slot->sequence++; /* it counts as dropped */
        return false;
    }
    tr_packet *packet = slot ? tr_packet_create(state->size) : NULL;
    if (!packet)
        return false;
    memcpy(packet->bytes, state->data, state->size);
    if (state->dropped > slot->dropped)
        slot->sequence += state->dropped - slot->dropped;
    slot->dropped = state->dropped; /* begins again at 0 with each subscription */
    tr_packet_release(slot->newest);
    slot->newest = packet;
    if (slot < &world->slot[TR_STATE_CLASS_MAX])
        offer(world, (int)(slot - world->slot));
    return true;
}

static bool tells_end(const Troupe__EventBatch *batch) {
    for (size_t i = 0; i < batch->n_events; i++)
        if (batch->events[i]->kind == TROUPE__EVENT_KIND__EVENT_KIND_DESTROYED)
            return true;
    return false;
}

bool tr_relayed_world_events(tr_relayed_world *world, const tr_link *link,
                             const Troupe__EventBatch *batch, const uint8_t *data, size_t size) {
    const tr_relayed_slot *slot = slot_of(world, link);
    uint8_t prefix[TR_FRAME_PREFIX_MAX];
    size_t prefix_size = tr_frame_prefix((uint32_t)size, prefix);
    tr_packet *packet = slot && slot->brings_events ? tr_packet_create(prefix_size + size) : NULL;
    if (!packet)
        return false;
    memcpy(packet->bytes, prefix, prefix_size);
    memcpy(packet->bytes + prefix_size, data, size);
    tr_event_post post[TR_EVENT_STREAMS] = {
        [TR_EVENTS_ALL] = {.packet = {packet}, .count = {(int)batch->n_events}}};
    tr_event_post *inputs = &post[TR_EVENTS_INPUTS];
    if (tr_encode_inputs_of(batch, &inputs->count[0], &inputs->packet[0]))
        inputs->dropped = (int64_t)batch->n_events;
    tr_subscriptions_offer_events(&world->subscriptions, post, world->tally);
    tr_packet_release(packet);
    tr_packet_release(inputs->packet[0]);
    if (tells_end(batch)) {
        world->gone = true;
        tr_subscriptions_end(&world->subscriptions);
    }
    return true;
}

/* Logged when it begins to be refused. */
static void note_refusal(const tr_relayed_world *world, tr_relayed_slot *slot, const char *why) {
    char quoted[256];
    tr_log_quote(why, quoted, sizeof quoted);
    if (slot->pause_s == 0)
        tr_log_line(TR_LOG_WARN, "relay.refused", "world=%u reason=\"%s\"", world->id, quoted);
    int longer_s = slot->pause_s == 0 ? 1 : 2 * slot->pause_s;
    slot->pause_s = longer_s < PAUSE_LAST_S ? longer_s : PAUSE_LAST_S;
    slot->wait_s = slot->pause_s;
}

bool tr_relayed_world_response(tr_relayed_world *world, const tr_link *link,
                               const Troupe__Response *response) {
    tr_relayed_slot *slot = slot_of(world, link);
    if (!slot || slot->request == 0 || slot->request != response->request_id)
        return false;
    slot->request = 0;
    if (response->code == TROUPE__STATUS_CODE__STATUS_CODE_OK) {
        slot->pause_s = 0;
        return true;
    }
    note_refusal(world, slot, response->message);
    if (response->code == TROUPE__STATUS_CODE__STATUS_CODE_NOT_FOUND)
        tr_relayed_world_end(world);
    else
        slot->failed = true;
    return true;
}

bool tr_relayed_world_serve_new(tr_relayed_world *world) {
    bool any = false;
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        if (world->slot[i].awaited) {
            offer(world, i);
            any = true;
        }
    return any;
}
