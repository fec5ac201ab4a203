#include "server/world/decode.h"

#include "proto/message.h"
#include "server/world/encode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- fields --- */

/* One request being checked: the first field that is wrong is told, and everything after it is
 * skipped. */
typedef struct check {
    tr_error *error;
    tr_status status;
} check;

static void refuse(check *c, const char *field, const char *expected) {
    if (c->status == TR_OK)
        c->status = tr_fail(c->error, TR_INVALID_ARGUMENT, "%s: expected %s", field, expected);
}

static void number(check *c, const char *field, double value, double lowest, double highest) {
    if (c->status == TR_OK && !(value >= lowest && value <= highest))
        c->status = tr_fail(c->error, TR_INVALID_ARGUMENT, "%s: %g: expected %g to %g", field,
                            value, lowest, highest);
}

static tr_vec3 vector(check *c, const char *field, const Troupe__Vec3 *v, double highest) {
    if (v == NULL)
        return (tr_vec3){0, 0, 0};
    tr_vec3 out = {v->x, v->y, v->z};
    double length = sqrt(v->x * v->x + v->y * v->y + v->z * v->z);
    if (!(length <= highest)) {
        char expected[48];
        snprintf(expected, sizeof expected, "a finite vector of at most %g", highest);
        refuse(c, field, expected);
    }
    return out;
}

static tr_quat rotation(check *c, const char *field, const Troupe__Quat *q) {
    if (q == NULL)
        return (tr_quat){1, 0, 0, 0};
    double length = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    if (!(length > 1e-6 && length < 1e6)) {
        refuse(c, field, "a quaternion that is finite and not zero");
        return (tr_quat){1, 0, 0, 0};
    }
    return (tr_quat){q->w / length, q->x / length, q->y / length, q->z / length};
}

static void text(check *c, const char *field, const char *value, char out[TR_NAME_MAX]) {
    size_t size = strlen(value);
    if (size > TR_WIRE_NAME_MAX) {
        refuse(c, field, "at most 47 bytes");
        return;
    }
    memcpy(out, value, size + 1);
}

static tr_entity_id entity(check *c, uint32_t value) {
    if (value == 0)
        refuse(c, "entity", "the id of a character or object");
    return value;
}

enum { WORLD_SIZE_M = 10000, FRICTION_MAX = 100, SIZE_MAX_M = 1000 };

/* --- commands --- */

static void decode_spawn_character(check *c, const Troupe__Command *message, tr_command *out) {
    const Troupe__SpawnCharacter *m = message->spawn_character;
    tr_spawn_character *spawn = &out->as.spawn_character;
    text(c, "model", m->model, spawn->model_name);
    text(c, "controller", m->controller, spawn->controller_name);
    text(c, "label", m->label, spawn->label);
    spawn->pos = vector(c, "pos", m->pos, WORLD_SIZE_M);
    number(c, "heading_rad", m->heading_rad, -1e6, 1e6);
    spawn->heading_rad = m->heading_rad;
    number(c, "fragment", m->fragment, 0, TR_CONTROLLER_FRAGMENT_MAX - 1);
    spawn->fragment = (int)m->fragment;
    if (m->model[0] == '\0' && m->controller[0] == '\0')
        refuse(c, "model", "a model or a controller");
}

static tr_geom geom(check *c, const Troupe__Geom *m) {
    tr_geom out = {0};
    out.size = vector(c, "geoms.size", m->size, SIZE_MAX_M);
    out.pos = vector(c, "geoms.pos", m->pos, SIZE_MAX_M);
    out.rot = rotation(c, "geoms.rot", m->rot);
    number(c, "geoms.friction", m->friction, 0, FRICTION_MAX);
    out.friction = m->friction;
    if (m->kind < TROUPE__GEOM_KIND__GEOM_KIND_SPHERE || m->kind > TROUPE__GEOM_KIND__GEOM_KIND_BOX)
        refuse(c, "geoms.kind", "sphere, capsule or box");
    out.kind = (tr_geom_kind)((int)m->kind - (int)TROUPE__GEOM_KIND__GEOM_KIND_SPHERE);
    int sizes = out.kind == TR_GEOM_SPHERE ? 1 : out.kind == TR_GEOM_CAPSULE ? 2 : 3;
    const double size[3] = {out.size.x, out.size.y, out.size.z};
    for (int i = 0; i < sizes; i++)
        if (!(size[i] >= 1e-3))
            refuse(c, "geoms.size", "at least 1 mm");
    return out;
}

