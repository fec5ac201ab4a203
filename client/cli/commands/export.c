#include "cli/output.h"
#include "cli/recorded_motion.h"
#include "cli/recording_source.h"
#include "cli/rig.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct values {
    const char *source, *bvh, *csv, *gltf, *character, *rig, *bones;
    double rate_hz;
} values;

static const values defaults = {.rate_hz = 30};

enum { MODELS_MAX = 16 };

typedef struct kept_model {
    char name[48], (*body_name)[48];
    int body_count;
    tr_client_body *body; /* [body_count] */
} kept_model;

/* A running export. `motion` is of the first character, or of the requested one. */
typedef struct export_job {
    const values *v;
    uint32_t world, every, entity;
    int64_t length;
    double step_s;
    tr_sink csv; /* its file is NULL: none */
    tr_recorded_motion motion;
    tr_bone_rig rig; /* empty: the character's own bodies */
    int frames, model_count;
    kept_model model[MODELS_MAX];
} export_job;

static int tell_file(const char *path) {
    perror(path);
    return TR_EXIT_FILE;
}

/* --- models --- */

static const kept_model *find_model(const export_job *job, const char *name) {
    for (int m = 0; m < job->model_count; m++)
        if (strcmp(job->model[m].name, name) == 0)
            return &job->model[m];
    return NULL;
}

static bool keep_model(export_job *job, const tr_client_model_detail *model) {
    kept_model *kept = &job->model[job->model_count++];
    size_t count = (size_t)model->body_count;
    snprintf(kept->name, sizeof kept->name, "%s", model->summary.name);
    kept->body = calloc(count + 1, sizeof *kept->body);
    kept->body_name = calloc(count + 1, sizeof *kept->body_name);
    if (!kept->body || !kept->body_name)
        return false;
    for (kept->body_count = 0; kept->body_count < model->body_count; kept->body_count++) {
        int i = kept->body_count;
        snprintf(kept->body_name[i], sizeof kept->body_name[i], "%s", model->bodies[i].name);
        kept->body[i] = model->bodies[i];
        kept->body[i].name = kept->body_name[i];
    }
    return true;
}

/* Requests a model. This ends the current reply, so the caller must request its state again. */
static int load_model(tr_cli *cli, export_job *job, const char *name) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_model(cli->client, name), &reply);
    if (code)
        return code;
    return keep_model(job, &reply->model) ? TR_EXIT_OK : tell_file(name);
}

/* --- one state --- */

static const tr_client_character *find_character(const export_job *job,
                                                 const tr_client_state *state) {
    for (int i = 0; i < state->character_count; i++) {
        const tr_client_character *c = &state->characters[i];
        bool found = job->entity ? c->entity == job->entity
                                 : !job->v->character || strcmp(c->label, job->v->character) == 0;
        if (found)
            return c;
    }
    return NULL;
}

static void print_row(FILE *csv, const tr_client_state *state, const char *what, const float *pos,
                      const float *rot) {
    fprintf(csv, "%lld,%.6f,%s,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", (long long)state->tick,
            state->time_s, what, (double)pos[0], (double)pos[1], (double)pos[2], (double)rot[0],
            (double)rot[1], (double)rot[2], (double)rot[3]);
}

/* Makes a text safe for a CSV field, which commas, quotes and line ends would end. */
static void plain(char *text) {
    for (; *text; text++)
        if (*text == ',' || *text == '"' || (unsigned char)*text < 0x20)
            *text = '_';
}

static void print_character(export_job *job, const tr_client_state *state,
                            const tr_client_character *c) {
    const kept_model *model = find_model(job, c->model);
    for (int b = 0; b < c->body_count && b < model->body_count; b++) {
        char what[160];
        snprintf(what, sizeof what, "%u,%.47s,%.47s", c->entity, c->label, model->body[b].name);
        char *label = strchr(what, ',') + 1;
        size_t length = strnlen(c->label, 47);
        char after = label[length];
        label[length] = '\0';
        plain(label);
        label[length] = after;
        print_row(job->csv.file, state, what, c->body_pos + 3 * b, c->body_rot + 4 * b);
    }
}

static void print_objects(export_job *job, const tr_client_state *state) {
    for (int i = 0; i < state->object_count; i++) {
        char what[128], name[48];
        snprintf(name, sizeof name, "%.47s", state->objects[i].name);
        plain(name);
        snprintf(what, sizeof what, "%u,%s,", state->objects[i].entity, name);
        print_row(job->csv.file, state, what, state->objects[i].pos, state->objects[i].rot);
    }
}

static bool wants_motion(const export_job *job) {
    return job->v->bvh || job->v->gltf;
}

/* A model that must be loaded before the state can be written; NULL: all are there. */
static const char *lacking_model(const export_job *job, const tr_client_state *state,
                                 const tr_client_character *chosen) {
    for (int i = 0; i < state->character_count; i++) {
        const tr_client_character *c = &state->characters[i];
        bool needed = job->csv.file || (c == chosen && wants_motion(job));
        if (needed && !find_model(job, c->model))
            return c->model;
    }
    return NULL;
}

