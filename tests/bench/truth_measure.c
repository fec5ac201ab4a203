#include "bench/truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tr_truth_create(const tr_model *model, int steps, tr_truth *out) {
    size_t count = (size_t)steps;
    *out = (tr_truth){.model = model,
                      .capacity = steps,
                      .depth = calloc(count, sizeof(double)),
                      .load = calloc(count, sizeof(double)),
                      .jump = calloc(count, sizeof(double)),
                      .largest = calloc(count, sizeof(double))};
    if (out->depth && out->load && out->jump && out->largest)
        return true;
    tr_truth_destroy(out);
    return false;
}

void tr_truth_destroy(tr_truth *t) {
    free(t->depth);
    free(t->load);
    free(t->jump);
    free(t->largest);
    *t = (tr_truth){0};
}

/* --- mechanics of bodies --- */

static double energy(const tr_model *model, const tr_body_state *bodies, tr_vec3 gravity) {
    double sum = 0;
    for (int i = 0; i < model->body_count; i++) {
        const tr_body_state *b = &bodies[i];
        double m = model->body[i].mass;
        tr_vec3 omega = tr_quat_rotate_inverse(b->rot, b->omega);
        tr_vec3 spin = tr_mat3_apply(&model->body[i].inertia, omega);
        sum += 0.5 * m * tr_vec3_dot(b->com_vel, b->com_vel) + 0.5 * tr_vec3_dot(omega, spin) -
               m * tr_vec3_dot(gravity, b->com_pos);
    }
    return sum;
}

/* Velocity of a point that rides on a body. */
static tr_vec3 velocity_at(const tr_body_state *body, tr_vec3 point) {
    tr_vec3 arm = tr_vec3_sub(point, body->com_pos);
    return tr_vec3_add(body->com_vel, tr_vec3_cross(body->omega, arm));
}

/* --- one step --- */

/* What the contacts of the step did to the character. */
typedef struct contact_sums {
    tr_vec3 impulse, moment; /* from outside; about the centre of mass before the step */
    double work;             /* of all, J */
    double deepest;
} contact_sums;

static void note_static(tr_truth *t, const tr_contact *c, tr_vec3 velocity) {
    double normal = tr_vec3_dot(c->impulse, c->normal);
    if (normal < 1e-9)
        return;
    tr_vec3 across = tr_vec3_add_scaled(c->impulse, -normal, c->normal);
    tr_vec3 slip = tr_vec3_add_scaled(velocity, -tr_vec3_dot(velocity, c->normal), c->normal);
    if (c->friction > 0)
        t->cone = fmax(t->cone, tr_vec3_length(across) / (c->friction * normal));
    t->skating += normal * tr_vec3_length(slip);
    t->normal += normal;
}

static contact_sums sum_contacts(tr_truth *t, const tr_world *world, tr_entity_id id,
                                 const tr_body_state *after, tr_vec3 centre) {
    contact_sums sums = {0};
    int count;
    const tr_contact *contact = tr_world_contacts(world, &count);
    for (int i = 0; i < count; i++) {
        const tr_contact *c = &contact[i];
        for (int side = 0; side < 2; side++) {
            if (c->entity[side] != id)
                continue;
            int b = c->body[side];
            tr_vec3 impulse = side ? tr_vec3_negate(c->impulse) : c->impulse;
            tr_vec3 arm = tr_vec3_sub(c->pos, t->body[b].com_pos);
            tr_vec3 v0 = velocity_at(&t->body[b], c->pos);
            tr_vec3 v1 = velocity_at(&after[b], tr_vec3_add(after[b].com_pos, arm));
            sums.impulse = tr_vec3_add(sums.impulse, impulse);
            sums.moment =
                tr_vec3_add(sums.moment, tr_vec3_cross(tr_vec3_sub(c->pos, centre), impulse));
            sums.work += 0.5 * tr_vec3_dot(impulse, tr_vec3_add(v0, v1));
            if (c->entity[1] != 0)
                continue;
            note_static(t, c, v1);
            sums.deepest = fmax(sums.deepest, c->depth);
            t->load[t->steps] += c->impulse.z;
        }
    }
    return sums;
}

