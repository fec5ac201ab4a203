/* The handler of commands: checks, fetches the models and controllers that they name, and posts them
 * to their world. What differs between kinds of commands is in their rows (commands/). */
#include "server/requests/dispatch.h"

#include "server/requests/commands/commands.h"

#include <stdlib.h>

/* A command whose names are being fetched from the catalogue; its session is paused. */
typedef struct waiting_command {
    tr_server *server;
    uint64_t session;
    uint64_t request;
    tr_command *command;
    tr_library_wish wish;
} waiting_command;

/* --- checks --- */

/* May this client send this command, and each of its orders? */
static tr_status check_rights(const tr_request *request, const tr_hosted *hosted,
                              tr_command *command, tr_error *error) {
    const tr_member *member = tr_session_member(request->session);
    bool stepped = tr_hosted_mode(hosted) == TR_MODE_STEPPED;
    tr_status status =
        tr_command_right_check(&command->kind->right, member, stepped, &command->own_only, error);
    tr_command *orders =
        command->kind->orders ? (tr_command *)command->kind->orders(command) : NULL;
    for (tr_command *o = orders; o && !status; o = o->next)
        status = tr_command_right_check(&o->kind->right, member, stepped, &o->own_only, error);
    return status;
}

static void sign(const tr_request *request, tr_command *command) {
    command->stamp.session = tr_session_id(request->session);
    command->stamp.request = request->id;
    command->account = tr_session_member(request->session)->account;
    tr_command *orders =
        command->kind->orders ? (tr_command *)command->kind->orders(command) : NULL;
    for (tr_command *o = orders; o; o = o->next)
        o->account = command->account;
}

/* The command out of the request, which no longer has it. The rights of its kind come first, so that
 * a client learns nothing more about a command that it may not send. */
static tr_status take_command(tr_request *request, const tr_hosted *hosted, tr_command **out,
                              tr_error *error) {
    Troupe__Command *message = request->message->command;
    const tr_command_kind *kind = tr_command_find(&tr_commands, (unsigned)message->command_case);
    bool own_only = false;
    tr_status status = TR_OK;
    if (kind)
        status =
            tr_command_right_check(&kind->right, tr_session_member(request->session),
                                   tr_hosted_mode(hosted) == TR_MODE_STEPPED, &own_only, error);
    if (status)
        return status;
    request->message->command = NULL;
    request->message->request_case = TROUPE__CLIENT_MESSAGE__REQUEST__NOT_SET;
    status = tr_command_decode(&tr_commands, message, out, error);
    if (status)
        return status;
    sign(request, *out);
    return check_rights(request, hosted, *out, error);
}

/* --- posting --- */

/* Finds what it names, of what is in the library, and has the world keep that. */
static tr_status bind_names(tr_library *library, tr_hosted *hosted, const tr_library_wish *wish,
                            tr_command *command, tr_error *error) {
    tr_cast *cast = calloc(1, sizeof *cast);
    if (!cast)
        return tr_fail(error, TR_RESOURCE_EXHAUSTED, "out of memory");
    tr_status status = tr_library_gather(library, wish, cast);
    if (!status)
        status = tr_hosted_hold_all(hosted, wish);
    if (status)
        (void)tr_fail(error, status, "this world knows too many models or controllers");
    else
        status = tr_command_bind(command, cast, error);
    free(cast);
    return status;
}

/* It is prepared: takes it on success. */
static tr_status send_command(const tr_request *request, tr_hosted *hosted,
                              const tr_library_wish *wish, tr_command *command, tr_error *error) {
    tr_status status = TR_OK;
    if (command->kind->bind)
        status = bind_names(request->server->library, hosted, wish, command, error);
    if (status)
        return status;
    status = tr_hosted_post(hosted, command);
    return status ? tr_fail(error, status, "this world's command queue is full") : TR_OK;
}

/* All names are in the library, or are not in the catalogue: takes the command. */
static void post(const tr_request *request, const tr_library_wish *wish, tr_command *command) {
    tr_error error = {0};
    tr_hosted *hosted = tr_request_world(request, command->message->world);
    if (!hosted) {
        tr_command_destroy(command);
        return;
    }
    tr_status status = TR_OK;
    if (command->kind->prepare)
        status = command->kind->prepare(request, hosted, command, &error);
    if (!status) {
        status = send_command(request, hosted, wish, command, &error);
        if (!status)
            return;
        if (command->kind->abandon)
            command->kind->abandon(request->server, command);
    }
    tr_command_destroy(command);
    tr_session_refuse(request->session, request->id, &error);
}

static void on_fetched(void *context, const tr_error *error) {
    waiting_command *waiting = context;
    tr_session *session = tr_sessions_find(waiting->server->sessions, waiting->session);
    const tr_request request = {
        .server = waiting->server, .session = session, .id = waiting->request};
    if (session && !error->status)
        post(&request, &waiting->wish, waiting->command);
    else
        tr_command_destroy(waiting->command);
    if (session && error->status)
        tr_session_refuse(session, waiting->request, error);
    if (session)
        tr_session_resume(session);
    free(waiting);
}

/* Requests after this one wait, so that they cannot overtake it. */
static void post_when_fetched(waiting_command *waiting, const tr_request *request) {
    if (!tr_library_fetch(waiting->server->library, &waiting->wish, on_fetched, waiting)) {
        tr_session_pause(request->session);
        return;
    }
    tr_command_destroy(waiting->command);
    free(waiting);
    tr_request_refuse(request, TR_RESOURCE_EXHAUSTED, "the catalogue is busy; try again");
}

void tr_handle_command(tr_request *request) {
    tr_error error = {0};
    tr_command *command = NULL;
    const tr_hosted *hosted = tr_request_world(request, request->message->command->world);
    if (!hosted)
        return;
    waiting_command *waiting = calloc(1, sizeof *waiting);
    tr_status status = waiting ? take_command(request, hosted, &command, &error)
                               : tr_fail(&error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (!status && command->kind->names && command->kind->names(command, &waiting->wish))
        status = tr_fail(&error, TR_RESOURCE_EXHAUSTED, "it names too many models or controllers");
    if (status) {
        tr_command_destroy(command);
        free(waiting);
        tr_session_refuse(request->session, request->id, &error);
        return;
    }
    *waiting = (waiting_command){.server = request->server,
                                 .session = tr_session_id(request->session),
                                 .request = request->id,
                                 .command = command,
                                 .wish = waiting->wish};
    if (!tr_library_has(request->server->library, &waiting->wish)) {
        post_when_fetched(waiting, request);
        return;
    }
    post(request, &waiting->wish, command);
    free(waiting);
}
