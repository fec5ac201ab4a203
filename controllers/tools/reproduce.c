/* troupe-train reproduce: trains a run of the catalogue again and reports what differs. */
#include "db/catalogue.h"
#include "db/clips.h"
#include "db/controllers.h"
#include "db/models.h"
#include "db/runs.h"
#include "model/mjcf.h"
#include "motion/retarget.h"
#include "physics/world.h"
#include "tools/controller_difference.h"
#include "tools/graph_record.h"
#include "tools/options.h"
#include "tools/progress.h"
#include "tools/run_metrics.h"
#include "tools/run_record.h"
#include "tools/tool.h"
#include "tools/training.h"

#include <dirent.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANCESTORS_MAX = 16, CLIP_BYTES_MAX = 1 << 28, PATH_BYTES_MAX = 4096 };

typedef struct options {
    const char *run, *catalogue, *clips, *motion, *import;
    int threads;
} options;

static bool parse(int argc, char **argv, options *o) {
    *o = (options){.threads = tr_option_default_threads()};
    const tr_option table[] = {
        {"catalogue", TR_OPTION_TEXT, &o->catalogue, 0, 0},
        {"clips", TR_OPTION_TEXT, &o->clips, 0, 0},
        {"motion", TR_OPTION_TEXT, &o->motion, 0, 0},
        {"import", TR_OPTION_TEXT, &o->import, 0, 0},
        {"threads", TR_OPTION_COUNT, &o->threads, 1, TR_POOL_THREAD_MAX},
    };
    if (!tr_options_take("reproduce", argc, argv, table, sizeof table / sizeof *table))
        return false;
    if (optind + 1 != argc || !o->catalogue) {
        fputs("troupe-train reproduce: expected RUN and --catalogue\n", stderr);
        return false;
    }
    o->run = argv[optind];
    return true;
}

/* --- what the catalogue says of a run --- */

typedef struct record {
    tr_run_row run;
    tr_clip_row clip;
    tr_controller *controller; /* that came out of it; NULL: not loaded */
    tr_model *other_model;     /* the controller's, when not that of the run asked for; or NULL */
    tr_learn_parameters parameters;
    uint64_t motion_hash; /* 0: not recorded */
    char motion_options[TR_MOTION_TEXT_MAX];
    tr_run_inputs inputs;
    tr_run_metric *metric; /* [metric_count], owned */
    int metric_count;
} record;

typedef struct session {
    const options *options;
    tr_catalogue *catalogue;
    tr_model *model;
    tr_row_id model_id;
    tr_clip_row clip; /* of the run asked for: ancestors learned from the same */
    tr_error *error;
} session;

static void close_record(record *r) {
    tr_controller_destroy(r->controller);
    tr_model_destroy(r->other_model);
    tr_run_inputs_deinit(&r->inputs);
    free(r->metric);
    *r = (record){0};
}

/* Lines "name = value"; those of the motion are not the learner's. */
static tr_status read_parameters(record *r, tr_error *error) {
    char text[TR_RUN_PARAMETERS_MAX], *rest = text, name[TR_NAME_MAX];
    const char *value;
    memcpy(text, r->run.parameters, sizeof text);
    r->parameters = tr_learn_parameters_default();
    while (tr_run_next_parameter(&rest, name, &value)) {
        if (!name[0])
            return tr_fail(error, TR_DATA_LOSS, "run '%s': parameters: '%.60s' is no parameter",
                           r->run.name, value);
        if (strcmp(name, "motion_hash") == 0)
            r->motion_hash = strtoull(value, NULL, 16);
        else if (strcmp(name, "motion_options") == 0)
            snprintf(r->motion_options, sizeof r->motion_options, "%.*s",
                     (int)sizeof r->motion_options - 1, value);
        else {
            tr_status status = tr_learn_parameters_set(&r->parameters, name, value, error);
            if (status != TR_OK)
                return status;
        }
    }
    return TR_OK;
}

/* A controller with its model. The first one's model and clip are the session's. */
static tr_status load_controller(session *s, const tr_controller_row *of, record *r) {
    tr_status status = TR_OK;
    if (!s->model) {
        s->model_id = of->model_id;
        status = tr_models_load(s->catalogue, of->model_id, &s->model, s->error);
        if (status == TR_OK && of->clip_id)
            status = tr_clips_get(s->catalogue, of->clip_id, &s->clip, s->error);
    }
    if (status == TR_OK && of->model_id != s->model_id)
        status = tr_models_load(s->catalogue, of->model_id, &r->other_model, s->error);
    const tr_model *model = r->other_model ? r->other_model : s->model;
    if (status == TR_OK)
        status = tr_controllers_load(s->catalogue, of->id, model, &r->controller, s->error);
    return status;
}

