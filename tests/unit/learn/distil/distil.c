#include "cmocka_test.h"

#include "learn/distil/distil.h"
#include "learn/method/work_file.h"
#include "learn/methods.h"
#include "unit/learn/graph/two_skills.h"

#include <stdio.h>

static const char PATH[] = "distil_test.checkpoint";

/* A training of a second: two rounds. */
static tr_distil_settings short_task(void) {
    tr_distil_settings s;
    tr_parameter_reset(&tr_distil_settings_table, &s);
    s.rounds = s.trials = s.test_trials = 2;
    s.hidden_units = 8;
    s.batch = 16;
    s.push_n = 20;
    s.ways = 4;
    return s;
}

/* The two skills, each fragment of which bends the waist against its lean. */
static tr_distil *create(const tr_distil_settings *settings, int threads) {
    tr_method_part part[2] = {{"stand", two_skills[0], two_skills_model},
                              {"nod", two_skills[1], two_skills_model}};
    const tr_method_given parts = {.part = part, .part_count = 2};
    const tr_method_def def = {.model = two_skills_model,
                               .settings = settings,
                               .given = &parts,
                               .name = "both",
                               .threads = threads};
    tr_distil *distil = NULL;
    tr_error error = {0};
    if (tr_distil_create(&def, &distil, &error))
        fail_msg("%s", error.message);
    return distil;
}

static bool advance(tr_distil *distil) {
    bool best = false;
    tr_error error = {0};
    if (tr_distil_advance(distil, &best, &error))
        fail_msg("%s", error.message);
    return best;
}

static uint64_t best_hash(tr_distil *distil) {
    tr_distil_show_best(distil);
    return tr_controller_hash(distil->student, two_skills_model);
}

TEST(the_network_learns_and_holds_on_any_number_of_threads) {
    const tr_distil_settings settings = short_task();
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        tr_distil *distil = create(&settings, 1 + 2 * i);
        assert_true(advance(distil));
        assert_int_equal(distil->test.held, distil->test.trials);
        advance(distil);
        assert_false(tr_distil_is_done(distil));
        advance(distil);
        assert_true(tr_distil_is_done(distil));
        assert_true(tr_graph_of(distil->student)->edge_count >= 2); /* both skills stand */
        assert_true(distil->progress.sample_count > 100);
        hash[i] = best_hash(distil);
        assert_int_equal(tr_controller_check(distil->student, two_skills_model, NULL), TR_OK);
        tr_distil_destroy(distil);
    }
    assert_int_equal(hash[0], hash[1]);
}

TEST(faster_learning_misses_less) {
    tr_distil_settings settings = short_task();
    double error[2];
    for (int i = 0; i < 2; i++) {
        settings.rounds = 1;
        settings.rate = i ? 0.01 : 1e-6;
        tr_distil *distil = create(&settings, 1);
        advance(distil);
        error[i] = distil->progress.error;
        tr_distil_destroy(distil);
    }
    assert_true(error[1] < 0.8 * error[0]);
}

TEST(a_resumed_training_ends_as_an_uninterrupted_one) {
    const tr_distil_settings settings = short_task();
    tr_distil *whole = create(&settings, 1), *resumed = create(&settings, 1);
    tr_work_bond bond = {0};
    tr_error error = {0};
    advance(whole);
    const tr_work_file file = {&tr_distil_method, whole, &bond, NULL, NULL};
    assert_int_equal(tr_work_file_save(&file, PATH, &error), TR_OK);
    advance(whole);
    const tr_work_file again = {&tr_distil_method, resumed, &bond, NULL, NULL};
    assert_int_equal(tr_work_file_load(&again, PATH, &error), TR_OK);
    advance(resumed);
    advance(whole);
    advance(resumed);
    assert_int_equal(best_hash(resumed), best_hash(whole));
    remove(PATH);
    tr_distil_destroy(whole);
    tr_distil_destroy(resumed);
}

TEST(sudden_changes_are_counted_by_pairs) {
    const tr_distil_settings settings = short_task();
    tr_distil *distil = create(&settings, 1);
    tr_switch_result result;
    const tr_switch_test test = {distil->follower, 2, 1, 5};
    assert_int_equal(tr_switch_test_run(distil->ensemble, distil->teacher, &test, &result), TR_OK);
    assert_int_equal(result.pairs, 2);
    assert_int_equal(result.trials, 4);
    assert_int_equal(result.held, result.survived[0][1] + result.survived[1][0]);
    tr_distil_destroy(distil);
}

SUITE_FIXTURE(two_skills_load, two_skills_unload);