/* A body on a slide, which the bones of both files would show at rest; NULL: none. */
static const char *sliding_body(const kept_model *model) {
    for (int b = 0; b < model->body_count; b++)
        if (model->body[b].joint == TR_CLIENT_SLIDE)
            return model->body_name[b];
    return NULL;
}

static bool add_frame(export_job *job, const tr_client_character *chosen) {
    const kept_model *model = find_model(job, chosen->model);
    job->entity = chosen->entity;
    if (!job->motion.body &&
        !tr_recorded_motion_begin(&job->motion, model->body, model->body_count))
        return false;
    return tr_recorded_motion_add(&job->motion, chosen);
}

/* Writes the present state; *out_model: a model that must be loaded first, or "". */
static int write_state(export_job *job, const tr_client_state *state, char out_model[48]) {
    const tr_client_character *chosen = find_character(job, state);
    const char *lacking = lacking_model(job, state, chosen);
    assert(state->character_count == 0 || state->characters);
    assert(!chosen || chosen->model);
    snprintf(out_model, 48, "%s", lacking ? lacking : "");
    if (lacking)
        return TR_EXIT_OK;
    const char *sliding =
        chosen && wants_motion(job) ? sliding_body(find_model(job, chosen->model)) : NULL;
    if (sliding)
        return tr_cli_usage_error("body '%s' slides, and bones only turn: export --csv", sliding);
    if (chosen && wants_motion(job) && !add_frame(job, chosen))
        return tell_file(job->v->bvh ? job->v->bvh : job->v->gltf);
    for (int i = 0; job->csv.file && i < state->character_count; i++)
        print_character(job, state, &state->characters[i]);
    if (job->csv.file)
        print_objects(job, state);
    job->frames++;
    return job->csv.file && ferror(job->csv.file) ? tell_file(job->v->csv) : TR_EXIT_OK;
}

static int write_frame(tr_cli *cli, export_job *job) {
    for (;;) {
        const tr_client_reply *reply = NULL;
        char model[48];
        uint32_t fields = TR_CLIENT_BODIES | TR_CLIENT_OBJECTS;
        int code = tr_cli_ask(cli, tr_client_get_state(cli->client, job->world, fields), &reply);
        if (code == TR_EXIT_OK)
            code = write_state(job, &reply->state, model);
        if (code || !model[0])
            return code;
        if (job->model_count == MODELS_MAX)
            return tr_cli_usage_error("--csv: characters of more than %d models", MODELS_MAX);
        code = load_model(cli, job, model);
        if (code)
            return code;
    }
}

/* --- all states --- */

static int write_frames(tr_cli *cli, export_job *job) {
    int code = write_frame(cli, job);
    for (int64_t at = job->every; code == TR_EXIT_OK && at <= job->length; at += job->every) {
        tr_client_at here = {.world = job->world};
        code = tr_cli_ask(cli, tr_client_step(cli->client, here, job->every), NULL);
        if (code == TR_EXIT_OK)
            code = write_frame(cli, job);
    }
    return code;
}

static int begin(tr_cli *cli, export_job *job) {
    const tr_client_reply *reply = NULL;
    int code = tr_cli_ask(cli, tr_client_get_replay(cli->client, job->world), &reply);
    if (code)
        return code;
    job->length = reply->replay.length;
    code = tr_cli_ask(cli, tr_client_get_world(cli->client, job->world), &reply);
    if (code)
        return code;
    job->step_s = reply->world.step_s;
    double every = round(1 / (job->v->rate_hz * job->step_s));
    job->every = every < 1 ? 1 : every > 1e6 ? 1000000 : (uint32_t)every;
    if (!job->v->csv)
        return TR_EXIT_OK;
    code = tr_cli_open_file(&job->csv, job->v->csv);
    if (code)
        return code;
    fprintf(job->csv.file, "tick,time_s,entity,label,body,x,y,z,qw,qx,qy,qz\n");
    return TR_EXIT_OK;
}

static bool write_on_rig(const export_job *job, FILE *out, tr_error *error) {
    tr_bone_motion bones = {0};
    const bool done = !tr_bone_rig_retarget(&job->rig, &job->motion, &bones, error) &&
                      tr_bone_rig_write(&job->rig, &bones, out, job->every * job->step_s);
    tr_bone_motion_deinit(&bones);
    return done;
}

/* Writes the motion to a file of the user; NULL: none. Returns the code of the command. */
static int save(export_job *job, const char *path,
                bool (*write)(const tr_recorded_motion *, FILE *, double), int code) {
    tr_sink sink;
    tr_error error = {0};
    if (code || !path)
        return code;
    if (job->rig.count && tr_bone_rig_join(&job->rig, job->v->bones, &job->motion, &error))
        return tr_cli_usage_error("%s", error.message);
    code = tr_cli_open_file(&sink, path);
    if (code)
        return code;
    const bool done = job->rig.count ? write_on_rig(job, sink.file, &error)
                                     : write(&job->motion, sink.file, job->every * job->step_s);
    code = done               ? TR_EXIT_OK
           : error.message[0] ? tr_cli_usage_error("%s", error.message)
                              : tell_file(path);
    return tr_cli_close_file(&sink, code);
}