static tr_status load_metrics(session *s, record *r) {
    int count = r->run.metric_count;
    tr_metric_filter filter = {.run = r->run.id};
    r->metric = calloc((size_t)count + 1, sizeof *r->metric);
    if (!r->metric)
        return tr_fail(s->error, TR_RESOURCE_EXHAUSTED, "no memory for the metrics");
    if (count == 0)
        return TR_OK;
    tr_status status = tr_runs_metrics(s->catalogue, &filter, r->metric, &count, s->error);
    r->metric_count = count;
    return status;
}

/* Records of earlier versions name the files of the command and do not hold them. */
static tr_status load_inputs(session *s, record *r) {
    static const char *const role[] = {TR_TRAINING_CONTROL, TR_TRAINING_STARTS};
    tr_status status = tr_runs_inputs(s->catalogue, r->run.id, &r->inputs, s->error);
    for (size_t i = 0; status == TR_OK && i < sizeof role / sizeof *role; i++) {
        char option[TR_RUN_ROLE_MAX + 4];
        snprintf(option, sizeof option, " --%s ", role[i]);
        if (strstr(r->run.command, option) && !tr_run_inputs_find(&r->inputs, role[i]))
            status = tr_fail(s->error, TR_FAILED_PRECONDITION,
                             "run '%s': its record does not keep the file given with%s",
                             r->run.name, option);
    }
    return status;
}

static tr_status load_record(session *s, const tr_run_row *run, record *out) {
    *out = (record){.run = *run};
    tr_status status = read_parameters(out, s->error);
    return status == TR_OK ? load_metrics(s, out) : status;
}

/* --- the motion --- */

/* The regular file in the folder whose content has the clip's digest. path: [PATH_BYTES_MAX]. */
static tr_status find_clip(const session *s, char *path) {
    DIR *folder = opendir(s->options->clips);
    if (!folder)
        return tr_fail(s->error, TR_NOT_FOUND, "%s: not a folder", s->options->clips);
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(folder));) {
        struct stat about;
        tr_digest digest;
        int length = snprintf(path, PATH_BYTES_MAX, "%s/%s", s->options->clips, entry->d_name);
        found = length < PATH_BYTES_MAX && stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
                about.st_size <= CLIP_BYTES_MAX &&
                tr_clips_digest_file(path, &digest, s->error) == TR_OK &&
                tr_digest_equal(&digest, &s->clip.file_digest);
    }
    closedir(folder);
    if (found)
        return TR_OK;
    return tr_fail(s->error, TR_NOT_FOUND, "%s: no file in it is the clip '%s' (%s)",
                   s->options->clips, s->clip.name, s->clip.source);
}

/* Motions are learned from as their files hold them, with the digits that a file keeps. */
static tr_status through_a_file(const session *s, const tr_motion *motion, tr_motion **out) {
    const char *folder = getenv("TMPDIR");
    char path[PATH_BYTES_MAX];
    snprintf(path, sizeof path, "%s/troupe-motion-XXXXXX", folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0)
        return tr_fail(s->error, TR_UNAVAILABLE, "%s: cannot be made", path);
    close(file);
    tr_status status = tr_motion_save(motion, path, s->error);
    if (status == TR_OK)
        status = tr_motion_load(path, s->model, out, s->error);
    unlink(path);
    return status;
}

static tr_status import_clip(const session *s, const record *r, const char *path, tr_motion **out) {
    tr_motion *motion = NULL;
    tr_import import = tr_import_default();
    const char *how = s->options->import ? s->options->import : r->motion_options;
    tr_status status = tr_import_read_options(how, &import, s->error);
    import.first = s->clip.first_frame;
    import.last = s->clip.last_frame;
    import.name = s->clip.name;
    import.clip.skeleton = s->clip.skeleton;
    if (status == TR_OK)
        status = tr_import_run(path, s->model, &import, &motion, NULL, s->error);
    if (status == TR_OK)
        status = through_a_file(s, motion, out);
    tr_motion_destroy(motion);
    return status;
}

