#include "motion/clips/skeleton_detect.h"

#include "motion/clips/joint_name.h"
#include "motion/clips/skeleton_draft.h"
#include "motion/clips/skeleton_limbs.h"
#include "motion/clips/skeleton_shape.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAP_COUNT_MAX = 256, PATH_SIZE = 1024, TRIED_SIZE = 256 };

/* ---- One map ---- */

/* The joint of this name, or of one that means the same; -1: none. */
static int find_alike(const tr_clip *clip, const char *name) {
    int exact = tr_clip_find_joint(clip, name);
    if (exact >= 0)
        return exact;
    char space[TR_CLIP_NAME_MAX];
    tr_joint_name_space(clip, space);
    tr_joint_name wanted = tr_joint_name_read(name, "");
    for (int i = 0; i < clip->joint_count; i++) {
        tr_joint_name own = tr_joint_name_read(clip->joints[i].name, "");
        tr_joint_name bare = tr_joint_name_read(clip->joints[i].name, space);
        if (strcmp(own.key, wanted.key) == 0 || strcmp(bare.key, wanted.key) == 0)
            return i;
    }
    return -1;
}

/* The far end of a foot shows where its toe is. */
static void take_ends_for_toes(tr_skeleton *skeleton, const tr_clip *clip) {
    for (int side = 0; side < 2; side++) {
        const char *ankle = skeleton->joint[TR_PART_LEFT_ANKLE + side];
        char *toe = skeleton->joint[TR_PART_LEFT_TOE + side], end[TR_CLIP_NAME_MAX];
        snprintf(end, sizeof end, "%.*s_end", TR_CLIP_NAME_MAX - 5, ankle);
        if (!toe[0] && ankle[0] && tr_clip_find_joint(clip, end) >= 0)
            snprintf(toe, TR_CLIP_NAME_MAX, "%s", end);
    }
}

void tr_skeleton_resolve(tr_skeleton *skeleton, const tr_clip *clip) {
    skeleton->fit = (tr_skeleton_fit){0};
    for (int part = 0; part < TR_PART_COUNT; part++) {
        char *name = skeleton->joint[part];
        if (!name[0])
            continue;
        int joint = find_alike(clip, name);
        skeleton->fit.part_count++;
        skeleton->fit.named_count += joint >= 0;
        if (joint >= 0)
            snprintf(name, TR_CLIP_NAME_MAX, "%s", clip->joints[joint].name);
        else if (!tr_skeleton_needs((tr_part)part))
            name[0] = '\0';
    }
    take_ends_for_toes(skeleton, clip);
    if (tr_skeleton_lacking(skeleton, clip) != TR_PART_COUNT)
        return;
    tr_skeleton_shape shape = tr_skeleton_judge(skeleton, clip);
    skeleton->fit.test_count = shape.tests;
    skeleton->fit.passed_count = shape.passed;
}

bool tr_skeleton_has_bones_of(const tr_skeleton *skeleton, const tr_clip *clip) {
    int knee = tr_skeleton_joint(skeleton, clip, TR_PART_LEFT_KNEE);
    double stated = tr_vec3_length(skeleton->bone[TR_PART_LEFT_KNEE]);
    double scale = knee >= 0 ? tr_vec3_length(clip->joints[knee].offset) / stated : 0;
    if (!skeleton->has_bones || !(scale > 0 && isfinite(scale)))
        return false;
    for (int part = 0; part < TR_PART_COUNT; part++) {
        tr_vec3 bone = tr_vec3_scale(skeleton->bone[part], scale);
        int joint = tr_skeleton_joint(skeleton, clip, (tr_part)part);
        if (tr_vec3_length(bone) > 0 &&
            (joint < 0 ||
             tr_vec3_distance(clip->joints[joint].offset, bone) > 1e-3 * tr_vec3_length(bone)))
            return false;
    }
    return true;
}

/* ---- All maps ---- */

static int is_map_file(const struct dirent *entry) {
    const char *name = entry->d_name;
    size_t length = strlen(name);
    if (length < 6 || strcmp(name + length - 5, ".json") != 0)
        return 0;
    return length < 11 || strcmp(name + length - 11, ".bones.json") != 0;
}

static int exact_count(const tr_skeleton *map, const tr_clip *clip) {
    int count = 0;
    for (int part = 0; part < TR_PART_COUNT; part++)
        count += tr_skeleton_joint(map, clip, (tr_part)part) >= 0;
    return count;
}

/* The search among the maps of a folder. */
typedef struct search {
    const tr_clip *clip;
    tr_skeleton best; /* without a name: none yet */
    int best_exact;
    char tried[TRIED_SIZE];
} search;

/* Keeps the candidate when it fits better than the best so far; otherwise notes in `tried` what it
 * lacks. */
static void consider(search *s, const tr_skeleton *map) {
    tr_skeleton candidate = *map;
    tr_skeleton_resolve(&candidate, s->clip);
    tr_part lacking = tr_skeleton_lacking(&candidate, s->clip);
    size_t used = strlen(s->tried);
    if (lacking != TR_PART_COUNT) {
        snprintf(s->tried + used, TRIED_SIZE - used, "%s%.20s lacks %.30s", used ? "; " : "",
                 map->name, candidate.joint[lacking]);
        return;
    }
    if (map->has_bones && !tr_skeleton_has_bones_of(&candidate, s->clip))
        return;
    int exact = exact_count(map, s->clip), count = candidate.fit.named_count;
    int best = s->best.fit.named_count;
    if (!s->best.name[0] || count > best || (count == best && exact > s->best_exact)) {
        s->best = candidate;
        s->best_exact = exact;
    }
}

static tr_status search_folder(const char *dir, search *s, tr_error *error) {
    struct dirent **entries = NULL;
    int count = scandir(dir, &entries, is_map_file, alphasort);
    if (count < 0)
        return tr_fail(error, TR_NOT_FOUND, "%s: no folder of joint maps", dir);
    tr_status status = TR_OK;
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE];
        tr_skeleton map;
        snprintf(path, sizeof path, "%.700s/%.255s", dir, entries[i]->d_name);
        if (!status && i < MAP_COUNT_MAX) {
            status = tr_skeleton_load(path, dir, &map, error);
            if (!status)
                consider(s, &map);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

tr_status tr_skeleton_detect(const char *dir, const tr_clip *clip, tr_skeleton *out,
                             tr_error *error) {
    search s = {.clip = clip};
    tr_status status = search_folder(dir, &s, error);
    if (status)
        return status;
    if (!s.best.name[0]) {
        tr_skeleton_draft(clip, &s.best);
        bool whole = tr_skeleton_lacking(&s.best, clip) == TR_PART_COUNT;
        if (!whole || s.best.fit.passed_count < s.best.fit.test_count)
            return tr_fail(error, TR_NOT_FOUND,
                           "no joint map fits its %d joints: 'troupe-train skeleton CLIP' drafts "
                           "one for --skeleton (%s)",
                           clip->joint_count, s.tried);
    }
    *out = s.best;
    return TR_OK;
}

tr_status tr_skeleton_find(const char *stated, const tr_clip *clip, tr_skeleton *out,
                           tr_error *error) {
    tr_error none;
    if (stated) {
        tr_status status = tr_skeleton_load(stated, NULL, out, error);
        if (!status)
            tr_skeleton_resolve(out, clip);
        return status;
    }
    if (!tr_skeleton_detect(TR_SKELETON_DIR, clip, out, &none))
        return TR_OK;
    tr_skeleton_draft(clip, out);
    tr_skeleton_draft_limbs(clip, out);
    return TR_OK;
}
