#include "model/mjcf.h"

#include "model/mjcf_reader.h"
#include "model/model_build.h"
#include "proto/text_file.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- joints --- */

static tr_status read_joint_kind(const tr_mjcf_reader *reader, const xmlNode *node,
                                 tr_joint_kind *out) {
    const char *text = tr_mjcf_attribute(node, "type");
    bool root = reader->body == 0;
    if (strcmp(text ? text : "hinge", root ? "free" : "hinge") == 0)
        *out = root ? TR_JOINT_FREE : TR_JOINT_HINGE;
    else if (!root && strcmp(text, "ball") == 0)
        *out = TR_JOINT_BALL;
    else if (!root && strcmp(text, "slide") == 0)
        *out = TR_JOINT_SLIDE;
    else
        return tr_mjcf_fail(reader, node, "type: expected %s, found '%.40s'",
                            root ? "free for the root body" : "ball, hinge or slide",
                            text ? text : "hinge");
    return TR_OK;
}

/* Angles of hinges and ways of slides are twists of unit quaternions (model.h), so that those beyond half
 * a turn, and 3.14 m, would be ambiguous. A limit may be exceeded a little. */
static const double SLIDE_MOST_M = 3;

static tr_status check_range(const tr_mjcf_reader *reader, const xmlNode *node,
                             const tr_body *body) {
    double low = body->range[0], high = body->range[1];
    static const char *const expected[] = {
        [TR_JOINT_BALL] = "0 and the largest angle from rest, up to half a turn",
        [TR_JOINT_HINGE] = "low < high, within half a turn of rest",
        [TR_JOINT_SLIDE] = "low < high, within 3 m of rest"};
    double most = body->joint == TR_JOINT_SLIDE ? SLIDE_MOST_M : TR_PI;
    bool single = tr_body_has_axis(body);
    bool ok = single ? low < high : low == 0.0 && high > 0.0;
    if (!ok || low < (single ? -most : 0.0) || high > most)
        return tr_mjcf_fail(reader, node, "range: expected %s", expected[body->joint]);
    return TR_OK;
}

static tr_status read_range(const tr_mjcf_reader *reader, const xmlNode *node, tr_body *body) {
    int count;
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"range", 2, 2}, body->range, &count);
    if (status)
        return status;
    body->limited = count > 0 && reader->autolimits;
    status = tr_mjcf_read_bool(reader, node, "limited", &body->limited);
    if (status)
        return status;
    if (body->limited && count == 0)
        return tr_mjcf_fail(reader, node, "range: expected, because the joint is limited");
    if (body->joint == TR_JOINT_SLIDE && !body->limited)
        return tr_mjcf_fail(reader, node,
                            "range: expected with limited=\"true\", because a slide moves up "
                            "to 3 m from rest: range=\"-3 3\" where none is meant");
    double scale = body->joint == TR_JOINT_SLIDE ? 1 : reader->angle_scale;
    body->range[0] *= scale;
    body->range[1] *= scale;
    return body->limited ? check_range(reader, node, body) : TR_OK;
}

static tr_status read_axis(const tr_mjcf_reader *reader, const xmlNode *node, tr_body *body) {
    tr_vec3 axis = {0, 0, 1};
    double value[3];
    int count;
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"axis", 3, 3}, value, &count);
    if (status)
        return status;
    if (count == 3)
        axis = (tr_vec3){value[0], value[1], value[2]};
    if (tr_vec3_length(axis) < 1e-6)
        return tr_mjcf_fail(reader, node, "axis: expected a vector longer than zero");
    body->axis = tr_vec3_normalize_or(axis, axis);
    return TR_OK;
}

static tr_status claim_joint(tr_mjcf_reader *reader, const xmlNode *node) {
    if (reader->has_joint[reader->body])
        return tr_mjcf_fail(
            reader, node,
            "expected one joint per body: give each other joint a small body of its "
            "own around this one, or use a ball");
    reader->has_joint[reader->body] = true;
    reader->joint_name[reader->body] = tr_mjcf_attribute(node, "name");
    return TR_OK;
}

