#include "learn/graph/graph_settle.h"

#include "control/parts/state_distance.h"
#include "learn/graph/graph_bank.h"
#include "learn/rehearsal/trial.h"
#include "learn/samcon/skill.h"

#include <math.h>
#include <stdlib.h>

static const double SETTLE_S = 6; /* at least, and to the end of a cycle */
enum { VISITS = 24 };             /* of each fragment, averaged */

/* skill: alone; start, end: [fragment_count][VISITS], each in the frame of its start, unmirrored */
typedef struct watch {
    tr_rehearsal *rehearsal;
    tr_controller *skill;
    tr_bank *bank;
    tr_trial trial;
    tr_state *start, *end;
} watch;

/* Simulates one fragment, the `visit`th time that it is run, and notes its start and end. */
static void see_fragment(watch *w, int visit) {
    tr_state start, end;
    if (tr_world_get_state(w->rehearsal->world, w->rehearsal->character, &start))
        w->trial.lost = true;
    tr_trial_finish_entry(&w->trial, w->rehearsal);
    if (w->trial.lost || tr_world_get_state(w->rehearsal->world, w->rehearsal->character, &end)) {
        w->trial.lost = true;
        return;
    }
    /* References are unmirrored. */
    if (w->trial.watch.mirrored) {
        start = tr_state_mirror(w->rehearsal->model, &start);
        end = tr_state_mirror(w->rehearsal->model, &end);
    }
    size_t at = (size_t)w->trial.watch.entry * VISITS + (size_t)visit;
    w->start[at] = tr_skill_relative(&start, &start);
    w->end[at] = tr_skill_relative(&end, &start);
}

/* Runs the skill from its first fragment, and notes VISITS of each. false: it did not hold. */
static bool see_skill(watch *w) {
    int count = w->bank->fragment_count;
    double cycle_s = tr_controller_duration_s(w->skill);
    /* Whole cycles, so that the first fragment watched is the first of the skill. */
    int cycles = 1 + (int)(SETTLE_S / cycle_s);
    int64_t before = llround(cycles * cycle_s / w->skill->step_s);
    if (tr_trial_begin(&w->trial, w->skill, w->rehearsal, &w->skill->spawn))
        return false;
    tr_trial_run(&w->trial, w->rehearsal, before);
    for (int i = 0; i < VISITS * count && !w->trial.lost; i++)
        see_fragment(w, i / count);
    return !w->trial.lost;
}

static double mean_distance(const watch *w) {
    int fragments = w->bank->fragment_count;
    double sum = 0;
    for (int k = 0; k < fragments; k++)
        for (int v = 0; v < VISITS; v++)
            sum += tr_state_distance(w->rehearsal->model, &w->end[k * VISITS + v],
                                     &w->bank->fragment[k].end);
    return sum / (fragments * VISITS);
}

static void set_references(const watch *w) {
    const tr_model *model = w->rehearsal->model;
    for (int k = 0; k < w->bank->fragment_count; k++) {
        w->bank->fragment[k].start = tr_skill_average(model, &w->start[k * VISITS], VISITS);
        w->bank->fragment[k].end = tr_skill_average(model, &w->end[k * VISITS], VISITS);
    }
}

static void keep_references(const watch *w, tr_fragment *fragment) {
    for (int k = 0; k < w->bank->fragment_count; k++) {
        fragment[k].start = w->bank->fragment[k].start;
        fragment[k].end = w->bank->fragment[k].end;
    }
}

static tr_status settle_skill(tr_rehearsal *rehearsal, tr_controller *controller, int node,
                              tr_graph_settle_row *row) {
    const tr_control_graph *graph = tr_graph_of(controller);
    size_t visits = (size_t)graph->node[node].count * VISITS;
    watch w = {.rehearsal = rehearsal};
    tr_status status = tr_graph_bank_take(rehearsal->model, controller, node, &w.skill);
    if (status)
        return status;
    w.bank = tr_controller_bank(w.skill);
    w.start = calloc(2 * visits, sizeof *w.start);
    if (!w.start)
        status = TR_RESOURCE_EXHAUSTED;
    else
        w.end = w.start + visits;
    if (!status && (row->holds = see_skill(&w))) {
        row->before = mean_distance(&w);
        set_references(&w);
        row->after = mean_distance(&w);
        keep_references(&w, graph->bank.fragment + graph->node[node].first);
    }
    free(w.start);
    tr_controller_destroy(w.skill);
    return status;
}

tr_status tr_graph_settle(tr_ensemble *ensemble, tr_controller *controller,
                          tr_graph_settle_row rows[TR_GRAPH_NODE_MAX]) {
    const tr_control_graph *graph = tr_graph_of(controller);
    tr_status status = graph ? TR_OK : TR_INVALID_ARGUMENT;
    for (int n = 0; !status && n < graph->node_count; n++) {
        rows[n] = (tr_graph_settle_row){0};
        if (graph->node[n].cyclic)
            status = settle_skill(&ensemble->rehearsal[0], controller, n, &rows[n]);
    }
    return status;
}
