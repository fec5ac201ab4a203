#include "learn/rehearsal/ensemble.h"

#include "control/parts/above_ground.h"
#include "math/elementary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tr_world_def tr_rehearsal_world_def(const tr_ensemble_def *def) {
    tr_world_def world = tr_world_def_default();
    world.step_s = def->step_s;
    return world;
}

tr_status tr_rehearsal_open(const tr_ensemble_def *def, bool plane, tr_rehearsal *out) {
    tr_world_def world = tr_rehearsal_world_def(def);
    world.ground = plane;
    return tr_rehearsal_open_in(def, &world, out);
}

tr_status tr_rehearsal_open_in(const tr_ensemble_def *def, const tr_world_def *world,
                               tr_rehearsal *out) {
    *out = (tr_rehearsal){.model = def->model, .rig = def->rig};
    int gain_set = tr_model_find_gain_set(def->model, def->gain_set);
    if (gain_set < 0)
        return TR_NOT_FOUND;
    tr_status status = tr_world_create(world, &out->world);
    if (status)
        return status;
    /* The character waits in its rest pose until a trial places it. */
    tr_pose rest = tr_pose_rest(def->model);
    tr_state state = tr_state_at_rest(def->model, &rest);
    status = tr_world_add_character(out->world, def->model, &state, &out->character);
    tr_rig_place place = tr_rig_place_under(&state);
    if (!status)
        status = tr_rig_spawn(out->rig, out->world, out->character, &place, &out->pieces);
    return status ? status : tr_world_set_servo(out->world, out->character, gain_set);
}

/* Opens the next of the worlds, in turn for each thread. */
static tr_status open_next(tr_ensemble *ensemble) {
    const int threads = ensemble->def.threads;
    tr_rehearsal_group *group = &ensemble->group[ensemble->worlds % threads];
    tr_rehearsal *next = &ensemble->rehearsal[ensemble->worlds];
    tr_status status = tr_rehearsal_open(&ensemble->def, true, next);
    if (!status)
        status = tr_steps_lay(&ensemble->steps, next->world);
    /* Only several worlds step side by side. */
    if (!status && group->count > 0 && !group->quartet)
        status = tr_quartet_create(&group->quartet);
    if (status) {
        tr_world_destroy(next->world);
        next->world = NULL;
        return status;
    }
    group->rehearsal[group->count++] = next;
    ensemble->worlds++;
    return TR_OK;
}

static tr_status open_until(tr_ensemble *ensemble, int worlds) {
    tr_status status = TR_OK;
    while (ensemble->worlds < worlds && !status)
        status = open_next(ensemble);
    return status;
}

tr_status tr_ensemble_open_groups(tr_ensemble *ensemble) {
    return open_until(ensemble, ensemble->room);
}

/* Opens one world for each thread; the others wait for the first work on groups. */
static tr_status open_first(tr_ensemble *ensemble) {
    const int threads = ensemble->def.threads, lanes = ensemble->def.lanes;
    ensemble->room = (lanes > 0 ? lanes : 1) * threads;
    ensemble->rehearsal = calloc((size_t)ensemble->room, sizeof *ensemble->rehearsal);
    ensemble->group = calloc((size_t)threads, sizeof *ensemble->group);
    if (!ensemble->rehearsal || !ensemble->group)
        return TR_RESOURCE_EXHAUSTED;
    return open_until(ensemble, threads);
}

tr_status tr_ensemble_lay(tr_ensemble *ensemble, const tr_steps *steps) {
    tr_status status = TR_OK;
    for (int i = 0; !status && i < ensemble->worlds; i++)
        status = tr_steps_lay(steps, ensemble->rehearsal[i].world);
    if (!status)
        ensemble->steps = *steps;
    return status;
}

tr_status tr_ensemble_create(const tr_ensemble_def *def, tr_ensemble **out) {
    tr_ensemble *ensemble = calloc(1, sizeof *ensemble);
    if (!ensemble)
        return TR_RESOURCE_EXHAUSTED;
    ensemble->model = def->model;
    ensemble->def = *def;
    snprintf(ensemble->gain_set, sizeof ensemble->gain_set, "%s", def->gain_set);
    ensemble->def.gain_set = ensemble->gain_set;
    tr_status status = def->lanes <= TR_QUARTET_MAX ? tr_pool_create(def->threads, &ensemble->pool)
                                                    : TR_INVALID_ARGUMENT;
    if (!status)
        status = open_first(ensemble);
    return TR_GIVE(status, ensemble, tr_ensemble_destroy, out);
}

tr_ensemble_def tr_ensemble_def_for(const tr_model *model, const tr_controller *controller) {
    const char *gain_set = tr_controller_outline(controller).gain_set;
    return (tr_ensemble_def){model,
                             gain_set[0] ? gain_set : model->gain_set[0].name,
                             controller->step_s,
                             1,
                             controller->rig,
                             controller->rig ? 1 : TR_QUARTET_MAX};
}

