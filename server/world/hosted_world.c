#include "server/world/hosted_world.h"

#include "model/name.h"
#include "server/net/bucket.h"
#include "server/world/encode.h"
#include "server/world/step_limit.h"
#include "server/world/subscription.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    TURN_NS = 2000000,      /* a turn ends after this time, for the sake of other worlds */
    INBOX_COUNT_MAX = 8192, /* commands */
    INBOX_BYTES_MAX = TR_COMMANDS_PENDING_BYTES_MAX,
    REPLY_ROOM_MAX = 8192 /* replies not collected before the world waits for the loop */
};

/* The mailbox to the world. */
typedef struct inbox {
    tr_command *first, *last; /* in the order of arrival */
    int count;
    size_t bytes;
    bool closing;
    tr_invariant broken;        /* found by the event loop: the world fails */
    char moved_to[TR_NAME_MAX]; /* of a closing world; "": nowhere */
    bool reclassed;
    tr_state_class classes[TR_STATE_CLASS_MAX];
} inbox;

struct tr_hosted {
    tr_task task; /* first: the pool hands it back */

    /* Constant. */
    uint32_t id;
    char name[TR_NAME_MAX];
    tr_world_mode mode;
    bool background; /* also within its budget */
    tr_task_pool *pool;
    uv_async_t *news;

    /* The event loop's. */
    double charged_s; /* the part of info.processor_s that was taken */
    uint64_t maker;
    tr_ownership ownership;
    tr_move move;
    bool leaving;
    tr_holds holds;
    tr_subscriptions subscriptions;

    /* The turn's worker's. */
    tr_world_loop *loop;
    tr_publisher *publisher;   /* one of the loop's parts */
    tr_world_part *step_limit; /* one of the loop's parts; NULL: none */
    double share;              /* of a processor; 0: no limit */
    tr_bucket budget;          /* processor time that it may still use, s */
    bool failure_posted;

    /* Without the lock. */
    atomic_bool held_back;        /* set by the event loop */
    atomic_int_least64_t turn_ns; /* when the turn in progress began; 0: none is */

    /* The mailboxes: everything below is guarded by the lock. */
    pthread_mutex_t lock;
    inbox in;
    atomic_bool has_news; /* read without the lock */
    bool closed, ended, events_wanted;
    tr_state_post state[TR_STATE_CLASS_MAX];
    int states_waiting, reply_count;
    tr_event_post events[TR_EVENT_STREAMS]; /* the newest batches; those before are counted */
    tr_reply_list replies;
    tr_delivery_list deliveries;
    tr_world_info info;
    char failure[TR_WORLD_FAILURE_MAX]; /* not yet collected, with its snapshot */
    tr_packet *evidence;
    int owner_count;
    uint64_t owner[TR_CHARACTER_MAX]; /* owners of the characters that have one */
};

/* --- a turn, on a world thread --- */

/* The classes whose last state the event loop has taken, a bit each. */
static uint32_t free_slots(tr_hosted *hosted) {
    uint32_t free_slots = 0;
    pthread_mutex_lock(&hosted->lock);
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        if (!hosted->state[i].packet)
            free_slots |= 1u << i;
    pthread_mutex_unlock(&hosted->lock);
    return free_slots;
}

/* Encodes the states that are due, and hands them over. A fast world encodes no more than the event
 * loop takes. */
static void publish_states(tr_hosted *hosted) {
    tr_publisher *publisher = hosted->publisher;
    uint32_t due = publisher->owed;
    if (due != 0 && hosted->mode == TR_MODE_FAST && !hosted->loop->paused)
        due &= free_slots(hosted);
    publisher->owed &= ~due;
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        const tr_state_class *class = &publisher->slot[i].class;
        tr_state_post post = {NULL, class->generation, publisher->slot[i].sequence};
        if (!(due >> i & 1) || tr_encode_state(hosted->loop, class->fields, &post.packet))
            continue;
        pthread_mutex_lock(&hosted->lock);
        tr_packet *unread = hosted->state[i].packet;
        hosted->states_waiting += !unread;
        hosted->state[i] = post;
        hosted->has_news = true;
        pthread_mutex_unlock(&hosted->lock);
        tr_packet_release(unread);
        uv_async_send(hosted->news);
    }
}

