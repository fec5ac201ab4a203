#include "motion/retarget/import.h"

#include "motion/clips/figure.h"
#include "motion/poses/poses.h"
#include "motion/retarget/import_options.h"
#include "motion/retarget/retarget.h"
#include "motion/scan/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EARLIER_STRAIGHT_RAD = 20 * TR_PI / 180; /* of the procedures 1 and 2 */

tr_import tr_import_default(void) {
    return (tr_import){.procedure = TR_IMPORT_PROCEDURE,
                       .stand = {0, -1},
                       .last = -1,
                       .dt_s = 0.005,
                       .smooth_s = 0.02,
                       .ground = -1};
}

void tr_import_account_deinit(tr_import_account *account) {
    tr_clip_destroy(account->clip);
    *account = (tr_import_account){0};
}

/* An import on its way.
 *   lead_in         frames at the beginning of the clip that are no motion
 *   source, closed, open  stages of the motion that the checks look at */
typedef struct importer {
    const char *path;
    const tr_model *model;
    const tr_import *import;
    tr_error *error;
    tr_import_account *account;
    int lead_in;
    tr_motion *source, *closed, *open;
} importer;

static bool is_checked(const importer *im) {
    return im->import->procedure > TR_IMPORT_PROCEDURE_FIRST;
}

static bool is_compared(const importer *im) {
    return im->import->procedure > TR_IMPORT_PROCEDURE_SECOND;
}

static bool is_levelled(const importer *im) {
    return im->import->procedure > TR_IMPORT_PROCEDURE_THIRD;
}

static tr_status check_options(const importer *im) {
    const tr_import *i = im->import;
    tr_status status = tr_import_check_bounds(i, im->error);
    if (status)
        return status;
    if (i->blend_s > 0 && i->return_s > 0)
        return tr_fail(im->error, TR_INVALID_ARGUMENT,
                       "blend and return: expected one of them, or none");
    if (i->from_rest_s > 0 && i->from_lying_s > 0)
        return tr_fail(im->error, TR_INVALID_ARGUMENT,
                       "from rest and from lying: expected one of them, or none");
    if (i->symmetric && (i->return_s > 0 || i->alike))
        return tr_fail(im->error, TR_INVALID_ARGUMENT,
                       "a symmetric gait is a whole cycle already: no return, and sides not alike");
    return TR_OK;
}

static tr_status choose_frames(importer *im) {
    const tr_import *i = im->import;
    const tr_clip *clip = im->account->clip;
    tr_part_joints joints = tr_skeleton_joints(clip->skeleton, clip);
    if (is_checked(im) && i->first == 0)
        im->lead_in = tr_figure_lead_in(clip, &joints);
    im->account->first = i->first + im->lead_in;
    im->account->last = i->last < 0 ? clip->frame_count - 1 : i->last;
    if (im->account->first < 0 || im->account->last >= clip->frame_count ||
        im->account->last < im->account->first + 2)
        return tr_fail(im->error, TR_OUT_OF_RANGE,
                       "%s: frames %d to %d: expected at least 3 frames within 0 to %d", im->path,
                       im->account->first, im->account->last, clip->frame_count - 1);
    return TR_OK;
}

