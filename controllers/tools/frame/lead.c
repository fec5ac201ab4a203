#include "tools/frame/lead.h"

#include "learn/ranks/ranks.h"

#include <unistd.h>

typedef struct visit {
    const char *path;
    tr_catalogue_mode mode;
    tr_lead_change change;
    const void *context;
} visit;

static tr_status change_catalogue(void *context, tr_error *error) {
    const visit *v = context;
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(v->path, v->mode, &catalogue, error);
    if (!status)
        status = v->change(catalogue, v->context, error);
    tr_catalogue_close(catalogue);
    return status;
}

tr_status tr_lead_change_catalogue(const char *path, tr_catalogue_mode mode, tr_lead_change change,
                                   const void *context, tr_error *error) {
    visit v = {path, mode, change, context};
    return tr_ranks_let_lead(change_catalogue, &v, error);
}

typedef struct file {
    const char *path;
    const tr_motion *motion;
    const tr_strip *strip;
} file;

static tr_status save_motion(void *context, tr_error *error) {
    const file *f = context;
    return tr_motion_save(f->motion, f->path, error);
}

tr_status tr_lead_save_motion(const tr_motion *motion, const char *path, tr_error *error) {
    file f = {.path = path, .motion = motion};
    return tr_ranks_let_lead(save_motion, &f, error);
}

static tr_status save_strip(void *context, tr_error *error) {
    const file *f = context;
    return tr_strip_save(f->strip, f->path, error);
}

tr_status tr_lead_save_strip(const tr_strip *strip, const char *path, tr_error *error) {
    file f = {.path = path, .strip = strip};
    return tr_ranks_let_lead(save_strip, &f, error);
}

void tr_lead_remove(const char *path) {
    if (tr_ranks_lead())
        (void)unlink(path);
}
