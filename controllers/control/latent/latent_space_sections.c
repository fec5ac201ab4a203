/* Latent spaces as the section "space". */
#include "control/latent/latent_space.h"

#include <stdlib.h>

/* Sparse spaces, which are gone, had version 2. */
enum { EXACT = 1, SPARSE = 2 };

static const char SECTION[] = "space";

/* --- writing --- */

static void put_clip(tr_section_writer *w, const tr_latent_clip *clip) {
    tr_section_put_text(w, clip->name);
    tr_section_put_text(w, clip->licence);
    tr_section_put_text(w, clip->origin);
    tr_section_put_text(w, clip->digest);
    tr_section_put_int(w, clip->count);
    tr_section_put_int(w, clip->mirrored);
}

static void put_kernels(tr_section_writer *w, const tr_latent_kernels *k) {
    const double values[] = {
        k->pose_scale,     k->pose_noise,  k->velocity_amplitude, k->step_scale,  k->place_scale,
        k->velocity_noise, k->dynamics[0], k->dynamics[1],        k->dynamics[2], k->pose_spread_m};
    tr_section_put_doubles(w, values, sizeof values / sizeof *values);
}

tr_status tr_latent_space_save(const tr_latent_space *space, tr_sections *out, tr_error *error) {
    const tr_latent_space_def *def = &space->learned;
    size_t frames = (size_t)def->frame_count, steps = frames - (size_t)def->clip_count;
    tr_section_writer w = tr_section_begin(out, SECTION);
    tr_section_put_int(&w, EXACT);
    tr_section_put_doubles(&w, &def->dt_s, 1);
    tr_section_put_int(&w, def->dimension);
    tr_section_put_int(&w, def->frame_count);
    tr_section_put_int(&w, def->pose_size);
    tr_section_put_int(&w, def->clip_count);
    for (int c = 0; c < def->clip_count; c++)
        put_clip(&w, &def->clip[c]);
    tr_section_put_int(&w, def->support_count);
    for (int i = 0; i < def->support_count; i++) {
        tr_section_put_int(&w, def->support[i].body);
        tr_section_put_int(&w, def->support[i].foot);
        tr_section_put_doubles(&w, &def->support[i].point.x, 3);
    }
    tr_section_put_doubles(&w, &def->reference.joint[0].w, 4 * TR_POSE_BODY_MAX);
    put_kernels(&w, &def->kernels);
    tr_section_put_doubles(&w, def->point, frames * (size_t)def->dimension);
    tr_section_put_doubles(&w, def->pose, frames * (size_t)def->pose_size);
    tr_section_put_doubles(&w, &def->root->turn_rad, 3 * steps);
    tr_section_put_bytes(&w, def->standing, frames);
    return tr_section_end(&w, error);
}

/* --- reading --- */

static int get_int(tr_section_reader *r, int low, int high) {
    return (int)tr_section_get_int(r, low, high);
}

static void get_clip(tr_section_reader *r, tr_latent_clip *clip, int first) {
    tr_section_get_text(r, clip->name, sizeof clip->name);
    tr_section_get_text(r, clip->licence, sizeof clip->licence);
    tr_section_get_text(r, clip->origin, sizeof clip->origin);
    tr_section_get_text(r, clip->digest, sizeof clip->digest);
    clip->first = first;
    clip->count = get_int(r, 3, TR_LATENT_FRAME_MAX);
    clip->mirrored = tr_section_get_bool(r);
}

static void get_kernels(tr_section_reader *r, tr_latent_kernels *k) {
    double *const values[] = {&k->pose_scale,   &k->pose_noise,  &k->velocity_amplitude,
                              &k->step_scale,   &k->place_scale, &k->velocity_noise,
                              &k->dynamics[0],  &k->dynamics[1], &k->dynamics[2],
                              &k->pose_spread_m};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        *values[i] = tr_section_get_double(r);
}

static void get_sizes(tr_section_reader *r, tr_latent_space_def *def) {
    def->dt_s = tr_section_get_double(r);
    def->dimension = get_int(r, 1, TR_LATENT_DIMENSION_MAX);
    def->frame_count = get_int(r, 3, TR_LATENT_FRAME_MAX);
    def->pose_size = get_int(r, 1, TR_POSE_VECTOR_MAX);
    def->clip_count = get_int(r, 1, TR_LATENT_CLIP_MAX);
    for (int c = 0, first = 0; c < def->clip_count; c++) {
        get_clip(r, &def->clip[c], first);
        first += def->clip[c].count;
    }
    def->support_count = get_int(r, 0, TR_SUPPORT_MAX);
    for (int i = 0; i < def->support_count; i++) {
        def->support[i].body = get_int(r, 0, TR_BODY_MAX - 1);
        def->support[i].foot = get_int(r, 0, TR_SUPPORT_MAX - 1);
        tr_section_get_doubles(r, &def->support[i].point.x, 3);
    }
}

/* The sizes are within their bounds; a section that lies about them is too short for its arrays. */
static tr_status get_arrays(tr_section_reader *r, tr_latent_space_def *def) {
    size_t frames = (size_t)def->frame_count;
    /* One more of each: calloc of nothing may return NULL. */
    def->point = calloc(frames * (size_t)def->dimension + 1, sizeof *def->point);
    def->pose = calloc(frames * (size_t)def->pose_size + 1, sizeof *def->pose);
    def->root = calloc(frames + 1, sizeof *def->root);
    def->standing = calloc(frames + 1, 1);
    if (!def->point || !def->pose || !def->root || !def->standing)
        return TR_RESOURCE_EXHAUSTED;
    size_t clips = (size_t)def->clip_count, steps = frames > clips ? frames - clips : 0;
    tr_section_get_doubles(r, def->point, frames * (size_t)def->dimension);
    tr_section_get_doubles(r, def->pose, frames * (size_t)def->pose_size);
    tr_section_get_doubles(r, &def->root->turn_rad, 3 * steps);
    const unsigned char *standing = tr_byte_reader_take(&r->source, frames);
    if (standing)
        memcpy(def->standing, standing, frames);
    return TR_OK;
}

tr_status tr_latent_space_load(const tr_sections *in, const tr_model *model, tr_latent_space **out,
                               tr_error *error) {
    tr_section_reader r = tr_section_open(in, SECTION);
    if (get_int(&r, EXACT, SPARSE) == SPARSE)
        return tr_fail(
            error, TR_DATA_LOSS,
            "latent space: sparse, which this program cannot read: fit at most %d frames",
            TR_LATENT_FRAME_MAX);
    tr_latent_space_def *def = calloc(1, sizeof *def);
    if (!def)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "latent space: no memory");
    get_sizes(&r, def);
    tr_section_get_doubles(&r, &def->reference.joint[0].w, 4 * TR_POSE_BODY_MAX);
    get_kernels(&r, &def->kernels);
    tr_status status = get_arrays(&r, def);
    tr_status whole = tr_section_close(&r, error);
    if (!status)
        status = whole;
    if (!status)
        status = tr_latent_space_create(model, def, out, error);
    tr_latent_space_def_deinit(def);
    free(def);
    return status;
}
