/* The stepper of articulated bodies: one step of a world.
 *
 *     servos and pushes -> predict every mover -> islands of what touches
 *     -> per island: blocks, couple, relax, respond
 *     -> per island in which a servo saturates: predict and all that follows again
 *     -> advance every mover
 *
 * Three or four free characters of one model predict, respond and advance side by side
 * (lane_group.h); the rest is made one by one.
 *
 * A mover that touches no other is an island. Each island is solved without regard to the others,
 * so a character alone behaves to the bit as if it were the only one in the world. */
#include "physics/bodies/articulated.h"
#include "physics/bodies/articulated_lanes.h"
#include "physics/bodies/lane_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOVER_MAX = TR_CHARACTER_MAX + TR_OBJECT_MAX,
    GROUP_MAX = TR_CHARACTER_MAX / TR_LANE_GROUP_LEAST
};
static const double LIMIT_GUARD_RAD = 0.25;

/* Islands of up to FULL_SWEEPS_BLOCKS blocks have all the sweeps of the world; larger ones have
 * fewer in proportion, down to SWEEPS_LEAST. */
enum { FULL_SWEEPS_BLOCKS = 16, SWEEPS_LEAST = 10 };
static const double THINGS_TOLERANCE = 0.0017; /* of that of islands with characters */

typedef struct stepper {
    const tr_kernel *kernel;
    tr_block_list blocks;
    tr_mover *mover[MOVER_MAX];
    tr_lane_group group[GROUP_MAX];
    int group_count, workspace_count;
    int root[MOVER_MAX]; /* union-find; the root of an island is its first mover */
    int first_member[MOVER_MAX], next_member[MOVER_MAX]; /* of the island, in order; -1: no more */
    int first_contact[MOVER_MAX];                        /* of the island, -1: none */
    int next_contact[TR_CONTACT_MAX];
    const tr_block *tie[TR_PIN_MAX]; /* of the pins of the present island; NULL: elsewhere */
} stepper;

/* --- movers --- */

static void *allocate(size_t size) {
    return aligned_alloc(64, (size + 63) & ~(size_t)63);
}

static void destroy_mover(tr_mover *mover) {
    if (!mover)
        return;
    free(mover->tree.along);
    free(mover->tree.response);
    free(mover);
}

/* The matrices are not cleared, which would be most of the cost of a restore: every one is written
 * before it is read (couple in tree.c). */
static tr_mover *create_mover(int count) {
    tr_mover *mover = allocate(sizeof *mover);
    if (!mover)
        return NULL;
    memset(mover, 0, sizeof *mover);
    size_t bodies = (size_t)count, stride = (size_t)tr_tree_stride(count);
    mover->tree.count = count;
    mover->tree.along = allocate(bodies * bodies * sizeof *mover->tree.along);
    mover->tree.response = allocate(bodies * 6 * stride * sizeof *mover->tree.response);
    if (!mover->tree.along || !mover->tree.response) {
        destroy_mover(mover);
        return NULL;
    }
    return mover;
}

/* Makes room for the blocks of one more mover: contacts with its surroundings, limits and pins.
 * Grows by half, so that adding many costs little; every field of a block is written before it is
 * read. */
static tr_status reserve_blocks(tr_world *world) {
    stepper *self = world->stepper_data;
    int wanted = (64 + TR_BODY_MAX) * (world->character_count + 1) +
                 32 * (world->object_count + 1) + 4 * TR_PIN_MAX;
    if (wanted <= self->blocks.capacity)
        return TR_OK;
    wanted += wanted / 2;
    tr_block *grown = allocate((size_t)wanted * sizeof *grown);
    if (!grown)
        return TR_RESOURCE_EXHAUSTED;
    free(self->blocks.block);
    self->blocks = (tr_block_list){grown, 0, wanted};
    return TR_OK;
}

/* A workspace for every group that one more character may make. */
static tr_status reserve_groups(tr_world *world) {
    stepper *self = world->stepper_data;
    while (self->workspace_count < (world->character_count + 1) / TR_LANE_GROUP_LEAST) {
        tr_tree_lanes *lanes = tr_lane_group_workspace();
        if (!lanes)
            return TR_RESOURCE_EXHAUSTED;
        self->group[self->workspace_count++].lanes = lanes;
    }
    return TR_OK;
}