/* The digest kept may also be that of the motion's own file (learn without --clip). */
static tr_status find_motion(const session *s, const record *r, tr_motion **out) {
    char path[PATH_BYTES_MAX];
    tr_error ignored;
    if (s->options->motion)
        return tr_motion_load(s->options->motion, s->model, out, s->error);
    tr_status status = find_clip(s, path);
    if (status != TR_OK || tr_motion_load(path, s->model, out, &ignored) == TR_OK)
        return status;
    if (!r->motion_options[0] && !s->options->import)
        return tr_fail(s->error, TR_FAILED_PRECONDITION,
                       "run '%s': how its clip was imported is not recorded: give --import or "
                       "--motion",
                       r->run.name);
    return import_clip(s, r, path, out);
}

static tr_status get_motion(const session *s, const record *r, tr_motion **out) {
    tr_motion *motion = NULL;
    tr_status status = find_motion(s, r, &motion);
    if (status != TR_OK)
        return status;
    uint64_t hash = tr_motion_hash(motion);
    if (r->motion_hash && hash != r->motion_hash)
        printf("the motion is another one: hash %016" PRIx64 ", recorded %016" PRIx64 "\n", hash,
               r->motion_hash);
    *out = motion;
    return TR_OK;
}

/* --- training again --- */

/* What a run went on from; both NULL: nothing; model NULL: the same. */
typedef struct origin {
    tr_controller *controller;
    tr_model *model;
} origin;

/* Row by row to the end. */
static tr_status advance(const session *s, const record *r, tr_learner *learner) {
    double begin = tr_wall_seconds();
    while (tr_learner_done(learner) < tr_learner_rows(learner)) {
        tr_status status = tr_learner_advance(learner, s->error);
        if (status != TR_OK)
            return status;
        printf("%s: row %d of %d", r->run.name, tr_learner_done(learner), tr_learner_rows(learner));
        tr_print_share(tr_learner_share(learner), 0, tr_wall_seconds() - begin);
    }
    return TR_OK;
}

static tr_status train(session *s, record *r, const origin *from, tr_training *out) {
    tr_motion *motion = NULL;
    tr_status status = load_inputs(s, r);
    if (status == TR_OK)
        status = get_motion(s, r, &motion);
    if (status != TR_OK)
        return status;
    tr_learner_def def = {.model = s->model,
                          .motion = motion,
                          .name = r->run.name,
                          .parameters = r->parameters,
                          .from = from->controller,
                          .from_model = from->model,
                          .threads = s->options->threads};
    status = tr_training_begin(&def, &r->inputs, out, s->error);
    if (status == TR_OK)
        status = advance(s, r, out->learner);
    tr_motion_destroy(motion);
    return status;
}

/* --- what it went on from --- */

/* Trained again, when the catalogue has the run but no controller of it. */
static tr_status get_parent(session *s, const record *r, int depth, origin *out);

static tr_status train_with_ancestors(session *s, record *r, int depth, tr_training *out) {
    origin from = {0};
    tr_status status = TR_OK;
    if (r->run.parent_count > 0)
        status = get_parent(s, r, depth, &from);
    if (status == TR_OK)
        status = train(s, r, &from, out);
    tr_controller_destroy(from.controller);
    tr_model_destroy(from.model);
    return status;
}

static tr_status get_parent(session *s, const record *r, int depth, origin *out) {
    tr_run_row run;
    record parent = {0};
    tr_controller_row row;
    tr_training training = {0};
    if (r->run.parent_count > 1 || depth == ANCESTORS_MAX)
        return tr_fail(s->error, TR_UNIMPLEMENTED, "run '%s': goes on from too many", r->run.name);
    tr_status status = tr_runs_get(s->catalogue, r->run.parent[0], &run, s->error);
    if (status != TR_OK)
        return status;
    tr_status found = tr_run_find_controller(s->catalogue, &run, &row, s->error);
    if (found != TR_OK && found != TR_NOT_FOUND)
        return found;
    status = load_record(s, &run, &parent);
    if (status == TR_OK && found == TR_OK) {
        status = load_controller(s, &row, &parent);
        *out = (origin){parent.controller, parent.other_model};
        parent.controller = NULL;
        parent.other_model = NULL;
    } else if (status == TR_OK) {
        printf("%s went on from %s, whose controller is not here: trained again first\n",
               r->run.name, run.name);
        status = train_with_ancestors(s, &parent, depth + 1, &training);
        if (status == TR_OK)
            status =
                tr_controller_copy(tr_learner_best(training.learner), s->model, &out->controller);
    }
    tr_training_deinit(&training);
    close_record(&parent);
    return status;
}

/* --- the report --- */

/* NULL: it is not among them. metric: [count]. */
static const tr_run_metric *find_metric(const tr_run_metric *metric, int count,
                                        const tr_run_metric *like) {
    for (int i = 0; i < count; i++)
        if (metric[i].iteration == like->iteration && strcmp(metric[i].name, like->name) == 0)
            return &metric[i];
    return NULL;
}

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

