#include "unit/db/fixture.h"

#include "db/tables/lineage.h"
#include "model/mjcf.h"

#include <stdio.h>

static tr_row_id put_run(fixture *f, const char *name, tr_row_id a, tr_row_id b) {
    tr_run_row run = fixture_run(name);
    tr_row_id id = 0;
    snprintf(run.parameters, sizeof run.parameters, "name %s\n", name);
    run.parent[0] = a ? a : b;
    run.parent[1] = b;
    run.parent_count = (a != 0) + (b != 0);
    assert_ok(tr_runs_put(f->catalogue, &run, NULL, &id, &f->error));
    return id;
}

static void expect_node(const tr_lineage_node *node, tr_noun kind, const char *name, int depth) {
    assert_int_equal(kind, node->kind);
    assert_string_equal(name, node->name);
    assert_int_equal(depth, node->depth);
}

TEST(a_controller_traces_to_all_its_ancestors) {
    fixture *f = *given;
    tr_row_id model_id = fixture_put_model(f, "humanoid"), clip_id = 0, id = 0;
    tr_clip_row clip = fixture_clip("run.bvh");
    assert_ok(tr_clips_put(f->catalogue, &clip, &clip_id, &f->error));
    tr_row_id a = put_run(f, "a", 0, 0), b = put_run(f, "b", a, 0), c = put_run(f, "c", a, 0);
    tr_row_id d = put_run(f, "d", b, c), e = put_run(f, "e", d, a);
    OWN(tr_model) *model = NULL;
    assert_ok(tr_models_load(f->catalogue, model_id, &model, &f->error));
    OWN(tr_controller) *controller = fixture_controller(model, "run", 1);
    tr_controller_entry entry = {controller, model_id, e, clip_id};
    assert_ok(tr_controllers_put(f->catalogue, &entry, &id, &f->error));

    static tr_lineage lineage;
    assert_ok(tr_lineage_trace(f->catalogue, TR_NOUN_CONTROLLER, id, &lineage, &f->error));
    assert_int_equal(8, lineage.count);
    expect_node(&lineage.node[0], TR_NOUN_CONTROLLER, "run", 0);
    expect_node(&lineage.node[1], TR_NOUN_MODEL, "humanoid", 1);
    expect_node(&lineage.node[2], TR_NOUN_CLIP, "run.bvh", 1);
    expect_node(&lineage.node[3], TR_NOUN_RUN, "e", 1);
    expect_node(&lineage.node[4], TR_NOUN_RUN, "a", 2);
    expect_node(&lineage.node[5], TR_NOUN_RUN, "d", 2);
    expect_node(&lineage.node[6], TR_NOUN_RUN, "b", 3);
    expect_node(&lineage.node[7], TR_NOUN_RUN, "c", 3);

    assert_ok(tr_lineage_trace(f->catalogue, TR_NOUN_RUN, b, &lineage, &f->error));
    assert_int_equal(2, lineage.count);
    expect_node(&lineage.node[0], TR_NOUN_RUN, "b", 0);
}

TEST(a_long_lineage_is_listed_and_an_endless_one_refused) {
    fixture *f = *given;
    static tr_lineage lineage;
    tr_row_id id = 0;
    assert_ok(tr_catalogue_begin(f->catalogue, &f->error));
    for (int i = 0; i < TR_LINEAGE_MAX; i++) {
        char name[16];
        snprintf(name, sizeof name, "run %d", i);
        id = put_run(f, name, id, 0);
    }
    assert_ok(tr_lineage_trace(f->catalogue, TR_NOUN_RUN, id, &lineage, &f->error));
    assert_int_equal(TR_LINEAGE_MAX, lineage.count);
    expect_node(&lineage.node[TR_LINEAGE_MAX - 1], TR_NOUN_RUN, "run 0", TR_LINEAGE_MAX - 1);
    id = put_run(f, "one more", id, 0);
    assert_status(TR_RESOURCE_EXHAUSTED,
                  tr_lineage_trace(f->catalogue, TR_NOUN_RUN, id, &lineage, &f->error));
    assert_ok(tr_catalogue_commit(f->catalogue, &f->error));
}

TEST(only_controllers_and_runs_have_one) {
    fixture *f = *given;
    static tr_lineage lineage;
    tr_row_id model = fixture_put_model(f, "humanoid");
    assert_status(TR_INVALID_ARGUMENT,
                  tr_lineage_trace(f->catalogue, TR_NOUN_MODEL, model, &lineage, &f->error));
    assert_status(TR_NOT_FOUND,
                  tr_lineage_trace(f->catalogue, TR_NOUN_RUN, 5, &lineage, &f->error));
    assert_status(TR_NOT_FOUND,
                  tr_lineage_trace(f->catalogue, TR_NOUN_CONTROLLER, 5, &lineage, &f->error));
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
