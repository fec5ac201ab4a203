#include "learn/latent/gait_measure.h"

#include "math/quantile.h"

#include <math.h>
#include <string.h>

static void place(const tr_gait_measure *m, const tr_pose *pose, tr_vec3 *out_body,
                  tr_vec3 *out_point) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(m->model, pose, bodies);
    for (int i = 0; i < m->model->body_count; i++)
        out_body[i] = bodies[i].com_pos;
    for (int i = 0; i < m->support_count; i++)
        out_point[i] = tr_support_position(m->model, &m->support[i], bodies);
}

/* Returns the foot that the lowest support point belongs to. */
static int lower_foot(const tr_gait_measure *m) {
    int lowest = 0;
    for (int i = 1; i < m->support_count; i++)
        if (m->point[0][i].z < m->point[0][lowest].z)
            lowest = i;
    return m->support[lowest].foot;
}

static void add_jerk(tr_gait_measure *m) {
    const double cube = m->dt_s * m->dt_s * m->dt_s;
    for (int i = 0; i < m->model->body_count; i++) {
        /* The third difference x_0 - 3 x_1 + 3 x_2 - x_3. */
        tr_vec3 outer = tr_vec3_sub(m->body[0][i], m->body[3][i]);
        tr_vec3 inner = tr_vec3_sub(m->body[1][i], m->body[2][i]);
        m->jerk += tr_vec3_length(tr_vec3_add_scaled(outer, -3, inner)) / cube;
        m->jerk_count++;
    }
}

void tr_gait_measure_add(tr_gait_measure *m, const tr_pose *pose) {
    memmove(m->body[1], m->body[0], 3 * sizeof m->body[0]);
    memmove(m->point[1], m->point[0], sizeof m->point[0]);
    place(m, pose, m->body[0], m->point[0]);
    m->pose_count++;
    if (m->pose_count >= 2 && m->support_count > 0) {
        int foot = lower_foot(m);
        /* Some point of a foot that rolls rests: the slowest one tells whether it slides. */
        double slowest = (double)INFINITY;
        for (int i = 0; i < m->support_count; i++)
            if (m->support[i].foot == foot)
                slowest = fmin(slowest, tr_vec3_distance(m->point[0][i], m->point[1][i]) / m->dt_s);
        m->slip[m->slip_count++] = slowest;
    }
    if (m->pose_count >= 4)
        add_jerk(m);
}

void tr_gait_measure_break(tr_gait_measure *m) {
    m->pose_count = 0;
}

double tr_gait_measure_slip(tr_gait_measure *m) {
    return m->slip_count ? tr_quantile(m->slip, m->slip_count, 0.5) : 0;
}

double tr_gait_measure_jerk(const tr_gait_measure *m) {
    return m->jerk_count ? m->jerk / m->jerk_count : 0;
}
