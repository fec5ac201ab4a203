#include "motion/body/body.h"

#include "motion/body/flesh.h"
#include "motion/body/landmarks.h"

#include "model/inertia.h"
#include "model/model_build.h"
#include "model/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The athlete's bodies by segment, left and right. */
static const char *const NAMES[TR_SEGMENT_COUNT][2] = {
    {"pelvis", NULL},     {"ltorso", NULL},   {"utorso", NULL},   {"head", NULL},
    {"luarm", "ruarm"},   {"llarm", "rlarm"}, {"lhand", "rhand"}, {"lthigh", "rthigh"},
    {"lshank", "rshank"}, {"lfoot", "rfoot"}, {"ltoe", "rtoe"},
};

/* Lengths of a figure, m. hip_y, shoulder_y: half the widths. The rest: heights above the hip joints, and
 * lengths of bones. ankle: above the sole; toe: ahead of the ankle */
typedef struct lengths {
    double hip_y, shoulder_y, shoulder_z, head_z;
    double upper_arm, forearm, thigh, shank, ankle, toe;
} lengths;

typedef struct maker {
    const tr_body_def *def;
    tr_landmarks marks;
    lengths own, model;
    double trunk, limb, whole; /* ratios of own to model: trunk, legs, height */
    double hip, waist, chest;  /* heights: hips and waist in the pelvis, chest in the waist */
    tr_flesh flesh[TR_SEGMENT_COUNT];
    int body[TR_SEGMENT_COUNT][2], geom[TR_SEGMENT_COUNT][2]; /* of the right: -1 in the middle */
    tr_model *out;
    tr_body_account *account;
    tr_error *error;
} maker;

/* ---- Lengths ---- */

static lengths lengths_of_model(const tr_model *model, int body[][2]) {
    const tr_body *b = model->body;
    double pelvis = b[body[TR_SEGMENT_THIGH][0]].pos.z;
    double chest = b[body[TR_SEGMENT_WAIST][0]].pos.z + b[body[TR_SEGMENT_CHEST][0]].pos.z - pelvis;
    const tr_geom *toe = &model->geom[0];
    for (int i = 0; i < model->geom_count; i++)
        if (model->geom[i].body == body[TR_SEGMENT_FOOT][0])
            toe = &model->geom[i];
    return (lengths){.hip_y = b[body[TR_SEGMENT_THIGH][0]].pos.y,
                     .shoulder_y = b[body[TR_SEGMENT_UPPER_ARM][0]].pos.y,
                     .shoulder_z = chest + b[body[TR_SEGMENT_UPPER_ARM][0]].pos.z,
                     .head_z = chest + b[body[TR_SEGMENT_HEAD][0]].pos.z,
                     .upper_arm = -b[body[TR_SEGMENT_FOREARM][0]].pos.z,
                     .forearm = -b[body[TR_SEGMENT_HAND][0]].pos.z,
                     .thigh = -b[body[TR_SEGMENT_SHANK][0]].pos.z,
                     .shank = -b[body[TR_SEGMENT_FOOT][0]].pos.z,
                     .ankle = toe->size.z - toe->pos.z,
                     .toe = b[body[TR_SEGMENT_TOE][0]].pos.x};
}

/* Of a bone, mean of both sides. */
static double bone_of(const tr_landmarks *m, tr_part from, tr_part to) {
    return 0.5 * (tr_vec3_distance(m->pos[from], m->pos[to]) +
                  tr_vec3_distance(m->pos[from + 1], m->pos[to + 1]));
}

static double half_width(const tr_landmarks *m, tr_part left) {
    return 0.5 * fabs(m->pos[left].y - m->pos[left + 1].y);
}

