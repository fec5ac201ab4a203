#include "control/stage/intent.h"

#include "math/elementary.h"
#include "math/hash.h"

#include <math.h>
#include <string.h>

/* The speed of an unhurried walk, m/s: what people choose on level ground (Bohannon 1997). */
static const double WALK_MPS = 1.3;

/* The speed at which a place is approached, of its distance, 1/s: it runs only where the distance
 * allows it. */
static const double SPEED_PER_M = 0.7;

/* A character slower than this stands, m/s. */
static const double STILL_MPS = 0.15;

/* A place nearer than this is planned by trips from a stand; farther ones are steered to, m. */
static const double NEAR_M = 2.5;

/* A steered character stops only where it will stand this near to the place, m. */
static const double STOPS_WITHIN_M = 1.2;

/* A place that has moved by this is another one; one that was reached and is this far outside the
 * radius is gone to again, m. */
static const double MOVED_M = 0.5, LEFT_M = 0.3;

/* When its reference has stopped, a character coasts on for this time, at its walking speed or at most
 * at this speed. Measured over the stops of the shipped graph ('troupe-bench steer'). */
static const double COAST_S = 0.3, COAST_MOST_MPS = 0.8;

/* What a second of a trip and a radian of its end's heading cost, m; and what a trip must gain. */
static const double COST_PER_S = 0.02, COST_PER_RAD = 0.3, GAIN_M = 0.05;

static const tr_state_field intent_field[] = {
    TR_STATE_DOUBLE_FIELD(tr_intent, radius_m, 0, TR_INTENT_RADIUS_MAX_M),
    TR_STATE_DOUBLE_FIELD(tr_intent, facing_rad, -1000, 1000),
    TR_STATE_BOOL_FIELD(tr_intent, faces),
};
static const tr_state_field state_field[] = {
    TR_STATE_BOOL_FIELD(tr_intent_state, given),
    TR_STATE_BOOL_FIELD(tr_intent_state, arrived),
    TR_STATE_INT_FIELD(tr_intent_state, mode, TR_INTENT_GO, TR_INTENT_STAY),
    TR_STATE_TEXT_FIELD(tr_intent_state, skill),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, end_x, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, end_y, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, end_rad, -1000, 1000),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, speed_mps, 0, 20),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, place_x, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, place_y, -TR_STATE_ANY, TR_STATE_ANY),
};
enum {
    INTENT_FIELDS = sizeof intent_field / sizeof *intent_field,
    STATE_FIELDS = sizeof state_field / sizeof *state_field
};

bool tr_intent_is_valid(const tr_intent *intent) {
    return tr_steering_target_is_valid(&intent->wish) && intent->radius_m >= 0 &&
           intent->radius_m <= TR_INTENT_RADIUS_MAX_M && fabs(intent->facing_rad) <= 1000;
}

/* --- in bytes --- */

static uint64_t hash_intent(const tr_intent *intent, uint64_t hash) {
    hash = tr_state_fields_hash(tr_steering_target_field, tr_steering_target_field_count,
                                &intent->wish, hash);
    return tr_state_fields_hash(intent_field, INTENT_FIELDS, intent, hash);
}

uint64_t tr_intent_hash(const tr_intent_state *state, uint64_t hash) {
    hash = hash_intent(&state->intent, hash);
    return tr_state_fields_hash(state_field, STATE_FIELDS, state, hash);
}

void tr_intent_write(const tr_intent_state *state, tr_byte_writer *writer) {
    tr_state_fields_write(tr_steering_target_field, tr_steering_target_field_count,
                          &state->intent.wish, writer);
    tr_state_fields_write(intent_field, INTENT_FIELDS, &state->intent, writer);
    tr_state_fields_write(state_field, STATE_FIELDS, state, writer);
}

/* Could this state have come about? */
static bool fits(const tr_intent_state *state) {
    const tr_intent_state none = {0};
    if (!state->given)
        return tr_intent_hash(state, TR_HASH_START) == tr_intent_hash(&none, TR_HASH_START);
    return tr_intent_is_valid(&state->intent) &&
           (state->mode != TR_INTENT_TRIP || state->skill[0] != 0);
}

