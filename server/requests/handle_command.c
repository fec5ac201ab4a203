/* The handler of commands: checks, finds the models and controllers they name, and posts them to
 * their world. */
#include "server/requests/dispatch.h"

#include "proto/message.h"
#include "server/access/permission.h"
#include "server/catalogue/name.h"
#include "server/config/version.h"
#include "server/recording/recordings.h"
#include "server/world/decode.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A command whose names are being fetched from the catalogue; its session is paused. */
typedef struct waiting_command {
    tr_server *server;
    uint64_t session;
    uint64_t request;
    uint32_t world;
    tr_command *command;
} waiting_command;

/* --- what a command names --- */

static tr_status wish_for(tr_library_wish *wish, const tr_command *command) {
    tr_status status = TR_OK;
    if (command->kind == TR_COMMAND_SPAWN_CHARACTER) {
        status = tr_library_wish_model(wish, command->as.spawn_character.model_name);
        if (status == TR_OK)
            status = tr_library_wish_controller(wish, command->as.spawn_character.controller_name);
    } else if (command->kind == TR_COMMAND_SET_CONTROLLER) {
        status = tr_library_wish_controller(wish, command->as.set_controller.controller_name);
    } else if (command->kind == TR_COMMAND_RESTORE) {
        const tr_saved *saved = command->as.restore.saved;
        wish->lenient = true; /* a name that nothing in the snapshot uses may be gone */
        for (int i = 0; i < saved->model_count && status == TR_OK; i++)
            status = tr_library_wish_model(wish, saved->model[i]);
        for (int i = 0; i < saved->controller_count && status == TR_OK; i++)
            status = tr_library_wish_controller(wish, saved->controller[i]);
        for (const tr_command *p = command->as.restore.pending; p != NULL && status == TR_OK;
             p = p->next)
            status = wish_for(wish, p);
    } else if (command->kind == TR_COMMAND_ADVANCE) {
        for (const tr_command *o = command->as.advance.orders; o != NULL && status == TR_OK;
             o = o->next)
            status = wish_for(wish, o);
    }
    return status;
}

/* --- names become pointers, and the world holds what they point at --- */

static tr_status find_controller(tr_library *library, tr_hosted *hosted, const char *name,
                                 const tr_controller **out, tr_error *error) {
    tr_library_item *item = tr_library_find_controller(library, name);
    if (item == NULL)
        return tr_fail(error, TR_NOT_FOUND, "controller '%s': not in the catalogue", name);
    if (tr_hosted_hold(hosted, item) != TR_OK)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "this world knows too many controllers");
    *out = tr_library_controller(item);
    return TR_OK;
}

static tr_status find_model(tr_library *library, tr_hosted *hosted, const char *name,
                            const tr_model **out, tr_error *error) {
    tr_library_item *item = tr_library_find_model(library, name);
    if (item == NULL)
        return tr_fail(error, TR_NOT_FOUND, "model '%s': not in the catalogue", name);
    if (tr_hosted_hold(hosted, item) != TR_OK)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "this world knows too many models");
    *out = tr_library_model(item);
    return TR_OK;
}

static tr_status resolve_spawn(tr_library *library, tr_hosted *hosted, tr_spawn_character *spawn,
                               tr_error *error) {
    tr_status status = TR_OK;
    if (spawn->controller_name[0] != '\0')
        status =
            find_controller(library, hosted, spawn->controller_name, &spawn->controller, error);
    if (status == TR_OK && spawn->model_name[0] == '\0')
        tr_name_set(spawn->model_name, spawn->controller->model_name);
    if (status == TR_OK)
        status = find_model(library, hosted, spawn->model_name, &spawn->model, error);
    return status;
}

static tr_status resolve(tr_library *library, tr_hosted *hosted, tr_command *command,
                         tr_error *error);

/* What the snapshot names and the catalogue has; the stage says what it misses. */
static tr_status resolve_restore(tr_library *library, tr_hosted *hosted, tr_restore_order *order,
                                 tr_error *error) {
    tr_status status = TR_OK;
    const tr_saved *saved = order->saved;
    for (int i = 0; i < saved->model_count && status == TR_OK; i++) {
        const tr_model *model = NULL;
        if (tr_library_find_model(library, saved->model[i]) == NULL)
            continue;
        status = find_model(library, hosted, saved->model[i], &model, error);
        if (status == TR_OK)
            status = tr_cast_add_model(order->cast, model, saved->model[i]);
    }
    for (int i = 0; i < saved->controller_count && status == TR_OK; i++) {
        const tr_controller *controller = NULL;
        if (tr_library_find_controller(library, saved->controller[i]) == NULL)
            continue;
        status = find_controller(library, hosted, saved->controller[i], &controller, error);
        if (status == TR_OK)
            status = tr_cast_add_controller(order->cast, controller);
    }
    for (tr_command *p = order->pending; p != NULL && status == TR_OK; p = p->next)
        status = resolve(library, hosted, p, error);
    return status;
}

