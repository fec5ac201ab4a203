#include "db/tables/controllers.h"

#include "control/chain/chain.h"
#include "control/graph/control_graph.h"
#include "control/recovery/recovery.h"
#include "db/store/encoding.h"
#include "db/store/lists.h"
#include "db/store/rows.h"
#include "db/store/text.h"
#include "db/tables/fragments.h"
#include "db/tables/models.h"
#include "db/tables/sections.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* A row to be stored. */
typedef struct stored_controller {
    tr_controller_row row;
    tr_blob_view spawn;
} stored_controller;

static const tr_table_column columns[] = {
    TR_COLUMNS_KEY(tr_controller_row),
    TR_COLUMN_WITH(tr_controller_row, TEXT, kind, .left_out = TR_NOT_DIGESTED),
    TR_COLUMN(tr_controller_row, TEXT, skill),
    TR_COLUMN(tr_controller_row, TEXT, gain_set),
    TR_COLUMN_WITH(tr_controller_row, DOUBLE, step_s, .low = 0, .high = DBL_MAX),
    TR_COLUMN(tr_controller_row, BOOL, cyclic),
    TR_COLUMN(tr_controller_row, BOOL, mirrored),
    TR_COLUMN_WITH(tr_controller_row, DOUBLE, duration_s, .low = 0, .high = DBL_MAX,
                   .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_AS(stored_controller, BLOB, spawn, "spawn_state", .left_out = TR_NOT_SELECTED),
    TR_COLUMN_AS(tr_controller_row, ID, model_id, "model", .noun = TR_NOUN_MODEL),
    TR_COLUMN_AS(tr_controller_row, ID, run_id, "run", .noun = TR_NOUN_RUN),
    TR_COLUMN_AS(tr_controller_row, ID, clip_id, "clip", .noun = TR_NOUN_CLIP),
    TR_COLUMN_FOUND(tr_controller_row, TEXT, model_name, "model.name", 0, 0),
    TR_COLUMN_FOUND(tr_controller_row, TEXT, run_name, "run.name", 0, 0),
    TR_COLUMN_FOUND(tr_controller_row, TEXT, clip_name, "clip.name", 0, 0),
    TR_COLUMN_FOUND(tr_controller_row, INT, fragment_count,
                    "(SELECT count(*) FROM controller_fragment WHERE controller = controller.id)",
                    0, TR_BANK_FRAGMENT_MAX),
    TR_COLUMN_FOUND(tr_controller_row, TEXT, section, "guide.section", 0, 0),
    TR_COLUMN_FOUND(tr_controller_row, TEXT, summary, "guide.summary", 0, 0),
};

static tr_status verify_controller(tr_catalogue *catalogue, const void *row, tr_error *error);

/* In the order of their models, each model is parsed once. */
const tr_table tr_controller_columns = TR_TABLE(
    tr_controller_row, "controller", TR_NOUN_CONTROLLER, columns, .order = "controller.model, ",
    .verify = verify_controller,
    .joins = "JOIN model ON model.id = controller.model LEFT JOIN run ON run.id = controller.run "
             "LEFT JOIN clip ON clip.id = controller.clip "
             "LEFT JOIN guide ON guide.controller = controller.id");

static const tr_table_column fragment_columns[] = {
    TR_COLUMN_AS(tr_fragment_row, ID, id, "fragment", .noun = TR_NOUN_FRAGMENT),
    TR_COLUMN_WITH(tr_fragment_row, INT, position, .low = 0, .high = TR_BANK_FRAGMENT_MAX - 1,
                   .left_out = TR_NOT_DIGESTED),
    TR_COLUMN_FOUND(tr_fragment_row, INT, steps, "fragment.steps", 1, TR_FRAGMENT_STEPS_MAX),
    TR_COLUMN_FOUND(tr_fragment_row, DIGEST, digest, "fragment.digest", 0, 0),
};

const tr_table tr_controller_fragment_columns =
    TR_TABLE(tr_fragment_row, "controller_fragment", TR_NOUN_NONE, fragment_columns,
             .owner = "controller", .joins = "JOIN fragment ON fragment.id = fragment");

/* A controller between memory and its rows. */
typedef struct assembly {
    tr_catalogue *catalogue;
    tr_controller_entry entry;
    const tr_model *model;
    int fragment_count;
    tr_fragment_row fragment[TR_BANK_FRAGMENT_MAX]; /* [fragment_count]; put: id, position */
    tr_blob spawn;                                  /* owned */
    tr_sections sections;                           /* of its kind; owned */
    tr_sections rig;                                /* its section, if it has one; owned */
    tr_error *error;
} assembly;

static void deinit_assembly(assembly *a) {
    tr_blob_deinit(&a->spawn);
    tr_sections_deinit(&a->sections);
    tr_sections_deinit(&a->rig);
}

/* The driver without the recovery around it. */
static tr_driver kept_driver(const assembly *a) {
    tr_driver driver = a->entry.controller->driver;
    return driver.kind == &tr_recovery_kind ? tr_driver_held(driver, 0) : driver;
}

/* A text that is too long has no end, and is refused by the check. out: zeros */
static void copy_text(char out[TR_NAME_MAX], const char *text) {
    memcpy(out, text, strnlen(text, TR_NAME_MAX));
}

/* The row to be stored. Facts are from the bank, or from the driver if there is no bank. */
static stored_controller row_of(const assembly *a) {
    const tr_controller *controller = a->entry.controller;
    const tr_bank *bank = tr_controller_bank(controller);
    const tr_driver_outline outline = tr_controller_outline(controller);
    stored_controller out = {.spawn = tr_blob_look(&a->spawn)};
    tr_controller_row *row = &out.row;
    row->cyclic = bank ? bank->cyclic : outline.cyclic;
    row->mirrored = bank ? bank->mirrored : outline.mirrored;
    row->step_s = controller->step_s;
    row->duration_s = tr_controller_duration_s(controller);
    row->model_id = a->entry.model_id;
    row->run_id = a->entry.run_id;
    row->clip_id = a->entry.clip_id;
    copy_text(row->kind, tr_driver_kind_name(kept_driver(a)));
    copy_text(row->gain_set, bank ? bank->gain_set : outline.gain_set);
    copy_text(row->name, controller->name);
    copy_text(row->skill, controller->skill);
    return out;
}

static tr_fragment_context context_of(const assembly *a, double step_s) {
    return (tr_fragment_context){.catalogue = a->catalogue,
                                 .model_id = a->entry.model_id,
                                 .body_count = a->model->body_count,
                                 .step_s = step_s,
                                 .error = a->error};
}

/* --- digest --- */

/* A graph keeps the digest that it had when it had tables: of its numbers instead of its sections. */
static void add_graph(const tr_control_graph *graph, tr_digest_writer *writer) {
    tr_digest_add_int(writer, graph->node_count);
    for (int n = 0; n < graph->node_count; n++) {
        const tr_graph_node *node = &graph->node[n];
        tr_digest_add_text(writer, node->skill);
        tr_digest_add_text(writer, node->gain_set);
        tr_digest_add_int(writer, node->first);
        tr_digest_add_int(writer, node->count);
        tr_digest_add_int(writer, node->cyclic);
        tr_digest_add_int(writer, node->mirrored);
        tr_digest_add_double(writer, node->turn_rad);
        if (node->settled > 0)
            tr_digest_add_double(writer, node->settled);
        tr_digest_add_bytes(writer, &node->steering, sizeof node->steering);
    }
    tr_digest_add_int(writer, graph->edge_count);
    for (int e = 0; e < graph->edge_count; e++) {
        tr_digest_add_int(writer, graph->edge[e].from);
        tr_digest_add_int(writer, graph->edge[e].to);
        tr_digest_add_int(writer, graph->edge[e].flips);
    }
}

/* Chains and graphs keep the digests that they had before kinds were introduced. */
static tr_status digest_assembly(assembly *a, tr_digest *out) {
    const tr_driver_kind *kind = kept_driver(a).kind;
    const bool is_graph = kind == &tr_graph_kind, is_older = is_graph || kind == &tr_chain_kind;
    const stored_controller stored = row_of(a);
    const tr_row_list list = {&tr_controller_fragment_columns, a->fragment, a->fragment_count};
    tr_digest_writer writer = tr_digest_begin(is_older ? "controller 1" : "controller 2");
    if (!is_older)
        tr_digest_add_text(&writer, stored.row.kind);
    tr_columns_digest(a->catalogue, &tr_controller_columns, &stored, &writer, a->error);
    tr_lists_digest(a->catalogue, &list, 1, &writer, a->error);
    tr_sections_sort(&a->sections);
    if (is_graph)
        add_graph(kept_driver(a).content, &writer);
    else
        tr_sections_digest(&a->sections, &writer);
    tr_sections_digest(&a->rig, &writer);
    return tr_rows_end_digest(&tr_controller_columns, &writer, out, a->error);
}

/* --- put --- */

static tr_status check_assembly(const assembly *a) {
    const stored_controller stored = row_of(a);
    tr_status status = tr_columns_check(&tr_controller_columns, &stored, a->error);
    return status ? status : tr_controller_check(a->entry.controller, a->model, a->error);
}

static tr_status put_fragments(assembly *a) {
    const tr_bank *bank = tr_controller_bank(a->entry.controller);
    tr_fragment_context context = context_of(a, a->entry.controller->step_s);
    tr_status status = TR_OK;
    a->fragment_count = bank ? bank->fragment_count : 0;
    if (bank)
        context.action = bank->action;
    for (int f = 0; !status && f < a->fragment_count; f++) {
        a->fragment[f].position = f;
        status = tr_fragments_put(&context, &bank->fragment[f], &a->fragment[f].id);
    }
    return status;
}

/* What its kind has besides fragments, and its rig. */
static tr_status put_content(const assembly *a, tr_row_id id) {
    tr_status status =
        tr_sections_put(a->catalogue, &tr_controller_sections, id, &a->rig, a->error);
    return status
               ? status
               : tr_sections_put(a->catalogue, &tr_controller_sections, id, &a->sections, a->error);
}

/* Call within a bracket. Stores fragments first, because the digest needs theirs. */
static tr_status put_rows(assembly *a, tr_row_id *out_id) {
    const tr_controller *controller = a->entry.controller;
    const tr_driver driver = kept_driver(a);
    stored_controller stored;
    tr_status status =
        tr_encoding_put_state(&controller->spawn, a->model->body_count, &a->spawn, a->error);
    if (!status)
        status = put_fragments(a);
    if (!status)
        status = driver.kind->save(driver.content, &a->sections, a->error);
    if (!status && controller->rig)
        status = tr_rig_save(controller->rig, &a->rig, a->error);
    stored = row_of(a);
    if (!status)
        status = digest_assembly(a, &stored.row.digest);
    if (!status)
        status = tr_rows_claim(a->catalogue, &tr_controller_columns, &stored, out_id, a->error);
    if (status || *out_id)
        return status;
    status = tr_columns_insert(a->catalogue, &tr_controller_columns, &stored, out_id, a->error);
    if (!status)
        status = tr_columns_insert_all(a->catalogue, &tr_controller_fragment_columns, *out_id,
                                       a->fragment, a->fragment_count, a->error);
    return status ? status : put_content(a, *out_id);
}

tr_status tr_controllers_put(tr_catalogue *catalogue, const tr_controller_entry *entry,
                             tr_row_id *out_id, tr_error *error) {
    tr_row_id id = 0;
    assembly a = {.catalogue = catalogue, .entry = *entry, .error = error};
    tr_status status = tr_models_borrow(catalogue, entry->model_id, &a.model, error);
    if (!status)
        status = check_assembly(&a);
    if (!status) {
        status = tr_database_enter(catalogue, error);
        if (!status)
            status = put_rows(&a, &id);
        status = tr_database_leave(catalogue, status, error);
    }
    deinit_assembly(&a);
    if (!status)
        *out_id = id;
    return status;
}

/* Keeps only the sections that may be learned again. */
static void keep_replaceable(tr_sections *sections) {
    int kept = 0;
    for (int i = 0; i < sections->count; i++)
        if (sections->section[i].replaceable)
            sections->section[kept++] = sections->section[i];
        else
            free(sections->section[i].bytes);
    sections->count = kept;
}

tr_status tr_controllers_put_learned_again(tr_catalogue *catalogue, tr_row_id id,
                                           const tr_controller *controller, tr_error *error) {
    const assembly a = {.entry = {.controller = controller}};
    const tr_driver driver = kept_driver(&a);
    tr_sections sections = {0};
    tr_status status = driver.kind->save(driver.content, &sections, error);
    keep_replaceable(&sections);
    if (!status) {
        status = tr_database_enter(catalogue, error);
        if (!status)
            status = tr_sections_forget(catalogue, id, error);
        if (!status)
            status = tr_sections_put(catalogue, &tr_controller_sections, id, &sections, error);
        status = tr_database_leave(catalogue, status, error);
    }
    tr_sections_deinit(&sections);
    return status;
}

/* --- get, list --- */

TR_NOUN_READERS_FROM(tr_controller_columns, controllers, controller)

tr_status tr_controllers_resolve(tr_catalogue *catalogue, const char *name, tr_controller_row *out,
                                 tr_error *error) {
    tr_row_id id = 0;
    tr_status status = tr_rows_seek(catalogue, TR_NOUN_CONTROLLER, name, &id, error);
    if (!status && !id)
        status = tr_guides_find(catalogue, name, &id, error);
    if (!status && !id) /* with the name in the message */
        status = tr_rows_find(catalogue, TR_NOUN_CONTROLLER, name, &id, error);
    return status ? status : tr_controllers_get(catalogue, id, out, error);
}

tr_status tr_controllers_rename(tr_catalogue *catalogue, tr_row_id id, const char *name,
                                tr_error *error) {
    tr_row_id taken = 0;
    tr_status status = tr_text_check_name("controller", name, TR_NAME_MAX, error);
    if (!status)
        status = tr_rows_seek(catalogue, TR_NOUN_CONTROLLER, name, &taken, error);
    if (status || taken == id)
        return status;
    if (taken)
        return tr_fail(error, TR_ALREADY_EXISTS, "controller '%s': is in the catalogue already",
                       name);
    tr_query query =
        tr_query_begin(catalogue, "UPDATE controller SET name = ? WHERE id = ?", error);
    tr_query_bind_text(&query, name);
    tr_query_bind_int(&query, id);
    return tr_query_end_run(&query);
}

tr_status tr_controllers_find_content(tr_catalogue *catalogue, const tr_digest *digest,
                                      tr_controller_row *out, tr_error *error) {
    tr_row_id id = 0;
    tr_query query = tr_query_begin(
        catalogue, "SELECT id FROM controller WHERE digest = ? ORDER BY name LIMIT 1", error);
    tr_query_bind_digest(&query, digest);
    tr_status status = tr_query_end_int(&query, &id);
    if (!status && id == 0) {
        char text[TR_DIGEST_TEXT_MAX];
        tr_digest_format(digest, text);
        status = tr_fail(error, TR_NOT_FOUND, "no controller has the digest %s", text);
    }
    return status ? status : tr_controllers_get(catalogue, id, out, error);
}

tr_status tr_controllers_list(tr_catalogue *catalogue, const tr_controller_filter *filter,
                              tr_controller_row *out_rows, int *count, tr_error *error) {
    tr_query query = tr_rows_list(
        catalogue, &tr_controller_columns, &(tr_row_range){filter->after, filter->prefix, *count},
        "AND (?4 IS NULL OR controller.skill = ?4) AND (?5 IS NULL OR controller.model = ?5) "
        "AND (?6 IS NULL OR controller.run = ?6) AND (?7 IS NULL OR controller.clip = ?7)",
        error);
    tr_query_bind_text(&query, filter->skill);
    tr_query_bind_id(&query, filter->model);
    tr_query_bind_id(&query, filter->run);
    tr_query_bind_id(&query, filter->clip);
    return tr_rows_collect(catalogue, &query, &tr_controller_columns, out_rows, count);
}

tr_status tr_controllers_fragments(tr_catalogue *catalogue, tr_row_id id, tr_fragment_row *out_rows,
                                   int *count, tr_error *error) {
    tr_controller_row row;
    tr_status status = tr_controllers_get(catalogue, id, &row, error);
    if (!status && *count < row.fragment_count)
        status =
            tr_fail(error, TR_INVALID_ARGUMENT, "count: expected at least %d", row.fragment_count);
    if (status)
        return status;
    tr_query query = tr_columns_select(catalogue, &tr_controller_fragment_columns,
                                       "WHERE controller = ? ORDER BY position", error);
    tr_query_bind_int(&query, id);
    int rows = row.fragment_count;
    status = tr_rows_collect(catalogue, &query, &tr_controller_fragment_columns, out_rows, &rows);
    for (int f = 0; !status && f < rows; f++)
        out_rows[f].duration_s = out_rows[f].steps * row.step_s;
    if (!status)
        *count = rows;
    return status;
}

/* --- load --- */

static bool same_action(const tr_action_map *a, const tr_action_map *b) {
    return a->joint_count == b->joint_count && a->size == b->size &&
           memcmp(a->body, b->body, (size_t)a->joint_count * sizeof *a->body) == 0;
}

/* Reads the spawn state; its blob is part of the digest. */
static tr_status read_spawn(assembly *a, tr_controller *controller, tr_row_id id) {
    int bodies = a->model->body_count;
    tr_query query =
        tr_query_begin(a->catalogue, "SELECT spawn_state FROM controller WHERE id = ?", a->error);
    tr_query_bind_int(&query, id);
    if (tr_query_next(&query)) {
        tr_blob_view blob = tr_query_blob(&query);
        if (!query.status)
            query.status = tr_encoding_get_state(blob, bodies, &controller->spawn, a->error);
        if (!query.status)
            query.status = tr_encoding_put_state(&controller->spawn, bodies, &a->spawn, a->error);
    }
    return tr_query_end(&query);
}

/* Makes room for the fragments of the row. */
static tr_status create_bank(const assembly *a, const tr_controller_row *row, tr_bank *out) {
    int steps = 1;
    for (int f = 0; f < row->fragment_count; f++) {
        if (a->fragment[f].position != f)
            return tr_fail(a->error, TR_DATA_LOSS, "controller '%s': fragment %d: missing",
                           row->name, f);
        steps = a->fragment[f].steps > steps ? a->fragment[f].steps : steps;
    }
    if (tr_bank_init(out, row->fragment_count, steps, a->model->body_count))
        return tr_fail(a->error, TR_RESOURCE_EXHAUSTED, "controller '%s': no memory", row->name);
    memcpy(out->gain_set, row->gain_set, sizeof out->gain_set);
    out->cyclic = row->cyclic;
    out->mirrored = row->mirrored;
    return TR_OK;
}

static tr_status fill_bank(const assembly *a, const tr_controller_row *row, tr_bank *bank) {
    tr_fragment_context context = context_of(a, row->step_s);
    for (int f = 0; f < a->fragment_count; f++) {
        tr_action_map action;
        tr_status status =
            tr_fragments_get(&context, a->fragment[f].id, &bank->fragment[f], &action);
        if (status)
            return status;
        if (f == 0)
            bank->action = action;
        else if (!same_action(&action, &bank->action))
            return tr_fail(a->error, TR_DATA_LOSS,
                           "controller '%s': fragment %d: of another action map", row->name, f);
    }
    return TR_OK;
}

/* Reads the fragments of the row; an empty bank if there are none. */
static tr_status read_bank(assembly *a, const tr_controller_row *row, tr_bank *out) {
    a->fragment_count = TR_BANK_FRAGMENT_MAX;
    tr_status status =
        tr_controllers_fragments(a->catalogue, row->id, a->fragment, &a->fragment_count, a->error);
    if (!status && a->fragment_count != row->fragment_count)
        status =
            tr_fail(a->error, TR_DATA_LOSS, "controller '%s': a fragment is missing", row->name);
    if (status || row->fragment_count == 0)
        return status;
    status = create_bank(a, row, out);
    return status ? status : fill_bank(a, row, out);
}

/* Moves the section of the rig from those of the kind, if it is among them. */
static void part_rig(assembly *a) {
    tr_sections *all = &a->sections;
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->section[i].name, TR_RIG_SECTION) != 0)
            continue;
        a->rig.section[a->rig.count++] = all->section[i];
        all->section[i] = all->section[--all->count];
        return;
    }
}

