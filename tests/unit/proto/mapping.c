/* Records: structs and messages copied by tables. */
#include "cmocka_test.h"

#include "proto/mapping.h"

#include <string.h>
#include <troupe/envelope.pb-c.h>

typedef struct shape {
    uint32_t kind;
    double size[3], rot[4], friction;
} shape;

typedef struct thing {
    const char *name;
    int shape_count;
    const shape *shapes;
    float density;
    double pos[3];
} thing;

static const tr_mapping shape_mapping =
    TR_MAPPING(shape, Geom, geom, TR_COPY(kind, size, rot, friction));

static const tr_mapping thing_mapping =
    TR_MAPPING(thing, SpawnObject, spawn_object, TR_COPY(name, density, pos),
               TR_COPY_LIST_AS(shape_count, shapes, geoms, shape_mapping));

TEST(test_what_is_written_is_read_again) {
    const shape shapes[2] = {{.kind = 1, .size = {1, 2, 3}, .rot = {0, 1, 0, 0}, .friction = 0.5},
                             {.kind = 3}};
    const thing from = {
        .name = "ball", .shape_count = 2, .shapes = shapes, .density = 7, .pos = {4, 5, 6}};
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    const Troupe__SpawnObject *message = tr_mapping_write(&thing_mapping, &from, &memory);
    assert_non_null(message);
    assert_int_equal(message->n_geoms, 2);
    assert_true(message->geoms[1]->rot->w == 1); /* zeros are no rotation */
    assert_true(message->density == 7);

    thing out;
    memset(&out, 0xff, sizeof out);
    tr_mapping_read(&thing_mapping, message, &out, &memory);
    assert_string_equal(out.name, "ball");
    assert_int_equal(out.shape_count, 2);
    assert_memory_equal(&out.shapes[0], &shapes[0], sizeof shapes[0]);
    assert_true(out.density == 7);
    assert_memory_equal(out.pos, from.pos, sizeof out.pos);
    assert_false(memory.failed);
}

TEST(test_an_absent_message_is_an_empty_one) {
    tr_mapping_memory memory = {0};
    thing out = {.shape_count = 3, .density = 1, .pos = {1, 1, 1}};
    shape turned = {.rot = {0, 0, 0, 2}};
    tr_mapping_read(&thing_mapping, NULL, &out, &memory);
    tr_mapping_read(&shape_mapping, NULL, &turned, &memory);
    assert_string_equal(out.name, "");
    assert_int_equal(out.shape_count, 0);
    assert_null(out.shapes);
    assert_true(out.density == 0 && out.pos[2] == 0);
    assert_true(turned.rot[0] == 1 && turned.rot[3] == 0);
    assert_null(memory.blocks);
}

TEST(test_a_text_that_is_null_is_written_empty) {
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    const thing from = {.name = NULL};
    const Troupe__SpawnObject *message = tr_mapping_write(&thing_mapping, &from, &memory);
    assert_non_null(message);
    assert_string_equal(message->name, "");
    assert_int_equal(message->n_geoms, 0);
}

typedef struct columns {
    size_t count;
    const int64_t *iteration;
    const double *value;
} columns;

static const tr_mapping column_mapping = TR_MAPPING(
    columns, RunMetric, run_metric, TR_COPY_ARRAY(count, iteration), TR_COPY_ARRAY(count, value));

TEST(test_columns_are_as_long_as_the_shortest) {
    int64_t iteration[3] = {1, 2, 3};
    double value[2] = {0.5, 0.25};
    Troupe__RunMetric message = TROUPE__RUN_METRIC__INIT;
    message.n_iteration = 3, message.iteration = iteration;
    message.n_value = 2, message.value = value;
    tr_mapping_memory memory = {0};
    columns out = {0};
    tr_mapping_read(&column_mapping, &message, &out, &memory);
    assert_int_equal(out.count, 2);
    assert_ptr_equal(out.iteration, iteration);
}

/* Numbers keep their sign and range between types of different width. */
typedef struct numbers {
    int32_t parent;
    bool mirrored;
    double as_real;
} numbers;

