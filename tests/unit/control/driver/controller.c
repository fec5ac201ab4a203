#include "cmocka_test.h"

#include "control/driver/controller.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

TEST(creation_is_capped) {
    tr_controller *controller = NULL;
    assert_int_equal(tr_chain_create(0, 20, 18, &controller), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_chain_create(TR_BANK_FRAGMENT_MAX + 1, 20, 18, &controller),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_chain_create(1, 0, 18, &controller), TR_INVALID_ARGUMENT);
    assert_int_equal(tr_chain_create(1, TR_FRAGMENT_STEPS_MAX + 1, 18, &controller),
                     TR_INVALID_ARGUMENT);
    assert_int_equal(tr_chain_create(1, 20, TR_BODY_MAX + 1, &controller), TR_INVALID_ARGUMENT);
    assert_null(controller);
    assert_int_equal(tr_chain_create(TR_BANK_FRAGMENT_MAX, 1, TR_BODY_MAX, &controller), TR_OK);
    tr_controller_destroy(controller);
    tr_controller_destroy(NULL);
}

TEST(a_copy_is_equal_and_apart) {
    const tr_model *model = *given;
    OWN(tr_controller) *one = puppet_sway(model, 3, 7, 1), *two = NULL;
    tr_controller_bank(one)->fragment[1].steps = 5;
    assert_int_equal(tr_controller_copy(one, model, &two), TR_OK);
    uint64_t hash = tr_controller_hash(one, model);
    assert_true(tr_controller_hash(two, model) == hash);
    assert_string_equal(two->name, "sway");
    assert_int_equal(tr_controller_check(two, model, NULL), TR_OK);
    tr_controller_bank(one)->fragment[2].target[5].x += 1e-9;
    tr_controller_bank(one)->fragment[0].policy.m[0][0] += 1;
    assert_true(tr_controller_hash(two, model) == hash);
    assert_true(tr_controller_hash(one, model) != hash);
}

TEST(a_new_chain_holds_every_joint_straight) {
    const tr_model *model = *given;
    const tr_quat straight = tr_quat_identity();
    OWN(tr_controller) *made = NULL;
    assert_int_equal(tr_chain_create(2, 3, model->body_count, &made), TR_OK);
    for (int f = 0; f < 2; f++) {
        const tr_fragment *fragment = &tr_controller_bank(made)->fragment[f];
        for (int i = 0; i < 3 * model->body_count; i++)
            assert_memory_equal(&fragment->target[i], &straight, sizeof straight);
        for (int b = 0; b < TR_BODY_MAX; b++) {
            assert_memory_equal(&fragment->start.pose.joint[b], &straight, sizeof straight);
            assert_memory_equal(&fragment->end.pose.joint[b], &straight, sizeof straight);
        }
    }
}

TEST(duration_counts_both_halves) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 4, 20);
    assert_near(tr_controller_duration_s(controller), 0.4, 1e-12);
    tr_controller_bank(controller)->mirrored = true;
    assert_near(tr_controller_duration_s(controller), 0.8, 1e-12);
}

/* Each breaks one field of a good controller; the message must name it. */
typedef struct breakage {
    const char *field;
    void (*apply)(tr_controller *controller);
} breakage;

static void break_name(tr_controller *c) {
    c->name[0] = 0;
}
static void break_skill(tr_controller *c) {
    memset(c->skill, 'x', sizeof c->skill);
}
static void break_hash(tr_controller *c) {
    c->model_hash ^= 1;
}
static void break_gains(tr_controller *c) {
    strcpy(tr_controller_bank(c)->gain_set, "none such");
}
static void break_step(tr_controller *c) {
    c->step_s = (double)NAN;
}
static void break_mirrored(tr_controller *c) {
    tr_controller_bank(c)->cyclic = false;
}
static void break_count(tr_controller *c) {
    tr_controller_bank(c)->fragment_count = -1;
}
static void break_joint_count(tr_controller *c) {
    tr_controller_bank(c)->action.joint_count = TR_ACTION_JOINT_MAX + 1;
}
static void break_body(tr_controller *c) {
    tr_controller_bank(c)->action.body[2] = 0;
}
static void break_body_past_the_last(tr_controller *c) {
    tr_controller_bank(c)->action.body[2] = TR_BODY_MAX - 1;
}
static void break_twice(tr_controller *c) {
    tr_controller_bank(c)->action.body[2] = tr_controller_bank(c)->action.body[1];
}
static void break_size(tr_controller *c) {
    tr_controller_bank(c)->action.size++;
}
static void break_side(tr_controller *c) {
    tr_controller_bank(c)->action.joint_count--;
    tr_controller_bank(c)->action.size -= 3;
}
static void break_spawn(tr_controller *c) {
    c->spawn.root_vel.y = (double)INFINITY;
}
static void break_steps(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].steps = 0;
}
static void break_target(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].target[20].w = 0;
}
static void break_m(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].policy.m[16][17] = (double)NAN;
}
static void break_first_ground(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].policy.ground[0][0] = (double)NAN;
}
static void break_first_offset(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].policy.offset[0] = (double)NAN;
}
static void break_rows(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].policy.m[17][0] = 1;
}
static void break_offset(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].policy.offset[3] = (double)INFINITY;
}
static void break_sigma(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].policy.sigma[3] = -1;
}
static void break_start(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].start.pose.joint[3].w = 7;
}
static void break_end(tr_controller *c) {
    tr_controller_bank(c)->fragment[1].end.joint_rate[3].z = (double)NAN;
}

