#include "control/parts/board_rig.h"

enum { BOARD };
static const double REACH_M = 5;   /* of the other objects from the board */
static const double LARGEST_M = 1; /* radius of a wheel, half of a board's width and height */

static bool is_box_at_origin(const tr_object_def *def) {
    return def->geom_count == 1 && def->geom[0].kind == TR_GEOM_BOX &&
           tr_vec3_length(def->geom[0].pos) == 0 && def->geom[0].size.x < REACH_M &&
           def->geom[0].size.y < REACH_M && def->geom[0].size.z < LARGEST_M;
}

static bool has_size(const tr_object_def *def) {
    return def->geom_count >= 1 && def->geom[0].size.x > 0 && def->geom[0].size.x < LARGEST_M;
}

tr_status tr_board_rig_check(const tr_rig *rig, const char *kind, tr_error *error) {
    int wheels = 0;
    if (!rig || rig->object_count < 1 || !is_box_at_origin(&rig->object[BOARD].def))
        return tr_fail(error, TR_INVALID_ARGUMENT,
                       "%s: no rig; expected one with a board, a box, as its first object", kind);
    for (int i = 0; i < rig->object_count; i++) {
        const tr_rig_object *object = &rig->object[i];
        const double away =
            tr_vec3_length(tr_vec3_sub(object->state.pos, rig->object[BOARD].state.pos));
        if (!(object->def.mass > 0) || !(away < REACH_M) || (i != BOARD && !has_size(&object->def)))
            return tr_fail(error, TR_INVALID_ARGUMENT,
                           "%s: object %d of the rig: expected a mass, a place within %g m of the "
                           "board, and a radius below %g m",
                           kind, i, REACH_M, LARGEST_M);
    }
    /* A wheel is an object that a hinge joins to another one. */
    for (int i = 0; i < rig->pin_count; i++)
        wheels += rig->pin[i].def.kind == TR_PIN_HINGE && rig->pin[i].member[0] > BOARD;
    return wheels >= 2
               ? TR_OK
               : tr_fail(error, TR_INVALID_ARGUMENT,
                         "%s: %d hinges of wheels in the rig; expected 2 or more", kind, wheels);
}
