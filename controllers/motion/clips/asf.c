#include "motion/clips/asf.h"

#include "math/hash.h"
#include "motion/clips/loader.h"
#include "motion/scan/scan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { ASF_SIZE_MAX = 4 * 1024 * 1024, NO_PARENT = -1, UNKNOWN_PARENT = -2 };

/* Lengths of an ASF are inches divided by the number it states. */
static const double INCH_M = 0.0254;

typedef struct asf_reader {
    tr_scan scan;
    tr_asf *asf;
    unsigned sections, words; /* that stood in the file, and in the section or bone */
} asf_reader;

/* Words that stand once in a section or bone. */
static const char *const single[] = {"mass",     "length",      "angle",   "order",     "axis",
                                     "position", "orientation", "name",    "direction", "dof",
                                     "id",       "bodymass",    "cofmass", NULL};

int tr_asf_find(const tr_asf *asf, const char *name) {
    for (int i = 0; i < asf->bone_count; i++)
        if (strcasecmp(asf->bones[i].name, name) == 0)
            return i;
    return -1;
}

static void skip_line(tr_scan *scan) {
    while (tr_scan_more_on_line(scan))
        tr_scan_next(scan);
}

/* Skips a line that begins with one of these words, which change no pose; refuses others. */
static tr_status skip_known(asf_reader *r, const char *section, const char *words) {
    size_t length = r->scan.token[0] == '(' ? 1 : strlen(r->scan.token);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t span = strcspn(at, " ");
        if (span == length && strncasecmp(at, r->scan.token, length) == 0) {
            skip_line(&r->scan);
            return TR_OK;
        }
        at += span;
    }
    return tr_scan_fail(&r->scan, "%s: unknown word '%.40s'", section, r->scan.token);
}

/* "rx", "TY", ... */
static bool parse_dof(const char *token, tr_asf_bone *bone) {
    char kind = (char)tolower((unsigned char)token[0]);
    char axis = (char)toupper((unsigned char)token[0] ? (unsigned char)token[1] : 0);
    if ((kind != 'r' && kind != 't') || axis < 'X' || axis > 'Z' || token[2])
        return false;
    for (int i = 0; i < bone->dof_count; i++)
        if (bone->dof_axis[i] == axis && bone->dof_turns[i] == (kind == 'r'))
            return false;
    if (bone->dof_count == TR_ASF_DOF_MAX)
        return false;
    bone->dof_axis[bone->dof_count] = axis;
    bone->dof_turns[bone->dof_count++] = kind == 'r';
    return true;
}

static tr_status read_dofs(asf_reader *r, tr_asf_bone *bone, const char *what) {
    while (tr_scan_more_on_line(&r->scan)) {
        tr_scan_next(&r->scan);
        if (!parse_dof(r->scan.token, bone))
            return tr_scan_fail(&r->scan,
                                "%s: expected rx, ry, rz, tx, ty or tz once each, found '%.40s'",
                                what, r->scan.token);
    }
    return TR_OK;
}

/* "a b c XYZ": the turns about the axes in that order, each in the outer frame. */
static tr_status read_axis(asf_reader *r, tr_quat *out) {
    tr_vec3 angle;
    tr_status status = tr_scan_vec3(&r->scan, "axis", &angle);
    if (status)
        return status;
    tr_scan_next(&r->scan);
    const char *order = r->scan.token;
    if (strlen(order) != 3)
        return tr_scan_fail(&r->scan, "axis: expected an order like XYZ, found '%.40s'", order);
    double factor = r->asf->degrees ? TR_PI / 180 : 1;
    double v[3] = {angle.x * factor, angle.y * factor, angle.z * factor};
    *out = tr_quat_identity();
    for (int i = 0; i < 3; i++) {
        char axis = (char)toupper((unsigned char)order[i]);
        if (axis < 'X' || axis > 'Z')
            return tr_scan_fail(&r->scan, "axis: expected an order like XYZ, found '%.40s'", order);
        *out = tr_quat_mul(tr_clip_axis_turn(axis, v[i]), *out);
    }
    return TR_OK;
}