static bool report_metrics(const record *r, const tr_training_record *again) {
    int same = 0, compared = 0;
    tr_run_metric *metric = calloc((size_t)tr_run_metrics_count(again) + 1, sizeof *metric);
    if (!metric)
        return false;
    int count = tr_run_metrics_list(again, metric);
    for (int i = 0; i < r->metric_count; i++) {
        const tr_run_metric *was = &r->metric[i];
        if (strcmp(was->name, "core_s") == 0) /* the processor's time is another each time */
            continue;
        compared++;
        same += report_metric(was, find_metric(metric, count, was));
    }
    free(metric);
    printf("metrics: %d of %d are the same to the bit\n", same, compared);
    return same == compared;
}

static tr_status report(const record *r, tr_learner *learner, const tr_model *model,
                        tr_error *error) {
    bool same = report_metrics(r, tr_learner_record(learner));
    same = tr_controller_difference_print(r->controller, tr_learner_best(learner), model) && same;
    if (same)
        return TR_OK;
    if (strcmp(r->run.code_version, TR_CODE_VERSION) != 0)
        printf("it was trained by build %s; this is %s\n", r->run.code_version, TR_CODE_VERSION);
    return tr_fail(error, TR_ABORTED, "run '%s': not the same", r->run.name);
}

/* --- the command --- */

static tr_status reproduce_training(session *s, const tr_run_row *run) {
    record r = {0};
    tr_controller_row row;
    tr_training training = {0};
    if (!s->options->clips && !s->options->motion)
        return tr_fail(s->error, TR_INVALID_ARGUMENT,
                       "run '%s' learned from a clip: expected --clips or --motion", run->name);
    tr_status status = load_record(s, run, &r);
    if (status == TR_OK)
        status = tr_run_find_controller(s->catalogue, run, &row, s->error);
    if (status == TR_OK)
        status = load_controller(s, &row, &r);
    if (status == TR_OK)
        status = train_with_ancestors(s, &r, 0, &training);
    if (status == TR_OK)
        status = report(&r, training.learner, s->model, s->error);
    tr_training_deinit(&training);
    close_record(&r);
    return status;
}

static tr_status reproduce(session *s) {
    tr_run_row run;
    tr_status status = tr_runs_find(s->catalogue, s->options->run, &run, s->error);
    if (status != TR_OK)
        return status;
    printf("recorded as: %s\n", run.command);
    (void)fflush(stdout);
    return tr_graph_record_is(&run)
               ? tr_graph_record_repeat(s->catalogue, &run, s->options->threads, s->error)
               : reproduce_training(s, &run);
}

static int exec(int argc, char **argv) {
    options o;
    tr_error error = {0};
    if (!parse(argc, argv, &o))
        return TR_TOOL_USAGE;
    tr_physics_init();
    session s = {.options = &o, .error = &error};
    tr_status status = tr_catalogue_open(o.catalogue, TR_CATALOGUE_READ, &s.catalogue, &error);
    if (status == TR_OK)
        status = reproduce(&s);
    tr_model_destroy(s.model);
    tr_catalogue_close(s.catalogue);
    return tr_tool_end("reproduce", status, &error);
}

const tr_tool_command tr_tool_reproduce = {
    .name = "reproduce",
    .arguments = "RUN --catalogue FILE [--clips DIR [--import TEXT] | --motion M] [--threads N]",
    .summary = "does a run of the catalogue again and reports what differs",
    .help =
        "Takes parameters, seed and model from the catalogue (or a bundle), finds the clip among\n"
        "the files of DIR by its digest, imports it as it was, and trains. A run that went on "
        "from\n"
        "another begins from that one's controller, which is trained again if it is not there.\n"
        "The files that it was given (--starts, --control) are in its record.\n"
        "A control graph is built or seasoned again by the recorded options, of the skills and\n"
        "graphs that it was made of, which must be in the catalogue as they were.\n"
        "Metrics and controller are compared number by number; on the same build they are the\n"
        "same to the bit, whatever the number of threads. Exit code 1: they differ.\n"
        "\n"
        "  --clips DIR    folder with the source clips\n"
        "  --motion M     the imported motion itself\n"
        "  --import TEXT  how the clip was imported (options in the motion's file), for runs that\n"
        "                 do not say so\n"
        "  --threads N    all cores; does not change the result\n"
        "\n"
        "  troupe-train reproduce run --catalogue db/shipped.troupe --clips mocap\n",
    .exec = exec};
