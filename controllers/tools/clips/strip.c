/* troupe-train strip: rows of stick figures of clips and motions, one above the other. */
#include "draw/strip.h"
#include "model/mjcf.h"
#include "tools/clips/clip_use.h"
#include "tools/frame/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = TR_STRIP_ROW_MAX / 2, TIME_MAX_S = 1000000 };

/* One file of the command line: a motion of the model, or a source clip. */
typedef struct source {
    char path[1024];
    int first_frame; /* of a clip: FILE@FRAME */
    tr_motion *motion;
    tr_clip *clip;
    tr_pose poses[TR_STRIP_FIGURE_MAX];
    int frames[TR_STRIP_FIGURE_MAX];
} source;

typedef struct request {
    const char *model_path, *skeleton, *out;
    tr_words files;
    int figure_count;
    double from_s, to_s; /* to_s < 0: the length of the shortest file */
    double unit_m;       /* of the clips; 0: detected */
    bool front;
    tr_model *model;
    source *sources; /* [FILE_MAX] */
} request;

/* "clip.bvh@10": the clip from its frame 10 on. */
static void name_source(source *s, const char *argument) {
    snprintf(s->path, sizeof s->path, "%s", argument);
    char *at = strrchr(s->path, '@');
    int64_t frame;
    if (!at || !tr_option_integer(at + 1, &frame) || frame > TR_CLIP_FRAME_MAX)
        return;
    *at = '\0';
    s->first_frame = (int)frame;
}

static const request defaults = {
    .model_path = TR_MODEL_DIR "/humanoid.xml", .figure_count = 12, .to_s = -1};

static const tr_argument words[] = {
    {"MOTION ...", TR_OPTION_TEXT, offsetof(request, files), "motions or clips", 1, FILE_MAX},
    {"--model M", TR_OPTION_TEXT, offsetof(request, model_path),
     "character model of the motions, MJCF (the shipped humanoid.xml)"},
    {"--skeleton S", TR_OPTION_TEXT, offsetof(request, skeleton),
     "joint map of the clips, by name or path (detected)"},
    {"--unit M", TR_OPTION_NUMBER, offsetof(request, unit_m),
     "metres per unit of the clips (detected)", 1e-6, 1e3},
    {"--out X.svg", TR_OPTION_TEXT, offsetof(request, out), "write the drawing here",
     .needed = true},
    {"--count N", TR_OPTION_COUNT, offsetof(request, figure_count), "figures in a row (12)", 2,
     TR_STRIP_FIGURE_MAX},
    {"--from S", TR_OPTION_NUMBER, offsetof(request, from_s), "where the drawing begins, s (0)",
     -TIME_MAX_S, TIME_MAX_S},
    {"--to S", TR_OPTION_NUMBER, offsetof(request, to_s),
     "where it ends, s (the end of the shortest file)", -TIME_MAX_S, TIME_MAX_S},
    {"--front", TR_OPTION_FLAG, offsetof(request, front), "add rows seen from the front"},
    {0}};

/* Motions end in .json; all else is a clip. */
static tr_status load(const request *r, source *s, tr_error *error) {
    const char *dot = strrchr(s->path, '.');
    if (dot && strcmp(dot, ".json") == 0)
        return tr_motion_load(s->path, r->model, &s->motion, error);
    const tr_clip_options options = {.skeleton = r->skeleton, .unit_m = r->unit_m};
    tr_status status = tr_clip_load(s->path, &options, &s->clip, error);
    if (!status && s->first_frame >= s->clip->frame_count)
        status = tr_fail(error, TR_OUT_OF_RANGE, "%s: frame %d: expected 0 to %d", s->path,
                         s->first_frame, s->clip->frame_count - 1);
    return status;
}

/* Seconds from where the file begins to be drawn to its end. */
static double length_of(const source *s) {
    return s->motion ? tr_motion_duration(s->motion)
                     : s->clip->dt_s * (s->clip->frame_count - 1 - s->first_frame);
}

/* The times that all files have. */
static double shortest_length(const request *r) {
    double length = (double)INFINITY;
    for (int i = 0; i < r->files.count; i++)
        length = fmin(length, length_of(&r->sources[i]));
    return length;
}

static tr_strip_row make_row(const request *r, source *s, double step_s) {
    tr_strip_row row = {.label = s->path, .figure_count = r->figure_count};
    for (int i = 0; i < r->figure_count; i++) {
        double t = r->from_s + i * step_s;
        if (s->motion)
            s->poses[i] = tr_motion_pose(s->motion, t);
        else
            s->frames[i] = (int)fmin(fmax(s->first_frame + round(t / s->clip->dt_s), 0),
                                     s->clip->frame_count - 1);
    }
    if (!s->motion)
        return tr_clip_figures(s->clip, s->path, s->frames, r->figure_count);
    row.model = r->model;
    row.poses = s->poses;
    row.heading_rad = tr_quat_heading(s->poses[0].root_rot);
    return row;
}

static tr_status draw(const request *r, tr_error *error) {
    tr_strip_row rows[TR_STRIP_ROW_MAX];
    int count = 0;
    double to_s = r->to_s >= 0 ? r->to_s : shortest_length(r);
    double step_s = (to_s - r->from_s) / (r->figure_count - 1);
    if (!(step_s > 0 && to_s < 1e5 && r->from_s >= 0))
        return tr_fail(error, TR_INVALID_ARGUMENT, "times: expected 0 <= from < to");
    for (int view = 0; view < (r->front ? 2 : 1); view++)
        for (int i = 0; i < r->files.count; i++) {
            rows[count] = make_row(r, &r->sources[i], step_s);
            rows[count++].view = view ? TR_STRIP_FRONT : TR_STRIP_SIDE;
        }
    tr_strip strip = {.rows = rows, .row_count = count, .time_step_s = step_s};
    return tr_strip_save(&strip, r->out, error);
}

static tr_status run(const void *given, tr_error *error) {
    request r = *(const request *)given;
    r.sources = calloc(FILE_MAX, sizeof *r.sources);
    if (!r.sources)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory");
    tr_status status = tr_mjcf_load(r.model_path, &r.model, error);
    for (int i = 0; !status && i < r.files.count; i++) {
        name_source(&r.sources[i], r.files.word[i]);
        status = load(&r, &r.sources[i], error);
    }
    if (!status)
        status = draw(&r, error);
    for (int i = 0; i < FILE_MAX; i++) {
        tr_motion_destroy(r.sources[i].motion);
        tr_clip_destroy(r.sources[i].clip);
    }
    free(r.sources);
    tr_model_destroy(r.model);
    return status;
}

const tr_tool_command tr_tool_strip = {
    .name = "strip",
    .summary = "draw clips and motions as rows of stick figures, one above the other (SVG)",
    .help = "Draw files that end in .json as motions of the model, as import writes them; other\n"
            "files are clips, drawn with their skeleton. Left limbs are blue, right limbs red.\n"
            "A clip named FILE@N is drawn from its frame N on.\n",
    .example = "  troupe-train strip 16_36_1.bvh@10 run.json --to 0.8 -o run.svg\n",
    .options = sizeof(request),
    .argument = words,
    .defaults = &defaults,
    .run = run,
};
