#include "tools/measure/certificate_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- into quantities --- */

static void add(tr_certificate_content *to, const char *quantity, const char *item, double value) {
    if (!isfinite(value) || to->figure_count == TR_CERTIFICATE_FIGURE_MAX)
        return;
    tr_certificate_figure *figure = &to->figure[to->figure_count++];
    snprintf(figure->quantity, sizeof figure->quantity, "%s", quantity);
    snprintf(figure->item, sizeof figure->item, "%s", item);
    figure->value = value;
}

static void add_held(const tr_certificate *c, tr_certificate_content *to) {
    double low, high;
    tr_evaluate_wilson(c->held, c->def.hold_trials, &low, &high);
    add(to, "held_trials", "", c->held);
    add(to, "hold_trials", "", c->def.hold_trials);
    add(to, "hold_s", "", c->def.hold_s);
    add(to, "held_shortest_s", "", c->shortest_s);
    add(to, "held_share_low", "", low);
    add(to, "held_share_high", "", high);
    if (c->held == c->def.hold_trials)
        add(to, "undisturbed_h", "", c->held * c->def.hold_s / 3600);
}

static void add_resisting(const tr_certificate *c, tr_certificate_content *to) {
    add(to, "resist_trials", "", c->def.resist_trials);
    for (int g = 0; g < TR_CERTIFY_GROWTHS; g++) {
        char item[TR_NAME_MAX], trial[TR_NAME_MAX];
        double half, mean = tr_certificate_resisting(c, g, &half);
        snprintf(item, sizeof item, "%g N/s", c->def.resist_growth_nps[g]);
        add(to, "resisting_s", item, mean);
        add(to, "resisting_half_s", item, half);
        for (int i = 0; i < c->def.resist_trials; i++) {
            snprintf(trial, sizeof trial, "%g N/s %03d", c->def.resist_growth_nps[g], i);
            add(to, "resisting_trial_s", trial, c->resisting_s[g][i]);
        }
    }
}

static void add_largest(const tr_certificate *c, int direction, const char *item,
                        tr_certificate_content *to) {
    add(to, "push95_n", item, tr_certificate_largest(c, direction, 0.95, false));
    add(to, "push95_sure_n", item, tr_certificate_largest(c, direction, 0.95, true));
    add(to, "push50_n", item, tr_certificate_largest(c, direction, 0.5, false));
}

static void add_pushes(const tr_certificate *c, tr_certificate_content *to) {
    int directions = c->def.push.directions;
    add(to, "push_s", "", c->def.push.push_s);
    add(to, "push_directions", "", directions);
    add(to, "push_phases", "", c->def.push.phases);
    add(to, "push_starts", "", c->def.push.starts);
    add_largest(c, -1, "all", to);
    for (int d = 0; d < directions; d++) {
        char item[TR_NAME_MAX];
        snprintf(item, sizeof item, "%05.1f", 360.0 * d / directions);
        add_largest(c, d, item, to);
        for (int i = 0; i < c->force_count; i++)
            to->push[to->push_count++] = (tr_certificate_push){
                d, c->force[i].force_n, c->force[i].trials, c->force[i].survived[d]};
    }
}

static void add_tracking(const tr_tracking *t, const tr_model *model, tr_certificate_content *to) {
    if (t->ends == 0)
        return;
    for (int i = 1; i < model->body_count; i++)
        add(to, "joint_error_rad", model->body[i].name, t->joint_rad[i]);
    for (int e = 0; e < model->end_effector_count; e++)
        add(to, "effector_error_m", model->body[model->end_effector[e]].name, t->effector_m[e]);
    add(to, "root_error_m", "", t->root_m);
    add(to, "root_error_rad", "", t->root_rad);
    add(to, "velocity_error_mps", "", t->velocity_mps);
    add(to, "nsr", "", t->nsr);
    add(to, "speed_mps", "", t->speed_mps);
    add(to, "reference_speed_mps", "", t->reference_speed_mps);
    add(to, "root_mean_m", "", t->root_mean_m);
    add(to, "root_low_m", "", t->root_low_m);
    add(to, "root_high_m", "", t->root_high_m);
    add(to, "foot_slip_mps", "", t->slip_mps);
    add(to, "penetration_m", "", t->depth_m);
    add(to, "penetration_max_m", "", t->depth_max_m);
}

