#include "tools/measure/certificate_text.h"

#include "db/tables/controllers.h"
#include "learn/measure/noise.h"
#include "tools/measure/certificate_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- texts with figures ---
 *
 * In a text, "{quantity}" stands for the figure of that name, and "@" for the item at hand.
 *   {quantity@}, {quantity@ITEM}    of the item at hand, or of ITEM
 *   {1000*quantity}                 a product of figures and numbers
 *   {quantity:2}, {quantity:+12.2}  with 2 decimals; and a sign, at least 12 wide; {quantity:3g}: 3
 *                                   digits; else 6 digits
 *   [TEXT], [TEXT|OTHER]            OTHER, or nothing, where a figure in TEXT is not known
 * A figure that the certificate lacks is written as "-". */

typedef struct writing {
    FILE *file;
    const tr_certificate_content *content;
    const char *item;
} writing;

static double factor_of(const writing *w, const char *text) {
    char name[2 * TR_NAME_MAX], *end;
    const double number = strtod(text, &end);
    if (end != text)
        return number;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "*:}"), text);
    char *item = strchr(name, '@');
    if (!item)
        return tr_certificate_single(w->content, name);
    *item++ = 0;
    return tr_certificate_value(w->content, name, *item ? item : w->item);
}

/* Returns the text behind the factors, which *out is the product of. */
static const char *take_product(const writing *w, const char *text, double *out) {
    *out = factor_of(w, text);
    for (text += strcspn(text, "*:}"); *text == '*'; text += strcspn(text, "*:}"))
        *out *= factor_of(w, ++text);
    return text;
}

/* Writes what stands behind a "{", and returns the text behind its "}". */
static const char *write_figure(const writing *w, const char *text) {
    double value;
    text = take_product(w, text, &value);
    char *end = (char *)text;
    long width = 0, digits = *text == ':' ? strtol(text + 1, &end, 10) : 6;
    if (*end == '.') {
        width = digits;
        digits = strtol(end + 1, &end, 10);
    }
    if (!isfinite(value))
        fprintf(w->file, "%*s", (int)width, "-");
    else if (*text != ':' || *end == 'g')
        fprintf(w->file, "%.*g", (int)digits, value);
    else
        fprintf(w->file, text[1] == '+' ? "%+*.*f" : "%*.*f", (int)width, (int)digits, value);
    return end + strcspn(end, "}") + 1;
}

/* Are all figures up to the end of the optional text known? */
static bool knows_all(const writing *w, const char *text) {
    double value = 0;
    for (; isfinite(value) && *text != ']' && *text != '|'; text++)
        if (*text == '{')
            text = take_product(w, text + 1, &value);
    return isfinite(value);
}

static void write_text(const writing *w, const char *text) {
    bool optional = false;
    while (*text) {
        if (*text == '{') {
            text = write_figure(w, text + 1);
            continue;
        }
        if (*text == '[')
            optional = knows_all(w, text + 1);
        if (*text == '[' && !optional)
            text += strcspn(text, "|]");
        else if (*text == '|' && optional)
            text += strcspn(text, "]");
        else if (*text == '@')
            fputs(w->item, w->file);
        else if (*text != '[' && *text != ']')
            fputc(*text, w->file);
        optional &= *text != ']';
        text++;
    }
}

/* Writes a text for each item of a quantity, with `between` from the second on. Returns whether there
 * are any. */
static bool write_each(const writing *w, const char *quantity, const char *between,
                       const char *text) {
    bool any = false;
    for (int i = 0; i < w->content->figure_count; i++) {
        const tr_certificate_figure *figure = &w->content->figure[i];
        if (strcmp(figure->quantity, quantity) != 0)
            continue;
        fputs(any ? between : "", w->file);
        write_text(&(writing){w->file, w->content, figure->item}, text);
        any = true;
    }
    return any;
}

/* --- a page --- */

static void print_falls_in_walks(const writing *w) {
    write_each(w, "walk_falls", "",
               "  {walk_falls@:0} falls in @, visited {walk_visits@:0} times\n");
}

static void print_resisting(const writing *w) {
    write_each(w, "resisting_s", "",
               "resisting    {resisting_s@:1} s (+- {resisting_half_s@:1} s, 95 %, "
               "{resist_trials:0} trials), pushes growing by @\n");
}

