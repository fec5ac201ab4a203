#include "server/world/host.h"

#include "server/world/encode.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    TURN_NS = 2000000,      /* a turn ends after so long: other worlds want the thread too */
    INBOX_COUNT_MAX = 8192, /* commands */
    INBOX_BYTES_MAX = TR_COMMANDS_PENDING_BYTES_MAX,
    REPLY_ROOM_MAX = 8192 /* replies not collected before the world waits for the loop */
};

struct tr_host {
    tr_task task; /* first: the pool hands it back */
    uint32_t id;
    tr_world_mode mode;
    tr_pool *pool;
    tr_host_notify notify;
    void *context;
    tr_play *play; /* the turn's worker alone */

    pthread_mutex_t lock; /* everything below */
    tr_command *inbox, **inbox_end;
    int inbox_count;
    size_t inbox_bytes;
    bool closing, closed;
    tr_state_class classes[TR_STATE_CLASS_MAX];
    bool classes_changed, events_wanted;
    tr_state_post state[TR_STATE_CLASS_MAX];
    int states_waiting;
    tr_packet *events[2]; /* the batch that waits, and one more; what comes on top is counted */
    int event_batches, event_count[2];
    int64_t events_dropped;
    tr_reply *replies, **replies_end;
    int reply_count;
    tr_recorded *recorded, **recorded_end;
    tr_play_info info;
    int owner_count;
    uint64_t owner[TR_CHARACTER_MAX]; /* of the characters that have one */
};

/* --- a turn, on a world thread --- */

/* Takes the inbox and admits it in the order of arrival. */
static bool take_inbox(tr_host *host) {
    tr_state_class classes[TR_STATE_CLASS_MAX];
    pthread_mutex_lock(&host->lock);
    tr_command *first = host->inbox;
    host->inbox = NULL;
    host->inbox_end = &host->inbox;
    host->inbox_count = 0;
    host->inbox_bytes = 0;
    bool changed = host->classes_changed, closing = host->closing;
    host->classes_changed = false;
    for (int i = 0; i < TR_STATE_CLASS_MAX && changed; i++)
        classes[i] = host->classes[i];
    pthread_mutex_unlock(&host->lock);
    if (changed)
        tr_publisher_assign(&host->play->publisher, classes);
    for (tr_command *next; first != NULL; first = next) {
        next = first->next;
        first->next = NULL;
        tr_play_admit(host->play, first);
    }
    return !closing;
}

static bool slot_is_free(tr_host *host, int slot) {
    pthread_mutex_lock(&host->lock);
    bool free_slot = host->state[slot].packet == NULL;
    pthread_mutex_unlock(&host->lock);
    return free_slot;
}

/* Encodes the states that are due. A fast world encodes no more than the loop takes. */
static void encode_states(tr_host *host, tr_state_post *out) {
    tr_publisher *publisher = &host->play->publisher;
    for (int i = 0; i < TR_STATE_CLASS_MAX && publisher->owed_count > 0; i++) {
        if (!publisher->slot[i].owed)
            continue;
        if (host->mode == TR_MODE_FAST && !host->play->paused && !slot_is_free(host, i))
            continue;
        publisher->slot[i].owed = false;
        publisher->owed_count--;
        if (tr_encode_state(host->play, publisher->slot[i].class.fields, &out[i].packet) != TR_OK)
            continue;
        out[i].generation = publisher->slot[i].class.generation;
        out[i].sequence = publisher->slot[i].sequence;
    }
}

static void post_states(tr_host *host, tr_state_post *states) {
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        if (states[i].packet == NULL)
            continue;
        if (host->state[i].packet == NULL)
            host->states_waiting++;
        tr_packet_release(host->state[i].packet);
        host->state[i] = states[i];
    }
}

static void post_events(tr_host *host, tr_packet *batch, int count, int64_t dropped) {
    host->events_dropped += dropped;
    if (batch == NULL)
        return;
    if (host->event_batches == 2) {
        tr_packet_release(batch);
        host->events_dropped += count;
        return;
    }
    host->event_count[host->event_batches] = count;
    host->events[host->event_batches++] = batch;
}

static void post_replies(tr_host *host) {
    tr_reply_list *list = &host->play->replies;
    if (list->first == NULL)
        return;
    for (const tr_reply *reply = list->first; reply != NULL; reply = reply->next)
        host->reply_count++;
    *host->replies_end = list->first;
    host->replies_end = list->end;
    list->first = NULL;
    list->end = &list->first;
}

