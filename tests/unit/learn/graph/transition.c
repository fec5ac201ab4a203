#include "cmocka_test.h"

#include "learn/graph/transition.h"
#include "model/mjcf.h"
#include "unit/learn/sway.h"

#include <string.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_controller, squat);
SUITE_OWN(tr_controller, stand);

/* Bends the knees so far that the root comes down by a third of a metre, over the feet. */
static tr_pose squatting(void) {
    static const struct {
        const char *body;
        double angle_rad;
    } bent[] = {{"lthigh", -0.9}, {"rthigh", -0.9}, {"lshank", 1.8},
                {"rshank", 1.8},  {"lfoot", -0.9},  {"rfoot", -0.9}};
    tr_body_state bodies[TR_BODY_MAX];
    tr_pose pose = tr_pose_rest(model);
    for (size_t i = 0; i < sizeof bent / sizeof *bent; i++) {
        int body = tr_model_find_body(model, bent[i].body);
        pose.joint[body] = tr_quat_exp((tr_vec3){0, bent[i].angle_rad, 0});
    }
    tr_pose_forward(model, &pose, bodies);
    pose.root_pos.z -= tr_body_lowest_point(model, -1, bodies);
    return pose;
}

static tr_controller *holding(const char *name, const tr_pose *pose) {
    tr_controller *out = sway_stander(model, true);
    strcpy(out->name, name);
    strcpy(out->skill, name);
    strcpy(tr_controller_bank(out)->gain_set, "b");
    out->spawn = tr_state_at_rest(model, pose);
    for (int k = 0; k < tr_controller_bank(out)->fragment_count; k++) {
        tr_fragment *fragment = &tr_controller_bank(out)->fragment[k];
        fragment->start = fragment->end = out->spawn;
        for (int i = 0; i < fragment->steps * model->body_count; i++)
            if (i % model->body_count)
                fragment->target[i] = pose->joint[i % model->body_count];
    }
    return out;
}

BEFORE_ALL() {
    model = sway_model();
    tr_pose up = tr_pose_rest(model), down = squatting();
    stand = holding("stand", &up);
    squat = holding("squat", &down);
}

static tr_transition_def quick(void) {
    tr_transition_def def = tr_transition_default();
    def.from = stand;
    def.to = squat;
    def.low = 8;
    def.high = 9;
    def.windows = 2;
    def.finalists = 2;
    def.rounds = 1;
    def.harden.updates = 1;
    def.harden.directions = def.harden.best = 2;
    def.harden.trials = 4;
    def.harden.after_s = 0.5;
    def.harden.push_n = 0;
    def.trials = 3;
    def.after_s = 1;
    def.seed = 5;
    return def;
}

static void count_told(void *context, const char *chain, const tr_transition_window *window) {
    assert_string_equal(chain, "stand-to-squat");
    assert_int_equal(window->trials, 3);
    ++*(int *)context;
}

/* A character that is not down at the end of the squat's first fragment loses its motion. */
TEST(a_chain_leads_where_no_step_does) {
    for (int threads = 1; threads <= 2; threads++) {
        OWN(tr_ensemble) *ensemble = sway_ensemble(model, threads);
        tr_transition_def def = quick();
        tr_transition_window window;
        OWN(tr_controller) *chain = NULL;
        tr_error error = {0};
        int told = 0;
        if (tr_transition_learn(ensemble, &def, count_told, &told, &chain, &window, &error) !=
            TR_OK)
            fail_msg("%s", error.message);
        assert_in_range(told, 1, 2);
        assert_int_equal(window.count.held, 3);
        assert_string_equal(chain->skill, "stand-to-squat");
        assert_int_equal(tr_controller_bank(chain)->fragment_count, window.window.count);
        static uint64_t hash;
        if (threads == 1)
            hash = tr_controller_hash(chain, model);
        assert_true(tr_controller_hash(chain, model) == hash);
    }
}

TEST(a_missing_transition_is_reported) {
    OWN(tr_ensemble) *ensemble = sway_ensemble(model, 2);
    tr_transition_def def = quick();
    tr_transition_window window;
    tr_controller *chain = NULL, *afloat = NULL;
    tr_error error = {0};
    assert_int_equal(tr_controller_copy(squat, model, &afloat), TR_OK);
    for (int k = 0; k < tr_controller_bank(afloat)->fragment_count; k++)
        tr_controller_bank(afloat)->fragment[k].end.pose.root_pos.z += 1;
    def.to = afloat;
    assert_int_equal(tr_transition_learn(ensemble, &def, NULL, NULL, &chain, &window, &error),
                     TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "'stand' to 'squat'"));
    assert_null(chain);
    def.to = squat;
    def.windows = 0;
    assert_int_equal(tr_transition_learn(ensemble, &def, NULL, NULL, &chain, &window, &error),
                     TR_INVALID_ARGUMENT);
    tr_controller_destroy(afloat);
}

TEST(trials_lost_before_the_chain_do_not_count) {
    static const struct {
        int trials, came, held, failing;
        bool good;
    } row[] = {{60, 60, 60, 0, true},  {60, 60, 59, 0, false}, {60, 60, 59, 1, true},
               {60, 60, 58, 1, false}, {60, 59, 59, 0, true},  {60, 54, 54, 0, true},
               {60, 54, 53, 0, false}, {60, 53, 53, 1, false}, {60, 0, 0, 1, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        tr_transition_window window = {.trials = row[i].trials,
                                       .count = {.came = row[i].came, .held = row[i].held}};
        assert_int_equal(tr_transition_is_good(&window, row[i].failing), row[i].good);
    }
}
