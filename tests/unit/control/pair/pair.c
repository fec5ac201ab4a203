/* controllers/control/pair/pair.h: a driver and a second one beside it. */
#include "cmocka_test.h"

#include "control/pair/pair.h"
#include "control/postures/postures.h"
#include "control/scheduler/scheduler.h"
#include "model/mjcf.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <string.h>

enum { FRAGMENTS = 3, STEPS = 10, HOLD = 2, LOOKS = 5, STANCE = FRAGMENTS };

/* Stands on the ground, and leans a little at once. */
static tr_controller *standing(const tr_model *model, int looks) {
    const tr_postures_def postures = {.looks = looks};
    tr_controller *controller = puppet_balance(model, HOLD, false);
    tr_error error = {0};
    tr_balance_of(controller)->offset[TR_BALANCE_TURN_HIP_PITCH] = 0.1;
    tr_balance_of(controller)->gain[TR_BALANCE_TURN_ANKLE_PITCH][TR_BALANCE_COM_VEL_X] = 0.3;
    if (looks > 0 && tr_postures_add(controller, &postures, &error))
        fail_msg("%s", error.message);
    return controller;
}

static tr_controller *make(const tr_model *model) {
    tr_controller *sway = puppet_sway(model, FRAGMENTS, STEPS, 1), *stands = standing(model, LOOKS);
    tr_error error = {0};
    if (tr_pair_add(sway, stands, model, &error) || tr_controller_check(sway, model, &error))
        fail_msg("%s", error.message);
    tr_controller_destroy(stands);
    return sway;
}

static bool has_edge(const tr_driver_sheet *sheet, int from, int to) {
    bool found = false;
    for (int e = 0; e < sheet->edge_count; e++)
        found |= sheet->edge[e].from == from && sheet->edge[e].to == to;
    return found;
}

static void entries_of_the_second_come_after_those_of_the_first(void **fixture) {
    tr_controller *pair = make(*fixture);
    tr_driver_sheet sheet = {0};
    assert_int_equal(tr_driver_describe(pair->driver, pair->step_s, &sheet), TR_OK);
    assert_int_equal(sheet.outline.entry_count, FRAGMENTS + 1);
    assert_int_equal(sheet.skill_count, 2);
    assert_string_equal(sheet.skill[1].name, "stance");
    assert_true(sheet.skill[1].first == STANCE && sheet.skill[1].count == 1);
    assert_int_equal(sheet.entry[STANCE].skill, 1);
    assert_int_equal(sheet.entry[STANCE].steps, HOLD * LOOKS);
    for (int i = 0; i < FRAGMENTS; i++)
        assert_true(has_edge(&sheet, i, STANCE));
    assert_true(has_edge(&sheet, STANCE, 0) && !has_edge(&sheet, STANCE, 1));
    assert_ptr_equal(tr_controller_bank(pair), pair->driver.kind->bank(pair->driver.content));
    tr_driver_sheet_deinit(&sheet);
    tr_controller_destroy(pair);
}

/* Entries 0 and 1 are the first skill: the stance is reached from them and from 3, where an edge leads
 * back to them, and not from 5, whose edge leads to the second skill. */
static void the_second_is_reached_from_where_the_first_skill_is(void **fixture) {
    const tr_model *model = *fixture;
    const char *const skills[] = {"walk", "run", "turn"};
    const tr_graph_edge edges[] = {{3, 0, false}, {5, 2, false}};
    tr_controller *pair = puppet_graph(model, (tr_graph_size){6, STEPS, 3, 2});
    tr_controller *stands = standing(model, LOOKS);
    tr_control_graph *graph = tr_graph_of(pair);
    for (int i = 0; i < 3; i++) {
        graph->node[i] =
            (tr_graph_node){.gain_set = "a", .first = 2 * i, .count = 2, .cyclic = true};
        strcpy(graph->node[i].skill, skills[i]);
    }
    memcpy(graph->edge, edges, sizeof edges);
    tr_error error = {0};
    if (tr_pair_add(pair, stands, model, &error) || tr_controller_check(pair, model, &error))
        fail_msg("%s", error.message);
    tr_driver_sheet sheet = {0};
    assert_int_equal(tr_driver_describe(pair->driver, pair->step_s, &sheet), TR_OK);
    for (int i = 0; i < 6; i++)
        assert_int_equal(has_edge(&sheet, i, 6), i == 0 || i == 1 || i == 3);
    assert_true(has_edge(&sheet, 6, 0));
    tr_driver_sheet_deinit(&sheet);
    tr_controller_destroy(stands);
    tr_controller_destroy(pair);
}

