#include "cmocka_test.h"

#include "learn/distil/distil.h"
#include "learn/graph/graph_bank.h"
#include "learn/method/work_file.h"
#include "learn/methods.h"
#include "stride.h"
#include "unit/learn/graph/two_skills.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PATH[] = "distil_test.checkpoint";

/* A training of a second: two rounds. */
static tr_distil_settings short_task(void) {
    tr_distil_settings s;
    tr_parameter_reset(&tr_distil_settings_table, &s);
    s.rounds = s.trials = s.test_trials = 2;
    s.hidden_units = 8;
    s.batch = 16;
    s.push_n = 20;
    return s;
}

/* The two skills, each fragment of which bends the waist against its lean. */
static tr_status create_by(const tr_method_def *def, tr_distil **out, tr_error *error) {
    void *work = *out;
    tr_status status = tr_method_create(&tr_distil_method, def, &work, error);
    *out = work;
    return status;
}

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
    if (create_by(&def, &distil, &error))
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
        assert_false(tr_distil_is_done(distil));
        advance(distil);
        assert_true(tr_distil_is_done(distil));
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

/* One round of distilling, and two tests while it learns from changes. */
static tr_distil_settings changing_task(void) {
    tr_distil_settings s = short_task();
    s.rounds = 1;
    s.trials = s.test_trials = 1;
    s.changes = 101;
    return s;
}

static uint64_t trained_hash(const tr_distil *distil) {
    return tr_network_hash(&distil->trained, 0);
}

/* Saves after `rounds` advances, loads into another, and runs both to the end. */
static void resume_after(int rounds, const tr_distil_settings *settings) {
    tr_distil *whole = create(settings, 1), *resumed = create(settings, 1);
    tr_work_bond bond = {0};
    tr_error error = {0};
    for (int i = 0; i < rounds; i++)
        advance(whole);
    const tr_work_file file = {&tr_distil_method, whole, &bond, NULL, NULL};
    assert_int_equal(tr_work_file_save(&file, PATH, &error), TR_OK);
    const tr_work_file again = {&tr_distil_method, resumed, &bond, NULL, NULL};
    assert_int_equal(tr_work_file_load(&again, PATH, &error), TR_OK);
    while (!tr_distil_is_done(whole))
        advance(whole);
    while (!tr_distil_is_done(resumed))
        advance(resumed);
    assert_int_equal(best_hash(resumed), best_hash(whole));
    assert_int_equal(trained_hash(resumed), trained_hash(whole));
    remove(PATH);
    tr_distil_destroy(whole);
    tr_distil_destroy(resumed);
}

TEST(a_resumed_training_ends_as_an_uninterrupted_one) {
    const tr_distil_settings settings = short_task(), changing = changing_task();
    resume_after(1, &settings);
    resume_after(2, &changing);
}

TEST(the_network_learns_from_changes_on_any_number_of_threads) {
    tr_distil_settings settings = changing_task();
    uint64_t hash[2];
    settings.changes = 14;
    for (int i = 0; i < 2; i++) {
        tr_distil *distil = create(&settings, 1 + 2 * i);
        advance(distil);
        const uint64_t distilled = trained_hash(distil);
        assert_false(tr_distil_is_done(distil));
        advance(distil);
        assert_true(tr_distil_is_done(distil));
        assert_int_equal(distil->changes.done, 14);
        hash[i] = trained_hash(distil);
        assert_int_not_equal(hash[i], distilled);
        tr_distil_destroy(distil);
    }
    assert_int_equal(hash[0], hash[1]);
}

/* How many fragments 40 trials with noise, pushes and changes last. */
static int count_fragments(tr_distil *distil) {
    const tr_roll_out_changes changes = {0.07, 0.5, &distil->changes.critic,
                                         distil->changes.failed};
    const tr_roll_out_def def = {.acts = distil->student,
                                 .teacher = distil->teacher,
                                 .cycles = distil->follower,
                                 .trials = 20,
                                 .trial_s = 6,
                                 .push_n = 200,
                                 .pushed_share = 0.4,
                                 .changes = &changes,
                                 .noise_rad = 0.06,
                                 .seed = 77};
    tr_roll_out_step *step = NULL;
    int count = 0;
    assert_int_equal(tr_roll_out(distil->ensemble, &def, &step, &count), TR_OK);
    free(step);
    return count;
}

