/* troupe-train learn: from an imported motion to a controller in the catalogue. */
#include "db/catalogue.h"
#include "db/clips.h"
#include "db/controllers.h"
#include "db/models.h"
#include "db/runs.h"
#include "learn/checkpoint.h"
#include "learn/control_file.h"
#include "learn/learner.h"
#include "learn/skill.h"
#include "learn/whole_file.h"
#include "math/hash.h"
#include "model/mjcf.h"
#include "motion/motion.h"
#include "physics/world.h"
#include "tools/circumstances.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/run_metrics.h"
#include "tools/tool.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    const char *motion, *model, *catalogue, *name, *clip, *checkpoint, *from, *starts, *control;
    bool resume, list;
    int threads;
    tr_learn_parameters parameters;
} options;

/* --- the command line --- */

enum { OPTION_SET = 256, OPTION_LIST };

static const struct option long_options[] = {
    {"model", required_argument, NULL, 'm'},      {"catalogue", required_argument, NULL, 'c'},
    {"name", required_argument, NULL, 'n'},       {"clip", required_argument, NULL, 'l'},
    {"gains", required_argument, NULL, 'g'},      {"push", required_argument, NULL, 'p'},
    {"seed", required_argument, NULL, 's'},       {"threads", required_argument, NULL, 't'},
    {"checkpoint", required_argument, NULL, 'k'}, {"resume", no_argument, NULL, 'r'},
    {"set", required_argument, NULL, OPTION_SET}, {"from", required_argument, NULL, 'f'},
    {"list", no_argument, NULL, OPTION_LIST},     {"starts", required_argument, NULL, 'b'},
    {"control", required_argument, NULL, 'o'},    {NULL, 0, NULL, 0}};

static bool set_parameter(options *o, const char *name, const char *value) {
    tr_error error = {0};
    if (tr_learn_parameters_set(&o->parameters, name, value, &error) == TR_OK)
        return true;
    fprintf(stderr, "troupe-train learn: %s\n", error.message);
    return false;
}

static bool set_pair(options *o, const char *pair) {
    char name[TR_NAME_MAX];
    const char *value = NULL;
    return tr_option_pair(&(tr_option_value){"learn", "set", pair}, name, &value) &&
           set_parameter(o, name, value);
}

static bool take_option(options *o, int option) {
    switch (option) {
    case 'm':
        o->model = optarg;
        return true;
    case 'c':
        o->catalogue = optarg;
        return true;
    case 'n':
        o->name = optarg;
        return true;
    case 'l':
        o->clip = optarg;
        return true;
    case 'k':
        o->checkpoint = optarg;
        return true;
    case 'r':
        o->resume = true;
        return true;
    case 'g':
        return set_parameter(o, "gains", optarg);
    case 'p':
        return set_parameter(o, "push_n", optarg);
    case 's':
        return set_parameter(o, "seed", optarg);
    case 't':
        return tr_option_count(&(tr_option_value){"learn", "threads", optarg}, TR_POOL_THREAD_MAX,
                               &o->threads);
    case OPTION_SET:
        return set_pair(o, optarg);
    case OPTION_LIST:
        o->list = true;
        return true;
    case 'f':
        o->from = optarg;
        o->parameters.refine_rounds = 0;
        return true;
    case 'b':
        o->starts = optarg;
        return true;
    case 'o':
        o->control = optarg;
        o->parameters.refine_rounds = 0;
        return true;
    default:
        return false;
    }
}

static bool parse(int argc, char **argv, options *o) {
    *o = (options){.parameters = tr_learn_parameters_default()};
    o->threads = tr_option_default_threads();
    optind = 1;
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;)
        if (!take_option(o, option))
            return false;
    if (o->list)
        return true;
    if (optind + 1 != argc || !o->model || !o->name || (!o->catalogue && !o->checkpoint)) {
        fputs("troupe-train learn: expected MOTION, --model, --name, and --catalogue or "
              "--checkpoint\n",
              stderr);
        return false;
    }
    if (o->from && (!o->catalogue || o->control)) {
        fputs("troupe-train learn: --from needs --catalogue, and no --control\n", stderr);
        return false;
    }
    if (o->resume && !o->checkpoint) {
        fputs("troupe-train learn: --resume needs --checkpoint\n", stderr);
        return false;
    }
    o->motion = argv[optind];
    return true;
}

/* --- what the record says of the circumstances --- */

static double core_seconds(void *context) {
    (void)context;
    return tr_processor_seconds();
}

static void describe_circumstances(int argc, char **argv, tr_training_record *record) {
    tr_describe_host(record->host, sizeof record->host);
    snprintf(record->code_version, sizeof record->code_version, "%s", TR_CODE_VERSION);
    tr_describe_command(argc, argv, record->command, sizeof record->command);
}

/* --- progress --- */

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

