/* Replies about the catalogue. */
#include "client/c/reply.h"

/* --- models --- */

const tr_mapping tr_client_model_mapping = TR_MAPPING(tr_client_model, ModelSummary, model_summary,
                                                      TR_COPY(name, digest, body_count, dof_count));

const tr_mapping tr_client_body_mapping =
    TR_MAPPING(tr_client_body, ModelBody, model_body,
               TR_COPY(name, parent, mass_kg, pos, rot, anchor, com, axis, joint));

const tr_mapping tr_client_model_detail_mapping =
    TR_MAPPING(tr_client_model_detail, ModelDetail, model_detail,
               TR_COPY_ONE(summary, tr_client_model_mapping), TR_COPY(hash, mass_kg, height_m),
               TR_COPY_LIST(body_count, bodies, tr_client_body_mapping),
               TR_COPY_ARRAY(gain_set_count, gain_sets), TR_COPY(mjcf));

/* --- clips --- */

const tr_mapping tr_client_clip_mapping =
    TR_MAPPING(tr_client_clip, Clip, clip,
               TR_COPY(name, source, licence, file_digest, skeleton, frame_count, first_frame,
                       last_frame, frames_per_s, cyclic));

/* --- training runs --- */

const tr_mapping tr_client_training_run_mapping = TR_MAPPING(
    tr_client_training_run, RunSummary, run_summary,
    TR_COPY(name, command, code_version, host, seed, threads, started_unix_ns, ended_unix_ns));

const tr_mapping tr_client_metric_mapping =
    TR_MAPPING(tr_client_metric, RunMetric, run_metric, TR_COPY(name),
               TR_COPY_ARRAY(count, iteration), TR_COPY_ARRAY(count, value));

const tr_mapping tr_client_run_detail_mapping =
    TR_MAPPING(tr_client_run_detail, RunDetail, run_detail,
               TR_COPY_ONE(summary, tr_client_training_run_mapping), TR_COPY(parameters),
               TR_COPY_ARRAY(parent_count, parents),
               TR_COPY_LIST(metric_count, metrics, tr_client_metric_mapping));

/* --- controllers --- */

const tr_mapping tr_client_controller_mapping =
    TR_MAPPING(tr_client_controller, ControllerSummary, controller_summary,
               TR_COPY(name, skill, model, digest, gain_set, run, clip, cyclic, mirrored,
                       fragment_count, duration_s, step_s, kind, section, purpose));

const tr_mapping tr_client_fragment_mapping =
    TR_MAPPING(tr_client_fragment, FragmentSummary, fragment_summary,
               TR_COPY(steps, duration_s, digest, feedback_norm, offset_norm_rad, sigma_norm_rad,
                       start_height_m, start_speed_m_s));

const tr_mapping tr_client_skill_mapping =
    TR_MAPPING(tr_client_skill, Skill, skill,
               TR_COPY(name, first_fragment, fragment_count, cyclic, mirrored, turn_rad, speed_m_s,
                       turn_rad_s, faster_m_s, slower_m_s, on_request, tags, summary));

const tr_mapping tr_client_skill_edge_mapping = TR_MAPPING(
    tr_client_skill_edge, SkillEdge, skill_edge, TR_COPY(from_fragment, to_fragment, flips));

static const tr_mapping map_point_mapping =
    TR_MAPPING(tr_client_map_point, MapPoint, map_point, TR_COPY(at, begins, mirrored));

static const tr_mapping reach_mapping = TR_MAPPING(
    tr_client_reach, Reach, reach, TR_COPY(heading, place, slowest_m_s, fastest_m_s, kinematic));

const tr_mapping tr_client_parameter_mapping =
    TR_MAPPING(tr_client_parameter, ControllerParameter, controller_parameter,
               TR_COPY(name, unit, meaning, low, high, initial, count));

static const tr_mapping geom_mapping =
    TR_MAPPING(tr_client_geom, Geom, geom, TR_COPY(kind, size, pos, rot, friction));

