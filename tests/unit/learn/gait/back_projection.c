#include "cmocka_test.h"

#include "learn/gait/back_projection.h"
#include "math/random.h"

#include <math.h>

enum { COUNT = 120 };

/* Places in the plane, points on a plane of four dimensions over it, or on a curved sheet. */
typedef struct sheet {
    double place[COUNT][2], point[COUNT][4];
} sheet;

static void point_over(const double *place, double bend, double *out) {
    double x = place[0], y = place[1];
    out[0] = 1 + 2 * x - y;
    out[1] = 0.5 * y;
    out[2] = x + y + bend * sin(2 * x);
    out[3] = -x + bend * y * y;
}

static tr_charted make(sheet *s, double bend) {
    tr_random random = tr_random_seed(9);
    for (int i = 0; i < COUNT; i++) {
        s->place[i][0] = 2 * tr_random_uniform(&random);
        s->place[i][1] = 2 * tr_random_uniform(&random);
        point_over(s->place[i], bend, s->point[i]);
    }
    return (tr_charted){{COUNT, 2, 2, &s->place[0][0]}, {COUNT, 4, 4, &s->point[0][0]}};
}

static double error_at(const double *made, const double *place, double bend) {
    double wanted[4], sum = 0;
    point_over(place, bend, wanted);
    for (int i = 0; i < 4; i++)
        sum += (made[i] - wanted[i]) * (made[i] - wanted[i]);
    return sqrt(sum);
}

TEST(local_weights_make_a_flat_sheet_again) {
    sheet s;
    tr_charted charted = make(&s, 0);
    double made[4];
    for (int i = 0; i < 20; i++) {
        const double place[2] = {0.5 + 0.05 * i, 1.2 - 0.02 * i};
        assert_int_equal(tr_back_project_local(&charted, place, 8, -1, made), TR_OK);
        assert_true(error_at(made, place, 0) < 0.03);
    }
}

TEST(a_point_left_out_is_made_of_the_others) {
    sheet s;
    tr_charted charted = make(&s, 0.2);
    double made[4], with[4];
    int i = 17;
    assert_int_equal(tr_back_project_local(&charted, s.place[i], 8, -1, with), TR_OK);
    assert_int_equal(tr_back_project_local(&charted, s.place[i], 8, i, made), TR_OK);
    assert_true(error_at(with, s.place[i], 0.2) < error_at(made, s.place[i], 0.2));
    assert_true(error_at(made, s.place[i], 0.2) < 0.5);
    assert_int_equal(tr_back_project_local(&charted, s.place[i], COUNT, -1, made),
                     TR_INVALID_ARGUMENT);
}

TEST(a_plane_of_principal_components_holds_a_flat_sheet) {
    sheet s;
    tr_charted charted = make(&s, 0);
    tr_principal principal;
    double made[4];
    assert_int_equal(tr_principal_create(&charted.point, &principal), TR_OK);
    tr_principal_project(&principal, 2, s.point[5], made);
    assert_true(error_at(made, s.place[5], 0) < 1e-9);
    tr_principal_project(&principal, 1, s.point[5], made);
    assert_true(error_at(made, s.place[5], 0) > 1e-3);
    tr_principal_deinit(&principal);
}
