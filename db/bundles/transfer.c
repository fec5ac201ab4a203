#include "db/bundles/transfer.h"

#include "db/store/rows.h"
#include "db/tables/certificates.h"
#include "db/tables/guides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names, existing rows --- */

/* "name-2", "name-3", ... until one is free; a long name is cut between characters to make room.
 * name: [TR_NAME_MAX] */
static tr_status find_free_name(tr_transfer *transfer, tr_noun noun, char *name) {
    char stem[TR_NAME_MAX];
    tr_row_id taken = 1;
    tr_status status = TR_OK;
    memcpy(stem, name, TR_NAME_MAX);
    for (int n = 2; !status && taken; n++) {
        char suffix[12];
        int length = snprintf(suffix, sizeof suffix, "-%d", n), end = (int)strlen(stem);
        while (end + length >= TR_NAME_MAX ||
               (end > 0 && ((unsigned char)stem[end] & 0xc0) == 0x80))
            end--;
        snprintf(name, TR_NAME_MAX, "%.*s%s", end, stem, suffix);
        status = tr_rows_seek(transfer->to, noun, name, &taken, transfer->error);
    }
    return status;
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
    const bool steps_back =
        transfer->conflict == TR_BUNDLE_STEP_BACK && (noun == TR_NOUN_CLIP || noun == TR_NOUN_RUN);
    tr_row_id taken = 0;
    if (!id)
        status = tr_rows_seek(transfer->to, noun, name, &taken, transfer->error);
    if (status || id || !(taken || steps_back))
        return status;
    if (transfer->conflict == TR_BUNDLE_REFUSE)
        return tr_fail(transfer->error, TR_ALREADY_EXISTS,
                       "%s '%s': the name is taken by other content", tr_noun_name(noun), name);
    counts[noun]->renamed++;
    return find_free_name(transfer, noun, name);
}

/* The id in `to` of the row with `id` in `from`, which is there. */
static tr_status map_id(const tr_transfer *transfer, tr_noun noun, tr_row_id *id) {
    tr_digest digest;
    tr_status status = tr_rows_digest(transfer->from, noun, *id, &digest, transfer->error);
    return status
               ? status
               : tr_rows_match(transfer->to, &(tr_row_key){noun, "", &digest}, id, transfer->error);
}

/* --- rows --- */

/* How rows are copied: those of a table, or by statements (columns.h). */
typedef struct row_part {
    const tr_table *table;
    const char *select, *insert;
} row_part;

static const row_part model_parts[] = {{.table = &tr_model_columns}, {0}};
static const row_part clip_parts[] = {{.table = &tr_clip_columns}, {0}};

static const row_part run_parts[] = {
    {.table = &tr_run_columns},
    {.table = &tr_run_parent_columns},
    {.table = &tr_run_metric_columns},
    {.select = "SELECT ?3, role, position, content FROM run_input WHERE run = ?1",
     .insert = "INSERT INTO run_input (run, role, position, content) VALUES (?, ?, ?, ?)"},
    {0}};

#define SECTION_SELECT                                                                             \
    "SELECT ?3, name, position, replaceable, content FROM controller_section WHERE controller = "  \
    "?1"
#define SECTION_INSERT                                                                             \
    "INSERT INTO controller_section (controller, name, position, replaceable, content) "           \
    "VALUES (?, ?, ?, ?, ?)"

#define STATE_WITH(seal, content)                                                                  \
    "(SELECT id FROM state WHERE seal = " seal " AND unpack(content) = unpack(" content "))"

/* States and fragments are shared: those that are there already are not copied. */
static const row_part controller_parts[] = {
    {.table = &tr_controller_columns},
    {.select = "SELECT seal, content FROM state WHERE id IN "
               "(SELECT f.start_state FROM controller_fragment p JOIN fragment f "
               "ON f.id = p.fragment WHERE p.controller = ?1 UNION "
               "SELECT f.end_state FROM controller_fragment p JOIN fragment f "
               "ON f.id = p.fragment WHERE p.controller = ?1)",
     .insert = "INSERT INTO state (seal, content) SELECT ?1, ?2 "
               "WHERE " STATE_WITH("?1", "?2") " IS NULL"},
    {.select = "SELECT f.digest, m.digest, f.steps, f.step_s, f.targets, f.policy, s.seal, "
               "s.content, e.seal, e.content FROM controller_fragment p "
               "JOIN fragment f ON f.id = p.fragment JOIN model m ON m.id = f.model "
               "JOIN state s ON s.id = f.start_state JOIN state e ON e.id = f.end_state "
               "WHERE p.controller = ?1",
     .insert =
         "INSERT INTO fragment "
         "(digest, model, steps, step_s, targets, policy, start_state, end_state) "
         "VALUES (?1, (SELECT min(id) FROM model WHERE digest = ?2), ?3, ?4, ?5, ?6, " STATE_WITH(
             "?7", "?8") ", " STATE_WITH("?9", "?10") ") "
                                                      "ON CONFLICT (digest) DO NOTHING"},
    {.table = &tr_controller_fragment_columns},
    {.select = SECTION_SELECT, .insert = SECTION_INSERT},
    {0}};

