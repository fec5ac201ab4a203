/* Queries of controllers and of what they go back to. */
#include "server/catalogue/inquiry.h"

#include "db/tables/clips.h"
#include "db/tables/controllers.h"
#include "db/tables/lineage.h"
#include "db/tables/models.h"
#include "db/tables/runs.h"
#include "model/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Troupe__ControllerSummary *summary(tr_inquiry *inquiry, const tr_controller_row *row) {
    Troupe__ControllerSummary *out = tr_inquiry_take(inquiry, sizeof *out);
    if (out == NULL)
        return NULL;
    troupe__controller_summary__init(out);
    out->name = tr_inquiry_text(inquiry, row->name);
    out->skill = tr_inquiry_text(inquiry, row->skill);
    out->model = tr_inquiry_text(inquiry, row->model_name);
    out->digest = tr_inquiry_digest(inquiry, &row->digest);
    out->cyclic = row->cyclic;
    out->mirrored = row->mirrored;
    out->fragment_count = (uint32_t)row->fragment_count;
    out->duration_s = row->duration_s;
    out->step_s = row->step_s;
    out->gain_set = tr_inquiry_text(inquiry, row->gain_set);
    out->run = tr_inquiry_text(inquiry, row->run_name);
    out->clip = tr_inquiry_text(inquiry, row->clip_name);
    out->kind = tr_inquiry_text(inquiry, row->kind);
    return out;
}

static tr_status fill_list(tr_inquiry *inquiry, const tr_inquiry_page *page,
                           const tr_controller_row *rows, int count) {
    int shown = tr_inquiry_shown(page, count);
    Troupe__ControllerList *list = tr_inquiry_take(inquiry, sizeof *list);
    Troupe__ControllerSummary **all = tr_inquiry_take(inquiry, (size_t)shown * sizeof(void *) + 1);
    if (list == NULL || all == NULL)
        return TR_RESOURCE_EXHAUSTED;
    troupe__controller_list__init(list);
    list->controllers = all;
    for (int i = 0; i < shown; i++)
        if ((all[list->n_controllers] = summary(inquiry, &rows[i])) != NULL)
            list->n_controllers++;
    list->next_page_token =
        tr_inquiry_token(inquiry, page, count, shown > 0 ? rows[shown - 1].name : "");
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_CONTROLLER_LIST;
    inquiry->response->controller_list = list;
    return TR_OK;
}

tr_status tr_inquiry_list_controllers(tr_inquiry *inquiry) {
    const Troupe__ListControllers *m = inquiry->request->list_controllers;
    tr_inquiry_page page;
    tr_status status = tr_inquiry_read_page(inquiry, m->page, &page);
    tr_controller_filter filter = {.after = page.after,
                                   .prefix = tr_inquiry_filter(m->prefix),
                                   .skill = tr_inquiry_filter(m->skill)};
    if (status == TR_OK && m->model[0] != '\0') {
        tr_model_row model;
        status = tr_models_find(inquiry->catalogue, m->model, &model, inquiry->error);
        filter.model = model.id;
    }
    if (status != TR_OK)
        return status;
    tr_controller_row *rows = tr_inquiry_take(inquiry, (size_t)page.fetch * sizeof *rows);
    int count = page.fetch;
    if (rows == NULL)
        return TR_RESOURCE_EXHAUSTED;
    status = tr_controllers_list(inquiry->catalogue, &filter, rows, &count, inquiry->error);
    return status == TR_OK ? fill_list(inquiry, &page, rows, count) : status;
}

/* --- one controller --- */

static double norm(const double *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sqrt(sum);
}

