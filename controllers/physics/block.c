/* Constraint rows from contacts, joint limits and pins: J and bias of each (solver.c has the
 * equation). */
#include "physics/mover.h"
#include "physics/rotation.h"

#include <math.h>

/* A limit row exists when the joint would come this close to its limit within the step, rad. */
static const double LIMIT_MARGIN = 0.02;

static tr_block *append(tr_block_list *list, tr_block_kind kind) {
    if (list->count == list->capacity)
        return NULL;
    tr_block *block = &list->block[list->count++];
    block->kind = kind;
    block->row_count = 0;
    return block;
}

static void set_sides(tr_block *block, tr_mover *const movers[2], const int body[2]) {
    for (int s = 0; s < 2; s++) {
        block->tree[s] = movers[s] ? &movers[s]->tree : NULL;
        block->body[s] = movers[s] ? body[s] : -1;
        if (movers[s])
            movers[s]->tree.slot[body[s]] = 0;
    }
}

/* A row along `dir` at `pos` (world): + on side 0, - on side 1. */
static void add_row(tr_block *block, tr_v4 pos, tr_v4 dir, double bias) {
    int i = block->row_count++;
    block->bias[i] = bias;
    for (int s = 0; s < 2 && block->tree[s]; s++) {
        tr_v4 signed_dir = s == 0 ? dir : -dir;
        block->row[s][i].ang = tr_v4_cross(pos - block->tree[s]->origin, signed_dir);
        block->row[s][i].lin = signed_dir;
    }
}

/* --- joint limits --- */

/* Row for the angle about `axis` (world) between child and parent, which has `gap` rad left to the
 * limit; a negative rate about the axis closes it. */
static void add_limit(tr_block_list *list, tr_mover *mover, int i, tr_v4 axis, double gap,
                      const tr_block_params *params) {
    tr_block *block = append(list, TR_BLOCK_LIMIT);
    if (!block)
        return;
    tr_mover *movers[2] = {mover, mover};
    set_sides(block, movers, (int[2]){i, mover->tree.link[i].parent});
    block->row_count = 1;
    block->row[0][0] = (tr_spatial){axis, tr_v4_zero()};
    block->row[1][0] = (tr_spatial){-axis, tr_v4_zero()};
    block->bias[0] =
        gap > 0 ? gap / params->h : fmax(params->erp * gap / params->h, -params->max_vel);
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
    tr_v4 away =
        tr_m3_apply(&mover->tree.joint_axes[i], tr_v4_from(tr_vec3_scale(turn, -1 / angle)));
    try_limit(list, mover, i, away, mover->character->model->body[i].range[1] - angle, params);
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
        else
            add_ball_limit(list, mover, i, params);
    }
}

/* --- contacts --- */

/* Two unit vectors across n, the same ones as ODE's dPlaneSpace, so that both steppers use one
 * friction pyramid. */
static void tangents(tr_v4 n, tr_v4 *p, tr_v4 *q) {
    if (fabs(n[2]) > 0.70710678118654752440) {
        double a = n[1] * n[1] + n[2] * n[2], k = 1 / sqrt(a);
        *p = tr_v4_make(0, -n[2] * k, n[1] * k);
        *q = tr_v4_make(a * k, -n[0] * (*p)[2], n[0] * (*p)[1]);
    } else {
        double a = n[0] * n[0] + n[1] * n[1], k = 1 / sqrt(a);
        *p = tr_v4_make(-n[1] * k, n[0] * k, 0);
        *q = tr_v4_make(-n[2] * (*p)[1], n[2] * (*p)[0], a * k);
    }
}

/* The sides of a block between two movers: [0] is free, [1] may be NULL (static or kinematic). */
typedef struct tr_sides {
    tr_mover *mover[2];
    int body[2];
    bool swapped; /* side 0 is the second of the contact or pin */
} tr_sides;

