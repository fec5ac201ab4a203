#include "unit/server/orders.h"

#include "server/net/wire_writer.h"

#include <stdio.h>
#include <stdlib.h>

tr_command *order_of(const Troupe__Command *message, const tr_cast *cast) {
    size_t size = troupe__command__get_packed_size(message);
    uint8_t *bytes = malloc(size + 1);
    tr_command *command = NULL;
    tr_error error = {0};
    if (!bytes)
        abort();
    troupe__command__pack(message, bytes);
    if (tr_command_unpack(&tr_commands, bytes, size, &command, &error) ||
        (cast && tr_command_bind(command, cast, &error))) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    free(bytes);
    return command;
}

/* The message of a command of this number, as a frame of zeros would be: a tag and no bytes. */
tr_command *order_bare(unsigned number) {
    uint8_t bytes[12];
    size_t size = tr_varint(bytes, number << 3 | 2);
    bytes[size++] = 0;
    tr_command *command = NULL;
    if (tr_command_unpack(&tr_commands, bytes, size, &command, NULL))
        abort();
    return command;
}

tr_command *order_spawn(const tr_cast *cast, const char *model, const char *controller,
                        const char *label, double x) {
    Troupe__Vec3 pos = TROUPE__VEC3__INIT;
    Troupe__SpawnCharacter m = TROUPE__SPAWN_CHARACTER__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    pos.x = x;
    m.model = (char *)model;
    m.controller = (char *)(controller ? controller : "");
    m.label = (char *)(label ? label : "");
    m.pos = &pos;
    command.command_case = TROUPE__COMMAND__COMMAND_SPAWN_CHARACTER;
    command.spawn_character = &m;
    return order_of(&command, cast);
}

tr_command *order_push(tr_entity_id entity, double force_y, double duration_s) {
    Troupe__Vec3 force = TROUPE__VEC3__INIT;
    Troupe__Push m = TROUPE__PUSH__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    force.y = force_y;
    m.entity = entity;
    m.force = &force;
    m.duration_s = duration_s;
    command.command_case = TROUPE__COMMAND__COMMAND_PUSH;
    command.push = &m;
    return order_of(&command, NULL);
}

tr_command *order_step(int64_t count) {
    Troupe__Step m = TROUPE__STEP__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    m.has_count_case = TROUPE__STEP__HAS_COUNT_COUNT;
    m.count = (uint32_t)count;
    command.command_case = TROUPE__COMMAND__COMMAND_STEP;
    command.step = &m;
    return order_of(&command, NULL);
}

tr_command *order_join(uint32_t order) {
    Troupe__Join m = TROUPE__JOIN__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    m.order = order;
    command.command_case = TROUPE__COMMAND__COMMAND_JOIN;
    command.join = &m;
    return order_of(&command, NULL);
}

tr_command *order_seek(int64_t position) {
    Troupe__Seek m = TROUPE__SEEK__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    m.position = position;
    command.command_case = TROUPE__COMMAND__COMMAND_SEEK;
    command.seek = &m;
    return order_of(&command, NULL);
}

tr_command *order_set_loop(bool loop) {
    Troupe__SetLoop m = TROUPE__SET_LOOP__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    m.loop = loop;
    command.command_case = TROUPE__COMMAND__COMMAND_SET_LOOP;
    command.set_loop = &m;
    return order_of(&command, NULL);
}

tr_command *order_advance(int64_t count, const order_pushed *pushes, int push_count) {
    enum { PUSHES_MAX = 8 };
    Troupe__Vec3 force[PUSHES_MAX];
    Troupe__Push push[PUSHES_MAX];
    Troupe__Order order[PUSHES_MAX], *orders[PUSHES_MAX];
    Troupe__Advance m = TROUPE__ADVANCE__INIT;
    Troupe__Command command = TROUPE__COMMAND__INIT;
    if (push_count > PUSHES_MAX)
        abort();
    for (int i = 0; i < push_count; i++) {
        troupe__vec3__init(&force[i]);
        troupe__push__init(&push[i]);
        troupe__order__init(&order[i]);
        force[i].y = pushes[i].force_y;
        push[i].entity = pushes[i].entity;
        push[i].force = &force[i];
        push[i].duration_s = 0.05;
        order[i].command_case = TROUPE__ORDER__COMMAND_PUSH;
        order[i].push = &push[i];
        orders[i] = &order[i];
    }
    m.has_count_case = TROUPE__ADVANCE__HAS_COUNT_COUNT;
    m.count = (uint32_t)count;
    m.n_orders = (size_t)push_count;
    m.orders = orders;
    command.command_case = TROUPE__COMMAND__COMMAND_ADVANCE;
    command.advance = &m;
    return order_of(&command, NULL);
}
