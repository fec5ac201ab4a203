#include "tools/reproduce/method_remake.h"

#include "control/chain/chain.h"
#include "control/graph/control_graph.h"
#include "db/tables/lineage.h"
#include "db/tables/models.h"
#include "math/linalg.h"
#include "tools/learn/method_loop.h"
#include "tools/learn/method_sources.h"
#include "tools/reproduce/recorded_parts.h"
#include "tools/train/run_motion.h"
#include "tools/train/run_record.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANCESTORS_MAX = 64 };
static const char CORE[] = "core_s";

/* What changed the bits of trainings on purpose: runs of the method (NULL: of any) that started before
 * then are repeated otherwise, unless their record has the setting `without`. */
static const struct {
    const char *method, *without, *what;
    int64_t until_ns;
} changes[] = {
    {NULL, NULL, "22 November 2026, when contacts got a friction cone", 1795381690000000000},
    {"gait", "\nharden_hauled = 0\n",
     "29 November 2026, when those who push a box start apart and answer its turn",
     1795979637000000000},
};

/* The change that a run was trained before; NULL: none. */
static const char *find_change(const tr_run_row *run) {
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (run->started_ns < changes[i].until_ns &&
            (!changes[i].method || strcmp(changes[i].method, run->method) == 0) &&
            (!changes[i].without || !strstr(run->parameters, changes[i].without)))
            return changes[i].what;
    return NULL;
}

/* Number of runs between a controller and an earlier run; -1: it does not derive from that run. */
static tr_status count_steps(tr_catalogue *catalogue, const tr_controller_row *row,
                             const tr_run_row *run, int *out, tr_error *error) {
    tr_lineage lineage;
    tr_status status = tr_lineage_trace(catalogue, TR_NOUN_RUN, row->run_id, &lineage, error);
    *out = -1;
    for (int i = 0; !status && i < lineage.count; i++)
        if (lineage.node[i].id == run->id)
            *out = lineage.node[i].depth;
    return status;
}

/* The clip that a run learned from, on that model, read from its controllers and from those of the runs
 * that continued it, which learned from the same. TR_NOT_FOUND: none of these controllers is in the
 * catalogue. */
static tr_status find_lineage_clip(tr_catalogue *catalogue, const tr_run_row *run, tr_row_id model,
                                   tr_row_id *out_clip, tr_error *error) {
    char after[TR_NAME_MAX] = "";
    tr_controller_filter filter = {.after = after, .model = model};
    tr_controller_row row;
    int count = 1, nearest = INT_MAX;
    tr_status status = tr_controllers_list(catalogue, &filter, &row, &count, error);
    while (!status && count == 1) {
        int steps = -1;
        if (row.run_id && row.clip_id)
            status = count_steps(catalogue, &row, run, &steps, error);
        if (!status && steps >= 0 && steps < nearest) {
            nearest = steps;
            *out_clip = row.clip_id;
        }
        memcpy(after, row.name, sizeof after);
        if (!status)
            status = tr_controllers_list(catalogue, &filter, &row, &count, error);
    }
    if (status || nearest < INT_MAX)
        return status;
    return tr_fail(error, TR_NOT_FOUND,
                   "run '%s': no controller of it, or of a training that continued it, names the "
                   "clip that it learned from",
                   run->name);
}

/* What the record says.
 *   model_id   of its controllers; clip_id: that it learned from, 0: none
 *   row, made  the controller that the run made; made NULL: not needed
 *   depth      number of runs from the requested one back to it
 *   last       iteration of its last metric but the time; a run that ended early is repeated up to
 *              there, and one that measured nothing to its end */
typedef struct record {
    const tr_method *method;
    const tr_reproduction *given;
    const tr_run_row *run;
    tr_row_id model_id, clip_id;
    int depth;
    tr_controller_row row;
    tr_controller *made;
    tr_sections inputs;
    tr_run_motion motion;
    tr_run_metric *metric; /* [metric_count], owned */
    int metric_count;
    int64_t last;
    tr_method_sources sources;
    void *work;
    tr_method_log log;
    _Alignas(max_align_t) unsigned char settings[TR_METHOD_SETTINGS_MAX];
} record;

