/* Commands at work on the stage: one function per kind, chosen by a table. */
#include "server/world/play.h"

#include "server/catalogue/name.h"
#include "server/match/referee.h"

#include <math.h>
#include <string.h>

typedef tr_status (*apply_function)(tr_play *play, tr_command *command, tr_reply *result);

static tr_world *world_of(tr_play *play) {
    return tr_stage_world(play->stage);
}

static double step_s(tr_play *play) {
    return tr_world_definition(world_of(play))->step_s;
}

static tr_status no_entity(tr_reply *result, tr_entity_id entity, const char *what) {
    return tr_fail(&result->error, TR_NOT_FOUND, "entity %u: no such %s in this world", entity,
                   what);
}

/* For statuses whose text says enough, with the field that was refused. */
static tr_status told(tr_reply *result, tr_status status, const char *what) {
    return status == TR_OK
               ? TR_OK
               : tr_fail(&result->error, status, "%s: %s", what, tr_status_text(status));
}

/* Does `controller` fit this model and world? Its targets are per step: another step is another
 * motion. */
static tr_status check_fit(tr_play *play, const tr_controller *controller, const tr_model *model,
                           tr_reply *result) {
    if (controller == NULL)
        return TR_OK;
    if (controller->model_hash != model->hash)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "controller '%s' was learned on model '%s', which is not this character's",
                       controller->name, controller->model_name);
    if (fabs(controller->step_s - step_s(play)) > 1e-9)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "controller '%s' was learned at a step of %g s; this world's is %g s",
                       controller->name, controller->step_s, step_s(play));
    return TR_OK;
}

/* Until a client sets a mark, the world's own keeps every entity. */
static tr_status keep_mark(tr_play *play) {
    return play->mark_is_set ? TR_OK : tr_play_take_mark(play);
}

/* --- characters --- */

/* Its label, new if need be; NULL: no room, which no world of TR_CHARACTER_MAX runs into. */
static tr_label *label_of(tr_play *play, tr_entity_id entity) {
    for (int i = 0; i < play->label_count; i++)
        if (play->label[i].entity == entity)
            return &play->label[i];
    if (play->label_count == TR_CHARACTER_MAX)
        return NULL;
    tr_label *label = &play->label[play->label_count++];
    *label = (tr_label){.entity = entity};
    return label;
}

void tr_play_set_label(tr_play *play, tr_entity_id entity, const char *text) {
    tr_label *label = text[0] == '\0' ? NULL : label_of(play, entity);
    if (label != NULL)
        tr_name_set(label->text, text);
}

void tr_play_set_owner(tr_play *play, tr_entity_id entity, uint64_t account) {
    tr_label *label = account == 0 ? NULL : label_of(play, entity);
    if (label != NULL)
        label->owner = account;
}

uint64_t tr_play_owner(const tr_play *play, tr_entity_id entity) {
    for (int i = 0; i < play->label_count; i++)
        if (play->label[i].entity == entity)
            return play->label[i].owner;
    return 0;
}

void tr_play_drop_label(tr_play *play, tr_entity_id entity) {
    for (int i = 0; i < play->label_count; i++)
        if (play->label[i].entity == entity) {
            play->label_count--;
            memmove(&play->label[i], &play->label[i + 1],
                    (size_t)(play->label_count - i) * sizeof(tr_label));
            return;
        }
}

static tr_status remember(tr_play *play, const tr_spawn_character *spawn, tr_reply *result) {
    tr_status status = tr_cast_add_model(&play->cast, spawn->model, spawn->model_name);
    if (status == TR_OK)
        status = tr_cast_add_controller(&play->cast, spawn->controller);
    return told(result, status, "models and controllers known to this world");
}

