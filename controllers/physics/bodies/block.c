/* Constraint rows from contacts and joint limits: J and bias of each (solver.c has the equation). */
#include "physics/bodies/block.h"
#include "physics/spatial/rotation.h"

#include <math.h>

/* A limit row exists when the joint would come this close to its limit within the step, rad or m. */
static const double LIMIT_MARGIN = 0.02;

/* --- blocks --- */

tr_sides tr_sides_of(tr_mover *const movers[2], const int body[2]) {
    if (movers[0]->kinematic)
        return (tr_sides){{movers[1], NULL}, {body[1], -1}, true, movers[0], body[0]};
    if (movers[1] && movers[1]->kinematic)
        return (tr_sides){{movers[0], NULL}, {body[0], -1}, false, movers[1], body[1]};
    return (tr_sides){{movers[0], movers[1]}, {body[0], body[1]}, false, NULL, -1};
}

static const tr_sweep *sweep_of(const tr_sides *sides) {
    const tr_mover *mover = sides->surface;
    return mover->character ? &mover->character->sweep[sides->surface_body] : &mover->object->sweep;
}

/* Velocity at `pos` of the surface; zero without a surface. World. */
static tr_v4 surface_velocity(const tr_sides *sides, tr_v4 pos) {
    if (!sides->surface)
        return tr_v4_zero();
    const tr_sweep *sweep = sweep_of(sides);
    tr_v4 lever = pos - sides->surface->tree.frame[sides->surface_body].com;
    return tr_v4_from(sweep->vel) + tr_v4_cross(tr_v4_from(sweep->omega), lever);
}

tr_block *tr_block_append(tr_block_list *list, tr_block_kind kind, const tr_sides *sides) {
    if (list->count == list->capacity)
        return NULL;
    tr_block *block = &list->block[list->count++];
    block->kind = kind;
    block->row_count = 0;
    for (int s = 0; s < 2; s++) {
        tr_mover *mover = sides->mover[s];
        block->tree[s] = mover ? &mover->tree : NULL;
        block->body[s] = mover ? sides->body[s] : -1;
        if (mover)
            mover->tree.slot[sides->body[s]] = 0;
    }
    return block;
}

/* The bias with what the surface adds: the row's velocity is the first's over the second's. */
static void set_aim(tr_block *block, const tr_sides *sides, double surface, tr_row_aim aim) {
    int i = block->row_count++;
    block->bias[i] = aim.bias + (sides->swapped ? surface : -surface);
    block->cfm[i] = aim.cfm;
}

/* By threes of numbers: this file is built for processors without vectors of four. */
static inline void add_push(tr_block *block, const tr_sides *sides, tr_vec3 pos, tr_vec3 dir,
                            tr_row_aim aim) {
    int i = block->row_count;
    double surface = 0;
    if (sides->surface)
        surface = tr_vec3_dot(dir, tr_v4_to(surface_velocity(sides, tr_v4_from(pos))));
    set_aim(block, sides, surface, aim);
    for (int s = 0; s < 2 && block->tree[s]; s++) {
        tr_vec3 lever = tr_vec3_sub(pos, tr_v4_to(block->tree[s]->origin));
        tr_vec3 signed_dir = (s == 1) != sides->swapped ? tr_vec3_negate(dir) : dir;
        block->row[s][i].ang = tr_v4_from(tr_vec3_cross(lever, signed_dir));
        block->row[s][i].lin = tr_v4_from(signed_dir);
    }
}

void tr_block_add_push(tr_block *block, const tr_sides *sides, tr_v4 pos, tr_v4 dir,
                       tr_row_aim aim) {
    add_push(block, sides, tr_v4_to(pos), tr_v4_to(dir), aim);
}

void tr_block_add_turn(tr_block *block, const tr_sides *sides, tr_v4 axis, tr_row_aim aim) {
    int i = block->row_count;
    tr_v4 rate = sides->surface ? tr_v4_from(sweep_of(sides)->omega) : tr_v4_zero();
    set_aim(block, sides, tr_v4_dot(axis, rate), aim);
    for (int s = 0; s < 2 && block->tree[s]; s++)
        block->row[s][i] = (tr_spatial){(s == 1) != sides->swapped ? -axis : axis, tr_v4_zero()};
}

/* --- joint limits --- */

/* `gap` is left to the limit. */
static inline tr_row_aim limit_aim(double gap, const tr_block_params *params) {
    double bias = gap > 0 ? gap / params->h : fmax(params->erp * gap / params->h, -params->max_vel);
    return (tr_row_aim){bias, params->cfm};
}

/* Row for the angle about `axis` (world) between child and parent, which has `gap` rad left to the
 * limit; a negative rate about the axis closes it. */
static void add_limit(tr_block_list *list, tr_mover *mover, int i, tr_v4 axis, double gap,
                      const tr_block_params *params) {
    tr_sides sides = {{mover, mover}, {i, mover->tree.link[i].parent}, false, NULL, -1};
    tr_block *block = tr_block_append(list, TR_BLOCK_LIMIT, &sides);
    if (!block)
        return;
    tr_block_add_turn(block, &sides, axis, limit_aim(gap, params));
}

