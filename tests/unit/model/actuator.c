/* Limits of torque by joint, axis and direction, from motors. */
#include "cmocka_test.h"

#include "model/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static tr_model *load(const char *name) {
    tr_model *model = NULL;
    tr_error error = {0};
    char path[1000];
    (void)snprintf(path, sizeof path, "%s/%s", TR_MODEL_DIR, name);
    if (tr_mjcf_load(path, &model, &error))
        fail_msg("%s", error.message);
    return model;
}

TEST(the_limited_humanoid_is_the_humanoid_with_limits) {
    OWN(tr_model) *plain = load("humanoid.xml"), *limited = load("humanoid_limited.xml");
    assert_true(plain->hash != limited->hash);
    assert_int_equal(plain->body_count, limited->body_count);
    for (int i = 1; i < plain->body_count; i++) {
        tr_body body = limited->body[i];
        assert_true(isinf(plain->body[i].torque_limit) && !plain->body[i].torque_by_axis);
        assert_true(body.torque_by_axis && isfinite(body.torque_limit));
        int axes = body.joint == TR_JOINT_HINGE ? 1 : 3;
        for (int k = 0; k < axes; k++)
            assert_true(isfinite(tr_body_torque_bound(&body, k, false)) &&
                        tr_body_torque_bound(&body, k, true) <= body.torque_limit);
        assert_true(body.mass == plain->body[i].mass && body.pos.x == plain->body[i].pos.x &&
                    body.com.z == plain->body[i].com.z && body.range[1] == plain->body[i].range[1]);
    }
    assert_int_equal(plain->geom_count, limited->geom_count);
    const tr_body *knee = &limited->body[tr_model_find_body(limited, "lshank")];
    assert_true(tr_body_torque_bound(knee, 0, false) == 285.2); /* extends */
    assert_true(tr_body_torque_bound(knee, 0, true) == 136.4);  /* flexes */
}

/* The only difference is strength, by one factor. */
TEST(the_athlete_is_stronger_by_a_quarter) {
    OWN(tr_model) *limited = load("humanoid_limited.xml"), *athlete = load("athlete.xml");
    assert_int_equal(limited->body_count, athlete->body_count);
    for (int i = 1; i < limited->body_count; i++) {
        const tr_body *a = &limited->body[i], *b = &athlete->body[i];
        for (int k = 0; k < (a->joint == TR_JOINT_HINGE ? 1 : 3); k++)
            for (int up = 0; up < 2; up++)
                assert_true(fabs(tr_body_torque_bound(b, k, up) -
                                 1.25 * tr_body_torque_bound(a, k, up)) < 1e-9);
        assert_true(a->mass == b->mass && a->pos.x == b->pos.x && a->range[1] == b->range[1]);
    }
}

TEST(both_sides_are_alike) {
    OWN(tr_model) *model = load("humanoid_limited.xml");
    for (int i = 1; i < model->body_count; i++) {
        const tr_body *body = &model->body[i], *other = &model->body[body->mirror];
        for (int k = 0; k < (body->joint == TR_JOINT_HINGE ? 1 : 3); k++) {
            bool turns = body->joint == TR_JOINT_BALL && k != 1; /* about x and z: the other way */
            assert_true(tr_body_torque_bound(body, k, true) ==
                        tr_body_torque_bound(other, k, !turns));
        }
    }
}

/* Wrong lines that replace the first motor. */
TEST(mistakes_are_named) {
    static const struct {
        const char *motor, *message;
    } table[] = {
        {"<motor joint=\"no\" gear=\"1 0 0\" forcerange=\"-1 1\"/>", "joint: expected the name"},
        {"<motor joint=\"lhip\" gear=\"1 1 0\" forcerange=\"-1 1\"/>", "gear: expected one 1"},
        {"<motor joint=\"lhip\" gear=\"2 0 0\" forcerange=\"-1 1\"/>", "gear: expected one 1"},
        {"<motor joint=\"lknee\" gear=\"0 1 0\" forcerange=\"-1 1\"/>", "gear: expected one 1"},
        {"<motor joint=\"lhip\" gear=\"1 0 0\"/>", "forcerange: expected a number below"},
        {"<motor joint=\"lhip\" gear=\"1 0 0\" forcerange=\"1 2\"/>",
         "forcerange: expected a number"},
        {"<position joint=\"lhip\"/>", "position"},
    };
    static char text[1 << 16], file[1 << 15];
    FILE *source = fopen(TR_MODEL_DIR "/humanoid.xml", "rb");
    assert_non_null(source);
    size_t size = fread(file, 1, sizeof file - 1, source);
    (void)fclose(source);
    file[size] = '\0';
    char *custom = strstr(file, "<custom>");
    assert_non_null(custom);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        tr_model *model = NULL;
        tr_error error = {0};
        int length = snprintf(text, sizeof text, "%.*s<actuator>%s</actuator>%s",
                              (int)(custom - file), file, table[i].motor, custom);
        assert_int_equal(tr_mjcf_parse(text, (size_t)length, "x", &model, &error),
                         TR_INVALID_ARGUMENT);
        if (!strstr(error.message, table[i].message))
            fail_msg("%s", error.message);
    }
}