static void set_link(tr_tree_link *link, const tr_model *model, int i) {
    const tr_body *body = &model->body[i];
    link->parent = body->parent;
    link->dof = i == 0 ? 6 : tr_body_has_axis(body) ? 1 : 3;
    link->slides = body->joint == TR_JOINT_SLIDE;
    link->mass = body->mass;
    link->inertia = tr_m3_from(&body->inertia);
    link->axis = tr_v4_from(body->axis);
    if (i == 0) {
        link->from_child = tr_v4_from(tr_vec3_negate(body->com));
        return;
    }
    link->bounded = body->torque_by_axis || isfinite(body->torque_limit);
    for (int k = 0; k < 3; k++)
        for (int positive = 0; positive < 2; positive++)
            link->bound[positive][k] = tr_body_torque_bound(body, k, positive);
    tr_mat3 rest = tr_quat_to_mat3(body->rot);
    link->rest = tr_m3_from(&rest);
    link->turned = tr_quat_angle(body->rot, tr_quat_identity()) > 0;
    tr_vec3 centre = tr_vec3_add(body->pos, tr_quat_rotate(body->rot, body->anchor));
    link->from_parent = tr_v4_from(tr_vec3_sub(centre, model->body[body->parent].com));
    link->from_child = tr_v4_from(tr_vec3_sub(body->anchor, body->com));
}

static void set_outward(tr_tree *tree) {
    int depth[TR_BODY_MAX] = {0}, found = 0;
    for (int i = 1; i < tree->count; i++)
        depth[i] = depth[tree->link[i].parent] + 1;
    for (tree->level_count = 0; found < tree->count; tree->level_count++)
        for (int i = 0; i < tree->count; i++) {
            if (depth[i] == tree->level_count)
                tree->outward[found++] = i;
            tree->level[tree->level_count + 1] = found;
        }
}

static tr_limit_guard limit_guard(const tr_body *body) {
    if (tr_body_has_axis(body))
        return (tr_limit_guard){tr_sin(0.5 * fmax(body->range[0] + LIMIT_GUARD_RAD, -TR_PI)),
                                tr_sin(0.5 * fmin(body->range[1] - LIMIT_GUARD_RAD, TR_PI))};
    return (tr_limit_guard){0, tr_cos(0.5 * fmax(body->range[1] - LIMIT_GUARD_RAD, 0))};
}

static tr_status attach_character(tr_world *world, tr_character *character) {
    stepper *self = world->stepper_data;
    const tr_model *model = character->model;
    tr_status status = reserve_blocks(world);
    if (!status)
        status = reserve_groups(world);
    tr_mover *mover = !status ? create_mover(model->body_count) : NULL;
    if (!mover)
        return TR_RESOURCE_EXHAUSTED;
    mover->character = character;
    mover->tree.frame = character->frame;
    mover->tree.state = &character->state;
    for (int i = 0; i < model->body_count; i++) {
        set_link(&mover->tree.link[i], model, i);
        mover->guard[i] = limit_guard(&model->body[i]);
        mover->torque_limited = mover->torque_limited || mover->tree.link[i].bounded;
    }
    set_outward(&mover->tree);
    character->stepper_data = mover;
    self->kernel->tree->place(&mover->tree);
    return TR_OK;
}

static void detach_character(tr_world *world, tr_character *character) {
    (void)world;
    destroy_mover(character->stepper_data);
    character->stepper_data = NULL;
}

static void character_moved(tr_world *world, tr_character *character) {
    stepper *self = world->stepper_data;
    tr_mover *mover = character->stepper_data;
    self->kernel->tree->place(&mover->tree);
}

static void object_moved(tr_world *world, tr_object *object) {
    stepper *self = world->stepper_data;
    tr_mover *mover = object->stepper_data;
    mover->free_state.pose.root_pos = object->state.pos;
    mover->free_state.pose.root_rot = object->state.rot;
    mover->free_state.root_vel = object->state.vel;
    mover->free_state.root_omega = object->state.omega;
    self->kernel->tree->place(&mover->tree);
}

