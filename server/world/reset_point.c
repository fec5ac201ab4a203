/* Reset points and snapshots of a world: how they are made and restored. */
#include "server/world/world_loop.h"

#include "model/name.h"

#include <stdlib.h>
#include <string.h>

/* --- writing --- */

/* A snapshot to be written, and the memory it points to. */
typedef struct picture {
    tr_saved saved;      /* labels are borrowed */
    tr_packet **message; /* [saved.pending_count] */
} picture;

static tr_status begin_picture(const tr_world_loop *loop, picture *out) {
    const tr_cast *cast = &loop->cast;
    *out = (picture){.saved = {.seed = loop->seed,
                               .fault_rule = loop->fault_rule,
                               .label = (tr_label *)loop->label,
                               .label_count = loop->label_count,
                               .model_count = cast->model_count,
                               .controller_count = cast->controller_count}};
    tr_saved *saved = &out->saved;
    saved->model = calloc((size_t)cast->model_count + 1, TR_NAME_MAX);
    saved->controller = calloc((size_t)cast->controller_count + 1, TR_NAME_MAX);
    saved->pending = calloc((size_t)loop->queue.count + 1, sizeof *saved->pending);
    out->message = calloc((size_t)loop->queue.count + 1, sizeof(tr_packet *));
    if (!saved->model || !saved->controller || !saved->pending || !out->message)
        return TR_RESOURCE_EXHAUSTED;
    memcpy(saved->model, cast->model_name, (size_t)cast->model_count * TR_NAME_MAX);
    for (int i = 0; i < cast->controller_count; i++)
        tr_name_set(saved->controller[i], cast->controller[i]->name);
    return TR_OK;
}

static void end_picture(picture *p) {
    for (int i = 0; p->message && i < p->saved.pending_count; i++)
        tr_packet_release(p->message[i]);
    free(p->message);
    free(p->saved.model);
    free(p->saved.controller);
    free(p->saved.pending);
}

static tr_status add_pending(picture *p, const tr_command *first) {
    tr_saved *saved = &p->saved;
    for (const tr_command *c = first; c; c = c->next) {
        if (c->kind->unsaved || c->kind->at_once || !c->message)
            continue;
        tr_packet *message = tr_command_pack(c);
        if (!message)
            return TR_RESOURCE_EXHAUSTED;
        p->message[saved->pending_count] = message;
        saved->pending[saved->pending_count++] =
            (tr_saved_command){.tick = c->stamp.tick,
                               .order = c->stamp.order,
                               .request = c->stamp.request,
                               .session = c->stamp.session,
                               .account = c->account,
                               .message = message->bytes,
                               .size = (uint32_t)message->size};
    }
    return TR_OK;
}

static tr_status write_picture(const tr_world_loop *loop, bool with_pending, tr_packet **out) {
    picture p;
    tr_status status = begin_picture(loop, &p);
    if (!status && with_pending)
        status = add_pending(&p, loop->queue.first);
    if (!status)
        status = tr_snapshot_write(&p.saved, loop->stage, out);
    end_picture(&p);
    return status;
}

tr_status tr_world_loop_snapshot(const tr_world_loop *loop, tr_packet **out) {
    return write_picture(loop, true, out);
}

tr_status tr_world_loop_picture(const tr_world_loop *loop, tr_packet **out) {
    return write_picture(loop, false, out);
}

tr_status tr_world_loop_set_reset_point(tr_world_loop *loop) {
    tr_packet *bytes = NULL;
    tr_status status = tr_world_loop_picture(loop, &bytes);
    if (status)
        return status;
    tr_packet_release(loop->reset_point);
    loop->reset_point = bytes;
    return TR_OK;
}

tr_status tr_world_loop_keep_reset_point(tr_world_loop *loop) {
    return loop->reset_point_is_set ? TR_OK : tr_world_loop_set_reset_point(loop);
}

/* --- restoring --- */

static bool has_label(const tr_world_loop *loop, tr_entity_id entity) {
    for (int i = 0; i < loop->label_count; i++)
        if (loop->label[i].entity == entity)
            return true;
    return false;
}

/* Takes the labels of characters that exist, at most one each, whatever the snapshot says. */
static void take_labels(tr_world_loop *loop, const tr_saved *saved) {
    loop->label_count = 0;
    for (int i = 0; i < saved->label_count && loop->label_count < TR_CHARACTER_MAX; i++) {
        tr_entity_id entity = saved->label[i].entity;
        if (tr_world_character_model(tr_stage_world(loop->stage), entity) &&
            !has_label(loop, entity))
            loop->label[loop->label_count++] = saved->label[i];
    }
}

tr_status tr_world_loop_put_back(tr_world_loop *loop, const tr_saved *saved, int64_t now_ns) {
    tr_stage_library library = tr_cast_library(&loop->cast);
    tr_status status = tr_stage_restore(loop->stage, saved->stage, saved->stage_size, &library);
    if (status)
        return status;
    loop->seed = saved->seed;
    loop->fault_rule = saved->fault_rule;
    take_labels(loop, saved);
    loop->epoch++;
    loop->pace.step_s = tr_world_loop_step_s(loop);
    tr_pace_resume(&loop->pace, loop->rate, now_ns);
    return TR_OK;
}

/* Puts the world back: the stage, the waiting commands, the steppers' frontiers, the
 * subscribers. */
static tr_status return_to(tr_world_loop *loop, const tr_saved *saved, int64_t now_ns) {
    tr_status status = tr_world_loop_put_back(loop, saved, now_ns);
    if (status)
        return status;
    tr_world_loop_abort_pending(loop, "the world was reset or restored before this applied");
    tr_lockstep_rewind(&loop->lockstep, tr_world_loop_tick(loop));
    tr_world_loop_refresh(loop);
    return TR_OK;
}

tr_status tr_world_loop_reset(tr_world_loop *loop, int64_t now_ns) {
    tr_saved *saved = NULL;
    tr_status status =
        tr_snapshot_read(loop->reset_point->bytes, loop->reset_point->size, &saved, NULL);
    if (!status)
        status = return_to(loop, saved, now_ns);
    tr_saved_destroy(saved);
    if (!status)
        tr_world_loop_tell(loop, (tr_event){.kind = TR_EVENT_RESET});
    return status;
}

/* Queues the commands that waited in the snapshot; one whose tick has passed applies next. */
static void requeue(tr_world_loop *loop, tr_command *first) {
    int64_t tick = tr_world_loop_tick(loop);
    for (tr_command *next, *command = first; command; command = next) {
        next = command->next;
        command->silent = true;
        if (command->stamp.tick < tick)
            command->stamp.tick = tick;
        tr_command_queue_insert(&loop->queue, command);
    }
}

tr_status tr_world_loop_restore(tr_world_loop *loop, tr_restoration *order, int64_t now_ns) {
    tr_status status = tr_cast_merge(&loop->cast, order->cast);
    if (!status)
        status = return_to(loop, order->saved, now_ns);
    if (status)
        return status;
    requeue(loop, order->pending);
    order->pending = NULL;
    tr_world_loop_tell(loop, (tr_event){.kind = TR_EVENT_RESTORED});
    return tr_world_loop_keep_reset_point(loop);
}
