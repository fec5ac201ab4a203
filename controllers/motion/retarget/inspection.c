#include "motion/retarget/import.h"

#include "motion/clips/figure.h"
#include "motion/measure/flight.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double DEG = 180 / TR_PI;

/* ---- The list ---- */

const char *tr_check_name(tr_check check) {
    static const char *const names[] = {
#define X(name, text, refuses) text,
        TR_CHECK_LIST(X)
#undef X
    };
    return names[check];
}

static bool refuses_always(tr_check check) {
    static const bool all[] = {
#define X(name, text, refuses) refuses,
        TR_CHECK_LIST(X)
#undef X
    };
    return all[check];
}

int tr_check_find(const char *name) {
    for (int check = 0; check < TR_CHECK_COUNT; check++)
        if (strcmp(name, tr_check_name((tr_check)check)) == 0)
            return check;
    return -1;
}

const char *tr_check_names(void) {
    static const char all[] =
#define X(name, text, refuses) text ", "
        TR_CHECK_LIST(X)
#undef X
        ;
    return all;
}

static void say(char *out, size_t capacity, const char *format, ...) TR_PRINTF(3, 4);

static void say(char *out, size_t capacity, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(out, capacity, format, arguments);
    va_end(arguments);
}

#define TEXT(...) say(out->text, sizeof out->text, __VA_ARGS__)
#define REMEDY(...) say(out->remedy, sizeof out->remedy, __VA_ARGS__)

/* ---- The source ---- */

/* Which way toes point and knees bend, with respect to the body's own front: the mean cosine of the
 * toes, and the mean of u x l along the hips, with thigh u and shank l. Both are positive in people,
 * but for straight knees, which may bend back a little. deepest: the least of the latter. */
typedef struct senses {
    bool has_toes;
    double toes, knees, deepest;
} senses;

static tr_vec3 direction(const tr_figure *figure, int from, int to) {
    return tr_vec3_normalize_or(tr_vec3_sub(figure->pos[to], figure->pos[from]), (tr_vec3){0});
}

static senses measure_senses(const tr_inspection *in) {
    tr_part_joints joints = tr_skeleton_joints(in->account->clip->skeleton, in->account->clip);
    senses s = {.has_toes = joints.of[TR_PART_LEFT_TOE] >= 0 && joints.of[TR_PART_RIGHT_TOE] >= 0};
    for (int f = in->account->first; f <= in->account->last; f++) {
        tr_figure at = tr_figure_frame(in->account->clip, &joints, f);
        tr_quat axes = tr_figure_axes(tr_figure_left(&at), tr_figure_trunk(&at));
        tr_vec3 front = tr_quat_rotate(axes, tr_vec3_make(1, 0, 0));
        tr_vec3 left = tr_quat_rotate(axes, tr_vec3_make(0, 1, 0));
        for (int side = 0; side < 2; side++) {
            tr_vec3 u = direction(&at, TR_PART_LEFT_HIP + side, TR_PART_LEFT_KNEE + side);
            tr_vec3 l = direction(&at, TR_PART_LEFT_KNEE + side, TR_PART_LEFT_ANKLE + side);
            double bend = tr_vec3_dot(tr_vec3_cross(u, l), left);
            s.knees += bend;
            s.deepest = fmin(s.deepest, bend);
            s.toes += tr_vec3_dot(
                direction(&at, TR_PART_LEFT_ANKLE + side, TR_PART_LEFT_TOE + side), front);
        }
    }
    int count = 2 * (in->account->last - in->account->first + 1);
    s.knees /= count;
    s.toes /= count;
    return s;
}

static bool check_sides(const tr_inspection *in, tr_finding *out) {
    /* Knees of healthy people bend back by up to 10 degrees when they are straight; knees that bend the
     * wrong way do so by more in some frame. Between, the toes decide. */
    static const double toes_back = -0.3, knees_back = -0.03, straight = -0.21;
    senses s = measure_senses(in);
    bool toes = s.has_toes && s.toes < toes_back;
    bool knees = s.knees < knees_back && (toes || s.deepest < straight);
    if (knees && (toes || !s.has_toes)) {
        TEXT("left and right are exchanged: %sknees bend against the body's front",
             toes ? "toes point and " : "");
        REMEDY("--left-handed if the file's axes are; otherwise exchange left and right in the "
               "joint map");
    } else if (knees) {
        TEXT("knees bend backwards, by %.0f deg on average", -s.knees * DEG);
        REMEDY("check hips, knees and ankles of the joint map (troupe-train skeleton)");
    } else if (toes) {
        TEXT("toes point backwards");
        REMEDY("check ankles and toes of the joint map (troupe-train skeleton)");
    }
    return toes || knees;
}

