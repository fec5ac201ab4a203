/* Replies about the catalogue. */
#include "client/c/reply.h"

/* --- models --- */

static const tr_record_field summary_fields[] = {
    TR_COPY(tr_client_model, Troupe__ModelSummary, name),
    TR_COPY(tr_client_model, Troupe__ModelSummary, digest),
    TR_COPY(tr_client_model, Troupe__ModelSummary, body_count),
    TR_COPY(tr_client_model, Troupe__ModelSummary, dof_count), TR_RECORD_END};
static const tr_record summary_record =
    TR_RECORD(tr_client_model, troupe__model_summary, summary_fields);

static const tr_record_field models_fields[] = {
    TR_COPY_LIST(tr_client_reply, count, models, Troupe__ModelList, models, summary_record),
    TR_COPY(tr_client_reply, Troupe__ModelList, next_page_token), TR_RECORD_END};
static const tr_record models_record =
    TR_RECORD(tr_client_reply, troupe__model_list, models_fields);

static const tr_record_field body_fields[] = {TR_COPY(tr_client_body, Troupe__ModelBody, name),
                                              TR_COPY(tr_client_body, Troupe__ModelBody, parent),
                                              TR_COPY(tr_client_body, Troupe__ModelBody, mass_kg),
                                              TR_COPY(tr_client_body, Troupe__ModelBody, pos),
                                              TR_COPY(tr_client_body, Troupe__ModelBody, rot),
                                              TR_COPY(tr_client_body, Troupe__ModelBody, anchor),
                                              TR_COPY(tr_client_body, Troupe__ModelBody, com),
                                              TR_RECORD_END};
static const tr_record body_record = TR_RECORD(tr_client_body, troupe__model_body, body_fields);

static const tr_record_field model_fields[] = {
    TR_COPY_ONE(tr_client_model_detail, summary, Troupe__ModelDetail, summary, summary_record),
    TR_COPY(tr_client_model_detail, Troupe__ModelDetail, hash),
    TR_COPY(tr_client_model_detail, Troupe__ModelDetail, mass_kg),
    TR_COPY(tr_client_model_detail, Troupe__ModelDetail, height_m),
    TR_COPY_LIST(tr_client_model_detail, body_count, bodies, Troupe__ModelDetail, bodies,
                 body_record),
    TR_COPY_ARRAY(tr_client_model_detail, gain_set_count, gain_sets, Troupe__ModelDetail,
                  gain_sets),
    TR_COPY(tr_client_model_detail, Troupe__ModelDetail, mjcf),
    TR_RECORD_END};
static const tr_record model_record =
    TR_RECORD(tr_client_model_detail, troupe__model_detail, model_fields);

/* --- clips --- */

static const tr_record_field clip_fields[] = {TR_COPY(tr_client_clip, Troupe__Clip, name),
                                              TR_COPY(tr_client_clip, Troupe__Clip, source),
                                              TR_COPY(tr_client_clip, Troupe__Clip, licence),
                                              TR_COPY(tr_client_clip, Troupe__Clip, file_digest),
                                              TR_COPY(tr_client_clip, Troupe__Clip, skeleton),
                                              TR_COPY(tr_client_clip, Troupe__Clip, frame_count),
                                              TR_COPY(tr_client_clip, Troupe__Clip, first_frame),
                                              TR_COPY(tr_client_clip, Troupe__Clip, last_frame),
                                              TR_COPY(tr_client_clip, Troupe__Clip, frames_per_s),
                                              TR_COPY(tr_client_clip, Troupe__Clip, cyclic),
                                              TR_RECORD_END};
static const tr_record clip_record = TR_RECORD(tr_client_clip, troupe__clip, clip_fields);

static const tr_record_field clips_fields[] = {
    TR_COPY_LIST(tr_client_reply, count, clips, Troupe__ClipList, clips, clip_record),
    TR_COPY(tr_client_reply, Troupe__ClipList, next_page_token), TR_RECORD_END};
static const tr_record clips_record = TR_RECORD(tr_client_reply, troupe__clip_list, clips_fields);

