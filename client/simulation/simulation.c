#include "troupe/simulation.h"

#include "client/command/decode_character.h"
#include "client/command/decode_object.h"
#include "client/command/decode_scenery.h"
#include "control/parts/playback.h"
#include "control/stage/stage.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "model/mjcf.h"
#include "proto/message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A controller of the bundle, and its model, which others of the same row share. */
typedef struct loaded {
    tr_row_id id, model_id;    /* id 0: a model without a controller */
    tr_controller *controller; /* NULL: the same */
    tr_model *model;
    char *mjcf;
    bool shares; /* model and mjcf belong to an earlier one */
} loaded;

struct tr_simulation {
    tr_catalogue *catalogue;
    tr_stage *stage;
    int count;
    loaded one[TR_SIMULATION_CONTROLLER_MAX];
    tr_doing doing;
};

/* --- life --- */

tr_status tr_simulation_open(const char *bundle, double step_s, tr_simulation **out,
                             tr_error *error) {
    tr_simulation *simulation = calloc(1, sizeof *simulation);
    if (!simulation)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_world_def def = tr_world_def_default();
    def.step_s = step_s;
    tr_physics_init();
    tr_status status = tr_catalogue_open(bundle, TR_CATALOGUE_READ, &simulation->catalogue, error);
    if (!status) {
        status = tr_stage_create(&def, &simulation->stage);
        if (status)
            (void)tr_fail(error, status, "step_s: %g; expected 0.0005 to 0.02", step_s);
    }
    return TR_GIVE(status, simulation, tr_simulation_close, out);
}

static void unload(loaded *one) {
    tr_controller_destroy(one->controller);
    if (one->shares)
        return;
    tr_model_destroy(one->model);
    free(one->mjcf);
}

void tr_simulation_close(tr_simulation *simulation) {
    if (!simulation)
        return;
    tr_stage_destroy(simulation->stage);
    for (int i = simulation->count - 1; i >= 0; i--)
        unload(&simulation->one[i]);
    tr_catalogue_close(simulation->catalogue);
    free(simulation);
}

/* --- controllers --- */

static tr_status load_model(tr_simulation *simulation, loaded *one, tr_error *error) {
    for (int i = 0; i < simulation->count; i++)
        if (simulation->one[i].model_id == one->model_id) {
            one->model = simulation->one[i].model;
            one->mjcf = simulation->one[i].mjcf;
            one->shares = true;
            return TR_OK;
        }
    size_t size = 0;
    tr_status status = tr_models_load(simulation->catalogue, one->model_id, &one->model, error);
    if (!status)
        status = tr_models_text(simulation->catalogue, one->model_id, &one->mjcf, &size, error);
    return status;
}

/* The loaded controller `id` on its model, loaded now unless it is there. id 0: the model alone. */
static tr_status find(tr_simulation *simulation, tr_row_id id, tr_row_id model_id,
                      const loaded **out, tr_error *error) {
    for (int i = 0; i < simulation->count; i++)
        if (simulation->one[i].id == id && simulation->one[i].model_id == model_id) {
            *out = &simulation->one[i];
            return TR_OK;
        }
    if (simulation->count == TR_SIMULATION_CONTROLLER_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "%d models and controllers are loaded; expected at most that many: open "
                       "another simulation",
                       simulation->count);
    loaded *one = &simulation->one[simulation->count];
    *one = (loaded){.id = id, .model_id = model_id};
    tr_status status = load_model(simulation, one, error);
    if (!status && id)
        status =
            tr_controllers_load(simulation->catalogue, id, one->model, &one->controller, error);
    if (status) {
        unload(one);
        return status;
    }
    simulation->count++;
    *out = one;
    return TR_OK;
}

static tr_status find_controller(tr_simulation *simulation, const char *name, const loaded **out,
                                 tr_error *error) {
    tr_controller_row row;
    tr_status status = tr_controllers_resolve(simulation->catalogue, name, &row, error);
    return status ? status : find(simulation, row.id, row.model_id, out, error);
}

static tr_status find_model(tr_simulation *simulation, const char *name, const loaded **out,
                            tr_error *error) {
    tr_model_row row;
    tr_status status = tr_models_find(simulation->catalogue, name, &row, error);
    return status ? status : find(simulation, 0, row.id, out, error);
}

/* --- characters --- */

static tr_world *world_of(const tr_simulation *simulation) {
    return tr_stage_world(simulation->stage);
}

