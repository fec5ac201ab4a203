#include "learn/latent/task_training.h"

#include "control/latent/puppet.h"
#include "learn/latent/latent_file.h"
#include "learn/rehearsal/ensemble.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DISTANCE_CELLS = 9,     /* of the grid of targets */
    RING_COUNT = 16,        /* actions on the ring */
    NEIGHBOURS = 8,         /* samples from which a value is interpolated */
    TRAJECTORIES = 50,      /* of a refinement, */
    TRAJECTORY_STEPS = 200, /* each so long */
    GOAL_STEPS = 50         /* until it gets another goal */
};
static const double TOLERANCE = 1e-3; /* least change of a value that counts */
static const double DISTANCE_LOW_M = 0.4, DISTANCE_HIGH_M = 1.2; /* of the targets */
static const double VARIANCE_WEIGHT = 0.04;                      /* c_y */
static const double STEP_WEIGHT = 1;                             /* of v against x in distances */
static const double SHARPNESS = 3;                               /* of the reward, 1/rad or 1/m */
static const double CENTRE_SHARE = 0.5; /* samples that a refinement adds, by frames of the clips */

/* --- settings and inputs --- */

#define AT(field) offsetof(tr_task_parameters, field)

static const tr_parameter listed[] = {
    {"task", TR_NAME, AT(task), 0, 0, "heading", "heading or target"},
    {"bearing_cells", TR_COUNT, AT(bearing_cells), 1, 360, "24", "directions of the grid"},
    {"speed_low_mps", TR_REAL, AT(speed_low_mps), 0, 20, "0",
     "heading: least speed; 0: that of the clips"},
    {"speed_high_mps", TR_REAL, AT(speed_high_mps), 0, 20, "0",
     "heading: largest speed; 0: that of the clips"},
    {"speed_cells", TR_COUNT, AT(speed_cells), 1, 64, "1", "heading: speeds of the grid"},
    {"speed_width_mps", TR_REAL, AT(speed_width_mps), 0, 20, "0.5",
     "heading: width of the reward of speed; 0: only the direction counts"},
    {"body", TR_NAME, AT(body), 0, 0, "rhand", "target: the body that must hit"},
    {"body_speed_mps", TR_REAL, AT(body_speed_mps), 0, 50, "1", "target: least speed of the body"},
    {"height_m", TR_REAL, AT(height_m), -10, 10, "1.2", "target: height of the point"},
    {"discount", TR_REAL, AT(discount), 0, 0.9999, "0.98", "gamma"},
    {"ring", TR_REAL, AT(ring), 1e-6, 1, "0.75", "rho: the smaller, the wider the ring of actions"},
    {"ring_variance", TR_COUNT, AT(ring_variance), 0, 1, "0",
     "1: the ring follows the variance, as in the paper; 0: the standard deviation"},
    {"dynamics_weight", TR_REAL, AT(dynamics_weight), 0, 1e3, "0.04", "c_x"},
    {"slip_weight", TR_REAL, AT(slip_weight), 0, 1e3, "0.3", "cost of feet that slide, 1/(m/s)"},
    {"refinements", TR_COUNT, AT(refinements), 0, 20, "4", "refinements by Bellman error"},
    {"sweeps", TR_COUNT, AT(sweeps), 1, 100000, "1000", "most sweeps of value iteration"},
    {"seed", TR_SEED, AT(seed), 0, 0, "1", "seed of the refinements"},
    {"skill", TR_NAME, AT(skill), 0, 0, "walk", "what the controller does"},
};

/* Constants now. */
static const char retired[] = "neighbours=8 distance_cells=9 trajectories=50 trajectory_steps=200 "
                              "centre_share=0.5 ring_count=16 variance_weight=0.04 step_weight=1 "
                              "distance_low_m=0.4 distance_high_m=1.2 goal_steps=50 tolerance=1e-3 "
                              "sharpness=3";

const tr_parameter_table tr_task_parameter_table = {
    .row = listed, .count = sizeof listed / sizeof *listed, .retired = retired};

