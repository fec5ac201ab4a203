/* A kind with a rig: its objects are stored and bundled with the controller, spawned, seen, snapshot,
 * mirrored and despawned with the character. tests/toy/served.py does the same over the wire. */
#include "cmocka_test.h"

#include "control/stage/intent.h"
#include "db/bundles/bundle.h"
#include "db/tables/controllers.h"
#include "learn/measure/certify.h"
#include "math/hash.h"
#include "model/mjcf.h"
#include "toy/watch/watch.h"
#include "unit/control/puppet.h"
#include "unit/db/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tr_model *model;
static tr_controller *watch;

static int load(void **state) {
    model = puppet_model();
    assert_int_equal(toy_watch_create(model, &watch), TR_OK);
    return fixture_setup(state);
}

static int unload(void **state) {
    tr_controller_destroy(watch);
    tr_model_destroy(model);
    return fixture_teardown(state);
}

/* --- kept --- */

TEST(it_is_stored_and_bundled) {
    fixture *f = *given;
    tr_controller_entry entry = {.controller = watch, .model_id = fixture_put_model(f, "humanoid")};
    tr_row_id id = 0;
    OWN(tr_catalogue) *other = NULL;
    tr_bundle_report report;
    tr_controller_row row;
    OWN(tr_controller) *kept = NULL;
    assert_ok(tr_controllers_put(f->catalogue, &entry, &id, &f->error));
    assert_ok(tr_bundle_export(f->catalogue, &id, 1, fixture_file(f, "toy.troupe"), &f->error));
    assert_ok(
        tr_catalogue_open(fixture_file(f, "other.sqlite"), TR_CATALOGUE_CREATE, &other, &f->error));
    assert_ok(tr_bundle_import(other, fixture_file(f, "toy.troupe"), TR_BUNDLE_REFUSE, &report,
                               &f->error));
    assert_ok(tr_controllers_find(other, "watch", &row, &f->error));
    assert_ok(tr_controllers_load(other, row.id, model, &kept, &f->error));
    assert_non_null(kept->rig);
    assert_true(tr_controller_hash(kept, model) == tr_controller_hash(watch, model));
    assert_string_equal(kept->rig->object[TOY_WATCH_POST].def.name, "post");
    assert_int_equal(kept->rig->object[TOY_WATCH_POST].def.geom[0].kind, TR_GEOM_CYLINDER);
}

/* A chain, whose content has separate tables, keeps its rig too; without the rig it is another
 * controller. */
TEST(a_chain_keeps_its_rig) {
    fixture *f = *given;
    tr_controller *chain = puppet_hold(model, 2, 10), *kept = NULL;
    tr_controller_entry entry = {.controller = chain, .model_id = fixture_put_model(f, "humanoid")};
    tr_row_id id = 0, plain = 0;
    snprintf(chain->name, sizeof chain->name, "plain");
    assert_ok(tr_controllers_put(f->catalogue, &entry, &plain, &f->error));
    assert_int_equal(tr_controller_set_rig(chain, watch->rig), TR_OK);
    assert_int_equal(tr_controllers_put(f->catalogue, &entry, &id, &f->error), TR_ALREADY_EXISTS);
    snprintf(chain->name, sizeof chain->name, "rigged");
    assert_ok(tr_controllers_put(f->catalogue, &entry, &id, &f->error));
    assert_ok(tr_controllers_load(f->catalogue, id, model, &kept, &f->error));
    assert_int_equal(kept->rig->object_count, TOY_WATCH_OBJECTS);
    tr_controller_destroy(kept);
    assert_ok(tr_controllers_load(f->catalogue, plain, model, &kept, &f->error));
    assert_null(kept->rig);
    tr_controller_destroy(kept);
    tr_controller_destroy(chain);
}

