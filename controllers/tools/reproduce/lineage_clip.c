#include "tools/reproduce/lineage_clip.h"

#include "db/tables/controllers.h"
#include "db/tables/lineage.h"

#include <limits.h>
#include <string.h>

/* Number of runs between a controller and an earlier run; -1: it does not derive from that run. */
static tr_status count_steps(tr_catalogue *catalogue, const tr_controller_row *row,
                             const tr_run_row *run, int *out, tr_error *error) {
    tr_lineage lineage;
    tr_status status = tr_lineage_trace(catalogue, TR_NOUN_RUN, row->run_id, &lineage, error);
    *out = -1;
    for (int i = 0; !status && i < lineage.count; i++)
        if (lineage.node[i].id == run->id)
            *out = lineage.node[i].depth;
    return status;
}

tr_status tr_lineage_find_clip(tr_catalogue *catalogue, const tr_run_row *run, tr_row_id model,
                               tr_row_id *out_clip, tr_error *error) {
    char after[TR_NAME_MAX] = "";
    tr_controller_filter filter = {.after = after, .model = model};
    tr_controller_row row;
    int count = 1, nearest = INT_MAX;
    tr_status status = tr_controllers_list(catalogue, &filter, &row, &count, error);
    while (!status && count == 1) {
        int steps = -1;
        if (row.run_id && row.clip_id)
            status = count_steps(catalogue, &row, run, &steps, error);
        if (!status && steps >= 0 && steps < nearest) {
            nearest = steps;
            *out_clip = row.clip_id;
        }
        memcpy(after, row.name, sizeof after);
        if (!status)
            status = tr_controllers_list(catalogue, &filter, &row, &count, error);
    }
    if (status || nearest < INT_MAX)
        return status;
    return tr_fail(error, TR_NOT_FOUND,
                   "run '%s': no controller of it, or of a training that continued it, names the "
                   "clip that it learned from",
                   run->name);
}
