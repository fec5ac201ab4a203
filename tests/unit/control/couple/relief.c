/* controllers/control/couple/couple.h: a driver, and a second one that gets up for it. */
#include "cmocka_test.h"

#include "control/couple/couple.h"
#include "control/recovery/recovery.h"
#include "model/mjcf.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <string.h>

/* The first: a chain of FRAGMENTS. The second, a graph: stand, its fragment 0, cyclic, and rise, 1
 * and 2, which begins lying and leads to standing. */
enum { FRAGMENTS = 3, STEPS = 10, STAND = FRAGMENTS, RISE = STAND + 1, ALL = FRAGMENTS + 3 };

static tr_controller *riser(const tr_model *model) {
    const tr_graph_size size = {3, STEPS, 2, 1};
    tr_controller *controller = puppet_graph(model, size);
    tr_control_graph *graph = tr_graph_of(controller);
    graph->node[0] = (tr_graph_node){.skill = "stand", .gain_set = "b", .count = 1, .cyclic = true};
    graph->node[1] = (tr_graph_node){.skill = "rise", .gain_set = "b", .first = 1, .count = 2};
    graph->edge[0] = (tr_graph_edge){2, 0, false};
    graph->bank.fragment[1].start.pose.root_rot =
        tr_quat_from_axis_angle((tr_vec3){0, 1, 0}, TR_PI / 2);
    return controller;
}

static tr_controller *make(const tr_model *model) {
    tr_controller *sway = puppet_sway(model, FRAGMENTS, STEPS, 1), *rises = riser(model);
    tr_error error = {0};
    tr_graph_of(rises)->bank.action = tr_chain_of(sway)->bank.action;
    if (tr_couple_add(sway, rises, TR_COUPLE_RELIEF, "stand", model, &error) ||
        tr_controller_check(sway, model, &error))
        fail_msg("%s", error.message);
    tr_controller_destroy(rises);
    return sway;
}

static void entries_of_the_second_come_after_those_of_the_first(void **fixture) {
    tr_controller *relief = make(*fixture);
    tr_driver_sheet sheet = {0};
    assert_int_equal(tr_driver_describe(relief->driver, relief->step_s, &sheet), TR_OK);
    assert_int_equal(sheet.outline.entry_count, ALL);
    assert_int_equal(sheet.skill_count, 3);
    assert_true(sheet.skill[0].first == 0 && sheet.skill[0].count == FRAGMENTS);
    assert_string_equal(sheet.skill[2].name, "rise");
    assert_true(sheet.skill[2].first == RISE && sheet.skill[2].count == 2);
    assert_true(sheet.entry[RISE].rises && sheet.entry[RISE].skill == 2);
    assert_string_equal(sheet.entry[RISE].gain_set, "b");
    assert_true(sheet.edge_count == 1 && sheet.edge[0].from == RISE + 1 &&
                sheet.edge[0].to == STAND);
    tr_driver_sheet_deinit(&sheet);
    assert_null(tr_graph_of(relief)); /* whose fragments have other numbers */
    tr_controller_destroy(relief);
}

static void what_does_not_go_together_is_refused(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *sway = puppet_sway(model, 2, STEPS, 1), *other = puppet_sway(model, 2, STEPS, 2);
    tr_controller *rises = riser(model);
    tr_error error = {0};
    assert_int_equal(tr_couple_add(sway, other, TR_COUPLE_RELIEF, "stand", model, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "home 'stand'")); /* a chain has no such skill */
    tr_graph_of(rises)->bank.action = tr_chain_of(sway)->bank.action;
    assert_int_equal(tr_couple_add(sway, rises, TR_COUPLE_RELIEF, "rise", model, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "home 'rise'"));
    assert_int_equal(tr_couple_add(sway, rises, TR_COUPLE_RELIEF, "dance", model, &error),
                     TR_INVALID_ARGUMENT);
    tr_graph_of(rises)->bank.action.joint_count--;
    assert_int_equal(tr_couple_add(sway, rises, TR_COUPLE_RELIEF, "stand", model, &error),
                     TR_INVALID_ARGUMENT);
    rises->step_s = 0.01;
    assert_int_equal(tr_couple_add(sway, rises, TR_COUPLE_RELIEF, "stand", model, &error),
                     TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "step"));
    assert_string_equal(sway->driver.kind->name, "chain");
    tr_controller_destroy(rises);
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

