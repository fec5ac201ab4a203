/* Responses and states become the plain structs that clients see. */
/* clang-format off */
#include "cmocka_test.h"
/* clang-format on */

#include "client/c/reply.h"
#include "proto/message.h"

#include <stdlib.h>
#include <string.h>

/* A box around a copy of the message, as if it had come over the wire. */
static tr_reply_box *box_of(const Troupe__ServerMessage *message) {
    uint8_t bytes[4096];
    ProtobufCMessage *copy = NULL;
    assert_true(protobuf_c_message_get_packed_size(&message->base) <= sizeof bytes);
    size_t size = protobuf_c_message_pack(&message->base, bytes);
    assert_int_equal(tr_message_decode(&troupe__server_message__descriptor, bytes, size, &copy),
                     TR_OK);
    return tr_reply_box_create((Troupe__ServerMessage *)copy);
}

static tr_reply_box *decoded(Troupe__Response *response) {
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE;
    message.response = response;
    tr_reply_box *box = box_of(&message);
    assert_int_equal(tr_reply_decode(box), TR_OK);
    return box;
}

/* --- responses --- */

TEST(a_list_of_controllers_with_its_next_page) {
    Troupe__ControllerSummary run = TROUPE__CONTROLLER_SUMMARY__INIT,
                              walk = TROUPE__CONTROLLER_SUMMARY__INIT;
    run.name = (char[]){"run"};
    run.cyclic = true;
    run.fragment_count = 5;
    walk.name = (char[]){"walk"};
    walk.clip = (char[]){"cmu_walk"};
    walk.duration_s = 1.1;
    Troupe__ControllerList list = TROUPE__CONTROLLER_LIST__INIT;
    list.n_controllers = 2;
    list.controllers = (Troupe__ControllerSummary *[]){&run, &walk};
    list.next_page_token = (char[]){"walk"};
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.request_id = 5;
    response.result_case = TROUPE__RESPONSE__RESULT_CONTROLLER_LIST;
    response.controller_list = &list;
    tr_reply_box *box = decoded(&response);
    assert_int_equal(box->reply.request, 5);
    assert_int_equal(box->reply.kind, TR_CLIENT_REPLY_CONTROLLERS);
    assert_int_equal(box->reply.count, 2);
    assert_string_equal(box->reply.controllers[0].name, "run");
    assert_int_equal(box->reply.controllers[0].fragment_count, 5);
    assert_true(box->reply.controllers[0].cyclic);
    assert_string_equal(box->reply.controllers[0].clip, "");
    assert_string_equal(box->reply.controllers[1].clip, "cmu_walk");
    assert_true(box->reply.controllers[1].duration_s == 1.1);
    assert_string_equal(box->reply.next_page_token, "walk");
    tr_reply_box_destroy(box);
}

TEST(an_advance_returns_a_state_and_the_refused_orders) {
    Troupe__WorldState world = TROUPE__WORLD_STATE__INIT;
    world.tick = 40;
    Troupe__Refused refused = TROUPE__REFUSED__INIT;
    refused.count = 2;
    refused.order = 1;
    refused.code = TROUPE__STATUS_CODE__STATUS_CODE_OUT_OF_RANGE;
    refused.message = (char[]){"fragment 9"};
    Troupe__CommandResult result = TROUPE__COMMAND_RESULT__INIT;
    result.tick = 40;
    result.state = &world;
    result.refused = &refused;
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.result_case = TROUPE__RESPONSE__RESULT_COMMAND;
    response.command = &result;
    tr_reply_box *box = decoded(&response);
    const tr_client_advanced *advanced = &box->reply.advanced;
    assert_int_equal(box->reply.kind, TR_CLIENT_REPLY_ADVANCED);
    assert_true(advanced->tick == 40 && advanced->state.tick == 40);
    assert_true(advanced->refused_count == 2 && advanced->refused_part == 1);
    assert_int_equal(advanced->refused_status, TR_OUT_OF_RANGE);
    assert_string_equal(advanced->refused_message, "fragment 9");
    tr_reply_box_destroy(box);
    result.refused = NULL;
    box = decoded(&response);
    assert_int_equal(box->reply.advanced.refused_count, 0);
    assert_string_equal(box->reply.advanced.refused_message, "");
    tr_reply_box_destroy(box);
}

