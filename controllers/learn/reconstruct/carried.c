#include "learn/reconstruct/carried.h"

#include "model/state.h"

enum { RIGHT = 1, BALL = 0 };
static const double RADIUS_M = 0.12;
static const double GAP_M = 0.08; /* from the middle of the hand, so that ball and hand are apart */

tr_status tr_carried_make(const tr_model *model, const tr_state *start, double mass_kg, tr_rig *out,
                          tr_error *error) {
    const int hand = model->hand[RIGHT];
    if (hand < 0)
        return tr_fail(error, TR_FAILED_PRECONDITION, "carried_kg: model '%s' has no right hand",
                       model->name);
    tr_body_state bodies[TR_BODY_MAX];
    tr_state_forward(model, start, bodies);
    const tr_rig_place place = tr_rig_place_under(start);
    /* The ball lies further along the hand, in the hand's frame. */
    const tr_vec3 along = tr_vec3_normalize_or(model->body[hand].com, (tr_vec3){0, 0, -1});
    const tr_vec3 away = tr_vec3_scale(along, RADIUS_M + GAP_M);
    const tr_quat turn = bodies[hand].rot;
    const tr_vec3 at = tr_vec3_add(bodies[hand].com_pos, tr_quat_rotate(turn, away));
    *out = (tr_rig){.object_count = 1, .pin_count = 1};
    /* The rig's frame has the heading of the start and lies under its root. */
    out->object[BALL].state =
        (tr_object_state){.pos = tr_vec3_to_heading(tr_vec3_sub(at, place.pos), place.heading_rad),
                          .rot = tr_quat_mul(tr_quat_from_heading(-place.heading_rad), turn)};
    out->object[BALL].def = (tr_object_def){
        .name = "ball",
        .geom_count = 1,
        .geom = {{.kind = TR_GEOM_SPHERE, .size = {RADIUS_M, 0, 0}, .rot = tr_quat_identity()}},
        .mass = mass_kg};
    /* Hand and ball have one frame, so that the hinge is at its angle zero. */
    out->pin[0] = (tr_rig_pin){{TR_RIG_CHARACTER, BALL},
                               {.kind = TR_PIN_HINGE,
                                .body = {hand, 0},
                                .point = {model->body[hand].com, tr_vec3_scale(away, -1)},
                                .axis = along,
                                .rest = tr_quat_identity()}};
    return TR_OK;
}