static tr_status attach_object(tr_world *world, tr_object *object) {
    tr_status status = reserve_blocks(world);
    tr_mover *mover = !status ? create_mover(1) : NULL;
    if (!mover)
        return TR_RESOURCE_EXHAUSTED;
    mover->object = object;
    mover->tree.frame = &object->frame;
    mover->tree.state = &mover->free_state;
    mover->tree.link[0] = (tr_tree_link){
        .parent = -1, .dof = 6, .mass = object->mass, .inertia = tr_m3_from(&object->inertia)};
    mover->tree.linear_damping = object->def.linear_damping;
    mover->tree.angular_damping = object->def.angular_damping;
    object->stepper_data = mover;
    object_moved(world, object);
    return TR_OK;
}

static void detach_object(tr_world *world, tr_object *object) {
    (void)world;
    destroy_mover(object->stepper_data);
    object->stepper_data = NULL;
}

/* --- servos --- */

static void set_servos(const stepper *self, tr_mover *mover, double h) {
    const tr_character *c = mover->character;
    bool active = c->servo != TR_SERVO_RAGDOLL;
    tr_servo_order order = {.target = active ? c->target : NULL,
                            .kp = c->kp,
                            .kd = c->kd,
                            .feedforward =
                                active && c->feedforward_steps > 0 ? c->feedforward : NULL};
    mover->bounded = active && mover->torque_limited;
    self->kernel->servo->aim(&mover->tree, &order, h);
}

static void report_torques(const stepper *self, tr_mover *mover) {
    tr_character *c = mover->character;
    if (c->servo == TR_SERVO_RAGDOLL)
        memset(c->torque, 0, (size_t)mover->tree.count * sizeof c->torque[0]);
    else
        self->kernel->servo->report(&mover->tree, c->torque);
}

/* --- islands --- */

static int find_root(stepper *self, int m) {
    while (self->root[m] != m)
        m = self->root[m] = self->root[self->root[m]];
    return m;
}

static void unite(stepper *self, int a, int b) {
    a = find_root(self, a);
    b = find_root(self, b);
    self->root[a > b ? a : b] = a < b ? a : b;
}

/* Whether mover m moves freely: it answers to impulses and belongs to an island. */
static bool is_free(const stepper *self, int m) {
    return m >= 0 && !self->mover[m]->kinematic;
}

/* The free one of two movers, the first when both are; -1: none. */
static int free_one(const stepper *self, const int m[2]) {
    return is_free(self, m[0]) ? m[0] : is_free(self, m[1]) ? m[1] : -1;
}

static bool contact_acts(const stepper *self, const tr_contact_link *link) {
    return !self->mover[link->mover[0]]->failed &&
           (link->mover[1] < 0 || !self->mover[link->mover[1]]->failed) &&
           free_one(self, link->mover) >= 0;
}

/* False: the pin does not act. */
static bool pin_movers(const tr_world *world, const stepper *self, const tr_pin *pin, int out[2]) {
    for (int s = 0; s < 2; s++) {
        out[s] = tr_scene_mover(world, pin->def.entity[s]);
        if (out[s] < TR_STATIC_MOVER || (out[s] >= 0 && self->mover[out[s]]->failed))
            return false;
    }
    return free_one(self, out) >= 0;
}

