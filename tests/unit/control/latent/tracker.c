/* controllers/control/latent/tracker.h: a physical character follows a puppet by the fragments
 * of chains. */
#include "cmocka_test.h"

#include "control/chain/chain.h"
#include "control/driver/runner.h"
#include "control/latent/tracker.h"
#include "unit/control/bits.h"
#include "unit/control/latent/loops_puppet.h"

#include <math.h>
#include <string.h>

/* Loops turn to the right, straight on, and to the left; STRAIGHT is the first entry of the second. */
enum { FRAGMENTS = 8, FRAMES_EACH = 3, STEPS = 20, STRAIGHT = FRAGMENTS };

static tr_model *model;
static tr_controller *puppet, *chain[LOOP_COUNT], *tracker;

/* Of a loop's frame, at the origin. */
static tr_state state_of_frame(const tr_latent_space *space, int loop, int frame) {
    const tr_latent_space_def *def = &space->learned;
    const int at = loop * LOOP_FRAMES + frame % (LOOP_FRAMES - 1);
    tr_state state = tr_state_at_rest(model, &(tr_pose){.root_rot = tr_quat_identity()});
    state.pose = tr_pose_vector_to(model, &def->reference, def->pose + at * def->pose_size,
                                   &(tr_pose_place){0, 0, 0});
    return state;
}

/* Its targets are the poses of a loop; its feedback bends the waist by the height of the root. */
static tr_controller *make_chain(int loop) {
    const tr_latent_space *space = ((tr_latent_puppet *)puppet->driver.content)->space;
    tr_controller *made = NULL;
    assert_int_equal(tr_chain_create(FRAGMENTS, STEPS, model->body_count, &made), TR_OK);
    tr_bank *bank = &tr_chain_of(made)->bank;
    strcpy(bank->gain_set, "a");
    bank->cyclic = true;
    assert_int_equal(tr_action_map_default(model, true, &bank->action), TR_OK);
    for (int f = 0; f < FRAGMENTS; f++) {
        tr_fragment *one = &bank->fragment[f];
        one->start = state_of_frame(space, loop, f * FRAMES_EACH);
        one->end = state_of_frame(space, loop, (f + 1) * FRAMES_EACH);
        one->end = tr_state_place(&one->end, 0.1 * (loop - 1), (tr_vec3){0, 0, 0});
        one->policy.m[0][2] = 0.1 * (loop + 1);
        for (int s = 0; s < STEPS; s++)
            for (int b = 1; b < model->body_count; b++)
                one->target[s * model->body_count + b] = one->end.pose.joint[b];
    }
    tr_controller_copy_setting(puppet, made);
    made->spawn = bank->fragment[0].start;
    strcpy(made->name, "loop");
    return made;
}

static int make(void **state) {
    const loops_puppet_definition def = loops_puppet_def();
    tr_error error = {0};
    (void)state;
    model = loops_model();
    puppet = loops_puppet(model, &def);
    for (int i = 0; i < LOOP_COUNT; i++)
        chain[i] = make_chain(i);
    if (tr_latent_tracker_create(puppet, (const tr_controller *const *)chain, LOOP_COUNT, model,
                                 &tracker, &error))
        fail_msg("%s", error.message);
    strcpy(tracker->name, "tracker");
    return 0;
}

static int unmake(void **state) {
    (void)state;
    tr_controller_destroy(tracker);
    for (int i = 0; i < LOOP_COUNT; i++)
        tr_controller_destroy(chain[i]);
    tr_controller_destroy(puppet);
    tr_model_destroy(model);
    return 0;
}

/* --- a character that hangs where it was put: only what the driver asks for is looked at --- */

static void set(loops_scene *s, const char *name, double value) {
    assert_int_equal(tr_runner_set_parameter(&s->runner, name, &value, 1, NULL), TR_OK);
}

static tr_drive ask(loops_scene *s, int steps) {
    tr_drive drive = {0};
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_runner_advance(&s->runner, s->world, s->id, &drive), TR_OK);
    return drive;
}

