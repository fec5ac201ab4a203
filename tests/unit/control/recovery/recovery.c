#include "cmocka_test.h"

#include "control/recovery/recovery.h"
#include "control/stage/stage.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* stand: fragment 0, cyclic; rise-prone: 1, 2 and rise-supine: 3, 4, chains that lie where they
 * begin and lead to standing. They are there to be started; no character gets up by them. */
enum { STAND, PRONE, SUPINE };

static tr_state lying(const tr_model *model, double pitch) {
    tr_pose pose = tr_pose_rest(model);
    tr_state state = tr_state_at_rest(model, &pose);
    state.pose.root_rot = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, pitch);
    state.pose.root_pos.z = 0.12;
    return state;
}

static tr_graph_node node(const char *skill, int first, int count, bool cyclic) {
    tr_graph_node out = {.first = first, .count = count, .cyclic = cyclic, .gain_set = "a"};
    strcpy(out.skill, skill);
    return out;
}

static tr_controller *riser(const tr_model *model, bool rises) {
    static const tr_graph_edge edges[] = {{2, 0, false}, {4, 0, false}};
    const tr_graph_size size = {rises ? 5 : 1, 20, rises ? 3 : 1, rises ? 2 : 0};
    tr_controller *controller = puppet_graph(model, size);
    tr_control_graph *graph = tr_graph_of(controller);
    graph->node[STAND] = node("stand", 0, 1, true);
    if (rises) {
        memcpy(graph->edge, edges, sizeof edges);
        graph->node[PRONE] = node("rise-prone", 1, 2, false);
        graph->node[SUPINE] = node("rise-supine", 3, 2, false);
        for (int f = 1; f < 5; f++)
            graph->bank.fragment[f].start = graph->bank.fragment[f].end =
                lying(model, f < 3 ? TR_PI / 2 : -TR_PI / 2);
    }
    assert_int_equal(tr_recovery_add(controller), TR_OK);
    return controller;
}

typedef struct scene {
    const tr_model *model;
    tr_controller *controller;
    tr_stage *stage;
    tr_entity_id id;
} scene;

static scene open_scene(const tr_model *model, bool rises) {
    scene s = {.model = model, .controller = riser(model, rises)};
    tr_world_def world = tr_world_def_default();
    tr_spawn_def spawn = {.model = model, .controller = s.controller};
    assert_int_equal(tr_stage_create(&world, &s.stage), TR_OK);
    assert_int_equal(tr_stage_spawn(s.stage, &spawn, &s.id), TR_OK);
    return s;
}

static void close_scene(scene *s) {
    tr_stage_destroy(s->stage);
    tr_controller_destroy(s->controller);
}

static void push(scene *s, double force_n) {
    tr_push push = {
        .entity = s->id, .body = s->model->trunk, .force = {force_n, 0, 0}, .steps = 40};
    assert_int_equal(tr_world_push(tr_stage_world(s->stage), &push), TR_OK);
}

static tr_recovery_phase phase(const scene *s) {
    const tr_recovery_state *state =
        tr_recovery_state_of(&tr_stage_performer(s->stage, s->id)->runner);
    return state ? state->phase : TR_RECOVERY_NONE;
}

/* Steps until the phase, at most so many steps; counts reported falls. */
static bool reaches(scene *s, tr_recovery_phase wanted, int steps, int *falls) {
    for (int i = 0; i < steps && phase(s) != wanted; i++) {
        int count = 0, dropped = 0;
        assert_int_equal(tr_stage_step(s->stage), TR_OK);
        const tr_stage_event *event = tr_stage_events(s->stage, &count, &dropped);
        for (int e = 0; e < count; e++)
            *falls += event[e].kind == TR_STAGE_FELL;
    }
    return phase(s) == wanted;
}