/* The toes' joint ahead of the ankle: where the rig has it, or at the athlete's share of the foot. */
static void measure_feet(maker *k) {
    const tr_landmarks *m = &k->marks;
    const tr_flesh *foot = &k->flesh[TR_SEGMENT_FOOT], *toe = &k->flesh[TR_SEGMENT_TOE];
    double scale = k->limb;
    k->own.toe = k->model.toe * scale;
    k->own.ankle = k->model.ankle * scale;
    if (m->has[TR_PART_LEFT_TOE] && m->has[TR_PART_RIGHT_TOE]) {
        tr_vec3 l = tr_vec3_sub(m->pos[TR_PART_LEFT_TOE], m->pos[TR_PART_LEFT_ANKLE]);
        tr_vec3 r = tr_vec3_sub(m->pos[TR_PART_RIGHT_TOE], m->pos[TR_PART_RIGHT_ANKLE]);
        double ahead = 0.5 * (hypot(l.x, l.y) + hypot(r.x, r.y));
        k->own.toe = fmax(ahead, 0.5 * k->own.toe);
        k->own.ankle = fmax(k->own.ankle, -0.5 * (l.z + r.z));
    } else if (foot->count > 0) {
        static const double share = 0.74; /* of the foot, from the heel */
        k->own.toe = foot->low.x + share * (foot->high.x - foot->low.x);
    }
    if (foot->count > 0)
        k->own.ankle = -fmin(foot->low.z, toe->count > 0 ? toe->low.z : 0);
}

static tr_status measure(maker *k) {
    const tr_landmarks *m = &k->marks;
    lengths *own = &k->own;
    own->hip_y = half_width(m, TR_PART_LEFT_HIP);
    own->shoulder_y = half_width(m, TR_PART_LEFT_SHOULDER);
    own->shoulder_z = 0.5 * (m->pos[TR_PART_LEFT_SHOULDER].z + m->pos[TR_PART_RIGHT_SHOULDER].z);
    own->upper_arm = bone_of(m, TR_PART_LEFT_SHOULDER, TR_PART_LEFT_ELBOW);
    own->forearm = bone_of(m, TR_PART_LEFT_ELBOW, TR_PART_LEFT_WRIST);
    own->thigh = bone_of(m, TR_PART_LEFT_HIP, TR_PART_LEFT_KNEE);
    own->shank = bone_of(m, TR_PART_LEFT_KNEE, TR_PART_LEFT_ANKLE);
    if (!(own->shoulder_z > 0.02 * m->height_m && own->hip_y > 0))
        return tr_fail(k->error, TR_INVALID_ARGUMENT,
                       "'%.60s' (left_shoulder) is not above '%.60s' (left_hip), or the hips have "
                       "no width: name the right joints in a map, --skeleton",
                       k->def->map->joint[TR_PART_LEFT_SHOULDER],
                       k->def->map->joint[TR_PART_LEFT_HIP]);
    k->trunk = own->shoulder_z / k->model.shoulder_z;
    k->limb = (own->thigh + own->shank) / (k->model.thigh + k->model.shank);
    k->whole = m->height_m / k->def->model->height;
    const tr_body *b = k->def->model->body;
    k->hip = b[k->body[TR_SEGMENT_THIGH][0]].pos.z * k->trunk;
    k->waist = b[k->body[TR_SEGMENT_WAIST][0]].pos.z * k->trunk;
    k->chest = b[k->body[TR_SEGMENT_CHEST][0]].pos.z * k->trunk;
    double least = own->shoulder_z * 1.01;
    own->head_z =
        m->has[TR_PART_HEAD] ? fmax(m->pos[TR_PART_HEAD].z, least) : k->model.head_z * k->trunk;
    return TR_OK;
}

/* ---- Places ---- */

static void place(maker *k, tr_segment segment, tr_vec3 pos) {
    for (int side = 0; side < 2; side++)
        if (k->body[segment][side] >= 0)
            k->out->body[k->body[segment][side]].pos = side ? tr_vec3_mirror(pos) : pos;
}

