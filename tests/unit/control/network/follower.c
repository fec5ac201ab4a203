#include "cmocka_test.h"

#include "control/driver/runner.h"
#include "control/network/follower.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

enum { FRAGMENTS = 5, STEPS = 20 };

/* A walk of three fragments with two halves, and a turn of two with one, each left for the other at
 * its end; a network of random weights. */
static tr_controller *following(const tr_model *model) {
    static const int hidden[] = {12, 8};
    tr_controller *controller = puppet_graph(model, (tr_graph_size){FRAGMENTS, STEPS, 2, 2});
    tr_control_graph *graph = tr_graph_of(controller);
    tr_follower *follower = NULL;
    tr_error error = {0};
    graph->node[0] = (tr_graph_node){
        .skill = "walk", .gain_set = "a", .count = 3, .cyclic = true, .mirrored = true};
    graph->node[1] =
        (tr_graph_node){.skill = "turn", .gain_set = "b", .first = 3, .count = 2, .cyclic = true};
    graph->edge[0] = (tr_graph_edge){2, 3, false};
    graph->edge[1] = (tr_graph_edge){4, 0, true};
    graph->bank.mirrored = true;
    puppet_vary(model, &graph->bank, 5);
    assert_int_equal(tr_follower_add(controller, hidden, 2, &follower), TR_OK);
    for (int f = 0; f < FRAGMENTS; f++) {
        tr_policy *policy = &graph->bank.fragment[f].policy;
        memset(policy->m, 0, sizeof policy->m);
        memcpy(follower->usual[f], policy->offset, sizeof policy->offset);
    }
    follower->blend_steps = 12;
    tr_random random = tr_random_seed(8);
    for (int f = 0; f < FRAGMENTS; f++)
        for (int i = 0; i < TR_FEATURE_COUNT; i++)
            follower->mean[f][i] = 0.1 * tr_random_normal(&random);
    const size_t weights = tr_network_weight_count(&follower->network);
    for (size_t i = 0; i < weights; i++)
        follower->network.weight[i] = (float)(0.1 * tr_random_normal(&random));
    tr_follower_learn_cycles(follower);
    if (tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

/* The targets of the first step that a character makes from a state, above ground that rises ahead. */
static tr_drive first_step_on(const tr_model *model, const tr_controller *controller,
                              const tr_state *state, int entry, bool mirrored, double slope_rad) {
    OWN(tr_world) *world = puppet_void();
    tr_entity_id id;
    tr_runner runner;
    tr_drive drive = {0};
    const tr_scenery_def slope = {.kind = TR_SCENERY_BOX,
                                  .size = {9, 9, 1},
                                  .pos = {0, 0, -4},
                                  .rot = tr_quat_from_axis_angle((tr_vec3){0, -1, 0}, slope_rad),
                                  .friction = 1};
    if (slope_rad > 0)
        assert_int_equal(tr_world_add_scenery(world, &slope, NULL), TR_OK);
    assert_int_equal(tr_world_add_character(world, model, state, &id), TR_OK);
    tr_runner_start(&runner, controller, entry, mirrored);
    assert_int_equal(tr_runner_advance(&runner, world, id, &drive), TR_OK);
    return drive;
}

static tr_drive first_step(const tr_model *model, const tr_controller *controller,
                           const tr_state *state, int entry, bool mirrored) {
    return first_step_on(model, controller, state, entry, mirrored, 0);
}

static void assert_same_targets(const tr_model *model, const tr_drive *a, const tr_drive *b,
                                bool mirrors, double tolerance) {
    for (int k = 1; k < model->body_count; k++) {
        const tr_quat it = mirrors ? tr_quat_mirror(a->target[k]) : a->target[k];
        const tr_quat other = b->target[mirrors ? model->body[k].mirror : k];
        assert_near(tr_quat_angle(it, other), 0, tolerance);
    }
}

/* Its network returns zeros then. */
static void silence(tr_follower *follower) {
    memset(follower->network.weight, 0,
           tr_network_weight_count(&follower->network) * sizeof(float));
    tr_follower_learn_cycles(follower);
}

TEST(without_a_deviation_the_network_adds_nothing) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = following(model);
    tr_follower *follower = tr_driver_content(controller->driver, &tr_network_kind);
    tr_random random = tr_random_seed(2);
    const tr_state state = puppet_state(model, &random, 1, 0.5);
    tr_body_state bodies[TR_BODY_MAX];
    const tr_drive off = first_step(model, controller, &state, 1, false);
    tr_state_forward(model, &state, bodies);
    memcpy(follower->mean[1], tr_features_of(model, &state, bodies).s, sizeof follower->mean[1]);
    tr_follower_learn_cycles(follower);
    const tr_drive on = first_step(model, controller, &state, 1, false);
    silence(follower);
    const tr_drive alone = first_step(model, controller, &state, 1, false);
    assert_same_targets(model, &on, &alone, false, 1e-6);
    assert_true(tr_quat_angle(off.target[1], alone.target[1]) > 1e-3);
}

TEST(a_cycle_without_means_keeps_its_policy_alone) {
    const tr_model *model = *given;
    tr_random random = tr_random_seed(4);
    const tr_state state = puppet_state(model, &random, 1, 0.5);
    OWN(tr_controller) *controller = following(model);
    tr_follower *follower = tr_driver_content(controller->driver, &tr_network_kind);
    const tr_drive performed = first_step(model, controller, &state, 3, false);
    memset(follower->mean[3], 0, 2 * sizeof follower->mean[3]);
    tr_follower_learn_cycles(follower);
    assert_false(follower->known[3].known);
    const tr_drive kept = first_step(model, controller, &state, 3, false);
    silence(follower);
    const tr_drive alone = first_step(model, controller, &state, 3, false);
    assert_same_targets(model, &kept, &alone, false, 1e-12);
    assert_true(tr_quat_angle(performed.target[1], alone.target[1]) > 1e-3);
}

/* The same with policies that have feedback, and changes without a blend. */
static tr_controller *settling(const tr_model *model) {
    tr_controller *controller = following(model);
    tr_follower *follower = tr_driver_content(controller->driver, &tr_network_kind);
    tr_random random = tr_random_seed(9);
    for (int f = 0; f < FRAGMENTS; f++) {
        tr_bank *bank = tr_controller_bank(controller);
        tr_policy *policy = &bank->fragment[f].policy;
        for (int i = 0; i < bank->action.size; i++)
            policy->m[i][i % TR_FEATURE_COUNT] = 0.1 * tr_random_normal(&random);
        memset(policy->offset, 0, sizeof policy->offset);
    }
    follower->blend_steps = 0;
    tr_follower_learn_cycles(follower);
    tr_error error = {0};
    if (tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

/* A walk of one fragment in the void, a turn of two by a cue, and the turn's first one again. */
typedef struct change {
    tr_state before[4]; /* states in which the fragments begin */
    tr_drive first[4];  /* and the targets of their first steps */
} change;

/* image: of this change, which the same happens to on its mirrored states; NULL: none. half: of the
 * fragments. */
static change change_in_half(const tr_model *model, const tr_controller *controller,
                             const change *image, bool half) {
    OWN(tr_world) *world = puppet_void();
    tr_random random = tr_random_seed(6);
    const tr_state start = puppet_state(model, &random, 1, 0.5);
    change out;
    tr_drive drive;
    tr_entity_id id;
    tr_runner runner;
    assert_int_equal(tr_world_add_character(world, model, &start, &id), TR_OK);
    tr_runner_start(&runner, controller, 1, half);
    for (int step = 0; step < 4 * STEPS; step++) {
        if (step == STEPS)
            runner.cue = (tr_cue){true, 3, half};
        if (step % STEPS == 0 && image) {
            const tr_state mirrored = tr_state_mirror(model, &image->before[step / STEPS]);
            assert_int_equal(tr_world_set_state(world, id, &mirrored), TR_OK);
        }
        if (step % STEPS == 0)
            out.before[step / STEPS] = *tr_world_state(world, id);
        assert_int_equal(tr_runner_advance(&runner, world, id, &drive), TR_OK);
        if (step % STEPS == 0)
            out.first[step / STEPS] = drive;
        assert_int_equal(tr_world_step(world), TR_OK);
    }
    return out;
}

static change change_to_turn(const tr_model *model, const tr_controller *controller) {
    return change_in_half(model, controller, NULL, false);
}

/* Did the network act, not the policy, in fragment n of the change? */
static bool network_acted(const tr_model *model, const change *c, int n) {
    static const int fragment[] = {1, 3, 4, 3};
    OWN(tr_controller) *policy = settling(model), *network = following(model);
    const tr_drive own = first_step(model, policy, &c->before[n], fragment[n], false),
                   other = first_step(model, network, &c->before[n], fragment[n], false);
    assert_true(tr_quat_angle(own.target[1], other.target[1]) > 1e-3);
    const bool acted = tr_quat_angle(c->first[n].target[1], other.target[1]) < 1e-6;
    assert_same_targets(model, &c->first[n], acted ? &other : &own, false, 1e-6);
    return acted;
}

TEST(the_network_acts_from_a_change_until_the_character_is_settled) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = settling(model);
    tr_bank *bank = tr_controller_bank(controller);
    const change lasting = change_to_turn(model, controller);
    assert_false(network_acted(model, &lasting, 0));
    for (int n = 1; n < 4; n++)
        assert_true(network_acted(model, &lasting, n));
    /* The first fragment of the turn now ends where the character is then. */
    bank->fragment[3].end = lasting.before[2];
    const change settled = change_to_turn(model, controller);
    assert_true(network_acted(model, &settled, 1));
    assert_false(network_acted(model, &settled, 2));
    assert_false(network_acted(model, &settled, 3));
    /* What ends a change is what the planner calls settled, not what a skill's own limit does. */
    bank->fragment[3].end.pose.root_rot =
        tr_quat_mul(bank->fragment[3].end.pose.root_rot, tr_quat_exp((tr_vec3){0, 0.6, 0}));
    tr_graph_of(controller)->node[1].settled = 100;
    const change far = change_to_turn(model, controller);
    assert_true(network_acted(model, &far, 2));
    /* Out of rest it acts too: the walk is at rest now. */
    for (int f = 0; f < 3; f++)
        bank->fragment[f].start = bank->fragment[f].end = controller->spawn;
    const change begun = change_to_turn(model, controller);
    assert_true(network_acted(model, &begun, 1));
}

/* A stunt is no skill of the network's, and is left for one by a jump; a chain ends as it was learned. */
TEST(the_network_acts_after_a_cycle_that_it_does_not_know) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = settling(model);
    tr_follower *follower = tr_driver_content(controller->driver, &tr_network_kind);
    memset(follower->mean[0], 0, 3 * sizeof follower->mean[0]);
    tr_follower_learn_cycles(follower);
    assert_false(follower->known[1].known);
    const change left = change_to_turn(model, controller);
    tr_graph_of(controller)->node[0].cyclic = false;
    const change ended = change_to_turn(model, controller);
    assert_true(tr_quat_angle(left.first[1].target[1], ended.first[1].target[1]) > 1e-3);
}

TEST(a_network_alone_blends_its_change_out_of_rest) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = following(model);
    tr_bank *bank = tr_controller_bank(controller);
    for (int f = 0; f < 3; f++)
        bank->fragment[f].start = bank->fragment[f].end = controller->spawn;
    const change blended = change_to_turn(model, controller);
    ((tr_follower *)tr_driver_content(controller->driver, &tr_network_kind))->blend_steps = 0;
    const change abrupt = change_to_turn(model, controller);
    assert_true(tr_quat_angle(blended.first[1].target[1], abrupt.first[1].target[1]) > 1e-3);
}