static bool check_calibration(const tr_inspection *in, tr_finding *out) {
    static const double limit_rad = 50 * TR_PI / 180;
    tr_part_joints joints = tr_skeleton_joints(in->account->clip->skeleton, in->account->clip);
    static const tr_part parts[] = {TR_PART_HIPS, TR_PART_CHEST};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double sum = 0;
        for (int f = in->account->first; f <= in->account->last; f++) {
            tr_figure at = tr_figure_frame(in->account->clip, &joints, f);
            tr_vec3 left = parts[i] == TR_PART_HIPS ? tr_figure_left(&at)
                                                    : tr_vec3_sub(at.pos[TR_PART_LEFT_SHOULDER],
                                                                  at.pos[TR_PART_RIGHT_SHOULDER]);
            tr_quat bones = tr_figure_axes(left, tr_figure_trunk(&at));
            tr_quat body = tr_quat_mul(at.rot[parts[i]], in->account->calibration.turn[parts[i]]);
            sum += tr_quat_angle(body, bones);
        }
        double error = sum / (in->account->last - in->account->first + 1);
        if (error <= limit_rad)
            continue;
        TEXT("calibrated by %s, the %s are turned %.0f deg away from their bones",
             tr_calibration_source_name(in->account->calibration.trunk), tr_part_name(parts[i]),
             error * DEG);
        REMEDY("--stand A-B with frames in which the character stands upright");
        return true;
    }
    return false;
}

/* The customary rate nearest to this one. */
static double customary_rate(double rate_hz) {
    static const double rates[] = {12, 15, 16, 20, 24, 25, 30, 48, 50, 60, 100, 120, 200, 240, 480};
    double best = rates[0];
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (fabs(rates[i] / rate_hz - 1) < fabs(best / rate_hz - 1))
            best = rates[i];
    return fabs(best / rate_hz - 1) < 0.2 ? best : round(rate_hz);
}

/* In a clip played s times too fast bodies fall with s^2 g. */
static bool check_rate(const tr_inspection *in, tr_finding *out) {
    static const double g = 9.81, low = 0.45, high = 2.2;
    tr_flight flight = {0};
    if (tr_motion_measure_flight(in->model, in->source, &flight) || flight.duration_s == 0)
        return false;
    double fall = flight.fall_mps2 / in->account->scale, ratio = fall / g;
    if (ratio >= low && ratio <= high)
        return false;
    double rate = 1 / in->account->clip->dt_s;
    TEXT("in free flight, %.2f s in all, the body falls with %.1f m/s2, not 9.81, at %.4g frames a "
         "second",
         flight.duration_s, fall, rate);
    if (ratio > 0.02)
        REMEDY("--rate %.4g, if that is the true rate; or --unit, if its metres are wrong",
               customary_rate(rate / sqrt(ratio)));
    else
        REMEDY("check --up, --unit and --rate");
    return true;
}

static bool check_breaks(const tr_inspection *in, tr_finding *out) {
    tr_part_joints joints = tr_skeleton_joints(in->account->clip->skeleton, in->account->clip);
    int count = 0, worst = 0;
    double fastest = 0;
    tr_part part, worst_part = TR_PART_HIPS;
    for (int f = in->account->first; f < in->account->last; f++) {
        if (!tr_figure_breaks(in->account->clip, &joints, f))
            continue;
        double leap = tr_figure_leap(in->account->clip, &joints, f, &part);
        count++;
        if (leap > fastest) {
            fastest = leap;
            worst = f;
            worst_part = part;
        }
    }
    if (!count)
        return false;
    TEXT("the motion breaks between frames %d and %d: %s leaps by %.0f cm%s", worst, worst + 1,
         tr_part_name(worst_part), 100 * fastest * in->account->clip->dt_s,
         count > 1 ? ", and at other frames" : "");
    REMEDY("--from or --to, so that the break is left out");
    return true;
}

/* ---- The cycle ---- */

/* Captured gaits differ from their mirror image by 16 to 21 deg, curves, dances and kicks by 35 and
 * more; a flip from its own by 26. */
