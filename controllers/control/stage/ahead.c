#include "control/stage/ahead.h"

#include "math/elementary.h"

#include <math.h>

/* Half the width of a strip, and the free room beyond its end, m. */
static const double HALF_WIDTH_M = 0.3, BEYOND_M = 0.5;

/* A rise or fall by more than this from one sample to the next is a wall or an edge: twice a stair of
 * 15 cm less what a slope adds. */
static const double LEDGE_M = 0.25, SAMPLE_M = 0.04;

/* Longer stretches are judged when the character is nearer to their end. */
static const double LONGEST_M = 8;

/* Others are passed from this distance on, with this room from root to root, by at most this angle. */
static const double PASS_FROM_M = 5, PASS_ROOM_M = 1, PASS_MOST_RAD = 0.6;

/* Another is clearly to the right if it is this far off the way, m. */
static const double TO_THE_RIGHT_M = 0.15;

/* --- walls and edges --- */

/* Is one line clear? It begins on the ground. head_m: of the character. */
static bool line_is_clear(const tr_world *world, tr_vec3 from, tr_vec3 along, double length_m,
                          double head_m) {
    const int samples = (int)ceil(length_m / SAMPLE_M);
    double level = from.z;
    for (int i = 0; i <= samples; i++) {
        const double far = fmin(i * SAMPLE_M, length_m);
        const tr_vec3 at = {from.x + far * along.x, from.y + far * along.y, level + head_m};
        tr_ground ground;
        if (!tr_world_ground(world, at, &ground) || fabs(ground.height - level) > LEDGE_M)
            return false;
        level = ground.height;
    }
    return true;
}

bool tr_ahead_is_clear(const tr_world *world, tr_entity_id character, tr_stretch stretch) {
    const double dx = stretch.to_x - stretch.from_x, dy = stretch.to_y - stretch.from_y;
    const double length_m = sqrt(dx * dx + dy * dy);
    const tr_model *model = tr_world_character_model(world, character);
    const double level = tr_world_local_ground(world, character).height;
    if (length_m < 1e-6 || !model)
        return true;
    const tr_vec3 along = {dx / length_m, dy / length_m, 0};
    for (int side = -1; side <= 1; side++) {
        const double aside = side * HALF_WIDTH_M;
        const tr_vec3 from = {stretch.from_x - aside * along.y, stretch.from_y + aside * along.x,
                              level};
        if (!line_is_clear(world, from, along, fmin(length_m, LONGEST_M) + BEYOND_M, model->height))
            return false;
    }
    return true;
}

/* --- other characters --- */

double tr_ahead_pass(const tr_world *world, tr_entity_id character, double heading_rad,
                     double within_m, tr_entity_id followed) {
    const double c = tr_cos(heading_rad), s = tr_sin(heading_rad);
    double nearest_m = fmin(within_m, PASS_FROM_M), off_rad = 0;
    tr_entity_id id[TR_CHARACTER_MAX];
    tr_state self, other;
    const tr_model *model = tr_world_character_model(world, character);
    const int count = tr_world_characters(world, id, TR_CHARACTER_MAX);
    if (!model || tr_world_get_state(world, character, &self))
        return 0;
    for (int i = 0; i < count; i++) {
        if (id[i] == character || id[i] == followed || tr_world_get_state(world, id[i], &other))
            continue;
        const tr_vec3 to = tr_vec3_sub(other.pose.root_pos, self.pose.root_pos);
        const double ahead_m = c * to.x + s * to.y, aside_m = c * to.y - s * to.x;
        if (ahead_m <= 0 || ahead_m >= nearest_m || fabs(aside_m) >= PASS_ROOM_M ||
            fabs(to.z) >= model->height)
            continue;
        /* To the left of one clearly to the right; else to the right, as the other does too. */
        nearest_m = ahead_m;
        const double room_m =
            aside_m < -TO_THE_RIGHT_M ? aside_m + PASS_ROOM_M : aside_m - PASS_ROOM_M;
        off_rad = tr_atan2(room_m, ahead_m);
    }
    return fmin(fmax(off_rad, -PASS_MOST_RAD), PASS_MOST_RAD);
}