TEST(on_a_slope_the_network_acts_beside_the_answer_to_the_ground) {
    const tr_model *model = *given;
    const double slope = 0.1;
    tr_random random = tr_random_seed(4);
    const tr_state state = puppet_state(model, &random, 1, 0.5);
    OWN(tr_controller) *policy = settling(model), *network = following(model);
    const tr_drive own = first_step_on(model, policy, &state, 1, false, 0.001),
                   other = first_step_on(model, network, &state, 1, false, 0.001),
                   acted = first_step_on(model, policy, &state, 1, false, slope),
                   alone = first_step_on(model, network, &state, 1, false, slope);
    assert_true(tr_quat_angle(own.target[1], other.target[1]) > 1e-3);
    assert_same_targets(model, &acted, &alone, false, 1e-6);
    /* The waist now answers to slopes. */
    tr_controller_bank(network)->fragment[1].policy.ground[0][0] = 1;
    const tr_drive answered = first_step_on(model, network, &state, 1, false, slope);
    assert_true(tr_quat_angle(answered.target[1], alone.target[1]) > 1e-2);
}

TEST(both_halves_and_the_mirror_image_do_the_same_on_mirrored_states) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = following(model), *image = NULL;
    assert_int_equal(tr_controller_mirror(controller, model, &image), TR_OK);
    assert_int_equal(tr_controller_check(image, model, NULL), TR_OK);
    tr_random random = tr_random_seed(3);
    for (int entry = 0; entry < FRAGMENTS; entry++) {
        const tr_state state = puppet_state(model, &random, 1, 0.5);
        const tr_state mirrored = tr_state_mirror(model, &state);
        const tr_drive left = first_step(model, controller, &state, entry, false);
        const tr_drive right = first_step(model, controller, &mirrored, entry, true);
        const tr_drive other = first_step(model, image, &mirrored, entry, false);
        assert_same_targets(model, &left, &right, true, 1e-5);
        assert_same_targets(model, &left, &other, true, 1e-5);
    }
}

