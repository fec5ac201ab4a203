#include "cmocka_test.h"

#include "control/driver/rig.h"
#include "math/hash.h"
#include "unit/control/bits.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tr_rig_object ball_at(tr_vec3 pos) {
    tr_rig_object ball = {.def = {.name = "ball", .geom_count = 1, .mass = 1},
                          .state = {.pos = pos, .rot = {1, 0, 0, 0}}};
    ball.def.geom[0] =
        (tr_geom){.kind = TR_GEOM_SPHERE, .size = {0.1, 0, 0}, .rot = {1, 0, 0, 0}, .friction = 1};
    return ball;
}

/* Two balls, of which one hangs on the right hand and the other on the first. */
static tr_rig balls(const tr_model *model) {
    tr_rig rig = {.object_count = 2, .pin_count = 2};
    rig.object[0] = ball_at((tr_vec3){0.5, -0.2, 1});
    rig.object[1] = ball_at((tr_vec3){0.5, -0.2, 0.5});
    rig.pin[0] =
        (tr_rig_pin){{0, TR_RIG_CHARACTER}, {.kind = TR_PIN_POINT, .body = {0, model->hand[1]}}};
    rig.pin[1] = (tr_rig_pin){{1, 0},
                              {.kind = TR_PIN_HINGE,
                               .axis = {0, 1, 0},
                               .rest = {1, 0, 0, 0},
                               .limited = true,
                               .range = {-1, 2}}};
    return rig;
}

static void expect_refused(const tr_rig *rig, const tr_model *model, const char *words) {
    tr_error error = {0};
    assert_int_equal(tr_rig_check(rig, model, &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, words));
}

TEST(what_a_world_would_refuse_is_refused) {
    const tr_model *model = *given;
    tr_error error = {0};
    tr_rig rig = balls(model);
    assert_int_equal(tr_rig_check(&rig, model, &error), TR_OK);
    rig.object_count = 0;
    expect_refused(&rig, model, "rig: 0 objects; expected 1 to 8");
    rig.object_count = TR_RIG_OBJECT_MAX + 1;
    expect_refused(&rig, model, "9 objects");
    rig = balls(model);
    rig.pin_count = -1;
    expect_refused(&rig, model, "-1 pins");
    rig = balls(model);
    rig.object[1].def.geom[0].size.x = 0;
    expect_refused(&rig, model, "rig object 1 'ball'");
    rig = balls(model);
    rig.object[0].state.pos.y = 1.1e4;
    expect_refused(&rig, model, "rig object 0");
    rig = balls(model);
    rig.object[0].state.vel.y = (double)NAN;
    expect_refused(&rig, model, "rig object 0");
    rig = balls(model);
    rig.pin[0].def.body[1] = model->body_count;
    expect_refused(&rig, model, "rig pin 0: member -1, body");
    rig = balls(model);
    rig.pin[1].member[0] = 2;
    expect_refused(&rig, model, "rig pin 1: member 2, body 0");
    rig = balls(model);
    rig.pin[1].member[0] = 0;
    expect_refused(&rig, model, "rig pin 1: expected two bodies");
    rig = balls(model);
    rig.pin[1].def.axis = (tr_vec3){0, 0, 0};
    expect_refused(&rig, model, "rig pin 1");
}

TEST(everything_that_acts_is_hashed_and_names_are_not) {
    tr_rig rig = balls(*given);
    const uint64_t hash = tr_rig_hash(&rig, TR_HASH_START);
    assert_true(tr_rig_hash(NULL, 7) == 7);
    double *const acts[] = {&rig.object[0].state.pos.x,
                            &rig.object[1].state.rot.w,
                            &rig.object[0].state.vel.z,
                            &rig.object[1].state.omega.y,
                            &rig.object[0].def.mass,
                            &rig.object[1].def.density,
                            &rig.object[0].def.angular_damping,
                            &rig.object[1].def.linear_damping,
                            &rig.object[0].def.geom[0].size.x,
                            &rig.object[0].def.geom[0].pos.y,
                            &rig.object[1].def.geom[0].rot.z,
                            &rig.object[1].def.geom[0].friction,
                            &rig.object[1].def.geom[0].torsional,
                            &rig.object[1].def.geom[0].rolling,
                            &rig.pin[0].def.point[0].x,
                            &rig.pin[1].def.point[1].z,
                            &rig.pin[1].def.axis.x,
                            &rig.pin[1].def.rest.x,
                            &rig.pin[1].def.range[0],
                            &rig.pin[1].def.damping,
                            &rig.pin[0].def.break_n};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        double before = *acts[i];
        *acts[i] += 0.25;
        assert_true(tr_rig_hash(&rig, TR_HASH_START) != hash);
        *acts[i] = before;
    }
    int *const counts[] = {&rig.pin[0].member[0], &rig.pin[0].def.body[1]};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        (*counts[i])++;
        assert_true(tr_rig_hash(&rig, TR_HASH_START) != hash);
        (*counts[i])--;
    }
    rig.pin[1].def.limited = false;
    assert_true(tr_rig_hash(&rig, TR_HASH_START) != hash);
    rig.pin[1].def.limited = true;
    snprintf(rig.object[0].def.name, sizeof rig.object[0].def.name, "moon");
    rig.object[rig.object_count].state.pos.x = 1; /* beyond the last */
    rig.pin[rig.pin_count].def.break_n = 1;
    assert_true(tr_rig_hash(&rig, TR_HASH_START) == hash);
}