static tr_status read_sections(assembly *a, const tr_controller_row *row, const tr_bank *bank) {
    tr_status status =
        tr_sections_get(a->catalogue, &tr_controller_sections, row->id, &a->sections, a->error);
    part_rig(a);
    a->sections.bank = row->fragment_count ? bank : NULL;
    return status;
}

/* Reads everything except its driver. */
static tr_status read_head(assembly *a, const tr_controller_row *row, tr_controller *out) {
    memcpy(out->name, row->name, sizeof out->name);
    memcpy(out->skill, row->skill, sizeof out->skill);
    memcpy(out->model_name, row->model_name, sizeof out->model_name);
    out->model_hash = a->model->hash;
    out->step_s = row->step_s;
    return read_spawn(a, out, row->id);
}

static tr_status read_rig(assembly *a, tr_controller *head, tr_error *error) {
    tr_status status = tr_rig_load(&a->rig, &head->rig, error);
    return status || !head->rig ? status : tr_rig_check(head->rig, a->model, error);
}

/* What `head` drives with, from its fragments and sections, in a controller that owns both. */
static tr_status read_driver(assembly *a, const tr_controller *head, const tr_driver_kind *kind,
                             tr_controller **out, tr_error *error) {
    tr_driver driver = {.kind = kind};
    tr_driver_setting setting = tr_controller_setting(head, a->model);
    tr_status status = kind->load(&a->sections, &setting, &driver.content, error);
    if (status)
        return status;
    status = tr_controller_create(driver, out);
    if (status) {
        kind->destroy(driver.content);
        return status;
    }
    **out = *head;
    (*out)->driver = driver;
    return TR_OK;
}

