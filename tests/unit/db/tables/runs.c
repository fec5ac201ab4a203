#include "unit/db/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tr_row_id put(fixture *f, const char *name, const tr_row_id *parents, int parent_count) {
    tr_run_row run = fixture_run(name);
    tr_row_id id = 0;
    run.parent_count = parent_count;
    for (int i = 0; i < parent_count; i++)
        run.parent[i] = parents[i];
    assert_ok(tr_runs_put(f->catalogue, &run, NULL, &id, &f->error));
    return id;
}

TEST(fields_come_back) {
    fixture *f = *given;
    tr_row_id parents[2] = {put(f, "first", NULL, 0), put(f, "second", NULL, 0)};
    tr_row_id swapped[2] = {parents[1], parents[0]};
    tr_row_id id = put(f, "third", swapped, 2);
    tr_run_row run = fixture_run("third"), out;
    fixture_reopen(f);
    assert_ok(tr_runs_get(f->catalogue, id, &out, &f->error));
    assert_string_equal("third", out.name);
    assert_string_equal(run.command, out.command);
    assert_string_equal(run.parameters, out.parameters);
    assert_string_equal(run.code_version, out.code_version);
    assert_string_equal(run.host, out.host);
    assert_true(run.seed == out.seed);
    assert_int_equal(run.threads, out.threads);
    assert_int_equal(run.started_ns, out.started_ns);
    assert_int_equal(run.ended_ns, out.ended_ns);
    assert_int_equal(2, out.parent_count);
    assert_memory_equal(swapped, out.parent, sizeof swapped);
    assert_int_equal(0, out.metric_count);
}

TEST(metrics_come_back_in_order_and_in_pages) {
    fixture *f = *given;
    enum { ITERATIONS = 40 };
    static tr_run_metric metrics[2 * ITERATIONS], out[2 * ITERATIONS];
    for (int i = 0; i < ITERATIONS; i++) {
        metrics[2 * i] = (tr_run_metric){"push95_n", ITERATIONS - i, 1.0 / (i + 1)};
        metrics[2 * i + 1] = (tr_run_metric){"cost", ITERATIONS - i, i * 1e-300};
    }
    tr_run_row run = fixture_run("run");
    tr_row_id id = 0;
    assert_ok(tr_runs_put(f->catalogue, &run, &(tr_run_content){metrics, 2 * ITERATIONS, NULL}, &id,
                          &f->error));
    tr_metric_filter filter = {.run = id};
    while (filter.first < 2 * ITERATIONS) {
        int count = 7;
        assert_ok(tr_runs_metrics(f->catalogue, &filter, out + filter.first, &count, &f->error));
        assert_true(count > 0);
        filter.first += count;
    }
    for (int i = 0; i < ITERATIONS; i++) {
        assert_int_equal(i + 1, out[2 * i].iteration);
        assert_string_equal("cost", out[2 * i].name);
        assert_true(out[2 * i].value == (ITERATIONS - 1 - i) * 1e-300);
        assert_true(out[2 * i + 1].value == 1.0 / (ITERATIONS - i));
    }
    tr_metric_filter cost = {.run = id, .name = "cost"};
    int count = 2 * ITERATIONS;
    assert_ok(tr_runs_metrics(f->catalogue, &cost, out, &count, &f->error));
    assert_int_equal(ITERATIONS, count);
    cost.run = id + 1;
    assert_status(TR_NOT_FOUND, tr_runs_metrics(f->catalogue, &cost, out, &count, &f->error));
    assert_ok(tr_catalogue_check(f->catalogue, &f->error));
}

TEST(bad_runs_leave_no_rows) {
    fixture *f = *given;
    tr_run_row run = fixture_run("run");
    tr_row_id id = 0;
    tr_run_metric bad[] = {{"cost", 1, 1.0}, {"cost", 2, INFINITY}};
    tr_run_metric twice[] = {{"cost", 1, 1.0}, {"cost", 1, 2.0}};
    assert_status(TR_INVALID_ARGUMENT,
                  tr_runs_put(f->catalogue, &run, &(tr_run_content){bad, 2, NULL}, &id, &f->error));
    assert_status(
        TR_INVALID_ARGUMENT,
        tr_runs_put(f->catalogue, &run, &(tr_run_content){twice, 2, NULL}, &id, &f->error));
    run.parent_count = 1;
    run.parent[0] = 77;
    assert_status(TR_NOT_FOUND, tr_runs_put(f->catalogue, &run, NULL, &id, &f->error));
    run.parent_count = 0;
    run.ended_ns = run.started_ns - 1;
    assert_status(TR_INVALID_ARGUMENT, tr_runs_put(f->catalogue, &run, NULL, &id, &f->error));
    run = fixture_run("run");
    run.threads = 0;
    assert_status(TR_INVALID_ARGUMENT, tr_runs_put(f->catalogue, &run, NULL, &id, &f->error));
    memset(run.parameters, 'p', sizeof run.parameters);
    assert_status(TR_INVALID_ARGUMENT, tr_runs_put(f->catalogue, &run, NULL, &id, &f->error));
    tr_catalogue_summary summary;
    assert_ok(tr_catalogue_summarize(f->catalogue, &summary, &f->error));
    assert_int_equal(0, summary.runs);
}

