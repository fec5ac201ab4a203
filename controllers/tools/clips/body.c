/* troupe-train body: a character model from a rig, a clip's skeleton or another model. */
#include "motion/body/body.h"
#include "draw/strip.h"
#include "model/mjcf.h"
#include "model/mjcf_write.h"
#include "model/model_build.h"
#include "motion/clips/skeleton_detect.h"
#include "motion/scan/scan.h"
#include "proto/sink.h"
#include "tools/frame/tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct request {
    const char *path, *name, *out, *map_out, *picture;
    tr_clip_options options;
    double mass_kg, height_m;
    tr_model *athlete, *model;
    tr_clip *clip; /* NULL: the body is from MJCF */
    tr_skin skin;
    tr_skeleton map;
    tr_body_account account;
} request;

static const tr_argument words[] = {
    {"FILE", TR_OPTION_TEXT, offsetof(request, path),
     "a rig (.glb, .gltf, .fbx), a clip (.bvh, .amc) or a model (.xml)"},
    {"--out BODY.xml", TR_OPTION_TEXT, offsetof(request, out), "write the body here (MJCF)",
     .needed = true},
    {"--map MAP.json", TR_OPTION_TEXT, offsetof(request, map_out),
     "write here which bone plays which part"},
    {"--picture X.svg", TR_OPTION_TEXT, offsetof(request, picture), "draw the body here"},
    {"--name N", TR_OPTION_TEXT, offsetof(request, name), "of the model (the file's)"},
    {"--mass KG", TR_OPTION_NUMBER, offsetof(request, mass_kg),
     "of the whole body (by volume, 985 kg/m3)", 0.1, 1000},
    {"--height M", TR_OPTION_NUMBER, offsetof(request, height_m),
     "sole to top (by the customary unit nearest to a person)", 0.1, 10},
    {"--skeleton S", TR_OPTION_TEXT, offsetof(request, options.skeleton),
     "joint map of the bones, by name or path (detected)"},
    {"--asf FILE", TR_OPTION_TEXT, offsetof(request, options.asf_path),
     "skeleton of an AMC (the .asf beside it)"},
    {0}};

/* ---- Making ---- */

static void name_of(const request *r, char out[TR_NAME_MAX]) {
    const char *slash = strrchr(r->path, '/');
    tr_text_copy(out, TR_NAME_MAX, r->name ? r->name : slash ? slash + 1 : r->path);
    char *dot = strrchr(out, '.');
    if (dot && dot != out && !r->name)
        *dot = '\0';
    for (char *c = out; *c; c++)
        *c = strchr("\"<>&", *c) ? '_' : *c;
}

/* Joints without limits get the athlete's for each kilogram, where a body has the athlete's name. */
static tr_status from_model(request *r, tr_error *error) {
    tr_status status = tr_mjcf_load(r->path, &r->model, error);
    if (status)
        return status;
    tr_model *model = r->model;
    if (r->mass_kg > 0)
        tr_body_scale_mass(model, r->mass_kg / model->mass);
    for (int i = 1; i < model->body_count; i++) {
        tr_body *body = &model->body[i];
        int same = tr_model_find_body(r->athlete, body->name);
        if (isfinite(body->torque_limit) || same < 0 || r->athlete->body[same].joint != body->joint)
            continue;
        double ratio = (r->mass_kg > 0 ? r->mass_kg : model->mass) / r->athlete->mass;
        const tr_body *from = &r->athlete->body[same];
        body->torque_by_axis = from->torque_by_axis;
        body->torque_limit = from->torque_limit * ratio;
        for (int k = 0; k < 6; k++)
            body->torque_range[k / 2][k % 2] = from->torque_range[k / 2][k % 2] * ratio;
    }
    name_of(r, model->name);
    tr_model_finish(model);
    return TR_OK;
}

/* Without every needed part there is no body: the message names the part, and what there is. */
static tr_status check_map(const request *r, tr_error *error) {
    tr_part lacking = tr_skeleton_lacking(&r->map, r->clip);
    if (lacking == TR_PART_COUNT)
        return TR_OK;
    return tr_fail(error, TR_FAILED_PRECONDITION,
                   "%.200s: no bone is '%s' among its %d (the first: '%.40s'): 'troupe-train "
                   "skeleton %.100s -o map.json' writes a map to complete; give it with --skeleton",
                   r->path, tr_part_name(lacking), r->clip->joint_count, r->clip->joints[0].name,
                   r->path);
}

static tr_status from_rig(request *r, tr_error *error) {
    char name[TR_NAME_MAX];
    name_of(r, name);
    r->options.skin = &r->skin;
    tr_status status = tr_clip_read(r->path, &r->options, &r->clip, error);
    if (!status)
        status = tr_skeleton_find(r->options.skeleton, r->clip, &r->map, error);
    if (!status)
        status = check_map(r, error);
    if (status)
        return status;
    const tr_body_def def = {r->athlete, r->clip, &r->map, &r->skin, name, r->mass_kg, r->height_m};
    status = tr_body_make(&def, &r->model, &r->account, error);
    if (!status)
        return TR_OK;
    tr_error inner = *error;
    return tr_fail(error, status, "%.200s: %.280s", r->path, inner.message);
}

