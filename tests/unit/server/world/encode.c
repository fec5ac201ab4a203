#include "cmocka_test.h"

#include "control/gait/gait_driver.h"
#include "control/scheduler/scheduler.h"
#include "model/mjcf.h"
#include "proto/frame.h"
#include "proto/message.h"
#include "proto/quantise.h"
#include "server/world/encode.h"
#include "unit/control/puppet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Decodes one whole frame. */
static Troupe__ServerMessage *decode(const uint8_t *bytes, size_t size) {
    tr_frame_decoder decoder;
    tr_frame_view frame;
    ProtobufCMessage *message = NULL;
    tr_frame_decoder_init(&decoder, TR_FRAME_SERVER_MAX);
    assert_int_equal(tr_frame_decoder_take(&decoder, &bytes, &size, &frame), TR_OK);
    assert_non_null(frame.data);
    assert_int_equal(size, 0);
    assert_int_equal(
        tr_message_decode(&troupe__server_message__descriptor, frame.data, frame.size, &message),
        TR_OK);
    tr_frame_decoder_deinit(&decoder);
    return (Troupe__ServerMessage *)message;
}

/* Shared bytes with head and tail make the same message as one encoded whole. */
TEST(test_state_frame) {
    static const uint64_t counts[] = {0, 1, 127, 128, 1u << 20, UINT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        Troupe__WorldState message = TROUPE__WORLD_STATE__INIT;
        message.world = 257;
        message.tick = 1234;
        message.lateness_s = 0.25;
        tr_packet *shared = tr_packet_create(troupe__world_state__get_packed_size(&message));
        troupe__world_state__pack(&message, shared->bytes);
        tr_state_frame frame = tr_state_frame_around(shared, counts[i]);
        size_t size = frame.head_size + shared->size + frame.tail_size;
        uint8_t *bytes = malloc(size);
        memcpy(bytes, frame.head, frame.head_size);
        memcpy(bytes + frame.head_size, shared->bytes, shared->size);
        memcpy(bytes + frame.head_size + shared->size, frame.tail, frame.tail_size);
        Troupe__ServerMessage *decoded = decode(bytes, size);
        assert_int_equal(decoded->message_case, TROUPE__SERVER_MESSAGE__MESSAGE_STATE);
        assert_int_equal(decoded->state->tick, 1234);
        assert_true(decoded->state->dropped_states == counts[i]);
        assert_true(decoded->state->lateness_s == 0.25);
        tr_message_destroy(&decoded->base);
        free(bytes);
        tr_packet_release(shared);
    }
}

TEST(test_events) {
    tr_event events[2] = {{.kind = TR_EVENT_FELL, .tick = 5, .entity = 9, .body = -1},
                          {.kind = TR_EVENT_APPLIED, .text = "push", .status = TR_NOT_FOUND}};
    tr_packet *packet = NULL;
    assert_int_equal(tr_encode_events(257, events, 2, &packet), TR_OK);
    Troupe__ServerMessage *decoded = decode(packet->bytes, packet->size);
    assert_int_equal(decoded->events->n_events, 2);
    assert_int_equal(decoded->events->events[0]->kind, TROUPE__EVENT_KIND__EVENT_KIND_FELL);
    assert_int_equal(decoded->events->events[0]->body, -1);
    assert_string_equal(decoded->events->events[1]->text, "push");
    assert_int_equal(decoded->events->events[1]->code, TROUPE__STATUS_CODE__STATUS_CODE_NOT_FOUND);
    tr_message_destroy(&decoded->base);
    tr_packet_release(packet);
}

TEST(test_failure_without_a_message_names_the_status) {
    tr_error error = {.status = TR_ABORTED};
    tr_packet *packet = NULL;
    assert_int_equal(tr_encode_failure(7, &error, &packet), TR_OK);
    Troupe__ServerMessage *decoded = decode(packet->bytes, packet->size);
    assert_int_equal(decoded->response->request_id, 7);
    assert_int_equal(decoded->response->code, TROUPE__STATUS_CODE__STATUS_CODE_ABORTED);
    assert_string_equal(decoded->response->message, "aborted");
    tr_message_destroy(&decoded->base);
    tr_packet_release(packet);
}

/* The bytes are those that protobuf-c would write: fields in rising order, zeros left out. */
static void expect_canonical(const tr_packet *packet, const Troupe__WorldState *decoded) {
    size_t size = troupe__world_state__get_packed_size(decoded);
    OWN_MEMORY uint8_t *bytes = malloc(size + 1);
    assert_non_null(bytes);
    assert_int_equal(size, packet->size);
    troupe__world_state__pack(decoded, bytes);
    assert_memory_equal(bytes, packet->bytes, size);
}