TEST(order_of_metrics_does_not_matter_to_the_digest) {
    fixture *f = *given;
    tr_run_row run = fixture_run("run");
    tr_row_id a = 0, b = 0;
    tr_run_metric one[] = {{"cost", 1, 1.0}, {"cost", 2, 0.0}};
    tr_run_metric two[] = {{"cost", 2, -0.0}, {"cost", 1, 1.0}};
    assert_ok(tr_runs_put(f->catalogue, &run, &(tr_run_content){one, 2, NULL}, &a, &f->error));
    assert_ok(tr_runs_put(f->catalogue, &run, &(tr_run_content){two, 2, NULL}, &b, &f->error));
    assert_int_equal(a, b);
    two[1].value = 1.5;
    assert_status(TR_ALREADY_EXISTS,
                  tr_runs_put(f->catalogue, &run, &(tr_run_content){two, 2, NULL}, &b, &f->error));
}

/* Two inputs, the second of bytes that differ, NUL among them; to be deinitialised. */
static tr_sections inputs_of(size_t size) {
    tr_sections inputs = {
        2, {{"control", false, calloc(1, 3), 3}, {"starts", false, calloc(1, size), size}}, NULL};
    for (size_t i = 0; i < size; i++)
        inputs.section[1].bytes[i] = (unsigned char)(i * i >> 3);
    return inputs;
}

TEST(inputs_come_back_byte_by_byte) {
    fixture *f = *given;
    tr_run_row run = fixture_run("run"), bare;
    tr_row_id id = 0, again = 0;
    tr_sections inputs = inputs_of((2 << 20) + 5), out = {0};
    assert_ok(tr_runs_put(f->catalogue, &run, &(tr_run_content){NULL, 0, &inputs}, &id, &f->error));
    assert_ok(
        tr_runs_put(f->catalogue, &run, &(tr_run_content){NULL, 0, &inputs}, &again, &f->error));
    assert_int_equal(id, again);
    fixture_reopen(f);
    assert_ok(tr_runs_inputs(f->catalogue, id, &out, &f->error));
    assert_int_equal(2, out.count);
    for (int i = 0; i < 2; i++) {
        const tr_section *input = tr_sections_find(&out, inputs.section[i].name);
        assert_non_null(input);
        assert_int_equal(inputs.section[i].size, input->size);
        assert_memory_equal(inputs.section[i].bytes, input->bytes, input->size);
        assert_int_equal('\0', input->bytes[input->size]);
    }
    assert_null(tr_sections_find(&out, "clip"));
    tr_sections_deinit(&out);
    id = put(f, "bare", NULL, 0);
    assert_ok(tr_runs_inputs(f->catalogue, id, &out, &f->error));
    assert_int_equal(0, out.count);
    assert_ok(tr_runs_find(f->catalogue, "run", &run, &f->error));
    assert_ok(tr_runs_find(f->catalogue, "bare", &bare, &f->error));
    assert_false(tr_digest_equal(&run.digest, &bare.digest));
    tr_sections_deinit(&inputs);
}

/* The same bytes under another role, other bytes, or no input make another run. */
TEST(inputs_are_part_of_the_digest) {
    fixture *f = *given;
    tr_run_row run = fixture_run("run");
    tr_row_id id = 0;
    OWN_BY(tr_sections_deinit) tr_sections inputs = inputs_of(9);
    const tr_run_content content = {NULL, 0, &inputs};
    assert_ok(tr_runs_put(f->catalogue, &run, &content, &id, &f->error));
    assert_status(TR_ALREADY_EXISTS, tr_runs_put(f->catalogue, &run, NULL, &id, &f->error));
    inputs.section[1].bytes[4] ^= 1;
    assert_status(TR_ALREADY_EXISTS, tr_runs_put(f->catalogue, &run, &content, &id, &f->error));
    inputs.section[1].bytes[4] ^= 1;
    inputs.section[1].name[0] = 't';
    assert_status(TR_ALREADY_EXISTS, tr_runs_put(f->catalogue, &run, &content, &id, &f->error));
}