static void print_pushes(const writing *w) {
    static const char row[] = "{push95_n@:8.0} {push95_sure_n@:12.0} "
                              "{push95_sure_n@*push_s:9.1} {push50_n@:8.0}\n";
    fprintf(w->file, "  %-10s %8s %12s %9s %8s\n", "direction", "95 %, N", "95 % sure, N", "N s",
            "50 %, N");
    for (int i = 0; i < w->content->figure_count; i++) {
        const tr_certificate_figure *figure = &w->content->figure[i];
        char label[16];
        if (strcmp(figure->quantity, "push95_n") != 0 || strcmp(figure->item, "all") == 0)
            continue;
        snprintf(label, sizeof label, "%.1f deg", strtod(figure->item, NULL));
        fprintf(w->file, "  %-10s ", label);
        write_text(&(writing){w->file, w->content, figure->item}, row);
    }
    fprintf(w->file, "  %-10s ", "all");
    write_text(&(writing){w->file, w->content, "all"}, row);
}

static void print_tracking(const writing *w) {
    char nsr[TR_NOISE_TEXT_MAX];
    tr_noise_ratio_print(tr_certificate_single(w->content, "nsr"), nsr);
    fprintf(w->file, "%s\n", nsr);
    write_text(w, "feet         slip {foot_slip_mps:3} m/s; ground penetrated "
                  "{1000*penetration_m:1} mm, at most {1000*penetration_max_m:1} mm\n"
                  "joints, deg  ");
    write_each(w, "joint_error_rad", " ", "@ {57.29577951308232*joint_error_rad@:1}");
    fputs("\nends, mm     ", w->file);
    write_each(w, "effector_error_m", " ", "@ {1000*effector_error_m@:1}");
    fputs("\n", w->file);
}

/* In the order of the kinds. */
static void print_ground(const writing *w) {
    const char *before = " ";
    for (int kind = 0; kind < TR_TRIAL_GROUND_KINDS; kind++) {
        const tr_trial_ground_row *row = &tr_trial_ground_rows[kind];
        char quantity[TR_NAME_MAX];
        snprintf(quantity, sizeof quantity, "ground95_%s", row->unit);
        const double amount = tr_certificate_value(w->content, quantity, row->name);
        if (!isfinite(amount))
            continue;
        fprintf(w->file, "%s%s %g %s", before, row->name, amount, row->unit);
        before = ", ";
    }
    fputc('\n', w->file);
}

static void print_lasting(const writing *w) {
    const double trials = tr_certificate_single(w->content, "lasting_trials");
    for (int i = 0; i < TR_CERTIFY_LASTING; i++) {
        const char *name = tr_certify_lasting_rows[i].name;
        double low, high, held = tr_certificate_value(w->content, "lasting_held", name);
        if (!isfinite(held))
            continue;
        tr_evaluate_wilson((int)held, (int)trials, &low, &high);
        fprintf(w->file, "  %-14s %.0f of %.0f survive (95 %% interval %.3f to %.3f)\n", name, held,
                trials, low, high);
    }
}

/* A certificate of a skill of a graph says who performs that again. */
static void print_falls(const writing *w) {
    if (!(tr_certificate_single(w->content, "falls_steady") > 0)) {
        write_text(w, "none of {falls:0} up again\n");
        return;
    }
    fputs(tr_certificate_skill(w->content)[0] ? "in the skill again" : "up again", w->file);
    write_text(w, " for 2 s on end within 10 s after {falls_steady:0} of {falls:0} (95 % interval "
                  "{falls_share_low:3} to {falls_share_high:3}), median {falls_steady_s:1} s\n"
                  "             {falls_at_once:0} are up in time and do not fall again within 2 s; "
                  "blows to the head of {falls_head_ns:0} N s\n");
}

/* Written, and then printed, where the certificate has the quantity. */
static const struct {
    const char *quantity, *text;
    void (*print)(const writing *w);
} sections[] = {
    {"walks",
     "walks        {walks_upright:0} of {walks:0} without a fall for {walk_s} s (95 % interval "
     "{walks_share_low:3} to {walks_share_high:3}), over all skills at random\n"
     "             {walk_minutes:0} minutes, {walk_falls_ph:2} falls in an hour, {walk_edges:0} "
     "edges taken, {walk_way_s:1} s at most to a skill\n",
     print_falls_in_walks},
    {"heading_trials",
     "headings     one every {heading_every_s:3g} s: {heading_held:0} of {heading_trials:0} "
     "without "
     "a fall for {heading_s} s (95 % interval {heading_share_low:3} to {heading_share_high:3}); "
     "{heading_falls:0} falls, up again after {heading_risen:0}\n"
     "             reward {heading_reward:0} of 1000 (middle half {heading_reward_low:0} to "
     "{heading_reward_high:0}), {heading_late_deg:1} deg off late[, {heading_turn_s:2} s from more "
     "than 90 deg], {heading_missed:2} never reached, {heading_speed_mps:2} m/s\n",
     NULL},
    {"hold_trials",
     "undisturbed  {held_trials:0} of {hold_trials:0} hold {hold_s} s (95 % interval "
     "{held_share_low:3} to {held_share_high:3}), shortest {held_shortest_s:1} s[, "
     "{undisturbed_h:1} hours in all]\n",
     print_resisting},
    {"push_s",
     "pushes       of {push_s} s on the trunk, {push_phases*push_starts:0} trials a direction and "
     "force\n",
     print_pushes},
    {"speed_mps",
     "tracking     {speed_mps:2} m/s (reference {reference_speed_mps:2}[, clip "
     "{clip_speed_mps:2}]); root at {root_mean_m:3} m[ (clip {clip_root_mean_m:3})], "
     "{1000*root_error_m:+1} mm and {57.29577951308232*root_error_rad:1} deg off the reference; "
     "NSR ",
     print_tracking},
    {"ground_trials",
     "ground       95 % of {ground_trials:0} trials stay up for {ground_s} s:", print_ground},
    {"lasting_trials", "forces that last, {lasting_s} s\n", print_lasting},
    {"falls", "falls        ", print_falls},
};

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
    const writing w = {file, content, ""};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (!isfinite(tr_certificate_single(content, sections[i].quantity)))
            continue;
        write_text(&w, sections[i].text);
        if (sections[i].print)
            sections[i].print(&w);
    }
}

