#include "control/driver/steering.h"

#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* A heading off by more than turn_rad_s / APPROACH_PER_S is met with full turn. */
static const double APPROACH_PER_S = 1.5;

/* Full input is reached from none in a second: what the actions were learned with. */
static const double INPUT_PER_S = 1.0;

/* A point inside the circle of full turn by less than this share of its radius is passed near
 * enough. */
static const double MISSED_BY = 0.15;

/* --- steering --- */

static bool is_action(const double *action, int size) {
    for (int i = 0; i < TR_ACTION_MAX; i++)
        if (!isfinite(action[i]) || (i >= size && action[i] != 0))
            return false;
    return true;
}

tr_status tr_steering_check(const tr_steering *s, int size, tr_error *error) {
    double rate[] = {s->speed_mps, s->turn_rad_s, s->faster_mps, s->slower_mps};
    for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
        if (!(rate[i] >= 0 && rate[i] <= 20))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "steering: expected speeds and rates of 0 to 20");
    if (!is_action(s->turn, size) || !is_action(s->faster, size) || !is_action(s->slower, size))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "steering: expected finite actions, zero past the action's size");
    return TR_OK;
}

bool tr_steering_is_given(const tr_steering *s) {
    bool given =
        s->speed_mps != 0 || s->turn_rad_s != 0 || s->faster_mps != 0 || s->slower_mps != 0;
    for (int i = 0; i < TR_ACTION_MAX; i++)
        given |= s->turn[i] != 0 || s->faster[i] != 0 || s->slower[i] != 0;
    return given;
}

/* The mirror image of a turn to the left is one to the right. */
tr_steering tr_steering_mirror(const tr_model *model, const tr_action_map *map,
                               const tr_steering *steering) {
    tr_steering image = *steering;
    tr_action_mirror(model, map, steering->turn, image.turn);
    tr_action_mirror(model, map, steering->faster, image.faster);
    tr_action_mirror(model, map, steering->slower, image.slower);
    /* Left becomes right, hence the minus. */
    for (int i = 0; i < map->size; i++)
        image.turn[i] = 0 - image.turn[i];
    return image;
}

tr_driver_skill tr_steering_skill(const tr_steering *steering) {
    return (tr_driver_skill){.speed_mps = steering->speed_mps,
                             .turn_rad_s = steering->turn_rad_s,
                             .faster_mps = steering->faster_mps,
                             .slower_mps = steering->slower_mps};
}

_Static_assert(sizeof(tr_steering) == (4 + 3 * TR_ACTION_MAX) * sizeof(double),
               "doubles and nothing else");

void tr_steering_put(const tr_steering *steering, tr_section_writer *writer) {
    tr_section_put_doubles(writer, &steering->speed_mps, sizeof *steering / sizeof(double));
}

void tr_steering_get(tr_section_reader *reader, tr_steering *out) {
    tr_section_get_doubles(reader, &out->speed_mps, sizeof *out / sizeof(double));
}

tr_status tr_steering_save(const tr_steering *steering, int size, tr_sections *out,
                           tr_error *error) {
    if (!tr_steering_is_given(steering))
        return TR_OK;
    tr_section_writer writer = tr_section_begin(out, TR_STEERING_SECTION);
    writer.section.replaceable = true;
    tr_section_put_int(&writer, size);
    tr_steering_put(steering, &writer);
    return tr_section_end(&writer, error);
}

tr_status tr_steering_load(const tr_sections *in, int size, tr_steering *out, tr_error *error) {
    *out = (tr_steering){0};
    if (!tr_sections_find(in, TR_STEERING_SECTION))
        return TR_OK;
    tr_section_reader reader = tr_section_open(in, TR_STEERING_SECTION);
    tr_section_get_int(&reader, size, size);
    tr_steering_get(&reader, out);
    return tr_section_close(&reader, error);
}

/* --- the target --- */

