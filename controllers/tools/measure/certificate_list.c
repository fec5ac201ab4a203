#include "tools/measure/certificate_list.h"

#include "learn/measure/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    double sum = 0;
    for (int i = 0; i < motion->frame_count; i++)
        sum += motion->poses[i].root_pos.z;
    add(to, "clip_speed_mps", "", report.speed_mps);
    add(to, "clip_root_mean_m", "", sum / motion->frame_count);
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
        return tr_fail(error, status, "certificate: %s", tr_status_text(status));
    }
    qsort(content.figure, (size_t)content.figure_count, sizeof *content.figure, compare_figures);
    *out = content;
    return TR_OK;
}

/* --- for people --- */

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

/* Skills with falls, behind the line of the walks. */
static void print_walks(FILE *file, const tr_certificate_content *c) {
    fprintf(
        file,
        "walks        %.0f of %.0f without a fall for %g s (95 %% interval %.3f to %.3f), over "
        "all skills at random\n"
        "             %.0f minutes, %.2f falls in an hour, %.0f edges taken, %.1f s at most to a "
        "skill\n",
        tr_certificate_single(c, "walks_upright"), tr_certificate_single(c, "walks"),
        tr_certificate_single(c, "walk_s"), tr_certificate_single(c, "walks_share_low"),
        tr_certificate_single(c, "walks_share_high"), tr_certificate_single(c, "walk_minutes"),
        tr_certificate_single(c, "walk_falls_ph"), tr_certificate_single(c, "walk_edges"),
        tr_certificate_single(c, "walk_way_s"));
    for (int i = 0; i < c->figure_count; i++)
        if (strcmp(c->figure[i].quantity, "walk_falls") == 0)
            fprintf(file, "  %.0f falls in %s, visited %.0f times\n", c->figure[i].value,
                    c->figure[i].item, tr_certificate_value(c, "walk_visits", c->figure[i].item));
}

/* How they were followed. */
static void print_following(FILE *file, const tr_certificate_content *c) {
    double turn_s = tr_certificate_single(c, "heading_turn_s");
    fprintf(file, "             reward %.0f of 1000 (middle half %.0f to %.0f), %.1f deg off late",
            tr_certificate_single(c, "heading_reward"),
            tr_certificate_single(c, "heading_reward_low"),
            tr_certificate_single(c, "heading_reward_high"),
            tr_certificate_single(c, "heading_late_deg"));
    if (isfinite(turn_s))
        fprintf(file, ", %.2f s from more than 90 deg", turn_s);
    fprintf(file, ", %.2f never reached, %.2f m/s\n", tr_certificate_single(c, "heading_missed"),
            tr_certificate_single(c, "heading_speed_mps"));
}

static void print_headings(FILE *file, const tr_certificate_content *c) {
    double trials = tr_certificate_single(c, "heading_trials");
    if (!isfinite(trials))
        return;
    fprintf(
        file,
        "headings     one every %.3g s: %.0f of %.0f without a fall for %g s (95 %% interval %.3f "
        "to "
        "%.3f); %.0f falls, up again after %.0f\n",
        tr_certificate_single(c, "heading_every_s"), tr_certificate_single(c, "heading_held"),
        trials, tr_certificate_single(c, "heading_s"),
        tr_certificate_single(c, "heading_share_low"),
        tr_certificate_single(c, "heading_share_high"), tr_certificate_single(c, "heading_falls"),
        tr_certificate_single(c, "heading_risen"));
    print_following(file, c);
}

static void print_held(FILE *file, const tr_certificate_content *c) {
    double hold_s = tr_certificate_single(c, "hold_s");
    fprintf(
        file, "undisturbed  %.0f of %.0f hold %g s (95 %% interval %.3f to %.3f), shortest %.1f s",
        tr_certificate_single(c, "held_trials"), tr_certificate_single(c, "hold_trials"), hold_s,
        tr_certificate_single(c, "held_share_low"), tr_certificate_single(c, "held_share_high"),
        tr_certificate_single(c, "held_shortest_s"));
    double hours = tr_certificate_single(c, "undisturbed_h");
    if (isfinite(hours))
        fprintf(file, ", %.1f hours in all", hours);
    fputc('\n', file);
}