static bool check_symmetry(const tr_inspection *in, tr_finding *out) {
    static const double turn_rad = 20 * TR_PI / 180;
    double limit_rad = (in->import->symmetric ? 28 : 32) * TR_PI / 180;
    if (!in->closed || !(in->import->symmetric || in->import->alike))
        return false;
    int shift = in->import->symmetric ? in->closed->frame_count / 2 : 0;
    double asymmetry = tr_motion_asymmetry(in->model, in->closed, shift);
    const tr_pose *first = &in->source->poses[0];
    const tr_pose *last = &in->source->poses[in->source->frame_count - 1];
    double turn = tr_angle_wrap(tr_quat_heading(last->root_rot) - tr_quat_heading(first->root_rot));
    if (asymmetry <= limit_rad && (fabs(turn) <= turn_rad || in->import->alike))
        return false;
    if (asymmetry > limit_rad)
        TEXT("the two halves are not mirror images: they differ by %.0f deg on average at the "
             "worst joint",
             asymmetry * DEG);
    else
        TEXT("the motion turns by %.0f deg, which a symmetric cycle cannot", turn * DEG);
    REMEDY("--cyclic or --return S instead of --%s, or other --from and --to",
           in->import->symmetric ? "symmetric" : "alike");
    return true;
}

/* Closing in S seconds turns the joints by gap / S more; 120 deg/s was found to be well learned. */
static bool check_gap(const tr_inspection *in, tr_finding *out) {
    static const double rate_rad_s = 150 * TR_PI / 180, small_rad = 10 * TR_PI / 180;
    static const double good_rad_s = 120 * TR_PI / 180;
    const tr_motion_gap *gap = &in->account->gap;
    if (!in->closed || gap->angle_rad < small_rad ||
        gap->angle_rad / fmax(in->closing_s, 1e-9) <= rate_rad_s)
        return false;
    TEXT("the ends differ by %.0f deg at '%s', bridged within %.2f s", gap->angle_rad * DEG,
         in->model->body[gap->body].name, in->closing_s);
    REMEDY("--return %.2f", fmin(fmax(gap->angle_rad / good_rad_s, 0.25), 1.0));
    return true;
}

/* What closing changes: shares of contact, speed and way on the path, turn, and the lowest point, in `unit`.
 * Less than `named_from` is lost by smoothing alone; from `refused_from` on it is another motion. */
typedef struct loss {
    const char *what, *unit;
    double clip, made, named_from, refused_from;
} loss;

static double lowest(const tr_inspection *in, const tr_motion_report *r) {
    double low = 0;
    for (int b = 0; b < in->model->body_count; b++)
        low = fmin(low, r->low_m[b]);
    return low;
}

static double turn_of(const tr_motion *motion) {
    if (motion->cyclic)
        return motion->cycle_turn_rad;
    return tr_angle_wrap(tr_quat_heading(motion->poses[motion->frame_count - 1].root_rot) -
                         tr_quat_heading(motion->poses[0].root_rot));
}

static bool check_closing(const tr_inspection *in, tr_finding *out) {
    const tr_motion_report *clip = in->open_report, *made = in->report;
    if (!clip)
        return false;
    const double speed = clip->path_m / clip->duration_s, turn = turn_of(in->open);
    const loss row[] = {
        {"lowest point", " cm", 100 * lowest(in, clip), 100 * lowest(in, made), 3, 10},
        {"contact of the left foot", " %", 100 * clip->contact_fraction[0],
         100 * made->contact_fraction[0], 15, 35},
        {"contact of the right foot", " %", 100 * clip->contact_fraction[1],
         100 * made->contact_fraction[1], 15, 35},
        {"time off the ground", " %", 100 * clip->flight_fraction, 100 * made->flight_fraction, 15,
         25},
        {"turn", " deg", turn * DEG,
         (turn + tr_angle_wrap(turn_of(in->made) - turn)) * DEG, /* 179 and -179 deg are near */
         TR_MOTION_STRAIGHT_RAD * DEG, 90},
        {"speed", " m/s", speed, made->path_m / made->duration_s, fmax(0.15 * speed, 0.15),
         fmax(0.5 * speed, 0.5)},
    };
    /* Before and after a rest pose the feet stand: only the lowest point is compared. */
    const size_t count = in->closed ? sizeof row / sizeof *row : 1;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        double lost = fabs(row[i].made - row[i].clip);
        out->refuses |= lost >= row[i].refused_from;
        if (lost < row[i].named_from || used >= sizeof out->text)
            continue;
        used += (size_t)snprintf(out->text + used, sizeof out->text - used,
                                 "%s%s %.3g%s becomes %.3g", used ? ", " : "the clip's ",
                                 row[i].what, row[i].clip, row[i].unit, row[i].made);
    }
    REMEDY("look at both with 'troupe-train strip'; other --from and --to, or another way to close "
           "it");
    return used > 0;
}