static void decode_spawn_object(check *c, const Troupe__Command *message, tr_command *out) {
    const Troupe__SpawnObject *m = message->spawn_object;
    tr_object_def *def = &out->as.spawn_object.def;
    tr_object_state *state = &out->as.spawn_object.state;
    text(c, "name", m->name, def->name);
    if (m->n_geoms < 1 || m->n_geoms > TR_OBJECT_GEOM_MAX)
        refuse(c, "geoms", "1 to 8");
    for (size_t i = 0; i < m->n_geoms && c->status == TR_OK; i++)
        def->geom[def->geom_count++] = geom(c, m->geoms[i]);
    number(c, "density", m->density, 0, 1e6);
    number(c, "mass", m->mass, 0, 1e6);
    def->density = m->density == 0 ? 1000 : m->density;
    def->mass = m->mass;
    number(c, "linear_damping", m->linear_damping, 0, 1e3);
    number(c, "angular_damping", m->angular_damping, 0, 1e3);
    def->linear_damping = m->linear_damping;
    def->angular_damping = m->angular_damping;
    state->pos = vector(c, "pos", m->pos, WORLD_SIZE_M);
    state->rot = rotation(c, "rot", m->rot);
    state->vel = vector(c, "vel", m->vel, TR_SPEED_MAX);
    state->omega = vector(c, "omega", m->omega, TR_SPEED_MAX);
}

static void decode_despawn(check *c, const Troupe__Command *message, tr_command *out) {
    out->as.despawn = entity(c, message->despawn->entity);
}

static void decode_set_controller(check *c, const Troupe__Command *message, tr_command *out) {
    out->as.set_controller.entity = entity(c, message->set_controller->entity);
    text(c, "controller", message->set_controller->controller,
         out->as.set_controller.controller_name);
}

static void decode_set_limp(check *c, const Troupe__Command *message, tr_command *out) {
    out->as.set_limp.entity = entity(c, message->set_limp->entity);
    out->as.set_limp.limp = message->set_limp->limp;
}

static void decode_set_offset(check *c, const Troupe__Command *message, tr_command *out) {
    const Troupe__SetOffset *m = message->set_offset;
    tr_set_offset *order = &out->as.set_offset;
    order->entity = entity(c, m->entity);
    if (m->n_offset > TR_ACTION_MAX)
        refuse(c, "offset", "at most 24 numbers");
    for (size_t i = 0; i < m->n_offset && c->status == TR_OK; i++) {
        number(c, "offset", m->offset[i], -10, 10);
        order->offset[order->count++] = m->offset[i];
    }
}

static void decode_set_fragment(check *c, const Troupe__Command *message, tr_command *out) {
    const Troupe__SetFragment *m = message->set_fragment;
    tr_set_fragment *order = &out->as.set_fragment;
    order->entity = entity(c, m->entity);
    number(c, "fragment", m->fragment, 0, TR_CONTROLLER_FRAGMENT_MAX - 1);
    order->fragment = (int)m->fragment;
    order->mirrored = m->mirrored;
}

static void decode_steer(check *c, const Troupe__Command *message, tr_command *out) {
    const Troupe__Steer *m = message->steer;
    tr_wish *wish = &out->as.steer.wish;
    out->as.steer.entity = entity(c, m->entity);
    if (m->aim_case == TROUPE__STEER__AIM_HEADING_RAD) {
        number(c, "heading_rad", m->heading_rad, -TR_HEADING_RAD_MAX, TR_HEADING_RAD_MAX);
        wish->aim = TR_AIM_HEADING;
        wish->heading_rad = m->heading_rad;
    } else if (m->aim_case == TROUPE__STEER__AIM_TARGET) {
        tr_vec3 target = vector(c, "target", m->target, WORLD_SIZE_M);
        wish->aim = TR_AIM_POINT;
        wish->x = target.x;
        wish->y = target.y;
    } else if (m->aim_case == TROUPE__STEER__AIM_TOWARD) {
        wish->aim = TR_AIM_CHARACTER;
        wish->character = entity(c, m->toward);
    }
    number(c, "speed", m->speed, 0, TR_STEER_SPEED_MAX);
    wish->speed_mps = m->speed;
    text(c, "skill", m->skill, wish->skill);
}

