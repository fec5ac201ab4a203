#include "cmocka_test.h"

#include "control/chain/chain.h"
#include "control/driver/runner.h"
#include "control/parts/playback.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct scene {
    tr_world *world;
    tr_entity_id id;
    int contacts; /* with the ground, seen in all steps */
} scene;

static scene open_scene(const tr_model *model, const tr_state *state, bool ground) {
    scene s = {0};
    tr_world_def def = tr_world_def_default();
    def.ground = ground;
    def.self_collision = false;
    def.solver_iterations = 1000;
    def.solver_tolerance = 1e-12;
    assert_int_equal(tr_world_create(&def, &s.world), TR_OK);
    assert_int_equal(tr_world_add_character(s.world, model, state, &s.id), TR_OK);
    return s;
}

static tr_runner start(const tr_controller *controller, int entry, bool mirrored) {
    tr_runner runner;
    tr_runner_start(&runner, controller, entry, mirrored);
    return runner;
}

static tr_doing look(const tr_runner *runner) {
    tr_doing doing;
    tr_runner_look(runner, &doing);
    return doing;
}

/* Of the entry in progress: how many of its steps are done. */
static int steps_done(const tr_runner *runner) {
    tr_doing doing = look(runner);
    const tr_bank *bank = tr_controller_bank(runner->controller);
    return (int)lround(doing.phase * bank->fragment[doing.entry].steps);
}

static tr_state run(scene *s, tr_runner *runner, int steps) {
    tr_state state;
    for (int i = 0; i < steps; i++) {
        assert_int_equal(tr_runner_advance(runner, s->world, s->id, NULL), TR_OK);
        assert_int_equal(tr_world_step(s->world), TR_OK);
        int count = 0;
        const tr_contact *contact = tr_world_contacts(s->world, &count);
        for (int c = 0; c < count; c++)
            s->contacts += contact[c].entity[1] == 0;
    }
    assert_int_equal(tr_world_get_state(s->world, s->id, &state), TR_OK);
    return state;
}

TEST(walks_through_its_fragments_and_halves) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 2, 3);
    tr_controller_bank(controller)->fragment[1].steps = 2;
    tr_controller_bank(controller)->mirrored = true;
    scene s = open_scene(model, &controller->spawn, true);
    tr_runner runner = start(controller, 1, false);
    static const struct {
        int fragment, step, mirrored;
    } expected[] = {{1, 1, 0}, {0, 0, 1}, {0, 1, 1}, {0, 2, 1}, {1, 0, 1}, {1, 1, 1}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(tr_runner_advance(&runner, s.world, s.id, NULL), TR_OK);
        assert_int_equal(look(&runner).entry, expected[i].fragment);
        assert_int_equal(steps_done(&runner), expected[i].step);
        assert_int_equal(look(&runner).mirrored, expected[i].mirrored);
        assert_false(look(&runner).ended);
    }
    assert_int_equal(look(&runner).entries_done, 3);
    tr_world_destroy(s.world);
}

TEST(a_cue_is_taken_between_fragments_and_once) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 3, 3);
    tr_controller_bank(controller)->mirrored = true;
    scene s = open_scene(model, &controller->spawn, true);
    tr_runner runner = start(controller, 0, false);
    run(&s, &runner, 1);
    runner.cue = (tr_cue){true, 2, true};
    run(&s, &runner, 2);
    assert_true(runner.cue.given);
    assert_int_equal(look(&runner).entry, 1);
    run(&s, &runner, 1);
    assert_false(runner.cue.given);
    assert_true(look(&runner).entry == 2 && steps_done(&runner) == 1 && look(&runner).mirrored);
    run(&s, &runner, 2);
    assert_true(look(&runner).entry == 0 && !look(&runner).mirrored);
    assert_int_equal(look(&runner).entries_done, 2);
    tr_world_destroy(s.world);
}

/* What runner_write wrote with this cue, read again. */
static bool cue_returns(const tr_controller *controller, tr_cue cue) {
    static unsigned char bytes[1 << 14];
    tr_byte_writer writer = {bytes, 0};
    tr_runner runner, again = {.controller = controller};
    tr_runner_start(&runner, controller, 0, false);
    runner.cue = cue;
    tr_runner_write(&runner, &writer);
    assert_true(writer.size <= sizeof bytes);
    tr_byte_reader reader = {bytes, writer.size, false};
    return tr_runner_read(&reader, &again);
}

