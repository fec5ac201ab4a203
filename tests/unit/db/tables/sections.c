#include "unit/db/fixture.h"

#include "db/bundles/bundle.h"
#include "db/store/query.h"
#include "db/store/schema.h"
#include "model/mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What makes a controller steerable, and a graph of it: two skills. */
static void add_steering(tr_controller *c, const tr_model *model) {
    (void)model;
    tr_chain_of(c)->steering = (tr_steering){
        .speed_mps = 1.25, .turn_rad_s = 0.5, .faster_mps = 0.2, .turn = {0.125, -0.25, 1.0 / 3}};
}

static void add_graph(tr_controller *c, const tr_model *model) {
    static const tr_graph_edge edges[] = {{0, 2, false}, {2, 0, true}, {2, 1, false}};
    fixture_make_graph(c, model, 2, 3);
    tr_control_graph *graph = tr_graph_of(c);
    memcpy(graph->edge, edges, sizeof edges);
    for (int n = 0; n < 2; n++) {
        tr_graph_node *node = &graph->node[n];
        snprintf(node->skill, sizeof node->skill, "%s", n ? "turn" : "walk");
        snprintf(node->gain_set, sizeof node->gain_set, "%s", n ? "b" : "a");
        node->first = n ? 1 : 0;
        node->count = n ? graph->bank.fragment_count - 1 : 1;
        node->cyclic = true;
        node->turn_rad = n ? 0.1 : 0;
        node->steering.turn_rad_s = 0.25 + n;
        node->steering.slower[1] = 1.0 / 7;
    }
    graph->bank.cyclic = graph->bank.mirrored = true;
}

static void add_loosened(tr_controller *c, const tr_model *model) {
    add_graph(c, model);
    tr_graph_of(c)->node[1].settled = 0.3;
}

typedef struct kept {
    tr_model *model;
    tr_row_id model_id, id;
    tr_controller *put;
} kept;

static kept keep(fixture *f, void (*add)(tr_controller *c, const tr_model *model)) {
    kept k = {.model_id = fixture_put_model(f, "humanoid")};
    assert_ok(tr_models_load(f->catalogue, k.model_id, &k.model, &f->error));
    k.put = fixture_controller(k.model, "one", 11);
    add(k.put, k.model);
    tr_controller_entry entry = {k.put, k.model_id, 0, 0};
    assert_ok(tr_controllers_put(f->catalogue, &entry, &k.id, &f->error));
    return k;
}

static tr_controller *load(fixture *f, const kept *k) {
    tr_controller *out = NULL;
    assert_ok(tr_controllers_load(f->catalogue, k->id, k->model, &out, &f->error));
    return out;
}

static void let_go(kept *k) {
    tr_controller_destroy(k->put);
    tr_model_destroy(k->model);
}

TEST(stored_steering_is_read_unchanged) {
    fixture *f = *given;
    OWN_BY(let_go) kept k = keep(f, add_steering);
    fixture_reopen(f);
    tr_controller *out = load(f, &k);
    assert_memory_equal(&tr_chain_of(out)->steering, &tr_chain_of(k.put)->steering,
                        sizeof tr_chain_of(out)->steering);
    assert_true(tr_controller_hash(out, k.model) == tr_controller_hash(k.put, k.model));
    tr_controller_destroy(out);
    tr_chain_of(k.put)->steering.turn[0] = 0.5; /* learned again */
    assert_ok(tr_controllers_put_learned_again(f->catalogue, k.id, k.put, &f->error));
    out = load(f, &k);
    assert_true(tr_chain_of(out)->steering.turn[0] == 0.5);
    tr_controller_destroy(out);
    const tr_steering none = {0};
    tr_chain_of(k.put)->steering = none;
    assert_ok(tr_controllers_put_learned_again(f->catalogue, k.id, k.put, &f->error));
    out = load(f, &k);
    assert_memory_equal(&tr_chain_of(out)->steering, &none, sizeof none);
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
    tr_controller_destroy(out);
}

