#include "cmocka_test.h"

#include "control/balance/balance.h"
#include "control/scheduler/scheduler.h"
#include "control/stage/stage.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <string.h>

enum {
    HOLD = 2,
    LOOKS = 3,
    STEPS = HOLD * LOOKS,
    ROCKING = 4,
    COUNT = 1 + ROCKING + TR_POSTURE_LEANS
};

static const double LEAN = 0.1;

/* On balls, and follows their roll a bit. */
static tr_controller *balancing(const tr_model *model) {
    tr_controller *controller = puppet_balance(model, HOLD);
    tr_balance_of(controller)->gain[TR_BALANCE_TURN_KNEES][TR_BALANCE_DECK_ROLL] = -0.5;
    return controller;
}

static tr_controller *make(const tr_model *model) {
    tr_controller *controller = balancing(model);
    const tr_postures_def def = {
        .looks = LOOKS, .rocking = ROCKING, .rock_rad = 0.2, .lean_rad = LEAN};
    tr_error error = {0};
    if (tr_postures_add(controller, &def, &error) || tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    return controller;
}

static tr_postures *postures_of(const tr_controller *controller) {
    return &tr_balance_of(controller)->postures;
}

/* --- content --- */

TEST(entries_are_the_stance_rocking_and_leans) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    const tr_postures *postures = postures_of(controller);
    OWN_BY(tr_driver_sheet_deinit) tr_driver_sheet sheet = {0};
    assert_int_equal(tr_driver_describe(controller->driver, controller->step_s, &sheet), TR_OK);
    assert_int_equal(sheet.outline.entry_count, COUNT);
    assert_int_equal(sheet.skill_count, 2 + TR_POSTURE_LEANS);
    assert_string_equal(sheet.skill[1].name, "rocking");
    assert_true(sheet.skill[1].first == 1 && sheet.skill[1].count == ROCKING);
    for (int i = 0; i < COUNT; i++) {
        const tr_driver_skill *skill = &sheet.skill[sheet.entry[i].skill];
        assert_true(sheet.entry[i].steps == STEPS && i >= skill->first &&
                    i < skill->first + skill->count);
    }
    /* The roll of the first phase is 0.2 sin(45 degrees), which the knees answer. */
    assert_true(fabs(postures->turn[1][TR_BALANCE_TURN_KNEES] - 0.5 * 0.2 * sqrt(0.5)) < 1e-9);
    assert_true(postures->turn[3][TR_BALANCE_TURN_KNEES] < 0);
    assert_true(postures->turn[COUNT - 1][TR_BALANCE_ACTIONS - 1] == -LEAN);
}

TEST(what_is_not_whole_is_named) {
    const tr_model *model = *given;
    static const char *const named[] = {"looks", "leans", "entry 0", "entry 2", "bound"};
    for (int what = 0; what < 5; what++) {
        OWN(tr_controller) *controller = make(model);
        tr_postures *postures = postures_of(controller);
        tr_error error = {0};
        if (what == 0)
            postures->looks = 0;
        else if (what == 1)
            postures->count--;
        else if (what == 2)
            postures->turn[0][1] = 0.1;
        else if (what == 3)
            postures->turn[2][1] = (double)NAN;
        else
            tr_balance_of(controller)->bound_rad = 9;
        assert_int_equal(tr_controller_check(controller, model, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, named[what]));
    }
}

TEST(only_a_balance_has_postures) {
    const tr_model *model = *given;
    OWN(tr_controller) *sways = puppet_sway(model, 2, 10, 1), *whole = make(model);
    const tr_postures_def def = {.looks = 1};
    tr_error error = {0};
    assert_int_equal(tr_postures_add(sways, &def, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "chain"));
    assert_int_equal(tr_postures_add(whole, &def, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "without postures"));
}

/* --- driving --- */

/* Without ground nothing falls. */
static tr_stage *open_stage(const tr_model *model, const tr_controller *controller, int entry,
                            tr_entity_id *out_id) {
    tr_stage *stage = NULL;
    tr_world_def world = tr_world_def_default();
    const tr_spawn_def spawn = {.model = model, .controller = controller, .entry = entry};
    world.ground = false;
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    assert_int_equal(tr_stage_spawn(stage, &spawn, out_id), TR_OK);
    return stage;
}

static int entry_after(tr_stage *stage, tr_entity_id id, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
    return puppet_doing(stage, id).entry;
}

TEST(rocking_goes_round_and_other_entries_repeat) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    const int first[] = {0, ROCKING, ROCKING + 3}, later[] = {0, 1, ROCKING + 3};
    for (int i = 0; i < 3; i++) {
        tr_entity_id id;
        OWN(tr_stage) *stage = open_stage(model, controller, first[i], &id);
        assert_int_equal(entry_after(stage, id, STEPS - 1), first[i]);
        assert_int_equal(entry_after(stage, id, 2), later[i]);
        assert_int_equal(entry_after(stage, id, STEPS), i == 1 ? 2 : later[i]);
    }
}

TEST(a_lean_turns_its_joint) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    const tr_balance *balance = tr_balance_of(controller);
    const int lean = 1 + ROCKING + 2 * TR_BALANCE_TURN_ANKLE_PITCH;
    tr_state state;
    double pitch[2];
    for (int i = 0; i < 2; i++) {
        tr_entity_id id;
        OWN(tr_stage) *stage = open_stage(model, controller, lean + i, &id);
        (void)entry_after(stage, id, 10 * STEPS);
        assert_int_equal(tr_world_get_state(tr_stage_world(stage), id, &state), TR_OK);
        pitch[i] = tr_quat_log(state.pose.joint[balance->body.foot[0]]).y;
    }
    assert_true(pitch[0] - pitch[1] > LEAN);
}

TEST(a_scheduler_leaves_the_stance_that_it_does_not_list) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model), *copy = NULL;
    tr_scheduler *scheduler = NULL;
    int all[COUNT];
    tr_entity_id id;
    tr_error error = {0};
    for (int i = 0; i < COUNT; i++)
        all[i] = i;
    const tr_scheduler_def def = {.entry_count = COUNT - 1,
                                  .entry = all + 1,
                                  .step_s = controller->step_s,
                                  .sees_object = true};
    if (tr_scheduler_add(controller, &def, &scheduler, &error) ||
        tr_controller_check(controller, model, &error))
        fail_msg("%s", error.message);
    /* The ball is in front, at x = 2 m, and its place the fourth number after the features. */
    scheduler->network.weight[(TR_FEATURE_COUNT + 3) * (COUNT - 1) + 6] = 1;
    assert_int_equal(tr_controller_copy(controller, model, &copy), TR_OK);
    assert_int_equal(tr_controller_hash(copy, model), tr_controller_hash(controller, model));
    OWN(tr_stage) *stage = open_stage(model, copy, 0, &id);
    assert_int_equal(entry_after(stage, id, STEPS + 1), 7);
    assert_false(tr_balance_state_of(&tr_stage_performer(stage, id)->runner)->down);
}

TEST(postures_have_their_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = make(model);
    bits_check(controller, model,
               &(bits_golden){.steps = 300,
                              .probes = 200,
                              .content = 0xd7a54ca35dab207aULL,
                              .motion = 0x8a9898fe388a30feULL,
                              .refusals = 0xeaf905b580d1b7cbULL});
}

SUITE_FIXTURE(puppet_load, puppet_unload);
