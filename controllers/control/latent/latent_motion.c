#include "control/latent/latent_motion.h"

#include <math.h>
#include <string.h>

enum {
    CUBIC = TR_LATENT_CUBIC,
    NEWEST = TR_LATENT_KNOTS - 1,
    LEAD = CUBIC - 1,
    AVERAGED = TR_LATENT_KNOTS - CUBIC + 1
};

_Static_assert((int)TR_LATENT_KNOTS <= (int)TR_LATENT_MIXED_MAX, "all control points are mixed");

/* Time in which the root gives way to its feet, and the share of their drag across its travel. */
static const double DRAG_S = 0.05, ACROSS = 0.25;

/* Rate at which the difference of a pose from the space's decays, 1/s. */
static const double CARRY = 13;

/* The furthest that a following point moves between two decisions, in the clips' steps. */
static const double FOLLOW_STEPS = 2;

/* A short time, s. */
static const double SHORT_S = 1e-3;

/* --- the spline --- */

typedef struct cubic {
    double at[CUBIC], slope[CUBIC];
} cubic;

/* Returns the weights of four values in a uniform cubic B-spline, and those of its derivative. u:
 * phase. */
static cubic cubic_at(double u) {
    const double w = 1 - u;
    return (cubic){{w * w * w / 6, (3 * u * u * u - 6 * u * u + 4) / 6,
                    (3 * w * w * w - 6 * w * w + 4) / 6, u * u * u / 6},
                   {-w * w / 2, (3 * u * u - 4 * u) / 2, (4 * w - 3 * w * w) / 2, u * u / 2}};
}

tr_latent_state tr_latent_motion_shown(const tr_latent_mover *mover,
                                       const tr_latent_motion *motion) {
    const cubic c = cubic_at(motion->phase);
    tr_latent_state shown = {0};
    for (int i = 0; i < CUBIC; i++)
        for (int d = 0; d < mover->space->learned.dimension; d++) {
            const double knot = motion->point[TR_LATENT_KNOTS - CUBIC + i][d];
            shown.x[d] += c.at[i] * knot;
            shown.v[d] += c.slope[i] * knot;
        }
    return shown;
}

/* Returns shares of the points' poses and of the steps to them. A spline of places moves by its
 * slope, which is a sum of steps: the weight of step i is that of all the places after it. */
static tr_latent_mixture mix(const tr_latent_mover *mover, const tr_latent_motion *motion,
                             double phase) {
    const cubic c = cubic_at(phase);
    tr_latent_mixture m = {.count = TR_LATENT_KNOTS};
    double slope[TR_LATENT_KNOTS] = {0}, later = 0;
    for (int k = 0; k < CUBIC; k++)
        for (int i = 0; i < AVERAGED; i++) {
            m.pose_share[k + i] += c.at[k] / AVERAGED;
            slope[k + i] += c.slope[k] / AVERAGED;
        }
    for (int i = NEWEST; i > 0; i--)
        m.step_share[i] = later += slope[i];
    for (int i = 0; i < TR_LATENT_KNOTS; i++)
        for (int d = 0; d < mover->space->learned.dimension; d++) {
            m.state[i].x[d] = motion->point[i][d];
            m.state[i].v[d] = i > 0 ? motion->point[i][d] - motion->point[i - 1][d] : 0;
        }
    return m;
}

/* --- beginning --- */

/* The control points end LEAD frames after `frame`, or at its clip's end. */
static void place_points(const tr_latent_space_def *def, int frame, tr_latent_motion *out) {
    int clip = 0;
    while (clip + 1 < def->clip_count && frame >= def->clip[clip + 1].first)
        clip++;
    const int first = def->clip[clip].first, end = first + def->clip[clip].count - 1;
    const int last = frame + LEAD < end ? frame + LEAD : end;
    for (int i = 0; i < TR_LATENT_KNOTS; i++) {
        int at = last - NEWEST + i < first ? first : last - NEWEST + i;
        memcpy(out->point[i], def->point + at * def->dimension,
               (size_t)def->dimension * sizeof *def->point);
    }
}

void tr_latent_motion_begin(const tr_latent_mover *mover, int frame, double phase,
                            const tr_pose_place *place, tr_latent_motion *out) {
    double vector[TR_POSE_VECTOR_MAX];
    *out = (tr_latent_motion){.phase = phase, .place = *place};
    place_points(&mover->space->learned, frame, out);
    tr_latent_mixture mixture = mix(mover, out, phase);
    out->footing = tr_footing_of_mixture(mover->space, mover->model, &mixture, vector);
}

