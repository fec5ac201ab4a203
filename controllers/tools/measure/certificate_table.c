#include "tools/measure/certificate_table.h"
#include "tools/measure/certificate_list.h"

#include "db/tables/controllers.h"

#include <math.h>
#include <string.h>

/* --- what each controller holds --- */

/* The value behind `before`, to `decimals` decimals; "-" where the certificate lacks it. */
static void print_cell(FILE *file, const char *before, int decimals, double value) {
    if (isfinite(value))
        fprintf(file, "%s%.*f", before, decimals, value);
    else
        fprintf(file, "%s-", before);
}

/* Three cells, with slashes between them. */
static void print_three(FILE *file, int decimals, double a, double b, double c) {
    print_cell(file, " | ", decimals, a);
    print_cell(file, "/", decimals, b);
    print_cell(file, "/", decimals, c);
}

static void print_resisting(FILE *file, const tr_certificate_content *c, const char *growth) {
    print_cell(file, " | ", 0, tr_certificate_value(c, "resisting_s", growth));
    print_cell(file, "±", 0, tr_certificate_value(c, "resisting_half_s", growth));
}

/* The forces that 95 % of the trials survive, surely do, and half survive. */
static void print_pushes(FILE *file, const tr_certificate_content *c) {
    print_three(file, 0, tr_certificate_value(c, "push95_n", "all"),
                tr_certificate_value(c, "push95_sure_n", "all"),
                tr_certificate_value(c, "push50_n", "all"));
}

/* Slopes in degrees, kerbs and uneven ground in cm. */
static void print_ground(FILE *file, const tr_certificate_content *c) {
    static const struct {
        const char *quantity, *unit;
        double scale;
    } sort[] = {{"ground95_deg", "deg", 1}, {"ground95_m", "m", 100}};
    bool is_measured = isfinite(tr_certificate_single(c, "ground_trials"));
    for (size_t s = 0; s < sizeof sort / sizeof *sort; s++) {
        const char *before = " | ";
        for (int kind = 0; is_measured && kind < TR_TRIAL_GROUND_KINDS; kind++) {
            const tr_trial_ground_row *row = &tr_trial_ground_rows[kind];
            if (row->step <= 0 || strcmp(row->unit, sort[s].unit) != 0)
                continue;
            print_cell(file, before, 0,
                       sort[s].scale * tr_certificate_value(c, sort[s].quantity, row->name));
            before = "/";
        }
        fputs(is_measured ? "" : " | -", file);
    }
}

static void print_trials_row(FILE *file, const char *controller,
                             const tr_certificate_content *content) {
    if (!isfinite(tr_certificate_single(content, "hold_trials")))
        return;
    fprintf(
        file, "| %s | %.0f/%.0f, %.0f s", controller, tr_certificate_single(content, "held_trials"),
        tr_certificate_single(content, "hold_trials"), tr_certificate_single(content, "hold_s"));
    print_resisting(file, content, "1 N/s");
    print_resisting(file, content, "0.25 N/s");
    print_pushes(file, content);
    print_cell(file, " | ", 2, tr_certificate_single(content, "nsr"));
    print_cell(file, " | ", 0, 1000 * tr_certificate_single(content, "foot_slip_mps"));
    print_ground(file, content);
    print_three(file, 0, tr_certificate_single(content, "resist_trials"),
                tr_certificate_single(content, "push_phases") *
                    tr_certificate_single(content, "push_starts"),
                tr_certificate_single(content, "ground_trials"));
    fputs(" |\n", file);
}

/* --- headings --- */

