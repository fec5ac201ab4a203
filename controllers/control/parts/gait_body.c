#include "control/parts/gait_body.h"

#include <string.h>

static tr_status refuse(tr_error *error, const tr_model *model, const char *what) {
    return tr_fail(error, TR_FAILED_PRECONDITION, "model '%s': expected %s", model->name, what);
}

static bool is_straight(const tr_model *model, int body) {
    return model->body[body].rot.w == 1;
}

/* Finds hip (ball), knee (hinge) and ankle (ball) from the foot up to the root. */
static tr_status find_leg(const tr_model *model, int side, tr_gait_body *out, tr_error *error) {
    int foot = model->foot[side];
    int shank = foot > 0 ? model->body[foot].parent : -1;
    int thigh = shank > 0 ? model->body[shank].parent : -1;
    if (thigh <= 0 || model->body[thigh].parent != 0)
        return refuse(error, model, "two legs of a thigh, a shank and a foot at the root");
    if (model->body[thigh].joint != TR_JOINT_BALL || model->body[foot].joint != TR_JOINT_BALL)
        return refuse(error, model, "ball joints in hips and ankles");
    if (!is_straight(model, thigh) || !is_straight(model, shank) || !is_straight(model, foot))
        return refuse(error, model, "legs that are straight at rest");
    out->thigh[side] = thigh;
    out->shank[side] = shank;
    out->foot[side] = foot;
    out->toe[side] = model->toe[side];
    return TR_OK;
}

static tr_status find_arm(const tr_model *model, int side, tr_gait_body *out, tr_error *error) {
    int hand = model->hand[side];
    int forearm = hand > 0 ? model->body[hand].parent : -1;
    int upper_arm = forearm > 0 ? model->body[forearm].parent : -1;
    if (upper_arm <= 0)
        return refuse(error, model, "two arms of an upper arm, a forearm and a hand");
    out->forearm[side] = forearm;
    out->upper_arm[side] = upper_arm;
    return TR_OK;
}

static tr_status find_waist(const tr_model *model, tr_gait_body *out, tr_error *error) {
    int count = 0, chain[TR_GAIT_WAIST_MAX];
    for (int b = model->trunk; b > 0; b = model->body[b].parent) {
        if (count == TR_GAIT_WAIST_MAX || !is_straight(model, b) ||
            model->body[b].joint != TR_JOINT_BALL)
            return refuse(error, model, "a waist of one to four ball joints, straight at rest");
        chain[count++] = b;
    }
    if (count == 0)
        return refuse(error, model, "a trunk above the root");
    out->waist_count = count;
    for (int i = 0; i < count; i++)
        /* The chain was found from the trunk down; the waist goes up from the root. */
        out->waist[i] = chain[count - 1 - i];
    return TR_OK;
}

tr_status tr_gait_body_find(const tr_model *model, tr_gait_body *out, tr_error *error) {
    tr_gait_body found;
    memset(&found, 0, sizeof found);
    for (int side = 0; side < 2; side++) {
        tr_status status = find_leg(model, side, &found, error);
        if (!status)
            status = find_arm(model, side, &found, error);
        if (status)
            return status;
    }
    tr_status status = find_waist(model, &found, error);
    if (status)
        return status;
    *out = found;
    return TR_OK;
}