/* The oldest events go first: the last one, DESTROYED, always arrives. */
static void post_events(tr_event_post *post, tr_packet *batch, int count, int64_t dropped) {
    post->dropped += dropped;
    if (!batch)
        return;
    if (post->packet[1]) {
        tr_packet_release(post->packet[0]);
        post->dropped += post->count[0];
        post->packet[0] = post->packet[1];
        post->count[0] = post->count[1];
    }
    const int at = post->packet[0] ? 1 : 0;
    post->packet[at] = batch;
    post->count[at] = count;
}

static bool has_events(const tr_hosted *hosted) {
    for (int i = 0; i < TR_EVENT_STREAMS; i++)
        if (hosted->events[i].packet[0])
            return true;
    return false;
}

static int count_states(const tr_hosted *hosted) {
    int count = 0;
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        count += hosted->state[i].packet != NULL;
    return count;
}

static void post_replies(tr_hosted *hosted) {
    tr_reply_list *list = &hosted->loop->replies;
    if (!list->first)
        return;
    for (const tr_reply *reply = list->first; reply; reply = reply->next)
        hosted->reply_count++;
    *hosted->replies.end = list->first;
    hosted->replies.end = list->end;
    *list = (tr_reply_list){NULL, &list->first};
}

static void post_deliveries(tr_hosted *hosted) {
    tr_delivery_list *list = &hosted->loop->deliveries;
    if (!list->first)
        return;
    *hosted->deliveries.end = list->first;
    hosted->deliveries.end = list->end;
    *list = (tr_delivery_list){NULL, &list->first};
}

/* Sent with the replies, so that a client whose spawn is answered finds it counted. */
static void post_owners(tr_hosted *hosted) {
    const tr_world_loop *loop = hosted->loop;
    hosted->owner_count = 0;
    for (int i = 0; i < loop->label_count; i++)
        if (loop->label[i].owner != 0)
            hosted->owner[hosted->owner_count++] = loop->label[i].owner;
}

/* Once: with the first turn after it. */
static void post_failure(tr_hosted *hosted) {
    if (hosted->failure_posted || hosted->loop->failure[0] == '\0')
        return;
    memcpy(hosted->failure, hosted->loop->failure, sizeof hosted->failure);
    hosted->evidence = hosted->loop->evidence;
    hosted->loop->evidence = NULL;
    hosted->failure_posted = true;
}

static bool wants_events(tr_hosted *hosted) {
    pthread_mutex_lock(&hosted->lock);
    bool wanted = hosted->events_wanted;
    pthread_mutex_unlock(&hosted->lock);
    return wanted;
}

/* Hands over the other results of the turn. */
static void deliver(tr_hosted *hosted) {
    tr_packet *batch = NULL, *inputs = NULL;
    tr_event_list *events = &hosted->loop->events;
    int count = events->count, input_count = 0;
    int64_t inputs_dropped = 0;
    if (hosted->loop->tells_inputs) {
        inputs_dropped = events->dropped;
        if (count > 0 && tr_encode_inputs(hosted->id, events->event, count, &input_count, &inputs))
            inputs_dropped += count;
    }
    if (count > 0 && wants_events(hosted) &&
        tr_encode_events(hosted->id, events->event, count, &batch))
        events->dropped += count;
    pthread_mutex_lock(&hosted->lock);
    post_events(&hosted->events[TR_EVENTS_ALL], batch, count, events->dropped);
    post_events(&hosted->events[TR_EVENTS_INPUTS], inputs, input_count, inputs_dropped);
    post_replies(hosted);
    post_deliveries(hosted);
    hosted->info = tr_world_loop_describe(hosted->loop);
    hosted->info.over_budget = hosted->task.background && !hosted->background;
    post_owners(hosted);
    post_failure(hosted);
    TR_MUST_BE(&hosted->loop->invariant, hosted->reply_count > 0, ==,
               hosted->replies.first != NULL);
    TR_MUST_BE(&hosted->loop->invariant, hosted->states_waiting, ==, count_states(hosted));
    bool something = has_events(hosted) || hosted->replies.first || hosted->deliveries.first ||
                     hosted->failure[0] != '\0';
    if (something)
        hosted->has_news = true;
    pthread_mutex_unlock(&hosted->lock);
    tr_event_list_clear(events);
    if (something)
        uv_async_send(hosted->news);
}

