/* Handlers of replays: load the file, find what it names, make the world; tell how far it is. */
#include "server/requests/dispatch.h"

#include "server/catalogue/name.h"
#include "server/recording/encode_recording.h"
#include "server/recording/recordings.h"

#include <stdlib.h>
#include <string.h>

/* A replay on its way; its session is paused. */
typedef struct waiting_replay {
    tr_server *server;
    uint64_t session, request;
    char name[TR_NAME_MAX], world[TR_NAME_MAX];
    double rate;
    bool paused, loop;
    tr_recording *recording;
} waiting_replay;

static void end(waiting_replay *waiting) {
    tr_recording_release(waiting->recording);
    free(waiting);
}

/* Refused, if the session is still there. */
static void fail(waiting_replay *waiting, const tr_error *error) {
    tr_session *session = tr_sessions_find(waiting->server->sessions, waiting->session);
    if (session != NULL) {
        tr_session_refuse(session, waiting->request, error);
        tr_session_resume(session);
    }
    end(waiting);
}

/* What the recording names, of what is in the library; the replay says what it misses. */
static tr_status gather(tr_library *library, const tr_recording_info *info, tr_cast *cast) {
    tr_status status = TR_OK;
    for (int i = 0; i < info->model_count && status == TR_OK; i++) {
        tr_library_item *item = tr_library_find_model(library, info->model[i].name);
        if (item != NULL)
            status = tr_cast_add_model(cast, tr_library_model(item), info->model[i].name);
    }
    for (int i = 0; i < info->controller_count && status == TR_OK; i++) {
        tr_library_item *item = tr_library_find_controller(library, info->controller[i].name);
        if (item != NULL)
            status = tr_cast_add_controller(cast, tr_library_controller(item));
    }
    return status;
}

static tr_status hold_all(tr_hosted *hosted, tr_library *library, const tr_recording_info *info) {
    tr_status status = TR_OK;
    for (int i = 0; i < info->model_count && status == TR_OK; i++)
        status = tr_hosted_hold(hosted, tr_library_find_model(library, info->model[i].name));
    for (int i = 0; i < info->controller_count && status == TR_OK; i++)
        status =
            tr_hosted_hold(hosted, tr_library_find_controller(library, info->controller[i].name));
    return status;
}

/* The memory has been borrowed; on success the world has it. */
static tr_status add_world(const waiting_replay *waiting, tr_play_def *def, tr_hosted **out,
                           tr_error *error) {
    tr_library *library = waiting->server->library;
    const tr_recording_info *info = tr_recording_describe(waiting->recording);
    def->mode = TR_MODE_REAL_TIME;
    def->rate = waiting->rate;
    def->seed = info->seed;
    def->paused = waiting->paused;
    def->world = tr_world_def_default();
    def->world.step_s = info->step_s;
    tr_name_set(def->name, waiting->world);
    tr_status status = tr_worlds_add(waiting->server->worlds, def, out, error);
    if (status != TR_OK)
        return status;
    tr_replays_add(&waiting->server->replays, tr_hosted_id(*out), waiting->recording,
                   waiting->name);
    status = hold_all(*out, library, info);
    if (status == TR_OK)
        return TR_OK;
    tr_worlds_remove(waiting->server->worlds, *out);
    return tr_fail(error, status, "it names too many models or controllers");
}

static tr_status make_world(const waiting_replay *waiting, tr_hosted **out, tr_error *error) {
    const tr_recording_info *info = tr_recording_describe(waiting->recording);
    tr_play_def *def = calloc(1, sizeof *def); /* the scenery makes it large */
    tr_cast *cast = calloc(1, sizeof *cast);
    tr_status status = TR_RESOURCE_EXHAUSTED;
    if (def == NULL || cast == NULL)
        (void)tr_fail(error, status, "out of memory");
    else if (gather(waiting->server->library, info, cast) != TR_OK)
        (void)tr_fail(error, status, "it names too many models or controllers");
    else
        status = tr_replay_create(waiting->recording, cast, waiting->loop, &def->replay, error);
    tr_recordings *recordings = waiting->server->recordings;
    if (status == TR_OK &&
        (status = tr_recordings_borrow(recordings, info->size, error)) == TR_OK) {
        status = add_world(waiting, def, out, error);
        if (status == TR_OK || *out != NULL)
            def->replay = NULL; /* the world's */
        else
            tr_recordings_give_back(recordings, info->size);
    }
    if (def != NULL)
        tr_replay_destroy(def->replay);
    free(def);
    free(cast);
    return status;
}

/* As CreateWorld: a replay is one of the worlds that its maker may have. */
static tr_status may_make(const waiting_replay *waiting, const tr_member *member, tr_error *error) {
    int made = tr_worlds_made_by(waiting->server->worlds, member->account);
    return tr_member_may_have(member, made, member->limits.worlds, "worlds", error);
}