static tr_status read_joint(tr_mjcf_reader *reader, const xmlNode *node) {
    tr_body *body = &reader->model->body[reader->body];
    tr_status status = claim_joint(reader, node);
    if (!status)
        status = read_joint_kind(reader, node, &body->joint);
    if (status || body->joint == TR_JOINT_FREE)
        return status;
    status = tr_mjcf_read_vec3(reader, node, "pos", &body->anchor);
    if (!status && tr_body_has_axis(body))
        status = read_axis(reader, node, body);
    return status ? status : read_range(reader, node, body);
}

static tr_status read_freejoint(tr_mjcf_reader *reader, const xmlNode *node) {
    if (reader->body != 0)
        return tr_mjcf_fail(reader, node, "expected on the root body only");
    return claim_joint(reader, node);
}

/* --- geoms and masses --- */

static tr_status read_geom_kind(const tr_mjcf_reader *reader, const xmlNode *node,
                                tr_geom_kind *out) {
    static const char *const names[] = {"sphere", "capsule", "box", "cylinder"};
    const char *text = tr_mjcf_attribute(node, "type");
    for (int kind = TR_GEOM_SPHERE; kind <= TR_GEOM_CYLINDER; kind++)
        if (strcmp(text ? text : "sphere", names[kind]) == 0) {
            *out = (tr_geom_kind)kind;
            return TR_OK;
        }
    return tr_mjcf_fail(reader, node,
                        "type: expected sphere, capsule, box or cylinder, found '%.40s'", text);
}

static tr_status read_size(const tr_mjcf_reader *reader, const xmlNode *node, bool fromto,
                           tr_geom *geom) {
    static const int sizes[] = {1, 2, 3, 2};
    double value[3] = {0};
    int count, needed = fromto ? 1 : sizes[geom->kind];
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"size", 1, 3}, value, &count);
    if (status)
        return status;
    bool positive = count >= needed;
    for (int i = 0; i < needed; i++)
        positive = positive && value[i] > 0.0;
    if (!positive)
        return tr_mjcf_fail(reader, node, "size: expected %d positive number%s", needed,
                            needed > 1 ? "s" : "");
    geom->size = (tr_vec3){value[0], needed > 1 ? value[1] : 0.0, needed > 2 ? value[2] : 0.0};
    return TR_OK;
}

/* The shortest rotation that carries z to a unit vector. */
static tr_quat rotation_from_z(tr_vec3 d) {
    if (d.z < -1.0 + 1e-9)
        return (tr_quat){0, 1, 0, 0};
    return tr_quat_normalize((tr_quat){1.0 + d.z, -d.y, d.x, 0.0});
}

static tr_status read_fromto(const tr_mjcf_reader *reader, const xmlNode *node, const double *end,
                             tr_geom *geom) {
    tr_vec3 from = {end[0], end[1], end[2]}, to = {end[3], end[4], end[5]};
    double length = tr_vec3_distance(from, to);
    bool round = geom->kind == TR_GEOM_CAPSULE || geom->kind == TR_GEOM_CYLINDER;
    if (!round || length < 1e-6)
        return tr_mjcf_fail(reader, node,
                            "fromto: expected on a capsule or cylinder, two distinct points");
    geom->pos = tr_vec3_lerp(from, to, 0.5);
    geom->rot = rotation_from_z(tr_vec3_scale(tr_vec3_sub(to, from), 1.0 / length));
    geom->size.y = 0.5 * length;
    return TR_OK;
}

static tr_status read_placement(const tr_mjcf_reader *reader, const xmlNode *node, tr_geom *geom) {
    double end[6];
    int count;
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"fromto", 6, 6}, end, &count);
    if (!status)
        status = tr_mjcf_read_vec3(reader, node, "pos", &geom->pos);
    if (!status)
        status = tr_mjcf_read_quat(reader, node, "quat", &geom->rot);
    if (!status)
        status = read_size(reader, node, count > 0, geom);
    if (status || count == 0)
        return status;
    return read_fromto(reader, node, end, geom);
}