/* Others run this code under a sanitizer; that it helps the release build shows. */
TEST(trials_last_longer_after_learning_from_changes) {
    if (suite_stride(2) > 1)
        skip();
    tr_distil_settings settings = changing_task();
    settings.trials = 4;
    settings.changes = 50;
    tr_distil *distil = create(&settings, 1);
    advance(distil);
    const int before = count_fragments(distil);
    advance(distil);
    assert_true(count_fragments(distil) > before);
    tr_distil_destroy(distil);
}

/* The states that four trials of each skill note, half of them on slopes or not; to be freed. */
static tr_roll_out_step *note_on(const tr_distil *distil, double slope_deg, int *count) {
    const tr_harden_ground ground = {.share = 0.5, .slope_deg = slope_deg};
    const tr_roll_out_def def = {.acts = distil->student,
                                 .teacher = distil->teacher,
                                 .trials = 4,
                                 .trial_s = 0.2,
                                 .ground = slope_deg > 0 ? &ground : NULL,
                                 .seed = 5};
    tr_roll_out_step *step = NULL;
    assert_int_equal(tr_roll_out(distil->ensemble, &def, &step, count), TR_OK);
    return step;
}

/* How far states are off the cycles, as the mean square of what the network sees. */
static double square_of(const tr_distil *distil, const tr_roll_out_step *step, int count) {
    float off[TR_FEATURE_COUNT];
    double sum = 0;
    for (int n = 0; n < count; n++) {
        tr_roll_out_deviation(distil->follower, step[n].at.fragment, step[n].at.state, off);
        for (int i = 0; i < TR_FEATURE_COUNT; i++)
            sum += (double)off[i] * (double)off[i] / count;
    }
    return sum;
}

TEST(every_second_trial_is_on_a_slope_and_seen_from_it) {
    const tr_distil_settings settings = short_task();
    tr_distil *distil = create(&settings, 1);
    int count[3];
    tr_roll_out_step *level = note_on(distil, 0, &count[0]),
                     *sloped = note_on(distil, 6, &count[1]),
                     *after = note_on(distil, 0, &count[2]);
    assert_int_equal(count[0], count[1]);
    int same = 0;
    for (int n = 0; n < count[0]; n++)
        same += memcmp(level[n].at.state, sloped[n].at.state, sizeof level[n].at.state) == 0;
    assert_int_equal(same, count[0] / 2);
    /* Heights are those above the slope, which lies 20 m above the plane: seen from there a state
     * differs by the slope alone. */
    assert_true(square_of(distil, sloped, count[1]) < square_of(distil, level, count[0]) + 50);
    /* The worlds have their plane again. */
    assert_int_equal(count[2], count[0]);
    assert_memory_equal(after, level, (size_t)count[0] * sizeof *level);
    free(level);
    free(sloped);
    free(after);
    tr_distil_destroy(distil);
}

TEST(changes_are_tested_on_slopes) {
    const tr_distil_settings settings = short_task();
    tr_distil *distil = create(&settings, 1);
    tr_switch_result level, sloped, after;
    tr_switch_test test = {distil->follower, NULL, 4, 1, 0, 5};
    assert_int_equal(tr_switch_test_run(distil->ensemble, distil->teacher, &test, &level), TR_OK);
    test.slope_deg = 40;
    assert_int_equal(tr_switch_test_run(distil->ensemble, distil->teacher, &test, &sloped), TR_OK);
    assert_int_equal(sloped.held, 0);
    test.slope_deg = 0;
    assert_int_equal(tr_switch_test_run(distil->ensemble, distil->teacher, &test, &after), TR_OK);
    assert_true(level.held > 0);
    assert_memory_equal(&after, &level, sizeof level);
    tr_distil_destroy(distil);
}

/* A level stage comes first; then the slopes are tested too. */
TEST(slopes_follow_the_level_rounds) {
    tr_distil_settings settings = changing_task();
    settings.changes = 14;
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        settings.slope_deg = i > 0 ? 6 : 0;
        settings.level_changes = i == 1 ? 14 : 13;
        tr_distil *distil = create(&settings, 1);
        advance(distil);
        advance(distil);
        assert_int_equal(distil->test.sloped.trials > 0, i == 2);
        hash[i] = trained_hash(distil);
        tr_distil_destroy(distil);
    }
    assert_int_equal(hash[1], hash[0]);
    assert_int_not_equal(hash[2], hash[0]);
}

