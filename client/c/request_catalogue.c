/* Requests of the session and of the catalogue. */
#include "client/c/exchange.h"

static char *text(const char *given) {
    return tr_request_text(given);
}

uint64_t tr_client_ping(tr_client *client) {
    return TR_REQUEST(client, PING, ping, &(Troupe__Ping){TR_MESSAGE(ping)});
}

/* --- lists --- */

uint64_t tr_client_list_models(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST_WITH(client, LIST_MODELS, list_models, Troupe__ListModels, .page = TR_PAGE(q),
                           .prefix = text(q->prefix));
}

uint64_t tr_client_list_clips(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST_WITH(client, LIST_CLIPS, list_clips, Troupe__ListClips, .page = TR_PAGE(q),
                           .prefix = text(q->prefix), .skeleton = text(q->skeleton));
}

uint64_t tr_client_list_runs(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST_WITH(client, LIST_RUNS, list_runs, Troupe__ListRuns, .page = TR_PAGE(q),
                           .prefix = text(q->prefix));
}

uint64_t tr_client_list_controllers(tr_client *client, const tr_client_query *query) {
    const tr_client_query *q = tr_request_query(query);
    return TR_REQUEST_WITH(client, LIST_CONTROLLERS, list_controllers, Troupe__ListControllers,
                           .page = TR_PAGE(q), .prefix = text(q->prefix), .skill = text(q->skill),
                           .model = text(q->model));
}

/* --- single rows --- */

uint64_t tr_client_get_model(tr_client *client, const char *name) {
    return TR_REQUEST_WITH(client, GET_MODEL, get_model, Troupe__GetModel, .name = text(name));
}

uint64_t tr_client_get_clip(tr_client *client, const char *name) {
    return TR_REQUEST_WITH(client, GET_CLIP, get_clip, Troupe__GetClip, .name = text(name));
}

uint64_t tr_client_get_run(tr_client *client, const char *name) {
    return TR_REQUEST_WITH(client, GET_RUN, get_run, Troupe__GetRun, .name = text(name));
}

uint64_t tr_client_get_controller(tr_client *client, const char *name) {
    return TR_REQUEST_WITH(client, GET_CONTROLLER, get_controller, Troupe__GetController,
                           .name = text(name));
}

uint64_t tr_client_get_lineage(tr_client *client, tr_client_noun noun, const char *name) {
    return TR_REQUEST_WITH(client, GET_LINEAGE, get_lineage, Troupe__GetLineage,
                           .kind = (Troupe__NounKind)noun, .name = text(name));
}

uint64_t tr_client_get_certificate(tr_client *client, const char *controller, uint32_t back) {
    return TR_REQUEST_WITH(client, GET_CERTIFICATE, get_certificate, Troupe__GetCertificate,
                           .controller = text(controller), .back = back);
}
