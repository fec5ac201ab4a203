#include "control/latent/foot_plants.h"

#include "control/latent/pose_constraint.h"

#include <math.h>

/* How surely a support stands when it is planted and when it is released; the largest offset, m; the
 * spring's rate, 1/s; an offset that counts as none, m. */
static const double PLANT = 0.75, RELEASE = 0.55, OFFSET_MAX_M = 0.15, SPRING = 40, NEAR_M = 1e-4;

/* Plants and releases support i, which the pose has at `at`. */
static void update(tr_foot_plants *plants, const tr_support *support, int i, double standing,
                   tr_vec3 at, double ground_m) {
    tr_vec3 shown = tr_vec3_add(at, plants->offset[support->foot]);
    if (!plants->planted[i] && standing > PLANT) {
        plants->planted[i] = 1;
        plants->at[i] = (tr_vec3){shown.x, shown.y, fmax(shown.z, ground_m)};
    }
    if (plants->planted[i] &&
        (standing < RELEASE || tr_vec3_distance(plants->at[i], at) > OFFSET_MAX_M))
        plants->planted[i] = 0;
}

/* Mean offset that the planted supports of a foot ask for; zero: none is planted. */
static tr_vec3 wanted_offset(const tr_foot_plants *plants, const tr_latent_space_def *def, int foot,
                             const tr_vec3 *at) {
    int count = 0;
    tr_vec3 sum = {0, 0, 0};
    for (int i = 0; i < def->support_count; i++)
        if (def->support[i].foot == foot && plants->planted[i]) {
            sum = tr_vec3_add(sum, tr_vec3_sub(plants->at[i], at[i]));
            count++;
        }
    return tr_vec3_scale(sum, count ? 1.0 / count : 0);
}

/* The exact motion of a critically damped spring towards `wanted` over dt_s. */
static void move_offset(tr_vec3 *offset, tr_vec3 *rate, tr_vec3 wanted, double dt_s) {
    const double decay = tr_exp(-SPRING * dt_s);
    tr_vec3 off = tr_vec3_sub(*offset, wanted);
    tr_vec3 pull = tr_vec3_scale(tr_vec3_add_scaled(*rate, SPRING, off), dt_s);
    *offset = tr_vec3_add_scaled(wanted, decay, tr_vec3_add(off, pull));
    *rate = tr_vec3_scale(tr_vec3_add_scaled(*rate, -SPRING, pull), decay);
}

static void bend_legs(const tr_foot_plants *plants, const tr_latent_space_def *def,
                      const tr_model *model, const tr_vec3 *at, tr_pose *pose) {
    tr_pose_constraint constraint[TR_SUPPORT_MAX];
    int count = 0;
    for (int i = 0; i < def->support_count; i++) {
        const tr_support *s = &def->support[i];
        if (tr_vec3_length(plants->offset[s->foot]) > NEAR_M)
            constraint[count++] =
                (tr_pose_constraint){.body = s->body,
                                     .point = s->point,
                                     .target = tr_vec3_add(at[i], plants->offset[s->foot])};
    }
    if (count > 0)
        (void)tr_pose_constrain(model, constraint, count, pose);
}

void tr_foot_plants_step(tr_foot_plants *plants, const tr_latent_space *space,
                         const tr_model *model, const double *standing, double ground_m,
                         double dt_s, tr_pose *pose) {
    const tr_latent_space_def *def = &space->learned;
    tr_vec3 at[TR_SUPPORT_MAX];
    tr_state at_rest = tr_state_at_rest(model, pose);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &at_rest, bodies);
    for (int i = 0; i < def->support_count; i++) {
        at[i] = tr_support_position(model, &def->support[i], bodies);
        update(plants, &def->support[i], i, standing[i], at[i], ground_m);
    }
    for (int foot = 0; foot < def->support_count; foot++)
        move_offset(&plants->offset[foot], &plants->rate[foot],
                    wanted_offset(plants, def, foot, at), dt_s);
    bend_legs(plants, def, model, at, pose);
}
