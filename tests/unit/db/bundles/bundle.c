#include "unit/db/fixture.h"

#include "db/bundles/bundle.h"
#include "db/tables/guides.h"
#include "model/mjcf.h"

#include <stdlib.h>
#include <string.h>

static tr_catalogue *open_new(fixture *f, const char *name) {
    tr_catalogue *catalogue = NULL;
    assert_ok(tr_catalogue_open(fixture_file(f, name), TR_CATALOGUE_CREATE, &catalogue, &f->error));
    return catalogue;
}

static tr_row_id find(fixture *f, tr_catalogue *catalogue, const char *name,
                      tr_controller_row *out) {
    assert_ok(tr_controllers_find(catalogue, name, out, &f->error));
    return out->id;
}

static uint64_t hash_of(fixture *f, tr_catalogue *catalogue, const char *name) {
    tr_controller_row row;
    OWN(tr_model) *model = NULL;
    OWN(tr_controller) *controller = NULL;
    find(f, catalogue, name, &row);
    assert_ok(tr_models_load(catalogue, row.model_id, &model, &f->error));
    assert_ok(tr_controllers_load(catalogue, row.id, model, &controller, &f->error));
    uint64_t hash = tr_controller_hash(controller, model);
    return hash;
}

TEST(what_was_exported_is_imported_with_all_it_stands_on) {
    fixture *f = *given;
    tr_row_id model = fixture_put_model(f, "humanoid");
    tr_row_id run = fixture_put_controller(f, "run", 1, model);
    fixture_put_controller(f, "walk", 2, model);
    const char *path = fixture_file(f, "a bundle? of 100%");
    assert_ok(tr_bundle_export(f->catalogue, &run, 1, path, &f->error));
    assert_ok(tr_bundle_check(path, &f->error));

    OWN(tr_catalogue) *other = open_new(f, "other");
    tr_bundle_report report;
    assert_ok(tr_bundle_import(other, path, TR_BUNDLE_REFUSE, &report, &f->error));
    assert_int_equal(1, report.models.added);
    assert_int_equal(1, report.clips.added);
    assert_int_equal(1, report.runs.added);
    assert_int_equal(1, report.controllers.added);
    assert_true(hash_of(f, f->catalogue, "run") == hash_of(f, other, "run"));
    tr_controller_row here, there;
    find(f, f->catalogue, "run", &here);
    find(f, other, "run", &there);
    assert_true(tr_digest_equal(&here.digest, &there.digest));
    assert_string_equal(here.run_name, there.run_name);
    tr_run_metric metrics[4];
    int count = 4;
    tr_metric_filter filter = {.run = there.run_id};
    assert_ok(tr_runs_metrics(other, &filter, metrics, &count, &f->error));
    assert_int_equal(3, count);
    assert_true(metrics[1].value == 1.0 / 3.0);
    assert_status(TR_NOT_FOUND, tr_controllers_find(other, "walk", &there, &f->error));

    assert_ok(tr_bundle_import(other, path, TR_BUNDLE_REFUSE, &report, &f->error));
    assert_int_equal(0, report.controllers.added + report.models.added + report.runs.added);
    assert_int_equal(1, report.controllers.present);
    assert_ok(tr_catalogue_check(other, &f->error));
}

TEST(parents_of_runs_come_along) {
    fixture *f = *given;
    tr_row_id model_id = fixture_put_model(f, "humanoid"), parent = 0, child = 0, id = 0;
    tr_run_row run = fixture_run("first"), out;
    assert_ok(tr_runs_put(f->catalogue, &run, NULL, &parent, &f->error));
    run = fixture_run("second");
    run.parent_count = 1;
    run.parent[0] = parent;
    assert_ok(tr_runs_put(f->catalogue, &run, NULL, &child, &f->error));
    OWN(tr_model) *model = NULL;
    assert_ok(tr_models_load(f->catalogue, model_id, &model, &f->error));
    OWN(tr_controller) *controller = fixture_controller(model, "run", 1);
    tr_controller_entry entry = {controller, model_id, child, 0};
    assert_ok(tr_controllers_put(f->catalogue, &entry, &id, &f->error));
    assert_ok(tr_bundle_export(f->catalogue, &id, 1, fixture_file(f, "bundle"), &f->error));

    OWN(tr_catalogue) *other = open_new(f, "other");
    run = fixture_run("in the way"); /* so that numbers differ */
    run.seed++;
    assert_ok(tr_runs_put(other, &run, NULL, &id, &f->error));
    assert_ok(
        tr_bundle_import(other, fixture_file(f, "bundle"), TR_BUNDLE_REFUSE, NULL, &f->error));
    assert_ok(tr_runs_find(other, "second", &out, &f->error));
    assert_int_equal(1, out.parent_count);
    assert_ok(tr_runs_get(other, out.parent[0], &out, &f->error));
    assert_string_equal("first", out.name);
}

