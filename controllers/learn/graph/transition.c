#include "learn/graph/transition.h"

#include "learn/graph/graph_bank.h"

#include <assert.h>
#include <stdlib.h>

static const double LASTED_STEP_S = 0.2, DISTANCE_STEP = 0.05, TURN_STEP_RAD = 15 * TR_PI / 180;

enum { FEW = 3, PUSHED_MAX = 10 }; /* trials of a first look; windows ranked by return */
enum { CHAIN = 1 };                /* of the bank's nodes: from, chain, to */
enum { MOST = 10 };                /* of so many trials, all but one must reach the chain */

tr_transition_def tr_transition_default(void) {
    return (tr_transition_def){.low = 2,
                               .high = 8,
                               .windows = 40,
                               .looks = 12,
                               .finalists = 5,
                               .rounds = 4,
                               .harden = {.updates = 10,
                                          .directions = 32,
                                          .best = 16,
                                          .trials = 16,
                                          .candidates = 1,
                                          .spacing = 1,
                                          .sigma_rad = 1.5 * TR_PI / 180,
                                          .rate = 1,
                                          .push_n = 40,
                                          .after_s = 2.5,
                                          .weights = tr_cost_weights_default()}};
}

/* --- the three in one bank --- */

static tr_status create_bank(const tr_model *model, const tr_transition_def *def,
                             const tr_blend_window *window, tr_controller **out, tr_error *error) {
    tr_controller *chain = NULL;
    tr_status status = tr_blend_window_fill(model, def->from, def->to, window, &chain);
    if (status)
        return tr_fail(error, status, "transition: %s", tr_status_text(status));
    int first = tr_controller_bank(def->from)->fragment_count;
    int past = first + tr_controller_bank(chain)->fragment_count;
    /* The bank holds the first skill, the chain, and the second skill, one behind the other. */
    const tr_graph_edge edge[] = {{window->from, first, false},
                                  {past - 1, past + window->to, window->flips}};
    const tr_controller *skill[] = {def->from, chain, def->to};
    tr_graph_bank_def bank = {"transition", skill, edge, 3, 2, NULL};
    status = tr_graph_bank_create(model, &bank, out, error);
    tr_controller_destroy(chain);
    return status;
}

static tr_graph_transition transition_of(const tr_controller *bank) {
    tr_graph_transition transition = {0};
    bool whole = tr_graph_transition_over(tr_graph_of(bank), CHAIN, &transition);
    assert(whole);
    (void)whole;
    return transition;
}

static tr_graph_transition_test test_of(const tr_transition_def *def) {
    return (tr_graph_transition_test){def->trials, def->after_s, def->seed, 0};
}

/* --- windows --- */

static tr_harden_def round_of(const tr_transition_def *def, const tr_controller *bank,
                              const tr_graph_transition *transition, int round) {
    tr_harden_def out = def->harden;
    out.transition = transition;
    /* A trial must cross the chain before it can hold the second skill. */
    out.after_s += tr_graph_transition_chain_s(transition, bank);
    out.seed = def->seed + (uint64_t)round;
    return out;
}

static tr_status try_bank(tr_ensemble *ensemble, const tr_transition_def *def, int trials,
                          const tr_controller *bank, tr_transition_window *w) {
    tr_graph_transition transition = transition_of(bank);
    tr_graph_transition_test test = test_of(def);
    w->trials = test.trials = trials;
    return tr_graph_transition_try(ensemble, bank, &transition, &test, &w->count);
}

/* Counts the trials in which a window's unhardened chain holds. */
static tr_status try_window(tr_ensemble *ensemble, const tr_transition_def *def, int trials,
                            tr_transition_window *w, tr_error *error) {
    tr_controller *bank = NULL;
    tr_status status = create_bank(ensemble->model, def, &w->window, &bank, error);
    if (status)
        return status;
    status = try_bank(ensemble, def, trials, bank, w);
    tr_controller_destroy(bank);
    return status ? tr_fail(error, status, "transition: %s", tr_status_text(status)) : TR_OK;
}

