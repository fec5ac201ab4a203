#include "cmocka_test.h"

#include "learn/reconstruct/reconstruct.h"
#include "learn/samcon/control_file.h"
#include "learn/samcon/skill.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tr_model *model;
static tr_motion *sway; /* one cycle as a motion that ends */
static char *control;
static size_t control_size;
static tr_motion *found; /* what the reconstruction performs */

static tr_controller *chain_of(const char *gains) {
    tr_skill_def def = {"sway", gains, 0.005, true};
    tr_controller *chain = NULL;
    tr_error error = {0};
    assert_int_equal(tr_skill_create(model, sway, &def, &chain, &error), TR_OK);
    return chain;
}

FIXTURE(reconstruct) {
    tr_physics_init();
    model = sway_model();
    sway = sway_motion(model, false);
    sway->cyclic = false;
    sway->cycle_shift = (tr_vec3){0, 0, 0};
    tr_reconstruct_amounts amounts = tr_reconstruct_amounts_default();
    tr_reconstruct_def def = {.model = model, .motion = sway, .threads = 1, .amounts = &amounts};
    tr_parameter_reset(&tr_reconstruct_parameter_table, &def.parameters);
    def.parameters.samples = 40;
    amounts.window.updates_min = 1;
    OWN(tr_reconstruction) *r = NULL;
    tr_error error = {0};
    tr_reconstruct_result result;
    assert_int_equal(tr_reconstruct_create(&def, &r, &error), TR_OK);
    for (int i = 0; i < 100 && r->progress.phase != TR_RECONSTRUCT_DONE; i++)
        assert_int_equal(tr_reconstruct_advance(r, &error), TR_OK);
    assert_int_equal(tr_reconstruct_print(r, &control, &control_size), TR_OK);
    assert_int_equal(tr_reconstruct_perform(r, &result), TR_OK);
    found = result.motion;
}

FIXTURE(clean) {
    free(control);
    tr_motion_destroy(found);
    tr_motion_destroy(sway);
    tr_model_destroy(model);
}

/* The same control, found on these steps. */
static char *control_on(const char *steps) {
    char *text = malloc(control_size + strlen(steps) + 32);
    assert_non_null(text);
    sprintf(text, "{\"ground_steps\":\"%s\",%s", steps, control + 1);
    return text;
}

static tr_status parse(const char *text, tr_controller *chain, tr_error *error) {
    tr_steps steps;
    return tr_control_parse(text, strlen(text), "a.json", model, chain, &steps, error);
}

TEST(the_chain_does_what_the_reconstruction_found) {
    OWN(tr_controller) *chain = chain_of("a"), *plain = chain_of("a");
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_error error = {0};
    assert_int_equal(parse(control, chain, &error), TR_OK);
    assert_true(tr_controller_hash(chain, model) != tr_controller_hash(plain, model));
    assert_int_equal(tr_control_perform(&ensemble->rehearsal[0], chain), TR_OK);
    for (int k = 0; k + 1 < tr_controller_bank(chain)->fragment_count; k++) {
        tr_state end = tr_skill_relative(&tr_controller_bank(chain)->fragment[k].end,
                                         &tr_controller_bank(chain)->fragment[k].end);
        for (int b = 1; b < model->body_count; b++)
            assert_true(tr_quat_angle(
                            end.pose.joint[b],
                            tr_controller_bank(chain)->fragment[k + 1].start.pose.joint[b]) < 1e-9);
    }
    const tr_pose *last = &found->poses[found->frame_count - 1];
    const tr_state *end =
        &tr_controller_bank(chain)->fragment[tr_controller_bank(chain)->fragment_count - 1].end;
    assert_true(end->pose.root_pos.z == last->root_pos.z);
    for (int b = 1; b < model->body_count; b++)
        assert_memory_equal(&end->pose.joint[b], &last->joint[b], sizeof(tr_quat));
    assert_int_equal(tr_controller_check(chain, model, &error), TR_OK);
}