const tr_state_field tr_steering_target_field[] = {
    TR_STATE_INT_FIELD(tr_steering_target, aim, TR_AIM_NONE, TR_AIM_CHARACTER),
    TR_STATE_DOUBLE_FIELD(tr_steering_target, heading_rad, -1000, 1000),
    TR_STATE_DOUBLE_FIELD(tr_steering_target, x, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_steering_target, y, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_INT_FIELD(tr_steering_target, character, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_steering_target, speed_mps, 0, 20),
    TR_STATE_TEXT_FIELD(tr_steering_target, skill),
};
const int tr_steering_target_field_count =
    sizeof tr_steering_target_field / sizeof *tr_steering_target_field;

bool tr_steering_target_is_valid(const tr_steering_target *target) {
    return (int)target->aim >= TR_AIM_NONE && target->aim <= TR_AIM_CHARACTER &&
           fabs(target->heading_rad) <= 1000 && isfinite(target->x) && isfinite(target->y) &&
           target->speed_mps >= 0 && target->speed_mps <= 20 &&
           memchr(target->skill, 0, sizeof target->skill);
}

tr_driver_reach tr_steering_reach(const tr_steering *s) {
    bool turns = s->turn_rad_s > 0, paces = s->faster_mps > 0 || s->slower_mps > 0;
    /* Speeds are limited to those that the learned actions span. */
    return (tr_driver_reach){.heading = turns,
                             .place = turns,
                             .slowest_mps = paces ? fmax(0, s->speed_mps - s->slower_mps) : 0,
                             .fastest_mps = paces ? s->speed_mps + s->faster_mps : 0};
}

static double clamp(double x, double low, double high) {
    return fmin(fmax(x, low), high);
}

tr_bearing tr_steering_bearing(const tr_steering_target *target, const tr_world *world,
                               const tr_state *state) {
    const tr_bearing none = {0, INFINITY};
    double heading = tr_quat_heading(state->pose.root_rot);
    tr_vec3 from = state->pose.root_pos, to = {target->x, target->y, 0};
    tr_state other;
    if (target->aim == TR_AIM_NONE)
        return none;
    if (target->aim == TR_AIM_HEADING)
        return (tr_bearing){tr_angle_wrap(target->heading_rad - heading), INFINITY};
    /* The place of a character is looked up in each step, so that it is followed. */
    if (target->aim == TR_AIM_CHARACTER) {
        if (tr_world_get_state(world, target->character, &other))
            return none;
        to = other.pose.root_pos;
    }
    /* At the point itself there is no direction left to aim in. */
    double dx = to.x - from.x, dy = to.y - from.y, distance = sqrt(dx * dx + dy * dy);
    return distance > 1e-9 ? (tr_bearing){tr_angle_wrap(tr_atan2(dy, dx) - heading), distance}
                           : none;
}

tr_bearing tr_bearing_for(tr_way way, tr_bearing bearing) {
    if (way != TR_WAY_AHEAD && isfinite(bearing.distance_m))
        bearing.turn_rad = tr_angle_wrap(bearing.turn_rad + (4 - (int)way) * (TR_PI / 2));
    return bearing;
}

/* --- following it --- */

/* Would full turn circle the aim instead of reaching it? With r the radius, d the distance and b
 * the bearing, the point is at (d cos b, d sin b), the centre at (0, r sign b). */
static bool is_out_of_reach(const tr_steering *steering, tr_bearing bearing) {
    double r = steering->speed_mps / steering->turn_rad_s, d = bearing.distance_m;
    double inner = (1 - MISSED_BY) * r;
    return isfinite(d) &&
           d * d - 2 * d * r * fabs(tr_sin(bearing.turn_rad)) + r * r < inner * inner;
}

/* Returns a turn that is proportional to the error of the heading, and full beyond. */
static double target_turn(const tr_steering *steering, tr_bearing bearing) {
    if (steering->turn_rad_s <= 0 || is_out_of_reach(steering, bearing))
        return 0;
    return clamp(APPROACH_PER_S * bearing.turn_rad / steering->turn_rad_s, -1, 1);
}

static double target_pace(const tr_steering *steering, double speed_mps) {
    double more = speed_mps == 0 ? 0 : speed_mps - steering->speed_mps;
    /* Input is the share of the learned change of speed, from -1 to 1. */
    double room = more > 0 ? steering->faster_mps : steering->slower_mps;
    return room > 0 ? clamp(more / room, -1, 1) : 0;
}

void tr_steering_follow(tr_steering_input *input, const tr_steering *steering,
                        const tr_steering_target *target, tr_bearing bearing, double span_s) {
    const double turn = target_turn(steering, bearing), most = INPUT_PER_S * span_s;
    /* The actions were learned one at a time: of characters that did both in full, half fell. */
    const double room = 1 - fmax(fabs(turn), fabs(input->turn));
    const double pace = clamp(target_pace(steering, target->speed_mps), -room, room);
    /* Inputs change slowly, as they did while the actions were learned. */
    input->turn += clamp(turn - input->turn, -most, most);
    input->pace += clamp(pace - input->pace, -most, most);
}

void tr_steering_add(const tr_model *model, const tr_action_map *map, const tr_steering *steering,
                     tr_steering_input input, bool mirrored, double *action) {
    double turn[TR_ACTION_MAX], pace[TR_ACTION_MAX], image[TR_ACTION_MAX];
    const double *change = input.pace > 0 ? steering->faster : steering->slower;
    if (input.turn == 0 && input.pace == 0)
        return;
    /* Actions grow linearly with the input; the zero input adds nothing. */
    for (int i = 0; i < map->size; i++) {
        turn[i] = input.turn * steering->turn[i];
        pace[i] = fabs(input.pace) * change[i];
    }
    /* The mirror image of a turn is one to the other side, hence the minus. */
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