static tr_status spawn_character(tr_simulation *simulation, const Troupe__SpawnCharacter *m,
                                 uint32_t *out_entity, tr_error *error) {
    const loaded *driver = NULL, *body = NULL;
    tr_status status = TR_OK;
    if (m->controller[0] != '\0')
        status = find_controller(simulation, m->controller, &driver, error);
    if (!status && m->model[0] != '\0')
        status = find_model(simulation, m->model, &body, error);
    if (!status && !(body = body ? body : driver))
        return tr_fail(error, TR_INVALID_ARGUMENT, "model: expected a model or a controller");
    if (status)
        return status;
    const tr_spawn_def def = {.model = body->model,
                              .controller = driver ? driver->controller : NULL,
                              .pos = tr_vec3_of(m->pos),
                              .heading_rad = m->heading_rad,
                              .entry = (int)m->fragment};
    status = tr_stage_spawn(simulation->stage, &def, out_entity);
    if (status == TR_FAILED_PRECONDITION && driver)
        return tr_fail(error, status, "'%s' was learned at steps of %g s; the world's are %g s",
                       driver->controller->name, driver->controller->step_s,
                       tr_world_definition(world_of(simulation))->step_s);
    return tr_fail_if(error, status, "'%s' cannot be spawned", m->controller);
}

tr_status tr_simulation_spawn(tr_simulation *simulation, const tr_simulation_spawn_def *def,
                              uint32_t *out_entity, tr_error *error) {
    Troupe__Vec3 pos = {TR_MESSAGE_BASE(vec3), .x = def->x, .y = def->y};
    const Troupe__SpawnCharacter message = {TR_MESSAGE_BASE(spawn_character), .model = (char *)"",
                                            .controller = (char *)def->controller, .pos = &pos,
                                            .heading_rad = def->heading_rad};
    return spawn_character(simulation, &message, out_entity, error);
}

tr_status tr_simulation_prepare(tr_simulation *simulation, const char *model,
                                const char *controller, tr_error *error) {
    const loaded *one = NULL;
    return controller[0] != '\0' ? find_controller(simulation, controller, &one, error)
                                 : find_model(simulation, model, &one, error);
}

tr_status tr_simulation_despawn(tr_simulation *simulation, uint32_t entity) {
    if (tr_world_object_def(world_of(simulation), entity) &&
        !tr_stage_rig_owner(simulation->stage, entity))
        return tr_world_remove_object(world_of(simulation), entity);
    return tr_stage_despawn(simulation->stage, entity);
}

static tr_steering_target target_of(const tr_simulation_intent *intent) {
    static const tr_aim aim[] = {TR_AIM_NONE, TR_AIM_HEADING, TR_AIM_POINT, TR_AIM_CHARACTER};
    tr_steering_target target = {.aim = aim[intent->aim],
                                 .heading_rad = intent->heading_rad,
                                 .x = intent->x,
                                 .y = intent->y,
                                 .character = intent->toward,
                                 .speed_mps = intent->speed_mps};
    if (intent->skill)
        memcpy(target.skill, intent->skill, strlen(intent->skill));
    return target;
}

tr_status tr_simulation_steer(tr_simulation *simulation, uint32_t entity,
                              const tr_simulation_intent *intent, tr_error *error) {
    if (intent->skill && strlen(intent->skill) >= TR_NAME_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "skill '%s': expected at most %d characters",
                       intent->skill, TR_NAME_MAX - 1);
    if (intent->aim < TR_SIMULATION_NOWHERE || intent->aim > TR_SIMULATION_CHARACTER)
        return tr_fail(error, TR_INVALID_ARGUMENT, "aim: %d is none", (int)intent->aim);
    const tr_intent order = {.wish = target_of(intent),
                             .radius_m = intent->radius_m,
                             .facing_rad = intent->facing_rad,
                             .faces = intent->faces};
    return tr_stage_steer(simulation->stage, entity, &order, error);
}

tr_status tr_simulation_push(tr_simulation *simulation, uint32_t entity, int body,
                             const double force[3], double duration_s) {
    tr_world *world = world_of(simulation);
    const tr_model *model = tr_world_character_model(world, entity);
    const double step_s = tr_world_definition(world)->step_s;
    if (!model)
        return TR_NOT_FOUND;
    if (!(duration_s > 0 && duration_s <= 10) || body >= model->body_count)
        return TR_INVALID_ARGUMENT;
    if (body < 0)
        body = model->trunk < 0 ? 0 : model->trunk;
    const tr_push push = {.entity = entity,
                          .body = body,
                          .force = {force[0], force[1], force[2]},
                          .steps = (int)fmax(1, round(duration_s / step_s))};
    return tr_world_push(world, &push);
}

tr_status tr_simulation_set_limp(tr_simulation *simulation, uint32_t entity, bool limp) {
    return tr_stage_set_limp(simulation->stage, entity, limp);
}

tr_status tr_simulation_step(tr_simulation *simulation, int ticks) {
    tr_status status = TR_OK;
    for (int i = 0; i < ticks && !status; i++)
        status = tr_stage_step(simulation->stage);
    return status;
}