static const tr_mapping number_mapping =
    TR_MAPPING(numbers, ModelBody, model_body, TR_COPY(parent), TR_COPY_AS(as_real, parent));

TEST(test_numbers_keep_their_sign) {
    Troupe__ModelBody message = TROUPE__MODEL_BODY__INIT;
    message.parent = -1;
    tr_mapping_memory memory = {0};
    numbers out = {0};
    tr_mapping_read(&number_mapping, &message, &out, &memory);
    assert_int_equal(out.parent, -1);
    assert_true(out.as_real == -1);
}

TEST(test_codes_out_of_the_list_are_unknown) {
    assert_int_equal(tr_mapping_status(0), TR_OK);
    assert_int_equal(tr_mapping_status(5), TR_NOT_FOUND);
    assert_int_equal(tr_mapping_status(16), TR_UNAUTHENTICATED);
    assert_int_equal(tr_mapping_status(17), TR_UNKNOWN);
    assert_int_equal(tr_mapping_status((uint32_t)-5), TR_UNKNOWN);
    assert_int_equal(tr_mapping_status(UINT32_MAX), TR_UNKNOWN);
}

/* A struct of a server: texts and arrays in the struct, digests, separate enums, optional parts. */
typedef struct held {
    char name[8];
    int state;
    uint8_t digest[3];
    int score_count;
    double score[2];
    const numbers *pointer;
} held;

static const uint32_t states[] = {7, 3};

static const tr_mapping held_mapping =
    TR_MAPPING(held, Clip, clip, TR_COPY(name), TR_COPY_CHOICE_AS(state, frame_count, states),
               TR_COPY_HEX_AS(digest, file_digest));
static const tr_mapping name_mapping = TR_MAPPING(held, Clip, clip, TR_COPY(name));
static const tr_mapping scores_mapping =
    TR_MAPPING(held, Bout, bout, TR_COPY_ARRAY_WITHIN(score_count, score));
static const tr_mapping ticks_mapping =
    TR_MAPPING(numbers, Lateness, lateness, TR_COPY_AS(parent, ticks));
static const tr_mapping pointer_mapping =
    TR_MAPPING(held, WorldInfo, world_info, TR_COPY_POINTER_AS(pointer, lateness, ticks_mapping));

TEST(test_texts_digests_and_choices_of_the_struct_are_written) {
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    const held from = {.name = "walk", .state = 1, .digest = {0, 0xab, 0x10}};
    const Troupe__Clip *message = tr_mapping_write(&held_mapping, &from, &memory);
    assert_non_null(message);
    assert_string_equal(message->name, "walk");
    assert_int_equal(message->frame_count, 3);
    assert_string_equal(message->file_digest, "00ab10");
}

TEST(test_a_text_is_cut_to_the_array_that_it_is_read_into) {
    tr_mapping_memory memory = {0};
    Troupe__Clip message = TROUPE__CLIP__INIT;
    held out = {.state = 5};
    message.name = (char *)"a-long-name";
    tr_mapping_read(&name_mapping, &message, &out, &memory);
    assert_string_equal(out.name, "a-long-");
    assert_int_equal(out.state, 5);
}

TEST(test_an_array_of_the_struct_is_shared) {
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    const held from = {.score_count = 2, .score = {1, 4}};
    const Troupe__Bout *message = tr_mapping_write(&scores_mapping, &from, &memory);
    assert_non_null(message);
    assert_int_equal(message->n_score, 2);
    assert_ptr_equal(message->score, from.score);
}

TEST(test_a_null_pointer_is_no_message) {
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    const numbers number = {.parent = 1};
    held from = {.pointer = NULL};
    const Troupe__WorldInfo *without = tr_mapping_write(&pointer_mapping, &from, &memory);
    from.pointer = &number;
    const Troupe__WorldInfo *with = tr_mapping_write(&pointer_mapping, &from, &memory);
    assert_true(without && with);
    assert_null(without->lateness);
    assert_non_null(with->lateness);
}

/* A struct with the surfaces of a piece of scenery, one of which it may have. */
typedef struct grid {
    uint32_t columns, rows;
    const float *heights;
} grid;