/* Relative rate along a world axis at the end of the step without constraints. */
static double predicted_rate(const tr_tree *tree, int i, tr_v4 axis, double h) {
    int p = tree->link[i].parent;
    tr_v4 rate = tree->velocity[i].ang - tree->velocity[p].ang +
                 (tree->accel[i].ang - tree->accel[p].ang) * h;
    return tr_v4_dot(axis, rate);
}

static void try_limit(tr_block_list *list, tr_mover *mover, int i, tr_v4 axis, double gap,
                      const tr_block_params *params) {
    double rate = predicted_rate(&mover->tree, i, axis, params->h);
    if (gap + params->h * rate < LIMIT_MARGIN)
        add_limit(list, mover, i, axis, gap, params);
}

static void fetch_joint(const tr_tree *tree, int i) {
    if (tree->lanes)
        tr_tree_lanes_fetch_joint(tree->lanes, tree->lane, i);
}

static void add_hinge_limits(tr_block_list *list, tr_mover *mover, int i,
                             const tr_block_params *params) {
    const tr_body *body = &mover->character->model->body[i];
    tr_quat q = mover->tree.state->pose.joint[i];
    double s = q.x * body->axis.x + q.y * body->axis.y + q.z * body->axis.z;
    if (q.w < 0)
        s = -s;
    if (s > mover->guard[i].low && s < mover->guard[i].high)
        return;
    double angle = tr_rotation_angle(q, body->axis);
    fetch_joint(&mover->tree, i);
    tr_v4 axis = mover->tree.axis_world[i];
    try_limit(list, mover, i, axis, angle - body->range[0], params);
    try_limit(list, mover, i, -axis, body->range[1] - angle, params);
}

static void add_ball_limit(tr_block_list *list, tr_mover *mover, int i,
                           const tr_block_params *params) {
    tr_quat q = mover->tree.state->pose.joint[i];
    if (fabs(q.w) > mover->guard[i].high)
        return;
    tr_vec3 turn = tr_rotation_log(q);
    double angle = tr_vec3_length(turn);
    if (angle < 1e-6)
        return;
    fetch_joint(&mover->tree, i);
    tr_v4 away =
        tr_m3_apply(&mover->tree.joint_axes[i], tr_v4_from(tr_vec3_scale(turn, -1 / angle)));
    try_limit(list, mover, i, away, mover->character->model->body[i].range[1] - angle, params);
}

/* What the step adds to the velocity of body i along an axis because its centre moves (end_velocity in
 * tree.c). */
static double own_motion(const tr_tree *tree, int i, tr_v4 axis, double h) {
    tr_spatial v = tree->velocity[i];
    tr_v4 com_vel = v.lin + tr_v4_cross(v.ang, tree->frame[i].com - tree->origin);
    return h * tr_v4_dot(axis, tr_v4_cross(v.ang, com_vel));
}

/* Row for the way along `axis` (world), as try_limit makes one for an angle. */
static void try_slide_limit(tr_block_list *list, tr_mover *mover, int i, tr_v4 axis, double gap,
                            const tr_block_params *params) {
    const tr_tree *tree = &mover->tree;
    int p = tree->link[i].parent;
    tr_v4 rate = tree->velocity[i].lin - tree->velocity[p].lin +
                 (tree->accel[i].lin - tree->accel[p].lin) * params->h;
    if (gap + params->h * tr_v4_dot(axis, rate) >= LIMIT_MARGIN)
        return;
    tr_sides sides = {{mover, mover}, {i, p}, false, NULL, -1};
    tr_block *block = tr_block_append(list, TR_BLOCK_LIMIT, &sides);
    if (!block)
        return;
    /* Both bodies turn alike, so that the different motions of their centres are none along the slide. */
    tr_row_aim aim = limit_aim(gap, params);
    aim.bias -= own_motion(tree, i, axis, params->h) - own_motion(tree, p, axis, params->h);
    tr_block_add_push(block, &sides, tree->frame[i].com, axis, aim);
}

static void add_slide_limits(tr_block_list *list, tr_mover *mover, int i,
                             const tr_block_params *params) {
    const tr_body *body = &mover->character->model->body[i];
    double way = tr_rotation_angle(mover->tree.state->pose.joint[i], body->axis);
    fetch_joint(&mover->tree, i);
    tr_v4 axis = mover->tree.axis_world[i];
    try_slide_limit(list, mover, i, axis, way - body->range[0], params);
    try_slide_limit(list, mover, i, -axis, body->range[1] - way, params);
}

void tr_block_add_limits(tr_block_list *list, tr_mover *mover, const tr_block_params *params) {
    if (!mover->character)
        return;
    const tr_model *model = mover->character->model;
    for (int i = 1; i < model->body_count; i++) {
        if (!model->body[i].limited)
            continue;
        if (model->body[i].joint == TR_JOINT_HINGE)
            add_hinge_limits(list, mover, i, params);
        else if (model->body[i].joint == TR_JOINT_SLIDE)
            add_slide_limits(list, mover, i, params);
        else
            add_ball_limit(list, mover, i, params);
    }
}

/* --- contacts --- */

