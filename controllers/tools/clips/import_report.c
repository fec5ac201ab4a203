#include "tools/clips/import_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double DEG = 180 / TR_PI;

/* ---- The clip ---- */

static void print_channels(const tr_clip *clip) {
    char orders[64] = "";
    size_t used = 0;
    for (int i = 0; i < clip->joint_count; i++) {
        const char *order = clip->joints[i].order;
        if (*order && !strstr(orders, order) && used + 5 < sizeof orders)
            used += (size_t)snprintf(orders + used, sizeof orders - used, "%s%s", used ? " " : "",
                                     order);
    }
    printf("rotations   %s\n", used ? orders : "quaternions");
}

static void print_skeleton(const tr_skeleton *skeleton) {
    const tr_skeleton_fit *fit = &skeleton->fit;
    printf("skeleton    %s (%d of %d parts found; shape: %d of %d tests)\n", skeleton->name,
           fit->named_count, fit->part_count, fit->passed_count, fit->test_count);
}

static void print_calibration(const tr_import_account *account) {
    const tr_calibration *c = &account->calibration;
    printf("upright     by %s", tr_calibration_source_name(c->trunk));
    if (c->frames.last >= c->frames.first)
        printf(" %d to %d", c->frames.first, c->frames.last);
    for (int side = 0; side < 2; side++)
        if (c->foot[side] != c->trunk)
            printf("; %s foot by %s", side ? "right" : "left",
                   tr_calibration_source_name(c->foot[side]));
    printf("\n");
    if (c->trunk == TR_CALIBRATION_BONES)
        printf(
            "            (the pitch of hips and chest may be off by 10 degrees; --stand A-B with "
            "frames that stand\n            makes it exact)\n");
}

void tr_import_report_clip(const tr_import_account *account) {
    const tr_clip *clip = account->clip;
    const tr_clip_findings *f = &clip->found;
    bool down = f->up >= 'A' && f->up <= 'Z';
    printf("clip        %s (%s), %d joints, frames %d to %d of %d, hash %016llx\n", clip->name,
           tr_clip_format_name(clip->format), clip->joint_count, account->first, account->last,
           clip->frame_count, (unsigned long long)clip->hash);
    print_skeleton(clip->skeleton);
    printf("units       %g m (%s), legs of %.3f m\n", f->unit_m,
           f->unit_given ? "stated" : "from the length of the legs", f->leg_m);
    printf("up          %s%c (%s)\n", down ? "-" : "", down ? f->up - 'A' + 'a' : f->up,
           f->up_given ? "stated" : "from how the body stands");
    printf("frame rate  %.4g Hz%s\n", 1 / clip->dt_s,
           f->rate_given     ? " (stated)"
           : f->rate_assumed ? " (the file states none; CMU's rate)"
                             : "");
    if (f->announced_frames > 0 && f->announced_frames != clip->frame_count)
        printf("            the file announces %d frames and has %d: all %d are read\n",
               f->announced_frames, clip->frame_count, clip->frame_count);
    print_channels(clip);
    print_calibration(account);
    for (int part = 0; part < TR_PART_COUNT; part++)
        printf("%s %-14s <- %s\n", part == 0 ? "joints     " : "           ",
               tr_part_name((tr_part)part),
               clip->skeleton->joint[part][0] ? clip->skeleton->joint[part] : "(none)");
}

/* ---- The motion ---- */

static void print_travel(const tr_import_account *account, const tr_motion *motion,
                         const tr_motion_report *r) {
    double duration_s = fmax(r->duration_s, motion->dt_s);
    printf("travel      %.2f m on the way, %.2f m/s; %.2f m from begin to end, %.2f m/s; turning "
           "%.0f deg\n",
           r->path_m, r->path_m / duration_s, r->way_m, r->speed_mps, r->turn_rad * DEG);
    if (motion->cyclic)
        printf("            per cycle %.3f m ahead, %.3f m left, %.1f deg\n", motion->cycle_shift.x,
               motion->cycle_shift.y, motion->cycle_turn_rad * DEG);
    printf("            (lengths are %.3f of the clip's, as the legs are)\n", account->scale);
}

/* Bodies more than 1 cm below the ground at some time. */
static void print_lows(const tr_model *model, const tr_motion_report *r) {
    static const double shown_m = 0.01;
    const char *separator = "sinking     ";
    for (int b = 0; b < model->body_count; b++)
        if (r->low_m[b] < -shown_m) {
            printf("%s%s %.1f cm at %.2f s", separator, model->body[b].name, -100 * r->low_m[b],
                   r->low_s[b]);
            separator = ", ";
        }
    printf("%s", strcmp(separator, ", ") == 0 ? "\n" : "");
}

static void print_findings(const tr_import_account *account) {
    printf("checks      %d of %d pass\n", TR_CHECK_COUNT - account->finding_count, TR_CHECK_COUNT);
    for (int i = 0; i < account->finding_count; i++)
        printf("  %-9s %s;\n            %s\n", tr_check_name(account->finding[i].check),
               account->finding[i].text, account->finding[i].remedy);
}

void tr_import_report_motion(const tr_import_account *account, const tr_model *model,
                             const tr_motion *motion, const tr_motion_report *r) {
    printf("motion      %s, %s, %d frames of %g s: %.3f s, %.1f %% of the clip's length in time\n",
           motion->name,
           motion->symmetric ? "symmetric cycle"
           : motion->cyclic  ? "cycle"
                             : "open",
           motion->frame_count, motion->dt_s, r->duration_s, 100 * account->stretch);
    print_travel(account, motion, r);
    if (motion->cyclic)
        printf("closing     ends differed by %.1f deg at '%s' and %.1f cm of height\n",
               account->gap.angle_rad * DEG, model->body[account->gap.body].name,
               100 * account->gap.height_m);
    printf("root        %.3f to %.3f m\n", r->root_low_m, r->root_high_m);
    printf("feet        sink %.1f cm, float %.1f cm, slip %.2f m/s; contact left %.0f %%, right "
           "%.0f %%, neither %.0f %%\n",
           r->foot_low_m < 0 ? -100 * r->foot_low_m : 0, 100 * r->foot_float_m, r->foot_slip_mps,
           100 * r->contact_fraction[0], 100 * r->contact_fraction[1], 100 * r->flight_fraction);
    if (account->drift_m > 0)
        printf("            the ground drifted by %.0f cm: levelled\n", 100 * account->drift_m);
    if (account->pitch_rad[0] != 0 || account->pitch_rad[1] != 0)
        printf("            they stood pitched by %.0f and %.0f deg: laid flat\n",
               account->pitch_rad[0] * DEG, account->pitch_rad[1] * DEG);
    print_lows(model, r);
    printf("joints      fastest %.1f rad/s\n", r->rate_max_rad_s);
    print_findings(account);
}