typedef struct mesh {
    uint32_t vertex_count, triangle_count;
    const float *vertices;
    const uint32_t *indices;
} mesh;

typedef struct piece {
    const grid *height_field;
    const mesh *mesh;
} piece;

static const tr_mapping grid_mapping = TR_MAPPING(
    grid, HeightField, height_field, TR_COPY(columns, rows), TR_COPY_GRID(columns, rows, heights));
static const tr_mapping mesh_mapping =
    TR_MAPPING(mesh, Mesh, mesh, TR_COPY_TRIPLES(vertex_count, vertices),
               TR_COPY_TRIPLES(triangle_count, indices));
static const tr_mapping piece_mapping =
    TR_MAPPING(piece, Scenery, scenery,
               TR_COPY_CASE_POINTER(height_field, grid_mapping, surface,
                                    TROUPE__SCENERY__SURFACE_HEIGHT_FIELD),
               TR_COPY_CASE_POINTER(mesh, mesh_mapping, surface, TROUPE__SCENERY__SURFACE_MESH));

TEST(test_a_pointer_chooses_the_case_of_its_oneof) {
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    const float heights[6] = {1, 2, 3, 4, 5, 6};
    const grid field = {3, 2, heights};
    const piece from = {.height_field = &field};
    piece out = {0};
    const Troupe__Scenery *message = tr_mapping_write(&piece_mapping, &from, &memory);
    assert_non_null(message);
    assert_int_equal(message->surface_case, TROUPE__SCENERY__SURFACE_HEIGHT_FIELD);
    assert_int_equal(message->height_field->n_heights, 6);
    tr_mapping_read(&piece_mapping, message, &out, &memory);
    assert_null(out.mesh);
    assert_non_null(out.height_field);
    assert_ptr_equal(out.height_field->heights, heights);
    assert_int_equal(out.height_field->rows, 2);
    assert_false(memory.damaged);
}

TEST(test_a_oneof_without_a_case_has_no_pointers) {
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    const piece from = {0};
    piece out = {.mesh = &(mesh){0}};
    const Troupe__Scenery *message = tr_mapping_write(&piece_mapping, &from, &memory);
    assert_non_null(message);
    assert_int_equal(message->surface_case, TROUPE__SCENERY__SURFACE__NOT_SET);
    tr_mapping_read(&piece_mapping, message, &out, &memory);
    assert_true(!out.mesh && !out.height_field);
}

static bool mesh_is_damaged(size_t vertices, size_t indices) {
    tr_mapping_memory memory = {0};
    Troupe__Mesh message = TROUPE__MESH__INIT;
    float vertex[9] = {0};
    uint32_t index[6] = {0};
    mesh out;
    message.n_vertices = vertices, message.vertices = vertex;
    message.n_indices = indices, message.indices = index;
    tr_mapping_read(&mesh_mapping, &message, &out, &memory);
    assert_int_equal(out.vertex_count, vertices / 3);
    assert_int_equal(out.triangle_count, indices / 3);
    return memory.damaged;
}

TEST(test_triples_that_are_not_whole_are_damaged) {
    assert_false(mesh_is_damaged(9, 6));
    assert_false(mesh_is_damaged(0, 0));
    assert_true(mesh_is_damaged(8, 6));
    assert_true(mesh_is_damaged(9, 5));
}

static bool grid_is_damaged(uint32_t across, uint32_t along, size_t count) {
    tr_mapping_memory memory = {0};
    Troupe__HeightField message = TROUPE__HEIGHT_FIELD__INIT;
    float height[6] = {0};
    grid out;
    message.columns = across, message.rows = along;
    message.n_heights = count, message.heights = height;
    tr_mapping_read(&grid_mapping, &message, &out, &memory);
    return memory.damaged;
}

TEST(test_a_grid_has_all_its_numbers_or_none) {
    assert_false(grid_is_damaged(3, 2, 6));
    assert_false(grid_is_damaged(3, 2, 0));
    assert_true(grid_is_damaged(3, 2, 5));
    assert_true(grid_is_damaged(3, 1, 6));
    assert_true(grid_is_damaged(UINT32_MAX, UINT32_MAX, 1));
}

