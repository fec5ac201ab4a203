#include "cmocka_test.h"

#include "learn/gait/isomap.h"
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

enum { COUNT = 200 };

/* Points of a half circle of radius 2 in the plane of two of five axes, evenly spaced. */
static void fill_arc(double point[COUNT][5]) {
    for (int i = 0; i < COUNT; i++) {
        double angle = 3.14159265358979 * i / (COUNT - 1);
        for (int j = 0; j < 5; j++)
            point[i][j] = 0;
        point[i][1] = 2 * cos(angle);
        point[i][3] = 2 * sin(angle);
    }
}

static int every_fifth(int points, int *out) {
    int count = 0;
    for (int i = 0; i < points; i += 5)
        out[count++] = i;
    return count;
}

/* --- neighbours --- */

static tr_isomap embed(const tr_points *points, int k, int dimension) {
    int landmark[COUNT];
    tr_isomap map;
    const tr_isomap_def def = {k, dimension, every_fifth(points->count, landmark), landmark};
    assert_int_equal(tr_isomap_create(points, &def, &map), TR_OK);
    return map;
}

TEST(ways_follow_the_arc_and_not_the_chord) {
    double point[COUNT][5];
    fill_arc(point);
    const tr_points points = {COUNT, 5, 5, &point[0][0]};
    OWN_BY(tr_isomap_destroy) tr_isomap map = embed(&points, 4, 1);
    assert_int_equal(map.components, 1);
    assert_true(fabs(map.distance[COUNT - 1] - 2 * 3.14159265) < 0.01);
    assert_true(fabs(tr_points_square(point[0], point[COUNT - 1], 5) - 16) < 1e-9);
}

TEST(ways_are_as_long_back) {
    double point[60][3];
    tr_random random = tr_random_seed(2);
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 3; j++)
            point[i][j] = tr_random_normal(&random);
    const tr_points points = {60, 3, 3, &point[0][0]};
    OWN_BY(tr_isomap_destroy) tr_isomap map = embed(&points, 3, 1);
    for (int a = 0; a < map.landmark_count; a++)
        for (int b = 0; b < map.landmark_count; b++) {
            const int from = map.landmark[a], to = map.landmark[b];
            const double way = map.distance[a * 60 + to];
            assert_true(fabs(way - map.distance[b * 60 + from]) < 1e-12);
            assert_true(way >= sqrt(tr_points_square(point[from], point[to], 3)) - 1e-12);
        }
}

/* Two groups far apart: the shortest edge between them joins them. */
TEST(components_are_counted_and_joined) {
    double point[20];
    for (int i = 0; i < 20; i++)
        point[i] = i < 10 ? i : 100 + i;
    const tr_points points = {20, 1, 1, point};
    OWN_BY(tr_isomap_destroy) tr_isomap map = embed(&points, 2, 1);
    assert_int_equal(map.components, 2);
    assert_true(fabs(map.distance[19] - 119) < 1e-9);
}

TEST(the_nearest_are_sorted_and_the_skipped_left_out) {
    const double point[] = {0, 10, 3, 4, 20}, place = 3.4;
    const tr_points points = {5, 1, 1, point};
    int nearest[3];
    tr_points_nearest(&points, &place, 3, -1, nearest);
    assert_int_equal(nearest[0], 2);
    assert_int_equal(nearest[1], 3);
    assert_int_equal(nearest[2], 0);
    tr_points_nearest(&points, &place, 1, 2, nearest);
    assert_int_equal(nearest[0], 3);
}

/* --- embedding --- */

TEST(an_arc_becomes_a_line_of_its_length) {
    double point[COUNT][5];
    int landmark[COUNT];
    fill_arc(point);
    const tr_points points = {COUNT, 5, 5, &point[0][0]};
    const tr_isomap_def def = {4, 2, every_fifth(COUNT, landmark), landmark};
    tr_isomap map;
    assert_int_equal(tr_isomap_create(&points, &def, &map), TR_OK);
    assert_true(map.eigenvalue[1] < 0.01 * map.eigenvalue[0]);
    assert_true(tr_isomap_residual_variance(&map, 1) < 1e-3);
    double span = fabs(map.place[COUNT - 1][0] - map.place[0][0]);
    assert_true(fabs(span - 2 * 3.14159265) < 0.05);
    for (int i = 1; i < COUNT; i++)
        assert_true((map.place[i][0] - map.place[i - 1][0]) *
                        (map.place[COUNT - 1][0] - map.place[0][0]) >
                    0);
    tr_isomap_destroy(&map);
}

/* A roll of a strip: two dimensions, of which the shorter is the strip's width. */
TEST(a_roll_is_unrolled) {
    enum { ALONG = 60, ACROSS = 24 };
    static double point[ALONG * ACROSS][3];
    static int landmark[ALONG * ACROSS];
    int landmarks = 0;
    for (int i = 0; i < ALONG * ACROSS; i++) {
        double turn = 1.5 + 0.1 * (i / ACROSS), across = 0.3 * (i % ACROSS);
        point[i][0] = turn * cos(turn);
        point[i][1] = across;
        point[i][2] = turn * sin(turn);
        if (i % 9 == 0)
            landmark[landmarks++] = i;
    }
    const tr_points points = {ALONG * ACROSS, 3, 3, &point[0][0]};
    const tr_isomap_def def = {8, 3, landmarks, landmark};
    tr_isomap map;
    assert_int_equal(tr_isomap_create(&points, &def, &map), TR_OK);
    assert_true(tr_isomap_residual_variance(&map, 2) < 0.01);
    assert_true(map.eigenvalue[2] < 0.3 * map.eigenvalue[1]);
    tr_isomap_destroy(&map);
}

TEST(the_same_points_give_the_same_bits) {
    double point[COUNT][5];
    int landmark[COUNT];
    fill_arc(point);
    const tr_points points = {COUNT, 5, 5, &point[0][0]};
    const tr_isomap_def def = {6, 3, every_fifth(COUNT, landmark), landmark};
    tr_isomap one, two;
    assert_int_equal(tr_isomap_create(&points, &def, &one), TR_OK);
    assert_int_equal(tr_isomap_create(&points, &def, &two), TR_OK);
    assert_memory_equal(one.place, two.place, COUNT * sizeof *one.place);
    tr_isomap_destroy(&one);
    tr_isomap_destroy(&two);
}

TEST(impossible_definitions_are_refused) {
    double point[COUNT][5];
    int landmark[COUNT];
    fill_arc(point);
    const tr_points points = {COUNT, 5, 5, &point[0][0]};
    tr_isomap map;
    int count = every_fifth(COUNT, landmark);
    tr_isomap_def def = {4, 0, count, landmark};
    assert_int_equal(tr_isomap_create(&points, &def, &map), TR_INVALID_ARGUMENT);
    def = (tr_isomap_def){4, 2, 2, landmark};
    assert_int_equal(tr_isomap_create(&points, &def, &map), TR_INVALID_ARGUMENT);
    def = (tr_isomap_def){COUNT, 2, count, landmark};
    assert_int_equal(tr_isomap_create(&points, &def, &map), TR_INVALID_ARGUMENT);
}
