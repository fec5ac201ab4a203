#include "client.h"

#include "line.h"
#include "proto/frame.h"
#include "scheduler.h"
#include "server/requests/request_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <troupe/envelope.pb-c.h>

enum { NAMES = 4, ENTITY_MAX = 6, ASKED_MAX = 256, ANSWER_S = 30, WORLDS = 16, AUDIT_STAGES = 4 };

#define SECOND_NS 1000000000LL

/* --- promises --- */

/* Is it stored? A removal that was sent may or may not have happened until the next promise. */
typedef struct promise {
    bool kept;
    int removals;       /* without an answer */
    int64_t removed_ns; /* when one was sent or answered last */
} promise;

static struct {
    promise match[NAMES], recording[NAMES];
    struct {
        uint32_t world;
        int recording; /* -1: none */
    } made[WORLDS];
    int made_count;
    uint32_t world[WORLDS];
    int world_count;
    uint8_t *snapshot;
    size_t snapshot_size;
    uint64_t snapshot_hash;
} model;

client_count client_counts[ROWS_MAX];
long clients_verified, clients_restored;

static int number_of(const char *name) {
    return name && strlen(name) == 2 && name[1] >= '0' && name[1] < '0' + NAMES ? name[1] - '0'
                                                                                : -1;
}

/* A removal that overlaps with the request may have come after it. */
static void promise_item(promise *item, int64_t sent_ns) {
    item->kept = item->removals == 0 && item->removed_ns < sent_ns;
}

static void meet_world(uint32_t id) {
    for (int i = 0; i < model.world_count; i++)
        if (model.world[i] == id)
            return;
    if (model.world_count == WORLDS)
        memmove(model.world, model.world + 1, sizeof(uint32_t) * (size_t)--model.world_count);
    model.world[model.world_count++] = id;
}

/* --- messages, by the schema --- */

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
        return sim_one_in(3) ? 2 : 1;
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

/* Of each group of alternatives one is chosen; a nested message is there half of the time. */
static void fill(ProtobufCMessage *message, int depth) {
    const ProtobufCMessageDescriptor *kind = message->descriptor;
    unsigned chosen = (unsigned)sim_draw() % (kind->n_fields + 1), alternatives = 0;
    for (unsigned i = 0; i < kind->n_fields; i++)
        alternatives += (kind->fields[i].flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
    chosen = alternatives > 0 ? (unsigned)sim_below((int)alternatives) : 0;
    for (unsigned i = 0, at = 0; i < kind->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &kind->fields[i];
        uint8_t *base = (uint8_t *)message;
        bool alternative = (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
        if (alternative && at++ != chosen)
            continue;
        if (field->label == PROTOBUF_C_LABEL_REPEATED || depth > 4)
            continue;
        if (!alternative && field->type == PROTOBUF_C_TYPE_MESSAGE && sim_one_in(2))
            continue;
        if (alternative)
            *(int *)(base + field->quantifier_offset) = (int)field->id;
        put_value(base + field->offset, kind, field, depth);
    }
}

static void make_match(Troupe__StartMatch *start) {
    Troupe__Match *match = take(sizeof *match);
    troupe__match__init(match);
    match->name = name_in('m');
    match->rule = sim_one_in(2) ? "collide" : "last_standing";
    match->time_limit_s = 0.3;
    match->bouts = 1 + (uint32_t)sim_below(3);
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

static void sensible(Troupe__ClientMessage *message) {
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_CREATE_WORLD) {
        Troupe__CreateWorld *make = message->create_world;
        make->step_s = 0;
        make->scene = NULL;
        make->steppers = 0;
        make->moved_from = "";
        if (make->mode == TROUPE__WORLD_MODE__WORLD_MODE_FAST && !sim_one_in(8))
            make->mode = TROUPE__WORLD_MODE__WORLD_MODE_STEPPED;
        if (make->mode != TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME)
            make->rate = 0;
        if (make->mode != TROUPE__WORLD_MODE__WORLD_MODE_STEPPED)
            make->step_timeout_s = 0;
    }
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_START_MATCH)
        make_match(message->start_match);
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_DESTROY_WORLD && sim_one_in(2))
        message->destroy_world->moved_to = "";
    if (message->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND)
        message->command->world_name = message->command->entity_name = "";
}