TEST(a_training_run_with_its_metrics) {
    Troupe__RunMetric metric = TROUPE__RUN_METRIC__INIT;
    metric.name = (char[]){"push95_n"};
    metric.n_iteration = 2;
    metric.iteration = (int64_t[]){1, 2};
    metric.n_value = 2;
    metric.value = (double[]){80, 120};
    Troupe__RunSummary summary = TROUPE__RUN_SUMMARY__INIT;
    summary.name = (char[]){"run-1"};
    summary.seed = UINT64_MAX;
    Troupe__RunDetail detail = TROUPE__RUN_DETAIL__INIT;
    detail.summary = &summary;
    detail.n_parents = 1;
    detail.parents = (char *[]){(char[]){"run-0"}};
    detail.n_metrics = 1;
    detail.metrics = (Troupe__RunMetric *[]){&metric};
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.result_case = TROUPE__RESPONSE__RESULT_RUN;
    response.run = &detail;
    tr_reply_box *box = decoded(&response);
    assert_true(box->reply.run.summary.seed == UINT64_MAX);
    assert_string_equal(box->reply.run.parents[0], "run-0");
    assert_int_equal(box->reply.run.metrics[0].count, 2);
    assert_int_equal(box->reply.run.metrics[0].iteration[1], 2);
    assert_true(box->reply.run.metrics[0].value[1] == 120);
    tr_reply_box_destroy(box);
}

TEST(a_certificate_with_pushes_of_unequal_columns) {
    Troupe__CertificateFigure figure = TROUPE__CERTIFICATE_FIGURE__INIT;
    figure.quantity = (char[]){"nsr"};
    figure.value = 0.25;
    Troupe__CertificatePushes pushes = TROUPE__CERTIFICATE_PUSHES__INIT;
    pushes.direction = 3;
    pushes.n_force_n = 2;
    pushes.force_n = (double[]){20, 40};
    pushes.n_trials = 2;
    pushes.trials = (uint32_t[]){12, 12};
    pushes.n_survived = 1;
    pushes.survived = (uint32_t[]){11};
    Troupe__Certificate certificate = TROUPE__CERTIFICATE__INIT;
    certificate.controller = (char[]){"run"};
    certificate.seed = UINT64_MAX;
    certificate.n_figures = 1;
    certificate.figures = (Troupe__CertificateFigure *[]){&figure};
    certificate.n_pushes = 1;
    certificate.pushes = (Troupe__CertificatePushes *[]){&pushes};
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.result_case = TROUPE__RESPONSE__RESULT_CERTIFICATE;
    response.certificate = &certificate;
    tr_reply_box *box = decoded(&response);
    const tr_client_certificate *got = &box->reply.certificate;
    assert_string_equal(got->controller, "run");
    assert_true(got->seed == UINT64_MAX);
    assert_int_equal(got->figure_count, 1);
    assert_string_equal(got->figures[0].item, "");
    assert_true(got->figures[0].value == 0.25);
    assert_int_equal(got->direction_count, 1);
    assert_int_equal(got->pushes[0].direction, 3);
    assert_int_equal(got->pushes[0].count, 1); /* as many as all columns have */
    assert_int_equal(got->pushes[0].survived[0], 11);
    tr_reply_box_destroy(box);
}

TEST(a_model_whose_bodies_lack_frames) {
    Troupe__ModelBody body = TROUPE__MODEL_BODY__INIT;
    body.name = (char[]){"pelvis"};
    body.parent = -1;
    Troupe__ModelDetail detail = TROUPE__MODEL_DETAIL__INIT;
    detail.n_bodies = 1;
    detail.bodies = (Troupe__ModelBody *[]){&body};
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.result_case = TROUPE__RESPONSE__RESULT_MODEL;
    response.model = &detail;
    tr_reply_box *box = decoded(&response);
    assert_string_equal(box->reply.model.summary.name, "");
    assert_int_equal(box->reply.model.body_count, 1);
    assert_int_equal(box->reply.model.bodies[0].parent, -1);
    assert_true(box->reply.model.bodies[0].rot[0] == 1 && box->reply.model.bodies[0].pos[2] == 0);
    tr_reply_box_destroy(box);
}

