#include "control/torque/skate/hop.h"

#include "control/parts/approach.h"
#include "math/elementary.h"
#include "physics/world/world.h"

#include <math.h>

#define AT(field) offsetof(tr_hop_numbers, field)

static const tr_parameter row[TR_HOP_NUMBERS] = {
    {"hop_mps2", TR_REAL, AT(launch_mps2), 0, 30, "8", "upward acceleration before a hop"},
    {"hop_s", TR_REAL, AT(launch_s), 0, 0.5, "0", "time in which it jumps up; 0: it does not hop"},
    {"hop_lift_m", TR_REAL, AT(lift_m), 0, 0.3, "0.02", "height of the wheels above a rise"},
    {"hop_lift_s", TR_REAL, AT(lift_s), 0.02, 0.5, "0.1", "time in which the wheels are lifted"},
    {"hop_land_mps", TR_REAL, AT(land_mps), 0, 3, "0.5", "speed at which the board is set down"},
};

static const double SAMPLE_M = 0.02, LOOK_M = 4;
static const double BEFORE_M = 0.04;       /* a rise is higher than the ground so far before it */
static const double LEAST_RISE_M = 0.004;  /* that is hopped over */
static const double LARGEST_RISE_M = 0.08; /* others are walls */
static const double SLOWEST_MPS = 0.5;     /* at which it hops */
static const double DOWN_M = 0.004;        /* wheels that are so low roll */
static const double LONGEST_S = 0.6;
static const double SETTLING_S = 0.8;     /* after a hop */
static const double HOLD_STIFFNESS = 400; /* of the wheels at their height, 1/s2 */
static const double SINKING_RATE = 40;    /* at which they take the speed of landing, 1/s */
static const double SOONEST_S = 0.03;     /* in which a height is still aimed at */
static const double LARGEST_MPS2 = 60;
static const double HARDEST_MPS2 = 20; /* of a landing */

const tr_parameter_table tr_hop_number_table = {.row = row, .count = TR_HOP_NUMBERS};

/* --- the ground --- */

/* Returns the height of the ground `ahead` of the deck's middle; `otherwise` where there is
 * none. */
static double height_at(const tr_world *world, const tr_object_state *deck, double ahead,
                        double otherwise) {
    const tr_quat turn = tr_quat_from_heading(tr_quat_heading(deck->rot));
    const tr_vec3 way = tr_quat_rotate(turn, (tr_vec3){ahead, 0, LARGEST_RISE_M});
    tr_ground ground;
    return tr_world_ground(world, tr_vec3_add(deck->pos, way), &ground) ? ground.height : otherwise;
}

tr_hop_road tr_hop_road_look(const tr_world *world, const tr_hop_board *board,
                             const tr_object_state *deck) {
    const double front = board->axle_m[0] + board->wheel_m;
    const double rear = board->axle_m[1] - board->wheel_m;
    const double none = deck->pos.z - board->height_m;
    tr_hop_road road = {.edge_m = INFINITY};
    double low = INFINITY, high = -INFINITY;
    /* Lowest and highest ground between the ends of the wheels. */
    for (int i = 0; rear + i * SAMPLE_M < front; i++) {
        const double height = height_at(world, deck, rear + i * SAMPLE_M, none);
        low = fmin(low, height);
        high = fmax(high, height);
    }
    road.level_m = low;
    road.rise_m = fmin(high - low, LARGEST_RISE_M);
    /* Gap of the lower pair of wheels, and the highest step from the rear axle on. */
    const double behind = height_at(world, deck, board->axle_m[1], none);
    road.gap_m = none - fmax(behind, height_at(world, deck, board->axle_m[0], none));
    for (int i = 0; board->axle_m[1] + i * SAMPLE_M < front; i++) {
        const double height = height_at(world, deck, board->axle_m[1] + i * SAMPLE_M, none);
        road.step_m = fmin(LARGEST_RISE_M, fmax(road.step_m, height - behind));
    }
    /* The next rise ahead; what is higher than LARGEST_RISE_M is a wall, and no rise. */
    for (int i = 0; i * SAMPLE_M < LOOK_M && !isfinite(road.edge_m); i++) {
        const double x = i * SAMPLE_M;
        const double before = height_at(world, deck, front + x - BEFORE_M, none);
        const double rise = height_at(world, deck, front + x, none) - before;
        if (rise > LEAST_RISE_M && rise < LARGEST_RISE_M) {
            road.edge_m = x;
            road.ahead_m = rise;
        }
    }
    return road;
}

