#include "tools/frame/subject.h"

#include "db/tables/models.h"
#include "learn/ranks/ranks.h"
#include "model/mjcf.h"

tr_status tr_subject_load(tr_catalogue *catalogue, const char *name, tr_subject *out,
                          tr_error *error) {
    tr_status status = tr_controllers_resolve(catalogue, name, &out->row, error);
    if (!status)
        status = tr_models_load(catalogue, out->row.model_id, &out->model, error);
    if (!status)
        status = tr_controllers_load(catalogue, out->row.id, out->model, &out->controller, error);
    return status;
}

tr_status tr_subject_read(const char *path, const char *name, tr_subject *out, tr_error *error) {
    tr_catalogue *catalogue = NULL;
    tr_status status = tr_catalogue_open(path, TR_CATALOGUE_READ, &catalogue, error);
    if (!status)
        status = tr_subject_load(catalogue, name, out, error);
    tr_catalogue_close(catalogue);
    return status;
}

tr_status tr_subject_make_worlds(tr_subject *subject, int threads, tr_error *error) {
    if (tr_ranks_count() > 1)
        tr_ranks_compare("the controller", tr_controller_hash(subject->controller, subject->model));
    return tr_ensemble_create_for(subject->model, subject->controller, threads, &subject->ensemble,
                                  error);
}

void tr_subject_deinit(tr_subject *subject) {
    tr_ensemble_destroy(subject->ensemble);
    tr_controller_destroy(subject->controller);
    tr_model_destroy(subject->model);
    *subject = (tr_subject){0};
}

tr_status tr_subject_measure(const tr_subject_use *use, tr_subject_work measure,
                             const void *context, tr_error *error) {
    tr_subject subject = {0};
    tr_status status = tr_subject_read(use->catalogue, use->name, &subject, error);
    if (!status)
        status = tr_subject_make_worlds(&subject, use->threads, error);
    if (!status)
        status = measure(context, &subject, error);
    tr_subject_deinit(&subject);
    return status;
}