TEST(a_broken_rig_is_found) {
    static const char *const damages[] = {
        "DELETE FROM controller_section WHERE name = 'rig'",
        "UPDATE controller_section SET name = 'ring'",
        "UPDATE controller_section SET content = substr(content, 1, length(content) - 1)",
        "UPDATE controller_section SET content = zeroblob(200)",
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        fixture *f = *given;
        tr_controller_entry entry = {.controller = watch,
                                     .model_id = fixture_put_model(f, "humanoid")};
        tr_row_id id = 0;
        assert_ok(tr_controllers_put(f->catalogue, &entry, &id, &f->error));
        tr_catalogue_close(f->catalogue);
        f->catalogue = NULL;
        size_t size = 0;
        unsigned char *whole = fixture_read(f->path, &size);
        fixture_sql(f->path, damages[i]);
        assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_CREATE, &f->catalogue, &f->error));
        assert_int_not_equal(tr_catalogue_check(f->catalogue, &f->error), TR_OK);
        tr_catalogue_close(f->catalogue);
        fixture_write(f->path, whole, size);
        free(whole);
        assert_ok(tr_catalogue_open(f->path, TR_CATALOGUE_CREATE, &f->catalogue, &f->error));
    }
}

/* --- on stage --- */

typedef struct play {
    tr_stage *stage;
    tr_world *world;
    tr_entity_id id;
} play;

static play open_play(void) {
    play p = {0};
    tr_world_def world = tr_world_def_default();
    tr_spawn_def def = {
        .model = model, .controller = watch, .pos = {3, -2, 0}, .heading_rad = TR_PI / 2};
    assert_int_equal(tr_stage_create(&world, &p.stage), TR_OK);
    p.world = tr_stage_world(p.stage);
    assert_int_equal(tr_stage_spawn(p.stage, &def, &p.id), TR_OK);
    return p;
}

static void step(const play *p, int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(tr_stage_step(p->stage), TR_OK);
}

static const tr_rig_pieces *pieces_of(const play *p) {
    return &tr_stage_performer(p->stage, p->id)->runner.rig;
}

static tr_object_state object_of(const play *p, int index) {
    tr_object_state state = {0};
    assert_int_equal(tr_world_get_object(p->world, pieces_of(p)->object[index], &state), TR_OK);
    return state;
}

TEST(it_is_spawned_where_the_character_is) {
    play p = open_play();
    tr_object_state ball = object_of(&p, TOY_WATCH_BALL);
    assert_int_equal(tr_world_objects(p.world, NULL, 0), TOY_WATCH_OBJECTS);
    assert_int_equal(tr_world_pins(p.world, NULL, 0), 2);
    assert_near(ball.pos.x, 3 - 1, 1e-12); /* a quarter turn to the left of (1, 1) */
    assert_near(ball.pos.y, -2 + 1, 1e-12);
    assert_near(ball.vel.x, 1, 1e-12);
    for (int i = 0; i < TOY_WATCH_OBJECTS; i++)
        assert_int_equal(tr_stage_rig_owner(p.stage, pieces_of(&p)->object[i]), p.id);
    assert_int_equal(tr_stage_rig_owner(p.stage, p.id), 0);
    tr_stage_destroy(p.stage);
}

/* The ball rolls from the left to the right, and the bat hangs on the hand. */
TEST(its_objects_are_seen) {
    play p = open_play();
    step(&p, 20);
    assert_string_equal(puppet_doing(p.stage, p.id).text, "watches the ball on the left");
    step(&p, 300);
    assert_string_equal(puppet_doing(p.stage, p.id).text, "watches the ball on the right");
    const tr_body_state *hand = &tr_world_bodies(p.world, p.id)[model->hand[1]];
    tr_object_state bat = object_of(&p, TOY_WATCH_BAT);
    tr_vec3 held = tr_vec3_add(bat.pos, tr_quat_rotate(bat.rot, (tr_vec3){0, 0, 0.35}));
    assert_true(tr_vec3_distance(held, hand->com_pos) < 0.01);
    assert_true(object_of(&p, TOY_WATCH_POST).pos.z > 0.29);
    tr_stage_destroy(p.stage);
}