/* With the replies, so that who is told of a spawn finds it counted. */
static void post_owners(tr_host *host) {
    const tr_play *play = host->play;
    host->owner_count = 0;
    for (int i = 0; i < play->label_count; i++)
        if (play->label[i].owner != 0)
            host->owner[host->owner_count++] = play->label[i].owner;
}

static void post_recorded(tr_host *host, tr_recorded *recorded) {
    if (recorded == NULL)
        return;
    *host->recorded_end = recorded;
    host->recorded_end = &recorded->next;
}

static bool wants_events(tr_host *host) {
    pthread_mutex_lock(&host->lock);
    bool wanted = host->events_wanted;
    pthread_mutex_unlock(&host->lock);
    return wanted;
}

/* Hands out what the turn brought. */
static void deliver(tr_host *host) {
    tr_state_post states[TR_STATE_CLASS_MAX] = {0};
    tr_packet *batch = NULL;
    tr_event_list *events = &host->play->events;
    tr_recorded *recorded = tr_play_take_recorded(host->play);
    encode_states(host, states);
    int count = events->count;
    if (count > 0 && wants_events(host) &&
        tr_encode_events(host->id, events->event, count, &batch) != TR_OK)
        events->dropped += count;
    pthread_mutex_lock(&host->lock);
    post_states(host, states);
    post_events(host, batch, count, events->dropped);
    post_replies(host);
    post_recorded(host, recorded);
    host->info = tr_play_describe(host->play);
    post_owners(host);
    bool something = host->states_waiting > 0 || host->event_batches > 0 || host->replies != NULL ||
                     host->recorded != NULL;
    pthread_mutex_unlock(&host->lock);
    tr_event_list_clear(events);
    if (something)
        host->notify(host->context, host->id);
}

/* Must the world hold still until the loop has collected? The lock is held. */
static bool is_held_up(const tr_host *host) {
    return host->reply_count > REPLY_ROOM_MAX ||
           (host->mode == TR_MODE_STEPPED && host->states_waiting > 0);
}

static bool must_wait(tr_host *host) {
    pthread_mutex_lock(&host->lock);
    bool held_up = is_held_up(host);
    pthread_mutex_unlock(&host->lock);
    return held_up;
}

/* A state that is due is encoded before the next step, so that it is of its tick. A fast world does
 * not wait for that. */
static bool owes_state(const tr_play *play) {
    return play->mode != TR_MODE_FAST && play->publisher.owed_count > 0;
}

static int64_t run(tr_task *task, int64_t now_ns) {
    tr_host *host = (tr_host *)task;
    if (!take_inbox(host)) {
        tr_play_close(host->play);
        deliver(host);
        return TR_TASK_RETIRE;
    }
    if (must_wait(host))
        return TR_TASK_PARK; /* tr_host_collect wakes it */
    int64_t end_ns = now_ns + TURN_NS, next_ns = now_ns;
    while (next_ns <= now_ns && now_ns < end_ns && !owes_state(host->play)) {
        next_ns = tr_play_advance(host->play, now_ns);
        now_ns = tr_pool_now_ns();
        if (task->background && tr_pool_is_wanted(host->pool, now_ns))
            break;
    }
    next_ns = tr_play_flush_recording(host->play, now_ns, next_ns);
    deliver(host);
    return next_ns;
}

static void retired(tr_task *task) {
    tr_host *host = (tr_host *)task;
    /* The loop may destroy the host as soon as it sees `closed`: read before what comes after. */
    tr_host_notify notify = host->notify;
    void *context = host->context;
    uint32_t id = host->id;
    pthread_mutex_lock(&host->lock);
    host->closed = true;
    pthread_mutex_unlock(&host->lock);
    notify(context, id);
}

/* --- the loop's side --- */

tr_status tr_host_create(const tr_host_def *def, tr_host **out) {
    tr_host *host = calloc(1, sizeof *host);
    if (host == NULL)
        return TR_RESOURCE_EXHAUSTED;
    pthread_mutex_init(&host->lock, NULL);
    host->task.run = run;
    host->task.retired = retired;
    host->task.background = def->play.mode != TR_MODE_REAL_TIME || def->play.replay != NULL;
    host->id = def->play.id;
    host->mode = def->play.mode;
    host->pool = def->pool;
    host->notify = def->notify;
    host->context = def->context;
    host->inbox_end = &host->inbox;
    host->replies_end = &host->replies;
    host->recorded_end = &host->recorded;
    tr_status status = tr_play_create(&def->play, tr_pool_now_ns(), &host->play);
    if (status == TR_OK) {
        host->info = tr_play_describe(host->play);
        status = tr_pool_add(host->pool, &host->task);
    }
    if (status != TR_OK) {
        if (host->play != NULL)
            host->play->replay = NULL; /* stays the caller's */
        tr_host_destroy(host);
        return status;
    }
    *out = host;
    return TR_OK;
}

