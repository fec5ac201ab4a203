#include "control/latent/foot_plants.h"

#include "control/latent/pose_constraint.h"
#include "control/latent/spring.h"

#include <math.h>
#include <string.h>

/* How surely a support stands when it is planted and when it is released; the largest offset, m; the
 * spring's rate, 1/s; an offset that counts as none, m. */
static const double PLANT = 0.5, RELEASE = 0.3, OFFSET_MAX_M = 0.15, SPRING = 30, NEAR_M = 1e-4;

/* The supports in the pose of this step: where they are, world, and how fast it moves them, m/s. */
typedef struct stance {
    tr_vec3 at[TR_SUPPORT_MAX], speed[TR_SUPPORT_MAX];
} stance;

static stance take_stance(const tr_foot_plants *plants, const tr_latent_space_def *def,
                          const tr_model *model, double dt_s, const tr_pose *pose) {
    stance now = {0};
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose_forward(model, pose, bodies);
    for (int i = 0; i < def->support_count; i++) {
        now.at[i] = tr_support_position(model, &def->support[i], bodies);
        if (plants->known)
            now.speed[i] = tr_vec3_scale(tr_vec3_sub(now.at[i], plants->at[i]), 1 / dt_s);
    }
    return now;
}

/* Plants and releases support i. */
static void update(tr_foot_plants *plants, const tr_support *support, int i, double standing,
                   const stance *now, double ground_m) {
    if (!plants->planted[i] && standing > PLANT) {
        tr_vec3 shown = tr_vec3_add(plants->at[i], plants->offset[support->foot]);
        tr_vec3 speed = tr_vec3_add(plants->speed[i], plants->rate[support->foot]);
        plants->planted[i] = 1;
        /* Where the shown support stops, if its speed decays at the rate of the spring. */
        plants->place[i] = tr_vec3_add_scaled(shown, 1 / SPRING, speed);
        plants->place[i].z = fmax(plants->place[i].z, ground_m);
    }
    if (plants->planted[i] &&
        (standing < RELEASE || tr_vec3_distance(plants->place[i], now->at[i]) > OFFSET_MAX_M))
        plants->planted[i] = 0;
}

/* Means over the planted supports of a foot: how far the pose's supports are from their places, and
 * their speed. Zero if no support is planted. */
typedef struct drift {
    tr_vec3 off, speed;
} drift;

static drift drift_of(const tr_foot_plants *plants, const tr_latent_space_def *def, int foot,
                      const tr_vec3 *at, const tr_vec3 *speed) {
    int count = 0;
    drift mean = {0};
    for (int i = 0; i < def->support_count; i++)
        count += def->support[i].foot == foot && plants->planted[i];
    for (int i = 0; i < def->support_count; i++)
        if (def->support[i].foot == foot && plants->planted[i]) {
            tr_vec3 off = tr_vec3_sub(at[i], plants->place[i]);
            mean.off = tr_vec3_add_scaled(mean.off, 1.0 / count, off);
            mean.speed = tr_vec3_add_scaled(mean.speed, 1.0 / count, speed[i]);
        }
    return mean;
}

static void move_foot(tr_foot_plants *plants, const tr_latent_space_def *def, int foot,
                      const stance *now, double dt_s) {
    drift before = drift_of(plants, def, foot, plants->at, plants->speed);
    drift after = drift_of(plants, def, foot, now->at, now->speed);
    /* The shown foot is the pose with its offset. Its way to the plants decays like a spring,
     * whatever pose and plants do, so that it never jumps. */
    tr_vec3 off = tr_vec3_add(before.off, plants->offset[foot]);
    tr_vec3 rate = tr_vec3_add(before.speed, plants->rate[foot]);
    tr_spring_rest(&off, &rate, SPRING, dt_s);
    plants->offset[foot] = tr_vec3_sub(off, after.off);
    plants->rate[foot] = tr_vec3_sub(rate, after.speed);
}

/* Straight legs have no pose to bend to: share of a leg's length to which offsets may stretch it. */
static const double STRETCH = 0.985;

/* Returns the body of a foot, which is that of its first support: toes come later. */
static int body_of(const tr_latent_space_def *def, int foot) {
    for (int i = 0; i < def->support_count; i++)
        if (def->support[i].foot == foot)
            return def->support[i].body;
    return 0;
}

/* Returns the offset of a foot, shortened so that its leg reaches: the ankle stays within STRETCH
 * of the leg's length from the hip, or as far as the pose has it. */
static tr_vec3 within_reach(const tr_model *model, const tr_body_state *bodies, int body,
                            tr_vec3 offset) {
    int top = body;
    double length = 0;
    for (; model->body[top].parent > 0; top = model->body[top].parent)
        length += tr_vec3_length(model->body[top].pos);
    tr_vec3 hip = tr_body_origin(model, top, &bodies[top]);
    tr_vec3 leg = tr_vec3_sub(tr_body_origin(model, body, &bodies[body]), hip);
    tr_vec3 moved = tr_vec3_add(leg, offset);
    double most = fmax(STRETCH * length, tr_vec3_length(leg)), far = tr_vec3_length(moved);
    return far <= most ? offset : tr_vec3_sub(tr_vec3_scale(moved, most / far), leg);
}

static void bend_legs(const tr_foot_plants *plants, const tr_latent_space_def *def,
                      const tr_model *model, const tr_vec3 *at, tr_pose *pose) {
    tr_pose_constraint constraint[TR_SUPPORT_MAX];
    tr_body_state bodies[TR_BODY_MAX];
    int count = 0;
    tr_pose_forward(model, pose, bodies);
    for (int i = 0; i < def->support_count; i++) {
        const tr_support *s = &def->support[i];
        tr_vec3 offset = plants->offset[s->foot];
        if (tr_vec3_length(offset) <= NEAR_M)
            continue;
        offset = within_reach(model, bodies, body_of(def, s->foot), offset);
        constraint[count++] = (tr_pose_constraint){
            .body = s->body, .point = s->point, .target = tr_vec3_add(at[i], offset)};
    }
    if (count > 0)
        (void)tr_pose_constrain(model, constraint, count, pose);
}

void tr_foot_plants_step(tr_foot_plants *plants, const tr_latent_space *space,
                         const tr_model *model, const double *standing, double ground_m,
                         double dt_s, tr_pose *pose) {
    const tr_latent_space_def *def = &space->learned;
    const stance now = take_stance(plants, def, model, dt_s, pose);
    if (!plants->known)
        memcpy(plants->at, now.at, sizeof plants->at);
    for (int i = 0; i < def->support_count; i++)
        update(plants, &def->support[i], i, standing[i], &now, ground_m);
    for (int foot = 0; foot < def->support_count; foot++)
        move_foot(plants, def, foot, &now, dt_s);
    bend_legs(plants, def, model, now.at, pose);
    memcpy(plants->at, now.at, sizeof plants->at);
    memcpy(plants->speed, now.speed, sizeof plants->speed);
    plants->known = 1;
}
