/* Queries of models. */
#include "server/catalogue/inquiry.h"

#include "db/tables/models.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdlib.h>

static const tr_mapping summary_mapping =
    TR_MAPPING(tr_model_row, ModelSummary, model_summary, TR_COPY(name, body_count, dof_count),
               TR_COPY_HEX(digest));

static const tr_mapping models_mapping =
    TR_INQUIRY_ROWS(ModelList, model_list, models, summary_mapping);

static tr_status fetch(tr_inquiry *inquiry, const char *after, void *rows, int *count) {
    tr_model_filter filter = {.after = after,
                              .prefix = tr_inquiry_filter(inquiry->request->list_models->prefix)};
    return tr_models_list(inquiry->catalogue, &filter, rows, count, inquiry->error);
}

tr_status tr_inquiry_list_models(tr_inquiry *inquiry) {
    const tr_inquiry_list list = {TROUPE__RESPONSE__RESULT_MODEL_LIST, &models_mapping,
                                  sizeof(tr_model_row), offsetof(tr_model_row, name), fetch};
    return tr_inquiry_answer_list(inquiry, inquiry->request->list_models->page, &list);
}

/* --- one model --- */

/* A model with the data that its text does not contain. bodies: a missing torque limit is 0, as is the axis of a joint with three or none. */
typedef struct detail {
    tr_model_row row;
    const char *mjcf;
    uint64_t hash;
    double mass_kg, height_m;
    int body_count, gain_set_count;
    tr_body *bodies;
    const char **gain_sets;
} detail;

static const uint32_t joint_kinds[] = {
    [TR_JOINT_FREE] = TROUPE__JOINT_KIND__JOINT_KIND_FREE,
    [TR_JOINT_BALL] = TROUPE__JOINT_KIND__JOINT_KIND_BALL,
    [TR_JOINT_HINGE] = TROUPE__JOINT_KIND__JOINT_KIND_HINGE,
    [TR_JOINT_SLIDE] = TROUPE__JOINT_KIND__JOINT_KIND_SLIDE,
};

static const tr_mapping body_mapping =
    TR_MAPPING(tr_body, ModelBody, model_body, TR_COPY(name, parent),
               TR_COPY_CHOICE(joint, joint_kinds), TR_COPY_DOUBLES(pos, rot, anchor, com, axis),
               TR_COPY_AS(mass, mass_kg), TR_COPY_AS(torque_limit, torque_limit_nm));

static const tr_mapping detail_mapping = TR_MAPPING(
    detail, ModelDetail, model_detail, TR_COPY_ONE_AS(row, summary, summary_mapping),
    TR_COPY(mjcf, hash, mass_kg, height_m), TR_COPY_LIST(body_count, bodies, body_mapping),
    TR_COPY_ARRAY(gain_set_count, gain_sets));

static tr_status describe(tr_inquiry *inquiry, const tr_model *model, detail *out) {
    out->hash = model->hash;
    out->mass_kg = model->mass;
    out->height_m = model->height;
    out->body_count = model->body_count;
    out->gain_set_count = model->gain_set_count;
    out->bodies = tr_inquiry_take(inquiry, (size_t)model->body_count, sizeof *out->bodies);
    out->gain_sets =
        tr_inquiry_take(inquiry, (size_t)model->gain_set_count, sizeof *out->gain_sets);
    if (!out->bodies || !out->gain_sets)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < model->body_count; i++) {
        out->bodies[i] = model->body[i];
        if (!isfinite(model->body[i].torque_limit))
            out->bodies[i].torque_limit = 0;
        if (!tr_body_has_axis(&model->body[i]))
            out->bodies[i].axis = (tr_vec3){0, 0, 0};
    }
    for (int i = 0; i < model->gain_set_count; i++)
        out->gain_sets[i] = model->gain_set[i].name;
    return TR_OK;
}

tr_status tr_inquiry_get_model(tr_inquiry *inquiry) {
    detail out = {.mjcf = NULL};
    tr_model *model = NULL;
    char *mjcf = NULL;
    tr_status status = tr_models_find(inquiry->catalogue, inquiry->request->get_model->name,
                                      &out.row, inquiry->error);
    if (!status)
        status = tr_models_text(inquiry->catalogue, out.row.id, &mjcf, NULL, inquiry->error);
    if (!status)
        status = tr_models_load(inquiry->catalogue, out.row.id, &model, inquiry->error);
    if (!status)
        status = describe(inquiry, model, &out);
    out.mjcf = mjcf;
    if (!status)
        status = tr_inquiry_answer(inquiry, TROUPE__RESPONSE__RESULT_MODEL, &detail_mapping, &out);
    tr_model_destroy(model);
    free(mjcf);
    return status;
}