/* By how much the trunk turns to the loop that turns left: -0.2 to 0.2. */
static double lean(const tr_drive *drive) {
    return tr_quat_log(drive->target[tr_model_find_body(model, "utorso")]).z;
}

static void a_tracker_is_sound_and_known_by_its_kind(void **state) {
    (void)state;
    tr_error error = {0};
    if (tr_controller_check(tracker, model, &error))
        fail_msg("%s", error.message);
    assert_ptr_equal(tr_driver_find_kind("tracker"), &tr_tracker_kind);
    tr_driver_sheet sheet;
    assert_int_equal(tr_driver_describe(tracker->driver, tracker->step_s, &sheet), TR_OK);
    assert_int_equal(sheet.outline.entry_count, LOOP_COUNT * FRAGMENTS);
    assert_int_equal(sheet.skill[0].count, LOOP_COUNT * FRAGMENTS);
    assert_true(sheet.has_references);
    assert_true(fabs(sheet.skill[0].turn_rad_s - 0.1 / (STEPS * 0.005)) < 1e-9);
    assert_int_equal(sheet.point_count, LOOP_COUNT * LOOP_FRAMES);
    tr_driver_sheet_deinit(&sheet);
}

static void one_orbit_alone_does_what_its_chain_does(void **state) {
    (void)state;
    tr_controller *alone = NULL;
    const tr_controller *one = chain[1];
    assert_int_equal(tr_latent_tracker_create(puppet, &one, 1, model, &alone, NULL), TR_OK);
    loops_scene a = loops_begin(model, alone), b = loops_begin(model, chain[1]);
    for (int i = 0; i < 2 * FRAGMENTS * STEPS; i++) {
        tr_drive p = ask(&a, 1), q = ask(&b, 1);
        assert_int_equal(p.entry, q.entry);
        assert_int_equal(p.completes, q.completes);
        for (int k = 1; k < model->body_count; k++)
            assert_true(tr_quat_angle(p.target[k], q.target[k]) < 1e-6);
    }
    tr_world_destroy(a.world);
    tr_world_destroy(b.world);
    tr_controller_destroy(alone);
}

static void an_orbit_of_a_mirrored_chain_is_both_halves(void **state) {
    (void)state;
    tr_controller *half = make_chain(0), *image = NULL, *whole = NULL;
    tr_chain_of(half)->bank.mirrored = true;
    assert_int_equal(tr_controller_mirror(half, model, &image), TR_OK);
    const tr_controller *one = half;
    assert_int_equal(tr_latent_tracker_create(puppet, &one, 1, model, &whole, NULL), TR_OK);
    const tr_bank *bank = &((tr_latent_tracker *)whole->driver.content)->bank;
    assert_int_equal(bank->fragment_count, 2 * FRAGMENTS);
    for (int f = 0; f < 2 * FRAGMENTS; f++) {
        const tr_controller *from = f < FRAGMENTS ? half : image;
        const tr_fragment *expected = &tr_chain_of(from)->bank.fragment[f % FRAGMENTS];
        assert_memory_equal(bank->fragment[f].target, expected->target,
                            (size_t)(STEPS * model->body_count) * sizeof *expected->target);
        assert_memory_equal(&bank->fragment[f].end, &expected->end, sizeof expected->end);
    }
    tr_controller_destroy(whole);
    tr_controller_destroy(image);
    tr_controller_destroy(half);
}

static void the_orbit_that_turns_to_the_heading_leads(void **state) {
    (void)state;
    for (int side = -1; side <= 1; side++) {
        loops_scene s = loops_begin(model, tracker);
        s.runner.target = (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = 1.2 * side};
        set(&s, "pull", 0);
        set(&s, "leap", 1000);
        set(&s, "smooth", 0.1);
        double mean = 0;
        (void)ask(&s, 4 * FRAGMENTS * STEPS);
        for (int i = 0; i < FRAGMENTS; i++) {
            tr_drive drive = ask(&s, STEPS);
            mean += lean(&drive) / FRAGMENTS;
        }
        assert_true(fabs(mean - 0.2 * side) < 0.08);
        tr_world_destroy(s.world);
    }
}

