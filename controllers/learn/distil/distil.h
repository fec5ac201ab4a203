/* Distilling: one network learns to do what several controllers do, each with its own gait.
 *
 *   before:     the gaits become skills of a graph, and where each usually is, is measured; gaits of one
 *               graph are taken out of it, and the result is that graph with the network around it
 *   each round: trials with pushes are noted with what the teacher would do (roll_out.h); in the first
 *               the teachers act, later the network does (DAgger, Ross et al. 2011);
 *               the network is fitted to all that was noted so far, so that
 *               f(d, r) - f(0, r) is the teacher's action less its mean on the cycle (follower.h);
 *               it is tested, and the best network is kept
 * then:       if it is asked for, the network is trained through changes of gait (changes.h)
 *
 * Deterministic, whatever the number of threads. */
#pragma once

#include "control/network/follower.h"
#include "learn/distil/changes.h"
#include "learn/distil/distil_settings.h"
#include "learn/distil/roll_out.h"
#include "learn/distil/switch_test.h"
#include "learn/method/method.h"
#include "learn/schedule/network_fit.h"

enum { TR_DISTIL_SAMPLE_MAX = 4000000 };

/* held, pushed: of `trials`; switches: entered where the gait is most alike; valued: where the critic says,
 * once there is one; sloped: on slopes too, once it learns there */
typedef struct tr_distil_test {
    int trials, held, pushed, push_trials;
    tr_switch_result switches, valued, sloped;
} tr_distil_test;

/* Kept by checkpoints. error: mean square of what the network misses, in units of `scale` */
typedef struct tr_distil_progress {
    int round, sample_count;
    double error, best_score;
    float scale[TR_ACTION_MAX]; /* spread of the teachers' actions about their means */
} tr_distil_progress;

/* teacher: a graph without edges of all teachers; student: the same with the network for the policies
 * whole:   the graph that was given, with the network around it; NULL: gaits were given
 * action:  [fragment_count], the teachers' mean actions on their cycles, rad
 * trained: the network, with outputs in units of `scale`, in rad once it learns from changes; fit: of
 *          it until then; sample: [progress.sample_count] */
typedef struct tr_distil {
    const tr_model *model;
    tr_distil_settings settings;
    tr_ensemble *ensemble;
    tr_controller *teacher, *student, *whole;
    tr_follower *follower;
    double (*action)[TR_ACTION_MAX];
    tr_network trained, best;
    tr_network_fit fit;
    tr_changes changes;
    tr_roll_out_sample *sample;
    tr_distil_progress progress;
    tr_distil_test test; /* of the last round */
} tr_distil;

/* As the method's row has them (learn/method/method.h). */
tr_status tr_distil_begin(const tr_method_def *def, void *distil, tr_error *error) TR_NODISCARD;
void tr_distil_destroy(void *distil);
bool tr_distil_is_done(const void *distil);

/* Does the next round, or some rounds through changes. *out_best: better than all before. */
tr_status tr_distil_advance(tr_distil *distil, bool *out_best, tr_error *error) TR_NODISCARD;

/* Tests the student, or the teachers. */
tr_status tr_distil_examine(const tr_distil *distil, const tr_controller *who,
                            tr_distil_test *out) TR_NODISCARD;

/* Puts the best network into the student, and into `whole`; returns the result. */
const tr_controller *tr_distil_show_best(tr_distil *distil);
