/* The reference clips, if they are available: each is planned as what it shows. */
#include "cmocka_test.h"

#include "learn/plan/plan.h"
#include "model/mjcf.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of manifest.csv. */
enum { FILE_NAME = 0, SKILL = 7, FIRST = 8, LAST = 9 };

/* The kind that a skill shows. */
static const struct {
    const char *skill, *kind;
} EXPECTED[] = {
    {"walk_normal", "gait"},
    {"walk_fast", "gait"},
    {"walk_slow", "gait"},
    {"walk_slowdown_to_stand", "gait"},
    {"run_slow", "gait"},
    {"run_striding", "gait"},
    {"speedup_to_run", "stride"},
    {"slowdown_run_to_stand", "chain"},
    {"turn_smooth_left", "stride"},
    {"turn_90_left_walk", "turn"},
    {"turn_90_right_run", "turn"},
    {"turn_180_left_walk", "turn"},
    {"idle_standing", "alike"},
    {"karate_kata", "loop"},
    {"punch", "loop"},
    {"jump_forward", "alike"},
    {"kick_side", "loop"},
    {"kick_spin_round", "loop"},
    {"dance", "loop"},
    {"dance_show", "loop"},
    {"dance_spin", "loop"},
    {"cartwheel", "loop"},
    {"backflip", "alike"},
    {"getup_supine", "chain"},
    {"getup_prone", "chain"},
    {"balance_one_leg_squat", "loop"},
};

static const char *expected_of(const char *skill) {
    for (size_t i = 0; i < sizeof EXPECTED / sizeof *EXPECTED; i++)
        if (strcmp(EXPECTED[i].skill, skill) == 0)
            return EXPECTED[i].kind;
    fail_msg("%s: a skill without an expected plan", skill);
    return "";
}

/* Plans the frames of a row, and imports them as planned: no check refuses what will be repeated. */
static const char *plan_row(const tr_model *model, char *columns[SCRATCH_COLUMN_COUNT],
                            int *out_findings) {
    char path[600];
    snprintf(path, sizeof path, "%.400s/mocap/%.100s", TR_SHARED_DIR, columns[FILE_NAME]);
    tr_import import = tr_import_default();
    import.first = atoi(columns[FIRST]);
    import.last = atoi(columns[LAST]);
    tr_motion *motion = NULL;
    tr_import_account account = {0};
    tr_error error = {0};
    tr_plan plan;
    if (tr_import_run(path, model, &import, &motion, &account, &error))
        fail_msg("%s", error.message);
    const tr_plan_def def = {
        .model = model, .motion = motion, .import = &import, .account = &account, .seed = 1};
    tr_status status = tr_plan_make(&def, &plan, &error);
    tr_import_account_deinit(&account);
    tr_motion_destroy(motion);
    if (status || tr_import_run(path, model, &plan.import, &motion, &account, &error))
        fail_msg("%s", error.message);
    *out_findings = account.finding_count;
    tr_import_account_deinit(&account);
    tr_motion_destroy(motion);
    return tr_plan_kind_name(plan.kind);
}

TEST(all_are_planned_as_what_they_show) {
    FILE *manifest = fopen(TR_SHARED_DIR "/mocap/manifest.csv", "r");
    if (!manifest)
        skip();
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    char line[4096], *columns[SCRATCH_COLUMN_COUNT];
    int wrong = 0;
    assert_non_null(fgets(line, sizeof line, manifest));
    while (fgets(line, sizeof line, manifest)) {
        int findings;
        assert_int_equal(scratch_columns(line, columns), SCRATCH_COLUMN_COUNT);
        const char *expected = expected_of(columns[SKILL]);
        const char *kind = plan_row(model, columns, &findings);
        printf("%-24s %-8s %-8s %d findings\n", columns[SKILL], kind, expected, findings);
        wrong += strcmp(kind, expected) != 0;
    }
    assert_int_equal(wrong, 0);
    fclose(manifest);
}