/* A puppet holds all of the space that its policy was learned in. */
static bool recall(const tr_controller *made, tr_controller *out) {
    *out = *made;
    return made->driver.kind == &tr_puppet_kind;
}

static const tr_method_input inputs[] = {{.role = "space",
                                          .word = "FILE",
                                          .meaning = "what 'troupe-train latent fit' wrote",
                                          .kind = TR_INPUT_FILE,
                                          .needed = true,
                                          .recall = recall}};

/* An axis of one cell needs some length too. */
static tr_goal_axis axis_of(double low, double high, int cells) {
    return (tr_goal_axis){low, high > low ? high : low + 1, cells, false};
}

static void set_heading(const tr_task_training *t, tr_latent_task *task) {
    const tr_task_parameters *p = &t->parameters;
    /* Without speeds in the settings, that of the clips is asked for. */
    const tr_latent_space_def *def = &t->space->learned;
    int steps = def->frame_count - def->clip_count;
    double usual = 0;
    for (int i = 0; i < steps; i++)
        usual += hypot(def->root[i].forward, def->root[i].left) / (steps * def->dt_s);
    double low = p->speed_low_mps > 0 ? p->speed_low_mps : usual,
           high = p->speed_high_mps > 0 ? p->speed_high_mps : usual;
    task->speed_width_mps = p->speed_width_mps;
    task->grid.axis[1] = axis_of(low, high, p->speed_cells);
}

static tr_status set_target(const tr_task_training *t, tr_latent_task *task, tr_error *error) {
    const tr_task_parameters *p = &t->parameters;
    task->body = tr_model_find_body(t->model, p->body);
    if (task->body < 0)
        return tr_fail(error, TR_INVALID_ARGUMENT, "body: '%s': expected a body of the model",
                       p->body);
    task->height_m = p->height_m;
    task->speed_mps = p->body_speed_mps;
    task->grid.axis[1] = axis_of(DISTANCE_LOW_M, DISTANCE_HIGH_M, DISTANCE_CELLS);
    return TR_OK;
}

static tr_status make_task(const tr_task_training *t, tr_latent_task *out, tr_error *error) {
    const tr_task_parameters *p = &t->parameters;
    *out = (tr_latent_task){.sharpness = SHARPNESS};
    /* The first axis is the direction, which wraps around. */
    out->grid.axis_count = 2;
    out->grid.axis[0] = (tr_goal_axis){-TR_PI, TR_PI, p->bearing_cells, true};
    if (!tr_latent_task_find(p->task, &out->kind))
        return tr_fail(error, TR_INVALID_ARGUMENT, "task: '%s': expected heading or target",
                       p->task);
    tr_status status = TR_OK;
    if (out->kind == TR_LATENT_HEADING)
        set_heading(t, out);
    else
        status = set_target(t, out, error);
    if (!status && !tr_latent_task_fits(out, t->model))
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "task: expected positive numbers and at most %d cells", TR_GOAL_CELL_MAX);
    return status;
}

static tr_latent_choice choice_of(const tr_task_parameters *p) {
    return (tr_latent_choice){.discount = p->discount,
                              .ring = p->ring,
                              .dynamics_weight = p->dynamics_weight,
                              .variance_weight = VARIANCE_WEIGHT,
                              .slip_weight = p->slip_weight,
                              .step_weight = STEP_WEIGHT,
                              .ring_count = RING_COUNT,
                              .neighbour_count = NEIGHBOURS,
                              .ring_variance = p->ring_variance == 1};
}

/* The first samples are the frames of the clips. */
static tr_status sample_clips(tr_task_training *t, const tr_latent_task *task) {
    const tr_latent_choice choice = choice_of(&t->parameters);
    const tr_latent_space_def *def = &t->space->learned;
    double *rows = calloc(2 * (size_t)def->frame_count * (size_t)def->dimension, sizeof *rows);
    if (!rows)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < def->frame_count; i++) {
        tr_latent_state state = tr_latent_space_state(t->space, i);
        tr_latent_policy_row(&choice, def->dimension, &state, rows + 2 * i * def->dimension);
    }
    tr_status status =
        tr_latent_policy_create(&choice, task, def->dimension, def->frame_count, rows, &t->policy);
    free(rows);
    return status;
}