static tr_status resolve_advance(tr_library *library, tr_hosted *hosted, tr_advance *advance,
                                 tr_error *error) {
    tr_status status = TR_OK;
    for (tr_command *o = advance->orders; o != NULL && status == TR_OK; o = o->next)
        status = resolve(library, hosted, o, error);
    return status;
}

static tr_status resolve(tr_library *library, tr_hosted *hosted, tr_command *command,
                         tr_error *error) {
    if (command->kind == TR_COMMAND_ADVANCE)
        return resolve_advance(library, hosted, &command->as.advance, error);
    if (command->kind == TR_COMMAND_SPAWN_CHARACTER)
        return resolve_spawn(library, hosted, &command->as.spawn_character, error);
    if (command->kind == TR_COMMAND_RESTORE)
        return resolve_restore(library, hosted, &command->as.restore, error);
    if (command->kind == TR_COMMAND_SET_CONTROLLER &&
        command->as.set_controller.controller_name[0] != '\0')
        return find_controller(library, hosted, command->as.set_controller.controller_name,
                               &command->as.set_controller.controller, error);
    return TR_OK;
}

/* --- posting --- */

/* A session that may become a stepper of this world must leave it one day. */
static tr_status promise_to_part(tr_session *session, const tr_hosted *hosted,
                                 const tr_command *command) {
    bool steps = command->kind == TR_COMMAND_JOIN || command->kind == TR_COMMAND_STEP ||
                 command->kind == TR_COMMAND_ADVANCE;
    if (!steps || tr_hosted_mode(hosted) != TR_MODE_STEPPED)
        return TR_OK;
    return tr_session_will_part(session, tr_hosted_id(hosted));
}

/* One more character of this account? Those that were asked for and not answered count. */
static tr_status may_spawn(const tr_request *request, const tr_command *command, tr_error *error) {
    const tr_member *member = tr_session_member(request->session);
    const tr_worlds *worlds = request->server->worlds;
    if (command->kind != TR_COMMAND_SPAWN_CHARACTER || member->limits.characters == 0)
        return TR_OK;
    int count = tr_worlds_owned_by(worlds, member->account) + member->spawning;
    return tr_member_may_have(member, count, member->limits.characters, "characters", error);
}

/* --- recordings: their file is made before the command is posted --- */

static tr_status open_recording(const tr_request *request, uint32_t world, tr_command *command,
                                tr_error *error) {
    tr_server *server = request->server;
    tr_start_recording *order = &command->as.start_recording;
    tr_hosted *hosted = tr_worlds_find(server->worlds, world);
    tr_recording_entry entry = {.created_unix = (int64_t)time(NULL),
                                .step_s = tr_hosted_describe(hosted).step_s};
    tr_name_set(entry.name, order->name);
    tr_name_set(entry.world, tr_hosted_name(hosted));
    memcpy(entry.daemon, TR_SERVER_VERSION, sizeof TR_SERVER_VERSION);
    tr_name_set(order->world, entry.world);
    order->created_unix = entry.created_unix;
    return tr_recordings_begin(server->recordings, &entry, world, &order->id, error);
}

/* It will not be posted. */
static void discard(tr_server *server, tr_command *command) {
    if (command->kind == TR_COMMAND_START_RECORDING)
        tr_recordings_abandon(server->recordings, command->as.start_recording.id);
    tr_command_destroy(command);
}

/* All names are in the library, or are not in the catalogue: takes the command. */
static void post(const tr_request *request, uint32_t world, tr_command *command) {
    tr_error error = {0};
    tr_hosted *hosted = tr_request_world(request, world);
    if (hosted == NULL) {
        tr_command_destroy(command);
        return;
    }
    tr_member *member = tr_session_member(request->session);
    bool spawns = command->kind == TR_COMMAND_SPAWN_CHARACTER;
    tr_status status = may_spawn(request, command, &error);
    if (status == TR_OK)
        status = resolve(request->server->library, hosted, command, &error);
    if (status == TR_OK) {
        status = promise_to_part(request->session, hosted, command);
        if (status == TR_OK)
            status = tr_hosted_post(hosted, command);
        if (status == TR_OK) {
            member->spawning += spawns && member->account != 0;
            return;
        }
        (void)tr_fail(&error, status, "too much waits in this world");
    }
    discard(request->server, command);
    tr_session_refuse(request->session, request->id, &error);
}