int64_t tr_simulation_tick(const tr_simulation *simulation) {
    return tr_world_tick(world_of(simulation));
}

/* --- commands of a daemon's world: each changes the stage as its row in server/requests/commands
 * does. The daemon tells what has applied, so that no command which it refuses comes here. --- */

static tr_status spawn_object(tr_world *world, const Troupe__SpawnObject *m, uint32_t *out_entity,
                              tr_error *error) {
    tr_status status = tr_fields_check(m, tr_object_fields, error);
    if (!status)
        status = tr_object_check(m, "", error);
    if (status)
        return status;
    const tr_object_start start = tr_object_decode(m);
    status = tr_object_check_start(world, &start, error);
    return status ? status : tr_object_begin(&start, world, out_entity);
}

static tr_status set_controller(tr_simulation *simulation, const Troupe__SetController *m,
                                tr_error *error) {
    const loaded *driver = NULL;
    tr_status status = TR_OK;
    if (m->controller[0] != '\0')
        status = find_controller(simulation, m->controller, &driver, error);
    return status ? status
                  : tr_stage_set_controller(simulation->stage, m->entity,
                                            driver ? driver->controller : NULL);
}

static tr_status push(tr_world *world, const Troupe__Push *m, tr_error *error) {
    tr_status status = tr_fields_check(m, tr_push_fields, error);
    if (status)
        return status;
    const tr_push push = tr_push_decode(m, tr_world_character_model(world, m->entity),
                                        tr_world_definition(world)->step_s);
    return push.body < 0 ? TR_NOT_FOUND : tr_world_push(world, &push);
}

static tr_status carry(tr_world *world, const Troupe__Carry *m, tr_error *error) {
    tr_status status =
        m->travel ? tr_fields_check(m->travel, tr_travel_fields, error) : TR_INVALID_ARGUMENT;
    return status ? status : tr_object_carry(world, m->entity, m->travel);
}

static tr_status add_scenery(tr_world *world, const Troupe__Scenery *m, tr_error *error) {
    tr_scenery_def def;
    tr_status status = m ? tr_fields_check(m, tr_scenery_fields, error) : TR_INVALID_ARGUMENT;
    if (!status)
        status = tr_scenery_check(m, "", error);
    if (!status)
        status = tr_scenery_decode(m, &def);
    if (status)
        return status;
    status = tr_world_add_scenery(world, &def, NULL);
    tr_surface_release(def.surface);
    return status;
}

static tr_status apply(tr_simulation *simulation, const Troupe__Command *m, uint32_t *out_entity,
                       tr_error *error) {
    tr_stage *stage = simulation->stage;
    tr_world *world = world_of(simulation);
    tr_intent intent;
    tr_status status;
    switch (m->command_case) {
    case TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER:
        return spawn_character(simulation, m->spawn_character, out_entity, error);
    case TROUPE__COMMAND__COMMAND_SPAWN_OBJECT:
        return spawn_object(world, m->spawn_object, out_entity, error);
    case TROUPE__COMMAND__COMMAND_DESPAWN:
        return tr_simulation_despawn(simulation, m->despawn->entity);
    case TROUPE__COMMAND__COMMAND_SET_CONTROLLER:
        return set_controller(simulation, m->set_controller, error);
    case TROUPE__COMMAND__COMMAND_SET_LIMP:
        return tr_stage_set_limp(stage, m->set_limp->entity, m->set_limp->limp);
    case TROUPE__COMMAND__COMMAND_SET_OFFSET:
        return tr_stage_set_parameter(stage, m->set_offset->entity, TR_ACTION_OFFSET,
                                      m->set_offset->offset, (int)m->set_offset->n_offset, error);
    case TROUPE__COMMAND__COMMAND_PUSH:
        return push(world, m->push, error);
    case TROUPE__COMMAND__COMMAND_THROW:
        return tr_object_throw(world, m->throw_, error);
    case TROUPE__COMMAND__COMMAND_STEER:
        intent = tr_steer_decode(m->steer);
        return tr_stage_steer(stage, m->steer->entity, &intent, error);
    case TROUPE__COMMAND__COMMAND_SET_FRAGMENT:
        return tr_stage_set_entry(stage, m->set_fragment->entity, (int)m->set_fragment->fragment,
                                  m->set_fragment->mirrored);
    case TROUPE__COMMAND__COMMAND_SET_PARAMETERS:
        return tr_parameters_set(stage, m->set_parameters, error);
    case TROUPE__COMMAND__COMMAND_CARRY:
        return carry(world, m->carry, error);
    case TROUPE__COMMAND__COMMAND_HOLD:
        status = tr_fields_check(m->hold, tr_hold_fields, error);
        return status ? status : tr_object_hold(world, m->hold, error);
    case TROUPE__COMMAND__COMMAND_ADD_SCENERY:
        return add_scenery(world, m->add_scenery->scenery, error);
    case TROUPE__COMMAND__COMMAND_REMOVE_SCENERY:
        return tr_world_remove_scenery(world, m->remove_scenery->scenery);
    default:
        return TR_UNIMPLEMENTED;
    }
}