/* --- learning --- */

static tr_status learn(const options *o, tr_learner *learner, tr_error *error) {
    tr_training_record *record = tr_learner_record(learner);
    double begin = tr_wall_seconds(), share_before = tr_learner_share(learner);
    while (tr_learner_done(learner) < tr_learner_rows(learner)) {
        tr_status status = tr_learner_advance(learner, error);
        if (status != TR_OK)
            return status;
        print_row(&record->row[record->row_count - 1]);
        tr_print_share(tr_learner_share(learner), share_before, tr_wall_seconds() - begin);
        if (tr_learner_done(learner) == tr_learner_rows(learner))
            record->ended_ns = tr_now_ns();
        if (o->checkpoint && (status = tr_checkpoint_save(learner, o->checkpoint, error)) != TR_OK)
            return status;
    }
    if (record->ended_ns == 0) /* a training without rows */
        record->ended_ns = tr_now_ns();
    return TR_OK;
}

/* --- into the catalogue --- */

enum { FILE_BYTES_MAX = 1 << 28 };

static tr_status put_model(tr_catalogue *catalogue, const options *o, const tr_model *model,
                           tr_row_id *out_id, tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(o->model, 0, FILE_BYTES_MAX, &text, &size, error);
    if (status == TR_OK)
        status = tr_models_put(catalogue, model->name, text, size, out_id, error);
    free(text);
    return status;
}

/* The clip's own file is known by --clip; it must be the one the motion was made from. */
static tr_status digest_clip(const options *o, const tr_motion *motion, tr_digest *out,
                             tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    if (!o->clip)
        return tr_clips_digest_file(o->motion, out, error);
    tr_status status = tr_whole_file_read(o->clip, 0, FILE_BYTES_MAX, &text, &size, error);
    if (status == TR_OK && tr_hash_add(TR_HASH_START, text, size) != motion->source.hash)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%s: not the file that %s was made from",
                         o->clip, o->motion);
    free(text);
    return status == TR_OK ? tr_clips_digest_file(o->clip, out, error) : status;
}

static tr_status put_clip(tr_catalogue *catalogue, const options *o, const tr_motion *motion,
                          tr_row_id *out_id, tr_error *error) {
    const tr_motion_source *source = &motion->source;
    tr_clip_row clip = {.frame_count = source->last_frame + 1,
                        .frames_per_s = 1 / motion->dt_s,
                        .first_frame = source->first_frame,
                        .last_frame = source->last_frame,
                        .cyclic = motion->cyclic};
    snprintf(clip.name, sizeof clip.name, "%.*s", (int)sizeof clip.name - 1, motion->name);
    snprintf(clip.source, sizeof clip.source, "%.63s, %.180s", source->clip, source->origin);
    snprintf(clip.licence, sizeof clip.licence, "%.*s", (int)sizeof clip.licence - 1,
             source->licence);
    snprintf(clip.skeleton, sizeof clip.skeleton, "%.*s", (int)sizeof clip.skeleton - 1,
             source->skeleton);
    tr_status status = digest_clip(o, motion, &clip.file_digest, error);
    return status == TR_OK ? tr_clips_put(catalogue, &clip, out_id, error) : status;
}

/* What 'reproduce' needs to import the motion again, behind the parameters. */
static void note_motion(const tr_motion *motion, tr_run_row *run) {
    size_t used = strlen(run->parameters);
    snprintf(run->parameters + used, sizeof run->parameters - used,
             "motion_hash = %016" PRIx64 "\nmotion_options = %s\n", tr_motion_hash(motion),
             motion->source.options);
}

static tr_status put_run(tr_catalogue *catalogue, const tr_training_record *record,
                         const tr_motion *motion, tr_row_id *out_id, tr_error *error) {
    tr_run_row run = {.seed = record->seed,
                      .threads = record->threads,
                      .started_ns = record->started_ns,
                      .ended_ns = record->ended_ns};
    tr_status status = TR_OK;
    snprintf(run.name, sizeof run.name, "%s", record->name);
    snprintf(run.command, sizeof run.command, "%s", record->command);
    snprintf(run.parameters, sizeof run.parameters, "%s", record->parameters);
    note_motion(motion, &run);
    snprintf(run.code_version, sizeof run.code_version, "%s", record->code_version);
    snprintf(run.host, sizeof run.host, "%s", record->host);
    if (record->parent[0]) {
        tr_run_row parent;
        status = tr_runs_find(catalogue, record->parent, &parent, error);
        run.parent_count = 1;
        run.parent[0] = status == TR_OK ? parent.id : 0;
    }
    tr_run_metric *metric = calloc((size_t)tr_run_metrics_count(record) + 1, sizeof *metric);
    if (status == TR_OK && !metric)
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the metrics");
    if (status == TR_OK) {
        tr_run_metrics metrics = {metric, tr_run_metrics_list(record, metric)};
        status = tr_runs_put(catalogue, &run, &metrics, out_id, error);
    }
    free(metric);
    return status;
}