static void add_surface(tr_world *world, tr_surface *surface) {
    tr_scenery_def def = {.kind = TR_SCENERY_SURFACE,
                          .pos = {0, 0, -50},
                          .rot = {1, 0, 0, 0},
                          .friction = 1,
                          .surface = surface};
    assert_int_equal(tr_world_add_scenery(world, &def, NULL), TR_OK);
    tr_surface_release(surface);
}

enum { FIELD_SIDE = 512, MESH_VERTICES = 30000, MESH_TRIANGLES = 55000 };

/* As many pieces as there can be, and surfaces of 2 MiB. */
static void add_all_scenery(tr_world *world) {
    static float height[FIELD_SIDE * FIELD_SIDE], vertex[3 * MESH_VERTICES];
    static uint32_t index[3 * MESH_TRIANGLES];
    for (int i = 0; i < TR_SCENERY_MAX - 2; i++) {
        tr_scenery_def def = {
            .size = {0.2, 0.2, 0.01}, .pos = {i, -50, 0}, .rot = {1, 0, 0, 0}, .friction = 1};
        assert_int_equal(tr_world_add_scenery(world, &def, NULL), TR_OK);
    }
    for (int i = 0; i < FIELD_SIDE * FIELD_SIDE; i++)
        height[i] = 0.25f;
    for (int i = 0; i < 3 * MESH_VERTICES; i++)
        vertex[i] = (float)((i % 97) * (i % 97) % 97);
    for (int i = 0; i < 3 * MESH_TRIANGLES; i++)
        index[i] = (uint32_t)(i % MESH_VERTICES);
    tr_surface *heights = NULL, *mesh = NULL;
    tr_heights_def field = {FIELD_SIDE, FIELD_SIDE, 0.1, height};
    tr_mesh_def triangles = {MESH_VERTICES, MESH_TRIANGLES, vertex, index};
    assert_int_equal(tr_surface_create_heights(&field, &heights), TR_OK);
    assert_int_equal(tr_surface_create_mesh(&triangles, &mesh), TR_OK);
    assert_true(4 * FIELD_SIDE * FIELD_SIDE + 12 * (MESH_VERTICES + MESH_TRIANGLES) >
                0.98 * TR_SURFACE_BYTES_MAX);
    add_surface(world, heights);
    add_surface(world, mesh);
}

