#include "bench/mujoco_twin.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double TOLERANCE = 1e-10, IMPRATIO = 100, SOLIMP = 0.99, SOLREF_STEPS = 2;

struct tr_twin {
    const tr_model *ours;
    mjModel *model;
    mjData *data;
    int qpos[TR_BODY_MAX], dof[TR_BODY_MAX]; /* of each body's joint */
};

/* --- making --- */

/* By a file: MuJoCo 2 and 3 keep files in memory in different ways. */
static mjModel *parse(const char *mjcf) {
    char message[1000] = "", path[] = "/tmp/troupe-XXXXXX.xml";
    int descriptor = mkstemps(path, 4);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file) {
        perror(path);
        return NULL;
    }
    bool written = fputs(mjcf, file) >= 0;
    mjModel *model =
        fclose(file) == 0 && written ? mj_loadXML(path, NULL, message, sizeof message) : NULL;
    remove(path);
    if (!model)
        fprintf(stderr, "mujoco: %s\n", message);
    return model;
}

static void set_contacts(mjModel *m, double h) {
    m->opt.timestep = h;
    m->opt.solver = mjSOL_NEWTON;
    m->opt.iterations = 100;
    m->opt.tolerance = TOLERANCE;
    m->opt.cone = mjCONE_ELLIPTIC;
    m->opt.impratio = IMPRATIO;
    for (int i = 0; i < m->ngeom; i++) {
        m->geom_solref[mjNREF * i] = SOLREF_STEPS * h;
        m->geom_solref[mjNREF * i + 1] = 1;
        m->geom_solimp[mjNIMP * i] = m->geom_solimp[mjNIMP * i + 1] = SOLIMP;
        m->geom_solimp[mjNIMP * i + 2] = 0.001;
    }
}

static void find_joints(tr_twin *t) {
    for (int i = 1; i < t->ours->body_count; i++) {
        int id = mj_name2id(t->model, mjOBJ_BODY, t->ours->body[i].name);
        int joint = t->model->body_jntadr[id];
        t->qpos[i] = t->model->jnt_qposadr[joint];
        t->dof[i] = t->model->jnt_dofadr[joint];
    }
}

/* Its warnings are counted in the data; without this it writes them into a file. */
static void ignore_warning(const char *text) {
    (void)text;
}

tr_twin *tr_twin_create(const tr_model *model, const char *mjcf, double step_s) {
    tr_twin *twin = calloc(1, sizeof *twin);
    if (!twin)
        return NULL;
    mju_user_warning = ignore_warning;
    twin->ours = model;
    twin->model = parse(mjcf);
    if (twin->model) {
        set_contacts(twin->model, step_s);
        find_joints(twin);
        twin->data = mj_makeData(twin->model);
    }
    if (twin->data)
        return twin;
    tr_twin_destroy(twin);
    return NULL;
}

void tr_twin_destroy(tr_twin *twin) {
    if (!twin)
        return;
    mj_deleteData(twin->data);
    mj_deleteModel(twin->model);
    free(twin);
}

/* --- states: MuJoCo's rates of the root and of balls are in the child's axes --- */

static double angle_of(const tr_body *body, tr_quat q) {
    return 2 * atan2(tr_vec3_dot((tr_vec3){q.x, q.y, q.z}, body->axis), q.w);
}

static tr_quat quat_at(const mjtNum *q) {
    return tr_quat_normalize((tr_quat){q[0], q[1], q[2], q[3]});
}

static void put_quat(mjtNum *out, tr_quat q) {
    const mjtNum values[] = {q.w, q.x, q.y, q.z};
    mju_copy(out, values, 4);
}

static tr_vec3 vec_at(const mjtNum *v) {
    return (tr_vec3){v[0], v[1], v[2]};
}

static void put_vec(mjtNum *out, tr_vec3 v) {
    const mjtNum values[] = {v.x, v.y, v.z};
    mju_copy(out, values, 3);
}

