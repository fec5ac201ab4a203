#include "control/stage/intent.h"

#include "control/graph/control_graph.h"
#include "control/stage/ahead.h"
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

/* Trips lead straight ahead or aside: a place that lies aslant by these angles, rad, is steered to from
 * nearer on, m. */
static const double ASLANT_LEAST_RAD = 0.25, ASLANT_MOST_RAD = 0.8, NEAR_ASLANT_M = 1.2;

/* A steered character stops only where it will stand this near to the place, m. */
static const double STOPS_WITHIN_M = 1.2;

/* A place that has moved by this is another one; one that was reached and is this far outside the
 * radius is gone to again, m. */
static const double MOVED_M = 0.5, LEFT_M = 0.3;

/* When its reference has stopped, a character coasts on for this time, at its walking speed or at most
 * at this speed. Measured over stops of the shipped graph (logs of steering and hero-ready). */
static const double COAST_S = 0.3, COAST_MOST_MPS = 1.6;

/* What a second of a trip and a radian of its end's heading cost, m; and what a trip must gain. */
static const double COST_PER_S = 0.02, COST_PER_RAD = 0.3, GAIN_M = 0.05;

/* From a stand a character goes this far before it can stop again, m: a walk, and farther for each m/s
 * above that of a walk. Of a skill that is named, so many times its shortest trip. */
static const double SET_OFF_M = 2.5, SET_OFF_PER_MPS = 3.6, SET_OFF_TRIPS = 1.25;

/* Each m/s above that of a walk can bring a stop this much farther than foreseen, m: a run that has just
 * begun misses a chance, and a stop out of it ends 1.7 m behind its reference (the same log). */
static const double MISS_M = 1.9;

/* A character that walks backwards goes this much farther back, m, before its way to a stop leads ahead. */
static const double BACK_M = 1.2;

/* What is slower, and ends nearer, happens on the spot. */
static const double ON_THE_SPOT_MPS = 0.4, ON_THE_SPOT_M = 0.5;

static const tr_state_field intent_field[] = {
    TR_STATE_DOUBLE_FIELD(tr_intent, radius_m, 0, TR_INTENT_RADIUS_MAX_M),
    TR_STATE_DOUBLE_FIELD(tr_intent, facing_rad, -1000, 1000),
    TR_STATE_BOOL_FIELD(tr_intent, faces),
};
static const tr_state_field state_field[] = {
    TR_STATE_BOOL_FIELD(tr_intent_state, given),
    TR_STATE_BOOL_FIELD(tr_intent_state, arrived),
    TR_STATE_INT_FIELD(tr_intent_state, mode, TR_INTENT_GO, TR_INTENT_BLOCKED),
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

/* rests: it is in its skill of rest; still: it stands there; lost: the character that it follows is
 * gone; wanted_rad: the heading in which it is to go */
typedef struct view {
    const tr_runner *runner;
    const tr_world *world;
    tr_driver_reach reach;
    spot at;
    double forward_mps, place_x, place_y, distance_m, wanted_rad;
    tr_entity_id character;
    bool rests, still, down, lost, mirrored, looks_ahead;
} view;

static spot move(spot from, tr_displacement by) {
    const tr_displacement to =
        tr_displacement_join((tr_displacement){from.x, from.y, from.heading_rad}, by);
    return (spot){to.ahead_m, to.aside_m, to.turn_rad};
}

/* Returns where a character stops that makes this displacement and then coasts ahead. */
static spot stand_after(spot from, tr_displacement by, double forward_mps) {
    by.ahead_m += COAST_S * fmin(fmax(forward_mps, 0), COAST_MOST_MPS);
    return move(from, by);
}

static double distance(double x, double y, double to_x, double to_y) {
    return sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y));
}

