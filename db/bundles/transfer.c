#include "db/bundles/transfer.h"

#include "db/store/rows.h"
#include "db/tables/certificates.h"
#include "db/tables/clips.h"
#include "db/tables/controllers.h"
#include "db/tables/guides.h"
#include "db/tables/models.h"
#include "db/tables/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RENAME_MAX = 10000 };

/* --- names, existing rows --- */

static tr_status is_taken(tr_transfer *transfer, tr_noun noun, const char *name, bool *out) {
    tr_row_id id;
    tr_error ignored;
    tr_status status = tr_rows_find(transfer->to, noun, name, &id, &ignored);
    *out = !status;
    if (!status || status == TR_NOT_FOUND)
        return TR_OK;
    return tr_fail(transfer->error, status, "%s", ignored.message);
}

/* "name-2", "name-3", ... until one is free; a long name is cut between characters to make room.
 * name: [TR_NAME_MAX] */
static tr_status find_free_name(tr_transfer *transfer, tr_noun noun, char *name) {
    char stem[TR_NAME_MAX];
    memcpy(stem, name, TR_NAME_MAX);
    for (int n = 2; n <= RENAME_MAX; n++) {
        char suffix[8];
        int length = snprintf(suffix, sizeof suffix, "-%d", n), end = (int)strlen(stem);
        while (end + length >= TR_NAME_MAX ||
               (end > 0 && ((unsigned char)stem[end] & 0xc0) == 0x80))
            end--;
        snprintf(name, TR_NAME_MAX, "%.*s%s", end, stem, suffix);
        bool taken = false;
        tr_status status = is_taken(transfer, noun, name, &taken);
        if (status || !taken)
            return status;
    }
    return tr_fail(transfer->error, TR_ALREADY_EXISTS, "%s '%s': no free name was found",
                   tr_rows_noun(noun), stem);
}

/* Finds the row with the same content, or the name under which to store it. name: [TR_NAME_MAX],
 * may change. */
static tr_status settle(tr_transfer *transfer, tr_noun noun, const tr_digest *digest, char *name,
                        bool *out_present) {
    tr_bundle_counts *counts[] = {&transfer->report.models, &transfer->report.clips,
                                  &transfer->report.runs, &transfer->report.controllers};
    tr_row_id id = 0;
    tr_status status =
        tr_rows_match(transfer->to, &(tr_row_key){noun, name, digest}, &id, transfer->error);
    if (status)
        return status;
    *out_present = id != 0;
    counts[noun]->present += id != 0;
    counts[noun]->added += id == 0;
    bool taken = false;
    if (!id && transfer->conflict == TR_BUNDLE_RENAME)
        status = is_taken(transfer, noun, name, &taken);
    if (!status && taken) {
        counts[noun]->renamed++;
        status = find_free_name(transfer, noun, name);
    }
    return status;
}

/* The id in `to` of the row with `id` in `from`; 0 stays 0. */
static tr_status map_id(tr_transfer *transfer, tr_noun noun, tr_row_id *id) {
    if (*id == 0)
        return TR_OK;
    tr_digest digest;
    tr_status status = tr_rows_digest(transfer->from, noun, *id, &digest, transfer->error);
    if (!status)
        status = tr_rows_match(transfer->to, &(tr_row_key){noun, "", &digest}, id, transfer->error);
    if (!status && *id == 0)
        status =
            tr_fail(transfer->error, TR_DATA_LOSS, "%s: missing in the bundle", tr_rows_noun(noun));
    return status;
}

/* --- nouns --- */

tr_status tr_transfer_model(tr_transfer *transfer, tr_row_id id) {
    tr_model_row row;
    bool present = false;
    tr_status status = tr_models_get(transfer->from, id, &row, transfer->error);
    if (!status)
        status = settle(transfer, TR_NOUN_MODEL, &row.digest, row.name, &present);
    if (status || present)
        return status;
    char *mjcf = NULL;
    size_t size;
    status = tr_models_text(transfer->from, id, &mjcf, &size, transfer->error);
    if (!status)
        status = tr_models_put(transfer->to, row.name, mjcf, size, &id, transfer->error);
    free(mjcf);
    return status;
}

tr_status tr_transfer_clip(tr_transfer *transfer, tr_row_id id) {
    tr_clip_row row;
    bool present = false;
    tr_status status = tr_clips_get(transfer->from, id, &row, transfer->error);
    if (!status)
        status = settle(transfer, TR_NOUN_CLIP, &row.digest, row.name, &present);
    if (status || present)
        return status;
    return tr_clips_put(transfer->to, &row, &id, transfer->error);
}

static tr_status put_run(tr_transfer *transfer, const tr_run_row *row) {
    size_t room = (size_t)row->metric_count + 1;
    tr_run_metric *metric = malloc(room * sizeof *metric);
    if (!metric)
        return tr_fail(transfer->error, TR_RESOURCE_EXHAUSTED,
                       "run '%s': no memory for its metrics", row->name);
    tr_metric_filter filter = {.run = row->id};
    int count = row->metric_count;
    tr_row_id id;
    tr_status status = TR_OK;
    if (count > 0)
        status = tr_runs_metrics(transfer->from, &filter, metric, &count, transfer->error);
    tr_run_row put = *row;
    tr_run_inputs inputs = {0};
    for (int i = 0; !status && i < put.parent_count; i++)
        status = map_id(transfer, TR_NOUN_RUN, &put.parent[i]);
    if (!status)
        status = tr_runs_inputs(transfer->from, row->id, &inputs, transfer->error);
    if (!status)
        status = tr_runs_put(transfer->to, &put, &(tr_run_content){metric, count, &inputs}, &id,
                             transfer->error);
    tr_run_inputs_deinit(&inputs);
    free(metric);
    return status;
}

