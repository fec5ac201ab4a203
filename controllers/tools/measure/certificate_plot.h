/* A certificate as a picture: the survived pushes by direction and force as a polar plot, the share
 * of trials that resist over time, and the errors by joint. The same certificate gives the same
 * bytes. */
#ifndef TROUPE_TOOLS_CERTIFICATE_PLOT_H
#define TROUPE_TOOLS_CERTIFICATE_PLOT_H

#include "db/tables/certificates.h"

/* Writes an SVG to `path`, whole or not at all. */
tr_status tr_certificate_plot(const char *path, const char *controller,
                              const tr_certificate_row *row, const tr_certificate_content *content,
                              tr_error *error) TR_NODISCARD;

#endif