tr_status tr_ensemble_create_for(const tr_model *model, const tr_controller *controller,
                                 int threads, tr_ensemble **out, tr_error *error) {
    tr_ensemble_def def = tr_ensemble_def_for(model, controller);
    def.threads = threads;
    return tr_fail_if(error, tr_ensemble_create(&def, out), "worlds");
}

void tr_ensemble_destroy(tr_ensemble *ensemble) {
    if (!ensemble)
        return;
    int threads = ensemble->pool ? tr_pool_threads(ensemble->pool) : 0;
    tr_pool_destroy(ensemble->pool);
    for (int i = 0; ensemble->rehearsal && i < ensemble->worlds; i++)
        tr_world_destroy(ensemble->rehearsal[i].world);
    for (int i = 0; ensemble->group && i < threads; i++)
        tr_quartet_destroy(ensemble->group[i].quartet);
    free(ensemble->rehearsal);
    free(ensemble->group);
    free(ensemble);
}

typedef struct shared_work {
    tr_ensemble *ensemble;
    tr_ensemble_work work;
    void *context;
} shared_work;

static void work_in_own_world(void *context, int item, int worker) {
    shared_work *shared = context;
    shared->work(shared->context, item, &shared->ensemble->rehearsal[worker]);
}

void tr_ensemble_run(tr_ensemble *ensemble, tr_ensemble_work work, void *context, int count) {
    shared_work shared = {ensemble, work, context};
    tr_pool_run(ensemble->pool, work_in_own_world, &shared, count);
}

void tr_ensemble_share(tr_ensemble *ensemble, tr_ensemble_work work, void *context, int count,
                       const tr_ranks_result *results) {
    shared_work shared = {ensemble, work, context};
    tr_pool_share(ensemble->pool, work_in_own_world, &shared, count, results);
}

typedef struct group_work {
    tr_ensemble *ensemble;
    tr_ensemble_group_work work;
    void *context;
} group_work;

static void work_in_own_group(void *context, const int *item, int count, int worker) {
    group_work *shared = context;
    shared->work(shared->context, item, count, &shared->ensemble->group[worker]);
}

void tr_ensemble_share_groups(tr_ensemble *ensemble, tr_ensemble_group_work work, void *context,
                              int count, const tr_ranks_result *results) {
    group_work shared = {ensemble, work, context};
    /* A group takes no more than its fair share: threads without work cost more than lanes save. */
    int fair = count / tr_pool_width(ensemble->pool), most = 1;
    if (fair > 1 && !tr_ensemble_open_groups(ensemble))
        most = ensemble->group[0].count;
    int size = fair > most ? most : fair > 1 ? fair : 1;
    tr_pool_batches batches = {work_in_own_group, &shared, count, size};
    tr_pool_share_batches(ensemble->pool, &batches, results);
}

bool tr_rehearsal_group_step(const tr_rehearsal_group *group, const bool *moves, int count,
                             tr_status *status) {
    tr_world *world[TR_QUARTET_MAX];
    tr_status stepped[TR_QUARTET_MAX];
    int number = 0;
    /* Worlds that move are packed together, and their statuses are put back in place. */
    for (int k = 0; k < count; k++)
        if (moves[k])
            world[number++] = group->rehearsal[k]->world;
    if (number == 0)
        return false;
    tr_quartet_step(group->quartet, world, number, stepped);
    for (int k = 0, m = 0; k < count; k++)
        if (moves[k])
            status[k] = stepped[m++];
    return true;
}

/* A push cannot be taken back: it is run out, whatever becomes of the character. */
static tr_status end_pushes(tr_world *world) {
    tr_push left;
    while (tr_world_pushes(world, &left, 1) > 0) {
        tr_status status = tr_world_step(world);
        if (status && status != TR_DATA_LOSS)
            return status;
    }
    return TR_OK;
}

static bool has_broken(const tr_rehearsal *rehearsal) {
    return rehearsal->rig && tr_world_pins(rehearsal->world, NULL, 0) != rehearsal->rig->pin_count;
}

/* Puts the rig in its place at spawn. A rig whose pins broke is spawned again. */
static tr_status place_rig(tr_rehearsal *r, const tr_state *state) {
    tr_rig_place place = tr_rig_place_under(state);
    if (!has_broken(r))
        return tr_rig_put(r->rig, &r->pieces, r->world, r->character, &place);
    tr_rig_despawn(&r->pieces, r->world);
    r->pieces = (tr_rig_pieces){0};
    return tr_rig_spawn(r->rig, r->world, r->character, &place, &r->pieces);
}

tr_status tr_rehearsal_place(tr_rehearsal *rehearsal, const tr_state *state) {
    tr_status status = end_pushes(rehearsal->world);
    if (!status)
        status = tr_world_set_state(rehearsal->world, rehearsal->character, state);
    tr_world_rewind(rehearsal->world);
    rehearsal->start = *state;
    return status ? status : place_rig(rehearsal, state);
}