TEST(bad_inputs_are_refused) {
    fixture *f = *given;
    tr_run_row run = fixture_run("run");
    tr_row_id id = 0;
    tr_sections inputs = inputs_of(9), out;
    const tr_run_content content = {NULL, 0, &inputs};
    inputs.section[1].size = 0;
    assert_status(TR_INVALID_ARGUMENT, tr_runs_put(f->catalogue, &run, &content, &id, &f->error));
    inputs.section[1].size = TR_RUN_INPUT_BYTES_MAX + 1;
    assert_status(TR_INVALID_ARGUMENT, tr_runs_put(f->catalogue, &run, &content, &id, &f->error));
    inputs.section[1].size = 9;
    strcpy(inputs.section[1].name, "control");
    assert_status(TR_INVALID_ARGUMENT, tr_runs_put(f->catalogue, &run, &content, &id, &f->error));
    strcpy(inputs.section[1].name, "");
    assert_status(TR_INVALID_ARGUMENT, tr_runs_put(f->catalogue, &run, &content, &id, &f->error));
    tr_sections many = {.count = TR_RUN_INPUT_MAX + 1};
    const tr_run_content crowded = {NULL, 0, &many};
    assert_status(TR_INVALID_ARGUMENT, tr_runs_put(f->catalogue, &run, &crowded, &id, &f->error));
    assert_status(TR_NOT_FOUND, tr_runs_inputs(f->catalogue, 7, &out, &f->error));
    tr_sections_deinit(&inputs);
}

TEST(lists_find_descendants) {
    fixture *f = *given;
    tr_row_id root = put(f, "a", NULL, 0);
    put(f, "b", &root, 1);
    put(f, "c", &root, 1);
    put(f, "d", NULL, 0);
    static tr_run_row rows[4];
    tr_run_filter filter = {.parent = root};
    int count = 4;
    assert_ok(tr_runs_list(f->catalogue, &filter, rows, &count, &f->error));
    assert_int_equal(2, count);
    assert_string_equal("b", rows[0].name);
    assert_int_equal(root, rows[1].parent[0]);
    assert_status(TR_FAILED_PRECONDITION, tr_runs_remove(f->catalogue, root, &f->error));
    assert_ok(tr_runs_remove(f->catalogue, rows[0].id, &f->error));
    assert_ok(tr_runs_remove(f->catalogue, rows[1].id, &f->error));
    assert_ok(tr_runs_remove(f->catalogue, root, &f->error));
}

TEST(counts_out_of_their_bounds_are_named) {
    fixture *f = *given;
    tr_row_id first = put(f, "first", NULL, 0), id = 0;
    tr_run_metric metric = {"cost", 1, 1};
    tr_sections few = {.count = -1};
    int count = 1;
    const struct {
        int parents;
        tr_row_id second;
        tr_run_content content;
        const char *field;
    } cases[] = {{-1, 0, {0}, "parent_count"},
                 {TR_RUN_PARENT_MAX + 1, 0, {0}, "parent_count"},
                 {2, first, {0}, "parent: named twice"},
                 {0, 0, {&metric, -1, NULL}, "run_metric: -1 rows"},
                 {0, 0, {&metric, TR_RUN_METRIC_MAX + 1, NULL}, "run_metric: 65537 rows"},
                 {0, 0, {NULL, 0, &few}, "run inputs"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_run_row run = fixture_run("next");
        run.parent_count = cases[i].parents;
        run.parent[0] = first, run.parent[1] = cases[i].second;
        assert_status(TR_INVALID_ARGUMENT,
                      tr_runs_put(f->catalogue, &run, &cases[i].content, &id, &f->error));
        if (!strstr(f->error.message, cases[i].field))
            fail_msg("%s", f->error.message);
    }
    assert_status(TR_INVALID_ARGUMENT,
                  tr_runs_metrics(f->catalogue, &(tr_metric_filter){first, NULL, -1}, &metric,
                                  &count, &f->error));
    count = 0;
    assert_status(TR_INVALID_ARGUMENT,
                  tr_runs_metrics(f->catalogue, &(tr_metric_filter){.run = first}, &metric, &count,
                                  &f->error));
    const tr_run_metric twice[] = {{"cost", 7, 1}, {"cost", 7, 2}};
    tr_run_row run = fixture_run("next");
    assert_status(
        TR_INVALID_ARGUMENT,
        tr_runs_put(f->catalogue, &run, &(tr_run_content){twice, 2, NULL}, &id, &f->error));
    assert_string_equal("run_metric: iteration 7, name 'cost': given twice", f->error.message);
}

TEST_FIXTURE(fixture_setup, fixture_teardown);
