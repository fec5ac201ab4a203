#include "cmocka_test.h"

#include "model/inertia.h"

#include <math.h>

static const tr_geom shapes[] = {
    {.kind = TR_GEOM_SPHERE, .size = {0.2, 0, 0}, .rot = {1, 0, 0, 0}},
    {.kind = TR_GEOM_CAPSULE, .size = {0.1, 0.3, 0}, .rot = {0.6, 0.8, 0, 0}, .pos = {0.1, 0, 0.2}},
    {.kind = TR_GEOM_BOX, .size = {0.1, 0.2, 0.3}, .rot = {0.8, 0, 0.6, 0}, .pos = {0, 0.3, 0}},
    {.kind = TR_GEOM_CYLINDER, .size = {0.2, 0.15, 0}, .rot = {0.6, 0, 0.8, 0}},
};

static int inside(const tr_geom *geom, tr_vec3 p) {
    tr_vec3 d = tr_quat_rotate_inverse(geom->rot, tr_vec3_sub(p, geom->pos));
    switch (geom->kind) {
    case TR_GEOM_SPHERE:
        return tr_vec3_length(d) < geom->size.x;
    case TR_GEOM_CAPSULE:
        d.z -= fmax(-geom->size.y, fmin(geom->size.y, d.z));
        return tr_vec3_length(d) < geom->size.x;
    case TR_GEOM_BOX:
        return fabs(d.x) < geom->size.x && fabs(d.y) < geom->size.y && fabs(d.z) < geom->size.z;
    case TR_GEOM_CYLINDER:
        return hypot(d.x, d.y) < geom->size.x && fabs(d.z) < geom->size.y;
    }
    return 0;
}

/* Sums over a fine grid of small cubes: mass, centre and inertia by their definitions. */
static tr_mass_properties by_summation(const tr_geom *geom, double density) {
    const double step = 0.01, reach = 0.5;
    tr_mass_properties sum = {0};
    tr_geom cube = {
        .kind = TR_GEOM_BOX, .size = {step / 2, step / 2, step / 2}, .rot = tr_quat_identity()};
    int cells = (int)(2.0 * reach / step);
    for (int i = 0; i < cells * cells * cells; i++) {
        int x = i % cells, y = i / cells % cells, z = i / cells / cells;
        tr_vec3 offset = {(x + 0.5) * step - reach, (y + 0.5) * step - reach,
                          (z + 0.5) * step - reach};
        cube.pos = tr_vec3_add(geom->pos, offset);
        if (!inside(geom, cube.pos))
            continue;
        tr_mass_properties part = tr_geom_mass_properties(&cube, density * step * step * step);
        sum = tr_mass_properties_join(&sum, &part);
    }
    return sum;
}

TEST(test_shapes_match_summation) {
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        double mass = 700.0 * tr_geom_volume(&shapes[i]);
        tr_mass_properties exact = tr_geom_mass_properties(&shapes[i], mass);
        tr_mass_properties sum = by_summation(&shapes[i], 700.0);
        assert_true(fabs(sum.mass - mass) < 0.02 * mass);
        assert_true(tr_vec3_distance(sum.com, exact.com) < 1e-3);
        double scale = exact.inertia.m[0] + exact.inertia.m[4] + exact.inertia.m[8];
        for (int k = 0; k < 9; k++)
            assert_true(fabs(sum.inertia.m[k] - exact.inertia.m[k]) < 0.02 * scale);
    }
}

TEST(test_join_is_a_box_of_two_halves) {
    tr_geom half = {.kind = TR_GEOM_BOX, .size = {0.1, 0.2, 0.15}, .rot = tr_quat_identity()};
    tr_geom whole = {.kind = TR_GEOM_BOX, .size = {0.1, 0.2, 0.3}, .rot = tr_quat_identity()};
    half.pos.z = -0.15;
    tr_mass_properties low = tr_geom_mass_properties(&half, 3.0);
    half.pos.z = 0.15;
    tr_mass_properties high = tr_geom_mass_properties(&half, 3.0);
    tr_mass_properties both = tr_mass_properties_join(&low, &high);
    tr_mass_properties one = tr_geom_mass_properties(&whole, 6.0);
    assert_true(tr_vec3_length(both.com) < 1e-12);
    for (int k = 0; k < 9; k++)
        assert_true(fabs(both.inertia.m[k] - one.inertia.m[k]) < 1e-12);
}

TEST(test_principal_moments_of_a_turned_tensor) {
    tr_mat3 moments = tr_mat3_diagonal(3.0, 1.0, 2.5);
    tr_mat3 axes = tr_quat_to_mat3(tr_quat_exp((tr_vec3){0.3, -1.1, 0.7}));
    tr_mat3 turned = tr_mat3_rotate_tensor(&axes, &moments);
    tr_vec3 found = tr_inertia_principal(&turned);
    assert_true(fabs(found.x - 1.0) < 1e-9);
    assert_true(fabs(found.y - 2.5) < 1e-9);
    assert_true(fabs(found.z - 3.0) < 1e-9);
    assert_true(tr_inertia_is_physical(&turned));
}

TEST(test_impossible_inertias_are_reported) {
    tr_mat3 plate = tr_mat3_diagonal(1.0, 1.0, 2.0), broken = tr_mat3_diagonal(1.0, 1.0, 2.001);
    tr_mat3 flat = tr_mat3_diagonal(0.0, 1.0, 1.0), negative = tr_mat3_diagonal(-1.0, 1.0, 1.0);
    assert_true(tr_inertia_is_physical(&plate));
    assert_false(tr_inertia_is_physical(&broken));
    assert_false(tr_inertia_is_physical(&flat));
    assert_false(tr_inertia_is_physical(&negative));
}

TEST(test_half_extent_supports_the_shape) {
    tr_vec3 up = {0, 0, 1};
    assert_true(fabs(tr_geom_half_extent(&shapes[0], up) - 0.2) < 1e-12);
    /* turned about x by 2 atan(0.8 / 0.6): its axis then has z = 0.36 - 0.64 */
    tr_vec3 own_up = tr_quat_rotate_inverse(shapes[1].rot, up);
    assert_true(fabs(tr_geom_half_extent(&shapes[1], own_up) - (0.1 + 0.3 * 0.28)) < 1e-12);
    tr_geom flat = {.kind = TR_GEOM_BOX, .size = {0.1, 0.2, 0.3}, .rot = {1, 0, 0, 0}};
    assert_true(fabs(tr_geom_half_extent(&flat, up) - 0.3) < 1e-12);
}