static void decode_push(check *c, const Troupe__Command *message, tr_command *out) {
    const Troupe__Push *m = message->push;
    tr_push_order *order = &out->as.push;
    order->entity = entity(c, m->entity);
    text(c, "body", m->body, order->body);
    order->point = vector(c, "point", m->point, 10);
    order->force = vector(c, "force", m->force, TR_PUSH_NEWTON_MAX);
    number(c, "duration_s", m->duration_s, 0, TR_PUSH_SECONDS_MAX);
    order->duration_s = m->duration_s;
}

static void decode_throw(check *c, const Troupe__Command *message, tr_command *out) {
    const Troupe__Throw *m = message->throw_;
    tr_throw_order *order = &out->as.throw_order;
    order->entity = entity(c, m->entity);
    order->moved = m->pos != NULL;
    order->pos = vector(c, "pos", m->pos, WORLD_SIZE_M);
    order->vel = vector(c, "vel", m->vel, TR_SPEED_MAX);
    order->omega = vector(c, "omega", m->omega, TR_SPEED_MAX);
}

static void decode_set_rate(check *c, const Troupe__Command *message, tr_command *out) {
    number(c, "rate", message->set_rate->rate, 0.01, 100);
    out->as.rate = message->set_rate->rate;
}

static void decode_join(check *c, const Troupe__Command *message, tr_command *out) {
    number(c, "order", message->join->order, 0, TR_STEPPER_ORDER_MAX);
    out->as.join_order = message->join->order;
}

static void decode_step(check *c, const Troupe__Command *message, tr_command *out) {
    number(c, "count", message->step->count, 0, TR_STEP_COUNT_MAX);
    out->as.step_count = message->step->count == 0 ? 1 : message->step->count;
}

/* --- restore and advance: the commands that hold others --- */

static tr_command *decode_pending(check *c, const tr_saved_command *saved);

static void decode_restore(check *c, const Troupe__Command *message, tr_command *out) {
    const ProtobufCBinaryData *data = &message->restore->data;
    tr_restore_order *order = &out->as.restore;
    order->cast = calloc(1, sizeof *order->cast);
    tr_packet *bytes = data->len <= TR_SNAPSHOT_MAX ? tr_packet_create(data->len) : NULL;
    if (order->cast == NULL || bytes == NULL) {
        tr_packet_release(bytes);
        c->status = tr_fail(c->error, TR_RESOURCE_EXHAUSTED, "data: too large, or out of memory");
        return;
    }
    if (data->len > 0)
        memcpy(bytes->bytes, data->data, data->len);
    c->status = tr_snapshot_read(bytes, &order->saved, c->error);
    tr_packet_release(bytes);
    tr_command **end = &order->pending;
    for (int i = 0; c->status == TR_OK && i < order->saved->pending_count; i++) {
        tr_command *pending = decode_pending(c, &order->saved->pending[i]);
        if (pending == NULL)
            return;
        *end = pending;
        end = &pending->next;
    }
}

/* An order is a command whose choices have the same numbers, and are all pointers. */
_Static_assert((int)TROUPE__ORDER__COMMAND_PUSH == (int)TROUPE__COMMAND__COMMAND_PUSH,
               "one numbering");

static tr_command *decode_order(check *c, const Troupe__Command *advance,
                                const Troupe__Order *order) {
    Troupe__Command message = TROUPE__COMMAND__INIT;
    message.world = advance->world;
    message.command_case = (Troupe__Command__CommandCase)order->command_case;
    message.push = order->push;
    tr_command *out = NULL;
    c->status = tr_decode_command(&message, &out, c->error);
    return out;
}