TEST(a_failure_has_no_result) {
    Troupe__WorldInfo world = TROUPE__WORLD_INFO__INIT;
    Troupe__Response response = TROUPE__RESPONSE__INIT;
    response.code = TROUPE__STATUS_CODE__STATUS_CODE_ABORTED;
    response.message = (char[]){"reset"};
    response.result_case = TROUPE__RESPONSE__RESULT_WORLD;
    response.world = &world;
    tr_reply_box *box = decoded(&response);
    assert_int_equal(box->reply.status, TR_ABORTED);
    assert_int_equal(box->reply.kind, TR_CLIENT_REPLY_EMPTY);
    assert_string_equal(box->reply.message, "reset");
    tr_reply_box_destroy(box);
    assert_int_equal(tr_mapping_status((Troupe__StatusCode)99), TR_UNKNOWN);
    assert_int_equal(tr_mapping_status((Troupe__StatusCode)-1), TR_UNKNOWN);
}

/* --- states --- */

/* Sizes of the arrays of one character, and whether they fit together. */
typedef struct shape {
    size_t root_pos, root_rot, joint_rot, joint_rate, body_pos, body_rot;
    bool sound;
} shape;

static void check_shape(const shape *given) {
    static float values[64];
    Troupe__CharacterState character = TROUPE__CHARACTER_STATE__INIT;
    character.n_root_pos = given->root_pos;
    character.n_root_rot = given->root_rot;
    character.n_joint_rot = given->joint_rot;
    character.n_joint_rate = given->joint_rate;
    character.n_body_pos = given->body_pos;
    character.n_body_rot = given->body_rot;
    character.root_pos = character.root_rot = character.joint_rot = character.joint_rate = values;
    character.body_pos = character.body_rot = values;
    Troupe__WorldState world = TROUPE__WORLD_STATE__INIT;
    world.n_characters = 1;
    world.characters = (Troupe__CharacterState *[]){&character};
    Troupe__ServerMessage message = TROUPE__SERVER_MESSAGE__INIT;
    message.message_case = TROUPE__SERVER_MESSAGE__MESSAGE_STATE;
    message.state = &world;
    tr_reply_box *box = box_of(&message);
    tr_client_state state = {.tick = -7};
    assert_int_equal(tr_reply_state(box, box->message->state, &state),
                     given->sound ? TR_OK : TR_DATA_LOSS);
    assert_int_equal(state.tick, given->sound ? 0 : -7);
    if (given->sound && given->joint_rot)
        assert_int_equal(state.characters[0].body_count, given->joint_rot / 4);
    tr_reply_box_destroy(box);
}

TEST(arrays_must_have_their_shapes) {
    static const shape shapes[] = {
        {0, 0, 0, 0, 0, 0, true},  {3, 4, 8, 6, 6, 8, true},  {3, 4, 0, 0, 6, 0, true},
        {2, 4, 8, 0, 0, 0, false}, {3, 3, 0, 0, 0, 0, false}, {3, 4, 7, 0, 0, 0, false},
        {3, 4, 8, 9, 0, 0, false}, {3, 4, 8, 6, 9, 0, false}, {3, 4, 12, 9, 9, 8, false},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check_shape(&shapes[i]);
}

TEST(event_kinds_have_names) {
    Troupe__Event event = TROUPE__EVENT__INIT;
    event.kind = TROUPE__EVENT_KIND__EVENT_KIND_DESTROYED;
    event.code = TROUPE__STATUS_CODE__STATUS_CODE_NOT_FOUND;
    assert_int_equal(tr_reply_event(2, &event).kind, TR_CLIENT_DESTROYED);
    assert_int_equal(tr_reply_event(2, &event).world, 2);
    assert_int_equal(tr_reply_event(2, &event).status, TR_NOT_FOUND);
    event.kind = (Troupe__EventKind)1000;
    assert_int_equal(tr_reply_event(2, &event).kind, TR_CLIENT_EVENT_UNKNOWN);
    for (int kind = 0; kind <= TR_CLIENT_DESTROYED; kind++)
        assert_true(tr_client_event_name((tr_client_event_kind)kind)[0] != '\0');
    assert_string_equal(tr_client_event_name((tr_client_event_kind)77), "unknown");
}