/* --- training runs --- */

static const tr_record_field run_summary_fields[] = {
    TR_COPY(tr_client_training_run, Troupe__RunSummary, name),
    TR_COPY(tr_client_training_run, Troupe__RunSummary, command),
    TR_COPY(tr_client_training_run, Troupe__RunSummary, code_version),
    TR_COPY(tr_client_training_run, Troupe__RunSummary, host),
    TR_COPY(tr_client_training_run, Troupe__RunSummary, seed),
    TR_COPY(tr_client_training_run, Troupe__RunSummary, threads),
    TR_COPY(tr_client_training_run, Troupe__RunSummary, started_unix_ns),
    TR_COPY(tr_client_training_run, Troupe__RunSummary, ended_unix_ns),
    TR_RECORD_END};
static const tr_record run_summary_record =
    TR_RECORD(tr_client_training_run, troupe__run_summary, run_summary_fields);

static const tr_record_field runs_fields[] = {
    TR_COPY_LIST(tr_client_reply, count, runs, Troupe__RunList, runs, run_summary_record),
    TR_COPY(tr_client_reply, Troupe__RunList, next_page_token), TR_RECORD_END};
static const tr_record runs_record = TR_RECORD(tr_client_reply, troupe__run_list, runs_fields);

static const tr_record_field metric_fields[] = {
    TR_COPY(tr_client_metric, Troupe__RunMetric, name),
    TR_COPY_ARRAY(tr_client_metric, count, iteration, Troupe__RunMetric, iteration),
    TR_COPY_ARRAY(tr_client_metric, count, value, Troupe__RunMetric, value), TR_RECORD_END};
static const tr_record metric_record =
    TR_RECORD(tr_client_metric, troupe__run_metric, metric_fields);

static const tr_record_field run_fields[] = {
    TR_COPY_ONE(tr_client_run_detail, summary, Troupe__RunDetail, summary, run_summary_record),
    TR_COPY(tr_client_run_detail, Troupe__RunDetail, parameters),
    TR_COPY_ARRAY(tr_client_run_detail, parent_count, parents, Troupe__RunDetail, parents),
    TR_COPY_LIST(tr_client_run_detail, metric_count, metrics, Troupe__RunDetail, metrics,
                 metric_record),
    TR_RECORD_END};
static const tr_record run_record = TR_RECORD(tr_client_run_detail, troupe__run_detail, run_fields);

/* --- controllers --- */

static const tr_record_field controller_summary_fields[] = {
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, name),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, skill),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, model),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, digest),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, gain_set),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, run),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, clip),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, cyclic),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, mirrored),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, fragment_count),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, duration_s),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, step_s),
    TR_COPY(tr_client_controller, Troupe__ControllerSummary, kind),
    TR_RECORD_END};
static const tr_record controller_summary_record =
    TR_RECORD(tr_client_controller, troupe__controller_summary, controller_summary_fields);

static const tr_record_field controllers_fields[] = {
    TR_COPY_LIST(tr_client_reply, count, controllers, Troupe__ControllerList, controllers,
                 controller_summary_record),
    TR_COPY(tr_client_reply, Troupe__ControllerList, next_page_token), TR_RECORD_END};
static const tr_record controllers_record =
    TR_RECORD(tr_client_reply, troupe__controller_list, controllers_fields);

static const tr_record_field fragment_fields[] = {
    TR_COPY(tr_client_fragment, Troupe__FragmentSummary, steps),
    TR_COPY(tr_client_fragment, Troupe__FragmentSummary, duration_s),
    TR_COPY(tr_client_fragment, Troupe__FragmentSummary, digest),
    TR_COPY(tr_client_fragment, Troupe__FragmentSummary, feedback_norm),
    TR_COPY(tr_client_fragment, Troupe__FragmentSummary, offset_norm_rad),
    TR_COPY(tr_client_fragment, Troupe__FragmentSummary, sigma_norm_rad),
    TR_COPY(tr_client_fragment, Troupe__FragmentSummary, start_height_m),
    TR_COPY(tr_client_fragment, Troupe__FragmentSummary, start_speed_m_s),
    TR_RECORD_END};