static tr_status read_controller(assembly *a, const tr_controller_row *row, const tr_bank *bank,
                                 tr_controller **out) {
    tr_controller head = {0};
    tr_error inner = {0};
    const tr_driver_kind *kind = tr_driver_find_kind(row->kind);
    if (!kind)
        return tr_fail(a->error, TR_UNIMPLEMENTED,
                       "controller '%s': this program has no drivers of kind '%s': use the version "
                       "that stored it, or delete it with 'troupe-train forget'",
                       row->name, row->kind);
    tr_status status = read_head(a, row, &head);
    if (!status)
        status = read_sections(a, row, bank);
    if (status)
        return status;
    status = read_rig(a, &head, &inner);
    if (!status)
        status = read_driver(a, &head, kind, out, &inner);
    if (!status)
        return TR_OK;
    free(head.rig);
    return tr_fail(a->error, status, "controller '%s': %s", row->name, inner.message);
}

/* Checks that the controller matches its digest and fits its model. */
static tr_status verify(assembly *a, const tr_controller_row *row) {
    double duration_s = tr_controller_duration_s(a->entry.controller);
    tr_digest content = {{0}};
    tr_status status = digest_assembly(a, &content);
    if (!status)
        status = tr_rows_compare(&tr_controller_columns, row, &content, a->error);
    if (!status)
        status = check_assembly(a);
    if (!status && duration_s != row->duration_s)
        status = tr_fail(a->error, TR_DATA_LOSS, "controller '%s': duration_s: expected %.17g",
                         row->name, duration_s);
    return status;
}

