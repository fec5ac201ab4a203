#include "cmocka_test.h"

#include "proto/bvh.h"

#include <stdlib.h>
#include <string.h>

static const tr_bvh_joint figure[] = {
    {"hip", -1, false, {9, 9, 9}}, {"knee", 0, false, {1, 2, 3}}, {"", 1, true, {0, 0, -0.5}}};
static const double half_root = 0.70710678118654752;

static char *print(const double (*turned)[4]) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    tr_bvh_write_head(out, figure, 3, 1, 0.005);
    tr_bvh_write_frame(out, figure, 3, (double[]){1, 2, 3}, turned);
    fclose(out);
    return text;
}

TEST(the_hierarchy_is_in_the_axes_of_the_file) {
    const double still[2][4] = {{1, 0, 0, 0}, {1, 0, 0, 0}};
    OWN_MEMORY char *text = print(still);
    assert_string_equal(text, "HIERARCHY\n"
                              "ROOT hip\n{\n  OFFSET 0.000000 0.000000 0.000000\n"
                              "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
                              "Yrotation\n"
                              "  JOINT knee\n  {\n    OFFSET 2.000000 3.000000 1.000000\n"
                              "    CHANNELS 3 Zrotation Xrotation Yrotation\n"
                              "    End Site\n    {\n      OFFSET 0.000000 -0.500000 0.000000\n"
                              "    }\n  }\n}\n"
                              "MOTION\nFrames: 1\nFrame Time: 0.005000000\n"
                              "2.000000 3.000000 1.000000 0.000000 0.000000 0.000000"
                              " 0.000000 0.000000 0.000000\n");
}

/* A quarter turn to the left about z is one about y of the file; the knee that does not turn with the
 * hip turns back against it. */
TEST(rotations_are_those_against_the_parent) {
    const double turned[2][4] = {{half_root, 0, 0, half_root}, {1, 0, 0, 0}};
    OWN_MEMORY char *text = print(turned);
    double value[9];
    const char *frame = strstr(text, "0.005000000\n");
    assert_non_null(frame);
    assert_int_equal(sscanf(frame + 12, "%lf %lf %lf %lf %lf %lf %lf %lf %lf", &value[0], &value[1],
                            &value[2], &value[3], &value[4], &value[5], &value[6], &value[7],
                            &value[8]),
                     9);
    const double expected[9] = {2, 3, 1, 0, 0, 90, 0, 0, -90};
    for (int i = 0; i < 9; i++)
        assert_true(value[i] > expected[i] - 1e-5 && value[i] < expected[i] + 1e-5);
}

/* A quarter turn about the file's x: z and y turn about the same axis, and the angle about y is 0. */
TEST(a_gimbal_lock_is_written_with_y_zero) {
    const double turned[2][4] = {{half_root, 0, half_root, 0}, {half_root, 0, half_root, 0}};
    OWN_MEMORY char *text = print(turned);
    const char *frame = strstr(text, "0.005000000\n");
    double z, x, y;
    assert_int_equal(sscanf(frame + 12, "%*f %*f %*f %lf %lf %lf", &z, &x, &y), 3);
    assert_true(x > 89.99 && x < 90.01 && y == 0 && z > -1e-5 && z < 1e-5);
}
