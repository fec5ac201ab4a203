#include "learn/gait/gait_walker.h"

#include "control/parts/falls.h"

static const double FALL_HEIGHT_SHARE = 0.63, FALL_UPRIGHTNESS = 0.4;
static const double SIDEWAYS_MPS = 0.1;

tr_gait_noise tr_gait_noise_default(void) {
    return (tr_gait_noise){
        .joint_rad = 0.03, .target_rad = 0.01, .speed_low_mps = 0.3, .speed_high_mps = 0.7};
}

static tr_vec3 draw(tr_random *random, double size) {
    double x = tr_random_normal(random), y = tr_random_normal(random);
    return (tr_vec3){size * x, size * y, size * tr_random_normal(random)};
}

tr_state tr_gait_walker_start(const tr_model *model, const tr_gait_noise *noise, uint64_t seed) {
    tr_random random = tr_random_split(seed, 2, 0);
    tr_pose rest = tr_pose_rest(model);
    tr_state state = tr_state_at_rest(model, &rest);
    double share = tr_random_uniform(&random);
    state.root_vel.x =
        noise->speed_low_mps + share * (noise->speed_high_mps - noise->speed_low_mps);
    state.root_vel.y = SIDEWAYS_MPS * (tr_random_uniform(&random) - 0.5);
    for (int b = 1; b < model->body_count; b++)
        state.pose.joint[b] = tr_quat_exp(draw(&random, noise->joint_rad));
    return state;
}

tr_gait_walker tr_gait_walker_make(const tr_gait *gait, tr_world *world, tr_entity_id character,
                                   const tr_gait_noise *noise, uint64_t seed) {
    const tr_model *model = tr_world_character_model(world, character);
    return (tr_gait_walker){.gait = gait,
                            .world = world,
                            .model = model,
                            .character = character,
                            .noise = *noise,
                            .random = tr_random_split(seed, 3, 0),
                            .rest_m = tr_pose_rest(model).root_pos.z};
}

/* Draws a turn of that standard deviation about each axis from even numbers: normal ones would take
 * a fifth of a trial's time. */
static tr_quat small_turn(tr_random *random, double size_rad) {
    /* An even number between -a and a has the standard deviation a / sqrt(3). */
    double half = 0.5 * 1.7320508075688772 * size_rad;
    double x = half * (2 * tr_random_uniform(random) - 1);
    double y = half * (2 * tr_random_uniform(random) - 1);
    double z = half * (2 * tr_random_uniform(random) - 1);
    return tr_quat_normalize((tr_quat){1, x, y, z});
}

/* Sets the servos for the coming step. */
static tr_status drive(tr_gait_walker *walker, const tr_gait_sight *wanted) {
    tr_gait_sight sight;
    tr_gait_servos servos;
    tr_world *world = walker->world;
    tr_status status = tr_gait_look(world, walker->character, &sight);
    if (status)
        return status;
    sight.has_target = wanted->has_target;
    sight.turn_rad = wanted->turn_rad;
    sight.speed_mps = wanted->speed_mps;
    sight.stiffness = wanted->stiffness;
    tr_gait_step(walker->gait, &walker->state, &sight, &servos);
    /* Noise on the targets, as on the start: servos are not exact either. */
    for (int b = 1; b < walker->model->body_count; b++)
        servos.target[b] =
            tr_quat_mul(small_turn(&walker->random, walker->noise.target_rad), servos.target[b]);
    status = tr_world_set_targets(world, walker->character, servos.target);
    if (!status)
        status = tr_world_set_gains(world, walker->character, servos.kp, servos.kd);
    if (!status)
        status = tr_world_set_feedforward(world, walker->character, servos.torque, 1);
    return status;
}

tr_status tr_gait_walkers_step(tr_gait_walker *walker, const tr_gait_sight *wanted, int count) {
    tr_status status = TR_OK;
    for (int i = 0; i < count && !status; i++)
        status = drive(&walker[i], &wanted[i]);
    return status ? status : tr_world_step(walker->world);
}

bool tr_gait_walker_has_fallen(const tr_gait_walker *walker) {
    const tr_body_state *bodies = tr_world_bodies(walker->world, walker->character);
    tr_vec3 up = tr_quat_rotate(bodies[walker->model->trunk].rot, (tr_vec3){0, 0, 1});
    double height_m = tr_body_origin(walker->model, 0, &bodies[0]).z;
    return up.z < FALL_UPRIGHTNESS || height_m < FALL_HEIGHT_SHARE * walker->rest_m ||
           tr_falls_is_down(walker->world, walker->character, false);
}
