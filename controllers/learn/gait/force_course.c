#include "learn/gait/force_course.h"

#include <math.h>

static const double GOAL_LEAST_S = 1, GOAL_MOST_S = 3;

static double draw(tr_random *random, double low, double high) {
    return low + (high - low) * tr_random_uniform(random);
}

static tr_vec3 draw_goal(tr_force_course *course) {
    const tr_force_def *def = &course->def;
    double along = draw(&course->random, def->low_n, def->high_n);
    double side = draw(&course->random, def->side_low_n, def->side_high_n);
    return (tr_vec3){along, side, 0};
}

tr_force_course tr_force_course_begin(const tr_force_def *def) {
    tr_force_course course = {.def = *def, .random = tr_random_split(def->seed, 1, 0)};
    course.goal = draw_goal(&course);
    course.next_s = def->from_s + draw(&course.random, GOAL_LEAST_S, GOAL_MOST_S);
    return course;
}

/* Straight towards the goal. */
static void approach(tr_force_course *course, double by_n) {
    tr_vec3 way = tr_vec3_sub(course->goal, course->now);
    double length_n = tr_vec3_length(way);
    if (length_n <= by_n)
        course->now = course->goal;
    else
        course->now = tr_vec3_add_scaled(course->now, by_n / length_n, way);
}

tr_vec3 tr_force_course_next(tr_force_course *course, double time_s, double step_s) {
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
