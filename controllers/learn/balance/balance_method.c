#include "learn/method/method.h"

#include "learn/balance/balance_learning_state.h"

#include <math.h>
#include <stdio.h>

static tr_status create(const tr_method_def *def, void **out, tr_error *error) {
    tr_balance_learning *l = NULL;
    tr_status status =
        tr_balance_learning_create(def->model, def->settings, def->threads, &l, error);
    if (!status)
        *out = l;
    return status;
}

/* --- rows --- */

static tr_status advance(void *work, tr_method_row *out, tr_error *error) {
    tr_balance_learning *l = work;
    tr_balance_row row;
    const int index = l->at.rows;
    tr_status status = tr_balance_learning_advance(l, &row, error);
    if (status)
        return status;
    const bool searches = row.trained_s > 0;
    *out = (tr_method_row){.iteration = index, .best = row.best, .unsaved = !l->cma.mean};
    snprintf(out->phase, sizeof out->phase, "%s", row.phase);
    tr_method_row_add(out, "generation", searches ? row.iteration : (double)NAN);
    tr_method_row_add(out, "trained_at_n", searches ? l->settings.push_n : (double)NAN);
    tr_method_row_add(out, "trained_cap_s", searches ? row.cap_s : (double)NAN);
    tr_method_row_add(out, "trained_s", searches ? row.trained_s : (double)NAN);
    tr_method_row_add(out, "held_percent", 100.0 * row.test.held / row.test.trials);
    tr_method_row_add(out, "held_mean_s", row.test.mean_s);
    tr_method_row_add(out, "drift_m", row.test.drift_m);
    tr_method_row_add(out, "one_foot", row.test.one_foot);
    return TR_OK;
}

static bool is_done(const void *work) {
    return tr_balance_learning_is_done(work);
}

static double share(const void *work) {
    const tr_balance_learning *l = work;
    return is_done(l) ? 1 : (double)l->at.generation / fmax(1, l->settings.generations);
}

static tr_status best(void *work, const tr_controller **out, tr_error *error) {
    return tr_balance_learning_finish(work, out, error);
}

static void destroy(void *work) {
    tr_balance_learning_destroy(work);
}

/* --- checkpoints --- */

static void list_policy(tr_controller *controller, tr_blocks *b) {
    tr_balance *balance = tr_balance_of(controller);
    tr_block(b, "offsets", balance->offset, sizeof balance->offset);
    tr_block(b, "gains", balance->gain, sizeof balance->gain);
}

static bool is_sound(const tr_balance_learning *l) {
    const tr_balance_progress *at = &l->at;
    bool sound = at->parameters >= 1 && at->parameters <= TR_BALANCE_PARAMETER_MAX &&
                 at->rows >= 0 && at->phase >= TR_BALANCE_SEARCH && at->phase <= TR_BALANCE_DONE;
    for (int i = 0; sound && i < at->parameters; i++) {
        const tr_balance_parameter *p = &at->parameter[i];
        sound = p->action >= 0 && p->action < TR_BALANCE_ACTIONS && p->feature >= -1 &&
                p->feature < TR_BALANCE_FEATURES;
    }
    return sound;
}

static void list(void *work, tr_blocks *b) {
    tr_balance_learning *l = work;
    tr_block(b, "progress", &l->at, sizeof l->at);
    if (!tr_block_require(b, "progress", is_sound(l)))
        return;
    list_policy(l->work, b);
    list_policy(l->best, b);
    if (b->loads && tr_cma_init(&l->cma, l->at.parameters, TR_BALANCE_SIGMA, NULL)) {
        (void)tr_block_require(b, "search", false);
        return;
    }
    tr_cma_list(&l->cma, b);
}

const tr_method tr_balance_method = {
    .name = "balance",
    .command = "balance learn",
    .summary = "learn to stay on a board or a ball",
    .help =
        "Makes the object and a stance on it, identifies how turning the joints moves both,\n"
        "computes a linear-quadratic regulator, and searches from there. The command prints a row\n"
        "for every test of 60 s; the best policy is stored.\n",
    .example = "--catalogue mine.troupe --name bongo --task controllers/recipes/balance/bongo.task",
    .settings = &tr_balance_settings_table,
    .create = create,
    .advance = advance,
    .is_done = is_done,
    .share = share,
    .best = best,
    .list = list,
    .destroy = destroy,
};