/* --- one client --- */

typedef struct asked {
    uint64_t id;
    int64_t sent_ns;
    unsigned request, command;
    int item;
    uint32_t world;
    uint64_t hash; /* of the snapshot that a restore sends whole; 0: another request */
} asked;

typedef struct client {
    line *line;
    tr_frame_decoder decoder;
    bool admitted, auditor;
    uint64_t last_id;
    int64_t next_ns;
    asked asked[ASKED_MAX];
    int asked_count;
    /* of an audit */
    int stage;
    Troupe__WorldList *before;
} client;

static client all[CLIENTS + 1];
static bool auditing, audited, resting;

static promise *item_of(const asked *a) {
    switch (a->request) {
    case TROUPE__CLIENT_MESSAGE__REQUEST_REMOVE_MATCH:
        return &model.match[a->item];
    case TROUPE__CLIENT_MESSAGE__REQUEST_DELETE_RECORDING:
        return &model.recording[a->item];
    default:
        return NULL;
    }
}

static uint64_t hash_of(const ProtobufCBinaryData *snapshot) {
    bool whole = model.snapshot && snapshot->len == model.snapshot_size &&
                 memcmp(snapshot->data, model.snapshot, snapshot->len) == 0;
    return whole ? model.snapshot_hash : 0;
}

static void remember(client *c, const Troupe__ClientMessage *m) {
    if (c->asked_count == ASKED_MAX)
        return;
    asked *a = &c->asked[c->asked_count++];
    *a = (asked){.id = m->request_id, .sent_ns = sim_now_ns(), .request = m->request_case};
    a->item = -1;
    if (m->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_REMOVE_MATCH)
        a->item = number_of(m->remove_match->name);
    if (m->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_DELETE_RECORDING)
        a->item = number_of(m->delete_recording->name);
    if (m->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_START_MATCH)
        a->item = number_of(m->start_match->match->name);
    if (m->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_GET_MATCH)
        a->item = number_of(m->get_match->name);
    if (m->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_GET_RECORDING)
        a->item = number_of(m->get_recording->name);
    if (m->request_case == TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND) {
        a->command = m->command->command_case;
        a->world = m->command->world;
        if (a->command == TROUPE__COMMAND__COMMAND_START_RECORDING)
            a->item = number_of(m->command->start_recording->name);
        if (a->command == TROUPE__COMMAND__COMMAND_RESTORE)
            a->hash = hash_of(&m->command->restore->data);
    }
    promise *removed = a->item >= 0 ? item_of(a) : NULL;
    if (removed) {
        removed->kept = false;
        removed->removals++;
        removed->removed_ns = sim_now_ns();
    }
}

static void send_message(client *c, Troupe__ClientMessage *m) {
    static uint8_t bytes[1 << 21];
    size_t size = troupe__client_message__get_packed_size(m), at = 0;
    if (size > sizeof bytes - 16)
        return;
    m->request_id = ++c->last_id;
    size = troupe__client_message__get_packed_size(m);
    for (size_t rest = size; at == 0 || rest > 0; rest >>= 7)
        bytes[at++] = (uint8_t)((rest & 127) | (rest > 127 ? 128 : 0));
    at += troupe__client_message__pack(m, bytes + at);
    remember(c, m);
    client_counts[m->request_case].sent++;
    sim_note(bytes, at);
    line_send(c->line, bytes, at);
}

static void send_hello(client *c) {
    Troupe__ClientMessage m = TROUPE__CLIENT_MESSAGE__INIT;
    Troupe__Hello hello = TROUPE__HELLO__INIT;
    hello.protocol_major = TR_PROTOCOL_MAJOR;
    hello.client_name = "sim";
    m.request_case = TROUPE__CLIENT_MESSAGE__REQUEST_HELLO;
    m.hello = &hello;
    send_message(c, &m);
}