static void decode_advance(check *c, const Troupe__Command *message, tr_command *out) {
    const Troupe__Advance *m = message->advance;
    tr_advance *advance = &out->as.advance;
    number(c, "count", m->count, 0, TR_STEP_COUNT_MAX);
    advance->count = m->count == 0 ? 1 : m->count;
    if ((m->fields & ~(uint32_t)TR_STATE_FIELDS_ALL) != 0)
        refuse(c, "fields", "bits of StateField");
    advance->fields = m->fields;
    number(c, "orders", (double)m->n_orders, 0, TR_ADVANCE_ORDERS_MAX);
    if (c->status == TR_OK && m->n_orders > 0 &&
        (advance->refusal = calloc(1, sizeof *advance->refusal)) == NULL)
        c->status = tr_fail(c->error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_command **end = &advance->orders;
    for (size_t i = 0; i < m->n_orders && c->status == TR_OK; i++) {
        tr_command *order = decode_order(c, message, m->orders[i]);
        if (order == NULL)
            return;
        order->order = ++advance->order_count;
        order->silent = true;
        *end = order;
        end = &order->next;
    }
}

static void decode_start_recording(check *c, const Troupe__Command *message, tr_command *out) {
    const Troupe__StartRecording *m = message->start_recording;
    tr_start_recording *order = &out->as.start_recording;
    text(c, "name", m->name, order->name);
    number(c, "check_every", m->check_every, 0, TR_AT_TICK_AHEAD_MAX);
    number(c, "key_every", m->key_every, 0, TR_AT_TICK_AHEAD_MAX);
    order->check_every = (int)m->check_every;
    order->key_every = (int)m->key_every;
}

static void decode_seek(check *c, const Troupe__Command *message, tr_command *out) {
    (void)c;
    out->as.position = message->seek->position;
}

static void decode_set_loop(check *c, const Troupe__Command *message, tr_command *out) {
    (void)c;
    out->as.loop = message->set_loop->loop;
}

/* --- the table --- */

typedef void (*decode_function)(check *c, const Troupe__Command *message, tr_command *out);

typedef struct command_row {
    Troupe__Command__CommandCase wire;
    tr_command_kind kind;
    decode_function decode; /* NULL: no fields */
} command_row;

static const command_row commands[] = {
    {TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER, TR_COMMAND_SPAWN_CHARACTER, decode_spawn_character},
    {TROUPE__COMMAND__COMMAND_SPAWN_OBJECT, TR_COMMAND_SPAWN_OBJECT, decode_spawn_object},
    {TROUPE__COMMAND__COMMAND_DESPAWN, TR_COMMAND_DESPAWN, decode_despawn},
    {TROUPE__COMMAND__COMMAND_SET_CONTROLLER, TR_COMMAND_SET_CONTROLLER, decode_set_controller},
    {TROUPE__COMMAND__COMMAND_SET_LIMP, TR_COMMAND_SET_LIMP, decode_set_limp},
    {TROUPE__COMMAND__COMMAND_SET_OFFSET, TR_COMMAND_SET_OFFSET, decode_set_offset},
    {TROUPE__COMMAND__COMMAND_SET_FRAGMENT, TR_COMMAND_SET_FRAGMENT, decode_set_fragment},
    {TROUPE__COMMAND__COMMAND_STEER, TR_COMMAND_STEER, decode_steer},
    {TROUPE__COMMAND__COMMAND_PUSH, TR_COMMAND_PUSH, decode_push},
    {TROUPE__COMMAND__COMMAND_THROW, TR_COMMAND_THROW, decode_throw},
    {TROUPE__COMMAND__COMMAND_PAUSE, TR_COMMAND_PAUSE, NULL},
    {TROUPE__COMMAND__COMMAND_RESUME, TR_COMMAND_RESUME, NULL},
    {TROUPE__COMMAND__COMMAND_SET_RATE, TR_COMMAND_SET_RATE, decode_set_rate},
    {TROUPE__COMMAND__COMMAND_JOIN, TR_COMMAND_JOIN, decode_join},
    {TROUPE__COMMAND__COMMAND_LEAVE, TR_COMMAND_LEAVE, NULL},
    {TROUPE__COMMAND__COMMAND_STEP, TR_COMMAND_STEP, decode_step},
    {TROUPE__COMMAND__COMMAND_ADVANCE, TR_COMMAND_ADVANCE, decode_advance},
    {TROUPE__COMMAND__COMMAND_MARK, TR_COMMAND_MARK, NULL},
    {TROUPE__COMMAND__COMMAND_RESET, TR_COMMAND_RESET, NULL},
    {TROUPE__COMMAND__COMMAND_SNAPSHOT, TR_COMMAND_SNAPSHOT, NULL},
    {TROUPE__COMMAND__COMMAND_RESTORE, TR_COMMAND_RESTORE, decode_restore},
    {TROUPE__COMMAND__COMMAND_START_RECORDING, TR_COMMAND_START_RECORDING, decode_start_recording},
    {TROUPE__COMMAND__COMMAND_STOP_RECORDING, TR_COMMAND_STOP_RECORDING, NULL},
    {TROUPE__COMMAND__COMMAND_SEEK, TR_COMMAND_SEEK, decode_seek},
    {TROUPE__COMMAND__COMMAND_SET_LOOP, TR_COMMAND_SET_LOOP, decode_set_loop},
    {TROUPE__COMMAND__COMMAND_VERIFY, TR_COMMAND_VERIFY, NULL},
};

static const command_row *find_row(Troupe__Command__CommandCase wire) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (commands[i].wire == wire)
            return &commands[i];
    return NULL;
}

