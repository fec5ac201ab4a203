#include "db/tables/lineage.h"

#include "db/store/rows.h"

#include <limits.h>

_Static_assert(TR_NOUN_MODEL == 0 && TR_NOUN_CLIP == 1 && TR_NOUN_RUN == 2 &&
                   TR_NOUN_CONTROLLER == 3,
               "the numbers of kinds in SQL");

/* ?1: the kind of the start, ?2: its id. Parents have lower ids than their children (run_parent's check), so
 * the walk ends. UNION with the depth keeps one row per run and depth, and the last query keeps the
 * shortest. */
static const char trace_sql[] =
    "WITH RECURSIVE start AS (SELECT * FROM controller WHERE ?1 = 3 AND id = ?2), "
    "ancestor (id, depth) AS ("
    "  SELECT id, 0 FROM run WHERE ?1 = 2 AND id = ?2 UNION SELECT run, 1 FROM start UNION"
    "  SELECT p.parent, a.depth + 1 FROM run_parent p JOIN ancestor a ON p.run = a.id"
    "  LIMIT 65536) "
    "SELECT 3 AS kind, id, name, 0 AS depth FROM start UNION ALL "
    "SELECT 0, m.id, m.name, 1 FROM start JOIN model m ON m.id = start.model UNION ALL "
    "SELECT 1, k.id, k.name, 1 FROM start JOIN clip k ON k.id = start.clip UNION ALL "
    "SELECT 2, r.id, r.name, min(a.depth) FROM ancestor a JOIN run r ON r.id = a.id GROUP BY a.id "
    "ORDER BY depth, kind, id";

tr_status tr_lineage_trace(tr_catalogue *catalogue, tr_noun kind, tr_row_id id, tr_lineage *out,
                           tr_error *error) {
    tr_lineage lineage = {0};
    if (kind != TR_NOUN_CONTROLLER && kind != TR_NOUN_RUN)
        return tr_fail(error, TR_INVALID_ARGUMENT, "lineage: expected a controller or a run");
    tr_query query = tr_query_begin(catalogue, trace_sql, error);
    tr_query_bind_int(&query, kind);
    tr_query_bind_int(&query, id);
    while (tr_query_next(&query)) {
        if (lineage.count == TR_LINEAGE_MAX) {
            tr_query_fail(&query, TR_RESOURCE_EXHAUSTED, "lineage: too long");
            break;
        }
        tr_lineage_node *node = &lineage.node[lineage.count++];
        node->kind = (tr_noun)tr_query_int(&query, 0, TR_NOUN_CONTROLLER);
        node->id = tr_query_id(&query);
        tr_query_text(&query, node->name, sizeof node->name);
        node->depth = tr_query_int(&query, 0, INT_MAX);
    }
    tr_status status = tr_rows_end(&query, kind, id, lineage.count > 0);
    if (!status)
        *out = lineage;
    return status;
}