static tr_status read_positive(const tr_mjcf_reader *reader, const xmlNode *node, const char *name,
                               double *out) {
    int count;
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){name, 1, 1}, out, &count);
    if (!status && count == 1 && !(*out > 0.0))
        return tr_mjcf_fail(reader, node, "%s: expected a positive number", name);
    return status;
}

static tr_status read_geom_mass(tr_mjcf_reader *reader, const xmlNode *node, const tr_geom *geom) {
    double density = 1000.0, mass = 0.0;
    tr_status status = read_positive(reader, node, "density", &density);
    if (!status)
        status = read_positive(reader, node, "mass", &mass);
    if (status)
        return status;
    if (mass == 0.0)
        mass = density * tr_geom_volume(geom);
    tr_mass_properties part = tr_geom_mass_properties(geom, mass);
    tr_mass_properties *sum = &reader->geom_mass[reader->body];
    *sum = tr_mass_properties_join(sum, &part);
    return TR_OK;
}

/* Which of the three coefficients act: condim 3 the first, 4 torsion too, 6 rolling too. */
static tr_status read_condim(const tr_mjcf_reader *reader, const xmlNode *node, int *out) {
    double value = 3;
    int count;
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"condim", 1, 1}, &value, &count);
    if (!status && value != 1 && value != 3 && value != 4 && value != 6)
        return tr_mjcf_fail(reader, node, "condim: expected 1, 3, 4 or 6");
    *out = (int)value;
    return status;
}

static tr_status read_friction(const tr_mjcf_reader *reader, const xmlNode *node, tr_geom *geom) {
    double value[3] = {1.0, 0.005, 0.0001}; /* MuJoCo's */
    int count, condim = 3;
    tr_status status =
        tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"friction", 1, 3}, value, &count);
    if (!status)
        status = read_condim(reader, node, &condim);
    if (!status && (value[0] < 0.0 || value[1] < 0.0 || value[2] < 0.0))
        return tr_mjcf_fail(reader, node, "friction: expected numbers not below zero");
    geom->friction = condim > 1 ? value[0] : 0.0;
    geom->torsional = condim > 3 ? value[1] : 0.0;
    geom->rolling = condim > 4 ? value[2] : 0.0;
    return status;
}

static tr_status read_geom(tr_mjcf_reader *reader, const xmlNode *node) {
    tr_model *model = reader->model;
    if (model->geom_count == TR_GEOM_MAX)
        return tr_mjcf_fail(reader, node, "expected at most %d geoms", TR_GEOM_MAX);
    tr_geom *geom = &model->geom[model->geom_count];
    *geom = (tr_geom){.body = reader->body, .rot = tr_quat_identity()};
    tr_status status = TR_OK;
    if (tr_mjcf_attribute(node, "name"))
        status = tr_mjcf_read_name(reader, node, geom->name);
    if (!status)
        status = read_geom_kind(reader, node, &geom->kind);
    if (!status)
        status = read_placement(reader, node, geom);
    if (!status)
        status = read_friction(reader, node, geom);
    if (!status)
        status = read_geom_mass(reader, node, geom);
    if (!status)
        model->geom_count++;
    return status;
}

static tr_status read_world_geom(tr_mjcf_reader *reader, const xmlNode *node) {
    const char *type = tr_mjcf_attribute(node, "type");
    if (!type || strcmp(type, "plane") != 0)
        return tr_mjcf_fail(reader, node,
                            "type: expected plane: other scenery belongs to the world");
    return TR_OK;
}

/* Moments as three principal ones, or as xx yy zz xy xz yz. */
static tr_status read_moments(const tr_mjcf_reader *reader, const xmlNode *node, tr_mat3 *out) {
    double d[3], f[6];
    int diagonal_count, full_count;
    tr_status status = tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"diaginertia", 3, 3},
                                            d, &diagonal_count);
    if (!status)
        status = tr_mjcf_read_numbers(reader, node, &(tr_mjcf_numbers){"fullinertia", 6, 6}, f,
                                      &full_count);
    if (status)
        return status;
    if ((diagonal_count > 0) == (full_count > 0))
        return tr_mjcf_fail(reader, node, "expected either diaginertia or fullinertia");
    *out = full_count > 0 ? (tr_mat3){{f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]}}
                          : tr_mat3_diagonal(d[0], d[1], d[2]);
    return TR_OK;
}

