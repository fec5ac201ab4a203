/* Checkpoints of a reconstruction. */
#include "learn/method/work_file.h"
#include "learn/reconstruct/reconstruct_state.h"

/* The search needs the levels before its window to continue; later phases need none. */
static int kept_levels(const tr_reconstruct_progress *p) {
    return p->phase == TR_RECONSTRUCT_SEARCH ? p->start : 0;
}

static void list(void *work, tr_blocks *b) {
    tr_reconstruction *r = work;
    const size_t count = (size_t)r->track->count;
    tr_block(b, "progress", &r->progress, sizeof r->progress);
    if (!tr_block_require(b, "progress",
                          r->progress.start >= 0 && r->progress.start <= r->track->count))
        return;
    tr_block(b, "track", r->track->stage, count * sizeof *r->track->stage);
    for (size_t k = 0; k < count; k++)
        tr_cma_list(&r->cma[k], b);
    tr_block(b, "window", r->window, count * sizeof *r->window);
    tr_block(b, "path", r->path, count * sizeof *r->path);
    tr_block(b, "mean", r->mean, count * sizeof *r->mean);
    for (int k = 0; k < kept_levels(&r->progress); k++) {
        tr_elite_level *level = &r->levels[k];
        const int elites = tr_block_count(b, "elites", &level->count, 1, r->elites);
        tr_block(b, "elites", level->elite, (size_t)elites * sizeof *level->elite);
    }
}

/* It learns no controller, so that it has no row. */
static const tr_method method = {
    .name = "reconstruct", .settings = &tr_reconstruct_parameter_table, .list = list};

static tr_status bond_of(const tr_reconstruction *r, tr_work_bond *out, tr_error *error) {
    const tr_method_def def = {.model = r->model, .settings = &r->parameters};
    tr_status status = tr_work_bond_of(&method, &def, "", out, error);
    out->given = r->motion_hash;
    return status;
}

tr_status tr_reconstruct_save(const tr_reconstruction *r, const char *path, tr_error *error) {
    tr_work_bond bond;
    tr_status status = bond_of(r, &bond, error);
    const tr_work_file file = {&method, (tr_reconstruction *)r, &bond, NULL, NULL};
    return status ? status : tr_work_file_save(&file, path, error);
}

tr_status tr_reconstruct_load(tr_reconstruction *r, const char *path, tr_error *error) {
    tr_work_bond bond;
    tr_status status = bond_of(r, &bond, error);
    const tr_work_file file = {&method, r, &bond, NULL, NULL};
    return status ? status : tr_work_file_load(&file, path, error);
}