void tr_twin_put(tr_twin *t, const tr_state *s) {
    mj_resetData(t->model, t->data);
    put_vec(t->data->qpos, s->pose.root_pos);
    put_quat(t->data->qpos + 3, s->pose.root_rot);
    put_vec(t->data->qvel, s->root_vel);
    put_vec(t->data->qvel + 3, tr_quat_rotate_inverse(s->pose.root_rot, s->root_omega));
    for (int i = 1; i < t->ours->body_count; i++) {
        const tr_body *body = &t->ours->body[i];
        mjtNum *q = t->data->qpos + t->qpos[i], *v = t->data->qvel + t->dof[i];
        if (tr_body_has_axis(body)) {
            q[0] = angle_of(body, s->pose.joint[i]);
            v[0] = tr_vec3_dot(s->joint_rate[i], body->axis);
        } else {
            put_quat(q, s->pose.joint[i]);
            put_vec(v, tr_quat_rotate_inverse(s->pose.joint[i], s->joint_rate[i]));
        }
    }
}

void tr_twin_get(const tr_twin *t, tr_state *out) {
    const mjtNum *qpos = t->data->qpos, *qvel = t->data->qvel;
    *out = (tr_state){.root_vel = vec_at(qvel)};
    out->pose.root_pos = vec_at(qpos);
    out->pose.root_rot = quat_at(qpos + 3);
    out->root_omega = tr_quat_rotate(out->pose.root_rot, vec_at(qvel + 3));
    out->pose.joint[0] = tr_quat_identity();
    for (int i = 1; i < t->ours->body_count; i++) {
        const tr_body *body = &t->ours->body[i];
        const mjtNum *q = qpos + t->qpos[i], *v = qvel + t->dof[i];
        if (tr_body_has_axis(body)) {
            out->pose.joint[i] = tr_quat_from_axis_angle(body->axis, q[0]);
            out->joint_rate[i] = tr_vec3_scale(body->axis, v[0]);
        } else {
            out->pose.joint[i] = quat_at(q);
            out->joint_rate[i] = tr_quat_rotate(out->pose.joint[i], vec_at(v));
        }
    }
}

/* --- servos --- */

static double within(double torque, const tr_body *body, int axis) {
    double bound = tr_body_torque_bound(body, axis, torque > 0);
    return fabs(torque) > bound ? copysign(bound, torque) : torque;
}

/* Springs and damping of one joint, so that spring minus damping times rate keeps within the limits. */
static void drive_joint(tr_twin *t, int i, double kp, double kd, tr_quat target) {
    const tr_body *body = &t->ours->body[i];
    bool single = tr_body_has_axis(body);
    const mjtNum *q = t->data->qpos + t->qpos[i], *rate = t->data->qvel + t->dof[i];
    mjtNum *force = t->data->qfrc_applied + t->dof[i];
    tr_vec3 turn = {0, 0, 0};
    if (single)
        turn.x = angle_of(body, target) - q[0];
    else
        turn = tr_quat_log(tr_quat_mul(tr_quat_conj(quat_at(q)), target));
    const double error[3] = {turn.x, turn.y, turn.z};
    double stiff = kd + t->model->opt.timestep * kp;
    for (int k = 0; k < (single ? 1 : 3); k++) {
        t->model->dof_damping[t->dof[i] + k] = stiff;
        force[k] = within(kp * error[k] - stiff * rate[k], body, k) + stiff * rate[k];
    }
}

static bool is_unstable(const mjData *data) {
    return data->warning[mjWARN_BADQPOS].number + data->warning[mjWARN_BADQVEL].number +
               data->warning[mjWARN_BADQACC].number >
           0;
}

bool tr_twin_step(tr_twin *t, int gain_set, const tr_quat *target, int steps) {
    if (gain_set < 0)
        return false; /* gains by value, which this simulator does not get */
    const tr_gain_set *gains = &t->ours->gain_set[gain_set];
    for (int k = 0; k < steps; k++) {
        for (int i = 1; i < t->ours->body_count; i++)
            drive_joint(t, i, gains->kp[i], gains->kd[i], target[i]);
        mj_step(t->model, t->data);
        if (is_unstable(t->data))
            return false;
    }
    return true;
}