TEST(the_rising_skills_are_chains_that_no_edge_leads_to) {
    OWN(tr_controller) *controller = riser(*given, true);
    tr_control_graph *graph = tr_graph_of(controller);
    const tr_recovery *recovery = tr_recovery_of(controller);
    tr_error error = {0};
    assert_int_equal(tr_controller_check(controller, *given, &error), TR_OK);
    assert_false(tr_control_graph_rises(graph, STAND));
    assert_true(tr_control_graph_rises(graph, PRONE));
    assert_true(tr_control_graph_rises(graph, SUPINE));
    assert_int_equal(recovery->rising_count, 2);
    assert_int_equal(recovery->rising[0], 1);
    assert_int_equal(recovery->rising[1], 3);
    graph->edge[1].to = 3; /* supine's own first fragment */
    assert_false(tr_control_graph_rises(graph, SUPINE));
}

/* The mean over the joints hides a single one: crossed legs. */
TEST(a_caught_limb_is_not_gathered) {
    OWN_BY(close_scene) scene s = open_scene(*given, true);
    int thigh = tr_model_find_body(s.model, "rthigh");
    assert_true(thigh > 0);
    for (int i = 0; i < 2; i++) {
        tr_state start = lying(s.model, TR_PI / 2), state = start;
        state.pose.joint[thigh] = tr_quat_exp((tr_vec3){i ? 1.1 : 0.9, 0, 0});
        assert_int_equal(tr_recovery_is_gathered(s.model, &state, &start), i == 0);
    }
}

/* While it gathers, from 0.3 to 0.6 s of the phase, and only with a joint far off the pose, the
 * target of a thigh that has reached the pose is far ahead. The character is put back before each step, restless, so that
 * it never counts as gathered. Returns the steps in which the waist turns too, negative to the right. */
static int check_freeing(const tr_model *model, const char *limb, double off_rad, bool caught) {
    OWN_BY(close_scene) scene s = open_scene(model, true);
    int falls = 0, rolls = 0, body = tr_model_find_body(model, limb);
    int other = model->body[tr_model_find_body(model, "rthigh")].mirror;
    int waist = tr_model_find_body(model, "ltorso");
    push(&s, 600);
    assert_true(reaches(&s, TR_RECOVERY_GATHER, 900, &falls));
    tr_world *world = tr_stage_world(s.stage);
    tr_runner *runner = (tr_runner *)(uintptr_t)&tr_stage_performer(s.stage, s.id)->runner;
    tr_state held = lying(model, TR_PI / 2);
    held.root_omega.z = 4;
    held.pose.joint[body] = tr_quat_exp((tr_vec3){off_rad, 0, 0});
    for (int step = 1; step < 180; step++) {
        tr_drive drive;
        assert_int_equal(phase(&s), TR_RECOVERY_GATHER);
        assert_int_equal(tr_world_set_state(world, s.id, &held), TR_OK);
        assert_int_equal(tr_runner_advance(runner, world, s.id, &drive), TR_OK);
        bool far = tr_quat_angle(drive.target[other], held.pose.joint[other]) > 0.5;
        if (abs(step - 60) > 2 && abs(step - 120) > 2)
            assert_int_equal(far, caught && step > 60 && step < 120);
        tr_quat turn = tr_quat_mul(drive.target[waist], tr_quat_conj(held.pose.joint[waist]));
        rolls += tr_quat_angle(turn, tr_quat_identity()) < 0.1 ? 0 : turn.z * turn.w > 0 ? 1 : -1;
    }
    return rolls;
}

TEST(caught_legs_are_pulled_apart_for_a_while) {
    assert_int_equal(check_freeing(*given, "rthigh", 0.5, false), 0);
    assert_int_equal(check_freeing(*given, "rthigh", 0.7, true), 0);
}

