#include "learn/latent/latent_file.h"
#include "model/mjcf.h"
#include "tools/latent/latent.h"

tr_status tr_latent_subject_load(const char *model_path, const char *path, tr_latent_subject *out,
                                 tr_error *error) {
    tr_status status = tr_mjcf_load(model_path, &out->model, error);
    if (!status)
        status = tr_latent_file_read(path, &out->sections, error);
    tr_error inner = {0};
    if (status)
        return status;
    status = tr_latent_space_load(&out->sections, out->model, &out->space, &inner);
    return status ? tr_fail(error, status, "%s: %s", path, inner.message) : TR_OK;
}

void tr_latent_subject_deinit(tr_latent_subject *subject) {
    tr_latent_space_destroy(subject->space);
    tr_sections_deinit(&subject->sections);
    tr_model_destroy(subject->model);
    *subject = (tr_latent_subject){0};
}