TEST(a_cue_that_is_not_given_must_be_empty) {
    OWN(tr_controller) *controller = puppet_hold(*given, 3, 10);
    tr_controller_bank(controller)->mirrored = true;
    assert_true(cue_returns(controller, (tr_cue){false, 0, false}));
    assert_true(cue_returns(controller, (tr_cue){true, 2, true}));
    assert_false(cue_returns(controller, (tr_cue){true, 3, false}));
    assert_false(cue_returns(controller, (tr_cue){false, 1, false}));
    assert_false(cue_returns(controller, (tr_cue){false, 0, true}));
}

/* The cue is what would have come: not a bit is otherwise. */
TEST(a_cue_to_the_next_fragment_changes_nothing) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 3, 4, 8);
    scene left = open_scene(model, &controller->spawn, true);
    scene right = open_scene(model, &controller->spawn, true);
    tr_runner a = start(controller, 0, false), b = a;
    run(&left, &a, 2);
    run(&right, &b, 2);
    b.cue = (tr_cue){true, 1, false};
    run(&left, &a, 20);
    run(&right, &b, 20);
    assert_true(tr_world_hash(left.world) == tr_world_hash(right.world));
    tr_world_destroy(left.world);
    tr_world_destroy(right.world);
}

TEST(a_chain_that_ended_begins_at_its_cue) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 2, 2);
    tr_controller_bank(controller)->cyclic = false;
    scene s = open_scene(model, &controller->spawn, true);
    tr_runner runner = start(controller, 0, false);
    run(&s, &runner, 4);
    assert_true(look(&runner).ended);
    runner.cue = (tr_cue){true, 0, false};
    run(&s, &runner, 1);
    assert_true(!look(&runner).ended && look(&runner).entry == 0 && steps_done(&runner) == 1);
    run(&s, &runner, 3);
    assert_true(look(&runner).ended);
    tr_world_destroy(s.world);
}

TEST(a_chain_ends_and_then_does_nothing) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 2, 2);
    tr_controller_bank(controller)->cyclic = false;
    scene s = open_scene(model, &controller->spawn, true);
    tr_runner runner = start(controller, 0, false);
    run(&s, &runner, 3);
    assert_false(look(&runner).ended);
    run(&s, &runner, 1);
    assert_true(look(&runner).ended);
    tr_runner before = runner;
    run(&s, &runner, 5);
    assert_memory_equal(&before, &runner, sizeof runner);
    tr_world_destroy(s.world);
}

TEST(holding_the_rest_pose_stands) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 20);
    scene s = open_scene(model, &controller->spawn, true);
    tr_runner runner = start(controller, 0, false);
    tr_state state = run(&s, &runner, 400);
    assert_true(state.pose.root_pos.z > 0.9 * controller->spawn.pose.root_pos.z);
    tr_world_destroy(s.world);
}

/* The targets of a step with the action that a policy decides on in a state. */
static void expect_targets(const scene *s, const tr_controller *controller, int fragment, int step,
                           const double *action, const tr_drive *drive) {
    const tr_model *model = tr_world_character_model(s->world, s->id);
    const tr_bank *bank = tr_controller_bank(controller);
    tr_quat expected[TR_BODY_MAX];
    tr_fragment_targets(model, &bank->action, &bank->fragment[fragment], step, action, expected);
    assert_int_equal(drive->mode, TR_DRIVE_TARGETS);
    assert_int_equal(drive->entry, fragment);
    for (int b = 1; b < model->body_count; b++) { /* equal, whatever the sign of zeros */
        assert_true(drive->target[b].w == expected[b].w && drive->target[b].x == expected[b].x);
        assert_true(drive->target[b].y == expected[b].y && drive->target[b].z == expected[b].z);
    }
}

static void decide(const scene *s, const tr_controller *controller, int fragment, double *out) {
    const tr_bank *bank = tr_controller_bank(controller);
    tr_state state;
    assert_int_equal(tr_world_get_state(s->world, s->id, &state), TR_OK);
    tr_features f = tr_features_of(tr_world_character_model(s->world, s->id), &state,
                                   tr_world_bodies(s->world, s->id));
    tr_policy_evaluate(&bank->fragment[fragment].policy, bank->action.size, &f, out);
}