static tr_status apply_spawn_character(tr_play *play, tr_command *command, tr_reply *result) {
    const tr_spawn_character *spawn = &command->as.spawn_character;
    tr_status status = check_fit(play, spawn->controller, spawn->model, result);
    if (status != TR_OK)
        return status;
    if (spawn->controller != NULL && spawn->fragment >= spawn->controller->fragment_count)
        return tr_fail(&result->error, TR_OUT_OF_RANGE, "fragment %d: '%s' has %d", spawn->fragment,
                       spawn->controller->name, spawn->controller->fragment_count);
    status = remember(play, spawn, result);
    if (status != TR_OK)
        return status;
    tr_spawn_def def = {.model = spawn->model,
                        .controller = spawn->controller,
                        .pos = spawn->pos,
                        .heading_rad = spawn->heading_rad,
                        .fragment = spawn->fragment};
    status = tr_stage_spawn(play->stage, &def, &result->entity);
    if (status != TR_OK)
        return told(result, status, "character");
    tr_play_set_label(play, result->entity, spawn->label);
    tr_play_set_owner(play, result->entity, command->account);
    return told(result, keep_mark(play), "mark");
}

static tr_status apply_set_controller(tr_play *play, tr_command *command, tr_reply *result) {
    const tr_set_controller *order = &command->as.set_controller;
    const tr_model *model = tr_world_character_model(world_of(play), order->entity);
    if (model == NULL)
        return no_entity(result, order->entity, "character");
    tr_status status = check_fit(play, order->controller, model, result);
    if (status != TR_OK)
        return status;
    status = tr_cast_add_controller(&play->cast, order->controller);
    if (status == TR_OK)
        status = tr_stage_set_controller(play->stage, order->entity, order->controller);
    return told(result, status, "controller");
}

static tr_status apply_set_limp(tr_play *play, tr_command *command, tr_reply *result) {
    const tr_set_limp *order = &command->as.set_limp;
    tr_status status = tr_stage_set_limp(play->stage, order->entity, order->limp);
    return status == TR_NOT_FOUND ? no_entity(result, order->entity, "character")
                                  : told(result, status, "limp");
}

static tr_status apply_set_offset(tr_play *play, tr_command *command, tr_reply *result) {
    const tr_set_offset *order = &command->as.set_offset;
    const tr_performer *performer = tr_stage_performer(play->stage, order->entity);
    if (performer == NULL)
        return no_entity(result, order->entity, "character");
    const tr_controller *controller = performer->runner.controller;
    if (controller == NULL)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION, "no controller is in charge");
    static const double none[TR_ACTION_MAX] = {0};
    if (order->count != 0 && order->count != controller->action.size)
        return tr_fail(&result->error, TR_INVALID_ARGUMENT, "offset: %d numbers; '%s' takes %d",
                       order->count, controller->name, controller->action.size);
    const double *offset = order->count == 0 ? none : order->offset;
    return told(result,
                tr_stage_set_offset(play->stage, order->entity, offset, controller->action.size),
                "offset");
}

static tr_status apply_set_fragment(tr_play *play, tr_command *command, tr_reply *result) {
    const tr_set_fragment *order = &command->as.set_fragment;
    const tr_performer *performer = tr_stage_performer(play->stage, order->entity);
    if (performer == NULL)
        return no_entity(result, order->entity, "character");
    const tr_controller *controller = performer->runner.controller;
    tr_status status =
        tr_stage_set_fragment(play->stage, order->entity, order->fragment, order->mirrored);
    if (status == TR_OUT_OF_RANGE)
        return tr_fail(&result->error, status, "fragment %d: '%s' has %d", order->fragment,
                       controller->name, controller->fragment_count);
    if (status == TR_FAILED_PRECONDITION && controller != NULL)
        return tr_fail(&result->error, status, "mirrored: '%s' has no mirrored half",
                       controller->name);
    return status == TR_FAILED_PRECONDITION
               ? tr_fail(&result->error, status, "no controller is in charge")
               : told(result, status, "fragment");
}

