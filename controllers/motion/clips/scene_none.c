#include "motion/clips/loader.h"

tr_status tr_scene_read(const char *path, const tr_clip_options *options, tr_clip *clip,
                        tr_error *error) {
    (void)options, (void)clip;
    return tr_fail(error, TR_UNIMPLEMENTED,
                   "%.200s: this troupe-train was built without assimp: install libassimp-dev "
                   "(Debian) and configure again, or export BVH",
                   path);
}