tr_status tr_simulation_apply(tr_simulation *simulation, const void *command, size_t size,
                              uint32_t *out_entity, tr_error *error) {
    ProtobufCMessage *message = NULL;
    tr_error cause = {0};
    if (tr_message_decode(&troupe__command__descriptor, command, size, &message))
        return tr_fail(error, TR_INVALID_ARGUMENT, "not a Command of command.proto");
    *out_entity = 0;
    tr_status status = apply(simulation, (const Troupe__Command *)message, out_entity, &cause);
    tr_message_destroy(message);
    const char *reason = cause.message[0] != '\0' ? cause.message : tr_status_text(status);
    return status ? tr_fail(error, status, "command: %s", reason) : TR_OK;
}

/* --- what is there --- */

int tr_simulation_entities(const tr_simulation *simulation, uint32_t *out, int capacity) {
    return tr_world_characters(world_of(simulation), out, capacity);
}

int tr_simulation_body_count(const tr_simulation *simulation, uint32_t entity) {
    const tr_world *world = world_of(simulation);
    const tr_model *model = tr_world_character_model(world, entity);
    return model ? model->body_count : tr_world_object_def(world, entity) != NULL;
}

static void put_pose(tr_vec3 pos, tr_quat rot, double *out) {
    const double pose[TR_SIMULATION_POSE_SIZE] = {pos.x, pos.y, pos.z, rot.w, rot.x, rot.y, rot.z};
    memcpy(out, pose, sizeof pose);
}

tr_status tr_simulation_poses(const tr_simulation *simulation, uint32_t entity, double *out) {
    const tr_world *world = world_of(simulation);
    const tr_model *model = tr_world_character_model(world, entity);
    const tr_body_state *body = tr_world_bodies(world, entity);
    tr_object_state object;
    if (!model || !body) {
        tr_status status = tr_world_get_object(world, entity, &object);
        if (!status)
            put_pose(object.pos, object.rot, out);
        return status;
    }
    for (int i = 0; i < model->body_count; i++)
        put_pose(tr_body_origin(model, i, &body[i]), body[i].rot,
                 out + (ptrdiff_t)i * TR_SIMULATION_POSE_SIZE);
    return TR_OK;
}

const char *tr_simulation_model(const tr_simulation *simulation, uint32_t entity) {
    const tr_model *model = tr_world_character_model(world_of(simulation), entity);
    for (int i = 0; model && i < simulation->count; i++)
        if (simulation->one[i].model == model)
            return simulation->one[i].mjcf;
    return NULL;
}

tr_status tr_simulation_look(tr_simulation *simulation, uint32_t entity,
                             tr_simulation_condition *out) {
    const tr_performer *performer = tr_stage_performer(simulation->stage, entity);
    tr_doing *doing = &simulation->doing;
    if (!performer)
        return TR_NOT_FOUND;
    tr_runner_look(&performer->runner, doing);
    *out = (tr_simulation_condition){.phase = doing->phase,
                                     .doing = doing->text ? doing->text : "",
                                     .fragment = doing->entry,
                                     .fallen = performer->fallen,
                                     .limp = performer->limp,
                                     .frozen = performer->faulted,
                                     .ended = doing->ended};
    return TR_OK;
}

/* --- rollback --- */

uint64_t tr_simulation_hash(const tr_simulation *simulation) {
    return tr_stage_hash(simulation->stage);
}

size_t tr_simulation_saved_size(const tr_simulation *simulation) {
    return tr_stage_snapshot_size(simulation->stage);
}

tr_status tr_simulation_save(const tr_simulation *simulation, void *out, size_t capacity,
                             size_t *out_size) {
    return tr_stage_snapshot(simulation->stage, out, capacity, out_size);
}

tr_status tr_simulation_load(tr_simulation *simulation, const void *saved, size_t size,
                             tr_error *error) {
    const tr_controller *controllers[TR_SIMULATION_CONTROLLER_MAX];
    const tr_model *models[TR_SIMULATION_CONTROLLER_MAX];
    int controller_count = 0;
    for (int i = 0; i < simulation->count; i++) {
        if (simulation->one[i].controller)
            controllers[controller_count++] = simulation->one[i].controller;
        models[i] = simulation->one[i].model;
    }
    const tr_stage_library library = {.models = models,
                                      .model_count = simulation->count,
                                      .controllers = controllers,
                                      .controller_count = controller_count};
    return tr_fail_if(error, tr_stage_restore(simulation->stage, saved, size, &library),
                      "not a state of this world's characters");
}