static void find_islands(stepper *self, const tr_world *world, int movers) {
    for (int m = 0; m < movers; m++) {
        self->root[m] = m;
        self->first_member[m] = self->first_contact[m] = -1;
    }
    for (int i = 0; i < world->contact_count; i++) {
        const int *m = world->link[i].mover;
        if (is_free(self, m[0]) && is_free(self, m[1]) && contact_acts(self, &world->link[i]))
            unite(self, m[0], m[1]);
    }
    for (int i = 0; i < world->pin_count; i++) {
        int m[2];
        if (pin_movers(world, self, world->pin[i], m) && is_free(self, m[0]) && is_free(self, m[1]))
            unite(self, m[0], m[1]);
    }
    for (int m = movers - 1; m >= 0; m--) {
        int root = find_root(self, m);
        self->next_member[m] = self->first_member[root];
        if (is_free(self, m))
            self->first_member[root] = m;
    }
    for (int i = world->contact_count - 1; i >= 0; i--) {
        if (!contact_acts(self, &world->link[i]))
            continue;
        int root = find_root(self, free_one(self, world->link[i].mover));
        self->next_contact[i] = self->first_contact[root];
        self->first_contact[root] = i;
    }
}

/* Is one of the two kinematic? */
static bool is_moved(tr_mover *const movers[2]) {
    return movers[0]->kinematic || (movers[1] && movers[1]->kinematic);
}

/* Blocks of an island. Limits come last: a sweep leaves most exact what it visits last, and a joint
 * beyond its limit is worse than a contact a little deeper. */
static void build_blocks(stepper *self, tr_world *world, const int *member, int count) {
    tr_block_params params = {world->def.step_s, world->def.contact_erp, world->def.contact_max_vel,
                              world->def.contact_cfm / world->def.step_s};
    tr_block_list *list = &self->blocks;
    list->count = 0;
    for (int k = 0; k < count; k++) {
        tr_tree *tree = &self->mover[member[k]]->tree;
        tree->alone = count == 1;
        for (int i = 0; i < tree->count; i++)
            tree->slot[i] = -1;
    }
    int root = member[0];
    tr_tree *first = &self->mover[root]->tree;
    for (int i = self->first_contact[root]; i >= 0; i = self->next_contact[i]) {
        const int *m = world->link[i].mover;
        tr_mover *movers[2] = {self->mover[m[0]], m[1] >= 0 ? self->mover[m[1]] : NULL};
        first->alone = first->alone && !is_moved(movers);
        tr_block_add_contact(list, world, i, movers, &params);
    }
    tr_block_add_turning(list, world, self->mover);
    for (int i = 0; i < world->pin_count; i++) {
        int m[2];
        self->tie[i] = NULL;
        if (!pin_movers(world, self, world->pin[i], m) ||
            find_root(self, free_one(self, m)) != root)
            continue;
        tr_mover *movers[2] = {self->mover[m[0]], m[1] >= 0 ? self->mover[m[1]] : NULL};
        first->alone = first->alone && !is_moved(movers);
        self->tie[i] = tr_block_add_pin(list, world, world->pin[i], movers, &params);
    }
    for (int k = 0; k < count; k++)
        tr_block_add_limits(list, self->mover[member[k]], &params);
}

/* The force at a pin's points. */
static double tie_force(const tr_block *tie, double h) {
    tr_v4 sum = tr_v4_zero();
    for (int i = 0; i < tie->row_count; i++)
        sum += tie->row[0][i].lin * tr_block_impulse(tie, i);
    return sqrt(tr_v4_dot(sum, sum)) / h;
}

/* Impulses of the solution into the world's report. */
static void report_impulses(const stepper *self, tr_world *world) {
    for (int i = 0; i < world->pin_count; i++)
        if (self->tie[i])
            world->pin[i]->force_n = tie_force(self->tie[i], world->def.step_s);
    for (int b = 0; b < self->blocks.count; b++) {
        const tr_block *block = &self->blocks.block[b];
        if (block->kind != TR_BLOCK_CONTACT)
            continue;
        for (int k = 0; 3 * k < block->row_count; k++) {
            tr_v4 sum = tr_v4_zero();
            for (int d = 0; d < 3; d++)
                sum += block->row[0][3 * k + d].lin * tr_block_impulse(block, 3 * k + d);
            int c = block->contact_index[k];
            bool swapped = !is_free(self, world->link[c].mover[0]);
            world->contact[c].impulse = tr_v4_to(swapped ? -sum : sum);
        }
    }
}

/* Solves the blocks of the island. Objects at rest must not creep, so islands without a character
 * are solved more exactly; a large island has fewer sweeps, which bounds its cost. */