/* For a heading on a side: the fragment in which the trunk first turns by more than 0.05, and by
 * how much. */
static int first_turn(const tr_controller *given, int side, double phase, double smooth,
                      double *out_lean) {
    loops_scene s = loops_begin(model, given);
    tr_runner_start(&s.runner, given, STRAIGHT, false);
    s.runner.target = (tr_steering_target){.aim = TR_AIM_HEADING, .heading_rad = 1.2 * side};
    set(&s, "phase", phase);
    set(&s, "smooth", smooth);
    int fragment = 0;
    *out_lean = 0;
    (void)ask(&s, STEPS); /* the fragment that was entered */
    while (fabs(*out_lean) < 0.05 && ++fragment < 4 * FRAGMENTS) {
        tr_drive drive = ask(&s, STEPS);
        *out_lean = lean(&drive);
    }
    tr_world_destroy(s.world);
    return fragment;
}

static void turns_to_the_left_begin_at_the_phase_and_to_the_right_half_a_round_later(void **state) {
    (void)state;
    double lean;
    const int left = first_turn(tracker, 1, 0.25, 0, &lean);
    assert_true(lean > 0);
    const int right = first_turn(tracker, -1, 0.25, 0, &lean);
    assert_true(lean < 0);
    assert_int_equal((right - left + FRAGMENTS) % FRAGMENTS, FRAGMENTS / 2);
    const int later = first_turn(tracker, 1, 0.5, 0, &lean);
    assert_int_equal((later - left + FRAGMENTS) % FRAGMENTS, FRAGMENTS / 4);
}

/* A share of the turn stays: by less than half of it the orbit does not change. */
static void the_orbit_whose_turn_is_nearest_is_followed(void **state) {
    (void)state;
    double lean;
    for (int side = -1; side <= 1; side += 2) {
        assert_true(first_turn(tracker, side, 0.5, 0.4, &lean) < 2 * FRAGMENTS);
        assert_true(fabs(lean - 0.2 * side) < 0.03);
        assert_int_equal(first_turn(tracker, side, 0.5, 0.6, &lean), 4 * FRAGMENTS);
        assert_true(fabs(lean) < 0.03);
    }
}

static void the_image_of_a_tracker_turns_to_the_right_when_it_would_to_the_left(void **state) {
    (void)state;
    tr_controller *image = NULL;
    double lean, other;
    assert_int_equal(tr_controller_mirror(tracker, model, &image), TR_OK);
    const int left = first_turn(tracker, 1, 0.25, 0, &lean),
              right = first_turn(image, -1, 0.25, 0, &other);
    assert_int_equal(left, right);
    assert_true(lean > 0 && other < 0);
    tr_controller_destroy(image);
}

static void an_entered_fragment_is_done_first_alone(void **state) {
    (void)state;
    for (int orbit = 0; orbit < LOOP_COUNT; orbit++) {
        loops_scene s = loops_begin(model, tracker), alone = loops_begin(model, chain[orbit]);
        tr_runner_start(&s.runner, tracker, orbit * FRAGMENTS + 1, false);
        tr_runner_start(&alone.runner, chain[orbit], 1, false);
        for (int i = 0; i < STEPS; i++) {
            tr_drive p = ask(&s, 1), q = ask(&alone, 1);
            assert_int_equal(p.entry, orbit * FRAGMENTS + 1);
            assert_true(fabs(lean(&p) - lean(&q)) < 1e-9);
        }
        tr_doing doing;
        tr_runner_look(&s.runner, &doing);
        assert_ptr_equal(doing.reached,
                         &tr_controller_bank(tracker)->fragment[orbit * FRAGMENTS + 1].end);
        tr_world_destroy(s.world);
        tr_world_destroy(alone.world);
    }
}

