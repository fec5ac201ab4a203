/* Replies about the catalogue. */
#include "client/c/reply.h"

/* --- models --- */

const tr_mapping tr_client_model_mapping =
    TR_MAPPING(tr_client_model, troupe__model_summary,
               TR_COPY(tr_client_model, Troupe__ModelSummary, name, digest, body_count, dof_count));

static const tr_mapping models_mapping =
    TR_MAPPING(tr_client_reply, troupe__model_list,
               TR_COPY_LIST(tr_client_reply, count, models, Troupe__ModelList, models,
                            tr_client_model_mapping),
               TR_COPY(tr_client_reply, Troupe__ModelList, next_page_token));

const tr_mapping tr_client_body_mapping = TR_MAPPING(
    tr_client_body, troupe__model_body,
    TR_COPY(tr_client_body, Troupe__ModelBody, name, parent, mass_kg, pos, rot, anchor, com));

const tr_mapping tr_client_model_detail_mapping =
    TR_MAPPING(tr_client_model_detail, troupe__model_detail,
               TR_COPY_ONE(tr_client_model_detail, summary, Troupe__ModelDetail, summary,
                           tr_client_model_mapping),
               TR_COPY(tr_client_model_detail, Troupe__ModelDetail, hash, mass_kg, height_m),
               TR_COPY_LIST(tr_client_model_detail, body_count, bodies, Troupe__ModelDetail, bodies,
                            tr_client_body_mapping),
               TR_COPY_ARRAY(tr_client_model_detail, gain_set_count, gain_sets, Troupe__ModelDetail,
                             gain_sets),
               TR_COPY(tr_client_model_detail, Troupe__ModelDetail, mjcf));

/* --- clips --- */

const tr_mapping tr_client_clip_mapping =
    TR_MAPPING(tr_client_clip, troupe__clip,
               TR_COPY(tr_client_clip, Troupe__Clip, name, source, licence, file_digest, skeleton,
                       frame_count, first_frame, last_frame, frames_per_s, cyclic));

static const tr_mapping clips_mapping = TR_MAPPING(
    tr_client_reply, troupe__clip_list,
    TR_COPY_LIST(tr_client_reply, count, clips, Troupe__ClipList, clips, tr_client_clip_mapping),
    TR_COPY(tr_client_reply, Troupe__ClipList, next_page_token));

/* --- training runs --- */

const tr_mapping tr_client_training_run_mapping =
    TR_MAPPING(tr_client_training_run, troupe__run_summary,
               TR_COPY(tr_client_training_run, Troupe__RunSummary, name, command, code_version,
                       host, seed, threads, started_unix_ns, ended_unix_ns));

static const tr_mapping runs_mapping =
    TR_MAPPING(tr_client_reply, troupe__run_list,
               TR_COPY_LIST(tr_client_reply, count, runs, Troupe__RunList, runs,
                            tr_client_training_run_mapping),
               TR_COPY(tr_client_reply, Troupe__RunList, next_page_token));

static const tr_mapping metric_mapping = TR_MAPPING(
    tr_client_metric, troupe__run_metric, TR_COPY(tr_client_metric, Troupe__RunMetric, name),
    TR_COPY_ARRAY(tr_client_metric, count, iteration, Troupe__RunMetric, iteration),
    TR_COPY_ARRAY(tr_client_metric, count, value, Troupe__RunMetric, value));

const tr_mapping tr_client_run_detail_mapping = TR_MAPPING(
    tr_client_run_detail, troupe__run_detail,
    TR_COPY_ONE(tr_client_run_detail, summary, Troupe__RunDetail, summary,
                tr_client_training_run_mapping),
    TR_COPY(tr_client_run_detail, Troupe__RunDetail, parameters),
    TR_COPY_ARRAY(tr_client_run_detail, parent_count, parents, Troupe__RunDetail, parents),
    TR_COPY_LIST(tr_client_run_detail, metric_count, metrics, Troupe__RunDetail, metrics,
                 metric_mapping));

/* --- controllers --- */

const tr_mapping tr_client_controller_mapping = TR_MAPPING(
    tr_client_controller, troupe__controller_summary,
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, name, skill, model, digest, gain_set,
            run, clip, cyclic, mirrored, fragment_count, duration_s, step_s, kind));

static const tr_mapping controllers_mapping =
    TR_MAPPING(tr_client_reply, troupe__controller_list,
               TR_COPY_LIST(tr_client_reply, count, controllers, Troupe__ControllerList,
                            controllers, tr_client_controller_mapping),
               TR_COPY(tr_client_reply, Troupe__ControllerList, next_page_token));

const tr_mapping tr_client_fragment_mapping = TR_MAPPING(
    tr_client_fragment, troupe__fragment_summary,
    TR_COPY(tr_client_fragment, Troupe__FragmentSummary, steps, duration_s, digest, feedback_norm,
            offset_norm_rad, sigma_norm_rad, start_height_m, start_speed_m_s));

const tr_mapping tr_client_skill_mapping =
    TR_MAPPING(tr_client_skill, troupe__skill,
               TR_COPY(tr_client_skill, Troupe__Skill, name, first_fragment, fragment_count, cyclic,
                       mirrored, turn_rad, speed_m_s, turn_rad_s, faster_m_s, slower_m_s));

const tr_mapping tr_client_skill_edge_mapping =
    TR_MAPPING(tr_client_skill_edge, troupe__skill_edge,
               TR_COPY(tr_client_skill_edge, Troupe__SkillEdge, from_fragment, to_fragment, flips));

const tr_mapping tr_client_parameter_mapping =
    TR_MAPPING(tr_client_parameter, troupe__controller_parameter,
               TR_COPY(tr_client_parameter, Troupe__ControllerParameter, name, unit, meaning, low,
                       high, initial, count));