TEST(it_is_despawned_with_its_character) {
    play p = open_play();
    tr_spawn_def other = {.model = model, .controller = watch, .pos = {-5, 0, 0}};
    tr_entity_id second;
    assert_int_equal(tr_stage_spawn(p.stage, &other, &second), TR_OK);
    step(&p, 5);
    assert_int_equal(tr_stage_despawn(p.stage, p.id), TR_OK);
    assert_int_equal(tr_world_objects(p.world, NULL, 0), TOY_WATCH_OBJECTS);
    assert_int_equal(tr_world_pins(p.world, NULL, 0), 2);
    step(&p, 5);
    assert_int_equal(tr_stage_despawn(p.stage, second), TR_OK);
    assert_int_equal(tr_world_objects(p.world, NULL, 0), 0);
    assert_int_equal(tr_world_pins(p.world, NULL, 0), 0);
    tr_stage_destroy(p.stage);
}

TEST(a_full_world_takes_no_part_of_it) {
    play p = open_play();
    const tr_rig_object *post = &watch->rig->object[TOY_WATCH_POST];
    tr_spawn_def other = {.model = model, .controller = watch};
    tr_entity_id id;
    while (tr_world_objects(p.world, NULL, 0) < TR_OBJECT_MAX - 2) {
        tr_object_state at = post->state;
        at.pos.x = 10 + tr_world_objects(p.world, NULL, 0);
        assert_int_equal(tr_world_add_object(p.world, &post->def, &at, &id), TR_OK);
    }
    assert_int_equal(tr_stage_spawn(p.stage, &other, &id), TR_RESOURCE_EXHAUSTED);
    assert_int_equal(tr_world_objects(p.world, NULL, 0), TR_OBJECT_MAX - 2);
    assert_int_equal(tr_world_characters(p.world, NULL, 0), 1);
    tr_stage_destroy(p.stage);
}

/* The rig stays with the character whatever drives it; a controller with a rig needs that rig. */
TEST(only_characters_with_the_rig_are_driven) {
    play p = open_play();
    OWN(tr_controller) *hold = puppet_hold(model, 1, 10);
    tr_entity_id bare;
    tr_spawn_def def = {.model = model, .controller = hold, .pos = {-5, 0, 0}};
    assert_int_equal(tr_stage_spawn(p.stage, &def, &bare), TR_OK);
    assert_int_equal(tr_stage_set_controller(p.stage, bare, watch), TR_FAILED_PRECONDITION);
    assert_int_equal(tr_stage_set_controller(p.stage, p.id, hold), TR_OK);
    step(&p, 25);
    assert_ptr_equal(tr_stage_performer(p.stage, p.id)->runner.controller, hold);
    assert_int_equal(pieces_of(&p)->count, TOY_WATCH_OBJECTS);
    assert_int_equal(tr_stage_set_controller(p.stage, p.id, NULL), TR_OK);
    assert_int_equal(tr_stage_set_controller(p.stage, p.id, watch), TR_OK);
    step(&p, 25);
    assert_ptr_equal(tr_stage_performer(p.stage, p.id)->runner.controller, watch);
    tr_stage_destroy(p.stage);
}

TEST(a_driver_whose_object_is_gone_is_a_fault) {
    play p = open_play();
    int count = 0, dropped = 0;
    assert_int_equal(tr_world_remove_object(p.world, pieces_of(&p)->object[0]), TR_OK);
    step(&p, 1);
    const tr_stage_event *event = tr_stage_events(p.stage, &count, &dropped);
    assert_true(count > 0 && event[0].kind == TR_STAGE_FAULT && event[0].entity == p.id);
    step(&p, 5);
    tr_stage_destroy(p.stage);
}

TEST(it_is_put_back_under_its_character) {
    play p = open_play();
    step(&p, 200);
    assert_int_equal(tr_stage_put_rig(p.stage, p.id, watch), TR_OK);
    tr_object_state ball = object_of(&p, TOY_WATCH_BALL);
    assert_near(ball.pos.x, 3 - 1, 0.1);
    assert_near(ball.pos.z, 0.1, 1e-12);
    tr_stage_destroy(p.stage);
}

/* --- snapshots --- */

typedef struct kept {
    size_t size;
    unsigned char *bytes;
} kept;

