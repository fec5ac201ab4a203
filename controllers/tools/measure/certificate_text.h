/* Certificates for people: texts with the figures of a catalogue (certificate_list.h). */
#pragma once

#include "db/store/catalogue.h"
#include "db/tables/certificates.h"

#include <stdio.h>

/* A page about one. */
void tr_certificate_print(FILE *file, const char *controller, const tr_certificate_row *row,
                          const tr_certificate_content *content);

/* The certificates of a whole catalogue as Markdown tables: what each controller holds and survives, how
 * it follows headings, and how graphs did on random walks. One row for the newest certificate of each
 * controller, in the order of names; "-" stands for what a certificate does not have. Controllers
 * without any are left out. */
tr_status tr_certificate_table_print(FILE *file, tr_catalogue *catalogue,
                                     tr_error *error) TR_NODISCARD;