/* Must the world wait until the event loop has collected? The lock is held. */
static bool is_held_up(const tr_hosted *hosted) {
    return hosted->reply_count > REPLY_ROOM_MAX ||
           (hosted->mode == TR_MODE_STEPPED &&
            (hosted->states_waiting > 0 || hosted->events[TR_EVENTS_ALL].packet[1] ||
             hosted->events[TR_EVENTS_INPUTS].packet[1]));
}

/* A state that is due is encoded before the next step, so that it shows its tick. A fast world does
 * not wait for it. */
static bool owes_state(const tr_hosted *hosted) {
    return hosted->mode != TR_MODE_FAST && hosted->publisher->owed != 0;
}

static int64_t take_turn(tr_hosted *hosted, int64_t now_ns) {
    pthread_mutex_lock(&hosted->lock);
    const inbox in = hosted->in;
    hosted->in.first = hosted->in.last = NULL;
    hosted->in.bytes = 0;
    hosted->in.count = 0;
    hosted->in.reclassed = false;
    bool held_up = is_held_up(hosted);
    pthread_mutex_unlock(&hosted->lock);
    if (in.broken.what)
        tr_invariant_note(&hosted->loop->invariant, &in.broken);
    if (in.reclassed)
        tr_publisher_assign(hosted->publisher, in.classes);
    hosted->loop->tells_inputs =
        tr_publisher_wants(hosted->publisher, TROUPE__STATE_FIELD__STATE_FIELD_INPUTS);
    for (tr_command *next, *command = in.first; command; command = next) {
        next = command->next;
        command->next = NULL;
        tr_world_loop_admit(hosted->loop, command);
    }
    if (in.closing) {
        tr_name_set(hosted->loop->moved_to, in.moved_to);
        tr_world_loop_close(hosted->loop);
        (void)tr_world_loop_end_turn(hosted->loop, now_ns, now_ns);
        pthread_mutex_lock(&hosted->lock);
        hosted->ended = true; /* states that wait would come after its last event */
        pthread_mutex_unlock(&hosted->lock);
        deliver(hosted);
        return TR_TASK_RETIRE;
    }
    if ((held_up && !in.broken.what) || hosted->loop->failure[0] != '\0')
        return TR_TASK_PARK; /* tr_hosted_collect wakes it, or tr_hosted_close */
    int64_t end_ns = now_ns + TURN_NS, next_ns = now_ns;
    while (next_ns <= now_ns && now_ns < end_ns && !owes_state(hosted) &&
           hosted->loop->failure[0] == '\0') {
        next_ns = tr_world_loop_advance(hosted->loop, now_ns);
        now_ns = tr_task_pool_now_ns();
        if (hosted->task.background && tr_task_pool_is_wanted(hosted->pool, now_ns))
            break;
    }
    next_ns = tr_world_loop_end_turn(hosted->loop, now_ns, next_ns);
    publish_states(hosted);
    deliver(hosted);
    return next_ns;
}

/* Processor time. Unused budget is kept for 0.1 s, a debt for 1 s. False: the world is beyond its
 * budget, and has its turns in the background (task_pool.h): after those of all worlds within
 * theirs, so that it delays no other. */