bool tr_intent_read(tr_byte_reader *source, tr_intent_state *out) {
    return tr_state_fields_read(tr_steering_target_field, tr_steering_target_field_count, source,
                                &out->intent.wish, NULL) &&
           tr_state_fields_read(intent_field, INTENT_FIELDS, source, &out->intent, NULL) &&
           tr_state_fields_read(state_field, STATE_FIELDS, source, out, NULL) && fits(out);
}

/* --- what is seen at a decision --- */

/* A place on the ground with a heading. */
typedef struct spot {
    double x, y, heading_rad;
} spot;

/* still: it stands in its skill of rest; lost: the character that it follows is gone */
typedef struct view {
    const tr_runner *runner;
    tr_driver_reach reach;
    spot at;
    double forward_mps;
    bool still, down, lost, mirrored;
    double place_x, place_y, distance_m;
} view;

static spot move(spot from, tr_displacement by) {
    const double c = tr_cos(from.heading_rad), s = tr_sin(from.heading_rad);
    return (spot){from.x + c * by.ahead_m - s * by.aside_m,
                  from.y + s * by.ahead_m + c * by.aside_m, from.heading_rad + by.turn_rad};
}

/* Returns where a character stops that makes this displacement and then coasts ahead. */
static spot stand_after(spot from, tr_displacement by, double forward_mps) {
    by.ahead_m += COAST_S * fmin(fmax(forward_mps, 0), COAST_MOST_MPS);
    return move(from, by);
}

static double distance(double x, double y, double to_x, double to_y) {
    return sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y));
}

/* false: no such character. */
static bool look(const tr_runner *runner, const tr_world *world, tr_entity_id character,
                 const tr_steering_target *wish, view *out) {
    tr_state body, other;
    tr_doing doing;
    if (tr_world_get_state(world, character, &body))
        return false;
    tr_runner_look(runner, &doing);
    const double heading = tr_quat_heading(body.pose.root_rot);
    const double vx = body.root_vel.x, vy = body.root_vel.y;
    *out = (view){.runner = runner, .reach = tr_driver_reach_of(runner->controller->driver)};
    out->at = (spot){body.pose.root_pos.x, body.pose.root_pos.y, heading};
    out->forward_mps = vx * tr_cos(heading) + vy * tr_sin(heading);
    out->down = doing.down;
    out->mirrored = doing.mirrored;
    out->still = out->reach.rest && strcmp(doing.text, out->reach.rest) == 0 &&
                 sqrt(vx * vx + vy * vy) < STILL_MPS;
    out->place_x = wish->x;
    out->place_y = wish->y;
    out->lost =
        wish->aim == TR_AIM_CHARACTER && tr_world_get_state(world, wish->character, &other) != 0;
    if (wish->aim == TR_AIM_CHARACTER && !out->lost) {
        out->place_x = other.pose.root_pos.x;
        out->place_y = other.pose.root_pos.y;
    }
    out->distance_m = distance(out->at.x, out->at.y, out->place_x, out->place_y);
    return true;
}

/* --- targets --- */

static bool asks_nothing(const tr_steering_target *wish) {
    return wish->aim == TR_AIM_NONE && wish->speed_mps == 0 && wish->skill[0] == 0;
}

/* Returns the target for rest; without a skill for it, none. */
static tr_steering_target rest_target(const view *v) {
    tr_steering_target target = {0};
    if (v->reach.rest)
        memcpy(target.skill, v->reach.rest, strlen(v->reach.rest) + 1);
    return target;
}

static double walking_mps(const tr_driver_reach *reach) {
    return reach->fastest_mps > 0 ? fmin(fmax(WALK_MPS, reach->slowest_mps), reach->fastest_mps)
                                  : 0;
}

static bool has_place(const tr_steering_target *wish) {
    return wish->aim == TR_AIM_POINT || wish->aim == TR_AIM_CHARACTER;
}

/* The speed for a wish that goes somewhere and names neither skill nor speed: the present one, at
 * least that of a walk. What cannot stand goes already. */
static double speed_for(const tr_steering_target *wish, const view *v) {
    if (!v->reach.rest || wish->aim == TR_AIM_NONE || wish->skill[0] != 0 || wish->speed_mps != 0)
        return 0;
    return fmin(fmax(walking_mps(&v->reach), v->forward_mps), v->reach.fastest_mps);
}