static void relax(stepper *self, tr_world *world, const int *member, int count) {
    tr_tree *tree[MOVER_MAX];
    bool things = true;
    for (int k = 0; k < count; k++) {
        tree[k] = &self->mover[member[k]]->tree;
        things = things && !self->mover[member[k]]->character;
    }
    int most = world->def.solver_iterations, large = most * FULL_SWEEPS_BLOCKS / self->blocks.count;
    int least = most < SWEEPS_LEAST ? most : SWEEPS_LEAST;
    tr_solve_params params = {.tree = tree,
                              .tree_count = count,
                              .sweeps = large > most    ? most
                                        : large < least ? least
                                                        : large,
                              .tolerance =
                                  world->def.solver_tolerance * (things ? THINGS_TOLERANCE : 1)};
    tr_solve_result result = self->kernel->relax(self->blocks.block, self->blocks.count, &params);
    tr_solver_report *report = &world->solver;
    report->sweeps = result.sweeps > report->sweeps ? result.sweeps : report->sweeps;
    report->converged = report->converged && result.converged;
}

static void solve_rows(stepper *self, tr_world *world, const int *member, int count) {
    const tr_tree_kernel *tree = self->kernel->tree;
    double h = world->def.step_s;
    build_blocks(self, world, member, count);
    if (self->blocks.count == 0)
        return;
    for (int k = 0; k < count; k++) {
        tr_mover *mover = self->mover[member[k]];
        if (mover->tree.lanes)
            tr_lane_group_share(mover->group, self->kernel, 1u << mover->tree.lane);
        tree->couple(&mover->tree, h);
    }
    relax(self, world, member, count);
    for (int k = 0; k < count; k++) {
        tr_mover *mover = self->mover[member[k]];
        if (!mover->tree.lanes && mover->tree.touched_count > 0 && !tree->respond(&mover->tree, h))
            mover->failed = true;
    }
}

/* Adapts the saturated axes of an island's servos; true: it must be solved again. In the lanes no torque
 * exceeds its bound. */
static bool saturate(stepper *self, const int *member, int count, double h, int pass) {
    bool changed = false;
    for (int k = 0; k < count; k++) {
        tr_mover *mover = self->mover[member[k]];
        if (mover->bounded && !mover->failed && !mover->tree.lanes)
            changed |= self->kernel->servo->saturate(&mover->tree, h, pass);
    }
    return changed;
}

/* Solves an island again, each mover by itself, until no torque exceeds its bound. */
static void settle(stepper *self, tr_world *world, const int *member, int count,
                   const tr_step_params *params) {
    for (int pass = 0; pass <= TR_SERVO_PASSES; pass++) {
        if (!saturate(self, member, count, params->h, pass))
            break;
        for (int k = 0; k < count; k++) {
            tr_mover *mover = self->mover[member[k]];
            if (mover->tree.lanes)
                tr_lane_group_lend(self->kernel, mover);
            if (!self->kernel->tree->predict(&mover->tree, params))
                mover->failed = true;
        }
        solve_rows(self, world, member, count);
        report_impulses(self, world);
    }
    for (int k = 0; k < count; k++) {
        tr_mover *mover = self->mover[member[k]];
        if (mover->group && !mover->tree.lanes)
            tr_lane_group_take_back(mover);
    }
}

/* The members of the island of `root`; 0: it is the root of none. A mover that failed in predict is
 * alone. */
static int members_of(const stepper *self, int root, int *out) {
    int count = 0;
    for (int m = self->first_member[root]; m >= 0; m = self->next_member[m])
        out[count++] = m;
    return count;
}

/* From the predicted movers to their velocities at the end of the step. */
static void solve_islands(stepper *self, tr_world *world, int movers,
                          const tr_step_params *params) {
    int member[MOVER_MAX];
    for (int root = 0; root < movers; root++) {
        int count = self->mover[root]->failed ? 0 : members_of(self, root, member);
        if (count == 0)
            continue;
        solve_rows(self, world, member, count);
        report_impulses(self, world);
    }
    for (int g = 0; g < self->group_count; g++)
        tr_lane_group_respond(&self->group[g], self->kernel, params);
    for (int root = 0; root < movers; root++)
        settle(self, world, member, members_of(self, root, member), params);
}

