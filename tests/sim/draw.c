/* Requests drawn by the schema. */
#include "model.h"
#include "protocol/samples.h"

#include "scheduler.h"
#include "server/requests/request_row.h"

#include <stdlib.h>
#include <string.h>

static struct {
    _Alignas(16) uint8_t bytes[1 << 20];
    size_t used;
} arena;

static void *take(size_t size) {
    void *block = arena.bytes + arena.used;
    arena.used += (size + 15) / 16 * 16;
    if (arena.used > sizeof arena.bytes)
        abort();
    memset(block, 0, size);
    return block;
}

static char *name_in(char kind) {
    char *name = take(4);
    name[0] = kind;
    name[1] = (char)('0' + sim_below(NAMES));
    return name;
}

static char *text_for(const char *message, const char *field) {
    static char *const controllers[] = {"sway", "hold", "", "sway"};
    static char *const efforts[] = {"quick", "normal", "", ""};
    if (strcmp(field, "clip") == 0)
        return "walk.bvh";
    if (strcmp(field, "effort") == 0)
        return efforts[sim_below(4)];
    if (strstr(message, "Training") && strcmp(field, "name") == 0)
        return sim_one_in(6) ? "sway" : name_in('t'); /* a controller has the one */
    if (strcmp(message, "GetClip") == 0 || strcmp(message, "GetRun") == 0 ||
        strcmp(message, "GetLineage") == 0)
        return sim_one_in(4) ? "hold" : "sway";
    if (strcmp(field, "controller") == 0 ||
        (strstr(message, "Controller") && strcmp(field, "name") == 0))
        return controllers[sim_below(4)];
    if (strstr(field, "recording") || (strstr(message, "Recording") && strcmp(field, "name") == 0))
        return name_in('r');
    if (strcmp(field, "match") == 0 || (strstr(message, "Match") && strcmp(field, "name") == 0))
        return name_in('m');
    if (strcmp(field, "model") == 0 || strstr(message, "GetModel"))
        return sim_one_in(2) ? "humanoid" : "";
    if (strcmp(field, "name") == 0 || strcmp(field, "world") == 0)
        return name_in('w');
    return sim_one_in(8) ? name_in('x') : "";
}

static double real_for(const char *field) {
    if (strcmp(field, "rate") == 0)
        return sim_one_in(3) ? 2 : sim_one_in(3) ? 0.02 : 1;
    if (strcmp(field, "rate_hz") == 0)
        return sim_one_in(2) ? 0 : sim_one_in(2) ? 20 : 200;
    if (strstr(field, "_s"))
        return sim_one_in(2) ? 0 : 0.5;
    return sim_one_in(2) ? 0 : (sim_below(2001) - 1000) * 0.002;
}

static uint64_t whole_for(const char *field) {
    if (strcmp(field, "world") == 0 && model.world_count > 0)
        return model.world[sim_below(model.world_count)];
    if (strcmp(field, "entity") == 0)
        return 1 + (uint64_t)sim_below(ENTITY_MAX);
    if (strcmp(field, "count") == 0)
        return 1 + (uint64_t)sim_below(20);
    if (strcmp(field, "fields") == 0) /* of a state */
        return sim_one_in(2) ? 0 : 1u << sim_below(15) | 1u << sim_below(15);
    return sim_one_in(2) ? 0 : (uint64_t)sim_below(10);
}

static void fill(ProtobufCMessage *message, int depth);

static ProtobufCMessage *new_message(const ProtobufCMessageDescriptor *kind, int depth) {
    ProtobufCMessage *message = take(kind->sizeof_message);
    kind->message_init(message);
    fill(message, depth);
    return message;
}

static void put_value(void *at, const ProtobufCMessageDescriptor *kind,
                      const ProtobufCFieldDescriptor *field, int depth) {
    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
        *(char **)at = text_for(kind->short_name, field->name);
        break;
    case PROTOBUF_C_TYPE_DOUBLE:
        *(double *)at = real_for(field->name);
        break;
    case PROTOBUF_C_TYPE_FLOAT:
        *(float *)at = (float)real_for(field->name);
        break;
    case PROTOBUF_C_TYPE_BOOL:
        *(protobuf_c_boolean *)at = sim_one_in(4);
        break;
    case PROTOBUF_C_TYPE_ENUM: {
        const ProtobufCEnumDescriptor *values = field->descriptor;
        *(int *)at = values->values[sim_below((int)values->n_values)].value;
        break;
    }
    case PROTOBUF_C_TYPE_BYTES:
        *(ProtobufCBinaryData *)at = (ProtobufCBinaryData){model.snapshot_size, model.snapshot};
        break;
    case PROTOBUF_C_TYPE_MESSAGE:
        *(ProtobufCMessage **)at = new_message(field->descriptor, depth + 1);
        break;
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_UINT64:
    case PROTOBUF_C_TYPE_FIXED64:
        *(uint64_t *)at = strcmp(field->name, "at_tick") == 0 ? 0 : whole_for(field->name);
        break;
    default:
        *(uint32_t *)at = (uint32_t)whole_for(field->name);
    }
}

/* Of each group of alternatives one is chosen; a nested message and an optional number are there
 * half of the time. */