tr_status tr_task_training_start(tr_task_training *t, tr_error *error) {
    tr_latent_task task;
    tr_status status = make_task(t, &task, error);
    if (!status)
        status = tr_fail_if(error, sample_clips(t, &task), "task");
    return status;
}

/* --- the space --- */

/* From the file, or from the puppet that stands for it. */
static tr_status open_space(const tr_method_given *file, tr_task_training *t, tr_error *error) {
    tr_sections sections = {0};
    tr_error inner = {0};
    const tr_driver *puppet = file->controller ? &file->controller->driver : NULL;
    tr_status status =
        puppet ? puppet->kind->save(puppet->content, &sections, error)
               : tr_latent_file_parse(file->content, file->size, file->name, &sections, error);
    if (status)
        return status;
    status = tr_latent_space_load(&sections, t->model, &t->space, &inner);
    tr_sections_deinit(&sections);
    return status ? tr_fail(error, status, "%s: %s", file->name, inner.message) : TR_OK;
}

/* The space itself names all of its clips. */
static void note_clip(const tr_latent_space *space, tr_motion *out) {
    const tr_latent_clip *first = &space->learned.clip[0];
    tr_motion_source *source = &out->source;
    out->dt_s = space->learned.dt_s;
    source->last_frame = first->count - 1;
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(first->name, "@ "), first->name);
    snprintf(source->clip, sizeof source->clip, "%.63s", first->name);
    snprintf(source->origin, sizeof source->origin, "%s", first->origin);
    snprintf(source->licence, sizeof source->licence, "%s", first->licence);
    snprintf(source->digest, sizeof source->digest, "%.64s", first->digest);
}

static void destroy(void *given) {
    tr_task_training *t = given;
    if (!t)
        return;
    tr_controller_destroy(t->made);
    tr_latent_policy_destroy(t->policy);
    tr_latent_space_destroy(t->space);
    tr_pool_destroy(t->pool);
    free(t);
}

static tr_status begin(const tr_method_def *def, void *given, tr_error *error) {
    tr_task_training *t = given;
    t->parameters = *(const tr_task_parameters *)def->settings;
    t->model = def->model;
    tr_status status = open_space(&def->given[0], t, error);
    if (!status)
        note_clip(t->space, &t->clip);
    if (!status)
        status =
            tr_fail_if(error, tr_pool_create(def->threads, &t->pool), "--threads %d", def->threads);
    return status ? status : tr_task_training_start(t, error);
}

/* --- rows --- */

static tr_status refine(tr_task_training *t, const tr_value_iteration *iteration,
                        double *out_error) {
    const tr_task_parameters *p = &t->parameters;
    int centres = (int)(CENTRE_SHARE * t->space->learned.frame_count);
    const tr_refinement refinement = {.trajectories = TRAJECTORIES,
                                      .steps = TRAJECTORY_STEPS,
                                      .goal_steps = GOAL_STEPS,
                                      .centres = centres > 0 ? centres : 1,
                                      .seed = p->seed + (uint64_t)t->rounds};
    tr_latent_policy *refined = NULL;
    tr_status status =
        tr_value_iteration_refine(iteration, t->policy, &refinement, &refined, out_error);
    if (status)
        return status;
    tr_latent_policy_destroy(t->policy);
    t->policy = refined;
    return TR_OK;
}

/* Iterates to convergence, after samples were added where errors remain (section 5.5). */
static tr_status advance(void *given, tr_method_row *out, tr_error *error) {
    tr_task_training *t = given;
    const tr_value_iteration iteration = {.model = t->model,
                                          .space = t->space,
                                          .pool = t->pool,
                                          .tolerance = TOLERANCE,
                                          .sweeps_max = t->parameters.sweeps};
    double bellman_error = (double)NAN;
    int sweeps = 0;
    tr_status status = TR_OK;
    if (t->rounds > 0)
        status = refine(t, &iteration, &bellman_error);
    if (!status)
        status = tr_value_iteration_run(&iteration, t->policy, &sweeps);
    if (status)
        return tr_fail_if(error, status, "task");
    *out = (tr_method_row){.phase = "refinement", .iteration = t->rounds++, .best = true};
    tr_method_row_add(out, "samples", t->policy->sample_count);
    tr_method_row_add(out, "sweeps", sweeps);
    tr_method_row_add(out, "bellman_error", bellman_error);
    return TR_OK;
}

