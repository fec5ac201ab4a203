#include "db/controllers.h"

#include "db/encoding.h"
#include "db/fragments.h"
#include "db/models.h"
#include "db/rows.h"
#include "db/text.h"
#include "model/mjcf.h"

#include <string.h>

#define CONTROLLER_SELECT                                                                          \
    "SELECT c.id, c.name, c.digest, c.skill, c.gain_set, c.step_s, c.cyclic, c.mirrored, "         \
    "c.duration_s, c.model, m.name, c.run, r.name, c.clip, k.name, "                               \
    "(SELECT count(*) FROM controller_fragment WHERE controller = c.id) "                          \
    "FROM controller c JOIN model m ON m.id = c.model "                                            \
    "LEFT JOIN run r ON r.id = c.run LEFT JOIN clip k ON k.id = c.clip "

/* --- digest --- */

static tr_status add_digest(tr_catalogue *catalogue, tr_digest_writer *writer, tr_noun noun,
                            tr_row_id id, tr_error *error) {
    tr_digest digest = {{0}};
    tr_status status = id ? tr_rows_digest(catalogue, noun, id, &digest, error) : TR_OK;
    tr_digest_add_digest(writer, &digest);
    return status;
}

static tr_status add_fragments(tr_catalogue *catalogue, tr_digest_writer *writer,
                               const tr_row_id *fragments, int count, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, "SELECT digest FROM fragment WHERE id = ?", error);
    tr_digest_add_int(writer, count);
    for (int f = 0; f < count; f++) {
        tr_query_bind_int(&query, fragments[f]);
        tr_digest digest = {{0}};
        if (tr_query_next(&query))
            digest = tr_query_digest(&query);
        tr_digest_add_digest(writer, &digest);
        tr_query_run(&query);
    }
    return tr_query_end(&query);
}

/* `fragments`: their rows, [fragment_count]. Absent runs and clips count as zeros. */
static tr_status digest_controller(tr_catalogue *catalogue, const tr_controller_entry *entry,
                                   const tr_row_id *fragments, const tr_blob *spawn, tr_digest *out,
                                   tr_error *error) {
    const tr_controller *controller = entry->controller;
    tr_digest_writer writer = tr_digest_begin("controller 1");
    tr_digest_add_text(&writer, controller->skill);
    tr_digest_add_text(&writer, controller->gain_set);
    tr_digest_add_double(&writer, controller->step_s);
    tr_digest_add_int(&writer, controller->cyclic);
    tr_digest_add_int(&writer, controller->mirrored);
    tr_digest_add_blob(&writer, spawn->data, spawn->size);
    tr_status status = add_digest(catalogue, &writer, TR_NOUN_MODEL, entry->model_id, error);
    if (!status)
        status = add_digest(catalogue, &writer, TR_NOUN_RUN, entry->run_id, error);
    if (!status)
        status = add_digest(catalogue, &writer, TR_NOUN_CLIP, entry->clip_id, error);
    if (!status)
        status = add_fragments(catalogue, &writer, fragments, controller->fragment_count, error);
    tr_digest digest;
    tr_status ended = tr_digest_end(&writer, &digest);
    if (!status && ended)
        status =
            tr_fail(error, ended, "controller '%s': no memory for its digest", controller->name);
    if (!status)
        *out = digest;
    return status;
}

/* --- put --- */

static tr_status check_entry(const tr_controller_entry *entry, const tr_model *model,
                             tr_error *error) {
    const tr_controller *controller = entry->controller;
    tr_status status = tr_text_check_name("controller name", controller->name, TR_NAME_MAX, error);
    if (!status)
        status = tr_text_check("controller skill", controller->skill, TR_NAME_MAX, error);
    if (!status)
        status = tr_text_check("controller gain_set", controller->gain_set, TR_NAME_MAX, error);
    return status ? status : tr_controller_check(controller, model, error);
}

