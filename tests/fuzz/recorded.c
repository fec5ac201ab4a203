#include "fuzz/recorded.h"

#include "model/mjcf.h"

#include <stdlib.h>

const tr_cast *recorded_cast(void) {
    static tr_cast cast;
    tr_model *model = NULL;
    if (cast.model_count > 0)
        return &cast;
    tr_physics_init();
    if (tr_mjcf_load(TR_SOURCE_DIR "/controllers/model/humanoid.xml", &model, NULL) ||
        tr_cast_add_model(&cast, model, "humanoid"))
        abort();
    return &cast;
}
