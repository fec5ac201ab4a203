/* controllers/motion/poses/state_log.h: what `troupe watch --json` prints is read back as a motion, and
 * nothing else is. */
#include "cmocka_test.h"

#include "model/mjcf.h"
#include "motion/poses/state_log.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_quat(FILE *out, tr_quat q) {
    fprintf(out, "[%.17g,%.17g,%.17g,%.17g]", q.w, q.x, q.y, q.z);
}

/* One state with a bystander before the character. */
static void print_state(FILE *out, double time_s, const tr_pose *pose, int body_count) {
    fprintf(out,
            "{\"time_s\":%.17g,\"characters\":[{\"entity\":7,\"label\":\"other\"},{\"entity\":9,"
            "\"label\":\"walker\",\"root_pos\":[%.17g,%.17g,%.17g],\"root_rot\":",
            time_s, pose->root_pos.x, pose->root_pos.y, pose->root_pos.z);
    print_quat(out, pose->root_rot);
    fputs(",\"joint_rot\":[", out);
    for (int i = 0; i < body_count; i++) {
        print_quat(out, i ? pose->joint[i] : tr_quat_identity());
        fputs(i + 1 < body_count ? "," : "]}]}\n", out);
    }
}

static const char *write_log(const tr_model *model, const tr_motion *march) {
    const char *path = scratch_path(".jsonl");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("{\"event\":\"controller_began\",\"tick\":3}\n", out);
    for (int i = 0; i < march->frame_count; i++)
        if (i % 5 != 3) /* dropped on the way */
            print_state(out, 1.0 + i * march->dt_s, &march->poses[i], model->body_count);
    assert_int_equal(fclose(out), 0);
    return path;
}

TEST(states_become_a_motion) {
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *march = scratch_march(model, 40, 0.02, 1.0), *got;
    tr_error error = {0};
    tr_state_log_def def = {.path = write_log(model, march), .character = "walker", .dt_s = 0.02};
    assert_int_equal(tr_state_log_load(&def, model, &got, &error), TR_OK);
    assert_string_equal(got->name, "walker");
    assert_int_equal(got->frame_count, march->frame_count);
    for (int i = 0; i < got->frame_count; i++)
        for (int b = 1; b < model->body_count; b++) {
            double tolerance = i % 5 == 3 ? 0.05 : 1e-7;
            assert_true(tr_quat_angle(got->poses[i].joint[b], march->poses[i].joint[b]) <
                        tolerance);
        }
    assert_true(tr_vec3_distance(got->poses[20].root_pos, march->poses[20].root_pos) < 1e-9);
    tr_motion_destroy(got);
    def.character = "#9"; /* by its entity number */
    assert_int_equal(tr_state_log_load(&def, model, &got, &error), TR_OK);
    tr_motion_destroy(got);
    tr_motion_destroy(march);
    tr_model_destroy(model);
}

static void refuses(const tr_model *model, const char *text, const char *character,
                    const char *because) {
    tr_error error = {0};
    tr_motion *got = NULL;
    tr_state_log_def def = {
        .path = scratch_write(".jsonl", text, strlen(text)), .character = character, .dt_s = 0.01};
    assert_true(tr_state_log_load(&def, model, &got, &error) < 0);
    assert_null(got);
    assert_non_null(strstr(error.message, because));
}

TEST(other_texts_are_refused_with_file_and_line) {
    tr_model *model = scratch_model("humanoid.xml");
    refuses(model, "", "walker", "no state shows");
    refuses(model, "{\"event\":\"fell\"}\nnonsense\n", "walker", ":2:");
    refuses(model, "{\"time_s\":1,\"characters\":[{\"label\":\"walker\"}]}\n", "walker",
            "root_pos");
    refuses(model,
            "{\"time_s\":1,\"characters\":[{\"label\":\"walker\",\"root_pos\":[0,0,1],\"root_rot\":"
            "[1,0,0,0],"
            "\"joint_rot\":[]}]}\n",
            "walker", "joint_rot");
    refuses(model, "{\"time_s\":1,\"characters\":[]}\n", "stranger", "stranger");
    refuses(model, "{\"time_s\":1,\"characters\":[]}\n", NULL, "no state shows a character");
    tr_error error = {0};
    tr_motion *got = NULL;
    tr_state_log_def absent = {.path = "/nonexistent.jsonl", .dt_s = 0.01};
    assert_int_equal(tr_state_log_load(&absent, model, &got, &error), TR_NOT_FOUND);
    tr_model_destroy(model);
}

/* A line has a largest length, whatever its end; no memory is taken for the rest. */
TEST(lines_are_capped) {
    tr_model *model = scratch_model("humanoid.xml");
    size_t room = TR_STATE_LOG_LINE_MAX + 16;
    char *text = malloc(room);
    assert_non_null(text);
    memset(text, ' ', room);
    memcpy(text, "{}", 2);
    for (size_t size = TR_STATE_LOG_LINE_MAX - 1; size < room; size += 8) {
        tr_error error = {0};
        tr_motion *got = NULL;
        tr_state_log_def def = {.path = scratch_write(".jsonl", text, size), .dt_s = 0.01};
        bool fits = size <= TR_STATE_LOG_LINE_MAX;
        assert_int_equal(tr_state_log_load(&def, model, &got, &error),
                         fits ? TR_NOT_FOUND : TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message,
                               fits ? "no state shows a character" : ":1: the line is too long"));
    }
    free(text);
    tr_model_destroy(model);
}

/* Every truncation gives a motion of the whole lines, or an error. */
TEST(truncations_end_in_a_motion_or_an_error) {
    tr_model *model = scratch_model("humanoid.xml");
    tr_motion *march = scratch_march(model, 4, 0.02, 1.0);
    size_t size;
    char *text = scratch_read(write_log(model, march), &size);
    for (size_t cut = 0; cut < size; cut += 7) {
        tr_error error = {0};
        tr_motion *got = NULL;
        tr_state_log_def def = {
            .path = scratch_write(".cut", text, cut), .character = "walker", .dt_s = 0.02};
        if (!tr_state_log_load(&def, model, &got, &error))
            tr_motion_destroy(got);
        else
            assert_true(error.message[0] && !got);
    }
    free(text);
    tr_motion_destroy(march);
    tr_model_destroy(model);
}
