/* The handler of commands: checks, fetches the models and controllers that they name, and posts
 * them to their world. The differences between kinds of commands are in their rows (commands/). */
#include "server/requests/dispatch.h"

#include "server/requests/commands/commands.h"

#include <stdlib.h>

/* A command on its way to its world, and its sender. The session is paused while the command's
 * names are fetched from the catalogue. */
typedef struct command_posting {
    tr_server *server;
    uint64_t session, request;
    tr_command *command; /* owned until it is posted */
    bool prepared;       /* its kind's `prepare` has succeeded */
    tr_library_needs needs;
} command_posting;

/* --- checks --- */

/* May this client send commands of this kind to the world? Checked before the command is read, so
 * that a client learns nothing more about a command that it may not send. */
static tr_status check_kind(const tr_request *request, const tr_hosted *hosted, tr_error *error) {
    unsigned number = (unsigned)request->message->command->command_case;
    const tr_command_kind *kind = tr_command_find(&tr_commands, number);
    bool own_only = false;
    return kind
               ? tr_command_right_check(&kind->right, tr_session_member(request->session),
                                        tr_hosted_mode(hosted) == TR_MODE_STEPPED, &own_only, error)
               : TR_OK;
}

/* Signs the command and its orders, and checks that its sender may send each of them. */
static tr_status sign(const tr_request *request, const tr_hosted *hosted, tr_command *command,
                      tr_error *error) {
    const tr_member *member = tr_session_member(request->session);
    bool stepped = tr_hosted_mode(hosted) == TR_MODE_STEPPED;
    tr_command *orders =
        command->kind->orders ? (tr_command *)command->kind->orders(command) : NULL;
    tr_status status = TR_OK;
    command->stamp.session = tr_session_id(request->session);
    command->stamp.request = request->id;
    for (tr_command *c = command; c && !status; c = c == command ? orders : c->next) {
        c->account = member->account;
        status = tr_command_right_check(&c->kind->right, member, stepped, &c->own_only, error);
    }
    return status;
}

/* The message of the command, which is no longer the request's. */
static Troupe__Command *take_message(tr_request *request) {
    Troupe__Command *message = request->message->command;
    request->message->command = NULL;
    request->message->request_case = TROUPE__CLIENT_MESSAGE__REQUEST__NOT_SET;
    return message;
}

/* The world of the command, by its name if that was given. NULL: the request was refused. */
static tr_hosted *world_of(const tr_request *request, Troupe__Command *message) {
    if (message->world != 0 && message->world_name[0] != '\0') {
        tr_request_refuse(request, TR_INVALID_ARGUMENT,
                          "world_name: '%.47s' beside world %u; expected one of them",
                          message->world_name, message->world);
        return NULL;
    }
    if (message->world_name[0] == '\0')
        return tr_request_world(request, message->world);
    tr_hosted *hosted = tr_worlds_find_called(request->server->worlds, message->world_name);
    if (!hosted) {
        tr_request_refuse(request, TR_NOT_FOUND, "world '%.47s': not found", message->world_name);
        return NULL;
    }
    message->world = tr_hosted_id(hosted);
    message->world_name[0] = '\0';
    return hosted;
}

/* --- posting --- */

/* Finds the items that it names in the library, and makes the world keep them. */
static tr_status bind_names(tr_library *library, tr_hosted *hosted, const tr_library_needs *needs,
                            tr_command *command, tr_error *error) {
    tr_cast *cast = calloc(1, sizeof *cast);
    if (!cast)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = tr_library_gather(library, needs, cast);
    if (!status)
        status = tr_holds_add_all(tr_hosted_holds(hosted), needs);
    if (status)
        (void)tr_fail(error, status, "this world knows too many models or controllers");
    else
        status = tr_command_bind(command, cast, error);
    free(cast);
    return status;
}

/* Lists the models and controllers that it names. TR_RESOURCE_EXHAUSTED: too many. */
static tr_status name_all(command_posting *posting) {
    const tr_command_kind *kind = posting->command->kind;
    return kind->names ? kind->names(posting->command, &posting->needs) : TR_OK;
}

/* Binds the command: all its names are in the library, or are not in the catalogue. */
static tr_status make_ready(const tr_request *request, command_posting *posting, tr_hosted *hosted,
                            tr_error *error) {
    tr_command *command = posting->command;
    const tr_command_kind *kind = command->kind;
    tr_status status = kind->prepare ? kind->prepare(request, hosted, command, error) : TR_OK;
    posting->prepared = !status;
    if (!status && kind->bind)
        status = bind_names(request->server->library, hosted, &posting->needs, command, error);
    return status;
}

/* After tr_hosted_post with this status. Answers a failure, unless the session has ended (NULL). */
static void end_posting(command_posting *posting, tr_session *session, tr_status posted,
                        tr_error *error) {
    tr_command *command = posting->command;
    if (!error->status && posted)
        (void)tr_fail(error, TR_RESOURCE_EXHAUSTED, "this world's command queue is full");
    if (error->status) {
        if (posting->prepared && command->kind->abandon)
            command->kind->abandon(posting->server, command);
        if (session)
            tr_session_refuse(session, posting->request, error);
        tr_command_destroy(command);
    }
    free(posting);
}

static void on_fetched(void *context, const tr_error *fetched) {
    command_posting *posting = context;
    tr_error error = *fetched;
    const uint32_t world = posting->command->message->world;
    tr_hosted *hosted = tr_worlds_find(posting->server->worlds, world);
    tr_request request = {.server = posting->server, .id = posting->request};
    request.session = tr_sessions_find(posting->server->sessions, posting->session);
    if (!request.session && !error.status)
        error.status = TR_CANCELLED;
    if (!hosted && !error.status)
        (void)tr_fail(&error, TR_NOT_FOUND, "world %u: not found", world);
    if (!error.status)
        error.status = make_ready(&request, posting, hosted, &error);
    tr_status posted = error.status ? TR_OK : tr_hosted_post(hosted, posting->command);
    end_posting(posting, request.session, posted, &error);
    if (request.session)
        tr_session_resume(request.session);
}

void tr_handle_command(tr_request *request) {
    tr_error error = {0};
    tr_library *library = request->server->library;
    tr_hosted *hosted = world_of(request, request->message->command);
    command_posting *posting = hosted ? calloc(1, sizeof *posting) : NULL;
    if (hosted && !posting)
        tr_request_refuse(request, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (!posting)
        return;
    posting->server = request->server;
    posting->session = tr_session_id(request->session);
    posting->request = request->id;
    tr_status status = check_kind(request, hosted, &error);
    if (!status)
        status = tr_command_decode(&tr_commands, take_message(request), &posting->command, &error);
    if (!status)
        status = sign(request, hosted, posting->command, &error);
    if (!status && name_all(posting))
        status = tr_fail(&error, TR_RESOURCE_EXHAUSTED, "it names too many models or controllers");
    if (!status && !tr_library_has(library, &posting->needs)) {
        if (!tr_library_fetch(library, &posting->needs, on_fetched, posting)) {
            tr_session_pause(request->session); /* so that no later request overtakes this one */
            return;
        }
        status = tr_fail(&error, TR_RESOURCE_EXHAUSTED, "the catalogue is busy; try again");
    }
    if (!status)
        status = make_ready(request, posting, hosted, &error);
    error.status = status;
    tr_status posted = status ? TR_OK : tr_hosted_post(hosted, posting->command);
    end_posting(posting, request->session, posted, &error);
}
