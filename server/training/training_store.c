#include "server/training/training_store.h"

#include "db/bundles/bundle.h"
#include "db/tables/controllers.h"
#include "db/tables/runs.h"
#include "model/name.h"
#include "server/training/training_place.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct store_job {
    tr_catalogue_job job; /* first: the catalogue's thread hands it back */
    char folder[TR_TRAINING_PATH_MAX];
    char name[TR_NAME_MAX], controller[TR_NAME_MAX];
    bool is_preview;
    tr_error error;
    tr_training_stored done;
    void *context;
} store_job;

static void done(tr_catalogue_job *base) {
    store_job *job = (store_job *)base;
    job->done(job->context, job->controller, &job->error);
    free(job);
}

static tr_status submit(tr_catalogue_thread *thread, const store_job *what,
                        void (*query)(tr_catalogue_job *, tr_catalogue *)) {
    store_job *job = malloc(sizeof *job);
    if (!job)
        return TR_RESOURCE_EXHAUSTED;
    *job = *what;
    job->job = (tr_catalogue_job){.query = query, .done = done};
    tr_status status = tr_catalogue_thread_submit(thread, &job->job);
    if (status)
        free(job);
    return status;
}

/* --- a free name --- */

static void check(tr_catalogue_job *base, tr_catalogue *catalogue) {
    store_job *job = (store_job *)base;
    tr_controller_row controller;
    tr_run_row run;
    tr_error why = {0};
    tr_status status = tr_controllers_find(catalogue, job->name, &controller, &why);
    const char *taken = !status ? "controller" : "run";
    if (status == TR_NOT_FOUND)
        status = tr_runs_find(catalogue, job->name, &run, &why);
    if (!status)
        (void)tr_fail(&job->error, TR_ALREADY_EXISTS,
                      "name '%s': the catalogue has a %s of this name", job->name, taken);
    else if (status != TR_NOT_FOUND)
        job->error = why;
}

tr_status tr_training_store_check(tr_catalogue_thread *thread, const char *name,
                                  tr_training_stored stored, void *context) {
    store_job job = {.done = stored, .context = context};
    tr_name_set(job.name, name);
    return submit(thread, &job, check);
}

/* --- the result --- */

static tr_status export(const store_job *job, const char *bundle, tr_controller_row *out_row,
                        tr_error *error) {
    char path[TR_TRAINING_PATH_MAX + 32];
    tr_catalogue *trained = NULL;
    snprintf(path, sizeof path, "%s/" TR_TRAINING_CATALOGUE, job->folder);
    tr_status status = tr_catalogue_open(path, TR_CATALOGUE_READ, &trained, error);
    if (!status)
        status = tr_controllers_find(trained, job->name, out_row, error);
    if (!status)
        status = tr_bundle_export(trained, &out_row->id, 1, bundle, error);
    tr_catalogue_close(trained);
    return status;
}

/* --- the preview --- */

void tr_training_preview_name(const char *training, char out[TR_NAME_MAX]) {
    static const char ending[] = "-preview";
    snprintf(out, TR_NAME_MAX, "%.*s%s", TR_NAME_MAX - (int)sizeof ending, training, ending);
}

/* The digest is in the folder before the preview is in the catalogue, so that the result, which a
 * later daemon may store, finds what it replaces, and removes no other controller of the name. */
static FILE *open_digest(const store_job *job, const char *mode) {
    char path[TR_TRAINING_PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/" TR_TRAINING_PREVIEW, job->folder);
    return fopen(path, mode);
}

static tr_status keep_digest(const store_job *job, const tr_digest *digest, tr_error *error) {
    FILE *file = open_digest(job, "w");
    bool kept = file && fwrite(digest, sizeof *digest, 1, file) == 1;
    if (file && fclose(file) != 0)
        kept = false;
    return kept ? TR_OK : tr_fail(error, TR_PERMISSION_DENIED, "its folder cannot be written");
}

/* Worlds that play it keep it. */
static tr_status remove_preview(const store_job *job, tr_catalogue *catalogue, tr_error *error) {
    FILE *file = open_digest(job, "r");
    tr_digest digest;
    bool known = file && fread(&digest, sizeof digest, 1, file) == 1;
    if (file)
        fclose(file);
    char name[TR_NAME_MAX];
    tr_controller_row row;
    tr_training_preview_name(job->name, name);
    bool is_there = known && !tr_controllers_find(catalogue, name, &row, NULL) &&
                    tr_digest_equal(&row.digest, &digest);
    return is_there ? tr_controllers_remove(catalogue, row.id, error) : TR_OK;
}

static tr_status name_preview(const store_job *job, tr_catalogue *catalogue, tr_controller_row *row,
                              tr_error *error) {
    tr_training_preview_name(job->name, row->name);
    return tr_controllers_rename(catalogue, row->id, row->name, error);
}

static void import(tr_catalogue_job *base, tr_catalogue *catalogue) {
    store_job *job = (store_job *)base;
    char bundle[TR_TRAINING_PATH_MAX + 32];
    tr_controller_row row;
    tr_error why = {0};
    snprintf(bundle, sizeof bundle, "%s/" TR_TRAINING_BUNDLE, job->folder);
    tr_status status = export(job, bundle, &row, &why);
    if (!status)
        status = remove_preview(job, catalogue, &why);
    if (!status && job->is_preview)
        status = keep_digest(job, &row.digest, &why);
    if (!status)
        status = tr_bundle_import(catalogue, bundle, TR_BUNDLE_RENAME, NULL, &why);
    if (!status)
        status = tr_controllers_find_content(catalogue, &row.digest, &row, &why);
    if (!status && job->is_preview)
        status = name_preview(job, catalogue, &row, &why);
    if (!status)
        tr_name_set(job->controller, row.name);
    else
        job->error = why;
}

tr_status tr_training_store_import(tr_catalogue_thread *thread, const tr_training_result *result,
                                   tr_training_stored stored, void *context) {
    store_job job = {.done = stored, .context = context, .is_preview = result->is_preview};
    snprintf(job.folder, sizeof job.folder, "%s", result->folder);
    tr_name_set(job.name, result->name);
    return submit(thread, &job, import);
}