static tr_status read_units(asf_reader *r) {
    if (tr_scan_is(&r->scan, "length")) {
        double length;
        tr_status status = tr_scan_number(&r->scan, "length", &length);
        if (status)
            return status;
        if (!(length > 1e-6 && length < 1e6))
            return tr_scan_fail(&r->scan, "length: expected a positive number");
        r->asf->unit_m = INCH_M / length;
    } else if (tr_scan_is(&r->scan, "angle")) {
        tr_scan_next(&r->scan);
        if (!tr_scan_is(&r->scan, "deg") && !tr_scan_is(&r->scan, "rad"))
            return tr_scan_fail(&r->scan, "angle: expected deg or rad, found '%.40s'",
                                r->scan.token);
        r->asf->degrees = tr_scan_is(&r->scan, "deg");
    } else
        return skip_known(r, "units", "mass");
    return TR_OK;
}

static tr_status read_root(asf_reader *r) {
    tr_vec3 v;
    tr_asf_bone *root = &r->asf->bones[0];
    if (tr_scan_is(&r->scan, "order"))
        return read_dofs(r, root, "order");
    if (tr_scan_is(&r->scan, "position") || tr_scan_is(&r->scan, "orientation")) {
        tr_status status = tr_scan_vec3(&r->scan, "root", &v);
        if (!status && (v.x != 0 || v.y != 0 || v.z != 0))
            return tr_scan_fail(&r->scan, "root position and orientation: expected 0 0 0");
        return status;
    }
    return skip_known(r, "root", "axis name");
}

/* One line of a bone; the bone is the last of the list. */
static tr_status read_bone_line(asf_reader *r, tr_asf_bone *bone) {
    if (tr_scan_is(&r->scan, "name")) {
        tr_scan_next(&r->scan);
        if (r->scan.token[0] == '\0' || strlen(r->scan.token) >= TR_CLIP_NAME_MAX - 4)
            return tr_scan_fail(&r->scan, "name: expected a bone name of at most %d characters",
                                TR_CLIP_NAME_MAX - 5);
        if (tr_asf_find(r->asf, r->scan.token) >= 0)
            return tr_scan_fail(&r->scan, "bone '%s' twice", r->scan.token);
        snprintf(bone->name, sizeof bone->name, "%.*s", TR_CLIP_NAME_MAX - 1, r->scan.token);
        return TR_OK;
    }
    if (tr_scan_is(&r->scan, "direction"))
        return tr_scan_vec3(&r->scan, "direction", &bone->direction);
    if (tr_scan_is(&r->scan, "length"))
        return tr_scan_number(&r->scan, "length", &bone->length);
    if (tr_scan_is(&r->scan, "axis"))
        return read_axis(r, &bone->axis);
    if (tr_scan_is(&r->scan, "dof"))
        return read_dofs(r, bone, "dof");
    return skip_known(r, "bonedata", "id limits ( bodymass cofmass");
}

static tr_status read_bone(asf_reader *r) {
    if (!tr_scan_is(&r->scan, "begin"))
        return tr_scan_fail(&r->scan, "bonedata: expected begin, found '%.40s'", r->scan.token);
    if (r->asf->bone_count == TR_CLIP_JOINT_MAX / 2)
        return tr_scan_fail(&r->scan, "more than %d bones", TR_CLIP_JOINT_MAX / 2);
    tr_asf_bone *bone = &r->asf->bones[r->asf->bone_count];
    *bone = (tr_asf_bone){.parent = UNKNOWN_PARENT, .axis = tr_quat_identity()};
    r->words = 0;
    for (;;) {
        if (!tr_scan_next(&r->scan))
            return tr_scan_fail(&r->scan, "the file ends inside a bone");
        if (tr_scan_is(&r->scan, "end"))
            break;
        tr_status status = tr_scan_once(&r->scan, single, &r->words);
        if (!status)
            status = read_bone_line(r, bone);
        if (status)
            return status;
    }
    if (!bone->name[0])
        return tr_scan_fail(&r->scan, "a bone without a name");
    bone->direction = tr_vec3_normalize_or(bone->direction, (tr_vec3){0});
    r->asf->bone_count++;
    return TR_OK;
}

