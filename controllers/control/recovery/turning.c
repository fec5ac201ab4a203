#include "control/recovery/turning.h"

#include <string.h>

typedef struct bend {
    const char *body;
    tr_vec3 turn; /* rotation vector in front of the spread pose, rad */
} bend;

static const bend over[] = {
    {"ltorso", {0.1, 0.1, 0.3}}, {"utorso", {0.0, -0.3, 0.3}}, {"luarm", {1.1, 0.3, 2.5}},
    {"ruarm", {1.9, 1.7, -0.2}}, {"lthigh", {-2.5, 1.0, 0.6}}, {"rthigh", {-0.5, -0.4, -0.1}},
    {"lshank", {0.0, 0.9, 0.0}},
};

/* Legs apart, knees bent and toes pointed: so the feet unhook. */
static const bend free_legs[] = {
    {"lthigh", {0.89, 0.33, 0.62}}, {"rthigh", {-0.71, -0.19, -0.08}}, {"lshank", {0, 2.15, 0}},
    {"rshank", {0, 1.57, 0}},       {"lfoot", {0, 1.09, 0}},           {"rfoot", {0, 0.87, 0}},
};

static void bend_all(const tr_model *model, const bend *bends, size_t count, const tr_quat *spread,
                     tr_quat *out) {
    memcpy(out, spread, (size_t)model->body_count * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        int body = tr_model_find_body(model, bends[i].body);
        if (body > 0)
            out[body] = tr_quat_mul(tr_quat_exp(bends[i].turn), spread[body]);
    }
}

void tr_turning_pose(const tr_model *model, const tr_quat *spread, tr_quat *out) {
    bend_all(model, over, sizeof over / sizeof *over, spread, out);
}

void tr_turning_free(const tr_model *model, const tr_quat *spread, tr_quat *out) {
    bend_all(model, free_legs, sizeof free_legs / sizeof *free_legs, spread, out);
}
