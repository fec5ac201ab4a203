#include "control/steering.h"

#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* A heading off by more than turn_rad_s / APPROACH is met with full helm. */
static const double APPROACH_PER_S = 1.5;

/* Full helm is reached from none in a second: what the actions were learned with. */
static const double HELM_PER_S = 1.0;

/* A point inside the circle of full helm by less than this share of its radius is passed near
 * enough. */
static const double MISSED_BY = 0.15;

bool tr_wish_is_valid(const tr_wish *wish) {
    return (int)wish->aim >= TR_AIM_NONE && wish->aim <= TR_AIM_CHARACTER &&
           fabs(wish->heading_rad) <= 1000 && isfinite(wish->x) && isfinite(wish->y) &&
           wish->speed_mps >= 0 && wish->speed_mps <= 20 &&
           memchr(wish->skill, 0, sizeof wish->skill) != NULL;
}

bool tr_wish_is_none(const tr_wish *wish) {
    return wish->aim == TR_AIM_NONE && wish->speed_mps == 0 && wish->skill[0] == 0;
}

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

static double wrap(double angle) {
    return angle - 2 * TR_PI * floor(angle / (2 * TR_PI) + 0.5);
}

tr_bearing tr_wish_bearing(const tr_wish *wish, const tr_world *world, const tr_state *state) {
    const tr_bearing none = {0, INFINITY};
    double heading = tr_quat_heading(state->pose.root_rot);
    tr_vec3 from = state->pose.root_pos, to = {wish->x, wish->y, 0};
    tr_state other;
    if (wish->aim == TR_AIM_NONE)
        return none;
    if (wish->aim == TR_AIM_HEADING)
        return (tr_bearing){wrap(wish->heading_rad - heading), INFINITY};
    if (wish->aim == TR_AIM_CHARACTER) {
        if (tr_world_get_state(world, wish->character, &other) != TR_OK)
            return none;
        to = other.pose.root_pos;
    }
    double dx = to.x - from.x, dy = to.y - from.y, distance = sqrt(dx * dx + dy * dy);
    return distance > 1e-9 ? (tr_bearing){wrap(tr_atan2(dy, dx) - heading), distance} : none;
}

/* Would full helm go round the aim instead of to it? With r the radius, d the distance and b the
 * bearing, the point is at (d cos b, d sin b), the centre at (0, r sign b). */
static bool is_out_of_reach(const tr_steering *steering, tr_bearing bearing) {
    double r = steering->speed_mps / steering->turn_rad_s, d = bearing.distance_m;
    double inner = (1 - MISSED_BY) * r;
    return isfinite(d) &&
           d * d - 2 * d * r * fabs(tr_sin(bearing.turn_rad)) + r * r < inner * inner;
}

/* The helm that is wished for: proportional to the error of the heading, and full beyond. */
static double wished_turn(const tr_steering *steering, tr_bearing bearing) {
    if (steering->turn_rad_s <= 0 || is_out_of_reach(steering, bearing))
        return 0;
    return clamp(APPROACH_PER_S * bearing.turn_rad / steering->turn_rad_s, -1, 1);
}

static double wished_pace(const tr_steering *steering, double speed_mps) {
    double more = speed_mps == 0 ? 0 : speed_mps - steering->speed_mps;
    double room = more > 0 ? steering->faster_mps : steering->slower_mps;
    return room > 0 ? clamp(more / room, -1, 1) : 0;
}

void tr_helm_follow(tr_helm *helm, const tr_steering *steering, const tr_wish *wish,
                    tr_bearing bearing, double span_s) {
    double turn = wished_turn(steering, bearing), pace = wished_pace(steering, wish->speed_mps);
    double most = HELM_PER_S * span_s;
    helm->turn += clamp(turn - helm->turn, -most, most);
    helm->pace += clamp(pace - helm->pace, -most, most);
}

void tr_steering_add(const tr_model *model, const tr_action_map *map, const tr_steering *steering,
                     tr_helm helm, bool mirrored, double *action) {
    double turn[TR_ACTION_MAX], pace[TR_ACTION_MAX], image[TR_ACTION_MAX];
    const double *change = helm.pace > 0 ? steering->faster : steering->slower;
    if (helm.turn == 0 && helm.pace == 0)
        return;
    for (int i = 0; i < map->size; i++) {
        turn[i] = helm.turn * steering->turn[i];
        pace[i] = fabs(helm.pace) * change[i];
    }
    if (mirrored) {
        for (int i = 0; i < map->size; i++)
            turn[i] = pace[i] - turn[i];
        tr_action_mirror(model, map, turn, image);
    } else {
        for (int i = 0; i < map->size; i++)
            image[i] = pace[i] + turn[i];
    }
    for (int i = 0; i < map->size; i++)
        action[i] += image[i];
}