static bool spend(tr_hosted *hosted, int64_t spent_ns, int64_t now_ns) {
    return tr_bucket_spend(&hosted->budget, 0.1 * hosted->share, hosted->share, hosted->share,
                           (double)spent_ns * 1e-9, (uint64_t)(now_ns / 1000000));
}

/* A turn, and what it costs the budget of the world. */
static int64_t run(tr_task *task, int64_t now_ns) {
    tr_hosted *hosted = (tr_hosted *)task;
    atomic_store(&hosted->turn_ns, now_ns);
    int64_t before_ns = tr_task_pool_spent_ns();
    if (hosted->step_limit)
        tr_step_limit_begin_turn(hosted->step_limit, before_ns);
    int64_t next_ns = take_turn(hosted, now_ns);
    int64_t spent_ns = tr_task_pool_spent_ns() - before_ns;
    bool within = spend(hosted, spent_ns, tr_task_pool_now_ns());
    hosted->loop->spent_ns += spent_ns;
    task->background = hosted->background || !within || atomic_load(&hosted->held_back);
    atomic_store(&hosted->turn_ns, 0);
    return next_ns;
}

static void retired(tr_task *task) {
    tr_hosted *hosted = (tr_hosted *)task;
    /* The event loop may destroy the world once it sees `closed`: read this before that. */
    uv_async_t *news = hosted->news;
    pthread_mutex_lock(&hosted->lock);
    hosted->closed = true;
    hosted->has_news = true;
    pthread_mutex_unlock(&hosted->lock);
    uv_async_send(news);
}

/* --- life; from here on the event loop --- */

static tr_status add_parts(tr_hosted *hosted, double step_limit_s) {
    hosted->publisher = tr_publisher_create();
    if (!hosted->publisher)
        return TR_RESOURCE_EXHAUSTED;
    tr_world_loop_add_part(hosted->loop, &hosted->publisher->part);
    if (step_limit_s <= 0)
        return TR_OK;
    hosted->step_limit = tr_step_limit_create(step_limit_s);
    if (!hosted->step_limit)
        return TR_RESOURCE_EXHAUSTED;
    tr_world_loop_add_part(hosted->loop, hosted->step_limit);
    return TR_OK;
}

tr_status tr_hosted_create(const tr_hosted_def *def, tr_hosted **out) {
    tr_hosted *hosted = calloc(1, sizeof *hosted);
    if (!hosted)
        return TR_RESOURCE_EXHAUSTED;
    pthread_mutex_init(&hosted->lock, NULL);
    hosted->task.run = run;
    hosted->task.retired = retired;
    hosted->background = def->loop.mode != TR_MODE_REAL_TIME || def->loop.source;
    hosted->task.background = hosted->background;
    hosted->share = def->share;
    hosted->id = def->loop.id;
    tr_name_set(hosted->name, def->loop.name);
    hosted->mode = def->loop.mode;
    hosted->pool = def->pool;
    hosted->news = def->news;
    hosted->holds.library = def->library;
    hosted->maker = def->maker;
    tr_name_set(hosted->move.from, def->loop.moved_from);
    hosted->move.arriving = def->loop.moved_from[0] != '\0';
    hosted->subscriptions =
        (tr_subscriptions){.id = hosted->id, .source = &tr_hosted_source, .world = hosted};
    hosted->replies.end = &hosted->replies.first;
    hosted->deliveries.end = &hosted->deliveries.first;
    tr_status status = tr_world_loop_create(&def->loop, tr_task_pool_now_ns(), &hosted->loop);
    if (!status)
        status = add_parts(hosted, def->step_limit_s);
    if (!status) {
        hosted->info = tr_world_loop_describe(hosted->loop);
        status = tr_task_pool_add(hosted->pool, &hosted->task);
    }
    if (status) {
        if (hosted->loop)
            hosted->loop->source = NULL; /* the caller keeps its source */
        tr_hosted_destroy(hosted);
        return status;
    }
    *out = hosted;
    return TR_OK;
}