/* A steering target: one of three members, by a choice. */
typedef struct aimed {
    uint32_t aim;
    double heading_rad, target[3];
    uint32_t toward;
} aimed;

static const uint32_t aims[] = {[1] = TROUPE__STEER__AIM_HEADING_RAD,
                                [2] = TROUPE__STEER__AIM_TARGET,
                                [3] = TROUPE__STEER__AIM_TOWARD};
static const tr_mapping aimed_mapping =
    TR_MAPPING(aimed, Steer, steer, TR_COPY_CHOICE_AS(aim, aim_case, aims),
               TR_COPY_CASE(heading_rad, aim, TROUPE__STEER__AIM_HEADING_RAD),
               TR_COPY_CASE(target, aim, TROUPE__STEER__AIM_TARGET),
               TR_COPY_CASE(toward, aim, TROUPE__STEER__AIM_TOWARD));

TEST(test_only_the_member_of_the_case_is_written) {
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    aimed from = {.heading_rad = 1.5, .target = {1, 2, 3}, .toward = 7};
    for (from.aim = 0; from.aim <= 4; from.aim++) { /* 4: beyond the choices */
        const Troupe__Steer *m = tr_mapping_write(&aimed_mapping, &from, &memory);
        assert_non_null(m);
        assert_int_equal(m->aim_case, from.aim <= 3 ? aims[from.aim] : 0);
        assert_true(from.aim != 1 || m->heading_rad == 1.5);
        assert_true(from.aim != 2 || (m->target->x == 1 && m->target->z == 3));
        assert_true(from.aim != 3 || m->toward == 7);
        assert_true(from.aim != 0 || !m->target);
    }
}

/* What only replies have: numbers of every width, floats of a fixed count, bytes, statuses, presence. */
typedef struct seen {
    char label[8];
    bool fallen;
    uint64_t fragments_done;
    double phase;
    float root_pos[3], root_rot[4];
    size_t pose_size;
    const void *pose;
} seen;

static const tr_mapping seen_mapping =
    TR_MAPPING(seen, CharacterState, character_state, TR_COPY(label, fallen, fragments_done, phase),
               TR_COPY_BYTES(pose_size, pose), TR_COPY_FLOATS(root_pos, root_rot));

TEST(test_a_state_is_read_whole_or_as_nothing) {
    Troupe__CharacterState message = TROUPE__CHARACTER_STATE__INIT;
    float pos[3] = {1, 2, 3}, rot[4] = {0, 1, 0, 0};
    uint8_t pose[2] = {7, 8};
    message.label = (char *)"one", message.fallen = true, message.fragments_done = UINT64_MAX;
    message.phase = 0.5;
    message.root_pos = pos, message.n_root_pos = 3;
    message.root_rot = rot, message.n_root_rot = 4;
    message.pose.data = pose, message.pose.len = 2;
    for (int present = 1; present >= 0; present--) {
        tr_mapping_memory memory = {0};
        seen out;
        memset(&out, 0xff, sizeof out);
        tr_mapping_read(&seen_mapping, present ? &message : NULL, &out, &memory);
        assert_string_equal(out.label, present ? "one" : "");
        assert_true(out.fallen == (present == 1));
        assert_true(out.fragments_done == (present ? UINT64_MAX : 0));
        assert_true(out.phase == (present ? 0.5 : 0));
        assert_int_equal(out.pose_size, present ? 2 : 0);
        assert_ptr_equal(out.pose, present ? pose : NULL);
        assert_true(out.root_pos[2] == (present ? 3.0F : 0.0F));
        assert_true(out.root_rot[0] == (present ? 0.0F : 1.0F));
        assert_false(memory.damaged);
    }
    tr_mapping_memory memory = {0};
    seen out;
    message.n_root_pos = 2;
    tr_mapping_read(&seen_mapping, &message, &out, &memory);
    assert_true(memory.damaged && out.root_pos[0] == 0);
}

typedef struct reply {
    bool has_last;
    numbers last;
    tr_status status;
    int64_t tick;
    int32_t body;
    const Troupe__Scene *scene;
} reply;