static bool has_place(const tr_steering_target *wish) {
    return wish->aim == TR_AIM_POINT || wish->aim == TR_AIM_CHARACTER;
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
    *out = (view){.runner = runner,
                  .world = world,
                  .character = character,
                  .reach = tr_driver_reach_of(runner->controller->driver)};
    out->at = (spot){body.pose.root_pos.x, body.pose.root_pos.y, heading};
    out->forward_mps = vx * tr_cos(heading) + vy * tr_sin(heading);
    out->down = doing.down;
    out->mirrored = doing.mirrored;
    /* It may stand, and yet not be still: a stop takes a moment. */
    out->rests = out->reach.rest && strcmp(doing.text, out->reach.rest) == 0;
    out->still = out->rests && sqrt(vx * vx + vy * vy) < STILL_MPS;
    out->place_x = wish->x;
    out->place_y = wish->y;
    out->lost =
        wish->aim == TR_AIM_CHARACTER && tr_world_get_state(world, wish->character, &other) != 0;
    /* The place of a character moves with it. */
    if (wish->aim == TR_AIM_CHARACTER && !out->lost) {
        out->place_x = other.pose.root_pos.x;
        out->place_y = other.pose.root_pos.y;
    }
    out->distance_m = distance(out->at.x, out->at.y, out->place_x, out->place_y);
    out->wanted_rad = wish->aim == TR_AIM_HEADING ? wish->heading_rad : heading;
    if (has_place(wish) && !out->lost)
        out->wanted_rad = tr_atan2(out->place_y - out->at.y, out->place_x - out->at.x);
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

/* Gives the trips that its controller knows, and returns their number. */
static int trips_of(const view *v, const tr_driver_trip **out) {
    const tr_driver driver = v->runner->controller->driver;
    *out = NULL;
    return driver.kind->trips ? driver.kind->trips(driver.content, out) : 0;
}

/* Returns where a trip ends. In the mirrored half it leads to the other side, except for skills that
 * have one side only. */
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

/* Is the way clear to a spot, as far as the stage looks ahead? */
static bool is_clear(const view *v, spot end) {
    const tr_stretch way = {v->at.x, v->at.y, end.x, end.y};
    return !v->looks_ahead || tr_ahead_is_clear(v->world, v->character, way);
}

/* What there is for a place: no trip that is better than to stay, such trips without a clear way, or a
 * trip that was chosen. */
typedef enum tr_trip_choice { NO_TRIP, NO_CLEAR_TRIP, TRIP_CHOSEN } tr_trip_choice;

/* Chooses the first trip of the one or two that end best. */
static tr_trip_choice choose_trip(tr_intent_state *s, const view *v) {
    const tr_driver_trip *trip, *best = NULL;
    const int count = trips_of(v, &trip);
    const tr_control_graph *graph =
        tr_driver_content(v->runner->controller->driver, &tr_graph_kind);
    const tr_vec3 normal = tr_world_local_ground(v->world, v->character).normal;
    double least = end_cost(&s->intent, v, v->at) - GAIN_M;
    bool barred = false;
    for (int i = 0; i < count; i++) {
        const spot first = trip_end(v, v->at, &trip[i]);
        const double spent = COST_PER_S * trip[i].time_s;
        double cost = spent + end_cost(&s->intent, v, first);
        /* A first trip that alone gains nothing is not extended. */
        if (cost < least)
            cost = fmin(cost, spent + best_after(&s->intent, v, first, trip, count));
        if (cost >= least || (graph && tr_control_graph_is_too_steep(graph, trip[i].skill, normal)))
            continue;
        if (is_clear(v, first)) {
            least = cost;
            best = &trip[i];
        } else {
            barred = true;
        }
    }
    if (best) {
        const spot end = trip_end(v, v->at, best);
        memset(s->skill, 0, sizeof s->skill);
        memcpy(s->skill, best->skill, strlen(best->skill));
        s->end_x = end.x;
        s->end_y = end.y;
        s->end_rad = end.heading_rad;
    }
    return best ? TRIP_CHOSEN : barred ? NO_CLEAR_TRIP : NO_TRIP;
}

/* Decides what a character that stands does about its place. */
static tr_intent_mode decide_standing(tr_intent_state *s, const view *v) {
    if (v->distance_m < radius_of(&s->intent) && !s->intent.faces)
        return TR_INTENT_STAY;
    const double off_rad = fabs(tr_angle_wrap(v->wanted_rad - v->at.heading_rad));
    const bool aslant = off_rad > ASLANT_LEAST_RAD && off_rad < ASLANT_MOST_RAD;
    if (v->distance_m > (aslant ? NEAR_ASLANT_M : NEAR_M))
        return TR_INTENT_GO;
    const tr_trip_choice choice = choose_trip(s, v);
    if (choice != NO_TRIP)
        return choice == TRIP_CHOSEN ? TR_INTENT_TRIP : TR_INTENT_BLOCKED;
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

/* Foresees the way to rest. false: no way, or it rests. */
static bool foresee_rest(const view *v, tr_driver_way *out) {
    const tr_steering_target rest = rest_target(v);
    const tr_vec3 normal = tr_world_local_ground(v->world, v->character).normal;
    return tr_runner_foresee(v->runner, &rest, normal, out);
}

/* Should it stop now? Yes, if it then stands nearer than when it stops at the next chance. */
static bool should_stop(const tr_intent_state *s, const view *v) {
    tr_driver_way way;
    if (!foresee_rest(v, &way))
        return false;
    const double now = miss(s, v, stand_after(v->at, way.travel, v->forward_mps));
    const double later = miss(s, v, stand_after(v->at, way.later, v->forward_mps));
    return now <= later && (s->mode == TR_INTENT_TRIP || now < STOPS_WITHIN_M);
}

/* The mode is chosen for a place: another place asks for another decision. */
static void choose_mode(tr_intent_state *s, const view *v) {
    const bool moved = distance(s->place_x, s->place_y, v->place_x, v->place_y) > MOVED_M;
    if (moved || v->down) {
        /* A blocked character stops before it decides again. */
        if (s->mode != TR_INTENT_BLOCKED)
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

/* Returns the target of the mode. */
static tr_steering_target mode_target(const tr_intent_state *s, const view *v) {
    tr_steering_target target = {0};
    if (s->mode == TR_INTENT_GO)
        return go_target(s, v);
    if (s->mode != TR_INTENT_TRIP)
        return rest_target(v);
    memcpy(target.skill, s->skill, sizeof target.skill);
    return target;
}

static tr_steering_target place_target(tr_intent_state *s, const view *v) {
    if (!v->reach.rest)
        return go_target(s, v);
    choose_mode(s, v);
    return mode_target(s, v);
}

/* --- what lies ahead --- */

/* Returns how far it goes at least when it leaves its rest. 0: the target's skill goes nowhere. */
static double set_off_m(const view *v, const tr_steering_target *target) {
    const tr_driver_trip *trip;
    const int count = trips_of(v, &trip);
    double least_m = INFINITY;
    if (target->skill[0] == 0)
        return SET_OFF_M + SET_OFF_PER_MPS * fmax(0, target->speed_mps - WALK_MPS);
    for (int i = 0; i < count; i++)
        if (strcmp(trip[i].skill, target->skill) == 0)
            least_m = fmin(least_m, SET_OFF_TRIPS * trip[i].travel.ahead_m);
    return isfinite(least_m) ? fmax(least_m, 0) : 0;
}

/* Does it perform a skill on the spot: slowly, and every trip of that skill ends near where it begins? */
static bool is_on_the_spot(const view *v, const tr_steering_target *target) {
    const tr_driver_trip *trip;
    const int count = trips_of(v, &trip);
    double farthest_m = -1;
    for (int i = 0; i < count; i++)
        if (strcmp(trip[i].skill, target->skill) == 0)
            farthest_m =
                fmax(farthest_m, distance(0, 0, trip[i].travel.ahead_m, trip[i].travel.aside_m));
    return v->forward_mps < ON_THE_SPOT_MPS && farthest_m >= 0 && farthest_m < ON_THE_SPOT_M;
}

/* May it leave its rest? It must be able to stop again before a wall or an edge, both where it looks,
 * for it begins to walk there, and where it is to go. */
static bool may_set_off(const view *v, const tr_steering_target *target) {
    const double far_m = set_off_m(v, target);
    const double there_m = has_place(target) ? fmin(far_m, v->distance_m) : far_m;
    const spot turned = {v->at.x, v->at.y, v->wanted_rad};
    return is_clear(v, move(v->at, (tr_displacement){.ahead_m = far_m})) &&
           is_clear(v, move(turned, (tr_displacement){.ahead_m = there_m}));
}

/* Chooses a trip away from what is ahead, towards where it is to go; false: it can go neither way. */
static bool leave_by_trip(tr_intent_state *s, const view *v) {
    const spot turned = {v->at.x, v->at.y, v->wanted_rad};
    const spot beyond = move(turned, (tr_displacement){.ahead_m = SET_OFF_M});
    view there = *v;
    there.place_x = beyond.x;
    there.place_y = beyond.y;
    if (!is_clear(v, beyond) || choose_trip(s, &there) != TRIP_CHOSEN)
        return false;
    s->mode = TR_INTENT_TRIP;
    return true;
}

/* Can it still stop at the chance after the next? A fast one misses the end of its reference by more. */
static bool may_continue(const view *v) {
    tr_driver_way way;
    if (!foresee_rest(v, &way))
        return true;
    way.later.ahead_m += MISS_M * fmax(0, v->forward_mps - WALK_MPS);
    const bool backs = v->forward_mps < -ON_THE_SPOT_MPS;
    return is_clear(v, stand_after(v->at, way.later, v->forward_mps)) &&
           (!backs || is_clear(v, move(v->at, (tr_displacement){.ahead_m = -BACK_M})));
}

/* Stops before walls and edges, and passes others. What cannot stand only passes. */
static void heed_ahead(tr_intent_state *s, const view *v, tr_steering_target *target) {
    if (v->down || (v->reach.rest && strcmp(target->skill, v->reach.rest) == 0))
        return;
    /* The way of a trip was looked at when it was chosen. */
    if (s->mode == TR_INTENT_TRIP)
        return;
    const bool stops = s->mode == TR_INTENT_BLOCKED && !v->still;
    const bool free =
        is_on_the_spot(v, target) || (v->rests ? may_set_off(v, target) : may_continue(v));
    if (v->reach.rest && (stops || !free)) {
        const bool leaves = v->still && leave_by_trip(s, v);
        s->mode = leaves ? TR_INTENT_TRIP : TR_INTENT_BLOCKED;
        *target = mode_target(s, v);
        return;
    }
    if (s->mode == TR_INTENT_BLOCKED)
        s->mode = TR_INTENT_GO;
    const bool goes = target->aim != TR_AIM_NONE || v->forward_mps > ON_THE_SPOT_MPS;
    const tr_entity_id followed = target->aim == TR_AIM_CHARACTER ? target->character : 0;
    const double within_m = has_place(target) ? v->distance_m : (double)INFINITY;
    const double off_rad =
        v->reach.heading && goes
            ? tr_ahead_pass(v->world, v->character, v->wanted_rad, within_m, followed)
            : 0;
    if (off_rad != 0) {
        target->aim = TR_AIM_HEADING;
        target->heading_rad = tr_angle_wrap(v->wanted_rad + off_rad);
    }
}

/* --- following --- */

/* Returns the target of an intent without a place. Such a character stops or takes a trip only because of
 * a wall or an edge. */
static tr_steering_target plain_target(tr_intent_state *s, const view *v) {
    if (s->mode == TR_INTENT_TRIP && !v->rests && should_stop(s, v))
        s->mode = TR_INTENT_STOP;
    if (s->mode == TR_INTENT_STOP && (v->still || v->down || !v->reach.rest))
        s->mode = TR_INTENT_GO;
    if (s->mode == TR_INTENT_TRIP || s->mode == TR_INTENT_STOP)
        return mode_target(s, v);
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
    const bool blocked = state->mode == TR_INTENT_BLOCKED;
    *state = (tr_intent_state){.given = true, .intent = *intent};
    tr_intent_continue(state, runner, world, character);
    /* It stops first, and then looks along the new way. */
    if (blocked)
        state->mode = TR_INTENT_STOP;
}

bool tr_intent_follow(tr_intent_state *state, tr_runner *runner, const tr_world *world,
                      tr_entity_id character, bool looks_ahead) {
    view v;
    if (!state->given || !look(runner, world, character, &state->intent.wish, &v))
        return false;
    const bool goes_there = has_place(&state->intent.wish) && !v.lost;
    const bool arrived = goes_there && arrives(state, &v);
    v.looks_ahead = looks_ahead;
    runner->target = goes_there ? place_target(state, &v) : plain_target(state, &v);
    if (looks_ahead)
        heed_ahead(state, &v, &runner->target);
    return arrived;
}
