/* The world boxes of shapes, and which of them overlap (kernel.h). */
#include "physics/kernels/kernel_name.h"
#include "physics/scene/shape.h"

/* Shapes further apart than this, m, do not touch, whatever the rounding of their distance. */
static const double CLEARANCE_M = 1e-6;

static void bound(tr_collider *collider, int count, const tr_frame *frame, tr_boxes *out) {
    tr_v4 whole_low = tr_v4_all(INFINITY), whole_high = tr_v4_all(-INFINITY);
    for (int g = 0; g < count; g += 4) {
        tr_v4 low[4] = {tr_v4_zero()}, high[4] = {tr_v4_zero()};
        for (int k = 0; k < 4 && g + k < count; k++) {
            tr_collider *c = &collider[g + k];
            tr_shape_box box = tr_shape_bound(c, &frame[c->body]);
            low[k] = box.low;
            high[k] = box.high;
            whole_low = tr_v4_select(box.low < whole_low, box.low, whole_low);
            whole_high = tr_v4_select(box.high > whole_high, box.high, whole_high);
        }
        tr_v4_transpose(low);
        tr_v4_transpose(high);
        for (int axis = 0; axis < 3; axis++) {
            tr_v4_store(low[axis], &out->low[axis][g]);
            tr_v4_store(high[axis], &out->high[axis][g]);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out->whole_low[axis] = whole_low[axis];
        out->whole_high[axis] = whole_high[axis];
    }
}

/* Four shapes at a time, those that `among` has any of. */
static uint64_t near(const tr_boxes *boxes, const double low[3], const double high[3],
                     uint64_t among) {
    uint64_t out = 0;
    for (uint64_t left = among; left;) {
        int g = __builtin_ctzll(left) & ~3;
        tr_v4_mask over = {-1, -1, -1, -1};
        for (int k = 0; k < 3; k++) {
            tr_v4 their_low = tr_v4_load(&boxes->low[k][g]);
            tr_v4 their_high = tr_v4_load(&boxes->high[k][g]);
            over &= (their_low <= high[k]) & (low[k] <= their_high);
        }
        out |= (uint64_t)tr_v4_bits(over) << g;
        left &= ~(15ULL << g);
    }
    return out & among;
}

/* How far the shape reaches from its centre along a unit vector. */
TR_INLINE double reach(const tr_collider *c, const tr_frame *frame, tr_v4 along) {
    double z = fabs(tr_v4_dot(tr_shape_axis(c, frame, 2), along));
    if (c->kind == TR_GEOM_SPHERE)
        return c->size.x;
    if (c->kind == TR_GEOM_CAPSULE)
        return c->size.y * z + c->size.x;
    return c->size.x * fabs(tr_v4_dot(tr_shape_axis(c, frame, 0), along)) +
           c->size.y * fabs(tr_v4_dot(tr_shape_axis(c, frame, 1), along)) + c->size.z * z;
}

/* Does a side of box a separate it from b? */
TR_INLINE bool side_parts(const tr_shape *a, const tr_shape *b, tr_v4 from_a) {
    for (int k = 0; a->collider->kind == TR_GEOM_BOX && k < 3; k++) {
        tr_v4 side = tr_shape_axis(a->collider, a->frame, k);
        if (fabs(tr_v4_dot(side, from_a)) >
            reach(a->collider, a->frame, side) + reach(b->collider, b->frame, side) + CLEARANCE_M)
            return true;
    }
    return false;
}

/* Balls and capsules are parted along the line between the centres too; of two boxes the answer
 * must be ODE's, which widens them by a little across their edges. */
static bool apart(const tr_shape *a, const tr_shape *b) {
    tr_geom_kind one = a->collider->kind, other = b->collider->kind;
    if (one == TR_GEOM_CYLINDER || other == TR_GEOM_CYLINDER)
        return false;
    tr_v4 from_a = tr_shape_centre(b->collider, b->frame) - tr_shape_centre(a->collider, a->frame);
    if (side_parts(a, b, from_a) || side_parts(b, a, from_a))
        return true;
    double distance = sqrt(tr_v4_dot(from_a, from_a));
    if ((one == TR_GEOM_BOX && other == TR_GEOM_BOX) || distance <= CLEARANCE_M)
        return false;
    tr_v4 line = from_a * (1 / distance);
    return distance >
           reach(a->collider, a->frame, line) + reach(b->collider, b->frame, line) + CLEARANCE_M;
}

const tr_bounds_kernel TR_KERNEL(tr_bounds_kernel) = {bound, near, apart};
