#include "client/c/reply.h"

#include <string.h>

/* Lists: an array in the box, filled row by row, with its count and the token of the next page. */
static void set_page(tr_reply_box *box, const void *rows, size_t count,
                     const char *next_page_token) {
    box->reply.count = rows ? (int)count : 0;
    box->reply.next_page_token = next_page_token;
}

/* --- models --- */

static tr_client_model model_summary(const Troupe__ModelSummary *from) {
    if (!from)
        return (tr_client_model){.name = "", .digest = ""};
    return (tr_client_model){.name = from->name,
                             .digest = from->digest,
                             .body_count = from->body_count,
                             .dof_count = from->dof_count};
}

static void decode_models(tr_reply_box *box, const Troupe__ModelList *list) {
    tr_client_model *models = tr_reply_array(box, list->n_models, sizeof *models);
    for (size_t i = 0; models && i < list->n_models; ++i)
        models[i] = model_summary(list->models[i]);
    box->reply.models = models;
    set_page(box, models, list->n_models, list->next_page_token);
}

static void copy_vec3(const Troupe__Vec3 *from, double out[3]) {
    if (from)
        memcpy(out, (double[3]){from->x, from->y, from->z}, 3 * sizeof *out);
}

static void copy_quat(const Troupe__Quat *from, double out[4]) {
    memcpy(out, from ? (double[4]){from->w, from->x, from->y, from->z} : (double[4]){1, 0, 0, 0},
           4 * sizeof *out);
}

static tr_client_body model_body(const Troupe__ModelBody *from) {
    tr_client_body body = {.name = from->name, .parent = from->parent, .mass_kg = from->mass_kg};
    copy_vec3(from->pos, body.pos);
    copy_quat(from->rot, body.rot);
    copy_vec3(from->anchor, body.anchor);
    copy_vec3(from->com, body.com);
    return body;
}

static void decode_model(tr_reply_box *box, const Troupe__ModelDetail *from) {
    tr_client_body *bodies = tr_reply_array(box, from->n_bodies, sizeof *bodies);
    for (size_t i = 0; bodies && i < from->n_bodies; ++i)
        bodies[i] = model_body(from->bodies[i]);
    box->reply.model = (tr_client_model_detail){.summary = model_summary(from->summary),
                                                .hash = from->hash,
                                                .mass_kg = from->mass_kg,
                                                .height_m = from->height_m,
                                                .body_count = bodies ? (int)from->n_bodies : 0,
                                                .bodies = bodies,
                                                .gain_set_count = (int)from->n_gain_sets,
                                                .gain_sets = (const char *const *)from->gain_sets,
                                                .mjcf = from->mjcf};
}

/* --- clips --- */

static tr_client_clip clip_row(const Troupe__Clip *from) {
    return (tr_client_clip){.name = from->name,
                            .source = from->source,
                            .licence = from->licence,
                            .file_digest = from->file_digest,
                            .skeleton = from->skeleton,
                            .frame_count = from->frame_count,
                            .first_frame = from->first_frame,
                            .last_frame = from->last_frame,
                            .frames_per_s = from->frames_per_s,
                            .cyclic = from->cyclic};
}

static void decode_clips(tr_reply_box *box, const Troupe__ClipList *list) {
    tr_client_clip *clips = tr_reply_array(box, list->n_clips, sizeof *clips);
    for (size_t i = 0; clips && i < list->n_clips; ++i)
        clips[i] = clip_row(list->clips[i]);
    box->reply.clips = clips;
    set_page(box, clips, list->n_clips, list->next_page_token);
}

/* --- training runs --- */

static tr_client_training_run run_summary(const Troupe__RunSummary *from) {
    if (!from)
        return (tr_client_training_run){.name = "", .command = "", .code_version = "", .host = ""};
    return (tr_client_training_run){.name = from->name,
                                    .command = from->command,
                                    .code_version = from->code_version,
                                    .host = from->host,
                                    .seed = from->seed,
                                    .threads = from->threads,
                                    .started_unix_ns = from->started_unix_ns,
                                    .ended_unix_ns = from->ended_unix_ns};
}

static void decode_runs(tr_reply_box *box, const Troupe__RunList *list) {
    tr_client_training_run *runs = tr_reply_array(box, list->n_runs, sizeof *runs);
    for (size_t i = 0; runs && i < list->n_runs; ++i)
        runs[i] = run_summary(list->runs[i]);
    box->reply.runs = runs;
    set_page(box, runs, list->n_runs, list->next_page_token);
}

