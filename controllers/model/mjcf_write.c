#include "model/mjcf_write.h"

#include <math.h>
#include <stdio.h>

static bool is_identity(tr_quat q) {
    return q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0;
}

static void print_vec3(FILE *out, const char *name, tr_vec3 v) {
    fprintf(out, " %s=\"%.7g %.7g %.7g\"", name, v.x, v.y, v.z);
}

static void print_quat(FILE *out, tr_quat q) {
    if (!is_identity(q))
        fprintf(out, " quat=\"%.9g %.9g %.9g %.9g\"", q.w, q.x, q.y, q.z);
}

static void print_joint(FILE *out, const tr_body *body, int indent) {
    fprintf(out, "%*s", indent, "");
    if (body->joint == TR_JOINT_FREE) {
        fprintf(out, "<freejoint name=\"root\"/>\n");
        return;
    }
    static const char *const kinds[] = {
        [TR_JOINT_BALL] = "ball", [TR_JOINT_HINGE] = "hinge", [TR_JOINT_SLIDE] = "slide"};
    fprintf(out, "<joint name=\"%s\" type=\"%s\"", body->name, kinds[body->joint]);
    print_vec3(out, "pos", body->anchor);
    if (tr_body_has_axis(body))
        print_vec3(out, "axis", body->axis);
    if (body->limited)
        fprintf(out, " range=\"%.7g %.7g\"", body->range[0], body->range[1]);
    fprintf(out, "/>\n");
}

static void print_inertial(FILE *out, const tr_body *body, int indent) {
    const tr_mat3 *m = &body->inertia;
    tr_vec3 x = tr_mat3_column(m, 0), y = tr_mat3_column(m, 1), z = tr_mat3_column(m, 2);
    fprintf(out, "%*s<inertial mass=\"%.7g\"", indent, "", body->mass);
    print_vec3(out, "pos", body->com);
    fprintf(out, " fullinertia=\"%.9g %.9g %.9g %.9g %.9g %.9g\"/>\n", x.x, y.y, z.z, y.x, z.x,
            z.y);
}

static void print_geom(FILE *out, const tr_geom *geom, int indent) {
    static const char *const kinds[] = {"sphere", "capsule", "box", "cylinder"};
    fprintf(out, "%*s<geom", indent, "");
    if (geom->name[0] != '\0')
        fprintf(out, " name=\"%s\"", geom->name);
    fprintf(out, " type=\"%s\"", kinds[geom->kind]);
    fprintf(out, " size=\"%.7g", geom->size.x);
    if (geom->kind != TR_GEOM_SPHERE)
        fprintf(out, " %.7g", geom->size.y);
    if (geom->kind == TR_GEOM_BOX)
        fprintf(out, " %.7g", geom->size.z);
    fprintf(out, "\"");
    print_vec3(out, "pos", geom->pos);
    print_quat(out, geom->rot);
    fprintf(out, " friction=\"%.7g %.7g %.7g\"", geom->friction, geom->torsional, geom->rolling);
    fprintf(out, " condim=\"%d\"/>\n", geom->rolling > 0 ? 6 : geom->torsional > 0 ? 4 : 3);
}

static void print_body(FILE *out, const tr_model *model, int index, int indent) {
    const tr_body *body = &model->body[index];
    fprintf(out, "%*s<body name=\"%s\"", indent, "", body->name);
    print_vec3(out, "pos", body->pos);
    print_quat(out, body->rot);
    fprintf(out, ">\n");
    print_joint(out, body, indent + 2);
    print_inertial(out, body, indent + 2);
    for (int i = 0; i < model->geom_count; i++)
        if (model->geom[i].body == index)
            print_geom(out, &model->geom[i], indent + 2);
    for (int i = index + 1; i < model->body_count; i++)
        if (model->body[i].parent == index)
            print_body(out, model, i, indent + 2);
    fprintf(out, "%*s</body>\n", indent, "");
}

static void print_motors(FILE *out, const tr_model *model) {
    static const char *const gears[] = {"1 0 0", "0 1 0", "0 0 1"};
    static const char axis[] = "xyz";
    fprintf(out, "  <actuator>\n");
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i];
        int axes = tr_body_has_axis(body) ? 1 : 3;
        for (int k = 0; body->torque_by_axis && k < axes; k++)
            fprintf(out,
                    "    <motor name=\"%s %c\" joint=\"%s\" gear=\"%s\" forcerange=\"%.7g "
                    "%.7g\"/>\n",
                    body->name, axis[k], body->name, axes == 1 ? "1" : gears[k],
                    body->torque_range[k][0], body->torque_range[k][1]);
    }
    fprintf(out, "  </actuator>\n");
}

static void print_text_begin(FILE *out, const char *key) {
    fprintf(out, "    <text name=\"%s\" data=\"", key);
}

