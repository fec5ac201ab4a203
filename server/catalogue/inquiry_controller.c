/* Queries of controllers. */
#include "server/catalogue/inquiry.h"

#include "control/driver/skill_words.h"
#include "db/tables/controllers.h"
#include "db/tables/models.h"
#include "model/mjcf.h"

#include <math.h>
#include <string.h>

static const tr_mapping summary_mapping =
    TR_MAPPING(tr_controller_row, ControllerSummary, controller_summary,
               TR_COPY(name, skill, cyclic, mirrored, fragment_count, duration_s, step_s, gain_set,
                       kind, section),
               TR_COPY_AS(summary, purpose), TR_COPY_AS(model_name, model),
               TR_COPY_AS(run_name, run), TR_COPY_AS(clip_name, clip), TR_COPY_HEX(digest));

const tr_mapping tr_inquiry_controllers_mapping =
    TR_INQUIRY_ROWS(ControllerList, controller_list, controllers, summary_mapping);

static tr_status fetch(tr_inquiry *inquiry, const char *after, void *rows, int *count) {
    const Troupe__ListControllers *m = inquiry->request->list_controllers;
    tr_controller_filter filter = {.after = after,
                                   .prefix = tr_inquiry_filter(m->prefix),
                                   .skill = tr_inquiry_filter(m->skill)};
    if (m->model[0]) {
        tr_model_row model;
        tr_status status = tr_models_find(inquiry->catalogue, m->model, &model, inquiry->error);
        if (status)
            return status;
        filter.model = model.id;
    }
    return tr_controllers_list(inquiry->catalogue, &filter, rows, count, inquiry->error);
}

tr_status tr_inquiry_list_controllers(tr_inquiry *inquiry) {
    const tr_inquiry_list list = {TROUPE__RESPONSE__RESULT_CONTROLLER_LIST,
                                  &tr_inquiry_controllers_mapping, sizeof(tr_controller_row),
                                  offsetof(tr_controller_row, name), fetch};
    return tr_inquiry_answer_list(inquiry, inquiry->request->list_controllers->page, &list);
}

/* --- one controller --- */

typedef struct fragment_figures {
    tr_fragment_row row;
    double feedback_norm, offset_norm_rad, sigma_norm_rad, start_height_m, start_speed_m_s;
} fragment_figures;

typedef struct pin_figures {
    const char *kind, *first, *second;
    double break_n;
} pin_figures;

typedef struct detail {
    tr_controller_row row;
    uint64_t hash;
    tr_driver_sheet sheet;
    const tr_driver_parameter *parameters;
    bool recovers;
    int action_size, action_joint_count, fragment_count;
    const char **action_joints;
    fragment_figures *fragments;
    int object_count, pin_count; /* of its rig */
    const tr_rig_object *objects;
    pin_figures *pins;
} detail;

static const tr_mapping fragment_mapping = TR_MAPPING(
    fragment_figures, FragmentSummary, fragment_summary, TR_COPY_IN(row, steps, duration_s),
    TR_COPY_HEX_AS(row.digest, digest),
    TR_COPY(feedback_norm, offset_norm_rad, sigma_norm_rad, start_height_m, start_speed_m_s));

static const tr_mapping skill_mapping =
    TR_MAPPING(tr_driver_skill, Skill, skill,
               TR_COPY(name, cyclic, mirrored, turn_rad, turn_rad_s, on_request, tags, summary),
               TR_COPY_AS(first, first_fragment), TR_COPY_AS(count, fragment_count),
               TR_COPY_AS(speed_mps, speed_m_s), TR_COPY_AS(faster_mps, faster_m_s),
               TR_COPY_AS(slower_mps, slower_m_s));

static const tr_mapping reach_mapping =
    TR_MAPPING(tr_driver_reach, Reach, reach, TR_COPY(heading, place, kinematic),
               TR_COPY_AS(slowest_mps, slowest_m_s), TR_COPY_AS(fastest_mps, fastest_m_s));

static const tr_mapping edge_mapping =
    TR_MAPPING(tr_driver_edge, SkillEdge, skill_edge, TR_COPY_AS(from, from_fragment),
               TR_COPY_AS(to, to_fragment), TR_COPY(flips));

