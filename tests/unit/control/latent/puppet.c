/* controllers/control/latent/puppet.h: puppets are driven, steered, kept, mirrored and restored as
 * any controller is. */
#include "cmocka_test.h"

#include "control/driver/runner.h"
#include "control/latent/pillar.h"
#include "control/latent/puppet.h"
#include "physics/world/world.h"
#include "unit/control/bits.h"
#include "unit/control/latent/loops_puppet.h"

#include <math.h>
#include <string.h>

enum { FRAMES = LOOP_FRAMES * LOOP_COUNT };

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_controller, puppet);

BEFORE_ALL() {
    const loops_puppet_definition def = loops_puppet_def();
    model = loops_model();
    puppet = loops_puppet(model, &def);
}

/* --- a world with one puppet --- */

static tr_state run(loops_scene *s, int steps) {
    tr_state state;
    for (int i = 0; i < steps; i++) {
        assert_int_equal(tr_runner_advance(&s->runner, s->world, s->id, NULL), TR_OK);
        assert_int_equal(tr_world_step(s->world), TR_OK);
    }
    assert_int_equal(tr_world_get_state(s->world, s->id, &state), TR_OK);
    return state;
}

TEST(test_puppet_is_sound_and_known_by_its_kind) {
    tr_error error = {0};
    if (tr_controller_check(puppet, model, &error))
        fail_msg("%s", error.message);
    assert_ptr_equal(tr_driver_find_kind("puppet"), &tr_puppet_kind);
    tr_driver_sheet sheet;
    assert_int_equal(tr_driver_describe(puppet->driver, puppet->step_s, &sheet), TR_OK);
    assert_int_equal(sheet.outline.entry_count, LOOP_COUNT);
    assert_int_equal(sheet.parameter_count, 8);
    assert_int_equal(sheet.point_count, FRAMES);
    for (int i = 0; i < FRAMES; i++)
        assert_true(sheet.point[i].begins == (i % LOOP_FRAMES == 0));
    assert_true(sheet.point[2 * LOOP_FRAMES].mirrored && !sheet.point[0].mirrored);
    tr_driver_sheet_deinit(&sheet);
}

static tr_vec3 place_on_map(const tr_doing *doing) {
    const tr_driver_shown *at = tr_doing_find(doing, "map_at");
    assert_non_null(at);
    assert_int_equal(at->count, 3);
    return (tr_vec3){at->value[0], at->value[1], at->value[2]};
}

TEST(test_place_on_the_map_moves_with_the_character) {
    loops_scene s = loops_begin(model, puppet);
    tr_doing doing;
    tr_runner_look(&s.runner, &doing);
    assert_null(tr_doing_find(&doing, "map_at"));
    (void)run(&s, 40);
    tr_runner_look(&s.runner, &doing);
    tr_vec3 before = place_on_map(&doing);
    (void)run(&s, 40);
    tr_runner_look(&s.runner, &doing);
    tr_vec3 at = place_on_map(&doing);
    double way = tr_vec3_distance(before, at), radius = hypot(at.x, at.y);
    assert_true(way > 0.3 && radius > 0.5 && radius < 1.5);
    tr_world_destroy(s.world);
}

TEST(test_held_point_poses_the_body_until_it_is_let_go) {
    loops_scene s = loops_begin(model, puppet);
    tr_doing doing;
    const double hold = 1, let_go = 0, place[] = {0.2, -0.95};
    (void)run(&s, 100);
    assert_int_equal(tr_runner_set_parameter(&s.runner, "map_hold", &hold, 1, NULL), TR_OK);
    assert_int_equal(tr_runner_set_parameter(&s.runner, "map", place, 2, NULL), TR_OK);
    tr_state held = run(&s, 200), later = run(&s, 100);
    tr_runner_look(&s.runner, &doing);
    tr_vec3 at = place_on_map(&doing);
    assert_true(hypot(at.x - place[0], at.y - place[1]) < 1e-3);
    assert_true(fabs(at.z) < 0.5);
    assert_true(tr_vec3_distance(held.pose.root_pos, later.pose.root_pos) < 1e-3);
    assert_int_equal(tr_runner_set_parameter(&s.runner, "map_hold", &let_go, 1, NULL), TR_OK);
    tr_state walks = run(&s, 200);
    assert_true(tr_vec3_distance(later.pose.root_pos, walks.pose.root_pos) > 0.3);
    tr_world_destroy(s.world);
}