typedef struct result {
    const tr_model *model;
    const tr_motion *motion;
    const tr_training_record *record;
    const tr_controller *controller;
} result;

static tr_status put_result(tr_catalogue *catalogue, const options *o, const result *r,
                            tr_error *error) {
    tr_controller_entry entry = {.controller = r->controller};
    tr_row_id id = 0;
    tr_status status = tr_catalogue_begin(catalogue, error);
    if (status != TR_OK)
        return status;
    status = put_model(catalogue, o, r->model, &entry.model_id, error);
    if (status == TR_OK)
        status = put_clip(catalogue, o, r->motion, &entry.clip_id, error);
    if (status == TR_OK)
        status = put_run(catalogue, r->record, r->motion, &entry.run_id, error);
    if (status == TR_OK)
        status = tr_controllers_put(catalogue, &entry, &id, error);
    if (status == TR_OK)
        return tr_catalogue_commit(catalogue, error);
    tr_catalogue_rollback(catalogue);
    return status;
}

static tr_status store(const options *o, const result *r, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_CREATE, &catalogue, error);
    if (status == TR_OK)
        status = put_result(catalogue, o, r, error);
    tr_catalogue_close(catalogue);
    if (status == TR_OK)
        printf("controller '%s' is in %s\n", r->controller->name, o->catalogue);
    return status;
}

/* --- the command --- */

/* The controller to learn on from, its model, and the name of the run that made it. */
static tr_status load_from(const options *o, tr_model **out_model, tr_controller **out,
                           char *out_run, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_controller_row row;
    tr_status status = tr_catalogue_open(o->catalogue, TR_CATALOGUE_READ, &catalogue, error);
    if (status == TR_OK)
        status = tr_controllers_find(catalogue, o->from, &row, error);
    if (status == TR_OK)
        status = tr_models_load(catalogue, row.model_id, out_model, error);
    if (status == TR_OK)
        status = tr_controllers_load(catalogue, row.id, *out_model, out, error);
    tr_catalogue_close(catalogue);
    if (status == TR_OK)
        snprintf(out_run, TR_NAME_MAX, "%s", row.run_name);
    return status;
}

/* The motion's chain with the open loop of a reconstruction; its references are what that does. */
static tr_status load_control(const options *o, const tr_model *model, const tr_motion *motion,
                              tr_controller **out, tr_error *error) {
    const tr_learn_parameters *p = &o->parameters;
    tr_skill_def skill = {o->name, p->gain_set, p->step_s, p->fragment_s, p->ankles != 0};
    tr_ensemble_def worlds = {model, p->gain_set, p->step_s, 1};
    tr_ensemble *ensemble = NULL;
    tr_status status = tr_skill_create(model, motion, &skill, out, error);
    if (status == TR_OK)
        status = tr_control_load(o->control, model, *out, error);
    if (status != TR_OK)
        return status;
    status = tr_ensemble_create(&worlds, &ensemble);
    if (status == TR_OK)
        status = tr_control_perform(&ensemble->rehearsal[0], *out);
    tr_ensemble_destroy(ensemble);
    return status == TR_OK ? TR_OK
                           : tr_fail(error, status, "%s: %s", o->control,
                                     status == TR_ABORTED ? "played blindly it loses the motion"
                                                          : tr_status_text(status));
}

/* The frames of a motion, each as a state at rest; *out: [*out_count], to be freed. */
static tr_status load_starts(const options *o, const tr_model *model, tr_state **out,
                             int *out_count, tr_error *error) {
    tr_motion *motion = NULL;
    tr_status status = tr_motion_load(o->starts, model, &motion, error);
    if (status != TR_OK)
        return status;
    *out = calloc((size_t)motion->frame_count, sizeof **out);
    for (int i = 0; *out && i < motion->frame_count; i++)
        (*out)[i] = tr_state_at_rest(model, &motion->poses[i]);
    *out_count = motion->frame_count;
    tr_motion_destroy(motion);
    return *out ? TR_OK : tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the starts");
}

static tr_status start(const options *o, const tr_model *model, const tr_motion *motion,
                       const tr_starts *starts, tr_learner **out, tr_error *error) {
    char parent[TR_NAME_MAX] = "";
    tr_controller *from = NULL;
    tr_model *from_model = NULL;
    tr_status status = o->from      ? load_from(o, &from_model, &from, parent, error)
                       : o->control ? load_control(o, model, motion, &from, error)
                                    : TR_OK;
    tr_learner_def def = {.model = model,
                          .motion = motion,
                          .name = o->name,
                          .parameters = o->parameters,
                          .from = from,
                          .from_model = from_model,
                          .starts = *starts,
                          .threads = o->threads,
                          .core_seconds = core_seconds};
    if (status == TR_OK)
        status = tr_learner_create(&def, out, error);
    tr_controller_destroy(from);
    tr_model_destroy(from_model);
    if (status != TR_OK)
        return status;
    snprintf(tr_learner_record(*out)->parent, TR_NAME_MAX, "%s", parent);
    if (!o->resume)
        return TR_OK;
    status = tr_checkpoint_load(*out, o->checkpoint, error);
    return status == TR_NOT_FOUND ? TR_OK : status;
}