/* Off an arm that is 1.2 rad off, to the other side. */
TEST(the_body_rolls_off_a_caught_arm_for_a_while) {
    assert_int_equal(check_freeing(*given, "luarm", 0.5, false), 0);
    assert_int_equal(check_freeing(*given, "luarm", 1.1, true), 0);
    assert_in_range(-check_freeing(*given, "luarm", 2.6, true), 55, 60);
    assert_in_range(check_freeing(*given, "ruarm", 2.6, true), 55, 60);
    assert_int_equal(check_freeing(*given, "head", 2.6, true), 0); /* which is no arm */
}

TEST(posture_chooses_the_skill_whatever_the_heading) {
    OWN(tr_controller) *controller = riser(*given, true);
    for (int i = 0; i < 8; i++) {
        tr_quat turn = tr_quat_from_heading(i * TR_PI / 4);
        tr_state prone = lying(*given, 0.8), supine = lying(*given, -1.2);
        prone.pose.root_rot = tr_quat_mul(turn, prone.pose.root_rot);
        supine.pose.root_rot = tr_quat_mul(turn, supine.pose.root_rot);
        assert_int_equal(tr_recovery_choose(tr_recovery_of(controller), &prone), 0);
        assert_int_equal(tr_recovery_choose(tr_recovery_of(controller), &supine), 1);
        assert_near(tr_recovery_lean(&prone, &supine), 2.0, 1e-9);
    }
}

TEST(a_fallen_character_lies_still_gathers_and_begins_to_rise) {
    OWN_BY(close_scene) scene s = open_scene(*given, true);
    int falls = 0;
    tr_state state;
    push(&s, 600);
    assert_true(reaches(&s, TR_RECOVERY_FALL, 400, &falls));
    assert_true(reaches(&s, TR_RECOVERY_LIMP, 300, &falls));
    assert_true(reaches(&s, TR_RECOVERY_GATHER, 450, &falls));
    assert_true(reaches(&s, TR_RECOVERY_RISE, 1500, &falls));
    assert_int_equal(falls, 1);
    assert_true(tr_stage_performer(s.stage, s.id)->fallen);
    assert_int_equal(tr_world_get_state(tr_stage_world(s.stage), s.id, &state), TR_OK);
    bool prone = tr_quat_rotate(state.pose.root_rot, (tr_vec3){1, 0, 0}).z < 0;
    assert_int_equal(puppet_doing(s.stage, s.id).entry, prone ? 1 : 3);
}

/* A limb and its mirror image away from the body in all that is begun lying. */
static void spread(scene *s, const char *limb, double angle_rad) {
    int left = tr_model_find_body(s->model, limb);
    tr_quat out = tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, angle_rad);
    for (int f = 1; f < 5; f++) {
        tr_pose *pose = &tr_controller_bank(s->controller)->fragment[f].start.pose;
        pose->joint[left] = out;
        pose->joint[s->model->body[left].mirror] = tr_quat_mirror(out);
    }
}

static scene open_spread_scene(const tr_model *model) {
    scene s = open_scene(model, true);
    spread(&s, "luarm", 1.4);
    spread(&s, "lthigh", 0.35);
    return s;
}

/* Which way its front looks after it has been laid down and begun to rise: 1 up, -1 down. */
static double rises_from(scene *s, tr_quat root_rot, int *turns) {
    int falls = 0;
    tr_state lies = lying(s->model, 0);
    lies.pose.root_rot = root_rot;
    lies.pose.root_pos.z = 0.25;
    assert_int_equal(tr_world_set_state(tr_stage_world(s->stage), s->id, &lies), TR_OK);
    for (int i = 0; i < 2000 && phase(s) != TR_RECOVERY_RISE; i++) {
        tr_recovery_phase before = phase(s);
        (void)reaches(s, TR_RECOVERY_RISE, 1, &falls);
        *turns += before != TR_RECOVERY_TURN && phase(s) == TR_RECOVERY_TURN;
    }
    assert_int_equal(phase(s), TR_RECOVERY_RISE);
    assert_int_equal(tr_world_get_state(tr_stage_world(s->stage), s->id, &lies), TR_OK);
    return tr_quat_rotate(lies.pose.root_rot, (tr_vec3){1, 0, 0}).z;
}