static Troupe__FragmentSummary *fragment(tr_inquiry *inquiry, const tr_fragment *from,
                                         const tr_fragment_row *row) {
    Troupe__FragmentSummary *out = tr_inquiry_take(inquiry, sizeof *out);
    if (out == NULL)
        return NULL;
    troupe__fragment_summary__init(out);
    out->steps = (uint32_t)row->steps;
    out->duration_s = row->duration_s;
    out->digest = tr_inquiry_digest(inquiry, &row->digest);
    out->feedback_norm = norm(from->policy.m[0], TR_ACTION_MAX * TR_FEATURE_COUNT);
    out->offset_norm_rad = norm(from->policy.offset, TR_ACTION_MAX);
    out->sigma_norm_rad = norm(from->policy.sigma, TR_ACTION_MAX);
    out->start_height_m = from->start.pose.root_pos.z;
    out->start_speed_m_s = hypot(from->start.root_vel.x, from->start.root_vel.y);
    return out;
}

static tr_status fill_fragments(tr_inquiry *inquiry, const tr_bank *bank, tr_row_id id,
                                Troupe__ControllerDetail *out) {
    int count = bank->fragment_count;
    tr_fragment_row *rows = tr_inquiry_take(inquiry, (size_t)count * sizeof *rows);
    out->fragments = tr_inquiry_take(inquiry, (size_t)count * sizeof(void *) + 1);
    if (rows == NULL || out->fragments == NULL)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status =
        tr_controllers_fragments(inquiry->catalogue, id, rows, &count, inquiry->error);
    for (int i = 0; i < count && status == TR_OK; i++)
        if ((out->fragments[i] = fragment(inquiry, &bank->fragment[i], &rows[i])) != NULL)
            out->n_fragments++;
    return status;
}

static tr_status fill_action(tr_inquiry *inquiry, const tr_action_map *action,
                             const tr_model *model, Troupe__ControllerDetail *out) {
    out->action_size = (uint32_t)action->size;
    out->action_joints = tr_inquiry_take(inquiry, (size_t)action->joint_count * sizeof(char *) + 1);
    if (out->action_joints == NULL)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < action->joint_count; i++)
        out->action_joints[out->n_action_joints++] =
            tr_inquiry_text(inquiry, model->body[action->body[i]].name);
    return TR_OK;
}

static void fill_skill(tr_inquiry *inquiry, const tr_driver_skill *from, const char *otherwise,
                       Troupe__Skill *out) {
    troupe__skill__init(out);
    out->name = tr_inquiry_text(inquiry, from->name[0] != '\0' ? from->name : otherwise);
    out->first_fragment = (uint32_t)from->first;
    out->fragment_count = (uint32_t)from->count;
    out->cyclic = from->cyclic;
    out->mirrored = from->mirrored;
    out->turn_rad = from->turn_rad;
    out->speed_m_s = from->speed_mps;
    out->turn_rad_s = from->turn_rad_s;
    out->faster_m_s = from->faster_mps;
    out->slower_m_s = from->slower_mps;
}

static tr_status fill_skills(tr_inquiry *inquiry, const tr_driver_sheet *sheet,
                             const char *otherwise, Troupe__ControllerDetail *out) {
    size_t skills = (size_t)sheet->skill_count, edges = (size_t)sheet->edge_count;
    Troupe__Skill *skill = tr_inquiry_take(inquiry, skills * sizeof *skill + 1);
    Troupe__SkillEdge *edge = tr_inquiry_take(inquiry, edges * sizeof *edge + 1);
    out->skills = tr_inquiry_take(inquiry, skills * sizeof(void *) + 1);
    out->edges = tr_inquiry_take(inquiry, edges * sizeof(void *) + 1);
    if (skill == NULL || edge == NULL || out->skills == NULL || out->edges == NULL)
        return TR_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < skills; i++) {
        fill_skill(inquiry, &sheet->skill[i], otherwise, &skill[i]);
        out->skills[out->n_skills++] = &skill[i];
    }
    for (size_t i = 0; i < edges; i++) {
        troupe__skill_edge__init(&edge[i]);
        edge[i].from_fragment = (uint32_t)sheet->edge[i].from;
        edge[i].to_fragment = (uint32_t)sheet->edge[i].to;
        edge[i].flips = sheet->edge[i].flips;
        out->edges[out->n_edges++] = &edge[i];
    }
    return TR_OK;
}

