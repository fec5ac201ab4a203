#include "model/model.h"

#include "math/hash.h"
#include "model/inertia.h"
#include "model/model_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int tr_model_find_body(const tr_model *model, const char *name) {
    for (int i = 0; i < model->body_count; i++)
        if (strcmp(model->body[i].name, name) == 0)
            return i;
    return -1;
}

bool tr_model_is_of_foot(const tr_model *model, int body, int side) {
    return body == model->foot[side] || body == model->toe[side];
}

int tr_model_find_gain_set(const tr_model *model, const char *name) {
    for (int i = 0; i < model->gain_set_count; i++)
        if (strcmp(model->gain_set[i].name, name) == 0)
            return i;
    return -1;
}

void tr_model_init(tr_model *model) {
    *model = (tr_model){.head = -1, .trunk = -1};
    for (int side = 0; side < 2; side++)
        model->foot[side] = model->toe[side] = model->hand[side] = -1;
}

static int dof_count(const tr_model *model) {
    static const int dofs[] = {
        [TR_JOINT_FREE] = 6, [TR_JOINT_BALL] = 3, [TR_JOINT_HINGE] = 1, [TR_JOINT_SLIDE] = 1};
    int count = 0;
    for (int i = 0; i < model->body_count; i++)
        count += dofs[model->body[i].joint];
    return count;
}

/* Top to sole with every joint at rest: heights are compared in the root's frame. */
static double rest_height(const tr_model *model) {
    tr_vec3 origin[TR_BODY_MAX];
    tr_quat rot[TR_BODY_MAX];
    for (int i = 0; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        int p = body->parent;
        origin[i] =
            p < 0 ? (tr_vec3){0, 0, 0} : tr_vec3_add(origin[p], tr_quat_rotate(rot[p], body->pos));
        rot[i] = p < 0 ? tr_quat_identity() : tr_quat_mul(rot[p], body->rot);
    }
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < model->geom_count; i++) {
        const tr_geom *geom = &model->geom[i];
        tr_vec3 centre =
            tr_vec3_add(origin[geom->body], tr_quat_rotate(rot[geom->body], geom->pos));
        tr_vec3 up = tr_quat_rotate_inverse(rot[geom->body], (tr_vec3){0, 0, 1});
        double half = tr_geom_half_extent(geom, tr_quat_rotate_inverse(geom->rot, up));
        low = fmin(low, centre.z - half);
        high = fmax(high, centre.z + half);
    }
    return model->geom_count > 0 ? high - low : 0.0;
}

/* The hash goes field by field, because the padding between fields holds no meaning. */
#define ADD(hash, field) ((hash) = tr_hash_add((hash), &(field), sizeof(field)))

static uint64_t hash_body(uint64_t hash, const tr_body *body) {
    hash = tr_hash_add(hash, body->name, strlen(body->name) + 1);
    ADD(hash, body->parent);
    ADD(hash, body->joint);
    ADD(hash, body->pos);
    ADD(hash, body->rot);
    ADD(hash, body->mass);
    ADD(hash, body->com);
    ADD(hash, body->inertia);
    ADD(hash, body->anchor);
    ADD(hash, body->axis);
    ADD(hash, body->limited);
    ADD(hash, body->range);
    ADD(hash, body->torque_limit);
    if (body->torque_by_axis) /* what has none keeps its hash */
        ADD(hash, body->torque_range);
    ADD(hash, body->mirror);
    return hash;
}

static uint64_t hash_geom(uint64_t hash, const tr_geom *geom) {
    ADD(hash, geom->kind);
    ADD(hash, geom->body);
    ADD(hash, geom->size);
    ADD(hash, geom->pos);
    ADD(hash, geom->rot);
    ADD(hash, geom->friction);
    if (geom->torsional > 0 || geom->rolling > 0) { /* what has none keeps its hash */
        ADD(hash, geom->torsional);
        ADD(hash, geom->rolling);
    }
    if (geom->softness > 0)
        ADD(hash, geom->softness);
    return hash;
}

static uint64_t hash_gain_set(uint64_t hash, const tr_gain_set *set, int body_count) {
    hash = tr_hash_add(hash, set->name, strlen(set->name) + 1);
    hash = tr_hash_add(hash, set->kp, sizeof set->kp[0] * (size_t)body_count);
    return tr_hash_add(hash, set->kd, sizeof set->kd[0] * (size_t)body_count);
}

static uint64_t hash_model(const tr_model *model) {
    uint64_t hash = TR_HASH_START;
    ADD(hash, model->body_count);
    ADD(hash, model->geom_count);
    ADD(hash, model->gain_set_count);
    for (int i = 0; i < model->body_count; i++) {
        hash = hash_body(hash, &model->body[i]);
        /* By halves: the hash of a model with few bodies is older than the second. */
        const uint32_t exclude[] = {(uint32_t)model->exclude[i],
                                    (uint32_t)(model->exclude[i] >> 32)};
        hash =
            tr_hash_add(hash, exclude, model->body_count > 32 ? sizeof exclude : sizeof *exclude);
    }
    for (int i = 0; i < model->geom_count; i++)
        hash = hash_geom(hash, &model->geom[i]);
    for (int i = 0; i < model->gain_set_count; i++)
        hash = hash_gain_set(hash, &model->gain_set[i], model->body_count);
    ADD(hash, model->foot);
    ADD(hash, model->toe);
    ADD(hash, model->hand);
    ADD(hash, model->head);
    ADD(hash, model->trunk);
    ADD(hash, model->end_effector_count);
    for (int i = 0; i < model->action_count; i++) /* what names none keeps its hash */
        ADD(hash, model->action[i]);
    return tr_hash_add(hash, model->end_effector,
                       sizeof model->end_effector[0] * (size_t)model->end_effector_count);
}
#undef ADD

static void exclude_parents(tr_model *model) {
    for (int i = 1; i < model->body_count; i++)
        tr_model_exclude(model, i, model->body[i].parent);
}

void tr_model_exclude(tr_model *model, int a, int b) {
    model->exclude[a] |= TR_BODY_BIT(b);
    model->exclude[b] |= TR_BODY_BIT(a);
}

void tr_model_finish(tr_model *model) {
    exclude_parents(model);
    model->dof_count = dof_count(model);
    model->mass = 0.0;
    for (int i = 0; i < model->body_count; i++)
        model->mass += model->body[i].mass;
    model->height = rest_height(model);
    model->hash = hash_model(model);
}