static void what_does_not_go_together_is_refused(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *sway = puppet_sway(model, 2, STEPS, 1), *other = puppet_sway(model, 2, STEPS, 2);
    tr_controller *stands = standing(model, LOOKS), *alone = standing(model, 0);
    tr_error error = {0};
    assert_int_equal(tr_pair_add(sway, other, model, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "chain"));
    assert_int_equal(tr_pair_add(stands, alone, model, &error), TR_INVALID_ARGUMENT);
    stands->step_s = 0.01;
    assert_int_equal(tr_pair_add(sway, stands, model, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "step"));
    assert_string_equal(sway->driver.kind->name, "chain");
    tr_controller_destroy(alone);
    tr_controller_destroy(stands);
    tr_controller_destroy(other);
    tr_controller_destroy(sway);
}

static tr_stage *open_stage(const tr_model *model, const tr_controller *controller, int entry,
                            tr_entity_id *out_id) {
    tr_stage *stage = NULL;
    tr_world_def world = tr_world_def_default();
    const tr_spawn_def spawn = {.model = model, .controller = controller, .entry = entry};
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    assert_int_equal(tr_stage_spawn(stage, &spawn, out_id), TR_OK);
    return stage;
}

static void alone_it_stays_in_the_driver_in_which_it_begins(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *pair = make(model);
    for (int second = 0; second < 2; second++) {
        tr_entity_id id;
        tr_stage *stage = open_stage(model, pair, second ? STANCE : 0, &id);
        for (int i = 0; i < 8 * STEPS; i++) {
            assert_int_equal(tr_stage_step(stage), TR_OK);
            tr_doing doing = puppet_doing(stage, id);
            assert_true((doing.entry >= STANCE) == second && doing.skill == second);
        }
        tr_stage_destroy(stage);
    }
    tr_controller_destroy(pair);
}

/* The balance of a pair drives as it does alone. */
static void the_second_stands_as_it_does_alone(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *pair = make(model), *stands = standing(model, LOOKS);
    tr_state state[2];
    pair->spawn = stands->spawn;
    for (int i = 0; i < 2; i++) {
        tr_entity_id id;
        tr_stage *stage = open_stage(model, i ? stands : pair, i ? 0 : STANCE, &id);
        for (int k = 0; k < 100; k++)
            assert_int_equal(tr_stage_step(stage), TR_OK);
        assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &state[i]), TR_OK);
        assert_false(puppet_doing(stage, id).down);
        tr_stage_destroy(stage);
    }
    assert_true(puppet_distance(model, &state[0], &state[1]) < 1e-9);
    tr_controller_destroy(stands);
    tr_controller_destroy(pair);
}

static void a_scheduler_chooses_from_both(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *pair = make(model), *copy = NULL;
    tr_scheduler *scheduler = NULL;
    const int all[] = {0, 1, 2, STANCE};
    tr_entity_id id;
    tr_error error = {0};
    const tr_scheduler_def def = {.entry_count = 4, .entry = all, .step_s = pair->step_s};
    if (tr_scheduler_add(pair, &def, &scheduler, &error) ||
        tr_controller_check(pair, model, &error))
        fail_msg("%s", error.message);
    /* After entry 0 the stance, after the stance entry 0. */
    const int actions = tr_scheduler_action_count(scheduler);
    scheduler->network.weight[(TR_FEATURE_COUNT + 0) * actions + 3] = 1;
    scheduler->network.weight[(TR_FEATURE_COUNT + 3) * actions + 0] = 1;
    assert_int_equal(tr_controller_copy(pair, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(pair, model));
    tr_stage *stage = open_stage(model, copy, 0, &id);
    const int expected[] = {0, STANCE, 0, STANCE};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(tr_stage_step(stage), TR_OK);
        assert_int_equal(puppet_doing(stage, id).entry, expected[i]);
        for (int k = 1; k < STEPS; k++)
            assert_int_equal(tr_stage_step(stage), TR_OK);
    }
    tr_stage_destroy(stage);
    tr_controller_destroy(copy);
    tr_controller_destroy(pair);
}

static void a_pair_has_its_golden_bits(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *pair = make(model);
    bits_check(pair, model,
               &(bits_golden){.steps = 300,
                              .probes = 200,
                              .content = 0x9ebe309297f739efULL,
                              .motion = 0x84049aa70d30d1d2ULL,
                              .refusals = 0x152fe4b92d62a5aaULL});
    tr_controller_destroy(pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_of_the_second_come_after_those_of_the_first),
        cmocka_unit_test(the_second_is_reached_from_where_the_first_skill_is),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(alone_it_stays_in_the_driver_in_which_it_begins),
        cmocka_unit_test(the_second_stands_as_it_does_alone),
        cmocka_unit_test(a_scheduler_chooses_from_both),
        cmocka_unit_test(a_pair_has_its_golden_bits),
    };
    return cmocka_run_group_tests(tests, puppet_load, puppet_unload);
}