static void print_gains(FILE *out, const tr_model *model) {
    for (int s = 0; s < model->gain_set_count; s++) {
        const tr_gain_set *set = &model->gain_set[s];
        char key[TR_NAME_MAX + 8];
        snprintf(key, sizeof key, "gains %s", set->name);
        print_text_begin(out, key);
        for (int i = 1; i < model->body_count; i++)
            fprintf(out, "%s%s %.7g %.7g", i > 1 ? "; " : "", model->body[i].name, set->kp[i],
                    set->kd[i]);
        fprintf(out, "\"/>\n");
    }
}

/* The entry of a body or a geom; false: it has none. */
enum { ENTRY_SIZE = 160 };
typedef bool entry_text(const tr_model *model, int i, char out[ENTRY_SIZE]);

static bool torque_text(const tr_model *model, int i, char out[ENTRY_SIZE]) {
    const tr_body *body = &model->body[i];
    snprintf(out, ENTRY_SIZE, "%s %.7g", body->name, body->torque_limit);
    return i > 0 && !body->torque_by_axis && isfinite(body->torque_limit);
}

static bool softness_text(const tr_model *model, int i, char out[ENTRY_SIZE]) {
    const tr_geom *geom = &model->geom[i];
    snprintf(out, ENTRY_SIZE, "%s %.7g", model->body[geom->body].name, geom->softness);
    return geom->softness > 0;
}

static bool mirror_text(const tr_model *model, int i, char out[ENTRY_SIZE]) {
    const tr_body *body = &model->body[i];
    snprintf(out, ENTRY_SIZE, "%s %s", body->name, model->body[body->mirror].name);
    return body->mirror > i;
}

static void print_entries(FILE *out, const tr_model *model, const char *key, int count,
                          entry_text *text) {
    int entries = 0;
    char entry[ENTRY_SIZE];
    for (int i = 0; i < count; i++) {
        if (!text(model, i, entry))
            continue;
        if (entries == 0)
            print_text_begin(out, key);
        fprintf(out, "%s%s", entries++ ? "; " : "", entry);
    }
    if (entries)
        fprintf(out, "\"/>\n");
}

static void print_mark(FILE *out, const tr_model *model, const char *key, const int *bodies,
                       int count) {
    if (count == 0 || bodies[0] < 0)
        return;
    print_text_begin(out, key);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%s", i ? " " : "", model->body[bodies[i]].name);
    fprintf(out, "\"/>\n");
}

static void print_custom(FILE *out, const tr_model *model) {
    fprintf(out, "  <custom>\n");
    print_gains(out, model);
    print_entries(out, model, "torque limit", model->body_count, torque_text);
    print_entries(out, model, "softness", model->geom_count, softness_text);
    print_entries(out, model, "mirror", model->body_count, mirror_text);
    print_mark(out, model, "foot", model->foot, 2);
    print_mark(out, model, "toe", model->toe, 2);
    print_mark(out, model, "hand", model->hand, 2);
    print_mark(out, model, "head", &model->head, 1);
    print_mark(out, model, "trunk", &model->trunk, 1);
    print_mark(out, model, "end effector", model->end_effector, model->end_effector_count);
    print_mark(out, model, "action", model->action, model->action_count);
    fprintf(out, "  </custom>\n");
}

tr_status tr_mjcf_print(const tr_model *model, const char *comment, char **out_text,
                        size_t *out_size) {
    FILE *out = open_memstream(out_text, out_size);
    if (!out)
        return TR_RESOURCE_EXHAUSTED;
    if (comment)
        fprintf(out, "<!-- %s -->\n", comment);
    fprintf(out, "<mujoco model=\"%s\">\n  <compiler angle=\"radian\" autolimits=\"true\"/>\n",
            model->name);
    fprintf(out, "  <worldbody>\n    <geom name=\"ground\" type=\"plane\" size=\"0 0 1\"/>\n");
    print_body(out, model, 0, 4);
    fprintf(out, "  </worldbody>\n");
    /* Bit j of exclude[i]; a parent needs none. */
    fprintf(out, "  <contact>\n");
    for (int i = 0; i < model->body_count; i++)
        for (int j = i + 1; j < model->body_count; j++)
            if ((model->exclude[i] >> j & 1) && model->body[j].parent != i)
                fprintf(out, "    <exclude body1=\"%s\" body2=\"%s\"/>\n", model->body[i].name,
                        model->body[j].name);
    fprintf(out, "  </contact>\n");
    print_motors(out, model);
    print_custom(out, model);
    fprintf(out, "</mujoco>\n");
    bool whole = !ferror(out);
    return fclose(out) == 0 && whole ? TR_OK : TR_RESOURCE_EXHAUSTED;
}
