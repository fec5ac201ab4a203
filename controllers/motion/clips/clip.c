#include "motion/clips/clip.h"
#include "motion/clips/scene.h"

#include <stdlib.h>
#include <strings.h>

void tr_clip_destroy(tr_clip *clip) {
    if (!clip)
        return;
    free(clip->skeleton);
    free(clip->joints);
    free(clip->pos);
    free(clip->rot);
    free(clip);
}

int tr_clip_find_joint(const tr_clip *clip, const char *name) {
    for (int i = 0; i < clip->joint_count; i++)
        if (strcasecmp(clip->joints[i].name, name) == 0)
            return i;
    return -1;
}

bool tr_clip_hangs(const tr_clip *clip, int joint, int ancestor) {
    while (joint >= 0 && joint != ancestor)
        joint = clip->joints[joint].parent;
    return joint >= 0;
}

const char *tr_clip_format_name(tr_clip_format format) {
    static const char *const names[] = {"bvh", "amc", "deepmimic", "scene", "smpl"};
    return names[format];
}

void tr_skin_deinit(tr_skin *skin) {
    free(skin->pos);
    free(skin->joint);
    free(skin->area);
    *skin = (tr_skin){0};
}
