/* The way from a clip file to a motion that is ready for learning. */
#include "motion/retarget/retarget.h"

#include "motion/clips/scan.h"
#include "motion/poses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tr_import tr_import_default(void) {
    return (tr_import){.last = -1, .dt_s = 0.005, .smooth_s = 0.02, .ground = -1, .touch = true};
}

typedef struct importer {
    const char *path;
    const tr_model *model;
    const tr_import *import;
    tr_error *error;
    tr_clip *clip;
    int first, last;
} importer;

static tr_status check(importer *im) {
    const tr_import *i = im->import;
    if (!(i->dt_s >= 1e-4 && i->dt_s <= 0.1))
        return tr_fail(im->error, TR_INVALID_ARGUMENT, "time step: expected 0.0001 to 0.1 s");
    if (!(i->return_s >= 0 && i->return_s <= 10) || !(i->smooth_s >= 0 && i->smooth_s <= 1) ||
        !(i->ground <= 100))
        return tr_fail(im->error, TR_INVALID_ARGUMENT,
                       "return: expected 0 to 10 s; smoothing: 0 to 1 s; ground: at most 100 %%");
    if (!(i->blend_s >= 0 && i->blend_s <= 10) || (i->blend_s > 0 && i->return_s > 0))
        return tr_fail(im->error, TR_INVALID_ARGUMENT,
                       "blend: expected 0 to 10 s, and no return beside it");
    if (!(i->from_rest_s >= 0 && i->from_rest_s <= 10) ||
        !(i->to_rest_s >= 0 && i->to_rest_s <= 10) ||
        !(i->from_lying_s >= 0 && i->from_lying_s <= 10) ||
        (i->from_rest_s > 0 && i->from_lying_s > 0))
        return tr_fail(im->error, TR_INVALID_ARGUMENT,
                       "to and from rest, from lying: expected 0 to 10 s, and from one of them");
    if (i->frame_count < 0)
        return tr_fail(im->error, TR_INVALID_ARGUMENT,
                       "frames: expected a number, or 0 for as many "
                       "as the time step gives");
    if (i->symmetric && (i->return_s > 0 || i->alike))
        return tr_fail(im->error, TR_INVALID_ARGUMENT,
                       "a symmetric gait is a whole cycle already: no return, and sides not alike");
    im->first = i->first;
    im->last = i->last < 0 ? im->clip->frame_count - 1 : i->last;
    if (im->first < 0 || im->last >= im->clip->frame_count || im->last < im->first + 2)
        return tr_fail(im->error, TR_OUT_OF_RANGE,
                       "%s: frames %d to %d: expected at least 3 frames within 0 to %d", im->path,
                       im->first, im->last, im->clip->frame_count - 1);
    return TR_OK;
}

static bool is_cyclic(const tr_import *import) {
    return import->cyclic || import->symmetric || import->alike || import->return_s > 0 ||
           import->blend_s > 0;
}

static bool is_symmetric(const tr_import *import) {
    return import->symmetric || import->alike;
}

/* Steps of the chosen range in the result: a cycle of n frames is cut as n + 1, the last being the
 * first again. */
static tr_status count_steps(const importer *im, int *out) {
    const tr_import *i = im->import;
    double span_s = (im->last - im->first) * im->clip->dt_s;
    int tail = (int)lround(i->return_s / i->dt_s);
    double frames = i->alike ? i->frame_count / 2.0 : i->frame_count; /* of one cycle */
    double steps = i->frame_count > 0 ? frames - (is_cyclic(i) ? tail : 1)
                   : i->symmetric     ? 2 * round(span_s / i->dt_s / 2)
                                      : round(span_s / i->dt_s);
    if (!(steps >= 4 && steps + tail < TR_MOTION_FRAME_MAX))
        return tr_fail(im->error, TR_OUT_OF_RANGE, "%s: %.0f steps of %g s: expected 4 to %d",
                       im->path, steps, i->dt_s, TR_MOTION_FRAME_MAX);
    if ((i->symmetric && (int)steps % 2) || steps != floor(steps))
        return tr_fail(im->error, TR_INVALID_ARGUMENT,
                       "a symmetric motion needs an even number of frames, not %d",
                       i->frame_count > 0 ? i->frame_count : (int)steps);
    *out = (int)steps;
    return TR_OK;
}

static tr_status cut_and_resample(const importer *im, tr_motion **motion) {
    int steps = 0;
    tr_status status = count_steps(im, &steps);
    if (status)
        return status;
    double dt = im->clip->dt_s, step_s = (im->last - im->first) * dt / steps;
    tr_motion *sampled;
    status = tr_motion_sample(*motion, im->first * dt, step_s, steps + 1, &sampled);
    if (status)
        return tr_fail(im->error, status, "%s: resampling: %s", im->path, tr_status_text(status));
    sampled->dt_s = im->import->dt_s;
    tr_motion_destroy(*motion);
    *motion = sampled;
    return TR_OK;
}