static void send_drawn(client *c) {
    Troupe__ClientMessage m = TROUPE__CLIENT_MESSAGE__INIT;
    const ProtobufCMessageDescriptor *kind = m.base.descriptor;
    arena.used = 0;
    const ProtobufCFieldDescriptor *field;
    do
        field = &kind->fields[sim_below((int)kind->n_fields)];
    while (!tr_request_row_find((Troupe__ClientMessage__RequestCase)field->id));
    if (sim_one_in(2)) /* commands make a half */
        field =
            protobuf_c_message_descriptor_get_field(kind, TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND);
    m.request_case = (Troupe__ClientMessage__RequestCase)field->id;
    put_value((uint8_t *)&m + field->offset, kind, field, 0);
    sensible(&m);
    send_message(c, &m);
}

/* --- an audit --- */

static void ask_for(client *c, Troupe__ClientMessage__RequestCase request, void *body) {
    Troupe__ClientMessage m = TROUPE__CLIENT_MESSAGE__INIT;
    m.request_case = request;
    m.hello = body;
    send_message(c, &m);
}

static void ask_worlds(client *c) {
    Troupe__ListWorlds list = TROUPE__LIST_WORLDS__INIT;
    ask_for(c, TROUPE__CLIENT_MESSAGE__REQUEST_LIST_WORLDS, &list);
}

/* Every recording that is there is replayed and verified. */
static void ask_replay(client *c, const char *recording) {
    Troupe__Replay replay = TROUPE__REPLAY__INIT;
    char world[32];
    snprintf(world, sizeof world, "audit-%s", recording);
    replay.recording = (char *)recording;
    replay.world = world;
    replay.paused = true;
    ask_for(c, TROUPE__CLIENT_MESSAGE__REQUEST_REPLAY, &replay);
}

static void ask_verify(client *c, uint32_t world) {
    Troupe__Command command = TROUPE__COMMAND__INIT;
    Troupe__Verify verify = TROUPE__VERIFY__INIT;
    command.world = world;
    command.command_case = TROUPE__COMMAND__COMMAND_VERIFY;
    command.verify = &verify;
    ask_for(c, TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND, &command);
}

static void audit(client *c) {
    char name[3] = "m0";
    for (int i = 0; i < NAMES && c->stage == 0; i++) {
        Troupe__GetMatch match = TROUPE__GET_MATCH__INIT;
        Troupe__GetRecording recording = TROUPE__GET_RECORDING__INIT;
        match.name = recording.name = name;
        name[0] = 'm', name[1] = (char)('0' + i);
        ask_for(c, TROUPE__CLIENT_MESSAGE__REQUEST_GET_MATCH, &match);
        name[0] = 'r';
        ask_for(c, TROUPE__CLIENT_MESSAGE__REQUEST_GET_RECORDING, &recording);
    }
    if (c->stage < 2)
        ask_worlds(c);
    if (c->stage == AUDIT_STAGES && c->asked_count > 0)
        sim_fail("request %llu of an audit has no answer", (unsigned long long)c->asked[0].id);
    if (c->stage == AUDIT_STAGES)
        audited = true;
    c->stage++;
    c->next_ns = sim_now_ns() + 2 * SECOND_NS;
}

static void expect_motion(const Troupe__WorldList *before, const Troupe__WorldList *after) {
    for (size_t i = 0; i < before->n_worlds; i++)
        for (size_t k = 0; k < after->n_worlds; k++) {
            const Troupe__WorldInfo *a = before->worlds[i], *b = after->worlds[k];
            bool runs = a->mode == TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME && !a->paused &&
                        !b->paused && !a->arriving && a->replay_of[0] == '\0';
            if (a->id == b->id && runs && a->epoch == b->epoch && b->tick <= a->tick)
                sim_fail("world '%s' stands at tick %lld", a->name, (long long)a->tick);
        }
}

static void check_promise(const char *what, const promise *item, int number,
                          const Troupe__Response *r) {
    if (item->kept && r->code == TROUPE__STATUS_CODE__STATUS_CODE_NOT_FOUND)
        sim_fail("%s %d was acknowledged and is lost: %s", what, number, r->message);
}

