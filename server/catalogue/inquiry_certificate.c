/* The query of a controller's certificate. */
#include "server/catalogue/inquiry.h"

#include "db/tables/certificates.h"
#include "db/tables/controllers.h"
#include "proto/limits.h"

_Static_assert((int)TR_CERTIFICATE_MAX == (int)TR_CERTIFICATES_MAX, "as PROTOCOL.md says");
_Static_assert((int)TR_CERTIFICATE_FIGURE_MAX == (int)TR_CERTIFICATE_FIGURES_MAX, "likewise");
_Static_assert((int)TR_CERTIFICATE_PUSH_MAX == (int)TR_CERTIFICATE_PUSHES_MAX, "likewise");

/* The pushes of one direction. */
typedef struct direction {
    int direction, count;
    const double *force_n;
    const uint32_t *trials, *survived;
} direction;

typedef struct certificate {
    const char *controller, *skill;
    tr_certificate_row row;
    tr_certificate_content content;
    int direction_count;
    direction *directions;
} certificate;

static const tr_mapping figure_mapping = TR_MAPPING(
    tr_certificate_figure, CertificateFigure, certificate_figure, TR_COPY(quantity, item, value));

static const tr_mapping direction_mapping = TR_MAPPING(
    direction, CertificatePushes, certificate_pushes, TR_COPY(direction),
    TR_COPY_ARRAY(count, force_n), TR_COPY_ARRAY(count, trials), TR_COPY_ARRAY(count, survived));

static const tr_mapping certificate_mapping =
    TR_MAPPING(certificate, Certificate, certificate, TR_COPY(controller, skill),
               TR_COPY_HEX_AS(row.digest, digest),
               TR_COPY_IN(row, method, command, seed, threads, code_version, host),
               TR_COPY_AS(row.started_ns, started_unix_ns), TR_COPY_AS(row.ended_ns, ended_unix_ns),
               TR_COPY_LIST_AS(content.figure_count, content.figure, figures, figure_mapping),
               TR_COPY_LIST_AS(direction_count, directions, pushes, direction_mapping));

/* Finds the certificate that was measured `back` before the last. */
static tr_status find(tr_inquiry *inquiry, tr_certificate_row *out) {
    const Troupe__GetCertificate *m = inquiry->request->get_certificate;
    tr_controller_row controller;
    if (m->back >= TR_CERTIFICATE_MAX)
        return tr_fail(inquiry->error, TR_INVALID_ARGUMENT, "back: expected 0 to %d",
                       TR_CERTIFICATE_MAX - 1);
    int wanted = (int)m->back + 1, count = wanted;
    tr_certificate_row *rows = tr_inquiry_take(inquiry, (size_t)wanted, sizeof *rows);
    if (!rows)
        return TR_RESOURCE_EXHAUSTED;
    tr_status status =
        tr_controllers_resolve(inquiry->catalogue, m->controller, &controller, inquiry->error);
    if (!status)
        status = tr_certificates_list(inquiry->catalogue, controller.id, m->skill, rows, &count,
                                      inquiry->error);
    if (!status && count < wanted)
        status = tr_fail(inquiry->error, TR_NOT_FOUND, "controller '%s': has %d certificates%s%s",
                         controller.name, count, m->skill[0] ? " of skill " : "", m->skill);
    if (!status)
        *out = rows[wanted - 1];
    return status;
}

/* Pushes are in the order of their directions. */
static tr_status group_pushes(tr_inquiry *inquiry, certificate *out) {
    size_t count = (size_t)out->content.push_count;
    double *force_n = tr_inquiry_take(inquiry, count, sizeof *force_n);
    uint32_t *trials = tr_inquiry_take(inquiry, count, sizeof *trials);
    uint32_t *survived = tr_inquiry_take(inquiry, count, sizeof *survived);
    out->directions =
        tr_inquiry_take(inquiry, TR_CERTIFICATE_DIRECTION_MAX, sizeof *out->directions);
    if (!force_n || !trials || !survived || !out->directions)
        return TR_RESOURCE_EXHAUSTED;
    direction *to = NULL;
    for (size_t i = 0; i < count; i++) {
        const tr_certificate_push *push = &out->content.push[i];
        if (!to || to->direction != push->direction) {
            to = &out->directions[out->direction_count++];
            *to = (direction){push->direction, 0, &force_n[i], &trials[i], &survived[i]};
        }
        force_n[i] = push->force_n;
        trials[i] = (uint32_t)push->trials;
        survived[i] = (uint32_t)push->survived;
        to->count++;
    }
    return TR_OK;
}

tr_status tr_inquiry_get_certificate(tr_inquiry *inquiry) {
    certificate out = {.controller = inquiry->request->get_certificate->controller};
    tr_status status = find(inquiry, &out.row);
    if (!status)
        status = tr_certificates_load(inquiry->catalogue, out.row.id, &out.content, inquiry->error);
    out.skill = tr_certificate_skill(&out.content);
    if (!status)
        status = group_pushes(inquiry, &out);
    if (!status)
        status = tr_inquiry_answer(inquiry, TROUPE__RESPONSE__RESULT_CERTIFICATE,
                                   &certificate_mapping, &out);
    tr_certificate_content_deinit(&out.content);
    return status;
}