/* Measures the return of a few shifted chains: how far the unhardened window leads. */
static tr_status push_window(tr_ensemble *ensemble, const tr_transition_def *def,
                             tr_transition_window *w, tr_error *error) {
    tr_controller *bank = NULL;
    tr_status status = create_bank(ensemble->model, def, &w->window, &bank, error);
    if (status)
        return status;
    tr_graph_transition transition = transition_of(bank);
    tr_harden_def look = round_of(def, bank, &transition, 0);
    /* One update of four pairs with small shifts: its mean return is nearly that of the chain
     * itself. */
    look.updates = 1;
    look.directions = look.best = 4;
    look.sigma_rad /= 4;
    status = tr_harden(ensemble, &look, bank, &w->mean_return);
    tr_controller_destroy(bank);
    return status ? tr_fail(error, status, "transition: %s", tr_status_text(status)) : TR_OK;
}

static tr_status harden_once(tr_ensemble *ensemble, const tr_transition_def *def,
                             const tr_graph_transition *transition, tr_controller *bank,
                             tr_transition_window *w) {
    const tr_harden_def round = round_of(def, bank, transition, ++w->rounds);
    const tr_graph_transition_test test = test_of(def);
    tr_graph_transition_count after = {0};
    tr_status status = tr_polish(ensemble, &round, &test, w->count, bank, &after);
    if (!status && !tr_polish_is_better(w->count, after))
        w->count = after;
    return status;
}

bool tr_transition_is_good(const tr_transition_window *w, int failing) {
    return w->count.held + failing >= w->count.came &&
           MOST * w->count.came >= (MOST - 1) * w->trials;
}

/* Tries a finalist's chain, and hardens it until it is good or the rounds are over. */
static tr_status harden_window(tr_ensemble *ensemble, const tr_transition_def *def,
                               tr_transition_window *w, tr_controller **out, tr_error *error) {
    tr_controller *bank = NULL;
    tr_status status = create_bank(ensemble->model, def, &w->window, &bank, error);
    if (status)
        return status;
    tr_graph_transition transition = transition_of(bank);
    status = try_bank(ensemble, def, def->trials, bank, w);
    while (!status && !tr_transition_is_good(w, def->failing) && w->rounds < def->rounds)
        status = harden_once(ensemble, def, &transition, bank, w);
    if (!status && tr_transition_is_good(w, def->failing))
        status = tr_graph_bank_take(ensemble->model, bank, CHAIN, out);
    tr_controller_destroy(bank);
    return status ? tr_fail(error, status, "transition: %s", tr_status_text(status)) : TR_OK;
}

static int by_distance(const tr_transition_window *x, const tr_transition_window *y) {
    return (x->window.distance > y->window.distance) - (x->window.distance < y->window.distance);
}

/* Orders windows by their return, best first; of equal ones the nearest comes first. */
static int by_return(const void *a, const void *b) {
    const tr_transition_window *x = a, *y = b;
    if (x->mean_return != y->mean_return)
        return x->mean_return > y->mean_return ? -1 : 1;
    return by_distance(x, y);
}

static int lasted_steps(const tr_transition_window *w) {
    return (int)(w->count.lasted_s / LASTED_STEP_S);
}

static int turn_steps(const tr_transition_window *w) {
    return (int)(w->count.turn_rad / TURN_STEP_RAD);
}

static int distance_steps(const tr_transition_window *w) {
    return (int)(w->count.distance / DISTANCE_STEP);
}

/* The order of windows: most trials held first; if not all trials that came hold, those that last
 * longest; then those that stay nearest to the second skill, because a character whose feet are
 * elsewhere keeps them there; then those that turn least. */
static int compare_windows(const void *a, const void *b) {
    const tr_transition_window *x = a, *y = b;
    if (x->count.held != y->count.held)
        return y->count.held - x->count.held;
    if (x->count.held < x->count.came && lasted_steps(x) != lasted_steps(y))
        return lasted_steps(y) - lasted_steps(x);
    if (distance_steps(x) != distance_steps(y))
        return distance_steps(x) - distance_steps(y);
    return turn_steps(x) != turn_steps(y) ? turn_steps(x) - turn_steps(y) : by_distance(x, y);
}

