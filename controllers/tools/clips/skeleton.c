/* troupe-train skeleton: the joint map of a clip, found or drafted, as a file and as a picture. */
#include "motion/clips/skeleton_detect.h"
#include "motion/clips/skeleton_shape.h"
#include "motion/scan/scan.h"
#include "tools/clips/clip_use.h"
#include "tools/frame/tool.h"

#include <stdio.h>
#include <string.h>

enum { FIGURES = 8 };

typedef struct request {
    const char *path, *name, *out, *strip;
    tr_clip_options options;
    tr_clip *raw; /* as its file holds it */
    tr_skeleton map;
} request;

static const tr_argument words[] = {
    {"CLIP", TR_OPTION_TEXT, offsetof(request, path), "the clip"},
    {"--skeleton S", TR_OPTION_TEXT, offsetof(request, options.skeleton),
     "try and show this map, by name or path (detected)"},
    {"--asf FILE", TR_OPTION_TEXT, offsetof(request, options.asf_path),
     "skeleton of an AMC (the .asf beside it)"},
    {"--name N", TR_OPTION_TEXT, offsetof(request, name), "name of the map"},
    {"--out MAP.json", TR_OPTION_TEXT, offsetof(request, out), "write the map here"},
    {"--strip X.svg", TR_OPTION_TEXT, offsetof(request, strip), "draw the clip here, with the map"},
    {0}};

static tr_status check(void *out, tr_error *error) {
    request *r = out;
    if (r->strip && !r->out)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "--strip: expected with --out, the map that it shows");
    return TR_OK;
}

/* ---- Printing ---- */

/* Prints the map and its score; returns whether it is whole. */
static bool print_map(const request *r) {
    const tr_skeleton *map = &r->map;
    tr_part lacking = tr_skeleton_lacking(map, r->raw);
    printf("skeleton    %s\n", map->name);
    for (int part = 0; part < TR_PART_COUNT; part++)
        printf("%s %-14s <- %s\n", part == 0 ? "joints     " : "           ",
               tr_part_name((tr_part)part),
               map->joint[part][0]                ? map->joint[part]
               : tr_skeleton_needs((tr_part)part) ? "(missing)"
                                                  : "(none)");
    if (lacking != TR_PART_COUNT) {
        printf("joints of the clip, with the lengths of their bones in units of the file:\n");
        for (int i = 0; i < r->raw->joint_count; i++) {
            int depth = 0;
            for (int k = i; r->raw->joints[k].parent >= 0; k = r->raw->joints[k].parent)
                depth++;
            printf("  %*s%s  %.3g\n", depth, "", r->raw->joints[i].name,
                   tr_vec3_length(r->raw->joints[i].offset));
        }
        return false;
    }
    tr_skeleton_shape shape = tr_skeleton_judge(map, r->raw);
    printf("score       %d of %d parts found; shape: %d of %d tests%s%s\n", map->fit.named_count,
           map->fit.part_count, shape.passed, shape.tests, shape.complaint[0] ? "; " : "",
           shape.complaint);
    return true;
}

/* ---- Drawing ---- */

/* Frames over the whole clip, from the side and from the front, by the map just written. */
static tr_status draw(const request *r, tr_error *error) {
    tr_clip_options options = r->options;
    tr_clip *clip = NULL;
    int frames[FIGURES];
    options.skeleton = r->out;
    tr_status status = tr_clip_load(r->path, &options, &clip, error);
    if (status)
        return status;
    for (int i = 0; i < FIGURES; i++)
        frames[i] = (int)((double)i * (clip->frame_count - 1) / (FIGURES - 1));
    tr_strip_row rows[2];
    rows[0] = tr_clip_figures(clip, "side: blue is left, red is right", frames, FIGURES);
    rows[1] = rows[0];
    rows[1].label = "front";
    rows[1].view = TR_STRIP_FRONT;
    const tr_strip strip = {.title = r->path, .rows = rows, .row_count = 2};
    status = tr_strip_save(&strip, r->strip, error);
    tr_clip_destroy(clip);
    return status;
}

static tr_status show(request *r, tr_error *error) {
    tr_status status = tr_clip_read(r->path, &r->options, &r->raw, error);
    if (!status)
        status = tr_skeleton_find(r->options.skeleton, r->raw, &r->map, error);
    if (status)
        return status;
    bool whole = print_map(r);
    if (r->out)
        status = tr_skeleton_save(&r->map, r->name, r->out, error);
    if (!status && !whole)
        status = tr_fail(error, TR_FAILED_PRECONDITION,
                         "%s: '%s' is missing: name its joint in a map, with 'parts' as above (%s)",
                         r->path, tr_part_name(tr_skeleton_lacking(&r->map, r->raw)),
                         r->out ? r->out : "-o FILE writes what was found");
    if (!status && r->strip)
        status = draw(r, error);
    return status;
}

static tr_status run(const void *given, tr_error *error) {
    request r = *(const request *)given;
    tr_status status = show(&r, error);
    tr_clip_destroy(r.raw);
    return status;
}

const tr_tool_command tr_tool_skeleton = {
    .name = "skeleton",
    .summary = "find or draft the joint map of a clip, and show it",
    .help = "Print which joint plays which part, by a shipped map, by the words in the names, or "
            "by the\n"
            "shape of the skeleton, and how well the map fits. The written map can be corrected by "
            "hand;\n"
            "give it to import, strip and learn with --skeleton. Look at the strip: left limbs "
            "must be\n"
            "blue, right ones red, and the figure must face to the right.\n",
    .example = "  troupe-train skeleton walk.bvh -o mine.json --strip mine.svg\n"
               "  troupe-train import walk.bvh --skeleton mine.json -o walk.json\n",
    .options = sizeof(request),
    .argument = words,
    .check = check,
    .run = run,
};
