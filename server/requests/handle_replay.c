/* Handlers of replays: load the file, find what it names, make the world; describe a replay. */
#include "server/requests/dispatch.h"

#include "model/name.h"
#include "server/recording/encode_recording.h"
#include "server/requests/commands/commands.h"

#include <stdio.h>
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
    tr_library_needs needs;
} waiting_replay;

static void end(waiting_replay *waiting) {
    tr_recording_release(waiting->recording);
    free(waiting);
}

/* Refuses the request, if the session still exists. */
static void fail(waiting_replay *waiting, const tr_error *error) {
    tr_session *session = tr_sessions_find(waiting->server->sessions, waiting->session);
    if (session) {
        tr_session_refuse(session, waiting->request, error);
        tr_session_resume(session);
    }
    end(waiting);
}

/* Lists the names of everything that a recording needs. */
static tr_status list_needs(const tr_recording_info *info, tr_library_needs *needs) {
    tr_status status = TR_OK;
    needs->lenient = true; /* the replay's error about missing items is better */
    for (int i = 0; i < info->model_count && !status; i++)
        status = tr_library_need_model(needs, info->model[i].name);
    for (int i = 0; i < info->controller_count && !status; i++)
        status = tr_library_need_controller(needs, info->controller[i].name);
    return status;
}

static void define_world(const waiting_replay *waiting, tr_world_loop_def *out) {
    const tr_recording_info *info = tr_recording_describe(waiting->recording);
    out->mode = TR_MODE_REAL_TIME;
    out->rate = waiting->rate;
    out->seed = info->seed;
    out->paused = waiting->paused;
    out->world = tr_world_def_default();
    out->world.step_s = info->step_s;
    tr_name_set(out->name, waiting->world);
}

/* Makes a replay of the recording with the items in the library that it names. */
static tr_status make_replay(waiting_replay *waiting, tr_replay **out, tr_error *error) {
    tr_cast *cast = calloc(1, sizeof *cast);
    tr_status status = cast ? tr_library_gather(waiting->server->library, &waiting->needs, cast)
                            : TR_RESOURCE_EXHAUSTED;
    if (status)
        (void)tr_fail(error, status, "it names too many models or controllers");
    else
        status = tr_replay_create(&(tr_replay_def){.recording = waiting->recording,
                                                   .cast = cast,
                                                   .commands = &tr_commands,
                                                   .loop = waiting->loop},
                                  out, error);
    free(cast);
    return status;
}

/* The memory of the recording has been borrowed. On success the world owns that and the replay. */
static tr_status add_world(waiting_replay *waiting, tr_replay *replay, uint64_t maker,
                           tr_hosted **out, tr_error *error) {
    tr_server *server = waiting->server;
    tr_world_loop_def def = {0};
    define_world(waiting, &def);
    def.source = tr_replay_source(replay);
    tr_status status = tr_worlds_add(server->worlds, &def, maker, out, error);
    if (!status)
        tr_replays_add(&server->replays,
                       &(tr_shown){.world = tr_hosted_id(*out),
                                   .recording = waiting->recording,
                                   .replay = replay},
                       waiting->name);
    return status;
}

static tr_status make_world(waiting_replay *waiting, uint64_t maker, tr_hosted **out,
                            tr_error *error) {
    tr_recordings *recordings = waiting->server->recordings;
    size_t size = tr_recording_describe(waiting->recording)->size;
    tr_replay *replay = NULL;
    tr_status status = make_replay(waiting, &replay, error);
    if (status)
        return status;
    status = tr_recordings_borrow(recordings, size, error);
    if (!status) {
        status = add_world(waiting, replay, maker, out, error);
        if (status)
            tr_recordings_give_back(recordings, size);
    }
    if (status) {
        tr_replay_destroy(replay);
        return status;
    }
    status = tr_holds_add_all(tr_hosted_holds(*out), &waiting->needs);
    if (!status)
        return TR_OK;
    tr_hosted_close(*out);
    return tr_fail(error, status, "it names too many models or controllers");
}

/* Checks the limit of worlds, as for CreateWorld: a replay counts as a world of its maker. */
static tr_status may_make(const waiting_replay *waiting, const tr_member *member, tr_error *error) {
    int made = tr_worlds_made_by(waiting->server->worlds, member->account);
    return tr_member_may_have(member, made, member->limits.worlds, "worlds", error);
}

