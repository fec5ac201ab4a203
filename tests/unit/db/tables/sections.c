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
    kept k = keep(f, add_steering);
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
    let_go(&k);
}

TEST(a_stored_graph_is_read_unchanged) {
    fixture *f = *given;
    kept k = keep(f, add_graph);
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
    let_go(&k);
}

/* The same fragments with and without edges are two controllers. */
TEST(the_graph_is_part_of_the_digest) {
    fixture *f = *given;
    kept k = keep(f, add_graph);
    tr_row_id other = 0;
    tr_controller_entry entry = {k.put, k.model_id, 0, 0};
    assert_ok(tr_controllers_put(f->catalogue, &entry, &other, &f->error));
    assert_int_equal(other, k.id); /* the same again */
    tr_graph_of(k.put)->edge[2].to = 2;
    assert_status(TR_ALREADY_EXISTS, tr_controllers_put(f->catalogue, &entry, &other, &f->error));
    let_go(&k);
}

static void carry(fixture *f, kept *k) {
    const char *path = fixture_file(f, "one.troupe");
    assert_ok(tr_bundle_export(f->catalogue, &k->id, 1, path, &f->error));
    assert_ok(tr_controllers_remove(f->catalogue, k->id, &f->error));
    assert_ok(tr_bundle_import(f->catalogue, path, TR_BUNDLE_REFUSE, NULL, &f->error));
    tr_controller_row row;
    assert_ok(tr_controllers_find(f->catalogue, "one", &row, &f->error));
    k->id = row.id;
    tr_controller *out = load(f, k);
    assert_true(tr_controller_hash(out, k->model) == tr_controller_hash(k->put, k->model));
    tr_controller_destroy(out);
}

TEST(a_loosened_graph_is_another_one_and_is_carried) {
    fixture *f = *given;
    kept k = keep(f, add_loosened);
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
    let_go(&k);
}

TEST(bundles_carry_graphs) {
    fixture *f = *given;
    kept k = keep(f, add_graph);
    carry(f, &k);
    let_go(&k);
}

TEST(bundles_carry_steering) {
    fixture *f = *given;
    kept k = keep(f, add_steering);
    const char *path = fixture_file(f, "one.troupe");
    carry(f, &k);

    /* Controllers stored without steering get it. */
    const tr_steering learned = tr_chain_of(k.put)->steering;
    tr_chain_of(k.put)->steering = (tr_steering){0};
    assert_ok(tr_controllers_put_learned_again(f->catalogue, k.id, k.put, &f->error));
    assert_ok(tr_bundle_import(f->catalogue, path, TR_BUNDLE_REFUSE, NULL, &f->error));
    tr_controller *out = load(f, &k);
    assert_memory_equal(&tr_chain_of(out)->steering, &learned, sizeof learned);
    tr_controller_destroy(out);
    let_go(&k);
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
    kept k = keep(f, add_loosened);
    tr_controller *out = NULL;
    size_t size = 0;
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    unsigned char *sound = fixture_read(f->path, &size);
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
    tr_controller_destroy(out);
    free(sound);
    let_go(&k);
}

/* --- catalogues of schema 5, in which steering and graphs had tables --- */

static void put_steering(fixture *f, tr_query *query, const tr_steering *steering, int size) {
    tr_blob blob = {0};
    tr_blob_writer writer =
        tr_blob_begin(TR_BLOB_STEERING, 1, 4 + (size_t)(4 + 3 * size) * sizeof(double));
    tr_blob_put_int(&writer, (uint32_t)size);
    tr_blob_put_doubles(&writer, &steering->speed_mps, 4);
    tr_blob_put_doubles(&writer, steering->turn, (size_t)size);
    tr_blob_put_doubles(&writer, steering->faster, (size_t)size);
    tr_blob_put_doubles(&writer, steering->slower, (size_t)size);
    assert_ok(tr_blob_seal(&writer, &blob, query->error));
    tr_query_bind_blob(query, blob.data, blob.size);
    tr_query_run(query);
    tr_blob_deinit(&blob);
}