static const tr_mapping geom_mapping =
    TR_MAPPING(tr_client_geom, troupe__geom,
               TR_COPY(tr_client_geom, Troupe__Geom, kind, size, pos, rot, friction));

const tr_mapping tr_client_rig_object_mapping = TR_MAPPING(
    tr_client_rig_object, troupe__rig_object,
    TR_COPY(tr_client_rig_object, Troupe__RigObject, name, mass, density, pos, rot),
    TR_COPY_LIST(tr_client_rig_object, geom_count, geoms, Troupe__RigObject, geoms, geom_mapping));

const tr_mapping tr_client_rig_pin_mapping =
    TR_MAPPING(tr_client_rig_pin, troupe__rig_pin,
               TR_COPY(tr_client_rig_pin, Troupe__RigPin, kind, first, second, break_n));

const tr_mapping tr_client_controller_detail_mapping = TR_MAPPING(
    tr_client_controller_detail, troupe__controller_detail,
    TR_COPY_ONE(tr_client_controller_detail, summary, Troupe__ControllerDetail, summary,
                tr_client_controller_mapping),
    TR_COPY(tr_client_controller_detail, Troupe__ControllerDetail, hash, action_size),
    TR_COPY_LIST(tr_client_controller_detail, fragment_count, fragments, Troupe__ControllerDetail,
                 fragments, tr_client_fragment_mapping),
    TR_COPY_ARRAY(tr_client_controller_detail, action_joint_count, action_joints,
                  Troupe__ControllerDetail, action_joints),
    TR_COPY_LIST(tr_client_controller_detail, skill_count, skills, Troupe__ControllerDetail, skills,
                 tr_client_skill_mapping),
    TR_COPY_LIST(tr_client_controller_detail, edge_count, edges, Troupe__ControllerDetail, edges,
                 tr_client_skill_edge_mapping),
    TR_COPY_LIST(tr_client_controller_detail, parameter_count, parameters, Troupe__ControllerDetail,
                 parameters, tr_client_parameter_mapping),
    TR_COPY(tr_client_controller_detail, Troupe__ControllerDetail, entry_count, recovers),
    TR_COPY_LIST(tr_client_controller_detail, rig_count, rig, Troupe__ControllerDetail, rig,
                 tr_client_rig_object_mapping),
    TR_COPY_LIST(tr_client_controller_detail, rig_pin_count, rig_pins, Troupe__ControllerDetail,
                 rig_pins, tr_client_rig_pin_mapping));

/* --- lineage and certificates --- */

const tr_mapping tr_client_ancestor_mapping =
    TR_MAPPING(tr_client_ancestor, troupe__lineage_node,
               TR_COPY_AS(tr_client_ancestor, noun, Troupe__LineageNode, kind),
               TR_COPY(tr_client_ancestor, Troupe__LineageNode, name, detail, depth));

static const tr_mapping lineage_mapping =
    TR_MAPPING(tr_client_reply, troupe__lineage,
               TR_COPY_LIST(tr_client_reply, count, lineage, Troupe__Lineage, nodes,
                            tr_client_ancestor_mapping));

const tr_mapping tr_client_figure_mapping =
    TR_MAPPING(tr_client_figure, troupe__certificate_figure,
               TR_COPY(tr_client_figure, Troupe__CertificateFigure, quantity, item, value));

const tr_mapping tr_client_pushes_mapping = TR_MAPPING(
    tr_client_pushes, troupe__certificate_pushes,
    TR_COPY(tr_client_pushes, Troupe__CertificatePushes, direction),
    TR_COPY_ARRAY(tr_client_pushes, count, force_n, Troupe__CertificatePushes, force_n),
    TR_COPY_ARRAY(tr_client_pushes, count, trials, Troupe__CertificatePushes, trials),
    TR_COPY_ARRAY(tr_client_pushes, count, survived, Troupe__CertificatePushes, survived));

const tr_mapping tr_client_certificate_mapping =
    TR_MAPPING(tr_client_certificate, troupe__certificate,
               TR_COPY(tr_client_certificate, Troupe__Certificate, controller, digest, method,
                       command, seed, threads, code_version, host),
               TR_COPY_AS(tr_client_certificate, started_ns, Troupe__Certificate, started_unix_ns),
               TR_COPY_AS(tr_client_certificate, ended_ns, Troupe__Certificate, ended_unix_ns),
               TR_COPY_LIST(tr_client_certificate, figure_count, figures, Troupe__Certificate,
                            figures, tr_client_figure_mapping),
               TR_COPY_LIST(tr_client_certificate, direction_count, pushes, Troupe__Certificate,
                            pushes, tr_client_pushes_mapping));

/* --- results --- */

const tr_result_row tr_catalogue_results[] = {
    TR_RESULT_LIST(MODEL_LIST, MODELS, models_mapping),
    TR_RESULT(MODEL, MODEL, model, tr_client_model_detail_mapping),
    TR_RESULT_LIST(CLIP_LIST, CLIPS, clips_mapping),
    TR_RESULT(CLIP, CLIP, clip, tr_client_clip_mapping),
    TR_RESULT_LIST(RUN_LIST, RUNS, runs_mapping),
    TR_RESULT(RUN, RUN, run, tr_client_run_detail_mapping),
    TR_RESULT_LIST(CONTROLLER_LIST, CONTROLLERS, controllers_mapping),
    TR_RESULT(CONTROLLER, CONTROLLER, controller, tr_client_controller_detail_mapping),
    TR_RESULT_LIST(LINEAGE, LINEAGE, lineage_mapping),
    TR_RESULT(CERTIFICATE, CERTIFICATE, certificate, tr_client_certificate_mapping),
    TR_RESULTS_END};
