#include "control/policy/observation.h"

#include <string.h>

static const struct {
    const char *name;
    int size, per_joint;
} rows[TR_OBSERVATION_ROWS] = {
    [TR_SEES_ROOT_HEIGHT] = {"root_height", 1, 0},
    [TR_SEES_ROOT_ROT] = {"root_rot", 4, 0},
    [TR_SEES_ROOT_VEL] = {"root_vel", 3, 0},
    [TR_SEES_ROOT_OMEGA] = {"root_omega", 3, 0},
    [TR_SEES_JOINT_ROT] = {"joint_rot", 0, 4},
    [TR_SEES_JOINT_RATE] = {"joint_rate", 0, 3},
    [TR_SEES_PHASE] = {"phase", 2, 0},
    [TR_SEES_FACING] = {"facing", 2, 0},
    [TR_SEES_CONTACTS] = {"contacts", 1, 1},
    [TR_SEES_TARGET] = {"target", 3, 0},
    [TR_SEES_GROUND] = {"ground", TR_GROUND_AHEAD, 0},
};

const char *tr_observation_name(tr_observation_row row) {
    return rows[row].name;
}

bool tr_observation_find(const char *name, tr_observation_row *out) {
    for (int i = 0; i < TR_OBSERVATION_ROWS; i++)
        if (strcmp(name, rows[i].name) == 0) {
            *out = (tr_observation_row)i;
            return true;
        }
    return false;
}

int tr_observation_size(const tr_observation *observation, int body_count) {
    int size = 0;
    for (int i = 0; i < observation->count; i++) {
        tr_observation_row row = observation->row[i];
        size += rows[row].size + rows[row].per_joint * (body_count - 1);
    }
    return size;
}

/* Rounds numbers as states on the wire have them. Not inline, and through memory: GCC 12 drops the
 * rounding where it vectorises two conversions to single precision and back. */
__attribute__((noinline)) static void round_off(const double *in, int count, float *out) {
    for (int i = 0; i < count; i++)
        out[i] = (float)in[i];
}

static tr_quat quat_on_the_wire(tr_quat q) {
    float single[4];
    round_off(&q.w, 4, single);
    return (tr_quat){(double)single[0], (double)single[1], (double)single[2], (double)single[3]};
}

static tr_vec3 vec_on_the_wire(tr_vec3 v) {
    float single[3];
    round_off(&v.x, 3, single);
    return (tr_vec3){(double)single[0], (double)single[1], (double)single[2]};
}

/* Cosine and sine of the heading and of half of it. */
typedef struct facing {
    double c, s, half_c, half_s;
} facing;

/* Half angles by the larger of cosine and sine, which loses no digits. */
static facing facing_of(tr_quat q) {
    const tr_vec3 ahead = tr_quat_facing(q);
    facing f = {.c = ahead.x, .s = ahead.y};
    /* Half-angle formulas: cos(a/2) = sqrt((1 + cos a) / 2), sin(a/2) = sin a / (2 cos(a/2)). */
    if (f.c >= 0) {
        f.half_c = sqrt((1 + f.c) / 2);
        f.half_s = f.s / (2 * f.half_c);
    } else {
        double half = sqrt((1 - f.c) / 2);
        f.half_s = f.s < 0 ? -half : half;
        f.half_c = f.s / (2 * f.half_s);
    }
    return f;
}

static tr_vec3 turn_back(const facing *f, tr_vec3 v) {
    return (tr_vec3){f->c * v.x + f->s * v.y, f->c * v.y - f->s * v.x, v.z};
}

static tr_quat turn_rotation_back(const facing *f, tr_quat q) {
    return (tr_quat){f->half_c * q.w + f->half_s * q.z, f->half_c * q.x + f->half_s * q.y,
                     f->half_c * q.y - f->half_s * q.x, f->half_c * q.z - f->half_s * q.w};
}

static float *put(float *out, const double *values, int count) {
    round_off(values, count, out);
    return out + count;
}

static float *put_vec(float *out, tr_vec3 v) {
    return put(out, &v.x, 3);
}

static float *put_quat(float *out, tr_quat q) {
    return put(out, &q.w, 4);
}

/* The turn is the difference of two headings, by their cosines and sines. */
static float *put_target(const tr_steering_target *target, const facing *f, float *out) {
    double seen[3] = {1, 0, target->speed_mps}, c, s;
    if (target->aim == TR_AIM_HEADING) {
        tr_sincos(target->heading_rad, &s, &c);
        seen[0] = c * f->c + s * f->s;
        seen[1] = s * f->c - c * f->s;
    }
    return put(out, seen, 3);
}

static float *put_row(tr_observation_row row, const tr_observed *from, const facing *f,
                      float *out) {
    const tr_state *state = from->state;
    double clock[2];
    switch (row) {
    case TR_SEES_ROOT_HEIGHT:
        return put(out, &state->pose.root_pos.z, 1);
    case TR_SEES_ROOT_ROT:
        return put_quat(out, turn_rotation_back(f, quat_on_the_wire(state->pose.root_rot)));
    case TR_SEES_ROOT_VEL:
        return put_vec(out, turn_back(f, vec_on_the_wire(state->root_vel)));
    case TR_SEES_ROOT_OMEGA:
        return put_vec(out, turn_back(f, vec_on_the_wire(state->root_omega)));
    case TR_SEES_JOINT_ROT:
        for (int b = 1; b < from->body_count; b++)
            out = put_quat(out, state->pose.joint[b]);
        return out;
    case TR_SEES_JOINT_RATE:
        for (int b = 1; b < from->body_count; b++)
            out = put_vec(out, state->joint_rate[b]);
        return out;
    case TR_SEES_PHASE:
        tr_sincos(2 * TR_PI * from->phase, &clock[0], &clock[1]);
        return put(out, clock, 2);
    case TR_SEES_CONTACTS:
        for (int b = 0; b < from->body_count; b++)
            *out++ = from->touching[b] ? 1 : 0;
        return out;
    case TR_SEES_TARGET:
        return put_target(from->target, f, out);
    case TR_SEES_GROUND:
        return put(out, from->ground, TR_GROUND_AHEAD);
    default:
        return put(out, &f->c, 2);
    }
}

bool tr_observation_has(const tr_observation *observation, tr_observation_row row) {
    for (int i = 0; i < observation->count; i++)
        if (observation->row[i] == row)
            return true;
    return false;
}

void tr_observe(const tr_observation *observation, const tr_observed *from, float *out) {
    /* All rows but height, joints and contacts are seen from the heading. */
    facing f = facing_of(quat_on_the_wire(from->state->pose.root_rot));
    for (int i = 0; i < observation->count; i++)
        out = put_row(observation->row[i], from, &f, out);
}