static const tr_mapping tick_mapping =
    TR_MAPPING(numbers, Bout, bout, TR_COPY_AS(parent, position));
static const tr_mapping progress_mapping =
    TR_MAPPING(reply, MatchProgress, match_progress, TR_COPY_PRESENT(has_last, last),
               TR_COPY_ONE(last, tick_mapping));
static const tr_mapping event_mapping =
    TR_MAPPING(reply, Event, event, TR_COPY(tick, body), TR_COPY_STATUS(status, code));
static const tr_mapping scene_mapping =
    TR_MAPPING(reply, CreateWorld, create_world, TR_COPY_MESSAGE(scene));

TEST(test_parts_of_replies_are_read_or_absent) {
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    Troupe__MatchProgress progress = TROUPE__MATCH_PROGRESS__INIT;
    Troupe__Bout bout = TROUPE__BOUT__INIT;
    Troupe__Event event = TROUPE__EVENT__INIT;
    Troupe__CreateWorld create = TROUPE__CREATE_WORLD__INIT;
    Troupe__Scene scene = TROUPE__SCENE__INIT;
    reply out = {0};
    tr_mapping_read(&progress_mapping, &progress, &out, &memory);
    assert_false(out.has_last);
    bout.position = 9;
    progress.last = &bout;
    tr_mapping_read(&progress_mapping, &progress, &out, &memory);
    assert_true(out.has_last && out.last.parent == 9);
    tr_mapping_read(&progress_mapping, NULL, &out, &memory);
    assert_true(!out.has_last && out.last.parent == 0);
    event.tick = INT64_MIN, event.body = -1, event.code = 5;
    tr_mapping_read(&event_mapping, &event, &out, &memory);
    assert_true(out.tick == INT64_MIN && out.body == -1 && out.status == TR_NOT_FOUND);
    const Troupe__Event *again = tr_mapping_write(&event_mapping, &out, &memory);
    assert_true(again && again->tick == INT64_MIN && again->code == 5);
    tr_mapping_read(&event_mapping, NULL, &out, &memory);
    assert_true(!out.tick && !out.status);
    create.scene = &scene;
    tr_mapping_read(&scene_mapping, &create, &out, &memory);
    assert_ptr_equal(out.scene, &scene);
    const Troupe__CreateWorld *made = tr_mapping_write(&scene_mapping, &out, &memory);
    assert_true(made && made->scene == &scene);
    tr_mapping_read(&scene_mapping, NULL, &out, &memory);
    assert_null(out.scene);
}

/* What only requests have. */
typedef struct sent {
    size_t size;
    const void *data;
} sent;

static const tr_mapping sent_mapping =
    TR_MAPPING(sent, RecordingPart, recording_part, TR_COPY_BYTES(size, data));
static const tr_mapping mesh_pair_mapping =
    TR_MAPPING(piece, Scenery, scenery,
               TR_COPY_CASE_POINTER(mesh, mesh_mapping, surface, TROUPE__SCENERY__SURFACE_MESH));

TEST(test_bytes_triples_and_turns_are_written) {
    OWN_BY(tr_mapping_free) tr_mapping_memory memory = {0};
    const sent from = {3, "abc"};
    const Troupe__RecordingPart *part = tr_mapping_write(&sent_mapping, &from, &memory);
    assert_true(part && part->data.len == 3 && memcmp(part->data.data, "abc", 3) == 0);
    const float vertices[9] = {0};
    const uint32_t indices[3] = {0, 1, 2};
    const mesh surface = {3, 1, vertices, indices};
    const Troupe__Scenery *scenery =
        tr_mapping_write(&mesh_pair_mapping, &(piece){.mesh = &surface}, &memory);
    assert_true(scenery && scenery->mesh->n_vertices == 9 && scenery->mesh->n_indices == 3);
    for (int i = 0; i < 4; i++) {
        shape turned = {0};
        turned.rot[i] = 1;
        const Troupe__Geom *geom = tr_mapping_write(&shape_mapping, &turned, &memory);
        const double q[4] = {geom->rot->w, geom->rot->x, geom->rot->y, geom->rot->z};
        assert_memory_equal(q, turned.rot, sizeof q);
    }
}