static bool at_limit(const tr_body *body, tr_vec3 torque) {
    bool hinge = body->joint == TR_JOINT_HINGE;
    double axis[3] = {hinge ? tr_vec3_dot(torque, body->axis) : torque.x, torque.y, torque.z};
    for (int k = 0; k < (hinge ? 1 : 3); k++)
        if (fabs(axis[k]) >= tr_body_torque_bound(body, k, axis[k] > 0) * (1 - 1e-9))
            return true;
    return false;
}

/* Work of the servos in the step, J. */
static double sum_torques(tr_truth *t, const tr_world *world, tr_entity_id id,
                          const tr_state *after, double h) {
    const tr_vec3 *torque = tr_world_servo_torques(world, id);
    double work = 0, *largest = &t->largest[t->steps], *jump = &t->jump[t->steps];
    for (int i = 1; i < t->model->body_count; i++) {
        tr_truth_joint *joint = &t->joint[i];
        double size = tr_vec3_length(torque[i]);
        tr_vec3 rates = tr_vec3_add(t->before.joint_rate[i], after->joint_rate[i]);
        work += 0.5 * h * tr_vec3_dot(torque[i], rates);
        joint->peak = fmax(joint->peak, size);
        joint->square += size * size;
        joint->beyond += at_limit(&t->model->body[i], torque[i]);
        *largest = fmax(*largest, size);
        if (t->steps > 0)
            *jump = fmax(*jump, tr_vec3_distance(torque[i], t->torque[i]));
        t->torque[i] = torque[i];
    }
    return work;
}

void tr_truth_before(tr_truth *t, const tr_world *world, tr_entity_id id, bool begins) {
    const tr_body_state *bodies = tr_world_bodies(world, id);
    if (bodies && !tr_world_get_state(world, id, &t->before))
        memcpy(t->body, bodies, (size_t)t->model->body_count * sizeof *bodies);
    t->begins = begins;
}

void tr_truth_after(tr_truth *t, const tr_world *world, tr_entity_id id) {
    tr_state after;
    const tr_world_def *def = tr_world_definition(world);
    const tr_body_state *bodies = tr_world_bodies(world, id);
    if (t->steps == t->capacity || !bodies || tr_world_get_state(world, id, &after))
        return;
    double h = def->step_s, weight = t->model->mass * tr_vec3_length(def->gravity);
    tr_momentum p0 = tr_body_momentum(t->model, t->body);
    tr_momentum p1 = tr_body_momentum(t->model, bodies);
    contact_sums sums = sum_contacts(t, world, id, bodies, p0.com_pos);
    double work = sum_torques(t, world, id, &after, h) + sums.work;
    double unexplained =
        energy(t->model, bodies, def->gravity) - energy(t->model, t->body, def->gravity) - work;
    tr_vec3 gained = tr_vec3_scale(tr_vec3_sub(p1.com_vel, p0.com_vel), p0.mass);
    tr_vec3 given = tr_vec3_add_scaled(sums.impulse, p0.mass * h, def->gravity);
    tr_vec3 turned = tr_vec3_sub(p1.angular, p0.angular);
    t->newton = fmax(t->newton, tr_vec3_distance(gained, given) / (weight * h));
    t->angular = fmax(t->angular, tr_vec3_distance(turned, sums.moment) / h);
    *(unexplained > 0 ? &t->gain : &t->loss) += unexplained;
    t->depth[t->steps] = sums.deepest;
    t->load[t->steps] /= weight * h;
    t->jumps[!t->begins] += t->jump[t->steps];
    t->firsts += t->begins;
    t->steps++;
}

/* --- over all steps --- */

static int compare(const void *left, const void *right) {
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

double tr_truth_percentile(const double *values, int count, double share) {
    double *sorted = count > 0 ? malloc((size_t)count * sizeof *sorted) : NULL;
    if (!sorted)
        return 0;
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    double found = sorted[(int)(share * (count - 1) + 0.5)];
    free(sorted);
    return found;
}

double tr_truth_load_over(const tr_truth *t, double window_s, double step_s) {
    int window = (int)(window_s / step_s + 0.5);
    double sum = 0, largest = 0;
    window = window < 1 ? 1 : window;
    for (int i = 0; i < t->steps; i++) {
        sum += t->load[i] - (i >= window ? t->load[i - window] : 0);
        largest = fmax(largest, sum / window);
    }
    return largest;
}