static void print_resisting(FILE *file, const tr_certificate_content *c) {
    double trials = tr_certificate_single(c, "resist_trials");
    for (int i = 0; i < c->figure_count; i++) {
        const tr_certificate_figure *figure = &c->figure[i];
        if (strcmp(figure->quantity, "resisting_s") == 0)
            fprintf(file,
                    "resisting    %.1f s (+- %.1f s, 95 %%, %.0f trials), pushes growing by %s\n",
                    figure->value, tr_certificate_value(c, "resisting_half_s", figure->item),
                    trials, figure->item);
    }
}

static void print_largest(FILE *file, const tr_certificate_content *c, const char *item,
                          const char *label) {
    double push_s = tr_certificate_single(c, "push_s");
    double sure_n = tr_certificate_value(c, "push95_sure_n", item);
    fprintf(file, "  %-10s %8.0f %12.0f %9.1f %8.0f\n", label,
            tr_certificate_value(c, "push95_n", item), sure_n, sure_n * push_s,
            tr_certificate_value(c, "push50_n", item));
}

static void print_pushes(FILE *file, const tr_certificate_content *c) {
    fprintf(file,
            "pushes       of %g s on the trunk, %.0f trials a direction and force\n"
            "  %-10s %8s %12s %9s %8s\n",
            tr_certificate_single(c, "push_s"),
            tr_certificate_single(c, "push_phases") * tr_certificate_single(c, "push_starts"),
            "direction", "95 %, N", "95 % sure, N", "N s", "50 %, N");
    for (int i = 0; i < c->figure_count; i++) {
        const tr_certificate_figure *figure = &c->figure[i];
        if (strcmp(figure->quantity, "push95_n") != 0 || strcmp(figure->item, "all") == 0)
            continue;
        char label[16];
        snprintf(label, sizeof label, "%.1f deg", strtod(figure->item, NULL));
        print_largest(file, c, figure->item, label);
    }
    print_largest(file, c, "all", "all");
}

/* Items of one quantity in a line, in thousandths of their unit or in degrees. */
static void print_items(FILE *file, const tr_certificate_content *c, const char *quantity,
                        const char *label, double scale) {
    fprintf(file, "%s", label);
    for (int i = 0; i < c->figure_count; i++)
        if (strcmp(c->figure[i].quantity, quantity) == 0)
            fprintf(file, " %s %.1f", c->figure[i].item, scale * c->figure[i].value);
    fputc('\n', file);
}

static void print_tracking(FILE *file, const tr_certificate_content *c) {
    if (!isfinite(tr_certificate_single(c, "speed_mps")))
        return;
    fprintf(file, "tracking     %.2f m/s (reference %.2f", tr_certificate_single(c, "speed_mps"),
            tr_certificate_single(c, "reference_speed_mps"));
    if (isfinite(tr_certificate_single(c, "clip_speed_mps")))
        fprintf(file, ", clip %.2f", tr_certificate_single(c, "clip_speed_mps"));
    fprintf(file, "); root at %.3f m", tr_certificate_single(c, "root_mean_m"));
    if (isfinite(tr_certificate_single(c, "clip_root_mean_m")))
        fprintf(file, " (clip %.3f)", tr_certificate_single(c, "clip_root_mean_m"));
    char nsr[TR_NOISE_TEXT_MAX];
    tr_noise_ratio_print(tr_certificate_single(c, "nsr"), nsr);
    fprintf(file, ", %+.1f mm and %.1f deg off the reference; NSR %s\n",
            1000 * tr_certificate_single(c, "root_error_m"),
            tr_certificate_single(c, "root_error_rad") * 180 / TR_PI, nsr);
    fprintf(file, "feet         slip %.3f m/s; ground penetrated %.1f mm, at most %.1f mm\n",
            tr_certificate_single(c, "foot_slip_mps"),
            1000 * tr_certificate_single(c, "penetration_m"),
            1000 * tr_certificate_single(c, "penetration_max_m"));
    print_items(file, c, "joint_error_rad", "joints, deg ", 180 / TR_PI);
    print_items(file, c, "effector_error_m", "ends, mm    ", 1000);
}