TEST(test_puppet_turns_to_its_heading_on_either_side) {
    for (int side = -1; side <= 1; side += 2) {
        loops_scene s = loops_begin(model, puppet);
        s.runner.target = (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = 1.2 * side};
        tr_state end = run(&s, 1000);
        assert_true(tr_world_is_kinematic(s.world, s.id));
        assert_true(fabs(tr_quat_heading(end.pose.root_rot) - 1.2 * side) < 0.5);
        assert_true(side * end.pose.root_pos.y > 0.3);
        tr_world_destroy(s.world);
    }
}

TEST(test_mirrored_puppet_does_the_same_on_the_other_side) {
    OWN(tr_controller) *image = NULL;
    assert_int_equal(tr_controller_mirror(puppet, model, &image), TR_OK);
    loops_scene a = loops_begin(model, puppet), b = loops_begin(model, image);
    a.runner.target = (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = 0.7};
    b.runner.target = (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = -0.7};
    tr_state p = run(&a, 150), q = run(&b, 150);
    assert_true(fabs(p.pose.root_pos.x - q.pose.root_pos.x) < 0.01);
    assert_true(fabs(p.pose.root_pos.y + q.pose.root_pos.y) < 0.01);
    tr_world_destroy(a.world);
    tr_world_destroy(b.world);
}

TEST(test_puppet_that_is_put_elsewhere_begins_there) {
    loops_scene s = loops_begin(model, puppet);
    tr_state at = run(&s, 100);
    at.pose.root_pos.x += 7;
    assert_int_equal(tr_world_set_state(s.world, s.id, &at), TR_OK);
    tr_state end = run(&s, 10);
    assert_true(fabs(end.pose.root_pos.x - at.pose.root_pos.x) < 0.3);
    tr_world_destroy(s.world);
}

static void set(loops_scene *s, const char *name, const double *values, int count) {
    assert_int_equal(tr_runner_set_parameter(&s->runner, name, values, count, NULL), TR_OK);
}

static tr_vec3 hand_at(const tr_state *state, int side) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, state, bodies);
    return bodies[model->hand[side]].com_pos;
}

/* A place of a hand from the root: forward, outward, above the ground. */
static tr_vec3 hand_beside(const tr_state *state, int side) {
    tr_vec3 off = tr_vec3_sub(hand_at(state, side), state->pose.root_pos);
    off = tr_vec3_to_heading(off, tr_quat_heading(state->pose.root_rot));
    return (tr_vec3){off.x, side == 0 ? off.y : -off.y, off.z + state->pose.root_pos.z};
}

TEST(hands_reach_the_requested_point_each_on_its_side) {
    const tr_vec3 to = {0.4, 0.15, 1.2};
    for (double asked = 1; asked <= 3; asked++) {
        loops_scene s = loops_begin(model, puppet);
        set(&s, "reach_hand", &asked, 1);
        set(&s, "reach", &to.x, 3);
        tr_state end = run(&s, 400);
        for (int side = 0; side < 2; side++) {
            const double off_m = tr_vec3_distance(hand_beside(&end, side), to);
            assert_true(asked == 3 || asked == side + 1 ? off_m < 0.01 : off_m > 0.1);
        }
        tr_world_destroy(s.world);
    }
}

TEST(a_hand_that_is_let_go_does_not_jump) {
    loops_scene s = loops_begin(model, puppet);
    const double right = 2, none = 0, to[3] = {0.4, 0.15, 1.2};
    set(&s, "reach_hand", &right, 1);
    set(&s, "reach", to, 3);
    tr_state before = run(&s, 400);
    set(&s, "reach_hand", &none, 1);
    tr_state after = run(&s, 1), end = run(&s, 400);
    assert_true(tr_vec3_distance(hand_beside(&before, 1), hand_beside(&after, 1)) < 0.05);
    assert_true(tr_vec3_distance(hand_beside(&before, 1), hand_beside(&end, 1)) > 0.1);
    tr_world_destroy(s.world);
}

/* Walks on the loop that turns left, which is a circle. */
static tr_state walk_around(loops_scene *s) {
    tr_state at = run(s, 20);
    const double heading_rad = tr_quat_heading(at.pose.root_rot) + 1.5;
    s->runner.target = (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = heading_rad};
    return at;
}

