/* All reference clips, if they are available: each imports cleanly onto both models. */
#include "cmocka_test.h"

#include "model/mjcf.h"
#include "motion/retarget/import.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLIP_COUNT = 26 };

/* Columns of manifest.csv. */
enum { FILE_NAME = 0, FIRST = 8, LAST = 9, RATE = 10, CYCLIC = 11, UNIT = 14 };

static void import_clip(const tr_model *model, char *columns[SCRATCH_COLUMN_COUNT]) {
    char path[600];
    snprintf(path, sizeof path, "%.400s/mocap/%.100s", TR_SHARED_DIR, columns[FILE_NAME]);
    tr_import import = tr_import_default();
    import.first = atoi(columns[FIRST]);
    import.last = atoi(columns[LAST]);
    import.cyclic = strcmp(columns[CYCLIC], "yes") == 0;
    tr_motion *motion = NULL;
    tr_import_account account = {0};
    tr_error error = {0};
    if (tr_import_run(path, model, &import, &motion, &account, &error))
        fail_msg("%s", error.message);
    const tr_clip *clip = account.clip;
    tr_motion_report r;
    assert_int_equal(tr_motion_describe(model, motion, &r), TR_OK);
    printf(
        "%-28s %-10s %5.2f m/s, sink %4.1f cm, float %4.1f cm, slip %.2f m/s, fastest %.0f rad/s\n",
        columns[FILE_NAME], model->name, r.speed_mps, -100 * r.foot_low_m, 100 * r.foot_float_m,
        r.foot_slip_mps, r.rate_max_rad_s);
    /* What was found is what the manifest says. */
    scratch_near(clip->found.unit_m, atof(columns[UNIT]), 1e-6);
    scratch_near(1 / clip->dt_s, atof(columns[RATE]), 0.01 * atof(columns[RATE]));
    assert_int_equal(clip->found.up, 'y');
    scratch_near(r.duration_s, (import.last - import.first) * clip->dt_s, 0.006);
    /* Feet do not sink or float; no joint jumps. */
    assert_true(r.foot_low_m > -0.02);
    assert_true(r.foot_float_m < 0.02);
    assert_true(r.contact_fraction[0] + r.contact_fraction[1] > 0.1);
    assert_true(r.rate_max_rad_s < 40);
    tr_motion_destroy(motion);
    tr_import_account_deinit(&account);
}

static void all_import_cleanly(const char *model_file) {
    FILE *manifest = fopen(TR_SHARED_DIR "/mocap/manifest.csv", "r");
    if (!manifest)
        skip();
    OWN(tr_model) *model = scratch_model(model_file);
    char line[4096], *columns[SCRATCH_COLUMN_COUNT];
    int count = 0;
    assert_non_null(fgets(line, sizeof line, manifest));
    for (; fgets(line, sizeof line, manifest); count++) {
        assert_int_equal(scratch_columns(line, columns), SCRATCH_COLUMN_COUNT);
        import_clip(model, columns);
    }
    assert_int_equal(count, CLIP_COUNT);
    fclose(manifest);
}

TEST(all_import_onto_humanoid) {
    all_import_cleanly("humanoid.xml");
}

TEST(all_import_onto_humanoid51) {
    all_import_cleanly("humanoid51.xml");
}
