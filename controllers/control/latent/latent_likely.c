#include "control/latent/latent_likely.h"

#include "math/cholesky.h"

#include <math.h>
#include <string.h>

/* Weight of differences of movement beside those of poses, s; a short time, s. */
static const double MOVEMENT_S = 0.1, SHORT_S = 1e-3;

/* The search: its steps, the difference quotient's share of a clip's step, and the damping of the
 * squares. */
enum { SEARCH_STEPS = 4 };
static const double QUOTIENT = 0.05, DAMPING = 1e-3;

tr_pose_flow tr_pose_flow_of(const tr_latent_space *space, const tr_model *model,
                             const tr_state *state) {
    const tr_pose_reference *reference = &space->learned.reference;
    tr_pose_flow f = {{0}, {0}};
    double before[TR_POSE_VECTOR_MAX];
    tr_pose pose = state->pose;
    tr_pose_vector_from(model, reference, &pose, f.vector);
    pose.root_pos = tr_vec3_add_scaled(pose.root_pos, -SHORT_S, state->root_vel);
    pose.root_rot =
        tr_quat_mul(tr_quat_exp(tr_vec3_scale(state->root_omega, -SHORT_S)), pose.root_rot);
    for (int i = 1; i < model->body_count; i++)
        pose.joint[i] =
            tr_quat_mul(tr_quat_exp(tr_vec3_scale(state->joint_rate[i], -SHORT_S)), pose.joint[i]);
    tr_pose_vector_from(model, reference, &pose, before);
    for (int k = 0; k < space->learned.pose_size; k++)
        f.rate[k] = (f.vector[k] - before[k]) / SHORT_S;
    return f;
}

/* Returns the flow of a frame of a clip, whose first frame moves as its second. */
static tr_pose_flow flow_of_frame(const tr_latent_space_def *def, int frame) {
    tr_pose_flow f;
    int later = frame;
    for (int c = 0; c < def->clip_count; c++)
        later += def->clip[c].first == frame;
    const double *at = def->pose + frame * def->pose_size, *to = def->pose + later * def->pose_size;
    for (int k = 0; k < def->pose_size; k++) {
        f.vector[k] = at[k];
        f.rate[k] = (to[k] - to[k - def->pose_size]) / def->dt_s;
    }
    return f;
}

int tr_latent_likely_frame(const tr_latent_space *space, const tr_pose_flow *body) {
    const tr_latent_space_def *def = &space->learned;
    int nearest = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < def->frame_count; i++) {
        tr_pose_flow frame = flow_of_frame(def, i);
        double square = 0;
        for (int k = 0; k < def->pose_size; k++) {
            double off = body->vector[k] - frame.vector[k];
            double faster = MOVEMENT_S * (body->rate[k] - frame.rate[k]);
            square += off * off + faster * faster;
        }
        if (square < least) {
            least = square;
            nearest = i;
        }
    }
    return nearest;
}

/* --- the search --- */

/* Puts y - g_y(x), and returns its square. */
static double miss(const tr_latent_space *space, const double *vector, const double *x,
                   double *out) {
    const int size = space->learned.pose_size;
    double square = 0;
    tr_latent_space_pose(space, x, out);
    for (int k = 0; k < size; k++) {
        out[k] = vector[k] - out[k];
        square += out[k] * out[k];
    }
    return square;
}

/* Finds the step d with (J^T J + damping) d = J^T off, J the derivative of g_y at x by
 * differences. */
static bool step_towards(const tr_latent_space *space, const double *vector, const double *x,
                         const double *off, double *out) {
    const int q = space->learned.dimension, size = space->learned.pose_size;
    const double h = QUOTIENT * space->step_length;
    double slope[TR_LATENT_DIMENSION_MAX][TR_POSE_VECTOR_MAX];
    double square[TR_LATENT_DIMENSION_MAX * TR_LATENT_DIMENSION_MAX];
    for (int d = 0; d < q; d++) {
        double beside[TR_LATENT_DIMENSION_MAX];
        memcpy(beside, x, (size_t)q * sizeof *x);
        beside[d] += h;
        (void)miss(space, vector, beside, slope[d]);
        out[d] = 0;
        for (int k = 0; k < size; k++) {
            slope[d][k] = (off[k] - slope[d][k]) / h;
            out[d] += slope[d][k] * off[k];
        }
    }
    for (int i = 0; i < q; i++)
        for (int j = 0; j < q; j++) {
            double sum = i == j ? DAMPING : 0;
            for (int k = 0; k < size; k++)
                sum += slope[i][k] * slope[j][k];
            square[i * q + j] = sum;
        }
    if (tr_cholesky_factor(q, square))
        return false;
    tr_cholesky_solve(q, square, 1, out);
    return true;
}

/* Moves x to where the pose is most like `vector`, within reach of where it begins. */
static void search(const tr_latent_space *space, const double *vector, double *x) {
    const int q = space->learned.dimension;
    double off[TR_POSE_VECTOR_MAX], step[TR_LATENT_DIMENSION_MAX], next[TR_LATENT_DIMENSION_MAX];
    double square = miss(space, vector, x, off);
    for (int i = 0; i < SEARCH_STEPS; i++) {
        double length = 0;
        if (!step_towards(space, vector, x, off, step))
            return;
        for (int d = 0; d < q; d++)
            length += step[d] * step[d];
        /* A step is at most as long as one of the clips. */
        const double share = fmin(1, space->step_length / fmax(sqrt(length), 1e-12));
        for (int d = 0; d < q; d++)
            next[d] = x[d] + share * step[d];
        double better = miss(space, vector, next, off);
        if (!(better < square))
            return;
        square = better;
        memcpy(x, next, (size_t)q * sizeof *x);
    }
}

tr_latent_state tr_latent_likely(const tr_latent_space *space, const tr_pose_flow *body) {
    const tr_latent_space_def *def = &space->learned;
    tr_latent_state at = tr_latent_space_state(space, tr_latent_likely_frame(space, body));
    double before[TR_POSE_VECTOR_MAX], from[TR_LATENT_DIMENSION_MAX];
    for (int d = 0; d < def->dimension; d++)
        from[d] = at.x[d] - at.v[d];
    for (int k = 0; k < def->pose_size; k++)
        before[k] = body->vector[k] - body->rate[k] * def->dt_s;
    search(space, body->vector, at.x);
    /* The step v is the difference from the point of the pose a frame earlier. */
    search(space, before, from);
    for (int d = 0; d < def->dimension; d++)
        at.v[d] = at.x[d] - from[d];
    return at;
}