TEST(the_policy_looks_once_a_fragment) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 2, 5, 4);
    tr_random random = tr_random_seed(8);
    tr_state begin = puppet_state(model, &random, 1, 1.0);
    scene s = open_scene(model, &begin, true);
    tr_runner runner = start(controller, 0, false);
    double action[TR_ACTION_MAX];
    for (int step = 0; step < 10; step++) {
        tr_drive drive;
        if (step % 5 == 0)
            decide(&s, controller, step / 5, action);
        assert_int_equal(tr_runner_advance(&runner, s.world, s.id, &drive), TR_OK);
        expect_targets(&s, controller, step / 5, step % 5, action, &drive);
        assert_int_equal(drive.completes, step % 5 == 4);
        assert_int_equal(tr_world_step(s.world), TR_OK);
    }
    tr_world_destroy(s.world);
}

TEST(offsets_add_to_the_action) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 4);
    tr_controller_bank(controller)->mirrored = true;
    scene s = open_scene(model, &controller->spawn, true);
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        tr_runner runner = start(controller, 0, mirrored);
        tr_drive drive;
        const double offset[17] = {[4] = 0.25};
        assert_int_equal(tr_runner_set_parameter(&runner, TR_ACTION_OFFSET, offset, 17, NULL),
                         TR_OK);
        assert_int_equal(tr_runner_advance(&runner, s.world, s.id, &drive), TR_OK);
        expect_targets(&s, controller, 0, 0, offset, &drive);
    }
    tr_world_destroy(s.world);
}

TEST(parameters_are_checked_by_name_number_and_bounds) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 4);
    tr_runner runner = start(controller, 0, false), idle = start(NULL, 0, false);
    tr_error error = {0};
    const double offset[18] = {0.5, -10, 10}, large[17] = {10.5};
    const double none[17] = {(double)NAN};
    assert_int_equal(tr_runner_set_parameter(&runner, TR_ACTION_OFFSET, offset, 17, &error), TR_OK);
    tr_runner set = runner;
    assert_int_equal(tr_runner_set_parameter(&runner, "offset", offset, 17, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "offset: controller 'hold' has no such parameter"));
    assert_int_equal(tr_runner_set_parameter(&runner, TR_ACTION_OFFSET, offset, 18, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "action_offset: 18 values; expected 17"));
    assert_int_equal(tr_runner_set_parameter(&runner, TR_ACTION_OFFSET, large, 17, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "action_offset: 10.5; expected -10 to 10 rad"));
    assert_int_equal(tr_runner_set_parameter(&runner, TR_ACTION_OFFSET, none, 17, &error),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_runner_set_parameter(&idle, TR_ACTION_OFFSET, offset, 17, &error),
                     TR_FAILED_PRECONDITION);
    assert_memory_equal(&set, &runner, sizeof runner);
    assert_near(runner.parameter[1], -10, 0);
    assert_int_equal(tr_runner_set_parameter(&runner, TR_ACTION_OFFSET, NULL, 0, &error), TR_OK);
    assert_near(runner.parameter[1], 0, 0);
}

/* Running a fragment mirrored on a state is running it on the mirrored state, mirrored back.
 * Returns the largest difference of the two, over all coordinates and rates (m, rad, m/s,
 * rad/s). */
static double mirror_difference(const tr_model *model, uint64_t seed, double height, int steps) {
    OWN(tr_controller) *controller = puppet_sway(model, 2, 20, 6);
    tr_random random = tr_random_seed(seed);
    bool ground = height <= 0;
    tr_controller_bank(controller)->mirrored = true;
    tr_state begin = puppet_state(model, &random, height, ground ? 0.1 : 1.0);
    tr_state image = tr_state_mirror(model, &begin);
    scene a = open_scene(model, &begin, ground), b = open_scene(model, &image, ground);
    tr_runner left = start(controller, 0, true);
    tr_runner right = start(controller, 0, false);
    tr_state one = run(&a, &left, steps), two = run(&b, &right, steps);
    two = tr_state_mirror(model, &two);
    double difference = puppet_distance(model, &one, &two);
    double moved = puppet_distance(model, &one, &begin);
    assert_true(moved > 0.05); /* else the comparison would be empty */
    assert_true(ground == (a.contacts > 0));
    tr_world_destroy(a.world);
    tr_world_destroy(b.world);
    return difference;
}

TEST(a_mirrored_half_is_the_mirror_image_in_flight) {
    for (uint64_t seed = 1; seed <= 8; seed++)
        assert_near(mirror_difference(*given, seed, 1.0, 20), 0, 1e-9);
}

/* The contact solver goes through its rows in an order that is not mirrored, so that the two agree
 * as far as it converges: to 7e-5 with these 1000 sweeps, to 0.1 rad/s with the usual ten. */
