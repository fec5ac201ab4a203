#include "client/command/decode_character.h"

#include "model/name.h"
#include "proto/limits.h"

#include <math.h>

const tr_field tr_push_fields[] = {TR_ENTITY(Troupe__Push, entity),
                                   TR_NAME(Troupe__Push, body),
                                   TR_VECTOR(Troupe__Push, point, 10),
                                   TR_VECTOR(Troupe__Push, force, TR_PUSH_NEWTON_MAX),
                                   TR_NUMBER(Troupe__Push, duration_s, 0, TR_PUSH_SECONDS_MAX),
                                   TR_FIELDS_END};

static int body_of(const Troupe__Push *m, const tr_model *model) {
    if (!model)
        return 0;
    if (m->body[0] != '\0')
        return tr_model_find_body(model, m->body);
    return model->trunk < 0 ? 0 : model->trunk;
}

tr_push tr_push_decode(const Troupe__Push *m, const tr_model *model, double step_s) {
    return (tr_push){.entity = m->entity,
                     .body = body_of(m, model),
                     .point = tr_vec3_of(m->point),
                     .force = tr_vec3_of(m->force),
                     .steps = (int)fmax(1, (double)lround(m->duration_s / step_s))};
}

static tr_steering_target target_of(const Troupe__Steer *m) {
    tr_steering_target target = {.speed_mps = m->speed};
    tr_name_set(target.skill, m->skill);
    if (m->aim_case == TROUPE__STEER__AIM_HEADING_RAD) {
        target.aim = TR_AIM_HEADING;
        target.heading_rad = m->heading_rad;
    } else if (m->aim_case == TROUPE__STEER__AIM_TARGET) {
        target.aim = TR_AIM_POINT;
        target.x = m->target->x;
        target.y = m->target->y;
    } else if (m->aim_case == TROUPE__STEER__AIM_TOWARD) {
        target.aim = TR_AIM_CHARACTER;
        target.character = m->toward;
    }
    return target;
}

tr_intent tr_steer_decode(const Troupe__Steer *m) {
    return (tr_intent){.wish = target_of(m),
                       .radius_m = m->radius,
                       .facing_rad = m->facing_rad,
                       .faces = m->faces};
}

tr_status tr_parameters_set(tr_stage *stage, const Troupe__SetParameters *m, tr_error *error) {
    const tr_performer *performer = tr_stage_performer(stage, m->entity);
    if (!performer)
        return tr_fail(error, TR_NOT_FOUND, "entity %u: no such character in this world",
                       m->entity);
    /* A copy takes them first, and shows whether all are accepted. */
    tr_runner copy = performer->runner;
    tr_status status = TR_OK;
    for (size_t i = 0; i < m->n_parameters && !status; i++)
        status = tr_runner_set_parameter(&copy, m->parameters[i]->name, m->parameters[i]->values,
                                         (int)m->parameters[i]->n_values, error);
    for (size_t i = 0; i < m->n_parameters && !status; i++)
        status = tr_stage_set_parameter(stage, m->entity, m->parameters[i]->name,
                                        m->parameters[i]->values, (int)m->parameters[i]->n_values,
                                        error);
    return status;
}