/* Replaces *motion by what an editing step made of it. */
static tr_status replace(const importer *im, const char *what, tr_status status, tr_motion *edited,
                         tr_motion **motion) {
    if (status)
        return tr_fail(im->error, status, "%s: %s: %s", im->path, what, tr_status_text(status));
    tr_motion_destroy(*motion);
    *motion = edited;
    return TR_OK;
}

static tr_status close_cycle(const importer *im, tr_motion **motion) {
    if (!is_cyclic(im->import))
        return TR_OK;
    tr_motion_closing closing = {.return_s = im->import->return_s,
                                 .blend_s = im->import->blend_s,
                                 .turn_rad = is_symmetric(im->import) ? 0 : (double)NAN};
    tr_motion *edited = NULL;
    tr_status status = tr_motion_close(*motion, &closing, &edited);
    status = replace(im, "closing the cycle", status, edited, motion);
    if (!status && im->import->alike) {
        status = tr_motion_twice(*motion, &edited);
        status = replace(im, "playing the cycle twice", status, edited, motion);
    }
    if (status || !is_symmetric(im->import))
        return status;
    status = tr_motion_symmetrise(im->model, *motion, &edited);
    return replace(im, "making it symmetric", status, edited, motion);
}

static tr_status join_rest(const importer *im, tr_motion **motion) {
    const tr_import *i = im->import;
    if (i->from_rest_s == 0 && i->to_rest_s == 0)
        return TR_OK;
    tr_motion *joined = NULL;
    tr_status status =
        tr_motion_join_rest(im->model, *motion, i->from_rest_s, i->to_rest_s, &joined);
    return replace(im, "joining the rest pose", status, joined, motion);
}

static tr_status join_lying(const importer *im, tr_motion **motion) {
    if (im->import->from_lying_s == 0)
        return TR_OK;
    tr_motion *joined = NULL;
    tr_status status = tr_motion_join_lying(im->model, *motion, im->import->from_lying_s, &joined);
    return replace(im, "beginning it lying", status, joined, motion);
}

/* Options that few imports use, behind the others. */
static void note_exceptions(const tr_import *i, char *text, size_t capacity) {
    size_t used = strlen(text);
    if (!i->touch && used < capacity)
        used += (size_t)snprintf(text + used, capacity - used, ", stiff");
    if (i->from_rest_s > 0 && used < capacity)
        used += (size_t)snprintf(text + used, capacity - used, ", from rest %g", i->from_rest_s);
    if (i->to_rest_s > 0 && used < capacity)
        used += (size_t)snprintf(text + used, capacity - used, ", to rest %g", i->to_rest_s);
    if (i->from_lying_s > 0 && used < capacity)
        used += (size_t)snprintf(text + used, capacity - used, ", from lying %g", i->from_lying_s);
    if (i->clip.unit_m > 0 && used < capacity)
        used += (size_t)snprintf(text + used, capacity - used, ", unit %.17g", i->clip.unit_m);
    if (i->clip.rate_hz > 0 && used < capacity)
        used += (size_t)snprintf(text + used, capacity - used, ", rate %.17g", i->clip.rate_hz);
    if (i->clip.up && used < capacity)
        snprintf(text + used, capacity - used, ", up %c", i->clip.up);
}

static bool read_exception(const char *text, tr_import *out) {
    char up;
    if (strcmp(text, "stiff") == 0)
        out->touch = false;
    else if (sscanf(text, "up %c", &up) == 1)
        out->clip.up = up;
    else
        return sscanf(text, "from rest %lf", &out->from_rest_s) == 1 ||
               sscanf(text, "from lying %lf", &out->from_lying_s) == 1 ||
               sscanf(text, "to rest %lf", &out->to_rest_s) == 1 ||
               sscanf(text, "unit %lf", &out->clip.unit_m) == 1 ||
               sscanf(text, "rate %lf", &out->clip.rate_hz) == 1;
    return true;
}