static void print_ground(FILE *file, const tr_certificate_content *c) {
    double trials = tr_certificate_single(c, "ground_trials");
    if (!isfinite(trials))
        return;
    fprintf(file, "ground       95 %% of %.0f trials stay up for %g s:", trials,
            tr_certificate_single(c, "ground_s"));
    const char *before = " ";
    for (int kind = 0; kind < TR_TRIAL_GROUND_KINDS; kind++) {
        const tr_trial_ground_row *row = &tr_trial_ground_rows[kind];
        char quantity[TR_NAME_MAX];
        snprintf(quantity, sizeof quantity, "ground95_%s", row->unit);
        double amount = tr_certificate_value(c, quantity, row->name);
        if (!isfinite(amount))
            continue;
        fprintf(file, "%s%s %g %s", before, row->name, amount, row->unit);
        before = ", ";
    }
    fputc('\n', file);
}

static void print_lasting(FILE *file, const tr_certificate_content *c) {
    double trials = tr_certificate_single(c, "lasting_trials"), low, high;
    if (!isfinite(trials))
        return;
    fprintf(file, "forces that last, %g s\n", tr_certificate_single(c, "lasting_s"));
    for (int i = 0; i < TR_CERTIFY_LASTING; i++) {
        const char *name = tr_certify_lasting_rows[i].name;
        double held = tr_certificate_value(c, "lasting_held", name);
        if (!isfinite(held))
            continue;
        tr_evaluate_wilson((int)held, (int)trials, &low, &high);
        fprintf(file, "  %-14s %.0f of %.0f survive (95 %% interval %.3f to %.3f)\n", name, held,
                trials, low, high);
    }
}

/* Is the certificate that of a skill of a graph? */
static bool performs_skill(const tr_certificate_content *c) {
    bool any = false;
    for (int i = 0; i < c->figure_count; i++)
        any |= strcmp(c->figure[i].quantity, TR_CERTIFICATE_SKILL) == 0;
    return any;
}

static void print_falls(FILE *file, const tr_certificate_content *c) {
    const double falls = tr_certificate_single(c, "falls");
    if (!isfinite(falls))
        return;
    if (!(tr_certificate_single(c, "falls_steady") > 0)) {
        fprintf(file, "falls        none of %.0f up again\n", falls);
        return;
    }
    fprintf(
        file,
        "falls        %s for 2 s on end within 10 s after %.0f of %.0f (95 %% interval "
        "%.3f to %.3f), median %.1f s\n"
        "             %.0f are up in time and do not fall again within 2 s; blows to the head of "
        "%.0f N s\n",
        performs_skill(c) ? "in the skill again" : "up again",
        tr_certificate_single(c, "falls_steady"), falls,
        tr_certificate_single(c, "falls_share_low"), tr_certificate_single(c, "falls_share_high"),
        tr_certificate_single(c, "falls_steady_s"), tr_certificate_single(c, "falls_at_once"),
        tr_certificate_single(c, "falls_head_ns"));
}

void tr_certificate_print(FILE *file, const char *controller, const tr_certificate_row *row,
                          const tr_certificate_content *content) {
    char date[32] = "";
    time_t ended = (time_t)(row->ended_ns / 1000000000);
    struct tm utc;
    if (gmtime_r(&ended, &utc))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    const char *skill = tr_certificate_skill(content);
    if (strcmp(skill, TR_CERTIFICATE_ALL_SKILLS) == 0)
        skill = "";
    fprintf(file, "%s%s%s: certificate by method %d, seed %llu, %s, %.1f min\n", controller,
            skill[0] ? ", skill " : "", skill, row->method, (unsigned long long)row->seed, date,
            1e-9 / 60 * (double)(row->ended_ns - row->started_ns));
    fprintf(file, "command      %s\n", row->command);
    if (isfinite(tr_certificate_single(content, "walks"))) {
        print_walks(file, content);
        return;
    }
    print_headings(file, content);
    if (!isfinite(tr_certificate_single(content, "hold_trials")))
        return;
    print_held(file, content);
    print_resisting(file, content);
    print_pushes(file, content);
    print_tracking(file, content);
    print_ground(file, content);
    print_lasting(file, content);
    print_falls(file, content);
}