/* Spread limbs turn the character over: it does not start to rise while it lies on a side. */
TEST(a_character_on_its_side_does_not_rise) {
    for (int side = -1; side <= 1; side += 2) {
        OWN_BY(close_scene) scene s = open_spread_scene(*given);
        int turns = 0;
        tr_quat roll = tr_quat_from_axis_angle((tr_vec3){1, 0, 0}, side * TR_PI / 2);
        assert_true(fabs(rises_from(&s, roll, &turns)) > 0.9);
        assert_int_equal(turns, 0);
    }
}

TEST(a_character_that_rises_only_from_the_front_turns_over) {
    OWN_BY(close_scene) scene s = open_spread_scene(*given);
    int turns = 0;
    for (int f = 3; f < 5; f++)
        tr_controller_bank(s.controller)->fragment[f].start =
            tr_controller_bank(s.controller)->fragment[1].start;
    tr_quat back = tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, -TR_PI / 2);
    assert_true(rises_from(&s, back, &turns) < -0.9);
    assert_in_range(turns, 1, 2);
}

TEST(without_a_rising_skill_fallen_characters_stay_down) {
    OWN_BY(close_scene) scene s = open_scene(*given, false);
    int falls = 0;
    push(&s, 600);
    assert_false(reaches(&s, TR_RECOVERY_LIMP, 600, &falls));
    assert_int_equal(falls, 1);
}

TEST(an_undisturbed_character_keeps_standing) {
    OWN_BY(close_scene) scene s = open_scene(*given, true);
    int falls = 0;
    assert_false(reaches(&s, TR_RECOVERY_LIMP, 400, &falls));
    assert_int_equal(falls, 0);
}

/* From every phase: after a restore the run continues with the same bits. */
TEST(a_snapshot_in_the_fall_is_exact) {
    static const tr_recovery_phase phases[] = {TR_RECOVERY_FALL, TR_RECOVERY_LIMP,
                                               TR_RECOVERY_GATHER, TR_RECOVERY_RISE};
    OWN_BY(close_scene) scene s = open_scene(*given, true);
    int falls = 0;
    push(&s, 600);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        assert_true(reaches(&s, phases[i], 2000, &falls));
        assert_int_equal(tr_stage_step(s.stage), TR_OK);
        size_t size = tr_stage_snapshot_size(s.stage);
        OWN_MEMORY void *buffer = malloc(size);
        assert_non_null(buffer);
        assert_int_equal(tr_stage_snapshot(s.stage, buffer, size, &size), TR_OK);
        uint64_t before = tr_stage_hash(s.stage);
        for (int k = 0; k < 50; k++)
            assert_int_equal(tr_stage_step(s.stage), TR_OK);
        uint64_t later = tr_stage_hash(s.stage);
        assert_int_equal(tr_stage_restore(s.stage, buffer, size, NULL), TR_OK);
        assert_true(tr_stage_hash(s.stage) == before);
        for (int k = 0; k < 50; k++)
            assert_int_equal(tr_stage_step(s.stage), TR_OK);
        assert_true(tr_stage_hash(s.stage) == later);
        assert_int_equal(tr_stage_restore(s.stage, buffer, size, NULL), TR_OK);
    }
}