static void on_fetched(void *context, const tr_error *error) {
    waiting_command *waiting = context;
    tr_session *session = tr_sessions_find(waiting->server->sessions, waiting->session);
    if (session == NULL) {
        tr_command_destroy(waiting->command);
    } else {
        tr_request request = {
            .server = waiting->server, .session = session, .id = waiting->request};
        if (error->status == TR_OK) {
            post(&request, waiting->world, waiting->command);
        } else {
            tr_session_refuse(session, waiting->request, error);
            tr_command_destroy(waiting->command);
        }
        tr_session_resume(session);
    }
    free(waiting);
}

/* Takes the command. Requests after this one wait, so that they cannot overtake it. */
static void post_when_fetched(const tr_request *request, uint32_t world, tr_command *command,
                              const tr_library_wish *wish) {
    tr_server *server = request->server;
    waiting_command *waiting = malloc(sizeof *waiting);
    if (waiting != NULL) {
        *waiting =
            (waiting_command){server, tr_session_id(request->session), request->id, world, command};
        if (tr_library_fetch(server->library, wish, on_fetched, waiting) == TR_OK) {
            tr_session_pause(request->session);
            return;
        }
    }
    free(waiting);
    tr_command_destroy(command);
    tr_request_refuse(request, TR_RESOURCE_EXHAUSTED, "the catalogue has too much to do");
}

/* What the table of permissions says to this client and this command. */
static tr_status check_right(const tr_request *request, const tr_hosted *hosted,
                             Troupe__Command__CommandCase which, bool *out_own_only,
                             tr_error *error) {
    const tr_member *member = tr_session_member(request->session);
    tr_command_right right = tr_command_rights(which);
    *out_own_only = false;
    if (member->role >= right.role)
        return TR_OK;
    if (member->role < right.own_role)
        return tr_fail(error, TR_PERMISSION_DENIED,
                       "this command is not for the role %s: expected %s or more",
                       tr_role_name(member->role), tr_role_name(right.own_role));
    if (right.own_scope == TR_SCOPE_STEPPED && tr_hosted_mode(hosted) != TR_MODE_STEPPED)
        return tr_fail(error, TR_PERMISSION_DENIED,
                       "the time of a world that moves by itself is not for the role %s",
                       tr_role_name(member->role));
    *out_own_only = right.own_scope == TR_SCOPE_OWN;
    return TR_OK;
}

/* Whose command it is, and its orders with it, each by its own right. */
static tr_status sign(const tr_request *request, const tr_hosted *hosted, tr_command *command,
                      tr_error *error) {
    command->stamp.session = tr_session_id(request->session);
    command->stamp.request = request->id;
    command->account = tr_session_member(request->session)->account;
    if (command->kind != TR_COMMAND_ADVANCE)
        return TR_OK;
    tr_status status = TR_OK;
    Troupe__Order *const *message = request->message->command->advance->orders;
    for (tr_command *o = command->as.advance.orders; o != NULL && status == TR_OK; o = o->next) {
        o->account = command->account;
        status =
            check_right(request, hosted, (Troupe__Command__CommandCase)(*message++)->command_case,
                        &o->own_only, error);
    }
    return status;
}

void tr_handle_command(tr_request *request) {
    const Troupe__Command *message = request->message->command;
    tr_command *command = NULL;
    tr_error error = {0};
    const tr_hosted *hosted = tr_request_world(request, message->world);
    bool own_only = false;
    if (hosted == NULL)
        return;
    if (check_right(request, hosted, message->command_case, &own_only, &error) != TR_OK ||
        tr_decode_command(message, &command, &error) != TR_OK ||
        sign(request, hosted, command, &error) != TR_OK) {
        tr_session_refuse(request->session, request->id, &error);
        tr_command_destroy(command);
        return;
    }
    command->own_only = own_only;
    if (command->kind == TR_COMMAND_START_RECORDING &&
        open_recording(request, message->world, command, &error) != TR_OK) {
        tr_session_refuse(request->session, request->id, &error);
        tr_command_destroy(command);
        return;
    }
    tr_library_wish *wish = calloc(1, sizeof *wish);
    if (wish == NULL || wish_for(wish, command) != TR_OK) {
        free(wish);
        discard(request->server, command);
        tr_request_refuse(request, TR_RESOURCE_EXHAUSTED,
                          "it names too many models or controllers");
        return;
    }
    if (tr_library_has(request->server->library, wish))
        post(request, message->world, command);
    else
        post_when_fetched(request, message->world, command, wish);
    free(wish);
}