/* ---- Showing ---- */

static void print_shape(const tr_geom *geom) {
    static const char *const kinds[] = {"sphere", "capsule", "box", "cylinder"};
    printf("%-8s", kinds[geom->kind]);
    if (geom->kind == TR_GEOM_BOX)
        printf(" %3.0f x %3.0f x %3.0f", 200 * geom->size.x, 200 * geom->size.y,
               200 * geom->size.z);
    else
        printf(" %3.0f x %3.0f      ", 200 * geom->size.x, 200 * (geom->size.x + geom->size.y));
}

static void print_table(const request *r) {
    const tr_model *model = r->model;
    printf("%-8s %-24s %-9s %s\n", "body", "shape, cm", "mass, kg", "most torque, N m");
    for (int i = 0; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        const tr_geom *geom = NULL;
        for (int g = model->geom_count - 1; g >= 0; g--)
            geom = model->geom[g].body == i ? &model->geom[g] : geom;
        printf("%-8s ", body->name);
        if (geom)
            print_shape(geom);
        printf("  %7.2f  ", body->mass);
        if (i > 0 && isfinite(body->torque_limit))
            printf("%7.0f", body->torque_limit);
        printf("%s\n", r->clip && !(r->account.by_skin >> i & 1) ? "  (shape: the athlete's)" : "");
    }
    printf("%s: %.2f m, %.1f kg, %d degrees of freedom\n", model->name, model->height, model->mass,
           model->dof_count);
}

/* The rest pose, from the side and from the front. */
static tr_status draw(const request *r, tr_error *error) {
    tr_pose rest = tr_pose_rest(r->model);
    tr_strip_row rows[2];
    rows[0] = (tr_strip_row){.label = "side", .model = r->model, .poses = &rest, .figure_count = 1};
    rows[1] = rows[0];
    rows[1].label = "front";
    rows[1].view = TR_STRIP_FRONT;
    const tr_strip strip = {.title = r->model->name, .rows = rows, .row_count = 2};
    return tr_strip_save(&strip, r->picture, error);
}

static tr_status save(const request *r, tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_status status = tr_mjcf_print(
        r->model, "Made by troupe-train body. Units SI, z up, x ahead.", &text, &size);
    if (status)
        return tr_fail(error, status, "%s: out of memory", r->out);
    status = tr_sink_write(r->out, text, size, error);
    free(text);
    return status;
}

static tr_status make(request *r, tr_error *error) {
    const char *dot = strrchr(r->path, '.');
    tr_status status = tr_mjcf_load(TR_MODEL_DIR "/athlete.xml", &r->athlete, error);
    if (!status)
        status = dot && strcasecmp(dot, ".xml") == 0 ? from_model(r, error) : from_rig(r, error);
    if (status)
        return status;
    if (r->map_out && !r->clip)
        return tr_fail(error, TR_INVALID_ARGUMENT, "--map: a model has no bones to map");
    if (r->clip) {
        printf("rig         %d bones, %d vertices; map %s; %g m a unit\n", r->clip->joint_count,
               r->skin.count, r->map.name, r->account.unit_m);
        for (int part = 0; part < TR_PART_COUNT; part++)
            printf("%s %-14s <- %s\n", part == 0 ? "bones      " : "           ",
                   tr_part_name((tr_part)part),
                   r->map.joint[part][0] ? r->map.joint[part] : "(none)");
        if (r->account.touching)
            printf("%d pairs of bodies overlap at rest and never collide\n", r->account.touching);
    }
    print_table(r);
    status = save(r, error);
    if (!status && r->map_out)
        status = tr_skeleton_save(&r->map, r->model->name, r->map_out, error);
    return !status && r->picture ? draw(r, error) : status;
}

static tr_status run(const void *given, tr_error *error) {
    request r = *(const request *)given;
    tr_status status = make(&r, error);
    tr_skin_deinit(&r.skin);
    tr_clip_destroy(r.clip);
    tr_model_destroy(r.model);
    tr_model_destroy(r.athlete);
    return status;
}

const tr_tool_command tr_tool_body = {
    .name = "body",
    .summary = "make a character model from a rigged mesh, a clip's skeleton or a model",
    .help = "Proportions come from the bones, shapes and masses from the mesh that they move (glTF "
            "2.0,\nFBX), or from the athlete's where there is no mesh. Joints, limits and strength "
            "are the\nathlete's, scaled by mass. Look at the table and the picture; then learn a "
            "clip on it.\nOf a model, masses and missing limits of strength are set anew.\n",
    .example = "  troupe-train body hero.glb -o hero.xml --map hero.json --picture hero.svg\n"
               "  troupe-train learn walk.bvh --model hero.xml -o hero-walk.troupe\n",
    .options = sizeof(request),
    .argument = words,
    .run = run,
};