TEST(a_hand_holds_a_pole_while_the_character_walks_around_it_and_lets_go_of_one_far_away) {
    loops_scene s = loops_begin(model, puppet), free = loops_begin(model, puppet);
    const double left = 1, on = 1;
    tr_state at = {0}, without = {0};
    for (int i = 0; i < 30; i++) {
        at = walk_around(&s);
        without = walk_around(&free);
    }
    const tr_vec3 middle = {0, LOOP_FORWARD / LOOP_TURN, 0}, far = {50, 0, 1},
                  off = tr_vec3_from_heading(middle, tr_quat_heading(at.pose.root_rot));
    tr_vec3 pole = tr_vec3_add(at.pose.root_pos, off);
    pole.z = 1;
    set(&s, "reach_hand", &left, 1);
    set(&s, "reach", &pole.x, 3);
    set(&s, "held", &on, 1);
    for (int i = 0; i < 40; i++) {
        at = walk_around(&s);
        without = walk_around(&free);
        if (i > 20)
            assert_true(tr_vec3_distance(hand_at(&at, 0), pole) < 1e-3);
    }
    set(&s, "reach", &far.x, 3);
    const tr_state let_go = run(&s, 1);
    (void)run(&free, 1);
    assert_true(tr_vec3_distance(hand_at(&let_go, 0), hand_at(&at, 0)) < 0.3);
    for (int i = 0; i < 30; i++) {
        at = walk_around(&s);
        without = walk_around(&free);
    }
    assert_true(tr_vec3_distance(hand_at(&at, 0), hand_at(&without, 0)) < 1e-3);
    tr_world_destroy(s.world);
    tr_world_destroy(free.world);
}

/* How far the fingers of the right hand point aside from a place, rad. */
static double off_aim(const tr_state *state, tr_vec3 place) {
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, state, bodies);
    const int hand = model->hand[1];
    const tr_vec3 middle = bodies[hand].com_pos,
                  fingers = tr_vec3_sub(middle, tr_body_origin(model, hand, &bodies[hand])),
                  way = tr_vec3_sub(place, middle);
    return tr_atan2(tr_vec3_length(tr_vec3_cross(fingers, way)), tr_vec3_dot(fingers, way));
}

TEST(both_hands_aim_at_a_point_ahead_and_let_go_of_one_behind) {
    loops_scene s = loops_begin(model, puppet);
    const double on = 1;
    tr_state at = run(&s, 1);
    const double heading = tr_quat_heading(at.pose.root_rot);
    const tr_vec3 ahead = tr_vec3_from_heading((tr_vec3){8, 2, 1}, heading),
                  behind = tr_vec3_from_heading((tr_vec3){-8, 2, 1}, heading);
    set(&s, "aims", &on, 1);
    set(&s, "aim", &ahead.x, 3);
    at = run(&s, 300);
    assert_true(off_aim(&at, ahead) < 0.02);
    set(&s, "aim", &behind.x, 3);
    at = run(&s, 400);
    assert_true(off_aim(&at, behind) > 0.5);
    tr_world_destroy(s.world);
}

TEST(a_body_with_other_elbows_cannot_aim) {
    const loops_puppet_definition def = loops_puppet_def();
    const double on = 1;
    OWN(tr_model) *other = loops_model();
    other->body[tr_model_find_body(other, "llarm")].axis = (tr_vec3){1, 0, 0};
    OWN(tr_controller) *unable = loops_puppet(other, &def);
    loops_scene s = loops_begin(other, unable);
    tr_error error = {0};
    assert_int_equal(tr_runner_set_parameter(&s.runner, "aims", &on, 1, &error),
                     TR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "aims: 1; expected 0: this body has no two arms with elbows "
                                       "that are hinges about y");
    tr_world_destroy(s.world);
}

/* A puppet whose left arm is stretched to the side. */
static loops_scene begin_reaching(void) {
    loops_scene s = loops_begin(model, puppet);
    const double left = 1, to[3] = {0.1, 0.6, 1.1};
    assert_int_equal(tr_runner_set_parameter(&s.runner, "reach_hand", &left, 1, NULL), TR_OK);
    assert_int_equal(tr_runner_set_parameter(&s.runner, "reach", to, 3, NULL), TR_OK);
    return s;
}

TEST(test_arms_stay_out_of_a_pillar) {
    loops_scene free_one = begin_reaching(), s = begin_reaching();
    tr_state at = run(&free_one, 100);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, &at, bodies);
    const tr_vec3 hand = bodies[model->hand[0]].com_pos;
    const tr_pillar pillar = {hand.x, hand.y, 0.04};
    const double values[3] = {pillar.x, pillar.y, pillar.radius_m};
    assert_true(loops_pillar_depth(model, &pillar, &at.pose) > 0.04);
    assert_int_equal(tr_runner_set_parameter(&s.runner, "pillar", values, 3, NULL), TR_OK);
    for (int i = 0; i < 100; i++) {
        at = run(&s, 1);
        assert_true(loops_pillar_depth(model, &pillar, &at.pose) < 1e-9);
    }
    tr_world_destroy(free_one.world);
    tr_world_destroy(s.world);
}