/* "ground95_deg" of "slope up", and "ground_held" of "slope up 3 deg". */
static void add_ground(const tr_certificate *c, tr_certificate_content *to) {
    if (c->def.ground_trials == 0)
        return;
    add(to, "ground_trials", "", c->def.ground_trials);
    add(to, "ground_s", "", c->def.ground_s);
    for (int kind = 0; kind < TR_TRIAL_GROUND_KINDS; kind++) {
        const tr_trial_ground_row *row = &tr_trial_ground_rows[kind];
        char quantity[TR_NAME_MAX], item[TR_NAME_MAX];
        snprintf(quantity, sizeof quantity, "ground95_%s", row->unit);
        if (row->step > 0)
            add(to, quantity, row->name,
                tr_certificate_largest_ground(c, (tr_trial_ground_kind)kind));
        for (int i = 0; i < c->ground_count[kind]; i++) {
            snprintf(item, sizeof item, "%s %g %s", row->name, row->step * (i + 1), row->unit);
            add(to, "ground_held", item, c->ground_held[kind][i]);
        }
    }
}

/* "lasting_held" of "constant 130 N". */
static void add_lasting(const tr_certificate *c, tr_certificate_content *to) {
    if (c->def.lasting_trials == 0)
        return;
    add(to, "lasting_trials", "", c->def.lasting_trials);
    add(to, "lasting_s", "", c->def.lasting_s);
    for (int i = 0; i < TR_CERTIFY_LASTING; i++)
        add(to, "lasting_held", tr_certify_lasting_rows[i].name, c->lasting_held[i]);
}

static void add_headings(const tr_certificate *c, tr_certificate_content *to) {
    const tr_heading_walk_result *h = &c->heading;
    double low, high;
    if (c->def.heading_trials == 0)
        return;
    tr_evaluate_wilson(h->held, h->trials, &low, &high);
    add(to, "heading_trials", "", h->trials);
    add(to, "heading_s", "", c->def.heading_s);
    add(to, "heading_every_s", "", c->def.heading_goal_s);
    add(to, "heading_held", "", h->held);
    add(to, "heading_share_low", "", low);
    add(to, "heading_share_high", "", high);
    add(to, "heading_falls", "", h->falls);
    add(to, "heading_risen", "", h->risen);
    add(to, "heading_reward", "", h->heading.reward.median);
    add(to, "heading_reward_low", "", h->heading.reward.low);
    add(to, "heading_reward_high", "", h->heading.reward.high);
    add(to, "heading_late_deg", "", h->heading.deviation_deg.median);
    add(to, "heading_turn_s", "", h->heading.turn_s.median);
    add(to, "heading_missed", "", h->heading.missed);
    add(to, "heading_speed_mps", "", h->speed_mps.median);
}

static void add_falls(const tr_certificate *c, tr_certificate_content *to) {
    const tr_rising_count *f = &c->falls;
    double low, high;
    if (c->def.fall_trials == 0)
        return;
    tr_evaluate_wilson(f->steady, f->fell, &low, &high);
    add(to, "falls", "", f->fell);
    add(to, "falls_steady", "", f->steady);
    add(to, "falls_share_low", "", low);
    add(to, "falls_share_high", "", high);
    add(to, "falls_at_once", "", f->stands);
    add(to, "falls_steady_s", "", f->steady_s);
    add(to, "falls_head_ns", "", f->head_ns);
}

static tr_status add_clip(const tr_model *model, const tr_motion *motion,
                          tr_certificate_content *to) {
    tr_motion_report report;
    tr_status status = tr_motion_describe(model, motion, &report);
    if (status)
        return status;
    add(to, "clip_speed_mps", "", report.speed_mps);
    add(to, "clip_root_mean_m", "", report.root_mean_m);
    return TR_OK;
}

