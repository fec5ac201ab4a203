#include "learn/latent/latent_generate.h"

#include "control/parts/state_distance.h"

#include <math.h>
#include <stdlib.h>

/* A stride's length, s, how far its ends may be apart (tr_state_distance), and the error of its
 * turn that costs as much as a difference of 1. */
static const double STRIDE_MIN_S = 0.6, STRIDE_MAX_S = 2.5, STRIDE_GAP = 0.6, STRIDE_TURN = 0.5;

static const tr_course_leg *leg_at(const tr_generation *g, double time_s) {
    static const tr_course_leg straight = {0, 0, 0};
    const tr_course_leg *leg = &straight;
    for (int i = 0; i < g->leg_count; i++)
        if (g->leg[i].from_s <= time_s)
            leg = &g->leg[i];
    return leg;
}

static double heading_at(const tr_generation *g, double time_s) {
    return leg_at(g, time_s)->heading_rad + g->turn_rad_s * time_s;
}

static tr_goal goal_at(const tr_generation *g, double time_s, const tr_latent_motion *motion) {
    const tr_goal_axis *speed = &g->mover.policy->task.grid.axis[1];
    const tr_course_leg *leg = leg_at(g, time_s);
    return (tr_goal){{tr_angle_wrap(heading_at(g, time_s) - motion->place.heading_rad),
                      leg->speed_mps > 0 ? leg->speed_mps : (speed->low + speed->high) / 2}};
}

/* Time 0 is the first frame of the motion. */
static void walk(const tr_generation *g, tr_motion *motion) {
    tr_latent_motion state;
    tr_latent_motion_begin(&g->mover, g->frame, 0, &(tr_pose_place){0, 0, 0}, &state);
    /* The character settles before the motion begins. */
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

/* Returns how far the course turns from one frame to another; made_turn: how far the motion
 * does. */
static double asked_turn(const tr_generation *g, const tr_motion *motion, int first, int last) {
    return heading_at(g, last * motion->dt_s) - heading_at(g, first * motion->dt_s);
}

static double made_turn(const tr_motion *motion, int first, int last) {
    return tr_quat_heading(motion->poses[last].root_rot) -
           tr_quat_heading(motion->poses[first].root_rot);
}

/* Finds the frames between which the motion is nearest to a cycle that turns as the course does. */
static bool find_stride(const tr_generation *g, const tr_motion *motion, const tr_state *state,
                        int *out_first, int *out_last) {
    double least = (double)INFINITY;
    int low = (int)(STRIDE_MIN_S / motion->dt_s), high = (int)(STRIDE_MAX_S / motion->dt_s);
    for (int i = 1; i + low < motion->frame_count; i++)
        for (int j = i + low; j <= i + high && j + 1 < motion->frame_count; j++) {
            double gap = tr_state_distance(g->mover.model, &state[i], &state[j]);
            double missed =
                tr_angle_wrap(made_turn(motion, i, j) - asked_turn(g, motion, i, j)) / STRIDE_TURN;
            double off = sqrt(gap * gap + missed * missed);
            if (gap < STRIDE_GAP && off < least) {
                least = off;
                *out_first = i;
                *out_last = j;
            }
        }
    return least < (double)INFINITY;
}

static tr_status cut_stride(const tr_generation *g, const tr_motion *motion, const tr_state *state,
                            tr_motion **out) {
    int first = 0, last = 0;
    tr_motion *cut = NULL;
    if (!find_stride(g, motion, state, &first, &last))
        return TR_NOT_FOUND;
    const tr_motion_closing closing = {.turn_rad = asked_turn(g, motion, first, last)};
    tr_status status = tr_motion_cut(motion, first, last, &cut);
    if (!status)
        status = tr_motion_close(cut, &closing, out);
    tr_motion_destroy(cut);
    return status;
}

/* Replaces the motion by one stride, which turns exactly as the course does. */
static tr_status take_stride(const tr_generation *g, tr_motion **motion) {
    tr_motion *stride = NULL;
    tr_state *state = malloc((size_t)(*motion)->frame_count * sizeof *state);
    if (!state)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < (*motion)->frame_count; i++)
        state[i] = tr_motion_state(g->mover.model, *motion, i * (*motion)->dt_s);
    tr_status status = cut_stride(g, *motion, state, &stride);
    free(state);
    if (status)
        return status;
    tr_motion_destroy(*motion);
    *motion = stride;
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
        status = take_stride(g, &motion);
    if (status)
        tr_motion_destroy(motion);
    else
        *out = motion;
    return status;
}
