#include "learn/balance/skateboard.h"

#include "math/elementary.h"
#include "math/quat.h"

#include <stdio.h>

enum { DECK, WHEELS = 4, TRUCKS = 2 };

/* The board of Liu and Hodgins 2017, section 5.2.2: 0.8 m and 2.8 kg with its wheels. */
static const double LENGTH_M = 0.8, WIDTH_M = 0.2, DECK_KG = 2.4, FRICTION = 1;
static const double WHEEL_M = 0.028, WHEEL_KG = 0.1, WHEEL_DAMPING = 0.001; /* N m s/rad */

/* Trucks: the tilt of their hinges out of the board's length is that of most boards, 45 degrees. */
static const double TRUCK_RAD = 0.785, TRUCK_KG = 0.2;
static const double TRUCK_DAMPING = 2;  /* of the bushing, N m s/rad */
static const double TRUCK_GAP_M = 0.02; /* from wheels to deck */
static const double WHEEL_HALF_M = 0.02,
                    CLEARANCE_M = 0.004; /* of wheels: half width, below the deck */
static const double WHEEL_SHARE = 0.7;   /* of half the width: where its wheels are */

static const double AXLE_SHARE = 0.4;   /* of half the deck: half the axle, inside the wheels */
static const double AXLE_HALF_M = 0.01; /* of a truck: half height and half length */

#define AT(field) offsetof(tr_skateboard, field)

static const tr_parameter rows[] = {
    {"start_mps", TR_REAL, AT(speed_mps), 0, 5, "1", "speed of the board at spawn"},
    {"axle_share", TR_REAL, AT(axle_share), 0.1, 1, "0.7",
     "how far from the middle the axles are, as a share of half the deck"},
};

const tr_parameter_table tr_skateboard_table = {.row = rows, .count = sizeof rows / sizeof *rows};

static bool has_trucks(const tr_skateboard *board) {
    return board->truck_spring > 0;
}

double tr_skateboard_top(const tr_skateboard *board) {
    return 2 * WHEEL_M + (has_trucks(board) ? TRUCK_GAP_M : CLEARANCE_M) + TR_DECK_THICKNESS_M;
}

tr_rig_object tr_rig_object_of(const char *name, tr_geom shape, double mass, tr_vec3 pos) {
    tr_rig_object object = {.def = {.geom_count = 1, .mass = mass},
                            .state = {.pos = pos, .rot = tr_quat_identity()}};
    object.def.geom[0] = shape;
    object.def.geom[0].rot = tr_quat_identity();
    snprintf(object.def.name, sizeof object.def.name, "%s", name);
    return object;
}

static double truck_place(const tr_skateboard *b, int truck) {
    return (truck ? -1 : 1) * b->axle_share * LENGTH_M / 2;
}

static tr_vec3 turned(tr_vec3 ahead, tr_skateboard_way way) {
    return way == TR_SKATEBOARD_AHEAD ? ahead : (tr_vec3){-ahead.y, ahead.x, ahead.z};
}

/* Adds a truck, whose hinge passes through the middle of the axle. */
static void add_truck(const tr_skateboard *b, tr_skateboard_way way, int truck, tr_rig *rig) {
    const tr_vec3 deck = rig->object[DECK].state.pos;
    const tr_vec3 from_deck = turned((tr_vec3){truck_place(b, truck), 0, WHEEL_M - deck.z}, way);
    const double across = AXLE_SHARE * WIDTH_M / 2;
    const double tilt_rad = truck ? -TRUCK_RAD : TRUCK_RAD;
    tr_rig_object *object = &rig->object[1 + WHEELS + truck];
    *object = tr_rig_object_of("truck",
                               (tr_geom){.kind = TR_GEOM_BOX,
                                         .size = way == TR_SKATEBOARD_AHEAD
                                                     ? (tr_vec3){AXLE_HALF_M, across, AXLE_HALF_M}
                                                     : (tr_vec3){across, AXLE_HALF_M, AXLE_HALF_M},
                                         .friction = FRICTION},
                               TRUCK_KG, tr_vec3_add(deck, from_deck));
    rig->pin[rig->pin_count++] =
        (tr_rig_pin){{1 + WHEELS + truck, DECK},
                     {.kind = TR_PIN_HINGE,
                      .point = {{0, 0, 0}, from_deck},
                      .axis = turned((tr_vec3){tr_cos(tilt_rad), 0, tr_sin(tilt_rad)}, way),
                      .damping = TRUCK_DAMPING,
                      .spring = b->truck_spring}};
}