static tr_sides sides_of(tr_mover *const movers[2], const int body[2]) {
    if (movers[0]->kinematic)
        return (tr_sides){{movers[1], NULL}, {body[1], -1}, true};
    bool both = movers[1] && !movers[1]->kinematic;
    return (tr_sides){{movers[0], both ? movers[1] : NULL}, {body[0], body[1]}, false};
}

/* Velocity at `pos` of the side that is left out of the block: zero unless it is kinematic. */
static tr_v4 surface_velocity(tr_mover *const movers[2], const int body[2], tr_v4 pos) {
    int s = movers[0]->kinematic ? 0 : 1;
    const tr_mover *mover = movers[s];
    if (!mover || !mover->kinematic)
        return tr_v4_zero();
    int b = body[s];
    const tr_sweep *sweep = mover->character ? &mover->character->sweep[b] : &mover->object->sweep;
    tr_v4 lever = pos - mover->tree.frame[b].com;
    return tr_v4_from(sweep->vel) + tr_v4_cross(tr_v4_from(sweep->omega), lever);
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
    tr_block *block = append(list, TR_BLOCK_CONTACT);
    if (block)
        set_sides(block, sides->mover, sides->body);
    return block;
}

void tr_block_add_contact(tr_block_list *list, const tr_world *world, int contact,
                          tr_mover *const movers[2], const tr_block_params *params) {
    const tr_contact *c = &world->contact[contact];
    tr_sides sides = sides_of(movers, c->body);
    tr_block *block = contact_block(list, &sides);
    if (!block)
        return;
    int k = block->row_count / 3;
    block->contact_index[k] = contact;
    block->friction[k] = world->link[contact].friction;
    tr_v4 pos = tr_v4_from(c->pos), normal = tr_v4_from(c->normal), p, q;
    if (sides.swapped)
        normal = -normal;
    tangents(normal, &p, &q);
    double correct = fmin(params->erp * fmax(c->depth, 0.0) / params->h, params->max_vel);
    tr_v4 surface = surface_velocity(movers, c->body, pos);
    add_row(block, pos, normal, -correct - tr_v4_dot(normal, surface));
    add_row(block, pos, p, -tr_v4_dot(p, surface));
    add_row(block, pos, q, -tr_v4_dot(q, surface));
}

/* --- pins --- */

static tr_v4 pinned_point(const tr_mover *mover, int body, tr_vec3 point) {
    if (!mover)
        return tr_v4_from(point);
    const tr_frame *frame = &mover->tree.frame[body];
    if (mover->character)
        point = tr_vec3_sub(point, mover->character->model->body[body].com);
    return frame->com + frame->column[0] * point.x + frame->column[1] * point.y +
           frame->column[2] * point.z;
}

void tr_block_add_pin(tr_block_list *list, const tr_pin_def *pin, tr_mover *const movers[2],
                      const tr_block_params *params) {
    tr_block *block = append(list, TR_BLOCK_PIN);
    if (!block)
        return;
    tr_sides sides = sides_of(movers, pin->body);
    set_sides(block, sides.mover, sides.body);
    tr_v4 end[2];
    for (int s = 0; s < 2; s++)
        end[sides.swapped ? 1 - s : s] = pinned_point(movers[s], pin->body[s], pin->point[s]);
    tr_v4 gap = (end[0] - end[1]) * (params->erp / params->h);
    tr_v4 surface = surface_velocity(movers, pin->body, end[1]);
    for (int k = 0; k < 3; k++) {
        tr_v4 dir = tr_v4_zero();
        dir[k] = 1;
        int i = block->row_count++;
        block->bias[i] = gap[k] - surface[k];
        block->row[0][i] =
            (tr_spatial){tr_v4_cross(end[0] - sides.mover[0]->tree.origin, dir), dir};
        if (sides.mover[1])
            block->row[1][i] =
                (tr_spatial){tr_v4_cross(sides.mover[1]->tree.origin - end[1], dir), -dir};
    }
}