tr_status tr_host_post(tr_host *host, tr_command *command) {
    tr_status status = TR_RESOURCE_EXHAUSTED;
    size_t size = tr_command_size(command);
    pthread_mutex_lock(&host->lock);
    bool fits = host->inbox_count < INBOX_COUNT_MAX && host->inbox_bytes + size <= INBOX_BYTES_MAX;
    if (fits || command->kind == TR_COMMAND_PART) { /* a parted stepper must never hold the world */
        command->next = NULL;
        *host->inbox_end = command;
        host->inbox_end = &command->next;
        host->inbox_count++;
        host->inbox_bytes += size;
        status = TR_OK;
    }
    pthread_mutex_unlock(&host->lock);
    if (status == TR_OK)
        tr_pool_wake(host->pool, &host->task);
    return status;
}

void tr_host_set_classes(tr_host *host, const tr_state_class *classes) {
    pthread_mutex_lock(&host->lock);
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        host->classes[i] = classes[i];
    host->classes_changed = true;
    pthread_mutex_unlock(&host->lock);
    tr_pool_wake(host->pool, &host->task);
}

void tr_host_set_events(tr_host *host, bool wanted) {
    pthread_mutex_lock(&host->lock);
    host->events_wanted = wanted;
    pthread_mutex_unlock(&host->lock);
}

void tr_host_collect(tr_host *host, tr_harvest *out) {
    *out = (tr_harvest){0};
    pthread_mutex_lock(&host->lock);
    bool held_up = is_held_up(host);
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        out->state[i] = host->state[i];
        host->state[i].packet = NULL;
    }
    host->states_waiting = 0;
    for (int i = 0; i < host->event_batches; i++) {
        out->events[i] = host->events[i];
        out->event_count[i] = host->event_count[i];
        host->events[i] = NULL;
    }
    host->event_batches = 0;
    out->events_dropped = host->events_dropped;
    host->events_dropped = 0;
    out->replies = host->replies;
    host->replies = NULL;
    host->replies_end = &host->replies;
    host->reply_count = 0;
    out->recorded = host->recorded;
    host->recorded = NULL;
    host->recorded_end = &host->recorded;
    out->closed = host->closed;
    pthread_mutex_unlock(&host->lock);
    if (held_up && !out->closed)
        tr_pool_wake(host->pool, &host->task);
}

void tr_harvest_deinit(tr_harvest *harvest) {
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        tr_packet_release(harvest->state[i].packet);
    tr_packet_release(harvest->events[0]);
    tr_packet_release(harvest->events[1]);
    for (tr_reply *next, *reply = harvest->replies; reply != NULL; reply = next) {
        next = reply->next;
        tr_reply_destroy(reply);
    }
    for (tr_recorded *next, *recorded = harvest->recorded; recorded != NULL; recorded = next) {
        next = recorded->next;
        tr_packet_release(recorded->bytes);
        free(recorded);
    }
    *harvest = (tr_harvest){0};
}

tr_play_info tr_host_describe(tr_host *host) {
    pthread_mutex_lock(&host->lock);
    tr_play_info info = host->info;
    pthread_mutex_unlock(&host->lock);
    return info;
}

int tr_host_owned(tr_host *host, uint64_t account) {
    int count = 0;
    pthread_mutex_lock(&host->lock);
    for (int i = 0; i < host->owner_count; i++)
        count += host->owner[i] == account;
    pthread_mutex_unlock(&host->lock);
    return count;
}

void tr_host_close(tr_host *host) {
    pthread_mutex_lock(&host->lock);
    host->closing = true;
    pthread_mutex_unlock(&host->lock);
    tr_pool_wake(host->pool, &host->task);
}

void tr_host_destroy(tr_host *host) {
    if (host == NULL)
        return;
    tr_harvest rest;
    pthread_mutex_lock(&host->lock);
    tr_command *inbox = host->inbox;
    host->states_waiting = host->reply_count = 0; /* nobody to wake */
    pthread_mutex_unlock(&host->lock);
    tr_host_collect(host, &rest);
    tr_harvest_deinit(&rest);
    tr_command_destroy_all(inbox);
    tr_play_destroy(host->play);
    pthread_mutex_destroy(&host->lock);
    free(host);
}