tr_status tr_rehearsal_step_to(tr_rehearsal *rehearsal, const tr_quat *target, tr_state *out) {
    tr_status status = tr_world_set_targets(rehearsal->world, rehearsal->character, target);
    if (!status)
        status = tr_world_step(rehearsal->world);
    return status ? status : tr_world_get_state(rehearsal->world, rehearsal->character, out);
}

tr_status tr_rehearsal_look(const tr_rehearsal *rehearsal, tr_rehearsal_moment *out) {
    const tr_quat *target = tr_world_targets(rehearsal->world, rehearsal->character);
    tr_status status = tr_rig_look(&rehearsal->pieces, rehearsal->world, out->object);
    if (!status)
        status = tr_world_get_state(rehearsal->world, rehearsal->character, &out->state);
    if (!status)
        memcpy(out->target, target, sizeof out->target);
    return status;
}

tr_status tr_rehearsal_return(tr_rehearsal *rehearsal, const tr_rehearsal_moment *moment) {
    const tr_rig_pieces *pieces = &rehearsal->pieces;
    tr_status status = end_pushes(rehearsal->world);
    /* Placing spawns the rig with all its pins; then its objects are put where they were. */
    if (!status && has_broken(rehearsal)) {
        const tr_state start = rehearsal->start;
        status = tr_rehearsal_place(rehearsal, &start);
    }
    if (!status)
        status = tr_world_set_state(rehearsal->world, rehearsal->character, &moment->state);
    if (!status)
        status = tr_world_set_targets(rehearsal->world, rehearsal->character, moment->target);
    for (int i = 0; !status && i < pieces->count; i++)
        status = tr_world_set_object(rehearsal->world, pieces->object[i], &moment->object[i]);
    return status;
}

tr_features tr_rehearsal_features(const tr_rehearsal *rehearsal) {
    const tr_sight sight = {.world = rehearsal->world,
                            .character = rehearsal->character,
                            .model = rehearsal->model,
                            .state = tr_world_state(rehearsal->world, rehearsal->character),
                            .ground =
                                tr_world_local_ground(rehearsal->world, rehearsal->character)};
    return tr_features_above_ground(&sight);
}

tr_status tr_rehearsal_shove(tr_rehearsal *rehearsal, const tr_rehearsal_push *push) {
    tr_push force = {.entity = rehearsal->character,
                     .body = rehearsal->model->trunk,
                     .force = {push->force_n * tr_cos(push->direction_rad),
                               push->force_n * tr_sin(push->direction_rad), 0},
                     .steps = push->steps};
    return tr_world_push(rehearsal->world, &force);
}

/* A part in progress. */
typedef struct performance {
    const tr_rehearsal_part *part;
    tr_quat turn[TR_BODY_MAX]; /* of the action */
} performance;

static performance begin_part(const tr_rehearsal *rehearsal, const tr_rehearsal_part *part) {
    performance out = {.part = part};
    if (part->action)
        tr_action_turns(rehearsal->model, part->map, part->action, out.turn);
    return out;
}

static tr_status aim(const performance *p, tr_rehearsal *rehearsal, int step) {
    tr_quat target[TR_BODY_MAX];
    tr_fragment_targets(rehearsal->model, p->part->map, p->part->fragment, step, NULL, target);
    if (p->part->action)
        tr_action_turn_targets(p->part->map, p->turn, target);
    return tr_world_set_targets(rehearsal->world, rehearsal->character, target);
}

/* Steps the world of each that is still in progress. False: all have ended. */
static bool step_together(const tr_rehearsal_group *group, const performance *p, int count,
                          int step, tr_status *status) {
    bool moves[TR_QUARTET_MAX] = {false};
    for (int k = 0; k < count; k++) {
        moves[k] = !status[k] && step < p[k].part->fragment->steps;
        if (moves[k])
            status[k] = aim(&p[k], group->rehearsal[k], step);
        moves[k] = moves[k] && !status[k];
    }
    return tr_rehearsal_group_step(group, moves, count, status);
}

void tr_rehearsal_perform_together(const tr_rehearsal_group *group, const tr_rehearsal_part *part,
                                   int count, tr_status *status) {
    performance p[TR_QUARTET_MAX];
    int step = 0;
    for (int k = 0; k < count; k++)
        if (!status[k])
            p[k] = begin_part(group->rehearsal[k], &part[k]);
    while (step_together(group, p, count, step, status))
        step++;
}

tr_status tr_rehearsal_perform(tr_rehearsal *rehearsal, const tr_rehearsal_part *part) {
    const tr_rehearsal_group alone = {.rehearsal = {rehearsal}, .count = 1};
    tr_status status = TR_OK;
    tr_rehearsal_perform_together(&alone, part, 1, &status);
    return status;
}