static const tr_record fragment_record =
    TR_RECORD(tr_client_fragment, troupe__fragment_summary, fragment_fields);

static const tr_record_field skill_fields[] = {
    TR_COPY(tr_client_skill, Troupe__Skill, name),
    TR_COPY(tr_client_skill, Troupe__Skill, first_fragment),
    TR_COPY(tr_client_skill, Troupe__Skill, fragment_count),
    TR_COPY(tr_client_skill, Troupe__Skill, cyclic),
    TR_COPY(tr_client_skill, Troupe__Skill, mirrored),
    TR_COPY(tr_client_skill, Troupe__Skill, turn_rad),
    TR_COPY(tr_client_skill, Troupe__Skill, speed_m_s),
    TR_COPY(tr_client_skill, Troupe__Skill, turn_rad_s),
    TR_COPY(tr_client_skill, Troupe__Skill, faster_m_s),
    TR_COPY(tr_client_skill, Troupe__Skill, slower_m_s),
    TR_RECORD_END};
static const tr_record skill_record = TR_RECORD(tr_client_skill, troupe__skill, skill_fields);

static const tr_record_field edge_fields[] = {
    TR_COPY(tr_client_skill_edge, Troupe__SkillEdge, from_fragment),
    TR_COPY(tr_client_skill_edge, Troupe__SkillEdge, to_fragment),
    TR_COPY(tr_client_skill_edge, Troupe__SkillEdge, flips), TR_RECORD_END};
static const tr_record edge_record =
    TR_RECORD(tr_client_skill_edge, troupe__skill_edge, edge_fields);

static const tr_record_field parameter_fields[] = {
    TR_COPY(tr_client_parameter, Troupe__ControllerParameter, name),
    TR_COPY(tr_client_parameter, Troupe__ControllerParameter, unit),
    TR_COPY(tr_client_parameter, Troupe__ControllerParameter, meaning),
    TR_COPY(tr_client_parameter, Troupe__ControllerParameter, low),
    TR_COPY(tr_client_parameter, Troupe__ControllerParameter, high),
    TR_COPY(tr_client_parameter, Troupe__ControllerParameter, initial),
    TR_COPY(tr_client_parameter, Troupe__ControllerParameter, count),
    TR_RECORD_END};
static const tr_record parameter_record =
    TR_RECORD(tr_client_parameter, troupe__controller_parameter, parameter_fields);

static const tr_record_field controller_fields[] = {
    TR_COPY_ONE(tr_client_controller_detail, summary, Troupe__ControllerDetail, summary,
                controller_summary_record),
    TR_COPY(tr_client_controller_detail, Troupe__ControllerDetail, hash),
    TR_COPY(tr_client_controller_detail, Troupe__ControllerDetail, action_size),
    TR_COPY_LIST(tr_client_controller_detail, fragment_count, fragments, Troupe__ControllerDetail,
                 fragments, fragment_record),
    TR_COPY_ARRAY(tr_client_controller_detail, action_joint_count, action_joints,
                  Troupe__ControllerDetail, action_joints),
    TR_COPY_LIST(tr_client_controller_detail, skill_count, skills, Troupe__ControllerDetail, skills,
                 skill_record),
    TR_COPY_LIST(tr_client_controller_detail, edge_count, edges, Troupe__ControllerDetail, edges,
                 edge_record),
    TR_COPY_LIST(tr_client_controller_detail, parameter_count, parameters, Troupe__ControllerDetail,
                 parameters, parameter_record),
    TR_COPY(tr_client_controller_detail, Troupe__ControllerDetail, entry_count),
    TR_COPY(tr_client_controller_detail, Troupe__ControllerDetail, recovers),
    TR_RECORD_END};
static const tr_record controller_record =
    TR_RECORD(tr_client_controller_detail, troupe__controller_detail, controller_fields);

/* --- lineage and certificates --- */