/* Finds the calibration and gives it to the clip's joint map. */
static tr_status calibrate(importer *im) {
    tr_import_account *a = im->account;
    const tr_frame_range *stand = &im->import->stand;
    bool given = stand->last >= stand->first;
    if (!is_checked(im) && !given) {
        memcpy(a->calibration.turn, a->clip->skeleton->calibration, sizeof a->calibration.turn);
        a->calibration.trunk = a->calibration.foot[0] = a->calibration.foot[1] = TR_CALIBRATION_MAP;
        return TR_OK;
    }
    if (tr_calibrate(a->clip, given ? stand : NULL, &a->calibration))
        return tr_fail(im->error, TR_OUT_OF_RANGE, "%s: stand: expected frames within 0 to %d",
                       im->path, a->clip->frame_count - 1);
    memcpy(a->clip->skeleton->calibration, a->calibration.turn, sizeof a->calibration.turn);
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
    double span_s = (im->account->last - im->account->first) * im->account->clip->dt_s;
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

/* Replaces *motion by what an editing step made of it. */
static tr_status replace(const importer *im, const char *what, tr_status status, tr_motion *edited,
                         tr_motion **motion) {
    if (status)
        return tr_fail_if(im->error, status, "%s: %s", im->path, what);
    tr_motion_destroy(*motion);
    *motion = edited;
    return TR_OK;
}

/* The frames before and after the range give the splines their ends; a lead-in would bend them. */
static tr_status drop_lead_in(const importer *im, tr_motion **motion) {
    if (!im->lead_in)
        return TR_OK;
    tr_motion *cut = NULL;
    tr_status status = tr_motion_cut(*motion, im->lead_in, (*motion)->frame_count - 1, &cut);
    return replace(im, "leaving the lead-in out", status, cut, motion);
}

/* Over the whole clip, so that its parts agree; not where the options choose the ground or stiff feet. */
static tr_status level_out(const importer *im, tr_motion *motion) {
    tr_import_account *a = im->account;
    tr_status status = TR_OK;
    if (is_levelled(im) && im->import->ground < 0)
        status = tr_motion_level_drift(im->model, motion, &a->drift_m);
    if (!status && is_levelled(im) && !im->import->stiff)
        status = tr_motion_lay_feet(im->model, motion, a->pitch_rad);
    return tr_fail_if(im->error, status, "%s: levelling", im->path);
}

static tr_status cut_and_resample(importer *im, tr_motion **motion) {
    int steps = 0;
    tr_import_account *a = im->account;
    tr_status status = count_steps(im, &steps);
    if (!status)
        status = drop_lead_in(im, motion);
    if (!status)
        status = level_out(im, *motion);
    if (status)
        return status;
    double dt = a->clip->dt_s, step_s = (a->last - a->first) * dt / steps;
    int first = a->first - im->lead_in, last = a->last - im->lead_in;
    tr_motion *sampled;
    status = tr_motion_sample(*motion, first * dt, step_s, steps + 1, &sampled);
    if (status)
        return tr_fail_if(im->error, status, "%s: resampling", im->path);
    if (is_checked(im))
        status = tr_motion_cut(*motion, first, last, &im->source);
    if (status) {
        tr_motion_destroy(sampled);
        return tr_fail_if(im->error, status, "%s: cutting", im->path);
    }
    sampled->dt_s = im->import->dt_s;
    a->stretch = im->import->dt_s / step_s;
    return replace(im, "cutting", TR_OK, sampled, motion);
}

static tr_status close_cycle(importer *im, tr_motion **motion) {
    if (!is_cyclic(im->import))
        return TR_OK;
    tr_motion_closing closing = {.return_s = im->import->return_s,
                                 .blend_s = im->import->blend_s,
                                 .turn_rad = is_symmetric(im->import) ? 0 : (double)NAN,
                                 .straight_rad = is_compared(im) ? TR_MOTION_STRAIGHT_RAD
                                                                 : EARLIER_STRAIGHT_RAD};
    tr_motion *edited = NULL;
    im->account->gap = tr_motion_measure_gap(*motion, &closing);
    tr_status status = tr_motion_close(*motion, &closing, &edited);
    status = replace(im, "closing the cycle", status, edited, motion);
    if (!status && is_checked(im))
        status = tr_motion_copy(*motion, &im->closed);
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

static tr_status note_provenance(const importer *im, tr_motion *motion) {
    const tr_import *i = im->import;
    const tr_clip *clip = im->account->clip;
    tr_motion_source *s = &motion->source;
    const char *slash = strrchr(im->path, '/');
    tr_text_copy(motion->name, sizeof motion->name, i->name ? i->name : clip->name);
    tr_text_copy(s->clip, sizeof s->clip, slash ? slash + 1 : im->path);
    tr_text_copy(s->skeleton, sizeof s->skeleton, clip->found.skeleton);
    tr_text_copy(s->licence, sizeof s->licence, i->licence ? i->licence : "not stated");
    tr_text_copy(s->origin, sizeof s->origin, i->origin ? i->origin : "not stated");
    s->hash = clip->hash;
    s->first_frame = im->account->first;
    s->last_frame = im->account->last;
    if (tr_import_print_options(i, s->options, sizeof s->options))
        return TR_OK;
    return tr_fail(im->error, TR_RESOURCE_EXHAUSTED, "%s: its options exceed %zu bytes", im->path,
                   sizeof s->options - 1);
}

static tr_status put_on_ground(const importer *im, tr_motion *motion) {
    return im->import->ground < 0 ? tr_motion_fit_ground(im->model, motion)
                                  : tr_motion_ground(im->model, motion, im->import->ground);
}

/* Toes and wrists bend by their height above the ground, and this changes the lowest point: ground
 * before and after. */
static tr_status finish(const importer *im, tr_motion *motion) {
    const tr_import *i = im->import;
    tr_status status = tr_motion_smooth(motion, i->smooth_s);
    if (!status)
        status = put_on_ground(im, motion);
    if (!status && !i->stiff) {
        tr_motion_bend_toes(im->model, motion);
        tr_motion_bend_wrists(im->model, motion);
        status = tr_motion_smooth(motion, 0.5 * i->smooth_s);
    }
    if (!status && !i->stiff)
        status = put_on_ground(im, motion);
    if (!status && !i->stiff)
        status = tr_motion_plant_feet(im->model, motion);
    if (status)
        return tr_fail_if(im->error, status, "%s: smoothing and ground", im->path);
    tr_motion_align(motion);
    tr_motion_place(motion);
    return TR_OK;
}

/* The frames that are to be closed or joined, finished as they are: what the result is compared with. */
static tr_status keep_open(importer *im, const tr_motion *motion) {
    const tr_import *i = im->import;
    if (!is_compared(im) ||
        !(is_cyclic(i) || i->from_rest_s > 0 || i->to_rest_s > 0 || i->from_lying_s > 0))
        return TR_OK;
    tr_status status = tr_motion_copy(motion, &im->open);
    return !status ? finish(im, im->open) : status;
}

/* The time in which the gap between the ends is bridged. */
static double closing_time(const importer *im) {
    const tr_import *i = im->import;
    return i->return_s > 0  ? i->return_s
           : i->blend_s > 0 ? i->blend_s
           : im->closed     ? tr_motion_duration(im->closed)
                            : 0;
}

/* Runs the checks; the first that refuses and is not accepted ends the import. */
static tr_status inspect(const importer *im, const tr_motion *motion) {
    tr_import_account *a = im->account;
    tr_motion_report report, open_report;
    tr_status status = tr_motion_describe(im->model, motion, &report);
    if (!status && im->open)
        status = tr_motion_describe(im->model, im->open, &open_report);
    if (status)
        return tr_fail_if(im->error, status, "%s: report", im->path);
    const tr_inspection inspection = {
        .model = im->model,
        .import = im->import,
        .account = a,
        .source = im->source,
        .closed = im->closed,
        .open = im->open,
        .made = motion,
        .report = &report,
        .open_report = im->open ? &open_report : NULL,
        .closing_s = closing_time(im),
    };
    a->finding_count = tr_inspect(&inspection, a->finding);
    for (int i = 0; i < a->finding_count; i++) {
        const tr_finding *f = &a->finding[i];
        if (f->refuses && !(im->import->accepted >> f->check & 1U))
            return tr_fail(im->error, TR_FAILED_PRECONDITION,
                           "%.100s: %s; %s (or --accept %s to import it so)", im->path, f->text,
                           f->remedy, tr_check_name(f->check));
    }
    return TR_OK;
}

static tr_status make_motion(importer *im, tr_motion **motion) {
    tr_import_account *a = im->account;
    a->scale = tr_retarget_leg_length(im->model) / a->clip->found.leg_m;
    tr_status status = tr_retarget(a->clip, a->clip->skeleton, im->model, motion, im->error);
    if (!status)
        status = cut_and_resample(im, motion);
    if (!status)
        status = keep_open(im, *motion);
    if (!status)
        status = close_cycle(im, motion);
    if (!status)
        status = finish(im, *motion);
    if (!status)
        status = join_rest(im, motion);
    if (!status)
        status = join_lying(im, motion);
    if (!status && is_checked(im))
        status = inspect(im, *motion);
    return status ? status : note_provenance(im, *motion);
}

tr_status tr_import_run(const char *path, const tr_model *model, const tr_import *import,
                        tr_motion **out, tr_import_account *out_account, tr_error *error) {
    tr_import_account account = {0};
    importer im = {
        .path = path, .model = model, .import = import, .error = error, .account = &account};
    tr_motion *motion = NULL;
    tr_status status = check_options(&im);
    if (!status)
        status = tr_clip_load(path, &import->clip, &account.clip, error);
    if (!status)
        status = choose_frames(&im);
    if (!status)
        status = calibrate(&im);
    if (!status)
        status = make_motion(&im, &motion);
    tr_motion_destroy(im.source);
    tr_motion_destroy(im.closed);
    tr_motion_destroy(im.open);
    if (status)
        tr_motion_destroy(motion);
    else
        *out = motion;
    if (!status && out_account)
        *out_account = account;
    else
        tr_import_account_deinit(&account);
    return status;
}
