/* Loading a clip: its format, its joint map, its units and axes. */
#include "motion/clips/axes.h"
#include "motion/clips/clip.h"
#include "motion/clips/loader.h"
#include "motion/clips/skeleton_detect.h"
#include "motion/clips/skeleton_draft.h"
#include "motion/scan/scan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The text after the last dot of the file name, or "". */
static const char *extension(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

/* A loader by the ending of its files. */
typedef struct format_row {
    const char *ending;
    tr_clip_format format;
    tr_clip_loader *read;
} format_row;

/* Loading a pickle runs what it holds. */
static tr_status refuse_pickle(const char *path, const tr_clip_options *options, tr_clip *clip,
                               tr_error *error) {
    (void)options, (void)clip;
    return tr_fail(error, TR_INVALID_ARGUMENT,
                   "%.200s: a pickle is a program and is never read; in Python, where the file is "
                   "trusted: numpy.savez('motion.npz', poses=..., trans=..., mocap_framerate=...) "
                   "with rotation vectors of the SMPL joints",
                   path);
}

static const format_row formats[] = {{"bvh", TR_CLIP_BVH, tr_bvh_read},
                                     {"amc", TR_CLIP_AMC, tr_amc_read},
                                     {"txt", TR_CLIP_DEEPMIMIC, tr_deepmimic_read},
                                     {"json", TR_CLIP_DEEPMIMIC, tr_deepmimic_read},
                                     {"glb", TR_CLIP_SCENE, tr_scene_read},
                                     {"gltf", TR_CLIP_SCENE, tr_scene_read},
                                     {"fbx", TR_CLIP_SCENE, tr_scene_read},
                                     {"npz", TR_CLIP_SMPL, tr_smpl_read},
                                     {"pkl", TR_CLIP_SMPL, refuse_pickle},
                                     {"pickle", TR_CLIP_SMPL, refuse_pickle},
                                     {"pt", TR_CLIP_SMPL, refuse_pickle},
                                     {"pth", TR_CLIP_SMPL, refuse_pickle},
                                     {"motion", TR_CLIP_SMPL, refuse_pickle},
                                     {"npy", TR_CLIP_SMPL, refuse_pickle}};

static const format_row *find_format(const char *path) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(extension(path), formats[i].ending) == 0)
            return &formats[i];
    return NULL;
}

/* How the files of a format begin. */
static const struct {
    const char *mark, *name;
    tr_clip_format format;
} beginnings[] = {{"HIERARCHY", "a BVH file; expected a name that ends in .bvh", TR_CLIP_BVH},
                  {"#!OML", "an AMC file; expected a name that ends in .amc", TR_CLIP_AMC},
                  {"glTF", "binary glTF; expected a name that ends in .glb", TR_CLIP_SCENE},
                  {"Kaydara FBX", "an FBX file; expected a name that ends in .fbx", TR_CLIP_SCENE},
                  {"PK\3\4", "a ZIP file; expected a name that ends in .npz", TR_CLIP_SMPL}};

/* After a reader has refused a file: is it of another format than its name says? Then that is why. */
static tr_status explain(const char *path, const format_row *row, tr_status status,
                         tr_error *error) {
    char text[16] = "";
    FILE *file = fopen(path, "rb");
    if (file) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        (void)fclose(file);
    }
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(text, beginnings[i].mark, strlen(beginnings[i].mark)) == 0 &&
            beginnings[i].format != row->format)
            return tr_fail(error, status, "%.200s: it begins as %s", path, beginnings[i].name);
    return status;
}

static tr_status read_format(const char *path, const tr_clip_options *options, tr_clip **out,
                             tr_error *error) {
    const format_row *row = find_format(path);
    if (!row)
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%.200s: expected a file ending in .bvh, .amc, .glb, .gltf, .fbx, .npz "
                       "(SMPL), .txt or .json (DeepMimic)",
                       path);
    tr_clip *clip = tr_clip_new(row->format);
    if (!clip)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "%.200s: out of memory", path);
    tr_status status = row->read(path, options, clip, error);
    if (status) {
        tr_clip_destroy(clip);
        return explain(path, row, status, error);
    }
    const char *slash = strrchr(path, '/');
    tr_text_copy(clip->name, sizeof clip->name, slash ? slash + 1 : path);
    char *dot = strrchr(clip->name, '.');
    if (dot && dot != clip->name)
        *dot = '\0';
    *out = clip;
    return TR_OK;
}

static tr_status check_options(const tr_clip_options *options, tr_error *error) {
    if (options->unit_m != 0 && !(options->unit_m >= 1e-6 && options->unit_m <= 1e3))
        return tr_fail(error, TR_INVALID_ARGUMENT, "unit: %g: expected 0.000001 to 1000 m",
                       options->unit_m);
    if (options->rate_hz != 0 && !(options->rate_hz >= 1 && options->rate_hz <= 1e4))
        return tr_fail(error, TR_INVALID_ARGUMENT, "frame rate: %g: expected 1 to 10000 Hz",
                       options->rate_hz);
    if (options->up && !strchr("xyzXYZ", options->up))
        return tr_fail(error, TR_INVALID_ARGUMENT, "up: expected x, y or z");
    return TR_OK;
}

/* The map stated, or the one that fits, with the clip's own names. */
static tr_status find_skeleton(tr_clip *clip, const tr_clip_options *options, tr_error *error) {
    const char *dir = options->skeleton_dir;
    tr_skeleton *skeleton = calloc(1, sizeof *skeleton);
    if (!skeleton)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = TR_OK;
    if (!options->skeleton)
        status = tr_skeleton_detect(dir, clip, skeleton, error);
    else if (strcmp(options->skeleton, TR_SKELETON_DRAFTED) == 0)
        tr_skeleton_draft(clip, skeleton);
    else
        status = tr_skeleton_load(options->skeleton, dir, skeleton, error);
    if (!status && options->skeleton)
        tr_skeleton_resolve(skeleton, clip);
    if (!status)
        status = tr_skeleton_check(skeleton, clip, error);
    skeleton->is_calibrated = !status && tr_skeleton_has_bones_of(skeleton, clip);
    clip->skeleton = skeleton;
    return status;
}

static tr_clip_options complete(const tr_clip_options *given) {
    tr_clip_options options = given ? *given : (tr_clip_options){0};
    if (!options.skeleton_dir)
        options.skeleton_dir = TR_SKELETON_DIR;
    return options;
}

tr_status tr_clip_read(const char *path, const tr_clip_options *given, tr_clip **out,
                       tr_error *error) {
    const tr_clip_options options = complete(given);
    tr_status status = check_options(&options, error);
    return status ? status : read_format(path, &options, out, error);
}

tr_status tr_clip_load(const char *path, const tr_clip_options *given, tr_clip **out,
                       tr_error *error) {
    const tr_clip_options options = complete(given);
    tr_clip *clip = NULL;
    tr_status status = tr_clip_read(path, &options, &clip, error);
    if (status)
        return status;
    assert(clip);
    status = find_skeleton(clip, &options, error);
    if (!status)
        status = tr_clip_settle(clip, &options, error);
    if (status) {
        tr_error inner = error ? *error : (tr_error){0};
        tr_clip_destroy(clip);
        return tr_fail(error, status, "%.200s: %.280s", path, inner.message);
    }
    *out = clip;
    return TR_OK;
}