static tr_status apply_steer(tr_play *play, tr_command *command, tr_reply *result) {
    const tr_steer_order *order = &command->as.steer;
    const tr_performer *performer = tr_stage_performer(play->stage, order->entity);
    if (performer == NULL)
        return no_entity(result, order->entity, "character");
    const tr_controller *controller =
        performer->next != NULL ? performer->next : performer->runner.controller;
    tr_status status = tr_stage_steer(play->stage, order->entity, &order->wish);
    if (status == TR_FAILED_PRECONDITION && controller == NULL)
        return tr_fail(&result->error, status, "no controller is in charge");
    if (status == TR_FAILED_PRECONDITION)
        return tr_fail(&result->error, status, "'%s' was not learned to be steered so",
                       controller->name);
    return told(result, status, "toward, skill");
}

/* --- objects --- */

static tr_status apply_spawn_object(tr_play *play, tr_command *command, tr_reply *result) {
    const tr_spawn_object *spawn = &command->as.spawn_object;
    tr_status status =
        tr_world_add_object(world_of(play), &spawn->def, &spawn->state, &result->entity);
    return told(result, status == TR_OK ? keep_mark(play) : status, "object");
}

static tr_status apply_despawn(tr_play *play, tr_command *command, tr_reply *result) {
    tr_entity_id entity = command->as.despawn;
    tr_status status = tr_stage_despawn(play->stage, entity);
    if (status == TR_OK)
        tr_play_drop_label(play, entity);
    else if (tr_world_object_def(world_of(play), entity) != NULL)
        status = tr_world_remove_object(world_of(play), entity);
    if (status == TR_NOT_FOUND)
        return no_entity(result, entity, "character or object");
    return told(result, status == TR_OK ? keep_mark(play) : status, "despawn");
}

static tr_status apply_throw(tr_play *play, tr_command *command, tr_reply *result) {
    const tr_throw_order *order = &command->as.throw_order;
    tr_object_state state;
    if (tr_world_get_object(world_of(play), order->entity, &state) != TR_OK)
        return no_entity(result, order->entity, "object");
    if (order->moved)
        state.pos = order->pos;
    state.vel = order->vel;
    state.omega = order->omega;
    return told(result, tr_world_set_object(world_of(play), order->entity, &state), "throw");
}

/* --- both --- */

static tr_status find_body(tr_play *play, const tr_push_order *order, int *out_body,
                           tr_reply *result) {
    *out_body = 0;
    if (tr_world_object_def(world_of(play), order->entity) != NULL)
        return TR_OK;
    const tr_model *model = tr_world_character_model(world_of(play), order->entity);
    if (model == NULL)
        return no_entity(result, order->entity, "character or object");
    int body = order->body[0] != '\0' ? tr_model_find_body(model, order->body) : model->trunk;
    if (body < 0 && order->body[0] != '\0')
        return tr_fail(&result->error, TR_NOT_FOUND,
                       "body '%s': the model '%s' has none of this name", order->body, model->name);
    *out_body = body < 0 ? 0 : body;
    return TR_OK;
}

static tr_status apply_push(tr_play *play, tr_command *command, tr_reply *result) {
    const tr_push_order *order = &command->as.push;
    int body = 0;
    tr_status status = find_body(play, order, &body, result);
    if (status != TR_OK)
        return status;
    int steps = (int)lround(order->duration_s / step_s(play));
    tr_push push = {.entity = order->entity,
                    .body = body,
                    .point = order->point,
                    .force = order->force,
                    .steps = steps < 1 ? 1 : steps};
    return told(result, tr_world_push(world_of(play), &push), "push");
}

/* --- time --- */

static tr_status refuse_stepped(tr_play *play, tr_reply *result) {
    if (play->mode != TR_MODE_STEPPED)
        return TR_OK;
    return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                   "a stepped world moves only as far as its steppers let it");
}

static tr_status apply_pause(tr_play *play, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = refuse_stepped(play, result);
    if (status == TR_OK && !play->paused) {
        play->paused = true;
        play->allowance = 0;
        tr_play_tell(play, TR_EVENT_PAUSED);
        tr_publisher_refresh(&play->publisher);
    }
    return status;
}

static tr_status apply_step(tr_play *play, tr_command *command, tr_reply *result) {
    (void)play, (void)command;
    return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                   "this world moves by itself: pause it first, or make a stepped one");
}