/* --- tables --- */

/*   skill     of the certificates, as tr_certificates_list takes it
 *   quantity  a certificate without it gets no row
 *   each      this quantity ends the row, with a text for each of its items; NULL: none does */
typedef struct table {
    const char *skill, *quantity, *head, *row, *each, *text;
} table;

static const table tables[] = {
    {"", "hold_trials",
     "| controller | holds | pushes by 1 N/s, s | by 0.25 N/s, s | N by 95 %/surely/half | NSR | "
     "slip, mm/s | slope up/down/across, deg | kerb up/down/uneven, cm | trials |\n"
     "|---|---|---|---|---|---|---|---|---|---|\n",
     "| @ | {held_trials:0}/{hold_trials:0}, {hold_s:0} s | "
     "{resisting_s@1 N/s:0}±{resisting_half_s@1 N/s:0} | "
     "{resisting_s@0.25 N/s:0}±{resisting_half_s@0.25 N/s:0} | "
     "{push95_n@all:0}/{push95_sure_n@all:0}/{push50_n@all:0} | {nsr:2} | {1000*foot_slip_mps:0} | "
     "[{ground95_deg@slope up:0}/{ground95_deg@slope down:0}/{ground95_deg@slope across:0}|-] | "
     "[{100*ground95_m@kerb up:0}/{100*ground95_m@kerb down:0}/{100*ground95_m@uneven:0}|-] | "
     "{resist_trials:0}/{push_phases*push_starts:0}/{ground_trials:0} |\n",
     NULL, NULL},
    {"", "heading_trials",
     "\n| controller | headings without a fall | falls got up from | reward of 1,000 | late "
     "deviation, deg | never reached | m/s |\n"
     "|---|---|---|---|---|---|---|\n",
     "| @ | {heading_held:0} of {heading_trials:0} ({heading_share_low:2} to "
     "{heading_share_high:2}), {heading_s:0} s | {heading_risen:0} of {heading_falls:0} | "
     "{heading_reward:0} ({heading_reward_low:0} to {heading_reward_high:0}) | "
     "{heading_late_deg:0} | {heading_missed:2} | {heading_speed_mps:2} |\n",
     NULL, NULL},
    {TR_CERTIFICATE_ALL_SKILLS, "walks",
     "\n| graph | walks without a fall | falls an hour | falls |\n|---|---|---|---|\n",
     "| @ | {walks_upright:0} of {walks:0} ({walks_share_low:2} to {walks_share_high:2}) | "
     "{walk_falls_ph:2} | ",
     "walk_falls", "{walk_falls@:0} in @"},
};

static tr_status print_newest(FILE *file, tr_catalogue *catalogue, const table *of,
                              const tr_controller_row *controller, tr_error *error) {
    tr_certificate_row row;
    tr_certificate_content content = {0};
    int count = 1;
    tr_status status =
        tr_certificates_list(catalogue, controller->id, of->skill, &row, &count, error);
    if (status || count == 0)
        return status;
    status = tr_certificates_load(catalogue, row.id, &content, error);
    const writing w = {file, &content, controller->name};
    if (!status && isfinite(tr_certificate_single(&content, of->quantity))) {
        write_text(&w, of->row);
        if (of->each)
            fputs(write_each(&w, of->each, ", ", of->text) ? " |\n" : "none |\n", file);
    }
    tr_certificate_content_deinit(&content);
    return status;
}

static tr_status print_table(FILE *file, tr_catalogue *catalogue, const table *of,
                             tr_error *error) {
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
    for (size_t i = 0; !status && i < sizeof tables / sizeof *tables; i++)
        status = print_table(file, catalogue, &tables[i], error);
    return status;
}
