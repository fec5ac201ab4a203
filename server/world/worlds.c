#include "server/world/worlds.h"

#include "server/catalogue/name.h"
#include "server/config/log.h"
#include "server/world/encode.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(TR_WORLDS_MAX <= 64, "one bit a world");

enum { HOLD_MAX = TR_CAST_CONTROLLER_MAX + TR_CAST_MODEL_MAX };

struct tr_subscription {
    tr_hosted *hosted;
    tr_subscription_def def;
    int slot;           /* of its state class; -1: none */
    tr_packet *pending; /* the newest state not yet sent */
    uint64_t pending_sequence;
    bool based; /* `base` is the sequence of the first state that came */
    uint64_t base, sent;
    int64_t events_lost;
    tr_subscription *next;
};

struct tr_hosted {
    uint32_t id;
    char name[TR_NAME_MAX];
    tr_world_mode mode;
    uint64_t maker; /* account that made it; 0: nobody's */
    bool leaving;
    tr_worlds *worlds;
    tr_host *host;
    int hold_count;
    tr_library_item *hold[HOLD_MAX];
    tr_subscription *subscriptions;
    int subscriber_count, event_subscriber_count;
    tr_state_class class[TR_STATE_CLASS_MAX];
    int class_users[TR_STATE_CLASS_MAX];
    uint32_t next_class_generation;
};

struct tr_worlds {
    tr_worlds_def def;
    tr_hosted *slot[TR_WORLDS_MAX];
    uint32_t generation[TR_WORLDS_MAX];
    int count; /* slots in use, leaving ones too */
    uv_async_t news;
    atomic_uint_least64_t dirty; /* bit i: the host of slot i has something */
    void (*closed)(void *context);
    void *closed_context;
};

/* --- ids: the slot in the low byte, its generation above --- */

static uint32_t make_id(const tr_worlds *worlds, int slot) {
    return worlds->generation[slot] << 8 | (uint32_t)(slot + 1);
}

static int slot_of(uint32_t id) {
    int slot = (int)(id & 0xff) - 1;
    return slot >= 0 && slot < TR_WORLDS_MAX ? slot : -1;
}

tr_hosted *tr_worlds_find(tr_worlds *worlds, uint32_t id) {
    int slot = slot_of(id);
    tr_hosted *hosted = slot < 0 ? NULL : worlds->slot[slot];
    return hosted != NULL && hosted->id == id && !hosted->leaving ? hosted : NULL;
}

int tr_worlds_count(const tr_worlds *worlds) {
    int count = 0;
    for (int i = 0; i < TR_WORLDS_MAX; i++)
        count += worlds->slot[i] != NULL && !worlds->slot[i]->leaving;
    return count;
}

int tr_worlds_made_by(const tr_worlds *worlds, uint64_t account) {
    int count = 0;
    for (int i = 0; i < TR_WORLDS_MAX; i++)
        count += worlds->slot[i] != NULL && !worlds->slot[i]->leaving &&
                 worlds->slot[i]->maker == account;
    return count;
}

int tr_worlds_owned_by(const tr_worlds *worlds, uint64_t account) {
    int count = 0;
    for (int i = 0; i < TR_WORLDS_MAX; i++)
        if (worlds->slot[i] != NULL && !worlds->slot[i]->leaving)
            count += tr_host_owned(worlds->slot[i]->host, account);
    return count;
}

void tr_hosted_set_maker(tr_hosted *hosted, uint64_t account) {
    hosted->maker = account;
}

tr_hosted *tr_worlds_at(tr_worlds *worlds, int index) {
    tr_hosted *hosted = worlds->slot[index];
    return hosted != NULL && !hosted->leaving ? hosted : NULL;
}

uint32_t tr_hosted_id(const tr_hosted *hosted) {
    return hosted->id;
}

const char *tr_hosted_name(const tr_hosted *hosted) {
    return hosted->name;
}

tr_world_mode tr_hosted_mode(const tr_hosted *hosted) {
    return hosted->mode;
}

tr_play_info tr_hosted_describe(tr_hosted *hosted) {
    return tr_host_describe(hosted->host);
}

int tr_hosted_subscriber_count(const tr_hosted *hosted) {
    return hosted->subscriber_count;
}

/* --- subscriptions --- */

/* Will find_class succeed once `replaced` has ended? */
static bool has_class(const tr_hosted *hosted, const tr_subscription_def *def,
                      const tr_subscription *replaced) {
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        const tr_state_class *class = &hosted->class[i];
        if (hosted->class_users[i] == 0 ||
            (class->every_ticks == def->every_ticks && class->fields == def->fields))
            return true;
    }
    return replaced != NULL && replaced->slot >= 0 && hosted->class_users[replaced->slot] == 1;
}

