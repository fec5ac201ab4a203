#include "learn/method/method.h"

#include "control/scheduler/scheduler.h"
#include "learn/schedule/schedule_training.h"

/* --- the input --- */

/* Takes the scheduler off again: *out has the driver that it holds. */
static bool recall(const tr_controller *made, tr_controller *out) {
    const tr_scheduler *scheduler = tr_scheduler_of(made);
    if (!scheduler)
        return false;
    *out = *made;
    out->driver = scheduler->inner;
    return true;
}

static const tr_method_input inputs[] = {
    {.role = "controller",
     .word = "CONTROLLER",
     .meaning = "of the catalogue: a chain, a graph, or a balance with postures",
     .kind = TR_INPUT_CONTROLLER,
     .needed = true,
     .gives_model = true,
     .continued = true,
     .recall = recall},
};

static tr_status create(const tr_method_def *def, void **out, tr_error *error) {
    const tr_schedule_settings *settings = def->settings;
    const tr_schedule_training_def training = {def->model, def->given[0].controller, *settings,
                                               def->threads, NULL};
    tr_schedule_training *t = NULL;
    tr_status status = tr_schedule_training_create(&training, &t, error);
    if (!status)
        *out = t;
    return status;
}

/* --- rows --- */

static double percent(int64_t part, int64_t whole) {
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void add_requests(const tr_schedule_row *row, tr_method_row *out) {
    const tr_request_tally *r = &row->requests;
    tr_method_row_add(out, "performed_percent", percent(r->performed, r->planned));
    tr_method_row_add(out, "begun", r->begun);
    tr_method_row_add(out, "begun_median_s", r->begun_median_s);
    tr_method_row_add(out, "held_mean_s", row->mean_s);
}

static void add_pushes(const tr_schedule_row *row, tr_method_row *out) {
    tr_method_row_add(out, "undisturbed_percent",
                      percent(row->undisturbed.survived, row->undisturbed.trials));
    tr_method_row_add(out, "low_percent", percent(row->low.survived, row->low.trials));
    tr_method_row_add(out, "high_percent", percent(row->high.survived, row->high.trials));
    tr_method_row_add(out, "back_percent", percent(row->low.back, row->low.trials));
    tr_method_row_add(out, "jumps_percent", percent(row->high.jumps, row->high.decisions));
}

static tr_status advance(void *work, tr_method_row *out, tr_error *error) {
    tr_schedule_training *t = work;
    tr_status status = tr_schedule_training_advance(t, error);
    if (status)
        return status;
    const tr_schedule_row *row = &t->progress.row[t->progress.row_count - 1];
    *out = (tr_method_row){.phase = "decisions", .iteration = row->transitions, .best = row->best};
    tr_method_row_add(out, "average_q", row->average_q);
    tr_method_row_add(out, "score", row->score);
    tr_method_row_add(out, "episodes", (double)row->episodes);
    tr_method_row_add(out, "falls", (double)row->falls);
    if (row->requests.planned > 0)
        add_requests(row, out);
    else
        add_pushes(row, out);
    return TR_OK;
}

static double share(const void *work) {
    const tr_schedule_training *t = work;
    return (double)t->progress.transitions / t->settings.transitions;
}

static tr_status best(void *work, const tr_controller **out, tr_error *error) {
    (void)error;
    *out = tr_schedule_training_best(work);
    return TR_OK;
}

/* --- checkpoints --- */

static bool transitions_fit(const tr_schedule_training *t) {
    const int actions = tr_scheduler_action_count(t->scheduler),
              entries = t->scheduler->entry_count, requests = t->scheduler->request_count;
    bool fit = true;
    for (int i = 0; i < t->replay.count; i++) {
        const tr_transition *one = &t->replay.transition[i];
        fit &= one->action >= 0 && one->action < actions && one->before.previous < entries &&
               one->after.previous < entries && one->before.request < requests &&
               one->after.request < requests;
    }
    return fit;
}

/* Lists everything but the environments, which are reset at every test. */
static void list(void *work, tr_blocks *b) {
    tr_schedule_training *t = work;
    const size_t weights = tr_network_weight_count(&t->scheduler->network) * sizeof(float);
    tr_block(b, "progress", &t->progress, sizeof t->progress);
    (void)tr_block_require(
        b, "progress", t->progress.row_count >= 0 && t->progress.row_count <= TR_SCHEDULE_ROW_MAX);
    /* While the scheduler shows the best network, `latest` holds the one that learns. */
    tr_block(b, "network", t->shows_best ? t->latest.weight : t->scheduler->network.weight,
             weights);
    tr_block(b, "copy", t->copy.weight, weights);
    tr_block(b, "best", t->best.weight, weights);
    tr_network_fit_list(&t->fit, b);
    (void)tr_block_count(b, "replay", &t->replay.at, 0, t->replay.capacity - 1);
    const int count = tr_block_count(b, "replay", &t->replay.count, 0, t->replay.capacity);
    tr_block(b, "transitions", t->replay.transition, (size_t)count * sizeof(tr_transition));
    (void)tr_block_require(b, "transitions", !b->failed && transitions_fit(t));
}

const tr_method tr_schedule_method = {
    .name = "schedule",
    .command = "schedule learn",
    .summary = "learn which fragment of a controller comes next",
    .help = "Worlds decide in lockstep; after a fall they roll back and try again. The command\n"
            "prints a row for every test; the best network is stored.\n",
    .example = "locomotion --catalogue mine.troupe --name steady \\\n"
               "    --task controllers/recipes/schedule/push-recovery.task",
    .settings = &tr_schedule_settings_table,
    .input = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .create = create,
    .advance = advance,
    .is_done = tr_schedule_training_is_done,
    .share = share,
    .best = best,
    .list = list,
    .destroy = tr_schedule_training_destroy,
};