TEST(a_change_is_mirrored_where_policies_have_feedback) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = settling(model), *image = NULL;
    assert_int_equal(tr_controller_mirror(controller, model, &image), TR_OK);
    const change left = change_to_turn(model, controller),
                 right = change_in_half(model, controller, &left, true),
                 other = change_in_half(model, image, &left, false);
    assert_true(network_acted(model, &left, 1));
    for (int n = 0; n < 4; n++) {
        assert_same_targets(model, &left.first[n], &right.first[n], true, 1e-5);
        assert_same_targets(model, &left.first[n], &other.first[n], true, 1e-5);
    }
}

TEST(the_cycle_is_seen_through_its_other_half) {
    OWN(tr_controller) *controller = following(*given);
    const tr_control_graph *graph = tr_graph_of(controller);
    bool flips = false;
    assert_int_equal(tr_follower_ahead(graph, 1, 1, &flips), 2);
    assert_false(flips);
    assert_int_equal(tr_follower_ahead(graph, 1, 2, &flips), 0);
    assert_true(flips);
    assert_int_equal(tr_follower_ahead(graph, 2, 4, &flips), 0); /* twice around */
    assert_false(flips);
    assert_int_equal(tr_follower_ahead(graph, 4, 1, &flips), 3);
    assert_false(flips);
}