static int find_class(tr_hosted *hosted, const tr_subscription_def *def) {
    int free_slot = -1;
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        const tr_state_class *class = &hosted->class[i];
        if (hosted->class_users[i] == 0)
            free_slot = i;
        else if (class->every_ticks == def->every_ticks && class->fields == def->fields)
            return i;
    }
    if (free_slot >= 0)
        hosted->class[free_slot] = (tr_state_class){.generation = ++hosted->next_class_generation,
                                                    .every_ticks = def->every_ticks,
                                                    .fields = def->fields};
    return free_slot;
}

tr_status tr_hosted_subscribe(tr_hosted *hosted, const tr_subscription_def *def,
                              tr_subscription *replaced, tr_subscription **out) {
    if (def->every_ticks != 0 && !has_class(hosted, def, replaced))
        return TR_RESOURCE_EXHAUSTED;
    tr_subscription *subscription = calloc(1, sizeof *subscription);
    if (subscription == NULL)
        return TR_RESOURCE_EXHAUSTED;
    if (replaced != NULL)
        tr_subscription_end(replaced);
    int slot = def->every_ticks == 0 ? -1 : find_class(hosted, def);
    *subscription = (tr_subscription){.hosted = hosted, .def = *def, .slot = slot};
    subscription->next = hosted->subscriptions;
    hosted->subscriptions = subscription;
    hosted->subscriber_count++;
    if (def->events && hosted->event_subscriber_count++ == 0)
        tr_host_set_events(hosted->host, true);
    if (slot >= 0) {
        hosted->class_users[slot]++;
        hosted->class[slot].refresh++;
        tr_host_set_classes(hosted->host, hosted->class);
    }
    *out = subscription;
    return TR_OK;
}

void tr_subscription_end(tr_subscription *subscription) {
    tr_hosted *hosted = subscription->hosted;
    tr_subscription **at = &hosted->subscriptions;
    while (*at != subscription)
        at = &(*at)->next;
    *at = subscription->next;
    hosted->subscriber_count--;
    if (subscription->def.events && --hosted->event_subscriber_count == 0)
        tr_host_set_events(hosted->host, false);
    int slot = subscription->slot;
    if (slot >= 0 && --hosted->class_users[slot] == 0) {
        hosted->class[slot].generation = 0;
        tr_host_set_classes(hosted->host, hosted->class);
    }
    subscription->def.kind->ended(subscription->def.subscriber, subscription);
    tr_packet_release(subscription->pending);
    free(subscription);
}

uint32_t tr_subscription_world(const tr_subscription *subscription) {
    return subscription->hosted->id;
}

bool tr_subscription_take(tr_subscription *subscription, tr_packet **out_packet,
                          uint64_t *out_dropped) {
    if (subscription->pending == NULL)
        return false;
    *out_packet = subscription->pending;
    *out_dropped = subscription->pending_sequence - subscription->base - subscription->sent;
    subscription->pending = NULL;
    subscription->sent++;
    return true;
}

void tr_subscription_lost(tr_subscription *subscription, int64_t events) {
    subscription->events_lost += events;
}

/* --- the way out: from hosts to sessions --- */

static void offer_state(tr_subscription *subscription, const tr_state_post *post) {
    if (subscription->based)
        subscription->hosted->worlds->def.tally->states_dropped +=
            post->sequence - subscription->pending_sequence - 1 + (subscription->pending != NULL);
    tr_packet_release(subscription->pending);
    subscription->pending = tr_packet_share(post->packet);
    subscription->pending_sequence = post->sequence;
    if (!subscription->based) {
        subscription->based = true;
        subscription->base = post->sequence;
    }
    subscription->def.kind->state(subscription->def.subscriber);
}

static void deliver_states(tr_hosted *hosted, const tr_harvest *harvest) {
    for (tr_subscription *next, *s = hosted->subscriptions; s != NULL; s = next) {
        next = s->next;
        if (s->slot < 0)
            continue;
        const tr_state_post *post = &harvest->state[s->slot];
        if (post->packet != NULL && post->generation == hosted->class[s->slot].generation)
            offer_state(s, post);
    }
}

static void tell_loss(tr_hosted *hosted, tr_subscription *subscription) {
    if (subscription->events_lost == 0)
        return;
    tr_play_info info = tr_host_describe(hosted->host);
    tr_event event = {.kind = TR_EVENT_DROPPED,
                      .tick = info.tick,
                      .epoch = info.epoch,
                      .magnitude = (double)subscription->events_lost};
    tr_packet *packet = NULL;
    if (tr_encode_events(hosted->id, &event, 1, &packet) != TR_OK)
        return;
    subscription->events_lost = 0;
    subscription->def.kind->events(subscription->def.subscriber, packet, hosted->id, 1);
    tr_packet_release(packet);
}

