/* troupe-train import: a motion-capture clip becomes a motion of a character model. */
#include "db/tables/clips.h"
#include "model/mjcf.h"
#include "motion/clips/bvh.h"
#include "motion/retarget/retarget.h"
#include "tools/frame/options.h"
#include "tools/frame/tool.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The command line. */
typedef struct arguments {
    const char *clip, *model, *out, *bvh, *stand;
    tr_import import;
} arguments;

/* What such a number may be is for the import to say. */
static const double ANY = 1e9;

static int parse(int argc, char **argv, arguments *a) {
    tr_import *im = &a->import;
    const char *up = NULL;
    bool stiff = false;
    const tr_option table[] = {
        {"model", TR_OPTION_TEXT, &a->model, 0, 0},
        {"from", TR_OPTION_COUNT, &im->first, 0, TR_CLIP_FRAME_MAX},
        {"to", TR_OPTION_COUNT, &im->last, 0, TR_CLIP_FRAME_MAX},
        {"out", TR_OPTION_TEXT, &a->out, 0, 0},
        {"bvh", TR_OPTION_TEXT, &a->bvh, 0, 0},
        {"stand", TR_OPTION_TEXT, &a->stand, 0, 0},
        {"cyclic", TR_OPTION_FLAG, &im->cyclic, 0, 0},
        {"symmetric", TR_OPTION_FLAG, &im->symmetric, 0, 0},
        {"alike", TR_OPTION_FLAG, &im->alike, 0, 0},
        {"return", TR_OPTION_NUMBER, &im->return_s, -ANY, ANY},
        {"blend", TR_OPTION_NUMBER, &im->blend_s, -ANY, ANY},
        {"from-rest", TR_OPTION_NUMBER, &im->from_rest_s, -ANY, ANY},
        {"to-rest", TR_OPTION_NUMBER, &im->to_rest_s, -ANY, ANY},
        {"from-lying", TR_OPTION_NUMBER, &im->from_lying_s, -ANY, ANY},
        {"frames", TR_OPTION_COUNT, &im->frame_count, 0, TR_CLIP_FRAME_MAX},
        {"dt", TR_OPTION_NUMBER, &im->dt_s, -ANY, ANY},
        {"smooth", TR_OPTION_NUMBER, &im->smooth_s, -ANY, ANY},
        {"ground", TR_OPTION_NUMBER, &im->ground, -ANY, ANY},
        {"stiff", TR_OPTION_FLAG, &stiff, 0, 0},
        {"name", TR_OPTION_TEXT, &im->name, 0, 0},
        {"licence", TR_OPTION_TEXT, &im->licence, 0, 0},
        {"origin", TR_OPTION_TEXT, &im->origin, 0, 0},
        {"skeleton", TR_OPTION_TEXT, &im->clip.skeleton, 0, 0},
        {"asf", TR_OPTION_TEXT, &im->clip.asf_path, 0, 0},
        {"unit", TR_OPTION_NUMBER, &im->clip.unit_m, -ANY, ANY},
        {"rate", TR_OPTION_NUMBER, &im->clip.rate_hz, -ANY, ANY},
        {"up", TR_OPTION_TEXT, &up, 0, 0},
    };
    if (!tr_options_take("import", argc, argv, table, sizeof table / sizeof *table))
        return TR_TOOL_USAGE;
    if (up && strlen(up) != 1) {
        fprintf(stderr, "troupe-train import: --up %s: expected one letter\n", up);
        return TR_TOOL_USAGE;
    }
    if (up)
        im->clip.up = up[0];
    im->touch = !stiff;
    if (optind != argc - 1)
        return TR_TOOL_USAGE;
    a->clip = argv[optind];
    return TR_TOOL_OK;
}

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

