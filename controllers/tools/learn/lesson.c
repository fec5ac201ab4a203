#include "tools/learn/lesson.h"

#include "learn/reconstruct/reconstruct.h"
#include "tools/clips/clip_use.h"
#include "tools/clips/import_report.h"
#include "tools/frame/circumstances.h"
#include "tools/frame/lead.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PARTS_S = 3; /* what is shorter is not cut into parts */

void tr_lesson_deinit(tr_lesson *l) {
    tr_motion_destroy(l->motion);
    free(l->control);
    *l = (tr_lesson){0};
}

bool tr_lesson_is_motion(const char *path) {
    static const char key[] = "\"troupe_motion\"";
    char begin[4096];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t size = fread(begin, 1, sizeof begin - 1, file);
    fclose(file);
    begin[size] = '\0';
    return strstr(begin, key) != NULL;
}

/* ---- The plan ---- */

/* A clip on its way to a plan: imported open, with what a plan needs of it. */
typedef struct opened {
    tr_motion *motion;
    tr_import_account account;
    tr_plan_def plan;
} opened;

static tr_status open_clip(const tr_lesson_def *def, opened *out, tr_error *error) {
    const tr_import *import = &def->options->import;
    tr_plan_effort effort = TR_EFFORT_NORMAL;
    if (def->options->effort)
        (void)tr_plan_effort_find(def->options->effort, &effort); /* the option is checked */
    tr_status status =
        tr_clip_import(def->source, def->model, import, &out->motion, &out->account, error);
    out->plan = (tr_plan_def){.model = def->model,
                              .motion = out->motion,
                              .import = import,
                              .account = &out->account,
                              .effort = effort,
                              .harder = def->harder,
                              .seed = def->seed};
    return status;
}

static void close_clip(opened *o) {
    tr_import_account_deinit(&o->account);
    tr_motion_destroy(o->motion);
}

/* Prints the parts, and the command that draws one, so that a user can see which to choose. */
static tr_status list_parts(const opened *o, const char *source, tr_plan_part *out,
                            int *out_count) {
    tr_status status = tr_plan_parts(&o->plan, out, out_count);
    double seconds = 0;
    for (int i = 0; !status && i < *out_count; i++) {
        seconds = (out[i].last - out[i].first) * o->account.clip->dt_s;
        printf("%s %2d %-8s %s, frames %d to %d, %.1f s, %.2f m/s, turning %.0f deg\n",
               i ? "          " : "parts     ", i + 1, out[i].name,
               tr_plan_kind_name(out[i].plan.kind), out[i].first, out[i].last, seconds,
               out[i].plan.path_mps, out[i].plan.turn_rad * 180 / TR_PI);
    }
    if (!status && *out_count > 0)
        printf(
            "            part %d is drawn by: troupe-train strip %s@%d --to %.1f --out part.svg\n",
            *out_count, source, out[*out_count - 1].first, seconds);
    (void)fflush(stdout);
    return status;
}

tr_status tr_lesson_parts(const tr_lesson_def *def, tr_plan_part *out, int *out_count,
                          tr_error *error) {
    opened clip = {0};
    tr_status status = open_clip(def, &clip, error);
    if (!status)
        status = tr_fail_if(error, list_parts(&clip, def->source, out, out_count), "%s: parts",
                            def->source);
    close_clip(&clip);
    return status;
}

tr_status tr_lesson_survey(const tr_lesson_def *def, tr_plan_part *out, int *out_count,
                           uint64_t *out_hash, tr_error *error) {
    opened clip = {0};
    tr_status status = open_clip(def, &clip, error);
    *out_count = 0;
    if (!status) {
        *out_hash = clip.motion->source.hash;
        out[0].first = clip.account.first;
        out[0].last = clip.account.last;
        status = tr_plan_make(&clip.plan, &out[0].plan, error);
        *out_count = !status;
    }
    if (status && clip.motion && tr_motion_duration(clip.motion) > PARTS_S &&
        !tr_plan_parts(&clip.plan, out, out_count) && *out_count > 0)
        status = TR_OK;
    close_clip(&clip);
    return status;
}