tr_status tr_transfer_run(tr_transfer *transfer, tr_row_id id) {
    tr_run_row row;
    bool present = false;
    tr_status status = tr_runs_get(transfer->from, id, &row, transfer->error);
    if (!status)
        status = settle(transfer, TR_NOUN_RUN, &row.digest, row.name, &present);
    return status || present ? status : put_run(transfer, &row);
}

/* Of a controller that is there already, something may have been learned since. */
static tr_status copy_controller(tr_transfer *transfer, tr_controller_row *row, bool present) {
    const tr_row_id from = row->id;
    tr_status status = present ? map_id(transfer, TR_NOUN_CONTROLLER, &row->id)
                               : map_id(transfer, TR_NOUN_MODEL, &row->model_id);
    if (!status && present)
        return tr_controllers_copy_learned_again(transfer->from, from, transfer->to, row->id,
                                                 transfer->error);
    if (!status)
        status = map_id(transfer, TR_NOUN_RUN, &row->run_id);
    if (!status)
        status = map_id(transfer, TR_NOUN_CLIP, &row->clip_id);
    return status ? status
                  : tr_controllers_copy(transfer->from, from, transfer->to, row, transfer->error);
}

static tr_status put_certificate(tr_transfer *transfer, const tr_certificate_row *row) {
    tr_certificate_content content = {0};
    tr_certificate_row put = *row;
    tr_row_id id;
    tr_error ignored;
    bool present = !tr_certificates_find(transfer->to, &row->digest, &id, &ignored);
    transfer->report.certificates.present += present;
    transfer->report.certificates.added += !present;
    if (present)
        return TR_OK;
    tr_status status = map_id(transfer, TR_NOUN_CONTROLLER, &put.controller_id);
    if (!status)
        status = tr_certificates_load(transfer->from, row->id, &content, transfer->error);
    if (!status)
        status = tr_certificates_put(transfer->to, &put, &content, &id, transfer->error);
    tr_certificate_content_deinit(&content);
    return status;
}

/* In the order of their ids, so that the copies have the same order. */
static tr_status transfer_certificates(tr_transfer *transfer, tr_row_id controller) {
    int count = TR_PAGE_MAX;
    tr_certificate_row *rows = calloc(TR_PAGE_MAX, sizeof *rows);
    if (!rows)
        return tr_fail(transfer->error, TR_RESOURCE_EXHAUSTED, "certificates: out of memory");
    tr_status status =
        tr_certificates_list(transfer->from, controller, NULL, rows, &count, transfer->error);
    for (int i = count - 1; !status && i >= 0; i--)
        status = put_certificate(transfer, &rows[i]);
    free(rows);
    return status;
}

/* What the target's guide says already stays. */
static tr_status transfer_guide(tr_transfer *transfer, tr_row_id controller) {
    tr_guide guide, present = {0};
    tr_row_id copy = controller;
    tr_status status = tr_guides_get(transfer->from, controller, &guide, transfer->error);
    if (status || !guide.section[0])
        return status;
    status = map_id(transfer, TR_NOUN_CONTROLLER, &copy);
    if (!status)
        status = tr_guides_get(transfer->to, copy, &present, transfer->error);
    if (status || present.section[0])
        return status;
    return tr_guides_put(transfer->to, copy, &guide, transfer->error);
}

tr_status tr_transfer_controller(tr_transfer *transfer, tr_row_id id) {
    tr_controller_row row;
    bool present = false;
    tr_status status = tr_controllers_get(transfer->from, id, &row, transfer->error);
    if (!status)
        status = settle(transfer, TR_NOUN_CONTROLLER, &row.digest, row.name, &present);
    if (!status)
        status = copy_controller(transfer, &row, present);
    if (!status)
        status = transfer_certificates(transfer, id);
    return status ? status : transfer_guide(transfer, id);
}

/* --- everything --- */

static tr_status transfer_noun(tr_transfer *transfer, tr_noun noun,
                               tr_status (*one)(tr_transfer *transfer, tr_row_id id)) {
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT id FROM %s ORDER BY id", tr_rows_noun(noun));
    tr_query query = tr_query_begin(transfer->from, sql, transfer->error);
    while (tr_query_next(&query)) {
        tr_row_id id = tr_query_id(&query);
        if (!query.status)
            query.status = one(transfer, id);
    }
    return tr_query_end(&query);
}

tr_status tr_transfer_all(tr_transfer *transfer) {
    tr_status status = transfer_noun(transfer, TR_NOUN_MODEL, tr_transfer_model);
    if (!status)
        status = transfer_noun(transfer, TR_NOUN_CLIP, tr_transfer_clip);
    if (!status)
        status = transfer_noun(transfer, TR_NOUN_RUN, tr_transfer_run);
    if (!status)
        status = transfer_noun(transfer, TR_NOUN_CONTROLLER, tr_transfer_controller);
    return status;
}