static tr_status apply_mark(tr_play *play, tr_command *command, tr_reply *result) {
    (void)command;
    tr_status status = tr_play_take_mark(play);
    play->mark_is_set |= status == TR_OK;
    return told(result, status, "mark");
}

static tr_status apply_snapshot(tr_play *play, tr_command *command, tr_reply *result) {
    (void)command;
    for (const tr_command *waiting = play->queue.first; waiting != NULL; waiting = waiting->next)
        if (waiting->kind == TR_COMMAND_RESTORE)
            return tr_fail(
                &result->error, TR_FAILED_PRECONDITION,
                "a restore waits for its tick: what comes after it is not of this world");
    tr_status status = tr_play_snapshot(play, &result->data);
    if (status == TR_OK)
        result->hash = tr_stage_hash(play->stage);
    return told(result, status, "snapshot");
}

/* --- recordings: record.c --- */

static tr_status apply_start_recording(tr_play *play, tr_command *command, tr_reply *result) {
    tr_status status = tr_play_start_recording(play, &command->as.start_recording, &result->error);
    if (status == TR_OK)
        result->hash = tr_stage_hash(play->stage);
    return status;
}

static tr_status apply_stop_recording(tr_play *play, tr_command *command, tr_reply *result) {
    return tr_play_stop_recording(play, &command->as.stop_recording, &result->error);
}

/* What needs the time of day (of the monotonic kind): pacing begins anew. */
static tr_status apply_timed(tr_play *play, tr_command *command, tr_reply *result, int64_t now_ns) {
    tr_status status = TR_OK;
    if (command->kind == TR_COMMAND_RESUME) {
        status = refuse_stepped(play, result);
        if (status == TR_OK && play->paused)
            tr_play_resume(play, now_ns);
    } else if (command->kind == TR_COMMAND_SET_RATE) {
        if (play->mode != TR_MODE_REAL_TIME)
            return tr_fail(&result->error, TR_FAILED_PRECONDITION, "not a world in real time");
        play->rate = command->as.rate;
        tr_pace_resume(&play->pace, play->rate, now_ns);
    } else {
        status = command->kind == TR_COMMAND_RESET
                     ? tr_play_reset(play, now_ns)
                     : tr_play_restore(play, &command->as.restore, now_ns);
        if (status == TR_OK)
            result->hash = tr_stage_hash(play->stage);
        status = told(result, status, tr_command_name(command->kind));
    }
    return status;
}

static const apply_function functions[TR_COMMAND_KIND_COUNT] = {
    [TR_COMMAND_SPAWN_CHARACTER] = apply_spawn_character,
    [TR_COMMAND_SPAWN_OBJECT] = apply_spawn_object,
    [TR_COMMAND_DESPAWN] = apply_despawn,
    [TR_COMMAND_SET_CONTROLLER] = apply_set_controller,
    [TR_COMMAND_SET_LIMP] = apply_set_limp,
    [TR_COMMAND_SET_OFFSET] = apply_set_offset,
    [TR_COMMAND_SET_FRAGMENT] = apply_set_fragment,
    [TR_COMMAND_STEER] = apply_steer,
    [TR_COMMAND_PUSH] = apply_push,
    [TR_COMMAND_THROW] = apply_throw,
    [TR_COMMAND_PAUSE] = apply_pause,
    [TR_COMMAND_STEP] = apply_step,
    [TR_COMMAND_MARK] = apply_mark,
    [TR_COMMAND_SNAPSHOT] = apply_snapshot,
    [TR_COMMAND_START_RECORDING] = apply_start_recording,
    [TR_COMMAND_STOP_RECORDING] = apply_stop_recording,
};

void tr_play_apply(tr_play *play, tr_command *command, tr_reply *result, int64_t now_ns) {
    apply_function apply = functions[command->kind];
    tr_status status = TR_OK;
    if (play->referee != NULL)
        status = tr_referee_check(play->referee, command, &result->error);
    if (status == TR_OK)
        status = apply != NULL ? apply(play, command, result)
                               : apply_timed(play, command, result, now_ns);
    result->error.status = status;
    if (status != TR_OK)
        result->entity = 0;
}