/* The largest world there can be, with every field, still fits one frame and its arrays add up. */
TEST(test_full_world) {
    static tr_world_loop_def def;
    def.id = 257;
    def.mode = TR_MODE_STEPPED;
    def.rate = 1;
    def.steppers = 1;
    def.world = tr_world_def_default();
    tr_world_loop *loop = NULL;
    tr_model *model = puppet_model();
    assert_int_equal(tr_world_loop_create(&def, 0, &loop), TR_OK);
    add_all_scenery(tr_stage_world(loop->stage));
    for (int i = 0; i < TR_CHARACTER_MAX; i++) {
        tr_entity_id id = 0;
        tr_spawn_def spawn = {.model = model, .pos = {3.0 * (i % 8), 3.0 * (i / 8.0), 0}};
        assert_int_equal(tr_stage_spawn(loop->stage, &spawn, &id), TR_OK);
    }
    tr_object_def board = {.geom_count = TR_OBJECT_GEOM_MAX, .density = 500};
    for (int i = 0; i < board.geom_count; i++)
        board.geom[i] = (tr_geom){.kind = TR_GEOM_BOX,
                                  .size = {0.1, 0.1, 0.1},
                                  .pos = {0.2 * i, 0, 0},
                                  .rot = {1, 0, 0, 0}};
    for (int i = 0; i < TR_OBJECT_MAX; i++) {
        tr_entity_id id = 0;
        tr_object_state where = {.pos = {2.0 * (i % 16), 2.0 * (i / 16.0), 40},
                                 .rot = {1, 0, 0, 0}};
        assert_int_equal(tr_world_add_object(tr_stage_world(loop->stage), &board, &where, &id),
                         TR_OK);
        tr_push push = {.entity = id, .force = {0, 0, 1}, .steps = 9};
        if (i < TR_PUSH_MAX)
            assert_int_equal(tr_world_push(tr_stage_world(loop->stage), &push), TR_OK);
    }
    assert_int_equal(tr_stage_step(loop->stage), TR_OK);
    tr_packet *packet = NULL;
    uint32_t fields = TR_STATE_FIELDS_ALL & ~((uint32_t)TROUPE__STATE_FIELD__STATE_FIELD_COMPACT |
                                              (uint32_t)TROUPE__STATE_FIELD__STATE_FIELD_QUANTISED |
                                              (uint32_t)TROUPE__STATE_FIELD__STATE_FIELD_BRIEF |
                                              (uint32_t)TROUPE__STATE_FIELD__STATE_FIELD_SNAPSHOT);
    assert_int_equal(tr_encode_state(loop, fields, &packet), TR_OK);
    Troupe__WorldState *decoded = troupe__world_state__unpack(NULL, packet->size, packet->bytes);
    assert_non_null(decoded);
    expect_canonical(packet, decoded);
    assert_int_equal(decoded->n_characters, TR_CHARACTER_MAX);
    int contacts = 0;
    (void)tr_world_contacts(tr_stage_world_const(loop->stage), &contacts);
    assert_int_equal(decoded->n_contacts, contacts);
    assert_int_equal(decoded->n_scenery, TR_SCENERY_MAX);
    assert_int_equal(decoded->scenery[254]->height_field->n_heights, FIELD_SIDE * FIELD_SIDE);
    assert_int_equal(decoded->scenery[255]->mesh->n_indices, 3 * MESH_TRIANGLES);
    assert_int_equal(decoded->scenery[255]->mesh->indices[5], 5);
    assert_int_equal(decoded->scenery[255]->id, 256);
    assert_int_equal(decoded->n_pushes, TR_PUSH_MAX);
    assert_int_equal(decoded->n_objects, TR_OBJECT_MAX);
    assert_int_equal(decoded->objects[7]->n_geoms, TR_OBJECT_GEOM_MAX);
    /* relative to the centre of mass, which is in the middle of the row of boxes */
    assert_true(fabs(decoded->objects[7]->geoms[0]->pos->x + 0.7) < 1e-12);
    assert_true(fabsf(decoded->pushes[0]->pos[2] - 40) < 0.1f);
    assert_true(fabs(decoded->pushes[0]->remaining_s - 8 * def.world.step_s) < 1e-12);
    for (int i = 0; i < TR_CHARACTER_MAX; i++)
        assert_int_equal(decoded->characters[i]->n_body_rot, 4 * model->body_count);
    assert_true(decoded->hash == tr_stage_hash(loop->stage));
    troupe__world_state__free_unpacked(decoded, NULL);
    tr_packet_release(packet);
    tr_world_loop_destroy(loop);
    tr_model_destroy(model);
}

static const Troupe__CharacterState *encode_one(const tr_world_loop *loop, uint32_t fields,
                                                Troupe__WorldState **out) {
    tr_packet *packet = NULL;
    assert_int_equal(tr_encode_state(loop, fields, &packet), TR_OK);
    *out = troupe__world_state__unpack(NULL, packet->size, packet->bytes);
    assert_non_null(*out);
    expect_canonical(packet, *out);
    tr_packet_release(packet);
    return (*out)->characters[0];
}

/* What clients older than compact poses do. */
static uint64_t get_bits(const uint8_t bytes[TR_QUANTISED_SIZE]) {
    uint64_t bits = 0;
    for (int i = 0; i < TR_QUANTISED_SIZE; i++)
        bits |= (uint64_t)bytes[i] << (8 * i);
    return bits;
}

static void dequantise_rotation(const uint8_t bytes[TR_QUANTISED_SIZE], float out[4]) {
    uint64_t bits = get_bits(bytes);
    int largest = (int)(bits >> 45 & 3);
    double rest = 1;
    for (int i = 0; i < 4; i++) {
        if (i == largest)
            continue;
        double value = (2 * (double)(bits & 32767) / 32767 - 1) * 0.70710678118654752;
        bits >>= 15;
        out[i] = (float)value;
        rest -= value * value;
    }
    out[largest] = (float)sqrt(fmax(rest, 0));
}

static void dequantise_vector(const uint8_t bytes[TR_QUANTISED_SIZE], float unit, float out[3]) {
    uint64_t bits = get_bits(bytes);
    for (int i = 0; i < 3; i++)
        out[i] = (float)(int16_t)(uint16_t)(bits >> (16 * i)) * unit;
}

