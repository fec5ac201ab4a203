#include "cmocka_test.h"

#include "control/torque/skate/hop.h"
#include "physics/world/world.h"

#include <math.h>

static const double STEP_S = 0.005, BOARD_MPS = 2, EDGE_AT_M = 2, RISE_M = 0.02, WIDE_M = 0.1;
static const tr_hop_board BOARD = {.axle_m = {0.2, -0.2}, .wheel_m = 0.03, .height_m = 0.06};
static const tr_hop_numbers NUMBERS = {
    .launch_mps2 = 10, .launch_s = 0.12, .lift_m = 0.02, .lift_s = 0.1, .land_mps = 0.5};

/* A board that rolls to a beam at a steady speed, and moves up and down as the hop has it. */
typedef struct roller {
    tr_world *world;
    tr_hop_numbers numbers;
    tr_hop hop;
    tr_hop_plan plan;
    tr_hop_road road;
    tr_object_state deck;
} roller;

static roller begin(void) {
    const tr_world_def def = tr_world_def_default();
    const tr_scenery_def beam = {.kind = TR_SCENERY_BOX,
                                 .size = {WIDE_M / 2, 5, RISE_M},
                                 .pos = {EDGE_AT_M + WIDE_M / 2, 0, 0},
                                 .rot = tr_quat_identity(),
                                 .friction = 1};
    roller r = {.numbers = NUMBERS,
                .deck = {.pos = {0, 0, BOARD.height_m}, .rot = tr_quat_identity()}};
    assert_int_equal(tr_world_create(&def, &r.world), TR_OK);
    assert_int_equal(tr_world_add_scenery(r.world, &beam, NULL), TR_OK);
    return r;
}

static tr_hop_view view_of(const roller *r) {
    return (tr_hop_view){.numbers = &r->numbers,
                         .road = &r->road,
                         .board_mps = BOARD_MPS,
                         .wheels_m = r->deck.pos.z - BOARD.height_m - r->road.level_m,
                         .wheels_mps = r->deck.vel.z,
                         .step_s = STEP_S};
}

static void advance(roller *r) {
    r->road = tr_hop_road_look(r->world, &BOARD, &r->deck);
    const tr_hop_view view = view_of(r);
    tr_hop_advance(&r->hop, &view);
    r->plan = tr_hop_plan_of(&r->hop, &view);
    r->deck.vel.z = r->plan.flies ? r->deck.vel.z + STEP_S * r->plan.sole_mps2 : 0;
    r->deck.pos.z = fmax(BOARD.height_m, r->deck.pos.z + STEP_S * r->deck.vel.z);
    r->deck.pos.x += STEP_S * BOARD_MPS;
}

/* Of either pair of wheels above the ground below it, at least. */
static double gap_of(const roller *r) {
    double gap = INFINITY;
    for (int i = 0; i < 2; i++) {
        const double x = r->deck.pos.x + BOARD.axle_m[i];
        const bool above = x > EDGE_AT_M && x < EDGE_AT_M + WIDE_M;
        gap = fmin(gap, r->deck.pos.z - BOARD.height_m - (above ? RISE_M : 0));
    }
    return gap;
}

TEST(the_next_rise_is_seen) {
    roller r = begin();
    const tr_hop_road road = tr_hop_road_look(r.world, &BOARD, &r.deck);
    assert_true(fabs(road.edge_m - (EDGE_AT_M - BOARD.axle_m[0] - BOARD.wheel_m)) < 0.021);
    assert_true(fabs(road.ahead_m - RISE_M) < 1e-9);
    assert_true(fabs(road.rise_m) < 1e-9 && fabs(road.gap_m) < 1e-9);
    tr_world_destroy(r.world);
}

TEST(wheels_pass_over_the_edge_and_come_down) {
    roller r = begin();
    bool flew = false;
    while (r.deck.pos.x < EDGE_AT_M + 1) {
        advance(&r);
        flew = flew || r.plan.flies;
        assert_true(gap_of(&r) > -0.005);
    }
    assert_true(flew);
    assert_int_equal(r.hop.stage, TR_HOP_NONE);
    tr_world_destroy(r.world);
}

/* A slope of 3 degrees, behind which nothing else rises. */
TEST(a_slope_is_no_rise) {
    const tr_world_def def = tr_world_def_default();
    const double slope_rad = 0.05;
    const tr_scenery_def slope = {.kind = TR_SCENERY_BOX,
                                  .size = {20, 5, 1},
                                  .pos = {0, 0, -1},
                                  .rot = tr_quat_exp((tr_vec3){0, -slope_rad, 0}),
                                  .friction = 1};
    const tr_object_state deck = {.pos = {1, 0, BOARD.height_m + slope_rad},
                                  .rot = tr_quat_identity()};
    OWN(tr_world) *world = NULL;
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    assert_int_equal(tr_world_add_scenery(world, &slope, NULL), TR_OK);
    const tr_hop_road road = tr_hop_road_look(world, &BOARD, &deck);
    assert_true(road.edge_m > 1e9);
}

TEST(a_board_without_a_launch_rolls_on) {
    roller r = begin();
    r.numbers.launch_s = 0;
    while (r.deck.pos.x < EDGE_AT_M + 1) {
        advance(&r);
        assert_false(r.plan.flies || r.plan.launches);
    }
    assert_int_equal(r.hop.steps, 0);
    tr_world_destroy(r.world);
}

TEST(strokes_wait_for_a_near_rise) {
    roller r = begin();
    while (r.deck.pos.x < 0.2)
        advance(&r);
    r.hop.steps = 1000; /* long after a hop */
    const tr_hop_view view = view_of(&r);
    assert_true(tr_hop_is_due(&r.hop, &view, 1));
    assert_false(tr_hop_is_due(&r.hop, &view, 0.1));
    tr_world_destroy(r.world);
}