/* The message as it came, so that a snapshot can hold it. What applies at once never waits; a
 * restore and the start of a recording never are in one. */
static tr_packet *keep_wire(const Troupe__Command *message) {
    tr_packet *wire = tr_packet_create(troupe__command__get_packed_size(message));
    if (wire != NULL)
        troupe__command__pack(message, wire->bytes);
    return wire;
}

tr_status tr_decode_command(const Troupe__Command *message, tr_command **out, tr_error *error) {
    const command_row *row = find_row(message->command_case);
    if (row == NULL)
        return tr_fail(error, TR_UNIMPLEMENTED, "command: none that this daemon knows");
    bool waits = !tr_command_is_at_once(row->kind) && row->kind != TR_COMMAND_RESTORE &&
                 row->kind != TR_COMMAND_START_RECORDING;
    tr_command *command = tr_command_create(row->kind);
    if (command == NULL || (waits && (command->wire = keep_wire(message)) == NULL)) {
        tr_command_destroy(command);
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    }
    check c = {error, TR_OK};
    command->at_tick = message->at_tick;
    if (message->at_tick < 0)
        refuse(&c, "at_tick", "0 or a tick");
    if (message->at_tick != 0 && tr_command_is_at_once(row->kind))
        refuse(&c, "at_tick",
               "0: join, leave, step, advance, seek, set_loop and verify act as they come");
    if (row->decode != NULL && c.status == TR_OK)
        row->decode(&c, message, command);
    if (c.status != TR_OK) {
        tr_command_destroy(command);
        return c.status;
    }
    *out = command;
    return TR_OK;
}

static tr_command *decode_pending(check *c, const tr_saved_command *saved) {
    ProtobufCMessage *message = NULL;
    tr_command *command = NULL;
    c->status =
        tr_message_decode(&troupe__command__descriptor, saved->message, saved->size, &message);
    if (c->status == TR_OK) {
        const Troupe__Command *wire = (const Troupe__Command *)message;
        if (wire->command_case == TROUPE__COMMAND__COMMAND_RESTORE ||
            wire->command_case == TROUPE__COMMAND__COMMAND_START_RECORDING)
            refuse(c, "data", "no restore and no start_recording among the commands that wait");
        else
            c->status = tr_decode_command(wire, &command, c->error);
        if (command != NULL && tr_command_is_at_once(command->kind)) {
            refuse(c, "data", "no command that acts at once among those that wait");
            tr_command_destroy(command);
            command = NULL;
        }
        tr_message_destroy(message);
    } else {
        c->status = tr_fail(c->error, TR_INVALID_ARGUMENT, "data: a command that waits is broken");
    }
    if (command != NULL) {
        command->stamp = (tr_stamp){saved->tick, saved->order, saved->request, saved->session};
        command->account = saved->account;
    }
    return command;
}