TEST(its_section_gives_it_back) {
    tr_rig rig = balls(*given), *back = NULL;
    OWN_BY(tr_sections_deinit) tr_sections sections = {0};
    tr_error error = {0};
    assert_int_equal(tr_rig_load(&sections, &back, &error), TR_OK);
    assert_null(back);
    assert_int_equal(tr_rig_save(&rig, &sections, &error), TR_OK);
    assert_int_equal(tr_rig_load(&sections, &back, &error), TR_OK);
    assert_true(tr_rig_hash(back, 3) == tr_rig_hash(&rig, 3));
    assert_string_equal(back->object[1].def.name, "ball");
    free(back);
}

/* Cut short, too long, or with any byte changed: refused, or a rig that the check may refuse. */
TEST(a_hostile_section_is_an_error) {
    tr_rig rig = balls(*given), *back = NULL;
    OWN_BY(tr_sections_deinit) tr_sections sections = {0};
    tr_error error = {0};
    assert_int_equal(tr_rig_save(&rig, &sections, &error), TR_OK);
    tr_section *section = &sections.section[0];
    const size_t size = section->size;
    for (section->size = 0; section->size < size; section->size++)
        assert_int_equal(tr_rig_load(&sections, &back, &error), TR_DATA_LOSS);
    for (size_t at = 0; at < size; at++) {
        const unsigned char before = section->bytes[at];
        section->bytes[at] = (unsigned char)(before ^ 0xff);
        if (!tr_rig_load(&sections, &back, &error)) {
            (void)!tr_rig_check(back, *given, &error);
            free(back);
        }
        section->bytes[at] = before;
    }
}

/* Mirrored twice it is the same; once, left is right, hinges turn as rates do. */
TEST(a_mirror_image_is_on_the_other_side) {
    const tr_model *model = *given;
    tr_rig rig = balls(model);
    rig.object[0].state.omega = (tr_vec3){1, 2, 3};
    rig.pin[1].def.axis = (tr_vec3){1, 2, 3};
    tr_rig image = tr_rig_mirror(&rig, model);
    assert_near(image.object[0].state.pos.y, 0.2, 0);
    assert_near(image.object[0].state.omega.x, -1, 0);
    assert_near(image.object[0].state.omega.y, 2, 0);
    assert_int_equal(image.pin[0].def.body[1], model->hand[0]);
    assert_int_equal(image.pin[0].def.body[0], 0);
    assert_near(image.pin[1].def.axis.x, -1, 0);
    assert_near(image.pin[1].def.axis.y, 2, 0);
    image.pin[1].def.kind = TR_PIN_SLIDER;
    tr_rig slider = tr_rig_mirror(&image, model);
    assert_near(slider.pin[1].def.axis.x, -1, 0);
    assert_near(slider.pin[1].def.axis.y, -2, 0);
}

TEST(a_rig_has_its_golden_bits) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_sway(model, 3, 20, 9);
    const tr_rig rig = balls(model);
    tr_physics_init();
    assert_int_equal(tr_controller_set_rig(controller, &rig), TR_OK);
    bits_check(controller, model,
               &(bits_golden){.steps = 600,
                              .probes = 400,
                              .content = 0x6c16e497084d989bULL,
                              .motion = 0xf273079fab586ea8ULL,
                              .refusals = 0xfe453edaa238e560ULL});
}