static void print_found(const tr_clip *clip, const tr_skeleton *skeleton) {
    const tr_clip_findings *f = &clip->found;
    printf("clip        %s (%s), %d joints, %d frames, hash %016llx\n", clip->name,
           tr_clip_format_name(clip->format), clip->joint_count, clip->frame_count,
           (unsigned long long)clip->hash);
    printf("skeleton    %s\n", f->skeleton);
    printf("units       %g m (%s), legs of %.3f m\n", f->unit_m,
           f->unit_given ? "stated" : "from the length of the legs", f->leg_m);
    printf("up          %c (%s)\n", f->up,
           f->up_given ? "stated" : "from the chest above the feet");
    printf("frame rate  %.4g Hz%s\n", 1 / clip->dt_s,
           f->rate_given                 ? " (stated)"
           : clip->format == TR_CLIP_AMC ? " (the format states none; CMU's rate)"
                                         : "");
    print_channels(clip);
    for (int part = 0; part < TR_PART_COUNT; part++)
        printf("%s %-14s <- %s\n", part == 0 ? "joints     " : "           ",
               tr_part_name((tr_part)part),
               skeleton->joint[part][0] ? skeleton->joint[part] : "(none)");
}

static void print_report(const tr_motion *motion, const tr_motion_report *r) {
    printf("motion      %s, %s, %d frames of %g s: %.3f s\n", motion->name,
           motion->symmetric ? "symmetric cycle"
           : motion->cyclic  ? "cycle"
                             : "open",
           motion->frame_count, motion->dt_s, r->duration_s);
    printf("travel      %.2f m/s, turning %.0f deg", r->speed_mps, r->turn_rad * 180 / TR_PI);
    if (motion->cyclic)
        printf("; per cycle %.3f m, %.3f m, %.1f deg", motion->cycle_shift.x, motion->cycle_shift.y,
               motion->cycle_turn_rad * 180 / TR_PI);
    printf("\nroot        %.3f to %.3f m\n", r->root_low_m, r->root_high_m);
    printf(
        "feet        sink %.1f cm, float %.1f cm, slip %.2f m/s; contact left %.0f %%, right %.0f "
        "%%, neither %.0f %%\n",
        r->foot_low_m < 0 ? -100 * r->foot_low_m : 0, 100 * r->foot_float_m, r->foot_slip_mps,
        100 * r->contact_fraction[0], 100 * r->contact_fraction[1], 100 * r->flight_fraction);
    printf("joints      fastest %.1f rad/s\n", r->rate_max_rad_s);
}

/* --stand A-B: the calibration of a joint map, as text for its file. */
static int print_calibration(const arguments *a, const tr_clip *clip, tr_skeleton *skeleton) {
    int first, last;
    if (sscanf(a->stand, "%d-%d", &first, &last) != 2 ||
        tr_skeleton_calibrate(skeleton, clip, first, last)) {
        fprintf(stderr, "troupe-train import: --stand: expected frames A-B of the clip\n");
        return TR_TOOL_USAGE;
    }
    printf("  \"calibration\": {");
    const char *separator = "";
    for (int part = 0; part < TR_PART_COUNT; part++) {
        tr_quat q = skeleton->calibration[part];
        if (q.w == 1)
            continue;
        printf("%s\n    \"%s\": [%.9f, %.9f, %.9f, %.9f]", separator, tr_part_name((tr_part)part),
               q.w, q.x, q.y, q.z);
        separator = ",";
    }
    printf("\n  },\n");
    return TR_TOOL_OK;
}

/* The digest by which catalogues know the clip goes with the motion. */
static tr_status note_clip(const arguments *a, tr_motion *motion, tr_error *error) {
    static_assert(sizeof motion->source.digest == TR_DIGEST_TEXT_MAX, "a digest as text");
    tr_digest digest;
    tr_status status = tr_clips_digest_file(a->clip, &digest, error);
    if (status == TR_OK)
        tr_digest_format(&digest, motion->source.digest);
    return status;
}

static tr_status save(const arguments *a, const tr_model *model, tr_motion *motion,
                      tr_error *error) {
    tr_status status = note_clip(a, motion, error);
    if (!status && a->out)
        status = tr_motion_save(motion, a->out, error);
    if (!status && a->bvh)
        status = tr_bvh_save_motion(model, motion, a->bvh, error);
    return status;
}

