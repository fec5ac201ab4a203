/* Marks and snapshots of a play: how it is put back. */
#include "server/world/play.h"

#include "server/catalogue/name.h"
#include "server/world/encode.h"

#include <stdlib.h>
#include <string.h>

/* The part of tr_saved that marks and snapshots share; names are copied into `saved`, labels are
 * borrowed. */
static tr_status describe(const tr_play *play, tr_saved *saved) {
    const tr_cast *cast = &play->cast;
    saved->seed = play->seed;
    saved->fault_rule = play->fault_rule;
    saved->label = (tr_label *)play->label;
    saved->label_count = play->label_count;
    saved->model_count = cast->model_count;
    saved->controller_count = cast->controller_count;
    saved->model = calloc((size_t)cast->model_count + 1, TR_NAME_MAX);
    saved->controller = calloc((size_t)cast->controller_count + 1, TR_NAME_MAX);
    saved->pending = calloc((size_t)play->queue.count + 1, sizeof *saved->pending);
    if (saved->model == NULL || saved->controller == NULL || saved->pending == NULL)
        return TR_RESOURCE_EXHAUSTED;
    memcpy(saved->model, cast->model_name, (size_t)cast->model_count * TR_NAME_MAX);
    for (int i = 0; i < cast->controller_count; i++)
        tr_name_set(saved->controller[i], cast->controller[i]->name);
    return TR_OK;
}

static void forget(tr_saved *saved) {
    free(saved->model);
    free(saved->controller);
    free(saved->pending);
}

static void add_pending(tr_saved *saved, const tr_command *first) {
    for (const tr_command *c = first; c != NULL; c = c->next) {
        if (c->wire == NULL)
            continue;
        saved->pending[saved->pending_count++] =
            (tr_saved_command){.tick = c->stamp.tick,
                               .order = c->stamp.order,
                               .request = c->stamp.request,
                               .session = c->stamp.session,
                               .account = c->account,
                               .message = c->wire->bytes,
                               .size = (uint32_t)c->wire->size};
    }
}

static tr_status write_saved(const tr_play *play, bool with_pending, tr_packet **out) {
    tr_saved saved = {0};
    tr_status status = describe(play, &saved);
    if (status == TR_OK && with_pending)
        add_pending(&saved, play->queue.first);
    if (status == TR_OK)
        status = tr_snapshot_write(&saved, play->stage, out);
    forget(&saved);
    return status;
}

tr_status tr_play_take_mark(tr_play *play) {
    tr_packet *mark = NULL;
    tr_status status = write_saved(play, false, &mark);
    if (status != TR_OK)
        return status;
    tr_packet_release(play->mark);
    play->mark = mark;
    return TR_OK;
}

tr_status tr_play_snapshot(const tr_play *play, tr_packet **out) {
    return write_saved(play, true, out);
}

void tr_play_resume(tr_play *play, int64_t now_ns) {
    play->paused = false;
    play->allowance = 0;
    tr_pace_resume(&play->pace, play->rate, now_ns);
    tr_play_tell(play, TR_EVENT_RESUMED);
}

/* Labels of characters that are there, one each, whatever the snapshot says. */
static bool has_label(const tr_play *play, tr_entity_id entity) {
    for (int i = 0; i < play->label_count; i++)
        if (play->label[i].entity == entity)
            return true;
    return false;
}

static void take_labels(tr_play *play, const tr_saved *saved) {
    play->label_count = 0;
    for (int i = 0; i < saved->label_count && play->label_count < TR_CHARACTER_MAX; i++) {
        tr_entity_id entity = saved->label[i].entity;
        if (tr_world_character_model(tr_stage_world(play->stage), entity) != NULL &&
            !has_label(play, entity))
            play->label[play->label_count++] = saved->label[i];
    }
}

tr_status tr_play_picture(const tr_play *play, tr_packet **out) {
    return write_saved(play, false, out);
}

/* Puts the stage back and makes what is about it fit. */
tr_status tr_play_put_back(tr_play *play, const tr_saved *saved, int64_t now_ns) {
    tr_stage_library library = tr_cast_library(&play->cast);
    tr_status status = tr_stage_restore(play->stage, saved->stage, saved->stage_size, &library);
    if (status != TR_OK)
        return status;
    play->seed = saved->seed;
    play->fault_rule = saved->fault_rule;
    take_labels(play, saved);
    play->epoch++;
    play->pace.step_s = tr_world_definition(tr_stage_world_const(play->stage))->step_s;
    tr_pace_resume(&play->pace, play->rate, now_ns);
    return TR_OK;
}

/* ... and what waits, the steppers' frontiers, the subscribers. */
static tr_status return_to(tr_play *play, const tr_saved *saved, int64_t now_ns) {
    tr_status status = tr_play_put_back(play, saved, now_ns);
    if (status != TR_OK)
        return status;
    tr_play_abort_pending(play, "the world was put back before this applied");
    tr_lockstep_rewind(&play->lockstep, tr_play_tick(play));
    tr_publisher_refresh(&play->publisher);
    return TR_OK;
}

tr_status tr_play_reset(tr_play *play, int64_t now_ns) {
    tr_saved *saved = NULL;
    tr_status status = tr_snapshot_read(play->mark, &saved, NULL);
    if (status == TR_OK)
        status = return_to(play, saved, now_ns);
    tr_saved_destroy(saved);
    if (status == TR_OK)
        tr_play_tell(play, TR_EVENT_RESET);
    return status;
}

/* Commands that waited in the snapshot wait again; one whose tick lies behind applies at once. */
static void requeue(tr_play *play, tr_command *first) {
    int64_t tick = tr_play_tick(play);
    for (tr_command *next, *command = first; command != NULL; command = next) {
        next = command->next;
        command->silent = true;
        if (command->stamp.tick < tick)
            command->stamp.tick = tick;
        tr_command_queue_insert(&play->queue, command);
    }
}

tr_status tr_play_restore(tr_play *play, tr_restore_order *order, int64_t now_ns) {
    tr_status status = tr_cast_merge(&play->cast, order->cast);
    if (status == TR_OK)
        status = return_to(play, order->saved, now_ns);
    if (status != TR_OK)
        return status;
    requeue(play, order->pending);
    order->pending = NULL;
    tr_play_tell(play, TR_EVENT_RESTORED);
    return play->mark_is_set ? TR_OK : tr_play_take_mark(play);
}