TEST(bounds_of_a_rig_are_golden) {
    const tr_model *model = *given;
    OWN(tr_controller) *controller = puppet_hold(model, 1, 3);
    const tr_rig from = balls(model);
    assert_int_equal(tr_controller_set_rig(controller, &from), TR_OK);
    tr_rig *rig = controller->rig;
    tr_rig_object *object = &rig->object[1];
    tr_pin_def *pin = &rig->pin[1].def;
    const bits_subject subject = {controller, model};
    const bits_number numbers[] = {BITS_REAL(object->state.pos.x),
                                   BITS_REAL(object->state.vel.y),
                                   BITS_REAL(object->state.omega.z),
                                   BITS_REAL(object->state.rot.w),
                                   BITS_REAL(object->def.mass),
                                   BITS_REAL(object->def.density),
                                   BITS_REAL(object->def.linear_damping),
                                   BITS_REAL(object->def.geom[0].size.x),
                                   BITS_REAL(object->def.geom[0].friction),
                                   BITS_REAL(pin->axis.y),
                                   BITS_REAL(pin->range[0]),
                                   BITS_REAL(pin->damping),
                                   BITS_REAL(pin->break_n),
                                   BITS_INT(rig->object_count, -1, TR_RIG_OBJECT_MAX + 1),
                                   BITS_INT(rig->pin_count, -1, TR_RIG_PIN_MAX + 1),
                                   BITS_INT(rig->pin[0].member[0], -3, 9),
                                   BITS_INT(rig->pin[0].member[1], -3, 9),
                                   BITS_INT(pin->body[0], -2, 20),
                                   BITS_INT(rig->pin[0].def.body[1], -2, 20),
                                   BITS_INT(object->def.geom_count, -1, 9)};
    bits_check_bounds(numbers, sizeof numbers / sizeof *numbers, bits_accepts_controller, &subject,
                      0xb3c76eb89f45e5d8ULL);
}

/* A world takes TR_OBJECT_MAX objects: the first of the rig fits, the second does not. */
TEST(a_rig_that_does_not_fit_leaves_nothing_behind) {
    const tr_model *model = *given;
    const tr_rig rig = balls(model);
    OWN(tr_world) *world = puppet_void();
    tr_entity_id id = 0;
    tr_rig_pieces pieces = {0};
    for (int i = 0; i < TR_OBJECT_MAX - 1; i++)
        assert_int_equal(tr_world_add_object(
                             world, &rig.object[0].def,
                             &(tr_object_state){.pos = {3.0 * i, 50, 1}, .rot = {1, 0, 0, 0}}, &id),
                         TR_OK);
    const tr_rig_place place = {0};
    assert_int_equal(tr_rig_spawn(&rig, world, 0, &place, &pieces), TR_RESOURCE_EXHAUSTED);
    assert_int_equal(pieces.count, 0);
    assert_int_equal(tr_world_objects(world, NULL, 0), TR_OBJECT_MAX - 1);
}

TEST(it_is_put_whole_looked_at_and_known_by_its_hash) {
    const tr_model *model = *given;
    const tr_pose rest = tr_pose_rest(model);
    const tr_state spawn = tr_state_at_rest(model, &rest);
    tr_rig rig = balls(model), other = rig;
    OWN(tr_world) *world = puppet_void();
    tr_entity_id character = 0;
    tr_rig_pieces pieces = {0};
    tr_object_state at[TR_RIG_OBJECT_MAX];
    const tr_rig_place here = {0}, there = {.heading_rad = TR_PI / 2, .pos = {10, 0, 0}};
    assert_int_equal(tr_world_add_character(world, model, &spawn, &character), TR_OK);
    assert_int_equal(tr_rig_spawn(&rig, world, character, &here, &pieces), TR_OK);
    assert_int_equal(pieces.count, 2);
    assert_true(tr_rig_pieces_fit(&pieces, &rig) && tr_rig_pieces_fit(&pieces, NULL));
    other.object[1].def.mass *= 2;
    assert_false(tr_rig_pieces_fit(&pieces, &other));
    tr_entity_id pin[2];
    assert_int_equal(tr_world_pins(world, pin, 2), 2);
    assert_int_equal(tr_rig_put(&rig, &pieces, world, character, &here), TR_OK);
    assert_int_equal(tr_world_pins(world, NULL, 0), 2);
    assert_int_equal(tr_world_remove_pin(world, pin[0]), TR_OK); /* as when it breaks */
    assert_int_equal(tr_rig_put(&rig, &pieces, world, character, &there), TR_OK);
    tr_entity_id again[2];
    assert_int_equal(tr_world_pins(world, again, 2), 2);
    assert_int_equal(again[0], pin[1]);
    assert_int_not_equal(again[1], pin[0]);
    assert_int_equal(tr_rig_look(&pieces, world, at), TR_OK);
    for (int i = 0; i < 2; i++) {
        assert_near(at[i].pos.x, 10 - rig.object[i].state.pos.y, 1e-12);
        assert_near(at[i].pos.y, rig.object[i].state.pos.x, 1e-12);
    }
    tr_rig_despawn(&pieces, world);
    assert_int_equal(tr_world_objects(world, NULL, 0), 0);
}