static void print_headings_row(FILE *file, const char *controller,
                               const tr_certificate_content *content) {
    double trials = tr_certificate_single(content, "heading_trials");
    if (!isfinite(trials))
        return;
    fprintf(
        file,
        "| %s | %.0f of %.0f (%.2f to %.2f), %.0f s | %.0f of %.0f | %.0f (%.0f to %.0f) | %.0f | "
        "%.2f | %.2f |\n",
        controller, tr_certificate_single(content, "heading_held"), trials,
        tr_certificate_single(content, "heading_share_low"),
        tr_certificate_single(content, "heading_share_high"),
        tr_certificate_single(content, "heading_s"),
        tr_certificate_single(content, "heading_risen"),
        tr_certificate_single(content, "heading_falls"),
        tr_certificate_single(content, "heading_reward"),
        tr_certificate_single(content, "heading_reward_low"),
        tr_certificate_single(content, "heading_reward_high"),
        tr_certificate_single(content, "heading_late_deg"),
        tr_certificate_single(content, "heading_missed"),
        tr_certificate_single(content, "heading_speed_mps"));
}

/* --- walks --- */

static void print_walks_row(FILE *file, const char *controller,
                            const tr_certificate_content *content) {
    fprintf(file, "| %s | %.0f of %.0f (%.2f to %.2f) | %.2f |", controller,
            tr_certificate_single(content, "walks_upright"),
            tr_certificate_single(content, "walks"),
            tr_certificate_single(content, "walks_share_low"),
            tr_certificate_single(content, "walks_share_high"),
            tr_certificate_single(content, "walk_falls_ph"));
    const char *before = " ";
    for (int i = 0; i < content->figure_count; i++)
        if (strcmp(content->figure[i].quantity, "walk_falls") == 0) {
            fprintf(file, "%s%.0f in %s", before, content->figure[i].value,
                    content->figure[i].item);
            before = ", ";
        }
    fputs(before[0] == ' ' ? " none |\n" : " |\n", file);
}

/* --- all --- */

typedef struct sort {
    const char *skill; /* of the certificates, as tr_certificates_list takes it */
    const char *head;
    void (*print_row)(FILE *, const char *, const tr_certificate_content *);
} sort;

static const sort sorts[] = {
    {"",
     "| controller | holds | pushes by 1 N/s, s | by 0.25 N/s, s | N by 95 %/surely/half | NSR | "
     "slip, mm/s | slope up/down/across, deg | kerb up/down/uneven, cm | trials |\n"
     "|---|---|---|---|---|---|---|---|---|---|\n",
     print_trials_row},
    {"",
     "\n| controller | headings without a fall | falls got up from | reward of 1,000 | late "
     "deviation, "
     "deg | never reached | m/s |\n"
     "|---|---|---|---|---|---|---|\n",
     print_headings_row},
    {TR_CERTIFICATE_ALL_SKILLS,
     "\n| graph | walks without a fall | falls an hour | falls |\n|---|---|---|---|\n",
     print_walks_row},
};

static tr_status print_newest(FILE *file, tr_catalogue *catalogue, const sort *of,
                              const tr_controller_row *controller, tr_error *error) {
    tr_certificate_row row;
    tr_certificate_content content = {0};
    int count = 1;
    tr_status status =
        tr_certificates_list(catalogue, controller->id, of->skill, &row, &count, error);
    if (status || count == 0)
        return status;
    status = tr_certificates_load(catalogue, row.id, &content, error);
    if (!status)
        of->print_row(file, controller->name, &content);
    tr_certificate_content_deinit(&content);
    return status;
}

static tr_status print_sort(FILE *file, tr_catalogue *catalogue, const sort *of, tr_error *error) {
    tr_controller_row controller = {0};
    char after[TR_NAME_MAX] = "";
    const tr_controller_filter filter = {.after = after};
    tr_status status = TR_OK;
    fputs(of->head, file);
    for (int count = 1; !status && count > 0;) {
        status = tr_controllers_list(catalogue, &filter, &controller, &count, error);
        if (!status && count > 0)
            status = print_newest(file, catalogue, of, &controller, error);
        memcpy(after, controller.name, sizeof after);
    }
    return status;
}

tr_status tr_certificate_table_print(FILE *file, tr_catalogue *catalogue, tr_error *error) {
    tr_status status = TR_OK;
    for (size_t i = 0; !status && i < sizeof sorts / sizeof *sorts; i++)
        status = print_sort(file, catalogue, &sorts[i], error);
    return status;
}
