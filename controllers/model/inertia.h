/* Mass properties of shapes: what a body weighs and how its mass is spread, from its geoms.
 *
 * Masses in kg, lengths in m, inertias in kg m2. Pure functions; thread-safe. */
#pragma once

#include "model/model.h"

/* Mass, centre of mass, and inertia about that centre, in the axes of the frame that the geoms are
 * placed in. */
typedef struct tr_mass_properties {
    double mass;
    tr_vec3 com;
    tr_mat3 inertia;
} tr_mass_properties;

/* Volume of the shape, m3. */
double tr_geom_volume(const tr_geom *geom);

/* A homogeneous geom of this mass, in the frame that its pos and rot are given in. */
tr_mass_properties tr_geom_mass_properties(const tr_geom *geom, double mass);

/* Two rigidly joined parts as one: Steiner's theorem about the common centre of mass. Either may
 * have no mass. */
tr_mass_properties tr_mass_properties_join(const tr_mass_properties *a,
                                           const tr_mass_properties *b);

/* Principal moments of a symmetric inertia, ascending. */
tr_vec3 tr_inertia_principal(const tr_mat3 *inertia);

/* Whether some distribution of positive mass has this inertia: positive principal moments of which
 * the two smaller add up to at least the largest. */
bool tr_inertia_is_physical(const tr_mat3 *inertia);

/* Support: half the extent of the shape along a unit direction given in the geom's own axes, so
 * that it spans its centre -/+ the result there. */
double tr_geom_half_extent(const tr_geom *geom, tr_vec3 d);