static tr_status load_rows(assembly *a, const tr_controller_row *row, tr_controller **out) {
    tr_bank bank = {0};
    tr_status status = read_bank(a, row, &bank);
    if (!status)
        status = read_controller(a, row, &bank, out);
    a->sections.bank = NULL;
    tr_bank_deinit(&bank);
    if (status)
        return status;
    a->entry.controller = *out;
    status = verify(a, row);
    return status ? status : tr_recovery_add(*out);
}

static tr_status load_row(tr_catalogue *catalogue, const tr_controller_row *row,
                          const tr_model *model, tr_controller **out, tr_error *error) {
    tr_controller *controller = NULL;
    assembly a = {.catalogue = catalogue,
                  .entry = {NULL, row->model_id, row->run_id, row->clip_id},
                  .model = model,
                  .error = error};
    tr_status status = load_rows(&a, row, &controller);
    deinit_assembly(&a);
    return TR_GIVE(status, controller, tr_controller_destroy, out);
}

tr_status tr_controllers_load(tr_catalogue *catalogue, tr_row_id id, const tr_model *model,
                              tr_controller **out, tr_error *error) {
    tr_controller_row row;
    const tr_model *own;
    tr_status status = tr_controllers_get(catalogue, id, &row, error);
    if (!status)
        status = tr_models_borrow(catalogue, row.model_id, &own, error);
    if (!status && own->hash != model->hash)
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "controller '%s': model: expected '%s' of the catalogue", row.name,
                         row.model_name);
    return status ? status : load_row(catalogue, &row, model, out, error);
}

/* --- remove --- */

tr_status tr_controllers_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    tr_status status = tr_database_enter(catalogue, error);
    if (!status)
        status = tr_rows_remove(catalogue, TR_NOUN_CONTROLLER, id, error);
    if (!status)
        status = tr_fragments_sweep(catalogue, error);
    return tr_database_leave(catalogue, status, error);
}

/* --- verification --- */

static tr_status verify_controller(tr_catalogue *catalogue, const void *given, tr_error *error) {
    const tr_controller_row *row = given;
    tr_controller *controller = NULL;
    const tr_model *model = NULL;
    tr_guide guide;
    tr_status status = tr_guides_get(catalogue, row->id, &guide, error);
    if (!status)
        status = tr_models_borrow(catalogue, row->model_id, &model, error);
    if (!status)
        status = load_row(catalogue, row, model, &controller, error);
    tr_controller_destroy(controller);
    return status;
}
