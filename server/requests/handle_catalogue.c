/* The handler of every query of the catalogue: makes a job for the catalogue's thread. */
#include "server/requests/dispatch.h"

#include "proto/message.h"
#include "server/requests/request_row.h"

#include <stdlib.h>

typedef struct query_job {
    tr_catalogue_job job; /* first: the catalogue's thread hands it back */
    tr_server *server;
    uint64_t session, request;
    Troupe__ClientMessage *message; /* owned */
    tr_inquiry_function inquire;
    tr_packet *answer; /* NULL: `error` says why */
    tr_error error;
} query_job;

/* On the catalogue's thread: rows in, encoded response out. */
static void run(tr_catalogue_job *base, tr_catalogue *catalogue) {
    query_job *job = (query_job *)base;
    tr_inquiry inquiry = {.catalogue = catalogue,
                          .request = job->message,
                          .request_id = job->request,
                          .error = &job->error};
    if (!tr_inquiry_run(&inquiry, job->inquire))
        job->answer = inquiry.answer;
}

static void done(tr_catalogue_job *base) {
    query_job *job = (query_job *)base;
    tr_session *session = tr_sessions_find(job->server->sessions, job->session);
    if (session) {
        if (job->answer)
            tr_session_respond_packet(session, job->answer);
        else
            tr_session_refuse(session, job->request, &job->error);
        tr_session_resume(session);
    } else {
        tr_packet_release(job->answer);
    }
    tr_message_destroy(&job->message->base);
    free(job);
}

void tr_handle_query(tr_request *request) {
    tr_server *server = request->server;
    query_job *job = calloc(1, sizeof *job);
    if (job) {
        job->job.query = run;
        job->job.done = done;
        job->server = server;
        job->session = tr_session_id(request->session);
        job->request = request->id;
        job->message = request->message;
        job->inquire = request->row->inquire;
        if (!tr_catalogue_thread_submit(server->catalogue, &job->job)) {
            request->message = NULL;
            tr_session_pause(request->session);
            return;
        }
    }
    free(job);
    tr_request_refuse(request, TR_RESOURCE_EXHAUSTED, "the catalogue is busy; try again");
}