/* Two unit vectors across n. Level ground needs no root. */
static void tangents(tr_vec3 n, tr_vec3 *p, tr_vec3 *q) {
    if (fabs(n.z) > 0.70710678118654752440) {
        double a = n.y * n.y + n.z * n.z, k = a == 1 ? 1 : 1 / sqrt(a);
        *p = tr_vec3_make(0, -n.z * k, n.y * k);
        *q = tr_vec3_make(a * k, -n.x * p->z, n.x * p->y);
    } else {
        double a = n.x * n.x + n.y * n.y, k = 1 / sqrt(a);
        *p = tr_vec3_make(-n.y * k, n.x * k, 0);
        *q = tr_vec3_make(-n.z * p->y, n.z * p->x, a * k);
    }
}

static tr_block *contact_block(tr_block_list *list, const tr_sides *sides) {
    if (list->count > 0) {
        tr_block *last = &list->block[list->count - 1];
        tr_tree *second = sides->mover[1] ? &sides->mover[1]->tree : NULL;
        if (last->kind == TR_BLOCK_CONTACT && last->row_count < TR_BLOCK_ROWS &&
            last->tree[0] == &sides->mover[0]->tree && last->tree[1] == second &&
            last->body[0] == sides->body[0] && (!second || last->body[1] == sides->body[1]))
            return last;
    }
    return tr_block_append(list, TR_BLOCK_CONTACT, sides);
}

/* The tangents are held without mixing: with it, what rests on a slope would creep. */
void tr_block_add_contact(tr_block_list *list, const tr_world *world, int contact,
                          tr_mover *const movers[2], const tr_block_params *params) {
    const tr_contact *c = &world->contact[contact];
    tr_sides sides = tr_sides_of(movers, c->body);
    tr_block *block = contact_block(list, &sides);
    if (!block)
        return;
    int k = block->row_count / 3;
    block->contact_index[k] = contact;
    block->friction[k] = c->friction;
    tr_vec3 p, q;
    tangents(c->normal, &p, &q);
    double correct = fmin(params->erp * fmax(c->depth, 0.0) / params->h, params->max_vel);
    double cfm = params->cfm + world->link[contact].softness / params->h;
    add_push(block, &sides, c->pos, c->normal, (tr_row_aim){-correct, cfm});
    add_push(block, &sides, c->pos, p, (tr_row_aim){0, 0});
    add_push(block, &sides, c->pos, q, (tr_row_aim){0, 0});
}

/* --- spin and roll --- */

static void add_turning(tr_block_list *list, const tr_world *world, tr_mover *const *mover,
                        const tr_block *owner, int k) {
    const tr_contact *c = &world->contact[owner->contact_index[k]];
    const tr_contact_link *link = &world->link[owner->contact_index[k]];
    tr_mover *movers[2] = {mover[link->mover[0]],
                           link->mover[1] >= 0 ? mover[link->mover[1]] : NULL};
    tr_sides sides = tr_sides_of(movers, c->body);
    tr_block *block = tr_block_append(list, TR_BLOCK_TURNING, &sides);
    if (!block)
        return;
    block->owner = owner;
    block->owner_contact = k;
    block->torsional = link->torsional;
    block->rolling = link->rolling;
    tr_vec3 p, q;
    tangents(c->normal, &p, &q);
    tr_block_add_turn(block, &sides, tr_v4_from(c->normal), (tr_row_aim){0, 0});
    if (link->rolling > 0) {
        tr_block_add_turn(block, &sides, tr_v4_from(p), (tr_row_aim){0, 0});
        tr_block_add_turn(block, &sides, tr_v4_from(q), (tr_row_aim){0, 0});
    }
}

void tr_block_add_turning(tr_block_list *list, const tr_world *world, tr_mover *const *mover) {
    int contacts = list->count;
    for (int b = 0; b < contacts; b++) {
        const tr_block *block = &list->block[b];
        for (int k = 0; block->kind == TR_BLOCK_CONTACT && 3 * k < block->row_count; k++) {
            const tr_contact_link *link = &world->link[block->contact_index[k]];
            if (link->torsional > 0 || link->rolling > 0)
                add_turning(list, world, mover, block, k);
        }
    }
}

/* --- what must hold of a solved block --- */

void tr_block_must_hold(const tr_block *block, tr_invariant *broken) {
    for (int s = 0; s < 2 && block->tree[s]; s++)
        TR_MUST(broken, block->body[s] >= 0 && block->body[s] < block->tree[s]->count);
    if (block->kind == TR_BLOCK_LIMIT)
        TR_MUST_BE(broken, tr_block_impulse(block, 0), >=, 0);
    for (int k = 0; block->kind == TR_BLOCK_CONTACT && 3 * k < block->row_count; k++) {
        double normal = tr_block_normal_impulse(block, k);
        double across =
            hypot(tr_block_impulse(block, 3 * k + 1), tr_block_impulse(block, 3 * k + 2));
        TR_MUST_BE(broken, normal, >=, 0);
        TR_MUST_BE(broken, across, <=, block->friction[k] * normal * (1 + 1e-6) + 1e-6);
    }
}