TEST(a_mirrored_half_is_the_mirror_image_in_contact) {
    for (uint64_t seed = 1; seed <= 8; seed++)
        assert_near(mirror_difference(*given, seed, -0.01, 20), 0, 1e-3);
}

/* The mirror image of a controller does in its own half what the controller does in the mirrored
 * one, up to the rounding of the policy; twice mirrored it is the controller again. */
TEST(a_mirrored_controller_runs_as_a_mirrored_half) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 2, 20, 6), *image = NULL, *back = NULL;
    tr_random random = tr_random_seed(5);
    tr_state begin = puppet_state(model, &random, 1, 1.0);
    tr_chain_of(controller)->steering.turn_rad_s = tr_chain_of(controller)->steering.slower_mps = 1;
    tr_chain_of(controller)->steering.turn[2] = 0.1;
    tr_chain_of(controller)->steering.turn[4] = tr_chain_of(controller)->steering.slower[7] = 0.2;
    assert_int_equal(tr_controller_mirror(controller, model, &image), TR_OK);
    assert_int_equal(tr_controller_check(image, model, NULL), TR_OK);
    scene a = open_scene(model, &begin, false), b = open_scene(model, &begin, false);
    tr_runner left = start(controller, 0, true);
    tr_runner right = start(image, 0, false);
    left.target = right.target =
        (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = 1.5, .speed_mps = 0.1};
    tr_chain_of(controller)->steering.speed_mps = tr_chain_of(image)->steering.speed_mps = 1;
    tr_state one = run(&a, &left, 40), two = run(&b, &right, 40);
    tr_world_destroy(a.world);
    a = open_scene(model, &begin, false);
    left = start(controller, 0, true);
    tr_state unsteered = run(&a, &left, 40);
    assert_true(puppet_distance(model, &one, &unsteered) > 0.01);
    assert_true(puppet_distance(model, &one, &begin) > 0.05);
    assert_near(puppet_distance(model, &one, &two), 0, 1e-9);
    assert_int_equal(tr_controller_mirror(image, model, &back), TR_OK);
    assert_near(puppet_distance(model, &back->spawn, &controller->spawn), 0, 0);
    for (int i = 0; i < tr_controller_bank(controller)->action.size; i++)
        assert_near(tr_chain_of(back)->steering.turn[i], tr_chain_of(controller)->steering.turn[i],
                    0);
    tr_world_destroy(a.world);
    tr_world_destroy(b.world);
}

TEST(unfit_actions_are_reported_and_change_nothing) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 1, 4, 2);
    scene s = open_scene(model, &controller->spawn, true);
    for (int j = 0; j < TR_FEATURE_COUNT; j++)
        tr_controller_bank(controller)->fragment[0].policy.m[3][j] = j % 2 ? DBL_MAX : -DBL_MAX;
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_OK);
    tr_runner runner = start(controller, 0, false), before = runner;
    tr_random random = tr_random_seed(2);
    tr_state state = puppet_state(model, &random, 3, 1.0);
    state.root_vel = (tr_vec3){40, 30, 20};
    assert_int_equal(tr_world_set_state(s.world, s.id, &state), TR_OK);
    uint64_t hash = tr_world_hash(s.world);
    assert_int_equal(tr_runner_advance(&runner, s.world, s.id, NULL), TR_DATA_LOSS);
    assert_memory_equal(&before, &runner, sizeof runner);
    assert_true(tr_world_hash(s.world) == hash);
    tr_world_destroy(s.world);
}

TEST(idle_and_missing) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 4);
    scene s = open_scene(model, &controller->spawn, true);
    tr_runner idle = start(NULL, 0, false);
    assert_int_equal(tr_runner_advance(&idle, s.world, s.id, NULL), TR_OK);
    tr_runner runner = start(controller, 0, false);
    assert_int_equal(tr_world_remove_character(s.world, s.id), TR_OK);
    assert_int_equal(tr_runner_advance(&runner, s.world, s.id, NULL), TR_NOT_FOUND);
    tr_world_destroy(s.world);
}

TEST(a_chain_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 4, 20, 3);
    tr_controller_bank(controller)->mirrored = true;
    puppet_vary(model, tr_controller_bank(controller), 31);
    tr_chain_of(controller)->steering = puppet_steering(tr_controller_bank(controller), 21);
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0xb1551c0e20912626ULL,
                              .motion = 0x8bfda4a614f3733dULL,
                              .refusals = 0xa5236326c10b7b05ULL});
}

