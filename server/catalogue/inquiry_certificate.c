/* The query of a controller's certificate. */
#include "server/catalogue/inquiry.h"

#include "db/tables/certificates.h"
#include "db/tables/controllers.h"
#include "proto/limits.h"

_Static_assert((int)TR_CERTIFICATE_MAX == (int)TR_CERTIFICATES_MAX, "as PROTOCOL.md says");
_Static_assert((int)TR_CERTIFICATE_FIGURE_MAX == (int)TR_CERTIFICATE_FIGURES_MAX, "likewise");
_Static_assert((int)TR_CERTIFICATE_PUSH_MAX == (int)TR_CERTIFICATE_PUSHES_MAX, "likewise");

static tr_status find(tr_inquiry *inquiry, tr_certificate_row *out) {
    const Troupe__GetCertificate *m = inquiry->request->get_certificate;
    tr_controller_row controller;
    if (m->back >= TR_CERTIFICATE_MAX)
        return tr_fail(inquiry->error, TR_INVALID_ARGUMENT, "back: expected 0 to %d",
                       TR_CERTIFICATE_MAX - 1);
    int wanted = (int)m->back + 1, count = wanted;
    tr_certificate_row *rows = tr_inquiry_take(inquiry, (size_t)wanted * sizeof *rows);
    if (rows == NULL)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status =
        tr_controllers_find(inquiry->catalogue, m->controller, &controller, inquiry->error);
    if (status == TR_OK)
        status =
            tr_certificates_list(inquiry->catalogue, controller.id, rows, &count, inquiry->error);
    if (status == TR_OK && count < wanted)
        status = tr_fail(inquiry->error, TR_NOT_FOUND, "controller '%s': has %d certificates",
                         controller.name, count);
    if (status == TR_OK)
        *out = rows[wanted - 1];
    return status;
}

static tr_status fill_figures(tr_inquiry *inquiry, const tr_certificate_content *content,
                              Troupe__Certificate *out) {
    size_t count = (size_t)content->figure_count;
    Troupe__CertificateFigure *figures = tr_inquiry_take(inquiry, count * sizeof *figures + 1);
    out->figures = tr_inquiry_take(inquiry, count * sizeof(void *) + 1);
    if (figures == NULL || out->figures == NULL)
        return TR_RESOURCE_EXHAUSTED;
    for (size_t i = 0; i < count; i++) {
        troupe__certificate_figure__init(&figures[i]);
        figures[i].quantity = tr_inquiry_text(inquiry, content->figure[i].quantity);
        figures[i].item = tr_inquiry_text(inquiry, content->figure[i].item);
        figures[i].value = content->figure[i].value;
        out->figures[out->n_figures++] = &figures[i];
    }
    return TR_OK;
}

/* One message a direction; content->push is in their order. */
static tr_status fill_pushes(tr_inquiry *inquiry, const tr_certificate_content *content,
                             Troupe__Certificate *out) {
    size_t count = (size_t)content->push_count;
    Troupe__CertificatePushes *pushes =
        tr_inquiry_take(inquiry, TR_CERTIFICATE_DIRECTION_MAX * sizeof *pushes);
    double *force_n = tr_inquiry_take(inquiry, count * sizeof *force_n + 1);
    uint32_t *trials = tr_inquiry_take(inquiry, count * sizeof *trials + 1);
    uint32_t *survived = tr_inquiry_take(inquiry, count * sizeof *survived + 1);
    out->pushes = tr_inquiry_take(inquiry, TR_CERTIFICATE_DIRECTION_MAX * sizeof(void *));
    if (!pushes || !force_n || !trials || !survived || !out->pushes)
        return TR_RESOURCE_EXHAUSTED;
    Troupe__CertificatePushes *to = NULL;
    for (size_t i = 0; i < count; i++) {
        const tr_certificate_push *push = &content->push[i];
        if (to == NULL || to->direction != (uint32_t)push->direction) {
            to = &pushes[out->n_pushes];
            out->pushes[out->n_pushes++] = to;
            troupe__certificate_pushes__init(to);
            to->direction = (uint32_t)push->direction;
            to->force_n = &force_n[i];
            to->trials = &trials[i];
            to->survived = &survived[i];
        }
        force_n[i] = push->force_n;
        trials[i] = (uint32_t)push->trials;
        survived[i] = (uint32_t)push->survived;
        to->n_force_n = ++to->n_trials;
        to->n_survived = to->n_trials;
    }
    return TR_OK;
}

static void fill_row(tr_inquiry *inquiry, const tr_certificate_row *row, Troupe__Certificate *out) {
    troupe__certificate__init(out);
    out->controller = tr_inquiry_text(inquiry, inquiry->request->get_certificate->controller);
    out->digest = tr_inquiry_digest(inquiry, &row->digest);
    out->method = (uint32_t)row->method;
    out->command = tr_inquiry_text(inquiry, row->command);
    out->seed = row->seed;
    out->threads = (uint32_t)row->threads;
    out->code_version = tr_inquiry_text(inquiry, row->code_version);
    out->host = tr_inquiry_text(inquiry, row->host);
    out->started_unix_ns = row->started_ns;
    out->ended_unix_ns = row->ended_ns;
}

tr_status tr_inquiry_get_certificate(tr_inquiry *inquiry) {
    tr_certificate_row row;
    tr_certificate_content content = {0};
    tr_status status = find(inquiry, &row);
    Troupe__Certificate *out = tr_inquiry_take(inquiry, sizeof *out);
    if (status == TR_OK && out == NULL)
        status = TR_RESOURCE_EXHAUSTED;
    if (status == TR_OK)
        status = tr_certificates_load(inquiry->catalogue, row.id, &content, inquiry->error);
    if (status == TR_OK) {
        fill_row(inquiry, &row, out);
        status = fill_figures(inquiry, &content, out);
    }
    if (status == TR_OK)
        status = fill_pushes(inquiry, &content, out);
    tr_certificate_content_deinit(&content);
    if (status != TR_OK)
        return status;
    inquiry->response->result_case = TROUPE__RESPONSE__RESULT_CERTIFICATE;
    inquiry->response->certificate = out;
    return TR_OK;
}