static void put_nodes(fixture *f, const kept *k) {
    const tr_control_graph *graph = tr_graph_of(k->put);
    tr_query query = tr_query_begin(
        f->catalogue, "INSERT INTO graph_node VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", &f->error);
    for (int n = 0; n < graph->node_count; n++) {
        const tr_graph_node *node = &graph->node[n];
        tr_query_bind_int(&query, k->id);
        tr_query_bind_int(&query, n);
        tr_query_bind_text(&query, node->skill);
        tr_query_bind_text(&query, node->gain_set);
        tr_query_bind_int(&query, node->first);
        tr_query_bind_int(&query, node->count);
        tr_query_bind_int(&query, node->cyclic);
        tr_query_bind_int(&query, node->mirrored);
        tr_query_bind_double(&query, node->turn_rad);
        put_steering(f, &query, &node->steering, graph->bank.action.size);
    }
    assert_ok(tr_query_end(&query));
    query = tr_query_begin(f->catalogue, "INSERT INTO graph_edge VALUES (?, ?, ?, ?)", &f->error);
    for (int e = 0; e < graph->edge_count; e++) {
        tr_query_bind_int(&query, k->id);
        tr_query_bind_int(&query, graph->edge[e].from);
        tr_query_bind_int(&query, graph->edge[e].to);
        tr_query_bind_int(&query, graph->edge[e].flips);
        tr_query_run(&query);
    }
    assert_ok(tr_query_end(&query));
}

static void put_chain_steering(fixture *f, const kept *k) {
    tr_query query = tr_query_begin(f->catalogue, "INSERT INTO steering VALUES (?, ?)", &f->error);
    tr_query_bind_int(&query, k->id);
    put_steering(f, &query, &tr_chain_of(k->put)->steering,
                 tr_controller_bank(k->put)->action.size);
    assert_ok(tr_query_end(&query));
}

/* Makes the tables of schema 6 again; `fill` puts what the sections held. */
static void make_older(fixture *f, const kept *k, void (*fill)(fixture *f, const kept *k)) {
    static const char *const tables =
        "CREATE TABLE steering (controller INTEGER PRIMARY KEY REFERENCES controller (id) ON "
        "DELETE "
        "CASCADE, content BLOB NOT NULL) STRICT;"
        "CREATE TABLE graph_node (controller, position, skill, gain_set, first, fragments, cyclic, "
        "mirrored, turn_rad, steering);"
        "CREATE TABLE graph_edge (controller, source, target, flips);"
        "DELETE FROM controller_section WHERE name IN ('steering', 'graph');"
        "PRAGMA user_version = 6";
    assert_ok(tr_database_exec(f->catalogue->db, tables, &f->error));
    fill(f, k);
}

static void an_older_one_is_converted(fixture *f, const kept *k) {
    tr_controller_row before, after;
    assert_ok(tr_controllers_get(f->catalogue, k->id, &before, &f->error));
    fixture_reopen(f);
    assert_ok(tr_controllers_get(f->catalogue, k->id, &after, &f->error));
    assert_true(tr_digest_equal(&before.digest, &after.digest));
    tr_controller *out = load(f, k);
    assert_true(tr_controller_hash(out, k->model) == tr_controller_hash(k->put, k->model));
    tr_controller_destroy(out);
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST(steering_and_graphs_of_schema_6_are_converted) {
    fixture *f = *given;
    kept graph = keep(f, add_loosened);
    make_older(f, &graph, put_nodes);
    an_older_one_is_converted(f, &graph);
    assert_ok(tr_controllers_remove(f->catalogue, graph.id, &f->error));
    kept chain = keep(f, add_steering);
    make_older(f, &chain, put_chain_steering);
    an_older_one_is_converted(f, &chain);
    let_go(&chain);
    let_go(&graph);
}

/* The digest is not converted, so it shows what was changed before. */
TEST(damage_of_schema_5_is_reported) {
    fixture *f = *given;
    static const char *const damage[] = {
        "UPDATE graph_node SET skill = 'walk'",
        "UPDATE graph_node SET first = first + 1",
        "UPDATE graph_node SET turn_rad = turn_rad + 1",
        "DELETE FROM graph_node WHERE position = 0",
        "DELETE FROM graph_node",
        "DELETE FROM graph_edge WHERE source = 0",
        "UPDATE graph_edge SET target = 400 WHERE source = 0",
        "UPDATE graph_node SET steering = zeroblob(40)",
    };
    kept k = keep(f, add_graph);
    size_t size = 0;
    make_older(f, &k, put_nodes);
    tr_catalogue_close(f->catalogue);
    f->catalogue = NULL;
    unsigned char *sound = fixture_read(f->path, &size);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        tr_controller *out = NULL;
        fixture_write(f->path, sound, size);
        fixture_sql(f->path, damage[i]);
        tr_status status =
            tr_catalogue_open(f->path, TR_CATALOGUE_SCRATCH, &f->catalogue, &f->error);
        if (!status)
            status = tr_controllers_load(f->catalogue, k.id, k.model, &out, &f->error);
        assert_true(status == TR_DATA_LOSS || status == TR_INVALID_ARGUMENT);
        tr_catalogue_close(f->catalogue);
        f->catalogue = NULL;
    }
    free(sound);
    let_go(&k);
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