static void a_point_far_from_the_body_leaps_to_it(void **state) {
    (void)state;
    double way[2] = {0};
    for (int leaps = 0; leaps < 2; leaps++) {
        loops_scene s = loops_begin(model, tracker);
        tr_doing before, after;
        set(&s, "pull", 0);
        set(&s, "leap", leaps ? 0.01 : 1000);
        (void)ask(&s, 5);
        tr_runner_look(&s.runner, &before);
        (void)ask(&s, 4 * STEPS);
        tr_runner_look(&s.runner, &after);
        const tr_driver_shown *from = tr_doing_find(&before, "map_at");
        const tr_driver_shown *to = tr_doing_find(&after, "map_at");
        assert_true(from && to);
        way[leaps] = hypot(hypot(from->value[0] - to->value[0], from->value[1] - to->value[1]),
                           from->value[2] - to->value[2]);
        tr_world_destroy(s.world);
    }
    assert_true(way[0] > 3 * way[1]);
}

static void a_restored_tracker_continues_to_the_bit(void **state) {
    (void)state;
    loops_scene s = loops_begin(model, tracker), again = loops_begin(model, tracker);
    s.runner.target = (tr_steering_target){.aim = TR_AIM_POINT, .x = 2, .y = 5};
    (void)ask(&s, 333);
    unsigned char bytes[sizeof(tr_runner)];
    tr_byte_writer writer = {.at = bytes};
    tr_runner_write(&s.runner, &writer);
    tr_byte_reader source = {.at = bytes, .left = writer.size};
    assert_true(tr_runner_read(&source, &again.runner));
    tr_drive p = ask(&s, 200), q = ask(&again, 200);
    assert_memory_equal(p.target, q.target, (size_t)model->body_count * sizeof *p.target);
    assert_true(tr_runner_hash(&again.runner, 1) == tr_runner_hash(&s.runner, 1));
    tr_world_destroy(s.world);
    tr_world_destroy(again.world);
}

static void only_puppets_and_repeating_chains_are_tracked(void **state) {
    (void)state;
    tr_controller *made = NULL;
    const tr_controller *one = chain[0], *wrong = puppet;
    tr_error error = {0};
    assert_int_equal(tr_latent_tracker_create(chain[0], &one, 1, model, &made, &error),
                     TR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "'loop': expected a puppet");
    assert_int_equal(tr_latent_tracker_create(puppet, &wrong, 1, model, &made, &error),
                     TR_INVALID_ARGUMENT);
    tr_chain_of(chain[0])->bank.cyclic = false;
    assert_int_equal(tr_latent_tracker_create(puppet, &one, 1, model, &made, &error),
                     TR_INVALID_ARGUMENT);
    tr_chain_of(chain[0])->bank.cyclic = true;
    assert_int_equal(tr_latent_tracker_create(puppet, &one, 0, model, &made, &error),
                     TR_INVALID_ARGUMENT);
}

static void a_tracker_has_its_golden_bits(void **state) {
    (void)state;
    bits_check(tracker, model,
               &(bits_golden){.steps = 600,
                              .probes = 12,
                              .content = 0xe2e8353bb98f2652ULL,
                              .motion = 0x50cae6f826003aefULL,
                              .refusals = 0x9d82c04cf277b7f3ULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tracker_is_sound_and_known_by_its_kind),
        cmocka_unit_test(one_orbit_alone_does_what_its_chain_does),
        cmocka_unit_test(an_orbit_of_a_mirrored_chain_is_both_halves),
        cmocka_unit_test(the_orbit_that_turns_to_the_heading_leads),
        cmocka_unit_test(turns_to_the_left_begin_at_the_phase_and_to_the_right_half_a_round_later),
        cmocka_unit_test(the_orbit_whose_turn_is_nearest_is_followed),
        cmocka_unit_test(the_image_of_a_tracker_turns_to_the_right_when_it_would_to_the_left),
        cmocka_unit_test(an_entered_fragment_is_done_first_alone),
        cmocka_unit_test(a_point_far_from_the_body_leaps_to_it),
        cmocka_unit_test(a_restored_tracker_continues_to_the_bit),
        cmocka_unit_test(only_puppets_and_repeating_chains_are_tracked),
        cmocka_unit_test(a_tracker_has_its_golden_bits),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