tr_status tr_import_read_options(const char *text, tr_import *out, tr_error *error) {
    tr_import import = *out;
    char kind[16], rest[TR_MOTION_TEXT_MAX];
    int used = 0;
    snprintf(rest, sizeof rest, "%s", text);
    if (sscanf(rest, "dt %lf, frames %d, %15[a-z], return %lf, blend %lf, smooth %lf, ground %lf%n",
               &import.dt_s, &import.frame_count, kind, &import.return_s, &import.blend_s,
               &import.smooth_s, &import.ground, &used) != 7)
        return tr_fail(error, TR_INVALID_ARGUMENT, "options of an import: expected 'dt ...'");
    import.symmetric = strcmp(kind, "symmetric") == 0;
    import.alike = strcmp(kind, "alike") == 0;
    import.cyclic = strcmp(kind, "cyclic") == 0;
    char *save = NULL;
    for (char *at = strtok_r(rest + used, ",", &save); at; at = strtok_r(NULL, ",", &save))
        if (!read_exception(at + strspn(at, " "), &import))
            return tr_fail(error, TR_INVALID_ARGUMENT, "options of an import: '%s' is not known",
                           at);
    *out = import;
    return TR_OK;
}

static void note_provenance(const importer *im, tr_motion *motion) {
    const tr_import *i = im->import;
    tr_motion_source *s = &motion->source;
    const char *slash = strrchr(im->path, '/');
    tr_text_copy(motion->name, sizeof motion->name, i->name ? i->name : im->clip->name);
    tr_text_copy(s->clip, sizeof s->clip, slash ? slash + 1 : im->path);
    tr_text_copy(s->skeleton, sizeof s->skeleton, im->clip->found.skeleton);
    tr_text_copy(s->licence, sizeof s->licence, i->licence ? i->licence : "not stated");
    tr_text_copy(s->origin, sizeof s->origin, i->origin ? i->origin : "not stated");
    snprintf(s->options, sizeof s->options,
             "dt %g, frames %d, %s, return %g, blend %g, smooth %g, ground %g", i->dt_s,
             i->frame_count,
             i->symmetric   ? "symmetric"
             : i->alike     ? "alike"
             : is_cyclic(i) ? "cyclic"
                            : "open",
             i->return_s, i->blend_s, i->smooth_s, i->ground);
    note_exceptions(i, s->options, sizeof s->options);
    s->hash = im->clip->hash;
    s->first_frame = im->first;
    s->last_frame = im->last;
}

static tr_status put_on_ground(const importer *im, tr_motion *motion) {
    return im->import->ground < 0 ? tr_motion_fit_ground(im->model, motion)
                                  : tr_motion_ground(im->model, motion, im->import->ground);
}

/* Toes and wrists bend by their height above the ground, and change what is lowest: ground before
 * and after. */
static tr_status finish(const importer *im, tr_motion *motion) {
    const tr_import *i = im->import;
    tr_status status = tr_motion_smooth(motion, i->smooth_s);
    if (!status)
        status = put_on_ground(im, motion);
    if (!status && i->touch) {
        tr_motion_bend_toes(im->model, motion);
        tr_motion_bend_wrists(im->model, motion);
        status = tr_motion_smooth(motion, 0.5 * i->smooth_s);
    }
    if (!status && i->touch)
        status = put_on_ground(im, motion);
    if (!status && i->touch)
        status = tr_motion_plant_feet(im->model, motion);
    if (status)
        return tr_fail(im->error, status, "%s: smoothing and ground: %s", im->path,
                       tr_status_text(status));
    tr_motion_align(motion);
    tr_motion_place(motion);
    return TR_OK;
}

static tr_status make_motion(importer *im, tr_motion **out) {
    tr_skeleton skeleton;
    const tr_clip_options *options = &im->import->clip;
    tr_status status =
        tr_skeleton_load(options->skeleton ? options->skeleton : im->clip->found.skeleton,
                         options->skeleton_dir, &skeleton, im->error);
    tr_motion *motion = NULL;
    if (!status)
        status = tr_retarget(im->clip, &skeleton, im->model, &motion, im->error);
    if (!status)
        status = cut_and_resample(im, &motion);
    if (!status)
        status = close_cycle(im, &motion);
    if (!status)
        status = finish(im, motion);
    if (!status)
        status = join_rest(im, &motion);
    if (!status)
        status = join_lying(im, &motion);
    if (status) {
        tr_motion_destroy(motion);
        return status;
    }
    note_provenance(im, motion);
    *out = motion;
    return TR_OK;
}

tr_status tr_import_run(const char *path, const tr_model *model, const tr_import *import,
                        tr_motion **out, tr_clip **out_clip, tr_error *error) {
    importer im = {.path = path, .model = model, .import = import, .error = error};
    tr_status status = tr_clip_load(path, &import->clip, &im.clip, error);
    if (!status)
        status = check(&im);
    if (!status)
        status = make_motion(&im, out);
    if (!status && out_clip) {
        *out_clip = im.clip;
        im.clip = NULL;
    }
    tr_clip_destroy(im.clip);
    return status;
}