static tr_status read_inertial(tr_mjcf_reader *reader, const xmlNode *node) {
    tr_body *body = &reader->model->body[reader->body];
    tr_quat rot = tr_quat_identity();
    tr_mat3 moments;
    if (reader->has_inertial[reader->body])
        return tr_mjcf_fail(reader, node, "expected one inertial per body");
    if (!tr_mjcf_attribute(node, "mass") || !tr_mjcf_attribute(node, "pos"))
        return tr_mjcf_fail(reader, node, "expected mass and pos");
    reader->has_inertial[reader->body] = true;
    tr_status status = tr_mjcf_read_vec3(reader, node, "pos", &body->com);
    if (!status)
        status = tr_mjcf_read_quat(reader, node, "quat", &rot);
    if (!status)
        status = read_positive(reader, node, "mass", &body->mass);
    if (!status)
        status = read_moments(reader, node, &moments);
    if (status)
        return status;
    if (!tr_inertia_is_physical(&moments))
        return tr_mjcf_fail(reader, node,
                            "inertia: expected positive principal moments, the two "
                            "smaller no less in sum than the largest");
    tr_mat3 axes = tr_quat_to_mat3(rot);
    body->inertia = tr_mat3_rotate_tensor(&axes, &moments);
    return TR_OK;
}

/* --- bodies --- */

static tr_status read_body(tr_mjcf_reader *reader, const xmlNode *node);

static const tr_mjcf_element body_children[] = {
    {"inertial", "pos quat mass diaginertia fullinertia", read_inertial},
    {"freejoint", "name group", read_freejoint},
    {"joint", "name class type pos axis range limited group", read_joint},
    {"geom",
     "name class type size fromto pos quat mass density friction rgba group condim solref solimp "
     "material",
     read_geom},
    {"body", "name childclass pos quat", read_body},
    {"site", NULL, NULL},
    {"camera", NULL, NULL},
    {"light", NULL, NULL},
    {0}};

static tr_status open_body(tr_mjcf_reader *reader, const xmlNode *node, int parent) {
    tr_model *model = reader->model;
    if (model->body_count == TR_BODY_MAX)
        return tr_mjcf_fail(reader, node, "expected at most %d bodies", TR_BODY_MAX);
    if (parent < 0 && model->body_count > 0)
        return tr_mjcf_fail(reader, node, "expected one root body under <worldbody>");
    int index = model->body_count;
    tr_body *body = &model->body[index];
    *body = (tr_body){.parent = parent,
                      .joint = TR_JOINT_FREE,
                      .rot = tr_quat_identity(),
                      .axis = {0, 0, 1},
                      .torque_limit = INFINITY,
                      .mirror = index};
    tr_status status = tr_mjcf_read_name(reader, node, body->name);
    if (!status && tr_model_find_body(model, body->name) >= 0)
        return tr_mjcf_fail(reader, node, "name: another body has it already");
    if (!status)
        status = tr_mjcf_read_vec3(reader, node, "pos", &body->pos);
    if (!status)
        status = tr_mjcf_read_quat(reader, node, "quat", &body->rot);
    if (!status && parent < 0 && body->rot.w != 1.0)
        return tr_mjcf_fail(reader, node, "quat: expected no rotation of the root body");
    if (!status)
        model->body_count++;
    return status;
}

static tr_status close_body(tr_mjcf_reader *reader, const xmlNode *node, int index) {
    tr_body *body = &reader->model->body[index];
    const tr_mass_properties *geoms = &reader->geom_mass[index];
    if (!reader->has_joint[index])
        return tr_mjcf_fail(reader, node, "expected a joint: %s",
                            index == 0 ? "freejoint" : "ball, hinge or slide");
    if (reader->has_inertial[index])
        return TR_OK;
    body->mass = geoms->mass;
    body->com = geoms->com;
    body->inertia = geoms->inertia;
    if (!(body->mass > 0.0) || !tr_inertia_is_physical(&body->inertia))
        return tr_mjcf_fail(reader, node, "expected mass: an inertial, or geoms with volume");
    return TR_OK;
}