/* The shorter of the two columns counts, should they differ. */
static tr_client_metric run_metric(const Troupe__RunMetric *from) {
    size_t count = from->n_iteration < from->n_value ? from->n_iteration : from->n_value;
    return (tr_client_metric){
        .name = from->name, .count = count, .iteration = from->iteration, .value = from->value};
}

static void decode_run(tr_reply_box *box, const Troupe__RunDetail *from) {
    tr_client_metric *metrics = tr_reply_array(box, from->n_metrics, sizeof *metrics);
    for (size_t i = 0; metrics && i < from->n_metrics; ++i)
        metrics[i] = run_metric(from->metrics[i]);
    box->reply.run = (tr_client_run_detail){.summary = run_summary(from->summary),
                                            .parameters = from->parameters,
                                            .parent_count = (int)from->n_parents,
                                            .parents = (const char *const *)from->parents,
                                            .metric_count = metrics ? (int)from->n_metrics : 0,
                                            .metrics = metrics};
}

/* --- controllers --- */

static tr_client_controller controller_summary(const Troupe__ControllerSummary *from) {
    static const Troupe__ControllerSummary nothing = TROUPE__CONTROLLER_SUMMARY__INIT;
    if (!from)
        from = &nothing;
    return (tr_client_controller){.name = from->name,
                                  .skill = from->skill,
                                  .model = from->model,
                                  .digest = from->digest,
                                  .gain_set = from->gain_set,
                                  .run = from->run,
                                  .clip = from->clip,
                                  .cyclic = from->cyclic,
                                  .mirrored = from->mirrored,
                                  .fragment_count = from->fragment_count,
                                  .duration_s = from->duration_s,
                                  .step_s = from->step_s};
}

static void decode_controllers(tr_reply_box *box, const Troupe__ControllerList *list) {
    tr_client_controller *controllers =
        tr_reply_array(box, list->n_controllers, sizeof *controllers);
    for (size_t i = 0; controllers && i < list->n_controllers; ++i)
        controllers[i] = controller_summary(list->controllers[i]);
    box->reply.controllers = controllers;
    set_page(box, controllers, list->n_controllers, list->next_page_token);
}

static tr_client_fragment fragment_row(const Troupe__FragmentSummary *from) {
    return (tr_client_fragment){.steps = from->steps,
                                .duration_s = from->duration_s,
                                .digest = from->digest,
                                .feedback_norm = from->feedback_norm,
                                .offset_norm_rad = from->offset_norm_rad,
                                .sigma_norm_rad = from->sigma_norm_rad,
                                .start_height_m = from->start_height_m,
                                .start_speed_m_s = from->start_speed_m_s};
}

static tr_client_skill skill_row(const Troupe__Skill *from) {
    return (tr_client_skill){.name = from->name,
                             .first_fragment = from->first_fragment,
                             .fragment_count = from->fragment_count,
                             .cyclic = from->cyclic,
                             .mirrored = from->mirrored,
                             .turn_rad = from->turn_rad,
                             .speed_m_s = from->speed_m_s,
                             .turn_rad_s = from->turn_rad_s,
                             .faster_m_s = from->faster_m_s,
                             .slower_m_s = from->slower_m_s};
}

static void decode_skills(tr_reply_box *box, const Troupe__ControllerDetail *from,
                          tr_client_controller_detail *out) {
    tr_client_skill *skills = tr_reply_array(box, from->n_skills, sizeof *skills);
    tr_client_skill_edge *edges = tr_reply_array(box, from->n_edges, sizeof *edges);
    for (size_t i = 0; skills && i < from->n_skills; ++i)
        skills[i] = skill_row(from->skills[i]);
    for (size_t i = 0; edges && i < from->n_edges; ++i)
        edges[i] = (tr_client_skill_edge){from->edges[i]->from_fragment,
                                          from->edges[i]->to_fragment, from->edges[i]->flips};
    out->skills = skills;
    out->skill_count = skills ? (int)from->n_skills : 0;
    out->edges = edges;
    out->edge_count = edges ? (int)from->n_edges : 0;
}

