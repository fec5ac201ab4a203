#include "db/tables/inputs.h"

#include "db/store/rows.h"
#include "db/store/text.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20 };

/* --- checks --- */

static tr_status check_input(const tr_run_input *input, tr_error *error) {
    tr_status status = tr_text_check_name("run input", input->role, sizeof input->role, error);
    if (!status && (input->size < 1 || input->size > TR_RUN_INPUT_BYTES_MAX))
        status = tr_fail(error, TR_INVALID_ARGUMENT, "run input '%s': expected 1 to %d bytes",
                         input->role, TR_RUN_INPUT_BYTES_MAX);
    return status;
}

tr_status tr_inputs_check(const tr_run_inputs *inputs, tr_error *error) {
    if (!inputs)
        return TR_OK;
    if (inputs->count < 0 || inputs->count > TR_RUN_INPUT_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "run inputs: expected 0 to %d",
                       TR_RUN_INPUT_MAX);
    for (int i = 0; i < inputs->count; i++) {
        tr_status status = check_input(&inputs->input[i], error);
        if (status)
            return status;
        if (i > 0 && strcmp(inputs->input[i - 1].role, inputs->input[i].role) >= 0)
            return tr_fail(error, TR_INVALID_ARGUMENT, "run input '%s': expected in their order",
                           inputs->input[i].role);
    }
    return TR_OK;
}

/* --- put --- */

static void put_input(tr_query *query, tr_row_id run, const tr_run_input *input) {
    int position = 0;
    for (size_t at = 0; at < input->size; at += CHUNK_BYTES) {
        size_t left = input->size - at;
        tr_query_bind_int(query, run);
        tr_query_bind_text(query, input->role);
        tr_query_bind_int(query, position++);
        tr_query_bind_blob(query, input->content + at, left < CHUNK_BYTES ? left : CHUNK_BYTES);
        tr_query_run(query);
    }
}

tr_status tr_inputs_put(tr_catalogue *catalogue, tr_row_id run, const tr_run_inputs *inputs,
                        tr_error *error) {
    if (!inputs || inputs->count == 0)
        return TR_OK;
    tr_query query = tr_query_begin(
        catalogue, "INSERT INTO run_input (run, role, position, content) VALUES (?, ?, ?, pack(?))",
        error);
    for (int i = 0; i < inputs->count; i++)
        put_input(&query, run, &inputs->input[i]);
    return tr_query_end(&query);
}

void tr_inputs_digest(const tr_run_inputs *inputs, tr_digest_writer *writer) {
    if (!inputs || inputs->count == 0)
        return;
    tr_digest_add_int(writer, inputs->count);
    for (int i = 0; i < inputs->count; i++) {
        tr_digest_add_text(writer, inputs->input[i].role);
        tr_digest_add_blob(writer, inputs->input[i].content, inputs->input[i].size);
    }
}

/* --- get --- */

/* The input with that role: the last one, or a new one; NULL: too many. */
static tr_run_input *input_of(tr_run_inputs *inputs, const char *role) {
    tr_run_input *last = inputs->count > 0 ? &inputs->input[inputs->count - 1] : NULL;
    if (last && strcmp(last->role, role) == 0)
        return last;
    if (inputs->count == TR_RUN_INPUT_MAX)
        return NULL;
    last = &inputs->input[inputs->count++];
    memcpy(last->role, role, sizeof last->role);
    return last;
}

static void append(tr_query *query, tr_run_inputs *inputs, const char *role, tr_blob_view chunk) {
    if (query->status)
        return;
    tr_run_input *input = input_of(inputs, role);
    if (!input || chunk.size > TR_RUN_INPUT_BYTES_MAX - input->size) {
        tr_query_fail(query, TR_DATA_LOSS, "run: too many or too long inputs");
        return;
    }
    char *grown = realloc(input->content, input->size + chunk.size + 1);
    if (!grown) {
        tr_query_fail(query, TR_RESOURCE_EXHAUSTED, "run: no memory for its inputs");
        return;
    }
    memcpy(grown + input->size, chunk.data, chunk.size);
    input->content = grown;
    input->size += chunk.size;
    grown[input->size] = '\0';
}

static tr_status read_inputs(tr_catalogue *catalogue, tr_row_id run, tr_run_inputs *out,
                             tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "SELECT role, unpack(content) FROM run_input WHERE run = ? ORDER BY role, position", error);
    tr_query_bind_int(&query, run);
    while (tr_query_next(&query)) {
        char role[TR_RUN_ROLE_MAX];
        memset(role, 0, sizeof role);
        tr_query_text(&query, role, sizeof role);
        append(&query, out, role, tr_query_blob(&query));
    }
    return tr_query_end(&query);
}

tr_status tr_runs_inputs(tr_catalogue *catalogue, tr_row_id run, tr_run_inputs *out,
                         tr_error *error) {
    tr_digest digest;
    tr_run_inputs inputs = {0};
    tr_status status = tr_rows_digest(catalogue, TR_NOUN_RUN, run, &digest, error);
    if (!status)
        status = read_inputs(catalogue, run, &inputs, error);
    if (status)
        tr_run_inputs_deinit(&inputs);
    else
        *out = inputs;
    return status;
}

void tr_run_inputs_deinit(tr_run_inputs *inputs) {
    for (int i = 0; i < inputs->count; i++)
        free(inputs->input[i].content);
    *inputs = (tr_run_inputs){0};
}

const tr_run_input *tr_run_inputs_find(const tr_run_inputs *inputs, const char *role) {
    for (int i = 0; i < inputs->count; i++)
        if (strcmp(inputs->input[i].role, role) == 0)
            return &inputs->input[i];
    return NULL;
}