static bool check_stretch(const tr_inspection *in, tr_finding *out) {
    static const double limit = 0.03;
    if (fabs(in->account->stretch - 1) <= limit)
        return false;
    TEXT("the motion is %.1f %% %s than the clip", 100 * fabs(in->account->stretch - 1),
         in->account->stretch > 1 ? "slower" : "faster");
    REMEDY("leave --frames out, or ask for %d",
           (int)lround(in->made->frame_count / in->account->stretch));
    return true;
}

/* ---- The ground ---- */

static bool check_sinking(const tr_inspection *in, tr_finding *out) {
    static const double limit_m = 0.03;
    int deepest = 0;
    for (int b = 1; b < in->model->body_count; b++)
        if (in->report->low_m[b] < in->report->low_m[deepest])
            deepest = b;
    if (in->report->low_m[deepest] >= -limit_m)
        return false;
    TEXT("'%s' is %.1f cm below the ground at %.2f s", in->model->body[deepest].name,
         -100 * in->report->low_m[deepest], in->report->low_s[deepest]);
    REMEDY("look at a strip; the simulation lifts it, which changes the motion around it");
    return true;
}

static bool check_floating(const tr_inspection *in, tr_finding *out) {
    static const double limit_m = 0.03;
    tr_flight flight = {0};
    if (tr_motion_measure_flight(in->model, in->made, &flight))
        return false;
    if (in->report->foot_float_m <= limit_m && flight.raised_s == 0)
        return false;
    if (flight.raised_s > 0)
        TEXT("for %.2f s all of the body is above the ground, by %.0f cm on average",
             flight.raised_s, 100 * flight.raised_m);
    else
        TEXT("a stance is %.1f cm above the ground", 100 * in->report->foot_float_m);
    REMEDY("level ground is assumed: leave steps and stairs out by --from and --to, or give them "
           "to 'reconstruct --steps'");
    return true;
}

/* Of captured gaits, runs and stunts a foot stands at least three tenths of the time; where the
 * root stays in place while the legs run, none does. */
static bool check_standing(const tr_inspection *in, tr_finding *out) {
    static const double share = 0.05, near_s = 0.3;
    const tr_motion_report *r = in->report;
    if (r->near_fraction * r->duration_s < near_s ||
        1 - r->flight_fraction >= share * r->near_fraction)
        return false;
    TEXT("feet near the ground never stand: they slide with %.2f m/s", r->near_slip_mps);
    REMEDY(
        "look at a strip: does the body move in place, or its root not as its legs do? Otherwise "
        "check --rate and --unit");
    return true;
}

static bool check_slipping(const tr_inspection *in, tr_finding *out) {
    static const double limit_mps = 0.35;
    if (in->report->foot_slip_mps <= limit_mps)
        return false;
    TEXT("standing feet slip with %.2f m/s", in->report->foot_slip_mps);
    REMEDY("look at a strip: is the unit or the calibration of the feet wrong?");
    return true;
}

int tr_inspect(const tr_inspection *in, tr_finding *finding) {
    static bool (*const checks[TR_CHECK_COUNT])(const tr_inspection *, tr_finding *) = {
        [TR_CHECK_SIDES] = check_sides,       [TR_CHECK_CALIBRATION] = check_calibration,
        [TR_CHECK_RATE] = check_rate,         [TR_CHECK_SYMMETRY] = check_symmetry,
        [TR_CHECK_STANDING] = check_standing, [TR_CHECK_BREAKS] = check_breaks,
        [TR_CHECK_GAP] = check_gap,           [TR_CHECK_CLOSING] = check_closing,
        [TR_CHECK_STRETCH] = check_stretch,   [TR_CHECK_SINKING] = check_sinking,
        [TR_CHECK_FLOATING] = check_floating, [TR_CHECK_SLIPPING] = check_slipping,
    };
    int count = 0;
    for (int check = 0; check < TR_CHECK_COUNT; check++) {
        finding[count] = (tr_finding){(tr_check)check, refuses_always((tr_check)check), "", ""};
        count += checks[check](in, &finding[count]);
    }
    return count;
}