TEST(test_puppet_has_no_skills_to_steer_to) {
    const tr_steering_target ahead = {.aim = TR_AIM_HEADING, .heading_rad = 1},
                             run = {.skill = "run"};
    assert_true(tr_driver_follows(puppet->driver, &ahead));
    assert_false(tr_driver_follows(puppet->driver, &run));
}

TEST(a_puppet_has_its_golden_bits) {
    bits_check(puppet, model,
               &(bits_golden){.steps = 600,
                              .probes = 12,
                              .content = 0x3f4794cfffea22d7ULL,
                              .motion = 0xfb9010f74b3ddd6cULL,
                              .refusals = 0xa1dcbf6e3a24b7bdULL});
}

/* With every weight of a candidate, and feet that stand. */
TEST(a_puppet_that_weighs_everything_has_its_golden_bits) {
    loops_puppet_definition def = loops_puppet_def();
    def.stands = true;
    def.choice.dynamics_weight = 0.4;
    def.choice.variance_weight = 0.3;
    def.choice.slip_weight = 0.5;
    def.choice.step_weight = 0.7;
    def.choice.ring_variance = true;
    def.task.sharpness = 2;
    def.task.speed_width_mps = 0.5;
    def.task.grid.axis[1].cells = 4;
    OWN(tr_controller) *controller = loops_puppet(model, &def);
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 12,
                              .content = 0xbb6b7db933270027ULL,
                              .motion = 0xa75d087bfc318be5ULL,
                              .refusals = 0x4882a4834be9064bULL});
}

static tr_controller *striker(void) {
    loops_puppet_definition def = loops_puppet_def();
    def.task = (tr_latent_task){.kind = TR_LATENT_TARGET,
                                .sharpness = 3,
                                .speed_mps = 0.2,
                                .height_m = 1.2,
                                .body = model->hand[1],
                                .grid = {2, {{-TR_PI, TR_PI, 8, true}, {0.3, 1.2, 4, false}}}};
    return loops_puppet(model, &def);
}

/* The height of the right fist when it is nearest to a target, which is ahead of where it hangs and
 * higher by this much. */
static double height_of_strike(const tr_controller *controller, double higher_m) {
    loops_scene s = loops_begin(model, controller);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state at = run(&s, 100);
    tr_state_forward(model, &at, bodies);
    const tr_vec3 ahead =
        tr_vec3_from_heading((tr_vec3){0.3, 0, higher_m}, tr_quat_heading(at.pose.root_rot));
    const tr_vec3 to = tr_vec3_add(bodies[model->hand[1]].com_pos, ahead);
    const double target[] = {to.x, to.y, to.z}, on = 1;
    assert_int_equal(tr_runner_set_parameter(&s.runner, "target", target, 3, NULL), TR_OK);
    assert_int_equal(tr_runner_set_parameter(&s.runner, "strike", &on, 1, NULL), TR_OK);
    double least = (double)INFINITY, height = 0;
    for (int i = 0; i < 200; i++) {
        at = run(&s, 1);
        tr_state_forward(model, &at, bodies);
        const tr_vec3 fist = bodies[model->hand[1]].com_pos;
        if (tr_vec3_distance(fist, to) < least) {
            least = tr_vec3_distance(fist, to);
            height = fist.z;
        }
    }
    tr_world_destroy(s.world);
    return height;
}

TEST(a_fist_strikes_as_high_as_the_target) {
    OWN(tr_controller) *controller = striker();
    const double low = height_of_strike(controller, 0), high = height_of_strike(controller, 0.2);
    assert_true(high - low > 0.15 && high - low < 0.25);
}

/* A goal straight ahead would turn with the puppet, and the puppet for ever. */
TEST(a_puppet_without_a_target_keeps_its_heading) {
    OWN(tr_controller) *controller = striker();
    loops_scene s = loops_begin(model, controller);
    double off_rad = 0;
    const double heading_rad = tr_quat_heading(run(&s, 1).pose.root_rot);
    for (int i = 0; i < 40; i++) {
        const tr_state at = run(&s, 50);
        off_rad =
            fmax(off_rad, fabs(tr_angle_wrap(tr_quat_heading(at.pose.root_rot) - heading_rad)));
    }
    assert_true(off_rad < 1);
    tr_world_destroy(s.world);
}

TEST(a_puppet_that_strikes_has_its_golden_bits) {
    OWN(tr_controller) *controller = striker();
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 12,
                              .content = 0x808f44b3a6356c7bULL,
                              .motion = 0xa5963e83b6263a77ULL,
                              .refusals = 0xa4cc8067d9e42953ULL});
}
