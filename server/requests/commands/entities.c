/* Commands on one character or object, which a recording keeps, and the spawn of an object. */
#include "client/command/decode_character.h"
#include "client/command/decode_object.h"
#include "server/requests/commands/apply.h"
#include "server/requests/commands/commands.h"

#include "control/parts/playback.h"

#define ON_ENTITY(NAME, symbol, type, its_fields, ...)                                             \
    TR_COMMAND_ROW(NAME, symbol, .keeps = TR_KEEP_MESSAGE, .fields = its_fields,                   \
                   .entity = offsetof(type, entity), .apply = apply_##symbol, __VA_ARGS__)

/* --- characters and objects --- */

static const tr_field despawn_fields[] = {TR_ENTITY(Troupe__Despawn, entity), TR_FIELDS_END};

/* A character leaves with its rig. */
static tr_status apply_despawn(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_entity_id entity = command->message->despawn->entity;
    tr_entity_id owner = tr_stage_rig_owner(loop->stage, entity);
    if (owner != 0)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "entity %u belongs to character %u, and leaves with it", entity, owner);
    tr_status status = tr_stage_despawn(loop->stage, entity);
    if (!status)
        tr_world_loop_drop_label(loop, entity);
    else if (tr_world_object_def(tr_apply_world(loop), entity))
        status = tr_world_remove_object(tr_apply_world(loop), entity);
    if (status == TR_NOT_FOUND)
        return tr_apply_no_entity(result, entity, "character or object");
    if (!status)
        status = tr_world_loop_keep_reset_point(loop);
    return tr_apply_status(result, status, "despawn");
}

ON_ENTITY(DESPAWN, despawn, Troupe__Despawn, despawn_fields, .right = TR_OWN_FROM_PLAYER)

/* Do poses move it? From the moment when a puppet is given to it, and not while it is limp. */
static bool is_posed(const tr_world_loop *loop, tr_entity_id id) {
    const tr_performer *performer = tr_stage_performer(loop->stage, id);
    const tr_controller *controller = performer ? performer->runner.controller : NULL;
    return controller && !performer->limp && tr_driver_reach_of(controller->driver).kinematic;
}

/* May this be pushed? */
static tr_status check_target(tr_world_loop *loop, tr_entity_id entity, tr_reply *result) {
    if (tr_world_object_def(tr_apply_world(loop), entity))
        return TR_OK;
    if (!tr_world_character_model(tr_apply_world(loop), entity))
        return tr_apply_no_entity(result, entity, "character or object");
    if (is_posed(loop, entity))
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "'%s' moves this character by poses, so that forces do not; expected a "
                       "controller that is not kinematic",
                       tr_stage_performer(loop->stage, entity)->runner.controller->name);
    return TR_OK;
}

static tr_status apply_push(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__Push *m = command->message->push;
    const tr_model *model = tr_world_character_model(tr_apply_world(loop), m->entity);
    tr_status status = check_target(loop, m->entity, result);
    if (status)
        return status;
    const tr_push push = tr_push_decode(m, model, tr_world_loop_step_s(loop));
    if (push.body < 0)
        return tr_fail(&result->error, TR_NOT_FOUND, "body '%s': the model '%s' has no such body",
                       m->body, model->name);
    return tr_apply_status(result, tr_world_push(tr_apply_world(loop), &push), "push");
}

ON_ENTITY(PUSH, push, Troupe__Push, tr_push_fields, .right = TR_OWN_FROM_PLAYER)

/* A body of a character takes an object, or lets it go. */
static tr_status apply_hold(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return tr_object_hold(tr_apply_world(loop), command->message->hold, &result->error);
}

ON_ENTITY(HOLD, hold, Troupe__Hold, tr_hold_fields, .right = TR_OWN_FROM_PLAYER)

/* --- objects --- */

static tr_status check_spawn_object(tr_command *command, const tr_command_table *table,
                                    tr_error *error) {
    (void)table;
    return tr_object_check(command->message->spawn_object, "", error);
}

static tr_status apply_spawn_object(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const tr_object_start start = tr_object_decode(command->message->spawn_object);
    tr_status status = tr_object_check_start(tr_apply_world(loop), &start, &result->error);
    if (status)
        return status;
    status = tr_object_begin(&start, tr_apply_world(loop), &result->entity);
    if (status)
        return tr_apply_status_of_limit(result, status, "object", TR_OBJECT_MAX);
    return tr_apply_status(result, tr_world_loop_keep_reset_point(loop), "reset point");
}

TR_COMMAND_ROW(SPAWN_OBJECT, spawn_object, .keeps = TR_KEEP_MESSAGE,
               .right = TR_ANY_FROM(TR_ROLE_DIRECTOR), .fields = tr_object_fields,
               .check = check_spawn_object, .apply = apply_spawn_object)

