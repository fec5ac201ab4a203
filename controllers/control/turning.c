#include "control/turning.h"

#include <string.h>

/* Rotation vectors in front of the spread pose, rad. */
static const struct {
    const char *body;
    tr_vec3 turn;
} joint[] = {
    {"ltorso", {0.1, 0.1, 0.3}}, {"utorso", {0.0, -0.3, 0.3}}, {"luarm", {1.1, 0.3, 2.5}},
    {"ruarm", {1.9, 1.7, -0.2}}, {"lthigh", {-2.5, 1.0, 0.6}}, {"rthigh", {-0.5, -0.4, -0.1}},
    {"lshank", {0.0, 0.9, 0.0}},
};

void tr_turning_pose(const tr_model *model, const tr_quat *spread, tr_quat *out) {
    memcpy(out, spread, (size_t)model->body_count * sizeof *out);
    for (size_t i = 0; i < sizeof joint / sizeof *joint; i++) {
        int body = tr_model_find_body(model, joint[i].body);
        if (body > 0)
            out[body] = tr_quat_mul(tr_quat_exp(joint[i].turn), spread[body]);
    }
}