TEST(the_same_rows_give_the_same_bytes) {
    fixture *f = *given;
    tr_row_id model = fixture_put_model(f, "humanoid");
    tr_row_id ids[2] = {fixture_put_controller(f, "run", 1, model),
                        fixture_put_controller(f, "walk", 2, model)};
    const char *a = fixture_file(f, "a"), *b = fixture_file(f, "b");
    assert_ok(tr_bundle_export(f->catalogue, ids, 2, a, &f->error));
    assert_ok(tr_bundle_export(f->catalogue, ids, 2, b, &f->error));
    size_t size_a, size_b;
    OWN_MEMORY unsigned char *bytes_a = fixture_read(a, &size_a),
                             *bytes_b = fixture_read(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
}

TEST(taken_names_are_refused_or_renamed) {
    fixture *f = *given;
    tr_row_id run = fixture_put_controller(f, "run", 1, fixture_put_model(f, "humanoid"));
    const char *path = fixture_file(f, "bundle");
    assert_ok(tr_bundle_export(f->catalogue, &run, 1, path, &f->error));

    fixture other = *f;
    other.catalogue = open_new(f, "other");
    fixture_put_controller(&other, "run", 5, fixture_put_model(&other, "humanoid"));
    assert_status(TR_ALREADY_EXISTS,
                  tr_bundle_import(other.catalogue, path, TR_BUNDLE_REFUSE, NULL, &f->error));
    tr_catalogue_summary summary;
    assert_ok(tr_catalogue_summarize(other.catalogue, &summary, &f->error));
    assert_int_equal(1, summary.controllers);
    assert_int_equal(1, summary.clips);

    tr_bundle_report report;
    assert_ok(tr_bundle_import(other.catalogue, path, TR_BUNDLE_RENAME, &report, &f->error));
    assert_int_equal(1, report.models.present);
    assert_int_equal(1, report.controllers.renamed);
    assert_int_equal(1, report.clips.renamed);
    tr_controller_row row;
    find(f, other.catalogue, "run-2", &row);
    assert_string_equal("run-2", row.run_name);
    assert_true(hash_of(f, f->catalogue, "run") == hash_of(f, other.catalogue, "run-2"));
    assert_ok(tr_bundle_import(other.catalogue, path, TR_BUNDLE_RENAME, &report, &f->error));
    assert_int_equal(1, report.controllers.present);
    assert_int_equal(0, report.controllers.added);
    tr_catalogue_close(other.catalogue);
}

TEST(long_names_are_cut_between_characters) {
    fixture *f = *given;
    char name[TR_NAME_MAX] = "";
    for (int i = 0; i < 23; i++)
        strcat(name, "ö"); /* 46 bytes */
    tr_row_id id = fixture_put_controller(f, name, 1, fixture_put_model(f, "humanoid"));
    const char *path = fixture_file(f, "bundle");
    assert_ok(tr_bundle_export(f->catalogue, &id, 1, path, &f->error));
    fixture other = *f;
    other.catalogue = open_new(f, "other");
    fixture_put_controller(&other, name, 5, fixture_put_model(&other, "humanoid"));
    assert_ok(tr_bundle_import(other.catalogue, path, TR_BUNDLE_RENAME, NULL, &f->error));
    strcpy(name + 44, "-2");
    tr_controller_row row;
    find(f, other.catalogue, name, &row);
    tr_catalogue_close(other.catalogue);
}

TEST(an_export_that_fails_leaves_the_old_file) {
    fixture *f = *given;
    tr_row_id ids[2] = {fixture_put_controller(f, "run", 1, fixture_put_model(f, "humanoid")), 99};
    const char *path = fixture_file(f, "bundle");
    fixture_write(path, "old", 3);
    assert_status(TR_NOT_FOUND, tr_bundle_export(f->catalogue, ids, 2, path, &f->error));
    assert_status(TR_INVALID_ARGUMENT, tr_bundle_export(f->catalogue, ids, 0, path, &f->error));
    size_t size;
    free(fixture_read(path, &size));
    assert_int_equal(3, size);
    assert_status(TR_NOT_FOUND, tr_bundle_export(f->catalogue, ids, 1,
                                                 fixture_file(f, "no folder/bundle"), &f->error));
    assert_ok(tr_bundle_export(f->catalogue, ids, 1, path, &f->error));
    assert_ok(tr_bundle_check(path, &f->error));
}

TEST(the_shipped_bundle_is_installed_once) {
    fixture *f = *given;
    tr_row_id run = fixture_put_controller(f, "run", 1, fixture_put_model(f, "humanoid"));
    const char *path = fixture_file(f, "shipped");
    bool installed = true;
    tr_controller_row row;
    assert_ok(tr_bundle_export(f->catalogue, &run, 1, path, &f->error));
    OWN(tr_catalogue) *fresh = open_new(f, "fresh");
    assert_status(TR_NOT_FOUND,
                  tr_bundle_install_shipped(fresh, fixture_file(f, "none"), &installed, &f->error));
    assert_ok(tr_bundle_install_shipped(fresh, path, &installed, &f->error));
    assert_true(installed);
    assert_ok(tr_controllers_remove(fresh, find(f, fresh, "run", &row), &f->error));
    assert_ok(tr_bundle_install_shipped(fresh, path, &installed, &f->error));
    assert_false(installed);
    assert_status(TR_NOT_FOUND, tr_controllers_find(fresh, "run", &row, &f->error));
}

TEST(a_bundle_can_be_read_as_a_catalogue) {
    fixture *f = *given;
    tr_row_id run = fixture_put_controller(f, "run", 1, fixture_put_model(f, "humanoid"));
    const char *path = fixture_file(f, "bundle");
    assert_ok(tr_bundle_export(f->catalogue, &run, 1, path, &f->error));
    tr_catalogue *bundle = NULL;
    assert_ok(tr_catalogue_open(path, TR_CATALOGUE_READ, &bundle, &f->error));
    assert_true(hash_of(f, f->catalogue, "run") == hash_of(f, bundle, "run"));
    tr_catalogue_close(bundle);
    assert_ok(tr_bundle_check(path, &f->error));
}

/* New clips and runs give way even where their names are free; names without room are cut. */
TEST(an_import_may_step_back) {
    fixture *f = *given;
    char name[TR_NAME_MAX];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    tr_row_id id = fixture_put_controller(f, name, 1, fixture_put_model(f, "humanoid"));
    const tr_guide guide = {.section = "skills", .summary = "runs"},
                   kept = {.section = "kept", .summary = "stays"};
    const char *path = fixture_file(f, "bundle");
    tr_bundle_report report;
    tr_guide found;
    assert_ok(tr_guides_put(f->catalogue, id, &guide, &f->error));
    assert_ok(tr_bundle_export(f->catalogue, &id, 1, path, &f->error));
    OWN(tr_catalogue) *other = open_new(f, "other");
    assert_ok(tr_bundle_import(other, path, TR_BUNDLE_STEP_BACK, &report, &f->error));
    assert_int_equal(1, report.clips.renamed + report.runs.renamed - 1);
    assert_int_equal(0, report.controllers.renamed + report.models.renamed);
    tr_controller_row row;
    find(f, other, name, &row);
    assert_int_equal(strlen(row.run_name), TR_NAME_MAX - 1);
    assert_string_equal(row.run_name + TR_NAME_MAX - 3, "-2");
    assert_ok(tr_guides_get(other, row.id, &found, &f->error));
    assert_string_equal("skills", found.section);
    assert_ok(tr_guides_put(other, row.id, &kept, &f->error));
    assert_ok(tr_bundle_import(other, path, TR_BUNDLE_STEP_BACK, &report, &f->error));
    assert_int_equal(1, report.runs.present);
    assert_ok(tr_guides_get(other, row.id, &found, &f->error));
    assert_string_equal("kept", found.section);
    assert_ok(tr_catalogue_check(other, &f->error));
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