static void audit_answer(client *c, const asked *a, Troupe__Response *r) {
    if (a->request == TROUPE__CLIENT_MESSAGE__REQUEST_GET_MATCH)
        check_promise("match", &model.match[a->item], a->item, r);
    if (a->request == TROUPE__CLIENT_MESSAGE__REQUEST_GET_RECORDING)
        check_promise("recording", &model.recording[a->item], a->item, r);
    if (r->result_case == TROUPE__RESPONSE__RESULT_RECORDING)
        ask_replay(c, r->recording->name);
    if (a->request == TROUPE__CLIENT_MESSAGE__REQUEST_REPLAY &&
        r->result_case == TROUPE__RESPONSE__RESULT_WORLD)
        ask_verify(c, r->world->id);
    if (a->command == TROUPE__COMMAND__COMMAND_VERIFY) {
        if (r->code != TROUPE__STATUS_CODE__STATUS_CODE_OK)
            sim_fail("a recording does not verify: %s", r->message);
        clients_verified++;
    }
    if (a->request != TROUPE__CLIENT_MESSAGE__REQUEST_LIST_WORLDS || !r->world_list)
        return;
    if (c->before) {
        expect_motion(c->before, r->world_list);
        return;
    }
    c->before = r->world_list;
    r->result_case = TROUPE__RESPONSE__RESULT__NOT_SET;
}

/* --- answers --- */

static void learn_command(const asked *a, const Troupe__CommandResult *result) {
    if (a->command == TROUPE__COMMAND__COMMAND_SNAPSHOT && result->data.len > 0) {
        free(model.snapshot);
        model.snapshot = malloc(result->data.len);
        memcpy(model.snapshot, result->data.data, result->data.len);
        model.snapshot_size = result->data.len;
        model.snapshot_hash = result->hash;
    }
    if (a->hash != 0 && result->hash != a->hash)
        sim_fail("a restored world has another hash than its snapshot");
    clients_restored += a->hash != 0;
    if (a->command == TROUPE__COMMAND__COMMAND_START_RECORDING && a->item >= 0) {
        int at = model.made_count < WORLDS ? model.made_count++ : sim_below(WORLDS);
        model.made[at].world = a->world;
        model.made[at].recording = a->item;
    }
    for (int i = 0; a->command == TROUPE__COMMAND__COMMAND_STOP_RECORDING && i < model.made_count;
         i++)
        if (model.made[i].world == a->world && model.made[i].recording >= 0) {
            promise_item(&model.recording[model.made[i].recording], a->sent_ns);
            model.made[i].recording = -1;
        }
}

static void learn(client *c, const asked *a, Troupe__Response *r) {
    promise *removed = a->item >= 0 ? item_of(a) : NULL;
    if (removed) {
        removed->removals--;
        removed->removed_ns = sim_now_ns();
    }
    if (c->auditor)
        audit_answer(c, a, r);
    if (a->request == TROUPE__CLIENT_MESSAGE__REQUEST_HELLO) {
        c->admitted = r->code == TROUPE__STATUS_CODE__STATUS_CODE_OK || c->admitted;
        c->next_ns = sim_now_ns();
    }
    if (r->code != TROUPE__STATUS_CODE__STATUS_CODE_OK)
        return;
    client_counts[a->request].ok++;
    if (a->request == TROUPE__CLIENT_MESSAGE__REQUEST_START_MATCH && a->item >= 0)
        promise_item(&model.match[a->item], a->sent_ns);
    if (r->result_case == TROUPE__RESPONSE__RESULT_WORLD)
        meet_world(r->world->id);
    if (r->result_case == TROUPE__RESPONSE__RESULT_COMMAND)
        learn_command(a, r->command);
}

static void take_response(client *c, Troupe__Response *r) {
    for (int i = 0; i < c->asked_count; i++)
        if (c->asked[i].id == r->request_id) {
            asked a = c->asked[i];
            c->asked[i] = c->asked[--c->asked_count];
            learn(c, &a, r);
            return;
        }
    if (r->request_id != 0 && r->request_id <= c->last_id && c->asked_count < ASKED_MAX)
        sim_fail("request %llu was answered twice", (unsigned long long)r->request_id);
}

static void take_frame(client *c, const tr_frame_view *frame) {
    Troupe__ServerMessage *m = troupe__server_message__unpack(NULL, frame->size, frame->data);
    if (!m)
        sim_fail("the daemon sent a frame that is not a ServerMessage");
    if (m->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_CHALLENGE && c->last_id == 0)
        send_hello(c);
    if (m->message_case == TROUPE__SERVER_MESSAGE__MESSAGE_RESPONSE)
        take_response(c, m->response);
    troupe__server_message__free_unpacked(m, NULL);
}

