/* Writes the swaying motion of the tests of learn/ as a motion file: make_sway FILE. */

#include "model/mjcf.h"
#include "unit/learn/sway.h"

#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: make_sway FILE\n", stderr);
        return 2;
    }
    tr_error error = {0};
    tr_model *model = sway_model();
    tr_motion *motion = sway_motion(model, true);
    tr_status status = tr_motion_save(motion, argv[1], &error);
    if (status)
        fprintf(stderr, "make_sway: %s\n", error.message);
    tr_motion_destroy(motion);
    tr_model_destroy(model);
    return !status ? 0 : 1;
}