/* --- reading --- */

static tr_status read_parameter(record *r, const char *name, const char *value, tr_error *error) {
    if (!name[0])
        return tr_fail(error, TR_DATA_LOSS, "parameters: '%.60s' is not a parameter", value);
    if (strcmp(name, "motion_hash") == 0)
        r->motion.hash = strtoull(value, NULL, 16);
    else if (strcmp(name, "motion_options") == 0)
        snprintf(r->motion.options, sizeof r->motion.options, "%.*s",
                 (int)sizeof r->motion.options - 1, value);
    else
        return tr_parameter_set(r->method->settings, r->settings, name, value, error);
    return TR_OK;
}

static tr_status read_unrecorded(record *r, tr_error *error) {
    char text[TR_RUN_PARAMETERS_MAX];
    snprintf(text, sizeof text, "%s", r->method->unrecorded);
    return tr_parameter_read(r->method->settings, r->settings, r->method->name, text, error);
}

static tr_status read_parameters(record *r, tr_error *error) {
    char text[TR_RUN_PARAMETERS_MAX], *rest = text, name[TR_NAME_MAX];
    const char *value;
    tr_error cause = {0};
    tr_status status = TR_OK;
    memcpy(text, r->run->parameters, sizeof text);
    tr_method_reset(r->method, r->settings);
    if (r->method->unrecorded)
        status = read_unrecorded(r, error);
    while (!status && tr_run_next_parameter(&rest, name, &value))
        status = read_parameter(r, name, value, &cause);
    return !status ? TR_OK : tr_fail(error, status, "run '%s': %s", r->run->name, cause.message);
}

static tr_status read_metrics(record *r, tr_error *error) {
    const tr_metric_filter filter = {.run = r->run->id};
    int count = r->run->metric_count;
    r->last = INT64_MAX;
    r->metric = calloc((size_t)count + 1, sizeof *r->metric);
    if (!r->metric)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the metrics");
    if (count == 0)
        return TR_OK;
    tr_status status = tr_runs_metrics(r->given->catalogue, &filter, r->metric, &count, error);
    r->metric_count = count;
    for (int i = 0; !status && i < count; i++)
        if (strcmp(r->metric[i].name, CORE) != 0)
            r->last = r->metric[i].iteration;
    return status;
}

static tr_status read_model(record *r, tr_error *error) {
    tr_status status =
        tr_models_load(r->given->catalogue, r->model_id, &r->sources.own_model, error);
    r->sources.model = r->sources.own_model;
    return status;
}

/* --- its inputs --- */

static tr_status find_motion(record *r, int i, tr_error *error) {
    tr_method_source *source = &r->sources.source[i];
    tr_status status = TR_OK;
    r->motion.run = r->run->name;
    r->motion.model = r->sources.model;
    if (!r->row.id && !r->clip_id)
        status = find_lineage_clip(r->given->catalogue, r->run, r->model_id, &r->clip_id, error);
    if (!status && r->clip_id)
        status = tr_clips_get(r->given->catalogue, r->clip_id, &r->motion.clip, error);
    if (!status)
        status = tr_run_motion_find(&r->motion, r->given, &source->motion, error);
    r->sources.given[i].motion = source->motion;
    return status;
}

/* Takes an input from the controller that was made. false: it does not show it. */
static bool recall(record *r, int i) {
    const tr_method_input *input = &r->method->input[i];
    tr_controller *shown = &r->sources.source[i].shown;
    if (!r->made || !input->recall || !input->recall(r->made, shown))
        return false;
    r->sources.given[i].controller = shown;
    r->sources.given[i].controller_model = r->sources.model;
    return true;
}