static void on_fetched(void *context, const tr_error *error) {
    waiting_replay *waiting = context;
    tr_error why = {0};
    tr_hosted *hosted = NULL;
    tr_session *session = tr_sessions_find(waiting->server->sessions, waiting->session);
    if (session == NULL) {
        end(waiting);
        return;
    }
    const tr_member *member = tr_session_member(session);
    if (error->status != TR_OK || may_make(waiting, member, &why) != TR_OK ||
        make_world(waiting, &hosted, &why) != TR_OK) {
        fail(waiting, error->status != TR_OK ? error : &why);
        return;
    }
    tr_hosted_set_maker(hosted, member->account);
    tr_request request = {.server = waiting->server, .session = session, .id = waiting->request};
    tr_request_respond_world(&request, hosted);
    tr_session_resume(session);
    end(waiting);
}

static tr_status wish_for(const tr_recording_info *info, tr_library_wish *wish) {
    tr_status status = TR_OK;
    wish->lenient = true; /* the replay tells better what is missing */
    for (int i = 0; i < info->model_count && status == TR_OK; i++)
        status = tr_library_wish_model(wish, info->model[i].name);
    for (int i = 0; i < info->controller_count && status == TR_OK; i++)
        status = tr_library_wish_controller(wish, info->controller[i].name);
    return status;
}

static void on_loaded(tr_recordings_job *job) {
    waiting_replay *waiting = job->context;
    tr_library *library = waiting->server->library;
    if (job->error.status != TR_OK) {
        fail(waiting, &job->error);
        return;
    }
    waiting->recording = job->recording;
    job->recording = NULL;
    tr_error error = {0};
    tr_library_wish *wish = calloc(1, sizeof *wish);
    if (wish == NULL || wish_for(tr_recording_describe(waiting->recording), wish) != TR_OK) {
        (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "it names too many models or controllers");
        fail(waiting, &error);
    } else if (tr_library_has(library, wish)) {
        on_fetched(waiting, &error);
    } else if (tr_library_fetch(library, wish, on_fetched, waiting) != TR_OK) {
        (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "the catalogue has too much to do");
        fail(waiting, &error);
    }
    free(wish);
}

static tr_status check(const Troupe__Replay *m, tr_error *error) {
    if (m->world[0] == '\0' || strlen(m->world) > TR_WIRE_NAME_MAX)
        return tr_fail(error, TR_INVALID_ARGUMENT, "world: expected 1 to 47 bytes");
    if (strlen(m->recording) > TR_WIRE_NAME_MAX)
        return tr_fail(error, TR_NOT_FOUND, "recording '%.64s': not found", m->recording);
    if (m->rate != 0 && !(m->rate >= 0.01 && m->rate <= 100))
        return tr_fail(error, TR_INVALID_ARGUMENT, "rate: %g: expected 0.01 to 100", m->rate);
    return TR_OK;
}

void tr_handle_replay(tr_request *request) {
    const Troupe__Replay *m = request->message->replay;
    tr_error error = {0};
    waiting_replay *waiting = calloc(1, sizeof *waiting);
    tr_recordings_job *job = calloc(1, sizeof *job);
    tr_status status = waiting != NULL && job != NULL
                           ? check(m, &error)
                           : tr_fail(&error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (status == TR_OK) {
        *waiting = (waiting_replay){.server = request->server,
                                    .session = tr_session_id(request->session),
                                    .request = request->id,
                                    .rate = m->rate == 0 ? 1 : m->rate,
                                    .paused = m->paused,
                                    .loop = m->loop};
        tr_name_set(waiting->name, m->recording);
        tr_name_set(waiting->world, m->world);
        tr_name_set(job->name, m->recording);
        job->context = waiting;
        job->done = on_loaded;
        status = tr_recordings_load(waiting->server->recordings, job);
        if (status == TR_OK) {
            tr_session_pause(request->session);
            return;
        }
        error = job->error;
    }
    free(job);
    free(waiting);
    tr_session_refuse(request->session, request->id, &error);
}

void tr_handle_get_replay(tr_request *request) {
    tr_hosted *hosted = tr_request_world(request, request->message->get_replay->world);
    if (hosted == NULL)
        return;
    const tr_shown *shown = tr_replays_find(&request->server->replays, tr_hosted_id(hosted));
    if (!shown) {
        tr_request_refuse(request, TR_FAILED_PRECONDITION, "this world lives: it is no replay");
        return;
    }
    tr_packet *packet = NULL;
    tr_replay_answer answer = {.request = request->id,
                               .recording = shown->recording,
                               .entry =
                                   tr_recordings_find(request->server->recordings, shown->name),
                               .name = shown->name,
                               .info = tr_hosted_describe(hosted).replay};
    if (tr_encode_replay(&answer, &packet) == TR_OK)
        tr_session_respond_packet(request->session, packet);
    else
        tr_request_refuse(request, TR_RESOURCE_EXHAUSTED, "out of memory");
}
