/* Certificates in the catalogue: what a controller has been shown to hold and survive, how it was
 * measured, and by which program.
 *
 * A certificate belongs to its controller and is removed with it; it has no name. A controller may
 * have several: of other seeds, methods or builds. What the figures mean is defined where they are
 * measured (learn/measure/certify.h); the catalogue keeps quantities by name. See catalogue.h for
 * threading, statuses and errors. */
#pragma once

#include "db/store/catalogue.h"
#include "db/tables/runs.h"

enum {
    TR_CERTIFICATE_FIGURE_MAX = 4096, /* of one certificate */
    TR_CERTIFICATE_PUSH_MAX = 4096,   /* of one certificate */
    TR_CERTIFICATE_DIRECTION_MAX = 64,
    TR_CERTIFICATE_MAX = TR_PAGE_MAX /* of one controller */
};

/* The quantity whose item says in which skill of the controller the trials began; with the item for
 * all skills they were random walks over them. Without it they began as the controller begins. */
#define TR_CERTIFICATE_SKILL "skill"
#define TR_CERTIFICATE_ALL_SKILLS "*"

typedef struct tr_certificate_row {
    tr_row_id id; /* not read by put */
    tr_row_id controller_id;
    int method; /* of measuring, from 1 */
    int threads;
    uint64_t seed;
    char command[TR_RUN_COMMAND_MAX]; /* the command that measures it again */
    char code_version[TR_SHORT_TEXT_MAX];
    char host[TR_SHORT_TEXT_MAX];
    int64_t started_ns, ended_ns; /* since 1970, UTC */
    tr_digest digest;             /* of the row with its figures and pushes; not read by put */
} tr_certificate_row;

/* One quantity, unit last, e.g. {"joint_error_rad", "lshank", 0.02}. item: the measured item, or
 * empty. Values are finite; quantities that were not measured are left out. */
typedef struct tr_certificate_figure {
    char quantity[TR_NAME_MAX];
    char item[TR_NAME_MAX];
    double value;
} tr_certificate_figure;

/* The numbers of tried and survived pushes with one direction and force. direction: in equal parts
 * of a turn, counted to the left from the heading, from 0. */
typedef struct tr_certificate_push {
    int direction;
    double force_n;
    int trials, survived;
} tr_certificate_push;

typedef struct tr_certificate_content {
    int figure_count, push_count;
    tr_certificate_figure *figure; /* one per quantity and item */
    tr_certificate_push *push;     /* one per direction and force */
} tr_certificate_content;

/* The item of TR_CERTIFICATE_SKILL; "" without it. Lives as long as the content. */
const char *tr_certificate_skill(const tr_certificate_content *content);

/* Frees the lists filled by tr_certificates_load. */
void tr_certificate_content_deinit(tr_certificate_content *content);

/* Stores a certificate; its controller must exist. The content may be in any order. Storing the
 * same content again returns the existing row. TR_INVALID_ARGUMENT: a field is out of its bounds,
 * or a figure or push is named twice. TR_RESOURCE_EXHAUSTED: the controller has
 * TR_CERTIFICATE_MAX. */
tr_status tr_certificates_put(tr_catalogue *catalogue, const tr_certificate_row *row,
                              const tr_certificate_content *content, tr_row_id *out_id,
                              tr_error *error) TR_NODISCARD;

/* TR_RESOURCE_EXHAUSTED: the controller has as many as it may have. */
tr_status tr_certificates_check_room(tr_catalogue *catalogue, tr_row_id controller,
                                     tr_error *error) TR_NODISCARD;

/* Lists the certificates of a controller, newest first: those of a skill, with "" those of none, with
 * NULL all. *count: room in out_rows (1 to TR_PAGE_MAX), then the rows written. */
tr_status tr_certificates_list(tr_catalogue *catalogue, tr_row_id controller, const char *skill,
                               tr_certificate_row *out_rows, int *count,
                               tr_error *error) TR_NODISCARD;

/* Figures by quantity and item, pushes by direction and force; the caller frees them. */
tr_status tr_certificates_load(tr_catalogue *catalogue, tr_row_id id, tr_certificate_content *out,
                               tr_error *error) TR_NODISCARD;