static tr_status find_file(record *r, int i, tr_error *error) {
    const tr_method_input *input = &r->method->input[i];
    const tr_section *kept = tr_sections_find(&r->inputs, input->role);
    if (!kept && recall(r, i))
        return TR_OK;
    if (!kept)
        return tr_fail(
            error, TR_FAILED_PRECONDITION,
            "run '%s': its record does not keep what was given with --%s; learn it again to "
            "have a record that does",
            r->run->name, input->option ? input->option : input->role);
    r->sources.given[i].content = (const char *)kept->bytes;
    r->sources.given[i].size = kept->size;
    return TR_OK;
}

static tr_status find_parts(record *r, int i, tr_error *error) {
    const tr_section *list = tr_sections_find(&r->inputs, r->method->input[i].role);
    const tr_method_remake_def of = {r->given, r->run, r->model_id, r->clip_id, r->depth};
    if (!list)
        return tr_fail(error, TR_DATA_LOSS, "run '%s': its record does not name its parts",
                       r->run->name);
    tr_status status = tr_parts_find(&of, (const char *)list->bytes, i, &r->sources, error);
    if (!status && r->sources.model_id)
        r->model_id = r->sources.model_id;
    return status;
}

/* The controller of the run that this one continued: from the catalogue, or repeated first, on the same
 * body from the same clip. */
static tr_status find_parent_row(const record *r, tr_controller_row *out, tr_error *error) {
    const tr_run_row *run = r->run;
    tr_catalogue *catalogue = r->given->catalogue;
    tr_run_row parent;
    if (run->parent_count != 1)
        return tr_fail(error, TR_UNIMPLEMENTED, "run '%s': continues too many other runs",
                       run->name);
    tr_status status = tr_runs_get(catalogue, run->parent[0], &parent, error);
    if (!status)
        status = tr_run_find_controller(catalogue, &parent, out, error);
    if (status != TR_NOT_FOUND)
        return status;
    fprintf(stderr, "%s continued %s, whose controller is not here: training it again first\n",
            run->name, parent.name);
    const tr_method_remake_def def = {r->given, &parent, r->model_id, r->clip_id, r->depth + 1};
    return tr_method_remake(&def, out, error);
}

static tr_status find_parent(record *r, int i, tr_error *error) {
    tr_subject *subject = &r->sources.source[i].subject;
    tr_status status = find_parent_row(r, &subject->row, error);
    if (!status)
        status = tr_models_load(r->given->catalogue, subject->row.model_id, &subject->model, error);
    if (!status)
        status = tr_controllers_load(r->given->catalogue, subject->row.id, subject->model,
                                     &subject->controller, error);
    r->sources.given[i].controller = subject->controller;
    r->sources.given[i].controller_model = subject->model;
    return status;
}

/* Did this method make the controller that the run continued? Then the one made now does not show
 * it. */
static bool continues_its_own(const record *r) {
    tr_run_row parent;
    return r->run->parent_count == 1 &&
           !tr_runs_get(r->given->catalogue, r->run->parent[0], &parent, NULL) &&
           strcmp(parent.method, r->run->method) == 0;
}

static tr_status find_controller(record *r, int i, tr_error *error) {
    const tr_method_input *input = &r->method->input[i];
    if (!input->recall || continues_its_own(r))
        return find_parent(r, i, error);
    return recall(r, i) ? TR_OK
                        : tr_fail(error, TR_DATA_LOSS, "run '%s': no controller of it shows its %s",
                                  r->run->name, input->role);
}

/* Roles stand in the record with a space behind each. */
static bool was_given(const tr_run_row *run, const tr_method_input *input) {
    char word[TR_NAME_MAX + 1];
    const int length = snprintf(word, sizeof word, "%s ", input->role);
    for (const char *at = run->given; (at = strstr(at, word)); at += length)
        if (at == run->given || at[-1] == ' ')
            return true;
    return input->needed;
}