static int end(export_job *job, int code) {
    code = tr_cli_close_file(&job->csv, code);
    if (code == TR_EXIT_OK && wants_motion(job) && !job->motion.body)
        code = tr_cli_usage_error("no such character in the recording: '%s'",
                                  job->v->character ? job->v->character : "any");
    code = save(job, job->v->bvh, tr_recorded_motion_write_bvh, code);
    code = save(job, job->v->gltf, tr_recorded_motion_write_gltf, code);
    tr_recorded_motion_deinit(&job->motion);
    for (int m = 0; m < job->model_count; m++) {
        free(job->model[m].body_name);
        free(job->model[m].body);
    }
    return code;
}

/* A rig gives its form to the one file that is written. */
static int load_rig(export_job *job) {
    tr_error error;
    const values *v = job->v;
    if (!v->rig && !v->bones)
        return TR_EXIT_OK;
    if (!v->rig || !v->bones)
        return tr_cli_usage_error("expected --rig and --bones together");
    if (tr_bone_rig_load(v->rig, &job->rig, &error))
        return tr_cli_usage_error("%s", error.message);
    if (job->rig.gltf ? !v->gltf || v->bvh : !v->bvh || v->gltf)
        return tr_cli_usage_error("--rig '%s': expected --gltf for a mesh, --bvh for a clip",
                                  v->rig);
    return TR_EXIT_OK;
}

static int export_replay(tr_cli *cli, export_job *job) {
    tr_cli_replay_def def = {.source = job->v->source, .rate = 1, .paused = true};
    int code = tr_cli_open_replay(cli, &def, &job->world);
    if (code)
        return code;
    code = begin(cli, job);
    if (code == TR_EXIT_OK)
        code = write_frames(cli, job);
    code = end(job, code);
    int closed = tr_cli_close_replay(cli, job->world);
    if (code || closed)
        return code ? code : closed;
    return tr_output_object(
        cli, json_pack("{s:i, s:f}", "frames", job->frames, "frame_s", job->every * job->step_s));
}

static int run(tr_cli *cli, const void *given) {
    export_job job = {.v = given};
    if (!job.v->bvh && !job.v->csv && !job.v->gltf)
        return tr_cli_usage_error("expected --bvh, --gltf or --csv FILE");
    if (!(job.v->rate_hz > 0 && job.v->rate_hz <= 10000))
        return tr_cli_usage_error("--rate %g: expected a rate above 0, at most 10000",
                                  job.v->rate_hz);
    int code = load_rig(&job);
    if (code == TR_EXIT_OK)
        code = export_replay(cli, &job);
    tr_bone_rig_deinit(&job.rig);
    return code;
}

const tr_cli_command tr_cli_command_export = {
    .name = "export",
    .summary = "write a recording as BVH, glTF or CSV",
    .help =
        "FILE is a file here or the name of a recording of the daemon. BVH and glTF hold one "
        "character, as a skinned figure or on your\nown rig; CSV every body of all characters, and "
        "the objects: a row each, with its place in the\nworld, m, and its rotation (w, x, y, "
        "z). Frames are whole ticks apart, as near to --rate as possible.\n\n"
        "  troupe export monday --bvh monday.bvh --character runner\n"
        "  troupe export monday --gltf hero-monday.glb --rig hero.glb --bones "
        "client/rigs/mixamo.json\n"
        "  troupe export monday.trec --csv monday.csv --rate 100",
    .argument =
        {{"FILE", TR_OPTION_TEXT, offsetof(values, source), "file, or name on the daemon"},
         {"--bvh FILE", TR_OPTION_TEXT, offsetof(values, bvh), "is replaced; - is standard output"},
         {"--gltf FILE", TR_OPTION_TEXT, offsetof(values, gltf),
          "one file (.glb): skin and motion; is replaced; - is standard output"},
         {"--rig FILE", TR_OPTION_TEXT, offsetof(values, rig),
          "rigged mesh (.glb) that moves in the glTF file, or clip (.bvh) whose skeleton the BVH "
          "file has"},
         {"--bones MAP", TR_OPTION_TEXT, offsetof(values, bones),
          "its bones: client/rigs, controllers/skeletons, or what 'troupe-train body --map' wrote"},
         {"--csv FILE", TR_OPTION_TEXT, offsetof(values, csv), "is replaced; - is standard output"},
         {"--character LABEL", TR_OPTION_TEXT, offsetof(values, character),
          "of the BVH and glTF files; default: the first"},
         {"--rate HZ", TR_OPTION_REAL, offsetof(values, rate_hz), "frames per second; default 30"}},
    .defaults = &defaults,
    .values_size = sizeof(values),
    .run = run,
};
