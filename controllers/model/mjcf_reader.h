/* Inside the MJCF reader: the open document and the typed, checked reading of its attributes.
 *
 * Everything that fails here fills the error with "file:line: <element name>: what was expected"
 * and returns TR_INVALID_ARGUMENT. Private to mjcf*.c. */
#pragma once

#include "model/inertia.h"
#include "model/model.h"

#include <libxml/tree.h>

/* Larger than any character, small enough to refuse before memory is taken. */
enum { TR_MJCF_BYTES_MAX = 1 << 20 };

typedef struct tr_mjcf_reader {
    const char *file;
    tr_error *error;
    tr_model *model;    /* filled as elements are met */
    double angle_scale; /* rad per unit of angle in the file */
    bool autolimits;
    int body; /* the body whose children are being read */
    bool has_joint[TR_BODY_MAX], has_inertial[TR_BODY_MAX];
    const char *joint_name[TR_BODY_MAX];       /* NULL: it has none */
    tr_mass_properties geom_mass[TR_BODY_MAX]; /* of the body's geoms, body frame */
} tr_mjcf_reader;

/* What may stand inside an element: a table of these, closed by one without a name. */
typedef struct tr_mjcf_element {
    const char *name;
    const char *attributes; /* allowed names, separated by spaces; NULL: any */
    tr_status (*read)(tr_mjcf_reader *reader,
                      const xmlNode *node); /* NULL: skipped, with all it holds */
} tr_mjcf_element;

/* Checks all children of `parent` against `table`, attributes included, and reads them in the
 * document's order. */
tr_status tr_mjcf_read_children(tr_mjcf_reader *reader, const xmlNode *parent,
                                const tr_mjcf_element *table) TR_NODISCARD;

tr_status tr_mjcf_fail(const tr_mjcf_reader *reader, const xmlNode *node, const char *format, ...)
    TR_PRINTF(3, 4) TR_NODISCARD;

/* Text of an attribute, from the element or else from the defaults of its class; NULL when neither
 * has it. Lives as long as the document. */
const char *tr_mjcf_attribute(const xmlNode *node, const char *name);

/* A list of finite decimal numbers, no larger than 1e6 in magnitude. */
typedef struct tr_mjcf_numbers {
    const char *name;
    int least, most; /* how many; at most TR_MJCF_NUMBERS_MAX */
} tr_mjcf_numbers;
enum { TR_MJCF_NUMBERS_MAX = 6 };

/* Reads the attribute into out: [spec->most], and their count into *out_count, 0 when it is
 * absent. */
tr_status tr_mjcf_read_numbers(const tr_mjcf_reader *reader, const xmlNode *node,
                               const tr_mjcf_numbers *spec, double *out,
                               int *out_count) TR_NODISCARD;

/* Keep *out when the attribute is absent. Quaternions are normalised. */
tr_status tr_mjcf_read_vec3(const tr_mjcf_reader *reader, const xmlNode *node, const char *name,
                            tr_vec3 *out) TR_NODISCARD;
tr_status tr_mjcf_read_quat(const tr_mjcf_reader *reader, const xmlNode *node, const char *name,
                            tr_quat *out) TR_NODISCARD;
tr_status tr_mjcf_read_bool(const tr_mjcf_reader *reader, const xmlNode *node, const char *name,
                            bool *out) TR_NODISCARD;

/* One finite decimal number of magnitude up to 1e6 at *cursor, which moves past it. False: there is
 * none. */
bool tr_mjcf_scan_number(const char **cursor, double *out);

/* Copies the name attribute of an element; at most TR_NAME_MAX - 1 characters. Required. */
tr_status tr_mjcf_read_name(const tr_mjcf_reader *reader, const xmlNode *node,
                            char out[TR_NAME_MAX]) TR_NODISCARD;

/* Index of the body with that name; the error names `node` and `field`. */
tr_status tr_mjcf_find_body(const tr_mjcf_reader *reader, const xmlNode *node, const char *field,
                            const char *name, int *out) TR_NODISCARD;

/* The text elements under custom (mjcf_custom.c): gains, torque limits and marks; MODELS.md
 * describes them. */
tr_status tr_mjcf_read_custom(tr_mjcf_reader *reader, const xmlNode *custom) TR_NODISCARD;

/* Motors under actuator (mjcf_actuator.c): limits of torque by axis and direction. */
tr_status tr_mjcf_read_actuators(tr_mjcf_reader *reader, const xmlNode *actuator) TR_NODISCARD;