const tr_mapping tr_client_rig_object_mapping =
    TR_MAPPING(tr_client_rig_object, RigObject, rig_object, TR_COPY(name, mass, density, pos, rot),
               TR_COPY_LIST(geom_count, geoms, geom_mapping));

const tr_mapping tr_client_rig_pin_mapping =
    TR_MAPPING(tr_client_rig_pin, RigPin, rig_pin, TR_COPY(kind, first, second, break_n));

const tr_mapping tr_client_controller_detail_mapping = TR_MAPPING(
    tr_client_controller_detail, ControllerDetail, controller_detail,
    TR_COPY_ONE(summary, tr_client_controller_mapping), TR_COPY(hash, action_size),
    TR_COPY_LIST(fragment_count, fragments, tr_client_fragment_mapping),
    TR_COPY_ARRAY(action_joint_count, action_joints),
    TR_COPY_LIST(skill_count, skills, tr_client_skill_mapping),
    TR_COPY_LIST(edge_count, edges, tr_client_skill_edge_mapping),
    TR_COPY_LIST(parameter_count, parameters, tr_client_parameter_mapping),
    TR_COPY(entry_count, recovers), TR_COPY_LIST(rig_count, rig, tr_client_rig_object_mapping),
    TR_COPY_LIST(rig_pin_count, rig_pins, tr_client_rig_pin_mapping),
    TR_COPY_ONE(reach, reach_mapping), TR_COPY_LIST(map_count, map, map_point_mapping));

/* --- lineage and certificates --- */

const tr_mapping tr_client_ancestor_mapping =
    TR_MAPPING(tr_client_ancestor, LineageNode, lineage_node, TR_COPY_AS(noun, kind),
               TR_COPY(name, detail, depth));

const tr_mapping tr_client_figure_mapping = TR_MAPPING(
    tr_client_figure, CertificateFigure, certificate_figure, TR_COPY(quantity, item, value));

const tr_mapping tr_client_pushes_mapping = TR_MAPPING(
    tr_client_pushes, CertificatePushes, certificate_pushes, TR_COPY(direction),
    TR_COPY_ARRAY(count, force_n), TR_COPY_ARRAY(count, trials), TR_COPY_ARRAY(count, survived));

const tr_mapping tr_client_certificate_mapping = TR_MAPPING(
    tr_client_certificate, Certificate, certificate,
    TR_COPY(controller, digest, method, command, seed, threads, code_version, host, skill),
    TR_COPY_AS(started_ns, started_unix_ns), TR_COPY_AS(ended_ns, ended_unix_ns),
    TR_COPY_LIST(figure_count, figures, tr_client_figure_mapping),
    TR_COPY_LIST(direction_count, pushes, tr_client_pushes_mapping));

/* --- results --- */

const tr_result_row tr_catalogue_results[] = {
    TR_RESULT_PAGE(MODEL_LIST, MODELS, ModelList, model_list, models, tr_client_model_mapping),
    TR_RESULT(MODEL, MODEL, model, tr_client_model_detail_mapping),
    TR_RESULT_PAGE(CLIP_LIST, CLIPS, ClipList, clip_list, clips, tr_client_clip_mapping),
    TR_RESULT(CLIP, CLIP, clip, tr_client_clip_mapping),
    TR_RESULT_PAGE(RUN_LIST, RUNS, RunList, run_list, runs, tr_client_training_run_mapping),
    TR_RESULT(RUN, RUN, run, tr_client_run_detail_mapping),
    TR_RESULT_PAGE(CONTROLLER_LIST, CONTROLLERS, ControllerList, controller_list, controllers,
                   tr_client_controller_mapping),
    TR_RESULT(CONTROLLER, CONTROLLER, controller, tr_client_controller_detail_mapping),
    TR_RESULT_LIST(LINEAGE, LINEAGE, Lineage, lineage,
                   TR_COPY_LIST_AS(count, lineage, nodes, tr_client_ancestor_mapping)),
    TR_RESULT(CERTIFICATE, CERTIFICATE, certificate, tr_client_certificate_mapping),
    TR_RESULTS_END};