TEST(every_broken_field_is_named) {
    static const breakage table[] = {
        {"name", break_name},
        {"skill", break_skill},
        {"model_hash", break_hash},
        {"gain_set", break_gains},
        {"step_s", break_step},
        {"mirrored", break_mirrored},
        {"fragment_count", break_count},
        {"action.joint_count", break_joint_count},
        {"action.body: expected bodies", break_body},
        {"action.body: expected bodies", break_body_past_the_last},
        {"action.body: named twice", break_twice},
        {"action.size", break_size},
        {"action.body: a mirrored", break_side},
        {"spawn", break_spawn},
        {"fragment 1: steps", break_steps},
        {"fragment 1: target", break_target},
        {"fragment 1: policy.m", break_m},
        {"policy.ground", break_first_ground},
        {"policy.offset", break_first_offset},
        {"fragment 1: policy.m", break_rows},
        {"fragment 1: policy.offset", break_offset},
        {"fragment 1: policy.sigma", break_sigma},
        {"fragment 1: start", break_start},
        {"fragment 1: end", break_end},
    };
    const tr_model *model = *given;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        tr_error error = {0};
        OWN(tr_controller) *controller = puppet_sway(model, 2, 4, 2);
        tr_controller_bank(controller)->mirrored = true;
        assert_int_equal(tr_controller_check(controller, model, &error), TR_OK);
        int count = tr_controller_bank(controller)->fragment_count;
        table[i].apply(controller);
        tr_status status = tr_controller_check(controller, model, &error);
        assert_int_not_equal(status, TR_OK);
        assert_int_equal(error.status, status);
        if (!strstr(error.message, table[i].field))
            fail_msg("'%s' does not name %s", error.message, table[i].field);
        tr_controller_bank(controller)->fragment_count = count;
    }
}

/* Eight ball joints fill an action; a hinge more is one number too many. */
TEST(an_action_may_be_full) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 1);
    tr_action_map *action = &tr_controller_bank(controller)->action;
    int hinge = 0;
    *action = (tr_action_map){0};
    for (int b = 1; b < model->body_count; b++)
        if (model->body[b].joint == TR_JOINT_HINGE)
            hinge = b;
        else if (action->size + 3 <= TR_ACTION_MAX) {
            action->body[action->joint_count++] = b;
            action->size += 3;
        }
    assert_int_equal(action->size, TR_ACTION_MAX);
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_OK);
    action->body[action->joint_count++] = hinge;
    action->size++;
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_INVALID_ARGUMENT);
}

TEST(another_model_is_a_failed_precondition) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 1);
    controller->model_hash++;
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_FAILED_PRECONDITION);
}

TEST(hash_covers_what_acts) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 2, 4, 2);
    uint64_t hash = tr_controller_hash(controller, model);
    strcpy(controller->name, "other");
    tr_controller_bank(controller)->fragment[0].policy.sigma[0] = 0.1;
    assert_true(tr_controller_hash(controller, model) == hash);
    tr_controller_bank(controller)->mirrored = true;
    assert_true(tr_controller_hash(controller, model) != hash);
    tr_controller_bank(controller)->mirrored = false;
    strcpy(tr_controller_bank(controller)->gain_set, "b");
    assert_true(tr_controller_hash(controller, model) != hash);
}

/* Changes numbers one by one and asks for another hash each time. */
static void each_changes_the_hash(const tr_controller *controller, const tr_model *model,
                                  double *number, size_t count) {
    uint64_t hash = tr_controller_hash(controller, model);
    for (size_t i = 0; i < count; i++) {
        double before = number[i];
        number[i] += 0.125;
        assert_true(tr_controller_hash(controller, model) != hash);
        number[i] = before;
    }
    assert_true(tr_controller_hash(controller, model) == hash);
}