static void on_bytes(void *context, const uint8_t *bytes, size_t size) {
    client *c = context;
    sim_note(bytes, size);
    while (size > 0) {
        tr_frame_view frame = {0};
        if (tr_frame_decoder_take(&c->decoder, &bytes, &size, &frame))
            sim_fail("the daemon sent a frame that is no frame");
        if (!frame.data)
            break;
        take_frame(c, &frame);
    }
}

static void forget_before(client *c) {
    if (c->before)
        troupe__world_list__free_unpacked(c->before, NULL);
    c->before = NULL;
}

static void end_session(client *c) {
    c->line = NULL;
    c->admitted = false;
    c->asked_count = 0;
    c->stage = 0;
    forget_before(c);
    tr_frame_decoder_deinit(&c->decoder);
    c->next_ns = sim_now_ns() + SECOND_NS / 4;
}

static void on_ended(void *context) {
    end_session(context);
}

static const line_client listener = {on_bytes, on_ended};

/* --- all of them --- */

void clients_begin(void) {
    uint8_t *snapshot = model.snapshot;
    free(snapshot);
    memset(&model, 0, sizeof model);
    memset(all, 0, sizeof all);
    all[CLIENTS].auditor = true;
    auditing = audited = resting = false;
}

void clients_leave(void) {
    for (int i = 0; i <= CLIENTS; i++)
        if (all[i].line) {
            line_close(all[i].line);
            end_session(&all[i]);
        }
    model.world_count = model.made_count = 0;
}

static void connect_client(client *c) {
    c->line = line_connect(&listener, c);
    c->last_id = 0;
    c->next_ns = c->line ? INT64_MAX : sim_now_ns() + SECOND_NS / 4;
    if (c->line)
        tr_frame_decoder_init(&c->decoder, TR_FRAME_SERVER_MAX);
}

static void expect_answers(const client *c) {
    for (int i = 0; i < c->asked_count; i++) {
        const asked *a = &c->asked[i];
        if (a->request != TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND &&
            sim_now_ns() - a->sent_ns > ANSWER_S * SECOND_NS)
            sim_fail("request %llu, field %u, has no answer", (unsigned long long)a->id,
                     a->request);
    }
}

static void act(client *c) {
    if (!c->line) {
        connect_client(c);
        return;
    }
    if (!c->admitted) {
        c->next_ns = INT64_MAX;
        return;
    }
    expect_answers(c);
    if (c->auditor) {
        audit(c);
        return;
    }
    for (int i = 1 + sim_below(3); i > 0 && c->line; i--)
        send_drawn(c);
    c->next_ns = sim_now_ns() + (1 + sim_below(200)) * 1000000LL;
}

static bool takes_part(const client *c) {
    return c->auditor == auditing && !resting;
}

void clients_rest(bool rest) {
    resting = rest;
}

unsigned clients_owed(void) {
    for (int i = 0; i < CLIENTS; i++)
        for (int k = 0; all[i].line && k < all[i].asked_count; k++)
            if (all[i].asked[k].request != TROUPE__CLIENT_MESSAGE__REQUEST_COMMAND)
                return all[i].asked[k].request;
    return 0;
}

void clients_act(void) {
    for (int i = 0; i <= CLIENTS; i++)
        if (takes_part(&all[i]) && all[i].next_ns <= sim_now_ns())
            act(&all[i]);
}

int64_t clients_next_ns(void) {
    int64_t first = INT64_MAX;
    for (int i = 0; i <= CLIENTS; i++)
        if (takes_part(&all[i]) && all[i].next_ns < first)
            first = all[i].next_ns;
    return first;
}

void clients_begin_audit(void) {
    auditing = true;
    all[CLIENTS].next_ns = sim_now_ns();
}

bool clients_have_audited(void) {
    return audited;
}

unsigned client_unsent(void) {
    for (unsigned i = 1; i < ROWS_MAX; i++)
        if (tr_request_row_find((Troupe__ClientMessage__RequestCase)i) &&
            client_counts[i].sent == 0)
            return i;
    return 0;
}