static tr_status fill_parameters(tr_inquiry *inquiry, const tr_driver_sheet *sheet,
                                 Troupe__ControllerDetail *out) {
    size_t count = (size_t)sheet->parameter_count;
    Troupe__ControllerParameter *parameter =
        tr_inquiry_take(inquiry, count * sizeof *parameter + 1);
    out->parameters = tr_inquiry_take(inquiry, count * sizeof(void *) + 1);
    if (parameter == NULL || out->parameters == NULL)
        return TR_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < count; i++) {
        const tr_driver_parameter *from = &sheet->parameter[i];
        troupe__controller_parameter__init(&parameter[i]);
        parameter[i].name = tr_inquiry_text(inquiry, from->name);
        parameter[i].unit = tr_inquiry_text(inquiry, from->unit);
        parameter[i].meaning = tr_inquiry_text(inquiry, from->meaning);
        parameter[i].low = from->low;
        parameter[i].high = from->high;
        parameter[i].initial = from->initial;
        parameter[i].count = (uint32_t)from->count;
        out->parameters[out->n_parameters++] = &parameter[i];
    }
    return TR_OK;
}

static tr_status fill_detail(tr_inquiry *inquiry, const tr_controller_row *row,
                             const tr_controller *controller, const tr_model *model,
                             Troupe__ControllerDetail *out) {
    const tr_bank *bank = tr_controller_bank(controller);
    tr_driver_sheet sheet;
    tr_status status = tr_driver_describe(controller->driver, controller->step_s, &sheet);
    if (status != TR_OK)
        return status;
    troupe__controller_detail__init(out);
    out->summary = summary(inquiry, row);
    out->hash = tr_controller_hash(controller, model);
    out->entry_count = (uint32_t)sheet.outline.entry_count;
    for (int i = 0; i < sheet.skill_count; i++)
        out->recovers |= sheet.skill[i].rises;
    status = fill_skills(inquiry, &sheet, row->skill, out);
    if (status == TR_OK)
        status = fill_parameters(inquiry, &sheet, out);
    if (status == TR_OK && bank != NULL)
        status = fill_action(inquiry, &bank->action, model, out);
    if (status == TR_OK && bank != NULL)
        status = fill_fragments(inquiry, bank, row->id, out);
    tr_driver_sheet_deinit(&sheet);
    return status;
}

tr_status tr_inquiry_get_controller(tr_inquiry *inquiry) {
    tr_controller_row row;
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    tr_status status = tr_controllers_find(
        inquiry->catalogue, inquiry->request->get_controller->name, &row, inquiry->error);
    if (status == TR_OK)
        status = tr_models_load(inquiry->catalogue, row.model_id, &model, inquiry->error);
    if (status == TR_OK)
        status =
            tr_controllers_load(inquiry->catalogue, row.id, model, &controller, inquiry->error);
    Troupe__ControllerDetail *detail = tr_inquiry_take(inquiry, sizeof *detail);
    if (status == TR_OK && detail != NULL) {
        status = fill_detail(inquiry, &row, controller, model, detail);
        inquiry->response->result_case = TROUPE__RESPONSE__RESULT_CONTROLLER;
        inquiry->response->controller = detail;
    }
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return status;
}

/* --- lineage --- */

/* What one line says of a node. */
static tr_status detail_of(tr_inquiry *inquiry, const tr_lineage_node *node, char *out,
                           size_t size) {
    tr_catalogue *catalogue = inquiry->catalogue;
    tr_status status = TR_OK;
    char digest[TR_DIGEST_TEXT_MAX];
    if (node->kind == TR_LINEAGE_CLIP) {
        tr_clip_row clip;
        status = tr_clips_get(catalogue, node->id, &clip, inquiry->error);
        if (status == TR_OK)
            snprintf(out, size, "%s; %s", clip.source, clip.licence);
    } else if (node->kind == TR_LINEAGE_RUN) {
        tr_run_row run;
        status = tr_runs_get(catalogue, node->id, &run, inquiry->error);
        if (status == TR_OK)
            snprintf(out, size, "%s", run.command);
    } else if (node->kind == TR_LINEAGE_MODEL) {
        tr_model_row model;
        status = tr_models_get(catalogue, node->id, &model, inquiry->error);
        if (status == TR_OK)
            tr_digest_format(&model.digest, digest), snprintf(out, size, "%s", digest);
    } else {
        tr_controller_row controller;
        status = tr_controllers_get(catalogue, node->id, &controller, inquiry->error);
        if (status == TR_OK)
            tr_digest_format(&controller.digest, digest), snprintf(out, size, "%s", digest);
    }
    return status;
}

