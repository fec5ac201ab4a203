#include "learn/rehearsal/steps.h"
#include "proto/text.h"

#include <stdio.h>

static const double HALF_WIDTH_M = 10, LAST_M = 10, FARTHEST_M = 100;

/* Takes "X:HEIGHT" and what separates it from the next. */
static bool take_step(const char **text, tr_step *out) {
    const char *end = tr_text_number(*text, &out->x_m);
    if (!end || *end != ':')
        return false;
    end = tr_text_number(end + 1, &out->height_m);
    if (!end || (*end != ',' && *end != 0) || (*end == ',' && end[1] == 0))
        return false;
    *text = end + (*end == ',');
    return out->x_m >= -FARTHEST_M && out->x_m <= FARTHEST_M && out->height_m >= 0 &&
           out->height_m <= FARTHEST_M;
}

tr_status tr_steps_read(const char *text, tr_steps *out, tr_error *error) {
    const char *rest = text;
    bool good = true;
    *out = (tr_steps){0};
    while (good && (*rest || rest == text)) {
        tr_step *step = &out->step[out->count];
        good = out->count < TR_STEPS_MAX && take_step(&rest, step) &&
               (out->count == 0 || step->x_m > step[-1].x_m);
        out->count += good;
    }
    return good ? TR_OK
                : tr_fail(error, TR_INVALID_ARGUMENT,
                          "--steps '%s': expected at most %d edges X:HEIGHT in m, x rising, as "
                          "0.3:0.15,0.6:0.3",
                          text, TR_STEPS_MAX);
}

void tr_steps_print(const tr_steps *steps, char out[static TR_STEPS_TEXT_MAX]) {
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < steps->count; i++)
        used += (size_t)snprintf(out + used, TR_STEPS_TEXT_MAX - used, "%s%.17g:%.17g",
                                 i > 0 ? "," : "", steps->step[i].x_m, steps->step[i].height_m);
}

tr_status tr_steps_lay(const tr_steps *steps, tr_world *world) {
    tr_status status = TR_OK;
    for (int i = 0; i < steps->count && !status; i++) {
        const tr_step *s = &steps->step[i];
        /* Each step is a box from its edge to the next one's. */
        double end = i + 1 < steps->count ? s[1].x_m : s->x_m + LAST_M;
        const tr_scenery_def box = {.kind = TR_SCENERY_BOX,
                                    .size = {(end - s->x_m) / 2, HALF_WIDTH_M, s->height_m / 2},
                                    .pos = {(end + s->x_m) / 2, 0, s->height_m / 2},
                                    .rot = tr_quat_identity(),
                                    .friction = 1};
        if (s->height_m > 0)
            status = tr_world_add_scenery(world, &box, NULL);
    }
    return status;
}
