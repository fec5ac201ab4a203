/* Push a box: the team that pushes the box over the line wins.
 *
 * The box is in the middle of the scene, with one face towards each side along x. It slides on its
 * base with `friction`, and is damped in proportion to its velocity. score[team]: metres that the
 * box has moved in the direction that the team's first member faced at the start. Fallen members
 * are out; when all are out, when the box has turned by more than turn_rad (0: no limit), or when
 * the time is up, the highest score wins.
 *
 * Members that can be steered keep to the lanes of the box behind which they began, looking look_m
 * ahead. They are steered in every step: steered every 0.1 s they let the box turn after 40 s.
 * Where the box turns, all move over to the side that lags, by aside_m for each rad that it
 * will have turned soon, which turns it back (learn/gait/gait_haul.h trains it). */
#include "math/quat.h"
#include "server/match/rules/rule.h"

#include <math.h>

enum {
    LINE_M,
    MASS_KG,
    WIDTH_M,
    DEPTH_M,
    HEIGHT_M,
    FRICTION,
    DAMPING,
    TURNING_DAMPING,
    LOOK_M,
    ASIDE_M,
    TURN_RAD
};

static const double BASE_M = 0.1; /* height of the slab on which the box slides */
static const double GRIP = 0.6;   /* friction of hands on the box */
static const double LEAD_S = 0.3; /* the box's turn is foreseen by so much */

typedef struct pushed {
    tr_entity_id box;
} pushed;

_Static_assert(sizeof(pushed) <= TR_RULE_STATE_MAX, "state of a rule");

static tr_geom slab(const tr_bout *bout, double height_m, double middle_m, double friction) {
    return (tr_geom){.kind = TR_GEOM_BOX,
                     .size = {tr_bout_parameter(bout, DEPTH_M) / 2,
                              tr_bout_parameter(bout, WIDTH_M) / 2, height_m / 2},
                     .pos = {0, 0, middle_m - tr_bout_parameter(bout, HEIGHT_M) / 2},
                     .rot = tr_quat_identity(),
                     .friction = friction};
}

static tr_status begin(tr_bout *bout, void *state) {
    pushed *p = state;
    double height_m = tr_bout_parameter(bout, HEIGHT_M);
    tr_object_def def = {.name = "box",
                         .geom_count = 2,
                         .mass = tr_bout_parameter(bout, MASS_KG),
                         .linear_damping = tr_bout_parameter(bout, DAMPING),
                         .angular_damping = tr_bout_parameter(bout, TURNING_DAMPING)};
    def.geom[0] = slab(bout, BASE_M, BASE_M / 2, tr_bout_parameter(bout, FRICTION));
    def.geom[1] = slab(bout, height_m - BASE_M, (height_m + BASE_M) / 2, GRIP);
    const tr_object_state at = {.pos = {0, 0, height_m / 2}, .rot = tr_quat_identity()};
    return tr_world_add_object(tr_stage_world(bout->stage), &def, &at, &p->box);
}

/* Sideways to the team's way; positive to its left. */
static double aside(tr_vec3 place, double heading_rad) {
    return place.y * tr_cos(heading_rad) - place.x * tr_sin(heading_rad);
}

static void keep_lane(tr_bout *bout, const tr_contestant *member, const tr_object_state *box) {
    double heading_rad = bout->heading_rad[member->team];
    double lane_m =
        aside(box->pos, heading_rad) + aside(member->start, heading_rad) +
        tr_bout_parameter(bout, ASIDE_M) * (tr_quat_heading(box->rot) + LEAD_S * box->omega.z);
    tr_bout_steer_along(bout, member, heading_rad, aside(member->pos, heading_rad) - lane_m,
                        tr_bout_parameter(bout, LOOK_M));
}

static void prepare(tr_bout *bout, void *state) {
    const pushed *p = state;
    tr_object_state box;
    if (tr_bout_parameter(bout, LOOK_M) == 0 ||
        tr_world_get_object(tr_stage_world(bout->stage), p->box, &box))
        return;
    for (int i = 0; i < bout->contestant_count; i++)
        if (!bout->contestant[i].out)
            keep_lane(bout, &bout->contestant[i], &box);
}

static void judge(tr_bout *bout, void *state) {
    tr_object_state box;
    double most_rad = tr_bout_parameter(bout, TURN_RAD);
    if (tr_world_get_object(tr_stage_world(bout->stage), ((pushed *)state)->box, &box))
        return;
    bool turned = most_rad > 0 && fabs(tr_quat_heading(box.rot)) > most_rad;
    tr_bout_haul(bout, box.pos, turned ? (double)INFINITY : tr_bout_parameter(bout, LINE_M));
    if (turned)
        tr_bout_end_by_score(bout, "the box turned; the longer way wins");
}

const tr_rule tr_rule_push_box = {
    .name = "push_box",
    .parameter = {{"line_m", 0.1, 10000, 15},
                  {"mass_kg", 1, 100000, 400},
                  {"width_m", 0.2, 100, 4},
                  {"depth_m", 0.2, 100, 1},
                  {"height_m", 0.2, 10, 1.5},
                  {"friction", 0, 2, 0},
                  {"damping", 0, 100, 0.8},
                  {"turning_damping", 0, 100, 5},
                  {"look_m", 0, 100, 1},
                  {"aside_m", 0, 100, 8},
                  {"turn_rad", 0, 3.1, 0}},
    .begin = begin,
    .prepare = prepare,
    .judge = judge,
};