TEST(a_change_begins_where_the_gait_is_most_alike) {
    const tr_distil_settings settings = short_task();
    tr_distil *distil = create(&settings, 1);
    const tr_graph_node *node = &tr_graph_of(distil->student)->node[1];
    for (int f = node->first; f < node->first + node->count; f++) {
        tr_features there = {0};
        memcpy(there.s, distil->follower->mean[f], sizeof there.s);
        const tr_cue cue = tr_switch_entry(distil->follower, NULL, node, &there, NULL);
        assert_true(cue.given);
        assert_false(cue.mirrored);
        assert_int_equal(cue.entry, f);
    }
    tr_distil_destroy(distil);
}

TEST(a_change_begins_where_the_critic_values_it) {
    tr_distil_settings settings = changing_task();
    tr_distil *distil = create(&settings, 1);
    const tr_graph_node *node = &tr_graph_of(distil->student)->node[1];
    const tr_network *critic = &distil->changes.critic;
    const tr_features seen = {.s = {0.1, -0.2, 0.3}};
    const tr_cue cue = tr_switch_entry(distil->follower, critic, node, &seen, NULL);
    float value, most = -INFINITY, deviation[TR_FEATURE_COUNT];
    int best = -1;
    for (int f = node->first; f < node->first + node->count; f++) {
        tr_follower_deviation(distil->follower, f, &seen, deviation);
        tr_follower_evaluate(distil->follower, critic, f, deviation, &value);
        best = value > most ? f : best;
        most = value > most ? value : most;
    }
    assert_int_equal(cue.entry, best);
    tr_distil_destroy(distil);
}

TEST(trials_begin_where_changes_fail) {
    tr_distil_settings settings = changing_task();
    tr_distil *distil = create(&settings, 1);
    memset(distil->changes.failed, 0, sizeof distil->changes.failed);
    distil->changes.failed[1][0] = 1;
    const tr_roll_out_changes changes = {0, 0, NULL, distil->changes.failed};
    const tr_roll_out_def def = {.acts = distil->student,
                                 .teacher = distil->teacher,
                                 .cycles = distil->follower,
                                 .changes = &changes,
                                 .trials = 50,
                                 .trial_s = 0.1,
                                 .seed = 3};
    tr_roll_out_step *step = NULL;
    int count = 0, began[2] = {0};
    assert_int_equal(tr_roll_out(distil->ensemble, &def, &step, &count), TR_OK);
    for (int i = 0; i < count; i++)
        if (step[i].at.since == 0)
            began[tr_control_graph_node_of(tr_graph_of(distil->student), step[i].at.fragment)]++;
    free(step);
    assert_int_equal(began[0] + began[1], 100);
    assert_in_range(began[1], 60, 85);
    tr_distil_destroy(distil);
}