static tr_status make_plan(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    opened clip = {0};
    tr_status status = open_clip(def, &clip, error);
    if (!status && def->harder == 0)
        tr_import_report_clip(&clip.account);
    if (!status && (status = tr_plan_make(&clip.plan, &l->plan, error))) {
        /* What cannot be planned whole may have parts that can. */
        tr_plan_part *part = calloc(TR_PLAN_PART_MAX, sizeof *part);
        int count = 0;
        if (part && tr_motion_duration(clip.motion) > PARTS_S)
            (void)list_parts(&clip, def->source, part, &count); /* the refusal stands */
        free(part);
    }
    close_clip(&clip);
    if (!status && def->has_loop)
        l->plan.parameters.refine_rounds = 0;
    return !status ? def->change(def->context, &l->plan.parameters, error) : status;
}

/* ---- The motion ---- */

static tr_status import_as_planned(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    tr_import_account account = {0};
    tr_motion_report report;
    l->plan.import.name = def->name;
    tr_status status =
        tr_clip_import(def->source, def->model, &l->plan.import, &l->motion, &account, error);
    if (!status)
        status = tr_fail_if(error, tr_motion_describe(def->model, l->motion, &report), "%s",
                            def->source);
    if (!status) {
        printf("plan        %s\n", tr_plan_kind_name(l->plan.kind));
        for (int i = 0; i < l->plan.reason_count; i++)
            printf("            %s\n", l->plan.reason[i]);
        (void)fflush(stdout);
        tr_import_report_motion(&account, def->model, l->motion, &report);
    }
    tr_import_account_deinit(&account);
    return status;
}

/* The motion's file lies beside the catalogue. */
static tr_status name_motion(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    const char *slash = strrchr(def->catalogue, '/');
    int folder = slash ? (int)(slash - def->catalogue) + 1 : 0;
    int length = snprintf(l->motion_path, sizeof l->motion_path, "%.*s%s.motion.json", folder,
                          def->catalogue, def->name);
    if (length < 0 || (size_t)length >= sizeof l->motion_path)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: the path is too long", def->name);
    return TR_OK;
}

/* Training uses the motion as its file holds it, with the file's digits. */
static tr_status write_motion(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    tr_status status = name_motion(def, l, error);
    if (!status)
        status = tr_lead_save_motion(l->motion, l->motion_path, error);
    tr_motion_destroy(l->motion);
    l->motion = NULL;
    return !status ? tr_motion_load(l->motion_path, def->model, &l->motion, error) : status;
}

/* ---- The open loop ---- */

static tr_status find_control(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    const tr_reconstruct_def task = {.model = def->model,
                                     .motion = l->motion,
                                     .parameters = l->plan.control,
                                     .threads = def->threads};
    tr_reconstruction *r = NULL;
    double begin_s = tr_processor_seconds();
    tr_status status = tr_reconstruct_create(&task, &r, error);
    while (!status && r->progress.phase != TR_RECONSTRUCT_DONE)
        status = tr_reconstruct_advance(r, error);
    if (!status)
        status =
            tr_fail_if(error, tr_reconstruct_print(r, &l->control, &l->control_size), "control");
    if (!status) {
        l->control_s = tr_processor_seconds() - begin_s;
        printf("reconstructed  core_s %.4g  trials %d\n", l->control_s, r->progress.trials);
    }
    tr_reconstruct_destroy(r);
    return status;
}

tr_status tr_lesson_open(const tr_lesson_def *def, tr_lesson *l, tr_error *error) {
    tr_status status = make_plan(def, l, error);
    if (!status)
        status = import_as_planned(def, l, error);
    if (status || def->options->plans_only)
        return status;
    status = write_motion(def, l, error);
    const bool needs_control = l->plan.kind == TR_PLAN_CHAIN && !def->has_loop;
    return !status && needs_control ? find_control(def, l, error) : status;
}
