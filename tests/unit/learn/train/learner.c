#include "cmocka_test.h"

#include "control/parts/state_distance.h"
#include "learn/method/work_file.h"
#include "learn/train/learner.h"
#include "model/mjcf.h"
#include "unit/learn/near.h"
#include "unit/learn/sway.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SUITE_OWN(tr_model, model);
SUITE_OWN(tr_motion, motion);
static char path[] = "/tmp/troupe-checkpoint-XXXXXX";

FIXTURE(load) {
    model = sway_model();
    motion = sway_motion(model, true);
    int file = mkstemp(path);
    assert_int_equal(file < 0 || close(file) != 0, 0);
}

FIXTURE(unload) {
    assert_int_equal(unlink(path), 0);
}

static tr_learner *learner_with(int threads) {
    tr_learner_def def = {.model = model,
                          .motion = motion,
                          .name = "sway",
                          .parameters = sway_parameters(),
                          .threads = threads};
    tr_learner *learner = NULL;
    tr_error error = {0};
    if (tr_learner_create(&def, &learner, &error))
        fail_msg("%s", error.message);
    return learner;
}

static void advance(tr_learner *learner, int rows) {
    for (int i = 0; i < rows; i++) {
        tr_error error = {0};
        if (tr_learner_advance(learner, &error))
            fail_msg("%s", error.message);
    }
}

static uint64_t learned(const tr_learner *learner) {
    return tr_controller_hash(tr_learner_best(learner), model);
}

static void check_record(const tr_training_record *record) {
    assert_int_equal(record->row_count, 5);
    int kept = 0;
    for (int i = 0; i < 4; i++) {
        const tr_training_row *row = &record->row[i];
        assert_int_equal(row->phase, i < 2 ? TR_TRAINING_REFINE : TR_TRAINING_GUIDE);
        assert_int_equal(row->iteration, i % 2 + 1);
        assert_true(isfinite(row->cost) && row->cost > 0);
        assert_int_equal(isfinite(row->undisturbed_s), i >= 2);
        kept += row->kept;
    }
    assert_true(record->row[2].kept && kept >= 1);
    assert_near(record->row[2].push_train_n, 0, 0);
    assert_near(record->row[3].push_train_n, 20, 1e-12);
    assert_int_equal(record->row[4].phase, TR_TRAINING_HARDEN);
    assert_int_equal(record->row[4].iteration, 1);
    assert_near(record->row[4].push_train_n, 40, 1e-12);
    assert_true(record->row[4].cost > 0 && isfinite(record->row[4].undisturbed_s));
}

/* Figure 6 of the paper: the time resisted after each iteration. Measuring it does not change the
 * training. */
TEST(the_learning_curve_is_measured_when_asked_for) {
    uint64_t hash[2];
    for (int trials = 0; trials <= 2; trials += 2) {
        tr_learner_def def = {.model = model,
                              .motion = motion,
                              .name = "sway",
                              .parameters = sway_parameters(),
                              .threads = 2};
        def.parameters.iterations = 1;
        def.parameters.harden_rounds = 0;
        def.parameters.test_resist_trials = trials;
        OWN(tr_learner) *learner = NULL;
        assert_int_equal(tr_learner_create(&def, &learner, NULL), TR_OK);
        advance(learner, 3);
        const tr_training_row *row = learner->progress.record.row;
        assert_true(isnan(row[1].resist_s));
        assert_true(trials == 0 ? isnan(row[2].resist_s) : row[2].resist_s > 0.1);
        hash[trials / 2] = learned(learner);
    }
    assert_true(hash[0] == hash[1]);
}

static void list(void *learner, tr_blocks *blocks) {
    tr_learner_list(learner, blocks);
}

static const tr_method method = {.name = "chain", .list = list};
static const tr_work_bond bond = {.method = "chain"};

static tr_status save(tr_learner *learner, tr_error *error) {
    return tr_work_file_save(&(tr_work_file){&method, learner, &bond, NULL, NULL}, path, error);
}

static tr_status resume(tr_learner *learner, tr_error *error) {
    return tr_work_file_load(&(tr_work_file){&method, learner, &bond, NULL, NULL}, path, error);
}