/* A graph with ways as the teacher, of which the network performs one skill. */
TEST(a_graph_keeps_all_but_its_gaits) {
    two_skills_tale tale = {0};
    tr_controller *graph = two_skills_build(1, &tale);
    tr_control_graph *before = tr_graph_of(graph);
    for (int f = 0; f < before->bank.fragment_count; f++)
        before->bank.fragment[f].policy.m[0][0] = 0.001;
    tr_method_part part = {"both", graph, two_skills_model};
    const tr_method_given parts = {.part = &part, .part_count = 1};
    tr_distil_settings settings = short_task();
    const tr_method_def def = {.model = two_skills_model,
                               .settings = &settings,
                               .given = &parts,
                               .name = "whole",
                               .threads = 1};
    tr_distil *distil = NULL;
    tr_error error = {0};
    strcpy(settings.gaits, "nod,wave");
    assert_int_equal(create_by(&def, &distil, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "gaits 'nod,wave'"));
    strcpy(settings.gaits, "nod");
    if (create_by(&def, &distil, &error))
        fail_msg("%s", error.message);
    advance(distil);
    const tr_controller *whole = tr_distil_show_best(distil);
    assert_int_equal(tr_controller_check(whole, two_skills_model, NULL), TR_OK);
    const tr_control_graph *after = tr_graph_of(whole);
    assert_int_equal(after->edge_count, before->edge_count);
    const tr_follower *follower = whole->driver.content;
    for (int f = 0; f < before->bank.fragment_count; f++) {
        const bool nods = f >= before->node[1].first;
        assert_int_equal(follower->known[f].known, nods);
        assert_int_equal(follower->known[f].settles, nods);
        assert_memory_equal(&before->bank.fragment[f].policy, &after->bank.fragment[f].policy,
                            sizeof(tr_policy));
    }
    /* Its weights are stored with 11 bits. */
    for (size_t i = 0; i < tr_network_weight_count(&follower->network); i++) {
        uint32_t bits;
        memcpy(&bits, &follower->network.weight[i], sizeof bits);
        assert_int_equal(bits & 0x1fff, 0);
        assert_true(fabsf(follower->network.weight[i] - distil->best.weight[i]) <=
                    0x1p-11F * fabsf(distil->best.weight[i]));
    }
    /* What the network knows of a gait, and does there, is what it was trained with. */
    const tr_control_graph *trained = tr_graph_of(distil->student);
    for (int f = 0; f < trained->bank.fragment_count; f++) {
        const tr_follower_known *known = &distil->follower->known[f];
        const int whole_f = before->node[1].first + f;
        assert_false(known->settles);
        assert_memory_equal(follower->known[whole_f].reference, known->reference,
                            sizeof known->reference);
        assert_memory_equal(follower->known[whole_f].still, known->still, sizeof known->still);
        assert_memory_equal(follower->usual[whole_f], trained->bank.fragment[f].policy.offset,
                            sizeof *follower->usual);
    }
    tr_distil_destroy(distil);
    tr_controller_destroy(graph);
}

TEST(a_graph_of_too_many_gaits_is_refused) {
    enum { MANY = TR_ROLL_OUT_SKILL_MAX + 1 };
    tr_controller *gait[MANY], *graph = NULL;
    char name[] = "gait-00";
    for (int n = 0; n < MANY; n++) {
        assert_int_equal(tr_controller_copy(two_skills[0], two_skills_model, &gait[n]), TR_OK);
        snprintf(name, sizeof name, "gait-%02d", n);
        strcpy(gait[n]->skill, name);
    }
    const tr_graph_bank_def bank = {
        .name = "many", .skill = (const tr_controller *const *)gait, .skill_count = MANY};
    assert_int_equal(tr_graph_bank_create(two_skills_model, &bank, &graph, NULL), TR_OK);
    tr_method_part part = {"many", graph, two_skills_model};
    const tr_method_given parts = {.part = &part, .part_count = 1};
    const tr_distil_settings settings = short_task();
    const tr_method_def def = {
        .model = two_skills_model, .settings = &settings, .given = &parts, .name = "many"};
    tr_distil *distil = NULL;
    tr_error error = {0};
    assert_int_equal(create_by(&def, &distil, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "at most 64 skills of 'many'"));
    tr_controller_destroy(graph);
    for (int n = 0; n < MANY; n++)
        tr_controller_destroy(gait[n]);
}

/* Before there is a critic, its changes count as those to the nearest entries. */
TEST(networks_of_both_stages_are_scored_alike) {
    const tr_distil_settings settings = changing_task();
    tr_distil *distil = create(&settings, 1);
    advance(distil);
    const tr_distil_test *t = &distil->test;
    const double score = (double)t->held / t->trials + (double)t->pushed / t->push_trials +
                         2.0 * t->switches.held / t->switches.trials;
    assert_true(fabs(distil->progress.best_score - score) < 1e-12);
    tr_distil_destroy(distil);
}

TEST(sudden_changes_are_counted_by_pairs) {
    const tr_distil_settings settings = short_task();
    tr_distil *distil = create(&settings, 1);
    tr_switch_result result;
    const tr_switch_test test = {distil->follower, NULL, 2, 1, 0, 5};
    assert_int_equal(tr_switch_test_run(distil->ensemble, distil->teacher, &test, &result), TR_OK);
    assert_int_equal(result.trials, 4);
    assert_int_equal(result.held, result.survived[0][1] + result.survived[1][0]);
    tr_distil_destroy(distil);
}

SUITE_FIXTURE(two_skills_load, two_skills_unload);