static tr_fragment_context context_of(const tr_controller_entry *entry, int body_count) {
    return (tr_fragment_context){.model_id = entry->model_id,
                                 .body_count = body_count,
                                 .step_s = entry->controller->step_s,
                                 .action = entry->controller->action};
}

static tr_status insert_row(tr_catalogue *catalogue, const tr_controller_entry *entry,
                            const tr_digest *digest, const tr_blob *spawn, tr_row_id *out_id,
                            tr_error *error) {
    const tr_controller *controller = entry->controller;
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO controller (name, digest, skill, model, run, clip, gain_set, step_s, cyclic, "
        "mirrored, duration_s, spawn_state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        error);
    tr_query_bind_text(&query, controller->name);
    tr_query_bind_digest(&query, digest);
    tr_query_bind_text(&query, controller->skill);
    tr_query_bind_int(&query, entry->model_id);
    tr_query_bind_id(&query, entry->run_id);
    tr_query_bind_id(&query, entry->clip_id);
    tr_query_bind_text(&query, controller->gain_set);
    tr_query_bind_double(&query, controller->step_s);
    tr_query_bind_int(&query, controller->cyclic);
    tr_query_bind_int(&query, controller->mirrored);
    tr_query_bind_double(&query, tr_controller_duration_s(controller));
    tr_query_bind_blob(&query, spawn->data, spawn->size);
    tr_query_run(&query);
    *out_id = sqlite3_last_insert_rowid(catalogue->db);
    return tr_query_end(&query);
}

static tr_status insert_order(tr_catalogue *catalogue, tr_row_id id, const tr_row_id *fragments,
                              int count, tr_error *error) {
    tr_query query = tr_query_begin(
        catalogue,
        "INSERT INTO controller_fragment (controller, position, fragment) VALUES (?, ?, ?)", error);
    for (int f = 0; f < count; f++) {
        tr_query_bind_int(&query, id);
        tr_query_bind_int(&query, f);
        tr_query_bind_int(&query, fragments[f]);
        tr_query_run(&query);
    }
    return tr_query_end(&query);
}

/* Within a bracket: fragments first, because the digest needs theirs. */
static tr_status put_rows(tr_catalogue *catalogue, const tr_controller_entry *entry,
                          const tr_model *model, tr_row_id *out_id, tr_error *error) {
    const tr_controller *controller = entry->controller;
    tr_fragment_context context = context_of(entry, model->body_count);
    tr_row_id fragments[TR_CONTROLLER_FRAGMENT_MAX] = {0};
    tr_blob spawn = {0};
    tr_digest digest;
    tr_status status = tr_encoding_put_state(&controller->spawn, model->body_count, &spawn, error);
    for (int f = 0; !status && f < controller->fragment_count; f++)
        status =
            tr_fragments_put(catalogue, &context, &controller->fragment[f], &fragments[f], error);
    if (!status)
        status = digest_controller(catalogue, entry, fragments, &spawn, &digest, error);
    if (!status)
        status =
            tr_rows_claim(catalogue, TR_NOUN_CONTROLLER, controller->name, &digest, out_id, error);
    if (!status && !*out_id) {
        status = insert_row(catalogue, entry, &digest, &spawn, out_id, error);
        if (!status)
            status = insert_order(catalogue, *out_id, fragments, controller->fragment_count, error);
    }
    tr_blob_deinit(&spawn);
    return status;
}

tr_status tr_controllers_put(tr_catalogue *catalogue, const tr_controller_entry *entry,
                             tr_row_id *out_id, tr_error *error) {
    tr_model *model = NULL;
    tr_row_id id = 0;
    bool outermost = false;
    tr_status status = tr_models_load(catalogue, entry->model_id, &model, error);
    if (status)
        return status;
    status = check_entry(entry, model, error);
    if (!status)
        status = tr_database_enter(catalogue, &outermost, error);
    if (!status) {
        status = put_rows(catalogue, entry, model, &id, error);
        status = tr_database_leave(catalogue, outermost, status, error);
    }
    tr_model_destroy(model);
    if (!status)
        *out_id = id;
    return status;
}

/* --- get, list --- */

static void read_row(tr_query *query, tr_controller_row *out) {
    out->id = tr_query_id(query);
    tr_query_text(query, out->name, sizeof out->name);
    out->digest = tr_query_digest(query);
    tr_query_text(query, out->skill, sizeof out->skill);
    tr_query_text(query, out->gain_set, sizeof out->gain_set);
    out->step_s = tr_query_double(query);
    out->cyclic = tr_query_bool(query);
    out->mirrored = tr_query_bool(query);
    out->duration_s = tr_query_double(query);
    out->model_id = tr_query_id(query);
    tr_query_text(query, out->model_name, sizeof out->model_name);
    out->run_id = tr_query_id(query);
    tr_query_text(query, out->run_name, sizeof out->run_name);
    out->clip_id = tr_query_id(query);
    tr_query_text(query, out->clip_name, sizeof out->clip_name);
    out->fragment_count = tr_query_int(query, 1, TR_CONTROLLER_FRAGMENT_MAX);
}

tr_status tr_controllers_get(tr_catalogue *catalogue, tr_row_id id, tr_controller_row *out,
                             tr_error *error) {
    tr_controller_row row = {0};
    tr_query query = tr_query_begin(catalogue, CONTROLLER_SELECT "WHERE c.id = ?", error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    if (found)
        read_row(&query, &row);
    tr_status status = tr_rows_end(&query, TR_NOUN_CONTROLLER, id, found);
    if (!status)
        *out = row;
    return status;
}

tr_status tr_controllers_find(tr_catalogue *catalogue, const char *name, tr_controller_row *out,
                              tr_error *error) {
    tr_row_id id = 0;
    tr_status status = tr_rows_find(catalogue, TR_NOUN_CONTROLLER, name, &id, error);
    return status ? status : tr_controllers_get(catalogue, id, out, error);
}

tr_status tr_controllers_list(tr_catalogue *catalogue, const tr_controller_filter *filter,
                              tr_controller_row *out_rows, int *count, tr_error *error) {
    tr_controller_filter all = {0};
    if (!filter)
        filter = &all;
    tr_status status = tr_rows_check_room(*count, TR_PAGE_MAX, error);
    if (status)
        return status;
    tr_query query = tr_query_begin(
        catalogue,
        CONTROLLER_SELECT "WHERE (?1 IS NULL OR c.name > ?1) "
                          "AND (?2 IS NULL OR substr(c.name, 1, length(?2)) = ?2) "
                          "AND (?3 IS NULL OR c.skill = ?3) AND (?4 IS NULL OR c.model = ?4) "
                          "AND (?5 IS NULL OR c.run = ?5) AND (?6 IS NULL OR c.clip = ?6) "
                          "ORDER BY c.name LIMIT ?7",
        error);
    tr_query_bind_text(&query, filter->after);
    tr_query_bind_text(&query, filter->prefix);
    tr_query_bind_text(&query, filter->skill);
    tr_query_bind_id(&query, filter->model);
    tr_query_bind_id(&query, filter->run);
    tr_query_bind_id(&query, filter->clip);
    tr_query_bind_int(&query, *count);
    int rows = 0;
    while (tr_query_next(&query))
        read_row(&query, &out_rows[rows++]);
    status = tr_query_end(&query);
    if (!status)
        *count = rows;
    return status;
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
    tr_query query = tr_query_begin(
        catalogue,
        "SELECT f.id, p.position, f.steps, f.digest FROM controller_fragment p "
        "JOIN fragment f ON f.id = p.fragment WHERE p.controller = ? ORDER BY p.position LIMIT ?",
        error);
    tr_query_bind_int(&query, id);
    tr_query_bind_int(&query, row.fragment_count);
    int rows = 0;
    while (tr_query_next(&query)) {
        tr_fragment_row *fragment = &out_rows[rows++];
        fragment->id = tr_query_id(&query);
        fragment->position = tr_query_int(&query, 0, TR_CONTROLLER_FRAGMENT_MAX - 1);
        fragment->steps = tr_query_int(&query, 1, TR_FRAGMENT_STEPS_MAX);
        fragment->duration_s = fragment->steps * row.step_s;
        fragment->digest = tr_query_digest(&query);
    }
    status = tr_query_end(&query);
    if (!status)
        *count = rows;
    return status;
}

/* --- load --- */

static bool same_action(const tr_action_map *a, const tr_action_map *b) {
    return a->joint_count == b->joint_count && a->size == b->size &&
           memcmp(a->body, b->body, (size_t)a->joint_count * sizeof *a->body) == 0;
}

/* An empty controller with room for the fragments of the row. */
static tr_status create_room(const tr_controller_row *row, const tr_fragment_row *fragments,
                             const tr_model *model, tr_controller **out, tr_error *error) {
    int steps = 1;
    for (int f = 0; f < row->fragment_count; f++) {
        if (fragments[f].position != f)
            return tr_fail(error, TR_DATA_LOSS, "controller '%s': fragment %d: missing", row->name,
                           f);
        steps = fragments[f].steps > steps ? fragments[f].steps : steps;
    }
    tr_status status = tr_controller_create(row->fragment_count, steps, model->body_count, out);
    if (status)
        return tr_fail(error, status, "controller '%s': no memory", row->name);
    tr_controller *controller = *out;
    memcpy(controller->name, row->name, sizeof controller->name);
    memcpy(controller->skill, row->skill, sizeof controller->skill);
    memcpy(controller->model_name, row->model_name, sizeof controller->model_name);
    memcpy(controller->gain_set, row->gain_set, sizeof controller->gain_set);
    controller->model_hash = model->hash;
    controller->step_s = row->step_s;
    controller->cyclic = row->cyclic;
    controller->mirrored = row->mirrored;
    return TR_OK;
}

/* The spawn state; its blob goes into the digest too. */
static tr_status read_spawn(tr_catalogue *catalogue, tr_controller *controller, tr_row_id id,
                            int body_count, tr_blob *out_spawn, tr_error *error) {
    tr_query query =
        tr_query_begin(catalogue, "SELECT spawn_state FROM controller WHERE id = ?", error);
    tr_query_bind_int(&query, id);
    if (tr_query_next(&query)) {
        tr_blob_view blob = tr_query_blob(&query);
        if (query.status == TR_OK)
            query.status = tr_encoding_get_state(blob, body_count, &controller->spawn, error);
        if (query.status == TR_OK)
            query.status = tr_encoding_put_state(&controller->spawn, body_count, out_spawn, error);
    }
    return tr_query_end(&query);
}

static tr_status read_fragments(tr_catalogue *catalogue, const tr_controller_row *row,
                                const tr_fragment_row *fragments, int body_count,
                                tr_controller *controller, tr_error *error) {
    tr_controller_entry entry = {controller, row->model_id, row->run_id, row->clip_id};
    tr_fragment_context context = context_of(&entry, body_count);
    for (int f = 0; f < row->fragment_count; f++) {
        tr_action_map action;
        tr_status status = tr_fragments_get(catalogue, &context, fragments[f].id,
                                            &controller->fragment[f], &action, error);
        if (status)
            return status;
        if (f == 0)
            controller->action = action;
        else if (!same_action(&action, &controller->action))
            return tr_fail(error, TR_DATA_LOSS,
                           "controller '%s': fragment %d: of another action map", row->name, f);
    }
    return TR_OK;
}

/* Does the whole match its digest, and fit its model? */
static tr_status verify(tr_catalogue *catalogue, const tr_controller_row *row,
                        const tr_controller_entry *entry, const tr_model *model,
                        const tr_fragment_row *fragments, const tr_blob *spawn, tr_error *error) {
    tr_row_id ids[TR_CONTROLLER_FRAGMENT_MAX] = {0};
    for (int f = 0; f < row->fragment_count; f++)
        ids[f] = fragments[f].id;
    tr_digest content;
    tr_status status = digest_controller(catalogue, entry, ids, spawn, &content, error);
    if (!status)
        status = tr_rows_compare(TR_NOUN_CONTROLLER, row->name, &row->digest, &content, error);
    if (!status)
        status = check_entry(entry, model, error);
    if (!status && tr_controller_duration_s(entry->controller) != row->duration_s)
        status = tr_fail(error, TR_DATA_LOSS, "controller '%s': duration_s: expected %.17g",
                         row->name, tr_controller_duration_s(entry->controller));
    return status;
}

static tr_status load_row(tr_catalogue *catalogue, const tr_controller_row *row,
                          const tr_model *model, tr_controller **out, tr_error *error) {
    tr_fragment_row fragments[TR_CONTROLLER_FRAGMENT_MAX] = {{0}};
    int count = TR_CONTROLLER_FRAGMENT_MAX;
    tr_controller *controller = NULL;
    tr_blob spawn = {0};
    tr_status status = tr_controllers_fragments(catalogue, row->id, fragments, &count, error);
    if (!status && count != row->fragment_count)
        status = tr_fail(error, TR_DATA_LOSS, "controller '%s': a fragment is missing", row->name);
    if (!status)
        status = create_room(row, fragments, model, &controller, error);
    if (!status)
        status = read_spawn(catalogue, controller, row->id, model->body_count, &spawn, error);
    if (!status)
        status = read_fragments(catalogue, row, fragments, model->body_count, controller, error);
    tr_controller_entry entry = {controller, row->model_id, row->run_id, row->clip_id};
    if (!status)
        status = verify(catalogue, row, &entry, model, fragments, &spawn, error);
    tr_blob_deinit(&spawn);
    if (status)
        tr_controller_destroy(controller);
    else
        *out = controller;
    return status;
}

tr_status tr_controllers_load(tr_catalogue *catalogue, tr_row_id id, const tr_model *model,
                              tr_controller **out, tr_error *error) {
    tr_controller_row row;
    tr_model *own = NULL;
    tr_status status = tr_controllers_get(catalogue, id, &row, error);
    if (!status)
        status = tr_models_load(catalogue, row.model_id, &own, error);
    if (status)
        return status;
    if (own->hash != model->hash)
        status = tr_fail(error, TR_INVALID_ARGUMENT,
                         "controller '%s': model: expected '%s' of the catalogue", row.name,
                         row.model_name);
    tr_model_destroy(own);
    return status ? status : load_row(catalogue, &row, model, out, error);
}

/* --- remove --- */

tr_status tr_controllers_remove(tr_catalogue *catalogue, tr_row_id id, tr_error *error) {
    bool outermost = false;
    tr_status status = tr_database_enter(catalogue, &outermost, error);
    if (status)
        return status;
    status = tr_rows_remove(catalogue, TR_NOUN_CONTROLLER, id, error);
    if (!status)
        status = tr_fragments_sweep(catalogue, error);
    return tr_database_leave(catalogue, outermost, status, error);
}

/* --- verification --- */

/* Rows come in order of their models, each of which is parsed once. */
tr_status tr_controllers_verify(tr_catalogue *catalogue, tr_error *error) {
    tr_model *model = NULL;
    tr_row_id model_id = 0;
    tr_query query = tr_query_begin(catalogue, CONTROLLER_SELECT "ORDER BY c.model, c.id", error);
    while (tr_query_next(&query)) {
        tr_controller_row row = {0};
        tr_controller *controller = NULL;
        read_row(&query, &row);
        if (query.status == TR_OK && (!model || row.model_id != model_id)) {
            tr_model_destroy(model);
            model = NULL;
            model_id = row.model_id;
            query.status = tr_models_load(catalogue, model_id, &model, error);
        }
        if (query.status == TR_OK)
            query.status = load_row(catalogue, &row, model, &controller, error);
        tr_controller_destroy(controller);
    }
    tr_model_destroy(model);
    return tr_query_end(&query);
}