static tr_status run(const options *o, int argc, char **argv, tr_error *error) {
    tr_model *model = NULL;
    tr_motion *motion = NULL;
    tr_learner *learner = NULL;
    tr_state *state = NULL;
    tr_starts starts = {0};
    tr_status status = tr_mjcf_load(o->model, &model, error);
    if (status == TR_OK)
        status = tr_motion_load(o->motion, model, &motion, error);
    if (status == TR_OK)
        status = o->starts ? load_starts(o, model, &state, &starts.count, error) : TR_OK;
    starts.state = state;
    if (status == TR_OK)
        status = start(o, model, motion, &starts, &learner, error);
    if (status == TR_OK) {
        tr_training_record *record = tr_learner_record(learner);
        describe_circumstances(argc, argv, record);
        if (record->started_ns == 0)
            record->started_ns = tr_now_ns();
        const tr_controller *open_loop = tr_learner_best(learner);
        printf("%s: %d fragments of %d steps%s, %d-D action, gains %s, %d threads\n", o->name,
               open_loop->fragment_count, open_loop->fragment[0].steps,
               open_loop->mirrored ? ", mirrored" : "", open_loop->action.size, open_loop->gain_set,
               o->threads);
        fflush(stdout);
        status = learn(o, learner, error);
    }
    if (status == TR_OK && o->catalogue) {
        result r = {model, motion, tr_learner_record(learner), tr_learner_best(learner)};
        status = store(o, &r, error);
    }
    tr_learner_destroy(learner);
    free(state);
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return status;
}

static int print_parameters(void) {
    char text[8192];
    if (tr_learn_parameters_explain(text, sizeof text) != TR_OK)
        return TR_TOOL_FAILED;
    fputs(text, stdout);
    return TR_TOOL_OK;
}

static int exec(int argc, char **argv) {
    options o;
    tr_error error = {0};
    if (!parse(argc, argv, &o))
        return TR_TOOL_USAGE;
    if (o.list)
        return print_parameters();
    tr_physics_init();
    if (run(&o, argc, argv, &error) == TR_OK)
        return TR_TOOL_OK;
    fprintf(stderr, "troupe-train learn: %s\n", error.message);
    return TR_TOOL_FAILED;
}

const tr_tool_command tr_tool_learn = {
    .name = "learn",
    .arguments = "MOTION --model MJCF --name NAME [--catalogue FILE] [options]",
    .summary = "learns a controller from an imported motion",
    .help =
        "MOTION is what 'troupe-train import' wrote; one that is not cyclic becomes a chain. The\n"
        "controller is learned by open-loop refinement and guided learning with pushes, and goes\n"
        "into the catalogue with its model, its clip and the record of the training.\n"
        "\n"
        "  --model MJCF        the character's model\n"
        "  --name NAME         of the controller and of the training run\n"
        "  --catalogue FILE    where the result goes; made when missing\n"
        "  --clip FILE         the source clip, to keep its digest\n"
        "  --gains SET         gain set of the model (a)\n"
        "  --push N            standard deviation of the training pushes, N (250)\n"
        "  --seed S            of everything drawn (1)\n"
        "  --threads N         all cores; does not change the result\n"
        "  --checkpoint FILE   written after every round\n"
        "  --resume            goes on from the checkpoint when it is there\n"
        "  --from CONTROLLER   learns on from a controller of the catalogue, without refinement;\n"
        "                      from one of another body with the same joints: a warm start\n"
        "  --starts MOTION     states in which a chain may have to begin, one a frame ('rise')\n"
        "  --control FILE      learns on from what 'reconstruct' found for a MOTION that is not\n"
        "                      cyclic, without refinement\n"
        "  --set NAME=VALUE    any other parameter\n"
        "  --list              the parameters with their defaults and meanings\n"
        "\n"
        "A row per round: processor seconds, mean cost, exploration, explained share of the\n"
        "variance, walks gone back, training push, seconds held undisturbed, largest push that\n"
        "95 % of the trials survive, with test_resist_trials the seconds resisted under growing\n"
        "pushes (figure 6 of the paper), and whether it is the best so far.\n"
        "\n"
        "  troupe-train learn run.motion --model humanoid.xml --name run --catalogue c.troupe\n",
    .exec = exec};
