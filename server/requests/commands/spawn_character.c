/* spawn_character: puts a character into the world, with a model, a controller or both. */
#include "server/requests/commands/apply.h"
#include "server/requests/commands/commands.h"
#include "server/requests/dispatch.h"

#include "model/name.h"

/* The items that its names mean; held by the world. */
typedef struct spawn {
    char model_name[TR_NAME_MAX]; /* the controller's if none was given */
    const tr_model *model;
    const tr_controller *controller; /* NULL: none requested */
} spawn;

static const tr_field fields[] = {
    TR_NAME(Troupe__SpawnCharacter, model),
    TR_NAME(Troupe__SpawnCharacter, controller),
    TR_NAME(Troupe__SpawnCharacter, label),
    TR_VECTOR(Troupe__SpawnCharacter, pos, 10000),
    TR_NUMBER(Troupe__SpawnCharacter, heading_rad, -1e6, 1e6),
    TR_NUMBER(Troupe__SpawnCharacter, fragment, 0, TR_DRIVER_ENTRY_MAX - 1),
    TR_FIELDS_END};

static tr_status check(tr_command *command, const tr_command_table *table, tr_error *error) {
    const Troupe__SpawnCharacter *m = command->message->spawn_character;
    (void)table;
    return m->model[0] == '\0' && m->controller[0] == '\0'
               ? tr_field_refuse(error, "model", "a model or a controller")
               : TR_OK;
}

static tr_status names(const tr_command *command, tr_library_needs *needs) {
    const Troupe__SpawnCharacter *m = command->message->spawn_character;
    tr_status status = tr_library_need_model(needs, m->model);
    return status ? status : tr_library_need_controller(needs, m->controller);
}

static tr_status bind_names(tr_command *command, const tr_cast *cast, tr_error *error) {
    const Troupe__SpawnCharacter *m = command->message->spawn_character;
    spawn *s = (spawn *)command->data;
    tr_status status = tr_cast_bind_controller(cast, m->controller, &s->controller, error);
    if (status)
        return status;
    tr_name_set(s->model_name, m->model[0] != '\0' ? m->model : s->controller->model_name);
    return tr_cast_bind_model(cast, s->model_name, &s->model, error);
}

/* May the account have one more character? Requested and unanswered ones count. */
static tr_status prepare(const tr_request *request, tr_hosted *hosted, tr_command *command,
                         tr_error *error) {
    tr_member *member = tr_session_member(request->session);
    (void)hosted;
    if (member->limits.characters != 0) {
        int count = tr_worlds_owned_by(request->server->worlds, member->account) + member->spawning;
        tr_status status =
            tr_member_may_have(member, count, member->limits.characters, "characters", error);
        if (status)
            return status;
    }
    member->spawning += command->account != 0;
    return TR_OK;
}

static void abandon(tr_server *server, const tr_command *command) {
    tr_gate_spawned(server->gate, command->account);
}

static void answered(tr_server *server, const tr_reply *reply) {
    tr_gate_spawned(server->gate, reply->account);
}

static uint32_t entry_count(const tr_controller *controller) {
    return (uint32_t)tr_controller_outline(controller).entry_count;
}

static tr_status remember(tr_world_loop *loop, const spawn *s, tr_reply *result) {
    tr_status status = tr_cast_add_model(&loop->cast, s->model, s->model_name);
    if (!status)
        status = tr_cast_add_controller(&loop->cast, s->controller);
    return tr_apply_status(result, status, "models and controllers known to this world");
}

static tr_status apply(tr_world_loop *loop, tr_command *command, tr_reply *result) {
    const Troupe__SpawnCharacter *m = command->message->spawn_character;
    const spawn *s = (const spawn *)command->data;
    tr_status status = tr_apply_check_fit(loop, s->controller, s->model, result);
    if (status)
        return status;
    if (s->controller && m->fragment >= entry_count(s->controller))
        return tr_fail(&result->error, TR_OUT_OF_RANGE, "fragment %u: '%s' has %u", m->fragment,
                       s->controller->name, entry_count(s->controller));
    status = remember(loop, s, result);
    if (status)
        return status;
    tr_spawn_def def = {.model = s->model,
                        .controller = s->controller,
                        .pos = tr_vec3_of(m->pos),
                        .heading_rad = m->heading_rad,
                        .entry = (int)m->fragment};
    status = tr_stage_spawn(loop->stage, &def, &result->entity);
    if (status)
        return tr_apply_status_of_limit(result, status, "character", TR_CHARACTER_MAX);
    tr_world_loop_set_label(loop, result->entity, m->label);
    tr_world_loop_set_owner(loop, result->entity, command->account);
    return tr_apply_status(result, tr_world_loop_keep_reset_point(loop), "reset point");
}

TR_COMMAND_ROW(SPAWN_CHARACTER, spawn_character, .keeps = TR_KEEP_MESSAGE,
               .right = TR_ANY_FROM(TR_ROLE_PLAYER), .fields = fields, .data_size = sizeof(spawn),
               .check = check, .names = names, .bind = bind_names, .prepare = prepare,
               .abandon = abandon, .answered = answered, .apply = apply)