/* The quantised arrays stand for the full ones, which are then not there. */
TEST(test_quantised_state) {
    enum { ARRAYS = 1 | 2 | 4 };
    tr_world_loop_def def = {.mode = TR_MODE_FAST, .rate = 1, .world = tr_world_def_default()};
    tr_world_loop *loop = NULL;
    tr_model *model = puppet_model();
    tr_entity_id id = 0;
    tr_spawn_def spawn = {.model = model, .pos = {700, -300, 1}, .heading_rad = 2};
    assert_int_equal(tr_world_loop_create(&def, 0, &loop), TR_OK);
    assert_int_equal(tr_stage_spawn(loop->stage, &spawn, &id), TR_OK);
    for (int i = 0; i < 50; i++)
        assert_int_equal(tr_stage_step(loop->stage), TR_OK);
    Troupe__WorldState *whole = NULL, *packed = NULL;
    const Troupe__CharacterState *full = encode_one(loop, ARRAYS, &whole);
    const Troupe__CharacterState *small =
        encode_one(loop, ARRAYS | TROUPE__STATE_FIELD__STATE_FIELD_QUANTISED, &packed);
    assert_int_equal(small->n_joint_rot + small->n_joint_rate + small->n_body_pos, 0);
    assert_int_equal(small->joint_rot_q.len, (size_t)model->body_count * TR_QUANTISED_SIZE);
    for (int i = 0; i < model->body_count; i++) {
        float rot[4], rate[3], pos[3];
        dequantise_rotation(small->body_rot_q.data + TR_QUANTISED_SIZE * i, rot);
        dequantise_vector(small->joint_rate_q.data + TR_QUANTISED_SIZE * i, TR_QUANTISED_RATE_RAD_S,
                          rate);
        dequantise_vector(small->body_pos_q.data + TR_QUANTISED_SIZE * i, TR_QUANTISED_POSITION_M,
                          pos);
        float dot = 0;
        for (int k = 0; k < 4; k++)
            dot += rot[k] * full->body_rot[4 * i + k];
        assert_true(fabsf(dot) > 0.999999f);
        for (int k = 0; k < 3; k++) {
            assert_true(fabsf(rate[k] - full->joint_rate[3 * i + k]) < 0.005f);
            assert_true(fabsf(pos[k] + full->root_pos[k] - full->body_pos[3 * i + k]) < 0.0003f);
        }
    }
    troupe__world_state__free_unpacked(whole, NULL);
    troupe__world_state__free_unpacked(packed, NULL);
    tr_world_loop_destroy(loop);
    tr_model_destroy(model);
}

