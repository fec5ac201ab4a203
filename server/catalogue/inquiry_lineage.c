/* The query of a lineage: what a controller or a run was made from. */
#include "server/catalogue/inquiry.h"

#include "db/tables/clips.h"
#include "db/tables/controllers.h"
#include "db/tables/lineage.h"
#include "db/tables/models.h"
#include "db/tables/runs.h"

#include <stdio.h>

/* A node with a line about it. */
typedef struct ancestor {
    tr_lineage_node node;
    char detail[TR_RUN_COMMAND_MAX];
} ancestor;

typedef struct lineage {
    int count;
    ancestor *nodes;
} lineage;

static const uint32_t nouns[] = {
    [TR_NOUN_CONTROLLER] = TROUPE__NOUN_KIND__NOUN_KIND_CONTROLLER,
    [TR_NOUN_MODEL] = TROUPE__NOUN_KIND__NOUN_KIND_MODEL,
    [TR_NOUN_CLIP] = TROUPE__NOUN_KIND__NOUN_KIND_CLIP,
    [TR_NOUN_RUN] = TROUPE__NOUN_KIND__NOUN_KIND_RUN,
};

static const tr_mapping ancestor_mapping =
    TR_MAPPING(ancestor, LineageNode, lineage_node, TR_COPY_CHOICE_AS(node.kind, kind, nouns),
               TR_COPY_IN(node, name, depth), TR_COPY(detail));

static const tr_mapping lineage_mapping =
    TR_MAPPING(lineage, Lineage, lineage, TR_COPY_LIST(count, nodes, ancestor_mapping));

static tr_status describe(tr_inquiry *inquiry, ancestor *out) {
    tr_catalogue *catalogue = inquiry->catalogue;
    tr_error *error = inquiry->error;
    char digest[TR_DIGEST_TEXT_MAX];
    if (out->node.kind == TR_NOUN_CLIP) {
        tr_clip_row clip;
        tr_status status = tr_clips_get(catalogue, out->node.id, &clip, error);
        if (!status)
            snprintf(out->detail, sizeof out->detail, "%s; %s", clip.source, clip.licence);
        return status;
    }
    if (out->node.kind == TR_NOUN_RUN) {
        tr_run_row run;
        tr_status status = tr_runs_get(catalogue, out->node.id, &run, error);
        if (!status)
            snprintf(out->detail, sizeof out->detail, "%s", run.command);
        return status;
    }
    tr_model_row model;
    tr_controller_row controller;
    bool is_model = out->node.kind == TR_NOUN_MODEL;
    tr_status status = is_model ? tr_models_get(catalogue, out->node.id, &model, error)
                                : tr_controllers_get(catalogue, out->node.id, &controller, error);
    if (status)
        return status;
    tr_digest_format(is_model ? &model.digest : &controller.digest, digest);
    snprintf(out->detail, sizeof out->detail, "%s", digest);
    return TR_OK;
}

static tr_status find_start(tr_inquiry *inquiry, tr_noun *out_kind, tr_row_id *out_id) {
    const Troupe__GetLineage *m = inquiry->request->get_lineage;
    tr_status status = TR_OK;
    if (m->kind == TROUPE__NOUN_KIND__NOUN_KIND_CONTROLLER) {
        tr_controller_row row;
        status = tr_controllers_resolve(inquiry->catalogue, m->name, &row, inquiry->error);
        *out_kind = TR_NOUN_CONTROLLER;
        *out_id = row.id;
    } else if (m->kind == TROUPE__NOUN_KIND__NOUN_KIND_RUN) {
        tr_run_row row;
        status = tr_runs_find(inquiry->catalogue, m->name, &row, inquiry->error);
        *out_kind = TR_NOUN_RUN;
        *out_id = row.id;
    } else {
        status = tr_fail(inquiry->error, TR_INVALID_ARGUMENT, "kind: expected controller or run");
    }
    return status;
}

tr_status tr_inquiry_get_lineage(tr_inquiry *inquiry) {
    tr_noun kind = TR_NOUN_CONTROLLER;
    tr_row_id id = 0;
    tr_lineage *trace = tr_inquiry_take(inquiry, 1, sizeof *trace);
    tr_status status = trace ? find_start(inquiry, &kind, &id) : TR_RESOURCE_EXHAUSTED;
    if (!status)
        status = tr_lineage_trace(inquiry->catalogue, kind, id, trace, inquiry->error);
    if (status)
        return status;
    lineage out = {trace->count, tr_inquiry_take(inquiry, (size_t)trace->count, sizeof(ancestor))};
    status = out.nodes ? TR_OK : TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < out.count && !status; i++) {
        out.nodes[i].node = trace->node[i];
        status = describe(inquiry, &out.nodes[i]);
    }
    return status ? status
                  : tr_inquiry_answer(inquiry, TROUPE__RESPONSE__RESULT_LINEAGE, &lineage_mapping,
                                      &out);
}
