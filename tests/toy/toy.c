/* A kind from outside the project works like all others: it is stored and bundled, spawned and
 * set, snapshot, hashed and certified, without a line about it elsewhere. tests/toy/served.py does
 * the same over the wire. */
#include "cmocka_test.h"

#include "db/bundles/bundle.h"
#include "db/tables/controllers.h"
#include "learn/measure/certify.h"
#include "model/mjcf.h"
#include "toy/sway/sway.h"
#include "unit/control/puppet.h"
#include "unit/db/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tr_model *model;
static tr_controller *toy;

static int load(void **state) {
    model = puppet_model();
    assert_int_equal(toy_sway_create(model, &toy), TR_OK);
    return fixture_setup(state);
}

static int unload(void **state) {
    tr_controller_destroy(toy);
    tr_model_destroy(model);
    return fixture_teardown(state);
}

static tr_row_id put(fixture *f) {
    tr_controller_entry entry = {.controller = toy, .model_id = fixture_put_model(f, "humanoid")};
    tr_row_id id = 0;
    assert_ok(tr_controllers_put(f->catalogue, &entry, &id, &f->error));
    return id;
}

static void expect_kept(fixture *f, tr_catalogue *catalogue) {
    tr_controller_row row;
    OWN(tr_controller) *kept = NULL;
    assert_ok(tr_controllers_find(catalogue, "toy", &row, &f->error));
    assert_string_equal(row.kind, "toy_sway");
    assert_int_equal(row.fragment_count, 0);
    assert_true(row.duration_s == 1 && row.cyclic && row.mirrored);
    assert_ok(tr_controllers_load(catalogue, row.id, model, &kept, &f->error));
    assert_true(tr_controller_hash(kept, model) == tr_controller_hash(toy, model));
}

TEST(it_is_stored_and_bundled) {
    fixture *f = *given;
    tr_row_id id = put(f);
    expect_kept(f, f->catalogue);
    assert_int_equal(put(f), id); /* the same content again */
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
    assert_ok(tr_bundle_export(f->catalogue, &id, 1, fixture_file(f, "toy.troupe"), &f->error));
    OWN(tr_catalogue) *other = NULL;
    tr_bundle_report report;
    assert_ok(
        tr_catalogue_open(fixture_file(f, "other.sqlite"), TR_CATALOGUE_CREATE, &other, &f->error));
    assert_ok(tr_bundle_import(other, fixture_file(f, "toy.troupe"), TR_BUNDLE_REFUSE, &report,
                               &f->error));
    assert_int_equal(report.controllers.added, 1);
    expect_kept(f, other);
}

TEST(broken_sections_are_found) {
    static const char *const damages[] = {
        "DELETE FROM controller_section",
        "UPDATE controller_section SET name = 'stray'",
        "UPDATE controller_section SET content = zeroblob(40)",
        "UPDATE controller_section SET content = substr(content, 1, length(content) - 1)",
        "UPDATE controller_section SET replaceable = 1",
        "UPDATE controller SET kind = 'chain'",
        "UPDATE controller SET kind = 'dance'",
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        fixture *f = *given;
        (void)put(f);
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

static tr_stage *stage_of(tr_entity_id *out_id) {
    tr_stage *stage = NULL;
    tr_world_def world = tr_world_def_default();
    assert_int_equal(tr_stage_create(&world, &stage), TR_OK);
    tr_spawn_def def = {.model = model, .controller = toy};
    assert_int_equal(tr_stage_spawn(stage, &def, out_id), TR_OK);
    return stage;
}

static void step(tr_stage *stage, int count) {
    for (int i = 0; i < count; i++)
        assert_int_equal(tr_stage_step(stage), TR_OK);
}

TEST(it_is_spawned_set_and_snapshot) {
    tr_entity_id id;
    OWN(tr_stage) *stage = stage_of(&id);
    tr_error error = {0};
    step(stage, 10);
    assert_int_equal(tr_stage_set_parameter(stage, id, "amplitude", (double[]){0.3}, 1, &error),
                     TR_OK);
    assert_int_equal(tr_stage_set_parameter(stage, id, "amplitude", (double[]){3}, 1, &error),
                     TR_INVALID_ARGUMENT);
    assert_string_equal(error.message, "amplitude: 3; expected 0 to 0.5 rad");
    assert_int_equal(tr_stage_set_parameter(stage, id, "speed", (double[]){1}, 1, &error),
                     TR_NOT_FOUND);
    step(stage, 120);
    tr_doing doing = puppet_doing(stage, id);
    assert_string_equal(doing.text, "sways the other way");
    assert_near(doing.phase, 0.65, 1e-9);
    size_t size = tr_stage_snapshot_size(stage);
    OWN_MEMORY void *snapshot = malloc(size);
    assert_int_equal(tr_stage_snapshot(stage, snapshot, size, &size), TR_OK);
    step(stage, 100);
    uint64_t straight = tr_stage_hash(stage);
    assert_int_equal(tr_stage_restore(stage, snapshot, size, NULL), TR_OK);
    step(stage, 100);
    assert_true(tr_stage_hash(stage) == straight);
    assert_int_equal(puppet_doing(stage, id).entries_done, 1);
}

TEST(it_is_described) {
    tr_driver_sheet sheet;
    assert_int_equal(tr_driver_describe(toy->driver, toy->step_s, &sheet), TR_OK);
    assert_string_equal(sheet.kind, "toy_sway");
    assert_int_equal(sheet.parameter_count, 2);
    assert_string_equal(sheet.parameter[1].name, "period");
    assert_int_equal(sheet.skill_count, 1);
    assert_false(sheet.has_references);
    tr_driver_sheet_deinit(&sheet);
}

TEST(it_is_certified) {
    tr_ensemble_def worlds = {model, model->gain_set[0].name, toy->step_s, 2, NULL, 0};
    OWN(tr_ensemble) *ensemble = NULL;
    tr_certify_def def = tr_certify_def_default();
    def.hold_trials = def.resist_trials = def.tracking.trials = 2;
    def.hold_s = def.tracking_s = def.tracking.settle_s = 1;
    def.resist_growth_nps[0] = def.resist_growth_nps[1] = 400;
    def.push.directions = def.push.phases = def.push.starts = 2;
    def.push.settle_s = def.push.after_s = 0.2;
    def.force_grid_n = def.force_limit_n = 2000;
    def.ground_trials = 2;
    def.ground_s = 0.5;
    tr_certifier *certifier = NULL;
    tr_error error = {0};
    char line[160];
    assert_int_equal(tr_ensemble_create(&worlds, &ensemble), TR_OK);
    assert_int_equal(tr_certifier_create(ensemble, toy, &def, &certifier, &error), TR_OK);
    while (!tr_certifier_is_done(certifier))
        assert_int_equal(tr_certifier_advance(certifier, line, sizeof line, &error), TR_OK);
    const tr_certificate *certificate = tr_certifier_result(certifier);
    assert_int_equal(certificate->held, 2);
    assert_true(certificate->resisting_s[0][0] > 0.1 && certificate->resisting_s[0][0] < 10);
    tr_certifier_destroy(certifier);
}

BEFORE_ALL() {
    tr_physics_init();
}

TEST_FIXTURE(load, unload);