static tr_status find_inputs(record *r, tr_error *error) {
    static tr_status (*const find[])(record * r, int i,
                                     tr_error *error) = {[TR_INPUT_MOTION] = find_motion,
                                                         [TR_INPUT_CONTROLLER] = find_controller,
                                                         [TR_INPUT_PARTS] = find_parts,
                                                         [TR_INPUT_FILE] = find_file,
                                                         [TR_INPUT_TEXT] = find_file};
    tr_status status = TR_OK;
    r->sources.method = r->method;
    for (int i = 0; !status && i < r->method->input_count; i++) {
        const tr_method_input *input = &r->method->input[i];
        snprintf(r->sources.given[i].name, sizeof r->sources.given[i].name, "%s", input->role);
        if (was_given(r->run, input) || tr_sections_find(&r->inputs, input->role))
            status = find[input->kind](r, i, error);
    }
    return status;
}

static tr_status read_record(record *r, tr_error *error) {
    tr_status status = read_parameters(r, error);
    if (!status)
        status = read_metrics(r, error);
    if (!status)
        status = read_model(r, error);
    if (!status && r->row.id)
        status =
            tr_controllers_load(r->given->catalogue, r->row.id, r->sources.model, &r->made, error);
    if (!status)
        status = tr_runs_inputs(r->given->catalogue, r->run->id, &r->inputs, error);
    return status ? status : find_inputs(r, error);
}

/* --- differences of two controllers --- */

/* The parts of a fragment's numbers, and the spawn state. */
enum { TARGETS, FEEDBACK, OFFSETS, EXPLORATION, STATES, PARTS };

/* Widens to the largest difference of two arrays. */
static void widen(double *most, const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        *most = fmax(*most, fabs(a[i] - b[i]));
}

static void widen_by_states(double *most, const tr_state *a, const tr_state *b, int bodies) {
    const size_t joints = (size_t)bodies - 1;
    widen(most, &a->pose.root_pos.x, &b->pose.root_pos.x, 3);
    widen(most, &a->pose.root_rot.w, &b->pose.root_rot.w, 4);
    widen(most, &a->pose.joint[1].w, &b->pose.joint[1].w, 4 * joints);
    widen(most, &a->root_vel.x, &b->root_vel.x, 3);
    widen(most, &a->root_omega.x, &b->root_omega.x, 3);
    widen(most, &a->joint_rate[1].x, &b->joint_rate[1].x, 3 * joints);
}

static void widen_by_fragments(double most[PARTS], const tr_fragment *a, const tr_fragment *b,
                               int bodies) {
    for (int i = 0; i < a->steps; i++)
        widen(&most[TARGETS], &a->target[i * bodies + 1].w, &b->target[i * bodies + 1].w,
              4 * (size_t)(bodies - 1));
    widen(&most[FEEDBACK], a->policy.m[0], b->policy.m[0], TR_ACTION_MAX * TR_FEATURE_COUNT);
    widen(&most[FEEDBACK], a->policy.ground[0], b->policy.ground[0],
          TR_ACTION_MAX * TR_GROUND_COUNT);
    widen(&most[OFFSETS], a->policy.offset, b->policy.offset, TR_ACTION_MAX);
    widen(&most[EXPLORATION], a->policy.sigma, b->policy.sigma, TR_ACTION_MAX);
    widen_by_states(&most[STATES], &a->start, &b->start, bodies);
    widen_by_states(&most[STATES], &a->end, &b->end, bodies);
}

/* Are the stored bytes of two graphs equal, except their fragments? */
static bool same_graph(const tr_control_graph *a, const tr_control_graph *b) {
    tr_sections one = {0}, other = {0};
    if (!a || !b)
        return a == b;
    bool same = !tr_graph_kind.save(a, &one, NULL) && !tr_graph_kind.save(b, &other, NULL) &&
                one.section[0].size == other.section[0].size &&
                memcmp(one.section[0].bytes, other.section[0].bytes, one.section[0].size) == 0;
    tr_sections_deinit(&one);
    tr_sections_deinit(&other);
    return same;
}

/* Prints the largest differences of `again` from `was`, part by part, where they have one shape: of any
 * component, SI. true: there are none, except perhaps the signs of zeros. */