static const tr_field carry_fields[] = {TR_ENTITY(Troupe__Carry, entity),
                                        TR_MESSAGE(Troupe__Carry, travel, tr_travel_fields),
                                        TR_FIELDS_END};

static tr_status check_carry(tr_command *command, const tr_command_table *table, tr_error *error) {
    (void)table;
    return command->message->carry->travel ? TR_OK : tr_field_refuse(error, "travel", "one");
}

static tr_status apply_carry(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__Carry *m = command->message->carry;
    tr_status status = tr_object_carry(tr_apply_world(loop), m->entity, m->travel);
    if (status == TR_NOT_FOUND)
        return tr_apply_no_entity(result, m->entity, "object");
    if (status == TR_FAILED_PRECONDITION)
        return tr_fail(&result->error, status,
                       "entity %u: it is not kinematic: spawn it with `kinematic`", m->entity);
    return tr_apply_status(result, status, "carry");
}

ON_ENTITY(CARRY, carry, Troupe__Carry, carry_fields, .right = TR_ANY_FROM(TR_ROLE_DIRECTOR),
          .check = check_carry)

static const tr_field throw_fields[] = {
    TR_ENTITY(Troupe__Throw, entity), TR_VECTOR(Troupe__Throw, pos, 10000),
    TR_VECTOR(Troupe__Throw, vel, TR_SPEED_MAX), TR_VECTOR(Troupe__Throw, omega, TR_SPEED_MAX),
    TR_FIELDS_END};

static tr_status apply_throw(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return tr_object_throw(tr_apply_world(loop), command->message->throw_, &result->error);
}

ON_ENTITY(THROW, throw, Troupe__Throw, throw_fields, .right = TR_ANY_FROM(TR_ROLE_DIRECTOR))

/* --- characters --- */

#define ON_CHARACTER(NAME, symbol, type, ...)                                                      \
    ON_ENTITY(NAME, symbol, type, symbol##_fields, .right = TR_OWN_FROM_PLAYER, .for_teams = true, \
              __VA_ARGS__)

typedef struct set_controller {
    const tr_controller *controller; /* NULL: none */
} set_controller;

static const tr_field set_controller_fields[] = {TR_ENTITY(Troupe__SetController, entity),
                                                 TR_NAME(Troupe__SetController, controller),
                                                 TR_FIELDS_END};

static tr_status names_of_controller(const tr_command *command, tr_library_needs *needs) {
    return tr_library_need_controller(needs, command->message->set_controller->controller);
}

static tr_status bind_controller(tr_command *command, const tr_cast *cast, tr_error *error) {
    set_controller *data = (set_controller *)command->data;
    return tr_cast_bind_controller(cast, command->message->set_controller->controller,
                                   &data->controller, error);
}

static tr_status apply_set_controller(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    tr_entity_id entity = command->message->set_controller->entity;
    const tr_controller *controller = ((const set_controller *)command->data)->controller;
    const tr_model *model = tr_world_character_model(tr_apply_world(loop), entity);
    if (!model)
        return tr_apply_no_entity(result, entity, "character");
    tr_status status = tr_apply_check_fit(loop, controller, model, result);
    if (status)
        return status;
    const tr_performer *performer = tr_stage_performer(loop->stage, entity);
    if (performer && controller && !tr_rig_pieces_fit(&performer->runner.rig, controller->rig))
        return tr_fail(&result->error, TR_FAILED_PRECONDITION,
                       "controller '%s' needs the objects of its rig; spawn a character with it",
                       controller->name);
    status = tr_cast_add_controller(&loop->cast, controller);
    if (!status)
        status = tr_stage_set_controller(loop->stage, entity, controller);
    return tr_apply_status(result, status, "controller");
}

ON_CHARACTER(SET_CONTROLLER, set_controller, Troupe__SetController,
             .data_size = sizeof(set_controller), .names = names_of_controller,
             .bind = bind_controller)

static const tr_field set_fragment_fields[] = {
    TR_ENTITY(Troupe__SetFragment, entity),
    TR_NUMBER(Troupe__SetFragment, fragment, 0, TR_DRIVER_ENTRY_MAX - 1), TR_FIELDS_END};

