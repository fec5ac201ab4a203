#include "tools/clips/clip_use.h"

#include "db/tables/clips.h"
#include "math/elementary.h"

#include <assert.h>
#include <math.h>

tr_status tr_clip_import(const char *path, const tr_model *model, const tr_import *import,
                         tr_motion **out, tr_import_account *out_account, tr_error *error) {
    static_assert(sizeof(*out)->source.digest == TR_DIGEST_TEXT_MAX, "a digest as text");
    tr_digest digest;
    tr_status status = tr_clips_digest_file(path, &digest, error);
    if (!status)
        status = tr_import_run(path, model, import, out, out_account, error);
    if (!status)
        tr_digest_format(&digest, (*out)->source.digest);
    return status;
}

/* --- as a row of a strip --- */

/* Height of the lowest joint that a clip has, its ground, m. */
static double lowest_joint(const tr_clip *clip) {
    double low = (double)INFINITY;
    for (int f = 0; f < clip->frame_count; f++)
        for (int i = 0; i < clip->joint_count; i++)
            if (tr_skeleton_draws(clip->skeleton, clip, i))
                low = fmin(low, tr_clip_pos(clip, f, i).z);
    return low;
}

/* The heading of the hips in a frame. */
static double heading_of(const tr_clip *clip, int frame) {
    int left = tr_skeleton_joint(clip->skeleton, clip, TR_PART_LEFT_HIP);
    int right = tr_skeleton_joint(clip->skeleton, clip, TR_PART_RIGHT_HIP);
    tr_vec3 across = tr_vec3_sub(tr_clip_pos(clip, frame, left), tr_clip_pos(clip, frame, right));
    return tr_atan2(-across.x, across.y);
}

tr_strip_row tr_clip_figures(const tr_clip *clip, const char *label, const int *frames, int count) {
    return (tr_strip_row){.label = label,
                          .clip = clip,
                          .skeleton = clip->skeleton,
                          .frames = frames,
                          .figure_count = count,
                          .ground_m = lowest_joint(clip),
                          .heading_rad = heading_of(clip, frames[0])};
}
