#include "cmocka_test.h"

#include "learn/train/timetable.h"
#include "unit/defaults.h"
#include "unit/learn/near.h"

#include <math.h>

static tr_training_record record;

static tr_learn_parameters plan(int refine, int guide, int harden) {
    tr_learn_parameters p = DEFAULTS(tr_learn_parameters, tr_learn_parameter_table);
    p.paired = 0;
    p.refine_rounds = refine;
    p.iterations = guide;
    p.harden_rounds = harden;
    record.row_count = 0;
    return p;
}

static void done(tr_training_phase phase, bool kept, double push95_n) {
    record.row[record.row_count++] =
        (tr_training_row){.phase = phase, .kept = kept, .push95_n = push95_n};
}

/* The phases of the rows to the end, none kept: a letter each. */
static const char *run(const tr_learn_parameters *p) {
    static char text[TR_TRAINING_ROW_MAX + 1];
    tr_training_phase phase;
    int iteration, count = 0, last[3] = {0};
    while (tr_timetable_next(p, &record, &phase, &iteration)) {
        assert_int_equal(iteration, ++last[phase]);
        assert_true(tr_timetable_rows(p, &record) > record.row_count);
        text[count++] = "rgh"[phase];
        done(phase, false, (double)NAN);
    }
    text[count] = 0;
    assert_int_equal(tr_timetable_rows(p, &record), record.row_count);
    return text;
}

TEST(rows_come_in_order) {
    tr_learn_parameters p = plan(2, 3, 4);
    assert_int_equal(tr_timetable_rows(&p, &record), 9);
    assert_string_equal(run(&p), "rrggghhhh");
    p = plan(0, 0, 2);
    assert_string_equal(run(&p), "hh");
    p = plan(0, 0, 0);
    assert_string_equal(run(&p), "");
}

TEST(rows_without_gain_end_a_phase) {
    tr_learn_parameters p = plan(3, 9, 9);
    p.stop_after = 2; /* refinement is never in vain */
    assert_string_equal(run(&p), "rrrgghh");

    p = plan(0, 9, 9);
    p.stop_after = 2;
    done(TR_TRAINING_GUIDE, false, (double)NAN);
    done(TR_TRAINING_GUIDE, true, 20);
    done(TR_TRAINING_GUIDE, false, 20);
    assert_int_equal(tr_timetable_rows(&p, &record), 18);
    done(TR_TRAINING_GUIDE, false, 0);
    assert_int_equal(tr_timetable_rows(&p, &record), 13);
    done(TR_TRAINING_HARDEN, false, 20);
    done(TR_TRAINING_HARDEN, true, 40);
    done(TR_TRAINING_HARDEN, false, 40);
    tr_training_phase phase;
    int iteration = 0;
    assert_true(tr_timetable_next(&p, &record, &phase, &iteration));
    assert_int_equal(phase, TR_TRAINING_HARDEN);
    assert_int_equal(iteration, 4);
    done(TR_TRAINING_HARDEN, false, 40);
    assert_false(tr_timetable_next(&p, &record, &phase, &iteration));
}

TEST(a_push_survived_is_enough) {
    tr_learn_parameters p = plan(1, 4, 4);
    p.stop_at_n = 120;
    done(TR_TRAINING_REFINE, false, (double)NAN);
    done(TR_TRAINING_GUIDE, true, 100);
    assert_int_equal(tr_timetable_rows(&p, &record), 9);
    done(TR_TRAINING_GUIDE, true, 120);
    /* It does not hold undisturbed. */
    assert_int_equal(tr_timetable_rows(&p, &record), 9);
    record.row[record.row_count - 1].undisturbed_s = p.test_cap_s;
    assert_int_equal(tr_timetable_rows(&p, &record), 3);
    assert_near(tr_timetable_share(&p, &record, 4, false), 1, 0);
    p.stop_at_n = 0;
    assert_int_equal(tr_timetable_rows(&p, &record), 9);
}

TEST(the_share_counts_samples) {
    tr_learn_parameters p = plan(1, 2, 0);
    p.refine_visits = 10;
    p.refine_samples = 100;
    p.visits = 10;
    p.first_samples = 200;
    p.samples = 100;
    assert_near(tr_timetable_share(&p, &record, 4, false), 0, 0);
    done(TR_TRAINING_REFINE, false, (double)NAN);
    assert_near(tr_timetable_share(&p, &record, 4, false), 0.25, 1e-12);
    assert_near(tr_timetable_share(&p, &record, 4, true), 1.0 / 3, 1e-12);
    done(TR_TRAINING_GUIDE, true, 0);
    assert_near(tr_timetable_share(&p, &record, 4, false), 0.75, 1e-12);
}

/* Adds a row to a training that adapts; its best controller holds for `undisturbed_s`. */
static void tested(tr_training_phase phase, bool kept, double undisturbed_s, double push95_n) {
    done(phase, kept, push95_n);
    record.row[record.row_count - 1].undisturbed_s = undisturbed_s;
}

TEST(pushes_grow_with_the_survived_force) {
    tr_learn_parameters p = plan(0, 1, 9);
    p.harden_push_n = 100;
    assert_near(tr_timetable_push(&p, &record), 100, 0);
    p.adapt = 1;
    tested(TR_TRAINING_GUIDE, true, 12, (double)NAN); /* of 60: it does not hold */
    assert_near(tr_timetable_push(&p, &record), 20, 0);
    tested(TR_TRAINING_HARDEN, true, 60, 0);
    assert_near(tr_timetable_push(&p, &record), 20, 0);
    tested(TR_TRAINING_HARDEN, true, 60, 40);
    assert_near(tr_timetable_push(&p, &record), 60, 0);
    tested(TR_TRAINING_HARDEN, false, 60, 20);
    assert_near(tr_timetable_push(&p, &record), 60, 0);
    tested(TR_TRAINING_HARDEN, true, 60, 80);
    assert_near(tr_timetable_push(&p, &record), 100, 0);
}

TEST(trials_are_doubled_in_vain) {
    tr_learn_parameters p = plan(0, 1, 9);
    p.adapt = 1;
    tested(TR_TRAINING_GUIDE, true, 60, 20);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tr_timetable_trials(&p, &record), p.harden_trials);
        tested(TR_TRAINING_HARDEN, false, 60, 20);
    }
    assert_int_equal(tr_timetable_trials(&p, &record), 2 * p.harden_trials);
    tested(TR_TRAINING_HARDEN, true, 60, 40);
    assert_int_equal(tr_timetable_trials(&p, &record), p.harden_trials);
    p.adapt = 0;
    assert_int_equal(tr_timetable_trials(&p, &record), p.harden_trials);
}

/* Five rounds that do not hold are followed by one more iteration; those that hold are not. */
TEST(what_does_not_hold_is_guided_again) {
    tr_learn_parameters p = plan(1, 1, 9);
    p.adapt = 1;
    assert_string_equal(run(&p), "rghhhhhghhhh");
    p = plan(0, 1, 9);
    p.adapt = 1;
    tested(TR_TRAINING_GUIDE, true, 60, 20);
    tr_training_phase phase;
    int iteration, guided = 0;
    while (tr_timetable_next(&p, &record, &phase, &iteration)) {
        guided += phase == TR_TRAINING_GUIDE;
        tested(phase, false, 60, 20);
    }
    assert_int_equal(guided, 0);
}
