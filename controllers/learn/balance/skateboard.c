#include "learn/balance/skateboard.h"

#include "math/quat.h"

#include <stdio.h>

enum { DECK, WHEELS = 4 };
static const double WHEEL_HALF_M = 0.02,
                    CLEARANCE_M = 0.004; /* of wheels: half width, below the deck */
static const double WHEEL_SHARE = 0.7;   /* of half the width: where its wheels are */

double tr_skateboard_top(const tr_skateboard *board) {
    return 2 * board->wheel_radius_m + CLEARANCE_M + board->deck_thickness_m;
}

static tr_rig_object thing(const char *name, tr_geom shape, double mass, tr_vec3 pos) {
    tr_rig_object object = {.def = {.geom_count = 1, .mass = mass},
                            .state = {.pos = pos, .rot = tr_quat_identity()}};
    object.def.geom[0] = shape;
    object.def.geom[0].rot = tr_quat_identity();
    snprintf(object.def.name, sizeof object.def.name, "%s", name);
    return object;
}

static tr_rig_object deck_of(const tr_skateboard *b, tr_skateboard_way way, double x) {
    const bool ahead = way == TR_SKATEBOARD_AHEAD;
    const double length = b->deck_length_m / 2, width = b->deck_width_m / 2;
    return thing(
        "deck",
        (tr_geom){.kind = TR_GEOM_BOX,
                  .size = {ahead ? length : width, ahead ? width : length, b->deck_thickness_m / 2},
                  .friction = b->friction},
        b->deck_kg, (tr_vec3){x, 0, tr_skateboard_top(b) - b->deck_thickness_m / 2});
}

static void add_wheel(const tr_skateboard *b, tr_skateboard_way way, int corner, tr_rig *rig) {
    const bool ahead = way == TR_SKATEBOARD_AHEAD;
    const tr_vec3 deck = rig->object[DECK].state.pos;
    const double across = (corner % 2 ? -1 : 1) * WHEEL_SHARE * b->deck_width_m / 2;
    const double along = (corner / 2 ? -1 : 1) * b->axle_share * b->deck_length_m / 2;
    const tr_vec3 from_deck = {ahead ? along : across, ahead ? across : along,
                               b->wheel_radius_m - deck.z};
    const tr_vec3 axle = ahead ? (tr_vec3){0, 1, 0} : (tr_vec3){1, 0, 0};
    const double spin = b->speed_mps / b->wheel_radius_m;
    tr_rig_object *wheel = &rig->object[1 + corner];
    *wheel = thing("wheel",
                   (tr_geom){.kind = TR_GEOM_CYLINDER,
                             .size = {b->wheel_radius_m, WHEEL_HALF_M, 0},
                             .friction = b->friction},
                   b->wheel_kg, (tr_vec3){deck.x + from_deck.x, from_deck.y, b->wheel_radius_m});
    wheel->state.rot =
        ahead ? tr_quat_exp((tr_vec3){TR_PI / 2, 0, 0}) : tr_quat_exp((tr_vec3){0, TR_PI / 2, 0});
    wheel->state.omega = ahead ? (tr_vec3){0, spin, 0} : (tr_vec3){-spin, 0, 0};
    rig->pin[rig->pin_count++] = (tr_rig_pin){{1 + corner, DECK},
                                              {.kind = TR_PIN_HINGE,
                                               .point = {{0, 0, 0}, from_deck},
                                               .axis = axle,
                                               .damping = b->wheel_damping}};
}

void tr_skateboard_put(const tr_skateboard *board, tr_skateboard_way way, double x, tr_rig *out) {
    const double speed = board->speed_mps;
    out->object_count = 1 + WHEELS;
    out->object[DECK] = deck_of(board, way, x);
    for (int corner = 0; corner < WHEELS; corner++)
        add_wheel(board, way, corner, out);
    for (int i = 0; i < out->object_count; i++)
        out->object[i].state.vel =
            way == TR_SKATEBOARD_AHEAD ? (tr_vec3){speed, 0, 0} : (tr_vec3){0, speed, 0};
}