static void place_bodies(maker *k) {
    const lengths *own = &k->own;
    double chest_z = k->waist + k->chest - k->hip; /* above the hips */
    place(k, TR_SEGMENT_PELVIS, tr_vec3_make(0, 0, own->thigh + own->shank + own->ankle - k->hip));
    place(k, TR_SEGMENT_WAIST, tr_vec3_make(0, 0, k->waist));
    place(k, TR_SEGMENT_CHEST, tr_vec3_make(0, 0, k->chest));
    place(k, TR_SEGMENT_HEAD, tr_vec3_make(0, 0, own->head_z - chest_z));
    place(k, TR_SEGMENT_UPPER_ARM, tr_vec3_make(0, own->shoulder_y, own->shoulder_z - chest_z));
    place(k, TR_SEGMENT_FOREARM, tr_vec3_make(0, 0, -own->upper_arm));
    place(k, TR_SEGMENT_HAND, tr_vec3_make(0, 0, -own->forearm));
    place(k, TR_SEGMENT_THIGH, tr_vec3_make(0, own->hip_y, k->hip));
    place(k, TR_SEGMENT_SHANK, tr_vec3_make(0, 0, -own->thigh));
    place(k, TR_SEGMENT_FOOT, tr_vec3_make(0, 0, -own->shank));
    place(k, TR_SEGMENT_TOE, tr_vec3_make(own->toe, 0, -0.75 * own->ankle));
}

/* ---- Shapes ---- */

static tr_geom *shape(maker *k, tr_segment segment) {
    return &k->out->geom[k->geom[segment][0]];
}

static bool has_skin(const maker *k, tr_segment segment) {
    return k->flesh[segment].count >= 8 && k->flesh[segment].weight > 0;
}

static void note_skin(maker *k, tr_segment segment) {
    for (int side = 0; side < 2; side++)
        if (k->body[segment][side] >= 0)
            k->account->by_skin |= UINT32_C(1) << k->body[segment][side];
}

/* The radius of a round limb whose skin has these mean squares about the bone. */
static double radius_of(const tr_flesh *f) {
    return sqrt(f->across.x + f->mean.x * f->mean.x + f->across.y + f->mean.y * f->mean.y);
}

/* A capsule from joint to joint. */
static void shape_limb(maker *k, tr_segment segment, double length) {
    tr_geom *g = shape(k, segment);
    double radius = g->size.x * k->whole;
    if (has_skin(k, segment)) {
        radius = radius_of(&k->flesh[segment]);
        note_skin(k, segment);
    }
    radius = fmin(fmax(radius, 0.06 * length), 0.45 * length);
    g->size = tr_vec3_make(radius, 0.5 * length - radius, 0);
    g->pos = tr_vec3_make(0, 0, -0.5 * length);
}

/* Half the side of a box as large as an ellipse whose outline has this mean square: a^2 = 2 <x^2>, and
 * the box has the area of the ellipse. */
static double box_half(double mean_square) {
    return sqrt(2 * mean_square) * 0.5 * sqrt(TR_PI);
}

static void shape_trunk(maker *k, tr_segment segment) {
    tr_geom *g = shape(k, segment);
    g->size = tr_vec3_make(g->size.x * k->whole, g->size.y * k->whole, g->size.z * k->trunk);
    g->pos = tr_vec3_scale(g->pos, k->trunk);
    if (!has_skin(k, segment))
        return;
    const tr_flesh *f = &k->flesh[segment];
    g->size.x = fmax(box_half(f->across.x), 0.3 * g->size.z);
    g->size.y = fmax(box_half(f->across.y + f->mean.y * f->mean.y), 0.3 * g->size.z);
    g->pos.x = f->mean.x;
    note_skin(k, segment);
}

/* A sphere as large as the ellipsoid whose surface has these mean squares: a^2 = 3 <x^2>. */
static void shape_head(maker *k) {
    tr_geom *g = shape(k, TR_SEGMENT_HEAD);
    const tr_flesh *f = &k->flesh[TR_SEGMENT_HEAD];
    g->size.x *= k->whole;
    g->pos = tr_vec3_scale(g->pos, k->whole);
    if (!has_skin(k, TR_SEGMENT_HEAD))
        return;
    g->size.x = sqrt(3) * cbrt(sqrt(f->across.x) * sqrt(f->across.y) * sqrt(f->across.z));
    g->size.x = fmax(g->size.x, 0.03 * k->marks.height_m);
    g->pos = tr_vec3_make(f->mean.x, 0, f->mean.z);
    note_skin(k, TR_SEGMENT_HEAD);
}