static tr_status node(tr_inquiry *inquiry, const tr_lineage_node *from, Troupe__LineageNode *out) {
    static const Troupe__NounKind kind[] = {
        [TR_LINEAGE_CONTROLLER] = TROUPE__NOUN_KIND__NOUN_KIND_CONTROLLER,
        [TR_LINEAGE_MODEL] = TROUPE__NOUN_KIND__NOUN_KIND_MODEL,
        [TR_LINEAGE_CLIP] = TROUPE__NOUN_KIND__NOUN_KIND_CLIP,
        [TR_LINEAGE_RUN] = TROUPE__NOUN_KIND__NOUN_KIND_RUN,
    };
    char detail[TR_RUN_COMMAND_MAX] = "";
    tr_status status = detail_of(inquiry, from, detail, sizeof detail);
    troupe__lineage_node__init(out);
    out->kind = kind[from->kind];
    out->name = tr_inquiry_text(inquiry, from->name);
    out->depth = (uint32_t)from->depth;
    out->detail = tr_inquiry_text(inquiry, detail);
    return status;
}

static tr_status find_start(tr_inquiry *inquiry, tr_lineage_kind *out_kind, tr_row_id *out_id) {
    const Troupe__GetLineage *m = inquiry->request->get_lineage;
    tr_status status = TR_OK;
    if (m->kind == TROUPE__NOUN_KIND__NOUN_KIND_CONTROLLER) {
        tr_controller_row row;
        status = tr_controllers_find(inquiry->catalogue, m->name, &row, inquiry->error);
        *out_kind = TR_LINEAGE_CONTROLLER;
        *out_id = row.id;
    } else if (m->kind == TROUPE__NOUN_KIND__NOUN_KIND_RUN) {
        tr_run_row row;
        status = tr_runs_find(inquiry->catalogue, m->name, &row, inquiry->error);
        *out_kind = TR_LINEAGE_RUN;
        *out_id = row.id;
    } else {
        status = tr_fail(inquiry->error, TR_INVALID_ARGUMENT, "kind: expected controller or run");
    }
    return status;
}

tr_status tr_inquiry_get_lineage(tr_inquiry *inquiry) {
    tr_lineage_kind kind = TR_LINEAGE_CONTROLLER;
    tr_row_id id = 0;
    tr_lineage *trace = tr_inquiry_take(inquiry, sizeof *trace);
    Troupe__Lineage *out = tr_inquiry_take(inquiry, sizeof *out);
    if (trace == NULL || out == NULL)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = find_start(inquiry, &kind, &id);
    if (status == TR_OK)
        status = tr_lineage_trace(inquiry->catalogue, kind, id, trace, inquiry->error);
    if (status != TR_OK)
        return status;
    troupe__lineage__init(out);
    Troupe__LineageNode *nodes = tr_inquiry_take(inquiry, (size_t)trace->count * sizeof *nodes);
    out->nodes = tr_inquiry_take(inquiry, (size_t)trace->count * sizeof(void *));
    if (nodes == NULL || out->nodes == NULL)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < trace->count && status == TR_OK; i++) {
        status = node(inquiry, &trace->node[i], &nodes[i]);
        out->nodes[out->n_nodes++] = &nodes[i];
    }
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_LINEAGE;
    inquiry->response->lineage = out;
    return status;
}
