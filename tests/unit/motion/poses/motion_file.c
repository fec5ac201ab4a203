#include "cmocka_test.h"

#include "model/mjcf.h"
#include "unit/motion/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tr_motion *sample(const tr_model *model) {
    tr_motion *motion = scratch_march(model, 6, 0.1, 1);
    strcpy(motion->name, "march \"on the spot\"");
    strcpy(motion->source.licence, "none needed");
    strcpy(motion->source.clip, "march.bvh");
    motion->source.hash = 0x0123456789abcdefULL;
    memset(motion->source.digest, 'a', TR_MOTION_DIGEST_MAX - 1);
    motion->source.last_frame = 6;
    motion->cyclic = true;
    motion->cycle_shift = tr_vec3_make(0.25, -0.5, 0);
    motion->cycle_turn_rad = 0.125;
    return motion;
}

TEST(what_is_saved_is_loaded) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *a = sample(model), *b = NULL;
    const char *path = scratch_path(".json");
    tr_error error = {0};
    assert_int_equal(tr_motion_save(a, path, &error), TR_OK);
    if (tr_motion_load(path, model, &b, &error))
        fail_msg("%s", error.message);
    assert_string_equal(b->name, a->name);
    assert_memory_equal(&b->source, &a->source, sizeof a->source);
    assert_int_equal(b->frame_count, a->frame_count);
    assert_true(b->cyclic && !b->symmetric && b->model_hash == model->hash);
    assert_memory_equal(&b->cycle_shift, &a->cycle_shift, sizeof a->cycle_shift);
    for (int f = 0; f < a->frame_count; f++) {
        scratch_near(tr_vec3_distance(a->poses[f].root_pos, b->poses[f].root_pos), 0, 1e-11);
        for (int i = 1; i < model->body_count; i++)
            assert_true(tr_quat_angle(a->poses[f].joint[i], b->poses[f].joint[i]) < 1e-5);
    }
    /* A second round changes nothing any more. */
    OWN_MEMORY char *first = NULL, *second = NULL;
    size_t size, size_again;
    assert_int_equal(tr_motion_print(b, &first, &size), TR_OK);
    OWN(tr_motion) *c = NULL;
    assert_int_equal(tr_motion_parse(first, size, "again", model, &c, NULL), TR_OK);
    assert_int_equal(tr_motion_print(c, &second, &size_again), TR_OK);
    assert_int_equal(size, size_again);
}

TEST(every_truncation_fails) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    tr_motion *motion = sample(model), *out = NULL;
    OWN_MEMORY char *text = NULL;
    size_t size;
    assert_int_equal(tr_motion_print(motion, &text, &size), TR_OK);
    for (size_t n = 0; n < size; n += n < 1000 ? 1 : 7) {
        tr_error error = {0};
        assert_int_equal(tr_motion_parse(text, n, "cut", model, &out, &error), TR_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, "cut:"));
    }
    assert_null(out);
    tr_motion_destroy(motion);
}

/* As in older files and in files of motions without a clip. */
TEST(a_motion_may_know_no_digest) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = sample(model), *out = NULL;
    OWN_MEMORY char *text = NULL;
    size_t size;
    motion->source.digest[0] = '\0';
    assert_int_equal(tr_motion_print(motion, &text, &size), TR_OK);
    assert_null(strstr(text, "sha256"));
    assert_int_equal(tr_motion_parse(text, size, "m", model, &out, NULL), TR_OK);
    assert_string_equal(out->source.digest, "");
}

TEST(the_broken_field_is_named) {
    static const char *const cases[][3] = {
        {"\"troupe_motion\":1", "\"troupe_motion\":2", "format version 1"},
        {"\"dt_s\":0.1", "\"dt_s\":0.0", "dt_s"},
        {"\"dt_s\":0.1", "\"dt_s\":\"x\"", "expected"},
        {"\"hash\":\"0123", "\"hash\":\"012x", "source"},
        {"\"sha256\":\"aaa", "\"sha256\":\"aa", "source"},
        {"\"sha256\":\"aaa", "\"sha256\":\"aax", "source"},
        {"\"licence\"", "\"license\"", "source"},
        {"\"poses\":[[", "\"poses\":[[7,", "poses[0]"},
        {"\"poses\":[[0.0", "\"poses\":[[1e300", "poses[0]"},
        {"\"poses\"", "\"pose\"", "poses"},
        {"\"symmetric\":false", "\"symmetric\":true", "symmetric"},
        {"\"cycle_shift\":[0.25", "\"cycle_shift\":[null", "cycle_shift"},
    };
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    tr_motion *motion = sample(model), *out = NULL;
    OWN_MEMORY char *text = NULL;
    size_t size;
    assert_int_equal(tr_motion_print(motion, &text, &size), TR_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_error error = {0};
        OWN_MEMORY char *broken = scratch_replace(text, cases[i][0], cases[i][1]);
        assert_int_equal(tr_motion_parse(broken, strlen(broken), "m", model, &out, &error),
                         TR_INVALID_ARGUMENT);
        if (!strstr(error.message, cases[i][2]))
            fail_msg("'%s' does not say '%s'", error.message, cases[i][2]);
    }
    tr_motion_destroy(motion);
}

/* Texts that JSON cannot hold are reported as such, not as a lack of memory. */
TEST(texts_must_be_utf8) {
    OWN(tr_model) *model = scratch_model("humanoid.xml");
    OWN(tr_motion) *motion = sample(model);
    tr_error error = {0};
    snprintf(motion->source.origin, sizeof motion->source.origin, "caf\xe9");
    assert_int_equal(tr_motion_save(motion, scratch_path(".json"), &error), TR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "UTF-8"));
}

TEST(a_motion_of_another_model_is_refused) {
    OWN(tr_model) *model = scratch_model("humanoid.xml"), *other = scratch_model("humanoid51.xml");
    tr_motion *motion = sample(model), *out = NULL;
    const char *path = scratch_path(".json");
    tr_error error = {0};
    assert_int_equal(tr_motion_save(motion, path, NULL), TR_OK);
    assert_int_equal(tr_motion_load(path, other, &out, &error), TR_FAILED_PRECONDITION);
    assert_non_null(strstr(error.message, "humanoid"));
    assert_int_equal(tr_motion_load("/nowhere/m.json", model, &out, &error), TR_NOT_FOUND);
    assert_int_equal(tr_motion_save(motion, "/nowhere/m.json", &error), TR_NOT_FOUND);
    tr_motion_destroy(motion);
}
