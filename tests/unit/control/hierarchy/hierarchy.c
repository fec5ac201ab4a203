/* controllers/control/hierarchy/hierarchy.h: a scheduler as one action of another. */
#include "cmocka_test.h"

#include "control/hierarchy/hierarchy.h"
#include "control/parts/falls.h"
#include "control/recovery/recovery.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <stdlib.h>
#include <string.h>

/* Of puppet_riser. The held scheduler chooses from the entries of standing. */
enum { STEPS = 20, SKILLS = 2, RISING = 2, ENTRIES = 4 };
enum { SCHEDULED = ENTRIES, PROTECT, GATHER, TURN_OVER, FREE, ALL };

static tr_scheduler *schedule(tr_controller *controller, const int *entry, int count) {
    const tr_scheduler_def def = {
        .entry_count = count, .entry = entry, .step_s = controller->step_s};
    tr_scheduler *scheduler = NULL;
    tr_error error = {0};
    if (tr_scheduler_add(controller, &def, &scheduler, &error))
        fail_msg("%s", error.message);
    return scheduler;
}

/* Makes action `action` of a scheduler that of the largest value, whatever the state. */
static void prefer(tr_scheduler *scheduler, int action) {
    tr_network *network = &scheduler->network;
    const size_t weights = tr_network_weight_count(network);
    memset(network->weight, 0, weights * sizeof *network->weight);
    network->weight[weights - (size_t)network->width[network->layers] + (size_t)action] = 1;
}

