#include "control/stage/intent.h"

#include "math/elementary.h"

#include <math.h>
#include <string.h>

/* The speed of a walk that nobody hurries, m/s: what people choose on level ground (Bohannon 1997). */
static const double WALK_MPS = 1.3;

/* The speed at which a place at this distance is approached, 1/s: run only where there is way for
 * it. */
static const double SPEED_PER_M = 0.7;

/* A character slower than this stands, m/s. */
static const double STILL_MPS = 0.15;

/* A place nearer than this is planned by trips from a stand; farther ones are steered to, m. */
static const double NEAR_M = 2.5;

/* Steered, it stops only if it comes to stand within this of the place, m. */
static const double STOPS_WITHIN_M = 1.2;

/* A place that has moved by this is another one; one that was reached and is this far outside the
 * radius is gone to again, m. */
static const double MOVED_M = 0.5, LEFT_M = 0.3;

/* Where a reference has come to rest the character still coasts: by its walking speed, at most this,
 * for so long. Measured over the stops of the shipped graph ('troupe-bench steer'). */
static const double COAST_S = 0.3, COAST_MOST_MPS = 0.8;

/* What a second of a trip and a radian of its end's heading cost, m; and what a trip must gain. */
static const double COST_PER_S = 0.02, COST_PER_RAD = 0.3, GAIN_M = 0.05;

const tr_state_field tr_intent_field[] = {
    TR_STATE_BOOL_FIELD(tr_intent_state, given),
    TR_STATE_BOOL_FIELD(tr_intent_state, arrived),
    TR_STATE_INT_FIELD(tr_intent_state, mode, TR_INTENT_GO, TR_INTENT_STAY),
    TR_STATE_INT_FIELD(tr_intent_state, intent.wish.aim, TR_AIM_NONE, TR_AIM_CHARACTER),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, intent.wish.heading_rad, -1000, 1000),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, intent.wish.x, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, intent.wish.y, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_INT_FIELD(tr_intent_state, intent.wish.character, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, intent.wish.speed_mps, 0, 20),
    TR_STATE_TEXT_FIELD(tr_intent_state, intent.wish.skill),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, intent.radius_m, 0, TR_INTENT_RADIUS_MAX_M),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, intent.facing_rad, -1000, 1000),
    TR_STATE_BOOL_FIELD(tr_intent_state, intent.faces),
    TR_STATE_TEXT_FIELD(tr_intent_state, skill),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, end_x, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, end_y, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, end_rad, -1000, 1000),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, place_x, -TR_STATE_ANY, TR_STATE_ANY),
    TR_STATE_DOUBLE_FIELD(tr_intent_state, place_y, -TR_STATE_ANY, TR_STATE_ANY),
};
const int tr_intent_field_count = sizeof tr_intent_field / sizeof *tr_intent_field;

bool tr_intent_is_valid(const tr_intent *intent) {
    return tr_steering_target_is_valid(&intent->wish) && intent->radius_m >= 0 &&
           intent->radius_m <= TR_INTENT_RADIUS_MAX_M && fabs(intent->facing_rad) <= 1000;
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
    bool still, down, lost;
    double place_x, place_y, distance_m;
} view;

static spot move(spot from, tr_displacement by) {
    const double c = tr_cos(from.heading_rad), s = tr_sin(from.heading_rad);
    return (spot){from.x + c * by.ahead_m - s * by.aside_m,
                  from.y + s * by.ahead_m + c * by.aside_m, from.heading_rad + by.turn_rad};
}

/* The spot at which a character comes to rest that goes by a displacement at this speed before. */
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

/* A wish that goes somewhere without a word about skill and speed goes at the present speed, at least
 * at a walk. What cannot stand goes already. */
static tr_steering_target with_speed(tr_steering_target wish, const view *v) {
    if (v->reach.rest && wish.aim != TR_AIM_NONE && wish.skill[0] == 0 && wish.speed_mps == 0)
        wish.speed_mps = fmin(fmax(walking_mps(&v->reach), v->forward_mps), v->reach.fastest_mps);
    return wish;
}

