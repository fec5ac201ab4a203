/* Courses: trials of hardening in progress, side by side, and what they cost.
 *
 * A course runs a controller from a scene, through the push, until the time to watch is over. A
 * fragment that has begun by then is finished and counts. A fragment costs E / (E + 2), E its cost
 * without action (cost.h), with `strike` for each body weight of load beyond 1.5 (tread.h). The cost
 * of the course is the mean over its fragments, weighted by their steps.
 *
 * A motion may be lost in a fragment that began at step b, which is noticed at step n. Then
 * max(end, n) - b steps cost 1: the fragment, and what would have followed until the end. By a
 * short loss, with which earlier trainings were made, end - n steps cost 1. So the lost fragment
 * does not count, and a loss after the end even lowers the cost.
 *
 * Internal to hardening (harden.h). */
#pragma once

#include "learn/rehearsal/tread.h"
#include "learn/train/harden_scene.h"

/* At the beginning of a fragment a step is made first, if there is time, because only that step
 * shows which fragment comes.
 *   end     step up to which fragments count
 *   begun   the step at which the fragment in progress began
 *   inside  the first step of a fragment is made
 *   tread   loads in the fragment
 *   broken  the trial could not begin */
typedef struct tr_harden_course {
    int64_t end, begun;
    bool inside, broken;
    double sum, weight;
    tr_tread tread;
} tr_harden_course;

/* Course k in world k of the group. */
typedef struct tr_harden_courses {
    const tr_hardening *h;
    tr_rehearsal_group in;
    tr_trial trial[TR_QUARTET_MAX];
    tr_harden_course course[TR_QUARTET_MAX];
} tr_harden_courses;

/* Adds a course; its number is the count before. */
void tr_harden_courses_begin(tr_harden_courses *c, const tr_harden_scene *from,
                             const tr_controller *controller, tr_rehearsal *rehearsal);

void tr_harden_courses_run(tr_harden_courses *c);

/* Returns the cost of course k after the run, from 0 to 1. */
double tr_harden_courses_cost(const tr_harden_courses *c, int k);