/* A cycle takes the control as a chain does, and is ready to be learned from. */
TEST(a_cycle_takes_a_control) {
    OWN(tr_controller) *chain = chain_of("a"), *cycle = chain_of("a");
    tr_controller_bank(cycle)->cyclic = true;
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_error error = {0};
    assert_int_equal(parse(control, chain, &error), TR_OK);
    assert_int_equal(parse(control, cycle, &error), TR_OK);
    assert_int_equal(tr_control_perform(&ensemble->rehearsal[0], cycle), TR_OK);
    const tr_fragment *want = tr_controller_bank(chain)->fragment;
    const tr_fragment *got = tr_controller_bank(cycle)->fragment;
    for (int k = 0; k < tr_controller_bank(cycle)->fragment_count; k++)
        assert_memory_equal(got[k].target, want[k].target,
                            (size_t)(want[k].steps * model->body_count) * sizeof(tr_quat));
    assert_int_equal(tr_controller_check(cycle, model, &error), TR_OK);
}

/* References are above the local ground, so that they do not depend on how high that is. */
TEST(on_a_step_the_references_are_the_same) {
    OWN(tr_controller) *low = chain_of("a"), *high = chain_of("a");
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    tr_error error = {0};
    tr_steps steps;
    char *text = control_on("-5:1.5");
    assert_int_equal(parse(control, low, &error), TR_OK);
    assert_int_equal(tr_control_perform(&ensemble->rehearsal[0], low), TR_OK);
    assert_int_equal(tr_control_parse(text, strlen(text), "a.json", model, high, &steps, &error),
                     TR_OK);
    assert_int_equal(steps.count, 1);
    assert_int_equal(tr_steps_lay(&steps, ensemble->rehearsal[0].world), TR_OK);
    high->spawn.pose.root_pos.z += 1.5;
    for (int k = 0; k < tr_controller_bank(high)->fragment_count; k++)
        tr_controller_bank(high)->fragment[k].end.pose.root_pos.z += 1.5;
    assert_int_equal(tr_control_perform(&ensemble->rehearsal[0], high), TR_OK);
    for (int k = 0; k < tr_controller_bank(high)->fragment_count; k++) {
        const tr_fragment *a = &tr_controller_bank(low)->fragment[k];
        const tr_fragment *b = &tr_controller_bank(high)->fragment[k];
        assert_near(b->start.pose.root_pos.z, a->start.pose.root_pos.z, 0.005);
        assert_near(b->end.pose.root_pos.z, a->end.pose.root_pos.z, 0.005);
    }
    free(text);
    text = control_on("0.5");
    assert_int_equal(parse(text, high, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "ground_steps"));
    free(text);
}

TEST(a_chain_that_loses_the_motion_is_reported) {
    OWN(tr_controller) *chain = chain_of("a");
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 1);
    for (int k = 0; k < tr_controller_bank(chain)->fragment_count; k++)
        tr_controller_bank(chain)->fragment[k].end.pose.root_pos.z = 0.2;
    assert_int_equal(tr_control_perform(&ensemble->rehearsal[0], chain), TR_ABORTED);
}

TEST(another_control_is_refused) {
    OWN(tr_controller) *chain = chain_of("a"), *strong = chain_of("b");
    tr_error error = {0};
    OWN_MEMORY char *changed = strdup(control);
    assert_non_null(changed);
    assert_int_equal(parse("{", chain, &error), TR_INVALID_ARGUMENT);
    assert_int_equal(parse("{}", chain, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "a.json"));
    assert_int_equal(parse(control, strong, &error), TR_INVALID_ARGUMENT);
    char *hash = strstr(changed, "\"model_hash\":\"");
    assert_non_null(hash);
    hash[14] = hash[14] == '0' ? '1' : '0';
    assert_int_equal(parse(changed, chain, &error), TR_FAILED_PRECONDITION);
    memcpy(changed, control, control_size);
    char *targets = strstr(changed, "\"targets\":[[[");
    assert_non_null(targets);
    targets[13] = '7'; /* no unit quaternion any more */
    assert_int_equal(parse(changed, chain, &error), TR_INVALID_ARGUMENT);
    memcpy(changed, control, control_size);
    memcpy(strstr(changed, "root_vel"), "root_xxx", 8);
    assert_int_equal(parse(changed, chain, &error), TR_INVALID_ARGUMENT);
    tr_controller_bank(chain)->mirrored = true;
    assert_int_equal(parse(control, chain, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "not mirrored"));
}

SUITE_FIXTURE(reconstruct, clean);