/* To another entry of its controller: a chain's or a graph's fragments. */
static tr_status apply_set_fragment(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__SetFragment *m = command->message->set_fragment;
    const tr_performer *performer = tr_stage_performer(loop->stage, m->entity);
    if (!performer)
        return tr_apply_no_entity(result, m->entity, "character");
    const tr_controller *controller = performer->runner.controller;
    tr_status status = tr_stage_set_entry(loop->stage, m->entity, (int)m->fragment, m->mirrored);
    if (status == TR_OUT_OF_RANGE)
        return tr_fail(&result->error, status, "fragment %u: '%s' has %d", m->fragment,
                       controller->name, tr_controller_outline(controller).entry_count);
    if (status == TR_FAILED_PRECONDITION && controller)
        return tr_fail(&result->error, status, "mirrored: '%s' has no mirrored half",
                       controller->name);
    if (status == TR_FAILED_PRECONDITION)
        return tr_fail(&result->error, status, "the character has no controller");
    return tr_apply_status(result, status, "fragment");
}

ON_CHARACTER(SET_FRAGMENT, set_fragment, Troupe__SetFragment)

static const tr_field set_limp_fields[] = {TR_ENTITY(Troupe__SetLimp, entity), TR_FIELDS_END};

/* Its servos off, or on again. */
static tr_status apply_set_limp(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__SetLimp *m = command->message->set_limp;
    tr_status status = tr_stage_set_limp(loop->stage, m->entity, m->limp);
    return status == TR_NOT_FOUND ? tr_apply_no_entity(result, m->entity, "character")
                                  : tr_apply_status(result, status, "limp");
}

ON_CHARACTER(SET_LIMP, set_limp, Troupe__SetLimp)

static const tr_field set_offset_fields[] = {
    TR_ENTITY(Troupe__SetOffset, entity),
    TR_NUMBERS(Troupe__SetOffset, offset, TR_ACTION_MAX, -10, 10), TR_FIELDS_END};

/* The parameter "action_offset"; older than parameters. */
static tr_status apply_set_offset(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__SetOffset *m = command->message->set_offset;
    const tr_performer *performer = tr_stage_performer(loop->stage, m->entity);
    if (!performer)
        return tr_apply_no_entity(result, m->entity, "character");
    if (!performer->runner.controller)
        return tr_fail(&result->error, TR_FAILED_PRECONDITION, "the character has no controller");
    return tr_stage_set_parameter(loop->stage, m->entity, TR_ACTION_OFFSET, m->offset,
                                  (int)m->n_offset, &result->error);
}

ON_CHARACTER(SET_OFFSET, set_offset, Troupe__SetOffset)

static const tr_field values[] = {
    TR_NAME_NEEDED(Troupe__ParameterValues, name),
    TR_NUMBERS(Troupe__ParameterValues, values, TR_DRIVER_VALUE_MAX, -1e12, 1e12), TR_FIELDS_END};

static const tr_field set_parameters_fields[] = {
    TR_ENTITY(Troupe__SetParameters, entity),
    TR_LIST(Troupe__SetParameters, parameters, 1, TR_DRIVER_PARAMETER_MAX, values, NULL),
    TR_FIELDS_END};

static tr_status apply_set_parameters(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    return tr_parameters_set(loop->stage, command->message->set_parameters, &result->error);
}

ON_CHARACTER(SET_PARAMETERS, set_parameters, Troupe__SetParameters)

static const tr_field steer_fields[] = {
    TR_ENTITY(Troupe__Steer, entity),
    TR_CASE(Troupe__Steer, aim_case, TROUPE__STEER__AIM_HEADING_RAD,
            TR_FIELD(Troupe__Steer, heading_rad, TR_FIELD_NUMBER), .number = TR_NUMBER_DOUBLE,
            .low = -TR_HEADING_RAD_MAX, .high = TR_HEADING_RAD_MAX),
    TR_CASE(Troupe__Steer, aim_case, TROUPE__STEER__AIM_TARGET,
            TR_FIELD(Troupe__Steer, target, TR_FIELD_VECTOR), .high = 10000),
    TR_CASE(Troupe__Steer, aim_case, TROUPE__STEER__AIM_TOWARD,
            TR_FIELD(Troupe__Steer, toward, TR_FIELD_ENTITY)),
    TR_NUMBER(Troupe__Steer, speed, 0, TR_STEER_SPEED_MAX),
    TR_NAME(Troupe__Steer, skill),
    TR_NUMBER(Troupe__Steer, radius, 0, TR_INTENT_RADIUS_MAX_M),
    TR_NUMBER(Troupe__Steer, facing_rad, -TR_HEADING_RAD_MAX, TR_HEADING_RAD_MAX),
    TR_FIELDS_END};

static tr_status apply_steer(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__Steer *m = command->message->steer;
    const tr_intent intent = tr_steer_decode(m);
    return tr_stage_steer(loop->stage, m->entity, &intent, &result->error);
}

ON_CHARACTER(STEER, steer, Troupe__Steer)
