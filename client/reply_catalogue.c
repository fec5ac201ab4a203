#include "client/reply.h"

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
    default:
        break;
    }
}