static tr_status read_body(tr_mjcf_reader *reader, const xmlNode *node) {
    int parent = reader->body, index = reader->model->body_count;
    tr_status status = open_body(reader, node, parent);
    if (status)
        return status;
    reader->body = index;
    status = tr_mjcf_read_children(reader, node, body_children);
    reader->body = parent;
    return status ? status : close_body(reader, node, index);
}

static tr_status read_worldbody(tr_mjcf_reader *reader, const xmlNode *node) {
    static const tr_mjcf_element children[] = {{"geom", NULL, read_world_geom},
                                               {"body", "name childclass pos quat", read_body},
                                               {"site", NULL, NULL},
                                               {"camera", NULL, NULL},
                                               {"light", NULL, NULL},
                                               {0}};
    return tr_mjcf_read_children(reader, node, children);
}

/* --- settings, exclusions, and the document --- */

static tr_status read_compiler(tr_mjcf_reader *reader, const xmlNode *node) {
    const char *angle = tr_mjcf_attribute(node, "angle");
    bool radian = angle && strcmp(angle, "radian") == 0;
    if (angle && !radian && strcmp(angle, "degree") != 0)
        return tr_mjcf_fail(reader, node, "angle: expected radian or degree, found '%.40s'", angle);
    if (angle)
        reader->angle_scale = radian ? 1.0 : TR_PI / 180.0;
    return tr_mjcf_read_bool(reader, node, "autolimits", &reader->autolimits);
}

/* The values are looked up where an element lacks them; those that nothing here reads do not matter. */
static tr_status read_default(tr_mjcf_reader *reader, const xmlNode *node) {
    static const tr_mjcf_element children[] = {
        {"joint", "type pos axis range limited group", NULL},
        {"geom",
         "type size pos quat mass density friction rgba group condim solref solimp material", NULL},
        {"motor", "gear forcerange", NULL},
        {"site", NULL, NULL},
        {"camera", NULL, NULL},
        {"light", NULL, NULL},
        {"mesh", NULL, NULL},
        {"material", NULL, NULL},
        {"default", "class", read_default},
        {0}};
    return node->parent->parent->type == XML_ELEMENT_NODE &&
                   !xmlHasProp(node, (const xmlChar *)"class")
               ? tr_mjcf_fail(reader, node, "class: expected a name")
               : tr_mjcf_read_children(reader, node, children);
}

static tr_status read_exclude(tr_mjcf_reader *reader, const xmlNode *node) {
    static const char *const fields[] = {"body1", "body2"};
    int body[2] = {0};
    for (int i = 0; i < 2; i++) {
        const char *name = tr_mjcf_attribute(node, fields[i]);
        tr_status status = tr_mjcf_find_body(reader, node, fields[i], name ? name : "", &body[i]);
        if (status)
            return status;
    }
    if (body[0] == body[1])
        return tr_mjcf_fail(reader, node, "body2: expected another body than body1");
    tr_model_exclude(reader->model, body[0], body[1]);
    return TR_OK;
}

static tr_status read_contact(tr_mjcf_reader *reader, const xmlNode *node) {
    static const tr_mjcf_element children[] = {{"exclude", "name body1 body2", read_exclude}, {0}};
    return tr_mjcf_read_children(reader, node, children);
}