static void the_first_drives_as_it_does_alone(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *of[] = {make(model), puppet_sway(model, FRAGMENTS, STEPS, 1)};
    tr_state state[2];
    for (int i = 0; i < 2; i++) {
        tr_entity_id id;
        tr_stage *stage = open_stage(model, of[i], 1, &id);
        for (int k = 0; k < 4 * STEPS; k++)
            assert_int_equal(tr_stage_step(stage), TR_OK);
        assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &state[i]), TR_OK);
        tr_stage_destroy(stage);
        tr_controller_destroy(of[i]);
    }
    assert_true(puppet_distance(model, &state[0], &state[1]) < 1e-9);
}

/* Through both fragments that rise and one of its home; then the first, until the end. */
static void the_second_goes_home_and_the_first_takes_over(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *relief = make(model);
    tr_entity_id id;
    tr_stage *stage = open_stage(model, relief, RISE, &id);
    for (int i = 0; i < 8 * STEPS; i++) {
        assert_int_equal(tr_stage_step(stage), TR_OK);
        const tr_doing doing = puppet_doing(stage, id);
        const int fragment = i / STEPS, within = i % STEPS;
        if (within == STEPS - 1)
            continue; /* between */
        if (fragment < 2)
            assert_true(doing.entry == RISE + fragment && doing.skill == 2);
        else if (fragment == 2)
            assert_true(doing.entry == STAND && doing.skill == 1);
        else
            assert_true(doing.entry < FRAGMENTS && doing.skill == 0);
    }
    tr_stage_destroy(stage);
    tr_controller_destroy(relief);
}

static void a_fall_leads_to_the_entry_that_rises(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *relief = make(model);
    assert_int_equal(tr_recovery_add(relief), TR_OK);
    assert_non_null(tr_recovery_of(relief));
    assert_int_equal(tr_recovery_of(relief)->rising_count, 1);
    assert_int_equal(tr_recovery_of(relief)->rising[0], RISE);
    tr_recovery_remove(relief);
    assert_string_equal(tr_driver_kind_name(relief->driver), "relief");
    tr_controller_destroy(relief);
}

static void fragments_that_are_learned_again_are_those_that_drive(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *relief = make(model), *copy = NULL;
    tr_bank *bank = tr_controller_bank(relief);
    const uint64_t before = tr_controller_hash(relief, model);
    assert_int_equal(bank->fragment_count, ALL);
    assert_int_equal(tr_controller_copy(relief, model, &copy), TR_OK);
    assert_true(tr_controller_hash(copy, model) == before);
    for (int f = 0; f < ALL; f += ALL - 1) {
        bank->fragment[f].policy.offset[0] += 0.1;
        assert_true(tr_controller_hash(relief, model) != before);
        bank->fragment[f].policy.offset[0] -= 0.1;
    }
    assert_true(tr_controller_hash(copy, model) == before);
    tr_controller_destroy(copy);
    tr_controller_destroy(relief);
}

/* Their sections have the same names, and are stored apart. */
static void two_of_one_kind_are_kept(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *walks = riser(model), *rises = riser(model), *copy = NULL;
    tr_error error = {0};
    strcpy(tr_graph_of(walks)->node[0].skill, "walk");
    if (tr_couple_add(walks, rises, TR_COUPLE_RELIEF, "stand", model, &error))
        fail_msg("%s", error.message);
    assert_int_equal(tr_controller_copy(walks, model, &copy), TR_OK);
    assert_true(tr_controller_hash(copy, model) == tr_controller_hash(walks, model));
    tr_driver_sheet sheet = {0};
    assert_int_equal(tr_driver_describe(copy->driver, copy->step_s, &sheet), TR_OK);
    assert_int_equal(sheet.skill_count, 4);
    assert_string_equal(sheet.skill[0].name, "walk");
    assert_string_equal(sheet.skill[2].name, "stand");
    tr_driver_sheet_deinit(&sheet);
    tr_controller_destroy(copy);
    tr_controller_destroy(rises);
    tr_controller_destroy(walks);
}

static void a_relief_has_its_golden_bits(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *relief = make(model);
    bits_check(relief, model,
               &(bits_golden){.steps = 300,
                              .probes = 200,
                              .content = 0x30629c5d9f8b8fdcULL,
                              .motion = 0x1fcc72835b8be26cULL,
                              .refusals = 0xe49494ddbde44518ULL});
    tr_controller_destroy(relief);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_of_the_second_come_after_those_of_the_first),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(the_first_drives_as_it_does_alone),
        cmocka_unit_test(the_second_goes_home_and_the_first_takes_over),
        cmocka_unit_test(a_fall_leads_to_the_entry_that_rises),
        cmocka_unit_test(fragments_that_are_learned_again_are_those_that_drive),
        cmocka_unit_test(two_of_one_kind_are_kept),
        cmocka_unit_test(a_relief_has_its_golden_bits),
    };
    return cmocka_run_group_tests(tests, puppet_load, puppet_unload);
}