static kept take_snapshot(const play *p) {
    kept k = {tr_stage_snapshot_size(p->stage), NULL};
    k.bytes = malloc(k.size);
    assert_int_equal(tr_stage_snapshot(p->stage, k.bytes, k.size, &k.size), TR_OK);
    return k;
}

TEST(it_comes_back_from_a_snapshot_to_the_bit) {
    play p = open_play();
    step(&p, 60);
    kept k = take_snapshot(&p);
    step(&p, 100);
    uint64_t straight = tr_stage_hash(p.stage);
    assert_int_equal(tr_stage_restore(p.stage, k.bytes, k.size, NULL), TR_OK);
    step(&p, 100);
    assert_true(tr_stage_hash(p.stage) == straight);

    /* On another stage, with the rig on board. */
    play q = {0};
    tr_world_def world = tr_world_def_default();
    const tr_model *models[] = {model};
    const tr_controller *controllers[] = {watch};
    tr_stage_library library = {models, 1, controllers, 1};
    assert_int_equal(tr_stage_create(&world, &q.stage), TR_OK);
    q.world = tr_stage_world(q.stage);
    q.id = p.id;
    assert_int_equal(tr_stage_restore(q.stage, k.bytes, k.size, &library), TR_OK);
    step(&q, 100);
    assert_true(tr_stage_hash(q.stage) == straight);
    assert_int_equal(tr_stage_despawn(q.stage, q.id), TR_OK);
    assert_int_equal(tr_world_objects(q.world, NULL, 0), 0);
    tr_stage_destroy(q.stage);
    free(k.bytes);
    tr_stage_destroy(p.stage);
}

static tr_status restore_forged(const play *p, const kept *k, size_t at, const void *value,
                                size_t size) {
    OWN_MEMORY unsigned char *forged = malloc(k->size);
    memcpy(forged, k->bytes, k->size);
    memcpy(forged + at, value, size);
    uint64_t checksum = tr_hash_add(TR_HASH_START, forged + 24, k->size - 24);
    memcpy(forged + 16, &checksum, sizeof checksum);
    tr_status status = tr_stage_restore(p->stage, forged, k->size, NULL);
    return status;
}

/* The rig of the only performer lies before its intent and the look-ahead, at the end. */
TEST(a_hostile_snapshot_is_refused) {
    enum { RIG = 8 + 4 + 4 * TR_RIG_OBJECT_MAX, COUNT = 8, OBJECT = 12 };
    play p = open_play();
    step(&p, 10);
    kept k = take_snapshot(&p);
    tr_byte_writer intent = {0};
    tr_intent_write(&(tr_intent_state){0}, &intent);
    const size_t rig = k.size - RIG - intent.size - sizeof(uint64_t);
    const uint64_t hash = tr_stage_hash(p.stage), other = 1;
    const int32_t counts[] = {-1, 0, 3, 5, 8, 9, 1 << 30};
    const uint32_t ids[] = {0, p.id, 999, pieces_of(&p)->object[1], UINT32_MAX};
    assert_int_equal(restore_forged(&p, &k, rig, k.bytes + rig, 8), TR_OK);
    assert_int_equal(restore_forged(&p, &k, rig, &other, 8), TR_INVALID_ARGUMENT);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        assert_int_equal(restore_forged(&p, &k, rig + COUNT, &counts[i], 4), TR_INVALID_ARGUMENT);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        assert_int_equal(restore_forged(&p, &k, rig + OBJECT, &ids[i], 4), TR_INVALID_ARGUMENT);
    assert_int_equal(restore_forged(&p, &k, rig + OBJECT + 16, &ids[1], 4), TR_INVALID_ARGUMENT);
    assert_true(tr_stage_hash(p.stage) == hash);
    free(k.bytes);
    tr_stage_destroy(p.stage);
}

/* --- mirror --- */