static void decode_controller(tr_reply_box *box, const Troupe__ControllerDetail *from) {
    tr_client_fragment *fragments = tr_reply_array(box, from->n_fragments, sizeof *fragments);
    for (size_t i = 0; fragments && i < from->n_fragments; ++i)
        fragments[i] = fragment_row(from->fragments[i]);
    box->reply.controller =
        (tr_client_controller_detail){.summary = controller_summary(from->summary),
                                      .hash = from->hash,
                                      .action_size = from->action_size,
                                      .fragment_count = fragments ? (int)from->n_fragments : 0,
                                      .fragments = fragments,
                                      .action_joint_count = (int)from->n_action_joints,
                                      .action_joints = (const char *const *)from->action_joints};
    decode_skills(box, from, &box->reply.controller);
}

/* --- lineage --- */

static void decode_lineage(tr_reply_box *box, const Troupe__Lineage *from) {
    tr_client_ancestor *lineage = tr_reply_array(box, from->n_nodes, sizeof *lineage);
    for (size_t i = 0; lineage && i < from->n_nodes; ++i)
        lineage[i] = (tr_client_ancestor){.noun = (tr_client_noun)from->nodes[i]->kind,
                                          .name = from->nodes[i]->name,
                                          .detail = from->nodes[i]->detail,
                                          .depth = from->nodes[i]->depth};
    box->reply.lineage = lineage;
    set_page(box, lineage, from->n_nodes, "");
}

/* --- certificates --- */

/* The shortest of the three columns counts, should they differ. */
static tr_client_pushes pushes_row(const Troupe__CertificatePushes *from) {
    size_t count = from->n_force_n;
    count = from->n_trials < count ? from->n_trials : count;
    count = from->n_survived < count ? from->n_survived : count;
    return (tr_client_pushes){.direction = from->direction,
                              .count = count,
                              .force_n = from->force_n,
                              .trials = from->trials,
                              .survived = from->survived};
}

static void decode_certificate(tr_reply_box *box, const Troupe__Certificate *from) {
    tr_client_figure *figures = tr_reply_array(box, from->n_figures, sizeof *figures);
    tr_client_pushes *pushes = tr_reply_array(box, from->n_pushes, sizeof *pushes);
    for (size_t i = 0; figures && i < from->n_figures; ++i)
        figures[i] = (tr_client_figure){.quantity = from->figures[i]->quantity,
                                        .item = from->figures[i]->item,
                                        .value = from->figures[i]->value};
    for (size_t i = 0; pushes && i < from->n_pushes; ++i)
        pushes[i] = pushes_row(from->pushes[i]);
    box->reply.certificate =
        (tr_client_certificate){.controller = from->controller,
                                .digest = from->digest,
                                .method = from->method,
                                .command = from->command,
                                .seed = from->seed,
                                .threads = from->threads,
                                .code_version = from->code_version,
                                .host = from->host,
                                .started_ns = from->started_unix_ns,
                                .ended_ns = from->ended_unix_ns,
                                .figure_count = figures ? (int)from->n_figures : 0,
                                .figures = figures,
                                .direction_count = pushes ? (int)from->n_pushes : 0,
                                .pushes = pushes};
}

void tr_reply_catalogue(tr_reply_box *box, const Troupe__Response *response) {
    switch (box->reply.kind) {
    case TR_CLIENT_REPLY_MODELS:
        decode_models(box, response->model_list);
        break;
    case TR_CLIENT_REPLY_MODEL:
        decode_model(box, response->model);
        break;
    case TR_CLIENT_REPLY_CLIPS:
        decode_clips(box, response->clip_list);
        break;
    case TR_CLIENT_REPLY_CLIP:
        box->reply.clip = clip_row(response->clip);
        break;
    case TR_CLIENT_REPLY_RUNS:
        decode_runs(box, response->run_list);
        break;
    case TR_CLIENT_REPLY_RUN:
        decode_run(box, response->run);
        break;
    case TR_CLIENT_REPLY_CONTROLLERS:
        decode_controllers(box, response->controller_list);
        break;
    case TR_CLIENT_REPLY_CONTROLLER:
        decode_controller(box, response->controller);
        break;
    case TR_CLIENT_REPLY_LINEAGE:
        decode_lineage(box, response->lineage);
        break;
    case TR_CLIENT_REPLY_CERTIFICATE:
        decode_certificate(box, response->certificate);
        break;
    default:
        break;
    }
}
