/* Constraint rows of pins: what they hold as one tie, their limits, their damping and spring. */
#include "physics/bodies/block.h"
#include "physics/scene/pin_place.h"
#include "physics/spatial/rotation.h"

#include <math.h>

/* A pin in place: what its rows are made of. World axes. */
typedef struct placed_pin {
    tr_v4 point;           /* where its forces act: at the first end */
    tr_v4 axis, across[2]; /* of the second end */
    tr_sides sides;
    tr_pin_place end[2];
    double hold; /* share of an error corrected per second */
    const tr_pin_def *def;
    const tr_block_params *params;
} placed_pin;

static void set_across(tr_v4 axis, tr_v4 across[2]) {
    tr_v4 least = fabs(axis[0]) < 0.6 ? tr_v4_make(1, 0, 0) : tr_v4_make(0, 1, 0);
    tr_v4 p = tr_v4_cross(axis, least);
    across[0] = p * (1 / sqrt(tr_v4_dot(p, p)));
    across[1] = tr_v4_cross(axis, across[0]);
}

static placed_pin place(const tr_world *world, const tr_pin *pin, tr_mover *const movers[2],
                        const tr_block_params *params) {
    placed_pin p = {.def = &pin->def,
                    .sides = tr_sides_of(movers, pin->def.body),
                    .hold = params->erp / params->h,
                    .params = params};
    for (int s = 0; s < 2; s++)
        p.end[s] = tr_pin_end(world, &pin->def, s);
    p.point = tr_v4_from(p.end[0].point);
    if (pin->def.kind != TR_PIN_POINT) {
        p.axis = tr_v4_from(tr_quat_rotate(p.end[1].rot, pin->def.axis));
        set_across(p.axis, p.across);
    }
    return p;
}

static void hold_place(const placed_pin *p, tr_block *block, tr_v4 dir) {
    tr_v4 gap = p->point - tr_v4_from(p->end[1].point);
    tr_row_aim aim = {p->hold * tr_v4_dot(gap, dir), p->params->cfm};
    tr_block_add_push(block, &p->sides, p->point, dir, aim);
}

/* The turn of the first end away from rest, as a rotation vector in world axes. */
static tr_v4 turn_from_rest(const placed_pin *p) {
    tr_quat turn = tr_quat_mul(tr_quat_conj(p->end[1].rot), p->end[0].rot);
    tr_vec3 error = tr_rotation_log(tr_quat_mul(turn, tr_quat_conj(p->def->rest)));
    return tr_v4_from(tr_quat_rotate(p->end[1].rot, error));
}

static void hold_turn(const placed_pin *p, tr_block *block, tr_v4 error, tr_v4 axis) {
    tr_row_aim aim = {p->hold * tr_v4_dot(error, axis), p->params->cfm};
    tr_block_add_turn(block, &p->sides, axis, aim);
}

/* How far the first end's axis has turned away from the second's. */
static tr_v4 axis_error(const placed_pin *p) {
    tr_vec3 own = tr_quat_rotate_inverse(p->def->rest, p->def->axis);
    return tr_v4_cross(p->axis, tr_v4_from(tr_quat_rotate(p->end[0].rot, own)));
}

static void hold(const placed_pin *p, tr_block *block) {
    bool point = p->def->kind == TR_PIN_POINT || p->def->kind == TR_PIN_HINGE;
    tr_v4 dir[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (int k = 0; k < (point ? 3 : 2); k++)
        hold_place(p, block, point ? dir[k] : p->across[k]);
    if (p->def->kind == TR_PIN_HINGE) {
        tr_v4 error = axis_error(p);
        for (int k = 0; k < 2; k++)
            hold_turn(p, block, error, p->across[k]);
    } else if (p->def->kind == TR_PIN_SLIDER) {
        tr_v4 error = turn_from_rest(p);
        for (int k = 0; k < 3; k++)
            hold_turn(p, block, error, dir[k]);
    }
}

/* A row along what the pin leaves free, or against it. */
static void add_free_row(const placed_pin *p, tr_block *block, double sign, tr_row_aim aim) {
    if (p->def->kind == TR_PIN_HINGE)
        tr_block_add_turn(block, &p->sides, p->axis * sign, aim);
    else
        tr_block_add_push(block, &p->sides, p->point, p->axis * sign, aim);
}

/* `gap` is left until the end of the range that lies against `sign`. */
static void add_limit(const placed_pin *p, tr_block_list *list, double sign, double gap) {
    const tr_block_params *params = p->params;
    tr_block *block = tr_block_append(list, TR_BLOCK_LIMIT, &p->sides);
    double bias = gap > 0 ? gap / params->h : fmax(p->hold * gap, -params->max_vel);
    if (block)
        add_free_row(p, block, sign, (tr_row_aim){bias, params->cfm});
}

/* Damping d and spring k, in the travel x' = x + h v' and the velocity v' at the end of the step:
 *
 *   lambda = -h (d v' + k x') = -h ((d + h k) v' + k x) */
static void add_soft(const placed_pin *p, tr_block_list *list) {
    const double h = p->params->h, k = p->def->spring, firm = p->def->damping + h * k;
    const double travel = k > 0 ? tr_pin_travel(p->def, &p->end[0], &p->end[1]) : 0;
    tr_block *soft = tr_block_append(list, TR_BLOCK_TIE, &p->sides);
    if (soft)
        add_free_row(p, soft, 1, (tr_row_aim){k * travel / firm, 1 / (h * firm)});
}

const tr_block *tr_block_add_pin(tr_block_list *list, const tr_world *world, const tr_pin *pin,
                                 tr_mover *const movers[2], const tr_block_params *params) {
    placed_pin p = place(world, pin, movers, params);
    tr_block *tie = tr_block_append(list, TR_BLOCK_TIE, &p.sides);
    if (!tie)
        return NULL;
    hold(&p, tie);
    if (p.def->kind == TR_PIN_POINT)
        return tie;
    if (p.def->limited) {
        double travel = tr_pin_travel(p.def, &p.end[0], &p.end[1]);
        add_limit(&p, list, 1, travel - p.def->range[0]);
        add_limit(&p, list, -1, p.def->range[1] - travel);
    }
    if (p.def->damping > 0 || p.def->spring > 0)
        add_soft(&p, list);
    return tie;
}