/* Torques of the last step are in the state where they were requested. */
TEST(test_torques) {
    tr_world_loop_def def = {.mode = TR_MODE_FAST, .rate = 1, .world = tr_world_def_default()};
    tr_world_loop *loop = NULL;
    tr_model *model = puppet_model();
    tr_entity_id id = 0;
    tr_spawn_def spawn = {.model = model};
    assert_int_equal(tr_world_loop_create(&def, 0, &loop), TR_OK);
    assert_int_equal(tr_stage_spawn(loop->stage, &spawn, &id), TR_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(tr_stage_step(loop->stage), TR_OK);
    const tr_vec3 *torque = tr_world_servo_torques(tr_stage_world_const(loop->stage), id);
    Troupe__WorldState *with = NULL, *without = NULL;
    const Troupe__CharacterState *character =
        encode_one(loop, TROUPE__STATE_FIELD__STATE_FIELD_TORQUES, &with);
    assert_int_equal(character->n_joint_torque, 3 * model->body_count);
    double sum = 0;
    for (int i = 1; i < model->body_count; i++) {
        assert_true(character->joint_torque[3 * i + 1] == (float)torque[i].y);
        sum += fabs(torque[i].y);
    }
    assert_true(sum > 0);
    assert_true(character->joint_torque[0] == 0);
    assert_int_equal(encode_one(loop, 0, &without)->n_joint_torque, 0);
    troupe__world_state__free_unpacked(with, NULL);
    troupe__world_state__free_unpacked(without, NULL);
    tr_world_loop_destroy(loop);
    tr_model_destroy(model);
}

/* A scheduler's decision arrives with its choices; other drivers report none. */
TEST(test_choices) {
    enum { FRAGMENTS = 3, STEPS = 20 };
    static const int entry[FRAGMENTS] = {0, 1, 2};
    tr_world_loop_def def = {.mode = TR_MODE_FAST, .rate = 1, .world = tr_world_def_default()};
    tr_world_loop *loop = NULL;
    tr_model *model = puppet_model();
    tr_controller *sways = puppet_sway(model, FRAGMENTS, STEPS, 1);
    tr_scheduler *scheduler = NULL;
    const tr_scheduler_def schedule = {.entry_count = FRAGMENTS,
                                       .hidden_count = 0,
                                       .entry = entry,
                                       .hidden = NULL,
                                       .step_s = sways->step_s};
    assert_int_equal(tr_scheduler_add(sways, &schedule, &scheduler, NULL), TR_OK);
    tr_network *network = &scheduler->network;
    network->weight[tr_network_weight_count(network) - 1] = 7; /* the last fragment is best */
    tr_entity_id id = 0;
    tr_spawn_def spawn = {.model = model, .controller = sways};
    assert_int_equal(tr_world_loop_create(&def, 0, &loop), TR_OK);
    assert_int_equal(tr_stage_spawn(loop->stage, &spawn, &id), TR_OK);
    Troupe__WorldState *before = NULL, *after = NULL;
    assert_int_equal(encode_one(loop, 0, &before)->n_choices, 0);
    for (int i = 0; i < STEPS + 5; i++)
        assert_int_equal(tr_stage_step(loop->stage), TR_OK);
    const Troupe__CharacterState *character = encode_one(loop, 0, &after);
    assert_int_equal(character->n_choices, FRAGMENTS);
    assert_int_equal(character->choices[0]->fragment, 2);
    assert_true(character->choices[0]->value == 7 && character->choices[1]->value == 0);
    assert_int_equal(character->choices[1]->fragment, 0);
    assert_int_equal(character->fragment, 2);
    assert_true(character->out_of_sequence);
    troupe__world_state__free_unpacked(before, NULL);
    troupe__world_state__free_unpacked(after, NULL);
    tr_world_loop_destroy(loop);
    tr_controller_destroy(sways);
    tr_model_destroy(model);
}

/* The published walk, between 100 N from the front and 50 N from behind. */
static tr_controller *published_gait(const tr_model *model) {
    tr_gait_curve force = {0};
    tr_gait *gait = NULL;
    tr_controller *controller = NULL;
    assert_int_equal(tr_gait_curve_init(&force, -100, 50, 2), TR_OK);
    tr_gait_parameters_published(force.row[0]);
    tr_gait_parameters_published(force.row[1]);
    const tr_gait_def def = {.force = &force, .own_mps = 0.4};
    assert_int_equal(tr_gait_create(model, &def, &gait, NULL), TR_OK);
    tr_gait_curve_deinit(&force);
    assert_int_equal(tr_gait_controller_create(model, 0.005, gait, &controller), TR_OK);
    strcpy(controller->name, "gait");
    strcpy(controller->skill, "walk");
    return controller;
}

/* What a gait feels arrives with the span that it learned; other drivers report neither. */
TEST(test_felt_force) {
    enum { STEPS = 20 };
    tr_world_loop_def def = {.mode = TR_MODE_FAST, .rate = 1, .world = tr_world_def_default()};
    tr_world_loop *loop = NULL;
    tr_model *human = NULL, *puppet = puppet_model();
    assert_int_equal(tr_mjcf_load(TR_MODEL_DIR "/humanoid.xml", &human, NULL), TR_OK);
    tr_controller *gait = published_gait(human), *sways = puppet_sway(puppet, 3, STEPS, 1);
    tr_entity_id walker = 0, other = 0;
    const tr_spawn_def spawn = {.model = human, .controller = gait};
    const tr_spawn_def beside = {.model = puppet, .controller = sways, .pos = {5, 5, 0}};
    assert_int_equal(tr_world_loop_create(&def, 0, &loop), TR_OK);
    assert_int_equal(tr_stage_spawn(loop->stage, &spawn, &walker), TR_OK);
    assert_int_equal(tr_stage_spawn(loop->stage, &beside, &other), TR_OK);
    const tr_push push = {
        .entity = walker, .body = human->trunk, .force = {-30, 0, 0}, .steps = STEPS};
    assert_int_equal(tr_world_push(tr_stage_world(loop->stage), &push), TR_OK);
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(tr_stage_step(loop->stage), TR_OK);
    Troupe__WorldState *message = NULL;
    const Troupe__CharacterState *character = encode_one(loop, 0, &message);
    assert_int_equal(character->n_felt_force, 2);
    assert_true(fabsf(character->felt_force[0] + 30) < 2 && fabsf(character->felt_force[1]) < 3);
    assert_int_equal(character->n_learned_force, 2);
    assert_true(character->learned_force[0] == -100 && character->learned_force[1] == 50);
    assert_int_equal(message->characters[1]->n_felt_force, 0);
    assert_int_equal(message->characters[1]->n_learned_force, 0);
    troupe__world_state__free_unpacked(message, NULL);
    tr_world_loop_destroy(loop);
    tr_controller_destroy(gait);
    tr_controller_destroy(sways);
    tr_model_destroy(human);
    tr_model_destroy(puppet);
}

BEFORE_ALL() {
    tr_physics_init();
}
