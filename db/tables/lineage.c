#include "db/tables/lineage.h"

#include "db/store/rows.h"

/* Parents have lower ids than their children (run_parent's check), so the walk ends. UNION with the
 * depth keeps one row per run and depth, and the outer query keeps the shortest. */
static const char ancestors_sql[] =
    "WITH RECURSIVE ancestor (id, depth) AS ("
    "  SELECT ?1, ?2 UNION"
    "  SELECT p.parent, a.depth + 1 FROM run_parent p JOIN ancestor a ON p.run = a.id"
    "  LIMIT 65536"
    ") SELECT a.id, r.name, min(a.depth) AS nearest FROM ancestor a JOIN run r ON r.id = a.id "
    "GROUP BY a.id ORDER BY nearest, a.id";

static const char controller_sql[] =
    "SELECT c.name, c.model, m.name, c.clip, k.name, c.run FROM controller c "
    "JOIN model m ON m.id = c.model LEFT JOIN clip k ON k.id = c.clip WHERE c.id = ?";

static tr_lineage_node *append(tr_lineage *lineage, tr_noun kind, int depth) {
    tr_lineage_node *node = &lineage->node[lineage->count++];
    *node = (tr_lineage_node){.kind = kind, .depth = depth};
    return node;
}

static tr_status trace_runs(tr_catalogue *catalogue, tr_row_id run, int depth, tr_lineage *lineage,
                            tr_error *error) {
    tr_query query = tr_query_begin(catalogue, ancestors_sql, error);
    tr_query_bind_int(&query, run);
    tr_query_bind_int(&query, depth);
    bool found = false;
    while (tr_query_next(&query)) {
        found = true;
        if (lineage->count == TR_LINEAGE_MAX) {
            tr_query_fail(&query, TR_RESOURCE_EXHAUSTED, "lineage: too long");
            break;
        }
        tr_lineage_node *node = append(lineage, TR_NOUN_RUN, 0);
        node->id = tr_query_id(&query);
        tr_query_text(&query, node->name, sizeof node->name);
        node->depth = (int)tr_query_int64(&query);
    }
    return tr_rows_end(&query, TR_NOUN_RUN, run, found);
}

/* Adds the controller itself, its model and its clip. *out_run: 0: no run recorded. */
static tr_status trace_controller(tr_catalogue *catalogue, tr_row_id id, tr_lineage *lineage,
                                  tr_row_id *out_run, tr_error *error) {
    tr_query query = tr_query_begin(catalogue, controller_sql, error);
    tr_query_bind_int(&query, id);
    bool found = tr_query_next(&query);
    *out_run = 0;
    if (found) {
        tr_lineage_node *controller = append(lineage, TR_NOUN_CONTROLLER, 0);
        controller->id = id;
        tr_query_text(&query, controller->name, sizeof controller->name);
        tr_lineage_node *model = append(lineage, TR_NOUN_MODEL, 1);
        model->id = tr_query_id(&query);
        tr_query_text(&query, model->name, sizeof model->name);
        tr_lineage_node *clip = append(lineage, TR_NOUN_CLIP, 1);
        clip->id = tr_query_id(&query);
        tr_query_text(&query, clip->name, sizeof clip->name);
        if (!clip->id)
            lineage->count--;
        *out_run = tr_query_id(&query);
    }
    return tr_rows_end(&query, TR_NOUN_CONTROLLER, id, found);
}

tr_status tr_lineage_trace(tr_catalogue *catalogue, tr_noun kind, tr_row_id id, tr_lineage *out,
                           tr_error *error) {
    tr_lineage lineage = {0};
    tr_row_id run = id;
    tr_status status = TR_OK;
    if (kind == TR_NOUN_CONTROLLER)
        status = trace_controller(catalogue, id, &lineage, &run, error);
    else if (kind != TR_NOUN_RUN)
        status = tr_fail(error, TR_INVALID_ARGUMENT, "lineage: expected a controller or a run");
    if (!status && run)
        status = trace_runs(catalogue, run, kind == TR_NOUN_RUN ? 0 : 1, &lineage, error);
    if (!status)
        *out = lineage;
    return status;
}
