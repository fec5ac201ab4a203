#include "tools/reproduce/derivation.h"

#include "db/tables/models.h"
#include "learn/graph/graph_bank.h"
#include "model/mjcf.h"

#include <stdio.h>
#include <stdlib.h>

/* One controller of the run, and the digest sought among the skills derived from it. */
typedef struct search {
    tr_catalogue *catalogue;
    const tr_controller_row *of;
    const tr_listed_part *part;
    tr_model *model;
    tr_controller *controller;
    bool found;
    tr_error *error;
} search;

/* Keeps the skill if it is the one sought. Its row is named after the digest, a name that no other
 * row has. */
static tr_status try_skill(search *s, tr_controller *skill, tr_row_id clip) {
    tr_controller_entry entry = {skill, s->of->model_id, s->of->run_id, clip};
    tr_controller_row row;
    tr_row_id id = 0;
    char digest[TR_DIGEST_TEXT_MAX];
    tr_digest_format(&s->part->digest, digest);
    snprintf(skill->name, sizeof skill->name, "%.*s", TR_NAME_MAX - 1, digest);
    snprintf(skill->skill, sizeof skill->skill, "%s", s->part->name);
    tr_status status = tr_catalogue_begin(s->catalogue, s->error);
    if (status)
        return status;
    status = tr_controllers_put(s->catalogue, &entry, &id, s->error);
    if (!status)
        status = tr_controllers_get(s->catalogue, id, &row, s->error);
    s->found = !status && tr_digest_equal(&row.digest, &s->part->digest);
    if (s->found)
        return tr_catalogue_commit(s->catalogue, s->error);
    tr_catalogue_rollback(s->catalogue);
    return status;
}

static tr_status try_image(search *s, const tr_controller *of, tr_row_id clip) {
    tr_controller *image = NULL;
    const tr_bank *bank = tr_controller_bank(of);
    if (!bank || !tr_action_map_is_symmetric(s->model, &bank->action))
        return TR_OK;
    tr_status status = tr_controller_mirror(of, s->model, &image);
    if (status)
        return tr_fail(s->error, status, "mirror: %s", tr_status_text(status));
    status = try_skill(s, image, clip);
    tr_controller_destroy(image);
    return status;
}

static tr_status try_node(search *s, int node) {
    tr_controller *skill = NULL;
    tr_status status = tr_graph_bank_take(s->model, s->controller, node, &skill);
    if (status)
        return tr_fail(s->error, status, "take: %s", tr_status_text(status));
    status = try_skill(s, skill, 0);
    if (!status && !s->found)
        status = try_image(s, skill, 0);
    tr_controller_destroy(skill);
    return status;
}

static tr_status try_all(search *s) {
    const tr_control_graph *graph = tr_graph_of(s->controller);
    tr_status status = try_image(s, s->controller, s->of->clip_id);
    for (int n = 0; !status && !s->found && graph && n < graph->node_count; n++)
        if (graph->node[n].cyclic)
            status = try_node(s, n);
    return status;
}

static tr_status search_controller(search *s) {
    tr_status status = tr_models_load(s->catalogue, s->of->model_id, &s->model, s->error);
    if (!status)
        status = tr_controllers_load(s->catalogue, s->of->id, s->model, &s->controller, s->error);
    if (!status)
        status = try_all(s);
    tr_controller_destroy(s->controller);
    tr_model_destroy(s->model);
    return status;
}

tr_status tr_derivation_find(tr_catalogue *catalogue, tr_row_id run, const tr_listed_part *part,
                             bool *out_found, tr_error *error) {
    tr_controller_filter filter = {.run = run};
    int count = TR_PAGE_MAX;
    tr_controller_row *row = calloc(TR_PAGE_MAX, sizeof *row);
    if (!row)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "no memory for the controllers of a run");
    tr_status status = tr_controllers_list(catalogue, &filter, row, &count, error);
    bool found = false;
    for (int i = 0; !status && !found && i < count; i++) {
        search s = {.catalogue = catalogue, .of = &row[i], .part = part, .error = error};
        status = search_controller(&s);
        found = s.found;
    }
    free(row);
    if (!status)
        *out_found = found;
    return status;
}