static tr_status read_document(tr_mjcf_reader *reader, const xmlNode *root) {
    /* The order of sections in a file is free, but later ones here need what earlier ones set. */
    static const tr_mjcf_element sections[] = {{"compiler", "angle autolimits", read_compiler},
                                               {"default", "class", read_default},
                                               {"worldbody", "", read_worldbody},
                                               {"contact", "", read_contact},
                                               {"custom", "", tr_mjcf_read_custom},
                                               {"actuator", "", tr_mjcf_read_actuators},
                                               {"option", NULL, NULL},
                                               {"size", NULL, NULL},
                                               {"visual", NULL, NULL},
                                               {"statistic", NULL, NULL},
                                               {"asset", NULL, NULL},
                                               {0}};
    enum { SECTIONS = sizeof sections / sizeof sections[0] - 1 };
    for (int pass = 0; pass < SECTIONS; pass++) {
        tr_mjcf_element table[SECTIONS + 1];
        memcpy(table, sections, sizeof table);
        for (int i = 0; i < SECTIONS; i++)
            table[i].read = i == pass ? sections[i].read : NULL;
        tr_status status = tr_mjcf_read_children(reader, root, table);
        if (status)
            return status;
    }
    if (reader->model->body_count == 0)
        return tr_mjcf_fail(reader, root, "expected a <body> under <worldbody>");
    if (reader->model->gain_set_count == 0)
        return tr_mjcf_fail(reader, root, "expected <custom><text name=\"gains NAME\" ...>");
    return TR_OK;
}

static tr_status read_root(tr_mjcf_reader *reader, const xmlDoc *document) {
    const xmlNode *root = xmlDocGetRootElement(document);
    if (document->intSubset)
        return tr_mjcf_fail(reader, root, "expected no document type declaration");
    if (strcmp((const char *)root->name, "mujoco") != 0)
        return tr_mjcf_fail(reader, root, "expected <mujoco>");
    const char *name = tr_mjcf_attribute(root, "model");
    if (!name || strlen(name) == 0 || strlen(name) >= TR_NAME_MAX)
        return tr_mjcf_fail(reader, root, "model: expected a name of 1 to %d characters",
                            TR_NAME_MAX - 1);
    memcpy(reader->model->name, name, strlen(name) + 1);
    return read_document(reader, root);
}

static tr_status fail_xml(xmlParserCtxtPtr parser, const char *file, tr_error *error) {
    const xmlError *last = xmlCtxtGetLastError(parser);
    const char *message = last && last->message ? last->message : "not well-formed XML";
    return tr_fail(error, TR_INVALID_ARGUMENT, "%s:%d: %.*s", file, last ? last->line : 1,
                   (int)strcspn(message, "\n"), message);
}

tr_status tr_mjcf_parse(const char *text, size_t size, const char *name, tr_model **out,
                        tr_error *error) {
    if (size > TR_MJCF_BYTES_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "%s: expected at most %d bytes, found %zu", name,
                       TR_MJCF_BYTES_MAX, size);
    tr_model *model = malloc(sizeof *model);
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    xmlDocPtr document = NULL;
    tr_status status = TR_RESOURCE_EXHAUSTED;
    if (!model || !parser) {
        tr_fail(error, status, "%s: out of memory", name);
        goto done;
    }
    document = xmlCtxtReadMemory(parser, text, (int)size, name, NULL,
                                 XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                     XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
    if (!document) {
        status = fail_xml(parser, name, error);
        goto done;
    }
    tr_model_init(model);
    tr_mjcf_reader reader = {.file = name,
                             .error = error,
                             .model = model,
                             .angle_scale = TR_PI / 180.0,
                             .autolimits = true,
                             .body = -1};
    status = read_root(&reader, document);
    if (!status) {
        tr_model_finish(model);
        *out = model;
        model = NULL;
    }
done:
    xmlFreeDoc(document);
    xmlFreeParserCtxt(parser);
    free(model);
    return status;
}

tr_status tr_mjcf_load(const char *path, tr_model **out, tr_error *error) {
    char *text = NULL;
    size_t size = 0;
    tr_error inner;
    tr_status status = tr_bytes_file_read(path, TR_MJCF_BYTES_MAX, &text, &size, &inner);
    if (status)
        return tr_fail(error, status, "model %s (expected a character model in MJCF)",
                       inner.message);
    status = tr_mjcf_parse(text, size, path, out, error);
    free(text);
    return status;
}

void tr_model_destroy(tr_model *model) {
    free(model);
}