TEST(a_stored_graph_is_read_unchanged) {
    fixture *f = *given;
    OWN_BY(let_go) kept k = keep(f, add_graph);
    fixture_reopen(f);
    tr_controller *out = load(f, &k);
    assert_non_null(tr_graph_of(out));
    assert_int_equal(tr_graph_of(out)->node_count, 2);
    assert_int_equal(tr_graph_of(out)->edge_count, 3);
    assert_true(tr_controller_hash(out, k.model) == tr_controller_hash(k.put, k.model));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
    tr_controller_destroy(out);
    assert_ok(tr_controllers_remove(f->catalogue, k.id, &f->error));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

/* The same fragments with and without edges are two controllers. */
TEST(the_graph_is_part_of_the_digest) {
    fixture *f = *given;
    OWN_BY(let_go) kept k = keep(f, add_graph);
    tr_row_id other = 0;
    tr_controller_entry entry = {k.put, k.model_id, 0, 0};
    assert_ok(tr_controllers_put(f->catalogue, &entry, &other, &f->error));
    assert_int_equal(other, k.id); /* the same again */
    tr_graph_of(k.put)->edge[2].to = 2;
    assert_status(TR_ALREADY_EXISTS, tr_controllers_put(f->catalogue, &entry, &other, &f->error));
}

static void carry(fixture *f, kept *k) {
    const char *path = fixture_file(f, "one.troupe");
    assert_ok(tr_bundle_export(f->catalogue, &k->id, 1, path, &f->error));
    assert_ok(tr_controllers_remove(f->catalogue, k->id, &f->error));
    assert_ok(tr_bundle_import(f->catalogue, path, TR_BUNDLE_REFUSE, NULL, &f->error));
    tr_controller_row row;
    assert_ok(tr_controllers_find(f->catalogue, "one", &row, &f->error));
    k->id = row.id;
    OWN(tr_controller) *out = load(f, k);
    assert_true(tr_controller_hash(out, k->model) == tr_controller_hash(k->put, k->model));
}

TEST(a_loosened_graph_is_another_one_and_is_carried) {
    fixture *f = *given;
    OWN_BY(let_go) kept k = keep(f, add_loosened);
    tr_row_id other = 0;
    tr_controller_entry entry = {k.put, k.model_id, 0, 0};
    tr_controller *out = load(f, &k);
    assert_true(tr_graph_of(out)->node[0].settled == 0 && tr_graph_of(out)->node[1].settled == 0.3);
    assert_true(tr_controller_hash(out, k.model) == tr_controller_hash(k.put, k.model));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
    tr_controller_destroy(out);
    carry(f, &k);
    tr_graph_of(k.put)->node[1].settled = 0;
    assert_status(TR_ALREADY_EXISTS, tr_controllers_put(f->catalogue, &entry, &other, &f->error));
}

TEST(bundles_carry_graphs) {
    fixture *f = *given;
    OWN_BY(let_go) kept k = keep(f, add_graph);
    carry(f, &k);
}

TEST(bundles_carry_steering) {
    fixture *f = *given;
    OWN_BY(let_go) kept k = keep(f, add_steering);
    const char *path = fixture_file(f, "one.troupe");
    carry(f, &k);

    /* Controllers stored without steering get it. */
    const tr_steering learned = tr_chain_of(k.put)->steering;
    tr_chain_of(k.put)->steering = (tr_steering){0};
    assert_ok(tr_controllers_put_learned_again(f->catalogue, k.id, k.put, &f->error));
    assert_ok(tr_bundle_import(f->catalogue, path, TR_BUNDLE_REFUSE, NULL, &f->error));
    OWN(tr_controller) *out = load(f, &k);
    assert_memory_equal(&tr_chain_of(out)->steering, &learned, sizeof learned);
}

TEST(damage_is_reported) {
    fixture *f = *given;
    static const char *const damage[] = {
        "DELETE FROM controller_section",
        "UPDATE controller_section SET name = 'graphs' WHERE name = 'graph'",
        "UPDATE controller_section SET content = zeroblob(40) WHERE name = 'graph'",
        "UPDATE controller_section SET content = (SELECT content FROM controller_section "
        "WHERE name = 'settled') WHERE name = 'graph'",
        "DELETE FROM controller_section WHERE name = 'settled'",
    };
    OWN_BY(let_go) kept k = keep(f, add_loosened);
    OWN(tr_controller) *out = NULL;
    size_t size = 0;
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    OWN_MEMORY unsigned char *sound = fixture_read(f->path, &size);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        fixture_write(f->path, sound, size);
        fixture_sql(f->path, damage[i]);
        fixture_reopen(f);
        assert_status(TR_DATA_LOSS,
                      tr_controllers_load(f->catalogue, k.id, k.model, &out, &f->error));
        tr_catalogue_close(f->catalogue);
        f->catalogue = NULL;
    }
    fixture_write(f->path, sound, size);
    fixture_reopen(f);
    out = load(f, &k);
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