static bool print_difference(const tr_controller *was, const tr_controller *again,
                             const tr_model *model) {
    const tr_bank *a = tr_controller_bank(was), *b = tr_controller_bank(again);
    const uint64_t hash = tr_controller_hash(again, model);
    const bool shaped = was->step_s == again->step_s && was->model_hash == again->model_hash && a &&
                        b && a->cyclic == b->cyclic && tr_bank_same_shape(a, b);
    const bool same = same_graph(tr_graph_of(was), tr_graph_of(again));
    double most[PARTS] = {0}, largest = 0;
    for (int k = 0; shaped && k < a->fragment_count; k++)
        widen_by_fragments(most, &a->fragment[k], &b->fragment[k], model->body_count);
    if (shaped)
        widen_by_states(&most[STATES], &was->spawn, &again->spawn, model->body_count);
    for (int i = 0; i < PARTS; i++)
        largest = fmax(largest, most[i]);
    /* Fragments, or a graph of them, are all of such a controller: only signs of zeros are left. */
    const bool whole = was->driver.kind == &tr_chain_kind || was->driver.kind == &tr_graph_kind;
    if (tr_controller_hash(was, model) == hash || (whole && shaped && same && largest == 0)) {
        printf("controller '%s': bit-identical, hash %016" PRIx64 "\n", was->name, hash);
        return true;
    }
    if (!shaped || (same && largest == 0))
        printf("controller '%s': of another shape, or differs outside its fragments\n", was->name);
    else
        printf("controller '%s' differs%s at most by: targets %g, feedback %g, offsets %g rad, "
               "exploration %g rad, states %g\n",
               was->name, same ? "" : " in nodes or edges, and", most[TARGETS], most[FEEDBACK],
               most[OFFSETS], most[EXPLORATION], most[STATES]);
    return false;
}

/* --- the report --- */

/* is: NULL, it was not measured again. */
static bool report_metric(const tr_run_metric *was, const tr_run_metric *is) {
    if (is && is->value == was->value)
        return true;
    printf("row %lld: %s was %.17g, ", (long long)was->iteration, was->name, was->value);
    if (is)
        printf("is %.17g\n", is->value);
    else
        puts("is not measured");
    return false;
}

static bool report_metrics(const record *r, const tr_method_log *log) {
    int same = 0, compared = 0;
    for (int i = 0; i < r->metric_count; i++) {
        const tr_run_metric *was = &r->metric[i];
        if (strcmp(was->name, CORE) == 0) /* the processor time differs each time */
            continue;
        compared++;
        same += report_metric(was, tr_method_log_find(log, was->name, was->iteration));
    }
    if (compared > 0)
        printf("metrics: %d of %d are the same to the bit\n", same, compared);
    return same == compared;
}

/* Prints what is known to change bits, and what to do then. */
static void print_causes(const tr_run_row *run) {
    if (strcmp(run->code_version, TR_CODE_VERSION) != 0)
        printf("it was trained by build %s; this is %s\n", run->code_version, TR_CODE_VERSION);
    if (find_change(run))
        printf("it was trained before %s: learn it again to have a record that repeats\n",
               find_change(run));
    else if (!strstr(run->host, tr_linalg_kernels()))
        printf("OpenBLAS rounds as %s here; it was trained on %s: repeat it with the kernels of "
               "that, as OPENBLAS_CORETYPE=SkylakeX for a processor with AVX-512\n",
               tr_linalg_kernels(), run->host);
}

static tr_status report(const record *r, const tr_method_log *log, const tr_controller *is,
                        tr_error *error) {
    const bool same_metrics = report_metrics(r, log);
    const bool same = print_difference(r->made, is, r->sources.model);
    if (same && same_metrics)
        return TR_OK;
    print_causes(r->run);
    return tr_fail(error, TR_ABORTED, "run '%s': not the same", r->run->name);
}

/* --- again --- */