/* As many objects and pins as there may be; the last pin holds the last object. */
TEST(the_largest_rig_is_kept) {
    const tr_model *model = *given;
    tr_rig rig = {.object_count = TR_RIG_OBJECT_MAX, .pin_count = TR_RIG_PIN_MAX}, *again = NULL;
    OWN_BY(tr_sections_deinit) tr_sections sections = {0};
    for (int i = 0; i < rig.object_count; i++)
        rig.object[i] = ball_at((tr_vec3){0.5 * i, -0.2, 1});
    for (int i = 0; i < rig.pin_count; i++)
        rig.pin[i] = (tr_rig_pin){{TR_RIG_OBJECT_MAX - 1 - i % 2, TR_RIG_CHARACTER},
                                  {.kind = TR_PIN_POINT, .body = {0, model->body_count - 1}}};
    assert_int_equal(tr_rig_check(&rig, model, NULL), TR_OK);
    assert_int_equal(tr_rig_save(&rig, &sections, NULL), TR_OK);
    assert_int_equal(tr_rig_load(&sections, &again, NULL), TR_OK);
    assert_int_equal(again->object_count, TR_RIG_OBJECT_MAX);
    assert_int_equal(again->pin[TR_RIG_PIN_MAX - 1].member[0],
                     rig.pin[TR_RIG_PIN_MAX - 1].member[0]);
    assert_true(tr_rig_hash(again, 1) == tr_rig_hash(&rig, 1));
    free(again);
}

/* Without a spring the section is as long as before springs. */
TEST(springs_are_kept_and_hashed) {
    tr_rig rig = balls(*given), *read = NULL;
    tr_sections plain = {0}, sprung = {0};
    tr_error error = {0};
    const uint64_t before = tr_rig_hash(&rig, TR_HASH_START);
    assert_int_equal(tr_rig_save(&rig, &plain, &error), TR_OK);
    rig.pin[1].def.spring = 50;
    assert_int_equal(tr_rig_save(&rig, &sprung, &error), TR_OK);
    assert_int_not_equal(tr_rig_hash(&rig, TR_HASH_START), before);
    assert_int_equal(tr_rig_load(&plain, &read, &error), TR_OK);
    assert_int_equal(tr_rig_hash(read, TR_HASH_START), before);
    free(read);
    assert_int_equal(tr_rig_load(&sprung, &read, &error), TR_OK);
    assert_true(read->pin[1].def.spring == 50 && read->pin[0].def.spring == 0);
    free(read);
    tr_sections_deinit(&plain);
    tr_sections_deinit(&sprung);
}

/* A ball on a hinge through its middle swings about angle 0, with the period of k and its inertia;
 * a snapshot keeps the spring. */
TEST(a_spring_swings) {
    tr_world_def def = tr_world_def_default();
    def.gravity = (tr_vec3){0, 0, 0};
    const tr_rig_object ball = ball_at((tr_vec3){0, 0, 3});
    const double inertia = 0.4 * 0.1 * 0.1, rate = 2 * TR_PI;
    tr_object_state state = ball.state;
    OWN(tr_world) *world = NULL;
    tr_entity_id id, pin;
    assert_int_equal(tr_world_create(&def, &world), TR_OK);
    assert_int_equal(tr_world_add_object(world, &ball.def, &state, &id), TR_OK);
    const tr_pin_def hinge = {.kind = TR_PIN_HINGE,
                              .entity = {id, 0},
                              .point = {{0, 0, 0}, {0, 0, 3}},
                              .axis = {0, 0, 1},
                              .rest = {1, 0, 0, 0},
                              .spring = inertia * rate * rate};
    assert_int_equal(tr_world_add_pin(world, &hinge, &pin), TR_OK);
    state.rot = tr_quat_from_heading(0.3);
    assert_int_equal(tr_world_set_object(world, id, &state), TR_OK);
    size_t size = tr_world_snapshot_size(world), written;
    void *kept = malloc(size);
    assert_non_null(kept);
    assert_int_equal(tr_world_snapshot(world, kept, size, &written), TR_OK);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(tr_world_restore(world, kept, size, NULL, 0), TR_OK);
        for (int i = 0; i < 100; i++) /* half of its period of 1 s */
            assert_int_equal(tr_world_step(world), TR_OK);
    }
    free(kept);
    assert_int_equal(tr_world_get_object(world, id, &state), TR_OK);
    assert_near(tr_quat_heading(state.rot), -0.3, 0.03);
}

SUITE_FIXTURE(puppet_load, puppet_unload);