static tr_steering_target go_target(const tr_intent_state *s, const view *v) {
    tr_steering_target target = s->intent.wish;
    const double walks = walking_mps(&v->reach);
    if (target.speed_mps == 0)
        target.speed_mps = s->speed_mps;
    if (has_place(&target) && v->reach.rest && target.speed_mps > walks)
        target.speed_mps = fmax(walks, fmin(target.speed_mps, SPEED_PER_M * v->distance_m));
    return target;
}

/* --- places --- */

static double radius_of(const tr_intent *intent) {
    return intent->radius_m > 0 ? intent->radius_m : TR_INTENT_RADIUS_M;
}

static double heading_cost(const tr_intent *intent, double heading_rad) {
    return intent->faces ? COST_PER_RAD * fabs(tr_angle_wrap(heading_rad - intent->facing_rad)) : 0;
}

/* Returns what it costs to end at a spot: its distance from the place, which counts little within the
 * radius, and the heading that is asked for. */
static double end_cost(const tr_intent *intent, const view *v, spot end) {
    const double off = distance(end.x, end.y, v->place_x, v->place_y), radius = radius_of(intent);
    return (off < radius ? 0.3 * off : off - 0.7 * radius) + heading_cost(intent, end.heading_rad);
}

/* In the mirrored half a trip goes to the other side, unless its skill has a side of its own. */
static spot trip_end(const view *v, spot from, const tr_driver_trip *trip) {
    tr_displacement by = trip->travel;
    if (v->mirrored && !trip->sided) {
        by.aside_m = 0 - by.aside_m;
        by.turn_rad = 0 - by.turn_rad;
    }
    return stand_after(from, by, by.ahead_m / trip->time_s);
}

/* What the best trip from a spot costs. */
static double best_after(const tr_intent *intent, const view *v, spot from,
                         const tr_driver_trip *trip, int count) {
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        const spot end = trip_end(v, from, &trip[k]);
        least = fmin(least, COST_PER_S * trip[k].time_s + end_cost(intent, v, end));
    }
    return least;
}

static void set_trip(tr_intent_state *s, const view *v, const tr_driver_trip *trip) {
    const spot end = trip_end(v, v->at, trip);
    memset(s->skill, 0, sizeof s->skill);
    memcpy(s->skill, trip->skill, strlen(trip->skill));
    s->end_x = end.x;
    s->end_y = end.y;
    s->end_rad = tr_angle_wrap(end.heading_rad);
}

/* Chooses the first trip of the one or two that end best; false: none is better than to stay. */
static bool choose_trip(tr_intent_state *s, const view *v) {
    const tr_driver driver = v->runner->controller->driver;
    const tr_driver_trip *trip = NULL, *best = NULL;
    const int count = driver.kind->trips ? driver.kind->trips(driver.content, &trip) : 0;
    double least = end_cost(&s->intent, v, v->at) - GAIN_M;
    for (int i = 0; i < count; i++) {
        const spot first = trip_end(v, v->at, &trip[i]);
        const double spent = COST_PER_S * trip[i].time_s;
        double cost = spent + end_cost(&s->intent, v, first);
        /* A first trip that alone gains nothing is not extended. */
        if (cost < least)
            cost = fmin(cost, spent + best_after(&s->intent, v, first, trip, count));
        if (cost < least) {
            least = cost;
            best = &trip[i];
        }
    }
    if (best)
        set_trip(s, v, best);
    return best != NULL;
}

/* Decides what a character that stands does about its place. */
static tr_intent_mode decide_standing(tr_intent_state *s, const view *v) {
    if (v->distance_m < radius_of(&s->intent) && !s->intent.faces)
        return TR_INTENT_STAY;
    if (v->distance_m > NEAR_M)
        return TR_INTENT_GO;
    if (choose_trip(s, v))
        return TR_INTENT_TRIP;
    /* No trip brings it nearer: it walks around, or is as near as it comes. */
    return v->distance_m > STOPS_WITHIN_M ? TR_INTENT_GO : TR_INTENT_STAY;
}

/* How far a spot misses the end of the trip or the place; a wider radius than the default one forgives
 * as much. */
static double miss(const tr_intent_state *s, const view *v, spot end) {
    if (s->mode == TR_INTENT_TRIP)
        return distance(end.x, end.y, s->end_x, s->end_y) +
               COST_PER_RAD * fabs(tr_angle_wrap(end.heading_rad - s->end_rad));
    const double wider_m = fmax(0, radius_of(&s->intent) - TR_INTENT_RADIUS_M);
    return fmax(0, distance(end.x, end.y, v->place_x, v->place_y) - wider_m);
}

