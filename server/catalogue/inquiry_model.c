/* Queries of models. */
#include "server/catalogue/inquiry.h"

#include "db/tables/models.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdlib.h>

static Troupe__ModelSummary *summary(tr_inquiry *inquiry, const tr_model_row *row) {
    Troupe__ModelSummary *out = tr_inquiry_take(inquiry, sizeof *out);
    if (out == NULL)
        return NULL;
    troupe__model_summary__init(out);
    out->name = tr_inquiry_text(inquiry, row->name);
    out->digest = tr_inquiry_digest(inquiry, &row->digest);
    out->body_count = (uint32_t)row->body_count;
    out->dof_count = (uint32_t)row->dof_count;
    return out;
}

static tr_status fill_list(tr_inquiry *inquiry, const tr_inquiry_page *page,
                           const tr_model_row *rows, int count) {
    int shown = tr_inquiry_shown(page, count);
    Troupe__ModelList *list = tr_inquiry_take(inquiry, sizeof *list);
    Troupe__ModelSummary **models = tr_inquiry_take(inquiry, (size_t)shown * sizeof(void *) + 1);
    if (list == NULL || models == NULL)
        return TR_RESOURCE_EXHAUSTED;
    troupe__model_list__init(list);
    list->models = models;
    for (int i = 0; i < shown; i++)
        if ((models[list->n_models] = summary(inquiry, &rows[i])) != NULL)
            list->n_models++;
    list->next_page_token =
        tr_inquiry_token(inquiry, page, count, shown > 0 ? rows[shown - 1].name : "");
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_MODEL_LIST;
    inquiry->response->model_list = list;
    return TR_OK;
}

tr_status tr_inquiry_list_models(tr_inquiry *inquiry) {
    const Troupe__ListModels *m = inquiry->request->list_models;
    tr_inquiry_page page;
    tr_status status = tr_inquiry_read_page(inquiry, m->page, &page);
    if (status != TR_OK)
        return status;
    tr_model_filter filter = {.after = page.after, .prefix = tr_inquiry_filter(m->prefix)};
    tr_model_row *rows = tr_inquiry_take(inquiry, (size_t)page.fetch * sizeof *rows);
    int count = page.fetch;
    if (rows == NULL)
        return TR_RESOURCE_EXHAUSTED;
    status = tr_models_list(inquiry->catalogue, &filter, rows, &count, inquiry->error);
    return status == TR_OK ? fill_list(inquiry, &page, rows, count) : status;
}

static Troupe__Vec3 *vec3(tr_inquiry *inquiry, tr_vec3 v) {
    Troupe__Vec3 *out = tr_inquiry_take(inquiry, sizeof *out);
    if (out == NULL)
        return NULL;
    troupe__vec3__init(out);
    out->x = v.x, out->y = v.y, out->z = v.z;
    return out;
}

static Troupe__Quat *quat(tr_inquiry *inquiry, tr_quat q) {
    Troupe__Quat *out = tr_inquiry_take(inquiry, sizeof *out);
    if (out == NULL)
        return NULL;
    troupe__quat__init(out);
    out->w = q.w, out->x = q.x, out->y = q.y, out->z = q.z;
    return out;
}

static Troupe__ModelBody *body(tr_inquiry *inquiry, const tr_body *from) {
    static const Troupe__JointKind kind[] = {
        [TR_JOINT_FREE] = TROUPE__JOINT_KIND__JOINT_KIND_FREE,
        [TR_JOINT_BALL] = TROUPE__JOINT_KIND__JOINT_KIND_BALL,
        [TR_JOINT_HINGE] = TROUPE__JOINT_KIND__JOINT_KIND_HINGE,
    };
    Troupe__ModelBody *out = tr_inquiry_take(inquiry, sizeof *out);
    if (out == NULL)
        return NULL;
    troupe__model_body__init(out);
    out->name = tr_inquiry_text(inquiry, from->name);
    out->parent = from->parent;
    out->joint = kind[from->joint];
    out->pos = vec3(inquiry, from->pos);
    out->rot = quat(inquiry, from->rot);
    out->anchor = vec3(inquiry, from->anchor);
    out->com = vec3(inquiry, from->com);
    out->mass_kg = from->mass;
    out->torque_limit_nm = isfinite(from->torque_limit) ? from->torque_limit : 0;
    return out;
}

static tr_status fill_model(tr_inquiry *inquiry, const tr_model *model, Troupe__ModelDetail *out) {
    out->bodies = tr_inquiry_take(inquiry, (size_t)model->body_count * sizeof(void *));
    out->gain_sets = tr_inquiry_take(inquiry, (size_t)model->gain_set_count * sizeof(void *) + 1);
    if (out->bodies == NULL || out->gain_sets == NULL)
        return TR_RESOURCE_EXHAUSTED;
    out->hash = model->hash;
    out->mass_kg = model->mass;
    out->height_m = model->height;
    for (int i = 0; i < model->body_count; i++)
        if ((out->bodies[out->n_bodies] = body(inquiry, &model->body[i])) != NULL)
            out->n_bodies++;
    for (int i = 0; i < model->gain_set_count; i++)
        out->gain_sets[out->n_gain_sets++] = tr_inquiry_text(inquiry, model->gain_set[i].name);
    return TR_OK;
}

tr_status tr_inquiry_get_model(tr_inquiry *inquiry) {
    tr_model_row row;
    tr_model *model = NULL;
    char *mjcf = NULL;
    tr_status status =
        tr_models_find(inquiry->catalogue, inquiry->request->get_model->name, &row, inquiry->error);
    if (status == TR_OK)
        status = tr_models_text(inquiry->catalogue, row.id, &mjcf, NULL, inquiry->error);
    if (status == TR_OK)
        status = tr_models_load(inquiry->catalogue, row.id, &model, inquiry->error);
    Troupe__ModelDetail *detail = tr_inquiry_take(inquiry, sizeof *detail);
    if (status == TR_OK && detail != NULL) {
        troupe__model_detail__init(detail);
        detail->summary = summary(inquiry, &row);
        detail->mjcf = tr_inquiry_text(inquiry, mjcf);
        status = fill_model(inquiry, model, detail);
        inquiry->response->result_case = TROUPE__RESPONSE__RESULT_MODEL;
        inquiry->response->model = detail;
    }
    tr_model_destroy(model);
    free(mjcf);
    return status;
}