static tr_status open_record(const tr_method_remake_def *def, record **out, tr_error *error) {
    const tr_method *method = tr_method_find(def->run->method, def->run->parameters);
    record *r = calloc(1, sizeof *r);
    if (!r)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the record");
    r->method = method;
    r->given = def->given;
    r->run = def->run;
    r->model_id = def->model_id;
    r->clip_id = def->clip_id;
    r->depth = def->depth;
    *out = r;
    if (r->depth == ANCESTORS_MAX)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED,
                       "run '%s': more than %d runs, each made of the one before, come after it",
                       def->run->name, ANCESTORS_MAX);
    if (!method || method->write)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "run '%s': this build has no method '%s', which it learned by: use the "
                       "build that wrote the record, or learn it again",
                       def->run->name, def->run->method);
    /* What others continued must have its bits, and is made of trials. */
    const char *change = r->depth > 0 && method->plans ? find_change(def->run) : NULL;
    if (change)
        return tr_fail(error, TR_FAILED_PRECONDITION,
                       "run '%s': it was trained before %s, and is not repeated to the bit: learn "
                       "again what continued it",
                       def->run->name, change);
    return TR_OK;
}

static void close_record(record *r) {
    if (!r)
        return;
    if (r->method)
        r->method->destroy(r->work);
    tr_method_log_deinit(&r->log);
    free(r->metric);
    tr_sections_deinit(&r->inputs);
    tr_controller_destroy(r->made);
    tr_method_sources_deinit(&r->sources);
    free(r);
}

/* Reads the record, creates its work, and checks what it learns from. */
static tr_status begin(record *r, tr_error *error) {
    tr_status status = read_record(r, error);
    const tr_method_def def = {r->sources.model, r->settings,       r->sources.given,
                               r->run->name,     r->given->threads, tr_method_say};
    if (!status)
        status = tr_method_create(r->method, &def, &r->work, error);
    for (int i = 0; !status && i < r->method->input_count; i++) {
        const tr_motion *motion = r->sources.given[i].motion;
        if (motion && r->motion.hash && tr_motion_hash(motion) != r->motion.hash)
            status =
                tr_fail(error, TR_FAILED_PRECONDITION,
                        "run '%s': the motion is not the one that it learned from", r->run->name);
    }
    return status;
}

/* Repeats the work, up to its last row. */
static tr_status repeat(record *r, const tr_controller **out, tr_error *error) {
    tr_method_end end = TR_METHOD_DONE;
    tr_status status = begin(r, error);
    const tr_method_loop loop = {.method = r->method,
                                 .work = r->work,
                                 .model = r->sources.model,
                                 .log = &r->log,
                                 .last = r->last};
    if (!status)
        status = tr_method_loop_run(&loop, &end, error);
    if (!status && end != TR_METHOD_DONE)
        status = tr_fail(error, TR_CANCELLED, "stopped by Ctrl-C");
    return status ? status : r->method->best(r->work, out, error);
}

tr_status tr_method_reproduce(const tr_reproduction *given, const tr_run_row *run,
                              tr_error *error) {
    tr_controller_row row;
    record *r = NULL;
    const tr_controller *is = NULL;
    tr_status status = tr_run_find_controller(given->catalogue, run, &row, error);
    if (status)
        return status;
    const tr_method_remake_def def = {given, run, row.model_id, row.clip_id, 0};
    status = open_record(&def, &r, error);
    if (!status) {
        r->row = row;
        status = repeat(r, &is, error);
    }
    if (!status)
        status = report(r, &r->log, is, error);
    close_record(r);
    return status;
}

tr_status tr_method_remake(const tr_method_remake_def *def, tr_controller_row *out,
                           tr_error *error) {
    record *r = NULL;
    tr_controller_entry entry = {.run_id = def->run->id};
    tr_status status = open_record(def, &r, error);
    if (!status)
        status = repeat(r, &entry.controller, error);
    entry.model_id = r ? r->model_id : 0;
    entry.clip_id = r ? r->clip_id : 0;
    if (!status)
        status = tr_run_put_again(def->given->catalogue, def->run, &entry, out, error);
    close_record(r);
    return status;
}
