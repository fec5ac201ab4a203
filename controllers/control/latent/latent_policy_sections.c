/* Latent policies as the section "policy". */
#include "control/latent/latent_policy.h"

#include <stdlib.h>

enum { VERSION = 2 };

static const char SECTION[] = "policy";

/* --- writing --- */

static void put_axis(tr_section_writer *w, const tr_goal_axis *axis) {
    tr_section_put_doubles(w, &axis->low, 1);
    tr_section_put_doubles(w, &axis->high, 1);
    tr_section_put_int(w, axis->cells);
    tr_section_put_int(w, axis->periodic);
}

static void put_task(tr_section_writer *w, const tr_latent_task *task) {
    tr_section_put_text(w, tr_latent_task_name(task->kind));
    tr_section_put_doubles(w, &task->sharpness, 1);
    tr_section_put_doubles(w, &task->speed_width_mps, 1);
    tr_section_put_doubles(w, &task->speed_mps, 1);
    tr_section_put_doubles(w, &task->height_m, 1);
    tr_section_put_int(w, task->body);
    tr_section_put_int(w, task->grid.axis_count);
    for (int a = 0; a < task->grid.axis_count; a++)
        put_axis(w, &task->grid.axis[a]);
}

static void put_choice(tr_section_writer *w, const tr_latent_choice *choice) {
    tr_section_put_doubles(w, &choice->discount, 1);
    tr_section_put_doubles(w, &choice->ring, 1);
    tr_section_put_doubles(w, &choice->dynamics_weight, 1);
    tr_section_put_doubles(w, &choice->variance_weight, 1);
    tr_section_put_doubles(w, &choice->slip_weight, 1);
    tr_section_put_doubles(w, &choice->step_weight, 1);
    tr_section_put_int(w, choice->ring_count);
    tr_section_put_int(w, choice->neighbour_count);
    tr_section_put_int(w, choice->ring_variance);
}

tr_status tr_latent_policy_save(const tr_latent_policy *policy, tr_sections *out, tr_error *error) {
    tr_section_writer w = tr_section_begin(out, SECTION);
    tr_section_put_int(&w, VERSION);
    put_choice(&w, &policy->choice);
    put_task(&w, &policy->task);
    tr_section_put_int(&w, policy->sample_count);
    for (int i = 0; i < policy->sample_count; i++)
        for (int d = 0; d < 2 * policy->dimension; d++)
            tr_section_put_doubles(&w, policy->sample + (size_t)d * (size_t)policy->stride + i, 1);
    tr_section_put_doubles(&w, policy->value,
                           (size_t)policy->sample_count * (size_t)policy->cell_count);
    return tr_section_end(&w, error);
}

/* --- reading --- */

static void get_axis(tr_section_reader *r, tr_goal_axis *axis) {
    axis->low = tr_section_get_double(r);
    axis->high = tr_section_get_double(r);
    axis->cells = (int)tr_section_get_int(r, 1, TR_GOAL_CELL_MAX);
    axis->periodic = tr_section_get_bool(r);
}

/* Reads a task; false: no such task. */
static bool get_task(tr_section_reader *r, tr_latent_task *task) {
    char name[TR_NAME_MAX];
    tr_section_get_text(r, name, sizeof name);
    task->sharpness = tr_section_get_double(r);
    task->speed_width_mps = tr_section_get_double(r);
    task->speed_mps = tr_section_get_double(r);
    task->height_m = tr_section_get_double(r);
    task->body = (int)tr_section_get_int(r, 0, TR_BODY_MAX - 1);
    task->grid.axis_count = (int)tr_section_get_int(r, 1, TR_GOAL_AXIS_MAX);
    for (int a = 0; a < task->grid.axis_count; a++)
        get_axis(r, &task->grid.axis[a]);
    return tr_latent_task_find(name, &task->kind);
}

static void get_choice(tr_section_reader *r, tr_latent_choice *choice) {
    choice->discount = tr_section_get_double(r);
    choice->ring = tr_section_get_double(r);
    choice->dynamics_weight = tr_section_get_double(r);
    choice->variance_weight = tr_section_get_double(r);
    choice->slip_weight = tr_section_get_double(r);
    choice->step_weight = tr_section_get_double(r);
    choice->ring_count = (int)tr_section_get_int(r, 0, TR_LATENT_RING_MAX);
    choice->neighbour_count = (int)tr_section_get_int(r, 1, TR_LATENT_NEIGHBOUR_MAX);
    choice->ring_variance = tr_section_get_bool(r);
}

tr_status tr_latent_policy_load(const tr_sections *in, const tr_latent_space *space,
                                const tr_model *model, tr_latent_policy **out, tr_error *error) {
    tr_latent_choice choice = {0};
    tr_latent_task task = {0};
    tr_latent_policy *policy = NULL;
    const int q = space->learned.dimension;
    tr_section_reader r = tr_section_open(in, SECTION);
    tr_section_get_int(&r, VERSION, VERSION);
    get_choice(&r, &choice);
    if (!get_task(&r, &task) || !tr_latent_task_fits(&task, model))
        r.source.failed = true;
    int count = (int)tr_section_get_int(&r, TR_LATENT_ACTION_MAX, TR_LATENT_SAMPLE_MAX);
    size_t coordinates = 2 * (size_t)count * (size_t)q;
    double *samples = calloc(coordinates + 1, sizeof *samples);
    tr_status status = samples ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status)
        tr_section_get_doubles(&r, samples, coordinates);
    if (!status && !r.source.failed)
        status = tr_latent_policy_create(&choice, &task, q, count, samples, &policy);
    free(samples);
    if (status)
        return tr_fail(error, status, "section '%s': %s", SECTION, tr_status_text(status));
    if (policy)
        tr_section_get_doubles(&r, policy->value, (size_t)count * (size_t)policy->cell_count);
    status = tr_section_close(&r, error);
    return TR_GIVE(status, policy, tr_latent_policy_destroy, out);
}
