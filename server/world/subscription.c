#include "server/world/subscription.h"

#include "server/world/encode.h"

#include <stdlib.h>

/* --- state classes --- */

/* Whether find_class will succeed once `replaced` has ended. */
static bool has_class(const tr_subscriptions *all, const tr_subscription_def *def,
                      const tr_subscription *replaced) {
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        const tr_state_class *class = &all->class[i];
        if (all->class_users[i] == 0 ||
            (class->every_ticks == def->every_ticks && class->fields == def->fields))
            return true;
    }
    return replaced && replaced->slot >= 0 && all->class_users[replaced->slot] == 1;
}

static int find_class(tr_subscriptions *all, const tr_subscription_def *def) {
    int free_slot = -1;
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        const tr_state_class *class = &all->class[i];
        if (all->class_users[i] == 0)
            free_slot = i;
        else if (class->every_ticks == def->every_ticks && class->fields == def->fields)
            return i;
    }
    if (free_slot >= 0)
        all->class[free_slot] = (tr_state_class){.generation = ++all->next_generation,
                                                 .every_ticks = def->every_ticks,
                                                 .fields = def->fields};
    return free_slot;
}

/* --- life --- */

tr_status tr_subscribe(tr_subscriptions *all, const tr_subscription_def *def,
                       tr_subscription *replaced, tr_subscription **out) {
    if (def->every_ticks != 0 && !has_class(all, def, replaced))
        return TR_RESOURCE_EXHAUSTED;
    tr_subscription *subscription = calloc(1, sizeof *subscription);
    if (!subscription)
        return TR_RESOURCE_EXHAUSTED;
    /* Before the previous one ends: between the two the world would drop its events. */
    if (def->events && all->event_count++ == 0)
        all->source->set_events(all->world, true);
    if (replaced)
        tr_subscription_end(replaced);
    int slot = def->every_ticks == 0 ? -1 : find_class(all, def);
    *subscription = (tr_subscription){.all = all, .def = *def, .slot = slot, .next = all->first};
    all->first = subscription;
    all->count++;
    if (slot >= 0) {
        all->class_users[slot]++;
        all->class[slot].refresh++;
        all->source->set_classes(all->world, all->class);
    }
    *out = subscription;
    return TR_OK;
}

void tr_subscription_end(tr_subscription *subscription) {
    tr_subscriptions *all = subscription->all;
    tr_subscription **at = &all->first;
    while (*at != subscription)
        at = &(*at)->next;
    *at = subscription->next;
    all->count--;
    if (subscription->def.events && --all->event_count == 0)
        all->source->set_events(all->world, false);
    int slot = subscription->slot;
    if (slot >= 0 && --all->class_users[slot] == 0) {
        all->class[slot].generation = 0;
        all->source->set_classes(all->world, all->class);
    }
    subscription->def.kind->ended(subscription->def.subscriber, subscription);
    tr_packet_release(subscription->pending);
    free(subscription);
}

void tr_subscriptions_end(tr_subscriptions *all) {
    for (tr_subscription *next, *s = all->first; s; s = next) {
        next = s->next;
        tr_subscription_end(s);
    }
}

/* --- states and events of a world --- */

/* The newest state replaces one that was not sent yet. */
void tr_subscriptions_offer_states(tr_subscriptions *all, const tr_state_post *posts,
                                   tr_tally *tally) {
    for (tr_subscription *next, *s = all->first; s; s = next) {
        next = s->next;
        const tr_state_post *post = s->slot < 0 ? NULL : &posts[s->slot];
        if (!post || !post->packet || post->generation != all->class[s->slot].generation)
            continue;
        if (s->based)
            tally->states_dropped +=
                post->sequence - s->pending_sequence - 1 + (s->pending != NULL);
        else
            s->base = post->sequence;
        s->based = true;
        tr_packet_release(s->pending);
        s->pending = tr_packet_share(post->packet);
        s->pending_sequence = post->sequence;
        s->def.kind->state(s->def.reader);
    }
}

/* Sends an event that says how many events the subscriber has missed. */
static void report_loss(tr_subscription *s) {
    tr_event event = {.kind = TR_EVENT_DROPPED, .magnitude = (double)s->events_lost};
    if (s->events_lost == 0)
        return;
    s->all->source->describe(s->all->world, &event.tick, &event.epoch);
    tr_packet *packet = NULL;
    if (tr_encode_events(s->all->id, &event, 1, &packet))
        return;
    s->events_lost = 0;
    s->def.kind->events(s->def.subscriber, packet, s->all->id, 1);
    tr_packet_release(packet);
}

void tr_subscriptions_offer_events(tr_subscriptions *all, const tr_event_post *posts,
                                   tr_tally *tally) {
    const uint32_t inputs = TROUPE__STATE_FIELD__STATE_FIELD_INPUTS;
    for (tr_subscription *next, *s = all->first; s; s = next) {
        next = s->next;
        if (!s->def.events && !(s->def.fields & inputs))
            continue;
        /* Sending may end `s`; its subscriber outlives it. */
        const tr_subscription_def def = s->def;
        const tr_event_post *post = &posts[def.events ? TR_EVENTS_ALL : TR_EVENTS_INPUTS];
        s->events_lost += post->dropped;
        tally->events_dropped += (uint64_t)post->dropped;
        report_loss(s);
        for (int i = 0; i < 2; i++)
            if (post->packet[i])
                def.kind->events(def.subscriber, post->packet[i], all->id, post->count[i]);
    }
}

/* --- a hosted world --- */

static void set_classes(void *world, const tr_state_class *classes) {
    tr_hosted_set_classes(world, classes);
}

static void set_events(void *world, bool wanted) {
    tr_hosted_set_events(world, wanted);
}

static void describe(void *world, int64_t *out_tick, uint32_t *out_epoch) {
    const tr_world_info info = tr_hosted_describe(world);
    *out_tick = info.tick;
    *out_epoch = info.epoch;
}

const tr_state_source tr_hosted_source = {
    .set_classes = set_classes, .set_events = set_events, .describe = describe};

void tr_subscriptions_must_hold(const tr_subscriptions *all, tr_invariant *broken) {
    int count = 0, events = 0, users[TR_STATE_CLASS_MAX] = {0};
    for (const tr_subscription *s = all->first; s; s = s->next) {
        count++;
        events += s->def.events;
        if (s->slot >= 0)
            users[s->slot]++;
    }
    TR_MUST_BE(broken, all->count, ==, count);
    TR_MUST_BE(broken, all->event_count, ==, events);
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        TR_MUST_BE(broken, all->class_users[i], ==, users[i]);
        TR_MUST_BE(broken, users[i] > 0, ==, all->class[i].generation != 0);
    }
}