/* The held scheduler prefers fragment 1. */
static tr_controller *nested(const tr_model *model) {
    static const int both[] = {0, 1};
    tr_controller *controller = puppet_riser(model, true);
    tr_error error = {0};
    prefer(schedule(controller, both, 2), 1);
    if (tr_hierarchy_add(controller, model, &error) ||
        tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

/* Under a scheduler of all but the held scheduler's entries: actions 0 and 1 rise, 2 is SCHEDULED. */
static tr_controller *two_levels(const tr_model *model, int action) {
    static const int chosen[] = {2, 3, SCHEDULED, PROTECT, GATHER, TURN_OVER, FREE};
    tr_controller *controller = nested(model);
    prefer(schedule(controller, chosen, 7), action);
    return controller;
}

static tr_stage *open_stage(const tr_model *model, const tr_controller *controller,
                            tr_entity_id *out_id) {
    tr_stage *stage = NULL;
    tr_world_def world = tr_world_def_default();
    const tr_spawn_def spawn = {.model = model, .controller = controller};
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    assert_int_equal(tr_stage_spawn(stage, &spawn, out_id), TR_OK);
    return stage;
}

static void run(tr_stage *stage, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
}

static void entries_of_its_own_come_after_those_of_the_scheduler(void **fixture) {
    tr_controller *controller = nested(*fixture);
    tr_driver_sheet sheet = {0};
    assert_int_equal(tr_driver_describe(controller->driver, controller->step_s, &sheet), TR_OK);
    assert_int_equal(sheet.outline.entry_count, ALL);
    assert_int_equal(sheet.skill_count, SKILLS + TR_HIERARCHY_ENTRIES);
    for (int i = 0; i < ALL; i++)
        assert_false(sheet.entry[i].rises); /* so that no recovery is put around it */
    assert_string_equal(sheet.skill[SKILLS].name, "scheduled");
    assert_string_equal(sheet.skill[SKILLS + 4].name, "free");
    assert_int_equal(sheet.entry[GATHER].skill, SKILLS + TR_HIERARCHY_GATHER);
    bool rises = false, stands = false;
    for (int e = 0; e < sheet.edge_count; e++) {
        rises |= sheet.edge[e].from == GATHER && sheet.edge[e].to == RISING;
        stands |= sheet.edge[e].from == ENTRIES - 1 && sheet.edge[e].to == SCHEDULED;
    }
    assert_true(rises && stands);
    assert_int_equal(tr_recovery_add(controller), TR_OK);
    assert_null(tr_recovery_of(controller));
    tr_driver_sheet_deinit(&sheet);
    tr_controller_destroy(controller);
}

static void what_does_not_nest_is_refused(void **fixture) {
    const tr_model *model = *fixture;
    static const int both[] = {0, 1}, rising[] = {0, 2};
    static const char *const named[] = {"expected a scheduler",
                                        "no skill that rises",
                                        "part of rising",
                                        "expected a scheduler",
                                        "'gather'",
                                        "4096 edges; expected at most 4085"};
    for (int what = 0; what < 6; what++) {
        tr_controller *controller = puppet_riser(model, what != 1);
        tr_error error = {0};
        if (what == 4)
            strcpy(tr_graph_of(controller)->node[0].skill, "gather");
        tr_scheduler *held = what > 0 ? schedule(controller, what == 2 ? rising : both, 2) : NULL;
        if (what == 5)
            held->sheet.edge_count = TR_DRIVER_EDGE_MAX;
        if (what == 3) {
            static const int next[] = {SCHEDULED};
            assert_int_equal(tr_hierarchy_add(controller, model, &error), TR_OK);
            schedule(controller, next, 1);
        }
        assert_int_equal(tr_hierarchy_add(controller, model, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[what]));
        tr_controller_destroy(controller);
    }
}

static void both_networks_are_loaded_again_and_hashed(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = two_levels(model, 2), *copy = NULL;
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_check(copy, model, NULL), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    tr_scheduler *outer = tr_scheduler_of(copy);
    tr_scheduler *held = tr_hierarchy_of(copy)->inner.content;
    assert_int_equal(outer->entry_count, 7);
    assert_int_equal(held->entry_count, 2);
    held->network.weight[0] += 1;
    assert_int_not_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    tr_controller_destroy(copy);
    tr_controller_destroy(controller);
}

static void sections_of_another_kind_or_without_the_held_ones_are_refused(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = nested(model);
    tr_driver_setting setting = tr_controller_setting(controller, model);
    tr_sections sections = {0};
    tr_error error = {0};
    void *content = NULL;
    assert_int_equal(tr_hierarchy_kind.save(controller->driver.content, &sections, NULL), TR_OK);
    assert_string_equal(sections.section[1].name, "held-scheduler");
    sections.section[1].name[0] = 'b';
    assert_int_equal(tr_hierarchy_kind.load(&sections, &setting, &content, &error), TR_DATA_LOSS);
    assert_non_null(strstr(error.message, "scheduler"));
    sections.section[1].name[0] = 'h';
    memcpy(sections.section[0].bytes + sizeof(int64_t), "robot", 5);
    assert_int_equal(tr_hierarchy_kind.load(&sections, &setting, &content, &error), TR_DATA_LOSS);
    assert_non_null(strstr(error.message, "robot"));
    assert_null(content);
    tr_sections_deinit(&sections);
    tr_controller_destroy(controller);
}

/* The first entry ends, the outer network names the held scheduler, and that one its fragment 1. */
static void the_held_scheduler_decides_by_its_own_network(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = two_levels(model, 2);
    tr_entity_id id;
    tr_stage *stage = open_stage(model, controller, &id);
    run(stage, 2 * STEPS + 1); /* stand has two fragments, which the outer one does not list */
    tr_doing doing = puppet_doing(stage, id);
    assert_int_equal(doing.entry, 1);
    assert_string_equal(doing.text, "stand");
    assert_false(doing.down);
    assert_int_equal(doing.choice[0].entry, SCHEDULED);
    const tr_driver_shown *inner = tr_doing_find(&doing, "inner_choice");
    assert_non_null(inner);
    assert_true(inner->count == 3 && inner->value[0] == 1 && inner->value[2] == 1);
    tr_stage_destroy(stage);
    tr_controller_destroy(controller);
}

static void a_rising_fragment_is_one_entry(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = two_levels(model, 1);
    tr_entity_id id;
    tr_stage *stage = open_stage(model, controller, &id);
    run(stage, 2 * STEPS + 1);
    for (int i = 0; i < 3; i++, run(stage, STEPS)) {
        tr_doing doing = puppet_doing(stage, id);
        assert_true(doing.entry == 3 && !doing.down); /* it stands */
        assert_null(tr_doing_find(&doing, "inner_choice"));
    }
    tr_stage_destroy(stage);
    tr_controller_destroy(controller);
}

static void an_entry_of_lying_takes_a_tenth_of_a_second(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = two_levels(model, 4);
    tr_entity_id id;
    tr_stage *stage = open_stage(model, controller, &id);
    run(stage, 2 * STEPS + 1);
    const tr_performer *performer = tr_stage_performer(stage, id);
    const tr_hierarchy_state *state = tr_hierarchy_state_of(&performer->runner);
    for (int i = 0; i < 3; i++, run(stage, 20)) {
        assert_true(state->entry == GATHER && state->steps == 1 && state->repeats == i);
        assert_string_equal(puppet_doing(stage, id).text, "gather");
    }
    tr_stage_destroy(stage);
    tr_controller_destroy(controller);
}

static bool has_entered(const tr_stage *stage, tr_entity_id id, int entry) {
    return tr_hierarchy_state_of(&tr_stage_performer(stage, id)->runner)->entry == entry;
}

/* Pushed over, it protects itself and gathers, in this order, and is down. */
static void alone_it_follows_the_fixed_order(void **fixture) {
    const tr_model *model = *fixture;
    static const int order[] = {SCHEDULED, PROTECT, GATHER};
    tr_controller *controller = nested(model);
    tr_entity_id id;
    tr_stage *stage = open_stage(model, controller, &id);
    const tr_push push = {.entity = 1, .body = model->trunk, .force = {600, 0, 0}, .steps = 40};
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
    int at = 0;
    for (int i = 0; i < 600 && at < 3; i++) {
        run(stage, 1);
        at += has_entered(stage, id, order[at]);
        assert_false(at == 1 && has_entered(stage, id, GATHER));
    }
    assert_int_equal(at, 3);
    assert_true(puppet_doing(stage, id).down);
    tr_stage_destroy(stage);
    tr_controller_destroy(controller);
}

/* Before it lies on the ground, and whatever the outer network chooses: the held scheduler. */
static void it_protects_itself_from_the_beginning_of_a_fall(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = two_levels(model, 2);
    tr_entity_id id;
    tr_stage *stage = open_stage(model, controller, &id);
    const tr_hierarchy_state *state = tr_hierarchy_state_of(&tr_stage_performer(stage, id)->runner);
    const tr_push push = {.entity = 1, .body = model->trunk, .force = {600, 0, 0}, .steps = 40};
    int steps = 0;
    run(stage, 2 * STEPS + 1);
    assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
    for (int i = 0; i < 400 && !state->falls; i++)
        run(stage, 1);
    assert_true(state->falls && state->down && state->entry == PROTECT);
    assert_false(tr_falls_is_down(tr_stage_world(stage), id, false));
    for (; steps < 400 && state->falls; steps++)
        run(stage, 1);
    assert_true(steps >= 59 && steps <= 240); /* 0.3 s to 1.2 s */
    run(stage, 1);
    assert_int_equal(state->entry, SCHEDULED); /* chosen after it has landed */
    assert_true(puppet_doing(stage, id).down);
    tr_stage_destroy(stage);
    tr_controller_destroy(controller);
}

static void a_snapshot_continues_with_the_same_bits(void **fixture) {
    const tr_model *model = *fixture;
    const tr_push push = {.entity = 1, .body = model->trunk, .force = {400, 0, 0}, .steps = 40};
    for (int action = 1; action < 5; action++) {
        tr_controller *controller = two_levels(model, action);
        tr_entity_id id;
        tr_stage *stage = open_stage(model, controller, &id);
        assert_int_equal(tr_world_push(tr_stage_world(stage), &push), TR_OK);
        run(stage, 2 * STEPS + 7);
        const size_t capacity = tr_stage_snapshot_size(stage);
        void *buffer = malloc(capacity);
        size_t size = 0;
        assert_int_equal(tr_stage_snapshot(stage, buffer, capacity, &size), TR_OK);
        run(stage, 150);
        const uint64_t hash = tr_stage_hash(stage);
        assert_int_equal(tr_stage_restore(stage, buffer, size, NULL), TR_OK);
        run(stage, 150);
        assert_true(tr_stage_hash(stage) == hash);
        free(buffer);
        tr_stage_destroy(stage);
        tr_controller_destroy(controller);
    }
}

static void a_hierarchy_has_its_golden_bits(void **fixture) {
    const tr_model *model = *fixture;
    tr_controller *controller = two_levels(model, 2);
    bits_check(controller, model,
               &(bits_golden){.steps = 300,
                              .probes = 200,
                              .content = 0x2efad90903555fe4ULL,
                              .motion = 0x237afb2cad5a76d0ULL,
                              .refusals = 0x9367b60ed5d0d8c5ULL});
    tr_controller_destroy(controller);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_of_its_own_come_after_those_of_the_scheduler),
        cmocka_unit_test(what_does_not_nest_is_refused),
        cmocka_unit_test(both_networks_are_loaded_again_and_hashed),
        cmocka_unit_test(sections_of_another_kind_or_without_the_held_ones_are_refused),
        cmocka_unit_test(the_held_scheduler_decides_by_its_own_network),
        cmocka_unit_test(a_rising_fragment_is_one_entry),
        cmocka_unit_test(an_entry_of_lying_takes_a_tenth_of_a_second),
        cmocka_unit_test(alone_it_follows_the_fixed_order),
        cmocka_unit_test(it_protects_itself_from_the_beginning_of_a_fall),
        cmocka_unit_test(a_snapshot_continues_with_the_same_bits),
        cmocka_unit_test(a_hierarchy_has_its_golden_bits),
    };
    return cmocka_run_group_tests(tests, puppet_load, puppet_unload);
}