void tr_hosted_close(tr_hosted *hosted) {
    if (hosted->leaving)
        return;
    hosted->leaving = true;
    pthread_mutex_lock(&hosted->lock);
    hosted->in.closing = true;
    pthread_mutex_unlock(&hosted->lock);
    tr_task_pool_wake(hosted->pool, &hosted->task);
}

void tr_hosted_move_away(tr_hosted *hosted, const char *moved_to) {
    pthread_mutex_lock(&hosted->lock);
    tr_name_set(hosted->in.moved_to, moved_to);
    pthread_mutex_unlock(&hosted->lock);
    tr_hosted_close(hosted);
}

bool tr_hosted_is_closing(const tr_hosted *hosted) {
    return hosted->leaving;
}

void tr_hosted_destroy(tr_hosted *hosted) {
    if (!hosted)
        return;
    tr_harvest rest;
    pthread_mutex_lock(&hosted->lock);
    tr_command *posted = hosted->in.first;
    hosted->closed = true; /* no task to wake */
    pthread_mutex_unlock(&hosted->lock);
    tr_hosted_collect(hosted, &rest);
    tr_harvest_deinit(&rest);
    tr_command_destroy_all(posted);
    tr_command_destroy(hosted->move.release);
    tr_world_loop_destroy(hosted->loop);
    tr_holds_release(&hosted->holds);
    pthread_mutex_destroy(&hosted->lock);
    free(hosted);
}

/* --- description --- */

uint32_t tr_hosted_id(const tr_hosted *hosted) {
    return hosted->id;
}

const char *tr_hosted_name(const tr_hosted *hosted) {
    return hosted->name;
}

tr_world_mode tr_hosted_mode(const tr_hosted *hosted) {
    return hosted->mode;
}

tr_ownership *tr_hosted_ownership(tr_hosted *hosted) {
    return &hosted->ownership;
}

tr_move *tr_hosted_move(tr_hosted *hosted) {
    return &hosted->move;
}

uint64_t tr_hosted_maker(const tr_hosted *hosted) {
    return hosted->maker;
}

tr_subscriptions *tr_hosted_subscriptions(tr_hosted *hosted) {
    return &hosted->subscriptions;
}

tr_world_info tr_hosted_describe(tr_hosted *hosted) {
    pthread_mutex_lock(&hosted->lock);
    tr_world_info info = hosted->info;
    pthread_mutex_unlock(&hosted->lock);
    int64_t turn_ns = atomic_load(&hosted->turn_ns);
    if (turn_ns != 0)
        info.turn_s = (double)(tr_task_pool_now_ns() - turn_ns) * 1e-9;
    return info;
}

double tr_hosted_take_spent_s(tr_hosted *hosted) {
    if (hosted->background)
        return 0;
    double spent_s = tr_hosted_describe(hosted).processor_s;
    double taken_s = spent_s - hosted->charged_s;
    hosted->charged_s = spent_s;
    return taken_s;
}

void tr_hosted_hold_back(tr_hosted *hosted, bool hold) {
    atomic_store(&hosted->held_back, hold);
}

int tr_hosted_owned(tr_hosted *hosted, uint64_t account) {
    int count = 0;
    pthread_mutex_lock(&hosted->lock);
    for (int i = 0; i < hosted->owner_count; i++)
        count += hosted->owner[i] == account;
    pthread_mutex_unlock(&hosted->lock);
    return count;
}

tr_holds *tr_hosted_holds(tr_hosted *hosted) {
    return &hosted->holds;
}

/* --- in --- */

tr_status tr_hosted_post(tr_hosted *hosted, tr_command *command) {
    tr_status status = TR_RESOURCE_EXHAUSTED;
    size_t size = tr_command_size(command);
    pthread_mutex_lock(&hosted->lock);
    inbox *in = &hosted->in;
    bool fits = in->count < INBOX_COUNT_MAX && in->bytes + size <= INBOX_BYTES_MAX;
    if (fits || command->kind->always_fits) {
        command->next = NULL;
        *(in->last ? &in->last->next : &in->first) = command;
        in->last = command;
        in->count++;
        in->bytes += size;
        status = TR_OK;
    }
    pthread_mutex_unlock(&hosted->lock);
    if (!status)
        tr_task_pool_wake(hosted->pool, &hosted->task);
    return status;
}