static bool is_done(const void *given) {
    const tr_task_training *t = given;
    return t->rounds > t->parameters.refinements;
}

static double share(const void *given) {
    const tr_task_training *t = given;
    return (double)t->rounds / (t->parameters.refinements + 1);
}

/* A puppet has copies of space and policy, which continue to be used here. */
static tr_status best(void *given, const tr_controller **out, tr_error *error) {
    tr_task_training *t = given;
    tr_sections sections = {0};
    tr_controller *made = NULL;
    tr_status status = tr_latent_space_save(t->space, &sections, error);
    if (!status)
        status = tr_latent_policy_save(t->policy, &sections, error);
    if (!status)
        status = tr_latent_puppet_create(&sections, t->model, TR_LEARN_STEP_S, &made, error);
    tr_sections_deinit(&sections);
    if (status)
        return status;
    snprintf(made->skill, sizeof made->skill, "%s", t->parameters.skill);
    tr_controller_destroy(t->made);
    *out = t->made = made;
    return TR_OK;
}

/* A clip without a digest has no record. */
static const tr_motion *source(const void *given) {
    const tr_task_training *t = given;
    return t->clip.source.digest[0] ? &t->clip : NULL;
}

/* --- checkpoints --- */

/* Reads the policy, which has another size after each round, from its section. */
static bool load_policy(tr_task_training *t, const tr_sections *sections) {
    tr_latent_policy *loaded = NULL;
    if (tr_latent_policy_load(sections, t->space, t->model, &loaded, NULL))
        return false;
    tr_latent_policy_destroy(t->policy);
    t->policy = loaded;
    return true;
}

static void list(void *given, tr_blocks *blocks) {
    tr_task_training *t = given;
    tr_sections sections = {0};
    tr_block_count(blocks, "rounds", &t->rounds, 0, t->parameters.refinements + 1);
    bool sound = !tr_latent_policy_save(t->policy, &sections, NULL);
    int size = sound ? (int)sections.section[0].size : 0;
    size = tr_block_count(blocks, "size", &size, 1, INT_MAX);
    if (blocks->loads && size > 0 && sound) {
        unsigned char *bytes = realloc(sections.section[0].bytes, (size_t)size);
        sound = bytes != NULL;
        sections.section[0].bytes = sound ? bytes : sections.section[0].bytes;
        sections.section[0].size = sound ? (size_t)size : 0;
    }
    if (tr_block_require(blocks, "policy", sound))
        tr_block(blocks, "policy", sections.section[0].bytes, sections.section[0].size);
    if (blocks->loads && !blocks->failed)
        (void)tr_block_require(blocks, "policy", load_policy(t, &sections));
    tr_sections_deinit(&sections);
}

const tr_method tr_latent_task_method = {
    .name = "latent_task",
    .formerly = "latent",
    .command = "latent task",
    .summary = "learn a policy for a task in a latent space: a puppet",
    .help =
        "Values are learned at the clips' frames, then where trajectories find them wrong. The\n"
        "controller is spawned, steered and recorded like any other; its character is\n"
        "kinematic: it pushes and is not pushed.\n",
    .example = "walk.latent --catalogue mine.troupe --name walker --set task=heading",
    .settings = &tr_task_parameter_table,
    .options = "skill",
    .input = inputs,
    .input_count = 1,
    .size = sizeof(tr_task_training),
    .begin = begin,
    .advance = advance,
    .is_done = is_done,
    .share = share,
    .best = best,
    .source = source,
    .list = list,
    .destroy = destroy,
};
