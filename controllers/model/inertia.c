#include "model/inertia.h"

#include "math/elementary.h"

#include <math.h>

double tr_geom_volume(const tr_geom *geom) {
    double r = geom->size.x;
    switch (geom->kind) {
    case TR_GEOM_SPHERE:
        return 4.0 / 3.0 * TR_PI * r * r * r;
    case TR_GEOM_CAPSULE:
        return TR_PI * r * r * (2.0 * geom->size.y + 4.0 / 3.0 * r);
    case TR_GEOM_BOX:
        return 8.0 * geom->size.x * geom->size.y * geom->size.z;
    case TR_GEOM_CYLINDER:
        return TR_PI * r * r * 2.0 * geom->size.y;
    }
    return 0.0;
}

/* A capsule is a cylinder of radius r and length l with a hemisphere at each end. A hemisphere has
 * its own centre of mass 3/8 r from its flat side and (2/5 - 9/64) m r^2 across about it; moved out
 * by l/2 + 3/8 r that gives the terms below. */
static tr_mat3 capsule_inertia(double r, double l, double mass) {
    double cylinder_volume = TR_PI * r * r * l;
    double ball_volume = 4.0 / 3.0 * TR_PI * r * r * r;
    double mc = mass * cylinder_volume / (cylinder_volume + ball_volume);
    double mb = mass - mc;
    double across = mc * (r * r / 4.0 + l * l / 12.0) +
                    mb * (2.0 / 5.0 * r * r + 3.0 / 8.0 * r * l + l * l / 4.0);
    double along = mc * r * r / 2.0 + mb * 2.0 / 5.0 * r * r;
    return tr_mat3_diagonal(across, across, along);
}

static tr_mat3 inertia_in_geom_axes(const tr_geom *geom, double mass) {
    double x = geom->size.x, y = geom->size.y, z = geom->size.z;
    switch (geom->kind) {
    case TR_GEOM_SPHERE: {
        double i = 2.0 / 5.0 * mass * x * x;
        return tr_mat3_diagonal(i, i, i);
    }
    case TR_GEOM_CAPSULE:
        return capsule_inertia(x, 2.0 * y, mass);
    case TR_GEOM_BOX:
        return tr_mat3_diagonal(mass / 3.0 * (y * y + z * z), mass / 3.0 * (x * x + z * z),
                                mass / 3.0 * (x * x + y * y));
    case TR_GEOM_CYLINDER: {
        double across = mass * (x * x / 4.0 + y * y / 3.0);
        return tr_mat3_diagonal(across, across, mass * x * x / 2.0);
    }
    }
    return tr_mat3_diagonal(0, 0, 0);
}

tr_mass_properties tr_geom_mass_properties(const tr_geom *geom, double mass) {
    tr_mat3 rot = tr_quat_to_mat3(geom->rot);
    tr_mat3 local = inertia_in_geom_axes(geom, mass);
    return (tr_mass_properties){mass, geom->pos, tr_mat3_rotate_tensor(&rot, &local)};
}

/* inertia += mass (d.d 1 - d d^T) */
static void add_point_mass(tr_mat3 *inertia, double mass, tr_vec3 d) {
    double v[3] = {d.x, d.y, d.z};
    double square = tr_vec3_dot(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia->m[3 * i + j] += mass * ((i == j ? square : 0.0) - v[i] * v[j]);
}

tr_mass_properties tr_mass_properties_join(const tr_mass_properties *a,
                                           const tr_mass_properties *b) {
    tr_mass_properties out = {.mass = a->mass + b->mass};
    if (!(out.mass > 0.0))
        return out;
    out.com = tr_vec3_lerp(a->com, b->com, b->mass / out.mass);
    for (int i = 0; i < 9; i++)
        out.inertia.m[i] = a->inertia.m[i] + b->inertia.m[i];
    add_point_mass(&out.inertia, a->mass, tr_vec3_sub(a->com, out.com));
    add_point_mass(&out.inertia, b->mass, tr_vec3_sub(b->com, out.com));
    return out;
}

/* Eigenvalues of a symmetric matrix A = q 1 + p B with q = tr A / 3 and det B = 2 cos(3 phi):
 * q + 2 p cos(phi + 2 pi k / 3) (Smith 1961). */
tr_vec3 tr_inertia_principal(const tr_mat3 *inertia) {
    const double *a = inertia->m;
    double q = (a[0] + a[4] + a[8]) / 3.0;
    tr_mat3 b = *inertia;
    b.m[0] -= q;
    b.m[4] -= q;
    b.m[8] -= q;
    double square = 0.0;
    for (int i = 0; i < 9; i++)
        square += b.m[i] * b.m[i];
    double p = sqrt(square / 6.0);
    if (!(p > 0.0))
        return (tr_vec3){q, q, q};
    for (int i = 0; i < 9; i++)
        b.m[i] /= p;
    double half_det = tr_mat3_determinant(&b) / 2.0;
    double phi = tr_acos(fmax(-1.0, fmin(1.0, half_det))) / 3.0;
    double largest = q + 2.0 * p * tr_cos(phi);
    double smallest = q + 2.0 * p * tr_cos(phi + 2.0 * TR_PI / 3.0);
    return (tr_vec3){smallest, 3.0 * q - largest - smallest, largest};
}

bool tr_inertia_is_physical(const tr_mat3 *inertia) {
    tr_vec3 moment = tr_inertia_principal(inertia);
    double slack = 1e-9 * moment.z; /* a flat plate meets the bound exactly */
    return moment.x > 0.0 && moment.x + moment.y >= moment.z - slack;
}

double tr_geom_half_extent(const tr_geom *geom, tr_vec3 d) {
    switch (geom->kind) {
    case TR_GEOM_SPHERE:
        return geom->size.x;
    case TR_GEOM_CAPSULE:
        return geom->size.x + geom->size.y * fabs(d.z);
    case TR_GEOM_BOX:
        return geom->size.x * fabs(d.x) + geom->size.y * fabs(d.y) + geom->size.z * fabs(d.z);
    case TR_GEOM_CYLINDER:
        return geom->size.x * sqrt(d.x * d.x + d.y * d.y) + geom->size.y * fabs(d.z);
    }
    return 0.0;
}