void tr_hosted_set_classes(tr_hosted *hosted, const tr_state_class *classes) {
    pthread_mutex_lock(&hosted->lock);
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        hosted->in.classes[i] = classes[i];
    hosted->in.reclassed = true;
    pthread_mutex_unlock(&hosted->lock);
    tr_task_pool_wake(hosted->pool, &hosted->task);
}

void tr_hosted_set_events(tr_hosted *hosted, bool wanted) {
    pthread_mutex_lock(&hosted->lock);
    hosted->events_wanted = wanted;
    pthread_mutex_unlock(&hosted->lock);
}

/* --- out --- */

bool tr_hosted_has_news(tr_hosted *hosted) {
    return atomic_exchange(&hosted->has_news, false);
}

void tr_hosted_collect(tr_hosted *hosted, tr_harvest *out) {
    *out = (tr_harvest){0};
    pthread_mutex_lock(&hosted->lock);
    bool held_up = is_held_up(hosted);
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++) {
        out->state[i] = hosted->state[i];
        hosted->state[i].packet = NULL;
    }
    hosted->states_waiting = 0;
    memcpy(out->events, hosted->events, sizeof out->events);
    memset(hosted->events, 0, sizeof hosted->events);
    out->replies = hosted->replies.first;
    hosted->replies = (tr_reply_list){NULL, &hosted->replies.first};
    hosted->reply_count = 0;
    out->deliveries = hosted->deliveries.first;
    hosted->deliveries = (tr_delivery_list){NULL, &hosted->deliveries.first};
    out->closed = hosted->closed;
    out->ended = hosted->ended;
    memcpy(out->failure, hosted->failure, sizeof out->failure);
    hosted->failure[0] = '\0';
    out->evidence = hosted->evidence;
    hosted->evidence = NULL;
    pthread_mutex_unlock(&hosted->lock);
    if (held_up && !out->closed)
        tr_task_pool_wake(hosted->pool, &hosted->task);
}

void tr_harvest_deliver(tr_harvest *harvest) {
    for (tr_delivery *next, *delivery = harvest->deliveries; delivery; delivery = next) {
        next = delivery->next;
        delivery->deliver(delivery);
    }
    harvest->deliveries = NULL;
}

void tr_harvest_deinit(tr_harvest *harvest) {
    for (int i = 0; i < TR_STATE_CLASS_MAX; i++)
        tr_packet_release(harvest->state[i].packet);
    for (int i = 0; i < TR_EVENT_STREAMS; i++) {
        tr_packet_release(harvest->events[i].packet[0]);
        tr_packet_release(harvest->events[i].packet[1]);
    }
    tr_packet_release(harvest->evidence);
    tr_reply_destroy_all(harvest->replies);
    tr_harvest_deliver(harvest);
    *harvest = (tr_harvest){0};
}

void tr_hosted_must_hold(tr_hosted *hosted) {
    tr_invariant broken = {0};
    tr_subscriptions_must_hold(&hosted->subscriptions, &broken);
    TR_MUST(&broken, hosted->holds.count >= 0 && hosted->holds.count <= TR_HOLDS_MAX);
    TR_MUST_BE(&broken, hosted->move.holder != 0, ==, hosted->move.ends_ms != 0);
    pthread_mutex_lock(&hosted->lock);
    const inbox *in = &hosted->in;
    TR_MUST(&broken, in->first ? in->count > 0 && !in->last->next : in->count == 0);
    hosted->in.broken = broken;
    pthread_mutex_unlock(&hosted->lock);
    if (broken.what)
        tr_task_pool_wake(hosted->pool, &hosted->task);
}