TEST(bounds_of_a_chain_are_golden) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 2, 3, 5);
    tr_bank *bank = tr_controller_bank(controller);
    tr_steering *steering = &tr_chain_of(controller)->steering;
    tr_fragment *last = &bank->fragment[1];
    const int size = bank->action.size, past = TR_ACTION_MAX - 1;
    *steering = puppet_steering(bank, 4);
    const bits_subject subject = {controller, model};
    const bits_number numbers[] = {
        BITS_REAL(steering->speed_mps),
        BITS_REAL(steering->turn_rad_s),
        BITS_REAL(steering->faster_mps),
        BITS_REAL(steering->slower_mps),
        BITS_REAL(steering->turn[size - 1]),
        BITS_REAL(steering->turn[size]),
        BITS_REAL(steering->faster[past]),
        BITS_REAL(steering->slower[past]),
        BITS_REAL(last->policy.sigma[0]),
        BITS_REAL(last->policy.sigma[past]),
        BITS_REAL(last->policy.m[0][0]),
        BITS_REAL(last->policy.m[size][0]),
        BITS_REAL(last->policy.m[past][TR_FEATURE_COUNT - 1]),
        BITS_REAL(last->policy.ground[0][0]),
        BITS_REAL(last->policy.ground[size][0]),
        BITS_REAL(last->policy.ground[past][1]),
        BITS_REAL(last->policy.offset[past]),
        BITS_REAL(last->target[2 * model->body_count + 1].w),
        BITS_REAL(last->target[3 * model->body_count - 1].x),
        BITS_REAL(last->start.root_vel.x),
        BITS_REAL(last->end.pose.joint[model->body_count - 1].y),
        BITS_REAL(controller->step_s),
        BITS_INT(bank->action.joint_count, -2, TR_ACTION_JOINT_MAX + 2),
        BITS_INT(bank->action.body[0], -2, 20),
        BITS_INT(bank->action.body[bank->action.joint_count - 1], -2, 20),
        BITS_INT(bank->action.size, 0, TR_ACTION_MAX + 2)};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, bits_accepts_controller, &subject,
                      0xd525fedaac25fca5ULL);
}

/* A bank of fragments: at the bounds of its sizes, and past them. */
TEST(sizes_of_a_bank_are_bounded) {
    static const struct {
        int fragments, steps, bodies;
        tr_status status;
    } cases[] = {{0, 1, 1, TR_INVALID_ARGUMENT},
                 {1, 0, 1, TR_INVALID_ARGUMENT},
                 {1, 1, 0, TR_INVALID_ARGUMENT},
                 {1, 1, 1, TR_OK},
                 {TR_BANK_FRAGMENT_MAX, 1, 1, TR_OK},
                 {TR_BANK_FRAGMENT_MAX + 1, 1, 1, TR_INVALID_ARGUMENT},
                 {1, TR_FRAGMENT_STEPS_MAX, 1, TR_OK},
                 {1, TR_FRAGMENT_STEPS_MAX + 1, 1, TR_INVALID_ARGUMENT},
                 {1, 1, TR_BODY_MAX, TR_OK},
                 {1, 1, TR_BODY_MAX + 1, TR_INVALID_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_bank bank;
        assert_int_equal(tr_bank_init(&bank, cases[i].fragments, cases[i].steps, cases[i].bodies),
                         cases[i].status);
        assert_int_equal(bank.fragment_count, cases[i].status ? 0 : cases[i].fragments);
        tr_bank_deinit(&bank);
    }
}

TEST(a_bank_without_feet_or_a_name_is_refused) {
    tr_model *model = *given;
    const tr_model whole = *model;
    OWN(tr_controller) *controller = puppet_hold(model, 2, 3);
    tr_bank *bank = tr_controller_bank(controller);
    for (int side = 0; side < 2; side++) {
        model->foot[side] = -1;
        assert_int_equal(tr_bank_check(bank, model, NULL), TR_INVALID_ARGUMENT);
        *model = whole;
    }
    bank->mirrored = true;
    assert_int_equal(tr_bank_check(bank, model, NULL), TR_OK);
    bank->cyclic = false;
    assert_int_equal(tr_bank_check(bank, model, NULL), TR_INVALID_ARGUMENT);
    bank->cyclic = true;
    memset(bank->gain_set, 'a', sizeof bank->gain_set);
    assert_int_equal(tr_bank_check(bank, model, NULL), TR_INVALID_ARGUMENT);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