static void shape_hand(maker *k) {
    tr_geom *g = shape(k, TR_SEGMENT_HAND);
    const tr_flesh *f = &k->flesh[TR_SEGMENT_HAND];
    double scale = (k->own.upper_arm + k->own.forearm) / (k->model.upper_arm + k->model.forearm);
    g->size = tr_vec3_scale(g->size, scale);
    g->pos = tr_vec3_scale(g->pos, scale);
    if (!has_skin(k, TR_SEGMENT_HAND))
        return;
    double length = fmax(-f->low.z, 0.01 * k->marks.height_m);
    g->size = tr_vec3_make(fmax(box_half(f->across.x), 0.1 * length),
                           fmax(box_half(f->across.y), 0.1 * length), 0.5 * length);
    g->pos = tr_vec3_make(f->mean.x, f->mean.y, -0.5 * length);
    note_skin(k, TR_SEGMENT_HAND);
}

/* Boxes that stand on one sole: the foot from the heel to the toes' joint, the toes from there. */
static void shape_foot(maker *k) {
    tr_geom *foot = shape(k, TR_SEGMENT_FOOT), *toe = shape(k, TR_SEGMENT_TOE);
    const tr_flesh *f = &k->flesh[TR_SEGMENT_FOOT], *t = &k->flesh[TR_SEGMENT_TOE];
    double ankle = k->own.ankle, joint = k->own.toe, ratio = joint / k->model.toe;
    double heel = (foot->pos.x - foot->size.x) * ratio;
    double tip = joint + (toe->pos.x + toe->size.x) * ratio;
    double half_y = foot->size.y * k->whole, middle_y = 0;
    if (has_skin(k, TR_SEGMENT_FOOT)) {
        heel = f->low.x;
        tip = fmax(t->count > 0 ? fmax(f->high.x, t->high.x) : f->high.x, joint + 0.1 * joint);
        half_y = 0.5 * (f->high.y - f->low.y) * 0.95;
        middle_y = 0.5 * (f->high.y + f->low.y);
        note_skin(k, TR_SEGMENT_FOOT);
        note_skin(k, TR_SEGMENT_TOE);
    }
    heel = fmin(heel, -0.1 * joint);
    half_y = fmax(half_y, 0.15 * (joint - heel));
    foot->size = tr_vec3_make(0.5 * (joint - heel), half_y, 0.375 * ankle);
    foot->pos = tr_vec3_make(0.5 * (joint + heel), middle_y, -0.625 * ankle);
    toe->size = tr_vec3_make(0.5 * (tip - joint), half_y, 0.25 * ankle);
    toe->pos = tr_vec3_make(0.5 * (tip - joint), middle_y, 0);
}

static void mirror_shapes(maker *k) {
    for (int segment = 0; segment < TR_SEGMENT_COUNT; segment++) {
        int left = k->geom[segment][0], right = k->geom[segment][1];
        if (right < 0)
            continue;
        k->out->geom[right].size = k->out->geom[left].size;
        k->out->geom[right].pos = tr_vec3_mirror(k->out->geom[left].pos);
    }
}

static void shape_bodies(maker *k) {
    for (int segment = TR_SEGMENT_PELVIS; segment <= TR_SEGMENT_CHEST; segment++)
        shape_trunk(k, (tr_segment)segment);
    shape_head(k);
    shape_limb(k, TR_SEGMENT_UPPER_ARM, k->own.upper_arm);
    shape_limb(k, TR_SEGMENT_FOREARM, k->own.forearm);
    shape_hand(k);
    shape_limb(k, TR_SEGMENT_THIGH, k->own.thigh);
    shape_limb(k, TR_SEGMENT_SHANK, k->own.shank);
    shape_foot(k);
    mirror_shapes(k);
}

/* ---- Mass, strength, gains ---- */

static void set_mass(tr_body *body, const tr_geom *geom, double mass) {
    tr_mass_properties p = tr_geom_mass_properties(geom, mass);
    body->mass = p.mass;
    body->com = p.com;
    body->inertia = p.inertia;
}

/* The large head of a cartoon is light: at most a fifth of the rest. */
static double lighten_head(maker *k, double mass) {
    static const double most = 0.2;
    tr_body *head = &k->out->body[k->body[TR_SEGMENT_HEAD][0]];
    double allowed = most * (mass - head->mass);
    if (head->mass <= allowed)
        return mass;
    mass += allowed - head->mass;
    set_mass(head, shape(k, TR_SEGMENT_HEAD), allowed);
    return mass;
}