static const row_part learned_again_parts[] = {
    {.select = SECTION_SELECT " AND replaceable = 1", .insert = SECTION_INSERT}, {0}};

static const row_part certificate_parts[] = {{.table = &tr_certificate_columns},
                                             {.table = &tr_certificate_figure_columns},
                                             {.table = &tr_certificate_push_columns},
                                             {0}};

/* Copies the row `id` under that name, and what belongs to it. to_id: of the copy; 0: the first part
 * makes it. */
static tr_status copy_parts(const tr_transfer *transfer, const row_part *part, tr_row_id id,
                            const char *name, tr_row_id to_id) {
    tr_row_copying copying = {transfer->from, transfer->to, id, name, to_id, transfer->error};
    tr_status status = TR_OK;
    for (; !status && (part->table || part->select); part++) {
        status = part->table ? tr_columns_copy(&copying, part->table)
                             : tr_columns_copy_by(&copying, part->select, part->insert);
        if (!copying.owner)
            copying.owner = sqlite3_last_insert_rowid(transfer->to->db);
    }
    return status;
}

/* --- nouns --- */

static tr_status read_key(const tr_transfer *transfer, tr_noun noun, tr_row_id id,
                          tr_digest *out_digest, char *out_name) {
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT digest, name FROM %s WHERE id = ?", tr_noun_name(noun));
    tr_query query = tr_query_begin(transfer->from, sql, transfer->error);
    tr_query_bind_int(&query, id);
    const bool found = tr_query_next(&query);
    if (found) {
        *out_digest = tr_query_digest(&query);
        tr_query_text(&query, out_name, TR_NAME_MAX);
    }
    return tr_rows_end(&query, noun, id, found);
}

/* Of a controller that is there already, something may have been learned since. */
static tr_status copy_learned_again(const tr_transfer *transfer, tr_row_id id) {
    tr_row_id to_id = id;
    int64_t present = 0;
    tr_status status = map_id(transfer, TR_NOUN_CONTROLLER, &to_id);
    tr_query query = tr_query_begin(transfer->to,
                                    "SELECT count(*) FROM controller_section "
                                    "WHERE controller = ? AND replaceable = 1",
                                    transfer->error);
    tr_query_bind_int(&query, to_id);
    tr_status ended = tr_query_end_int(&query, &present);
    if (status || ended || present > 0)
        return status ? status : ended;
    return copy_parts(transfer, learned_again_parts, id, NULL, to_id);
}

static tr_status put_certificate(tr_transfer *transfer, const tr_certificate_row *row) {
    tr_row_id id = 0, controller = row->controller_id;
    tr_status status =
        tr_rows_find_digest(transfer->to, TR_NOUN_CERTIFICATE, &row->digest, &id, transfer->error);
    transfer->report.certificates.present += id != 0;
    transfer->report.certificates.added += id == 0;
    if (status || id)
        return status;
    status = map_id(transfer, TR_NOUN_CONTROLLER, &controller);
    if (!status)
        status = tr_certificates_check_room(transfer->to, controller, transfer->error);
    return status ? status : copy_parts(transfer, certificate_parts, row->id, NULL, 0);
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

tr_status tr_transfer_row(tr_transfer *transfer, tr_noun noun, tr_row_id id) {
    static const row_part *const parts[] = {model_parts, clip_parts, run_parts, controller_parts};
    char name[TR_NAME_MAX];
    tr_digest digest;
    bool present = false;
    tr_status status = read_key(transfer, noun, id, &digest, name);
    if (!status)
        status = settle(transfer, noun, &digest, name, &present);
    if (!status && !present)
        status = copy_parts(transfer, parts[noun], id, name, 0);
    if (status || noun != TR_NOUN_CONTROLLER)
        return status;
    if (present)
        status = copy_learned_again(transfer, id);
    if (!status)
        status = transfer_certificates(transfer, id);
    return status ? status : transfer_guide(transfer, id);
}

/* --- everything --- */

static tr_status transfer_noun(tr_transfer *transfer, tr_noun noun) {
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT id FROM %s ORDER BY id", tr_noun_name(noun));
    tr_query query = tr_query_begin(transfer->from, sql, transfer->error);
    while (tr_query_next(&query)) {
        tr_row_id id = tr_query_id(&query);
        if (!query.status)
            query.status = tr_transfer_row(transfer, noun, id);
    }
    return tr_query_end(&query);
}

tr_status tr_transfer_all(tr_transfer *transfer) {
    tr_status status = TR_OK;
    for (tr_noun noun = TR_NOUN_MODEL; !status && noun <= TR_NOUN_CONTROLLER; noun++)
        status = transfer_noun(transfer, noun);
    return status;
}
