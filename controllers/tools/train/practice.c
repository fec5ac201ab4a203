#include "tools/train/practice.h"

#include "learn/ranks/ranks.h"
#include "learn/train/checkpoint.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/progress.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- Ctrl-C ---- */

static volatile sig_atomic_t stopped;

/* The first press ends the training after its round; the handler is gone then, so that a second one
 * ends the program. */
static void stop(int signal) {
    (void)signal;
    stopped = 1;
}

static void catch_stop(struct sigaction *before) {
    struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    stopped = 0;
    sigaction(SIGINT, &action, before);
}

/* The signal reaches the ranks of a job at different times, if it reaches all. */
static bool is_stopped(void) {
    return tr_ranks_sum(stopped) > 0;
}

/* ---- Rows ---- */

static void print_value(const char *label, double value, const char *unit) {
    if (isfinite(value))
        printf("  %s %.4g%s", label, value, unit);
}

static void print_row(const tr_training_row *row) {
    static const char *const phases[] = {"refine", "guide ", "harden"};
    printf("%s %2d", phases[row->phase], row->iteration);
    print_value("core-s", row->core_seconds, "");
    print_value("cost", row->cost, "");
    print_value("sigma", row->sigma_deg, " deg");
    print_value("R2", row->r2, "");
    printf("  rollbacks %d", row->rollbacks);
    if (row->phase != TR_TRAINING_REFINE)
        print_value("train", row->push_train_n, " N");
    print_value("undisturbed", row->undisturbed_s, " s");
    print_value("push95", row->push95_n, " N");
    print_value("resists", row->resist_s, " s");
    printf("%s", row->kept ? "  kept" : "");
}

static tr_status run_row(const tr_practice *p, tr_error *error) {
    tr_training_record *record = tr_learner_record(p->learner);
    tr_status status = tr_learner_advance(p->learner, error);
    if (status)
        return status;
    if (tr_ranks_count() > 1)
        tr_ranks_compare("what it has learned",
                         tr_controller_hash(tr_learner_best(p->learner),
                                            tr_learner_ensemble(p->learner)->model));
    if (tr_learner_done(p->learner) == tr_learner_rows(p->learner))
        record->ended_ns = tr_now_ns();
    if (p->checkpoint)
        status = tr_checkpoint_save(p->learner, p->checkpoint, error);
    if (!status && p->on_better && record->row[record->row_count - 1].kept)
        status = p->on_better(p->context, error);
    return status;
}

static bool is_time_up(const tr_practice *p) {
    return p->core_s > 0 && tr_learner_record(p->learner)->core_seconds >= p->core_s;
}

tr_status tr_practice_run(const tr_practice *p, tr_practice_end *out_end, tr_error *error) {
    tr_training_record *record = tr_learner_record(p->learner);
    double begin = tr_wall_seconds(), share_before = tr_learner_share(p->learner);
    struct sigaction before;
    tr_status status = TR_OK;
    catch_stop(&before);
    *out_end = TR_PRACTICE_DONE;
    while (!status && tr_learner_done(p->learner) < tr_learner_rows(p->learner)) {
        *out_end = is_stopped()    ? TR_PRACTICE_STOPPED
                   : is_time_up(p) ? TR_PRACTICE_TIME_UP
                                   : TR_PRACTICE_DONE;
        if (*out_end != TR_PRACTICE_DONE)
            break;
        status = run_row(p, error);
        if (!status) {
            print_row(&record->row[record->row_count - 1]);
            tr_print_share(tr_learner_share(p->learner), share_before, tr_wall_seconds() - begin);
        }
    }
    if (record->ended_ns == 0)
        record->ended_ns = tr_now_ns();
    sigaction(SIGINT, &before, NULL);
    return status;
}