static tr_steering_target go_target(const tr_intent *intent, const view *v) {
    tr_steering_target target = intent->wish;
    const double walks = walking_mps(&v->reach);
    if (target.speed_mps > walks)
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

static spot trip_end(spot from, const tr_driver_trip *trip) {
    return stand_after(from, trip->travel, trip->travel.ahead_m / trip->time_s);
}

/* Chooses the first trip of the one or two that end best; false: none is better than to stay. */
static bool choose_trip(tr_intent_state *s, const view *v) {
    const tr_driver driver = v->runner->controller->driver;
    const tr_driver_trip *trip = NULL, *best = NULL;
    const int count = driver.kind->trips ? driver.kind->trips(driver.content, &trip) : 0;
    double least = end_cost(&s->intent, v, v->at) - GAIN_M;
    for (int i = 0; i < count; i++) {
        const spot first = trip_end(v->at, &trip[i]);
        const double spent = COST_PER_S * trip[i].time_s;
        double cost = spent + end_cost(&s->intent, v, first);
        /* What leads away first ends farther from where it should. */
        const bool nearer = cost < least;
        for (int k = 0; nearer && k < count; k++) {
            const spot second = trip_end(first, &trip[k]);
            cost =
                fmin(cost, spent + COST_PER_S * trip[k].time_s + end_cost(&s->intent, v, second));
        }
        if (cost < least) {
            least = cost;
            best = &trip[i];
        }
    }
    if (!best)
        return false;
    const spot end = trip_end(v->at, best);
    memset(s->skill, 0, sizeof s->skill);
    memcpy(s->skill, best->skill, strlen(best->skill));
    s->end_x = end.x;
    s->end_y = end.y;
    s->end_rad = tr_angle_wrap(end.heading_rad);
    return true;
}

/* Decides what a character that stands does about its place. */
static tr_intent_mode decide_standing(tr_intent_state *s, const view *v) {
    if (v->distance_m > NEAR_M)
        return TR_INTENT_GO;
    if (choose_trip(s, v))
        return TR_INTENT_TRIP;
    /* No trip brings it nearer: it walks around, or is as near as it comes. */
    return v->distance_m > STOPS_WITHIN_M ? TR_INTENT_GO : TR_INTENT_STAY;
}

/* Is now the time to stop? It is if it comes to stand nearer than by stopping at the next chance. */
static bool should_stop(const tr_intent_state *s, const view *v) {
    const tr_driver driver = v->runner->controller->driver;
    const tr_steering_target rest = rest_target(v);
    const bool trip = s->mode == TR_INTENT_TRIP;
    const spot goal =
        trip ? (spot){s->end_x, s->end_y, s->end_rad} : (spot){v->place_x, v->place_y, 0};
    tr_driver_way way;
    if (!driver.kind->foresee || !driver.kind->foresee(driver.content, v->runner->state, &rest,
                                                       v->runner->controller->step_s, &way))
        return false;
    const spot now = stand_after(v->at, way.travel, v->forward_mps);
    const spot later = stand_after(v->at, way.later, v->forward_mps);
    double now_m = distance(now.x, now.y, goal.x, goal.y);
    double later_m = distance(later.x, later.y, goal.x, goal.y);
    if (!trip && now_m > STOPS_WITHIN_M)
        return false;
    if (trip) {
        now_m += COST_PER_RAD * fabs(tr_angle_wrap(now.heading_rad - goal.heading_rad));
        later_m += COST_PER_RAD * fabs(tr_angle_wrap(later.heading_rad - goal.heading_rad));
    }
    return now_m <= later_m;
}

/* The mode is chosen for a place: another place asks for another decision. */
static void choose_mode(tr_intent_state *s, const view *v) {
    const bool moved = distance(s->place_x, s->place_y, v->place_x, v->place_y) > MOVED_M;
    if (moved || v->down) {
        s->mode = TR_INTENT_GO;
        s->place_x = v->place_x;
        s->place_y = v->place_y;
    }
    if (v->still && s->mode != TR_INTENT_STAY)
        s->mode = decide_standing(s, v);
    else if (!v->still && s->mode < TR_INTENT_STOP && should_stop(s, v))
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
        return s->intent.wish;
    choose_mode(s, v);
    if (s->mode == TR_INTENT_GO)
        return go_target(&s->intent, v);
    if (s->mode != TR_INTENT_TRIP)
        return rest_target(v);
    memcpy(target.skill, s->skill, sizeof target.skill);
    return target;
}

/* --- following --- */

void tr_intent_begin(tr_intent_state *out, const tr_intent *intent, tr_runner *runner,
                     const tr_world *world, tr_entity_id character) {
    view v;
    *out = (tr_intent_state){.given = true, .intent = *intent};
    if (!look(runner, world, character, &intent->wish, &v))
        return;
    out->intent.wish = with_speed(intent->wish, &v);
    out->place_x = v.place_x;
    out->place_y = v.place_y;
    runner->target = out->intent.wish;
    if (asks_nothing(&out->intent.wish))
        runner->target = rest_target(&v);
}

bool tr_intent_follow(tr_intent_state *state, tr_runner *runner, const tr_world *world,
                      tr_entity_id character) {
    const tr_steering_target *wish = &state->intent.wish;
    bool arrived = false;
    view v;
    if (!state->given || !look(runner, world, character, wish, &v))
        return false;
    const bool goes = wish->aim == TR_AIM_POINT || wish->aim == TR_AIM_CHARACTER;
    if (goes && !v.lost) {
        arrived = arrives(state, &v);
        runner->target = place_target(state, &v);
    } else {
        runner->target = v.lost || asks_nothing(wish) ? rest_target(&v) : *wish;
    }
    return arrived;
}