TEST(a_state_must_fit_its_recovery) {
    static const struct {
        tr_recovery_state state;
        bool fits;
    } cases[] = {
        {{TR_RECOVERY_NONE, 0, 0}, true},      {{TR_RECOVERY_LIMP, 0, 3}, true},
        {{TR_RECOVERY_GATHER, 1, 3}, true},    {{TR_RECOVERY_TURN, 1, 3}, true},
        {{TR_RECOVERY_FALL + 1, 0, 3}, false}, {{TR_RECOVERY_LIMP, 1, 3}, false},
        {{TR_RECOVERY_FALL, 0, 3}, true},      {{TR_RECOVERY_FALL, 1, 3}, false},
        {{TR_RECOVERY_RISE, 2, 3}, false},     {{TR_RECOVERY_RISE, -1, 3}, false},
        {{TR_RECOVERY_RISE, 0, -1}, false},    {{TR_RECOVERY_NONE, 0, 1}, false},
    };
    OWN(tr_controller) *controller = riser(*given, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char bytes[4096];
        tr_byte_writer writer = {bytes, 0};
        tr_runner runner, read = {.controller = controller};
        tr_runner_start(&runner, controller, 0, false);
        memcpy(runner.state, &cases[i].state, sizeof cases[i].state);
        tr_runner_write(&runner, &writer);
        assert_true(writer.size <= sizeof bytes);
        tr_byte_reader source = {bytes, writer.size, false};
        assert_int_equal(tr_runner_read(&source, &read), cases[i].fits);
    }
}

/* An action of the feedback beyond 6 rad is a fall, although the character still stands. */
TEST(wild_feedback_is_a_fall) {
    for (int wild = 0; wild < 2; wild++) {
        OWN_BY(close_scene) scene s = open_scene(*given, true);
        tr_policy *policy = &tr_controller_bank(s.controller)->fragment[0].policy;
        policy->offset[0] = wild ? 6.05 : 5.95;
        int falls = 0;
        assert_int_equal(reaches(&s, TR_RECOVERY_FALL, 2, &falls), wild);
    }
}

TEST(what_a_user_set_outlasts_a_fall) {
    OWN_BY(close_scene) scene s = open_scene(*given, true);
    const double offset[17] = {0.01};
    const tr_steering_target target = {.skill = "stand"};
    int falls = 0;
    assert_int_equal(tr_stage_set_parameter(s.stage, s.id, TR_ACTION_OFFSET, offset, 17, NULL),
                     TR_OK);
    assert_int_equal(tr_stage_set_target(s.stage, s.id, &target), TR_OK);
    push(&s, 600);
    assert_true(reaches(&s, TR_RECOVERY_RISE, 2000, &falls));
    const tr_runner *runner = &tr_stage_performer(s.stage, s.id)->runner;
    assert_near(runner->parameter[0], 0.01, 0);
    assert_string_equal(runner->target.skill, "stand");
}

/* Removing the recovery leaves the inner driver unchanged; a copy and a mirror image recover
 * too. */
TEST(recovery_is_added_copied_and_removed) {
    OWN(tr_controller) *controller = riser(*given, true), *copy = NULL, *image = NULL;
    uint64_t hash = tr_controller_hash(controller, *given);
    assert_int_equal(tr_controller_copy(controller, *given, &copy), TR_OK);
    assert_int_equal(tr_controller_mirror(controller, *given, &image), TR_OK);
    assert_int_equal(tr_recovery_of(copy)->rising_count, 2);
    assert_int_equal(tr_recovery_of(image)->rising_count, 2);
    assert_true(tr_controller_hash(copy, *given) == hash);
    assert_int_equal(tr_recovery_add(controller), TR_OK); /* already there */
    tr_recovery_remove(controller);
    assert_null(tr_recovery_of(controller));
    assert_true(tr_controller_hash(controller, *given) == hash);
    assert_int_equal(tr_controller_check(controller, *given, NULL), TR_OK);
}

TEST(a_recovery_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = riser(model, true);
    tr_bank *bank = tr_controller_bank(controller);
    for (int f = 0; f < bank->fragment_count; f++)
        bank->fragment[f].policy.offset[2 * f] = 0.1;
    bits_check(controller, model,
               &(bits_golden){.steps = 900,
                              .probes = 400,
                              .content = 0xf48fee14d12f2ca3ULL,
                              .motion = 0x550e642c4c2096ffULL,
                              .refusals = 0x6f038903b89b30f8ULL});
}

SUITE_FIXTURE(puppet_load, puppet_unload);