static const tr_mapping point_mapping = TR_MAPPING(tr_driver_point, MapPoint, map_point,
                                                   TR_COPY_DOUBLES(at), TR_COPY(begins, mirrored));

static const tr_mapping parameter_mapping =
    TR_MAPPING(tr_driver_parameter, ControllerParameter, controller_parameter,
               TR_COPY(name, unit, meaning, low, high, initial, count));

static const uint32_t geom_kinds[] = {
    [TR_GEOM_SPHERE] = TROUPE__GEOM_KIND__GEOM_KIND_SPHERE,
    [TR_GEOM_CAPSULE] = TROUPE__GEOM_KIND__GEOM_KIND_CAPSULE,
    [TR_GEOM_BOX] = TROUPE__GEOM_KIND__GEOM_KIND_BOX,
    [TR_GEOM_CYLINDER] = TROUPE__GEOM_KIND__GEOM_KIND_CYLINDER,
};
static const tr_mapping geom_mapping =
    TR_MAPPING(tr_geom, Geom, geom, TR_COPY_CHOICE(kind, geom_kinds),
               TR_COPY_DOUBLES(size, pos, rot), TR_COPY(friction));

static const tr_mapping object_mapping =
    TR_MAPPING(tr_rig_object, RigObject, rig_object, TR_COPY_IN(def, name),
               TR_COPY_LIST_WITHIN_AS(def.geom_count, def.geom, geoms, geom_mapping),
               TR_COPY_IN(def, mass, density), TR_COPY_DOUBLES_AS(state.pos, pos),
               TR_COPY_DOUBLES_AS(state.rot, rot));

static const tr_mapping pin_mapping =
    TR_MAPPING(pin_figures, RigPin, rig_pin, TR_COPY(kind, first, second, break_n));

static const tr_mapping detail_mapping = TR_MAPPING(
    detail, ControllerDetail, controller_detail, TR_COPY_ONE_AS(row, summary, summary_mapping),
    TR_COPY(hash, recovers, action_size), TR_COPY_IN(sheet.outline, entry_count),
    TR_COPY_ONE_AS(sheet.reach, reach, reach_mapping),
    TR_COPY_ARRAY(action_joint_count, action_joints),
    TR_COPY_LIST(fragment_count, fragments, fragment_mapping),
    TR_COPY_LIST_AS(sheet.skill_count, sheet.skill, skills, skill_mapping),
    TR_COPY_LIST_AS(sheet.edge_count, sheet.edge, edges, edge_mapping),
    TR_COPY_LIST(sheet.parameter_count, parameters, parameter_mapping),
    TR_COPY_LIST_AS(sheet.point_count, sheet.point, map, point_mapping),
    TR_COPY_LIST_AS(object_count, objects, rig, object_mapping),
    TR_COPY_LIST_AS(pin_count, pins, rig_pins, pin_mapping));

static double norm(const double *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] * values[i];
    return sqrt(sum);
}

static fragment_figures figures_of(const tr_fragment *fragment, const tr_fragment_row *row) {
    const tr_state *start = &fragment->start;
    return (fragment_figures){.row = *row,
                              .feedback_norm =
                                  norm(fragment->policy.m[0], TR_ACTION_MAX * TR_FEATURE_COUNT),
                              .offset_norm_rad = norm(fragment->policy.offset, TR_ACTION_MAX),
                              .sigma_norm_rad = norm(fragment->policy.sigma, TR_ACTION_MAX),
                              .start_height_m = start->pose.root_pos.z,
                              .start_speed_m_s = hypot(start->root_vel.x, start->root_vel.y)};
}