static int import_motion(const arguments *a, tr_error *error) {
    tr_model *model = NULL;
    tr_motion *motion = NULL;
    tr_clip *clip = NULL;
    tr_skeleton skeleton;
    tr_motion_report report;
    tr_status status = tr_mjcf_load(a->model, &model, error);
    if (!status)
        status = tr_import_run(a->clip, model, &a->import, &motion, &clip, error);
    if (!status)
        status = tr_skeleton_load(a->import.clip.skeleton ? a->import.clip.skeleton
                                                          : clip->found.skeleton,
                                  a->import.clip.skeleton_dir, &skeleton, error);
    if (!status && (status = tr_motion_describe(model, motion, &report)))
        status = tr_fail(error, status, "%s: report: %s", a->clip, tr_status_text(status));
    int code = status ? TR_TOOL_FAILED : TR_TOOL_OK;
    if (!status && a->stand) {
        code = print_calibration(a, clip, &skeleton);
    } else if (!status) {
        print_found(clip, &skeleton);
        print_report(motion, &report);
        code = save(a, model, motion, error) ? TR_TOOL_FAILED : TR_TOOL_OK;
    }
    tr_clip_destroy(clip);
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return code;
}

static int exec_import(int argc, char **argv) {
    arguments a = {.model = TR_MODEL_DIR "/humanoid.xml", .import = tr_import_default()};
    tr_error error = {0};
    int code = parse(argc, argv, &a);
    if (code)
        return code;
    code = import_motion(&a, &error);
    if (code == TR_TOOL_FAILED)
        fprintf(stderr, "troupe-train import: %s\n", error.message);
    return code;
}

const tr_tool_command tr_tool_import = {
    .name = "import",
    .arguments = "CLIP [--model M] [--from A] [--to B] [--cyclic | --symmetric | --return S | "
                 "--blend S] [-o MOTION]",
    .summary = "turn a motion-capture clip (BVH, AMC, DeepMimic) into a motion of a model",
    .help =
        "Reads the clip, says what it found (units, up axis, frame rate, joints), puts it on the "
        "model\n"
        "and on the ground, and reports speed and foot contacts.\n\n"
        "  --model M         character model, MJCF (the shipped humanoid.xml)\n"
        "  --from A --to B   frames of the clip, counted from 0, both included (all)\n"
        "  --cyclic          the last frame is the first again; the gap is spread over the cycle\n"
        "  --symmetric       a cyclic gait whose second half mirrors the first\n"
        "  --alike           both sides do the same, as in a flip: two cycles, the second "
        "mirrored\n"
        "  --return S        cyclic by a blended way back of S seconds to the first pose\n"
        "  --blend S         cyclic by blending the gap away over the last S seconds\n"
        "  --from-rest S     begins in the rest pose, S seconds before the clip\n"
        "  --to-rest S       ends in the rest pose, S seconds after the clip, and stays as long\n"
        "  --from-lying S    begins lying, arms and legs spread, S seconds before the clip\n"
        "  --frames N        exactly N frames; the motion is stretched to fit\n"
        "  --dt S            time step of the motion (0.005)\n"
        "  --smooth S        Gaussian smoothing, standard deviation (0.02)\n"
        "  --ground P        put percentile P of the lowest foot point on the ground (fit the "
        "contacts)\n"
        "  --stiff           do not bend toes, wrists and legs to meet the ground\n"
        "  --skeleton S      joint map, by name or path (detected)\n"
        "  --asf FILE        skeleton of an AMC (the .asf beside it)\n"
        "  --unit M --up X --rate HZ   metres per unit, up axis, frame rate (detected)\n"
        "  --name N --licence T --origin T   provenance, kept in the motion\n"
        "  --bvh FILE        also write the result as BVH\n"
        "  --stand A-B       print the calibration of a joint map from frames that stand upright\n"
        "  -o MOTION         where to write the motion, JSON (without: only the report)\n\n"
        "  troupe-train import 16_36_1.bvh --from 10 --to 34 --symmetric --frames 160 -o run.json\n"
        "  troupe-train import humanoid3d_spinkick.txt --return 0.32 --frames 320 -o spin.json\n",
    .exec = exec_import,
};