static void deliver_events(tr_hosted *hosted, const tr_harvest *harvest) {
    for (tr_subscription *next, *s = hosted->subscriptions; s != NULL; s = next) {
        next = s->next;
        if (!s->def.events)
            continue;
        /* Sending may end `s`; its subscriber outlives it. */
        const tr_subscription_def def = s->def;
        s->events_lost += harvest->events_dropped;
        hosted->worlds->def.tally->events_dropped += (uint64_t)harvest->events_dropped;
        tell_loss(hosted, s);
        for (int i = 0; i < 2; i++)
            if (harvest->events[i] != NULL)
                def.kind->events(def.subscriber, harvest->events[i], hosted->id,
                                 harvest->event_count[i]);
    }
}

static void deliver_recorded(const tr_worlds *worlds, const tr_harvest *harvest) {
    for (tr_recorded *recorded = harvest->recorded; recorded; recorded = recorded->next)
        worlds->def.recorded(worlds->def.context, recorded);
}

static void deliver_replies(const tr_worlds *worlds, const tr_harvest *harvest) {
    for (const tr_reply *reply = harvest->replies; reply; reply = reply->next)
        worlds->def.replied(worlds->def.context, reply);
}

static void log_world(const char *event, const tr_hosted *hosted) {
    static const char *const mode[] = {
        [TR_MODE_REAL_TIME] = "real_time", [TR_MODE_STEPPED] = "stepped", [TR_MODE_FAST] = "fast"};
    char name[TR_NAME_MAX];
    tr_log_quote(hosted->name, name, sizeof name);
    tr_log_line(TR_LOG_INFO, event, "world=%u name=\"%s\" mode=%s", hosted->id, name,
                mode[hosted->mode]);
}

static void count_closed(tr_tally *tally, const tr_play_info *info) {
    tally->worlds_closed++;
    tally->steps += info->steps_made;
    tally->dropped_ticks += info->dropped_ticks;
    tr_tally_add_lateness(&tally->lateness, &info->lateness);
}

static void let_go(tr_hosted *hosted) {
    tr_worlds *worlds = hosted->worlds;
    const tr_play_info info = tr_host_describe(hosted->host);
    count_closed(worlds->def.tally, &info);
    for (tr_subscription *next, *s = hosted->subscriptions; s != NULL; s = next) {
        next = s->next;
        tr_subscription_end(s);
    }
    tr_host_destroy(hosted->host);
    worlds->def.closed(worlds->def.context, hosted->id);
    for (int i = 0; i < hosted->hold_count; i++)
        tr_library_release(worlds->def.library, hosted->hold[i]);
    log_world("world.closed", hosted);
    worlds->slot[slot_of(hosted->id)] = NULL;
    worlds->count--;
    free(hosted);
}

static void tell_closed(tr_worlds *worlds) {
    if (worlds->count > 0 || worlds->closed == NULL)
        return;
    void (*closed)(void *) = worlds->closed;
    worlds->closed = NULL;
    closed(worlds->closed_context);
}

static void collect(tr_worlds *worlds, tr_hosted *hosted) {
    tr_harvest harvest;
    tr_host_collect(hosted->host, &harvest);
    deliver_states(hosted, &harvest);
    deliver_events(hosted, &harvest);
    deliver_recorded(worlds, &harvest);
    deliver_replies(worlds, &harvest);
    bool closed = harvest.closed;
    tr_harvest_deinit(&harvest);
    if (closed)
        let_go(hosted);
}

static void on_news(uv_async_t *handle) {
    tr_worlds *worlds = handle->data;
    uint64_t dirty = atomic_exchange(&worlds->dirty, 0);
    for (int i = 0; i < TR_WORLDS_MAX; i++)
        if ((dirty >> i & 1) != 0 && worlds->slot[i] != NULL)
            collect(worlds, worlds->slot[i]);
    tell_closed(worlds);
}

/* On a world thread. */
static void notify(void *context, uint32_t id) {
    tr_worlds *worlds = context;
    int slot = slot_of(id);
    assert(slot >= 0);
    atomic_fetch_or(&worlds->dirty, UINT64_C(1) << slot);
    uv_async_send(&worlds->news);
}

/* --- worlds --- */

