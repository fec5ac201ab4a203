#include "server/recording/fingerprint.h"

#include "control/stage/stage.h"
#include "model/mjcf.h"

#include <pthread.h>
#include <string.h>

/* A figure with feet, a waist, knees, a trunk and a head on a spring: enough for contacts, limits, all
 * kinds of joints and the features of a policy. */
const char tr_fingerprint_figure[] =
    "<mujoco model=\"figure\"><compiler angle=\"radian\"/><worldbody>"
    "<body name=\"pelvis\" pos=\"0 0 0.72\"><freejoint/>"
    "<geom type=\"box\" size=\"0.1 0.14 0.08\" mass=\"8\"/>"
    "<body name=\"ltorso\" pos=\"0 0 0.08\"><joint type=\"ball\" range=\"0 1.4\"/>"
    "<geom type=\"capsule\" size=\"0.1 0.12\" pos=\"0 0 0.2\" mass=\"20\"/>"
    "<body name=\"head\" pos=\"0 0 0.4\"><joint type=\"slide\" axis=\"0 0 1\" range=\"-0.02 "
    "0.05\"/>"
    "<geom type=\"sphere\" size=\"0.1\" pos=\"0 0 0.1\" mass=\"4\"/></body></body>"
    "<body name=\"lshank\" pos=\"0 0.1 -0.1\"><joint type=\"hinge\" axis=\"0 1 0\" range=\"-1 1\"/>"
    "<geom type=\"capsule\" size=\"0.05 0.18\" pos=\"0 0 -0.25\" mass=\"4\"/>"
    "<body name=\"lfoot\" pos=\"0 0 -0.5\"><joint type=\"ball\"/>"
    "<geom type=\"box\" size=\"0.12 0.05 0.03\" pos=\"0.05 0 -0.05\" mass=\"1\"/></body></body>"
    "<body name=\"rshank\" pos=\"0 -0.1 -0.1\"><joint type=\"hinge\" axis=\"0 1 0\" range=\"-1 "
    "1\"/>"
    "<geom type=\"capsule\" size=\"0.05 0.18\" pos=\"0 0 -0.25\" mass=\"4\"/>"
    "<body name=\"rfoot\" pos=\"0 0 -0.5\"><joint type=\"ball\"/>"
    "<geom type=\"box\" size=\"0.12 0.05 0.03\" pos=\"0.05 0 -0.05\" mass=\"1\"/></body></body>"
    "</body></worldbody><custom>"
    "<text name=\"gains a\" data=\"* 500 50\"/>"
    "<text name=\"foot\" data=\"lfoot rfoot\"/><text name=\"trunk\" data=\"ltorso\"/>"
    "</custom></mujoco>";

enum { STEPS = 60 };

static uint64_t fingerprint;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static tr_status set_scene(tr_stage *stage, const tr_model *model) {
    tr_entity_id figure_id = 0, ball = 0;
    tr_spawn_def spawn = {.model = model, .heading_rad = 0.3};
    tr_object_def def = {.name = "ball", .geom_count = 1, .density = 300};
    def.geom[0] = (tr_geom){.kind = TR_GEOM_SPHERE, .size = {0.12, 0, 0}, .rot = {1, 0, 0, 0}};
    def.geom[0].friction = 0.7;
    tr_object_state state = {.pos = {0.5, 0.15, 0.9}, .rot = {1, 0, 0, 0}, .vel = {-4, -1, 0}};
    tr_status status = tr_stage_spawn(stage, &spawn, &figure_id);
    if (!status)
        status = tr_world_add_object(tr_stage_world(stage), &def, &state, &ball);
    tr_push push = {.entity = figure_id, .body = 1, .force = {30, 120, 0}, .steps = 20};
    return !status ? tr_world_push(tr_stage_world(stage), &push) : status;
}

static void compute(void) {
    tr_model *model = NULL;
    tr_stage *stage = NULL;
    tr_world_def def = tr_world_def_default();
    tr_status status =
        tr_mjcf_parse(tr_fingerprint_figure, strlen(tr_fingerprint_figure), "figure", &model, NULL);
    if (!status)
        status = tr_stage_create(&def, &stage);
    if (!status)
        status = set_scene(stage, model);
    for (int i = 0; i < STEPS && !status; i++)
        status = tr_stage_step(stage);
    /* Of the states alone, so that it changes with results and not with the form of snapshots. */
    fingerprint = !status ? tr_stage_state_hash(stage) : 0;
    tr_stage_destroy(stage);
    tr_model_destroy(model);
}

uint64_t tr_fingerprint(void) {
    pthread_once(&once, compute);
    return fingerprint;
}
