/* Latent spaces as the section "space". */
#include "control/latent/latent_space.h"

#include "control/fields/section_pass.h"

#include <stdlib.h>

/* Sparse spaces, which are gone, had version 2. */
enum { EXACT = 1, SPARSE = 2 };

static const char SECTION[] = "space";

static void pass_clip(const tr_section_pass *pass, tr_latent_clip *clip) {
    tr_section_pass_text(pass, clip->name, sizeof clip->name);
    tr_section_pass_text(pass, clip->licence, sizeof clip->licence);
    tr_section_pass_text(pass, clip->origin, sizeof clip->origin);
    tr_section_pass_text(pass, clip->digest, sizeof clip->digest);
    tr_section_pass_int(pass, &clip->count, 3, TR_LATENT_FRAME_MAX);
    tr_section_pass_bool(pass, &clip->mirrored);
}

static void pass_kernels(const tr_section_pass *pass, tr_latent_kernels *k) {
    double *const values[] = {&k->pose_scale,   &k->pose_noise,  &k->velocity_amplitude,
                              &k->step_scale,   &k->place_scale, &k->velocity_noise,
                              &k->dynamics[0],  &k->dynamics[1], &k->dynamics[2],
                              &k->pose_spread_m};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        tr_section_pass_doubles(pass, values[i], 1);
}

/* What stands before the arrays, and their sizes. */
static void pass_head(const tr_section_pass *pass, tr_latent_space_def *def) {
    tr_section_pass_doubles(pass, &def->dt_s, 1);
    tr_section_pass_int(pass, &def->dimension, 1, TR_LATENT_DIMENSION_MAX);
    tr_section_pass_int(pass, &def->frame_count, 3, TR_LATENT_FRAME_MAX);
    tr_section_pass_int(pass, &def->pose_size, 1, TR_POSE_VECTOR_MAX);
    tr_section_pass_int(pass, &def->clip_count, 1, TR_LATENT_CLIP_MAX);
    for (int c = 0, first = 0; c < def->clip_count; c++) {
        pass_clip(pass, &def->clip[c]);
        if (pass->from)
            def->clip[c].first = first;
        first += def->clip[c].count;
    }
    tr_section_pass_int(pass, &def->support_count, 0, TR_SUPPORT_MAX);
    for (int i = 0; i < def->support_count; i++) {
        tr_section_pass_int(pass, &def->support[i].body, 0, TR_BODY_MAX - 1);
        tr_section_pass_int(pass, &def->support[i].foot, 0, TR_SUPPORT_MAX - 1);
        tr_section_pass_doubles(pass, &def->support[i].point.x, 3);
    }
    tr_section_pass_doubles(pass, &def->reference.joint[0].w, 4 * TR_POSE_BODY_MAX);
    pass_kernels(pass, &def->kernels);
}

tr_status tr_latent_space_save(const tr_latent_space *space, tr_sections *out, tr_error *error) {
    const tr_latent_space_def *def = &space->learned;
    size_t frames = (size_t)def->frame_count, steps = frames - (size_t)def->clip_count;
    tr_section_writer w = tr_section_begin(out, SECTION);
    tr_section_put_int(&w, EXACT);
    /* A pass that writes leaves the values as they are. */
    pass_head(&(tr_section_pass){.to = &w}, (tr_latent_space_def *)(void *)def);
    tr_section_put_doubles(&w, def->point, frames * (size_t)def->dimension);
    tr_section_put_doubles(&w, def->pose, frames * (size_t)def->pose_size);
    tr_section_put_doubles(&w, &def->root->turn_rad, 3 * steps);
    tr_section_put_bytes(&w, def->standing, frames);
    return tr_section_end(&w, error);
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
    if (tr_section_get_int(&r, EXACT, SPARSE) == SPARSE)
        return tr_fail(
            error, TR_DATA_LOSS,
            "latent space: sparse, which this program cannot read: fit at most %d frames",
            TR_LATENT_FRAME_MAX);
    tr_latent_space_def *def = calloc(1, sizeof *def);
    if (!def)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "latent space: no memory");
    pass_head(&(tr_section_pass){.from = &r}, def);
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