static tr_status find_place(const tr_worlds *worlds, const char *name, int *out_slot,
                            tr_error *error) {
    int slot = -1;
    for (int i = TR_WORLDS_MAX - 1; i >= 0; i--) {
        const tr_hosted *hosted = worlds->slot[i];
        if (hosted == NULL)
            slot = i;
        else if (!hosted->leaving && strcmp(hosted->name, name) == 0)
            return tr_fail(error, TR_ALREADY_EXISTS, "name: a world '%s' is there, id %u", name,
                           hosted->id);
    }
    if (slot < 0)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%d worlds are there already", TR_WORLDS_MAX);
    *out_slot = slot;
    return TR_OK;
}

tr_status tr_worlds_add(tr_worlds *worlds, tr_play_def *def, tr_hosted **out, tr_error *error) {
    int slot = 0;
    tr_status status = find_place(worlds, def->name, &slot, error);
    if (status != TR_OK)
        return status;
    tr_hosted *hosted = calloc(1, sizeof *hosted);
    if (hosted == NULL)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    worlds->generation[slot] = (worlds->generation[slot] + 1) & 0xffffff;
    def->id = hosted->id = make_id(worlds, slot);
    def->staggered = true;
    def->phase = tr_pace_phase_of(slot);
    tr_name_set(hosted->name, def->name);
    hosted->mode = def->mode;
    hosted->worlds = worlds;
    tr_host_def host = {.pool = worlds->def.pool, .notify = notify, .context = worlds};
    host.play = *def;
    status = tr_host_create(&host, &hosted->host);
    if (status != TR_OK) {
        free(hosted);
        return tr_fail(error, status, "world: %s", tr_status_text(status));
    }
    worlds->slot[slot] = hosted;
    worlds->count++;
    log_world("world.open", hosted);
    *out = hosted;
    return TR_OK;
}

void tr_worlds_remove(tr_worlds *worlds, tr_hosted *hosted) {
    (void)worlds;
    if (hosted->leaving)
        return;
    hosted->leaving = true;
    tr_host_close(hosted->host);
}

tr_status tr_hosted_hold(tr_hosted *hosted, tr_library_item *item) {
    for (int i = 0; i < hosted->hold_count; i++)
        if (hosted->hold[i] == item)
            return TR_OK;
    if (hosted->hold_count == HOLD_MAX)
        return TR_RESOURCE_EXHAUSTED;
    tr_library_hold(hosted->worlds->def.library, item);
    hosted->hold[hosted->hold_count++] = item;
    return TR_OK;
}

void tr_worlds_stop_recording(tr_worlds *worlds, uint32_t id, tr_status status, const char *why) {
    tr_hosted *hosted = tr_worlds_find(worlds, id);
    tr_command *command = tr_command_create(TR_COMMAND_STOP_RECORDING);
    if (command == NULL || hosted == NULL) {
        tr_command_destroy(command);
        return;
    }
    command->silent = true;
    command->as.stop_recording.status = status;
    memcpy(command->as.stop_recording.why, why, strnlen(why, TR_RECORDING_TEXT_MAX - 1));
    if (tr_hosted_post(hosted, command) != TR_OK)
        tr_command_destroy(command);
}

tr_status tr_hosted_post(tr_hosted *hosted, tr_command *command) {
    return tr_host_post(hosted->host, command);
}

/* --- life --- */

tr_status tr_worlds_create(const tr_worlds_def *def, tr_worlds **out) {
    tr_worlds *worlds = calloc(1, sizeof *worlds);
    if (worlds == NULL)
        return TR_RESOURCE_EXHAUSTED;
    worlds->def = *def;
    if (uv_async_init(def->loop, &worlds->news, on_news) != 0) {
        free(worlds);
        return TR_RESOURCE_EXHAUSTED;
    }
    worlds->news.data = worlds;
    *out = worlds;
    return TR_OK;
}

void tr_worlds_close(tr_worlds *worlds, void (*closed)(void *context), void *context) {
    worlds->closed = closed;
    worlds->closed_context = context;
    for (int i = 0; i < TR_WORLDS_MAX; i++)
        if (worlds->slot[i] != NULL)
            tr_worlds_remove(worlds, worlds->slot[i]);
    uv_async_send(&worlds->news);
}

static void on_news_closed(uv_handle_t *handle) {
    free(handle->data);
}

void tr_worlds_destroy(tr_worlds *worlds) {
    if (worlds == NULL)
        return;
    for (int i = 0; i < TR_WORLDS_MAX; i++)
        if (worlds->slot[i] != NULL)
            let_go(worlds->slot[i]);
    uv_close((uv_handle_t *)&worlds->news, on_news_closed);
}
