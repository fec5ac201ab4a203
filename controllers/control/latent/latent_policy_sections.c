/* Latent policies as the section "policy". */
#include "control/latent/latent_policy.h"

#include "control/fields/section_pass.h"

#include <stdlib.h>

enum { VERSION = 2 };

static const char SECTION[] = "policy";

static void pass_axis(const tr_section_pass *pass, tr_goal_axis *axis) {
    tr_section_pass_doubles(pass, &axis->low, 1);
    tr_section_pass_doubles(pass, &axis->high, 1);
    tr_section_pass_int(pass, &axis->cells, 1, TR_GOAL_CELL_MAX);
    tr_section_pass_bool(pass, &axis->periodic);
}

/* All but its kind, which the name in front of it tells. */
static void pass_task(const tr_section_pass *pass, tr_latent_task *task) {
    tr_section_pass_doubles(pass, &task->sharpness, 1);
    tr_section_pass_doubles(pass, &task->speed_width_mps, 1);
    tr_section_pass_doubles(pass, &task->speed_mps, 1);
    tr_section_pass_doubles(pass, &task->height_m, 1);
    tr_section_pass_int(pass, &task->body, 0, TR_BODY_MAX - 1);
    tr_section_pass_int(pass, &task->grid.axis_count, 1, TR_GOAL_AXIS_MAX);
    for (int a = 0; a < task->grid.axis_count; a++)
        pass_axis(pass, &task->grid.axis[a]);
}

static void pass_choice(const tr_section_pass *pass, tr_latent_choice *choice) {
    tr_section_pass_doubles(pass, &choice->discount, 1);
    tr_section_pass_doubles(pass, &choice->ring, 1);
    tr_section_pass_doubles(pass, &choice->dynamics_weight, 1);
    tr_section_pass_doubles(pass, &choice->variance_weight, 1);
    tr_section_pass_doubles(pass, &choice->slip_weight, 1);
    tr_section_pass_doubles(pass, &choice->step_weight, 1);
    tr_section_pass_int(pass, &choice->ring_count, 0, TR_LATENT_RING_MAX);
    tr_section_pass_int(pass, &choice->neighbour_count, 1, TR_LATENT_NEIGHBOUR_MAX);
    tr_section_pass_bool(pass, &choice->ring_variance);
}

tr_status tr_latent_policy_save(const tr_latent_policy *policy, tr_sections *out, tr_error *error) {
    tr_latent_choice choice = policy->choice;
    tr_latent_task task = policy->task;
    tr_section_writer w = tr_section_begin(out, SECTION);
    const tr_section_pass pass = {.to = &w};
    tr_section_put_int(&w, VERSION);
    pass_choice(&pass, &choice);
    tr_section_put_text(&w, tr_latent_task_name(task.kind));
    pass_task(&pass, &task);
    tr_section_put_int(&w, policy->sample_count);
    for (int i = 0; i < policy->sample_count; i++)
        for (int d = 0; d < 2 * policy->dimension; d++)
            tr_section_put_doubles(&w, policy->sample + (size_t)d * (size_t)policy->stride + i, 1);
    tr_section_put_doubles(&w, policy->value,
                           (size_t)policy->sample_count * (size_t)policy->cell_count);
    return tr_section_end(&w, error);
}

tr_status tr_latent_policy_load(const tr_sections *in, const tr_latent_space *space,
                                const tr_model *model, tr_latent_policy **out, tr_error *error) {
    tr_latent_choice choice = {0};
    tr_latent_task task = {0};
    tr_latent_policy *policy = NULL;
    const int q = space->learned.dimension;
    char name[TR_NAME_MAX];
    tr_section_reader r = tr_section_open(in, SECTION);
    const tr_section_pass pass = {.from = &r};
    tr_section_get_int(&r, VERSION, VERSION);
    pass_choice(&pass, &choice);
    tr_section_get_text(&r, name, sizeof name);
    pass_task(&pass, &task);
    if (!tr_latent_task_find(name, &task.kind) || !tr_latent_task_fits(&task, model))
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
        return tr_fail_if(error, status, "section '%s'", SECTION);
    if (policy)
        tr_section_get_doubles(&r, policy->value, (size_t)count * (size_t)policy->cell_count);
    status = tr_section_close(&r, error);
    return TR_GIVE(status, policy, tr_latent_policy_destroy, out);
}
