#include "cmocka_test.h"

#include "control/gait/gait_driver.h"
#include "control/recovery/recovery.h"
#include "control/scheduler/scheduler.h"
#include "control/torque/torque.h"
#include "unit/control/puppet.h"

#include <string.h>

TEST(kinds_are_found_by_name) {
    assert_ptr_equal(tr_driver_find_kind("chain"), &tr_chain_kind);
    assert_ptr_equal(tr_driver_find_kind("graph"), &tr_graph_kind);
    assert_ptr_equal(tr_driver_find_kind("recovery"), &tr_recovery_kind);
    assert_ptr_equal(tr_driver_find_kind("scheduler"), &tr_scheduler_kind);
    assert_ptr_equal(tr_driver_find_kind("gait"), &tr_gait_kind);
    for (int i = 0; tr_torque_kind.name_at(i); i++)
        assert_ptr_equal(tr_driver_find_kind(tr_torque_kind.name_at(i)), &tr_torque_kind);
    assert_ptr_equal(tr_driver_find_kind("momentum"), &tr_torque_kind);
    assert_ptr_equal(tr_driver_find_kind("skating"), &tr_torque_kind);
    assert_ptr_equal(tr_driver_find_kind("boarding"), &tr_torque_kind);
    assert_ptr_equal(tr_driver_find_kind("rolling"), &tr_torque_kind);
    assert_null(tr_driver_find_kind("dance"));
    assert_null(tr_driver_find_kind(""));
}

/* The code that runs a driver calls all of these. */
TEST(every_kind_fills_its_row) {
    for (const tr_driver_kind *const *kind = tr_driver_kinds; *kind; kind++) {
        assert_true(strlen((*kind)->name) > 0 && strlen((*kind)->name) < TR_NAME_MAX);
        const char *name = (*kind)->name_at ? (*kind)->name_at(0) : (*kind)->name;
        assert_ptr_equal(tr_driver_find_kind(name), *kind);
        assert_true((*kind)->check && (*kind)->hash && (*kind)->mirror && (*kind)->destroy);
        assert_true((*kind)->save && (*kind)->load && (*kind)->outline && (*kind)->entry);
        assert_true((*kind)->enter && (*kind)->nearest && (*kind)->look);
        assert_true((*kind)->drive && ((*kind)->fields_of || (*kind)->field_count > 0));
        for (int i = 0; i < (*kind)->field_count; i++)
            assert_true((*kind)->field[i].offset < (*kind)->state_size);
    }
}

/* walk: fragments 0 to 2, cyclic, steered; rise: 3, a chain that begins lying. */
static tr_controller *riser(const tr_model *model) {
    tr_controller *controller = puppet_graph(model, (tr_graph_size){4, 10, 2, 1});
    tr_control_graph *graph = tr_graph_of(controller);
    strcpy(graph->node[0].skill, "walk");
    strcpy(graph->node[1].skill, "rise");
    strcpy(graph->node[0].gain_set, "a");
    strcpy(graph->node[1].gain_set, "b");
    graph->node[0].count = graph->node[1].first = 3;
    graph->node[1].count = 1;
    graph->node[0].cyclic = graph->node[0].mirrored = graph->bank.mirrored = true;
    graph->node[0].steering = (tr_steering){.speed_mps = 1.5, .turn_rad_s = 0.5};
    graph->edge[0] = (tr_graph_edge){3, 0, true};
    assert_int_equal(tr_recovery_add(controller), TR_OK);
    assert_int_equal(tr_controller_check(controller, model, NULL), TR_OK);
    return controller;
}

TEST(the_sheet_of_a_chain) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 3, 20);
    tr_driver_sheet sheet;
    tr_controller_bank(controller)->mirrored = true;
    tr_chain_of(controller)->steering = (tr_steering){.speed_mps = 1.5, .slower_mps = 0.25};
    assert_int_equal(tr_driver_describe(controller->driver, 0.005, &sheet), TR_OK);
    assert_string_equal(sheet.kind, "chain");
    assert_int_equal(sheet.outline.entry_count, 3);
    assert_int_equal(sheet.outline.first_count, 3);
    assert_true(sheet.outline.cyclic && sheet.outline.mirrored && sheet.has_references);
    assert_near(sheet.outline.duration_s, 0.6, 1e-12);
    assert_near(sheet.outline.cycle_s, 0.6, 1e-12);
    assert_string_equal(sheet.outline.gain_set, "a");
    assert_ptr_equal(sheet.entry[1].start, &tr_controller_bank(controller)->fragment[1].start);
    assert_int_equal(sheet.entry[1].steps, 20);
    assert_int_equal(sheet.skill_count, 1);
    assert_string_equal(sheet.skill[0].name, ""); /* the controller's */
    assert_false(sheet.skill[0].on_request);
    assert_int_equal(sheet.skill[0].count, 3);
    assert_near(sheet.skill[0].slower_mps, 0.25, 0);
    assert_int_equal(sheet.edge_count, 0);
    assert_int_equal(sheet.parameter_count, 1);
    assert_string_equal(sheet.parameter[0].name, "action_offset");
    assert_string_equal(sheet.parameter[0].unit, "rad");
    assert_int_equal(sheet.parameter[0].count, 17);
    tr_driver_sheet_deinit(&sheet);
    tr_controller_bank(controller)->cyclic = tr_controller_bank(controller)->mirrored = false;
    assert_int_equal(tr_driver_describe(controller->driver, 0.005, &sheet), TR_OK);
    assert_near(sheet.outline.duration_s, 0.3, 1e-12);
    assert_near(sheet.outline.cycle_s, 0, 0);
    tr_driver_sheet_deinit(&sheet);
}