/* --- worlds --- */

static void decode_scenery(check *c, const Troupe__Scenery *m, tr_scenery_def *out) {
    out->kind = m->patch ? TR_SCENERY_PATCH : TR_SCENERY_BOX;
    out->size = vector(c, "scene.scenery.size", m->size, WORLD_SIZE_M);
    out->pos = vector(c, "scene.scenery.pos", m->pos, WORLD_SIZE_M);
    out->rot = rotation(c, "scene.scenery.rot", m->rot);
    number(c, "scene.scenery.friction", m->friction, 0, FRICTION_MAX);
    out->friction = m->friction;
    if (!(out->size.x > 0 && out->size.y > 0 && (m->patch || out->size.z > 0)))
        refuse(c, "scene.scenery.size", "positive half extents");
}

static void decode_scene(check *c, const Troupe__Scene *m, tr_play_def *out) {
    if (m == NULL)
        return;
    if (m->gravity != NULL)
        out->world.gravity = vector(c, "scene.gravity", m->gravity, 1000);
    if (m->ground != NULL) {
        number(c, "scene.ground.friction", m->ground->friction, 0, FRICTION_MAX);
        out->world.ground_friction = m->ground->friction;
    }
    out->world.ground = !m->no_ground;
    out->world.self_collision = !m->no_self_collision;
    if (m->n_scenery > TR_SCENERY_MAX)
        refuse(c, "scene.scenery", "at most 256");
    for (size_t i = 0; i < m->n_scenery && c->status == TR_OK; i++)
        decode_scenery(c, m->scenery[i], &out->scenery[out->scenery_count++]);
}

static void decode_mode(check *c, const Troupe__CreateWorld *m, tr_play_def *out) {
    out->rate = 1;
    if (m->mode == TROUPE__WORLD_MODE__WORLD_MODE_STEPPED)
        out->mode = TR_MODE_STEPPED;
    else if (m->mode == TROUPE__WORLD_MODE__WORLD_MODE_FAST)
        out->mode = TR_MODE_FAST;
    else if (m->mode <= TROUPE__WORLD_MODE__WORLD_MODE_REAL_TIME)
        out->mode = TR_MODE_REAL_TIME;
    else
        refuse(c, "mode", "real time, stepped or fast");
    if (m->rate != 0) {
        number(c, "rate", m->rate, 0.01, 100);
        out->rate = m->rate;
    }
    number(c, "steppers", m->steppers, 0, TR_STEPPERS_MAX);
    out->steppers = m->steppers == 0 ? 1 : (int)m->steppers;
    out->paused = m->paused;
}

static void decode_fault_rule(check *c, Troupe__FaultRule rule, tr_play_def *out) {
    switch (rule) {
    case TROUPE__FAULT_RULE__FAULT_RULE_UNSPECIFIED:
    case TROUPE__FAULT_RULE__FAULT_RULE_RESET:
        out->fault_rule = TR_FAULT_RESET;
        return;
    case TROUPE__FAULT_RULE__FAULT_RULE_REMOVE:
        out->fault_rule = TR_FAULT_REMOVE;
        return;
    case TROUPE__FAULT_RULE__FAULT_RULE_FREEZE:
        out->fault_rule = TR_FAULT_FREEZE;
        return;
    default:
        refuse(c, "fault_rule", "reset, remove or freeze");
    }
}

tr_status tr_decode_world(const Troupe__CreateWorld *message, tr_play_def *out, tr_error *error) {
    check c = {error, TR_OK};
    memset(out, 0, sizeof *out);
    out->world = tr_world_def_default();
    if (message->name[0] == '\0')
        refuse(&c, "name", "1 to 47 bytes");
    text(&c, "name", message->name, out->name);
    out->seed = message->seed;
    if (message->step_s != 0) {
        number(&c, "step_s", message->step_s, 0.0005, 0.02);
        out->world.step_s = message->step_s;
    }
    decode_mode(&c, message, out);
    decode_fault_rule(&c, message->fault_rule, out);
    decode_scene(&c, message->scene, out);
    return c.status;
}
