/* The same MJCF stepped by MuJoCo, servos implicit in both gains as here: MuJoCo integrates joint
 * damping implicitly, so damping kd + h kp with a spring of kp times the error as applied force is
 * exactly that servo. Contacts are made as stiff as its step allows. */
#include "bench/bench.h"
#include "bench/physics_cells.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>

/* The rig of a run. */
typedef struct figure {
    const tr_bench_job *job;
    mjModel *model;
    mjData *data;
    int qpos[TR_BODY_MAX], dof[TR_BODY_MAX]; /* of each of our bodies' joints */
} figure;

static bool one_character(const tr_bench_job *job) {
    return job->scenario->characters == 1 && !job->scenario->ball && !job->scenario->field &&
           !job->controller;
}

static void set_contacts(mjModel *m, double h) {
    for (int i = 0; i < m->ngeom; i++) {
        m->geom_solref[mjNREF * i] = 2.0 * h;
        m->geom_solref[mjNREF * i + 1] = 1.0;
        m->geom_solimp[mjNIMP * i] = m->geom_solimp[mjNIMP * i + 1] = 0.99;
        m->geom_solimp[mjNIMP * i + 2] = 0.001;
    }
}

static bool limp(const figure *f) {
    return f->job->scenario->motion == TR_MOTION_LIMP;
}

static void set_servos(figure *f) {
    const tr_model *ours = f->job->model;
    for (int i = 1; i < ours->body_count; i++) {
        int id = mj_name2id(f->model, mjOBJ_BODY, ours->body[i].name);
        int joint = f->model->body_jntadr[id];
        f->qpos[i] = f->model->jnt_qposadr[joint];
        f->dof[i] = f->model->jnt_dofadr[joint];
        double kp = ours->gain_set[0].kp[i], kd = ours->gain_set[0].kd[i];
        double damping = limp(f) ? tr_world_def_default().ragdoll_damping : kd + f->job->h_s * kp;
        for (int k = 0; k < (ours->body[i].joint == TR_JOINT_BALL ? 3 : 1); k++)
            f->model->dof_damping[f->dof[i] + k] = damping;
    }
}

static void set_start(figure *f) {
    tr_state s = tr_scenario_start(f->job->scenario, f->job->model, 0);
    const tr_vec3 *p = &s.pose.root_pos, *v = &s.root_vel, *w = &s.root_omega;
    const double qpos[3] = {p->x, p->y, p->z};
    const double qvel[6] = {v->x, v->y, v->z, w->x, w->y, w->z};
    mju_copy(f->data->qpos, qpos, 3);
    mju_copy(f->data->qvel, qvel, 6);
}

/* Springs of the servos at the targets of the coming step; MuJoCo's ball rates are in the child's
 * axes. */
static void apply_springs(figure *f, const tr_quat *target) {
    const tr_model *ours = f->job->model;
    for (int i = 1; i < ours->body_count && !limp(f); i++) {
        double kp = ours->gain_set[0].kp[i];
        const mjtNum *q = f->data->qpos + f->qpos[i];
        mjtNum *force = f->data->qfrc_applied + f->dof[i];
        if (tr_body_has_axis(&ours->body[i])) {
            double goal = tr_quat_angle_about(target[i], ours->body[i].axis);
            force[0] = kp * (goal - q[0]);
        } else {
            tr_quat now = {q[0], q[1], q[2], q[3]};
            tr_vec3 error = tr_quat_log(tr_quat_mul(tr_quat_conj(now), target[i]));
            force[0] = kp * error.x;
            force[1] = kp * error.y;
            force[2] = kp * error.z;
        }
    }
}

static void measure(figure *f, const tr_quat *targets, int steps, tr_bench_run *out) {
    enum { BATCH = 20 };
    long contacts = 0;
    double started = tr_bench_now();
    *out = (tr_bench_run){0};
    while (out->steps < steps && out->cpu_s < f->job->budget_s) {
        for (int i = 0; i < BATCH && out->steps < steps; i++, out->steps++) {
            apply_springs(f, targets + (size_t)out->steps * (size_t)f->job->model->body_count);
            mj_step(f->model, f->data);
            contacts += f->data->ncon;
        }
        out->cpu_s = tr_bench_now() - started;
    }
    out->root_z = f->data->qpos[2];
    out->contacts = (double)contacts / out->steps;
}

/* A way to solve the contacts. With fewer iterations than these a standing character falls. */
typedef struct setting {
    mjtSolver solver;
    mjtJacobian jacobian;
    int iterations;
} setting;

static bool run_mujoco(const tr_bench_job *job, setting how, tr_bench_run *out) {
    char message[1000] = "";
    int steps = (int)(job->seconds / job->h_s + 0.5);
    size_t bodies = (size_t)job->model->body_count;
    tr_quat *targets = calloc((size_t)steps * bodies, sizeof *targets);
    figure f = {.job = job, .model = mj_loadXML(job->model_path, NULL, message, sizeof message)};
    bool ok = targets && f.model;
    if (ok) {
        f.model->opt.timestep = job->h_s;
        f.model->opt.solver = how.solver;
        f.model->opt.jacobian = how.jacobian;
        f.model->opt.iterations = how.iterations;
        if (!job->scenario->self_collision)
            for (int i = 0; i < f.model->ngeom;
                 i++) /* all meet the ground, which alone has affinity */
                f.model->geom_conaffinity[i] = f.model->geom_bodyid[i] == 0;
        set_contacts(f.model, job->h_s);
        set_servos(&f);
        f.data = mj_makeData(f.model);
        set_start(&f);
        for (int step = 0; step < steps; step++)
            tr_scenario_targets(job->scenario, job->model, (step + 1) * job->h_s,
                                targets + (size_t)step * bodies);
        measure(&f, targets, steps, out);
        mj_deleteData(f.data);
    } else {
        fprintf(stderr, "mujoco: %s\n", message);
    }
    mj_deleteModel(f.model);
    free(targets);
    return ok;
}

static bool run_newton(const tr_bench_job *job, tr_bench_run *out) {
    return run_mujoco(job, (setting){mjSOL_NEWTON, mjJAC_SPARSE, 100}, out);
}

static bool run_pgs(const tr_bench_job *job, tr_bench_run *out) {
    return run_mujoco(job, (setting){mjSOL_PGS, mjJAC_DENSE, 20}, out);
}

const tr_bench_engine tr_bench_mujoco_newton = {"mujoco_newton", mj_versionString, one_character,
                                                run_newton};
const tr_bench_engine tr_bench_mujoco_pgs = {"mujoco_pgs20", mj_versionString, one_character,
                                             run_pgs};