/* --- joining --- */

/* Weight of differences of movement beside those of poses, s. */
static const double MOVEMENT_S = 0.1;

/* A pose as a space has it, and how fast it changes, 1/s; channels of pose_vector.h. */
typedef struct pose_flow {
    double vector[TR_POSE_VECTOR_MAX], rate[TR_POSE_VECTOR_MAX];
} pose_flow;

/* Returns the flow of a body, on the ground z = 0. */
static pose_flow flow_of_body(const tr_latent_space *space, const tr_model *model,
                              const tr_state *state) {
    const tr_pose_reference *reference = &space->learned.reference;
    pose_flow f = {{0}, {0}};
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
static pose_flow flow_of_frame(const tr_latent_space_def *def, int frame) {
    pose_flow f;
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

/* Returns the clip frame that is most like a body in pose and movement. */
static int nearest_frame(const tr_latent_space *space, const pose_flow *body) {
    const tr_latent_space_def *def = &space->learned;
    int nearest = 0;
    double least = (double)INFINITY;
    for (int i = 0; i < def->frame_count; i++) {
        pose_flow frame = flow_of_frame(def, i);
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

/* Returns the pose of the spline, and its rate from the pose a short time before. */
static pose_flow flow_of_spline(const tr_latent_mover *mover, const tr_latent_motion *motion,
                                const tr_latent_mixture *now) {
    const tr_latent_space_def *def = &mover->space->learned;
    pose_flow f = {{0}, {0}};
    double before[TR_POSE_VECTOR_MAX], standing[TR_SUPPORT_MAX];
    tr_latent_mixture then = mix(mover, motion, motion->phase - SHORT_S / def->dt_s);
    tr_latent_space_show_mixture(mover->space, now, f.vector, standing);
    tr_latent_space_show_mixture(mover->space, &then, before, standing);
    for (int k = 0; k < def->pose_size; k++)
        f.rate[k] = (f.vector[k] - before[k]) / SHORT_S;
    return f;
}

void tr_latent_motion_join(const tr_latent_mover *mover, const tr_state *state, double phase,
                           tr_latent_motion *out) {
    const tr_latent_space_def *def = &mover->space->learned;
    const pose_flow body = flow_of_body(mover->space, mover->model, state);
    tr_pose_place place = tr_pose_place_of(&state->pose);
    tr_latent_motion_begin(mover, nearest_frame(mover->space, &body), phase, &place, out);
    const tr_latent_mixture mixture = mix(mover, out, phase);
    const pose_flow own = flow_of_spline(mover, out, &mixture);
    tr_root_step step = tr_latent_space_mixed_step(mover->space, &mixture);
    tr_vec3 speed = tr_vec3_to_heading(state->root_vel, place.heading_rad);
    /* What the spline lacks of the speed, the pose and the rates is carried, and decays. */
    out->drag = (tr_vec3){speed.x - step.forward / def->dt_s, speed.y - step.left / def->dt_s, 0};
    for (int k = 0; k < def->pose_size; k++) {
        out->carried[k] = body.vector[k] - own.vector[k];
        out->carried_rate[k] = body.rate[k] - own.rate[k];
    }
}

/* --- moving --- */

/* Decides the next point, from the newest one and from the goal as it will be there: the place
 * shown is two steps behind. */
static void decide(const tr_latent_mover *mover, tr_goal goal, tr_latent_motion *motion) {
    const int q = mover->space->learned.dimension;
    tr_latent_state state = {0};
    for (int k = NEWEST - 1; k <= NEWEST; k++) {
        for (int d = 0; d < q; d++) {
            state.x[d] = motion->point[k][d];
            state.v[d] = motion->point[k][d] - motion->point[k - 1][d];
        }
        tr_root_step ahead = tr_latent_space_root_step(mover->space, &state);
        goal = tr_latent_task_moved(&mover->policy->task, &ahead, &goal);
    }
    tr_latent_decision decision =
        tr_latent_policy_decide(mover->policy, mover->space, mover->model, &state, &goal);
    memmove(motion->point[0], motion->point[1], NEWEST * sizeof motion->point[0]);
    memcpy(motion->point[NEWEST], decision.next.state.x, sizeof motion->point[0]);
}

/* The root gives way along its travel, and little across it. */
static tr_vec3 give_way(const tr_root_step *step, tr_vec3 drag) {
    const tr_vec3 way = {step->forward, step->left, 0};
    const double square = fmax(tr_vec3_dot(way, way), 1e-12);
    const tr_vec3 along = tr_vec3_scale(way, tr_vec3_dot(drag, way) / square);
    return tr_vec3_lerp(along, drag, ACROSS);
}

static void move_root(const tr_latent_mover *mover, const tr_latent_mixture *shown, double dt_s,
                      const tr_footing *footing, tr_latent_motion *motion) {
    const tr_latent_space_def *def = &mover->space->learned;
    double share = dt_s / def->dt_s, smooth = 1 - tr_exp(-dt_s / DRAG_S);
    tr_root_step step = tr_latent_space_mixed_step(mover->space, shown);
    step = (tr_root_step){share * step.turn_rad, share * step.forward, share * step.left};
    /* Feet that stand say how the root should travel (anchor.h); the root gives way to them
     * smoothly. */
    tr_root_step held = tr_anchor_step(def->support_count, &motion->footing, footing, &step);
    tr_vec3 drag = {(held.forward - step.forward) / dt_s, (held.left - step.left) / dt_s, 0};
    motion->drag = tr_vec3_lerp(motion->drag, give_way(&step, drag), smooth);
    step.forward += motion->drag.x * dt_s;
    step.left += motion->drag.y * dt_s;
    motion->place = tr_pose_place_moved(&motion->place, &step);
    motion->footing = *footing;
}

/* Moves what is carried as critically damped springs do in dt_s, exactly, and adds it to
 * `vector`. */
static void carry(tr_latent_motion *motion, int size, double dt_s, double *vector) {
    const double decay = tr_exp(-CARRY * dt_s);
    for (int k = 0; k < size; k++) {
        double pull = (motion->carried_rate[k] + CARRY * motion->carried[k]) * dt_s;
        motion->carried[k] = (motion->carried[k] + pull) * decay;
        motion->carried_rate[k] = (motion->carried_rate[k] - CARRY * pull) * decay;
        vector[k] += motion->carried[k];
    }
}

/* Is a new point due? */
static bool advance(const tr_latent_mover *mover, double dt_s, tr_latent_motion *motion) {
    motion->phase += dt_s / mover->space->learned.dt_s;
    if (motion->phase < 1)
        return false;
    motion->phase -= 1;
    return true;
}

static tr_pose move(const tr_latent_mover *mover, double ground_m, double dt_s,
                    tr_latent_motion *motion) {
    const tr_latent_space_def *def = &mover->space->learned;
    double vector[TR_POSE_VECTOR_MAX];
    const tr_latent_mixture shown = mix(mover, motion, motion->phase);
    tr_footing footing = tr_footing_of_mixture(mover->space, mover->model, &shown, vector);
    move_root(mover, &shown, dt_s, &footing, motion);
    carry(motion, def->pose_size, dt_s, vector);
    tr_pose pose = tr_pose_vector_to(mover->model, &def->reference, vector, &motion->place);
    pose.root_pos.z += ground_m;
    tr_foot_plants_step(&motion->plants, mover->space, mover->model, footing.standing, ground_m,
                        dt_s, &pose);
    return pose;
}

tr_pose tr_latent_motion_step(const tr_latent_mover *mover, const tr_goal *goal, double ground_m,
                              double dt_s, tr_latent_motion *motion) {
    if (advance(mover, dt_s, motion))
        decide(mover, *goal, motion);
    return move(mover, ground_m, dt_s, motion);
}

tr_pose tr_latent_motion_follow(const tr_latent_mover *mover, const double *to, double ground_m,
                                double dt_s, tr_latent_motion *motion) {
    if (advance(mover, dt_s, motion)) {
        const int q = mover->space->learned.dimension;
        const double *from = motion->point[NEWEST];
        double way[TR_LATENT_DIMENSION_MAX], square = 0;
        for (int d = 0; d < q; d++) {
            way[d] = to[d] - from[d];
            square += way[d] * way[d];
        }
        double share = fmin(1, FOLLOW_STEPS * mover->space->step_length / fmax(sqrt(square), 1e-9));
        memmove(motion->point[0], motion->point[1], NEWEST * sizeof motion->point[0]);
        for (int d = 0; d < q; d++)
            motion->point[NEWEST][d] += share * way[d];
    }
    return move(mover, ground_m, dt_s, motion);
}