/* On other numbers of threads, too. */
TEST(each_row_is_recorded_and_an_interrupted_training_ends_the_same) {
    tr_error error = {0};
    OWN(tr_learner) *straight = learner_with(3);
    const uint64_t open_loop = learned(straight);
    assert_near(tr_learner_share(straight), 0, 0);
    assert_int_equal(tr_learner_rows(straight), 5);
    advance(straight, 5);
    assert_near(tr_learner_share(straight), 1, 1e-12);
    assert_true(learned(straight) != open_loop);
    check_record(&straight->progress.record);
    assert_int_equal(tr_learner_advance(straight, NULL), TR_OUT_OF_RANGE);
    for (int stop = 1; stop <= 4; stop += 3) {
        tr_learner *first = learner_with(1), *second = learner_with(2);
        advance(first, stop);
        assert_int_equal(save(first, &error), TR_OK);
        tr_learner_destroy(first);
        assert_int_equal(resume(second, &error), TR_OK);
        assert_int_equal(tr_learner_done(second), stop);
        advance(second, 5 - stop);
        assert_true(learned(second) == learned(straight));
        tr_learner_destroy(second);
    }
}

TEST(learning_continues_a_controller) {
    tr_learner *first = learner_with(2), *second = NULL;
    advance(first, 3);
    tr_learner_def def = {.model = model,
                          .motion = motion,
                          .name = "sway on",
                          .parameters = sway_parameters(),
                          .from = tr_learner_best(first),
                          .threads = 2};
    tr_error error = {0};
    assert_int_equal(tr_learner_create(&def, &second, &error), TR_INVALID_ARGUMENT);
    assert_null(second); /* for refinement would undo it */
    def.parameters.refine_rounds = 0;
    def.parameters.gain_set[0] = 'b';
    assert_int_equal(tr_learner_create(&def, &second, &error), TR_INVALID_ARGUMENT);
    def.parameters.gain_set[0] = 'a';
    assert_int_equal(tr_learner_create(&def, &second, &error), TR_OK);
    assert_true(learned(second) == learned(first));
    assert_string_equal(tr_learner_best(second)->name, "sway on");
    advance(second, 1);
    assert_int_equal(second->progress.record.row[0].phase, TR_TRAINING_GUIDE);
    tr_learner_destroy(second);

    /* From the mean state, when that is asked for. */
    def.parameters.spawn_mean = 1;
    assert_int_equal(tr_learner_create(&def, &second, &error), TR_OK);
    const tr_controller *mean = tr_learner_best(second), *typical = tr_learner_best(first);
    assert_true(tr_state_distance(model, &mean->spawn,
                                  &tr_controller_bank(mean)->fragment[0].start) < 1e-6);
    assert_true(tr_state_distance(model, &mean->spawn, &typical->spawn) > 1e-3);
    tr_learner_destroy(first);
    tr_learner_destroy(second);
}

/* A round of hardening on the swaying, judged by a push test whose score tells candidates apart. */
static tr_training_row round_with(int adapt, int averaged, uint64_t *out_hash) {
    tr_learner_def def = {.model = model,
                          .motion = motion,
                          .name = "sway",
                          .parameters = sway_parameters(),
                          .threads = 1};
    tr_learn_parameters *p = &def.parameters;
    p->iterations = 0;
    p->harden_updates = 4;
    p->adapt = adapt;
    p->harden_averaged = averaged;
    p->adapt_push_n = p->harden_push_n;
    OWN(tr_learner) *learner = NULL;
    assert_int_equal(tr_learner_create(&def, &learner, NULL), TR_OK);
    advance(learner, 3);
    tr_training_row row = learner->progress.record.row[2];
    assert_true(row.kept);
    *out_hash = learned(learner);
    return row;
}

static bool is_at_least(const tr_training_row *a, const tr_training_row *b) {
    return a->undisturbed_s >= b->undisturbed_s && !(a->push95_n < b->push95_n);
}

/* The better of the last update and the mean of the last ones on the same seeds. */
TEST(an_adaptive_round_has_two_candidates) {
    uint64_t last_hash, mean_hash, better_hash;
    tr_training_row last = round_with(1, 0, &last_hash), mean = round_with(0, 3, &mean_hash);
    tr_training_row better = round_with(1, 3, &better_hash);
    assert_true(last_hash != mean_hash);
    assert_true(better_hash == last_hash || better_hash == mean_hash);
    assert_true(is_at_least(&better, &last) && is_at_least(&better, &mean));
}

/* While the learner is created, not when hardening begins. */
TEST(contradicting_parameters_are_reported) {
    static const struct {
        const char *name, *value;
    } wrong[] = {{"harden_best", "5"}, {"harden_averaged", "2"}, {"harden_first", "1"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tr_learner_def def = {.model = model,
                              .motion = motion,
                              .name = "sway",
                              .parameters = sway_parameters(),
                              .threads = 1};
        tr_learner *learner = NULL;
        tr_error error = {0};
        assert_int_equal(tr_parameter_set(&tr_learn_parameter_table, &def.parameters, wrong[i].name,
                                          wrong[i].value, &error),
                         TR_OK);
        assert_int_equal(tr_learner_create(&def, &learner, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, wrong[i].name));
        assert_null(learner);
    }
}

SUITE_FIXTURE(load, unload);
