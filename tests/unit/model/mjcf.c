#include "cmocka_test.h"

#include "math/random.h"
#include "model/mjcf.h"
#include "model/mjcf_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char humanoid_path[] = TR_MODEL_DIR "/humanoid.xml";
static const char humanoid51_path[] = TR_MODEL_DIR "/humanoid51.xml";
static const char long_legs_path[] = TR_MODEL_DIR "/humanoid_long_legs.xml";
static const char heavy_arms_path[] = TR_MODEL_DIR "/humanoid_heavy_arms.xml";

static char *read_text(const char *path, size_t *out_size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    *out_size = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

/* Overwrites the first `from` by `to`, which is as long; where it was. */
static char *overwrite(char *text, const char *from, const char *to) {
    char *at = strstr(text, from);
    assert_non_null(at);
    assert_int_equal(strlen(from), strlen(to));
    for (size_t i = 0; to[i]; i++)
        at[i] = to[i];
    return at;
}

static tr_model *load(const char *path) {
    tr_model *model = NULL;
    tr_error error = {0};
    if (tr_mjcf_load(path, &model, &error))
        fail_msg("%s", error.message);
    return model;
}

/* --- the shipped models --- */

TEST(test_humanoid_has_the_papers_figures) {
    OWN(tr_model) *model = load(humanoid_path);
    assert_string_equal(model->name, "humanoid");
    assert_int_equal(model->body_count, 18);
    assert_int_equal(model->dof_count, 45);
    assert_true(fabs(model->mass - 62.0) < 1e-9);
    assert_true(fabs(model->height - 1.7) < 1e-9);
    assert_int_equal(model->gain_set_count, 2);
    for (int i = 1; i < model->body_count; i++) {
        assert_true(model->gain_set[0].kp[i] == 500.0 && model->gain_set[0].kd[i] == 50.0);
        assert_true(isinf(model->body[i].torque_limit));
    }
    const tr_gain_set *stunt = &model->gain_set[tr_model_find_gain_set(model, "b")];
    assert_true(stunt->kp[tr_model_find_body(model, "ltorso")] == 2000.0);
    assert_true(stunt->kd[tr_model_find_body(model, "utorso")] == 100.0);
    assert_true(stunt->kp[tr_model_find_body(model, "rshank")] == 1000.0);
    assert_true(stunt->kp[tr_model_find_body(model, "lhand")] == 500.0);
}

TEST(test_humanoid51_has_the_papers_figures) {
    OWN(tr_model) *model = load(humanoid51_path);
    assert_int_equal(model->body_count, 20);
    assert_int_equal(model->dof_count, 51);
    assert_true(fabs(model->mass - 61.0) < 1e-9);
    assert_true(fabs(model->height - 1.7) < 1e-9);
    const tr_gain_set *gains = &model->gain_set[0];
    for (int side = 0; side < 2; side++) {
        assert_true(gains->kp[model->toe[side]] == 10.0 && gains->kd[model->toe[side]] == 1.0);
        assert_true(gains->kp[model->hand[side]] == 10.0 && gains->kd[model->hand[side]] == 1.0);
        assert_true(gains->kp[model->foot[side]] == 500.0);
    }
}

/* Of humanoid.xml's joints and gains, and other proportions. */
TEST(test_other_proportions_are_what_they_say) {
    OWN(tr_model) *model = load(humanoid_path), *tall = load(long_legs_path),
                  *heavy = load(heavy_arms_path);
    assert_true(fabs(tall->height - 1.864) < 1e-9);
    assert_true(fabs(tall->mass - 65.8) < 1e-9);
    assert_true(fabs(heavy->height - 1.7) < 1e-9);
    assert_true(fabs(heavy->mass - 76.4) < 1e-9);
    for (int i = 1; i < model->body_count; i++) {
        assert_string_equal(tall->body[i].name, model->body[i].name);
        assert_string_equal(heavy->body[i].name, model->body[i].name);
        assert_true(tall->gain_set[1].kp[i] == model->gain_set[1].kp[i]);
        assert_true(heavy->gain_set[1].kd[i] == model->gain_set[1].kd[i]);
    }
}

static void check_marks(const char *path) {
    OWN(tr_model) *model = load(path);
    for (int i = 0; i < model->body_count; i++) {
        const tr_body *body = &model->body[i], *image = &model->body[body->mirror];
        assert_int_equal(image->mirror, i);
        assert_true(body->mass == image->mass);
        assert_true(body->pos.x == image->pos.x && body->pos.y == -image->pos.y);
        assert_true(i == 0 || body->parent < i);
        assert_true(i == 0 || (model->exclude[i] >> body->parent & 1u));
    }
    assert_int_equal(model->body[model->foot[0]].mirror, model->foot[1]);
    assert_int_equal(model->body[model->toe[0]].parent, model->foot[0]);
    assert_int_equal(model->end_effector[0], model->foot[0]);
    assert_int_equal(model->end_effector[1], model->foot[1]);
    assert_string_equal(model->body[model->head].name, "head");
    assert_string_equal(model->body[model->trunk].name, "utorso");
}

TEST(test_marks_and_mirror_agree) {
    check_marks(humanoid_path);
    check_marks(humanoid51_path);
    check_marks(long_legs_path);
    check_marks(heavy_arms_path);
}

TEST(test_hash_follows_content_not_name) {
    size_t size;
    OWN_MEMORY char *text = read_text(humanoid_path, &size);
    OWN(tr_model) *plain = NULL, *renamed = NULL, *heavier = NULL;
    assert_int_equal(tr_mjcf_parse(text, size, "m", &plain, NULL), TR_OK);
    overwrite(text, "\"humanoid\"", "\"hamanoid\"");
    assert_int_equal(tr_mjcf_parse(text, size, "m", &renamed, NULL), TR_OK);
    overwrite(text, "mass=\"7.8\"", "mass=\"7.9\"");
    assert_int_equal(tr_mjcf_parse(text, size, "m", &heavier, NULL), TR_OK);
    assert_true(plain->hash == renamed->hash);
    assert_true(plain->hash != heavier->hash);
}

/* --- forms the shipped files do not use --- */

static const char other_forms[] =
    "<mujoco model='forms'>\n"
    "<custom><text name='gains x' data='* 1 2; tip 3 4'/>\n"
    "<text name='torque limit' data='tip 25'/><text name='softness' data='tip .25'/></custom>\n"
    "<worldbody><body name='base'><joint type='free'/>\n"
    "<inertial pos='0 0 .1' quat='2 0 0 2' mass='2' diaginertia='1 2 2.5'/>\n"
    "<geom size='.1'/>\n"
    "<body name='tip' pos='0 0 1' quat='0 0 0 3'>\n"
    "<joint type='hinge' axis='0 2 0' pos='0 0 -.1' range='-90 45'/>\n"
    "<geom type='capsule' size='.1' fromto='0 0 0  .6 0 0' density='500' friction='.5'/>\n"
    "</body></body></worldbody><default><joint type='hinge'/></default></mujoco>\n";

TEST(test_degrees_inertials_and_fromto) {
    OWN(tr_model) *model = NULL;
    tr_error error = {0};
    if (tr_mjcf_parse(other_forms, sizeof other_forms - 1, "forms", &model, &error))
        fail_msg("%s", error.message);
    const tr_body *base = &model->body[0], *tip = &model->body[1];
    assert_true(fabs(base->inertia.m[0] - 2.0) < 1e-12); /* turned by 90 degrees about z */
    assert_true(fabs(base->inertia.m[4] - 1.0) < 1e-12);
    assert_true(fabs(tip->range[0] + TR_PI / 2) < 1e-12 && tip->limited);
    assert_true(fabs(tip->range[1] - TR_PI / 4) < 1e-12);
    assert_true(tip->axis.y == 1.0 && tip->anchor.z == -0.1 && tip->rot.z == 1.0);
    assert_true(fabs(tip->com.x - 0.3) < 1e-12);
    assert_true(fabs(tip->mass - 500 * TR_PI * 0.01 * (0.6 + 4.0 / 3.0 * 0.1)) < 1e-9);
    assert_true(tip->inertia.m[0] < tip->inertia.m[4]); /* it lies along x */
    assert_true(tip->torque_limit == 25.0 && model->gain_set[0].kd[1] == 4.0);
    assert_true(model->geom[0].softness == 0 && model->geom[1].softness == 0.25);
    assert_true(model->geom[1].friction == 0.5 && model->geom[0].friction == 1.0);
}

/* The way of a slide is in metres, whatever angles are in; it is written as it was read. */
TEST(test_slides) {
    static const char form[] =
        "<mujoco model='lift'><worldbody><body name='base'><freejoint/><geom size='.1'/>"
        "<body name='car' pos='0 0 1'><joint name='car' type='slide' axis='0 0 2' range='-.5 2'/>"
        "<geom size='.1'/></body></body></worldbody>"
        "<custom><text name='gains x' data='* 1 2'/></custom>"
        "<actuator><motor joint='car' forcerange='-10 30'/></actuator></mujoco>";
    tr_model *model, *again;
    tr_error error = {0};
    char *text = NULL;
    size_t size = 0;
    if (tr_mjcf_parse(form, sizeof form - 1, "lift", &model, &error))
        fail_msg("%s", error.message);
    const tr_body *car = &model->body[1];
    assert_true(car->joint == TR_JOINT_SLIDE && car->limited && car->axis.z == 1);
    assert_true(car->range[0] == -0.5 && car->range[1] == 2 && model->dof_count == 7);
    assert_true(car->torque_by_axis && car->torque_range[0][1] == 30);
    assert_int_equal(tr_mjcf_print(model, NULL, &text, &size), TR_OK);
    if (tr_mjcf_parse(text, size, "again", &again, &error))
        fail_msg("%s", error.message);
    const tr_body *same = &again->body[1];
    assert_true(same->joint == TR_JOINT_SLIDE && same->axis.z == 1 && same->range[1] == 2);
    assert_true(same->torque_range[0][0] == -10 && same->torque_range[0][1] == 30);
    free(text);
    tr_model_destroy(again);
    tr_model_destroy(model);
}

TEST(a_motor_of_the_root_is_refused) {
    static const char form[] =
        "<mujoco model='m'><worldbody><body name='base'><freejoint name='root'/><geom size='.1'/>"
        "<body name='tip' pos='0 0 1'><joint type='ball'/><geom "
        "size='.1'/></body></body></worldbody>"
        "<actuator><motor joint='root' gear='1 0 0' forcerange='-1 1'/>"
        "</actuator><custom><text name='gains x' data='* 1 2'/></custom></mujoco>";
    tr_model *model = NULL;
    tr_error error = {0};
    assert_int_equal(tr_mjcf_parse(form, sizeof form - 1, "m", &model, &error),
                     TR_INVALID_ARGUMENT);
    assert_string_equal(error.message,
                        "m:1: <motor>: joint: expected the name of a ball, a hinge or a slide");
}

/* Of several defaults the last value of each attribute counts, wherever they stand. */
TEST(test_defaults_are_merged) {
    static const char forms[] =
        "<mujoco model='split'><default><geom density='500'/><geom size='.3'/></default>\n"
        "<worldbody><body name='base'><joint type='free'/><geom/>\n"
        "<body name='tip' pos='0 0 1'><joint type='hinge' axis='0 1 "
        "0'/><geom/></body></body></worldbody>\n"
        "<custom><text name='gains x' data='* 1 2'/></custom>\n"
        "<default><geom size='.2'/></default></mujoco>\n";
    OWN(tr_model) *model = NULL;
    tr_error error = {0};
    if (tr_mjcf_parse(forms, sizeof forms - 1, "split", &model, &error))
        fail_msg("%s", error.message);
    assert_true(fabs(model->body[0].mass - 500 * 4.0 / 3.0 * TR_PI * 0.008) < 1e-9);
    assert_true(model->body[1].mass == model->body[0].mass);
}

/* A class wins over those around it, an element's own class over the childclass of the bodies around it, and
 * its own attributes over all. What stands at the top is of the class "main", declared or not. */
TEST(test_default_classes) {
    static const char forms[] =
        "<mujoco model='classes'><default><geom size='.1' density='500'/>\n"
        "<default class='limb'><joint axis='0 1 0' range='-90 90'/><geom type='box' size='.2 .2 "
        ".2'/>\n"
        "<default class='end'><geom size='.3 .3 .3'/></default></default>\n"
        "<default class='motors'><motor gear='1' forcerange='-10 10'/></default></default>\n"
        "<worldbody><body name='base'><freejoint/><geom class='main'/>\n"
        "<body name='arm' pos='0 0 1' childclass='limb'><joint name='elbow'/><geom/>\n"
        "<body name='hand' pos='0 0 1'><joint axis='1 0 0'/><geom class='end' "
        "density='1000'/></body>"
        "</body></body></worldbody><actuator><motor class='motors' joint='elbow'/></actuator>\n"
        "<custom><text name='gains x' data='* 1 2'/></custom></mujoco>\n";
    OWN(tr_model) *model = NULL;
    tr_error error = {0};
    if (tr_mjcf_parse(forms, sizeof forms - 1, "classes", &model, &error))
        fail_msg("%s", error.message);
    assert_true(model->geom[0].kind == TR_GEOM_SPHERE && model->geom[0].size.x == 0.1);
    assert_true(model->geom[1].kind == TR_GEOM_BOX && model->geom[1].size.x == 0.2);
    assert_true(fabs(model->body[1].mass - 500 * 8 * 0.008) < 1e-9);
    assert_true(model->body[1].axis.y == 1 && model->body[1].range[1] == TR_PI / 2);
    assert_true(model->body[1].torque_range[0][1] == 10);
    assert_true(fabs(model->body[2].mass - 1000 * 8 * 0.027) < 1e-9);
    assert_true(model->body[2].axis.x == 1 && model->body[2].range[0] == -TR_PI / 2);
}

TEST(test_a_class_that_is_missing_is_named) {
    static const char *const forms[][2] = {
        {"<default/>\n<worldbody><body name='base' childclass='limb'><freejoint/><geom "
         "size='1'/></body></worldbody>",
         "classes:2: <body name=\"base\">: childclass: there is no <default class=\"limb\">"},
        {"<default/>\n<worldbody><body name='base'><freejoint/><geom class='x' "
         "size='1'/></body></worldbody>",
         "classes:2: <geom>: class: there is no <default class=\"x\">"},
        {"<default>\n<default><geom size='1'/></default></default>",
         "classes:2: <default>: class: expected a name"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[512];
        tr_model *model = NULL;
        tr_error error = {0};
        const int size = snprintf(text, sizeof text, "<mujoco model='m'>%s</mujoco>", forms[i][0]);
        assert_int_equal(tr_mjcf_parse(text, (size_t)size, "classes", &model, &error),
                         TR_INVALID_ARGUMENT);
        assert_string_equal(error.message, forms[i][1]);
    }
}

/* --- broken files --- */

TEST(test_every_truncation_is_an_error) {
    size_t size;
    OWN_MEMORY char *text = read_text(humanoid_path, &size);
    size_t end = (size_t)(strstr(text, "</mujoco>") - text) + strlen("</mujoco>");
    for (size_t cut = 0; cut < end; cut++) {
        tr_model *model = NULL;
        tr_error error = {0};
        OWN_MEMORY char *copy =
            malloc(cut + 1); /* exact, so that a sanitizer sees a read past the end */
        assert_non_null(copy);
        memcpy(copy, text, cut);
        assert_int_equal(tr_mjcf_parse(copy, cut, "cut.xml", &model, &error), TR_INVALID_ARGUMENT);
        assert_null(model);
        assert_int_equal(strncmp(error.message, "cut.xml:", 8), 0);
    }
}

/* One edit to humanoid.xml, and what the message must say. */
typedef struct broken {
    const char *from, *to, *says;
} broken;

static const broken edits[] = {
    {"<mujoco model=\"humanoid\">", "<mujoco>", "<mujoco>: model: expected a name"},
    {"<mujoco ", "<!DOCTYPE m [<!ENTITY a 'b'>]><mujoco ", "document type"},
    {"<custom>", "<tendon/><custom>", "<tendon>: unsupported element inside <mujoco>"},
    {"<freejoint name=\"root\"/>", "<freejoint name=\"root\"/><tendon/>", "inside <body>"},
    {"<freejoint name=\"root\"/>", "", "<body name=\"pelvis\">: expected a joint"},
    {"<freejoint name=\"root\"/>", "<joint name=\"root\" type=\"ball\"/>", "expected free"},
    {"<freejoint name=\"root\"/>", "<freejoint name=\"root\"/><freejoint/>", "one joint per body"},
    {"<freejoint name=\"root\"/>", "spring", "<body name=\"pelvis\">: expected elements only"},
    {"<freejoint name=\"root\"/>",
     "<freejoint/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/>", "principal moments"},
    {"<freejoint name=\"root\"/>",
     "<freejoint/><inertial pos=\"0 0 0\" mass=\"-1\" diaginertia=\"1 1 1\"/>", "mass: expected a"},
    {"<freejoint name=\"root\"/>", "<freejoint/><inertial pos=\"0 0 0\" mass=\"1\"/>",
     "either diaginertia or fullinertia"},
    {"type=\"ball\" range=\"0 1.6\"", "type=\"screw\" range=\"0 1.6\"", "found 'screw'"},
    {"type=\"ball\" range=\"0 1.6\"", "type=\"slide\"", "a slide moves up to 3 m"},
    {"type=\"ball\" range=\"0 1.6\"", "type=\"slide\" range=\"0 3.1\"", "within 3 m of rest"},
    {"type=\"ball\" range=\"0 1.6\"", "type=\"ball\" range=\"0.1 1.6\"", "largest angle"},
    {"type=\"ball\" range=\"0 1.6\"", "type=\"ball\" range=\"0 4\"", "half a turn"},
    {"type=\"ball\" range=\"0 1.6\"", "type=\"ball\" limited=\"true\"", "range: expected, because"},
    {"type=\"ball\" range=\"0 1.6\"", "type=\"ball\" limited=\"maybe\"", "expected true or false"},
    {"type=\"ball\" range=\"0 1.6\"", "type=\"ball\" stiffness=\"3\"", "attribute 'stiffness'"},
    {"axis=\"0 1 0\"", "axis=\"0 0 0\"", "axis: expected a vector"},
    {"range=\"-2.8 0.1\"", "range=\"0.1 -2.8\"", "low < high"},
    {"mass=\"7.8\"", "mass=\"nan\"", "mass: expected 1 numbers"},
    {"mass=\"7.8\"", "mass=\"inf\"", "mass: expected 1 numbers"},
    {"mass=\"7.8\"", "mass=\"1e99\"", "mass: expected 1 numbers"},
    {"mass=\"7.8\"", "mass=\"0x10\"", "mass: expected 1 numbers"},
    {"mass=\"7.8\"", "mass=\"7,8\"", "found '7,8'"},
    {"mass=\"7.8\"", "mass=\"\"", "mass: expected 1 numbers"},
    {"mass=\"7.8\"", "mass=\"-7.8\"", "mass: expected a positive number"},
    {"mass=\"7.8\"", "mass=\"7.8\" friction=\"-1\"", "friction: expected"},
    {"mass=\"7.8\"", "mass=\"7.8\" quat=\"0 0 0 0\"", "quat: expected"},
    {"mass=\"7.8\"", "mass=\"7.8\" fromto=\"0 0 0 1 0 0\"", "fromto: expected on a capsule"},
    {"size=\"0.1 0.14 0.08\"", "size=\"0.1 0.14\"", "size: expected 3 positive"},
    {"size=\"0.1 0.14 0.08\"", "size=\"0.1 0 0.08\"", "size: expected 3 positive"},
    {"type=\"sphere\" size=\"0.11\"", "type=\"mesh\" size=\"0.11\"", "found 'mesh'"},
    {"type=\"sphere\" size=\"0.11\"", "type=\"sphere\"", "size: expected 1 positive"},
    {"pos=\"0 0 0.285\"", "pos=\"0 0\"", "pos: expected 3 numbers"},
    {"pos=\"0 0 0.285\"", "pos=\"0 0 0.285 7\"", "pos: expected 3 numbers"},
    {"<body name=\"head\"", "<body name=\"utorso\"", "name: another body"},
    {"<body name=\"head\"", "<body", "<body>: name: expected"},
    {"<body name=\"head\" pos", "<body name=\"head\" euler", "attribute 'euler'"},
    {"<body name=\"pelvis\" pos", "<body name=\"pelvis\" quat=\"0 1 0 0\" pos", "no rotation"},
    {"type=\"plane\"", "type=\"box\"", "other scenery"},
    {"</worldbody>", "<body name=\"second\"><freejoint/></body></worldbody>", "one root body"},
    {"angle=\"radian\"", "angle=\"grad\"", "radian or degree"},
    {"body1=\"pelvis\"", "body1=\"pelviss\"", "no body named 'pelviss'"},
    {"body1=\"pelvis\"", "body1=\"utorso\"", "another body than body1"},
    {"body1=\"pelvis\" ", "", "body1: there is no body"},
    {"name=\"gains a\"", "name=\"gain a\"", "name: expected 'gains NAME'"},
    {"name=\"gains a\"", "name=\"gains b\"", "expected a new name"},
    {"\"gains a\" data=\"* 500 50\"", "\"gains a\" data=\"* 500\"", "body kp kd"},
    {"\"gains a\" data=\"* 500 50\"", "\"gains a\" data=\"* 500 -50\"", "body kp kd"},
    {"\"gains a\" data=\"* 500 50\"", "\"gains a\" data=\"* 500 50 50\"", "expected ';'"},
    {"\"gains a\" data=\"* 500 50\"", "\"gains a\" data=\"pelvis 500 50\"",
     "expected another body than the root"},
    {"\"gains a\" data=\"* 500 50\"", "\"gains a\" data=\"head 500 50\"", "'ltorso' has no gains"},
    {"\"gains a\" data=\"* 500 50\"", "\"gains a\" data=\"* 500 50; hed 1 1\"", "named 'hed'"},
    {"\"gains a\" data=\"* 500 50\"", "\"gains a\"", "expected name and data"},
    {"luarm ruarm;", "luarm luarm;", "each body once"},
    {"luarm ruarm;", "luarm ruarm; ruarm luarm;", "each body once"},
    {"luarm ruarm;", "luarm rlarm;", "each body once"},
    {"luarm ruarm; llarm rlarm", "luarm rlarm; llarm ruarm", "do not mirror"},
    {"data=\"lfoot rfoot\"", "data=\"lfoot\"", "data: expected the name of a body"},
    {"data=\"lfoot rfoot\"", "data=\"lfoot rfoot head\"", "data: expected 2 bodies"},
    {"lhand rhand head\"", "lhand rhand head head head head head\"", "at most 8"},
    {"name=\"head\" data=\"head\"", "name=\"action\" data=\"head pelvis\"", "not the root"},
    {"name=\"head\" data=\"head\"", "name=\"action\" data=\"head head\"", "each body once"},
    {"name=\"head\" data=\"head\"", "name=\"action\" data=\"hed\"", "named 'hed'"},
    {"<text name=\"head\"", "<numeric name=\"head\"", "<numeric name=\"head\">: unsupported"},
};

static int line_of(const char *text, const char *at) {
    int line = 1;
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    return line;
}

static void check_edit(const char *text, const broken *edit) {
    const char *at = strstr(text, edit->from);
    if (!at)
        fail_msg("humanoid.xml no longer holds: %s", edit->from);
    OWN_MEMORY char *changed = malloc(strlen(text) + strlen(edit->to) + 1);
    assert_non_null(changed);
    int size =
        sprintf(changed, "%.*s%s%s", (int)(at - text), text, edit->to, at + strlen(edit->from));
    tr_model *model = NULL;
    tr_error error = {0};
    tr_status status = tr_mjcf_parse(changed, (size_t)size, "bad.xml", &model, &error);
    if (status != TR_INVALID_ARGUMENT || model || !strstr(error.message, edit->says))
        fail_msg("'%s' for '%s': status %d, message '%s', expected '%s'", edit->to, edit->from,
                 status, error.message, edit->says);
    assert_int_equal(strncmp(error.message, "bad.xml:", 8), 0);
    assert_true(strtol(error.message + 8, NULL, 10) > 0);
}

TEST(test_each_broken_edit_says_what_was_expected) {
    size_t size;
    OWN_MEMORY char *text = read_text(humanoid_path, &size);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++)
        check_edit(text, &edits[i]);
}

TEST(test_message_names_file_line_and_element) {
    size_t size;
    OWN_MEMORY char *text = read_text(humanoid_path, &size);
    char *at = overwrite(text, "type=\"sphere\"", "type=\"sphero\"");
    tr_model *model = NULL;
    tr_error error;
    assert_int_equal(tr_mjcf_parse(text, size, "m.xml", &model, &error), TR_INVALID_ARGUMENT);
    char expected[80];
    sprintf(expected, "m.xml:%d: <geom name=\"head\">: type:", line_of(text, at));
    assert_int_equal(strncmp(error.message, expected, strlen(expected)), 0);
    assert_int_equal(error.status, TR_INVALID_ARGUMENT);
}

/* depth bodies inside one another, as one string. */
static char *nested_bodies(int depth, size_t *out_size) {
    static const char head[] = "<mujoco model='deep'><worldbody>";
    char *text = malloc((size_t)depth * 80 + sizeof head);
    assert_non_null(text);
    char *end = text + sprintf(text, "%s", head);
    for (int i = 0; i < depth; i++)
        end += sprintf(end, "<body name='b%d'><%s/><geom size='1'/>", i, i ? "joint" : "freejoint");
    *out_size = (size_t)(end - text);
    return text;
}

static void check_nested(int depth, const char *says) {
    size_t size;
    OWN_MEMORY char *text = nested_bodies(depth, &size);
    for (int i = 0; depth < 1000 && i < depth; i++)
        size += (size_t)sprintf(text + size, "</body>");
    if (depth < 1000)
        size += (size_t)sprintf(text + size, "</worldbody></mujoco>");
    tr_model *model = NULL;
    tr_error error;
    assert_int_equal(tr_mjcf_parse(text, size, "deep", &model, &error), TR_INVALID_ARGUMENT);
    if (!strstr(error.message, says))
        fail_msg("%s", error.message);
}

TEST(test_deep_trees_are_refused) {
    check_nested(65, "<body name=\"b64\">: expected at most 64 bodies");
    check_nested(5000, "deep:1: ");           /* the XML library's own depth limit */
    check_nested(1000000, "at most 1048576"); /* refused by size, unread */
}

/* An exclusion among the last of 64 bodies is kept, written and part of the hash. */
TEST(test_sixty_four_bodies_are_read) {
    uint64_t hash[2];
    for (int excluded = 0; excluded < 2; excluded++) {
        size_t size;
        OWN_MEMORY char *text = nested_bodies(TR_BODY_MAX, &size), *whole = NULL, *written = NULL;
        text = realloc(text, size + 1000);
        for (int i = 0; i < TR_BODY_MAX; i++)
            size += (size_t)sprintf(text + size, "</body>");
        assert_true(asprintf(&whole,
                             "%s</worldbody><contact>%s</contact>"
                             "<custom><text name='gains x' data='* 1 2'/></custom></mujoco>",
                             text, excluded ? "<exclude body1='b40' body2='b63'/>" : "") > 0);
        OWN(tr_model) *model = NULL, *again = NULL;
        tr_error error = {0};
        if (tr_mjcf_parse(whole, strlen(whole), "deep", &model, &error))
            fail_msg("%s", error.message);
        assert_int_equal(model->exclude[40] >> 63 & 1, excluded);
        hash[excluded] = model->hash;
        assert_int_equal(tr_mjcf_print(model, NULL, &written, &size), TR_OK);
        if (tr_mjcf_parse(written, size, "again", &again, &error))
            fail_msg("%s", error.message);
        assert_int_equal(again->exclude[40] >> 63 & 1, excluded);
    }
    assert_int_not_equal(hash[0], hash[1]);
}

/* Bytes overwritten at random give a model, or an error with a message; for sanitizers. */
TEST(test_random_damage_is_survived) {
    static const char marks[] = "<>/\"= -.0123456789eEinfx;*&\0\xff";
    size_t size;
    OWN_MEMORY char *text = read_text(humanoid_path, &size);
    tr_random random = tr_random_seed(1);
    int refused = 0;
    for (int trial = 0; trial < 2000; trial++) {
        size_t at[3];
        char was[3];
        for (int k = 0; k < 3; k++) {
            at[k] = tr_random_next(&random) % size;
            was[k] = text[at[k]];
            text[at[k]] = marks[tr_random_next(&random) % (sizeof marks - 1)];
        }
        tr_model *model = NULL;
        tr_error error = {0};
        tr_status status = tr_mjcf_parse(text, size, "damaged", &model, &error);
        assert_true((!status) == (model != NULL));
        assert_true((!status) == (error.message[0] == '\0'));
        refused += status != TR_OK;
        tr_model_destroy(model);
        for (int k = 2; k >= 0; k--)
            text[at[k]] = was[k];
    }
    assert_in_range(refused, 500, 1999);
}

TEST(test_missing_file_is_not_found) {
    tr_model *model = NULL;
    tr_error error;
    assert_int_equal(tr_mjcf_load("/nonexistent/x.xml", &model, &error), TR_NOT_FOUND);
    assert_non_null(strstr(error.message, "/nonexistent/x.xml"));
    assert_null(model);
}