static tr_status add_tests(const tr_certificate *certificate, const tr_certificate_subject *of,
                           tr_certificate_content *to) {
    add_headings(certificate, to);
    if (!tr_certify_has_forces(of->controller))
        return TR_OK;
    add_held(certificate, to);
    add_resisting(certificate, to);
    add_pushes(certificate, to);
    add_tracking(&certificate->tracking, of->model, to);
    add_ground(certificate, to);
    add_lasting(certificate, to);
    add_falls(certificate, to);
    return of->motion ? add_clip(of->model, of->motion, to) : TR_OK;
}

static void add_walks(const tr_certificate *c, const tr_controller *controller,
                      tr_certificate_content *to) {
    const tr_graph_walk_result *w = &c->walk;
    const tr_control_graph *graph = tr_graph_of(controller);
    double low, high;
    int falls = 0;
    for (int n = 0; n < graph->node_count; n++) {
        falls += w->falls[n];
        if (w->visits[n] > 0)
            add(to, "walk_visits", graph->node[n].skill, (double)w->visits[n]);
        if (w->falls[n] > 0)
            add(to, "walk_falls", graph->node[n].skill, w->falls[n]);
    }
    tr_evaluate_wilson(w->upright, w->walks, &low, &high);
    add(to, TR_CERTIFICATE_SKILL, TR_CERTIFICATE_ALL_SKILLS, 1);
    add(to, "walks", "", w->walks);
    add(to, "walk_s", "", c->def.walk_s);
    add(to, "walks_upright", "", w->upright);
    add(to, "walks_share_low", "", low);
    add(to, "walks_share_high", "", high);
    add(to, "walk_minutes", "", w->total_s / 60);
    add(to, "walk_falls_ph", "", falls / (w->total_s / 3600));
    add(to, "walk_edges", "", (double)w->crossings);
    add(to, "walk_way_s", "", w->longest_way_s);
}

/* As the catalogue gives them back. */
static int compare_figures(const void *a, const void *b) {
    const tr_certificate_figure *x = a, *y = b;
    int order = strcmp(x->quantity, y->quantity);
    return order ? order : strcmp(x->item, y->item);
}

tr_status tr_certificate_list(const tr_certificate *certificate, const tr_certificate_subject *of,
                              tr_certificate_content *out, tr_error *error) {
    size_t pushes = (size_t)certificate->def.push.directions * (size_t)certificate->force_count;
    tr_certificate_content content = {.figure =
                                          calloc(TR_CERTIFICATE_FIGURE_MAX, sizeof *content.figure),
                                      .push = calloc(pushes + 1, sizeof *content.push)};
    tr_status status = content.figure && content.push ? TR_OK : TR_RESOURCE_EXHAUSTED;
    if (!status) {
        if (of->skill)
            add(&content, TR_CERTIFICATE_SKILL, of->skill, 1);
        if (certificate->def.walks > 0)
            add_walks(certificate, of->controller, &content);
        else
            status = add_tests(certificate, of, &content);
    }
    if (status) {
        tr_certificate_content_deinit(&content);
        return tr_fail_if(error, status, "certificate");
    }
    qsort(content.figure, (size_t)content.figure_count, sizeof *content.figure, compare_figures);
    *out = content;
    return TR_OK;
}

/* --- from quantities --- */

double tr_certificate_value(const tr_certificate_content *content, const char *quantity,
                            const char *item) {
    for (int i = 0; i < content->figure_count; i++)
        if (strcmp(content->figure[i].quantity, quantity) == 0 &&
            strcmp(content->figure[i].item, item) == 0)
            return content->figure[i].value;
    return (double)NAN;
}

double tr_certificate_single(const tr_certificate_content *content, const char *quantity) {
    return tr_certificate_value(content, quantity, "");
}