static void scale_strength(tr_model *model, double torque, double kp, double kd) {
    for (int i = 1; i < model->body_count; i++) {
        tr_body *body = &model->body[i];
        body->torque_limit *= torque;
        for (int a = 0; a < 6; a++)
            body->torque_range[a / 2][a % 2] *= torque;
        for (int s = 0; s < model->gain_set_count; s++) {
            model->gain_set[s].kp[i] *= kp;
            model->gain_set[s].kd[i] *= kd;
        }
    }
}

static tr_status weigh(maker *k) {
    tr_model *out = k->out;
    double mass = 0;
    for (int i = 0; i < out->geom_count; i++) {
        tr_body *body = &out->body[out->geom[i].body];
        const tr_geom *before = &k->def->model->geom[i];
        double volume = tr_geom_volume(&out->geom[i]);
        /* A shape without skin is as dense as the athlete's. */
        double density = k->account->by_skin >> out->geom[i].body & 1
                             ? TR_TISSUE_KG_M3
                             : body->mass / tr_geom_volume(before);
        set_mass(body, &out->geom[i], volume * density);
        k->account->volume_m3 += volume;
        mass += body->mass;
    }
    if (!(mass > 1 && mass < 1000))
        return tr_fail(k->error, TR_INVALID_ARGUMENT,
                       "a body of %.3g m and %.3g kg: give its size with --height",
                       k->marks.height_m, mass);
    mass = lighten_head(k, mass);
    /* Strength grows with mass, and gains with the torque of a weight. */
    double ratio = mass / k->def->model->mass, length = k->whole;
    scale_strength(out, ratio, ratio * length, ratio * length * sqrt(length));
    if (k->def->mass_kg > 0)
        tr_body_scale_mass(out, k->def->mass_kg / mass);
    return TR_OK;
}

void tr_body_scale_mass(tr_model *model, double factor) {
    for (int i = 0; i < model->body_count; i++) {
        model->body[i].mass *= factor;
        for (int e = 0; e < 9; e++)
            model->body[i].inertia.m[e] *= factor;
    }
    scale_strength(model, factor, factor, factor);
}

/* ---- Bodies that overlap at rest ----
 *
 * Each geom is filled with spheres, and each sphere is held against the other geom. */

enum { SPHERES = 4 }; /* of spheres along a side */

/* A geom in the world. */
typedef struct solid {
    const tr_geom *geom;
    tr_vec3 pos;
    tr_quat rot;
} solid;

/* How far a point is outside; negative: inside. */
static double distance(const solid *s, tr_vec3 point) {
    tr_vec3 p = tr_quat_rotate_inverse(s->rot, tr_vec3_sub(point, s->pos));
    const tr_vec3 size = s->geom->size;
    if (s->geom->kind == TR_GEOM_BOX) {
        tr_vec3 d = {fabs(p.x) - size.x, fabs(p.y) - size.y, fabs(p.z) - size.z};
        tr_vec3 out = {fmax(d.x, 0), fmax(d.y, 0), fmax(d.z, 0)};
        return tr_vec3_length(out) + fmin(fmax(d.x, fmax(d.y, d.z)), 0);
    }
    double half = s->geom->kind == TR_GEOM_SPHERE ? 0 : size.y;
    p.z -= fmin(fmax(p.z, -half), half);
    return tr_vec3_length(p) - size.x;
}

static double share(int i) {
    return 2.0 * i / SPHERES - 1;
}

/* Spheres of a box touch its faces from within; those of a limb lie along its axis. */
static bool touches(const solid *a, const solid *b, double margin) {
    const tr_vec3 size = a->geom->size;
    bool box = a->geom->kind == TR_GEOM_BOX, round = a->geom->kind == TR_GEOM_SPHERE;
    double r = box ? fmin(size.x, fmin(size.y, size.z)) : size.x;
    tr_vec3 reach = box     ? tr_vec3_make(size.x - r, size.y - r, size.z - r)
                    : round ? (tr_vec3){0}
                            : tr_vec3_make(0, 0, size.y);
    for (int i = 0; i <= SPHERES; i++)
        for (int j = 0; j <= SPHERES; j++)
            for (int k = 0; k <= SPHERES; k++) {
                tr_vec3 at = {reach.x * share(i), reach.y * share(j), reach.z * share(k)};
                tr_vec3 point = tr_vec3_add(a->pos, tr_quat_rotate(a->rot, at));
                if (distance(b, point) < r + margin)
                    return true;
            }
    return false;
}