static void fill(ProtobufCMessage *message, int depth) {
    const ProtobufCMessageDescriptor *kind = message->descriptor;
    unsigned chosen = (unsigned)sim_draw() % (kind->n_fields + 1), alternatives = 0;
    for (unsigned i = 0; i < kind->n_fields; i++)
        alternatives += tr_sample_is_alternative(kind, &kind->fields[i]);
    chosen = alternatives > 0 ? (unsigned)sim_below((int)alternatives) : 0;
    for (unsigned i = 0, at = 0; i < kind->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &kind->fields[i];
        uint8_t *base = (uint8_t *)message;
        bool alternative = tr_sample_is_alternative(kind, field);
        bool optional = !alternative && field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
        if (optional ? sim_one_in(2) : alternative && at++ != chosen)
            continue;
        if (field->label == PROTOBUF_C_LABEL_REPEATED || depth > 4)
            continue;
        if (!alternative && field->type == PROTOBUF_C_TYPE_MESSAGE && sim_one_in(2))
            continue;
        if (alternative || optional)
            *(int *)(base + field->quantifier_offset) = (int)field->id;
        put_value(base + field->offset, kind, field, depth);
    }
}

void draw_match(Troupe__StartMatch *start) {
    Troupe__Match *match = take(sizeof *match);
    troupe__match__init(match);
    match->name = name_in('m');
    match->rule = sim_one_in(2) ? "collide" : "last_standing";
    match->mode = sim_one_in(2) ? TROUPE__MATCH_MODE__MATCH_MODE_REAL_TIME
                                : TROUPE__MATCH_MODE__MATCH_MODE_HEADLESS;
    bool hosted = match->mode == TROUPE__MATCH_MODE__MATCH_MODE_REAL_TIME;
    match->time_limit_s = hosted ? 2 : 0.3;
    match->bouts = hosted ? 1 : 1 + (uint32_t)sim_below(sim_one_in(6) ? 30 : 3);
    match->seed = sim_draw();
    match->n_teams = 2;
    match->teams = take(2 * sizeof *match->teams);
    for (int i = 0; i < 2; i++) {
        Troupe__Team *team = match->teams[i] = take(sizeof *team);
        Troupe__Member *member = take(sizeof *member);
        Troupe__Vec3 *pos = take(sizeof *pos);
        troupe__team__init(team);
        troupe__member__init(member);
        troupe__vec3__init(pos);
        pos->x = i * 2.0;
        member->pos = pos;
        member->controller = sim_one_in(2) ? "sway" : "hold";
        team->name = i == 0 ? "red" : "blue";
        team->n_members = 1;
        team->members = take(sizeof *team->members);
        team->members[0] = member;
    }
    start->match = match;
}

/* Characters apart, for piles take most of the time. */
static void place(Troupe__Command *command) {
    if (command->command_case != TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER)
        return;
    Troupe__Vec3 *pos = take(sizeof *pos);
    troupe__vec3__init(pos);
    pos->x = 2 * sim_below(20);
    pos->y = 2 * sim_below(20);
    command->spawn_character->pos = pos;
}

static void sensible(Troupe__ClientMessage *message) {
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_CREATE_WORLD) {
        Troupe__CreateWorld *make = message->create_world;
        make->has_step_s_case = 0;
        make->scene = NULL;
        make->steppers = 0;
        make->moved_from = "";
        if (model.light) {
            make->mode = TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME;
            make->rate = make->rate > 1 ? 1 : make->rate;
        }
        if (make->mode == TROUPE__WORLD_MODE__WORLD_MODE_FAST && !sim_one_in(8))
            make->mode = TROUPE__WORLD_MODE__WORLD_MODE_STEPPED;
        if (make->mode != TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME)
            make->has_rate_case = 0;
        if (make->mode != TROUPE__WORLD_MODE__WORLD_MODE_STEPPED)
            make->step_timeout_s = 0;
    }
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_START_MATCH)
        draw_match(message->start_match);
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_DESTROY_WORLD && sim_one_in(2))
        message->destroy_world->moved_to = "";
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND) {
        place(message->command);
        message->command->world_name = message->command->entity_name = "";
    }
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_UPLOAD_RECORDING) {
        Troupe__UploadRecording *m = message->upload_recording;
        m->offset = 0;
        m->last = true;
        m->data = (ProtobufCBinaryData){model.record_size, model.record};
    }
}

void draw_request(Troupe__ClientMessage *out) {
    const ProtobufCMessageDescriptor *kind = out->base.descriptor;
    const ProtobufCFieldDescriptor *field;
    arena.used = 0;
    do
        field = &kind->fields[sim_below((int)kind->n_fields)];
    while (!tr_request_row_find((Troupe__ClientMessage__RequestCase)field->id));
    if (sim_one_in(2)) /* commands make a half */
        field =
            protobuf_c_message_descriptor_get_field(kind, TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND);
    out->request_case = (Troupe__ClientMessage__RequestCase)field->id;
    put_value((uint8_t *)out + field->offset, kind, field, 0);
    sensible(out);
}

void draw_change(Troupe__Command *out) {
    arena.used = 0;
    do {
        troupe__command__init(out);
        fill(&out->base, 0);
    } while (out->command_case < TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER ||
             (out->command_case > TROUPE__COMMAND__COMMAND_CARRY &&
              out->command_case < TROUPE__COMMAND__COMMAND_ADD_SCENERY));
    place(out);
    out->world_name = out->entity_name = "";
    out->at_tick = 0;
}
