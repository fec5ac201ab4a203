#include "learn/measure/force_course.h"

#include "math/quat.h"

#include <stdbool.h>

static const double GOAL_LEAST_S = 1, GOAL_MOST_S = 3;
static const double KICK_LEAST_S = 1, KICK_MOST_S = 2, KICK_LASTS_S = 0.2;

static double draw(tr_random *random, double low, double high) {
    return low + (high - low) * tr_random_uniform(random);
}

static tr_vec3 draw_goal(tr_force_course *course) {
    const tr_force_def *def = &course->def;
    double along = draw(&course->random, def->low_n, def->high_n);
    double side = draw(&course->random, def->side_low_n, def->side_high_n);
    return (tr_vec3){along, side, 0};
}

static void draw_kick(tr_force_course *course, double after_s) {
    double size_n = course->def.kick_n * tr_random_uniform(&course->random);
    double from_rad = 2 * TR_PI * tr_random_uniform(&course->random);
    course->kick = (tr_vec3){size_n * tr_cos(from_rad), size_n * tr_sin(from_rad), 0};
    course->kick_s = after_s + draw(&course->random, KICK_LEAST_S, KICK_MOST_S);
}

tr_force_course tr_force_course_begin(const tr_force_def *def) {
    tr_force_course course = {.def = *def, .random = tr_random_split(def->seed, 1, 0)};
    course.goal = draw_goal(&course);
    course.next_s = def->from_s + draw(&course.random, GOAL_LEAST_S, GOAL_MOST_S);
    if (def->kick_n > 0)
        draw_kick(&course, def->from_s);
    return course;
}

/* Moves the force straight towards the goal, by at most `by_n`. */
static void approach(tr_force_course *course, double by_n) {
    tr_vec3 way = tr_vec3_sub(course->goal, course->now);
    double length_n = tr_vec3_length(way);
    if (length_n <= by_n)
        course->now = course->goal;
    else
        course->now = tr_vec3_add_scaled(course->now, by_n / length_n, way);
}

static tr_vec3 kick_at(tr_force_course *course, double time_s) {
    if (course->def.kick_n > 0 && time_s >= course->kick_s + KICK_LASTS_S)
        draw_kick(course, time_s);
    bool acts = course->def.kick_n > 0 && time_s >= course->kick_s;
    return acts ? course->kick : (tr_vec3){0, 0, 0};
}

static tr_vec3 force_at(tr_force_course *course, double time_s, double step_s) {
    const tr_force_def *def = &course->def;
    if (time_s < def->from_s)
        return (tr_vec3){0, 0, 0};
    if (def->kind == TR_FORCE_STEP)
        return course->goal;
    if (def->kind == TR_FORCE_PUSH)
        return time_s < def->from_s + def->push_s ? course->goal : (tr_vec3){0, 0, 0};
    if (def->kind == TR_FORCE_VARYING && time_s >= course->next_s) {
        course->goal = draw_goal(course);
        course->next_s = time_s + draw(&course->random, GOAL_LEAST_S, GOAL_MOST_S);
    }
    approach(course, def->slope_nps * step_s);
    return course->now;
}

tr_vec3 tr_force_course_next(tr_force_course *course, double time_s, double step_s) {
    return tr_vec3_add(force_at(course, time_s, step_s), kick_at(course, time_s));
}
