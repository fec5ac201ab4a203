#include "tools/train/training_store.h"

#include "db/store/catalogue.h"
#include "db/tables/clips.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "learn/method/whole_file.h"
#include "math/hash.h"
#include "tools/frame/lead.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 1 << 28 };

tr_status tr_training_put_model(tr_catalogue *catalogue, const char *path, const tr_model *model,
                                tr_row_id *out_id, tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(path, 0, FILE_BYTES_MAX, &text, &size, error);
    if (!status)
        status = tr_models_put(catalogue, model->name, text, size, out_id, error);
    free(text);
    return status;
}

/* The files of a motion. */
typedef struct files {
    const tr_motion *motion;
    const char *motion_path, *clip_path;
} files;

/* A clip that is given must be the one the motion was made from; a motion that notes no digest has
 * a hash, which an .asf beside the clip is part of. */
static tr_status check_hash(const files *f, bool *out_same, tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_whole_file_read(f->clip_path, 0, FILE_BYTES_MAX, &text, &size, error);
    *out_same = !status && tr_hash_add(TR_HASH_START, text, size) == f->motion->source.hash;
    free(text);
    return status;
}

static tr_status digest_clip(const files *f, tr_digest *out, tr_error *error) {
    tr_digest noted;
    bool is_noted = tr_digest_parse(f->motion->source.digest, &noted), same = false;
    if (!f->clip_path && is_noted) {
        *out = noted;
        return TR_OK;
    }
    if (!f->clip_path)
        return tr_clips_digest_file(f->motion_path, out, error);
    tr_status status = tr_clips_digest_file(f->clip_path, out, error);
    if (!status && is_noted)
        same = tr_digest_equal(out, &noted);
    else if (!status)
        status = check_hash(f, &same, error);
    if (!status && !same)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "%s: not the file that %s was made from",
                         f->clip_path, f->motion_path);
    return status;
}

tr_status tr_training_put_clip(tr_catalogue *catalogue, const tr_motion *motion,
                               const char *motion_path, const char *clip_path, tr_row_id *out_id,
                               tr_error *error) {
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
    const files f = {motion, motion_path, clip_path};
    tr_status status = digest_clip(&f, &clip.file_digest, error);
    return !status ? tr_clips_put(catalogue, &clip, out_id, error) : status;
}

void tr_training_note_motion(const tr_motion *motion, tr_run_row *run) {
    size_t used = strlen(run->parameters);
    snprintf(run->parameters + used, sizeof run->parameters - used,
             "motion_hash = %016" PRIx64 "\nmotion_options = %s\n", tr_motion_hash(motion),
             motion->source.options);
}

tr_status tr_training_remove_earlier(tr_catalogue *catalogue, const char *name, tr_error *error) {
    tr_controller_row controller;
    tr_run_row run;
    tr_status status = tr_controllers_find(catalogue, name, &controller, error);
    if (!status)
        status = tr_controllers_remove(catalogue, controller.id, error);
    if (!status || status == TR_NOT_FOUND)
        status = tr_runs_find(catalogue, name, &run, error);
    if (!status)
        status = tr_runs_remove(catalogue, run.id, error);
    return status == TR_NOT_FOUND ? TR_OK : status;
}

static bool has_name(tr_catalogue *catalogue, const char *name) {
    tr_controller_row controller;
    tr_run_row run;
    return !tr_controllers_find(catalogue, name, &controller, NULL) ||
           !tr_runs_find(catalogue, name, &run, NULL);
}

tr_status tr_training_check_name(const char *path, const char *name, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = access(path, F_OK) == 0
                           ? tr_catalogue_open(path, TR_CATALOGUE_READ, &catalogue, error)
                           : TR_OK;
    if (catalogue && has_name(catalogue, name))
        status = tr_fail(error, TR_ALREADY_EXISTS,
                         "--name: '%s' is in %s already: give another name", name, path);
    tr_catalogue_close(catalogue);
    return status;
}