static tr_status describe_bank(tr_inquiry *inquiry, const tr_bank *bank, const tr_model *model,
                               detail *out) {
    const tr_action_map *action = &bank->action;
    int count = bank->fragment_count;
    tr_fragment_row *rows = tr_inquiry_take(inquiry, (size_t)count, sizeof *rows);
    out->fragments = tr_inquiry_take(inquiry, (size_t)count, sizeof *out->fragments);
    out->action_joints = tr_inquiry_take(inquiry, (size_t)action->joint_count, sizeof(char *));
    if (!rows || !out->fragments || !out->action_joints)
        return TR_RESOURCE_EXHAUSTED;
    out->action_size = action->size;
    out->action_joint_count = action->joint_count;
    for (int i = 0; i < action->joint_count; i++)
        out->action_joints[i] = model->body[action->body[i]].name;
    tr_status status =
        tr_controllers_fragments(inquiry->catalogue, out->row.id, rows, &count, inquiry->error);
    if (status)
        return status;
    for (int i = 0; i < count; i++)
        out->fragments[i] = figures_of(&bank->fragment[i], &rows[i]);
    out->fragment_count = count;
    return TR_OK;
}

static const char *member_name(const tr_rig *rig, const tr_rig_pin *pin, int side,
                               const tr_model *model) {
    int member = pin->member[side];
    return member == TR_RIG_CHARACTER ? model->body[pin->def.body[side]].name
                                      : rig->object[member].def.name;
}

static tr_status describe_rig(tr_inquiry *inquiry, const tr_rig *rig, const tr_model *model,
                              detail *out) {
    static const char *const kind[] = {[TR_PIN_POINT] = "point",
                                       [TR_PIN_HINGE] = "hinge",
                                       [TR_PIN_TRACK] = "track",
                                       [TR_PIN_SLIDER] = "slider"};
    out->object_count = rig->object_count;
    out->objects = rig->object;
    out->pins = tr_inquiry_take(inquiry, (size_t)rig->pin_count, sizeof *out->pins);
    if (rig->pin_count > 0 && !out->pins)
        return TR_RESOURCE_EXHAUSTED;
    for (int i = 0; i < rig->pin_count; i++) {
        const tr_rig_pin *pin = &rig->pin[i];
        out->pins[out->pin_count++] =
            (pin_figures){kind[pin->def.kind], member_name(rig, pin, 0, model),
                          member_name(rig, pin, 1, model), pin->def.break_n};
    }
    return TR_OK;
}

static tr_status describe(tr_inquiry *inquiry, const tr_controller *controller,
                          const tr_model *model, detail *out) {
    tr_driver_sheet *sheet = &out->sheet;
    const tr_bank *bank = tr_controller_bank(controller);
    tr_status status = tr_driver_describe(controller->driver, controller->step_s, sheet);
    if (status)
        return status;
    out->hash = tr_controller_hash(controller, model);
    out->parameters = sheet->parameter;
    const char *word = inquiry->request->get_controller->skill;
    int count = 0;
    for (int i = 0; i < sheet->skill_count; i++) {
        tr_driver_skill *skill = &sheet->skill[i];
        out->recovers |= skill->rises;
        if (!skill->name[0])
            skill->name = out->row.skill;
        /* Those that were not asked for are left out. */
        if (!word[0] || strcmp(skill->name, word) == 0 || tr_skill_words_have(skill->tags, word))
            sheet->skill[count++] = *skill;
    }
    sheet->skill_count = count;
    if (controller->rig)
        status = describe_rig(inquiry, controller->rig, model, out);
    return bank && !status ? describe_bank(inquiry, bank, model, out) : status;
}

tr_status tr_inquiry_get_controller(tr_inquiry *inquiry) {
    tr_model *model = NULL;
    tr_controller *controller = NULL;
    detail *out = tr_inquiry_take(inquiry, 1, sizeof *out);
    if (!out)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status = tr_controllers_resolve(
        inquiry->catalogue, inquiry->request->get_controller->name, &out->row, inquiry->error);
    if (!status)
        status = tr_models_load(inquiry->catalogue, out->row.model_id, &model, inquiry->error);
    if (!status)
        status = tr_controllers_load(inquiry->catalogue, out->row.id, model, &controller,
                                     inquiry->error);
    if (!status)
        status = describe(inquiry, controller, model, out);
    if (!status)
        status =
            tr_inquiry_answer(inquiry, TROUPE__RESPONSE__RESULT_CONTROLLER, &detail_mapping, out);
    tr_driver_sheet_deinit(&out->sheet);
    tr_controller_destroy(controller);
    tr_model_destroy(model);
    return status;
}