/* A few trials first: they are enough to reject most windows. */
static tr_status look_at_window(tr_ensemble *ensemble, const tr_transition_def *def,
                                tr_transition_window *w, tr_error *error) {
    int few = def->looks < FEW ? def->looks : FEW;
    tr_status status = try_window(ensemble, def, few, w, error);
    if (status || w->count.held < few)
        return status;
    return try_window(ensemble, def, def->looks, w, error);
}

/* Sorts the best windows to the front, and counts them. */
static tr_status rank_windows(tr_ensemble *ensemble, const tr_transition_def *def,
                              tr_transition_window *list, int *count, tr_error *error) {
    tr_status status = TR_OK;
    int fit = 0;
    for (int i = 0; !status && i < *count; i++)
        status = look_at_window(ensemble, def, &list[i], error);
    qsort(list, (size_t)*count, sizeof *list, compare_windows);
    /* Windows that always hold and stay as near as the best are as good as it: their return
     * decides. If no window always holds, it decides among the first of the order. */
    while (fit < *count && list[fit].count.held == def->looks &&
           distance_steps(&list[fit]) == distance_steps(&list[0]))
        fit++;
    *count = fit > 0 && fit < *count ? fit : *count;
    *count = *count < PUSHED_MAX ? *count : PUSHED_MAX;
    for (int i = 0; !status && i < *count; i++)
        status = push_window(ensemble, def, &list[i], error);
    qsort(list, (size_t)*count, sizeof *list, by_return);
    return status;
}

static tr_status list_windows(tr_ensemble *ensemble, const tr_transition_def *def,
                              tr_transition_window **out, int *out_count, tr_error *error) {
    tr_blend_window *windows = NULL;
    int count = 0;
    tr_status status = tr_blend_windows(ensemble->model, def->from, def->to, def->low, def->high,
                                        &windows, &count);
    if (status)
        return tr_fail(error, status, "transition from '%s' to '%s': expected cyclic skills",
                       def->from->skill, def->to->skill);
    count = count < def->windows ? count : def->windows;
    tr_transition_window *list = calloc((size_t)count, sizeof *list);
    for (int i = 0; list && i < count; i++)
        list[i].window = windows[i];
    free(windows);
    status = list ? rank_windows(ensemble, def, list, &count, error) : TR_RESOURCE_EXHAUSTED;
    if (status) {
        free(list);
        return status;
    }
    *out = list;
    *out_count = count;
    return TR_OK;
}

static bool sound(const tr_transition_def *def) {
    return def->windows >= 1 && def->finalists >= 1 && def->rounds >= 0 && def->looks >= 1 &&
           def->trials >= 1 && def->after_s > 0;
}

tr_status tr_transition_learn(tr_ensemble *ensemble, const tr_transition_def *def,
                              tr_transition_report report, void *context, tr_controller **out,
                              tr_transition_window *out_window, tr_error *error) {
    tr_transition_window *list = NULL;
    tr_controller *chain = NULL;
    char name[TR_NAME_MAX];
    int count = 0;
    tr_blend_window_name(def->from->skill, def->to->skill, name);
    if (!sound(def))
        return tr_fail(error, TR_INVALID_ARGUMENT, "transition: a count is out of range");
    tr_status status = list_windows(ensemble, def, &list, &count, error);
    count = count < def->finalists ? count : def->finalists;
    for (int i = 0; !status && !chain && i < count; i++) {
        status = harden_window(ensemble, def, &list[i], &chain, error);
        if (!status && report)
            report(context, name, &list[i]);
        *out_window = list[i];
    }
    free(list);
    if (!status && !chain)
        return tr_fail(error, TR_NOT_FOUND, "transition from '%s' to '%s': no window leads over",
                       def->from->skill, def->to->skill);
    if (!status)
        *out = chain;
    return status;
}
