/* Tug of war: the team that pulls the sled over the line wins.
 *
 * The sled is in the middle of the scene, damped in proportion to its velocity. Teams face away
 * from it. Each member has a rope of its own from its trunk to the sled, straight behind it, which
 * is just taut at the start. A rope pulls level, with stiffness_npm for each metre by which it is
 * stretched, at most most_n; its force is computed every 0.05 s. score[team]: metres that the sled
 * has moved in the direction that the team's first member faced at the start. Fallen members let go
 * and are out; when all are out, or the time is up, the highest score wins.
 *
 * Members that can be steered walk straight away from where they began, looking look_m ahead. */
#include "math/quat.h"
#include "server/match/rules/rule.h"

#include <math.h>

enum { LINE_M, STIFFNESS_NPM, MOST_N, MASS_KG, DAMPING, LOOK_M };

static const double EVERY_S = 0.05;
static const double SLED_M[3] = {0.3, 1.6, 0.2}; /* half of its length, width and height */

typedef struct tug {
    tr_entity_id sled;
} tug;

_Static_assert(sizeof(tug) <= TR_RULE_STATE_MAX, "state of a rule");

static tr_status begin(tr_bout *bout, void *state) {
    tug *t = state;
    tr_object_def def = {.name = "sled",
                         .geom_count = 1,
                         .mass = tr_bout_parameter(bout, MASS_KG),
                         .linear_damping = tr_bout_parameter(bout, DAMPING),
                         .angular_damping = tr_bout_parameter(bout, DAMPING)};
    def.geom[0] = (tr_geom){
        .kind = TR_GEOM_BOX, .size = {SLED_M[0], SLED_M[1], SLED_M[2]}, .rot = tr_quat_identity()};
    const tr_object_state at = {.pos = {0, 0, SLED_M[2]}, .rot = tr_quat_identity()};
    return tr_world_add_object(tr_stage_world(bout->stage), &def, &at, &t->sled);
}

/* The force of a member's rope, on the member. Both its ends are off the team's way by as much as
 * the member was at the start. */
static tr_vec3 pull(const tr_bout *bout, const tr_contestant *member, const tr_object_state *sled) {
    double heading_rad = bout->heading_rad[member->team];
    tr_vec3 start = tr_vec3_to_heading(member->start, heading_rad);
    tr_vec3 hook = tr_vec3_from_heading((tr_vec3){0, start.y, 0}, heading_rad);
    tr_vec3 rope = tr_vec3_sub(tr_vec3_add(sled->pos, hook), member->pos);
    rope.z = 0;
    double length_m = tr_vec3_length(rope), stretch_m = length_m - fabs(start.x);
    if (member->out || stretch_m <= 0)
        return (tr_vec3){0, 0, 0};
    double force_n =
        fmin(tr_bout_parameter(bout, STIFFNESS_NPM) * stretch_m, tr_bout_parameter(bout, MOST_N));
    return tr_vec3_scale(rope, force_n / length_m);
}

static void keep_lane(tr_bout *bout, const tr_contestant *member) {
    double heading_rad = bout->heading_rad[member->team];
    tr_vec3 way = tr_vec3_to_heading(tr_vec3_sub(member->pos, member->start), heading_rad);
    tr_bout_steer_along(bout, member, heading_rad, way.y, tr_bout_parameter(bout, LOOK_M));
}

static void prepare(tr_bout *bout, void *state) {
    const tug *t = state;
    tr_object_state sled;
    int64_t every = (int64_t)fmax(1, round(EVERY_S / bout->match->world.world.step_s));
    double lasts_s = (double)every * bout->match->world.world.step_s;
    tr_vec3 sum = {0, 0, 0};
    if (bout->tick % every != 0 || tr_world_get_object(tr_stage_world(bout->stage), t->sled, &sled))
        return;
    for (int i = 0; i < bout->contestant_count; i++) {
        const tr_contestant *member = &bout->contestant[i];
        tr_vec3 force = pull(bout, member, &sled);
        sum = tr_vec3_sub(sum, force);
        if (force.x != 0 || force.y != 0)
            tr_bout_push(bout, member->entity, force, lasts_s);
        if (!member->out && tr_bout_parameter(bout, LOOK_M) > 0)
            keep_lane(bout, member);
    }
    double most = tr_vec3_length(sum) / (0.999 * TR_PUSH_NEWTON_MAX); /* the limit of a Push */
    if (most > 1)
        sum = tr_vec3_scale(sum, 1 / most);
    if (sum.x != 0 || sum.y != 0)
        tr_bout_push(bout, t->sled, sum, lasts_s);
}

static void judge(tr_bout *bout, void *state) {
    tr_object_state sled;
    if (!tr_world_get_object(tr_stage_world(bout->stage), ((tug *)state)->sled, &sled))
        tr_bout_haul(bout, sled.pos, tr_bout_parameter(bout, LINE_M));
}

const tr_rule tr_rule_tug_of_war = {
    .name = "tug_of_war",
    .parameter = {{"line_m", 0.1, 10000, 3},
                  {"stiffness_npm", 1, 10000, 50},
                  {"most_n", 1, 10000, 1000},
                  {"mass_kg", 1, 100000, 100},
                  {"damping", 0, 100, 1},
                  {"look_m", 0, 100, 0.6}},
    .begin = begin,
    .prepare = prepare,
    .judge = judge,
};