/* Is now the time to stop? It is if it comes to stand nearer than by stopping at the next chance. */
static bool should_stop(const tr_intent_state *s, const view *v) {
    const tr_driver driver = v->runner->controller->driver;
    const tr_steering_target rest = rest_target(v);
    tr_driver_way way;
    if (!driver.kind->foresee || !driver.kind->foresee(driver.content, v->runner->state, &rest,
                                                       v->runner->controller->step_s, &way))
        return false;
    const double now = miss(s, v, stand_after(v->at, way.travel, v->forward_mps));
    const double later = miss(s, v, stand_after(v->at, way.later, v->forward_mps));
    return now <= later && (s->mode == TR_INTENT_TRIP || now < STOPS_WITHIN_M);
}

/* The mode is chosen for a place: another place asks for another decision. */
static void choose_mode(tr_intent_state *s, const view *v) {
    const bool moved = distance(s->place_x, s->place_y, v->place_x, v->place_y) > MOVED_M;
    if (moved || v->down) {
        s->mode = TR_INTENT_GO;
        s->place_x = v->place_x;
        s->place_y = v->place_y;
    }
    const bool goes = s->mode == TR_INTENT_GO || s->mode == TR_INTENT_TRIP;
    if (v->still && s->mode != TR_INTENT_STAY)
        s->mode = decide_standing(s, v);
    /* Something has moved a character that stayed: it decides again when it stands. */
    else if (!v->still && (s->mode == TR_INTENT_STAY || (goes && should_stop(s, v))))
        s->mode = TR_INTENT_STOP;
}

/* Returns whether it has just come within the radius, standing if it can stand. */
static bool arrives(tr_intent_state *s, const view *v) {
    const double radius = radius_of(&s->intent);
    const bool before = s->arrived;
    if (s->arrived)
        s->arrived = v->distance_m < radius + LEFT_M;
    else
        s->arrived = v->distance_m < radius && (v->still || !v->reach.rest);
    /* It was pushed away, or the place has left. */
    if (before && !s->arrived)
        s->mode = TR_INTENT_GO;
    return s->arrived && !before;
}

static tr_steering_target place_target(tr_intent_state *s, const view *v) {
    tr_steering_target target = {0};
    if (!v->reach.rest)
        return go_target(s, v);
    choose_mode(s, v);
    if (s->mode == TR_INTENT_GO)
        return go_target(s, v);
    if (s->mode != TR_INTENT_TRIP)
        return rest_target(v);
    memcpy(target.skill, s->skill, sizeof target.skill);
    return target;
}

/* --- following --- */

/* The target for what asks for no place. */
static tr_steering_target plain_target(const tr_intent_state *s, const view *v) {
    return v->lost || asks_nothing(&s->intent.wish) ? rest_target(v) : go_target(s, v);
}

void tr_intent_continue(tr_intent_state *state, tr_runner *runner, const tr_world *world,
                        tr_entity_id character) {
    view v;
    state->mode = TR_INTENT_GO;
    if (!state->given || !runner->controller ||
        !look(runner, world, character, &state->intent.wish, &v))
        return;
    state->speed_mps = speed_for(&state->intent.wish, &v);
    state->place_x = v.place_x;
    state->place_y = v.place_y;
    runner->target = plain_target(state, &v);
}

void tr_intent_begin(tr_intent_state *state, const tr_intent *intent, tr_runner *runner,
                     const tr_world *world, tr_entity_id character) {
    const uint64_t before = hash_intent(&state->intent, TR_HASH_START);
    if (state->given && hash_intent(intent, TR_HASH_START) == before)
        return;
    *state = (tr_intent_state){.given = true, .intent = *intent};
    tr_intent_continue(state, runner, world, character);
}

bool tr_intent_follow(tr_intent_state *state, tr_runner *runner, const tr_world *world,
                      tr_entity_id character) {
    view v;
    if (!state->given || !look(runner, world, character, &state->intent.wish, &v))
        return false;
    if (!has_place(&state->intent.wish) || v.lost) {
        runner->target = plain_target(state, &v);
        return false;
    }
    const bool arrived = arrives(state, &v);
    runner->target = place_target(state, &v);
    return arrived;
}