TEST(what_is_not_sound_is_named) {
    static const char *const named[] = {"inputs", "weight 3", "spread 4", "mean", "usual"};
    const tr_model *model = *given;
    for (int what = 0; what < 5; what++) {
        OWN(tr_controller) *controller = following(model);
        tr_follower *follower = tr_driver_content(controller->driver, &tr_network_kind);
        tr_error error = {0};
        if (what == 0)
            follower->network.width[0]++;
        else if (what == 1)
            follower->network.weight[3] = NAN;
        else if (what == 2)
            follower->spread[4] = 0;
        else if (what == 3)
            follower->mean[2][1] = INFINITY;
        else
            follower->usual[4][TR_ACTION_MAX - 1] = NAN;
        assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[what]));
    }
    OWN(tr_controller) *chain = puppet_hold(model, 2, STEPS);
    tr_follower *none = NULL;
    assert_int_equal(tr_follower_add(chain, NULL, 0, &none), TR_INVALID_ARGUMENT);
}

/* A snapshot in the middle of a change continues to the bit. */
TEST(a_snapshot_remembers_a_change) {
    const tr_model *model = *given;
    static unsigned char bytes[1 << 17];
    OWN(tr_controller) *controller = settling(model);
    tr_world_def world = tr_world_def_default();
    tr_spawn_def spawn = {.model = model, .controller = controller};
    tr_entity_id id = 0;
    size_t size = 0;
    uint64_t hash[2];
    world.step_s = controller->step_s;
    OWN(tr_stage) *stage = NULL;
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    assert_int_equal(tr_stage_spawn(stage, &spawn, &id), TR_OK);
    for (int i = 0; i < 2 * STEPS + 5; i++) {
        if (i == STEPS)
            assert_int_equal(tr_stage_set_entry(stage, id, 3, false), TR_OK);
        assert_int_equal(tr_stage_step(stage), TR_OK);
    }
    assert_int_equal(tr_stage_snapshot(stage, bytes, sizeof bytes, &size), TR_OK);
    for (int restored = 0; restored < 2; restored++) {
        const tr_runner *runner = &tr_stage_performer(stage, id)->runner;
        assert_true(((const tr_follower_state *)runner->state)->changes);
        for (int i = 0; i < 100; i++)
            assert_int_equal(tr_stage_step(stage), TR_OK);
        hash[restored] = tr_stage_hash(stage);
        assert_int_equal(tr_stage_restore(stage, bytes, size, NULL), TR_OK);
    }
    assert_int_equal(hash[0], hash[1]);
}

TEST(a_follower_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = following(model);
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 300,
                              .content = 0x0d8ae370d0850b02ULL,
                              .motion = 0xe961c7f9f6ee85f1ULL,
                              .refusals = 0x135b0acb01a0e1cbULL});
}

SUITE_FIXTURE(puppet_load, puppet_unload);