/* "parent child child ..." */
static tr_status read_children(asf_reader *r) {
    if (tr_scan_is(&r->scan, "begin") || tr_scan_is(&r->scan, "end"))
        return TR_OK;
    int parent = tr_asf_find(r->asf, r->scan.token);
    if (parent < 0)
        return tr_scan_fail(&r->scan, "hierarchy: no bone '%.40s'", r->scan.token);
    while (tr_scan_more_on_line(&r->scan)) {
        tr_scan_next(&r->scan);
        int child = tr_asf_find(r->asf, r->scan.token);
        if (child <= 0)
            return tr_scan_fail(&r->scan, "hierarchy: no bone '%.40s'", r->scan.token);
        if (r->asf->bones[child].parent != UNKNOWN_PARENT)
            return tr_scan_fail(&r->scan, "hierarchy: bone '%.40s' has two parents", r->scan.token);
        r->asf->bones[child].parent = parent;
    }
    return TR_OK;
}

/* Every bone hangs, over its parents, from the root. */
static tr_status check_tree(const asf_reader *r) {
    for (int i = 0; i < r->asf->bone_count; i++) {
        int at = i;
        for (int steps = 0; at > 0; at = r->asf->bones[at].parent)
            if (++steps > r->asf->bone_count)
                return tr_scan_fail(&r->scan, "hierarchy: bone '%s' is its own ancestor",
                                    r->asf->bones[i].name);
        if (at == UNKNOWN_PARENT)
            return tr_scan_fail(&r->scan, "hierarchy: bone '%s' hangs from nothing",
                                r->asf->bones[i].name);
    }
    if (r->asf->bone_count < 2)
        return tr_scan_fail(&r->scan, "expected :bonedata with bones");
    if (r->asf->bones[0].dof_count != 6)
        return tr_scan_fail(&r->scan, "expected :root with an order of TX TY TZ RX RY RZ");
    return TR_OK;
}

/* The sections that are read, and those that change no pose. */
static const char *const sections[] = {":units",     ":root",          ":bonedata",
                                       ":hierarchy", ":version",       ":name",
                                       ":skin",      ":documentation", NULL};
enum { UNITS, ROOT, BONES, HIERARCHY, UNUSED };

static tr_status begin_section(asf_reader *r, int *out) {
    tr_status status = tr_scan_once(&r->scan, sections, &r->sections);
    r->words = 0;
    for (*out = 0; sections[*out] && !tr_scan_is(&r->scan, sections[*out]);)
        ++*out;
    if (!status && !sections[*out])
        status = tr_scan_fail(&r->scan, "no section of a skeleton: '%.40s'", r->scan.token);
    return status;
}

/* A line of a section; a bone is many. */
static tr_status read_line(asf_reader *r, int section) {
    tr_status status = TR_OK;
    if (section == UNITS || section == ROOT)
        status = tr_scan_once(&r->scan, single, &r->words);
    if (status)
        return status;
    return section == UNITS       ? read_units(r)
           : section == ROOT      ? read_root(r)
           : section == BONES     ? read_bone(r)
           : section == HIERARCHY ? read_children(r)
                                  : TR_OK;
}

static tr_status read_sections(asf_reader *r) {
    int at = UNUSED;
    tr_status status = TR_OK;
    while (!status && tr_scan_next(&r->scan)) {
        bool is_keyword = r->scan.token[0] == ':';
        if (is_keyword)
            status = begin_section(r, &at);
        if (is_keyword || r->scan.token[0] == '#' || at >= UNUSED)
            skip_line(&r->scan);
        else
            status = read_line(r, at);
    }
    return status ? status : check_tree(r);
}

tr_status tr_asf_read(const char *path, tr_asf *out, tr_error *error) {
    asf_reader r = {.asf = out};
    tr_status status = tr_scan_open(&r.scan, path, ASF_SIZE_MAX, error);
    if (status)
        return status;
    memset(out, 0, sizeof *out);
    out->bone_count = 1;
    out->bones[0] = (tr_asf_bone){.name = "root", .parent = NO_PARENT, .axis = tr_quat_identity()};
    out->unit_m = INCH_M;
    out->degrees = true;
    out->hash = tr_hash_add(TR_HASH_START, r.scan.text, r.scan.size);
    status = read_sections(&r);
    tr_scan_close(&r.scan);
    return status;
}