static void on_fetched(void *context, const tr_error *fetched) {
    waiting_replay *waiting = context;
    tr_error error = *fetched;
    tr_hosted *hosted = NULL;
    tr_session *session = tr_sessions_find(waiting->server->sessions, waiting->session);
    if (!session) {
        end(waiting);
        return;
    }
    const tr_member *member = tr_session_member(session);
    if (error.status || may_make(waiting, member, &error) ||
        make_world(waiting, member->account, &hosted, &error)) {
        fail(waiting, &error);
        return;
    }
    tr_request request = {.server = waiting->server, .session = session, .id = waiting->request};
    tr_request_respond_world(&request, hosted);
    tr_session_resume(session);
    end(waiting);
}

static void on_loaded(tr_recordings_job *job) {
    waiting_replay *waiting = job->context;
    tr_library *library = waiting->server->library;
    if (job->error.status) {
        fail(waiting, &job->error);
        return;
    }
    waiting->recording = job->recording;
    job->recording = NULL;
    tr_error error = {0};
    if (list_needs(tr_recording_describe(waiting->recording), &waiting->needs)) {
        (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "it names too many models or controllers");
        fail(waiting, &error);
    } else if (tr_library_has(library, &waiting->needs)) {
        on_fetched(waiting, &error);
    } else if (tr_library_fetch(library, &waiting->needs, on_fetched, waiting)) {
        (void)tr_fail(&error, TR_RESOURCE_EXHAUSTED, "the catalogue is busy; try again");
        fail(waiting, &error);
    }
}

static const tr_field fields[] = {TR_NAME_NEEDED(Troupe__Replay, world),
                                  TR_NUMBER_IF_GIVEN(Troupe__Replay, rate, 0.01, 100),
                                  TR_FIELDS_END};

static tr_status check(const Troupe__Replay *m, tr_error *error) {
    if (strlen(m->recording) > TR_WIRE_NAME_MAX)
        return tr_fail(error, TR_NOT_FOUND, "recording '%.64s': not found", m->recording);
    return tr_fields_check(m, fields, error);
}

void tr_handle_replay(tr_request *request) {
    const Troupe__Replay *m = request->message->replay;
    tr_error error = {0};
    waiting_replay *waiting = calloc(1, sizeof *waiting);
    tr_recordings_job *job = calloc(1, sizeof *job);
    tr_status status =
        waiting && job ? check(m, &error) : tr_fail(&error, TR_RESOURCE_EXHAUSTED, "out of memory");
    if (!status) {
        *waiting = (waiting_replay){.server = request->server,
                                    .session = tr_session_id(request->session),
                                    .request = request->id,
                                    .rate = m->has_rate_case ? m->rate : 1,
                                    .paused = m->paused,
                                    .loop = m->loop};
        tr_name_set(waiting->name, m->recording);
        tr_name_set(waiting->world, m->world);
        tr_name_set(job->name, m->recording);
        job->context = waiting;
        job->done = on_loaded;
        status = tr_recordings_load(waiting->server->recordings, job);
        if (!status) {
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
    if (!hosted)
        return;
    const tr_shown *shown = tr_replays_find(&request->server->replays, tr_hosted_id(hosted));
    if (!shown) {
        tr_request_refuse(request, TR_FAILED_PRECONDITION, "not a replay");
        return;
    }
    const tr_recording_entry *entry = tr_recordings_find(request->server->recordings, shown->name);
    tr_replay_view view = {.info = tr_replay_describe(shown->replay)};
    tr_replay_view_recording(&view, shown->recording);
    if (entry)
        view.entry = *entry;
    else /* the file no longer exists */
        view.entry.state = view.whole ? TR_RECORDING_ENDED : TR_RECORDING_CUT;
    snprintf(view.entry.name, sizeof view.entry.name, "%s", shown->name);
    if (view.info.divergence.found)
        view.divergence = &view.info.divergence;
    tr_request_show(request, TROUPE__RESPONSE__RESULT_REPLAY_INFO, &tr_replay_view_mapping, &view);
}
