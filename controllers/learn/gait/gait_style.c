#include "learn/gait/gait_style.h"

#include <math.h>
#include <string.h>

enum { HALF = TR_GAIT_STYLE_PHASES / 2, STRIDE = HALF / TR_GAIT_STYLE_SAMPLES };

tr_status tr_gait_style_read(const tr_model *model, const tr_motion *motion, tr_gait_style *out,
                             tr_error *error) {
    tr_motion_report report;
    if (!motion->cyclic || !motion->symmetric)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "motion '%s': expected a walk imported with --cycle and --symmetric",
                       motion->name);
    tr_status status = tr_motion_describe(model, motion, &report);
    if (status)
        return tr_fail_if(error, status, "motion '%s'", motion->name);
    memset(out, 0, sizeof *out);
    out->body_count = model->body_count;
    out->speed_mps = report.speed_mps;
    out->half_s = tr_motion_duration(motion) / 2;
    for (int p = 0; p < TR_GAIT_STYLE_PHASES; p++) {
        tr_body_state bodies[TR_BODY_MAX];
        double time_s = tr_motion_duration(motion) * p / TR_GAIT_STYLE_PHASES;
        tr_state state = tr_motion_state(model, motion, time_s);
        tr_state_forward(model, &state, bodies);
        for (int b = 0; b < model->body_count; b++)
            out->rot[p][b] = bodies[b].rot;
    }
    return TR_OK;
}

/* Returns the rotation of a body in the gait frame, of the mirror image in a mirrored half
 * cycle. */
static tr_quat rotation_of(const tr_model *model, const tr_gait_state *state,
                           const tr_body_state *bodies, int body) {
    bool mirrored = state->keyframe >= 2;
    int of = mirrored ? model->body[body].mirror : body;
    tr_quat rot = tr_quat_mul(tr_quat_from_heading(-state->heading_rad), bodies[of].rot);
    return mirrored ? tr_quat_mirror(rot) : rot;
}

static void take_sample(tr_gait_comparison *c, const tr_gait_style *style, const tr_model *model,
                        const tr_gait_state *state, const tr_body_state *bodies) {
    int at = c->taken * STRIDE;
    for (int b = 0; b < style->body_count; b++) {
        tr_quat rot = rotation_of(model, state, bodies, b);
        /* Where the clip begins within the cycle is not known: the best shift counts in the end. */
        for (int shift = 0; shift < TR_GAIT_STYLE_PHASES; shift++) {
            const tr_quat *clip = style->rot[(at + shift) % TR_GAIT_STYLE_PHASES];
            c->error_rad[shift] += tr_quat_angle(rot, clip[b]) / style->body_count;
        }
    }
    c->taken++;
    c->count++;
}

void tr_gait_compare(tr_gait_comparison *c, const tr_gait_style *style, const tr_model *model,
                     const tr_gait_state *state, const tr_body_state *bodies, double step_s) {
    if (state->strikes != c->strikes) {
        c->last_half_s = c->strikes ? c->half_s : 0;
        c->strikes = state->strikes;
        c->half_s = 0;
        c->taken = 0;
    }
    bool known = c->last_half_s > 0 && c->taken < TR_GAIT_STYLE_SAMPLES;
    if (known && c->half_s >= c->last_half_s * c->taken / TR_GAIT_STYLE_SAMPLES)
        take_sample(c, style, model, state, bodies);
    c->half_s += step_s;
}

double tr_gait_comparison_error(const tr_gait_comparison *c) {
    if (c->count == 0)
        return (double)NAN;
    double least = c->error_rad[0];
    for (int shift = 1; shift < TR_GAIT_STYLE_PHASES; shift++)
        least = fmin(least, c->error_rad[shift]);
    return least / c->count;
}
