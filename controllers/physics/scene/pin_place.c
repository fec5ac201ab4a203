#include "physics/scene/pin_place.h"
#include "physics/spatial/rotation.h"

static tr_quat turn_of(const tr_frame *frame) {
    tr_mat3 r = tr_mat3_from_columns(tr_v4_to(frame->column[0]), tr_v4_to(frame->column[1]),
                                     tr_v4_to(frame->column[2]));
    return tr_quat_from_mat3(&r);
}

tr_pin_place tr_pin_end(const tr_world *world, const tr_pin_def *def, int side) {
    const tr_character *c = tr_scene_character(world, def->entity[side]);
    const tr_object *o = tr_scene_object(world, def->entity[side]);
    if (!c && !o)
        return (tr_pin_place){def->point[side], tr_quat_identity()};
    int body = def->body[side];
    const tr_frame *frame = c ? &c->frame[body] : &o->frame;
    tr_vec3 arm = c ? tr_vec3_sub(def->point[side], c->model->body[body].com) : def->point[side];
    tr_quat rot = turn_of(frame);
    return (tr_pin_place){tr_vec3_add(tr_v4_to(frame->com), tr_quat_rotate(rot, arm)), rot};
}

double tr_pin_travel(const tr_pin_def *def, const tr_pin_place *first, const tr_pin_place *second) {
    if (def->kind == TR_PIN_HINGE) {
        tr_quat turn = tr_quat_mul(tr_quat_conj(second->rot), first->rot);
        return tr_rotation_angle(tr_quat_mul(turn, tr_quat_conj(def->rest)), def->axis);
    }
    tr_vec3 axis = tr_quat_rotate(second->rot, def->axis);
    return tr_vec3_dot(axis, tr_vec3_sub(first->point, second->point));
}