/* --- step --- */

static void gather(stepper *self, tr_world *world) {
    for (int m = 0; m < world->character_count; m++) {
        tr_mover *mover = world->character[m]->stepper_data;
        mover->failed = world->character[m]->faulted;
        mover->kinematic = world->character[m]->kinematic;
        mover->tree.push_count = 0;
        self->mover[m] = mover;
    }
    for (int m = 0; m < world->object_count; m++) {
        tr_mover *mover = world->object[m]->stepper_data;
        mover->failed = world->object[m]->faulted;
        mover->kinematic = world->object[m]->kinematic;
        mover->tree.push_count = 0;
        self->mover[world->character_count + m] = mover;
    }
    for (int i = 0; i < world->push_count; i++) {
        int m = tr_scene_mover(world, world->push[i].entity);
        if (m < 0)
            continue;
        tr_tree *tree = &self->mover[m]->tree;
        tree->entity = world->push[i].entity;
        tree->push = world->push;
        tree->push_count = world->push_count;
    }
}

/* Stops a mover whose motion is no longer finite where it was. */
static void freeze(tr_mover *mover) {
    tr_state *state = mover->tree.state;
    state->root_vel = state->root_omega = (tr_vec3){0, 0, 0};
    memset(state->joint_rate, 0, sizeof state->joint_rate);
    if (mover->character) {
        mover->character->faulted = true;
        memset(mover->character->torque, 0, sizeof mover->character->torque);
    } else {
        mover->object->faulted = true;
    }
}

/* After it has advanced, or failed. */
static void finish(stepper *self, tr_mover *mover) {
    if (mover->failed)
        freeze(mover);
    if (mover->object) {
        const tr_state *state = &mover->free_state;
        mover->object->state = (tr_object_state){state->pose.root_pos, state->pose.root_rot,
                                                 state->root_vel, state->root_omega};
    } else if (!mover->failed) {
        report_torques(self, mover);
    }
}

tr_step_params tr_articulated_params(const tr_world *world) {
    return (tr_step_params){world->def.step_s, tr_v4_from(world->def.gravity)};
}

void tr_articulated_begin(tr_world *world) {
    stepper *self = world->stepper_data;
    self->blocks.count = 0;
    gather(self, world);
    for (int m = 0; m < world->character_count; m++)
        if (!self->mover[m]->failed && !self->mover[m]->kinematic)
            set_servos(self, self->mover[m], world->def.step_s);
}

/* Those from character m on that may go with it, at most a group. */
static int companions(const stepper *self, int m, int characters, tr_mover **out) {
    int count = 0;
    for (int other = m; other < characters && count < TR_TREE_LANES; other++) {
        tr_mover *mover = self->mover[other];
        if (!mover->group && !mover->failed && !mover->kinematic &&
            mover->character->model == self->mover[m]->character->model)
            out[count++] = mover;
    }
    return count;
}

/* The characters that move side by side. */
static void form_groups(stepper *self, int characters) {
    self->group_count = 0;
    for (int m = 0; m < characters; m++)
        self->mover[m]->group = NULL;
    for (int m = 0; m < characters; m++) {
        tr_mover *mover[TR_TREE_LANES];
        int count = self->mover[m]->group ? 0 : companions(self, m, characters, mover);
        if (count < TR_LANE_GROUP_LEAST)
            continue;
        tr_lane_group *group = &self->group[self->group_count++];
        group->count = 0;
        for (int k = 0; k < count; k++)
            tr_lane_group_join(group, mover[k]);
    }
}

static void predict(stepper *self, int movers, const tr_step_params *params) {
    const tr_tree_kernel *kernel = self->kernel->tree;
    for (int g = 0; g < self->group_count; g++)
        tr_lane_group_predict(&self->group[g], self->kernel, params);
    for (int m = 0; m < movers; m++) {
        tr_mover *mover = self->mover[m];
        if (mover->group)
            continue;
        if (mover->tree.lanes)
            kernel->place(&mover->tree);
        if (!mover->failed && !mover->kinematic)
            mover->failed = !kernel->predict(&mover->tree, params);
    }
}