static void add_wheel(const tr_skateboard *b, tr_skateboard_way way, int corner, tr_rig *rig) {
    const bool ahead = way == TR_SKATEBOARD_AHEAD;
    const tr_vec3 deck = rig->object[DECK].state.pos;
    const double across = (corner % 2 ? -1 : 1) * WHEEL_SHARE * WIDTH_M / 2;
    const double along = truck_place(b, corner / 2);
    const int axle_of = has_trucks(b) ? 1 + WHEELS + corner / 2 : DECK;
    const tr_vec3 from_deck = {ahead ? along : across, ahead ? across : along, WHEEL_M - deck.z};
    /* With trucks a wheel hangs on the axle of its truck, otherwise on the deck. */
    const tr_vec3 on_axle =
        axle_of == DECK ? from_deck : turned((tr_vec3){0, ahead ? across : -across, 0}, way);
    const tr_vec3 axle = ahead ? (tr_vec3){0, 1, 0} : (tr_vec3){1, 0, 0};
    /* It rolls without slipping from the start. */
    const double spin = b->speed_mps / WHEEL_M;
    tr_rig_object *wheel = &rig->object[1 + corner];
    *wheel = tr_rig_object_of("wheel",
                              (tr_geom){.kind = TR_GEOM_CYLINDER,
                                        .size = {WHEEL_M, WHEEL_HALF_M, 0},
                                        .friction = FRICTION},
                              WHEEL_KG, (tr_vec3){deck.x + from_deck.x, from_deck.y, WHEEL_M});
    wheel->state.rot =
        ahead ? tr_quat_exp((tr_vec3){TR_PI / 2, 0, 0}) : tr_quat_exp((tr_vec3){0, TR_PI / 2, 0});
    wheel->state.omega = ahead ? (tr_vec3){0, spin, 0} : (tr_vec3){-spin, 0, 0};
    rig->pin[rig->pin_count++] = (tr_rig_pin){{1 + corner, axle_of},
                                              {.kind = TR_PIN_HINGE,
                                               .point = {{0, 0, 0}, on_axle},
                                               .axis = axle,
                                               .damping = WHEEL_DAMPING}};
}

void tr_skateboard_put(const tr_skateboard *board, tr_skateboard_way way, double x, tr_rig *out) {
    const double speed = board->speed_mps;
    out->object_count = 1 + WHEELS + (has_trucks(board) ? TRUCKS : 0);
    const bool ahead = way == TR_SKATEBOARD_AHEAD;
    const double length = LENGTH_M / 2, width = WIDTH_M / 2;
    out->object[DECK] = tr_rig_object_of(
        "deck",
        (tr_geom){.kind = TR_GEOM_BOX,
                  .size = {ahead ? length : width, ahead ? width : length, TR_DECK_THICKNESS_M / 2},
                  .friction = FRICTION},
        DECK_KG, (tr_vec3){x, 0, tr_skateboard_top(board) - TR_DECK_THICKNESS_M / 2});
    for (int truck = 0; has_trucks(board) && truck < TRUCKS; truck++)
        add_truck(board, way, truck, out);
    for (int corner = 0; corner < WHEELS; corner++)
        add_wheel(board, way, corner, out);
    /* All parts move with the board. */
    for (int i = 0; i < out->object_count; i++)
        out->object[i].state.vel =
            way == TR_SKATEBOARD_AHEAD ? (tr_vec3){speed, 0, 0} : (tr_vec3){0, speed, 0};
}