/* The mirror image does on the other side what the rig does: gate and bat too. */
TEST(its_mirror_image_moves_as_its_mirror_image) {
    OWN(tr_controller) *image = NULL;
    assert_int_equal(tr_controller_mirror(watch, model, &image), TR_OK);
    assert_int_equal(tr_controller_check(image, model, NULL), TR_OK);
    tr_rig again = tr_rig_mirror(image->rig, model);
    assert_true(tr_rig_hash(&again, 1) == tr_rig_hash(watch->rig, 1));
    tr_world_def def = tr_world_def_default();
    play p[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        tr_spawn_def spawn = {.model = model, .controller = i ? image : watch};
        assert_int_equal(tr_stage_create(&def, &p[i].stage), TR_OK);
        p[i].world = tr_stage_world(p[i].stage);
        assert_int_equal(tr_stage_spawn(p[i].stage, &spawn, &p[i].id), TR_OK);
        tr_push push = {.entity = pieces_of(&p[i])->object[TOY_WATCH_GATE],
                        .force = {0, i ? -40 : 40, 0},
                        .steps = 20};
        assert_int_equal(tr_world_push(p[i].world, &push), TR_OK);
        step(&p[i], 60);
    }
    for (int i = 0; i < TOY_WATCH_OBJECTS; i++) {
        tr_object_state one = object_of(&p[0], i), other = object_of(&p[1], i);
        assert_true(tr_vec3_distance(tr_vec3_mirror(one.pos), other.pos) < 0.005);
    }
    assert_true(fabs(object_of(&p[0], TOY_WATCH_GATE).pos.y - 0.5) > 0.05);
    tr_stage_destroy(p[0].stage);
    tr_stage_destroy(p[1].stage);
}

/* --- rehearsed --- */

TEST(it_is_certified) {
    tr_ensemble *ensemble = NULL;
    tr_error error = {0};
    tr_push_test test = tr_push_test_default();
    tr_push_result result[2];
    test.directions = test.phases = 2;
    test.settle_s = 0.5;
    test.after_s = 0.5;
    test.force_n = 40;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tr_ensemble_create_for(model, watch, 1 + i, &ensemble, &error), TR_OK);
        assert_int_equal(tr_evaluate_pushes(ensemble, watch, &test, &result[i]), TR_OK);
        tr_ensemble_destroy(ensemble);
    }
    assert_int_equal(result[0].survived, result[0].trials);
    assert_memory_equal(&result[0], &result[1], sizeof result[0]);
}

/* A trial returns to a moment with its rig, and pins that broke hold again. */
TEST(a_rehearsal_returns_with_its_rig) {
    tr_rig rig = *watch->rig;
    OWN(tr_ensemble) *ensemble = NULL;
    tr_error error = {0};
    tr_rehearsal_moment moment, now;
    tr_trial trial, before;
    rig.pin[0].def.break_n = 500;
    assert_int_equal(tr_controller_set_rig(watch, &rig), TR_OK);
    assert_int_equal(tr_ensemble_create_for(model, watch, 1, &ensemble, &error), TR_OK);
    tr_rehearsal *r = &ensemble->rehearsal[0];
    assert_int_equal(tr_trial_begin(&trial, watch, r, &watch->spawn), TR_OK);
    tr_trial_run(&trial, r, 50);
    assert_int_equal(tr_rehearsal_look(r, &moment), TR_OK);
    before = trial;
    tr_trial_run(&trial, r, 150);
    assert_int_equal(tr_rehearsal_look(r, &now), TR_OK);
    tr_push wrench = {
        .entity = r->pieces.object[TOY_WATCH_BAT], .force = {0, 0, -9000}, .steps = 3};
    assert_int_equal(tr_world_push(r->world, &wrench), TR_OK);
    tr_trial_run(&trial, r, 160);
    assert_int_equal(tr_world_pins(r->world, NULL, 0), 1);
    assert_int_equal(tr_rehearsal_return(r, &moment), TR_OK);
    assert_int_equal(tr_world_pins(r->world, NULL, 0), 2);
    tr_trial_run(&before, r, 150);
    tr_rehearsal_moment again;
    assert_int_equal(tr_rehearsal_look(r, &again), TR_OK);
    assert_near(tr_vec3_distance(now.object[0].pos, again.object[0].pos), 0, 1e-9);
}

BEFORE_ALL() {
    tr_physics_init();
}

TEST_FIXTURE(load, unload);