static void advance(stepper *self, int movers, const tr_step_params *params) {
    for (int g = 0; g < self->group_count; g++)
        tr_lane_group_advance(&self->group[g], self->kernel, params);
    for (int m = 0; m < movers; m++) {
        tr_mover *mover = self->mover[m];
        if (mover->kinematic)
            continue;
        if (!mover->group && !mover->failed)
            self->kernel->tree->advance(&mover->tree, params->h);
        finish(self, mover);
    }
}

static void step(tr_world *world) {
    stepper *self = world->stepper_data;
    int movers = world->character_count + world->object_count;
    tr_step_params params = tr_articulated_params(world);
    tr_articulated_begin(world);
    form_groups(self, world->character_count);
    predict(self, movers, &params);
    find_islands(self, world, movers);
    solve_islands(self, world, movers, &params);
    advance(self, movers, &params);
}

/* A block of the island that was solved last, and a mover, in turns. */
static void check(tr_world *world) {
    const stepper *self = world->stepper_data;
    uint32_t movers = (uint32_t)(world->character_count + world->object_count);
    uint32_t blocks = (uint32_t)self->blocks.count, turn = (uint32_t)world->tick;
    TR_MUST_BE(&world->invariant, self->blocks.count, <=, self->blocks.capacity);
    TR_MUST_BE(&world->invariant, self->group_count, <=, self->workspace_count);
    if (blocks > 0)
        tr_block_must_hold(&self->blocks.block[turn % blocks], &world->invariant);
    if (movers == 0)
        return;
    int m = (int)(turn % movers), object = m - world->character_count;
    const tr_mover *mover = self->mover[m];
    TR_MUST_BE(&world->invariant, self->root[m], <=, m);
    TR_MUST_BE(&world->invariant, mover->tree.touched_count, <=, mover->tree.count);
    TR_MUST(&world->invariant, object < 0 ? mover->tree.state == &world->character[m]->state
                                          : mover->object == world->object[object]);
}

/* --- the parts of a step of one character --- */

bool tr_articulated_lay_rows(tr_world *world) {
    stepper *self = world->stepper_data;
    find_islands(self, world, 1);
    build_blocks(self, world, (const int[]){0}, 1);
    return self->blocks.count > 0;
}

void tr_articulated_solve(tr_world *world) {
    stepper *self = world->stepper_data;
    self->kernel->tree->couple(&self->mover[0]->tree, world->def.step_s);
    relax(self, world, (const int[]){0}, 1);
}

void tr_articulated_settle(tr_world *world) {
    stepper *self = world->stepper_data;
    tr_step_params params = tr_articulated_params(world);
    settle(self, world, (const int[]){0}, 1, &params);
}

void tr_articulated_end(tr_world *world, bool solved) {
    stepper *self = world->stepper_data;
    if (solved)
        report_impulses(self, world);
    finish(self, self->mover[0]);
}

static tr_status create(tr_world *world) {
    stepper *self = calloc(1, sizeof *self);
    if (!self)
        return TR_RESOURCE_EXHAUSTED;
    self->kernel = world->kernel;
    world->stepper_data = self;
    return TR_OK;
}

static void destroy(tr_world *world) {
    stepper *self = world->stepper_data;
    if (!self)
        return;
    for (int g = 0; g < self->workspace_count; g++)
        free(self->group[g].lanes);
    free(self->blocks.block);
    free(self);
    world->stepper_data = NULL;
}

const tr_stepper tr_stepper_articulated = {.name = "articulated",
                                           .create = create,
                                           .destroy = destroy,
                                           .attach_character = attach_character,
                                           .detach_character = detach_character,
                                           .character_moved = character_moved,
                                           .attach_object = attach_object,
                                           .detach_object = detach_object,
                                           .object_moved = object_moved,
                                           .step = step,
                                           .check = check,
                                           .step_together = tr_articulated_lanes_step};