TEST(a_recovery_shows_the_inner_drivers_sheet) {
    OWN(tr_controller) *controller = riser(*given);
    tr_driver_sheet sheet;
    assert_int_equal(tr_driver_describe(controller->driver, 0.005, &sheet), TR_OK);
    assert_string_equal(sheet.kind, "recovery");
    assert_int_equal(sheet.outline.entry_count, 4);
    assert_int_equal(sheet.outline.first_count, 3);
    assert_near(sheet.outline.cycle_s, 2 * 3 * 10 * 0.005, 1e-12);
    assert_near(sheet.outline.duration_s, 2 * 4 * 10 * 0.005, 1e-12);
    assert_false(sheet.entry[0].rises);
    assert_true(sheet.entry[3].rises);
    assert_int_equal(sheet.entry[3].skill, 1);
    assert_string_equal(sheet.entry[3].gain_set, "b");
    assert_int_equal(sheet.skill_count, 2);
    assert_string_equal(sheet.skill[0].name, "walk");
    assert_near(sheet.skill[0].turn_rad_s, 0.5, 0);
    assert_true(sheet.skill[1].rises && !sheet.skill[1].cyclic);
    assert_int_equal(sheet.edge_count, 1);
    assert_true(sheet.edge[0].from == 3 && sheet.edge[0].to == 0 && sheet.edge[0].flips);
    assert_int_equal(sheet.parameter_count, 1);
    tr_driver_sheet_deinit(&sheet);
}

TEST(the_state_of_what_is_held_lies_in_the_holders) {
    OWN(tr_controller) *controller = riser(*given);
    tr_driver inner = tr_driver_held(controller->driver, 0);
    const tr_driver none = {0};
    assert_ptr_equal(inner.kind, &tr_graph_kind);
    assert_null(tr_driver_held(controller->driver, 1).kind);
    assert_null(tr_driver_held(inner, 0).kind);
    assert_ptr_equal(tr_driver_content(controller->driver, &tr_graph_kind), inner.content);
    assert_null(tr_driver_content(controller->driver, &tr_chain_kind));
    assert_null(tr_driver_content(none, &tr_chain_kind));
    size_t offset = tr_driver_held_offset(controller->driver, 0);
    assert_true(offset >= sizeof(tr_recovery_state) && offset % _Alignof(max_align_t) == 0);
    assert_int_equal(tr_driver_state_size(controller->driver),
                     offset + tr_driver_state_size(inner));
}

/* A row that holds itself, to be refused before anything recurses into it. */
static tr_driver held_by_itself(const void *content, int index);
static tr_status accept(const void *content, const tr_driver_setting *setting, tr_error *error) {
    (void)content, (void)setting, (void)error;
    return TR_OK;
}
static const tr_driver_kind endless = {.name = "endless", .check = accept, .held = held_by_itself};
static tr_driver held_by_itself(const void *content, int index) {
    return (tr_driver){index == 0 ? &endless : NULL, (void *)(uintptr_t)content};
}

TEST(drivers_too_deep_or_too_large_are_refused) {
    const tr_model *model = *given;
    const tr_state spawn = {0};
    const tr_driver_setting setting = {model, 0.005, &spawn, NULL};
    tr_driver_kind large = {.name = "large", .check = accept, .state_size = TR_DRIVER_STATE_MAX};
    tr_error error = {0};
    int content = 0;
    tr_driver driver = {&endless, &content};
    assert_int_equal(tr_driver_check(driver, &setting, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "8 deep"));
    driver.kind = &large;
    assert_int_equal(tr_driver_check(driver, &setting, &error), TR_OK);
    large.state_size++;
    assert_int_equal(tr_driver_check(driver, &setting, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "at most 8192"));
    driver.content = NULL;
    assert_int_equal(tr_driver_check(driver, &setting, &error), TR_INVALID_ARGUMENT);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