static void each_of_a_state_changes_the_hash(const tr_controller *controller, const tr_model *model,
                                             tr_state *state) {
    size_t joints = (size_t)model->body_count - 1;
    each_changes_the_hash(controller, model, &state->pose.root_pos.x, 3);
    each_changes_the_hash(controller, model, &state->pose.root_rot.w, 4);
    each_changes_the_hash(controller, model, &state->pose.joint[1].w, 4 * joints);
    each_changes_the_hash(controller, model, &state->root_vel.x, 3);
    each_changes_the_hash(controller, model, &state->root_omega.x, 3);
    each_changes_the_hash(controller, model, &state->joint_rate[1].x, 3 * joints);
}

TEST(every_number_that_acts_changes_the_hash) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 2, 3, 2);
    tr_chain *chain = tr_chain_of(controller);
    each_changes_the_hash(controller, model, &controller->step_s, 1);
    each_of_a_state_changes_the_hash(controller, model, &controller->spawn);
    for (int f = 0; f < 2; f++) {
        tr_fragment *fragment = &chain->bank.fragment[f];
        size_t targets = (size_t)(fragment->steps * model->body_count);
        each_changes_the_hash(controller, model, &fragment->target[0].w, 4 * targets);
        each_changes_the_hash(controller, model, fragment->policy.m[0],
                              (size_t)TR_ACTION_MAX * TR_FEATURE_COUNT);
        each_changes_the_hash(controller, model, fragment->policy.ground[0],
                              (size_t)TR_ACTION_MAX * TR_GROUND_COUNT);
        each_changes_the_hash(controller, model, fragment->policy.offset, TR_ACTION_MAX);
        each_of_a_state_changes_the_hash(controller, model, &fragment->start);
        each_of_a_state_changes_the_hash(controller, model, &fragment->end);
    }
    each_changes_the_hash(controller, model, &chain->steering.speed_mps,
                          sizeof chain->steering / sizeof(double));
    uint64_t hash = tr_controller_hash(controller, model);
    chain->bank.fragment[1].steps--;
    assert_true(tr_controller_hash(controller, model) != hash);
    chain->bank.fragment[1].steps++;
    chain->bank.action.joint_count--;
    assert_true(tr_controller_hash(controller, model) != hash);
    chain->bank.action.joint_count++;
}

TEST(nearest_finds_each_start_and_its_image) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 6, 4);
    tr_random random = tr_random_seed(21);
    tr_controller_bank(controller)->mirrored = true;
    for (int f = 0; f < 6; f++)
        tr_controller_bank(controller)->fragment[f].start = puppet_state(model, &random, 0, 1.0);
    for (int f = 0; f < 6; f++) {
        int fragment = -1;
        bool mirrored = true;
        tr_state start = tr_controller_bank(controller)->fragment[f].start;
        tr_state here = tr_state_place(&start, 2.5, (tr_vec3){4, -2, 0});
        tr_controller_nearest(controller, model, &here, &fragment, &mirrored);
        assert_int_equal(fragment, f);
        assert_false(mirrored);
        here = tr_state_mirror(model, &here);
        tr_controller_nearest(controller, model, &here, &fragment, &mirrored);
        assert_int_equal(fragment, f);
        assert_true(mirrored);
    }
    tr_controller_bank(controller)->mirrored = false;
    for (int f = 0; f < 6; f++) {
        int fragment = -1;
        bool mirrored = true;
        tr_state image = tr_state_mirror(model, &tr_controller_bank(controller)->fragment[f].start);
        tr_controller_nearest(controller, model, &image, &fragment, &mirrored);
        assert_false(mirrored);
    }
}

/* The cycle of a mirrored skill is both halves. */
TEST(a_skill_to_begin_in_names_its_cycle) {
    const tr_model *model = *given;
    tr_controller *controller = puppet_graph(model, (tr_graph_size){5, 20, 2, 0}), walk, run;
    tr_control_graph *graph = tr_graph_of(controller);
    graph->node[0] = (tr_graph_node){.skill = "run", .gain_set = "a", .count = 2, .cyclic = true};
    graph->node[1] = (tr_graph_node){
        .skill = "walk", .gain_set = "a", .first = 2, .count = 3, .cyclic = true, .mirrored = true};
    tr_error error = {0};
    if (tr_controller_in_skill(controller, "run", &run, &error) ||
        tr_controller_in_skill(controller, "walk", &walk, &error))
        fail_msg("%s", error.message);
    assert_near(tr_controller_outline(&run).cycle_s, 2 * 20 * 0.005, 1e-12);
    assert_near(tr_controller_outline(&walk).cycle_s, 2 * 3 * 20 * 0.005, 1e-12);
    assert_int_equal(tr_controller_outline(&run).first_count, 2);
    assert_int_equal(tr_controller_outline(&walk).first_count, 3);
    assert_int_equal(tr_controller_in_skill(controller, "fly", &run, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "no skill 'fly'"));
    graph->node[1].cyclic = false;
    assert_int_equal(tr_controller_in_skill(controller, "walk", &run, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "expected one that repeats"));
    tr_controller_destroy(controller);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
