#include "motion/clips/scene.h"

tr_status tr_scene_read(const char *path, tr_clip **out, tr_skin *out_skin, tr_error *error) {
    (void)out, (void)out_skin;
    return tr_fail(error, TR_UNIMPLEMENTED,
                   "%.200s: this troupe-train was built without assimp: install libassimp-dev "
                   "(Debian) and configure again, or export BVH",
                   path);
}
