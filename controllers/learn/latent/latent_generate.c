#include "learn/latent/latent_generate.h"

#include "control/state_distance.h"

#include <math.h>
#include <stdio.h>

/* A stride's length, s, and how far its ends may be apart (tr_state_distance). */
static const double STRIDE_MIN_S = 0.6, STRIDE_MAX_S = 2.5, STRIDE_GAP = 0.6;

static const tr_course_leg *leg_at(const tr_generation *g, double time_s) {
    static const tr_course_leg straight = {0, 0, 0};
    const tr_course_leg *leg = &straight;
    for (int i = 0; i < g->leg_count; i++)
        if (g->leg[i].from_s <= time_s)
            leg = &g->leg[i];
    return leg;
}

static tr_goal goal_at(const tr_generation *g, double time_s, const tr_latent_motion *motion) {
    const tr_goal_axis *speed = &g->mover.policy->task.grid.axis[1];
    const tr_course_leg *leg = leg_at(g, time_s);
    double heading = leg->heading_rad + g->turn_rad_s * time_s;
    return (tr_goal){{tr_angle_wrap(heading - motion->place.heading_rad),
                      leg->speed_mps > 0 ? leg->speed_mps : (speed->low + speed->high) / 2}};
}

/* Time 0 is the first frame of the motion. */
static void walk(const tr_generation *g, tr_motion *motion) {
    tr_latent_motion state;
    tr_latent_motion_begin(&g->mover, g->frame, 0, &(tr_pose_place){0, 0, 0}, &state);
    int settle = (int)lround(g->settle_s / g->frame_s);
    for (int i = -settle; i < motion->frame_count; i++) {
        if (i == 0)
            state.place.x = state.place.y = 0;
        tr_goal goal = goal_at(g, i * g->frame_s, &state);
        tr_pose pose = tr_latent_motion_step(&g->mover, &goal, 0, g->frame_s, &state);
        if (i >= 0)
            motion->poses[i] = pose;
    }
}

/* --- one stride --- */

/* The frames between which the motion is nearest to a cycle. */
static bool find_stride(const tr_model *model, const tr_motion *motion, int *out_first,
                        int *out_last) {
    double least = STRIDE_GAP;
    int low = (int)(STRIDE_MIN_S / motion->dt_s), high = (int)(STRIDE_MAX_S / motion->dt_s);
    for (int i = 1; i + low < motion->frame_count; i++) {
        tr_state begin = tr_motion_state(model, motion, i * motion->dt_s);
        for (int j = i + low; j <= i + high && j + 1 < motion->frame_count; j++) {
            tr_state end = tr_motion_state(model, motion, j * motion->dt_s);
            double gap = tr_state_distance(model, &begin, &end);
            if (gap < least) {
                least = gap;
                *out_first = i;
                *out_last = j;
            }
        }
    }
    return least < STRIDE_GAP;
}

static tr_status take_stride(const tr_model *model, tr_motion **motion) {
    int first = 0, last = 0;
    tr_motion *cut = NULL, *closed = NULL;
    if (!find_stride(model, *motion, &first, &last))
        return TR_NOT_FOUND;
    const tr_pose *poses = (*motion)->poses;
    tr_motion_closing closing = {.turn_rad = tr_angle_wrap(tr_quat_heading(poses[last].root_rot) -
                                                           tr_quat_heading(poses[first].root_rot))};
    tr_status status = tr_motion_cut(*motion, first, last, &cut);
    if (!status)
        status = tr_motion_close(cut, &closing, &closed);
    tr_motion_destroy(cut);
    if (status)
        return status;
    tr_motion_destroy(*motion);
    *motion = closed;
    return TR_OK;
}

static bool is_possible(const tr_generation *g) {
    return g->mover.policy->task.kind == TR_LATENT_HEADING && g->seconds > 0 && g->frame_s > 0 &&
           g->frame_s <= g->mover.space->learned.dt_s &&
           g->seconds / g->frame_s < TR_MOTION_FRAME_MAX && g->settle_s >= 0 && g->frame >= 0 &&
           g->frame < g->mover.space->learned.frame_count;
}

tr_status tr_latent_generate(const tr_generation *g, tr_motion **out) {
    tr_motion *motion = NULL;
    if (!is_possible(g))
        return TR_INVALID_ARGUMENT;
    int frames = 1 + (int)lround(g->seconds / g->frame_s);
    tr_status status = tr_motion_create(g->mover.model, frames, g->frame_s, &motion);
    if (status)
        return status;
    walk(g, motion);
    if (g->cyclic)
        status = take_stride(g->mover.model, &motion);
    if (status)
        tr_motion_destroy(motion);
    else
        *out = motion;
    return status;
}