static const tr_record_field ancestor_fields[] = {
    TR_COPY_AS(tr_client_ancestor, noun, Troupe__LineageNode, kind),
    TR_COPY(tr_client_ancestor, Troupe__LineageNode, name),
    TR_COPY(tr_client_ancestor, Troupe__LineageNode, detail),
    TR_COPY(tr_client_ancestor, Troupe__LineageNode, depth), TR_RECORD_END};
static const tr_record ancestor_record =
    TR_RECORD(tr_client_ancestor, troupe__lineage_node, ancestor_fields);

static const tr_record_field lineage_fields[] = {
    TR_COPY_LIST(tr_client_reply, count, lineage, Troupe__Lineage, nodes, ancestor_record),
    TR_RECORD_END};
static const tr_record lineage_record = TR_RECORD(tr_client_reply, troupe__lineage, lineage_fields);

static const tr_record_field figure_fields[] = {
    TR_COPY(tr_client_figure, Troupe__CertificateFigure, quantity),
    TR_COPY(tr_client_figure, Troupe__CertificateFigure, item),
    TR_COPY(tr_client_figure, Troupe__CertificateFigure, value), TR_RECORD_END};
static const tr_record figure_record =
    TR_RECORD(tr_client_figure, troupe__certificate_figure, figure_fields);

static const tr_record_field pushes_fields[] = {
    TR_COPY(tr_client_pushes, Troupe__CertificatePushes, direction),
    TR_COPY_ARRAY(tr_client_pushes, count, force_n, Troupe__CertificatePushes, force_n),
    TR_COPY_ARRAY(tr_client_pushes, count, trials, Troupe__CertificatePushes, trials),
    TR_COPY_ARRAY(tr_client_pushes, count, survived, Troupe__CertificatePushes, survived),
    TR_RECORD_END};
static const tr_record pushes_record =
    TR_RECORD(tr_client_pushes, troupe__certificate_pushes, pushes_fields);

static const tr_record_field certificate_fields[] = {
    TR_COPY(tr_client_certificate, Troupe__Certificate, controller),
    TR_COPY(tr_client_certificate, Troupe__Certificate, digest),
    TR_COPY(tr_client_certificate, Troupe__Certificate, method),
    TR_COPY(tr_client_certificate, Troupe__Certificate, command),
    TR_COPY(tr_client_certificate, Troupe__Certificate, seed),
    TR_COPY(tr_client_certificate, Troupe__Certificate, threads),
    TR_COPY(tr_client_certificate, Troupe__Certificate, code_version),
    TR_COPY(tr_client_certificate, Troupe__Certificate, host),
    TR_COPY_AS(tr_client_certificate, started_ns, Troupe__Certificate, started_unix_ns),
    TR_COPY_AS(tr_client_certificate, ended_ns, Troupe__Certificate, ended_unix_ns),
    TR_COPY_LIST(tr_client_certificate, figure_count, figures, Troupe__Certificate, figures,
                 figure_record),
    TR_COPY_LIST(tr_client_certificate, direction_count, pushes, Troupe__Certificate, pushes,
                 pushes_record),
    TR_RECORD_END};
static const tr_record certificate_record =
    TR_RECORD(tr_client_certificate, troupe__certificate, certificate_fields);

/* --- results --- */

const tr_result_row tr_catalogue_results[] = {
    TR_RESULT_LIST(MODEL_LIST, MODELS, models_record),
    TR_RESULT(MODEL, MODEL, model, model_record),
    TR_RESULT_LIST(CLIP_LIST, CLIPS, clips_record),
    TR_RESULT(CLIP, CLIP, clip, clip_record),
    TR_RESULT_LIST(RUN_LIST, RUNS, runs_record),
    TR_RESULT(RUN, RUN, run, run_record),
    TR_RESULT_LIST(CONTROLLER_LIST, CONTROLLERS, controllers_record),
    TR_RESULT(CONTROLLER, CONTROLLER, controller, controller_record),
    TR_RESULT_LIST(LINEAGE, LINEAGE, lineage_record),
    TR_RESULT(CERTIFICATE, CERTIFICATE, certificate, certificate_record),
    TR_RESULTS_END};