/* --- stages --- */

static double time_of(const tr_hop *hop, const tr_hop_view *v) {
    return hop->steps * v->step_s;
}

/* Returns the time until the front wheels reach the rise. */
static double time_left(const tr_hop_view *v) {
    return v->road->edge_m / fmax(v->board_mps, SLOWEST_MPS);
}

static int next_stage(const tr_hop *hop, const tr_hop_view *v) {
    const tr_hop_numbers *n = v->numbers;
    const double time_s = time_of(hop, v);
    switch (hop->stage) {
    case TR_HOP_LAUNCH:
        return time_s > n->launch_s ? TR_HOP_FLIGHT : TR_HOP_LAUNCH;
    case TR_HOP_FLIGHT:
        return (time_s > n->lift_s && v->road->gap_m < DOWN_M) || time_s > LONGEST_S
                   ? TR_HOP_NONE
                   : TR_HOP_FLIGHT;
    default:
        return v->board_mps > SLOWEST_MPS && time_left(v) < n->launch_s + n->lift_s ? TR_HOP_LAUNCH
                                                                                    : TR_HOP_NONE;
    }
}

void tr_hop_advance(tr_hop *hop, const tr_hop_view *view) {
    if (!(view->numbers->launch_s > 0))
        return;
    if (hop->steps < TR_HOP_STEPS_MAX)
        hop->steps++;
    const int next = next_stage(hop, view);
    if (next != hop->stage)
        *hop = (tr_hop){.stage = next};
}

bool tr_hop_is_due(const tr_hop *hop, const tr_hop_view *view, double stroke_s) {
    const tr_hop_numbers *n = view->numbers;
    return n->launch_s > 0 && (hop->stage != TR_HOP_NONE || time_of(hop, view) < SETTLING_S ||
                               time_left(view) < stroke_s + n->launch_s + n->lift_s);
}

/* --- the plan --- */

/* Returns the acceleration that leads the sole up, over the rise, and down again. */
static double sole_accel(const tr_hop *hop, const tr_hop_view *v) {
    const tr_hop_numbers *n = v->numbers;
    const tr_hop_road *road = v->road;
    const double left_s = n->lift_s - time_of(hop, v);
    const bool near = road->edge_m < n->lift_s * v->board_mps;
    const double rise = fmax(road->rise_m, near ? road->ahead_m : 0);
    const double way = rise + n->lift_m - v->wheels_m;
    /* Behind the rise, and with none ahead, the board sinks. */
    if (!near && road->step_m < LEAST_RISE_M && left_s <= 0)
        return SINKING_RATE * (-n->land_mps - v->wheels_mps);
    if (left_s > SOONEST_S)
        return tr_approach(way, v->wheels_mps, 0, left_s);
    return HOLD_STIFFNESS * way - 2 * sqrt(HOLD_STIFFNESS) * v->wheels_mps;
}

tr_hop_plan tr_hop_plan_of(const tr_hop *hop, const tr_hop_view *view) {
    tr_hop_plan plan = {.most_mps2 = HARDEST_MPS2,
                        .launches = hop->stage == TR_HOP_LAUNCH,
                        .flies = hop->stage == TR_HOP_FLIGHT};
    if (plan.launches)
        plan.centroid_mps2 = view->numbers->launch_mps2;
    if (plan.flies)
        plan.sole_mps2 = tr_within(sole_accel(hop, view), LARGEST_MPS2);
    return plan;
}