/* Bodies whose geoms overlap, or nearly, in the rest pose never collide from now on; returns how many
 * pairs, without parents and those that were excluded. */
static int exclude_touching(tr_model *model) {
    static const double margin_m = 0.005;
    tr_pose pose = tr_pose_rest(model);
    tr_body_state bodies[TR_BODY_MAX];
    solid solids[TR_GEOM_MAX];
    int count = 0;
    tr_pose_forward(model, &pose, bodies);
    for (int i = 0; i < model->geom_count; i++) {
        const tr_geom *geom = &model->geom[i];
        const tr_body_state *body = &bodies[geom->body];
        tr_vec3 origin = tr_body_origin(model, geom->body, body);
        solids[i] = (solid){geom, tr_vec3_add(origin, tr_quat_rotate(body->rot, geom->pos)),
                            tr_quat_mul(body->rot, geom->rot)};
    }
    for (int i = 0; i < model->geom_count; i++)
        for (int j = i + 1; j < model->geom_count; j++) {
            int a = solids[i].geom->body, b = solids[j].geom->body;
            bool done = a == b || (model->exclude[a] >> b & 1) || model->body[b].parent == a ||
                        model->body[a].parent == b;
            if (!done && (touches(&solids[i], &solids[j], margin_m) ||
                          touches(&solids[j], &solids[i], margin_m))) {
                tr_model_exclude(model, a, b);
                count++;
            }
        }
    return count;
}

/* ---- All ---- */

static tr_status find_bodies(maker *k) {
    const tr_model *model = k->def->model;
    for (int segment = 0; segment < TR_SEGMENT_COUNT; segment++)
        for (int side = 0; side < 2; side++) {
            const char *name = NAMES[segment][side];
            int body = name ? tr_model_find_body(model, name) : -1;
            k->body[segment][side] = body;
            k->geom[segment][side] = -1;
            for (int i = 0; body >= 0 && i < model->geom_count; i++)
                if (model->geom[i].body == body)
                    k->geom[segment][side] = i;
            if (name && (body < 0 || k->geom[segment][side] < 0))
                return tr_fail(k->error, TR_INVALID_ARGUMENT,
                               "model '%s': expected a body '%s' with a geom", model->name, name);
        }
    return TR_OK;
}

static tr_status make(maker *k) {
    const tr_body_def *def = k->def;
    tr_status status = find_bodies(k);
    if (!status)
        status =
            tr_landmarks_find(def->clip, def->map, def->skin, def->height_m, &k->marks, k->error);
    if (status)
        return status;
    k->model = lengths_of_model(def->model, k->body);
    status = measure(k);
    if (status)
        return status;
    double waist_z = k->waist - k->hip;
    status = tr_flesh_measure(def->clip, def->map, def->skin, &k->marks, waist_z,
                              waist_z + k->chest, k->flesh, k->error);
    if (status)
        return status;
    measure_feet(k);
    place_bodies(k);
    shape_bodies(k);
    k->account->touching = exclude_touching(k->out);
    return weigh(k);
}

tr_status tr_body_make(const tr_body_def *def, tr_model **out, tr_body_account *out_account,
                       tr_error *error) {
    maker *k = calloc(1, sizeof *k);
    tr_model *model = calloc(1, sizeof *model);
    *out_account = (tr_body_account){0};
    tr_status status = TR_OK;
    if (k && model) {
        *model = *def->model;
        snprintf(model->name, sizeof model->name, "%s", def->name);
        *k = (maker){.def = def, .out = model, .account = out_account, .error = error};
        status = make(k);
    } else
        status = tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (!status) {
        out_account->unit_m = k->marks.unit_m;
        out_account->height_m = k->marks.height_m;
        tr_model_finish(model);
        *out = model;
        model = NULL;
    }
    free(model);
    free(k);
    return status;
}
